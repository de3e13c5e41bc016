//! The record of a game, which exports are made from.

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Move, Square};

use super::{
    Adjournment, At, Decision, DrawOffer, GameConfig, HomeWish, Outcome, Play, Proposal, Ruled,
    Running, ScoreEntry, Signature, Source, StruckEntry,
};
use crate::laws::Article;
use annabella_words::phrase::Note;

/// A made move with its facts and times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    pub mv: Move,
    /// In SAN, English letters, with + and #.
    pub san: String,
    pub mover: Color,
    pub hands: Handwork,
    /// That it was executed is its player's word: no sensor felt it, no board showed it.
    pub said: bool,
    pub announced: Announcement,
    /// All three held (D.2.3).
    pub made: At,
    /// The clock was pressed (6.2.1).
    pub completed: Option<At>,
    /// White's and Black's time when it was completed, milliseconds.
    pub clock_ms: Option<(u64, u64)>,
}

/// What hands did for a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handwork {
    /// Pieces that left their holes before it, in order (D.2.2).
    pub touched: Vec<Square>,
    /// The captured piece left the board (D.2.3.1).
    pub captured: Option<At>,
    /// The piece entered its new hole (D.2.3.2).
    pub placed: At,
}

/// The announcement of a made move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// The moment (D.2.3.3).
    pub at: At,
    pub by: Source,
    /// The opponent repeated it (D.2.1), as far as it was heard.
    pub repeated: Option<At>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    pub result: Outcome,
    pub reason: Note,
    pub article: Article,
    pub at: At,
}

/// A game as it stands in the record.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// How it is played.
    pub config: &'a GameConfig,
    /// The position after the last made move.
    pub position: &'a Chess,
    /// Moves made, the last perhaps not completed.
    pub line: &'a [Ply],
    /// How it ended, if it has.
    pub ended: Option<&'a Ended>,
    /// Proposals to the arbiter, in order, open or decided.
    pub proposals: &'a [Proposal],
    /// The arbiter's rulings, in order.
    pub rulings: &'a [Ruled],
    /// Decisions about the position from which the game goes on (D.2.9), in order.
    pub decisions: &'a [Decision],
    /// White's and Black's time left, milliseconds, and whose clock runs, at the last input.
    pub clock: (u64, u64, Running),
    play: &'a Play,
}

impl<'a> Record<'a> {
    pub(super) fn new(play: &'a Play) -> Record<'a> {
        Record {
            config: &play.terms.config,
            position: play.position(),
            line: &play.line,
            ended: play.course.ended(),
            proposals: &play.arbitration.proposals,
            rulings: &play.arbitration.rulings,
            decisions: &play.arbitration.decisions,
            clock: play.timing.clock.reading(play.at),
            play,
        }
    }

    /// The game has ended.
    pub fn is_over(&self) -> bool {
        self.ended.is_some()
    }

    /// Wall clock at its start, Unix seconds.
    pub fn unix_s(&self) -> u64 {
        self.play.terms.unix_s
    }

    /// The position that it started from.
    pub fn start(&self) -> &'a Chess {
        &self.play.line.positions()[0]
    }

    /// This player's game score.
    pub fn score(&self, of: Color) -> &'a [ScoreEntry] {
        self.play.seats[of].score.entries()
    }

    /// Entries of this player's score that stand no more, in the order in which they were struck.
    pub fn struck(&self, of: Color) -> &'a [StruckEntry] {
        self.play.seats[of].score.struck()
    }

    /// Since how many plies this player need not record, for the rest of the period (8.4, A.2,
    /// TR.10.5.5).
    pub fn unrecorded(&self, of: Color) -> Option<u32> {
        self.play.seats[of].score.unrecorded().map(|(_, since)| since)
    }

    /// Draws offered, in order: (=).
    pub fn offers(&self) -> &'a [DrawOffer] {
        &self.play.wishes.offers
    }

    /// The player whose offer of a draw is not answered.
    pub fn offered(&self) -> Option<Color> {
        self.play.open_offer()
    }

    /// At home: who has asked what of his opponent, and is not answered yet.
    pub fn wished(&self) -> Option<(Color, HomeWish)> {
        self.play.wished()
    }

    /// After the end: so many half-moves of the score were read again.
    pub fn looked(&self) -> Option<usize> {
        self.play.looked_at()
    }

    /// Its last adjournment.
    pub fn adjournment(&self) -> Option<&'a Adjournment> {
        self.play.course.adjournment()
    }

    /// The signatures under the result (8.7).
    pub fn signatures(&self) -> &'a [Signature] {
        &self.play.arbitration.signatures
    }

    /// The time that White and Black have used in the whole game, milliseconds (D.2.10.4, I.2.3).
    pub fn used_ms(&self) -> (u64, u64) {
        self.play.used_ms()
    }

    /// A clock runs or has run.
    pub fn clock_started(&self) -> bool {
        self.play.timing.clock.was_started()
    }

    /// The clocks were stopped and wait for a word that the game goes on (6.11).
    pub fn halted(&self) -> bool {
        self.play.course.halted().is_some()
    }
}
