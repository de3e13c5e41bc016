//! What can be nothing but an attempt at a move, and none that is legal. Pure.
//!
//! A hand that moves changes two squares, or three en passant and where it takes a piece that the
//! move does not capture, or four with castling or two moves. Anything else is a piece that slipped
//! or was knocked over, or a board that differs.
//!
//! Source: FIDE 3.7 to 3.10, 7.5.1

use shakmaty::{Bitboard, Board, CastlingSide, Chess, Color, Move, Piece, Position};
use shakmaty::{Rank, Square, attacks};

use super::{
    IllegalMove, SquareDifference, Stand,
    squares::{differences, moves_shown, played, squares_of},
};
use crate::sight::{Picture, SquareShown};

/// So many squares change with castling, or with two moves.
const MOST: usize = 4;

/// The illegal move that a board at rest shows, of the player who sits before it and has the move.
/// What was said to be missing has fallen, and is no part of a move.
pub(super) fn illegal_move(
    stand: &Stand,
    seat: Color,
    picture: &Picture,
    missing: Bitboard,
) -> Option<IllegalMove> {
    if missing.is_empty() {
        return attempted(stand, seat, picture);
    }
    let position = stand.wanted();
    let upright = picture.with(missing, position.board());
    let legal = upright.fits(position.board()) || !moves_shown(&position, &upright).is_empty();
    if legal { None } else { attempted(stand, seat, &upright) }
}

/// The opponent's pieces that are gone, where nothing else is wrong.
pub(super) fn taken_off(seat: Color, wrong: &[SquareDifference]) -> Bitboard {
    let gone = |wrong: &SquareDifference| {
        let his = wrong.wanted.is_some_and(|piece| piece.color != seat);
        wrong.shown == SquareShown::Empty && his
    };
    let squares = if wrong.iter().all(gone) { wrong } else { &[] };
    squares.iter().map(|wrong| wrong.square).collect()
}

fn attempted(stand: &Stand, seat: Color, picture: &Picture) -> Option<IllegalMove> {
    let position = stand.wanted();
    if position.turn() != seat {
        return None;
    }
    let wrong = differences(picture, position.board());
    let one = one_piece(&wrong);
    // Until the opponent's move is copied, more may be on its way than a move of one's own.
    if stand.owed.is_some() {
        let own = |piece: Piece| piece.color == seat;
        return one
            .filter(|one| own(one.seen.piece) && !one.taken.is_some_and(own))
            .map(Shift::seen);
    }
    if wrong.len() > MOST || slipped_from_made(stand, picture) {
        return None;
    }
    let changed = wrong.iter().map(|wrong| wrong.square).collect();
    // What is gone after the move was made has fallen, and is put back (7.4.1).
    let taken = || wrong_piece_taken(seat, &wrong).filter(|_| stand.made.is_none());
    one.map(Shift::seen)
        .or_else(|| wrong_promotion(seat, &wrong))
        .or_else(taken)
        .or_else(|| castled(&position, picture))
        .or_else(|| en_passant(&position, picture))
        .or_else(|| two_moves(&position, stand.made, changed, picture))
}

/// The legal castling of which the board shows the king's half.
pub(super) fn released_king(stand: &Stand, seat: Color, picture: &Picture) -> Option<Move> {
    let Stand { base, owed: None, .. } = stand else { return None };
    if base.turn() != seat {
        return None;
    }
    let shown = |mv: &Move| {
        let (Some(side), Some(from)) = (mv.castling_side(), base.board().king_of(seat)) else {
            return false;
        };
        picture.fits(&changed(base.board(), &[from], &[(side.king_to(seat), seat.king())]))
    };
    base.legal_moves().into_iter().find(shown)
}

impl IllegalMove {
    fn of(piece: Piece, from: Square, to: Square) -> IllegalMove {
        IllegalMove { piece, from, to, beside: None }
    }
}

/// One piece went from a square to another one.
struct Shift {
    seen: IllegalMove,
    taken: Option<Piece>,
}

impl Shift {
    fn seen(self) -> IllegalMove {
        self.seen
    }
}

fn one_piece(wrong: &[SquareDifference]) -> Option<Shift> {
    let (from, to) = from_and_to(wrong)?;
    let piece = from.wanted.filter(|piece| to.shown.may_be(Some(*piece)))?;
    let seen = IllegalMove::of(piece, from.square, to.square);
    Some(Shift { seen, taken: to.wanted })
}

fn from_and_to(wrong: &[SquareDifference]) -> Option<(&SquareDifference, &SquareDifference)> {
    let [a, b] = wrong else {
        return None;
    };
    let (from, to) = if a.shown == SquareShown::Empty { (a, b) } else { (b, a) };
    (from.shown == SquareShown::Empty && to.shown != SquareShown::Empty).then_some((from, to))
}

/// A piece on the next square, where nothing stood, may have been pushed there by a sleeve.
fn may_have_slipped(from: Square, to: Square, takes: bool) -> bool {
    !takes && from.distance(to) == 1
}

/// The board shows the move that was made, but for one piece that may have slipped.
fn slipped_from_made(stand: &Stand, picture: &Picture) -> bool {
    let after = stand.made.map(|made| played(&stand.base, made));
    let slip = after.and_then(|after| one_piece(&differences(picture, after.board())));
    slip.is_some_and(|Shift { seen, taken }| may_have_slipped(seen.from, seen.to, taken.is_some()))
}

/// A pawn went to its last rank and became a king, or a piece of the opponent (3.7.3.3).
fn wrong_promotion(seat: Color, wrong: &[SquareDifference]) -> Option<IllegalMove> {
    let (from, to) = from_and_to(wrong)?;
    let SquareShown::Piece(piece) = to.shown else { return None };
    let last = seat.relative_rank(Rank::Eighth);
    let before = seat.relative_rank(Rank::Seventh);
    let pawn = from.wanted == Some(seat.pawn());
    let promotes = pawn && from.square.rank() == before && to.square.rank() == last;
    promotes.then_some(IllegalMove::of(piece, from.square, to.square))
}

/// A piece of his went to another square, and one of the opponent's is gone that stood elsewhere
/// (3.1.2, 3.7.4).
fn wrong_piece_taken(seat: Color, wrong: &[SquareDifference]) -> Option<IllegalMove> {
    let (gone, come): (Vec<_>, Vec<_>) =
        wrong.iter().partition(|wrong| wrong.shown == SquareShown::Empty);
    let ([a, b], [to]) = (gone.as_slice(), come.as_slice()) else { return None };
    let own = |wrong: &SquareDifference| wrong.wanted.is_some_and(|piece| piece.color == seat);
    let from = match (own(a), own(b)) {
        (true, false) => a,
        (false, true) => b,
        _ => return None,
    };
    let piece = from.wanted.filter(|piece| !own(to) && to.shown.may_be(Some(*piece)))?;
    Some(IllegalMove::of(piece, from.square, to.square))
}

/// King and rook stand as after castling.
fn castled(position: &Chess, picture: &Picture) -> Option<IllegalMove> {
    let (board, us) = (position.board(), position.turn());
    let from = board.king_of(us).filter(|king| king.rank() == us.relative_rank(Rank::First))?;
    let rooks = board.by_piece(us.rook()) & Bitboard::from(from.rank());
    let sides = [CastlingSide::KingSide, CastlingSide::QueenSide];
    let ways = sides.into_iter().flat_map(|side| rooks.into_iter().map(move |rook| (side, rook)));
    let castled = |(side, rook): &(CastlingSide, Square)| {
        let gone = [from, *rook];
        let come = [(side.king_to(us), us.king()), (side.rook_to(us), us.rook())];
        picture.fits(&changed(board, &gone, &come))
    };
    let (side, _) = ways.into_iter().find(castled)?;
    Some(IllegalMove::of(us.king(), from, side.king_to(us)))
}

/// A pawn went aside and forward, and the pawn beside it is gone.
fn en_passant(position: &Chess, picture: &Picture) -> Option<IllegalMove> {
    let (board, us) = (position.board(), position.turn());
    for from in board.by_piece(us.pawn()) {
        for to in attacks::pawn_attacks(us, from) & !board.occupied() {
            let passed = Square::from_coords(to.file(), from.rank());
            let takes = board.piece_at(passed) == Some((!us).pawn());
            if takes && picture.fits(&changed(board, &[from, passed], &[(to, us.pawn())])) {
                return Some(IllegalMove::of(us.pawn(), from, to));
            }
        }
    }
    None
}

/// Two moves of the player in one turn: the second one is illegal (1.3).
fn two_moves(
    position: &Chess,
    made: Option<Move>,
    changed: Bitboard,
    picture: &Picture,
) -> Option<IllegalMove> {
    for first in moves_within(position, changed) {
        // After a check there is no position in which he has the move once more.
        let Ok(again) = played(position, first).swap_turn() else { continue };
        for second in moves_within(&again, changed) {
            if picture.fits(played(&again, second).board()) {
                let (stands, too_much) =
                    if made == Some(second) { (second, first) } else { (first, second) };
                let piece = too_much.role().of(position.turn());
                let beside = stands.from().filter(|_| made.is_none());
                return Some(IllegalMove {
                    beside: beside.map(|from| (from, stands.to())),
                    ..IllegalMove::of(piece, too_much.from()?, too_much.to())
                });
            }
        }
    }
    None
}

/// The legal moves that change none but these squares, and can't be a slip.
///
/// So two pieces that each went to the next square are judged otherwise than on pegs, where both
/// make an illegal move (7.5.1): a peg goes into no other hole unless a hand puts it there. On a
/// flat board one of the two may have slipped, which is put right on his own time (7.4.1).
fn moves_within(position: &Chess, changed: Bitboard) -> Vec<Move> {
    let slip = |mv: Move| {
        let from = mv.from().filter(|_| !mv.is_castle() && !mv.is_promotion());
        from.is_some_and(|from| may_have_slipped(from, mv.to(), mv.is_capture()))
    };
    let within = |mv: &Move| changed.is_superset(squares_of(position, *mv)) && !slip(*mv);
    position.legal_moves().into_iter().filter(within).collect()
}

/// The board without the pieces on some squares, and with others.
fn changed(board: &Board, gone: &[Square], come: &[(Square, Piece)]) -> Board {
    let mut after = board.clone();
    gone.iter().for_each(|square| after.discard_piece_at(*square));
    come.iter().for_each(|(square, piece)| after.set_piece_at(*square, *piece));
    after
}
