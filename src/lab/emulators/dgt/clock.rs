//! A DGT 3000 as seen through the board.

use annabella_devices::dgt::codec::{
    Ack, ClockButton, ClockCommand, ClockTimes, SideTime, TEXT_LENGTH, Turn,
};

/// The clock. Its left and right are those of who stands before it.
#[derive(Clone, Debug)]
pub struct Clock {
    mode_23: bool,
    left_us: u64,
    right_us: u64,
    running: bool,
    /// The time that runs, or would run.
    runs_right: bool,
    /// How the lever lies: the right side is up. Nothing but a hand moves it.
    right_high: bool,
    /// The lever changes sides while the clock runs.
    lever_counts: bool,
    text: Option<[u8; TEXT_LENGTH]>,
    beeps: u32,
    last_button: Option<ClockButton>,
    battery_low: bool,
    now_us: u64,
}

impl Clock {
    /// A clock at zero, stopped; in mode 23 or in one in which it takes no times from a computer.
    pub fn new(mode_23: bool) -> Clock {
        Clock {
            mode_23,
            left_us: 0,
            right_us: 0,
            running: false,
            runs_right: false,
            right_high: false,
            lever_counts: true,
            text: None,
            beeps: 0,
            last_button: None,
            battery_low: false,
            now_us: 0,
        }
    }

    /// The same clock whose lever lies this way: the right side up.
    pub fn with_lever(self, right_high: bool) -> Clock {
        Clock { right_high, runs_right: right_high, ..self }
    }

    /// How its lever lies: the right side is up.
    pub fn lever_right(&self) -> bool {
        self.right_high
    }

    /// Sets both times by hand, milliseconds, and lets the clock stand.
    pub fn set(&mut self, left_ms: u64, right_ms: u64) {
        (self.left_us, self.right_us) = (left_ms * 1000, right_ms * 1000);
        self.running = false;
    }

    /// Both times left, milliseconds: left, right.
    pub fn left_right_ms(&self) -> (u64, u64) {
        (self.left_us / 1000, self.right_us / 1000)
    }

    /// Starts or stops it.
    pub fn run(&mut self, running: bool) {
        self.running = running;
    }

    /// Whether a time runs.
    pub fn is_running(&self) -> bool {
        self.running
    }

    /// Whether the right side's time runs, or would run.
    pub fn runs_right(&self) -> bool {
        self.runs_right
    }

    /// A player presses; `right`: the player on the right, whose side goes down. It does nothing
    /// where it is down already.
    pub fn press(&mut self, right: bool) {
        if self.right_high == right {
            self.right_high = !right;
            if !self.running || self.lever_counts {
                self.runs_right = self.right_high;
            }
        }
    }

    /// Its battery gets low.
    pub fn drain(&mut self) {
        self.battery_low = true;
    }

    /// The text on the display in place of the times.
    pub fn text(&self) -> Option<String> {
        self.text.map(|text| String::from_utf8_lossy(&text).trim_end().to_owned())
    }

    /// Sounds made so far.
    pub fn beeps(&self) -> u32 {
        self.beeps
    }

    /// Lets it run until then, microseconds of its device.
    pub fn until(&mut self, now_us: u64) {
        let passed_us = now_us.saturating_sub(self.now_us);
        self.now_us = self.now_us.max(now_us);
        if self.running {
            let side = if self.runs_right { &mut self.right_us } else { &mut self.left_us };
            *side = side.saturating_sub(passed_us);
        }
    }

    pub(super) fn times(&self) -> ClockTimes {
        let side = |us: u64| {
            // A clock shows 0:00 when the time is over, not a second earlier.
            let seconds = u32::try_from(us.div_ceil(1_000_000)).unwrap_or(u32::MAX);
            let fallen = us == 0 && self.running;
            SideTime { fallen, flag: fallen, ..SideTime::from_seconds(seconds) }
        };
        ClockTimes {
            left: side(self.left_us),
            right: side(self.right_us),
            running: self.running,
            right_high: self.right_high,
            battery_low: self.battery_low,
            turn: Turn { left: !self.runs_right, right: self.runs_right },
            absent: false,
        }
    }

    pub(super) fn obey(&mut self, command: &ClockCommand) -> Ack {
        let accepted = match command {
            ClockCommand::Version => return Ack::version(2, 0),
            ClockCommand::Button => {
                return self.last_button.map_or(Ack::of(command, true), Ack::button);
            }
            ClockCommand::Beep { .. } => {
                self.beeps += 1;
                true
            }
            ClockCommand::Text { text, beep } => {
                self.text = Some(*text);
                self.beeps += u32::from(*beep > 0);
                true
            }
            ClockCommand::EndText => {
                self.text = None;
                true
            }
            ClockCommand::SetAndRun { left, right, mode } => {
                if self.mode_23 {
                    self.left_us = u64::from(left.seconds()) * 1_000_000;
                    self.right_us = u64::from(right.seconds()) * 1_000_000;
                    self.running = !mode.pause && (mode.left || mode.right);
                    self.lever_counts = mode.lever;
                    if mode.left != mode.right {
                        self.runs_right = mode.right;
                    }
                }
                self.mode_23
            }
        };
        Ack::of(command, accepted)
    }

    pub(super) fn pressed(&mut self, button: ClockButton) {
        self.last_button = Some(button);
    }
}
