//! The report's words: English, and from it any language that has a pack.

use shakmaty::Color;

use super::{
    super::{
        export::clock_text,
        wording::{Wording, labels, wording},
    },
    ReportSubject,
};
use annabella_core::{
    game::{ArbiterAct, Penalty},
    laws::Article,
};

labels! {
    /// The words of a report.
    ReportLabels {
        title: "Arbiter's report",
        game: "Game",
        date: "Date",
        white: "White",
        black: "Black",
        time_control: "Time control",
        arbiter: "Arbiter",
        result: "Result",
        times: "Times count from the beginning of the record, as h:mm:ss.",
        incidents: "Incidents and decisions",
        none: "None.",
        open: "Waiting for a decision",
        moves: "Move by move",
        time: "Time",
        at_move: "Move",
        article: "Article",
        what: "What happened",
        rule: "Rule",
        by: "Decided by",
        reason: "Reason",
        seen: "Seen",
        heard: "Heard",
        number: "No.",
        mv: "Move",
        touched: "Touched",
        said: "said by the player, not seen",
        announced: "Announced",
        made: "Made",
        completed: "Completed",
        white_clock: "White's clock",
        black_clock: "Black's clock",
        signature: "Signature",
        signed: "signed",
        kind_problem: "Problem",
        kind_refused: "Refused",
        kind_offer: "Offer",
        kind_proposal: "Proposal",
        kind_decision: "Decision",
        kind_adjournment: "Adjournment",
        kind_interruption: "Interruption",
        kind_result: "Result",
    }
}

impl ReportLabels {
    pub(super) fn wording(&self) -> &'static Wording {
        wording(self.lang)
    }

    pub(super) fn kind(&self, kind: ReportSubject) -> &'static str {
        match kind {
            ReportSubject::Problem => self.kind_problem,
            ReportSubject::Refused => self.kind_refused,
            ReportSubject::Offer => self.kind_offer,
            ReportSubject::Proposal => self.kind_proposal,
            ReportSubject::Decision => self.kind_decision,
            ReportSubject::Adjournment => self.kind_adjournment,
            ReportSubject::Interruption => self.kind_interruption,
            ReportSubject::Result => self.kind_result,
        }
    }

    pub(super) fn move_columns(&self) -> [&'static str; 9] {
        [
            self.number,
            self.mv,
            self.touched,
            self.heard,
            self.announced,
            self.made,
            self.completed,
            self.white_clock,
            self.black_clock,
        ]
    }

    /// The article's rule in one line.
    pub(super) fn rule(&self, article: Article) -> String {
        self.wording().say(article.summary())
    }
}

fn side(color: Color) -> &'static str {
    if color.is_white() { "White" } else { "Black" }
}

/// The decision in English words.
pub(in crate::journal) fn act_text(act: &ArbiterAct) -> String {
    match act {
        ArbiterAct::StopClocks => "the clocks are stopped".to_owned(),
        ArbiterAct::StartClocks { side: None } => "the clocks run again".to_owned(),
        ArbiterAct::StartClocks { side: Some(seat) } => format!("{}'s clock runs", side(*seat)),
        ArbiterAct::SetClock { seat, ms, moves } => {
            let moves = moves.map_or(String::new(), |moves| format!(", {moves} moves completed"));
            format!("{}'s clock is set to {}{moves}", side(*seat), clock_text(*ms))
        }
        ArbiterAct::Penalty { seat, penalty } => {
            format!("{} ({}): {}", side(*seat), penalty.article(), penalty_text(penalty))
        }
        ArbiterAct::ConfirmProposal { number, .. } => format!("confirms proposal {number}"),
        ArbiterAct::DismissProposal { number } => format!("dismisses proposal {number}"),
        ArbiterAct::Declare { result, article } => format!("the result is {result} ({article})"),
        ArbiterAct::Settle(settle) => {
            format!("the game goes on from the position after half-move {}", settle.ply)
        }
        ArbiterAct::AcceptMove { uci } => format!("the move {uci} counts as made"),
        ArbiterAct::Signed { seat } => format!("{} has signed the result", side(*seat)),
        ArbiterAct::LetStand { uci, .. } => format!("the move {uci}, made first, stands (4.7)"),
        // The papers say what it came to instead: a clock that was set.
        ArbiterAct::TakeBack { .. } => "a penalty of time is taken back".to_owned(),
        ArbiterAct::Note { text } => format!("note: {text}"),
        ArbiterAct::PlayOn => "the end was none, the game goes on".to_owned(),
        ArbiterAct::IllegalMove { seat, article } => {
            format!("illegal move of {} ({article})", side(*seat))
        }
    }
}

/// Half points as a number of points: `½`, `1`, `1½`.
pub fn half_points(halves: u8) -> String {
    match (halves / 2, halves % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}½"),
    }
}

/// The same with its noun: `½ point`, `1 point`, `1½ points`.
pub fn points(halves: u8) -> String {
    let word = if halves <= 2 { "point" } else { "points" };
    format!("{} {word}", half_points(halves))
}

fn penalty_text(penalty: &Penalty) -> String {
    match penalty {
        Penalty::Warning => "a warning".to_owned(),
        Penalty::TimeToOpponent { ms } => format!("{} more for the opponent", clock_text(*ms)),
        Penalty::TimeOff { ms } => format!("{} less", clock_text(*ms)),
        Penalty::PointsToOpponent { halves } => {
            format!("{} more for the opponent", points(*halves))
        }
        Penalty::PointsOff { halves } => format!("{} less", points(*halves)),
        Penalty::Loss { .. } => "loss of the game".to_owned(),
        Penalty::Fine { amount } => format!("a fine: {amount}"),
        Penalty::ExcludedFromRounds { rounds } => format!("excluded from {rounds} rounds"),
        Penalty::ExcludedFromEvent => "excluded from the event".to_owned(),
    }
}
