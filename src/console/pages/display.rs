//! The display: large, for a deaf opponent (D.2.11) or spectators. Nothing can be entered.

use maud::{Markup, html};
use shakmaty::{Board, Square, fen::Fen};

use super::{boards, last_move, standing};
use crate::{
    console::{
        view::{Cell, GameView, Mark, Stands},
        words::PageWords,
    },
    phrase::PageText as T,
};

/// The game's position as squares.
pub(super) fn position(fen: &str) -> Vec<Cell> {
    let board =
        fen.parse::<Fen>().map_or_else(|_| Board::empty(), |fen| fen.as_setup().board.clone());
    let cell = |square| {
        let stands = board.piece_at(square).map_or(Stands::Nothing, Stands::Known);
        Cell { stands, mark: Mark::Same }
    };
    Square::ALL.into_iter().map(cell).collect()
}

pub(super) fn parts(game: &GameView, words: &PageWords) -> Vec<(&'static str, Markup)> {
    let board = boards::seen(words.text(T::Position), None, &position(&game.fen), words);
    vec![
        ("standing", standing(game, words)),
        ("last", last_move(game, words)),
        ("board", html! { (board) }),
    ]
}
