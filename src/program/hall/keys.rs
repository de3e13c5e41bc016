//! `annabella hall keys`: makes the keys of an event, and takes one away.

use std::{io::Write, path::PathBuf, str::FromStr};

use annabella::{
    cli::{Exit, Failure},
    service::streams::write_line,
};
use annabella_hall::{
    keys::{EventKeys, KeyRole, SERVER_PART},
    names::{EventName, MOST_BOARDS},
};

/// Makes a key for each board, each spare board and each role of an event, and what a nats-server
/// needs to know of them. Keys that are there stay. Each board gets the file with its own key, as
/// credentials in [hall].
#[derive(Debug, clap::Args)]
pub(crate) struct KeysArgs {
    /// The event, as the boards have it; may be left out where its keys are there.
    #[arg(long, value_name = "NAME")]
    event: Option<EventName>,
    /// The boards, as in 1-500 or 1-40,101.
    #[arg(long, value_name = "NUMBERS", default_value = "")]
    boards: BoardNumbers,
    /// So many spare boards: each can become any board.
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=1_000))]
    spares: u32,
    /// The folder with all keys. Whoever has it is the hall.
    #[arg(long, value_name = "FOLDER", default_value = "annabella-keys")]
    folder: PathBuf,
    /// A name or address under which boards reach the server; may be given more than once.
    #[arg(long, value_name = "NAME")]
    at: Vec<String>,
    /// Take this key away, and make a new one in its place: 17 (a board), spare-1, hall, arbiter or
    /// reader.
    #[arg(long, value_name = "KEY")]
    revoke: Vec<KeyRole>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct BoardNumbers(Vec<u32>);

impl FromStr for BoardNumbers {
    type Err = String;

    fn from_str(text: &str) -> Result<BoardNumbers, String> {
        let mut boards = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let wrong =
                || format!("'{part}' is no board; boards are 1 to {MOST_BOARDS}, as in 1-40,101");
            let number = |text: &str| {
                text.trim().parse().ok().filter(|n| (1..=MOST_BOARDS).contains(n)).ok_or_else(wrong)
            };
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last): (u32, u32) = (number(first)?, number(last)?);
            if first > last {
                return Err(wrong());
            }
            boards.extend(first..=last);
        }
        Ok(BoardNumbers(boards))
    }
}

/// Under these the server is reached on its own machine.
const HERE: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// Makes the server's certificate for this machine and these names.
///
/// # Errors
/// [`Failure`] when a name is none, or the folder cannot be written.
pub(crate) fn name(keys: &mut EventKeys, names: &[String]) -> Result<(), Failure> {
    let here = HERE.into_iter().map(str::to_owned);
    keys.name(here.chain(names.iter().cloned())).map_err(Failure::device)
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] when a key is none, or the folder cannot be used.
pub(crate) fn run(args: &KeysArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut keys = match &args.event {
        Some(event) => EventKeys::make(&args.folder, event),
        None => EventKeys::open(&args.folder),
    }
    .map_err(Failure::device)?;
    let roles = [KeyRole::Hall, KeyRole::Arbiter, KeyRole::Reader];
    let boards = args.boards.0.iter().copied().map(KeyRole::Board);
    let spares = (1..=args.spares).map(KeyRole::Spare);
    let made = keys.add(roles.into_iter().chain(boards).chain(spares)).map_err(Failure::device)?;
    name(&mut keys, &args.at)?;
    for role in &args.revoke {
        keys.revoke(*role).map_err(Failure::device)?;
        let file = keys.file(*role);
        let told =
            format!("{role} has a new key, {}; the old one is worth nothing", file.display());
        write_line(out, &told)?;
    }
    let folder = args.folder.display();
    if made > 0 {
        let event = keys.event();
        let told = format!(
            "{made} keys of {event} are made in {folder}; `annabella hall --keys {folder}` asks for them"
        );
        write_line(out, &told)?;
    }
    // New ones count at once too.
    if keys.reload_for_new().map_err(Failure::device)? {
        write_line(out, "the running nats-server has read them")?;
    } else if !args.revoke.is_empty() {
        let told = format!(
            "no own nats-server runs with these keys: an organiser's reads {folder}/{SERVER_PART} again when it is told to reload"
        );
        write_line(out, &told)?;
    }
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_boards_are_ranges_and_single_ones() {
        let read = |text: &str| text.parse::<BoardNumbers>().map(|boards| boards.0);
        assert_eq!(read("1-3, 7"), Ok(vec![1, 2, 3, 7]));
        assert_eq!(read(""), Ok(Vec::new()));
        for wrong in ["0", "3-1", "x", "1-", "1-100000", "-1"] {
            let part = format!("'{wrong}' is no board; boards are 1 to 99999, as in 1-40,101");
            assert_eq!(read(wrong), Err(part));
        }
    }
}
