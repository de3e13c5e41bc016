//! Many boards of one event, joined over NATS with JetStream. Nothing of it is needed to play.
//!
//! - [`wire`]: a board's journal goes to the event's stream, row by row.
//! - [`stream`]: the event's stream, and what is read out of it.
//! - [`server`]: a `nats-server` of our own, where the organiser has none.
//! - [`takeover`]: a spare board in the place of a broken one.
//! - [`floor`]: every board of the hall, by replaying its rows through the same core.
//! - [`keys`]: who may do what, and how the server is known.
//! - [`reading`]: messages of a stream, whatever is in them.
//! - [`trust`]: who has signed what.
//! - [`pairing`]: the pairings, as boards ask for theirs.
//! - [`round`]: pairings of a round, and its results.
//! - [`broadcast`]: all games in one live PGN file, and each in a file of its own.
//! - [`ask`]: a board's own pages, asked for through the hall.
//! - [`page`]: the page of the hall.
//! - [`ballast`]: a server without room, for tests and demonstrations.
//!
//! What is guaranteed, and how, stands in `docs/hall.md`.

pub mod ask;
pub mod ballast;
pub mod broadcast;
pub mod floor;
pub mod keys;
pub mod names;
pub mod page;
pub mod pairing;
pub mod reading;
mod rights;
pub mod round;
pub mod server;
pub mod stream;
pub mod takeover;
pub mod trust;
pub mod wire;

use std::{path::PathBuf, sync::Arc};

use annabella_records::journal::JournalError;

/// Takes one line for whoever looks after the program.
pub type TellHall = Arc<dyn Fn(&str) + Send + Sync>;

/// Why something in the hall does not work; one line with the remedy.
#[derive(Debug, thiserror::Error)]
pub enum HallError {
    /// The address leads nowhere.
    #[error(
        "no hall at {url}: {reason}; is `annabella hall` or the organiser's nats-server running there?"
    )]
    Unreachable {
        /// The address.
        url: String,
        /// The reason.
        reason: String,
    },
    /// The server does not let us in.
    #[error("the hall at {url} does not let us in: {reason}; correct credentials in [hall]")]
    Refused {
        /// The address.
        url: String,
        /// The server's message.
        reason: String,
    },
    /// Another server than the hall's answers at this address.
    #[error(
        "the server at {url} is not the hall's: {reason}; correct url in [hall], or copy this board's key of the event anew"
    )]
    Untrusted {
        /// The address.
        url: String,
        /// The reason.
        reason: String,
    },
    /// The folder with the event's keys, or a file in it.
    #[error("cannot use {path}: {reason}")]
    Keys {
        /// The folder or file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The file with credentials cannot be used.
    #[error(
        "cannot use {path}: {reason}; credentials in [hall] is a key of `annabella hall keys`, or a .creds file as nsc writes it"
    )]
    Credentials {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// A board does not answer, or not in time.
    #[error("board {board} does not answer")]
    BoardAway {
        /// Its number.
        board: u32,
    },
    /// The server keeps no stream of this event.
    #[error(
        "the hall at {url} has no event '{event}': start `annabella hall --event {event}` there, or correct event in [hall]"
    )]
    NoEvent {
        /// The address.
        url: String,
        /// The event.
        event: String,
    },
    /// The server refuses rows.
    #[error(
        "the hall's server at {url} takes no more rows: its disk is full; make room there, and the boards send them"
    )]
    Full {
        /// The address.
        url: String,
    },
    /// The server answers, but not for its streams.
    #[error(
        "the server at {url} keeps no rows: its disk was full, JetStream is off, or most servers of the hall are away; \
         make room there and start it again"
    )]
    NoStore {
        /// The address.
        url: String,
    },
    /// Another board has taken this one's place.
    #[error(
        "board {board} was taken over: the game goes on at another board, and nothing is sent from this one; \
         `annabella play --take-over hall:{board}` takes it back"
    )]
    TakenOver {
        /// The board.
        board: u32,
    },
    /// No game was played at the board.
    #[error(
        "there is no game of board {board} in the hall: begin one here with board = {board} in [hall]"
    )]
    NothingToTake {
        /// The board.
        board: u32,
    },
    /// The board gives signs of life.
    #[error("board {board} is still running: switch it off first")]
    StillHere {
        /// The board.
        board: u32,
    },
    /// The board's game cannot be fetched.
    #[error("board {board} is not taken over: {reason}; try again")]
    Unfetched {
        /// The board.
        board: u32,
        /// The reason.
        reason: String,
    },
    /// The line was there and is not any more.
    #[error("the line to the hall is lost: {0}")]
    Lost(String),
    /// The server takes no message that long.
    #[error(
        "game {game}, row {row} has {bytes} bytes, and the hall's server takes {most}: raise max_payload there"
    )]
    TooLong {
        /// The game.
        game: i64,
        /// The row.
        row: u64,
        /// Its length.
        bytes: usize,
        /// The server's limit.
        most: usize,
    },
    /// A row of the journal is damaged. It is not published, nor is anything after it.
    #[error(
        "game {game}, row {row} of the journal is damaged and not published: `annabella games repair` saves what can be read"
    )]
    DamagedRow {
        /// The game.
        game: i64,
        /// The row.
        row: u64,
    },
    /// The stream has something that is no row.
    #[error("the hall's stream has something that is no row at {subject}: {reason}")]
    Foreign {
        /// Where.
        subject: String,
        /// What is wrong.
        reason: String,
    },
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// There is no `nats-server`.
    #[error(
        "there is no {program}: install the package nats-server (`sudo apt install nats-server`), or give the organiser's server with --url"
    )]
    NoServer {
        /// The program.
        program: PathBuf,
    },
    /// It does not start.
    #[error("nats-server does not start: {0}")]
    ServerFails(String),
}
