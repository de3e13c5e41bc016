//! From what a recogniser heard to a decision: accept, ask whether it is meant, or ask again.
//!
//! Every hypothesis is compared with every phrase that may be said here, by the cost of the words
//! that differ ([`Confusions`]); the recogniser's own confidences weigh the hypotheses. What decides
//! is how far the best *move* (not phrase) is ahead of the second best.
//!
//! # Distances
//!
//! All distances are in words: 1 is a word lost or taken for one that is nothing like it. A move's
//! distance is the soft minimum over its phrases and all hypotheses: a hypothesis of probability
//! `p` counts as `-ln p /` [`SHARPNESS`] further away, so that 1 stands for a chance of 1 in 400.
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
mod second_pass;
mod summary;
mod third_pass;
mod unsaid;
mod verdict;

use serde::{Deserialize, Serialize};
use shakmaty::{Move, Role};

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
    verdict::Verdict,
};
use super::{Command, grammar::Spoken};

/// How quickly a hypothesis becomes improbable with its distance, per word.
pub const SHARPNESS: f64 = 6.0;

/// One thing that may have been said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hypothesis {
    /// Words; what the recogniser did not know is `[unk]`. Empty: nothing but noise.
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
    /// The third pass, with nothing but [what is to be compared](Heard::to_compare); empty if there was none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comparison: Vec<Hypothesis>,
    /// How much louder than the room the voice was, decibels, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above_room_db: Option<f32>,
}

impl Heard {
    /// One hypothesis, taken for certain.
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

    /// Nothing but silence and noise.
    pub fn is_nothing(&self) -> bool {
        self.best().is_none_or(|text| text.split_whitespace().all(is_noise))
    }
}

/// What a recogniser writes for something that is none of its words.
fn is_noise(word: &str) -> bool {
    word.starts_with(['[', '<'])
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

/// What is being asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asked {
    /// Nothing: a number alone is a move of which the rest was lost.
    #[default]
    Nothing,
    /// Yes or no.
    YesNo,
    /// One of so many, by number.
    Number(u8),
    /// Which piece.
    Piece,
}

/// What makes sense now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Moves of the position may be announced.
    pub moves: bool,
    /// The question that stands.
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
    /// A piece alone.
    Piece(Role),
}

/// What to do with what was heard. Confidences are probabilities, 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// This move was said.
    Accept {
        /// Legal.
        mv: Move,
        /// After "Korrektur" (D.2.8).
        correction: bool,
        /// How sure.
        confidence: f64,
    },
    /// Probably this move: to be confirmed by yes or no.
    Confirm {
        /// Legal.
        mv: Move,
        /// After "Korrektur" (D.2.8).
        correction: bool,
        /// How sure.
        confidence: f64,
        /// The next best, or what the word loop heard instead, for a choice by number.
        second: Option<Move>,
    },
    /// Heard well, and it means several moves: ask from where, or which piece a pawn becomes.
    Ambiguous {
        /// At least two.
        moves: Vec<Move>,
        /// After "Korrektur" (D.2.8).
        correction: bool,
        /// How sure.
        confidence: f64,
    },
    /// Heard well, and not legal here.
    Illegal {
        /// What was said.
        spoken: Spoken,
        /// How sure.
        confidence: f64,
    },
    /// Not understood.
    Again {
        /// The two moves that are nearest, the best first; fewer if none is near.
        candidates: Vec<Move>,
    },
    /// A request.
    Command {
        /// Never one that binds the player.
        command: Command,
        /// How sure.
        confidence: f64,
    },
    /// A request that binds the player, or one that may be noise: to be confirmed by yes or no.
    ConfirmCommand {
        /// Any.
        command: Command,
        /// The move that is to be written and claimed with (9.2.1, 9.3.1).
        intended: Option<Move>,
        /// How sure.
        confidence: f64,
    },
    /// An answer to the question that stands.
    Answer {
        /// What was answered.
        answer: Answer,
        /// How sure.
        confidence: f64,
    },
}

/// When to accept, when to ask. Margins and distances are in words (see the module), confidences
/// are probabilities.
///
/// # How the defaults were chosen
///
/// From two curves. `annabella measure --curve` prints one over real sound: `annabella corpus`, 18
/// synthetic speakers (none of them a person) in 8 conditions, the built-in model; `cargo bench
/// --bench hear` prints the other over a *simulated* noisy channel that is much worse and has many
/// more cases. In the first, of 864 moves:
///
/// | setting | right | asked | wrong | again | illegal moves taken, of 288 |
/// |---|---|---|---|---|---|
/// | best phrase of the grammar alone | 73.6 % | 0 | 0.93 % | 25.5 % | |
/// | best text of the word loop alone | 57.1 % | 0 | 0.69 % | 42.2 % | |
/// | `accept_confidence` 0.85 / 0.95 | 61.7 / 60.9 % | 23.5 / 25.0 % | 0.23 / 0.00 % | 14.6 / 14.1 % | 1 / 1 |
/// | `accept_distance` 0.2 / 0.45 | 61.2 / 61.7 % | 23.7 / 23.5 % | 0.23 / 0.23 % | 14.8 / 14.6 % | 0 / 1 |
/// | `loop_distance` 0.6 / 1.0 / 2.0 | 61.7 / 64.1 / 67.2 % | 23.5 / 21.1 / 17.9 % | 0.23 % | 14.6 % | 1 / 1 / 1 |
/// | `loop_contradiction` 0.2 / 0.4 / 0.9 | 60.2 / 61.7 / 65.9 % | 25.0 / 23.5 / 19.3 % | 0.23 / 0.23 / 0.35 % | 14.6 % | 1 / 1 / 1 |
///
/// The table is that of the first model and of two passes. With the second one and 720 moves of five mbrola voices in the same
/// conditions two passes took 67.2 % at once. The third, by `comparison_confidence`, with the second model and with the present one:
///
/// | | right | wrong | illegal moves taken, of 720 |
/// |---|---|---|---|
/// | no third pass | 67.2 % | 0.69 % | 1 |
/// | 0.3 / 0.1 | 74.5 / 76.9 % | 0.69 % | 1 / 1 |
/// | 0.05 / 0.02 | 78.1 / 79.9 % | 0.69 % | 1 / 1 |
/// | present model: 1 / 0.3 | 72.2 / 82.1 % | 0.28 % | 0 / 2 |
/// | 0.1 / 0.05 / 0.02 | 83.7 / 84.6 / 84.6 % | 0.28 % | 2 / 2 / 3 |
///
/// With the present one, 600 moves and 300 illegal announcements of the same five voices (other sentences; a hall, babble 10 dB
/// below, noise 20, 10 and 5 dB below):
///
/// | | right | asked | wrong | again | illegal moves taken |
/// |---|---|---|---|---|---|
/// | heard once | 88.0 % | 10.2 % | 0.33 % | 1.5 % | 0 |
/// | heard again where doubts are left | 89.8 % | 8.2 % | 0.17 % | 1.8 % | 0 |
/// | and compared where the loop is unsure, not asked where it is sure | 92.3 % | 5.7 % | 0.17 % | 1.8 % | 0 |
/// | with `loop_contradiction` 0.6 / 0.9 | 92.8 / 93.0 % | 5.2 / 5.0 % | 0.17 % | 1.8 % | 0 / 0 |
/// | with `comparison_confidence` 0.02 / 0.1 | 93.0 / 91.0 % | 5.0 / 7.0 % | 0.17 % | 1.8 % | 1 / 0 |
/// | a word heard twice in a row is one, noise around what the loop is sure of counts for nothing | 93.3 % | 4.7 % | 0.17 % | 1.8 % | 0 |
///
/// Since then an utterance begins where the voice does, not where it is three times as loud as the noise; Vosk alone ends
/// it after 0.8 seconds of quiet, not 0.5; and a short announcement must be half as far from the loop. In the listening tests that
/// takes 92.3 % of 2520 moves at once instead of 91.8 % (88.2 instead of 84.3 % in noise 5 dB below), five wrongly instead of four.
/// With its end told by its own loudness, too, 94.5 % of the 600 moves above, none wrongly.
///
/// That half costs one of 300 announcements of two and three words, and takes false moves in 67 minutes of talk from three to
/// two. A limit for those in the third pass costs more: 0.5 three of 300, 0.9 nine.
///
/// libvosk lets any word of the grammar follow any other for half of the probability. A word without sound that the grammar
/// holds many times makes what follows in no phrase rarer, here thirty times. With that and with two paces more, 0.88 and 1.12,
/// where doubts are left, on the 600 moves and 300 illegal announcements, and on 300 and 100 in nothing but babble, 10 and 5 dB below:
///
/// | | right | wrong | illegal moves taken | in babble: right | wrong | illegal moves taken |
/// |---|---|---|---|---|---|---|
/// | one network | 94.5 % | 0.00 % | 0 | 71.3 % | 0.33 % | 0 |
/// | and kept to the phrases where doubts are left, before its end was told by its loudness | 95.7 % | 0.00 % | 0 | 73.3 % | 0.33 % | 0 |
/// | two networks that are averaged | 95.7 % | 0.00 % | 0 | 71.3 % | 0.67 % | 1 |
/// | and kept to the phrases where doubts are left | 97.0 % | 0.00 % | 3 | 75.7 % | 0.00 % | 1 |
/// | the same with an acoustic scale of 1.2, of 300 moves, 150 illegal | 95.0 % | 0.00 % | 0 | 73.3 % | 0.33 % | 1 |
/// | without that scale, the second network after a further course | 98.0 % | 0.00 % | 0 | 74.7 % | 0.00 % | 0 |
/// | "mit", "von" and "nach" before a full announcement count for nothing | 98.0 % | 0.00 % | 0 | 75.7 % | 0.00 % | 0 |
/// | of two ranks at the end the only legal one counts | 98.2 % | 0.00 % | 0 | 76.3 % | 0.00 % | 0 |
/// | and what stands behind "mit" is compared | 98.2 % | 0.00 % | 0 | 77.3 % | 0.00 % | 1 |
///
/// A rule that was tried on top of that: where no reading of the loop has the rank last that a move ends with, and others end
/// otherwise, ask, unless the third pass is surer than 0.95. Of 800 other moves in babble and noise 5 dB below it kept five of six
/// errors away, and 21 of 621 right ones; in the listening tests all three together one error of seven, and 17 of 2387 right ones, five
/// of them in babble 10 dB below: it is out.
///
/// In the listening tests the fourth takes 94.1 % of 2520 moves at once instead of 92.3 %, six wrongly instead of five, 12 of 504
/// illegal announcements instead of 14, and in 230 minutes of people's talk three false moves instead of two, 14 false requests instead
/// of 16; with "mit" and the like for nothing and `single_request_confidence` 0.95 it takes 94.7 % at once, seven wrongly, 12 illegal
/// announcements, and two false moves and ten false requests in that talk. One network that was kept to the phrases there took
/// eight of the 2520 wrongly, six of them in babble.
/// Kept to the phrases from the first pass on, one network made nine false moves instead of three in 230 minutes of people's
/// talk: what is kept to the phrases makes moves of talk, too. The simulated channel takes 2.3 % of its illegal moves at
/// `loop_contradiction` 0.6.
///
/// With a `comparison_confidence` of 0.1 the simulated channel takes 0.6 to 1.0 % of its illegal moves, with 0.05 1.0 %, with
/// 0.02 up to 2 %. Announcements of less than four words are left out since (77.8 % at 0.05), because two words
/// ("Hector fünf") come out of talk: in 67 minutes of
/// three people who talk Spanish, French and Italian that takes false moves from four to one. `short_request_confidence`
/// and `single_word_confidence` take false requests there from ten to three. Even with 0.5 for both, nine of 99
/// requests that the five voices had understood at once are asked about.
///
/// With `single_request_confidence` 0.95 instead of 0.9 27 minutes of single German words that are none of ours become no request instead
/// of one, and eight of the 57 requests of one word that the five voices had understood at once are asked about. `loop_contradiction`
/// 0.6, `accept_confidence` 0.8 or `accept_distance` 0.4 change one or two of 900 decisions; `comparison_confidence` 0.02 takes seven
/// more of 900 moves, and one of 400 illegal announcements.
///
/// Of 800 other moves of the five voices, 10 dB above noise or babble, it takes 769 at once; 770 if of two ranks in a row
/// anywhere, not at the end alone, the only legal one counts, and 773 if one file or rank before a full announcement
/// counts for nothing, too; none wrongly. With a hiss of the listener's own and `loud_room_db` it is 772; and 775 since what the name
/// of a pawn was taken for counts for nothing ("zwei Anna drei Anna vier"), none wrongly, and none of 330 illegal announcements.
/// Of 310 moves that name a file, a rank or nothing for where from, "acht" before "nach" for nothing takes 296 at once instead of 289.
/// Of 1000 others 62 are not taken at once, and two of those are if "mein" before a full announcement counts for nothing.
/// Two paces more, 0.82 and 1.18, take one more of 173 that leave doubts; the geometric mean of several hearings instead of the
/// arithmetic one takes 769 to 776, and one wrongly or one illegal one with six of 24 settings.
///
/// Where others talk nearly as loudly as the player, one of their words takes the place of his now and then, and all
/// hearings agree on it: no confidence keeps that away. The same five voices, 300 moves 10 dB above noise or babble, 853 other
/// moves 5 dB above it:
///
/// | `loud_room_db` | 10 dB: right | asked | wrong | 5 dB: right | asked | wrong |
/// |---|---|---|---|---|---|---|
/// | 0: however loud it is | 287 | 10 | 0 | 763 | 61 | 6 |
/// | 11.5 | 286 | 11 | 0 | 166 | 663 | 1 |
/// | 12 | 285 | 12 | 0 | 111 | 719 | 0 |
/// | 13 | 282 | 15 | 0 | 37 | 793 | 0 |
/// | 12, but only if the loop gives the move less than 0.1 | 286 | 11 | 0 | 675 | 153 | 2 |
/// | the same, less than 0.5 | 286 | 11 | 0 | 556 | 272 | 2 |
///
/// Where others talk from the first sample on, the pause at the end alone tells how loud they are: that was so in 117 of 400
/// announcements 10 dB above babble, of which two are asked about then, and in all of 29 at 5 dB, of which every one is.
///
/// In the listening tests, with those two rules, three of 2520 moves are taken wrongly instead of seven, seven of 504 illegal ones
/// instead of 12, and 2047 moves at once instead of 2387, nearly all of the others 5 dB above the room; with one "ja" as many as before.
///
/// So loud a room is rare at a board, a wrong move is not taken back easily, and what the hands have shown is not asked
/// about: 12, for all moves.
///
/// A confidence above 0.91 would ask about what was heard perfectly. In the simulated channel a
/// `loop_distance` of 1.0 takes 2 % of all illegal announcements for moves, 0.8 takes 0.7 %, 0.6 none:
/// 0.8 asks little and takes few. A larger margin than 0.4 would refuse what was heard perfectly.
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
    /// How far from the accepted phrase the word loop may be; half as far where that has less than four words.
    pub loop_distance: f64,
    /// The probability with which the word loop may have heard something else that makes sense.
    pub loop_contradiction: f64,
    /// The least probability, in the third pass, of a move that was said in full and that the word loop did not
    /// hear. What it is compared with is hardly ever legal, and hardly anybody announces that.
    pub comparison_confidence: f64,
    /// The least probability, in the third pass, of a request of a single word that is taken without asking.
    pub single_request_confidence: f64,
    /// The same of two words; in the first pass of a longer one.
    pub short_request_confidence: f64,
    /// A voice that is not so many decibels louder than the room: every move is asked about. 0: none because of that.
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
    fn likelihoods_become_probabilities() {
        let p = probabilities(&[-100.0, -100.0 - 3f64.ln(), f64::NAN], 1.0);
        assert!((p[0] - 0.75).abs() < 1e-9 && (p[1] - 0.25).abs() < 1e-9);
        assert_eq!(p[2], 0.0);
        assert!(probabilities(&[], 1.0).is_empty());
        assert_eq!(probabilities(&[f64::NEG_INFINITY], 1.0), [0.0]);
    }
}
