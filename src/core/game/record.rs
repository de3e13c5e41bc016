//! The record of a game, which exports are made from.

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Chess, Color, Move, Square};

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
    /// Pieces that left their holes before it, in order (D.2.2).
    pub touched: Vec<Square>,
    /// The captured piece left the board (D.2.3.1).
    pub captured: Option<At>,
    /// The piece entered its new hole (D.2.3.2).
    pub placed: At,
    /// The moment of the announcement (D.2.3.3).
    pub announced: At,
    pub announced_by: Source,
    /// That it was executed is its player's word: no sensor felt it, no board showed it.
    pub said: bool,
    /// The opponent repeated it (D.2.1), as far as it was heard.
    pub repeated: Option<At>,
    /// All three held.
    pub made: At,
    /// The clock was pressed (6.2.1).
    pub completed: Option<At>,
    /// White's and Black's time when it was completed, milliseconds.
    pub clock_ms: Option<(u64, u64)>,
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
    /// Wall clock at its start, Unix seconds.
    pub unix_s: u64,
    /// The position that it started from.
    pub start: &'a Chess,
    /// The position after the last made move.
    pub position: &'a Chess,
    /// Moves made, the last perhaps not completed.
    pub line: &'a [Ply],
    /// White's game score.
    pub white_score: &'a [ScoreEntry],
    /// Black's game score.
    pub black_score: &'a [ScoreEntry],
    /// Draws offered, in order: (=).
    pub offers: &'a [DrawOffer],
    /// The player whose offer of a draw is not answered.
    pub offered: Option<Color>,
    /// At home: who has asked what of his opponent, and is not answered yet.
    pub wished: Option<(Color, HomeWish)>,
    /// After the end: so many half-moves of the score were read again.
    pub looked: Option<usize>,
    /// Its last adjournment.
    pub adjournment: Option<&'a Adjournment>,
    /// Players who need not record for the rest of the period, and since how many plies (8.4, A.2,
    /// TR.10.5.5).
    pub unrecorded: ByColor<Option<u32>>,
    /// How it ended, if it has.
    pub ended: Option<&'a Ended>,
    /// The signatures under the result (8.7).
    pub signatures: &'a [Signature],
    /// Proposals to the arbiter, in order, open or decided.
    pub proposals: &'a [Proposal],
    /// The arbiter's rulings, in order.
    pub rulings: &'a [Ruled],
    /// Decisions about the position from which the game goes on (D.2.9), in order.
    pub decisions: &'a [Decision],
    /// Entries of White's score that stand no more, in the order in which they were struck.
    pub white_struck: &'a [StruckEntry],
    /// The same of Black's.
    pub black_struck: &'a [StruckEntry],
    /// White's and Black's time left, milliseconds, and whose clock runs, at the last input.
    pub clock: (u64, u64, Running),
    /// The time that White and Black have used in the whole game, milliseconds (D.2.10.4, I.2.3).
    pub used_ms: (u64, u64),
    /// A clock runs or has run.
    pub clock_started: bool,
    /// The clocks were stopped and wait for a word that the game goes on (6.11).
    pub halted: bool,
}

impl<'a> Record<'a> {
    /// The game has ended.
    pub fn is_over(&self) -> bool {
        self.ended.is_some()
    }

    pub(super) fn new(play: &'a Play) -> Record<'a> {
        Record {
            config: &play.config,
            unix_s: play.unix_s,
            start: &play.line.positions()[0],
            position: play.position(),
            line: &play.line,
            white_score: play.seats.white.score.entries(),
            black_score: play.seats.black.score.entries(),
            offers: &play.draws.offers,
            offered: play.draws.offered,
            wished: play.wished(),
            looked: play.looked_at(),
            adjournment: play.course.adjournment(),
            unrecorded: play
                .seats
                .as_ref()
                .map(|seat| seat.score.unrecorded().map(|(_, since)| since)),
            ended: play.course.ended(),
            signatures: &play.arbitration.signatures,
            proposals: &play.arbitration.proposals,
            rulings: &play.arbitration.rulings,
            decisions: &play.arbitration.decisions,
            white_struck: play.seats.white.score.struck(),
            black_struck: play.seats.black.score.struck(),
            clock: play.timing.clock.reading(play.at),
            used_ms: play.used_ms(),
            clock_started: play.timing.clock.was_started(),
            halted: play.course.halted().is_some(),
        }
    }
}
