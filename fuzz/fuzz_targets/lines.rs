//! Any bytes as lines of events: however they are cut into reads, the same lines come out, none too
//! long.
#![no_main]

use annabella_devices::{
    board::events::EventLine,
    lines::{Cutter, LONGEST, Line},
};
use libfuzzer_sys::fuzz_target;

fn lines<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Vec<Line> {
    let mut cutter = Cutter::default();
    pieces.for_each(|piece| cutter.feed(piece));
    cutter.end();
    std::iter::from_fn(|| cutter.next_line()).collect()
}

fuzz_target!(|input: (u8, &[u8])| {
    let (cut, bytes) = input;
    let whole = lines(std::iter::once(bytes));
    // Which reading ended a line depends on the cuts; nothing else does.
    let told = |lines: &[Line]| -> Vec<_> {
        lines.iter().map(|line| (line.number, line.text.clone())).collect()
    };
    let pieces = lines(bytes.chunks(usize::from(cut).max(1)));
    assert_eq!(told(&pieces), told(&whole));
    for text in whole.iter().filter_map(|line| line.text.as_ref().ok()) {
        assert!(text.len() <= LONGEST && !text.contains(['\n', '\r']));
        let _ = (EventLine::parse(text), EventLine::last_of(text));
    }
});
