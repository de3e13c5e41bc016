//! The pages in a hall's network: guessing, sessions, connections that others can read.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use annabella_core::game::Input;

use super::{folder, signal};
use crate::{
    at_board::{Play, config},
    hall::{Hall, Reply, form},
};

/// A connection from an address of the loopback network.
async fn connected(address: [u8; 4], port: u16) -> Option<tokio::net::TcpStream> {
    let socket = tokio::net::TcpSocket::new_v4().ok()?;
    socket.bind((address, 0).into()).ok()?;
    socket.connect(([127, 0, 0, 1], port).into()).await.ok()
}

/// One request from there.
fn from(address: [u8; 4], port: u16, request: &str) -> Option<Reply> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("tokio");
    runtime.block_on(async {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let mut stream = connected(address, port).await?;
        stream.write_all(request.as_bytes()).await.ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.ok()?;
        crate::hall::parsed(&answer)
    })
}

fn typed(port: u16, code: &str) -> String {
    let body = form(&[("code", code), ("by", "A. Weber")]);
    format!(
        "POST /pair HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n\
         Connection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[test]
fn a3_the_right_code_gets_in_at_once_while_others_guess() {
    let hall = Hall::with(|settings| settings.listen = ([0, 0, 0, 0], 0).into());
    let port = hall.address.port();
    let over = Arc::new(AtomicBool::new(false));
    let guessing: Vec<_> = (0..10_u8)
        .map(|n| {
            let over = Arc::clone(&over);
            std::thread::spawn(move || {
                for m in 1..250_u8 {
                    if over.load(Ordering::Relaxed) {
                        return;
                    }
                    std::thread::spawn(move || {
                        from([127, 0, n + 1, m], port, &typed(port, "00000000"))
                    });
                    std::thread::sleep(Duration::from_millis(50));
                }
            })
        })
        .collect();
    std::thread::sleep(Duration::from_millis(500));
    for n in 0..15 {
        let code = hall.codes.borrow().arbiter.clone();
        let reply = from([127, 1, 0, n + 1], port, &typed(port, &code)).expect("an answer");
        assert_eq!(reply.status, 303, "try {n}: {}", reply.body);
    }
    over.store(true, Ordering::Relaxed);
    guessing.into_iter().for_each(|thread| thread.join().expect("no panic"));
}

#[test]
fn a3_a_session_goes_along_when_a_phone_gets_another_address() {
    let hall = Hall::with(|settings| settings.listen = ([0, 0, 0, 0], 0).into());
    let port = hall.address.port();
    let mut owner = hall.browser();
    owner.address = SocketAddr::from(([127, 0, 0, 1], port));
    let code = hall.codes.borrow().arbiter.clone();
    assert_eq!(owner.post("/pair", &[("code", &code)]).status, 303);
    let request = format!(
        "GET /arbiter HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{}\r\n",
        owner.cookie_header()
    );
    assert_eq!(from([127, 0, 0, 2], port, &request).expect("an answer").status, 200);
}

/// A thousand connections that ask for nothing, from this many addresses. How many of them are
/// still held.
async fn crowd(port: u16, addresses: u8) -> Vec<tokio::net::TcpStream> {
    let mut held: Vec<tokio::net::TcpStream> = Vec::new();
    for n in 0..1_000_u32 {
        let from = 2 + (n % u32::from(addresses)) as u8;
        // The last ones wait to be accepted, or are turned away.
        let wait = Duration::from_millis(200);
        let stream = tokio::time::timeout(wait, connected([127, 0, 2, from], port)).await;
        held.extend(stream.ok().flatten());
        if n % 100 == 99 {
            tokio::time::sleep(Duration::from_millis(100)).await;
            held.retain(is_open);
        }
    }
    held
}

/// The other end has not closed it.
fn is_open(stream: &tokio::net::TcpStream) -> bool {
    let read = stream.try_read(&mut [0]);
    read.is_err_and(|err| err.kind() == std::io::ErrorKind::WouldBlock)
}

/// Answers given meanwhile: who comes later is accepted later, so the crowd has been looked at by
/// then.
const ANSWERS: u32 = 50;

#[test]
fn a_thousand_connections_keep_nobody_else_out() {
    let hall = Hall::with(|settings| settings.listen = ([0, 0, 0, 0], 0).into());
    let port = hall.address.port();
    let look = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    let before = hall.play().standing();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("tokio");
    for (addresses, most) in [(1, 250), (40, 1_000)] {
        let mut held = runtime.block_on(crowd(port, addresses));
        for _ in 0..ANSWERS {
            let reply = from([127, 0, 0, 1], port, &look).expect("an answer");
            assert_eq!(reply.status, 200, "{}", reply.body);
            runtime.block_on(async { tokio::time::sleep(Duration::from_millis(1)).await });
            held.retain(is_open);
        }
        assert!(held.len() <= most, "{} from {addresses} addresses", held.len());
    }
    assert_eq!(hall.play().standing(), before);
}

/// Connections from an address that send this and read nothing.
async fn hold(
    address: [u8; 4],
    port: u16,
    request: &str,
    many: usize,
) -> Vec<tokio::net::TcpStream> {
    use tokio::io::AsyncWriteExt as _;
    let mut held = Vec::new();
    for _ in 0..many {
        let Some(mut stream) = connected(address, port).await else { continue };
        // One that was closed for another is not counted on.
        let _ = stream.write_all(request.as_bytes()).await;
        held.push(stream);
    }
    held
}

#[test]
fn an_arbiter_gets_through_whatever_displays_and_slow_bodies_hold() {
    let hall = Hall::with(|settings| settings.listen = ([0, 0, 0, 0], 0).into());
    let port = hall.address.port();
    let own = |browser: &mut crate::hall::Browser| {
        browser.address = SocketAddr::from(([127, 0, 0, 1], port));
    };
    let codes = hall.codes.borrow().clone();
    let (mut arbiter, mut display) = (hall.browser(), hall.browser());
    own(&mut arbiter);
    own(&mut display);
    assert_eq!(arbiter.post("/pair", &[("code", &codes.arbiter), ("by", "Weber")]).status, 303);
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("tokio");
    let mut held = Vec::new();
    for n in 0..6_u8 {
        // The display's code is good for as many sessions as somebody likes.
        display.cookies.clear();
        assert_eq!(display.post("/pair", &[("code", &codes.display)]).status, 303);
        let live = format!(
            "GET /live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{}\r\n",
            display.cookie_header()
        );
        held.extend(runtime.block_on(hold([127, 0, 3, n + 1], port, &live, 100)));
        let slow = format!(
            "POST /pair HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n\
             Content-Length: 30000\r\n\r\ncode="
        );
        held.extend(runtime.block_on(hold([127, 0, 4, n + 1], port, &slow, 60)));
        // From his own address too.
        held.extend(runtime.block_on(hold([127, 0, 0, 1], port, &slow, 60)));
        let before = hall.play().from_pages.len();
        let page = arbiter.acts(&[("act", "note"), ("text", "seen")]);
        assert!(page.has("Done."), "round {n}: {}", page.body);
        assert_eq!(hall.play().from_pages.len(), before + 1);
    }
    drop(held);
}

#[test]
fn a10_who_leaves_is_out_on_the_server_too() {
    let folder = folder();
    let file = folder.path().join("pages.key");
    let mut hall = Hall::with(|settings| settings.session_key = Some(file));
    let (mut arbiter, mut display) = (hall.as_("arbiter"), hall.as_("display"));
    let kept = arbiter.clone();
    let mut open = arbiter.live();
    assert!(open.event().is_some());
    arbiter.post("/leave", &[]);
    for _ in 0..2 {
        let mut thief = kept.clone();
        assert_eq!(thief.get("/arbiter").status, 303, "the cookie is worth nothing any more");
        assert_eq!(display.get("/display").status, 200, "other sessions go on");
        // Also after a restart.
        hall.drop_pages(Duration::from_millis(50));
    }
    // The open page ends too.
    while open.event().is_some() {}
}

#[test]
fn a11_no_sealed_move_is_taken_where_the_hall_can_read_along() {
    let hall = Hall::with(|settings| settings.listen = ([0, 0, 0, 0], 0).into());
    let on = |browser: &mut crate::hall::Browser| {
        browser.address = SocketAddr::from(([127, 0, 0, 1], hall.address.port()));
    };
    let ([mut arbiter, mut assistant], codes) =
        ([hall.browser(), hall.browser()], hall.codes.borrow().clone());
    on(&mut arbiter);
    on(&mut assistant);
    arbiter.post("/pair", &[("code", &codes.arbiter)]);
    assistant.post("/pair", &[("code", &codes.assistant)]);
    hall.play().moves(&["e4", "e5"]);
    assert!(arbiter.acts(&[("act", "ask-to-seal")]).has("Done."));
    let warning = "This connection is not encrypted. Give the sealed move to the arbiter.";
    let page = assistant.get("/assistant");
    assert!(page.has(warning) && !page.has("name=\"sealed\""), "{}", page.body);
    let page = assistant.acts(&[("act", "seal"), ("sealed", "Nf3"), ("again", "Nf3")]);
    assert!(page.has(warning), "{}", page.body);
    let typed = |input: &Input| matches!(input, Input::Typed { .. });
    assert!(!hall.play().from_pages.iter().any(typed));
}

#[test]
fn a11_play_warns_once_where_the_hall_can_read_along() {
    for (listen, warnings) in [("0.0.0.0:0", 1), ("127.0.0.1:0", 0)] {
        let folder = folder();
        let path = config(folder.path(), "");
        let text = std::fs::read_to_string(&path).expect("written");
        let text = text.replace("listen = \"\"", &format!("listen = \"{listen}\""));
        std::fs::write(&path, text).expect("written");
        let mut play = Play::start(&path);
        play.moves("e2", "e4");
        play.until_move("e2e4", "made");
        signal(&play.child, "TERM");
        let told = String::from_utf8(play.end().stderr).expect("text");
        assert_eq!(
            told.matches("everybody in the network can read along").count(),
            warnings,
            "{told}"
        );
        assert!(told.contains("pages: http://"), "{told}");
    }
}

#[test]
fn low_no_mark_that_turns_the_writing_reaches_journal_or_report() {
    let hall = Hall::new();
    hall.play().moves(&["e4"]);
    let mut arbiter = hall.as_("arbiter");
    let page = arbiter.acts(&[
        ("act", "note"),
        ("text", "won by \u{202e}etihW\u{2066}"),
        ("reason", "a\u{202e}b"),
    ]);
    assert!(page.has("Done."), "{}", page.body);
    let said = annabella_devices::board::events::EventLine::parse("{\"announce\":\"D\u{202e}4\"}");
    let all = format!("{:?} {said:?}", hall.play().from_pages);
    assert!(
        all.contains("won by  etihW") && !all.contains("202e") && !all.contains('\u{202e}'),
        "{all}"
    );
}

#[test]
fn low_the_package_has_the_notice_of_openblas() {
    let notice = include_str!("../../../scripts/release/copyright");
    assert!(notice.contains("The OpenBLAS Project") && notice.contains("License: BSD-3-clause"));
    assert!(notice.contains("Neither the name of the OpenBLAS project"));
}

/// What each role may ask for, by the name in the form.
const BOTH: [&str; 5] = ["score", "corrected", "stands", "says", "compare-boards"];
const ARBITERS: [&str; 17] = [
    "stop-clocks",
    "start-clocks",
    "set-clock",
    "penalty",
    "confirm",
    "dismiss",
    "declare",
    "accept-move",
    "illegal-move",
    "play-on",
    "settle",
    "settle-otherwise",
    "read-out",
    "ask-to-seal",
    "not-adjourned",
    "appoint",
    "note",
];
const ASSISTANTS: [&str; 5] = ["move", "played", "press", "seal", "call"];

#[test]
fn every_act_is_its_roles_alone() {
    // The names that the program knows.
    let source = include_str!("../../../src/console/act.rs");
    for name in ARBITERS.iter().chain(&ASSISTANTS).chain(&BOTH) {
        assert!(source.contains(&format!("\"{name}\"")), "{name} is no act");
    }
    let hall = Hall::new();
    hall.play().white("e4");
    let before = hall.play().from_pages.len();
    let refused = |browser: &mut crate::hall::Browser, name: &str| {
        let reply = browser.post("/act", &[("act", name)]);
        let page = match reply.header("location").map(str::to_owned) {
            Some(page) if reply.status == 303 => {
                browser.get(page.split('#').next().unwrap_or("/")).body
            }
            _ => reply.body,
        };
        reply.status >= 400 || page.contains("This page may not do that.")
    };
    let mut display = hall.as_("display");
    let mut stranger = hall.browser();
    let (mut arbiter, mut assistant) = (hall.as_("arbiter"), hall.as_("assistant"));
    for name in ARBITERS.iter().chain(&ASSISTANTS).chain(&BOTH) {
        assert!(display.post("/act", &[("act", *name)]).status == 403, "display: {name}");
        let reply = stranger.post("/act", &[("act", *name)]);
        let to_entrance = reply.status == 303 && reply.header("location") == Some("/");
        assert!(to_entrance || reply.status == 401, "nobody: {name} {reply:?}");
    }
    for name in ARBITERS {
        assert!(refused(&mut assistant, name), "assistant: {name}");
    }
    for name in ASSISTANTS {
        assert!(refused(&mut arbiter, name), "arbiter: {name}");
    }
    for name in ["", "nonsense", "Press", "Stop-Clocks"] {
        assert!(refused(&mut arbiter, name) && refused(&mut assistant, name), "{name}");
    }
    assert_eq!(hall.play().from_pages.len(), before, "an act that was refused is an input");
}
