//! The newest lines of the journal for the arbiter: speech, touches, presses, decisions.

use std::collections::VecDeque;

use super::view::{EventKind, LoggedEvent};
use annabella_core::{
    game::{
        At, Channel, ClockNews, Game, HandStep, Input, LeverPressed, MoveState, Output, PageAct,
        Refused,
    },
    laws::Article,
};
use annabella_words::phrase::{Note, Utterance};

/// Lines kept; older ones are in the journal.
const KEPT: usize = 200;
/// Sentences that a display shows.
const SAID: usize = 6;

/// The newest things that happened.
#[derive(Clone, Debug, Default)]
pub struct Log {
    events: VecDeque<LoggedEvent>,
    /// What White has still to do to his board, then Black.
    correcting: [Vec<HandStep>; 2],
    /// Announcements, and texts for a deaf player to read, the newest last.
    said: VecDeque<Utterance>,
    /// A move was made since the last of them.
    moved_on: bool,
    /// Who has entered the last move on a page.
    entered_by: String,
    /// When the game began, by the calendar and by the journal's own time.
    began: (u64, u64),
}

impl Log {
    /// An empty log.
    pub fn new() -> Log {
        Log::default()
    }

    /// The log of a journal's inputs, after a restart.
    pub fn replay(inputs: impl IntoIterator<Item = (At, Input)>) -> Log {
        let (mut game, mut log) = (Game::new(), Log::new());
        for (at, input) in inputs {
            log.input(at, &input);
            match game.handle(at, input) {
                Ok(outputs) => outputs.iter().for_each(|output| log.output(at, output)),
                Err(refused) => log.refused(at, &refused),
            }
        }
        log
    }

    /// Tells the game from every other: a number of a journal can be given twice, and a clock
    /// without a battery can show a time twice, but no journal has a moment twice.
    pub(super) fn game(&self) -> String {
        let (unix_s, at_ms) = self.began;
        format!("{unix_s}-{at_ms}")
    }

    /// The newest things, oldest first.
    pub fn events(&self) -> impl DoubleEndedIterator<Item = &LoggedEvent> {
        self.events.iter()
    }

    /// What White has still to do to his board after a decision, then Black.
    pub fn correcting(&self) -> &[Vec<HandStep>; 2] {
        &self.correcting
    }

    /// Announcements, the newest last.
    pub fn said(&self) -> impl Iterator<Item = &Utterance> {
        self.said.iter()
    }

    /// The last announcement, where no move was made after it.
    pub(super) fn newest(&self) -> Option<&Utterance> {
        self.said.back().filter(|_| !self.moved_on)
    }

    pub(super) fn entered_by(&self) -> &str {
        &self.entered_by
    }

    /// An input reached the game.
    pub fn input(&mut self, at: At, input: &Input) {
        let words = |text: &str| Note::Words(text.to_owned());
        if let Input::Started(started) = input {
            self.began = (started.unix_s, at.ms);
        }
        let (kind, seat, text) = match input {
            Input::Edge { seat, square, occupied: false, .. } => {
                (EventKind::Lifted, Some(*seat), words(&square.to_string()))
            }
            Input::Said { seat, heard } => {
                let text = heard.first().map_or("", String::as_str);
                (EventKind::Heard, *seat, words(text))
            }
            // The outputs report what a button does.
            Input::Button { .. } => return,
            Input::Pressed { seat }
            | Input::Clock(ClockNews::Pressed(LeverPressed { seat, .. })) => {
                (EventKind::Pressed, Some(*seat), words(""))
            }
            Input::Sighted { seat, uci } => (EventKind::BoardShows, Some(*seat), words(uci)),
            Input::Page(entry) => match &entry.act {
                PageAct::Executed { seat, uci } | PageAct::Mistyped { seat, uci } => {
                    self.entered_by.clone_from(&entry.by);
                    (EventKind::BoardShows, Some(*seat), words(uci))
                }
                PageAct::Pressed { seat } => (EventKind::Pressed, Some(*seat), words("")),
                PageAct::Corrected { seat } => {
                    (EventKind::BoardShows, Some(*seat), Note::Corrected)
                }
                PageAct::Stands { seat, fen } => (EventKind::BoardShows, Some(*seat), words(fen)),
                PageAct::Score { seat, .. } => {
                    (EventKind::BoardShows, Some(*seat), Note::ScoreHandedIn)
                }
                PageAct::Says { seat, word } => (EventKind::Heard, Some(*seat), word.note()),
                // The outputs report it as a problem.
                PageAct::CallArbiter { .. }
                | PageAct::CompareBoards
                | PageAct::ReadOut
                | PageAct::Clock(_)
                | PageAct::RunClocks { .. }
                | PageAct::GoBack { .. }
                | PageAct::Ended { .. }
                | PageAct::Tells { .. } => return,
            },
            _ => return,
        };
        self.push(at, kind, seat, text, None);
    }

    pub fn output(&mut self, at: At, output: &Output) {
        match output {
            Output::Say { channel: Channel::Public, words, .. } | Output::Show { words, .. } => {
                self.moved_on = false;
                self.said.push_back(words.clone());
                if self.said.len() > SAID {
                    self.said.pop_front();
                }
            }
            Output::Heard(heard) => {
                self.push(at, EventKind::Heard, None, Note::Words(heard.brief()), None);
            }
            Output::Move { san, seat, state, ply, .. } => {
                let kind = match state {
                    MoveState::Made => {
                        self.moved_on = true;
                        EventKind::MoveMade
                    }
                    MoveState::Completed => EventKind::MoveCompleted,
                    MoveState::Executed | MoveState::Announced => return,
                };
                self.push(at, kind, Some(*seat), Note::Words(numbered(*ply, san)), None);
            }
            Output::Problem { article, text, .. } => {
                self.push(at, EventKind::Problem, None, text.clone(), Some(*article));
            }
            Output::Ruled(ruled) => {
                let act = ruled.done.as_ref().unwrap_or(&ruled.ruling.act);
                let mut text = super::words::act_note(act);
                if ruled.done.is_none() {
                    text = Note::Dismissed;
                }
                self.push(at, EventKind::Ruling, None, text, None);
                if let Some(event) = self.events.back_mut() {
                    event.by = [ruled.ruling.by.clone(), ruled.ruling.reason.clone()];
                }
            }
            Output::Touched { seat, square, piece } => {
                let text = Note::Words(square.to_string());
                self.push(at, EventKind::Lifted, Some(*seat), text, None);
                if let Some(event) = self.events.back_mut() {
                    event.piece = Some(*piece);
                }
            }
            Output::Correct { seat, steps } => {
                self.correcting[usize::from(seat.is_black())].clone_from(steps);
            }
            Output::Result { result, reason, article } => {
                self.push(at, EventKind::Result(*result), None, reason.clone(), Some(*article));
            }
            _ => {}
        }
    }

    /// The game refused it.
    pub fn refused(&mut self, at: At, refused: &Refused) {
        refused.meanwhile.iter().for_each(|output| self.output(at, output));
        self.push(at, EventKind::Problem, None, refused.text.clone(), Some(refused.article));
    }

    fn push(
        &mut self,
        at: At,
        kind: EventKind,
        seat: Option<shakmaty::Color>,
        text: Note,
        article: Option<Article>,
    ) {
        if self.events.len() == KEPT {
            self.events.pop_front();
        }
        let (piece, by) = (None, Default::default());
        self.events.push_back(LoggedEvent { at_ms: at.ms, kind, seat, text, piece, by, article });
    }
}

/// `12. Nf3`, `12... Nf6`.
pub(super) fn numbered(ply: u32, san: &str) -> String {
    let number = ply.div_ceil(2);
    let dots = if ply % 2 == 1 { "." } else { "..." };
    format!("{number}{dots} {san}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_move_is_numbered_as_in_a_score() {
        assert_eq!(numbered(1, "e4"), "1. e4");
        assert_eq!(numbered(2, "e5"), "1... e5");
        assert_eq!(numbered(23, "Nf3"), "12. Nf3");
    }

    #[test]
    fn only_the_newest_lines_are_kept() {
        let mut log = Log::new();
        for n in 0..1_000 {
            let seat = shakmaty::Color::White;
            log.input(At::new(n), &Input::Pressed { seat });
        }
        assert_eq!(log.events().count(), KEPT);
        assert_eq!(log.events().next().map(|event| event.at_ms), Some(800));
    }
}
