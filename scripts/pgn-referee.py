#!/usr/bin/env python3
"""Reads PGN files with python-chess and compares with what `annabella demo --json` plays.

    pip install chess
    scripts/pgn-referee.py target/debug/annabella FILE.pgn ...

For each game that both read, the moves in UCI must be the same. A game that only one reads is named. The exit code
is 1 where the two differ. The program plays each game with hands that hesitate: a long file takes a while.
"""

import io
import json
import subprocess
import sys

import chess.pgn


def ours(program, path, number):
    """The moves of a game in UCI, as the program announces them; None where it refuses the game."""
    run = subprocess.run(
        [program, "demo", "--silent", "--json", "--speed", "0", "--pgn", path, "--game", str(number)],
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode == 2:
        return None
    lines = (json.loads(line) for line in run.stdout.splitlines() if line.startswith("{"))
    made = []
    for move in (line["move"] for line in lines if "move" in line):
        if move["state"] == "made":
            # Hands that corrected themselves before the press made the same ply once more.
            if made and made[-1]["ply"] == move["ply"]:
                made.pop()
            made.append(move)
    return [move["uci"] for move in made]


def theirs(path):
    """All games of a file as python-chess reads them."""
    with open(path, "rb") as file:
        text = file.read().decode("utf-8-sig", errors="replace")
    stream, games = io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n").replace("\x1a", "")), []
    while game := chess.pgn.read_game(stream):
        games.append(game)
    return games


def compare(program, path):
    """Compares the games of a file; the number that differ."""
    wrong = both = 0
    for number, game in enumerate(theirs(path), 1):
        here = ours(program, path, number)
        if here is None or game.errors:
            if (here is None) != bool(game.errors):
                reader = "python-chess" if here is not None else "annabella"
                print(f"{path}, game {number}: not read by {reader}")
            continue
        both += 1
        # The program plays past a null move, which is none of the Laws.
        there = [move.uci() for move in game.mainline_moves() if move]
        # Where the Laws end a game the program plays no further.
        if there[: len(here)] != here or (len(here) < len(there) and not ended(game, len(here))):
            print(f"{path}, game {number}: {len(here)} moves here, {len(there)} there")
            wrong += 1
    print(f"{path}: {both} games read by both, {wrong} differ", flush=True)
    return wrong


def ended(game, plies):
    """Whether the game is over by the Laws after so many plies."""
    board = game.board()
    for move in game.mainline_moves():
        if plies == 0:
            break
        board.push(move)
        plies -= bool(move)
    return board.is_game_over(claim_draw=False)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    differing = sum(compare(sys.argv[1], path) for path in sys.argv[2:])
    sys.exit(1 if differing else 0)
