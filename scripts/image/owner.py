"""The owner logs in by his key, to a card whose partition of the games is damaged.

    owner.py IMAGE WORK
    owner.py --check            whether this test damages what it says, and nothing else; without QEMU

A key is put onto a copy's first partition and its third one is overwritten, as a broken card leaves it. What the owner
then sees by ssh is printed. Left in WORK/owner-test: the serial line.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import machine
from boot import SECONDS, verdict

TOLD = "in the ear: Die Partie wird nicht gespeichert, geht aber weiter. Ruf den Schiedsrichter."
PORT = 22022


def places(image):
    """Where each partition begins, in bytes."""
    table = subprocess.run(["sfdisk", "--dump", str(image)], check=True, capture_output=True, text=True).stdout
    return [int(start) * 512 for start in re.findall(r"start= *(\d+)", table)]


def prepared(image, card, key):
    """A copy with a key on its first partition, whose third one has no file system."""
    first, _, third = places(image)
    subprocess.run(["cp", "--sparse=always", str(image), str(card)], check=True)
    with card.open("r+b") as file:
        # All of it: e2fsck mends a file system from any superblock that is left.
        left = file.seek(0, 2) - file.seek(third)
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
        prepared(image, card, key)
        after = card.read_bytes()
        mtype = ["mtype", "-i", f"{card}@@{2 << 20}", "::owner.pub"]
        assert subprocess.run(mtype, check=True, capture_output=True, text=True).stdout == key.read_text()
        assert image.read_bytes() == before and len(after) == len(before)
        assert after[:2 << 20] == before[:2 << 20] and after[6 << 20:8 << 20] == before[6 << 20:8 << 20]
        assert set(after[8 << 20:]) == {255}
    print("good  the card is damaged where it should be")


def main(image, work):
    out = work / "owner-test"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    key, other, card = out / "key", out / "other", out / "card.img"
    for path in [key, other]:
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
    prepared(image, card, key.with_suffix(".pub"))
    line = (work / "boot/cmdline.txt").read_text().strip() + " console=ttyAMA0"
    node = f"driver=raw,node-name=card,file.driver=file,file.filename={card}"
    net = ["-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{PORT}-:22", "-device", "virtio-net-pci,netdev=net"]

    def ssh(path, command):
        options = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "ConnectTimeout=20",
                   "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes", "-o", "LogLevel=ERROR"]
        call = ["ssh", *options, "-i", str(path), "-p", str(PORT), "owner@127.0.0.1", command]
        try:
            return subprocess.run(call, capture_output=True, text=True, timeout=120, check=False)
        except subprocess.TimeoutExpired:
            # A machine that has just started, on a busy one.
            return subprocess.CompletedProcess(call, 255, "", "")

    began = time.monotonic()
    with (out / "serial.log").open("wb") as serial:
        command = machine.virt(work, node, out, line, "-smp", "2", *net)
        qemu = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=serial, stderr=subprocess.STDOUT)
        try:
            log = ""
            while time.monotonic() - began < SECONDS and qemu.poll() is None and TOLD not in log:
                time.sleep(10)
                log = ssh(key, "sudo journalctl --namespace annabella -b -o cat").stdout
            system = ssh(key, "sudo id -un; findmnt -no SOURCE /var/lib/annabella; systemctl is-active annabella brltty").stdout
            stranger = ssh(other, "true").returncode
        finally:
            qemu.kill()
            qemu.wait()
    good = verdict(system.startswith("root\n"), f"the owner logs in by his key, and may do everything: {system.split()}")
    good &= verdict(stranger != 0, "another key does not")
    good &= verdict("nothing is mounted at /var/lib/annabella" in log, "the log names the partition that is not there")
    good &= verdict(TOLD in log, f"'{TOLD}'")
    good &= verdict(system.split()[1:] == ["active", "inactive"], "the game goes on in memory, and brltty does not run")
    if not good:
        print(log[-2000:])
    card.unlink()
    return good


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(check())
    sys.exit(0 if main(Path(sys.argv[1]), Path(sys.argv[2])) else 1)
