//! Openings, so that no two evenings begin alike: an engine of one strength would play the same one
//! each time.

use std::sync::LazyLock;

use rand::{Rng, RngExt as _};
use shakmaty::{Chess, EnPassantMode, Move, Position as _, fen::Fen, san::San};

use crate::{level::Level, line::Line};

/// Lines that are played among people, from the usual start.
const LINES: &[&str] = &[
    // Open games.
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7",
    "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4 d4",
    "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6",
    "e4 e5 Nf3 Nc6 Bc4 Nf6 d3 Be7 O-O O-O",
    "e4 e5 Nf3 Nc6 d4 exd4 Nxd4 Nf6 Nc3 Bb4",
    "e4 e5 Nf3 Nc6 Nc3 Nf6 Bb5 Bb4 O-O O-O",
    "e4 e5 Nf3 Nf6 Nxe5 d6 Nf3 Nxe4 d4 d5",
    "e4 e5 Nf3 d6 d4 exd4 Nxd4 Nf6 Nc3 Be7",
    "e4 e5 Nc3 Nf6 Bc4 Nc6 d3 Bb4",
    "e4 e5 Bc4 Nf6 d3 c6 Nf3 d5",
    // Half-open games.
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6",
    "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5",
    "e4 c5 Nf3 e6 d4 cxd4 Nxd4 Nc6 Nc3 Qc7",
    "e4 c5 Nc3 Nc6 g3 g6 Bg2 Bg7 d3 d6",
    "e4 c5 c3 Nf6 e5 Nd5 d4 cxd4 Nf3 Nc6",
    "e4 e6 d4 d5 Nc3 Nf6 Bg5 Be7 e5 Nfd7",
    "e4 e6 d4 d5 e5 c5 c3 Nc6 Nf3 Qb6",
    "e4 e6 d4 d5 Nd2 Nf6 e5 Nfd7 Bd3 c5",
    "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5 Ng3 Bg6",
    "e4 c6 d4 d5 e5 Bf5 Nf3 e6 Be2 c5",
    "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6 Nf3 c6",
    "e4 d6 d4 Nf6 Nc3 g6 Nf3 Bg7 Be2 O-O",
    "e4 Nf6 e5 Nd5 d4 d6 Nf3 Bg4 Be2 e6",
    // Closed games.
    "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O",
    "d4 d5 c4 c6 Nf3 Nf6 Nc3 dxc4 a4 Bf5",
    "d4 d5 c4 dxc4 Nf3 Nf6 e3 e6 Bxc4 c5",
    "d4 d5 Nf3 Nf6 Bf4 c5 e3 Nc6 c3 e6",
    "d4 d5 Nf3 Nf6 e3 e6 Bd3 c5 c3 Nc6",
    "d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O Bd3 d5",
    "d4 Nf6 c4 e6 Nf3 b6 g3 Bb7 Bg2 Be7",
    "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O",
    "d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5 e4 Nxc3",
    "d4 Nf6 Nf3 e6 Bg5 d5 e3 Be7 Nbd2 O-O",
    "d4 f5 g3 Nf6 Bg2 g6 Nf3 Bg7 O-O O-O",
    // Others.
    "c4 e5 Nc3 Nf6 Nf3 Nc6 g3 d5 cxd5 Nxd5",
    "c4 c5 Nc3 Nc6 g3 g6 Bg2 Bg7 Nf3 e6",
    "Nf3 d5 g3 Nf6 Bg2 e6 O-O Be7 d3 O-O",
    "b3 e5 Bb2 Nc6 e3 d5 Bb5 Bd6",
];

static READ: LazyLock<Vec<Vec<Move>>> = LazyLock::new(|| {
    let read = |line: &&str| {
        let mut position = Chess::default();
        let mut moves = Vec::new();
        // A test reads every line to its end.
        for word in line.split(' ') {
            let mv = word.parse::<San>().ok()?.to_move(&position).ok()?;
            position.play_unchecked(mv);
            moves.push(mv);
        }
        Some(moves)
    };
    LINES.iter().filter_map(read).collect()
});

/// So many half-moves somebody of this level knows by heart.
fn knows(level: Level) -> usize {
    2 + usize::from(level.number())
}

/// A move that he knows by heart here, one of several by chance; `None`: he must think.
pub fn known(line: &Line, level: Level, rng: &mut impl Rng) -> Option<Move> {
    let played = line.moves();
    let usual = Fen::from_position(&Chess::default(), EnPassantMode::Legal);
    if played.len() >= knows(level) || line.start_fen() != usual.to_string() {
        return None;
    }
    let goes_on = |known: &&Vec<Move>| known.len() > played.len() && known.starts_with(played);
    let next: Vec<Move> = READ.iter().filter(goes_on).map(|known| known[played.len()]).collect();
    // A line that is there several times is more usual, and comes as often.
    (!next.is_empty()).then(|| next[rng.random_range(0..next.len())])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::SeedableRng as _;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn answers(moves: &str, level: u8) -> BTreeSet<String> {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        let line = Line::read(START, &moves).expect("legal");
        let level = Level::new(level).expect("a level");
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let each = (0..300).filter_map(|_| known(&line, level, &mut rng));
        each.map(|mv| line.after(mv).uci().pop().expect("a move")).collect()
    }

    #[test]
    fn every_line_can_be_played_and_none_is_there_twice() {
        for (line, moves) in LINES.iter().zip(READ.iter()) {
            assert_eq!(line.split(' ').count(), moves.len(), "{line}");
        }
        assert_eq!(READ.len(), LINES.len());
        assert_eq!(LINES.iter().collect::<BTreeSet<_>>().len(), LINES.len());
    }

    #[test]
    fn evenings_begin_differently_and_a_beginner_soon_thinks_for_himself() {
        let texts =
            |moves: &[&str]| moves.iter().map(|mv| (*mv).to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(answers("", 5), texts(&["b2b3", "c2c4", "d2d4", "e2e4", "g1f3"]));
        assert!(answers("e2e4", 5).len() >= 6);
        assert_eq!(answers("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", 3), texts(&[]));
        assert_eq!(answers("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", 10), texts(&["b5a4"]));
        assert_eq!(answers("a2a4", 10), texts(&[]));
    }
}
