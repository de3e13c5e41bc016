//! Any bytes in any pieces from a DGT board: never a panic, never more memory than one message, and
//! the next whole message is read. What is read and written again is the same.
#![no_main]

use annabella_devices::dgt::codec::{CommandDecoder, DgtDecoder, FromBoard, LONGEST_FRAME};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (mut whole, mut pieces) = (DgtDecoder::default(), DgtDecoder::default());
    let at_once: Vec<_> = whole.feed(bytes).collect();
    let mut in_pieces = Vec::new();
    let mut rest = bytes;
    while let Some(&first) = rest.first() {
        let (piece, left) = rest.split_at(usize::from(first % 7 + 1).min(rest.len()));
        in_pieces.extend(pieces.feed(piece));
        rest = left;
    }
    assert_eq!(at_once, in_pieces);
    assert!(whole.capacity() <= LONGEST_FRAME);
    for message in at_once.iter().flatten() {
        let again: Vec<_> = DgtDecoder::default().feed(&message.encode()).collect();
        assert_eq!(again, [Ok(message.clone())]);
    }
    let next = FromBoard::Version { major: 1, minor: 2 };
    let heard: Vec<_> = whole.feed(&next.encode()).collect();
    assert_eq!(heard.last(), Some(&Ok(next)));

    let mut commands = CommandDecoder::default();
    for command in bytes.iter().filter_map(|byte| commands.push(*byte)).flatten() {
        let mut again = CommandDecoder::default();
        let read: Vec<_> = command.encode().iter().filter_map(|byte| again.push(*byte)).collect();
        assert_eq!(read, [Ok(command)]);
    }
});
