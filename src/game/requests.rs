//! Answers, only when asked, on the private channel (D.2.6, D.2.10.4).

use shakmaty::Color;

use super::{Article, Output, Play, Refused, Urgency};
use crate::phrase::{Command, Prompt, Slot};

impl Play {
    /// A request of the player of this colour.
    pub(super) fn request(&mut self, speaker: Color, command: Command) -> Result<(), Refused> {
        let (white_ms, black_ms, _) = self.clock.reading(self.at);
        let (mine, theirs) =
            if speaker.is_white() { (white_ms, black_ms) } else { (black_ms, white_ms) };
        let answer = Urgency::Answer;
        let informing = matches!(
            command,
            Command::MyTime
                | Command::OpponentTime
                | Command::BothTimes
                | Command::MovesMade
                | Command::MovesToControl
        );
        if informing && !self.config.duties.inform {
            let text = "informing on time and moves is switched off in [duties]";
            return Err(Refused::new(Article::D_2_10_4, text));
        }
        if informing && !self.seats[speaker].blind {
            let text = "only the blind player is informed of times and moves";
            return Err(Refused::new(Article::D_2_10_4, text));
        }
        match command {
            Command::Stop => self.out.push(Output::Hush),
            Command::Repeat => {
                if let Some(words) = self.last_words.clone() {
                    self.say(super::Channel::Private, answer, words);
                }
            }
            Command::StartClock => return self.start_clock(),
            Command::Press => return self.pressed(speaker),
            Command::LastMove => self.tell_last_move(),
            Command::WhoseMove => {
                let mover = self.mover();
                self.tell(answer, Prompt::WhoseMove, &[Slot::Player(mover)]);
            }
            Command::MyTime => self.tell(answer, Prompt::YourTime, &[Slot::Duration(mine)]),
            Command::OpponentTime => {
                self.tell(answer, Prompt::OpponentTime, &[Slot::Duration(theirs)]);
            }
            Command::BothTimes => {
                let slots = [Slot::Duration(mine), Slot::Duration(theirs)];
                self.tell(answer, Prompt::BothTimes, &slots);
            }
            Command::MovesMade => {
                let made = self.line.iter().filter(|ply| ply.mover == speaker).count();
                let made = u32::try_from(made).unwrap_or(u32::MAX);
                self.tell(answer, Prompt::MovesMade, &[Slot::Number(made)]);
            }
            Command::MovesToControl => match self.clock.moves_to_control(speaker) {
                Some(left) => self.tell(answer, Prompt::MovesToControl, &[Slot::Number(left)]),
                None => self.tell(answer, Prompt::NoControl, &[]),
            },
            Command::Pending => self.tell_pending(),
            Command::Help => self.tell(answer, Prompt::HelpShort, &[]),
            // Requests that need the spoken dialogue are not understood yet.
            _ => self.tell(answer, Prompt::NotHeard, &[]),
        }
        Ok(())
    }

    fn tell_last_move(&mut self) {
        let Some(ply) = self.line.last() else {
            self.tell(Urgency::Answer, Prompt::NoMoveYet, &[]);
            return;
        };
        let pos = self.positions[self.line.len() - 1].clone();
        let slot = Slot::Move { pos: &pos, mv: ply.mv, form: self.form() };
        self.tell(Urgency::Answer, Prompt::LastMove, &[slot]);
    }

    fn tell_pending(&mut self) {
        let pos = self.position().clone();
        let form = self.form();
        let slot = |mv| [Slot::Move { pos: &pos, mv, form }];
        let executed = self.turn.executed.as_ref().map(|executed| executed.mv);
        match (self.turn.announced.map(|announced| announced.mv), executed) {
            (Some(mv), None) => {
                self.tell(Urgency::Answer, Prompt::AnnouncedNotExecuted, &slot(mv));
            }
            (None, Some(mv)) => {
                self.tell(Urgency::Answer, Prompt::ExecutedNotAnnounced, &slot(mv));
            }
            _ => self.tell(Urgency::Answer, Prompt::NothingPending, &[]),
        }
    }
}
