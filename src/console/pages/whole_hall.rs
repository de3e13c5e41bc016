//! The page of the hall: what waits for the arbiter, and every board.
//!
//! Each board is a part of its own, so that a move is a few hundred bytes to each open page. Times are
//! shown in minutes as long as there are many: what changes every second would be read out every second.

use std::{borrow::Cow, sync::Arc};

use maud::{Markup, PreEscaped, html};

use super::Context;
use crate::{
    Role,
    part::Part,
    view::{HallBoard, HallClock, HallNeed, HallView, HallWhy, Sector},
    words::PageWords,
};
use annabella_core::game::Running;
use annabella_records::journal::export::clock_text;
use annabella_words::phrase::PageText as T;

/// With less time left, seconds are shown.
const SECONDS_BELOW_MS: u64 = 5 * 60_000;

/// What waits, then a row for each board.
pub(super) fn parts(hall: &HallView, context: &Context<'_>) -> Vec<(Cow<'static, str>, String)> {
    let words = context.words;
    let boards = hall.boards.iter().filter(|board| context.sector.has(board.board));
    let row = |board: &HallBoard| {
        (format!("board-{}", board.board).into(), row(board, words).into_string())
    };
    let mut parts = vec![("needs".into(), needs(hall, boards.clone(), words).into_string())];
    parts.extend(boards.map(row));
    parts
}

/// What was called for last.
pub(super) fn news(hall: &HallView, context: &Context<'_>) -> (u64, String) {
    let call = hall.calls.iter().rev().find(|call| context.sector.has(call.board));
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
    sector: Sector,
    words: &PageWords,
) -> Markup {
    let rows = parts.iter().filter(|part| part.id != "needs");
    html! {
        @for part in parts.iter().filter(|part| part.id == "needs") {
            section.part #needs aria-labelledby="needs-title" { (PreEscaped(&part.html)) }
        }
        section #boards aria-labelledby="boards-title" {
            h2 #boards-title { (words.text(T::AllBoards)) }
            form.entry method="get" action=(format!("/{role}")) {
                label for="first" { (words.text(T::FirstBoard)) }
                input #first name="first" inputmode="numeric" pattern="[0-9]*" maxlength="5" size="5"
                    value=(sector.first_text()) autocomplete="off";
                label for="last" { (words.text(T::LastBoard)) }
                input #last name="last" inputmode="numeric" pattern="[0-9]*" maxlength="5" size="5"
                    value=(sector.last_text()) autocomplete="off";
                button #show-boards type="submit" { (words.text(T::ShowBoards)) }
            }
            p.with-script {
                button #call-sound type="button" aria-pressed="false" { (words.text(T::CallSound)) }
            }
            @if hall.games { p { a #games href="/games.pgn" { (words.text(T::GamesFile)) } } }
            table.record {
                caption.hidden { (words.text(T::AllBoards)) }
                thead {
                    tr {
                        th scope="col" { (words.text(T::BoardColumn)) }
                        th scope="col" { (words.text(T::White)) " – " (words.text(T::Black)) }
                        th scope="col" { (words.text(T::StateColumn)) }
                    }
                }
                tbody {
                    @for part in rows { tr.part id=(part.id) { (PreEscaped(&part.html)) } }
                }
            }
        }
    }
}

/// Everything that waits, the longest first.
fn needs<'a>(
    hall: &HallView,
    boards: impl Iterator<Item = &'a HallBoard>,
    words: &PageWords,
) -> Markup {
    let mut waiting: Vec<(&HallBoard, &HallNeed)> =
        boards.flat_map(|board| board.needs.iter().map(move |need| (board, need))).collect();
    waiting.sort_by_key(|(_, need)| std::cmp::Reverse(need.minutes));
    html! {
        h2 #needs-title { (words.text(T::NeedsArbiter)) }
        @if hall.full { p.need { strong { (words.text(T::HallFull)) } } }
        @if hall.aside { p.need { strong { (words.text(T::HallAside)) } } }
        @if waiting.is_empty() { p { (words.text(T::NothingWaits)) } }
        @else {
            ol.calls {
                @for (n, (board, need)) in waiting.iter().enumerate() {
                    li {
                        a id=(format!("call-{n}-{}", board.board)) href=(address(board.board)) {
                            (number(board.board, words))
                        }
                        ": " (waits(need, words))
                    }
                }
            }
        }
    }
}

fn row(board: &HallBoard, words: &PageWords) -> Markup {
    let n = board.board;
    let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
    html! {
        th scope="row" { a id=(format!("open-{n}")) href=(address(n)) { (number(n, words)) } }
        td {
            @if board.plays {
                (name(&board.white)) " – " (name(&board.black))
                @if let Some(last) = &board.last { br; (words.san(last)) }
                @if let Some(clock) = board.clock { br; (clocks(clock, words)) }
            } @else { (words.text(T::NoGame)) }
        }
        td {
            @if let Some(result) = board.result { p { strong { (result) } } }
            @for need in &board.needs { p.need { (waits(need, words)) } }
        }
    }
}

fn clocks(clock: HallClock, words: &PageWords) -> Markup {
    let side = |ms: u64, side: Running| {
        let text = clock_text(ms);
        let minutes = text.rsplit_once(':').map_or(text.as_str(), |(minutes, _)| minutes);
        let text = if ms < SECONDS_BELOW_MS { &text } else { minutes };
        html! {
            (text)
            @if clock.running == side { " " span aria-hidden="true" { "▶" } span.hidden { (words.text(T::Running)) } }
        }
    };
    html! { (side(clock.white_ms, Running::White)) " / " (side(clock.black_ms, Running::Black)) }
}

fn waits(need: &HallNeed, words: &PageWords) -> Markup {
    let since = match need.minutes {
        0 => words.text(T::WaitsNew).to_owned(),
        n => words.fill(T::WaitsMinutes, &[("n", &n.to_string())]),
    };
    html! { (why(&need.why, words)) " (" (since) ")" }
}

fn why(why: &HallWhy, words: &PageWords) -> String {
    match why {
        // What there are no words for is better English than unsaid.
        HallWhy::Called(text) => words.note(text).unwrap_or_else(|| text.to_string()),
        HallWhy::BoardsDiffer => words.text(T::BoardsDiffer).to_owned(),
        HallWhy::Proposal(text, article) => words.note_under(text, *article),
        HallWhy::Silent => words.text(T::BoardSilent).to_owned(),
        HallWhy::ClockLost => words.text(T::ClockLost).to_owned(),
        HallWhy::SightedLost => words.text(T::SightedLost).to_owned(),
        HallWhy::Unreadable => words.text(T::RowsUnreadable).to_owned(),
        HallWhy::Paired(pair) => words.fill(T::PairedHere, &[("pair", pair)]),
    }
}

fn number(board: u32, words: &PageWords) -> String {
    words.fill(T::BoardNumber, &[("n", &board.to_string())])
}

fn address(board: u32) -> String {
    format!("/board/{board}/")
}
