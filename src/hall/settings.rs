//! What a board's wire needs to know.

use std::{net::SocketAddr, path::PathBuf, time::Instant};

use tokio::sync::watch;

use crate::{TellHall, names::BoardPlace};

/// What a board's wire needs to know.
#[derive(Clone)]
pub struct WireSettings {
    /// The server, `nats://` or `tls://`.
    pub url: String,
    pub credentials: Option<PathBuf>,
    pub place: BoardPlace,
    /// The board's journal. It need not be there yet.
    pub journal: PathBuf,
    /// Where the board's pages are, for those whom the hall lets in. `None`: nobody comes in.
    pub door: Option<BoardDoor>,
    /// When the loop that plays last took its news: one that hangs gives no sign of life, whatever
    /// its line does. `None`: it lives as long as the wire.
    pub alive: Option<watch::Receiver<Instant>>,
    /// Gets one line when the line is there, and one when it is lost.
    pub tell: TellHall,
}

/// Where a board's wire finds the board's pages.
#[derive(Clone, PartialEq, Eq)]
pub struct BoardDoor {
    pub address: SocketAddr,
    pub secret: String,
}

impl std::fmt::Debug for BoardDoor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BoardDoor").field("address", &self.address).finish_non_exhaustive()
    }
}
