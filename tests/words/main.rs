//! What is said and heard, in every language.

mod dialogue;
mod german;
mod hear;
mod heard;
mod noise;
mod packs;
mod positions;
mod recognizer;
mod typed;
