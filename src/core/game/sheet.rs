//! A player's game score: its entries, what is struck, and whether he need record now.

use serde::{Deserialize, Serialize};
use shakmaty::Move;

use super::At;

/// The source of a score's entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Announced by the player himself.
    Voice,
    /// Announced by the system for him (D.2.10.2, D.2.10.3).
    Assistant,
    /// Shown by the sighted player's board.
    Board,
    /// Written by the player, and typed or pasted for him.
    Written,
    /// Put in place of another entry by the arbiter's decision (D.2.9).
    Arbiter,
}

/// An entry of a player's game score. Never rewritten from a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreEntry {
    /// Half-move number, the first is 1.
    pub ply: u32,
    /// The move as understood; `None` where what is written is no legal move there.
    pub mv: Option<Move>,
    /// SAN with English letters. Where there is no move, the text as written.
    pub san: String,
    /// Exactly as written, mistakes and all, when it was typed or pasted.
    pub written: Option<String>,
    /// When it was entered.
    pub at: At,
    /// From where.
    pub source: Source,
}

/// An entry that is struck. It stays in the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StruckEntry {
    /// As it was.
    pub entry: ScoreEntry,
    /// When it was struck.
    pub at: At,
    /// The decision that struck it ([`super::Decision::number`]); `None` when its player wrote
    /// another one.
    pub decision: Option<u32>,
}

/// What the arbiter decides about an entry (D.2.9).
pub(super) enum Decided {
    /// It stands, as this move.
    Stands { mv: Option<Move>, san: String },
    /// Another one stands in its place.
    Becomes(ScoreEntry),
    /// Nothing stands there.
    Goes,
}

/// A player's game score.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Score {
    /// In the order of the moves; some may be missing.
    entries: Vec<ScoreEntry>,
    struck: Vec<StruckEntry>,
    /// The player need not record in this period, since this many plies.
    unrecorded: Option<(usize, u32)>,
}

impl Score {
    /// In the order of the moves; some may be missing.
    pub(super) fn entries(&self) -> &[ScoreEntry] {
        &self.entries
    }

    /// In the order in which they were struck.
    pub(super) fn struck(&self) -> &[StruckEntry] {
        &self.struck
    }

    /// The entry of this half-move.
    pub(super) fn entry(&self, ply: u32) -> Option<&ScoreEntry> {
        let place = self.entries.binary_search_by_key(&ply, |entry| entry.ply).ok()?;
        self.entries.get(place)
    }

    /// The half-move of the last entry; 0 without any.
    pub(super) fn last_ply(&self) -> u32 {
        self.entries.last().map_or(0, |entry| entry.ply)
    }

    /// Enters a move where there is no entry yet.
    pub(super) fn enter(&mut self, entry: ScoreEntry) {
        if let Err(place) = self.entries.binary_search_by_key(&entry.ply, |entry| entry.ply) {
            self.entries.insert(place, entry);
        }
    }

    /// Writes an entry. An earlier, different entry there is struck; `repeats`: whether it only
    /// repeats that one in the player's own way.
    pub(super) fn write(
        &mut self,
        entry: ScoreEntry,
        repeats: impl FnOnce(&ScoreEntry, &ScoreEntry) -> bool,
    ) {
        match self.entries.binary_search_by_key(&entry.ply, |entry| entry.ply) {
            Err(place) => self.entries.insert(place, entry),
            Ok(place) if repeats(&self.entries[place], &entry) => {}
            Ok(place) => {
                let at = entry.at;
                let entry = std::mem::replace(&mut self.entries[place], entry);
                self.strikes(entry, at, None);
            }
        }
    }

    /// Strikes the entries of which this is so.
    pub(super) fn strike_where(&mut self, at: At, so: impl Fn(&ScoreEntry) -> bool) {
        let struck: Vec<ScoreEntry> = self.entries.extract_if(.., |entry| so(entry)).collect();
        struck.into_iter().for_each(|entry| self.strikes(entry, at, None));
    }

    /// Takes the entry of a move that is taken back out.
    pub(super) fn take(&mut self, ply: u32) -> Option<ScoreEntry> {
        self.entries.extract_if(.., |entry| entry.ply == ply).next()
    }

    /// An entry stands no more, and stays in the record.
    pub(super) fn strikes(&mut self, entry: ScoreEntry, at: At, decision: Option<u32>) {
        self.struck.push(StruckEntry { entry, at, decision });
    }

    /// The arbiter decides about each entry. What does not stand is struck by this decision.
    pub(super) fn decided(
        &mut self,
        at: At,
        number: u32,
        decides: impl Fn(&ScoreEntry) -> Decided,
    ) {
        for entry in std::mem::take(&mut self.entries) {
            match decides(&entry) {
                Decided::Stands { mv, san } => {
                    self.entries.push(ScoreEntry { mv, san, ..entry });
                    continue;
                }
                Decided::Becomes(other) => self.entries.push(other),
                Decided::Goes => {}
            }
            self.strikes(entry, at, Some(number));
        }
    }

    /// Since how many plies the player need not record, and in which period.
    pub(super) fn unrecorded(&self) -> Option<(usize, u32)> {
        self.unrecorded
    }

    pub(super) fn set_unrecorded(&mut self, since: Option<(usize, u32)>) {
        self.unrecorded = since;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(ply: u32, san: &str) -> ScoreEntry {
        let (san, written, source) = (san.to_owned(), None, Source::Written);
        ScoreEntry { ply, mv: None, san, written, at: At::new(u64::from(ply)), source }
    }

    fn sans(score: &Score) -> Vec<&str> {
        score.entries().iter().map(|entry| entry.san.as_str()).collect()
    }

    #[test]
    fn what_is_written_over_stays_in_the_record() {
        let mut score = Score::default();
        score.enter(entry(2, "e5"));
        score.enter(entry(1, "e4"));
        score.enter(entry(1, "d4"));
        assert_eq!((sans(&score), score.last_ply()), (vec!["e4", "e5"], 2));
        score.write(entry(1, "1. e4"), |_, _| true);
        assert!(score.struck().is_empty(), "the same in another way");
        score.write(entry(1, "d4"), |_, _| false);
        assert_eq!(sans(&score), ["d4", "e5"]);
        score.strike_where(At::new(9), |entry| entry.ply > 1);
        assert_eq!(sans(&score), ["d4"]);
        let struck: Vec<&str> =
            score.struck().iter().map(|struck| struck.entry.san.as_str()).collect();
        assert_eq!(struck, ["e4", "e5"]);
        assert_eq!(score.take(1).map(|entry| entry.san).as_deref(), Some("d4"));
        assert!(score.entry(1).is_none());
    }
}
