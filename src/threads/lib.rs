//! Helpers for the threads of the higher floors. Starts no thread, and takes no time.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Locks a value that threads share. A thread that panicked while it held the lock has said so on
/// standard error. It has left nothing half done, since only plain values are guarded in this way.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A duration in whole milliseconds.
pub fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The pause before a lost device is tried again: twice as long each time, up to a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backoff {
    first: Duration,
    longest: Duration,
    next: Duration,
}

impl Backoff {
    /// From the first pause to the longest.
    pub const fn new(first: Duration, longest: Duration) -> Backoff {
        Backoff { first, longest, next: first }
    }

    /// The device was there: the next pause is the first again.
    pub fn reset(&mut self) {
        self.next = self.first;
    }

    /// How long to wait before the next try.
    pub fn pause(&mut self) -> Duration {
        let pause = self.next;
        self.next = (pause * 2).min(self.longest);
        pause
    }
}

/// Counts lines of a log, so that a flood of them is cut short: so many in each span of time.
#[derive(Clone, Copy, Debug)]
pub struct Flood {
    most: u32,
    span: Duration,
    began: Option<Instant>,
    count: u32,
}

impl Flood {
    /// So many in each span.
    pub const fn new(most: u32, span: Duration) -> Flood {
        Flood { most, span, began: None, count: 0 }
    }

    /// Thirty in ten seconds.
    pub const fn usual() -> Flood {
        Flood::new(30, Duration::from_secs(10))
    }

    /// One more line, now. `None`: it is one too many. Otherwise how many were left out before it.
    pub fn next(&mut self, now: Instant) -> Option<u32> {
        let mut left_out = 0;
        if self.began.is_none_or(|began| now.saturating_duration_since(began) >= self.span) {
            left_out = self.count.saturating_sub(self.most);
            (self.began, self.count) = (Some(now), 0);
        }
        self.count = self.count.saturating_add(1);
        (self.count <= self.most).then_some(left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_cut_short_and_counted() {
        let (mut flood, now) = (Flood::new(3, Duration::from_secs(10)), Instant::now());
        let told = (0..100).filter(|_| flood.next(now).is_some()).count();
        assert_eq!(told, 3);
        assert_eq!(flood.next(now + Duration::from_secs(10)), Some(97));
        assert_eq!(flood.next(now + Duration::from_secs(11)), Some(0));
    }

    #[test]
    fn pauses_grow_up_to_the_longest_and_begin_again() {
        let mut backoff = Backoff::new(Duration::from_millis(500), Duration::from_secs(3));
        let pauses: Vec<u128> = (0..5).map(|_| backoff.pause().as_millis()).collect();
        assert_eq!(pauses, [500, 1000, 2000, 3000, 3000]);
        backoff.reset();
        assert_eq!(backoff.pause().as_millis(), 500);
    }

    #[test]
    fn what_a_thread_guarded_is_there_after_its_panic() {
        let shared = std::sync::Arc::new(Mutex::new(7));
        let held = std::sync::Arc::clone(&shared);
        let ended = std::thread::spawn(move || {
            let _guard = held.lock();
            panic!("on purpose");
        });
        assert!(ended.join().is_err() && shared.is_poisoned());
        assert_eq!(*lock(&shared), 7);
    }
}
