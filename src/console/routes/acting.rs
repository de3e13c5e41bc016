//! What is done on a page: it is read, handed on and answered.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    http::{StatusCode, header},
    response::{IntoResponse as _, Redirect, Response},
};
use tokio::sync::oneshot;

use super::{Shared, Visitor, visitor::json};
use crate::{
    act::{self, ActAnswer, Ask, Wrong},
    explain::explain,
    pages::Notice,
};
use annabella_words::phrase::PageText as T;

/// How long an act may wait to be answered.
const ANSWER: Duration = Duration::from_secs(5);

pub(super) async fn act(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let visitor = Visitor::new(&shared, &request);
    let Some(session) = visitor.session else {
        visitor.complain("an act without a session");
        return match visitor.wants_json() {
            true => visitor.refuse(StatusCode::UNAUTHORIZED, T::SessionOver),
            false => Redirect::to("/").into_response(),
        };
    };
    // Before anything of what was sent is looked at.
    if !session.role.acts() {
        visitor.complain("a display may not act");
        return visitor.closing(StatusCode::FORBIDDEN, T::NotAllowed);
    }
    let mut fields = match visitor.form(request).await {
        Ok(fields) => fields,
        Err(refused) => return refused,
    };
    let role = session.role;
    // The board's buttons without a script: the first click chooses, the second one moves.
    let square = fields.text("square").to_owned();
    if !square.is_empty() {
        let from = fields.text("from").to_owned();
        if from.is_empty() || from == square {
            let chosen: Option<shakmaty::Square> = square.parse().ok();
            let target = match chosen.filter(|_| from.is_empty()) {
                Some(square) => format!("/{role}?from={square}#board"),
                None => format!("/{role}#board"),
            };
            return Redirect::to(&target).into_response();
        }
        fields.0.push(("to".to_owned(), square));
    }
    let in_force = shared.languages.in_force(visitor.words());
    let read = act::read(role, &visitor.by, &fields, &shared.hub.view(), &in_force);
    // A pawn reaches its last rank: which piece it becomes is asked now. And so is why a move is
    // another one, and whether one was played that ends the game.
    let asks = match &read {
        Err(Wrong::Promotes { from, to }) => Some(format!("/{role}?from={from}&to={to}#board")),
        Err(Wrong::Slip { uci }) => Some(format!("/{role}?slip={uci}")),
        Err(Wrong::Ends { uci }) => Some(format!("/{role}?ends={uci}")),
        _ => None,
    };
    if let Some(target) = asks {
        if visitor.wants_json() {
            let body = serde_json::json!({ "good": true, "go": target }).to_string();
            return ([(header::CONTENT_TYPE, "application/json")], body).into_response();
        }
        return Redirect::to(&target).into_response();
    }
    let notice = match read {
        Ok(act) if !visitor.is_private() && matches!(act.what, act::What::Seal { .. }) => {
            visitor.complain("a sealed move over a connection that is not encrypted");
            explain(&Wrong::Says(T::NotEncrypted), visitor.words())
        }
        Ok(act) => ask(&visitor, act).await,
        Err(wrong) => {
            let english = shared.languages.named("en").map(|index| shared.languages.words(index));
            visitor.complain(explain(&wrong, english.unwrap_or(visitor.words())).text);
            explain(&wrong, visitor.words())
        }
    };
    if visitor.wants_json() {
        let status = if notice.good { StatusCode::OK } else { StatusCode::CONFLICT };
        return json(status, notice.good, &notice.text);
    }
    shared.remember(session.id, notice);
    Redirect::to(&format!("/{role}#notice")).into_response()
}

/// Hands an act on and waits for the answer.
pub(super) async fn ask(visitor: &Visitor<'_>, act: act::ActRequest) -> Notice {
    let words = visitor.words();
    let bad = |text: String| Notice { good: false, text };
    let (reply, answer) = oneshot::channel();
    if visitor.shared.acts.try_send(Ask { act, reply }).is_err() {
        return bad(words.text(T::Busy).to_owned());
    }
    match tokio::time::timeout(ANSWER, answer).await {
        Ok(Ok(ActAnswer::Accepted)) => Notice { good: true, text: words.text(T::Done).to_owned() },
        Ok(Ok(ActAnswer::Refused { article, text })) => bad(words.note_under(&text, article)),
        Ok(Err(_)) | Err(_) => bad(words.text(T::Busy).to_owned()),
    }
}
