//! Sentences with slots, from the prompt pack: read, checked and filled.

use shakmaty::{Chess, Color, File, Move, Piece, Rank, Role, Square};

use super::{
    SpokenForm, Utterance, Words,
    prompt::{Prompt, SlotKind},
    reader::{Problem, Reader, nearest},
    say::Say,
};

/// A value for a slot of a prompt.
#[derive(Clone, Copy, Debug)]
pub enum Slot<'a> {
    /// A legal move of this position, in the move language.
    Move {
        /// The position before the move.
        pos: &'a Chess,
        /// A move legal there.
        mv: Move,
        /// How much of it is said.
        form: SpokenForm,
    },
    /// Several moves of one position, in full.
    Moves {
        /// The position before the moves.
        pos: &'a Chess,
        /// Moves legal there.
        moves: &'a [Move],
    },
    /// Words that are already there, as an announcement made earlier.
    Words(&'a Utterance),
    /// Words of the move language, as [`super::Spoken::text`].
    Spoken(&'a str),
    /// A square, in the move language.
    Square(Square),
    /// A file, in the move language.
    File(File),
    /// A rank, in the move language.
    Rank(Rank),
    Squares(&'a [Square]),
    /// The same; where neighbours in the list share a rank it is said once: `Anna, Bella zwei. Eva
    /// vier`.
    ByRank(&'a [Square]),
    /// A kind of piece, in the prompt language.
    Piece(Role),
    /// Several pieces of a kind: `Bauern`.
    Several(Role),
    ColoredPiece(Piece),
    /// Pieces with their squares, grouped by colour: `Weiß: Turm Gustav eins.`
    Pieces(&'a [(Square, Piece)]),
    /// Pieces of one file, grouped by colour, with their ranks only.
    OnFile(&'a [(Square, Piece)]),
    /// Pieces of one rank, grouped by colour, with their files only.
    OnRank(&'a [(Square, Piece)]),
    /// Pieces without squares, counted, grouped by colour.
    Counted(&'a [Piece]),
    /// A player: `Weiß`.
    Player(Color),
    /// A number, as words.
    Number(u32),
    /// A time in milliseconds, cut to seconds, as words.
    Duration(u64),
    /// Words that come from outside, as a name, or that a pack has made: said in the prompt
    /// language.
    Text(&'a str),
}

impl Slot<'_> {
    /// How many there are.
    pub fn count(n: impl TryInto<u32>) -> Slot<'static> {
        Slot::Number(n.try_into().unwrap_or(u32::MAX))
    }

    /// Whether this may fill a slot of that kind.
    pub fn is(&self, kind: SlotKind) -> bool {
        let own = match self {
            Slot::Move { .. } | Slot::Words(_) | Slot::Spoken(_) => SlotKind::Move,
            Slot::Moves { .. } => SlotKind::Moves,
            Slot::Square(_) => SlotKind::Square,
            Slot::File(_) => SlotKind::File,
            Slot::Rank(_) => SlotKind::Rank,
            Slot::Squares(_) | Slot::ByRank(_) => SlotKind::Squares,
            Slot::Piece(_) | Slot::Several(_) | Slot::ColoredPiece(_) => SlotKind::Piece,
            Slot::Pieces(_) | Slot::OnFile(_) | Slot::OnRank(_) | Slot::Counted(_) => {
                SlotKind::Pieces
            }
            Slot::Player(_) => SlotKind::Player,
            Slot::Number(_) => SlotKind::Number,
            Slot::Duration(_) => SlotKind::Duration,
            Slot::Text(_) => SlotKind::Text,
        };
        own == kind
    }
}

/// A sentence with slots, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template(Vec<Bit>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Bit {
    Text(String),
    Slot { index: usize, form: SlotForm },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SlotForm {
    Plain,
    /// `{piece.object}`: as it is taken or put.
    Object,
    /// `{n.moves}`: counted moves.
    Moves,
}

impl Template {
    /// Reads and checks the sentence of one prompt: exactly its slots, words and no digits.
    pub(super) fn read(
        prompt: Prompt,
        reader: &mut Reader<'_>,
        problems: &mut Vec<Problem>,
    ) -> Template {
        let key = prompt.key();
        let text = reader.spoken(key, problems);
        if text.is_empty() {
            return Template(Vec::new());
        }
        let mut bits = Vec::new();
        let mut rest = text.as_str();
        while let Some(open) = rest.find(['{', '}']) {
            if open > 0 {
                bits.push(Bit::Text(rest[..open].to_owned()));
            }
            let Some(close) = rest[open..].find('}').filter(|close| *close > 0) else {
                problems.push(reader.wrong(key, "has an unmatched brace"));
                return Template(bits);
            };
            match placeholder(prompt, &rest[open + 1..open + close]) {
                Ok(bit) => bits.push(bit),
                Err(why) => problems.push(reader.wrong(key, why)),
            }
            rest = &rest[open + close + 1..];
        }
        if !rest.is_empty() {
            bits.push(Bit::Text(rest.to_owned()));
        }
        for (n, (name, _)) in prompt.slots().iter().enumerate() {
            let used = |bit: &Bit| matches!(bit, Bit::Slot { index, .. } if *index == n);
            if !bits.iter().any(used) {
                problems.push(reader.wrong(key, format!("lacks {{{name}}}")));
            }
        }
        Template(bits)
    }
}

fn placeholder(prompt: Prompt, inside: &str) -> Result<Bit, String> {
    let (name, form) = inside.split_once('.').unwrap_or((inside, ""));
    let slots = prompt.slots();
    let Some(index) = slots.iter().position(|(slot, _)| *slot == name) else {
        let known = slots.iter().map(|(slot, _)| *slot);
        return Err(match nearest(name, known) {
            Some(near) => format!("{{{name}}} is unknown here, did you mean {{{near}}}?"),
            None => format!("{{{name}}} is unknown here"),
        });
    };
    let form = match (form, slots[index].1) {
        ("", _) => SlotForm::Plain,
        ("object", SlotKind::Piece) => SlotForm::Object,
        ("moves", SlotKind::Number) => SlotForm::Moves,
        _ => return Err(format!("{{{inside}}}: '{name}' has no form '{form}'")),
    };
    Ok(Bit::Slot { index, form })
}

impl Words {
    /// Digits one by one, in groups of four: `vier acht zwei eins, drei null null sieben`.
    pub fn digits(&self, text: &str) -> String {
        let digits: Vec<String> = text
            .chars()
            .filter_map(|c| c.to_digit(10))
            .map(|digit| self.prompts.numbers.cardinal(digit))
            .collect();
        let groups: Vec<String> = digits.chunks(4).map(|group| group.join(" ")).collect();
        groups.join(", ")
    }

    /// The sentence with its slots filled, each stretch in its own language. Slots come in the
    /// order of [`Prompt::slots`]; one that is not given stays unsaid.
    pub fn prompt(&self, prompt: Prompt, slots: &[Slot<'_>]) -> Utterance {
        debug_assert!(
            slots.len() == prompt.slots().len()
                && slots.iter().zip(prompt.slots()).all(|(s, (_, k))| s.is(*k)),
            "slots of {prompt:?} are {:?}",
            prompt.slots()
        );
        let mut say = Say::default();
        for bit in self.prompts.templates[prompt as usize].0.iter() {
            match bit {
                Bit::Text(text) => say.add(self.prompts.code(), text, text),
                Bit::Slot { index, form } => {
                    if let Some(slot) = slots.get(*index) {
                        self.fill(&mut say, slot, *form);
                    }
                }
            }
        }
        let mut said = say.finish();
        if let Some(part) = said.parts.first_mut() {
            capitalise(&mut part.text);
            capitalise(&mut part.sound);
        }
        said
    }

    fn fill(&self, say: &mut Say, slot: &Slot<'_>, form: SlotForm) {
        let lang = self.prompts.code();
        let text = |say: &mut Say, text: &str| say.add(lang, text, text);
        match *slot {
            Slot::Move { pos, mv, form } => say.words(&self.announce(pos, mv, form)),
            Slot::Moves { pos, moves } => {
                for (n, mv) in moves.iter().enumerate() {
                    say.comma(n, lang);
                    say.words(&self.announce(pos, *mv, SpokenForm::Full));
                }
            }
            Slot::Words(words) => say.words(words),
            Slot::Spoken(spoken) => {
                say.add(self.moves.code(), spoken, &self.moves.pronounce(spoken));
            }
            Slot::Square(square) => self.square(say, square),
            Slot::File(file) => say.word(self.moves.code(), self.moves.file(file)),
            Slot::Rank(rank) => say.word(self.moves.code(), self.moves.rank(rank)),
            Slot::Squares(squares) => {
                for (n, square) in squares.iter().enumerate() {
                    say.comma(n, lang);
                    self.square(say, *square);
                }
            }
            Slot::ByRank(squares) => self.by_rank(say, squares),
            Slot::Several(role) => text(say, &self.prompts.noun(role).several),
            Slot::Piece(role) if form == SlotForm::Object => {
                text(say, &self.prompts.noun(role).object);
            }
            Slot::Piece(role) => text(say, &self.prompts.noun(role).one),
            Slot::ColoredPiece(piece) if form == SlotForm::Object => {
                text(say, self.prompts.noun(piece.role).colored_object(piece.color));
            }
            Slot::ColoredPiece(piece) => {
                text(say, self.prompts.noun(piece.role).colored(piece.color));
            }
            Slot::Pieces(pieces) => self.grouped(say, pieces, Words::square),
            Slot::OnFile(pieces) => self.grouped(say, pieces, |words, say, square| {
                say.word(words.moves.code(), words.moves.rank(square.rank()));
            }),
            Slot::OnRank(pieces) => self.grouped(say, pieces, |words, say, square| {
                say.word(words.moves.code(), words.moves.file(square.file()));
            }),
            Slot::Counted(pieces) => self.counted(say, pieces),
            Slot::Player(color) => text(say, self.prompts.player(color)),
            Slot::Number(n) if form == SlotForm::Moves => text(say, &self.prompts.numbers.moves(n)),
            Slot::Number(n) => text(say, &self.prompts.numbers.cardinal(n)),
            Slot::Duration(ms) => text(say, &self.prompts.numbers.duration(ms)),
            Slot::Text(words) => text(say, words),
        }
    }

    pub(super) fn square(&self, say: &mut Say, square: Square) {
        let lang = self.moves.code();
        say.word(lang, self.moves.file(square.file()));
        say.add(lang, " ", " ");
        say.word(lang, self.moves.rank(square.rank()));
    }

    fn by_rank(&self, say: &mut Say, squares: &[Square]) {
        let lang = self.moves.code();
        for (n, group) in squares.chunk_by(|a, b| a.rank() == b.rank()).enumerate() {
            if n > 0 {
                say.add(lang, ". ", ". ");
            }
            for (n, square) in group.iter().enumerate() {
                say.comma(n, lang);
                say.word(lang, self.moves.file(square.file()));
            }
            if let Some(square) = group.first() {
                say.add(lang, " ", " ");
                say.word(lang, self.moves.rank(square.rank()));
            }
        }
    }

    fn grouped(
        &self,
        say: &mut Say,
        pieces: &[(Square, Piece)],
        place: impl Fn(&Words, &mut Say, Square),
    ) {
        let lang = self.prompts.code();
        self.by_color(
            say,
            pieces,
            |entry| entry.1.color,
            |side| self.prompts.side(side),
            |say, group| {
                for (n, (square, piece)) in group.iter().enumerate() {
                    say.comma(n, lang);
                    let one = &self.prompts.noun(piece.role).one;
                    say.add(lang, one, one);
                    say.add(lang, " ", " ");
                    place(self, say, *square);
                }
            },
        );
    }

    fn counted(&self, say: &mut Say, pieces: &[Piece]) {
        let lang = self.prompts.code();
        self.by_color(
            say,
            pieces,
            |piece| piece.color,
            |side| self.prompts.lacking(side),
            |say, group| {
                let counts = Role::ALL
                    .into_iter()
                    .rev()
                    .map(|role| (role, group.iter().filter(|p| p.role == role).count()))
                    .filter(|(_, count)| *count > 0);
                for (n, (role, count)) in counts.enumerate() {
                    say.comma(n, lang);
                    let count = u32::try_from(count).unwrap_or(u32::MAX);
                    let words = self.prompts.count(count, role);
                    say.add(lang, &words, &words);
                }
            },
        );
    }

    /// `Weiß: … Schwarz: …`, leaving out a colour that has nothing.
    fn by_color<'a, T: Copy>(
        &self,
        say: &mut Say,
        all: &[T],
        color: impl Fn(&T) -> Color,
        name: impl Fn(Color) -> &'a str,
        list: impl Fn(&mut Say, &[T]),
    ) {
        let lang = self.prompts.code();
        let mut first = true;
        for side in Color::ALL {
            let group: Vec<T> = all.iter().copied().filter(|e| color(e) == side).collect();
            if group.is_empty() {
                continue;
            }
            let label = format!("{}{}: ", if first { "" } else { ". " }, name(side));
            say.add(lang, &label, &label);
            list(say, &group);
            first = false;
        }
    }
}

/// A sentence may begin with a number.
pub(super) fn capitalise(text: &mut String) {
    let Some((at, first)) = text.char_indices().find(|(_, c)| c.is_alphabetic()) else {
        return;
    };
    let upper: String = first.to_uppercase().collect();
    text.replace_range(at..at + first.len_utf8(), &upper);
}

/// All templates of a pack, in the order of [`Prompt::ALL`].
pub(super) fn read_all(mut reader: Reader<'_>, problems: &mut Vec<Problem>) -> Vec<Template> {
    let templates =
        Prompt::ALL.iter().map(|prompt| Template::read(*prompt, &mut reader, problems)).collect();
    reader.finish(problems);
    templates
}
