"""The owner logs in by his key, to a card whose partition of the games is damaged.

    owner.py IMAGE WORK

A key is put onto a copy's first partition and its third one is overwritten, as a broken card leaves it. What the owner
then sees by ssh is printed. Left in WORK/owner-test: the serial line.
"""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import machine
from boot import SECONDS, verdict

BOOT_AT = 4 << 20
TOLD = "in the ear: Die Partie wird nicht gespeichert, geht aber weiter. Ruf den Schiedsrichter."
PORT = 22022


def damaged(image, card):
    """A copy whose third partition has no file system."""
    table = subprocess.run(["sfdisk", "--dump", str(image)], check=True, capture_output=True, text=True).stdout
    start = next(line for line in table.splitlines() if "type=83" in line and line.split(":")[0].strip().endswith("3"))
    at = int(start.split("start=")[1].split(",")[0]) * 512
    subprocess.run(["cp", "--sparse=always", str(image), str(card)], check=True)
    with card.open("r+b") as file:
        file.seek(at)
        file.write(b"\xff" * (32 << 20))


def main(image, work):
    out = work / "owner-test"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    key, other, card = out / "key", out / "other", out / "card.img"
    for path in [key, other]:
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
    damaged(image, card)
    subprocess.run(["mcopy", "-i", f"{card}@@{BOOT_AT}", str(key) + ".pub", "::owner.pub"], check=True)
    line = (work / "boot/cmdline.txt").read_text().strip() + " console=ttyAMA0"
    node = f"driver=raw,node-name=card,file.driver=file,file.filename={card}"
    net = ["-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{PORT}-:22", "-device", "virtio-net-pci,netdev=net"]

    def ssh(path, command):
        options = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "ConnectTimeout=20",
                   "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes", "-o", "LogLevel=ERROR"]
        call = ["ssh", *options, "-i", str(path), "-p", str(PORT), "owner@127.0.0.1", command]
        return subprocess.run(call, capture_output=True, text=True, timeout=120, check=False)

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
    sys.exit(0 if main(Path(sys.argv[1]), Path(sys.argv[2])) else 1)
