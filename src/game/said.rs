//! What players say, taken into the game.

use shakmaty::{Chess, Color, Move, Role};

use super::{Play, Refused, Urgency};
use crate::{
    laws::Article,
    phrase::{Command, Form, Prompt, Slot, Understood, understand},
};

impl Play {
    /// Somebody said something; hypotheses best first. Without a seat the player to move is meant,
    /// or whoever's answer is awaited.
    pub(super) fn said(&mut self, seat: Option<Color>, heard: &[String]) -> Result<(), Refused> {
        let speaker = seat.unwrap_or_else(|| self.mover());
        // His own last move can still be corrected or repeated until its clock is pressed.
        let reopened = self.line.last().is_some_and(|ply| {
            ply.completed.is_none() && (seat.is_none() || seat == Some(ply.mover))
        });
        for text in heard {
            let here = self.position().clone();
            match understand(&self.words, &here, text) {
                Understood::NotHeard => {
                    if reopened && self.said_about_last(text) {
                        return Ok(());
                    }
                }
                Understood::Illegal(spoken) => {
                    if reopened && self.said_about_last(text) {
                        return Ok(());
                    }
                    self.tell(Urgency::Alert, Prompt::IllegalSpoken, &[Slot::Spoken(&spoken.text)]);
                    return Ok(());
                }
                understood => {
                    // The last move said again is no new move of the opponent's, unless it is his.
                    if seat.is_some()
                        && seat != Some(self.mover())
                        && reopened
                        && self.said_about_last(text)
                    {
                        return Ok(());
                    }
                    return self.understood(speaker, &here, understood);
                }
            }
        }
        self.tell(Urgency::Answer, Prompt::NotHeard, &[]);
        Ok(())
    }

    fn understood(
        &mut self,
        speaker: Color,
        here: &Chess,
        understood: Understood,
    ) -> Result<(), Refused> {
        match understood {
            Understood::Move(mv) => self.says_move(speaker, mv),
            Understood::Ambiguous(moves) => {
                self.ambiguous(here, &moves);
                Ok(())
            }
            Understood::Piece(role) => {
                self.names_piece(role);
                Ok(())
            }
            Understood::Correction(inner) => self.understood(speaker, here, *inner),
            Understood::Command(Command::Adjust) => self.adjusts(speaker),
            // Claims with an intended move come with the rest of the dialogue.
            Understood::Claim { .. } => Ok(()),
            Understood::Command(command) => self.commanded(speaker, command),
            // Handled by the caller.
            Understood::Illegal(_) | Understood::NotHeard => Ok(()),
        }
    }

    fn says_move(&mut self, speaker: Color, mv: Move) -> Result<(), Refused> {
        if self.ended.is_some() {
            return Err(Refused::new(Article::A5_1_1, "the game is over"));
        }
        if speaker != self.mover() {
            let words = self.words.prompt(Prompt::NotYourTurn, &[]);
            return Err(Refused::new(Article::A6_2_1, "the opponent is to move").saying(words));
        }
        self.announced(mv);
        Ok(())
    }

    /// Tries to understand the words as one about the last made move, which its clock has not
    /// completed: said again, or corrected (D.2.8).
    fn said_about_last(&mut self, text: &str) -> bool {
        let Some(ply) = self.line.last() else {
            return false;
        };
        let (last, before) = (ply.mv, self.positions[self.line.len() - 1].clone());
        let mut understood = understand(&self.words, &before, text);
        while let Understood::Correction(inner) = understood {
            understood = *inner;
        }
        match understood {
            Understood::Move(mv) if mv == last => true,
            Understood::Move(mv) => {
                self.retract();
                let origin = self.origin(self.mover());
                self.seats[origin].plies = self.seats[origin].plies.min(self.line.len() + 1);
                self.corrects(mv);
                true
            }
            _ => false,
        }
    }

    /// A slip of the tongue is corrected before the clock is pressed: the pegs are to follow.
    fn corrects(&mut self, mv: Move) {
        let origin = self.origin(self.mover());
        let executed = self.seats[origin].tracker().and_then(|tracker| tracker.executed());
        if let Some(tracker) = self.seats[origin].tracker_mut() {
            tracker.announce_instead(mv);
        }
        self.announced(mv);
        if let Some(executed) = executed.filter(|executed| *executed != mv) {
            self.announced_differs(mv, executed);
        }
    }

    fn ambiguous(&mut self, here: &Chess, moves: &[Move]) {
        let origin = self.origin(self.mover());
        let asked: Vec<Move> = self.seats[origin]
            .tracker()
            .map(|tracker| {
                tracker.asked().iter().filter(|mv| moves.contains(mv)).copied().collect()
            })
            .unwrap_or_default();
        // What the pegs show and what was said may agree on one.
        if let [mv] = asked.as_slice() {
            self.announced(*mv);
            return;
        }
        let slot = |mv: Move| Slot::Move { pos: here, mv, form: Form::Full };
        match moves {
            [first, second] => {
                let slots = [slot(*first), slot(*second)];
                self.tell(Urgency::Alert, Prompt::WhichMove, &slots);
            }
            _ => self.tell(Urgency::Alert, Prompt::WhichMoves, &[Slot::Moves { pos: here, moves }]),
        }
    }

    /// "Dame": the promotion piece, asked for or named beforehand.
    fn names_piece(&mut self, role: Role) {
        let origin = self.origin(self.mover());
        let asked: Option<Move> = self.seats[origin].tracker().and_then(|tracker| {
            tracker.asked().iter().find(|mv| mv.promotion() == Some(role)).copied()
        });
        match asked {
            Some(mv) => self.announced(mv),
            None => self.seats[origin].named = Some(role),
        }
    }

    fn adjusts(&mut self, speaker: Color) -> Result<(), Refused> {
        if speaker != self.mover() {
            return Err(Refused::new(Article::A4_2_1, "only the player to move may adjust"));
        }
        let origin = self.origin(speaker);
        if let Some(tracker) = self.seats[origin].tracker_mut() {
            tracker.adjust();
        }
        Ok(())
    }

    fn commanded(&mut self, speaker: Color, command: Command) -> Result<(), Refused> {
        self.request(speaker, command)
    }
}
