//! What the game asks for, and what was said last.

use shakmaty::{ByColor, Color};

use super::{Channel, Manner, Output, Urgency};
use annabella_words::phrase::Utterance;

/// What a player heard last.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Last {
    pub(super) words: Option<Utterance>,
    /// It came from the loudspeaker: "louder" means that one.
    pub(super) aloud: bool,
}

/// Everything asked for since the last input, and what it takes to repeat it or say it louder.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mouth {
    out: Vec<Output>,
    pub(super) last: ByColor<Last>,
    pub(super) public: Manner,
    /// Each player's earphone.
    pub(super) private: ByColor<Manner>,
}

impl Mouth {
    pub(super) fn new(public: Manner, private: ByColor<Manner>) -> Mouth {
        Mouth { out: Vec::new(), last: ByColor::default(), public, private }
    }

    /// Asks for something to be done.
    pub(super) fn emit(&mut self, output: Output) {
        self.out.push(output);
    }

    /// Asks for it before what was asked for since there were so many ([`Mouth::count`]).
    pub(super) fn emit_at(&mut self, place: usize, output: Output) {
        self.out.insert(place.min(self.out.len()), output);
    }

    /// How much has been asked for.
    pub(super) fn count(&self) -> usize {
        self.out.len()
    }

    /// How what was spoken was understood, of what was asked for since there were so many.
    pub(super) fn heard_since(&self, count: usize) -> Vec<Output> {
        let heard = |output: &&Output| matches!(output, Output::Heard(_));
        self.out.iter().skip(count).filter(heard).cloned().collect()
    }

    /// Hands over all that was asked for.
    pub(super) fn take(&mut self) -> Vec<Output> {
        std::mem::take(&mut self.out)
    }

    /// `seat`: whose earphone, on the private channel.
    pub(super) fn say(
        &mut self,
        channel: Channel,
        seat: Option<Color>,
        urgency: Urgency,
        words: Utterance,
    ) {
        for color in Color::ALL {
            if seat.is_none_or(|seat| seat == color) {
                let aloud = channel == Channel::Public;
                self.last[color] = Last { words: Some(words.clone()), aloud };
            }
        }
        self.out.push(Output::Say { channel, seat, urgency, words });
    }
}
