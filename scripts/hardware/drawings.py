"""The board from above, a cut through two squares, the pieces, and how everything is joined."""

from svg import Drawing

WOOD, DARK, TILE = "#f7e6c4", "#b98a55", "#d8b483"


def board(wiring):
    size = wiring["board"]
    scale = 2.4
    edge, side = size["border"] * scale, size["square"] * scale
    whole = 2 * edge + 8 * side
    playing = 8 * size["square"]
    outside = playing + 2 * size["border"]
    pitch, depth = wiring["print"]["button_pitch"] * scale, (wiring["print"]["button_hole"] + 16) * scale
    sheet = Drawing(whole + depth * 2 + 300, whole + 150, "The board from above",
                    f"Eight by eight squares of {size['square']} millimetres, {playing} millimetres in all, "
                    f"in a border of {size['border']} millimetres. The black squares are raised by "
                    f"{size['raised']} millimetres. Every square has a hole of {size['hole']} millimetres in "
                    "its middle. The white player sits at the lower edge, a1 is at his left. A stud marks the "
                    "corner beside a1. At the left hangs a panel with two buttons, at the right one with three.")
    x0, y0 = 60 + depth, 60
    sheet.text(x0 + whole / 2, 32, "The board from above, measures in millimetres", 17, "middle", bold=True)
    sheet.rect(x0, y0, whole, whole, fill=WOOD, width=2, rx=6)
    for rank in range(8):
        for file in range(8):
            x, y = x0 + edge + file * side, y0 + edge + (7 - rank) * side
            dark = (rank + file) % 2 == 0
            sheet.rect(x, y, side, side, fill=DARK if dark else "#fff8e8", width=2 if dark else 0.6)
            sheet.circle(x + side / 2, y + side / 2, size["hole"] * scale / 2, fill="#222")
    for n in range(8):
        middle = edge + n * side + side / 2
        for y in (y0 + edge / 2 + 6, y0 + whole - edge / 2 + 6):
            sheet.text(x0 + middle, y, "abcdefgh"[n], 18, "middle", bold=True)
        for x in (x0 + edge / 2, x0 + whole - edge / 2):
            sheet.text(x, y0 + whole - middle + 6, str(n + 1), 18, "middle", bold=True)
    sheet.circle(x0 + 20, y0 + whole - 20, 7, fill="#666")
    names = [button["name"].replace("_", " ") for button in wiring["button"]]
    for left, own in ((x0 - depth, names[:2]), (x0 + whole, names[2:])):
        long = len(own) * pitch + 8 * scale
        sheet.rect(left, y0 + whole - long, depth, long, fill="#e8e8e8", width=2)
        for n, name in enumerate(own):
            y = y0 + whole - 4 * scale - pitch * (n + 0.5)
            sheet.circle(left + depth / 2, y, 15 * scale, fill="#fff")
            sheet.text(left + depth / 2, y + 4, name, 11, "middle")
    sheet.dimension(x0 + edge, y0 + whole + 22, x0 + whole - edge, y0 + whole + 22, str(playing), 14, "below")
    sheet.dimension(x0, y0 + whole + 54, x0 + whole, y0 + whole + 54, str(outside), 14, "below")
    right = x0 + whole + 24
    aside = right + depth
    sheet.dimension(right, y0 + edge, right, y0 + edge + side, str(size["square"]), 14)
    y = y0 + edge + 3 * side
    sheet.rect(aside, y, 26, 26, fill=DARK, width=2)
    sheet.note(aside + 36, y + 12, ["black square, raised", f"by {size['raised']} mm"], 13)
    sheet.rect(aside, y + 60, 26, 26, fill="#fff8e8")
    sheet.note(aside + 36, y + 78, ["white square"], 13)
    sheet.circle(aside + 13, y + 128, size["hole"] * scale / 2, fill="#222")
    sheet.note(aside + 36, y + 125, [f"hole, {size['hole']} mm across,", "in every square"], 13)
    sheet.circle(aside + 13, y + 184, 7, fill="#666")
    sheet.note(aside + 36, y + 181, ["stud to feel,", "at the corner by a1"], 13)
    return sheet.svg()


def section(wiring):
    size, magnet, reed = wiring["board"], wiring["magnet"], wiring["reed"]
    scale = 8.0
    sheet = Drawing(1180, 480, "Cut through a white and a black square",
                    f"A white square at the left, a black one at the right, {size['square']} millimetres each. From "
                    f"above: a tile of {size['raised']} millimetres on the black square only, the top of "
                    f"{size['top']} millimetres with a hole of {size['hole']}, the floor of {size['floor']}, and under it the "
                    f"reed, whose axis is {reed['axis_below_floor']} below the floor and whose middle is {reed['offset']} "
                    "from the hole's axis. The peg ends in the magnet; on the black square it stands "
                    f"{size['raised']} higher.")
    sheet.text(590, 30, "Cut along the diagonals of two squares, measures in millimetres", 17, "middle", bold=True)
    x0, top = 150, 190
    # Along the diagonal.
    width = size["square"] * scale * 2**0.5
    below = top + size["top"] * scale
    floor = below + size["floor"] * scale
    gap = size["top"] - size["peg_length"]
    for n, (name, raised) in enumerate((("white square", 0), ("black square", size["raised"]))):
        left = x0 + n * (width + 40)
        axis = left + width / 2
        half = size["hole"] * scale / 2
        surface = top - raised * scale
        for a, b in ((left, axis - half), (axis + half, left + width)):
            sheet.rect(a, top, b - a, size["top"] * scale, fill=WOOD)
            if raised:
                sheet.rect(a, surface, b - a, raised * scale, fill=TILE)
        sheet.rect(left, below, width, size["floor"] * scale, fill="#c9d6e8")
        # The foot of a piece and its peg.
        foot, peg = 9 * scale, size["peg"] * scale / 2
        sheet.polygon([(axis - foot, surface), (axis + foot, surface), (axis + foot, surface - 14),
                       (axis + foot * 0.55, surface - 34), (axis + foot * 0.35, surface - 80),
                       (axis - foot * 0.35, surface - 80), (axis - foot * 0.55, surface - 34),
                       (axis - foot, surface - 14)], fill="#eee")
        tip = surface + size["peg_length"] * scale
        sheet.rect(axis - peg, surface, 2 * peg, tip - surface, fill="#eee")
        sheet.rect(axis - magnet["diameter"] * scale / 2, tip - magnet["length"] * scale,
                   magnet["diameter"] * scale, magnet["length"] * scale, fill="#d04040")
        # The reed: its middle off the axis.
        line = floor + reed["axis_below_floor"] * scale
        glass = reed["glass"] * scale
        middle = axis + reed["offset"] * scale
        sheet.line(middle - glass / 2 - 14, line, middle + glass / 2 + 14, line, width=3)
        sheet.rect(middle - glass / 2, line - reed["glass_diameter"] * scale / 2, glass,
                   reed["glass_diameter"] * scale, fill="#e8f4e8", rx=8)
        sheet.line(middle - glass / 2, line - 2, middle + 12, line - 2, width=2.5)
        sheet.line(middle - 12, line + 3, middle + glass / 2, line + 3, width=2.5)
        sheet.line(axis, surface - 92, axis, line + 56, stroke="#888", width=1, dash="8 4 2 4")
        sheet.text(axis, surface - 100, name, 14, "middle", bold=True)
        near = gap + raised + size["floor"] + reed["axis_below_floor"]
        sheet.dimension(left + 16, tip, left + 16, line, f"{near:g}", 13)
        sheet.line(left + 8, tip, axis - 18, tip, stroke="#888", width=1, dash="3 3")
        sheet.line(left + 8, line, middle - glass / 2 - 14, line, stroke="#888", width=1, dash="3 3")
        sheet.dimension(axis, line + 40, middle, line + 40, f"{reed['offset']:g}", 13, "below")
        sheet.line(middle, line + 12, middle, line + 46, stroke="#888", width=1, dash="3 3")
        if not raised:
            sheet.dimension(left - 16, top, left - 16, below, f"top {size['top']:g}", 13, "left")
            sheet.text(left - 8, below + 12, f"floor {size['floor']:g}", 13, "end")
            sheet.text(left - 8, line + 5, "reed's axis", 13, "end")
        else:
            right = left + width
            sheet.dimension(right + 14, surface, right + 14, top, f"raised {size['raised']:g}", 13)
    sheet.note(x0 + 2 * width + 56, 250, [f"magnet {magnet['diameter']:g} across,", f"{magnet['length']:g} long (red)",
                          f"peg {size['peg']:g} across,", f"{size['peg_length']:g} long",
                          f"hole {size['hole']:g} across"], 13)
    sheet.note(60, 415, [
        "The reed lies flat under the floor along the diagonal of its square. One end of its glass is under the hole:",
        "a flat reed whose middle were under the magnet would not close, the field there has no part along the reed.",
        "The pieces stand on their feet, so the pegs of the black squares end higher by as much as these are raised."], 13)
    return sheet.svg()


# Half widths of turned pieces, in millimetres, at heights above the square.
PROFILES = {
    "pawn": [(0, 7), (3, 7), (5, 5), (14, 2.6), (16, 4), (18, 2.6), (20, 3.8), (23, 4.4), (26, 3.8), (28, 0)],
    "rook": [(0, 8), (3, 8), (6, 5.5), (20, 4.2), (22, 6), (30, 6), (30, 0)],
    "knight": None,
    "bishop": [(0, 8), (3, 8), (6, 5), (22, 3), (24, 5), (26, 3.2), (30, 4.6), (34, 4), (38, 1.2), (40, 0)],
    "queen": [(0, 9), (3, 9), (6, 6), (28, 3.2), (30, 5.5), (32, 3.6), (42, 6), (44, 4), (47, 1.6), (48, 0)],
    "king": [(0, 9), (3, 9), (6, 6), (30, 3.4), (32, 6), (34, 4), (45, 6), (47, 3), (48, 1.4)],
}
KNIGHT = [(-8, 0), (-8, 3), (-6, 6), (-5, 10), (-2, 16), (-6, 15), (-8, 19), (-4, 25), (-1, 29), (0, 33), (3, 29),
          (6, 22), (6, 10), (6, 6), (8, 3), (8, 0)]


def pieces(wiring):
    size = wiring["board"]
    scale = 4.4
    sheet = Drawing(1000, 740, "The pieces: Staunton, with pegs, black ones marked",
                    "Two rows of pawn, rook, knight, bishop, queen and king, each with a peg under its foot and a "
                    "magnet in the end of the peg. The upper row is white. The lower row is black: a "
                    "round-headed pin of brass stands on top of each, 2 millimetres high, so that it is felt at once.")
    sheet.text(500, 30, "Staunton pieces with pegs; the black ones carry a pin on their heads", 17, "middle", bold=True)
    for row, (base, fill) in enumerate(((300, "#fffdf4"), (650, "#555"))):
        for n, (name, profile) in enumerate(PROFILES.items()):
            x = 90 + n * 150
            if profile is None:
                points = [(x + a * scale, base - h * scale) for a, h in KNIGHT]
                crown = x, base - 33 * scale
            else:
                points = [(x - w * scale, base - h * scale) for h, w in profile]
                points += [(x + w * scale, base - h * scale) for h, w in reversed(profile)]
                crown = x, base - profile[-1][0] * scale
            peg = size["peg"] * scale / 2
            sheet.rect(x - peg, base, 2 * peg, size["peg_length"] * scale, fill="#e8d8b0")
            mag = wiring["magnet"]
            sheet.rect(x - mag["diameter"] * scale / 2, base + (size["peg_length"] - mag["length"]) * scale,
                       mag["diameter"] * scale, mag["length"] * scale, fill="#d04040", width=1)
            sheet.polygon(points, fill=fill)
            if name == "king":
                cx, cy = crown
                arm = 2.4 * scale
                sheet.line(cx, cy, cx, cy - 2.2 * arm, width=5)
                sheet.line(cx - arm, cy - 1.3 * arm, cx + arm, cy - 1.3 * arm, width=5)
                crown = cx, cy - 2.2 * arm
            if row:
                cx, cy = crown
                sheet.line(cx, cy, cx, cy - 8, stroke="#a07000", width=4)
                sheet.circle(cx, cy - 9, 5, fill="#ffcc33", stroke="#a07000")
            else:
                sheet.text(x + 22, base + 34, name, 13)
    sheet.text(965, 180, "white", 14, "end", bold=True)
    sheet.text(965, 540, "black", 14, "end", bold=True)
    sheet.note(130, 725, ["peg and magnet as in the cut; the pin on a black head is 2 mm high"], 12)
    return sheet.svg()


def overview(wiring):
    sheet = Drawing(1080, 620, "How everything is joined",
                    "In the middle the Raspberry Pi. A ribbon cable joins it to the sensor board under the peg board, "
                    "where the buttons arrive too. On USB: a sound adapter with the player's headset, and the DGT "
                    "board, into which the DGT clock is plugged. The loudspeaker is on the 3.5 millimetre "
                    "socket. Power comes from a USB-C supply.")
    sheet.text(540, 32, "How everything is joined", 17, "middle", bold=True)

    def block(x, y, w, h, lines, fill="#fff"):
        sheet.rect(x, y, w, h, fill=fill, rx=6, width=2)
        middle = y + h / 2 - (len(lines) - 1) * 9 + 5
        for n, line in enumerate(lines):
            sheet.text(x + w / 2, middle + n * 18, line, 13, "middle", bold=n == 0)

    def wire(points, label, x, y):
        sheet.polygon(points, fill="none", closed=False, width=2)
        sheet.text(x, y, label, 12, "middle", "#004a99")

    block(440, 240, 200, 120, ["Raspberry Pi", "40-pin header, USB,", "3.5 mm socket"], "#e6f4e6")
    block(40, 240, 220, 120, ["Sensor board", "chips, pull-ups", "under the peg board"], "#fffbe8")
    block(40, 80, 220, 80, ["64 reeds", "one under each hole"], "#fffbe8")
    block(40, 450, 220, 90, ["5 buttons", "talk, repeat, two clocks,", "arbiter"])
    block(440, 80, 200, 80, ["Power supply", "5.1 V, 3 A, USB-C"], "#ffe6e0")
    block(820, 80, 220, 80, ["USB sound adapter", "earphone out, mic in"])
    block(820, 210, 220, 70, ["Headset", "one ear, boom microphone"])
    block(820, 330, 220, 80, ["DGT board", "the opponent's board"], "#eef")
    block(820, 470, 220, 70, ["DGT 3000 clock", "in the board's socket"], "#eef")
    block(440, 450, 200, 90, ["Loudspeaker", "announcements", "for both players"])
    wire([(260, 300), (440, 300)], "ribbon, 40 wires", 350, 290)
    wire([(150, 160), (150, 240)], "a wire each, and ground", 240, 205)
    wire([(150, 450), (150, 360)], "2 wires each", 210, 410)
    wire([(540, 160), (540, 240)], "USB-C", 575, 205)
    wire([(640, 270), (730, 270), (730, 120), (820, 120)], "USB", 755, 110)
    wire([(930, 160), (930, 210)], "two 3.5 mm plugs", 1000, 190)
    wire([(640, 320), (730, 320), (730, 370), (820, 370)], "USB", 770, 360)
    wire([(930, 410), (930, 470)], "clock cable", 980, 445)
    wire([(540, 360), (540, 450)], "3.5 mm", 575, 410)
    sheet.text(540, 600, "Without a DGT board the opponent plays on plain wood, and the Pi keeps the time itself.", 13, "middle")
    return sheet.svg()


def all_drawings(wiring):
    return {"board.svg": board(wiring), "section.svg": section(wiring), "pieces.svg": pieces(wiring),
            "overview.svg": overview(wiring)}
