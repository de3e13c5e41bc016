//! From what each hole closed to what is wrong, and to the wiring that is right.

use shakmaty::Square;

use super::{
    super::wiring::{BitOrder, Levels, Orientation, Wiring},
    TestLine,
};
use annabella_words::phrase::Prompt;

/// More holes than this at a wrong input are no slips but another wiring.
const SLIPS: usize = 16;

/// A fault of the board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BoardFault {
    /// The board is turned clockwise by this many degrees. The configuration corrects it.
    Turned(u16),
    /// The inputs of each chip are wired the other way round than the configuration says. Mended
    /// by it.
    Reversed,
    /// Two reeds are on each other's inputs. Mended by the configuration.
    Swapped(Square, Square),
    /// Reeds are on other inputs, without a simple rule. Mended by the configuration.
    Rewired,
    /// Never closes.
    Dead(Square),
    /// Never opens.
    Stuck(Square),
    /// A peg here closes these others too.
    Cross(Square, Vec<Square>),
}

/// The result of the self-test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// The faults, those that the configuration corrects first.
    pub findings: Vec<BoardFault>,
    /// The wiring that is right, if it is another than the one that was believed.
    pub wiring: Option<Wiring>,
}

impl Diagnosis {
    /// Whether something is left that only a soldering iron mends.
    pub fn is_broken(&self) -> bool {
        self.findings.iter().any(|finding| {
            matches!(finding, BoardFault::Dead(_) | BoardFault::Stuck(_) | BoardFault::Cross(..))
        })
    }

    /// To be said.
    pub fn lines(&self) -> Vec<TestLine> {
        if self.findings.is_empty() {
            return vec![TestLine::Plain(Prompt::TestGood)];
        }
        let line = |finding: &BoardFault| match finding {
            BoardFault::Turned(degrees) => TestLine::Turned(*degrees),
            BoardFault::Reversed => TestLine::Plain(Prompt::TestReversed),
            BoardFault::Swapped(a, b) => TestLine::Pair(Prompt::TestSwapped, *a, *b),
            BoardFault::Rewired => TestLine::Plain(Prompt::TestRewired),
            BoardFault::Dead(square) => TestLine::Square(Prompt::ReedDead, *square),
            BoardFault::Stuck(square) => TestLine::Square(Prompt::ReedStuck, *square),
            BoardFault::Cross(square, others) => TestLine::Cross(*square, others.clone()),
        };
        self.findings.iter().map(line).collect()
    }
}

/// Finds what is wrong. `seen` has for each hole, a1 first, the inputs that a peg in it closed;
/// `stuck` are the inputs that never open.
pub fn diagnose(believed: &Wiring, seen: &[Option<Levels>; 64], stuck: Levels) -> Diagnosis {
    let own = own_inputs(believed, seen);
    let observed: Vec<(Square, usize)> =
        Square::ALL.into_iter().zip(own).filter_map(|(sq, input)| Some((sq, input?))).collect();
    let wrong = |wiring: &Wiring| -> usize {
        observed.iter().filter(|(square, input)| wiring.square(*input) != Some(*square)).count()
    };
    let mut findings = Vec::new();
    // The least change that explains most: as believed, then turned or reversed, then both.
    let mut best = believed.clone();
    for candidate in others(believed) {
        if wrong(&candidate) < wrong(&best) {
            best = candidate;
        }
    }
    let slips = wrong(&best);
    if slips > SLIPS {
        best = believed.clone();
    }
    if best.orientation != believed.orientation {
        findings.push(BoardFault::Turned(best.orientation.degrees()));
    }
    if best.bit_order != believed.bit_order {
        findings.push(BoardFault::Reversed);
    }
    let mut right = best.clone();
    if slips > 0 {
        let input_of = |square| observed.iter().find(|(own, _)| *own == square).map(|(_, n)| *n);
        let mut explained = 0;
        for (a, input) in &observed {
            let Some(b) = best.square(*input).filter(|b| b > a) else { continue };
            if input_of(b).is_some() && input_of(b) == best.input(*a) {
                findings.push(BoardFault::Swapped(*a, b));
                explained += 2;
            }
        }
        // Where the whole wiring differs, pairs are not listed.
        if slips > SLIPS || explained < slips {
            findings
                .retain(|finding| slips <= SLIPS || !matches!(finding, BoardFault::Swapped(..)));
            findings.push(BoardFault::Rewired);
        }
        right = best.with_inputs(&observed);
    }
    findings.extend(broken(&right, &own, seen, stuck));
    Diagnosis { findings, wiring: (right != *believed).then_some(right) }
}

/// The wirings that one or two changes of a word make.
fn others(believed: &Wiring) -> Vec<Wiring> {
    let orders = [
        believed.bit_order,
        match believed.bit_order {
            BitOrder::Normal => BitOrder::Reversed,
            BitOrder::Reversed => BitOrder::Normal,
        },
    ];
    let all = orders.into_iter().flat_map(|order| {
        Orientation::ALL.into_iter().map(move |orientation| (order, orientation))
    });
    let mut all: Vec<(BitOrder, Orientation)> = all.collect();
    all.sort_by_key(|(order, orientation)| {
        u8::from(*order != believed.bit_order) + u8::from(*orientation != believed.orientation)
    });
    all.into_iter().map(|(order, turn)| believed.rewired(order, turn)).collect()
}

/// The input that is each hole's own: the one that no other hole closes alone.
fn own_inputs(believed: &Wiring, seen: &[Option<Levels>; 64]) -> [Option<usize>; 64] {
    let mut own = [None; 64];
    let mut taken: Levels = 0;
    for (hole, closed) in seen.iter().enumerate() {
        if let Some(closed) =
            closed.filter(|closed| closed.count_ones() == 1 && closed & taken == 0)
        {
            own[hole] = Some(closed.trailing_zeros() as usize);
            taken |= closed;
        }
    }
    for (hole, closed) in seen.iter().enumerate() {
        let Some(free) = closed.map(|closed| closed & !taken).filter(|free| *free != 0) else {
            continue;
        };
        if own[hole].is_some() {
            continue;
        }
        let expected = believed.input(Square::ALL[hole]).filter(|input| free >> input & 1 == 1);
        let input = expected.unwrap_or(free.trailing_zeros() as usize);
        own[hole] = Some(input);
        taken |= 1 << input;
    }
    own
}

/// Faults that no configuration corrects, by square.
fn broken(
    right: &Wiring,
    own: &[Option<usize>; 64],
    seen: &[Option<Levels>; 64],
    stuck: Levels,
) -> Vec<BoardFault> {
    let mut findings = Vec::new();
    for (hole, square) in Square::ALL.into_iter().enumerate() {
        let expected = right.input(square);
        let is_stuck = expected.is_some_and(|input| stuck >> input & 1 == 1);
        match seen[hole] {
            _ if is_stuck => findings.push(BoardFault::Stuck(square)),
            None => findings.push(BoardFault::Dead(square)),
            Some(closed) => {
                let beside = closed & !own[hole].map_or(0, |input| 1 << input);
                let inputs = (0..right.kind.inputs()).filter(|input| beside >> input & 1 == 1);
                let mut others: Vec<Square> =
                    inputs.filter_map(|input| right.square(input)).collect();
                others.sort_unstable();
                if !others.is_empty() {
                    findings.push(BoardFault::Cross(square, others));
                }
            }
        }
    }
    findings
}
