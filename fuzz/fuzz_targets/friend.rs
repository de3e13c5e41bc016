//! Any bytes of a friend's program, cut anywhere, at any table: never a panic, what is read is
//! written as it was, what is played here is legal, and no more than what is there is taken back.
#![no_main]

use annabella_partner::{
    far::follow::{Clock, Far, Memory, Todo, todo},
    friend::{
        pair::{End, Exchange, Word},
        visit::Address,
        wire::{Message, Shown},
    },
    lines::Cutter,
    score::usual_start,
    table::Table,
};
use libfuzzer_sys::fuzz_target;
use shakmaty::Color;

// A byte for the colour, one for the clock and the size of pieces, the table on a line, and what
// comes.
fuzz_target!(|input: &[u8]| {
    let [colour, size, rest @ ..] = input else { return };
    let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    let (table, bytes) = rest.split_at(end);
    let text = String::from_utf8_lossy(table);
    let _ = text.parse::<Address>().map(|at| assert_eq!(at.to_string().parse(), Ok(at)));
    if let Some(word) = Word::read(&text) {
        assert!(Word::read(&word.spoken()) == Some(word));
    }
    let table = Table::read(&text).ok().flatten();
    let own = if *colour == b'w' { Color::White } else { Color::Black };
    let clock = if size.is_multiple_of(2) { Clock::Here } else { Clock::There };
    let mut far = Far::at_table(own, &usual_start(), clock);
    let (mut cut, mut memory) = (Cutter::default(), Memory::default());
    for piece in bytes.chunks(usize::from(*size).max(1)) {
        cut.push(piece);
        while let Some(line) = cut.line() {
            let Ok(message) = Message::read(&line) else { continue };
            assert_eq!(Message::read(message.line().trim()).as_ref(), Ok(&message));
            match &message {
                Message::Table(shown) => far.changes(shown.state()),
                Message::Pair(theirs) => {
                    let word = Word::read("12345678").expect("a word");
                    let _ = Exchange::begin(End::Waits, &word).0.finish(&theirs.0);
                }
                _ => {}
            }
            let Some(table) = &table else { continue };
            let shown = Shown::of(table, own, memory.standing(table, &far));
            assert_eq!(
                Message::read(Message::Table(shown.clone()).line().trim()),
                Ok(Message::Table(shown))
            );
            memory.observes(table, &far);
            let work = todo(table, &far, &memory);
            match &work {
                Todo::Play { uci, .. } => assert!(table.line.legal(uci).is_some()),
                Todo::GoBack(plies) => assert!(*plies < table.line.moves().len()),
                _ => {}
            }
            memory.has_done(&work, &far);
        }
    }
});
