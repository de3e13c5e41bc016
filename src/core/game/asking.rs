//! What a player asks in his own words about the game as a whole: where all pieces stand, who
//! plays, under which time control. A sighted player sees each of these at a glance; none judges
//! the position.

use shakmaty::{CastlingSide, Color, Piece, Position, Role, Square};

use super::{Outcome, Play, Urgency, clock::TimeControl};
use annabella_words::phrase::{Command, Prompt, Slot, Utterance};

/// In the order in which they are read: as a position is set up.
const ROLES: [Role; 6] =
    [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// What the arbiter's own result comes to.
pub(super) fn declared(result: Outcome) -> (Prompt, Vec<Slot<'static>>) {
    let half =
        |player: Color| (Prompt::HalfPoint, vec![Slot::Player(player), Slot::Player(!player)]);
    match result {
        Outcome::HalfToWhite => half(Color::White),
        Outcome::HalfToBlack => half(Color::Black),
        Outcome::Annulled => (Prompt::Annulled, Vec::new()),
        _ => (Prompt::BothLost, Vec::new()),
    }
}

impl Play {
    /// What is asked is about the game as a whole.
    pub(super) fn tells_about(&mut self, speaker: Color, command: Command) -> bool {
        let answer = Urgency::Answer;
        match command {
            Command::Position => {
                for color in Color::ALL {
                    let whose = self.terms.words.prompt(Prompt::PiecesOf, &[Slot::Player(color)]);
                    let words = Utterance::joined([whose, self.pieces_words(color)]);
                    self.say_in_ear(speaker, answer, words);
                }
            }
            Command::Pieces { mine } => {
                let words = self.pieces_words(if mine { speaker } else { !speaker });
                self.say_in_ear(speaker, answer, words);
            }
            Command::PiecesOf { white } => {
                let words = self.pieces_words(Color::from_white(white));
                self.say_in_ear(speaker, answer, words);
            }
            Command::Result => self.tell_result(speaker),
            Command::NextGame if !self.is_over() => {
                self.tell(speaker, answer, Prompt::NoResultYet, &[]);
            }
            Command::NextGame => self.tell(speaker, answer, Prompt::NextGameHow, &[]),
            Command::Leave => self.tell(speaker, answer, Prompt::LeaveHow, &[]),
            Command::Report => self.tell(speaker, answer, Prompt::ReportHow, &[]),
            Command::RunningClock => self.tells_running(speaker),
            Command::Castling => self.tells_castling(speaker),
            Command::InCheck => {
                let position = self.asked_position();
                let (turn, checked) = (position.turn(), position.is_check());
                match checked {
                    true => self.tell(speaker, answer, Prompt::InCheck, &[Slot::Player(turn)]),
                    false => self.tell(speaker, answer, Prompt::NoCheck, &[]),
                }
            }
            Command::MyColour => {
                self.tell(speaker, answer, Prompt::YouHave, &[Slot::Player(speaker)]);
            }
            Command::OpponentName => {
                let name =
                    speaker.fold_wb(&self.terms.config.black, &self.terms.config.white).clone();
                match name.trim() {
                    "" => self.tell(speaker, answer, Prompt::OpponentUnknown, &[]),
                    name => self.tell(speaker, answer, Prompt::YourOpponent, &[Slot::Text(name)]),
                }
            }
            Command::TimeControl => {
                // A game begins with one that can be read.
                let control: TimeControl =
                    self.terms.config.time_control.parse().unwrap_or_default();
                let control = self.terms.words.prompts().time_control(&control.stretches());
                self.tell(speaker, answer, Prompt::TimeControlIs, &[Slot::Text(&control)]);
            }
            _ => return false,
        }
        true
    }

    fn tell_result(&mut self, speaker: Color) {
        let answer = Urgency::Answer;
        let Some(result) = self.course.ended().map(|ended| ended.result) else {
            return self.tell(speaker, answer, Prompt::NoResultYet, &[]);
        };
        match result.winner() {
            Some(winner) => {
                self.tell(speaker, answer, Prompt::SideWins, &[Slot::Player(winner)]);
            }
            None if result == Outcome::Draw => self.tell(speaker, answer, Prompt::Drawn, &[]),
            None => {
                let (prompt, players) = declared(result);
                self.tell(speaker, answer, prompt, &players);
            }
        }
    }

    fn tells_running(&mut self, speaker: Color) {
        let answer = Urgency::Answer;
        match self.timing.clock.running() {
            Some(player) => {
                self.tell(speaker, answer, Prompt::ClockRuns, &[Slot::Player(player)]);
            }
            None => {
                let stopped = || self.terms.words.prompt(Prompt::ClockStopped, &[]);
                let words = self.clocks_stand(Some(speaker)).or_else(|| self.not_begun());
                self.say_to(speaker, answer, words.unwrap_or_else(stopped));
            }
        }
    }

    /// Whether king and rooks have moved stands in the score, which he has (D.2.7). Whether he can
    /// castle now he sees for himself.
    fn tells_castling(&mut self, speaker: Color) {
        let rights = self.asked_position().castles();
        let kept = CastlingSide::ALL.into_iter().filter(|side| rights.has(speaker, *side));
        let names: Vec<&str> =
            kept.map(|side| self.terms.words.prompts().castling(side).text.as_str()).collect();
        let words = match names.is_empty() {
            true => self.terms.words.prompt(Prompt::NoCastling, &[]),
            false => {
                let names = [Slot::Text(&names.join(", "))];
                self.terms.words.prompt(Prompt::NotMovedYet, &names)
            }
        };
        self.say_in_ear(speaker, Urgency::Answer, words);
    }

    /// Where the pieces of a kind stand: "Springer: Bella eins. Felix drei." `None`: there are
    /// none.
    pub(super) fn where_words(&self, piece: Piece) -> Option<Utterance> {
        let pieces = self.pieces(|_, other| other == piece);
        let mut squares: Vec<Square> = pieces.iter().map(|(square, _)| *square).collect();
        // File by file, as pawns are thought of.
        squares.sort_by_key(|square| (square.file(), square.rank()));
        let name = match squares.len() {
            0 => return None,
            1 => Slot::Piece(piece.role),
            _ => Slot::Several(piece.role),
        };
        Some(self.terms.words.prompt(Prompt::WherePieces, &[name, Slot::ByRank(&squares)]))
    }

    fn pieces_words(&self, color: Color) -> Utterance {
        Utterance::joined(
            ROLES.iter().filter_map(|role| self.where_words(Piece { role: *role, color })),
        )
    }
}
