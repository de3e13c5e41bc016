"""Pulls the power of the card while a game is recorded, and looks what is left.

    power.py IMAGE WORK [N [SEED [CUTS]]]
    power.py --check            whether this test would find a loss; without QEMU

QEMU boots the card and is killed (SIGKILL) N times at a random moment: mostly while moves are typed, sometimes while it
boots. The virtual card is one that loses what was not flushed: QEMU logs every write and flush (blklogwrites), and
after a kill the card is made anew from the log, with all that was written before the last finished flush, and of the
rest a random half, the last piece torn between two sectors. The next boot must come up, and have every move that the
program had told as made. In the end it boots once more.

One boot in eight, the first and the last are whole. At the others jobs/quick.sh stands in for systemd, which takes an
emulated machine minutes; kernel, initramfs, e2fsck, mounts and program are the card's own at all of them.

Besides, from each log CUTS more moments are drawn (default 20): the games' partition as it would be then is repaired
by e2fsck as at boot, the record is read by the card's own program, and must have every move told before that moment.

Each seed has a folder of its own in WORK/power-test. A run that is killed goes on from its last pull when it is called
again with the same image, SEED and CUTS; without its folder it begins anew.
"""

import hashlib
import json
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
# One in so many boots is a whole one.
WHOLE = 8


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


def survivors(written, dice, until=None):
    """What is on the card after the power went when the log was `until` bytes long: pairs of place and data."""
    written = [entry for entry in written if until is None or entry[3] <= until]
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


def archive(name, path):
    """One program, as the kernel unpacks it behind its initramfs."""
    def entry(name, mode, data):
        fields = [0, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
        return head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)

    return entry(name, 0o100755, path.read_bytes()) + entry("TRAILER!!!", 0, b"")


class Run:
    """One boot: what the guest tells on its serial line, and how long the log of the card was then."""

    def __init__(self, state, work, out, number, whole):
        self.log = out / "writes.log"
        self.log.write_bytes(b"")
        machine.layer(state, out / "card.qcow2")
        card = (f"driver=blklogwrites,node-name=card,file.driver=qcow2,file.file.driver=file,file.file.filename={out / 'card.qcow2'},"
                f"log.driver=file,log.filename={self.log},log-sector-size={SECTOR}")
        job = f"{machine.MODULES}; {machine.MOUNT}; runuser -u annabella -- sh /run/job/power.sh /var/lib/annabella"
        job = machine.unit(job, "shutdown.target")
        job = job.replace("After=", "After=basic.target data.mount ")
        line = machine.words(work, job, "systemd.mask=annabella.service", *machine.UNUSED)
        options = ["-smp", "2"]
        if not whole:
            line = (work / "boot/cmdline.txt").read_text().strip() + " console=ttyAMA0 rdinit=/quick"
            initramfs = (work / "boot/initrd.img").read_bytes()
            (out / "quick.img").write_bytes(initramfs + bytes(-len(initramfs) % SECTOR) + archive("quick", out / "quick.sh"))
            options += ["-initrd", str(out / "quick.img")]
        self.serial = (out / f"serial-{number}.log").open("w")
        self.acked, self.records, self.ready, self.broken = [], {}, False, []
        self.qemu = subprocess.Popen(machine.virt(work, card, out, line, *options), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
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
            elif found := re.search(r"FSCK (\d+)", line):
                # As systemd-fsck takes it: 1 is mended.
                self.broken += [f"e2fsck ended with {found.group(1)}"] * (int(found.group(1)) & ~1 != 0)
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


def partition(table):
    """First byte and length of the games' partition, of a card's first sector."""
    start, sectors = struct.unpack_from("<II", table, 446 + 32 + 8)
    return start * SECTOR, sectors * SECTOR


def offline(state, work, out, run, written, acked, dice, cuts):
    """More moments of the same log. How many were good; what was wrong is printed."""
    size, good = run.log.stat().st_size, 0
    with state.open("rb") as whole, (out / "before.ext4").open("wb") as part:
        table = whole.read(SECTOR)
        start, _ = partition(table)
        copied(whole, part, start)
    for _ in range(cuts):
        until = dice.randrange(SECTOR, size + 1)
        pieces = survivors(written, dice, until)
        told = [ack for ack in acked if len(ack) == 2 or ack[2] <= until]
        games = out / "games.ext4"
        subprocess.run(["cp", "--sparse=always", str(out / "before.ext4"), str(games)], check=True)
        apply(games, [(place - start, data) for place, data in pieces if place >= start])
        # At the first start the partition grows.
        now = [data[:SECTOR] for place, data in pieces if place == 0]
        os.truncate(games, partition(now[-1] if now else table)[1])
        # Twice, as card-grow.service and systemd do.
        for options in "-y", "-fy":
            fsck = subprocess.run(["e2fsck", options, str(games)], capture_output=True, text=True)
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


def copied(source, goal, start):
    """From a place on, without the holes."""
    end = source.seek(0, os.SEEK_END)
    goal.truncate(end - start)
    place = start
    while True:
        try:
            place = source.seek(place, os.SEEK_DATA)
        except OSError:
            return
        hole = source.seek(place, os.SEEK_HOLE)
        while place < hole:
            source.seek(place)
            piece = source.read(min(1 << 20, hole - place))
            goal.seek(place - start)
            goal.write(piece)
            place += len(piece)


def records(work, database):
    """Games of a journal, by the card's own program, which takes seconds: the same files are read once."""
    if not database.exists():
        return {}
    files = [database, database.with_name(f"{database.name}-wal")]
    whole = hashlib.sha256(b"|".join(file.read_bytes() for file in files if file.exists())).digest()
    if whole in READ:
        return READ[whole]
    program = [str(work / "root/usr/bin/annabella"), "games", "--journal", str(database)]

    def games(*command):
        return machine.emulated(work, *program, *command, stdout=subprocess.PIPE, text=True).stdout

    found = {}
    for game in map(int, re.findall(r'^\{"id":(\d+)', games("--json", "list"), re.M)):
        text = " ".join(line for line in games("export", str(game), "--pgn").splitlines() if not line.startswith("["))
        found[game] = re.sub(r"\{[^}]*\}|\d+\.+", "", text).split()
    READ[whole] = found
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
            kept = dict(survivors(list(entries(log)), random.Random(seed)))
            assert kept[0] == flushed and kept[16384] == forced
            seen.add(len(kept.get(8192, b"")))
        assert {0, len(late)} < seen, seen
        early = survivors(list(entries(log)), random.Random(1), SECTOR + len(parts[1]) + len(hole))
        assert all(data == flushed[:len(data)] for _, data in early) and len(early) < 2
        image, out = Path(folder) / "image", Path(folder) / "out"
        image.write_bytes(hole)
        first = Progress(image, out, 1, 20, 1 << 20)
        first.pulled([(SECTOR, b"kept")], [(1, 5)], [20.0, 60.0], 0, 20)
        again = Progress(image, out, 1, 20, 1 << 20)
        assert (again.pulls, again.acked, again.moments, again.dice.random()) == (1, [(1, 5)], 20, first.dice.random())
        assert again.state.read_bytes()[:2 * SECTOR] == hole[:SECTOR] + b"kept" + hole[:SECTOR - 4]
        part = Path(folder) / "part"
        with again.state.open("rb") as source, part.open("wb") as goal:
            copied(source, goal, SECTOR)
        assert part.read_bytes() == again.state.read_bytes()[SECTOR:]
        os.utime(image, (1, 1))
        other = Progress(image, out, 1, 20, 1 << 20)
        assert (other.pulls, other.acked, other.state.read_bytes()[:2 * SECTOR]) == (0, [], hole)
    assert lost({1: GAME[:5]}, [(1, 5)]) == [] and lost({1: GAME[:6]}, [(1, 5)]) == []
    assert lost({1: GAME[:4]}, [(1, 5)]) and lost({}, [(2, 1)]) and lost({1: ["e4", "c5"]}, [])
    print("good  a loss would be found")


# Games of each journal that was read, by its content.
READ = {}


class Progress:
    """What is kept from one pull to the next, so that a run that was killed goes on: the card's state and what was told."""

    def __init__(self, image, out, seed, cuts, size=machine.CARD_BYTES):
        self.out, self.file, self.dice = out, out / "progress.json", random.Random(seed)
        self.of = [str(image.resolve()), image.stat().st_mtime_ns, seed, cuts]
        self.pulls, self.acked, self.bad, self.moments, self.boot_s = 0, [], 0, 0, [20.0, 60.0]
        found = json.loads(self.file.read_text()) if self.file.is_file() else {}
        if found.get("of") == self.of:
            self.pulls, self.bad, self.moments, self.boot_s = (found[key] for key in ("pulls", "bad", "moments", "boot_s"))
            self.acked = [tuple(ack) for ack in found["acked"]]
            version, words, gauss = found["dice"]
            self.dice.setstate((version, tuple(words), gauss))
            print(f"good  goes on after {self.pulls} pulls", flush=True)
            return
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        subprocess.run(["cp", "--sparse=always", str(image), str(self.state)], check=True)
        os.truncate(self.state, size)

    @property
    def state(self):
        return self.out / f"state-{self.pulls}.img"

    def pulled(self, pieces, acked, boot_s, bad, moments):
        """The next state is whole before the file names it."""
        before = self.state
        self.pulls += 1
        subprocess.run(["cp", "--sparse=always", str(before), str(self.state)], check=True)
        apply(self.state, pieces)
        self.acked, self.boot_s, self.bad, self.moments = acked, boot_s, self.bad + bad, self.moments + moments
        kept = {"of": self.of, "pulls": self.pulls, "acked": acked, "bad": self.bad, "moments": self.moments, "boot_s": boot_s,
                "dice": self.dice.getstate()}
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps(kept))
        new.replace(self.file)
        before.unlink()


def main(arguments):
    if arguments == ["--check"]:
        return check()
    image, work = Path(arguments[0]), Path(arguments[1])
    count, seed, cuts = (int(text) for text in arguments[2:5] + ["10", "1", "20"][len(arguments[2:5]):])
    out = work / "power-test" / str(seed)
    kept = Progress(image, out, seed, cuts)
    for job in ("power.sh", "quick.sh"):
        shutil.copy(Path(__file__).parent / "jobs" / job, out)
    while True:
        dice, before, boot_s, last = kept.dice, kept.acked, kept.boot_s, kept.pulls >= count
        number = kept.pulls + 1
        # The first one lets the partition grow.
        whole = last or number == 1 or dice.randrange(WHOLE) == 0
        run = Run(kept.state, work, out, number, whole)
        began = time.monotonic()
        wrong, seen = [], f"all of {len(before)} acknowledged moves are there"
        if not last and kept.pulls > 0 and dice.randrange(WHILE_BOOTING) == 0:
            run.wait(dice.uniform(0, boot_s[whole]), lambda: False)
            seen = f"the power went {time.monotonic() - began:.0f} s after it was switched on"
        elif run.wait(BOOT_S, lambda: run.ready):
            boot_s[whole] = time.monotonic() - began
            wrong = lost(run.records, before) + run.broken
            if not last:
                if not run.wait(BOOT_S, lambda: bool(run.acked)):
                    wrong.append("no move could be made")
                run.wait(dice.uniform(0, PLAY_S), lambda: False)
                seen += f"; the power went after {len(run.acked)} more"
        else:
            wrong = [f"it did not boot: see {out}/serial-{number}.log"]
        run.cut()
        looked = time.monotonic()
        for line in wrong:
            print(f"BAD   boot {number}: {line}", flush=True)
        if wrong or last:
            break
        written = list(entries(run.log))
        # Where the power went at once nothing had been written.
        tried = cuts if written else 0
        bad = tried - offline(kept.state, work, out, run, written, before + run.acked, dice, tried)
        kept.pulled(survivors(written, dice), before + [ack[:2] for ack in run.acked], boot_s, bad, tried)
        kind = f"{'BAD ' if bad else 'good'}  {'whole' if whole else 'quick'} boot {number}"
        print(f"{kind}: {seen} ({looked - began:.0f} s, and {time.monotonic() - looked:.0f} s for the other moments)", flush=True)
    bad = kept.bad + bool(wrong)
    print(f"{kept.pulls} times the power was pulled (seed {seed}), {kept.moments} more moments were looked at: {len(kept.acked)} moves "
          f"acknowledged, {'none lost, it always booted again' if not bad else f'{bad} BAD'}")
    if bad:
        sys.exit(1)


main(sys.argv[1:])
