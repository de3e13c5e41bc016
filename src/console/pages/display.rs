//! The display: large, for a deaf opponent (D.2.11) or spectators. Nothing can be entered.

use maud::{Markup, html};
use shakmaty::{Board, Square, fen::Fen};

use super::{boards, last_move, spoken, standing};
use crate::{
    view::{Cell, GameView, Mark, Stands},
    words::PageWords,
};
use annabella_words::phrase::PageText as T;

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
        ("board", html! { (board) }),
        ("standing", standing(game, words)),
        ("last", last_move(game, words)),
        ("said", said(game, words)),
    ]
}

/// For who does not see the page: a deaf player may read it on a Braille display.
pub(super) fn news(game: &GameView) -> String {
    let last = game.last.as_ref().map(|last| &last.words);
    game.said.last().or(last).map_or(String::new(), |words| words.to_string())
}

/// Announcements, the newest first (D.2.11).
fn said(game: &GameView, words: &PageWords) -> Markup {
    html! {
        h2 { (words.text(T::Said)) }
        @if game.said.is_empty() { p { (words.text(T::NothingSaid)) } }
        @else { ul.said { @for one in game.said.iter().rev() { li { (spoken(one)) } } } }
    }
}
