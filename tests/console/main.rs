//! The pages of one board over real HTTP.

#[path = "../shared/hall.rs"]
mod hall;

mod deaf;
mod first_screen;
mod moved_on;
mod page_words;
mod pages;
mod typed;
