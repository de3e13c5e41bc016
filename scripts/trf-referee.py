#!/usr/bin/env python3
"""Reads reports that we wrote with another program's parser, and compares them with what we were given.

    pip install trf
    cargo build -p annabella-hall --example with_results
    scripts/trf-referee.py target/debug/examples/with_results FILE.trf ...

Into each round that has open games results are written by us. A round that is over is opened first: its results are
blanked. Both files are read by the package `trf` (PyPI, 1.1.1): the players, the results of that round and the points
must be what was given, and everything else as it was. The exit code is 1 where something differs.
"""

import pathlib
import random
import subprocess
import sys
import tempfile

import trf

# Result, what White and Black have of it in a report, and the points.
RESULTS = {
    "1-0": ("1", "0", 1.0, 0.0),
    "0-1": ("0", "1", 0.0, 1.0),
    "1/2-1/2": ("=", "=", 0.5, 0.5),
    "0-0": ("0", "0", 0.0, 0.0),
}


def text(data):
    """A report's text, with LF at the ends of its lines."""
    return data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\r", "\n")


def opened(report, number):
    """The report with the results of games played in this round blanked."""
    at, lines = 91 + 10 * (number - 1), []
    for line in report.split("\n"):
        round_here = line[at : at + 8]
        if line.startswith("001 ") and round_here[:4].strip("0 ") and round_here[7:] in "10=":
            line = line[: at + 7] + " " + line[at + 8 :]
        lines.append(line)
    return "\n".join(lines)


def run(program, *args):
    """What the program writes; None where it refuses."""
    done = subprocess.run([program, *args], capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


def games(tournament, number):
    """Colour, opponent and result of each player in a round."""
    found = {}
    for player in tournament.players:
        for game in player.games:
            if game.round == number:
                found[player.startrank] = (game.color, game.startrank, game.result)
    return found


def compare(program, path, number, rng):
    """How many things differ after results of a round; None where there is nothing to write."""
    with open(path, "rb") as file:
        given_to_us = opened(text(file.read()), number)
    before = trf.loads(given_to_us)
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "open.trf"
        copy.write_text(given_to_us, encoding="utf-8")
        return written_and_read(program, str(copy), before, number, rng, path)


def written_and_read(program, copy, before, number, rng, path):
    """The same for a copy that has open games."""
    listed = run(program, copy, str(number))
    if listed is None:
        return None
    names = {player.startrank: player.name for player in before.players}
    open_games = {
        (rank, opponent)
        for rank, (color, opponent, result) in games(before, number).items()
        if color == "w" and result == " " and opponent in names
    }
    by_names = {(names[white], names[black]): (white, black) for white, black in open_games}
    given, wanted = [], {}
    for line in listed.decode().splitlines():
        board, white, black = line.split("\t")
        pair = by_names.get((white, black))
        if pair:
            result = rng.choice(list(RESULTS))
            given.append(f"{board}={result}")
            wanted[pair] = result
    if not given:
        return None
    written = run(program, copy, str(number), *given)
    if written is None:
        print(f"{path}, round {number}: results are refused")
        return 1
    return differences(before, trf.loads(text(written)), number, wanted, path)


def differences(before, after, number, wanted, path):
    """What is not as it should be, each in a line."""
    wrong = []
    points = {player.startrank: player.points for player in before.players}
    now = games(after, number)
    for (white, black), result in wanted.items():
        letters = RESULTS[result]
        if now[white][2] != letters[0] or now[black][2] != letters[1]:
            wrong.append(f"{white}-{black} has {now[white][2]}, {now[black][2]}, not {result}")
        points[white] += letters[2]
        points[black] += letters[3]
    for old, new in zip(before.players, after.players, strict=True):
        if new.points != points[new.startrank]:
            wrong.append(f"player {new.startrank} has {new.points} points, not {points[new.startrank]}")
        for field in ("startrank", "name", "sex", "title", "rating", "fed", "id", "birthdate", "rank"):
            if getattr(old, field) != getattr(new, field):
                wrong.append(f"player {old.startrank}: {field} was {getattr(old, field)!r}, is {getattr(new, field)!r}")
    for other in range(1, 30):
        if other != number and games(before, other) != games(after, other):
            wrong.append(f"round {other} has changed")
    for line in wrong:
        print(f"{path}, round {number}: {line}")
    return len(wrong)


def main(program, paths):
    """Compares all; the number of differences and of rounds."""
    rng = random.Random(8141)
    wrong = rounds = 0
    for path in paths:
        try:
            with open(path, "rb") as file:
                known = trf.loads(text(file.read()))
        except (trf.TrfException.TrfException, ValueError) as error:
            print(f"{path}: not read by trf: {error}")
            continue
        last = max((game.round for player in known.players for game in player.games), default=0)
        for number in range(1, last + 1):
            found = compare(program, path, number, rng)
            if found is not None:
                rounds += 1
                wrong += found
    print(f"{rounds} rounds written and read again, {wrong} differences")
    return wrong or not rounds


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(1 if main(sys.argv[1], sys.argv[2:]) else 0)
