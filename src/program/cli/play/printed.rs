//! What `annabella play` writes: JSON lines for programs, the log of a service, or sentences for
//! one person who reads them in a terminal.

use std::io::Write;

use crate::service::json_lines;
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

/// One line of an output for a service's log.
pub(in crate::cli) fn readable(output: &Output) -> Option<String> {
    match output {
        Output::Say { channel: Channel::Public, words, .. } => Some(format!("said: {words}")),
        Output::Say { channel: Channel::Private, words, .. } => {
            Some(format!("in the ear: {words}"))
        }
        Output::Move { ply, san, state, .. } => {
            let state = serde_json::to_value(state).ok()?;
            let dots = if ply % 2 == 1 { "." } else { "..." };
            Some(format!("{}{dots} {san} {}", ply.div_ceil(2), state.as_str()?))
        }
        Output::Problem { article, text, .. } => Some(format!("{article}: {text}")),
        Output::Touched { square, piece, .. } => Some(format!("touched: {piece} on {square}")),
        Output::Boards(boards) => {
            let boards = serde_json::to_value(boards).ok()?;
            Some(format!("boards: {}", boards.as_str()?))
        }
        Output::Result { result, reason, .. } => Some(format!("{result}: {reason}")),
        Output::Heard(heard) => Some(format!("heard: {}", heard.line())),
        Output::Proposal(proposal) => Some(format!(
            "{}: proposal {} {}: {}",
            proposal.article,
            proposal.number,
            serde_json::to_value(proposal.state).ok()?.as_str()?,
            proposal.text
        )),
        Output::Settled(settled) => {
            Some(format!("decided: the game goes on after ply {}", settled.ply))
        }
        Output::Correct { seat, steps } => {
            Some(format!("to do on the board of {seat}: {} steps", steps.len()))
        }
        Output::Ruled(ruled) => {
            let act = serde_json::to_string(&ruled.ruling.act).ok()?;
            Some(format!("arbiter {}: {act}", ruled.ruling.by))
        }
        Output::Show { words, .. } => Some(format!("shown: {words}")),
        Output::Clock { .. }
        | Output::Whisper { .. }
        | Output::Manner { .. }
        | Output::Hush { .. }
        | Output::Codes { .. }
        | Output::Prepare { .. } => None,
    }
}
