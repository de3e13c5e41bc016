"""QEMU with the card in it: its own kernel, initramfs and command line, as the Pi's firmware hands them on.

What a test needs in the guest besides comes as a unit of systemd in a credential on the command line, with its files
on a share: nothing on the card is touched.
"""

import base64
import subprocess
from pathlib import Path

MODULES = "modprobe -a 9p 9pnet_virtio"
MOUNT = "mkdir -p /run/job && mount -t 9p -o trans=virtio,version=9p2000.L job /run/job"
CARD_BYTES = 4 << 30
# On a busy machine an emulated device may be found later than systemd waits for one by itself.
PATIENT = "systemd.default_device_timeout_sec=1800 systemd.default_timeout_start_sec=1800"

# What has nothing to do with the card's partitions and takes an emulated machine its time.
UNUSED = [f"systemd.mask={name}" for name in ("ssh.service", "systemd-networkd.service", "systemd-networkd.socket", "card-owner.service")]


def unit(command, before="annabella.service"):
    """Runs a line of shell before that unit; its output goes to the serial line."""
    return (f"[Unit]\nDefaultDependencies=no\nAfter=local-fs.target systemd-udevd.service\nBefore={before}\n[Service]\nType=oneshot\n"
            f"RemainAfterExit=yes\nTimeoutStartSec=infinity\nStandardOutput=tty\nTTYPath=/dev/ttyAMA0\nExecStart=/bin/sh -c '{command}'\n")


def words(work, job, *more):
    """The card's command line, with a unit more."""
    line = (work / "boot/cmdline.txt").read_text().strip()
    credential = base64.b64encode(job.encode()).decode()
    extra = f"console=ttyAMA0 systemd.set_credential_binary=systemd.extra-unit.job.service:{credential} systemd.wants=job.service"
    # A getty would hang up the line that the job writes to.
    extra += " systemd.mask=serial-getty@ttyAMA0.service"
    return " ".join([line, extra, PATIENT, *more])


def virt(work, card, share, line, *options):
    """QEMU's machine for everything that its Pi has not. `card` is the end of the option -blockdev, a node named card."""
    return ["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a53", "-m", "1024", "-nographic", "-nodefaults", "-no-reboot",
            "-serial", "stdio", "-kernel", str(work / "boot/vmlinuz"), "-initrd", str(work / "boot/initrd.img"), "-append", line,
            "-blockdev", card, "-device", "virtio-blk-pci,drive=card",
            "-virtfs", f"local,path={share},mount_tag=job,security_model=none", *options]


def layer(base, path, size=CARD_BYTES):
    """What is written goes into a file beside the image."""
    path.unlink(missing_ok=True)
    command = ["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", str(Path(base).resolve()), str(path), str(size)]
    subprocess.run(command, check=True)


def emulated(work, *command, **options):
    """A program of the card, run here."""
    root = work / "root"
    return subprocess.run(["qemu-aarch64-static", "-L", str(root), *command], check=True, **options)
