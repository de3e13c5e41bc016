//! Concludes what is wrong from what each hole closed, and which wiring is right.

use std::collections::BTreeSet;

use shakmaty::Square;

use super::{
    super::wiring::{BitOrder, Levels, Orientation, ReaderKind, Wiring},
    TestLine, strips,
};
use annabella_words::phrase::Prompt;

/// More holes than this at a wrong input are no slips but another wiring.
const SLIPS: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BoardFault {
    /// The board is turned clockwise by this many degrees. The configuration corrects it.
    Turned(u16),
    /// The inputs of each chip are wired the other way round than the configuration says. Mended
    /// by it.
    Reversed,
    /// Strips are in each other's places of the chain. Mended by the configuration.
    Exchanged(Vec<u8>),
    /// A strip is turned round. Mended by the configuration.
    Round(u8),
    /// Two reeds are on each other's inputs. Mended by the configuration.
    Swapped(Square, Square),
    /// Reeds are on other inputs, without a simple rule. Mended by the configuration.
    Rewired,
    /// The chain is cut before this strip.
    Missing(u8),
    /// No reed of this strip is felt.
    Silent(u8),
    /// Never closes.
    Dead(Square),
    /// Never opens.
    Stuck(Square),
    /// A peg here closes these others too.
    Cross(Square, Vec<Square>),
    /// A peg in either closes both.
    Bridge(Square, Square),
}

/// The result of the self-test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// The faults, those that the configuration corrects first.
    pub findings: Vec<BoardFault>,
    /// The wiring that is right, if it is another than the one that was believed.
    pub wiring: Option<Wiring>,
    /// The strips that need a soldering iron, least first.
    pub touch: Vec<u8>,
}

impl Diagnosis {
    /// Whether something is left that the new wiring does not mend.
    pub fn is_broken(&self) -> bool {
        let mended = |finding: &BoardFault| match finding {
            BoardFault::Turned(_) | BoardFault::Reversed | BoardFault::Rewired => true,
            BoardFault::Exchanged(_) | BoardFault::Round(_) | BoardFault::Swapped(..) => true,
            BoardFault::Missing(_) | BoardFault::Silent(_) | BoardFault::Dead(_) => false,
            BoardFault::Stuck(_) | BoardFault::Cross(..) | BoardFault::Bridge(..) => false,
        };
        self.findings.iter().any(|finding| self.wiring.is_none() || !mended(finding))
    }

    pub fn lines(&self) -> Vec<TestLine> {
        if self.findings.is_empty() {
            return vec![TestLine::Plain(Prompt::TestGood)];
        }
        let line = |finding: &BoardFault| match finding {
            BoardFault::Turned(degrees) => TestLine::Turned(*degrees),
            BoardFault::Reversed => TestLine::Plain(Prompt::TestReversed),
            BoardFault::Exchanged(all) => TestLine::Strips(Prompt::TestStripsSwapped, all.clone()),
            BoardFault::Round(strip) => TestLine::Strip(Prompt::TestStripTurned, *strip),
            BoardFault::Swapped(a, b) => TestLine::Pair(Prompt::TestSwapped, *a, *b),
            BoardFault::Rewired => TestLine::Plain(Prompt::TestRewired),
            BoardFault::Missing(strip) => TestLine::Strip(Prompt::TestStripMissing, *strip),
            BoardFault::Silent(strip) => TestLine::Strip(Prompt::TestStripSilent, *strip),
            BoardFault::Dead(square) => TestLine::Square(Prompt::ReedDead, *square),
            BoardFault::Stuck(square) => TestLine::Square(Prompt::ReedStuck, *square),
            BoardFault::Cross(square, others) => TestLine::Cross(*square, others.clone()),
            BoardFault::Bridge(a, b) => TestLine::Pair(Prompt::TestBridge, *a, *b),
        };
        let touch = TestLine::Strips(Prompt::TestTouch, self.touch.clone());
        let touch = (!self.touch.is_empty()).then_some(touch);
        self.findings.iter().map(line).chain(touch).collect()
    }
}

/// Finds what is wrong. `seen` has for each hole, a1 first, the inputs that a peg in it closed:
/// none where nothing was felt, `None` where it was not asked for. `stuck` are the inputs that
/// never open.
pub fn diagnose(believed: &Wiring, seen: &[Option<Levels>; 64], stuck: Levels) -> Diagnosis {
    let wrong = |wiring: &Wiring| -> usize {
        let differs = |square: &Square| {
            let closed = seen[*square as usize].filter(|closed| *closed != 0);
            closed.is_some_and(|all| wiring.input(*square).is_none_or(|own| all >> own & 1 == 0))
        };
        Square::ALL.iter().filter(|square| differs(square)).count()
    };
    let mut findings = Vec::new();
    // The least change that explains most: as believed, then turned or reversed, then both.
    let mut best = believed.clone();
    let has_strips = believed.kind == ReaderKind::ShiftRegister;
    // One strip does not tell how the board lies.
    if !has_strips || strips::felt(believed, seen) > 1 {
        for candidate in others(believed) {
            if wrong(&candidate) < wrong(&best) {
                best = candidate;
            }
        }
    }
    let places = if has_strips { strips::places(&best, seen) } else { None };
    let arranged = places
        .map(|places| (best.with_strips(&places), places))
        .filter(|(arranged, _)| wrong(arranged) < wrong(&best));
    let (mut best, places) = arranged.unwrap_or((best, Vec::new()));
    let own = own_inputs(&best, seen);
    let observed: Vec<(Square, usize)> =
        Square::ALL.into_iter().zip(own).filter_map(|(sq, input)| Some((sq, input?))).collect();
    let slips = observed.iter().filter(|(hole, own)| best.square(*own) != Some(*hole)).count();
    if slips > SLIPS {
        best = believed.clone();
    } else {
        findings.extend(strips::exchanged(&places).into_iter().map(BoardFault::Exchanged));
        let round = places.iter().zip(strips::ALL).filter(|((_, turned), _)| *turned);
        findings.extend(round.map(|(_, strip)| BoardFault::Round(strip)));
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
    let silent = if has_strips { strips::silent(&right, seen, stuck) } else { Vec::new() };
    // Behind a cut all are silent.
    let cut = strips::ALL.into_iter().rev().take_while(|strip| silent.contains(strip)).last();
    findings.extend(cut.map(BoardFault::Missing));
    let before = silent.iter().take_while(|strip| Some(**strip) != cut);
    findings.extend(before.map(|strip| BoardFault::Silent(*strip)));
    let strip = |square: Square| strips::of(&right, square);
    let answers = |square: &Square| strip(*square).is_none_or(|strip| !silent.contains(&strip));
    let broken = broken(&right, &own, seen, stuck, answers);
    let touch: BTreeSet<u8> = broken.iter().flat_map(reeds).filter_map(strip).collect();
    findings.extend(broken);
    Diagnosis {
        findings,
        touch: touch.into_iter().collect(),
        wiring: (right != *believed).then_some(right),
    }
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

/// The reeds of which something is to be soldered.
fn reeds(finding: &BoardFault) -> Vec<Square> {
    match finding {
        BoardFault::Dead(square) | BoardFault::Stuck(square) => vec![*square],
        BoardFault::Cross(_, others) => others.clone(),
        BoardFault::Bridge(a, b) => vec![*a, *b],
        _ => Vec::new(),
    }
}

/// Faults that no configuration corrects, of those squares whose strip answers.
fn broken(
    right: &Wiring,
    own: &[Option<usize>; 64],
    seen: &[Option<Levels>; 64],
    stuck: Levels,
    answers: impl Fn(&Square) -> bool,
) -> Vec<BoardFault> {
    let closes = |hole: Square| -> Vec<Square> {
        let closed = seen[hole as usize].unwrap_or(0);
        let beside = closed & !own[hole as usize].map_or(0, |input| 1 << input);
        let inputs = (0..right.kind.inputs()).filter(|input| beside >> input & 1 == 1);
        let mut others: Vec<Square> = inputs.filter_map(|input| right.square(input)).collect();
        others.sort_unstable();
        others
    };
    let fault = |square: Square| {
        if right.input(square).is_some_and(|input| stuck >> input & 1 == 1) {
            return Some(BoardFault::Stuck(square));
        }
        if seen[square as usize]? == 0 {
            return Some(BoardFault::Dead(square));
        }
        match closes(square)[..] {
            [] => None,
            [other] if closes(other) == [square] => {
                (square < other).then_some(BoardFault::Bridge(square, other))
            }
            _ => Some(BoardFault::Cross(square, closes(square))),
        }
    };
    Square::ALL.into_iter().filter(answers).filter_map(fault).collect()
}
