//! What one board sends is bounded, and a journal that somebody has made anew is told from the
//! board's own.

use std::{
    io::{BufRead as _, BufReader},
    net::TcpListener,
    process::Child,
    sync::mpsc,
};

use annabella_hall::{
    budget::{Budget, Budgets},
    keys::{EventKeys, KeyRole},
};
use annabella_records::journal::{KeptRow, repair};

use super::{
    keys::{begun, guarded_hall, line, read_as, wire_with},
    *,
};

/// A program that is ended with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.0.id().to_string()).status();
        let _ = self.0.wait();
    }
}

/// `annabella hall` with keys, its address, and the lines of its log.
fn guarded_program(folder: &Path) -> (Running, String, EventKeys, mpsc::Receiver<String>) {
    let event = place(1).event;
    let mut keys = EventKeys::make(&folder.join("keys"), &event).expect("a folder");
    let boards = (1..=2).map(KeyRole::Board);
    keys.add(boards.chain([KeyRole::Hall])).expect("keys");
    let free = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let address = free.local_addr().expect("an address");
    drop(free);
    let mut child = Command::new(env!("CARGO_BIN_EXE_annabella-hall"))
        .args(["--event", "test", "--no-page", "--keys", "keys", "--listen", &address.to_string()])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    let (send, lines) = mpsc::channel();
    let stderr = BufReader::new(child.stderr.take().expect("piped"));
    std::thread::spawn(move || {
        stderr.lines().map_while(Result::ok).all(|line| send.send(line).is_ok())
    });
    (Running(child), format!("tls://{address}"), keys, lines)
}

/// Sends until it is cut.
fn floods(url: &str, key: &Path, subject: impl Fn(usize) -> String) {
    let flood = async {
        let link = loop {
            match Link::open(url, Some(key), "flood").await {
                Ok(link) => break link,
                Err(HallError::Unreachable { .. }) => {
                    tokio::time::sleep(Duration::from_millis(20)).await
                }
                Err(err) => panic!("{err}"),
            }
        };
        let payload = vec![b'x'; 500_000];
        // What is sent to a line that was cut is waited for in vain.
        let sends = async {
            for n in 0.. {
                let _ = link.client().publish(subject(n), payload.clone().into()).await;
                let _ = link.client().flush().await;
            }
        };
        tokio::select! {
            () = sends => {}
            () = link.lost() => {}
        }
    };
    let cut = now(async { tokio::time::timeout(PATIENCE, flood).await });
    assert!(cut.is_ok(), "it is still there");
}

/// The hall says that board 1 is shut out.
fn is_shut_out(lines: &mpsc::Receiver<String>) {
    let said = "hall: board 1 has sent more than a board can, and nothing more is taken of it: its key is worth nothing";
    while !lines.recv_timeout(PATIENCE).expect("it is said").contains(said) {}
}

#[test]
fn a_board_that_floods_the_hall_is_shut_out_and_the_others_go_on() {
    if !has_server() {
        return;
    }
    let folder = folder();
    let (_hall, url, keys, lines) = guarded_program(folder.path());
    let path = folder.path().join("2.db");
    let (_journal, _) = begun(&path);
    let (wire, _) = wire_by(&url, Some(keys.file(KeyRole::Board(2))), 2, &path);
    until("sent", || wire.state().borrow().sent == 1);
    let pid =
        || std::fs::read_to_string(folder.path().join("keys/nats-server.pid")).expect("a pid");
    let key = keys.file(KeyRole::Board(1));
    let before = pid();
    floods(&url, &key, |n| format!("hall.test.board.1.game.{}.1", n + 1));
    is_shut_out(&lines);
    let again = now(Link::open(&url, Some(&key), "flood"));
    assert!(matches!(again, Err(HallError::Refused { .. })), "{again:?}");
    let path = folder.path().join("3.db");
    let (_journal, _) = begun(&path);
    let (more, _) = wire_by(&url, Some(keys.file(KeyRole::Board(2))), 2, &path);
    until("sent", || more.state().borrow().caught_up);
    // One that reads its keys again is not taken for one that keeps no rows.
    assert_eq!(pid(), before);
}

#[test]
fn what_no_reader_reads_is_a_flood_too() {
    if !has_server() {
        return;
    }
    let folder = folder();
    let (_hall, url, keys, lines) = guarded_program(folder.path());
    let key = keys.file(KeyRole::Board(1));
    floods(&url, &key, |_| "hall.test.board.1.room".to_owned());
    is_shut_out(&lines);
}

#[test]
fn what_a_board_sends_beyond_its_budget_is_no_row_for_whoever_reads() {
    let Some((folder, server, keys)) = guarded_hall() else { return };
    let path = folder.path().join("1.db");
    let (mut journal, game) = begun(&path);
    for n in 0..20 {
        journal.append(game, At::new(2 + n), &Input::ClockStarted).expect("kept");
    }
    let (wire, _) = wire_with(&server, keys.file(KeyRole::Board(1)), 1, &path);
    until("sent", || wire.state().borrow().sent == 21);
    let small = Budget { rows: 5, rows_s: 0, ..Budget::default() };
    let budgets = Arc::new(std::sync::Mutex::new(Budgets::new(small)));
    let rows = now(async {
        let link = line(&server, &keys, KeyRole::Hall).await.expect("a line");
        let (link, mut rows) = (link.within(Arc::clone(&budgets)), 0);
        let event = place(1).event;
        let count = |row: Option<StreamRow>| row.map(|_| rows += 1).is_some();
        link.read(&event, &event.rows(), count).await.expect("read to the end");
        rows
    });
    assert_eq!((rows, budgets.lock().expect("budgets").over()), (5, vec![1]));
}

/// Headers that mean something to the server, with the place of board 2's last row in the stream.
#[test]
fn no_header_of_a_board_s_message_touches_another_board_s_rows() {
    let Some((folder, server, keys)) = guarded_hall() else { return };
    let path = folder.path().join("2.db");
    let (mut journal, game) = begun(&path);
    let (wire, _) = wire_with(&server, keys.file(KeyRole::Board(2)), 2, &path);
    until("sent", || wire.state().borrow().sent == 1);
    // The checksum is no secret: suppose that board 1 knows board 2's next row.
    let follower = annabella_records::journal::Follower::open(&path).expect("opens");
    let last = follower.rows(game, 1, 1).expect("rows").remove(0);
    let json = serde_json::json!(Input::ClockStarted).to_string();
    let next = KeptRow::after(game, (1, last.sum), 2, json).expect("a row");
    let sum: String = next.sum.iter().map(|byte| format!("{byte:02x}")).collect();
    now(async {
        let link = line(&server, &keys, KeyRole::Board(1)).await.expect("a line");
        let headers = [
            ("Nats-Rollup", "all".to_owned()),
            ("Nats-Rollup", "sub".to_owned()),
            ("Nats-Msg-Id", format!("2.{game}.1.2.{sum}")),
            ("Nats-Expected-Stream", "hallhere-test".to_owned()),
            ("Nats-Expected-Last-Sequence", "1".to_owned()),
            ("Nats-TTL", "1s".to_owned()),
            ("Nats-Marker-Reason", "Purge".to_owned()),
        ];
        for (n, (name, value)) in headers.into_iter().enumerate() {
            let mut map = async_nats::HeaderMap::new();
            map.insert(name, value.as_str());
            let subject = format!("hall.test.board.1.game.{}.1", n + 1);
            let sent = link.client().publish_with_headers(subject, map, "x".into()).await;
            sent.expect("sent");
        }
        link.client().flush().await.expect("sent");
    });
    journal.append(game, At::new(2), &Input::ClockStarted).expect("kept");
    until("sent", || wire.state().borrow().sent == 2);
    assert_eq!(read_as(&server, &keys, KeyRole::Hall, 2).expect("rows"), 2);
}

#[test]
fn a_key_has_a_bounded_number_of_connections_and_nobody_else_has_fewer_for_it() {
    let Some((_folder, server, keys)) = guarded_hall() else { return };
    now(async {
        let mut lines = Vec::new();
        let refused = loop {
            match line(&server, &keys, KeyRole::Board(1)).await {
                Ok(line) if lines.len() < 100 => lines.push(line),
                Ok(_) => panic!("a hundred"),
                Err(refused) => break refused,
            }
        };
        assert_eq!(lines.len(), 12, "{refused}");
        line(&server, &keys, KeyRole::Board(2)).await.expect("a line");
        line(&server, &keys, KeyRole::Hall).await.expect("a line");
    });
}

#[test]
fn a_journal_that_somebody_has_made_anew_is_told_from_the_one_that_its_board_has_signed() {
    let Some((folder, server, keys)) = guarded_hall() else { return };
    let (own, forged) = (folder.path().join("own.db"), folder.path().join("forged.db"));
    for (path, moment) in [(&own, 2), (&forged, 3)] {
        let (mut journal, game) = begun(path);
        journal.append(game, At::new(moment), &Input::ClockStarted).expect("kept");
    }
    let (wire, _) = wire_with(&server, keys.file(KeyRole::Board(1)), 1, &own);
    until("sent", || wire.state().borrow().sent == 2);
    // Every checksum in it is right.
    let repaired = repair(&forged, &folder.path().join("new.db")).expect("repaired");
    assert_eq!((repaired.inputs, repaired.lost), (2, Vec::new()));
    let compared = |journal: &str| {
        let done = Command::new(env!("CARGO_BIN_EXE_annabella-hall"))
            .args(["compare", journal, "--board", "1", "--event", "test", "--url", &server.url()])
            .arg("--credentials")
            .arg(keys.file(KeyRole::Reader))
            .current_dir(folder.path())
            .output()
            .expect("runs");
        (done.status.code(), String::from_utf8_lossy(&done.stdout).into_owned())
    };
    let same = "board 1: all 2 rows are as the hall has them\n".to_owned();
    assert_eq!(compared("own.db"), (Some(0), same));
    let differs =
        "board 1, game 1: 2 rows in the journal, 2 in the stream, row 2 differs\n".to_owned();
    assert_eq!(compared("forged.db"), (Some(1), differs.clone()));
    assert_eq!(compared("new.db"), (Some(1), differs));
}
