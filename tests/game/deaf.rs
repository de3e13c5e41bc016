//! A deaf opponent (D.2.11): whatever he says, in whatever moment of a game, what is answered to him stands
//! on his display, and all that is said aloud does.

use annabella_console::log::Log;
use annabella_core::game::{
    Act, At, Channel, Game, GameConfig, Input, Output, Refused, Ruling, Stop,
};
use annabella_words::phrase::{Command, Words};
use shakmaty::Color;

use crate::table::started;
