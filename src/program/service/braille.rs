//! The players' Braille lines: each shows what its player's ear gets, and how his answers were
//! understood.

use std::time::Duration;

use shakmaty::Color;

use crate::config::Config;
use annabella_core::game::{At, Blind, Channel, MoveState, Output, Urgency};
use annabella_devices::braille::line::BrailleLine;
use annabella_words::phrase::{Utterance, Words};

/// How long the last words stay on a display before the program ends and brltty takes it back.
const LAST_WORDS: Duration = Duration::from_secs(3);
/// How long a display is waited for then, and how often it is looked for.
const FOUND: Duration = Duration::from_secs(1);
const LOOK: Duration = Duration::from_millis(20);

/// The lines that the configuration names.
#[derive(Debug)]
pub(super) struct BrailleLines {
    words: Words,
    hands: Vec<Hand>,
}

/// A line and the player who reads it.
#[derive(Debug)]
struct Hand {
    /// `None`: the only one on pegs, who also hears of the sighted player's affairs.
    owner: Option<Color>,
    line: BrailleLine,
    newest: Newest,
}

/// What was said last, all of one moment.
#[derive(Debug, Default)]
struct Newest {
    at: Option<At>,
    said: Vec<(Urgency, String)>,
    whispered: bool,
}

impl BrailleLines {
    /// Opens them. A brltty that is not there is complained of, and looked for again.
    pub(super) fn open(
        config: &Config,
        blind: Blind,
        words: &Words,
        complain: impl Fn(String) + Clone + Send + 'static,
    ) -> BrailleLines {
        let braille = &config.braille;
        let both = blind == Blind::Both;
        let lines = [
            (both.then_some(Color::White), braille.line.as_ref()),
            (Some(Color::Black), braille.line_black.as_ref().filter(|_| both)),
        ];
        let hands = lines.into_iter().filter_map(|(owner, at)| {
            let complain = Box::new(complain.clone());
            let line = BrailleLine::open(at?.clone(), &braille.key_file, complain);
            Some(Hand { owner, line, newest: Newest::default() })
        });
        BrailleLines { words: words.clone(), hands: hands.collect() }
    }

    /// Shows what is said to its players. What is said at one moment is one text.
    pub(super) fn show(&mut self, at: At, output: &Output) {
        let heard;
        let (seat, urgency, words) = match output {
            // Nobody says again what somebody has announced clearly, but fingers have not heard it.
            Output::Move { uci, san, state: MoveState::Announced, .. } => {
                let Some(words) = self.words.announce_written(uci, san) else { return };
                heard = words;
                (None, Urgency::Announcement, &heard)
            }
            Output::Say { channel: Channel::Public, urgency, words, .. } => (None, *urgency, words),
            Output::Say { channel: Channel::Private, seat, urgency, words } => {
                (*seat, *urgency, words)
            }
            Output::Whisper { seat, words } => (Some(*seat), Urgency::Alert, words),
            _ => return,
        };
        let whispered = matches!(output, Output::Whisper { .. });
        for hand in &mut self.hands {
            let his = hand.is_of(seat);
            let told = matches!(output, Output::Move { .. }) && hand.newest.announces(at);
            if his && !told {
                hand.show(at, urgency, self.words.written(words), whispered);
            }
        }
    }

    /// Shows this player, or all, how an answer was understood.
    pub(super) fn understood(&mut self, at: At, seat: Option<Color>, words: &Utterance) {
        for hand in self.hands.iter_mut().filter(|hand| hand.is_of(seat)) {
            hand.show(at, Urgency::Alert, self.words.written(words), false);
        }
    }

    /// Before the program ends: these words, or what was said last, are left there for a while.
    pub(super) async fn last_words(&mut self, words: Option<&Utterance>) {
        for (hand, words) in self.hands.iter_mut().flat_map(|hand| words.map(|words| (hand, words)))
        {
            hand.line.read(|reading| reading.show(&self.words.written(words), false));
        }
        self.stay().await;
    }

    /// Waits while the last words are felt; not for a brltty that is not there.
    async fn stay(&self) {
        let is_there = async {
            while !self.hands.iter().any(|hand| hand.line.is_there()) {
                tokio::time::sleep(LOOK).await;
            }
        };
        if !self.hands.is_empty() && tokio::time::timeout(FOUND, is_there).await.is_ok() {
            tokio::time::sleep(LAST_WORDS).await;
        }
    }
}

/// The Braille lines outside of a game: set-up, enrolment, a complaint at the end. They have a
/// thread of their own.
#[derive(Debug)]
pub struct EarLines {
    lines: BrailleLines,
    /// Counts what belongs together.
    turn: At,
    runtime: Option<tokio::runtime::Runtime>,
}

impl EarLines {
    /// Those that the configuration names, `None` without any; `complain` gets a line for whatever
    /// is wrong.
    pub fn open(
        config: &Config,
        words: &Words,
        complain: impl Fn(String) + Clone + Send + 'static,
    ) -> Option<EarLines> {
        let runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = { runtime }.worker_threads(1).enable_all().build().ok()?;
        let inside = runtime.enter();
        let lines = BrailleLines::open(config, config.game.blind, words, complain);
        drop(inside);
        let none = lines.hands.is_empty();
        let lines = EarLines { lines, turn: At::new(0), runtime: Some(runtime) };
        (!none).then_some(lines)
    }

    /// What follows is in this language.
    pub fn speak(&mut self, words: &Words) {
        self.lines.words = words.clone();
    }

    /// What follows is a text of its own.
    pub fn turn(&mut self) {
        self.turn.ms += 1;
    }

    /// Shows what is said.
    pub fn show(&mut self, words: &Utterance) {
        for hand in &mut self.lines.hands {
            hand.show(self.turn, Urgency::Answer, self.lines.words.written(words), false);
        }
    }

    /// Shows how an answer was understood, before what is said to it.
    pub fn understood(&mut self, words: &Utterance) {
        self.lines.understood(self.turn, None, words);
    }

    /// Waits while the last words are felt.
    pub async fn stay(&self) {
        self.lines.stay().await;
    }

    /// The same, for who has no runtime.
    pub fn finish(&self) {
        if let Some(runtime) = &self.runtime {
            runtime.block_on(self.lines.stay());
        }
    }
}

impl Drop for EarLines {
    fn drop(&mut self) {
        // Waits for nobody: a runtime may not be waited for within another.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Hand {
    /// Whether what concerns this player, or all, concerns him.
    fn is_of(&self, seat: Option<Color>) -> bool {
        seat.is_none_or(|seat| self.owner.is_none_or(|owner| owner == seat))
    }

    fn show(&mut self, at: At, urgency: Urgency, text: String, whispered: bool) {
        let more = self.newest.add(at, urgency, text, whispered);
        let (text, whispered) = (self.newest.text(), self.newest.whispered);
        self.line.read(|reading| match more {
            true => reading.amend(&text, whispered),
            false => reading.show(&text, whispered),
        });
    }
}

impl Newest {
    /// Adds words; whether they belong to those before.
    fn add(&mut self, at: At, urgency: Urgency, text: String, whispered: bool) -> bool {
        let more = self.at == Some(at);
        if !more {
            *self = Newest { at: Some(at), ..Newest::default() };
        }
        self.said.push((urgency, text));
        self.whispered |= whispered;
        more
    }

    /// Whether a move was announced at this moment.
    fn announces(&self, at: At) -> bool {
        self.at == Some(at)
            && self.said.iter().any(|(urgency, _)| *urgency == Urgency::Announcement)
    }

    /// The most urgent first, as they are spoken.
    fn text(&self) -> String {
        let mut said: Vec<&(Urgency, String)> = self.said.iter().collect();
        said.sort_by_key(|(urgency, _)| std::cmp::Reverse(*urgency));
        let mut text = String::new();
        for (_, words) in said {
            if text.ends_with(char::is_alphanumeric) {
                text.push('.');
            }
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(words);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_at_one_moment_is_one_text_the_most_urgent_first() {
        let mut newest = Newest::default();
        let mut said = |ms, urgency, text: &str| {
            let more = newest.add(At::new(ms), urgency, text.to_owned(), false);
            (more, newest.text())
        };
        let texts = [
            said(1, Urgency::Hint, "Noch 2 Züge."),
            said(1, Urgency::Announcement, "Bauer e7 e5"),
            said(1, Urgency::Alert, "Welche Figur?"),
            said(2, Urgency::Answer, "Gut."),
        ];
        let expected = [
            (false, "Noch 2 Züge."),
            (true, "Bauer e7 e5. Noch 2 Züge."),
            (true, "Welche Figur? Bauer e7 e5. Noch 2 Züge."),
            (false, "Gut."),
        ];
        assert_eq!(texts, expected.map(|(more, text)| (more, text.to_owned())));
    }
}
