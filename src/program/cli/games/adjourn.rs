//! `annabella games adjourn`, `envelope`, `open`, `conclude`: an adjourned game from its invitation
//! to its resumption, for the arbiter at a keyboard.
//!
//! A passphrase and a sealed move come from a prompt that shows nothing, or from a file. They never
//! come from an argument, which others on the machine could read. A typed move is sealed as it is
//! written.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use shakmaty::Color;

use super::{
    super::{Exit, Failure, LANGUAGES, play::readable},
    replay,
};
use crate::service::{
    OpenError, Service,
    streams::{in_own_language, write_line},
};
use annabella_core::{
    game::{
        Adjourn, Adjournment, ArbiterAct, Conclusion, Envelope, Input, Output, Record, Resumption,
        Ruling, Stage,
        clock::{Bonus, Period, TimeControl},
    },
    laws::Article,
    outside::lines,
};
use annabella_records::{
    journal::{
        GameId, Journal, Records,
        envelope::{EnvelopeLabels, EnvelopePage},
    },
    seal::{self, Label, Passphrase, SealError},
};

/// Adjourns a game, or says more about an adjournment.
#[derive(Debug, clap::Args)]
pub(super) struct AdjournArgs {
    /// The game's number.
    id: i64,
    /// The arbiter's name.
    #[arg(long, value_name = "NAME")]
    arbiter: String,
    /// Date of the resumption.
    #[arg(long, value_name = "TEXT")]
    date: Option<String>,
    /// Time of the resumption.
    #[arg(long, value_name = "TEXT")]
    time: Option<String>,
    /// Place of the resumption.
    #[arg(long, value_name = "TEXT")]
    place: Option<String>,
    /// The player adjourns this many minutes before the end of the session (I.1.2).
    #[arg(long, value_name = "MINUTES")]
    session_left: Option<u32>,
    /// Only ask for the move: it is sealed at the board (`annabella play --passphrase-file`).
    #[arg(long, group = "way")]
    invite: bool,
    /// The move lies on paper, in an envelope of the arbiter's.
    #[arg(long, group = "way")]
    paper: bool,
    /// The move replies to a player who has not come (I.9.3).
    #[arg(long)]
    reply: bool,
    /// Take the invitation back: the game goes on.
    #[arg(long, group = "way")]
    withdraw: bool,
    /// A player has offered a draw after the sealing (I.4).
    #[arg(long, value_name = "COLOUR", value_parser = ["white", "black"], group = "way")]
    offered: Option<String>,
    /// The offer has been declined.
    #[arg(long, group = "way")]
    declined: bool,
    /// The passphrase: first line of this file. Without it, it is asked for.
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// The move to be sealed, as its player writes it: first line of this file. Without it, it is
    /// asked for.
    #[arg(long, value_name = "FILE")]
    move_file: Option<PathBuf>,
}

/// Prints the envelope.
#[derive(Debug, clap::Args)]
pub(super) struct EnvelopeArgs {
    /// The game's number.
    id: i64,
    /// The sealed move itself, encrypted, as an age file.
    #[arg(long)]
    age: bool,
    /// Words on the envelope.
    #[arg(long, value_name = "LANG", default_value = "de",
        value_parser = LANGUAGES)]
    lang: String,
}

/// Opens the envelope, in the presence of the player who must reply.
#[derive(Debug, clap::Args)]
pub(super) struct OpenArgs {
    /// The game's number.
    id: i64,
    /// The arbiter's name.
    #[arg(long, value_name = "NAME")]
    arbiter: String,
    /// The passphrase: first line of this file. Without it, it is asked for.
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// The move on paper, exactly as it is written.
    #[arg(long, value_name = "TEXT", group = "way")]
    written: Option<String>,
    /// The envelope is lost or does not open: from the adjourned position (I.12.1).
    #[arg(long, group = "way", requires = "reason")]
    lost: bool,
    /// The arbiter reads the sealed move, which cannot be played as written, as this one (UCI).
    #[arg(long, value_name = "UCI", group = "way", requires = "reason")]
    read_as: Option<String>,
    /// The arbiter decides about a sealed move that cannot be played as it was put before him
    /// (I.8): the first of what was proposed, or the one of this number.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1", group = "way")]
    confirm: Option<usize>,
    /// The player who must reply has not come: his clock is started and the envelope stays closed
    /// (I.9.2). His time runs on the arbiter's clock; give it with --clocks when you open.
    #[arg(long, group = "way")]
    start_clock: bool,
    /// The reason for the arbiter's decision.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// White's and Black's time where the recorded ones are wrong (I.13): h:mm:ss,h:mm:ss.
    #[arg(long, value_name = "WHITE,BLACK", value_parser = clock_times)]
    clocks: Option<(u64, u64)>,
}

/// Ends an adjourned game without resuming it.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("end").required(true))]
pub(super) struct ConcludeArgs {
    /// The game's number.
    id: i64,
    /// The arbiter's name.
    #[arg(long, value_name = "NAME")]
    arbiter: String,
    /// The players have agreed to a draw.
    #[arg(long, group = "end")]
    draw: bool,
    /// This player has resigned.
    #[arg(long, value_name = "COLOUR", value_parser = ["white", "black"], group = "end")]
    resigned: Option<String>,
    /// Nobody knows the position: the game is annulled and played again.
    #[arg(long, group = "end")]
    annulled: bool,
}

impl From<SealError> for Failure {
    fn from(error: SealError) -> Failure {
        Failure::usage(error)
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Failure {
        Failure::usage(error)
    }
}

fn clock_times(text: &str) -> Result<(u64, u64), String> {
    let wrong = || format!("'{text}' is not h:mm:ss,h:mm:ss");
    let time = |text: &str| -> Option<u64> {
        let parts: Vec<u64> =
            text.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
        match parts[..] {
            [h @ 0..=99, m @ 0..=59, s @ 0..=59] => Some((h * 3600 + m * 60 + s) * 1000),
            _ => None,
        }
    };
    let (white, black) = text.split_once(',').ok_or_else(wrong)?;
    Ok((time(white.trim()).ok_or_else(wrong)?, time(black.trim()).ok_or_else(wrong)?))
}

fn color(name: &str) -> Color {
    if name == "white" { Color::White } else { Color::Black }
}

fn service(path: &Path, id: i64) -> Result<Service, Failure> {
    let journal = Journal::open(path)?;
    journal.game(GameId { number: id })?;
    Ok(Service::resume(journal, GameId { number: id })?.0)
}

/// Prints what the arbiter should know. True when the step was refused.
fn told(outputs: &[Output], out: &mut dyn Write) -> Result<bool, Failure> {
    let mut refused = false;
    for output in outputs {
        refused |= matches!(output, Output::Problem { refused: true, .. });
        if let Some(line) = readable(output) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(refused)
}

fn step(service: &mut Service, step: Adjourn, out: &mut dyn Write) -> Result<bool, Failure> {
    let at = service.next_moment()?;
    let outputs = service.input(at, Input::Adjourn(Box::new(step)))?;
    told(&outputs, out)
}

fn passphrase(file: Option<&Path>, new: bool) -> Result<Passphrase, Failure> {
    match file {
        Some(path) => Ok(Passphrase::from_file(path)?),
        None => Ok(Passphrase::ask(
            &in_own_language("Passphrase of the envelope (not shown): "),
            &in_own_language("The same again: "),
            new,
        )?),
    }
}

fn written_move(file: Option<&Path>) -> Result<String, Failure> {
    let Some(path) = file else {
        return Ok(seal::ask(&in_own_language("The move to be sealed (not shown): "))?);
    };
    let text = annabella_records::whole::read_text(path).map_err(|error| {
        Failure::usage(format!("cannot read the move from {}: {error}", path.display()))
    })?;
    Ok(lines(&text).next().unwrap_or_default().to_owned())
}

/// `annabella games adjourn`.
pub(super) fn adjourn(
    path: PathBuf,
    args: &AdjournArgs,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let mut service = service(&path, args.id)?;
    let arbiter = args.arbiter.clone();
    let mut refused = false;
    if args.withdraw {
        refused |= step(&mut service, Adjourn::Withdrawn { arbiter }, out)?;
    } else if let Some(by) = &args.offered {
        refused |= step(&mut service, Adjourn::Offered { by: color(by) }, out)?;
    } else if args.declined {
        refused |= step(&mut service, Adjourn::Declined, out)?;
    } else if !service.game().is_adjourned() {
        let invited = |service: &Service| {
            service.game().adjournment().is_some_and(|a| a.stage == Stage::Invited)
        };
        // Ask first: a missing move must not leave half an adjournment.
        let sealed = if args.invite { None } else { Some(what_is_sealed(args)?) };
        // Here the move is sealed by hand, or not yet.
        service.only_ask_to_seal();
        if !invited(&service) {
            let session_left_ms = args.session_left.map(|minutes| u64::from(minutes) * 60_000);
            let invitation = Adjourn::Invited { arbiter, session_left_ms, reply: args.reply };
            refused |= step(&mut service, invitation, out)?;
        }
        if let Some(sealed) = sealed.filter(|_| invited(&service)) {
            refused |= seal_move(&mut service, args.id, &sealed, out)?;
        }
    }
    if refused {
        return Ok(Exit::Problem);
    }
    appoint(&mut service, args, out)?;
    let Some(adjournment) = service.game().adjournment() else {
        return Ok(Exit::Done);
    };
    if service.game().is_adjourned() {
        let (id, number) = (args.id, adjournment.move_number());
        let told = format!(
            "game {id} is adjourned, move {number} is sealed; print `annabella games envelope {id}`, check and \
             keep it (I.3)"
        );
        write_line(out, &told)?;
    } else if adjournment.stage == Stage::Invited {
        let (id, number) = (args.id, adjournment.move_number());
        let told = format!(
            "game {id}: move {number} is to be sealed at the board: `annabella play --passphrase-file FILE`"
        );
        write_line(out, &told)?;
    }
    Ok(Exit::Done)
}

/// The content of the envelope.
enum Sealed {
    Paper,
    Here { key: Passphrase, written: String },
}

fn what_is_sealed(args: &AdjournArgs) -> Result<Sealed, Failure> {
    if args.paper {
        return Ok(Sealed::Paper);
    }
    let key = passphrase(args.passphrase_file.as_deref(), true)?;
    let written = written_move(args.move_file.as_deref())?;
    seal::check(&written)?;
    Ok(Sealed::Here { key, written })
}

fn seal_move(
    service: &mut Service,
    id: i64,
    sealed: &Sealed,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let Some(adjournment) = service.game().adjournment() else {
        return Ok(true);
    };
    let envelope = match sealed {
        Sealed::Paper => Envelope::Paper,
        Sealed::Here { key, written } => {
            let label = Label { game: id, number: adjournment.move_number() };
            Envelope::Age(seal::seal(&label, written, key)?)
        }
    };
    step(service, Adjourn::Sealed { envelope }, out)
}

/// Time and place of the resumption. Parts that are not given stay as they were.
fn appoint(service: &mut Service, args: &AdjournArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let given = [&args.date, &args.time, &args.place];
    let before = service.game().adjournment().map(|adjournment| adjournment.resumption.clone());
    let (Some(before), true) = (before, given.iter().any(|text| text.is_some())) else {
        return Ok(());
    };
    let or = |new: &Option<String>, old: String| new.clone().unwrap_or(old);
    let resumption = Resumption {
        date: or(&args.date, before.date),
        time: or(&args.time, before.time),
        place: or(&args.place, before.place),
    };
    step(service, Adjourn::Appointed(resumption), out)?;
    Ok(())
}

/// `annabella games envelope`.
pub(super) fn envelope(
    records: &Records,
    args: &EnvelopeArgs,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (game, _) = replay(records, args.id)?;
    let none = || Failure::usage(format!("game {} is not adjourned: nothing was sealed", args.id));
    let record = game.record().ok_or_else(none)?;
    let adjournment = record.adjournment().ok_or_else(none)?;
    let sealed = adjournment.sealed.as_ref().ok_or_else(none)?;
    if args.age {
        return match &sealed.envelope {
            Envelope::Age(text) => Ok(write!(out, "{text}")?),
            Envelope::Paper => Err(Failure::usage("the sealed move lies on paper, not here")),
        };
    }
    let labels = EnvelopeLabels::of(&args.lang);
    write!(
        out,
        "{}",
        EnvelopePage { record: &record, adjournment, sealed, game: args.id, labels }
    )?;
    Ok(())
}

/// `annabella games open`.
pub(super) fn open(path: PathBuf, args: &OpenArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut service = service(&path, args.id)?;
    let arbiter = args.arbiter.clone();
    let reason = args.reason.clone().unwrap_or_default();
    let clock_ms = args.clocks;
    let sealer = service.game().adjournment().filter(|a| !a.reply && !args.lost).map(|a| a.sealer);
    let refused = if let Some(written) = &args.written {
        let on_paper = matches!(
            service.game().adjournment().and_then(Adjournment::envelope),
            Some(Envelope::Paper)
        );
        if !on_paper {
            return Err(Failure::usage(
                "the sealed move is here, not on paper: leave --written out and give the passphrase",
            ));
        }
        let written = written.clone();
        step(&mut service, Adjourn::Opened { written, arbiter, clock_ms }, out)?
    } else if args.lost {
        step(&mut service, Adjourn::Lost { arbiter, reason, clock_ms }, out)?
    } else if let Some(uci) = &args.read_as {
        step(&mut service, Adjourn::Read { uci: uci.clone(), arbiter, reason }, out)?
    } else if let Some(choice) = args.confirm {
        confirm(&mut service, args, choice, out)?
    } else if args.start_clock {
        step(&mut service, Adjourn::ClockStarted { arbiter }, out)?
    } else {
        let key = passphrase(args.passphrase_file.as_deref(), false)?;
        let at = service.next_moment()?;
        let outputs = service.open_envelope(at, &key, &args.arbiter, clock_ms)?;
        told(&outputs, out)?
    };
    let game = service.game();
    let disputed = game.adjournment().is_some_and(|a| a.stage == Stage::Disputed);
    if refused || (disputed && game.ended().is_none()) {
        return Ok(Exit::Problem);
    }
    if game.ended().is_none() && !game.is_adjourned() {
        let id = args.id;
        let told = format!(
            "game {id} can go on: `annabella play`; start the clock when both players are there"
        );
        write_line(out, &told)?;
        if let Some(sealer) = sealer.filter(|_| game.record().is_some_and(owes_increment)) {
            let told = format!(
                "the increment of the sealed move is not on the clock yet: it comes before {sealer}'s \
                 next move, and to a clock that keeps its own time control (control = \"read\") you \
                 add it by hand"
            );
            write_line(out, &told)?;
        }
    }
    Ok(Exit::Done)
}

/// No lever was pressed for the move that was sealed: a clock before the players has added nothing.
///
/// Source: FIDE I.5, I.9.1
fn owes_increment(record: Record<'_>) -> bool {
    let control = record.config.time_control.parse::<TimeControl>().unwrap_or_default();
    let adds = |period: &Period| matches!(period.bonus, Bonus::Increment(_));
    record.config.external_clock && control.periods().iter().any(adds)
}

/// The decision about a sealed move that cannot be played as written. True when it was refused.
fn confirm(
    service: &mut Service,
    args: &OpenArgs,
    choice: usize,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let none =
        || Failure::usage(format!("game {}: nothing waits for a decision under I.8", args.id));
    let record = service.game().record().ok_or_else(none)?;
    let proposal = record
        .proposals
        .iter()
        .find(|proposal| proposal.is_open() && proposal.article == Article::I_8)
        .ok_or_else(none)?;
    let (number, choices) = (proposal.number, proposal.choices.len());
    let choice = choice.checked_sub(1).filter(|choice| *choice < choices).ok_or_else(|| {
        Failure::usage(format!("--confirm: there are {choices} proposals, counted from 1"))
    })?;
    let act = ArbiterAct::ConfirmProposal { number, choice: u32::try_from(choice).ok() };
    let reason = args.reason.clone().unwrap_or_default();
    let ruling = Ruling::new(act, args.arbiter.clone(), reason);
    let at = service.next_moment()?;
    told(&service.input(at, Input::Arbiter(Box::new(ruling)))?, out)
}

/// `annabella games conclude`.
pub(super) fn conclude(
    path: PathBuf,
    args: &ConcludeArgs,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let mut service = service(&path, args.id)?;
    let conclusion = match &args.resigned {
        Some(who) => Conclusion::Resigned(color(who)),
        None if args.annulled => Conclusion::Annulled,
        None => Conclusion::Draw,
    };
    let arbiter = args.arbiter.clone();
    let refused = step(&mut service, Adjourn::Concluded { conclusion, arbiter }, out)?;
    Ok(if refused { Exit::Problem } else { Exit::Done })
}
