//! Who asks for something: his session, his language, and how he is refused.

use std::{fmt::Display, net::IpAddr, sync::Arc};

use axum::{
    Form,
    body::{Body, Bytes},
    extract::{FromRequest as _, Request},
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    response::{Html, IntoResponse as _, Redirect, Response},
};

use super::{Peer, Shared, cookie};
use crate::{
    Role, Visiting,
    act::Fields,
    beyond::{BoardAway, Refusal},
    guard::{page_of_form, same_site},
    pages,
    places::Visit,
    session::{LASTS_S, Session},
    through::Passed,
    words::PageWords,
};
use annabella_threads::lock;
use annabella_words::phrase::PageText as T;

/// A request with everything that is known of who sent it.
pub(super) struct Visitor<'a> {
    pub(super) shared: &'a Shared,
    pub(super) from: IpAddr,
    pub(super) headers: HeaderMap,
    pub(super) language: usize,
    pub(super) session: Option<Session>,
    /// The name that the session was given to.
    pub(super) by: String,
    /// The hall has let him in, where this board has this number.
    pub(super) through: Option<u32>,
}

impl<'a> Visitor<'a> {
    pub(super) fn new(shared: &'a Shared, request: &Request) -> Visitor<'a> {
        let headers = request.headers().clone();
        // `server::http` adds it to every request; without it nobody is known.
        let from = request.extensions().get::<Peer>().map_or(IpAddr::from([0, 0, 0, 0]), |p| p.0);
        let passed = request.extensions().get::<Passed>();
        let language = passed
            .map(|passed| passed.language.as_str())
            .or_else(|| cookie(&headers, "language"))
            .and_then(|code| shared.languages.named(code))
            .or_else(|| {
                let wanted = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
                shared.languages.accepted(wanted)
            })
            .unwrap_or(0);
        if let Some(passed) = passed {
            let (role, by, id) = (passed.role, passed.by.clone(), passed.id);
            let until_s = lock(&shared.sessions).now_s() + LASTS_S;
            let session = Some(Session { role, id, until_s });
            return Visitor {
                shared,
                from,
                headers,
                language,
                session,
                by,
                through: passed.board(),
            };
        }
        let shown = cookie(&headers, shared.cookie());
        let (read, kept) = {
            let mut sessions = lock(&shared.sessions);
            (shown.and_then(|text| sessions.read(text)), sessions.keep_time())
        };
        if let Err(err) = kept {
            shared.complaints.tell(&err.to_string());
        }
        if shown.is_some_and(|text| !text.is_empty()) && read.is_none() {
            shared.complaints.tell(&format!("a session from {from} that is not valid"));
        }
        let (session, by) = read.map_or((None, String::new()), |(s, by)| (Some(s), by));
        if let (Some(session), Some(visit)) = (session, request.extensions().get::<Arc<Visit>>()) {
            visit.known(session.role, session.id);
        }
        Visitor { shared, from, headers, language, session, by, through: None }
    }

    pub(super) fn words(&self) -> &'a PageWords {
        self.shared.languages.words(self.language)
    }

    pub(crate) fn visiting(&self) -> Option<Visiting> {
        let Session { role, id, .. } = self.session?;
        let (by, language) = (self.by.clone(), self.words().code().to_owned());
        Some(Visiting { role, by, id, language })
    }

    /// A line for the log.
    pub(crate) fn complain(&self, what: impl Display) {
        let who = self.session.map_or("nobody", |session| session.role.as_str());
        self.shared.complaints.tell(&format!("refused {} ({who}): {what}", self.from));
    }

    pub(crate) fn refuse(&self, status: StatusCode, text: T) -> Response {
        if self.wants_json() {
            return json(status, false, self.words().text(text));
        }
        let page = pages::message(self.words(), text);
        (status, Html(page.into_string())).into_response()
    }

    /// This board of the hall does not answer.
    pub(crate) fn refuse_as_away(&self, away: BoardAway) -> Response {
        let status = Refusal::Away(away).status();
        if self.wants_json() {
            return json(status, false, &pages::board_is_away(self.words(), away));
        }
        (status, Html(pages::away(self.words(), away).into_string())).into_response()
    }

    /// Nobody in the network can read along.
    pub(super) fn is_private(&self) -> bool {
        self.shared.private && self.through.is_none()
    }

    /// The page's script asks, not the browser itself.
    pub(crate) fn wants_json(&self) -> bool {
        self.headers.get(header::ACCEPT).is_some_and(|accept| accept == "application/json")
    }

    /// A board's page that the hall shows is the board's. A form on it acts at that board and does
    /// nothing to the hall: it lets nobody in and shuts nobody out.
    pub(super) fn must_not_come_from_a_board(&self) -> Result<(), Box<Response>> {
        if page_of_form(&self.headers).is_none_or(|page| !page.path().starts_with("/board/")) {
            return Ok(());
        }
        self.complain("a form of a board's page");
        Err(Box::new(self.refuse(StatusCode::FORBIDDEN, T::NotAllowed)))
    }

    /// Reads the body of a form of this very site.
    pub(crate) async fn body(&self, request: Request) -> Result<(Parts, Bytes), Response> {
        let limits = self.shared.limits;
        // The hall has looked at that.
        let is_ours = |name: &str| self.shared.reach.is_ours(name);
        let same = match self.through {
            Some(_) => Ok(()),
            None => same_site(&self.headers, self.shared.encrypted, is_ours),
        };
        if let Err(why) = same {
            self.complain(why);
            return Err(self.refuse(StatusCode::FORBIDDEN, T::NotAllowed));
        }
        let (parts, body) = request.into_parts();
        let bytes = axum::body::to_bytes(body, limits.body_bytes);
        match tokio::time::timeout(limits.body, bytes).await {
            Ok(Ok(bytes)) => Ok((parts, bytes)),
            Ok(Err(_)) => {
                self.complain("a body that is too long or breaks off");
                Err(self.closing(StatusCode::PAYLOAD_TOO_LARGE, T::TooLong))
            }
            Err(_) => {
                self.complain("a body that does not come");
                Err(self.closing(StatusCode::REQUEST_TIMEOUT, T::Busy))
            }
        }
    }

    pub(super) async fn form(&self, request: Request) -> Result<Fields, Response> {
        let (parts, bytes) = self.body(request).await?;
        let request = Request::from_parts(parts, Body::from(bytes));
        match Form::<Vec<(String, String)>>::from_request(request, &()).await {
            Ok(Form(fields)) => Ok(Fields(fields)),
            Err(_) => {
                self.complain("a body that is no form");
                Err(self.refuse(StatusCode::BAD_REQUEST, T::NotAllowed))
            }
        }
    }

    /// A refusal after which nothing more is read.
    pub(super) fn closing(&self, status: StatusCode, text: T) -> Response {
        let mut response = self.refuse(status, text);
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        response
    }

    /// Only for this role.
    pub(super) fn must_be(&self, role: Role) -> Result<Session, Box<Response>> {
        match self.session {
            Some(session) if session.role == role => Ok(session),
            Some(_) => {
                self.complain(format!("the page of the {role}"));
                Err(Box::new(self.refuse(StatusCode::FORBIDDEN, T::NotAllowed)))
            }
            None if self.wants_json() => {
                Err(Box::new(self.refuse(StatusCode::UNAUTHORIZED, T::SessionOver)))
            }
            None => Err(Box::new(Redirect::to("/").into_response())),
        }
    }
}

/// A refusal for a program, after which nothing more is read.
pub(super) fn closed_json(status: StatusCode, text: &str) -> Response {
    let mut response = json(status, false, text);
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

pub(super) fn json(status: StatusCode, good: bool, text: &str) -> Response {
    let body = serde_json::json!({ "good": good, "text": text }).to_string();
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}
