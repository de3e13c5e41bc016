//! Keys: who may do what at a real server, and what a revoked one is worth.

use std::os::unix::fs::PermissionsExt as _;

use annabella_hall::{
    keys::{EventKeys, KeyRole},
    round::Pair,
};

use super::*;

/// A server that asks for the keys of boards 1 to 3, a spare board and the roles.
pub(super) fn guarded(folder: &Path) -> (NatsServer, EventKeys) {
    let event = place(1).event;
    let mut keys = EventKeys::make(&folder.join("keys"), &event).expect("a folder");
    let boards = (1..=3).map(KeyRole::Board);
    let roles = [KeyRole::Hall, KeyRole::Arbiter, KeyRole::Reader, KeyRole::Spare(1)];
    assert_eq!(keys.add(boards.chain(roles)).expect("keys"), 7);
    keys.name(["localhost".to_owned(), "127.0.0.1".to_owned()]).expect("a certificate");
    let settings = ServerSettings { keys: Some(folder.join("keys")), ..settings(folder) };
    let server = NatsServer::start(&settings).expect("a server");
    now(async {
        let link = line(&server, &keys, KeyRole::Hall).await.expect("a line");
        link.make_event(&event).await.expect("an event");
    });
    (server, keys)
}

/// The same, with the folder in which it is; `None`: there is no nats-server.
pub(super) fn guarded_hall() -> Option<(tempfile::TempDir, NatsServer, EventKeys)> {
    let folder = has_server().then(folder)?;
    let (server, keys) = guarded(folder.path());
    Some((folder, server, keys))
}

pub(super) async fn line(
    server: &NatsServer,
    keys: &EventKeys,
    role: KeyRole,
) -> Result<Link, HallError> {
    Link::open(&server.url(), Some(&keys.file(role)), "test").await
}

pub(super) fn wire_with(
    server: &NatsServer,
    key: PathBuf,
    board: u32,
    journal: &Path,
) -> (Wire, Lines) {
    wire_by(&server.url(), Some(key), board, journal)
}

pub(super) fn begun(path: &Path) -> (Journal, GameId) {
    let mut journal = Journal::open(path).expect("a journal");
    let game = journal.begin(&started("Anna"), At::new(1)).expect("begun");
    (journal, game)
}

/// The rows of a board as this role reads them.
pub(super) fn read_as(
    server: &NatsServer,
    keys: &EventKeys,
    role: KeyRole,
    board: u32,
) -> Result<usize, HallError> {
    now(async {
        let link = line(server, keys, role).await?;
        let (place, mut rows) = (place(board), 0);
        let count = |row: Option<StreamRow>| row.map(|_| rows += 1).is_some();
        link.read(&place.event, &place.rows(), count).await?;
        Ok(rows)
    })
}

#[test]
fn a_board_writes_its_own_rows_and_whoever_may_reads_them() {
    let Some((folder, server, keys)) = guarded_hall() else { return };
    let path = folder.path().join("a.db");
    let (_journal, _) = begun(&path);
    let (wire, _) = wire_with(&server, keys.file(KeyRole::Board(1)), 1, &path);
    let state = wire.state();
    until("sent", || state.borrow().caught_up && state.borrow().sent == 1);
    for role in [KeyRole::Hall, KeyRole::Arbiter, KeyRole::Reader, KeyRole::Spare(1)] {
        assert_eq!(read_as(&server, &keys, role, 1).expect("rows"), 1, "{role}");
    }
}

#[test]
fn a_board_writes_nobody_elses_rows_and_reads_none() {
    let Some((folder, server, keys)) = guarded_hall() else { return };
    let path = folder.path().join("a.db");
    let (_journal, _) = begun(&path);
    // Board 2's key in the hands of one who takes himself for board 1.
    let (wire, _) = wire_with(&server, keys.file(KeyRole::Board(2)), 1, &path);
    std::thread::sleep(Duration::from_secs(7));
    assert_eq!(wire.state().borrow().sent, 0);
    drop(wire);
    assert_eq!(read_as(&server, &keys, KeyRole::Hall, 1).expect("rows"), 0);
    assert!(read_as(&server, &keys, KeyRole::Board(2), 1).is_err());
}

/// What the server answers to a request, if it does.
async fn ask(client: &async_nats::Client, subject: String) -> Option<String> {
    let asked = client.request(subject, "{}".into());
    let answer = tokio::time::timeout(Duration::from_millis(300), asked).await.ok()?.ok()?;
    Some(String::from_utf8_lossy(&answer.payload).into_owned())
}

#[test]
fn only_the_hall_may_empty_or_delete_the_stream() {
    let Some((folder, server, keys)) = guarded_hall() else { return };
    let path = folder.path().join("a.db");
    let (_journal, _) = begun(&path);
    let (wire, _) = wire_with(&server, keys.file(KeyRole::Board(1)), 1, &path);
    until("sent", || wire.state().borrow().sent == 1);
    let roles = [KeyRole::Board(1), KeyRole::Spare(1), KeyRole::Arbiter, KeyRole::Reader];
    let asks =
        ["STREAM.PURGE", "STREAM.DELETE", "STREAM.UPDATE", "STREAM.MSG.DELETE", "STREAM.MSG.GET"];
    now(async {
        for role in roles {
            let link = line(&server, &keys, role).await.expect("a line");
            for what in asks {
                let answer = ask(link.client(), format!("$JS.API.{what}.hall-test")).await;
                assert_eq!(answer, None, "{role}: {what}");
            }
        }
    });
    assert_eq!(read_as(&server, &keys, KeyRole::Hall, 1).expect("rows"), 1);
    now(async {
        let link = line(&server, &keys, KeyRole::Hall).await.expect("a line");
        let purged = ask(link.client(), "$JS.API.STREAM.PURGE.hall-test".to_owned()).await;
        assert!(purged.is_some_and(|answer| answer.contains("\"purged\":1")), "the hall may");
    });
}

#[test]
fn replies_are_heard_by_whoever_asked_alone() {
    let Some((_folder, server, keys)) = guarded_hall() else { return };
    now(async {
        use futures_util::StreamExt as _;
        let spy = line(&server, &keys, KeyRole::Board(2)).await.expect("a line");
        let mut heard = Vec::new();
        for subject in
            ["_INBOX.>", "_INBOX_*.>", ">", "hall.test.board.1.>", "hall.test.board.1.ask"]
        {
            heard.push(spy.client().subscribe(subject).await.expect("asked"));
        }
        spy.client().flush().await.expect("flushed");
        let board = line(&server, &keys, KeyRole::Board(1)).await.expect("a line");
        annabella_hall::pairing::at(&board, &place(1)).await.expect("an answer");
        board.client().publish(place(1).here(), "".into()).await.expect("sent");
        board.client().flush().await.expect("flushed");
        for mut subscriber in heard {
            let next = tokio::time::timeout(Duration::from_millis(300), subscriber.next()).await;
            assert!(!matches!(next, Ok(Some(_))), "{next:?}");
        }
    });
}

#[test]
fn a_revoked_key_is_cut_at_once_and_refused_and_the_new_one_is_good() {
    let Some((folder, server, mut keys)) = guarded_hall() else { return };
    let path = folder.path().join("a.db");
    let (mut journal, game) = begun(&path);
    let lost = folder.path().join("lost.key");
    std::fs::copy(keys.file(KeyRole::Board(1)), &lost).expect("copied");
    let (wire, lines) = wire_with(&server, lost, 1, &path);
    let other = folder.path().join("b.db");
    let (_journal, _) = begun(&other);
    let (others, other_lines) = wire_with(&server, keys.file(KeyRole::Board(2)), 2, &other);
    until("sent", || wire.state().borrow().sent == 1 && others.state().borrow().sent == 1);
    keys.revoke(KeyRole::Board(1)).expect("revoked");
    assert!(keys.reload().expect("told"));
    let began = Instant::now();
    until("it is cut", || !wire.state().borrow().connected);
    println!("cut after {} ms", began.elapsed().as_millis());
    until("it is refused", || {
        let lines = lines.lock().expect("lines");
        lines.iter().any(|line| line.contains("does not let us in"))
    });
    journal.append(game, At::new(2), &Input::Woke).expect("kept");
    assert_eq!(read_as(&server, &keys, KeyRole::Hall, 1).expect("rows"), 1);
    drop(wire);
    let (wire, _) = wire_with(&server, keys.file(KeyRole::Board(1)), 1, &path);
    until("sent", || wire.state().borrow().sent == 1);
    assert_eq!(read_as(&server, &keys, KeyRole::Hall, 1).expect("rows"), 2);
    assert_eq!(other_lines.lock().expect("lines").len(), 1, "the others were not disturbed");
}

#[test]
fn a_server_of_another_authority_or_none_is_refused_in_one_line() {
    if !has_server() {
        return;
    }
    let (one, two, three) = (folder(), folder(), folder());
    let (first, _keys) = guarded(one.path());
    let event = place(1).event;
    let mut others = EventKeys::make(&two.path().join("keys"), &event).expect("a folder");
    others.add([KeyRole::Board(1)]).expect("keys");
    let refused = now(line(&first, &others, KeyRole::Board(1))).expect_err("another authority");
    let text = refused.to_string();
    let begins = format!("the server at {} is not the hall's: ", first.url());
    assert!(text.starts_with(&begins) && text.lines().count() == 1, "{text}");
    // One who answers in the hall's place without any certificate.
    let (plain, _) = super::server(three.path());
    let refused = now(line(&plain, &others, KeyRole::Board(1))).expect_err("no certificate");
    assert_eq!(refused.to_string().lines().count(), 1, "{refused}");
    println!("{refused}");
    // Nobody without a key comes in.
    let refused = now(Link::open(&first.url(), None, "test")).expect_err("no key");
    assert_eq!(refused.to_string().lines().count(), 1, "{refused}");
}

/// `annabella-hall keys` with these arguments.
fn command(folder: &Path, args: &[&str]) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_annabella-hall"));
    command.arg("keys").args(args).current_dir(folder).output().expect("runs")
}

#[test]
fn keys_are_made_by_one_command_and_nothing_secret_is_said_or_readable() {
    let folder = folder();
    let args = ["--event", "test", "--boards", "1-2", "--spares", "1", "--at", "192.168.4.1"];
    let made = command(folder.path(), &args);
    assert!(made.status.success(), "{made:?}");
    assert_eq!(
        String::from_utf8_lossy(&made.stdout),
        "6 keys of test are made in annabella-keys; `annabella hall --keys annabella-keys` asks for them\n"
    );
    let keys = folder.path().join("annabella-keys");
    let before = std::fs::read_to_string(keys.join("board-1.key")).expect("a key");
    let seed = before.lines().find_map(|line| line.strip_prefix("seed: ")).expect("a seed");
    for file in std::fs::read_dir(&keys).expect("files").filter_map(Result::ok) {
        let name = file.file_name().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(file.path()).expect("text");
        let open = file.metadata().expect("there").permissions().mode() & 0o077 != 0;
        assert!(!open || !(text.contains("PRIVATE KEY") || text.contains(seed)), "{name}");
    }
    // Again changes nothing; another board is added to them.
    assert!(command(folder.path(), &["--event", "test", "--boards", "1-3"]).status.success());
    assert_eq!(std::fs::read_to_string(keys.join("board-1.key")).expect("a key"), before);
    assert!(keys.join("board-3.key").exists());
    let revoked = command(folder.path(), &["--revoke", "1"]);
    assert_eq!(
        String::from_utf8_lossy(&revoked.stdout),
        "board-1 has a new key, annabella-keys/board-1.key; the old one is worth nothing\n\
         no own nats-server runs with these keys: an organiser's reads annabella-keys/keys.conf again when it is told to reload\n"
    );
    assert_ne!(std::fs::read_to_string(keys.join("board-1.key")).expect("a key"), before);
    let none = command(folder.path(), &["--revoke", "9"]);
    assert_eq!(
        String::from_utf8_lossy(&none.stderr),
        "annabella-hall: cannot use annabella-keys: there is no key of board-9\n"
    );
    let other = command(folder.path(), &["--event", "other"]);
    assert!(String::from_utf8_lossy(&other.stderr).contains("give each event a folder of its own"));
}

#[test]
fn the_own_server_is_open_to_a_network_only_with_keys_or_when_that_is_said() {
    let folder = folder();
    let output = Command::new(env!("CARGO_BIN_EXE_annabella-hall"))
        .args(["--listen", "0.0.0.0:0"])
        .current_dir(folder.path())
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "annabella-hall: at 0.0.0.0:0 everybody in the network could write and read everything: make keys with \
         `annabella hall keys` and give their folder with --keys, or say that this is wanted with --open\n"
    );
}

#[test]
fn a_spares_key_takes_a_board_over_and_a_boards_does_not() {
    let Some((folder, server, keys)) = guarded_hall() else { return };
    let path = folder.path().join("a.db");
    let (_journal, game) = begun(&path);
    let (wire, _) = wire_with(&server, keys.file(KeyRole::Board(1)), 1, &path);
    until("sent", || wire.state().borrow().sent == 1);
    let take = |role| {
        now(async {
            let link = line(&server, &keys, role).await.expect("a line");
            annabella_hall::takeover::take_over(&link, &place(1), folder.path()).await
        })
    };
    let is_here = || {
        now(async {
            let link = line(&server, &keys, KeyRole::Spare(1)).await.expect("a line");
            annabella_hall::takeover::is_here(&link, &place(1)).await.expect("heard")
        })
    };
    assert!(is_here(), "it gives signs of life");
    assert!(take(KeyRole::Board(2)).is_err());
    assert!(!wire.state().borrow().taken_over);
    let taken = take(KeyRole::Spare(1)).expect("taken over");
    assert_eq!((taken.game, taken.rows), (game, 1));
    until("it is told", || wire.state().borrow().taken_over);
    assert!(!is_here(), "it is silent");
    let mut journal = Journal::open(&taken.journal).expect("a journal");
    journal.append(game, At::new(5), &Input::Resumed).expect("kept");
    let (spare, _) = wire_with(&server, keys.file(KeyRole::Spare(1)), 1, &taken.journal);
    until("sent", || spare.state().borrow().sent == 1);
    assert_eq!(read_as(&server, &keys, KeyRole::Hall, 1).expect("rows"), 2);
}

#[test]
fn a_boards_key_hears_who_is_paired_there_and_nobody_elses_pairing() {
    if !has_server() {
        return;
    }
    let folder = folder();
    let (server, keys) = guarded(folder.path());
    let path = folder.path().join("a.db");
    let (wire, lines) = wire_with(&server, keys.file(KeyRole::Board(1)), 1, &path);
    until("joined", || wire.state().borrow().connected);
    let pair = |board, white: &str| Pair { board, white: white.to_owned(), ..Pair::default() };
    let publish = |role, pairs: &[Pair]| {
        now(async {
            let link = line(&server, &keys, role).await.expect("a line");
            annabella_hall::pairing::publish(&link, &place(1).event, pairs).await
        })
    };
    assert!(publish(KeyRole::Board(2), &[pair(1, "Eva")]).is_err());
    publish(KeyRole::Hall, &[pair(2, "Berta"), pair(1, "Anna")]).expect("published");
    until("it hears it", || wire.pairing().borrow().is_some());
    assert_eq!(*wire.pairing().borrow(), Some(pair(1, "Anna")));
    // What is no pairing is told, and the line stays.
    now(async {
        let link = line(&server, &keys, KeyRole::Hall).await.expect("a line");
        let subject = place(1).event.pairing(1);
        link.client().publish(subject, "{".into()).await.expect("sent");
        link.client().flush().await.expect("flushed");
    });
    until("it is told", || {
        lines.lock().expect("lines").iter().any(|line| line.contains("no pairing"))
    });
    publish(KeyRole::Hall, &[pair(1, "Clara")]).expect("published");
    until("it hears it", || *wire.pairing().borrow() == Some(pair(1, "Clara")));
    assert!(wire.state().borrow().connected);
}
