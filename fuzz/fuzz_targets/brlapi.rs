//! Any bytes in any pieces from a brltty, and to one: never a panic, never more memory than one
//! packet. What is read and written again is the same, and a page is as wide as the display.
#![no_main]

use std::path::Path;

use annabella_devices::braille::{
    packets::{FromBrltty, LONGEST_BODY, PacketCutter, ToBrltty},
    reading::FingerReading,
    session::BrailleSession,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (mut whole, mut pieces) = (PacketCutter::default(), PacketCutter::default());
    let at_once = whole.feed(bytes);
    let mut in_pieces = Ok(Vec::new());
    let mut session = BrailleSession::new("here", Path::new("/nowhere"));
    let (mut reading, mut hung_up) = (FingerReading::default(), false);
    reading.show("Springer g1 schlägt f3, Schach", false);
    let mut rest = bytes;
    while let Some(&first) = rest.first() {
        let (piece, left) = rest.split_at(usize::from(first % 7 + 1).min(rest.len()));
        if let Ok(packets) = &mut in_pieces {
            match pieces.feed(piece) {
                Ok(more) => packets.extend(more),
                Err(err) => in_pieces = Err(err),
            }
        }
        hung_up = hung_up || session.take(piece, &mut reading).is_err();
        rest = left;
    }
    assert_eq!(at_once, in_pieces);
    assert!(whole.kept() <= LONGEST_BODY + 8);
    if let Some(page) = reading.page(session.size()) {
        let size = session.size();
        let cells = u64::from(size.columns) * u64::from(size.rows);
        assert!(cells > 800 || page.text.chars().count() as u64 == cells);
    }
    for (kind, body) in at_once.iter().flatten() {
        if let Ok(told) = FromBrltty::parse(*kind, body) {
            let again = PacketCutter::default().feed(&told.encode()).expect("ours");
            let read = again.first().map(|(kind, body)| FromBrltty::parse(*kind, body));
            assert_eq!(read, Some(Ok(told)));
        }
        if let Ok(asked) = ToBrltty::parse(*kind, body) {
            let again = PacketCutter::default().feed(&asked.encode()).expect("ours");
            let read = again.first().map(|(kind, body)| ToBrltty::parse(*kind, body));
            assert_eq!(read, Some(Ok(asked)));
        }
    }
});
