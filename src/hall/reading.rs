//! Messages of a stream, one by one, whatever somebody has put into them.
//!
//! A board may write any bytes where it may write at all: a header line that a client library takes
//! for word from the server, or cannot read and gives up its line for. So a stream is not delivered
//! to whoever reads it. He asks for each message, and the server answers in JSON, in which header
//! and payload are base64. What is no row is set aside and named, and the reading goes on. Only
//! where the hall is far behind it has messages delivered, as long as they are as our boards write
//! them. Source: NATS documentation, JetStream API, `STREAM.MSG.GET`.

use std::{collections::BTreeMap, time::Duration};

use async_nats::{
    Client,
    datetime::{DateTime, parse_rfc3339},
};
use base64::{Engine as _, prelude::BASE64_STANDARD as BASE64};
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use serde::Deserialize;
use serde_json::json;
use tokio::{sync::mpsc, task::JoinHandle, time::Instant};

use crate::{
    HallError,
    budget::Budgets,
    delivery::Delivery,
    names::{EventName, GameSubject, board_here, read_sum},
    stream::{AT_MS, Link, PATIENCE, ROW, SUM, StreamRow, lost},
    trust::{SIGNED, Signer},
};
use annabella_records::journal::{GameId, KeptRow};

/// So many messages are asked for at one time. The longest of them together, as JSON, are less than
/// a server holds for a line.
const WINDOW: usize = 16;
/// After so many in a row, one by one, it is asked how many more there are.
const STREAK: u32 = 16;
/// Whoever is so far behind has messages delivered.
const BEHIND: u64 = 1_000;
/// After one that cannot be delivered so many are asked for one by one. A new line costs less than
/// they do: a board that writes such messages makes nobody slower than if nothing were delivered.
const ONE_BY_ONE: u64 = 4_096;
/// Where nothing is new, it is asked again so often.
const AGAIN: Duration = Duration::from_millis(50);
/// And so often while rows come.
const SOON: Duration = Duration::from_millis(10);
/// Rows come: the last one is no older.
const COMING: Duration = Duration::from_secs(2);
/// A server that answers not even that is gone. Of several servers another one leads then.
const TAIL_ANSWERS: Duration = Duration::from_secs(2);
/// Signs of life are looked at so often.
const SIGNS: Duration = Duration::from_millis(500);
/// Signs that wait to be taken; more than that wait in the stream.
const WAITING: usize = 4_096;
/// The server's codes for "no such message" and "no such stream". Source: nats-server, errors.json.
const NO_MESSAGE: u64 = 10_037;
const NO_STREAM: u64 = 10_059;

/// Somebody who reads rows.
struct Reader<'a, F> {
    subjects: &'a str,
    mark: &'a mut Option<StreamMark>,
    /// Takes a row, or hears that there is none; answers whether another is wanted.
    more: F,
}

/// Up to where somebody has read a stream: the last message, and when the server took it. A server
/// that lost rows may have others at their places, which it took later.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamMark {
    sequence: u64,
    time: Option<DateTime>,
    /// The last copy of each game of each board.
    copies: BTreeMap<(u32, GameId), u32>,
}

impl StreamMark {
    /// Whether a copy is one that was there already, or the next. Whoever has a board's key could
    /// hide its games for good behind the last copy that there can be.
    fn follows(&mut self, of: GameSubject) -> bool {
        let last = self.copies.entry((of.board, of.game)).or_default();
        let follows = of.copy <= last.saturating_add(1);
        if follows {
            *last = of.copy.max(*last);
        }
        follows
    }
}

/// A message as it lies in a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    pub subject: String,
    /// Its place in the stream.
    pub sequence: u64,
    /// When the server took it.
    pub time: DateTime,
    /// The lines of its header, whatever stands there.
    pub(crate) header: Vec<u8>,
    pub(crate) payload: Vec<u8>,
}

#[derive(Deserialize)]
struct Answer {
    message: Option<Message>,
    error: Option<Refusal>,
}

#[derive(Deserialize)]
struct Message {
    subject: String,
    seq: u64,
    time: String,
    #[serde(default)]
    hdrs: String,
    #[serde(default)]
    data: String,
}

#[derive(Deserialize)]
struct Refusal {
    #[serde(default)]
    err_code: u64,
    #[serde(default)]
    description: String,
}

/// Why there is no message.
#[derive(Debug, PartialEq, Eq)]
pub enum NoMessage {
    /// None is there.
    Nothing,
    /// There is no such stream.
    NoStream,
    /// The server does not give it.
    Refused(String),
}

impl Kept {
    /// Reads a server's answer.
    ///
    /// # Errors
    /// [`NoMessage`].
    pub fn read(answer: &[u8]) -> Result<Kept, NoMessage> {
        let odd = || NoMessage::Refused("the server's answer cannot be read".to_owned());
        let answer: Answer = serde_json::from_slice(answer).map_err(|_| odd())?;
        if let Some(Refusal { err_code, description }) = answer.error {
            return Err(match err_code {
                NO_MESSAGE => NoMessage::Nothing,
                NO_STREAM => NoMessage::NoStream,
                _ => NoMessage::Refused(description),
            });
        }
        let Message { subject, seq, time, hdrs, data } = answer.message.ok_or_else(odd)?;
        let bytes = |text: String| BASE64.decode(text).map_err(|_| odd());
        let (header, payload) = (bytes(hdrs)?, bytes(data)?);
        let time = parse_rfc3339(&time).map_err(|_| odd())?;
        Ok(Kept { subject, sequence: seq, time, header, payload })
    }

    /// Its length.
    pub(crate) fn bytes(&self) -> u64 {
        (self.subject.len() + self.header.len() + self.payload.len()) as u64
    }

    /// The value of the first header line with this name; empty if there is none, or it is no text.
    pub fn header(&self, name: &str) -> &str {
        let mut lines = self.header.split(|byte| *byte == b'\n').skip(1);
        let value = lines.find_map(|line| {
            let value = line.strip_prefix(name.as_bytes())?.strip_prefix(b":")?;
            Some(std::str::from_utf8(value).unwrap_or_default().trim())
        });
        value.unwrap_or_default()
    }

    /// The row in it, if it is one of this event, and its signature, which nobody has looked at.
    ///
    /// # Errors
    /// Why it is none.
    pub fn row(self, event: &EventName) -> Result<(StreamRow, String), &'static str> {
        let of = GameSubject::read(event, &self.subject).ok_or("another subject")?;
        let number = |name| self.header(name).parse::<u64>().map_err(|_| "a header is missing");
        let (number, at_ms) = (number(ROW)?, number(AT_MS)?);
        let sum = read_sum(self.header(SUM)).ok_or("it has no checksum")?;
        let json = std::str::from_utf8(&self.payload).map_err(|_| "it is no text")?.to_owned();
        let row = KeptRow { number, at_ms, json, sum };
        let signed = self.header(SIGNED).to_owned();
        Ok((StreamRow { of, row, sequence: self.sequence }, signed))
    }
}

/// A message as it came to a reader.
struct Came {
    sequence: u64,
    time: DateTime,
    subject: String,
    /// The row in it with its signature, or why there is none.
    row: Result<(StreamRow, String), &'static str>,
}

/// Looks whose rows these are, and takes away those that are not their board's. A row is its
/// board's also where a later one of these is: that has the checksum of this one in its own.
fn check(signer: &Signer, all: &mut [Came]) {
    // Of each game the row, from the end on, that is its board's.
    let mut good: BTreeMap<GameSubject, usize> = BTreeMap::new();
    for n in (0..all.len()).rev() {
        let Ok((StreamRow { of, row, .. }, signed)) = &all[n].row else { continue };
        let later = good.get(of).and_then(|later| all[*later].row.as_ref().ok());
        let is_vouched_for = later.is_some_and(|(StreamRow { row: later, .. }, _)| {
            later.number == row.number + 1 && later.follows(of.game, row.sum)
        });
        let checked = if is_vouched_for { Ok(()) } else { signer.check_row(*of, row, signed) };
        match checked {
            Ok(()) => drop(good.insert(*of, n)),
            Err(reason) => all[n].row = Err(reason),
        }
    }
}

/// Whether a subject is one of those that a pattern means: `*` is any word, `>` all that follow.
fn is_meant(pattern: &str, subject: &str) -> bool {
    let (mut pattern, mut words) = (pattern.split('.'), subject.split('.'));
    loop {
        match (pattern.next(), words.next()) {
            (Some(">"), Some(_)) | (None, None) => return true,
            (Some(meant), Some(word)) if meant == "*" || meant == word => {}
            _ => return false,
        }
    }
}

/// Where the messages of a stream are asked for.
#[derive(Clone, Debug)]
struct Shelf {
    client: Client,
    /// What is asked.
    at: String,
    url: String,
    event: EventName,
}

impl Shelf {
    async fn get(
        &self,
        what: serde_json::Value,
        patience: Duration,
    ) -> Result<Option<Kept>, HallError> {
        let no_store = || HallError::NoStore { url: self.url.clone() };
        let asked = self.client.request(self.at.clone(), what.to_string().into());
        let answer = match tokio::time::timeout(patience, asked).await {
            Err(_) => return Err(HallError::Lost("the server does not answer".to_owned())),
            Ok(Err(err)) => {
                use async_nats::RequestErrorKind::{NoResponders, TimedOut};
                return Err(match err.kind() {
                    NoResponders | TimedOut => no_store(),
                    _ => lost(&err),
                });
            }
            Ok(Ok(answer)) => answer,
        };
        match Kept::read(&answer.payload) {
            Ok(kept) => Ok(Some(kept)),
            Err(NoMessage::Nothing) => Ok(None),
            Err(NoMessage::NoStream) => {
                Err(HallError::NoEvent { url: self.url.clone(), event: self.event.to_string() })
            }
            Err(NoMessage::Refused(_)) => Err(no_store()),
        }
    }

    /// The first message from this place on with such a subject.
    async fn next(&self, from: u64, subjects: &str) -> Result<Option<Kept>, HallError> {
        self.get(json!({ "seq": from, "next_by_subj": subjects }), TAIL_ANSWERS).await
    }

    /// The last message of a subject.
    async fn last(&self, subject: &str) -> Result<Option<Kept>, HallError> {
        self.get(json!({ "last_by_subj": subject }), PATIENCE).await
    }
}

impl Link {
    fn shelf(&self, event: &EventName, stream: &str, name: &str) -> Shelf {
        // Whoever has a key that is not the hall's asks under a name of its own: see `rights`.
        let at = match self.is_hall() {
            true => format!("$JS.API.STREAM.MSG.GET.{stream}"),
            false => format!("hall.{event}.{name}"),
        };
        let (client, url) = (self.client().clone(), self.url().to_owned());
        Shelf { client, at, url, event: event.clone() }
    }

    fn rows_shelf(&self, event: &EventName) -> Shelf {
        self.shelf(event, &event.stream(), "read")
    }

    fn signs_shelf(&self, event: &EventName) -> Shelf {
        self.shelf(event, &event.sign_stream(), "signs")
    }

    /// Hands over every row with such a subject, the oldest first, and goes on as new ones come.
    /// `more` says after each whether another is wanted; it gets `None` when all that there was is
    /// read, and from then on whenever nothing new is there, at least some twenty times a second.
    /// What is no row, or is not signed by its board, is set aside and told.
    ///
    /// # Errors
    /// [`HallError::NoEvent`], [`HallError::NoStore`], and [`HallError::Lost`].
    pub async fn read(
        &self,
        event: &EventName,
        subjects: &str,
        more: impl FnMut(Option<StreamRow>) -> bool,
    ) -> Result<(), HallError> {
        self.read_on(event, subjects, &mut None, more).await
    }

    /// The same from a mark on, which goes with what is read. Everything is read anew where there
    /// is none, or where the stream has another message there: a server that lost power may have
    /// lost rows that boards then bring again.
    ///
    /// # Errors
    /// As [`Link::read`].
    pub async fn read_on(
        &self,
        event: &EventName,
        subjects: &str,
        mark: &mut Option<StreamMark>,
        more: impl FnMut(Option<StreamRow>) -> bool,
    ) -> Result<(), HallError> {
        let shelf = self.rows_shelf(event);
        let mut next = match mark {
            Some(mark) if stands(&shelf, mark).await? => mark.sequence + 1,
            _ => {
                *mark = None;
                self.counting(Budgets::anew);
                1
            }
        };
        let mut to = Reader { subjects, mark, more };
        // Of one board they are few, and far between.
        let wide = self.is_hall() && subjects == event.rows();
        let mut last = if wide { self.last_place(event).await? } else { 0 };
        let (mut streak, mut came) = (0, Instant::now());
        let (mut delivery, mut one_by_one) = (None, 0);
        loop {
            if next <= last {
                if wide && delivery.is_none() && next >= one_by_one && last - next >= BEHIND {
                    delivery = Delivery::open(self, event, next).await.ok();
                }
                if let Some(from) = &mut delivery {
                    let (kept, goes_on) = from.messages(next, last).await;
                    next += kept.len() as u64;
                    if !goes_on {
                        (delivery, one_by_one) = (None, next + ONE_BY_ONE);
                    }
                    if !self.hands_over(event, kept, &mut to) {
                        return Ok(());
                    }
                    self.is_whole()?;
                    continue;
                }
                let places = next..=last.min(next + ONE_BY_ONE);
                next = places.end() + 1;
                let ask = |place| shelf.get(json!({ "seq": place }), PATIENCE);
                let mut all = std::pin::pin!(stream::iter(places).map(ask).buffered(WINDOW));
                while let Some(kept) = all.try_next().await? {
                    let wanted = self.hands_over(event, kept.into_iter().collect(), &mut to);
                    self.is_whole()?;
                    if !wanted {
                        return Ok(());
                    }
                }
                continue;
            }
            self.is_whole()?;
            match shelf.next(next, subjects).await? {
                None => {
                    if !(to.more)(None) {
                        return Ok(());
                    }
                    (streak, delivery) = (0, None);
                    tokio::time::sleep(if came.elapsed() < COMING { SOON } else { AGAIN }).await;
                }
                Some(kept) => {
                    (next, came) = (kept.sequence + 1, Instant::now());
                    if !self.hands_over(event, vec![kept], &mut to) {
                        return Ok(());
                    }
                    streak += 1;
                    if wide && streak >= STREAK {
                        (last, streak) = (self.last_place(event).await?, 0);
                    }
                }
            }
        }
    }

    fn is_whole(&self) -> Result<(), HallError> {
        match self.is_lost() {
            true => Err(HallError::Lost("it was cut".to_owned())),
            false => Ok(()),
        }
    }

    /// Marks messages as read, and hands their rows over. Answers whether another is wanted.
    fn hands_over<F: FnMut(Option<StreamRow>) -> bool>(
        &self,
        event: &EventName,
        all: Vec<Kept>,
        to: &mut Reader<'_, F>,
    ) -> bool {
        let mark = to.mark.get_or_insert_default();
        let Some(last) = all.last().map(|last| (last.sequence, Some(last.time))) else {
            return true;
        };
        let mut came = Vec::with_capacity(all.len());
        for kept in all.into_iter().filter(|kept| is_meant(to.subjects, &kept.subject)) {
            let (sequence, time, subject) = (kept.sequence, kept.time, kept.subject.clone());
            let mut within = true;
            self.counting(|budgets| within = budgets.counts(event, &subject, kept.bytes(), time));
            if within {
                let of = GameSubject::read(event, &subject);
                let row = match of.is_none_or(|of| mark.follows(of)) {
                    true => kept.row(event),
                    false => Err("its copy does not come after another"),
                };
                came.push(Came { sequence, time, subject, row });
            }
        }
        if let Some(signer) = self.signer() {
            check(signer, &mut came);
        }
        for Came { sequence, time, subject, row } in came {
            (mark.sequence, mark.time) = (sequence, Some(time));
            match row {
                Ok((row, _)) => {
                    if !(to.more)(Some(row)) {
                        return false;
                    }
                }
                Err(reason) => {
                    let reason = reason.to_owned();
                    self.set_aside(&HallError::Foreign { subject, reason });
                }
            }
        }
        (mark.sequence, mark.time) = last;
        true
    }

    async fn last_place(&self, event: &EventName) -> Result<u64, HallError> {
        Ok(self.event(event).await?.cached_info().state.last_sequence)
    }

    /// The signs of life of every board as they come, and the last one of each from before.
    pub fn signs(&self, event: &EventName) -> Signs {
        let (tell, boards) = mpsc::channel(WAITING);
        let (shelf, event) = (self.signs_shelf(event), event.clone());
        let reading = tokio::spawn(async move {
            let (all, mut next) = (event.signs(), 1);
            loop {
                match shelf.next(next, &all).await {
                    Ok(Some(sign)) => {
                        next = sign.sequence + 1;
                        if let Some(board) = board_here(&event, &sign.subject)
                            && tell.send(board).await.is_err()
                        {
                            return;
                        }
                    }
                    Ok(None) => tokio::time::sleep(SIGNS).await,
                    // The line is lost, or will be found so; a leader that is being chosen is
                    // waited for.
                    Err(_) => tokio::time::sleep(SIGNS).await,
                }
            }
        });
        Signs { boards, reading }
    }

    /// Whether a board gives a sign of life within this time.
    ///
    /// # Errors
    /// [`HallError::NoStore`], [`HallError::Lost`].
    pub(crate) async fn gives_sign(
        &self,
        event: &EventName,
        here: &str,
        within: Duration,
    ) -> Result<bool, HallError> {
        let shelf = self.signs_shelf(event);
        let place = async || Ok::<_, HallError>(shelf.last(here).await?.map(|sign| sign.sequence));
        let before = place().await?;
        let until = Instant::now() + within;
        while Instant::now() < until {
            tokio::time::sleep(AGAIN).await;
            if place().await? != before {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether the stream has at this place the message that it had when it was read.
async fn stands(shelf: &Shelf, mark: &StreamMark) -> Result<bool, HallError> {
    let there = shelf.get(json!({ "seq": mark.sequence }), PATIENCE).await?;
    Ok(there.is_some_and(|there| Some(there.time) == mark.time))
}

/// Signs of life as they come.
#[derive(Debug)]
pub struct Signs {
    boards: mpsc::Receiver<u32>,
    reading: JoinHandle<()>,
}

impl Signs {
    /// The board of the next one, if one has come.
    pub fn next_now(&mut self) -> Option<u32> {
        self.boards.try_recv().ok()
    }
}

impl Drop for Signs {
    fn drop(&mut self) {
        self.reading.abort();
    }
}

#[cfg(test)]
mod tests {
    use nkeys::KeyPair;
    use proptest::prelude::*;

    use super::*;
    use crate::{
        role::KeyRole,
        trust::{row_text, tests as vouched},
    };

    fn event() -> EventName {
        "e".parse().expect("a name")
    }

    fn answer(subject: &str, header: &[u8], payload: &[u8]) -> Vec<u8> {
        let message = json!({
            "subject": subject, "seq": 7, "time": "2026-11-27T07:50:36.055741887Z",
            "hdrs": BASE64.encode(header), "data": BASE64.encode(payload),
        });
        json!({ "type": "x", "message": message }).to_string().into_bytes()
    }

    const SUBJECT: &str = "hall.e.board.2.game.1.1";

    fn header(first: &str) -> Vec<u8> {
        let sum = "0a".repeat(16);
        format!("{first}\r\nAnnabella-Row: 3\r\nAnnabella-At-Ms: 5\r\nAnnabella-Sum: {sum}\r\n\r\n")
            .into_bytes()
    }

    #[test]
    fn a_row_is_read_whatever_stands_in_the_first_line_of_its_header() {
        for first in [
            "NATS/1.0",
            "NATS/1.0 408 Request Timeout",
            "NATS/1.0 404",
            "NATS/1.0 100 Idle Heartbeat",
            "NATS/1.0 99999999999 x",
            "HTTP/1.1 200",
            "",
        ] {
            let kept =
                Kept::read(&answer(SUBJECT, &header(first), b"\"Woke\"")).expect("a message");
            let (row, _) = kept.row(&event()).expect("a row");
            assert_eq!((row.of.board, row.row.number, row.row.at_ms), (2, 3, 5), "{first}");
        }
    }

    #[test]
    fn what_is_no_row_says_why() {
        let why = |subject: &str, header: &[u8], payload: &[u8]| {
            let kept = Kept::read(&answer(subject, header, payload)).expect("a message");
            kept.row(&event()).expect_err("no row")
        };
        let good = header("NATS/1.0");
        assert_eq!(why("hall.e.board.2.game.x.1", &good, b"1"), "another subject");
        assert_eq!(why(SUBJECT, b"", b"1"), "a header is missing");
        assert_eq!(why(SUBJECT, b"\xff\xfe\r\n\xff: 1\r\n", b"1"), "a header is missing");
        assert_eq!(why(SUBJECT, &good, b"\xff"), "it is no text");
        let short = b"NATS/1.0\r\nAnnabella-Row: 1\r\nAnnabella-At-Ms: 1\r\nAnnabella-Sum: 0\r\n";
        assert_eq!(why(SUBJECT, short, b"1"), "it has no checksum");
    }

    #[test]
    fn a_server_that_has_no_message_says_so() {
        let refused = |code: u64| {
            let answer = json!({ "error": { "code": 404, "err_code": code, "description": "d" } });
            Kept::read(answer.to_string().as_bytes()).expect_err("none")
        };
        assert_eq!(refused(NO_MESSAGE), NoMessage::Nothing);
        assert_eq!(refused(NO_STREAM), NoMessage::NoStream);
        assert_eq!(refused(1), NoMessage::Refused("d".to_owned()));
    }

    #[test]
    fn a_copy_that_skips_numbers_is_none() {
        let mut mark = StreamMark::default();
        let mut follows = |board, number, copy| {
            mark.follows(GameSubject { board, game: GameId { number }, copy })
        };
        for (copy, expected) in
            [(2, false), (1, true), (u32::MAX, false), (3, false), (2, true), (1, true), (3, true)]
        {
            assert_eq!(follows(17, 1, copy), expected, "{copy}");
        }
        assert!(!follows(18, 1, 2) && !follows(17, 2, 2), "each game has its own");
    }

    /// Rows 1 to 6 of one game, as a board has signed them.
    fn signed_rows(board: &Signer, of: GameSubject) -> Vec<Came> {
        let (mut before, mut all) = ((0, [0; 16]), Vec::new());
        for ms in 1..=6 {
            let row = KeptRow::after(of.game, before, ms, "\"Woke\"".to_owned()).expect("a row");
            before = (row.number, row.sum);
            let signed = board.sign(&row_text(&vouched::event(), of, &row));
            let time = parse_rfc3339("2026-11-27T07:50:36Z").expect("a moment");
            let row = Ok((StreamRow { of, row, sequence: ms }, signed));
            all.push(Came { sequence: ms, time, subject: SUBJECT.to_owned(), row });
        }
        all
    }

    #[test]
    fn a_row_is_its_board_s_where_a_later_one_is_that_has_its_checksum() {
        let authority = KeyPair::new_account();
        let of = GameSubject { board: 2, game: GameId { number: 1 }, copy: 1 };
        let (hall, board) =
            (vouched::key(&authority, KeyRole::Hall), vouched::key(&authority, KeyRole::Board(2)));
        type Spoils = fn(&mut (StreamRow, String));
        let unsigned: Spoils = |(_, signed)| signed.clear();
        let changed: Spoils = |(row, signed)| (row.row.sum, *signed) = ([9; 16], String::new());
        let copied: Spoils = |(row, signed)| (row.of.copy, *signed) = (2, String::new());
        let moved: Spoils = |(row, signed)| (row.row.number, *signed) = (40, String::new());
        for (what, spoilt, taken) in [
            ("one", &[(2, unsigned)][..], [1, 2, 3, 4, 5, 6].as_slice()),
            ("all but the last", &[0, 1, 2, 3, 4].map(|n| (n, unsigned)), &[1, 2, 3, 4, 5, 6]),
            ("the last", &[(5, unsigned)], &[1, 2, 3, 4, 5]),
            ("the last two", &[(4, unsigned), (5, unsigned)], &[1, 2, 3, 4]),
            ("another sum", &[(3, changed)], &[1, 2, 3, 5, 6]),
            ("another sum, and before it", &[(3, changed), (2, unsigned)], &[1, 2, 5, 6]),
            ("another copy", &[(3, copied), (1, unsigned)], &[1, 2, 3, 5, 6]),
            ("another place", &[(3, moved), (1, unsigned)], &[1, 2, 3, 5, 6]),
        ] {
            let mut came = signed_rows(&board, of);
            for (n, spoil) in spoilt {
                spoil(came[*n].row.as_mut().expect("a row"));
            }
            check(&hall, &mut came);
            let rows = came.iter().filter_map(|came| came.row.as_ref().ok());
            let numbers: Vec<u64> = rows.map(|(row, _)| row.row.number).collect();
            assert_eq!(numbers, taken, "{what}");
        }
    }

    #[test]
    fn a_pattern_means_its_subjects() {
        for (pattern, subject, meant) in [
            ("hall.e.board.*.game.>", SUBJECT, true),
            ("hall.e.board.*.game.>", "hall.e.board.2.game", false),
            ("hall.e.board.*.game.>", "hall.e.board.2.owner", false),
            ("hall.e.board.2.game.>", SUBJECT, true),
            ("hall.e.board.3.game.>", SUBJECT, false),
            ("hall.e.board.*.here", "hall.e.board.2.here", true),
            ("hall.e.board.*.here", "hall.e.board.2.here.x", false),
        ] {
            assert_eq!(is_meant(pattern, subject), meant, "{pattern} {subject}");
        }
    }

    proptest! {
        #[test]
        fn nothing_that_lies_in_a_stream_panics(
            subject in ".{0,60}", header: Vec<u8>, payload: Vec<u8>, answer: Vec<u8>,
        ) {
            let kept = Kept::read(&super::tests::answer(&subject, &header, &payload)).expect("a message");
            let _ = kept.row(&event());
            let _ = Kept::read(&answer);
        }
    }
}
