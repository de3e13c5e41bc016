//! A settlement in the words of the pages, for the papers of every language.

use shakmaty::Position;

use super::{
    BoardState, Case, Correction, Difference, Settlement, Verdict, Who,
    explain::{numbered, printable},
};
use crate::notation::{Letters, MoveNotation, write};
use annabella_words::phrase::{Explained, Note, OwnWords, PageText as T, SlotWords};

pub(super) fn note(settled: &Settlement, case: &Case) -> Note {
    let mut sentences = what(settled, case);
    sentences.extend(missing(settled, case));
    sentences.extend(Who::ALL.into_iter().filter_map(|who| steps(settled, case, who)));
    let own = sentences.join(&sign(" "));
    Note::Explained(Box::new(Explained { english: settled.explanation(case), own }))
}

fn text(text: T, slots: Vec<(&'static str, SlotWords)>) -> OwnWords {
    OwnWords::Text(text, slots)
}

fn sign(sign: &str) -> OwnWords {
    OwnWords::Sign(sign.to_owned())
}

fn of(who: Who, case: &Case) -> Vec<(&'static str, SlotWords)> {
    let side = case.side(who).color.fold_wb(T::White, T::Black);
    vec![("player", SlotWords::Text(side))]
}

/// The verdict. Each sentence is a row of its own.
fn what(settled: &Settlement, case: &Case) -> Vec<Vec<OwnWords>> {
    match settled.verdict {
        Verdict::Agree => vec![vec![text(T::BothAgree, vec![])]],
        Verdict::BlindCorrects => vec![vec![text(T::OneCorrects, of(Who::Blind, case))]],
        Verdict::SightedCorrects => vec![vec![text(T::OneCorrects, of(Who::Sighted, case))]],
        Verdict::BothCorrect => vec![vec![text(T::BothCorrect, vec![])]],
        Verdict::Inspect => by_hand(settled, case),
        Verdict::Retrace => {
            let differ = settled.difference.as_ref().map(|difference| differ(difference, case));
            let mut sentences = differ.unwrap_or_default();
            sentences.push(vec![back(settled, case)]);
            sentences
        }
    }
}

/// What is seen agrees, or a board shows other pieces on the right squares.
fn by_hand(settled: &Settlement, case: &Case) -> Vec<Vec<OwnWords>> {
    let wrong =
        Who::ALL.into_iter().filter(|who| settled.boards[*who].state == BoardState::Exchanged);
    let mut sentences: Vec<_> =
        wrong.map(|who| vec![text(T::WrongPieces, of(who, case))]).collect();
    sentences.push(match sentences.is_empty() {
        true => vec![text(T::Inspect, vec![])],
        false => vec![text(T::CompareBoards, vec![]), sign(".")],
    });
    sentences
}

/// Where the scores differ, and what each player wrote there.
fn differ(difference: &Difference, case: &Case) -> Vec<Vec<OwnWords>> {
    let number = SlotWords::Sign(numbered(difference.ply, case).0.to_string());
    let entry = |who: Who| {
        let written = match &difference.entries[who] {
            Some(written) => sign(&format!("\"{}\"", printable(&written.as_written))),
            None => text(T::EntryMissing, vec![]),
        };
        vec![text(T::ScoreOf, of(who, case)), sign(": "), written, sign(".")]
    };
    vec![
        vec![text(T::ScoresDifferAt, vec![("move", number)])],
        entry(Who::Blind),
        entry(Who::Sighted),
    ]
}

/// A move of the settlement with its number: `4... Nf6`.
fn written(settled: &Settlement, ply: u32, case: &Case) -> Option<SlotWords> {
    let index = usize::try_from(ply.checked_sub(1)?).ok()?;
    let mut before = case.start.clone();
    for &mv in settled.moves.get(..index)? {
        before = before.play(mv).ok()?;
    }
    let san = write(&before, *settled.moves.get(index)?, MoveNotation::Short, Letters::english());
    let (number, mover) = numbered(ply, case);
    let dots = mover.fold_wb(".", "...");
    Some(SlotWords::Move(format!("{number}{dots} {san}").into()))
}

fn back(settled: &Settlement, case: &Case) -> OwnWords {
    match written(settled, settled.ply, case) {
        Some(mv) => text(T::BackTo, vec![("move", mv)]),
        None => text(T::BackToStart, vec![]),
    }
}

/// Entries to be asked for (8.1.3).
fn missing(settled: &Settlement, case: &Case) -> Vec<Vec<OwnWords>> {
    let sentence = |missing: &super::Missing| {
        let mut slots = of(missing.score, case);
        slots.push(("move", written(settled, missing.ply, case)?));
        Some(vec![text(T::StillToWrite, slots)])
    };
    settled.missing.iter().filter_map(sentence).collect()
}

/// What is to be done on this player's board, if anything is.
fn steps(settled: &Settlement, case: &Case, who: Who) -> Option<Vec<OwnWords>> {
    let corrections = &settled.boards[who].corrections;
    let mut sentence = vec![text(T::StepsFor, of(who, case)), sign(" – ")];
    let on = |square| SlotWords::Sign(format!("{square}"));
    let steps: Vec<Vec<OwnWords>> = corrections
        .iter()
        .map(|correction| match *correction {
            Correction::Carry { piece, from, to } => {
                let piece = SlotWords::Piece(piece);
                vec![text(T::StepCarry, vec![("piece", piece), ("from", on(from)), ("to", on(to))])]
            }
            Correction::Remove { piece, from } => {
                let piece = piece.map_or(SlotWords::Text(T::SomePiece), SlotWords::Piece);
                vec![text(T::StepRemove, vec![("piece", piece), ("from", on(from))])]
            }
            Correction::Set { piece, to } => {
                let piece = SlotWords::Piece(piece);
                vec![text(T::StepSet, vec![("piece", piece), ("to", on(to))])]
            }
        })
        .collect();
    if steps.is_empty() {
        return None;
    }
    sentence.extend(steps.join(&sign("; ")));
    sentence.push(sign("."));
    Some(sentence)
}
