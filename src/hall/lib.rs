//! Many boards of one event, joined over NATS with JetStream. Nothing of it is needed to play.
//!
//! - [`wire`]: a board's journal goes to the event's stream, row by row.
//! - [`stream`]: the event's stream, and what is read out of it.
//! - [`server`]: a `nats-server` of our own, where the organiser has none.
//! - [`takeover`]: a spare board in the place of a broken one.
//! - [`floor`]: every board of the hall, by replaying its rows through the same core.
//! - [`keys`]: who may do what, and how the server is known.
//! - [`reading`]: messages of a stream, whatever is in them.
//! - `delivery`: many of them at once, where they are as our boards write them.
//! - [`trust`]: who has signed what.
//! - [`pairing`]: the pairings, as boards ask for theirs.
//! - [`round`]: pairings of a round, and its results.
//! - [`broadcast`]: all games in one live PGN file, and each in a file of its own.
//! - [`ask`]: a board's own pages, asked for through the hall.
//! - [`page`]: the page of the hall.
//! - [`budget`]: how much a board may send.
//! - [`meter`]: how much the own server has taken of each board.
//! - [`ballast`]: a server without room, for tests and demonstrations.
//!
//! What is guaranteed, and how, stands in `docs/hall.md`.

pub mod ask;
pub mod ballast;
pub mod broadcast;
pub mod budget;
mod delivery;
pub mod floor;
mod followed;
mod http;
pub mod keys;
pub mod meter;
pub mod names;
pub mod page;
pub mod pairing;
mod patience;
pub mod reading;
mod rights;
mod role;
pub mod round;
pub mod server;
pub mod settings;
pub mod stream;
pub mod takeover;
pub mod trust;
mod turns;
pub mod wire;

use std::{path::PathBuf, sync::Arc};

use annabella_records::journal::JournalError;

/// Takes one line for whoever looks after the program.
pub type TellHall = Arc<dyn Fn(&str) + Send + Sync>;

/// Why something in the hall does not work; one line with the remedy.
#[derive(Debug, thiserror::Error)]
pub enum HallError {
    #[error(
        "no hall at {url}: {reason}; is `annabella hall` or the organiser's nats-server running there?"
    )]
    Unreachable { url: String, reason: String },
    #[error("the hall at {url} does not let us in: {reason}; correct credentials in [hall]")]
    Refused { url: String, reason: String },
    #[error(
        "the server at {url} is not the hall's: {reason}; correct url in [hall], or copy this board's key of the event anew"
    )]
    Untrusted { url: String, reason: String },
    #[error("cannot use {path}: {reason}")]
    Keys {
        /// The folder or file.
        path: PathBuf,
        reason: String,
    },
    #[error(
        "cannot use {path}: {reason}; credentials in [hall] is a key of `annabella hall keys`, or a .creds file as nsc writes it"
    )]
    Credentials { path: PathBuf, reason: String },
    #[error("board {board} does not answer")]
    BoardAway { board: u32 },
    #[error(
        "the hall at {url} has no event '{event}': start `annabella hall --event {event}` there, or correct event in [hall]"
    )]
    NoEvent { url: String, event: String },
    #[error(
        "the hall's server at {url} takes no more rows: its disk is full; make room there, and the boards send them"
    )]
    Full { url: String },
    #[error(
        "the server at {url} keeps no rows: its disk was full, JetStream is off, or most servers of the hall are away; \
         make room there and start it again"
    )]
    NoStore { url: String },
    #[error(
        "board {board} was taken over: the game goes on at another board, and nothing is sent from this one; \
         `annabella play --take-over hall:{board}` takes it back"
    )]
    TakenOver { board: u32 },
    #[error(
        "there is no game of board {board} in the hall: begin one here with board = {board} in [hall]"
    )]
    NothingToTake { board: u32 },
    #[error("board {board} is still running: switch it off first")]
    StillHere { board: u32 },
    #[error("board {board} is not taken over: {reason}; try again")]
    Unfetched { board: u32, reason: String },
    #[error("the line to the hall is lost: {0}")]
    Lost(String),
    #[error(
        "game {game}, row {row} has {bytes} bytes, and the hall takes {most}: its packs are too long"
    )]
    TooLong { game: i64, row: u64, bytes: usize, most: usize },
    #[error(
        "game {game}, row {row} of the journal is damaged and not published: `annabella games repair` saves what can be read"
    )]
    DamagedRow { game: i64, row: u64 },
    #[error("the hall's stream has something that is no row at {subject}: {reason}")]
    Foreign { subject: String, reason: String },
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// There is no `nats-server`.
    #[error(
        "there is no {program}: install the package nats-server (`sudo apt install nats-server`), or give the organiser's server with --url"
    )]
    NoServer { program: PathBuf },
    #[error("nats-server does not start: {0}")]
    ServerFails(String),
}
