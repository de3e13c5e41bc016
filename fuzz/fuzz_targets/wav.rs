//! Any bytes as a WAV file: they are sound of a bounded length, or refused with one line.
#![no_main]

use annabella_devices::voice::Pcm;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match Pcm::from_wav(bytes) {
        Ok(sound) => assert!(sound.length_ms() < 601_000),
        Err(line) => assert!(!line.contains('\n'), "{line}"),
    }
});
