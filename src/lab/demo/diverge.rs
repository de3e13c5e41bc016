//! The demonstration of D.2.9: the boards and scores drift apart, and an arbiter at his page
//! settles it.

use std::{cell::RefCell, path::Path, time::Instant};

use serde_json::json;
use shakmaty::{Color, Move, Position};
use tokio::sync::mpsc;

use super::screen::Screen;
use annabella::{
    cli::Failure,
    config::Config,
    service::{
        Service,
        pages::Pages,
        play::{self, Moments},
        room::{Outlets, Room},
        sighted::SightedEnd,
    },
};
use annabella_core::{
    game::{At, Blind, Output},
    notation::pgn::Section,
    sight::judge::JudgeSettings,
};
use annabella_devices::sighted::{sim::SimBoard, still::StillSettings};
use annabella_players::{hands::Hands, table::Watch};
use annabella_records::journal::report::{Report, ReportLabels};
use annabella_words::phrase::{Command, Prompt, Words};

mod arbiter;
mod cases;
mod drift;
mod room;
use room::Hall;

/// The sighted player's board must be still for this long before it is read, milliseconds.
const STILL_MS: u64 = 40;
/// After this time its picture counts as a difference.
const DIFFER_MS: u64 = 200;
/// After this time pieces that may be in a hand count as missing.
const IN_HAND_MS: u64 = 500;
/// The pegs must be still for this long before they are a move.
pub(super) const SETTLE_MS: u64 = 60;
/// After this time the blind player is guided.
pub(super) const GUIDE_MS: u64 = 400;

/// When the sighted player's board counts as moved on, left behind or wrong.
pub(super) fn judge() -> JudgeSettings {
    JudgeSettings {
        slide_ms: DIFFER_MS,
        differ_ms: DIFFER_MS,
        in_hand_ms: IN_HAND_MS,
        ..JudgeSettings::default()
    }
}

pub(super) struct Ended {
    pub right: bool,
    /// Half-moves played.
    pub plies: usize,
}

/// Plays the section's moves and settles one case after another.
///
/// # Errors
/// [`Failure`] when the pages cannot be opened or the report not be written.
pub(super) fn play(
    service: &mut Service,
    screen: &mut Screen<'_>,
    section: &Section,
    config: &Config,
    hands: Hands,
    blind: Color,
) -> Result<Ended, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|err| Failure::device(format!("cannot start the service: {err}")))?;
    runtime.block_on(serve(service, screen, section, config, hands, blind))
}

async fn serve(
    service: &mut Service,
    screen: &mut Screen<'_>,
    section: &Section,
    config: &Config,
    hands: Hands,
    blind: Color,
) -> Result<Ended, Failure> {
    let moments = Moments::from(service.next_moment().map_err(Failure::device)?);
    let screen = RefCell::new(screen);
    let mut complaints = |line: &str| {
        // An error in writing is found when the screen is closed.
        let _ = screen.borrow_mut().say(&format!("({line})"));
    };
    let start = section.start.board().clone();
    let places = vec![(blind, start.occupied())];
    let on_pegs = if blind.is_white() { Blind::White } else { Blind::Black };
    let outlets = Outlets::open(config, on_pegs, places, None, &mut complaints)?;
    let room = outlets.join(config, service.game(), moments, &mut complaints).await?;
    let Room { mut devices, mut hearing, inbox, open, .. } = room;
    let to_game = open.ok_or_else(|| Failure::device("the board's events end the game"))?;
    let line = devices.pages.as_ref().map(Pages::line);
    let line = line.ok_or_else(|| Failure::device("the pages cannot be opened"))?;
    // The sighted player's board has fingers.
    let (began, ahead_ms) = (Instant::now(), moments.now().ms);
    let still = StillSettings { still_ms: STILL_MS, ..StillSettings::default() };
    let (fingers, sim) = SimBoard::new(&start, still, began);
    let end = SightedEnd::open(Box::new(sim), !blind, service.game(), ahead_ms, to_game.another());
    devices.sighted = Some(end);
    let (news_to, news) = mpsc::unbounded_channel();
    let mut act = |at: At, output: &Output| -> Result<(), String> {
        screen.borrow_mut().output(at, output);
        // The players are gone when the demonstration is over.
        let _ = news_to.send(output.clone());
        Ok(())
    };
    let again = service
        .game()
        .packs()
        .map(|packs| packs.prompt(Prompt::BoardsAgreeAgain, &[]).to_string())
        .unwrap_or_default();
    let compare = compare_words(service);
    let mut hall = Hall::new(blind, section, hands, fingers, to_game, news, again, compare, began);
    let (mut right, html) = tokio::select! {
        ended = play::run(
            service, moments, inbox, &mut act, &mut complaints, &mut hearing, &mut devices,
        ) => {
            ended.map_err(Failure::Device)?;
            return Err(Failure::device("the service ended before the demonstration"));
        }
        done = hall.cases(&line, &screen) => done?,
    };
    let screen = screen.into_inner();
    if let Err(problem) = scores_agree(service, hall.line()) {
        screen.say(&format!("FAILED: the scores after the last case: {problem}"))?;
        right = false;
    }
    let labels = ReportLabels::of("en");
    let inputs = service.inputs().map_err(Failure::device)?;
    let text = Report::of(service.id().number, &inputs, &labels)
        .ok_or_else(|| Failure::device("the journal gives no report"))?
        .to_text(&labels);
    let folder = std::env::temp_dir().join(format!("annabella-report-{}", std::process::id()));
    let (page, plain) = (folder.join("report.html"), folder.join("report.txt"));
    std::fs::create_dir_all(&folder).map_err(|err| unwritten(&folder, &err))?;
    std::fs::write(&page, html).map_err(|err| unwritten(&page, &err))?;
    std::fs::write(&plain, &text).map_err(|err| unwritten(&plain, &err))?;
    screen.json_line(&json!({ "report": { "html": page, "text": plain } }))?;
    screen.say(&format!("The arbiter's report: {} and {}", page.display(), plain.display()))?;
    screen.say(&text)?;
    Ok(Ended { right, plies: hall.plies() })
}

fn unwritten(path: &Path, err: &std::io::Error) -> Failure {
    Failure::device(format!("cannot write {}: {err}", path.display()))
}

/// How the blind player asks that the boards be compared, in his language.
fn compare_words(service: &Service) -> String {
    let phrases = service.game().packs().map(Words::command_phrases).unwrap_or_default();
    let asks = phrases.into_iter().find(|(_, command)| *command == Command::CompareBoards);
    asks.map(|(text, _)| text).unwrap_or_default()
}

/// Both scores and the game say the same moves.
fn scores_agree(service: &Service, line: &[Move]) -> Result<(), String> {
    let record = service.game().record().ok_or("there is no game")?;
    let made: Vec<Move> = record.line.iter().map(|ply| ply.mv).collect();
    if made != line {
        return Err(format!("{} half-moves in the game, not {}", made.len(), line.len()));
    }
    for (name, score) in
        [("White", record.score(Color::White)), ("Black", record.score(Color::Black))]
    {
        let written: Vec<Option<Move>> = score.iter().map(|entry| entry.mv).collect();
        let same = written.len() == line.len()
            && written.iter().zip(line).all(|(entry, mv)| entry.is_none_or(|entry| entry == *mv));
        if !same {
            return Err(format!("the score of {name} is not that of the game"));
        }
    }
    Ok(())
}
