//! `annabella play`: the service at the board.

use std::{cell::RefCell, io::Write, path::PathBuf};

use shakmaty::{Chess, Color, Position};

use super::{Exit, Failure};
use crate::{
    config::{BoardKind, ClockKind, Config, SightedKind},
    game::{At, Blind, Channel, Game, Output, Started, read_fen},
    journal::Journal,
    phrase::{hear::Confusions, pack},
    service::{
        Service, json_lines, mouth,
        play::{self, Moments},
        speak,
    },
    voice::VoiceEvent,
};

/// Runs the service at the board.
#[derive(Debug, clap::Args)]
pub struct PlayArgs {
    /// Configuration; without one every key has its default.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Begin a new game even if the last one in the journal was not finished.
    #[arg(long)]
    pub new: bool,
    /// Every output as one JSON line.
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
///
/// # Errors
///
/// [`Failure`] when the configuration is wrong or a device is missing.
pub fn run(args: &PlayArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let config = match &args.config {
        Some(path) => Config::load(path).map_err(|err| Failure::usage(err.to_string()))?,
        None => Config::default(),
    };
    match config.board.kind {
        BoardKind::Events | BoardKind::Sim => {}
        other => {
            return Err(Failure::device(format!(
                "[board] kind = \"{}\": this version reads no such board yet; use \"events\"",
                other.as_str()
            )));
        }
    }
    if config.sighted.kind != SightedKind::None {
        return Err(Failure::device(format!(
            "[sighted] kind = \"{}\": this version drives no such board yet; use \"none\" and \
             execute the opponent's moves on the peg board",
            config.sighted.kind.as_str()
        )));
    }
    if config.clock.kind == ClockKind::Dgt {
        return Err(Failure::device(
            "[clock] kind = \"dgt\": this version talks to no such clock yet; use \"internal\"",
        ));
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|err| Failure::device(format!("cannot start the service: {err}")))?;
    runtime.block_on(serve(args, &config, out))
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

async fn serve(args: &PlayArgs, config: &Config, out: &mut dyn Write) -> Result<Exit, Failure> {
    let device = |err: &dyn std::fmt::Display| Failure::device(err.to_string());
    let game = config.game();
    let journal = Journal::open(&config.journal.path).map_err(|err| device(&err))?;
    let unfinished = journal.last_open().map_err(|err| device(&err))?.filter(|_| !args.new);
    let (mut service, outputs) = match unfinished {
        Some(id) => Service::resume(journal, id).map_err(|err| device(&err))?,
        None => {
            let started = Started {
                packs: vec![pack_text("words", &game.words)?, pack_text("prompts", &game.prompts)?],
                config: game.clone(),
                confusions: Confusions::default(),
                build: env!("CARGO_PKG_VERSION").to_owned(),
                unix_s: play::unix_s(),
            };
            check(&started)?;
            let at = At::new(journal.resume_at().map_err(|err| device(&err))?.ms + 1);
            Service::begin(journal, at, started).map_err(|err| device(&err))?
        }
    };
    let moments = Moments::from(service.next_moment().map_err(|err| device(&err))?);
    let blind = service.game().record().map_or(game.blind, |record| record.config.blind);
    let out = RefCell::new(out);
    let greeting: Vec<Output> = if config.speech.greet {
        service.game().greeting().into_iter().collect()
    } else {
        Vec::new()
    };
    // Without a voice the game still goes on, by lines and lights: said once, with the remedy.
    let mut mouth = mouth(&config.speech).unwrap_or_else(|err| {
        eprintln!("annabella: nothing will be spoken: {err}");
        None
    });
    let mut act = |at: At, output: &Output| -> Result<(), String> {
        if let Some(mouth) = &mut mouth {
            speak(mouth.as_mut(), output);
            for event in mouth.events() {
                report(&event);
            }
        }
        let mut out = out.borrow_mut();
        let written = if args.json {
            json_lines(at, blind, output).iter().try_for_each(|line| writeln!(out, "{line}"))
        } else {
            readable(output).map_or(Ok(()), |line| writeln!(out, "{line}"))
        };
        written.and_then(|()| out.flush()).map_err(|err| format!("cannot write the output: {err}"))
    };
    let at = moments.now();
    for output in outputs.iter().chain(&greeting) {
        act(at, output).map_err(Failure::Device)?;
    }
    // The contacts are taken up where the journal left them, pieces in the hand included.
    let seat = if blind == Blind::Black { Color::Black } else { Color::White };
    let start = Chess::default().board().occupied();
    let shown = service.game().pegs(seat).unwrap_or(start);
    let (keep, board) = match config.board.kind {
        BoardKind::Events => {
            let board = play::events(&config.board.path, &game, shown).await;
            (None, board.map_err(Failure::Device)?)
        }
        _ => {
            // A simulated board without hands: nothing moves, and nothing ends.
            let (keep, board) = tokio::sync::mpsc::channel(1);
            (Some(keep), board)
        }
    };
    let mut complain = |line: &str| eprintln!("annabella: {line}");
    let ended = play::run(&mut service, moments, board, &mut act, &mut complain).await;
    drop(keep);
    ended.map_err(Failure::Device)?;
    Ok(Exit::Done)
}

/// What a journal is begun with must be playable.
fn check(started: &Started) -> Result<(), Failure> {
    if let Some(fen) = &started.config.start {
        read_fen(fen).map_err(|err| Failure::usage(format!("[game] start: {err}")))?;
    }
    let input = crate::game::Input::Started(Box::new(started.clone()));
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
fn readable(output: &Output) -> Option<String> {
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
        Output::Boards(boards) => {
            let boards = serde_json::to_value(boards).ok()?;
            Some(format!("boards: {}", boards.as_str()?))
        }
        Output::Result { result, reason, .. } => Some(format!("{result}: {reason}")),
        Output::Heard(heard) => Some(format!("heard: {}", heard.line())),
        Output::Clock { .. }
        | Output::Manner { .. }
        | Output::Hush
        | Output::Prepare { .. }
        | Output::WakeAt(_) => None,
    }
}
