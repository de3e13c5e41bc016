//! Any bytes on the streams of a server far away, cut anywhere, at any table: never a panic, no
//! line that is longer than what came, and what is sent there or made here is legal.
#![no_main]

use annabella_partner::{
    far::follow::{Far, Memory, Todo, todo},
    lichess::news::{News, event, news},
    lines::Cutter,
    table::Table,
};
use libfuzzer_sys::fuzz_target;
use shakmaty::Color;

// A byte for the colour, one for the size of pieces, the table on a line, and the stream.
fuzz_target!(|input: &[u8]| {
    let [colour, size, rest @ ..] = input else { return };
    let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    let (table, bytes) = rest.split_at(end);
    let table = Table::read(&String::from_utf8_lossy(table)).ok().flatten();
    let own = if *colour == b'w' { Color::White } else { Color::Black };
    let (mut cut, mut far, mut memory) = (Cutter::default(), None, Memory::default());
    for piece in bytes.chunks(usize::from(*size).max(1)) {
        cut.push(piece);
        while let Some(line) = cut.line() {
            assert!(!line.contains('\n') && line.len() <= 3 * bytes.len());
            let _ = event(&line);
            match news(&line) {
                Ok(News::Full(full)) => {
                    far = Some(Far::at_server(own, &full.start, full.state.clone()));
                }
                Ok(News::State(state)) => far.iter_mut().for_each(|far| far.changes(state.clone())),
                Ok(News::Chat { text, name, .. }) => {
                    assert!(!text.contains(char::is_control) && !name.contains(char::is_control));
                }
                _ => {}
            }
            let (Some(far), Some(table)) = (&far, &table) else { continue };
            memory.observes(table, far);
            let work = todo(table, far, &memory);
            match &work {
                // The opponent's move is legal in the position here.
                Todo::Play { uci, .. } => assert!(table.line.legal(uci).is_some()),
                Todo::Send { uci, plies, .. } => {
                    assert_eq!(table.line.uci().get(*plies), Some(uci));
                }
                _ => {}
            }
            memory.has_done(&work, far);
        }
    }
});
