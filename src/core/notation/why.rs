//! Why a move that is understood is not legal, in words that help to find the slip.

use shakmaty::{
    Bitboard, CastlingSide, Chess, EnPassantMode, Move, MoveList, Position, Rank, Role, Square,
    attacks,
};

use super::{Reason, reader::Body};

/// Why no legal move fits what is written.
pub(super) fn why_not(pos: &Chess, legal: &MoveList, body: &Body) -> Reason {
    let (role, file, rank, to, promotion) = match *body {
        Body::Castling(side) => return why_not_castling(pos, side),
        Body::Piece { role, file, rank, to, promotion } => (role, file, rank, to, promotion),
    };
    let (turn, board) = (pos.turn(), pos.board());
    let origin: Bitboard = Square::ALL
        .into_iter()
        .filter(|sq| {
            file.is_none_or(|file| file == sq.file()) && rank.is_none_or(|rank| rank == sq.rank())
        })
        .collect();
    let whole_origin = file.is_some() && rank.is_some();
    let moved = match role {
        Some(role) => board.by_piece(role.of(turn)),
        None if whole_origin => pos.us(),
        None => board.by_piece(Role::Pawn.of(turn)),
    } & origin;
    let Some(from) = moved.first() else {
        let role = if whole_origin { role } else { role.or(Some(Role::Pawn)) };
        return Reason::NotThere { color: turn, role, file, rank };
    };
    let role = board.role_at(from).unwrap_or(Role::Pawn);
    if let Some(new) = promotion {
        if role != Role::Pawn || to.rank() != turn.fold_wb(Rank::Eighth, Rank::First) {
            return Reason::NoPromotion;
        }
        if matches!(new, Role::King | Role::Pawn) {
            return Reason::PromotionTo(new);
        }
    }
    if pos.us().contains(to) {
        return Reason::OwnPiece(to);
    }
    if role == Role::King && from.rank() == to.rank() && from.distance(to) == 2 {
        let side = CastlingSide::from_king_side(from < to);
        if pos.castles().has(turn, side) {
            return why_not_castling(pos, side);
        }
    }
    let takes_there = |mv: &Move| mv.role() == Role::Pawn && mv.is_capture() && mv.to() == to;
    if role == Role::Pawn && file.is_none() && legal.iter().any(takes_there) {
        return Reason::PawnFileMissing { to };
    }
    if moved.into_iter().any(|from| reaches(pos, from, to)) {
        return Reason::LeavesKingInCheck;
    }
    Reason::CannotReach { role, to }
}

/// Whether the piece could go there if its own king did not matter.
fn reaches(pos: &Chess, from: Square, to: Square) -> bool {
    let Some(piece) = pos.board().piece_at(from) else {
        return false;
    };
    let occupied = pos.board().occupied();
    let attacked = attacks::attacks(from, piece, occupied);
    if piece.role != Role::Pawn {
        return attacked.contains(to);
    }
    let en_passant = pos.ep_square(EnPassantMode::Always) == Some(to);
    if attacked.contains(to) {
        return occupied.contains(to) || en_passant;
    }
    let forward = piece.color.fold_wb(8, -8);
    let Some(one) = from.offset(forward).filter(|sq| !occupied.contains(*sq)) else {
        return false;
    };
    let home = piece.color.fold_wb(Rank::Second, Rank::Seventh);
    one == to || (from.rank() == home && one.offset(forward) == Some(to) && !occupied.contains(to))
}

fn why_not_castling(pos: &Chess, side: CastlingSide) -> Reason {
    let castles = pos.castles();
    if !castles.has(pos.turn(), side) {
        Reason::CastlingRightLost
    } else if (castles.path(pos.turn(), side) & pos.board().occupied()).any() {
        Reason::CastlingBlocked
    } else {
        Reason::CastlingThroughCheck
    }
}
