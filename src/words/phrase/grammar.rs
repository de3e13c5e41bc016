//! Every phrase that may be said for a legal move, and back from words to moves and requests.
//!
//! Words are compared exactly, after [`normal_words`] and the variants of the pack. *Understood*,
//! *legal* and *unique* are different things: see [`Understood`].

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use shakmaty::{CastlingSide, Chess, File, Move, Position, Rank, Role, Square};

use super::{
    Words,
    command::{Command, KINDS, Wanted},
    normal::normal_words,
    pack::Pack,
};

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
    /// Adds what may be heard for a token; gives back another token that it stands for already.
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

/// A well-formed announcement, whether or not any move fits it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// As it was understood, in the words of the move pack: `Springer Gustav eins Felix fünf`.
    pub text: String,
    /// The piece, if it was named.
    pub piece: Option<Role>,
    /// The origin's file, if it was named.
    pub from_file: Option<File>,
    /// The origin's rank, if it was named.
    pub from_rank: Option<Rank>,
    /// "schlägt" was said.
    pub takes: bool,
    /// The destination; none for castling.
    pub to: Option<Square>,
    /// The piece a pawn becomes, if it was named.
    pub promotion: Option<Role>,
    /// "en passant" was said.
    pub en_passant: bool,
    /// Castling was said.
    pub castling: Option<CastlingSide>,
    /// "Schach" was said.
    pub check: bool,
    /// "matt" was said.
    pub mate: bool,
}

impl Spoken {
    fn empty() -> Spoken {
        Spoken {
            text: String::new(),
            piece: None,
            from_file: None,
            from_rank: None,
            takes: false,
            to: None,
            promotion: None,
            en_passant: false,
            castling: None,
            check: false,
            mate: false,
        }
    }

    /// The origin, if the whole square was named.
    pub fn from(&self) -> Option<Square> {
        Some(Square::from_coords(self.from_file?, self.from_rank?))
    }

    fn parse(pack: &Pack, tokens: &[Token]) -> Option<Spoken> {
        let mut spoken = Spoken::empty();
        spoken.text = text(pack, tokens);
        let mut rest = tokens;
        while let [before @ .., last @ (Token::Check | Token::Mate)] = rest {
            spoken.check |= *last == Token::Check;
            spoken.mate |= *last == Token::Mate;
            rest = before;
        }
        match rest {
            [Token::CastleShort] => {
                spoken.castling = Some(CastlingSide::KingSide);
                return Some(spoken);
            }
            [Token::CastleLong] => {
                spoken.castling = Some(CastlingSide::QueenSide);
                return Some(spoken);
            }
            _ => {}
        }
        if let [Token::Piece(role), after @ ..] = rest {
            spoken.piece = Some(*role);
            rest = after;
        }
        if let [before @ .., Token::EnPassant] = rest {
            spoken.en_passant = true;
            rest = before;
        }
        if let [before @ .., Token::Piece(role)] = rest {
            spoken.promotion = Some(*role);
            rest = before;
            if let [before @ .., Token::Promotes] = rest {
                rest = before;
            }
        }
        let from = matches!(rest.first(), Some(Token::From));
        rest = &rest[usize::from(from)..];
        let [origin @ .., Token::File(file), Token::Rank(rank)] = rest else {
            return None;
        };
        spoken.to = Some(Square::from_coords(*file, *rank));
        let (link, origin) = match origin {
            [origin @ .., Token::Takes, Token::To] | [origin @ .., Token::Takes] => {
                spoken.takes = true;
                (true, origin)
            }
            [origin @ .., Token::To] => (true, origin),
            origin => (false, origin),
        };
        match origin {
            [] if !from => {}
            [Token::File(file)] => spoken.from_file = Some(*file),
            [Token::Rank(rank)] => spoken.from_rank = Some(*rank),
            [Token::File(file), Token::Rank(rank)] => {
                spoken.from_file = Some(*file);
                spoken.from_rank = Some(*rank);
            }
            _ => return None,
        }
        // Without its piece a move is a pawn's, or names a square, or is no announcement.
        let bare = spoken.piece.is_none() && spoken.from_file.is_none();
        (!bare || (!link && spoken.from_rank.is_none())).then_some(spoken)
    }

    fn fits(&self, mv: Move) -> bool {
        if let Some(side) = self.castling {
            return mv.castling_side() == Some(side);
        }
        let (Some(from), Some(to)) = (mv.from(), target(mv)) else {
            return false;
        };
        let piece = match self.piece {
            Some(role) => mv.role() == role,
            None if self.from().is_some() => true,
            None if self.from_file.is_some() => mv.role() == Role::Pawn,
            None => mv.role() == Role::Pawn && !mv.is_capture(),
        };
        piece
            && self.to == Some(to)
            && self.from_file.is_none_or(|file| file == from.file())
            && self.from_rank.is_none_or(|rank| rank == from.rank())
            && (!self.takes || mv.is_capture())
            && (!self.en_passant || mv.is_en_passant())
            && (self.promotion.is_none() || self.promotion == mv.promotion())
    }

    /// The legal moves that were said. A named check or mate decides between several, and is not
    /// held against the speaker where it is not true: the Laws do not ask for it.
    fn moves(&self, pos: &Chess) -> Vec<Move> {
        let moves: Vec<Move> = pos.legal_moves().into_iter().filter(|mv| self.fits(*mv)).collect();
        if moves.len() < 2 || !(self.check || self.mate) {
            return moves;
        }
        let true_too: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|mv| {
                let (check, mate) = check_and_mate(pos, *mv);
                (check || !self.check) && (mate || !self.mate)
            })
            .collect();
        if true_too.is_empty() { moves } else { true_too }
    }
}

/// Where the moving piece comes to stand. A castling king goes two squares if he stands on e1 or
/// e8; elsewhere castling has its own words only.
fn target(mv: Move) -> Option<Square> {
    match mv {
        Move::Castle { king, .. } if king.file() != File::E => None,
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king < rook);
            Some(Square::from_coords(side.king_to_file(), king.rank()))
        }
        mv => Some(mv.to()),
    }
}

/// Whether a legal move gives check, and mate.
pub(super) fn check_and_mate(pos: &Chess, mv: Move) -> (bool, bool) {
    let mut after = pos.clone();
    after.play_unchecked(mv);
    (after.is_check(), after.is_checkmate())
}

/// The announcement that the words become if one of them is misheard or lost, if there is one: no
/// request may be so near to a move.
pub(super) fn one_word_from_move(moves: &Pack, words: &[String]) -> Option<String> {
    let strange: Vec<usize> =
        (0..words.len()).filter(|n| !moves.lexicon.knows(&words[*n])).collect();
    let places = match strange[..] {
        [] => 0..words.len(),
        [place] => place..place + 1,
        _ => return None,
    };
    let announces = |words: &[String]| {
        moves.lexicon.lex(words).and_then(|tokens| Spoken::parse(moves, &tokens)).is_some()
    };
    for place in places {
        let mut changed = words.to_vec();
        changed.remove(place);
        if announces(&changed) {
            return Some(changed.join(" "));
        }
        for word in moves.lexicon.single_words() {
            let mut changed = words.to_vec();
            word.clone_into(&mut changed[place]);
            if announces(&changed) {
                return Some(changed.join(" "));
            }
        }
    }
    None
}

pub(super) fn text(pack: &Pack, tokens: &[Token]) -> String {
    let mut words = Vec::new();
    let mut promoted = false;
    for token in tokens {
        let word = match *token {
            Token::Piece(role) if promoted => pack.promoted(role),
            Token::Piece(role) => pack.piece(role),
            Token::File(file) => pack.file(file),
            Token::Rank(rank) => pack.rank(rank),
            Token::Takes => &pack.words.takes,
            Token::To => &pack.words.to,
            Token::From => &pack.words.from,
            Token::CastleShort => &pack.words.castle_short,
            Token::CastleLong => &pack.words.castle_long,
            Token::Promotes => &pack.words.promotes,
            Token::EnPassant => &pack.words.en_passant,
            Token::Check => &pack.words.check,
            Token::Mate => &pack.words.mate,
        };
        promoted = *token == Token::Promotes;
        words.push(word.text.as_str());
    }
    words.join(" ")
}

/// What was said, as far as it is understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Understood {
    /// Exactly one legal move.
    Move(Move),
    /// Several legal moves fit; also a promotion without its piece.
    Ambiguous(Vec<Move>),
    /// A piece alone: the answer to "Welche Figur?".
    Piece(Role),
    /// A request or an answer.
    Command(Command),
    /// "Korrektur" and a move (D.2.8): what the move was understood as.
    Correction(Box<Understood>),
    /// A claim with the intended move (9.2.1, 9.3.1).
    Claim {
        /// [`Command::ClaimRepetition`] or [`Command::ClaimFifty`].
        claim: Command,
        /// What the move was understood as; never `NotHeard`.
        intended: Box<Understood>,
    },
    /// A clear announcement of a move that is not legal here.
    Illegal(Spoken),
    /// Neither a move nor a request.
    NotHeard,
}

/// Understands a text in a position, by the words of the pack and nothing near them.
pub fn understand(words: &Words, pos: &Chess, text: &str) -> Understood {
    let heard = normal_words(text);
    if let Some(command) = command(words, &heard) {
        return Understood::Command(command);
    }
    let simple = understand_move(words, pos, &heard);
    if simple != Understood::NotHeard {
        return simple;
    }
    for (prefix, rest) in prefixes(words, &heard) {
        match prefix {
            Command::Correction => {
                return Understood::Correction(Box::new(understand_move(words, pos, rest)));
            }
            claim => {
                let rest = strip_longest(rest, &words.prompts.intending);
                let intended = understand_move(words, pos, rest);
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

fn understand_move(words: &Words, pos: &Chess, heard: &[String]) -> Understood {
    let tokens = words.moves.lexicon.lex(heard);
    // Answers may also come in the prompt language.
    for tokens in [&tokens, &words.prompts.lexicon.lex(heard)] {
        match tokens.as_deref() {
            Some([Token::Piece(role)]) => return Understood::Piece(*role),
            Some([Token::Rank(rank)]) => {
                return Understood::Command(Command::Choice(u8::from(*rank) + 1));
            }
            _ => {}
        }
    }
    let spoken = tokens.and_then(|tokens| Spoken::parse(&words.moves, &tokens));
    let Some(spoken) = spoken else {
        return Understood::NotHeard;
    };
    match spoken.moves(pos)[..] {
        [] => Understood::Illegal(spoken),
        [mv] => Understood::Move(mv),
        ref several => Understood::Ambiguous(several.to_vec()),
    }
}

fn command(words: &Words, heard: &[String]) -> Option<Command> {
    words.prompts.commands.iter().find_map(|phrase| {
        let rest = heard.strip_prefix(&phrase.before[..])?;
        let named = rest.strip_suffix(&phrase.after[..])?;
        let (_, wanted, command) = KINDS[phrase.kind];
        let tokens = || -> Option<Vec<Token>> {
            let own = words.moves.lexicon.lex(named);
            own.or_else(|| words.prompts.lexicon.lex(named))
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
    })
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
                    text: text(&words.moves, tokens).to_lowercase(),
                    moves: Vec::new(),
                });
                if !phrase.moves.contains(&mv) {
                    phrase.moves.push(mv);
                }
            }
        }
        Phrases { lexicon: Arc::clone(&words.moves.lexicon), phrases }
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
