"""The commands: `python -m training make first`, `smoke`, `evaluate`, `tune`, `card`, `inputs`."""

import argparse
import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

from . import card, evaluation, inputs, listening, pipeline, store


def main() -> int:
    try:
        return _run()
    except inputs.Refused as refused:
        print(f"training: {refused}", file=sys.stderr)
        return 2


def _run() -> int:
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("make", help="make a model")
    make.add_argument("size", choices=pipeline.SIZES)
    make.add_argument("--out", type=Path, help="where the model goes")
    make.add_argument("--kokoro", type=int, help="shards of Kokoro's, other than the size says")
    make.add_argument("--from", type=Path, dest="start", help="a finished model to go on with")
    make.add_argument(
        "--recordings", type=Path, action="append", default=[], help="a folder of recordings of people"
    )
    make.add_argument("--people", type=Path, help="a folder of many people's recordings, with manifest.tsv")
    make.add_argument("--keep", type=Path, help="a finished model whose networks stay beside the one that goes on")
    commands.add_parser("smoke", help="make the smallest model and see that it hears something")
    evaluate = commands.add_parser("evaluate", help="compare models on the locked listening tests")
    evaluate.add_argument("models", nargs="+", help="name=folder")
    evaluate.add_argument("--share", type=float, default=1.0, help="of the lines of each voice")
    evaluate.add_argument("--conditions", nargs="+", default=listening.CONDITIONS, help="only in these")
    evaluate.add_argument("--out", type=Path, help="where the report goes too")
    tune = commands.add_parser("tune", help="speak a corpus to choose thresholds with, and print where it is")
    tune.add_argument("lists", type=Path, help="the corpus.tsv of `annabella-lab corpus`: what is said")
    tune.add_argument("--moves", type=int, default=30, help="that each voice says in each condition")
    tune.add_argument(
        "--conditions", nargs="+", choices=listening.CONDITIONS, default=listening.CONDITIONS, help="only in these"
    )
    commands.add_parser("inputs", help="print what the model is made from")
    described = commands.add_parser("card", help="print the card of a model that was made and measured")
    described.add_argument("model", type=Path)
    described.add_argument("report", type=Path)
    described.add_argument("--people", type=Path, help="the lines of `annabella-lab people FOLDER --json`")
    for command in commands.choices.values():
        command.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    store.ROOT.mkdir(parents=True, exist_ok=True)
    if args.command == "make":
        size = pipeline.SIZES[args.size]
        if args.kokoro is not None:
            size = replace(size, kokoro=args.kokoro)
        made = pipeline.make(size, args.threads, args.start, args.recordings, args.people, args.keep)
        begun = None if args.start is None else _described(args.start)
        told = json.dumps(pipeline.described(made, begun, args.people), indent=1)
        print(f"{made.model}\n{told}")
        if args.out:
            shutil.rmtree(args.out, ignore_errors=True)
            shutil.copytree(made.model, args.out)
            _beside(args.out).write_text(told + "\n")
    elif args.command == "smoke":
        return _smoke(args.threads)
    elif args.command == "evaluate":
        models = {name: Path(path) for name, _, path in (one.partition("=") for one in args.models)}
        report = evaluation.evaluate(
            evaluation.annabella(), models, args.threads, args.share, tuple(args.conditions)
        )
        print(report)
        if args.out:
            args.out.write_text(report, encoding="utf-8")
    elif args.command == "tune":
        print(listening.to_tune(args.threads, args.lists, args.moves, tuple(args.conditions)))
    elif args.command == "card":
        print(card.card(args.model, _beside(args.model), args.report, args.people), end="")
    else:
        print(inputs.table(), end="")
    return 0


def _beside(model: Path) -> Path:
    """The file that tells what a model was made of."""
    return model.parent / f"{model.name}.json"


def _described(model: Path) -> dict | None:
    """What a finished model was made of, where it is told."""
    file = _beside(model)
    return json.loads(file.read_text()) if file.is_file() else None


def _smoke(threads: int) -> int:
    """Fails unless the model, loaded by libvosk with a grammar at run time, is far from guessing."""
    size = pipeline.SIZES["smoke"]
    if shutil.which("pico2wave") is None:
        print("svox pico is not here: the other voices speak alone")
        size = replace(size, pico=0)
    made = pipeline.make(size, threads)
    right, of = pipeline.check(made.model)
    print(f"{right} of {of} announcements right among ten by voices never trained on; guessing gets {of // 10}")
    if right < of * 0.4:
        print("too few: something in the pipeline is broken", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
