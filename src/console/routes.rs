//! The addresses, the roles that may open them, and the refusals.

use std::{
    collections::VecDeque,
    convert::Infallible,
    fmt::Display,
    net::IpAddr,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::{
    Form, Router,
    body::{Body, Bytes},
    extract::{FromRequest as _, Query, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    response::{Html, IntoResponse as _, Redirect, Response},
    routing::{get, post},
};
use serde::Deserialize;
use shakmaty::Square;
use tokio::sync::{mpsc, oneshot, watch};
use tower_service::Service as _;

use super::{
    Beyond, ConsoleSettings, Limits, MakeReport, Role, Visiting,
    act::{self, ActAnswer, Ask, Fields, Wrong},
    beyond,
    codes::{Pairing, Tried},
    explain::explain,
    guard::{Complaints, protect, same_site},
    live::{self, Hub},
    pages::{self, Notice},
    places::Visit,
    reach::Reach,
    session::{LASTS_S, Session, Sessions},
    through::{self, Passed},
    view::Sector,
    words::{Languages, PageWords},
};
use annabella_threads::lock;
use annabella_words::phrase::PageText as T;

/// How long an act may wait to be answered.
const ANSWER: Duration = Duration::from_secs(5);
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
        .route("/", get(entrance))
        .route("/pair", post(pair))
        .route("/leave", post(leave))
        .route("/language", post(language))
        .route("/close-others", post(close_others))
        .route("/arbiter", get(arbiter))
        .route("/assistant", get(assistant))
        .route("/display", get(display))
        .route("/live", get(live))
        .route("/act", post(act))
        .route("/report", get(report))
        .route("/card", get(card))
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

/// A request with everything that is known of who sent it.
pub(super) struct Visitor<'a> {
    shared: &'a Shared,
    from: IpAddr,
    headers: HeaderMap,
    language: usize,
    session: Option<Session>,
    /// The name that the session was given to.
    by: String,
    /// The hall has let him in.
    through: bool,
}

impl<'a> Visitor<'a> {
    fn new(shared: &'a Shared, request: &Request) -> Visitor<'a> {
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
        if let Some(Passed { role, by, id, .. }) = passed.cloned() {
            let until_s = lock(&shared.sessions).now_s() + LASTS_S;
            let session = Some(Session { role, id, until_s });
            return Visitor { shared, from, headers, language, session, by, through: true };
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
        Visitor { shared, from, headers, language, session, by, through: false }
    }

    fn words(&self) -> &'a PageWords {
        self.shared.languages.words(self.language)
    }

    pub(super) fn visiting(&self) -> Option<Visiting> {
        let Session { role, id, .. } = self.session?;
        let (by, language) = (self.by.clone(), self.words().code().to_owned());
        Some(Visiting { role, by, id, language })
    }

    /// A line for the log.
    pub(super) fn complain(&self, what: impl Display) {
        let who = self.session.map_or("nobody", |session| session.role.as_str());
        self.shared.complaints.tell(&format!("refused {} ({who}): {what}", self.from));
    }

    pub(super) fn refuse(&self, status: StatusCode, text: T) -> Response {
        if self.wants_json() {
            return json(status, false, self.words().text(text));
        }
        let page = pages::message(self.words(), self.words().text(text));
        (status, Html(page.into_string())).into_response()
    }

    /// Nobody in the network can read along.
    fn is_private(&self) -> bool {
        self.shared.private && !self.through
    }

    /// The page's script asks, not the browser itself.
    pub(super) fn wants_json(&self) -> bool {
        self.headers.get(header::ACCEPT).is_some_and(|accept| accept == "application/json")
    }

    /// Reads the body of a form of this very site.
    pub(super) async fn body(&self, request: Request) -> Result<(Parts, Bytes), Response> {
        let limits = self.shared.limits;
        // The hall has looked at that.
        let is_ours = |name: &str| self.shared.reach.is_ours(name);
        let same = match self.through {
            true => Ok(()),
            false => same_site(&self.headers, self.shared.encrypted, is_ours),
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

    async fn form(&self, request: Request) -> Result<Fields, Response> {
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
    fn closing(&self, status: StatusCode, text: T) -> Response {
        let mut response = self.refuse(status, text);
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        response
    }

    /// Only for this role.
    fn must_be(&self, role: Role) -> Result<Session, Box<Response>> {
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

fn json(status: StatusCode, good: bool, text: &str) -> Response {
    let body = serde_json::json!({ "good": good, "text": text }).to_string();
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
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

async fn entrance(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let visitor = Visitor::new(&shared, &request);
    match visitor.session {
        Some(session) => Redirect::to(&format!("/{}", session.role)).into_response(),
        None => {
            let page = pages::pair(visitor.words(), &shared.languages, None);
            Html(page.into_string()).into_response()
        }
    }
}

async fn pair(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let visitor = Visitor::new(&shared, &request);
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
    let page = pages::pair(words, &shared.languages, Some(&wrong));
    (status, Html(page.into_string())).into_response()
}

fn let_in(visitor: &Visitor<'_>, role: Role, fields: &Fields) -> Response {
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

async fn leave(State(shared): State<Arc<Shared>>, request: Request) -> Response {
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

async fn language(State(shared): State<Arc<Shared>>, request: Request) -> Response {
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
async fn close_others(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let visitor = Visitor::new(&shared, &request);
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

/// The query of a page's address.
#[derive(Debug, Default, Deserialize)]
struct Wished {
    /// Reload by itself, seconds.
    every: Option<u32>,
    /// A square that was chosen first.
    from: Option<String>,
    /// Where a pawn goes from there that is to become another piece.
    to: Option<String>,
    /// A move in place of the last one, about which is asked (UCI).
    slip: Option<String>,
    /// Of the hall, the boards from this one on.
    first: Option<String>,
    last: Option<String>,
}

impl Wished {
    fn sector(&self) -> Sector {
        let number = |text: &Option<String>| text.as_deref().and_then(|text| text.parse().ok());
        Sector::between(number(&self.first), number(&self.last))
    }
}

async fn arbiter(state: State<Arc<Shared>>, query: Query<Wished>, request: Request) -> Response {
    page(Role::Arbiter, &state, query.0, &request)
}

async fn assistant(state: State<Arc<Shared>>, query: Query<Wished>, request: Request) -> Response {
    page(Role::Assistant, &state, query.0, &request)
}

async fn display(state: State<Arc<Shared>>, query: Query<Wished>, request: Request) -> Response {
    page(Role::Display, &state, query.0, &request)
}

fn page(role: Role, shared: &Shared, wished: Wished, request: &Request) -> Response {
    let visitor = Visitor::new(shared, request);
    let session = match visitor.must_be(role) {
        Ok(session) => session,
        Err(refused) => return *refused,
    };
    let sector = wished.sector();
    let rendered = Arc::clone(&shared.hub.page((role, visitor.language, sector)).borrow());
    let words = visitor.words();
    let game = rendered.view.game.as_deref();
    let square = |text: Option<String>| text.and_then(|text| text.parse::<Square>().ok());
    let slip = game.zip(wished.slip.as_deref()).filter(|_| role == Role::Assistant);
    let slip = slip.and_then(|(game, uci)| Some((game, pages::slipped(game, uci)?)));
    let own_part = match (role, game, square(wished.from), square(wished.to)) {
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
        sector,
        through: visitor.through,
    });
    Html(page.into_string()).into_response()
}

/// The stream of events for an open page.
async fn live(
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
    let page = shared.hub.page((session.role, visitor.language, wished.sector()));
    let follow = shared.hub.counted(live::follow(page, ended, good), session.role);
    let left_s = session.until_s.saturating_sub(lock(&shared.sessions).now_s());
    let headers =
        [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(until(follow, left_s))).into_response()
}

/// A stream that ends with its session.
fn until(
    stream: impl futures_util::Stream<Item = Result<Bytes, Infallible>> + Send + 'static,
    left_s: u64,
) -> impl futures_util::Stream<Item = Result<Bytes, Infallible>> + Send {
    futures_util::StreamExt::take_until(stream, tokio::time::sleep(Duration::from_secs(left_s)))
}

async fn act(State(shared): State<Arc<Shared>>, request: Request) -> Response {
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
    let read =
        act::read(role, &visitor.by, &fields, &shared.hub.view(), visitor.words().language());
    // A pawn reaches its last rank: which piece it becomes is asked now. And so is why a move is another one.
    let asks = match &read {
        Err(Wrong::Promotes { from, to }) => Some(format!("/{role}?from={from}&to={to}#board")),
        Err(Wrong::Slip { uci }) => Some(format!("/{role}?slip={uci}")),
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
            visitor.complain(format!("{wrong:?}"));
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
async fn ask(visitor: &Visitor<'_>, act: act::ActRequest) -> Notice {
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

async fn report(State(shared): State<Arc<Shared>>, request: Request) -> Response {
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
            let policy = super::guard::report_policy(&html);
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

/// For the arbiter to print, or to hold before a telephone's camera: the other pages with their codes.
async fn card(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let visitor = Visitor::new(&shared, &request);
    if let Err(refused) = visitor.must_be(Role::Arbiter) {
        return *refused;
    }
    let codes = lock(&shared.pairing).codes();
    Html(pages::card(visitor.words(), &shared.reach, &codes).into_string()).into_response()
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
