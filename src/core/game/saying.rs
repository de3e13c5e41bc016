//! Who hears what: aloud, on one earphone, on all of them; shown to a deaf player; reported.

use shakmaty::{Chess, Color, Move};

use super::{Article, Boards, Channel, Output, Play, Refused, Urgency, dialogue::Question};
use annabella_words::phrase::{Command, Note, Prompt, Slot, Utterance};

impl Play {
    /// Says something aloud.
    pub(super) fn say_aloud(&mut self, urgency: Urgency, words: Utterance) {
        self.mouth.say(Channel::Public, None, urgency, words);
    }

    /// Says something to this player: on his earphone, or aloud if he has none.
    pub(super) fn say_to(&mut self, seat: Color, urgency: Urgency, words: Utterance) {
        if self.seats[seat].blind {
            self.mouth.say(Channel::Private, Some(seat), urgency, words);
        } else {
            self.say_aloud(urgency, words);
        }
    }

    /// Words for this player. Where both hear them they begin with his colour: the blind player
    /// takes no order for his own.
    pub(super) fn for_player(&self, seat: Color, words: Utterance) -> Utterance {
        if self.seats[seat].blind {
            return words;
        }
        let of = self.terms.words.prompt(Prompt::ToPlayer, &[Slot::Player(seat)]);
        Utterance::joined([of, words])
    }

    /// To who is asked; to both, where it is open which of two blind players spoke.
    pub(super) fn say_asked(&mut self, of: Color, urgency: Urgency, words: Utterance) {
        let (unknown, accepts) = match self.dialogue.question() {
            Some(Question::Command { unknown, command, .. }) => {
                (*unknown, *command == Command::AcceptDraw)
            }
            question => (matches!(question, Some(Question::Instead { .. })), false),
        };
        if unknown && self.are_both_blind() {
            self.mouth.say(Channel::Private, None, urgency, words);
        } else if unknown && self.dialogue.written && !accepts {
            // Whoever sits opposite has not typed it, and learns nothing of it. Nobody accepts an
            // offer for him without his hearing it (9.1.2.1).
            self.say_in_ear(of, urgency, words);
        } else {
            if unknown && accepts {
                self.show(of, &words);
            }
            self.say_to(of, urgency, words);
        }
    }

    /// Says a prompt on this player's earphone; of a sighted player's affairs the blind one hears.
    pub(super) fn tell(
        &mut self,
        seat: Color,
        urgency: Urgency,
        prompt: Prompt,
        slots: &[Slot<'_>],
    ) {
        let words = self.terms.words.prompt(prompt, slots);
        self.say_in_ear(seat, urgency, words);
    }

    /// Answers whoever spoke. A sighted player who was known by his voice has no earphone, and
    /// hears it aloud; a deaf one reads it.
    pub(super) fn answer_speaker(
        &mut self,
        seat: Option<Color>,
        urgency: Urgency,
        prompt: Prompt,
        slots: &[Slot<'_>],
    ) {
        let words = self.terms.words.prompt(prompt, slots);
        self.answer_in_words(seat, urgency, words);
    }

    /// The same in words that are there already.
    pub(super) fn answer_in_words(
        &mut self,
        seat: Option<Color>,
        urgency: Urgency,
        words: Utterance,
    ) {
        let sighted = seat.filter(|seat| !self.seats[*seat].blind);
        match sighted.filter(|_| !self.terms.config.opponent_deaf) {
            Some(_) => self.say_aloud(urgency, words),
            None => self.say_in_ear(self.listener(seat), urgency, words),
        }
    }

    /// The same of words that are there already.
    pub(super) fn say_in_ear(&mut self, seat: Color, urgency: Urgency, words: Utterance) {
        self.show(seat, &words);
        let seat = self.earphone(Some(seat));
        self.mouth.say(Channel::Private, Some(seat), urgency, words);
    }

    /// A deaf player reads what is said of his affairs in the blind one's ear.
    ///
    /// Source: FIDE D.2.11
    pub(super) fn show(&mut self, seat: Color, words: &Utterance) {
        if self.terms.config.opponent_deaf && !self.seats[seat].blind {
            self.mouth.emit(Output::Show { seat, words: words.clone() });
        }
    }

    /// The earphone for what concerns this player: his own, or the blind player's.
    pub(super) fn earphone(&self, seat: Option<Color>) -> Color {
        let seat = seat.unwrap_or_else(|| self.asking());
        if self.seats[seat].blind { seat } else { !seat }
    }

    /// Who hears the words of a refusal: a sighted player who spoke has no earphone, and everybody
    /// hears them.
    pub(super) fn addressed(
        &self,
        refused: Refused,
        seat: Option<Color>,
        by_voice: bool,
    ) -> Refused {
        let of = refused.seat.or(seat);
        let aloud = by_voice && of.is_some_and(|of| !self.seats[of].blind);
        Refused { seat: (!aloud).then(|| self.earphone(of)), ..refused }
    }

    /// Says a prompt on every earphone.
    pub(super) fn tell_blind(&mut self, urgency: Urgency, prompt: Prompt, slots: &[Slot<'_>]) {
        for seat in
            Color::ALL.into_iter().filter(|color| self.seats[*color].blind).collect::<Vec<_>>()
        {
            self.tell(seat, urgency, prompt, slots);
        }
    }

    pub(super) fn problem(&mut self, article: Article, text: Note, detail: serde_json::Value) {
        self.mouth.emit(Output::Problem { article, text, refused: false, detail });
    }

    pub(super) fn tell_clock(&mut self) {
        let (white_ms, black_ms, running) = self.timing.clock.reading(self.at);
        self.mouth.emit(Output::Clock { white_ms, black_ms, running });
    }

    /// The arbiter has decided: the game goes on after the last move, or from its first position.
    pub(super) fn announce_settled(&mut self) {
        match self.line.last().map(|ply| ply.mv) {
            None => self.tell_all(Prompt::SettledAtStart, &[]),
            Some(mv) => {
                let before = self.line.positions()[self.line.len() - 1].clone();
                self.announce_decision(&before, mv);
            }
        }
    }

    /// The same after this move.
    pub(super) fn announce_decision(&mut self, before: &Chess, mv: Move) {
        let slot = Slot::Move { pos: before, mv, form: self.form() };
        self.tell_all(Prompt::SettledAfter, &[slot]);
    }

    /// The arbiter has set a clock, which a blind player does not see.
    pub(super) fn announce_times(&mut self) {
        let (white_ms, black_ms, _) = self.timing.clock.reading(self.at);
        self.tell_all(Prompt::ClocksSet, &[Slot::Duration(white_ms), Slot::Duration(black_ms)]);
    }

    /// Tells how the boards stand to each other, when that has changed.
    pub(super) fn tell_boards(&mut self) {
        // A player who is guided back hears it step by step; the others hear it here. Bumped pegs
        // differ before the arbiter decides about them.
        self.arbitration.relation.differed |= self.arbitration.relation.said_to_differ;
        self.arbitration.relation.differed |=
            Color::ALL.into_iter().any(|color| self.is_astray(color));
        if self.arbitration.relation.boards != self.arbitration.relation.told {
            if self.arbitration.relation.boards == Boards::Agree
                && std::mem::take(&mut self.arbitration.relation.differed)
            {
                // Of a board that nobody sees nothing is claimed.
                let prompt = if self.uncorrected().is_some() {
                    Prompt::BoardAgrees
                } else if self.is_any_said() {
                    Prompt::AsInGameAgain
                } else {
                    Prompt::BoardsAgreeAgain
                };
                let all = self.uncorrected().is_none();
                if all && std::mem::take(&mut self.arbitration.relation.aloud) {
                    let words = self.terms.words.prompt(prompt, &[]);
                    self.say_aloud(Urgency::Answer, words);
                } else {
                    self.tell_blind(Urgency::Answer, prompt, &[]);
                }
            }
            self.arbitration.relation.told = self.arbitration.relation.boards;
            self.mouth.emit(Output::Boards(self.arbitration.relation.boards));
        }
    }
}
