//! Both game scores, kept apart from the boards and from one another (8.1, D.2.7, D.2.9).
//!
//! A blind player's score holds his announcements, or those made for him if that is a duty. A
//! sighted player's score holds the moves that his board showed, until he shows his score sheet.
//! Then the typed or pasted sheet counts instead, as he wrote it. Nothing is rewritten in silence:
//! a replaced entry stays in the record, struck.

use serde_json::json;
use shakmaty::{Chess, Color, Move, Position, san::SanPlus};

use super::{Article, Play, Refused, ScoreEntry, Source, seat::SeatBoard};
use crate::notation::{self, Entry, InForce, Letters, NotationError, PieceLetters, ScoreReading};
use annabella_words::phrase::Note;

/// No score sheet is longer, in bytes.
const LONGEST_TEXT: usize = 32 * 1024;
/// No game has this many half-moves.
const MOST_PLIES: usize = 20_000;

impl Play {
    /// A move was made. It goes at once into the scores that note it at once. Where a board reports
    /// moves, the opponent's are noted when the board shows them.
    pub(super) fn record_made(&mut self, mv: Move, by: Source) {
        let mover = self.mover();
        for color in Color::ALL {
            // Entered positions of the boards are out of date.
            self.seats[color].view.moved_on();
            let seat = &self.seats[color];
            let reports = matches!(seat.board, SeatBoard::Reports) && seat.has_board();
            let source = match by {
                _ if !seat.blind && reports && color != mover => continue,
                _ if !seat.blind => Source::Board,
                Source::Voice => Source::Voice,
                _ if self.terms.config.duties.keep_score => Source::Assistant,
                _ => continue,
            };
            self.enter(color, self.line.len(), mv, source);
        }
    }

    /// A board that reports moves shows a made move.
    pub(super) fn record_copied(&mut self, seat: Color, index: usize) {
        if let SeatBoard::Reports = self.seats[seat].board
            && let Some(ply) = self.line.get(index)
        {
            let mv = ply.mv;
            self.enter(seat, index, mv, Source::Board);
        }
    }

    /// Enters the move of this half-move (counted from 0) if the score has no entry there.
    pub(super) fn enter(&mut self, seat: Color, index: usize, mv: Move, source: Source) {
        let ply = self.ply_number(index);
        let position = self.before_entry(seat, ply).filter(|position| position.is_legal(mv));
        let position = position.unwrap_or_else(|| self.line.positions()[index].clone());
        let san = SanPlus::from_move(position, mv).to_string();
        let entry = ScoreEntry { ply, mv: Some(mv), san, written: None, at: self.at, source };
        self.seats[seat].score.enter(entry);
    }

    /// A player's score as he wrote it, from this half-move on.
    pub(super) fn score_written(
        &mut self,
        seat: Color,
        from_ply: u32,
        text: &str,
    ) -> Result<(), Refused> {
        let refused = |text: Note| Err(Refused::new(Article::A8_1_1, text));
        let last = self.seats[seat].score.last_ply();
        if from_ply == 0 || from_ply > last.saturating_add(1) {
            return refused(Note::WriteOnFrom {
                player: seat,
                plies: last,
                most: last.saturating_add(1),
            });
        }
        if text.len() > LONGEST_TEXT {
            return refused(Note::ScoreTooLong { bytes: text.len(), most: LONGEST_TEXT });
        }
        let before = self.before_entry(seat, from_ply);
        let start = before.as_ref().unwrap_or(&self.line.positions()[0]);
        let reading = notation::read_sheet_in_force(start, text, &InForce::of(&self.terms.words));
        if reading.entries.is_empty() {
            return refused(Note::NothingWritten);
        }
        let plies = from_ply as usize - 1 + reading.entries.len();
        if plies > MOST_PLIES {
            return refused(Note::NoGameSoLong { plies });
        }
        let entries = self.entries(from_ply, before, &reading);
        self.may_write(seat, &entries)?;
        let differed = self.scores_differ();
        let made = self.plies();
        let ahead = entries.iter().find(|entry| entry.ply > made);
        let ahead = ahead.map(|entry| (entry.ply, entry.san.clone()));
        let end = entries.last().map_or(0, |entry| entry.ply);
        for entry in entries {
            self.write(seat, entry);
        }
        if from_ply == 1 {
            self.unwritten_behind(seat, end);
        }
        self.tell_scores(differed);
        if let Some((ply, text)) = ahead {
            self.problem(
                Article::A8_1_2,
                Note::WrittenBefore { player: seat, ply },
                json!({ "ply": ply, "written": text }),
            );
        }
        Ok(())
    }

    /// The entries of a reading, to be kept.
    fn entries(&self, from: u32, before: Option<Chess>, reading: &ScoreReading) -> Vec<ScoreEntry> {
        let mut position = before;
        let mut entries = Vec::new();
        for (entry, ply) in reading.entries.iter().zip(from..) {
            let read = entry.result.as_ref().ok().filter(|_| position.is_some());
            let mut san = None;
            if let (Some(position), Some(read)) = (&mut position, read) {
                // Read as legal from this very position on.
                san = Some(SanPlus::from_move_and_play_unchecked(position, read.mv).to_string());
            }
            let as_written = entry.as_written.clone();
            // A blank entry counts as missing. It is asked for, and is no difference (8.1.3).
            if is_blank(&as_written) {
                position = None;
                continue;
            }
            entries.push(ScoreEntry {
                ply,
                mv: read.map(|read| read.mv),
                san: san.unwrap_or_else(|| as_written.clone()),
                written: Some(as_written),
                at: self.at,
                source: Source::Written,
            });
        }
        entries
    }

    /// A blind player's announcements are the score. It can be completed in writing, not replaced,
    /// unless he keeps it himself, in Braille or by hand: then it is what he has written (D.2.7).
    fn may_write(&self, seat: Color, entries: &[ScoreEntry]) -> Result<(), Refused> {
        if !self.seats[seat].blind || !self.terms.config.duties.keep_score {
            return Ok(());
        }
        let against = entries.iter().find_map(|entry| {
            let there = self.entry(seat, entry.ply)?;
            let announced = matches!(there.source, Source::Voice | Source::Assistant);
            (announced && there.mv != entry.mv).then(|| (entry.ply, there.san.clone()))
        });
        match against {
            None => Ok(()),
            Some((ply, san)) => Err(Refused::new(
                Article::D_2_7,
                Note::DecidedAsAnnounced { ply, san: san.into(), player: seat },
            )),
        }
    }

    /// A whole score sheet ends here, so entries from the board behind its end are dropped.
    /// Announced entries and the arbiter's decisions stay.
    fn unwritten_behind(&mut self, seat: Color, end: u32) {
        let at = self.at;
        self.seats[seat].score.strike_where(at, |entry| {
            entry.ply > end && matches!(entry.source, Source::Board | Source::Written)
        });
    }

    /// Writes an entry. An earlier, different entry there is struck.
    fn write(&mut self, seat: Color, entry: ScoreEntry) {
        let blind = self.seats[seat].blind;
        self.seats[seat].score.write(entry, |there, entry| match &there.written {
            Some(written) => entry.written.as_ref() == Some(written),
            // Writing may repeat an announced or shown entry in its own way.
            None => blind && there.mv == entry.mv,
        });
    }

    pub(super) fn entry(&self, seat: Color, ply: u32) -> Option<&ScoreEntry> {
        self.seats[seat].score.entry(ply)
    }

    /// The position in which this player's entry of a half-move is read. `None` behind one that
    /// cannot be read.
    pub(super) fn before_entry(&self, seat: Color, ply: u32) -> Option<Chess> {
        let mut position = self.line.positions()[0].clone();
        for ply in 1..ply {
            let mv = match self.entry(seat, ply) {
                Some(entry) => entry.mv?,
                None => self.line.get(ply as usize - 1)?.mv,
            };
            position = position.play(mv).ok()?;
        }
        Some(position)
    }

    /// Both scores, White's first, read again entry by entry: a corrected entry makes those behind
    /// it readable.
    pub(super) fn readings(&self) -> [ScoreReading; 2] {
        let start = &self.line.positions()[0];
        // What could not be read yet is in the letters of its own sheet.
        let letters = Color::ALL.map(|color| {
            let written = |entry: &ScoreEntry| entry.written.clone();
            let entries = self.seats[color].score.entries();
            let sheet: Vec<String> = entries.iter().filter_map(written).collect();
            notation::letters_of_sheet(&sheet, PieceLetters::of_words(&self.terms.words))
        });
        let in_force = letters.map(|letters| InForce { letters, ..InForce::of(&self.terms.words) });
        let count = Color::ALL.map(|color| self.seats[color].score.last_ply());
        let mut positions = [Some(start.clone()), Some(start.clone())];
        let mut readings = Color::ALL.map(|_| ScoreReading {
            language: None,
            start: start.clone(),
            entries: Vec::new(),
            outcome: None,
        });
        for ply in 1..=count.into_iter().max().unwrap_or(0) {
            let mut moves = [None, None];
            for (n, color) in Color::ALL.into_iter().enumerate() {
                if ply > count[n] {
                    continue;
                }
                let entry =
                    read_entry(self.entry(color, ply), ply, positions[n].as_ref(), &in_force[n]);
                moves[n] = entry.result.as_ref().ok().map(|read| read.mv);
                readings[n].entries.push(entry);
            }
            for n in 0..2 {
                let gap = readings[n].entries.last().is_some_and(|entry| {
                    entry.ply == ply && entry.result == Err(NotationError::NotWritten)
                });
                let mv = if gap { moves[1 - n] } else { moves[n] };
                let next = positions[n].take().zip(mv);
                positions[n] = next.and_then(|(position, mv)| position.play(mv).ok());
            }
        }
        readings
    }

    /// The half-move at which the scores differ, if they do.
    fn scores_differ(&self) -> Option<u32> {
        self.settlement().difference.map(|difference| difference.ply)
    }

    /// A written entry may contradict the other score; that is noticed at once.
    fn tell_scores(&mut self, before: Option<u32>) {
        let case = self.case();
        let settled = crate::reconcile::reconcile(&case);
        let Some(difference) = &settled.difference else { return };
        if before == Some(difference.ply) {
            return;
        }
        let text = settled.note(&case);
        let detail = json!({ "ply": difference.ply, "back_to": settled.ply });
        self.problem(Article::D_2_9, text, detail);
    }
}

/// A mark for a move that its player did not write down.
fn is_blank(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| matches!(c, '?' | '-' | '–' | '—' | '_' | '.' | '…'))
}

/// An entry read in its position.
fn read_entry(
    entry: Option<&ScoreEntry>,
    ply: u32,
    position: Option<&Chess>,
    in_force: &InForce<'_>,
) -> Entry {
    let Some(entry) = entry else {
        let result = Err(NotationError::NotWritten);
        return Entry { as_written: String::new(), ply, result };
    };
    let as_written = entry.written.clone().unwrap_or_else(|| entry.san.clone());
    let result = match (position, entry.mv) {
        (None, _) => Err(NotationError::NotReached { text: as_written.clone() }),
        (Some(position), Some(mv)) if position.is_legal(mv) => {
            let san = SanPlus::from_move(position.clone(), mv).to_string();
            notation::read(position, &san, Letters::english())
        }
        (Some(position), _) => in_force.read(position, &as_written),
    };
    Entry { as_written, ply, result }
}
