//! A settlement in English, for the command line and the arbiter's report.

use shakmaty::{Color, Piece, Position};

use super::{
    Basis, BoardFinding, BoardState, Case, ClockProposal, Correction, Difference, ProposedTimes,
    Settlement, Two, Verdict, Who, Written,
};
use crate::notation::{Letters, MoveNotation, pgn::clock_text, write};
use annabella_words::text::role_name;

pub(super) fn explain(settled: &Settlement, case: &Case) -> String {
    let mut parts = vec![what(settled, case)];
    parts.extend(missing(settled, case));
    parts.extend(ahead(settled, case));
    let on_board = Who::ALL.map(|who| board(who, &settled.boards[who]));
    parts.extend(on_board.into_iter().flatten());
    if let Some(clocks) = &settled.clocks {
        parts.push(clock_words(clocks));
    }
    if settled.verdict == Verdict::Inspect {
        parts.push("The arbiter compares both boards by hand, square by square.".to_owned());
    }
    parts.join(" ")
}

fn what(settled: &Settlement, case: &Case) -> String {
    let at = after(settled.ply, case);
    match (&settled.difference, settled.verdict) {
        (Some(difference), Verdict::Retrace) => {
            let differ = differ(difference, case);
            let back = if settled.ply == 0 {
                "Back to the starting position.".to_owned()
            } else {
                format!("Back to the position {at}.")
            };
            format!("{differ} {back}")
        }
        (_, Verdict::Retrace) => format!("Back to the position {at}."),
        (_, Verdict::Agree) => format!("Boards and scores agree {at}: play on."),
        (_, Verdict::Inspect) => {
            format!("The scores agree {at}, {}.", by_hand(&settled.boards))
        }
        (_, Verdict::BlindCorrects) => {
            format!("The scores agree {at}; the blind player corrects his board.")
        }
        (_, Verdict::SightedCorrects) => {
            format!("The scores agree {at}; the sighted player corrects his board.")
        }
        (_, Verdict::BothCorrect) => {
            format!("The scores agree {at}; both players correct their boards.")
        }
    }
}

/// Why the arbiter compares: what is seen of a board is not what should stand there, or nothing can
/// be seen that differs.
fn by_hand(boards: &Two<BoardFinding>) -> String {
    let exchanged = |who: &Who| boards[*who].state == BoardState::Exchanged;
    match Who::ALL.into_iter().filter(exchanged).collect::<Vec<_>>()[..] {
        [] => "and so does what can be seen".to_owned(),
        [who] => format!("and the {who} player's board shows other pieces on the right squares"),
        _ => "and both boards show other pieces on the right squares".to_owned(),
    }
}

fn differ(difference: &Difference, case: &Case) -> String {
    let entry = |who: Who| match &difference.entries[who] {
        None => format!("the {who} player's score ends before it"),
        Some(Written { as_written, result }) => {
            let why = match result {
                Ok(_) => String::new(),
                Err(error) => format!(" ({error})"),
            };
            format!("the {who} player wrote '{}'{why}", printable(as_written))
        }
    };
    let lags = Who::ALL.into_iter().any(|who| difference.entries[who].is_none());
    let too_far =
        if lags && difference.entries_are_moves() { ", further than 8.1.3 allows" } else { "" };
    format!(
        "The scores differ at {}: {}, {}{too_far}.",
        half_move(difference.ply, case),
        entry(Who::Blind),
        entry(Who::Sighted),
    )
}

impl Difference {
    /// Every entry is readable.
    fn entries_are_moves(&self) -> bool {
        Who::ALL.into_iter().filter_map(|who| self.entries[who].as_ref()).all(|e| e.result.is_ok())
    }
}

/// On one line and not endless, wherever it came from.
pub(super) fn printable(text: &str) -> String {
    text.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn missing(settled: &Settlement, case: &Case) -> Option<String> {
    let mut before = case.start.clone();
    let mut texts = Vec::new();
    for (n, &mv) in settled.moves.iter().enumerate() {
        for missing in settled.missing.iter().filter(|missing| missing.ply as usize == n + 1) {
            let san = write(&before, mv, MoveNotation::Short, Letters::english());
            texts.push(format!("{} {san} ({})", missing.score, half_move(missing.ply, case)));
        }
        // Moves of a settlement are legal one after another.
        before.play_unchecked(mv);
    }
    (!texts.is_empty()).then(|| format!("Still to be written (8.1.3): {}.", texts.join(", ")))
}

/// Entries for moves that nobody has made.
fn ahead(settled: &Settlement, case: &Case) -> Option<String> {
    let texts: Vec<String> = settled
        .ahead
        .iter()
        .map(|ahead| {
            let entry = case.side(ahead.score.other()).score.entries.get(ahead.ply as usize - 1);
            let written = entry.map_or(String::new(), |entry| printable(&entry.as_written));
            format!("{} '{written}' ({})", ahead.score.other(), half_move(ahead.ply, case))
        })
        .collect();
    (!texts.is_empty()).then(|| {
        format!("Written for a move that neither board shows (8.1.2): {}.", texts.join(", "))
    })
}

fn board(who: Who, finding: &BoardFinding) -> Option<String> {
    match finding.state {
        BoardState::Agrees => return None,
        BoardState::Unknown => return Some(format!("The {who} player's board is not known.")),
        BoardState::Pending => {
            return Some(format!("The last move is still to be made on the {who} player's board."));
        }
        BoardState::Exchanged | BoardState::Differs => {}
    }
    let words: Vec<String> = finding.corrections.iter().map(correction).collect();
    Some(format!("On the {who} player's board: {}.", words.join("; ")))
}

fn correction(correction: &Correction) -> String {
    let named = |piece: Piece| format!("{} {}", piece.color, role_name(piece.role));
    match *correction {
        Correction::Carry { piece, from, to } => format!("{} from {from} to {to}", named(piece)),
        Correction::Remove { piece: Some(piece), from } => {
            format!("take the {} off {from}", named(piece))
        }
        Correction::Remove { piece: None, from } => format!("take the peg off {from}"),
        Correction::Set { piece, to } => format!("put a {} on {to}", named(piece)),
    }
}

fn clock_words(clocks: &ClockProposal) -> String {
    let Some(proposed) = &clocks.proposed else {
        return format!("Clocks: {}.", source(clocks));
    };
    let alternatives: Vec<String> =
        clocks.alternatives.iter().map(|other| format!("; or {}", times(other))).collect();
    format!("Clocks: {}{}.", times(proposed), alternatives.concat())
}

fn times(proposal: &ProposedTimes) -> String {
    format!(
        "White {}, Black {} ({})",
        clock_text(proposal.times.white_ms),
        clock_text(proposal.times.black_ms),
        proposal.basis.text()
    )
}

/// The source of the proposed readings, or the reason why there are none.
pub(super) fn source(clocks: &ClockProposal) -> String {
    match (&clocks.proposed, clocks.ply) {
        (Some(proposed), _) => proposed.basis.text(),
        (None, 0) => {
            "the journal has no reading before the first move: set them by the time control".into()
        }
        (None, ply) => format!("the journal has no reading at the completion of ply {ply}"),
    }
}

impl Basis {
    /// One line of English for the record, no full stop.
    pub fn text(self) -> String {
        match self {
            Basis::Journal { ply: 0, at_ms } => {
                format!("journal, before the first move{}", moment(at_ms))
            }
            Basis::Journal { ply, at_ms } => {
                format!("journal, completion of ply {ply}{}", moment(at_ms))
            }
            Basis::Now => "now".to_owned(),
            Basis::NowWithout { first, last } if first == last => {
                format!("now, without the time spent on ply {first}")
            }
            Basis::NowWithout { first, last } => {
                format!("now, without the time spent on plies {first} to {last}")
            }
        }
    }
}

fn moment(at_ms: Option<u64>) -> String {
    at_ms.map_or_else(String::new, |ms| format!(" at {}.{:03} s", ms / 1000, ms % 1000))
}

impl ClockProposal {
    /// The source of the proposed readings, or the reason why there are none: one line of English,
    /// no full stop.
    pub fn source(&self) -> String {
        source(self)
    }
}

fn after(ply: u32, case: &Case) -> String {
    match ply {
        0 => "at the starting position".to_owned(),
        ply => format!("after {}", half_move(ply, case)),
    }
}

/// `ply 15 (White's move 8)`.
fn half_move(ply: u32, case: &Case) -> String {
    let (number, mover) = numbered(ply, case);
    let mover = mover.fold_wb("White", "Black");
    format!("ply {ply} ({mover}'s move {number})")
}

/// The number of a half-move's move, and whose it is.
pub(super) fn numbered(ply: u32, case: &Case) -> (u32, Color) {
    let black_begins = u32::from(case.start.turn().is_black());
    let index = ply.saturating_sub(1).saturating_add(black_begins);
    let number = u32::from(case.start.fullmoves()).saturating_add(index / 2);
    (number, Color::from_white(index.is_multiple_of(2)))
}
