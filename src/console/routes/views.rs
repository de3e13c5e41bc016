//! The pages of arbiter, assistant and display, and the stream that keeps them up to date.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    extract::{Query, Request, State},
    http::{HeaderValue, StatusCode, header},
    response::{Html, IntoResponse as _, Response},
    routing::{MethodRouter, get},
};
use serde::Deserialize;
use shakmaty::Square;

use super::{Shared, Visitor, cookie};
use crate::{
    Role,
    guard::report_policy,
    live, pages,
    view::Sector,
    whole_hall::{Look, Wanted},
};
use annabella_threads::lock;
use annabella_words::phrase::PageText as T;

/// The query of a page's address.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Wished {
    /// Reload by itself, seconds.
    every: Option<u32>,
    /// A square that was chosen first.
    from: Option<String>,
    /// Where a pawn goes from there that is to become another piece.
    to: Option<String>,
    /// A move in place of the last one, about which is asked (UCI).
    slip: Option<String>,
    /// A move that would end the game, about which is asked (UCI).
    ends: Option<String>,
    /// Of the hall, the boards from this one on.
    first: Option<String>,
    last: Option<String>,
    /// How its boards are shown.
    view: Option<String>,
}

impl Wished {
    fn of_hall(&self) -> Wanted {
        let number = |text: &Option<String>| text.as_deref().and_then(|text| text.parse().ok());
        let sector = Sector::between(number(&self.first), number(&self.last));
        let look = Look::ALL.into_iter().find(|look| self.view.as_deref() == Some(look.as_str()));
        Wanted { sector, look: look.unwrap_or_default() }
    }
}

/// The page of this role.
pub(super) fn of(role: Role) -> MethodRouter<Arc<Shared>> {
    get(move |state: State<Arc<Shared>>, query: Query<Wished>, request: Request| async move {
        page(role, &state, query.0, &request)
    })
}

fn page(role: Role, shared: &Shared, wished: Wished, request: &Request) -> Response {
    let visitor = Visitor::new(shared, request);
    let session = match visitor.must_be(role) {
        Ok(session) => session,
        Err(refused) => return *refused,
    };
    let wanted = wished.of_hall();
    let rendered = Arc::clone(&shared.hub.page((role, visitor.language, wanted)).borrow());
    let words = visitor.words();
    let game = rendered.view.game.as_deref();
    let square = |text: Option<String>| text.and_then(|text| text.parse::<Square>().ok());
    let slip = game.zip(wished.slip.as_deref()).filter(|_| role == Role::Assistant);
    let slip = slip.and_then(|(game, uci)| Some((game, pages::slipped(game, uci)?)));
    let ends = game.zip(wished.ends.as_deref()).filter(|_| role == Role::Assistant);
    let ends = ends.and_then(|(game, uci)| pages::ends(game, uci, words));
    let own_part = match (role, game, square(wished.from), square(wished.to)) {
        _ if ends.is_some() => ends.map(|html| ("asked", html.into_string())),
        _ if slip.is_some() => {
            slip.map(|(game, mv)| ("asked", pages::slip(game, mv, words).into_string()))
        }
        (Role::Assistant, Some(game), Some(from), None) => {
            Some(("board", pages::entry_board(game, Some(from), words).into_string()))
        }
        (Role::Assistant, Some(game), Some(from), Some(to)) => {
            Some(("board", pages::promotion(game, from, to, words).into_string()))
        }
        _ => None,
    };
    let every_s = match role {
        // A display has nothing that a reload could take away.
        Role::Display => Some(wished.every.unwrap_or(5)),
        _ => wished.every,
    };
    let page = pages::page(&pages::Page {
        role,
        by: &visitor.by,
        words,
        languages: &shared.languages,
        rendered: &rendered,
        notice: shared.recall(session.id),
        own_part,
        every_s: every_s.map(|seconds| seconds.clamp(2, 600)),
        report: shared.report.is_some(),
        wanted,
        through: visitor.through,
    });
    Html(page.into_string()).into_response()
}

/// The stream of events for an open page.
pub(super) async fn live(
    State(shared): State<Arc<Shared>>,
    wished: Query<Wished>,
    request: Request,
) -> Response {
    let visitor = Visitor::new(&shared, &request);
    let Some(session) = visitor.session else {
        return visitor.refuse(StatusCode::UNAUTHORIZED, T::SessionOver);
    };
    let ended = shared.ended.subscribe();
    let shown = cookie(&visitor.headers, shared.cookie()).unwrap_or_default().to_owned();
    let sessions = Arc::clone(&shared);
    let good = move || lock(&sessions.sessions).read(&shown).is_some();
    let wanted = wished.of_hall();
    let page = shared.hub.page((session.role, visitor.language, wanted));
    let follow = live::follow(page, ended, good);
    let follow = shared.hub.counted(follow, session.role, wanted.sector);
    let left_s = session.until_s.saturating_sub(lock(&shared.sessions).now_s());
    let headers =
        [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(until(follow, left_s))).into_response()
}

/// The hall tells its board that an arbiter looks there.
pub(super) async fn present(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let visitor = Visitor::new(&shared, &request);
    if let Err(refused) = visitor.must_be(Role::Arbiter) {
        return *refused;
    }
    // Whoever has a page of this board itself is there as long as it is open.
    if visitor.through.is_none() {
        return visitor.refuse(StatusCode::NOT_FOUND, T::NotFound);
    }
    shared.hub.in_hall(live::IN_HALL);
    StatusCode::NO_CONTENT.into_response()
}

/// A stream that ends with its session.
pub(super) fn until(
    stream: impl futures_util::Stream<Item = Result<Bytes, Infallible>> + Send + 'static,
    left_s: u64,
) -> impl futures_util::Stream<Item = Result<Bytes, Infallible>> + Send {
    futures_util::StreamExt::take_until(stream, tokio::time::sleep(Duration::from_secs(left_s)))
}

pub(super) async fn report(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let visitor = Visitor::new(&shared, &request);
    if let Err(refused) = visitor.must_be(Role::Arbiter) {
        return *refused;
    }
    let Some(make) = shared.report.clone() else {
        return visitor.refuse(StatusCode::NOT_FOUND, T::NotFound);
    };
    let made = tokio::task::spawn_blocking(move || make()).await;
    match made {
        Ok(Ok(html)) => {
            let html = pages::with_way_back(&html, visitor.words());
            let policy = report_policy(&html);
            let mut response = Html(html).into_response();
            if let Ok(policy) = HeaderValue::from_str(&policy) {
                response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
            }
            response
        }
        Ok(Err(why)) => {
            shared.complaints.tell(&why);
            visitor.refuse(StatusCode::SERVICE_UNAVAILABLE, T::Busy)
        }
        Err(_) => visitor.refuse(StatusCode::SERVICE_UNAVAILABLE, T::Busy),
    }
}

/// For the arbiter to print, or to hold before a telephone's camera: the other pages with their
/// codes.
pub(super) async fn card(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let visitor = Visitor::new(&shared, &request);
    if let Err(refused) = visitor.must_be(Role::Arbiter) {
        return *refused;
    }
    let codes = lock(&shared.pairing).codes();
    Html(pages::card(visitor.words(), &shared.reach, &codes).into_string()).into_response()
}
