//! The configuration as the set-up by ear reads and writes it: only what was changed, comments and
//! all other keys kept.

use std::path::{Path, PathBuf};

use shakmaty::Square;
use toml_edit::{DocumentMut, Value};

use crate::config::{BoardKind, ClockKind, Config, Reports, SightedKind, edit};
use annabella_core::game::Blind;
use annabella_core::setup::{FoundWires, Keeper, Maker, Own, SetupSettings, Sighted};
use annabella_devices::board::wiring::Wiring;
use annabella_words::{
    phrase::{Words, pack},
    text::unix_lines,
};

/// The language of FIDE's names for moves (D.2.1).
pub(super) const FIDE: &str = "de";

/// The port of the pages where the configuration has none.
const PAGES_PORT: u16 = 8080;

/// A configuration file that is to be set up.
#[derive(Clone, Debug)]
pub struct Target {
    path: Option<PathBuf>,
    text: String,
    config: Config,
    before: SetupSettings,
}

impl Target {
    /// The file at `path`; without one, a file with the content of `fresh`.
    ///
    /// # Errors
    /// One line, when the file can't be read or is wrong. It is not overwritten.
    pub fn open(path: &Path, fresh: &str) -> Result<Target, String> {
        let name = path.display().to_string();
        let text = match annabella_records::whole::read_text(path) {
            Ok(text) => text,
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => fresh.to_owned(),
            Err(err) => return Err(format!("cannot read {name}: {err}; name another --config")),
        };
        let config = Config::parse(&text, &name).map_err(|err| err.to_string())?;
        let before = settings(&config);
        Ok(Target { path: Some(path.to_owned()), text, config, before })
    }

    /// No file: nothing is written.
    ///
    /// # Errors
    /// One line, when the text is no configuration.
    pub fn nowhere(text: &str) -> Result<Target, String> {
        let config = Config::parse(text, "the configuration").map_err(|err| err.to_string())?;
        let before = settings(&config);
        Ok(Target { path: None, text: text.to_owned(), config, before })
    }

    /// With the Braille display that brltty shows at this socket, where it is there and the
    /// configuration names none: of the only player on pegs.
    #[must_use]
    pub fn with_display(mut self, socket: &Path) -> Target {
        let wanted = self.config.braille.line.is_none() && self.config.game.blind != Blind::Both;
        let line = socket.to_str().filter(|_| wanted && socket.exists());
        let with = line
            .and_then(|line| edit::set(&self.text, "braille", vec![("line", line.into())]).ok());
        if let Some(text) = with
            && let Ok(config) = Config::parse(&text, "the configuration")
        {
            (self.text, self.config) = (text, config);
        }
        self
    }

    /// Only what has changed, as a file of its own.
    ///
    /// # Errors
    /// One line; never for settings that were asked for by ear.
    pub fn changes(&self, after: &SetupSettings) -> Result<String, String> {
        let all = changes(&self.text, &self.config, &self.before, after);
        let mut text = String::new();
        for (section, values) in all.into_iter().filter(|(_, values)| !values.is_empty()) {
            text = edit::set(&text, section, values)?;
        }
        Ok(text)
    }

    /// The configuration in the file.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The same, as far as it is set up by ear.
    pub fn before(&self) -> &SetupSettings {
        &self.before
    }

    /// Writes what has changed; the file as it was is kept beside it.
    ///
    /// # Errors
    /// One line that names the file.
    pub fn write(&self, after: &SetupSettings) -> Result<(), String> {
        let text = text(&self.text, &self.config, &self.before, after)?;
        let Some(path) = &self.path else { return Ok(()) };
        let name = path.display();
        edit::write(path, &text)
            .map_err(|err| format!("cannot write {name}: {err}; is the folder writable?"))
    }
}

/// Whether this machine has the pins of a Raspberry Pi.
pub fn on_pi() -> bool {
    std::fs::read_to_string("/proc/device-tree/model")
        .is_ok_and(|model| model.contains("Raspberry Pi"))
}

/// The board that the hardware documents describe.
fn installed_kind() -> Option<String> {
    const INSTALLED: &str = include_str!("../../../../hardware/annabella.toml");
    let installed: DocumentMut = INSTALLED.parse().ok()?;
    Some(installed.get("board")?.get("kind")?.as_str()?.to_owned())
}

/// A new configuration: the commented example; on a Raspberry Pi with the board of the hardware
/// documents, elsewhere with a board without sensors. The record lies beside the file where the
/// file has a folder of its own.
pub fn fresh(path: Option<&Path>, on_pi: bool) -> String {
    let mut text = Config::example().to_owned();
    let kind = installed_kind().filter(|_| on_pi);
    let kind = kind.as_deref();
    let folder = path.and_then(Path::parent).filter(|folder| folder.is_absolute());
    let journal = folder.map(|folder| folder.join(&Config::default().journal.path));
    let journal = journal.as_deref().and_then(Path::to_str);
    for (section, key, value) in [("board", "kind", kind), ("journal", "path", journal)] {
        if let Some(value) = value {
            // Both are texts, and the example has both keys.
            text = edit::set(&text, section, vec![(key, value.into())]).unwrap_or(text);
        }
    }
    text
}

/// A language pack's text: built-in by name, or a file; `key` of `[speech]` names it.
///
/// # Errors
/// One line, when there is no such pack, or its file cannot be read.
pub fn pack_text(key: &str, name: &str) -> Result<String, String> {
    if let Some(text) = pack::builtin(name) {
        return Ok(text.to_owned());
    }
    if name.ends_with(".toml") {
        return annabella_records::whole::read_text(Path::new(name))
            .map_err(|err| format!("[speech] {key}: cannot read {name}: {err}"));
    }
    let known: Vec<&str> = pack::builtin_names().collect();
    Err(format!(
        "[speech] {key}: '{name}' is no pack; there are {}, or give the path of a .toml file",
        known.join(", ")
    ))
}

/// The packs of a configuration.
///
/// # Errors
/// One line, when one cannot be read or is unfinished.
pub fn words(config: &Config) -> Result<Words, String> {
    let words = pack_text("words", &config.speech.words)?;
    let prompts = pack_text("prompts", &config.speech.prompts)?;
    Words::from_toml(&words, &prompts).map_err(|err| err.to_string())
}

/// FIDE's pack has two names.
pub(super) fn language(name: &str) -> &str {
    if name == "fide" { FIDE } else { name }
}

/// The settings of a configuration that are set up by ear.
pub fn settings(config: &Config) -> SetupSettings {
    let speech = &config.speech;
    let port = |path: &Path| path.display().to_string();
    let set = language(&speech.prompts);
    SetupSettings {
        language: set.to_owned(),
        own_names: set != FIDE && speech.words == speech.prompts,
        voice: speech.voice.clone(),
        rate: speech.private_rate,
        earphone: speech.private.clone(),
        loudspeaker: speech.public.clone(),
        earphone_volume: speech.private_volume,
        loudspeaker_volume: speech.public_volume,
        microphone: speech.input.clone(),
        board: match config.board.kind {
            BoardKind::None => Own::Plain { spoken: config.board.reports == Reports::Spoken },
            _ if config.board.reader().is_some() => Own::Sensors,
            _ => Own::AsBefore,
        },
        wires: FoundWires::default(),
        sighted: match config.sighted.kind {
            SightedKind::None => Sighted::Plain,
            SightedKind::Page => Sighted::Page,
            kind => kind.maker().map_or(Sighted::AsBefore, |maker| {
                Sighted::Electronic(maker, port(&config.sighted.port))
            }),
        },
        clock: match config.clock.kind {
            ClockKind::Internal => Keeper::Own,
            ClockKind::Dgt => {
                Keeper::Dgt(port(config.clock.port.as_ref().unwrap_or(&config.sighted.port)))
            }
            ClockKind::Sim => Keeper::AsBefore,
        },
        pages: config.console.listen.is_some_and(|listen| !listen.ip().is_loopback()),
        control: config.game.time_control.to_string(),
    }
}

/// The keys of `[board]` in which the right wiring differs.
pub fn wires(believed: &Wiring, right: &Wiring) -> FoundWires {
    let name = |at: &Option<Square>| at.map_or("-".to_owned(), |square| square.to_string());
    let map: Vec<String> = right.map().iter().map(name).collect();
    FoundWires {
        orientation: (right.orientation != believed.orientation)
            .then(|| right.orientation.degrees()),
        bit_order: (right.bit_order != believed.bit_order)
            .then(|| right.bit_order.as_str().to_owned()),
        map: (right.map() != believed.map()).then(|| map.join(" ")),
    }
}

/// The same as values of a file.
pub fn wire_values(wires: &FoundWires) -> Vec<(&'static str, Value)> {
    let orientation = wires.orientation.map(|degrees| Value::from(i64::from(degrees)));
    let values = [
        ("orientation", orientation),
        ("bit_order", wires.bit_order.as_deref().map(Value::from)),
        ("map", wires.map.as_deref().map(Value::from)),
    ];
    values.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
}

/// The text of the file with what has changed.
///
/// # Errors
/// One line, when the text would be no configuration.
pub fn text(
    old: &str,
    config: &Config,
    before: &SetupSettings,
    after: &SetupSettings,
) -> Result<String, String> {
    let mut text = old.to_owned();
    for (section, values) in changes(old, config, before, after) {
        if !values.is_empty() {
            text = edit::set(&text, section, values)?;
        }
    }
    Config::parse(&text, "the new configuration").map_err(|err| err.to_string())?;
    Ok(text)
}

type Values = Vec<(&'static str, Value)>;

fn changes(
    old: &str,
    config: &Config,
    before: &SetupSettings,
    after: &SetupSettings,
) -> [(&'static str, Values); 7] {
    let changed = |same: bool, key, value: Value| (!same).then_some((key, value));
    let text = |key, before: &String, after: &String| {
        changed(before == after, key, Value::from(after.as_str()))
    };
    let number =
        |key, before: u16, after: u16| changed(before == after, key, Value::from(i64::from(after)));
    let moves = match (before.own_names, after.own_names) {
        (_, true) => Some(after.language.as_str()),
        (true, false) => Some("fide"),
        (false, false) => None,
    };
    let moves = moves.filter(|moves| language(&config.speech.words) != language(moves));
    let mut speech: Values = [
        text("prompts", &before.language, &after.language),
        moves.map(|moves| ("words", Value::from(moves))),
        text("voice", &before.voice, &after.voice),
        text("input", &before.microphone, &after.microphone),
        text("public", &before.loudspeaker, &after.loudspeaker),
        text("private", &before.earphone, &after.earphone),
        number("rate", before.rate, after.rate),
        number("public_volume", before.loudspeaker_volume.into(), after.loudspeaker_volume.into()),
        number("private_volume", before.earphone_volume.into(), after.earphone_volume.into()),
    ]
    .into_iter()
    .flatten()
    .collect();
    if before.rate != after.rate {
        // A rate of a channel's own would hide the new one.
        let document = unix_lines(old).parse::<DocumentMut>().ok();
        let has = |key: &str| {
            document.as_ref().and_then(|document| document.get("speech")?.get(key)).is_some()
        };
        let own = ["public_rate", "private_rate"].into_iter().filter(|key| has(key));
        speech.extend(own.map(|key| (key, Value::from(i64::from(after.rate)))));
    }
    let mut sighted = Values::new();
    let mut clock = Values::new();
    if before.sighted != after.sighted {
        match &after.sighted {
            Sighted::Plain => sighted.push(("kind", "none".into())),
            Sighted::Page => sighted.push(("kind", "page".into())),
            Sighted::Electronic(maker, port) => {
                sighted.push(("kind", maker.as_str().into()));
                sighted.push(("port", port.as_str().into()));
            }
            Sighted::AsBefore => {}
        }
    }
    let mut board = wire_values(&after.wires);
    if before.board != after.board {
        match after.board {
            Own::Plain { spoken } => {
                let reports = if spoken { Reports::Spoken } else { Reports::Announced };
                board.push(("kind", BoardKind::None.as_str().into()));
                if config.board.reports != reports {
                    board.push(("reports", reports.as_str().into()));
                }
            }
            Own::Sensors => board.extend(installed_kind().map(|kind| ("kind", kind.into()))),
            Own::AsBefore => {}
        }
    }
    // A clock that has no port of its own follows the board's.
    let moved = match (&before.clock, &after.clock) {
        (Keeper::Dgt(_), Keeper::Dgt(port)) => {
            let board = match &after.sighted {
                Sighted::Electronic(Maker::Dgt, board) => board.clone(),
                _ => config.sighted.port.display().to_string(),
            };
            let own = config.clock.port.as_ref().map_or(board, |own| own.display().to_string());
            own != *port
        }
        (before, after) => before != after,
    };
    if moved {
        match &after.clock {
            Keeper::Own => clock.push(("kind", "internal".into())),
            Keeper::Dgt(port) => {
                let boards =
                    matches!(&after.sighted, Sighted::Electronic(_, board) if board == port);
                let own = if boards { "" } else { port };
                clock.push(("kind", "dgt".into()));
                let set = config.clock.port.as_deref().and_then(Path::to_str).unwrap_or_default();
                clock.extend((set != own).then(|| ("port", own.into())));
            }
            Keeper::AsBefore => {}
        }
    }
    // Source: FIDE D.2.11. Against a deaf opponent moves are announced where no board shows them.
    let deaf = config.game.opponent_deaf && !config.duties.announce;
    let unseen = deaf && before.sighted != after.sighted && after.sighted == Sighted::Plain;
    let duties = if unseen { vec![("announce", true.into())] } else { Values::new() };
    let console: Values = changed(before.pages == after.pages, "listen", {
        let port = config.console.listen.map_or(PAGES_PORT, |listen| listen.port());
        let host = if after.pages { "0.0.0.0" } else { "127.0.0.1" };
        format!("{host}:{port}").into()
    })
    .into_iter()
    .collect();
    let game: Values = text("time_control", &before.control, &after.control).into_iter().collect();
    [
        ("game", game),
        ("board", board),
        ("sighted", sighted),
        ("clock", clock),
        ("speech", speech),
        ("duties", duties),
        ("console", console),
    ]
}

#[cfg(test)]
mod tests {
    use super::pack_text;

    #[test]
    fn a_pack_that_is_not_there_is_told_with_its_key() {
        assert_eq!(
            pack_text("words", "klingon").expect_err("no such pack"),
            "[speech] words: 'klingon' is no pack; there are fide, de, en, ru, fr, es, pl, lt, \
             or give the path of a .toml file"
        );
        assert_eq!(
            pack_text("prompts", "nowhere/tlh.toml").expect_err("no such file"),
            "[speech] prompts: cannot read nowhere/tlh.toml: No such file or directory (os error 2)"
        );
    }
}
