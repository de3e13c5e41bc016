//! Whole game scores: many entries, each as it was written.

use shakmaty::{Chess, Move, Position};

use super::{
    InForce, Letters, NotationError, PieceLetters, Read, read,
    reader::{is_notation, without_number},
};

/// One entry of a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// As written, without the move number.
    pub as_written: String,
    /// Half-move number in this score, the first is 1.
    pub ply: u32,
    /// The move, or the error. All entries behind the first error are
    /// [`NotationError::NotReached`].
    pub result: Result<Read, NotationError>,
}

/// A score as far as it could be read; nothing written is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreReading {
    /// The piece letters it was read with; `None` when they were the player's own.
    pub language: Option<PieceLetters>,
    /// The position that the score begins with.
    pub start: Chess,
    /// All entries, in order.
    pub entries: Vec<Entry>,
    /// The result at the end, as written.
    pub outcome: Option<String>,
}

impl ScoreReading {
    /// The moves up to the first entry that could not be read.
    pub fn moves(&self) -> Vec<Move> {
        self.entries
            .iter()
            .map_while(|entry| entry.result.as_ref().ok())
            .map(|read| read.mv)
            .collect()
    }

    /// The first entry that could not be read.
    pub fn first_error(&self) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.result.is_err())
    }

    /// The position behind the last entry that could be read.
    pub fn position(&self) -> Chess {
        let mut pos = self.start.clone();
        for mv in self.moves() {
            // Each move was found among the legal ones of the position before it.
            pos.play_unchecked(mv);
        }
        pos
    }
}

/// Reads a whole score sheet where the letters of a language are in force: `1. e4 e5 2. Nf3 …`.
/// Numbers may be glued to the moves, stand alone or lack their dot. `(=)` and `e.p.` may stand
/// apart. Comments in braces are skipped. A result ends the score.
///
/// The letters in force count, unless other languages have more of the entries for notation at all:
/// a sheet with `Sf3` in it is not English, and one with `Bc4` may be. Whether a move is legal
/// decides nothing here: an illegal move stays one. Where languages in which equally many entries
/// are notation read them differently, the entry is ambiguous and reading ends.
pub fn read_sheet(start: &Chess, text: &str, in_force: PieceLetters) -> ScoreReading {
    read_sheet_in_force(start, text, &InForce { letters: in_force, packs: Vec::new() })
}

/// The same where moves may be in words too: one on a line, or between commas.
pub fn read_sheet_in_force(start: &Chess, text: &str, in_force: &InForce<'_>) -> ScoreReading {
    let (entries, outcome) = split(text, &|part| in_force.is_said(part));
    ScoreReading { outcome, ..best(start, &entries, in_force) }
}

/// [`read_sheet`] where nobody has said whose letters are in force: the English ones.
pub fn read_score(start: &Chess, text: &str) -> ScoreReading {
    read_sheet(start, text, PieceLetters::English)
}

/// The same as [`read_score`] for entries that are already apart.
pub fn read_entries<S: AsRef<str>>(start: &Chess, entries: &[S]) -> ScoreReading {
    read_list(start, entries, &InForce { letters: PieceLetters::English, packs: Vec::new() })
}

/// The same as [`read_sheet_in_force`] for entries that are already apart, as in a list. A result
/// at the end is not an entry.
pub fn read_list<S: AsRef<str>>(
    start: &Chess,
    entries: &[S],
    in_force: &InForce<'_>,
) -> ScoreReading {
    let mut entries: Vec<String> =
        entries.iter().map(|entry| without_number(entry.as_ref().trim()).to_owned()).collect();
    let outcome = entries.pop_if(|last| is_result(last));
    ScoreReading { outcome, ..best(start, &entries, in_force) }
}

/// The language of a sheet's letters: the one in force, unless another has more of its entries for
/// notation.
pub(crate) fn letters_of_sheet<S: AsRef<str>>(
    entries: &[S],
    in_force: PieceLetters,
) -> PieceLetters {
    let count = |language| notation(entries, language);
    let most = PieceLetters::ALL.into_iter().map(count).max().unwrap_or(0);
    let first = PieceLetters::ALL.into_iter().find(|language| count(*language) == most);
    if count(in_force) == most { in_force } else { first.unwrap_or(in_force) }
}

/// How many of the entries are notation in these letters.
fn notation<S: AsRef<str>>(entries: &[S], language: PieceLetters) -> usize {
    let letters = Letters::known(language);
    entries.iter().filter(|entry| is_notation(entry.as_ref(), letters)).count()
}

fn best(start: &Chess, entries: &[String], words: &InForce<'_>) -> ScoreReading {
    let in_force = words.letters;
    let counts = PieceLetters::ALL.map(|language| (language, notation(entries, language)));
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let reading = |language: PieceLetters| {
        let letters = Letters::known(language);
        let entries = read_split(start, entries, letters, words);
        let language = Some(language);
        ScoreReading { language, start: start.clone(), entries, outcome: None }
    };
    if notation(entries, in_force) == most {
        return reading(in_force);
    }
    let mut readings: Vec<(usize, ScoreReading)> = counts
        .into_iter()
        .filter(|(_, count)| *count == most)
        .map(|(language, _)| reading(language))
        .map(|reading| (reading.moves().len(), reading))
        .collect();
    let most = readings.iter().map(|(read, _)| *read).max().unwrap_or(0);
    readings.retain(|(read, _)| *read == most);
    readings.sort_by_key(|(_, reading)| understood(reading));
    let mut equal = readings.into_iter().map(|(_, reading)| reading);
    let Some(mut chosen) = equal.next() else { return reading(in_force) };
    for other in equal {
        mark_difference(&mut chosen, &other);
    }
    chosen
}

/// How far the first bad entry was understood. 0: all of the score is read. 1: it is a move, but
/// illegal or ambiguous. 2: it is no notation in this language.
fn understood(reading: &ScoreReading) -> u8 {
    match reading.first_error().map(|entry| &entry.result) {
        Some(Err(NotationError::Unreadable { .. })) => 2,
        Some(_) => 1,
        None => 0,
    }
}

/// Turns the first entry that two languages read differently into an ambiguous one.
fn mark_difference(chosen: &mut ScoreReading, other: &ScoreReading) {
    let differing = chosen
        .entries
        .iter()
        .zip(&other.entries)
        .position(|(a, b)| matches!((&a.result, &b.result), (Ok(a), Ok(b)) if a.mv != b.mv));
    let Some(n) = differing else {
        return;
    };
    let moves = [&chosen.entries[n], &other.entries[n]]
        .into_iter()
        .filter_map(|entry| entry.result.as_ref().ok().map(|read| read.mv))
        .collect();
    chosen.entries[n].result =
        Err(NotationError::Ambiguous { text: chosen.entries[n].as_written.clone(), moves });
    for entry in &mut chosen.entries[n + 1..] {
        entry.result = not_reached(&entry.as_written);
    }
}

fn not_reached(text: &str) -> Result<Read, NotationError> {
    Err(NotationError::NotReached { text: text.to_owned() })
}

fn read_split(
    start: &Chess,
    entries: &[String],
    letters: &Letters,
    words: &InForce<'_>,
) -> Vec<Entry> {
    let mut pos = Some(start.clone());
    let mut ply = 0;
    entries
        .iter()
        .map(|as_written| {
            ply += 1;
            let result = match pos.take() {
                Some(mut before) => match read(&before, as_written, letters) {
                    Err(own @ NotationError::Unreadable { .. }) => {
                        words.in_words(&before, as_written).unwrap_or(Err(own))
                    }
                    read => read,
                }
                .inspect(|read| {
                    // Only legal moves are read.
                    before.play_unchecked(read.mv);
                    pos = Some(before);
                }),
                None => not_reached(as_written),
            };
            Entry { as_written: as_written.clone(), ply, result }
        })
        .collect()
}

/// The moves as written, without numbers and comments, and the result. `is_said`: whether a part is
/// a move in words.
fn split(text: &str, is_said: &dyn Fn(&str) -> bool) -> (Vec<String>, Option<String>) {
    let mut entries: Vec<String> = Vec::new();
    let bare = without_comments(text);
    let parts = bare.lines().flat_map(|line| line.split(','));
    if parts.clone().any(|part| is_said(without_number(part.trim()))) {
        for part in parts.filter(|part| !part.trim().is_empty()) {
            let part = without_number(part.trim());
            if is_said(part) {
                entries.push(part.to_owned());
                continue;
            }
            let (written, outcome) = split(part, &|_| false);
            entries.extend(written);
            if outcome.is_some() {
                return (entries, outcome);
            }
        }
        return (entries, None);
    }
    for token in bare.split_whitespace() {
        let token = strip_glued_number(token);
        if token.is_empty() {
            continue;
        }
        if is_result(token) {
            return (entries, Some(token.to_owned()));
        }
        match entries.last_mut() {
            Some(last) if belongs_to_last(token) => {
                last.push(' ');
                last.push_str(token);
            }
            _ => entries.push(token.to_owned()),
        }
    }
    (entries, None)
}

fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut inside = false;
    for c in text.chars() {
        match c {
            '{' => inside = true,
            '}' if inside => {
                inside = false;
                kept.push(' ');
            }
            c if !inside => kept.push(c),
            _ => {}
        }
    }
    kept
}

/// `9`, `9.`, `9...`, `...` become nothing, `9.Nbd2` becomes `Nbd2`, `0-0` stays.
fn strip_glued_number(token: &str) -> &str {
    let rest = token.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() || rest.starts_with(['.', '…']) {
        rest.trim_start_matches(['.', '…'])
    } else {
        token
    }
}

pub(super) fn is_result(token: &str) -> bool {
    matches!(
        token,
        "1-0" | "0-1" | "1:0" | "0:1" | "1/2-1/2" | "½-½" | "½:½" | "1/2:1/2" | "½" | "1/2" | "*"
    ) || matches!(token, "1–0" | "0–1" | "½–½" | "1/2–1/2")
}

/// Signs that stand apart from the move they belong to.
fn belongs_to_last(token: &str) -> bool {
    token.starts_with(['(', '=', '+', '#', '!', '?', '†', '‡', '$'])
        || matches!(token, "e.p." | "e.p" | "ep" | "ep." | "е.р." | "е.р" | "ер" | "e." | "p.")
}
