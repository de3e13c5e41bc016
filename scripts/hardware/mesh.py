"""Printed parts as OpenSCAD makes them: an STL read as triangles, cut level, and measured; a DXF read as rings."""

import re


class Ring:
    """A closed line of a cut: its middle and how wide it is."""

    def __init__(self, points):
        self.points = points
        xs, ys = [x for x, _ in points], [y for _, y in points]
        self.at = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
        self.width, self.height = max(xs) - min(xs), max(ys) - min(ys)

    def is_round(self):
        """As OpenSCAD makes circles: wide as high, with corners all as far from the middle."""
        far = [((x - self.at[0]) ** 2 + (y - self.at[1]) ** 2) ** 0.5 for x, y in self.points]
        return len(far) > 8 and max(far) - min(far) < 0.02

    def holds(self, point):
        inside = False
        for (x1, y1), (x2, y2) in zip(self.points, self.points[1:] + self.points[:1]):
            if (y1 > point[1]) != (y2 > point[1]) and point[0] < x1 + (point[1] - y1) / (y2 - y1) * (x2 - x1):
                inside = not inside
        return inside


def rings(lines):
    """Lines joined at their ends; what does not close is left out."""
    def key(point):
        return round(point[0], 3), round(point[1], 3)
    at = {}
    for n, (a, b) in enumerate(lines):
        at.setdefault(key(a), []).append(n)
        at.setdefault(key(b), []).append(n)
    left, found = set(range(len(lines))), []
    while left:
        n = min(left)
        left.discard(n)
        first, here = lines[n]
        points = [first]
        while key(here) != key(first):
            points.append(here)
            following = next((m for m in at[key(here)] if m in left), None)
            if following is None:
                points = []
                break
            left.discard(following)
            a, b = lines[following]
            here = b if key(a) == key(here) else a
        if len(points) > 2:
            found.append(Ring(points))
    return found


def drawn(text):
    """The rings of a DXF."""
    number = r"\s*\n([-\d.e]+)\n"
    line = re.compile(rf"\nLINE\n.*?\n\s*10{number}\s*20{number}\s*11{number}\s*21{number}", re.DOTALL)
    return rings([((float(a), float(b)), (float(c), float(d))) for a, b, c, d in line.findall(text)])


class Solid:
    """The triangles of an STL."""

    def __init__(self, text):
        numbers = [tuple(map(float, words)) for words in re.findall(r"vertex (\S+) (\S+) (\S+)", text)]
        self.triangles = [numbers[n:n + 3] for n in range(0, len(numbers), 3)]
        axes = list(zip(*numbers))
        self.low, self.high = [min(axis) for axis in axes], [max(axis) for axis in axes]

    def size(self):
        return [high - low for low, high in zip(self.low, self.high)]

    def open_edges(self):
        """Edges that are not run along once in each direction: 0 if the solid is closed."""
        run = {}
        for a, b, c in self.triangles:
            for edge in ((a, b), (b, c), (c, a)):
                run[edge] = run.get(edge, 0) + 1
        return sum(1 for (a, b), count in run.items() if run.get((b, a), 0) != count)

    def volume(self):
        """Cubic millimetres; below 0 if it is inside out."""
        total = 0.0
        for (ax, ay, az), (bx, by, bz), (cx, cy, cz) in self.triangles:
            total += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
        return total / 6

    def cut(self, z):
        """The rings at a height at which no corner lies."""
        lines = []
        for corners in self.triangles:
            points = []
            for (x1, y1, z1), (x2, y2, z2) in zip(corners, corners[1:] + corners[:1]):
                if (z1 > z) != (z2 > z):
                    share = (z - z1) / (z2 - z1)
                    points.append((x1 + share * (x2 - x1), y1 + share * (y2 - y1)))
            if len(points) == 2 and points[0] != points[1]:
                lines.append(tuple(points))
        return rings(lines)
