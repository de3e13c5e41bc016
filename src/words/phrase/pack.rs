//! Language packs: how squares, pieces, moves, prompts and commands sound and are heard.
//!
//! A pack is one TOML file (`voices/README.md` explains it). It is taken whole, or refused with the
//! list of its faults.

use std::collections::BTreeMap;

use shakmaty::{CastlingSide, Color, File, Piece, Rank, Role, Square};
use toml::Table;

use super::{
    bounds,
    builtin::is_builtin,
    command::{self, Command, KINDS, Wanted, diagonals},
    hear::Confusions,
    loosely::TypedWords,
    move_words::{MoveWords, ROLES},
    normal::normal_words,
    note::{Note, Notes},
    numbers::{Noun, Numbers},
    pages::PageText,
    papers::PaperText,
    reader::{Reader, strings, white_black},
    setup::{SetupWord, SetupWords},
    spoken::one_word_from_move,
    template::{self, Template},
    timing::TypedTime,
    typed::{self, TypedPhrase},
};
pub use super::{
    builtin::{builtin, builtin_language, builtin_languages, builtin_names},
    move_words::Word,
    reader::{PackError, Problem},
};
use crate::text::{toml_fault, unix_lines};

/// A kind of piece in prompts and requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PieceNoun {
    pub(super) one: String,
    pub(super) object: String,
    /// Several of them, by themselves: `Bauern`.
    pub(super) several: String,
    white: [String; 2],
    black: [String; 2],
    counted: Noun,
    pub(super) asked: Vec<String>,
}

impl PieceNoun {
    fn read(mut reader: Reader<'_>, numbers: &Numbers, problems: &mut Vec<Problem>) -> PieceNoun {
        let counted = Noun::read(&mut reader, numbers.plural, problems);
        // The counted noun has reported it if it is not there.
        let one = reader.text("one", &mut Vec::new());
        let object = reader.spoken("object", problems);
        let several = reader.spoken("several", problems);
        let mut pair =
            |plain, object| [reader.spoken(plain, problems), reader.spoken(object, problems)];
        let white = pair("white", "white-object");
        let black = pair("black", "black-object");
        let asked = reader.texts("asked", problems);
        reader.finish(problems);
        PieceNoun { one, object, several, white, black, counted, asked }
    }

    pub(super) fn colored(&self, color: Color) -> &str {
        &color.fold_wb(&self.white, &self.black)[0]
    }

    pub(super) fn colored_object(&self, color: Color) -> &str {
        &color.fold_wb(&self.white, &self.black)[1]
    }
}

/// `Anna = ["안나"]`.
fn read_spellings(
    mut reader: Reader<'_>,
    problems: &mut Vec<Problem>,
) -> BTreeMap<String, Vec<String>> {
    let mut spellings = BTreeMap::new();
    for (word, value) in reader.entries() {
        match strings(value) {
            Some(variants) => {
                let variants = variants.iter().map(|text| text.to_lowercase()).collect();
                spellings.insert(word.to_lowercase(), variants);
            }
            None => problems.push(reader.wrong(word, "is not a list of spellings")),
        }
    }
    reader.finish(problems);
    spellings
}

/// A phrase of a command: the words before and after the thing that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CommandPhrase {
    /// Index into [`KINDS`].
    pub(super) kind: usize,
    pub(super) text: String,
    pub(super) before: Vec<String>,
    pub(super) after: Vec<String>,
    /// It may be one word beside an announcement, as "Reihe vier" is beside "Eva vier". Heard so,
    /// it is asked about before it is answered.
    pub(super) near: bool,
}

/// A phrase of a command with what it names.
pub(super) struct Phrased {
    /// Index into [`KINDS`].
    pub(super) kind: usize,
    pub(super) text: String,
    pub(super) command: Command,
    /// One word beside an announcement, and meant to be.
    pub(super) near: bool,
}

/// `near`: the phrases that may be so near to announcements, of as many commands as there are.
fn read_commands(
    reader: &mut Reader<'_>,
    near: bool,
    problems: &mut Vec<Problem>,
) -> Vec<CommandPhrase> {
    let mut phrases = Vec::new();
    for (kind, (key, wanted, command)) in KINDS.iter().enumerate() {
        if near && !reader.has(key) {
            continue;
        }
        let mut texts = reader.texts(key, problems);
        if *command == Command::Adjust && !near {
            texts.extend(command::ADJUST.map(str::to_owned));
        }
        for text in texts {
            let (before, after) = match wanted.placeholder() {
                None => (text.as_str(), ""),
                Some(name) => match text.split_once(name) {
                    Some(halves) => halves,
                    None => {
                        problems.push(reader.wrong(key, format!("'{text}' lacks {name}")));
                        continue;
                    }
                },
            };
            if before.contains(['{', '}']) || after.contains(['{', '}']) {
                problems.push(reader.wrong(key, format!("'{text}' has a brace too many")));
                continue;
            }
            let (before, after) = (normal_words(before), normal_words(after));
            if before.is_empty() && after.is_empty() {
                problems.push(reader.wrong(key, format!("'{text}' has no word of its own")));
                continue;
            }
            phrases.push(CommandPhrase { kind, text, before, after, near });
        }
    }
    phrases
}

/// `"7.5.3" = "…"`.
fn read_articles(mut reader: Reader<'_>, problems: &mut Vec<Problem>) -> BTreeMap<String, String> {
    let numbers: Vec<&String> = reader.entries().into_iter().map(|(number, _)| number).collect();
    let texts = numbers.into_iter().map(|n| (n.clone(), reader.text(n, problems))).collect();
    reader.finish(problems);
    texts
}

/// What a table that may be missing holds.
fn optional<T: Default>(
    root: &mut Reader<'_>,
    key: &str,
    problems: &mut Vec<Problem>,
    read: impl FnOnce(Reader<'_>, &mut Vec<Problem>) -> T,
) -> T {
    if root.has(key) { read(root.table(key, problems), problems) } else { T::default() }
}

pub(super) fn read_toml(toml: &str) -> Result<Table, PackError> {
    if toml.len() > bounds::BYTES {
        return Err(PackError::TooLarge(format!(
            "{} bytes, at most {}",
            toml.len(),
            bounds::BYTES
        )));
    }
    let text = unix_lines(toml);
    let table: Table = text.parse().map_err(|err| PackError::Toml(toml_fault(&text, &err)))?;
    // What is built in is measured by a test, not at each start.
    let excess = if is_builtin(toml) { None } else { bounds::excess(&table) };
    match excess {
        Some(what) => Err(PackError::TooLarge(what)),
        None => Ok(table),
    }
}

/// A language pack, complete and without contradictions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pack {
    code: String,
    language: String,
    espeak: String,
    speech_dispatcher: String,
    pub(super) words: MoveWords,
    nouns: Vec<PieceNoun>,
    sides: [String; 2],
    lacking: [String; 2],
    players: [String; 2],
    pub(super) numbers: Numbers,
    pub(super) templates: Vec<Template>,
    pub(super) commands: Vec<CommandPhrase>,
    /// Phrases that are typed and not listened for.
    pub(super) typed: Vec<TypedPhrase>,
    pub(super) typed_words: TypedWords,
    pub(super) intending: Vec<Vec<String>>,
    pub(super) typed_time: TypedTime,
    pub(super) setup: SetupWords,
    pub(super) confusions: Confusions,
    /// How models of other languages spell a word, both in lower case.
    pub(super) spellings: BTreeMap<String, Vec<String>>,
    /// In the order of [`PageText::ALL`]; empty if this language has no pages.
    pages: Vec<String>,
    /// In the order of [`PaperText::ALL`]; empty if this language has no papers.
    papers: Vec<String>,
    notes: Notes,
    /// The rules of the Laws in short, by the numbers of their articles.
    articles: BTreeMap<String, String>,
}

impl Pack {
    /// Reads a pack.
    ///
    /// # Errors
    /// [`PackError::Toml`] if it is no TOML, [`PackError::TooLarge`] if it has more of anything
    /// than a pack has. Otherwise [`PackError::Unfinished`] with everything missing, unknown or
    /// contradictory in one list.
    pub fn parse(toml: &str) -> Result<Pack, PackError> {
        // What is built in is compared with itself by a test, not at each start.
        Pack::read(&read_toml(toml)?, !is_builtin(toml))
    }

    pub(super) fn read(table: &Table, compared: bool) -> Result<Pack, PackError> {
        let mut problems = Vec::new();
        let mut root = Reader::root(table);
        let mut about = root.table("pack", &mut problems);
        let code = about.text("code", &mut problems);
        let language = about.text("language", &mut problems);
        let espeak = about.text("espeak", &mut problems);
        let speech_dispatcher = about.text("speech-dispatcher", &mut problems);
        about.finish(&mut problems);
        let words = MoveWords::read(root.table("moves", &mut problems), &mut problems);
        let numbers = Numbers::read(root.table("numbers", &mut problems), &mut problems);
        let mut pieces = root.table("pieces", &mut problems);
        let nouns = ROLES
            .iter()
            .map(|role| {
                let table = pieces.table(role, &mut problems);
                PieceNoun::read(table, &numbers, &mut problems)
            })
            .collect();
        pieces.finish(&mut problems);
        let sides = white_black(root.table("sides", &mut problems), &mut problems);
        let lacking = white_black(root.table("lacking", &mut problems), &mut problems);
        let players = white_black(root.table("players", &mut problems), &mut problems);
        let templates = template::read_all(root.table("prompts", &mut problems), &mut problems);
        let mut reader = root.table("commands", &mut problems);
        let mut commands = read_commands(&mut reader, false, &mut problems);
        let intending = reader
            .texts("intending", &mut problems)
            .iter()
            .map(|text| normal_words(text))
            .collect();
        reader.finish(&mut problems);
        if root.has("near") {
            let mut reader = root.table("near", &mut problems);
            commands.extend(read_commands(&mut reader, true, &mut problems));
            reader.finish(&mut problems);
        }
        let typed = optional(&mut root, "typed", &mut problems, typed::read);
        let typed_words = optional(&mut root, "typed-words", &mut problems, TypedWords::read);
        let typed_time = optional(&mut root, "typed-time", &mut problems, TypedTime::read);
        let setup = SetupWords::read(root.table("setup", &mut problems), &words, &mut problems);
        let confusions = optional(&mut root, "confusions", &mut problems, Confusions::read);
        let spellings = optional(&mut root, "spellings", &mut problems, read_spellings);
        let pages = optional(&mut root, "pages", &mut problems, PageText::read);
        let papers = optional(&mut root, "papers", &mut problems, PaperText::read);
        let notes = optional(&mut root, "notes", &mut problems, |reader, problems| {
            Notes::read(reader, sides.clone(), problems)
        });
        let articles = optional(&mut root, "articles", &mut problems, read_articles);
        root.finish(&mut problems);
        let name = if code.is_empty() { "?" } else { &code }.to_owned();
        let pack = Pack {
            code,
            language,
            espeak,
            speech_dispatcher,
            words,
            nouns,
            sides,
            lacking,
            players,
            numbers,
            templates,
            commands,
            typed,
            typed_words,
            intending,
            typed_time,
            setup,
            confusions,
            spellings,
            pages,
            papers,
            notes,
            articles,
        };
        if compared && problems.is_empty() {
            problems.extend(
                pack.clashes(&pack)
                    .into_iter()
                    .map(|(key, why)| Problem::Wrong { key: format!("commands.{key}"), why }),
            );
            let said: Vec<(String, Command)> = pack
                .command_phrases(&pack)
                .into_iter()
                .map(|phrased| (phrased.text, phrased.command))
                .collect();
            let typed = typed::clashes(&pack.typed, &said, &pack.words.lexicon).into_iter();
            problems.extend(typed.map(|why| Problem::Wrong { key: "typed".to_owned(), why }));
        }
        if problems.is_empty() {
            Ok(pack)
        } else {
            Err(PackError::Unfinished { code: name, problems })
        }
    }

    /// A built-in pack.
    ///
    /// # Errors
    /// [`PackError::NoSuchPack`] with the names there are.
    pub fn builtin(name: &str) -> Result<Pack, PackError> {
        Pack::parse(Pack::builtin_text(name)?)
    }

    pub(super) fn builtin_text(name: &str) -> Result<&'static str, PackError> {
        builtin(name).ok_or_else(|| PackError::NoSuchPack {
            name: name.to_owned(),
            known: builtin_names().collect(),
        })
    }

    /// ISO 639-1 code of the language.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The language's own name for itself.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// Name of its espeak-ng voice.
    pub fn espeak(&self) -> &str {
        &self.espeak
    }

    /// Its language in speech-dispatcher.
    pub fn speech_dispatcher(&self) -> &str {
        &self.speech_dispatcher
    }

    /// Name of a file: Anna to Hector.
    pub fn file(&self, file: File) -> &Word {
        self.words.file(file)
    }

    /// Name of a rank.
    pub fn rank(&self, rank: Rank) -> &Word {
        self.words.rank(rank)
    }

    /// Name of a piece, in announcements.
    pub fn piece(&self, role: Role) -> &Word {
        self.words.piece(role)
    }

    /// Castling to this side: `Kurze Rochade`.
    pub fn castling(&self, side: CastlingSide) -> &Word {
        match side {
            CastlingSide::KingSide => &self.words.castle_short,
            CastlingSide::QueenSide => &self.words.castle_long,
        }
    }

    /// A piece with its colour: `weißer Springer`.
    pub fn colored_piece(&self, piece: Piece) -> &str {
        self.nouns[usize::from(piece.role) - 1].colored(piece.color)
    }

    /// Whether the noun for this piece is feminine.
    pub fn is_feminine(&self, role: Role) -> bool {
        self.nouns[usize::from(role) - 1].counted.is_feminine()
    }

    /// A text of the pages; `None` if this language has no pages.
    pub fn page(&self, text: PageText) -> Option<&str> {
        self.pages.get(text as usize).map(String::as_str)
    }

    /// A text of papers; `None` if this language has no papers.
    pub fn paper(&self, text: PaperText) -> Option<&str> {
        self.papers.get(text as usize).map(String::as_str)
    }

    /// A note of the program in this language; `moves` writes moves in its letters. `None`: it has
    /// no words for it.
    pub fn note(&self, note: &Note, moves: &dyn Fn(&str) -> String) -> Option<String> {
        match note {
            Note::English(text) => (self.code == "en").then(|| text.clone()),
            Note::Explained(of) if self.code == "en" => Some(of.english.clone()),
            Note::Explained(of) => of.said(self, moves),
            note => self.notes.say(note, moves),
        }
    }

    /// The rule of an article in short, by its number: `D.2.3`. `None`: it has no words for it.
    pub fn article(&self, number: &str) -> Option<&str> {
        self.articles.get(number).map(String::as_str)
    }

    /// Every word of the moves, for a recogniser's vocabulary.
    pub fn move_words(&self) -> impl Iterator<Item = &Word> {
        self.words.tokens().map(|(_, word)| word)
    }

    /// Which words are mistaken for which: `[confusions]` of the pack.
    pub fn confusions(&self) -> &Confusions {
        &self.confusions
    }

    /// A number as words: `einundvierzig`.
    pub fn number(&self, n: u32) -> String {
        self.numbers.cardinal(n)
    }

    pub(super) fn noun(&self, role: Role) -> &PieceNoun {
        &self.nouns[usize::from(role) - 1]
    }

    pub(super) fn count(&self, n: u32, role: Role) -> String {
        self.numbers.count(n, &self.noun(role).counted)
    }

    pub(super) fn side(&self, color: Color) -> &str {
        color.fold_wb(&self.sides[0], &self.sides[1])
    }

    /// What is said before this colour's captured pieces: `Weiß fehlt`.
    pub(super) fn lacking(&self, color: Color) -> &str {
        color.fold_wb(&self.lacking[0], &self.lacking[1])
    }

    pub(super) fn player(&self, color: Color) -> &str {
        color.fold_wb(&self.players[0], &self.players[1])
    }

    /// How the engine must read one word of a move.
    pub(super) fn sound_of<'a>(&'a self, text: &'a str) -> &'a str {
        self.move_words().find(|word| word.text == text).map_or(text, Word::sound)
    }

    /// Whether this word alone, before a piece's name, asks for the player's own: "mein Turm".
    pub(super) fn is_own(&self, word: &str) -> bool {
        self.commands.iter().any(|phrase| {
            let (_, wanted, command) = KINDS[phrase.kind];
            let before = wanted.placeholder().and_then(|slot| phrase.text.strip_suffix(slot));
            let own = matches!(command, Command::Where { mine: true, .. });
            own && before.is_some_and(|before| normal_words(before) == [word])
        })
    }

    /// Every phrase of every command, squares and files in the words of `moves`.
    pub(super) fn command_phrases(&self, moves: &Pack) -> Vec<Phrased> {
        let mut all = Vec::new();
        let square = |square: Square| {
            let (file, rank) = (moves.file(square.file()), moves.rank(square.rank()));
            format!("{} {}", file.text, rank.text)
        };
        for phrase in &self.commands {
            let (_, wanted, command) = KINDS[phrase.kind];
            let mut add = |name: &str, command| {
                let text = match wanted.placeholder() {
                    Some(placeholder) => phrase.text.replace(placeholder, name),
                    None => phrase.text.clone(),
                };
                // Two words that no announcement has are two words beside any.
                let near = phrase.near && {
                    let lexicon = &moves.words.lexicon;
                    normal_words(&text).iter().filter(|word| !lexicon.knows(word)).count() < 2
                };
                all.push(Phrased { kind: phrase.kind, text, command, near });
            };
            match wanted {
                Wanted::Nothing => add("", command),
                Wanted::Square => {
                    for on in Square::ALL {
                        add(&square(on), Command::OnSquare(on));
                    }
                }
                Wanted::File => {
                    for file in File::ALL {
                        add(&moves.file(file).text, Command::OnFile(file));
                    }
                }
                Wanted::Rank => {
                    for rank in Rank::ALL {
                        add(&moves.rank(rank).text, Command::OnRank(rank));
                    }
                }
                Wanted::Diagonal => {
                    for through in Square::ALL {
                        add(&square(through), Command::OnDiagonal(through, None));
                    }
                    for (from, to) in diagonals() {
                        let ends = format!("{} {}", square(from), square(to));
                        add(&ends, Command::OnDiagonal(from, Some(to)));
                    }
                }
                Wanted::Count | Wanted::Number => {
                    for n in wanted.numbers() {
                        add(&self.number(u32::from(n)), command.with_number(n));
                    }
                }
                Wanted::Role => {
                    for role in Role::ALL {
                        for name in &self.noun(role).asked {
                            add(name, command.with_role(role));
                        }
                    }
                }
            }
        }
        all
    }

    /// The number that these words are, of those that a request may name. Nobody listens for a move
    /// beyond [`Wanted::numbers`], but it is understood.
    pub(super) fn number_of(&self, words: &[String], wanted: Wanted) -> Option<u8> {
        let most = if wanted == Wanted::Number { u8::MAX } else { *wanted.numbers().end() };
        (*wanted.numbers().start()..=most).find(|n| match words {
            [digits] if digits.parse() == Ok(*n) => true,
            words => normal_words(&self.number(u32::from(*n))) == words,
        })
    }

    /// Every phrase of a word of the set-up; the first is also its name.
    pub fn setup(&self, word: SetupWord) -> &[String] {
        // A pack is taken whole: `SetupWords::read` makes one list for each word.
        self.setup.phrases.get(word as usize).map_or(&[], Vec::as_slice)
    }

    /// The letters that a name can be spelled with, in order, and what each is called.
    pub fn letters(&self) -> &[(char, String)] {
        &self.setup.letters
    }

    /// The first phrase of an answer or request: `Ja`.
    pub fn first_phrase(&self, command: Command) -> Option<&str> {
        let mut phrases = self.commands.iter();
        let phrase = phrases.find(|phrase| KINDS[phrase.kind].2 == command)?;
        Some(&phrase.text)
    }

    /// The words that a recogniser must know for the set-up, numbers and units included.
    pub(super) fn setup_texts(&self) -> Vec<String> {
        let phrases = self.setup.phrases.iter().flatten().cloned();
        let letters = self.setup.letters.iter().map(|(_, name)| name.clone());
        phrases.chain(letters).chain(self.timing_texts()).collect()
    }

    /// Words of this pack's moves, as its voice must read them: `Cesar` becomes `Zäsar`.
    pub(super) fn pronounce(&self, text: &str) -> String {
        let words: Vec<&str> = text.split(' ').map(|word| self.sound_of(word)).collect();
        words.join(" ")
    }

    /// Phrases that would mean two things when this pack's commands are heard beside the words of
    /// `moves`: the command's key and the reason.
    pub(super) fn clashes(&self, moves: &Pack) -> Vec<(&'static str, String)> {
        let mut clashes = Vec::new();
        let mut seen: BTreeMap<Vec<String>, (usize, Command)> = BTreeMap::new();
        for Phrased { kind, text, command, near } in self.command_phrases(moves) {
            let key = KINDS[kind].0;
            let words = normal_words(&text);
            if self.words.lexicon.lex(&words).is_some() || moves.words.lexicon.lex(&words).is_some()
            {
                clashes.push((key, format!("'{text}' could be an answer or a move")));
            } else if let Some(near) = Some(&words)
                // One square, file or rank stands for all of them.
                .filter(|_| matches!(command, Command::Where { .. }) || command == KINDS[kind].2)
                .filter(|_| !near)
                .and_then(|words| one_word_from_move(&moves.words, words))
            {
                clashes.push((key, format!("'{text}' is one word away from the move '{near}'")));
            }
            match seen.insert(words, (kind, command)) {
                Some((other, meaning)) if meaning != command => {
                    clashes.push((key, format!("'{text}' is also {}", KINDS[other].0)));
                }
                _ => {}
            }
        }
        clashes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_phrase_of_a_built_in_pack_means_two_things() {
        for name in builtin_names() {
            let table = read_toml(Pack::builtin_text(name).expect("built in")).expect("TOML");
            let read = Pack::read(&table, true);
            assert!(read.is_ok(), "{name}: {:?}", read.err());
        }
    }
}
