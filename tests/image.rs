//! The card to flash is what it must be: a broken description of it is found. `make image` asks the same of the built one.

use std::{fs, path::Path, process::Command};

/// Copies of the scripts, with one text changed; what the check says of them, if it objects.
fn objection(file: &str, from: &str, to: &str) -> Option<String> {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    let copy = tempfile::tempdir().expect("a folder");
    copied(&scripts.join("image"), &copy.path().join("image"));
    fs::copy(scripts.join("image.sh"), copy.path().join("image.sh")).expect("copied");
    let path = copy.path().join(file);
    let text = fs::read_to_string(&path).expect("a file of the card");
    assert!(text.contains(from), "{file} has no '{from}'");
    fs::write(path, text.replace(from, to)).expect("written");
    let output = Command::new("python3")
        .arg(scripts.join("image/check.py"))
        .arg("--at")
        .arg(copy.path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("python3 runs; install it with: apt-get install python3");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.is_empty(), "{errors}");
    assert_eq!(output.status.success(), !said.contains("BAD"), "{said}");
    (!output.status.success()).then_some(said)
}

fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let goal = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copied(&entry.path(), &goal);
        } else {
            fs::copy(entry.path(), goal).expect("copied");
        }
    }
}

#[test]
fn the_card_is_read_only_silent_and_nobodys_but_its_owners() {
    assert_eq!(objection("image.sh", "set -euo", "set -euo"), None);
}

#[test]
fn a_lost_move_would_be_found() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/image/power.py");
    let mut python = Command::new("python3");
    let output = python.arg(script).arg("--check").env("PYTHONDONTWRITEBYTECODE", "1").output();
    let output = output.expect("python3 runs; install it with: apt-get install python3");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_broken_card_is_found() {
    let fstab = "image/root/etc/fstab";
    let layer = "image/root/etc/initramfs-tools/scripts/local-bottom/card";
    let sshd = "image/root/etc/ssh/sshd_config.d/card.conf";
    let cmdline = "image/boot/cmdline.txt";
    let broken = [
        // Written to the system, or games into memory.
        (cmdline, " ro ", " rw ", "mounted read-only"),
        (cmdline, "rootfstype=squashfs", "rootfstype=ext4", "cannot be written"),
        (cmdline, "panic=10", "systemd.debug-shell", "no shell for everybody"),
        (layer, "-t overlay", "-t none", "a layer in memory"),
        (fstab, "vfat ro,", "vfat rw,", "boot partition"),
        (fstab, "data=journal", "data=writeback", "file system's journal"),
        (fstab, "x-systemd.growfs 0 2", "x-systemd.growfs 0 0", "checked at each boot"),
        (fstab, "/data/annabella /var", "/run/annabella /var", "on the games' partition"),
        (
            "image/root/etc/systemd/system/annabella.service.d/card.conf",
            " --kept-on /var/lib/annabella",
            "",
            "records into memory is told",
        ),
        (
            "image/root/etc/systemd/system/annabella.service.d/card.conf",
            "WantsMountsFor",
            "Wants",
            "waits for the games' partition",
        ),
        (fstab, "bind,nofail", "bind", "keeps nothing from starting"),
        // Braille displays, and nothing that is none.
        ("image.sh", "disable brltty", "enable brltty", "does not run without a display"),
        (
            "image/root/etc/udev/rules.d/80-braille.rules",
            "403/fe7?/*",
            "403/6001/*",
            "no common serial chip",
        ),
        // A radio.
        ("image.sh", "openssh-server", "openssh-server wpasupplicant", "no package for a radio"),
        ("image.sh", "kernel/drivers/net/wireless", "kernel/drivers/net/wired", "is left out"),
        ("image.sh", "'/usr/lib/firmware/*'", "", "firmware of radios"),
        (
            "image/boot/pi.dts",
            "&bt {\n  status = \"disabled\"",
            "&bt {\n  status = \"okay\"",
            "Bluetooth is off",
        ),
        (
            "image/boot/pi5.dts",
            "&sdio2 {\n  status = \"disabled\"",
            "&sdio2 {\n  status = \"okay\"",
            "Wi-Fi is off",
        ),
        (
            "image/root/etc/modprobe.d/no-radio.conf",
            "install cfg80211",
            "# install cfg80211",
            "cfg80211",
        ),
        // A login of somebody else.
        (sshd, "PasswordAuthentication no", "PasswordAuthentication yes", "takes no password"),
        (sshd, "PermitRootLogin no", "PermitRootLogin yes", "root does not log in"),
        (sshd, "/run/card-owner/authorized_keys", ".ssh/authorized_keys", "boot partition alone"),
        (
            "image.sh",
            "inside systemd-sysusers",
            "echo owner:owner | chpasswd",
            "no password is set",
        ),
        ("image.sh", "--uid 1000", "--uid 1000 -p x", "no password is set"),
        (
            "image/root/etc/systemd/system/card-grow.service",
            "[Service]",
            "[Service]\nExecStart=agetty --autologin owner",
            "logged in unasked",
        ),
    ];
    for (file, from, to, wanted) in broken {
        let said = objection(file, from, to);
        assert!(
            said.as_ref().is_some_and(|said| said.contains(wanted)),
            "{file}, '{to}': {said:?}"
        );
    }
}
