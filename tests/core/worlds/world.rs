//! The worlds, and what people do in them.

use annabella_core::game::{Blind, Duties, GameConfig, HandsKnown, HandsOf};
use shakmaty::{Color, Square};

/// What somebody does. Each is followed by stillness, so that it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Pegs leave holes or enter them, one after another: `w e2- e4+`.
    Hands(Color, Vec<(Square, bool)>),
    /// A move is announced: `w says e2e4`; with `korrektur` in place of a slip of the tongue
    /// (D.2.8).
    Announces { seat: Color, uci: String, correction: bool },
    /// Anything else that is said: `w "ich korrigiere"`.
    Says(Color, String),
    /// A board that is no peg board, or an assistant, shows a move: `b does e8e7`.
    Does(Color, String),
    /// `w!`
    Presses(Color),
    /// The arbiter decides that the game goes on after so many half-moves (D.2.9): `a settles 1`.
    Settles(u32),
    /// And starts the clocks: `a starts`.
    Starts,
    /// Nothing for six seconds.
    Rest,
}

impl Act {
    pub(super) fn parse(text: &str) -> Act {
        let (who, what) = text.split_at(1);
        if text == "rest" {
            return Act::Rest;
        }
        let words: Vec<&str> = what.split_whitespace().collect();
        match words.as_slice() {
            ["settles", ply] if who == "a" => return Act::Settles(ply.parse().expect("a number")),
            ["starts"] if who == "a" => return Act::Starts,
            _ => {}
        }
        let seat = match who {
            "w" => Color::White,
            "b" => Color::Black,
            _ => panic!("'{text}': begin with w, b or a"),
        };
        match words.as_slice() {
            ["!"] => Act::Presses(seat),
            ["says", uci] => Act::Announces { seat, uci: (*uci).to_owned(), correction: false },
            ["korrektur", uci] => Act::Announces { seat, uci: (*uci).to_owned(), correction: true },
            ["does", uci] => Act::Does(seat, (*uci).to_owned()),
            [first, ..] if first.starts_with('"') => {
                Act::Says(seat, what.trim().trim_matches('"').to_owned())
            }
            steps => Act::Hands(seat, steps.iter().map(|step| hand(step)).collect()),
        }
    }
}

fn hand(step: &str) -> (Square, bool) {
    let (square, sign) = step.split_at(2);
    (square.parse().expect("a square"), sign == "+")
}

impl std::fmt::Display for Act {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Act::Hands(seat, steps) => {
                write!(f, "{}", seat.char())?;
                steps.iter().try_for_each(|(square, put)| {
                    write!(f, " {square}{}", if *put { '+' } else { '-' })
                })
            }
            Act::Announces { seat, uci, correction } => {
                let how = if *correction { "korrektur" } else { "says" };
                write!(f, "{} {how} {uci}", seat.char())
            }
            Act::Says(seat, text) => write!(f, "{} \"{text}\"", seat.char()),
            Act::Does(seat, uci) => write!(f, "{} does {uci}", seat.char()),
            Act::Presses(seat) => write!(f, "{}!", seat.char()),
            Act::Settles(ply) => write!(f, "a settles {ply}"),
            Act::Starts => f.write_str("a starts"),
            Act::Rest => f.write_str("rest"),
        }
    }
}

/// A position, how it is played, and what may be done.
pub(super) struct World {
    pub(super) name: &'static str,
    pub(super) config: GameConfig,
    pub(super) acts: Vec<Act>,
}

/// Stands between acts, where they are written and printed.
pub(super) const SEPARATOR: &str = " · ";

/// Acts as they are printed, `·` between them. In every world nothing may happen, too.
fn world(name: &'static str, fen: &str, config: GameConfig, acts: &str) -> World {
    let config = GameConfig { start: Some(fen.to_owned()), ..config };
    let acts = acts.split(SEPARATOR).chain(["rest"]).map(Act::parse).collect();
    World { name, config, acts }
}

/// A blind White who announces his moves himself; Black's board reports.
fn speaking() -> GameConfig {
    let duties = Duties { announce: false, ..Duties::default() };
    GameConfig {
        sighted_board: true,
        duties,
        time_control: "90+30".to_owned(),
        ..GameConfig::default()
    }
}

/// The system announces for him (D.2.10.2).
fn announcing() -> GameConfig {
    GameConfig { duties: Duties::default(), ..speaking() }
}

/// Black has a wooden board, and says what he plays.
fn wooden() -> GameConfig {
    GameConfig { sighted_board: false, ..speaking() }
}

fn known(hands: HandsKnown) -> GameConfig {
    GameConfig { hands: HandsOf { white: hands, black: hands }, ..speaking() }
}

/// All of them.
pub(super) fn worlds() -> Vec<World> {
    let quiet = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let by_word = "w says e2e4 · w says e2e3 · w korrektur e2e3 · w says e1d1 · w \"fertig\" · \
                   b says e8e7 · b does e8e7 · w! · b!";
    vec![
        world(
            "a pawn moves, announced by its player",
            quiet,
            speaking(),
            "w e2- e4+ · w e2- · w e2+ · w e3+ · w e4- · w e4+ · w e1- d1+ · w says e2e4 · \
             w says e2e3 · w korrektur e2e3 · w \"ich korrigiere\" · w! · b! · b does e8e7",
        ),
        world(
            "a pawn moves, announced by the system",
            quiet,
            announcing(),
            "w e2- e4+ · w e2- · w e2+ · w e3+ · w e4- · w e4+ · w e1- d1+ · w e1- · w e1+ · \
             w \"ich korrigiere\" · w! · b! · b does e8e7",
        ),
        world(
            "a pawn promotes",
            "8/P6k/8/8/8/8/8/K7 w - - 0 1",
            announcing(),
            "w a7- a8+ · w a7- · w a7+ · w a8+ · w a8- · w says a7a8q · w says a7a8n · \
             w korrektur a7a8r · w \"Dame\" · w! · b! · b does h7h6",
        ),
        world(
            "a pawn takes in passing",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            announcing(),
            "w d5- e5- d6+ · w e5- d6+ d5- · w e5- · w e5+ · w d6+ · w d6- · w d5- · w d5+ · w e6+ · \
             w! · b! · b does e8e7",
        ),
        world(
            "a king castles",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            announcing(),
            "w e1- g1+ h1- f1+ · w h1- f1+ e1- g1+ · w e1- · w g1+ · w g1- · w h1- · w f1+ · w f1- · \
             w e1+ · w h1+ · w! · b! · b does e8e7",
        ),
        world(
            "a pawn takes",
            "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
            speaking(),
            "w d5- e4- d5+ · w e4- d5- d5+ · w e4- · w e4+ · w e5+ · w e5- · w d5- · w d5+ · \
             w says e4d5 · w says e4e5 · w korrektur e4d5 · w! · b! · b does e8e7",
        ),
        world(
            "a rook gives mate",
            "7k/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
            announcing(),
            "w a1- a8+ · w a1- · w a1+ · w a7+ · w a7- · w a8+ · w a8- · w g7- · w g7+ · w! · b! · \
             b does h8g8",
        ),
        world(
            "a draw is claimed",
            "3k4/7p/8/8/8/8/4R3/4K3 w - - 98 80",
            announcing(),
            "w e2- d2+ · w e2- · w e2+ · w d2+ · w \"fünfzig Züge\" · \
             w \"fünfzig Züge mit Turm David zwei\" · w \"ja\" · w \"Remis anbieten\" · b \"ja\" · \
             b \"Remis annehmen\" · w! · b! · b does d8c8 · b does h7h6",
        ),
        world(
            "there is little time",
            quiet,
            GameConfig { time_control: "0.2".to_owned(), ..announcing() },
            "w e2- e4+ · w e2- · w e2+ · w e4+ · w e4- · w! · b! · b does e8e7 · b does e8d8 · \
             w e8- e7+ · w e8- d8+",
        ),
        world(
            "both are blind",
            quiet,
            GameConfig { blind: Blind::Both, ..announcing() },
            "w e2- e4+ · b e2- e4+ · w e2- · w e4+ · b e2- · b e4+ · b e8- e7+ · w e8- e7+ · b e8- · \
             b e8+ · b e7+ · w! · b!",
        ),
        world(
            "the opponent has a wooden board",
            "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
            wooden(),
            "b says e8e7 · b says e8d8 · w e8- e7+ · w e8- d8+ · w e8- · w e8+ · w e7+ · w e7- · b! · \
             w! · w e2- e4+ · w says e2e4",
        ),
        world(
            "the arbiter decides, the opponent has a wooden board",
            "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
            wooden(),
            "b says e8e7 · b says e8d8 · b! · w! · w e8- e7+ · w e7- e8+ · w \"ausgeführt\" · w \"ja\" · \
             a settles 0 · a settles 1 · a starts",
        ),
        world(
            "the arbiter decides, no sensor feels the pegs",
            "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
            GameConfig { sighted_board: false, ..known(HandsKnown::Announced) },
            "b says e8e7 · b says e8d8 · b! · w says e2e4 · w! · w \"ausgeführt\" · w \"ja\" · \
             a settles 0 · a settles 1 · a starts",
        ),
        world(
            "he stalemates on a wooden board",
            "7K/8/5k2/8/6q1/8/8/8 b - - 0 1",
            GameConfig { time_control: "0.2".to_owned(), ..wooden() },
            "b says g4g6 · b says g4h4 · w g4- g6+ · w g4- h4+ · w g4- · w g4+ · w g6+ · b! · w!",
        ),
        world(
            "no sensor feels the pegs, what is announced counts",
            quiet,
            known(HandsKnown::Announced),
            by_word,
        ),
        world(
            "no sensor feels the pegs, he says when it is done",
            quiet,
            known(HandsKnown::Spoken),
            by_word,
        ),
    ]
}
