//! From TOML with spans to [`Config`].

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    Config, ConfigError,
    entry::{Entry, Source, one_line},
    keys::KEYS,
    place::AsWritten,
};
use annabella_words::text::unix_lines;

/// An editor of old wrote it.
pub(super) const NOT_UTF_8: &str =
    "it is not saved as UTF-8: save it so, or use iconv -f latin1 -t utf-8";

/// Notepad calls it Unicode.
pub(super) const UTF_16: &str =
    "it is saved as UTF-16: save it as UTF-8, or use iconv -f utf-16 -t utf-8";

/// What is wrong with a line that is no TOML, in words for whoever typed it.
fn syntax(line: &str, message: &str) -> String {
    let line = line.trim();
    if message.contains("duplicate key") {
        return match line.strip_prefix('[').and_then(|line| line.split_once(']')) {
            Some((section, _)) => {
                format!("[{section}] stands there twice: put the keys of both under the first")
            }
            None => {
                let key = line.split('=').next().unwrap_or_default().trim();
                format!("'{key}' stands there twice: delete one of the two lines")
            }
        };
    }
    if line.contains(|c: char| c.is_whitespace() && !c.is_ascii()) {
        return "a blank of this line is a special one: delete its blanks and type them anew"
            .to_owned();
    }
    if line.starts_with('[') && !line.contains('=') {
        return "a section stands in brackets, alone on its line, as in [game]".to_owned();
    }
    let Some((key, value)) = line.split_once('=').map(|(key, value)| (key.trim(), value.trim()))
    else {
        return "a line is a section, as in [game], a key with = and a value, as in white = \"Anna\", \
                or a remark after #"
            .to_owned();
    };
    let is_key = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.chars().all(is_key) {
        return format!("'{}' is no key: a key has letters a to z and _", one_line(key));
    }
    if line.contains(['„', '“', '”', '‚', '‘', '’', '«', '»']) {
        return format!("quotes must be straight: {key} = \"…\"");
    }
    if let Some(meant) = meant(value.split('#').next().unwrap_or_default().trim()) {
        return format!("write {key} = {meant}");
    }
    match value.chars().next() {
        None | Some('#') => format!("the value is missing: {key} = …"),
        Some('"') if value.matches('"').count() == 1 => {
            format!("a quote is missing: {key} = \"…\"")
        }
        Some('"') if value.contains('\\') => {
            format!("a backslash means something else in \"…\": write {key} = '…'")
        }
        Some('"' | '\'') => {
            "behind the value nothing may stand but a remark after #; each key has a line of its own"
                .to_owned()
        }
        Some('[' | '{') => one_line(message),
        Some(_) => format!("quotes are missing: {key} = \"…\""),
    }
}

/// A number or a switch as people write them, in TOML.
fn meant(value: &str) -> Option<String> {
    match value.to_lowercase().as_str() {
        "true" | "yes" | "on" | "ja" | "an" | "ein" => return Some("true".to_owned()),
        "false" | "no" | "off" | "nein" | "aus" => return Some("false".to_owned()),
        _ => {}
    }
    let number = value.trim_end_matches(['%', ' ']).replace(',', ".").replace([' ', '\''], "");
    let plain = number.chars().all(|c| c.is_ascii_digit() || c == '.');
    let read: f64 = number.parse().ok().filter(|_| plain)?;
    Some(read.to_string())
}

pub(super) fn config(text: &str, file: &str) -> Result<Config, ConfigError> {
    let text = &*unix_lines(text);
    let source = Source { text, file };
    let document = DeTable::parse(text).map_err(|error| {
        let line = source.line(error.span().map_or(0, |span| span.start));
        let written = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        let problem = syntax(written, error.message());
        ConfigError(format!("{file}:{line}: {problem}"))
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
        None => {
            let written = AsWritten { source, document: document.get_ref() };
            let problem = config.check_wires().err();
            match problem.or_else(|| super::seats::check(&config, written)) {
                Some(problem) => Err(ConfigError(written.told(&problem))),
                None => Ok(config),
            }
        }
    }
}

type Problem = (usize, ConfigError);
type Written<'i> = Spanned<std::borrow::Cow<'i, str>>;

impl Source<'_> {
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

    fn misplaced(self, line: usize, key: &str, section: &str) -> String {
        let file = self.file;
        format!("{file}:{line}: key '{key}' stands in the wrong place; put it under [{section}]")
    }

    fn section(
        self,
        name: &Written<'_>,
        value: &Spanned<DeValue<'_>>,
        config: &mut Config,
        problems: &mut Vec<Problem>,
    ) {
        let offset = name.span().start;
        let (file, line) = (self.file, self.line(offset));
        let known = KEYS.iter().find(|(section, _)| *section == name.get_ref().as_ref());
        let Some((section, keys)) = known else {
            let written = one_line(name.get_ref());
            let is_key = !value.get_ref().is_table();
            let problem = match home(&written) {
                Some(section) if is_key => self.misplaced(line, &written, section),
                _ if is_key => format!(
                    "{file}:{line}: '{written}' stands above all sections: put it below its own, as in \
                     [game]"
                ),
                _ => {
                    let nearest = nearest(&written, KEYS.iter().map(|(section, _)| *section));
                    format!("{file}:{line}: unknown section [{written}]; did you mean [{nearest}]?")
                }
            };
            problems.push((offset, ConfigError(problem)));
            return;
        };
        let Some(table) = value.get_ref().as_table() else {
            let problem = format!(
                "{file}:{line}: '{section}' is a section; write [{section}] once, on a line of its own, and its keys below"
            );
            problems.push((offset, ConfigError(problem)));
            return;
        };
        for (key, _) in table {
            let written = key.get_ref().as_ref();
            if !keys.iter().any(|known| known.name == written) {
                let offset = key.span().start;
                let (line, key) = (self.line(offset), one_line(written));
                let problem = match home(&key) {
                    Some(section) => self.misplaced(line, &key, section),
                    None => {
                        let nearest = nearest(&key, keys.iter().map(|known| known.name));
                        format!(
                            "{file}:{line}: unknown key '{key}' in [{section}]; did you mean '{nearest}'?"
                        )
                    }
                };
                problems.push((offset, ConfigError(problem)));
            }
        }
        for known in *keys {
            let written = table.iter().find(|(key, _)| key.get_ref() == known.name);
            let Some((key, value)) = written else { continue };
            let entry = Entry { source: self, section, key: known.name, value };
            if let Err(problem) = (known.set)(&entry, config) {
                problems.push((key.span().start, problem));
            }
        }
    }
}

/// The only section that has this key, if there is just one. What Black's board has White's has
/// too.
fn home(key: &str) -> Option<&'static str> {
    let sections = KEYS.iter().filter(|(section, _)| *section != "board_black");
    let mut homes = sections
        .filter(|(_, keys)| keys.iter().any(|known| known.name == key))
        .map(|(section, _)| *section);
    homes.next().filter(|_| homes.next().is_none())
}

fn nearest(written: &str, known: impl Iterator<Item = &'static str>) -> &'static str {
    known.min_by_key(|known| strsim::damerau_levenshtein(written, known)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{super::keys::Key, *};

    #[test]
    fn every_key_has_a_reader_and_stands_in_the_example() {
        let example = Config::example();
        for (section, keys) in KEYS {
            let body = example
                .split(&format!("[{section}]\n"))
                .nth(1)
                .and_then(|rest| rest.split("\n[").next())
                .unwrap_or_else(|| panic!("[{section}] is missing"));
            for Key { name: key, .. } in *keys {
                let line = body
                    .lines()
                    .map(|line| line.trim_start_matches("# "))
                    .find(|line| line.starts_with(&format!("{key} = ")))
                    .unwrap_or_else(|| panic!("[{section}] {key} is missing"));
                // Left out, Black hears as White does: these have no value of their own that says
                // so.
                if key.starts_with("private_") && *key != "private_black" && key.ends_with("_black")
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
