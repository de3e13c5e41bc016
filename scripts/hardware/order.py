"""What a kit is ordered from: counted on the printed boards, with prices for one kit and for ten."""

from boards import both
from model import squares_of
from texts import csv_text

KITS = 10


def order(wiring):
    """[(part, pieces for one kit, euros each for one, euros each for ten)]. Prices are estimates."""
    ranks = len(squares_of(wiring, "shift-register"))
    counted = {}
    for board in both(wiring):
        for part in board.parts:
            if part.order:
                counted[part.order] = counted.get(part.order, 0) + (ranks if board.name == "strip" else 1)
    entries = {part["id"]: part for part in wiring["part"]}
    kit = wiring["kit"]
    if unknown := set(counted) - set(entries) - {part["id"] for part in kit["part"]}:
        raise ValueError(f"not in the order list: {', '.join(sorted(unknown))}")
    rows = []
    for part in kit["part"]:
        rows.append((part, part.get("count") or counted[part["id"]], part["eur"], part["eur_ten"]))
    for name in kit["pieces"]:
        part = entries[name]
        # A spare for those that break: glass.
        pieces = part["count"] if "count" in part else counted.get(name, len(wiring["button"])) + part["spare"]
        rows.append((part, pieces, part["eur"], part["eur"]))
    return rows


def sums(wiring):
    """Euros for one kit, and for each of ten; estimates."""
    rows = order(wiring)
    return sum(n * one for _, n, one, _ in rows), sum(n * ten for _, n, _, ten in rows)


def order_csv(wiring):
    rows = [["id", "part", "maker", "number", "or", "sold_by_unasked", "pieces_one_kit", f"pieces_{KITS}_kits",
             "eur_each_one_estimate", f"eur_each_{KITS}_estimate"]]
    for part, pieces, one, ten in order(wiring):
        rows.append([part["id"], part["name"], part.get("maker", ""), part.get("number", ""), part.get("other", ""),
                     part.get("sold", ""), pieces, pieces * KITS, f"{one:.2f}", f"{ten:.2f}"])
    return csv_text(rows)


def tables(wiring, table):
    """Tables of README.md; `table`: how one is written."""
    rows = []
    for part, pieces, one, _ in order(wiring):
        number = " ".join(filter(None, [part.get("maker"), part.get("number")])) or "any that fits"
        if part.get("other"):
            number += f", or {part['other']}"
        rows.append([part["name"], number, pieces, f"{one:.2f}"])
    one, ten = sums(wiring)
    return {"order": table(["part", "maker and number", "pieces", "euros each, estimate"], rows),
            "order-cost": table(["kits at once", "euros a kit, estimate"], [[1, f"{one:.0f}"], [KITS, f"{ten:.0f}"]])}
