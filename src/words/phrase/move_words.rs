//! The words of moves: how files, ranks, pieces and links are written, said and heard.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use shakmaty::{File, Rank, Role};
use toml::Value;

use super::{
    normal::normal_words,
    reader::{Problem, Reader},
};

/// One word (or a few that belong together) of the move language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// As it is written: `Cesar`.
    pub text: String,
    /// As the engine must read it, if that differs: `Zäsar`.
    pub sound: Option<String>,
    /// Other words that may be heard for it.
    pub hear: Vec<String>,
}

impl Word {
    /// The text for a speech engine.
    pub fn sound(&self) -> &str {
        self.sound.as_deref().unwrap_or(&self.text)
    }

    /// Everything that may be heard for it: the text first.
    pub fn heard(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.text).chain(&self.sound).chain(&self.hear).map(String::as_str)
    }
}

/// A word of the move language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Token {
    Piece(Role),
    File(File),
    Rank(Rank),
    Takes,
    To,
    From,
    CastleShort,
    CastleLong,
    Promotes,
    EnPassant,
    Check,
    Mate,
}

/// Heard words and what they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lexicon {
    entries: BTreeMap<Vec<String>, Token>,
    single: BTreeSet<String>,
    longest: usize,
}

impl Lexicon {
    /// Adds the words that may be heard for a token. Returns another token that they stand for
    /// already.
    pub(super) fn add(&mut self, heard: Vec<String>, token: Token) -> Option<Token> {
        self.longest = self.longest.max(heard.len());
        self.single.extend(heard.iter().cloned());
        self.entries.insert(heard, token).filter(|other| *other != token)
    }

    /// The longest entry that the words begin with, and how many words it is.
    pub(super) fn first(&self, words: &[String]) -> Option<(usize, Token)> {
        (1..=self.longest.min(words.len()))
            .rev()
            .find_map(|len| Some((len, *self.entries.get(&words[..len])?)))
    }

    /// Whether the word is one of an entry's words.
    pub(super) fn knows(&self, word: &str) -> bool {
        self.single.contains(word)
    }

    /// Every word of every entry, in order.
    pub(super) fn single_words(&self) -> impl Iterator<Item = &str> {
        self.single.iter().map(String::as_str)
    }

    /// The same of typed words, where squares may be written, and `x` for a capture. Some word must
    /// be of the language: notation alone is none.
    pub(super) fn typed(&self, mut words: &[String]) -> Option<Vec<Token>> {
        let (mut tokens, mut knows) = (Vec::new(), false);
        while let [first, ..] = words {
            let len = if let Some((len, token)) = self.first(words) {
                tokens.push(token);
                knows = true;
                len
            } else {
                tokens.extend(match first.as_str() {
                    "x" => vec![Token::Takes],
                    word => written_square(word)?,
                });
                1
            };
            words = &words[len..];
        }
        knows.then_some(tokens)
    }

    /// All words as tokens, the longest entry first; `None` if a word is not in the language.
    pub(super) fn lex(&self, mut words: &[String]) -> Option<Vec<Token>> {
        let mut tokens = Vec::new();
        while !words.is_empty() {
            let (len, token) = self.first(words)?;
            tokens.push(token);
            words = &words[len..];
        }
        Some(tokens)
    }
}

/// A square, a file or a rank as it is written: `e4`, `e`, `4`; also a square behind its origin:
/// `ad1`, `1d1`, `a1d1`.
pub(super) fn written_square(word: &str) -> Option<Vec<Token>> {
    use Token::{File as F, Rank as R};
    let square = word.chars().count() >= 2;
    let part = |letter| {
        let letter = match letter {
            // Letters of a Russian keyboard that look the same.
            'а' => 'a',
            'е' => 'e',
            'с' => 'c',
            // And those that sound so, before a rank.
            'б' if square => 'b',
            'ц' if square => 'c',
            'д' if square => 'd',
            'ф' if square => 'f',
            'г' | 'ж' if square => 'g',
            'х' | 'ш' if square => 'h',
            letter => letter,
        };
        let file = File::from_char(letter).map(Token::File);
        file.or_else(|| Rank::from_char(letter).map(Token::Rank))
    };
    let parts: Option<Vec<Token>> = word.chars().take(5).map(part).collect();
    parts.filter(|parts| {
        matches!(
            parts[..],
            [_] | [F(_), R(_)] | [F(_) | R(_), F(_), R(_)] | [F(_), R(_), F(_), R(_)]
        )
    })
}

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
    /// The words that may be heard for each of them.
    pub(super) lexicon: Arc<Lexicon>,
}

/// From pawn to king, as [`Role::ALL`].
pub(super) const ROLES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
const FILES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
const RANKS: [&str; 8] = ["1", "2", "3", "4", "5", "6", "7", "8"];

impl MoveWords {
    pub(super) fn read(mut reader: Reader<'_>, problems: &mut Vec<Problem>) -> MoveWords {
        let files = words(reader.table("files", problems), &FILES, problems);
        let ranks = words(reader.table("ranks", problems), &RANKS, problems);
        let pieces = words(reader.table("pieces", problems), &ROLES, problems);
        let promoted = if reader.has("promoted") {
            words(reader.table("promoted", problems), &ROLES[1..5], problems)
        } else {
            pieces[1..5].to_vec()
        };
        let mut one = |key| word(&mut reader, key, problems);
        let mut words = MoveWords {
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
            lexicon: Arc::default(),
        };
        reader.finish(problems);
        words.lexicon = Arc::new(lexicon(&words, problems));
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

    /// Name of a file.
    pub(super) fn file(&self, file: File) -> &Word {
        &self.files[usize::from(file)]
    }

    /// Name of a rank.
    pub(super) fn rank(&self, rank: Rank) -> &Word {
        &self.ranks[usize::from(rank)]
    }

    /// Name of a piece, in announcements.
    pub(super) fn piece(&self, role: Role) -> &Word {
        &self.pieces[usize::from(role) - 1]
    }

    /// Name of the piece that a pawn becomes.
    pub(super) fn promoted(&self, role: Role) -> &Word {
        // Only a promotion that no chess position has falls back to the plain name.
        self.promoted.get(usize::from(role).wrapping_sub(2)).unwrap_or_else(|| self.piece(role))
    }
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

/// The tokens in the words of the pack.
pub(super) fn text(words: &MoveWords, tokens: &[Token]) -> String {
    let mut said = Vec::new();
    let mut promoted = false;
    for token in tokens {
        let word = match *token {
            Token::Piece(role) if promoted => words.promoted(role),
            Token::Piece(role) => words.piece(role),
            Token::File(file) => words.file(file),
            Token::Rank(rank) => words.rank(rank),
            Token::Takes => &words.takes,
            Token::To => &words.to,
            Token::From => &words.from,
            Token::CastleShort => &words.castle_short,
            Token::CastleLong => &words.castle_long,
            Token::Promotes => &words.promotes,
            Token::EnPassant => &words.en_passant,
            Token::Check => &words.check,
            Token::Mate => &words.mate,
        };
        promoted = *token == Token::Promotes;
        said.push(word.text.as_str());
    }
    said.join(" ")
}
