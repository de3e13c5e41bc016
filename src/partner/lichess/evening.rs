//! An evening with somebody far away: the token, a game, the table at home, and a place between
//! both.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use shakmaty::Color;
use thiserror::Error;

use super::{
    board::{Board, Wishes},
    listen::Listener,
    meet::{Kind, MeetError, Time, Wish, meet, patiently},
    news::{Full, News, news},
    site::{LICHESS, Site},
    token::{self, TokenError},
};
use crate::{
    door::{Door, Place},
    far::{
        sit::WhenGone,
        there::{FarError, Heard},
    },
    home::{self, Chosen, Files, HomeError, Service, TableArgs},
    table::Side,
};

/// Plays against a person on Lichess: the blind player at his own board, the opponent far away.
/// Without an option for whom, a game that is going on there is played on, or anybody is looked
/// for. A token of the account is asked for the first time; it is kept for its owner alone.
#[derive(Debug, clap::Args)]
pub struct LichessArgs {
    /// Challenge this account.
    #[arg(long, value_name = "NAME", value_parser = account, conflicts_with = "accept")]
    challenge: Option<String>,
    /// Take the next challenge that comes, of this account or of anybody.
    #[arg(long, value_name = "NAME", value_parser = account, num_args = 0..=1, default_missing_value = "")]
    accept: Option<String>,
    /// Time: minutes, and seconds a move.
    #[arg(long, value_name = "TIME", default_value = "15+10")]
    time: Time,
    /// Your colour; as it comes if not given.
    #[arg(long, visible_alias = "color", value_name = "COLOUR")]
    colour: Option<Side>,
    /// The game counts for the rating.
    #[arg(long)]
    rated: bool,
    /// Say what the opponent writes.
    #[arg(long)]
    chat: bool,
    /// What is claimed when the opponent has left and does not come back.
    #[arg(long, value_name = "WHAT", default_value = "victory")]
    when_gone: Claimed,
    /// Read the token from this file, which nobody else may read.
    #[arg(long, value_name = "FILE", conflicts_with = "new_token")]
    token_file: Option<PathBuf>,
    /// Ask for another token, and keep it.
    #[arg(long)]
    new_token: bool,
    /// Another server that speaks as Lichess does.
    #[arg(long, value_name = "ADDRESS", default_value = LICHESS)]
    server: String,
    #[command(flatten)]
    table: TableArgs,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Claimed {
    Victory,
    Draw,
    /// Nothing: his time runs.
    Wait,
}

/// A name of an account goes into an address.
fn account(text: &str) -> Result<String, String> {
    let good = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match text.len() <= 30 && text.chars().all(good) {
        true => Ok(text.to_owned()),
        false => Err("a name has letters, digits, _ and -".to_owned()),
    }
}

/// Why there is no evening.
#[derive(Debug, Error)]
pub enum EveningError {
    #[error("{0}")]
    Home(#[from] HomeError),
    #[error("{0}")]
    Token(#[from] TokenError),
    #[error("{0}")]
    Meet(#[from] MeetError),
    #[error("{0}")]
    Far(#[from] FarError),
    #[error("the game {id} at {site} is not for this board: {reason}")]
    Unplayable { id: String, site: String, reason: &'static str },
    #[error("cannot wait for the service: {0}")]
    Service(std::io::Error),
}

#[derive(Deserialize)]
struct Account {
    id: String,
    username: String,
}

impl LichessArgs {
    fn wish(&self) -> Wish {
        match (&self.challenge, &self.accept) {
            (Some(name), _) => Wish::Friend(name.clone()),
            (None, Some(name)) => Wish::Challenger(Some(name.clone()).filter(|n| !n.is_empty())),
            (None, None) => Wish::Anybody,
        }
    }

    fn kind(&self) -> Kind {
        let colour = self.colour.map(Color::from);
        Kind { time: self.time, rated: self.rated, colour }
    }

    fn wishes(&self) -> Wishes {
        let when_gone = match self.when_gone {
            Claimed::Victory => WhenGone::Victory,
            Claimed::Draw => WhenGone::Draw,
            Claimed::Wait => WhenGone::Wait,
        };
        Wishes { chat: self.chat, when_gone }
    }

    /// The token: given, kept, or asked for now and kept.
    fn token(&self, paths: &Paths, tell: fn(&str)) -> Result<String, EveningError> {
        if let Some(file) = &self.token_file {
            let given = token::kept(file, &self.server)?;
            let missing = || HomeError::File { path: file.clone(), reason: "no such file".into() };
            return Ok(given.ok_or_else(missing)?);
        }
        if !self.new_token
            && let Some(token) = token::kept(&paths.token, &self.server)?
        {
            return Ok(token);
        }
        let token = token::typed(&self.server, tell)?;
        token::keep(&paths.token, &token)?;
        Ok(token)
    }
}

/// The files of games far away, beside those of games at home.
#[derive(Debug)]
struct Paths {
    token: PathBuf,
    configuration: PathBuf,
    journal: PathBuf,
    code: PathBuf,
    /// The number of the game that the journal's last one is.
    game: PathBuf,
}

impl Paths {
    fn beside(files: &Files) -> Paths {
        let named = |name: &str| files.beside(name);
        Paths {
            token: named("lichess.token"),
            configuration: named("lichess.toml"),
            journal: named("lichess.db"),
            code: named("lichess.code"),
            game: named("lichess.game"),
        }
    }
}

/// An evening, to the end of the service. Answers the service's exit code.
pub async fn evening(args: &LichessArgs, tell: fn(&str)) -> Result<u8, EveningError> {
    let files = Files::at(args.table.folder.as_deref())?;
    let paths = Paths::beside(&files);
    let site = Site::at(&args.server, &args.token(&paths, tell)?)?;
    let account: Account = patiently(&site, tell, || site.get("/api/account")).await?;
    let id = meet(&site, &args.wish(), args.kind(), tell).await?;
    let mut from = Listener::at(site.clone(), format!("/api/board/game/stream/{id}"), news);
    let full = first(&mut from, tell).await?;
    let own = playable(&full, &account.id).map_err(|reason| {
        let (id, site) = (id.clone(), site.name().to_owned());
        EveningError::Unplayable { id, site, reason }
    })?;
    let opponent = &full.names[usize::from(own.is_white())];
    tell(&format!("you have {}, against {opponent}", own.fold_wb("White", "Black")));
    configure(args, &files, &paths, (&full, own), &account.username)?;
    // One of an earlier evening opens nothing.
    let _ = fs::remove_file(&paths.code);
    let known = fs::read_to_string(&paths.game).is_ok_and(|known| known.trim() == id);
    let mut call = vec!["play".to_owned(), "--config".to_owned()];
    call.push(paths.configuration.display().to_string());
    call.extend((!known).then(|| "--new".to_owned()));
    call.extend(args.table.json.then(|| "--json".to_owned()));
    home::write(&paths.game, format!("{id}\n"))?;
    let mut service = Service::start(&home::service(), &call)?;
    let door = Door::at(Place::File(paths.code.clone()), &format!("{opponent}, {}", site.name()));
    let mut sitter =
        Board::sits((door, site), &account.id, (&full, own), from, args.wishes(), tell);
    let ended = tokio::select! {
        ended = service.ended() => {
            let at = &args.server;
            tell(&format!("unless it is over, the game goes on at {at}/{id}: call this again to play on"));
            ended
        }
        played = sitter.plays() => {
            if let Err(err) = played {
                tell(&err.to_string());
            }
            service.ended().await
        }
    };
    let status = ended.map_err(EveningError::Service)?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    home::say_where_to_mend(code, args.table.config.as_deref(), tell);
    Ok(code)
}

/// The first line of a game's stream.
///
/// # Errors
/// [`FarError`]: there is no such game, or the token opens nothing.
pub async fn first(from: &mut Listener<News>, tell: fn(&str)) -> Result<Full, FarError> {
    loop {
        match from.next().await {
            Heard::Line(News::Full(full)) => return Ok(*full),
            Heard::Line(_) => {}
            Heard::Lost(err) => tell(&err.to_string()),
            Heard::Closed(err) => return Err(err),
        }
    }
}

/// The account's colour in a game that can be played here.
fn playable(full: &Full, account: &str) -> Result<Color, &'static str> {
    let seat = full.accounts.iter().position(|seat| seat == account);
    match (seat, full.variant.as_str(), full.clock, full.line()) {
        (None, ..) => Err("somebody else plays it"),
        (_, variant, ..) if !matches!(variant, "standard" | "fromPosition") => {
            Err("its rules are not those of chess")
        }
        (_, _, None, _) => Err("it has no clock"),
        (.., None) => Err("its position cannot be"),
        (Some(seat), ..) => Ok(if seat == 0 { Color::White } else { Color::Black }),
    }
}

/// Writes the service's configuration for this game.
fn configure(
    args: &LichessArgs,
    files: &Files,
    paths: &Paths,
    (full, own): (&Full, Color),
    name: &str,
) -> Result<(), HomeError> {
    let (initial_ms, increment_ms) = full.clock.unwrap_or_default();
    let minutes = initial_ms as f64 / 60_000.0;
    let time = format!("{}+{}", (minutes * 1_000.0).round() / 1_000.0, increment_ms / 1_000);
    let chosen = Chosen { colour: own, time, ..Chosen::default() };
    let opponent = &full.names[usize::from(own.is_white())];
    let base = home::own_configuration(args.table.config.as_deref());
    let made = files.configure(base.as_deref(), &chosen, opponent, &[])?;
    let usual = full.start == crate::score::usual_start();
    let start = if usual { String::new() } else { full.start.clone() };
    let path = |path: &Path| path.display().to_string();
    let values = [
        ("game", own.fold_wb("white", "black"), name.to_owned()),
        ("game", "start", start),
        ("journal", "path", path(&paths.journal)),
        ("console", "program_code", path(&paths.code)),
    ];
    home::with_values(&made, &paths.configuration, &values)
}
