//! Requests for what a site has beside its own pages.

use axum::{
    body::Bytes,
    extract::Request,
    http::{Method, StatusCode},
    response::{IntoResponse as _, Redirect, Response},
};

use super::Visitor;
use crate::beyond::{Access, Beyond, Refusal, Wanted};
use annabella_words::phrase::PageText;

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
        Err(refusal) => {
            visitor.complain(format!("{}: {}", uri.path(), refusal.status()));
            match refusal {
                Refusal::Text(status, text) => visitor.refuse(status, text),
                Refusal::Away(away) => visitor.refuse_as_away(away),
            }
        }
    }
}
