//! The event's stream: how it is reached, made, and read.

use std::{
    error::Error as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use async_nats::{
    Client, ConnectErrorKind, ConnectOptions, Event, HeaderMap, Subscriber,
    jetstream::{
        self, Context, ErrorCode,
        context::{
            CreateStreamError, CreateStreamErrorKind, GetStreamErrorKind, PublishError,
            PublishErrorKind,
        },
        message::StreamMessage,
        stream::{Config, DirectGetErrorKind, DiscardPolicy, StorageType, Stream},
    },
};
use tokio::sync::watch;

use crate::{
    HallError, TellHall,
    budget::Budgets,
    keys::KeyFile,
    names::{BoardPlace, EventName, GameSubject, read_sum, sum_text},
    rights::LONGEST_ROW,
    role::KeyRole,
    trust::{SIGNED, Signer, row_text},
};
use annabella_records::journal::{Follower, KeptRow};
use annabella_threads::{Flood, lock};

pub use crate::reading::{Signs, StreamMark};

/// The header with the row's number.
pub(crate) const ROW: &str = "Annabella-Row";
/// The header with the row's moment.
pub(crate) const AT_MS: &str = "Annabella-At-Ms";
/// The header with the row's checksum.
pub(crate) const SUM: &str = "Annabella-Sum";

/// So many messages of a subscription may wait to be taken: more than the pieces of the longest
/// answer.
const WAITING: usize = 256;

/// How long anything may take that is asked of the server.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// Message ids are remembered for so long. Order does not depend on it: see `docs/hall.md`.
const DUPLICATES: Duration = Duration::from_secs(120);
/// Time between two signs of life.
pub const SIGN: Duration = Duration::from_secs(2);
/// No sign of life is longer, nor a try for room, bytes.
const LONGEST_SIGN: i32 = 1_024;

/// So many servers of one hall keep every row each.
const CLUSTER: usize = 3;
/// Refusals of a server that has no room. Source: nats-server, errors.json.
const FULL: [ErrorCode; 4] = [
    ErrorCode::ACCOUNT_RESOURCES_EXCEEDED,
    ErrorCode::INSUFFICIENT_RESOURCES,
    ErrorCode::STORAGE_RESOURCES_EXCEEDED,
    ErrorCode::STREAM_STORE_FAILED,
];

/// The servers of an address: one, or several with commas between them.
pub(crate) fn servers(url: &str) -> impl Iterator<Item = &str> {
    url.split(',').map(str::trim)
}

/// How many servers keep each row.
pub(crate) fn replicas(url: &str) -> usize {
    if servers(url).count() < CLUSTER { 1 } else { CLUSTER }
}

/// A connection to the hall's server. It is never mended: whoever has it makes another one.
#[derive(Clone, Debug)]
pub struct Link {
    url: String,
    credentials: Option<PathBuf>,
    name: String,
    client: Client,
    context: Context,
    lost: watch::Receiver<bool>,
    signer: Option<Arc<Signer>>,
    aside: Option<Aside>,
    budgets: Option<Arc<Mutex<Budgets>>>,
}

/// Where it is told what was set aside; of very much only some.
#[derive(Clone)]
struct Aside {
    tell: TellHall,
    flood: Arc<Mutex<Flood>>,
}

impl std::fmt::Debug for Aside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Aside").finish_non_exhaustive()
    }
}

/// A row as it stands in the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamRow {
    /// Of which game of which board.
    pub of: GameSubject,
    pub row: KeptRow,
    pub sequence: u64,
}

impl Link {
    /// Connects.
    ///
    /// # Errors
    /// [`HallError::Unreachable`], [`HallError::Refused`], [`HallError::Credentials`].
    pub async fn open(
        url: &str,
        credentials: Option<&Path>,
        name: &str,
    ) -> Result<Link, HallError> {
        let mut options = ConnectOptions::new();
        let mut signer = None;
        if let Some(path) = credentials {
            let wrong = |reason: String| HallError::Credentials { path: path.to_owned(), reason };
            let text =
                annabella_records::whole::read_text(path).map_err(|err| wrong(err.to_string()))?;
            options = match KeyFile::read(&text).map_err(wrong)? {
                // The certificate in it is the only one that counts.
                Some(key) => {
                    signer = Some(Arc::new(key.signer));
                    options
                        .nkey(key.seed)
                        .custom_inbox_prefix(key.inbox)
                        .add_root_certificates(path.to_owned())
                        .require_tls(true)
                }
                None => options.credentials(&text).map_err(|err| wrong(err.to_string()))?,
            };
        }
        let (tell, lost) = watch::channel(false);
        let options = options
            .name(name)
            .connection_timeout(PATIENCE)
            .request_timeout(Some(PATIENCE))
            // What comes faster than it is taken is dropped: a board could fill the memory of who
            // asks it.
            .subscription_capacity(WAITING)
            // A line that is cut says nothing: two pings without an answer, and it is lost.
            .ping_interval(Duration::from_secs(2))
            .event_callback(move |event| {
                let over = matches!(event, Event::Disconnected | Event::Closed);
                if over {
                    tell.send_replace(true);
                }
                async {}
            });
        let client =
            tokio::time::timeout(PATIENCE * 2, options.connect(servers(url).collect::<Vec<_>>()))
                .await;
        let unreachable = |reason: String| HallError::Unreachable { url: url.to_owned(), reason };
        let client = match client {
            Err(_) => return Err(unreachable("it does not answer".to_owned())),
            Ok(Ok(client)) => client,
            Ok(Err(err)) => {
                let reason = one_line(&err);
                return Err(match err.kind() {
                    ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                        HallError::Refused { url: url.to_owned(), reason }
                    }
                    kind if kind == ConnectErrorKind::Tls || reason.contains("certificate") => {
                        HallError::Untrusted { url: url.to_owned(), reason }
                    }
                    _ => unreachable(reason),
                });
            }
        };
        let context = jetstream::context::ContextBuilder::new()
            .timeout(PATIENCE)
            .ack_timeout(PATIENCE)
            .build(client.clone());
        let (url, name) = (url.to_owned(), name.to_owned());
        let credentials = credentials.map(Path::to_owned);
        let (aside, budgets) = (None, None);
        Ok(Link { url, credentials, name, client, context, lost, signer, aside, budgets })
    }

    /// Another line to the same server, by the same key.
    ///
    /// # Errors
    /// As [`Link::open`].
    pub(crate) async fn another(&self) -> Result<Link, HallError> {
        Link::open(&self.url, self.credentials.as_deref(), &self.name).await
    }

    /// Tells what is set aside when rows are read, a line each.
    pub fn telling(mut self, tell: TellHall) -> Link {
        self.aside = Some(Aside { tell, flood: Arc::new(Mutex::new(Flood::usual())) });
        self
    }

    /// Counts what each board has sent when rows are read, and sets the rest aside in silence.
    pub fn within(mut self, budgets: Arc<Mutex<Budgets>>) -> Link {
        self.budgets = Some(budgets);
        self
    }

    pub(crate) fn counting(&self, count: impl FnOnce(&mut Budgets)) {
        if let Some(budgets) = &self.budgets {
            count(&mut lock(budgets));
        }
    }

    pub(crate) fn set_aside(&self, what: &HallError) {
        let Some(Aside { tell, flood }) = &self.aside else { return };
        let Some(left_out) = lock(flood).next(Instant::now()) else { return };
        if left_out > 0 {
            tell(&format!("{left_out} more messages were set aside"));
        }
        tell(&what.to_string());
    }

    /// What signs on this line; `None`: nothing is signed.
    pub fn signer(&self) -> Option<&Signer> {
        self.signer.as_deref()
    }

    /// Whether this line may do what the hall may.
    pub(crate) fn is_hall(&self) -> bool {
        self.signer.as_ref().is_none_or(|signer| signer.role() == KeyRole::Hall)
    }

    pub fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// Whether the connection has ended.
    pub fn is_lost(&self) -> bool {
        *self.lost.borrow()
    }

    /// Ends when the connection has.
    pub async fn lost(&self) {
        // The sender lives as long as the client's own task.
        let _ = self.lost.clone().wait_for(|lost| *lost).await;
    }

    /// Makes the streams of an event, if they are not there. Of three servers each keeps every row.
    ///
    /// # Errors
    /// [`HallError::NoStore`], and [`HallError::Lost`] with the server's message.
    pub async fn make_event(&self, event: &EventName) -> Result<(), HallError> {
        let num_replicas = replicas(&self.url);
        let config = Config {
            name: event.stream(),
            subjects: vec![event.rows(), event.owners(), event.pairing("*")],
            duplicate_window: DUPLICATES,
            // A board asks for the last row of its own games, and may ask for nobody else's.
            allow_direct: true,
            // A full disk refuses new rows, which boards keep, and throws away no old ones.
            discard: DiscardPolicy::New,
            max_message_size: LONGEST_ROW,
            num_replicas,
            ..Config::default()
        };
        let room = Config {
            name: event.room_stream(),
            subjects: vec![event.room(), event.board_rooms()],
            // It never grows.
            max_messages_per_subject: 1,
            max_message_size: LONGEST_SIGN,
            num_replicas,
            ..Config::default()
        };
        let signs = Config {
            name: event.sign_stream(),
            subjects: vec![event.signs()],
            max_messages_per_subject: 1,
            max_message_size: LONGEST_SIGN,
            storage: StorageType::Memory,
            num_replicas,
            ..Config::default()
        };
        let made = self.context.get_or_create_stream(config.clone()).await;
        let made = made.map_err(|err| self.unmade(&err))?;
        let there = &made.cached_info().config;
        // Made by an earlier version, or for fewer servers.
        let same = there.allow_direct
            && there.subjects == config.subjects
            && there.max_message_size == LONGEST_ROW;
        if !same || there.num_replicas != num_replicas {
            let subjects = config.subjects;
            let mended = Config {
                subjects,
                allow_direct: true,
                max_message_size: LONGEST_ROW,
                num_replicas,
                ..there.clone()
            };
            self.context.update_stream(mended).await.map_err(|err| self.unmade(&err))?;
        }
        for stream in [room, signs] {
            self.context.create_or_update_stream(stream).await.map_err(|err| self.unmade(&err))?;
        }
        Ok(())
    }

    /// Why a stream is not made.
    fn unmade(&self, err: &CreateStreamError) -> HallError {
        match err.kind() {
            CreateStreamErrorKind::TimedOut | CreateStreamErrorKind::Response => self.no_store(),
            CreateStreamErrorKind::JetStream(err) if FULL.contains(&err.error_code()) => {
                HallError::Full { url: self.url.clone() }
            }
            _ => lost(err),
        }
    }

    fn no_store(&self) -> HallError {
        if self.is_lost() {
            return HallError::Lost("it was cut".to_owned());
        }
        HallError::NoStore { url: self.url.clone() }
    }

    /// Why nothing was kept of what was published.
    pub(crate) fn unkept(&self, err: &PublishError) -> HallError {
        let code = err.source().and_then(|source| source.downcast_ref::<jetstream::Error>());
        match (err.kind(), code.map(jetstream::Error::error_code)) {
            (_, Some(code)) if FULL.contains(&code) => HallError::Full { url: self.url.clone() },
            (PublishErrorKind::StreamNotFound | PublishErrorKind::TimedOut, _) => self.no_store(),
            _ => lost(err),
        }
    }

    /// Tries whether rows are taken, with a message of this subject, of which the last one alone is
    /// kept: [`EventName::room`] or [`BoardPlace::room`].
    ///
    /// # Errors
    /// [`HallError::Full`], [`HallError::NoStore`], [`HallError::Lost`].
    pub async fn has_room(&self, subject: String) -> Result<(), HallError> {
        let kept = async { self.context.publish(subject, "".into()).await?.await };
        kept.await.map(drop).map_err(|err| self.unkept(&err))
    }

    /// The stream of an event.
    ///
    /// # Errors
    /// [`HallError::NoEvent`], [`HallError::Lost`].
    pub async fn event(&self, event: &EventName) -> Result<Stream, HallError> {
        self.context.get_stream(event.stream()).await.map_err(|err| match err.kind() {
            GetStreamErrorKind::JetStream(_) => {
                HallError::NoEvent { url: self.url.clone(), event: event.to_string() }
            }
            GetStreamErrorKind::Request => self.no_store(),
            _ => lost(&err),
        })
    }

    /// Looks whether there is the event, as far as this line's key lets it: a board asks for
    /// nothing but its own.
    ///
    /// # Errors
    /// As [`Link::event`].
    pub(crate) async fn has_event(&self, event: &EventName) -> Result<(), HallError> {
        match &self.signer {
            Some(signer) if signer.event() != event => {
                Err(HallError::NoEvent { url: self.url.clone(), event: event.to_string() })
            }
            Some(signer) if signer.role() != KeyRole::Hall => Ok(()),
            _ => self.event(event).await.map(drop),
        }
    }

    /// Why not each server of the hall has every row; `None`: each has.
    ///
    /// # Errors
    /// As [`Link::event`].
    pub async fn out_of_step(&self, event: &EventName) -> Result<Option<String>, HallError> {
        let stream = self.event(event).await?;
        let Some(cluster) = &stream.cached_info().cluster else { return Ok(None) };
        if cluster.leader.is_none() {
            return Ok(Some("the servers are choosing their leader".to_owned()));
        }
        let others = &cluster.replicas;
        let all = replicas(&self.url).max(others.len() + 1);
        let good = others.iter().filter(|peer| peer.current && !peer.offline).count() + 1;
        if good == all {
            return Ok(None);
        }
        let away = others.iter().filter(|peer| !peer.current || peer.offline);
        let names: Vec<&str> = away.map(|peer| peer.name.as_str()).collect();
        let names = names.join(", ");
        Ok(Some(format!(
            "of {all} servers {good} have every row ({names} not): no other may be lost"
        )))
    }

    /// Whether each server of the hall has every row.
    ///
    /// # Errors
    /// As [`Link::event`].
    pub async fn is_in_step(&self, event: &EventName) -> Result<bool, HallError> {
        Ok(self.out_of_step(event).await?.is_none())
    }

    /// Who is paired at this board, from now on, as somebody says it.
    pub(crate) async fn pairings(&self, place: &BoardPlace) -> Result<Subscriber, HallError> {
        let subject = place.event.pairing(place.board);
        self.client.subscribe(subject).await.map_err(|err| lost(&err))
    }

    /// Compares a board's journal with its rows in the stream, one by one. Answers how many rows
    /// there are, and what differs, a line each.
    ///
    /// # Errors
    /// As [`Link::read`], and [`HallError::Journal`].
    pub async fn compare(
        &self,
        place: &BoardPlace,
        journal: &Path,
    ) -> Result<(u64, Vec<String>), HallError> {
        let mut rows: Vec<StreamRow> = Vec::new();
        self.read(&place.event, &place.rows(), |row| row.map(|row| rows.push(row)).is_some())
            .await?;
        let follower = Follower::open(journal)?;
        let mut differ = Vec::new();
        let mut compared = 0;
        let board = place.board;
        for end in follower.ends()? {
            let game = end.game;
            let last = rows.iter().filter(|row| row.of.game == game).map(|row| row.of.copy).max();
            let of = GameSubject { board, game, copy: last.unwrap_or(1) };
            let copy: Vec<&KeptRow> =
                rows.iter().filter(|row| row.of == of).map(|row| &row.row).collect();
            let own = follower.rows(game, 1, usize::MAX)?;
            compared += own.len() as u64;
            let same = own.iter().zip(&copy).take_while(|(own, copy)| own == *copy).count();
            if same < own.len() || same < copy.len() {
                differ.push(format!(
                    "board {board}, game {game}: {} rows in the journal, {} in the stream, row {} differs",
                    own.len(),
                    copy.len(),
                    same + 1
                ));
            }
        }
        Ok((compared, differ))
    }
}

/// The last message with this subject; `None`: there is none. A board asks so for its own subjects.
pub(crate) async fn last_of(
    link: &Link,
    event: &EventName,
    subject: &str,
) -> Result<Option<StreamMessage>, HallError> {
    let stream = link.context().get_stream_no_info(event.stream()).await;
    let stream = stream.map_err(|err| lost(&err))?;
    match stream.direct_get_last_for_subject(subject).await {
        Ok(message) => Ok(Some(message)),
        Err(err) if matches!(err.kind(), DirectGetErrorKind::NotFound) => Ok(None),
        Err(err) => Err(lost(&err)),
    }
}

/// The headers of a row, signed where the line has a key.
pub(crate) fn headers_of(
    link: &Link,
    event: &EventName,
    of: GameSubject,
    row: &KeptRow,
) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(ROW, row.number.to_string().as_str());
    headers.insert(AT_MS, row.at_ms.to_string().as_str());
    headers.insert(SUM, sum_text(row.sum).as_str());
    if let Some(signer) = link.signer() {
        headers.insert(SIGNED, signer.sign(&row_text(event, of, row)).as_str());
    }
    headers
}

/// The row in a message, if it is one that may stand there.
pub(crate) fn row_of(
    link: &Link,
    event: &EventName,
    message: &StreamMessage,
) -> Result<StreamRow, &'static str> {
    let header =
        |name: &str| message.headers.get(name).map(|value| value.as_str()).unwrap_or_default();
    let number = |name: &str| header(name).parse::<u64>().map_err(|_| "a header is missing");
    let of = GameSubject::read(event, &message.subject).ok_or("another subject")?;
    let json = std::str::from_utf8(&message.payload).map_err(|_| "it is no text")?.to_owned();
    let sum = read_sum(header(SUM)).ok_or("it has no checksum")?;
    let row = KeptRow { number: number(ROW)?, at_ms: number(AT_MS)?, json, sum };
    if let Some(signer) = link.signer() {
        signer.check_row(of, &row, header(SIGNED))?;
    }
    Ok(StreamRow { of, row, sequence: message.sequence })
}

pub(crate) fn lost(err: &dyn std::error::Error) -> HallError {
    HallError::Lost(one_line(err))
}

fn one_line(err: &dyn std::error::Error) -> String {
    err.to_string().replace(char::is_control, " ")
}
