//! Which tag is which piece.

use std::collections::{HashMap, HashSet};

use shakmaty::{Board, Color, Piece};

use super::{Content, Frame};
use crate::dgt::codec::{Code, Dump, Facing, Field};

/// What stands for a piece whose name is not known: that there is one is all that counts.
const NAMELESS: Piece = Piece { color: Color::White, role: shakmaty::Role::Pawn };

/// The names of a set's tags, learned where the pieces stand as they should.
#[derive(Clone, Debug, Default)]
pub struct Names {
    known: HashMap<u64, Piece>,
    last: Option<Frame>,
}

impl Names {
    /// Learns the tags that are not known, if two frames in a row show just the occupied squares of
    /// `expected`, no known piece contradicts that and no tag is there twice. Whether any was
    /// learned.
    ///
    /// The starting position looks the same from both sides: then the row that is told first is
    /// rank 8.
    pub fn learn(&mut self, frame: &Frame, expected: &Board) -> bool {
        let is_new = |content: &Content| matches!(content, Content::Tag(tag) if !self.known.contains_key(tag));
        if !frame.iter().any(is_new) {
            self.last = None;
            return false;
        }
        if self.last.as_ref() != Some(frame) {
            self.last = Some(*frame);
            return false;
        }
        let Some(facing) =
            Facing::ALL.into_iter().find(|facing| self.fits(frame, expected, *facing))
        else {
            return false;
        };
        for field in Field::all() {
            let there = frame[usize::from(field.number())];
            if let (Content::Tag(tag), Some(piece)) =
                (there, expected.piece_at(facing.square(field)))
            {
                self.known.insert(tag, piece);
            }
        }
        true
    }

    fn fits(&self, frame: &Frame, expected: &Board, facing: Facing) -> bool {
        let mut tags = HashSet::new();
        Field::all().all(|field| {
            let wanted = expected.piece_at(facing.square(field));
            match frame[usize::from(field.number())] {
                Content::Empty => wanted.is_none(),
                Content::Piece(piece) => wanted == Some(piece),
                Content::Tag(tag) => {
                    let known = self.known.get(&tag);
                    tags.insert(tag)
                        && wanted.is_some_and(|piece| known.is_none_or(|k| *k == piece))
                }
            }
        })
    }

    /// The frame by its pieces' names, and whether all of them have one. A nameless piece is some
    /// piece.
    pub fn dump(&self, frame: &Frame) -> (Dump, bool) {
        let mut named = true;
        let codes = frame.map(|content| match content {
            Content::Empty => Code::Empty,
            Content::Piece(piece) => Code::Piece(piece),
            Content::Tag(tag) => {
                let known = self.known.get(&tag);
                named &= known.is_some();
                Code::Piece(known.copied().unwrap_or(NAMELESS))
            }
        });
        (Dump::new(codes), named)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;
    use crate::pieces::frame_of;

    fn tagged(board: &Board, facing: Facing) -> Frame {
        let mut tag = 0;
        frame_of(board, facing).map(|content| match content {
            Content::Piece(_) => {
                tag += 1;
                Content::Tag(tag)
            }
            other => other,
        })
    }

    #[test]
    fn tags_are_learned_where_the_pieces_stand_as_they_should_twice() {
        let (start, mut names) = (Board::new(), Names::default());
        let frame = tagged(&start, Facing::ConnectorLeft);
        assert!(!names.dump(&frame).1);
        assert!(!names.learn(&frame, &start));
        assert!(names.learn(&frame, &start));
        assert!(!names.learn(&frame, &start), "nothing is new");
        let (dump, named) = names.dump(&frame);
        assert!(named);
        assert_eq!(dump.board(Facing::ConnectorLeft), start);
    }

    #[test]
    fn nothing_is_learned_of_another_position_nor_against_what_is_known() {
        let (start, mut names) = (Board::new(), Names::default());
        let mut moved = start.clone();
        moved.discard_piece_at(Square::E2);
        let other = tagged(&moved, Facing::ConnectorLeft);
        assert!(!names.learn(&other, &start) && !names.learn(&other, &start));
        let frame = tagged(&start, Facing::ConnectorLeft);
        assert!(!names.learn(&frame, &start) && names.learn(&frame, &start));
        // A spare queen in the place of a pawn, and king and rook exchanged.
        let mut wrong = frame;
        wrong[8] = Content::Tag(99);
        wrong.swap(0, 4);
        assert!(!names.learn(&wrong, &start) && !names.learn(&wrong, &start));
        let (dump, named) = names.dump(&wrong);
        assert!(!named);
        assert_eq!(dump.board(Facing::ConnectorLeft).occupied(), start.occupied());
        // The same tag on two squares is no set of pieces.
        let mut names = Names::default();
        let mut twice = frame;
        twice[0] = twice[1];
        assert!(!names.learn(&twice, &start) && !names.learn(&twice, &start));
    }

    #[test]
    fn a_turned_board_is_learned_where_the_position_shows_it() {
        let board: Board = "8/8/8/8/8/8/PPP5/RNBK4".parse().expect("a position");
        let mut names = Names::default();
        let frame = tagged(&board, Facing::ConnectorRight);
        assert!(!names.learn(&frame, &board) && names.learn(&frame, &board));
        assert_eq!(names.dump(&frame).0.board(Facing::ConnectorRight), board);
    }
}
