//! When things happen: a clock that neither sleep nor a wall clock's setting moves.

use std::time::{Duration, Instant};

use annabella_core::game::At;

/// The service's clock: milliseconds after everything that the journal knows, kept rising by a
/// monotonic clock that goes on while the machine sleeps.
#[derive(Clone, Copy, Debug)]
pub struct Moments {
    began_ms: u64,
    base_ms: u64,
}

impl Moments {
    /// A clock that begins at `base`.
    pub fn from(base: At) -> Moments {
        Moments { began_ms: since_boot_ms(), base_ms: base.ms }
    }

    pub fn now(&self) -> At {
        let passed_ms = since_boot_ms().saturating_sub(self.began_ms);
        At::new(self.base_ms.saturating_add(passed_ms))
    }

    /// The moment of a message: [`super::news::Dated::at_ms`].
    pub(super) fn of(&self, at_ms: u64) -> At {
        At::new(self.base_ms.saturating_add(at_ms.saturating_sub(self.began_ms)))
    }

    /// The other way round: milliseconds since the machine was started.
    pub(super) fn boot_ms(&self, at: At) -> u64 {
        self.began_ms.saturating_add(at.ms.saturating_sub(self.base_ms))
    }

    pub(super) fn instant(&self, at: At) -> Instant {
        Instant::now() + Duration::from_millis(at.ms.saturating_sub(self.now().ms))
    }
}

/// Milliseconds since the machine was started, those in which it slept included: the players' time
/// passes while it does. Setting the wall clock does not change it.
pub(super) fn since_boot_ms() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    let ms = |part: i64| u64::try_from(part).unwrap_or(0);
    ms(now.tv_sec) * 1000 + ms(now.tv_nsec) / 1_000_000
}

/// The moment of [`since_boot_ms`] as one that can be waited for.
pub(super) fn instant(at_ms: u64) -> Instant {
    Instant::now() + Duration::from_millis(at_ms.saturating_sub(since_boot_ms()))
}
