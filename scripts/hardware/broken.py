"""Boards that are wrong on purpose: every check must find its own.

    python3 scripts/hardware/broken.py    a line for each; code 1 if one is not found

`fab.py` shows the same files to KiCad."""

import math
import re
import sys
from dataclasses import replace

import copper
import layout
import sheets
from boards import both
from kit import laid_before
from model import FOLDER, load


def text_of(name):
    return (FOLDER / "boards" / name).read_text(encoding="utf-8")


def code_of(net, text):
    """The net's number in the file."""
    return re.search(rf'\(net (\d+) "{re.escape(net)}"\)', text)[1]


def with_one_more(text, kind, shape, net, n):
    """The file with a track or via of this net at its end, the nth that is added here."""
    stamp = f"00000000-0000-4000-8000-{n:012}"
    return f"{text.rstrip()[:-1]}  ({kind} {shape} (net {code_of(net, text)}) (tstamp {stamp}))\n)\n"


def with_track(text, begin, end, layer, net, n):
    (x1, y1), (x2, y2) = begin, end
    shape = f'(start {x1:.4f} {y1:.4f}) (end {x2:.4f} {y2:.4f}) (width 0.25) (layer "{layer}")'
    return with_one_more(text, "segment", shape, net, n)


def once(pattern, by, text, number=0):
    """The text with one place of the pattern changed."""
    places = list(re.finditer(pattern, text))
    match = places[number]
    return text[:match.start()] + match.expand(by) + text[match.end():]


def swapped_pads(text):
    """Two squares on each other's inputs, as if the circuit had been drawn so."""
    a, b = re.search(r'\(net \d+ "SQ_A"\)', text)[0], re.search(r'\(net \d+ "SQ_B"\)', text)[0]
    begin = text.index('(fp_text reference "U1"')
    end = text.index("\n  )", begin)
    chip = text[begin:end].replace(a, "swap").replace(b, a).replace("swap", b)
    return text[:begin] + chip + text[end:]


def cut_track(text):
    """The longest track of a square is missing."""
    code = code_of("SQ_D", text)
    lines = [line for line in text.splitlines() if line.startswith("  (segment") and f"(net {code})" in line]

    def length(line):
        x1, y1, x2, y2 = (float(word) for word in re.findall(r"(?:start|end) ([-\d.]+) ([-\d.]+)", line) for word in word)
        return math.hypot(x2 - x1, y2 - y1)
    return text.replace(max(lines, key=length) + "\n", "")


def near_track(text):
    """A track of one square runs too close to a pad of the chip: a stub of another net is laid beside it."""
    pad = copper.Etched(text).pads["S1", "1"].corners[0]
    x, y = pad[0] - 1.2 - 0.125 - 0.1, pad[1]
    return with_track(text, (x, y - 0.5), (x, y + 0.5), "F.Cu", "SQ_H", 1)


def bridge(text):
    """A drop of solder between two pins of the chip."""
    pads = copper.Etched(text).pads
    begin, end = (tuple(sum(axis) / 4 for axis in zip(*pads["U1", pin].corners)) for pin in ("11", "12"))
    return with_track(text, begin, end, "B.Cu", "SQ_A", 2)


def thin_supply(text):
    code = code_of("+3V3", text)
    return once(rf"\(width 0\.5\)( \(layer \"[FB]\.Cu\"\) \(net {code}\))", r"(width 0.15)\1", text)


def moved_reed(text):
    """A reed half a square away; its slot stays."""
    at = re.search(r'\(footprint "Annabella:Reed".*\n    \(at ([-\d.]+) ', text)
    return text[:at.start(1)] + f"{float(at[1]) - 2:.4f}" + text[at.end(1):]


def under_a_wire(text):
    """A track of another square under the bare wire of a reed, on the upper side."""
    pads = copper.Etched(text).pads
    (x1, y1), (x2, y2) = (pads["S2", pad].corners[0] for pad in "12")
    x, y = x1 + (x2 - x1) * 0.095, y1 + (y2 - y1) * 0.095
    return with_track(text, (x - 0.3, y - 0.3), (x + 0.3, y + 0.3), "F.Cu", "SQ_H", 4)


def at_the_edge(text):
    """A via on the line where the board is cut out."""
    x, y = copper.Etched(text).edges[-1][0]
    shape = f'(at {x:.4f} {y:.4f}) (size 0.6) (drill 0.3) (layers "F.Cu" "B.Cu")'
    return with_one_more(text, "via", shape, "GND", 3)


# Name, what is done to the file of the strip, words of the fault that must be found.
LAYOUTS = [
    ("two nets swapped on the chip", swapped_pads, "of SQ_"),
    ("a track cut", cut_track, "not joined as wanted"),
    ("a track too near", near_track, "mm apart"),
    ("two pins bridged", bridge, "should not be"),
    ("a thin supply", thin_supply, "0.150 mm wide"),
    ("a reed moved", moved_reed, "not joined as wanted"),
    ("a track under a reed's wire", under_a_wire, "S2's wire of SQ_B"),
    ("copper at the edge", at_the_edge, "from an edge"),
]


# The same for its circuit: KiCad finds these too.
CIRCUITS = [
    ("a supply that nothing feeds", lambda text: text.replace("power_out", "passive"), "nothing feeds it"),
    ("a mark of a free pin gone", lambda text: once(r"  \(no_connect [^\n]*\n", "", text), "no net"),
]


def trials(wiring):
    """[(what, whether it is found)]."""
    strip, _ = both(wiring)
    good, pi = text_of("strip.kicad_pcb"), text_of("pi-board.kicad_pcb")
    found = []
    for what, change, words in LAYOUTS:
        faults = copper.faults(wiring, strip, change(good))
        found.append((what, any(words in fault for fault in faults)))
    found.append(("a reed moved, by its place", any("reed of a" in line for line in copper.reeds(wiring, moved_reed(good)))))
    found.append(("a strip turned round", len(copper.reeds(wiring, good, turned=True)) == 8))
    # A turned strip does not go onto the posts either.
    size = wiring["strip"]
    back = [(size["left"] + size["right"] - u, wiring["board"]["square"] - v) for u, v in size["posts"]]
    found.append(("a strip turned round, by its posts", not any(math.dist(a, b) < 3.2 for a in back for b in size["posts"])))
    ranks = [((n, "J2"), (n + 1, "J1")) for n in range(8)]
    for what, cables in (
            ("a ribbon missing", ranks[:4] + ranks[5:]),
            ("a ribbon into the wrong box header", [*ranks[:3], ((3, "J2"), (4, "J2")), *ranks[4:]]),
            ("two strips exchanged", [*ranks[:2], ((2, "J2"), (4, "J1")), ((4, "J2"), (3, "J1")), ((3, "J2"), (5, "J1")), *ranks[5:]])):
        found.append((what, bool(copper.whole(wiring, good, pi, cables))))
    found.append(("button lines swapped at the Pi", bool(copper.whole(wiring, good, swapped_buttons(wiring)))))
    drawn = text_of("strip.kicad_sch")
    for what, change, words in (
            ("two labels swapped in the circuit", lambda text: once(r'_label "SQ_A"', '_label "SQ_B"', text), "wanted SQ_A"),
            *CIRCUITS):
        found.append((what, any(words in line for line in sheets.faults(strip, change(drawn)))))
    return found


def swapped_buttons(wiring):
    """The Pi's board with two buttons on each other's pins, laid out in full."""
    _, pi = both(wiring)
    names = {"BTN_TALK": "BTN_REPEAT", "BTN_REPEAT": "BTN_TALK", "KEY_TALK": "KEY_REPEAT", "KEY_REPEAT": "KEY_TALK"}
    parts = [replace(part, nets={pad: names.get(net, net) for pad, net in part.nets.items()}) if part.ref == "J1" else part
             for part in pi.parts]
    # The two tracks end at the header's pins of the other: the ways are exchanged there.
    text = layout.board_file(wiring, replace(pi, parts=parts), laid_before(pi))
    pins = {part.ref: part for part in pi.parts}["J1"].nets
    talk, again = (next(pin for pin, net in pins.items() if net == name) for name in ("BTN_TALK", "BTN_REPEAT"))
    begin = text.index('(fp_text reference "J1"')
    end = text.index("\n  )", begin)
    part = text[begin:end].replace(f'(pad "{talk}" ', '(pad "x" ').replace(f'(pad "{again}" ', f'(pad "{talk}" ')
    return text[:begin] + part.replace('(pad "x" ', f'(pad "{again}" ') + text[end:]


def main():
    found = trials(load())
    for what, good in found:
        print(f"{'found' if good else 'MISSED'}  {what}")
    return int(not all(good for _, good in found))


if __name__ == "__main__":
    sys.exit(main())
