//! Any lines at all as sensor events: every line is understood or refused, and whatever the tracker
//! takes for executed is a legal move.
#![no_main]

use annabella_core::sensing::{Debounce, Edge, Felt, SettleSettings, Tracker};
use annabella_devices::board::events::{EventLine, PegEvent};
use libfuzzer_sys::fuzz_target;
use shakmaty::{Chess, Position};

fuzz_target!(|text: &str| {
    let start = Chess::default();
    let mut debounce = Debounce::new(20, start.board().occupied());
    let mut tracker = Tracker::new(start, SettleSettings::default());
    let (mut felt, mut edges, mut now_ms) = (Vec::new(), Vec::new(), 0u64);
    for line in text.lines() {
        let Ok(line) = EventLine::parse(line) else {
            continue;
        };
        now_ms = line.t_ms.unwrap_or(now_ms).max(now_ms);
        debounce.advance(now_ms, &mut edges);
        for edge in edges.drain(..) {
            tracker.advance(edge.at_ms, &mut felt);
            check(&tracker, &mut felt);
            tracker.edge(edge, &mut felt);
            check(&tracker, &mut felt);
        }
        tracker.advance(now_ms, &mut felt);
        check(&tracker, &mut felt);
        match line.event {
            PegEvent::Reed { square, occupied } => {
                debounce.edge(Edge { at_ms: now_ms, square, occupied });
            }
            PegEvent::Board(occupied) => tracker.snapshot(now_ms, occupied, &mut felt),
            PegEvent::Press(color) => tracker.press(now_ms, color, &mut felt),
            // Words are the pack's business; here they only make the move before them final.
            PegEvent::Announce { .. } => tracker.close(),
        }
        check(&tracker, &mut felt);
    }
});

fn check(tracker: &Tracker, felt: &mut Vec<Felt>) {
    let last = felt.iter().rev().find_map(|felt| match felt {
        Felt::Executed(executed) => Some(executed.mv),
        _ => None,
    });
    if let (Some(mv), Some(before)) = (last, tracker.previous_position()) {
        assert!(before.is_legal(mv), "{mv} is not legal");
    }
    for felt in felt.drain(..) {
        if let Felt::Which { moves, .. } = felt {
            assert!(!moves.is_empty(), "a question without an answer");
        }
    }
}
