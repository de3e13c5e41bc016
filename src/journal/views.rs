//! A game's record as PGN and as score sheets. Views of the replayed journal; nothing is stored twice.

use shakmaty::{Color, Position};

use super::export::{Labels, Row, Sheet, pgn_date};
use crate::{
    game::{Record, ScoreEntry, Source, clock::TimeControl},
    notation::pgn::{PgnMove, PgnOut, write_game},
};

/// The game in PGN, with the clock after each completed move.
pub fn pgn(record: &Record<'_>) -> String {
    let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
    let mut tags = vec![
        ("Date".to_owned(), pgn_date(record.unix_s)),
        ("White".to_owned(), name(&record.config.white)),
        ("Black".to_owned(), name(&record.config.black)),
    ];
    if let Ok(control) = record.config.time_control.parse::<TimeControl>() {
        tags.push(("TimeControl".to_owned(), control.to_pgn()));
    }
    if let Some(ended) = record.ended {
        tags.push(("Termination".to_owned(), ended.reason.clone()));
    }
    let moves = record
        .line
        .iter()
        .enumerate()
        .map(|(n, ply)| PgnMove {
            mv: ply.mv,
            clock_ms: ply.clock_ms.map(|(white, black)| ply.mover.fold_wb(white, black)),
            comment: offered(record, n),
        })
        .collect();
    let start = record.start.clone();
    write_game(&PgnOut { tags, start, moves, result: result(record) })
}

/// An offer of a draw stands beside the move after which it was made (8.1.5).
fn offered(record: &Record<'_>, index: usize) -> String {
    let here = record.offers.iter().any(|offer| offer.plies as usize == index + 1);
    if here { "(=)".to_owned() } else { String::new() }
}

fn result(record: &Record<'_>) -> String {
    record.ended.map_or_else(|| "*".to_owned(), |ended| ended.result.clone())
}

/// The score sheet that this player kept: what *he* announced or his board showed, never what the
/// other side has.
pub fn sheet(record: &Record<'_>, of: Color, labels: Labels) -> Sheet {
    let score = of.fold_wb(record.white_score, record.black_score);
    let first = record.start.turn();
    let number = |ply: u32| {
        let before = u32::from(first.is_black());
        record.start.fullmoves().get() + (ply - 1 + before) / 2
    };
    let mut rows: Vec<Row> = Vec::new();
    for entry in score {
        let number = number(entry.ply);
        if rows.last().is_none_or(|row| row.number != number) {
            rows.push(Row { number, ..Row::default() });
        }
        let ply = record.line.get(entry.ply as usize - 1);
        let clock_ms = ply.and_then(|ply| ply.clock_ms);
        let mover = if entry.ply % 2 == 1 { first } else { !first };
        // Pushed above when there was none for this number.
        let Some(row) = rows.last_mut() else { continue };
        match mover {
            Color::White => {
                row.white.clone_from(&entry.san);
                row.white_ms = clock_ms.map(|(white, _)| white);
            }
            Color::Black => {
                row.black.clone_from(&entry.san);
                row.black_ms = clock_ms.map(|(_, black)| black);
            }
        }
    }
    Sheet {
        white: record.config.white.clone(),
        black: record.config.black.clone(),
        date: pgn_date(record.unix_s),
        time_control: record.config.time_control.clone(),
        result: result(record),
        reason: record.ended.map(|ended| ended.reason.clone()).unwrap_or_default(),
        rows,
        labels,
        ..Sheet::default()
    }
}

/// Where an entry came from, in a word.
pub fn source(entry: &ScoreEntry) -> &'static str {
    match entry.source {
        Source::Voice => "announced by the player",
        Source::Assistant => "announced for him",
        Source::Board => "shown by his board",
        Source::Written => "written by the player",
        Source::Arbiter => "decided by the arbiter",
    }
}
