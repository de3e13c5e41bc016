//! The talk with brltty, without a socket: bytes in, bytes out.

use std::path::{Path, PathBuf};

use super::{
    packets::{
        DisplayKey, DisplaySize, FromBrltty, PacketCutter, PacketError, Proof, ToBrltty, VERSION,
    },
    reading::FingerReading,
};

/// Why there is no Braille line; one line with the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrailleError {
    #[error(
        "no brltty answers at {at}: start it (sudo systemctl start brltty), or correct [braille] line"
    )]
    Missing {
        /// Socket, or host and port.
        at: String,
    },
    #[error(
        "at {at} answers no brltty whose language is known here ({reason}): correct [braille] line"
    )]
    Stranger {
        /// Socket, or host and port.
        at: String,
        reason: String,
    },
    #[error(
        "brltty wants its key, and {file} cannot be read ({reason}): name the file in [braille] key_file, \
         and let the service read it (sudo chgrp annabella {file})"
    )]
    NoKey { file: String, reason: String },
    #[error("brltty refuses the service (error {code}): is {file} the key that brltty has?")]
    Refused { code: u32, file: String },
    #[error("brltty has no Braille display: plug it in and switch it on")]
    NoDisplay,
    #[error("lost brltty at {at} ({reason})")]
    Lost {
        /// Socket, or host and port.
        at: String,
        reason: String,
    },
}

/// How far the talk has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
enum Step {
    Greeting,
    Proving,
    Proved,
    Measuring,
    Leaving,
    Entering,
    LeavingKeys,
    TakingKeys,
    Ready,
}

#[derive(Debug)]
pub struct BrailleSession {
    at: String,
    key_file: PathBuf,
    cutter: PacketCutter,
    step: Step,
    size: DisplaySize,
    /// The size was asked for, and there is no answer yet.
    asked: bool,
}

impl BrailleSession {
    /// With whoever answers at `at`.
    pub fn new(at: &str, key_file: &Path) -> BrailleSession {
        BrailleSession {
            at: at.to_owned(),
            key_file: key_file.to_owned(),
            cutter: PacketCutter::default(),
            step: Step::Greeting,
            size: DisplaySize::default(),
            asked: false,
        }
    }

    /// The display is ours, and it has cells.
    pub fn is_ready(&self) -> bool {
        self.step == Step::Ready && self.size != DisplaySize::default()
    }

    /// brltty is there, and no display is.
    pub fn lacks_display(&self) -> bool {
        self.step == Step::Ready && !self.is_ready()
    }

    /// brltty has still to answer.
    pub fn waits(&self) -> bool {
        self.step != Step::Ready || self.asked
    }

    /// The size is known.
    pub fn is_measured(&self) -> bool {
        self.step > Step::Measuring
    }

    /// The display's size; nothing while there is none.
    pub fn size(&self) -> DisplaySize {
        self.size
    }

    /// Takes in bytes. Gives the bytes to answer with: pages too, when a key was pressed or the
    /// display has become another.
    ///
    /// # Errors
    /// [`BrailleError`]; the connection is of no more use then.
    pub fn take(
        &mut self,
        bytes: &[u8],
        reading: &mut FingerReading,
    ) -> Result<Vec<u8>, BrailleError> {
        let mut answer = Vec::new();
        for (kind, body) in self.cutter.feed(bytes).map_err(|err| self.strange(&err))? {
            let told = FromBrltty::parse(kind, &body).map_err(|err| self.strange(&err))?;
            self.told(told, reading, &mut answer)?;
        }
        Ok(answer)
    }

    /// The page under the fingers as bytes; none while the display is not ready.
    pub fn write(&self, reading: &FingerReading) -> Vec<u8> {
        let Some(page) = reading.page(self.size).filter(|_| self.is_ready()) else {
            return Vec::new();
        };
        // Dots 7 and 8 of the last cell.
        let last = u32::try_from(page.text.chars().count()).unwrap_or(0);
        ToBrltty::Write { text: page.text, cursor: if page.goes_on { last } else { 0 } }.encode()
    }

    /// Asks for the size: whether brltty still answers, and whether the display is the same. Due
    /// every few seconds.
    ///
    /// # Errors
    /// [`BrailleError::Lost`] when the last question has no answer yet.
    pub fn ask(&mut self) -> Result<Vec<u8>, BrailleError> {
        if self.waits() {
            return Err(self.lost("no answer"));
        }
        self.asked = true;
        Ok(ToBrltty::Size.encode())
    }

    /// The line failed for this reason.
    pub fn lost(&self, reason: &str) -> BrailleError {
        BrailleError::Lost { at: self.at.clone(), reason: reason.to_owned() }
    }

    fn strange(&self, err: &PacketError) -> BrailleError {
        BrailleError::Stranger { at: self.at.clone(), reason: err.to_string() }
    }

    fn told(
        &mut self,
        told: FromBrltty,
        reading: &mut FingerReading,
        answer: &mut Vec<u8>,
    ) -> Result<(), BrailleError> {
        let (step, next) = match (self.step, told) {
            (Step::Greeting, FromBrltty::Version(VERSION)) => {
                (Step::Proving, ToBrltty::Version(VERSION))
            }
            (Step::Greeting, FromBrltty::Version(version)) => {
                let reason = format!("version {version}, not {VERSION}");
                return Err(BrailleError::Stranger { at: self.at.clone(), reason });
            }
            (Step::Proving, FromBrltty::Wants(Proof::None)) => (Step::Measuring, ToBrltty::Size),
            (Step::Proving, FromBrltty::Wants(Proof::Key | Proof::Unknown)) => {
                (Step::Proved, ToBrltty::Key(self.key()?))
            }
            (Step::Proved, FromBrltty::Done) => (Step::Measuring, ToBrltty::Size),
            (Step::Measuring, FromBrltty::Size(size)) => {
                self.size = size;
                (Step::Entering, ToBrltty::Enter)
            }
            (Step::Leaving, FromBrltty::Done) => (Step::Entering, ToBrltty::Enter),
            (Step::Entering, FromBrltty::Done) => (Step::LeavingKeys, ToBrltty::LeaveKeys),
            (Step::LeavingKeys, FromBrltty::Done) => (Step::TakingKeys, ToBrltty::TakeKeys),
            (Step::TakingKeys, FromBrltty::Done) => {
                self.step = Step::Ready;
                answer.extend(self.write(reading));
                return Ok(());
            }
            (_, FromBrltty::Refused(code)) => {
                return Err(BrailleError::Refused {
                    code,
                    file: self.key_file.display().to_string(),
                });
            }
            (Step::Ready, FromBrltty::Size(size)) => {
                self.asked = false;
                let other = std::mem::replace(&mut self.size, size) != size;
                if !other || size == DisplaySize::default() {
                    return Ok(());
                }
                // brltty 6.5 keeps a client's cells as many as they were when it entered.
                (Step::Leaving, ToBrltty::Leave)
            }
            (Step::Ready, FromBrltty::Pressed(code)) => {
                if let Some(key) = DisplayKey::of(code) {
                    reading.press(key, self.size);
                    answer.extend(self.write(reading));
                }
                return Ok(());
            }
            // The display has become smaller: the next size is another.
            (_, FromBrltty::Unshown | FromBrltty::Other(_)) => return Ok(()),
            (step, told) => {
                let reason = format!("{told:?} while {step:?}");
                return Err(BrailleError::Stranger { at: self.at.clone(), reason });
            }
        };
        self.step = step;
        answer.extend(next.encode());
        Ok(())
    }

    /// brltty compares the file as it is, with its line feed.
    fn key(&self) -> Result<Vec<u8>, BrailleError> {
        use std::io::Read as _;
        let file = self.key_file.display().to_string();
        let no_key = |reason: String| BrailleError::NoKey { file: file.clone(), reason };
        let mut key = Vec::new();
        let opened = crate::open_file(&self.key_file);
        // More is no key, and brltty takes no more.
        let read = opened.and_then(|file| file.take(2048).read_to_end(&mut key));
        read.map_err(|err| no_key(err.to_string()))?;
        if key.is_empty() { Err(no_key("it is empty".to_owned())) } else { Ok(key) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_bytes_in_any_pieces_give_an_answer_or_an_error(
            pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..20),
        ) {
            let mut session = BrailleSession::new("here", Path::new("/nowhere/key"));
            let mut reading = FingerReading::default();
            for piece in pieces {
                if session.take(&piece, &mut reading).is_err() {
                    break;
                }
                prop_assert!(session.cutter.kept() <= super::super::packets::LONGEST_BODY + 8);
            }
        }

        #[test]
        fn any_order_of_packets_gives_an_answer_or_an_error(
            packets in prop::collection::vec((0usize..9, any::<u32>()), 0..30),
        ) {
            let mut session = BrailleSession::new("here", Path::new("/nowhere/key"));
            let mut reading = FingerReading::default();
            reading.show("Springer g1 f3", false);
            for (which, number) in packets {
                let size = DisplaySize { columns: number % 100, rows: number >> 24 };
                let packet = match which {
                    0 => FromBrltty::Version(VERSION),
                    1 => FromBrltty::Wants(Proof::None),
                    2..=5 => FromBrltty::Done,
                    6 => FromBrltty::Size(size),
                    7 => FromBrltty::Pressed(0x2000_0000 | u64::from(number % 30)),
                    _ => FromBrltty::Other(number),
                };
                if session.take(&packet.encode(), &mut reading).is_err() {
                    break;
                }
            }
        }
    }

    #[test]
    fn another_version_is_a_stranger() {
        let mut session = BrailleSession::new("/run/x", Path::new("/nowhere/key"));
        let told = session.take(&FromBrltty::Version(7).encode(), &mut FingerReading::default());
        assert_eq!(
            told.expect_err("7").to_string(),
            "at /run/x answers no brltty whose language is known here (version 7, not 8): correct [braille] \
             line"
        );
    }

    #[test]
    fn without_its_key_the_remedy_is_named() {
        let mut session = BrailleSession::new("/run/x", Path::new("/nowhere/key"));
        let mut reading = FingerReading::default();
        session.take(&FromBrltty::Version(VERSION).encode(), &mut reading).expect("greeted");
        let told = session.take(&FromBrltty::Wants(Proof::Key).encode(), &mut reading);
        assert_eq!(
            told.expect_err("no key").to_string(),
            "brltty wants its key, and /nowhere/key cannot be read (No such file or directory (os error 2)): name the file in \
             [braille] key_file, and let the service read it (sudo chgrp annabella /nowhere/key)"
        );
    }
}
