//! When a partner offers or takes a draw, claims one, or resigns. He judges by his engine, never by
//! more than it said.

use shakmaty::{Color, Move, Position as _};

use crate::{level::Level, line::Line, uci::Judgement};

/// Behind by so much he is lost, hundredths of a pawn.
const LOST: i32 = -900;
/// After so many own moves in a row that are lost he resigns.
const LOST_MOVES: u32 = 4;
/// Below this level nobody resigns: the player may give mate.
const RESIGNS_FROM: u8 = 4;
/// No advantage for either side is smaller, hundredths of a pawn.
const EVEN: i32 = 20;
/// After so many own moves in a row that are even he offers a draw.
const EVEN_MOVES: u32 = 8;
/// No draw is offered before so many half-moves.
const OFFERS_FROM: usize = 60;
/// After an offer none is made for so many half-moves (11.5).
const OFFERS_AGAIN: usize = 40;
/// When he takes a draw: from so many half-moves on, standing no better than this, hundredths of a
/// pawn. In an opening nothing is decided yet, unless something was lost.
const TAKES: [(usize, i32); 3] = [(0, -300), (20, -80), (40, 15)];
/// A move that gives away so much is a bad one, hundredths of a pawn.
const BAD: i32 = 100;
/// He claims a draw where he stands no better than this.
const CLAIMS: i32 = 15;

/// What he says with his move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Nothing,
    OffersDraw,
    Resigns,
}

/// By what a draw is claimed, and whether the next move brings it about (9.2, 9.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    Repetition { with_move: bool },
    Fifty { with_move: bool },
}

/// His memory of a game.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    lost: u32,
    even: u32,
    offered_at: Option<usize>,
    /// What he said last, and after how many half-moves: he may be asked twice there.
    said: Option<(usize, Word)>,
}

impl Judge {
    /// He is about to make a move that his engine judges so.
    pub fn says(&mut self, line: &Line, judgement: Option<Judgement>, level: Level) -> Word {
        let plies = line.moves().len();
        if let Some((at, word)) = self.said
            && at == plies
        {
            return word;
        }
        // What was not judged changes nothing.
        let Some(value) = judgement.map(Judgement::centipawns) else { return Word::Nothing };
        let word = self.decides(plies, value, level);
        self.said = Some((plies, word));
        word
    }

    fn decides(&mut self, plies: usize, value: i32, level: Level) -> Word {
        self.lost = if value <= LOST { self.lost + 1 } else { 0 };
        self.even = if value.abs() <= EVEN { self.even + 1 } else { 0 };
        if self.lost >= LOST_MOVES && level.number() >= RESIGNS_FROM {
            return Word::Resigns;
        }
        let again = self.offered_at.is_none_or(|at| plies >= at + OFFERS_AGAIN);
        if self.even >= EVEN_MOVES && plies >= OFFERS_FROM && again {
            self.offered_at = Some(plies);
            return Word::OffersDraw;
        }
        Word::Nothing
    }

    /// The opponent offers a draw. `judgement` is for the side to move.
    pub fn takes(line: &Line, judgement: Option<Judgement>, own: Color) -> bool {
        let Some(value) = judgement.map(Judgement::centipawns) else { return false };
        let own = if line.turn() == own { value } else { -value };
        let plies = line.moves().len();
        TAKES.iter().any(|(from, most)| plies >= *from && own <= *most)
    }

    /// Whether a move was a bad one: how the position before it is judged, for its player, and the
    /// position after it, for his opponent. What is won or lost either way is no matter.
    pub fn is_worse(before: Option<Judgement>, after: Option<Judgement>) -> bool {
        let value = |judged: Judgement| judged.centipawns().clamp(LOST, -LOST);
        let Some((before, after)) = before.map(value).zip(after.map(value)) else { return false };
        before + after >= BAD
    }

    /// A draw that he may claim and wants, before he makes this move.
    pub fn claims(line: &Line, mv: Move, judgement: Option<Judgement>) -> Option<Claim> {
        if judgement.is_some_and(|judgement| judgement.centipawns() > CLAIMS) {
            return None;
        }
        let after = line.after(mv);
        let quiet = |line: &Line| line.position().halfmoves() >= 100;
        match () {
            () if line.times() >= 3 => Some(Claim::Repetition { with_move: false }),
            () if quiet(line) => Some(Claim::Fifty { with_move: false }),
            () if after.position().is_checkmate() => None,
            () if after.times() >= 3 => Some(Claim::Repetition { with_move: true }),
            () if quiet(&after) => Some(Claim::Fifty { with_move: true }),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn after(moves: usize) -> Line {
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let moves: Vec<String> = (0..moves).map(|n| shuffle[n % 4].to_owned()).collect();
        Line::read(START, &moves).expect("legal")
    }

    fn level(number: u8) -> Level {
        Level::new(number).expect("a level")
    }

    #[test]
    fn he_resigns_when_he_has_long_been_lost_and_a_beginner_never_does() {
        let lost = Some(Judgement::Mate(-5));
        let says = |number: u8, judged: &[Option<Judgement>]| {
            let mut judge = Judge::default();
            let each = judged.iter().enumerate();
            each.map(|(n, one)| judge.says(&after(20 + 2 * n), *one, level(number)))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            says(4, &[lost; 4])[..],
            [Word::Nothing, Word::Nothing, Word::Nothing, Word::Resigns]
        );
        assert!(says(3, &[lost; 9]).iter().all(|word| *word == Word::Nothing));
        let hope = Some(Judgement::Centipawns(-300));
        assert!(!says(9, &[lost, lost, lost, hope, lost]).contains(&Word::Resigns));
    }

    #[test]
    fn he_offers_a_draw_late_in_an_even_game_and_not_again_and_again() {
        let even = Some(Judgement::Centipawns(5));
        let mut judge = Judge::default();
        let mut offers = Vec::new();
        for plies in (0..140).step_by(2) {
            if judge.says(&after(plies), even, level(5)) == Word::OffersDraw {
                offers.push(plies);
            }
        }
        assert_eq!(offers, [60, 100]);
    }

    #[test]
    fn he_takes_a_draw_where_he_has_nothing_better() {
        let takes = |plies, value| {
            Judge::takes(&after(plies), Some(Judgement::Centipawns(value)), Color::Black)
        };
        // White is to move after 40 half-moves: his judgement turned round.
        assert!(takes(40, 0) && takes(40, 200));
        assert!(!takes(40, -50));
        assert!(takes(41, -200) && !takes(41, 50));
        assert!(!takes(10, 100) && takes(20, 100) && !takes(20, 0));
        assert!(takes(2, 400));
        assert!(!Judge::takes(&after(40), None, Color::Black));
    }

    #[test]
    fn a_bad_move_is_one_that_gives_something_away() {
        let worse = |before, after| {
            Judge::is_worse(Some(Judgement::Centipawns(before)), Some(Judgement::Centipawns(after)))
        };
        assert!(worse(30, 90) && worse(-50, 200));
        assert!(!worse(30, -30) && !worse(30, 60));
        // Won as before.
        assert!(!worse(2_000, -950));
        let mate = Some(Judgement::Mate(3));
        assert!(Judge::is_worse(mate, Some(Judgement::Centipawns(0))));
        assert!(!Judge::is_worse(mate, Some(Judgement::Mate(-2))));
        assert!(!Judge::is_worse(None, mate));
    }

    #[test]
    fn he_claims_what_stands_for_the_third_time_unless_he_stands_better() {
        let line = after(7);
        let mv = line.legal("f6g8").expect("legal");
        let even = Some(Judgement::Centipawns(0));
        assert_eq!(Judge::claims(&line, mv, even), Some(Claim::Repetition { with_move: true }));
        let better = Some(Judgement::Centipawns(150));
        assert_eq!(Judge::claims(&line, mv, better), None);
        let third = after(8);
        let mv = third.legal("g1f3").expect("legal");
        assert_eq!(Judge::claims(&third, mv, None), Some(Claim::Repetition { with_move: false }));
        let fifty = Line::read("8/8/8/3k4/8/8/4R3/4K3 w - - 99 90", &[]).expect("a position");
        let mv = fifty.legal("e2e3").expect("legal");
        assert_eq!(Judge::claims(&fifty, mv, even), Some(Claim::Fifty { with_move: true }));
        let mate = Line::read("7k/8/6K1/8/8/8/R7/8 w - - 99 90", &[]).expect("a position");
        let mv = mate.legal("a2a8").expect("legal");
        assert_eq!(Judge::claims(&mate, mv, None), None, "mate goes before it (9.6.2)");
    }
}
