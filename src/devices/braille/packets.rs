//! BrlAPI's packets: size, type and body, all numbers with the highest byte first.
//!
//! Source: brltty 6.5, `Programs/brlapi_protocol.h` and `brlapi_keycodes.h`; protocol version 8.

/// The version of the protocol that is spoken here.
pub const VERSION: u32 = 8;
/// Bytes of the longest body.
pub const LONGEST_BODY: usize = 4096;

const HEADER: usize = 8;
const CHARSET: &[u8] = b"\x05UTF-8";
/// Region, text, cursor, charset.
const WRITE_FLAGS: u32 = 0x02 | 0x04 | 0x20 | 0x40;
const NO_KEY: u32 = b'N' as u32;
const BY_KEY: u32 = b'K' as u32;
/// A command of the display's, not a letter of a keyboard.
const COMMAND: u64 = 0x2000_0000;
/// Key, block and value of a command; above are modifiers and hints.
const KEY_MASK: u64 = 0x3FFF_FFFF;

/// Why bytes are no packets. Nothing after them can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PacketError {
    /// A body longer than [`LONGEST_BODY`].
    #[error("a packet of {0} bytes")]
    TooLong(u32),
    #[error("a packet of type {0:#x} that cannot be understood")]
    Malformed(u32),
}

/// Cuts bytes into packets.
#[derive(Debug, Default)]
pub struct PacketCutter {
    begun: Vec<u8>,
}

impl PacketCutter {
    /// Takes in bytes; gives the type and body of each packet that is whole.
    ///
    /// # Errors
    /// [`PacketError::TooLong`]; the line is of no more use then.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Vec<(u32, Vec<u8>)>, PacketError> {
        let mut whole = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            let wanted = self.wanted()?;
            let (now, later) = rest.split_at(wanted.min(rest.len()));
            self.begun.extend_from_slice(now);
            rest = later;
            if self.begun.len() >= HEADER && self.wanted()? == 0 {
                let packet = std::mem::take(&mut self.begun);
                let mut body = Body(&packet);
                let (_, kind) = (body.number(), body.number());
                whole.extend(kind.map(|kind| (kind, body.0.to_vec())));
            }
        }
        Ok(whole)
    }

    /// Bytes kept for a packet that has begun.
    pub fn kept(&self) -> usize {
        self.begun.len()
    }

    /// Bytes that the header, or the packet, still lacks.
    fn wanted(&self) -> Result<usize, PacketError> {
        if self.begun.len() < HEADER {
            return Ok(HEADER - self.begun.len());
        }
        let size = Body(&self.begun).number().unwrap_or_default();
        match usize::try_from(size) {
            Ok(size) if size <= LONGEST_BODY => Ok(HEADER + size - self.begun.len()),
            _ => Err(PacketError::TooLong(size)),
        }
    }
}

/// The rest of a body.
struct Body<'a>(&'a [u8]);

impl<'a> Body<'a> {
    fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (now, later) = self.0.split_at_checked(length)?;
        self.0 = later;
        Some(now)
    }

    fn number(&mut self) -> Option<u32> {
        self.bytes(4)?.try_into().ok().map(u32::from_be_bytes)
    }

    fn long(&mut self) -> Option<u64> {
        self.bytes(8)?.try_into().ok().map(u64::from_be_bytes)
    }

    /// Nothing may be left over.
    fn end<T>(self, value: T) -> Option<T> {
        self.0.is_empty().then_some(value)
    }
}

fn packet(kind: u8, body: &[u8]) -> Vec<u8> {
    // No body of ours is longer than a page of text.
    let size = u32::try_from(body.len()).unwrap_or(u32::MAX);
    [&size.to_be_bytes(), &u32::from(kind).to_be_bytes(), body].concat()
}

fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

/// Columns and rows of cells; none of either where no display is plugged in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DisplaySize {
    pub columns: u32,
    pub rows: u32,
}

/// How brltty wants to be convinced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    None,
    /// By the key in a file.
    Key,
    /// In no way that is known here.
    Unknown,
}

/// A key of the display that does something here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisplayKey {
    Left,
    Right,
    Up,
    Down,
    /// A routing key: the newest text, from its beginning.
    Route,
}

impl DisplayKey {
    /// Each key with the first and the last of its codes.
    const CODES: [(DisplayKey, u64, u64); 7] = [
        (DisplayKey::Up, COMMAND | 1, COMMAND | 1),
        (DisplayKey::Down, COMMAND | 2, COMMAND | 2),
        (DisplayKey::Left, COMMAND | 23, COMMAND | 23),
        (DisplayKey::Right, COMMAND | 24, COMMAND | 24),
        // "Skipping blank ones".
        (DisplayKey::Left, COMMAND | 25, COMMAND | 25),
        (DisplayKey::Right, COMMAND | 26, COMMAND | 26),
        (DisplayKey::Route, COMMAND | 0x1_0000, COMMAND | 0x1_FFFF),
    ];

    pub fn of(code: u64) -> Option<DisplayKey> {
        let code = code & KEY_MASK;
        let known =
            DisplayKey::CODES.iter().find(|(_, first, last)| (*first..=*last).contains(&code));
        known.map(|(key, ..)| *key)
    }

    /// The code that a display sends.
    pub fn code(self) -> u64 {
        // Every key is in the table.
        DisplayKey::CODES.iter().find(|(key, ..)| *key == self).map_or(0, |(_, first, _)| *first)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromBrltty {
    Version(u32),
    /// What it wants before it listens.
    Wants(Proof),
    Done,
    Size(DisplaySize),
    /// A key was pressed, by its code.
    Pressed(u64),
    Refused(u32),
    /// Something written could not be shown.
    Unshown,
    Other(u32),
}

impl FromBrltty {
    /// Reads a packet.
    ///
    /// # Errors
    /// [`PacketError::Malformed`].
    pub fn parse(kind: u32, body: &[u8]) -> Result<FromBrltty, PacketError> {
        let known = u8::try_from(kind).unwrap_or_default();
        let mut rest = Body(body);
        let read = match known {
            b'v' => rest.number().and_then(|version| rest.end(FromBrltty::Version(version))),
            b'a' => {
                let mut kinds = Vec::new();
                while let Some(kind) = rest.number() {
                    kinds.push(kind);
                }
                let proof = if kinds.contains(&NO_KEY) {
                    Proof::None
                } else if kinds.contains(&BY_KEY) {
                    Proof::Key
                } else {
                    Proof::Unknown
                };
                rest.end(FromBrltty::Wants(proof))
            }
            b'A' => rest.end(FromBrltty::Done),
            b's' => (|| {
                let size = DisplaySize { columns: rest.number()?, rows: rest.number()? };
                rest.end(FromBrltty::Size(size))
            })(),
            b'k' => rest.long().and_then(|code| rest.end(FromBrltty::Pressed(code))),
            b'e' => rest.number().map(FromBrltty::Refused),
            b'E' => Some(FromBrltty::Unshown),
            _ => Some(FromBrltty::Other(kind)),
        };
        read.ok_or(PacketError::Malformed(kind))
    }

    /// As bytes, header and body.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            FromBrltty::Version(version) => packet(b'v', &numbers(&[*version])),
            FromBrltty::Wants(proof) => {
                let kind = match proof {
                    Proof::None => NO_KEY,
                    Proof::Key => BY_KEY,
                    Proof::Unknown => u32::from(b'C'),
                };
                packet(b'a', &numbers(&[kind]))
            }
            FromBrltty::Done => packet(b'A', &[]),
            FromBrltty::Size(size) => packet(b's', &numbers(&[size.columns, size.rows])),
            FromBrltty::Pressed(code) => packet(b'k', &code.to_be_bytes()),
            FromBrltty::Refused(code) => packet(b'e', &numbers(&[*code, 0])),
            FromBrltty::Unshown => packet(b'E', &numbers(&[6, u32::from(b'w')])),
            FromBrltty::Other(kind) => [[0; 4], kind.to_be_bytes()].concat(),
        }
    }
}

/// What is sent to brltty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToBrltty {
    Version(u32),
    /// The key from its file.
    Key(Vec<u8>),
    Size,
    /// The display is wanted, whatever the screen shows.
    Enter,
    /// It is not wanted any more.
    Leave,
    /// All keys are left to brltty.
    LeaveKeys,
    /// The keys of [`DisplayKey`] are wanted.
    TakeKeys,
    /// Show this: as many characters as there are cells.
    Write {
        text: String,
        /// The cell with a cursor, from 1; 0: none.
        cursor: u32,
    },
}

impl ToBrltty {
    /// As bytes, header and body.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            ToBrltty::Version(version) => packet(b'v', &numbers(&[*version])),
            ToBrltty::Key(key) => packet(b'a', &[&numbers(&[BY_KEY]), key.as_slice()].concat()),
            ToBrltty::Size => packet(b's', &[]),
            // No path to a terminal, no driver whose raw keys are wanted.
            ToBrltty::Enter => packet(b't', &[0; 5]),
            ToBrltty::Leave => packet(b'L', &[]),
            ToBrltty::LeaveKeys => packet(b'm', &numbers(&[0, 0, u32::MAX, u32::MAX])),
            ToBrltty::TakeKeys => {
                // With any modifiers.
                let ranges = DisplayKey::CODES.iter().flat_map(|(_, first, last)| {
                    [*first, *last | u64::from(u32::MAX) << 32].map(u64::to_be_bytes).concat()
                });
                packet(b'u', &ranges.collect::<Vec<u8>>())
            }
            ToBrltty::Write { text, cursor } => {
                let length = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
                let (cells, bytes) = (length(text.chars().count()), length(text.len()));
                let before = numbers(&[WRITE_FLAGS, 1, cells, bytes]);
                packet(b'w', &[&before, text.as_bytes(), &numbers(&[*cursor]), CHARSET].concat())
            }
        }
    }

    /// Reads a packet, for the simulated brltty.
    ///
    /// # Errors
    /// [`PacketError::Malformed`], also for what is never sent here.
    pub fn parse(kind: u32, body: &[u8]) -> Result<ToBrltty, PacketError> {
        let known = u8::try_from(kind).unwrap_or_default();
        let mut rest = Body(body);
        let read = match known {
            b'v' => rest.number().and_then(|version| rest.end(ToBrltty::Version(version))),
            b'a' => {
                let key = rest.number().filter(|kind| *kind == BY_KEY);
                key.map(|_| ToBrltty::Key(rest.0.to_vec()))
            }
            b'w' => (|| {
                let [flags, first, cells, bytes] =
                    [rest.number()?, rest.number()?, rest.number()?, rest.number()?];
                let text = rest.bytes(usize::try_from(bytes).ok()?)?;
                let text = String::from_utf8(text.to_vec()).ok()?;
                let cursor = rest.number()?;
                let fits = text.chars().count() == usize::try_from(cells).ok()?;
                let right = (flags, first, rest.0) == (WRITE_FLAGS, 1, CHARSET) && fits;
                right.then_some(ToBrltty::Write { text, cursor })
            })(),
            _ => [
                ToBrltty::Size,
                ToBrltty::Enter,
                ToBrltty::Leave,
                ToBrltty::LeaveKeys,
                ToBrltty::TakeKeys,
            ]
            .into_iter()
            .find(|plain| plain.encode() == packet(known, body)),
        };
        read.ok_or(PacketError::Malformed(kind))
    }
}
