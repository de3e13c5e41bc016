//! The difference between a board and the position that it should show.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position, Role, Square, attacks};

/// One step for the hands. First every extra peg is taken away, then every missing one is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PegStep {
    /// Take the peg out of this hole; its piece, where known.
    Take(Square, Option<Piece>),
    /// Put this piece into this hole.
    Put(Square, Piece),
}

/// Holes with a peg too many and holes that miss one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// Pegs that should not be there.
    pub extra: Bitboard,
    pub missing: Bitboard,
}

impl Diff {
    /// `occupied` against the board that it should be; `blind` holes are not looked at.
    pub fn new(occupied: Bitboard, target: Bitboard, blind: Bitboard) -> Diff {
        Diff { extra: occupied & !target & !blind, missing: target & !occupied & !blind }
    }

    /// Board and position agree.
    pub fn is_empty(self) -> bool {
        self.extra.is_empty() && self.missing.is_empty()
    }

    /// How many holes are wrong.
    pub fn count(self) -> usize {
        self.extra.count() + self.missing.count()
    }

    /// The next thing to do: first take away, then put; from a1 on.
    pub fn step(self, target: &Board) -> Option<PegStep> {
        if let Some(square) = self.extra.first() {
            return Some(PegStep::Take(square, None));
        }
        let square = self.missing.first()?;
        target.piece_at(square).map(|piece| PegStep::Put(square, piece))
    }
}

/// The look of an illegal move, as far as a board of reeds shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalShape {
    pub color: Color,
    /// Pieces whose holes are empty.
    pub gone: Vec<(Square, Piece)>,
    /// Holes that were empty and are filled.
    pub filled: Vec<Square>,
    /// The one piece that moved, with its old and new square, where that is certain.
    pub piece: Option<(Piece, Square, Square)>,
    /// The reason why it is illegal, English.
    pub reason: String,
}

impl IllegalShape {
    /// Reads the difference between `position` and a board that was completed on.
    /// `refilled` are holes emptied and filled again on the way.
    pub fn read(
        position: &Chess,
        occupied: Bitboard,
        refilled: Bitboard,
        blind: Bitboard,
    ) -> IllegalShape {
        let board = position.board();
        let color = position.turn();
        let diff = Diff::new(occupied, board.occupied(), blind);
        let gone: Vec<(Square, Piece)> = diff
            .missing
            .into_iter()
            .filter_map(|sq| board.piece_at(sq).map(|piece| (sq, piece)))
            .collect();
        let filled: Vec<Square> = diff.extra.into_iter().collect();
        let own: Vec<_> = gone.iter().filter(|(_, piece)| piece.color == color).collect();
        let taken = refilled & board.by_color(!color);
        let to = match (filled.as_slice(), taken.single_square()) {
            ([to], _) => Some(*to),
            ([], Some(to)) => Some(to),
            _ => None,
        };
        let piece = match (own.as_slice(), to) {
            ([(from, piece)], Some(to)) => Some((*piece, *from, to)),
            _ => None,
        };
        let reason = match (piece, gone.len() + filled.len()) {
            (Some((piece, from, to)), 2) if filled.len() == 1 => {
                why_illegal(position, piece, from, to)
            }
            (Some((piece, from, to)), 1) => why_illegal(position, piece, from, to),
            _ => "no legal move leads to this board".to_owned(),
        };
        IllegalShape { color, gone, filled, piece, reason }
    }
}

fn why_illegal(position: &Chess, piece: Piece, from: Square, to: Square) -> String {
    let board = position.board();
    let reaches = match piece.role {
        Role::Pawn => pawn_reaches(position, piece.color, from, to),
        _ => attacks::attacks(from, piece, board.occupied()).contains(to),
    };
    let name = annabella_words::text::role_name(piece.role);
    if !reaches {
        return format!("a {name} cannot go from {from} to {to} here");
    }
    let mut after = board.clone();
    after.discard_piece_at(from);
    after.set_piece_at(to, piece);
    match after.king_of(piece.color) {
        Some(king) if after.attacks_to(king, !piece.color, after.occupied()).any() => {
            if board
                .king_of(piece.color)
                .is_some_and(|king| board.attacks_to(king, !piece.color, board.occupied()).any())
                && piece.role != Role::King
            {
                format!("{name} from {from} to {to} leaves the king in check")
            } else {
                format!("{name} from {from} to {to} puts the own king in check")
            }
        }
        _ => format!("{name} from {from} to {to} is not a legal move"),
    }
}

fn pawn_reaches(position: &Chess, color: Color, from: Square, to: Square) -> bool {
    let board = position.board();
    if board.color_at(to) == Some(!color) {
        return attacks::pawn_attacks(color, from).contains(to);
    }
    position.legal_moves().iter().any(|mv| match *mv {
        Move::EnPassant { to: target, .. } => target == to,
        _ => false,
    }) && attacks::pawn_attacks(color, from).contains(to)
        || from.file() == to.file()
            && !board.occupied().contains(to)
            && match (color, i32::from(to.rank()) - i32::from(from.rank())) {
                (Color::White, 1) | (Color::Black, -1) => true,
                (Color::White, 2) => from.rank() == shakmaty::Rank::Second,
                (Color::Black, -2) => from.rank() == shakmaty::Rank::Seventh,
                _ => false,
            }
}
