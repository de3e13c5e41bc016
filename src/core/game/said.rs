//! Takes players' words into the game.

use shakmaty::{Chess, Color, Move, Position, Role, Square};

use super::{
    Play, Refused, Urgency,
    dialogue::Question,
    felt::{one_pawn, only},
    reading::{is_asked, perhaps, read, tells_move},
    touch,
};
use crate::{laws::Article, sensing::Tracker};
use annabella_words::phrase::{
    Command, Note, Prompt, Slot, Spoken, SpokenForm, Understood, Utterance, hear::Answer,
};

/// After so many misunderstandings in a row it is said what helps.
const IN_VAIN: u8 = 3;

impl Play {
    /// Somebody said something; hypotheses best first. Without a seat a move is the player's to
    /// move, and a request comes from the blind player.
    pub(super) fn said(&mut self, seat: Option<Color>, heard: &[String]) -> Result<(), Refused> {
        // A question that they bring is asked as one about typed words.
        let before = std::mem::replace(&mut self.dialogue.written, true);
        let done = self.takes_words(seat, heard);
        self.dialogue.written = done.is_ok() || before;
        done
    }

    pub(super) fn takes_words(
        &mut self,
        seat: Option<Color>,
        heard: &[String],
    ) -> Result<(), Refused> {
        if let Some(answered) = self.score_said(seat, heard) {
            return answered;
        }
        for text in heard {
            let here = self.position().clone();
            if let Some(done) = self.answers_or_corrects(seat, &here, text) {
                return done;
            }
            match read(&self.terms.words, &here, text) {
                Understood::NotHeard => {
                    if let Some(done) = self.told_of_opponent(seat, &here, text) {
                        return done;
                    }
                    if self.about_last(seat, text) {
                        return Ok(());
                    }
                    match perhaps(&self.terms.words, &here, text) {
                        Understood::Move(mv) => {
                            self.may_announce(seat)?;
                            self.ask_whether(mv, self.line.len(), None);
                            return Ok(());
                        }
                        Understood::NotHeard => {}
                        several_or_none => return self.understood(seat, &here, several_or_none),
                    }
                }
                Understood::Illegal(spoken) => {
                    if !self.about_last(seat, text) {
                        self.refuse_turn(seat)?;
                        self.not_possible(seat, &spoken);
                    }
                    return Ok(());
                }
                Understood::Correction(inner) => {
                    return self.correction(seat, text, &here, *inner);
                }
                understood => {
                    let other = seat.is_some_and(|seat| seat != self.mover());
                    if other && self.about_last(seat, text) {
                        return Ok(());
                    }
                    if let Understood::Move(mv) = understood
                        && self.is_perhaps_of_last(seat, mv, text)
                    {
                        return Ok(());
                    }
                    return self.understood_as(seat, &here, text, understood);
                }
            }
        }
        self.offers_nearest(seat, heard.first().map_or("", String::as_str));
        Ok(())
    }

    /// Whoever asks whether a move goes has not made it.
    fn understood_as(
        &mut self,
        seat: Option<Color>,
        here: &Chess,
        text: &str,
        understood: Understood,
    ) -> Result<(), Refused> {
        match understood {
            Understood::Move(mv) if is_asked(text) => {
                self.may_announce(seat)?;
                self.ask_whether(mv, self.line.len(), None);
                Ok(())
            }
            understood => self.understood(seat, here, understood),
        }
    }

    /// "Er hat Springer c6 gespielt": the blind player tells his opponent's move. `None`: no move
    /// is told.
    fn told_of_opponent(
        &mut self,
        seat: Option<Color>,
        here: &Chess,
        text: &str,
    ) -> Option<Result<(), Refused>> {
        let mover = self.mover();
        if seat.is_some() || self.asking() == mover {
            return None;
        }
        let words = &self.terms.words;
        let bare = words.without_fillers(text);
        let told = words.after_teller(bare.as_deref().unwrap_or(text), mover)?;
        let understood = Some(read(words, here, told)).filter(tells_move)?;
        Some(self.understood_as(None, here, text, understood))
    }

    /// The words belong to what stands open: a correction that was begun, or which of several moves
    /// he means. `None`: they don't.
    fn answers_or_corrects(
        &mut self,
        seat: Option<Color>,
        here: &Chess,
        text: &str,
    ) -> Option<Result<(), Refused>> {
        if let Some((of, text, inner)) = self.completes_correction(seat, here, text) {
            return Some(self.correction(Some(of), &text, here, inner));
        }
        if let Some(mv) = self.names_unclear(here, text) {
            return Some(self.may_announce(seat).map(|()| self.announced(mv)));
        }
        self.in_own_words(seat, here, text)
    }

    /// It was asked which of several moves he means: the move that starts where he says, the one of
    /// this piece, or the one in this place of the question.
    fn names_unclear(&self, here: &Chess, text: &str) -> Option<Move> {
        let unclear = &self.line.turn.unclear;
        let first = unclear.first().filter(|_| !one_pawn(unclear))?;
        let words = &self.terms.words;
        let whole = format!("{} {text} {}", words.moves().piece(first.role()).text, first.to());
        let of_unclear = |mv: &Move| unclear.contains(mv);
        if let Understood::Move(mv) = read(words, here, &whole) {
            return Some(mv).filter(of_unclear);
        }
        let place = match read(words, here, text) {
            Understood::Piece(role) => return only(unclear.iter().filter(|mv| mv.role() == role)),
            Understood::Command(Command::Choice(n)) => usize::from(n),
            _ => match text.trim().parse() {
                Ok(place) => place,
                Err(_) => return only(unclear.iter().filter(|mv| words.is_castling(**mv, text))),
            },
        };
        unclear.get(place.checked_sub(1)?).copied()
    }

    /// What was not understood is answered with the question that is nearest to it, where one is
    /// near and none stands. The next guess takes the place of the last one. Whoever names the
    /// arbiter is asked whether he calls him, whatever else he was asked.
    fn offers_nearest(&mut self, seat: Option<Color>, text: &str) {
        self.dialogue.drop_guess();
        let calls = self.terms.words.names_arbiter(text) && !self.dialogue.asks_for_pressed();
        if calls {
            self.ask(self.listener(seat), Question::Request(Command::CallArbiter));
            return;
        }
        let free = self.dialogue.question().is_none() && self.line.turn.unclear.is_empty();
        let near = self.terms.words.nearest_question(text).filter(|_| free);
        let listener = self.listener(seat);
        match near.filter(|command| self.may_be_informed(listener, *command).is_ok()) {
            Some(command) => self.ask(listener, Question::Request(command)),
            None => self.not_heard(seat),
        }
    }

    pub(super) fn not_heard(&mut self, seat: Option<Color>) {
        self.in_vain(Prompt::NotHeard, |play, words| {
            play.answer_in_words(seat, Urgency::Answer, words);
        });
    }

    /// "Bitte?", and the third time in a row what helps. It is no sentence that anybody wants to
    /// hear again.
    pub(super) fn in_vain(&mut self, prompt: Prompt, say: impl FnOnce(&mut Play, Utterance)) {
        let in_vain = self.mouth.in_vain.saturating_add(1);
        let before = self.mouth.last.clone().map(|last| last.words);
        let mut words = self.terms.words.prompt(prompt, &[]);
        if in_vain == IN_VAIN {
            let help = self.terms.words.prompts().first_phrase(Command::Help);
            let slot = [Slot::Text(help.unwrap_or_default())];
            words = Utterance::joined([words, self.terms.words.prompt(Prompt::SayPhrase, &slot)]);
        }
        say(self, words);
        for (color, words) in Color::ALL.into_iter().zip([before.white, before.black]) {
            self.mouth.last[color].words = words;
        }
        self.mouth.in_vain = in_vain % IN_VAIN;
    }

    pub(super) fn not_possible(&mut self, seat: Option<Color>, spoken: &Spoken) {
        self.dialogue.drop_guess();
        self.line.turn.impossible |= seat.is_none_or(|seat| seat == self.mover());
        let slots = [Slot::Spoken(&spoken.text)];
        self.answer_speaker(seat, Urgency::Alert, Prompt::IllegalSpoken, &slots);
    }

    pub(super) fn understood(
        &mut self,
        seat: Option<Color>,
        here: &Chess,
        understood: Understood,
    ) -> Result<(), Refused> {
        match understood {
            Understood::Move(mv) if self.names_claimed(seat, &[mv])? => {}
            Understood::Ambiguous(moves) if self.names_claimed(seat, &moves)? => {}
            Understood::Move(mv) => {
                self.may_announce(seat)?;
                self.announced(mv);
            }
            Understood::Ambiguous(moves) => {
                self.may_announce(seat)?;
                self.ambiguous(seat, here, moves);
            }
            Understood::Piece(role) if self.names_last_piece(seat, role) => {}
            Understood::Piece(role) => {
                self.may_announce(seat)?;
                self.names_piece(seat, role);
            }
            Understood::Illegal(spoken) => self.not_possible(seat, &spoken),
            Understood::Command(command) => self.command(seat, command)?,
            Understood::Claim { claim, intended } => match *intended {
                Understood::Move(mv) => {
                    self.wishes(seat, claim, Some(mv))?;
                }
                Understood::Ambiguous(moves) => self.claims_one_of(seat, claim, &moves)?,
                Understood::Illegal(spoken) => self.not_possible(seat, &spoken),
                _ => self.not_heard(seat),
            },
            Understood::Correction(_) | Understood::NotHeard => self.not_heard(seat),
        }
        Ok(())
    }

    /// A request or an answer. A guess waits for an answer, and may be heard again.
    pub(super) fn command(&mut self, seat: Option<Color>, command: Command) -> Result<(), Refused> {
        match command {
            Command::Yes | Command::No | Command::Choice(_) | Command::Cancel | Command::Repeat => {
                self.carries_out(seat, command)
            }
            other => self.without_guess(|play| play.carries_out(seat, other)),
        }
    }

    fn carries_out(&mut self, seat: Option<Color>, command: Command) -> Result<(), Refused> {
        match command {
            Command::Yes => self.answer(seat, Answer::Yes, true),
            Command::No => self.answer(seat, Answer::No, true),
            Command::Choice(n) => self.answer(seat, Answer::Number(n), true),
            Command::Adjust => self.adjusts(seat),
            Command::Correction => self.begins_correction(seat),
            Command::Cancel => {
                self.cancel(self.listener(seat));
                Ok(())
            }
            Command::Repeat if self.dialogue.question().is_some() => {
                self.put_question();
                Ok(())
            }
            Command::DeclineDraw => {
                self.declines(self.wishing(seat, command));
                Ok(())
            }
            Command::TheyResign => self.opponent_is_said_to_resign(seat),
            Command::ResignsBy { white } => self.is_said_to_resign(seat, Color::from_white(white)),
            Command::Sign if seat.is_none() && self.are_both_blind() => self.somebody_signs(),
            command if command.is_irrevocable() => self.wishes(seat, command, None),
            Command::Press => self.request(self.presser(seat), command),
            command => self.request(seat.unwrap_or_else(|| self.asking()), command),
        }
    }

    /// Whose move "fertig" completes. Where no board and no lever shows his opponent's moves, the
    /// first one after such a move is for that (6.2.1).
    fn presser(&self, seat: Option<Color>) -> Color {
        let of = seat.unwrap_or_else(|| self.asking());
        let open = self.line.open().map(|ply| ply.mover).filter(|mover| *mover != of);
        let told = open.filter(|mover| self.is_by_word(*mover) && !self.seats[*mover].has_board());
        told.filter(|mover| self.timing.clock.running() == Some(*mover)).unwrap_or(of)
    }

    /// The player who asks, when the voice is unknown: the blind player, or of two the one whose
    /// move is not completed.
    pub(super) fn asking(&self) -> Color {
        let uncompleted = self.line.open();
        match (self.seats.white.blind, self.seats.black.blind) {
            (true, false) => Color::White,
            (false, true) => Color::Black,
            _ => uncompleted.map_or(self.mover(), |ply| ply.mover),
        }
    }

    /// In whose ear an answer goes.
    pub(super) fn listener(&self, seat: Option<Color>) -> Color {
        seat.unwrap_or_else(|| self.asking())
    }

    pub(super) fn may_announce(&self, seat: Option<Color>) -> Result<(), Refused> {
        self.refuse_over(self.listener(seat))?;
        self.may_move_openly()?;
        let origin = self.origin(self.mover());
        if self.seats[origin].correction.is_some() {
            let words = self.terms.words.prompt(Prompt::BoardsDiffer, &[]);
            let step = self.next_on_board(origin).map(|step| self.for_player(origin, step));
            let words = Utterance::joined([Some(words), step].into_iter().flatten());
            let text = Note::CorrectBoardFirst;
            return Err(Refused::new(Article::D_2_9, text).saying(words));
        }
        self.refuse_turn(seat)
    }

    /// Not to whoever is to move, nor to whom a press may have given the move.
    pub(super) fn refuse_turn(&self, seat: Option<Color>) -> Result<(), Refused> {
        if seat.is_some_and(|seat| seat != self.mover()) && self.unknown_press().is_none() {
            let words = self.terms.words.prompt(Prompt::NotYourTurn, &[]);
            return Err(Refused::new(Article::A6_2_1, Note::OpponentToMove).saying(words));
        }
        Ok(())
    }

    pub(super) fn ambiguous(&mut self, seat: Option<Color>, here: &Chess, moves: Vec<Move>) {
        let origin = self.origin(self.mover());
        let executed = self.line.turn.executed.as_ref().map(|executed| executed.mv);
        let asked = match &self.seats[origin].board {
            super::SeatBoard::Pegs(tracker) if self.on_turn(origin) => tracker.asked(),
            _ => &[],
        };
        // The pegs and the words may agree on one move.
        let both = executed.as_slice().iter().chain(asked).filter(|mv| moves.contains(mv));
        if let Some(mv) = only(both) {
            self.announced(mv);
            return;
        }
        if let Some(role) = self.seats[origin].doubt.named()
            && let Some(mv) = only(moves.iter().filter(|mv| mv.promotion() == Some(role)))
        {
            self.announced(mv);
            return;
        }
        self.ask_which(seat, here, &moves);
        self.line.turn.unclear = moves;
    }

    pub(super) fn ask_which(&mut self, seat: Option<Color>, here: &Chess, moves: &[Move]) {
        self.dialogue.drop_guess();
        let slot = |mv: Move| Slot::Move { pos: here, mv, form: SpokenForm::Asked };
        let slots = [Slot::Moves { pos: here, moves }];
        let (prompt, slots) = match moves {
            moves if one_pawn(moves) => (Prompt::WhichPiece, &[][..]),
            [first, second] => (Prompt::WhichMove, &[slot(*first), slot(*second)][..]),
            _ => (Prompt::WhichMoves, &slots[..]),
        };
        self.answer_speaker(seat, Urgency::Alert, prompt, slots);
    }

    /// "Dame": the promotion piece, asked for or named beforehand.
    pub(super) fn names_piece(&mut self, seat: Option<Color>, role: Role) {
        self.dialogue.drop_guess();
        let becomes = |mv: &&Move| mv.promotion() == Some(role);
        if let Some(mv) = only(self.line.turn.unclear.iter().filter(becomes)) {
            self.announced(mv);
            return;
        }
        if let Some(mv) = self.sighted_piece(role) {
            self.announced(mv);
            return;
        }
        let origin = self.origin(self.mover());
        let asked = match &self.seats[origin].board {
            super::SeatBoard::Pegs(tracker) if self.on_turn(origin) => tracker.asked(),
            _ => &[],
        };
        if let Some(mv) = only(asked.iter().filter(becomes)) {
            self.decided(mv);
        } else if self.position().legal_moves().iter().any(|mv| becomes(&mv)) {
            self.seats[origin].doubt.name(role);
        } else {
            self.not_heard(seat);
        }
    }

    pub(super) fn adjusts(&mut self, seat: Option<Color>) -> Result<(), Refused> {
        let mover = self.mover();
        // An unknown voice is the blind player's.
        let unseen = !self.seats[mover].blind && !self.seats[mover].has_board();
        if self.is_over() || seat.map_or(unseen, |seat| seat != mover) {
            let words = self.terms.words.prompt(Prompt::NotYourTurn, &[]);
            return Err(Refused::new(Article::A4_2_1, Note::AdjustsOnMove).saying(words));
        }
        // Where nobody sees what he touches, it is in the record that he said it.
        if let Some(tracker) = self.seats[mover].tracker_mut() {
            tracker.adjust();
        } else if !self.seats[mover].blind {
            self.seats[mover].conduct.adjusts();
        }
        let adjusts = self.terms.words.prompt(Prompt::Adjusting, &[]);
        let binds = self
            .binding_touch(mover)
            .map(|square| self.terms.words.prompt(Prompt::TouchBinds, &[Slot::Square(square)]));
        let words = Utterance::joined(std::iter::once(adjusts).chain(binds));
        self.say_to(mover, Urgency::Answer, words);
        Ok(())
    }

    /// What the player to move touched before he said that he adjusts, and has to move or take.
    ///
    /// Source: FIDE 4.2.1, 4.3
    fn binding_touch(&self, mover: Color) -> Option<Square> {
        let seat = &self.seats[mover];
        let pegs = seat.tracker().filter(|_| self.on_turn(mover));
        let touched = [seat.conduct.touched(), pegs.map_or(&[][..], Tracker::touched)].concat();
        let against = |mv| touch::check(self.position(), &touched, mv);
        let against = self.position().legal_moves().into_iter().find_map(against)?;
        Some(against.square)
    }
}
