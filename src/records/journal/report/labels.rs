//! The report's words, in any language that has a pack.

use super::{
    super::{
        export::clock_text,
        wording::{Wording, labels, wording},
    },
    ReportSubject,
};
use annabella_core::{
    game::{ArbiterAct, Penalty, Ruled},
    laws::Article,
};
use annabella_words::phrase::Note;

labels! {
    /// The words of a report.
    ReportLabels {
        title: Report,
        game: Game,
        date: Date,
        white: White,
        black: Black,
        time_control: TimeControl,
        event: Event,
        at_home: AtHome,
        arbiter: Arbiter,
        result: Result,
        times: TimesCount,
        incidents: Incidents,
        none: None,
        open: Waiting,
        moves: MoveByMove,
        short_moves: Moves,
        times_by_move: TimesByMove,
        position: Position,
        time: Time,
        at_move: Move,
        article: Article,
        what: WhatHappened,
        rule: Rule,
        by: DecidedBy,
        reason: Reason,
        seen: Seen,
        heard: Heard,
        number: Number,
        mv: Move,
        touched: Touched,
        said: SaidNotSeen,
        announced: Announced,
        made: Made,
        completed: Completed,
        white_clock: WhiteClock,
        black_clock: BlackClock,
        signature: Signature,
        signed: Signed,
        kind_problem: Problem,
        kind_refused: Refused,
        kind_offer: Offer,
        kind_proposal: Proposal,
        kind_decision: Decision,
        kind_adjournment: Adjournment,
        kind_interruption: Interruption,
        kind_result: Result,
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
        self.wording().rule(article).to_owned()
    }
}

/// The decision in words.
pub(in crate::journal) fn act_note(act: &ArbiterAct) -> Note {
    match act {
        ArbiterAct::StopClocks => Note::TheClocksStopped,
        ArbiterAct::StartClocks { side: None } => Note::TheClocksRunAgain,
        ArbiterAct::StartClocks { side: Some(player) } => Note::TheClockRuns { player: *player },
        ArbiterAct::SetClock { seat: player, ms, moves } => {
            let (player, time) = (*player, clock_text(*ms));
            match *moves {
                Some(moves) => Note::TheClockIsSetMoves { player, time, moves },
                None => Note::TheClockIsSet { player, time },
            }
        }
        ArbiterAct::Penalty { seat, penalty } => Note::ThePenalty {
            player: *seat,
            article: penalty.article().to_string(),
            penalty: Box::new(penalty_note(penalty)),
        },
        ArbiterAct::ConfirmProposal { number, .. } => Note::Confirms { number: *number },
        ArbiterAct::DismissProposal { number } => Note::Dismisses { number: *number },
        ArbiterAct::Declare { result, article } => {
            Note::TheResultIs { result: result.to_string(), article: article.to_string() }
        }
        ArbiterAct::Settle(settle) => Note::GoesOnAfter { ply: settle.ply },
        ArbiterAct::AcceptMove { uci } => Note::TheMoveCounts { uci: uci.as_str().into() },
        ArbiterAct::Signed { seat } => Note::HasSignedResult { player: *seat },
        ArbiterAct::LetStand { uci, .. } => Note::TheMoveStands { uci: uci.as_str().into() },
        ArbiterAct::GoBack { .. } => Note::GoesBack,
        ArbiterAct::TakeBack { .. } => Note::PenaltyTakenBack,
        ArbiterAct::Note { text } => Note::ANote { text: Box::new(text.clone()) },
        ArbiterAct::PlayOn => Note::TheEndWasNone,
        ArbiterAct::IllegalMove { seat, article } => {
            Note::IllegalMoveOf { player: *seat, article: article.to_string() }
        }
    }
}

/// The decision whose penalty this one takes back.
pub(in crate::journal) fn taken_back<'a>(ruled: &Ruled, all: &'a [Ruled]) -> Option<&'a Ruled> {
    let ArbiterAct::TakeBack { ruling } = ruled.ruling.act else { return None };
    all.get(usize::try_from(ruling).ok()?)
}

/// That a penalty is taken back, which proposal waits again, and the clock that is set by it.
pub(in crate::journal) fn taken_back_text(
    ruled: &Ruled,
    before: &Ruled,
    say: impl Fn(&Note) -> String,
) -> String {
    let mut text = say(&Note::PenaltyTakenBack);
    if let ArbiterAct::ConfirmProposal { number, .. } = before.ruling.act {
        text += &format!(" ({})", say(&Note::Proposal { number }));
    }
    if let Some(done) = &ruled.done {
        text += &format!("; {}", say(&act_note(done)));
    }
    text
}

fn penalty_note(penalty: &Penalty) -> Note {
    let clock = |ms: &u64| Box::new(Note::Words(clock_text(*ms)));
    match penalty {
        Penalty::Warning => Note::AWarning,
        Penalty::TimeToOpponent { ms } => Note::MoreForOpponent { what: clock(ms) },
        Penalty::TimeOff { ms } => Note::Less { what: clock(ms) },
        Penalty::Fine { amount } => Note::AFine { amount: amount.clone() },
        other => points_note(other),
    }
}

/// What a penalty of points, of the game or of the event is.
pub fn points_note(penalty: &Penalty) -> Note {
    penalty.beyond_time().unwrap_or(Note::AWarning)
}
