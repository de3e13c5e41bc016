//! The table of counts that is kept beside the code, what a new count says against it, and what it
//! comes to on a Pi.

use std::{collections::BTreeMap, fmt::Write as _};

/// A count that differs by more than this from the kept one is worth a line.
const WORTH_A_LINE_PERCENT: u64 = 3;
/// The row of the table that says with what the others were counted.
const TOOLS: &str = "counted with";

/// All counts on one architecture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Versions of everything that changes counts without any change here.
    pub(crate) tools: String,
    /// What was done, and instructions for one of it.
    pub(crate) rows: Vec<(String, u64)>,
}

/// Counts by architecture.
pub(crate) type Table = BTreeMap<String, Counts>;

/// Reads the table: lines of architecture, what, instructions, divided by tabs.
///
/// # Errors
///
/// Names the first line that is none.
pub(crate) fn read(text: &str) -> Result<Table, String> {
    let mut table = Table::new();
    for (n, line) in text.lines().enumerate().skip(1) {
        let fault = |why: &str| format!("line {}: {why}", n + 1);
        let fields: Vec<&str> = line.split('\t').collect();
        let [arch, what, value] = fields[..] else {
            return Err(fault("not three fields divided by tabs"));
        };
        let counts = table.entry(arch.to_owned()).or_default();
        if what == TOOLS {
            counts.tools = value.to_owned();
        } else {
            let count = value.parse().map_err(|_| fault("the third field is no number"))?;
            counts.rows.push((what.to_owned(), count));
        }
    }
    Ok(table)
}

/// The same the other way round.
pub(crate) fn write(table: &Table) -> String {
    let mut text = "architecture\twhat\tinstructions\n".to_owned();
    for (arch, counts) in table {
        let _ = writeln!(text, "{arch}\t{TOOLS}\t{}", counts.tools);
        for (what, count) in &counts.rows {
            let _ = writeln!(text, "{arch}\t{what}\t{count}");
        }
    }
    text
}

/// What new counts say against those that are kept.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// A line for each change worth one.
    pub(crate) lines: Vec<String>,
    /// Something became worse, or the table has other rows: it must be written anew, or the code
    /// mended.
    pub(crate) fails: bool,
}

/// Compares; where the tools differ that is all that is said.
pub(crate) fn compare(kept: &Counts, now: &Counts) -> Verdict {
    let mut verdict = Verdict::default();
    if kept.rows.is_empty() {
        verdict.lines.push("not compared: the table has no counts of this architecture".to_owned());
        return verdict;
    }
    if kept.tools != now.tools {
        verdict.lines.push(format!(
            "not compared: the table was counted with {}, this was with {}",
            kept.tools, now.tools
        ));
        return verdict;
    }
    let of = |counts: &Counts, what: &str| {
        counts.rows.iter().find(|(row, _)| row == what).map(|(_, count)| *count)
    };
    for (what, count) in &now.rows {
        let Some(before) = of(kept, what) else {
            verdict.lines.push(format!("{what}: is not in the table"));
            verdict.fails = true;
            continue;
        };
        let change = count.abs_diff(before);
        if change * 100 > before * WORTH_A_LINE_PERCENT {
            let worse = *count > before;
            let percent = change as f64 * 100.0 / before.max(1) as f64;
            let word = if worse { "more" } else { "fewer" };
            verdict.lines.push(format!(
                "{what}: {percent:.1} % {word} instructions, {before} before, {count} now"
            ));
            verdict.fails |= worse;
        }
    }
    for (what, _) in kept.rows.iter().filter(|(what, _)| of(now, what).is_none()) {
        verdict.lines.push(format!("{what}: is in the table and not counted any more"));
        verdict.fails = true;
    }
    verdict
}

/// Where the computed times stand in docs/speed.md.
pub(crate) const BEGIN: &str = "<!-- computed -->\n";
/// Where they end.
pub(crate) const END: &str = "<!-- end -->\n";

/// Model, clock in MHz, and how many instructions a cycle are assumed: a quarter of what its core
/// decodes. Source: docs/speed.md names Arm's manuals.
const PIS: [(&str, f64, f64); 4] =
    [("Zero 2 W", 1000.0, 0.5), ("3", 1200.0, 0.5), ("4", 1500.0, 0.75), ("5", 2400.0, 1.0)];

const BUDGETS: [(&str, &str); 4] = [
    ("an event of the reeds inferred", "10 µs"),
    ("an utterance matched", "300 ms, with hearing"),
    ("an input through the game", "1 ms"),
    ("the input that makes a move executed", "50 ms, with sound"),
];

/// The computed times on each Pi, as a table of Markdown: of the counts for a Pi's own
/// architecture, where there are any.
fn on_a_pi(table: &Table) -> String {
    let counted = ["aarch64", "x86_64"].iter().find_map(|arch| table.get_key_value(*arch));
    let Some((arch, counts)) = counted else { return String::new() };
    let mut text = format!("| what | instructions, {arch} |");
    for (pi, mhz, per_cycle) in PIS {
        let _ = write!(text, " Pi {pi}, {:.1} GHz × {per_cycle} |", mhz / 1000.0);
    }
    text.push_str(" budget |\n|---|---:|---:|---:|---:|---:|---|\n");
    for (what, count) in &counts.rows {
        let _ = write!(text, "| {what} | {count} |");
        for (_, mhz, per_cycle) in PIS {
            let _ = write!(text, " {} |", shown(*count as f64 / (mhz * per_cycle)));
        }
        let budget = BUDGETS.iter().find(|(row, _)| row == what).map_or("", |(_, budget)| budget);
        let _ = writeln!(text, " {budget} |");
    }
    text
}

fn shown(us: f64) -> String {
    match us {
        ..100.0 => format!("{us:.1} µs"),
        ..10_000.0 => format!("{us:.0} µs"),
        _ => format!("{:.1} ms", us / 1000.0),
    }
}

/// A document with the table of computed times in its place.
///
/// # Errors
///
/// The place is not marked.
pub(crate) fn with_times(document: &str, table: &Table) -> Result<String, String> {
    let parts = document
        .split_once(BEGIN)
        .and_then(|(before, rest)| rest.split_once(END).map(|(_, after)| (before, after)));
    let (before, after) =
        parts.ok_or_else(|| format!("{} or {} is missing", BEGIN.trim(), END.trim()))?;
    Ok(format!("{before}{BEGIN}{}{END}{after}", on_a_pi(table)))
}
