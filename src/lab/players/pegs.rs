//! One peg board with its contacts: debounce and tracker as in the service and `infer`, without a
//! game around it. For tests, soak runs and benches.

use shakmaty::{Chess, Move, Position};

use crate::hands::{Handwork, RawEdge};
use annabella_core::sensing::{Debounce, Edge, Felt, SettleSettings, Tracker};

/// A debounced peg board.
#[derive(Clone, Debug)]
pub struct Pegs {
    debounce: Debounce,
    pub tracker: Tracker,
    debounce_ms: u64,
    felt: Vec<Felt>,
    line: Vec<Move>,
}

/// How one move was recovered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovered {
    /// From the pegs alone.
    Felt,
    /// The player had to say which.
    Named,
}

/// How long a board is left alone after a move, milliseconds: longer than any settle time.
pub const REST_MS: u64 = 2000;

impl Pegs {
    /// A board that shows `position`.
    pub fn new(position: &Chess) -> Pegs {
        let debounce_ms = 20;
        Pegs {
            debounce: Debounce::new(debounce_ms, position.board().occupied()),
            tracker: Tracker::new(position.clone(), SettleSettings::default()),
            debounce_ms,
            felt: Vec::new(),
            line: Vec::new(),
        }
    }

    /// Lets time pass. The tracker follows the contacts, late by the debounce time.
    pub fn until(&mut self, now_ms: u64) {
        let mut edges = Vec::new();
        while let Some(due_ms) = self.debounce.due_ms().filter(|due_ms| *due_ms <= now_ms) {
            self.debounce.advance(due_ms, &mut edges);
            for edge in edges.drain(..) {
                self.tracker.advance(edge.at_ms, &mut self.felt);
                self.tracker.edge(edge, &mut self.felt);
            }
        }
        self.tracker.advance(now_ms.saturating_sub(self.debounce_ms), &mut self.felt);
    }

    /// Feels raw contact changes.
    pub fn feel(&mut self, edges: &[RawEdge]) {
        for edge in edges {
            self.until(edge.t_ms);
            let RawEdge { t_ms, square, occupied } = *edge;
            self.debounce.edge(Edge { at_ms: t_ms, square, occupied });
        }
    }

    /// Carries out one move after `played`. The player names it when the pegs alone don't show it,
    /// as D.2.1 and D.2.3 ask.
    ///
    /// # Errors
    /// One line, when the board did not recognise this move.
    pub fn recovers(
        &mut self,
        played: &[Move],
        mv: Move,
        script: &Handwork,
    ) -> Result<Recovered, String> {
        self.feel(&script.edges);
        self.until(script.end_ms + REST_MS);
        let asked = self.tracker.asked().to_vec();
        let named = mv.is_promotion() || !script.rivals.is_empty() || asked.contains(&mv);
        if named {
            self.tracker.announce(script.end_ms + REST_MS, mv, &mut self.felt);
        }
        let before = played.len();
        let found = self.line();
        if found.len() == before + 1 && found.starts_with(played) && found[before] == mv {
            return Ok(if named { Recovered::Named } else { Recovered::Felt });
        }
        let found = &found[before.saturating_sub(1).min(found.len())..];
        Err(format!("{mv:?} felt as {found:?}, asked {asked:?}"))
    }

    /// The clock is pressed: the last move is completed (6.2.1) and no longer corrected by hands.
    pub fn press(&mut self) {
        self.tracker.close();
    }

    /// The findings since the line was last read, for failure messages.
    pub fn felt(&self) -> &[Felt] {
        &self.felt
    }

    /// The moves executed so far, corrections applied.
    pub fn line(&mut self) -> &[Move] {
        for felt in self.felt.drain(..) {
            match felt {
                Felt::Executed(executed) => {
                    if executed.revises.is_some() {
                        self.line.pop();
                    }
                    self.line.push(executed.mv);
                }
                Felt::TakenBack { .. } => {
                    self.line.pop();
                }
                _ => {}
            }
        }
        &self.line
    }
}
