//! The report's words: English, and from it any language that has a pack.

use shakmaty::Color;

use super::{
    super::{
        export::clock_text,
        wording::{EachLanguage, Wording, wording},
    },
    ReportSubject,
};
use annabella_core::{
    game::{ArbiterAct, Penalty},
    laws::Article,
};

/// The words of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportLabels {
    pub(super) lang: &'static str,
    pub(super) title: &'static str,
    pub(super) game: &'static str,
    pub(super) date: &'static str,
    pub(super) white: &'static str,
    pub(super) black: &'static str,
    pub(super) time_control: &'static str,
    pub(super) arbiter: &'static str,
    pub(super) result: &'static str,
    pub(super) times: &'static str,
    pub(super) incidents: &'static str,
    pub(super) none: &'static str,
    pub(super) open: &'static str,
    pub(super) moves: &'static str,
    pub(super) time: &'static str,
    pub(super) at_move: &'static str,
    pub(super) article: &'static str,
    pub(super) what: &'static str,
    pub(super) rule: &'static str,
    pub(super) by: &'static str,
    pub(super) reason: &'static str,
    pub(super) seen: &'static str,
    pub(super) heard: &'static str,
    pub(super) number: &'static str,
    pub(super) mv: &'static str,
    pub(super) touched: &'static str,
    pub(super) said: &'static str,
    pub(super) announced: &'static str,
    pub(super) made: &'static str,
    pub(super) completed: &'static str,
    pub(super) white_clock: &'static str,
    pub(super) black_clock: &'static str,
    pub(super) signature: &'static str,
    pub(super) signed: &'static str,
    kinds: [&'static str; 8],
}

impl ReportLabels {
    /// English.
    pub const ENGLISH: ReportLabels = ReportLabels {
        lang: "en",
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
        kinds: [
            "Problem",
            "Refused",
            "Offer",
            "Proposal",
            "Decision",
            "Adjournment",
            "Interruption",
            "Result",
        ],
    };

    /// The labels in a language of [`paper_languages`](super::super::paper_languages); English for
    /// any other.
    pub fn of(code: &str) -> ReportLabels {
        static ALL: EachLanguage<ReportLabels> = EachLanguage::new(ReportLabels::made);
        ALL.of(code).copied().unwrap_or(ReportLabels::ENGLISH)
    }

    fn made(code: &'static str) -> ReportLabels {
        let wording = wording(code);
        let own = |english| wording.label(english);
        let english = ReportLabels::ENGLISH;
        ReportLabels {
            lang: code,
            title: own(english.title),
            game: own(english.game),
            date: own(english.date),
            white: own(english.white),
            black: own(english.black),
            time_control: own(english.time_control),
            arbiter: own(english.arbiter),
            result: own(english.result),
            times: own(english.times),
            incidents: own(english.incidents),
            none: own(english.none),
            open: own(english.open),
            moves: own(english.moves),
            time: own(english.time),
            at_move: own(english.at_move),
            article: own(english.article),
            what: own(english.what),
            rule: own(english.rule),
            by: own(english.by),
            reason: own(english.reason),
            seen: own(english.seen),
            heard: own(english.heard),
            number: own(english.number),
            mv: own(english.mv),
            touched: own(english.touched),
            said: own(english.said),
            announced: own(english.announced),
            made: own(english.made),
            completed: own(english.completed),
            white_clock: own(english.white_clock),
            black_clock: own(english.black_clock),
            signature: own(english.signature),
            signed: own(english.signed),
            kinds: english.kinds.map(own),
        }
    }

    pub(super) fn wording(&self) -> &'static Wording {
        wording(self.lang)
    }

    pub(super) fn kind(&self, kind: ReportSubject) -> &'static str {
        self.kinds[match kind {
            ReportSubject::Problem => 0,
            ReportSubject::Refused => 1,
            ReportSubject::Offer => 2,
            ReportSubject::Proposal => 3,
            ReportSubject::Decision => 4,
            ReportSubject::Adjournment => 5,
            ReportSubject::Interruption => 6,
            ReportSubject::Result => 7,
        }]
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
