//! A decision as one JSON object, for `annabella listen` and the journal.

use serde::Serialize;
use shakmaty::{CastlingMode, Chess, san::San};

use super::HeardDecision;
use crate::phrase::Command;

/// A decision, ready to be printed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The accepted move, or the one asked about, in UCI.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    pub san: Option<String>,
    /// 0 to 1; 0 if nothing was understood.
    pub confidence: f64,
    /// `accept`, `confirm`, `again` or `command`.
    pub decision: &'static str,
    /// The request or answer, by its key in a pack.
    pub command: Option<String>,
    /// Legal moves that it may have been, in UCI, when asked again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
}

impl HeardDecision {
    /// The decision in one word: `accept`, `confirm`, `again` or `command`.
    pub fn word(&self) -> &'static str {
        match self {
            HeardDecision::Accept { .. } => "accept",
            HeardDecision::Confirm { .. }
            | HeardDecision::ConfirmCommand { .. }
            | HeardDecision::AskCommand { .. } => "confirm",
            HeardDecision::Ambiguous { .. }
            | HeardDecision::Illegal { .. }
            | HeardDecision::Again { .. } => "again",
            HeardDecision::Command { .. } | HeardDecision::Answer { .. } => "command",
        }
    }

    /// How sure it is, 0 to 1.
    pub fn confidence(&self) -> f64 {
        match self {
            HeardDecision::Accept { confidence, .. }
            | HeardDecision::Confirm { confidence, .. }
            | HeardDecision::Ambiguous { confidence, .. }
            | HeardDecision::Illegal { confidence, .. }
            | HeardDecision::Command { confidence, .. }
            | HeardDecision::ConfirmCommand { confidence, .. }
            | HeardDecision::AskCommand { confidence, .. }
            | HeardDecision::Answer { confidence, .. } => *confidence,
            HeardDecision::Again { .. } => 0.0,
        }
    }

    /// For one line of JSON; the position is the one in which it was decided.
    pub fn summary(&self, pos: &Chess) -> Summary {
        let uci = |mv: &shakmaty::Move| mv.to_uci(CastlingMode::Standard).to_string();
        let (mv, command, candidates) = match self {
            HeardDecision::Accept { mv, correction, .. }
            | HeardDecision::Confirm { mv, correction, .. } => {
                (Some(*mv), correction.then(|| Command::Correction.name()), Vec::new())
            }
            HeardDecision::Ambiguous { moves, correction, .. } => {
                let command = correction.then(|| Command::Correction.name());
                (None, command, moves.iter().map(uci).collect())
            }
            HeardDecision::Illegal { .. } => (None, None, Vec::new()),
            HeardDecision::Again { candidates } => {
                (None, None, candidates.iter().map(uci).collect())
            }
            HeardDecision::Command { command, .. } | HeardDecision::AskCommand { command, .. } => {
                (None, Some(command.name()), Vec::new())
            }
            HeardDecision::ConfirmCommand { command, intended, .. } => {
                (*intended, Some(command.name()), Vec::new())
            }
            HeardDecision::Answer { answer, .. } => (None, Some(answer.name()), Vec::new()),
        };
        Summary {
            mv: mv.as_ref().map(uci),
            san: mv.map(|mv| San::from_move(pos, mv).to_string()),
            confidence: (self.confidence() * 1000.0).round() / 1000.0,
            decision: self.word(),
            command,
            candidates,
        }
    }
}

impl super::Answer {
    /// As a request is named: `yes`, `no`, `choice 2`, `piece queen`.
    pub fn name(self) -> String {
        match self {
            super::Answer::Yes => Command::Yes.name(),
            super::Answer::No => Command::No.name(),
            super::Answer::Number(n) => Command::Choice(n).name(),
            super::Answer::Piece(role) => format!("piece {}", format!("{role:?}").to_lowercase()),
        }
    }
}
