"""The circuit of each way to sense the pegs, as components with the net on every pin."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "hardware"
VARIANTS = {
    "shift-register": "74HC165 shift registers on SPI (default)",
    "expander-i2c": "MCP23017 port expanders on I2C",
    "expander-spi": "MCP23S17 port expanders on SPI",
    "matrix": "8 by 8 matrix on GPIO",
}
NC = None


def load():
    return tomllib.loads((FOLDER / "wiring.toml").read_text(encoding="utf-8"))


class Component:
    """`pins`: number -> (name, net or NC). `part`: the line of the parts list that it is."""

    def __init__(self, ref, value, part, library, footprint, pins):
        self.ref, self.value, self.part = ref, value, part
        self.library, self.footprint, self.pins = library, footprint, pins


def header_pins(wiring):
    """Pin number -> name, 1 to 40."""
    return {2 * row + side + 1: name for row, pair in enumerate(wiring["header"]["rows"])
            for side, name in enumerate(pair)}


def pin_of(wiring, gpio):
    return next(pin for pin, name in header_pins(wiring).items() if name == f"GPIO{gpio}")


def squares_of(wiring, variant):
    """The squares of each chip, in the order of its inputs."""
    return [line.split() for line in wiring[variant]["squares"]]


def signals(wiring, variant):
    """Net -> GPIO, for everything but power that goes to the header."""
    found = {f"BTN_{button['name'].upper().replace('-', '_')}": button["gpio"]
             for button in wiring["button"]}
    if variant == "matrix":
        found |= {f"ROW{n + 1}": gpio for n, gpio in enumerate(wiring["matrix"]["rows"])}
        found |= {f"COL_{file}": gpio for file, gpio in zip("ABCDEFGH", wiring["matrix"]["columns"])}
    else:
        found |= wiring[variant]["signals"]
    return found


def circuit(wiring, variant):
    """All components of a variant."""
    wanted = signals(wiring, variant)
    names = header_pins(wiring)
    by_gpio = {}
    for net, gpio in wanted.items():
        if gpio in by_gpio:
            raise ValueError(f"{variant}: {net} and {by_gpio[gpio]} are both on GPIO{gpio}")
        by_gpio[gpio] = net
    # A 33 ohm resistor stands between header and board in every fast line.
    damped = {"SCLK", "MOSI", "MISO", "LATCH", "CS"} & set(wanted)

    def on_header(name):
        if not name.startswith("GPIO"):
            return {"3V3": "+3V3", "5V": "+5V", "GND": "GND"}[name]
        net = by_gpio.get(int(name[4:]))
        return f"PI_{net}" if net in damped else net

    parts = [Component("J1", "Raspberry Pi header", "header", "Connector:Raspberry_Pi_2_3",
                       "Connector_IDC:IDC-Header_2x20_P2.54mm_Vertical",
                       {pin: (name, on_header(name)) for pin, name in names.items()})]
    for n, net in enumerate(sorted(damped)):
        parts.append(Component(f"R{n + 1}", "33", "resistor-33", "Device:R",
                               "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P10.16mm_Horizontal",
                               {1: ("1", f"PI_{net}"), 2: ("2", net)}))
    for n, button in enumerate(wiring["button"]):
        net = f"BTN_{button['name'].upper().replace('-', '_')}"
        parts.append(Component(f"SW{n + 1}", button["name"], "button", "Switch:SW_Push",
                               "Connector_JST:JST_XH_B2B-XH-A_1x02_P2.50mm_Vertical",
                               {1: ("1", net), 2: ("2", "GND")}))
    parts += {"shift-register": shift_registers, "expander-i2c": expanders_i2c,
              "expander-spi": expanders_spi, "matrix": matrix}[variant](wiring)
    check(variant, parts)
    return parts


def reed(square, one, other):
    # KiCad wants a reference to end in a number: that of the square, as the program counts.
    return Component(f"S{'abcdefgh'.index(square[0]) + 8 * (int(square[1]) - 1) + 1}",
                     f"reed {square}", "reed", "Switch:SW_Reed",
                     "Connector_PinHeader_2.54mm:PinHeader_1x02_P2.54mm_Vertical",
                     {1: ("1", one), 2: ("2", other)})


def square_net(square):
    return f"SQ_{square.upper()}"


def capacitor(ref, value, part, footprint):
    return Component(ref, value, part, "Device:C" if part == "capacitor" else "Device:C_Polarized",
                     footprint, {1: ("1", "+3V3"), 2: ("2", "GND")})


def decoupling(chips):
    small = [capacitor(f"C{n + 1}", "100n", "capacitor",
                       "Capacitor_THT:C_Disc_D5.0mm_W2.5mm_P5.00mm") for n in range(chips)]
    return [*small, capacitor(f"C{chips + 1}", "10u", "capacitor-10u",
                              "Capacitor_THT:CP_Radial_D5.0mm_P2.00mm")]


def shift_registers(wiring):
    """Source: 74HC165 data sheet, pin assignment of the 16-pin package."""
    parts = []
    chips = squares_of(wiring, "shift-register")
    inputs = {"A": 11, "B": 12, "C": 13, "D": 14, "E": 3, "F": 4, "G": 5, "H": 6}
    for n, squares in enumerate(chips):
        last = n + 1 == len(chips)
        pins = {1: ("SH/LD", "LATCH"), 2: ("CLK", "SCLK"), 7: ("/QH", NC), 8: ("GND", "GND"),
                9: ("QH", "MISO" if n == 0 else f"CHAIN{n}"),
                10: ("SER", "GND" if last else f"CHAIN{n + 1}"),
                15: ("CLK INH", "GND"), 16: ("VCC", "+3V3")}
        for (name, pin), square in zip(inputs.items(), squares):
            pins[pin] = (name, square_net(square))
        parts.append(Component(f"U{n + 1}", "74HC165", "74HC165", "74xx:74HC165",
                               "Package_DIP:DIP-16_W7.62mm", dict(sorted(pins.items()))))
        pulls = {1: ("common", "+3V3")}
        pulls |= {2 + m: (f"R{m + 1}", square_net(square)) for m, square in enumerate(squares)}
        parts.append(Component(f"RN{n + 1}", "8x10k", "network", "Device:R_Network08",
                               "Resistor_THT:R_Array_SIP9", pulls))
        parts += [reed(square, square_net(square), "GND") for square in squares]
    return parts + decoupling(len(chips))


# Source: MCP23017/MCP23S17 data sheet, 28-pin package.
GPB = {f"GPB{n}": 1 + n for n in range(8)}
GPA = {f"GPA{n}": 21 + n for n in range(8)}


def expander(wiring, n, bus, value, library, variant, inputs):
    address = wiring[variant]["addresses"][n]
    pins = {9: ("VDD", "+3V3"), 10: ("VSS", "GND"), 18: ("/RESET", "+3V3"),
            19: ("INTB", NC), 20: ("INTA", NC), **bus}
    for bit in range(3):
        pins[15 + bit] = (f"A{bit}", "+3V3" if address >> bit & 1 else "GND")
    squares = dict(zip(inputs, squares_of(wiring, variant)[n]))
    for name, pin in {**GPB, **GPA}.items():
        pins[pin] = (name, square_net(squares[name]) if name in squares else NC)
    parts = [Component(f"U{n + 1}", value, value, library, "Package_DIP:DIP-28_W7.62mm",
                       dict(sorted(pins.items())))]
    return parts + [reed(square, square_net(square), "GND") for square in squares.values()]


def inputs_of(variant):
    """The inputs of one expander chip in the order in which squares are listed."""
    last = 7 if variant == "expander-i2c" else 8
    return [f"GP{port}{n}" for port in "AB" for n in range(last)]


def expanders_i2c(wiring):
    parts = []
    for n in range(len(wiring["expander-i2c"]["addresses"])):
        bus = {11: ("NC", NC), 12: ("SCL", "SCL"), 13: ("SDA", "SDA"), 14: ("NC", NC)}
        parts += expander(wiring, n, bus, "MCP23017", "Interface_Expansion:MCP23017_SP",
                          "expander-i2c", inputs_of("expander-i2c"))
    return parts + decoupling(len(wiring["expander-i2c"]["addresses"]))


def expanders_spi(wiring):
    parts = []
    for n in range(len(wiring["expander-spi"]["addresses"])):
        bus = {11: ("/CS", "CS"), 12: ("SCK", "SCLK"), 13: ("SI", "MOSI"), 14: ("SO", "MISO")}
        parts += expander(wiring, n, bus, "MCP23S17", "Interface_Expansion:MCP23S17_SP",
                          "expander-spi", inputs_of("expander-spi"))
    return parts + decoupling(len(wiring["expander-spi"]["addresses"]))


def matrix(wiring):
    """A column goes low through reed and diode while its row is low: the diode points to the row."""
    parts = []
    for n in range(8):
        parts.append(Component(f"R{n + 1}", "10k", "resistor-10k", "Device:R",
                               "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P10.16mm_Horizontal",
                               {1: ("1", "+3V3"), 2: ("2", f"COL_{'ABCDEFGH'[n]}")}))
    for rank in range(8):
        for file in range(8):
            square = f"{'abcdefgh'[file]}{rank + 1}"
            parts.append(reed(square, f"COL_{'ABCDEFGH'[file]}", square_net(square)))
            parts.append(Component(f"D{8 * rank + file + 1}", "BAT85", "diode", "Device:D_Schottky",
                                   "Diode_THT:D_DO-35_SOD27_P7.62mm_Horizontal",
                                   {1: ("K", f"ROW{rank + 1}"), 2: ("A", square_net(square))}))
    return parts


def nets(parts):
    """Net -> [(component, pin)], in the order of the components."""
    found = {}
    for part in parts:
        for pin, (_, net) in part.pins.items():
            if net is not NC:
                found.setdefault(net, []).append((part, pin))
    return dict(sorted(found.items()))


def check(variant, parts):
    """What every circuit must be: no reference twice, no net with a single end, each square once."""
    refs = [part.ref for part in parts]
    if len(refs) != len(set(refs)):
        raise ValueError(f"{variant}: a reference is used twice")
    for net, ends in nets(parts).items():
        if len(ends) < 2 and net not in ("+5V",):
            raise ValueError(f"{variant}: net {net} has one end only: {ends[0][0].ref}")
    reeds = {part.value for part in parts if part.part == "reed"}
    if len(reeds) != 64:
        raise ValueError(f"{variant}: {len(reeds)} reeds")
