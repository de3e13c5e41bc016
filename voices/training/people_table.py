"""The table of people in the model card, from the lines of `annabella-lab people FOLDER --json`."""

import json
from collections.abc import Iterable

# What a figure of the lines is called in the card.
FIGURES = {
    "ranks": "eins to acht, alone, in a quiet room",
    "ranks cut": "the same, cut as tight as recorded",
    "in silence": "the same, with 300 ms of silence on both sides",
    "in a hall": "the same, in a hall that reverberates",
    "in babble": "the same, others talk 10 dB below",
    "asked for": "the same, in the dialogue, asked for",
    "words": "words of chess, alone, in a quiet room",
    "words cut": "the same, cut as tight as recorded",
    "announced": "announcements (joined), right at once",
    "with a ja": "the same, at once or with one ja",
    "WRONG": "the same, taken for another move",
    "illegal": "illegal announcements (joined), taken for a move",
    "requests": "requests, understood",
    "ja, nein": "ja and nein, understood",
}
GROUPS = {
    "in turn": "people who left one another out in turn",
    "tests": "people who were only tested",
    "validation": "people by whom the model was chosen",
    "trained": "people whom the model was trained on",
}


def table(lines: Iterable[str], names: dict[str, str]) -> str:
    """A Markdown table: `names` says what each model of the lines is called, the card's own first.

    Lines that are no JSON (those of --verbose) are passed over.
    """
    means = {}
    for line in lines:
        if line.startswith("{"):
            row = json.loads(line)
            if "mean_of" in row:
                means[row["model"], row["mean_of"]] = row
    models = [model for model in names if any(of == model for of, _ in means)]
    if not models:
        raise ValueError("no averages over people: make them with --json")
    titles = " | ".join(names[model] for model in models)
    rows = [f"| | people | {titles} |", "|---|---|" + "---|" * len(models)]
    for group, said in GROUPS.items():
        rows += _group([means.get((model, group)) for model in models], said)
    rows += [_worst(said, [means.get((model, group)) for model in models]) for group, said in GROUPS.items()]
    rows = [row for row in rows if row]
    rows.append(_talk([means.get((model, "all")) for model in models]))
    return "\n".join(rows) + "\n"


def _group(means: list[dict | None], said: str) -> list[str]:
    rows = []
    for figure, name in FIGURES.items():
        of = [mean.get(figure) if mean else None for mean in means]
        people = next((one["people"] for one in of if one), 0)
        if people:
            rows.append(f"| {name}: {said} | {people} | " + " | ".join(_figure(one) for one in of) + " |")
    return rows


def _worst(said: str, means: list[dict | None]) -> str:
    """The word that is understood worst in each place, and how well; nothing where nobody says ranks."""
    told = []
    for mean in means:
        worst = (mean or {}).get("worst word", {})
        told.append(", ".join(f"{place}: {one['rank']} ({one['mean']:.1f} %)" for place, one in worst.items()) or "–")
    return f"| the worst rank: {said} | | " + " | ".join(told) + " |" if set(told) != {"–"} else ""


def _figure(one: dict | None) -> str:
    if one is None:
        return "–"
    low, high = one["interval"]
    between = f" ({low:.1f} to {high:.1f}), worst {one['worst']:.1f}" if one["people"] > 1 else ""
    return f"{one['mean']:.1f} %{between}"


def _talk(means: list[dict | None]) -> str:
    told, people = [], 0
    for mean in means:
        if mean is None or not mean["talk"]["talk_s"]:
            told.append("–")
            continue
        talk, people = mean["talk"], mean["people"]
        hours = talk["talk_s"] / 3600
        an_hour = [talk[what] / hours for what in ("false_moves", "false_requests", "needless_questions")]
        told.append(" / ".join(f"{n:.1f}" for n in an_hour) + f" of {hours:.2f} h")
    return f"| talk: false moves / requests / needless questions an hour | {people} | " + " | ".join(told) + " |"
