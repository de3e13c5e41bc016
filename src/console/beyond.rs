//! What a site has beside its own pages: the hall has every board's, and a file of all games.

use std::{future::Future, pin::Pin};

use axum::{
    body::Bytes,
    extract::Request,
    http::{HeaderMap, Method, StatusCode},
    response::{IntoResponse as _, Redirect, Response},
};

use super::{Role, routes::Visitor};
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

/// What becomes of a request; a refusal is shown as a page in the reader's language.
pub type Answering = Pin<Box<dyn Future<Output = Result<Response, (StatusCode, PageText)>> + Send>>;

/// More addresses of a site.
pub trait Beyond: Send + Sync {
    /// Who may open this address; `None`: there is nothing.
    fn access(&self, path: &str) -> Option<Access>;

    fn answer(&self, wanted: Wanted) -> Answering;
}

/// Answers for somebody, if he may.
pub(super) async fn answer(
    visitor: &Visitor<'_>,
    beyond: &dyn Beyond,
    access: Access,
    request: Request,
) -> Response {
    let who = visitor.visiting();
    if who.is_none() && access == Access::Known {
        return match visitor.wants_json() {
            true => visitor.refuse(StatusCode::UNAUTHORIZED, PageText::SessionOver),
            false => Redirect::to("/").into_response(),
        };
    }
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let headers = request.headers().clone();
    let body = match method {
        Method::GET => Bytes::new(),
        Method::POST => match visitor.body(request).await {
            Ok((_, body)) => body,
            Err(refused) => return refused,
        },
        _ => return visitor.refuse(StatusCode::METHOD_NOT_ALLOWED, PageText::NotAllowed),
    };
    let (path, query) = (uri.path().to_owned(), uri.query().map(str::to_owned));
    let wanted = Wanted { method, path, query, headers, who, body };
    match beyond.answer(wanted).await {
        Ok(response) => response,
        Err((status, text)) => {
            visitor.complain(format!("{}: {status}", uri.path()));
            visitor.refuse(status, text)
        }
    }
}
