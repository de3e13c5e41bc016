//! Scores and what happened, as tables.

use maud::{Markup, PreEscaped, html};
use shakmaty::{Color, Piece};

use crate::{
    log::numbered,
    view::{EventKind, GameView, LoggedEvent, ScoreRow},
    words::PageWords,
};
use annabella_records::journal::{
    export::clock_text,
    picture::{self, ChartWords},
};
use annabella_words::phrase::PageText as T;

/// Both scores, aligned, the first difference marked.
pub(super) fn scores(game: &GameView, words: &PageWords) -> Markup {
    let first = game.first_difference();
    let remark = |row: &ScoreRow| match row.differs {
        true if Some(row.ply) == first => format!("≠ {}", words.text(T::FirstDifference)),
        true => format!("≠ {}", words.text(T::AnotherDifference)),
        false => String::new(),
    };
    let entry = |text: &Option<String>, written: bool| entry(text.as_deref(), written, words);
    let head = |color: Color| words.fill(T::ScoreOf, &[("player", words.side(color))]);
    // A score that lags behind is completed, and does not count as a difference (8.1.3).
    let open: Vec<String> =
        Color::ALL.into_iter().filter_map(|color| to_write(game, color, words)).collect();
    html! {
        @for text in &open { p.to-write { (text) } }
        @if let Some(chart) = times(game, words) { (PreEscaped(chart)) }
        div.scroll tabindex="0" role="region" aria-label=(words.text(T::Scores)) {
            table.record {
                thead {
                    tr {
                        th scope="col" { (words.text(T::MoveNumber)) }
                        th scope="col" { (head(Color::White)) }
                        th scope="col" { (head(Color::Black)) }
                        th scope="col" { (words.text(T::ClockAfter)) }
                        th scope="col" { (words.text(T::Remark)) }
                    }
                }
                tbody {
                    @for row in &game.scores {
                        tr class=[row.differs.then_some("differs")] {
                            th scope="row" { (numbered(row.ply, "").trim_end()) }
                            td { (entry(&row.white, row.written[0])) }
                            td { (entry(&row.black, row.written[1])) }
                            td { @if let Some((white, black)) = row.clock_ms {
                                (clock_text(white)) " / " (clock_text(black))
                            } }
                            td { (remark(row)) }
                        }
                    }
                }
            }
        }
    }
}

/// What a score has at a half-move: as its player wrote it, or in the reader's letters.
pub(super) fn entry(text: Option<&str>, written: bool, words: &PageWords) -> Markup {
    match text {
        Some(text) if written => html! { (text) },
        Some(text) => html! { (words.san(text)) },
        None => html! { span.none { "– " (words.text(T::EntryMissing)) } },
    }
}

/// Both players' times by move, as the report has them.
fn times(game: &GameView, words: &PageWords) -> Option<String> {
    let rows = game.scores.iter().map_while(|row| Some((row.ply, row.clock_ms?)));
    let rows: Vec<(u32, (u64, u64))> = rows.collect();
    let first = rows.first()?.0.saturating_sub(1);
    let left_ms: Vec<(u64, u64)> = rows.into_iter().map(|(_, left_ms)| left_ms).collect();
    let title = words.text(T::ClockAfter);
    let (white, black) = (words.side(Color::White), words.side(Color::Black));
    picture::times(first, &left_ms, ChartWords { title, white, black })
}

/// Made moves that this player has yet to write; `None` if there are none.
fn to_write(game: &GameView, color: Color, words: &PageWords) -> Option<String> {
    let entries = |row: &ScoreRow| {
        let (own, other) = color.fold_wb((&row.white, &row.black), (&row.black, &row.white));
        own.is_none().then(|| other.clone()).flatten()
    };
    let until = color.fold_wb(game.unrecorded[0], game.unrecorded[1]).unwrap_or(game.plies);
    let must = |row: &&ScoreRow| row.ply <= game.plies.min(until) && !row.differs;
    let made = game.scores.iter().filter(must);
    let moves: Vec<String> =
        made.filter_map(|row| Some(words.san(&numbered(row.ply, &entries(row)?)))).collect();
    let slots = [("player", words.side(color)), ("move", &moves.join(", "))];
    (!moves.is_empty()).then(|| words.fill(T::StillToWrite, &slots))
}

/// Speech, touches, presses and decisions, the newest first.
pub(super) fn events(game: &GameView, words: &PageWords) -> Markup {
    let kind = |event: &LoggedEvent| {
        words.text(match event.kind {
            EventKind::Heard => T::Heard,
            EventKind::Lifted => T::Lifted,
            EventKind::BoardShows => T::BoardShows,
            EventKind::Pressed => T::Pressed,
            EventKind::MoveMade => T::MoveMade,
            EventKind::MoveCompleted => T::MoveCompleted,
            EventKind::Problem => T::Problem,
            EventKind::Ruling => T::Ruling,
            EventKind::Result(_) => T::Result,
        })
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label=(words.text(T::Record)) {
            table.record {
                thead {
                    tr {
                        th scope="col" { (words.text(T::Time)) }
                        th scope="col" { (words.text(T::Player)) }
                        th scope="col" { (words.text(T::What)) }
                        th scope="col" { (words.text(T::Article)) }
                    }
                }
                tbody {
                    @for event in game.events.iter().rev() {
                        tr class=[(event.kind == EventKind::Problem).then_some("problem")] {
                            th scope="row" { (clock_text(event.at_ms)) }
                            td { @if let Some(seat) = event.seat { (words.side(seat)) } }
                            td {
                                @let text = what(event, words);
                                (kind(event))
                                @if event.kind == EventKind::Heard && event.article.is_none() {
                                    ": " q { (text) }
                                } @else if !text.is_empty() { ": " (text) }
                            }
                            td { @if let Some(article) = event.article {
                                (article) " " small { (words.rule(article).unwrap_or_default()) }
                            } }
                        }
                    }
                }
            }
        }
    }
}

/// What an event says beside its kind, in the reader's words and letters.
fn what(event: &LoggedEvent, words: &PageWords) -> String {
    let text = words.note(&event.text).unwrap_or_default();
    match event.kind {
        EventKind::Heard | EventKind::BoardShows | EventKind::Pressed | EventKind::Problem => text,
        EventKind::Lifted => match event.piece.and_then(Piece::from_char) {
            Some(piece) => format!("{} {text}", words.piece(piece)),
            None => text,
        },
        EventKind::MoveMade | EventKind::MoveCompleted => words.san(&text),
        EventKind::Ruling => {
            let [by, reason] = &event.by;
            let parts = [text.as_str(), by.as_str(), reason.as_str()];
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" – ")
        }
        EventKind::Result(result) => format!("{result} – {text}"),
    }
}
