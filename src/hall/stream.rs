//! The event's stream: how it is reached, made, and read.

use std::{error::Error as _, path::Path, time::Duration};

use async_nats::{
    Client, ConnectErrorKind, ConnectOptions, Event, HeaderMap, Subscriber,
    jetstream::{
        self, Context, ErrorCode,
        consumer::{AckPolicy, DeliverPolicy, pull},
        context::{
            CreateStreamError, CreateStreamErrorKind, GetStreamErrorKind, PublishError,
            PublishErrorKind,
        },
        message::StreamMessage,
        stream::{Config, DirectGetErrorKind, DiscardPolicy, Stream},
    },
};
use futures_util::{FutureExt as _, StreamExt as _};
use tokio::sync::watch;

use crate::{
    HallError,
    keys::KeyFile,
    names::{BoardPlace, EventName, GameSubject, board_here, read_sum, sum_text},
};
use annabella_records::journal::{Follower, KeptRow};

/// The header with the row's number.
pub(crate) const ROW: &str = "Annabella-Row";
/// The header with the row's moment.
pub(crate) const AT_MS: &str = "Annabella-At-Ms";
/// The header with the row's checksum.
pub(crate) const SUM: &str = "Annabella-Sum";

/// How long anything may take that is asked of the server.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// Message ids are remembered for so long. Order does not depend on it: see `docs/hall.md`.
const DUPLICATES: Duration = Duration::from_secs(120);
/// A reader to whom nothing comes hears of it so often.
const NOTHING_NEW: Duration = Duration::from_millis(100);
/// And the server says so often that there is nothing. A reader that misses this twice reads on over another line:
/// of several servers the one that served him may be gone, while his line is to another.
const HEARTBEAT: Duration = Duration::from_secs(1);

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
    client: Client,
    context: Context,
    lost: watch::Receiver<bool>,
}

/// A row as it stands in the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamRow {
    /// Of which game of which board.
    pub of: GameSubject,
    pub row: KeptRow,
    pub sequence: u64,
}

/// Up to where somebody has read a stream: the last message, and when the server took it. A server that lost rows may
/// have others at their places, which it took later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamMark {
    sequence: u64,
    unix_ns: i128,
}

/// Signs of life as they come.
#[derive(Debug)]
pub struct Signs {
    event: EventName,
    subscriber: Subscriber,
}

impl Signs {
    /// The board of the next one, if one has come.
    pub fn next_now(&mut self) -> Option<u32> {
        loop {
            let message = self.subscriber.next().now_or_never()??;
            // Anything else in its place is nobody's sign.
            if let Some(board) = board_here(&self.event, &message.subject) {
                return Some(board);
            }
        }
    }
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
        if let Some(path) = credentials {
            let wrong = |reason: String| HallError::Credentials { path: path.to_owned(), reason };
            let text = std::fs::read_to_string(path).map_err(|err| wrong(err.to_string()))?;
            options = match KeyFile::read(&text).map_err(wrong)? {
                // The certificate in it is the only one that counts.
                Some(key) => options
                    .nkey(key.seed)
                    .custom_inbox_prefix(key.inbox)
                    .add_root_certificates(path.to_owned())
                    .require_tls(true),
                None => options.credentials(&text).map_err(|err| wrong(err.to_string()))?,
            };
        }
        let (tell, lost) = watch::channel(false);
        let options = options
            .name(name)
            .connection_timeout(PATIENCE)
            .request_timeout(Some(PATIENCE))
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
        Ok(Link { url: url.to_owned(), client, context, lost })
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
            num_replicas,
            ..Config::default()
        };
        let room = Config {
            name: event.room_stream(),
            subjects: vec![event.room(), event.board_rooms()],
            // It never grows.
            max_messages_per_subject: 1,
            num_replicas,
            ..Config::default()
        };
        let made = self.context.get_or_create_stream(config.clone()).await;
        let made = made.map_err(|err| self.unmade(&err))?;
        let there = &made.cached_info().config;
        // Made by an earlier version, or for fewer servers.
        let same = there.allow_direct && there.subjects == config.subjects;
        if !same || there.num_replicas != num_replicas {
            let subjects = config.subjects;
            let mended = Config { subjects, allow_direct: true, num_replicas, ..there.clone() };
            self.context.update_stream(mended).await.map_err(|err| self.unmade(&err))?;
        }
        self.context.create_or_update_stream(room).await.map_err(|err| self.unmade(&err))?;
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

    /// Tries whether rows are taken, with a message of this subject, of which the last one alone is kept:
    /// [`EventName::room`] or [`BoardPlace::room`].
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

    /// Hands over every row with such a subject, the oldest first, and goes on as new ones come. `more` says
    /// after each whether another is wanted; it gets `None` when all that there was is read, and from then on
    /// whenever nothing came for a tenth of a second.
    ///
    /// # Errors
    /// [`HallError::NoEvent`], [`HallError::Foreign`], and [`HallError::Lost`].
    pub async fn read(
        &self,
        event: &EventName,
        subjects: &str,
        more: impl FnMut(Option<StreamRow>) -> bool,
    ) -> Result<(), HallError> {
        self.read_on(event, subjects, &mut None, more).await
    }

    /// The same from a mark on, which goes with what is read. Everything is read anew where there is none, or where
    /// the stream has another message there: a server that lost power may have lost rows that boards then bring again.
    ///
    /// # Errors
    /// As [`Link::read`].
    pub async fn read_on(
        &self,
        event: &EventName,
        subjects: &str,
        mark: &mut Option<StreamMark>,
        mut more: impl FnMut(Option<StreamRow>) -> bool,
    ) -> Result<(), HallError> {
        let stream = self.event(event).await?;
        let from = match *mark {
            Some(mark) if stands(&stream, mark).await? => {
                DeliverPolicy::ByStartSequence { start_sequence: mark.sequence + 1 }
            }
            _ => DeliverPolicy::All,
        };
        let config = pull::Config {
            filter_subject: subjects.to_owned(),
            deliver_policy: from,
            ack_policy: AckPolicy::None,
            inactive_threshold: Duration::from_secs(30),
            memory_storage: true,
            num_replicas: 1,
            ..pull::Config::default()
        };
        let consumer = stream.create_consumer(config).await.map_err(|err| lost(&err))?;
        let messages = consumer.stream().heartbeat(HEARTBEAT).messages().await;
        let mut messages = messages.map_err(|err| lost(&err))?;
        let mut expected = 1;
        let mut behind = consumer.cached_info().num_pending > 0;
        if !behind && !more(None) {
            return Ok(());
        }
        loop {
            let next = tokio::select! {
                biased;
                () = self.lost() => return Err(HallError::Lost("it was cut".to_owned())),
                next = tokio::time::timeout(NOTHING_NEW, messages.next()) => next,
            };
            let message = match next {
                Err(_) if behind || more(None) => continue,
                Err(_) => return Ok(()),
                Ok(None) => return Err(HallError::Lost("nothing more comes".to_owned())),
                Ok(Some(message)) => message.map_err(|err| lost(&err))?,
            };
            let info = message.info().map_err(|err| HallError::Lost(err.to_string()))?;
            let (place, sequence) = (info.consumer_sequence, info.stream_sequence);
            let last = info.pending == 0;
            if place != expected {
                return Err(HallError::Lost(format!("row {expected} did not come, {place} did")));
            }
            expected += 1;
            let headers = message.headers.clone().unwrap_or_default();
            let row = read_row(event, &message.subject, &headers, &message.payload, sequence)?;
            let unix_ns = info.published.unix_timestamp_nanos();
            *mark = Some(StreamMark { sequence, unix_ns });
            if !more(Some(row)) || (behind && last && !more(None)) {
                return Ok(());
            }
            behind &= !last;
        }
    }

    /// The signs of life of every board, from now on.
    ///
    /// # Errors
    /// [`HallError::Lost`].
    pub async fn signs(&self, event: &EventName) -> Result<Signs, HallError> {
        let subscriber = self.client.subscribe(event.signs()).await.map_err(|err| lost(&err))?;
        Ok(Signs { event: event.clone(), subscriber })
    }

    /// Who this board is, from now on, as somebody says it.
    pub(crate) async fn owners(&self, place: &BoardPlace) -> Result<Subscriber, HallError> {
        self.client.subscribe(place.owner()).await.map_err(|err| lost(&err))
    }

    /// Who is paired at this board, from now on, as somebody says it.
    pub(crate) async fn pairings(&self, place: &BoardPlace) -> Result<Subscriber, HallError> {
        let subject = place.event.pairing(place.board);
        self.client.subscribe(subject).await.map_err(|err| lost(&err))
    }

    /// Compares a board's journal with its rows in the stream, one by one. Answers how many rows there are,
    /// and what differs, a line each.
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

/// Whether the stream has at this place the message that it had when it was read.
async fn stands(stream: &Stream, mark: StreamMark) -> Result<bool, HallError> {
    match stream.direct_get(mark.sequence).await {
        Ok(message) => Ok(message.time.unix_timestamp_nanos() == mark.unix_ns),
        Err(err) if matches!(err.kind(), DirectGetErrorKind::NotFound) => Ok(false),
        Err(err) => Err(lost(&err)),
    }
}

/// The end of a game's rows in the stream; `None`: there are none.
pub(crate) async fn end_of(
    stream: &Stream,
    event: &EventName,
    subject: &str,
) -> Result<Option<StreamRow>, HallError> {
    let Some(message) = last_of(stream, subject).await? else { return Ok(None) };
    let sequence = message.sequence;
    read_row(event, &message.subject, &message.headers, &message.payload, sequence).map(Some)
}

/// The last message with this subject; `None`: there is none.
pub(crate) async fn last_of(
    stream: &Stream,
    subject: &str,
) -> Result<Option<StreamMessage>, HallError> {
    match stream.direct_get_last_for_subject(subject).await {
        Ok(message) => Ok(Some(message)),
        Err(err) if matches!(err.kind(), DirectGetErrorKind::NotFound) => Ok(None),
        Err(err) => Err(lost(&err)),
    }
}

/// The headers of a row.
pub(crate) fn headers_of(row: &KeptRow) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(ROW, row.number.to_string().as_str());
    headers.insert(AT_MS, row.at_ms.to_string().as_str());
    headers.insert(SUM, sum_text(row.sum).as_str());
    headers
}

fn read_row(
    event: &EventName,
    subject: &str,
    headers: &HeaderMap,
    payload: &[u8],
    sequence: u64,
) -> Result<StreamRow, HallError> {
    let foreign = |reason: &str| HallError::Foreign {
        subject: subject.to_owned(),
        reason: reason.to_owned(),
    };
    let header = |name: &str| headers.get(name).map(|value| value.as_str()).unwrap_or_default();
    let number =
        |name: &str| header(name).parse::<u64>().map_err(|_| foreign("a header is missing"));
    let of = GameSubject::read(event, subject).ok_or_else(|| foreign("another subject"))?;
    let json = std::str::from_utf8(payload).map_err(|_| foreign("it is no text"))?.to_owned();
    let sum = read_sum(header(SUM)).ok_or_else(|| foreign("it has no checksum"))?;
    let row = KeptRow { number: number(ROW)?, at_ms: number(AT_MS)?, json, sum };
    Ok(StreamRow { of, row, sequence })
}

pub(crate) fn lost(err: &dyn std::error::Error) -> HallError {
    HallError::Lost(one_line(err))
}

fn one_line(err: &dyn std::error::Error) -> String {
    err.to_string().replace(char::is_control, " ")
}
