"""Makes the parts to print and to mill from hardware/parts/*.scad, and measures them against the Laws, the boards and
each other.

    python3 scripts/hardware/solids.py    into target/hardware/parts/; code 1 if a measure is bad, or a bad one is not found

Needs OpenSCAD; without it: one line."""

import math
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from boards import ORIGIN
from check import Checks, Field, millitesla
from copper import Etched
from measures import models
from mesh import Solid, drawn
from model import FOLDER, ROOT, load

OUT = ROOT / "target" / "hardware" / "parts"
PARTS = FOLDER / "parts"


FLAT = ("top", "floor", "tiles")


def made(folder, name, source, ending, values):
    """The text of what OpenSCAD makes."""
    path = folder / f"{name}.{ending}"
    words = [word for key, value in values.items() for word in ("-D", f"{key}={value}")]
    told = subprocess.run(["openscad", "-o", str(path), *words, str(PARTS / f"{source}.scad")], capture_output=True, text=True, check=False)
    if told.returncode or "WARNING" in told.stderr:
        raise SystemExit(f"{name}: {told.stderr.strip()}")
    text = path.read_text(encoding="utf-8")
    if ending == "stl":
        text = ordered(text, name)
        path.write_text(text, encoding="utf-8")
    return text


def ordered(text, name):
    """The triangles in an order of their own: OpenSCAD's is another each time."""
    found = re.findall(r"facet normal (.*)\n\s*outer loop\n\s*vertex (.*)\n\s*vertex (.*)\n\s*vertex (.*)\n", text)
    turned = []
    for normal, *corners in found:
        first = corners.index(min(corners))
        turned.append((*corners[first:], *corners[:first], normal))
    lines = [f"solid {name}"]
    for a, b, c, normal in sorted(turned):
        lines += [f"  facet normal {normal}", "    outer loop", *(f"      vertex {corner}" for corner in (a, b, c)), "    endloop",
                  "  endfacet"]
    return "\n".join([*lines, f"endsolid {name}", ""])


def all_made(wiring, folder, values=(), only=None):
    """Everything, with some measures changed: (name -> STL, name -> DXF), as text."""
    folder.mkdir(parents=True, exist_ok=True)
    values = dict(values)
    jobs = {name: (source, "stl", own | values) for name, (source, own, *_) in models(wiring).items() if not only or name in only}
    jobs |= {name: (name, "dxf", values) for name in FLAT if not only or name in only}
    with ThreadPoolExecutor(2) as pool:
        texts = dict(zip(jobs, pool.map(lambda name: made(folder, name, *jobs[name]), jobs)))
    return ({name: text for name, text in texts.items() if jobs[name][1] == "stl"},
            {name: text for name, text in texts.items() if jobs[name][1] == "dxf"})


def holes(part, z, most=99.0):
    """Round rings of a cut, by their width."""
    return [ring for ring in part.cut(z) if ring.is_round() and ring.width < most]


def wide(part, z, at=(0.0, 0.0)):
    """Widths of the round rings about a place, the widest first; 0 where there is none."""
    found = sorted((ring.width for ring in holes(part, z) if math.dist(ring.at, at) < 0.05), reverse=True)
    return found + [0.0] * (2 - len(found))


def between(check, what, value, low, high):
    check.above(what, value, "mm", low)
    check.below(what, value, "mm", high)


def measured(wiring, stl, dxf):
    """All checks, as lines."""
    check = Checks()
    size, prints, strip, magnet = wiring["board"], wiring["print"], wiring["strip"], wiring["magnet"]
    solid = {name: Solid(text) for name, text in stl.items()}
    flat = {name: drawn(text) for name, text in dxf.items()}
    check.head("Every part")
    for name, part in solid.items():
        check.below(f"{name}: open edges", part.open_edges(), "edges", 1)
        check.above(f"{name}: inside", part.volume() / 1000, "cm3", 0)
        check.below(f"{name}: longest side", max(part.size()), "mm", prints["room"])

    check.head("Pegs, holes, bases (D.1.1 to D.1.4)")
    outside = max(flat["top"], key=lambda ring: ring.width)
    holes_of_top = [ring for ring in flat["top"] if ring is not outside and ring.width > 5]
    firsts = sorted(ring.at for ring in holes_of_top)
    check.above("holes in the top", len(holes_of_top), "holes", 63.5)
    check.below("holes in the top", len(holes_of_top), "holes", 64.5)
    squares = {(round(x), round(y)) for x, y in firsts}
    pitch = (max(x for x, _ in firsts) - min(x for x, _ in firsts)) / 7
    check.above("playing surface (D.1.1)", 8 * pitch, "mm", 200)
    grid = {(round(size["border"] + size["square"] * (f + 0.5)), round(size["border"] + size["square"] * (r + 0.5)))
            for f in range(8) for r in range(8)}
    check.below("holes of the top beside their squares", len(grid ^ squares), "holes", 1)
    hole = min(ring.width for ring in holes_of_top)
    peg = solid["peg"]
    thick, pocket = wide(peg, magnet["length"] / 2)
    between(check, "play of a peg in the top (D.1.3)", hole - wide(peg, 8)[0], 0.3, 0.8)
    tile = solid["tile"]
    between(check, "play of a peg in a tile", wide(tile, 1)[0] - wide(peg, 8)[0], 0.3, 0.8)
    between(check, "black squares raised (D.1.2)", tile.size()[2], 1, 3)
    between(check, "tile beside its neighbour", size["square"] - tile.size()[0], 0.05, 0.6)
    between(check, "play of the magnet in its pocket", pocket - magnet["diameter"], 0.1, 0.4)
    between(check, "depth of the pocket, magnet left out", depth(peg) - magnet["length"], 0.0, 0.25)
    check.above("wall round the magnet", (thick - pocket) / 2, "mm", prints["wall"])
    tenon = wide(peg, peg.high[2] - 0.5)[0]
    shoulder = peg_length(peg, tenon)
    between(check, "peg under its base (D.1.4.1)", shoulder, size["peg_length"] - 0.05, size["peg_length"] + 0.05)
    check.below("tenon in the base", peg.high[2] - shoulder, "mm", prints["base"])
    for name, base in solid.items():
        if name.startswith("base-"):
            foot = float(name.split("-")[1])
            between(check, f"{name}: play of the tenon", min(filter(None, wide(base, 1))) - tenon, 0.1, 0.4)
            check.above(f"{name}: room for the foot", foot_room(base, prints["base"] + 0.5) - foot, "mm", 0.1)
            check.below(f"{name}: in its square", base.size()[0], "mm", size["square"] - 1)
    marks = [len(max(solid[f"base-{foot:g}-{colour}"].cut(0.9), key=lambda ring: ring.width).points)
             for foot in prints["feet"] for colour in ("black", "white")]
    check.above("corners more at a black base: its dents (D.1.4.2)", min(a - b for a, b in zip(marks[::2], marks[1::2])), "corners", 6)

    check.head("Strip, cradle, floor, top")
    etched = Etched((FOLDER / "boards" / "strip.kicad_pcb").read_text(encoding="utf-8"))

    def seen(point):
        return point[0] - ORIGIN[0], ORIGIN[1] - point[1]
    board_holes = sorted(seen(at) for at, radius, _ in etched.holes if radius > 1)
    sleeves = [ring for side in ("left", "right") for ring in holes(solid[f"cradle-{side}"], strip["below_floor"] / 2)]
    posts = sorted(ring.at for ring in sleeves)
    check.below("pins beside the holes of the strip", apart(posts, board_holes), "mm", 0.05)
    floor = sorted(ring.at for ring in flat["floor"] if ring.width < 3.9)
    wanted = sorted((size["border"] + x, size["border"] + size["square"] * rank + y) for rank in range(8) for x, y in posts)
    check.below("pins beside the holes of the floor", apart(wanted, floor), "mm", 0.05)
    post = wide(solid["pin"], 2)[0]
    between(check, "play of a pin in its cradle, glued", min(ring.width for ring in sleeves) - post, 0.05, 0.2)
    between(check, "pin below the strip", solid["pin"].size()[2] - size["floor"] - strip["below_floor"] - prints["strip_thickness"], 3, 4)
    between(check, "play of a pin in the strip", 2 * max(radius for _, radius, _ in etched.holes) - post, 0.1, 0.4)
    between(check, "play of a pin in the floor", min(ring.width for ring in flat["floor"]) - post, 0.1, 0.4)
    between(check, "cap on its pin, pushed", post - wide(solid["cap"], 1)[-1], 0.0, 0.25)
    for side in ("left", "right"):
        part = solid[f"cradle-{side}"]
        plate = part.cut(strip["below_floor"] - 0.1)
        near = min((math.dist(seen(corner), point) - etched.pads[name].radius for name, pad in etched.pads.items()
                    if name[0][0] in "SJ" for corner in pad.corners[:1] for ring in plate for point in dense(ring.points)), default=99)
        check.above(f"cradle-{side} beside the solder of reeds and ribbons", near, "mm", 0.4)
        inside = [name for name, pad in etched.pads.items()
                  if name[0][0] in "SJ" and any(ring.holds(seen(pad.corners[0])) for ring in plate)]
        check.below(f"cradle-{side}: solder under it", len(inside), "joints", 1)
        thickness = [z for z in (0.05, strip["below_floor"] - 0.05) if sum(ring.width for ring in part.cut(z)) > 60]
        between(check, f"cradle-{side}: strip below the floor", strip["below_floor"] if len(thickness) == 2 else 0.0,
                strip["below_floor"] - 0.05, strip["below_floor"] + 0.05)
    off = worst_reed(wiring, etched, seen, board_holes, floor, squares_of_top(firsts))
    play = (2 * max(radius for _, radius, _ in etched.holes) - post + min(ring.width for ring in flat["floor"]) - post
            + strip["slot"][1] - wiring["reed"]["glass_diameter"]) / 2
    check.below("reed from its place under its magnet, all plays added", off + play, "mm", 1.0)
    field, pull = Field(wiring), wiring["reed"]["pull_in_at"][1]
    check.above("field along a reed a millimetre from its place", field.own(), "mT", 1.5 * millitesla(wiring, pull))
    below_peg = [math.dist(hole_at, pin) for hole_at in firsts for pin in floor]
    check.above("holes of the floor beside those of the top", min(below_peg) - (hole + prints["floor_hole"]) / 2, "mm", 2)

    check.head("Buttons, Pi, stud, jig")
    for name, count in (("panel-left", 2), ("panel-right", 3)):
        panel = solid[name]
        found = [ring for ring in holes(panel, prints["panel_depth"] - 1) if ring.width > 20]
        check.above(f"{name}: holes for buttons", len(found), "holes", count - 0.5)
        for ring in found[:1]:
            between(check, f"{name}: a button of 30 in its hole", ring.width - 30, 0.05, 0.6)
        middles = sorted(ring.at[1] for ring in found)
        check.above(f"{name}: between the rims of buttons of 34", min(b - a for a, b in zip(middles, middles[1:])) - 34, "mm", 3)
    tray = solid["tray"]
    stands = [ring.at for ring in holes(tray, 7.5) if ring.width > 5]
    own = Etched((FOLDER / "boards" / "pi-board.kicad_pcb").read_text(encoding="utf-8"))
    ours = sorted(seen(at) for at, radius, _ in own.holes if radius > 1)
    for what, places in (("the Pi", [(0, 0), (0, prints["pi_holes"][0]), (prints["pi_holes"][1], 0), tuple(reversed(prints["pi_holes"]))]),
                         ("its board", ours)):
        check.below(f"posts beside the holes of {what}", pattern(stands, places), "mm", 0.05)
    between(check, "stud above the top", solid["stud"].high[2], 2, 5)
    stud_hole = min(ring.width for ring in flat["top"])
    between(check, "play of the stud in the top", stud_hole - wide(solid["stud"], -3)[0], 0.02, 0.3)
    jig = solid["jig"]
    sleeve = min(holes(jig, 9, 10), key=lambda ring: ring.width)
    pin = holes(jig, -5)[0]
    check.below("jig: pin and drill beside the middles of two squares", abs(math.dist(pin.at, sleeve.at) - size["square"]), "mm", 0.03)
    between(check, "jig: play of its pin", hole - pin.width, 0.02, 0.2)
    return check


def depth(peg):
    """How deep the pocket of a peg is."""
    low, high = 0.6, 9.0
    while high - low > 0.01:
        middle = (low + high) / 2
        low, high = (middle, high) if wide(peg, middle)[1] else (low, middle)
    return low


def peg_length(peg, tenon):
    """Where the peg becomes its tenon."""
    low, high = 1.0, peg.high[2] - 0.2
    while high - low > 0.01:
        middle = (low + high) / 2
        low, high = (middle, high) if wide(peg, middle)[0] > tenon + 0.1 else (low, middle)
    return low


def foot_room(base, z):
    """Width of the place inside the rim, dented or not: twice what is free round the middle."""
    return 2 * min(math.hypot(*point) for ring in base.cut(z) for point in dense(ring.points))


def dense(points):
    """Points along a ring, half a millimetre apart."""
    found = []
    for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1]):
        steps = max(1, int(math.hypot(x2 - x1, y2 - y1) / 0.5))
        found += [(x1 + (x2 - x1) * n / steps, y1 + (y2 - y1) * n / steps) for n in range(steps)]
    return found


def apart(one, other):
    """The most that places that belong together lie apart."""
    if len(one) != len(other):
        return 99.0
    return max(min(math.dist(a, b) for b in other) for a in one)


def pattern(there, wanted):
    """How far a pattern of places is from being among others, wherever it lies."""
    best = 99.0
    for x, y in there:
        moved = [(x + a - wanted[0][0], y + b - wanted[0][1]) for a, b in wanted]
        best = min(best, max(min(math.dist(a, b) for b in there) for a in moved))
    return best


def squares_of_top(firsts):
    """(file, rank) -> hole."""
    xs, ys = sorted({round(x, 2) for x, _ in firsts}), sorted({round(y, 2) for _, y in firsts})
    return {(xs.index(round(x, 2)), ys.index(round(y, 2))): (x, y) for x, y in firsts}


def worst_reed(wiring, etched, seen, board_holes, floor, tops):
    """How far a reed lies from its place beside its hole, by way of strip, cradle and floor."""
    reed, worst = wiring["reed"], 0.0
    angle = math.radians(reed["diagonal_degrees"])
    rows = sorted(floor, key=lambda at: at[1])
    for rank in range(8):
        own = sorted(rows[4 * rank:4 * rank + 4])
        # The strip lies where its holes are on the pins, and those in the floor.
        shift = [sum(a[axis] - b[axis] for a, b in zip(own, board_holes)) / len(own) for axis in (0, 1)]
        for file in range(8):
            ends = [seen(etched.pads[f"S{file + 1}", pad].corners[0]) for pad in "12"]
            middle = [(a + b) / 2 + move for a, b, move in zip(*ends, shift)]
            x, y = tops.get((file, rank), (0, 0))
            wanted = (x + reed["offset"] * math.cos(angle), y + reed["offset"] * math.sin(angle))
            worst = max(worst, math.dist(middle, wanted))
    return worst


# What is changed, and words of the line that must then be bad.
WRONG = [
    ("a hole too tight", {"board_hole": 6.1}, "play of a peg in the top"),
    ("a peg too thick", {"board_peg": 6.4}, "play of a peg in the top"),
    ("a pocket too narrow", {"print_glue": -0.1}, "play of the magnet in its pocket"),
    ("a magnet that splits its peg", {"magnet_diameter": 5}, "wall round the magnet"),
    ("squares too small for the Laws", {"board_square": 24}, "playing surface"),
    ("black squares that are not felt", {"board_raised": 0.6}, "black squares raised"),
    ("pins for another strip", {"strip_posts": "[[60,22.5],[94.95,20],[154.95,20],[214.95,20]]"}, "pins beside the holes of the strip"),
    ("a panel too long for the printer", {"print_button_pitch": 70}, "panel-right: longest side"),
    ("another Pi", {"print_pi_holes": "[60, 49]"}, "posts beside the holes of the Pi"),
]


def trials(wiring, good):
    """[(what, whether it is found)]: only parts that the changed measure touches are made anew."""
    found = []
    for what, values, words in WRONG:
        stl, dxf = good
        only = [name for name, (source, *_) in models(wiring).items() if uses(source, values)]
        only += [name for name in FLAT if uses(name, values)]
        more = all_made(wiring, OUT / "wrong", values, only)
        bad = measured(wiring, stl | more[0], dxf | more[1]).failed
        found.append((what, any(words in line for line in bad)))
    open_mesh = re.sub(r"  facet.*?endfacet\n", "", good[0]["cap"], count=1, flags=re.DOTALL)
    bad = measured(wiring, good[0] | {"cap": open_mesh}, good[1]).failed
    found.append(("a part with a hole in its skin", any("cap: open edges" in line for line in bad)))
    shutil.rmtree(OUT / "wrong")
    return found


def uses(source, values):
    text = (PARTS / f"{source}.scad").read_text(encoding="utf-8")
    return any(re.search(rf"\b{name}\b", text) for name in values)


def main():
    if not shutil.which("openscad"):
        print("skipped: openscad: it is not installed (scripts/setup.sh hardware): no parts to print or mill")
        return 0
    wiring = load()
    shutil.rmtree(OUT, ignore_errors=True)
    good = all_made(wiring, OUT)
    check = measured(wiring, *good)
    print("\n".join(check.lines))
    found = trials(wiring, good)
    for what, seen in found:
        print(f"{'found' if seen else 'MISSED'}  {what}")
    return int(bool(check.failed) or not all(seen for _, seen in found))


if __name__ == "__main__":
    sys.exit(main())
