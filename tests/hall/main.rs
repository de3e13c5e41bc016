//! Many boards: a real `nats-server`, the page of the hall, a real browser.

#[path = "../shared/at_board.rs"]
mod at_board;
#[path = "../shared/described.rs"]
mod described;
#[path = "../shared/hall.rs"]
mod hall;
#[path = "../shared/patience.rs"]
mod patience;
#[path = "../shared/skip.rs"]
mod skip;

mod browser;
mod hall_calls;
mod hall_page;
mod lying_board;
mod whole_hall;
