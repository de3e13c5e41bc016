//! A game so far: its start, its moves, and what has stood how often.

use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, Move, Position,
    fen::{Epd, Fen},
    uci::UciMove,
};

/// A game from its start on.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    start: Chess,
    start_fen: String,
    moves: Vec<Move>,
    now: Chess,
    /// Every position that has stood, the present one last.
    stood: Vec<String>,
}

fn stands(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}

impl Line {
    /// Reads a start (FEN) and moves (UCI). `None`: they do not fit.
    pub fn read(start: &str, moves: &[String]) -> Option<Line> {
        let fen: Fen = start.parse().ok()?;
        let position: Chess = fen.into_position(CastlingMode::Standard).ok()?;
        let mut line = Line {
            start: position.clone(),
            start_fen: start.to_owned(),
            moves: Vec::new(),
            stood: vec![stands(&position)],
            now: position,
        };
        for text in moves {
            let mv = line.legal(text)?;
            line.play(mv);
        }
        Some(line)
    }

    /// A move that is legal now.
    pub fn legal(&self, uci: &str) -> Option<Move> {
        uci.parse::<UciMove>().ok()?.to_move(&self.now).ok()
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        self.now.play_unchecked(mv);
        self.moves.push(mv);
        self.stood.push(stands(&self.now));
    }

    pub fn start(&self) -> &Chess {
        &self.start
    }

    pub fn start_fen(&self) -> &str {
        &self.start_fen
    }

    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The moves in UCI.
    pub fn uci(&self) -> Vec<String> {
        self.moves.iter().map(|mv| UciMove::from_standard(*mv).to_string()).collect()
    }

    pub fn position(&self) -> &Chess {
        &self.now
    }

    pub fn turn(&self) -> Color {
        self.now.turn()
    }

    /// How often the present position has stood.
    pub fn times(&self) -> usize {
        let now = self.stood.last();
        self.stood.iter().filter(|stood| Some(*stood) == now).count()
    }

    /// The game as it was after so many half-moves; `None`: it has fewer.
    pub fn until(&self, plies: usize) -> Option<Line> {
        let moves = self.moves.get(..plies)?;
        let mut line = Line {
            start: self.start.clone(),
            start_fen: self.start_fen.clone(),
            moves: Vec::new(),
            stood: vec![stands(&self.start)],
            now: self.start.clone(),
        };
        moves.iter().for_each(|mv| line.play(*mv));
        Some(line)
    }

    /// The game before its last move, and that move.
    pub fn before_last(&self) -> Option<(Line, Move)> {
        let last = *self.moves.last()?;
        Some((self.until(self.moves.len() - 1)?, last))
    }

    /// The game after one more move.
    #[must_use]
    pub fn after(&self, mv: Move) -> Line {
        let mut line = self.clone();
        line.play(mv);
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(moves: &str) -> Option<Line> {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        Line::read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &moves)
    }

    #[test]
    fn a_game_is_read_and_an_illegal_one_is_not() {
        let read = line("e2e4 e7e5 g1f3").expect("legal");
        assert_eq!(read.uci(), ["e2e4", "e7e5", "g1f3"]);
        assert_eq!(read.turn(), Color::Black);
        assert_eq!(line("e2e5"), None);
        assert_eq!(line("e2e4 xyz"), None);
        assert_eq!(Line::read("8/8/8/8/8/8/8/8 w - - 0 1", &[]), None);
    }

    #[test]
    fn a_game_is_looked_at_as_it_was() {
        let read = line("e2e4 e7e5 g1f3").expect("legal");
        assert_eq!(read.until(2), line("e2e4 e7e5"));
        assert_eq!(read.until(4), None);
        let (before, last) = read.before_last().expect("a move");
        assert_eq!((before.uci().len(), before.legal("g1f3")), (2, Some(last)));
        assert_eq!(line("").expect("a start").before_last(), None);
    }

    #[test]
    fn a_position_that_has_stood_before_is_counted() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8";
        assert_eq!(line("").expect("a start").times(), 1);
        let twice = line(shuffle).expect("legal");
        assert_eq!(twice.times(), 2);
        let nearly = line(&format!("{shuffle} g1f3 g8f6 f3g1")).expect("legal");
        let mv = nearly.legal("f6g8").expect("legal");
        assert_eq!(nearly.after(mv).times(), 3);
    }
}
