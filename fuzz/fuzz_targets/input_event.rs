//! Any bytes at all as a keyboard's records: every key goes down and up in turn, however the bytes
//! are cut into reads.
#![no_main]

use annabella_devices::voice::keys::{KeyDecoder, KeyEvent};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (bool, u8, &[u8])| {
    let (wide, cut, bytes) = input;
    let word = if wide { 8 } else { 4 };
    let whole = KeyDecoder::new(word).feed(bytes);
    let mut decoder = KeyDecoder::new(word);
    let mut pieces: Vec<KeyEvent> =
        bytes.chunks(usize::from(cut).max(1)).flat_map(|piece| decoder.feed(piece)).collect();
    assert_eq!(pieces, whole);
    pieces.extend(decoder.lost());
    let mut down = Vec::new();
    for event in pieces {
        assert_eq!(event.pressed, !down.contains(&event.code));
        if event.pressed {
            down.push(event.code);
        } else {
            down.retain(|code| *code != event.code);
        }
    }
    assert!(down.is_empty());
});
