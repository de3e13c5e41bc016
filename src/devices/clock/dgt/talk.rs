//! The conversation with a DGT 3000, without a line: what it makes known and what it is told come
//! in, commands and news come out.
//!
//! # Half a second after its word
//!
//! A press is known by two things: the message that told it, and the second at which the player's
//! time stopped. The clock speaks once a second, so each leaves a second open, and where the
//! seconds of its display end as it speaks, both leave the same one. Set half a second after it
//! spoke, its seconds end half-way between its messages, and together they leave half a second.
//!
//! Only new times for a clock that runs wait for that; a start, a stop and a player who needs his
//! increment don't.

use std::collections::{BTreeMap, VecDeque};

use shakmaty::Color;

use super::{
    super::{ClockSeen, SetTo},
    MISSING, REFUSED,
    track::{Sides, Told, Track},
};
use crate::dgt::{
    codec::{ClockButton, ClockCommand, ClockTimes, Facing, RunMode, SideTime},
    session::{ClockEvent, ClockReply},
};

/// A reading is reported at least so often.
const REPORT_MS: u64 = 5000;
/// It speaks so often. Source: the e-board's protocol.
const PERIOD_MS: u64 = 1000;
/// It is set so long after it was heard; on its way the command takes the rest of half a second.
const AFTER_MS: u64 = 480;
/// A player seldom presses so soon after his opponent. Later, a press since the clock's last word
/// could be undone: it is set as soon as it has spoken.
const SOON_MS: u64 = 4000;
/// A clock that is lost again so soon is doubted.
const AGAIN_MS: u64 = 15_000;
/// It is back when it was heard for this long without a break.
const STAYS_MS: u64 = 3_000;
/// A board whose clock is absent for this long has none.
const NEVER_MS: u64 = 5_000;
/// Who has less sees his increment at once.
const HURRY_MS: u64 = 60_000;

#[derive(Debug)]
pub struct ClockTalk {
    track: Track,
    /// Who sits where; not given: by which way round the board lies.
    seats: Option<Sides>,
    sides: Sides,
    reported_ms: u64,
    /// The next message is reported whatever it says: it is the first after the clock was told.
    wanted: bool,
    version: Option<(u8, u8)>,
    numbers: u32,
    /// Times that wait for their moment.
    waiting: Option<Waiting>,
    commands: VecDeque<(u32, ClockCommand)>,
    /// Commands whose answers the caller waits for, and the times told.
    asked: BTreeMap<u32, Option<(SideTime, SideTime)>>,
    version_asked: Option<u32>,
    /// When it was lost last.
    lost_ms: Option<u64>,
    /// It came and went, as forged messages make it.
    doubted: bool,
    /// Since when it has been heard without a break.
    heard_since_ms: Option<u64>,
    /// Since when the board says that it has none.
    absent_since_ms: Option<u64>,
    /// Whether it is there was told.
    told: bool,
    seen: VecDeque<ClockSeen>,
}

/// White's and Black's time at that moment, and who runs.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    number: u32,
    white_ms: u64,
    black_ms: u64,
    running: Option<Color>,
    since_ms: u64,
    due_ms: u64,
}

impl ClockTalk {
    /// Who sits where is given, or found out from the way in which the board at the same line lies;
    /// until then White sits on the left.
    pub fn new(seats: Option<Sides>) -> ClockTalk {
        ClockTalk {
            track: Track::default(),
            seats,
            sides: seats.unwrap_or(Sides { left: Color::White }),
            reported_ms: 0,
            wanted: false,
            version: None,
            numbers: 0,
            waiting: None,
            commands: VecDeque::new(),
            asked: BTreeMap::new(),
            version_asked: None,
            lost_ms: None,
            doubted: false,
            heard_since_ms: None,
            absent_since_ms: None,
            told: false,
            seen: VecDeque::new(),
        }
    }

    /// The clock's version, once it has answered; 2 is a DGT 3000.
    pub fn version(&self) -> Option<(u8, u8)> {
        self.version
    }

    /// Takes in what the clock makes known at that moment. `facing` is how the board lies.
    pub fn take(&mut self, at_ms: u64, event: ClockEvent, facing: Option<Facing>) {
        match event {
            ClockEvent::Times(times) if times.absent => {
                let since_ms = *self.absent_since_ms.get_or_insert(at_ms);
                self.lose(at_ms, at_ms.saturating_sub(since_ms) >= NEVER_MS);
            }
            ClockEvent::Times(times) => self.hear(at_ms, times, facing),
            ClockEvent::Lost => self.lose(at_ms, true),
            ClockEvent::Button(button) => {
                self.seen.push_back(ClockSeen::Button { name: name_of(button), at_ms });
            }
            ClockEvent::Ready => {}
            ClockEvent::Answered { number, answer, ago_ms } => {
                let told_ms = ago_ms.map(|ago_ms| at_ms.saturating_sub(ago_ms));
                self.answered(number, answer, told_ms);
            }
        }
    }

    fn hear(&mut self, at_ms: u64, times: ClockTimes, facing: Option<Facing>) {
        let was_there = self.track.is_there();
        // A clock that came and went is believed when it stays.
        let since_ms = *self.heard_since_ms.get_or_insert(at_ms);
        if !was_there && self.doubted && at_ms.saturating_sub(since_ms) < STAYS_MS {
            return;
        }
        let sides = self.seats.or(facing.map(Sides::of)).unwrap_or(self.sides);
        let turned = std::mem::replace(&mut self.sides, sides) != sides;
        let news = self.track.hear(at_ms, times) || turned;
        // What a clock says that comes back is in doubt at first.
        if !self.track.is_there() {
            return;
        }
        if !was_there {
            self.told = true;
            self.seen.push_back(ClockSeen::Back { at_ms });
            self.version_asked = Some(self.tell(ClockCommand::Version));
        }
        // A player pressed, or somebody stopped it, before it was told: who sets it looks again.
        let runs = times.runs_right().map(|right| self.sides.color(right));
        if let Some(given_up) = self.waiting.take_if(|waiting| waiting.running != runs) {
            self.missed(given_up.number);
        }
        let wanted = std::mem::take(&mut self.wanted);
        if (news || wanted || at_ms >= self.reported_ms + REPORT_MS)
            && let Some(reading) = self.track.reading(at_ms, self.sides)
        {
            self.reported_ms = at_ms;
            self.seen.push_back(ClockSeen::Reading(reading));
        }
    }

    /// `surely`: also a clock that was never there is missed.
    fn lose(&mut self, at_ms: u64, surely: bool) {
        self.heard_since_ms = None;
        let never = surely && !std::mem::replace(&mut self.told, true);
        if self.track.is_there() || never {
            self.seen.push_back(ClockSeen::Lost { at_ms });
            let again = self.lost_ms.replace(at_ms);
            self.doubted = again.is_some_and(|ms| at_ms.saturating_sub(ms) < AGAIN_MS);
        }
        self.track.lose();
        if let Some(given_up) = self.waiting.take() {
            self.missed(given_up.number);
        }
    }

    fn missed(&mut self, number: u32) {
        self.wanted = true;
        let result = Err(MISSING);
        self.seen.push_back(ClockSeen::Answered { number, result, set: None });
    }

    fn answered(&mut self, number: u32, answer: ClockReply, told_ms: Option<u64>) {
        if self.version_asked == Some(number) {
            self.version_asked = None;
            if let ClockReply::Accepted(ack) = answer {
                self.version = ack.as_version();
            }
            return;
        }
        if let Some(told) = self.asked.remove(&number) {
            self.track.was_set(matches!(answer, ClockReply::Accepted(_)));
            self.wanted = true;
            let result = match answer {
                ClockReply::Accepted(_) => Ok(()),
                ClockReply::Refused(_) => Err(REFUSED),
                ClockReply::None => Err(MISSING),
            };
            let set = told.zip(told_ms).map(|((left, right), at_ms)| {
                let (left_ms, right_ms) = (ms_of(left), ms_of(right));
                let (white_ms, black_ms) =
                    self.sides.left.fold_wb((left_ms, right_ms), (right_ms, left_ms));
                SetTo { white_ms, black_ms, at_ms }
            });
            self.seen.push_back(ClockSeen::Answered { number, result, set });
        }
    }

    /// The next thing that it reports.
    pub fn report(&mut self) -> Option<ClockSeen> {
        self.seen.pop_front()
    }

    /// Both times and what runs then. The answer carries the number.
    pub fn set(
        &mut self,
        now_ms: u64,
        white_ms: u64,
        black_ms: u64,
        running: Option<Color>,
    ) -> u32 {
        self.numbers = self.numbers.wrapping_add(1);
        if let Some(earlier) = self.waiting.take() {
            self.missed(earlier.number);
        }
        let runs = self.track.runs_right().map(|right| self.sides.color(right));
        let waits = running.is_some() && runs == running && white_ms.min(black_ms) >= HURRY_MS;
        let heard_ms = self.track.heard_ms().filter(|_| waits);
        let due_ms = heard_ms.map_or(now_ms, |heard_ms| {
            let soon = now_ms < self.track.before_ms() + SOON_MS;
            let first_ms = heard_ms + if soon { AFTER_MS } else { 0 };
            first_ms + now_ms.saturating_sub(first_ms).div_ceil(PERIOD_MS) * PERIOD_MS
        });
        let since_ms = now_ms;
        let number = self.numbers;
        self.waiting = Some(Waiting { number, white_ms, black_ms, running, since_ms, due_ms });
        number
    }

    /// A few letters, or the times again.
    pub fn show(&mut self, text: Option<&str>) -> u32 {
        let command = text.map_or(ClockCommand::EndText, |text| ClockCommand::text(text, 0));
        let number = self.tell(command);
        self.asked.insert(number, None);
        number
    }

    fn tell(&mut self, command: ClockCommand) -> u32 {
        self.numbers = self.numbers.wrapping_add(1);
        self.commands.push_back((self.numbers, command));
        self.numbers
    }

    /// When [`ClockTalk::command`] has something, if nothing comes in before.
    pub fn due_ms(&self) -> Option<u64> {
        let waits = self.waiting.map(|waiting| waiting.due_ms);
        if self.commands.is_empty() { waits } else { Some(0) }
    }

    /// What the clock is to be told now. Its answer carries the number.
    pub fn command(&mut self, now_ms: u64) -> Option<(u32, ClockCommand)> {
        let Some(waiting) = self.waiting.take_if(|waiting| waiting.due_ms <= now_ms) else {
            return self.commands.pop_front();
        };
        let passed_ms = now_ms.saturating_sub(waiting.since_ms);
        let left_of = |color: Color, ms: u64| match waiting.running == Some(color) {
            true => shown(ms.saturating_sub(passed_ms)),
            false => shown(ms),
        };
        let white = left_of(Color::White, waiting.white_ms);
        let black = left_of(Color::Black, waiting.black_ms);
        let runs = |color: Color| waiting.running == Some(color);
        let sits = self.sides.left;
        let (left, right) = sits.fold_wb((white, black), (black, white));
        // While a time runs, the lever changes sides.
        let mode = RunMode {
            left: runs(sits),
            right: runs(!sits),
            pause: waiting.running.is_none(),
            lever: waiting.running.is_some(),
        };
        let runs_right = waiting.running.map(|color| color != sits);
        self.track.is_being_set(Told { left, right, runs_right, at_ms: now_ms });
        self.asked.insert(waiting.number, Some((left, right)));
        Some((waiting.number, ClockCommand::SetAndRun { left, right, mode }))
    }
}

fn name_of(button: ClockButton) -> &'static str {
    match button {
        ClockButton::Back => "back",
        ClockButton::Plus => "plus",
        ClockButton::Run => "run",
        ClockButton::Minus => "minus",
        ClockButton::Ok => "ok",
        ClockButton::Other(_) => "unknown",
    }
}

fn shown(ms: u64) -> SideTime {
    SideTime::from_seconds(u32::try_from(ms.div_ceil(1000)).unwrap_or(u32::MAX))
}

fn ms_of(side: SideTime) -> u64 {
    u64::from(side.seconds()) * 1000
}
