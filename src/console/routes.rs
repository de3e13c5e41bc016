//! The addresses, the roles that may open them, and the refusals.

mod acting;
mod beyond;
mod doors;
mod playing;
mod views;
mod visitor;

use std::{
    collections::VecDeque,
    net::IpAddr,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use tokio::sync::{mpsc, watch};
use tower_service::Service as _;

use self::visitor::Visitor;
use super::{
    Beyond, ConsoleSettings, Limits, MakeReport, Role,
    act::Ask,
    codes::Pairing,
    guard::{Complaints, protect},
    live::Hub,
    pages::Notice,
    reach::Reach,
    session::Sessions,
    through,
    words::Languages,
};
use annabella_threads::lock;
use annabella_words::phrase::PageText as T;

/// Pages whose last answer is remembered.
const NOTICES: usize = 256;

const SCRIPT: &str = include_str!("assets/script.js");
const STYLE: &str = include_str!("assets/style.css");
const ICON: &str = include_str!("assets/icon.svg");

/// The address at the other end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub(super) IpAddr);

/// The request came encrypted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Encrypted;

/// State shared by all requests.
pub(super) struct Shared {
    encrypted: bool,
    limits: Limits,
    report: Option<MakeReport>,
    beyond: Option<Arc<dyn Beyond>>,
    languages: Languages,
    /// Nobody in the network can read along.
    private: bool,
    sessions: Mutex<Sessions>,
    /// Tells open pages that sessions are over.
    ended: watch::Sender<u64>,
    pairing: Mutex<Pairing>,
    reach: Reach,
    hub: Arc<Hub>,
    acts: mpsc::Sender<Ask>,
    notices: Mutex<VecDeque<(u64, Notice)>>,
    complaints: Arc<Complaints>,
}

impl Shared {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn new(
        settings: ConsoleSettings,
        languages: Languages,
        sessions: Sessions,
        pairing: Pairing,
        reach: Reach,
        hub: Arc<Hub>,
        acts: mpsc::Sender<Ask>,
        complaints: Arc<Complaints>,
        encrypted: bool,
        private: bool,
    ) -> Shared {
        Shared {
            encrypted,
            limits: settings.limits,
            report: settings.report,
            beyond: settings.beyond,
            languages,
            private,
            sessions: Mutex::new(sessions),
            ended: watch::channel(0).0,
            pairing: Mutex::new(pairing),
            reach,
            hub,
            acts,
            notices: Mutex::new(VecDeque::new()),
            complaints,
        }
    }
}

/// Everything that is served.
pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(doors::entrance))
        .route("/pair", post(doors::pair))
        .route("/leave", post(doors::leave))
        .route("/language", post(doors::language))
        .route("/close-others", post(doors::close_others))
        .route("/arbiter", views::of(Role::Arbiter))
        .route("/assistant", views::of(Role::Assistant))
        .route("/display", views::of(Role::Display))
        .route("/live", get(views::live))
        .route("/present", get(views::present))
        .route("/act", post(acting::act))
        .route("/play", get(playing::look).post(playing::play))
        .route("/report", get(views::report))
        .route("/card", get(views::card))
        .route("/script.js", get(async || asset("text/javascript; charset=utf-8", SCRIPT)))
        .route("/style.css", get(async || asset("text/css; charset=utf-8", STYLE)))
        .route("/icon.svg", get(async || asset("image/svg+xml", ICON)))
        .fallback(nowhere)
        .with_state(shared)
}

/// Answers a request, with the headers that every answer has.
pub(super) async fn answer(mut router: Router, mut request: Request) -> Response {
    let encrypted = request.extensions().get::<Encrypted>().is_some();
    let passed = match through::admit(&mut request) {
        Ok(passed) => passed,
        Err(refused) => return *refused,
    };
    let mut response = match router.call(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    };
    if let Some(passed) = passed {
        response = through::below(response, &passed.prefix);
    }
    protect(response.headers_mut(), encrypted);
    response
}

fn asset(kind: &'static str, text: &'static str) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "public, max-age=300")];
    (headers, text).into_response()
}

impl Shared {
    fn cookie(&self) -> &'static str {
        if self.encrypted { "__Host-annabella" } else { "annabella" }
    }

    fn cookie_header(&self, value: &str, lasts_s: u64) -> HeaderValue {
        let secure = if self.encrypted { "; Secure" } else { "" };
        let name = self.cookie();
        let text =
            format!("{name}={value}; Path=/; Max-Age={lasts_s}; HttpOnly; SameSite=Strict{secure}");
        // Made of hexadecimal digits, dots and the names of roles.
        HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
    }

    fn remember(&self, session: u64, notice: Notice) {
        let mut notices = lock(&self.notices);
        notices.retain(|(id, _)| *id != session);
        if notices.len() == NOTICES {
            notices.pop_front();
        }
        notices.push_back((session, notice));
    }

    fn recall(&self, session: u64) -> Option<Notice> {
        let mut notices = lock(&self.notices);
        let place = notices.iter().position(|(id, _)| *id == session)?;
        notices.remove(place).map(|(_, notice)| notice)
    }
}

fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|text| text.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
}

async fn nowhere(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let visitor = Visitor::new(&shared, &request);
    let beyond = shared.beyond.as_deref();
    if let Some((beyond, access)) = beyond.and_then(|b| Some((b, b.access(request.uri().path())?)))
    {
        return beyond::answer(&visitor, beyond, access, request).await;
    }
    visitor.complain(format!("nothing at {}", request.uri().path()));
    visitor.refuse(StatusCode::NOT_FOUND, T::NotFound)
}
