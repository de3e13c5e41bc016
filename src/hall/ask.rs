//! A board's own pages, asked for through the hall: a request of somebody whom the hall has let in goes to the
//! board's wire, which asks the board's pages on the same machine and sends the answer back in pieces.
//!
//! So an arbiter's decision reaches the game by the same way as at the board, with his name, and of two
//! decisions about one question the game takes the first.
//!
//! # Who may ask
//!
//! Whoever may publish at a board's `ask` is believed. So a wire answers only on a line with credentials, which
//! the server checks, or to a server on its own machine.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use async_nats::{HeaderMap, Message, StatusCode, Subject, Subscriber};
use axum::body::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use http_body_util::{BodyExt as _, Full};
use hyper::{Method, Request, header};
use hyper_util::rt::TokioIo;
use serde::{Deserialize, Serialize};
use tokio::{net::TcpStream, sync::Semaphore, task::JoinSet};

use crate::{
    HallError,
    names::{BoardPlace, EventName},
    stream::{Link, lost, servers},
    wire::WireSettings,
};
use annabella_console::{PASSED, Passed, Role, may_pass};

/// Header of a piece: `head`, `body`, `end`.
const PIECE: &str = "Annabella-Piece";
/// No piece is longer, bytes.
const LONGEST_PIECE: usize = 128 * 1_024;
/// No answer is longer, bytes, but for news that go on.
const LONGEST_ANSWER: usize = 8 * 1_024 * 1_024;
/// No request is longer, bytes.
const LONGEST_ASK: usize = 128 * 1_024;
/// How long the pages may take to begin an answer: an act waits up to five seconds for the game.
const BEGINS: Duration = Duration::from_secs(6);
/// And how long the hall waits for it.
const ANSWERS: Duration = Duration::from_secs(8);
/// How long news of a page go on; then the hall asks again, if somebody still looks.
const NEWS_LAST: Duration = Duration::from_secs(60);
/// The longest pause between two pieces. An open page gets a sign of life every 15 seconds.
const PAUSE: Duration = Duration::from_secs(25);
/// Requests that a board answers at one time.
const AT_ONCE: usize = 24;

/// Where a board's wire finds the board's pages.
#[derive(Clone, PartialEq, Eq)]
pub struct BoardDoor {
    pub address: SocketAddr,
    pub secret: String,
}

impl std::fmt::Debug for BoardDoor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BoardDoor").field("address", &self.address).finish_non_exhaustive()
    }
}

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

/// The pieces of an answer as they come.
#[derive(Debug)]
pub struct Pieces(Subscriber);

impl Pieces {
    /// The next piece; `None`: there is no more, or the board has gone.
    pub async fn next(&mut self) -> Option<Bytes> {
        let message = tokio::time::timeout(PAUSE, self.0.next()).await.ok()??;
        (piece(&message) == "body").then_some(message.payload)
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

impl Link {
    /// Asks a board for a page.
    ///
    /// # Errors
    /// [`HallError::BoardAway`], [`HallError::Lost`].
    pub async fn ask(
        &self,
        event: &EventName,
        board: u32,
        ask: &BoardAsk,
    ) -> Result<(AnswerHead, Pieces), HallError> {
        let away = || HallError::BoardAway { board };
        let client = self.client();
        let inbox = client.new_inbox();
        let mut answers = client.subscribe(inbox.clone()).await.map_err(|err| lost(&err))?;
        let subject = BoardPlace { event: event.clone(), board }.ask();
        let payload = serde_json::json!(ask).to_string().into();
        client.publish_with_reply(subject, inbox, payload).await.map_err(|err| lost(&err))?;
        let first = tokio::time::timeout(ANSWERS, answers.next()).await;
        let first = first.ok().flatten().ok_or_else(away)?;
        if first.status == Some(StatusCode::NO_RESPONDERS) || piece(&first) != "head" {
            return Err(away());
        }
        let head = serde_json::from_slice(&first.payload).map_err(|_| away())?;
        Ok((head, Pieces(answers)))
    }
}

/// Whether those who ask on this line are known: see above.
fn are_known(settings: &WireSettings) -> bool {
    let here = |url: &str| {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let host = rest.rsplit_once(':').map_or(rest, |(host, _)| host);
        let host = host.trim_start_matches('[').trim_end_matches(']');
        host.parse::<std::net::IpAddr>().map_or(host == "localhost", |ip| ip.is_loopback())
    };
    settings.credentials.is_some() || servers(&settings.url).all(here)
}

/// Answers what a board is asked for, as long as the returned task is kept. `None`: nothing is answered on
/// this line.
pub(crate) async fn answer(
    settings: &WireSettings,
    link: &Link,
) -> Result<Option<JoinSet<()>>, HallError> {
    let Some(door) = settings.door.clone().filter(|_| are_known(settings)) else { return Ok(None) };
    let link = link.clone();
    let subject = settings.place.ask();
    let mut asked = link.client().subscribe(subject).await.map_err(|err| lost(&err))?;
    let prefix = format!("/board/{}", settings.place.board);
    let mut answering = JoinSet::new();
    answering.spawn(async move {
        let free = Arc::new(Semaphore::new(AT_ONCE));
        let mut tasks = JoinSet::new();
        while let Some(message) = asked.next().await {
            while tasks.try_join_next().is_some() {}
            // A row that somebody has JetStream deliver here is no question, whatever is written in it.
            let asked_by = message.reply.clone().filter(|reply| reply.starts_with("_INBOX"));
            let Some(reply) = asked_by else { continue };
            let answer = Answer { link: link.clone(), reply };
            match Arc::clone(&free).try_acquire_owned() {
                Ok(place) => {
                    let (door, prefix) = (door.clone(), prefix.clone());
                    tasks.spawn(async move {
                        let _held = place;
                        answer.give(&door, &prefix, &message.payload).await;
                    });
                }
                Err(_) => answer.refuse(503).await,
            }
        }
    });
    Ok(Some(answering))
}

struct Answer {
    link: Link,
    reply: Subject,
}

impl Answer {
    async fn send(&self, kind: &'static str, payload: Bytes) -> Result<(), HallError> {
        let mut headers = HeaderMap::new();
        headers.insert(PIECE, kind);
        let client = self.link.client();
        let sent = client.publish_with_headers(self.reply.clone(), headers, payload).await;
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

    async fn give(&self, door: &BoardDoor, prefix: &str, payload: &[u8]) {
        let Some(ask) = read(payload) else { return self.refuse(400).await };
        let lasts = if ask.path == "/live" { NEWS_LAST } else { PAUSE };
        let given = tokio::time::timeout(lasts, self.pass(door, prefix, ask)).await;
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
        let live = ask.path == "/live";
        let request = request(door, prefix, ask).ok_or(400_u16)?;
        let begin = async {
            let stream = TcpStream::connect(door.address).await.map_err(|_| AWAY)?;
            let (mut sender, connection) =
                hyper::client::conn::http1::handshake(TokioIo::new(stream))
                    .await
                    .map_err(|_| AWAY)?;
            let driving = tokio::spawn(connection);
            let response = sender.send_request(request).await.map_err(|_| AWAY)?;
            Ok::<_, u16>((Driving(driving), sender, response))
        };
        let begun = tokio::time::timeout(BEGINS, begin).await.map_err(|_| AWAY)??;
        let (_driving, _sender, response) = begun;
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

/// A connection's own task, which ends when this is dropped.
struct Driving(tokio::task::JoinHandle<Result<(), hyper::Error>>);

impl Drop for Driving {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// `None`: it is no request that a board answers.
fn read(payload: &[u8]) -> Option<BoardAsk> {
    if payload.len() > LONGEST_ASK {
        return None;
    }
    let ask: BoardAsk = serde_json::from_slice(payload).ok()?;
    may_pass(ask.post, &ask.path).then_some(ask)
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
            tell: Arc::new(|_| {}),
        }
    }

    #[test]
    fn who_asks_over_a_network_must_be_known_to_the_server() {
        for url in [
            "nats://127.0.0.1:4222",
            "nats://localhost:4222",
            "nats://[::1]:4222",
            "tls://localhost",
            "nats://127.0.0.1:4222,nats://localhost:4223",
        ] {
            assert!(are_known(&settings(url, None)), "{url}");
        }
        for url in [
            "nats://192.168.4.1:4222",
            "tls://hall.example",
            "nats://127.0.0.1.evil.example:1",
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
        let payload = |ask: &BoardAsk| serde_json::json!(ask).to_string().into_bytes();
        let good = ask(true, "/act", "act=note");
        assert_eq!(read(&payload(&good)), Some(good));
        for wrong in [ask(true, "/leave", ""), ask(false, "/act", ""), ask(false, "/card", "")] {
            assert_eq!(read(&payload(&wrong)), None);
        }
        assert_eq!(read(&payload(&ask(true, "/act", &"x".repeat(LONGEST_ASK)))), None, "too long");
        assert_eq!(read(b"{}"), None);
    }
}
