//! The messages between a DGT electronic board and a host, to and from bytes.
//!
//! Pure: bytes in any pieces go into a [`DgtDecoder`], messages and complaints come out.
//!
//! ```
//! use annabella_devices::dgt::codec::{Code, DgtDecoder, Facing, FromBoard};
//! let mut decoder = DgtDecoder::default();
//! let heard: Vec<_> = decoder.feed(&[0x8E, 0x00, 0x05, 0x34, 0x01]).collect();
//! let Ok(FromBoard::Update { field, code }) = heard[0] else { panic!("a field update") };
//! assert_eq!(Facing::ConnectorLeft.square(field), shakmaty::Square::E2);
//! assert_eq!(code, Code::Piece(shakmaty::Color::White.pawn()));
//! ```
//!
//! # Resynchronisation
//!
//! There is no checksum. Every byte of a message but its first has bit 7 clear, so a byte from 0x80
//! up always begins a new one. A lost byte costs the message it was in, or turns a field update
//! into another one: a single update is a hint, never a fact.
//!
//! Source: the published protocol header of the e-board, and recordings of real boards.

mod clock;
mod decoder;
mod fields;

pub use clock::{
    Ack, ClockButton, ClockCommand, ClockSays, ClockTimes, RunMode, SideTime, TEXT_LENGTH, Turn,
};
pub use decoder::{CommandDecoder, CommandError, DecodeError, DgtDecoder, LONGEST_FRAME};
pub use fields::{Code, Dump, Facing, Field, Marker};

/// A message from the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToBoard {
    /// 40: stop sending updates. No reply.
    Reset,
    /// 41: send the clock once.
    SendClock,
    /// 42: send all fields once.
    SendBoard,
    /// 43: send fields as they change, and the clock at least every second.
    UpdateAll,
    /// 44: send fields as they change.
    UpdateFields,
    /// 4B: send fields and the clock as they change.
    UpdateChanges,
    /// 45: send the serial number of five digits.
    SendSerial,
    /// 55: send the serial number of ten digits.
    SendLongSerial,
    /// 46: send the bus address.
    SendBusAddress,
    /// 47: send the maker's text.
    SendTrademark,
    /// 49: send the stored moves, some eight seconds of bytes.
    SendStoredMoves,
    /// 4C: send the battery's state; Bluetooth boards only.
    SendBattery,
    /// 4D: send the version.
    SendVersion,
    /// 2B: a message for the clock.
    Clock(ClockCommand),
}

/// The commands of a single byte. The boot loader's and the EEPROM's (4E, 51, 53, 54) are left out
/// on purpose: they can ruin a board.
const SINGLES: [(u8, ToBoard); 13] = [
    (0x40, ToBoard::Reset),
    (0x41, ToBoard::SendClock),
    (0x42, ToBoard::SendBoard),
    (0x43, ToBoard::UpdateAll),
    (0x44, ToBoard::UpdateFields),
    (0x4B, ToBoard::UpdateChanges),
    (0x45, ToBoard::SendSerial),
    (0x55, ToBoard::SendLongSerial),
    (0x46, ToBoard::SendBusAddress),
    (0x47, ToBoard::SendTrademark),
    (0x49, ToBoard::SendStoredMoves),
    (0x4C, ToBoard::SendBattery),
    (0x4D, ToBoard::SendVersion),
];

/// Begins a message for the clock.
const CLOCK_MESSAGE: u8 = 0x2B;

impl ToBoard {
    /// The bytes to send.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            ToBoard::Clock(command) => {
                let body = command.body();
                // A clock command's body has at most twelve bytes.
                let mut bytes = vec![CLOCK_MESSAGE, body.len() as u8];
                bytes.extend(body);
                bytes
            }
            single => {
                SINGLES.iter().filter(|(_, known)| known == single).map(|(byte, _)| *byte).collect()
            }
        }
    }
}

/// A message from the board, its own or its clock's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromBoard {
    /// 86: all fields.
    Dump(Box<Dump>),
    /// 8D: the clock.
    Clock(ClockSays),
    /// 8E: one field changed.
    Update { field: Field, code: Code },
    /// 8F: the stored moves as they lie in the board's memory.
    StoredMoves(Vec<u8>),
    /// 90: the bus address, 14 bits.
    BusAddress(u16),
    /// 91: serial number, five ASCII characters.
    Serial([u8; 5]),
    /// A2: serial number, ten ASCII characters.
    LongSerial([u8; 10]),
    /// 92: the maker's text, ASCII.
    Trademark(Vec<u8>),
    /// 93: version.
    Version {
        /// Before the point.
        major: u8,
        /// After the point.
        minor: u8,
    },
    /// A0: the battery of a Bluetooth board.
    Battery {
        percent: u8,
        /// Times left, on and in standby, as the board counts them.
        times: [u8; 7],
        /// Status bits.
        status: u8,
    },
}

/// Data bytes of a board's stored moves.
const STORED_MOVES: usize = 7936;

impl FromBoard {
    /// The message's first byte.
    pub fn id(&self) -> u8 {
        match self {
            FromBoard::Dump(_) => 0x86,
            FromBoard::Clock(_) => 0x8D,
            FromBoard::Update { .. } => 0x8E,
            FromBoard::StoredMoves(_) => 0x8F,
            FromBoard::BusAddress(_) => 0x90,
            FromBoard::Serial(_) => 0x91,
            FromBoard::Trademark(_) => 0x92,
            FromBoard::Version { .. } => 0x93,
            FromBoard::Battery { .. } => 0xA0,
            FromBoard::LongSerial(_) => 0xA2,
        }
    }

    /// The bytes that a board sends. Bit 7 of data is cut off, text longer than a message can hold
    /// too.
    pub fn encode(&self) -> Vec<u8> {
        let mut data: Vec<u8> = match self {
            FromBoard::Dump(dump) => dump.codes().iter().map(|code| code.nibble()).collect(),
            FromBoard::Clock(says) => says.data().to_vec(),
            FromBoard::Update { field, code } => vec![field.number(), code.nibble()],
            FromBoard::StoredMoves(bytes) | FromBoard::Trademark(bytes) => bytes.clone(),
            FromBoard::BusAddress(address) => vec![(address >> 7) as u8, *address as u8],
            FromBoard::Serial(digits) => digits.to_vec(),
            FromBoard::LongSerial(digits) => digits.to_vec(),
            FromBoard::Version { major, minor } => vec![*major, *minor],
            FromBoard::Battery { percent, times, status } => {
                [&[*percent], times.as_slice(), &[*status]].concat()
            }
        };
        data.truncate(LONGEST_FRAME - HEADER);
        let length = data.len() + HEADER;
        let mut bytes = vec![self.id(), (length >> 7) as u8, (length & 0x7F) as u8];
        bytes.extend(data.iter().map(|byte| byte & 0x7F));
        bytes
    }

    /// The total length that a message of this kind must have; `None` for an unknown kind.
    fn length_of(id: u8) -> Option<Length> {
        Some(Length::Is(match id {
            0x86 => 67,
            0x8D => 10,
            0x8E | 0x90 | 0x93 => 5,
            0x8F => HEADER + STORED_MOVES,
            0x91 => 8,
            0x92 => return Some(Length::Varies),
            0xA0 => 12,
            0xA2 => 13,
            _ => return None,
        }))
    }

    /// Reads a whole message of the right length: `data` is what follows the header.
    fn read(id: u8, data: &[u8]) -> Result<FromBoard, &'static str> {
        const LENGTH: &str = "wrong length";
        Ok(match (id, data) {
            (0x86, _) => FromBoard::Dump(Box::new(Dump::read(data).ok_or(LENGTH)?)),
            (0x8D, _) => FromBoard::Clock(ClockSays::read(data.try_into().map_err(|_| LENGTH)?)?),
            (0x8E, [field, code]) => FromBoard::Update {
                field: Field::new(*field).ok_or("no such field")?,
                code: Code::from_nibble(*code),
            },
            (0x8F, _) => FromBoard::StoredMoves(data.to_vec()),
            (0x90, [high, low]) => FromBoard::BusAddress(u16::from(*high) << 7 | u16::from(*low)),
            (0x91, _) => FromBoard::Serial(data.try_into().map_err(|_| LENGTH)?),
            (0x92, _) => FromBoard::Trademark(data.to_vec()),
            (0x93, [major, minor]) => FromBoard::Version { major: *major, minor: *minor },
            (0xA0, [percent, times @ .., status]) => FromBoard::Battery {
                percent: *percent,
                times: times.try_into().map_err(|_| LENGTH)?,
                status: *status,
            },
            (0xA2, _) => FromBoard::LongSerial(data.try_into().map_err(|_| LENGTH)?),
            _ => return Err("unknown kind"),
        })
    }
}

/// How long a message is.
enum Length {
    Is(usize),
    Varies,
}

/// Bytes before a message's data.
const HEADER: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_of_one_byte_has_its_own() {
        let bytes: Vec<Vec<u8>> = SINGLES.iter().map(|(_, command)| command.encode()).collect();
        assert!(bytes.iter().zip(&SINGLES).all(|(bytes, (byte, _))| *bytes == [*byte]));
        for forbidden in [0x4E, 0x51, 0x53, 0x54] {
            assert!(!bytes.contains(&vec![forbidden]));
        }
    }

    #[test]
    fn a_text_too_long_for_a_message_is_cut() {
        let bytes = FromBoard::Trademark(vec![b'x'; 20_000]).encode();
        assert_eq!(bytes.len(), LONGEST_FRAME);
        assert_eq!(bytes[..3], [0x92, 0x7F, 0x7F]);
    }
}
