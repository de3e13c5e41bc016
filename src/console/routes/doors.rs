//! Coming in with a code, leaving, choosing a language, closing all other pages.

use std::{sync::Arc, time::Instant};

use axum::{
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    response::{Html, IntoResponse as _, Redirect, Response},
};

use super::{Shared, Visitor};
use crate::{
    Role,
    act::Fields,
    codes::Tried,
    pages::{self, Notice},
    session::LASTS_S,
};
use annabella_threads::lock;
use annabella_words::phrase::PageText as T;

pub(super) async fn entrance(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let visitor = Visitor::new(&shared, &request);
    match visitor.session {
        Some(session) => Redirect::to(&format!("/{}", session.role)).into_response(),
        None => {
            let page = pages::pair(visitor.words(), &shared.languages, None, "");
            Html(page.into_string()).into_response()
        }
    }
}

pub(super) async fn pair(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let visitor = Visitor::new(&shared, &request);
    if let Err(refused) = visitor.must_not_come_from_a_board() {
        return *refused;
    }
    let fields = match visitor.form(request).await {
        Ok(fields) => fields,
        Err(refused) => return refused,
    };
    let words = visitor.words();
    let tried = lock(&shared.pairing).enter(fields.text("code"), visitor.from, Instant::now());
    let (status, wrong) = match tried {
        Tried::Is(role) => return let_in(&visitor, role, &fields),
        Tried::Wrong(held) => {
            visitor.complain("a wrong code");
            tokio::time::sleep(held).await;
            (StatusCode::FORBIDDEN, words.text(T::PairWrong).to_owned())
        }
        Tried::Wait(wait) => {
            visitor.complain("a code, too soon after a wrong one");
            let seconds = (wait.as_millis().div_ceil(1_000)).to_string();
            (StatusCode::TOO_MANY_REQUESTS, words.fill(T::PairWait, &[("n", &seconds)]))
        }
    };
    let page = pages::pair(words, &shared.languages, Some(&wrong), &fields.line("by"));
    (status, Html(page.into_string())).into_response()
}

pub(super) fn let_in(visitor: &Visitor<'_>, role: Role, fields: &Fields) -> Response {
    let shared = visitor.shared;
    let by: String = fields.line("by").chars().take(60).collect();
    let given = lock(&shared.sessions).give(role, &by);
    let Ok(cookie) = given else {
        return visitor.refuse(StatusCode::SERVICE_UNAVAILABLE, T::Busy);
    };
    let cookie = shared.cookie_header(&cookie, LASTS_S);
    let mut response = Redirect::to(&format!("/{role}")).into_response();
    response.headers_mut().append(header::SET_COOKIE, cookie);
    response
}

pub(super) async fn leave(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let visitor = Visitor::new(&shared, &request);
    if let Err(refused) = visitor.form(request).await {
        return refused;
    }
    if let Some(session) = visitor.session {
        let kept = lock(&shared.sessions).leave(session);
        if let Err(err) = kept {
            shared.complaints.tell(&err.to_string());
        }
        shared.ended.send_modify(|number| *number += 1);
    }
    let mut response = Redirect::to("/").into_response();
    response.headers_mut().append(header::SET_COOKIE, shared.cookie_header("", 0));
    response
}

pub(super) async fn language(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let visitor = Visitor::new(&shared, &request);
    let fields = match visitor.form(request).await {
        Ok(fields) => fields,
        Err(refused) => return refused,
    };
    let mut response = Redirect::to("/").into_response();
    let chosen = fields.text("language");
    if let Some((code, _)) = shared.languages.names().find(|(code, _)| *code == chosen) {
        let text = format!("language={code}; Path=/; Max-Age=31536000; SameSite=Strict");
        if let Ok(value) = HeaderValue::from_str(&text) {
            response.headers_mut().append(header::SET_COOKIE, value);
        }
    }
    response
}

/// The arbiter closes all other pages: the signing key is replaced, and only the arbiter's session
/// is signed with the new one.
pub(super) async fn close_others(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let visitor = Visitor::new(&shared, &request);
    if let Err(refused) = visitor.must_not_come_from_a_board() {
        return *refused;
    }
    if let Err(refused) = visitor.form(request).await {
        return refused;
    }
    let session = match visitor.must_be(Role::Arbiter) {
        Ok(session) => session,
        Err(refused) => return *refused,
    };
    let closed = lock(&shared.sessions).close_others(session, &visitor.by);
    let Ok((cookie, kept)) = closed else {
        return visitor.refuse(StatusCode::SERVICE_UNAVAILABLE, T::Busy);
    };
    if let Err(err) = kept {
        // The old sessions are over now, but would be good again after a restart.
        shared.complaints.tell(&err.to_string());
    }
    let cookie = shared.cookie_header(&cookie, LASTS_S);
    shared.ended.send_modify(|number| *number += 1);
    let done = visitor.words().text(T::Done).to_owned();
    shared.remember(session.id, Notice { good: true, text: done });
    let mut response = Redirect::to("/arbiter").into_response();
    response.headers_mut().append(header::SET_COOKIE, cookie);
    response
}
