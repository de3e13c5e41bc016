//! Language packs: how squares, pieces, moves, prompts and commands sound and are heard.
//!
//! A pack is one TOML file (`voices/README.md` explains it). It is taken whole or refused with
//! everything that is wrong with it.

use std::{collections::BTreeMap, sync::Arc};

use shakmaty::{Color, File, Piece, Rank, Role};
use toml::{Table, Value};

pub use super::reader::{PackError, Problem};
use super::{
    command::{self, Command, KINDS, Wanted},
    grammar::{Lexicon, Token, one_word_from_move},
    hear::Confusions,
    normal::normal_words,
    numbers::{Noun, Numbers},
    pages::{self, PageText},
    reader::{Reader, strings},
    setup::SetupWords,
    template::{self, Template},
};

/// The packs that are built in, by code; `fide` is another name for `de`.
const BUILTIN: [(&str, &str); 8] = [
    ("fide", include_str!("../../../voices/de.toml")),
    ("de", include_str!("../../../voices/de.toml")),
    ("en", include_str!("../../../voices/en.toml")),
    ("ru", include_str!("../../../voices/ru.toml")),
    ("fr", include_str!("../../../voices/fr.toml")),
    ("es", include_str!("../../../voices/es.toml")),
    ("pl", include_str!("../../../voices/pl.toml")),
    ("lt", include_str!("../../../voices/lt.toml")),
];

/// The TOML text of a built-in pack.
pub fn builtin(name: &str) -> Option<&'static str> {
    BUILTIN.iter().find(|(known, _)| *known == name).map(|(_, toml)| *toml)
}

/// The names of the built-in packs, `fide` first.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    BUILTIN.iter().map(|(name, _)| *name)
}

/// One word (or a few that belong together) of the move language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// As it is written: `Cesar`.
    pub text: String,
    /// As the engine must read it, if that differs: `Zäsar`.
    pub sound: Option<String>,
    /// What may be heard for it besides the text.
    pub hear: Vec<String>,
}

impl Word {
    /// What to hand to a speech engine.
    pub fn sound(&self) -> &str {
        self.sound.as_deref().unwrap_or(&self.text)
    }

    /// Everything that may be heard for it: the text first.
    pub fn heard(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.text).chain(&self.sound).chain(&self.hear).map(String::as_str)
    }
}

/// A kind of piece in prompts and requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PieceNoun {
    pub(super) one: String,
    pub(super) object: String,
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
        let mut pair =
            |plain, object| [reader.spoken(plain, problems), reader.spoken(object, problems)];
        let white = pair("white", "white-object");
        let black = pair("black", "black-object");
        let asked = reader.texts("asked", problems);
        reader.finish(problems);
        PieceNoun { one, object, white, black, counted, asked }
    }

    pub(super) fn colored(&self, color: Color) -> &str {
        &color.fold_wb(&self.white, &self.black)[0]
    }

    pub(super) fn colored_object(&self, color: Color) -> &str {
        &color.fold_wb(&self.white, &self.black)[1]
    }
}

/// The words of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MoveWords {
    pub(super) files: Vec<Word>,
    ranks: Vec<Word>,
    pieces: Vec<Word>,
    promoted: Vec<Word>,
    pub(super) takes: Word,
    pub(super) to: Word,
    pub(super) from: Word,
    pub(super) castle_short: Word,
    pub(super) castle_long: Word,
    pub(super) promotes: Word,
    pub(super) en_passant: Word,
    pub(super) check: Word,
    pub(super) mate: Word,
}

/// From pawn to king, as [`Role::ALL`].
const ROLES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
const FILES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
const RANKS: [&str; 8] = ["1", "2", "3", "4", "5", "6", "7", "8"];

impl MoveWords {
    fn read(mut reader: Reader<'_>, problems: &mut Vec<Problem>) -> MoveWords {
        let files = words(reader.table("files", problems), &FILES, problems);
        let ranks = words(reader.table("ranks", problems), &RANKS, problems);
        let pieces = words(reader.table("pieces", problems), &ROLES, problems);
        let promoted = if reader.has("promoted") {
            words(reader.table("promoted", problems), &ROLES[1..5], problems)
        } else {
            pieces[1..5].to_vec()
        };
        let mut one = |key| word(&mut reader, key, problems);
        let words = MoveWords {
            files,
            ranks,
            pieces,
            promoted,
            takes: one("takes"),
            to: one("to"),
            from: one("from"),
            castle_short: one("castle-short"),
            castle_long: one("castle-long"),
            promotes: one("promotes"),
            en_passant: one("en-passant"),
            check: one("check"),
            mate: one("mate"),
        };
        reader.finish(problems);
        words
    }

    pub(super) fn tokens(&self) -> impl Iterator<Item = (Token, &Word)> {
        let files = File::ALL.into_iter().map(Token::File).zip(&self.files);
        let ranks = Rank::ALL.into_iter().map(Token::Rank).zip(&self.ranks);
        let pieces = Role::ALL.into_iter().map(Token::Piece).zip(&self.pieces);
        let promoted = Role::ALL[1..5].iter().copied().map(Token::Piece).zip(&self.promoted);
        let rest = [
            (Token::Takes, &self.takes),
            (Token::To, &self.to),
            (Token::From, &self.from),
            (Token::CastleShort, &self.castle_short),
            (Token::CastleLong, &self.castle_long),
            (Token::Promotes, &self.promotes),
            (Token::EnPassant, &self.en_passant),
            (Token::Check, &self.check),
            (Token::Mate, &self.mate),
        ];
        files.chain(ranks).chain(pieces).chain(promoted).chain(rest)
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

fn words(mut reader: Reader<'_>, keys: &[&str], problems: &mut Vec<Problem>) -> Vec<Word> {
    let words = keys.iter().map(|key| word(&mut reader, key, problems)).collect();
    reader.finish(problems);
    words
}

/// `d = "David"` or `c = { text = "Cesar", sound = "Zäsar", hear = ["Cäsar"] }`.
fn word(reader: &mut Reader<'_>, key: &str, problems: &mut Vec<Problem>) -> Word {
    match reader.value(key, problems) {
        Some(Value::Table(_)) => {
            let mut table = reader.table(key, problems);
            let text = table.spoken("text", problems);
            let sound = table.has("sound").then(|| table.spoken("sound", problems));
            let hear = if table.has("hear") { table.texts("hear", problems) } else { Vec::new() };
            table.finish(problems);
            Word { text, sound, hear }
        }
        Some(_) => Word { text: reader.spoken(key, problems), ..Word::default() },
        None => Word::default(),
    }
}

/// A phrase of a command: what is said before and after the thing that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CommandPhrase {
    /// Index into [`KINDS`].
    pub(super) kind: usize,
    pub(super) text: String,
    pub(super) before: Vec<String>,
    pub(super) after: Vec<String>,
}

fn read_commands(reader: &mut Reader<'_>, problems: &mut Vec<Problem>) -> Vec<CommandPhrase> {
    let mut phrases = Vec::new();
    for (kind, (key, wanted, command)) in KINDS.iter().enumerate() {
        let mut texts = reader.texts(key, problems);
        if *command == Command::Adjust {
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
            phrases.push(CommandPhrase { kind, text, before, after });
        }
    }
    phrases
}

fn read_toml(toml: &str) -> Result<Table, PackError> {
    toml.parse().map_err(|e: toml::de::Error| PackError::Toml(e.to_string().trim().to_owned()))
}

/// A language pack, complete and without contradictions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pack {
    code: String,
    language: String,
    espeak: String,
    speech_dispatcher: String,
    pub(super) words: MoveWords,
    pub(super) lexicon: Arc<Lexicon>,
    nouns: Vec<PieceNoun>,
    sides: [String; 2],
    players: [String; 2],
    pub(super) numbers: Numbers,
    pub(super) templates: Vec<Template>,
    pub(super) commands: Vec<CommandPhrase>,
    pub(super) intending: Vec<Vec<String>>,
    pub(super) setup: SetupWords,
    pub(super) confusions: Confusions,
    /// How models of other languages spell a word, both in lower case.
    pub(super) spellings: BTreeMap<String, Vec<String>>,
    /// In the order of [`PageText::ALL`]; empty if this language has no pages.
    pages: Vec<String>,
}

impl Pack {
    /// Reads a pack.
    ///
    /// # Errors
    ///
    /// [`PackError::Toml`] if it is no TOML; else [`PackError::Unfinished`] with everything that is
    /// missing, unknown or contradictory in one list.
    pub fn parse(toml: &str) -> Result<Pack, PackError> {
        Pack::read(&read_toml(toml)?)
    }

    fn read(table: &Table) -> Result<Pack, PackError> {
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
        let players = white_black(root.table("players", &mut problems), &mut problems);
        let templates = template::read_all(root.table("prompts", &mut problems), &mut problems);
        let mut reader = root.table("commands", &mut problems);
        let commands = read_commands(&mut reader, &mut problems);
        let intending = reader
            .texts("intending", &mut problems)
            .iter()
            .map(|text| normal_words(text))
            .collect();
        reader.finish(&mut problems);
        let setup = SetupWords::read(root.table("setup", &mut problems), &words, &mut problems);
        let confusions = if root.has("confusions") {
            Confusions::read(root.table("confusions", &mut problems), &mut problems)
        } else {
            Confusions::default()
        };
        let spellings = if root.has("spellings") {
            read_spellings(root.table("spellings", &mut problems), &mut problems)
        } else {
            BTreeMap::new()
        };
        let pages = if root.has("pages") {
            pages::read(root.table("pages", &mut problems), &mut problems)
        } else {
            Vec::new()
        };
        root.finish(&mut problems);
        let lexicon = lexicon(&words, &mut problems);
        let name = if code.is_empty() { "?" } else { &code }.to_owned();
        let pack = Pack {
            code,
            language,
            espeak,
            speech_dispatcher,
            words,
            lexicon: Arc::new(lexicon),
            nouns,
            sides,
            players,
            numbers,
            templates,
            commands,
            intending,
            setup,
            confusions,
            spellings,
            pages,
        };
        if problems.is_empty() {
            problems.extend(
                pack.clashes(&pack)
                    .into_iter()
                    .map(|(key, why)| Problem::Wrong { key: format!("commands.{key}"), why }),
            );
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
    ///
    /// [`PackError::NoSuchPack`] with the names there are.
    pub fn builtin(name: &str) -> Result<Pack, PackError> {
        let toml = builtin(name).ok_or_else(|| PackError::NoSuchPack {
            name: name.to_owned(),
            known: builtin_names().collect(),
        })?;
        Pack::parse(toml)
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
        &self.words.files[usize::from(file)]
    }

    /// Name of a rank.
    pub fn rank(&self, rank: Rank) -> &Word {
        &self.words.ranks[usize::from(rank)]
    }

    /// Name of a piece, in announcements.
    pub fn piece(&self, role: Role) -> &Word {
        &self.words.pieces[usize::from(role) - 1]
    }

    /// A piece with its colour: `weißer Springer`.
    pub fn colored_piece(&self, piece: Piece) -> &str {
        self.nouns[usize::from(piece.role) - 1].colored(piece.color)
    }

    /// A text of the pages; `None` if this language has no pages.
    pub fn page(&self, text: PageText) -> Option<&str> {
        self.pages.get(text as usize).map(String::as_str)
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

    /// A clock reading as words: `einundvierzig Minuten zwölf`.
    pub fn duration(&self, ms: u64) -> String {
        self.numbers.duration(ms)
    }

    pub(super) fn promoted(&self, role: Role) -> &Word {
        // Only a promotion that no chess position has falls back to the plain name.
        self.words
            .promoted
            .get(usize::from(role).wrapping_sub(2))
            .unwrap_or_else(|| self.piece(role))
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
    pub(super) fn command_phrases(&self, moves: &Pack) -> Vec<(usize, String, Command)> {
        let mut all = Vec::new();
        for phrase in &self.commands {
            let (_, wanted, command) = KINDS[phrase.kind];
            let mut add = |name: &str, command| {
                let text = match wanted.placeholder() {
                    Some(placeholder) => phrase.text.replace(placeholder, name),
                    None => phrase.text.clone(),
                };
                all.push((phrase.kind, text, command));
            };
            match wanted {
                Wanted::Nothing => add("", command),
                Wanted::Square => {
                    for square in shakmaty::Square::ALL {
                        let file = &moves.file(square.file()).text;
                        let rank = &moves.rank(square.rank()).text;
                        add(&format!("{file} {rank}"), Command::OnSquare(square));
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

    /// Phrases that would mean two things when this pack's commands are heard beside the words of
    /// `moves`: the command's key and the reason.
    pub(super) fn clashes(&self, moves: &Pack) -> Vec<(&'static str, String)> {
        let mut clashes = Vec::new();
        let mut seen: BTreeMap<Vec<String>, (usize, Command)> = BTreeMap::new();
        for (kind, text, command) in self.command_phrases(moves) {
            let key = KINDS[kind].0;
            let words = normal_words(&text);
            if self.lexicon.lex(&words).is_some() || moves.lexicon.lex(&words).is_some() {
                clashes.push((key, format!("'{text}' could be an answer or a move")));
            } else if let Some(near) = Some(&words)
                // One square, file or rank stands for all of them.
                .filter(|_| matches!(command, Command::Where { .. }) || command == KINDS[kind].2)
                .and_then(|words| one_word_from_move(moves, words))
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

fn white_black(mut reader: Reader<'_>, problems: &mut Vec<Problem>) -> [String; 2] {
    let pair = [reader.spoken("white", problems), reader.spoken("black", problems)];
    reader.finish(problems);
    pair
}

fn lexicon(words: &MoveWords, problems: &mut Vec<Problem>) -> Lexicon {
    let mut lexicon = Lexicon::default();
    for (token, word) in words.tokens() {
        for heard in word.heard() {
            let heard_words = normal_words(heard);
            if heard_words.is_empty() {
                // A missing word has been reported; a word of punctuation only cannot be heard.
                continue;
            }
            if let Some(other) = lexicon.add(heard_words, token) {
                problems.push(Problem::Wrong {
                    key: "moves".to_owned(),
                    why: format!("'{heard}' is both {token:?} and {other:?}"),
                });
            }
        }
    }
    lexicon
}
