"""Where the pads of each part lie. The measures are those of KiCad's own library, and `fab.py` compares them
with the library that is installed; the reed is this project's own.

Millimetres, y downwards as KiCad counts, the part seen from its own side of the board."""

from typing import NamedTuple


class Pad(NamedTuple):
    """`drill` 0: on one side only. `shape`: rect, circle or oval."""

    number: str
    x: float
    y: float
    width: float
    height: float
    shape: str = "rect"
    drill: float = 0.0


class Footprint(NamedTuple):
    """`courtyard`: left, top, right, bottom of the room that the part itself takes."""

    pads: tuple
    courtyard: tuple


def idc(rows):
    pads = [Pad(str(2 * row + side + 1), 2.54 * side, 2.54 * row, 1.7, 1.7,
                "rect" if row == side == 0 else "circle", 1.0) for row in range(rows) for side in range(2)]
    return Footprint(tuple(pads), (-3.68, -5.6, 6.22, 2.54 * rows + 3.06))


def soic16():
    pads = [Pad(str(n + 1), -2.475, -4.445 + 1.27 * n, 1.95, 0.6) for n in range(8)]
    pads += [Pad(str(n + 9), 2.475, 4.445 - 1.27 * n, 1.95, 0.6) for n in range(8)]
    return Footprint(tuple(pads), (-3.7, -5.2, 3.7, 5.2))


def array4():
    rows = ((-1.2, 0.5), (-0.4, 0.4), (0.4, 0.4), (1.2, 0.5))
    pads = [Pad(str(n + 1), -0.9, y, 0.8, height) for n, (y, height) in enumerate(rows)]
    pads += [Pad(str(n + 5), 0.9, y, 0.8, height) for n, (y, height) in enumerate(reversed(rows))]
    return Footprint(tuple(pads), (-1.55, -1.85, 1.55, 1.85))


def sot23_6():
    pads = [Pad(str(n + 1), -1.1375, -0.95 + 0.95 * n, 1.325, 0.6) for n in range(3)]
    pads += [Pad(str(n + 4), 1.1375, 0.95 - 0.95 * n, 1.325, 0.6) for n in range(3)]
    return Footprint(tuple(pads), (-2.05, -1.7, 2.05, 1.7))


def chip(x, width, height, courtyard):
    return Footprint((Pad("1", -x, 0, width, height), Pad("2", x, 0, width, height)),
                     (-courtyard[0], -courtyard[1], *courtyard))


def reed(pitch):
    """The glass lies in a slot of the board, a wire at either end goes into a plated hole. Pad 1 lies at the hole
    of the square, pad 2 at the other end."""
    half = pitch / 2
    return Footprint((Pad("1", -half, 0, 2.4, 2.4, "circle", 1.1), Pad("2", half, 0, 2.4, 2.4, "circle", 1.1)),
                     (-half - 1.4, -1.6, half + 1.4, 1.6))


def footprints(wiring):
    """Name -> footprint. A name with a library is one of KiCad's."""
    return {
        "Connector_IDC:IDC-Header_2x05_P2.54mm_Vertical": idc(5),
        "Connector_IDC:IDC-Header_2x20_P2.54mm_Vertical": idc(20),
        "Connector_JST:JST_XH_B2B-XH-A_1x02_P2.50mm_Vertical": Footprint(
            (Pad("1", 0, 0, 1.7, 2.0, "rect", 1.0), Pad("2", 2.5, 0, 1.7, 2.0, "oval", 1.0)),
            (-2.95, -2.85, 5.45, 3.9)),
        "Package_SO:SOIC-16_3.9x9.9mm_P1.27mm": soic16(),
        "Package_TO_SOT_SMD:SOT-23-6": sot23_6(),
        "Resistor_SMD:R_Array_Convex_4x0603": array4(),
        "Resistor_SMD:R_0805_2012Metric": chip(0.9125, 1.025, 1.4, (1.68, 0.95)),
        "Capacitor_SMD:C_0805_2012Metric": chip(0.95, 1.0, 1.45, (1.7, 0.98)),
        "Fuse:Fuse_1206_3216Metric": chip(1.4, 1.25, 1.75, (2.28, 1.12)),
        "TestPoint:TestPoint_THTPad_D3.0mm_Drill1.5mm": Footprint((Pad("1", 0, 0, 3, 3, "circle", 1.5),), (-2, -2, 2, 2)),
        "MountingHole:MountingHole_3.2mm_M3": Footprint((Pad("", 0, 0, 3.2, 3.2, "circle", 3.2),), (-2.2, -2.2, 2.2, 2.2)),
        "Reed": reed(wiring["strip"]["reed_pitch"]),
    }
