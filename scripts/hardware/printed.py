"""Do the printed boards carry what the calculation asks? Times of the chain through eight strips and their ribbons,
drops, currents against the width of the tracks, what a mistake at a button may do.

Values marked "estimate" are not from a data sheet."""

import math

from copper import Etched
from model import FOLDER, squares_of

VCC = 3.3
# Input of a 74HC165, at most. Source: its data sheet.
INPUT_F = 10e-12
# Ribbon with a ground on either side of every signal, and a narrow track with ground beside it: estimates from their
# impedances, 110 and 90 ohm, and the speed of light in them.
RIBBON_OHM, RIBBON_S_PER_MM = 110.0, 5.0e-12
TRACK_OHM, TRACK_S_PER_MM = 90.0, 6.0e-12
# Output of the Pi at 8 mA: estimate.
PI_OUT_OHM = 40.0
# Ribbon of 28 AWG, and copper. Sources: tables of wire; resistivity of copper, warm.
RIBBON_OHM_PER_MM = 0.22e-3
COPPER_OHM_MM = 2.0e-5
CONTACT_OHM = 0.02
# Bourns MF-NSMF012: resistance at most, and the current at which it certainly lets go. Source: its data sheet.
FUSE_OHM, FUSE_TRIP_A = 6.0, 0.29
SERIES_OHM = 1e3
# SRV05-4 at 5 A, 8/20 microseconds. Source: its data sheet.
CLAMP_V = 17.5
PIN_A = 20e-3
LED_V = 1.8


def capacity(ohm, seconds_per_mm):
    """Farad a millimetre of a line."""
    return seconds_per_mm / ohm


def carries_a(width_mm, thickness_um, rise=10.0):
    """What a track may carry, ten degrees warmer than the board. Source: IPC-2221, outer layers."""
    area = width_mm * thickness_um / 1000 / 0.0254**2
    return 0.048 * rise**0.44 * area**0.725


class Lines:
    """Lengths of copper, measured in the board file."""

    def __init__(self, wiring):
        path = FOLDER / "boards" / "strip.kicad_pcb"
        etched = Etched(path.read_text(encoding="utf-8"))
        self.length = {}
        for piece in etched.copper:
            if piece.what == "track":
                self.length[piece.net] = self.length.get(piece.net, 0.0) + math.dist(*piece.corners)
        self.chips = len(squares_of(wiring, "shift-register"))
        self.ribbon = wiring["pi-board"]["cable_mm"] + (self.chips - 1) * wiring["strip"]["ribbon_mm"]

    def line_f(self, net):
        """All that an edge must fill: chips, tracks, ribbons."""
        tracks = self.chips * self.length[net] * capacity(TRACK_OHM, TRACK_S_PER_MM)
        return self.chips * INPUT_F + tracks + self.ribbon * capacity(RIBBON_OHM, RIBBON_S_PER_MM)

    def flight_s(self, net):
        return self.chips * self.length[net] * TRACK_S_PER_MM + self.ribbon * RIBBON_S_PER_MM


def boards(check, wiring, chip_s, damp_ohm, strips_a):
    """`chip_s`: from clock to output of a chip; `strips_a`: what all strips take with 64 pegs."""
    check.head("Printed boards")
    lines, rules = Lines(wiring), wiring["copper"]
    hz = wiring["shift-register"]["hz"]
    edge = 2.2 * (PI_OUT_OHM + damp_ohm) * lines.line_f("SCLK")
    late = edge + lines.flight_s("SCLK")
    check.below("clock at the eighth strip after the Pi's edge", late * 1e9, "ns", 0.25e9 / hz)
    # Back to the Pi: the first chip's bit, through one ribbon and its resistor.
    back = wiring["pi-board"]["cable_mm"]
    back_f = back * capacity(RIBBON_OHM, RIBBON_S_PER_MM) + lines.length["QH"] * capacity(TRACK_OHM, TRACK_S_PER_MM) + INPUT_F
    bit = edge / lines.chips + chip_s + back * RIBBON_S_PER_MM + 2.2 * (damp_ohm + PI_OUT_OHM) * back_f
    check.below("bit at the Pi after the clock's edge", bit * 1e9, "ns", 0.5e9 / hz)
    # A chip hears its clock before the chip whose bit it takes: the next one in the chain.
    check.below("clock from one chip to the next, less what a chip takes", (late / lines.chips - chip_s) * 1e9, "ns", 0)
    width = rules["power"] * rules["thickness_um"] / 1000
    hop = lines.length["+3V3"] * COPPER_OHM_MM / width + RIBBON_OHM_PER_MM * wiring["strip"]["ribbon_mm"] / 2 + CONTACT_OHM
    first = RIBBON_OHM_PER_MM * wiring["pi-board"]["cable_mm"] / 2 + FUSE_OHM + CONTACT_OHM
    # The n-th hop carries what the strips behind it take. Ground comes back through more copper than that.
    drop = strips_a * (first + 2 * hop * (lines.chips + 1) / 2)
    check.above("supply at the eighth strip with 64 pegs", VCC - drop, "V", 3.0)
    check.above("narrowest track of a signal carries, 10 degrees warmer", carries_a(rules["signal"], rules["thickness_um"]) * 1e3,
                "mA", FUSE_TRIP_A * 1e3)
    check.above("track of the supply carries, 10 degrees warmer", carries_a(rules["power"], rules["thickness_um"]) * 1e3, "mA",
                FUSE_TRIP_A * 1e3)
    check.below("all strips, with the fuse that lets go at 290 mA", strips_a * 1e3, "mA", 100)
    check.below("button through its 1 kilohm: low level", VCC * SERIES_OHM / (SERIES_OHM + 33e3), "V", 0.8)
    check.below("button pressed while its pin gives high by mistake", VCC / SERIES_OHM * 1e3, "mA", 8)
    check.below("spark at a button: into the pin, behind the clamp (limit: estimate)",
                (CLAMP_V - VCC) / SERIES_OHM * 1e3, "mA", PIN_A * 1e3)
    check.below("a light", (VCC - LED_V) / SERIES_OHM * 1e3, "mA", 8)
    size, reed = wiring["strip"], wiring["reed"]
    check.above("room between strips side by side", wiring["board"]["square"] - (size["upper"] - size["lower"]), "mm", 0.5)
    check.above("glass below the floor", reed["axis_below_floor"] - reed["glass_diameter"] / 2, "mm", 0.2)
    check.above("wire of a reed above its strip", size["below_floor"] - reed["axis_below_floor"], "mm", 0.2)
    check.above("slot longer than the glass", size["slot"][0] - reed["glass"], "mm", 0.6)
    check.above("slot wider than the glass", size["slot"][1] - reed["glass_diameter"], "mm", 0.4)
    check.above("from the glass to the bend of its wire", (size["reed_pitch"] - reed["glass"]) / 2, "mm", 3.0)


def deck(wiring, damp_ohm):
    """The clock line for ngspice: one edge through all ribbons and strips."""
    lines = Lines(wiring)
    track = lines.length["SCLK"]
    text = ["* one edge of the clock through eight strips", "V1 pi 0 PULSE(0 3.3 10n 3n 3n 1u 2u)", f"R1 pi s0 {PI_OUT_OHM + damp_ohm}"]
    for n in range(1, lines.chips + 1):
        ribbon = wiring["pi-board"]["cable_mm"] if n == 1 else wiring["strip"]["ribbon_mm"]
        text += [f"T{n}a s{n - 1} 0 i{n} 0 Z0={RIBBON_OHM} TD={ribbon * RIBBON_S_PER_MM:.4g}",
                 f"T{n}b i{n} 0 c{n} 0 Z0={TRACK_OHM} TD={track / 2 * TRACK_S_PER_MM:.4g}", f"C{n} c{n} 0 {INPUT_F}",
                 f"T{n}c c{n} 0 s{n} 0 Z0={TRACK_OHM} TD={track / 2 * TRACK_S_PER_MM:.4g}"]
    text += ["Rend s8 0 1e9", ".tran 0.05n 300n",
             ".measure tran probe TRIG v(pi) VAL=0.1 RISE=1 TARG v(c8) VAL=2.31 RISE=1"]
    # An edge that comes back through the middle would clock twice.
    text += [f".measure tran back{n} FIND v(c{n}) WHEN v(c{n})=1.65 FALL=1" for n in range(1, lines.chips + 1)]
    return "\n".join([*text, ".end", ""])


def chain(wiring, ask, damp_ohm):
    """Lines of what ngspice says of the chain, and how many are bad. `ask`: runs a deck, gives its measures."""
    found = ask(deck(wiring, damp_ohm))
    lines = Lines(wiring)
    computed = 2.2 * (PI_OUT_OHM + damp_ohm) * lines.line_f("SCLK") + lines.flight_s("SCLK")
    late = found.get("probe", math.inf)
    twice = [name[4:] for name in found if name.startswith("back")]
    # A clock that swings back must be seen by what counts its edges.
    rings = ask(deck(wiring, damp_ohm).replace("1u 2u)", "40n 100n)"))
    return [(late <= computed, f"clock at the eighth strip: ngspice {late:.3g}, computed at most {computed:.3g}"),
            (not twice, "an edge of the clock is one edge at every chip" + (f", not at {', '.join(twice)}" if twice else "")),
            (any(name.startswith("back") for name in rings), "a clock that rings is found")]
