//! What D.2.9 says of the two boards, in a sentence.

use shakmaty::Color;

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
        VerdictView::Inspect => by_hand(decision, words),
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

/// What is seen agrees, or a board that knows its pieces shows wrong ones on the right squares.
fn by_hand(decision: &DecisionView, words: &PageWords) -> String {
    let seats = Color::ALL.into_iter().zip(&decision.steps);
    let mut wrong: Vec<String> = seats
        .filter(|(_, steps)| !steps.is_empty())
        .map(|(seat, _)| words.fill(T::WrongPieces, &[("player", words.side(seat))]))
        .collect();
    if wrong.is_empty() {
        return words.text(T::Inspect).to_owned();
    }
    wrong.push(format!("{}.", words.text(T::CompareBoards)));
    wrong.join(" ")
}

#[cfg(test)]
mod tests {
    use annabella_core::laws::Article;
    use shakmaty::Square;

    use super::*;
    use crate::{view::StepView, words::Languages};

    #[test]
    fn nothing_is_said_to_agree_where_a_board_shows_wrong_pieces_d_2_9() {
        let languages = Languages::new("en").expect("packs");
        let step = || StepView::Set { piece: Color::Black.queen(), to: Square::D8 };
        let mut decision = DecisionView {
            mark: String::new(),
            verdict: VerdictView::Inspect,
            article: Article::D_2_9,
            ply: 0,
            last: None,
            fen: String::new(),
            differs_at: None,
            missing: Vec::new(),
            steps: [Vec::new(), Vec::new()],
            clocks: Vec::new(),
        };
        let said = |decision: &DecisionView| verdict(decision, languages.words(0));
        assert_eq!(said(&decision), "What is known here agrees. Compare the boards by hand.");
        decision.steps[1].push(step());
        let black = "The board of Black shows wrong pieces.";
        assert_eq!(said(&decision), format!("{black} Compare the boards by hand."));
        decision.steps[0].push(step());
        let both = format!("The board of White shows wrong pieces. {black}");
        assert_eq!(said(&decision), format!("{both} Compare the boards by hand."));
    }
}
