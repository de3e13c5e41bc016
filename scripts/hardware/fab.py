"""Asks KiCad: its check of rules, its library's pads, and the files that a house etches, drills and places from.

    /usr/bin/python3 scripts/hardware/fab.py    into target/hardware/boards/, a .zip for each board

Works with KiCad 6 and later; where `kicad-cli` knows them, the rules of circuit and layout are checked by it. Code 1
if KiCad finds anything, or does not find what is wrong with the boards of broken.py. Without KiCad: one line."""

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import broken
import copper
from boards import both
from model import FOLDER, ROOT, load
from pads import footprints
from sexpr import all_of, numbers, one, read

try:
    import pcbnew
except ImportError:
    pcbnew = None

OUT = ROOT / "target" / "hardware" / "boards"
LIBRARY = Path("/usr/share/kicad/footprints")
# Dates, and the version of the program: what changes without anything having changed.
DATED = re.compile(
    r"^(?:(?:%|G04 #@! |; #@! )TF\.(?:CreationDate|GenerationSoftware)|G04 Created by KiCad|; ?DRILL file).*\n", re.MULTILINE)
LAYERS = ("F.Cu", "B.Cu", "F.Mask", "B.Mask", "F.Paste", "B.Paste", "F.SilkS", "B.SilkS", "Edge.Cuts")


def cli(*words):
    """Whether kicad-cli has this check."""
    if not shutil.which("kicad-cli"):
        return False
    told = subprocess.run(["kicad-cli", *words, "--help"], capture_output=True, text=True, check=False)
    return "--severity-all" in told.stdout + told.stderr


def rules(path):
    """What KiCad finds in a layout, after it has filled the ground: lines."""
    board = pcbnew.LoadBoard(str(path))
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(str(path), board)
    report = path.with_suffix(".drc")
    if cli("pcb", "drc"):
        subprocess.run(["kicad-cli", "pcb", "drc", "--severity-all", "--schematic-parity", "-o", str(report), str(path)],
                       capture_output=True, check=False)
    else:
        pcbnew.WriteDRCReport(board, str(report), pcbnew.EDA_UNITS_MILLIMETRES, True)
    return [line for line in report.read_text(encoding="utf-8").splitlines() if re.match(r"\[", line)]


def circuit_rules(path):
    """What KiCad finds in a circuit; None if this version has to be asked in its window."""
    if not cli("sch", "erc"):
        return None
    report = path.with_suffix(".erc")
    subprocess.run(["kicad-cli", "sch", "erc", "--severity-all", "-o", str(report), str(path)], capture_output=True, check=False)
    return [line.strip() for line in report.read_text(encoding="utf-8").splitlines() if re.match(r"\s*\[", line)]


def trial(folder, name, text):
    """A layout in a folder of its own, with the rules of its board."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind in ("kicad_pro", "kicad_sch"):
        shutil.copy(FOLDER / "boards" / f"{name}.{kind}", folder)
    path = folder / f"{name}.kicad_pcb"
    path.write_text(text, encoding="utf-8")
    return path


def against_library(wiring):
    """Pads of pads.py that KiCad's library has elsewhere."""
    wrong = []
    for name, own in footprints(wiring).items():
        if ":" not in name:
            continue
        library, part = name.split(":")
        path = LIBRARY / f"{library}.pretty" / f"{part}.kicad_mod"
        if not path.exists():
            wrong.append(f"{name}: not in KiCad's library; install kicad-footprints")
            continue
        theirs = {(str(pad[1]), *numbers(one(pad, "at"))[:2], *numbers(one(pad, "size")), *(numbers(one(pad, "drill") or [])[:1]))
                  for pad in all_of(read(path.read_text(encoding="utf-8")), "pad")}
        ours = {(pad.number, pad.x, pad.y, pad.width, pad.height, *([pad.drill] if pad.drill else [])) for pad in own.pads}
        near = [pad for pad in ours if not any(pad[0] == other[0] and len(pad) == len(other) and all(
            abs(a - b) < 0.006 for a, b in zip(pad[1:], other[1:])) for other in theirs)]
        if near or len(ours) != len(theirs):
            wrong.append(f"{name}: {sorted(near)[:2]} are not as in KiCad's library")
    return wrong


def against_kicad(path, text):
    """Pads that KiCad puts elsewhere than copper.py, or on another side or net."""
    etched, wrong = copper.Etched(text), []
    for part in pcbnew.LoadBoard(str(path)).GetFootprints():
        for pad in part.Pads():
            own = etched.pads.get((part.GetReference(), pad.GetNumber()))
            if own is None:
                continue
            at = pad.GetPosition()
            middle = [sum(axis) / len(own.corners) for axis in zip(*own.corners)]
            far = max(abs(at.x / 1e6 - middle[0]), abs(at.y / 1e6 - middle[1]))
            sides = [layer for layer, number in zip(copper.BOTH, (pcbnew.F_Cu, pcbnew.B_Cu)) if pad.IsOnLayer(number)]
            if far > 0.002 or tuple(sides) != own.layers or pad.GetNetname() != (own.net or ""):
                wrong.append(f"{own.what}: KiCad has it {far:.3f} mm away, on {sides}, net {pad.GetNetname()}")
    return wrong


def plotted(path, folder):
    """Gerbers, drill files; dates taken out."""
    board = pcbnew.LoadBoard(str(path))
    plot = pcbnew.PLOT_CONTROLLER(board)
    options = plot.GetPlotOptions()
    options.SetOutputDirectory(str(folder))
    options.SetPlotFrameRef(False)
    options.SetUseGerberProtelExtensions(False)
    options.SetCreateGerberJobFile(False)
    options.SetSubtractMaskFromSilk(True)
    for name in LAYERS:
        plot.SetLayer(board.GetLayerID(name))
        plot.OpenPlotfile(name.replace(".", "_"), pcbnew.PLOT_FORMAT_GERBER, name)
        if not plot.PlotLayer():
            raise SystemExit(f"KiCad could not plot {name}")
    plot.ClosePlot()
    drill = pcbnew.EXCELLON_WRITER(board)
    drill.SetFormat(True)
    # Plated and unplated holes in files of their own, as houses like them.
    middle = pcbnew.wxPoint if pcbnew.GetBuildVersion().startswith("6.") else pcbnew.VECTOR2I
    drill.SetOptions(False, False, middle(0, 0), False)
    drill.CreateDrillandMapFilesSet(str(folder), True, False)
    files = sorted(file for file in folder.iterdir() if file.suffix in (".gbr", ".drl"))
    for file in files:
        file.write_text(DATED.sub("", file.read_text(encoding="utf-8")), encoding="utf-8")
    return files


def packed(path, files):
    """A .zip that is the same each time."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for file in files:
            out.writestr(zipfile.ZipInfo(file.name, (2025, 1, 1, 0, 0, 0)), file.read_bytes())


def main():
    if pcbnew is None:
        print("skipped: kicad: its Python module is not installed (scripts/setup.sh hardware): no Gerbers, KiCad's rules not asked")
        return 0
    wiring = load()
    version = pcbnew.GetBuildVersion()
    wrong = against_library(wiring)
    for board in both(wiring):
        text = broken.text_of(f"{board.name}.kicad_pcb")
        folder = OUT / board.name
        shutil.rmtree(folder, ignore_errors=True)
        path = trial(folder, board.name, text)
        wrong += [f"{board.name}: {line}" for line in against_kicad(path, text)]
        found = rules(path)
        wrong += [f"{board.name}: {line}" for line in found]
        circuit = circuit_rules(path.with_suffix(".kicad_sch"))
        wrong += [f"{board.name}: {line}" for line in circuit or []]
        gerbers = folder / "gerbers"
        gerbers.mkdir()
        files = plotted(path, gerbers)
        packed(OUT / f"{board.name}-gerbers.zip", files)
        said = f"finds {len(circuit or [])} faults in the circuit"
        if circuit is None:
            said = "has no check of circuits without a window; sheets.py made its own"
        print(f"{board.name}: KiCad {version} finds {len(found)} faults in the layout, {said}; {len(files)} files for the house")
    strip = broken.text_of("strip.kicad_pcb")
    for what, change, _ in broken.LAYOUTS:
        if change in (broken.thin_supply, broken.under_a_wire):
            # KiCad knows neither what a track must carry nor of a wire that lies on the board.
            continue
        found = rules(trial(OUT / "broken", "strip", change(strip)))
        print(f"{'found' if found else 'MISSED'}  by KiCad: {what}")
        wrong += [] if found else [f"KiCad does not find: {what}"]
    for what, change, _ in broken.CIRCUITS if cli("sch", "erc") else ():
        path = trial(OUT / "broken", "strip", strip).with_suffix(".kicad_sch")
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
        found = circuit_rules(path)
        print(f"{'found' if found else 'MISSED'}  by KiCad: {what}")
        wrong += [] if found else [f"KiCad does not find: {what}"]
    shutil.rmtree(OUT / "broken")
    for line in wrong:
        print(line, file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
