//! Whether anything on this machine could play chess: a sentence for the arbiter.

use super::{Check, Machine};
use crate::{config::Config, service::beside::PARTNER};

/// Where programs are installed.
const FOLDERS: [&str; 5] =
    ["/usr/local/bin", "/usr/bin", "/usr/local/games", "/usr/games", "/opt/annabella/bin"];

/// Engines as Debian and their makers name them.
const ENGINES: [&str; 16] = [
    "berserk",
    "crafty",
    "critter",
    "ethereal",
    "fairy-stockfish",
    "fruit",
    "glaurung",
    "gnuchess",
    "hoichess",
    "koivisto",
    "lc0",
    "phalanx",
    "sjeng",
    "stockfish",
    "toga2",
    "wasp",
];

/// Source: FIDE 11.3
pub(super) fn check(machine: &dyn Machine, config: &Config) -> Check {
    let name = "engine";
    let mut found: Vec<String> = Vec::new();
    for folder in FOLDERS {
        let there = machine.names(folder);
        let known = |file: &&String| ENGINES.contains(&file.as_str()) || **file == PARTNER.name();
        found.extend(there.iter().filter(known).map(|file| format!("{folder}/{file}")));
    }
    let plays = found.iter().any(|path| !path.ends_with(PARTNER.name()));
    match (config.game.at_home, found.is_empty()) {
        (false, true) => Check::good(name, "no engine on this machine"),
        (false, false) => Check::poor(name, format!("there is {}", found.join(", ")))
            .mend("before a tournament (11.3): sudo apt remove annabella-partner stockfish"),
        (true, _) if plays => Check::good(name, format!("{}, for games at home", found.join(", "))),
        (true, _) => Check::poor(name, "no engine on this machine, and the games are at home")
            .mend("sudo apt install stockfish"),
    }
}
