"""Makes everything in hardware/ that wiring.toml determines, but the printed boards: those are made by kit.py.

    python3 scripts/hardware/generate.py          writes what has changed
    python3 scripts/hardware/generate.py --check  writes nothing; code 1 if something would change

Needs Python 3.11 and nothing else."""

import re
import sys
from xml.etree import ElementTree

import check
import drawings
import measures
import order
import schematic
import texts
from model import FOLDER, VARIANTS, load


def filled(text, tables):
    """README.md with the tables between its marks `<!-- table: NAME -->` and `<!-- end -->`."""
    unused = set(tables)

    def fill(match):
        name = match[1]
        if name not in tables:
            raise SystemExit(f"README.md wants a table '{name}'; there are {', '.join(sorted(tables))}")
        unused.discard(name)
        return f"<!-- table: {name} -->\n{tables[name]}\n<!-- end -->"

    text = re.sub(r"<!-- table: ([a-z0-9-]+) -->\n.*?<!-- end -->", fill, text, flags=re.DOTALL)
    if unused:
        raise SystemExit(f"README.md has no place for the tables {', '.join(sorted(unused))}")
    return text


def generated():
    """Path below hardware/ -> its text."""
    wiring = load()
    found = {f"drawings/{name}": text for name, text in drawings.all_drawings(wiring).items()}
    found |= {f"wiring/{name}": text for name, text in schematic.all_sheets(wiring).items()}
    found |= {f"wiring/{variant}.net": texts.netlist(wiring, variant) for variant in VARIANTS}
    for text in found.values():
        if text.startswith("<svg"):
            ElementTree.fromstring(text)
    found["parts/measures.scad"] = measures.scad(wiring)
    found["parts.csv"] = texts.parts_csv(wiring)
    checked = check.run(wiring)
    found["check.txt"] = "\n".join(checked.lines) + "\n"
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    tables = texts.tables(wiring) | order.tables(wiring, texts.table)
    found["README.md"] = filled(readme, tables | {"printed": measures.printed_table(wiring, texts.table)})
    return found, checked.failed


def main():
    only_check = "--check" in sys.argv[1:]
    found, failed = generated()
    stale = []
    for name, text in found.items():
        path = FOLDER / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not only_check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"written: hardware/{name}")
    for line in failed:
        print(line, file=sys.stderr)
    if only_check and stale:
        print(f"not as wiring.toml says, run `make hardware`: {', '.join(stale)}", file=sys.stderr)
    return int(bool(failed or (only_check and stale)))


if __name__ == "__main__":
    sys.exit(main())
