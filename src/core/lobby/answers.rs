//! The effects of answers.

use shakmaty::{ByColor, Color};

use super::{
    Lobby, LobbyOutput, Tally, draft,
    steps::{Act, Answer, DUTIES, MOST_PERIODS, Step},
};
use crate::{
    game::{Blind, Channel},
    questionnaire::{Questionnaire, controls},
};
use annabella_words::phrase::{
    Prompt, SetupWord, Slot, Utterance,
    timing::{Extra, Stretch},
};

impl Lobby {
    /// "Weiter": this stays as it is.
    pub(super) fn next(&mut self) {
        match self.state.step.clone() {
            Step::Unfinished | Step::Swap => self.answer(Act::No),
            Step::AllRight | Step::Menu => self.answer(Act::Own(Answer::Open(SetupWord::Boards))),
            Step::Old
            | Step::Opponents
            | Step::Sides
            | Step::Control
            | Step::WhichBoard
            | Step::TakeOver(_) => {
                self.enter(Step::AllRight);
            }
            Step::Moves(_) | Step::Minutes(_) | Step::Seconds(_) => {
                let choice = self.choices().into_iter().nth(self.state.cursor);
                self.act(choice.map_or(Act::Own(Answer::Number(None)), |choice| choice.act));
            }
            Step::Name(color) => self.after_name(color),
            Step::Spelling(..) => self.answer(Act::Done),
            Step::Duty(n) => self.after_duty(n),
            Step::Boards => self.leave_board(),
            Step::After => self.answer(Act::Own(Answer::NextGame)),
            Step::Ready | Step::Over | Step::Playing => self.ask(),
        }
    }

    fn after_name(&mut self, color: Color) {
        let next = if color.is_white() { Step::Name(Color::Black) } else { Step::AllRight };
        self.enter(next);
    }

    fn after_duty(&mut self, n: usize) {
        let next = if n + 1 < DUTIES.len() { Step::Duty(n + 1) } else { Step::AllRight };
        self.enter(next);
    }

    /// Carries out an answer.
    pub(super) fn answer(&mut self, act: Act) {
        self.doubt = None;
        match (act, self.state.step.clone()) {
            (Act::Yes, Step::Unfinished) => self.resume(0),
            (Act::No, Step::Unfinished) => {
                self.remember();
                self.place(Step::AllRight);
                let aside = [Prompt::GameSetAside, Prompt::NewGame].map(|p| self.prompt(p, &[]));
                self.ask_after(Utterance::joined(aside));
            }
            (Act::Own(Answer::Resume(n)), _) => self.resume(n),
            (Act::Yes, Step::AllRight) => self.open_boards(),
            (Act::No, Step::AllRight | Step::Ready) => self.enter(Step::Menu),
            (Act::Yes, Step::Ready) | (Act::Own(Answer::Start), _) => self.start_word(),
            (Act::Yes, Step::Swap) => {
                self.remember();
                draft::swap(&mut self.state.config);
                self.board_follows();
                self.state.owner = !self.state.owner;
                self.tell_manners();
                self.place(Step::AllRight);
                self.ask();
            }
            (Act::No, Step::Swap) => self.enter(Step::AllRight),
            (Act::Yes, Step::TakeOver(board)) => self.take_over(board),
            (Act::No, Step::TakeOver(_)) => self.enter(Step::AllRight),
            (Act::Own(Answer::TakeOver(board)), _) => self.enter(Step::TakeOver(board)),
            (Act::Yes, Step::Duty(n)) => self.duty_answered(n, true),
            (Act::No, Step::Duty(n)) => self.duty_answered(n, false),
            (Act::Own(Answer::Open(topic)), _) => self.open(topic),
            (Act::Own(Answer::Side(blind)), _) => self.set_side(blind),
            (Act::Own(Answer::Against { opponent, side }), _) => self.set_against(opponent, side),
            (Act::Control(text), _) => self.set_control(text),
            (Act::Own(Answer::Other), _) => self.enter(Step::Moves(Vec::new())),
            (Act::Own(Answer::Number(n)), step) => self.number(n, step),
            (Act::Own(Answer::Named(name)), Step::Name(color) | Step::Spelling(color, _)) => {
                self.remember();
                self.set_name(color, name);
                let next = if color.is_white() { Step::Name(!color) } else { Step::AllRight };
                self.place(next);
                self.ask();
            }
            (Act::Own(Answer::Spell), Step::Name(color)) => {
                self.enter(Step::Spelling(color, String::new()))
            }
            (Act::Own(Answer::Letters(more)), Step::Spelling(color, mut letters)) => {
                letters += &more;
                self.spelled(color, letters);
            }
            (Act::Own(Answer::Delete), Step::Spelling(color, mut letters)) => {
                letters.pop();
                self.spelled(color, letters);
            }
            (Act::Done, Step::Spelling(_, letters)) => match draft::name(&letters) {
                Some(name) => self.answer(Act::Own(Answer::Named(draft::capitalised(&name)))),
                None => self.ask(),
            },
            (Act::Own(Answer::NextGame), Step::After) => self.enter(Step::Swap),
            (Act::Own(Answer::Result), Step::After) => self.tell_result(),
            (Act::Own(Answer::Score), Step::After) => self.tell_score(),
            (Act::Own(Answer::Finish), _) => {
                self.place(Step::Over);
                self.ask();
                self.out.push(LobbyOutput::Finished);
            }
            _ => self.again(),
        }
    }

    fn resume(&mut self, n: usize) {
        let Some(game) = self.unfinished.get(n) else {
            self.ask();
            return;
        };
        self.chosen(game.number);
    }

    fn start_word(&mut self) {
        match self.state.step {
            Step::Ready => self.begin(),
            Step::AllRight | Step::Menu => self.open_boards(),
            // Boards that are not right yet say what is missing.
            _ => self.repeat(),
        }
    }

    fn open(&mut self, topic: SetupWord) {
        match topic {
            SetupWord::Time => self.enter(Step::Control),
            SetupWord::Opponent if !self.opponents.is_empty() => self.enter(Step::Opponents),
            SetupWord::Colours => self.enter(Step::Sides),
            SetupWord::Names => self.enter(Step::Name(Color::White)),
            SetupWord::Duties => self.enter(Step::Duty(0)),
            SetupWord::Resume if !self.unfinished.is_empty() => self.enter(Step::Old),
            SetupWord::TakeOver if self.hall => self.enter(Step::WhichBoard),
            SetupWord::Boards => self.open_boards(),
            _ => self.ask(),
        }
    }

    fn open_boards(&mut self) {
        self.remember();
        self.state.unchecked = ByColor::default();
        if self.boards_unseen() || (self.is_any_unfelt() && self.boards_done()) {
            self.place(Step::Ready);
            let by_hand = self.prompt(Prompt::CheckByHand, &[]);
            self.ask_after(by_hand);
        } else if self.boards_done() {
            self.place(Step::Ready);
            let fine = self.prompt(Prompt::StartPosition, &[]);
            self.ask_after(fine);
        } else {
            self.place(Step::Boards);
            self.ask();
        }
    }

    /// The one board goes with its player; two stay before their colours.
    fn board_follows(&mut self) {
        if !self.second_board {
            let hands = &mut self.state.config.hands;
            *hands = hands.swapped();
        }
    }

    fn set_side(&mut self, blind: Blind) {
        if blind == Blind::Both && !self.second_board {
            let needs = self.prompt(Prompt::BothNeedBoards, &[]);
            self.place(Step::AllRight);
            self.ask_after(needs);
            return;
        }
        self.remember();
        self.take_side(blind);
        self.place(Step::AllRight);
        self.ask();
    }

    /// The player on pegs has this colour.
    pub(super) fn take_side(&mut self, blind: Blind) {
        let config = &mut self.state.config;
        let owner = match blind {
            Blind::White => Color::White,
            Blind::Black => Color::Black,
            Blind::Both => self.state.owner,
        };
        // The player's name goes along.
        if owner != self.state.owner {
            std::mem::swap(&mut config.white, &mut config.black);
            self.board_follows();
        }
        self.state.config.blind = blind;
        self.state.owner = owner;
    }

    fn set_control(&mut self, text: String) {
        self.remember();
        self.state.config.time_control = text;
        self.place(Step::AllRight);
        // The summary has its name, if it has one; what it comes to is read back, too.
        let named = self
            .named_controls()
            .iter()
            .any(|choice| choice.act == Act::Control(self.state.config.time_control.clone()));
        let full = if named { self.control_in_full() } else { Utterance::default() };
        self.ask_after(full);
    }

    pub(super) fn set_name(&mut self, color: Color, name: String) {
        let config = &mut self.state.config;
        match color {
            Color::White => config.white = name,
            Color::Black => config.black = name,
        }
    }

    fn spelled(&mut self, color: Color, letters: String) {
        let cursor = self.state.cursor;
        self.remember();
        let letters: String = letters.chars().take(60).collect();
        self.place(Step::Spelling(color, letters));
        // The next letter may be near this one.
        self.state.cursor = cursor;
        self.ask();
    }

    fn duty_answered(&mut self, n: usize, on: bool) {
        self.remember();
        self.set_duty(n, on);
        let mended = draft::mend(&mut self.state.config);
        let next = if n + 1 < DUTIES.len() { Step::Duty(n + 1) } else { Step::AllRight };
        self.place(next);
        if let Some(needs) = mended {
            let needs = self.prompt(needs, &[]);
            self.ask_after(needs);
        } else {
            self.ask();
        }
    }

    /// A time control number by number: moves, minutes, seconds, and again until all moves are in.
    fn number(&mut self, n: Option<u32>, step: Step) {
        match step {
            Step::WhichBoard => match n.filter(|board| *board > 0) {
                Some(board) => self.enter(Step::TakeOver(board)),
                None => self.ask(),
            },
            Step::Moves(mut done) => {
                let moves = n.filter(|n| *n > 0 && done.len() + 1 < MOST_PERIODS);
                let extra = done.last().map_or(Extra::Increment, |last| last.extra);
                done.push(Stretch { moves, extra, ..Stretch::default() });
                self.enter(Step::Minutes(done));
            }
            Step::Minutes(mut done) => {
                if let Some(last) = done.last_mut() {
                    last.base_s = n.unwrap_or(0).min(1440) * 60;
                }
                self.enter(Step::Seconds(done));
            }
            Step::Seconds(mut done) => {
                let Some(last) = done.last_mut() else { return };
                last.extra_s = n.unwrap_or(0).min(3600);
                if last.moves.is_some() {
                    self.enter(Step::Moves(done));
                    return;
                }
                match controls::control_text(&done) {
                    Some(text) => self.set_control(text),
                    // No time at all.
                    None => self.enter(Step::Control),
                }
            }
            _ => self.again(),
        }
    }

    /// A result in a sentence; `None` for one that has no winner and is no draw.
    pub(super) fn result_words(&self, result: &str) -> Option<Utterance> {
        match result {
            "1-0" => Some(self.prompt(Prompt::SideWins, &[Slot::Player(Color::White)])),
            "0-1" => Some(self.prompt(Prompt::SideWins, &[Slot::Player(Color::Black)])),
            "1/2-1/2" => Some(self.prompt(Prompt::Drawn, &[])),
            _ => None,
        }
    }

    fn tell_result(&mut self) {
        let words = self.result_words(&self.last_result);
        let words = words.unwrap_or_else(|| self.prompt(Prompt::Cancelled, &[]));
        self.reply(words);
    }

    /// Of two blind players each hears his own.
    fn tell_score(&mut self) {
        let Tally { won, drawn, lost } = self.tally;
        for seat in self.earphones() {
            let other = seat.is_some_and(|seat| seat != self.state.owner);
            let (won, lost) = if other { (lost, won) } else { (won, lost) };
            let slots = [Slot::Number(won), Slot::Number(drawn), Slot::Number(lost)];
            let words = self.prompt(Prompt::MatchScore, &slots);
            self.say(Channel::Private, seat, words);
        }
    }

    fn set_duty(&mut self, n: usize, on: bool) {
        if let Some(duty) = DUTIES.get(n) {
            *(duty.of)(&mut self.state.config) = on;
        }
    }
}
