//! The page of the hall: what waits for the arbiter, and every board.
//!
//! Each board is a part of its own, so that a move is a few hundred bytes to each open page. It is
//! a line that a screen reader reads; the style makes a tile of it, whose signs tell the same by
//! shape, letter and colour. Times are shown in minutes as long as there are many: what changes
//! every second would be read out every second.

use std::{borrow::Cow, sync::Arc};

use maud::{Markup, PreEscaped, html};
use shakmaty::{Board, Color, Piece, Square, uci::UciMove};

use super::{Context, asked, boards};
use crate::{
    Role,
    part::Part,
    view::{HallBoard, HallClock, HallNeed, HallView, HallWhy, SeatColor, Sector},
    whole_hall::{Look, Wanted},
    words::PageWords,
};
use annabella_core::game::{Running, Task};
use annabella_records::journal::export::clock_text;
use annabella_words::phrase::PageText as T;

/// With less time left, seconds are shown.
const SECONDS_BELOW_MS: u64 = 5 * 60_000;
/// Up to so many boards each tile has room for names and times, up to so many for times.
const ROOM_FOR_NAMES: usize = 24;
const ROOM_FOR_TIMES: usize = 150;

/// What waits, then a line for each board.
pub(super) fn parts(hall: &HallView, context: &Context<'_>) -> Vec<(Cow<'static, str>, String)> {
    let Context { words, wanted, .. } = *context;
    let boards = hall.boards.iter().filter(|board| wanted.sector.has(board.board));
    let line = |board: &HallBoard| {
        (format!("board-{}", board.board).into(), line(board, wanted.look, words).into_string())
    };
    let mut parts = vec![("needs".into(), needs(hall, context).into_string())];
    parts.extend(boards.map(line));
    parts
}

/// What was called for last.
pub(super) fn news(hall: &HallView, context: &Context<'_>) -> (u64, String) {
    let call = hall.calls.iter().rev().find(|call| context.wanted.sector.has(call.board));
    call.map_or((0, String::new()), |call| {
        let board = number(call.board, context.words);
        (call.number, format!("{board}: {}", why(&call.why, context.words)))
    })
}

/// The main part of the page.
pub(super) fn main(
    hall: &HallView,
    role: Role,
    parts: &[Arc<Part>],
    wanted: Wanted,
    words: &PageWords,
) -> Markup {
    let lines = parts.iter().filter(|part| part.id != "needs");
    let room = match parts.len().saturating_sub(1) {
        0..=ROOM_FOR_NAMES => "few",
        n if n <= ROOM_FOR_TIMES => "some",
        _ => "many",
    };
    html! {
        @for part in parts.iter().filter(|part| part.id == "needs") {
            section.part #needs aria-labelledby="needs-title" { (PreEscaped(&part.html)) }
        }
        section #boards aria-labelledby="boards-title" {
            h2 #boards-title { (title(wanted, words)) }
            // One line on a telephone, where the boards have the room; open where there is more.
            details #tools {
                summary { (words.text(T::HallTools)) }
                div.bar {
                    (sector_form(role, wanted, words))
                    (looks(role, wanted, words))
                    p.with-script {
                        button #call-sound type="button" aria-pressed="false" { (words.text(T::CallSound)) }
                    }
                    @if hall.games { p { a #games href="/games.pgn" { (words.text(T::GamesFile)) } } }
                }
                (legend(words))
            }
            ol class=(format!("floor {} {room}", look_class(wanted.look))) {
                @for part in lines { li.part id=(part.id) { (PreEscaped(&part.html)) } }
            }
        }
    }
}

/// Which boards are shown.
fn title(wanted: Wanted, words: &PageWords) -> String {
    let Wanted { sector, .. } = wanted;
    let end = |name: T, number: String| match number.as_str() {
        "" => String::new(),
        number => format!("{} {number}", words.text(name)),
    };
    if !wanted.is_sector() {
        return words.text(T::AllBoards).to_owned();
    }
    let (first, last) = (sector.first_text(), sector.last_text());
    let ends = format!("{} {}", end(T::FirstBoard, first), end(T::LastBoard, last));
    let mut letters = ends.trim().chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// In the style: what fits is tiles, unless there is little room.
fn look_class(look: Look) -> &'static str {
    match look {
        Look::Fitting => "tiles fitting",
        Look::Boards => "positions",
        other => other.as_str(),
    }
}

fn sector_form(role: Role, Wanted { sector, look }: Wanted, words: &PageWords) -> Markup {
    html! {
        form.entry method="get" action=(format!("/{role}")) {
            label for="first" { (words.text(T::FirstBoard)) }
            input #first name="first" inputmode="numeric" pattern="[0-9]*" maxlength="5" size="5"
                value=(sector.first_text()) autocomplete="off";
            label for="last" { (words.text(T::LastBoard)) }
            input #last name="last" inputmode="numeric" pattern="[0-9]*" maxlength="5" size="5"
                value=(sector.last_text()) autocomplete="off";
            @if look != Look::Fitting { input type="hidden" name="view" value=(look.as_str()); }
            button #show-boards type="submit" { (words.text(T::ShowBoards)) }
        }
    }
}

/// The ways to show the boards, as links.
fn looks(role: Role, Wanted { sector, look: now }: Wanted, words: &PageWords) -> Markup {
    let named =
        [(Look::Tiles, T::ViewTiles), (Look::Boards, T::ViewBoards), (Look::Lines, T::ViewLines)];
    html! {
        nav.looks aria-label=(words.text(T::ViewAs)) {
            @for (look, text) in named {
                a id=(format!("view-{}", look.as_str())) aria-current=[(look == now).then_some("true")]
                    href=(format!("/{role}{}", Wanted { sector, look }.query("?"))) { (words.text(text)) }
                " "
            }
        }
    }
}

/// What the signs on the tiles mean.
fn legend(words: &PageWords) -> Markup {
    let to_move = |color| words.fill(T::ToMove, &[("player", words.side(color))]);
    let signs = [
        ("○".to_owned(), to_move(Color::White)),
        ("●".to_owned(), to_move(Color::Black)),
        (words.text(T::SignTime).to_owned(), words.text(T::ShortOfTime).to_owned()),
        (words.text(T::SignExecute).to_owned(), words.text(T::WaitsExecute).to_owned()),
        ("=".to_owned(), words.text(T::WaitsDraw).to_owned()),
        ("‖".to_owned(), words.text(T::WaitsStand).to_owned()),
        ("≠".to_owned(), words.text(T::SignDiffer).to_owned()),
        ("!".to_owned(), words.text(T::NeedsArbiter).to_owned()),
        ("▶".to_owned(), words.text(T::Running).to_owned()),
        ("?".to_owned(), plain(T::BoardSilent, words)),
        ("·".to_owned(), words.text(T::WaitsBegin).to_owned()),
        ("½, 1-0, 0-1".to_owned(), words.text(T::Result).to_owned()),
        ("–".to_owned(), plain(T::NoGame, words)),
    ];
    html! {
        p.legend aria-hidden="true" {
            @for (sign, meaning) in signs { span { b { (sign) } " " (meaning) } " " }
        }
    }
}

/// Everything that waits, the longest first.
fn needs(hall: &HallView, context: &Context<'_>) -> Markup {
    let Context { words, wanted, .. } = *context;
    let here = |board: &&HallBoard| wanted.sector.has(board.board);
    let boards = hall.boards.iter().filter(here);
    let mut waiting: Vec<(&HallBoard, &HallNeed)> = boards
        .clone()
        .flat_map(|board| board.needs.iter().map(move |need| (board, need)))
        .collect();
    waiting.sort_by_key(|(_, need)| std::cmp::Reverse(need.seconds));
    let elsewhere: usize =
        hall.boards.iter().filter(|board| !here(board)).map(|board| board.needs.len()).sum();
    let empty = wanted.is_sector() && boards.count() == 0;
    html! {
        h2 #needs-title { (words.text(T::NeedsArbiter)) }
        @if hall.full { p.need { strong { (words.text(T::HallFull)) } } }
        @if hall.aside { p.need { strong { (words.text(T::HallAside)) } } }
        @if empty { p #no-board { (words.text(T::SectorEmpty)) } }
        @else if waiting.is_empty() { p { (words.text(T::NothingWaits)) } }
        @else {
            ol.calls {
                @for (n, (board, need)) in waiting.iter().enumerate() {
                    li {
                        a id=(format!("call-{n}-{}", board.board)) href=(address(board.board)) {
                            b { (number(board.board, words)) } ": " (waits(need, words))
                        }
                    }
                }
            }
        }
        // An arbiter of some boards, or one who has mistyped, is to know that others wait.
        @if elsewhere > 0 || empty {
            p {
                a #whole-hall href=(all_boards(wanted)) {
                    @if elsewhere > 0 {
                        (words.fill(T::WaitsElsewhere, &[("n", &elsewhere.to_string())]))
                    } @else { (words.text(T::AllBoards)) }
                }
            }
        }
    }
}

/// The address of the same page with every board.
fn all_boards(wanted: Wanted) -> String {
    let query = Wanted { sector: Sector::ALL, ..wanted }.query("?");
    // A page's address without anything to it is one without a sector.
    if query.is_empty() { "?".to_owned() } else { query }
}

/// One board: its number, the signs, and the same in words.
fn line(board: &HallBoard, look: Look, words: &PageWords) -> Markup {
    let n = board.board;
    let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
    let state = state(board, words);
    let mut class = state.class.to_owned();
    if !board.needs.is_empty() {
        class.push_str(" call");
    }
    html! {
        div class=(class) {
            a id=(format!("open-{n}")) href=(address(n)) aria-label=(number(n, words)) { (n) }
            " " span.signs aria-hidden="true" {
                (state.sign)
                @for (sign, _) in &state.more { b { (sign) } }
                @for color in short_of_time(board) { b.short.(side_class(color)) { (words.text(T::SignTime)) } }
                @if !board.needs.is_empty() { b { "!" } }
            }
            p {
                @for need in &board.needs { em { (waits(need, words)) "; " } }
                i {
                    (state.text)
                    @for (_, text) in &state.more { "; " (text) }
                    @for color in short_of_time(board) { "; " (words.text(T::ShortOfTime)) ": " (words.side(color)) }
                    ". "
                }
                @if board.plays {
                    @if let Some(clock) = board.clock {
                        span .silent[is_silent(board)] { (clocks(clock, is_silent(board))) } " "
                    }
                    (name(&board.white)) " – " (name(&board.black)) " "
                    @if let Some(last) = &board.last { (words.san(last)) }
                }
            }
            @if look == Look::Boards && board.plays { (position(board)) }
        }
    }
}

/// What a board waits for: the class of its tile, its sign, and in words. `more` are further signs.
struct State {
    class: &'static str,
    sign: &'static str,
    text: String,
    more: Vec<(String, String)>,
}

fn side_class(color: Color) -> &'static str {
    color.fold_wb("w", "k")
}

fn short_of_time(board: &HallBoard) -> impl Iterator<Item = Color> {
    let sides = [Color::White, Color::Black].into_iter().zip(board.short);
    sides.filter(|(_, short)| *short).map(|(color, _)| color)
}

fn state(board: &HallBoard, words: &PageWords) -> State {
    let plain = |text: T| plain(text, words);
    let still = |sign, text: String| State { class: "off", sign, text, more: Vec::new() };
    if !board.plays {
        return still("–", plain(T::NoGame));
    }
    if let Some(result) = board.result {
        return still(short_result(result.as_str()), result.to_string());
    }
    let of = |text: T, seat: Color| format!("{}: {}", words.text(text), words.side(seat));
    let moves = |color: Color, more: Vec<(String, String)>| State {
        class: side_class(color),
        sign: color.fold_wb("○", "●"),
        text: words.fill(T::ToMove, &[("player", words.side(color))]),
        more,
    };
    let to_move = board.to_move.unwrap_or(Color::White);
    let mut state = match &board.waits {
        Some(Task::NotBegun) => still("·", plain(T::WaitsBegin)),
        Some(Task::ClocksStand) => still("‖", plain(T::WaitsStand)),
        Some(Task::Seal(_) | Task::Adjourned) => still("‖", plain(T::Adjourned)),
        Some(Task::PutBack(seat) | Task::Correct(seat)) => still("≠", of(T::WaitsCorrect, *seat)),
        Some(Task::BoardsDiffer) => still("≠", plain(T::BoardsDiffer)),
        Some(Task::Execute { seat, .. }) => {
            let text = of(T::WaitsExecute, *seat);
            moves(to_move, vec![(plain(T::SignExecute), text)])
        }
        // Until the clock is pressed the opponent waits for him who has moved.
        Some(Task::Press(seat)) => {
            State { text: of(T::WaitsPress, *seat), ..moves(*seat, Vec::new()) }
        }
        _ => moves(to_move, Vec::new()),
    };
    if let Some(by) = board.offered {
        let text = words.fill(T::DrawOfferedBy, &[("player", words.side(by))]);
        state.more.push(("=".to_owned(), text.trim_end_matches('.').to_owned()));
    }
    if is_silent(board) {
        (state.class, state.sign) = ("off", "?");
    }
    if board.stand && state.sign != "‖" {
        state.more.push(("‖".to_owned(), plain(T::WaitsStand)));
    }
    state
}

/// A text within a line.
fn plain(text: T, words: &PageWords) -> String {
    words.text(text).trim_end_matches('.').to_owned()
}

/// A result where there is little room.
fn short_result(result: &str) -> &str {
    if result == "1/2-1/2" { "½" } else { result }
}

/// Nothing is heard of it: what stands there is from before.
fn is_silent(board: &HallBoard) -> bool {
    board.needs.iter().any(|need| need.why == HallWhy::Silent)
}

fn clocks(clock: HallClock, silent: bool) -> Markup {
    let side = |ms: u64, side: Running| {
        let text = clock_text(ms);
        let minutes = text.rsplit_once(':').map_or(text.as_str(), |(minutes, _)| minutes);
        let text = if ms < SECONDS_BELOW_MS { &text } else { minutes };
        html! { @if clock.running == side && !silent { b aria-hidden="true" { "▶" } } (text) }
    };
    html! { (side(clock.white_ms, Running::White)) " / " (side(clock.black_ms, Running::Black)) }
}

/// The squares and the pieces of all small boards, once for a page.
pub(super) fn drawings() -> Markup {
    html! {
        (boards::drawings())
        svg.drawings aria-hidden="true" width="0" height="0" {
            defs {
                @for color in Color::ALL {
                    @for role in shakmaty::Role::ALL {
                        @let piece = Piece { color, role };
                        g id=(piece_id(piece)) class=(format!("piece {}", color.fold_wb("white", "black"))) {
                            use href=(boards::outline(role)) width="45" height="45" {}
                        }
                    }
                }
                g #squares {
                    rect.light width="360" height="360" {}
                    @for square in Square::ALL.into_iter().filter(|square| !square.is_light()) {
                        @let (x, y) = place(square);
                        rect.dark x=(x) y=(y) width="45" height="45" {}
                    }
                }
            }
        }
    }
}

fn piece_id(piece: Piece) -> String {
    format!("man-{}{}", side_class(piece.color), piece.role.char())
}

/// Of the upper left corner in a board of 360, White below.
fn place(square: Square) -> (u32, u32) {
    (45 * square.file().to_u32(), 45 * (7 - square.rank().to_u32()))
}

/// A small board, as relays show them: the line beside it has the same in words.
fn position(board: &HallBoard) -> Markup {
    let pieces = Board::from_ascii_board_fen(board.pieces.as_bytes()).unwrap_or_default();
    let moved = board.moved.as_deref().and_then(|uci| uci.parse::<UciMove>().ok());
    let moved = match moved {
        Some(UciMove::Normal { from, to, .. }) => vec![from, to],
        _ => Vec::new(),
    };
    html! {
        svg.position viewBox="0 0 360 360" aria-hidden="true" {
            use href="#squares" {}
            @for square in moved {
                @let (x, y) = place(square);
                rect.moved x=(x) y=(y) width="45" height="45" {}
            }
            @for (square, piece) in pieces {
                @let (x, y) = place(square);
                use href=(format!("#{}", piece_id(piece))) x=(x) y=(y) {}
            }
        }
    }
}

fn waits(need: &HallNeed, words: &PageWords) -> Markup {
    let since = match need.seconds {
        0 => words.text(T::WaitsNew).to_owned(),
        n @ ..60 => words.fill(T::WaitsSeconds, &[("n", &n.to_string())]),
        n => words.fill(T::WaitsMinutes, &[("n", &(n / 60).to_string())]),
    };
    html! { (why(&need.why, words).trim_end_matches('.')) " (" (since) ")" }
}

fn why(why: &HallWhy, words: &PageWords) -> String {
    match why {
        // What there are no words for is better English than unsaid.
        HallWhy::Called(text) => words.note(text).unwrap_or_else(|| text.to_string()),
        HallWhy::BoardsDiffer => words.text(T::BoardsDiffer).to_owned(),
        // As the board's own page asks it.
        HallWhy::Illegal(SeatColor(seat), illegal) => asked::illegal_move(*seat, illegal, words),
        HallWhy::Proposal(text, article) => words.note_under(text, *article),
        HallWhy::Silent => words.text(T::BoardSilent).to_owned(),
        HallWhy::ClockLost => words.text(T::ClockLost).to_owned(),
        HallWhy::SightedLost => words.text(T::SightedLost).to_owned(),
        HallWhy::Unreadable => words.text(T::RowsUnreadable).to_owned(),
        HallWhy::Paired(pair) => words.fill(T::PairedHere, &[("pair", pair)]),
    }
}

pub(super) fn number(board: u32, words: &PageWords) -> String {
    words.fill(T::BoardNumber, &[("n", &board.to_string())])
}

pub(super) fn address(board: u32) -> String {
    format!("/board/{board}/")
}
