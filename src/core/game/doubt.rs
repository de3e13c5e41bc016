//! What a player's board leaves open about his move: between which moves it cannot tell, and what
//! was named beforehand.

use shakmaty::{Move, Role};

/// Moves that a board could not tell apart, and the piece that its player has named.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Doubt {
    /// A promotion piece named before the pawn was promoted.
    named: Option<Role>,
    /// The player is asked which of these.
    which: Vec<Move>,
}

impl Doubt {
    /// The promotion piece that was named beforehand.
    pub(super) fn named(&self) -> Option<Role> {
        self.named
    }

    /// The same, which answers the question now.
    pub(super) fn take_named(&mut self) -> Option<Role> {
        self.named.take()
    }

    pub(super) fn name(&mut self, role: Role) {
        self.named = Some(role);
    }

    /// The moves of which the player is asked which; none: he is not.
    pub(super) fn which(&self) -> &[Move] {
        &self.which
    }

    /// His board shows a move of which only the name is missing.
    pub(super) fn is_open(&self) -> bool {
        !self.which.is_empty()
    }

    /// His board came to rest: it shows one of these still, or the question is out of date.
    pub(super) fn is_seen(&mut self, shows: impl Fn(Move) -> bool) {
        if !self.which.iter().any(|mv| shows(*mv)) {
            self.which.clear();
        }
    }

    pub(super) fn asks(&mut self, which: Vec<Move>) {
        self.which = which;
    }

    /// The question is answered, or out of date.
    pub(super) fn is_settled(&mut self) {
        self.which.clear();
    }

    /// A move was made: what was named for another one counts no more.
    pub(super) fn forgets_name(&mut self) {
        self.named = None;
    }
}
