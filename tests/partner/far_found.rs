//! How a game with a person far away is found, and with whom the program speaks.

use std::sync::Arc;

use annabella_partner::{
    far::there::FarError,
    lichess::{
        meet::{Kind, MeetError, Wish, meet},
        site::Site,
    },
};
use serde_json::{Value, json};
use shakmaty::Color;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    runtime::Runtime,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        RootCertStore, ServerConfig,
        crypto::ring,
        pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
    },
};

use crate::{
    far::site,
    lichess::{Fault, ID, Lichess},
    patience::until,
};

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("one")
}

fn kind() -> Kind {
    Kind { time: "15+10".parse().expect("a time"), rated: false, colour: None }
}

/// Nobody plays yet.
fn nobody() -> Lichess {
    let lichess = Lichess::of(Color::White);
    lichess.changes(|table| table.begun = false);
    lichess
}

fn looks(
    runtime: &Runtime,
    lichess: &Lichess,
    wish: Wish,
) -> tokio::task::JoinHandle<Result<String, MeetError>> {
    let site = site(lichess);
    runtime.spawn(async move { meet(&site, &wish, kind(), |_| {}).await })
}

#[test]
fn a_game_that_is_going_on_is_played_on() {
    let (runtime, lichess) = (runtime(), Lichess::of(Color::White));
    let found = runtime.block_on(looks(&runtime, &lichess, Wish::Anybody)).expect("no panic");
    assert_eq!(found.expect("a game"), ID);
    assert_eq!(lichess.times("POST"), 0, "nobody is asked");
}

#[test]
fn anybody_is_looked_for_after_the_stream_is_open_and_until_a_game_begins() {
    let (runtime, lichess) = (runtime(), nobody());
    lichess.breaks(Fault::Status("/api/board/seek", 429));
    let looking = looks(&runtime, &lichess, Wish::Anybody);
    until("a seek", || lichess.table().wishes == 1);
    let asked = lichess.table().asked.clone();
    let place = |what: &str| asked.iter().position(|line| line.contains(what)).expect(what);
    assert!(place("GET /api/stream/event") < place("POST /api/board/seek"));
    let seek = "POST /api/board/seek time=15&increment=10&rated=false&color=random";
    assert_eq!(lichess.times(seek), 2, "{asked:?}");
    lichess.begins();
    assert_eq!(runtime.block_on(looking).expect("no panic").expect("a game"), ID);
}

#[test]
fn who_goes_away_is_looked_for_no_more() {
    let (runtime, lichess) = (runtime(), nobody());
    let looking = looks(&runtime, &lichess, Wish::Anybody);
    until("a seek", || lichess.table().wishes == 1);
    looking.abort();
    until("it is called off", || lichess.table().wishes == 0);
}

#[test]
fn a_friend_is_challenged_and_what_he_answers_is_said() {
    let (runtime, lichess) = (runtime(), nobody());
    let friend = || Wish::Friend("boris".to_owned());
    let looking = looks(&runtime, &lichess, friend());
    until("a challenge", || lichess.table().wishes == 1);
    let asked =
        "POST /api/challenge/boris clock%2Elimit=900&clock%2Eincrement=10&keepAliveStream=true";
    assert_eq!(lichess.times(asked), 1, "{:?}", lichess.table().asked);
    lichess.begins();
    assert_eq!(runtime.block_on(looking).expect("no panic").expect("a game"), ID);
    let lichess = nobody();
    let looking = looks(&runtime, &lichess, friend());
    until("a challenge", || lichess.table().wishes == 1);
    lichess.event(&json!({
        "type": "challengeDeclined",
        "challenge": { "id": "x", "declineReason": "I'm not\naccepting challenges at the moment." },
    }));
    let err = runtime.block_on(looking).expect("no panic").expect_err("declined").to_string();
    assert_eq!(err, "boris does not play now: \"I'm not accepting challenges at the moment.\"");
}

fn challenge(id: &str, of: &str, variant: &str, limit: u64, rated: bool) -> Value {
    json!({
        "type": "challenge", "compat": { "bot": false, "board": true },
        "challenge": {
            "id": id, "challenger": { "id": of, "name": of }, "destUser": null,
            "variant": { "key": variant }, "rated": rated, "color": "random",
            "timeControl": { "type": "clock", "limit": limit, "increment": 0 },
        },
    })
}

#[test]
fn a_challenge_is_taken_if_it_can_be_played_at_a_board_and_is_of_whom_is_waited_for() {
    let (runtime, lichess) = (runtime(), nobody());
    let wish = Wish::Challenger(Some("Boris".to_owned()));
    let looking = looks(&runtime, &lichess, wish);
    for line in [
        challenge("carls", "carl", "standard", 900, false),
        challenge("atomic", "boris", "atomic", 900, false),
        challenge("bullet", "boris", "standard", 60, false),
        challenge("rated", "boris", "standard", 900, true),
        challenge("good", "boris", "standard", 900, false),
    ] {
        lichess.event(&line);
    }
    assert_eq!(runtime.block_on(looking).expect("no panic").expect("a game"), ID);
    let table = lichess.table();
    let posted: Vec<&str> =
        table.asked.iter().filter_map(|line| line.strip_prefix("POST /api/challenge/")).collect();
    assert_eq!(
        posted,
        [
            "atomic/decline reason=standard",
            "bullet/decline reason=tooFast",
            "rated/decline reason=casual",
            "good/accept"
        ]
    );
}

#[test]
fn a_token_that_opens_nothing_is_said_with_what_to_do() {
    let (runtime, lichess) = (runtime(), nobody());
    for (status, says) in [(401, "does not take this token"), (403, "may not play")] {
        lichess.breaks(Fault::Status("/api/account/playing", status));
        let looking = looks(&runtime, &lichess, Wish::Anybody);
        let err = runtime.block_on(looking).expect("no panic").expect_err("shut out").to_string();
        assert!(err.contains(says) && err.contains("--new-token"), "{err}");
    }
}

/// A server behind a certificate of this name. Answers its address, and the certificate.
fn encrypted(runtime: &Runtime, name: &str) -> (std::net::SocketAddr, RootCertStore) {
    let made = rcgen::generate_simple_self_signed([name.to_owned()]).expect("a certificate");
    let mut roots = RootCertStore::empty();
    roots.add(made.cert.der().clone()).expect("a root");
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .expect("a pair");
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let door = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).expect("a door");
    let address = door.local_addr().expect("an address");
    runtime.spawn(async move {
        while let Ok((stream, _)) = door.accept().await {
            // A handshake that is refused is what one test asks for.
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let mut read = [0; 4_096];
            let _ = stream.read(&mut read).await;
            let body = "{\"id\":\"anna\"}";
            let answer = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
            let _ = stream.write_all(answer.as_bytes()).await;
            let _ = stream.shutdown().await;
        }
    });
    (address, roots)
}

#[test]
fn it_speaks_with_the_server_whose_name_the_certificate_bears_and_with_no_other() {
    let runtime = runtime();
    let ask = |address: &str, roots: RootCertStore| {
        let site = Site::trusting(address, "lip_test", roots).expect("a site");
        runtime.block_on(site.get::<Value>("/api/account"))
    };
    let (address, roots) = encrypted(&runtime, "127.0.0.1");
    let url = format!("https://{address}");
    assert_eq!(ask(&url, roots).expect("trusted")["id"], "anna");
    let (address, roots) = encrypted(&runtime, "lichess.example");
    for trusted in [roots, RootCertStore::empty()] {
        let err = ask(&format!("https://{address}"), trusted).expect_err("not trusted");
        assert!(matches!(err, FarError::Away { .. }), "{err}");
        assert!(err.to_string().contains("certificate"), "{err}");
    }
}
