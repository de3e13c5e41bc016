//! `annabella doctor` on machines that are made up: what it says of each, word for word.

use std::{collections::BTreeMap, fs, io, path::Path, process::Command};

use annabella::cli::{
    self,
    doctor::{Check, Linux, Machine, Owner, Space, examine},
};

/// A folder that looks like a machine; owners, room and programs are told, the rest is read.
struct Fake {
    folder: tempfile::TempDir,
    owners: BTreeMap<String, Owner>,
    free: u64,
    programs: BTreeMap<&'static str, String>,
}

const SERVICE_CONFIG: &str = "/var/lib/annabella/annabella.toml";
const GB: u64 = 1 << 30;

impl Machine for Fake {
    fn bytes(&self, path: &str) -> io::Result<Vec<u8>> {
        Linux::below(self.folder.path()).bytes(path)
    }

    fn names(&self, folder: &str) -> Vec<String> {
        Linux::below(self.folder.path()).names(folder)
    }

    fn owner(&self, path: &str) -> Option<Owner> {
        self.owners.get(path).copied().or_else(|| {
            let there = Linux::below(self.folder.path()).owner(path)?;
            Some(Owner { uid: 0, gid: 0, ..there })
        })
    }

    fn space(&self, _: &str) -> Option<Space> {
        Some(Space { free: self.free, total: 30 * GB })
    }

    fn tells(&self, program: &str, _: &[&str]) -> Option<String> {
        self.programs.get(program).cloned()
    }
}

impl Fake {
    /// A machine with nothing on it but root.
    fn bare() -> Fake {
        let fake = Fake {
            folder: tempfile::tempdir().expect("a folder"),
            owners: BTreeMap::new(),
            free: 20 * GB,
            programs: BTreeMap::new(),
        };
        fake.with("/etc/passwd", "root:x:0:0:root:/root:/bin/bash\n")
            .with("/etc/group", "root:x:0:\n")
            .with(
                "/proc/self/status",
                "Name:\tx\nUid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\nGroups:\t0 \n",
            )
            .with("/proc/self/mounts", "/dev/sda1 / ext4 rw,relatime 0 0\n")
            .with("/proc/asound/cards", " 0 [PCH            ]: HDA-Intel - HDA Intel PCH\n")
            .with("/proc/asound/pcm", "00-00: ALC : ALC : playback 1 : capture 1\n")
            .with("/home/.keep", "")
            .telling("timedatectl", "NTP=yes\nNTPSynchronized=yes\n")
    }

    /// A Raspberry Pi 4 with the board of `hardware/`, asked by root: the service's user counts.
    fn pi4() -> Fake {
        let fake = Fake::bare()
            .with("/proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
            .with(
                "/boot/firmware/config.txt",
                "dtparam=audio=on\n[cm5]\ndtparam=spi=off\n[all]\ndtparam=spi=on\n#dtparam=spi=off\n\
                 dtparam=i2c_arm=on,i2c_arm_baudrate=400000\n",
            )
            .with(
                "/etc/passwd",
                "root:x:0:0:root:/root:/bin/bash\npi:x:1000:1000:,,,:/home/pi:/bin/bash\n\
                 annabella:x:990:990::/var/lib/annabella:/usr/sbin/nologin\n",
            )
            .with(
                "/etc/group",
                "root:x:0:\npi:x:1000:\ngpio:x:986:annabella\nspi:x:989:pi,annabella\n\
                 i2c:x:988:pi,annabella\nannabella:x:990:\n",
            )
            .with(
                "/proc/self/mounts",
                "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n/dev/mmcblk0p1 /boot/firmware vfat rw 0 0\n\
                 tmpfs /run tmpfs rw 0 0\n",
            )
            .with("/sys/block/mmcblk0/device/name", "SC32G\n")
            .with("/sys/block/mmcblk0/device/type", "SD\n")
            .with("/sys/class/thermal/thermal_zone0/temp", "48312\n")
            .with("/sys/class/rfkill/rfkill0/type", "wlan\n")
            .with("/sys/class/rfkill/rfkill0/soft", "1\n")
            .with("/sys/class/rfkill/rfkill0/hard", "0\n")
            .with(
                "/proc/asound/cards",
                " 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones\n                      \
                 bcm2835 Headphones\n 1 [Device         ]: USB-Audio - USB Audio Device\n",
            )
            .with(
                "/proc/asound/pcm",
                "00-00: bcm2835 Headphones : bcm2835 Headphones : playback 8\n\
                 01-00: USB Audio : USB Audio : playback 1 : capture 1\n",
            )
            .with(SERVICE_CONFIG, include_str!("../../hardware/annabella.toml"))
            .telling("vcgencmd", "throttled=0x0\n")
            .telling("espeak-ng", "Pty Language\n 5  de  --/M German\n")
            .telling(
                "systemctl",
                "NRestarts=0\nResult=success\nLoadState=loaded\nActiveState=active\nUnitFileState=enabled\n",
            );
        fake.owned("/dev/gpiochip0", 0, 986, 0o660)
            .owned("/dev/spidev0.0", 0, 989, 0o660)
            .owned("/dev/i2c-1", 0, 988, 0o660)
            .owned("/var/lib/annabella", 990, 990, 0o700)
            .owned("/home/pi", 1000, 1000, 0o755)
    }

    /// The same, asked by its owner, who has a configuration of his own.
    fn of_pi(self) -> Fake {
        self.with(
            "/proc/self/status",
            "Name:\tx\nUid:\t1000\t1000\t1000\t1000\nGid:\t1000\t1000\t1000\t1000\nGroups:\t988 989 1000 \n",
        )
        .with(SERVICE_CONFIG, "[board]\nkind = \"shift-register\"\n[journal]\npath = \"/home/pi/games.db\"\n")
    }

    fn with(self, path: &str, text: &str) -> Fake {
        let file = self.folder.path().join(path.trim_start_matches('/'));
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(file, text).expect("written");
        self
    }

    fn without(mut self, path: &str) -> Fake {
        // It may be known by its owner alone.
        let _ = fs::remove_file(self.folder.path().join(path.trim_start_matches('/')));
        self.owners.remove(path);
        self
    }

    fn owned(mut self, path: &str, uid: u32, gid: u32, mode: u32) -> Fake {
        self.owners.insert(path.to_owned(), Owner { uid, gid, mode });
        self
    }

    fn telling(mut self, program: &'static str, text: &str) -> Fake {
        self.programs.insert(program, text.to_owned());
        self
    }

    /// All that is said.
    fn said(&self) -> String {
        let checks = examine(self, None);
        checks.iter().map(|check| check.lines() + "\n").collect()
    }

    /// What is said under one name.
    fn says(&self, name: &str) -> String {
        let checks = examine(self, None);
        is_german(&checks);
        let lines: Vec<String> =
            checks.iter().filter(|check| check.name() == name).map(|check| check.lines()).collect();
        lines.join("\n")
    }
}

#[test]
fn a_healthy_pi_4_with_its_service() {
    assert_eq!(
        Fake::pi4().said(),
        "\
configuration good  /var/lib/annabella/annabella.toml has no mistake
machine       good  Raspberry Pi 4 Model B Rev 1.4
gpio          good  user annabella may use /dev/gpiochip0
spi           good  /dev/spidev0.0 at 1 MHz
i2c           good  /dev/i2c-1; [board] does not need it
power         good  no under-voltage since the Pi was started
temperature   good  48 degrees
radio         good  off
sound cards   good  bcm2835 Headphones, USB Audio Device
language      good  moves fide, prompts de
data          good  games will be in /var/lib/annabella/annabella.db
disk          good  20 GB free of 30 GB
disk health   good  card SC32G, which tells nothing of its wear
time          good  from the network; without one the date is wrong after a start
network       good  pages at 127.0.0.1:8080, for this machine only; telephones reach them with [console] listen = \"0.0.0.0:8080\"
service       good  runs, starts at boot
engine        good  no engine on this machine
"
    );
}

#[test]
fn spi_is_off() {
    let off = || Fake::pi4().without("/dev/spidev0.0");
    let other = off().with(
        "/boot/firmware/config.txt",
        "dtparam=spi=on\ndtparam=spi=off\n[pi5]\ndtparam=spi=on\n",
    );
    assert_eq!(
        other.says("spi"),
        "\
spi           BAD   SPI is off
              do    printf '[all]\\ndtparam=spi=on\\n' | sudo tee -a /boot/firmware/config.txt && sudo reboot"
    );
    // Before Raspberry Pi OS 12 the file lay elsewhere.
    let older = off().without("/boot/firmware/config.txt").with("/boot/config.txt", "");
    assert_eq!(
        older.says("spi"),
        "\
spi           BAD   SPI is off
              do    printf '[all]\\ndtparam=spi=on\\n' | sudo tee -a /boot/config.txt && sudo reboot"
    );
    assert_eq!(
        off().says("spi"),
        "\
spi           BAD   SPI is switched on, but the Pi was not restarted
              do    sudo reboot"
    );
    let expanders = off()
        .with(SERVICE_CONFIG, "[board]\nkind = \"expander\"\n[journal]\npath = \"/home/x.db\"\n");
    assert_eq!(
        expanders.with("/boot/firmware/config.txt", "").says("spi"),
        "spi           good  SPI is off; [board] does not need it"
    );
}

#[test]
fn the_expanders_need_their_bus_and_its_speed() {
    let expanders = || {
        Fake::pi4().with(
            SERVICE_CONFIG,
            "[board]\nkind = \"expander\"\n[journal]\npath = \"/home/x.db\"\n",
        )
    };
    let tree = "/sys/class/i2c-adapter/i2c-1/of_node/clock-frequency";
    assert_eq!(expanders().says("i2c"), "i2c           good  /dev/i2c-1 at 400 kHz");
    let slow = expanders().with(tree, "\0\x01\u{6}\u{20}");
    assert_eq!(
        slow.says("i2c"),
        "\
i2c           poor  /dev/i2c-1 at 67 kHz, slow for five chips
              do    printf '[all]\\ndtparam=i2c_arm_baudrate=400000\\n' | sudo tee -a /boot/firmware/config.txt && sudo reboot"
    );
    let unloaded =
        expanders().without("/dev/i2c-1").with("/sys/bus/i2c/devices/i2c-1/name", "bcm2835\n");
    assert_eq!(
        unloaded.says("i2c"),
        "\
i2c           BAD   the kernel module i2c-dev is not loaded
              do    echo i2c-dev | sudo tee /etc/modules-load.d/i2c-dev.conf && sudo modprobe i2c-dev"
    );
    let off = expanders()
        .without("/dev/i2c-1")
        .with("/boot/firmware/config.txt", "dtparam=i2c_arm=off\n");
    assert_eq!(
        off.says("i2c"),
        "\
i2c           BAD   I2C is off
              do    printf '[all]\\ndtparam=i2c_arm=on,i2c_arm_baudrate=400000\\n' | sudo tee -a /boot/firmware/config.txt && sudo reboot"
    );
}

#[test]
fn a_user_who_is_not_in_group_gpio() {
    let fake = Fake::pi4().of_pi();
    assert_eq!(
        fake.says("gpio"),
        "\
gpio          BAD   user pi may not open /dev/gpiochip0: not in group gpio
              do    sudo usermod -aG gpio pi, then log out and in again"
    );
    assert_eq!(fake.says("spi"), "spi           good  /dev/spidev0.0 at 1 MHz");
    assert_eq!(fake.says("data"), "data          good  games will be in /home/pi/games.db");
    let since = fake.with("/etc/group", "root:x:0:\ngpio:x:986:annabella,pi\n");
    assert_eq!(
        since.says("gpio"),
        "\
gpio          BAD   user pi is in group gpio only from the next login on
              do    log out and in again"
    );
    let bare = since.owned("/dev/gpiochip0", 0, 0, 0o600);
    assert_eq!(
        bare.says("gpio"),
        "\
gpio          BAD   /dev/gpiochip0 is root's alone: a udev rule is missing
              do    put 60-annabella.rules of hardware/ into /etc/udev/rules.d, then sudo udevadm trigger"
    );
}

#[test]
fn a_supply_that_is_too_weak() {
    let now = Fake::pi4().telling("vcgencmd", "throttled=0x50005\n");
    let mend = "              do    use the Pi's own supply, 5.1 volts, with a short thick cable; fewer devices on USB";
    assert_eq!(
        now.says("power"),
        format!("power         BAD   under-voltage now: reeds and card may fail\n{mend}")
    );
    let before = Fake::pi4().telling("vcgencmd", "throttled=0x50000\n");
    assert_eq!(
        before.says("power"),
        format!("power         poor  there was under-voltage since the Pi was started\n{mend}")
    );
    // Without the program the kernel's own alarm counts.
    let mut kernel = Fake::pi4()
        .with("/sys/class/hwmon/hwmon1/name", "rpi_volt\n")
        .with("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n");
    kernel.programs.remove("vcgencmd");
    assert_eq!(
        kernel.says("power"),
        format!("power         BAD   under-voltage now: reeds and card may fail\n{mend}")
    );
    kernel = kernel.with("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n");
    assert_eq!(
        kernel.says("power"),
        "power         good  no under-voltage since the Pi was started"
    );
    let hot = Fake::pi4().with("/sys/class/thermal/thermal_zone0/temp", "81000\n");
    assert_eq!(
        hot.says("temperature"),
        "\
temperature   BAD   81 degrees, the Pi slows down
              do    give it air, a heat sink or a fan"
    );
}

#[test]
fn a_disk_that_is_full_read_only_in_memory_or_dying() {
    let mut full = Fake::pi4();
    full.free = 12 << 20;
    assert_eq!(
        full.says("disk"),
        "\
disk          BAD   full: 12 MB free of 30 GB
              do    sudo journalctl --vacuum-size=20M; sudo apt-get clean"
    );
    full.free = 400 << 20;
    assert_eq!(
        full.says("disk").lines().next(),
        Some("disk          poor  nearly full: 400 MB free of 30 GB")
    );
    let read_only = Fake::pi4().with("/proc/self/mounts", "/dev/mmcblk0p2 / ext4 ro,noatime 0 0\n");
    assert_eq!(
        read_only.says("disk"),
        "\
disk          BAD   /var/lib/annabella is read-only: no game can be recorded
              do    sudo mount -o remount,rw /, or name a folder that can be written in [journal] path"
    );
    let memory =
        Fake::pi4().with("/proc/self/mounts", "overlay / overlay rw,lowerdir=/lower 0 0\n");
    assert_eq!(
        memory.says("disk").lines().next(),
        Some(
            "disk          poor  /var/lib/annabella is in memory (overlay): games are lost with the power"
        )
    );
    let errors = Fake::pi4().with("/sys/fs/ext4/mmcblk0p2/errors_count", "3\n");
    assert_eq!(
        errors.says("disk health"),
        "\
disk health   BAD   the file system has 3 errors on record
              do    save the games on another disk, then exchange it"
    );
    let worn = |life: &str| {
        Fake::pi4().with("/sys/block/mmcblk0/device/life_time", life).says("disk health")
    };
    assert_eq!(worn("0x01 0x02\n"), "disk health   good  SC32G, at most 20 percent worn");
    assert!(worn("0x0a 0x02\n").starts_with("disk health   poor  SC32G is nearly worn out\n"));
    assert!(worn("0x0b 0x02\n").starts_with("disk health   BAD   SC32G is past its life\n"));
}

#[test]
fn the_folder_of_the_games_is_missing_or_somebody_elses() {
    let fake = Fake::pi4().of_pi().owned("/home/pi", 0, 0, 0o755);
    assert_eq!(
        fake.says("data"),
        "\
data          BAD   user pi may not write into /home/pi
              do    sudo chown -R pi: /home/pi"
    );
    assert_eq!(
        fake.without("/home/pi").says("data"),
        "\
data          BAD   there is no folder /home/pi for the games
              do    sudo install -d -o pi /home/pi"
    );
}

#[test]
fn no_sound_or_only_half_of_it() {
    let none = Fake::pi4()
        .with("/proc/asound/cards", "--- no soundcards ---\n")
        .without("/proc/asound/pcm");
    assert_eq!(
        none.says("sound cards"),
        "\
sound cards   BAD   none: nothing can be heard or said
              do    plug in a USB sound card; list them with: aplay -l"
    );
    let deaf = Fake::pi4().with("/proc/asound/pcm", "00-00: bcm2835 : bcm2835 : playback 8\n");
    assert_eq!(
        deaf.says("sound cards"),
        "\
sound cards   BAD   bcm2835 Headphones, USB Audio Device; none has a microphone
              do    plug in a USB headset, list them with: arecord -l; or set [speech] listen = \"off\""
    );
    let mute = Fake::pi4().telling("espeak-ng", "Pty Language\n");
    assert_eq!(
        mute.says("voices"),
        "\
voices        BAD   espeak-ng has no voice for de
              do    sudo apt-get install --reinstall espeak-ng-data"
    );
    let pack = Fake::pi4().with(SERVICE_CONFIG, "[speech]\nprompts = \"/no/pack.toml\"\n");
    assert!(
        pack.says("language")
            .starts_with("language      BAD   [speech] prompts = \"/no/pack.toml\": "),
        "{}",
        pack.says("language")
    );
}

#[test]
fn a_machine_that_is_no_pi_hears_nothing_of_pis() {
    assert_eq!(
        Fake::bare().with(SERVICE_CONFIG, "[journal]\npath = \"/home/games.db\"\n").said(),
        "\
configuration good  /var/lib/annabella/annabella.toml has no mistake
machine       good  no Raspberry Pi: pins, buses and power are not looked at
board         good  none with sensors is set: its player says what he does on it
sound cards   good  HDA Intel PCH
language      good  moves fide, prompts de
data          good  games will be in /home/games.db
disk          good  20 GB free of 30 GB
time          good  from the network; without one the date is wrong after a start
network       good  pages at 127.0.0.1:8080, for this machine only; telephones reach them with [console] listen = \"0.0.0.0:8080\"
engine        good  no engine on this machine
"
    );
    let reeds = Fake::bare().with(SERVICE_CONFIG, "[board]\nkind = \"matrix\"\n");
    assert_eq!(
        reeds.says("machine"),
        "\
machine       BAD   no Raspberry Pi, and [board] kind = \"matrix\" needs its pins
              do    [board] kind = \"none\" for a board without sensors, \"events\" for reeds of another machine"
    );
    let none = Fake::bare().with(SERVICE_CONFIG, "[board]\nkind = \"none\"\n");
    assert_eq!(
        none.says("board"),
        "board         good  none with sensors is set: its player says what he does on it"
    );
}

#[test]
fn the_date_has_a_source() {
    let unset = || Fake::bare().telling("timedatectl", "NTP=yes\nNTPSynchronized=no\n");
    assert_eq!(
        unset().says("time"),
        "\
time          poor  nothing has set it: the dates of games may be wrong
              do    sudo date --set 'YYYY-MM-DD HH:MM', or plug in a network"
    );
    let clock = unset().with("/sys/class/rtc/rtc0/name", "rtc-ds1307\n");
    assert_eq!(
        clock.says("time"),
        "time          good  from a clock with a battery, not from the network"
    );
    assert_eq!(
        Fake::bare().telling("timedatectl", "NTP=no\nNTPSynchronized=no\n").says("time"),
        "\
time          poor  nothing sets it: the dates of games are wrong
              do    sudo timedatectl set-ntp true"
    );
}

#[test]
fn pages_that_others_can_reach() {
    let open = Fake::bare()
        .with(SERVICE_CONFIG, "[console]\nlisten = \"0.0.0.0:8080\"\n")
        .with(
            "/proc/net/fib_trie",
            "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 0.0.0.0\n        /0 universe UNICAST\n     \
             |-- 127.0.0.1\n        /32 host LOCAL\n     |-- 192.168.1.20\n        /32 host LOCAL\n",
        )
        .with(
            "/proc/net/if_inet6",
            "fe800000000000000000000000000001 02 40 20 80 eth0\n\
             fd000000000000000000000000000007 02 40 00 80 eth0\n",
        );
    assert_eq!(
        open.says("network"),
        "\
network       poor  pages at 192.168.1.20 port 8080, [fd00::7] port 8080, not encrypted: others in the network can read along
              do    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 -subj /CN=annabella \
-keyout key.pem -out certificate.pem; name both in [console]"
    );
    let shut = open.with(
        SERVICE_CONFIG,
        "[console]\nlisten = \"192.168.1.20:443\"\ncertificate = \"c.pem\"\nkey = \"k.pem\"\n",
    );
    assert_eq!(
        shut.says("network"),
        "network       good  pages at 192.168.1.20 port 443, encrypted"
    );
    assert_eq!(
        shut.with(SERVICE_CONFIG, "[console]\nlisten = \"\"\n").says("network"),
        "network       good  no pages: [console] listen is off"
    );
}

#[test]
fn what_keeps_telephones_from_the_pages_is_named() {
    let wide = || Fake::bare().with(SERVICE_CONFIG, "[console]\nlisten = \"0.0.0.0:8080\"\n");
    let networked = || {
        let tree = "Main:\n     |-- 192.168.1.20\n        /32 host LOCAL\n";
        wide().with("/proc/net/fib_trie", tree)
    };
    assert_eq!(
        wide().says("telephones"),
        "\
telephones    poor  can reach no page: this machine is in no network
              do    plug in a network"
    );
    assert_eq!(
        wide().telling("nmcli", "nmcli tool, version 1.42.4\n").says("telephones"),
        "\
telephones    poor  can reach no page: this machine is in no network
              do    sudo nmcli device wifi hotspot ssid Annabella (docs/pages.md), or plug in a network"
    );
    assert_eq!(
        networked().with("/etc/ufw/ufw.conf", "# on\nENABLED=yes\n").says("telephones"),
        "\
telephones    poor  are kept out by the firewall ufw, unless it lets them in already
              do    sudo ufw allow 8080/tcp"
    );
    assert_eq!(
        networked().telling("firewall-cmd", "no\n").says("telephones"),
        "\
telephones    poor  are kept out by the firewall firewalld
              do    sudo firewall-cmd --permanent --add-port=8080/tcp; sudo firewall-cmd --reload"
    );
    let silent = [
        networked(),
        networked().with("/etc/ufw/ufw.conf", "ENABLED=no\n").telling("firewall-cmd", "yes\n"),
        Fake::bare().with(SERVICE_CONFIG, "[console]\nlisten = \"127.0.0.1:8080\"\n"),
    ];
    for machine in silent {
        assert_eq!(machine.says("telephones"), "");
    }
}

#[test]
fn the_service_failed_restarted_or_was_stopped() {
    let state = |active: &str, restarts: u32| {
        let told = format!(
            "NRestarts={restarts}\nResult=exit-code\nLoadState=loaded\nActiveState={active}\nUnitFileState=enabled\n"
        );
        Fake::pi4().telling("systemctl", &told).says("service")
    };
    assert_eq!(
        state("failed", 5),
        "\
service       BAD   has failed (exit-code), starts at boot
              do    journalctl --namespace annabella -n 20 says why; then: sudo systemctl reset-failed annabella && \
sudo systemctl start annabella"
    );
    assert_eq!(
        state("active", 2),
        "\
service       poor  runs, but had to be started again 2 times
              do    journalctl --namespace annabella -n 50"
    );
    assert_eq!(
        state("inactive", 0),
        "\
service       poor  stopped, starts at boot
              do    sudo systemctl start annabella"
    );
    let none = Fake::pi4()
        .telling("systemctl", "LoadState=not-found\nActiveState=inactive\nUnitFileState=\n");
    assert_eq!(none.says("service"), "service       good  not installed; play is started by hand");
}

/// No English word is left where these are told in German.
fn is_german(checks: &[Check]) {
    let german = cli::german();
    for check in checks {
        let told = check.german_lines(&german);
        let is_english = |word: &str| ENGLISH.contains(&word);
        let left = told.split(|c: char| !c.is_alphanumeric()).find(|word| is_english(word));
        assert_eq!(left, None, "{told}");
    }
}

/// Words that are in every English sentence, and in no command and no German one.
const ENGLISH: [&str; 20] = [
    "the", "is", "are", "of", "and", "there", "with", "not", "its", "this", "by", "has", "does",
    "nothing", "only", "good", "poor", "bad", "then", "what",
];

fn doctor(folder: &Path, config: &str) -> (i32, String, String) {
    let file = folder.join("annabella.toml");
    fs::write(&file, config).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_annabella"))
        .args(["doctor", "--json", "--seconds", "0", "--config", "annabella.toml"])
        .current_dir(folder)
        .output()
        .expect("runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("a code"), text(output.stdout), text(output.stderr))
}

#[test]
fn the_doctor_speaks_german_where_the_locale_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("annabella.toml");
    let quiet =
        "[speech]\nengine = \"none\"\nlisten = \"off\"\npublic = \"none\"\nprivate = \"none\"\n";
    fs::write(file, quiet).expect("written");
    let told = |locale: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_annabella"))
            .args(["doctor", "--seconds", "0", "--config", "annabella.toml"])
            .current_dir(folder.path())
            .env("LC_ALL", locale)
            .output()
            .expect("runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let (german, english) = (told("de_DE.UTF-8"), told("C.UTF-8"));
    assert!(
        english.starts_with("configuration good  annabella.toml has no mistake\n"),
        "{english}"
    );
    assert!(german.starts_with("Konfiguration gut    annabella.toml ist fehlerfrei\n"), "{german}");
    assert_eq!(german.lines().count(), english.lines().count(), "{german}");
    let words = || german.split(|c: char| !c.is_alphanumeric());
    let left: Vec<&str> = words().filter(|word| ENGLISH.contains(word)).collect();
    assert!(left.is_empty(), "{left:?} in\n{german}");
}

#[test]
fn the_exit_code_says_what_kind_of_thing_is_bad() {
    let folder = tempfile::tempdir().expect("a folder");
    let quiet =
        "[speech]\nengine = \"none\"\nlisten = \"off\"\npublic = \"none\"\nprivate = \"none\"\n";
    let (code, said, error) = doctor(folder.path(), quiet);
    let bad = said.lines().any(|line| line.contains("\"health\":\"bad\""));
    assert_eq!(code != 0, bad, "{said}{error}");
    for line in said.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(
            line["check"].is_string() && line["health"].is_string() && line["found"].is_string(),
            "{line}"
        );
    }
    // A wrong file is told, everything else is looked at all the same.
    let (code, said, error) = doctor(folder.path(), "[game]\nblnd = \"white\"\n");
    let wrong = "annabella.toml:2: unknown key 'blnd' in [game]; did you mean 'blind'?";
    let first = format!(
        "{{\"check\":\"configuration\",\"health\":\"bad\",\"found\":\"{wrong}\",\
         \"mend\":\"correct that line: nano annabella.toml\"}}"
    );
    assert_eq!(
        (code, said.lines().next(), error),
        (2, Some(first.as_str()), format!("annabella: {wrong}\n"))
    );
    assert!(said.lines().count() > 5, "{said}");
    // No device has this name anywhere.
    let (code, said, _) =
        doctor(folder.path(), "[speech]\nlisten = \"off\"\npublic = \"no such card\"\n");
    assert_eq!(code, 3, "{said}");
}

#[test]
fn what_play_refuses_or_does_without_the_doctor_finds() {
    let folder = tempfile::tempdir().expect("a folder");
    let address = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken = address.local_addr().expect("an address");
    let none = "[board]\nkind = \"none\"\nreports = \"announced\"\n[console]\nlisten = \"\"\n";
    for (config, check, code, play, found) in [
        (
            format!("{none}[clock]\nwhite_key = \"foo\"\n"),
            "configuration",
            2,
            Some(2),
            "no key is called 'foo': write ".to_owned(),
        ),
        (
            format!("{none}[speech]\nconfusions = \".\"\nengine = \"none\"\nlisten = \"off\"\n"),
            "configuration",
            2,
            Some(2),
            "cannot read .: Is a directory (os error 21)".to_owned(),
        ),
        (
            "[board]\nkind = \"events\"\npath = \".\"\n[console]\nlisten = \"\"\n".to_owned(),
            "board",
            3,
            Some(3),
            "[board] path: cannot read .: Is a directory (os error 21)".to_owned(),
        ),
        (
            "[console]\ncertificate = \"nix.pem\"\nkey = \"nix.pem\"\n".to_owned(),
            "network",
            1,
            None,
            "cannot use nix.pem: ".to_owned(),
        ),
        (
            format!("[console]\nlisten = \"{taken}\"\n"),
            "network",
            0,
            None,
            format!("no pages at {taken}: Address already in use (os error 98)"),
        ),
    ] {
        let quiet = match config.contains("[speech]") {
            true => "",
            false => "[speech]\nengine = \"none\"\nlisten = \"off\"\n",
        };
        let config = config + quiet;
        let (ended, said, _) = doctor(folder.path(), &config);
        let name = format!("{{\"check\":\"{check}\",\"health\":\"");
        let line = said.lines().find(|line| line.starts_with(&name) && line.contains(&found));
        assert!(line.is_some(), "{found}\n{said}");
        // Of a machine without sound more is bad than this.
        assert!(code < 2 || ended == code, "{ended}: {said}");
        let Some(play) = play else { continue };
        let output = Command::new(env!("CARGO_BIN_EXE_annabella"))
            .args(["play", "--new", "--config", "annabella.toml"])
            .current_dir(folder.path())
            .stdin(std::process::Stdio::null())
            .output()
            .expect("runs");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(&found), "{found}\n{error}");
        assert_eq!(output.status.code(), Some(play), "{error}");
    }
}

#[test]
fn a_configuration_that_may_not_be_read_is_not_taken_for_none() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("annabella.toml");
    fs::write(&file, "").expect("written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).expect("locked");
    if fs::read(&file).is_ok() {
        // Root reads everything.
        return;
    }
    let mut call = Command::new(env!("CARGO_BIN_EXE_annabella"));
    call.args(["doctor", "--json", "--seconds", "0"]).current_dir(folder.path());
    let output = call.output().expect("runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let found = "cannot read annabella.toml: permission denied; take sudo, or name another file with --config";
    let first = format!("{{\"check\":\"configuration\",\"health\":\"bad\",\"found\":\"{found}\"}}");
    assert_eq!(
        said.lines().next(),
        Some(first.as_str()),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(output.status.code(), Some(2));
}

/// The arbiter asks whether anything here could play (11.3).
#[test]
fn an_engine_on_the_machine_is_named_and_a_game_at_home_wants_one() {
    let both =
        || Fake::bare().with("/usr/games/stockfish", "").with("/usr/bin/annabella-partner", "");
    assert_eq!(
        both().says("engine"),
        "\
engine        poor  there is /usr/bin/annabella-partner, /usr/games/stockfish
              do    before a tournament (11.3): sudo apt remove annabella-partner stockfish"
    );
    let home = "[game]\nat_home = true\n[sighted]\nkind = \"page\"\n";
    assert_eq!(
        both().with(SERVICE_CONFIG, home).says("engine"),
        "engine        good  /usr/bin/annabella-partner, /usr/games/stockfish, for games at home"
    );
    assert_eq!(
        Fake::bare().with(SERVICE_CONFIG, home).says("engine"),
        "\
engine        poor  no engine on this machine, and the games are at home
              do    sudo apt install stockfish"
    );
}
