//! What a site has beside its own pages: the hall has every board's, and a file of all games.

use std::{future::Future, pin::Pin};

use axum::{
    body::Bytes,
    http::{HeaderMap, Method, StatusCode},
    response::Response,
};

use super::Role;
use annabella_words::phrase::PageText;

/// Who may open an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Anybody,
    Known,
}

/// Somebody who has typed a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visiting {
    pub role: Role,
    pub by: String,
    /// Tells his pages from others.
    pub id: u64,
    /// The language of his pages, ISO 639-1.
    pub language: String,
}

/// A request that was looked at: a form comes from this very site, and a body is not too long.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// `GET`, `POST`.
    pub method: Method,
    /// The address, from its `/` on.
    pub path: String,
    /// What stands after its question mark.
    pub query: Option<String>,
    pub headers: HeaderMap,
    /// Who asks; `None`: nobody who is known.
    pub who: Option<Visiting>,
    pub body: Bytes,
}

/// Why nothing comes of a request; shown as a page in the reader's language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    Text(StatusCode, PageText),
    Away(BoardAway),
}

impl Refusal {
    pub(super) fn status(self) -> StatusCode {
        match self {
            Refusal::Text(status, _) => status,
            Refusal::Away(_) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

/// A board of the hall that does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardAway {
    pub board: u32,
    /// For how long nothing has been heard of it, milliseconds; `None`: not for long.
    pub silent_ms: Option<u64>,
}

/// What becomes of a request.
pub type Answering = Pin<Box<dyn Future<Output = Result<Response, Refusal>> + Send>>;

/// More addresses of a site.
pub trait Beyond: Send + Sync {
    /// Who may open this address; `None`: there is nothing.
    fn access(&self, path: &str) -> Option<Access>;

    fn answer(&self, wanted: Wanted) -> Answering;
}
