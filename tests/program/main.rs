//! The command line, and the service in this process.

#[path = "../shared/at_board.rs"]
mod at_board;
#[cfg(feature = "console")]
#[path = "../shared/hall.rs"]
mod hall;
#[path = "../shared/recorded.rs"]
mod recorded;
#[path = "../shared/skip.rs"]
mod skip;

mod adjournment;
mod choosing;
mod clock_times;
mod config;
mod doctor;
#[cfg(feature = "speech")]
mod enrol;
mod games;
mod infer;
mod letters;
mod lexicon;
mod no_sensors;
mod reconcile;
mod records;
#[cfg(feature = "console")]
mod sealing_pages;
mod setup;
mod setup_dialogue;
mod sounds;
