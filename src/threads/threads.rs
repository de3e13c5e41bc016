//! What the threads of the higher floors have in common. No thread is started here, no time is taken.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Locks what threads share. A thread that panicked while it held the lock has said so on standard
/// error; it has left nothing half done, for plain values only are guarded so.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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

#[cfg(test)]
mod tests {
    use super::*;

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
