//! Any bytes as a case of two boards that differ (D.2.9): it is settled, or refused with one line.
#![no_main]

use annabella::cli::reconcile::settle;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for lang in ["en", "de"] {
        if let Err(line) = settle(bytes, lang) {
            assert!(!line.contains('\n'), "{line}");
        }
    }
});
