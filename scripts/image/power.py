"""Pulls the power of the card while a game is recorded, and looks what is left.

    power.py IMAGE WORK [N [SEED [CUTS]]]
    power.py --check            whether this test would find a loss; without QEMU

QEMU boots the card and is killed (SIGKILL) N times at a random moment: mostly while moves are typed, sometimes while it
boots. The virtual card is one that loses what was not flushed: QEMU logs every write and flush (blklogwrites), and
after a kill the card is made anew from the log, with all that was written before the last finished flush, and of the
rest a random half, the last piece torn between two sectors. The next boot must come up, and have every move that the
program had told as made. In the end it boots once more.

Besides, from each log CUTS more moments are drawn (default 20): the games' partition as it would be then is repaired
by e2fsck as at boot, the record is read by the card's own program, and must have every move told before that moment.
"""

import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import machine

GAME = ("e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 "
        "Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#").split()
SECTOR = 512
FLUSH, FUA, DISCARD = 1, 2, 4
BOOT_S = int(os.environ.get("IMAGE_SECONDS", "1800"))
# So long moves are typed at most before the power goes.
PLAY_S = float(os.environ.get("IMAGE_PLAY_SECONDS", "40"))
# One in so many cuts comes while it boots.
WHILE_BOOTING = 5


def entries(path):
    """Writes and flushes of the log in their order: (flags, first byte, data, end of the entry in the log)."""
    data = path.read_bytes() if path.exists() else b""
    place = SECTOR
    while place + SECTOR <= len(data):
        sector, sectors, flags, length = struct.unpack_from("<QQQQ", data, place)
        known = flags & ~7 == 0 and length in (0, sectors * SECTOR) and (sectors or flags & FLUSH) and sector < machine.CARD_BYTES // SECTOR
        if not known:
            # A write that QEMU was in the middle of: its place in the log was taken, but not filled.
            place += SECTOR
            continue
        body = 0 if flags & DISCARD else sectors * SECTOR
        if place + SECTOR + body > len(data):
            break
        start = place + SECTOR
        place = start + body
        yield flags, sector * SECTOR, data[start:place], place


def survivors(log, dice, until=None):
    """What is on the card after the power went when the log was `until` bytes long: pairs of place and data."""
    written = [entry for entry in entries(log) if until is None or entry[3] <= until]
    last = max((number for number, entry in enumerate(written) if entry[0] & FLUSH), default=-1)
    kept = []
    for number, (flags, place, data, _) in enumerate(written):
        if not data or flags & DISCARD:
            continue
        if number < last or flags & FUA:
            kept.append((place, data))
        elif dice.random() < 0.5:
            # Sectors are whole; a piece of many is not.
            torn = dice.randrange(1, len(data) // SECTOR + 1) if dice.random() < 0.3 else len(data) // SECTOR
            kept.append((place, data[:torn * SECTOR]))
    return kept


class Run:
    """One boot: what the guest tells on its serial line, and how long the log of the card was then."""

    def __init__(self, state, work, out, number):
        self.log = out / "writes.log"
        self.log.write_bytes(b"")
        machine.layer(state, out / "card.qcow2")
        card = (f"driver=blklogwrites,node-name=card,file.driver=qcow2,file.file.driver=file,file.file.filename={out / 'card.qcow2'},"
                f"log.driver=file,log.filename={self.log},log-sector-size={SECTOR}")
        job = f"{machine.MODULES}; {machine.MOUNT}; runuser -u annabella -- sh /run/job/power.sh /var/lib/annabella"
        job = machine.unit(job, "shutdown.target")
        line = machine.words(work, job.replace("After=", "After=basic.target data.mount "), "systemd.mask=annabella.service")
        self.serial = (out / f"serial-{number}.log").open("w")
        self.acked, self.records, self.ready = [], {}, False
        self.qemu = subprocess.Popen(machine.virt(work, card, out, line, "-smp", "2"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, text=True, errors="replace")
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.qemu.stdout:
            size = self.log.stat().st_size
            self.serial.write(line)
            self.serial.flush()
            if found := re.search(r"ACK (\d+) (\d+)", line):
                self.acked.append((int(found.group(1)), int(found.group(2)), size))
            elif found := re.search(r"RECORD (\d+)((?: +\S+)*)", line):
                self.records[int(found.group(1))] = found.group(2).split()
            elif "RECORDED" in line:
                self.ready = True

    def wait(self, seconds, done):
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.qemu.poll() is None and not done():
            time.sleep(0.05)
        return done()

    def cut(self):
        self.qemu.kill()
        self.qemu.wait()
        self.serial.close()


def lost(records, acked):
    """What was told as made and is not in the record: lines of text."""
    wrong = []
    for game in sorted({game for game, *_ in acked} | set(records)):
        plies = max((ply for number, ply, *_ in acked if number == game), default=0)
        moves = [san for san in records.get(game, []) if san not in ("1-0", "0-1", "1/2-1/2", "*")]
        if moves != GAME[:len(moves)]:
            wrong.append(f"game {game} is another: {' '.join(moves)}")
        elif len(moves) < plies:
            wrong.append(f"game {game}: {plies} moves were told as made, {len(moves)} are there")
    return wrong


def partition(state):
    with state.open("rb") as file:
        table = file.read(SECTOR)
    start, sectors = struct.unpack_from("<II", table, 446 + 32 + 8)
    return start * SECTOR, sectors * SECTOR


def offline(state, work, out, run, acked, dice, cuts):
    """More moments of the same log. How many were tried; what was wrong is printed."""
    size, good = run.log.stat().st_size, 0
    for number in range(cuts):
        until = dice.randrange(SECTOR, size + 1)
        copy = out / "moment.img"
        subprocess.run(["cp", "--sparse=always", str(state), str(copy)], check=True)
        apply(copy, survivors(run.log, dice, until))
        start, length = partition(copy)
        told = [ack for ack in acked if len(ack) == 2 or ack[2] <= until]
        games = out / "games.ext4"
        with copy.open("rb") as whole, games.open("wb") as part:
            whole.seek(start)
            copied(whole, part, length)
        fsck = subprocess.run(["e2fsck", "-fy", str(games)], capture_output=True, text=True)
        folder = out / "moment"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        subprocess.run(["debugfs", "-R", f"rdump annabella {folder}", str(games)], capture_output=True, check=True)
        wrong = lost(records(work, folder / "annabella/annabella.db"), told)
        if fsck.returncode & ~3:
            wrong.append(f"e2fsck ended with {fsck.returncode}")
        for line in wrong:
            print(f"BAD   {line}, had the power gone at byte {until} of {size} of the log", flush=True)
        good += not wrong
    return good


def copied(source, goal, length):
    """Without the holes."""
    goal.truncate(length)
    for place in range(0, length, 1 << 20):
        piece = source.read(min(1 << 20, length - place))
        if piece.strip(b"\0"):
            goal.seek(place)
            goal.write(piece)


def records(work, database):
    """Games of a journal, by the card's own program."""
    if not database.exists():
        return {}
    program = [str(work / "root/usr/bin/annabella"), "games", "--journal", str(database)]

    def games(*command):
        return machine.emulated(work, *program, *command, stdout=subprocess.PIPE, text=True).stdout

    found = {}
    for game in map(int, re.findall(r'^\{"id":(\d+)', games("--json", "list"), re.M)):
        text = " ".join(line for line in games("export", str(game), "--pgn").splitlines() if not line.startswith("["))
        found[game] = re.sub(r"\{[^}]*\}|\d+\.+", "", text).split()
    return found


def apply(state, pieces):
    with state.open("r+b") as file:
        for place, data in pieces:
            file.seek(place)
            file.write(data)


def check():
    """A flushed write always stays, one that was not flushed goes now and then, or in part; a missing move is told."""
    def entry(place, data, flags=0):
        head = struct.pack("<QQQQ", place // SECTOR, len(data) // SECTOR, flags, len(data) if data else 0)
        return head.ljust(SECTOR, b"\0") + data

    flushed, late, forced = (bytes([number]) * 8 * SECTOR for number in (1, 2, 3))
    hole = bytes(2 * SECTOR)
    parts = [bytes(SECTOR), entry(0, flushed), hole, entry(0, b"", FLUSH), entry(8192, late), entry(16384, forced, FUA)]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "writes.log"
        log.write_bytes(b"".join(parts))
        seen = set()
        for seed in range(200):
            kept = dict(survivors(log, random.Random(seed)))
            assert kept[0] == flushed and kept[16384] == forced
            seen.add(len(kept.get(8192, b"")))
        assert {0, len(late)} < seen, seen
        early = survivors(log, random.Random(1), SECTOR + len(parts[1]) + len(hole))
        assert all(data == flushed[:len(data)] for _, data in early) and len(early) < 2
    assert lost({1: GAME[:5]}, [(1, 5)]) == [] and lost({1: GAME[:6]}, [(1, 5)]) == []
    assert lost({1: GAME[:4]}, [(1, 5)]) and lost({}, [(2, 1)]) and lost({1: ["e4", "c5"]}, [])
    print("good  a loss would be found")


def main(arguments):
    if arguments == ["--check"]:
        return check()
    image, work = Path(arguments[0]), Path(arguments[1])
    count, seed, cuts = (int(text) for text in arguments[2:5] + ["10", "1", "20"][len(arguments[2:5]):])
    dice = random.Random(seed)
    out = work / "power-test"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    shutil.copy(Path(__file__).parent / "jobs/power.sh", out)
    state = out / "state.img"
    subprocess.run(["cp", "--sparse=always", str(image), str(state)], check=True)
    os.truncate(state, machine.CARD_BYTES)
    acked, bad, moments, boot_s = [], 0, 0, 60.0
    for number in range(1, count + 2):
        last = number == count + 1
        run = Run(state, work, out, number)
        began = time.monotonic()
        wrong, when = [], "was not pulled"
        if not last and number > 1 and dice.randrange(WHILE_BOOTING) == 0:
            run.wait(dice.uniform(0, boot_s), lambda: False)
            when = f"{time.monotonic() - began:.0f} s after it was switched on"
        elif run.wait(BOOT_S, lambda: run.ready):
            boot_s = time.monotonic() - began
            wrong = lost(run.records, acked)
            if not last:
                run.wait(BOOT_S, lambda: bool(run.acked))
                run.wait(dice.uniform(0, PLAY_S), lambda: False)
                when = f"after {len(run.acked)} moves"
        else:
            wrong = [f"it did not boot: see {out}/serial-{number}.log"]
        run.cut()
        before = [ack[:2] for ack in acked]
        if not wrong and not last:
            moments += cuts
            found = offline(state, work, out, run, before + run.acked, dice, cuts)
            bad += cuts - found
            pieces = survivors(run.log, dice)
            apply(state, pieces)
            acked = before + [ack[:2] for ack in run.acked]
        for line in wrong:
            print(f"BAD   boot {number}: {line}", flush=True)
        bad += bool(wrong)
        if wrong:
            break
        print(f"good  boot {number}: all of {len(before)} acknowledged moves are there; the power went {when}", flush=True)
    print(f"{number - 1} times the power was pulled (seed {seed}), {moments} more moments were looked at: {len(acked)} moves acknowledged, "
          f"{'none lost, it always booted again' if not bad else f'{bad} BAD'}")
    if bad:
        sys.exit(1)


main(sys.argv[1:])
