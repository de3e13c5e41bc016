//! What is practised: the words of moves one by one, whole announcements, requests and answers.

use std::collections::BTreeMap;

use clap::ValueEnum;
use shakmaty::{
    CastlingMode, CastlingSide, Chess, File, Move, Position as _, Rank, Role, Square, fen::Fen,
};

use annabella_words::phrase::{Command, Part, SpokenForm, Utterance, Words};

/// Of each kind of move so many are looked at.
const LOOKED_AT: usize = 24;
/// So many requests are practised in one go.
const REQUESTS_A_TURN: usize = 12;
/// Games rarely show a promotion, and none in which a pawn becomes what it likes by taking: with a
/// pawn on either side.
const PROMOTIONS: [&str; 2] =
    ["r2n1n1b/1P2P2P/8/8/8/k7/8/5K2 w - - 0 1", "5k2/8/K7/8/8/8/1p2p2p/R2N1N1B b - - 0 1"];
/// What is asked for and said most at the board.
const REQUESTS: [Command; 24] = [
    Command::MyTime,
    Command::WhoseMove,
    Command::OfferDraw,
    Command::LastMove,
    Command::OpponentTime,
    Command::OnSquare(Square::E4),
    Command::MovesMade,
    Command::Resign,
    Command::BothTimes,
    Command::Pending,
    Command::CallArbiter,
    Command::OnFile(File::E),
    Command::MoveBefore,
    Command::Captured,
    Command::AcceptDraw,
    Command::Where { role: Role::Rook, mine: true },
    Command::DeclineDraw,
    Command::MovesToControl,
    Command::Adjust,
    Command::ClaimRepetition,
    Command::Press,
    Command::Done,
    Command::Help,
    Command::ClaimFlag,
];
/// Answers to any question, and what steers the program.
const ANSWERS: [Command; 6] = [
    Command::Yes,
    Command::No,
    Command::Stop,
    Command::Repeat,
    Command::Cancel,
    Command::Correction,
];

/// A part of what can be practised, in the order of their numbers, which begin with 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Unit {
    /// The names of the files.
    Files,
    /// The numbers of the ranks.
    Ranks,
    /// The names of the pieces.
    Pieces,
    /// Castling on both sides.
    Castling,
    /// A pawn that becomes another piece.
    Promotion,
    /// Whole announcements of every kind of move.
    Moves,
    /// Requests, as "my time" or "offer a draw".
    Requests,
    /// Yes, no, stop, repeat, cancel, correction.
    Answers,
}

impl Unit {
    /// As an option and a line of JSON name it.
    pub fn name(self) -> String {
        self.to_possible_value().expect("no unit is hidden").get_name().to_owned()
    }
}

/// What an exercise's words mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meant {
    /// A file, a rank or a piece, by the word of the move pack.
    Word(String),
    /// A legal move.
    Move(Move),
    Request(Command),
}

/// Words to be said.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Exercise {
    pub(super) unit: Unit,
    /// The position in which they mean that.
    pub(super) position: Chess,
    pub(super) meant: Meant,
    /// As the program says them.
    pub(super) said: Utterance,
    /// As a recogniser's grammar spells them.
    pub(super) text: String,
}

impl Exercise {
    fn word(unit: Unit, part: Part) -> Exercise {
        let text = part.text.to_lowercase();
        let meant = Meant::Word(part.text.clone());
        let said = Utterance { parts: vec![part] };
        Exercise { unit, position: Chess::default(), meant, said, text }
    }

    fn announcement(unit: Unit, words: &Words, position: &Chess, mv: Move) -> Exercise {
        let said = words.announce(position, mv, SpokenForm::Full);
        let text = said.to_string().replace(',', "").to_lowercase();
        Exercise { unit, position: position.clone(), meant: Meant::Move(mv), said, text }
    }

    fn request(unit: Unit, words: &Words, command: Command) -> Option<Exercise> {
        let text = words.phrase_for(command)?;
        // What names a square or a piece is said in two languages.
        let names = command.name().contains(' ');
        let said = bare(if names { words.asks_for(command) } else { words.label(&text) });
        let text = if names { plain(&said.to_string()) } else { text.to_lowercase() };
        let position = Chess::default();
        Some(Exercise { unit, position, meant: Meant::Request(command), said, text })
    }

    /// Its words, as they are written where words are listed: `Springer`, `Felix`.
    pub(super) fn listed(&self) -> String {
        let said = self.said.to_string();
        let plain = said.split_whitespace().map(|word| word.trim_matches(is_mark));
        plain.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// Without the mark at its end: a sentence round it has its own.
pub(super) fn bare(mut words: Utterance) -> Utterance {
    if let Some(last) = words.parts.last_mut() {
        for text in [&mut last.text, &mut last.sound] {
            text.truncate(text.trim_end_matches(['.', '?']).len());
        }
    }
    words
}

fn is_mark(c: char) -> bool {
    !c.is_alphanumeric()
}

fn plain(text: &str) -> String {
    let words = text.split_whitespace().map(|word| word.trim_matches(is_mark).to_lowercase());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The words of files, ranks or pieces.
fn named(words: &Words, unit: Unit) -> Vec<Part> {
    let pack = words.moves();
    let part = |text: &str, sound: &str| Part {
        lang: pack.code().to_owned(),
        text: text.to_owned(),
        sound: if sound == text { String::new() } else { sound.to_owned() },
    };
    let file = |file| part(&pack.file(file).text, pack.file(file).sound());
    let rank = |rank| part(&pack.rank(rank).text, pack.rank(rank).sound());
    let piece = |role| part(&pack.piece(role).text, pack.piece(role).sound());
    match unit {
        Unit::Files => File::ALL.map(file).into(),
        Unit::Ranks => Rank::ALL.map(rank).into(),
        Unit::Pieces => Role::ALL.map(piece).into(),
        _ => Vec::new(),
    }
}

/// The exercises of a unit. `positions`: of games. Another `turn` has other moves and requests.
/// `missed`: words that come first, in any order.
pub(super) fn exercises(
    words: &Words,
    unit: Unit,
    positions: &[Chess],
    turn: usize,
    missed: &[String],
) -> Vec<Exercise> {
    let mut all: Vec<Exercise> = match unit {
        Unit::Files | Unit::Ranks | Unit::Pieces => {
            let parts = named(words, unit).into_iter();
            parts.map(|part| Exercise::word(unit, part)).collect()
        }
        Unit::Castling | Unit::Promotion | Unit::Moves => moves(words, unit, positions, turn),
        Unit::Requests => {
            let turned = REQUESTS.iter().cycle().skip(turn * REQUESTS_A_TURN % REQUESTS.len());
            let turned = turned.take(REQUESTS_A_TURN);
            turned.filter_map(|of| Exercise::request(unit, words, *of)).collect()
        }
        Unit::Answers => {
            ANSWERS.into_iter().filter_map(|of| Exercise::request(unit, words, of)).collect()
        }
    };
    // The order of the others stays.
    all.sort_by_key(|exercise| {
        let of = exercise.listed();
        let known = of.split(' ').filter(|word| missed.iter().any(|one| one == word));
        std::cmp::Reverse(known.count())
    });
    all
}

/// What makes two announcements of one kind: the piece, whether it takes, en passant, the side of
/// castling, what a pawn becomes.
type Kind = (Role, bool, bool, Option<bool>, Option<Role>);

fn kind(mv: Move) -> Kind {
    let side = mv.castling_side().map(CastlingSide::is_king_side);
    (mv.role(), mv.is_capture(), mv.is_en_passant(), side, mv.promotion())
}

/// Whether a unit has moves of this kind. Whole announcements have one promotion of each sort,
/// theirs all four.
fn belongs(unit: Unit, (_, _, _, side, promotion): Kind) -> bool {
    match unit {
        Unit::Castling => side.is_some(),
        Unit::Promotion => promotion.is_some(),
        _ => promotion.is_none_or(|role| role == Role::Queen),
    }
}

/// A move of each kind, and of castling two; of those that are legal in these positions the one
/// whose words were said least.
fn moves(words: &Words, unit: Unit, positions: &[Chess], turn: usize) -> Vec<Exercise> {
    let composed = PROMOTIONS.iter().filter_map(|fen| composed(fen));
    let all: Vec<Chess> = positions.iter().cloned().chain(composed).collect();
    let mut kinds: BTreeMap<Kind, Vec<(usize, Move)>> = BTreeMap::new();
    for (n, position) in all.iter().enumerate() {
        for mv in position.legal_moves() {
            let kind = kind(mv);
            if belongs(unit, kind) {
                kinds.entry(kind).or_default().push((n, mv));
            }
        }
    }
    let times = if unit == Unit::Castling { 2 } else { 1 };
    let mut said: BTreeMap<String, usize> = BTreeMap::new();
    let mut exercises = Vec::new();
    for _ in 0..times {
        for legal in kinds.values() {
            let step = (legal.len() / LOOKED_AT).max(1);
            let some = legal.iter().cycle().skip(turn * 7 % legal.len()).step_by(step);
            let announced = some.take(LOOKED_AT.min(legal.len())).map(|(n, mv)| {
                let exercise = Exercise::announcement(unit, words, &all[*n], *mv);
                let each = exercise.text.split(' ').map(|word| said.get(word).copied());
                let often: usize = each.map(Option::unwrap_or_default).sum();
                (often, exercise)
            });
            let least = announced.reduce(|best, next| if next.0 < best.0 { next } else { best });
            let Some((_, exercise)) = least else { continue };
            for word in exercise.text.split(' ') {
                *said.entry(word.to_owned()).or_default() += 1;
            }
            exercises.push(exercise);
        }
    }
    exercises
}

fn composed(fen: &str) -> Option<Chess> {
    fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()
}
