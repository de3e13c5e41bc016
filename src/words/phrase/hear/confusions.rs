//! Which words are mistaken for which, and how readily.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Value;

use crate::text::{toml_fault, unix_lines};

use super::SHARPNESS;
use crate::phrase::{
    normal::normal_words,
    reader::{PackError, Problem, Reader},
};

/// The cost of taking one word for another, from 0 (the same word) to 1 (never mistaken): the
/// section `[confusions]` of a pack.
///
/// ```toml
/// [confusions]
/// vier = { viel = 0.2, "für" = 0.5 }   # said = { heard = cost }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<Pair>", into = "Vec<Pair>")]
pub struct Confusions {
    /// Normal words: said, then heard.
    costs: BTreeMap<String, BTreeMap<String, f64>>,
}

/// Said, heard, cost: as a journal keeps it.
type Pair = (String, String, f64);

impl From<Vec<Pair>> for Confusions {
    fn from(pairs: Vec<Pair>) -> Confusions {
        let mut confusions = Confusions::default();
        for (said, heard, cost) in pairs {
            confusions.costs.entry(said).or_default().insert(heard, cost);
        }
        confusions
    }
}

impl From<Confusions> for Vec<Pair> {
    fn from(confusions: Confusions) -> Vec<Pair> {
        let pair =
            |(said, heard, cost): (&str, &str, f64)| (said.to_owned(), heard.to_owned(), cost);
        confusions.pairs().map(pair).collect()
    }
}

// Costs are read from texts and checked to be numbers.
impl Eq for Confusions {}

impl Confusions {
    pub(in crate::phrase) fn read(mut reader: Reader<'_>, problems: &mut Vec<Problem>) -> Self {
        let mut confusions = Confusions::default();
        for (said, value) in reader.entries() {
            let Value::Table(heard) = value else {
                problems.push(reader.wrong(said, "is not a table of heard words and costs"));
                continue;
            };
            for (heard, cost) in heard {
                let cost = cost.as_float().or_else(|| cost.as_integer().map(|n| n as f64));
                match cost {
                    Some(cost) if (0.0..=1.0).contains(&cost) => {
                        if !confusions.set(said, heard, cost) {
                            let why = format!("'{said}' and '{heard}' must be one word each");
                            problems.push(reader.wrong(said, why));
                        }
                    }
                    _ => {
                        let why = format!("'{heard}' needs a cost from 0 to 1");
                        problems.push(reader.wrong(said, why));
                    }
                }
            }
        }
        reader.finish(problems);
        confusions
    }

    /// Reads a table as [`Confusions::to_toml`] writes it: the section `[confusions]`, alone.
    ///
    /// # Errors
    /// [`PackError`] with everything that is wrong with it.
    pub fn parse(toml: &str) -> Result<Confusions, PackError> {
        let text = unix_lines(toml);
        let table: toml::Table =
            text.parse().map_err(|err| PackError::Toml(toml_fault(&text, &err)))?;
        let mut problems = Vec::new();
        let mut root = Reader::root(&table);
        let read = Confusions::read(root.table("confusions", &mut problems), &mut problems);
        root.finish(&mut problems);
        if problems.is_empty() {
            Ok(read)
        } else {
            Err(PackError::Unfinished { code: "confusions".to_owned(), problems })
        }
    }

    /// Sets the cost of a pair; false, and nothing is changed, if one of the two is not one word.
    pub fn set(&mut self, said: &str, heard: &str, cost: f64) -> bool {
        let pair = (normal_words(said), normal_words(heard));
        let ([said], [heard]) = (&pair.0[..], &pair.1[..]) else {
            return false;
        };
        self.costs.entry(said.clone()).or_default().insert(heard.clone(), cost.clamp(0.0, 1.0));
        true
    }

    /// The cost of a pair, if the table has it in one of its two directions.
    pub fn cost(&self, said: &str, heard: &str) -> Option<f64> {
        let get = |a: &str, b: &str| self.costs.get(a)?.get(b).copied();
        get(said, heard).or_else(|| get(heard, said))
    }

    /// Takes over every pair of another table.
    pub fn extend(&mut self, other: &Confusions) {
        for (said, heard, cost) in other.pairs() {
            self.costs.entry(said.to_owned()).or_default().insert(heard.to_owned(), cost);
        }
    }

    /// Said, heard and cost, in order.
    fn pairs(&self) -> impl Iterator<Item = (&str, &str, f64)> {
        self.costs.iter().flat_map(|(said, heard)| {
            heard.iter().map(move |(heard, cost)| (said.as_str(), heard.as_str(), *cost))
        })
    }

    /// How many pairs it holds.
    pub fn len(&self) -> usize {
        self.pairs().count()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.costs.is_empty()
    }

    /// As a pack holds it, ready to be pasted.
    pub fn to_toml(&self) -> String {
        let quoted = |word: &str| Value::String(word.to_owned()).to_string();
        let mut lines = String::from("[confusions]\n");
        for (said, heard) in &self.costs {
            let heard: Vec<String> = heard
                .iter()
                .map(|(heard, cost)| format!("{} = {cost:.2}", quoted(heard)))
                .collect();
            lines.push_str(&format!("{} = {{ {} }}\n", quoted(said), heard.join(", ")));
        }
        lines
    }
}

/// Learns from recordings whose words are known: pairs of what was said and what was heard. A pair
/// counts from its second occurrence on, so that one slip teaches nothing. A word's cost is
/// the logarithm of how rarely the mistake is made, on the scale of [`SHARPNESS`].
pub fn learn(pairs: &[(String, String)]) -> Confusions {
    let mut said_count: BTreeMap<String, usize> = BTreeMap::new();
    let mut mistaken: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (said, heard) in pairs {
        let (said, heard) = (normal_words(said), normal_words(heard));
        for word in &said {
            *said_count.entry(word.clone()).or_default() += 1;
        }
        for (n, m) in aligned(&said, &heard) {
            if said[n] != heard[m] {
                *mistaken.entry((said[n].clone(), heard[m].clone())).or_default() += 1;
            }
        }
    }
    let mut learnt = Confusions::default();
    for ((said, heard), times) in mistaken {
        let all = said_count.get(&said).copied().unwrap_or(times);
        let cost = -(times as f64 / (all as f64 + 1.0)).ln() / SHARPNESS;
        let cost = (cost.clamp(0.1, 1.0) * 100.0).round() / 100.0;
        if times >= 2 && cost < 1.0 {
            learnt.costs.entry(said).or_default().insert(heard, cost);
        }
    }
    learnt
}

/// The words of what was said that were lost or taken for others, as they were said.
pub fn misheard<'a>(said: &'a str, heard: &str) -> Vec<&'a str> {
    let said: Vec<&str> = said.split_whitespace().collect();
    let plain = |word: &str| normal_words(word).join(" ");
    let said_plain: Vec<String> = said.iter().map(|word| plain(word)).collect();
    let heard: Vec<String> = heard.split_whitespace().map(plain).collect();
    let mut missed = said.clone();
    // From the end, so that the places before stay what they are.
    for (n, m) in aligned(&said_plain, &heard) {
        if said_plain[n] == heard[m] {
            missed.remove(n);
        }
    }
    missed
}

/// Which word was heard as which, by the cheapest alignment; lost and added words are left out.
fn aligned(said: &[String], heard: &[String]) -> Vec<(usize, usize)> {
    let width = heard.len() + 1;
    let mut cost = vec![0usize; (said.len() + 1) * width];
    for n in 0..=said.len() {
        for m in 0..=heard.len() {
            cost[n * width + m] = match (n, m) {
                (0, m) => m,
                (n, 0) => n,
                (n, m) => {
                    let differs = usize::from(said[n - 1] != heard[m - 1]);
                    (cost[(n - 1) * width + m - 1] + differs)
                        .min(cost[(n - 1) * width + m] + 1)
                        .min(cost[n * width + m - 1] + 1)
                }
            };
        }
    }
    let (mut n, mut m, mut pairs) = (said.len(), heard.len(), Vec::new());
    while n > 0 && m > 0 {
        let here = cost[n * width + m];
        let differs = usize::from(said[n - 1] != heard[m - 1]);
        if here == cost[(n - 1) * width + m - 1] + differs {
            pairs.push((n - 1, m - 1));
            (n, m) = (n - 1, m - 1);
        } else if here == cost[(n - 1) * width + m] + 1 {
            n -= 1;
        } else {
            m -= 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(said: &str, heard: &str) -> (String, String) {
        (said.to_owned(), heard.to_owned())
    }

    #[test]
    fn what_is_often_mistaken_costs_little_and_a_single_slip_teaches_nothing() {
        let mut pairs = vec![pair("Eva vier", "eva viel"); 5];
        pairs.extend(vec![pair("Eva vier", "Eva vier"); 5]);
        pairs.push(pair("Turm Anna eins", "turm anna zwei"));
        pairs.extend(vec![pair("Springer Felix drei", "springer felix drei"); 400]);
        pairs.extend(vec![pair("Springer Felix drei", "springer felix"); 3]);
        pairs.extend(vec![pair("Springer Felix drei", "springer helix drei"); 2]);
        let learnt = learn(&pairs);
        let often = learnt.cost("vier", "viel").expect("learnt");
        let seldom = learnt.cost("felix", "helix").expect("learnt");
        assert!(often < 0.2 && often < seldom, "{often} {seldom}");
        assert_eq!(learnt.cost("viel", "vier"), Some(often), "in both directions");
        assert_eq!(learnt.cost("eins", "zwei"), None);
        assert_eq!(learnt.len(), 2);
    }

    #[test]
    fn lost_and_mistaken_words_are_misheard() {
        let said = "springer cesar fünf david vier";
        assert_eq!(misheard(said, "springer cesar fuenf david viel"), ["vier"]);
        assert_eq!(misheard(said, "springer [unk] david vier"), ["cesar", "fünf"]);
        assert_eq!(misheard(said, ""), said.split(' ').collect::<Vec<_>>());
        assert!(misheard(said, &format!("ja {said}")).is_empty());
    }

    #[test]
    fn what_is_learnt_can_be_pasted_into_a_pack() {
        let mut table = Confusions::default();
        assert!(table.set("fünf", "Felix", 0.5));
        assert!(table.set("fünf", "fünnef", 0.12));
        assert!(!table.set("en passant", "passt", 0.5));
        let text = table.to_toml();
        assert_eq!(text, "[confusions]\n\"fuenf\" = { \"felix\" = 0.50, \"fuennef\" = 0.12 }\n");
        assert_eq!(Confusions::parse(&text), Ok(table));
        let wrong = Confusions::parse("[confusions]\nvier = 3\n").expect_err("no table");
        assert!(wrong.to_string().contains("vier"), "{wrong}");
    }
}
