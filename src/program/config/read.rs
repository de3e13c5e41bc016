//! From TOML with spans to [`Config`].

mod wires;

use std::{fmt::Display, net::SocketAddr, ops::RangeInclusive, path::PathBuf};

use shakmaty::{CastlingMode, Chess, Color, fen::Fen};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::keys::KEYS;
use super::{
    AnnounceForm, BoardKind, BoardSection, ButtonsKind, ClockControl, ClockKind, ClockLeft, Config,
    ConfigError, Engine, Listen, RecordAudio, SightedKind, SpeechSection,
};
use annabella_core::game::{Blind, Rules, clock::TimeControl};
use annabella_devices::board::wiring::{BitOrder, Bus, GPIO, Level, SCAN_HZ};

const RATES: RangeInclusive<u16> = 80..=450;

pub(super) fn config(text: &str, file: &str) -> Result<Config, ConfigError> {
    let source = Source { text, file };
    let document = DeTable::parse(text).map_err(|error| ConfigError::Syntax {
        file: file.to_owned(),
        line: source.line(error.span().map_or(0, |span| span.start)),
        problem: one_line(error.message()),
    })?;
    let mut config = Config::default();
    let mut problems = Vec::new();
    for (name, value) in document.get_ref() {
        source.section(name, value, &mut config, &mut problems);
    }
    source.same_left(document.get_ref(), &config, &mut problems);
    // The table is sorted by key; a person reads from the top.
    match problems.into_iter().min_by_key(|(offset, _)| *offset) {
        Some((_, problem)) => Err(problem),
        None => match config.check_wires() {
            Err(problem) => Err(ConfigError::Wiring { file: file.to_owned(), problem }),
            Ok(()) => match super::seats::check(&config) {
                Some(problem) => Err(ConfigError::Seats { file: file.to_owned(), problem }),
                None => Ok(config),
            },
        },
    }
}

type Problem = (usize, ConfigError);
type Key<'i> = Spanned<std::borrow::Cow<'i, str>>;

#[derive(Clone, Copy)]
struct Source<'a> {
    text: &'a str,
    file: &'a str,
}

impl<'a> Source<'a> {
    fn line(self, offset: usize) -> usize {
        let end = offset.min(self.text.len());
        self.text.as_bytes()[..end].iter().filter(|byte| **byte == b'\n').count() + 1
    }

    /// `[buttons] left` and `[clock] left` are one thing: they may not say two.
    fn same_left(self, document: &DeTable<'_>, config: &Config, problems: &mut Vec<Problem>) {
        let (Some(button), Some(clock)) = (config.buttons.left, config.clock.left.color()) else {
            return;
        };
        let value = document.get("buttons").and_then(|section| section.get_ref().get("left"));
        if let Some(value) = value.filter(|_| button != clock) {
            let entry = Entry { source: self, section: "buttons", key: "left", value };
            let allowed = format!(
                "nothing, or \"{clock}\" as [clock] left says: it counts for the buttons too"
            );
            problems.push((value.span().start, entry.refuse(allowed)));
        }
    }

    fn section(
        self,
        name: &Key<'_>,
        value: &Spanned<DeValue<'_>>,
        config: &mut Config,
        problems: &mut Vec<Problem>,
    ) {
        let offset = name.span().start;
        let (file, line) = (self.file.to_owned(), self.line(offset));
        let known = KEYS.iter().find(|(section, _)| *section == name.get_ref().as_ref());
        let Some((section, keys)) = known else {
            let written = one_line(name.get_ref());
            let problem = match home(&written) {
                Some(section) if !value.get_ref().is_table() => {
                    ConfigError::Misplaced { file, line, key: written, section }
                }
                _ => ConfigError::UnknownSection {
                    file,
                    line,
                    nearest: nearest(&written, KEYS.iter().map(|(section, _)| *section)),
                    section: written,
                },
            };
            problems.push((offset, problem));
            return;
        };
        let Some(table) = value.get_ref().as_table() else {
            let problem = ConfigError::Syntax {
                file,
                line,
                problem: format!(
                    "'{section}' is a section; write [{section}] once, on a line of its own, and its keys below"
                ),
            };
            problems.push((offset, problem));
            return;
        };
        let rate = table.get("rate");
        for (key, value) in table {
            let offset = key.span().start;
            let written = key.get_ref().as_ref();
            let Some(known) = keys.iter().find(|known| **known == written) else {
                let (file, line, key) =
                    (self.file.to_owned(), self.line(offset), one_line(written));
                let problem = match home(&key) {
                    Some(section) => ConfigError::Misplaced { file, line, key, section },
                    None => ConfigError::UnknownKey {
                        file,
                        line,
                        section,
                        nearest: nearest(&key, keys.iter().copied()),
                        key,
                    },
                };
                problems.push((offset, problem));
                continue;
            };
            let entry = Entry { source: self, section, key: known, value };
            if let Err(problem) = entry.set(config) {
                problems.push((offset, problem));
            }
        }
        // `rate` counts where the channel has no rate of its own.
        if *section == "speech"
            && let Some(value) = rate
            && let DeValue::Integer(_) = value.get_ref()
        {
            let entry = Entry { source: self, section, key: "rate", value };
            let SpeechSection { public_rate, private_rate, .. } = &mut config.speech;
            for (key, target) in [("public_rate", public_rate), ("private_rate", private_rate)] {
                if !table.contains_key(key)
                    && let Ok(rate) = entry.number(RATES)
                {
                    *target = rate;
                }
            }
        }
    }
}

/// The only section that has this key, if there is just one. What Black's board has White's has too.
fn home(key: &str) -> Option<&'static str> {
    let sections = KEYS.iter().filter(|(section, _)| *section != "board_black");
    let mut homes = sections.filter(|(_, keys)| keys.contains(&key)).map(|(section, _)| *section);
    homes.next().filter(|_| homes.next().is_none())
}

fn nearest(written: &str, known: impl Iterator<Item = &'static str>) -> &'static str {
    known.min_by_key(|known| strsim::damerau_levenshtein(written, known)).unwrap_or_default()
}

fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").replace(char::is_control, "?")
}

struct Entry<'a, 'i> {
    source: Source<'a>,
    section: &'static str,
    key: &'static str,
    value: &'a Spanned<DeValue<'i>>,
}

impl Entry<'_, '_> {
    fn set(&self, config: &mut Config) -> Result<(), ConfigError> {
        let Config {
            game,
            board,
            board_black,
            buttons,
            lights,
            sighted,
            clock,
            speech,
            hearing,
            record,
            duties,
            console,
            journal,
        } = config;
        if let Some(board) = match self.section {
            "board" => Some(board),
            "board_black" => Some(board_black),
            _ => None,
        } {
            return self.set_board(board);
        }
        match (self.section, self.key) {
            ("game", "time_control") => game.time_control = self.time_control()?,
            ("game", "white") => game.white = self.name()?,
            ("game", "black") => game.black = self.name()?,
            ("game", "blind") => {
                game.blind = self.one_of(&[
                    ("white", Blind::White),
                    ("black", Blind::Black),
                    ("both", Blind::Both),
                ])?;
            }
            ("game", "opponent_deaf") => game.opponent_deaf = self.switch()?,
            ("game", "start") => game.start = self.fen()?,
            ("game", "rules") => {
                let known = Rules::ALL.map(|rules| (rules.as_str(), rules));
                game.rules = self.one_of(&known)?;
            }
            ("game", "no_draw_before") => game.no_draw_before = self.number(0..=500)?,
            ("game", "setup") => game.setup = self.switch()?,
            ("game", "players") => game.players = self.names()?,
            ("game", "keys") => game.keys = self.three_keys()?,
            ("game", "keyboard") => game.keyboard = self.name()?,
            ("buttons", "kind") => buttons.kind = self.one_of(ButtonsKind::ALL)?,
            ("buttons", "talk") => buttons.pins.talk = self.pin()?,
            ("buttons", "repeat") => buttons.pins.repeat = self.pin()?,
            ("buttons", "clock_left") => buttons.pins.clock_left = self.pin()?,
            ("buttons", "clock_right") => buttons.pins.clock_right = self.pin()?,
            ("buttons", "arbiter") => buttons.pins.arbiter = self.pin()?,
            ("buttons", "talk_black") => buttons.pins.talk_black = self.pin()?,
            ("buttons", "repeat_black") => buttons.pins.repeat_black = self.pin()?,
            ("buttons", "left") => {
                let colors = [("white", Color::White), ("black", Color::Black)];
                buttons.left = Some(self.one_of(&colors)?);
            }
            ("buttons", "debounce_ms") => buttons.debounce_ms = self.number(1..=500)?,
            ("lights", "white") => lights.white = self.pin()?,
            ("lights", "black") => lights.black = self.pin()?,
            ("lights", "attention") => lights.attention = self.pin()?,
            ("sighted", "kind") => sighted.kind = self.one_of(SightedKind::ALL)?,
            ("sighted", "port") => sighted.port = self.path()?,
            ("sighted", "path") => sighted.path = self.path()?,
            ("sighted", "still_ms") => sighted.still.still_ms = self.number(50..=5000)?,
            ("sighted", "hurry_ms") => sighted.still.hurry_ms = self.number(50..=5000)?,
            ("sighted", "pending_ms") => {
                sighted.judge.pending_ms = self.number(1000..=3_600_000)?
            }
            ("sighted", "slide_ms") => sighted.judge.slide_ms = self.number(0..=60_000)?,
            ("sighted", "differ_ms") => sighted.judge.differ_ms = self.number(500..=600_000)?,
            ("sighted", "unfinished_ms") => {
                sighted.judge.unfinished_ms = self.number(500..=600_000)?;
            }
            ("sighted", "in_hand_ms") => {
                sighted.judge.in_hand_ms = self.number(1000..=3_600_000)?;
            }
            ("clock", "kind") => clock.kind = self.one_of(ClockKind::ALL)?,
            ("clock", "control") => clock.control = self.one_of(ClockControl::ALL)?,
            ("clock", "port") => {
                clock.port = Some(self.name()?).filter(|p| !p.is_empty()).map(PathBuf::from);
            }
            ("clock", "left") => clock.left = self.one_of(ClockLeft::ALL)?,
            ("clock", "alarms") => clock.alarms = self.seconds()?,
            ("clock", "heartbeat_s") => clock.heartbeat_s = self.number(1..=600)?,
            ("clock", "white_key") => clock.white_key = self.name()?,
            ("clock", "black_key") => clock.black_key = self.name()?,
            ("clock", "keyboard") => clock.keyboard = self.name()?,
            ("speech", "model") => {
                let model = self.name()?;
                speech.model = (!model.is_empty()).then(|| PathBuf::from(model));
            }
            ("speech", "words") => {
                speech.words =
                    self.filled("\"fide\", the name of a language pack, or a path to one")?;
            }
            ("speech", "prompts") => {
                speech.prompts = self.filled("the name of a language pack, or a path to one")?;
            }
            ("speech", "engine") => speech.engine = self.one_of(Engine::ALL)?,
            ("speech", "voice") => speech.voice = self.voice()?,
            ("speech", "input") => speech.input = self.device()?,
            ("speech", "input_own") => speech.input_own = self.switch()?,
            ("speech", "input_black") => speech.input_black = self.name()?,
            ("speech", "input_sighted") => speech.input_sighted = self.name()?,
            ("speech", "listen") => speech.listen = self.one_of(Listen::ALL)?,
            ("speech", "rest_ms") => speech.rest_ms = self.number(0..=5000)?,
            ("speech", "talk_key") => {
                speech.talk_key =
                    self.filled("a key by the kernel's name, as in \"space\" or \"f13\"")?;
            }
            ("speech", "talk_device") => speech.talk_device = self.name()?,
            ("speech", "talk_key_black") => speech.talk_key_black = self.name()?,
            ("speech", "talk_device_black") => speech.talk_device_black = self.name()?,
            ("speech", "confusions") => {
                let path = self.name()?;
                speech.confusions = (!path.is_empty()).then(|| PathBuf::from(path));
            }
            ("speech", "confusions_black") => {
                let path = self.name()?;
                speech.confusions_black = (!path.is_empty()).then(|| PathBuf::from(path));
            }
            ("hearing", "accept_margin") => hearing.accept_margin = self.real(2.0)?,
            ("hearing", "accept_distance") => hearing.accept_distance = self.real(2.0)?,
            ("hearing", "accept_confidence") => hearing.accept_confidence = self.real(1.0)?,
            ("hearing", "confirm_margin") => hearing.confirm_margin = self.real(2.0)?,
            ("hearing", "confirm_distance") => hearing.confirm_distance = self.real(3.0)?,
            ("hearing", "confirm_confidence") => hearing.confirm_confidence = self.real(1.0)?,
            ("hearing", "class_gap") => hearing.class_gap = self.real(2.0)?,
            ("hearing", "single_word_confidence") => {
                hearing.single_word_confidence = self.real(1.0)?;
            }
            ("hearing", "stop_confidence") => hearing.stop_confidence = self.real(1.0)?,
            ("hearing", "loop_distance") => hearing.loop_distance = self.real(9.0)?,
            ("hearing", "loop_contradiction") => hearing.loop_contradiction = self.real(1.0)?,
            ("hearing", "comparison_confidence") => {
                hearing.comparison_confidence = self.real(1.0)?;
            }
            ("hearing", "single_request_confidence") => {
                hearing.single_request_confidence = self.real(1.0)?;
            }
            ("hearing", "short_request_confidence") => {
                hearing.short_request_confidence = self.real(1.0)?;
            }
            ("hearing", "loud_room_db") => hearing.loud_room_db = self.real(60.0)?,
            ("record", "audio") => record.audio = self.one_of(RecordAudio::ALL)?,
            ("record", "audio_mb") => record.audio_mb = self.number(1..=1_000_000)?,
            ("speech", "public") => speech.public = self.device()?,
            ("speech", "private") => speech.private = self.device()?,
            ("speech", "private_black") => speech.private_black = self.name()?,
            // Applied after the section is read, where the channels have none of their own.
            ("speech", "rate") => {
                self.number(RATES)?;
            }
            ("speech", "public_rate") => speech.public_rate = self.number(RATES)?,
            ("speech", "private_rate") => speech.private_rate = self.number(RATES)?,
            ("speech", "public_volume") => speech.public_volume = self.number(0..=100)?,
            ("speech", "private_volume") => speech.private_volume = self.number(0..=100)?,
            ("speech", "private_rate_black") => {
                speech.private_rate_black = Some(self.number(RATES)?);
            }
            ("speech", "private_volume_black") => {
                speech.private_volume_black = Some(self.number(0..=100)?);
            }
            ("speech", "announce_form") => speech.announce_form = self.one_of(AnnounceForm::ALL)?,
            ("speech", "repetition") => speech.repetition = self.switch()?,
            ("speech", "greet") => speech.greet = self.switch()?,
            ("duties", "relay") => duties.relay = self.switch()?,
            ("duties", "announce") => duties.announce = self.switch()?,
            ("duties", "keep_score") => duties.keep_score = self.switch()?,
            ("duties", "start_clock") => duties.start_clock = self.switch()?,
            ("duties", "start_clock_after_ms") => {
                duties.start_clock_after_ms = self.number(0..=10_000)?
            }
            ("duties", "inform") => duties.inform = self.switch()?,
            ("duties", "claim") => duties.claim = self.switch()?,
            ("duties", "adjourn") => duties.adjourn = self.switch()?,
            ("console", "listen") => console.listen = self.listen()?,
            ("console", "certificate") => {
                console.certificate =
                    Some(self.name()?).filter(|p| !p.is_empty()).map(PathBuf::from);
            }
            ("console", "key") => {
                console.key = Some(self.name()?).filter(|p| !p.is_empty()).map(PathBuf::from);
            }
            ("journal", "path") => journal.path = self.path()?,
            // Called for keys of `KEYS` only; a unit test gives each of them a value.
            (section, key) => unreachable!("[{section}] {key} is in KEYS but has no reader"),
        }
        Ok(())
    }

    /// A key of `[board]` or of `[board_black]`: they have the same.
    fn set_board(&self, board: &mut BoardSection) -> Result<(), ConfigError> {
        match self.key {
            "kind" => board.kind = self.one_of(BoardKind::ALL)?,
            "path" => board.path = self.path()?,
            "debounce_ms" => board.sensing.debounce_ms = self.number(1..=500)?,
            "settle_ms" => board.sensing.settle_ms = self.number(50..=10_000)?,
            "castling_ms" => board.sensing.castling_ms = self.number(50..=30_000)?,
            "ending_ms" => board.sensing.ending_ms = self.number(50..=30_000)?,
            "guide_ms" => board.sensing.guide_ms = self.number(500..=600_000)?,
            "bus" => board.bus = self.one_of(Bus::ALL)?,
            "map" => board.wires.map = self.map()?,
            "bit_order" => board.wires.bit_order = self.one_of(BitOrder::ALL)?,
            "closed" => board.wires.closed = self.one_of(Level::ALL)?,
            "orientation" => board.wires.orientation = self.orientation()?,
            "scan_hz" => board.wires.scan_hz = self.number(SCAN_HZ)?,
            "spi_bus" => board.wires.spi_bus = self.number(0..=6)?,
            "spi_select" => board.wires.spi_select = self.number(0..=2)?,
            "spi_hz" => board.wires.spi_hz = self.spi_hz()?,
            "latch_gpio" => board.wires.latch_gpio = self.number(GPIO)?,
            "chain_check" => board.wires.chain_check = self.switch()?,
            "i2c_bus" => board.wires.i2c_bus = self.number(0..=99)?,
            "addresses" => board.wires.addresses = self.addresses()?,
            "rows" => board.wires.rows = self.eight_pins()?,
            "columns" => board.wires.columns = self.eight_pins()?,
            "settle_us" => board.wires.settle_us = self.number(1..=1000)?,
            // As above.
            key => unreachable!("[{}] {key} is in KEYS but has no reader", self.section),
        }
        Ok(())
    }

    fn refuse(&self, allowed: impl Into<String>) -> ConfigError {
        let span = self.value.span();
        let written = self.source.text.get(span.clone()).unwrap_or_default();
        let mut found = one_line(written);
        if found.chars().count() > 60 {
            found = found.chars().take(60).collect::<String>() + "…";
        }
        ConfigError::Value {
            file: self.source.file.to_owned(),
            line: self.source.line(span.start),
            section: self.section,
            key: self.key,
            found,
            allowed: allowed.into(),
        }
    }

    fn text(&self, allowed: &str) -> Result<&str, ConfigError> {
        match self.value.get_ref().as_str() {
            Some(text) if !text.contains(char::is_control) => Ok(text),
            _ => Err(self.refuse(allowed)),
        }
    }

    fn name(&self) -> Result<String, ConfigError> {
        Ok(self.text("text in quotes, on one line")?.trim().to_owned())
    }

    fn filled(&self, allowed: &str) -> Result<String, ConfigError> {
        let text = self.text(allowed)?.trim();
        if text.is_empty() {
            return Err(self.refuse(allowed));
        }
        Ok(text.to_owned())
    }

    fn device(&self) -> Result<String, ConfigError> {
        self.filled("\"default\" or the name of a sound device")
    }

    /// It goes to an option of a program.
    fn voice(&self) -> Result<String, ConfigError> {
        let allowed = "a voice variant of espeak-ng, as in \"f2\" or \"m3\", or \"\"";
        let text = self.text(allowed)?.trim();
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if text.chars().all(plain) { Ok(text.to_owned()) } else { Err(self.refuse(allowed)) }
    }

    fn path(&self) -> Result<PathBuf, ConfigError> {
        Ok(PathBuf::from(self.filled("a path in quotes")?))
    }

    fn switch(&self) -> Result<bool, ConfigError> {
        self.value.get_ref().as_bool().ok_or_else(|| self.refuse("true, false"))
    }

    fn number<T: TryFrom<i64> + Display + PartialOrd>(
        &self,
        range: RangeInclusive<T>,
    ) -> Result<T, ConfigError> {
        let number = self
            .value
            .get_ref()
            .as_integer()
            .and_then(|digits| i64::from_str_radix(digits.as_str(), digits.radix()).ok())
            .and_then(|number| T::try_from(number).ok());
        match number {
            Some(number) if range.contains(&number) => Ok(number),
            _ => Err(self.refuse(format!(
                "a whole number from {} to {}",
                range.start(),
                range.end()
            ))),
        }
    }

    /// From 0 to `most`.
    fn real(&self, most: f64) -> Result<f64, ConfigError> {
        let value = match self.value.get_ref() {
            DeValue::Float(float) => float.as_str().parse().ok(),
            DeValue::Integer(_) => self.number(0..=most as i64).ok().map(|n| n as f64),
            _ => None,
        };
        match value {
            Some(value) if (0.0..=most).contains(&value) => Ok(value),
            _ => Err(self.refuse(format!("a number from 0 to {most}"))),
        }
    }

    /// A list of texts, none of them empty.
    fn names(&self) -> Result<Vec<String>, ConfigError> {
        let refuse = || self.refuse("names in quotes, in brackets, as in [\"Ada\", \"Ben\"]");
        let list = self.value.get_ref().as_array().ok_or_else(refuse)?;
        list.iter()
            .map(|item| {
                let name = item.get_ref().as_str()?.trim();
                let plain = !name.is_empty() && !name.contains(char::is_control);
                plain.then(|| name.to_owned())
            })
            .collect::<Option<Vec<String>>>()
            .ok_or_else(refuse)
    }

    /// Three names of keys, or none.
    fn three_keys(&self) -> Result<Vec<String>, ConfigError> {
        let keys = self.names().unwrap_or_default();
        let empty = self.value.get_ref().as_array().is_some_and(|list| list.is_empty());
        if keys.len() == 3 || empty {
            return Ok(keys);
        }
        Err(self.refuse("three keys, as in [\"left\", \"right\", \"enter\"], or none: []"))
    }

    /// A list of times left, in seconds.
    fn seconds(&self) -> Result<Vec<u32>, ConfigError> {
        let refuse = || self.refuse("whole seconds from 1 to 86400 in brackets, as in [600, 60]");
        let list = self.value.get_ref().as_array().ok_or_else(refuse)?;
        list.iter()
            .map(|item| {
                let digits = item.get_ref().as_integer()?;
                let number = i64::from_str_radix(digits.as_str(), digits.radix()).ok()?;
                u32::try_from(number).ok().filter(|number| (1..=86_400).contains(number))
            })
            .collect::<Option<Vec<u32>>>()
            .ok_or_else(refuse)
    }

    fn one_of<T: Copy>(&self, known: &[(&str, T)]) -> Result<T, ConfigError> {
        let text = self.value.get_ref().as_str();
        match known.iter().find(|(name, _)| Some(*name) == text) {
            Some((_, value)) => Ok(*value),
            None => Err(self.refuse(
                known.iter().map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>().join(", "),
            )),
        }
    }

    fn time_control(&self) -> Result<TimeControl, ConfigError> {
        let allowed = "periods \"moves/minutes+seconds\", as in \"40/90+30:30+30\" or \"3+2\"";
        let text = self.text(allowed)?;
        text.parse().map_err(|error: annabella_core::game::clock::TimeControlError| {
            self.refuse(format!("{allowed} (character {}: {})", error.column, error.problem))
        })
    }

    fn fen(&self) -> Result<Option<String>, ConfigError> {
        let allowed = "a position in FEN, or \"\" for the usual one";
        let text = self.text(allowed)?.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let fen: Fen = text.parse().map_err(|error| self.refuse(format!("{allowed} ({error})")))?;
        // Refused here and not in the middle of a tournament hall: a position nobody can play on.
        fen.clone()
            .into_position::<Chess>(CastlingMode::Standard)
            .map_err(|error| self.refuse(format!("{allowed} ({error})")))?;
        Ok(Some(fen.to_string()))
    }

    fn listen(&self) -> Result<Option<SocketAddr>, ConfigError> {
        let allowed = "an address and a port, as in \"127.0.0.1:8080\", or \"\" for off";
        let text = self.text(allowed)?.trim();
        if text.is_empty() {
            return Ok(None);
        }
        text.parse().map(Some).map_err(|_| self.refuse(allowed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_reader_and_stands_in_the_example() {
        let example = Config::example();
        for (section, keys) in KEYS {
            let body = example
                .split(&format!("[{section}]\n"))
                .nth(1)
                .and_then(|rest| rest.split("\n[").next())
                .unwrap_or_else(|| panic!("[{section}] is missing"));
            for key in *keys {
                let line = body
                    .lines()
                    .map(|line| line.trim_start_matches("# "))
                    .find(|line| line.starts_with(&format!("{key} = ")))
                    .unwrap_or_else(|| panic!("[{section}] {key} is missing"));
                // Left out, Black hears as White does: these have no value of their own that says so.
                if key.starts_with("private_") && key != &"private_black" && key.ends_with("_black")
                {
                    let both = config(
                        &format!("[game]\nblind = \"both\"\n[{section}]\n{line}\n"),
                        "one.toml",
                    );
                    let set = both.map(|both| {
                        (both.speech.private_rate_black, both.speech.private_volume_black)
                    });
                    assert!(
                        matches!(set, Ok((Some(160), None) | (None, Some(100)))),
                        "{line}: {set:?}"
                    );
                    continue;
                }
                let mut parsed = config(&format!("[{section}]\n{line}\n"), "one.toml");
                // The older way of saying [clock] left has a default only by what it comes to.
                if let (Ok(parsed), ("buttons", "left")) = (&mut parsed, (*section, *key)) {
                    assert_eq!(parsed.presses_left(), Config::default().presses_left());
                    parsed.buttons.left = None;
                }
                assert_eq!(parsed, Ok(Config::default()), "[{section}] {line}");
            }
        }
    }
}
