"""Where results are kept: each under a name that tells all that it was made from.

A result whose inputs are the same is found again; one that was broken off was never there, because a
folder gets its name when it is complete. So every command can be stopped and started at will.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

ROOT = Path(os.environ.get("ANNABELLA_TRAINING", "target/training")).absolute()


def digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def made(name: str, inputs: object, make: Callable[[Path], None]) -> Path:
    """The folder with what `make` makes of `inputs`; made only if it is not there."""
    folder = ROOT / f"{name}-{digest([name, inputs])}"
    if folder.is_dir():
        return folder
    unfinished = folder.with_name(f".{folder.name}.{os.getpid()}")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    try:
        make(unfinished)
        try:
            unfinished.rename(folder)
        except OSError:
            # Another process was quicker: what it made is the same.
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return folder


def name(folder: Path) -> str:
    """What a folder of results, or one in such a folder, is called here."""
    return str(folder.relative_to(ROOT))


def file_digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
