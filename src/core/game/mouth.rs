//! The game's outputs, and the last words spoken.

use shakmaty::{ByColor, Color};

use super::{Channel, Manner, Output, Urgency};
use annabella_words::phrase::Utterance;

/// A player's last words heard.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Last {
    pub(super) words: Option<Utterance>,
    /// They came from the loudspeaker: "louder" means that one.
    pub(super) aloud: bool,
}

/// Everything asked for since the last input, and what it takes to repeat it or say it louder.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mouth {
    out: Vec<Output>,
    pub(super) last: ByColor<Last>,
    /// So often in a row it was said that nothing was understood.
    pub(super) in_vain: u8,
    pub(super) public: Manner,
    /// Each player's earphone.
    pub(super) private: ByColor<Manner>,
}

impl Mouth {
    pub(super) fn new(public: Manner, private: ByColor<Manner>) -> Mouth {
        Mouth { out: Vec::new(), last: ByColor::default(), in_vain: 0, public, private }
    }

    /// Asks for something to be done.
    pub(super) fn emit(&mut self, output: Output) {
        self.out.push(output);
    }

    /// Inserts an output at this place: before the outputs since then ([`Mouth::count`]).
    pub(super) fn emit_at(&mut self, place: usize, output: Output) {
        self.out.insert(place.min(self.out.len()), output);
    }

    /// How much has been asked for.
    pub(super) fn count(&self) -> usize {
        self.out.len()
    }

    /// Hands over all that was asked for.
    pub(super) fn take(&mut self) -> Vec<Output> {
        std::mem::take(&mut self.out)
    }

    /// `seat`: the earphone's owner, on the private channel.
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
        self.in_vain = 0;
        self.out.push(Output::Say { channel, seat, urgency, words });
    }
}
