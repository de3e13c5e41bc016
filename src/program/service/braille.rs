//! The players' Braille lines: each shows what its player's ear gets.

use shakmaty::Color;

use super::news::FromDevice;
use crate::config::Config;
use annabella_core::game::{At, Blind, Channel, MoveState, Output, Urgency};
use annabella_devices::braille::line::BrailleLine;
use annabella_words::phrase::Words;

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
        to_game: &tokio::sync::mpsc::Sender<FromDevice>,
    ) -> BrailleLines {
        let braille = &config.braille;
        let both = blind == Blind::Both;
        let lines = [
            (both.then_some(Color::White), braille.line.as_ref()),
            (Some(Color::Black), braille.line_black.as_ref().filter(|_| both)),
        ];
        let hands = lines.into_iter().filter_map(|(owner, at)| {
            let to_game = to_game.clone();
            // A line that finds no place among so many others is not missed.
            let complain = move |line| drop(to_game.try_send(FromDevice::Complaint(line)));
            let line = BrailleLine::open(at?.clone(), &braille.key_file, Box::new(complain));
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
            let his = seat.is_none_or(|seat| hand.owner.is_none_or(|owner| owner == seat));
            let told = matches!(output, Output::Move { .. }) && hand.newest.announces(at);
            if his && !told {
                hand.show(at, urgency, self.words.written(words), whispered);
            }
        }
    }
}

impl Hand {
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
