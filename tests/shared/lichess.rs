//! A server that speaks as Lichess's published description says, with faults as they are wished
//! for. Source: <https://lichess.org/api>, version 2.0.165, tags Board and Challenges.

// Each program uses what it needs.
#![allow(dead_code)]

use std::{
    collections::VecDeque,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex, MutexGuard},
    time::Duration,
};

use serde_json::{Value, json};
use shakmaty::{Chess, Color, Position as _, uci::UciMove};

pub(crate) const ID: &str = "BEOucQJo";
pub(crate) const TOKEN: &str = "lip_test";

/// What goes wrong once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The next line of a game's stream ends in its middle, and so does the connection.
    CutInLine,
    /// The next question whose path has this in it is answered by this status.
    Status(&'static str, u16),
    /// The next such question is done, but its answer never comes whole.
    Unanswered(&'static str),
    /// The next such answer comes byte by byte.
    Slow(&'static str),
    /// Each line of a game's stream comes twice, from now on.
    Twice,
}

#[derive(Debug)]
pub(crate) struct Table {
    /// White's account and Black's.
    pub(crate) accounts: [String; 2],
    pub(crate) own: Color,
    pub(crate) moves: Vec<String>,
    pub(crate) left_ms: [u64; 2],
    pub(crate) status: String,
    pub(crate) winner: Option<Color>,
    pub(crate) offers: [bool; 2],
    pub(crate) takebacks: [bool; 2],
    /// A game is going on.
    pub(crate) begun: bool,
    /// Lines of the game's stream so far, and of the account's.
    lines: Vec<String>,
    events: Vec<String>,
    /// Streams of the game are cut when this number changes.
    cut: u32,
    pub(crate) revoked: bool,
    pub(crate) faults: VecDeque<Fault>,
    /// Questions, as `POST /api/… field=…`.
    pub(crate) asked: Vec<String>,
    /// Seeks and challenges that are alive.
    pub(crate) wishes: u32,
    closed: bool,
}

/// The server, which ends with its test.
#[derive(Debug)]
pub(crate) struct Lichess {
    pub(crate) address: SocketAddr,
    shared: Arc<(Mutex<Table>, Condvar)>,
}

impl Drop for Lichess {
    fn drop(&mut self) {
        self.changes(|table| table.closed = true);
        // The door is woken.
        let _ = TcpStream::connect(self.address);
    }
}

impl Lichess {
    /// The account `anna` has this colour, against `boris`.
    pub(crate) fn of(own: Color) -> Lichess {
        let accounts = own.fold_wb(["anna", "boris"], ["boris", "anna"]).map(str::to_owned);
        let table = Table {
            accounts,
            own,
            moves: Vec::new(),
            left_ms: [900_000; 2],
            status: "started".to_owned(),
            winner: None,
            offers: [false; 2],
            takebacks: [false; 2],
            begun: true,
            lines: Vec::new(),
            events: Vec::new(),
            cut: 0,
            revoked: false,
            faults: VecDeque::new(),
            asked: Vec::new(),
            wishes: 0,
            closed: false,
        };
        let door = TcpListener::bind("127.0.0.1:0").expect("a door");
        let address = door.local_addr().expect("an address");
        let shared = Arc::new((Mutex::new(table), Condvar::new()));
        let served = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in door.incoming().map_while(Result::ok) {
                let shared = Arc::clone(&served);
                if shared.0.lock().expect("the table").closed {
                    return;
                }
                // A connection that ends is no matter.
                std::thread::spawn(move || Asked { shared, stream }.serve());
            }
        });
        Lichess { address, shared }
    }

    pub(crate) fn site(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn table(&self) -> MutexGuard<'_, Table> {
        self.shared.0.lock().expect("the table")
    }

    pub(crate) fn changes<T>(&self, change: impl FnOnce(&mut Table) -> T) -> T {
        let done = change(&mut self.table());
        self.shared.1.notify_all();
        done
    }

    pub(crate) fn breaks(&self, fault: Fault) {
        self.changes(|table| table.faults.push_back(fault));
    }

    /// All streams of the game are cut.
    pub(crate) fn cuts(&self) {
        self.changes(|table| table.cut += 1);
    }

    /// Something about the game has changed, and is told.
    pub(crate) fn tells(&self, change: impl FnOnce(&mut Table)) {
        self.changes(|table| {
            change(table);
            table.tell();
        });
    }

    /// The opponent moves.
    pub(crate) fn moves(&self, uci: &str) {
        self.changes(|table| table.play(uci, !table.own).expect("legal"));
    }

    /// A line that is no state.
    pub(crate) fn line(&self, line: &Value) {
        self.changes(|table| table.lines.push(line.to_string()));
    }

    /// A line of the account's stream.
    pub(crate) fn event(&self, line: &Value) {
        self.changes(|table| table.events.push(line.to_string()));
    }

    /// A game begins, and the account hears of it.
    pub(crate) fn begins(&self) {
        self.changes(|table| table.begins());
    }

    pub(crate) fn ends(&self, status: &str, winner: Option<Color>) {
        self.tells(|table| {
            table.status = status.to_owned();
            table.winner = winner;
        });
    }

    /// How often a question with this in it was asked.
    pub(crate) fn times(&self, what: &str) -> usize {
        self.table().asked.iter().filter(|line| line.contains(what)).count()
    }
}

impl Table {
    pub(crate) fn position(&self) -> Chess {
        let mut position = Chess::default();
        for uci in &self.moves {
            let uci: UciMove = uci.parse().expect("UCI");
            position.play_unchecked(uci.to_move(&position).expect("legal"));
        }
        position
    }

    fn play(&mut self, uci: &str, of: Color) -> Result<(), String> {
        let position = self.position();
        let mv = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&position).ok());
        match mv {
            _ if self.status != "started" => Err("This game is over".to_owned()),
            _ if position.turn() != of => Err("Not your turn, or game already over".to_owned()),
            None => Err(format!("Piece cannot move: {uci}")),
            Some(_) => {
                self.moves.push(uci.to_owned());
                self.offers = [false; 2];
                self.takebacks = [false; 2];
                let after = self.position();
                if after.is_checkmate() {
                    (self.status, self.winner) = ("mate".to_owned(), Some(of));
                } else if after.is_stalemate() {
                    self.status = "stalemate".to_owned();
                } else if after.is_insufficient_material() {
                    self.status = "draw".to_owned();
                }
                self.tell();
                Ok(())
            }
        }
    }

    fn state(&self) -> Value {
        let mut state = json!({
            "type": "gameState", "moves": self.moves.join(" "), "wtime": self.left_ms[0],
            "btime": self.left_ms[1], "winc": 10_000, "binc": 10_000, "status": self.status,
        });
        let winner = self.winner.map(|winner| winner.fold_wb("white", "black"));
        for (key, value) in [
            ("winner", winner.map(Value::from)),
            ("wdraw", self.offers[0].then(|| true.into())),
            ("bdraw", self.offers[1].then(|| true.into())),
            ("wtakeback", self.takebacks[0].then(|| true.into())),
            ("btakeback", self.takebacks[1].then(|| true.into())),
        ] {
            if let Some(value) = value {
                state[key] = value;
            }
        }
        state
    }

    fn tell(&mut self) {
        let line = self.state().to_string();
        self.lines.push(line);
    }

    fn full(&self) -> Value {
        let player = |name: &String| json!({ "id": name, "name": name, "rating": 1500 });
        json!({
            "type": "gameFull", "id": ID, "variant": { "key": "standard", "name": "Standard" },
            "speed": "rapid", "perf": { "name": "Rapid" }, "rated": false, "createdAt": 1,
            "white": player(&self.accounts[0]), "black": player(&self.accounts[1]),
            "initialFen": "startpos", "clock": { "initial": 900_000, "increment": 10_000 },
            "state": self.state(),
        })
    }

    fn game(&self) -> Value {
        json!({
            "fullId": format!("{ID}abcd"), "gameId": ID, "color": self.own.fold_wb("white", "black"),
            "variant": { "key": "standard" }, "speed": "rapid", "compat": { "board": true },
        })
    }

    fn begins(&mut self) {
        self.begun = true;
        let game = self.game();
        self.events.push(json!({ "type": "gameStart", "game": game }).to_string());
    }

    /// What a question asks for.
    fn does(&mut self, path: &str) -> Result<(), String> {
        let what = path.strip_prefix(&format!("/api/board/game/{ID}/")).unwrap_or(path);
        let other = usize::from(self.own.is_white());
        match what {
            _ if path.ends_with("/accept") => {
                self.begins();
                return Ok(());
            }
            _ if path.ends_with("/decline") => return Ok(()),
            _ if self.status != "started" => return Err("This game is over".to_owned()),
            "draw/yes" => self.offers_or_agrees(),
            "draw/no" => self.offers[other] = false,
            "takeback/no" => self.takebacks[other] = false,
            "resign" if self.moves.len() < 2 => return Err("Cannot resign".to_owned()),
            "abort" if self.moves.len() >= 2 => return Err("Cannot abort".to_owned()),
            "resign" => (self.status, self.winner) = ("resign".to_owned(), Some(!self.own)),
            "abort" => self.status = "aborted".to_owned(),
            "claim-victory" => {
                (self.status, self.winner) = ("timeout".to_owned(), Some(self.own));
            }
            "claim-draw" => return Err("Cannot claim draw".to_owned()),
            _ => {
                let text = what.strip_prefix("move/").ok_or("unknown")?;
                let uci = text.trim_end_matches("?offeringDraw=true");
                let before = self.offers;
                self.play(uci, self.own)?;
                if uci == text {
                    return Ok(());
                }
                self.offers = before;
                self.offers_or_agrees();
            }
        }
        self.tell();
        Ok(())
    }

    fn offers_or_agrees(&mut self) {
        let own = usize::from(self.own.is_black());
        match self.offers[1 - own] {
            true => self.status = "draw".to_owned(),
            false => self.offers[own] = true,
        }
    }

    /// Takes out a fault of this question.
    fn fault(&mut self, is: impl Fn(&Fault) -> bool) -> Option<Fault> {
        let at = self.faults.iter().position(is)?;
        self.faults.remove(at)
    }
}

struct Asked {
    shared: Arc<(Mutex<Table>, Condvar)>,
    stream: TcpStream,
}

impl Asked {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.shared.0.lock().expect("the table")
    }

    fn serve(mut self) -> Option<()> {
        let mut from = BufReader::new(self.stream.try_clone().ok()?);
        let mut first = String::new();
        from.read_line(&mut first).ok()?;
        let (mut length, mut token) = (0, false);
        loop {
            let mut line = String::new();
            from.read_line(&mut line).ok()?;
            let lower = line.trim().to_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
            token |= line.trim().ends_with(&format!("Bearer {TOKEN}"));
            if lower.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        from.read_exact(&mut body).ok()?;
        let mut words = first.split_whitespace();
        let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
        let asked = format!("{method} {path} {}", String::from_utf8_lossy(&body));
        let fault = {
            let mut table = self.table();
            table.asked.push(asked.trim().to_owned());
            let fault = table.fault(|fault| match fault {
                Fault::Status(of, _) | Fault::Unanswered(of) | Fault::Slow(of) => path.contains(of),
                Fault::CutInLine | Fault::Twice => false,
            });
            match (token && !table.revoked, fault) {
                (false, _) => Some(Fault::Status("", 401)),
                (true, fault) => fault,
            }
        };
        self.shared.1.notify_all();
        if let Some(Fault::Status(_, status)) = fault {
            return self.answer(status, &json!({ "error": format!("status {status}") }), false);
        }
        match (method.as_str(), path.as_str()) {
            ("GET", "/api/stream/event") => self.stream_events(),
            ("GET", path) if path.starts_with("/api/board/game/stream/") => self.stream_game(),
            ("POST", "/api/board/seek") => self.keeps_a_wish(),
            ("POST", "/api/challenge/boris") => self.keeps_a_wish(),
            ("GET", "/api/account") => {
                self.answer(200, &json!({ "id": "anna", "username": "Anna" }), false)
            }
            ("GET", "/api/account/playing") => {
                let table = self.table();
                let games: Vec<Value> = table.begun.then(|| table.game()).into_iter().collect();
                drop(table);
                self.answer(200, &json!({ "nowPlaying": games }), false)
            }
            ("POST", _) => self.acts(&path, fault),
            _ => self.answer(404, &json!({ "error": "Not found." }), false),
        }
    }

    fn acts(&mut self, path: &str, fault: Option<Fault>) -> Option<()> {
        let done = self.table().does(path);
        self.shared.1.notify_all();
        match (done, fault) {
            (_, Some(Fault::Unanswered(_))) => {
                self.stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"o").ok()
            }
            (Ok(()), fault) => self.answer(200, &json!({ "ok": true }), fault.is_some()),
            (Err(error), _) => self.answer(400, &json!({ "error": error }), false),
        }
    }

    fn answer(&mut self, status: u16, body: &Value, slow: bool) -> Option<()> {
        let body = body.to_string();
        let head = format!(
            "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n",
            body.len()
        );
        let text = head + &body;
        let size = if slow { 1 } else { text.len() };
        text.as_bytes().chunks(size).try_for_each(|piece| self.stream.write_all(piece)).ok()
    }

    fn begins_stream(&mut self) -> Option<()> {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\
                    Connection: close\r\n\r\n";
        self.stream.write_all(head.as_bytes()).ok()
    }

    fn chunk(&mut self, text: &str) -> Option<()> {
        write!(self.stream, "{:x}\r\n{text}\r\n", text.len()).ok()
    }

    /// Waits for news; meanwhile an empty line is a sign of life, and tells whether anybody
    /// listens.
    fn until(&mut self, mut news: impl FnMut(&Table) -> bool) -> Option<()> {
        loop {
            {
                let table = self.table();
                let wait = Duration::from_millis(100);
                let quiet = |table: &mut Table| !table.closed && !news(table);
                let (table, _) = self.shared.1.wait_timeout_while(table, wait, quiet).ok()?;
                if table.closed {
                    return None;
                }
                if news(&table) {
                    return Some(());
                }
            }
            self.chunk("\n")?;
        }
    }

    fn stream_events(&mut self) -> Option<()> {
        self.begins_stream()?;
        let mut told = 0;
        loop {
            self.until(|table| table.events.len() > told || table.revoked)?;
            let lines = self.table().events[told..].to_vec();
            if lines.is_empty() {
                return None;
            }
            told += lines.len();
            for line in lines {
                self.chunk(&format!("{line}\n"))?;
            }
        }
    }

    fn stream_game(&mut self) -> Option<()> {
        self.begins_stream()?;
        let (full, mut told, cut) = {
            let table = self.table();
            (table.full(), table.lines.len(), table.cut)
        };
        self.chunk(&format!("{full}\n"))?;
        loop {
            if told >= self.table().lines.len() && self.table().status != "started" {
                // The server closes the stream when the game has ended.
                return self.chunk("");
            }
            self.until(|table| table.lines.len() > told || table.cut != cut || table.revoked)?;
            let (line, twice, in_line) = {
                let mut table = self.table();
                if table.cut != cut || table.revoked {
                    return None;
                }
                let in_line = table.fault(|fault| *fault == Fault::CutInLine).is_some();
                (table.lines[told].clone(), table.faults.contains(&Fault::Twice), in_line)
            };
            told += 1;
            if in_line {
                self.chunk(&line[..line.len() / 2]);
                return None;
            }
            // Pieces end anywhere.
            for half in [&line[..line.len() / 3], &line[line.len() / 3..], "\n"] {
                self.chunk(half)?;
            }
            if twice {
                self.chunk(&format!("{line}\n"))?;
            }
        }
    }

    /// A seek or a challenge, alive for as long as somebody listens.
    fn keeps_a_wish(&mut self) -> Option<()> {
        self.begins_stream()?;
        self.table().wishes += 1;
        self.shared.1.notify_all();
        let kept = self.until(|table| table.begun);
        self.table().wishes -= 1;
        self.shared.1.notify_all();
        kept?;
        self.chunk("{\"done\":\"accepted\"}\n")?;
        self.chunk("")
    }
}
