"""The header and the circuit of each variant: boxes with their pins; pins whose labels are the same
are joined."""

from model import NC, VARIANTS, circuit, header_pins, signals
from svg import Drawing

STUB = 26
PITCH = 20
SMALL = 12
RAIL = {"+3V3": "#a00000", "GND": "#000", "+5V": "#a00000"}


def shown(net):
    """A net as it is written on the sheet."""
    if net is NC:
        return "not connected"
    return {"+3V3": "3.3 V", "+5V": "5 V"}.get(net, net.removeprefix("SQ_").lower()
                                               if net.startswith("SQ_") else net)


def colour(net):
    if net is NC:
        return "#666"
    if net in RAIL:
        return RAIL[net]
    return "#004a99" if not net.startswith("SQ_") else "#006030"


def box(sheet, x, y, width, component, left, right, name_room=True):
    """A component as a box at (x, y) with pins on both sides; gives its height."""
    rows = max(len(left), len(right))
    height = rows * PITCH + 14
    sheet.rect(x, y, width, height, fill="#fffbe8")
    sheet.text(x + width / 2, y - 7, f"{component.ref}  {component.value}", 13, "middle", bold=True)
    for side, pins in (("left", left), ("right", right)):
        for n, pin in enumerate(pins):
            if pin is None:
                continue
            name, net = component.pins[pin]
            py = y + 17 + n * PITCH
            if side == "left":
                sheet.line(x - STUB, py, x, py)
                sheet.text(x - STUB - 4, py + 4, shown(net), SMALL, "end", colour(net))
                sheet.text(x - 4, py - 3, str(pin), 9, "end", "#555")
                sheet.text(x + 5, py + 4, name, SMALL)
            else:
                sheet.line(x + width, py, x + width + STUB, py)
                sheet.text(x + width + STUB + 4, py + 4, shown(net), SMALL, "start", colour(net))
                sheet.text(x + width + 4, py - 3, str(pin), 9, "start", "#555")
                sheet.text(x + width - 5, py + 4, name, SMALL, "end")
    return height


def header(wiring, variant=None):
    """The 40-pin header, with the lines of one variant."""
    names = header_pins(wiring)
    nets = {}
    for key, gpio in signals(wiring, variant or "shift-register").items():
        nets[f"GPIO{gpio}"] = key
    sheet = Drawing(700, 640, "The 40-pin header of the Raspberry Pi",
                    "Twenty rows of two pins, seen from above, pin 1 at the upper left. Beside each pin its "
                    "name and, in blue, the line of the default wiring that goes there. The tables in "
                    "README.md say the same.")
    sheet.text(350, 30, "40-pin header, seen from above, default wiring", 17, "middle", bold=True)
    sheet.text(350, 52, "pin 1 lies at the corner of the Pi, away from the USB sockets", 12, "middle")
    sheet.rect(300, 66, 100, 20 * 27 + 10, fill="#eee")
    for pin, name in names.items():
        row, right = divmod(pin - 1, 2)
        x, y = (372 if right else 328), 84 + row * 27
        fill = {"3V3": "#ffd9a0", "5V": "#ffb0a0", "GND": "#aaa"}.get(name, "#fff")
        sheet.circle(x, y, 12, fill=fill)
        sheet.text(x, y + 4, str(pin), 11, "middle")
        written = {"3V3": "3.3 V", "5V": "5 V", "GND": "ground"}.get(name, name)
        if right:
            sheet.text(408, y + 4, written, 13)
            if name in nets:
                sheet.text(480, y + 4, nets[name], 13, fill=colour("net"), bold=True)
        else:
            sheet.text(292, y + 4, written, 13, "end")
            if name in nets:
                sheet.text(220, y + 4, nets[name], 13, "end", colour("net"), bold=True)
    return sheet.svg()


def schematic(wiring, variant):
    parts = {part.ref: part for part in circuit(wiring, variant)}
    draw = {"shift-register": shift_register, "expander-i2c": expander, "expander-spi": expander,
            "matrix": matrix}[variant]
    return draw(wiring, variant, parts)


def connections(sheet, x, y, wiring, variant, parts):
    """What goes to the header, as a list, with the resistors in the fast lines."""
    pins = header_pins(wiring)
    number = {name: pin for pin, name in pins.items()}
    sheet.text(x, y, "To the Pi's header", 14, bold=True)
    lines = []
    damped = {part.pins[2][1]: part.ref for part in parts.values() if part.part == "resistor-33"}
    for net, gpio in signals(wiring, variant).items():
        through = f" through {damped[net]}, 33 ohm" if net in damped else ""
        lines.append(f"{net}: pin {number[f'GPIO{gpio}']}, GPIO{gpio}{through}")
    lines += ["3.3 V: pins 1 and 17", "GND: pins 6, 9, 14, 20, 25, 30, 34, 39",
              "Buttons: from their line (BTN_…) to GND"]
    return sheet.note(x, y + 22, lines, 12)


def cell(sheet, x, y, pulled):
    """One square: contact, pull-up, input."""
    sheet.text(x, y, "Each square", 14, bold=True)
    top = y + 62
    sheet.text(x + 90, y + 30, "3.3 V", 12, "middle", RAIL["+3V3"])
    sheet.line(x + 90, y + 36, x + 90, top - 12)
    sheet.rect(x + 82, top - 12, 16, 40, fill="#fff")
    sheet.text(x + 108, top + 12, pulled, 12)
    sheet.line(x + 90, top + 28, x + 90, top + 70)
    sheet.circle(x + 90, top + 48, 3, fill="#000")
    sheet.line(x + 90, top + 48, x + 150, top + 48)
    sheet.text(x + 156, top + 52, "input of the chip", 12)
    # The contact, open.
    sheet.circle(x + 90, top + 74, 4)
    sheet.line(x + 90, top + 108, x + 76, top + 80)
    sheet.circle(x + 90, top + 112, 4)
    sheet.rect(x + 68, top + 64, 36, 58, rx=16, stroke="#888", dash="4 3")
    sheet.text(x + 112, top + 98, "reed: closed while a peg is there", 12)
    sheet.line(x + 90, top + 116, x + 90, top + 138)
    sheet.line(x + 76, top + 138, x + 104, top + 138, width=3)
    sheet.text(x + 112, top + 142, "GND", 12)


def shift_register(wiring, variant, parts):
    chips = wiring[variant]["squares"]
    sheet = Drawing(1320, 960, "Eight 74HC165 shift registers in a chain",
                    "Eight boxes, U1 to U8, one for each rank. Left the inputs A to H with their squares, "
                    "right latch, clock, serial input, output and supply. The output QH of U1 goes to the "
                    "Pi; the serial input of each chip comes from the output of the next; that of U8 is "
                    "at ground. All is said in the tables of README.md too.")
    sheet.text(660, 34, "Shift registers: U1 lies at the Pi's end of the chain", 18, "middle", bold=True)
    for n in range(len(chips)):
        x, y = 90 + (n % 4) * 325, 90 + (n // 4) * 265
        chip = parts[f"U{n + 1}"]
        box(sheet, x, y, 120, chip, [11, 12, 13, 14, 3, 4, 5, 6], [1, 2, 15, 10, 9, 7, 16, 8])
        network = parts[f"RN{n + 1}"]
        sheet.text(x - 52, y + 195, f"{network.ref}: 10 kilohm from 3.3 V to each input", 11)
        sheet.text(x - 52, y + 211, f"C{n + 1}: 100 nF from pin 16 to pin 8", 11)
    sheet.note(40, 640, ["Lines with the same label are joined. Numbers beside a box are pins of the package.",
                         "Squares are labels too: a1 on a chip goes to one leg of reed a1, its other leg to GND.",
                         f"C{len(chips) + 1}: 10 microfarad between 3.3 V and GND, where the ribbon cable arrives."], 13)
    connections(sheet, 40, 730, wiring, variant, parts)
    cell(sheet, 640, 730, "10 kilohm of the network")
    return sheet.svg()


def expander(wiring, variant, parts):
    count = len(wiring[variant]["addresses"])
    i2c = variant == "expander-i2c"
    name = wiring[variant]["chip"]
    sheet = Drawing(1320, 1160 if i2c else 880, f"{'Five' if i2c else 'Four'} {name} port expanders",
                    f"Boxes U1 to U{count}, one for each chip. Left the inputs with their squares, right bus, "
                    "address pins and supply. " +
                    ("GPA7 and GPB7 are not connected. " if i2c else "") +
                    "All is said in the tables of README.md too.")
    sheet.text(660, 34, f"{name}: "
               + ("GPA7 and GPB7 can be outputs only and stay free" if i2c else "all on one chip select, told apart by address"),
               18, "middle", bold=True)
    left = [*range(21, 29), *range(1, 9)]
    right = [12, 13] if i2c else [11, 12, 13, 14]
    right += [None, 15, 16, 17, None, 18, 9, 10, None, 19, 20]
    for n in range(count):
        x, y = 150 + (n % 3) * 430, 90 + (n // 3) * 400
        address = wiring[variant]["addresses"][n]
        box(sheet, x, y, 130, parts[f"U{n + 1}"], left, right)
        sheet.text(x + 65, y + 352, f"address 0x{address:02x}; C{n + 1}: 100 nF from pin 9 to pin 10", 11, "middle")
    x = 150 + (count % 3) * 430 - 70
    lines = ["Lines with the same label are joined.", "Squares are labels too: a1 on a chip goes",
             "to one leg of reed a1, its other leg to GND.", "The chips' own pull-ups are used.",
             f"C{count + 1}: 10 microfarad between 3.3 V and GND."]
    if i2c:
        lines.append("SDA, SCL: pulled up on the Pi, 1.8 kilohm.")
    y = sheet.note(x, 500, lines, 13)
    connections(sheet, 40 if i2c else x, 925 if i2c else y + 20, wiring, variant, parts)
    cell(sheet, *((640, 925) if i2c else (x + 430, 500)), "inside the chip, about 100 kilohm")
    return sheet.svg()


def matrix(wiring, variant, parts):
    sheet = Drawing(1160, 1050, "Matrix of 8 by 8 reeds with diodes",
                    "A grid: eight columns from the Pi come down, one for each file, each pulled up by 10 "
                    "kilohm; eight rows go across, one for each rank. At every crossing a reed and a diode "
                    "join column and row, the diode's cathode (ring) to the row.")
    sheet.text(560, 34, "Matrix: one row is low at a time, the columns are read", 18, "middle", bold=True)
    x0, y0, dx, dy = 130, 150, 105, 78
    pins = {f"ROW{n + 1}": gpio for n, gpio in enumerate(wiring["matrix"]["rows"])}
    for file in range(8):
        x = x0 + file * dx
        sheet.text(x, 70, f"COL_{'ABCDEFGH'[file]}", 12, "middle", colour("net"), bold=True)
        sheet.text(x, 86, f"GPIO{wiring['matrix']['columns'][file]}", 11, "middle")
        sheet.text(x, 102, f"R{file + 1} to 3.3 V", 11, "middle", RAIL["+3V3"])
        sheet.line(x, 108, x, y0 + 7 * dy - 14, stroke="#004a99")
    for rank in range(8):
        y = y0 + rank * dy + 34
        sheet.line(x0 + 40, y, x0 + 8 * dx - 30, y, stroke="#a05000")
        sheet.text(x0 + 8 * dx - 24, y + 4, f"ROW{rank + 1}", 12, fill="#a05000", bold=True)
        sheet.text(x0 + 8 * dx + 30, y + 4, f"GPIO{pins[f'ROW{rank + 1}']}", 11)
        for file in range(8):
            x, top = x0 + file * dx, y - 48
            sheet.circle(x, top, 3, fill="#004a99")
            # Column, contact, diode down to the row.
            sheet.line(x, top, x + 14, top)
            sheet.circle(x + 17, top, 3)
            sheet.line(x + 20, top, x + 35, top - 10)
            sheet.circle(x + 39, top, 3)
            sheet.polygon([(x + 42, top), (x + 52, top), (x + 52, top + 16)], fill="none", closed=False)
            sheet.polygon([(x + 45, top + 16), (x + 59, top + 16), (x + 52, top + 29)], fill="#fff")
            sheet.line(x + 45, top + 30, x + 59, top + 30, width=2.5)
            sheet.line(x + 52, top + 30, x + 52, y)
            sheet.circle(x + 52, y, 3, fill="#a05000")
            sheet.text(x + 62, top + 12, f"{'abcdefgh'[file]}{rank + 1}", 11, fill=colour("SQ_"))
    sheet.note(40, 830, [
        "Each crossing: column, reed, diode BAT85 (ring towards the row), row.",
        "Without the diodes three pegs at the corners of a rectangle would show a fourth (ghosting).",
        "D1 to D64 and S1 to S64 count from a1 to h1, then a2, up to h8.",
        "The resistors R1 to R8 have 10 kilohm each."], 13)
    text = [f"{net}: GPIO{gpio}" for net, gpio in signals(wiring, variant).items() if net.startswith("BTN")]
    sheet.text(40, 930, "Buttons", 14, bold=True)
    sheet.note(40, 952, [f"{line}, other side to GND" for line in text], 12)
    return sheet.svg()


def all_sheets(wiring):
    return {"header.svg": header(wiring)} | {f"{variant}.svg": schematic(wiring, variant)
                                             for variant in VARIANTS}
