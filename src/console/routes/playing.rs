//! The door for a program that plays for the sighted player at home: the table as JSON lines, his
//! moves and words as forms. `docs/partner.md` describes both.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    extract::{Request, State},
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
};
use futures_util::{Stream, stream};
use serde_json::{Value, json};
use shakmaty::Color;
use tokio::sync::watch;

use super::{
    Shared, Visitor,
    acting::ask,
    cookie,
    views::until,
    visitor::{closed_json, json as answer},
};
use crate::{
    Role, act,
    explain::explain,
    view::{GameView, View},
};
use annabella_core::game::{HomeWish, Running};
use annabella_threads::lock;
use annabella_words::phrase::{Note, PageText as T};

/// After this long without news an empty line says that the table is still there.
const SIGN_OF_LIFE: Duration = Duration::from_millis(1_500);

/// The table as one JSON object; `None`: no program may play there.
fn table(view: &View) -> Option<Value> {
    let Some(game) = view.game.as_deref() else { return Some(json!({ "game": null })) };
    let home = game.at_home.as_ref()?;
    let color = |color: Color| color.fold_wb("white", "black");
    let owed = |seat: Color| {
        let owed = game.to_play.iter().find(|owed| owed.seat == seat && owed.confirm);
        owed.map(|owed| owed.mv.ply)
    };
    let GameView { clocks, .. } = game;
    let running = match clocks.running {
        Running::White => Some("white"),
        Running::Black => Some("black"),
        Running::None => None,
    };
    let result = game.result.as_ref().map(|ended| {
        let (result, article) = (ended.result.as_str(), ended.article.to_string());
        json!({ "result": result, "article": article, "reason": ended.reason })
    });
    let game = json!({
        "white": game.white, "black": game.black, "prompts": home.prompts,
        "seat": home.seat.map(|seat| color(seat.0)),
        "time_control": home.time_control, "start": home.start, "moves": home.moves, "fen": game.fen, "to_move": color(game.to_move),
        "played": game.enters_for.and_then(owed), "press": game.presses_for.map(color),
        "offered": game.offered.map(color), "wished": home.wished.map(HomeWish::as_str),
        "looked": home.looked, "decided": game.decided,
        "white_ms": clocks.white_ms, "black_ms": clocks.black_ms, "running": running,
        "result": result,
    });
    Some(json!({ "game": game }))
}

/// The table, and again whenever it changes; one JSON object a line.
pub(super) async fn look(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let visitor = Visitor::new(&shared, &request);
    let Some(session) = visitor.session.filter(|session| session.role == Role::Assistant) else {
        return closed_json(StatusCode::UNAUTHORIZED, visitor.words().text(T::SessionOver));
    };
    let views = shared.hub.views();
    if table(&views.borrow()).is_none() {
        return no_program(&visitor);
    }
    let shown = cookie(&visitor.headers, shared.cookie()).unwrap_or_default().to_owned();
    let sessions = Arc::clone(&shared);
    let good = move || lock(&sessions.sessions).read(&shown).is_some();
    let left_s = session.until_s.saturating_sub(lock(&shared.sessions).now_s());
    let headers =
        [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(until(lines(views, good), left_s))).into_response()
}

/// Ends when no program may play any more, or the session is over.
fn lines(
    views: watch::Receiver<Arc<View>>,
    good: impl Fn() -> bool + Send + 'static,
) -> impl Stream<Item = Result<Bytes, Infallible>> + Send {
    let begun = (views, good, String::new());
    stream::unfold(begun, |(mut views, good, told)| async move {
        loop {
            if !good() {
                return None;
            }
            let line = table(&views.borrow_and_update())?.to_string();
            if line != told {
                return Some((Ok(Bytes::from(format!("{line}\n"))), (views, good, line)));
            }
            match tokio::time::timeout(SIGN_OF_LIFE, views.changed()).await {
                Ok(changed) => changed.ok()?,
                Err(_) => return Some((Ok(Bytes::from_static(b"\n")), (views, good, told))),
            }
        }
    })
}

/// A move, a press, or something that the player says.
pub(super) async fn play(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let visitor = Visitor::new(&shared, &request);
    if visitor.session.is_none_or(|session| session.role != Role::Assistant) {
        return closed_json(StatusCode::UNAUTHORIZED, visitor.words().text(T::SessionOver));
    }
    let fields = match visitor.form(request).await {
        Ok(fields) => fields,
        Err(refused) => return refused,
    };
    let view = shared.hub.view();
    if table(&view).is_none() {
        return no_program(&visitor);
    }
    let notice = match act::played(&visitor.by, &fields, &view) {
        Ok(act) => ask(&visitor, act).await,
        Err(wrong) => explain(&wrong, visitor.words()),
    };
    let status = if notice.good { StatusCode::OK } else { StatusCode::CONFLICT };
    answer(status, notice.good, &notice.text)
}

/// Source: FIDE 11.3
fn no_program(visitor: &Visitor<'_>) -> Response {
    visitor.complain("a program in a tournament's game (11.3)");
    let article = annabella_core::laws::Article::A11_3;
    let text = visitor.words().note_under(&Note::NoProgramPlays, article);
    closed_json(StatusCode::FORBIDDEN, &text)
}
