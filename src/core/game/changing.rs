//! A made move that is changed before its clock was pressed: taken back, and judged once another
//! is made in its place (4.7).

use serde_json::json;
use shakmaty::{ByColor, Color, Position, Square, san::SanPlus, uci::UciMove};

use super::{
    ArbiterAct, Article, At, Play, Ply, ScoreEntry, Source, Urgency,
    dialogue::Dialogue,
    press::Ahead,
    turn::{Announced, Turn, alike, uci},
};
use crate::sensing::Shape;
use annabella_words::phrase::{Note, Prompt};

/// What is known of a change of the last made move.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Change {
    /// The made move that was taken back last, until another is made.
    unmade: Option<Unmade>,
    /// When the piece of the made move left its hole again.
    lifted: Option<At>,
    /// A move that was typed wrongly is being replaced: nobody played another one.
    mistyped: bool,
}

impl Change {
    /// A move was taken back, and what was made in its place is not judged yet.
    pub(super) fn is_unjudged(&self) -> bool {
        self.unmade.is_some()
    }

    /// A move is made: its piece has not left its hole again.
    pub(super) fn moved(&mut self) {
        self.lifted = None;
    }

    /// The move stands, or the game goes on from elsewhere: what was taken back is past.
    pub(super) fn forgets(&mut self) {
        self.unmade = None;
    }

    /// What is entered now replaces what was typed wrongly, or no longer.
    pub(super) fn is_mistyped(&mut self, mistyped: bool) {
        self.mistyped = mistyped;
    }
}

/// A made move that was taken back before its clock was pressed.
#[derive(Clone, Debug, PartialEq)]
struct Unmade {
    ply: Ply,
    /// Its place in the line.
    index: usize,
    entries: ByColor<Option<ScoreEntry>>,
    /// How long its piece had rested in its hole, milliseconds.
    rested_ms: u64,
}

impl Play {
    /// Takes the last made move back: it was changed before its clock was pressed. It is kept until
    /// the next move is made, and judged then ([`Play::judge_change`]). A press that was there
    /// before the move waits again.
    pub(super) fn retract(&mut self) {
        let open = self.line.len().checked_sub(1).is_some_and(|last| self.is_open_at(last));
        if !open {
            return;
        }
        let Some(ply) = self.line.pop() else { return };
        self.lapse_ends();
        self.dialogue = Dialogue::default();
        let index = self.line.len();
        self.timing.shown_late = None;
        if let (Some(at), Some(clock_ms)) = (ply.completed, ply.clock_ms) {
            let ahead = Ahead::new(ply.mover, at, clock_ms);
            self.timing.ahead = Some(Ahead { since: self.at, asked: true, ..ahead });
        }
        let number = self.ply_number(index);
        let origin = self.origin(ply.mover);
        self.timing.grace = None;
        let mut entries = ByColor::default();
        for color in Color::ALL {
            let seat = &mut self.seats[color];
            entries[color] = seat.score.take(number);
            if color != origin
                && let Some(tracker) = seat.tracker_mut()
                && tracker.announced() == Some(ply.mv)
            {
                tracker.forget_announcement();
            }
        }
        // By words alone it rests on.
        let lifted = self.line.change.lifted.take();
        let rested_ms = lifted.map_or(u64::MAX, |at| at.ms.saturating_sub(ply.hands.placed.ms));
        self.line.change.unmade = Some(Unmade { ply: ply.clone(), index, entries, rested_ms });
        if self.unmade_by_word(&ply) {
            return;
        }
        self.line.turn = Turn {
            executed: self.seats[origin].shown.get(index).cloned(),
            announced: (ply.announced.by == Source::Voice).then_some(Announced {
                mv: ply.mv,
                at: ply.announced.at,
                by: ply.announced.by,
            }),
            withdrawn: ply.announced.by == Source::Assistant,
            ..Turn::default()
        };
    }

    /// A peg of a made move leaves its hole again: from here on the move may be changed.
    pub(super) fn note_lift(&mut self, seat: Color, square: Square, at_ms: u64) {
        let Some(ply) = self.line.open() else { return };
        let before = self.line.positions()[self.line.len() - 1].board().occupied();
        let moved = Shape::new(before, ply.mv).landing.contains(square);
        if moved && self.origin(ply.mover) == seat {
            self.line.change.lifted.get_or_insert(At::new(at_ms));
        }
    }

    /// Something on the board is taken up. A king that had rested where a castling puts it was
    /// released there, so that its player may only castle (4.7.2).
    pub(super) fn note_released_king(&mut self, seat: Color, at_ms: u64) {
        let plays = self.on_turn(seat) && !self.is_over() && !self.is_stopped();
        if self.mover() != seat || !plays {
            return;
        }
        let place = &self.seats[seat];
        let castling = match (place.judge.as_deref(), place.tracker()) {
            (Some(judge), _) => judge.released_king(at_ms),
            (_, Some(tracker)) => {
                let rested_ms = at_ms.saturating_sub(tracker.changed_ms());
                let released = rested_ms >= self.terms.config.sensing.released_ms;
                tracker.king_of_castling().filter(|_| released)
            }
            _ => None,
        };
        if let Some(castling) = castling {
            self.seats[seat].conduct.releases_king(castling);
        }
    }

    /// A move was made where another had been made before: the first one stays in the record, and
    /// whether it may be changed is the arbiter's to say (4.7). Not so where the player who moved
    /// did not execute it himself, or where only the piece that a pawn becomes was named wrongly
    /// (D.2.8).
    pub(super) fn judge_change(&mut self) {
        let Some(Unmade { ply, index, entries, rested_ms }) = self.line.change.unmade.take() else {
            return;
        };
        let Some(now) = self.line.last().filter(|now| now.mv != ply.mv) else { return };
        if index + 1 != self.line.len() {
            return;
        }
        let (mover, mv, san) = (now.mover, now.mv, now.san.clone());
        let at = self.at;
        for color in Color::ALL {
            if let Some(entry) = entries[color].clone() {
                self.seats[color].score.strikes(entry, at, None);
            }
        }
        // Of hands that nobody saw the slip is one of the tongue (D.2.8), or of whoever typed it.
        let typed = self.line.change.mistyped;
        let slip =
            typed || self.is_by_word(mover) || (self.seats[mover].blind && alike(ply.mv, mv));
        // Not released yet (4.7); but what was released before is not forgotten.
        let moved_on = self.seats[mover].tracker().is_some()
            && rested_ms < self.terms.config.sensing.released_ms
            && !self.is_change_proposed();
        if self.origin(mover) != mover || slip || moved_on {
            return;
        }
        let number = self.ply_number(index);
        let changed = |made: &str| {
            let (made, then) = (made.into(), san.as_str().into());
            Note::MadeMoveChanged { player: mover, made, then }
        };
        let detail = json!({ "ply": number, "made": uci(ply.mv), "then": uci(mv) });
        self.problem(Article::A4_7, changed(&ply.san), detail);
        // Changed more than once: it is the first that stands, or has come back.
        let before = self.line.positions()[index].clone();
        let known = self.made_first().and_then(|uci| uci.parse::<UciMove>().ok());
        let first = known.and_then(|uci| uci.to_move(&before).ok()).unwrap_or(ply.mv);
        if first == mv {
            return;
        }
        let made = SanPlus::from_move(before, first).to_string();
        let text = changed(&made);
        let stands = ArbiterAct::LetStand { ply: number, uci: uci(first) };
        let text_of = Note::Stands { san: san.as_str().into(), other: made.as_str().into() };
        let note = ArbiterAct::Note { text: text_of };
        self.propose(Article::A4_7, Some(mover), vec![stands, note], text);
        if self.seats[mover].blind {
            self.tell(mover, Urgency::Hint, Prompt::MoveChanged, &[]);
        }
    }
}
