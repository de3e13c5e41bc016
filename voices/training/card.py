"""The model card: what a model was made of and measured on, and what must not be claimed."""

import json
from pathlib import Path

from . import accents, finished, inputs, people_table, voices


NOT_MEASURED = "Not measured with people: `make eval-people PEOPLE=FOLDER ARGS=--json` does it.\n"


def card(model: Path, made: Path, report: Path, people: Path | None = None) -> str:
    """`made` is the JSON that `make` leaves beside the model, `report` that of `evaluate`, `people` the lines of
    `annabella-lab people FOLDER --json`, this model's first."""
    facts = json.loads(made.read_text(encoding="utf-8"))
    networks, weights = finished.counted(model)
    whole = sum(path.stat().st_size for path in model.rglob("*") if path.is_file())
    # The report's headings stand one level below the card's own.
    measured = report.read_text(encoding="utf-8").replace("\n## ", "\n### ")
    return (
        Path(__file__).with_name("card.md").read_text(encoding="utf-8").format(
            networks="One network" if networks == 1 else f"{networks} networks, whose outputs are averaged",
            weights=f"{weights / 1e6:.2f} million",
            megabytes=f"{whole / 1e6:.1f}",
            words=facts["words"],
            begun=_before(facts),
            learnt=_learnt(facts.get("size", {})),
            said_hours=facts["said_hours"],
            heard_hours=facts["heard_hours"],
            speakers=facts["speakers"],
            seed=facts["seed"],
            accents=len(accents.RULES) + 1,
            inputs=inputs.table(),
            held_out_espeak=", ".join(voices.HELD_OUT_ESPEAK),
            held_out_kokoro=", ".join(voices.HELD_OUT_KOKORO),
            report=measured,
            people=NOT_MEASURED if people is None else _people(people),
            learnt_from_people=_of_people(facts),
        )
    )  # fmt: skip


def _people(lines: Path) -> str:
    told = lines.read_text(encoding="utf-8").splitlines()
    models = list(dict.fromkeys(json.loads(line)["model"] for line in told if line.startswith("{")))
    return people_table.table(told, {name: "this model" if n == 0 else name for n, name in enumerate(models)})


def _of_people(facts: dict) -> str:
    """Which people's recordings the last course heard."""
    if "manifest" not in facts:
        return "No person's recordings were trained on."
    return f"The last course heard people, whose list (`manifest.tsv`) has the sha256 `{facts['manifest']}`."


def _before(facts: dict) -> str:
    """What else the networks of a model were made of than the last of them in its last courses."""
    begun = _begun(facts.get("begun"))
    if not facts.get("size", {}).get("anew"):
        return begun
    return f"one network {begun.removesuffix('then ')}the other "


def _begun(facts: dict | None) -> str:
    """What a model that was gone on with was made of; nothing for one that was not."""
    if facts is None:
        return ""
    before = _before(facts) or "first "
    return (
        f"{before}{facts['said_hours']} hours of {facts['speakers']} speakers and blends of two, heard for "
        f"{facts['heard_hours']} hours, then "
    )


def _learnt(size: dict) -> str:
    """Of whom the voices learnt to speak that only some models have heard."""
    if not _hears(size, "rhvoice"):
        return ""
    said = ", RHVoice and flite learnt from recordings of fifteen others how these speak"
    return f"{said}, and svox pico from those of six" if _hears(size, "svox") else said


def _hears(size: dict, engine: str) -> bool:
    """Whether an engine speaks in a size, or in one whose shards are heard as well."""
    return bool(size.get(engine)) or any(_hears(other, engine) for other in size.get("also", ()))
