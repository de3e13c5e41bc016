//! Any text as PGN: what is read consists of legal moves; what is not read is refused in one line.
#![no_main]

use annabella_core::notation::pgn::read_games;
use libfuzzer_sys::fuzz_target;
use shakmaty::Position;

fuzz_target!(|text: &str| {
    match read_games(text) {
        Ok(games) => {
            for section in games.iter().flat_map(|game| &game.sections) {
                let mut position = section.start.clone();
                for &mv in &section.moves {
                    assert!(position.is_legal(mv), "{mv} is not legal");
                    position.play_unchecked(mv);
                }
            }
        }
        Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
    }
});
