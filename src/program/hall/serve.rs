//! `annabella-hall` without a command: joins the boards of an event, tells what needs the arbiter,
//! and writes the broadcast.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    io::Write,
    net::SocketAddr,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use tokio::sync::watch;

use super::{
    own::{self, Own},
    pairings::{fixed_board, pairings},
    servers::{self, Servers, watch_floods, watch_room},
    told::{Told, line, line_json, others_sit},
};

use annabella::{
    cli::{Exit, Failure},
    service::{
        pages,
        stop::Stop,
        streams::{complain, in_own_language},
    },
};
use annabella_console::{Codes, ConsoleError, Tls};
use annabella_core::game::Outcome;
use annabella_hall::{
    HallError,
    broadcast::{Broadcast, BroadcastFiles, replace},
    budget::Budgets,
    floor::{BoardStands, Floor},
    keys::{EventKeys, KeyRole},
    meter::Meter,
    names::EventName,
    page::{HallPage, PageSettings},
    pairing,
    round::RoundFile,
    server::{NatsServer, PORT, ServerSettings},
    stream::{Link, StreamMark},
};
use annabella_threads::{Backoff, millis};

/// People are told so often what has changed.
const LOOK: Duration = Duration::from_millis(200);
/// So long at a time rows are read of boards that take more time than others.
const CATCHES_UP: Duration = Duration::from_millis(30);
/// A server that reads its keys again keeps no rows meanwhile. One that keeps none for longer than
/// this has something else, and is started again.
const READS_KEYS: Duration = Duration::from_secs(2);

/// Joins the boards of an event: tells what needs the arbiter, and writes the games for the public.
/// Without --url it starts a nats-server of its own, for which the package nats-server must be
/// installed.
#[derive(Debug, clap::Args)]
pub(crate) struct ServeArgs {
    /// The organiser's nats-server with JetStream, as in nats://192.168.4.1:4222.
    #[arg(long, value_name = "URL", conflicts_with_all = ["listen", "store", "keys", "open", "with"])]
    url: Option<String>,
    /// A key of `annabella hall keys` or a .creds file, where that server asks for one.
    #[arg(long, value_name = "FILE", requires = "url")]
    credentials: Option<PathBuf>,
    /// The event, as the boards have it: letters a to z, digits and hyphens.
    #[arg(long, value_name = "NAME", default_value = "event")]
    event: EventName,
    /// Where the own server listens; only this machine reaches 127.0.0.1. Any other address needs
    /// --keys or --open.
    #[arg(long, value_name = "ADDRESS", default_value_t = SocketAddr::from(([127, 0, 0, 1], PORT)))]
    listen: SocketAddr,
    /// Another machine of this hall, where its server is for boards, as in 192.168.4.2:4222; given
    /// twice, all three machines keep every row, and two go on without the third. They find each
    /// other at a port 2000 higher.
    #[arg(long, value_name = "ADDRESS")]
    with: Vec<SocketAddr>,
    /// The folder in which the own server keeps every row.
    #[arg(long, value_name = "FOLDER", default_value = "annabella-hall")]
    store: PathBuf,
    /// The folder that `annabella hall keys` has made: the own server asks for these keys, and
    /// lines are encrypted.
    #[arg(long, value_name = "FOLDER")]
    keys: Option<PathBuf>,
    /// Everybody in the network may write and read everything.
    #[arg(long, conflicts_with = "keys")]
    open: bool,
    /// Write the games, the last one of each board, into this PGN file, with their clocks.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write each game into a file of its own in this folder.
    #[arg(long, value_name = "FOLDER")]
    games: Option<PathBuf>,
    /// The written games are so old, seconds.
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=86_400))]
    delay: u64,
    /// The pairings of the round: a report file (TRF16), or a table (CSV) with the columns board,
    /// white, black.
    #[arg(long, value_name = "FILE")]
    pairings: Option<PathBuf>,
    /// The round of a report file.
    #[arg(long, value_name = "N", requires = "pairings")]
    round: Option<usize>,
    /// A player of a report file who sits at one board whatever the pairing: his starting rank and
    /// the board, as in 17=5.
    #[arg(long, value_name = "RANK=BOARD", requires = "round", value_parser = fixed_board)]
    fixed_board: Vec<(u32, u32)>,
    /// Write the results into this file, in the form of the pairings.
    #[arg(long, value_name = "FILE", requires = "pairings")]
    results: Option<PathBuf>,
    /// The page of the hall, for arbiters; only this machine reaches 127.0.0.1.
    #[arg(long, value_name = "ADDRESS", default_value_t = SocketAddr::from(([127, 0, 0, 1], 8090)))]
    page: SocketAddr,
    /// No page.
    #[arg(long, conflicts_with_all = ["page", "certificate", "public"])]
    no_page: bool,
    /// The page's certificate (PEM), so that nobody in the network reads along.
    #[arg(long, value_name = "FILE", requires = "key")]
    certificate: Option<PathBuf>,
    /// The key of that certificate (PEM).
    #[arg(long, value_name = "FILE", requires = "certificate")]
    key: Option<PathBuf>,
    /// The page's language where a browser asks for none that is there: a pack's name.
    #[arg(long, value_name = "LANG", default_value = "en")]
    language: String,
    /// Everybody gets the games at /games.pgn of the page, without a code.
    #[arg(long)]
    public: bool,
    /// Every change of a board as one JSON line.
    #[arg(long)]
    json: bool,
}

/// Runs the command, until it is stopped.
///
/// # Errors
/// [`Failure`] when there is no server, or it does not start.
pub(crate) fn run(args: &ServeArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|err| Failure::device(format!("cannot start the hall: {err}")))?;
    runtime.block_on(serve(args, out))
}

async fn serve(args: &ServeArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut stop = Stop::listen()
        .map_err(|err| Failure::device(format!("the system gives no signals: {err}")))?;
    let pairings = args
        .pairings
        .as_deref()
        .map(|path| pairings(path, args.round, &args.fixed_board))
        .transpose()?;
    let (mut own, mut credentials) = (Own::default(), args.credentials.clone());
    let url = match &args.url {
        Some(url) => url.clone(),
        None => {
            let program = PathBuf::from("nats-server");
            let (listen, store) = (args.listen, args.store.clone());
            let keys = keys(args)?;
            if let Some(keys) = &keys {
                credentials = Some(keys.file(KeyRole::Hall));
            }
            let keys = keys.map(|keys| keys.folder().to_owned());
            let cluster = own::cluster(args.listen, &args.with)?;
            own = Own::start(ServerSettings {
                program,
                listen,
                store,
                keys,
                most_bytes: None,
                cluster,
            })?;
            own.url(&args.with)
        }
    };
    writeln!(out, "{}", opening(args, &url, own.server()))?;
    out.flush()?;
    let page = match args.no_page {
        true => None,
        false => Some(page(args, &url, credentials.clone()).await?),
    };
    let mut hall = Hall {
        args,
        credentials,
        page,
        states: 0,
        pairings,
        results: BTreeMap::new(),
        began: Instant::now(),
        started: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
        floor: Floor::new(),
        told: BTreeMap::new(),
        broadcast: Broadcast::new(args.delay * 1_000),
        complained: String::new(),
        full: false,
        aside: false,
        mark: None,
        lack: None,
        budgets: Arc::default(),
    };
    let ended = tokio::select! {
        biased;
        () = stop.told() => Ok(()),
        ended = hall.follow(&url, &mut own, out) => ended,
    };
    drop(own);
    ended.map(|()| Exit::Done)
}

/// The keys that the own server asks for, if it does.
fn keys(args: &ServeArgs) -> Result<Option<EventKeys>, Failure> {
    let here = args.listen.ip().is_loopback();
    let Some(folder) = &args.keys else {
        if here || args.open {
            return Ok(None);
        }
        return Err(Failure::usage(format!(
            "at {} everybody in the network could write and read everything: make keys with `annabella hall keys` \
             and give their folder with --keys, or say that this is wanted with --open",
            args.listen
        )));
    };
    let mut keys = EventKeys::open(folder).map_err(Failure::device)?;
    if *keys.event() != args.event {
        let (there, event) = (keys.event(), &args.event);
        let folder = folder.display();
        return Err(Failure::usage(format!("{folder} has the keys of {there}, not of {event}")));
    }
    let ip = args.listen.ip();
    let own = if ip.is_unspecified() { Vec::new() } else { vec![ip.to_string()] };
    super::keys::name(&mut keys, &own)?;
    Ok(Some(keys))
}

/// Opens the page, and tells its address and codes, and every change of these.
async fn page(
    args: &ServeArgs,
    url: &str,
    credentials: Option<PathBuf>,
) -> Result<HallPage, Failure> {
    let files = args.certificate.clone().zip(args.key.clone());
    let settings = PageSettings {
        listen: args.page,
        tls: files.map(|(certificate, key)| Tls { certificate, key }),
        session_key: args.url.is_none().then(|| args.store.join("pages.key")),
        language: args.language.clone(),
        codes: None,
        public: args.public,
        url: url.to_owned(),
        credentials,
        event: args.event.clone(),
        complain: Arc::new(complain),
    };
    let page = HallPage::open(settings).await.map_err(|err| match err {
        ConsoleError::Bind { address, source } => Failure::device(format!(
            "cannot serve the page at {address}: {source}; give another with --page, or --no-page"
        )),
        other => Failure::device(other),
    })?;
    if !page.is_private() {
        complain("pages: everybody in the network can read along: give --certificate and --key");
    }
    let (mut codes, reach) = (page.codes(), page.reach().clone());
    let tell = move |codes: &Codes| complain(&pages::line(&reach, codes));
    tell(&codes.borrow_and_update());
    tokio::spawn(async move {
        while codes.changed().await.is_ok() {
            tell(&codes.borrow_and_update());
        }
    });
    Ok(page)
}

/// The first line.
fn opening(args: &ServeArgs, url: &str, own: Option<&NatsServer>) -> String {
    let event = &args.event;
    let whose = match own {
        None => vec![format!("the organiser's server at {url}")],
        Some(own) => {
            let mut parts = vec![format!("an own nats-server at {}", own.address())];
            if args.listen.ip().is_loopback() {
                parts.push("for this machine alone".to_owned());
            }
            if let Some(folder) = &args.keys {
                parts.push(format!("which asks for the keys in {}", folder.display()));
            }
            parts.push(format!("store in {}", args.store.display()));
            parts
        }
    };
    let whose: Vec<String> = whose.iter().map(|part| in_own_language(part)).collect();
    let hall = in_own_language(&format!("hall of {event}"));
    let join = format!("boards join with [hall] url and event = \"{event}\"");
    format!("{hall}: {}; {}", whose.join(", "), in_own_language(&join))
}

/// Whether the server answers and keeps no rows.
fn keeps_nothing(ended: &Result<(), Broken>) -> bool {
    matches!(ended, Err(Broken::Line(HallError::NoStore { .. })))
}

/// The hall as the command has it.
struct Hall<'a> {
    args: &'a ServeArgs,
    credentials: Option<PathBuf>,
    page: Option<HallPage>,
    /// States of the games that the public has seen.
    states: u64,
    pairings: Option<RoundFile>,
    /// Of the boards at which the paired players sit.
    results: BTreeMap<u32, Outcome>,
    began: Instant,
    /// Unix time, seconds.
    started: u64,
    floor: Floor,
    /// What was told of each board last.
    told: BTreeMap<u32, Told>,
    broadcast: Broadcast,
    complained: String,
    full: bool,
    /// This machine's own server is stopped: its disk is full, and the others go on.
    aside: bool,
    /// Up to where the floor has read the stream.
    mark: Option<StreamMark>,
    /// What the servers of the hall lack of being whole, as it was told last.
    lack: Option<String>,
    /// What each board has sent.
    budgets: Arc<Mutex<Budgets>>,
}

impl Hall<'_> {
    fn now_ms(&self) -> u64 {
        millis(self.began.elapsed())
    }

    /// One line to the server after another.
    async fn follow(
        &mut self,
        url: &str,
        own: &mut Own,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let mut backoff = Backoff::new(Duration::from_millis(250), Duration::from_secs(5));
        let mut nothing_kept = None;
        loop {
            let began = Instant::now();
            match own.stand_aside() {
                Ok(said) => said.into_iter().for_each(|line| self.complain(line)),
                Err(err) => self.complain(&err.to_string()),
            }
            self.aside = own.is_aside();
            let ended = tokio::select! {
                ended = self.line(url, own.server().and_then(NatsServer::meter), out) => ended,
                () = own.turns() => Ok(()),
            };
            nothing_kept =
                keeps_nothing(&ended).then(|| *nothing_kept.get_or_insert_with(Instant::now));
            let reads_keys =
                nothing_kept.is_some_and(|since: Instant| since.elapsed() < READS_KEYS);
            match ended {
                Ok(()) => {}
                Err(Broken::Out(failure)) => return Err(failure),
                Err(_) if reads_keys && !own.is_full() && !own.was_full() => {}
                Err(Broken::Line(err)) if own.is_one_of_several() => {
                    self.complain(&err.to_string());
                    self.full = matches!(err, HallError::NoStore { .. });
                    self.show(&self.floor.stands(self.now_ms()));
                }
                Err(Broken::Line(err)) => {
                    // A server that hangs on its full disk is lost in any of these ways.
                    let full = own.is_full();
                    let err = if full { HallError::NoStore { url: url.to_owned() } } else { err };
                    self.complain(&err.to_string());
                    let no_store = matches!(err, HallError::NoStore { .. });
                    if no_store {
                        self.full = true;
                        self.show(&self.floor.stands(self.now_ms()));
                    }
                    if (no_store || own.was_full())
                        && !full
                        && let Err(err) = own.mend()
                    {
                        self.complain(&err.to_string());
                    }
                }
            }
            // A server that has ended is started again, after pauses that grow where it ends again
            // and again.
            if own.is_down() {
                if let Some(status) = own.ended() {
                    complain(&format!(
                        "hall: the own nats-server has ended: {status}; it is started again"
                    ));
                }
                if let Err(err) = own.start_again() {
                    self.complain(&err.to_string());
                }
            }
            if began.elapsed() > Duration::from_secs(10) {
                backoff.reset();
            }
            tokio::time::sleep(backoff.pause()).await;
        }
    }

    fn complain(&mut self, line: &str) {
        // The same again and again is said once.
        if line != self.complained {
            complain(&format!("hall: {line}"));
            line.clone_into(&mut self.complained);
        }
    }

    async fn line(
        &mut self,
        url: &str,
        meter: Option<Meter>,
        out: &mut dyn Write,
    ) -> Result<(), Broken> {
        let args = self.args;
        let link = Link::open(url, self.credentials.as_deref(), "hall").await?;
        let link = link.telling(Arc::new(|line| complain(&format!("hall: {line}"))));
        // Without keys anybody may send in the name of any board.
        let link = match link.signer().is_some() {
            true => link.within(Arc::clone(&self.budgets)),
            false => link,
        };
        link.make_event(&args.event).await?;
        if let Some(file) = &self.pairings {
            pairing::publish(&link, &args.event, file.pairs()).await?;
        }
        self.complained.clear();
        let mut signs = link.signs(&args.event);
        let (tell_room, room) = watch::channel(None::<Servers>);
        let budgets = Arc::clone(&self.budgets);
        let subjects = args.event.rows();
        let mut mark = self.mark.take();
        // A row changes the floor at once; people are told a moment later, of many rows together,
        // and whatever else the stream is full of.
        let hall = RefCell::new(&mut *self);
        let read = link.read_on(&args.event, &subjects, &mut mark, |row| {
            let hall = &mut **hall.borrow_mut();
            match row {
                Some(row) => hall.floor.row(&row, hall.now_ms()),
                None => hall.floor.catch_up(CATCHES_UP),
            }
            true
        });
        let tells = async {
            loop {
                tokio::time::sleep(LOOK).await;
                let hall = &mut **hall.borrow_mut();
                let now_ms = hall.now_ms();
                while let Some(board) = signs.next_now() {
                    hall.floor.here(board, now_ms);
                }
                if let Some(servers) = &*room.borrow() {
                    hall.room(servers.full.as_deref());
                    hall.whole(servers.lack.as_deref());
                }
                // The others' rows may come without end.
                hall.floor.catch_up(CATCHES_UP);
                hall.shut_floods();
                if let Err(failure) = hall.tell(now_ms, out) {
                    return Broken::Out(failure);
                }
            }
        };
        let ended = tokio::select! {
            read = read => read.map_err(Broken::Line),
            gone = watch_room(&link, &args.event, &tell_room) => Err(Broken::Line(gone)),
            broken = tells => Err(broken),
            () = watch_floods(meter, &budgets) => Ok(()),
        };
        self.mark = mark;
        ended
    }

    /// Shuts out whoever has sent more than a board can, or what nobody can read.
    fn shut_floods(&mut self) {
        servers::shut_out(&mut self.floor, &self.budgets, self.args.keys.as_deref());
    }

    /// Says once when there is no room for rows, and when there is again.
    fn room(&mut self, full: Option<&str>) {
        if let Some(why) = full {
            self.complain(why);
        } else if self.full {
            self.complain("the server has room again");
        }
        self.full = full.is_some();
    }

    /// Says once when not each server of the hall keeps every row, and when each does again.
    fn whole(&mut self, lack: Option<&str>) {
        if self.lack.as_deref() != lack {
            let line = lack.unwrap_or("each server keeps every row again");
            complain(&format!("hall: {line}"));
            self.lack = lack.map(str::to_owned);
        }
    }

    fn show(&mut self, stands: &[BoardStands]) {
        let Some(page) = &mut self.page else { return };
        page.full(self.full);
        page.aside(self.aside);
        let known = self.pairings.as_ref();
        page.show(stands, |board| {
            let pair = known.and_then(|file| file.pair(board))?;
            let there = stands.iter().find(|stands| stands.board == board)?;
            others_sit(there, Some(pair))
        });
    }

    /// Tells what has changed, and writes what the public may see.
    fn tell(&mut self, now_ms: u64, out: &mut dyn Write) -> Result<(), Failure> {
        let args = self.args;
        let mut ended = false;
        let stands = self.floor.stands(now_ms);
        self.show(&stands);
        for board in stands {
            let pair = self.pairings.as_ref().and_then(|file| file.pair(board.board));
            let now = Told::of(&board, pair);
            let before = self.told.get(&board.board);
            if before == Some(&now) {
                continue;
            }
            if args.json {
                writeln!(out, "{}", line_json(&board, &now))?;
            } else if before.is_none_or(|before| !before.is_as(&now)) {
                writeln!(out, "{}", line(&board, &now))?;
            }
            if let (Some(_), None, Some((result, _))) = (pair, &now.paired, &now.result) {
                ended |= self.results.insert(board.board, *result) != Some(*result);
            }
            // Of others who sit there nothing is known.
            let known = self.pairings.as_ref().filter(|_| now.paired.is_none());
            let known = known.map(|file| file.tags(board.board)).unwrap_or_default();
            if let Some((game, pgn)) = self.floor.pgn(args.event.as_str(), board.board, known) {
                self.broadcast.stands((board.board, game), pgn, now_ms);
            }
            self.told.insert(board.board, now);
        }
        out.flush()?;
        if ended && let (Some(file), Some(path)) = (&self.pairings, &args.results) {
            let results: Vec<(u32, Outcome)> =
                self.results.iter().map(|(board, result)| (*board, *result)).collect();
            let bytes = file.bytes_with_results(&results).map_err(|err| err.to_string());
            if let Err(line) = bytes.and_then(|bytes| replace(path, &bytes)) {
                self.complain(&format!("results: {line}"));
            }
        }
        if self.broadcast.advance(now_ms) {
            self.states += 1;
            if let Some(page) = &self.page {
                page.games(self.broadcast.all(), &format!("{:x}-{}", self.started, self.states));
            }
            let files = BroadcastFiles { all: args.pgn.clone(), folder: args.games.clone() };
            if let Err(line) = self.broadcast.write(&files) {
                self.complain(&line);
            }
        }
        Ok(())
    }
}

/// Why a line ended.
enum Broken {
    /// The hall's server, or the way there.
    Line(HallError),
    Out(Failure),
}

impl From<HallError> for Broken {
    fn from(err: HallError) -> Broken {
        Broken::Line(err)
    }
}
