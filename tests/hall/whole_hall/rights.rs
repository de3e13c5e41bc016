//! Every subject and every kind of key at a real server: who writes, hears and is answered, and how
//! far a reply goes.

use async_nats::{Client, Subscriber};
use futures_util::{FutureExt as _, StreamExt as _, future::join_all};

use annabella_hall::{keys::KeyRole, round::Pair};

use super::{
    keys::{guarded_hall, line},
    *,
};

/// The kinds of key, one of each.
const ROLES: [KeyRole; 5] =
    [KeyRole::Hall, KeyRole::Arbiter, KeyRole::Reader, KeyRole::Board(1), KeyRole::Spare(1)];

/// What each of [`ROLES`] may: `w` what it writes comes to the hall or to whoever hears it, `h` it
/// hears, `a` it is answered, if only that it is kept. `KEY` is its own public key.
const TABLE: [(&str, [&str; 5]); 40] = [
    ("hall.test.board.1.game.1.1", ["wha", "", "", "wa", "wa"]),
    ("hall.test.board.2.game.1.1", ["wha", "", "", "", "wa"]),
    ("hall.test.board.1.game.1", ["wha", "", "", "", ""]),
    ("hall.test.board.1.game.1.1.1", ["wha", "", "", "", ""]),
    ("hall.test.board.1.here", ["wha", "", "", "wa", "wa"]),
    ("hall.test.board.2.here", ["wha", "", "", "", "wa"]),
    ("hall.test.board.1.room", ["wha", "", "", "wa", "wa"]),
    ("hall.test.board.2.room", ["wha", "", "", "", "wa"]),
    ("hall.test.board.1.owner", ["wha", "", "", "", "wa"]),
    ("hall.test.board.2.owner", ["wha", "", "", "", "wa"]),
    ("hall.test.board.1.answer.KEY.1", ["wh", "h", "", "w", "w"]),
    ("hall.test.board.2.answer.KEY.1", ["wh", "h", "", "", "w"]),
    ("hall.test.board.1.answer.open.1", ["wh", "", "", "w", "w"]),
    ("hall.test.board.1.ask", ["wh", "w", "", "h", "h"]),
    ("hall.test.board.2.ask", ["wh", "w", "", "", "h"]),
    ("hall.test.pairing.1", ["wha", "", "", "h", "h"]),
    ("hall.test.pairing.2", ["wha", "", "", "", "h"]),
    ("hall.test.room", ["wha", "", "", "", ""]),
    ("hall.test.read", ["wh", "a", "a", "", "a"]),
    ("hall.test.signs", ["wh", "a", "a", "", "a"]),
    ("$JS.API.DIRECT.GET.hall-test.hall.test.board.1.game.1.1", ["a", "", "", "a", "a"]),
    ("$JS.API.DIRECT.GET.hall-test.hall.test.board.2.game.1.1", ["a", "", "", "", "a"]),
    ("$JS.API.DIRECT.GET.hall-test.hall.test.board.1.owner", ["a", "", "", "a", "a"]),
    ("$JS.API.DIRECT.GET.hall-test.hall.test.board.2.owner", ["a", "", "", "", "a"]),
    ("$JS.API.DIRECT.GET.hall-test.hall.test.pairing.1", ["a", "", "", "a", "a"]),
    ("$JS.API.DIRECT.GET.hall-test.hall.test.pairing.2", ["a", "", "", "", "a"]),
    ("$JS.API.DIRECT.GET.hall-test", ["a", "", "", "", ""]),
    ("$JS.API.STREAM.MSG.GET.hall-test", ["a", "", "", "", ""]),
    ("$JS.API.STREAM.MSG.GET.hallhere-test", ["a", "", "", "", ""]),
    ("$JS.API.STREAM.INFO.hall-test", ["a", "", "", "", ""]),
    ("$JS.API.STREAM.NAMES", ["a", "", "", "", ""]),
    ("$JS.API.STREAM.MSG.DELETE.hall-test", ["a", "", "", "", ""]),
    ("$JS.API.CONSUMER.CREATE.hall-test", ["a", "", "", "", ""]),
    ("$JS.API.CONSUMER.NAMES.hall-test", ["a", "", "", "", ""]),
    ("$JS.API.INFO", ["a", "", "", "", ""]),
    ("$SYS.REQ.SERVER.PING", ["", "", "", "", ""]),
    ("$SYS.REQ.USER.INFO", ["", "", "", "", ""]),
    ("_INBOX.x", ["", "", "", "", ""]),
    ("_R_.x", ["", "", "", "", ""]),
    ("anything", ["", "", "", "", ""]),
];

/// Somebody with a key.
struct Somebody {
    role: KeyRole,
    client: Client,
    public: String,
}

impl Somebody {
    /// The subject as it is for him.
    fn own(&self, subject: &str) -> String {
        subject.replace("KEY", &self.public)
    }
}

/// The hall with one of each kind, and a second board.
async fn everybody(server: &NatsServer, keys: &EventKeys) -> Vec<Somebody> {
    let mut all = Vec::new();
    for role in ROLES.into_iter().chain([KeyRole::Board(2)]) {
        let client = line(server, keys, role).await.expect("a line").client().clone();
        let state = std::fs::read_to_string(keys.folder().join("keys.json")).expect("keys");
        let state: serde_json::Value = serde_json::from_str(&state).expect("JSON");
        let public = state["users"][role.to_string()].as_str().expect("a key").to_owned();
        all.push(Somebody { role, client, public });
    }
    all
}

impl Somebody {
    /// Waits until the server has taken all that he has sent, and he all that it had for him: it
    /// answers in order.
    async fn settled(&self) {
        let (subject, payload) = match self.role {
            KeyRole::Hall => ("$JS.API.INFO".to_owned(), ""),
            KeyRole::Board(board) => {
                (format!("$JS.API.DIRECT.GET.hall-test.{}", place(1).event.pairing(board)), "")
            }
            _ => ("hall.test.read".to_owned(), r#"{"seq":1}"#),
        };
        let began = Instant::now();
        while self.client.request(subject.clone(), payload.into()).await.is_err() {
            assert!(began.elapsed() < PATIENCE, "{} is not answered", self.role);
        }
    }
}

/// Waits until whatever any of them has sent has come wherever it goes.
async fn settled(everybody: &[Somebody]) {
    for _round in ["sent", "heard"] {
        join_all(everybody.iter().map(Somebody::settled)).await;
    }
}

/// What has come.
fn came(heard: &mut Subscriber) -> Vec<String> {
    let next = || heard.next().now_or_never().flatten();
    std::iter::from_fn(next).map(|m| String::from_utf8_lossy(&m.payload).into_owned()).collect()
}

#[test]
fn every_kind_of_key_writes_hears_and_is_answered_as_the_table_says() {
    let Some((_folder, server, keys)) = guarded_hall() else { return };
    now(async {
        let all = everybody(&server, &keys).await;
        let mut seen = Vec::new();
        for (subject, _) in TABLE {
            let mut row = Vec::new();
            for somebody in all.iter().take(ROLES.len()) {
                let name = somebody.own(subject);
                let mut got = String::new();
                // Whoever may hear it, apart from himself, is there.
                let mut others = Vec::new();
                for other in all.iter().filter(|other| other.role != somebody.role) {
                    others.push(other.client.subscribe(name.clone()).await.expect("asked"));
                }
                let mut own = somebody.client.subscribe(name.clone()).await.expect("asked");
                settled(&all).await;
                let payload = format!("by {}", somebody.role);
                somebody.client.publish(name.clone(), payload.clone().into()).await.expect("sent");
                settled(&all).await;
                let mut arrived = false;
                for other in &mut others {
                    arrived |= came(other).contains(&payload);
                }
                // Where only the hall hears it, it hears itself.
                arrived |= somebody.role == KeyRole::Hall && came(&mut own).contains(&payload);
                if arrived {
                    got.push('w');
                }
                for other in &all {
                    other.client.publish(name.clone(), "heard".into()).await.expect("sent");
                }
                settled(&all).await;
                if came(&mut own).iter().any(|what| what == "heard") {
                    got.push('h');
                }
                drop((own, others));
                row.push(got);
            }
            seen.push((subject, row));
        }
        // Requests, many at a time: who must be answered is waited for, others are given a moment.
        let mut wrong = Vec::new();
        for ((subject, expected), (_, row)) in TABLE.iter().zip(&mut seen) {
            let asked = all.iter().zip(expected).map(|(somebody, may)| {
                let patience = Duration::from_millis(if may.contains('a') { 20_000 } else { 250 });
                let payload = match subject.contains("DIRECT.GET.hall-test.") {
                    true => "",
                    false => r#"{"seq":1}"#,
                };
                let request = somebody.client.request(somebody.own(subject), payload.into());
                async move {
                    let answer = tokio::time::timeout(patience, request).await;
                    let good = |answer: &async_nats::Message| {
                        !String::from_utf8_lossy(&answer.payload)
                            .contains("not enabled for account")
                    };
                    matches!(answer, Ok(Ok(answer)) if good(&answer))
                }
            });
            for (got, answered) in row.iter_mut().zip(join_all(asked).await) {
                if answered {
                    got.push('a');
                }
            }
            if row.iter().ne(expected.iter()) {
                wrong.push(format!("{subject}: {row:?}, not {expected:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

#[test]
fn wherever_a_key_wants_a_reply_it_comes_to_nothing_that_the_key_may_not_write() {
    let Some((_folder, server, keys)) = guarded_hall() else { return };
    now(async {
        let all = everybody(&server, &keys).await;
        let hall = line(&server, &keys, KeyRole::Hall).await.expect("a line");
        let pair = Pair { board: 2, white: "Anna".to_owned(), ..Pair::default() };
        annabella_hall::pairing::publish(&hall, &place(1).event, &[pair]).await.expect("paired");
        let purge = "$JS.API.STREAM.PURGE.hall-test".to_owned();
        let more = ["$JS.API.STREAM.DELETE.hall-test", "$JS.API.STREAM.UPDATE.hall-test"];
        for (n, somebody) in all.iter().enumerate().filter(|(_, one)| one.role != KeyRole::Hall) {
            let may = |subject: &str, what: char| {
                let row = TABLE.iter().find(|(name, _)| *name == subject);
                row.is_some_and(|(_, may)| may.get(n).is_some_and(|may| may.contains(what)))
            };
            let mut spy = all[0].client.subscribe("hall.test.>").await.expect("hears");
            let mut second = Vec::new();
            for subject in [place(2).ask(), place(1).event.pairing(2)] {
                second.push(all[5].client.subscribe(subject).await.expect("hears"));
            }
            settled(&all).await;
            came(&mut spy);
            let asks: Vec<&str> = TABLE.iter().map(|(name, _)| *name).collect();
            let replies = asks.iter().copied().chain([purge.as_str()]).chain(more);
            for reply in replies {
                for ask in asks.iter().filter(|ask| may(ask, 'w') || may(ask, 'a')) {
                    let payload = if ask.contains("DIRECT.GET") { "" } else { r#"{"seq":1}"# };
                    let (ask, reply) = (somebody.own(ask), somebody.own(reply));
                    let sent = somebody.client.publish_with_reply(ask, reply, payload.into());
                    sent.await.expect("sent");
                }
            }
            // What the server answers by itself has come when it has kept this, which was sent
            // last.
            settled(&all).await;
            hall.has_room(place(1).event.room()).await.expect("room");
            settled(&all).await;
            while let Some(Some(message)) = spy.next().now_or_never() {
                let subject = message.subject.to_string();
                let own = subject.replace(&somebody.public, "KEY");
                let free = may(&own, 'w') || subject == place(1).event.room();
                assert!(free, "{} wrote {subject}", somebody.role);
            }
            for heard in &mut second {
                let comes = heard.next().now_or_never();
                let spare_or_arbiter =
                    matches!(somebody.role, KeyRole::Arbiter | KeyRole::Spare(_));
                assert!(comes.is_none() || spare_or_arbiter, "{}: {comes:?}", somebody.role);
            }
            let there = annabella_hall::pairing::at(&hall, &place(2)).await.expect("a stream");
            assert!(there.is_some(), "{} has emptied the stream", somebody.role);
        }
    });
}

#[test]
fn no_board_and_no_spare_both_writes_and_hears_a_subject() {
    for (subject, may) in TABLE {
        for (role, may) in ROLES.iter().zip(may).skip(1) {
            assert!(!(may.contains('w') && may.contains('h')), "{role}: {subject}");
        }
    }
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/hall.md"));
    assert!(!text.expect("the document").contains("allow_responses"));
}

use annabella_hall::keys::EventKeys;
