//! Shares of a person's recordings, and how far another dozen people might lie from their average.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The number of random samples of people.
const DRAWS: usize = 2000;

/// A count out of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) right: u32,
    pub(super) of: u32,
}

impl Share {
    pub(super) fn add(&mut self, right: bool) {
        self.right += u32::from(right);
        self.of += 1;
    }

    /// Percent; `None` of nothing.
    pub(super) fn percent(self) -> Option<f64> {
        (self.of > 0).then(|| f64::from(self.right) * 100.0 / f64::from(self.of))
    }
}

/// How often something comes in an hour, of how often it came to each person in how many hours:
/// over all together, and between what it lies for 95 of 100 such groups (bootstrap over people);
/// `None` of no time.
pub(super) fn an_hour(of_people: &[(u32, f64)]) -> Option<(f64, f64, f64)> {
    let rate = |people: &mut dyn Iterator<Item = (u32, f64)>| {
        let (times, hours) = people
            .fold((0.0, 0.0), |(times, hours), (more, of)| (times + f64::from(more), hours + of));
        if hours > 0.0 { times / hours } else { 0.0 }
    };
    let count = of_people.len();
    if of_people.iter().all(|(_, hours)| *hours <= 0.0) {
        return None;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut rates: Vec<f64> = (0..DRAWS)
        .map(|_| rate(&mut (0..count).map(|_| of_people[rng.random_range(0..count)])))
        .collect();
    rates.sort_by(f64::total_cmp);
    let all = rate(&mut of_people.iter().copied());
    Some((all, rates[DRAWS * 25 / 1000], rates[DRAWS * 975 / 1000 - 1]))
}

/// The mean over people, each counted once, and between what it lies for 95 of 100 such groups
/// (bootstrap over people); `None` of nobody.
pub(super) fn average(of_people: &[f64]) -> Option<(f64, f64, f64)> {
    let count = of_people.len();
    if count == 0 {
        return None;
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut means: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let drawn: Vec<f64> =
                (0..count).map(|_| of_people[rng.random_range(0..count)]).collect();
            mean(&drawn)
        })
        .collect();
    means.sort_by(f64::total_cmp);
    Some((mean(of_people), means[DRAWS * 25 / 1000], means[DRAWS * 975 / 1000 - 1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_counts_once_however_much_he_said() {
        let (mean, low, high) = average(&[100.0, 50.0, 75.0, 75.0]).expect("four");
        assert_eq!(mean, 75.0);
        assert!(low < 75.0 && high > 75.0 && low >= 50.0 && high <= 100.0, "{low} {high}");
        assert_eq!(average(&[90.0]), Some((90.0, 90.0, 90.0)));
        assert_eq!(average(&[]), None);
    }

    #[test]
    fn what_comes_in_an_hour_is_counted_over_all_talk() {
        let (rate, low, high) = an_hour(&[(2, 0.5), (0, 1.0), (1, 0.5)]).expect("two hours");
        assert_eq!(rate, 1.5);
        assert!(low < 1.5 && high > 1.5 && low >= 0.0 && high <= 4.0, "{low} {high}");
        assert_eq!(an_hour(&[(0, 0.25), (0, 0.5)]), Some((0.0, 0.0, 0.0)));
        assert_eq!(an_hour(&[(0, 0.0)]), None, "nobody talked");
        assert_eq!(an_hour(&[]), None);
    }

    #[test]
    fn the_same_people_give_the_same_interval() {
        let people = [99.0, 97.5, 84.0, 100.0, 92.0];
        assert_eq!(average(&people), average(&people));
    }
}
