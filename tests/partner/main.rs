//! Somebody to play with at home: `annabella-partner` at a table that is served.

#[path = "../shared/hall.rs"]
mod hall;
#[path = "../shared/lichess.rs"]
mod lichess;
#[path = "../shared/patience.rs"]
mod patience;
#[path = "../shared/skip.rs"]
mod skip;

mod asked;
mod at_table;
mod cut;
mod door;
mod engines;
mod far;
mod far_found;
mod friends;
mod games;
mod remembered;
