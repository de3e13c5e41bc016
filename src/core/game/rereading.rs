//! Moves read again from the score, and the walk through it when the game is over. Nothing is said
//! that is not in the score.
//!
//! Source: FIDE D.2.10.4

use shakmaty::{Chess, Color, Position, Square};

use super::{Play, Urgency};
use annabella_words::phrase::{Prompt, SetupWord, Slot, Utterance};

/// A mouth holds so many answers at most; each of a long reading is begun while the next is
/// rendered.
const PORTIONS: usize = 12;

/// Which moves are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Again {
    /// The one before the last.
    BeforeLast,
    /// The last so many.
    Last(u8),
    /// Those with this number.
    Number(u8),
    /// Those from this number on.
    From(u8),
    /// This player's last.
    Of(Color),
}

/// A step of the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    Back,
    On,
    Start,
    End,
}

impl Play {
    /// The number of the last move in the score, at most what can be asked for.
    pub(super) fn last_number(&self) -> u8 {
        let last = self.line.len().checked_sub(1);
        last.map_or(0, |ply| u8::try_from(self.number(ply)).unwrap_or(u8::MAX))
    }

    /// The number of a ply's move in the score.
    fn number(&self, ply: usize) -> u32 {
        self.line.positions()[ply].fullmoves().get()
    }

    pub(super) fn tell_again(&mut self, speaker: Color, again: Again) {
        let count = self.line.len();
        let too_few = match count {
            0 => Some(Prompt::NoMoveYet),
            1 if again == Again::BeforeLast => Some(Prompt::OneMoveYet),
            _ => None,
        };
        if let Some(prompt) = too_few {
            self.tell(speaker, Urgency::Answer, prompt, &[]);
            return;
        }
        let portions = match again {
            Again::Of(mover) => match self.line.iter().rposition(|ply| ply.mover == mover) {
                Some(ply) => vec![self.move_again(ply)],
                None => {
                    self.tell(speaker, Urgency::Answer, Prompt::NoMoveYet, &[]);
                    return;
                }
            },
            Again::BeforeLast => vec![self.move_again(count - 2)],
            Again::Last(n) => {
                let plies = count.saturating_sub(usize::from(n))..count;
                vec![Utterance::joined(plies.map(|ply| self.move_again(ply)))]
            }
            Again::Number(n) | Again::From(n) => {
                let wanted = u32::from(n);
                let asked = |number: u32| match again {
                    Again::From(_) => number >= wanted,
                    _ => number == wanted,
                };
                let plies: Vec<usize> = (0..count).filter(|ply| asked(self.number(*ply))).collect();
                let moves: Vec<Utterance> = plies
                    .chunk_by(|a, b| self.number(*a) == self.number(*b))
                    .map(|plies| self.numbered(plies))
                    .collect();
                if moves.is_empty() {
                    let slots = [Slot::Number(wanted)];
                    self.tell(speaker, Urgency::Answer, Prompt::NoSuchMove, &slots);
                    return;
                }
                let portion = moves.len().div_ceil(PORTIONS);
                moves.chunks(portion).map(|some| Utterance::joined(some.to_vec())).collect()
            }
        };
        let all = Utterance::joined(portions.iter().cloned());
        for portion in portions {
            self.say_in_ear(speaker, Urgency::Answer, portion);
        }
        // "Wiederhole" means all of it.
        let ear = self.earphone(Some(speaker));
        self.mouth.last[ear].words = Some(all);
    }

    /// "Springer Gustav eins Felix drei."
    fn move_again(&self, ply: usize) -> Utterance {
        let slot = Slot::Move {
            pos: &self.line.positions()[ply],
            mv: self.line[ply].mv,
            form: self.form(),
        };
        self.terms.words.prompt(Prompt::LastMove, &[slot])
    }

    /// "Zwölf." and the moves of these plies.
    fn numbered(&self, plies: &[usize]) -> Utterance {
        let number = plies.first().map_or(0, |ply| self.number(*ply));
        let number = self.terms.words.label(&self.terms.words.prompts().number(number));
        let moves = plies.iter().map(|ply| self.move_again(*ply));
        Utterance::joined(std::iter::once(number).chain(moves))
    }

    /// The squares that are different since before the opponent's last move: first those that are
    /// empty now.
    pub(super) fn tell_changed(&mut self, speaker: Color) {
        let Some(ply) = self.line.iter().rposition(|ply| ply.mover != speaker) else {
            self.tell(speaker, Urgency::Answer, Prompt::NoMoveYet, &[]);
            return;
        };
        let (before, now) = (self.line.positions()[ply].board(), self.position().board());
        let differs = |square: &Square| before.piece_at(*square) != now.piece_at(*square);
        let (empty, filled): (Vec<Square>, Vec<Square>) = Square::ALL
            .into_iter()
            .filter(differs)
            .partition(|square| now.piece_at(*square).is_none());
        let squares = empty.into_iter().chain(filled);
        let words = Utterance::joined(squares.map(|square| self.square_words(square)));
        self.say_in_ear(speaker, Urgency::Answer, words);
    }

    /// One step through the score of a game that is over. Questions about the position are answered
    /// for the place reached.
    pub(super) fn walks_score(&mut self, speaker: Color, pace: Pace) {
        let end = self.line.len();
        let at = self.looked_at().unwrap_or(end);
        let (to, told) = match pace {
            Pace::Back if at == 0 => (0, None),
            Pace::Back => (at - 1, (at - 1).checked_sub(1)),
            Pace::On if at == end => (end, None),
            Pace::On => (at + 1, Some(at)),
            Pace::Start => (0, None),
            Pace::End => (end, end.checked_sub(1)),
        };
        self.course.looks_at(to);
        let words = match told {
            Some(ply) => self.numbered(&[ply]),
            None if to == 0 => self.terms.words.prompt(Prompt::ScoreBegins, &[]),
            None => self.terms.words.prompt(Prompt::ScoreEnds, &[]),
        };
        self.say_in_ear(speaker, Urgency::Answer, words);
    }

    /// Who has played a game that is over, for whoever comes to go through it: how it ended he
    /// hears anyway.
    pub(super) fn names_words(&self) -> Utterance {
        let called = |name: &str, side: SetupWord| match name {
            "" => self.terms.words.prompts().setup(side).first().cloned().unwrap_or_default(),
            name => name.to_owned(),
        };
        let white = called(&self.terms.config.white, SetupWord::White);
        let black = called(&self.terms.config.black, SetupWord::Black);
        self.terms.words.prompt(Prompt::NamesAre, &[Slot::Text(&white), Slot::Text(&black)])
    }

    /// So many half-moves of a finished game the walk has come to; `None`: nobody walks.
    pub(super) fn looked_at(&self) -> Option<usize> {
        self.course.looked_at()
    }

    /// The position that questions are about: the game's, or when that is over the one reached in
    /// the score.
    pub(super) fn asked_position(&self) -> &Chess {
        self.looked_at().and_then(|at| self.line.positions().get(at)).unwrap_or(self.position())
    }
}
