"""Does the circuit work, and do neighbours leave one another alone? Every value is computed from
wiring.toml, printed with what it must be, and the end code is 1 if one is not.

    python3 scripts/hardware/check.py           the calculation, as in hardware/check.txt
    python3 scripts/hardware/check.py --spice   the same by ngspice, where it is installed

Values marked "estimate" are not from a data sheet."""

import math
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import printed
from model import load, squares_of

# The Pi. Source: data sheet of the BCM2711, GPIO pins at 3.3 V.
VCC = 3.3
PI_LOW, PI_HIGH = 0.8, 2.0
PI_PULL_OHM = (33e3, 73e3)
PI_DRIVE_A = 8e-3
PI_I2C_PULL_OHM = 1.8e3
# What the 3.3 V pins are asked for at most: estimate, the modest end of what is said of them.
RAIL_A = 50e-3
# Wires between chip and reed, 40 cm with what lies beside them, and the pin itself: estimate.
WIRE_F = 100e-12
# Contact and wires. Source: reed 0.15 ohm at most; wire estimate.
CONTACT_OHM = 0.5
# Chips. Sources: data sheets of 74HC165 (between 2 V and 4.5 V, -40 to 85 degrees) and MCP23017/S17.
HC_LOW, HC_HIGH = 0.3 * VCC, 0.7 * VCC
HC_DELAY_2V, HC_DELAY_4V5 = 205e-9, 41e-9
HC_SUPPLY_A = 80e-6
MCP_LOW, MCP_HIGH = 0.2 * VCC, 0.8 * VCC
MCP_PULL_A_AT_5V = (40e-6, 115e-6)
MCP_SUPPLY_A = 1e-3
MCP_SO_VALID_S = 45e-9
# I2C. Source: I2C-bus specification, fast mode.
I2C_RISE_S, I2C_SINK_A = 300e-9, 3e-3
# Diodes. Sources: BAT85 0.32 V at 1 mA, 2 microampere backwards; 1N4148 estimate for 0.3 mA, cold.
BAT85_V, BAT85_BACK_A, BAT85_F = 0.32, 2e-6, 10e-12
SILICON_V = 0.65
# A pin that gives low, at a few milliamperes: estimate.
PI_LOW_OUT_V = 0.1
PULL_OHM = 10e3
DAMP_OHM = 33.0
MU0 = 4e-7 * math.pi


class Checks:
    def __init__(self):
        self.lines, self.failed = [], []

    def head(self, text):
        self.lines.append(("" if not self.lines else "\n") + text)

    def must(self, what, value, unit, relation, limit):
        good = value < limit if relation == "below" else value > limit
        line = f"{'good' if good else 'BAD '}  {what}: {plain(value)} {unit}, must be {relation} {plain(limit)} {unit}"
        self.lines.append(line)
        if not good:
            self.failed.append(line)

    def below(self, what, value, unit, limit):
        self.must(what, value, unit, "below", limit)

    def above(self, what, value, unit, limit):
        self.must(what, value, unit, "above", limit)


def plain(value):
    """Three digits that count, read aloud without exponent."""
    if abs(value) < 1e-6:
        return "0"
    places = max(0, 2 - math.floor(math.log10(abs(value))))
    text = f"{value:.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def rise_s(ohm, farad, high):
    """How long a line takes from ground up to `high`, pulled to the supply."""
    return ohm * farad * math.log(VCC / (VCC - high))


def contacts(check, wiring):
    reed = wiring["reed"]
    check.head("Contacts")
    check.below("voltage at an open contact", VCC, "V", reed["switch_v"])
    current = VCC / PULL_OHM
    check.below("current through a closed contact", current * 1e3, "mA", reed["switch_a"] * 1e3)
    check.below("power switched", VCC * current * 1e3, "mW", reed["switch_w"] * 1e3)


def shift_register(check, wiring):
    scan_us = 1e6 / wiring["scan_hz"]
    chips = len(squares_of(wiring, "shift-register"))
    hz = wiring["shift-register"]["hz"]
    check.head("Shift registers")
    check.below("input with a peg", VCC / PULL_OHM * CONTACT_OHM, "V", HC_LOW)
    check.below("input settles after a peg has gone", rise_s(PULL_OHM, WIRE_F, HC_HIGH) * 1e6, "us", scan_us / 100)
    pulls = 64 * VCC / PULL_OHM
    check.below("3.3 V with 32 pegs", (pulls / 2 + chips * HC_SUPPLY_A) * 1e3, "mA", RAIL_A * 1e3)
    check.below("3.3 V with 64 pegs", (pulls + chips * HC_SUPPLY_A) * 1e3, "mA", RAIL_A * 1e3)
    check.below("heat of one network with 8 pegs (limit: estimate)", 8 * VCC**2 / PULL_OHM * 1e3, "mW", 100)
    delay = hc_delay_s() + 2.2 * DAMP_OHM * WIRE_F
    check.below("bit valid after the clock's edge", delay * 1e9, "ns", 0.5e9 / hz)
    # The latch, and eight bits more: the last chip's serial input tells a broken chain.
    check.below("one read", 1 + (chips + 1) * 8 / hz * 1e6, "us", scan_us / 10)


def expander_i2c(check, wiring):
    scan_us = 1e6 / wiring["scan_hz"]
    chips = len(squares_of(wiring, "expander-i2c"))
    hz = wiring["expander-i2c"]["hz"]
    check.head("MCP23017")
    weak, strong = (at_5v * VCC / 5 for at_5v in MCP_PULL_A_AT_5V)
    check.below("input settles after a peg has gone", rise_s(VCC / weak, WIRE_F, MCP_HIGH) * 1e6, "us", scan_us / 100)
    check.below("input with a peg", strong * CONTACT_OHM, "V", MCP_LOW)
    check.below("3.3 V with 64 pegs", (64 * strong + chips * MCP_SUPPLY_A) * 1e3, "mA", RAIL_A * 1e3)
    bus = (chips * 10 + 10) * 1e-12 + WIRE_F
    check.below("SDA and SCL rise, 30 to 70 percent", 0.8473 * PI_I2C_PULL_OHM * bus * 1e9, "ns", I2C_RISE_S * 1e9)
    check.below("SDA and SCL sink", VCC / PI_I2C_PULL_OHM * 1e3, "mA", I2C_SINK_A * 1e3)
    # Address, register, address again, two bytes, nine bits each; start, repeated start, stop. The
    # settings of one chip are looked at besides, in two reads, a chip each time.
    bits = (chips + 2) * (5 * 9 + 3)
    check.below("one read", bits / hz * 1e6, "us", scan_us / 2)
    check.below("one read at the Pi's own 100 kHz", bits / 1e5 * 1e6, "us", scan_us)


def expander_spi(check, wiring):
    scan_us = 1e6 / wiring["scan_hz"]
    chips = len(squares_of(wiring, "expander-spi"))
    hz = wiring["expander-spi"]["hz"]
    check.head("MCP23S17")
    weak, strong = (at_5v * VCC / 5 for at_5v in MCP_PULL_A_AT_5V)
    check.below("input settles after a peg has gone", rise_s(VCC / weak, WIRE_F, MCP_HIGH) * 1e6, "us", scan_us / 100)
    check.below("3.3 V with 64 pegs", (64 * strong + chips * MCP_SUPPLY_A) * 1e3, "mA", RAIL_A * 1e3)
    late = MCP_SO_VALID_S + 2.2 * DAMP_OHM * WIRE_F
    check.below("bit valid after the clock's edge", late * 1e9, "ns", 0.5e9 / hz)
    # Opcode, register number, ten registers: the levels, and whether the chip is still set up.
    check.below("one read", chips * 12 * 8 / hz * 1e6, "us", scan_us / 10)


def matrix(check, wiring):
    scan_us = 1e6 / wiring["scan_hz"]
    settle_us = wiring["matrix"]["settle_us"]
    check.head("Matrix")
    check.below("column with a peg: diode and row", BAT85_V + PI_LOW_OUT_V, "V", PI_LOW)
    check.below("the same with 1N4148, cold (estimate): works, with little to spare", SILICON_V + PI_LOW_OUT_V, "V", PI_LOW)
    check.above("column without a peg, seven diodes leaking", VCC - 7 * BAT85_BACK_A * PULL_OHM, "V", PI_HIGH)
    row = 8 * (VCC - BAT85_V) / PULL_OHM
    check.below("current into a row with eight pegs", row * 1e3, "mA", PI_DRIVE_A * 1e3)
    check.below("3.3 V while a row is low", row * 1e3, "mA", RAIL_A * 1e3)
    line = WIRE_F + 8 * BAT85_F
    check.below("column settles after the row before", rise_s(PULL_OHM, line, PI_HIGH) * 1e6, "us", settle_us)
    check.below("one read", 8 * settle_us, "us", scan_us / 2)


def hc_delay_s():
    """Straight between the data sheet's voltages: the curve itself lies lower."""
    return HC_DELAY_2V - (VCC - 2) / 2.5 * (HC_DELAY_2V - HC_DELAY_4V5)


def printed_boards(check, wiring):
    chips = len(squares_of(wiring, "shift-register"))
    printed.boards(check, wiring, hc_delay_s(), DAMP_OHM, 64 * VCC / PULL_OHM + chips * HC_SUPPLY_A)


def others(check, _wiring):
    check.head("Buttons and power")
    check.below("button: line rises", rise_s(PI_PULL_OHM[1], 2 * WIRE_F, PI_HIGH) * 1e6, "us", 1000)
    check.below("button: current when pressed", VCC / PI_PULL_OHM[0] * 1e3, "mA", 0.5)
    # Estimates: Pi 4 busy, sound adapter with headset, DGT board, reeds.
    loads = {"Pi 4 busy": 1.1, "sound adapter": 0.1, "DGT board": 0.1, "reeds": 0.025}
    check.below(f"5 V supply ({', '.join(loads)}; estimate)", sum(loads.values()), "A", 3.0)


class Field:
    """The field along a reed, in millitesla, of a magnet that stands in a hole.

    The magnet is a pair of poles on its end faces; it is small against every distance here. What a
    reed feels is taken to be the mean along its glass. Both are estimates, good for a factor of 1.5."""

    def __init__(self, wiring, diameter=None, length=None):
        size, magnet, self.reed = wiring["board"], wiring["magnet"], wiring["reed"]
        diameter, self.length = diameter or magnet["diameter"], length or magnet["length"]
        self.pole = magnet["remanence_t"] * math.pi * (diameter / 2000) ** 2 / MU0
        self.weak = magnet["weak"]
        self.square = size["square"]
        self.near = size["top"] - size["peg_length"] + size["floor"] + self.reed["axis_below_floor"]
        self.far = self.near + size["raised"]
        angle = math.radians(self.reed["diagonal_degrees"])
        self.along = math.cos(angle), math.sin(angle)

    def at(self, hole_x, hole_y, depth):
        """Of a magnet in the hole that lies so many millimetres from the reed's own hole."""
        ax, ay = self.along
        half, steps, total = self.reed["glass"] / 2, 28, 0.0
        for n in range(steps + 1):
            u = self.reed["offset"] + half * (2 * n / steps - 1)
            x, y = u * ax - hole_x, u * ay - hole_y
            part = (x * ax + y * ay) * 1e-3
            for sign, z in ((1, depth), (-1, depth + self.length)):
                total += sign * part / ((x * x + y * y + z * z) * 1e-6) ** 1.5
        return 1e-7 * self.pole * total / (steps + 1) * 1e3

    def own(self):
        """The weakest magnet, on a raised square, the reed 1 mm out of place."""
        return self.weak * min(abs(self.at(x, y, self.far)) for x in (-1, 0, 1) for y in (-1, 0, 1))

    def others(self):
        """The most that any pegs on any of the other squares can do together: (one peg, all)."""
        fields = [max((self.at(x * self.square, y * self.square, depth) for depth in (self.near, self.far)), key=abs)
                  for x in range(-7, 8) for y in range(-7, 8) if (x, y) != (0, 0)]
        plus, minus = sum(f for f in fields if f > 0), -sum(f for f in fields if f < 0)
        return max(abs(f) for f in fields), max(plus, minus)


def millitesla(wiring, ampere_turns):
    return MU0 * ampere_turns / (wiring["reed"]["coil_mm"] / 1000) * 1e3


def magnets(check, wiring):
    reed = wiring["reed"]
    check.head("Magnets and reeds (estimates; the self-test of the finished board is the measurement)")
    pull_in, release = millitesla(wiring, reed["pull_in_at"][1]), millitesla(wiring, reed["drop_out_at"])
    for name, field in (("as listed", Field(wiring)), ("1/8 by 1/8 inch instead", Field(wiring, 3.175, 3.175))):
        one, together = field.others()
        check.above(f"own peg on a raised square, magnet {name}", field.own(), "mT", 1.5 * (pull_in + together))
        check.below(f"nearest neighbour alone, magnet {name}", one, "mT", release / 2)
        check.below(f"worst pegs on all other squares, magnet {name}", together, "mT", release)
    centred = Field(wiring)
    centred.reed = reed | {"offset": 0}
    check.below("own peg over the middle of a reed: such a reed never closes", abs(centred.at(0, 0, centred.near)), "mT", pull_in)


def body(check, wiring):
    size, magnet = wiring["board"], wiring["magnet"]
    pieces = next(part["count"] for part in wiring["part"] if part["id"] == "magnet")
    moment = magnet["remanence_t"] / MU0 * math.pi * (magnet["diameter"] / 2) ** 2 * magnet["length"] * 1e-9
    check.head("Pacemakers (0.5 mT is where some of them change their way of working)")
    check.below("one magnet, 5 cm away", 2e-7 * moment / 0.05**3 * 1e3, "mT", 0.5)
    check.below(f"{pieces} magnets in one heap, 15 cm away", 2e-7 * pieces * moment / 0.15**3 * 1e3, "mT", 0.5)
    check.head("Board (D.1)")
    check.above("playing surface", 8 * size["square"], "mm", 200)
    check.above("black squares raised", size["raised"], "mm", 1)
    check.above("peg held in a raised square", size["peg_length"] - size["raised"], "mm", 9)
    check.above("room under the peg", size["top"] - size["peg_length"], "mm", 0.2)
    check.above("play of the peg in its hole", size["hole"] - size["peg"], "mm", 0.3)
    check.below("play of the peg in its hole", size["hole"] - size["peg"], "mm", 0.8)
    check.above("wood round the magnet in the peg", (size["peg"] - magnet["diameter"]) / 2, "mm", 0.8)


def run(wiring):
    check = Checks()
    for part in (contacts, shift_register, expander_i2c, expander_spi, matrix, others, printed_boards, magnets, body):
        part(check, wiring)
    return check


# The same two questions to ngspice. `probe` is what it measures.
DECKS = {
    "input of a shift register after a peg has gone": ("""* a contact opens at 1 us
V1 vcc 0 3.3
R1 vcc in 10k
C1 in 0 100p
S1 in 0 gate 0 contact
Vg gate 0 PWL(0 1 1u 1 1.001u 0)
.model contact SW(Ron=0.5 Roff=1e12 Vt=0.5 Vh=0)
.tran 1n 20u
.measure tran probe TRIG AT=1u TARG v(in) VAL=2.31 RISE=1
.end
""", lambda: rise_s(PULL_OHM, WIRE_F, HC_HIGH), 0.05),
    "column of the matrix with a peg, typical diode": ("""* column, contact, diode, row held at 0.1 V
V1 vcc 0 3.3
R1 vcc col 10k
Rc col a 0.5
D1 a row BAT85
Vr row 0 0.1
.model BAT85 D(IS=2.1e-7 N=1.016 RS=2.3)
.tran 1n 1u
.measure tran probe FIND v(col) AT=1u
.end
""", lambda: BAT85_V + PI_LOW_OUT_V, None),
}


def measured(deck):
    """What ngspice measures in a circuit: name -> value; what it could not find is left out."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deck.cir"
        path.write_text(deck, encoding="utf-8")
        out = subprocess.run(["ngspice", "-b", str(path)], capture_output=True, text=True, check=False).stdout
    lines = [line.split("=") for line in out.splitlines() if line.startswith(("probe", "back")) and "=" in line]
    return {name.strip(): float(value.split()[0]) for name, value, *_ in lines if value.split()[0] != "failed"}


def spice():
    """Exit code: 0 agrees or not installed, 1 differs."""
    if not shutil.which("ngspice"):
        print("ngspice is not installed (apt-get install ngspice): nothing compared")
        return 0
    wrong = 0
    for what, (deck, computed, within) in DECKS.items():
        found = measured(deck).get("probe", math.inf)
        limit = computed()
        good = abs(found - limit) < within * limit if within else found < limit
        wrong += not good
        print(f"{'good' if good else 'BAD '}  {what}: ngspice {found:.3g}, computed {'' if within else 'at most '}{limit:.3g}")
    for good, line in printed.chain(load(), measured, DAMP_OHM):
        wrong += not good
        print(f"{'good' if good else 'BAD '}  {line}")
    return int(wrong > 0)


def main():
    if "--spice" in sys.argv[1:]:
        return spice()
    check = run(load())
    print("\n".join(check.lines))
    return int(bool(check.failed))


if __name__ == "__main__":
    sys.exit(main())
