//! Messages from the clock through the board, and commands to it.

/// Characters of the DGT 3000's display.
pub const TEXT_LENGTH: usize = 8;

/// One side's time, at most 9:59:59.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SideTime {
    /// Hours, 0 to 9.
    pub hours: u8,
    /// Minutes, 0 to 59.
    pub minutes: u8,
    /// Seconds, 0 to 59.
    pub seconds: u8,
    /// The flag has fallen and the clock is blocked at zero.
    pub fallen: bool,
    /// The sign for a time per move is shown.
    pub per_move: bool,
    pub flag: bool,
}

impl SideTime {
    /// The longest time that a side can show, seconds.
    pub const LONGEST_S: u32 = 10 * 3600 - 1;

    /// A time without flags, cut to [`SideTime::LONGEST_S`].
    pub fn from_seconds(seconds: u32) -> SideTime {
        let seconds = seconds.min(SideTime::LONGEST_S);
        // Each is below 60.
        SideTime {
            hours: (seconds / 3600) as u8,
            minutes: (seconds / 60 % 60) as u8,
            seconds: (seconds % 60) as u8,
            ..SideTime::default()
        }
    }

    /// The time in seconds.
    pub fn seconds(self) -> u32 {
        u32::from(self.hours) * 3600 + u32::from(self.minutes) * 60 + u32::from(self.seconds)
    }

    fn read([hours, minutes, seconds]: [u8; 3]) -> Result<SideTime, &'static str> {
        const RANGE: &str = "a time that no clock shows";
        let side = SideTime {
            hours: hours & 0x0F,
            minutes: from_bcd(minutes).ok_or(RANGE)?,
            seconds: from_bcd(seconds).ok_or(RANGE)?,
            fallen: hours & 0x10 != 0,
            per_move: hours & 0x20 != 0,
            flag: hours & 0x40 != 0,
        };
        let fits = side.hours <= 9 && side.minutes <= 59 && side.seconds <= 59;
        fits.then_some(side).ok_or(RANGE)
    }

    fn bytes(self) -> [u8; 3] {
        let flags = bit(self.fallen, 4) | bit(self.per_move, 5) | bit(self.flag, 6);
        // A tenth hour would read as the mark of an acknowledgement.
        let hours = self.hours.min(9) | flags;
        [hours, to_bcd(self.minutes.min(59)), to_bcd(self.seconds.min(59))]
    }
}

/// The side to move, by the clock. Sources contradict one another about these bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Turn {
    /// Bit 3; set, as measured, when the left side runs.
    pub left: bool,
    /// Bit 4; set, as measured, when the right side runs.
    pub right: bool,
}

/// Both times and how the clock stands. Up to a second old when it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ClockTimes {
    /// The clock's left side, seen from its front. Turning the board does not change it.
    pub left: SideTime,
    pub right: SideTime,
    pub running: bool,
    /// The lever's right side is up.
    pub right_high: bool,
    pub battery_low: bool,
    /// Advisory: use [`ClockTimes::runs_right`].
    pub turn: Turn,
    /// No clock is connected to the board.
    pub absent: bool,
}

impl ClockTimes {
    /// The running side: `Some(true)` the right one, `Some(false)` the left one. By measurement it
    /// is always the side whose lever is up.
    pub fn runs_right(&self) -> Option<bool> {
        (self.running && !self.absent).then_some(self.right_high)
    }
}

/// A button of the DGT 3000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockButton {
    /// 31
    Back,
    /// 32
    Plus,
    /// 33: run or pause.
    Run,
    /// 34
    Minus,
    /// 35
    Ok,
    Other(u8),
}

impl ClockButton {
    /// Reads a button's code.
    pub fn from_code(code: u8) -> ClockButton {
        match code {
            0x31 => ClockButton::Back,
            0x32 => ClockButton::Plus,
            0x33 => ClockButton::Run,
            0x34 => ClockButton::Minus,
            0x35 => ClockButton::Ok,
            other => ClockButton::Other(other),
        }
    }

    pub fn code(self) -> u8 {
        match self {
            ClockButton::Back => 0x31,
            ClockButton::Plus => 0x32,
            ClockButton::Run => 0x33,
            ClockButton::Minus => 0x34,
            ClockButton::Ok => 0x35,
            ClockButton::Other(code) => code,
        }
    }
}

/// Four bytes that ride in a clock message in place of the times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ack(
    /// a0 to a3.
    pub [u8; 4],
);

impl Ack {
    /// The acknowledgement of a command, accepted or not.
    pub fn of(command: &ClockCommand, accepted: bool) -> Ack {
        Ack([if accepted { 0x10 } else { 0x40 }, command.code(), 0, 0])
    }

    /// The answer to [`ClockCommand::Version`].
    pub fn version(major: u8, minor: u8) -> Ack {
        Ack([0x10, 0x09, major << 4 | (minor & 0x0F), 0])
    }

    /// A button was pressed.
    pub fn button(button: ClockButton) -> Ack {
        Ack([0x10, 0x88, 0, button.code()])
    }

    /// The clock is ready for commands.
    pub const READY: Ack = Ack([0x10, 0x81, 0, 0]);

    /// Whether the command was accepted. 40 is a refusal, and so is 20, seen in the field.
    pub fn is_accepted(self) -> bool {
        self.0[0] == 0x10
    }

    /// A refusal that names no command, 20 00 00 00 as seen in the field: it answers whatever is
    /// under way, as only one command is at a time.
    pub fn refuses_any(self) -> bool {
        matches!(self.0, [0x20 | 0x40, 0, _, _])
    }

    /// The code of the command that is answered; `None` when the clock speaks unasked.
    pub fn command(self) -> Option<u8> {
        (self.0[1] < 0x80).then_some(self.0[1])
    }

    /// The version, if this is the answer to [`ClockCommand::Version`]: 2 is a DGT 3000.
    pub fn as_version(self) -> Option<(u8, u8)> {
        (self.0[1] == 0x09).then_some((self.0[2] >> 4, self.0[2] & 0x0F))
    }

    /// The button that was pressed, if it is about one.
    pub fn as_button(self) -> Option<ClockButton> {
        (self.0[1] == 0x88).then(|| ClockButton::from_code(self.0[3]))
    }
}

/// The content of a clock message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockSays {
    Times(ClockTimes),
    /// An acknowledgement, or something said unasked.
    Ack(Ack),
    /// All zero: sent by Bluetooth boards, means nothing.
    Nothing,
}

impl ClockSays {
    /// Reads p0 to p6.
    pub(super) fn read(p: [u8; 7]) -> Result<ClockSays, &'static str> {
        if p[0] & 0x0F == 0x0A || p[3] & 0x0F == 0x0A {
            return Ok(ClockSays::Ack(Ack([
                p[1] & 0x7F | (p[3] << 3) & 0x80,
                p[2] & 0x7F | (p[3] << 2) & 0x80,
                p[4] & 0x7F | (p[0] << 3) & 0x80,
                p[5] & 0x7F | (p[0] << 2) & 0x80,
            ])));
        }
        let has = |n: u8| p[6] & (1 << n) != 0;
        let absent = has(5);
        // Without a clock the times mean nothing and need not be any.
        let side = |bytes| match SideTime::read(bytes) {
            Err(_) if absent => Ok(SideTime::default()),
            read => read,
        };
        let times = ClockTimes {
            right: side([p[0], p[1], p[2]])?,
            left: side([p[3], p[4], p[5]])?,
            running: has(0),
            right_high: has(1),
            battery_low: has(2),
            turn: Turn { left: has(3), right: has(4) },
            absent,
        };
        // Bits without a meaning make no message of zeros say more.
        let nothing = times == ClockTimes::default();
        Ok(if nothing { ClockSays::Nothing } else { ClockSays::Times(times) })
    }

    /// p0 to p6.
    pub(super) fn data(self) -> [u8; 7] {
        match self {
            ClockSays::Nothing => [0; 7],
            ClockSays::Ack(Ack(a)) => [
                0x0A | (a[2] & 0x80) >> 3 | (a[3] & 0x80) >> 2,
                a[0] & 0x7F,
                a[1] & 0x7F,
                0x0A | (a[0] & 0x80) >> 3 | (a[1] & 0x80) >> 2,
                a[2] & 0x7F,
                a[3] & 0x7F,
                0,
            ],
            ClockSays::Times(times) => {
                let [right, left] = [times.right.bytes(), times.left.bytes()];
                let state = bit(times.running, 0)
                    | bit(times.right_high, 1)
                    | bit(times.battery_low, 2)
                    | bit(times.turn.left, 3)
                    | bit(times.turn.right, 4)
                    | bit(times.absent, 5);
                [right[0], right[1], right[2], left[0], left[1], left[2], state]
            }
        }
    }
}

/// The clock's action after [`ClockCommand::SetAndRun`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RunMode {
    /// 01: the left side counts down.
    pub left: bool,
    /// 02: the right side counts down.
    pub right: bool,
    /// 04: pause.
    pub pause: bool,
    /// 08: the lever changes sides.
    pub lever: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClockCommand {
    Beep {
        /// Its length in units of 64 ms.
        units: u8,
    },
    Version,
    /// Eight characters on the display of a DGT 3000.
    Text {
        /// ASCII, filled with spaces.
        text: [u8; TEXT_LENGTH],
        /// A sound with it, in units of 64 ms; 0 none.
        beep: u8,
    },
    EndText,
    /// Which button was pressed last?
    Button,
    /// Set both times. Refused unless the clock is in its mode 23.
    SetAndRun {
        /// Left side; hours, minutes and seconds count.
        left: SideTime,
        right: SideTime,
        mode: RunMode,
    },
}

/// Begins and ends every command.
const BEGIN: u8 = 0x03;
const END: u8 = 0x00;

impl ClockCommand {
    /// A text for the display. Other characters than ASCII become `?`, and a long text is cut.
    pub fn text(text: &str, beep: u8) -> ClockCommand {
        let mut shown = [b' '; TEXT_LENGTH];
        for (place, c) in shown.iter_mut().zip(text.chars()) {
            let printable = c.is_ascii_graphic() || c == ' ';
            *place = if printable { c as u8 } else { b'?' };
        }
        ClockCommand::Text { text: shown, beep }
    }

    /// The command's code, as its acknowledgement repeats it.
    pub fn code(&self) -> u8 {
        match self {
            ClockCommand::EndText => 0x03,
            ClockCommand::Button => 0x08,
            ClockCommand::Version => 0x09,
            ClockCommand::SetAndRun { .. } => 0x0A,
            ClockCommand::Beep { .. } => 0x0B,
            ClockCommand::Text { .. } => 0x0C,
        }
    }

    /// The bytes behind the size.
    pub(super) fn body(&self) -> Vec<u8> {
        let mut body = vec![BEGIN, self.code()];
        match self {
            ClockCommand::EndText | ClockCommand::Button | ClockCommand::Version => {}
            ClockCommand::Beep { units } => body.push(*units),
            ClockCommand::Text { text, beep } => {
                body.extend(text);
                body.push(*beep);
            }
            ClockCommand::SetAndRun { left, right, mode } => {
                for side in [left, right] {
                    body.extend([side.hours, side.minutes, side.seconds]);
                }
                body.push(
                    bit(mode.left, 0)
                        | bit(mode.right, 1)
                        | bit(mode.pause, 2)
                        | bit(mode.lever, 3),
                );
            }
        }
        body.push(END);
        body
    }

    /// Reads what follows the size; `None` if it is no command.
    pub(super) fn read(body: &[u8]) -> Option<ClockCommand> {
        let [BEGIN, code, data @ .., END] = body else {
            return None;
        };
        Some(match (code, data) {
            (0x03, []) => ClockCommand::EndText,
            (0x08, []) => ClockCommand::Button,
            (0x09, []) => ClockCommand::Version,
            (0x0B, [units]) => ClockCommand::Beep { units: *units },
            (0x0C, [text @ .., beep]) => {
                ClockCommand::Text { text: text.try_into().ok()?, beep: *beep }
            }
            (0x0A, [lh, lm, ls, rh, rm, rs, mode]) => {
                let side = |hours: u8, minutes: u8, seconds: u8| {
                    let fits = hours <= 9 && minutes <= 59 && seconds <= 59;
                    fits.then_some(SideTime { hours, minutes, seconds, ..SideTime::default() })
                };
                let has = |n: u8| mode & (1 << n) != 0;
                ClockCommand::SetAndRun {
                    left: side(*lh, *lm, *ls)?,
                    right: side(*rh, *rm, *rs)?,
                    mode: RunMode { left: has(0), right: has(1), pause: has(2), lever: has(3) },
                }
            }
            _ => return None,
        })
    }
}

fn bit(set: bool, n: u8) -> u8 {
    u8::from(set) << n
}

fn from_bcd(byte: u8) -> Option<u8> {
    let (tens, ones) = (byte >> 4, byte & 0x0F);
    (tens <= 9 && ones <= 9).then_some(tens * 10 + ones)
}

fn to_bcd(value: u8) -> u8 {
    ((value / 10) << 4) | (value % 10)
}
