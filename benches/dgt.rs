//! A DGT board's dump to a decision: the bytes read, the board found still, the picture judged
//! against the game. Without the 70 ms that the bytes take over the line.

use std::{hint::black_box, time::Instant};

use annabella_core::sight::judge::{Finding, Judge, JudgeSettings};
use annabella_devices::{
    dgt::{
        codec::{Dump, Facing, FromBoard},
        session::{BoardEvent, DgtEvent, DgtSession},
    },
    sighted::still::{StillSettings, Stillness},
};
use annabella_players::games::random_game;
use shakmaty::{Board, Color, Position};

fn main() {
    let (mut took, mut missed, mut waited) = (Vec::new(), 0, 0);
    for seed in 0..40 {
        let (mut position, moves) = random_game(seed, 120);
        let seat = position.turn();
        for mv in moves {
            let before = position.clone();
            position.play_unchecked(mv);
            if before.turn() != seat {
                continue;
            }
            let mut desk = Desk::new(before.board(), seat, before.clone());
            let bytes = dump(position.board());
            // What a board that changed without a word is asked for twice, to be believed.
            desk.read(1000, &bytes);
            desk.read(1300, &bytes);
            let began = Instant::now();
            let found = black_box(desk.read(1600, &bytes));
            took.push(u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX));
            let right =
                |finding: &Finding| matches!(finding, Finding::Moved { mv: m, .. } if *m == mv);
            // A piece that may slide on is judged when it has rested for good.
            let mut rested = Vec::new();
            if let Some(due_ms) = desk.judge.due_ms() {
                desk.judge.advance(due_ms, &mut rested);
            }
            waited += u32::from(rested.iter().any(right));
            missed += u32::from(!found.iter().chain(&rested).any(right));
        }
    }
    took.sort_unstable();
    let at = |share: usize| took[(took.len() - 1) * share / 100] as f64 / 1e3;
    println!(
        "{:<44} {:>8} {:>8.1} µs {:>8.1} µs  (median, p99); {waited} rest longer, {missed} wrong",
        "DGT dump to decision",
        took.len(),
        at(50),
        at(99)
    );
}

fn dump(board: &Board) -> Vec<u8> {
    FromBoard::Dump(Box::new(Dump::of(board, Facing::ConnectorLeft))).encode()
}

struct Desk {
    session: DgtSession,
    stillness: Stillness,
    judge: Judge,
}

impl Desk {
    fn new(board: &Board, seat: Color, position: shakmaty::Chess) -> Desk {
        let mut desk = Desk {
            session: DgtSession::new(0),
            stillness: Stillness::new(StillSettings::default(), board.clone()),
            judge: Judge::new(seat, position, JudgeSettings::default()),
        };
        let mut events = Vec::new();
        // Reset, version, serial number: answered, the session is open.
        for (now_ms, answer) in [
            (0, None),
            (20, Some(FromBoard::Version { major: 1, minor: 8 })),
            (40, Some(FromBoard::LongSerial(*b"0000000000"))),
        ] {
            desk.session.write(now_ms, &mut events);
            desk.session.write(now_ms + 12, &mut events);
            if let Some(answer) = answer {
                desk.session.read(now_ms + 15, &answer.encode(), &mut events);
            }
        }
        assert!(desk.session.is_ready(), "the greeting is over");
        desk.stillness.back(50, &mut Vec::new());
        let bytes = dump(board);
        desk.read(100, &bytes);
        desk.read(700, &bytes);
        desk
    }

    fn read(&mut self, now_ms: u64, bytes: &[u8]) -> Vec<Finding> {
        let (mut events, mut seen, mut found) = (Vec::new(), Vec::new(), Vec::new());
        self.stillness.advance(now_ms);
        self.session.read(now_ms, bytes, &mut events);
        for event in events {
            if let DgtEvent::Board(BoardEvent::Dump(dump)) = event {
                self.stillness.dump(now_ms, &dump, &mut seen);
            }
        }
        for seen in seen {
            self.judge.see(seen, &mut found);
        }
        found
    }
}
