//! Both boards against the starting position, one square at a time, and which way round they lie.
//!
//! Source: FIDE 2.1, 2.3, 7.2, 7.3

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

use super::{Lobby, LobbyOutput, steps::Step};
use crate::{
    game::{At, Channel},
    phrase::{Prompt, Slot, Utterance},
    sensing::{Diff, Step as Hand},
};

/// A board must be still for so long before the next thing is said.
const SETTLE_MS: u64 = 800;

/// How a board stands, as far as it can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// It feels that something stands on a square.
    Occupied(Bitboard),
    /// It knows its pieces.
    Pieces(Board),
}

impl Shown {
    fn occupied(&self) -> Bitboard {
        match self {
            Shown::Occupied(occupied) => *occupied,
            Shown::Pieces(board) => board.occupied(),
        }
    }

    fn fits(&self, wanted: &Board) -> bool {
        match self {
            Shown::Occupied(occupied) => *occupied == wanted.occupied(),
            Shown::Pieces(board) => board == wanted,
        }
    }

    fn turned(&self, board: fn(&mut Board), occupied: fn(Bitboard) -> Bitboard) -> Shown {
        match self {
            Shown::Occupied(all) => Shown::Occupied(occupied(*all)),
            Shown::Pieces(pieces) => {
                let mut pieces = pieces.clone();
                board(&mut pieces);
                Shown::Pieces(pieces)
            }
        }
    }
}

/// What is wrong with a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// It lies the other way round.
    Half,
    /// It lies on its side.
    Quarter,
    /// White stands where Black should.
    Colours,
    /// One square; the hands' next step.
    Square(Hand),
}

/// Whose board is wrong, and how: 0 is the player's own.
pub(super) type Fault = (usize, Wrong);

/// What is wrong first with a board that should stand like `wanted`.
fn wrong(shown: &Shown, wanted: &Board) -> Option<Wrong> {
    if shown.fits(wanted) {
        return None;
    }
    if shown.turned(Board::rotate_180, Bitboard::rotate_180).fits(wanted) {
        return Some(Wrong::Half);
    }
    let quarters = [
        shown.turned(Board::rotate_90, Bitboard::rotate_90),
        shown.turned(Board::rotate_270, Bitboard::rotate_270),
    ];
    if quarters.iter().any(|shown| shown.fits(wanted)) {
        return Some(Wrong::Quarter);
    }
    let Shown::Pieces(board) = shown else {
        let diff = Diff::new(shown.occupied(), wanted.occupied(), Bitboard::EMPTY);
        return diff.step(wanted).map(Wrong::Square);
    };
    let mut exchanged = Board::empty();
    for (square, piece) in board.iter() {
        exchanged.set_piece_at(square, Piece { color: !piece.color, ..piece });
    }
    if exchanged == *wanted {
        return Some(Wrong::Colours);
    }
    let other = |square: &Square| board.piece_at(*square) != wanted.piece_at(*square);
    let differ: Vec<Square> = Square::ALL.into_iter().filter(other).collect();
    let extra = differ.iter().find(|square| board.piece_at(**square).is_some());
    let hand = match extra {
        Some(square) => Hand::Take(*square, None),
        None => {
            let square = *differ.first()?;
            Hand::Put(square, wanted.piece_at(square)?)
        }
    };
    Some(Wrong::Square(hand))
}

impl Lobby {
    fn side_of(&self, seat: Color) -> usize {
        usize::from(seat != self.state.owner)
    }

    fn seat_of(&self, side: usize) -> Color {
        if side == 0 { self.state.owner } else { !self.state.owner }
    }

    pub(super) fn board(&mut self, seat: Color, shown: Shown) {
        let side = self.side_of(seat);
        self.boards[side] = Some(shown);
        self.board_changed();
    }

    pub(super) fn edge(&mut self, seat: Color, square: Square, occupied: bool) {
        let side = self.side_of(seat);
        let Some(Shown::Occupied(all)) = &mut self.boards[side] else { return };
        all.set(square, occupied);
        if !occupied && side == 0 {
            self.lifted(square);
        }
        self.board_changed();
    }

    fn board_changed(&mut self) {
        if matches!(self.state.step, Step::Boards | Step::Ready) {
            let due = At::new(self.at.ms.saturating_add(SETTLE_MS));
            self.due = Some(due);
            self.out.push(LobbyOutput::WakeAt(due));
        }
    }

    /// One pawn says which way round the board lies.
    fn lifted(&mut self, square: Square) {
        let Some((probe, _)) = self.probe().filter(|_| matches!(self.state.step, Step::Boards))
        else {
            return;
        };
        // Other pegs may be out at the same time, while the board is still being set up.
        let shown = self.boards[0].as_ref().map(Shown::occupied).unwrap_or_default();
        let alone = shown | Bitboard::from_square(square) == self.start_board().occupied();
        if alone && square == probe {
            self.oriented = Some(self.state.owner);
        } else if alone && square == probe.rotate_180() {
            self.tell(Prompt::BoardTurned, &[]);
        }
    }

    /// The pawn to lift, while it is not known which way round his board lies: reeds see no colours.
    fn probe(&self) -> Option<(Square, Piece)> {
        let reeds = matches!(self.boards[0], Some(Shown::Occupied(_)));
        let usual = self.start_board() == Board::default();
        if !reeds || !usual || self.oriented == Some(self.state.owner) {
            return None;
        }
        let color = self.state.owner;
        let square = color.fold_wb(Square::E2, Square::E7);
        Some((square, Piece { color, role: Role::Pawn }))
    }

    /// What is wrong first: his own board comes before the opponent's.
    pub(super) fn fault(&self) -> Option<Fault> {
        let wanted = self.start_board();
        let sides = self.boards.iter().enumerate();
        sides.filter_map(|(side, shown)| Some((side, wrong(shown.as_ref()?, &wanted)?))).next()
    }

    /// Nothing more is to be done with the boards.
    pub(super) fn boards_done(&self) -> bool {
        self.state.unchecked || (self.fault().is_none() && self.probe().is_none())
    }

    pub(super) fn boards_unseen(&self) -> bool {
        self.boards.iter().all(Option::is_none)
    }

    /// The boards are still.
    pub(super) fn boards_settled(&mut self) {
        match self.state.step {
            Step::Boards if self.boards_done() => {
                self.place(Step::Ready);
                let fine = self.prompt(Prompt::StartPosition, &[]);
                self.ask_after(fine);
            }
            Step::Boards => {
                // What has been said already is not said again.
                let words = self.question();
                if self.last_words.as_ref() != Some(&words) {
                    self.say_question(words);
                }
            }
            Step::Ready if !self.state.unchecked && self.fault().is_some() => {
                self.place(Step::Boards);
                self.ask();
            }
            _ => {}
        }
    }

    /// What is to be done next.
    pub(super) fn board_words(&self) -> Utterance {
        let Some((side, wrong)) = self.fault() else {
            return match self.probe() {
                Some((square, piece)) => {
                    let slots = [Slot::ColoredPiece(piece), Slot::Square(square)];
                    self.prompt(Prompt::LiftToTest, &slots)
                }
                None => self.prompt(Prompt::StartPosition, &[]),
            };
        };
        match (side, wrong) {
            (0, Wrong::Half) => self.prompt(Prompt::BoardTurned, &[]),
            (0, Wrong::Quarter) => self.prompt(Prompt::BoardQuarterTurned, &[]),
            (_, Wrong::Colours) => self.prompt(Prompt::ColoursReversed, &[]),
            (_, Wrong::Half | Wrong::Quarter) => self.prompt(Prompt::OtherBoardTurned, &[]),
            (0, Wrong::Square(Hand::Put(square, piece))) => {
                self.prompt(Prompt::Put, &[Slot::ColoredPiece(piece), Slot::Square(square)])
            }
            (0, Wrong::Square(Hand::Take(square, _))) => {
                let piece = match &self.boards[0] {
                    Some(Shown::Pieces(board)) => board.piece_at(square),
                    _ => None,
                };
                match piece {
                    Some(piece) => {
                        let slots = [Slot::ColoredPiece(piece), Slot::Square(square)];
                        self.prompt(Prompt::Take, &slots)
                    }
                    None => self.prompt(Prompt::TakeUnknown, &[Slot::Square(square)]),
                }
            }
            (_, Wrong::Square(Hand::Put(square, _) | Hand::Take(square, _))) => {
                self.prompt(Prompt::OtherBoardSquare, &[Slot::Square(square)])
            }
        }
    }

    /// What concerns the other board is for both to hear, unless its player is on pegs too.
    pub(super) fn question_channel(&self) -> Channel {
        let other = match (&self.state.step, self.fault()) {
            (Step::Boards, Some((side, _))) if side > 0 => Some(self.seat_of(side)),
            _ => None,
        };
        if other.is_some() { Channel::Public } else { Channel::Private }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(fen: &str) -> Shown {
        Shown::Pieces(fen.parse().expect("a board"))
    }

    #[test]
    fn a_board_that_lies_wrong_is_told_from_one_that_is_set_up_wrong() {
        let wanted = Board::default();
        for (fen, what) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", None),
            ("RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr", Some(Wrong::Half)),
            ("RNBQKBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbqkbnr", Some(Wrong::Colours)),
            (
                "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
                Some(Wrong::Square(Hand::Take(Square::D8, None))),
            ),
            (
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
                Some(Wrong::Square(Hand::Take(Square::E4, None))),
            ),
        ] {
            assert_eq!(wrong(&pieces(fen), &wanted), what, "{fen}");
        }
        let mut side = Board::default();
        side.rotate_90();
        assert_eq!(wrong(&Shown::Pieces(side.clone()), &wanted), Some(Wrong::Quarter));
        assert_eq!(wrong(&Shown::Occupied(side.occupied()), &wanted), Some(Wrong::Quarter));
        let pawn = Hand::Put(Square::A2, Piece { color: Color::White, role: Role::Pawn });
        let without = Shown::Occupied(wanted.occupied().without(Square::A2));
        assert_eq!(wrong(&without, &wanted), Some(Wrong::Square(pawn)));
    }
}
