//! Moves, squares, prompts and commands as words.
//!
//! Two choices are independent. The *move language* ([`Words::moves`], FIDE's German by default)
//! names squares and announces moves. The *prompt language* ([`Words::prompts`]) says the rest. An
//! [`Utterance`] assigns each part to a voice.

mod bounds;
mod builtin;
mod command;
mod explained;
pub mod grammar;
pub mod hear;
mod kept;
mod loosely;
mod move_words;
mod normal;
mod note;
mod numbers;
mod older;
pub mod pack;
pub mod pages;
mod papers;
mod prompt;
mod reader;
mod say;
mod setup;
mod spoken;
mod template;
pub mod timing;
mod typed;
mod vocabulary;
mod written;

use std::{collections::BTreeMap, fmt, sync::Arc};

use serde::{Deserialize, Serialize};
use shakmaty::{
    CastlingSide, Chess, File, Move, Position, Role, Square,
    san::{San, SanPlus, Suffix},
    uci::UciMove,
};

pub use self::{
    command::{Command, diagonals_through},
    explained::{Explained, OwnWords, SlotWords},
    grammar::{Phrase, Phrases, Understood, understand, understand_typed},
    kept::words_and_ears,
    normal::normal_words,
    note::{Moves, Note},
    pack::{Pack, PackError},
    pages::PageText,
    papers::PaperText,
    prompt::{Prompt, SlotKind},
    setup::SetupWord,
    spoken::Spoken,
    template::Slot,
};
use self::{move_words::Word, say::Say, spoken::check_and_mate};

/// A stretch of one language: its text, and the engine's text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Part {
    /// ISO 639-1 code of the language whose voice says it.
    pub lang: String,
    /// As the Laws write it: `Cesar`.
    pub text: String,
    /// As the engine must read it: `Zäsar`. Empty when it is the same.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sound: String,
}

impl Part {
    /// The text for a speech engine.
    pub fn sound(&self) -> &str {
        if self.sound.is_empty() { &self.text } else { &self.sound }
    }
}

/// Words to be spoken, in order, each part in its own language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Utterance {
    /// The parts; neighbours in one language are one part.
    pub parts: Vec<Part>,
}

impl fmt::Display for Utterance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, part) in self.parts.iter().enumerate() {
            if n > 0 {
                f.write_str(" ")?;
            }
            f.write_str(&part.text)?;
        }
        Ok(())
    }
}

/// How much of a move is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpokenForm {
    /// Piece, origin, destination: `Springer Gustav eins Felix drei`.
    #[default]
    Full,
    /// As much as distinguishes it from the other legal moves: `Springer Felix drei`, `Eva vier`.
    Short,
    /// As in full, and not whether it gives check or mate: nobody is told that of a move which he
    /// has yet to choose.
    ///
    /// Source: FIDE 11.3.1
    Asked,
}

/// A move language and a prompt language that go together. A clone shares them.
#[derive(Clone, PartialEq, Eq)]
pub struct Words {
    moves: Arc<Pack>,
    prompts: Arc<Pack>,
}

impl fmt::Debug for Words {
    /// Two packs are thousands of lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Words").field(&self.moves.code()).field(&self.prompts.code()).finish()
    }
}

impl Words {
    /// Joins a move pack and a prompt pack.
    ///
    /// # Errors
    /// [`PackError::Clash`] if a command of one could be a move of the other.
    pub fn new(moves: Pack, prompts: Pack) -> Result<Words, PackError> {
        Words::joined(Arc::new(moves), Arc::new(prompts))
    }

    fn joined(moves: Arc<Pack>, prompts: Arc<Pack>) -> Result<Words, PackError> {
        // One pack for both was compared with itself when it was read.
        let alone = Arc::ptr_eq(&moves, &prompts);
        let clash = if alone { None } else { prompts.clashes(&moves).into_iter().next() };
        match clash {
            Some((_, phrase)) => Err(PackError::Clash {
                moves: moves.code().to_owned(),
                prompts: prompts.code().to_owned(),
                phrase,
            }),
            None => Ok(Words { moves, prompts }),
        }
    }

    /// Two packs by their TOML text; one that is given twice is read once.
    ///
    /// # Errors
    /// As [`Pack::parse`] and [`Words::new`].
    pub fn from_toml(moves: &str, prompts: &str) -> Result<Words, PackError> {
        let read = Arc::new(Pack::parse(moves)?);
        let prompts = match prompts == moves {
            true => Arc::clone(&read),
            false => Arc::new(Pack::parse(prompts)?),
        };
        Words::joined(read, prompts)
    }

    /// Two built-in packs by name: `("fide", "ru")`.
    ///
    /// # Errors
    /// [`PackError::NoSuchPack`] with the names there are.
    pub fn builtin(moves: &str, prompts: &str) -> Result<Words, PackError> {
        Words::from_toml(Pack::builtin_text(moves)?, Pack::builtin_text(prompts)?)
    }

    pub fn moves(&self) -> &Pack {
        &self.moves
    }

    pub fn prompts(&self) -> &Pack {
        &self.prompts
    }

    /// A sentence for somebody who reads with his fingers: as it is heard, with squares as they are
    /// written, `Springer g1 f3`.
    pub fn written(&self, words: &Utterance) -> String {
        written::written(&self.moves, words)
    }

    /// The announcement of a legal move, with check and mate: `Springer Gustav eins Felix drei`.
    /// Both forms fit no other legal move of the position.
    ///
    /// Source: FIDE D.2.1
    pub fn announce(&self, pos: &Chess, mv: Move, form: SpokenForm) -> Utterance {
        let pawn = mv.role() == Role::Pawn;
        let origin = match (form, mv.from()) {
            (SpokenForm::Short, _) if pawn => (false, mv.is_capture(), false),
            (SpokenForm::Short, Some(from)) if !mv.is_castle() => {
                let (file, rank) = origin_needed(pos, mv, from);
                (true, file, rank)
            }
            _ => (true, true, true),
        };
        let told = form != SpokenForm::Asked && pos.is_legal(mv);
        let ends = if told { check_and_mate(pos, mv) } else { (false, false) };
        self.announced(mv, origin, ends)
    }

    /// The same in full of a move by its UCI and its SAN alone. "En passant" is not said: neither
    /// tells.
    pub fn announce_written(&self, uci: &str, san: &str) -> Option<Utterance> {
        let UciMove::Normal { from, .. } = uci.parse().ok()? else { return None };
        let SanPlus { san, suffix } = san.parse().ok()?;
        let mv = match san {
            San::Castle(side) => {
                let corner = if side.is_king_side() { File::H } else { File::A };
                Move::Castle { king: from, rook: Square::from_coords(corner, from.rank()) }
            }
            San::Normal { role, capture, to, promotion, .. } => {
                let capture = capture.then_some(Role::Pawn);
                Move::Normal { role, from, capture, to, promotion }
            }
            San::Put { .. } | San::Null => return None,
        };
        let ends = (suffix == Some(Suffix::Check), suffix == Some(Suffix::Checkmate));
        Some(self.announced(mv, (true, true, true), ends))
    }

    /// `origin`: whether piece, file and rank are named. `ends`: check, mate.
    fn announced(&self, mv: Move, origin: (bool, bool, bool), ends: (bool, bool)) -> Utterance {
        let mut say = Say::default();
        let words = &self.moves.words;
        match (mv.castling_side(), mv.from()) {
            (Some(CastlingSide::KingSide), _) => self.say(&mut say, &words.castle_short),
            (Some(CastlingSide::QueenSide), _) => self.say(&mut say, &words.castle_long),
            (None, Some(from)) => self.say_move(&mut say, mv, from, origin),
            // A drop: no such move in chess.
            (None, None) => self.square(&mut say, mv.to()),
        }
        let lang = self.moves.code();
        match ends {
            (_, true) => {
                say.add(lang, ",", ",");
                self.say(&mut say, &words.mate);
            }
            (true, false) => {
                say.add(lang, ",", ",");
                self.say(&mut say, &words.check);
            }
            (false, false) => {}
        }
        say.finish()
    }

    fn say_move(&self, say: &mut Say, mv: Move, from: Square, origin: (bool, bool, bool)) {
        let words = &self.moves.words;
        let (piece, file, rank) = origin;
        if piece {
            self.say(say, self.moves.piece(mv.role()));
        }
        if file {
            self.say(say, self.moves.file(from.file()));
        }
        if rank {
            self.say(say, self.moves.rank(from.rank()));
        }
        if mv.is_capture() {
            self.say(say, &words.takes);
        }
        self.say(say, self.moves.file(mv.to().file()));
        self.say(say, self.moves.rank(mv.to().rank()));
        if let Some(role) = mv.promotion() {
            self.say(say, &words.promotes);
            self.say(say, self.moves.words.promoted(role));
        }
        if mv.is_en_passant() {
            self.say(say, &words.en_passant);
        }
    }

    /// Every phrase of every command, squares in the move language, for a recogniser's grammar.
    /// Answers by number are the ranks of either pack, and not listed.
    pub fn command_phrases(&self) -> Vec<(String, Command)> {
        self.phrased(false)
    }

    /// The same of those that are one word beside an announcement ("Reihe vier", "Eva vier"), and
    /// are asked about where they are heard.
    pub fn near_phrases(&self) -> Vec<(String, Command)> {
        self.phrased(true)
    }

    fn phrased(&self, near: bool) -> Vec<(String, Command)> {
        let all = self.prompts.command_phrases(&self.moves).into_iter();
        all.filter(|phrased| phrased.near == near)
            .map(|phrased| (phrased.text, phrased.command))
            .collect()
    }

    /// Whether such a request was meant: `Reihe vier?`
    pub fn asks_for(&self, command: Command) -> Utterance {
        let phrases = self.prompts.command_phrases(&self.moves);
        let its = || phrases.iter().filter(|phrased| phrased.command == command);
        // The first way to ask for pieces is about several of them, but there is one king.
        let first = match command {
            Command::Where { role: Role::King, .. } => its().nth(1),
            Command::Where { role, .. } => its().nth(self.prompts.noun(role).asked.len() - 1),
            _ => None,
        };
        let near = its().find(|phrased| phrased.near);
        let said = near.or(first).or_else(|| its().next());
        let said = || said.map(|phrased| phrased.text.clone());
        // "All moves" has no number, which would want another form in many languages.
        let numbered = matches!(command, Command::MovesFrom(_));
        let own = self.typed_phrase(command).filter(|_| numbered);
        let said = own.or_else(said).or_else(|| self.phrase_for(command));
        let mut say = Say::default();
        said.iter().for_each(|text| self.say_aloud(&mut say, text));
        let mut asked = say.finish();
        if let Some(first) = asked.parts.first_mut() {
            template::capitalise(&mut first.text);
            template::capitalise(&mut first.sound);
        }
        // With the marks that the language puts around a question.
        self.prompt(Prompt::ConfirmMove, &[Slot::Words(&asked)])
    }

    /// A phrase in lower case as an engine must be given it to say the names right: "Zäsar" for
    /// "cesar".
    pub fn pronounce(&self, phrase: &str) -> String {
        let mut words: Vec<&Word> =
            self.moves.move_words().filter(|word| word.sound() != word.text).collect();
        words.sort_by_key(|word| std::cmp::Reverse(word.text.len()));
        let padded = format!(" {phrase} ");
        let replaced = words.iter().fold(padded, |text, word| {
            text.replace(&format!(" {} ", word.text.to_lowercase()), &format!(" {} ", word.sound()))
        });
        replaced.trim().to_owned()
    }

    /// Every single word that may be said, in lower case, with the spellings under which a
    /// recogniser's model may know it, its own first.
    pub fn spellings(&self) -> BTreeMap<String, Vec<String>> {
        let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let answers = shakmaty::Role::ALL.map(|role| self.prompts.piece(role));
        let numbers = shakmaty::Rank::ALL.map(|rank| self.prompts.rank(rank));
        let named = self.moves.move_words().chain(answers).chain(numbers);
        for word in named {
            let [single] = word.text.split_whitespace().collect::<Vec<_>>()[..] else {
                continue;
            };
            let variants = all.entry(single.to_lowercase()).or_default();
            variants.extend(word.heard().map(str::to_lowercase).filter(|w| !w.contains(' ')));
        }
        let moves = self.moves.move_words().map(|word| word.text.clone());
        let commands = self.command_phrases().into_iter().chain(self.near_phrases());
        let commands = commands.map(|(text, _)| text);
        let intending = self.prompts.intending.iter().flatten().cloned();
        let setup = self.prompts.setup_texts();
        let texts: Vec<String> = moves.chain(commands).chain(intending).chain(setup).collect();
        for word in texts.iter().flat_map(|text| text.split_whitespace()) {
            let word = word.to_lowercase();
            let variants = all.entry(word.clone()).or_default();
            variants.insert(0, word);
        }
        for (word, variants) in &mut all {
            let foreign = [&self.moves, &self.prompts].map(|pack| pack.spellings.get(word));
            variants.extend(foreign.into_iter().flatten().flatten().cloned());
            let mut seen = std::collections::BTreeSet::new();
            variants.retain(|variant| seen.insert(variant.clone()));
        }
        all
    }

    fn say(&self, say: &mut Say, word: &Word) {
        say.add(self.moves.code(), " ", " ");
        say.word(self.moves.code(), word);
    }
}

/// Whether the origin's file and rank must be said to distinguish a piece's move from others to the
/// same square: the file if that is enough, or else the whole square.
fn origin_needed(pos: &Chess, mv: Move, from: Square) -> (bool, bool) {
    let rivals: Vec<Square> = pos
        .legal_moves()
        .into_iter()
        .filter(|m| m.role() == mv.role() && m.to() == mv.to() && !m.is_castle())
        .filter_map(Move::from)
        .filter(|square| *square != from)
        .collect();
    let file = !rivals.is_empty();
    let rank = rivals.iter().any(|square| square.file() == from.file());
    (file, rank)
}
