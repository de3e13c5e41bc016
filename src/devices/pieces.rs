//! Boards that tell all their squares at once, whoever makes them: Chessnut, Millennium, Certabo.
//!
//! A make is a [`Codec`]: what to say to the board, and what its bytes show. The line, the
//! questions and the patience are the same for all ([`session`]). No real board of these makes was
//! tried: the formats are taken from what their makers and other programs have published.

pub mod certabo;
pub mod chessnut;
pub mod millennium;
pub mod session;

mod names;

pub use names::Names;

use shakmaty::{Board, Piece};

use crate::{
    dgt::codec::{Facing, Field},
    serial::{CHESSNUT_USB, Kind, SERIAL_FILES, bluetooth::Radio},
};
use annabella_core::setup::Maker;

/// What stands on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Content {
    #[default]
    Empty,
    Piece(Piece),
    /// A piece that the board knows by a number only.
    Tag(u64),
}

/// All squares in the order of a diagram: a8 to h8 first, h1 last. The board may lie the other way
/// round.
pub type Frame = [Content; 64];

/// The frame of a board that lies this way, shows `board` and knows its pieces.
pub fn frame_of(board: &Board, facing: Facing) -> Frame {
    let mut frame = Frame::from([Content::Empty; 64]);
    for field in Field::all() {
        if let Some(piece) = board.piece_at(facing.square(field)) {
            frame[usize::from(field.number())] = Content::Piece(piece);
        }
    }
    frame
}

/// What one make of board says, and what is said to it. Pure; holds at most one message.
pub trait Codec: Send + std::fmt::Debug {
    /// Has the board tell how it stands; nothing where it does that unasked.
    fn ask(&self) -> Option<Vec<u8>>;

    /// Takes in bytes as one read gave them. Each whole message that shows the squares gives a
    /// frame; anything else is left out.
    fn read(&mut self, bytes: &[u8], out: &mut Vec<Frame>);

    /// Forgets a message begun, as after the line was closed.
    fn reset(&mut self);
}

/// How a make of board is talked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// It is asked when it has said nothing for so long, milliseconds.
    pub ask_after_ms: u64,
    /// A board that says nothing for so long is gone, milliseconds.
    pub silent_ms: u64,
    /// How many frames must say the same of a square before it counts.
    pub alike: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Make {
    /// Air, Air+, Pro, Go, Evo: by USB or Bluetooth.
    Chessnut,
    /// ChessLink: Exclusive, Performance and what else the cable fits.
    Millennium,
    /// With pieces that have tags.
    Certabo,
}

impl Make {
    pub const ALL: [Make; 3] = [Make::Chessnut, Make::Millennium, Make::Certabo];

    /// Of boards of this maker; `None`: they are talked with otherwise.
    pub fn of(maker: Maker) -> Option<Make> {
        Make::ALL.into_iter().find(|make| make.maker() == maker)
    }

    pub fn maker(self) -> Maker {
        match self {
            Make::Chessnut => Maker::Chessnut,
            Make::Millennium => Maker::Millennium,
            Make::Certabo => Maker::Certabo,
        }
    }

    /// Where it is plugged in.
    pub fn kind(self) -> Kind {
        let serial = |name| Kind {
            name,
            baud: Some(38_400),
            files: SERIAL_FILES,
            usb: &[],
            only_there: false,
            radio: None,
        };
        match self {
            // Source: EasyLinkSDK, vendor 2D80: a HID device, never a serial port.
            Make::Chessnut => Kind {
                name: "Chessnut board",
                baud: None,
                files: &["hidraw"],
                usb: &[CHESSNUT_USB],
                only_there: true,
                // Source: ChessnutPy; advertised as `Chessnut Air` with a line feed behind it.
                radio: Some(Radio {
                    names: &["Chessnut", "Smart Chess"],
                    says: "1b7e8262-2877-41c3-b46e-cf057c562023",
                    hears: "1b7e8272-2877-41c3-b46e-cf057c562023",
                }),
            },
            Make::Millennium => Kind {
                // A serial line over the air. Source: chess_link_bluepy.py of python-mchess
                radio: Some(Radio {
                    names: &["MILLENNIUM CHESS"],
                    says: "49535343-1e4d-4bd9-ba61-23c647249616",
                    hears: "49535343-8841-43f4-a8d4-ecbe34729bb3",
                }),
                ..serial("Millennium board")
            },
            Make::Certabo => serial("Certabo board"),
        }
    }

    /// Its codec, before any byte.
    pub fn codec(self) -> Box<dyn Codec> {
        match self {
            Make::Chessnut => Box::new(chessnut::Chessnut::default()),
            Make::Millennium => Box::new(millennium::Millennium::default()),
            Make::Certabo => Box::new(certabo::Certabo::default()),
        }
    }

    pub fn manner(self) -> Manner {
        match self {
            Make::Chessnut => Manner { ask_after_ms: 2000, silent_ms: 6500, alike: 1 },
            // It tells nothing unasked.
            Make::Millennium => Manner { ask_after_ms: 200, silent_ms: 3000, alike: 1 },
            // A tag may be missed in one reading.
            Make::Certabo => Manner { ask_after_ms: 3000, silent_ms: 5000, alike: 2 },
        }
    }
}
