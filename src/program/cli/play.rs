//! `annabella play`: the service at the board.

mod printed;
mod session;

use std::{
    io::Write,
    os::unix::{fs::MetadataExt as _, process::CommandExt as _},
    path::{Path, PathBuf},
    process::Command,
    str::FromStr,
    time::{Duration, Instant},
};

use rustix::process::{Signal, set_parent_process_death_signal};
use shakmaty::{Bitboard, Chess, Color, Position};

use super::{Exit, Failure, listen::read_confusions, tell::words_of};
use crate::{
    config::{Config, ConsoleSection, EngineKind, Listen},
    service::{
        Service, beside,
        braille::EarLines,
        hall::{self, HallLine, Unfetched, WireCall},
        news::PairedHere,
        notify::{self, Notifier},
        play::{self, Moments},
        room::{Mouths, Outlets, Room, RoomError},
        setup::file,
        standing::{self, GameStanding, Listed, Next},
        stop::Stop,
        streams::{self, complain, complaints_first},
        terminal,
    },
};
use annabella_core::{
    game::{At, Blind, Channel, Game, GameConfig, Learnt, Output, Started, Urgency, read_fen},
    lobby::NotTaken,
};
use annabella_records::{
    journal::{self, GameId, Journal, JournalError, PutRight},
    seal::Passphrase,
};
use annabella_words::phrase::{Prompt, Slot, Utterance, Words, hear::Confusions, pack};
pub(super) use printed::readable;
use printed::{Form, print};

/// Runs the service at the board.
#[derive(Debug, clap::Args)]
pub struct PlayArgs {
    /// Configuration; without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml
    /// and the installed service's.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Begin a new game even if the last one in the journal was not finished.
    #[arg(long)]
    pub new: bool,
    /// Go on with this game of the journal: `annabella games list` numbers them.
    #[arg(long, value_name = "N", conflicts_with = "new")]
    pub game: Option<i64>,
    /// Take the place of a broken board of the hall, as in hall:17: its last game is fetched and
    /// goes on here, and the configuration makes this one board 17 from then on.
    #[arg(long, value_name = "BOARD", conflicts_with_all = ["new", "game", "setup", "first_boot"])]
    pub take_over: Option<HallBoardNumber>,
    /// Go on with the game that was taken over just now.
    #[arg(long, hide = true, conflicts_with_all = ["take_over", "new", "game", "setup", "first_boot"])]
    pub taken: bool,
    /// Set every game up by voice, keys or typed words first; as `[game] setup = true`.
    #[arg(long)]
    pub setup: bool,
    /// First set up by ear, as `annabella setup` does, if there is no configuration yet or the
    /// repeat button is held for three seconds.
    #[arg(long, requires = "config")]
    pub first_boot: bool,
    /// The folder of the records is a file system of its own; where it is not mounted, what is
    /// recorded does not last, and every blind player is told.
    #[arg(long, value_name = "FOLDER")]
    pub kept_on: Option<PathBuf>,
    /// Every output as one JSON line.
    #[arg(long)]
    pub json: bool,
    /// Draw a QR code of the arbiter's page and one of the assistant's, for a telephone's camera.
    #[arg(long)]
    pub qr: bool,
    /// The passphrase that seals the move when the arbiter adjourns the game (I.1): the first line
    /// of a file.
    #[arg(long, value_name = "FILE")]
    pub passphrase_file: Option<PathBuf>,
    /// Stop when the program that started this has ended, however it ended.
    #[arg(long, hide = true)]
    pub with_parent: bool,
}

/// A board of the hall, as in `hall:17`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HallBoardNumber(u32);

impl FromStr for HallBoardNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<HallBoardNumber, String> {
        let number = text.strip_prefix("hall:").and_then(|number| number.parse().ok());
        let board = number.filter(|board| *board > 0);
        board.map(HallBoardNumber).ok_or_else(|| format!("'{text}' is no board: write hall:17"))
    }
}

impl PlayArgs {
    /// The game is another board's, whose place this one has taken.
    fn has_taken(&self) -> bool {
        self.taken || self.take_over.is_some()
    }

    /// How outputs are written.
    fn form(&self) -> Form {
        match () {
            () if self.json => Form::Json,
            () if terminal::is_read() => Form::Person,
            () => Form::Log,
        }
    }

    /// Begins anew, in the place of this process: with devices, language and journal as the
    /// configuration has them now. Answers only where that cannot be.
    fn begin_anew(&self, anew: Anew) -> Failure {
        let mut command =
            Command::new(std::env::current_exe().unwrap_or_else(|_| "annabella".into()));
        command.arg("play");
        let folders = [
            ("--config", &self.config),
            ("--kept-on", &self.kept_on),
            ("--passphrase-file", &self.passphrase_file),
        ];
        for (name, path) in folders {
            if let Some(path) = path {
                command.arg(name).arg(path);
            }
        }
        let taken = anew == Anew::TakenOver;
        let switches = [
            ("--json", self.json),
            ("--qr", self.qr),
            ("--taken", taken),
            ("--setup", self.setup && !taken),
            ("--new", self.new && !taken),
        ];
        let set = switches.iter().filter(|(_, set)| *set);
        let err = command.args(set.map(|(name, _)| name)).exec();
        Failure::device(format!("cannot begin anew: {err}"))
    }
}

/// Why the service begins anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anew {
    /// This board is another one now.
    TakenOver,
    /// The players who come speak another language.
    Paired,
}

/// This board is not another one.
struct StillItself {
    why: NotTaken,
    failure: Failure,
}

impl From<Failure> for StillItself {
    fn from(failure: Failure) -> StillItself {
        StillItself { why: NotTaken::Failed, failure }
    }
}

/// Fetches the game of this board of the hall, and writes into the configuration that this is the
/// board now. `silent`: only if that board gives no sign of life.
fn take_over(named: Option<&Path>, board: u32, silent: bool) -> Result<Config, StillItself> {
    let (config, path) = super::configuration(named)?;
    let call = WireCall::of(&config).map(|call| WireCall { board, silent, ..call });
    let (Some(call), Some(path)) = (call, path) else {
        let line = "no configuration names a hall: set url and event in [hall]";
        return Err(Failure::usage(line).into());
    };
    // A file that cannot be written is found before anybody is shut out.
    super::rewrite::write(&path, Vec::new())?;
    let journal = hall::fetch(&beside::HALL.path(), &call).map_err(|unfetched| {
        let Unfetched { why, line } = unfetched;
        StillItself { why, failure: Failure::Device(line) }
    })?;
    let journal = std::path::absolute(&journal).unwrap_or(journal);
    let journal = journal.display().to_string();
    complain(&format!("this is board {board} of {} from now on, with {journal}", call.event));
    let sections = vec![
        ("hall", vec![("board", i64::from(board).into())]),
        ("journal", vec![("path", journal.into())]),
    ];
    super::rewrite::write(&path, sections)?;
    Ok(super::configuration(Some(&path))?.0)
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] when the configuration is wrong or a device is missing.
pub fn run(args: &PlayArgs, mut out: impl Write) -> Result<Exit, Failure> {
    if args.with_parent {
        // It lasts where the service begins anew.
        let stops = set_parent_process_death_signal(Some(Signal::TERM));
        stops.map_err(|err| Failure::device(format!("cannot stop with another program: {err}")))?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|err| Failure::device(format!("cannot start the service: {err}")))?;
    // What is wrong with it is said before anybody is asked anything.
    let passphrase = args.passphrase_file.as_deref().map(Passphrase::from_file);
    let passphrase = passphrase.transpose().map_err(Failure::usage)?;
    let config = match &args.config {
        Some(path) if args.first_boot => {
            runtime.block_on(super::setup::first_boot(path, &mut out))?
        }
        named if let Some(HallBoardNumber(board)) = args.take_over => {
            take_over(named.as_deref(), board, false).map_err(|still| still.failure)?
        }
        named => super::configuration(named.as_deref())?.0,
    };
    let config = Config { console: ConsoleSection { qr: args.qr, ..config.console }, ..config };
    let anew = runtime.block_on(choose(args, &config, passphrase, &mut out))?;
    let Some(anew) = anew else { return Ok(Exit::Done) };
    runtime.shutdown_background();
    drop(out);
    streams::settle();
    terminal::give_back();
    Err(args.begin_anew(anew))
}

/// The requested game, the last one played, or a new one. After the end of a game none begins by
/// itself: the players are asked, as with `--setup`.
async fn choose(
    args: &PlayArgs,
    own: &Config,
    passphrase: Option<Passphrase>,
    out: &mut dyn Write,
) -> Result<Option<Anew>, Failure> {
    let config = own;
    let mut stop = Stop::listen_while_starting()
        .map_err(|err| Failure::device(format!("the system gives no signals: {err}")))?;
    let (journal, found) = match opened(args, &config.journal.path, &stop).await {
        Ok(opened) => opened,
        Err(_) if stop.is_told() => return Ok(None),
        Err(err) => {
            last_words(args, config, &err, &mut stop, out).await?;
            return Err(Failure::device(err));
        }
    };
    // Nothing waits for it: it reads the journal's file by itself.
    let line = hall::join(config, complain);
    found.told.iter().for_each(|line| complain(line));
    let mut first = Vec::new();
    if found.damaged {
        first.push(told_all(config, Prompt::GamesDamaged, &[])?);
    }
    if let Some(folder) = args.kept_on.as_deref().filter(|folder| !is_mounted(folder)) {
        let folder = folder.display();
        complain(&format!(
            "nothing is mounted at {folder}: what is recorded is gone at the next start; is the card damaged?"
        ));
        first.push(told_all(config, Prompt::NotSaved, &[])?);
    }
    let next = standing::next(&journal).map_err(Failure::device)?;
    let goes_on = matches!(next, Next::GoOn(_) | Next::Adjourned(_)) && !args.new;
    let paired =
        if goes_on || args.game.is_some() || args.has_taken() { None } else { paired(config) };
    let (paired, filled) = paired.unzip();
    let config = match &filled {
        Some(filled) => {
            first.extend(greeting(filled)?);
            filled
        }
        None => config,
    };
    let desk = Desk { journal, first, stop, line, own, paired, passphrase };
    let journal = &desk.journal;
    if let Some(number) = args.game {
        let listed = Listed::read(journal, journal.game(GameId { number })?)?;
        let why = match listed.standing {
            GameStanding::Unreadable => "was begun by another version of this program",
            GameStanding::Damaged => "is damaged",
            _ => "",
        };
        if !why.is_empty() {
            return Err(Failure::usage(format!("game {number} {why}: it can't be played on")));
        }
    }
    if args.setup || (config.game.setup && !args.has_taken()) {
        return session::serve(args, config, desk, false, out).await;
    }
    let id = match (args.game, next) {
        (Some(number), _) => Some(GameId { number }),
        (None, _) if args.new => None,
        (None, Next::GoOn(id) | Next::Adjourned(id)) => Some(id),
        // Nothing has happened in it yet, but its players sit there.
        (None, Next::Fresh) if args.has_taken() => {
            desk.journal.latest_first().map_err(Failure::device)?.first().map(|row| row.id)
        }
        (None, Next::Fresh) => None,
        (None, Next::Ended(_)) => {
            return session::serve(args, config, desk, true, out).await;
        }
    };
    serve(args, config, desk, id, out).await.map(|()| None)
}

/// How long another service may take to end that has the journal still: a service manager starts
/// this one, perhaps, while that one ends.
const ENDS: Duration = Duration::from_secs(3);

/// The journal. A person reads at once that Annabella is running already.
async fn opened(
    args: &PlayArgs,
    path: &Path,
    stop: &Stop,
) -> Result<(Journal, PutRight), JournalError> {
    let until = Instant::now() + ENDS;
    loop {
        let opened = journal::open_repaired(path);
        let waits = matches!(opened, Err(JournalError::InUse { .. }))
            && args.form() != Form::Person
            && Instant::now() < until
            && !stop.is_told();
        if !waits {
            return opened;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Whether a file system is mounted at this folder.
fn is_mounted(folder: &Path) -> bool {
    let device = |path: &Path| std::fs::metadata(path).map(|found| found.dev()).ok();
    let around = device(&folder.join(".."));
    device(folder).is_some_and(|own| around.is_some_and(|around| around != own))
}

/// The texts of a game's packs, for the journal.
fn pack_texts(game: &GameConfig) -> Result<Vec<String>, Failure> {
    let text = |key, name: &str| file::pack_text(key, name).map_err(Failure::usage);
    let packs = vec![text("words", &game.words)?, text("prompts", &game.prompts)?];
    // A game completes what its journal has; what somebody writes for the next one is to be whole.
    let own = |name: &String| pack::builtin(name).is_none();
    if own(&game.words) || own(&game.prompts) {
        Words::from_toml(&packs[0], &packs[1]).map_err(Failure::usage)?;
    }
    Ok(packs)
}

/// The passphrase for sealing, and whether a sealed move can be read back in private.
fn prepare_sealing(passphrase: Option<&Passphrase>, config: &Config, service: &mut Service) {
    if let Some(passphrase) = passphrase {
        service.arm(passphrase.clone());
    }
    let speech = &config.speech;
    let own = |name: &str| !name.is_empty() && name != speech.public && name != "none";
    let both = config.game.blind == Blind::Both;
    service.set_earphone(own(&speech.private) && (!both || own(&speech.private_black)));
}

/// The learnt confusions of the players' voices.
pub(super) fn learnt(config: &Config) -> Result<Learnt, Failure> {
    let read = |key: &str, path: &Option<PathBuf>| match path {
        Some(path) => {
            let read = read_confusions(path);
            read.map_err(|err| Failure::usage(format!("[speech] {key}: {err}")))
        }
        None => Ok(Confusions::default()),
    };
    let speech = &config.speech;
    let (own, black) = (&speech.confusions, &speech.confusions_black);
    Ok(Learnt { own: read("confusions", own)?, black: read("confusions_black", black)? })
}

/// Carries out an output.
type Act<'a> = dyn FnMut(At, &Output) -> Result<(), String> + 'a;

/// A game that goes on keeps what it began with. Where the configuration's [game] says something
/// else, one line says which game it is.
fn goes_on(id: GameId, service: &Service, own: &GameConfig) -> Option<String> {
    let record = service.game().record()?;
    let begun = record.config;
    // A name that the configuration leaves out was asked for.
    let other = |begun: &str, own: &str| !own.is_empty() && begun != own;
    let differs = other(&begun.white, &own.white)
        || other(&begun.black, &own.black)
        || begun.time_control != own.time_control
        || begun.blind != own.blind
        || begun.start != own.start;
    let called = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
    let (white, black) = (called(&begun.white), called(&begun.black));
    let (number, date) = (id.number, super::games::day(record.unix_s()));
    let control = &begun.time_control;
    differs.then(|| {
        format!(
            "game {number} of {date} goes on, {white} – {black}, {control}: [game] of the configuration is for the next one"
        )
    })
}

/// Plays one game: this one of the journal, or a new one.
async fn serve(
    args: &PlayArgs,
    config: &Config,
    desk: Desk<'_>,
    id: Option<GameId>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Desk { journal, first, mut stop, line, passphrase, .. } = desk;
    let game = config.game();
    let begun = match id {
        Some(id) => Service::resume(journal, id),
        None => {
            let started = Started {
                packs: pack_texts(&game)?,
                config: game.clone(),
                confusions: learnt(config)?,
                build: env!("CARGO_PKG_VERSION").to_owned(),
                unix_s: play::unix_s(),
            };
            check(&started)?;
            let at = At::new(journal.resume_at().map_err(Failure::device)?.ms + 1);
            Service::begin_next(journal, at, started)
        }
    };
    let (mut service, mut outputs) = match begun {
        Ok(begun) => begun,
        Err(err) => {
            last_words(args, config, &err, &mut stop, out).await?;
            return Err(Failure::device(err));
        }
    };
    if let Some(line) = id.and_then(|id| goes_on(id, &service, &game)) {
        complain(&line);
    }
    prepare_sealing(passphrase.as_ref(), config, &mut service);
    outputs.extend(service.cannot_seal().into_iter().flatten());
    let moments = Moments::from(service.next_moment().map_err(Failure::device)?);
    let blind = service.game().record().map_or(game.blind, |record| record.config.blind);
    // Whoever begins a game is told how the clock is started.
    let greets = config.speech.greet || (id.is_none() && args.form() != Form::Json);
    let welcome: Vec<Output> = if greets || args.has_taken() {
        service.game().greeting().into_iter().collect()
    } else {
        Vec::new()
    };
    let places = at_pegs(blind).into_iter().map(|seat| (seat, pegs_left(service.game(), seat)));
    let words = service.game().packs().cloned();
    let outlets = Outlets::open(config, blind, places.collect(), words, &mut complain)?;
    let begins: Vec<Output> = first.into_iter().chain(outputs).chain(welcome).collect();
    let at = moments.now();
    // One person hears it line by line: what there is to do comes after all that there is to know.
    let reads = args.form() == Form::Person;
    let mut say = |act: &dyn Fn(At, &Output) -> Vec<String>| {
        begins.iter().try_for_each(|output| {
            act(at, output).iter().for_each(|line| complain(line));
            print(out, args.form(), blind, at, output).map_err(Failure::Device)
        })
    };
    if !reads {
        say(&|at, output| outlets.act(at, output))?;
    }
    let room = outlets.join(config, service.game(), moments, &mut complain).await?;
    let Room { mouths, mut devices, mut hearing, inbox, news, open, types } = room;
    if reads {
        bad_news_first(config, &mouths).await;
        say(&|at, output| mouths.act(at, output))?;
    }
    if let Some(line) = &line {
        line.tell(news.clone());
    }
    if types {
        play::typed(news);
    }
    let mut act = |at: At, output: &Output| -> Result<(), String> {
        mouths.act(at, output).iter().for_each(|line| complain(line));
        print(out, args.form(), blind, at, output)
    };
    let manager = Notifier::from_environment();
    let (act, mut complaining): (&mut Act<'_>, _) = (&mut act, complain);
    let complaining = &mut complaining;
    let playing = async {
        tokio::select! {
            biased;
            () = stop.told() => Ok(()),
            ended = play::run(
                &mut service, moments, inbox, act, complaining, &mut hearing, &mut devices,
            ) => ended,
        }
    };
    let ended = notify::alive_while(manager.as_ref(), playing).await;
    drop(open);
    if let Some(line) = mouths.last_complaint() {
        complain(&line);
    }
    let kept = told_kept(&service, args.form(), out)?;
    mouths.last_words(kept.as_ref()).await;
    ended.map_err(Failure::Device)?;
    all_saved(&mut service)
}

/// A sound device that is not there has said so by then.
const SETTLES: Duration = Duration::from_millis(300);

/// Where one person reads line by line, what is wrong stands before the first question, not between
/// the question and its answer.
async fn bad_news_first(config: &Config, mouths: &Mouths) {
    let speech = &config.speech;
    if speech.engine != EngineKind::None || speech.listen != Listen::Off {
        tokio::time::sleep(SETTLES).await;
    }
    mouths.complaints().iter().for_each(|line| complain(line));
    complaints_first();
}

/// Before the service ends: what the journal could not take may fit now.
fn all_saved(service: &mut Service) -> Result<(), Failure> {
    let waiting = service.unsaved();
    service.save_rest().map_err(|err| {
        let game = service.id();
        Failure::device(format!("the last {waiting} inputs of game {game} are lost: {err}"))
    })
}

/// Everything that a game needs before the devices are opened.
struct Desk<'a> {
    journal: Journal,
    /// What is said before anything else.
    first: Vec<Output>,
    stop: Stop,
    /// The way to the hall, if there is one. It ends with this.
    line: Option<HallLine>,
    /// The configuration without what the hall's pairings say.
    own: &'a Config,
    /// Who is paired here, as the players were greeted.
    paired: Option<PairedHere>,
    passphrase: Option<Passphrase>,
}

/// The configuration with what the hall's pairings say about this board; `None`: they say nothing.
fn paired(config: &Config) -> Option<(PairedHere, Config)> {
    let call = WireCall::of(config)?;
    let paired = hall::paired(&beside::HALL.path(), &call);
    let paired = paired.inspect_err(|err| complain(&format!("hall: no pairing: {err}"))).ok()??;
    let config = filled(config, &paired);
    Some((paired, config))
}

/// With what a pairing says about this board.
fn filled(config: &Config, paired: &PairedHere) -> Config {
    let mut config = config.clone();
    paired.fill(&mut config).iter().for_each(|line| complain(line));
    config
}

/// Who plays here, for every ear at the table; and to each blind player which colour he has and
/// whom he plays.
fn greeting(config: &Config) -> Result<Vec<Output>, Failure> {
    let (number, game) = (config.hall.board, &config.game);
    let slots = [Slot::Number(number), Slot::Text(&game.white), Slot::Text(&game.black)];
    let mut told = vec![told_all(config, Prompt::BoardGreeting, &slots)?];
    let words = words_of(config)?;
    for seat in at_pegs(game.blind) {
        let opponent = seat.fold_wb(&game.black, &game.white);
        let colour = words.prompt(Prompt::YouHave, &[Slot::Player(seat)]);
        let whom = (!opponent.is_empty())
            .then(|| words.prompt(Prompt::YourOpponent, &[Slot::Text(opponent)]));
        let words = Utterance::joined(std::iter::once(colour).chain(whom));
        let (channel, urgency) = (Channel::Private, Urgency::Alert);
        told.push(Output::Say { channel, seat: Some(seat), urgency, words });
    }
    Ok(told)
}

/// A sentence for every ear at the table.
fn told_all(config: &Config, prompt: Prompt, slots: &[Slot<'_>]) -> Result<Output, Failure> {
    let words = words_of(config)?.prompt(prompt, slots);
    let (channel, urgency) = (Channel::Private, Urgency::Alert);
    Ok(Output::Say { channel, seat: None, urgency, words })
}

/// How long the last words may take.
const LAST_WORDS: Duration = Duration::from_secs(15);

/// There is no journal, so no game begins: whoever sits at the board hears it.
async fn last_words(
    args: &PlayArgs,
    config: &Config,
    why: &JournalError,
    stop: &mut Stop,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let prompt = match why {
        // He reads it in a moment, and the other one speaks.
        JournalError::InUse { .. } if args.form() == Form::Person => return Ok(()),
        JournalError::InUse { .. } => Prompt::RunsAlready,
        _ => Prompt::NoJournal,
    };
    let say = told_all(config, prompt, &[])?;
    let blind = config.game.blind;
    let at = At::new(0);
    print(out, args.form(), blind, at, &say).map_err(Failure::Device)?;
    let outlets = Outlets::open(config, blind, Vec::new(), None, &mut complain)?;
    outlets.act(at, &say).iter().for_each(|line| complain(line));
    let felt = async {
        let all = words_of(config).ok();
        let lines = all.and_then(|all| EarLines::open(config, &all, |line| complain(&line)));
        if let (Some(mut lines), Output::Say { words, .. }) = (lines, &say) {
            lines.show(words);
            lines.stay().await;
        }
    };
    let told = async { tokio::join!(spoken(|| outlets.is_speaking()), felt) };
    tokio::select! {
        () = stop.told() => {}
        _ = told => {}
    }
    Ok(())
}

/// That a game broken off is not lost, as one person reads it, and for the fingers on a Braille
/// line. `None`: it is over.
fn told_kept(
    service: &Service,
    form: Form,
    out: &mut dyn Write,
) -> Result<Option<Utterance>, Failure> {
    let going_on = service.game().ended().is_none() && service.unsaved() == 0;
    let packs = service.game().packs().filter(|_| going_on);
    let words = packs.map(|packs| packs.prompt(Prompt::GameSetAside, &[]));
    if let Some(words) = words.as_ref().filter(|_| form == Form::Person) {
        writeln!(out, "{words}")?;
        out.flush()?;
    }
    Ok(words)
}

/// Waits for the last words; not for a sound device that hangs.
async fn spoken(is_speaking: impl Fn() -> bool) {
    let until = Instant::now() + LAST_WORDS;
    while is_speaking() && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The players on pegs, White first.
fn at_pegs(blind: Blind) -> Vec<Color> {
    [Color::White, Color::Black].into_iter().filter(|color| blind.is(*color)).collect()
}

/// The contacts are taken up where the journal left them, pieces in the hand included.
fn pegs_left(game: &Game, seat: Color) -> Bitboard {
    game.pegs(seat).unwrap_or_else(|| Chess::default().board().occupied())
}

impl From<RoomError> for Failure {
    fn from(err: RoomError) -> Failure {
        match err {
            RoomError::Config(line) => Failure::Usage(line),
            RoomError::Device(line) => Failure::Device(line),
        }
    }
}

/// A journal must begin with a playable game.
fn check(started: &Started) -> Result<(), Failure> {
    if let Some(fen) = &started.config.start {
        read_fen(fen).map_err(|err| Failure::usage(format!("[game] start: {err}")))?;
    }
    let input = annabella_core::game::Input::Started(Box::new(started.clone()));
    match Game::new().handle(At::new(0), input) {
        Ok(_) => Ok(()),
        Err(refused) => Err(Failure::usage(refused.text)),
    }
}
