//! The journal on disk.

#[path = "../shared/again.rs"]
mod again;

mod journal;
