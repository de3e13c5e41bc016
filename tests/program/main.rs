//! The command line, and the service in this process.

#[path = "../shared/at_board.rs"]
mod at_board;
#[path = "../shared/described.rs"]
mod described;
#[cfg(feature = "console")]
#[path = "../shared/hall.rs"]
mod hall;
#[cfg(feature = "console")]
#[path = "../shared/lichess.rs"]
mod lichess;
#[path = "../shared/patience.rs"]
mod patience;
#[path = "../shared/recorded.rs"]
mod recorded;
#[path = "../shared/skip.rs"]
mod skip;
#[path = "../shared/typed.rs"]
mod typed;

mod adjournment;
#[cfg(feature = "console")]
mod at_home;
mod choosing;
mod clock_times;
mod config;
mod doctor;
#[cfg(feature = "speech")]
mod enrol;
#[cfg(feature = "console")]
mod far;
#[cfg(feature = "console")]
mod friend;
mod games;
mod german;
mod handing_over;
mod infer;
mod json;
mod letters;
mod lexicon;
mod no_sensors;
mod practice;
mod reconcile;
mod records;
#[cfg(feature = "console")]
mod sealing_pages;
mod setup;
mod setup_dialogue;
mod sounds;
