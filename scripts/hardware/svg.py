"""A drawing as SVG text that can be read by eye and by ear: every drawing has a title and a
description, and no two of its texts may lie on one another."""

from html import escape

# Widths of DejaVu Sans and Arial lie below this share of the type size, for the letters used here.
LETTER = 0.6


class Overlap(Exception):
    """Two texts on one another, or a text that leaves the sheet."""


class Drawing:
    """Sizes and places in pixels, from the upper left corner."""

    def __init__(self, width, height, title, desc):
        self.width, self.height, self.title, self.desc = width, height, title, desc
        self.parts, self.texts = [], []

    def rect(self, x, y, w, h, fill="none", stroke="#000", width=1.5, rx=0, dash=None):
        self._add("rect", x=x, y=y, width=w, height=h, rx=rx or None, fill=fill, stroke=stroke,
                  stroke_width=width, stroke_dasharray=dash)

    def line(self, x1, y1, x2, y2, stroke="#000", width=1.5, dash=None):
        self._add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, stroke_width=width,
                  stroke_dasharray=dash)

    def circle(self, x, y, r, fill="#fff", stroke="#000", width=1.5):
        self._add("circle", cx=x, cy=y, r=r, fill=fill, stroke=stroke, stroke_width=width)

    def polygon(self, points, fill="#fff", stroke="#000", width=1.5, closed=True):
        text = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self._add("polygon" if closed else "polyline", points=text, fill=fill, stroke=stroke,
                  stroke_width=width, stroke_linejoin="round")

    def path(self, d, fill="none", stroke="#000", width=1.5):
        self._add("path", d=d, fill=fill, stroke=stroke, stroke_width=width)

    def arrow(self, x1, y1, x2, y2, stroke="#000"):
        """A line with a head at its end; level or upright ones only."""
        self.line(x1, y1, x2, y2, stroke)
        sx = (x2 > x1) - (x2 < x1)
        sy = (y2 > y1) - (y2 < y1)
        self.polygon([(x2, y2), (x2 - 7 * sx + 3.5 * sy, y2 - 7 * sy + 3.5 * sx),
                      (x2 - 7 * sx - 3.5 * sy, y2 - 7 * sy - 3.5 * sx)], fill=stroke, stroke=stroke,
                     width=1)

    def dimension(self, x1, y1, x2, y2, text, size=13, side=None):
        """A measured length: a line with a head at both ends and the measure beside it."""
        self.arrow((x1 + x2) / 2, (y1 + y2) / 2, x1, y1, "#555")
        self.arrow((x1 + x2) / 2, (y1 + y2) / 2, x2, y2, "#555")
        if y1 == y2:
            self.text((x1 + x2) / 2, y1 - 5 if side != "below" else y1 + size + 3, text, size, "middle")
        elif side == "left":
            self.text(min(x1, x2) - 7, (y1 + y2) / 2 + size * 0.35, text, size, "end")
        else:
            x, y = max(x1, x2) + 7, (y1 + y2) / 2 + size * 0.35
            self.rect(x - 2, y - size, len(text) * size * LETTER + 4, size * 1.3, fill="#fff",
                      stroke="none")
            self.text(x, y, text, size)

    def text(self, x, y, text, size=13, anchor="start", fill="#000", bold=False, upright=False):
        """Text on the line y. `upright`: turned to read from below, in the middle of (x, y)."""
        length = len(text) * size * LETTER * (1.08 if bold else 1)
        left = x - {"start": 0, "middle": length / 2, "end": length}[anchor]
        box = (left, y - size * 0.75, left + length, y + size * 0.22)
        if upright:
            box = (x - size * 0.75, y - length / 2, x + size * 0.25, y + length / 2)
        self.texts.append((box, text))
        self._add("text", escape(text), x=x, y=y, font_size=size, fill=fill,
                  text_anchor="middle" if upright else None if anchor == "start" else anchor,
                  font_weight="bold" if bold else None,
                  transform=f"rotate(-90 {number(x)} {number(y)})" if upright else None)

    def note(self, x, y, lines, size=13, fill="#000"):
        """Lines of text below one another; gives the place of the next one."""
        for line in lines:
            self.text(x, y, line, size, fill=fill)
            y += size * 1.4
        return y

    def svg(self):
        self._check()
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(self.width)} '
                f'{number(self.height)}" width="{number(self.width)}" height="{number(self.height)}" '
                'role="img" aria-labelledby="title desc" font-family="DejaVu Sans, Arial, sans-serif">')
        body = [head, f'<title id="title">{escape(self.title)}</title>',
                f'<desc id="desc">{escape(self.desc)}</desc>',
                f'<rect width="{number(self.width)}" height="{number(self.height)}" fill="#fff"/>']
        return "\n".join([*body, *self.parts, "</svg>", ""])

    def _add(self, tag, inner=None, **attributes):
        given = "".join(f' {name.replace("_", "-")}="{number(value)}"'
                        for name, value in attributes.items() if value is not None)
        self.parts.append(f"<{tag}{given}/>" if inner is None else f"<{tag}{given}>{inner}</{tag}>")

    def _check(self):
        for n, (a, one) in enumerate(self.texts):
            if a[0] < 0 or a[1] < 0 or a[2] > self.width or a[3] > self.height:
                raise Overlap(f"{self.title}: '{one}' leaves the sheet: {a}")
            for b, other in self.texts[n + 1:]:
                if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
                    raise Overlap(f"{self.title}: '{one}' and '{other}' lie on one another")


def number(value):
    """No more digits than a pixel needs; the same text on every machine."""
    if isinstance(value, float):
        text = f"{value:.2f}".rstrip("0").rstrip(".")
        return "0" if text in ("-0", "") else text
    return value
