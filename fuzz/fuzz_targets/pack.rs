//! Any text as a language pack: it is a pack, or it is refused with a reason of one line or more,
//! and a pack that is accepted can say every move of the starting position.
#![no_main]

use annabella_words::phrase::{SpokenForm, Words, pack::Pack};
use libfuzzer_sys::fuzz_target;
use shakmaty::{Chess, Position};

fuzz_target!(|text: &str| {
    match Pack::parse(text) {
        Ok(pack) => {
            let Ok(words) = Words::new(pack.clone(), pack) else {
                return;
            };
            let start = Chess::default();
            for mv in start.legal_moves() {
                assert!(
                    !words.announce(&start, mv, SpokenForm::Full).parts.is_empty(),
                    "{mv} is mute"
                );
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
