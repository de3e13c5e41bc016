//! `annabella hall compare`: whether a journal is the one that its board has sent.

use std::{
    io::Write,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use annabella::{
    cli::{Exit, Failure},
    service::streams::{complain, write_line},
};
use annabella_hall::{
    names::{BoardPlace, EventName},
    stream::Link,
};
use annabella_threads::lock;

/// Compares a board's journal, row by row, with what the board has sent to the hall. Where the
/// event has keys, only rows count that the board has signed: so a journal that somebody has made
/// anew is told from the board's own.
#[derive(Debug, clap::Args)]
pub(crate) struct CompareArgs {
    /// The journal.
    #[arg(value_name = "JOURNAL")]
    journal: PathBuf,
    /// The board.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=99_999))]
    board: u32,
    /// The event, as the boards have it.
    #[arg(long, value_name = "NAME", default_value = "event")]
    event: EventName,
    /// The hall's server.
    #[arg(long, value_name = "URL", default_value = "nats://127.0.0.1:4222")]
    url: String,
    /// The hall's, an arbiter's or a reader's key, where the server asks for one.
    #[arg(long, value_name = "FILE")]
    credentials: Option<PathBuf>,
}

/// Runs the command: [`Exit::Problem`] where anything differs, a line each.
///
/// # Errors
/// [`Failure`] when the journal or the hall cannot be read.
pub(crate) fn run(args: &CompareArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let place = BoardPlace { event: args.event.clone(), board: args.board };
    let aside = Arc::new(Mutex::new(0_u64));
    let count = Arc::clone(&aside);
    let (rows, differ) = super::wire::runtime()?
        .block_on(async {
            let link = Link::open(&args.url, args.credentials.as_deref(), "compare").await?;
            let link = link.telling(Arc::new(move |line| {
                *lock(&count) += 1;
                complain(line);
            }));
            link.compare(&place, &args.journal).await
        })
        .map_err(Failure::device)?;
    for line in &differ {
        write_line(out, line)?;
    }
    let same = differ.is_empty();
    if same {
        let board = args.board;
        write_line(out, &format!("board {board}: all {rows} rows are as the hall has them"))?;
    }
    // Whatever was set aside was named.
    Ok(if same && *lock(&aside) == 0 { Exit::Done } else { Exit::Problem })
}
