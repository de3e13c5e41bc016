"""Netlists for KiCad, the parts list, and the tables of README.md."""

import csv
import io

from model import VARIANTS, circuit, header_pins, inputs_of, nets, pin_of, signals, squares_of
from sexpr import quoted


def netlist(wiring, variant):
    """KiCad's netlist, version E: what its board editor and other tools read."""
    parts = circuit(wiring, variant)
    lines = ['(export (version "E")', "  (design", f'    (source {quoted("hardware/wiring.toml")})',
             f'    (tool {quoted("scripts/hardware/generate.py, " + variant)}))', "  (components"]
    for part in parts:
        library, name = part.library.split(":")
        lines.append(f"    (comp (ref {quoted(part.ref)}) (value {quoted(part.value)}) "
                     f"(footprint {quoted(part.footprint)}) "
                     f"(libsource (lib {quoted(library)}) (part {quoted(name)}) (description \"\")))")
    lines[-1] += ")"
    lines.append("  (nets")
    for code, (net, ends) in enumerate(nets(parts).items(), 1):
        lines.append(f'    (net (code "{code}") (name {quoted(net)})')
        lines += [f'      (node (ref {quoted(part.ref)}) (pin "{pin}") '
                  f"(pinfunction {quoted(part.pins[pin][0])}))" for part, pin in ends]
        lines[-1] += ")"
    lines[-1] += "))"
    return "\n".join(lines) + "\n"


def quantities(wiring):
    """Part -> variant -> pieces to buy."""
    counted = {variant: {} for variant in VARIANTS}
    for variant in VARIANTS:
        for component in circuit(wiring, variant):
            counted[variant][component.part] = counted[variant].get(component.part, 0) + 1
    known = {part["id"] for part in wiring["part"]}
    for variant, parts in counted.items():
        if missing := set(parts) - known:
            raise ValueError(f"{variant}: not in the parts list: {', '.join(sorted(missing))}")
    found = {}
    for part in wiring["part"]:
        found[part["id"]] = {}
        for variant in VARIANTS:
            if "count" in part:
                pieces = part["count"] if variant in part.get("only", VARIANTS) else 0
            else:
                pieces = counted[variant].get(part["id"], 0)
                pieces += part["spare"] if pieces else 0
            found[part["id"]][variant] = pieces
    return found


def csv_text(rows):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def parts_csv(wiring):
    rows = [["id", "part", "maker", "number", *VARIANTS, "eur_each_estimate"]]
    pieces = quantities(wiring)
    for part in wiring["part"]:
        rows.append([part["id"], part["name"], part.get("maker", ""), part.get("number", ""),
                     *pieces[part["id"]].values(), f"{part['eur']:.2f}"])
    return csv_text(rows)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def cost(wiring, variant):
    pieces = quantities(wiring)
    return sum(part["eur"] * pieces[part["id"]][variant] for part in wiring["part"])


def tables(wiring):
    """Name of the place in README.md -> what is to stand there."""
    pieces = quantities(wiring)
    default, *others = VARIANTS
    bought = [[part["name"], " ".join(filter(None, [part.get("maker"), part.get("number")])) or
               "any that fits", pieces[part["id"]][default], f"{part['eur']:.2f}"]
              for part in wiring["part"] if pieces[part["id"]][default]]
    found = {"parts": table(["part", "maker and number", "pieces", "euros each, estimate"], bought)}
    changes = []
    for variant in others:
        differs = [part for part in wiring["part"]
                   if pieces[part["id"]][variant] != pieces[part["id"]][default]]
        for part in differs:
            number = " ".join(filter(None, [part.get("maker"), part.get("number")])) or "any"
            changes.append([variant, part["name"], number, pieces[part["id"]][variant]])
    found["parts-others"] = table(["way", "part", "maker and number", "pieces instead"], changes)
    found["cost"] = table(["way", "all parts, euros, estimate"],
                          [[VARIANTS[variant], f"{cost(wiring, variant):.0f}"] for variant in VARIANTS])
    found["header"] = table(["row", "odd pin", "is", "even pin", "is"],
                            [[row + 1, 2 * row + 1, left, 2 * row + 2, right]
                             for row, (left, right) in enumerate(wiring["header"]["rows"])])
    found["buttons"] = table(["button", "does", "GPIO", "header pin"],
                             [[button["name"], button["does"], button["gpio"],
                               pin_of(wiring, button["gpio"])] for button in wiring["button"]])
    buttons = {f"BTN_{button['name'].upper().replace('-', '_')}" for button in wiring["button"]}
    for variant in VARIANTS:
        rows = [[net, gpio, pin_of(wiring, gpio)] for net, gpio in signals(wiring, variant).items()
                if net not in buttons]
        found[f"signals-{variant}"] = table(["line", "GPIO", "header pin"], rows)
    found["power"] = table(["what", "header pins"], [
        [what, ", ".join(str(pin) for pin, name in header_pins(wiring).items() if name == rail)]
        for what, rail in (("3.3 volts", "3V3"), ("5 volts", "5V"), ("ground", "GND"))])
    found |= chips(wiring)
    return found


def chips(wiring):
    found = {}
    pins = {"A": 11, "B": 12, "C": 13, "D": 14, "E": 3, "F": 4, "G": 5, "H": 6}
    squares = squares_of(wiring, "shift-register")
    found["squares-shift-register"] = table(
        ["chip", *(f"{name}, pin {pin}" for name, pin in pins.items())],
        [[f"U{n + 1}", *chip] for n, chip in enumerate(squares)])
    for variant in ("expander-i2c", "expander-spi"):
        rows = []
        for n, (address, chip) in enumerate(zip(wiring[variant]["addresses"],
                                                squares_of(wiring, variant))):
            straps = ", ".join(f"A{bit} to {'3.3 volts' if address >> bit & 1 else 'ground'}"
                               for bit in (2, 1, 0))
            per_port = len(inputs_of(variant)) // 2
            rows.append([f"U{n + 1}", f"0x{address:02x}", straps, " ".join(chip[:per_port]),
                         " ".join(chip[per_port:])])
        last = len(inputs_of(variant)) // 2 - 1
        found[f"squares-{variant}"] = table(
            ["chip", "address", "address pins", f"GPA0 to GPA{last}", f"GPB0 to GPB{last}"], rows)
    matrix = wiring["matrix"]
    found["squares-matrix"] = table(
        ["rank", "row on GPIO", "header pin", "file", "column on GPIO", "header pin"],
        [[n + 1, matrix["rows"][n], pin_of(wiring, matrix["rows"][n]), "abcdefgh"[n],
          matrix["columns"][n], pin_of(wiring, matrix["columns"][n])] for n in range(8)])
    return found
