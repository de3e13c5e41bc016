//! The page of the hall: every board on one screen, what waits for the arbiter first, each board's
//! own pages below `/board/NUMBER/`, and the games for the public at `/games.pgn`.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, Method, StatusCode, header},
    response::{IntoResponse as _, Redirect, Response},
};
use futures_util::{StreamExt as _, stream};
use tokio::{
    sync::{mpsc, watch},
    task::JoinHandle,
};

use crate::{
    HallError,
    ask::{AnswerHead, BoardAsk, BoardLine, MOVED_ON, Pieces, SeenGame},
    floor::{BoardStands, Need, NeedKind},
    names::{EventName, MOST_BOARDS, sum_text},
    stream::Link,
};
use annabella_console::{
    self as console, Access, Answering, Beyond, BoardAway, Codes, Complain, ConsoleError,
    ConsoleSettings, Door, PRESENT, Reach, Refusal, Role, Tls, Visiting, Wanted, is_report_policy,
    may_pass, page_of_form,
    view::{HallBoard, HallCall, HallClock, HallNeed, HallView, HallWhy, SeatColor, Sector, View},
};
use annabella_threads::{lock, millis};
use annabella_words::phrase::PageText;

/// Calls that are remembered, so that a page of some boards tells of its last one.
const CALLS: usize = 256;
/// Lines to boards that are kept, though nobody looks.
const LINES: usize = 64;
/// Between two requests for the news of a board's page.
const AGAIN: Duration = Duration::from_millis(200);
/// A board is told so often that an arbiter looks here, and so many boards at one time.
const PRESENT_AGAIN: Duration = Duration::from_secs(20);
const PRESENT_AT_ONCE: usize = 8;
/// It is looked so often whether there are boards to be told.
const PRESENT_LOOK: Duration = Duration::from_secs(1);

/// How the page is served.
#[derive(Clone)]
pub struct PageSettings {
    pub listen: SocketAddr,
    /// Encrypted, if a certificate is given.
    pub tls: Option<Tls>,
    /// The file with the key of its sessions.
    pub session_key: Option<PathBuf>,
    /// Its language where the browser asks for none that is there.
    pub language: String,
    /// The codes to begin with. `None`: random ones.
    pub codes: Option<Codes>,
    /// Everybody gets the games, without a code.
    pub public: bool,
    /// The server, for boards that are asked.
    pub url: String,
    /// A file with credentials for it.
    pub credentials: Option<PathBuf>,
    pub event: EventName,
    /// Gets one line about everything that is refused.
    pub complain: Complain,
}

/// The running page. It ends when this is dropped.
#[derive(Debug)]
pub struct HallPage {
    event: EventName,
    views: watch::Sender<Arc<View>>,
    games: Arc<Mutex<Games>>,
    boards: Arc<Boards>,
    waiting: BTreeSet<(u32, String)>,
    full: bool,
    aside: bool,
    calls: Vec<HallCall>,
    codes: watch::Receiver<Codes>,
    reach: Reach,
    private: bool,
    server: JoinHandle<()>,
    /// Tells boards that an arbiter looks.
    present: JoinHandle<()>,
}

impl Drop for HallPage {
    fn drop(&mut self) {
        self.server.abort();
        self.present.abort();
    }
}

/// All games, and which state of them that is.
#[derive(Debug, Default)]
struct Games {
    pgn: Bytes,
    tag: String,
}

impl HallPage {
    /// Binds the address and serves from then on. Needs a runtime.
    ///
    /// # Errors
    /// [`ConsoleError`], each with its remedy.
    pub async fn open(settings: PageSettings) -> Result<HallPage, ConsoleError> {
        let games = Arc::new(Mutex::new(Games::default()));
        let boards = Boards {
            url: settings.url,
            credentials: settings.credentials,
            event: settings.event.clone(),
            lines: tokio::sync::Mutex::default(),
            seen: Mutex::default(),
            silent: Mutex::default(),
            playing: Mutex::default(),
        };
        let boards = Arc::new(boards);
        let beyond = HallSite {
            boards: Arc::clone(&boards),
            games: Arc::clone(&games),
            public: settings.public,
        };
        let told = Arc::clone(&settings.complain);
        let door: Door = console::open(ConsoleSettings {
            tls: settings.tls,
            session_key: settings.session_key,
            language: settings.language,
            codes: settings.codes,
            beyond: Some(Arc::new(beyond)),
            complain: settings.complain,
            ..ConsoleSettings::at(settings.listen)
        })
        .await?;
        if let Some(why) = door.why_anew() {
            told(why);
        }
        let (codes, reach, private) = (door.codes(), door.reach().clone(), door.is_private());
        let (views, seen) = watch::channel(Arc::new(view(&settings.event, HallView::default())));
        // Nothing is decided on this page itself.
        let (acts, _) = mpsc::channel(1);
        let present = tokio::spawn(Arc::clone(&boards).tell_of_arbiters(door.arbiters()));
        let server = tokio::spawn(door.serve(seen, acts));
        Ok(HallPage {
            event: settings.event,
            views,
            games,
            boards,
            waiting: BTreeSet::new(),
            full: false,
            aside: false,
            calls: Vec::new(),
            codes,
            reach,
            private,
            server,
            present,
        })
    }

    /// How others reach it.
    pub fn reach(&self) -> &Reach {
        &self.reach
    }

    /// The codes that are good now.
    pub fn codes(&self) -> watch::Receiver<Codes> {
        self.codes.clone()
    }

    /// Whether nobody in the network can read along.
    pub fn is_private(&self) -> bool {
        self.private
    }

    /// Whether the server takes no more rows; shown with the boards.
    pub fn full(&mut self, full: bool) {
        self.full = full;
    }

    /// Whether this machine's server is stopped and the others go on; shown with the boards.
    pub fn aside(&mut self, aside: bool) {
        self.aside = aside;
    }

    /// Shows how the boards stand. `paired` names who should sit at a board where others do.
    pub fn show(&mut self, stands: &[BoardStands], paired: impl Fn(u32) -> Option<String>) {
        let boards: Vec<HallBoard> =
            stands.iter().map(|board| shown(board, paired(board.board))).collect();
        let mut waiting = BTreeSet::new();
        for board in &boards {
            for need in &board.needs {
                let of = (board.board, format!("{:?}", need.why));
                if !self.waiting.contains(&of) && !waiting.contains(&of) {
                    let number = self.calls.last().map_or(0, |call| call.number) + 1;
                    let why = need.why.clone();
                    self.calls.push(HallCall { number, board: board.board, why });
                }
                waiting.insert(of);
            }
        }
        self.waiting = waiting;
        *lock(&self.boards.seen) = stands.iter().filter_map(seen).collect();
        *lock(&self.boards.silent) = stands.iter().filter_map(silent).collect();
        let playing = stands.iter().filter(|board| is_playing(board)).map(|board| board.board);
        *lock(&self.boards.playing) = playing.collect();
        let old = self.calls.len().saturating_sub(CALLS);
        self.calls.drain(..old);
        let (calls, full, aside) = (self.calls.clone(), self.full, self.aside);
        let hall = HallView { boards, calls, full, aside, ..HallView::default() };
        let view = view(&self.event, hall);
        self.views.send_if_modified(|known| {
            let new = **known != view;
            if new {
                *known = Arc::new(view);
            }
            new
        });
    }

    /// The public sees these games now. `state` is another for each.
    pub fn games(&self, pgn: String, state: &str) {
        *lock(&self.games) = Games { pgn: pgn.into(), tag: format!("\"{state}\"") };
    }
}

fn view(event: &EventName, hall: HallView) -> View {
    let hall = HallView { event: event.to_string(), games: true, ..hall };
    View { game: None, hall: Some(Box::new(hall)) }
}

/// Up to where the hall has seen a board's game.
fn seen(board: &BoardStands) -> Option<(u32, SeenGame)> {
    let game = board.game.as_ref()?;
    let (row, sum) = game.seen;
    Some((board.board, SeenGame { game: game.game.number, row, sum: sum_text(sum) }))
}

/// Whether a game goes on at a board that is heard of.
fn is_playing(board: &BoardStands) -> bool {
    let lost = board.needs.iter().any(|need| need.kind == NeedKind::Lost);
    !lost && board.game.as_ref().is_some_and(|game| game.result.is_none())
}

/// Since when nothing is heard of a board that is lost.
fn silent(board: &BoardStands) -> Option<(u32, Instant)> {
    let lost = board.needs.iter().find(|need| need.kind == NeedKind::Lost)?;
    let since = Instant::now().checked_sub(Duration::from_millis(lost.waits_ms))?;
    Some((board.board, since))
}

fn shown(board: &BoardStands, paired: Option<String>) -> HallBoard {
    let mut needs: Vec<HallNeed> = board.needs.iter().map(need).collect();
    needs.extend(paired.map(|pair| HallNeed { why: HallWhy::Paired(pair), seconds: 0 }));
    let Some(game) = &board.game else {
        return HallBoard { board: board.board, needs, ..HallBoard::default() };
    };
    let (white_ms, black_ms, running) = game.clock;
    HallBoard {
        board: board.board,
        white: game.white.clone(),
        black: game.black.clone(),
        plays: true,
        last: game.last.clone(),
        moved: game.moved.clone(),
        pieces: game.pieces.clone(),
        to_move: Some(game.to_move),
        stand: game.stand,
        short: game.short,
        waits: game.waits.clone(),
        offered: game.offered,
        clock: Some(HallClock { white_ms, black_ms, running }),
        result: game.result.as_ref().map(|(result, _)| *result),
        needs,
    }
}

fn need(need: &Need) -> HallNeed {
    let why = match &need.kind {
        NeedKind::Called(call) => HallWhy::Called(call.clone()),
        NeedKind::BoardsDiffer => HallWhy::BoardsDiffer,
        NeedKind::Illegal(seat, illegal) => HallWhy::Illegal(SeatColor(*seat), illegal.clone()),
        NeedKind::Proposal(text, article) => HallWhy::Proposal(text.clone(), *article),
        NeedKind::Lost => HallWhy::Silent,
        NeedKind::ClockLost => HallWhy::ClockLost,
        NeedKind::SightedLost => HallWhy::SightedLost,
        NeedKind::Unreadable(_) => HallWhy::Unreadable,
    };
    // What changes every second is sent to every page every second.
    let seconds = need.waits_ms / 1_000;
    HallNeed { why, seconds: seconds - seconds % if seconds < 60 { 10 } else { 60 } }
}

/// The boards as the page asks them, each over a line of its own.
#[derive(Debug)]
struct Boards {
    url: String,
    credentials: Option<PathBuf>,
    event: EventName,
    lines: tokio::sync::Mutex<BTreeMap<u32, Arc<BoardLine>>>,
    seen: Mutex<BTreeMap<u32, SeenGame>>,
    /// Since when nothing is heard of those that are lost.
    silent: Mutex<BTreeMap<u32, Instant>>,
    /// Those at which a game goes on.
    playing: Mutex<BTreeSet<u32>>,
}

impl Boards {
    async fn line(&self, board: u32) -> Result<Arc<BoardLine>, HallError> {
        if let Some(line) = self.lines.lock().await.get(&board).filter(|line| !line.is_lost()) {
            return Ok(Arc::clone(line));
        }
        // The others are not kept waiting meanwhile.
        let link = Link::open(&self.url, self.credentials.as_deref(), "hall page").await?;
        let line = Arc::new(BoardLine::new(link, self.event.clone(), board));
        let mut lines = self.lines.lock().await;
        if lines.len() >= LINES {
            lines.retain(|_, line| Arc::strong_count(line) > 1);
        }
        lines.insert(board, Arc::clone(&line));
        Ok(line)
    }

    async fn ask(&self, board: u32, ask: &BoardAsk) -> Result<(AnswerHead, Pieces), HallError> {
        let seen = lock(&self.seen).get(&board).cloned();
        self.line(board).await?.ask(seen, ask).await
    }

    /// Tells each board at which a game goes on, again and again, that an arbiter has a page of the
    /// hall open on which it stands. He is present there as if he had the board's own page open.
    async fn tell_of_arbiters(self: Arc<Boards>, mut arbiters: watch::Receiver<Vec<Sector>>) {
        let ask = BoardAsk {
            post: false,
            path: PRESENT.to_owned(),
            query: None,
            json: false,
            body: String::new(),
            role: Role::Arbiter,
            by: String::new(),
            id: 0,
            language: String::new(),
        };
        let mut told: BTreeMap<u32, Instant> = BTreeMap::new();
        loop {
            // Nobody opens a page any more once this one is closed.
            let open = arbiters.wait_for(|open| !open.is_empty()).await;
            let Ok(open) = open.map(|open| open.clone()) else { return };
            told.retain(|_, when| when.elapsed() < PRESENT_AGAIN);
            let looked_at = |board: &u32| open.iter().any(|sector| sector.has(*board));
            let due: Vec<u32> = lock(&self.playing)
                .iter()
                .copied()
                .filter(|board| looked_at(board) && !told.contains_key(board))
                .collect();
            told.extend(due.iter().map(|board| (*board, Instant::now())));
            // One that does not answer is told the next time.
            let tell = async |board| drop(self.ask(board, &ask).await);
            stream::iter(due).for_each_concurrent(PRESENT_AT_ONCE, tell).await;
            tokio::time::sleep(PRESENT_LOOK).await;
        }
    }

    /// This board does not answer.
    fn away(&self, board: u32) -> Refusal {
        let since = lock(&self.silent).get(&board).copied();
        Refusal::Away(BoardAway { board, silent_ms: since.map(|since| millis(since.elapsed())) })
    }
}

/// What the hall has beside its own page.
struct HallSite {
    boards: Arc<Boards>,
    games: Arc<Mutex<Games>>,
    public: bool,
}

const GAMES: &str = "/games.pgn";
/// What the pages of a board load: the hall has the same.
const OWN: [&str; 3] = ["/script.js", "/style.css", "/icon.svg"];

/// The board of an address below `/board/`, and its address at the board.
fn board_of(path: &str) -> Option<(u32, &str)> {
    let rest = path.strip_prefix("/board/")?;
    let (number, rest) = rest.find('/').map_or((rest, ""), |end| rest.split_at(end));
    let plain = !number.starts_with('0') && number.bytes().all(|byte| byte.is_ascii_digit());
    let board = number.parse().ok().filter(|board| plain && *board <= MOST_BOARDS)?;
    Some((board, rest))
}

impl Beyond for HallSite {
    fn access(&self, path: &str) -> Option<Access> {
        match path {
            GAMES if self.public => Some(Access::Anybody),
            GAMES => Some(Access::Known),
            _ => board_of(path).map(|_| Access::Known),
        }
    }

    fn answer(&self, wanted: Wanted) -> Answering {
        if wanted.path == GAMES {
            let answer = self.games(&wanted);
            return Box::pin(async { answer });
        }
        let boards = Arc::clone(&self.boards);
        Box::pin(async move { pass(boards, wanted).await })
    }
}

impl HallSite {
    /// A broadcast polls it: what has not changed is not sent again.
    fn games(&self, wanted: &Wanted) -> Result<Response, Refusal> {
        if wanted.method != Method::GET {
            return Err(Refusal::Text(StatusCode::METHOD_NOT_ALLOWED, PageText::NotAllowed));
        }
        let games = lock(&self.games);
        let headers = [
            (header::CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8".to_owned()),
            (header::CACHE_CONTROL, "no-cache".to_owned()),
            (header::ETAG, games.tag.clone()),
        ];
        let known = wanted.headers.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
        let same = |tags: &str| tags.split(',').any(|tag| tag.trim() == games.tag);
        if !games.tag.is_empty() && known.is_some_and(same) {
            return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
        }
        Ok((headers, games.pgn.clone()).into_response())
    }
}

/// Asks a board, and hands its answer on.
async fn pass(boards: Arc<Boards>, wanted: Wanted) -> Result<Response, Refusal> {
    let not_found = Refusal::Text(StatusCode::NOT_FOUND, PageText::NotFound);
    let (board, path) = board_of(&wanted.path).ok_or(not_found)?;
    // Nobody who is not known comes here.
    let Visiting { role, by, id, language } = wanted.who.ok_or(not_found)?;
    if path.is_empty() {
        return Ok(Redirect::to(&format!("/board/{board}/")).into_response());
    }
    if let Some(own) = OWN.into_iter().find(|own| *own == path) {
        return Ok(Redirect::to(own).into_response());
    }
    let post = wanted.method == Method::POST;
    if !may_pass(post, path) {
        return Err(not_found);
    }
    let json = wanted.headers.get(header::ACCEPT).is_some_and(|kind| kind == "application/json");
    let body = String::from_utf8(wanted.body.to_vec())
        .map_err(|_| Refusal::Text(StatusCode::BAD_REQUEST, PageText::NotAllowed))?;
    // A page of another board leads nobody to act here, neither by a form nor by sending a form on.
    if post && !is_from_page_of(board, &wanted.headers) {
        return Err(Refusal::Text(StatusCode::FORBIDDEN, PageText::NotAllowed));
    }
    let (path, query) = (path.to_owned(), wanted.query);
    let ask = BoardAsk { post, path, query, json, body, role, by, id, language };
    let (head, pieces) = boards.ask(board, &ask).await.map_err(|_| boards.away(board))?;
    let status = StatusCode::from_u16(head.status).unwrap_or(StatusCode::BAD_GATEWAY);
    // Of those that lead elsewhere only the one after which nothing is sent again. Source: RFC
    // 9110, 303 (See Other).
    let leads = status.is_redirection() && status != StatusCode::SEE_OTHER;
    let status = if leads { StatusCode::BAD_GATEWAY } else { status };
    if head.status == MOVED_ON && head.headers.is_empty() {
        return Err(Refusal::Text(StatusCode::CONFLICT, PageText::MovedOn));
    }
    if status.is_server_error() && head.headers.is_empty() {
        return Err(boards.away(board));
    }
    let body = if ask.path == "/live" && status.is_success() {
        let news = News { boards, board, ask, pieces: Some(pieces) };
        Body::from_stream(stream::unfold(news, News::next).map(Ok::<_, std::convert::Infallible>))
    } else {
        Body::from_stream(pieces.stream().map(Ok::<_, std::convert::Infallible>))
    };
    let mut response = Response::new(body);
    *response.status_mut() = status;
    for (name, value) in head.headers {
        let name = header::HeaderName::try_from(name);
        if let (Ok(name), Ok(value)) = (name, header::HeaderValue::try_from(value))
            && may_stand(board, &name, &value)
        {
            response.headers_mut().insert(name, value);
        }
    }
    Ok(response)
}

/// Whether a form stood on a page of this board: browsers say from which page of the same site one
/// comes.
fn is_from_page_of(board: u32, headers: &HeaderMap) -> bool {
    page_of_form(headers)
        .is_some_and(|page| board_of(page.path()).is_some_and(|(from, _)| from == board))
}

/// A board may say what its answer is, but not make a script of it, let it run one, or lead to
/// another board.
fn may_stand(board: u32, name: &header::HeaderName, value: &header::HeaderValue) -> bool {
    let Ok(text) = value.to_str() else { return false };
    match *name {
        header::CONTENT_TYPE => {
            let kind = text.split(';').next().unwrap_or_default();
            matches!(kind, "text/html" | "text/event-stream" | "application/json")
        }
        header::CONTENT_SECURITY_POLICY => is_report_policy(text),
        header::LOCATION => {
            let path = text.split(['?', '#']).next().unwrap_or_default();
            let led = board_of(path).filter(|(to, _)| *to == board);
            led.is_some_and(|(_, path)| may_pass(false, path))
        }
        header::CACHE_CONTROL => true,
        _ => false,
    }
}

/// News of a board's page. A board sends them for a while only; then it is asked again, and the
/// page that looks finds in them what it knows already.
struct News {
    boards: Arc<Boards>,
    board: u32,
    ask: BoardAsk,
    pieces: Option<Pieces>,
}

impl News {
    async fn next(mut self) -> Option<(Bytes, News)> {
        loop {
            if let Some(pieces) = &mut self.pieces
                && let Some(piece) = pieces.next().await
            {
                return Some((piece, self));
            }
            self.pieces = None;
            tokio::time::sleep(AGAIN).await;
            // A board that is gone ends them, and the page says so and tries again.
            let (head, pieces) = self.boards.ask(self.board, &self.ask).await.ok()?;
            if head.status != StatusCode::OK.as_u16() {
                return None;
            }
            self.pieces = Some(pieces);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use annabella_words::phrase::Note;

    #[test]
    fn a_board_s_address_is_read_in_one_way_only() {
        assert_eq!(board_of("/board/17"), Some((17, "")));
        assert_eq!(board_of("/board/17/"), Some((17, "/")));
        assert_eq!(board_of("/board/17/arbiter"), Some((17, "/arbiter")));
        for wrong in
            ["/board/", "/board/017/", "/board/x/", "/board/-1/", "/board/100000/", "/boards/1/"]
        {
            assert_eq!(board_of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_board_runs_no_script_in_the_hall() {
        let stands = |name: header::HeaderName, value: &'static str| {
            may_stand(17, &name, &header::HeaderValue::from_static(value))
        };
        const END: &str = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
        let policy = |text: String| {
            let value = header::HeaderValue::try_from(text).expect("a value");
            may_stand(17, &header::CONTENT_SECURITY_POLICY, &value)
        };
        let styled = |more: &str| format!("default-src 'none'; style-src {more}; {END}");
        assert!(policy(styled("'sha256-x+/=' 'sha256-y'")) && policy(styled("'none'")));
        assert!(stands(header::CONTENT_TYPE, "text/html; charset=utf-8"));
        for wrong in [
            "default-src *".to_owned(),
            "default-src 'none'; script-src 'self'; form-action 'none'".to_owned(),
            "default-src 'none'; SCRIPT-SRC 'unsafe-inline'; form-action 'none'".to_owned(),
            styled("'sha256-x'; SCRIPT-SRC 'unsafe-inline'"),
            styled("'sha256-x' 'unsafe-inline'"),
            String::new(),
        ] {
            assert!(!policy(wrong.clone()), "{wrong}");
        }
        assert!(!stands(header::CONTENT_TYPE, "text/javascript"));
        assert!(!stands(header::LOCATION, "//evil.example/"));
        assert!(!stands(header::SET_COOKIE, "annabella=x"));
    }

    #[test]
    fn a_board_leads_to_its_own_pages_only() {
        let leads = |to: &str| {
            may_stand(17, &header::LOCATION, &header::HeaderValue::from_str(to).expect("a value"))
        };
        for good in ["/board/17/", "/board/17/arbiter?said=noted#said", "/board/17/assistant"] {
            assert!(leads(good), "{good}");
        }
        for wrong in [
            "/board/18/arbiter",
            "/board/17/../18/act",
            "/board/17//evil.example/",
            "/board/17/act",
            "/board/1",
            "/leave",
            "/",
            "http://evil.example/board/17/",
        ] {
            assert!(!leads(wrong), "{wrong}");
        }
    }

    #[test]
    fn a_form_for_a_board_stands_on_a_page_of_that_board() {
        let from = |page: &'static str| {
            let page = header::HeaderValue::from_static(page);
            is_from_page_of(17, &HeaderMap::from_iter([(header::REFERER, page)]))
        };
        assert!(from("http://192.168.4.1:8090/board/17/arbiter?first=1"));
        assert!(from("https://hall.example/board/17/"));
        for other in [
            "http://192.168.4.1:8090/board/18/arbiter",
            "http://192.168.4.1:8090/",
            "http://192.168.4.1:8090",
            "http://x/?/board/17/",
            "/",
            "",
        ] {
            assert!(!from(other), "{other}");
        }
        assert!(!is_from_page_of(17, &HeaderMap::new()));
    }

    #[test]
    fn a_board_tells_what_waits_in_tens_of_seconds_and_then_in_whole_minutes() {
        let waits = |kind, waits_ms| Need { kind, waits_ms };
        let call = Note::AssistantCalls;
        let called = waits(NeedKind::Called(call.clone()), 119_999);
        let lost = [(NeedKind::ClockLost, 9_999), (NeedKind::SightedLost, 59_999)];
        let needs = [called].into_iter().chain(lost.map(|(kind, ms)| waits(kind, ms))).collect();
        let board = BoardStands { board: 17, game: None, needs };
        let shown = shown(&board, Some("Anna – Berta".to_owned()));
        let whys: Vec<(HallWhy, u64)> =
            shown.needs.into_iter().map(|need| (need.why, need.seconds)).collect();
        let expected = [
            (HallWhy::Called(call), 60),
            (HallWhy::ClockLost, 0),
            (HallWhy::SightedLost, 50),
            (HallWhy::Paired("Anna – Berta".to_owned()), 0),
        ];
        assert_eq!(whys, expected);
    }
}
