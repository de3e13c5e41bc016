//! What a test does where something that it needs is not there.

// Each program uses what it needs.
#![allow(dead_code)]

use std::{env, io::Write as _};

/// Says that the rest of a test is left out, and why. On a machine for continuous integration (`CI`
/// is set) nothing is left out unseen: there the test fails, unless `CI_WITHOUT` names what is
/// missing. `.ci/run` sets both and gives a reason for each name.
pub(crate) fn skipped(what: &str, why: &str) {
    let known = env::var("CI_WITHOUT").unwrap_or_default();
    match told(env::var_os("CI").is_some(), &known, what, why) {
        Ok(line) => {
            // Straight to the terminal: a test that passes prints nothing otherwise.
            let _ = std::io::stderr().write_all(line.as_bytes());
            // And for `scripts/test.sh`, which says it again at the end.
            let list = concat!(env!("CARGO_TARGET_TMPDIR"), "/skipped");
            let list = std::fs::File::options().append(true).create(true).open(list);
            let _ = list.and_then(|mut list| list.write_all(line.as_bytes()));
        }
        Err(line) => panic!("{line}"),
    }
}

/// The line to say, or the line to fail with.
pub(crate) fn told(ci: bool, known: &str, what: &str, why: &str) -> Result<String, String> {
    if ci && !known.split_whitespace().any(|name| name == what) {
        return Err(format!("{what} is missing, and nothing is skipped here: {why}"));
    }
    Ok(format!("skipped: {what}: {why}\n"))
}
