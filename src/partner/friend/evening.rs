//! An evening with a friend: who waits or comes, the table at home, and a place between both.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Instant,
};

use annabella_core::game::clock::TimeControl;
use annabella_records::journal::Journal;
use ring::rand::{SecureRandom as _, SystemRandom};
use serde::{Deserialize, Serialize};
use shakmaty::Color;
use thiserror::Error;
use tokio::time::sleep;

use super::{
    book::{Book, BookError, Friend},
    host::{self, Guests, Host},
    line::Line,
    pair::{Pairing, TRIES, Word},
    talk::{Keys, WAITS},
    visit::{Address, Known, PORT, VisitError, Visitor},
    wire::{Game, Hex},
    words,
};
use crate::{
    door::{Door, Place},
    far::{
        follow::{Clock, Far},
        sit::{Sitter, WhenGone},
    },
    home::{self, Chosen, Files, HomeError, Service, TableArgs},
    score::usual_start,
    table::Side,
};

/// Plays against a person with the same program, each at his own board. One waits (--wait) and
/// hears a number, the other comes (--at) and types it; after that both programs know each other,
/// and no number is needed.
#[derive(Debug, clap::Args)]
pub struct FriendArgs {
    /// The friend, as you call him: his games are kept under this name.
    #[arg(value_name = "NAME", value_parser = name)]
    name: String,
    /// Wait for him, and keep the clock.
    #[arg(long, conflicts_with = "at")]
    wait: bool,
    /// Come to him: the machine on which he waits, and its port if it is another one. Where he was
    /// last if not given.
    #[arg(long, value_name = "ADDRESS")]
    at: Option<Address>,
    /// Pair again: one of you has a new machine.
    #[arg(long)]
    pair: bool,
    /// Read the number from this file instead of the terminal.
    #[arg(long, value_name = "FILE", conflicts_with = "wait")]
    number_file: Option<PathBuf>,
    /// The port at which you wait.
    #[arg(long, value_name = "N", default_value_t = PORT, requires = "wait")]
    port: u16,
    /// Your colour; White at first, then another one each game. Whoever waits chooses.
    #[arg(long, visible_alias = "color", value_name = "COLOUR", requires = "wait")]
    colour: Option<Side>,
    /// Time control, as in the configuration; the last one, "15+10" at first. Whoever waits
    /// chooses.
    #[arg(long, value_name = "CONTROL", requires = "wait", value_parser = home::time_control)]
    time: Option<TimeControl>,
    /// Begin a new game even if the last one was not finished.
    #[arg(long, requires = "wait")]
    new: bool,
    #[command(flatten)]
    table: TableArgs,
}

/// It is said aloud, and names a folder.
fn name(text: &str) -> Result<String, String> {
    let good = |c: char| c.is_alphanumeric() || c == ' ' || c == '-';
    let text = text.trim();
    match text.chars().any(char::is_alphanumeric)
        && text.chars().count() <= 40
        && text.chars().all(good)
    {
        true => Ok(text.to_owned()),
        false => Err("a name has letters, digits, spaces and -".to_owned()),
    }
}

/// Why there is no evening.
#[derive(Debug, Error)]
pub enum FriendError {
    #[error("{0}")]
    Home(#[from] HomeError),
    #[error("{0}")]
    Book(#[from] BookError),
    #[error("{0}")]
    Visit(#[from] VisitError),
    #[error("say --wait, or --at with the address of the machine on which {0} waits")]
    Whereto(String),
    #[error("that is no number of eight digits: {0} hears it and reads it to you")]
    NoNumber(String),
    #[error("cannot read {}: {reason}", .path.display())]
    NumberFile { path: PathBuf, reason: String },
    #[error("cannot wait at port {port}: {reason}: give another one with --port")]
    Port { port: u16, reason: String },
    #[error("the game that is told from there cannot be played: {0}")]
    Unplayable(String),
    #[error("the system has no random numbers")]
    NoChance,
    #[error("cannot wait for the service: {0}")]
    Service(io::Error),
}

impl FriendError {
    /// The call was wrong, rather than something missing or refused.
    pub fn is_usage(&self) -> bool {
        matches!(self, FriendError::Whereto(_) | FriendError::NoNumber(_))
    }

    /// Who is asked says no.
    pub fn is_refused(&self) -> bool {
        matches!(
            self,
            FriendError::Visit(
                VisitError::Word { .. } | VisitError::Unknown { .. } | VisitError::Another { .. }
            )
        )
    }
}

/// The game with this friend, as far as the journal does not have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    id: Hex,
    /// The own colour.
    colour: Side,
    time_control: String,
    /// Both tables know how it ended.
    over: bool,
}

/// The files of the games with one friend.
struct Folder {
    files: Files,
    kept: PathBuf,
}

impl Folder {
    /// Below the folder of all games at home.
    fn of(all: &Files, name: &str) -> Result<Folder, HomeError> {
        let simple = |c: char| if c.is_alphanumeric() { c } else { '-' };
        let name: String = name.to_lowercase().chars().map(simple).collect();
        let files = Files::at(Some(&all.beside("friends").join(name)))?;
        let kept = files.beside("game.json");
        Ok(Folder { files, kept })
    }

    /// What cannot be read was never kept.
    fn last(&self) -> Option<Kept> {
        serde_json::from_str(&fs::read_to_string(&self.kept).ok()?).ok()
    }

    fn keep(&self, game: &Kept) -> Result<(), HomeError> {
        // Texts are JSON.
        let text = serde_json::to_string(game).unwrap_or_default();
        home::write(&self.kept, text + "\n")
    }

    /// The journal's last game is over: its number.
    fn finished(&self) -> Option<i64> {
        let journal = self.files.journal();
        if !journal.is_file() {
            return None;
        }
        let last = Journal::open(&journal).ok()?.games().ok()?.pop()?;
        last.result.map(|_| last.id.number)
    }

    /// Starts the service for this game. `goes_on`: it is the journal's last one.
    fn begins(
        &self,
        args: &FriendArgs,
        game: &Kept,
        goes_on: bool,
    ) -> Result<(Service, Door), HomeError> {
        let chosen = Chosen {
            colour: Color::from(game.colour),
            time: game.time_control.clone(),
            ..Chosen::default()
        };
        let base = home::own_configuration(args.table.config.as_deref());
        let path = self.files.configure(base.as_deref(), &chosen, &args.name, &[])?;
        home::with_values(&path, &path, &[("game", "start", String::new())])?;
        // One of an earlier evening opens nothing.
        let _ = fs::remove_file(self.files.code());
        let mut call = vec!["play".to_owned(), "--config".to_owned(), path.display().to_string()];
        match (goes_on, self.finished()) {
            (false, _) => call.push("--new".to_owned()),
            // Its friend has not heard yet how it ended.
            (true, Some(number)) => call.extend(["--game".to_owned(), number.to_string()]),
            (true, None) => {}
        }
        call.extend(args.table.json.then(|| "--json".to_owned()));
        self.keep(game)?;
        let service = Service::start(&home::service(), &call)?;
        Ok((service, Door::at(Place::File(self.files.code()), &args.name)))
    }
}

/// An evening, to the end of the service. Answers the service's exit code.
pub async fn evening(args: &FriendArgs, tell: fn(&str)) -> Result<u8, FriendError> {
    let all = Files::at(args.table.folder.as_deref())?;
    let book = Book::open(&all.beside("friends.json"))?;
    let keys = Keys::of(book.own()).map_err(|err| BookError::NoKey(err.to_string()))?;
    let folder = Folder::of(&all, &args.name)?;
    let code = match args.wait {
        true => waits(args, book, keys, &folder, tell).await?,
        false => comes(args, book, keys, &folder, tell).await?,
    };
    home::say_where_to_mend(code, args.table.config.as_deref(), tell);
    Ok(code)
}

/// The game that goes on, or another one.
fn game_of(args: &FriendArgs, last: Option<Kept>) -> Result<(Kept, bool), FriendError> {
    if let Some(game) = last.clone().filter(|game| !game.over && !args.new) {
        return Ok((game, true));
    }
    let mut id = vec![0; 16];
    SystemRandom::new().fill(&mut id).map_err(|_| FriendError::NoChance)?;
    let other = last.as_ref().map_or(Color::White, |last| !Color::from(last.colour));
    let colour = args.colour.map_or(other, Color::from);
    let time = args.time.as_ref().map(ToString::to_string);
    let time = time.or(last.map(|last| last.time_control));
    let time_control = time.unwrap_or_else(|| Chosen::default().time);
    Ok((Kept { id: Hex(id), colour: colour.into(), time_control, over: false }, false))
}

async fn waits(
    args: &FriendArgs,
    book: Book,
    keys: Keys,
    folder: &Folder,
    tell: fn(&str),
) -> Result<u8, FriendError> {
    let wrong = |err: io::Error| FriendError::Port { port: args.port, reason: err.to_string() };
    let listener = host::open(args.port).await.map_err(wrong)?;
    let port = listener.local_addr().map_err(wrong)?.port();
    let (game, goes_on) = game_of(args, folder.last())?;
    if goes_on {
        tell("the last game is played on: --new begins another");
    }
    let own = Color::from(game.colour);
    let language =
        home::language_of(home::own_configuration(args.table.config.as_deref()).as_deref());
    let known = book.friend(&args.name).is_some() && !args.pair;
    let word = if known { None } else { Some(Word::by_chance().ok_or(FriendError::NoChance)?) };
    let name = &args.name;
    let said = match &word {
        None => {
            tell(&format!("waiting for {name} at port {port}"));
            words::waiting(&language, name)
        }
        Some(word) => {
            let digits = word.spoken();
            tell(&format!("waiting for {name} at port {port}: read out the number {digits}"));
            words::number(&language, name, &digits)
        }
    };
    let pairing = word.map(|word| Pairing::new(word, Instant::now()));
    let guests = Arc::new(Mutex::new(Guests { book, name: name.clone(), pairing }));
    let told = Game {
        id: game.id.clone(),
        colour: Side::from(!own),
        time_control: game.time_control.clone(),
    };
    let (service, door) = folder.begins(args, &game, goes_on)?;
    let host = Host { keys, guests, game: told, tell };
    let line = Line::kept_by(name, own, |shown, to| host.run(listener, shown, to));
    let mut sitter = sitter((door, line), own, Clock::Here, args, tell);
    sitter.says_first(said);
    sits(sitter, service, folder, game, tell).await
}

async fn comes(
    args: &FriendArgs,
    mut book: Book,
    keys: Keys,
    folder: &Folder,
    tell: fn(&str),
) -> Result<u8, FriendError> {
    let name = &args.name;
    let friend = book.friend(name).cloned();
    let before = friend.as_ref().and_then(|friend| friend.at.as_deref()?.parse().ok());
    let at: Address =
        args.at.clone().or(before).ok_or_else(|| FriendError::Whereto(name.clone()))?;
    let visitor = Visitor { keys, at };
    let known = match friend.filter(|_| !args.pair) {
        Some(friend) => Known::By(friend),
        None => Known::Word(number(args, tell)?),
    };
    let (talk, theirs, told) = patiently(&visitor, known, args, tell).await?;
    let friend = Friend::new(name, &theirs, Some(&visitor.at.to_string()));
    if book.friend(name) != Some(&friend) {
        book.keep(friend.clone())?;
    }
    let own = Color::from(told.colour);
    let playable: Result<TimeControl, _> = told.time_control.parse();
    playable.map_err(|err| FriendError::Unplayable(err.to_string()))?;
    let last = folder.last();
    let goes_on = last.as_ref().is_some_and(|last| last.id == told.id);
    let (id, time_control) = (told.id.clone(), told.time_control.clone());
    let game = Kept { id, colour: told.colour, time_control, over: false };
    tell(&format!("you have {}, against {name}", own.fold_wb("White", "Black")));
    let (service, door) = folder.begins(args, &game, goes_on)?;
    let line = Line::kept_by(name, own, |shown, to| visitor.run((talk, told), friend, shown, to));
    sits(sitter((door, line), own, Clock::There, args, tell), service, folder, game, tell).await
}

fn sitter(
    between: (Door, Line),
    own: Color,
    clock: Clock,
    args: &FriendArgs,
    tell: fn(&str),
) -> Sitter<Line> {
    let far = Far::at_table(own, &usual_start(), clock);
    // Nobody's game is claimed: both clocks stand while he is gone.
    Sitter::new(between, (far, &args.name), WhenGone::Wait, tell)
}

/// Comes in. Who does not answer is asked again; a wrong number may be typed again.
async fn patiently(
    visitor: &Visitor,
    mut known: Known,
    args: &FriendArgs,
    tell: fn(&str),
) -> Result<(super::talk::Talk, super::pair::Fingerprint, Game), FriendError> {
    let mut pause = WAITS.pause;
    let mut wrong = 0;
    loop {
        match visitor.comes(&known).await {
            Err(err @ VisitError::Away { .. }) => {
                tell(&format!("{err}; once more in a moment"));
                sleep(pause).await;
                pause = pause.saturating_mul(2).min(WAITS.longest_pause);
            }
            Err(err @ VisitError::Word { .. }) if args.number_file.is_none() => {
                wrong += 1;
                if wrong >= TRIES {
                    return Err(err.into());
                }
                tell(&err.to_string());
                known = Known::Word(number(args, tell)?);
            }
            came => return Ok(came?),
        }
    }
}

/// The number that who waits has heard: from the file, or typed.
fn number(args: &FriendArgs, tell: fn(&str)) -> Result<Word, FriendError> {
    let text = match &args.number_file {
        Some(path) => read_small(path).map_err(|err| FriendError::NumberFile {
            path: path.clone(),
            reason: err.to_string(),
        })?,
        None => {
            tell(&format!("The number that {} reads to you, eight digits:", args.name));
            let stdin = io::stdin();
            typed(stdin).map_err(|err| FriendError::NumberFile {
                path: "-".into(),
                reason: err.to_string(),
            })?
        }
    };
    Word::read(&text).ok_or_else(|| FriendError::NoNumber(args.name.clone()))
}

fn read_small(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    io::Read::read_to_string(&mut io::Read::take(fs::File::open(path)?, 256), &mut text)?;
    Ok(text)
}

/// A line of standard input, and not a byte more: the rest is the service's.
fn typed(from: impl std::os::fd::AsFd) -> io::Result<String> {
    let mut line = Vec::new();
    let mut byte = [0];
    while line.len() < 256 && rustix::io::read(&from, &mut byte)? == 1 && byte[0] != b'\n' {
        line.push(byte[0]);
    }
    Ok(String::from_utf8_lossy(&line).into_owned())
}

/// Between both tables, until the service has ended.
async fn sits(
    mut sitter: Sitter<Line>,
    mut service: Service,
    folder: &Folder,
    game: Kept,
    tell: fn(&str),
) -> Result<u8, FriendError> {
    let ended = tokio::select! {
        ended = service.ended() => {
            tell("unless it is over, the game goes on the next time: call this again to play on");
            ended
        }
        played = sitter.plays() => {
            match played {
                Ok(()) => folder.keep(&Kept { over: true, ..game })?,
                Err(err) => tell(&err.to_string()),
            }
            service.ended().await
        }
    };
    let status = ended.map_err(FriendError::Service)?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_be_said_and_is_a_folder() {
        for good in ["Boris", "Анна", "Jean Paul", "Ann-Marie", " Max "] {
            assert_eq!(name(good).as_deref(), Ok(good.trim()));
        }
        for wrong in ["", "-", "../etc", "a/b", "a.b", "a\nb", &"x".repeat(41)] {
            assert!(name(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_number_is_read_to_the_end_of_its_line_and_no_further() {
        let (read, mut write) = io::pipe().expect("a pipe");
        io::Write::write_all(&mut write, b"1234 5678\nfertig\n").expect("written");
        assert_eq!(typed(&read).expect("a line"), "1234 5678");
        assert_eq!(typed(&read).expect("the next"), "fertig");
        drop(write);
        assert_eq!(typed(&read).expect("nothing more"), "");
    }
}
