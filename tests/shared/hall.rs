//! A hall with one board: a game, the pages that are served, and a browser without scripts.
#![allow(dead_code)]

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    sync::{Arc, Mutex},
    time::Duration,
};

use annabella_console::{ActAnswer, Ask, Codes, ConsoleSettings, Log, TableFacts, View, open};
use annabella_core::{
    game::{At, Game, GameConfig, Input, Refused, Started},
    notation::read_entries,
    sensing::Shape,
};
use shakmaty::{Chess, Color, Move, Position, uci::UciMove};
use tokio::{
    runtime::Runtime,
    sync::{mpsc, watch},
    task::JoinHandle,
};

/// The game and everything that the service would do about it.
pub(crate) struct Play {
    pub(crate) game: Game,
    pub(crate) log: Log,
    pub(crate) now_ms: u64,
    /// Every input, as in a journal.
    pub(crate) inputs: Vec<(At, Input)>,
    /// Every input that came from a page.
    pub(crate) from_pages: Vec<Input>,
    views: watch::Sender<Arc<View>>,
}

/// White plays on pegs; Black's wooden board is entered on the assistant's page, and so are the
/// clocks pressed.
const TABLE: TableFacts = TableFacts { page_board: true, page_clock: true };

/// The moment of the first game's beginning.
const BEGINS_MS: u64 = 1_000;

impl Play {
    fn new(config: GameConfig, begins_ms: u64, views: watch::Sender<Arc<View>>) -> Play {
        let mut play = Play::with_clocks_standing(config, begins_ms, views);
        play.input(Input::ClockStarted).expect("clocks");
        play
    }

    fn with_clocks_standing(
        config: GameConfig,
        begins_ms: u64,
        views: watch::Sender<Arc<View>>,
    ) -> Play {
        let mut play = Play {
            game: Game::new(),
            log: Log::new(),
            now_ms: begins_ms,
            inputs: Vec::new(),
            from_pages: Vec::new(),
            views,
        };
        let german = include_str!("../../voices/de.toml").to_owned();
        let started = Started {
            config,
            packs: vec![german.clone(), german],
            confusions: Default::default(),
            build: "test".to_owned(),
            unix_s: 1_700_000_000,
        };
        play.input(Input::Started(Box::new(started))).expect("a game");
        play
    }

    /// Another game at the same table.
    pub(crate) fn begin_anew(&mut self, config: GameConfig) {
        *self = Play::new(config, self.now_ms + 1, self.views.clone());
    }

    /// The same, and nobody has started the clocks.
    pub(crate) fn begin_anew_standing(&mut self, config: GameConfig) {
        *self = Play::with_clocks_standing(config, self.now_ms + 1, self.views.clone());
    }

    /// The same table, but that its journal ends where this is so first: as after a restart.
    pub(crate) fn cut(&mut self, config: GameConfig, ends: impl Fn(&Game) -> bool) {
        let nobody = watch::channel(Arc::new(View::default())).0;
        let mut play = Play::with_clocks_standing(config, BEGINS_MS, nobody);
        for (at, input) in self.inputs.iter().skip(1).cloned() {
            if ends(&play.game) {
                break;
            }
            play.now_ms = at.ms;
            // What was refused then is refused now.
            let _ = play.input(input);
        }
        play.views = self.views.clone();
        *self = play;
        self.input(Input::Woke).expect("woken");
    }

    /// As the service does it: time passes, the game is handed the input, the log what came of it.
    pub(crate) fn input(&mut self, input: Input) -> Result<(), Refused> {
        let at = At::new(self.now_ms);
        self.inputs.push((at, input.clone()));
        self.log.input(at, &input);
        let result = match self.game.handle(at, input) {
            Ok(outputs) => {
                outputs.iter().for_each(|output| self.log.output(at, output));
                Ok(())
            }
            Err(refused) => {
                self.log.refused(at, &refused);
                Err(refused)
            }
        };
        self.views.send_replace(Arc::new(View::of(&self.game, at, &self.log, TABLE)));
        result
    }

    pub(crate) fn wait(&mut self, ms: u64) {
        let end = self.now_ms + ms;
        while let Some(at) = self.game.wake_at().filter(|at| at.ms <= end) {
            self.now_ms = self.now_ms.max(at.ms);
            self.input(Input::Woke).expect("woken");
        }
        self.now_ms = end;
    }

    pub(crate) fn position(&self) -> Chess {
        self.game.position().expect("a game").clone()
    }

    pub(crate) fn peg(&mut self, square: shakmaty::Square, occupied: bool) {
        self.wait(200);
        self.input(Input::Edge { seat: Color::White, square, occupied, ago_ms: 0 }).expect("pegs");
    }

    /// Hands on White's pegs.
    pub(crate) fn on_pegs(&mut self, mv: Move) {
        let shape = Shape::new(self.position().board().occupied(), mv);
        for square in shape.emptied {
            self.peg(square, false);
        }
        for square in shape.landing {
            self.peg(square, true);
        }
        self.wait(1_600);
    }

    /// What has been played is carried out on the pegs too.
    pub(crate) fn copy_on_pegs(&mut self) {
        let shown = self.game.shown(Color::White).expect("a game");
        let (before, mv) = shown.owed.expect("a move that is not on the pegs yet");
        let shape = Shape::new(before.board().occupied(), mv);
        for square in shape.emptied {
            self.peg(square, false);
        }
        for square in shape.landing {
            self.peg(square, true);
        }
        self.wait(1_600);
    }

    pub(crate) fn mv(&self, text: &str) -> Move {
        let reading = read_entries(&self.position(), &[text]);
        *reading.moves().first().unwrap_or_else(|| panic!("{text} is no move"))
    }

    /// White's move on the pegs, the clock pressed.
    pub(crate) fn white(&mut self, text: &str) {
        let mv = self.mv(text);
        self.on_pegs(mv);
        self.wait(3_000);
        self.input(Input::Pressed { seat: Color::White }).expect("a move");
    }

    /// A whole game so far, on both boards.
    pub(crate) fn moves(&mut self, texts: &[&str]) {
        for text in texts {
            let mv = self.mv(text);
            let uci = UciMove::from_standard(mv).to_string();
            let seat = Color::Black;
            if self.position().turn().is_white() {
                self.white(text);
                self.input(Input::Sighted { seat, uci }).expect("followed");
            } else {
                self.input(Input::Sighted { seat, uci }).expect("moved");
                self.wait(3_000);
                self.input(Input::Pressed { seat }).expect("pressed");
                self.copy_on_pegs();
            }
        }
    }

    pub(crate) fn line(&self) -> Vec<String> {
        let record = self.game.record().expect("a game");
        record.line.iter().map(|ply| ply.san.clone()).collect()
    }

    pub(crate) fn result(&self) -> Option<String> {
        self.game.ended().map(|ended| ended.result.to_string())
    }

    /// Everything about the game that nobody may change unasked.
    pub(crate) fn standing(&self) -> String {
        let record = self.game.record().expect("a game");
        let shown = Color::ALL.map(|color| self.game.shown(color));
        format!("{:?} {:?} {:?} {}", record.line, record.clock, shown, self.from_pages.len())
    }
}

pub(crate) struct Hall {
    pub(crate) address: SocketAddr,
    pub(crate) play: Arc<Mutex<Play>>,
    pub(crate) codes: watch::Receiver<Codes>,
    /// How many pages of an arbiter are open.
    pub(crate) arbiters: watch::Receiver<Vec<annabella_console::view::Sector>>,
    pub(crate) complaints: Arc<Mutex<Vec<String>>>,
    pub(crate) runtime: Runtime,
    settings: ConsoleSettings,
    views: watch::Receiver<Arc<View>>,
    asks: mpsc::Sender<Ask>,
    serving: JoinHandle<()>,
}

pub(crate) fn two_boards() -> GameConfig {
    GameConfig {
        sighted_board: true,
        white: "Anna <b>".to_owned(),
        black: "Boris & Co".to_owned(),
        ..GameConfig::default()
    }
}

impl Hall {
    pub(crate) fn new() -> Hall {
        Hall::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut ConsoleSettings)) -> Hall {
        Hall::of(two_boards(), change)
    }

    pub(crate) fn of(config: GameConfig, change: impl FnOnce(&mut ConsoleSettings)) -> Hall {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        let complaints = Arc::new(Mutex::new(Vec::new()));
        let mut settings = ConsoleSettings::at(SocketAddr::from(([127, 0, 0, 1], 0)));
        let keep = Arc::clone(&complaints);
        settings.complain = Arc::new(move |line: &str| {
            keep.lock().expect("lines").push(line.to_owned());
        });
        settings.report = Some(Arc::new(|| {
            Ok("<!DOCTYPE html><title>Report</title><style>p { color: #123 }</style><body><p>R</p>"
                .into())
        }));
        change(&mut settings);
        let (views, seen) = watch::channel(Arc::new(View::default()));
        let (asks, mut asked) = mpsc::channel::<Ask>(16);
        let door = runtime.block_on(open(settings.clone())).expect("a door");
        let (address, codes, arbiters) = (door.address(), door.codes(), door.arbiters());
        let serving = runtime.spawn(door.serve(seen.clone(), asks.clone()));
        let play = Arc::new(Mutex::new(Play::new(config, BEGINS_MS, views)));
        let service = Arc::clone(&play);
        runtime.spawn(async move {
            while let Some(Ask { act, reply }) = asked.recv().await {
                let mut play = service.lock().expect("the game");
                let mut answer = ActAnswer::Accepted;
                for input in act.inputs() {
                    play.wait(1_000);
                    play.from_pages.push(input.clone());
                    if let Err(Refused { article, text, .. }) = play.input(input) {
                        answer = ActAnswer::Refused { article, text };
                        break;
                    }
                }
                let _ = reply.send(answer);
            }
        });
        settings.listen = address;
        let views = seen;
        Hall { address, play, codes, arbiters, complaints, runtime, settings, views, asks, serving }
    }

    /// The pages are gone for a while and come back at the same address; the game goes on.
    pub(crate) fn drop_pages(&mut self, gone: Duration) {
        self.serving.abort();
        std::thread::sleep(gone);
        let door = self.runtime.block_on(open(self.settings.clone())).expect("a door");
        self.codes = door.codes();
        self.arbiters = door.arbiters();
        self.serving = self.runtime.spawn(door.serve(self.views.clone(), self.asks.clone()));
    }

    pub(crate) fn play(&self) -> std::sync::MutexGuard<'_, Play> {
        self.play.lock().expect("the game")
    }

    pub(crate) fn browser(&self) -> Browser {
        Browser { address: self.address, cookies: BTreeMap::new(), language: "en" }
    }

    /// Somebody who has typed the code of this role.
    pub(crate) fn as_(&self, role: &str) -> Browser {
        let codes = self.codes.borrow().clone();
        let code = match role {
            "arbiter" => codes.arbiter,
            "assistant" => codes.assistant,
            _ => codes.display,
        };
        let mut browser = self.browser();
        let answer = browser.post("/pair", &[("code", &code), ("by", "A. Weber")]);
        assert_eq!(answer.status, 303, "{}", answer.body);
        assert_eq!(answer.header("location"), Some(format!("/{role}").as_str()));
        browser
    }

    /// Lines about what was refused, since the last look.
    pub(crate) fn complaints(&self) -> Vec<String> {
        std::mem::take(&mut *self.complaints.lock().expect("lines"))
    }
}

/// Reads pages and sends forms, and keeps cookies.
#[derive(Clone)]
pub(crate) struct Browser {
    pub(crate) address: SocketAddr,
    pub(crate) cookies: BTreeMap<String, String>,
    pub(crate) language: &'static str,
}

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn has(&self, text: &str) -> bool {
        self.body.contains(text)
    }
}

pub(crate) fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

pub(crate) fn form(fields: &[(&str, &str)]) -> String {
    let pairs = fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
    pairs.collect::<Vec<_>>().join("&")
}

impl Browser {
    pub(crate) fn cookie_header(&self) -> String {
        let pairs: Vec<String> = self.cookies.iter().map(|(k, v)| format!("{k}={v}")).collect();
        if pairs.is_empty() { String::new() } else { format!("Cookie: {}\r\n", pairs.join("; ")) }
    }

    pub(crate) fn get(&mut self, path: &str) -> Reply {
        self.send("GET", path, "", "")
    }

    /// As a browser sends the form of one of these pages.
    pub(crate) fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let address = self.address;
        // The page on which the form stands: of the same board, where it is one of a hall.
        let page = path.strip_suffix("/act").unwrap_or_default();
        let more = format!("Origin: http://{address}\r\nReferer: http://{address}{page}/\r\n");
        self.post_with(path, &more, fields)
    }

    pub(crate) fn post_with(&mut self, path: &str, more: &str, fields: &[(&str, &str)]) -> Reply {
        let more = format!("{more}Content-Type: application/x-www-form-urlencoded\r\n");
        self.send("POST", path, &more, &form(fields))
    }

    /// A form, and the page that it leads to.
    pub(crate) fn acts(&mut self, fields: &[(&str, &str)]) -> Reply {
        let reply = self.post("/act", fields);
        assert_eq!(reply.status, 303, "{reply:?}");
        let location = reply.header("location").expect("a page").to_owned();
        self.get(location.split('#').next().unwrap_or("/"))
    }

    pub(crate) fn send(&mut self, method: &str, path: &str, more: &str, body: &str) -> Reply {
        let length = if method == "GET" {
            String::new()
        } else {
            format!("Content-Length: {}\r\n", body.len())
        };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAccept-Language: {}\r\nConnection: close\r\n{}{more}{length}\r\n",
            self.address,
            self.language,
            self.cookie_header(),
        );
        let reply = raw(self.address, format!("{head}{body}").as_bytes()).expect("an answer");
        for (name, value) in &reply.headers {
            if name == "set-cookie" {
                let pair = value.split(';').next().unwrap_or("");
                let (key, value) = pair.split_once('=').expect("a cookie");
                self.cookies.insert(key.to_owned(), value.to_owned());
            }
        }
        reply
    }

    /// The events that an open page gets.
    pub(crate) fn live(&self) -> Live {
        self.live_at("/live")
    }

    pub(crate) fn live_at(&self, path: &str) -> Live {
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(240))).expect("a timeout");
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nAccept-Language: {}\r\n{}\r\n",
            self.address,
            self.language,
            self.cookie_header()
        );
        stream.write_all(head.as_bytes()).expect("sent");
        let mut live = Live { reader: BufReader::new(stream), rest: String::new() };
        let mut status = String::new();
        live.reader.read_line(&mut status).expect("a status");
        assert!(status.contains(" 200 "), "{status}");
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            live.reader.read_line(&mut line).expect("headers");
        }
        live
    }
}

pub(crate) struct Live {
    reader: BufReader<TcpStream>,
    rest: String,
}

impl Live {
    /// The next event: its name and its data. `None`: the stream has ended, or nothing comes.
    pub(crate) fn event(&mut self) -> Option<(String, serde_json::Value)> {
        loop {
            if let Some(end) = self.rest.find("\n\n") {
                let block: String = self.rest.drain(..end + 2).collect();
                let field = |name: &str| block.lines().find_map(|l| l.strip_prefix(name));
                if let (Some(name), Some(data)) = (field("event: "), field("data: ")) {
                    let data = serde_json::from_str(data).expect("JSON");
                    return Some((name.to_owned(), data));
                }
                continue;
            }
            // A chunk of HTTP: its length, then itself.
            let mut length = String::new();
            self.reader.read_line(&mut length).ok()?;
            let length =
                usize::from_str_radix(length.trim(), 16).ok().filter(|length| *length > 0)?;
            let mut chunk = vec![0; length + 2];
            self.reader.read_exact(&mut chunk).ok()?;
            self.rest.push_str(&String::from_utf8_lossy(&chunk[..length]));
        }
    }

    /// Waits for an event whose name and data are as wanted.
    pub(crate) fn until(&mut self, wanted: impl Fn(&str, &serde_json::Value) -> bool) {
        for _ in 0..200 {
            let (name, data) = self.event().expect("an event");
            if wanted(&name, &data) {
                return;
            }
        }
        panic!("it never came");
    }
}

/// Sends bytes and reads the answer to its end. `None`: nothing came back.
pub(crate) fn raw(address: SocketAddr, bytes: &[u8]) -> Option<Reply> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(240))).ok()?;
    // The other side may close before all is sent.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    parsed(&answer)
}

pub(crate) fn parsed(answer: &[u8]) -> Option<Reply> {
    let text = String::from_utf8_lossy(answer);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let mut lines = head.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    Some(Reply { status, headers, body: body.to_owned() })
}
