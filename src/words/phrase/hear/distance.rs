//! Weighted edit distance over words, of one utterance to many phrases at once.

use super::ear::{Id, STRANGE};

/// A word that was said and not heard.
const LOST: f32 = 1.0;
/// A word of the vocabulary that was heard and not said.
const ADDED: f32 = 0.9;
/// A strange word, or a noise, that was heard and not said.
const NOISE: f32 = 0.6;

/// The words of one hypothesis and what each of them costs.
pub(super) struct Utterance {
    /// By the vocabulary; noises and unknown words are [`STRANGE`].
    pub(super) ids: Vec<Id>,
    /// For every heard word, its cost against each word of the vocabulary.
    pub(super) costs: Vec<Vec<f32>>,
}

impl Utterance {
    fn added(&self, heard: usize) -> f32 {
        if self.ids[heard] == STRANGE { NOISE } else { ADDED }
    }
}

/// Calls `found` with the distance to each phrase. Phrases that are sorted share the work for the
/// words with which they begin.
pub(super) fn distances<'a>(
    heard: &Utterance,
    phrases: impl Iterator<Item = &'a [Id]>,
    mut found: impl FnMut(usize, f32),
) {
    let width = heard.ids.len() + 1;
    let mut rows: Vec<f32> = vec![0.0; width];
    for n in 1..width {
        rows[n] = rows[n - 1] + heard.added(n - 1);
    }
    let mut last: &[Id] = &[];
    for (n, phrase) in phrases.enumerate() {
        let shared = last.iter().zip(phrase).take_while(|(a, b)| a == b).count();
        rows.truncate((shared + 1) * width);
        for said in &phrase[shared..] {
            let above = rows.len() - width;
            rows.push(rows[above] + LOST);
            for m in 1..width {
                // A phrase's words are all in the vocabulary; were one not, it fits nothing.
                let swap = heard.costs[m - 1].get(usize::from(*said)).copied().unwrap_or(1.0);
                let best = (rows[above + m - 1] + swap)
                    .min(rows[above + m] + LOST)
                    .min(rows[above + width + m - 1] + heard.added(m - 1));
                rows.push(best);
            }
        }
        found(n, rows[rows.len() - 1]);
        last = phrase;
    }
}

/// Whether at most one word lies between the two: replaced, lost or added. A strange word is like
/// none.
pub(super) fn one_word_apart(a: &[Id], b: &[Id]) -> bool {
    one_apart(a, b, |a, b| a == b && *a != STRANGE)
}

/// Whether at most one thing lies between the two: replaced, lost or added.
pub(super) fn one_apart<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if long.len() - short.len() > 1 {
        return false;
    }
    let same = |(a, b): &(&T, &T)| same(a, b);
    let front = short.iter().zip(long).take_while(same).count();
    let back = short[front..].iter().rev().zip(long[front..].iter().rev()).take_while(same).count();
    long.len() - front - back <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_apart_is_replaced_lost_or_added() {
        let near = |a: &[Id], b: &[Id]| one_word_apart(a, b) && one_word_apart(b, a);
        assert!(near(&[1, 2, 3], &[1, 2, 3]));
        assert!(near(&[1, 2, 3], &[1, 9, 3]));
        assert!(near(&[1, 2, 3], &[1, 3]));
        assert!(near(&[1, 2, 3], &[2, 3]));
        assert!(near(&[1, 1], &[1]));
        assert!(near(&[5], &[]));
        assert!(!one_word_apart(&[1, 2, 3], &[2, 1, 3]));
        assert!(!one_word_apart(&[1, 2, 3], &[1]));
        assert!(near(&[1, STRANGE], &[1, STRANGE]), "one strange word may be any");
        assert!(!one_word_apart(&[STRANGE, STRANGE], &[STRANGE, STRANGE]));
    }

    #[test]
    fn shared_beginnings_change_no_distance() {
        let costs = |id: Id| (0..4).map(|said| if said == id { 0.0 } else { 0.7 }).collect();
        let heard = Utterance { ids: vec![0, 2, 3], costs: vec![costs(0), costs(2), costs(3)] };
        let phrases: [&[Id]; 5] = [&[0, 1], &[0, 1, 3], &[0, 2, 3], &[0, 2, 3, 1], &[3]];
        let mut together = Vec::new();
        distances(&heard, phrases.into_iter(), |_, d| together.push(d));
        let mut alone = Vec::new();
        for phrase in phrases {
            distances(&heard, std::iter::once(phrase), |_, d| alone.push(d));
        }
        assert_eq!(together, alone);
        assert_eq!(together[1..4], [0.7, 0.0, LOST]);
    }
}
