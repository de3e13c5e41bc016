//! Every phrase that may be said for a legal move, and back from words to moves and requests.
//!
//! Words are compared exactly, after [`normal_words`] and the variants of the pack. *Understood*,
//! *legal* and *unique* are different things: see [`Understood`].

use std::{collections::BTreeMap, sync::Arc};

use shakmaty::{CastlingSide, Chess, File, Move, Position, Rank, Role, Square};

use super::{
    Pack, Words,
    command::{Command, KINDS, Wanted, diagonals_through},
    loosely::typed_announcement,
    move_words::{Lexicon, Token, text, written_square},
    normal::normal_words,
    spoken::{Spoken, check_and_mate, target},
    typed::Asks,
};

/// The meaning of an utterance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Understood {
    /// Exactly one legal move.
    Move(Move),
    /// Several legal moves fit; also a promotion without its piece.
    Ambiguous(Vec<Move>),
    /// A piece alone: the answer to "Welche Figur?".
    Piece(Role),
    Command(Command),
    /// "Korrektur" and a move (D.2.8), with the meaning of the move.
    Correction(Box<Understood>),
    /// A claim with the intended move (9.2.1, 9.3.1).
    Claim {
        /// [`Command::ClaimRepetition`] or [`Command::ClaimFifty`].
        claim: Command,
        /// The meaning of the move; never `NotHeard`.
        intended: Box<Understood>,
    },
    /// A clear announcement of a move that is not legal here.
    Illegal(Spoken),
    /// Neither a move nor a request.
    NotHeard,
}

/// Understands a text in a position, by the words of the pack and nothing near them.
pub fn understand(words: &Words, pos: &Chess, text: &str) -> Understood {
    understood(words, pos, text, Said::Aloud, |heard| {
        let own = &words.moves.words;
        Spoken::parse(own, &own.lexicon.lex(heard)?)
    })
}

/// The same of what was typed: moves may also be in the words of the prompts, and their squares as
/// they are written: `Springer g8 f6`, `Dame schlägt e4`.
///
/// Old spellings and other words are read as those that are known, where they mean nothing else.
pub fn understand_typed(words: &Words, pos: &Chess, text: &str) -> Understood {
    let read = |typed: &[String]| {
        understood(words, pos, &typed.join(" "), Said::Typed, |typed| typed_move(words, typed))
    };
    let typed = normal_words(text);
    let as_it_stands = read(&typed);
    if as_it_stands != Understood::NotHeard {
        return as_it_stands;
    }
    let known = words.prompts.in_known_words(&typed);
    let with_known = known.as_ref().map_or(Understood::NotHeard, |known| read(known));
    if with_known != Understood::NotHeard {
        return with_known;
    }
    let known = known.unwrap_or(typed);
    let is_move = |read: &Understood| {
        matches!(read, Understood::Move(_) | Understood::Ambiguous(_) | Understood::Illegal(_))
    };
    let told = words.prompts.in_move_words(&known).unwrap_or(known);
    let plain = read(&told);
    if is_move(&plain) {
        return plain;
    }
    let mut with_file = words.prompts.with_file_a(&told).map(|told| read(&told)).filter(is_move);
    // Two readings are none.
    match (with_file.next(), with_file.next()) {
        (Some(one), None) => one,
        _ => Understood::NotHeard,
    }
}

/// A move as it is typed, in the words of either pack.
fn typed_move(words: &Words, typed: &[String]) -> Option<Spoken> {
    let own = &words.moves.words;
    let packs = [own, &words.prompts.words];
    let read = |typed: &[String]| {
        packs.iter().find_map(|pack| typed_announcement(own, &pack.lexicon.typed(typed)?))
    };
    let castles = || {
        let castles = [&words.moves, &words.prompts].iter().any(|pack| pack.castles(typed));
        castles.then(|| Spoken::castles(&typed.join(" ")))
    };
    read(typed).or_else(castles)
}

impl Pack {
    /// A move that was typed in words of this pack, with its squares in words or as they are
    /// written, whether or not any move fits it. `None`: it is none. Notation is none either.
    pub fn typed_move(&self, text: &str) -> Option<Spoken> {
        let tokens = self.words.lexicon.typed(&normal_words(text))?;
        typed_announcement(&self.words, &tokens)
            .filter(|said| said.to.is_some() || said.castling.is_some())
    }
}

impl Pack {
    /// A move by its parts, whether or not any move fits it, with the words for it.
    pub fn spoken_move(
        &self,
        piece: Option<Role>,
        (file, rank): (Option<File>, Option<Rank>),
        to: Square,
        promotion: Option<Role>,
    ) -> Option<Spoken> {
        let mut tokens: Vec<Token> = piece.map(Token::Piece).into_iter().collect();
        tokens.extend(file.map(Token::File));
        tokens.extend(rank.map(Token::Rank));
        tokens.extend([Token::File(to.file()), Token::Rank(to.rank())]);
        tokens.extend(promotion.into_iter().flat_map(|role| [Token::Promotes, Token::Piece(role)]));
        Spoken::parse(&self.words, &tokens)
    }

    /// The same of castling.
    pub fn spoken_castling(&self, side: CastlingSide) -> Option<Spoken> {
        let castle = match side {
            CastlingSide::KingSide => Token::CastleShort,
            CastlingSide::QueenSide => Token::CastleLong,
        };
        Spoken::parse(&self.words, &[castle])
    }
}

/// How words came.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    Aloud,
    Typed,
}

fn understood(
    words: &Words,
    pos: &Chess,
    text: &str,
    said: Said,
    announced: impl Fn(&[String]) -> Option<Spoken>,
) -> Understood {
    let heard = normal_words(text);
    if let Some(command) = command(words, &heard, said) {
        return Understood::Command(command);
    }
    let understand_move = |heard: &[String]| understand_move(words, pos, heard, &announced);
    let simple = understand_move(&heard);
    if simple != Understood::NotHeard {
        return simple;
    }
    for (prefix, rest) in prefixes(words, &heard) {
        match prefix {
            Command::Correction => {
                return Understood::Correction(Box::new(understand_move(rest)));
            }
            claim => {
                let rest = strip_longest(rest, &words.prompts.intending);
                let intended = understand_move(rest);
                if matches!(
                    intended,
                    Understood::Move(_) | Understood::Ambiguous(_) | Understood::Illegal(_)
                ) {
                    let intended = Box::new(intended);
                    return Understood::Claim { claim, intended };
                }
            }
        }
    }
    Understood::NotHeard
}

fn understand_move(
    words: &Words,
    pos: &Chess,
    heard: &[String],
    announced: impl Fn(&[String]) -> Option<Spoken>,
) -> Understood {
    let tokens = words.moves.words.lexicon.lex(heard);
    // Answers may also come in the prompt language.
    for tokens in [&tokens, &words.prompts.words.lexicon.lex(heard)] {
        match tokens.as_deref() {
            Some([Token::Piece(role)]) => return Understood::Piece(*role),
            Some([Token::Rank(rank)]) => {
                return Understood::Command(Command::Choice(u8::from(*rank) + 1));
            }
            _ => {}
        }
    }
    let Some(spoken) = announced(heard) else {
        return Understood::NotHeard;
    };
    match spoken.moves(pos)[..] {
        [] => Understood::Illegal(spoken),
        [mv] => Understood::Move(mv),
        ref several => Understood::Ambiguous(several.to_vec()),
    }
}

fn command(words: &Words, heard: &[String], how: Said) -> Option<Command> {
    let between = |before: &[String], after: &[String]| -> Option<&[String]> {
        heard.strip_prefix(before)?.strip_suffix(after)
    };
    let said = words.prompts.commands.iter().find_map(|phrase| {
        let (_, wanted, command) = KINDS[phrase.kind];
        asked_for(words, wanted, command, between(&phrase.before, &phrase.after)?)
    });
    said.or_else(|| {
        words.prompts.typed.iter().find_map(|phrase| match phrase.asks {
            // No microphone takes for a deed what only fingers were to say.
            Asks::One(command) if how == Said::Aloud && command.is_deed() => None,
            Asks::One(command) => (phrase.before == heard).then_some(command),
            Asks::Named(wanted, command) => {
                asked_for(words, wanted, command, between(&phrase.before, &phrase.after)?)
            }
        })
    })
}

/// The request of this kind for what is named so: in words, or as squares and numbers are written.
fn asked_for(words: &Words, wanted: Wanted, command: Command, named: &[String]) -> Option<Command> {
    let tokens = || -> Option<Vec<Token>> {
        let packs = [&words.moves, &words.prompts];
        let spoken = |named| packs.iter().find_map(|pack| pack.words.lexicon.lex(named));
        let of_both = || -> Option<Vec<Vec<Token>>> {
            let words = named.iter().map(std::slice::from_ref);
            words.map(|word| spoken(word).or_else(|| written(word))).collect()
        };
        // "e vier": a letter and a word.
        spoken(named).or_else(|| written(named)).or_else(|| Some(of_both()?.concat()))
    };
    match wanted {
        Wanted::Nothing => named.is_empty().then_some(command),
        Wanted::Square => match tokens()?[..] {
            [Token::File(file), Token::Rank(rank)] => {
                Some(Command::OnSquare(Square::from_coords(file, rank)))
            }
            _ => None,
        },
        Wanted::File => match tokens()?[..] {
            [Token::File(file)] => Some(Command::OnFile(file)),
            _ => None,
        },
        Wanted::Rank => match tokens()?[..] {
            [Token::Rank(rank)] => Some(Command::OnRank(rank)),
            _ => None,
        },
        Wanted::Diagonal => {
            let square = |file, rank| Square::from_coords(file, rank);
            match tokens()?[..] {
                [Token::File(file), Token::Rank(rank)] => {
                    Some(Command::OnDiagonal(square(file, rank), None))
                }
                [Token::File(file), Token::Rank(rank), Token::File(end), Token::Rank(at)] => {
                    let (one, other) = (square(file, rank), square(end, at));
                    let mut common = diagonals_through(one)
                        .filter(|ends| diagonals_through(other).any(|same| same == *ends));
                    let (low, high) = common.next().filter(|_| one != other)?;
                    Some(Command::OnDiagonal(low, Some(high)))
                }
                _ => None,
            }
        }
        Wanted::Count | Wanted::Number => {
            words.prompts.number_of(named, wanted).map(|n| command.with_number(n))
        }
        Wanted::Role => {
            let asked = Role::ALL.into_iter().find(|role| {
                let names = &words.prompts.noun(*role).asked;
                names.iter().any(|name| normal_words(name) == named)
            });
            let role = asked.or_else(|| match tokens()?[..] {
                [Token::Piece(role)] => Some(role),
                _ => None,
            })?;
            Some(command.with_role(role))
        }
    }
}

/// Squares, files and ranks as they are written: `e4`, `e`, `4`.
fn written(named: &[String]) -> Option<Vec<Token>> {
    let tokens: Option<Vec<_>> = named.iter().map(|word| written_square(word)).collect();
    tokens.map(|tokens| tokens.concat())
}

/// Corrections and claims that the words begin with, the longest first, and what follows each.
pub(super) fn prefixes<'a>(words: &Words, heard: &'a [String]) -> Vec<(Command, &'a [String])> {
    let mut found: Vec<_> = words
        .prompts
        .commands
        .iter()
        .filter_map(|phrase| {
            let command = KINDS[phrase.kind].2;
            let leads = matches!(
                command,
                Command::Correction | Command::ClaimRepetition | Command::ClaimFifty
            );
            let rest = heard.strip_prefix(&phrase.before[..])?;
            leads.then_some((command, rest))
        })
        .collect();
    found.sort_by_key(|(_, rest)| rest.len());
    found
}

pub(super) fn strip_longest<'a>(heard: &'a [String], fillers: &[Vec<String>]) -> &'a [String] {
    fillers
        .iter()
        .filter_map(|filler| heard.strip_prefix(&filler[..]))
        .min_by_key(|rest| rest.len())
        .unwrap_or(heard)
}

/// A phrase and the legal moves it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    /// Lower case, in the pack's own spelling: `läufer cesar eins felix vier`.
    pub text: String,
    /// At least one; more when the phrase is ambiguous here.
    pub moves: Vec<Move>,
}

/// Every phrase that may be said for a legal move of one position.
#[derive(Clone, Debug)]
pub struct Phrases {
    lexicon: Arc<Lexicon>,
    phrases: BTreeMap<Vec<Token>, Phrase>,
}

impl Phrases {
    /// All phrases of all legal moves.
    pub fn new(words: &Words, pos: &Chess) -> Phrases {
        let mut phrases: BTreeMap<Vec<Token>, Phrase> = BTreeMap::new();
        for mv in pos.legal_moves() {
            for tokens in ways(pos, mv) {
                let phrase = phrases.entry(tokens).or_insert_with_key(|tokens| Phrase {
                    text: text(&words.moves.words, tokens).to_lowercase(),
                    moves: Vec::new(),
                });
                if !phrase.moves.contains(&mv) {
                    phrase.moves.push(mv);
                }
            }
        }
        Phrases { lexicon: Arc::clone(&words.moves.words.lexicon), phrases }
    }

    /// The moves that a text stands for; none if it is no phrase of a legal move.
    pub fn lookup(&self, text: &str) -> &[Move] {
        self.lexicon
            .lex(&normal_words(text))
            .and_then(|tokens| self.phrases.get(&tokens))
            .map_or(&[], |phrase| &phrase.moves)
    }

    /// All of them as words of the move language, in a fixed order.
    pub(super) fn tokens(&self) -> impl Iterator<Item = (&[Token], &[Move])> {
        self.phrases.iter().map(|(tokens, phrase)| (tokens.as_slice(), phrase.moves.as_slice()))
    }

    /// All of them, in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = &Phrase> {
        self.phrases.values()
    }
}

/// Every way to say one legal move.
fn ways(pos: &Chess, mv: Move) -> Vec<Vec<Token>> {
    use Token::{Check, EnPassant, From, Mate, Piece, Promotes, Takes, To};
    let mut ways: Vec<Vec<Token>> = Vec::new();
    if let Some(side) = mv.castling_side() {
        ways.push(vec![match side {
            CastlingSide::KingSide => Token::CastleShort,
            CastlingSide::QueenSide => Token::CastleLong,
        }]);
    }
    if let (Some(from), Some(to)) = (mv.from(), target(mv)) {
        let (file, rank) = (Token::File(from.file()), Token::Rank(from.rank()));
        let mut heads = vec![vec![file, rank], vec![From, file, rank]];
        for origin in [vec![], vec![file], vec![rank], vec![file, rank], vec![From, file, rank]] {
            heads.push([vec![Piece(mv.role())], origin].concat());
        }
        if mv.role() == Role::Pawn {
            heads.push(if mv.is_capture() { vec![file] } else { vec![] });
        }
        let links: &[&[Token]] =
            if mv.is_capture() { &[&[], &[To], &[Takes], &[Takes, To]] } else { &[&[], &[To]] };
        let mut tails = vec![vec![]];
        if let Some(role) = mv.promotion() {
            tails.extend([vec![Piece(role)], vec![Promotes, Piece(role)]]);
        }
        if mv.is_en_passant() {
            tails.push(vec![EnPassant]);
        }
        for head in &heads {
            // "nach Eva vier" alone is no announcement.
            let links = if head.is_empty() { &links[..1] } else { links };
            for link in links {
                for tail in &tails {
                    let to = [Token::File(to.file()), Token::Rank(to.rank())];
                    ways.push([head, *link, &to[..], tail].concat());
                }
            }
        }
    }
    let (check, mate) = check_and_mate(pos, mv);
    let mut ends: Vec<&[Token]> = vec![&[]];
    if check {
        ends.push(&[Check]);
    }
    if mate {
        ends.extend([&[Mate][..], &[Check, Mate][..]]);
    }
    ways.iter().flat_map(|way| ends.iter().map(move |end| [way, *end].concat())).collect()
}
