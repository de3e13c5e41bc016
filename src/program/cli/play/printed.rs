//! What `annabella play` writes: JSON lines for programs, the log of a service, or sentences for
//! one person who reads them in a terminal.

use std::io::Write;

use crate::service::{
    json_lines,
    streams::{in_own_language, noted},
};
use annabella_core::game::{At, Blind, Channel, Output};

/// For whom outputs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// For programs.
    Json,
    /// For whoever reads a service's log.
    Log,
    /// For a person at a terminal: what is said, and nothing else.
    Person,
}

/// Writes an output.
///
/// # Errors
/// One line, when it cannot be written.
pub(super) fn print(
    out: &mut dyn Write,
    form: Form,
    blind: Blind,
    at: At,
    output: &Output,
) -> Result<(), String> {
    let lines: Vec<String> = match form {
        Form::Json => json_lines(at, blind, output).iter().map(ToString::to_string).collect(),
        Form::Log => readable(output).into_iter().collect(),
        Form::Person => spoken(output).into_iter().collect(),
    };
    let written = lines.iter().try_for_each(|line| writeln!(out, "{line}"));
    written.and_then(|()| out.flush()).map_err(|err| format!("cannot write the output: {err}"))
}

/// What is said, as one line in the language of the prompts.
fn spoken(output: &Output) -> Option<String> {
    match output {
        Output::Say { words, .. } => Some(words.to_string()),
        _ => None,
    }
}

/// What the log calls it, and the words, in whatever language they are.
fn told(what: &str, words: &impl std::fmt::Display) -> String {
    format!("{}: {words}", in_own_language(what))
}

/// One line of an output for a service's log.
pub(in crate::cli) fn readable(output: &Output) -> Option<String> {
    match output {
        Output::Say { channel: Channel::Public, words, .. } => Some(told("said", words)),
        Output::Say { channel: Channel::Private, words, .. } => Some(told("in the ear", words)),
        Output::Move { ply, san, state, .. } => {
            let state = serde_json::to_value(state).ok()?;
            let dots = if ply % 2 == 1 { "." } else { "..." };
            let state = in_own_language(state.as_str()?);
            Some(format!("{}{dots} {san} {state}", ply.div_ceil(2)))
        }
        Output::Problem { article, text, .. } => Some(format!("{article}: {}", noted(text))),
        Output::Touched { square, piece, .. } => {
            Some(in_own_language(&format!("touched: {piece} on {square}")))
        }
        Output::Boards(boards) => {
            let boards = serde_json::to_value(boards).ok()?;
            Some(in_own_language(&format!("boards: {}", boards.as_str()?)))
        }
        Output::Result { result, reason, .. } => Some(format!("{result}: {}", noted(reason))),
        Output::Heard(heard) => Some(told("heard", &heard.line())),
        Output::Proposal(proposal) => Some(format!(
            "{}: proposal {} {}: {}",
            proposal.article,
            proposal.number,
            serde_json::to_value(proposal.state).ok()?.as_str()?,
            proposal.text
        )),
        Output::Settled(settled) => {
            let ply = settled.ply;
            Some(in_own_language(&format!("decided: the game goes on after ply {ply}")))
        }
        Output::Correct { seat, steps } => {
            let steps = steps.len();
            Some(in_own_language(&format!("to do on the board of {seat}: {steps} steps")))
        }
        Output::Ruled(ruled) => {
            let act = serde_json::to_string(&ruled.ruling.act).ok()?;
            Some(in_own_language(&format!("arbiter {}: {act}", ruled.ruling.by)))
        }
        Output::Show { words, .. } => Some(told("shown", words)),
        Output::Clock { .. }
        | Output::Whisper { .. }
        | Output::Manner { .. }
        | Output::Hush { .. }
        | Output::Codes { .. }
        | Output::Prepare { .. } => None,
    }
}
