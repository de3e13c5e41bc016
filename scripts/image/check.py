"""What the card must be, asked of its description and of what was built from it.

    check.py                 the description: image.sh, image/root, image/boot
    check.py --at FOLDER     the same of a copy of scripts/
    check.py --built FOLDER  what `make image` left in TARGET/image: system, boot partition, first 128 MiB of games

Each rule has one line; what is broken is printed, and the exit status is 1.
"""

import re
import struct
import subprocess
import sys
from pathlib import Path

BROKEN = []
RADIO_PACKAGES = r"\b(wpasupplicant|iwd|bluez|network-manager|firmware-brcm80211|bluez-firmware|hostapd|wireless-tools|iw)\b"
RADIO_DRIVERS = ["drivers/net/wireless", "net/wireless", "net/mac80211", "drivers/bluetooth", "net/bluetooth"]
PASSWORD_MAKERS = r"\b(chpasswd|passwd|mkpasswd|usermod|openssl)\b"


def must(rule, holds):
    if not holds:
        BROKEN.append(rule)


def lines(path):
    """Lines that count: no comments, no empty ones; none if the file is missing."""
    text = path.read_text() if path.is_file() else ""
    return [line.split("#")[0].strip() for line in text.splitlines() if line.split("#")[0].strip()]


def mounts(path):
    return {fields[1]: (fields[0], fields[2], fields[3].split(",")) for fields in map(str.split, lines(path)) if len(fields) >= 4}


def read_only(root, cmdline):
    words = cmdline.split()
    must("the system is mounted read-only (cmdline.txt: ro, and not rw)", "ro" in words and "rw" not in words)
    must("the system is squashfs, which cannot be written (cmdline.txt)", "rootfstype=squashfs" in words)
    must("the layer in memory is asked for (cmdline.txt)", not any(word.startswith(("init=", "break")) for word in words))
    must("no shell for everybody (cmdline.txt)", not re.search(r"debug.shell|single|emergency|rescue", cmdline))
    script = root / "etc/initramfs-tools/scripts/local-bottom/card"
    text = script.read_text() if script.is_file() else ""
    layer = re.search(r"-t overlay -o lowerdir=/card/system,upperdir=/card/memory/", text)
    must("a layer in memory lies over the system (initramfs-tools/scripts/local-bottom/card)", layer and "-t tmpfs" in text)


def partitions(root):
    table = mounts(root / "etc/fstab")
    must("nothing mounts the system for writing (fstab)", "/" not in table)
    _, kind, options = table.get("/boot/firmware", ("", "", []))
    must("the boot partition is mounted read-only, for root alone (fstab)", kind == "vfat" and {"ro", "umask=0077"} <= set(options))
    source, kind, options = table.get("/data", ("", "", []))
    must("games have a partition of their own (fstab)", source.endswith("-03") and kind == "ext4")
    must("games are written through the file system's journal (fstab: data=journal)", "data=journal" in options)
    must("the games' partition is checked at each boot (fstab: last number 2)",
         any(line.split()[1] == "/data" and line.split()[-1] == "2" for line in lines(root / "etc/fstab") if len(line.split()) == 6))
    must("the games' file system grows with its partition (fstab: x-systemd.growfs)", "x-systemd.growfs" in options)
    must("records and configuration lie on the games' partition (fstab)",
         table.get("/var/lib/annabella", ("", "", []))[0] == "/data/annabella")
    must("a damaged games' partition keeps nothing from starting (fstab: nofail)", all(
        "nofail" in table.get(place, ("", "", []))[2] for place in ["/data", "/var/lib/annabella", "/var/lib/systemd/timesync"]))
    unit = lines(root / "etc/systemd/system/card-grow.service")
    must("the games' partition is mended twice before it is mounted (card-grow.service)",
         any(re.fullmatch(r"ExecStart=-/usr/sbin/e2fsck -y /dev/disk/by-partuuid/\S+-03", line) for line in unit) and
         any(line.startswith("Before=systemd-fsck@") and " data.mount " in line for line in unit))
    unit = lines(root / "etc/systemd/system/annabella.service.d/card.conf")
    must("the service waits for the games' partition (annabella.service.d)", "WantsMountsFor=/var/lib/annabella" in unit)
    must("the service starts without the games' partition (annabella.service.d)",
         {"StateDirectory=", "WorkingDirectory=-/var/lib/annabella", "ReadWritePaths=/var/lib/annabella"} <= set(unit))
    must("the folder of the games is made ready by root at each start (annabella.service.d)",
         "ExecStartPre=+-/usr/bin/nsenter --target 1 --mount /usr/lib/annabella/card-games" in unit)
    ready = lines(root / "usr/lib/annabella/card-games")
    must("it is the service's own then (card-games)", ready[-1:] == ["install -d -o annabella -g annabella -m 0700 $games"])
    must("who records into memory is told (annabella.service.d)",
         any(line.startswith("ExecStart=/") and line.endswith("--kept-on /var/lib/annabella") for line in unit))
    clock = lines(root / "etc/systemd/system/systemd-timesyncd.service.d/card.conf")
    must("the clock is kept without the games' partition (systemd-timesyncd.service.d)",
         {"StateDirectory=", "ReadWritePaths=/var/lib/systemd/timesync", "WantsMountsFor=/var/lib/systemd/timesync"} <= set(clock) and
         any(line.startswith("ExecStartPre=+-") and line.endswith(" /var/lib/systemd/timesync") for line in clock))


def clock(scripts):
    must("no card starts before it was made (image.sh)", 'touch --date="@$epoch" "$root/usr/lib/clock-epoch"' in
         lines(scripts / "image.sh"))


def braille(scripts):
    rules = "\n".join(lines(scripts / "image/root/etc/udev/rules.d/80-braille.rules"))
    must("a Braille display starts brltty (80-braille.rules)", 'ENV{SYSTEMD_WANTS}+="brltty.service"' in rules)
    must("no common serial chip does (80-braille.rules)", not re.search(r"403/(6001|\*)|10c4/", rules))
    text = "\n".join(lines(scripts / "image.sh"))
    must("brltty does not run without a display (image.sh)", "systemctl --quiet disable brltty" in text)
    must("its key is no other card's (image.sh)", 'rm -f "$root/etc/brlapi.key"' in text)


def logins(root):
    sshd = dict(line.split(None, 1) for line in lines(root / "etc/ssh/sshd_config.d/card.conf"))
    must("ssh takes no password (sshd_config.d)", sshd.get("PasswordAuthentication") == "no" and
         sshd.get("KbdInteractiveAuthentication") == "no")
    must("root does not log in (sshd_config.d)", sshd.get("PermitRootLogin") == "no")
    must("only the owner logs in (sshd_config.d)", sshd.get("AllowUsers") == "owner")
    must("the owner's keys come from the boot partition alone (sshd_config.d)",
         sshd.get("AuthorizedKeysFile") == "/run/card-owner/authorized_keys")
    ssh = lines(root / "etc/systemd/system/ssh.service.d/card.conf")
    must("without the owner's key ssh does not run (ssh.service.d)", "ConditionPathExists=/run/card-owner/authorized_keys" in ssh)
    for file in sorted(path for path in root.rglob("*") if path.is_file()):
        name = file.relative_to(root)
        must(f"nobody is logged in unasked ({name})", not re.search(r"--autologin|-a root", file.read_text()))
        if str(name) != "usr/lib/annabella/card-owner":
            must(f"no password is set ({name})", not re.search(r"\bpasswd\b.*:|" + PASSWORD_MAKERS, "\n".join(lines(file))))
        must(f"no key lies on the card ({name})", name.name not in ("authorized_keys", "owner.pub", "owner.password", "shadow"))


def radio_in_tree(text, name, names):
    for what, node in names.items():
        block = re.search(re.escape(node) + r"\s*\{\s*status = \"(\w+)\";\s*\};", text)
        must(f"{what} is off in the device tree ({name})", block and block.group(1) == "disabled")


def radio(scripts):
    text = (scripts / "image.sh").read_text()
    packages = re.search(r"^packages=\((.*?)^\)", text, re.S | re.M)
    must("no package for a radio is on the card (image.sh)", packages and not re.search(RADIO_PACKAGES, packages.group(1)))
    left_out = re.search(r"^left_out=\((.*?)^\)", text, re.S | re.M)
    for drivers in [*RADIO_DRIVERS, None]:
        pattern = f"'/usr/lib/modules/*/kernel/{drivers}/*'" if drivers else "'/usr/lib/firmware/*'"
        must(f"{drivers or 'firmware of radios'} is left out (image.sh)", left_out and pattern in left_out.group(1))
    boot = scripts / "image/boot"
    radio_in_tree((boot / "pi.dts").read_text(), "pi.dts", {"Wi-Fi": "&{/soc/mmc@7e300000}", "Bluetooth": "&bt"})
    radio_in_tree((boot / "pi5.dts").read_text(), "pi5.dts", {"Wi-Fi": "&sdio2", "Bluetooth": "&uarta"})
    blocked = lines(scripts / "image/root/etc/modprobe.d/no-radio.conf")
    for module in ["brcmfmac", "cfg80211", "hci_uart", "bluetooth"]:
        must(f"{module} cannot be loaded (modprobe.d)", f"install {module} /bin/false" in blocked)


def logins_of_script(scripts):
    text = "\n".join(lines(scripts / "image.sh"))
    must("no password is set (image.sh)", not re.search(PASSWORD_MAKERS + r"|useradd\b.*\s(-p|--password)\b", text))


def described(scripts):
    root = scripts / "image/root"
    read_only(root, (scripts / "image/boot/cmdline.txt").read_text())
    partitions(root)
    logins(root)
    logins_of_script(scripts)
    radio(scripts)
    braille(scripts)
    clock(scripts)


def said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def built(folder):
    root, boot = folder / "root", folder / "boot"
    squashed = folder / "system.squashfs"
    read_only(root, (boot / "cmdline.txt").read_text())
    partitions(root)
    listed = said("unsquashfs", "-ls", str(squashed)).splitlines()
    names = [line.split("squashfs-root", 1)[1] for line in listed if "squashfs-root" in line]
    hashes = dict(line.split(":")[:2] for line in said("unsquashfs", "-cat", str(squashed), "etc/shadow").splitlines())
    must("root and the owner are there", {"root", "owner"} <= set(hashes))
    for user, mark in hashes.items():
        must(f"{user} has no password", mark.startswith(("!", "*")))
    for pattern, what in [(r"/etc/ssh/ssh_host_", "no host key is the same on every card"),
                          (r"authorized_keys$", "no key lies on the card"),
                          (r"/(brcmfmac|cfg80211|mac80211|bluetooth|hci_uart)\.ko", "no driver of a radio is on the card"),
                          (r"/lib/firmware/brcm", "no firmware of a radio is on the card"),
                          (r"/etc/brlapi\.key$", "no key of brltty lies on the card"),
                          (r"^/(etc|usr/lib)/systemd/.*\.wants/brltty", "brltty does not run without a display"),
                          (r"/annabella-lab$", "the laboratory is not on the card"),
                          (r"/(annabella-partner|stockfish)$", "nothing that plays chess is on a tournament's card"),
                          (r"/annabella\.toml$", "the first configuration is made by ear")]:
        found = [name for name in names if re.search(pattern, name) and not name.startswith("/usr/share/")]
        must(f"{what}: {' '.join(found[:3])}", not found)
    for needed in ["/usr/bin/annabella", "/usr/bin/annabella-hall", "/usr/lib/annabella/libvosk.so", "/usr/share/annabella/model",
                   "/usr/bin/espeak-ng", "/usr/bin/brltty", "/etc/systemd/system/multi-user.target.wants/annabella.service"]:
        must(f"{needed} is on the card", needed in names)
    epoch = root / "usr/lib/clock-epoch"
    must("no card starts before it was made", epoch.is_file() and epoch.stat().st_mtime >= (root / "usr/bin/annabella").stat().st_mtime)
    for folder_of in ["etc", "var"]:
        updated = root / folder_of / ".updated"
        must(f"/{folder_of} is not made anew at each start", updated.is_file() and updated.stat().st_mtime >= (root / "usr").stat().st_mtime)
    trees = sorted(boot.glob("*.dtb"))
    for model in ["bcm2837-rpi-3-b", "bcm2837-rpi-3-b-plus", "bcm2837-rpi-zero-2-w", "bcm2711-rpi-4-b", "bcm2712-rpi-5-b"]:
        must(f"{model} has its device tree", boot / f"{model}.dtb" in trees)
    for tree in trees:
        pi5 = "bcm2712" in tree.name
        radios = ["/soc/mmc@7e300000", "/soc/serial@7e201000/bluetooth"]
        if pi5:
            radios = ["/soc@107c000000/mmc@1100000", "/soc@107c000000/serial@7d50c000"]
        for node in radios:
            must(f"{node} is off in {tree.name}", said("fdtget", str(tree), node, "status").strip() == "disabled")
        bus = "/board_spi0" if pi5 else "/soc/spi@7e204000"
        must(f"{bus} has the board in {tree.name}", "spidev@0" in said("fdtget", "-l", str(tree), bus))
    for image in folder.glob("annabella-*.img"):
        with image.open("rb") as file:
            table = file.read(512)
            start = struct.unpack_from("<I", table, 446 + 16 + 8)[0]
            file.seek(start * 512)
            must("the second partition is squashfs", file.read(4) == b"hsqs")
            last, length = struct.unpack_from("<II", table, 446 + 32 + 8)
            must("the games' partition is the last, and ends the image", (last + length) * 512 == image.stat().st_size)
        must("the image is below 3 GB", image.stat().st_size < 3_000_000_000)


def main(arguments):
    if arguments[:1] == ["--built"]:
        built(Path(arguments[1]))
    else:
        described(Path(arguments[1]) if arguments[:1] == ["--at"] else Path(__file__).resolve().parents[1])
    for rule in BROKEN:
        print(f"BAD   {rule}")
    if BROKEN:
        sys.exit(1)
    print("good  the card: read-only, radio off, no login but the owner's, games on a partition of their own")


main(sys.argv[1:])
