//! The journal: what was acknowledged is there, in order, whatever happens to the process.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use annabella_core::game::{At, GameConfig, Input, PlayerButton, Started};
use annabella_records::journal::{
    GameId, Journal, JournalError, PutRight, Records, open_repaired, repair,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Color, Square};

use crate::again::again;

fn started(white: &str) -> Started {
    Started {
        config: GameConfig {
            white: white.to_owned(),
            black: "Hector".to_owned(),
            ..GameConfig::default()
        },
        packs: vec!["name = \"fide\"\n".to_owned()],
        confusions: Default::default(),
        build: "test".to_owned(),
        unix_s: 1_700_000_000,
    }
}

/// A different input for each number, of every shape.
fn input(number: u64) -> Input {
    let seat = Color::from_white(number.is_multiple_of(2));
    let square = Square::ALL[(number % 64) as usize];
    match number % 7 {
        0 => Input::Edge { seat, square, occupied: number.is_multiple_of(4), ago_ms: 0 },
        1 => Input::Said {
            seat: Some(seat),
            heard: vec![format!("springer gustav {number}"), "\"ä\"\u{0}\n".to_owned()],
        },
        2 => Input::Board { seat, occupied: u64::MAX - number },
        3 => Input::Pressed { seat },
        4 => Input::Sighted { seat, uci: "g8f6".to_owned() },
        5 => Input::Button { seat: Some(seat), asks: PlayerButton::Repeat },
        _ => Input::Woke,
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder")
}

fn game_with(path: &Path, count: u64) -> GameId {
    let mut journal = Journal::open(path).expect("opens");
    let game = journal.begin(&started("Anna"), At::new(100)).expect("begins");
    let inputs: Vec<_> = (1..=count).map(|n| (At::new(100 + n * 10), input(n))).collect();
    journal.append_all(game, &inputs).expect("kept");
    game
}

#[test]
fn what_is_appended_is_read_back_in_order_and_once() {
    let folder = folder();
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("opens");
    assert_eq!(journal.games().expect("list"), []);
    assert_eq!(journal.resume_at().expect("moment"), At::new(0));
    assert_eq!(journal.latest_first().expect("list"), []);

    let first = journal.begin(&started("Anna"), At::new(5)).expect("begins");
    let mut wanted = vec![(At::new(5), Input::Started(Box::new(started("Anna"))))];
    for n in 1..=12 {
        // Two inputs may share a moment.
        let at = At::new(5 + n / 2);
        journal.append(first, at, &input(n)).expect("kept");
        wanted.push((at, input(n)));
    }
    journal.close(first, "1-0").expect("closed");
    let second = journal.begin(&started("Berta"), At::new(100)).expect("begins");
    drop(journal);

    let journal = Journal::open(&path).expect("opens again");
    assert_eq!(journal.inputs(first).expect("inputs"), wanted);
    assert_eq!(journal.inputs(second).expect("inputs").len(), 1);
    let latest: Vec<_> = journal.latest_first().expect("list").iter().map(|row| row.id).collect();
    assert_eq!(latest, [second, first]);
    assert_eq!(journal.resume_at().expect("moment"), At::new(100));
    let games = journal.games().expect("list");
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].id, first);
    assert_eq!(games[0].started_unix_s, 1_700_000_000);
    assert_eq!(games[0].white, "Anna");
    assert_eq!(games[0].black, "Hector");
    assert_eq!(games[0].result.as_deref(), Some("1-0"));
    assert_eq!(games[0].inputs, 13);
    assert_eq!(games[0].last_at, At::new(11));
    assert_eq!(games[1], journal.game(second).expect("row"));
    assert_eq!(games[1].result, None);
}

#[test]
fn a_refused_batch_leaves_nothing_behind() {
    let folder = folder();
    let mut journal = Journal::open(folder.path().join("a.db")).expect("opens");
    let game = journal.begin(&started("Anna"), At::new(50)).expect("begins");
    let batch = [(At::new(60), input(1)), (At::new(59), input(2))];
    let error = journal.append_all(game, &batch).expect_err("goes back");
    assert_eq!(
        error.to_string(),
        "moment 59 ms lies before the journal's last, 60 ms: start the service's clock at Records::resume_at"
    );
    assert_eq!(journal.inputs(game).expect("inputs").len(), 1);
    journal.append(game, At::new(50), &input(3)).expect("the refused batch did not move time");
    assert!(matches!(
        journal.append(game, At::new(49), &input(4)),
        Err(JournalError::Past { at_ms: 49, last_ms: 50 })
    ));
    assert!(matches!(
        journal.append(game, At::new(u64::MAX), &input(4)),
        Err(JournalError::Future { .. })
    ));
    let nobody = GameId { number: 7 };
    for error in [
        journal.append(nobody, At::new(99), &input(4)).expect_err("no game"),
        journal.close(nobody, "*").expect_err("no game"),
        journal.inputs(nobody).expect_err("no game"),
    ] {
        let message = error.to_string();
        assert!(message.starts_with("no game 7 in journal "), "{message}");
    }
}

#[test]
fn time_keeps_rising_over_games_and_restarts() {
    let folder = folder();
    let path = folder.path().join("a.db");
    game_with(&path, 9);
    let mut journal = Journal::open(&path).expect("opens again");
    assert_eq!(journal.resume_at().expect("moment"), At::new(190));
    assert!(matches!(
        journal.begin(&started("Berta"), At::new(189)),
        Err(JournalError::Past { .. })
    ));
    journal.begin(&started("Berta"), At::new(191)).expect("begins");
    assert_eq!(journal.games().expect("list").len(), 2);
}

#[test]
fn a_closed_game_can_be_opened_again_and_takes_what_the_arbiter_decides() {
    let folder = folder();
    let path = folder.path().join("a.db");
    let game = game_with(&path, 3);
    let mut journal = Journal::open(&path).expect("opens");
    journal.close(game, "0-1").expect("closed");
    assert_eq!(journal.game(game).expect("row").result.as_deref(), Some("0-1"));
    journal.append(game, At::new(500), &input(1)).expect("kept all the same");
    journal.reopen(game).expect("open again");
    assert_eq!(journal.game(game).expect("row").result, None);
}

#[test]
fn the_game_in_which_something_happened_last_comes_first() {
    let folder = folder();
    let mut journal = Journal::open(folder.path().join("a.db")).expect("opens");
    let first = journal.begin(&started("Anna"), At::new(10)).expect("begins");
    let second = journal.begin(&started("Berta"), At::new(20)).expect("begins");
    let latest = |journal: &Journal| {
        journal.latest_first().expect("list").iter().map(|row| row.id).collect::<Vec<_>>()
    };
    assert_eq!(latest(&journal), [second, first]);
    journal.append(first, At::new(30), &input(1)).expect("kept");
    assert_eq!(latest(&journal), [first, second]);
}

#[test]
fn a_game_begun_over_keeps_its_number_and_nothing_else() {
    let folder = folder();
    let path = folder.path().join("a.db");
    let game = game_with(&path, 3);
    let mut journal = Journal::open(&path).expect("opens");
    journal.close(game, "*").expect("closed");
    let past = journal.begin_over(game, &started("Berta"), At::new(1)).expect_err("too early");
    assert!(matches!(past, JournalError::Past { .. }), "{past}");
    assert_eq!(journal.inputs(game).expect("kept").len(), 4, "refused: nothing is gone");
    journal.begin_over(game, &started("Berta"), At::new(900)).expect("begins");
    let row = journal.game(game).expect("row");
    assert_eq!((row.white.as_str(), row.result, row.inputs), ("Berta", None, 1));
    assert_eq!(journal.resume_at().expect("moment"), At::new(900));
    let nobody = GameId { number: 7 };
    let error = journal.begin_over(nobody, &started("Berta"), At::new(901)).expect_err("no game");
    assert!(matches!(error, JournalError::NoGame { .. }), "{error}");
}

#[test]
fn two_services_on_one_journal_are_refused_but_readers_are_not() {
    let folder = folder();
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("opens");
    let error = Journal::open(&path).expect_err("in use");
    assert_eq!(
        error.to_string(),
        format!(
            "annabella runs already, with journal {}: stop that one, or choose another [journal] path",
            path.display()
        )
    );
    let game = journal.begin(&started("Anna"), At::new(1)).expect("begins");
    let records = Records::open(&path).expect("opens for reading");
    for n in 1..=5 {
        journal.append(game, At::new(n), &input(n)).expect("readers don't stop writing");
        assert_eq!(
            records.inputs(game).expect("inputs").len() as u64,
            n + 1,
            "a reader sees what was written"
        );
    }
    drop(journal);
    Journal::open(&path).expect("the lock is free again");
}

#[test]
fn a_log_that_is_taken_away_or_cut_is_noticed_and_what_was_written_is_in_the_file() {
    let folder = folder();
    for (name, harm) in [("removed", true), ("cut", false)] {
        let path = folder.path().join(name);
        let log = folder.path().join(format!("{name}-wal"));
        let mut journal = Journal::open(&path).expect("opens");
        let game = journal.begin(&started("Anna"), At::new(1)).expect("begins");
        journal.append(game, At::new(2), &input(2)).expect("kept");
        if harm {
            fs::remove_file(&log).expect("removed");
        } else {
            fs::write(&log, "").expect("cut");
        }
        for at in 3..5 {
            let error = journal.append(game, At::new(at), &input(at)).expect_err("no log");
            assert!(error.to_string().contains("its log was removed or cut"), "{error}");
            assert!(error.may_pass(), "the game goes on from memory");
        }
        if harm {
            let copy = folder.path().join("copy");
            fs::copy(&path, &copy).expect("copied");
            let records = Records::open(&copy).expect("a journal by itself");
            assert_eq!(records.inputs(game).expect("whole").len(), 2);
        }
    }
}

#[test]
fn a_log_that_another_program_has_brought_into_the_file_is_no_loss() {
    let folder = folder();
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("opens");
    let game = journal.begin(&started("Anna"), At::new(1)).expect("begins");
    let other = rusqlite::Connection::open(&path).expect("another program");
    other.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).expect("done");
    assert_eq!(fs::metadata(folder.path().join("a.db-wal")).expect("a log").len(), 0);
    journal.append(game, At::new(2), &input(2)).expect("kept");
    assert_eq!(journal.inputs(game).expect("inputs").len(), 2);
}

#[test]
fn a_journal_whose_lock_file_is_gone_or_that_has_another_name_has_one_service() {
    let folder = folder();
    let path = folder.path().join("a.db");
    let journal = Journal::open(&path).expect("opens");
    fs::remove_file(folder.path().join("a.db.lock")).expect("removed");
    assert!(matches!(Journal::open(&path), Err(JournalError::InUse { .. })));
    let flock = |path: &Path| {
        let mut tried = std::process::Command::new("flock");
        tried.arg("--nonblock").arg(path).arg("true").status().expect("util-linux").success()
    };
    assert!(!flock(&path), "another process cannot lock it either");
    drop(journal);
    assert!(flock(&path));
    Journal::open(&path).expect("free again");
}

/// The system drops all of a process's locks on a file when it closes it once. Without them whoever
/// closes the journal last takes its log away, under the service.
#[test]
fn whoever_reads_a_journal_in_the_service_itself_takes_no_lock_off_it() {
    use std::os::unix::fs::MetadataExt as _;
    let folder = folder();
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("opens");
    let game = journal.begin(&started("Anna"), At::new(1)).expect("begins");
    let inode = format!(":{} ", fs::metadata(&path).expect("a file").ino());
    let own = format!(" {} ", std::process::id());
    let locked = || {
        let locks = fs::read_to_string("/proc/locks").expect("locks");
        let own = |line: &&str| line.contains(&own) && line.contains(&inode);
        locks.lines().filter(own).filter(|line| line.contains("POSIX")).count()
    };
    let before = locked();
    assert!(before > 0, "SQLite says that the file is in use");
    drop(Records::open(&path).expect("read").inputs(game).expect("inputs"));
    assert!(Journal::open(&path).is_err());
    assert_eq!(locked(), before);
}

#[test]
fn files_of_others_are_refused_and_left_as_they_are() {
    let folder = folder();
    let database = folder.path().join("other.db");
    rusqlite::Connection::open(&database)
        .and_then(|db| {
            db.execute_batch("CREATE TABLE people (name TEXT); INSERT INTO people VALUES ('x')")
        })
        .expect("another program's database");
    let text = folder.path().join("notes.txt");
    fs::write(&text, "1. e4 e5\n".repeat(100)).expect("written");
    let short = folder.path().join("short");
    fs::write(&short, "x").expect("written");
    for path in [database, text, short] {
        let before = fs::read(&path).expect("readable");
        let message = format!(
            "{} is not a journal of annabella, it is left as it is: choose another [journal] path",
            path.display()
        );
        assert_eq!(Journal::open(&path).expect_err("foreign").to_string(), message);
        assert_eq!(Records::open(&path).expect_err("foreign").to_string(), message);
        assert_eq!(fs::read(&path).expect("readable"), before);
    }
    assert!(matches!(Journal::open(folder.path()), Err(JournalError::Foreign { .. })));
}

#[test]
fn a_journal_of_a_later_version_asks_for_an_update() {
    let folder = folder();
    let path = folder.path().join("a.db");
    game_with(&path, 1);
    rusqlite::Connection::open(&path)
        .and_then(|db| db.pragma_update(None, "user_version", 9))
        .expect("changed");
    let error = Journal::open(&path).expect_err("newer");
    assert_eq!(
        error.to_string(),
        format!(
            "journal {} has version 9, this program knows versions up to 2: update the program",
            path.display()
        )
    );
}

#[test]
fn a_missing_folder_or_journal_is_one_line_with_the_remedy() {
    let folder = folder();
    let path = folder.path().join("no/a.db");
    let message = Journal::open(&path).expect_err("no folder").to_string();
    assert!(
        message.starts_with(&format!("cannot open journal {}: No such file", path.display()))
            && message.contains("check that its folder exists"),
        "{message}"
    );
    let error = Records::open(folder.path().join("a.db")).expect_err("no journal");
    assert!(matches!(error, JournalError::Missing { .. }), "{error}");
    assert!(!folder.path().join("a.db").exists());
}

#[test]
fn an_empty_file_becomes_a_journal() {
    let folder = folder();
    let path = folder.path().join("a.db");
    fs::write(&path, "").expect("written");
    game_with(&path, 1);
}

#[test]
fn damage_is_an_error_and_never_a_panic() {
    let folder = folder();
    let path = folder.path().join("a.db");
    let game = game_with(&path, 120);
    let wanted = Journal::open(&path).and_then(|journal| journal.inputs(game));
    let wanted = wanted.expect("inputs");
    let whole = fs::read(&path).expect("readable");
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut refused = 0;
    for round in 0..150 {
        let mut bytes = whole.clone();
        match round % 3 {
            0 => bytes.truncate(rng.random_range(1..whole.len())),
            1 => {
                for _ in 0..20 {
                    let place = rng.random_range(0..bytes.len());
                    bytes[place] = rng.random();
                }
            }
            _ => {
                let start = rng.random_range(0..bytes.len() - 600);
                bytes[start..start + 600].fill(rng.random());
            }
        }
        let path = folder.path().join("damaged.db");
        for rest in ["damaged.db-wal", "damaged.db-shm"] {
            let _ = fs::remove_file(folder.path().join(rest));
        }
        fs::write(&path, &bytes).expect("written");
        let read = Records::open(&path).and_then(|records| {
            records.games()?;
            records.latest_first()?;
            records.resume_at()?;
            records.inputs(game)
        });
        match read {
            Ok(inputs) => assert_eq!(inputs.len(), wanted.len(), "round {round}"),
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().contains('\n'), "{error}");
            }
        }
        assert_eq!(fs::read(&path).expect("readable"), bytes, "round {round}");
        if let Err(error) = Journal::open(&path) {
            assert!(!error.to_string().contains('\n'), "{error}");
            assert_eq!(fs::read(&path).expect("readable"), bytes, "round {round}");
        }
    }
    assert!(refused > 75, "only {refused} of 150 were noticed");
}

const CHILD: &str = "ANNABELLA_TEST_JOURNAL_CHILD";

/// The process that the test kills: this test again, told by its environment to append.
fn append_until_killed(path: PathBuf) -> ! {
    let mut journal = Journal::open(path).expect("the lock of the killed one is free");
    let game = match journal.games().expect("readable").pop() {
        Some(row) => row.id,
        None => journal.begin(&started("Anna"), At::new(0)).expect("begins"),
    };
    let mut number = journal.inputs(game).expect("readable").len() as u64;
    loop {
        let next = At::new(journal.resume_at().expect("readable").ms + 1);
        journal.append(game, next, &input(number)).expect("kept");
        println!("kept {number}");
        number += 1;
    }
}

#[test]
fn what_was_acknowledged_survives_kill_9() {
    if let Some(path) = std::env::var_os(CHILD) {
        append_until_killed(PathBuf::from(path));
    }
    let folder = folder();
    let path = folder.path().join("a.db");
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut kept_before = 0;
    for round in 0..30 {
        let mut child = again(module_path!(), "what_was_acknowledged_survives_kill_9")
            .env(CHILD, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        let acknowledged = Arc::new(AtomicU64::new(0));
        let lines = BufReader::new(child.stdout.take().expect("piped"));
        let reader = std::thread::spawn({
            let acknowledged = Arc::clone(&acknowledged);
            move || {
                for line in lines.lines().map_while(Result::ok) {
                    // The test harness writes its own words before the first one.
                    let number = line.rsplit_once("kept ").and_then(|(_, n)| n.parse().ok());
                    if let Some(number) = number {
                        acknowledged.store(number, Ordering::SeqCst);
                    }
                }
            }
        });
        // Some rounds are killed while the child starts, most while it writes.
        if round % 5 != 0 {
            for _ in 0..2_000 {
                if acknowledged.load(Ordering::SeqCst) > kept_before {
                    break;
                }
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        std::thread::sleep(Duration::from_micros(rng.random_range(0..40_000)));
        child.kill().expect("kill -9");
        child.wait().expect("ended");
        reader.join().expect("read to the end");

        let acknowledged = acknowledged.load(Ordering::SeqCst).max(kept_before);
        let journal = Journal::open(&path).expect("nothing to repair");
        let Some(game) = journal.games().expect("readable").pop().map(|row| row.id) else {
            assert_eq!(acknowledged, 0, "round {round}");
            continue;
        };
        let inputs = journal.inputs(game).expect("readable");
        let kept = inputs.len() as u64 - 1;
        assert!(
            kept == acknowledged || kept == acknowledged + 1,
            "round {round}: acknowledged {acknowledged}, kept {kept}"
        );
        for (number, (_, found)) in inputs.iter().enumerate().skip(1) {
            assert_eq!(*found, input(number as u64), "round {round}");
        }
        kept_before = kept;
    }
    assert!(kept_before > 30, "only {kept_before} inputs were kept in 30 rounds");
}

/// What any reader says that is not so: a journal that is written at this moment is whole.
fn read_everything(path: &Path, game: GameId) -> Result<(), String> {
    use annabella_records::journal::{
        Follower,
        report::{Report, ReportLabels},
    };
    let said = |err: JournalError| err.to_string();
    let records = Records::open(path).map_err(said)?;
    records.games().map_err(said)?;
    records.latest_first().map_err(said)?;
    let inputs = records.inputs(game).map_err(said)?;
    let labels = ReportLabels::of("en");
    // These inputs are every kind there is, not a game that anybody played.
    let _ = Report::of(game.number, &inputs, &labels).map(|report| report.to_html(&labels));
    let wrong = records.check().map_err(said)?;
    if !wrong.is_empty() {
        return Err(wrong.join("; "));
    }
    if let Some(lacks) = records.lacks() {
        return Err(lacks);
    }
    let follower = Follower::open(path).map_err(said)?;
    let mut before = [0; 16];
    for row in follower.rows(game, 1, usize::MAX).map_err(said)? {
        if !row.follows(game, before) {
            return Err(format!("row {} does not follow", row.number));
        }
        before = row.sum;
    }
    Ok(())
}

#[test]
fn a_journal_is_whole_for_every_reader_while_a_service_writes_to_it() {
    let folder = folder();
    let path = folder.path().join("a.db");
    let game = game_with(&path, 50);
    let stop = Arc::new(AtomicU64::new(0));
    let (written, over) = (Arc::clone(&stop), Arc::new(AtomicU64::new(0)));
    let (writer_path, ended) = (path.clone(), Arc::clone(&over));
    let writer = std::thread::spawn(move || {
        let mut journal = Journal::open(&writer_path).expect("opens");
        let mut at_ms = 1_000_000;
        while ended.load(Ordering::Relaxed) == 0 {
            at_ms += 1;
            let number = written.fetch_add(1, Ordering::Relaxed);
            journal.append(game, At::new(at_ms), &input(number)).expect("kept");
            if number % 97 == 96 {
                journal.begin_over(game, &started("Anna"), At::new(at_ms)).expect("begun over");
            }
            // Some two hundred a second, as hands on both boards and a voice at once are.
            std::thread::sleep(Duration::from_millis(4));
        }
    });
    let readers: Vec<_> = (0..2)
        .map(|_| {
            let (path, written) = (path.clone(), Arc::clone(&stop));
            std::thread::spawn(move || {
                let mut said = Vec::new();
                while written.load(Ordering::Relaxed) < 400 {
                    said.extend(read_everything(&path, game).err());
                }
                said
            })
        })
        .collect();
    let said: Vec<String> =
        readers.into_iter().flat_map(|reader| reader.join().expect("no panic")).collect();
    over.store(1, Ordering::Relaxed);
    writer.join().expect("no panic");
    assert!(said.is_empty(), "{} times: {said:?}", said.len());
}

#[test]
fn one_journal_has_one_service_whatever_it_is_called() {
    let folder = folder();
    let path = folder.path().join("a.db");
    let game = game_with(&path, 3);
    let link = folder.path().join("link.db");
    std::os::unix::fs::symlink(&path, &link).expect("a link");
    let mut journal = Journal::open(&path).expect("opens");
    assert!(matches!(Journal::open(&link), Err(JournalError::InUse { .. })));
    drop(journal);
    journal = Journal::open(&link).expect("opens by its other name");
    assert!(matches!(Journal::open(&path), Err(JournalError::InUse { .. })));
    journal.append(game, At::new(9_000_000), &input(1)).expect("kept");
    assert_eq!(Records::open(&path).expect("opens").inputs(game).expect("inputs").len(), 5);
    drop(journal);
    let hard = folder.path().join("hard.db");
    fs::hard_link(&path, &hard).expect("a second name");
    for name in [&path, &hard] {
        let refused = Journal::open(name).map(drop).expect_err("two names").to_string();
        assert!(refused.contains("has 2 names (hard links)"), "{refused}");
        assert!(Records::open(name).is_err(), "nor is it read");
    }
    fs::remove_file(&hard).expect("removed");
    Journal::open(&path).expect("opens again");
}

#[test]
fn nobody_else_reads_the_file_beside_a_journal() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder();
    let path = folder.path().join("a.db");
    let beside = folder.path().join("a.db.lock");
    // One from before too.
    fs::write(&beside, "").expect("written");
    fs::set_permissions(&beside, fs::Permissions::from_mode(0o644)).expect("set");
    drop(Journal::open(&path).expect("opens"));
    for file in [&path, &beside] {
        let mode = file.metadata().expect("there").permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", file.display());
    }
}

#[test]
fn a_journal_that_is_older_than_what_was_written_says_so() {
    let folder = folder();
    let path = folder.path().join("a.db");
    let game = game_with(&path, 5);
    assert_eq!(Records::open(&path).expect("opens").lacks(), None);
    let old = fs::read(&path).expect("read");
    let mut journal = Journal::open(&path).expect("opens");
    for n in 0..3 {
        journal.append(game, At::new(9_000_000 + n), &input(n)).expect("kept");
    }
    drop(journal);
    fs::write(&path, old).expect("an older copy");
    let _ = fs::remove_file(folder.path().join("a.db-wal"));
    let lacks = Records::open(&path).expect("opens").lacks();
    let said = format!("game {game}: the last 3 inputs that were written are missing");
    assert_eq!(lacks, Some(said));
}

#[test]
fn what_is_there_of_a_journal_that_was_cut_is_saved_and_a_lost_one_sends_nobody_round_in_a_circle()
{
    let folder = folder();
    let path = folder.path().join("a.db");
    let game = game_with(&path, 2_000);
    let whole = fs::read(&path).expect("a journal");
    assert_eq!(whole.len() % 4096, 0);
    let cut = |length: usize, name: &str| {
        let path = folder.path().join(name);
        fs::write(&path, &whole[..length]).expect("written");
        path
    };
    for (length, least) in [(whole.len() / 2, 400), (whole.len() - 4096, 900)] {
        let path = cut(length, &format!("cut-{length}.db"));
        let new = folder.path().join(format!("new-{length}.db"));
        let saved = repair(&path, &new).expect("saved");
        assert!(saved.inputs > least && saved.inputs < 2_001, "{length}: {saved:?}");
        assert!(saved.lost[0].starts_with("game 1 ends with input "), "{saved:?}");
        assert!(saved.lost.len() <= 2, "no game is lost that never was: {saved:?}");
        let inputs = Records::open(&new).expect("opens").inputs(game).expect("whole");
        assert_eq!(inputs.len() as u64, saved.inputs);
    }
    let path = cut(4096, "page.db");
    let new = folder.path().join("new.db");
    let err = repair(&path, &new).expect_err("nothing").to_string();
    assert!(!err.contains("games repair"), "{err}");
    assert!(err.contains("nothing of it can be read: look for a copy or a backup of it"), "{err}");
    assert!(!new.exists());
    let (journal, found) = open_repaired(&path).expect("a new one");
    assert_eq!((journal.games().expect("a list").len(), found.damaged), (0, true));
    assert!(found.told.iter().all(|line| !line.contains("games repair")), "{found:?}");
    assert!(found.told[1].contains("; nothing of it can be read ("), "{found:?}");
}

#[test]
fn what_is_no_journal_or_a_newer_one_is_not_repaired() {
    let folder = folder();
    let (path, new) = (folder.path().join("a.db"), folder.path().join("new.db"));
    // A journal as it is begun, whose log has gone.
    let begun = folder.path().join("begun.db");
    let mode = |db: rusqlite::Connection| {
        db.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0))
    };
    rusqlite::Connection::open(&begun).and_then(mode).expect("begun");
    let err = Records::open(&begun).expect_err("no log").to_string();
    assert!(err.contains("it is empty, and its log is missing or cut"), "{err}");
    fs::write(&path, "").expect("written");
    let err = repair(&path, &new).expect_err("empty").to_string();
    assert!(err.contains("is not a journal of annabella"), "{err}");
    assert!(!new.exists());
    game_with(&path, 3);
    let db = rusqlite::Connection::open(&path).expect("opens");
    db.pragma_update(None, "user_version", 99).expect("newer");
    drop(db);
    let err = repair(&path, &new).expect_err("newer").to_string();
    assert!(err.ends_with("update the program"), "{err}");
}

#[test]
fn a_journal_of_an_earlier_version_is_taken_over_and_nothing_of_it_is_called_damaged() {
    let folder = folder();
    let path = folder.path().join("a.db");
    let game = game_with(&path, 3);
    let db = rusqlite::Connection::open(&path).expect("opens");
    db.execute_batch("ALTER TABLE input DROP COLUMN sum; PRAGMA user_version = 1").expect("older");
    drop(db);
    let (journal, found) = open_repaired(&path).expect("taken over");
    assert_eq!(journal.inputs(game).expect("whole").len(), 4);
    let shown = path.display();
    let told = [
        format!("journal {shown} has version 1, an earlier one"),
        format!(
            "{shown} is new; 1 game with 4 inputs is saved; the old file is kept as {shown}.version-1"
        ),
    ];
    assert_eq!(found, PutRight { told: told.to_vec(), damaged: false });
}
