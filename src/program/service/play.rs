//! The service at the board: devices on one side, the game on the other, time in between.

use std::{
    collections::VecDeque,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use shakmaty::{Bitboard, Color, Square};
use tokio::sync::mpsc;

pub use super::moments::Moments;
use super::{
    Service,
    devices::Devices,
    moments::{instant, since_boot_ms},
    news::{Dated, FromDevice, Inbox, QUEUE, ToGame, WeakToGame},
    order::{Next, Order},
    terminal,
};
use annabella_core::{
    game::{At, Channel, Game, Input, Output, Running, Urgency},
    sensing::{Debounce, Edge},
};
use annabella_devices::{
    board::events::{EventError, EventLine, PegEvent},
    lines::{self, Complaints, FromSource, Line, Unread},
    voice::Pcm,
};
use annabella_records::journal::GameId;
use annabella_words::text::plain;

/// A board whose events have ended gets this long to come to rest.
const REST: Duration = Duration::from_secs(3);

/// The day on which this program's version was released. A clock that shows an earlier one is not
/// set: a Pi has no battery for it.
const RELEASED_UNIX_S: u64 = 1_795_824_000;

/// Wall clock in Unix seconds, for the record's date only; 0 where the clock is not set.
pub fn unix_s() -> u64 {
    dated(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

fn dated(unix_s: u64) -> u64 {
    if unix_s < RELEASED_UNIX_S { 0 } else { unix_s }
}

/// Runs a game on a board that reports events, until the events end. Nothing is half done where
/// this future waits, so that it may be dropped there.
///
/// Inputs count at the moments when they happened, and the game is woken at its own moments in
/// between: a machine that is held up, or a slow disk, changes nothing but when it is told.
///
/// `act` carries out each output. `complain` gets one line for each bad event.
///
/// # Errors
/// One line, when the journal can't be written or an output can't be carried out.
pub async fn run(
    service: &mut Service,
    moments: Moments,
    mut board: Inbox,
    act: &mut dyn FnMut(At, &Output) -> Result<(), String>,
    complain: &mut dyn FnMut(&str),
    ears: &mut dyn Listens,
    devices: &mut Devices,
) -> Result<(), String> {
    let mut last = moments.now();
    let mut moment = None;
    let mut open = true;
    let mut until: Option<Instant> = None;
    let mut order = Order::default();
    devices.begin(service, last);
    // The moment of what was taken in last.
    let mut at = last;
    // The devices' findings when the game begins, or goes on after a stop.
    let mut inputs: VecDeque<Input> = devices.follow(service.game(), last.ms).into();
    loop {
        let mut sound = None;
        if inputs.is_empty() {
            if moment != service.game().moment() {
                moment = service.game().moment();
                ears.expect(service.game());
            }
            while !order.is_full()
                && let Some(news) = board.try_recv()
            {
                order.push(news);
            }
            let now_ms = since_boot_ms();
            match order.next(now_ms, &|at_ms| board.is_behind(at_ms)) {
                Next::News => {
                    let Some(Dated { at_ms, from, .. }) = order.take() else { continue };
                    let happened = moments.of(at_ms);
                    at = happened.max(last);
                    match from {
                        FromDevice::Heard { seat, heard, pushed, sound: spoken } => {
                            sound = Some(spoken);
                            inputs.push_back(Input::Heard { seat, heard, pushed });
                        }
                        FromDevice::Ended => until = Some(Instant::now() + REST),
                        from => {
                            let news = devices.take(from, service.game(), at.ms);
                            let inputs_of = news.inputs.into_iter();
                            inputs.extend(inputs_of.map(|input| late(input, happened, at)));
                            if let Some(line) = news.line {
                                complain(&line);
                            }
                            for output in &news.outputs {
                                act(at, output)?;
                            }
                            if inputs.is_empty() {
                                inputs.extend(devices.follow(service.game(), at.ms));
                            }
                        }
                    }
                }
                Next::Wait(ms) => {
                    // Time does not pass for the game before a press that is held is judged.
                    let held = Instant::now() + Duration::from_millis(ms.saturating_sub(now_ms));
                    tokio::select! {
                        got = board.recv(), if open => match got {
                            Some(news) => order.push(news),
                            None => open = false,
                        },
                        () = sleep_until(Some(held)) => {},
                    }
                }
                Next::Nothing => {
                    if !open {
                        until.get_or_insert(Instant::now() + REST);
                    }
                    let wake = wake(service, last);
                    let wake_ms = wake.map(|wake| moments.boot_ms(wake));
                    let rest_ms = wake_ms.and_then(|wake_ms| order.wakes(now_ms, wake_ms));
                    let due = rest_ms.or(wake_ms).map(instant);
                    let next = [due, until].into_iter().flatten().min();
                    tokio::select! {
                        got = board.recv(), if open => match got {
                            Some(news) => order.push(news),
                            None => open = false,
                        },
                        () = sleep_until(next) => {
                            if until.is_some_and(|until| until <= Instant::now()) {
                                return Ok(());
                            }
                            // A machine that was held up wakes the game at its moment all the same:
                            // what happened since then may not have been read yet.
                            if let Some(wake) = wake.filter(|_| rest_ms.is_none())
                                && wake <= moments.now()
                            {
                                at = wake.max(last);
                                inputs.push_back(Input::Woke);
                            }
                        },
                    }
                }
            }
        }
        let Some(input) = inputs.pop_front() else { continue };
        last = at;
        let outputs = service.input(at, input.clone()).map_err(|err| err.to_string())?;
        terminal::remembers(!service.seals());
        if let Some(sound) = sound.filter(|_| outputs.iter().any(is_announcement)) {
            ears.keep(service.id(), at, &sound).unwrap_or_else(|line| complain(&line));
        }
        if let Some(hush) = cut_by(&input, &outputs) {
            act(at, &hush)?;
        }
        for output in &outputs {
            act(at, output)?;
            if let (Output::Codes { seat }, Some(words)) = (output, service.game().packs()) {
                for spoken in devices.spoken_codes(*seat, words) {
                    act(at, &spoken)?;
                }
            }
        }
        // Inputs of a sealed move are for no page.
        let hidden = service.kept_private() && !matches!(input, Input::Typed { .. });
        let shown = if hidden { Input::Woke } else { input };
        if !devices.happened(at, &shown, &outputs, inputs.is_empty()) {
            inputs.clear();
        }
        // News that belong together are taken in before the devices follow.
        if inputs.is_empty() {
            inputs.extend(devices.follow(service.game(), at.ms));
        }
        if inputs.is_empty() {
            devices.show(service.game(), at);
            service.rest();
        }
    }
}

/// A reed that was certain only after something that happened later.
fn late(mut input: Input, happened: At, at: At) -> Input {
    if let Input::Edge { ago_ms, .. } = &mut input {
        *ago_ms = at.ms.saturating_sub(happened.ms);
    }
    input
}

/// When to wake the game: at the moment it asked for, and at intervals while a clock runs, so that
/// the journal knows the times after a power cut.
fn wake(service: &Service, last: At) -> Option<At> {
    let (asked, game) = (service.wake_at(), service.game());
    let runs = game.clock(last).is_some_and(|(_, _, running)| running != Running::None);
    let heartbeat_ms = game.record().map(|record| record.config.heartbeat_ms).filter(|_| runs);
    let beat = heartbeat_ms.map(|ms| At::new(last.ms.saturating_add(ms)));
    [asked, beat].into_iter().flatten().min()
}

/// The ears, as the game's loop sees them.
pub trait Listens {
    /// The grammar has changed.
    fn expect(&mut self, game: &Game);

    /// Keeps the sound of an announcement, if that is wanted (D.2.7).
    ///
    /// # Errors
    /// One line, when the sound can't be written; the game goes on.
    fn keep(&mut self, game: GameId, at: At, sound: &Pcm) -> Result<(), String>;
}

/// New words cut what is still being spoken in that ear: words that are answered there, and a move
/// that is announced for them. What nobody has understood as words cuts nothing.
fn cut_by(input: &Input, outputs: &[Output]) -> Option<Output> {
    let (Input::Heard { seat: speaker, .. }
    | Input::Said { seat: speaker, .. }
    | Input::Button { seat: speaker, .. }) = input
    else {
        return None;
    };
    let answered = outputs.iter().find_map(|output| match output {
        // A question back is an answer too.
        Output::Say { channel: Channel::Private, seat, urgency, .. }
            if *urgency != Urgency::Hint =>
        {
            Some(Output::Hush { seat: *seat })
        }
        _ => None,
    });
    let announced = |output: &Output| {
        let Output::Say { channel, urgency, .. } = output else { return false };
        *channel == Channel::Public && *urgency == Urgency::Announcement
    };
    let his = speaker.filter(|_| outputs.iter().any(announced));
    answered.or_else(|| his.map(|seat| Output::Hush { seat: Some(seat) }))
}

/// A move was said, or something that may have been one.
fn is_announcement(output: &Output) -> bool {
    matches!(output, Output::Heard(heard) if heard.uci.is_some() || !heard.candidates.is_empty())
}

pub(super) async fn sleep_until(instant: Option<Instant>) {
    match instant {
        Some(instant) => tokio::time::sleep_until(instant.into()).await,
        None => std::future::pending().await,
    }
}

/// A board whose reeds arrive as JSON lines.
#[derive(Clone, Debug)]
pub struct EventsBoard {
    /// Before whom it stands.
    pub seat: Color,
    /// The section of the configuration that names it.
    pub section: &'static str,
    /// A file, a FIFO, or `-` for standard input.
    pub path: PathBuf,
    /// A line that is no JSON is what somebody has typed: a move or a request. In a terminal it
    /// always is.
    pub typed: bool,
    /// A contact must rest for this long.
    pub debounce_ms: u64,
    /// Its last known picture.
    pub shown: Bitboard,
}

/// Reads the boards whose reeds arrive as JSON lines from a file, a FIFO or standard input. Each
/// line counts when it arrives; a regular file has no moments of arrival, so its lines keep the
/// pace of their `t`. The game ends with the last of `boards`, of which some may be none of these.
///
/// # Errors
/// One line, when a file cannot be opened.
pub fn events(to_game: &ToGame, lines: Vec<EventsBoard>, boards: usize) -> Result<(), String> {
    let open = Arc::new(AtomicUsize::new(boards));
    lines.into_iter().try_for_each(|lines| read_lines(to_game.another(), lines, Arc::clone(&open)))
}

fn read_lines(to_game: ToGame, lines: EventsBoard, open: Arc<AtomicUsize>) -> Result<(), String> {
    let EventsBoard { seat, section, path, typed, debounce_ms, shown } = lines;
    let name = match lines::is_stdin(&path) {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    };
    let (to_pegs, from_source) = mpsc::channel(QUEUE);
    let tell = move |from| to_pegs.blocking_send((since_boot_ms(), from)).is_ok();
    let at_terminal = lines::is_stdin(&path) && terminal::is_there();
    let unread = if at_terminal {
        terminal::follow(tell);
        Unread::default()
    } else {
        lines::follow(&path, tell)
            .map_err(|err| format!("[{section}] path: cannot read {name}: {err}"))?
    };
    let (waiting, unsettled) = (unread.clone(), Arc::new(AtomicBool::new(false)));
    let settling = Arc::clone(&unsettled);
    to_game.waits_for(move |_| !waiting.is_empty() || settling.load(Ordering::SeqCst));
    let pegs = Pegs {
        seat,
        typed: typed || at_terminal,
        debounce_ms,
        debounce: Debounce::new(debounce_ms, shown),
        unsettled,
        changed: (0, Vec::new()),
        unread,
        to_game,
        open,
        pace: (!lines::is_stdin(&path) && path.is_file()).then_some(Pace::Ready),
        complaints: Complaints::about(name),
    };
    tokio::spawn(pegs.read(from_source));
    Ok(())
}

/// Takes in what is typed in the terminal, beside a board that feels its pegs.
pub fn typed(to_game: WeakToGame) {
    let mut complaints = Complaints::about("standard input");
    terminal::follow(move |from| {
        let Some(to_game) = to_game.upgrade() else { return false };
        let from = match from {
            FromSource::Line(Line { text: Ok(text), .. }) if text.trim().is_empty() => return true,
            FromSource::Line(Line { text: Ok(text), .. }) => {
                FromDevice::Input(Input::Said { seat: None, heard: vec![plain(text.trim())] })
            }
            FromSource::Line(Line { number, text: Err(bad), .. }) => {
                let Some(line) = complaints.line(number, bad) else { return true };
                FromDevice::Complaint(line)
            }
            FromSource::Lost(err) => {
                let Some(line) = complaints.source(err) else { return true };
                FromDevice::Complaint(line)
            }
        };
        to_game.blocking_send(from).is_ok()
    });
}

/// Turns event lines into inputs: contacts debounced, everything at the moment when it happened,
/// which is that of its arrival.
struct Pegs {
    seat: Color,
    typed: bool,
    debounce_ms: u64,
    debounce: Debounce,
    /// A contact has changed and does not rest yet.
    unsettled: Arc<AtomicBool>,
    /// The reading of the last line, and the squares that changed in it, in order.
    changed: (u64, Vec<Square>),
    unread: Unread,
    to_game: ToGame,
    /// Boards that have not ended yet.
    open: Arc<AtomicUsize>,
    /// The moment of the file's own 0 ms, once it is known.
    pace: Option<Pace>,
    complaints: Complaints,
}

/// A file has no moments of arrival: its lines keep the pace of their own.
#[derive(Clone, Copy)]
enum Pace {
    Ready,
    /// The file's time, and when that was.
    Begun {
        t_ms: u64,
        at_ms: u64,
    },
}

impl Pegs {
    async fn read(mut self, mut from: mpsc::Receiver<(u64, FromSource)>) {
        // The last line's moment, and the reading that it came with.
        let mut last = (0, 0);
        let mut lost = false;
        loop {
            let due = self.debounce.due_ms().map(instant);
            tokio::select! {
                // What has arrived is older than what is certain only now.
                biased;
                got = from.recv() => match got {
                    Some((arrived_ms, FromSource::Line(line))) => {
                        lost = false;
                        let reading = line.reading;
                        let arrived_ms = if last.1 == reading { last.0 } else { arrived_ms };
                        if let Some(event) = self.take(line).await {
                            let at_ms = self.moment(&event, arrived_ms).max(last.0);
                            last = (at_ms, reading);
                            self.rest_until(at_ms).await;
                            self.event(at_ms, reading, event.event).await;
                        }
                        self.unread.dealt_with();
                    }
                    Some((_, FromSource::Lost(err))) => {
                        lost = true;
                        let line = self.complaints.source(err);
                        self.complain(line).await;
                    }
                    None => break,
                },
                () = sleep_until(due) => self.settle(since_boot_ms()).await,
            }
        }
        if lost {
            terminal::breaks();
        }
        self.come_to_rest().await;
        if self.open.fetch_sub(1, Ordering::SeqCst) == 1 {
            let _ = self.to_game.send(FromDevice::Ended).await;
        }
    }

    /// When this happened.
    fn moment(&mut self, event: &EventLine, arrived_ms: u64) -> u64 {
        let (Some(pace), Some(t_ms)) = (self.pace, event.t_ms) else { return arrived_ms };
        match pace {
            Pace::Ready => {
                self.pace = Some(Pace::Begun { t_ms, at_ms: arrived_ms });
                arrived_ms
            }
            Pace::Begun { t_ms: first_ms, at_ms } => {
                at_ms.saturating_add(t_ms.saturating_sub(first_ms))
            }
        }
    }

    /// The event of a line. A bad line is complained of.
    async fn take(&mut self, line: Line) -> Option<EventLine> {
        let Line { number, text, .. } = line;
        let wrong = match text {
            Ok(text) if text.trim().is_empty() => return None,
            Ok(text) => match self.parse(&text) {
                Ok(event) => return Some(event),
                Err(err) => {
                    // A writer that died may have left the begin of a line before this one.
                    let whole = EventLine::last_of(&text);
                    if whole.is_some() {
                        let line = self.complaints.line(number, "the begin of it is cut off");
                        self.complain(line).await;
                        return whole;
                    }
                    err.to_string()
                }
            },
            Err(bad) => bad.to_string(),
        };
        let line = self.complaints.line(number, wrong);
        self.complain(line).await;
        None
    }

    fn parse(&self, line: &str) -> Result<EventLine, EventError> {
        let text = line.trim();
        if !self.typed || text.starts_with('{') {
            return EventLine::parse(line);
        }
        let event = PegEvent::Announce { text: plain(text), seat: None };
        Ok(EventLine { t_ms: None, event })
    }

    /// Waits for this moment; contacts come to rest meanwhile.
    async fn rest_until(&mut self, at_ms: u64) {
        while let Some(due_ms) = self.debounce.due_ms().filter(|due_ms| *due_ms < at_ms) {
            sleep_until(Some(instant(due_ms))).await;
            self.settle(due_ms).await;
        }
        sleep_until(Some(instant(at_ms))).await;
        self.settle(at_ms).await;
    }

    /// Waits until every contact rests.
    async fn come_to_rest(&mut self) {
        while let Some(due_ms) = self.debounce.due_ms() {
            self.rest_until(due_ms).await;
        }
    }

    async fn settle(&mut self, now_ms: u64) {
        let mut edges = Vec::new();
        self.debounce.advance(now_ms, &mut edges);
        for Edge { at_ms, square, occupied } in edges {
            let ago_ms = since_boot_ms().saturating_sub(at_ms);
            self.send(at_ms, Input::Edge { seat: self.seat, square, occupied, ago_ms }).await;
        }
        self.unsettled.store(self.debounce.due_ms().is_some(), Ordering::SeqCst);
    }

    async fn event(&mut self, at_ms: u64, reading: u64, event: PegEvent) {
        match event {
            PegEvent::Reed { square, occupied } => {
                self.changes(at_ms, reading, square).await;
                self.debounce.edge(Edge { at_ms, square, occupied });
                self.unsettled.store(self.debounce.due_ms().is_some(), Ordering::SeqCst);
            }
            PegEvent::Board(occupied) => {
                self.debounce = Debounce::new(self.debounce_ms, occupied);
                self.unsettled.store(false, Ordering::SeqCst);
                let occupied = occupied.into();
                self.send(at_ms, Input::Board { seat: self.seat, occupied }).await;
            }
            // The pegs before them are before them, however soon they come after.
            PegEvent::Announce { text, seat } => {
                self.come_to_rest().await;
                self.send(at_ms, Input::Said { seat, heard: vec![text] }).await;
            }
            PegEvent::Press(seat) => {
                self.come_to_rest().await;
                self.send(at_ms, Input::Pressed { seat }).await;
            }
        }
    }

    /// A contact is about to change. Lines that were read at once tell nothing of the time between
    /// them; a contact that changes back after others have changed did not bounce.
    async fn changes(&mut self, at_ms: u64, reading: u64, square: Square) {
        let (known, changed) = &mut self.changed;
        if *known != reading {
            *known = reading;
            changed.clear();
        }
        let between = changed.last().is_some_and(|last| *last != square);
        if between && changed.contains(&square) {
            changed.clear();
            self.settle(at_ms.saturating_add(self.debounce_ms)).await;
        }
        self.changed.1.push(square);
    }

    async fn send(&self, at_ms: u64, input: Input) {
        // The service is gone: nobody is left to tell.
        let _ = self.to_game.send_of(at_ms, FromDevice::Input(input)).await;
    }

    async fn complain(&self, line: Option<String>) {
        if let Some(line) = line {
            let _ = self.to_game.send(FromDevice::Complaint(line)).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use annabella_core::game::Started;

    fn said(text: &str) -> Input {
        Input::Said { seat: Some(Color::White), heard: vec![text.to_owned()] }
    }

    #[test]
    fn a_clock_before_this_versions_release_is_not_set() {
        let changelog = include_str!("../../../CHANGELOG.md");
        let released =
            changelog.lines().find_map(|line| line.strip_prefix("## [")?.split_once("] - "));
        let (version, day) = released.expect("a version that was released");
        // Its noon is of the same day wherever the test runs.
        let noon = annabella_records::journal::export::pgn_date(RELEASED_UNIX_S + 43_200);
        assert_eq!(
            (noon.replace('.', "-").as_str(), RELEASED_UNIX_S % 86_400),
            (day, 0),
            "{version}"
        );
        assert_eq!(dated(0), 0);
        assert_eq!(dated(RELEASED_UNIX_S - 1), 0);
        assert_eq!(dated(RELEASED_UNIX_S), RELEASED_UNIX_S);
    }

    /// A game by word at a typed board, after the start of the clock.
    fn begun() -> Game {
        let config = Config::parse("[board]\nkind = \"none\"\n", "a.toml").expect("right").game();
        let german = include_str!("../../../voices/de.toml").to_owned();
        let started = Started {
            config,
            packs: vec![german.clone(), german],
            confusions: Default::default(),
            build: "test".to_owned(),
            unix_s: 1_700_000_000,
        };
        let mut game = Game::new();
        game.handle(At::new(0), Input::Started(Box::new(started))).expect("a game");
        game.handle(At::new(1), said("Uhr starten")).expect("runs");
        game
    }

    #[test]
    fn the_next_word_cuts_the_answer_that_is_still_spoken() {
        let mut game = begun();
        let mut cut = |at, input: Input| {
            let outputs = game.handle(At::new(at), input.clone()).expect("taken in");
            cut_by(&input, &outputs)
        };
        let her_ear = Some(Output::Hush { seat: Some(Color::White) });
        for (at, words) in [
            (10, "Hilfe"),
            // A question, words not understood, a question to her, her move, a correction.
            (20, "meine Zeit"),
            (30, "Regenschirm"),
            (40, "ich gebe auf"),
            (50, "nein"),
            (60, "Bauer Eva zwei Eva vier"),
            (70, "Korrektur Bauer David zwei David vier"),
            (80, "letzter Zug"),
        ] {
            assert_eq!(cut(at, said(words)), her_ear, "{words}");
        }
        // What is no word of hers cuts nothing: the clock, and time that passes.
        assert_eq!(cut(90, Input::Pressed { seat: Color::White }), None);
        assert_eq!(cut(100, Input::Woke), None);
        // Nor does an announcement that nobody's words have brought.
        let words =
            game.packs().expect("packs").prompt(annabella_words::phrase::Prompt::DrawOffered, &[]);
        let aloud = Output::Say {
            channel: Channel::Public,
            seat: None,
            urgency: Urgency::Announcement,
            words,
        };
        assert_eq!(cut_by(&Input::Woke, &[aloud]), None);
    }
}
