//! What is known of the board before a player beside the moves that it shows: whether it is there,
//! stands right, and how it differs.

use shakmaty::Board;

use super::Differs;

/// A board as somebody sees it, or has said that it stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct View {
    /// It shows no position of the game and is being set right.
    astray: bool,
    /// A board that reports moves is gone; play goes on as without one.
    lost: bool,
    /// Its player has pressed with a move of his on it that could not be made: it differed.
    pressed: bool,
    /// How it differs from the game.
    differs: Option<Differs>,
    /// A board that reports nothing, as somebody has entered it.
    entered: Option<Board>,
}

impl View {
    pub(super) fn is_astray(&self) -> bool {
        self.astray
    }

    /// It shows no position of the game, or does again. Whether that was so before.
    pub(super) fn goes_astray(&mut self, astray: bool) -> bool {
        std::mem::replace(&mut self.astray, astray)
    }

    /// A press while it differed counts for nothing: its player has to press again. Whether one
    /// stood.
    pub(super) fn presses(&mut self, pressed: bool) -> bool {
        std::mem::replace(&mut self.pressed, pressed)
    }

    pub(super) fn is_lost(&self) -> bool {
        self.lost
    }

    /// The board is gone, or back. Whether that was so before.
    pub(super) fn loses(&mut self, lost: bool) -> bool {
        std::mem::replace(&mut self.lost, lost)
    }

    /// How it differs from the game.
    pub(super) fn differs(&self) -> Option<&Differs> {
        self.differs.as_ref()
    }

    pub(super) fn shows(&mut self, differs: Differs) {
        self.differs = Some(differs);
    }

    /// It stands right: it differs in nothing.
    pub(super) fn stands_right(&mut self) {
        (self.differs, self.astray) = (None, false);
    }

    /// As somebody has entered it.
    pub(super) fn entered(&self) -> Option<&Board> {
        self.entered.as_ref()
    }

    pub(super) fn enter(&mut self, board: Board) {
        self.entered = Some(board);
    }

    /// A move was made: what was entered is out of date.
    pub(super) fn moved_on(&mut self) {
        self.entered = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ShownBoard;

    #[test]
    fn a_board_that_stands_right_differs_in_nothing_and_stays_lost_where_it_is() {
        let mut view = View::default();
        let shown = ShownBoard::Occupied(0);
        view.shows(Differs { shown, squares: 1, illegal: None, plies_ago: None });
        assert!(!view.goes_astray(true) && !view.loses(true));
        view.stands_right();
        assert!(!view.is_astray() && view.differs().is_none() && view.is_lost());
        assert!(view.loses(false) && !view.is_lost(), "it is back, and was lost");
        view.enter(Board::new());
        view.moved_on();
        assert!(view.entered().is_none());
    }
}
