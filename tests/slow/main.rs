//! What takes minutes: whole tables, an arbiter in the demonstration, a booted kernel.

#[path = "../shared/patience.rs"]
mod patience;
#[path = "../shared/skip.rs"]
mod skip;

#[cfg(feature = "console")]
mod diverge;
#[cfg(all(feature = "pegs", feature = "speech", feature = "sound", target_os = "linux"))]
mod hil;
#[cfg(feature = "dgt")]
mod mayhem;
