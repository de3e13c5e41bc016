//! Boards that tell all their squares at once: Chessnut, Millennium, Certabo.
//!
//! They look at their squares some times a second and tell what stands there as the make does: when
//! that has changed and when asked, only when asked, or always. Pieces of a Certabo have tags; a
//! tag may be missed.

use std::collections::VecDeque;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Board, Piece, Square};

use crate::pty::LineDevice;
use annabella_devices::{
    dgt::codec::Facing,
    pieces::{Content, Frame, Make, certabo, chessnut, millennium},
};

/// How often a board looks at its squares, milliseconds.
const SCAN_MS: u64 = 150;

/// A board, and the bytes on their way.
#[derive(Clone, Debug)]
pub struct SimulatedPieces {
    make: Make,
    facing: Facing,
    /// How many of a thousand tags are missed in one look.
    missed_permille: u32,
    rng: ChaCha8Rng,
    /// What stands where: for a Certabo, tags.
    real: Frame,
    /// The tags in use, each for a piece.
    tags: Vec<(Piece, u64)>,
    told: Option<Frame>,
    asked: bool,
    /// It has been asked once since it was switched on.
    awake: bool,
    scan_ms: u64,
    received: VecDeque<u8>,
}

impl SimulatedPieces {
    /// A board that lies this way and shows `board`.
    pub fn new(make: Make, facing: Facing, board: &Board) -> SimulatedPieces {
        let mut simulated = SimulatedPieces {
            make,
            facing,
            missed_permille: 0,
            rng: ChaCha8Rng::seed_from_u64(8141),
            real: Frame::from([Content::Empty; 64]),
            tags: Vec::new(),
            told: None,
            asked: false,
            awake: false,
            scan_ms: 0,
            received: VecDeque::new(),
        };
        // Every piece of the set has a tag of its own.
        for (n, (_, piece)) in board.clone().into_iter().enumerate() {
            simulated.tags.push((piece, 0x2c_0019_f101 + n as u64 * 258));
        }
        for (square, piece) in board.clone() {
            simulated.put(square, Some(piece));
        }
        simulated
    }

    /// The same, where so many of a thousand tags are missed in one look.
    #[must_use]
    pub fn missing(mut self, missed_permille: u32, seed: u64) -> SimulatedPieces {
        self.missed_permille = missed_permille;
        self.rng = ChaCha8Rng::seed_from_u64(seed);
        self
    }

    /// A hand puts a piece on a square, or takes away what is there. A piece that was taken away
    /// before comes first.
    pub fn put(&mut self, square: Square, piece: Option<Piece>) {
        let place = usize::from(self.facing.field(square).number());
        self.real[place] = match piece {
            None => Content::Empty,
            Some(piece) if self.make == Make::Certabo => Content::Tag(self.tag(piece)),
            Some(piece) => Content::Piece(piece),
        };
    }

    /// The pieces on the squares.
    pub fn board(&self) -> Board {
        let mut board = Board::empty();
        for square in Square::ALL {
            let piece = match self.real[usize::from(self.facing.field(square).number())] {
                Content::Empty => None,
                Content::Piece(piece) => Some(piece),
                Content::Tag(tag) => {
                    self.tags.iter().find(|(_, known)| *known == tag).map(|(piece, _)| *piece)
                }
            };
            if let Some(piece) = piece {
                board.set_piece_at(square, piece);
            }
        }
        board
    }

    /// A piece of this kind that stands nowhere, or a new one.
    fn tag(&mut self, piece: Piece) -> u64 {
        let free = |tag: u64| !self.real.contains(&Content::Tag(tag));
        let of_kind = || self.tags.iter().filter(|(of, _)| *of == piece).map(|(_, tag)| *tag);
        // A piece that is slid may show on its new square before it has left the old one.
        let known = of_kind().find(|tag| free(*tag)).or_else(|| of_kind().next());
        known.unwrap_or_else(|| {
            let tag = 0x2c_0019_f101 + self.tags.len() as u64 * 258;
            self.tags.push((piece, tag));
            tag
        })
    }

    fn look(&mut self) -> Frame {
        let missed = self.missed_permille;
        let rng = &mut self.rng;
        self.real.map(|content| match content {
            Content::Tag(_) if missed > 0 && rng.random_range(0..1000) < missed => Content::Empty,
            other => other,
        })
    }
}

impl LineDevice for SimulatedPieces {
    fn receive(&mut self, _now_ms: u64, bytes: &[u8]) {
        self.received.extend(bytes);
        let asks = match self.make {
            Make::Chessnut => chessnut::is_asked(bytes),
            Make::Millennium => {
                let wanted = millennium::message(b"S");
                let all: Vec<u8> = self.received.iter().copied().collect();
                all.windows(wanted.len()).any(|part| part == wanted)
            }
            Make::Certabo => false,
        };
        if asks {
            self.received.clear();
            (self.asked, self.awake) = (true, true);
        }
    }

    fn transmit(&mut self, now_ms: u64) -> Vec<u8> {
        let due = now_ms >= self.scan_ms;
        if due {
            self.scan_ms = now_ms + SCAN_MS;
        }
        let tells = match self.make {
            Make::Chessnut => {
                self.asked || (self.awake && due && self.told.as_ref() != Some(&self.real))
            }
            Make::Millennium => self.asked,
            Make::Certabo => due,
        };
        if !tells {
            return Vec::new();
        }
        self.asked = false;
        let frame = self.look();
        self.told = Some(frame);
        match self.make {
            Make::Chessnut => chessnut::report(&frame),
            Make::Millennium => millennium::answer(&frame),
            Make::Certabo => certabo::line(&frame),
        }
    }

    fn due_ms(&self) -> u64 {
        self.scan_ms
    }

    fn power_cycle(&mut self, _now_ms: u64) {
        (self.told, self.asked, self.awake) = (None, false, false);
        self.received.clear();
    }
}
