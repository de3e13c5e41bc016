//! A text in parts of one tag section each, ready for the crate that reads moves.

use super::PgnError;

/// A word between blanks and brackets, with its line. Line 1 is the first.
pub(super) struct Word<'a> {
    pub(super) line: usize,
    pub(super) text: &'a str,
}

/// Tags, and what follows them up to the next ones.
#[derive(Default)]
pub(super) struct Part<'a> {
    /// Line, name and value.
    pub(super) tags: Vec<(usize, String, String)>,
    /// What was forgiven in the tags; the number of the game is not known yet.
    pub(super) forgiven: Vec<PgnError>,
    pub(super) words: Vec<Word<'a>>,
    /// The movetext. Behind each word its index stands as three signs `$n`, most significant first.
    pub(super) moves: String,
    /// The line of a brace that is open at the end.
    brace: Option<usize>,
}

/// Each index is written with this base: the signs hold one byte.
pub(super) const BASE: usize = 250;

/// The parts of a text. Its lines end in LF, CR or both.
pub(super) fn parts(text: &str) -> Vec<Part<'_>> {
    let text = text.trim_start_matches('\u{feff}');
    let mut parts = vec![Part::default()];
    for (n, line) in crate::outside::lines(text).enumerate() {
        // There is always one.
        let Some(mut part) = parts.last_mut() else { break };
        let begins = is_tag(line) && (part.brace.is_none() || line.starts_with("[Event "));
        if begins && !part.words.is_empty() {
            parts.push(Part::default());
            let Some(new) = parts.last_mut() else { break };
            part = new;
        }
        let rest = if begins { part.tags(n + 1, line) } else { line };
        part.movetext(n + 1, rest);
    }
    for part in &mut parts {
        part.moves.push_str("\n ");
    }
    parts
}

/// Whether a line begins as a tag does: `[White "` or `[White]`.
fn is_tag(line: &str) -> bool {
    let Some(inner) = line.trim_start().strip_prefix('[') else { return false };
    let after =
        inner.trim_start().trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    after.len() < inner.trim_start().len() && after.trim_start().starts_with(['"', ']', '“', '\''])
}

impl<'a> Part<'a> {
    /// Takes the tags that a line begins with; the rest is returned.
    fn tags(&mut self, line: usize, text: &'a str) -> &'a str {
        let mut rest = text.trim_start();
        while is_tag(rest) {
            let inner = rest.trim_start().trim_start_matches('[').trim_start();
            let name_ends = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let (name, after) = inner.split_at(name_ends.unwrap_or(inner.len()));
            let (value, after) = self.value(line, name, after.trim_start());
            self.tags.push((line, name.to_owned(), value));
            rest = after.trim_start();
        }
        rest
    }

    /// The value of a tag and what follows it. Where it is not written as it should be, it ends
    /// with the quote that stands before the bracket, and other quotes belong to it.
    fn value(&mut self, line: usize, name: &str, text: &'a str) -> (String, &'a str) {
        if let Some(written) = written(text) {
            return written;
        }
        let mut forgive = |what: &str| {
            self.forgiven.push(PgnError { line, what: format!("the tag {name} {what}") });
        };
        let Some(mut rest) = text.strip_prefix(['"', '“', '\'']) else {
            forgive("has no value in quotes");
            return (String::new(), text.strip_prefix(']').unwrap_or(text));
        };
        let mut value = String::new();
        let mut quoted = false;
        loop {
            let mut chars = rest.chars();
            let Some(c) = chars.next() else {
                forgive("has no end: a tag is written [Name \"value\"] on one line");
                return (value.trim_end_matches(']').trim_end().to_owned(), "");
            };
            let after = chars.as_str();
            rest = match (c, after.chars().next()) {
                ('\\', Some(escaped @ ('"' | '\\'))) if !ends(after, escaped) => {
                    value.push(escaped);
                    &after[1..]
                }
                ('"' | '”' | '\'', _) if end_of_tag(after).is_some() => {
                    if quoted {
                        forgive("has quotes inside its value: they are written \\\"");
                    }
                    // `end_of_tag` has just found it.
                    return (value, end_of_tag(after).unwrap_or_default());
                }
                (c, _) => {
                    quoted |= c == '"';
                    value.push(c);
                    after
                }
            };
        }
    }

    /// A line of movetext. An empty line would end the game, and so would a bracket at its begin.
    fn movetext(&mut self, line: usize, text: &'a str) {
        let mut rest = text;
        if text.is_empty() || text.starts_with('[') {
            self.moves.push(' ');
        }
        let separates = |c: char| c.is_whitespace() || "{}();".contains(c) || c.is_control();
        while let Some(c) = rest.chars().next() {
            if separates(c) {
                self.brace = match c {
                    '{' if self.brace.is_none() => Some(line),
                    '}' => None,
                    _ => self.brace,
                };
                self.moves.push(if c.is_control() { ' ' } else { c });
                rest = &rest[c.len_utf8()..];
                continue;
            }
            let (word, after) = rest.split_at(rest.find(separates).unwrap_or(rest.len()));
            rest = after;
            // Marks of good and bad moves would be signs of their own.
            let bare = word.split('$').next().unwrap_or_default();
            self.moves.extend(bare.chars().filter(|c| !matches!(c, '!' | '?')));
            let n = self.words.len();
            let [high, middle, low] = [n / BASE / BASE % BASE, n / BASE % BASE, n % BASE];
            self.moves.push_str(&format!(" ${high} ${middle} ${low} "));
            self.words.push(Word { line, text: bare });
        }
        self.moves.push('\n');
    }

    /// The line where a comment begins that never ends.
    pub(super) fn open_comment(&self) -> Option<usize> {
        self.brace
    }
}

/// The value of a tag that is written as the standard has it, and what follows it. `None`: it is
/// not.
fn written(text: &str) -> Option<(String, &str)> {
    let (mut rest, mut value) = (text.strip_prefix('"')?.chars(), String::new());
    loop {
        match rest.next()? {
            '"' => return Some((value, end_of_tag(rest.as_str())?)),
            '\\' => {
                let escaped = rest.clone().next().filter(|next| matches!(next, '"' | '\\'));
                value.push(escaped.unwrap_or('\\'));
                if escaped.is_some() {
                    rest.next();
                }
            }
            c => value.push(c),
        }
    }
}

/// Whether an escaped quote is the last one of its tag: a path ends in a backslash, `"C:\"]`.
fn ends(after: &str, escaped: char) -> bool {
    escaped == '"' && end_of_tag(&after[1..]).is_some()
}

/// What follows the bracket that closes a tag here, if it does: nothing, another tag or a comment.
fn end_of_tag(after: &str) -> Option<&str> {
    let rest = after.trim_start().strip_prefix(']')?;
    let next = rest.trim_start();
    (next.is_empty()
        || next.starts_with(['[', '{', ';', '1'])
        || next.starts_with(char::is_control))
    .then_some(rest)
}
