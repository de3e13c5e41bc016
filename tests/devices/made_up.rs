//! A reader and a clock that nobody sells, made outside of the crate: the traits are all that they
//! need. Each passes what every device of its kind must.

use std::{
    collections::VecDeque,
    sync::mpsc,
    time::{Duration, Instant},
};

use annabella_devices::{
    board::{
        BoardReader, ReadError,
        sim::Bench,
        wiring::{Levels, ReaderKind, Wiring},
    },
    clock::{ClockDevice, ClockError, ClockSeen, Reading, Remaining, SetTo},
};
use shakmaty::{ByColor, Color};

use crate::{board_readers::the_game_is_felt_through, clock_devices::a_clock_that_keeps_time};

/// A camera above the pegs: it sees all squares at once.
struct Camera {
    above: Bench,
    wiring: Wiring,
}

impl BoardReader for Camera {
    fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    fn levels(&mut self) -> Result<Levels, ReadError> {
        Ok(self.wiring.levels(self.above.occupied()))
    }
}

#[test]
fn a_reader_made_elsewhere_feels_the_same_game() {
    let wiring = Wiring::default_for(ReaderKind::Matrix);
    the_game_is_felt_through(&wiring, |above| {
        Box::new(Camera { above: above.clone(), wiring: wiring.clone() })
    });
}

enum Act {
    Press(Color),
    Plug(bool),
}

/// Two hourglasses on a lever: exact, and what runs out of one is gone.
struct Hourglasses {
    acts: mpsc::Receiver<Act>,
    began: Instant,
    left_ms: ByColor<u64>,
    running: Option<Color>,
    since: Instant,
    plugged: bool,
    number: u32,
    seen: VecDeque<ClockSeen>,
}

impl Hourglasses {
    fn new() -> (mpsc::Sender<Act>, Hourglasses) {
        let (act, acts) = mpsc::channel();
        let (began, plugged) = (Instant::now(), true);
        let seen = VecDeque::from([ClockSeen::Back { at_ms: 0 }]);
        let (left_ms, running) = (ByColor::default(), None);
        let clock =
            Hourglasses { acts, began, left_ms, running, since: began, plugged, number: 0, seen };
        (act, clock)
    }

    fn at_ms(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    fn left(&self, color: Color) -> u64 {
        let passed =
            if self.running == Some(color) { self.since.elapsed() } else { Duration::ZERO };
        self.left_ms[color].saturating_sub(passed.as_millis() as u64)
    }

    /// What has run so far counts, and from now on this side runs.
    fn turn(&mut self, running: Option<Color>) {
        self.left_ms = ByColor { white: self.left(Color::White), black: self.left(Color::Black) };
        (self.running, self.since) = (running, Instant::now());
    }

    fn obey(&mut self, change: impl FnOnce(&mut Hourglasses)) -> u32 {
        self.number += 1;
        let missing = ClockError::Missing { remedy: "put it on the table" };
        let result = self.plugged.then(|| change(self)).ok_or(missing);
        let ByColor { white: white_ms, black: black_ms } = self.left_ms;
        let set = Some(SetTo { white_ms, black_ms, at_ms: self.at_ms() });
        self.seen.push_back(ClockSeen::Answered { number: self.number, result, set });
        self.report();
        self.number
    }

    fn report(&mut self) {
        if self.plugged {
            self.seen.push_back(ClockSeen::Reading(Reading {
                white: Remaining::exactly(self.left(Color::White)),
                black: Remaining::exactly(self.left(Color::Black)),
                running: self.running,
                at_ms: self.at_ms(),
                ..Reading::default()
            }));
        }
    }
}

impl ClockDevice for Hourglasses {
    fn next(&mut self, patience: Duration) -> Option<ClockSeen> {
        if self.seen.is_empty() {
            let at_ms = self.at_ms();
            match self.acts.recv_timeout(patience).ok()? {
                Act::Press(color) => self.turn(Some(color.other())),
                Act::Plug(plugged) => {
                    self.plugged = plugged;
                    let lost = ClockSeen::Lost { at_ms };
                    self.seen.push_back(if plugged { ClockSeen::Back { at_ms } } else { lost });
                }
            }
            self.report();
        }
        self.seen.pop_front()
    }

    fn set(&mut self, white_ms: u64, black_ms: u64, running: Option<Color>) -> u32 {
        self.obey(|clock| {
            clock.turn(running);
            clock.left_ms = ByColor { white: white_ms, black: black_ms };
        })
    }

    fn show(&mut self, _text: Option<&str>) -> u32 {
        self.obey(|_| {})
    }
}

#[test]
fn a_clock_made_elsewhere_keeps_time() {
    let (act, mut clock) = Hourglasses::new();
    // Whoever sends holds the clock too.
    let tell = |what| act.send(what).expect("the clock listens");
    a_clock_that_keeps_time(&mut clock, &|color| tell(Act::Press(color)), &|plugged| {
        tell(Act::Plug(plugged));
    });
}
