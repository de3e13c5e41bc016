//! `annabella play`: the service at the board.

mod session;

use std::{cell::RefCell, io::Write, path::PathBuf, sync::mpsc::Receiver};

use shakmaty::{Bitboard, ByColor, Chess, Color, Position};

use super::{Exit, Failure, listen::read_confusions};
use crate::{
    config::{BoardKind, Config, RecordAudio},
    service::{
        Service, Voices,
        attach::attach,
        json_lines,
        notify::{self, Notifier},
        play::{self, FromBoard, Lines, Moments},
        reeds::{Place, Reeds},
        sounds::Sounds,
        standing::{self, Listed, Next, Standing},
    },
};
use annabella_core::game::{At, Blind, Channel, Game, Learnt, Output, Started, read_fen};
use annabella_devices::voice::{Pcm, VoiceEvent, keys::KeysEvent};
use annabella_records::journal::{GameId, Journal, JournalError};
use annabella_words::phrase::{hear::Confusions, pack};

/// Runs the service at the board.
#[derive(Debug, clap::Args)]
pub struct PlayArgs {
    /// Configuration; without one every key has its default.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Begin a new game even if the last one in the journal was not finished.
    #[arg(long)]
    pub new: bool,
    /// Go on with this game of the journal: `annabella games list` numbers them.
    #[arg(long, value_name = "N", conflicts_with = "new")]
    pub game: Option<i64>,
    /// Set every game up by voice, keys or typed words first; as `[game] setup = true`.
    #[arg(long)]
    pub setup: bool,
    /// First set up by ear, as `annabella setup` does, if there is no configuration yet or the repeat
    /// button is held for three seconds.
    #[arg(long, requires = "config")]
    pub first_boot: bool,
    /// Every output as one JSON line.
    #[arg(long)]
    pub json: bool,
    /// What a move is sealed with when the arbiter adjourns the game (I.1): the first line of a file.
    #[arg(long, value_name = "FILE")]
    pub passphrase_file: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
///
/// [`Failure`] when the configuration is wrong or a device is missing.
pub fn run(args: &PlayArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|err| Failure::device(format!("cannot start the service: {err}")))?;
    let config = match &args.config {
        Some(path) if args.first_boot => runtime.block_on(super::setup::first_boot(path, out))?,
        Some(path) => Config::load(path).map_err(|err| Failure::usage(err.to_string()))?,
        None => Config::default(),
    };
    runtime.block_on(choose(args, &config, out))
}

/// The game that was asked for, the one that was played last, or a new one. After the end of a game
/// none begins by itself: whoever is at the board is asked, as with `--setup`.
async fn choose(args: &PlayArgs, config: &Config, out: &mut dyn Write) -> Result<Exit, Failure> {
    let journal = Journal::open(&config.journal.path).map_err(device)?;
    if let Some(number) = args.game {
        let listed = Listed::read(&journal, journal.game(GameId { number })?)?;
        if listed.standing == Standing::Unreadable {
            return Err(Failure::usage(format!(
                "game {number} was begun by another version of this program: it can't be played on"
            )));
        }
    }
    if args.setup || config.game.setup {
        return session::serve(args, config, journal, false, out).await;
    }
    let next = standing::next(&journal).map_err(device)?;
    let id = match (args.game, next) {
        (Some(number), _) => Some(GameId { number }),
        (None, _) if args.new => None,
        (None, Next::GoOn(id) | Next::Adjourned(id)) => Some(id),
        (None, Next::Fresh) => None,
        (None, Next::Ended(_)) => return session::serve(args, config, journal, true, out).await,
    };
    serve(args, config, journal, id, out).await
}

fn device(err: JournalError) -> Failure {
    Failure::device(err.to_string())
}

/// The packs' text, for the journal: built-in by name, or a file.
fn pack_text(key: &str, name: &str) -> Result<String, Failure> {
    if let Some(text) = pack::builtin(name) {
        return Ok(text.to_owned());
    }
    if name.ends_with(".toml") {
        return std::fs::read_to_string(name)
            .map_err(|err| Failure::usage(format!("[speech] {key}: cannot read {name}: {err}")));
    }
    let known: Vec<&str> = pack::builtin_names().collect();
    Err(Failure::usage(format!(
        "[speech] {key}: '{name}' is no pack; there are {}, or give the path of a .toml file",
        known.join(", ")
    )))
}

/// What a move is sealed with, and whether it can be read back in private.
fn prepare_sealing(args: &PlayArgs, config: &Config, service: &mut Service) -> Result<(), Failure> {
    if let Some(path) = &args.passphrase_file {
        let passphrase = annabella_records::seal::Passphrase::from_file(path);
        service.arm(passphrase.map_err(|err| Failure::usage(err.to_string()))?);
    }
    let speech = &config.speech;
    let own = |name: &str| !name.is_empty() && name != speech.public && name != "none";
    let both = config.game.blind == Blind::Both;
    service.set_earphone(own(&speech.private) && (!both || own(&speech.private_black)));
    Ok(())
}

/// What was learnt of the players' voices.
fn learnt(config: &Config) -> Result<Learnt, Failure> {
    let read = |path: &Option<PathBuf>| match path {
        Some(path) => read_confusions(path),
        None => Ok(Confusions::default()),
    };
    let speech = &config.speech;
    Ok(Learnt { own: read(&speech.confusions)?, black: read(&speech.confusions_black)? })
}

/// Carries out an output.
type Act<'a> = dyn FnMut(At, &Output) -> Result<(), String> + 'a;

/// Plays one game: this one of the journal, or a new one.
async fn serve(
    args: &PlayArgs,
    config: &Config,
    journal: Journal,
    id: Option<GameId>,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let game = config.game();
    let (mut service, mut outputs) = match id {
        Some(id) => Service::resume(journal, id).map_err(device)?,
        None => {
            let started = Started {
                packs: vec![pack_text("words", &game.words)?, pack_text("prompts", &game.prompts)?],
                config: game.clone(),
                confusions: learnt(config)?,
                build: env!("CARGO_PKG_VERSION").to_owned(),
                unix_s: play::unix_s(),
            };
            check(&started)?;
            let at = At::new(journal.resume_at().map_err(device)?.ms + 1);
            Service::begin_next(journal, at, started).map_err(device)?
        }
    };
    prepare_sealing(args, config, &mut service)?;
    outputs.extend(service.cannot_seal().into_iter().flatten());
    let moments = Moments::from(service.next_moment().map_err(device)?);
    let blind = service.game().record().map_or(game.blind, |record| record.config.blind);
    let out = RefCell::new(out);
    let greeting: Vec<Output> = if config.speech.greet {
        service.game().greeting().into_iter().collect()
    } else {
        Vec::new()
    };
    // Without a voice the game still goes on, by lines and lights: said once, with the remedy.
    let voices = open_voices(config, blind);
    let (to_game, board) = tokio::sync::mpsc::channel(play::QUEUE);
    let words = service.game().packs().cloned();
    let reeds = words.map(|words| {
        let place = |seat| Place {
            seat,
            shown: pegs_left(service.game(), seat),
            words: words.clone(),
            mouth: voices.as_ref().map(|voices| voices.of(seat)),
        };
        let places: Vec<Place<'_>> = at_pegs(blind).into_iter().map(place).collect();
        Reeds::open(config, &places, &to_game)
    });
    let reeds = RefCell::new(reeds.transpose().map_err(|err| Failure::device(err.to_string()))?);
    let mut act = |at: At, output: &Output| -> Result<(), String> {
        if let Some(reeds) = reeds.borrow_mut().as_mut() {
            reeds.show(output);
        }
        carry_out(voices.as_ref(), &mut **out.borrow_mut(), args.json, blind, at, output)
    };
    let at = moments.now();
    for output in outputs.iter().chain(&greeting) {
        act(at, output).map_err(Failure::Device)?;
    }
    let mut devices = attach(config, service.game(), moments, &to_game).map_err(Failure::Usage)?;
    open_pages(config, &to_game, &mut devices).await;
    let talk = talk_buttons(&reeds);
    let mut hearing = Hearing::open(config, service.game(), voices.as_ref(), &to_game, talk);
    let left = |seat| pegs_left(service.game(), seat);
    let ends = read_events(config, &at_pegs(blind), left, &to_game).await?;
    // Real reeds never end, nor do simulated ones without hands.
    let keep = (!ends).then_some(to_game);
    let mut complain = |line: &str| eprintln!("annabella: {line}");
    // A service manager that cannot be told is no reason not to play.
    let manager = Notifier::from_environment().unwrap_or_else(|err| {
        complain(&err.to_string());
        None
    });
    let (act, complain): (&mut Act<'_>, _) = (&mut act, &mut complain);
    let playing =
        play::run(&mut service, moments, board, act, complain, &mut hearing, &mut devices);
    let ended = notify::alive_while(manager.as_ref(), playing).await;
    drop(keep);
    if let Some(line) = reeds.borrow().as_ref().and_then(Reeds::complaint) {
        complain(&line);
    }
    ended.map_err(Failure::Device)?;
    Ok(Exit::Done)
}

/// Who plays on pegs: White first.
fn at_pegs(blind: Blind) -> Vec<Color> {
    [Color::White, Color::Black].into_iter().filter(|color| blind.is(*color)).collect()
}

/// The contacts are taken up where the journal left them, pieces in the hand included.
fn pegs_left(game: &Game, seat: Color) -> Bitboard {
    game.pegs(seat).unwrap_or_else(|| Chess::default().board().occupied())
}

/// The voices of the configuration. Without them the game goes on, by lines and lights: said once,
/// with the remedy; and so is whose private words are not spoken.
fn open_voices(config: &Config, blind: Blind) -> Option<Voices> {
    let voices = Voices::open(config, blind).unwrap_or_else(|err| {
        eprintln!("annabella: nothing will be spoken: {err}");
        None
    });
    for why in config.unheard().into_iter().flatten().filter(|_| blind == Blind::Both) {
        eprintln!("annabella: {why}");
    }
    voices
}

/// White's talk button and Black's.
type TalkButtons = ByColor<Option<Receiver<KeysEvent>>>;

fn talk_buttons(reeds: &RefCell<Option<Reeds>>) -> TalkButtons {
    let mut reeds = reeds.borrow_mut();
    ByColor::new_with(|seat| reeds.as_mut().and_then(|reeds| reeds.talk(seat)))
}

/// Reads the boards before these players whose reeds are JSON lines; whether the game ends with them.
async fn read_events(
    config: &Config,
    seats: &[Color],
    shown: impl Fn(Color) -> Bitboard,
    to_game: &tokio::sync::mpsc::Sender<FromBoard>,
) -> Result<bool, Failure> {
    let sections = [("board", &config.board), ("board_black", &config.board_black)];
    let boards = seats.iter().zip(sections);
    let lines = boards.filter(|(_, (_, board))| board.kind == BoardKind::Events);
    let lines: Vec<Lines> = lines
        .map(|(seat, (section, board))| Lines {
            seat: *seat,
            section,
            path: board.path.clone(),
            debounce_ms: board.sensing.debounce_ms,
            shown: shown(*seat),
        })
        .collect();
    let ends = lines.len() == seats.len();
    play::events(to_game, lines, seats.len()).await.map_err(Failure::Device)?;
    Ok(ends)
}

/// The pages, if the configuration wants any. Without them the game goes on: said once, with the
/// remedy.
async fn open_pages(
    config: &Config,
    to_game: &tokio::sync::mpsc::Sender<FromBoard>,
    devices: &mut crate::service::devices::Devices,
) {
    #[cfg(feature = "console")]
    {
        let tell = |line: &str| eprintln!("annabella: {line}");
        devices.pages =
            crate::service::pages::open(config, to_game, tell).await.unwrap_or_else(|err| {
                eprintln!("annabella: {err}");
                None
            });
    }
    #[cfg(not(feature = "console"))]
    let _ = (config, to_game, devices);
}

/// Speaks an output and writes it, for people or as JSON.
fn carry_out(
    voices: Option<&Voices>,
    out: &mut dyn Write,
    json: bool,
    blind: Blind,
    at: At,
    output: &Output,
) -> Result<(), String> {
    if let Some(voices) = voices {
        voices.speak(output);
        for event in voices.take_events() {
            report(&event);
        }
    }
    let written = if json {
        json_lines(at, blind, output).iter().try_for_each(|line| writeln!(out, "{line}"))
    } else {
        readable(output).map_or(Ok(()), |line| writeln!(out, "{line}"))
    };
    written.and_then(|()| out.flush()).map_err(|err| format!("cannot write the output: {err}"))
}

/// The ears, if the configuration wants any and this machine has them.
struct Hearing {
    #[cfg(feature = "speech")]
    ears: Vec<crate::service::ears::Ears>,
    sounds: Option<Sounds>,
}

impl Hearing {
    /// Without them the game goes on, by hands: said once, with the remedy.
    fn open(
        config: &Config,
        game: &Game,
        voices: Option<&Voices>,
        to_game: &tokio::sync::mpsc::Sender<FromBoard>,
        talk: TalkButtons,
    ) -> Hearing {
        let sounds = (config.record.audio == RecordAudio::Announcements).then(|| {
            let limit = u64::from(config.record.audio_mb) * 1_000_000;
            Sounds::beside(&config.journal.path, limit)
        });
        #[cfg(not(all(feature = "speech", feature = "sound")))]
        {
            let _ = (game, voices, to_game, talk);
            Hearing {
                #[cfg(feature = "speech")]
                ears: Vec::new(),
                sounds,
            }
        }
        #[cfg(all(feature = "speech", feature = "sound"))]
        {
            let ears = if config.speech.listen == crate::config::Listen::Off {
                Vec::new()
            } else {
                hear(config, game, voices, to_game, talk)
            };
            Hearing { ears, sounds }
        }
    }
}

#[cfg(all(feature = "speech", feature = "sound"))]
fn hear(
    config: &Config,
    game: &Game,
    voices: Option<&Voices>,
    to_game: &tokio::sync::mpsc::Sender<FromBoard>,
    talk: TalkButtons,
) -> Vec<crate::service::ears::Ears> {
    use crate::service::ears::{Ears, Overheard, Parts, microphones};
    use annabella_core::game::Urgency;
    use annabella_devices::voice::{
        Mouth,
        gate::{Gate, GateSettings},
        mic::Microphone,
        recognizer::choice,
    };
    use annabella_words::phrase::Prompt;
    let Some(words) = game.packs().cloned() else { return Vec::new() };
    let model = match choice::open(config.speech.model.as_deref(), &words) {
        Ok(chosen) => chosen.model,
        Err(err) => {
            eprintln!("annabella: nothing will be heard: {err}");
            if let Some(voices) = voices {
                let words = words.prompt(Prompt::SpeechUnavailable, &[]);
                voices.clone().say(Channel::Private, Urgency::Alert, &words);
            }
            return Vec::new();
        }
    };
    let mut ears = Vec::new();
    let blind = game.record().map_or(config.game.blind, |record| record.config.blind);
    for own in microphones(config, blind, voices, talk) {
        let settings = GateSettings { mode: own.mode, ..GateSettings::default() };
        let parts = Parts {
            seat: own.seat,
            capture: Box::new(Microphone::new(&own.input)),
            gate: Gate::new(settings.for_devices(&config.speech.public, &own.private)),
            keys: own.keys,
            model: model.clone(),
            words: words.clone(),
            mouth: voices.map(|voices| voices.heard_by(own.seat)),
            rest_ms: config.speech.rest_ms,
        };
        let to_game = to_game.clone();
        let grammar = game.grammar().unwrap_or_default();
        ears.push(Ears::open(parts, grammar, move |overheard| {
            let news = match overheard {
                Overheard::Said { seat, utterance, rate_hz, pushed } => {
                    let sound = Overheard::sound(&utterance, rate_hz);
                    FromBoard::Heard { seat, heard: utterance.heard, pushed, sound }
                }
                Overheard::Complaint(line) => FromBoard::Complaint(line),
            };
            to_game.blocking_send(news).is_ok()
        }));
    }
    ears
}

impl play::Listens for Hearing {
    fn expect(&mut self, game: &Game) {
        #[cfg(feature = "speech")]
        if let Some(grammar) = game.grammar() {
            self.ears.iter().for_each(|ears| ears.expect(grammar.clone()));
        }
        #[cfg(not(feature = "speech"))]
        let _ = game;
    }

    fn keep(&mut self, game: GameId, at: At, sound: &Pcm) -> Result<(), String> {
        match &self.sounds {
            Some(sounds) => sounds.keep(game, at, sound).map(|_| ()),
            None => Ok(()),
        }
    }
}

/// What a journal is begun with must be playable.
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

/// What goes wrong with the voice is said once, on standard error.
fn report(event: &VoiceEvent) {
    match event {
        VoiceEvent::DeviceLost { channel, error } => {
            eprintln!("annabella: {} voice lost: {error}", name(*channel));
        }
        VoiceEvent::DeviceBack { channel } => {
            eprintln!("annabella: {} voice is back", name(*channel));
        }
        VoiceEvent::Failed { channel, error } => {
            eprintln!("annabella: {} voice: {error}", name(*channel));
        }
        VoiceEvent::Began { .. } | VoiceEvent::Finished { .. } => {}
    }
}

fn name(channel: Channel) -> &'static str {
    match channel {
        Channel::Public => "public",
        Channel::Private => "private",
    }
}

/// One line of an output for people who watch a terminal.
pub(super) fn readable(output: &Output) -> Option<String> {
    match output {
        Output::Say { channel: Channel::Public, words, .. } => Some(format!("said: {words}")),
        Output::Say { channel: Channel::Private, words, .. } => {
            Some(format!("in the ear: {words}"))
        }
        Output::Move { ply, san, state, .. } => {
            let state = serde_json::to_value(state).ok()?;
            let dots = if ply % 2 == 1 { "." } else { "..." };
            Some(format!("{}{dots} {san} {}", ply.div_ceil(2), state.as_str()?))
        }
        Output::Problem { article, text, .. } => Some(format!("{article}: {text}")),
        Output::Touched { square, piece, .. } => Some(format!("touched: {piece} on {square}")),
        Output::Boards(boards) => {
            let boards = serde_json::to_value(boards).ok()?;
            Some(format!("boards: {}", boards.as_str()?))
        }
        Output::Result { result, reason, .. } => Some(format!("{result}: {reason}")),
        Output::Heard(heard) => Some(format!("heard: {}", heard.line())),
        Output::Proposal(proposal) => Some(format!(
            "{}: proposal {} {:?}: {}",
            proposal.article, proposal.number, proposal.state, proposal.text
        )),
        Output::Settled(settled) => {
            Some(format!("decided: the game goes on after ply {}", settled.ply))
        }
        Output::Correct { seat, steps } => {
            Some(format!("to do on the board of {seat}: {} steps", steps.len()))
        }
        Output::Ruled(ruled) => {
            Some(format!("arbiter {}: {:?}", ruled.ruling.by, ruled.ruling.act))
        }
        Output::Show { words, .. } => Some(format!("shown: {words}")),
        Output::Clock { .. }
        | Output::Whisper { .. }
        | Output::Manner { .. }
        | Output::Hush { .. }
        | Output::Codes { .. }
        | Output::Prepare { .. }
        | Output::WakeAt(_) => None,
    }
}
