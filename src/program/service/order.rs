//! The order in which news are judged: that in which they happened, not that in which they were
//! read.
//!
//! # A busy machine
//!
//! Each device is read by a thread of its own, and a machine with more to do than it can runs one
//! thread before the other as it likes. A press that is read before the peg that was set before it
//! must not become a press without a move (7.5.3). So a press is held for [`TOGETHER_MS`], and
//! until every board has been read again: what other boards show within that time counts as if it
//! had happened before the press, which keeps its own moment for the clock.
//!
//! News that are more than 40 ms old when they are looked at come from a machine that was held up,
//! and other devices may be about to tell of earlier things: they get 20 ms.
//!
//! What one device sends stays in its order: a peg set after the press is no part of the move.

use super::news::{Dated, FromDevice, QUEUE, Source};
use annabella_core::game::Input;

/// Hands need longer between the press and the next piece, milliseconds.
pub const TOGETHER_MS: u64 = 50;
/// What is older was held up, milliseconds: a reed is certain after 20.
const LATE_MS: u64 = 40;
/// The game is woken by a timer, which nothing holds but a busy machine, milliseconds.
const LATE_WAKE_MS: u64 = 20;
/// A thread that was held up needs so long to tell what it has read, milliseconds.
const STRAGGLERS_MS: u64 = 20;
/// A press is held no longer than this, whatever a board does, milliseconds.
const LONGEST_MS: u64 = 2_000;

/// News that wait to be judged.
#[derive(Debug, Default)]
pub struct Order {
    /// As they arrived.
    waiting: Vec<Dated>,
    /// When the press that is held was first looked at, and when it is looked at again.
    held: Option<Held>,
    /// Until when the rest of what was held up is waited for.
    rest_ms: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Held {
    since_ms: u64,
    until_ms: u64,
}

/// What is to be done now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// [`Order::take`] gives them.
    News,
    /// Nothing before this moment, milliseconds since the machine was started, unless news arrive.
    Wait(u64),
    Nothing,
}

impl Order {
    /// A device that is faster than the game has to wait.
    pub fn is_full(&self) -> bool {
        self.waiting.len() >= QUEUE
    }

    pub fn push(&mut self, news: Dated) {
        self.waiting.push(news);
    }

    /// What comes next at `now_ms`. `behind`: whether a board is not yet read up to a moment.
    pub fn next(&mut self, now_ms: u64, behind: &dyn Fn(u64) -> bool) -> Next {
        let Some((index, at_ms)) = self.first() else {
            self.held = None;
            return Next::Nothing;
        };
        if !is_press(&self.waiting[index].from) {
            let late = now_ms > self.waiting[index].at_ms + LATE_MS;
            return self.rests(now_ms, late).map_or(Next::News, Next::Wait);
        }
        let held =
            self.held.get_or_insert(Held { since_ms: now_ms, until_ms: at_ms + TOGETHER_MS });
        // What is read only now has to come to rest.
        if now_ms < held.since_ms + LONGEST_MS && behind(at_ms) {
            held.until_ms = now_ms + TOGETHER_MS;
        }
        if now_ms < held.until_ms { Next::Wait(held.until_ms) } else { Next::News }
    }

    /// Whether the game, to be woken at this moment, waits for what was held up, and until when.
    pub fn wakes(&mut self, now_ms: u64, wake_ms: u64) -> Option<u64> {
        self.rests(now_ms, now_ms > wake_ms + LATE_WAKE_MS)
    }

    fn rests(&mut self, now_ms: u64, late: bool) -> Option<u64> {
        if !late {
            self.rest_ms = None;
            return None;
        }
        let rest_ms = *self.rest_ms.get_or_insert(now_ms + STRAGGLERS_MS);
        (now_ms < rest_ms).then_some(rest_ms)
    }

    /// Takes the news that [`Order::next`] spoke of.
    pub fn take(&mut self) -> Option<Dated> {
        let (index, at_ms) = self.first()?;
        let mut news = self.waiting.remove(index);
        if is_press(&news.from) {
            self.held = None;
        }
        news.at_ms = at_ms;
        Some(news)
    }

    /// The place of the first news, and the moment at which they count. A press is first only when
    /// nothing is left that belongs before it.
    fn first(&self) -> Option<(usize, u64)> {
        let earliest = |which: &dyn Fn(&Dated) -> bool| {
            let all = self.waiting.iter().enumerate().filter(|(_, news)| which(news));
            all.min_by_key(|(index, news)| (news.at_ms, *index)).map(|(index, _)| index)
        };
        let Some(press) = earliest(&|news| is_press(&news.from)) else {
            return earliest(&|_| true).map(|index| (index, self.waiting[index].at_ms));
        };
        let pressed_ms = self.waiting[press].at_ms;
        let before = |index: usize| (self.waiting[index].at_ms, index) < (pressed_ms, press);
        if let Some(index) = earliest(&|_| true).filter(|index| before(*index)) {
            return Some((index, self.waiting[index].at_ms));
        }
        let together = earliest(&|news| {
            is_board(&news.from)
                && news.at_ms <= self.held.map_or(pressed_ms + TOGETHER_MS, |held| held.until_ms)
                && !self.has_pressed(news.source, news.at_ms)
        });
        Some((together.unwrap_or(press), pressed_ms))
    }

    /// This device has told of a press not later than this.
    fn has_pressed(&self, source: Source, at_ms: u64) -> bool {
        let own = |news: &&Dated| news.source == source && is_press(&news.from);
        self.waiting.iter().filter(own).any(|news| news.at_ms <= at_ms)
    }
}

/// News of a clock's lever or key.
fn is_press(from: &FromDevice) -> bool {
    matches!(from, FromDevice::Input(Input::Pressed { .. }) | FromDevice::Clock(_))
}

fn is_board(from: &FromDevice) -> bool {
    matches!(
        from,
        FromDevice::Seen(_) | FromDevice::Input(Input::Edge { .. } | Input::Board { .. })
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::{Color, Square};

    use super::*;

    fn edge() -> FromDevice {
        let (seat, square) = (Color::White, Square::E4);
        FromDevice::Input(Input::Edge { seat, square, occupied: true, ago_ms: 0 })
    }

    fn press() -> FromDevice {
        FromDevice::Input(Input::Pressed { seat: Color::White })
    }

    /// What is taken until nothing is left, with the moment at which each counts, and whether it is
    /// a press.
    fn taken(order: &mut Order, mut now_ms: u64) -> Vec<(u64, bool)> {
        let mut taken = Vec::new();
        loop {
            match order.next(now_ms, &|_| false) {
                Next::News => {
                    let news = order.take().expect("there");
                    taken.push((news.at_ms, is_press(&news.from)));
                }
                Next::Wait(until_ms) => now_ms = until_ms,
                Next::Nothing => return taken,
            }
        }
    }

    #[test]
    fn a_peg_read_after_a_press_that_came_together_with_it_counts_before() {
        let (board, key) = (Source::another(), Source::another());
        let mut order = Order::default();
        order.push(Dated { at_ms: 1_000, source: key, from: press() });
        assert_eq!(order.next(1_000, &|_| false), Next::Wait(1_050));
        order.push(Dated { at_ms: 1_020, source: board, from: edge() });
        order.push(Dated { at_ms: 1_090, source: board, from: edge() });
        assert_eq!(taken(&mut order, 1_020), [(1_000, false), (1_000, true), (1_090, false)]);
    }

    #[test]
    fn a_peg_that_one_device_tells_of_after_the_press_stays_after_it() {
        let device = Source::another();
        let mut order = Order::default();
        order.push(Dated { at_ms: 1_000, source: device, from: edge() });
        order.push(Dated { at_ms: 1_000, source: device, from: press() });
        order.push(Dated { at_ms: 1_000, source: device, from: edge() });
        assert_eq!(taken(&mut order, 1_000), [(1_000, false), (1_000, true), (1_000, false)]);
    }

    #[test]
    fn what_a_machine_that_was_held_up_tells_first_waits_for_what_happened_before() {
        let (board, key) = (Source::another(), Source::another());
        let mut order = Order::default();
        order.push(Dated { at_ms: 2_000, source: board, from: edge() });
        assert_eq!(order.next(4_000, &|_| false), Next::Wait(4_020));
        order.push(Dated { at_ms: 1_500, source: key, from: press() });
        assert_eq!(taken(&mut order, 4_010), [(1_500, true), (2_000, false)]);
    }

    #[test]
    fn a_press_waits_for_a_board_that_is_not_read_yet_but_not_for_ever() {
        let (board, key) = (Source::another(), Source::another());
        let mut order = Order::default();
        order.push(Dated { at_ms: 1_000, source: key, from: press() });
        assert_eq!(order.next(1_000, &|_| false), Next::Wait(1_050));
        assert_eq!(order.next(1_050, &|at_ms| at_ms == 1_000), Next::Wait(1_100));
        // It was read late, so it is dated late.
        order.push(Dated { at_ms: 1_090, source: board, from: edge() });
        assert_eq!(order.next(1_095, &|_| false), Next::News);
        assert_eq!(taken(&mut order, 1_095), [(1_000, false), (1_000, true)]);
        order.push(Dated { at_ms: 5_000, source: key, from: press() });
        assert_eq!(order.next(5_010, &|_| true), Next::Wait(5_060));
        assert_eq!(order.next(7_100, &|_| true), Next::News);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_time_never_falls_and_each_device_keeps_its_order(
            news in proptest::collection::vec((0usize..3, 0u64..120, any::<bool>()), 0..40),
        ) {
            let sources = [Source::another(), Source::another(), Source::another()];
            let mut clocks = [1_000; 3];
            let (mut order, mut sent) = (Order::default(), [Vec::new(), Vec::new(), Vec::new()]);
            for (who, passed_ms, is_press) in &news {
                clocks[*who] += passed_ms;
                let (at_ms, source) = (clocks[*who], sources[*who]);
                order.push(Dated { at_ms, source, from: if *is_press { press() } else { edge() } });
                sent[*who].push(*is_press);
            }
            let mut now_ms = 100_000;
            let (mut got, mut last_ms) = ([Vec::new(), Vec::new(), Vec::new()], 0);
            loop {
                match order.next(now_ms, &|_| false) {
                    Next::News => {
                        let news = order.take().expect("there");
                        prop_assert!(last_ms <= news.at_ms);
                        last_ms = news.at_ms;
                        let who = sources.iter().position(|source| *source == news.source);
                        got[who.expect("one of them")].push(is_press(&news.from));
                    }
                    Next::Wait(until_ms) => now_ms = until_ms,
                    Next::Nothing => break,
                }
            }
            prop_assert_eq!(got, sent);
        }
    }
}
