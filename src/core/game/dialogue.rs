//! Questions that wait for an answer, and misunderstandings.

use shakmaty::{Color, File, Move, Piece, Position, Rank, Square};

use super::{At, Play, Refused, Urgency};
use annabella_words::phrase::{
    Command, Prompt,
    hear::{Answer, Talk},
};

/// An unanswered question is dropped after this many milliseconds: a later "ja" is meant for
/// somebody else.
const ANSWER_MS: u64 = 20_000;
/// The time that hands may take to feel along a file, milliseconds.
const WALK_MS: u64 = 120_000;
/// After this many misunderstandings in a row the nearest moves are offered by number.
const TOO_OFTEN: u8 = 2;

/// How far a walk over the board has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Walk {
    pub(super) file: File,
    /// The square in question, on a file that differed.
    pub(super) rank: Option<Rank>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Whether this move was said, in the position with this index.
    Move {
        mv: Move,
        about: usize,
        /// The other candidate.
        second: Option<Move>,
    },
    /// Which of two.
    Choice { moves: [Move; 2], about: usize },
    /// Whether it is meant.
    Command {
        command: Command,
        intended: Option<Move>,
        /// The speaker was unknown, so the question names the player whose word it would be.
        unknown: bool,
        /// The player who may have said it instead.
        or: Option<Color>,
    },
    /// Whether another player wishes it: its own answer is a number. After a "nein" a "ja" of habit
    /// is no other player's word.
    Instead { command: Command, intended: Option<Move> },
    /// Which move this player's press completed, if any.
    Pressed { seat: Color },
    /// Whether the kings in the middle of the other board are the result; no winner: a draw.
    Result { winner: Option<Color> },
    /// Whether this player's board, which is not seen, stands as decided (D.2.9).
    BoardRight { seat: Color },
    /// Whether the piece that the announced move captures is gone from this board (D.2.3.1): its
    /// reed says that it stands.
    CapturedGone { seat: Color, mv: Move, square: Square, piece: Piece },
    /// Which move was played from the position with this index, for his score.
    Score { index: usize },
    /// Whether a request was meant that is one word beside an announcement, or near to what was
    /// typed. A guess, no more: whatever is understood takes its place, and it lapses in silence.
    Request(Command),
    /// Whether his board, which is not felt, stands here as the game does (D.2.9).
    Walk(Walk),
}

impl Question {
    /// How long it stands unanswered, milliseconds.
    fn waits_ms(&self) -> u64 {
        if matches!(self, Question::Walk(_)) { WALK_MS } else { ANSWER_MS }
    }

    /// Whether a "nein" is the end of it.
    fn is_off_by_no(&self) -> bool {
        matches!(
            self,
            Question::Score { .. }
                | Question::BoardRight { .. }
                | Question::Result { .. }
                | Question::Request(_)
                | Question::Instead { .. }
        )
    }

    /// Whether "ja" or "nein" answers it and nothing else does.
    pub(super) fn is_yes_or_no(&self) -> bool {
        matches!(
            self,
            Question::Command { .. }
                | Question::BoardRight { .. }
                | Question::Result { .. }
                | Question::CapturedGone { .. }
                | Question::Walk(_)
        )
    }
}

/// A question that stands.
#[derive(Clone, Debug, PartialEq)]
struct Standing {
    question: Question,
    /// The player who is asked.
    of: Color,
    until: At,
    /// The question was repeated already.
    repeated: bool,
}

/// The open question, and utterances that were not understood. Starts afresh with every move.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Dialogue {
    standing: Option<Standing>,
    /// Misunderstandings in a row.
    misheard: u8,
    /// The candidates, the likeliest first.
    near: Vec<Move>,
    /// The position that those are moves of.
    about: usize,
    /// Asked about and denied.
    denied: Vec<Move>,
    /// Other moves that may have been meant by a claim (9.2.1, 9.3.1), to be asked about next.
    pub(super) claimed: Vec<Move>,
    /// Who has said "Korrektur", and nothing after it yet (D.2.8).
    pub(super) correcting: Option<Color>,
    /// The last words were typed.
    pub(super) written: bool,
    /// Others talked near the microphone.
    pub(super) talk: Talk,
}

impl Dialogue {
    pub(super) fn question(&self) -> Option<&Question> {
        self.standing.as_ref().map(|standing| &standing.question)
    }

    /// Everybody may say which move a press completed.
    pub(super) fn asks_for_pressed(&self) -> bool {
        matches!(self.question(), Some(Question::Pressed { .. }))
    }

    /// The player who is asked.
    pub(super) fn of(&self) -> Option<Color> {
        self.standing.as_ref().map(|standing| standing.of)
    }

    /// The move asked about, if it is one of the position with this index.
    pub(super) fn asked_about(&self, index: usize) -> Option<Move> {
        match self.question()? {
            Question::Move { mv, about, .. } if *about == index => Some(*mv),
            _ => None,
        }
    }

    /// Whether this move stands in the question.
    pub(super) fn names(&self, mv: Move, index: usize) -> bool {
        match self.question() {
            Some(Question::Move { mv: asked, about, .. }) => *asked == mv && *about == index,
            Some(Question::Choice { moves, about }) => moves.contains(&mv) && *about == index,
            _ => false,
        }
    }

    /// It was asked whether this move was meant, and was not.
    pub(super) fn has_denied(&self, mv: Move) -> bool {
        self.denied.contains(&mv)
    }

    pub(super) fn drop_question(&mut self) {
        self.standing = None;
    }

    pub(super) fn due(&self) -> Option<At> {
        self.standing.as_ref().map(|standing| standing.until)
    }

    /// The question that stands is only a guess.
    pub(super) fn guesses(&self) -> bool {
        matches!(self.question(), Some(Question::Request(_) | Question::Instead { .. }))
    }

    /// Nothing is asked any more whether what binds a player is meant: he hears something else that
    /// a "ja" may answer.
    pub(super) fn drop_binding(&mut self) {
        let binds =
            |of: &Question| matches!(of, Question::Command { .. } | Question::Result { .. });
        self.standing.take_if(|standing| binds(&standing.question));
    }

    /// Nothing is asked any more about a wish that has lost its object.
    pub(super) fn drop_wish(&mut self, wish: Command) {
        self.standing.take_if(|standing| match standing.question {
            Question::Command { command, .. } => command == wish,
            _ => false,
        });
    }

    /// Whatever else is understood shows that the guess was wrong.
    pub(super) fn drop_guess(&mut self) {
        if self.guesses() {
            self.standing = None;
        }
    }

    /// Remembers the nearest candidates. A move that was near twice comes first.
    fn remember(&mut self, candidates: &[Move], about: usize) {
        if self.about != about {
            self.near.clear();
            self.about = about;
        }
        let before = std::mem::take(&mut self.near);
        let twice = candidates.iter().filter(|mv| before.contains(mv));
        for mv in twice.chain(candidates).chain(&before) {
            if !self.near.contains(mv) && !self.denied.contains(mv) {
                self.near.push(*mv);
            }
        }
        self.near.truncate(4);
    }
}

impl Play {
    /// Puts a question; one that stood is forgotten.
    pub(super) fn ask(&mut self, of: Color, question: Question) {
        let until = At::new(self.at.ms.saturating_add(question.waits_ms()));
        self.dialogue.standing = Some(Standing { question, of, until, repeated: false });
        self.put_question();
    }

    /// Says the question that stands.
    pub(super) fn put_question(&mut self) {
        let Some(Standing { question, of, .. }) = self.dialogue.standing.clone() else {
            return;
        };
        let words = self.question_words(of, question);
        self.say_asked(of, Urgency::Alert, words);
    }

    /// A blind player has heard something that a "ja" may answer. What he was asked before he is
    /// asked after it, and a guess not at all.
    pub(super) fn asks_after_it(&mut self) {
        self.dialogue.drop_guess();
        if self.dialogue.of().is_some_and(|of| self.seats[of].blind) {
            self.put_question();
        }
    }

    /// After a stop of the service, or asked for: the open question is asked once more, in full. An
    /// answer that was on its way is lost. `false`: there is none.
    pub(super) fn ask_again(&mut self) -> bool {
        self.dialogue.drop_guess();
        if let Some(standing) = &mut self.dialogue.standing {
            standing.until = At::new(self.at.ms.saturating_add(standing.question.waits_ms()));
            standing.repeated = false;
            self.put_question();
            return true;
        }
        if self.is_over() {
            return false;
        }
        if !self.line.turn.unclear.is_empty() {
            let (here, moves) = (self.position().clone(), self.line.turn.unclear.clone());
            self.ask_which(None, &here, &moves);
            return true;
        }
        let mover = self.mover();
        let origin = self.origin(mover);
        let felt = self.seats[origin].tracker().map(|tracker| tracker.asked().to_vec());
        match felt {
            Some(moves) if !moves.is_empty() => self.which(origin, &moves),
            _ if !self.seats[mover].doubt.is_open() => return false,
            _ => self.ask_sighted_which(mover),
        }
        true
    }

    /// A question has waited too long. Nobody wished what was only guessed.
    pub(super) fn lapse_question(&mut self) {
        if self.dialogue.guesses() {
            self.dialogue.drop_guess();
        } else {
            self.give_up_question();
        }
    }

    /// A question is given up, and its player hears so.
    pub(super) fn give_up_question(&mut self) {
        let Some(of) = self.dialogue.of() else {
            return;
        };
        if self.dialogue.asks_for_pressed() {
            self.dialogue.standing = None;
            self.forget_unknown_press();
            return;
        }
        let words = self.terms.words.prompt(Prompt::Cancelled, &[]);
        self.say_asked(of, Urgency::Answer, words);
        self.dialogue.standing = None;
    }

    /// "Abbrechen".
    pub(super) fn cancel(&mut self, of: Color) {
        let open = self.dialogue.correcting.is_some() || !self.line.turn.unclear.is_empty();
        self.forgets_correction();
        self.line.turn.unclear.clear();
        if self.dialogue.standing.is_some() {
            self.give_up_question();
        } else if open {
            self.tell(of, Urgency::Answer, Prompt::Cancelled, &[]);
        } else {
            self.tell(of, Urgency::Answer, Prompt::NothingPending, &[]);
        }
    }

    /// An answer to the open question; false if none is open for this player.
    pub(super) fn answered(
        &mut self,
        seat: Option<Color>,
        answer: Answer,
    ) -> Result<bool, Refused> {
        let Some(Standing { question, of, .. }) = self.dialogue.standing.clone() else {
            return Ok(false);
        };
        if seat.is_some_and(|seat| seat != of) && !self.dialogue.asks_for_pressed() {
            return Ok(answer == Answer::No && self.denied_by_other());
        }
        match (question, answer) {
            (Question::Move { mv, about, .. }, Answer::Yes) => self.spoken(seat, mv, about)?,
            (Question::Move { mv, about, second }, Answer::No) => {
                self.denied(mv);
                // "Bitte?" would say that his "nein" was not heard.
                self.say_again(of, second.as_slice(), about, Prompt::AskAgain);
            }
            (Question::Choice { moves, about }, Answer::Number(n @ 1..=2)) => {
                self.spoken(seat, moves[usize::from(n) - 1], about)?;
            }
            (Question::Choice { .. }, Answer::No) => {
                self.dialogue = super::dialogue::Dialogue::default();
                self.asks_again(of, Prompt::AskAgain);
            }
            (Question::Command { command, intended, .. }, Answer::Yes) => {
                self.answering(|play| play.confirmed(of, command, intended))?;
            }
            (Question::Command { command, intended, or, .. }, Answer::No) => {
                self.means_not(of, command, intended, or)?;
            }
            (Question::Instead { command, intended }, Answer::Number(2)) => {
                self.ask(of, Question::Command { command, intended, unknown: true, or: None });
            }
            (Question::Request(command), Answer::Yes) => {
                self.answering(|play| play.request(of, command))?;
            }
            (Question::Walk(_), answer @ (Answer::Yes | Answer::No)) => {
                self.walk_on(of, answer == Answer::Yes);
            }
            (question @ Question::Pressed { .. }, Answer::No)
            | (question @ (Question::Result { .. } | Question::BoardRight { .. }), Answer::Yes) => {
                self.answering(|play| play.settled_by_word(&question))?;
            }
            (Question::CapturedGone { seat, mv, .. }, Answer::Yes) => {
                self.dialogue.standing = None;
                self.captured_gone(seat, mv);
            }
            (Question::CapturedGone { seat, .. }, Answer::No) => self.captured_stands(of, seat),
            (question, Answer::No) if question.is_off_by_no() => self.give_up_question(),
            _ => self.put_question(),
        }
        Ok(true)
    }

    /// Nobody knows who said it: whoever hears the question may deny it for the other.
    fn denied_by_other(&mut self) -> bool {
        let unknown =
            matches!(self.dialogue.question(), Some(Question::Command { unknown: true, .. }));
        if unknown {
            self.give_up_question();
        }
        unknown
    }

    /// What is understood takes the place of a guess, unless it is refused: then it stands.
    pub(super) fn without_guess(
        &mut self,
        act: impl FnOnce(&mut Play) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        if self.dialogue.guesses() { self.answering(act) } else { act(self) }
    }

    /// The question is answered, unless what the answer asks for is refused: then it stands.
    pub(super) fn answering(
        &mut self,
        act: impl FnOnce(&mut Play) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        let question = self.dialogue.standing.take();
        let done = act(self);
        if done.is_err() {
            self.dialogue.standing = question;
        }
        done
    }

    /// A word says what no board shows: that there was no move, that the game is over, that a board
    /// stands right.
    fn settled_by_word(&mut self, question: &Question) -> Result<(), Refused> {
        match *question {
            Question::Pressed { seat } => drop(self.denies_press(Some(seat))),
            Question::Result { winner } => {
                self.may_show_result(winner)?;
                match winner {
                    Some(winner) => self.resigns(!winner),
                    None => self.agrees_draw(),
                }
            }
            Question::BoardRight { seat }
                if self.is_first_compared(seat) || self.seats[seat].tracker().is_some() =>
            {
                self.stands_as_told(seat);
            }
            Question::BoardRight { seat } => {
                let by = Some(self.asking());
                self.may_start_clock(by)?;
                self.end_correction(seat);
                return self.start_clock(by);
            }
            _ => {}
        }
        Ok(())
    }

    /// It was not this move that he said.
    fn denied(&mut self, mv: Move) {
        self.dialogue.standing = None;
        self.dialogue.denied.push(mv);
        self.dialogue.near.retain(|near| *near != mv);
    }

    /// A move was said that is certain now.
    pub(super) fn spoken(
        &mut self,
        seat: Option<Color>,
        mv: Move,
        about: usize,
    ) -> Result<(), Refused> {
        if about < self.line.len() {
            self.dialogue = Dialogue::default();
            let before = self.line.positions()[about].clone();
            self.corrects(&before, mv);
            return Ok(());
        }
        self.may_announce(seat)?;
        self.announced(mv);
        Ok(())
    }

    /// Something near these moves, and not near enough to ask. Asks for it again; the second time
    /// what is nearest is offered.
    pub(super) fn not_understood(&mut self, of: Color, candidates: &[Move], about: usize) {
        self.say_again(of, candidates, about, Prompt::NotHeard);
    }

    fn say_again(&mut self, of: Color, candidates: &[Move], about: usize, first: Prompt) {
        self.dialogue.misheard = self.dialogue.misheard.saturating_add(1);
        self.dialogue.remember(candidates, about);
        let often = self.dialogue.misheard >= TOO_OFTEN;
        match self.dialogue.near[..] {
            [first, second, ..] if often => {
                self.ask(of, Question::Choice { moves: [first, second], about });
            }
            [mv] if often => self.ask(of, Question::Move { mv, about, second: None }),
            _ if often => self.asks_again(of, Prompt::AskAgain),
            _ => self.asks_again(of, first),
        }
    }

    fn asks_again(&mut self, of: Color, prompt: Prompt) {
        self.in_vain(prompt, |play, words| play.say_in_ear(of, Urgency::Answer, words));
    }

    /// The answer was not understood: the question once more, and then no more.
    pub(super) fn answer_not_understood(&mut self) {
        match &mut self.dialogue.standing {
            Some(standing) if !standing.repeated => {
                standing.repeated = true;
                self.put_question();
            }
            _ => self.lapse_question(),
        }
    }

    /// Asks whether this move was said.
    pub(super) fn ask_whether(&mut self, mv: Move, about: usize, second: Option<Move>) {
        let of = self.line.positions()[about].turn();
        self.ask(of, Question::Move { mv, about, second });
    }
}
