"""Finds the way of every copper track of a board, on a grid, shortest way first. The same input gives the same
tracks on every machine.

A net that finds no way goes to the head of the queue and everything is laid anew; after a number of rounds
`Unroutable` names it. What was laid is not trusted: `copper.py` measures it."""

import heapq
import math
from typing import NamedTuple

GRID = 0.25
# Between two nodes of the grid a track comes nearer to a round thing than at the nodes themselves.
MARGIN = 0.05
VIA_COST = 2.5
AGAINST = 1.35
# So near to another's pad a way costs more: it may be the only way out of it.
SHY, SHY_COST = 0.8, 2.0
ROUNDS = 60
LAYERS = ("F.Cu", "B.Cu")


class Unroutable(Exception):
    """No way is left for this net."""


class Obstacle(NamedTuple):
    """Copper of a net on some layers, or an edge (`net` None): a line with a radius round it. Other copper stays
    `keep` away."""

    net: str
    layers: tuple
    line: tuple
    radius: float
    keep: float


class Track(NamedTuple):
    net: str
    layer: str
    start: tuple
    end: tuple
    width: float


class Via(NamedTuple):
    net: str
    at: tuple


def to_line(x, y, line):
    """Distance of a point from a line's nearest point."""
    (x1, y1), (x2, y2) = line
    dx, dy = x2 - x1, y2 - y1
    length = dx * dx + dy * dy
    share = 0 if length == 0 else max(0.0, min(1.0, ((x - x1) * dx + (y - y1) * dy) / length))
    return math.hypot(x - x1 - share * dx, y - y1 - share * dy)


class Grid:
    """What is taken: for every kind of copper that may be laid (a width, or a via) the net that holds a node,
    0 for none, -1 for several or an edge."""

    def __init__(self, box, kinds):
        self.left, self.top, right, bottom = box
        self.columns = int((right - self.left) / GRID) + 1
        self.rows = int((bottom - self.top) / GRID) + 1
        self.kinds = kinds
        size = self.columns * self.rows
        self.taken = {(kind, layer): [0] * size for kind in [*kinds, "shy"] for layer in LAYERS}
        self.numbers = {}

    def number(self, net):
        return self.numbers.setdefault(net, len(self.numbers) + 1) if net else -1

    def node(self, x, y):
        return round((y - self.top) / GRID) * self.columns + round((x - self.left) / GRID)

    def place(self, node):
        row, column = divmod(node, self.columns)
        return round(self.left + column * GRID, 4), round(self.top + row * GRID, 4)

    def put(self, thing, kinds=None):
        number = self.number(thing.net)
        (x1, y1), (x2, y2) = thing.line
        for kind, half in (kinds or self.kinds).items():
            reach = thing.radius + thing.keep + half + MARGIN
            first_row = max(0, math.ceil((min(y1, y2) - reach - self.top) / GRID))
            last_row = min(self.rows - 1, math.floor((max(y1, y2) + reach - self.top) / GRID))
            first = max(0, math.ceil((min(x1, x2) - reach - self.left) / GRID))
            last = min(self.columns - 1, math.floor((max(x1, x2) + reach - self.left) / GRID))
            for row in range(first_row, last_row + 1):
                y = self.top + row * GRID
                for column in range(first, last + 1):
                    if to_line(self.left + column * GRID, y, thing.line) < reach:
                        for layer in thing.layers:
                            taken = self.taken[kind, layer]
                            node = row * self.columns + column
                            if taken[node] == 0:
                                taken[node] = number
                            elif taken[node] != number:
                                taken[node] = -1


def way(grid, net, kind, starts, goals, vias):
    """The cheapest way from any start to any goal, as nodes (layer, node); None if there is none."""
    number = grid.number(net)
    columns = grid.columns
    free = [grid.taken[kind, layer] for layer in LAYERS]
    drill = [grid.taken["via", layer] for layer in LAYERS]
    shy = [grid.taken["shy", layer] for layer in LAYERS]
    marks = {}
    for layer, node in goals:
        marks.setdefault((layer, node), True)
    places = [divmod(node, columns) for _, node in goals]
    low_row, high_row = min(r for r, _ in places), max(r for r, _ in places)
    low_col, high_col = min(c for _, c in places), max(c for _, c in places)

    def left(node):
        row, column = divmod(node, columns)
        dy = max(low_row - row, 0, row - high_row)
        dx = max(low_col - column, 0, column - high_col)
        return max(dx, dy) + 0.4 * min(dx, dy)

    steps = [(1, 1.0, 0), (-1, 1.0, 0), (columns, 1.0, 1), (-columns, 1.0, 1),
             (columns + 1, 1.42, 2), (columns - 1, 1.42, 2), (-columns + 1, 1.42, 2), (-columns - 1, 1.42, 2)]
    best, came, queue = {}, {}, []
    for start in starts:
        best[start] = 0.0
        heapq.heappush(queue, (left(start[1]), start))
    while queue:
        guess, here = heapq.heappop(queue)
        cost = best[here]
        if here in marks:
            found = [here]
            while here in came:
                here = came[here]
                found.append(here)
            return found[::-1]
        if guess > cost + left(here[1]) + 1e-9:
            continue
        layer, node = here
        for step, length, direction in steps:
            after = node + step
            if free[layer][after] not in (0, number):
                continue
            # Across on the one side, along on the other.
            if direction == 1 - layer:
                length *= AGAINST
            if shy[layer][after] not in (0, number):
                length *= SHY_COST
            reached = (layer, after)
            if cost + length < best.get(reached, math.inf) - 1e-9:
                best[reached], came[reached] = cost + length, here
                heapq.heappush(queue, (cost + length + left(after), reached))
        if vias and all(taken[node] in (0, number) for taken in drill) and node not in grid.no_via:
            reached = (1 - layer, node)
            after = cost + VIA_COST / GRID * (SHY_COST if any(at[node] not in (0, number) for at in shy) else 1)
            if free[1 - layer][node] in (0, number) and after < best.get(reached, math.inf) - 1e-9:
                best[reached], came[reached] = after, here
                heapq.heappush(queue, (after + left(node), reached))
    return None


def straight(grid, net, nodes, width, ends=()):
    """Tracks and vias of a way: nodes in one direction become one track, which stops where another way begins."""
    tracks, vias, begin = [], [], 0
    for n in range(1, len(nodes) + 1):
        turns = n == len(nodes) or nodes[n][0] != nodes[n - 1][0] or nodes[n - 1] in ends or (
            n - 1 > begin and nodes[n][1] - nodes[n - 1][1] != nodes[n - 1][1] - nodes[n - 2][1])
        if not turns:
            continue
        if n - 1 > begin:
            tracks.append(Track(net, LAYERS[nodes[begin][0]], grid.place(nodes[begin][1]),
                                grid.place(nodes[n - 1][1]), width))
        begin = n - 1
        if n < len(nodes) and nodes[n][0] != nodes[n - 1][0]:
            vias.append(Via(net, grid.place(nodes[n][1])))
            begin = n
    return tracks, vias


def lay(grid, net, width, pads, put):
    """All pads of a net joined; False if one cannot be reached."""
    kind = f"{width}"
    spots = []
    for pad in pads:
        at = grid.node(*pad.at)
        spots.append([(LAYERS.index(layer), at) for layer in pad.layers])
    joined, open_pads = list(spots[0]), spots[1:]
    ways = []
    while open_pads:
        # The nearest one next: a tree that is short.
        def gap(spot):
            x, y = grid.place(spot[0][1])
            return min(max(abs(x - a), abs(y - b)) for a, b in (grid.place(node) for _, node in joined))
        open_pads.sort(key=lambda spot: (gap(spot), spot))
        goal = open_pads.pop(0)
        nodes = way(grid, net, kind, sorted(set(joined)), goal, True)
        if nodes is None:
            return None
        more, holes = straight(grid, net, nodes, width)
        ways.append(nodes)
        for track in more:
            put(Obstacle(net, (track.layer,), (track.start, track.end), width / 2, put.clearance))
        for via in holes:
            put(Obstacle(net, LAYERS, (via.at, via.at), put.via / 2, put.clearance))
        joined += nodes + goal
    ends = {node for nodes in ways for node in (nodes[0], nodes[-1])}
    tracks, vias = [], []
    for nodes in ways:
        more, holes = straight(grid, net, nodes, width, ends)
        tracks += more
        vias += holes
    return tracks, vias


def route(box, obstacles, nets, clearance, via):
    """`nets`: [(net, width, pads)], the most important first; a pad has `at`, `layers` and `inside` (nodes of the
    grid that a via may not take). Gives tracks and vias."""
    order = list(nets)
    for _ in range(ROUNDS):
        kinds = {f"{width}": width / 2 for _, width, _ in order} | {"via": via / 2}
        grid = Grid(box, kinds)
        grid.no_via = set()

        def put(thing):
            grid.put(thing)
        put.clearance, put.via = clearance, via
        for thing in obstacles:
            put(thing)
            if thing.net is not None:
                grid.put(thing, {"shy": SHY})
            if thing.net is not None and thing.line:
                grid.no_via |= inside(grid, thing, via / 2)
        tracks, vias, failed = [], [], None
        for entry in order:
            laid = lay(grid, *entry, put)
            if laid is None:
                failed = entry
                break
            tracks += laid[0]
            vias += laid[1]
        if failed is None:
            return tracks, vias
        place = order.index(failed)
        if place == 0:
            raise Unroutable(failed[0])
        order.insert(max(0, place // 2), order.pop(place))
    raise Unroutable(failed[0])


def inside(grid, thing, half):
    """Nodes on a pad: a via there would drink its solder."""
    found = set()
    (x1, y1), (x2, y2) = thing.line
    reach = thing.radius + half
    for row in range(math.floor((min(y1, y2) - reach - grid.top) / GRID), math.ceil((max(y1, y2) + reach - grid.top) / GRID) + 1):
        for column in range(math.floor((min(x1, x2) - reach - grid.left) / GRID), math.ceil((max(x1, x2) + reach - grid.left) / GRID) + 1):
            if to_line(grid.left + column * GRID, grid.top + row * GRID, thing.line) < reach:
                found.add(row * grid.columns + column)
    return found
