//! Sound cards, voices, time, network and the service.

use std::{collections::BTreeSet, net::Ipv6Addr};

use super::{Check, Machine};
use crate::config::{Config, EngineKind, Listen, SpeechSection};
use annabella_words::phrase::pack::{self, Pack};

/// The kernel's view of the sound cards, before anything is opened.
pub(super) fn sound_cards(machine: &dyn Machine, speech: &SpeechSection) -> Option<Check> {
    let speaks = speech.engine != EngineKind::None;
    let hears = speech.listen != Listen::Off;
    if !speaks && !hears {
        return None;
    }
    let cards = machine.text("/proc/asound/cards").unwrap_or_default();
    let lines = machine.text("/proc/asound/pcm").unwrap_or_default();
    let with = |what: &str| lines.lines().any(|line| line.contains(what));
    // " 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones"
    let names: Vec<&str> = cards
        .lines()
        .filter_map(|line| line.split_once("]: ")?.1.split_once(" - "))
        .map(|(_, name)| name)
        .collect();
    let name = "sound cards";
    Some(match (with("playback"), with("capture")) {
        _ if names.is_empty() => Check::bad(name, "none: nothing can be heard or said")
            .mend("plug in a USB sound card; list them with: aplay -l")
            .of_device(),
        (false, _) if speaks => Check::bad(name, format!("{}; none can play", names.join(", ")))
            .mend("plug in a USB sound card; list them with: aplay -l")
            .of_device(),
        (_, false) if hears => Check::bad(
            name,
            format!("{}; none has a microphone", names.join(", ")),
        )
        .mend("plug in a USB headset, list them with: arecord -l; or set [speech] listen = \"off\"")
        .of_device(),
        _ => Check::good(name, names.join(", ")),
    })
}

/// Whether the languages can be spoken.
pub(super) fn voices(machine: &dyn Machine, speech: &SpeechSection) -> Vec<Check> {
    let name = "language";
    let mut wanted = BTreeSet::new();
    for (key, pack) in [("words", &speech.words), ("prompts", &speech.prompts)] {
        let text = match pack::builtin(pack) {
            Some(text) => Ok(text.to_owned()),
            None => machine.text(pack).map_err(|err| err.to_string()),
        };
        match text.and_then(|text| Pack::parse(&text).map_err(|err| err.to_string())) {
            Ok(pack) => wanted.insert(pack.espeak().to_owned()),
            Err(err) => {
                let known: Vec<&str> = pack::builtin_names().collect();
                return vec![
                    Check::bad(name, format!("[speech] {key} = \"{pack}\": {err}"))
                        .mend(format!("name one of {}, or a file", known.join(", "))),
                ];
            }
        };
    }
    let mut checks =
        vec![Check::good(name, format!("moves {}, prompts {}", speech.words, speech.prompts))];
    if speech.engine == EngineKind::Espeak {
        // A missing program is reported with the sound.
        let lacks = |language: &&String| {
            let told = machine.tells("espeak-ng", &[&format!("--voices={language}")]);
            told.is_some_and(|told| told.lines().count() < 2)
        };
        if let Some(language) = wanted.iter().find(lacks) {
            checks.push(
                Check::bad("voices", format!("espeak-ng has no voice for {language}"))
                    .mend("sudo apt-get install --reinstall espeak-ng-data"),
            );
        }
    }
    checks
}

/// The source of a game's date.
pub(super) fn time(machine: &dyn Machine) -> Check {
    let name = "time";
    let told = machine.tells("timedatectl", &["show"]).unwrap_or_default();
    let says = |line: &str| told.lines().any(|told| told == line);
    let clocks = machine.names("/sys/class/rtc");
    let kept = clocks.iter().any(|clock| clock.starts_with("rtc"));
    let synchronised = says("NTPSynchronized=yes")
        || machine.owner("/run/systemd/timesync/synchronized").is_some();
    match (synchronised, kept) {
        (true, true) => Check::good(name, "from the network, kept by a clock with a battery"),
        (true, false) => {
            Check::good(name, "from the network; without one the date is wrong after a start")
        }
        (false, true) => Check::good(name, "from a clock with a battery, not from the network"),
        (false, false) if says("NTP=no") => {
            Check::poor(name, "nothing sets it: the dates of games are wrong")
                .mend("sudo timedatectl set-ntp true")
        }
        (false, false) => Check::poor(name, "nothing has set it: the dates of games may be wrong")
            .mend("sudo date --set 'YYYY-MM-DD HH:MM', or plug in a network"),
    }
}

/// The machines that can reach the pages.
pub(super) fn network(machine: &dyn Machine, config: &Config) -> Option<Check> {
    let name = "network";
    let console = &config.console;
    let Some(listen) = console.listen else {
        return Some(Check::good(name, "no pages: [console] listen is off"));
    };
    if listen.ip().is_loopback() {
        let port = listen.port();
        let found = format!(
            "pages at {listen}, for this machine only; telephones reach them with [console] listen = \"0.0.0.0:{port}\""
        );
        return Some(Check::good(name, found));
    }
    let addresses: Vec<String> = match listen.ip().is_unspecified() {
        true => {
            addresses(machine).iter().map(|ip| format!("{ip} port {}", listen.port())).collect()
        }
        false => vec![format!("{} port {}", listen.ip(), listen.port())],
    };
    let at = match addresses.is_empty() {
        true => format!("port {} of every network", listen.port()),
        false => addresses.join(", "),
    };
    if console.certificate.is_some() {
        return Some(Check::good(name, format!("pages at {at}, encrypted")));
    }
    Some(
        Check::poor(name, format!("pages at {at}, not encrypted: others in the network can read along")).mend(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 -subj /CN=annabella \
             -keyout key.pem -out certificate.pem; name both in [console]",
        ),
    )
}

/// What keeps telephones from pages that are meant for them.
pub(super) fn telephones(machine: &dyn Machine, config: &Config) -> Option<Check> {
    let name = "telephones";
    let listen = config.console.listen.filter(|listen| !listen.ip().is_loopback())?;
    if addresses(machine).is_empty() {
        let what = "can reach no page: this machine is in no network";
        let mend = match machine.tells("nmcli", &["--version"]) {
            Some(_) => {
                "sudo nmcli device wifi hotspot ssid Annabella (docs/pages.md), or plug in a network"
            }
            None => "plug in a network",
        };
        return Some(Check::poor(name, what).mend(mend));
    }
    let port = listen.port();
    let ufw = machine.text("/etc/ufw/ufw.conf").unwrap_or_default();
    if ufw.lines().any(|line| line.trim() == "ENABLED=yes") {
        return Some(
            Check::poor(name, "are kept out by the firewall ufw, unless it lets them in already")
                .mend(format!("sudo ufw allow {port}/tcp")),
        );
    }
    let open = machine.tells("firewall-cmd", &[&format!("--query-port={port}/tcp")])?;
    (open.trim() == "no").then(|| {
        Check::poor(name, "are kept out by the firewall firewalld").mend(format!(
            "sudo firewall-cmd --permanent --add-port={port}/tcp; sudo firewall-cmd --reload"
        ))
    })
}

/// The machine's own addresses but those that nobody else can reach.
fn addresses(machine: &dyn Machine) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut last = "";
    let tree = machine.text("/proc/net/fib_trie").unwrap_or_default();
    for line in tree.lines().map(str::trim) {
        if let Some(address) = line.strip_prefix("|-- ") {
            last = address;
        } else if line == "/32 host LOCAL" && !last.starts_with("127.") {
            found.insert(last.to_owned());
        }
    }
    for line in machine.text("/proc/net/if_inet6").unwrap_or_default().lines() {
        let number =
            line.split_whitespace().next().and_then(|hex| u128::from_str_radix(hex, 16).ok());
        let Some(address) = number.map(Ipv6Addr::from) else { continue };
        if !address.is_loopback() && !address.is_unicast_link_local() {
            found.insert(format!("[{address}]"));
        }
    }
    found
}

/// systemd's report on the service.
fn asked(machine: &dyn Machine) -> Option<String> {
    let fields = "LoadState,ActiveState,UnitFileState,NRestarts,Result";
    let told = machine.tells("systemctl", &["show", "annabella.service", "-p", fields])?;
    told.contains("LoadState=").then_some(told)
}

/// Whether the service is running, and so holds the sound devices.
pub(super) fn service_runs(machine: &dyn Machine) -> bool {
    asked(machine).is_some_and(|told| told.lines().any(|line| line == "ActiveState=active"))
}

pub(super) fn service(machine: &dyn Machine) -> Option<Check> {
    let name = "service";
    let told = asked(machine)?;
    let of = |field: &str| {
        let line = told.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix('='));
        line.unwrap_or("")
    };
    let at_boot = of("UnitFileState") == "enabled";
    let boot = if at_boot { "starts at boot" } else { "does not start at boot" };
    if of("LoadState") == "not-found" {
        return Some(Check::good(name, "not installed; play is started by hand"));
    }
    Some(match of("ActiveState") {
        "active" | "activating" | "reloading" => match of("NRestarts").parse::<u32>() {
            Ok(restarts @ 1..) => {
                let times = if restarts == 1 { "once" } else { &format!("{restarts} times") };
                Check::poor(name, format!("runs, but had to be started again {times}"))
                    .mend("journalctl --namespace annabella -n 50")
            }
            _ => Check::good(name, format!("runs, {boot}")),
        },
        "failed" => Check::bad(name, format!("has failed ({}), {boot}", of("Result"))).mend(
            "journalctl --namespace annabella -n 20 says why; then: sudo systemctl reset-failed annabella && \
             sudo systemctl start annabella",
        ),
        _ if at_boot => Check::poor(name, "stopped, starts at boot").mend("sudo systemctl start annabella"),
        _ => Check::good(name, "off; to have it at boot: sudo systemctl enable --now annabella"),
    })
}
