"""What the copper of a board file really joins, and how near it comes to other copper: read from the file, as a
house will etch it, and compared with the circuit. Areas filled with ground are left out: they only help."""

import math
from itertools import combinations

from boards import ORIGIN, RIBBON, bare, both, reed_middle, stands_for
from model import circuit, nets, squares_of
from route import to_line
from sexpr import all_of, numbers, one, read

BOTH = ("F.Cu", "B.Cu")


class Piece:
    """Copper of one shape: corners, and a radius round them."""

    def __init__(self, what, net, layers, corners, radius):
        self.what, self.net, self.layers, self.corners, self.radius = what, net, layers, corners, radius
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        self.box = min(xs) - radius, min(ys) - radius, max(xs) + radius, max(ys) + radius

    def sides(self):
        if len(self.corners) < 3:
            return [(self.corners[0], self.corners[-1])]
        return list(zip(self.corners, self.corners[1:] + self.corners[:1]))

    def holds(self, point):
        """Whether a point lies inside the corners; they go round one way."""
        if len(self.corners) < 3:
            return False
        turns = [(b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) for a, b in self.sides()]
        return all(turn >= 0 for turn in turns) or all(turn <= 0 for turn in turns)

    def gap(self, other):
        """Millimetres of air; 0 or less where they touch."""
        if self.holds(other.corners[0]) or other.holds(self.corners[0]):
            return -1.0
        return min(lines_gap(a, b) for a in self.sides() for b in other.sides()) - self.radius - other.radius


def lines_gap(one_line, other):
    (a, b), (c, d) = one_line, other

    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    if side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0:
        return 0.0
    return min(to_line(*a, other), to_line(*b, other), to_line(*c, one_line), to_line(*d, one_line))


class Joined:
    """What belongs together, found pair by pair."""

    def __init__(self):
        self.parent = {}

    def root(self, key):
        """The same for all that belong together."""
        self.parent.setdefault(key, key)
        while self.parent[key] != key:
            self.parent[key] = self.parent[self.parent[key]]
            key = self.parent[key]
        return key

    def join(self, one_key, other):
        self.parent[self.root(one_key)] = self.root(other)


class Etched:
    """A board file: `pads` by (reference, pad), all copper, holes and edges."""

    def __init__(self, text):
        tree = read(text)
        names = {int(net[1]): str(net[2]) for net in all_of(tree, "net")}
        self.pads, self.copper, self.holes, self.middles = {}, [], [], {}
        for part in all_of(tree, "footprint"):
            self._part(part)
        for track in all_of(tree, "segment"):
            ends = [tuple(numbers(one(track, end))[:2]) for end in ("start", "end")]
            self.copper.append(Piece("track", names[int(one(track, "net")[1])], (one(track, "layer")[1],), ends,
                                     float(one(track, "width")[1]) / 2))
        for via in all_of(tree, "via"):
            at = tuple(numbers(one(via, "at"))[:2])
            self.copper.append(Piece("via", names[int(one(via, "net")[1])], BOTH, [at], float(one(via, "size")[1]) / 2))
            self.holes.append((at, float(one(via, "drill")[1]) / 2, "via"))
        self.edges = [tuple(tuple(numbers(one(line, end))[:2]) for end in ("start", "end"))
                      for line in all_of(tree, "gr_line") if one(line, "layer")[1] == "Edge.Cuts"]

    def _part(self, part):
        ref = next(str(text[2]) for text in all_of(part, "fp_text") if text[1] == "reference")
        x, y, *turn = numbers(one(part, "at"))
        angle = math.radians(turn[0] if turn else 0)
        self.middles[ref] = (x, y, math.degrees(angle), str(one(part, "layer")[1]))

        def out(px, py, a):
            return px * math.cos(a) + py * math.sin(a), -px * math.sin(a) + py * math.cos(a)
        for pad in all_of(part, "pad"):
            number, sort, shape = str(pad[1]), pad[2], pad[3]
            px, py, *own = numbers(one(pad, "at"))
            # A pad's own angle is counted from the sheet, not from its part.
            own = math.radians(own[0] if own else 0)
            dx, dy = out(px, py, angle)
            at = (x + dx, y + dy)
            w, h = (size / 2 for size in numbers(one(pad, "size")))
            drill = numbers(one(pad, "drill")) if one(pad, "drill") else None
            if drill:
                self.holes.append((at, drill[0] / 2, f"{ref}.{number}"))
            if sort == "np_thru_hole":
                continue
            if shape == "rect":
                corners, radius = [(-w, -h), (w, -h), (w, h), (-w, h)], 0.0
            else:
                half = abs(w - h)
                end = (half, 0) if w > h else (0, half)
                corners, radius = [(-end[0], -end[1]), end][: 2 if half else 1], min(w, h)
            corners = [tuple(p + q for p, q in zip(at, out(*corner, own))) for corner in corners]
            layers = BOTH if drill else (next(name for name in one(pad, "layers")[1:] if name.endswith(".Cu")),)
            net = one(pad, "net")
            piece = Piece(f"{ref}.{number}", str(net[2]) if net else None, layers, corners, radius)
            self.pads[ref, number] = piece
            self.copper.append(piece)

    def lay_wires(self, ref, wiring):
        """A reed's wires, which lie bare on the upper side."""
        ends = [self.pads[ref, pad] for pad in "12"]
        for pad, line in zip(ends, bare(ends[0].corners[0], ends[1].corners[0], wiring)):
            self.copper.append(Piece(f"{ref}'s wire", pad.net, ("F.Cu",), list(line), 0.3))

    def near(self, reach):
        """Pairs of copper on one layer that come nearer than this, with their gap."""
        order = sorted(self.copper, key=lambda piece: piece.box[0])
        for n, a in enumerate(order):
            for b in order[n + 1:]:
                if b.box[0] - a.box[2] > reach:
                    break
                if a.box[1] - b.box[3] > reach or b.box[1] - a.box[3] > reach or not set(a.layers) & set(b.layers):
                    continue
                gap = a.gap(b)
                if gap < reach:
                    yield a, b, gap

    def joined(self):
        """Pad -> number of the piece of copper that it belongs to, whatever net its file says."""
        pieces = Joined()
        for a, b, gap in self.near(1e-6):
            pieces.join(id(a), id(b))
        return {name: pieces.root(id(pad)) for name, pad in self.pads.items()}


def groups(joined):
    """The same as sets of what is joined, two or more."""
    found = {}
    for name, group in joined.items():
        found.setdefault(group, set()).add(name)
    return {frozenset(names) for names in found.values() if len(names) > 1}


def told(names):
    return " ".join(".".join(map(str, name)) for name in sorted(names, key=str))


def compare(what, wanted, found):
    return [f"{what}: not joined as wanted: {told(group)}" for group in sorted(wanted - found, key=told)] + [
        f"{what}: joined, and should not be: {told(group)}" for group in sorted(found - wanted, key=told)]


def faults(wiring, board, text):
    """All that is wrong with a board file, a line each."""
    etched = Etched(text)
    for part in board.parts:
        if part.order == "reed":
            etched.lay_wires(part.ref, wiring)
    rules = wiring["copper"]
    name = board.name
    wanted = {}
    for part in board.parts:
        for pad, net in part.nets.items():
            wanted.setdefault(net, set()).add((part.ref, str(pad)))
    found = compare(name, {frozenset(pads) for pads in wanted.values() if len(pads) > 1}, groups(etched.joined()))
    for a, b, gap in etched.near(rules["clearance"] - 1e-4):
        if a.net != b.net or a.net is None:
            found.append(f"{name}: {a.what} of {a.net} and {b.what} of {b.net} are {gap:.3f} mm apart")
    for piece in etched.copper:
        if piece.what.endswith("wire"):
            continue
        edge = min(min(lines_gap(side, edge) for side in piece.sides()) for edge in etched.edges) - piece.radius
        if edge < rules["edge"] - 0.05 - 1e-4:
            found.append(f"{name}: {piece.what} of {piece.net} is {edge:.3f} mm from an edge")
        if piece.what == "track" and 2 * piece.radius < rules["power" if piece.net in ("+3V3", "PI_3V3") else "signal"] - 1e-4:
            found.append(f"{name}: a track of {piece.net} is {2 * piece.radius:.3f} mm wide")
    for (a, radius, one_hole), (b, other, another) in combinations(etched.holes, 2):
        wall = math.dist(a, b) - radius - other
        if wall < 0.25 - 1e-4:
            found.append(f"{name}: the holes of {one_hole} and {another} are {wall:.3f} mm apart")
    for at, radius, hole in etched.holes:
        if radius * 2 < rules["house"][2] - 1e-4:
            found.append(f"{name}: the hole of {hole} is {2 * radius:.2f} mm wide")
    return found


def reeds(wiring, text, turned=False):
    """Whether each reed of a strip lies where its square's magnet closes it. `turned`: the strip the wrong way round."""
    etched = Etched(text)
    found = []
    for file in range(8):
        ends = [etched.pads[f"S{file + 1}", pad].corners[0] for pad in "12"]
        points = [(x - ORIGIN[0], ORIGIN[1] - y) for x, y in ends]
        if turned:
            left, right = wiring["strip"]["left"], wiring["strip"]["right"]
            points = [(left + right - u, wiring["board"]["square"] - v) for u, v in points]
        middle = [(a + b) / 2 for a, b in zip(*points)]
        wanted = reed_middle(wiring, file)
        # The calculation of the field allows a millimetre; half of it is left to the cradle and the hand.
        if math.dist(middle, wanted) > 0.5:
            found.append(f"strip: the reed of {'abcdefgh'[file]} lies {math.dist(middle, wanted):.1f} mm from where its magnet wants it")
    return found


def whole(wiring, strip_text, pi_text, cables=None):
    """Eight strips and the Pi's board joined by ribbons, against the circuit that the program's defaults are tested
    with. `cables`: for each rank the connectors at the two ends of its ribbon, as (rank, reference); rank 0 is the
    Pi's board."""
    ranks = len(squares_of(wiring, "shift-register"))
    strip, pi = both(wiring)
    cables = cables or [((n, "J2"), (n + 1, "J1")) for n in range(ranks)]
    kit = Joined()
    root = kit.root
    etched = {0: Etched(pi_text).joined()} | dict.fromkeys(range(1, ranks + 1), Etched(strip_text).joined())
    for rank, joined in etched.items():
        for (ref, pad), group in joined.items():
            kit.join((rank, ref, pad), (rank, group))
    for (rank, ref), (other, another) in cables:
        for pin in RIBBON:
            kit.join((rank, ref, str(pin)), (other, another, str(pin)))
    for rank in etched:
        for part in (pi if rank == 0 else strip).parts:
            if part.wire:
                kit.join((rank, part.ref, "1"), (rank, part.ref, "2"))
    # Where nobody drives the last serial input, the resistor does.
    sent = {root((rank, "U1", "9")) for rank in range(1, ranks + 1)}
    for rank in range(1, ranks + 1):
        for part in strip.parts:
            if part.pulls and root((rank, part.ref, "2")) not in sent:
                kit.join((rank, part.ref, "2"), (rank, part.ref, "1"))
    found = {}
    for rank in etched:
        for part in (pi if rank == 0 else strip).parts:
            for pad, (ref, pin) in part.stands.items():
                found.setdefault(root((rank, part.ref, str(pad))), set()).add((stands_for(ref, rank), pin))
    wanted = {frozenset((part.ref, pin) for part, pin in ends) for net, ends in nets(circuit(wiring, "shift-register")).items()
              if net != "+5V"}
    return compare("the whole", wanted, {frozenset(pins) for pins in found.values() if len(pins) > 1})
