//! What D.2.9 says of the two boards, in a sentence.

use crate::{
    view::{DecisionView, GameView, SeatColor, VerdictView},
    words::PageWords,
};
use annabella_words::phrase::PageText as T;

/// The verdict with its article; where there is none, how the boards stand.
pub(super) fn verdict_line(game: &GameView, words: &PageWords) -> String {
    match &game.decision {
        Some(decision) => format!("{} ({})", verdict(decision, words), decision.article),
        None => words.text(T::BoardsDiffer).to_owned(),
    }
}

pub(super) fn verdict(decision: &DecisionView, words: &PageWords) -> String {
    let back = match &decision.last {
        Some(last) => words.fill(T::BackTo, &[("move", &words.san(last))]),
        None => words.text(T::BackToStart).to_owned(),
    };
    match decision.verdict {
        VerdictView::Agree => words.text(T::BothAgree).to_owned(),
        VerdictView::Corrects(SeatColor(seat)) => {
            words.fill(T::OneCorrects, &[("player", words.side(seat))])
        }
        VerdictView::BothCorrect => words.text(T::BothCorrect).to_owned(),
        VerdictView::Inspect => words.text(T::Inspect).to_owned(),
        VerdictView::Retrace => match decision.differs_at {
            Some(ply) => {
                let number = ply.div_ceil(2).to_string();
                let differ = words.fill(T::ScoresDifferAt, &[("move", &number)]);
                format!("{differ} {back}")
            }
            None => back,
        },
    }
}
