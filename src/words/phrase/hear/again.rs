//! When one hearing of an utterance leaves doubts, and what several hearings of it say together.

use super::{Heard, Hypothesis, Thresholds};

impl Heard {
    /// Whether another hearing may help: the likeliest text of the first pass is not likely, and a
    /// third pass, if there was one, does not find it likely either. Only for utterances heard in
    /// two passes, and without foreign words: those are talk, and a slow machine could not keep up
    /// with it. `same`: whether two texts mean the same; no doubt is between those.
    pub fn leaves_doubts(&self, same: impl Fn(&str, &str) -> bool) -> bool {
        let Some(best) = self.best() else { return false };
        if self.word_loop.is_empty() || self.is_nothing() || best.contains('[') {
            return false;
        }
        let judged = if self.comparison.is_empty() { &self.hypotheses } else { &self.comparison };
        let as_best = judged.iter().filter(|h| same(&h.text, best));
        let likely: f64 = as_best.map(Hypothesis::weight).sum();
        likely < Thresholds::default().accept_confidence
    }
}

/// The mean probabilities of several hearings in the same pass, the most probable first. A
/// hypothesis missing from a hearing has the probability 0 there.
pub fn together(hearings: &[Vec<Hypothesis>]) -> Vec<Hypothesis> {
    let mut all: Vec<Hypothesis> = Vec::new();
    for one in hearings.iter().flatten() {
        let part = one.weight() / hearings.len() as f64;
        match all.iter_mut().find(|other| other.text == one.text) {
            Some(same) => same.confidence = same.confidence.map(|sum| sum + part),
            None => all.push(Hypothesis::new(one.text.as_str(), part)),
        }
    }
    all.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn heard(pass: &[(&str, f64)]) -> Vec<Hypothesis> {
        pass.iter().map(|(text, p)| Hypothesis::new(*text, *p)).collect()
    }

    fn leaves_doubts(heard: &Heard) -> bool {
        heard.leaves_doubts(|one, other| one == other)
    }

    #[test]
    fn what_both_passes_heard_leaves_no_doubts() {
        let mut one = Heard {
            hypotheses: heard(&[("dame eva vier", 0.95), ("dame eva fünf", 0.05)]),
            word_loop: heard(&[("dame eva vier", 0.6)]),
            ..Heard::default()
        };
        assert!(!leaves_doubts(&one));
        // Less likely: it does.
        one.hypotheses = heard(&[("dame eva vier", 0.8), ("dame eva fünf", 0.2)]);
        assert!(leaves_doubts(&one));
        // A third pass decides.
        one.comparison = heard(&[("dame eva vier", 0.95)]);
        assert!(!leaves_doubts(&one));
        one.hypotheses = heard(&[("dame eva vier", 0.99)]);
        one.comparison = heard(&[("dame eva fünf", 0.7), ("dame eva vier", 0.3)]);
        assert!(leaves_doubts(&one));
        // Where nothing is checked by a second pass, and of noise and talk, nothing more is asked.
        one.word_loop.clear();
        assert!(!leaves_doubts(&one));
        for text in ["[unk]", "", "dame [unk] vier"] {
            let pass = heard(&[(text, 0.5)]);
            let talk = Heard { hypotheses: pass.clone(), word_loop: pass, ..Heard::default() };
            assert!(!leaves_doubts(&talk), "{text}");
        }
    }

    #[test]
    fn two_wordings_of_one_request_are_no_doubt() {
        let pass = heard(&[("stop", 0.5), ("stopp", 0.5)]);
        let word_loop = heard(&[("schach", 0.9)]);
        let one =
            Heard { comparison: pass.clone(), hypotheses: pass, word_loop, ..Heard::default() };
        assert!(leaves_doubts(&one));
        assert!(!one.leaves_doubts(|one, other| one[..4] == other[..4]));
    }

    #[test]
    fn a_hearing_that_heard_something_else_counts_against() {
        let all = [heard(&[("eva", 0.9), ("anna", 0.1)]), heard(&[("anna", 0.7)]), Vec::new()];
        let mean = together(&all);
        let texts: Vec<&str> = mean.iter().map(|h| h.text.as_str()).collect();
        assert_eq!(texts, ["eva", "anna"]);
        assert!((mean[0].weight() - 0.3).abs() < 1e-9);
        assert!((mean[1].weight() - 0.8 / 3.0).abs() < 1e-9);
        assert_eq!(together(&[]), []);
    }

    proptest! {
        #[test]
        fn the_mean_of_probabilities_is_one_of_probabilities(
            hearings in prop::collection::vec(
                prop::collection::vec(("[ab]", 0.0..1.0f64), 0..4), 1..4)
        ) {
            let hearings: Vec<Vec<Hypothesis>> = hearings
                .into_iter()
                .map(|pass| {
                    let sum: f64 = pass.iter().map(|(_, p)| p).sum::<f64>().max(1.0);
                    pass.into_iter().map(|(text, p)| Hypothesis::new(text, p / sum)).collect()
                })
                .collect();
            let mean = together(&hearings);
            let sum: f64 = mean.iter().map(Hypothesis::weight).sum();
            prop_assert!(sum <= 1.0 + 1e-9);
            prop_assert!(mean.windows(2).all(|pair| pair[0].weight() >= pair[1].weight()));
            let (said, alone) = (&mean, together(&hearings[..1]));
            for one in &alone {
                let part = one.weight() / hearings.len() as f64;
                prop_assert!(said.iter().any(|h| h.text == one.text && h.weight() >= part - 1e-9));
            }
        }
    }
}
