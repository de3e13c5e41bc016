//! A simulated clock: knows its time exactly, obeys at once.

use std::{
    collections::VecDeque,
    sync::mpsc,
    time::{Duration, Instant},
};

use shakmaty::Color;

use super::{ClockDevice, ClockError, ClockSeen, Reading, Remaining, SetTo};
use crate::wait_for;
use annabella_threads::millis;

/// The longest interval between reported readings.
const REPORT: Duration = Duration::from_secs(5);

/// Players at a simulated clock.
#[derive(Clone, Debug)]
pub struct SimPlayers {
    acts: mpsc::Sender<(Act, Instant)>,
}

#[derive(Clone, Copy, Debug)]
enum Act {
    Press(Color),
    Plug(bool),
}

impl SimPlayers {
    /// A player presses his side.
    pub fn press(&self, color: Color) {
        self.send(Act::Press(color));
    }

    /// The clock is unplugged, or plugged in; it goes on meanwhile.
    pub fn plug(&self, plugged: bool) {
        self.send(Act::Plug(plugged));
    }

    fn send(&self, act: Act) {
        // A clock that is gone feels nobody.
        let _ = self.acts.send((act, Instant::now()));
    }
}

#[derive(Debug)]
pub struct SimClock {
    acts: mpsc::Receiver<(Act, Instant)>,
    began: Instant,
    white_ms: u64,
    black_ms: u64,
    running: Option<Color>,
    fallen: Option<Color>,
    /// For which moment the times hold.
    at: Instant,
    plugged: bool,
    text: Option<String>,
    numbers: u32,
    reported: Instant,
    /// Since when the running side runs.
    since: Instant,
    seen: VecDeque<ClockSeen>,
}

impl SimClock {
    /// A clock at zero, stopped; its times count from `began`.
    pub fn new(began: Instant) -> (SimPlayers, SimClock) {
        let (send, acts) = mpsc::channel();
        let mut clock = SimClock {
            acts,
            began,
            white_ms: 0,
            black_ms: 0,
            running: None,
            fallen: None,
            at: began,
            plugged: true,
            text: None,
            numbers: 0,
            reported: began,
            since: began,
            seen: VecDeque::new(),
        };
        clock.seen.push_back(ClockSeen::Back { at_ms: 0 });
        clock.report(began);
        (SimPlayers { acts: send }, clock)
    }

    /// The text in place of the times.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    fn ms(&self, at: Instant) -> u64 {
        millis(at.saturating_duration_since(self.began))
    }

    fn left_ms(&self, color: Color, now: Instant) -> u64 {
        let ms = color.fold_wb(self.white_ms, self.black_ms);
        let passed_ms = millis(now.saturating_duration_since(self.at));
        if self.running == Some(color) { ms.saturating_sub(passed_ms) } else { ms }
    }

    fn until(&mut self, now: Instant) {
        let [white_ms, black_ms] = [Color::White, Color::Black].map(|c| self.left_ms(c, now));
        (self.white_ms, self.black_ms) = (white_ms, black_ms);
        // Only whole milliseconds are taken off; the rest counts the next time.
        let passed_ms = millis(now.saturating_duration_since(self.at));
        self.at += Duration::from_millis(passed_ms);
        let out = self.running.filter(|color| color.fold_wb(white_ms, black_ms) == 0);
        if self.fallen.is_none() && out.is_some() {
            self.fallen = out;
            self.report(now);
        }
    }

    fn exact(&self, now: Instant) -> Reading {
        Reading {
            white: Remaining::exactly(self.left_ms(Color::White, now)),
            black: Remaining::exactly(self.left_ms(Color::Black, now)),
            running: self.running,
            fallen: self.fallen,
            battery_low: false,
            against_lever: false,
            before_ms: self.ms(self.since),
            at_ms: self.ms(now),
        }
    }

    fn report(&mut self, now: Instant) {
        self.reported = now;
        if self.plugged {
            self.seen.push_back(ClockSeen::Reading(self.exact(now)));
        }
    }

    fn take(&mut self, act: Act, at: Instant) {
        self.until(at);
        let at_ms = self.ms(at);
        match act {
            Act::Press(color) if self.running == Some(color) => {
                self.running = Some(color.other());
                self.since = at;
                self.report(at);
            }
            Act::Plug(false) if self.plugged => {
                self.plugged = false;
                self.seen.push_back(ClockSeen::Lost { at_ms });
            }
            Act::Plug(true) if !self.plugged => {
                self.plugged = true;
                self.seen.push_back(ClockSeen::Back { at_ms });
                self.report(at);
            }
            Act::Press(_) | Act::Plug(_) => {}
        }
    }

    fn answer(&mut self, act: impl FnOnce(&mut SimClock)) -> u32 {
        let now = Instant::now();
        self.numbers = self.numbers.wrapping_add(1);
        let result =
            if self.plugged { Ok(()) } else { Err(ClockError::Missing { remedy: "plug it in" }) };
        if self.plugged {
            self.until(now);
            let ran = self.running;
            act(self);
            if self.running != ran {
                self.since = now;
            }
        }
        let (white_ms, black_ms) = (self.white_ms, self.black_ms);
        let set = Some(SetTo { white_ms, black_ms, at_ms: self.ms(now) });
        self.seen.push_back(ClockSeen::Answered { number: self.numbers, result, set });
        self.report(now);
        self.numbers
    }
}

impl ClockDevice for SimClock {
    fn next(&mut self, patience: Duration) -> Option<ClockSeen> {
        let until = Instant::now() + patience;
        loop {
            if let Some(seen) = self.seen.pop_front() {
                return Some(seen);
            }
            let now = Instant::now();
            self.until(now);
            if self.seen.is_empty() && now >= self.reported + REPORT {
                self.report(now);
            }
            if !self.seen.is_empty() {
                continue;
            }
            let flag = self.running.filter(|_| self.fallen.is_none());
            let flag = flag.map(|color| now + Duration::from_millis(self.left_ms(color, now)));
            let next = [Some(until), Some(self.reported + REPORT), flag];
            let wait = next.into_iter().flatten().min().unwrap_or(until);
            // Without players the clock itself goes on.
            if let Some((act, at)) = wait_for(&self.acts, wait.saturating_duration_since(now)) {
                self.take(act, at);
            }
            if self.seen.is_empty() && Instant::now() >= until {
                return None;
            }
        }
    }

    fn set(&mut self, white_ms: u64, black_ms: u64, running: Option<Color>) -> u32 {
        self.answer(|clock| {
            (clock.white_ms, clock.black_ms) = (white_ms, black_ms);
            clock.running = running;
            clock.fallen = None;
        })
    }

    fn show(&mut self, text: Option<&str>) -> u32 {
        let text = text.map(str::to_owned);
        self.answer(|clock| clock.text = text)
    }
}
