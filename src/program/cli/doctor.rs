//! `annabella doctor`: checks the machine and says what mends each fault.
//!
//! Facts come through [`Machine`], so that tests can make up a Raspberry Pi. Devices themselves are
//! asked whether they sound and hear.

mod card;
mod engine;
mod machine;
mod pi;
mod refused;
mod senses;
mod system;
mod user;

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use annabella_locale::Catalogue;
use serde_json::json;

pub use self::machine::{Linux, Machine, Owner, Space};
use super::{Exit, Failure, own_german};
use crate::config::{BoardKind, Config, find};

/// Checks board, sound, voice, Braille line, disk, time, power, network and service, and says what
/// mends each. Ends with 0, with 1 if something is bad, 2 if the configuration is, 3 if a device
/// is.
#[derive(Debug, clap::Args)]
pub struct DoctorArgs {
    /// Configuration; without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml
    /// and the installed service's.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Listen to the microphone for this many seconds: speak meanwhile. 0 leaves it out.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub seconds: u64,
    /// One JSON line a check.
    #[arg(long)]
    pub json: bool,
}

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    Good,
    /// It works, but could work better.
    Poor,
    /// It does not work.
    Bad,
}

impl Health {
    fn word(self) -> &'static str {
        match self {
            Health::Good => "good",
            Health::Poor => "poor",
            Health::Bad => "BAD",
        }
    }
}

/// The subject of a check; decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    System,
    Device,
    Configuration,
}

/// A check and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    name: &'static str,
    health: Health,
    kind: Kind,
    found: String,
    mend: Option<String>,
}

impl Check {
    fn new(name: &'static str, health: Health, found: impl Into<String>) -> Check {
        Check { name, health, kind: Kind::System, found: found.into(), mend: None }
    }

    fn good(name: &'static str, found: impl Into<String>) -> Check {
        Check::new(name, Health::Good, found)
    }

    fn poor(name: &'static str, found: impl Into<String>) -> Check {
        Check::new(name, Health::Poor, found)
    }

    fn bad(name: &'static str, found: impl Into<String>) -> Check {
        Check::new(name, Health::Bad, found)
    }

    fn of_device(self) -> Check {
        Check { kind: Kind::Device, ..self }
    }

    /// The remedy: a command as it is typed, where one helps.
    fn mend(self, mend: impl Into<String>) -> Check {
        Check { mend: Some(mend.into()), ..self }
    }

    pub fn name(&self) -> &str {
        self.name
    }

    /// One line, and a second one with the remedy.
    pub fn lines(&self) -> String {
        let line = format!("{:<13} {:<5} {}", self.name, self.health.word(), self.found);
        match &self.mend {
            Some(mend) => format!("{line}\n{:<13} {:<5} {mend}", "", "do"),
            None => line,
        }
    }

    /// The same in German.
    pub fn german_lines(&self, german: &Catalogue) -> String {
        let word = |english| german.doctors_word(english);
        let (name, health) = (word(self.name), word(self.health.word()));
        let line = format!("{name:<13} {health:<6} {}", german.doctors_line(&self.found));
        match &self.mend {
            Some(mend) => {
                format!("{line}\n{:<13} {:<6} {}", "", word("do"), german.doctors_line(mend))
            }
            None => line,
        }
    }

    fn json(&self) -> serde_json::Value {
        let health = self.health.word().to_lowercase();
        let mut line = json!({ "check": self.name, "health": health, "found": self.found });
        if let Some(mend) = &self.mend {
            line["mend"] = json!(mend);
        }
        line
    }
}

/// The configuration of this file, or the service's where none is named, and the finding about it.
/// One that is wrong counts as the defaults.
fn configured(machine: &dyn Machine, named: Option<&Path>) -> (Config, Check) {
    let name = "configuration";
    let defaults = |found: String| (Config::default(), Check::good(name, found));
    let wrong = |err: String, mend: String| {
        let check = Check { kind: Kind::Configuration, ..Check::bad(name, err) };
        (Config::default(), check.mend(mend))
    };
    let read = match named {
        Some(path) => annabella_records::whole::read_text(path),
        None => machine.text(find::SERVICE),
    };
    let file = named.map_or(find::SERVICE.to_owned(), |path| path.display().to_string());
    match read {
        Ok(text) => match Config::parse(&text, &file) {
            Ok(config) => match refused::by_play(&config) {
                None => (config, Check::good(name, format!("{file} has no mistake"))),
                Some(err) => (config, wrong(err, correct(&file)).1),
            },
            Err(err) => wrong(err.to_string(), correct(&file)),
        },
        Err(err) if named.is_some() => {
            wrong(format!("cannot read {file}: {err}"), format!("ls -l {file}"))
        }
        Err(err) if err.kind() == std::io::ErrorKind::PermissionDenied => {
            let found =
                "that of the service may be read by root only, so the defaults are looked at";
            (Config::default(), Check::poor(name, found).mend("sudo annabella doctor"))
        }
        Err(_) => defaults("the defaults, without a file".to_owned()),
    }
}

fn correct(file: &str) -> String {
    format!("correct that line: {}nano {file}", as_root(file))
}

/// A prefix for the editor: the service's own files are root's.
fn as_root(file: &str) -> &'static str {
    if file.starts_with("/var/") || file.starts_with("/etc/") { "sudo " } else { "" }
}

/// Everything that can be read from the system's files; nothing is opened that another might use.
/// `config` is the file named with `--config`.
pub fn examine(machine: &dyn Machine, config: Option<&Path>) -> Vec<Check> {
    let (config, check) = configured(machine, config);
    let mut checks = vec![check];
    checks.extend(facts(machine, &config));
    checks
}

fn facts(machine: &dyn Machine, config: &Config) -> Vec<Check> {
    let who = user::User::of(machine);
    let mut checks = pi::checks(machine, config, &who);
    if config.board.kind == BoardKind::None {
        checks.push(Check::good(
            "board",
            "none with sensors is set: its player says what he does on it",
        ));
    }
    checks.extend(system::sound_cards(machine, &config.speech));
    checks.extend(system::voices(machine, &config.speech));
    checks.extend(card::checks(machine, config, &who));
    checks.push(system::time(machine));
    checks.extend(system::network(machine, config));
    checks.extend(system::telephones(machine, config));
    checks.extend(system::service(machine));
    checks.push(engine::check(machine, config));
    checks
}

/// Runs the command.
///
/// # Errors
/// [`Failure::Usage`] when the configuration is wrong, [`Failure::Device`] when a device is, each
/// after all checks were printed.
pub fn run(args: &DoctorArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let machine = Linux::here();
    // One that nobody may read is told of with the service's.
    let own = find::places().into_iter().filter(|place| place != Path::new(find::SERVICE));
    let own = find::first(&own.collect::<Vec<_>>());
    let named = args.config.as_deref();
    let (config, first) = match own {
        Ok(own) => configured(&machine, named.or(own.as_deref())),
        Err(_) if named.is_some() => configured(&machine, named),
        // `annabella play` does not begin with it either.
        Err(err) => {
            let check = Check::bad("configuration", err.to_string());
            (Config::default(), Check { kind: Kind::Configuration, ..check })
        }
    };
    let mut told = Vec::new();
    let mut tell = |check: Check| -> Result<(), Failure> {
        match own_german() {
            _ if args.json => writeln!(out, "{}", check.json())?,
            Some(german) => writeln!(out, "{}", check.german_lines(german))?,
            None => writeln!(out, "{}", check.lines())?,
        }
        told.push(check);
        Ok(out.flush()?)
    };
    tell(first)?;
    for check in facts(&machine, &config) {
        tell(check)?;
    }
    tell(card::games(&config))?;
    for check in refused::paths(&config) {
        tell(check)?;
    }
    // A device that the service holds can't be opened by others.
    let runs = system::service_runs(&machine);
    for check in senses::speaks(&config.speech, runs) {
        tell(check)?;
    }
    for check in senses::feels(&config.braille) {
        tell(check)?;
    }
    if let Some(check) = senses::sees(&config.sighted, runs) {
        tell(check)?;
    }
    if let Some(check) = senses::joins(&config) {
        tell(check)?;
    }
    if let Some(check) = refused::pages(&config, runs) {
        tell(check)?;
    }
    let seconds = if runs { None } else { Some(args.seconds) };
    for check in senses::hears(&config, seconds) {
        tell(check)?;
    }
    if !args.json {
        writeln!(out, "{}", in_own_language(sum(&told)))?;
    }
    ending(&told)
}

fn in_own_language(line: String) -> String {
    own_german().map_or_else(|| line.clone(), |german| german.doctors_line(&line))
}

/// The last line: how many are not good.
fn sum(checks: &[Check]) -> String {
    let count = |health| checks.iter().filter(|check| check.health == health).count();
    match (count(Health::Bad), count(Health::Poor)) {
        (0, 0) => "everything is good".to_owned(),
        (bad, poor) => format!("{bad} bad, {poor} poor, {} good", count(Health::Good)),
    }
}

/// Source: the exit codes in docs/commands.md.
fn ending(checks: &[Check]) -> Result<Exit, Failure> {
    let bad =
        |kind| checks.iter().find(move |check| check.health == Health::Bad && check.kind == kind);
    if let Some(check) = bad(Kind::Configuration) {
        return Err(Failure::usage(in_own_language(check.found.clone())));
    }
    if let Some(check) = bad(Kind::Device) {
        let found = in_own_language(check.found.clone());
        let name = own_german().map_or(check.name, |german| german.doctors_word(check.name));
        return Err(Failure::device(format!("{name}: {found}")));
    }
    Ok(if bad(Kind::System).is_some() { Exit::Problem } else { Exit::Done })
}
