//! Boards as tables.

use maud::{Markup, html};
use shakmaty::{File, Piece, Rank, Role, Square};

use crate::{
    view::{BoardView, Cell, GameView, Mark, Stands},
    words::PageWords,
};
use annabella_words::phrase::PageText as T;

/// Of more squares that differ, the board itself tells.
const MOST_NAMED: usize = 8;

fn shade(square: Square) -> &'static str {
    if square.is_light() { "light" } else { "dark" }
}

/// The outlines of the pieces, in a square of 45, told apart by shape alone.
const OUTLINES: [(Role, &str); 6] = [
    (
        Role::Pawn,
        "M22.5 8a5.5 5.5 0 0 1 3.3 9.9c2.6 1.3 4.3 3.6 4.3 6.6 0 2.2-1 4-2.5 5.2 4 1.5 6.4 5 6.4 9.3h-23\
         c0-4.3 2.4-7.8 6.4-9.3a6.7 6.7 0 0 1-2.5-5.2c0-3 1.7-5.3 4.3-6.6A5.5 5.5 0 0 1 22.5 8z",
    ),
    (
        Role::Knight,
        "M13 39c0-8 7-10 8-17l-7 5-5-1-1-4 7-11-1-6 6 4c10 0 16 7 16 18 0 5-1 9-2 12zM17 15h1.5v1.5h-1.5z",
    ),
    (
        Role::Bishop,
        "M22.5 5a3 3 0 0 1 2 5.2c4.5 3 7.5 7 7.5 11.8 0 3-1.5 5.5-4 7l1.5 4H35v6H10v-6h5.5l1.5-4\
         c-2.5-1.5-4-4-4-7 0-4.8 3-8.8 7.5-11.8A3 3 0 0 1 22.5 5zM22.5 16v9M18 20.5h9",
    ),
    (Role::Rook, "M11 8h5v4h4V8h5v4h4V8h5v9l-3 3v10l3 4v5H11v-5l3-4V20l-3-3zM14 20h17M14 30h17"),
    (
        Role::Queen,
        "M6 12l6 9 3-14 7.5 13L30 7l3 14 6-9-4 19 1.5 4v4h-28v-4l1.5-4zM10 31c8-2 17-2 25 0",
    ),
    (
        Role::King,
        "M21 4h3v3h4v3h-4v5c7-4 14-2 14 5 0 5-5 8-6 11l1 3v5H12v-5l1-3c-1-3-6-6-6-11 0-7 7-9 14-5v-5\
         h-4V7h4zM13 31c6-2 13-2 19 0",
    ),
];

/// The outlines, once for a page.
pub(super) fn drawings() -> Markup {
    html! {
        svg.drawings aria-hidden="true" width="0" height="0" {
            @for (role, path) in OUTLINES {
                symbol id=(format!("piece-{}", role.char())) viewBox="0 0 45 45" { path d=(path) {} }
            }
        }
    }
}

/// Where a piece's outline is found on a page.
pub(super) fn outline(role: Role) -> String {
    format!("#piece-{}", role.char())
}

/// White's pieces are light and Black's dark, each with an outline of the other shade.
pub(super) fn figure(piece: Piece) -> Markup {
    let color = piece.color.fold_wb("white", "black");
    html! {
        svg class=(format!("piece {color}")) viewBox="0 0 45 45" aria-hidden="true" {
            use href=(outline(piece.role)) {}
        }
    }
}

fn drawn(stands: Stands) -> Markup {
    match stands {
        Stands::Nothing => html! {},
        Stands::Something => html! { "?" },
        Stands::Known(piece) => figure(piece),
    }
}

/// The difference on this square, in words.
fn difference(mark: Mark, words: &PageWords) -> Option<String> {
    match mark {
        Mark::Same => None,
        Mark::Extra => Some(words.text(T::CellExtra).to_owned()),
        Mark::Missing(piece) => Some(words.fill(T::CellMissing, &[("piece", words.piece(piece))])),
        Mark::Other(piece) => Some(words.fill(T::CellOther, &[("piece", words.piece(piece))])),
    }
}

/// The same as a sentence with its square: `auf Felix sieben (f7) fehlt ein schwarzer Bauer`.
fn difference_at(square: Square, mark: Mark, words: &PageWords) -> String {
    let square = words.square_both(square);
    let of = |text: T, piece: Piece| {
        words.fill(text, &[("square", &square), ("piece", &words.a_piece(piece))])
    };
    match mark {
        Mark::Same => String::new(),
        Mark::Extra => words.fill(T::CellExtraAt, &[("square", &square)]),
        Mark::Missing(piece) => of(T::CellMissingAt, piece),
        Mark::Other(piece) => of(T::CellOtherAt, piece),
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

/// The squares of a board below the names of its files, each as `cell` has it.
fn squares(cell: impl Fn(Square) -> Markup) -> Markup {
    html! {
        thead {
            tr {
                td {}
                @for file in File::ALL { th scope="col" { (file.char()) } }
            }
        }
        tbody {
            @for rank in Rank::ALL.into_iter().rev() {
                tr {
                    th scope="row" { (rank.char()) }
                    @for file in File::ALL { (cell(Square::from_coords(file, rank))) }
                }
            }
        }
    }
}

fn in_cell(cell: Cell, words: &PageWords) -> Markup {
    let (_, sign) = sign(cell.mark);
    html! {
        span.figure aria-hidden="true" {
            @match cell.mark {
                // A missing piece is drawn faintly on its square.
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
            (squares(|square| {
                let cell = cell(cells, square);
                html! {
                    td class=(format!("{} {}", shade(square), sign(cell.mark).0)) {
                        (in_cell(cell, words))
                    }
                }
            }))
        }
    }
}

/// The squares on which a board differs, by name.
pub(super) fn differences(game: &GameView, words: &PageWords) -> Markup {
    html! {
        @for board in &game.board {
            @let cells = board.cells.iter().zip(Square::ALL);
            @let differ: Vec<_> = cells.filter(|(cell, _)| cell.mark != Mark::Same).collect();
            @if !differ.is_empty() {
                p.differences {
                    span aria-hidden="true" { "≠ " }
                    (words.fill(T::BoardOf, &[("player", words.side(board.seat))])) ": "
                    @for (n, (cell, square)) in differ.iter().take(MOST_NAMED).enumerate() {
                        @if n > 0 { "; " }
                        (difference_at(*square, cell.mark, words))
                    }
                    @if differ.len() > MOST_NAMED { " …" }
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
    html! {
        h2.hidden { (words.text(T::Position)) }
        div.side-by-side {
            @for board in &game.board { (one(board)) }
        }
    }
}

/// The squares that differ, and what the marks mean.
pub(super) fn explained(game: &GameView, words: &PageWords) -> Markup {
    let differs = game.board.iter().flat_map(|board| &board.cells).any(|c| c.mark != Mark::Same);
    html! {
        @if differs {
            (differences(game, words))
            p.small { (words.text(T::MarksExplained)) }
        }
    }
}

/// A board of buttons. `from`: this square was chosen first.
pub(super) fn buttons(cells: &[Cell], from: Option<Square>, words: &PageWords) -> Markup {
    html! {
        table.board.buttons role="grid" aria-describedby="board-help" {
            caption { (words.text(T::ByBoard)) }
            (squares(|square| {
                let cell = cell(cells, square);
                let differs =
                    difference(cell.mark, words).map_or(String::new(), |text| format!(", {text}"));
                let name =
                    format!("{}, {}{differs}", words.square(square), words.stands(cell.stands));
                let (file, rank) = square.coords();
                html! {
                    td role="gridcell" class=(format!("{} {}", shade(square), sign(cell.mark).0))
                        data-rank=[(file == File::A).then_some(rank.char())]
                        data-file=[(rank == Rank::First).then_some(file.char())] {
                        button id=(format!("sq-{square}")) type="submit" name="square"
                            value=(square) aria-label=(name) data-name=(words.square(square))
                            aria-pressed=[(from == Some(square)).then_some("true")] {
                            (drawn(cell.stands))
                        }
                        @if cell.mark != Mark::Same { span.sign aria-hidden="true" { (sign(cell.mark).1) } }
                    }
                }
            }))
        }
    }
}
