//! A player's place: his board, his score, his rules.

use shakmaty::{Chess, Color};

use super::{
    GameConfig, HandsKnown, conduct::Conduct, correction::Correction, doubt::Doubt,
    new_voice::NewVoice, sheet::Score, view::View,
};
use crate::{
    sensing::{Executed, SettleSettings, Tracker},
    sight::judge::Judge,
};

/// The kind of board before a player.
#[derive(Clone, Debug, PartialEq)]
pub enum SeatBoard {
    /// Pegs over reeds.
    Pegs(Box<Tracker>),
    /// A board that reports moves, or an assistant who does.
    Reports,
    /// A peg set without sensors: the player's word says what his hands did.
    Said {
        /// His announcement is that word; else he says it when it is done.
        at_once: bool,
    },
    /// No board: the moves are executed on the opponent's peg board.
    None,
}

/// A player's place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Seat {
    pub(super) blind: bool,
    pub(super) board: SeatBoard,
    /// Says what a board that is no peg board shows.
    pub(super) judge: Option<Box<Judge>>,
    /// The moves executed on this board, in order. They are those of the line, except that the last
    /// ones may be wrong or not made yet.
    pub(super) shown: Vec<Executed>,
    pub(super) view: View,
    pub(super) doubt: Doubt,
    pub(super) score: Score,
    pub(super) conduct: Conduct,
    /// The board is being corrected after a decision, step by step.
    pub(super) correction: Option<Correction>,
    /// How well his first words were heard.
    pub(super) voice: NewVoice,
}

impl Seat {
    pub(super) fn new(color: Color, config: &GameConfig, start: &Chess) -> Seat {
        let blind = config.blind.is(color);
        let sensing = config.sensing;
        let settings = SettleSettings {
            settle_ms: sensing.settle_ms,
            castling_ms: sensing.castling_ms,
            ending_ms: sensing.ending_ms,
            guide_ms: sensing.guide_ms,
            late_ms: sensing.debounce_ms,
            press_ms: sensing.debounce_ms * 3,
            announced_for: config.duties.announce,
            asks_before_end: true,
            ..SettleSettings::default()
        };
        let board = match (blind, config.hands.of(color)) {
            (true, HandsKnown::Felt) => {
                SeatBoard::Pegs(Box::new(Tracker::new(start.clone(), settings)))
            }
            (true, HandsKnown::Announced) => SeatBoard::Said { at_once: true },
            (true, HandsKnown::Spoken) => SeatBoard::Said { at_once: false },
            (false, _) if config.sighted_board => SeatBoard::Reports,
            (false, _) => SeatBoard::None,
        };
        let judge = matches!(board, SeatBoard::Reports)
            .then(|| Box::new(Judge::new(color, start.clone(), config.judge)));
        Seat {
            blind,
            board,
            judge,
            shown: Vec::new(),
            view: View::default(),
            doubt: Doubt::default(),
            score: Score::default(),
            conduct: Conduct::default(),
            correction: None,
            voice: NewVoice::default(),
        }
    }

    pub(super) fn tracker(&self) -> Option<&Tracker> {
        match &self.board {
            SeatBoard::Pegs(tracker) => Some(tracker),
            _ => None,
        }
    }

    pub(super) fn tracker_mut(&mut self) -> Option<&mut Tracker> {
        match &mut self.board {
            SeatBoard::Pegs(tracker) => Some(tracker),
            _ => None,
        }
    }

    /// The board is known by its player's word.
    pub(super) fn is_said(&self) -> bool {
        matches!(self.board, SeatBoard::Said { .. })
    }

    pub(super) fn has_board(&self) -> bool {
        !matches!(self.board, SeatBoard::None) && !self.view.is_lost()
    }

    /// Pictures of it come by themselves: it is no page on which somebody enters moves.
    pub(super) fn is_watched(&self) -> bool {
        let picture = self.judge.as_deref().and_then(|judge| judge.picture());
        self.has_board() && picture.is_some()
    }
}
