//! A board's way to the hall: every row of its journal, after it is on the board's own disk.
//!
//! A thread of its own reads the journal's file and publishes what is new, one row after another,
//! each when the one before it is acknowledged. It holds a handful of rows and no queue, and
//! nothing waits for it: a board plays on for days without a hall, and its journal is what is
//! caught up from.
//!
//! # Exactly once, in order
//!
//! Each row names the place in the stream that the row before it has
//! (`Nats-Expected-Last-Subject-Sequence`), and the server refuses it at any other. So whatever was
//! cut where, asking for the last row of the game in the stream tells where to go on. On every new
//! line that is asked: a server that lost power may have lost rows that it had acknowledged.
//!
//! No message has an id: the server counts those of all boards together, and would take a row for
//! one that it has already, whose id another board has used before.

use std::{
    collections::{BTreeMap, BTreeSet},
    convert::Infallible,
    io,
    path::Path,
    thread::JoinHandle,
    time::{Duration, Instant},
};

use async_nats::{
    Subscriber, header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, jetstream::context::PublishErrorKind,
};
use futures_util::StreamExt as _;
use tokio::sync::watch;

use crate::{
    HallError, ask,
    names::{BoardPlace, GameSubject},
    pairing,
    rights::LONGEST_ROW,
    role::KeyRole,
    round::Pair,
    settings::WireSettings,
    stream::{Link, SIGN, StreamRow, headers_of, last_of, lost, row_of},
    takeover::is_owner,
};
use annabella_records::journal::{Follower, GameEnd, GameId, JournalError, KeptRow};
use annabella_threads::Backoff;

/// A loop that has taken none of its news for so long hangs.
const HANGS: Duration = Duration::from_secs(3);
/// The journal is looked at this often. A look at one that has not changed costs microseconds.
const LOOK: Duration = Duration::from_millis(50);
/// A journal is made within this time.
const IS_MADE: Duration = Duration::from_secs(5);
/// A server that is full is tried again this often.
const FULL: Duration = Duration::from_secs(2);
/// Stands for the number of a last row that is none.
const NO_ROW: u64 = u64::MAX;
/// The headers of a row are shorter, bytes.
const LONGEST_HEADERS: usize = 2 * 1_024;
/// Rows that are in memory at one time.
const ROWS: usize = 64;

/// How the wire stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WireState {
    /// There is a line to the hall.
    pub connected: bool,
    /// Rows that the hall has acknowledged since the program was started.
    pub sent: u64,
    /// Everything in the journal was acknowledged on this line.
    pub caught_up: bool,
    /// Another board has taken this one's place: nothing is sent.
    pub taken_over: bool,
}

/// The running wire. It ends when this is dropped; what was not sent is sent at the next start.
#[derive(Debug)]
pub struct Wire {
    stop: watch::Sender<bool>,
    state: watch::Receiver<WireState>,
    pairing: watch::Receiver<Option<Pair>>,
    thread: Option<JoinHandle<()>>,
}

impl Wire {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system gives none.
    pub fn start(settings: WireSettings) -> io::Result<Wire> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, mut stopped) = watch::channel(false);
        let (tell_state, state) = watch::channel(WireState::default());
        let (tell_pairing, pairing) = watch::channel(None);
        let run = move || {
            runtime.block_on(async {
                tokio::select! {
                    _ = stopped.wait_for(|stop| *stop) => {}
                    () = run(&settings, &tell_state, &tell_pairing) => {}
                }
            });
            // A name that is still being looked up is not waited for.
            runtime.shutdown_background();
        };
        let thread = std::thread::Builder::new().name("hall".to_owned()).spawn(run)?;
        Ok(Wire { stop, state, pairing, thread: Some(thread) })
    }

    pub fn state(&self) -> watch::Receiver<WireState> {
        self.state.clone()
    }

    /// Who is paired at the board, as the hall said it last.
    pub fn pairing(&self) -> watch::Receiver<Option<Pair>> {
        self.pairing.clone()
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.take() {
            // It panicked: that was said on standard error.
            let _ = thread.join();
        }
    }
}

/// After a line that lasted so long, what ends the next one is news.
const LASTED: Duration = Duration::from_secs(10);

/// One line after another, until the future is dropped.
async fn run(
    settings: &WireSettings,
    state: &watch::Sender<WireState>,
    pairing: &watch::Sender<Option<Pair>>,
) {
    let mut backoff = Backoff::new(Duration::from_millis(250), Duration::from_secs(10));
    let mut told = Told::default();
    let mut follower = None;
    loop {
        let began = Instant::now();
        let sent = state.borrow().sent;
        let ended = match line(settings).await {
            Ok((link, pairings)) => {
                told.joined(settings);
                let (ends, skipped) = (BTreeMap::new(), BTreeSet::new());
                let mut sender = Sender { settings, link, state, pairing, ends, skipped };
                let Err(ended) = sender.serve(&mut follower, pairings).await;
                ended
            }
            Err(err) => err,
        };
        let mut good = began.elapsed() > LASTED;
        if good {
            told.why.clear();
        }
        state.send_modify(|state| {
            // A line over which rows went was a good one, however soon it was cut.
            good |= state.caught_up || state.sent > sent;
            (state.connected, state.caught_up) = (false, false);
            // A line that is lost says nothing about it.
            state.taken_over |= matches!(ended, HallError::TakenOver { .. });
        });
        if good {
            backoff.reset();
        }
        told.ended(settings, &ended);
        tokio::time::sleep(backoff.pause()).await;
    }
}

/// What was told last. The same again and again is said once.
#[derive(Debug, Default)]
struct Told {
    joined: bool,
    why: String,
}

impl Told {
    fn joined(&mut self, settings: &WireSettings) {
        if !std::mem::replace(&mut self.joined, true) {
            let BoardPlace { event, board } = &settings.place;
            (settings.tell)(&format!(
                "hall: board {board} of {event} is joined to {}",
                settings.url
            ));
        }
    }

    fn ended(&mut self, settings: &WireSettings, why: &HallError) {
        let why = why.to_string();
        if why != self.why {
            (settings.tell)(&format!("hall: {why}"));
            *self = Told { joined: false, why };
        }
    }
}

/// A new line, and on it the news of who plays at this board.
async fn line(settings: &WireSettings) -> Result<(Link, Subscriber), HallError> {
    let place = &settings.place;
    let name = format!("board {}", place.board);
    let link = Link::open(&settings.url, settings.credentials.as_deref(), &name).await?;
    if let (Some(signer), Some(path)) = (link.signer(), &settings.credentials)
        && matches!(signer.role(), KeyRole::Board(board) if board != place.board)
    {
        let (path, reason) = (path.clone(), format!("it is the key of {signer}"));
        return Err(HallError::Credentials { path, reason });
    }
    link.has_event(&place.event).await?;
    let pairings = link.pairings(place).await?;
    is_owner(&link, place, &settings.journal).await?;
    Ok((link, pairings))
}

/// The end of a game in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sent {
    copy: u32,
    /// The last row, from 1; 0: none yet.
    number: u64,
    sum: [u8; 16],
    sequence: u64,
}

impl Sent {
    fn nothing(copy: u32) -> Sent {
        Sent { copy, number: 0, sum: [0; 16], sequence: 0 }
    }
}

/// Sends on one line.
struct Sender<'a> {
    settings: &'a WireSettings,
    link: Link,
    state: &'a watch::Sender<WireState>,
    pairing: &'a watch::Sender<Option<Pair>>,
    ends: BTreeMap<GameId, Sent>,
    /// Games with a row that cannot be sent. They keep no other game back.
    skipped: BTreeSet<GameId>,
}

impl Sender<'_> {
    async fn serve(
        &mut self,
        follower: &mut Option<Follower>,
        mut pairings: Subscriber,
    ) -> Result<Infallible, HallError> {
        let WireSettings { place, journal: own, .. } = self.settings;
        self.state.send_modify(|state| (state.connected, state.taken_over) = (true, false));
        let _answering = ask::answer(self.settings, &self.link).await?;
        self.paired(pairing::at(&self.link, place).await)?;
        let mut sign: Option<Instant> = None;
        let (mut look, mut full): (_, Option<Instant>) = (true, None);
        loop {
            if sign.is_none_or(|last| last.elapsed() >= SIGN) {
                self.sign().await?;
                is_owner(&self.link, place, own).await?;
                sign = Some(Instant::now());
            }
            if follower.is_none() {
                *follower = journal(&self.settings.journal)?;
                look = true;
            }
            match follower.as_mut().map(Follower::changed) {
                // Repaired or exchanged: the new one is opened next.
                Some(Err(JournalError::Gone { .. })) => *follower = None,
                Some(changed) => look |= changed?,
                None => {}
            }
            let waits = full.is_some_and(|since| since.elapsed() < FULL);
            if look
                && !waits
                && let Some(follower) = follower
            {
                match self.catch_up(follower, &mut sign).await {
                    Ok(more) => {
                        look = more;
                        if full.take().is_some() {
                            (self.settings.tell)("hall: the server has room again");
                        }
                    }
                    // The board stays on this line: it is asked and told there as before.
                    Err(err @ HallError::Full { .. }) => {
                        if full.replace(Instant::now()).is_none() {
                            (self.settings.tell)(&format!("hall: {err}"));
                        }
                    }
                    Err(err) => return Err(err),
                }
                self.state.send_modify(|state| state.caught_up = !look);
            }
            tokio::select! {
                () = self.link.lost() => return Err(HallError::Lost("it was cut".to_owned())),
                Some(pair) = pairings.next() => {
                    self.paired(pairing::read(place, &pair.subject, &pair.payload))?;
                }
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }

    /// Hands on who is paired here. What is no pairing is nobody's loss.
    fn paired(&self, pair: Result<Option<Pair>, HallError>) -> Result<(), HallError> {
        match pair {
            Ok(Some(pair)) => {
                self.pairing.send_if_modified(|known| known.replace(pair.clone()) != Some(pair));
                Ok(())
            }
            Ok(None) => Ok(()),
            Err(err @ HallError::Foreign { .. }) => {
                (self.settings.tell)(&format!("hall: {err}"));
                Ok(())
            }
            Err(err) => Err(err),
        }
    }

    /// Says that the board is here, if its game lives. Nothing keeps it.
    async fn sign(&self) -> Result<(), HallError> {
        let alive = self.settings.alive.as_ref();
        if alive.is_some_and(|alive| alive.borrow().elapsed() > HANGS) {
            return Ok(());
        }
        let client = self.link.client();
        client.publish(self.settings.place.here(), "".into()).await.map_err(|err| lost(&err))
    }

    /// Sends what is new in every game. Answers whether there may be more.
    async fn catch_up(
        &mut self,
        follower: &Follower,
        sign: &mut Option<Instant>,
    ) -> Result<bool, HallError> {
        for end in follower.ends()? {
            let same = |sent: &Sent| (sent.number, sent.sum) == (end.inputs, end.sum);
            while end.inputs > 0
                && !self.skipped.contains(&end.game)
                && !self.ends.get(&end.game).is_some_and(same)
            {
                match self.some_rows(follower, end).await {
                    Ok(true) => {}
                    Ok(false) => return Ok(true),
                    Err(err @ (HallError::DamagedRow { .. } | HallError::TooLong { .. })) => {
                        (self.settings.tell)(&format!("hall: {err}"));
                        self.skipped.insert(end.game);
                    }
                    Err(err) => return Err(err),
                }
                if sign.is_none_or(|last| last.elapsed() >= SIGN) {
                    self.sign().await?;
                    *sign = Some(Instant::now());
                }
            }
        }
        Ok(false)
    }

    /// Sends a handful of rows of a game. Answers `false` when the journal has changed meanwhile.
    async fn some_rows(&mut self, follower: &Follower, end: GameEnd) -> Result<bool, HallError> {
        let game = end.game;
        let mut sent = match self.ends.get(&game) {
            Some(sent) => *sent,
            None => {
                let last = self.last_copy(game).await?;
                self.ends.insert(game, last);
                last
            }
        };
        // The last row that was sent comes along, to see that it is still the same.
        let mut rows = follower.rows(game, sent.number.max(1), ROWS)?;
        if sent.number > 0 {
            let same =
                rows.first().is_some_and(|row| (row.number, row.sum) == (sent.number, sent.sum));
            if !same {
                let (board, copy) = (self.settings.place.board, sent.copy + 1);
                let other = match sent.number {
                    NO_ROW => "has something in its place in the hall that is no row".to_owned(),
                    last => format!("is another now than the {last} rows that the hall has"),
                };
                (self.settings.tell)(&format!(
                    "hall: board {board}, game {game} {other}: it is sent anew, as copy {copy}"
                ));
                self.ends.insert(game, Sent::nothing(sent.copy + 1));
                return Ok(true);
            }
            rows.remove(0);
        }
        let any = !rows.is_empty();
        for row in &rows {
            if row.number != sent.number + 1 || !row.follows(game, sent.sum) {
                return Err(HallError::DamagedRow { game: game.number, row: sent.number + 1 });
            }
            match self.publish(game, sent, row).await? {
                Some(sequence) => {
                    sent = Sent { number: row.number, sum: row.sum, sequence, ..sent };
                    self.ends.insert(game, sent);
                    self.state.send_modify(|state| state.sent += 1);
                }
                None => {
                    // Somebody else has written there, or a row that seemed lost came after all.
                    self.ends.remove(&game);
                    return Ok(true);
                }
            }
        }
        Ok(any)
    }

    /// The last copy of a game in the stream.
    async fn last_copy(&self, game: GameId) -> Result<Sent, HallError> {
        let place = &self.settings.place;
        is_owner(&self.link, place, &self.settings.journal).await?;
        let mut last = Sent::nothing(1);
        for copy in 1..=u32::MAX {
            let subject = place.game(game, copy);
            let Some(end) = last_of(&self.link, &place.event, &subject).await? else { break };
            let sequence = end.sequence;
            // After what is no row of ours nothing follows: the next copy begins.
            last = match row_of(&self.link, &place.event, &end) {
                Ok(StreamRow { row, .. }) => {
                    Sent { copy, number: row.number, sum: row.sum, sequence }
                }
                Err(_) => Sent { copy, number: NO_ROW, sum: [0; 16], sequence },
            };
        }
        Ok(last)
    }

    /// Publishes a row after the last one. Answers its place in the stream; `None`: the stream has
    /// another last row.
    async fn publish(
        &self,
        game: GameId,
        after: Sent,
        row: &KeptRow,
    ) -> Result<Option<u64>, HallError> {
        let place = &self.settings.place;
        let (number, bytes) = (row.number, row.json.len());
        let too_long =
            |most| Err(HallError::TooLong { game: game.number, row: number, bytes, most });
        let most = usize::try_from(LONGEST_ROW).unwrap_or(0) - LONGEST_HEADERS;
        if bytes > most {
            return too_long(most);
        }
        let of = GameSubject { board: place.board, game, copy: after.copy };
        let mut headers = headers_of(&self.link, &place.event, of, row);
        headers.insert(NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, after.sequence.to_string().as_str());
        let subject = place.game(game, after.copy);
        let payload = row.json.clone().into();
        let sending = async {
            self.link.context().publish_with_headers(subject, headers, payload).await?.await
        };
        let published = tokio::select! {
            () = self.link.lost() => return Err(HallError::Lost("it was cut".to_owned())),
            published = sending => published,
        };
        match published {
            Ok(ack) => Ok(Some(ack.sequence)),
            Err(err) => match err.kind() {
                PublishErrorKind::WrongLastSequence => Ok(None),
                PublishErrorKind::MaxPayloadExceeded => {
                    too_long(self.link.client().server_info().max_payload)
                }
                _ => Err(self.link.unkept(&err)),
            },
        }
    }
}

/// The journal; `None`: no game was played yet.
fn journal(path: &Path) -> Result<Option<Follower>, HallError> {
    match Follower::open(path) {
        Err(JournalError::Missing { .. }) => Ok(None),
        // It is being made just now.
        Err(JournalError::Foreign { .. }) if is_new(path) => Ok(None),
        opened => Ok(Some(opened?)),
    }
}

fn is_new(path: &Path) -> bool {
    let written = path.metadata().and_then(|file| file.modified()).ok();
    written.and_then(|written| written.elapsed().ok()).is_some_and(|since| since < IS_MADE)
}
