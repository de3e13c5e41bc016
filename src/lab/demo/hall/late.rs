//! How late boards are for what happens at them. What makes a machine slow makes every program on
//! it late: so one board plays beside them that is in no hall, and is as late as the machine makes
//! it.

use std::{
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use shakmaty::{Color, Square};

use super::super::started;
use super::{Board, PACE};
use annabella::service::Service;
use annabella_core::game::{At, GameConfig, Input};
use annabella_records::journal::Journal;
use annabella_threads::lock;

/// A board's own, from what happens to the first sound.
const BUDGET: Duration = Duration::from_millis(50);

/// Boards that are late so many times as often as the one outside are late by the hall.
const CHANCE: usize = 3;

/// Since when a board was busy with an input, its journal included, and how long.
pub(super) type Took = (Instant, Duration);

/// A board in no hall, at which a peg is lifted and put back until the others have played.
pub(super) fn outside(path: &Path, over: &AtomicBool) -> Result<Vec<Took>, String> {
    let journal = Journal::open(path).map_err(|err| err.to_string())?;
    let begun = Service::begin(journal, At::new(1), started(GameConfig::default()));
    let (mut service, _) = begun.map_err(|err| err.to_string())?;
    let (mut all, mut ms, mut occupied) = (Vec::new(), 1, true);
    while !over.load(Ordering::Relaxed) {
        thread::sleep(PACE);
        (ms, occupied) = (ms + PACE.as_millis() as u64, !occupied);
        let edge = Input::Edge { seat: Color::White, square: Square::A2, occupied, ago_ms: 0 };
        let began = Instant::now();
        service.input(At::new(ms), edge).map_err(|err| err.to_string())?;
        all.push((began, began.elapsed()));
    }
    Ok(all)
}

/// How late the boards of a hall were, and the one outside.
pub(super) struct Late {
    inside: Spread,
    outside: Spread,
    /// Inputs at the hall's boards that were late while the one outside was not.
    alone: usize,
    /// Processes that wait for a core, and cores.
    load: Option<(f64, usize)>,
}

/// A number of inputs, and how long they took.
struct Spread {
    inputs: usize,
    ms_of_99: f64,
    longest_ms: f64,
    late: usize,
}

impl Spread {
    fn of(all: &[Took]) -> Spread {
        let mut ms: Vec<f64> = all.iter().map(|(_, took)| took.as_secs_f64() * 1e3).collect();
        ms.sort_unstable_by(f64::total_cmp);
        let at = |share: usize| {
            ms.get(ms.len().saturating_sub(1) * share / 100).copied().unwrap_or_default()
        };
        let late = all.iter().filter(|(_, took)| *took > BUDGET).count();
        Spread { inputs: all.len(), ms_of_99: at(99), longest_ms: at(100), late }
    }
}

impl Late {
    pub(super) fn of(tables: &[Board], outside: &[Took]) -> Late {
        let inside: Vec<Took> =
            tables.iter().flat_map(|board| std::mem::take(&mut *lock(&board.took))).collect();
        let load = std::fs::read_to_string("/proc/loadavg").ok();
        let load = load.and_then(|text| text.split(' ').next()?.parse().ok());
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Late {
            alone: alone(&inside, outside),
            inside: Spread::of(&inside),
            outside: Spread::of(outside),
            load: load.map(|load| (load, cores)),
        }
    }

    /// The machine has more to do than it can: whatever is late says nothing about the hall.
    fn is_busy(&self) -> bool {
        self.load.is_some_and(|(load, cores)| load > cores as f64)
    }

    /// No board was late by what the hall does: no more often, at least, than chance explains.
    fn is_kept(&self) -> bool {
        // One input more than was seen outside may have been late there as well.
        let expected = (self.outside.late + 1) * self.inside.inputs / self.outside.inputs.max(1);
        self.alone <= CHANCE * expected.max(1) || self.is_busy()
    }
}

/// How many of these were late while the board outside was not so: a machine that stands still
/// stands still for all.
fn alone(inside: &[Took], outside: &[Took]) -> usize {
    let slow: Vec<&Took> = outside.iter().filter(|(_, took)| *took > BUDGET / 2).collect();
    let meets = |(at, took): &Took| {
        slow.iter().any(|(other, long)| *other < *at + *took && *at < *other + *long)
    };
    inside.iter().filter(|input| input.1 > BUDGET && !meets(input)).count()
}

impl std::fmt::Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Spread { inputs, ms_of_99, longest_ms, late } = self;
        let budget = BUDGET.as_millis();
        write!(
            f,
            "{inputs} inputs, 99 of 100 took at most {ms_of_99:.1} ms, the longest {longest_ms:.1} ms, \
             {late} more than {budget} ms"
        )
    }
}

impl std::fmt::Display for Late {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Late { inside, outside, alone, load } = self;
        write!(f, "at the boards {inside}; at one in no hall {outside}")?;
        match load {
            Some((load, cores)) if self.is_busy() => write!(
                f,
                "; this machine has more to do than it can ({load:.1} on {cores} cores), which makes any board late"
            ),
            _ if !self.is_kept() => write!(f, "; LATE: {alone} while the one in no hall was not"),
            _ if *alone > 0 => {
                write!(f, "; {alone} while the one in no hall was not, which may be chance")
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_that_is_late_alone_is_late_by_the_hall() {
        let began = Instant::now();
        let took = |at_ms, ms| (began + Duration::from_millis(at_ms), Duration::from_millis(ms));
        let inside = [took(0, 60), took(100, 5), took(200, 80), took(400, 49)];
        assert_eq!(alone(&inside, &[]), 2);
        assert_eq!(alone(&inside, &[took(50, 30), took(150, 5)]), 1);
        assert_eq!(alone(&inside, &[took(50, 30), took(270, 40)]), 0);
        // It was over before.
        assert_eq!(alone(&inside[2..], &[took(0, 150), took(290, 100)]), 1);
    }

    #[test]
    fn so_many_as_chance_explains_are_not_late_by_the_hall() {
        let spread = |inputs, late| Spread { inputs, ms_of_99: 1.0, longest_ms: 60.0, late };
        let kept = |alone, load| {
            let (inside, outside) = (spread(6_000, alone), spread(1_000, 1));
            Late { inside, outside, alone, load: Some((load, 2)) }.is_kept()
        };
        assert!(kept(0, 0.5) && kept(36, 0.5) && !kept(37, 0.5));
        assert!(kept(600, 2.5), "the machine is busy");
    }
}
