//! The strips of a chain of shift registers, counted from 1, the one at the Pi.

use shakmaty::Square;

use super::super::wiring::{Levels, ReaderKind, Wiring};

/// All strips of a board.
pub(super) const ALL: [u8; 8] = [1, 2, 3, 4, 5, 6, 7, 8];
const REEDS: usize = 8;

fn shift(strip: u8) -> usize {
    usize::from(strip.saturating_sub(1)) * REEDS
}

fn inputs(strip: u8) -> Levels {
    0xFF << shift(strip)
}

/// The squares of a strip, in the order of its inputs.
pub(super) fn squares(wiring: &Wiring, strip: u8) -> impl Iterator<Item = Square> + '_ {
    (shift(strip)..shift(strip) + REEDS).filter_map(|input| wiring.square(input))
}

/// The strip of a square; other readers have none.
pub(super) fn of(wiring: &Wiring, square: Square) -> Option<u8> {
    let input = wiring.input(square).filter(|_| wiring.kind == ReaderKind::ShiftRegister)?;
    u8::try_from(input / REEDS + 1).ok()
}

/// Whether every reed of a strip is closed.
pub(super) fn is_full(closed: Levels, strip: u8) -> bool {
    closed & inputs(strip) == inputs(strip)
}

/// The inputs of those strips of which every reed is closed.
pub(super) fn full(closed: Levels) -> Levels {
    ALL.into_iter()
        .filter(|strip| is_full(closed, *strip))
        .fold(0, |all, strip| all | inputs(strip))
}

/// What one strip reads, at its own inputs; if a single strip is joined, it is that one.
pub(super) fn only(closed: Levels, strip: u8) -> Levels {
    let joined = ALL.into_iter().rev().find(|strip| !is_full(closed, *strip));
    let at = if joined == Some(1) { 1 } else { strip };
    (closed >> shift(at) & 0xFF) << shift(strip)
}

/// How many strips felt something.
pub(super) fn felt(believed: &Wiring, seen: &[Option<Levels>; 64]) -> usize {
    let felt = |square: Square| seen[square as usize].is_some_and(|closed| closed != 0);
    ALL.into_iter().filter(|strip| squares(believed, *strip).any(felt)).count()
}

/// Where each strip is read and whether it is turned round, as most of its holes say; `None`: where
/// two would be in one place.
pub(super) fn places(believed: &Wiring, seen: &[Option<Levels>; 64]) -> Option<Vec<(usize, bool)>> {
    let found = ALL.map(|strip| place(believed, seen, strip));
    let is_free = |place: &usize| !found.iter().flatten().any(|(taken, _)| taken == place);
    // What felt nothing stays where it is, or takes what the others leave.
    let mut left = (0..REEDS).filter(is_free).collect::<Vec<_>>();
    let mut places = Vec::new();
    for (own, found) in found.iter().enumerate() {
        let place = found.or_else(|| {
            let at = left.iter().position(|place| *place == own).unwrap_or(0);
            (!left.is_empty()).then(|| (left.remove(at), false))
        });
        places.push(place.filter(|(at, _)| places.iter().all(|(taken, _)| taken != at))?);
    }
    Some(places)
}

fn place(believed: &Wiring, seen: &[Option<Levels>; 64], strip: u8) -> Option<(usize, bool)> {
    let felt: Vec<(usize, Levels)> = squares(believed, strip)
        .enumerate()
        .filter_map(|(reed, square)| Some((reed, seen[square as usize].filter(|all| *all != 0)?)))
        .collect();
    let fits = |&(place, turned): &(usize, bool)| {
        let input = |reed: usize| place * REEDS + if turned { REEDS - 1 - reed } else { reed };
        felt.iter().filter(|(reed, closed)| closed >> input(*reed) & 1 == 1).count()
    };
    let own = shift(strip) / REEDS;
    let all = [own].into_iter().chain(0..REEDS).flat_map(|at| [(at, false), (at, true)]);
    // The first of those that fit best.
    let best = all.min_by_key(|place| std::cmp::Reverse(fits(place)))?;
    (fits(&best) > 1 && fits(&best) * 2 > felt.len()).then_some(best)
}

/// The strips that lie in each other's places, by cycle.
pub(super) fn exchanged(places: &[(usize, bool)]) -> Vec<Vec<u8>> {
    let mut cycles: Vec<Vec<u8>> = Vec::new();
    for (first, strip) in ALL.into_iter().enumerate() {
        if cycles.iter().any(|cycle| cycle.contains(&strip)) {
            continue;
        }
        let next = |at: &usize| places.get(*at).map(|(place, _)| *place).filter(|at| *at != first);
        let cycle = std::iter::successors(Some(first), next).take(REEDS);
        let mut cycle: Vec<u8> = cycle.map(|at| ALL[at]).collect();
        cycle.sort_unstable();
        cycles.push(cycle);
    }
    cycles.retain(|cycle| cycle.len() > 1);
    cycles
}

/// The strips of which no reed was felt.
pub(super) fn silent(right: &Wiring, seen: &[Option<Levels>; 64], stuck: Levels) -> Vec<u8> {
    let is_silent = |strip: &u8| {
        let asked: Vec<Levels> =
            squares(right, *strip).filter_map(|square| seen[square as usize]).collect();
        asked.iter().all(|closed| *closed == 0) && (!asked.is_empty() || is_full(stuck, *strip))
    };
    ALL.into_iter().filter(is_silent).collect()
}
