"""A printed board as KiCad's board file and project: parts, outline, copper, ground on both sides.

Written without KiCad, so that anybody can see whether it is as wiring.toml says. Ground is joined by tracks too;
KiCad fills the areas between them (`fab.py`, or B in its editor)."""

import json
import math

from boards import bare, library, origin, shape, sheet, turned
from route import LAYERS, Obstacle, route
from sexpr import mm, name_of, quoted
from sheets import pins_of

SIDES = {"top": ("F.Cu", "F"), "bottom": ("B.Cu", "B")}
# Written by a machine, read by fingers and eyes: what a house prints well.
LETTER = 0.15
# Half the width of a reed's wire.
WIRE = 0.3


def net_of(part, number):
    """The net of a pad as KiCad calls it: one that is free has a net of its own."""
    if number in part.nets or not part.nets:
        return part.nets.get(number)
    name = pins_of(part)[number][0]
    named = f"{name.replace('/', '{slash}')}-" if name != str(number) else ""
    return f"unconnected-({part.ref}-{named}Pad{number})"


def nets_of(board):
    """Net -> number; 0 is KiCad's for none."""
    names = sorted({net_of(part, number) for part in board.parts if part.nets for number in pins_of(part)})
    return {net: n + 1 for n, net in enumerate(names)}


class Place:
    """A pad on the sheet."""

    def __init__(self, part, pad, at, angle):
        self.part, self.pad, self.at, self.angle = part, pad, at, angle
        self.net = part.nets.get(int(pad.number)) if pad.number else None
        self.layers = LAYERS if pad.drill else (SIDES[part.side][0],)

    def corners(self):
        w, h = self.pad.width / 2, self.pad.height / 2
        return [tuple(round(p + q, 4) for p, q in zip(self.at, turned(x, y, self.angle)))
                for x, y in ((-w, -h), (w, -h), (w, h), (-w, h))]

    def spine(self):
        """The line in the middle of a pad with round ends, and the radius."""
        w, h = self.pad.width, self.pad.height
        half = abs(w - h) / 2
        dx, dy = turned(*((half, 0) if w > h else (0, half)), self.angle)
        x, y = self.at
        return ((x - dx, y - dy), (x + dx, y + dy)), min(w, h) / 2


def places(wiring, board):
    found = []
    for part in board.parts:
        x, y = origin(wiring, part)
        pads, _ = shape(wiring, part)
        for pad in pads:
            dx, dy = turned(pad.x, pad.y, part.turn)
            found.append(Place(part, pad, (round(x + dx, 4), round(y + dy, 4)), part.turn))
    return found


def wires(wiring, board):
    """What lies bare on the upper side: (net, line) of the wires of the reeds."""
    ends = {}
    for place in places(wiring, board):
        if place.part.order == "reed":
            ends.setdefault(place.part.ref, []).append(place)
    return [(place.net, line) for pair in ends.values()
            for place, line in zip(pair, bare(pair[0].at, pair[1].at, wiring))]


def edges(board):
    """All lines at which the board ends, as pairs of points on the sheet."""
    lines = []
    for ring in [board.outline, *board.slots]:
        points = [sheet(point) for point in ring]
        lines += list(zip(points, points[1:] + points[:1]))
    return lines


def copper(wiring, board):
    """Tracks and vias."""
    rules = wiring["copper"]
    obstacles, pads = [], {}
    for place in places(wiring, board):
        line, radius = place.spine()
        keep = rules["clearance"]
        net = place.net or f"free {place.part.ref} {place.pad.number}"
        if not place.pad.number:
            # A bare hole: its edge is an edge of the board.
            obstacles.append(Obstacle(None, LAYERS, line, radius, rules["edge"]))
            continue
        obstacles.append(Obstacle(net, place.layers, line, radius, keep))
        if place.pad.shape == "rect":
            corners = place.corners()
            obstacles += [Obstacle(net, place.layers, side, 0, keep) for side in zip(corners, corners[1:] + corners[:1])]
        if place.net:
            pads.setdefault(place.net, []).append(place)
    for net, line in wires(wiring, board):
        obstacles.append(Obstacle(net, ("F.Cu",), line, WIRE, rules["clearance"]))
    obstacles += [Obstacle(None, LAYERS, line, 0, rules["edge"]) for line in edges(board)]
    power = {"+3V3", "GND", "PI_3V3"}

    def length(net):
        xs, ys = [p.at[0] for p in pads[net]], [p.at[1] for p in pads[net]]
        return max(xs) - min(xs) + max(ys) - min(ys)
    order = sorted(pads, key=lambda net: (net == "GND", net in power, length(net), net))
    nets = [(net, rules["power" if net in power else "signal"], pads[net]) for net in order if len(pads[net]) > 1]
    left, lower, right, upper = board.box
    (x1, y1), (x2, y2) = sheet((left, upper)), sheet((right, lower))
    return route((x1 - 1, y1 - 1, x2 + 1, y2 + 1), obstacles, nets, rules["clearance"], rules["via"])


def text(kind, words, at, layer, size, *, hide=False, mirror=False, key=""):
    just = " (justify mirror)" if mirror else ""
    return (f"    (fp_text {kind} {quoted(words)} (at {at}) (layer {quoted(layer)}){' hide' if hide else ''}\n"
            f"      (effects (font (size {mm(size)} {mm(size)}) (thickness {LETTER})){just}) (tstamp {name_of(key, kind)}))")


def footprint(wiring, board, part, codes):
    pads, court = shape(wiring, part)
    copper_layer, letter = SIDES[part.side]
    x, y = origin(wiring, part)
    mirror = part.side == "bottom"
    key = f"{board.name} {part.ref}"
    through = any(pad.drill for pad in pads)
    kind = "through_hole" if through else "smd"
    if not part.order:
        kind = "board_only exclude_from_pos_files exclude_from_bom" if not part.nets else "exclude_from_pos_files exclude_from_bom"
    lines = [f"  (footprint {quoted(library(part))} (layer {quoted(copper_layer)}) (tstamp {name_of(key)})",
             f"    (at {mm(x)} {mm(y)} {mm(part.turn)})"]
    if part.nets:
        # So that KiCad knows which part of the circuit it is.
        lines.append(f"    (path \"/{name_of(key, 'symbol')}\")")
    lines.append(f"    (attr {kind})")
    left, top, right, bottom = court
    middle = f"{mm((left + right) / 2)} {mm((top + bottom) / 2)} {mm(part.turn)}"
    lines.append(text("reference", part.ref, middle, f"{letter}.Fab", 0.8, mirror=mirror, key=key))
    lines.append(text("value", part.value, middle, f"{letter}.Fab", 0.8, hide=True, mirror=mirror, key=key))
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    for n, (a, b) in enumerate(zip(corners, corners[1:] + corners[:1])):
        lines.append(f"    (fp_line (start {mm(a[0])} {mm(a[1])}) (end {mm(b[0])} {mm(b[1])}) "
                     f"(layer \"{letter}.CrtYd\") (width 0.05) (tstamp {name_of(key, 'court', n)}))")
    for pad in pads:
        net = net_of(part, int(pad.number)) if pad.number else None
        where = f"(at {mm(pad.x)} {mm(pad.y)}{' ' + mm(part.turn) if part.turn else ''}) (size {mm(pad.width)} {mm(pad.height)})"
        if pad.drill:
            sort = "thru_hole" if pad.number else "np_thru_hole"
            where += f" (drill {mm(pad.drill)}) (layers *.Cu *.Mask)"
        else:
            sort = "smd"
            where += f" (layers \"{letter}.Cu\" \"{letter}.Paste\" \"{letter}.Mask\")"
        joined = f" (net {codes[net]} {quoted(net)})" if net else ""
        lines.append(f"    (pad {quoted(pad.number)} {sort} {pad.shape} {where}{joined} (tstamp {name_of(key, 'pad', pad.number)}))")
    return "\n".join(lines) + "\n  )"


def unfilled(board, n, line):
    """No ground under a bare wire: only paint would lie between them."""
    (x1, y1), (x2, y2) = line
    length = math.hypot(x2 - x1, y2 - y1)
    dx, dy = (x2 - x1) / length * 2 * WIRE, (y2 - y1) / length * 2 * WIRE
    points = [(x1 - dy, y1 + dx), (x2 + dx - dy, y2 + dy + dx), (x2 + dx + dy, y2 + dy - dx), (x1 + dy, y1 - dx)]
    corners = " ".join(f"(xy {mm(x)} {mm(y)})" for x, y in points)
    return (f"  (zone (net 0) (net_name \"\") (layer \"F.Cu\") (tstamp {name_of(board.name, 'unfilled', n)}) (hatch edge 0.5)\n"
            "    (connect_pads (clearance 0))\n    (min_thickness 0.25)\n    (keepout (tracks allowed) (vias allowed) (pads allowed) "
            f"(copperpour not_allowed) (footprints allowed))\n    (fill (thermal_gap 0.3) (thermal_bridge_width 0.4))\n"
            f"    (polygon (pts {corners})))")


def zone(board, net, code, layer, edge):
    """The whole board; KiCad keeps the distances."""
    left, lower, right, upper = board.box
    points = [sheet(at) for at in ((left + edge, lower + edge), (right - edge, lower + edge), (right - edge, upper - edge),
                                   (left + edge, upper - edge))]
    corners = " ".join(f"(xy {mm(x)} {mm(y)})" for x, y in points)
    return (f"  (zone (net {code}) (net_name {quoted(net)}) (layer {quoted(layer)}) (tstamp {name_of(board.name, 'zone', layer)}) "
            f"(hatch edge 0.5)\n    (connect_pads (clearance 0.25))\n    (min_thickness 0.25)\n"
            f"    (fill (thermal_gap 0.3) (thermal_bridge_width 0.4))\n    (polygon (pts {corners})))")


def board_file(wiring, board, laid):
    """The text of the .kicad_pcb file. Format of KiCad 6, which later ones read."""
    tracks, vias = laid
    codes = nets_of(board)
    rules = wiring["copper"]
    lines = ['(kicad_pcb (version 20211014) (generator annabella)', "  (general (thickness 1.6))", '  (paper "A4" portrait)'
             if board.box[2] - board.box[0] < 150 else '  (paper "A3")',
             f"  (title_block (title {quoted(board.title)}) (comment 1 \"made from hardware/wiring.toml by make hardware\"))",
             "  (layers", '    (0 "F.Cu" signal)', '    (31 "B.Cu" signal)']
    lines += [f'    ({n} "{name}" user)' for n, name in (
        (34, "B.Paste"), (35, "F.Paste"), (36, "B.SilkS"), (37, "F.SilkS"), (38, "B.Mask"), (39, "F.Mask"), (44, "Edge.Cuts"),
        (45, "Margin"), (46, "B.CrtYd"), (47, "F.CrtYd"), (48, "B.Fab"), (49, "F.Fab"))]
    lines += ["  )", "  (setup (pad_to_mask_clearance 0.05))", '  (net 0 "")']
    lines += [f"  (net {code} {quoted(net)})" for net, code in codes.items()]
    lines += [footprint(wiring, board, part, codes) for part in board.parts]
    for n, (a, b) in enumerate(edges(board)):
        lines.append(f"  (gr_line (start {mm(a[0])} {mm(a[1])}) (end {mm(b[0])} {mm(b[1])}) (layer \"Edge.Cuts\") (width 0.1) "
                     f"(tstamp {name_of(board.name, 'edge', n)}))")
    for n, (words, u, v, size) in enumerate(board.words):
        x, y = sheet((u, v))
        lines.append(f"  (gr_text {quoted(words)} (at {mm(x)} {mm(y)}) (layer \"F.SilkS\") (tstamp {name_of(board.name, 'word', n)})\n"
                     f"    (effects (font (size {mm(size)} {mm(size)}) (thickness {mm(max(LETTER, size / 8))}))))")
    for n, track in enumerate(tracks):
        (x1, y1), (x2, y2) = track.start, track.end
        lines.append(f"  (segment (start {mm(x1)} {mm(y1)}) (end {mm(x2)} {mm(y2)}) (width {mm(track.width)}) "
                     f"(layer {quoted(track.layer)}) (net {codes[track.net]}) (tstamp {name_of(board.name, 'track', n)}))")
    for n, via in enumerate(vias):
        lines.append(f"  (via (at {mm(via.at[0])} {mm(via.at[1])}) (size {mm(rules['via'])}) (drill {mm(rules['via_drill'])}) "
                     f"(layers \"F.Cu\" \"B.Cu\") (net {codes[via.net]}) (tstamp {name_of(board.name, 'via', n)}))")
    lines += [unfilled(board, n, line) for n, (_, line) in enumerate(wires(wiring, board))]
    lines += [zone(board, "GND", codes["GND"], layer, rules["edge"]) for layer in LAYERS]
    return "\n".join(lines) + "\n)\n"


def project_file(wiring, board):
    """The rules that KiCad's own check asks for."""
    rules = wiring["copper"]
    width, _, drill = rules["house"]
    settings = {"rules": {
        "min_clearance": rules["clearance"], "min_copper_edge_clearance": rules["edge"] - 0.05, "min_hole_clearance": 0.25,
        "min_hole_to_hole": 0.25, "min_through_hole_diameter": drill, "min_track_width": width,
        "min_via_annular_width": 0.13, "min_via_diameter": rules["via"], "min_silk_clearance": 0.0},
        # Footprints are written out whole here; no library has to be installed. Every pad of ground has a track of its
        # own, so it needs no spokes to an area.
        "rule_severities": {"lib_footprint_issues": "ignore", "lib_footprint_mismatch": "ignore", "starved_thermal": "ignore"}}
    net_class = {"name": "Default", "clearance": rules["clearance"], "track_width": rules["signal"], "via_diameter": rules["via"],
                 "via_drill": rules["via_drill"], "bus_width": 12, "wire_width": 6}
    erc = {"rule_severities": {"lib_symbol_issues": "ignore", "footprint_link_issues": "ignore"}}
    return json.dumps({"board": {"design_settings": settings}, "erc": erc, "meta": {"filename": f"{board.name}.kicad_pro", "version": 1},
                       "net_settings": {"classes": [net_class], "meta": {"version": 2}}}, indent=1, sort_keys=True) + "\n"
