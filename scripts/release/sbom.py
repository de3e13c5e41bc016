"""The bill of materials of a release: CycloneDX 1.5, as JSON.

    cargo metadata … | python3 scripts/release/sbom.py VERSION EPOCH [FILE…]

Reads what `cargo metadata` writes and the checksums of Cargo.lock. Each FILE that is shipped beside the program
and was not built from these sources (libvosk) is listed with its own checksum. The same sources give the same
bytes: the time is EPOCH, the serial number is made of the contents.
"""
import datetime
import hashlib
import json
import pathlib
import sys
import tomllib
import uuid

from licences import linked


def reference(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package, checksums):
    one = {
        "type": "library",
        "bom-ref": reference(package),
        "name": package["name"],
        "version": package["version"],
        "purl": reference(package),
    }
    if package["license"]:
        # Some old packages still write a slash for "or".
        one["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    checksum = checksums.get((package["name"], package["version"]))
    if checksum:
        one["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    return one


def beside(path):
    content = pathlib.Path(path).read_bytes()
    return {
        "type": "file",
        "bom-ref": f"file:{pathlib.Path(path).name}",
        "name": pathlib.Path(path).name,
        "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(content).hexdigest()}],
    }


def bill(metadata, lock, version, epoch, files):
    packages = linked(metadata)
    checksums = {(one["name"], one["version"]): one.get("checksum") for one in lock["package"]}
    shipped = {package["id"]: reference(package) for package in packages}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    # What a crate of this repository uses, the program uses.
    own = [package["id"] for package in metadata["packages"] if not package["source"]]
    direct = {dep["pkg"] for package in own if package in nodes for dep in nodes[package]["deps"]}
    root = f"pkg:generic/annabella@{version}"
    uses = {root: sorted(shipped[package] for package in direct if package in shipped)}
    for package, name in shipped.items():
        uses[name] = sorted({shipped[dep["pkg"]] for dep in nodes[package]["deps"] if dep["pkg"] in shipped})
    components = [component(package, checksums) for package in packages] + [beside(path) for path in files]
    content = {
        "components": components,
        "dependencies": [{"ref": name, "dependsOn": on} for name, on in sorted(uses.items())],
    }
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([root, content], sort_keys=True))
    time = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": "annabella",
                "version": version,
                "licenses": [{"expression": "GPL-3.0-or-later"}],
            },
        },
        **content,
    }


def main():
    version, epoch, *files = sys.argv[1:]
    lock = tomllib.loads(pathlib.Path("Cargo.lock").read_text(encoding="utf-8"))
    json.dump(bill(json.load(sys.stdin), lock, version, epoch, files), sys.stdout, indent=1, sort_keys=True)
    print()


if __name__ == "__main__":
    main()
