//! `annabella play` and its kin as processes of their own.

#[path = "../shared/at_board.rs"]
mod at_board;
#[path = "../shared/described.rs"]
mod described;
#[cfg(feature = "console")]
#[path = "../shared/hall.rs"]
mod hall;
#[path = "../shared/terminal.rs"]
mod in_terminal;
#[path = "../shared/patience.rs"]
mod patience;
#[path = "../shared/recorded.rs"]
mod recorded;
#[path = "../shared/skip.rs"]
mod skip;

#[cfg(feature = "console")]
mod attack;
mod beside;
#[cfg(all(feature = "pegs", target_os = "linux"))]
mod board_hil;
mod braille;
mod dgt_board;
mod held_up;
#[cfg(feature = "console")]
mod looking;
#[cfg(feature = "console")]
mod opponent;
mod playing;
mod session;
mod terminal;
mod two_blind;
mod two_boards;
mod whole_games;
