//! How long a partner thinks, as a person would: not at once, longer where there is much to choose
//! from, and never longer than the clock allows.

use std::time::Duration;

use rand::{Rng, RngExt as _};
use shakmaty::Position as _;

use crate::line::Line;

/// When moves are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// As a person plays.
    #[default]
    Life,
    /// As soon as the engine has one: for tests and demonstrations.
    Quick,
}

/// The least time that a search gets.
const LEAST: Duration = Duration::from_millis(50);
/// Nobody at home waits longer, milliseconds.
const LONGEST_MS: u64 = 20_000;

impl Pace {
    /// How long he thinks about his next move with so much time left, milliseconds. `known`: it is
    /// in his openings.
    pub fn thinks(self, line: &Line, left_ms: u64, known: bool, rng: &mut impl Rng) -> Duration {
        // So many moves more he must be able to make.
        let share_ms = left_ms / 40;
        if self == Pace::Quick {
            return LEAST.min(Duration::from_millis(share_ms)).max(Duration::from_millis(1));
        }
        let position = line.position();
        let legal = position.legal_moves();
        let last = line.moves().last();
        let retakes = last.is_some_and(|last| {
            last.is_capture() && legal.iter().any(|mv| mv.to() == last.to() && mv.is_capture())
        });
        let usual_ms: u64 = match legal.len() {
            _ if known => 1_500,
            0 | 1 => 1_000,
            _ if retakes => 2_000,
            2..=15 => 4_000,
            16..=30 => 5_500,
            _ => 7_000,
        };
        // From half as long to twice as long.
        let permille: u64 = rng.random_range(500..=2_000);
        let ms = (usual_ms * permille / 1_000).min(LONGEST_MS).min(share_ms);
        Duration::from_millis(ms).max(LEAST.min(Duration::from_millis(share_ms.max(1))))
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn times(pace: Pace, left_ms: u64, known: bool) -> Vec<u64> {
        let line = Line::read(START, &[]).expect("a start");
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let thinks = |_| pace.thinks(&line, left_ms, known, &mut rng).as_millis();
        (0..200).map(thinks).map(|ms| u64::try_from(ms).expect("short")).collect()
    }

    #[test]
    fn nobody_thinks_longer_than_his_clock_allows() {
        for pace in [Pace::Life, Pace::Quick] {
            for left_ms in [0, 39, 1_000, 30_000, 5_400_000] {
                let longest = times(pace, left_ms, false).into_iter().max();
                assert!(
                    longest.is_some_and(|ms| ms <= (left_ms / 40).max(1)),
                    "{pace:?} {left_ms}"
                );
            }
        }
    }

    #[test]
    fn a_person_takes_his_time_and_not_always_the_same() {
        let thought = times(Pace::Life, 5_400_000, false);
        assert!(thought.iter().all(|ms| (2_000..=20_000).contains(ms)), "{thought:?}");
        assert!(thought.iter().collect::<std::collections::BTreeSet<_>>().len() > 100);
        let known = times(Pace::Life, 5_400_000, true);
        assert!(known.iter().sum::<u64>() < thought.iter().sum::<u64>() / 2);
    }
}
