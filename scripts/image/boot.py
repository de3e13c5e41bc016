"""Boots the card in QEMU to the first spoken sentence, and compares it with what the card's own voice makes of the text.

    boot.py IMAGE WORK          `virt`, by a clock that counts instructions: one core that does 10^9 a second
    boot.py --pi3 IMAGE WORK    QEMU's Pi 3, as far as it goes: what the service says in its log is printed

Left in WORK/boot-test: the recording, the serial line, the service's log.
"""

import array
import os
import re
import subprocess
import sys
import time
import wave
from pathlib import Path

import machine

RATE_HZ = 22050
LOUD = 300
SENTENCE = "Für Deutsch sag eins."
OTHERS = [("en", "For English say two."), ("de", "Wie ist deine Antwort?")]
ALIKE = 0.85
DIFFERENT = 0.5
SECONDS = int(os.environ.get("IMAGE_SECONDS", "2400"))
# Compared is every third sample: what matters in speech is below 3 kHz.
STEP = 3


def spoken(work, lang, text):
    """Samples of the voice on the card, by the program's own options for it."""
    command = [str(work / "root/usr/bin/espeak-ng"), "--path=" + str(work / "root/usr/lib/aarch64-linux-gnu"),
               "-v", lang, "-s", "160", "-b", "1", "--stdin", "--stdout"]
    out = machine.emulated(work, *command, input=text.encode(), stdout=subprocess.PIPE).stdout
    samples = array.array("h", out[44:len(out) - len(out) % 2])
    return trimmed(samples)


def trimmed(samples):
    loud = [place for place, sample in enumerate(samples) if abs(sample) > LOUD]
    return samples[loud[0]:loud[-1] + 1] if loud else samples[:0]


def likeness(recorded, wanted):
    """The greatest correlation, -1 to 1, of the text's sound with the recording from its first loud sample on, 40 ms either way."""
    wanted = [sum(wanted[i:i + STEP]) / STEP for i in range(0, len(wanted) - STEP, STEP)]
    heard = [sum(recorded[i:i + STEP]) / STEP for i in range(0, len(recorded) - STEP, STEP)]
    power = sum(a * a for a in wanted)
    best = -1.0
    for lag in range(2 * RATE_HZ * 40 // 1000 // STEP):
        part = heard[lag:lag + len(wanted)]
        if len(part) < len(wanted):
            break
        theirs = sum(b * b for b in part)
        if theirs > 0:
            best = max(best, sum(map(float.__mul__, wanted, part)) / (power * theirs) ** 0.5)
    return best


def recording(path):
    data = path.read_bytes() if path.exists() else b""
    return array.array("h", data[:len(data) & ~1])


def verdict(good, text):
    print(f"{'good ' if good else 'BAD  '} {text}", flush=True)
    return bool(good)


def virt(image, work):
    out = work / "boot-test"
    out.mkdir(exist_ok=True)
    for old in out.iterdir():
        old.unlink()
    (out / "job.sh").write_text((Path(__file__).parent / "jobs/boot.sh").read_text())
    reference = spoken(work, "de", SENTENCE)
    machine.layer(image, out / "card.qcow2")
    card = f"driver=qcow2,node-name=card,file.driver=file,file.filename={out / 'card.qcow2'}"
    line = machine.words(work, machine.unit(f"{machine.MODULES}; {machine.MOUNT} && exec sh /run/job/job.sh"))
    began = time.monotonic()
    with (out / "serial.log").open("wb") as serial:
        command = machine.virt(work, card, out, line, "-smp", "1", "-icount", "shift=0")
        qemu = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=serial, stderr=subprocess.STDOUT)
        try:
            first = wait(out, qemu, began, len(reference))
        finally:
            qemu.kill()
            qemu.wait()
    samples = recording(out / "recording.raw")
    serial = (out / "serial.log").read_text(errors="replace")
    start = re.search(r"BEGAN ([\d.]+) (\d+)", serial)
    if not verdict(start and first is not None, f"something was spoken, {time.monotonic() - began:.0f} s after QEMU was started"):
        return False
    with wave.open(str(out / "recording.wav"), "wb") as sound:
        sound.setparams((1, 2, RATE_HZ, len(samples), "NONE", ""))
        sound.writeframes(samples.tobytes())
    good = verdict("overrun" not in (out / "recorder.log").read_text(), "the whole of it was recorded")
    word_s = float(start.group(1)) + (first - int(start.group(2)) // 2) / RATE_HZ
    margin = RATE_HZ * 40 // 1000
    heard = array.array("h", [0] * margin) + samples[first:]
    alike = likeness(heard, reference)
    good &= verdict(alike > ALIKE, f"the first sentence is '{SENTENCE}': correlation {alike:.3f}")
    for lang, text in OTHERS:
        other = likeness(heard, spoken(work, lang, text))
        good &= verdict(other < DIFFERENT, f"and not '{text}': correlation {other:.3f}")
    log = (out / "service.log").read_text(errors="replace")
    good &= verdict("is in use by another program" not in log, "the sound card is opened once, for loudspeaker and earphone")
    system = (out / "system.txt").read_text()
    good &= verdict(re.search(r"^card on / type overlay", system, re.M), "the system is read-only, under a layer in memory")
    found = re.search(r"^\S+ +(\d+) .* /data$", log, re.M)
    size = int(found.group(1)) if found else 0
    good &= verdict(size > 2_500_000, f"the games' partition has grown to {size // 1024} MiB on a card of 4 GiB")
    print(f"{word_s:.1f} s from the kernel's start to the first word, on a core that does 10^9 instructions a second; "
          "the Pi's firmware and what a card needs to be read come on top")
    return bool(good)


def wait(out, qemu, began, length):
    """The first loud sample, once as much was recorded after it as the sentence takes."""
    while time.monotonic() - began < SECONDS and qemu.poll() is None:
        time.sleep(2)
        samples = recording(out / "recording.raw")
        first = next((place for place, sample in enumerate(samples) if abs(sample) > LOUD), None)
        if first is not None and len(samples) > first + length + RATE_HZ:
            return first
    return None


def pi3(image, work):
    out = work / "pi3-test"
    out.mkdir(exist_ok=True)
    # QEMU's slot takes cards of 2^n bytes only.
    machine.layer(image, out / "card.qcow2")
    follow = "(while sleep 5; do cat /sys/firmware/devicetree/base/model; journalctl --namespace annabella -b -o cat | tail -n 20; done) &"
    line = machine.words(work, machine.unit(follow), "systemd.show_status=1")
    boot = work / "boot"
    command = ["qemu-system-aarch64", "-M", "raspi3b", "-nographic", "-no-reboot", "-serial", "stdio", "-monitor", "none",
               "-kernel", str(boot / "vmlinuz"), "-initrd", str(boot / "initrd.img"), "-dtb", str(boot / "bcm2837-rpi-3-b.dtb"),
               "-append", line.replace("console=tty0", ""), "-drive", f"if=sd,format=qcow2,file={out / 'card.qcow2'}"]
    with (out / "serial.log").open("wb") as serial:
        qemu = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=serial, stderr=subprocess.STDOUT)
        began = time.monotonic()
        try:
            while time.monotonic() - began < SECONDS and qemu.poll() is None:
                time.sleep(5)
                text = (out / "serial.log").read_text(errors="replace")
                if "Deutsch" in text:
                    said = re.search(r".*Deutsch.*", text).group(0).strip()
                    return verdict(True, f"QEMU's Pi 3 comes to '{said}', in {time.monotonic() - began:.0f} s of this machine")
        finally:
            qemu.kill()
            qemu.wait()
    print((out / "serial.log").read_text(errors="replace")[-2000:])
    return verdict(False, "QEMU's Pi 3 did not come to the first sentence")


def main(arguments):
    goal = virt
    if arguments[0] == "--pi3":
        goal, arguments = pi3, arguments[1:]
    if not goal(Path(arguments[0]), Path(arguments[1])):
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
