//! Both boards against the starting position, one square at a time, and which way round they lie.
//!
//! Source: FIDE 2.1, 2.3, 7.2, 7.3

use shakmaty::{Bitboard, Board, ByColor, Color, Piece, Role, Square};

use super::{Lobby, steps::Step};
use crate::{
    game::{At, Channel, HandsKnown},
    questionnaire::Questionnaire,
    sensing::{Diff, PegStep as Hand},
};
use annabella_words::phrase::{Prompt, Slot, Utterance};

/// A board must be still for this long before the next step is spoken.
const SETTLE_MS: u64 = 800;

/// How a board stands, as far as it can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardShown {
    /// A board that senses occupied squares only.
    Occupied(Bitboard),
    Pieces(Board),
}

impl BoardShown {
    fn occupied(&self) -> Bitboard {
        match self {
            BoardShown::Occupied(occupied) => *occupied,
            BoardShown::Pieces(board) => board.occupied(),
        }
    }

    fn fits(&self, wanted: &Board) -> bool {
        match self {
            BoardShown::Occupied(occupied) => *occupied == wanted.occupied(),
            BoardShown::Pieces(board) => board == wanted,
        }
    }

    fn turned(&self, board: fn(&mut Board), occupied: fn(Bitboard) -> Bitboard) -> BoardShown {
        match self {
            BoardShown::Occupied(all) => BoardShown::Occupied(occupied(*all)),
            BoardShown::Pieces(pieces) => {
                let mut pieces = pieces.clone();
                board(&mut pieces);
                BoardShown::Pieces(pieces)
            }
        }
    }
}

/// A fault of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// The board lies the other way round.
    Half,
    /// The board lies on its side.
    Quarter,
    /// White stands where Black should.
    Colours,
    /// One square; the hands' next step.
    Square(Hand),
}

/// The first fault of a board that should show `wanted`.
fn wrong(shown: &BoardShown, wanted: &Board) -> Option<Wrong> {
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
    let BoardShown::Pieces(board) = shown else {
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
    fn place_of(&self, seat: Color) -> usize {
        // Two boards stay before their colours.
        usize::from(if self.second_board { seat.is_black() } else { seat != self.state.owner })
    }

    pub(super) fn shown(&self, seat: Color) -> Option<&BoardShown> {
        self.boards[self.place_of(seat)].as_ref()
    }

    /// Whether he plays on pegs.
    fn is_on_pegs(&self, seat: Color) -> bool {
        self.state.config.blind.is(seat)
    }

    /// The players whose boards are checked, those on pegs first. A second peg board before a
    /// sighted player is not part of the game.
    fn watched(&self) -> impl Iterator<Item = Color> {
        let own = self.state.owner;
        [own, !own].into_iter().filter(|seat| !self.second_board || self.is_on_pegs(*seat))
    }

    pub(super) fn board(&mut self, seat: Color, shown: BoardShown) {
        let place = self.place_of(seat);
        self.boards[place] = Some(shown);
        self.board_changed();
    }

    pub(super) fn edge(&mut self, seat: Color, square: Square, occupied: bool) {
        let place = self.place_of(seat);
        let Some(BoardShown::Occupied(all)) = &mut self.boards[place] else { return };
        all.set(square, occupied);
        if !occupied {
            self.lifted(seat, square);
        }
        self.board_changed();
    }

    fn board_changed(&mut self) {
        if matches!(self.state.step, Step::Boards | Step::Ready) {
            self.due = Some(At::new(self.at.ms.saturating_add(SETTLE_MS)));
        }
    }

    /// One pawn shows which way round the board lies.
    fn lifted(&mut self, seat: Color, square: Square) {
        if !matches!(self.state.step, Step::Boards) {
            return;
        }
        let Some((probe, _)) = self.probe(seat) else { return };
        // Other pegs may be out at the same time, while the board is still being set up.
        let shown = self.shown(seat).map(BoardShown::occupied).unwrap_or_default();
        let alone = shown | Bitboard::from_square(square) == self.start_board().occupied();
        if alone && square == probe {
            if !self.second_board {
                // The one board goes with its player: for the other colour it is asked again.
                self.oriented = ByColor::default();
            }
            self.oriented[seat] = true;
        } else if alone && square == probe.rotate_180() {
            let words = self.prompt(Prompt::BoardTurned, &[]);
            self.guided[seat] = None;
            self.say(Channel::Private, self.are_two().then_some(seat), words);
        }
    }

    /// The pawn to lift, while it is not known which way round his board lies: reeds see no
    /// colours.
    fn probe(&self, seat: Color) -> Option<(Square, Piece)> {
        let reeds = matches!(self.shown(seat), Some(BoardShown::Occupied(_)));
        let usual = self.start_board() == Board::default();
        let known = self.oriented[seat] || self.state.unchecked[seat];
        if !self.is_on_pegs(seat) || !reeds || !usual || known {
            return None;
        }
        let square = seat.fold_wb(Square::E2, Square::E7);
        Some((square, Piece { color: seat, role: Role::Pawn }))
    }

    /// The fault of this player's board, unless he said that it need not fit.
    fn fault_of(&self, seat: Color) -> Option<Wrong> {
        let shown = self.shown(seat).filter(|_| !self.state.unchecked[seat])?;
        wrong(shown, &self.start_board())
    }

    /// The first fault, and whose board it is. The owner's board comes before the opponent's.
    pub(super) fn fault(&self) -> Option<(Color, Wrong)> {
        self.watched().find_map(|seat| Some((seat, self.fault_of(seat)?)))
    }

    /// This player's board needs nothing more.
    pub(super) fn is_board_done(&self, seat: Color) -> bool {
        self.fault_of(seat).is_none() && self.probe(seat).is_none()
    }

    /// The boards need nothing more.
    pub(super) fn boards_done(&self) -> bool {
        self.watched().all(|seat| self.is_board_done(seat))
    }

    pub(super) fn boards_unseen(&self) -> bool {
        self.watched().all(|seat| self.shown(seat).is_none())
    }

    /// A blind player's board has no sensors: nobody but his hands can tell how it stands.
    pub(super) fn is_any_unfelt(&self) -> bool {
        let hands = self.state.config.hands;
        Color::ALL
            .into_iter()
            .any(|seat| self.is_on_pegs(seat) && hands.of(seat) != HandsKnown::Felt)
    }

    /// "Weiter": this board need not fit. A player who speaks for both speaks for both boards.
    pub(super) fn leave_board(&mut self) {
        self.remember();
        match self.speaker {
            Some(seat) => self.state.unchecked[seat] = true,
            None => self.state.unchecked = ByColor::new_with(|_| true),
        }
        if self.boards_done() {
            self.place(Step::Ready);
            self.ask();
        } else {
            self.repeat();
        }
    }

    /// The boards are still.
    pub(super) fn boards_settled(&mut self) {
        match self.state.step {
            Step::Boards if self.boards_done() => {
                self.place(Step::Ready);
                let fine = self.prompt(Prompt::StartPosition, &[]);
                self.ask_after(fine);
            }
            // Words that were said already are not repeated.
            Step::Boards if self.are_two() => {
                for seat in Color::ALL {
                    if self.guided[seat].as_ref() != Some(&self.words_for_board(seat)) {
                        self.guide(seat, Utterance::default());
                    }
                }
            }
            Step::Boards
                if self.last_words[self.state.owner].as_ref() != Some(&self.question_words()) =>
            {
                self.ask();
            }
            Step::Ready if self.fault().is_some() => {
                self.place(Step::Boards);
                self.ask();
            }
            _ => {}
        }
    }

    pub(super) fn board_words(&self) -> Utterance {
        match self.fault() {
            Some((seat, wrong)) => self.words_for(seat, wrong),
            None => self.words_for_board(self.state.owner),
        }
    }

    /// The next step for this player on pegs. Of the other board he hears only that it is not
    /// ready.
    pub(super) fn words_for_board(&self, seat: Color) -> Utterance {
        if let Some(wrong) = self.fault_of(seat) {
            return self.words_for(seat, wrong);
        }
        if let Some((square, piece)) = self.probe(seat) {
            let slots = [Slot::ColoredPiece(piece), Slot::Square(square)];
            return self.prompt(Prompt::LiftToTest, &slots);
        }
        let mut words = Vec::new();
        if !self.state.unchecked[seat] {
            words.push(self.prompt(Prompt::StartPosition, &[]));
        }
        if self.are_two() && !self.is_board_done(!seat) {
            words.push(self.prompt(Prompt::OtherBoardNotReady, &[]));
        }
        Utterance::joined(words)
    }

    fn words_for(&self, seat: Color, wrong: Wrong) -> Utterance {
        let own = self.is_on_pegs(seat);
        match (own, wrong) {
            (true, Wrong::Half) => self.prompt(Prompt::BoardTurned, &[]),
            (true, Wrong::Quarter) => self.prompt(Prompt::BoardQuarterTurned, &[]),
            (_, Wrong::Colours) => self.prompt(Prompt::ColoursReversed, &[]),
            (_, Wrong::Half | Wrong::Quarter) => self.prompt(Prompt::OtherBoardTurned, &[]),
            (true, Wrong::Square(Hand::Put(square, piece))) => {
                self.prompt(Prompt::Put, &[Slot::ColoredPiece(piece), Slot::Square(square)])
            }
            (true, Wrong::Square(Hand::Take(square, _))) => {
                let piece = match self.shown(seat) {
                    Some(BoardShown::Pieces(board)) => board.piece_at(square),
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

    /// Both hear about a sighted player's board.
    pub(super) fn question_channel(&self) -> Channel {
        let aloud = matches!(self.state.step, Step::Boards)
            && self.fault().is_some_and(|(seat, _)| !self.is_on_pegs(seat));
        if aloud { Channel::Public } else { Channel::Private }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(fen: &str) -> BoardShown {
        BoardShown::Pieces(fen.parse().expect("a board"))
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
        assert_eq!(wrong(&BoardShown::Pieces(side.clone()), &wanted), Some(Wrong::Quarter));
        assert_eq!(wrong(&BoardShown::Occupied(side.occupied()), &wanted), Some(Wrong::Quarter));
        let pawn = Hand::Put(Square::A2, Piece { color: Color::White, role: Role::Pawn });
        let without = BoardShown::Occupied(wanted.occupied().without(Square::A2));
        assert_eq!(wrong(&without, &wanted), Some(Wrong::Square(pawn)));
    }
}
