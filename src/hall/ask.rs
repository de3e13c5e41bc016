//! A board's own pages, asked for through the hall: a request of somebody whom the hall has let in
//! goes to the board's wire, which asks the board's pages on the same machine and sends the answer
//! back in pieces.
//!
//! So an arbiter's decision reaches the game by the same way as at the board, with his name, and of
//! two decisions about one question the game takes the first.
//!
//! # Who may ask
//!
//! A question is signed by the hall or the arbiter, and names event, board, the game and the row up
//! to which its asker has seen it, the board's own word, and a number that is good once. The board
//! gives its word to whoever asks with another, and has a new one on each line: what was asked
//! before is worth nothing then. The answer goes to a subject of who has signed. Where the event
//! has no keys nothing is signed, and a wire answers only on a line with credentials, which the
//! server checks, or to a server on its own machine.

use std::{
    collections::BTreeSet,
    path::Path,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use async_nats::{HeaderMap, Message, Subscriber};
use axum::body::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use http_body_util::{BodyExt as _, Full};
use hyper::{Method, Request, header};
use serde::{Deserialize, Serialize};
use tokio::{sync::Semaphore, task::JoinSet};

use crate::{
    HallError,
    http::HttpLine,
    names::{BoardPlace, EventName, sum_text},
    role::KeyRole,
    settings::{BoardDoor, WireSettings},
    stream::{Link, lost, servers},
    trust::{SIGNED, ask_text},
};
use annabella_console::{PASSED, Passed, Role, may_pass, random_digits};
use annabella_records::journal::{Follower, GameId};
use annabella_threads::{Flood, lock};

/// Header of a piece: `head`, `body`, `end`.
const PIECE: &str = "Annabella-Piece";
/// No piece is longer, bytes.
const LONGEST_PIECE: usize = 128 * 1_024;
/// Nor is the head of an answer.
const LONGEST_HEAD: usize = 16 * 1_024;
/// No answer is longer, bytes, but for news that go on.
const LONGEST_ANSWER: usize = 8 * 1_024 * 1_024;
/// No request is longer, bytes.
const LONGEST_ASK: usize = 128 * 1_024;
/// How long the pages may take to begin an answer: an act waits up to five seconds for the game.
const BEGINS: Duration = Duration::from_secs(6);
/// And how long the hall waits for it.
const ANSWERS: Duration = Duration::from_secs(8);
/// A page to look at is there at once, or its board is away: whoever waits for it can ask again,
/// as nothing is done by that. A report is made first.
const LOOKS: Duration = Duration::from_secs(3);
/// How long news of a page go on; then the hall asks again, if somebody still looks.
const NEWS_LAST: Duration = Duration::from_secs(60);
/// The longest pause between two pieces. An open page gets a sign of life every 15 seconds.
const PAUSE: Duration = Duration::from_secs(25);
/// Requests that a board answers at one time, and streams of news for arbiters and assistants, and
/// for displays. A board's pages have as many places for its wire.
const AT_ONCE: usize = 8;
const NEWS: usize = 16;
const DISPLAYS: usize = 8;
/// Digits of a board's word, and of a question's number.
const DIGITS: usize = 32;
/// After so many questions a board has another word.
const USED: usize = 4_096;
/// The board's word is another. Source: RFC 8470, 425 (Too Early).
const OTHER_WORD: u16 = 425;
/// The game is another by now than the one that was looked at. Source: RFC 9110, 409 (Conflict).
pub(crate) const MOVED_ON: u16 = 409;
/// Who asks where nothing is signed.
const OPEN: &str = "open";

/// A request for a board's page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardAsk {
    pub post: bool,
    /// The address at the board, from its `/` on.
    pub path: String,
    /// What stands after its question mark.
    pub query: Option<String>,
    /// The page's script asks, not the browser itself.
    pub json: bool,
    pub body: String,
    /// Who asks: his role.
    pub role: Role,
    pub by: String,
    /// Tells his pages from others.
    pub id: u64,
    pub language: String,
}

impl BoardAsk {
    /// How long the beginning of an answer is waited for, at most `most`.
    fn patience(&self, most: Duration) -> Duration {
        match self.post || self.path == "/report" {
            true => most,
            false => most.min(LOOKS),
        }
    }
}

/// How an answer begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerHead {
    pub status: u16,
    /// The headers that go on to who asked.
    pub headers: Vec<(String, String)>,
}

/// The headers of a board's answer that go on.
const KEPT: [header::HeaderName; 4] = [
    header::CONTENT_TYPE,
    header::LOCATION,
    header::CACHE_CONTROL,
    header::CONTENT_SECURITY_POLICY,
];

/// Up to where somebody has seen a board's game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenGame {
    /// The game's number at the board.
    pub game: i64,
    /// Its last row that he has seen, from 1.
    pub row: u64,
    /// That row's checksum.
    pub sum: String,
}

/// A request, and all that it names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Question {
    event: String,
    board: u32,
    /// The board's word.
    word: String,
    /// Its own number, good once.
    once: String,
    seen: Option<SeenGame>,
    ask: BoardAsk,
}

/// The pieces of an answer as they come.
#[derive(Debug)]
pub struct Pieces {
    answers: Subscriber,
    /// Bytes that may still come; `None`: news, which go on.
    left: Option<usize>,
    /// Nothing comes when it is gone.
    _line: Arc<BoardLine>,
}

impl Pieces {
    /// The next piece; `None`: there is no more, it is longer than an answer is, or the board has
    /// gone.
    pub async fn next(&mut self) -> Option<Bytes> {
        let message = tokio::time::timeout(PAUSE, self.answers.next()).await.ok()??;
        let length = message.payload.len();
        if piece(&message) != "body" || length > LONGEST_PIECE {
            return None;
        }
        if let Some(left) = &mut self.left {
            *left = left.checked_sub(length)?;
        }
        Some(message.payload)
    }

    /// All of them as a stream.
    pub fn stream(self) -> impl Stream<Item = Bytes> + Send {
        stream::unfold(self, |mut pieces| async move { Some((pieces.next().await?, pieces)) })
    }
}

fn piece(message: &Message) -> &str {
    let header = message.headers.as_ref().and_then(|headers| headers.get(PIECE));
    header.map(|value| value.as_str()).unwrap_or_default()
}

/// A line on which one board is asked, and no other: what a board sends can cut the line on which
/// it comes.
#[derive(Debug)]
pub struct BoardLine {
    link: Link,
    place: BoardPlace,
    /// What the board has told last.
    word: Mutex<String>,
}

impl BoardLine {
    /// Over a line of its own.
    pub fn new(link: Link, event: EventName, board: u32) -> BoardLine {
        BoardLine { link, place: BoardPlace { event, board }, word: Mutex::default() }
    }

    /// Whether it has ended.
    pub fn is_lost(&self) -> bool {
        self.link.is_lost()
    }

    /// Asks the board for a page. `seen` is its game as the asker knows it: an act on another one
    /// is refused.
    ///
    /// # Errors
    /// [`HallError::BoardAway`], [`HallError::Lost`].
    pub async fn ask(
        self: &Arc<BoardLine>,
        seen: Option<SeenGame>,
        ask: &BoardAsk,
    ) -> Result<(AnswerHead, Pieces), HallError> {
        let (head, pieces) = self.ask_once(seen.clone(), ask).await?;
        let word = head.headers.iter().find(|(name, _)| name == "word");
        match word.filter(|_| head.status == OTHER_WORD) {
            Some((_, word)) => {
                lock(&self.word).clone_from(word);
                self.ask_once(seen, ask).await
            }
            None => Ok((head, pieces)),
        }
    }

    async fn ask_once(
        self: &Arc<BoardLine>,
        seen: Option<SeenGame>,
        ask: &BoardAsk,
    ) -> Result<(AnswerHead, Pieces), HallError> {
        let BoardPlace { event, board } = &self.place;
        let away = || HallError::BoardAway { board: *board };
        let client = self.link.client();
        let once = random_digits(DIGITS).map_err(|err| HallError::Lost(err.to_string()))?;
        let asker = self.link.signer().map_or_else(|| OPEN.to_owned(), |signer| signer.public());
        let subject = self.place.answer(&asker, &once);
        let mut answers = client.subscribe(subject.clone()).await.map_err(|err| lost(&err))?;
        let word = lock(&self.word).clone();
        let event = event.to_string();
        let question = Question { event, board: *board, word, once, seen, ask: ask.clone() };
        let payload = serde_json::json!(question).to_string();
        let mut headers = HeaderMap::new();
        if let Some(signer) = self.link.signer() {
            headers.insert(SIGNED, signer.sign(&ask_text(&payload)).as_str());
        }
        // Where no wire of the board listens, the server itself says so there at once.
        let (to, payload) = (self.place.ask(), payload.into());
        let asked = client.publish_with_reply_and_headers(to, subject, headers, payload).await;
        asked.map_err(|err| lost(&err))?;
        let first = tokio::time::timeout(ask.patience(ANSWERS), answers.next()).await;
        let first = first.ok().flatten().ok_or_else(away)?;
        if piece(&first) != "head" || first.payload.len() > LONGEST_HEAD {
            return Err(away());
        }
        let head = serde_json::from_slice(&first.payload).map_err(|_| away())?;
        let left = (ask.path != "/live").then_some(LONGEST_ANSWER);
        Ok((head, Pieces { answers, left, _line: Arc::clone(self) }))
    }
}

/// Whether those who ask on this line are known: see above.
fn are_known(settings: &WireSettings) -> bool {
    let here = |url: &str| {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let rest = rest.trim_end_matches('/');
        let is_port = |port: &str| port.bytes().all(|digit| digit.is_ascii_digit());
        let port = rest.rsplit_once(':').filter(|(_, port)| is_port(port));
        let host = port.map_or(rest, |(host, _)| host);
        let host = host.trim_start_matches('[').trim_end_matches(']');
        host.parse::<std::net::IpAddr>().map_or(host == "localhost", |ip| ip.is_loopback())
    };
    settings.credentials.is_some() || servers(&settings.url).all(here)
}

/// Answers what a board is asked for, as long as the returned task is kept. `None`: nothing is
/// answered on this line.
pub(crate) async fn answer(
    settings: &WireSettings,
    link: &Link,
) -> Result<Option<JoinSet<()>>, HallError> {
    let Some(door) = settings.door.clone().filter(|_| are_known(settings)) else { return Ok(None) };
    let mut asked =
        link.client().subscribe(settings.place.ask()).await.map_err(|err| lost(&err))?;
    let board = Arc::new(AskedBoard {
        link: link.clone(),
        place: settings.place.clone(),
        journal: settings.journal.clone(),
        door,
    });
    let mut known = Known::new(settings)?;
    let mut answering = JoinSet::new();
    answering.spawn(async move {
        let [requests, news, displays] =
            [AT_ONCE, NEWS, DISPLAYS].map(|places| Arc::new(Semaphore::new(places)));
        let mut tasks = JoinSet::new();
        while let Some(message) = asked.next().await {
            while tasks.try_join_next().is_some() {}
            let Some((question, subject)) = known.question(&board, &message) else { continue };
            let answer = Answer { board: Arc::clone(&board), subject };
            let free = match (question.ask.path == "/live", question.ask.role.acts()) {
                (false, _) => &requests,
                (true, true) => &news,
                (true, false) => &displays,
            };
            match known.counts(&question) {
                Counts::Not => {}
                Counts::OtherWord(word) => {
                    let headers = vec![("word".to_owned(), word)];
                    let _ = answer.head(&AnswerHead { status: OTHER_WORD, headers }).await;
                }
                Counts::Once => match Arc::clone(free).try_acquire_owned() {
                    Ok(place) => {
                        tasks.spawn(async move {
                            let _held = place;
                            answer.give(question).await;
                        });
                    }
                    Err(_) => answer.refuse(503).await,
                },
            }
        }
    });
    Ok(Some(answering))
}

struct AskedBoard {
    link: Link,
    place: BoardPlace,
    journal: std::path::PathBuf,
    door: BoardDoor,
}

/// What a board knows of those who ask it on one line.
struct Known {
    word: String,
    used: BTreeSet<String>,
    tell: crate::TellHall,
    flood: Flood,
}

/// Whether a question counts.
#[derive(Debug, PartialEq, Eq)]
enum Counts {
    Once,
    /// It was asked already.
    Not,
    /// It is from before the board's word, which is this.
    OtherWord(String),
}

impl Known {
    fn new(settings: &WireSettings) -> Result<Known, HallError> {
        let word = random_digits(DIGITS).map_err(|err| HallError::Lost(err.to_string()))?;
        let (used, tell) = (BTreeSet::new(), Arc::clone(&settings.tell));
        Ok(Known { word, used, tell, flood: Flood::usual() })
    }

    /// The question in a message to this board, and the subject of its answer; `None`: it is none,
    /// or nobody of the hall has signed it.
    fn question(&mut self, board: &AskedBoard, message: &Message) -> Option<(Question, String)> {
        let question = read(&message.payload)?;
        let here = (board.place.event.as_str(), board.place.board);
        if (question.event.as_str(), question.board) != here {
            return None;
        }
        let asker = match board.link.signer() {
            None => OPEN.to_owned(),
            Some(signer) => {
                let header = message.headers.as_ref().and_then(|headers| headers.get(SIGNED));
                let header = header.map(|value| value.as_str()).unwrap_or_default();
                let text = ask_text(std::str::from_utf8(&message.payload).ok()?);
                let by = signer.check(&text, header);
                match by.map(|by| (by.role, by.public)) {
                    Ok((KeyRole::Hall | KeyRole::Arbiter, public)) => public,
                    _ => {
                        if self.flood.next(Instant::now()).is_some() {
                            let line = "hall: a question that nobody of the hall has signed is not answered";
                            (self.tell)(line);
                        }
                        return None;
                    }
                }
            }
        };
        let subject = board.place.answer(&asker, &question.once);
        Some((question, subject))
    }

    fn counts(&mut self, question: &Question) -> Counts {
        if self.used.len() >= USED
            && let Ok(word) = random_digits(DIGITS)
        {
            (self.word, self.used) = (word, BTreeSet::new());
        }
        if question.word != self.word {
            return Counts::OtherWord(self.word.clone());
        }
        if self.used.insert(question.once.clone()) { Counts::Once } else { Counts::Not }
    }
}

/// Whether the journal's last game is the one that was seen, and has the row up to which it was.
fn is_seen(journal: &Path, seen: Option<&SeenGame>) -> bool {
    let found = || {
        let follower = Follower::open(journal).ok()?;
        let latest = follower.latest().ok()?;
        let (Some(seen), Some(latest)) = (seen, latest) else {
            return Some(seen.is_none() && latest.is_none());
        };
        let rows = follower.rows(GameId { number: seen.game }, seen.row, 1).ok()?;
        let row = rows.first()?;
        let same = (row.number, sum_text(row.sum)) == (seen.row, seen.sum.clone());
        Some(same && latest.number == seen.game)
    };
    // Before the first game there is no journal.
    found().unwrap_or(seen.is_none() && !journal.exists())
}

struct Answer {
    board: Arc<AskedBoard>,
    subject: String,
}

impl Answer {
    async fn send(&self, kind: &'static str, payload: Bytes) -> Result<(), HallError> {
        let mut headers = HeaderMap::new();
        headers.insert(PIECE, kind);
        let client = self.board.link.client();
        let sent = client.publish_with_headers(self.subject.clone(), headers, payload).await;
        sent.map_err(|err| lost(&err))
    }

    async fn head(&self, head: &AnswerHead) -> Result<(), HallError> {
        self.send("head", serde_json::json!(head).to_string().into()).await
    }

    async fn refuse(&self, status: u16) {
        // Where the line is lost, nobody hears it.
        let _ = self.head(&AnswerHead { status, headers: Vec::new() }).await;
        let _ = self.send("end", Bytes::new()).await;
    }

    async fn give(&self, Question { ask, seen, .. }: Question) {
        if ask.post {
            let board = Arc::clone(&self.board);
            let looked = move || is_seen(&board.journal, seen.as_ref());
            if !tokio::task::spawn_blocking(looked).await.unwrap_or(false) {
                return self.refuse(MOVED_ON).await;
            }
        }
        let prefix = format!("/board/{}", self.board.place.board);
        let lasts = if ask.path == "/live" { NEWS_LAST } else { PAUSE };
        let given = tokio::time::timeout(lasts, self.pass(&self.board.door, &prefix, ask)).await;
        match given {
            Ok(Ok(())) | Err(_) => {
                let _ = self.send("end", Bytes::new()).await;
            }
            Ok(Err(status)) => self.refuse(status).await,
        }
    }

    /// Asks the pages, and sends what they answer. The error is a status of HTTP.
    async fn pass(&self, door: &BoardDoor, prefix: &str, ask: BoardAsk) -> Result<(), u16> {
        const AWAY: u16 = 503;
        let (live, patience) = (ask.path == "/live", ask.patience(BEGINS));
        let request = request(door, prefix, ask).ok_or(400_u16)?;
        let begin = async {
            let mut line = HttpLine::open(door.address).await?;
            let response = line.sender.send_request(request).await.ok()?;
            Some((line, response))
        };
        let begun = tokio::time::timeout(patience, begin).await.ok().flatten();
        let (_line, response) = begun.ok_or(AWAY)?;
        let kept = |name: &header::HeaderName| {
            let value = response.headers().get(name)?.to_str().ok()?.to_owned();
            Some((name.as_str().to_owned(), value))
        };
        let headers = KEPT.iter().filter_map(kept).collect();
        self.head(&AnswerHead { status: response.status().as_u16(), headers })
            .await
            .map_err(|_| AWAY)?;
        let (mut body, mut sent) = (response.into_body(), 0);
        while let Some(Ok(frame)) = body.frame().await {
            let Ok(mut bytes) = frame.into_data() else { continue };
            sent += bytes.len();
            if !live && sent > LONGEST_ANSWER {
                return Ok(());
            }
            while !bytes.is_empty() {
                let piece = bytes.split_to(bytes.len().min(LONGEST_PIECE));
                if self.send("body", piece).await.is_err() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// `None`: it is no request that a board answers.
fn read(payload: &[u8]) -> Option<Question> {
    if payload.len() > LONGEST_ASK {
        return None;
    }
    let question: Question = serde_json::from_slice(payload).ok()?;
    let once = &question.once;
    let plain = once.len() == DIGITS && once.bytes().all(|byte| byte.is_ascii_digit());
    (plain && may_pass(question.ask.post, &question.ask.path)).then_some(question)
}

fn request(door: &BoardDoor, prefix: &str, ask: BoardAsk) -> Option<Request<Full<Bytes>>> {
    let passed = Passed {
        secret: door.secret.clone(),
        role: ask.role,
        by: ask.by.chars().take(60).collect(),
        id: ask.id,
        language: ask.language,
        prefix: prefix.to_owned(),
    };
    let query = ask.query.map(|query| format!("?{query}")).unwrap_or_default();
    let mut request = Request::builder()
        .method(if ask.post { Method::POST } else { Method::GET })
        .uri(format!("{}{query}", ask.path))
        .header(header::HOST, door.address.to_string())
        .header(PASSED, passed.header()?);
    if ask.post {
        request = request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    }
    if ask.json {
        request = request.header(header::ACCEPT, "application/json");
    }
    request.body(Full::new(ask.body.into())).ok()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn settings(url: &str, credentials: Option<&str>) -> WireSettings {
        WireSettings {
            url: url.to_owned(),
            credentials: credentials.map(PathBuf::from),
            place: BoardPlace { event: "test".parse().expect("a name"), board: 17 },
            journal: PathBuf::new(),
            door: None,
            alive: None,
            tell: Arc::new(|_| {}),
        }
    }

    #[test]
    fn who_asks_over_a_network_must_be_known_to_the_server() {
        for url in [
            "nats://127.0.0.1:4222",
            "nats://localhost:4222",
            "nats://[::1]:4222",
            "nats://[::1]",
            "tls://localhost",
            "nats://127.0.0.1:4222,nats://localhost:4223",
        ] {
            assert!(are_known(&settings(url, None)), "{url}");
        }
        for url in [
            "nats://192.168.4.1:4222",
            "tls://hall.example",
            "nats://127.0.0.1.evil.example:1",
            "nats://localhost:4222@evil.example",
            "nats://127.0.0.1:4222,nats://192.168.4.1:4222",
        ] {
            assert!(!are_known(&settings(url, None)), "{url}");
            assert!(are_known(&settings(url, Some("board-17.creds"))), "{url}");
        }
    }

    #[test]
    fn only_a_request_for_a_board_s_page_is_read() {
        let ask = |post, path: &str, body: &str| BoardAsk {
            post,
            path: path.to_owned(),
            query: None,
            json: false,
            body: body.to_owned(),
            role: Role::Arbiter,
            by: "Weber".to_owned(),
            id: 1,
            language: "de".to_owned(),
        };
        let once = "7".repeat(DIGITS);
        let (event, word) = ("test".to_owned(), String::new());
        let about = |ask: BoardAsk, once: &str| Question {
            event: event.clone(),
            board: 17,
            word: word.clone(),
            once: once.to_owned(),
            seen: None,
            ask,
        };
        let payload = |question: &Question| serde_json::json!(question).to_string().into_bytes();
        let good = about(ask(true, "/act", "act=note"), &once);
        assert_eq!(read(&payload(&good)), Some(good.clone()));
        for wrong in [ask(true, "/leave", ""), ask(false, "/act", ""), ask(false, "/card", "")] {
            assert_eq!(read(&payload(&about(wrong, &once))), None);
        }
        for wrong in ["", "7", "*", ">", "a.b", &"7".repeat(DIGITS + 1), &"x".repeat(DIGITS)] {
            assert_eq!(read(&payload(&about(good.ask.clone(), wrong))), None, "{wrong}");
        }
        let long = about(ask(true, "/act", &"x".repeat(LONGEST_ASK)), &once);
        assert_eq!(read(&payload(&long)), None, "too long");
        assert_eq!(read(b"{}"), None);
    }

    #[test]
    fn a_question_counts_once_and_one_from_before_the_board_s_word_not_at_all() {
        let mut known = Known::new(&settings("nats://localhost", None)).expect("random numbers");
        let asked = |word: &str, once: u64| Question {
            event: "test".to_owned(),
            board: 17,
            word: word.to_owned(),
            once: format!("{once:032}"),
            seen: None,
            ask: BoardAsk {
                post: true,
                path: "/act".to_owned(),
                query: None,
                json: false,
                body: String::new(),
                role: Role::Arbiter,
                by: "Weber".to_owned(),
                id: 1,
                language: "de".to_owned(),
            },
        };
        let Counts::OtherWord(word) = known.counts(&asked("", 0)) else { panic!("it has a word") };
        assert_eq!(known.counts(&asked(&word, 0)), Counts::Once);
        assert_eq!(known.counts(&asked(&word, 0)), Counts::Not, "sent again");
        for once in 1..USED as u64 {
            assert_eq!(known.counts(&asked(&word, once)), Counts::Once);
        }
        // It remembers no more: all from before is worth nothing.
        assert!(matches!(known.counts(&asked(&word, 0)), Counts::OtherWord(new) if new != word));
        let mut again = Known::new(&settings("nats://localhost", None)).expect("random numbers");
        assert!(matches!(again.counts(&asked(&word, 9)), Counts::OtherWord(_)), "another line");
    }
}
