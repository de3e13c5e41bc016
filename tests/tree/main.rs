//! The repository itself: its order, its documents, its scripts.

#[path = "../shared/skip.rs"]
mod skip;

mod architecture;
mod articles;
mod german;
mod hardware;
mod image;
mod instructions;
mod release;
mod sentences;
mod tidy;
