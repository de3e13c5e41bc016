//! An evening at home: a configuration of its own beside the player's, the service at the table,
//! and a partner who sits down there.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
};

use annabella_core::game::clock::{TimeControl, TimeControlError};
use annabella_records::whole;
use rustix::process::{Pid, Signal, kill_process};
use shakmaty::Color;
use thiserror::Error;
use tokio::{
    process::{Child, Command},
    signal::unix::{self, SignalKind, signal},
};
use toml_edit::{Array, DocumentMut, Item, Table, Value, value};

use crate::level::Level;

/// Where and how the service runs.
#[derive(Debug, clap::Args)]
pub struct TableArgs {
    /// Your configuration, for voice, board and language; without one ./annabella.toml, then
    /// ~/.config/annabella/annabella.toml.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Folder of the games at home; ~/.local/state/annabella if not given.
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Every output of the service as one JSON line.
    #[arg(long)]
    pub json: bool,
}

/// Why there is no evening.
#[derive(Debug, Error)]
pub enum HomeError {
    #[error("cannot use {}: {reason}", .path.display())]
    File { path: PathBuf, reason: String },
    #[error("{}: {reason}", .path.display())]
    Configuration { path: PathBuf, reason: String },
    #[error("there is no folder for games at home: set HOME, or name one with --folder")]
    NoFolder,
    #[error("cannot start {}: {reason}: install annabella too", .program.display())]
    NoService { program: PathBuf, reason: String },
}

/// What was chosen, today or the last time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    pub level: Level,
    /// The blind player's colour.
    pub colour: Color,
    /// The engine: a program in `PATH`, or its file.
    pub engine: String,
    /// The time control, as the configuration writes it.
    pub time: String,
}

impl Default for Chosen {
    fn default() -> Chosen {
        Chosen {
            // The weakest is no shame, and the strongest no pleasure.
            level: Level::new(3).expect("a level"),
            colour: Color::White,
            engine: "stockfish".to_owned(),
            // Of an evening: a quarter of an hour, ten seconds a move.
            time: "15+10".to_owned(),
        }
    }
}

/// The files of games at home. None is a tournament's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    folder: PathBuf,
}

/// Programs of games are here in Debian, and not in everybody's `PATH`.
const GAMES: [&str; 2] = ["/usr/games", "/usr/local/games"];

impl Files {
    /// In this folder; without one where a user's programs keep what they know.
    pub fn at(folder: Option<&Path>) -> Result<Files, HomeError> {
        let absolute =
            |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let usual = || {
            let state = absolute("XDG_STATE_HOME");
            let state = state.or_else(|| absolute("HOME").map(|home| home.join(".local/state")));
            state.map(|state| state.join("annabella"))
        };
        let folder = folder.map(Path::to_owned).or_else(usual).ok_or(HomeError::NoFolder)?;
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        fs::create_dir_all(&folder).map_err(|err| cannot(&folder, &err))?;
        Ok(Files { folder })
    }

    /// A file of this name beside them.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The service's configuration.
    pub fn configuration(&self) -> PathBuf {
        self.folder.join("home.toml")
    }

    /// The record of these games.
    pub fn journal(&self) -> PathBuf {
        self.folder.join("home.db")
    }

    /// The journal of a game that was played elsewhere.
    pub fn replayed(&self) -> PathBuf {
        self.folder.join("replay.db")
    }

    /// Where the service writes its address and code.
    pub fn code(&self) -> PathBuf {
        self.folder.join("home.code")
    }

    /// What was chosen the last time.
    fn chosen(&self) -> PathBuf {
        self.folder.join("partner.toml")
    }

    /// What was chosen the last time. What cannot be used was never chosen, and `tell` hears of it.
    pub fn remembered(&self, tell: impl Fn(&str)) -> Chosen {
        let mut chosen = Chosen::default();
        let path = self.chosen();
        let left_out = |what: &str| tell(&format!("{}: {what} is left out", path.display()));
        let document = match annabella_records::whole::read_text(&path) {
            Ok(text) => text.parse::<DocumentMut>(),
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => return chosen,
            Err(err) => {
                tell(&cannot(&path, &err).to_string());
                return chosen;
            }
        };
        let Ok(document) = document else {
            left_out("what is no TOML");
            return chosen;
        };
        // `None`: it is nothing that could have been chosen.
        let take = |key: &str, use_it: &mut dyn FnMut(&Item) -> Option<()>| {
            if let Some(item) = document.get(key)
                && use_it(item).is_none()
            {
                left_out(&format!("{key} = {}", item.to_string().trim()));
            }
        };
        take("level", &mut |item| {
            chosen.level = Level::new(u8::try_from(item.as_integer()?).ok()?)?;
            Some(())
        });
        take("colour", &mut |item| {
            chosen.colour = match item.as_str()? {
                "white" => Color::White,
                "black" => Color::Black,
                _ => return None,
            };
            Some(())
        });
        take("engine", &mut |item| {
            chosen.engine = item.as_str().filter(|engine| !engine.is_empty())?.to_owned();
            Some(())
        });
        take("time", &mut |item| {
            let time: TimeControl = item.as_str()?.parse().ok()?;
            chosen.time = time.to_string();
            Some(())
        });
        chosen
    }

    /// For tomorrow.
    pub fn remember(&self, chosen: &Chosen) -> Result<(), HomeError> {
        let mut document = DocumentMut::new();
        document["level"] = value(i64::from(chosen.level.number()));
        document["colour"] = value(chosen.colour.fold_wb("white", "black"));
        document["engine"] = value(&chosen.engine);
        document["time"] = value(&chosen.time);
        let path = self.chosen();
        write(&path, document)
    }

    /// Writes the configuration for games at home: the player's own (`base`), but for what makes it
    /// another table. `opponents`: all that the partner can be, for the set-up.
    pub fn configure(
        &self,
        base: Option<&Path>,
        chosen: &Chosen,
        partner: &str,
        opponents: &[String],
    ) -> Result<PathBuf, HomeError> {
        let mut document = self.table(base, chosen)?;
        let other = chosen.colour.fold_wb("black", "white");
        document["game"][other] = value(partner);
        document["game"]["opponents"] =
            value(opponents.iter().map(String::as_str).collect::<Array>());
        self.save(self.configuration(), &document)
    }

    /// The same for a game of a journal that is over and gone through: nobody's hands are looked
    /// at, and who has played is said first.
    pub fn configure_looking(
        &self,
        base: Option<&Path>,
        chosen: &Chosen,
        journal: &Path,
    ) -> Result<PathBuf, HomeError> {
        let mut document = self.table(base, chosen)?;
        let mut board = Table::new();
        board.insert("kind", value("none"));
        document["board"] = Item::Table(board);
        document["journal"]["path"] = value(journal.display().to_string());
        if document.get("speech").is_none() {
            document["speech"] = Item::Table(Table::new());
        }
        document["speech"]["greet"] = value(true);
        self.save(self.folder.join("looking.toml"), &document)
    }

    /// The same for a puzzle: its position, with a journal of its own. `name`: what stands in the
    /// opponent's place.
    pub fn configure_puzzle(
        &self,
        base: Option<&Path>,
        chosen: &Chosen,
        (start, name): (&str, &str),
    ) -> Result<PathBuf, HomeError> {
        let mut document = self.table(base, chosen)?;
        document["game"][chosen.colour.fold_wb("black", "white")] = value(name);
        document["game"]["start"] = value(start);
        document["journal"]["path"] = value(self.folder.join("puzzle.db").display().to_string());
        self.save(self.folder.join("puzzle.toml"), &document)
    }

    fn save(&self, path: PathBuf, document: &DocumentMut) -> Result<PathBuf, HomeError> {
        write(&path, document)?;
        Ok(path)
    }

    /// The player's own configuration as one for games at home.
    fn table(&self, base: Option<&Path>, chosen: &Chosen) -> Result<DocumentMut, HomeError> {
        let text = match base {
            Some(path) => {
                annabella_records::whole::read_text(path).map_err(|err| cannot(path, &err))?
            }
            // Who has set up nothing has no board that feels.
            None => "[board]\nkind = \"none\"\n".to_owned(),
        };
        let place = base.unwrap_or(Path::new("the configuration")).to_owned();
        let wrong = |reason: String| HomeError::Configuration { path: place.clone(), reason };
        let mut document =
            text.parse::<DocumentMut>().map_err(|err| wrong(fault_in(&text, &err)))?;
        let own = chosen.colour.fold_wb("white", "black");
        let player = name_of_player(&document);
        let text = |path: PathBuf| Value::from(path.display().to_string());
        let mut set = |section: &str, key: &str, new: Value| -> Result<(), HomeError> {
            let table = document.entry(section).or_insert(Item::Table(Table::new()));
            let table = table.as_table_like_mut().ok_or_else(|| {
                wrong(format!("{section} is no section: write [{section}] on a line of its own"))
            })?;
            table.insert(key, Item::Value(new));
            Ok(())
        };
        set("game", "at_home", true.into())?;
        set("game", "blind", own.into())?;
        set("game", own, player.into())?;
        set("game", "opponent_deaf", false.into())?;
        set("game", "time_control", chosen.time.as_str().into())?;
        set("sighted", "kind", "page".into())?;
        set("clock", "kind", "internal".into())?;
        set("console", "listen", "127.0.0.1:0".into())?;
        set("console", "certificate", "".into())?;
        set("console", "key", "".into())?;
        set("console", "program_code", text(self.code()))?;
        set("journal", "path", text(self.journal()))?;
        set("hall", "url", "".into())?;
        Ok(document)
    }
}

/// Writes a configuration with these values, of `[section] key`, in the place of its own.
pub fn with_values(
    from: &Path,
    to: &Path,
    values: &[(&str, &str, String)],
) -> Result<(), HomeError> {
    let text = annabella_records::whole::read_text(from).map_err(|err| cannot(from, &err))?;
    let wrong = |reason: String| HomeError::Configuration { path: from.to_owned(), reason };
    let mut document = text.parse::<DocumentMut>().map_err(|err| wrong(fault_in(&text, &err)))?;
    for (section, key, value) in values {
        let table = document.entry(section).or_insert(Item::Table(Table::new()));
        let table = table.as_table_like_mut().ok_or_else(|| wrong(format!("[{section}]")))?;
        table.insert(key, Item::Value(Value::from(value.as_str())));
    }
    write(to, document)
}

/// The language of the prompts in a configuration, as far as it names one; German is the service's
/// own.
pub fn language_of(configuration: Option<&Path>) -> String {
    pack_of(configuration, "prompts").unwrap_or_else(|| "de".to_owned())
}

/// The pack that a configuration names under this key of `[speech]`.
pub fn pack_of(configuration: Option<&Path>, key: &str) -> Option<String> {
    let text = annabella_records::whole::read_text(configuration?).ok()?;
    let document = text.parse::<DocumentMut>().ok()?;
    Some(document.get("speech")?.get(key)?.as_str()?.to_owned())
}

/// The blind player's name in his own configuration; empty if he has given none.
fn name_of_player(document: &DocumentMut) -> String {
    let text = |key: &str| document.get("game")?.get(key)?.as_str().map(str::to_owned);
    let seat = if text("blind").as_deref() == Some("black") { "black" } else { "white" };
    text(seat).unwrap_or_default()
}

/// What is wrong in a text that is no TOML, and where, on one line.
fn fault_in(text: &str, err: &toml_edit::TomlError) -> String {
    let before = text.get(..err.span().map_or(0, |span| span.start)).unwrap_or(text);
    let what = err.message().lines().collect::<Vec<_>>().join(", ");
    format!("line {}: {what}", before.matches('\n').count() + 1)
}

/// A time control of the command line. It is remembered, so a wrong one would spoil the next day.
///
/// # Errors
/// What is wrong with it, and how one is written.
pub fn time_control(text: &str) -> Result<TimeControl, String> {
    text.parse().map_err(|err: TimeControlError| format!("{err}; write it as in 15+10"))
}

/// Writes a file that is needed at the next start: whole, or what was there before.
pub(crate) fn write(path: &Path, text: impl ToString) -> Result<(), HomeError> {
    whole::write(path, text.to_string(), None).map_err(|err| cannot(path, &err))
}

pub(crate) fn cannot(path: &Path, err: &std::io::Error) -> HomeError {
    HomeError::File { path: path.to_owned(), reason: err.to_string() }
}

/// The player's own configuration: the named one, else the first that is there of those that
/// `annabella` looks for.
pub fn own_configuration(named: Option<&Path>) -> Option<PathBuf> {
    let from = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let config = from("XDG_CONFIG_HOME").or_else(|| from("HOME").map(|home| home.join(".config")));
    let places = [
        Some(PathBuf::from("annabella.toml")),
        config.map(|config| config.join("annabella/annabella.toml")),
    ];
    named.map(Path::to_owned).or_else(|| places.into_iter().flatten().find(|path| path.is_file()))
}

/// A program by its name, in `PATH` or where Debian has games; a path stays as it is.
pub fn program(name: &str) -> PathBuf {
    if name.contains('/') {
        return PathBuf::from(name);
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(GAMES.map(PathBuf::from));
    folders
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
        .unwrap_or_else(|| name.into())
}

/// The service beside this program, else in `PATH`.
pub fn service() -> PathBuf {
    let own = env::current_exe().ok().map(|own| own.with_file_name("annabella"));
    own.filter(|path| path.is_file()).unwrap_or_else(|| program("annabella"))
}

/// The service at the table, in the terminal of this program.
#[derive(Debug)]
pub struct Service {
    child: Child,
    /// What stops this program, from the start on: nothing is lost while nobody waits for it.
    interrupts: unix::Signal,
    stops: unix::Signal,
}

impl Service {
    /// # Errors
    /// [`HomeError::NoService`].
    pub fn start(program: &Path, arguments: &[String]) -> Result<Service, HomeError> {
        let no_service = |err: std::io::Error| HomeError::NoService {
            program: program.to_owned(),
            reason: err.to_string(),
        };
        let interrupts = signal(SignalKind::interrupt()).map_err(no_service)?;
        let stops = signal(SignalKind::terminate()).map_err(no_service)?;
        let child = Command::new(program)
            .args(arguments)
            // Nobody else would stop it if this program is killed, and its journal would be in use
            // the next time.
            .arg("--with-parent")
            .stdin(Stdio::inherit())
            .stdout(Stdio::inherit())
            .stderr(Stdio::inherit())
            .spawn()
            .map_err(no_service)?;
        Ok(Service { child, interrupts, stops })
    }

    /// Waits until it ends. What stops this program stops it; where Ctrl+C has reached it by the
    /// terminal, once more does no harm.
    ///
    /// # Errors
    /// As the system says.
    pub async fn ended(&mut self) -> std::io::Result<ExitStatus> {
        let pid = self.child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        loop {
            tokio::select! {
                ended = self.child.wait() => return ended,
                _ = self.interrupts.recv() => hand_on(pid, Signal::INT),
                _ = self.stops.recv() => hand_on(pid, Signal::TERM),
            }
        }
    }
}

fn hand_on(pid: Option<Pid>, signal: Signal) {
    if let Some(pid) = pid {
        // One that has ended is waited for all the same.
        let _ = kill_process(pid, signal);
    }
}

/// The service names the file that it was given, which is written anew each time: what is wrong
/// there (exit code 2) is mended in the player's own.
pub fn say_where_to_mend(code: u8, named: Option<&Path>, tell: fn(&str)) {
    if code == 2
        && let Some(own) = own_configuration(named)
    {
        tell(&format!("that configuration is made anew from {}: mend it there", own.display()));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn configured(base: &str, chosen: &Chosen) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let files = Files::at(Some(folder.path())).expect("files");
        let own = folder.path().join("annabella.toml");
        fs::write(&own, base).expect("written");
        let path = files
            .configure(Some(&own), chosen, "Odd, level 3", &["Odd, level 3".to_owned()])
            .expect("configured");
        assert_eq!(fs::read_to_string(&own).expect("there"), base, "the player's own stays");
        fs::read_to_string(path)
            .expect("written")
            .replace(&folder.path().display().to_string(), "…")
    }

    #[test]
    fn the_table_at_home_is_the_players_own_but_for_its_other_side() {
        let base = "# mine\n[game]\nwhite = \"Anna\"\nblack = \"Boris\"\n[speech]\nprompts = \"en\"\n\
                    [hall]\nurl = \"nats://192.168.4.1:4222\"\n[journal]\npath = \"annabella.db\"\n";
        let chosen = Chosen { colour: Color::Black, time: "15+10".to_owned(), ..Chosen::default() };
        let written = configured(base, &chosen);
        let read: DocumentMut = written.parse().expect("TOML");
        let text = |section: &str, key: &str| read[section][key].as_str().map(str::to_owned);
        assert!(written.starts_with("# mine\n"), "{written}");
        assert_eq!(read["game"]["at_home"].as_bool(), Some(true));
        assert_eq!(read["game"]["opponents"][0].as_str(), Some("Odd, level 3"));
        for (section, key, wanted) in [
            ("game", "blind", "black"),
            ("game", "black", "Anna"),
            ("game", "white", "Odd, level 3"),
            ("game", "time_control", "15+10"),
            ("speech", "prompts", "en"),
            ("sighted", "kind", "page"),
            ("hall", "url", ""),
            ("journal", "path", "…/home.db"),
            ("console", "program_code", "…/home.code"),
        ] {
            assert_eq!(text(section, key).as_deref(), Some(wanted), "{section} {key}");
        }
    }

    #[test]
    fn a_stop_that_comes_while_nobody_waits_for_the_service_stops_it() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(async {
            let folder = tempfile::tempdir().expect("a folder");
            let ready = folder.path().join("ready");
            let script = format!(
                "trap 'exit 7' INT; touch '{}'; for n in $(seq 9999); do sleep 0.02; done",
                ready.display()
            );
            let call = ["-c".to_owned(), script];
            let mut service = Service::start(Path::new("/bin/sh"), &call).expect("starts");
            while !ready.exists() {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            // It was waited for until the game far away had ended.
            assert!(tokio::time::timeout(Duration::ZERO, service.ended()).await.is_err());
            let mut heard = signal(SignalKind::interrupt()).expect("heard");
            kill_process(rustix::process::getpid(), Signal::INT).expect("sent");
            heard.recv().await;
            let ended = tokio::time::timeout(Duration::from_secs(240), service.ended()).await;
            assert_eq!(ended.expect("it ends").expect("waited for").code(), Some(7));
        });
    }

    #[test]
    fn a_wrong_configuration_is_named_in_one_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = Files::at(Some(folder.path())).expect("files");
        let own = folder.path().join("annabella.toml");
        for text in ["game = 7\n", "[game\n", "= 3"] {
            fs::write(&own, text).expect("written");
            let err = files.configure(Some(&own), &Chosen::default(), "x", &[]).expect_err(text);
            let line = err.to_string();
            assert!(line.contains("annabella.toml: ") && !line.contains('\n'), "{line}");
        }
        let text = "[game]\nwhite = \"Anna\"\nblack = Boris\n";
        fs::write(&own, text).expect("written");
        let err = files.configure(Some(&own), &Chosen::default(), "x", &[]).expect_err(text);
        let line = err.to_string();
        let (_, fault) = line.split_once("annabella.toml: ").expect("named");
        assert!(fault.starts_with("line 3: ") && !fault.contains("TOML parse error"), "{line}");
    }

    #[test]
    fn what_was_chosen_is_known_tomorrow() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = Files::at(Some(&folder.path().join("new/below"))).expect("files");
        let silent = |line: &str| panic!("nothing is wrong: {line}");
        assert_eq!(files.remembered(silent), Chosen::default());
        let chosen = Chosen {
            level: Level::new(7).expect("a level"),
            colour: Color::Black,
            engine: "/opt/own engine".to_owned(),
            time: "3+2".to_owned(),
        };
        let before = folder.path().join("before");
        fs::write(&before, "level = 1\n").expect("written");
        fs::hard_link(&before, files.chosen()).expect("a link");
        files.remember(&chosen).expect("kept");
        assert_eq!(files.remembered(silent), chosen);
        // It is never there by half.
        assert_eq!(fs::read_to_string(before).expect("there"), "level = 1\n");
    }

    #[test]
    fn what_was_remembered_wrongly_is_said_and_left_out_and_the_rest_is_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = Files::at(Some(folder.path())).expect("files");
        let remembered = |text: &str| {
            fs::write(files.chosen(), text).expect("written");
            let told = std::cell::RefCell::new(Vec::new());
            let chosen = files.remembered(|line| told.borrow_mut().push(line.to_owned()));
            let place = format!("{}: ", files.chosen().display());
            let told = told.into_inner();
            let told = told.iter().map(|line| line.strip_prefix(&place).expect("it is named"));
            (chosen, told.map(str::to_owned).collect::<Vec<_>>())
        };
        let (chosen, told) =
            remembered("level = 7\ncolour = \"black\"\nengine = \"odd\"\ntime = \"15 min\"\n");
        assert_eq!(told, ["time = \"15 min\" is left out"]);
        let wanted = Chosen {
            level: Level::new(7).expect("a level"),
            colour: Color::Black,
            engine: "odd".to_owned(),
            ..Chosen::default()
        };
        assert_eq!(chosen, wanted);
        let (chosen, told) = remembered("level = 99\ncolour = 3\nengine = \"\"\ntime = \"5+3\"\n");
        let left = ["level = 99", "colour = 3", "engine = \"\""];
        assert_eq!(told, left.map(|what| format!("{what} is left out")));
        assert_eq!(chosen, Chosen { time: "5+3".to_owned(), ..Chosen::default() });
        let (chosen, told) = remembered("time = ");
        assert_eq!(told, ["what is no TOML is left out"]);
        assert_eq!(chosen, Chosen::default());
    }
}
