//! Any texts as the rows of a journal: those that are inputs are replayed, and nothing panics.
#![no_main]

use annabella_core::game::{At, Game, Input};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut game = Game::new();
    for (n, row) in text.lines().enumerate() {
        if let Ok(input) = serde_json::from_str::<Input>(row) {
            // A refusal is an answer.
            let _ = game.handle(At::new(n as u64 * 100), input);
        }
    }
});
