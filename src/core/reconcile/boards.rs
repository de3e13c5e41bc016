//! The difference between a board and its target, and the steps from one to the other.

use shakmaty::{Bitboard, Board, Chess, Piece, Position, Square};

use super::{PegStep, VisibleBoard};

/// How a board stands to the position that it should show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardState {
    /// As far as it can be seen it shows it.
    Agrees,
    /// The board shows the position before the last move, which is still to be executed on it.
    Pending,
    Differs,
    /// The right holes are filled, with other pieces: reeds do not see that.
    Exchanged,
    /// The board cannot be seen.
    Unknown,
}

/// The faults of a board, and their correction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardFinding {
    /// How it stands to the position.
    pub state: BoardState,
    /// Steps in order: first every wrong piece is taken away, then every missing one is put.
    pub steps: Vec<PegStep>,
    /// The same steps for people, who carry a piece from one square to another.
    pub corrections: Vec<Correction>,
}

/// One correction, as people say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correction {
    /// A piece moves from one square to another.
    Carry {
        piece: Piece,
        from: Square,
        /// The square where it belongs.
        to: Square,
    },
    Remove {
        /// The piece, as far as it is known.
        piece: Option<Piece>,
        from: Square,
    },
    /// A piece comes from beside the board.
    Set {
        piece: Piece,
        /// The square where it belongs.
        to: Square,
    },
}

/// How many of the last positions are tried with one more move.
const STRAYED_FROM: usize = 3;

/// The pieces on a board; on `unknown` squares there is one, nobody knows which.
struct Standing {
    pieces: Board,
    unknown: Bitboard,
}

/// `settled`: the scores agree on `target`, so that filled holes that fit it are taken for it.
pub(super) fn find(
    seen: &VisibleBoard,
    target: &Board,
    own: &[Chess],
    other: &[Chess],
    settled: bool,
) -> BoardFinding {
    let standing = match seen {
        VisibleBoard::Nothing => return finding(BoardState::Unknown),
        VisibleBoard::Pieces(board) if board == target => return finding(BoardState::Agrees),
        VisibleBoard::Pieces(board) => Standing { pieces: board.clone(), unknown: Bitboard::EMPTY },
        VisibleBoard::Occupied(occupied) if settled && *occupied == target.occupied() => {
            return finding(BoardState::Agrees);
        }
        VisibleBoard::Occupied(occupied) => {
            let standing = presume(*occupied, target, own, other);
            if standing.unknown.is_empty() && standing.pieces == *target {
                return finding(BoardState::Agrees);
            }
            standing
        }
    };
    let occupied = standing.pieces.occupied() | standing.unknown;
    let state = if occupied == target.occupied() && matches!(seen, VisibleBoard::Pieces(_)) {
        BoardState::Exchanged
    } else {
        BoardState::Differs
    };
    let (steps, corrections) = correct(&standing, target);
    BoardFinding { state, steps, corrections }
}

/// Whether as far as it is seen a board stands like this.
pub(super) fn shows(seen: &VisibleBoard, board: &Board) -> bool {
    match seen {
        VisibleBoard::Pieces(pieces) => pieces == board,
        VisibleBoard::Occupied(occupied) => *occupied == board.occupied(),
        VisibleBoard::Nothing => false,
    }
}

fn finding(state: BoardState) -> BoardFinding {
    BoardFinding { state, steps: Vec::new(), corrections: Vec::new() }
}

/// Which pieces stand in these holes, by the game.
fn presume(occupied: Bitboard, target: &Board, own: &[Chess], other: &[Chess]) -> Standing {
    let fits = |pos: &&Chess| pos.board().occupied() == occupied;
    let latest = own.iter().rev().find(fits).or_else(|| other.iter().rev().find(fits));
    if let Some(pos) = latest {
        return Standing { pieces: pos.board().clone(), unknown: Bitboard::EMPTY };
    }
    for pos in own.iter().rev().take(STRAYED_FROM) {
        if let Some(standing) = strayed(pos, occupied) {
            return standing;
        }
    }
    // No position of the game fits. A hole that is filled both here and in the nearest of the last
    // positions is taken to hold the same piece.
    let last = own.iter().rev().take(STRAYED_FROM).chain(other.iter().rev().take(STRAYED_FROM));
    let boards = std::iter::once(target).chain(last.map(|pos| pos.board()));
    let apart = |board: &&Board| (board.occupied() ^ occupied).count();
    let nearest = boards.min_by_key(apart).unwrap_or(target);
    let mut pieces = nearest.clone();
    let empty = nearest.occupied() & !occupied;
    let mut unknown = occupied & !nearest.occupied();
    for square in empty {
        pieces.discard_piece_at(square);
    }
    if let (Some(from), Some(to)) = (empty.single_square(), unknown.single_square())
        && let Some(piece) = nearest.piece_at(from)
    {
        pieces.set_piece_at(to, piece);
        unknown = Bitboard::EMPTY;
    }
    Standing { pieces, unknown }
}

/// The board is one legal move away from `pos`. Where several such moves leave different pieces on
/// a square, that piece is unknown.
fn strayed(pos: &Chess, occupied: Bitboard) -> Option<Standing> {
    let mut boards = pos.legal_moves().into_iter().filter_map(|mv| {
        let mut next = pos.clone();
        // The move is one of the legal moves of this position.
        next.play_unchecked(mv);
        (next.board().occupied() == occupied).then(|| next.board().clone())
    });
    let mut pieces = boards.next()?;
    let mut unknown = Bitboard::EMPTY;
    for board in boards {
        for square in occupied {
            if board.piece_at(square) != pieces.piece_at(square) {
                unknown.add(square);
            }
        }
    }
    for square in unknown {
        pieces.discard_piece_at(square);
    }
    Some(Standing { pieces, unknown })
}

fn correct(standing: &Standing, target: &Board) -> (Vec<PegStep>, Vec<Correction>) {
    let here = |square: Square| standing.pieces.piece_at(square);
    let right = |square: &Square| {
        !standing.unknown.contains(*square) && here(*square) == target.piece_at(*square)
    };
    let wrong: Vec<Square> = Square::ALL.into_iter().filter(|square| !right(square)).collect();
    let filled = |square: &Square| here(*square).is_some() || standing.unknown.contains(*square);
    let takes: Vec<Square> = wrong.iter().copied().filter(filled).collect();
    let puts: Vec<(Square, Piece)> = wrong
        .iter()
        .filter_map(|&square| target.piece_at(square).map(|piece| (square, piece)))
        .collect();
    let steps = takes.iter().map(|&square| PegStep::Take(square, here(square)));
    let steps =
        steps.chain(puts.iter().map(|&(square, piece)| PegStep::Put(square, piece))).collect();
    (steps, pair(standing, takes, puts))
}

/// Joins a take and a put of the same piece into one step. The steps can be carried out one after
/// the other: no hole ever needs to hold two.
fn pair(
    standing: &Standing,
    takes: Vec<Square>,
    mut puts: Vec<(Square, Piece)>,
) -> Vec<Correction> {
    let mut carried: Vec<(Square, Square, Piece)> = Vec::new();
    let mut corrections = Vec::new();
    for from in takes {
        let piece = standing.pieces.piece_at(from);
        let belongs = |&(to, wanted): &(Square, Piece)| Some(wanted) == piece && to != from;
        // The nearest of several holes: that is how it is most likely to have got there.
        let nearest = puts
            .iter()
            .enumerate()
            .filter(|(_, put)| belongs(put))
            .min_by_key(|(_, (to, _))| to.distance(from))
            .map(|(n, _)| n);
        match nearest {
            Some(n) => {
                let (to, piece) = puts.remove(n);
                carried.push((from, to, piece));
            }
            None => corrections.push(Correction::Remove { piece, from }),
        }
    }
    while !carried.is_empty() {
        let free = |to: Square| carried.iter().all(|(from, _, _)| *from != to);
        match carried.iter().position(|(_, to, _)| free(*to)) {
            Some(n) => {
                let (from, to, piece) = carried.remove(n);
                corrections.push(Correction::Carry { piece, from, to });
            }
            // Pieces stand in one another's place: one goes to the side of the board meanwhile.
            None => {
                let (from, to, piece) = carried.remove(0);
                corrections.push(Correction::Remove { piece: Some(piece), from });
                puts.push((to, piece));
            }
        }
    }
    corrections.extend(puts.into_iter().map(|(to, piece)| Correction::Set { piece, to }));
    corrections
}
