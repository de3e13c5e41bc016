//! How long a test waits for what must come. A pass needs a fraction of it on a quiet machine; one
//! that takes ten times as long passes too. Only benches judge durations.

// Each program uses what it needs.
#![allow(dead_code)]

use std::{
    thread::sleep,
    time::{Duration, Instant},
};

pub(crate) const PATIENCE: Duration = Duration::from_secs(240);

/// Waits until something is so.
pub(crate) fn until(what: &str, mut so: impl FnMut() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !so() {
        assert!(Instant::now() < until, "in vain: {what}");
        sleep(Duration::from_millis(20));
    }
}
