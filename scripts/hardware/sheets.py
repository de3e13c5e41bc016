"""The circuit of a printed board as KiCad's schematic: a box for each part, and at every pin the name of its net.
And the check of such a file, for versions of KiCad whose own one cannot be run without a window."""

from boards import INPUTS, library
from sexpr import all_of, mm, name_of, numbers, one, quoted, read

PITCH = 2.54
# Kinds of pins of the chips; those of all other parts are passive.
CHIP = {1: ("SH/LD", "input"), 2: ("CLK", "input"), 7: ("/QH", "output"), 8: ("GND", "power_in"), 9: ("QH", "output"),
        10: ("SER", "input"), 15: ("CLK INH", "input"), 16: ("VCC", "power_in"),
        **{pin: (name, "input") for name, pin in INPUTS.items()}}
ESD = {1: ("IO1", "passive"), 2: ("GND", "power_in"), 3: ("IO2", "passive"), 4: ("IO3", "passive"), 5: ("VCC", "power_in"),
       6: ("IO4", "passive")}
KINDS = {"74HC165D": CHIP, "esd": ESD}
PINS = {"box-header-10": 10, "box-header-40": 40, "rn-4x10k": 8, "": 1}
FLAG = "PWR_FLAG"
FONT = "(effects (font (size 1.27 1.27)){})"


def pins_of(part):
    """Number -> (name, kind), for all pins of the part."""
    if part.order in KINDS:
        return dict(sorted(KINDS[part.order].items()))
    return {n + 1: (str(n + 1), "passive") for n in range(PINS.get(part.order, 2))}


def symbol_name(part):
    return part.order or "test-pad"


def ends(pins):
    """Number -> (x, y, way) of each pin's end, y upwards, the box in the middle."""
    rows = (len(pins) + 1) // 2
    found = {}
    for n, number in enumerate(pins):
        left = n < rows
        row = n if left else n - rows
        found[number] = (-12.7 if left else 12.7, PITCH * ((rows - 1) // 2 - row), 0 if left else 180)
    return found


def symbol(name, letters, pins):
    at = ends(pins)
    ys = [y for _, y, _ in at.values()]
    lines = [f"    (symbol {quoted('Annabella:' + name)} (pin_names (offset 1.016)) (in_bom yes) (on_board yes)"]
    for n, (key, value) in enumerate((("Reference", letters), ("Value", name), ("Footprint", ""), ("Datasheet", ""))):
        hide = " hide" if n > 1 else ""
        lines.append(f"      (property {quoted(key)} {quoted(value)} (id {n}) "
                     f"(at 0 {mm(max(ys) + PITCH * (2 - n % 2))} 0) {FONT.format(hide)})")
    lines.append(f"      (symbol {quoted(name + '_0_1')} (rectangle (start -7.62 {mm(max(ys) + 1.27)}) (end 7.62 {mm(min(ys) - 1.27)}) "
                 "(stroke (width 0.254) (type default) (color 0 0 0 0)) (fill (type background))))")
    lines.append(f"      (symbol {quoted(name + '_1_1')}")
    for number, (label, kind) in pins.items():
        x, y, way = at[number]
        lines.append(f"        (pin {kind} line (at {mm(x)} {mm(y)} {way}) (length 5.08) (name {quoted(label)} {FONT.format('')}) "
                     f"(number {quoted(number)} {FONT.format('')}))")
    return "\n".join(lines) + "))"


def schematic_file(board):
    """The text of the .kicad_sch file. Format of KiCad 6, which later ones read."""
    parts = [part for part in board.parts if part.nets]
    entries = [(part.ref, part.value, library(part), symbol_name(part), pins_of(part), part.nets) for part in parts]
    power = sorted({part.nets[number] for part in parts for number, (_, kind) in pins_of(part).items() if kind == "power_in"})
    entries += [(f"#FLG{n + 1}", FLAG, "", FLAG, {1: ("pwr", "power_out")}, {1: net}) for n, net in enumerate(power)]
    known = {}
    for ref, _, _, name, pins, _ in entries:
        known.setdefault(name, (ref.rstrip("0123456789"), pins))
    sheet = name_of(board.name, "sheet")
    lines = ["(kicad_sch (version 20211123) (generator annabella)", f"  (uuid {sheet})", '  (paper "A2")',
             f"  (title_block (title {quoted(board.title)}) (comment 1 \"made from hardware/wiring.toml by make hardware\"))",
             "  (lib_symbols", *(symbol(name, letters, pins) for name, (letters, pins) in known.items()), "  )"]
    instances = []
    x, y, deepest = 50.8, 50.8, 0.0
    for ref, value, footprint, name, pins, nets in entries:
        at = ends(pins)
        tall = PITCH * (len(at) // 2 + 6)
        if x > 540:
            x, y, deepest = 50.8, round(y + deepest, 2), 0.0
        deepest = max(deepest, tall)
        key = f"{board.name} {ref}"
        # The highest pin stands at y.
        middle = round(y + max(py for _, py, _ in at.values()), 4)
        for number, (px, py, way) in at.items():
            place = f"{mm(x + px)} {mm(middle - py)}"
            if number in nets:
                turn, side = (180, "right") if way == 0 else (0, "left")
                lines.append(f"  (global_label {quoted(nets[number])} (shape passive) (at {place} {turn}) "
                             f"{FONT.format(f' (justify {side})')} (uuid {name_of(key, 'label', number)}))")
            else:
                lines.append(f"  (no_connect (at {place}) (uuid {name_of(key, 'free', number)}))")
        here = name_of(key, "symbol")
        lines.append(f"  (symbol (lib_id {quoted('Annabella:' + name)}) (at {mm(x)} {mm(middle)} 0) (unit 1) "
                     f"(in_bom {'no' if name == 'test-pad' else 'yes'}) (on_board yes) (uuid {here})")
        high = y - 5.08
        for n, (field, words) in enumerate((("Reference", ref), ("Value", value), ("Footprint", footprint), ("Datasheet", ""))):
            hide = " hide" if n > 1 or (n == 0 and ref[0] == "#") else ""
            lines.append(f"    (property {quoted(field)} {quoted(words)} (id {n}) "
                         f"(at {mm(x)} {mm(high + PITCH * (n % 2))} 0) {FONT.format(hide)})")
        lines += [f"    (pin {quoted(number)} (uuid {name_of(key, 'pin', number)}))" for number in at]
        lines.append("  )")
        instances.append(f"    (path \"/{here}\" (reference {quoted(ref)}) (unit 1) (value {quoted(value)}) "
                         f"(footprint {quoted(footprint)}))")
        x = round(x + 63.5, 2)
    lines += ['  (sheet_instances (path "/" (page "1")))', "  (symbol_instances", *instances, "  )"]
    return "\n".join(lines) + "\n)\n"


def wired(text):
    """(reference, pin) -> (net or None, kind of pin), read from the file by where things lie."""
    tree = read(text)
    kinds = {}
    for drawn in all_of(one(tree, "lib_symbols"), "symbol"):
        kinds[str(drawn[1])] = [(str(one(pin, "number")[1]), pin[1], numbers(one(pin, "at"))[:2])
                                for unit in all_of(drawn, "symbol") for pin in all_of(unit, "pin")]

    def key(x, y):
        return round(x * 100), round(y * 100)
    labels = {}
    for label in all_of(tree, "global_label"):
        labels.setdefault(key(*numbers(one(label, "at"))[:2]), set()).add(str(label[1]))
    free = {key(*numbers(one(mark, "at"))) for mark in all_of(tree, "no_connect")}
    found, wrong, seen = {}, [], set()
    for part in all_of(tree, "symbol"):
        x, y = numbers(one(part, "at"))[:2]
        ref = next(str(field[2]) for field in all_of(part, "property") if field[1] == "Reference")
        for number, kind, (px, py) in kinds[str(one(part, "lib_id")[1])]:
            place = key(x + px, y - py)
            nets = labels.get(place, set())
            seen.add(place)
            if len(nets) > 1 or (place in free) == bool(nets):
                wrong.append(f"{ref} pin {number}: {', '.join(sorted(nets)) or 'no net'}{', and marked as free' if place in free else ''}")
            found[ref, number] = (next(iter(nets), None), kind)
    wrong += [f"{', '.join(labels[place])} stands where no pin ends" for place in sorted(set(labels) - seen)]
    return found, wrong


def faults(board, text):
    """What an electrical check must find, and what differs from the board's circuit."""
    found, wrong = wired(text)
    wanted = {(part.ref, str(number)): part.nets.get(number) for part in board.parts if part.nets for number in pins_of(part)}
    read_as = {name: net for name, (net, _) in found.items() if name[0][0] != "#"}
    for name in sorted(set(wanted) | set(read_as)):
        if wanted.get(name) != read_as.get(name):
            wrong.append(f"{'.'.join(name)} is on {read_as.get(name)}, wanted {wanted.get(name)}")
    ends_of = {}
    for name, (net, kind) in found.items():
        if net:
            ends_of.setdefault(net, []).append((name, kind))
    for net, pins in sorted(ends_of.items()):
        kinds = [kind for _, kind in pins]
        parts = [name for name, _ in pins if name[0][0] != "#"]
        if len(parts) < 2:
            wrong.append(f"{net} has one end only: {parts}")
        if kinds.count("output") + kinds.count("power_out") > 1:
            wrong.append(f"{net} is driven twice")
        if "power_in" in kinds and "power_out" not in kinds:
            wrong.append(f"{net} feeds a chip, and nothing feeds it")
        if set(kinds) == {"input"}:
            wrong.append(f"{net} is driven by nothing")
    return [f"{board.name}: {line}" for line in wrong]
