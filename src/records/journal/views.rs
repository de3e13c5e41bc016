//! A game's record as PGN and as score sheets. Views of the replayed journal; nothing is stored
//! twice.

use std::collections::BTreeSet;

use shakmaty::{Color, Position};

use super::{
    export::{Labels, Row, Sheet, pgn_date},
    report::{act_note, taken_back, taken_back_text},
    wording::{date_in, wording},
};
use annabella_core::{
    game::{DecidedBy, Record, ScoreEntry, Source, clock::TimeControl},
    notation::{
        DRAW_OFFER,
        pgn::{PgnMove, PgnOut, write_game},
    },
};
use annabella_words::phrase::Note;

/// The game in PGN, with the clock after each completed move.
pub fn pgn(record: &Record<'_>) -> String {
    let ended = record.ended.map(|ended| ("Termination".to_owned(), ended.reason.to_string()));
    written_game(record, Vec::new(), ended, |n| remarks(record, n))
}

/// The same for the public: with the event and the board, and without remarks and reasons, since
/// what the arbiter decided, and why, is the players' affair. `known`: tags from the pairings,
/// which come before the record's.
pub fn broadcast_pgn(
    record: &Record<'_>,
    event: &str,
    board: u32,
    known: Vec<(String, String)>,
) -> String {
    let mut tags = known;
    tags.extend([("Event".to_owned(), event.to_owned()), ("Board".to_owned(), board.to_string())]);
    written_game(record, tags, None, |_| String::new())
}

fn written_game(
    record: &Record<'_>,
    mut tags: Vec<(String, String)>,
    termination: Option<(String, String)>,
    remarks: impl Fn(usize) -> String,
) -> String {
    let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
    // Nothing takes it for a tournament's game.
    if record.config.at_home {
        tags.push(("Event".to_owned(), Labels::default().at_home.to_owned()));
    }
    tags.extend([
        ("Date".to_owned(), pgn_date(record.unix_s())),
        ("White".to_owned(), name(&record.config.white)),
        ("Black".to_owned(), name(&record.config.black)),
    ]);
    if let Ok(control) = record.config.time_control.parse::<TimeControl>() {
        tags.push(("TimeControl".to_owned(), control.to_pgn()));
    }
    tags.extend(termination);
    // The first of each name counts.
    let mut named = BTreeSet::new();
    tags.retain(|(name, _)| named.insert(name.clone()));
    let moves = record
        .line
        .iter()
        .enumerate()
        .map(|(n, ply)| PgnMove {
            mv: ply.mv,
            clock_ms: ply.clock_ms.map(|(white, black)| ply.mover.fold_wb(white, black)),
            comment: remarks(n),
        })
        .collect();
    let start = record.start().clone();
    write_game(&PgnOut { tags, start, moves, result: result(record) })
}

/// The remarks beside a move: a draw offered after it (8.1.5), the arbiter's decisions before the
/// next move, an adjournment. Remarks from before the first move stand beside that.
fn remarks(record: &Record<'_>, index: usize) -> String {
    let last = record.line.len() - 1;
    let here = |plies: usize| plies.saturating_sub(1).min(last) == index;
    let mut remarks = Vec::new();
    if record.offers().iter().any(|offer| offer.plies as usize == index + 1) {
        remarks.push(DRAW_OFFER.trim().to_owned());
    }
    for ruled in record.rulings.iter().filter(|ruled| here(ruled.plies as usize)) {
        let ruling = &ruled.ruling;
        let what = match taken_back(ruled, record.rulings) {
            Some(before) => taken_back_text(ruled, before, Note::to_string),
            None => act_note(ruled.done.as_ref().unwrap_or(&ruling.act)).to_string(),
        };
        let by = if ruling.by.is_empty() { String::new() } else { format!(" {}", ruling.by) };
        let why = match ruling.reason.as_str() {
            "" => String::new(),
            reason => format!(" ({reason})"),
        };
        remarks.push(format!("arbiter{by}: {what}{why}"));
    }
    for decision in record.decisions.iter().filter(|decision| here(decision.settle.ply as usize)) {
        let by = match decision.by {
            DecidedBy::Player(player) => player.fold_wb("White took back", "Black took back"),
            DecidedBy::Records => "the other record ends here (D.2.9), taken back:",
            DecidedBy::Ruling(_) => continue,
        };
        let struck: Vec<&str> = decision.struck.iter().map(|ply| ply.san.as_str()).collect();
        remarks.push(format!("{by} {}", struck.join(" ")));
    }
    if let Some(adjournment) = record.adjournment().filter(|a| a.sealed.is_some() && here(a.plies))
    {
        remarks.push(format!("adjourned, {} sealed", adjournment.move_number()));
    }
    remarks.join("; ")
}

fn result(record: &Record<'_>) -> String {
    record.ended.map_or_else(|| "*".to_owned(), |ended| ended.result.to_string())
}

/// The score sheet that this player kept: his announcements, and moves that his board showed, never
/// entries of the other side.
pub fn sheet(record: &Record<'_>, of: Color, labels: Labels) -> Sheet {
    let score = record.score(of);
    let first = record.start().turn();
    let number = |ply: u32| {
        let before = u32::from(first.is_black());
        record.start().fullmoves().get() + (ply - 1 + before) / 2
    };
    let mover = |ply: u32| if ply % 2 == 1 { first } else { !first };
    let mut rows: Vec<Row> = Vec::new();
    for entry in score {
        let row = row_of(&mut rows, number(entry.ply));
        let ply = record.line.get(entry.ply as usize - 1);
        let clock_ms = ply.and_then(|ply| ply.clock_ms);
        let text = match entry.written {
            Some(_) => written(record, entry),
            None => wording(labels.lang).san(&written(record, entry)),
        };
        match mover(entry.ply) {
            Color::White => {
                row.white = text;
                row.white_ms = clock_ms.map(|(white, _)| white);
            }
            Color::Black => {
                row.black = text;
                row.black_ms = clock_ms.map(|(_, black)| black);
            }
        }
        if entry.source == Source::Arbiter {
            remark(row, mover(entry.ply), labels.decided, "", &labels);
        }
    }
    for struck in record.struck(of) {
        let entry = &struck.entry;
        // The same move, written in other letters.
        let same = |now: &ScoreEntry| now.ply == entry.ply && now.mv == entry.mv;
        if struck.decision.is_none() && score.iter().any(same) {
            continue;
        }
        let row = row_of(&mut rows, number(entry.ply));
        let text = entry.written.clone().unwrap_or_else(|| wording(labels.lang).san(&entry.san));
        remark(row, mover(entry.ply), labels.struck, &text, &labels);
    }
    rows.sort_by_key(|row| row.number);
    let signed = |color| record.signatures().iter().any(|signature| signature.by == color);
    let name = |name: &str, side: &str| match name {
        "" => side.to_owned(),
        name => format!("{name}, {side}"),
    };
    let config = record.config;
    Sheet {
        white: record.config.white.clone(),
        black: record.config.black.clone(),
        event: if config.at_home { labels.at_home.to_owned() } else { String::new() },
        date: date_in(labels.lang, record.unix_s()),
        time_control: record.config.time_control.clone(),
        result: result(record),
        reason: record
            .ended
            .map(|ended| wording(labels.lang).note(&ended.reason))
            .unwrap_or_default(),
        rows,
        kept_by: match of {
            Color::White => name(&config.white, labels.white),
            Color::Black => name(&config.black, labels.black),
        },
        white_signed: signed(Color::White),
        black_signed: signed(Color::Black),
        labels,
        ..Sheet::default()
    }
}

/// An entry exactly as it was written, with the (=) of an offer that stands beside it (8.1.5).
pub(super) fn written(record: &Record<'_>, entry: &ScoreEntry) -> String {
    let mut text = entry.written.as_deref().unwrap_or(&entry.san).trim().to_owned();
    let offered = record.offers().iter().any(|offer| offer.plies == entry.ply);
    if offered && !text.contains(DRAW_OFFER.trim()) {
        text += DRAW_OFFER;
    }
    text
}

/// The row of a move number; a new one where there is none.
fn row_of(rows: &mut Vec<Row>, number: u32) -> &mut Row {
    let at = match rows.iter().position(|row| row.number == number) {
        Some(at) => at,
        None => {
            rows.push(Row { number, ..Row::default() });
            rows.len() - 1
        }
    };
    &mut rows[at]
}

fn remark(row: &mut Row, mover: Color, what: &str, text: &str, labels: &Labels) {
    let side = mover.fold_wb(labels.white, labels.black);
    let what = format!("{side}: {what} {text}").trim_end().to_owned();
    row.note = if row.note.is_empty() { what } else { format!("{}; {what}", row.note) };
}
