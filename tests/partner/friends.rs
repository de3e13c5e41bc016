//! Two of these programs at two tables: what is done at one is done at the other, whatever the line
//! between them does and whoever else knocks.

use std::{
    io::{Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use annabella_core::game::{Game, Input, Output, PageAct, Running};
use annabella_partner::{
    door::{Door, Place},
    far::{
        follow::{Clock, Far},
        sit::{SitError, Sitter, WhenGone},
    },
    friend::{
        book::{Book, Friend},
        host::{self, Guests, Host},
        line::Line,
        pair::{Pairing, Word, fingerprint},
        talk::Keys,
        visit::{Known, VisitError, Visitor},
        wire,
    },
    score::usual_start,
    table::Side,
};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::Color;
use tokio::task::JoinHandle;

use crate::{
    at_table::{AtBoard, Habits, Player, at_home, write_code},
    hall::Hall,
    patience::{PATIENCE, until},
};

/// A line that can be cut, and closed for a while.
struct Wire {
    address: SocketAddr,
    open: Arc<Mutex<Vec<TcpStream>>>,
    closed: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
}

impl Wire {
    fn to(there: SocketAddr) -> Wire {
        let door = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = door.local_addr().expect("an address");
        let open: Arc<Mutex<Vec<TcpStream>>> = Arc::default();
        let (closed, over) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (all, shut, ends) = (Arc::clone(&open), Arc::clone(&closed), Arc::clone(&over));
        thread::spawn(move || {
            for from in door.incoming().map_while(Result::ok) {
                if ends.load(Ordering::SeqCst) {
                    return;
                }
                if shut.load(Ordering::SeqCst) {
                    continue;
                }
                let Ok(to) = TcpStream::connect(there) else { continue };
                let clone = |stream: &TcpStream| stream.try_clone().expect("a socket");
                all.lock().expect("the streams").extend([clone(&from), clone(&to)]);
                let back = (clone(&to), clone(&from));
                thread::spawn(move || carry(from, to));
                thread::spawn(move || carry(back.0, back.1));
            }
        });
        Wire { address, open, closed, over }
    }

    fn cuts(&self) {
        for stream in self.open.lock().expect("the streams").drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Cut, and nobody gets through until it is opened.
    fn closes(&self, closed: bool) {
        self.closed.store(closed, Ordering::SeqCst);
        if closed {
            self.cuts();
        }
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        self.cuts();
        let _ = TcpStream::connect(self.address);
    }
}

fn carry(mut from: TcpStream, mut to: TcpStream) {
    let mut buffer = [0; 2_048];
    while let Ok(length) = from.read(&mut buffer) {
        if length == 0 || to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}

/// What came of it, and who sat: his line goes with him.
type Sat = (Result<(), SitError>, Sitter<Line>);

/// One table, and who sits between it and the other.
struct Seat {
    hall: Hall,
    own: Color,
    sitting: Option<JoinHandle<Sat>>,
    folder: tempfile::TempDir,
}

fn book(folder: &Path) -> Book {
    Book::open(&folder.join("friends.json")).expect("a book")
}

fn key_of(folder: &Path) -> [u8; 32] {
    fingerprint(&book(folder).own().certificate.0)
}

impl AtBoard for Seat {
    fn table(&self) -> (&Hall, Color) {
        (&self.hall, self.own)
    }
}

impl Seat {
    fn of(own: Color) -> Seat {
        let hall = Hall::of(at_home(own), |_| {});
        // The clock is started by whoever sits between.
        let config = at_home(own);
        hall.play().begin_anew_standing(config);
        let folder = tempfile::tempdir().expect("a folder");
        Seat { hall, own, sitting: None, folder }
    }

    fn keys(&self) -> Keys {
        Keys::of(book(self.folder.path()).own()).expect("a key")
    }

    fn door(&self, by: &str) -> Door {
        let code = self.folder.path().join("code");
        write_code(&self.hall, self.hall.address, &code);
        Door::at(Place::File(code), by)
    }

    fn sits(
        &mut self,
        name: &'static str,
        clock: Clock,
        line: impl FnOnce() -> Line + Send + 'static,
    ) {
        let (door, own) = (self.door(name), self.own);
        self.sitting = Some(self.hall.runtime.spawn(async move {
            let far = Far::at_table(own, &usual_start(), clock);
            let mut sitter = Sitter::new((door, line()), (far, name), WhenGone::Wait, |_| {});
            let played = sitter.plays().await;
            (played, sitter)
        }));
    }

    fn clock(&self) -> (u64, u64, Running) {
        let play = self.hall.play();
        play.game.record().expect("a game").clock
    }

    fn said(&self) -> Vec<String> {
        let (_, outputs) = Game::replay(self.hall.play().inputs.clone());
        let outputs = outputs.into_iter().flatten().flatten();
        outputs
            .filter_map(|output| match output {
                Output::Say { words, .. } => Some(words.to_string()),
                _ => None,
            })
            .collect()
    }

    fn until_told(&self, text: &str) {
        until(text, || self.said().iter().any(|said| said == text));
    }

    /// The other table has told that it has this player's last move: its clock runs there.
    fn until_seen(&self) {
        let other = self.own.fold_wb(Running::Black, Running::White);
        until("the other table's clock", || {
            let play = self.hall.play();
            let since = play.inputs.iter().rev().map(|(_, input)| input);
            let mut since = since.take_while(|input| !matches!(input, Input::Pressed { .. }));
            since.any(|input| match input {
                Input::Page(entry) => match entry.act {
                    PageAct::Clock(read) => read.running == other,
                    _ => false,
                },
                _ => false,
            })
        });
    }

    fn until_turn(&self) {
        let own = self.own.fold_wb(Running::White, Running::Black);
        until("his clock runs", || self.clock().2 == own);
    }

    /// Its journal has lost its last inputs, down to so many half-moves.
    fn forgets(&self, plies: usize) {
        self.hall.play().cut(at_home(self.own), |game| {
            let line = &game.record().expect("a game").line;
            line.len() == plies && line.iter().all(|ply| ply.completed.is_some())
        });
        assert_eq!(self.line().len(), plies);
    }
}

/// White waits and keeps the clock, Black comes.
struct Tables {
    white: Seat,
    black: Seat,
    wire: Wire,
    door: SocketAddr,
    guests: Arc<Mutex<Guests>>,
}

impl Tables {
    fn laid() -> Tables {
        let (mut white, mut black) = (Seat::of(Color::White), Seat::of(Color::Black));
        let listener = white.hall.runtime.block_on(host::open(0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let door = SocketAddr::from(([127, 0, 0, 1], port));
        let wire = Wire::to(door);
        let mut known = book(white.folder.path());
        let friend = Friend::new("Boris", &key_of(black.folder.path()), None);
        known.keep(friend).expect("kept");
        let guests = Guests { book: known, name: "Boris".to_owned(), pairing: None };
        let guests = Arc::new(Mutex::new(guests));
        let game = wire::Game {
            id: wire::Hex(vec![7]),
            colour: Side::Black,
            time_control: "15+10".to_owned(),
        };
        let host = Host { keys: white.keys(), guests: Arc::clone(&guests), game, tell: |_| {} };
        let own = white.own;
        white.sits("Boris", Clock::Here, move || {
            Line::kept_by("Boris", own, |shown, to| host.run(listener, shown, to))
        });
        let friend = Friend::new("Anna", &key_of(white.folder.path()), None);
        let visitor =
            Visitor { keys: black.keys(), at: wire.address.to_string().parse().expect("one") };
        let known = Known::By(friend.clone());
        let come = visitor.comes(&known);
        let (talk, _, game) = black.hall.runtime.block_on(come).expect("let in");
        let own = black.own;
        black.sits("Anna", Clock::There, move || {
            Line::kept_by("Anna", own, |shown, to| visitor.run((talk, game), friend, shown, to))
        });
        Tables { white, black, wire, door, guests }
    }

    fn begun() -> Tables {
        let tables = Tables::laid();
        tables.white.until_turn();
        tables.white.moves("Bauer Eva zwei Eva vier");
        tables.until_both(&["e2e4"]);
        tables.black.until_turn();
        tables.black.moves("Bauer Eva sieben Eva fünf");
        tables.until_both(&["e2e4", "e7e5"]);
        tables.white.until_turn();
        tables
    }

    fn until_both(&self, moves: &[&str]) {
        for seat in [&self.white, &self.black] {
            until(&format!("{moves:?} at {:?}", seat.own), || seat.line() == moves);
        }
    }

    /// Both are over in the same way, and both records are the same.
    fn end(self, result: &str, article: &str) {
        for seat in [&self.white, &self.black] {
            until(&format!("the end at {:?}", seat.own), || seat.ended().is_some());
            assert_eq!(
                seat.ended(),
                Some((result.to_owned(), article.to_owned())),
                "{:?}",
                seat.own
            );
        }
        assert_eq!(self.white.line(), self.black.line());
        // Whoever has heard the other's end keeps the line for him who has not: as long as his
        // service runs.
        let seats = [self.white, self.black].map(|mut seat| {
            let sitting = seat.sitting.take().expect("he sits");
            until("the end of both", || sitting.is_finished());
            let (played, sitter) = seat.hall.runtime.block_on(sitting).expect("no panic");
            played.expect("played to its end");
            (seat, sitter)
        });
        drop(seats);
    }
}

const KNIGHT: &str = "Springer Gustav eins Felix drei";

/// A whole game by chance, over a line that may be cut.
fn whole_game(seed: u64, cuts: bool) {
    let tables = Tables::laid();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let habits = |tires| Habits { tires: Some(tires), offers: 10, agrees: seed.is_multiple_of(3) };
    let mut white = Player::new(Color::White, seed, habits(20 + (seed as usize % 3) * 10));
    let mut black = Player::new(Color::Black, seed + 100, habits(30));
    let end = Instant::now() + PATIENCE * 4;
    loop {
        let over = [white.goes_on(&tables.white.hall), black.goes_on(&tables.black.hall)];
        if over == [true, true] {
            break;
        }
        if cuts && rng.random_range(0..150) == 0 {
            tables.wire.cuts();
        }
        let lines = (tables.white.line(), tables.black.line());
        assert!(Instant::now() < end, "seed {seed}: no end: {lines:?}");
        thread::sleep(Duration::from_millis(2));
    }
    let (result, article) = tables.white.ended().expect("over");
    tables.end(&result, &article);
}

#[test]
fn whole_games_with_a_friend_are_the_same_at_both_tables() {
    (0..2).for_each(|seed| whole_game(seed, false));
}

#[test]
fn games_over_a_line_that_is_cut_again_and_again_are_the_same_at_both_tables() {
    (2..4).for_each(|seed| whole_game(seed, true));
}

#[test]
fn while_the_line_is_cut_both_hear_it_both_clocks_stand_and_no_move_is_lost_or_made_twice() {
    let tables = Tables::begun();
    tables.wire.closes(true);
    for seat in [&tables.white, &tables.black] {
        seat.until_told(
            "Keine Verbindung zu deinem Gegner. Beide Uhren stehen, ich versuche es weiter.",
        );
        until("the clocks stand", || seat.clock().2 == Running::None);
    }
    let then = tables.white.clock();
    tables.white.hall.play().wait(600_000);
    assert_eq!(tables.white.clock(), then);
    // He moves all the same.
    tables.white.moves(KNIGHT);
    assert_eq!(tables.black.line(), ["e2e4", "e7e5"]);
    tables.wire.closes(false);
    tables.until_both(&["e2e4", "e7e5", "g1f3"]);
    for seat in [&tables.white, &tables.black] {
        seat.until_told("Dein Gegner ist wieder da. Die Uhren gehen weiter.");
    }
    tables.black.until_turn();
    tables.black.resigns();
    tables.end("1-0", "5.1.2");
}

#[test]
fn where_one_journal_was_cut_both_go_back_to_the_last_position_that_both_have() {
    for shorter in Color::ALL {
        let tables = Tables::begun();
        tables.white.moves(KNIGHT);
        tables.until_both(&["e2e4", "e7e5", "g1f3"]);
        tables.black.until_turn();
        tables.black.moves("Springer Berta acht Cäsar sechs");
        tables.until_both(&["e2e4", "e7e5", "g1f3", "b8c6"]);
        tables.white.until_turn();
        tables.black.until_seen();
        let (cut, whole) = match shorter {
            Color::White => (&tables.white, &tables.black),
            Color::Black => (&tables.black, &tables.white),
        };
        cut.forgets(2);
        // Both say it, and the pegs are put back where they were moved.
        let text = "Die Partie steht bei deinem Gegner anders als hier. Beide gehen zurück zur letzten \
                    gemeinsamen Stellung.";
        whole.until_told(text);
        cut.until_told(text);
        tables.until_both(&["e2e4", "e7e5"]);
        let corrected = || {
            let play = whole.hall.play();
            play.game.record().expect("a game").decisions.len() == 1
        };
        until("a decision in the record", corrected);
        for _ in 0..4 {
            whole.says("ausgeführt");
        }
        tables.white.until_turn();
        tables.white.moves(KNIGHT);
        tables.until_both(&["e2e4", "e7e5", "g1f3"]);
        tables.black.until_turn();
        tables.black.resigns();
        tables.end("1-0", "5.1.2");
    }
}

#[test]
fn a_draw_is_offered_declined_offered_again_and_taken_at_both_tables() {
    let tables = Tables::begun();
    tables.white.says(KNIGHT);
    tables.white.says("Remis anbieten");
    tables.white.says("ja");
    tables.white.presses();
    tables.black.until_told("Dein Gegner bietet Remis an.");
    tables.black.says("Remis ablehnen");
    tables.white.until_told("Remis abgelehnt.");
    tables.black.until_turn();
    tables.black.moves("Springer Berta acht Cäsar sechs");
    tables.white.until_turn();
    tables.white.says("Läufer Felix eins Berta fünf");
    tables.white.says("Remis anbieten");
    tables.white.says("ja");
    tables.white.presses();
    let offered = || {
        let play = tables.black.hall.play();
        play.game.record().expect("a game").offered() == Some(Color::White)
    };
    until("offered again", offered);
    tables.black.says("Remis annehmen");
    tables.black.says("ja");
    until("agreed", || tables.black.ended().is_some());
    let article = tables.black.ended().expect("over").1;
    tables.end("1/2-1/2", &article);
}

#[test]
fn who_waits_keeps_the_clock_and_a_flag_falls_at_both_tables() {
    let tables = Tables::begun();
    let (white_ms, black_ms, _) = tables.white.clock();
    until("the same times", || {
        let (white, black, _) = tables.black.clock();
        white.abs_diff(white_ms) < 120_000 && black == black_ms
    });
    // The clock of who comes does not count.
    tables.black.hall.play().wait(100 * 3_600_000);
    assert_eq!(tables.black.ended(), None);
    tables.white.hall.play().wait(100 * 3_600_000);
    tables.end("0-1", "6.9");
}

#[test]
fn what_is_allowed_against_an_engine_only_is_refused_against_a_person() {
    let tables = Tables::begun();
    tables.white.says("Tipp");
    tables
        .white
        .until_told("Dein Gegner sagt: In einer Partie gegen einen Menschen gibt es keine Hilfe.");
    tables.white.says("Zug zurück");
    tables.white.says("ja");
    tables.white.until_told("Dein Gegner lässt nichts zurücknehmen.");
    assert_eq!(tables.black.line(), ["e2e4", "e7e5"]);
    tables.white.resigns();
    tables.end("0-1", "5.1.2");
}

#[test]
fn strangers_who_send_anything_at_all_change_nothing_and_learn_nothing() {
    let tables = Tables::begun();
    for bytes in
        [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0xff; 70_000], b"{\"hello\":{\"version\":1}}\n", b""]
    {
        let mut stream = TcpStream::connect(tables.door).expect("the port");
        // It may be closed before all is read.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer);
        assert!(!text.contains("e2e4") && !text.contains("game"), "{text}");
    }
    // A third with such a program, who knocks while the game goes on: with a key of his own, and
    // with a word.
    let third = tempfile::tempdir().expect("a folder");
    let keys = Keys::of(book(third.path()).own()).expect("a key");
    let at = tables.door.to_string().parse().expect("one");
    let visitor = Visitor { keys, at };
    let friend = Friend::new("Anna", &key_of(tables.white.folder.path()), None);
    for known in [Known::By(friend), Known::Word(Word::read("12345678").expect("a word"))] {
        let came = tables.black.hall.runtime.block_on(visitor.comes(&known));
        assert!(matches!(came, Err(VisitError::Unknown { .. })));
    }
    tables.white.moves(KNIGHT);
    tables.until_both(&["e2e4", "e7e5", "g1f3"]);
    tables.black.until_turn();
    tables.black.resigns();
    tables.end("1-0", "5.1.2");
}

#[test]
fn a_friends_key_that_is_another_one_is_not_spoken_with() {
    let tables = Tables::begun();
    let keys = tables.black.keys();
    let visitor = Visitor { keys, at: tables.door.to_string().parse().expect("one") };
    let other = Friend::new("Anna", &[9; 32], None);
    let came = tables.black.hall.runtime.block_on(visitor.comes(&Known::By(other)));
    assert!(matches!(came, Err(VisitError::Another { .. })));
    tables.white.resigns();
    tables.end("0-1", "5.1.2");
}

#[test]
fn a_third_wrong_word_ends_the_pairing_and_the_right_one_comes_too_late() {
    let tables = Tables::begun();
    let word = |text: &str| Word::read(text).expect("a word");
    let pairs = || Some(Pairing::new(word("12345678"), Instant::now()));
    let third = tempfile::tempdir().expect("a folder");
    let keys = Keys::of(book(third.path()).own()).expect("a key");
    let visitor = Visitor { keys, at: tables.door.to_string().parse().expect("one") };
    let comes = |text: &str| {
        let known = Known::Word(word(text));
        tables.black.hall.runtime.block_on(visitor.comes(&known)).map(|(_, theirs, _)| theirs)
    };
    tables.guests.lock().expect("guests").pairing = pairs();
    for (tried, open) in [("12345679", true), ("00000000", true), ("87654321", false)] {
        assert!(matches!(comes(tried), Err(VisitError::Word { .. })), "{tried}");
        let still = tables.guests.lock().expect("guests").pairing.is_some();
        assert_eq!(still, open, "{tried}");
    }
    assert!(matches!(comes("12345678"), Err(VisitError::Unknown { .. })));
    let said = "Diese Zahl gilt nicht mehr. Starte das Programm neu, dann bekommst du eine andere.";
    tables.white.until_told(said);
    // Another pairing, and the right word after a wrong one: both know each other's key from then
    // on.
    tables.guests.lock().expect("guests").pairing = pairs();
    assert!(matches!(comes("12345679"), Err(VisitError::Word { .. })));
    assert_eq!(comes("12345678").ok(), Some(key_of(tables.white.folder.path())));
    let known = book(tables.white.folder.path());
    assert!(known.friend("boris").is_some_and(|friend| friend.has(&key_of(third.path()))));
    assert!(
        tables.guests.lock().expect("guests").pairing.is_none(),
        "a word is good for one pairing"
    );
}
