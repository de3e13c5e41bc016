//! The listeners of each sentence. Both players hear common matters. Each of two hears the answers
//! to his own requests and the steps for his own board.

use shakmaty::Color;

use super::{Doubt, Lobby, LobbyOutput, steps::Step};
use crate::{
    game::{Channel, Manner, Urgency},
    questionnaire::Questionnaire,
};
use annabella_words::phrase::{Prompt, Slot, Utterance};

impl Lobby {
    /// Asks the question that stands.
    pub(super) fn ask(&mut self) {
        self.ask_after(Utterance::default());
    }

    /// The same, with something said before it.
    pub(super) fn ask_after(&mut self, first: Utterance) {
        if self.guides_two() {
            for seat in Color::ALL {
                self.guide(seat, first.clone());
            }
            return;
        }
        let words = Utterance::joined([first, self.question_words()]);
        let channel = self.question_channel();
        self.say(channel, None, words);
    }

    /// The clock was to be started, and a board is wrong.
    pub(super) fn ask_over_wrong_board(&mut self) {
        let wrong = self.prompt(Prompt::StartPositionWrong, &[]);
        if !self.guides_two() {
            self.ask_after(wrong);
            return;
        }
        for seat in Color::ALL {
            let his = self.is_board_done(seat);
            self.guide(seat, if his { Utterance::default() } else { wrong.clone() });
        }
    }

    /// Each of two players hears about his own board.
    pub(super) fn guides_two(&self) -> bool {
        self.are_two() && matches!(self.state.step, Step::Boards)
    }

    /// Speaks the next step for this player's own board in his own ear.
    pub(super) fn guide(&mut self, seat: Color, first: Utterance) {
        let words = self.words_for_board(seat);
        self.guided[seat] = Some(words.clone());
        self.say(Channel::Private, Some(seat), Utterance::joined([first, words]));
    }

    /// One player is asked about a doubt; another player's words are no answer to it.
    pub(super) fn is_for_speaker(&self, doubt: &Doubt) -> bool {
        doubt.of.zip(self.speaker).is_none_or(|(of, speaker)| of == speaker)
    }

    /// In the earphones of all who are blind.
    pub(super) fn answer_all(&mut self, words: Utterance) {
        self.say(Channel::Private, None, words);
    }

    pub(super) fn tell(&mut self, prompt: Prompt, slots: &[Slot<'_>]) {
        let words = self.prompt(prompt, slots);
        self.reply(words);
    }

    pub(super) fn say(&mut self, channel: Channel, seat: Option<Color>, words: Utterance) {
        if words.parts.is_empty() {
            return;
        }
        for color in Color::ALL.into_iter().filter(|color| seat.is_none_or(|seat| seat == *color)) {
            self.last_words[color] = Some(words.clone());
        }
        self.out.push(LobbyOutput::Say { channel, seat, urgency: Urgency::Answer, words });
    }

    /// The earphones that a request is about: the speaker's, or all.
    pub(super) fn earphones(&self) -> Vec<Option<Color>> {
        match (self.are_two(), self.speaker) {
            (false, _) => vec![None],
            (true, Some(seat)) => vec![Some(seat)],
            (true, None) => Color::ALL.map(Some).to_vec(),
        }
    }

    pub(super) fn change_manner(&mut self, answer: Prompt, change: impl Fn(&mut Manner) -> u32) {
        for seat in self.earphones() {
            let manner = self.state.config.earphone_mut(seat.unwrap_or(self.state.owner));
            let now = change(manner);
            let Manner { volume, words_per_minute } = *manner;
            self.out.push(LobbyOutput::Manner { seat, volume, words_per_minute });
            let words = self.prompt(answer, &[Slot::Number(now)]);
            self.say(Channel::Private, seat, words);
        }
    }

    /// How each earphone sounds, after the players have changed places.
    pub(super) fn tell_manners(&mut self) {
        if !self.are_two() {
            return;
        }
        for seat in Color::ALL {
            let Manner { volume, words_per_minute } = self.state.config.earphone(seat);
            let seat = Some(seat);
            self.out.push(LobbyOutput::Manner { seat, volume, words_per_minute });
        }
    }
}
