//! Counts the results of recordings.

use std::time::Duration;

use shakmaty::{Chess, Move};

use annabella::cli::recordings::{ListedRecording, RecordingKind};
use annabella_devices::voice::Pcm;
use annabella_words::{
    phrase::{
        Understood, Words,
        hear::{Heard, HeardDecision, HeardVerdict, Hypothesis},
        understand,
    },
    text::uci,
};

/// The results of recordings that belong together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Legal moves that were said.
    pub(crate) moves: u32,
    /// Of these taken at once, as meant.
    pub(crate) right: u32,
    /// Asked about, as meant.
    pub(crate) confirmed: u32,
    pub(crate) wrong: u32,
    /// Asked about another move than was said.
    pub(crate) wrong_question: u32,
    pub(crate) again: u32,
    /// By the best text of the word loop alone.
    pub(crate) word_list: Plain,
    /// By the best text of the legal phrases alone.
    pub(crate) legal: Plain,
    pub(crate) requests: u32,
    pub(crate) answered: u32,
    pub(crate) wrongly_answered: u32,
    /// Moves that were said and are not legal.
    pub(crate) illegal: u32,
    /// Of these taken for a move or a request.
    pub(crate) illegal_accepted: u32,
    /// How long nothing was said that is ours.
    pub(crate) talk: Duration,
    /// Moves that came of such talk.
    pub(crate) false_moves: u32,
    pub(crate) false_requests: u32,
    pub(crate) false_questions: u32,
    pub(crate) sound: Duration,
    /// How long each was listened to.
    pub(crate) took: Vec<Duration>,
}

/// Moves by a way without questions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plain {
    pub(crate) right: u32,
    pub(crate) wrong: u32,
}

impl Tally {
    /// Counts these too.
    pub(crate) fn add(&mut self, other: &Tally) {
        let sums = [
            (&mut self.moves, other.moves),
            (&mut self.right, other.right),
            (&mut self.confirmed, other.confirmed),
            (&mut self.wrong, other.wrong),
            (&mut self.wrong_question, other.wrong_question),
            (&mut self.again, other.again),
            (&mut self.word_list.right, other.word_list.right),
            (&mut self.word_list.wrong, other.word_list.wrong),
            (&mut self.legal.right, other.legal.right),
            (&mut self.legal.wrong, other.legal.wrong),
            (&mut self.requests, other.requests),
            (&mut self.answered, other.answered),
            (&mut self.wrongly_answered, other.wrongly_answered),
            (&mut self.illegal, other.illegal),
            (&mut self.illegal_accepted, other.illegal_accepted),
            (&mut self.false_moves, other.false_moves),
            (&mut self.false_requests, other.false_requests),
            (&mut self.false_questions, other.false_questions),
        ];
        for (sum, more) in sums {
            *sum += more;
        }
        self.talk += other.talk;
        self.sound += other.sound;
        self.took.extend(&other.took);
    }

    /// Within how many milliseconds this percentage of the recordings was listened to.
    pub(crate) fn took_ms(&self, percent: usize) -> u128 {
        let mut took = self.took.clone();
        took.sort();
        took.get((took.len().saturating_sub(1)) * percent / 100).map_or(0, Duration::as_millis)
    }
}

/// Counts what came of one recording. Answers how it ended, in a word or two; capitals are a fault.
pub(crate) fn judge(
    tally: &mut Tally,
    item: &ListedRecording,
    words: &Words,
    pos: &Chess,
    sound: &Pcm,
    heard: &[Heard],
    decisions: &[HeardDecision],
) -> &'static str {
    match item.kind {
        RecordingKind::Move => a_move(tally, item, words, pos, heard, decisions),
        RecordingKind::Request => request(tally, item, heard, decisions),
        RecordingKind::Illegal => illegal(tally, heard, decisions),
        RecordingKind::Talk => talk(tally, sound, decisions),
    }
}

fn a_move(
    tally: &mut Tally,
    item: &ListedRecording,
    words: &Words,
    pos: &Chess,
    heard: &[Heard],
    decisions: &[HeardDecision],
) -> &'static str {
    tally.moves += 1;
    let top = heard.iter().find(|heard| !heard.is_nothing());
    for (plain, hypotheses) in [
        (&mut tally.legal, top.map(|heard| &heard.hypotheses)),
        (&mut tally.word_list, top.map(|heard| &heard.word_loop)),
    ] {
        match hypotheses.and_then(|hypotheses| plainly(words, pos, hypotheses)) {
            Some(mv) if uci(mv) == item.meant => plain.right += 1,
            Some(_) => plain.wrong += 1,
            None => {}
        }
    }
    // Noise before and after a move is passed over. The first other utterance decides.
    let first = heard.iter().zip(decisions).find(|(heard, _)| !heard.is_nothing());
    match HeardVerdict::of_move(&item.meant, first.map(|(_, decision)| decision)) {
        HeardVerdict::Right => {
            tally.right += 1;
            "right"
        }
        HeardVerdict::Asked => {
            tally.confirmed += 1;
            "asked"
        }
        HeardVerdict::AskedOther => {
            tally.wrong_question += 1;
            "asked about another"
        }
        HeardVerdict::Wrong => {
            tally.wrong += 1;
            "WRONG"
        }
        HeardVerdict::Again => {
            tally.again += 1;
            "again"
        }
    }
}

/// The move that the best hypothesis is, word for word.
fn plainly(words: &Words, pos: &Chess, hypotheses: &[Hypothesis]) -> Option<Move> {
    match understand(words, pos, &hypotheses.first()?.text) {
        Understood::Move(mv) => Some(mv),
        _ => None,
    }
}

/// Counts what came of a request.
pub(crate) fn request(
    tally: &mut Tally,
    item: &ListedRecording,
    heard: &[Heard],
    decisions: &[HeardDecision],
) -> &'static str {
    tally.requests += 1;
    let first = heard.iter().zip(decisions).find(|(heard, _)| !heard.is_nothing());
    match HeardVerdict::of_request(&item.meant, first.map(|(_, decision)| decision)) {
        HeardVerdict::Right => {
            tally.answered += 1;
            "right"
        }
        HeardVerdict::Wrong => {
            tally.wrongly_answered += 1;
            "WRONG"
        }
        _ => "again",
    }
}

/// An illegal announcement must not be taken for another move.
fn illegal(tally: &mut Tally, heard: &[Heard], decisions: &[HeardDecision]) -> &'static str {
    tally.illegal += 1;
    let first = heard.iter().zip(decisions).find(|(heard, _)| !heard.is_nothing());
    match first.map(|(_, decision)| decision) {
        Some(HeardDecision::Accept { .. } | HeardDecision::Command { .. }) => {
            tally.illegal_accepted += 1;
            "ILLEGAL ACCEPTED"
        }
        _ => "right",
    }
}

fn talk(tally: &mut Tally, sound: &Pcm, decisions: &[HeardDecision]) -> &'static str {
    tally.talk += Duration::from_millis(sound.length_ms());
    let mut verdict = "right";
    for decision in decisions {
        let (count, what) = match decision {
            HeardDecision::Accept { .. } => (&mut tally.false_moves, "FALSE MOVE"),
            HeardDecision::Command { .. } => (&mut tally.false_requests, "FALSE REQUEST"),
            HeardDecision::Confirm { .. } => (&mut tally.false_questions, "asked about a move"),
            HeardDecision::ConfirmCommand { .. } | HeardDecision::AskCommand { .. } => {
                (&mut tally.false_questions, "asked about a request")
            }
            // Without a question nobody waits for an answer; the rest is asked for again or
            // ignored.
            _ => continue,
        };
        *count += 1;
        verdict = what;
    }
    verdict
}
