//! Any bytes in any pieces from a board of each make: never a panic, what is read is what an
//! emulated board would send for it, and the next whole message is read.
#![no_main]

use annabella_devices::pieces::{Content, Frame, Make, certabo, chessnut, millennium};
use libfuzzer_sys::fuzz_target;

fn sent(make: Make, frame: &Frame) -> Vec<u8> {
    match make {
        Make::Chessnut => chessnut::report(frame),
        Make::Millennium => millennium::answer(frame),
        Make::Certabo => certabo::line(frame),
    }
}

fuzz_target!(|input: (u8, u8, &[u8])| {
    let (which, cut, bytes) = input;
    let make = Make::ALL[usize::from(which) % Make::ALL.len()];
    let (mut codec, mut frames) = (make.codec(), Vec::new());
    for piece in bytes.chunks(usize::from(cut).max(1)) {
        codec.read(piece, &mut frames);
    }
    for frame in &frames {
        let (mut again, mut read) = (make.codec(), Vec::new());
        again.read(&sent(make, frame), &mut read);
        assert_eq!(read, [*frame]);
    }
    // What was begun is given up at the latest when its board is opened again.
    codec.reset();
    let (next, mut read) = (Frame::from([Content::Empty; 64]), Vec::new());
    codec.read(&sent(make, &next), &mut read);
    assert_eq!(read, [next]);
});
