//! The card to flash is what it must be: a broken description of it is found. `make image` asks the
//! same of the built one.

use std::{
    env, fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use crate::skip::skipped;

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

/// A script of the image tries itself.
fn checked(script: &str) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/image").join(script);
    let mut python = Command::new("python3");
    python.arg(script).arg("--check").env("PYTHONDONTWRITEBYTECODE", "1").env("PATH", path());
    let output = python.output().expect("python3 runs; install it with: apt-get install python3");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Where Debian has programs for a card, which other users than root may lack in theirs.
fn path() -> String {
    format!("{}:/usr/sbin:/sbin", env::var("PATH").unwrap_or_default())
}

/// Says so, and is false, where one of these is not here.
fn all_here(programs: &[&str]) -> bool {
    let path = path();
    let lacking = |name: &&&str| !env::split_paths(&path).any(|folder| folder.join(name).exists());
    let Some(name) = programs.iter().find(lacking) else { return true };
    skipped(name, "the owner of a card and his key are not tried (scripts/setup.sh test)");
    false
}

#[test]
fn a_lost_move_would_be_found() {
    checked("power.py");
}

#[test]
fn the_owners_card_has_his_key_and_is_damaged_where_the_games_are() {
    if all_here(&["sfdisk", "mkfs.vfat", "mcopy"]) {
        checked("owner.py");
    }
}

/// The card's partitions as folders, and its script that lets the owner in.
struct OwnersCard(tempfile::TempDir);

impl OwnersCard {
    fn new() -> OwnersCard {
        let card = OwnersCard(tempfile::tempdir().expect("a folder"));
        fs::create_dir(card.at("boot")).expect("a folder");
        fs::create_dir(card.at("data")).expect("a folder");
        let usermod = card.at("usermod");
        let told = format!("#!/bin/sh\necho \"$@\" >>{}\n", card.at("told").display());
        fs::write(&usermod, told).expect("written");
        fs::set_permissions(&usermod, fs::Permissions::from_mode(0o755)).expect("its own file");
        card
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.at(name)).ok()
    }

    /// The card starts; `/run` is empty then.
    fn start(&self) -> Output {
        let script = include_str!("../../scripts/image/root/usr/lib/annabella/card-owner");
        let folder = self.0.path().display();
        let script = script
            .replace("/boot/firmware\n", &format!("{folder}/boot\n"))
            .replace("/data/ssh", &format!("{folder}/data/ssh"))
            .replace("/run/card-owner", &format!("{folder}/run"));
        let _ = fs::remove_dir_all(self.at("run"));
        let path = format!("{folder}:{}", path());
        let output = Command::new("sh").args(["-c", &script]).env("PATH", path).output();
        let output = output.expect("a shell");
        assert!(output.status.success(), "{output:?}");
        output
    }
}

#[test]
fn who_may_log_in_is_said_by_two_files_on_the_first_partition() {
    if !all_here(&["ssh-keygen"]) {
        return;
    }
    let card = OwnersCard::new();
    card.start();
    assert_eq!((card.read("run/authorized_keys"), card.read("told")), (None, None));
    assert!(!card.at("data/ssh").exists(), "a key of a host that nobody reaches");

    fs::write(card.at("boot/owner.pub"), "ssh-ed25519 AAAA owner\n").expect("written");
    fs::write(card.at("boot/owner.password"), "$6$salt$hash\r\n").expect("written");
    card.start();
    assert_eq!(card.read("run/authorized_keys").as_deref(), Some("ssh-ed25519 AAAA owner\n"));
    assert_eq!(card.read("told").as_deref(), Some("-p $6$salt$hash owner\n"));
    let host = card.read("data/ssh/ssh_host_ed25519_key").expect("made");
    let mode = fs::metadata(card.at("data/ssh")).expect("a folder").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);

    // The host's key stays, so that the owner's computer knows the card again.
    card.start();
    assert_eq!(card.read("data/ssh/ssh_host_ed25519_key"), Some(host));
    // The power went while it was written.
    fs::remove_file(card.at("data/ssh/ssh_host_ed25519_key.pub")).expect("removed");
    card.start();
    assert!(card.at("data/ssh/ssh_host_ed25519_key.pub").exists());

    fs::remove_file(card.at("boot/owner.pub")).expect("removed");
    fs::remove_file(card.at("told")).expect("removed");
    fs::write(card.at("boot/owner.password"), "annabella\n").expect("written");
    let said = card.start().stdout;
    assert_eq!(String::from_utf8_lossy(&said), "owner.password: not a line of openssl passwd -6\n");
    assert_eq!((card.read("run/authorized_keys"), card.read("told")), (None, None));
}

/// Runs the card's script that makes the folder of the games ready, on folders of our own; what it
/// had root do.
fn made_ready(card: &Path, written: bool) -> Vec<String> {
    let script = include_str!("../../scripts/image/root/usr/lib/annabella/card-games");
    // Whoever runs this may write everywhere.
    let cannot_be_written = if written { "false" } else { "true" };
    let script = script
        .replace("! written", cannot_be_written)
        .replace("/var/lib/annabella", &card.join("games").display().to_string())
        .replace("/data/annabella", &card.join("data").display().to_string());
    let told = card.join("told");
    let busy = card.join("busy").display().to_string();
    let tell = |name: &str| {
        format!("{name}() {{ echo {name} $* >>{}; [ ! -e {busy} ]; }}\n", told.display())
    };
    let script = format!("{}{}mountpoint() {{ true; }}\n{script}", tell("umount"), tell("install"));
    let status = Command::new("sh").args(["-c", &script]).status().expect("a shell");
    assert_eq!(status.success(), !card.join("busy").exists());
    let lines = fs::read_to_string(&told).expect("told");
    fs::remove_file(told).expect("removed");
    let words = |line: &str| line.split(' ').take(3).collect::<Vec<_>>().join(" ");
    lines.lines().map(|line| words(&line.replace(&card.display().to_string(), ""))).collect()
}

#[test]
fn games_that_can_only_be_read_go_on_in_memory() {
    let card = tempfile::tempdir().expect("a folder");
    let (data, games) = (card.path().join("data"), card.path().join("games"));
    fs::create_dir_all(data.join("recordings")).expect("a folder");
    fs::create_dir(&games).expect("a folder");
    for name in ["annabella.db", "annabella.db-wal", "annabella.toml"] {
        fs::write(data.join(name), name).expect("written");
    }
    assert_eq!(made_ready(card.path(), true), ["install -d -o"]);
    assert_eq!(fs::read_dir(&games).expect("a folder").count(), 0);

    let locked = ["umount /games", "install -d -o"];
    assert_eq!(made_ready(card.path(), false), locked);
    let game = games.join("annabella.db");
    assert_eq!(fs::read_to_string(&game).expect("copied"), "annabella.db");
    assert!(games.join("annabella.toml").exists() && games.join("annabella.db-wal").exists());
    assert!(!games.join("recordings").exists(), "memory is short");

    // The service starts again: what was played in memory stays.
    fs::write(&game, "a move more").expect("written");
    assert_eq!(made_ready(card.path(), false), locked);
    assert_eq!(fs::read_to_string(&game).expect("kept"), "a move more");

    // What cannot be taken away is left as it is.
    fs::write(card.path().join("busy"), "").expect("written");
    fs::remove_file(games.join(".copied")).expect("removed");
    let tried = ["umount /games", "umount --lazy /games", "install -d -o"];
    assert_eq!(made_ready(card.path(), false), tried);
    assert_eq!(fs::read_to_string(&game).expect("kept"), "a move more");
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
        (
            "image/root/etc/systemd/system/annabella.service.d/card.conf",
            "StateDirectory=\n",
            "",
            "starts without the games' partition",
        ),
        (
            "image/root/etc/systemd/system/annabella.service.d/card.conf",
            "=-/var",
            "=/var",
            "starts without the games' partition",
        ),
        (
            "image/root/etc/systemd/system/annabella.service.d/card.conf",
            "ExecStartPre=+",
            "ExecStartPre=",
            "made ready by root at each start",
        ),
        ("image/root/usr/lib/annabella/card-games", "-o annabella", "", "the service's own then"),
        // No clock, or one from before the card was made.
        (
            "image/root/etc/systemd/system/systemd-timesyncd.service.d/card.conf",
            "StateDirectory=\n",
            "",
            "the clock is kept without",
        ),
        ("image.sh", "clock-epoch", "clock", "before it was made"),
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
            "ExecStart=-/usr/sbin/e2fsck",
            "ExecStart=-/usr/sbin/fsck",
            "mended twice before it is mounted",
        ),
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
