//! Any text as the pairings of a round: nothing panics, every refusal is one line, and results that were written
//! are read again.
#![no_main]

use annabella_core::game::Outcome;
use annabella_hall::round::RoundFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Option<u8>, &str)| {
    let (round, text) = input;
    let round = round.map(usize::from);
    let one_line = |error: String| assert_eq!(error.lines().count(), 1, "{error}");
    let file = match RoundFile::read(text, round) {
        Ok(file) => file,
        Err(error) => return one_line(error.to_string()),
    };
    let results: Vec<(u32, Outcome)> =
        file.pairs().iter().map(|pair| (pair.board, Outcome::Draw)).collect();
    match file.with_results(&results) {
        Ok(written) => {
            let again = RoundFile::read(&written, round).expect("our own");
            assert_eq!(again.pairs().len(), file.pairs().len());
        }
        Err(error) => one_line(error.to_string()),
    }
});
