//! Any bytes as PGN: what is read consists of legal moves; what is not read, or forgiven, is named
//! in one line.
#![no_main]

use annabella_core::{laws::ended_after, notation::pgn::PgnFile};
use libfuzzer_sys::fuzz_target;
use shakmaty::Position;

fuzz_target!(|bytes: &[u8]| {
    let file = PgnFile::read(bytes);
    for game in &file.games {
        match game {
            Ok(game) => {
                for section in &game.sections {
                    let mut position = section.start.clone();
                    for &mv in &section.moves {
                        assert!(position.is_legal(mv), "{mv} is not legal");
                        position.play_unchecked(mv);
                    }
                }
            }
            Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
        }
    }
    if let Some(Ok(game)) = file.games.first() {
        for section in &game.sections {
            let moves = &section.moves[..section.moves.len().min(40)];
            ended_after(&section.start, moves);
        }
    }
    for warning in &file.warnings {
        assert_eq!(warning.to_string().lines().count(), 1, "{warning}");
    }
});
