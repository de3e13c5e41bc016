//! Words that people type around what they mean, and moves in words that nobody listens for:
//! `[typed-words]` of a pack. They are looked at only where a text is not understood as it stands.

use std::collections::BTreeMap;

use shakmaty::{Color, File, Move, Role};

use super::{
    Pack, Words,
    command::{Command, KINDS},
    grammar::strip_longest,
    move_words::{MoveWords, Token},
    normal::normal_words,
    reader::{Problem, Reader},
    spoken::{Only, Spoken},
    typed::{Asks, alike},
};

/// A word that is said twice in a row is one, if it is as long: a file may be named twice.
const SAID_TWICE: usize = 3;

/// How words are typed that nobody listens for: `[typed-words]` of a pack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TypedWords {
    /// What stands before a move, or around it: "ich spiele".
    leads: Vec<Frame>,
    /// The same of somebody else's move: "er spielt", "er hat {move} gespielt".
    tells: Vec<Frame>,
    /// The same by the colour: "Weiß spielt", "Schwarz".
    white_tells: Vec<Frame>,
    black_tells: Vec<Frame>,
    /// Hesitation and politeness: "äh", "bitte".
    fillers: Vec<Vec<String>>,
    /// What stands around a move and in it, and says nothing of it: "ich möchte", "den".
    around: Vec<Vec<String>>,
    /// What a correction begins with, beside "Korrektur": "ich meinte".
    slips: Vec<Vec<String>>,
    /// Castling, to whichever side: "Rochade".
    castles: Vec<Vec<String>>,
    /// The arbiter, by every name and in every case, and what only he judges.
    arbiter: Vec<Vec<String>>,
    /// Words of the speaker, and of his opponent: "mein", "sein".
    pub(super) mine: Vec<Vec<String>>,
    pub(super) theirs: Vec<Vec<String>>,
    /// Other words, or an old spelling, and those that are known: "Pferd", "wieviel".
    same: Instead,
    /// The same in moves alone: "mal".
    in_moves: Instead,
}

/// The words before and after a move that is told.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Frame {
    before: Vec<String>,
    after: Vec<String>,
}

impl Frame {
    fn new(text: &str) -> Frame {
        let (before, after) = text.split_once("{move}").unwrap_or((text, ""));
        Frame { before: normal_words(before), after: normal_words(after) }
    }

    /// The move in such a text, as it was typed.
    fn inside<'a>(&self, text: &'a str) -> Option<&'a str> {
        let rest = match self.before.is_empty() {
            true => text,
            false => beginning(text, |begin| begin == self.before)?,
        };
        if self.after.is_empty() {
            return Some(rest);
        }
        let mut ends = rest.match_indices(char::is_whitespace).map(|(at, _)| rest.split_at(at));
        ends.find(|(_, end)| normal_words(end) == self.after).map(|(inside, _)| inside)
    }
}

/// The move in a text that is told so: in the longest of these ways.
fn inside<'a>(text: &'a str, frames: &[Frame]) -> Option<&'a str> {
    frames.iter().filter_map(|frame| frame.inside(text)).min_by_key(|inside| inside.len())
}

/// Words in the place of others.
type Instead = BTreeMap<Vec<String>, Vec<String>>;

impl TypedWords {
    pub(super) fn read(mut reader: Reader<'_>, problems: &mut Vec<Problem>) -> TypedWords {
        let mut texts = |key| {
            if reader.has(key) { reader.texts(key, problems) } else { Vec::new() }
        };
        let mut frames = |key| texts(key).iter().map(|text| Frame::new(text)).collect();
        let [leads, tells, white_tells, black_tells] =
            ["leads", "tells", "white-tells", "black-tells"].map(&mut frames);
        let mut list = |key| texts(key).iter().map(|text| normal_words(text)).collect();
        let mut words = TypedWords {
            leads,
            tells,
            white_tells,
            black_tells,
            fillers: list("fillers"),
            around: list("around"),
            slips: list("slips"),
            castles: list("castles"),
            arbiter: list("arbiter"),
            mine: list("mine"),
            theirs: list("theirs"),
            ..TypedWords::default()
        };
        for (key, instead) in [("as", &mut words.same), ("in-moves", &mut words.in_moves)] {
            if !reader.has(key) {
                continue;
            }
            let mut table = reader.table(key, problems);
            let keys: Vec<String> =
                table.entries().into_iter().map(|(key, _)| key.clone()).collect();
            for key in keys {
                let known = normal_words(&table.text(&key, problems));
                match normal_words(&key) {
                    words if words.is_empty() => problems.push(table.wrong(&key, "is no word")),
                    words => drop(instead.insert(words, known)),
                }
            }
            table.finish(problems);
        }
        reader.finish(problems);
        words
    }
}

/// These words with others in their places, the longest first; `None` where nothing changes.
fn replaced(typed: &[String], instead: &Instead) -> Option<Vec<String>> {
    let longest = instead.keys().map(Vec::len).max()?;
    let (mut rest, mut known, mut changed) = (typed, Vec::new(), false);
    while let [first, others @ ..] = rest {
        let lengths = (1..=longest.min(rest.len())).rev();
        let found = lengths.filter_map(|len| Some((instead.get(&rest[..len])?, &rest[len..])));
        rest = match found.into_iter().next() {
            Some((words, after)) => {
                changed = true;
                known.extend(words.iter().cloned());
                after
            }
            None => {
                known.push(first.clone());
                others
            }
        };
    }
    changed.then_some(known)
}

impl Pack {
    /// These words with the known ones in their places; `None` where all are known.
    pub(super) fn in_known_words(&self, typed: &[String]) -> Option<Vec<String>> {
        replaced(typed, &self.typed_words.same)
    }

    /// The same of words that are to be a move.
    pub(super) fn in_move_words(&self, typed: &[String]) -> Option<Vec<String>> {
        replaced(typed, &self.typed_words.in_moves)
    }

    /// The rest of a text that begins as moves are told: "ich spiele", "mein Zug ist".
    pub(super) fn after_lead<'a>(&self, text: &'a str) -> Option<&'a str> {
        inside(text, &self.typed_words.leads)
    }

    /// The rest of a text that begins as this player's move is told by his colour: "Schwarz
    /// spielt".
    pub(super) fn after_colour<'a>(&self, text: &'a str, turn: Color) -> Option<&'a str> {
        inside(text, turn.fold_wb(&self.typed_words.white_tells, &self.typed_words.black_tells))
    }

    /// The same as somebody else tells it: "er spielt", "Schwarz spielt".
    fn after_teller<'a>(&self, text: &'a str, turn: Color) -> Option<&'a str> {
        inside(text, &self.typed_words.tells).or_else(|| self.after_colour(text, turn))
    }

    /// A move of the player to move as it may be told, in the words that are known: without
    /// "bitte", "ich spiele" and "er spielt", and with "Springer" for "Pferd". The likeliest first;
    /// none where nothing of the kind is in it.
    pub fn plain_moves(&self, text: &str, turn: Color) -> Vec<String> {
        let mut forms = vec![text.to_owned()];
        let mut with = |form: Option<String>| {
            if let Some(form) = form.filter(|form| !forms.contains(form)) {
                forms.push(form);
            }
            forms.last().map_or_else(String::new, String::clone)
        };
        let bare = with(self.without_fillers(text));
        let told = self.after_lead(&bare).or_else(|| self.after_teller(&bare, turn));
        let told = with(told.map(str::to_owned));
        with(self.without_what_stands_around(&told));
        let known = |form: &String| self.in_known_words(&normal_words(form));
        let known: Vec<String> =
            forms.iter().filter_map(known).map(|words| words.join(" ")).collect();
        // What stands as it was typed is no other form.
        forms.drain(..1);
        forms.extend(known);
        forms
    }

    /// The text without hesitation and politeness, and with what is said twice said once. `None`:
    /// it has neither, or nothing else.
    fn without_fillers(&self, text: &str) -> Option<String> {
        let bare = without(text, &self.typed_words.fillers);
        once(bare.as_deref().unwrap_or(text)).or(bare)
    }

    /// The text of a move without what stands around it. `None`: nothing does.
    fn without_what_stands_around(&self, text: &str) -> Option<String> {
        let words = &self.typed_words;
        let leads = words.leads.iter().filter(|lead| lead.after.is_empty());
        let leads: Vec<Vec<String>> = leads.map(|lead| lead.before.clone()).collect();
        without(text, &[&words.around[..], &leads].concat())
    }

    /// What is said and what is typed for a request that names nothing.
    fn phrases(&self) -> impl Iterator<Item = (&Vec<String>, Command)> {
        let said = self.commands.iter().map(|phrase| (&phrase.before, KINDS[phrase.kind].2));
        let typed = self.typed.iter().filter_map(|phrase| match phrase.asks {
            Asks::One(command) => Some((&phrase.before, command)),
            Asks::Named(..) => None,
        });
        said.chain(typed)
    }

    /// These words with a letter for the a-file in the place of a word of moves that is spelt so:
    /// "a tres". One reading for each.
    pub(super) fn with_file_a<'a>(
        &'a self,
        typed: &'a [String],
    ) -> impl Iterator<Item = Vec<String>> + 'a {
        let named = normal_words(&self.words.file(File::A).text);
        let lexicon = &self.words.lexicon;
        let linked = |n: &usize| {
            typed[*n] == "a" && lexicon.first(&typed[*n..*n + 1]) == Some((1, Token::To))
        };
        let places = (0..typed.len()).filter(linked);
        places.map(move |n| [&typed[..n], &named, &typed[n + 1..]].concat())
    }

    /// Whether the words are castling, to whichever side.
    pub(super) fn castles(&self, typed: &[String]) -> bool {
        self.typed_words.castles.iter().any(|phrase| phrase == typed)
    }
}

/// An announcement as it is typed only: with the piece that is taken, or a pawn's capture by its
/// files alone, or with a file's letter that is a word too, as "a" is in Spanish.
pub(super) fn typed_announcement(own: &MoveWords, tokens: &[Token]) -> Option<Spoken> {
    if let Some(spoken) = Spoken::parse(own, tokens) {
        return Some(spoken);
    }
    let takes = tokens.iter().position(|token| *token == Token::Takes)?;
    let (before, after) = tokens.split_at(takes + 1);
    let link = usize::from(after.first() == Some(&Token::To));
    if let Some(Token::Piece(role)) = after.get(link) {
        let rest = &after[link + 1..];
        let rest = rest.strip_prefix(&[Token::From]).unwrap_or(rest);
        let mut spoken = Spoken::parse(own, &[before, rest].concat())?.said_as(own, tokens);
        spoken.only = Some(Only::Captured(*role));
        return Some(spoken);
    }
    let ([Token::File(from), Token::Takes]
    | [Token::Piece(Role::Pawn), Token::File(from), Token::Takes]) = before
    else {
        return None;
    };
    let [Token::File(onto), rest @ ..] = after else { return None };
    Spoken::captures_by_files(own, tokens, (*from, *onto), rest)
}

/// The words of a text as they were typed, each with its words as they are compared.
fn parts(text: &str) -> Vec<(&str, Vec<String>)> {
    text.split_whitespace().map(|part| (part, normal_words(part))).collect()
}

/// How many parts are one of these phrases: of several the longest.
fn phrase_at(parts: &[(&str, Vec<String>)], phrases: &[Vec<String>]) -> Option<usize> {
    let mut words: Vec<String> = Vec::new();
    let mut found = None;
    for (n, (_, own)) in parts.iter().enumerate() {
        words.extend(own.iter().cloned());
        if !own.is_empty() && phrases.contains(&words) {
            found = Some(n + 1);
        }
        if phrases.iter().all(|phrase| phrase.len() < words.len()) {
            break;
        }
    }
    found
}

/// The text without these phrases; `None` where none stands in it, or nothing is left.
fn without(text: &str, phrases: &[Vec<String>]) -> Option<String> {
    let parts = parts(text);
    let (mut rest, mut left) = (&parts[..], Vec::new());
    while let [first, others @ ..] = rest {
        rest = match phrase_at(rest, phrases) {
            Some(len) => &rest[len..],
            None => {
                left.push(first.0);
                others
            }
        };
    }
    (!left.is_empty() && left.len() < parts.len()).then(|| left.join(" "))
}

/// The text with what is said twice in a row once; `None` where nothing is.
fn once(text: &str) -> Option<String> {
    let mut parts = parts(text);
    let long = parts.len();
    let (first, second) = parts.split_at(long / 2);
    if long.is_multiple_of(2)
        && !first.is_empty()
        && first.iter().zip(second).all(|(a, b)| a.1 == b.1)
    {
        parts.truncate(long / 2);
    }
    let letters = |words: &[String]| words.iter().map(|word| word.chars().count()).sum::<usize>();
    parts.dedup_by(|later, one| later.1 == one.1 && letters(&one.1) >= SAID_TWICE);
    let texts: Vec<&str> = parts.iter().map(|(text, _)| *text).collect();
    (texts.len() < long).then(|| texts.join(" "))
}

/// The rest of a text that begins so, as it was typed: behind the longest beginning.
pub(super) fn beginning(text: &str, is: impl Fn(&[String]) -> bool) -> Option<&str> {
    let text = text.trim_start();
    let ends = text.match_indices(char::is_whitespace).map(|(at, _)| text.split_at(at));
    let mut found =
        ends.filter(|(begin, rest)| is(&normal_words(begin)) && !rest.trim().is_empty());
    found.next_back().map(|(_, rest)| rest.trim())
}

impl Words {
    /// The text without hesitation and politeness, and with what is said twice said once. `None`:
    /// it has neither, or nothing else.
    pub fn without_fillers(&self, text: &str) -> Option<String> {
        self.prompts().without_fillers(text)
    }

    /// Whether the text is nothing but hesitation and politeness.
    pub(super) fn is_filler(&self, text: &str) -> bool {
        let parts = parts(text);
        let mut rest = &parts[..];
        while let Some(len) = phrase_at(rest, &self.prompts().typed_words.fillers) {
            rest = &rest[len..];
        }
        rest.is_empty()
    }

    /// The text of a move without what stands around it: "ich möchte den … spielen". `None`:
    /// nothing does.
    pub fn without_what_stands_around(&self, text: &str) -> Option<String> {
        self.prompts().without_what_stands_around(text)
    }

    /// The move in a text in which somebody else than its player tells it: "er hat … gespielt".
    pub fn after_teller<'a>(&self, text: &'a str, turn: Color) -> Option<&'a str> {
        self.prompts().after_teller(text, turn)
    }

    /// The rest of a text that begins as this player's move is told by his colour: "Schwarz
    /// spielt".
    pub fn after_colour<'a>(&self, text: &'a str, turn: Color) -> Option<&'a str> {
        self.prompts().after_colour(text, turn)
    }

    /// The rest of a text that begins as people correct themselves: "ich meinte", "nein, falsch".
    /// It is a correction only where a move follows.
    pub fn after_slip<'a>(&self, text: &'a str) -> Option<&'a str> {
        let pack = self.prompts();
        let leads = |command| matches!(command, Command::Correction | Command::No);
        let known = pack.phrases().filter(|(_, command)| leads(*command));
        let openings: Vec<&Vec<String>> =
            known.map(|(words, _)| words).chain(&pack.typed_words.slips).collect();
        let is = |begin: &[String]| openings.iter().any(|opening| *opening == begin);
        let mut rest = beginning(text, is)?;
        while let Some(further) = beginning(rest, is) {
            rest = further;
        }
        Some(rest)
    }

    /// The rest of a text that begins with "nein".
    pub fn after_no<'a>(&self, text: &'a str) -> Option<&'a str> {
        let no = |begin: &[String]| {
            let mut phrases = self.prompts().commands.iter();
            phrases.any(|phrase| KINDS[phrase.kind].2 == Command::No && phrase.before == begin)
        };
        beginning(text, no)
    }

    /// The rest of a text that begins with "ich korrigiere", which is also said of pieces that are
    /// to be put right (4.2).
    pub fn after_adjust<'a>(&self, text: &'a str) -> Option<&'a str> {
        let adjusts = |begin: &[String]| {
            let mut phrases = self.prompts().commands.iter();
            phrases.any(|phrase| KINDS[phrase.kind].2 == Command::Adjust && phrase.before == begin)
        };
        beginning(text, adjusts)
    }

    /// The claim that a text begins with, and the rest of it: its move, as it was typed.
    pub fn after_claim<'a>(&self, text: &'a str) -> Option<(Command, &'a str)> {
        let pack = self.prompts();
        [Command::ClaimRepetition, Command::ClaimFifty].into_iter().find_map(|claim| {
            let is = |begin: &[String]| {
                let known = pack.in_known_words(begin);
                let begin = known.as_deref().unwrap_or(begin);
                let mut all = pack.phrases();
                all.any(|(words, command)| command == claim && words == begin)
            };
            let rest = beginning(text, is)?;
            let intends = |begin: &[String]| strip_longest(begin, &pack.intending).is_empty();
            Some((claim, beginning(rest, intends).unwrap_or(rest)))
        })
    }

    /// Whether the text is a part of a name for this castling: "kurz", "die lange".
    pub fn is_castling(&self, mv: Move, text: &str) -> bool {
        let Some(side) = mv.castling_side() else { return false };
        let typed = self.without_what_stands_around(text);
        let typed = normal_words(typed.as_deref().unwrap_or(text));
        let mut names = [self.moves(), self.prompts()]
            .into_iter()
            .flat_map(|pack| pack.castling(side).heard().map(normal_words));
        !typed.is_empty() && names.any(|name| typed.iter().all(|word| name.contains(word)))
    }

    /// Whether a word of the text is the arbiter's, or near to it, or several are what only he
    /// judges.
    pub fn names_arbiter(&self, text: &str) -> bool {
        let typed = normal_words(text);
        let named = |name: &Vec<String>| match name.as_slice() {
            [] => false,
            [name] => typed.iter().any(|word| alike(word, name) > 0.0),
            names => typed.windows(names.len()).any(|words| words == names),
        };
        self.prompts().typed_words.arbiter.iter().any(named)
    }
}
