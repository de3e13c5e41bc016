//! What takes minutes: whole tables, a booted kernel.

#[path = "../shared/patience.rs"]
mod patience;
#[path = "../shared/skip.rs"]
mod skip;

mod held_up;
#[cfg(all(feature = "pegs", feature = "speech", feature = "sound", target_os = "linux"))]
mod hil;
mod mayhem;
