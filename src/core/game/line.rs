//! The moves made, with the positions between them.
//!
//! Plies, positions and what makes two positions the same (9.2.2) only change together, here.

use std::ops::{Deref, DerefMut};

use shakmaty::{Chess, Move, Position};

use super::{Ply, changing::Change, turn::Turn};
use crate::laws::identity;

/// Moves made and the positions between them; there is always one position more than plies.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    /// The move on its way.
    pub(super) turn: Turn,
    /// The last made move, while it is changed.
    pub(super) change: Change,
    plies: Vec<Ply>,
    positions: Vec<Chess>,
    identities: Vec<u128>,
}

impl Line {
    /// A game that begins here.
    pub(super) fn new(start: Chess) -> Line {
        Line {
            turn: Turn::default(),
            change: Change::default(),
            plies: Vec::new(),
            identities: vec![identity(&start)],
            positions: vec![start],
        }
    }

    /// The position after the last made move.
    pub(super) fn position(&self) -> &Chess {
        // `new` puts one in, `pop` and `cut` leave the first.
        self.positions.last().expect("a starting position")
    }

    /// The positions: the start, then one after each ply.
    pub(super) fn positions(&self) -> &[Chess] {
        &self.positions
    }

    /// Adds a made move, which is legal in the last position.
    pub(super) fn push(&mut self, ply: Ply) {
        let mut after = self.position().clone();
        after.play_unchecked(ply.mv);
        self.identities.push(identity(&after));
        self.positions.push(after);
        self.plies.push(ply);
    }

    /// Takes the last move off.
    pub(super) fn pop(&mut self) -> Option<Ply> {
        let ply = self.plies.pop()?;
        self.positions.pop();
        self.identities.pop();
        Some(ply)
    }

    /// Keeps this many plies. Returns the others, in order.
    pub(super) fn cut(&mut self, kept: usize) -> Vec<Ply> {
        let off = self.plies.split_off(kept.min(self.plies.len()));
        self.positions.truncate(self.plies.len() + 1);
        self.identities.truncate(self.plies.len() + 1);
        off
    }

    /// The last move, while its clock has not been pressed (6.2.1).
    pub(super) fn open(&self) -> Option<&Ply> {
        self.plies.last().filter(|ply| ply.completed.is_none())
    }

    /// How often this position has stood on the board (9.2).
    pub(super) fn occurrences(&self, position: &Chess) -> usize {
        let wanted = identity(position);
        self.identities.iter().filter(|identity| **identity == wanted).count()
    }

    /// Positions that have stood four times (9.6.1).
    pub(super) fn stood_four_times(&self) -> Vec<u128> {
        let mut sorted = self.identities.clone();
        sorted.sort_unstable();
        sorted.chunk_by(|a, b| a == b).filter(|same| same.len() >= 4).map(|same| same[0]).collect()
    }

    /// The moves alone.
    pub(super) fn moves(&self) -> Vec<Move> {
        self.plies.iter().map(|ply| ply.mv).collect()
    }
}

impl Deref for Line {
    type Target = [Ply];

    fn deref(&self) -> &[Ply] {
        &self.plies
    }
}

impl DerefMut for Line {
    fn deref_mut(&mut self) -> &mut [Ply] {
        &mut self.plies
    }
}
