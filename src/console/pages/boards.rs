//! Boards as tables.

use maud::{Markup, html};
use shakmaty::{Color, File, Piece, Rank, Role, Square};

use crate::{
    view::{BoardView, Cell, GameView, Mark, Stands},
    words::PageWords,
};
use annabella_words::phrase::PageText as T;

/// Ranks as they are shown, White below.
fn ranks() -> impl Iterator<Item = Rank> {
    Rank::ALL.into_iter().rev()
}

fn shade(square: Square) -> &'static str {
    if square.is_light() { "light" } else { "dark" }
}

/// White's pieces are outlines, Black's are filled: told apart without colour.
fn figure(piece: Piece) -> &'static str {
    match (piece.color, piece.role) {
        (Color::White, Role::King) => "♔\u{fe0e}",
        (Color::White, Role::Queen) => "♕\u{fe0e}",
        (Color::White, Role::Rook) => "♖\u{fe0e}",
        (Color::White, Role::Bishop) => "♗\u{fe0e}",
        (Color::White, Role::Knight) => "♘\u{fe0e}",
        (Color::White, Role::Pawn) => "♙\u{fe0e}",
        (Color::Black, Role::King) => "♚\u{fe0e}",
        (Color::Black, Role::Queen) => "♛\u{fe0e}",
        (Color::Black, Role::Rook) => "♜\u{fe0e}",
        (Color::Black, Role::Bishop) => "♝\u{fe0e}",
        (Color::Black, Role::Knight) => "♞\u{fe0e}",
        (Color::Black, Role::Pawn) => "♟\u{fe0e}",
    }
}

fn drawn(stands: Stands) -> &'static str {
    match stands {
        Stands::Nothing => "",
        Stands::Something => "?",
        Stands::Known(piece) => figure(piece),
    }
}

/// What is different here, in words.
fn difference(mark: Mark, words: &PageWords) -> Option<String> {
    match mark {
        Mark::Same => None,
        Mark::Extra => Some(words.text(T::CellExtra).to_owned()),
        Mark::Missing(piece) => Some(words.fill(T::CellMissing, &[("piece", words.piece(piece))])),
        Mark::Other(piece) => Some(words.fill(T::CellOther, &[("piece", words.piece(piece))])),
    }
}

fn sign(mark: Mark) -> (&'static str, &'static str) {
    match mark {
        Mark::Same => ("", ""),
        Mark::Extra => ("extra", "+"),
        Mark::Missing(_) => ("missing", "−"),
        Mark::Other(_) => ("other", "≠"),
    }
}

fn cell(cells: &[Cell], square: Square) -> Cell {
    cells.get(usize::from(square)).copied().unwrap_or_default()
}

fn file_heads() -> Markup {
    html! {
        thead {
            tr {
                td {}
                @for file in File::ALL { th scope="col" { (file.char()) } }
            }
        }
    }
}

fn in_cell(cell: Cell, words: &PageWords) -> Markup {
    let (_, sign) = sign(cell.mark);
    html! {
        span.figure aria-hidden="true" {
            @match cell.mark {
                // What is missing is shown where it belongs, faintly.
                Mark::Missing(piece) => span.ghost { (figure(piece)) },
                _ => (drawn(cell.stands)),
            }
        }
        @if !sign.is_empty() { span.sign aria-hidden="true" { (sign) } }
        span.hidden {
            (words.stands(cell.stands))
            @if let Some(difference) = difference(cell.mark, words) { ", " (difference) }
        }
    }
}

/// A board that is looked at.
pub(super) fn seen(caption: &str, note: Option<&str>, cells: &[Cell], words: &PageWords) -> Markup {
    html! {
        table.board {
            caption { (caption) @if let Some(note) = note { br; small { (note) } } }
            (file_heads())
            tbody {
                @for rank in ranks() {
                    tr {
                        th scope="row" { (rank.char()) }
                        @for file in File::ALL {
                            @let square = Square::from_coords(file, rank);
                            @let cell = cell(cells, square);
                            td class=(format!("{} {}", shade(square), sign(cell.mark).0)) {
                                (in_cell(cell, words))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Both boards side by side.
pub(super) fn both(game: &GameView, words: &PageWords) -> Markup {
    let one = |board: &BoardView| {
        let player = words.player(board.seat, game.name(board.seat));
        let caption = words.fill(T::BoardOf, &[("player", &player)]);
        let note = (!board.seen).then(|| words.text(T::BoardUnseen));
        seen(&caption, note, &board.cells, words)
    };
    let differs = game.board.iter().flat_map(|board| &board.cells).any(|c| c.mark != Mark::Same);
    html! {
        h2 { (words.text(T::Position)) }
        @if differs { p { (words.text(T::MarksExplained)) } }
        div.side-by-side {
            @for board in &game.board { (one(board)) }
        }
    }
}

/// A board of buttons. `from`: this square was chosen first.
pub(super) fn buttons(cells: &[Cell], from: Option<Square>, words: &PageWords) -> Markup {
    html! {
        table.board.buttons role="grid" aria-describedby="board-help" {
            caption { (words.text(T::ByBoard)) }
            (file_heads())
            tbody {
                @for rank in ranks() {
                    tr {
                        th scope="row" { (rank.char()) }
                        @for file in File::ALL {
                            @let square = Square::from_coords(file, rank);
                            @let cell = cell(cells, square);
                            @let name = format!("{}, {}", words.square(square), words.stands(cell.stands));
                            td role="gridcell" class=(shade(square)) {
                                button id=(format!("sq-{square}")) type="submit" name="square"
                                    value=(square) aria-label=(name) data-name=(words.square(square))
                                    aria-pressed=[(from == Some(square)).then_some("true")] {
                                    (drawn(cell.stands))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
