//! How else a word may sound: other tongues, other regions, quick speech.
//!
//! Candidates only: [`annabella_core::enrol`] keeps the one that hears a player better.

use std::collections::BTreeSet;

use super::{Phone, Phones, Pronunciation};

/// One sound for another, everywhere in the word. Nothing: the sound is not spoken.
///
/// Sources: what the phonologies of the packs' languages lack (French no `h`, `C`, `ts`; English no
/// `y:`, `2:`, `C`, `x`; Spanish and Slavic no long vowels, no rounded front ones; Russian and Polish
/// speak the `r`), and German regions (lenition in Saxony and Franconia, `C` as `S` on the Rhine).
const RULES: [(&str, &[&str]); 48] = [
    ("6", &["r"]),
    ("6", &["@", "r"]),
    ("6", &["a"]),
    ("6", &["E", "r"]),
    ("r", &["x"]),
    ("h", &[]),
    ("h", &["x"]),
    ("ts", &["s"]),
    ("ts", &["z"]),
    ("ts", &["t"]),
    ("C", &["S"]),
    ("C", &["k"]),
    ("C", &["x"]),
    ("x", &["k"]),
    ("x", &["h"]),
    ("z", &["s"]),
    ("S", &["s"]),
    ("v", &["f"]),
    ("v", &["b"]),
    ("v", &["U"]),
    ("f", &["v"]),
    ("y:", &["u:"]),
    ("y:", &["i:"]),
    ("Y", &["U"]),
    ("Y", &["I"]),
    ("Y", &["y:"]),
    ("2:", &["o:"]),
    ("2:", &["e:"]),
    ("9", &["O"]),
    ("9", &["E"]),
    ("OY", &["aI"]),
    ("@", &["E"]),
    ("@", &[]),
    ("a:", &["a"]),
    ("a", &["a:"]),
    ("a:", &["O"]),
    ("e:", &["E"]),
    ("e:", &["i:"]),
    ("E:", &["e:"]),
    ("i:", &["I"]),
    ("I", &["i:"]),
    ("U", &["u:"]),
    ("U", &["O"]),
    ("N", &["N", "g"]),
    ("N", &["n"]),
    ("k", &["g"]),
    ("p", &["b"]),
    ("t", &["d"]),
];

/// Other ways to say it in the model's phones, without itself, in the order of the rules.
pub fn variants(sound: &Pronunciation, phones: &Phones) -> Vec<Pronunciation> {
    let known: BTreeSet<&str> = phones.of_words().collect();
    let mut seen = BTreeSet::from([sound.clone()]);
    let mut all = Vec::new();
    for (from, to) in RULES {
        if !to.iter().all(|phone| known.contains(phone)) {
            continue;
        }
        let spoken = sound.phones().iter().flat_map(|phone| {
            let instead = (phone.name() == from).then_some(to);
            let instead = instead.map(|to| to.iter().map(|name| Phone::new(*name)).collect());
            instead.unwrap_or_else(|| vec![phone.clone()])
        });
        let Some(variant) = Pronunciation::new(spoken.collect()) else { continue };
        if seen.insert(variant.clone()) {
            all.push(variant);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phones() -> Phones {
        Phones::parse(include_str!("../../../voices/model/graph/phones.txt")).expect("the model's")
    }

    fn of(sound: &str) -> Vec<String> {
        let phones = phones();
        let sound = phones.pronunciation(sound).expect("the model's phones");
        variants(&sound, &phones).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_tower_is_said_with_any_r() {
        assert_eq!(
            of("t U 6 m"),
            ["t U r m", "t U @ r m", "t U a m", "t U E r m", "t u: 6 m", "t O 6 m", "d U 6 m"]
        );
    }

    #[test]
    fn a_sound_that_is_left_out_leaves_the_rest() {
        assert!(of("h E k t O 6").contains(&"E k t O 6".to_owned()));
        assert!(of("h").iter().all(|variant| !variant.is_empty()));
    }

    #[test]
    fn every_rule_uses_phones_of_the_model_and_changes_something() {
        let phones = phones();
        for (from, to) in RULES {
            let known = |name: &str| phones.of_words().any(|phone| phone == name);
            assert!(known(from) && to.iter().all(|name| known(name)), "{from} {to:?}");
            assert_ne!([from], *to);
        }
    }
}
