"""The owner logs in by his key, to cards that are damaged, and sees what they do.

    owner.py IMAGE WORK [WHAT]  WHAT is gone or mended, both by default
    owner.py --check            whether this test damages what it says, and nothing else; without QEMU

gone: the third partition is overwritten as a whole. The game goes on in memory, and the player is told.
mended: its first 32 MB are. e2fsck mends it, a game is begun and saved. Then the power goes, and the card starts twice
more, in a Pi whose clock starts in 2001. The first time the file system says that it is damaged while it runs, and can
only be read from then on, the second time the whole card can.
Left in WORK/owner-test: the serial lines.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import machine
from boot import SECONDS, verdict

TOLD = "in the ear: Die Partie wird nicht gespeichert, geht aber weiter. Ruf den Schiedsrichter."
PORT = 22022
MENDED_MIB = 32
RECORDS = "/var/lib/annabella"


def places(image):
    """Where each partition begins, in bytes."""
    table = subprocess.run(["sfdisk", "--dump", str(image)], check=True, capture_output=True, text=True).stdout
    return [int(start) * 512 for start in re.findall(r"start= *(\d+)", table)]


def prepared(image, card, key, damaged_mib=None):
    """A copy with a key on its first partition, whose third one is overwritten: so much of it, or all."""
    first, _, third = places(image)
    subprocess.run(["cp", "--sparse=always", str(image), str(card)], check=True)
    with card.open("r+b") as file:
        # All of it: e2fsck mends a file system from any superblock that is left.
        left = file.seek(0, 2) - file.seek(third)
        if damaged_mib is not None:
            left = min(left, damaged_mib << 20)
        while left > 0:
            left -= file.write(b"\xff" * min(left, 1 << 20))
    subprocess.run(["mcopy", "-i", f"{card}@@{first}", str(key), "::owner.pub"], check=True)


def check():
    """The key is where the card looks for it, and of the rest only the third partition is another."""
    with tempfile.TemporaryDirectory() as folder:
        image, card, key, fat = (Path(folder) / name for name in ("image", "card", "key", "fat"))
        key.write_text("ssh-ed25519 AAAA owner\n")
        with image.open("wb") as file:
            file.truncate(48 << 20)
            file.seek(6 << 20)
            file.write(b"the system")
        table = "label: dos\nstart=2MiB, size=4MiB, type=c\nstart=6MiB, size=2MiB, type=83\nstart=8MiB, size=40MiB, type=83\n"
        subprocess.run(["sfdisk", "--quiet", str(image)], input=table, check=True, text=True)
        subprocess.run(["mkfs.vfat", "-C", str(fat), "4096"], check=True, stdout=subprocess.DEVNULL)
        with image.open("r+b") as file:
            file.seek(2 << 20)
            file.write(fat.read_bytes())
        before = image.read_bytes()
        for damaged_mib, end in [(None, 48), (MENDED_MIB, 8 + MENDED_MIB)]:
            prepared(image, card, key, damaged_mib)
            after = card.read_bytes()
            mtype = ["mtype", "-i", f"{card}@@{2 << 20}", "::owner.pub"]
            assert subprocess.run(mtype, check=True, capture_output=True, text=True).stdout == key.read_text()
            assert image.read_bytes() == before and len(after) == len(before)
            assert after[:2 << 20] == before[:2 << 20] and after[6 << 20:8 << 20] == before[6 << 20:8 << 20]
            assert set(after[8 << 20:end << 20]) == {255} and not set(after[end << 20:]) - {0}
    print("good  the card is damaged where it should be")


class Guest:
    """A card that runs, until the power goes at the end of the `with`."""

    def __init__(self, work, out, name, card, key, *options):
        line = (work / "boot/cmdline.txt").read_text().strip() + f" console=ttyAMA0 {machine.PATIENT}"
        net = ["-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{PORT}-:22", "-device", "virtio-net-pci,netdev=net,romfile="]
        self.key, self.serial, self.began = key, (out / f"{name}.log").open("wb"), time.monotonic()
        command = machine.virt(work, card, out, line, "-smp", "2", *net, *options)
        self.qemu = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.serial, stderr=subprocess.STDOUT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.qemu.kill()
        self.qemu.wait()
        self.serial.close()

    def ssh(self, command, key=None):
        options = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "ConnectTimeout=20",
                   "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes", "-o", "LogLevel=ERROR"]
        call = ["ssh", *options, "-i", str(key or self.key), "-p", str(PORT), "owner@127.0.0.1", command]
        try:
            return subprocess.run(call, capture_output=True, text=True, timeout=120, check=False)
        except subprocess.TimeoutExpired:
            # A machine that has just started, on a busy one.
            return subprocess.CompletedProcess(call, 255, "", "")

    def said(self, command, wanted=""):
        """What a command says, again and again until this is in it."""
        while True:
            result = self.ssh(command)
            over = time.monotonic() - self.began > SECONDS or self.qemu.poll() is not None
            if over or (result.returncode != 255 and wanted in result.stdout):
                return result.stdout
            time.sleep(5)

    def log(self, wanted=""):
        return self.said("sudo journalctl --namespace annabella -b -o cat", wanted)


def gone(image, work, out, key, other):
    card = out / "card.img"
    prepared(image, card, key.with_suffix(".pub"))
    with Guest(work, out, "gone", f"driver=raw,node-name=card,file.driver=file,file.filename={card}", key) as guest:
        log = guest.log(TOLD)
        system = guest.said(f"sudo id -un; findmnt -no SOURCE {RECORDS}; systemctl is-active annabella brltty systemd-timesyncd; true")
        stranger = guest.ssh("true", other).returncode
    good = verdict(system.startswith("root\n"), f"the owner logs in by his key, and may do everything: {system.split()}")
    good &= verdict(stranger != 0, "another key does not")
    good &= verdict("nothing is mounted at /var/lib/annabella" in log, "the log names the partition that is not there")
    good &= verdict(TOLD in log, f"'{TOLD}'")
    good &= verdict(system.split()[1:] == ["active", "inactive", "active"],
                    "the game goes on in memory, brltty does not run, the clock is kept")
    if not good:
        print(log[-2000:])
    return good


def stage(work, out, name, card, *options):
    """Boots the card beside jobs/mended.sh. What that tells, by its first words."""
    job = machine.unit(f"{machine.MODULES}; {machine.MOUNT} && exec sh /run/job/mended.sh {name}")
    job = job.replace("After=", f"After={RECORDS[1:].replace('/', '-')}.mount var-lib-systemd-timesync.mount ")
    command = machine.virt(work, card, out, machine.words(work, job, *machine.UNUSED), "-smp", "2", *options)
    qemu = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            errors="replace")
    late, told = threading.Timer(SECONDS, qemu.kill), {}
    late.start()
    try:
        with (out / f"{name}.log").open("w") as serial:
            for line in qemu.stdout:
                serial.write(line)
                serial.flush()
                if found := re.search(r"(GAMES|MOUNT|CLOCK|SERVICES|in the ear:) ?(.*)", line):
                    told.setdefault(found.group(1), []).append(found.group(2).strip())
                elif "OVER" in line:
                    break
    finally:
        late.cancel()
        qemu.kill()
        qemu.wait()
    return told


def mended(image, work, out, key, _):
    card = out / "card.img"
    prepared(image, card, key.with_suffix(".pub"), MENDED_MIB)
    shutil.copy(Path(__file__).parent / "jobs/mended.sh", out)
    node = f"driver=raw,node-name=card,file.driver=file,file.filename={card}"
    slow = ["-rtc", "base=2001-02-03"]
    runs = "active active"

    def clock(told, place):
        now_s, kept_s = (told.get("CLOCK", [])[place:] or ["0 0"])[0].split()
        return int(now_s), int(kept_s)

    def played(told, plies):
        return any(f'"plies":{plies},' in games for games in told.get("GAMES", []))

    def unsaved(told):
        return TOLD.removeprefix("in the ear: ") in told.get("in the ear:", [])

    first = stage(work, out, "mended", node)
    source = " ".join(first.get("MOUNT", []))
    good = verdict("[/annabella]" in source and " rw," in source, f"the partition that was mended is mounted: {source}")
    good &= verdict(played(first, 1), f"a game begins on it: {first.get('GAMES')}")
    now_s, kept_s = clock(first, 0)
    good &= verdict(0 < kept_s <= now_s, f"the time is kept there: {kept_s}")

    again = stage(work, out, "again", node, *slow)
    good &= verdict(played(again, 2), f"it goes on after the power went: {again.get('GAMES')}")
    then_s, _ = clock(again, 0)
    good &= verdict(kept_s <= then_s, f"a Pi whose clock starts in 2001 goes on from the time that was kept: {then_s - kept_s} s later")
    source = " ".join(again.get("MOUNT", []))
    good &= verdict(re.search(r"[ ,](emergency_)?ro\b", source), f"the file system says that it is damaged, and can only be read: {source}")
    good &= verdict(unsaved(again) and played(again, 3), "the game goes on in memory, and the player is told")
    good &= verdict(played(again, 4), "and once more, when the service starts again")
    good &= verdict(clock(again, 1)[0] >= then_s > 0 and again.get("SERVICES") == [runs], f"the clock does not go back: {again}")

    made_s = int((work / "root/usr/lib/clock-epoch").stat().st_mtime)
    locked = stage(work, out, "locked", f"{node},read-only=on", *slow)
    good &= verdict(unsaved(locked) and played(locked, 1), f"on a card that can only be read she can play, and is told: {locked}")
    now_s, _ = clock(locked, 0)
    good &= verdict(made_s <= now_s and locked.get("SERVICES") == [runs],
                    f"its clock begins when the card was made: {now_s - made_s} s later")
    return good


def main(image, work, *wanted):
    out = work / "owner-test"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    key, other = out / "key", out / "other"
    for path in [key, other]:
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
    good = True
    for scene in [gone, mended]:
        if not wanted or scene.__name__ in wanted:
            good &= scene(image, work, out, key, other)
    (out / "card.img").unlink()
    return good


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(check())
    sys.exit(0 if main(*map(Path, sys.argv[1:3]), *sys.argv[3:]) else 1)
