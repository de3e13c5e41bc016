"""The licences of the libraries that are linked into the program.

Reads what `cargo metadata` writes, prints each library with its licence, then every licence text once
with the libraries that come with it. Libraries that only builds and tests use are left out.
"""
import json
import pathlib
import sys


def linked(metadata):
    """The packages that the program itself reaches."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root = metadata["resolve"]["root"]
    reached, waiting = set(), [root]
    while waiting:
        package = waiting.pop()
        if package in reached:
            continue
        reached.add(package)
        for dependency in nodes[package]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    reached.discard(root)
    return sorted(
        (package for package in metadata["packages"] if package["id"] in reached and package["source"]),
        key=lambda package: (package["name"], package["version"]),
    )


def texts(package):
    folder = pathlib.Path(package["manifest_path"]).parent
    for path in sorted(folder.iterdir()):
        name = path.name.upper()
        if path.is_file() and name.startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT", "UNLICENSE")):
            text = path.read_text(encoding="utf-8", errors="replace").strip()
            # Some have only the name of the file that they mean.
            if len(text) > 100:
                yield "\n".join(line.rstrip() for line in text.splitlines())


def main():
    packages = linked(json.load(sys.stdin))
    found = {}
    print("Annabella is linked with these libraries.\n")
    for package in packages:
        name = f"{package['name']} {package['version']}"
        authors = ", ".join(package["authors"]) or package.get("repository") or ""
        print(f"{name}: {package['license'] or 'see below'}; {authors}")
        for text in texts(package):
            found.setdefault(text, []).append(name)
    for text, names in found.items():
        print(f"\n{'=' * 78}\n{', '.join(names)}\n{'-' * 78}\n{text}")


if __name__ == "__main__":
    main()
