//! A board's pages, looked at through the hall. They have a door of their own, which only this
//! machine reaches and only the board's own wire opens: it has the secret.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};

use super::Role;

/// The header with who looks, [`Passed`] as JSON.
pub const PASSED: &str = "annabella-passed";

/// Somebody whom the hall has let in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passed {
    /// What the board gave its wire.
    pub secret: String,
    pub role: Role,
    pub by: String,
    /// Tells his pages from others.
    pub id: u64,
    /// The language of his pages, ISO 639-1.
    pub language: String,
    /// Where the hall has this board's pages, as in `/board/17`.
    pub prefix: String,
}

impl Passed {
    /// The board's number in the hall.
    pub(super) fn board(&self) -> Option<u32> {
        let number = self.prefix.strip_prefix("/board/")?;
        let plain = (1..=5).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
        number.parse().ok().filter(|_| plain)
    }

    /// As the header's value; `None`: it has a character that none can have.
    pub fn header(&self) -> Option<HeaderValue> {
        HeaderValue::from_bytes(serde_json::json!(self).to_string().as_bytes()).ok()
    }
}

/// Where the hall tells a board that an arbiter has the hall's page open.
pub const PRESENT: &str = "/present";

/// Whether the hall may ask a board for this. Who leaves, or chooses a language, does so in the
/// hall; scripts and styles are the hall's own, so that no board runs any there.
pub fn may_pass(post: bool, path: &str) -> bool {
    match path {
        "/act" => post,
        "/" | "/arbiter" | "/assistant" | "/display" | "/live" | "/report" | PRESENT => !post,
        _ => false,
    }
}

/// The request came through the door of the hall, which has this secret.
#[derive(Clone, Debug)]
pub(super) struct HallDoor(pub(super) Arc<str>);

/// Reads who looks, and takes the secret off the request.
pub(super) fn admit(request: &mut Request) -> Result<Option<Passed>, Box<Response>> {
    let Some(HallDoor(secret)) = request.extensions().get::<HallDoor>().cloned() else {
        return Ok(None);
    };
    let refused = || Box::new(StatusCode::FORBIDDEN.into_response());
    let shown = request.headers_mut().remove(PASSED).ok_or_else(refused)?;
    let passed: Passed = serde_json::from_slice(shown.as_bytes()).map_err(|_| refused())?;
    let post = request.method() == axum::http::Method::POST;
    let good = same(&passed.secret, &secret)
        && passed.board().is_some()
        && may_pass(post, request.uri().path());
    if !good {
        return Err(refused());
    }
    request.extensions_mut().insert(passed.clone());
    Ok(Some(passed))
}

/// Compared to its end, so that the time taken reveals nothing.
fn same(shown: &str, secret: &str) -> bool {
    let differs = shown.bytes().zip(secret.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
    differs == 0 && shown.len() == secret.len() && !secret.is_empty()
}

/// The answer as it is to stand below a prefix: addresses that begin at the root begin there.
pub(super) fn below(response: Response, prefix: &str) -> Response {
    let (mut parts, body) = response.into_parts();
    let moved = parts.headers.get(header::LOCATION).and_then(|to| to.to_str().ok());
    if let Some(to) = moved.filter(|to| to.starts_with('/'))
        && let Ok(to) = HeaderValue::from_str(&format!("{prefix}{to}"))
    {
        parts.headers.insert(header::LOCATION, to);
    }
    let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.unwrap_or_default();
    if !["text/html", "text/event-stream", "application/json"].iter().any(|k| kind.starts_with(k)) {
        return Response::from_parts(parts, body);
    }
    parts.headers.remove(header::CONTENT_LENGTH);
    let prefix = prefix.to_owned();
    // A page is one piece, and so is each event: none is cut within an address.
    let pieces = body.into_data_stream().map(move |piece| {
        piece.map(|piece| match std::str::from_utf8(&piece) {
            Ok(text) => moved_text(text, &prefix).into(),
            Err(_) => piece,
        })
    });
    Response::from_parts(parts, Body::from_stream(pieces))
}

/// What people typed has no quotation mark in a page: it is escaped there.
fn moved_text(text: &str, prefix: &str) -> String {
    text.replace("=\"/", &format!("=\"{prefix}/"))
        .replace("=\\\"/", &format!("=\\\"{prefix}/"))
        .replace("\"go\":\"/", &format!("\"go\":\"{prefix}/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_right_as_a_whole_only() {
        assert!(same("abc", "abc"));
        for wrong in ["", "a", "ab", "abd", "abcd"] {
            assert!(!same(wrong, "abc"), "{wrong}");
        }
        assert!(!same("", ""), "no secret opens nothing");
    }

    #[test]
    fn only_what_a_board_has_passes() {
        assert!(may_pass(true, "/act") && may_pass(false, "/arbiter"));
        for path in [
            "/leave",
            "/pair",
            "/close-others",
            "/card",
            "/language",
            "/script.js",
            "/../x",
            "//act",
        ] {
            assert!(!may_pass(true, path) && !may_pass(false, path), "{path}");
        }
        assert!(!may_pass(false, "/act") && !may_pass(true, "/arbiter"));
    }

    #[test]
    fn addresses_of_a_page_and_of_its_events_move_and_words_do_not() {
        let page = "<a href=\"/card\">a=/b &quot;/c</a>";
        assert_eq!(moved_text(page, "/board/17"), "<a href=\"/board/17/card\">a=/b &quot;/c</a>");
        let event = serde_json::json!({ "html": page }).to_string();
        let moved: serde_json::Value =
            serde_json::from_str(&moved_text(&event, "/board/17")).expect("JSON");
        assert_eq!(moved["html"], moved_text(page, "/board/17"));
    }

    #[test]
    fn a_prefix_is_a_board_s() {
        let board = |prefix: &str| {
            let (secret, by, language) = Default::default();
            let prefix = prefix.to_owned();
            Passed { secret, role: Role::Arbiter, by, id: 1, language, prefix }.board()
        };
        assert_eq!(board("/board/17"), Some(17));
        for wrong in ["", "/board/", "/board/17/", "/board/x", "/board/123456", "//evil"] {
            assert_eq!(board(wrong), None, "{wrong}");
        }
    }
}
