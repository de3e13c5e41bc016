//! `docs/reliability.md`: what whole tables have survived, in all runs together. It is read back
//! from its own text.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::PathBuf};

/// Totals over all runs.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Tables played; their seeds are 0 to this.
    pub(crate) tables: u64,
    /// Half-moves of their games.
    pub(crate) plies: u64,
    /// Inputs acknowledged.
    pub(crate) inputs: u64,
    /// Seeds of the tables among them that did not go on, or broke a rule, when they were first
    /// played.
    pub(crate) found: Vec<u64>,
    /// How often each fault happened.
    pub(crate) faults: BTreeMap<String, u64>,
}

fn path() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reliability.md"))
}

/// What stands before the figures.
const TEXT: &str = "# What it has survived

Made by `ONLY=whole WRITE_RELIABILITY=1 make soak`, which goes on with the next seeds and adds what it saw: totals over all
runs, each with the program of its day. `WHOLE=<seed> make soak` plays one table again.

At a whole table the game runs on simulated contacts, a simulated DGT board at the end of its line, and a real
journal. Hands knock, swap and slip, say anything, press at any time; then the players do what they hear and nothing
else. After every input: no move made whose captured piece stands, no clock running for the wrong player, no innocent
player's time spent. The game goes on after at most five steps and one for each wrong square. After every kill: all
acknowledged inputs are on the disk, and replayed they give the same game. Of damaged copies no input comes out
changed, and every loss is told.

Not simulated: a disk that loses what it has synchronised, a DGT clock (`tests/program/clock_times.rs` has its line), sound
(a sentence that goes by unheard stands for it), the network below the pages.

";

/// What stands before the seeds.
const FOUND: &str = "Tables that did not go on, or broke a rule, when they were first played; those that are mended since are played in \
                     every `make test` (`FOUND_WHOLE`): ";

impl Report {
    /// The totals so far.
    pub(crate) fn read() -> Result<Report, String> {
        let mut report = Report::default();
        let Ok(text) = fs::read_to_string(path()) else { return Ok(report) };
        let found = text.lines().find_map(|line| line.strip_prefix(FOUND)).unwrap_or_default();
        let seed = |word: &str| word.parse().map_err(|_| format!("no seed: {word}"));
        report.found = found.split_whitespace().map(seed).collect::<Result<_, _>>()?;
        let rows = text.lines().filter(|line| line.starts_with("| ")).skip(1);
        for row in rows {
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            let [name, count] = cells.as_slice() else { return Err(format!("not a row: {row}")) };
            let count = count.parse().map_err(|_| format!("no number: {row}"))?;
            match *name {
                "tables" => report.tables = count,
                "half-moves" => report.plies = count,
                "inputs acknowledged" => report.inputs = count,
                name => {
                    report.faults.insert(name.to_owned(), count);
                }
            }
        }
        Ok(report)
    }

    pub(crate) fn write(&self) -> Result<(), String> {
        let mut text = TEXT.to_owned();
        text.push_str("| | |\n|---|---|\n");
        let own = [
            ("tables", self.tables),
            ("half-moves", self.plies),
            ("inputs acknowledged", self.inputs),
        ];
        let faults = self.faults.iter().map(|(name, count)| (name.as_str(), *count));
        for (name, count) in own.into_iter().chain(faults) {
            writeln!(text, "| {name} | {count} |").map_err(|err| err.to_string())?;
        }
        let mut found = self.found.clone();
        found.sort_unstable();
        let found: Vec<String> = found.iter().map(u64::to_string).collect();
        writeln!(text, "\n{FOUND}{}", found.join(" ")).map_err(|err| err.to_string())?;
        fs::write(path(), text).map_err(|err| format!("{}: {err}", path().display()))
    }
}
