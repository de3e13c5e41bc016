"""A picture of a printed board, drawn from its file: what is etched, drilled and milled."""

from boards import ORIGIN
from copper import BOTH, Etched
from svg import Drawing

COLOURS = {"F.Cu": "#c04030", "B.Cu": "#3050c0"}
SAYS = {
    "strip": ("The rank strip, seen from above",
              "A narrow board as long as a rank. Eight slots lie across it at 45 degrees, one in each square, each with a "
              "plated hole at either end for the wire of a reed. Along the lower edge lie ten round test pads, eight for the "
              "files with a notch at the edge below each, one for ground with two notches and one for 3.3 volts with none. "
              "At the left end hang two box headers, IN below and OUT above; the corner above them is cut off. Chip, "
              "capacitor and resistors hang under the board beside them. Red copper is above, blue below."),
    "pi-board": ("The board at the Pi's cable, seen from above",
                 "A board with a hole at each corner. Along the upper edge a box header of 40 pins for the Pi's cable and one "
                 "of 10 for the first strip. Along the lower edge five sockets for the buttons, then after a gap three for "
                 "lights. Between them resistors, fuse, capacitor and two clamps. Red copper is above, blue below."),
}


def board(wiring, board, text):
    etched = Etched(text)
    left, lower, right, upper = board.box
    scale = min(8.0, 1240 / (right - left))
    title, desc = SAYS[board.name]
    measures = f"{right - left:g} by {upper - lower:g} millimetres"
    sheet = Drawing((right - left) * scale + 60, (upper - lower) * scale + 110, title, f"{desc} {measures}.")

    def at(point):
        return (point[0] - ORIGIN[0] - left) * scale + 30, (point[1] - ORIGIN[1] + upper) * scale + 60
    sheet.text(30, 30, f"{title}: {measures}", 16, bold=True)
    points = [at((ORIGIN[0] + u, ORIGIN[1] - v)) for u, v in board.outline]
    sheet.polygon(points, fill="#e8f0e0", width=1.5)
    for layer in reversed(BOTH):
        for piece in etched.copper:
            if piece.what == "track" and piece.layers == (layer,):
                (x1, y1), (x2, y2) = map(at, piece.corners)
                sheet.line(x1, y1, x2, y2, COLOURS[layer], 2 * piece.radius * scale)
    for ring in board.slots:
        sheet.polygon([at((ORIGIN[0] + u, ORIGIN[1] - v)) for u, v in ring], fill="#fff", width=1)
    for piece in etched.pads.values():
        fill = "#d8b030" if len(piece.layers) > 1 else COLOURS[piece.layers[0]]
        if len(piece.corners) > 2:
            sheet.polygon([at(corner) for corner in piece.corners], fill=fill, width=0.3)
        else:
            for corner in piece.corners:
                sheet.circle(*at(corner), piece.radius * scale, fill, width=0.3)
    for middle, radius, _ in etched.holes:
        sheet.circle(*at(middle), radius * scale, "#fff", width=0.3)
    for part in board.parts:
        if part.order and part.order != "reed":
            x, y = at((ORIGIN[0] + part.at[0], ORIGIN[1] - part.at[1]))
            sheet.text(x, y + 4, part.ref, 10, "middle", bold=True)
    for part in board.parts:
        if part.order == "reed":
            x, y = at((ORIGIN[0] + part.at[0], ORIGIN[1] - part.at[1]))
            sheet.text(x, y + 4, part.ref, 10, "middle")
    above = all(part.side == "top" for part in board.parts)
    words = ("red: copper and parts above; blue: copper below; white: holes" if above
             else "red: copper above; blue: copper and parts below; white: holes and slots")
    sheet.text(30, (upper - lower) * scale + 88, words, 12)
    return sheet.svg()
