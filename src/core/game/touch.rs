//! The moves that touching a piece commits to (4.3, 4.4). After touched pieces that can neither
//! move nor be taken any legal move will do (4.5).

use shakmaty::{Chess, File, Move, Position, Rank, Role, Square};

use crate::{laws::Article, sensing::Shape};
use annabella_words::phrase::Note;

/// A move that the touched pieces did not allow. Reported to the arbiter, never blocked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The paragraph: 4.3.1 to 4.3.3, 4.4.1, 4.4.2 or 4.7.2.
    pub article: Article,
    /// The piece that should have been moved or taken stands here.
    pub square: Square,
    /// Which rule was broken.
    pub text: Note,
}

/// Why a made move was none of its player's.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Against {
    pub(super) article: Article,
    pub(super) text: Note,
}

impl Violation {
    /// What it is reported under: 4.3, 4.4 or 4.7.2.
    pub fn under(&self) -> Article {
        match self.article {
            Article::A4_4_1 | Article::A4_4_2 => Article::A4_4,
            Article::A4_7_2 => Article::A4_7_2,
            _ => Article::A4_3,
        }
    }
}

/// Checks an executed move against the pieces touched before it, in the order of touching. On a peg
/// board a piece is touched when it leaves its hole (D.2.2).
///
/// Source: FIDE 4.3.1 to 4.3.3, 4.4.1 to 4.4.3, 4.5.
pub fn check(position: &Chess, touched: &[Square], mv: Move) -> Option<Violation> {
    let board = position.board();
    let us = position.turn();
    let legal: Vec<Shape> =
        position.legal_moves().iter().map(|mv| Shape::new(board.occupied(), *mv)).collect();
    let own: Vec<Square> =
        touched.iter().copied().filter(|sq| board.color_at(*sq) == Some(us)).collect();
    let theirs: Vec<Square> =
        touched.iter().copied().filter(|sq| board.color_at(*sq) == Some(!us)).collect();
    if let Move::Castle { king, rook } = mv
        && let (Some(k), Some(r)) = (index(&own, king), index(&own, rook))
        && r < k
    {
        return Some(Violation {
            article: Article::A4_4_2,
            square: rook,
            text: Note::RookFirst { square: rook },
        });
    }
    if let Some(violation) = castling_owed(&own, board.king_of(us), &legal, mv) {
        return Some(violation);
    }
    if theirs.is_empty() && free_of_castling(&own, position, &legal) {
        return None;
    }
    let shape = Shape::new(board.occupied(), mv);
    against_touched(&legal, &shape, touched, &own, &theirs)
}

/// The king was released where this castling puts it: another move than that was none of his.
///
/// Source: FIDE 4.7.2
pub(super) fn check_released(castling: Option<Move>, mv: Move) -> Option<Violation> {
    let Move::Castle { rook, .. } = castling.filter(|castling| *castling != mv)? else {
        return None;
    };
    let text = Note::MustCastle { square: rook };
    Some(Violation { article: Article::A4_7_2, square: rook, text })
}

/// Touched pieces that can move or be taken, in the order of touching: was the move one with them?
fn against_touched(
    legal: &[Shape],
    shape: &Shape,
    touched: &[Square],
    own: &[Square],
    theirs: &[Square],
) -> Option<Violation> {
    match (own.first(), theirs.first()) {
        (_, None) => {
            let first = own.iter().copied().find(|sq| can_move(legal, *sq))?;
            (first != shape.from && !is_castling_rook(shape.mv, first)).then_some(Violation {
                article: Article::A4_3_1,
                square: first,
                text: Note::TouchedCanMove { square: first },
            })
        }
        (Some(own_first), Some(their_first)) => {
            let both =
                legal.iter().any(|s| s.from == *own_first && s.captured == Some(*their_first));
            if both {
                let done = shape.from == *own_first && shape.captured == Some(*their_first);
                return (!done).then_some(Violation {
                    article: Article::A4_3_3,
                    square: *their_first,
                    text: Note::TouchedMustTake { own: *own_first, other: *their_first },
                });
            }
            let first = touched
                .iter()
                .copied()
                .find(|sq| can_move(legal, *sq) || can_be_taken(legal, *sq))?;
            let done = shape.from == first
                || shape.captured == Some(first)
                || is_castling_rook(shape.mv, first);
            (!done).then_some(Violation {
                article: Article::A4_3_3,
                square: first,
                text: Note::TouchedMustMove { square: first },
            })
        }
        (None, Some(_)) => {
            let first = theirs.iter().copied().find(|sq| can_be_taken(legal, *sq))?;
            (shape.captured != Some(first)).then_some(Violation {
                article: Article::A4_3_2,
                square: first,
                text: Note::TouchedCanBeTaken { square: first },
            })
        }
    }
}

/// King and then rook touched, and castling there is legal: it must be played (4.4.1).
fn castling_owed(
    own: &[Square],
    king: Option<Square>,
    legal: &[Shape],
    mv: Move,
) -> Option<Violation> {
    let (king, [first, second, ..]) = (king?, own) else {
        return None;
    };
    if *first != king {
        return None;
    }
    let owed = legal.iter().find(
        |shape| matches!(shape.mv, Move::Castle { king: k, rook } if k == king && rook == *second),
    )?;
    (owed.mv != mv).then_some(Violation {
        article: Article::A4_4_1,
        square: king,
        text: Note::MustCastle { square: *second },
    })
}

/// King and then a rook touched, castling there is illegal and the king cannot move: any move is
/// free (4.4.3).
fn free_of_castling(own: &[Square], position: &Chess, legal: &[Shape]) -> bool {
    let us = position.turn();
    let home = us.relative_rank(Rank::First);
    let king = Square::from_coords(File::E, home);
    let corner = |sq: Square| sq.rank() == home && matches!(sq.file(), File::A | File::H);
    let board = position.board();
    matches!(own, [k, rook, ..] if *k == king && corner(*rook)
        && board.king_of(us) == Some(king)
        && board.role_at(*rook) == Some(Role::Rook)
        && !can_move(legal, king))
}

/// Whether a player to move who touches this may mean to move or to capture it: whatever else he
/// touches binds him to nothing (4.5).
pub(super) fn may_bind(position: &Chess, square: Square) -> bool {
    let occupied = position.board().occupied();
    let legal: Vec<Shape> =
        position.legal_moves().iter().map(|mv| Shape::new(occupied, *mv)).collect();
    can_move(&legal, square) || can_be_taken(&legal, square)
}

fn index(squares: &[Square], square: Square) -> Option<usize> {
    squares.iter().position(|sq| *sq == square)
}

fn can_move(legal: &[Shape], square: Square) -> bool {
    legal.iter().any(|shape| shape.from == square)
}

fn can_be_taken(legal: &[Shape], square: Square) -> bool {
    legal.iter().any(|shape| shape.captured == Some(square))
}

fn is_castling_rook(mv: Move, square: Square) -> bool {
    matches!(mv, Move::Castle { rook, .. } if rook == square) && mv.role() == Role::King
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

    use super::*;

    fn article(fen: &str, touched: &[Square], uci: &str) -> Option<String> {
        let position: Chess = fen
            .parse::<Fen>()
            .expect("test FEN")
            .into_position(CastlingMode::Standard)
            .expect("test position");
        let mv = uci.parse::<UciMove>().expect("uci").to_move(&position).expect("legal");
        check(&position, touched, mv).map(|violation| violation.article.to_string())
    }

    const CASTLING: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
    const OPEN: &str = "4k3/8/8/3p1p2/4P3/8/8/4K2R w - - 0 1";

    #[test]
    fn the_first_touched_piece_that_can_move_must_move() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(article(start, &[Square::G1], "g1f3"), None);
        assert_eq!(article(start, &[Square::A1, Square::G1], "g1f3"), None);
        assert_eq!(article(start, &[Square::B1, Square::G1], "g1f3").as_deref(), Some("4.3.1"));
    }

    #[test]
    fn touched_pieces_of_both_colours_take_each_other_if_they_can() {
        assert_eq!(article(OPEN, &[Square::D5, Square::E4], "e4d5"), None);
        assert_eq!(article(OPEN, &[Square::E4, Square::D5], "e4f5").as_deref(), Some("4.3.3"));
        assert_eq!(article(OPEN, &[Square::D5, Square::H1], "h1h2").as_deref(), Some("4.3.3"));
        assert_eq!(article(OPEN, &[Square::E4, Square::E8], "e4e5"), None);
    }

    #[test]
    fn castling_needs_the_king_first() {
        assert_eq!(article(CASTLING, &[Square::E1, Square::H1], "e1g1"), None);
        assert_eq!(article(CASTLING, &[Square::H1, Square::E1], "e1g1").as_deref(), Some("4.4.2"));
        assert_eq!(article(CASTLING, &[Square::E1, Square::H1], "e1f1").as_deref(), Some("4.4.1"));
        assert_eq!(article(CASTLING, &[Square::E1, Square::H1], "e1c1").as_deref(), Some("4.4.1"));
        assert_eq!(article(CASTLING, &[Square::H1], "h1g1"), None);
    }

    #[test]
    fn castling_that_is_illegal_binds_the_king_if_he_can_move_at_all() {
        let blocked = "4k3/8/8/8/8/8/3PPP2/3QKB1R w K - 0 1";
        assert_eq!(article(blocked, &[Square::E1, Square::H1], "e2e4"), None);
        let roomy = "4k3/8/8/8/8/8/4P3/4K1NR w K - 0 1";
        assert_eq!(article(roomy, &[Square::E1, Square::H1], "e2e4").as_deref(), Some("4.3.1"));
        assert_eq!(article(roomy, &[Square::E1, Square::H1], "e1f1"), None);
    }
}
