//! Any bytes as the pairings of a round: nothing panics, every refusal is one line, and results
//! that were written are read again.
#![no_main]

use annabella_core::game::Outcome;
use annabella_hall::round::{FixedBoards, RoundFile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Option<u8>, Option<(u8, u8)>, &[u8])| {
    let (round, fixed, bytes) = input;
    let fixed: FixedBoards =
        fixed.map(|(rank, board)| (u32::from(rank), u32::from(board).max(1))).into_iter().collect();
    let round = round.map(usize::from);
    let one_line = |error: String| assert_eq!(error.lines().count(), 1, "{error}");
    let file = match RoundFile::read_bytes(bytes, round, &fixed) {
        Ok(file) => file,
        Err(error) => return one_line(error.to_string()),
    };
    let results: Vec<(u32, Outcome)> =
        file.pairs().iter().map(|pair| (pair.board, Outcome::Draw)).collect();
    for line in file.unusable() {
        one_line(line.to_string());
    }
    for pair in file.pairs() {
        file.tags(pair.board);
    }
    match file.bytes_with_results(&results) {
        Ok(written) => {
            let again = RoundFile::read_bytes(&written, round, &fixed).expect("our own");
            assert_eq!(again.pairs().len(), file.pairs().len());
        }
        Err(error) => one_line(error.to_string()),
    }
});
