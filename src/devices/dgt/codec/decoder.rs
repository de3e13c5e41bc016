//! Bytes in any pieces to messages.

use thiserror::Error;

use super::{CLOCK_MESSAGE, ClockCommand, FromBoard, HEADER, Length, SINGLES, ToBoard};

/// The longest message that a length of 14 bits can announce, bytes.
pub const LONGEST_FRAME: usize = (1 << 14) - 1;

/// Bytes that are no message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    #[error("{bytes} stray bytes between messages")]
    Stray { bytes: usize },
    #[error("message {id:02X} cut after {found} of {wanted} bytes")]
    Cut {
        id: u8,
        found: usize,
        /// Bytes that should have; 0 if the length itself was cut.
        wanted: usize,
    },
    #[error("unknown message {id:02X}")]
    Unknown { id: u8 },
    #[error("message {id:02X} of {found} bytes")]
    Length { id: u8, found: usize },
    #[error("message {id:02X}: {what}")]
    Content { id: u8, what: &'static str },
}

/// Reads what a board sends. Holds at most one message.
#[derive(Clone, Debug, Default)]
pub struct DgtDecoder {
    state: State,
    /// The present message's data; its capacity never exceeds what came of the longest so far.
    data: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Default)]
enum State {
    /// Between messages; the number of bytes that belong to none.
    #[default]
    Outside,
    Stray(usize),
    /// The first byte is there.
    Id(u8),
    /// And half of the length.
    High(u8, u8),
    /// In the data; the total length is known.
    Data {
        id: u8,
        wanted: usize,
    },
    /// In a message that was given up and has been complained about.
    Skipping,
}

impl DgtDecoder {
    /// Reads bytes as they came. When the iterator is dropped the rest is read too, and its
    /// messages are lost.
    pub fn feed<'a>(&'a mut self, bytes: &'a [u8]) -> Feed<'a> {
        Feed { decoder: self, bytes }
    }

    /// Reads one byte.
    pub fn push(&mut self, byte: u8) -> Option<Result<FromBoard, DecodeError>> {
        if byte & 0x80 != 0 {
            return self.begin(byte).map(Err);
        }
        match self.state {
            State::Outside => {
                self.state = State::Stray(1);
                None
            }
            State::Stray(bytes) => {
                self.state = State::Stray(bytes.saturating_add(1));
                None
            }
            State::Skipping => None,
            State::Id(id) => {
                self.state = State::High(id, byte);
                None
            }
            State::High(id, high) => {
                let wanted = usize::from(high) << 7 | usize::from(byte);
                let fits = match FromBoard::length_of(id) {
                    Some(Length::Is(length)) => wanted == length,
                    Some(Length::Varies) => wanted >= HEADER,
                    None => false,
                };
                if !fits {
                    self.state = State::Skipping;
                    return Some(Err(DecodeError::Length { id, found: wanted }));
                }
                self.state = State::Data { id, wanted };
                self.data.clear();
                self.ended(id, wanted)
            }
            State::Data { id, wanted } => {
                if self.data.len() == self.data.capacity() {
                    // Grown as bytes come, not as a length announces them, and never beyond it.
                    let room = (self.data.len() * 2).max(64).min(wanted - HEADER);
                    self.data.reserve_exact(room - self.data.len());
                }
                self.data.push(byte);
                self.ended(id, wanted)
            }
        }
    }

    /// Forgets a message begun, as after the line was closed.
    pub fn reset(&mut self) {
        self.state = State::Outside;
        self.data.clear();
    }

    /// The memory held, bytes.
    pub fn capacity(&self) -> usize {
        self.data.capacity()
    }

    fn begin(&mut self, id: u8) -> Option<DecodeError> {
        let before = match self.state {
            State::Outside | State::Skipping => None,
            State::Stray(bytes) => Some(DecodeError::Stray { bytes }),
            State::Id(id) => Some(DecodeError::Cut { id, found: 1, wanted: 0 }),
            State::High(id, _) => Some(DecodeError::Cut { id, found: 2, wanted: 0 }),
            State::Data { id, wanted } => {
                Some(DecodeError::Cut { id, found: HEADER + self.data.len(), wanted })
            }
        };
        if FromBoard::length_of(id).is_none() {
            self.state = State::Skipping;
            // The later of two complaints tells more.
            return Some(DecodeError::Unknown { id });
        }
        self.state = State::Id(id);
        before
    }

    fn ended(&mut self, id: u8, wanted: usize) -> Option<Result<FromBoard, DecodeError>> {
        if HEADER + self.data.len() < wanted {
            return None;
        }
        self.state = State::Outside;
        Some(FromBoard::read(id, &self.data).map_err(|what| DecodeError::Content { id, what }))
    }
}

/// The messages in bytes just fed; see [`DgtDecoder::feed`].
#[derive(Debug)]
#[must_use = "messages that nobody takes are lost"]
pub struct Feed<'a> {
    decoder: &'a mut DgtDecoder,
    bytes: &'a [u8],
}

impl Iterator for Feed<'_> {
    type Item = Result<FromBoard, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some((&byte, rest)) = self.bytes.split_first() {
            self.bytes = rest;
            let decoded = self.decoder.push(byte);
            if decoded.is_some() {
                return decoded;
            }
        }
        None
    }
}

impl Drop for Feed<'_> {
    fn drop(&mut self) {
        self.by_ref().for_each(drop);
    }
}

/// Bytes from a host that are no command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    #[error("unknown command {0:02X}")]
    Unknown(
        /// The byte.
        u8,
    ),
    #[error("a clock message of {0} bytes that no clock understands")]
    Clock(
        /// Its size.
        u8,
    ),
}

/// The longest message for the clock, without its first two bytes.
const LONGEST_BODY: u8 = 12;

/// Reads what a host sends: the board's half of the conversation, for an emulator. Holds at most
/// one command.
#[derive(Clone, Debug, Default)]
pub struct CommandDecoder {
    clock: Option<ClockPart>,
}

#[derive(Clone, Debug, Default)]
struct ClockPart {
    size: Option<u8>,
    body: Vec<u8>,
}

impl CommandDecoder {
    /// Reads one byte.
    pub fn push(&mut self, byte: u8) -> Option<Result<ToBoard, CommandError>> {
        let Some(part) = &mut self.clock else {
            if byte == CLOCK_MESSAGE {
                self.clock = Some(ClockPart::default());
                return None;
            }
            let single = SINGLES.iter().find(|(code, _)| *code == byte);
            return Some(
                single.map(|(_, command)| command.clone()).ok_or(CommandError::Unknown(byte)),
            );
        };
        let Some(size) = part.size else {
            if byte == 0 || byte > LONGEST_BODY {
                self.clock = None;
                return Some(Err(CommandError::Clock(byte)));
            }
            part.size = Some(byte);
            return None;
        };
        part.body.push(byte);
        if part.body.len() < usize::from(size) {
            return None;
        }
        let command = ClockCommand::read(&part.body).map(ToBoard::Clock);
        self.clock = None;
        Some(command.ok_or(CommandError::Clock(size)))
    }

    /// Whether a command has begun and is not whole.
    pub fn is_waiting(&self) -> bool {
        self.clock.is_some()
    }

    /// Forgets a command begun.
    pub fn reset(&mut self) {
        self.clock = None;
    }
}
