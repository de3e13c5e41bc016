//! A board in other hands: what it answers reaches no other board, and ends.

use crate::{
    hall_page::{RunningHall, has_server},
    patience::until,
};

#[test]
fn a_board_whose_answer_does_not_end_is_cut_off() {
    if !has_server() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut hall = RunningHall::start(folder.path(), &[]);
    let mut weber = hall.arbiter("A. Weber");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let html = serde_json::json!({ "status": 200, "headers": [["content-type", "text/html"]] });
    runtime.spawn(lying_board(format!("nats://{}", hall.server), 18, html, 200));
    let mut reply = weber.get("/board/18/arbiter");
    until("it answers", || {
        reply = weber.get("/board/18/arbiter");
        reply.status == 200
    });
    // 25 MB were sent; with the marks between its pieces the longest answer is a little longer than
    // 8 MB.
    assert!(reply.body.len() < 9_000_000, "{} bytes", reply.body.len());
    assert_eq!(weber.get("/arbiter").status, 200);
}

/// A board in other hands answers whatever is asked with this head, and so many of the longest
/// pieces.
async fn lying_board(url: String, number: u32, head: serde_json::Value, pieces: usize) {
    use futures_util::StreamExt as _;
    let client = async_nats::connect(url).await.expect("a line");
    let asked = client.subscribe(format!("hall.test.board.{number}.ask")).await;
    let mut asked = asked.expect("subscribed");
    while let Some(message) = asked.next().await {
        let question: serde_json::Value = serde_json::from_slice(&message.payload).expect("JSON");
        let once = question["once"].as_str().expect("a number");
        let subject = format!("hall.test.board.{number}.answer.open.{once}");
        let body = std::iter::repeat_n(("body", "x".repeat(128 * 1_024)), pieces);
        let all = std::iter::once(("head", head.to_string())).chain(body);
        for (kind, payload) in all.chain([("end", String::new())]) {
            let mut headers = async_nats::HeaderMap::new();
            headers.insert("Annabella-Piece", kind);
            let sent = client.publish_with_headers(subject.clone(), headers, payload.into()).await;
            sent.expect("sent");
        }
    }
}

#[test]
fn a_page_of_one_board_acts_at_no_other() {
    if !has_server() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut hall = RunningHall::start(folder.path(), &[]);
    let mut weber = hall.arbiter("A. Weber");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let to = |status: u16, to: &str| serde_json::json!({ "status": status, "headers": [["location", to]] });
    let lies = [
        to(307, "/board/17/act"),
        to(308, "/board/18/"),
        to(303, "/board/17/act"),
        to(303, "/leave"),
        to(303, "/board/19/arbiter"),
    ];
    for (number, head) in (18..).zip(lies) {
        runtime.spawn(lying_board(format!("nats://{}", hall.server), number, head, 0));
        let path = format!("/board/{number}/act");
        let note = [("act", "note"), ("text", "for another board")];
        let mut reply = weber.post(&path, &note);
        until("it answers", || {
            reply = weber.post(&path, &note);
            reply.status != 503
        });
        assert_eq!(reply.header("location"), None, "{number}: {reply:?}");
        assert!(!matches!(reply.status, 301 | 302 | 307 | 308), "{number}: {reply:?}");
    }
}
