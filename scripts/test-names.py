#!/usr/bin/env python3
"""Which tests are gone, and which are new, between two lists of tests.

    cargo nextest list --workspace --all-features --profile full --message-format json >FILE
    scripts/test-names.py BEFORE AFTER

A test is known by its own name, wherever it stands: one that moves to another file or crate is not gone. Ends
with 1 where tests are gone; whoever takes one away gives the reason in the commit's message.
"""

import json
import sys
from collections import Counter


def names(path):
    with open(path, encoding="utf-8") as file:
        suites = json.load(file)["rust-suites"].values()
    return Counter(name.rsplit("::", 1)[-1] for suite in suites for name in suite.get("testcases", {}))


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    before, after = (names(path) for path in sys.argv[1:])
    gone, new = before - after, after - before
    for title, tests in ("gone", gone), ("new", new):
        for name, count in sorted(tests.items()):
            print(f"{title}: {name}" + (f" ({count} times)" if count > 1 else ""))
    print(f"{before.total()} before, {after.total()} after: {gone.total()} gone, {new.total()} new")
    return 1 if gone else 0


if __name__ == "__main__":
    sys.exit(main())
