"""Makes the printed boards of a kit in hardware/boards/ from wiring.toml: layouts, circuits, what is placed where,
pictures; and checks the copper.

    python3 scripts/hardware/kit.py            lays all tracks anew (a minute), writes what has changed
    python3 scripts/hardware/kit.py --check    writes nothing: whether the boards are as wiring.toml says, and whole;
                                               the tracks are those of the files, and measured
    python3 scripts/hardware/kit.py --anew     writes nothing: whether the tracks come out the same, too

Needs Python 3.11 and nothing else. `fab.py` asks KiCad."""

import sys

import copper
import layout
import order
import picture
import sheets
from boards import both, origin
from model import FOLDER, load
from route import Track, Via
from sexpr import all_of, numbers, one, read
from texts import csv_text

BOARDS = FOLDER / "boards"


def laid_before(board):
    """Tracks and vias of the file that is there, in its order; none if there is no file."""
    path = BOARDS / f"{board.name}.kicad_pcb"
    if not path.exists():
        return [], []
    tree = read(path.read_text(encoding="utf-8"))
    names = {net[1]: str(net[2]) for net in all_of(tree, "net")}
    tracks = [Track(names[one(line, "net")[1]], str(one(line, "layer")[1]), tuple(numbers(one(line, "start"))),
                    tuple(numbers(one(line, "end"))), float(one(line, "width")[1])) for line in all_of(tree, "segment")]
    return tracks, [Via(names[one(via, "net")[1]], tuple(numbers(one(via, "at")))) for via in all_of(tree, "via")]


def parts_list(wiring, board):
    """As houses take it: what, which, where it goes, how many."""
    known = {part["id"]: part for part in wiring["kit"]["part"]} | {part["id"]: part for part in wiring["part"]}
    lines = {}
    for part in board.parts:
        if part.order:
            lines.setdefault((part.order, part.footprint), []).append(part)
    rows = [["Comment", "Designator", "Footprint", "Quantity", "Manufacturer", "Manufacturer Part Number", "Description"]]
    for (name, footprint), parts in lines.items():
        entry = known[name]
        value = parts[0].value if len({part.value for part in parts}) == 1 else name
        rows.append([value, ",".join(part.ref for part in parts), footprint.split(":")[-1], len(parts), entry.get("maker", ""),
                     entry.get("number", ""), entry["name"]])
    return csv_text(rows)


def placement(wiring, board):
    """As houses take it: the place on KiCad's sheet, y upwards, as in the Gerbers. Reeds are put in by hand."""
    rows = [["Designator", "Val", "Package", "Mid X", "Mid Y", "Rotation", "Layer"]]
    for part in board.parts:
        if part.order and part.order != "reed":
            x, y = origin(wiring, part)
            rows.append([part.ref, part.value, part.footprint.split(":")[-1], f"{x:.4f}", f"{-y:.4f}", f"{part.turn:.0f}", part.side])
    return csv_text(rows)


def made(wiring, anew):
    """Path below hardware/ -> text, and all faults."""
    found, faults = {}, []
    for board in both(wiring):
        laid = layout.copper(wiring, board) if anew else laid_before(board)
        text = layout.board_file(wiring, board, laid)
        found[f"boards/{board.name}.kicad_pcb"] = text
        found[f"boards/{board.name}.kicad_pro"] = layout.project_file(wiring, board)
        found[f"boards/{board.name}.kicad_sch"] = sheets.schematic_file(board)
        found[f"boards/{board.name}-parts.csv"] = parts_list(wiring, board)
        found[f"boards/{board.name}-placement.csv"] = placement(wiring, board)
        found[f"drawings/{board.name}.svg"] = picture.board(wiring, board, text)
        faults += copper.faults(wiring, board, text)
        faults += sheets.faults(board, found[f"boards/{board.name}.kicad_sch"])
    texts = [found[f"boards/{board.name}.kicad_pcb"] for board in both(wiring)]
    found["boards/order.csv"] = order.order_csv(wiring)
    return found, faults + copper.reeds(wiring, texts[0]) + copper.whole(wiring, *texts)


def main():
    only_check = {"--check", "--anew"} & set(sys.argv[1:])
    found, faults = made(load(), "--check" not in sys.argv[1:])
    stale = [name for name, text in found.items()
             if not (FOLDER / name).exists() or (FOLDER / name).read_text(encoding="utf-8") != text]
    for fault in faults:
        print(fault, file=sys.stderr)
    if only_check and stale:
        print(f"not as wiring.toml says, run `make hardware`: {', '.join(stale)}", file=sys.stderr)
    if only_check or faults:
        return int(bool(faults or stale))
    BOARDS.mkdir(exist_ok=True)
    for name in stale:
        (FOLDER / name).write_text(found[name], encoding="utf-8")
        print(f"written: hardware/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
