//! The pages: one for the arbiter, one for the assistant, one to look at.
//!
//! [`open`] binds the address and returns a [`Door`]; [`Door::serve`] answers until it is dropped.
//! A [`View`] of the game goes in after every change, and an [`Ask`] comes out for every request of
//! a person. The pages are made on the server and need no scripts. Where scripts run, they keep the
//! pages up to date.
//!
//! ```no_run
//! use annabella_console::{self as console, Ask, ConsoleSettings, Desk, Log, TableFacts};
//! use annabella_core::game::{At, Game};
//! use tokio::sync::mpsc;
//!
//! # async fn run(mut game: Game, now: fn() -> At) -> Result<(), Box<dyn std::error::Error>> {
//! let door = console::open(ConsoleSettings::at(([127, 0, 0, 1], 8080).into())).await?;
//! println!("pages: http://{}, codes: {:?}", door.address(), door.codes().borrow());
//! let facts = TableFacts { page_board: true, page_clock: false };
//! let (mut desk, views) = Desk::new(Log::new(), facts);
//! let (asks, mut asked) = mpsc::channel(16);
//! tokio::spawn(door.serve(views, asks));
//! // After every input of the game: desk.happened(at, &input, &outputs), then
//! desk.show(&game, now());
//! // Beside the board's own inputs:
//! while let Some(Ask { act, reply }) = asked.recv().await {
//!     let mut answer = console::ActAnswer::Accepted;
//!     for input in act.inputs() {
//!         let at = now();
//!         let outputs = game.handle(at, input.clone())?;
//!         desk.happened(at, &input, &outputs);
//!         answer = Desk::answer(&outputs);
//!         if answer != console::ActAnswer::Accepted {
//!             break;
//!         }
//!     }
//!     desk.show(&game, now());
//!     let _ = reply.send(answer);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Who may do what
//!
//! A code, shown or spoken at the board, opens a page in one of three roles. A display can look and
//! nothing else: no form of its session is ever read. Everything that is accepted reaches the game
//! as an input with the role and the name, and so the journal.
//!
//! # Against other machines in the hall
//!
//! Wrong codes cost time. Sessions are signed, and over when they are left. Forms from other sites
//! are refused. Pages hold no code of their own (content security policy). Bodies are small, and
//! slow clients are cut off. Each refusal is reported as one line.

mod act;
mod asked;
mod beyond;
mod codes;
mod desk;
mod explain;
mod far;
mod guard;
mod live;
mod log;
mod pages;
mod part;
mod places;
mod reach;
mod routes;
mod server;
mod session;
mod snapshot;
mod through;
pub mod view;
mod whole_hall;
mod words;

use std::{fmt, io, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};

pub use act::{ActAnswer, ActRequest, Ask, What};
pub use beyond::{Access, Answering, Beyond, BoardAway, Refusal, Visiting, Wanted};
pub use codes::{Codes, DIGITS, MORE_DIGITS, random_digits};
pub use desk::Desk;
pub use guard::{is_report_policy, page_of_form};
pub use log::Log;
pub use reach::{Named, Reach, terminal_picture};
pub use server::{Door, check_certificate, open};
pub use snapshot::{TableFacts, explained};
pub use through::{PASSED, PRESENT, Passed, may_pass};
pub use view::View;

/// A person's role at the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Arbiter,
    /// Enters and relays moves (D.2.10, D.2.11).
    Assistant,
    /// Looks on: spectators, a deaf opponent (D.2.11).
    Display,
}

impl Role {
    pub const ALL: [Role; 3] = [Role::Arbiter, Role::Assistant, Role::Display];

    /// As in an address.
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::Arbiter => "arbiter",
            Role::Assistant => "assistant",
            Role::Display => "display",
        }
    }

    fn named(text: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.as_str() == text)
    }

    /// Whether he may ask for anything at all.
    pub const fn acts(self) -> bool {
        !matches!(self, Role::Display)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Makes the arbiter's report as one HTML page, or says in one line why it cannot.
pub type MakeReport = Arc<dyn Fn() -> Result<String, String> + Send + Sync>;
/// Takes one line about something that was refused.
pub type Complain = Arc<dyn Fn(&str) + Send + Sync>;

/// How the pages are served.
#[derive(Clone)]
pub struct ConsoleSettings {
    pub listen: SocketAddr,
    /// Encrypted, if a certificate is given.
    pub tls: Option<Tls>,
    /// The file with the key of the sessions, so that a power cut closes no page. `None`: a new key
    /// at each start.
    pub session_key: Option<PathBuf>,
    /// Language of the pages where the browser asks for none that is there: a built-in pack's name,
    /// or the text of a pack (TOML).
    pub language: String,
    /// The codes to begin with. `None`: random ones.
    pub codes: Option<Codes>,
    /// Makes the arbiter's report. `None`: the page has no link to it.
    pub report: Option<MakeReport>,
    /// More addresses. `None`: there are none.
    pub beyond: Option<Arc<dyn Beyond>>,
    /// Where the hall's wire comes in. `None`: nowhere.
    pub hall: Option<HallEntry>,
    /// Gets one line about everything that is refused.
    pub complain: Complain,
    /// Limits for one machine and for all together.
    pub limits: Limits,
}

impl fmt::Debug for ConsoleSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("listen", &self.listen)
            .field("tls", &self.tls)
            .field("language", &self.language)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl ConsoleSettings {
    /// Pages at this address, everything else as it is best for a board in a hall.
    pub fn at(listen: SocketAddr) -> ConsoleSettings {
        ConsoleSettings {
            listen,
            tls: None,
            session_key: None,
            language: "en".to_owned(),
            codes: None,
            report: None,
            beyond: None,
            hall: None,
            complain: Arc::new(|_| {}),
            limits: Limits::default(),
        }
    }
}

/// A door of its own for the hall's wire, who brings those whom the hall has let in.
#[derive(Clone)]
pub struct HallEntry {
    /// Only this machine reaches it.
    pub listener: Arc<std::net::TcpListener>,
    pub secret: String,
}

/// Files of a certificate, both PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tls {
    /// The certificate, those that vouch for it after it.
    pub certificate: PathBuf,
    pub key: PathBuf,
}

/// Limits on load and slowness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at one time that have shown no session. For one more the oldest is closed, of
    /// the address that has most of them.
    pub guests: usize,
    /// Connections of displays at one time. For one more the oldest of the session with most is
    /// closed.
    pub displays: usize,
    /// Connections of one session at one time. For one more its oldest is closed.
    pub session: usize,
    /// Connections from one address at one time, arbiters and assistants not counted. For one more
    /// its oldest is closed.
    pub connections_each: usize,
    /// The longest wait for a request's head, and the longest idle time of a connection; a tenth of
    /// it while half of the places of guests are taken.
    pub head: Duration,
    /// Its body must be there after this time.
    pub body: Duration,
    /// The longest wait until the client begins to read.
    pub read: Duration,
    pub body_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            guests: 300,
            displays: 300,
            session: 16,
            connections_each: 250,
            head: Duration::from_secs(15),
            body: Duration::from_secs(10),
            read: Duration::from_secs(30),
            body_bytes: 32 * 1_024,
        }
    }
}

/// The reason why pages can't be served.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleError {
    #[error(
        "cannot serve pages at {address}: {source}; correct listen in [console], or leave it empty for no pages"
    )]
    Bind { address: SocketAddr, source: io::Error },
    #[error(
        "cannot use {path}: {reason}; both files of a certificate must be PEM and belong together"
    )]
    Certificate { path: String, reason: String },
    #[error(
        "cannot keep the key of the pages' sessions in {path}: {reason}; delete it, or make its folder writable"
    )]
    Key { path: String, reason: String },
    #[error(
        "the key of the pages' sessions in {path} cannot be used ({reason}): there is a new one, and everybody has to type a code again"
    )]
    KeyAnew { path: String, reason: String },
    #[error("the system gives no random numbers; without them no page can be protected")]
    NoRandom,
    #[error("the pages have no words: {0}")]
    Words(#[from] annabella_words::phrase::PackError),
}
