//! Any text as a sealed envelope, and any move in one: nothing panics, every refusal is one line,
//! and what was sealed comes out again.
#![no_main]

use annabella_records::seal::{Label, Passphrase, check, open, seal};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (i64, u32, bool, &str)| {
    let (game, number, white, text) = input;
    let label = Label { game, number: format!("{number}{}", if white { "." } else { "..." }) };
    let key = Passphrase::new("correct horse battery").expect("long enough").with_work_factor(1);
    if let Err(error) = open(&label, text, &key) {
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
    }
    let Ok(written) = check(text) else { return };
    let envelope = seal(&label, text, &key).expect("it can be sealed");
    assert_eq!(open(&label, &envelope, &key).ok(), Some(written));
});
