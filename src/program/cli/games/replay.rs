//! A game played again from its journal, input by input, for whoever looks for the reason of
//! something.

use std::io::Write;

use serde_json::{Value, json};

use super::{Failure, empty};
use crate::service::streams::{in_own_language, noted};
use annabella_core::game::{Game, Input, Refused};
use annabella_records::journal::{GameId, Records};

/// Which game, and what of it.
#[derive(Debug, clap::Args)]
pub(super) struct ReplayArgs {
    /// The game's number.
    id: i64,
    /// Also the rules of the Laws that fired by themselves.
    #[arg(long)]
    rules: bool,
}

/// An input as it stands in the journal. What the first one holds, configuration and language
/// packs, is long.
fn shown(input: &Input) -> Value {
    match input {
        Input::Started(_) => json!("started"),
        input => json!(input),
    }
}

pub(super) fn replay(
    records: &Records,
    args: &ReplayArgs,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let inputs = records.inputs(GameId { number: args.id })?;
    if inputs.is_empty() {
        return Err(empty(args.id));
    }
    let mut game = Game::new();
    for (at, input) in inputs {
        let input_shown = shown(&input);
        let refused = game.handle(at, input).err();
        let fired: Vec<String> = match args.rules {
            true => game.fired().iter().map(ToString::to_string).collect(),
            false => Vec::new(),
        };
        let ms = at.ms;
        if as_json {
            let refused = refused.map(|refused| refused.to_string());
            let mut line = json!({ "t": ms, "input": input_shown, "refused": refused });
            if args.rules {
                line["rules"] = json!(fired);
            }
            writeln!(out, "{line}")?;
            continue;
        }
        writeln!(out, "{ms} ms {input_shown}")?;
        if let Some(Refused { article, text, .. }) = refused {
            writeln!(out, "    {}{article}: {}", in_own_language("refused: "), noted(&text))?;
        }
        for rule in fired {
            writeln!(out, "    {rule}")?;
        }
    }
    Ok(())
}
