"""What is printed, and hardware/parts/measures.scad: the measures of wiring.toml for OpenSCAD."""

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


def models(wiring):
    """Name -> (source, values that differ from it, pieces for one kit, what it is)."""
    ranks = 8
    posts = len(wiring["strip"]["posts"])
    found = {
        "peg": ("peg", {}, 40, "peg with a pocket for its magnet; print it standing, pocket below"),
        "cradle-left": ("cradle", {}, ranks, "holds a rank strip under the floor, files a to d"),
        "cradle-right": ("cradle", {"right": "true"}, ranks, "the same, files e to h"),
        "cap": ("cap", {}, ranks * posts, "holds the strip on a pin of its cradle"),
        "pin": ("pin", {}, ranks * posts, "pin of a cradle; better cut from rod of 3 millimetres, each as long as this one"),
        "tile": ("tile", {}, 32, "black square, if they are not sawn or lasered"),
        "stud": ("stud", {}, 1, "stud beside a1, if it is not a brass nut; with support"),
        "jig": ("jig", {}, 1, "guide for drilling, if the top is not milled or lasered; print it with the pin up"),
        "panel-left": ("panel", {"dots": "[2, 1]"}, 1, "buttons talk (one dot) and repeat (two); print it on its closed long side"),
        "panel-right": ("panel", {"dots": "[3, 4, 5]"}, 1,
                        "buttons clock left (three dots), clock right (four), arbiter (five); the same way"),
        "tray": ("tray", {}, 1, "for the Pi and its board"),
    }
    men = ((8, "pawns"), (6, "rooks, knights, bishops"), (3, "king and two queens"))
    for foot, (pieces, what) in zip(wiring["print"]["feet"], men):
        for colour in ("white", "black"):
            dents = "; three dents in its rim" if colour == "black" else ""
            found[f"base-{foot:g}-{colour}"] = ("base", {"foot": foot, "black": "true" if colour == "black" else "false"}, pieces,
                                               f"base for {colour} {what} with feet up to {foot:g} millimetres{dents}")
    return found


def printed_table(wiring, table):
    """The table of README.md; `table`: how one is written."""
    return table(["file", "pieces", "what"], [[f"`{name}.stl`", pieces, what] for name, (_, _, pieces, what) in models(wiring).items()])
