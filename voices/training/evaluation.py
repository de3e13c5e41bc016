"""`make eval-speech`: models on the locked listening tests, side by side.

The right move among the legal ones is chosen by Annabella itself (`annabella measure`), with its
questions; word errors are those of libvosk alone, where any word may follow any.
"""

import json
import os
import subprocess
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from scipy.io import wavfile

from . import lexicon, listening, store

Key = tuple[str, str]


@dataclass
class Words:
    said: int = 0
    errors: int = 0


@dataclass
class Result:
    """What a model did; rows by speaker and condition, `all` for all."""

    name: str
    rows: dict[Key, dict] = field(default_factory=dict)
    people: dict[Key, dict] = field(default_factory=dict)
    words: dict[Key, Words] = field(default_factory=dict)
    seconds_by_second: float = 0.0


def _digest_of(model: Path) -> list[list[str]]:
    files = sorted(path for path in model.rglob("*") if path.is_file())
    return [[str(path.relative_to(model)), store.file_digest(path)] for path in files]


def measured(annabella: str, model: Path, corpus: Path) -> dict[Key, dict]:
    """What `annabella measure` says, by speaker and condition; asked once only."""

    def ask(folder: Path) -> None:
        command = [annabella, "measure", str(corpus), "--model", str(model), "--json"]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        (folder / "rows.jsonl").write_text(said, encoding="utf-8")

    key = [store.file_digest(Path(annabella)), _digest_of(model), corpus.name]
    lines = (store.made("measured", key, ask) / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return {(row["speaker"], row["condition"]): row for row in rows}


def _sound_of(word: str) -> str:
    """Words that sound alike are one: nobody can hear which was meant."""
    variants = lexicon.read().sounds.get(word)
    return " ".join(variants[0]) if variants else word


def distance(said: list[str], heard: list[str]) -> int:
    """Words to put in, take out or change."""
    row = list(range(len(heard) + 1))
    for n, one in enumerate(said, 1):
        above, row[0] = row[:], n
        for m, other in enumerate(heard, 1):
            row[m] = min(above[m] + 1, row[m - 1] + 1, above[m - 1] + (one != other))
    return row[-1]


def word_errors(model: Path, corpus: Path) -> tuple[dict[Key, Words], float]:
    """By speaker and condition, and how long it took as a share of the sound."""
    import vosk

    vosk.SetLogLevel(-1)
    loaded = vosk.Model(str(model))
    counts: dict[Key, Words] = defaultdict(Words)
    took = length = 0.0
    for line in (corpus / "corpus.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        name, speaker, condition, kind, _, _, said = line.split("\t")
        if kind == "talk":
            continue
        rate, samples = wavfile.read(corpus / name)
        began = time.monotonic()
        recognizer = vosk.KaldiRecognizer(loaded, rate)
        heard: list[str] = []
        # An utterance may end in the middle of a recording.
        data = samples.tobytes()
        for at in range(0, len(data), 8000):
            if recognizer.AcceptWaveform(data[at : at + 8000]):
                heard += json.loads(recognizer.Result())["text"].split()
        heard += json.loads(recognizer.FinalResult())["text"].split()
        took, length = took + time.monotonic() - began, length + len(samples) / rate
        words = [_sound_of(word) for word in said.lower().split()]
        errors = distance(words, [_sound_of(word) for word in heard if word != lexicon.UNKNOWN])
        for key in ((speaker, condition), ("all", condition), (speaker, "all"), ("all", "all")):
            counts[key].said += len(words)
            counts[key].errors += errors
    return dict(counts), took / length


def evaluate(
    annabella: str, models: dict[str, Path], threads: int, share: float, conditions: tuple[str, ...]
) -> str:
    """A report in Markdown: of the whole tests, or of a share of their lines in some conditions."""
    corpus = listening.part(listening.synthetic(threads), share, conditions)
    talk = listening.part(listening.people(), share, conditions)
    print("measuring " + ", ".join(models), flush=True)
    asked = [(annabella, model, folder) for model in models.values() for folder in (corpus, talk)]
    german = {name: model for name, model in models.items() if _knows_german(model)}
    with ProcessPoolExecutor(threads) as pool:
        errors = {name: pool.submit(word_errors, model, corpus) for name, model in german.items()}
        rows = list(pool.map(measured, *zip(*asked)))
    results = []
    for n, name in enumerate(models):
        result = Result(name, *rows[2 * n : 2 * n + 2])
        if name in errors:
            result.words, result.seconds_by_second = errors[name].result()
        results.append(result)
    return report(results)


def _knows_german(model: Path) -> bool:
    words = model / "graph" / "words.txt"
    return words.is_file() and "springer" in words.read_text(encoding="utf-8").split()


def report(results: list[Result]) -> str:
    rows = results[0].rows
    speakers = sorted({speaker for speaker, _ in rows if speaker != "all"})
    out = ["All voices are synthetic: no figure is human accuracy.\n"]
    for title, keys in (
        ("By condition, all voices", [("all", condition) for condition in (*listening.CONDITIONS, "all")]),
        ("By voice, in quiet", [(speaker, "clean") for speaker in speakers]),
        ("By voice, all conditions", [(speaker, "all") for speaker in speakers]),
    ):
        out.append(f"## {title}\n")
        out.append("| | model | moves | right | confirmed | wrong | again | word errors |")
        out.append("|---|---|---|---|---|---|---|---|")
        for key in keys:
            label = key[1] if key[0] == "all" else key[0]
            out += [_row(label, result, key) for result in results if key in result.rows]
        out.append("")
    out.append("## Requests, illegal announcements, talk of the same voices\n")
    out.append("| model | requests understood | taken for another | illegal taken | false moves an hour | "
               "false requests an hour | needless questions an hour |")  # fmt: skip
    out.append("|---|---|---|---|---|---|---|")
    for result in results:
        row = result.rows["all", "all"]
        out.append(
            f"| {result.name} | {_share(row['understood'], row['requests'])} | "
            f"{_share(row['taken_for_something_else'], row['requests'])} | "
            f"{row['illegal_accepted']} of {row['illegal']} | {_hourly(row)} |"
        )
    out.append("\n## Plain ways to choose a move, with the same ears and without questions\n")
    out.append("All voices: the recogniser's best text alone, of single words or of the legal phrases, and Annabella. Right "
               "and wrong; where it is loud Annabella asks.\n")  # fmt: skip
    out.append("| | model | word list | legal phrases | Annabella at once | with one ja |")
    out.append("|---|---|---|---|---|---|")
    for condition in (*listening.CONDITIONS, "all"):
        out += [_plain(condition, result) for result in results if ("all", condition) in result.rows]
    out.append("\n## People who talk of something else\n")
    out.append("| recordings | model | minutes | false moves an hour | false requests an hour | "
               "needless questions an hour |")  # fmt: skip
    out.append("|---|---|---|---|---|---|")
    packages = sorted({key[0].split(":")[0] for key in results[0].people if key[0] != "all"})
    for package in [*packages, "all"]:
        for result in results:
            row = _joined(result.people, package)
            out.append(f"| {package} | {result.name} | {row['talk_s'] / 60:.1f} | {_hourly(row)} |")
    out.append("\nlibvosk's time as a share of the sound, any word after any, with other work beside it: " + ", ".join(
        f"{result.name} {result.seconds_by_second:.4f}" for result in results if result.words
    ))  # fmt: skip
    return "\n".join(out) + "\n"


def _joined(people: dict[Key, dict], package: str) -> dict:
    """The recordings of all people of a package."""
    if package == "all":
        return people["all", "all"]
    of = [row for (who, what), row in people.items() if who.startswith(package) and what != "all"]
    names = ("talk_s", "false_moves", "false_requests", "needless_questions")
    return {name: sum(row[name] for row in of) for name in names}


def _share(part: int, of: int) -> str:
    return f"{100 * part / of:.1f} %" if of else "–"


def _hourly(row: dict) -> str:
    hours = row["talk_s"] / 3600
    names = ("false_moves", "false_requests", "needless_questions")
    return " | ".join(f"{row[name] / hours:.1f}" if hours else "–" for name in names)


def _row(label: str, result: Result, key: Key) -> str:
    row = result.rows[key]
    moves, words = row["moves"], result.words.get(key)
    asked = row["confirmed"] + row["asked_about_another"]
    errors = f"{100 * words.errors / words.said:.1f} %" if words else "–"
    return (
        f"| {label} | {result.name} | {moves} | {_share(row['right'], moves)} | {_share(asked, moves)} | "
        f"{100 * row['wrong'] / max(moves, 1):.2f} % | {_share(row['again'], moves)} | {errors} |"
    )


def _plain(condition: str, result: Result) -> str:
    row = result.rows["all", condition]

    def both(right: int, wrong: int) -> str:
        return f"{_share(right, row['moves'])}, {100 * wrong / max(row['moves'], 1):.2f} %"

    plain = [both(row[way]["right"], row[way]["wrong"]) for way in ("word_list", "legal")]
    ours = [both(right, row["wrong"]) for right in (row["right"], row["right"] + row["confirmed"])]
    return f"| {condition} | {result.name} | " + " | ".join(plain + ours) + " |"


def annabella() -> str:
    """The program: the one named by the environment, or that of the last build."""
    return os.environ.get("ANNABELLA", "target/release/annabella")
