//! The words of the main line, as the crate finds them.

use std::ops::ControlFlow;

use pgn_reader::{Nag, Outcome, RawComment, Reader, SanPlus, Skip, Visitor};

use super::{
    PgnError, PgnFile, Reading, result,
    tidy::{BASE, Part, Word},
};

/// Reads the games of one part, most often one, into the file.
pub(super) fn read(part: &Part<'_>, file: &mut PgnFile) {
    let number = file.games.len() + 1;
    let mut reading = Reading::new(number);
    for (line, name, value) in &part.tags {
        reading.tag(*line, name, value, &mut file.warnings);
    }
    let mut games = Games {
        part,
        file,
        reading: Some(reading),
        san: None,
        signs: Vec::new(),
        variation: None,
        last: part.words.first().map_or(1, |word| word.line),
    };
    let forgiven = part.forgiven.iter().map(|PgnError { line, what }| PgnError {
        line: *line,
        what: format!("game {number}: {what}"),
    });
    games.file.warnings.extend(forgiven);
    let mut reader = Reader::new(part.moves.as_bytes());
    loop {
        match reader.read_game(&mut games) {
            Ok(Some(())) => {}
            Ok(None) => break,
            // Nothing but a comment without an end stops it: the text is in memory.
            Err(_) => {
                let line = part.open_comment().unwrap_or(games.last);
                games.fail(line, "the comment that begins here has no '}'");
                break;
            }
        }
    }
    if let Some(line) = games.variation {
        games.fail(line, "a variation that begins here has no ')'");
    }
    games.finish(None);
}

struct Games<'a, 'p> {
    part: &'a Part<'p>,
    file: &'a mut PgnFile,
    reading: Option<Reading>,
    /// The move that the crate has found in the word to come.
    san: Option<SanPlus>,
    /// The signs of the index of that word, as far as they have come.
    signs: Vec<u8>,
    /// The line of a variation that is open.
    variation: Option<usize>,
    /// The line of the last word.
    last: usize,
}

impl Games<'_, '_> {
    fn new_reading(&self) -> Reading {
        Reading::new(self.file.games.len() + 1)
    }

    fn fail(&mut self, line: usize, what: &str) {
        let mut reading = self.reading.take().unwrap_or_else(|| self.new_reading());
        reading.fail(line, format!("game {}: {what}", reading.number));
        self.reading = Some(reading);
    }

    fn forgive(&mut self, line: usize, what: &str) {
        let game =
            self.reading.as_ref().map_or(self.file.games.len() + 1, |reading| reading.number);
        let what = format!("game {game}: {what}");
        self.file.warnings.push(PgnError { line, what });
    }

    fn finish(&mut self, result: Option<&str>) {
        if let Some(reading) = self.reading.take().filter(|reading| !reading.is_empty()) {
            self.file.games.push(reading.finish(result));
        }
    }

    /// A word of the main line. Everything in it that is no move number is told apart here.
    fn word(&mut self, word: &Word<'_>) {
        let (line, san) = (word.line, self.san.take());
        self.last = line;
        if let Some(standard) = result(word.text) {
            if !matches!(word.text, "1-0" | "0-1" | "1/2-1/2" | "*") {
                self.forgive(line, &format!("'{}' is read as {standard}", word.text));
            }
            return self.finish(Some(standard));
        }
        let text = without_number(word.text);
        if text.is_empty() || is_sign(text) {
            return;
        }
        if is_remark(text) && san.is_none() {
            return self.forgive(line, &format!("'{text}' is passed over"));
        }
        let mut reading = self.reading.take().unwrap_or_else(|| self.new_reading());
        if reading.failed.is_none() {
            match text.trim_end_matches(['!', '?']) {
                "Z0" | "--" | "@@@@" | "<>" | "null" => reading.null(line, text),
                _ => {
                    let san = san.filter(|san| begins_with(text, san));
                    reading.mv(line, san.map(|san| san.san), text, &mut self.file.warnings);
                }
            }
        }
        self.reading = Some(reading);
    }
}

/// `9.Nbd2` without its number, and nothing of `9...`; `0-0` stays.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() || rest.starts_with(['.', '…']) {
        rest.trim_start_matches(['.', '…'])
    } else {
        word
    }
}

/// Whether a word begins with this move, but for a number. The crate passes over what it cannot
/// read, and finds a move behind it: `--e4`, `0-0e4`.
fn begins_with(word: &str, san: &SanPlus) -> bool {
    let bare = match word.starts_with("0-0") {
        true => word.replace('0', "O"),
        false => word.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned(),
    };
    SanPlus::from_ascii_prefix(bare.as_bytes()).is_ok_and(|(first, _)| first == *san)
}

/// Signs that stand apart from their move and mean nothing for the game: of check, of a judgement.
fn is_sign(text: &str) -> bool {
    text.chars().all(|c| "!?+#=/".contains(c)) || matches!(text, "e.p." | "ep" | "e.p")
}

/// What programs write between moves: judgements by signs, novelties, diagrams.
fn is_remark(text: &str) -> bool {
    let judges = |c: char| "+-/=~∞±∓⩲⩱→↑⇆□⊥△⌓×#^\\|\"'*,.:_[]<>".contains(c);
    (text != "--" && text != "<>" && text.chars().all(judges))
        || matches!(text, "N" | "TN" | "D" | "RR" | "NN" | "n" | "ff" | "unclear" | "ef" | "dr")
}

impl Visitor for Games<'_, '_> {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        self.san = Some(san);
        ControlFlow::Continue(())
    }

    fn nag(&mut self, (): &mut (), nag: Nag) -> ControlFlow<()> {
        self.signs.push(nag.0);
        if let [high, middle, low] = self.signs[..] {
            self.signs.clear();
            let index =
                [high, middle, low].into_iter().fold(0, |n, sign| n * BASE + usize::from(sign));
            let part = self.part;
            if let Some(word) = part.words.get(index) {
                self.word(word);
            }
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), _: RawComment<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        self.variation = Some(self.last);
        ControlFlow::Continue(Skip(true))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<()> {
        if self.variation.take().is_none() {
            self.forgive(self.last, "a ')' closes nothing");
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, (): &mut (), _: Outcome) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}
