//! Any text as a move in a position that random bytes lead to: what is read is legal and can be
//! written and read again in every language.
#![no_main]

use annabella_core::notation::{
    Letters, MoveNotation, PieceLetters, read, read_in, read_score, write,
};
use libfuzzer_sys::fuzz_target;
use shakmaty::{Chess, Position};

fuzz_target!(|input: (Vec<u8>, &str)| {
    let (way, text) = input;
    let mut position = Chess::default();
    for byte in way.into_iter().take(80) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play_unchecked(moves[usize::from(byte) % moves.len()]);
    }
    let language = PieceLetters::ALL[text.len() % PieceLetters::ALL.len()];
    match read_in(&position, text, language) {
        Ok(found) => {
            assert!(position.is_legal(found.mv), "{text} was read as {}", found.mv);
            for language in PieceLetters::ALL {
                let letters = Letters::of(language);
                let written = write(&position, found.mv, MoveNotation::Fide, &letters);
                let again = read(&position, &written, &letters).map(|read| read.mv);
                assert_eq!(again.ok(), Some(found.mv), "{written}");
            }
        }
        Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
    }
    let mut after = position.clone();
    for mv in read_score(&position, text).moves() {
        assert!(after.is_legal(mv), "{mv} is not legal in {text}");
        after.play_unchecked(mv);
    }
});
