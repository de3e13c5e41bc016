//! What a stranger writes, with a board's key or in a hall without keys, is nobody else's row,
//! question or mark; and no byte of it stops whoever reads.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
};

use annabella_hall::{
    ask::{BoardAsk, BoardLine},
    keys::KeyRole,
    settings::BoardDoor,
};
use async_nats::HeaderMap;
use futures_util::StreamExt as _;

use super::{
    keys::{begun, guarded_hall, line, read_as, wire_with},
    *,
};

/// Lines of a header that a client library takes for the server's word, or cannot read.
const HEADERS: [&[u8]; 12] = [
    b"NATS/1.0 408 Request Timeout\r\n\r\n",
    b"NATS/1.0 404 Message Not Found\r\n\r\n",
    b"NATS/1.0 409 Consumer Deleted\r\n\r\n",
    b"NATS/1.0 503\r\n\r\n",
    b"NATS/1.0 100 Idle Heartbeat\r\nNats-Last-Consumer: 9\r\n\r\n",
    b"NATS/1.0 99999999999999 x\r\n\r\n",
    b"NATS/1.0 x\r\n\r\n",
    b"HTTP/1.1 200 OK\r\n\r\n",
    b"NATS/1.0\r\nno colon\r\n\r\n",
    b"NATS/1.0\r\nna me: x\r\n\r\n",
    b"\xff\xfe\xfd\r\n\r\n",
    b"\r\n\r\n",
];

/// Sends messages by hand to a server that asks nobody who he is, and waits until it has them.
fn by_hand(server: &NatsServer, subjects: &[&str], header: &[u8], payload: &[u8]) {
    let mut stream = TcpStream::connect(server.address()).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let mut sent =
        b"CONNECT {\"verbose\":false,\"headers\":true,\"lang\":\"x\",\"version\":\"1\"}\r\n"
            .to_vec();
    for subject in subjects {
        let whole = header.len() + payload.len();
        sent.extend(format!("HPUB {subject} {} {whole}\r\n", header.len()).bytes());
        sent.extend(header);
        sent.extend(payload);
        sent.extend(b"\r\n");
    }
    sent.extend(b"PING\r\n");
    stream.write_all(&sent).expect("sent");
    let (mut answer, mut bytes) = (Vec::new(), [0; 1_024]);
    while !String::from_utf8_lossy(&answer).contains("PONG") {
        let length = stream.read(&mut bytes).expect("an answer");
        assert!(length > 0, "{}", String::from_utf8_lossy(&answer));
        answer.extend_from_slice(&bytes[..length]);
    }
}

#[test]
fn no_message_stops_whoever_reads_and_each_bad_one_is_named() {
    let Some((folder, server, _settings)) = hall() else { return };
    for (n, header) in HEADERS.into_iter().enumerate() {
        let own = format!("hall.test.board.1.game.{}.1", n + 1);
        by_hand(
            &server,
            &[&own, "hall.test.board.1.game.x.y.z", "hall.test.board.1.here"],
            header,
            b"\xff{",
        );
    }
    by_hand(&server, &["hall.test.board.1.game.90.1"], b"", &vec![b'x'; 500_000]);
    by_hand(&server, &["hall.test.board.1.game.91.1"], &vec![b'h'; 60_000], b"");
    let path = folder.path().join("2.db");
    let (_journal, _) = begun(&path);
    let (wire, _) = wire(&server.url(), 2, &path);
    until("sent", || wire.state().borrow().sent == 1);
    for (n, header) in HEADERS.into_iter().enumerate() {
        by_hand(&server, &[&format!("hall.test.board.1.game.{}.1", n + 101)], header, b"");
    }
    let told = Lines::default();
    let tell = Arc::clone(&told);
    let (rows, signs) = now(async {
        let link = Link::open(&server.url(), None, "test").await.expect("a line");
        let link =
            link.telling(Arc::new(move |line| tell.lock().expect("lines").push(line.to_owned())));
        let (event, mut rows) = (place(1).event, 0);
        let mut signs = link.signs(&event);
        let mut heard = std::collections::BTreeSet::new();
        let began = Instant::now();
        link.read(&event, &event.rows(), |row| {
            heard.extend(std::iter::from_fn(|| signs.next_now()));
            rows += u32::from(row.as_ref().is_some_and(|row| row.of.board == 2));
            let all = row.is_none() && heard.contains(&1) && heard.contains(&2);
            !all && began.elapsed() < PATIENCE
        })
        .await
        .expect("read to the end");
        (rows, heard)
    });
    assert_eq!(rows, 1);
    assert_eq!(signs.into_iter().collect::<Vec<_>>(), [1, 2]);
    let told = told.lock().expect("lines");
    assert!(told.len() >= 30, "{told:?}");
    assert!(
        told[0].starts_with("the hall's stream has something that is no row at hall.test.board.1."),
        "{told:?}"
    );
}

/// A header that one reader takes for a row and another one, which joins its lines, does not.
const FOLDED: &[u8] = b"NATS/1.0\r\nAnnabella-Row: 3\r\nAnnabella-At-Ms: 5\r\n\
    Annabella-Sum: 0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a\r\n 0b\r\n\r\n";

/// Up to which place of the stream messages were delivered to somebody.
async fn delivered(link: &Link, event: &EventName) -> Option<u64> {
    let stream = link.event(event).await.expect("a stream");
    let consumer = stream.consumers().next().await?.expect("a consumer");
    Some(consumer.delivered.stream_sequence)
}

#[test]
fn the_hall_s_key_has_many_rows_delivered() {
    let Some((_folder, server, keys)) = guarded_hall() else { return };
    now(async {
        let link = line(&server, &keys, KeyRole::Hall).await.expect("a line");
        let event = place(1).event;
        let context = async_nats::jetstream::new(link.client().clone());
        for _ in 0..1_100 {
            let sent = context.publish(place(1).game(GameId { number: 1 }, 1), "".into()).await;
            sent.expect("sent").await.expect("kept");
        }
        link.read(&event, &event.rows(), |row| row.is_some()).await.expect("read to the end");
        assert_eq!(delivered(&link, &event).await, Some(1_100));
    });
}

#[test]
fn many_rows_at_once_are_the_same_as_one_by_one_whatever_lies_among_them() {
    let Some((_folder, server, _settings)) = hall() else { return };
    let good = String::from_utf8_lossy(FOLDED).replace("\r\n 0b", "");
    for (n, bad) in HEADERS.into_iter().chain([FOLDED]).enumerate() {
        let event: EventName = format!("event{n}").parse().expect("a name");
        now(async {
            let link = Link::open(&server.url(), None, "test").await.expect("a line");
            link.make_event(&event).await.expect("an event");
        });
        let subject = format!("hall.{event}.board.2.game.1.1");
        let row = br#""Woke""#;
        by_hand(&server, &[subject.as_str(); 1_100], good.as_bytes(), row);
        by_hand(&server, &[&subject], bad, row);
        by_hand(&server, &[subject.as_str(); 10], good.as_bytes(), row);
        let read = async |subjects: &str| {
            let link = Link::open(&server.url(), None, "test").await.expect("a line");
            let mut places = Vec::new();
            let take = |row: Option<StreamRow>| row.map(|row| places.push(row.sequence)).is_some();
            link.read(&event, subjects, take).await.expect("read to the end");
            (places, delivered(&link, &event).await)
        };
        let (one_by_one, none) = now(read(&format!("hall.{event}.board.2.game.>")));
        let (at_once, some) = now(read(&event.rows()));
        assert_eq!(none, None, "only the hall has rows delivered");
        assert!(some.is_some_and(|some| some >= 1_000), "{some:?}");
        assert_eq!(at_once, one_by_one, "{}", String::from_utf8_lossy(bad));
        assert_eq!(at_once.len(), 1_110 + usize::from(bad == FOLDED));
    }
}

#[test]
fn what_a_thief_left_in_a_board_s_own_place_does_not_keep_the_board_from_sending() {
    let Some((folder, server, _settings)) = hall() else { return };
    let path = folder.path().join("1.db");
    let (_journal, _) = begun(&path);
    by_hand(
        &server,
        &["hall.test.board.1.game.1.1"],
        b"NATS/1.0\r\nAnnabella-Row: 7\r\n\r\n",
        b"nothing",
    );
    let (wire, lines) = wire(&server.url(), 1, &path);
    until("sent", || wire.state().borrow().sent == 1);
    let said = "hall: board 1, game 1 has something in its place in the hall that is no row: it is sent anew, as copy 2";
    assert!(lines.lock().expect("lines").iter().any(|line| line == said), "{lines:?}");
}

/// The rows of board 1 as the hall may have them, written by another than board 1.
#[test]
fn a_row_that_its_board_has_not_signed_is_set_aside() {
    let Some((folder, server, keys)) = guarded_hall() else { return };
    let (one, two) = (folder.path().join("1.db"), folder.path().join("2.db"));
    let (_one, _) = begun(&one);
    let (_two, _) = begun(&two);
    let (first, _) = wire_with(&server, keys.file(KeyRole::Board(1)), 1, &one);
    until("sent", || first.state().borrow().sent == 1);
    // As if the server let anybody write: the hall's own line carries what board 1 has signed to
    // board 2.
    now(async {
        let hall = line(&server, &keys, KeyRole::Hall).await.expect("a line");
        let stream = hall.event(&place(1).event).await.expect("a stream");
        let subject = place(1).game(GameId { number: 1 }, 1);
        let row = stream.direct_get_last_for_subject(subject).await.expect("a row");
        let mut unsigned = row.headers.clone();
        unsigned.insert("Annabella-Signed", "");
        for (subject, headers) in [
            ("hall.test.board.2.game.1.1", &row.headers),
            ("hall.test.board.1.game.2.1", &row.headers),
            ("hall.test.board.1.game.1.2", &row.headers),
            ("hall.test.board.1.game.1.3", &unsigned),
        ] {
            let mut headers: HeaderMap = headers.clone();
            headers.insert("Nats-Expected-Last-Subject-Sequence", "0");
            headers.insert("Nats-Msg-Id", subject);
            let context = async_nats::jetstream::new(hall.client().clone());
            let sent = context.publish_with_headers(subject, headers, row.payload.clone());
            sent.await.expect("sent").await.expect("kept");
        }
    });
    for role in [KeyRole::Hall, KeyRole::Arbiter, KeyRole::Reader, KeyRole::Spare(1)] {
        assert_eq!(read_as(&server, &keys, role, 1).expect("rows"), 1, "{role}");
        assert_eq!(read_as(&server, &keys, role, 2).expect("rows"), 0, "{role}");
    }
    // Board 2 goes on in its own place.
    let (second, _) = wire_with(&server, keys.file(KeyRole::Board(2)), 2, &two);
    until("sent", || second.state().borrow().sent == 1);
    assert_eq!(read_as(&server, &keys, KeyRole::Hall, 2).expect("rows"), 1);
}

#[test]
fn a_mark_of_ownership_that_no_spare_board_has_signed_shuts_nobody_out() {
    let Some((folder, server, keys)) = guarded_hall() else { return };
    let path = folder.path().join("1.db");
    let (mut journal, game) = begun(&path);
    let (wire, _) = wire_with(&server, keys.file(KeyRole::Board(1)), 1, &path);
    until("sent", || wire.state().borrow().sent == 1);
    now(async {
        let hall = line(&server, &keys, KeyRole::Hall).await.expect("a line");
        let context = async_nats::jetstream::new(hall.client().clone());
        context
            .publish(place(1).owner(), "a thief".into())
            .await
            .expect("sent")
            .await
            .expect("kept");
    });
    // Beyond two of its signs, with each of which it asks.
    std::thread::sleep(annabella_hall::stream::SIGN * 3);
    journal.append(game, At::new(2), &Input::Woke).expect("kept");
    until("sent", || wire.state().borrow().sent == 2);
    assert!(!wire.state().borrow().taken_over);
}

fn ask() -> BoardAsk {
    BoardAsk {
        post: false,
        path: "/arbiter".to_owned(),
        query: None,
        json: false,
        body: String::new(),
        role: annabella_console::Role::Arbiter,
        by: "Weber".to_owned(),
        id: 1,
        language: "en".to_owned(),
    }
}

#[test]
fn a_board_answers_a_question_that_the_hall_or_the_arbiter_has_signed_and_no_other() {
    let Some((folder, server, keys)) = guarded_hall() else { return };
    let path = folder.path().join("1.db");
    let (_journal, _) = begun(&path);
    // Nobody answers at this door: the board says so, where it answers at all.
    let door = BoardDoor { address: free_address(), secret: "secret".to_owned() };
    let settings = WireSettings {
        url: server.url(),
        credentials: Some(keys.file(KeyRole::Board(1))),
        place: place(1),
        journal: path,
        door: Some(door),
        alive: None,
        tell: Arc::new(|_| {}),
    };
    let wire = Wire::start(settings).expect("a thread");
    until("sent", || wire.state().borrow().sent == 1);
    let asked = |role: KeyRole, ask: BoardAsk| {
        now(async {
            let link = line(&server, &keys, role).await.expect("a line");
            let line = Arc::new(BoardLine::new(link, place(1).event, 1));
            line.ask(None, &ask).await.map(|(head, _)| head.status).map_err(|err| err.to_string())
        })
    };
    for role in [KeyRole::Hall, KeyRole::Arbiter] {
        assert_eq!(asked(role, ask()), Ok(503), "{role}");
        // An act names the game that it is about.
        let act =
            BoardAsk { post: true, path: "/act".to_owned(), body: "act=note".to_owned(), ..ask() };
        assert_eq!(asked(role, act), Ok(409), "{role}");
    }
    for role in [KeyRole::Reader, KeyRole::Spare(1), KeyRole::Board(2), KeyRole::Board(1)] {
        assert_eq!(asked(role, ask()), Err("board 1 does not answer".to_owned()), "{role}");
    }
}
