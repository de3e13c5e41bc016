//! What is said and heard, in every language.

// What is forbidden is forbidden to the crate, not to its tests.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod dialogue;
mod german;
mod hear;
mod heard;
mod noise;
mod older;
mod packs;
mod positions;
mod recognizer;
mod typed;
