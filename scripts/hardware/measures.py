"""hardware/parts/measures.scad: the measures of wiring.toml for OpenSCAD."""

NAMES = ("board", "magnet", "reed", "strip", "pi-board", "print")


def literal(value):
    if isinstance(value, list):
        return "[" + ", ".join(literal(part) for part in value) + "]"
    return str(value)


def scad(wiring):
    lines = ["// Made from hardware/wiring.toml by make hardware. Millimetres."]
    for section in NAMES:
        for key, value in wiring[section].items():
            if not isinstance(value, str):
                lines.append(f"{section.replace('-', '_')}_{key} = {literal(value)};")
    lines.append("$fn = 64;")
    return "\n".join(lines) + "\n"
