//! Turns what a recogniser heard into a decision: accept, ask whether it is meant, or ask again.
//!
//! Every hypothesis is compared with every phrase that may be said here, by the cost of the words
//! that differ ([`Confusions`]). The recogniser's own confidences weigh the hypotheses. The lead of
//! the best *move* (not phrase) over the second best decides.
//!
//! # Distances
//!
//! All distances are in words: 1 is a word lost or taken for an unlike one. A move's distance is
//! the soft minimum over its phrases and all hypotheses. A hypothesis of probability `p` counts as
//! `-ln p /` [`SHARPNESS`] further away, so that 1 stands for a chance of 1 in 400.
//!
//! # The gap between moves and requests
//!
//! No request becomes a move, and no move a request, by one word misheard, lost or added: packs are
//! refused whose requests are so near to an announcement, and what is heard one word beside a
//! phrase of the other class is asked again.

mod again;
mod choices;
mod confusions;
mod distance;
mod ear;
mod grammars;
mod matcher;
mod noise;
mod second_pass;
mod summary;
mod talk;
mod third_pass;
mod unsaid;
mod verdict;

use serde::{Deserialize, Serialize};
use shakmaty::{Move, Role};

use self::noise::{is_noise, without_noise_around};
pub use self::{
    again::together,
    choices::{Choices, Chosen},
    confusions::{Confusions, learn, misheard},
    ear::Ear,
    grammars::{
        Grammar, answer_grammar, command_grammar, led_grammar, move_grammar, move_loop, word_loop,
    },
    matcher::{Matcher, Repetition},
    summary::Summary,
    talk::Talk,
    verdict::HeardVerdict,
};
use super::{Command, Spoken, command::HIGHEST_NUMBER};

/// How quickly a hypothesis becomes improbable with its distance, per word.
pub const SHARPNESS: f64 = 6.0;

/// The default wait for the rest of an announcement that is not finished, milliseconds.
pub const REST_MS: u32 = 1500;

/// A text that may have been said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hypothesis {
    /// Words; an unknown word is `[unk]`. Empty for noise.
    pub text: String,
    /// Its probability among all that may have been said, 0 to 1, if the recogniser says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

impl Hypothesis {
    /// With its probability, 0 to 1.
    pub fn new(text: impl Into<String>, confidence: f64) -> Hypothesis {
        Hypothesis { text: text.into(), confidence: Some(confidence) }
    }

    fn weight(&self) -> f64 {
        self.confidence.unwrap_or(0.0)
    }
}

/// All that was heard of one utterance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Heard {
    /// With the grammar of the position, best first. Without confidences each is taken for a tenth
    /// as probable as the one before it.
    pub hypotheses: Vec<Hypothesis>,
    /// The second pass, with single words in any order; empty if there was none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub word_loop: Vec<Hypothesis>,
    /// The third pass, among [the phrases to compare](Heard::to_compare); empty if there was none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comparison: Vec<Hypothesis>,
    /// How much louder than the room the voice was, decibels, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above_room_db: Option<f32>,
    /// The text of each part as heard alone ([`Heard::as_part`]), where an announcement had a long
    /// pause in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
}

impl Heard {
    /// A single hypothesis, taken for certain.
    pub fn text(text: impl Into<String>) -> Heard {
        let hypotheses = vec![Hypothesis { text: text.into(), confidence: None }];
        Heard { hypotheses, ..Heard::default() }
    }

    /// Hypotheses with their probabilities.
    pub fn ranked(hypotheses: Vec<Hypothesis>) -> Heard {
        Heard { hypotheses, ..Heard::default() }
    }
}

impl Heard {
    /// The text most probably said.
    pub fn best(&self) -> Option<&str> {
        best_of(&self.hypotheses)
    }

    /// The text of a part of an announcement, heard by itself: the most probable one, or the word
    /// loop's where that heard something else too often ([`Thresholds::loop_contradiction`]). A
    /// part is short, and much talk resembles it.
    pub fn as_part(&self) -> &str {
        let best = self.best().unwrap_or_default();
        let said = without_noise_around(best);
        let other = self.word_loop.iter().filter(|h| without_noise_around(&h.text) != said);
        let other: f64 = other.map(Hypothesis::weight).sum();
        if other <= Thresholds::default().loop_contradiction {
            return best;
        }
        best_of(&self.word_loop)
            .filter(|text| without_noise_around(text) != said)
            .unwrap_or("[unk]")
    }

    /// The hypotheses hold only silence and noise.
    pub fn is_nothing(&self) -> bool {
        self.best().is_none_or(|text| text.split_whitespace().all(is_noise))
    }
}

/// The first of the most probable.
fn best_of(hypotheses: &[Hypothesis]) -> Option<&str> {
    let best = hypotheses.iter().reduce(|a, b| if b.weight() > a.weight() { b } else { a })?;
    Some(&best.text)
}

/// Probabilities from a recogniser's log-likelihoods, as Vosk's alternatives have them. `scale` is
/// 1 for natural logarithms of probabilities, less if the recogniser is too sure of itself.
pub fn probabilities(scores: &[f64], scale: f64) -> Vec<f64> {
    let best = scores.iter().copied().filter(|s| s.is_finite()).fold(f64::MIN, f64::max);
    let raw: Vec<f64> = scores
        .iter()
        .map(|score| if score.is_finite() { ((score - best) * scale).exp() } else { 0.0 })
        .collect();
    let sum: f64 = raw.iter().sum();
    raw.iter().map(|p| if sum > 0.0 { p / sum } else { 0.0 }).collect()
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asked {
    /// Nothing: a number alone is a move of which the rest was lost.
    #[default]
    Nothing,
    YesNo,
    /// A choice among this many, by number.
    Number(u8),
    Piece,
}

/// The requests and answers that make sense now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Moves of the position may be announced.
    pub moves: bool,
    pub asked: Asked,
    /// A draw has been offered: it can be accepted or declined.
    pub draw_offered: bool,
    /// White's clock has not been started yet.
    pub to_start: bool,
    /// The game is not over.
    pub in_play: bool,
    /// A clock runs: it can be stopped.
    pub to_stop: bool,
    /// Moves are missing in the player's score.
    pub to_complete: bool,
    /// A player says himself what his hands did: his board has no sensors.
    pub by_word: bool,
    /// The number of the last move in the score: none higher is asked for.
    pub numbered: u8,
    /// The game is over, and its score can be walked through.
    pub to_look_back: bool,
    /// The game is played at home, and not over.
    pub at_home: bool,
}

impl Default for Context {
    /// Everything may be said, nothing is asked.
    fn default() -> Context {
        Context {
            moves: true,
            asked: Asked::Nothing,
            draw_offered: true,
            to_start: true,
            in_play: true,
            to_stop: true,
            to_complete: true,
            by_word: true,
            numbered: HIGHEST_NUMBER,
            to_look_back: true,
            at_home: true,
        }
    }
}

impl Context {
    /// Whether a request makes sense.
    pub fn allows(&self, command: Command) -> bool {
        match command {
            Command::AcceptDraw | Command::DeclineDraw => self.draw_offered,
            Command::StartClock => self.to_start,
            Command::StopClock => self.to_stop,
            Command::ClaimFlag | Command::WrongStart | Command::WrongColours => self.in_play,
            Command::CompleteScore => self.to_complete,
            Command::Done | Command::CheckBoard => self.by_word,
            Command::MoveNumber(n) | Command::MovesFrom(n) => n <= self.numbered,
            Command::ScoreBack | Command::ScoreOn | Command::ScoreStart | Command::ScoreEnd => {
                self.to_look_back
            }
            command if command.is_for_home() => self.at_home,
            _ => true,
        }
    }
}

/// An answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// "Ja."
    Yes,
    /// "Nein."
    No,
    /// From 1 to 8.
    Number(u8),
    Piece(Role),
}

/// The decision about an utterance. Confidences are probabilities, 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub enum HeardDecision {
    Accept {
        /// Legal.
        mv: Move,
        /// After "Korrektur" (D.2.8).
        correction: bool,
        confidence: f64,
    },
    /// Probably this move: to be confirmed by yes or no.
    Confirm {
        /// Legal.
        mv: Move,
        /// After "Korrektur" (D.2.8).
        correction: bool,
        confidence: f64,
        /// The next best, or what the word loop heard instead, for a choice by number.
        second: Option<Move>,
    },
    /// Heard well, and it means several moves: ask from where, or which piece a pawn becomes.
    Ambiguous {
        moves: Vec<Move>,
        /// After "Korrektur" (D.2.8).
        correction: bool,
        confidence: f64,
    },
    /// Heard well, and not legal here.
    Illegal { spoken: Spoken, confidence: f64 },
    Again {
        /// The two moves that are nearest, the best first; fewer if none is near.
        candidates: Vec<Move>,
    },
    Command {
        /// Never one that binds the player.
        command: Command,
        confidence: f64,
    },
    /// A request that binds the player, or one that may be noise: to be confirmed by yes or no.
    ConfirmCommand {
        command: Command,
        /// The move that is to be written and claimed with (9.2.1, 9.3.1).
        intended: Option<Move>,
        confidence: f64,
    },
    /// A request that was heard well and is one word beside an announcement ("Reihe vier", "Eva
    /// vier"): to be confirmed by yes or no.
    AskCommand {
        /// Never one that binds the player.
        command: Command,
        confidence: f64,
    },
    /// An answer to the question that stands.
    Answer { answer: Answer, confidence: f64 },
}

/// When to accept, when to ask. Margins and distances are in words (see the module), confidences
/// are probabilities.
///
/// How the defaults were chosen is in voices/training/EXPERIMENTS.md.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Thresholds {
    /// How far the second best must be behind for the best to be accepted. Two different words
    /// are never nearer than 0.4: a larger value refuses what was heard perfectly.
    pub accept_margin: f64,
    /// How far from what was heard an accepted phrase may be.
    pub accept_distance: f64,
    /// The least confidence to accept.
    pub accept_confidence: f64,
    /// How far the second best must be behind for the best to be asked about.
    pub confirm_margin: f64,
    /// How far from what was heard the phrase asked about may be.
    pub confirm_distance: f64,
    /// The least confidence to ask.
    pub confirm_confidence: f64,
    /// How far moves and requests must be apart.
    pub class_gap: f64,
    /// The least confidence to take a request of a single word without asking.
    pub single_word_confidence: f64,
    /// The least confidence to fall silent: it harms nobody.
    pub stop_confidence: f64,
    /// How far from the accepted phrase the word loop may be, where that has four words or more.
    pub loop_distance: f64,
    /// The least probability of a shorter announcement in the word loop: much talk is like two
    /// words.
    pub short_move_confidence: f64,
    /// The probability with which the word loop may have heard something else that makes sense.
    pub loop_contradiction: f64,
    /// The least probability, in the third pass, of a move that was said in full and that the word
    /// loop did not hear. Its rivals are hardly ever legal, and hardly anybody announces those.
    pub comparison_confidence: f64,
    /// The least probability, in the third pass, of a request of a single word that is taken
    /// without asking.
    pub single_request_confidence: f64,
    /// The same of two words; in the first pass of a longer one.
    pub short_request_confidence: f64,
    /// The least lead of the voice over the room, in decibels. Below it every move is asked about.
    /// 0: never for that reason.
    pub loud_room_db: f64,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds {
            accept_margin: 0.35,
            accept_distance: 0.25,
            accept_confidence: 0.9,
            confirm_margin: 0.1,
            confirm_distance: 1.1,
            confirm_confidence: 0.2,
            class_gap: 0.5,
            single_word_confidence: 0.9,
            stop_confidence: 0.5,
            loop_distance: 0.8,
            short_move_confidence: 0.75,
            loop_contradiction: 0.4,
            comparison_confidence: 0.05,
            single_request_confidence: 0.95,
            short_request_confidence: 0.5,
            loud_room_db: 12.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_what_both_passes_heard() {
        let heard = |text: &str, word_loop: &[(&str, f64)]| Heard {
            word_loop: word_loop.iter().map(|(text, p)| Hypothesis::new(*text, *p)).collect(),
            ..Heard::ranked(vec![Hypothesis::new(text, 1.0)])
        };
        for (word_loop, part) in [
            (&[][..], "bella eins"),
            (&[("bella eins", 0.9)], "bella eins"),
            (&[("[unk] bella eins", 0.7), ("bella drei", 0.3)], "bella eins"),
            (&[("bella eins", 0.5), ("bella drei", 0.5)], "[unk]"),
            (&[("bella", 0.6), ("bella eins", 0.4)], "bella"),
            (&[("bella eins", 0.45), ("bella", 0.3), ("eins", 0.25)], "[unk]"),
        ] {
            assert_eq!(heard("bella eins", word_loop).as_part(), part, "{word_loop:?}");
        }
        assert_eq!(Heard::default().as_part(), "");
    }

    #[test]
    fn likelihoods_become_probabilities() {
        let p = probabilities(&[-100.0, -100.0 - 3f64.ln(), f64::NAN], 1.0);
        assert!((p[0] - 0.75).abs() < 1e-9 && (p[1] - 0.25).abs() < 1e-9);
        assert_eq!(p[2], 0.0);
        assert!(probabilities(&[], 1.0).is_empty());
        assert_eq!(probabilities(&[f64::NEG_INFINITY], 1.0), [0.0]);
    }
}
