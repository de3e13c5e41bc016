//! Recording: players who need not record for the moment (8.4, A.2, TR.10.5.5), and entries added
//! afterwards (8.5).
//!
//! A blind player whose score the system does not keep (D.2.10.3) keeps it himself: his
//! announcements and his repetitions (D.2.1) are recorded. Entries missing from his last minutes
//! are asked for when the period is over.

use shakmaty::{Color, Move};

use super::{
    Play, Refused, Rules, ScoreEntry, Source, Urgency,
    dialogue::{Dialogue, Question},
    reading::read,
};
use annabella_words::phrase::{
    Prompt, Slot, Understood,
    hear::{Asked, Context, Heard, HeardDecision},
};

/// Less time than this, and a player need not record (8.4), milliseconds.
const LAST_MINUTES_MS: u64 = 300_000;
/// With this much added for each move a player must record all the same, unless he is blind
/// (TR.10.5.5).
const ENOUGH_ADDED_MS: u64 = 30_000;

impl Play {
    /// A move was completed: looks who need not record any more in his period, and who has reached
    /// the next one with moves missing in his score.
    pub(super) fn look_at_scores(&mut self) {
        for color in Color::ALL {
            let period = self.timing.clock.period_index(color);
            let before = self.seats[color].score.unrecorded();
            if before.is_some_and(|(of, _)| of != period) {
                self.seats[color].score.set_unrecorded(None);
                self.remind_of_score(color);
            }
            if self.seats[color].score.unrecorded().is_none() && self.need_not_record(color, period)
            {
                let since = Some((period, self.plies()));
                self.seats[color].score.set_unrecorded(since);
            }
        }
    }

    pub(super) fn need_not_record(&self, color: Color, period: usize) -> bool {
        let short = self.timing.clock.remaining_ms(self.at, color) < LAST_MINUTES_MS;
        let added_ms = self.timing.clock.control().periods()[period].bonus.most_ms();
        let rules = self.rules_in_force();
        rules != Rules::Classical
            || (short && (self.seats[color].blind || added_ms < ENOUGH_ADDED_MS))
    }

    /// The half-moves that this player's score lacks, by their index.
    fn missing(&self, color: Color) -> Vec<usize> {
        let score = &self.seats[color].score;
        let has = |index: usize| score.entry(self.ply_number(index)).is_some();
        (0..self.line.len()).filter(|index| !has(*index)).collect()
    }

    /// The player has recorded the opponent's moves by voice, with gaps.
    pub(super) fn has_gaps(&self, color: Color) -> bool {
        let spoken = |entry: &&ScoreEntry| {
            entry.source == Source::Voice
                && self.line.get(entry.ply as usize - 1).is_some_and(|ply| ply.mover != color)
        };
        self.seats[color].blind
            && !self.terms.config.duties.keep_score
            && self.seats[color].score.entries().iter().find(spoken).is_some()
            && !self.missing(color).is_empty()
    }

    /// Asks for missing entries, once at the end of a period and of the game (8.5.2).
    pub(super) fn remind_of_score(&mut self, color: Color) {
        if self.has_gaps(color) {
            let missing = u32::try_from(self.missing(color).len()).unwrap_or(u32::MAX);
            self.tell(color, Urgency::Hint, Prompt::ScoresOpen, &[Slot::Number(missing)]);
        }
    }

    /// "Mitschrift ergänzen": asks for what is missing, one by one.
    pub(super) fn completes_score(&mut self, of: Color) {
        match self.missing(of).first() {
            Some(index) if self.seats[of].blind => {
                self.ask(of, Question::Score { index: *index });
            }
            _ => self.tell(of, Urgency::Answer, Prompt::ScoreComplete, &[]),
        }
    }

    /// The half-move that this speaker is asked for.
    fn score_asked(&self, seat: Option<Color>) -> Option<(Color, usize)> {
        let of = self.dialogue.of()?;
        match self.dialogue.question()? {
            Question::Score { index } if seat.is_none_or(|seat| seat == of) => Some((of, *index)),
            _ => None,
        }
    }

    /// Index of the position that the recogniser is to listen for, if it is not the last one.
    pub(super) fn asked_for_score(&self) -> Option<usize> {
        self.score_asked(None).map(|(_, index)| index)
    }

    /// A move repeated aloud is recorded for a player who keeps his own score.
    pub(super) fn record_repeated(&mut self) {
        let Some(ply) = self.line.last() else { return };
        let of = !ply.mover;
        if self.seats[of].blind && !self.terms.config.duties.keep_score {
            self.enter(of, self.line.len() - 1, ply.mv, Source::Voice);
        }
    }

    fn entered(&mut self, of: Color, index: usize, mv: Move) {
        self.enter(of, index, mv, Source::Voice);
        self.dialogue = Dialogue::default();
        self.completes_score(of);
    }

    /// Words in answer to "Zug zwölf, Schwarz?"; `None` if nothing is asked.
    pub(super) fn score_said(
        &mut self,
        seat: Option<Color>,
        heard: &[String],
    ) -> Option<Result<(), Refused>> {
        let (of, index) = self.score_asked(seat)?;
        let position = self.line.positions()[index].clone();
        for text in heard {
            match read(&self.terms.words, &position, text) {
                Understood::Move(mv) => {
                    self.entered(of, index, mv);
                    return Some(Ok(()));
                }
                Understood::Command(command) => return Some(self.command(seat, command)),
                _ => {}
            }
        }
        self.answer_not_understood();
        Some(Ok(()))
    }

    /// The same from a recogniser. The move that was played is believed at half a word.
    pub(super) fn score_heard(
        &mut self,
        seat: Option<Color>,
        heard: &Heard,
    ) -> Option<Result<(), Refused>> {
        let (of, index) = self.score_asked(seat)?;
        let position = self.line.positions()[index].clone();
        let context = Context { moves: true, asked: Asked::Nothing, ..self.context() };
        let decision = self.matcher(seat, &position, context).decide(heard);
        self.note_decision(&decision, &position, heard);
        let played = self.line.get(index).map(|ply| ply.mv);
        let mv = match decision {
            HeardDecision::Accept { mv, .. } => Some(mv),
            HeardDecision::Confirm { mv, .. } => Some(mv).filter(|mv| Some(*mv) == played),
            HeardDecision::Ambiguous { moves, .. } => played.filter(|mv| moves.contains(mv)),
            HeardDecision::Command { command, .. } => return Some(self.command(seat, command)),
            HeardDecision::Answer { answer, .. } => return Some(self.answer(seat, answer, true)),
            _ => None,
        };
        match mv {
            Some(mv) => self.entered(of, index, mv),
            None => self.answer_not_understood(),
        }
        Some(Ok(()))
    }
}
