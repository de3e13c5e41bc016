"""The two printed boards: their parts, the net on every pad, where everything lies, and the outline.

The circuit is that of model.py, divided: what a pin of the whole circuit has become is in `Part.stands`."""

import math
from dataclasses import dataclass, field

from model import circuit, header_pins, signals, squares_of
from pads import footprints

FILES = "abcdefgh"
# Pins of the 74HC165. Source: its data sheet; the package for hand and for machine are numbered alike.
INPUTS = {"A": 11, "B": 12, "C": 13, "D": 14, "E": 3, "F": 4, "G": 5, "H": 6}
# Every signal of the ribbon lies between two grounds. In both connectors the same pins.
RIBBON = {1: "+3V3", 2: "GND", 3: "SCLK", 4: "GND", 5: "LATCH", 6: "GND", 7: None, 8: "GND", 9: "+3V3", 10: "GND"}
# Where u = 0, v = 0 lies on KiCad's sheet.
ORIGIN = (40.0, 80.0)


@dataclass
class Part:
    """`nets`: pad -> net; a pad that is not named is not connected. `stands`: pad -> (reference, pin) of the whole
    circuit, with `{n}` for the rank, `S+3` for the third reed of the rank. `wire`: a series part that the whole
    circuit has as a wire; `pulls`: one that holds a line where nothing else does."""

    ref: str
    value: str
    order: str
    footprint: str
    at: tuple
    turn: float
    nets: dict
    side: str = "top"
    stands: dict = field(default_factory=dict)
    wire: bool = False
    pulls: bool = False


@dataclass
class Board:
    name: str
    title: str
    parts: list
    outline: list
    slots: list
    holes: list
    words: list
    box: tuple


def arc(x, y, radius, begin, end, steps):
    """Corners of a polygon on a circle, degrees counted from the right towards v."""
    angles = [math.radians(begin + (end - begin) * n / steps) for n in range(steps + 1)]
    return [(round(x + radius * math.cos(a), 4), round(y + radius * math.sin(a), 4)) for a in angles]


def slot(x, y, length, width, degrees):
    """A slot with round ends."""
    half, radius = (length - width) / 2, width / 2
    a = math.radians(degrees)
    dx, dy = half * math.cos(a), half * math.sin(a)
    return (arc(x + dx, y + dy, radius, degrees - 90, degrees + 90, 8)
            + arc(x - dx, y - dy, radius, degrees + 90, degrees + 270, 8))


def bare(one_end, other, wiring):
    """The two pieces of a reed's wire that lie on the strip, from its holes to its slot: lines between points."""
    share = (wiring["strip"]["reed_pitch"] - wiring["strip"]["slot"][0]) / 2 / math.dist(one_end, other)
    return [(a, tuple(p + share * (q - p) for p, q in zip(a, b))) for a, b in ((one_end, other), (other, one_end))]


def files_of(wiring):
    """The file of each input A to H; every rank alike, chip n for rank n."""
    order = None
    for n, chip in enumerate(squares_of(wiring, "shift-register")):
        files = [square[0] for square in chip]
        if {square[1] for square in chip} != {str(n + 1)} or files != (order or files) or len(files) != 8:
            raise ValueError("strips alike need rank n on chip n, and the files of each rank in the same order")
        order = files
    return order


def reed_middle(wiring, file):
    """(u, v) of the middle of the reed of a file."""
    square, reed = wiring["board"]["square"], wiring["reed"]
    angle = math.radians(reed["diagonal_degrees"])
    return (square * (file + 0.5) + reed["offset"] * math.cos(angle), square / 2 + reed["offset"] * math.sin(angle))


def strip(wiring):
    """One rank: eight reeds, their shift register, pull-ups, capacitor, the ribbon in and out."""
    size, reed, square = wiring["strip"], wiring["reed"], wiring["board"]["square"]
    files = files_of(wiring)
    net_of = {pin: f"SQ_{files[n].upper()}" for n, pin in enumerate(INPUTS.values())}
    parts = []
    for ref, v, own in (("J1", 7.1, "QH"), ("J2", 22.9, "SER")):
        nets = {pin: net or own for pin, net in RIBBON.items()}
        parts.append(Part(ref, "to the Pi" if own == "QH" else "to the next rank", "box-header-10",
                          "Connector_IDC:IDC-Header_2x05_P2.54mm_Vertical", (-0.3, v), 90, nets, "bottom"))
    chip = {1: "LATCH", 2: "SCLK", 8: "GND", 9: "QH", 10: "SER", 15: "GND", 16: "+3V3", **net_of}
    column = square + 4.95
    parts.append(Part("U1", "74HC165", "74HC165D", "Package_SO:SOIC-16_3.9x9.9mm_P1.27mm", (column, 20.5), 0, chip,
                      "bottom", {pin: ("U{n}", pin) for pin in chip}))
    parts.append(Part("C1", "100n", "c-100n", "Capacitor_SMD:C_0805_2012Metric", (column + 0.3, 27.4), 0,
                      {1: "GND", 2: "+3V3"}, "bottom", {1: ("C{n}", 2), 2: ("C{n}", 1)}))
    # The input of the last chip lies at ground, which is the level of a closed reed.
    parts.append(Part("R1", "10k", "r-10k", "Resistor_SMD:R_0805_2012Metric", (column - 0.3, 13.4), 0,
                      {1: "GND", 2: "SER"}, "bottom", pulls=True))
    for ref, four, u in (("RN1", files[:4], 2 * square + 4.95), ("RN2", files[4:], 3 * square + 4.95)):
        nets, stands = {}, {}
        for n, file in enumerate(four):
            nets[n + 1], nets[8 - n] = f"SQ_{file.upper()}", "+3V3"
            stands[n + 1] = ("RN{n}", 2 + files.index(file))
            stands[8 - n] = ("RN{n}", 1)
        parts.append(Part(ref, "4x10k", "rn-4x10k", "Resistor_SMD:R_Array_Convex_4x0603", (u, 14.5), 90, nets,
                          "bottom", stands))
    slots = []
    for file in range(8):
        u, v = reed_middle(wiring, file)
        degrees = reed["diagonal_degrees"]
        net = f"SQ_{FILES[file].upper()}"
        parts.append(Part(f"S{file + 1}", f"reed {FILES[file]}", "reed", "Reed", (u, v), degrees, {1: net, 2: "GND"},
                          "top", {1: (f"S+{file + 1}", 1), 2: (f"S+{file + 1}", 2)}))
        slots.append(slot(u, v, *size["slot"], degrees))
    half = math.cos(math.radians(reed["diagonal_degrees"])) * size["reed_pitch"] / 2
    tests = [(f"TP{n + 1}", f"SQ_{FILES[n].upper()}", reed_middle(wiring, n)[0] - half) for n in range(8)]
    tests += [("TP9", "GND", 24.0), ("TP10", "+3V3", 31.0)]
    notches = []
    for ref, net, u in tests:
        parts.append(Part(ref, net, "", "TestPoint:TestPoint_THTPad_D3.0mm_Drill1.5mm", (u, size["test_v"]), 0, {1: net}))
        # Ground has two notches, the supply none.
        notches += {"GND": [u - 1.5, u + 1.5], "+3V3": []}.get(net, [u])
    parts += posts(size["posts"])
    outline = [(size["left"], size["lower"])]
    for u in sorted(notches):
        outline += arc(u, size["lower"], size["notch"], 180, 0, 8)
    cut = size["corner"]
    outline += [(size["right"], size["lower"]), (size["right"], size["upper"]), (size["left"] + cut, size["upper"]),
                (size["left"], size["upper"] - cut)]
    words = [(f"{FILES[n]}", reed_middle(wiring, n)[0] - half + 3.4, size["test_v"], 2.2) for n in range(8)]
    words += [("rank strip", 190.0, 26.3, 1.5), ("GND", 24.0, 7.6, 1.2), ("3V3", 31.0, 7.6, 1.2),
              ("IN", -7.5, 13.4, 1.5), ("OUT", 6.5, 16.6, 1.5)]
    box = (size["left"], size["lower"], size["right"], size["upper"])
    return Board("strip", "Rank strip", parts, outline, slots, size["posts"], words, box)


def posts(places):
    return [Part(f"H{n + 1}", "post", "", "MountingHole:MountingHole_3.2mm_M3", tuple(at), 0, {})
            for n, at in enumerate(places)]


def pi_board(wiring):
    """Between the Pi's cable and the first strip: damping, fuse, buttons, lights, and what keeps sparks out."""
    size = wiring["pi-board"]
    whole = {part.ref: part for part in circuit(wiring, "shift-register")}
    damped = {part.pins[2][1]: part for part in whole.values() if part.part == "resistor-33"}
    lights = {f"GPIO{gpio}": f"LIGHT_{name.upper()}" for name, gpio in wiring["lights"].items()}
    taken = {f"GPIO{gpio}": net for net, gpio in signals(wiring, "shift-register").items()}
    header = {}
    for pin, name in header_pins(wiring).items():
        net = whole["J1"].pins[pin][1]
        if name in lights:
            if name in taken:
                raise ValueError(f"the light {lights[name]} and {taken[name]} are both on {name}")
            net = f"PI_{lights[name]}"
        # Five volts go nowhere; behind the fuse 3.3 volts are called +3V3.
        header[pin] = {"+3V3": "PI_3V3", "+5V": None}.get(net, net)
    header = {pin: net for pin, net in header.items() if net}
    parts = [Part("J1", "Raspberry Pi header", "box-header-40", "Connector_IDC:IDC-Header_2x20_P2.54mm_Vertical", (37.0, 39.5),
                  90, header, "top", {pin: ("J1", pin) for pin in header})]
    ribbon = {pin: net or "MISO" for pin, net in RIBBON.items()}
    parts.append(Part("J2", "to rank 1", "box-header-10", "Connector_IDC:IDC-Header_2x05_P2.54mm_Vertical", (80.0, 39.5),
                      90, ribbon))
    small = "Resistor_SMD:R_0805_2012Metric"
    for n, net in enumerate(sorted(damped)):
        part = damped[net]
        parts.append(Part(part.ref, "33", "r-33", small, (42.0 + 7.0 * n, 29.5), 0, {1: f"PI_{net}", 2: net}, "top",
                          {1: (part.ref, 1), 2: (part.ref, 2)}))
    parts.append(Part("F1", "120 mA", "fuse", "Fuse:Fuse_1206_3216Metric", (64.0, 29.5), 0, {1: "PI_3V3", 2: "+3V3"}, wire=True))
    bulk = len(squares_of(wiring, "shift-register")) + 1
    parts.append(Part(f"C{bulk}", "10u", "c-10u", "Capacitor_SMD:C_0805_2012Metric", (73.0, 29.5), 0, {1: "+3V3", 2: "GND"}, "top",
                      {1: (f"C{bulk}", 1), 2: (f"C{bulk}", 2)}))
    guarded = []
    u = 12.0
    for n, button in enumerate(wiring["button"]):
        name = button["name"].upper().replace("-", "_")
        parts.append(Part(f"SW{n + 1}", button["name"], "jst", "Connector_JST:JST_XH_B2B-XH-A_1x02_P2.50mm_Vertical", (u, 6.0), 0,
                          {1: f"KEY_{name}", 2: "GND"}, "top", {1: (f"SW{n + 1}", 1), 2: (f"SW{n + 1}", 2)}))
        parts.append(Part(f"R{n + 11}", "1k", "r-1k", small, (u, 22.0), 90,
                          {1: f"KEY_{name}", 2: f"BTN_{name}"}, wire=True))
        guarded.append(f"KEY_{name}")
        u += 9.0
    u += 3.0
    for n, name in enumerate(wiring["lights"]):
        parts.append(Part(f"J{n + 3}", f"light {name}", "jst", "Connector_JST:JST_XH_B2B-XH-A_1x02_P2.50mm_Vertical", (u, 6.0), 0,
                          {1: f"LIGHT_{name.upper()}", 2: "GND"}))
        parts.append(Part(f"R{n + 21}", "1k", "r-1k", small, (u, 22.0), 90,
                          {1: f"LIGHT_{name.upper()}", 2: f"PI_LIGHT_{name.upper()}"}, wire=True))
        guarded.append(f"LIGHT_{name.upper()}")
        u += 9.0
    for n in range(math.ceil(len(guarded) / 4)):
        four = guarded[4 * n:4 * n + 4]
        parts.append(Part(f"D{n + 1}", "SRV05-4", "esd", "Package_TO_SOT_SMD:SOT-23-6", (27.0 + 38.0 * n, 14.5), 90,
                          {2: "GND", 5: "+3V3", **dict(zip((1, 3, 4, 6), four))}))
    parts += posts(size["posts"])
    outline = [(0, 0), (size["width"], 0), (size["width"], size["height"]), (0, size["height"])]
    words = [(button["name"].replace("_", " "), 13.3 + 9.0 * n, 11.0, 1.0) for n, button in enumerate(wiring["button"])]
    words += [(name, 61.3 + 9.0 * n, 11.0, 1.0) for n, name in enumerate(wiring["lights"])]
    words += [("Pi", 37.0, 33.0, 1.5), ("rank 1", 80.0, 33.0, 1.5)]
    return Board("pi-board", "Board at the Pi's cable", parts, outline, [], size["posts"], words, (0, 0, size["width"], size["height"]))


def stands_for(ref, rank):
    """The reference in the whole circuit of a part of the strip under this rank."""
    return f"S{8 * (rank - 1) + int(ref[2:])}" if ref.startswith("S+") else ref.replace("{n}", str(rank))


def sheet(at):
    """From u and v to KiCad's sheet."""
    return round(ORIGIN[0] + at[0], 4), round(ORIGIN[1] - at[1], 4)


def both(wiring):
    return [strip(wiring), pi_board(wiring)]


def turned(x, y, degrees):
    """As KiCad turns: against the clock on a sheet whose y points down."""
    a = math.radians(degrees)
    return x * math.cos(a) + y * math.sin(a), -x * math.sin(a) + y * math.cos(a)


def library(part):
    """The footprint's name with its library: KiCad's, or this project's own."""
    return part.footprint if ":" in part.footprint else f"Annabella:{part.footprint}"


def shape(wiring, part):
    """The part's footprint, mirrored if it hangs under the board, with the middle of its rows as its place."""
    found = footprints(wiring)[part.footprint]
    flip = -1 if part.side == "bottom" else 1
    pads = [pad._replace(y=flip * pad.y) for pad in found.pads]
    left, top, right, bottom = found.courtyard
    court = (left, top, right, bottom) if flip == 1 else (left, -bottom, right, -top)
    return pads, court


def origin(wiring, part):
    """Where KiCad has the footprint's own origin: `at` is the middle of a connector."""
    if not part.footprint.startswith("Connector"):
        return sheet(part.at)
    pads, _ = shape(wiring, part)
    xs, ys = [pad.x for pad in pads], [pad.y for pad in pads]
    if "JST" in part.footprint:
        return sheet(part.at)
    dx, dy = turned((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, part.turn)
    x, y = sheet(part.at)
    return round(x - dx, 4), round(y - dy, 4)
