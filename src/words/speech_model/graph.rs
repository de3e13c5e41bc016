//! The words of a model with their pronunciations, read from its graph and written as its graph.
//!
//! The graph is a hub: from one state every word leads through its phones and back, and so does
//! silence. A word's number stands on its first arc, so that no later arc must distinguish words.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    LexiconError,
    fst::{Arc, Fst, LookAhead, State, WordReach},
    phones::{GARBAGE, Phone, Phones, Pronunciation, into_phone, within_phone},
};

/// The label in the model's vocabulary for speech outside its words.
pub const UNKNOWN: &str = "[unk]";
/// The last of a model's words. It has no sound: a grammar may count it, nobody hears it. Models of
/// others do not have it.
pub const NEVER_HEARD: &str = "<never>";
/// Number of [`UNKNOWN`].
const UNKNOWN_LABEL: i32 = 1;
/// How likely silence is between words.
const SILENCE_SHARE: f64 = 0.25;
/// How much dearer [`UNKNOWN`] is than a word where any word may follow any.
const UNKNOWN_COST: f64 = 1.0;

/// OpenFst's property bits of the graph. Source: OpenFst 1.7, `properties.h`.
mod properties {
    pub(super) const EXPANDED: u64 = 1;
    const ACCEPTOR: u64 = 1 << 16;
    const NOT_ACCEPTOR: u64 = 1 << 17;
    pub(super) const INPUT_DETERMINISTIC: u64 = 1 << 18;
    pub(super) const NOT_INPUT_DETERMINISTIC: u64 = 1 << 19;
    const OUTPUT_DETERMINISTIC: u64 = 1 << 20;
    const NOT_OUTPUT_DETERMINISTIC: u64 = 1 << 21;
    /// Arcs without labels, without input, without output; then the same without such arcs.
    const EPSILONS: u64 = 1 << 22 | 1 << 24 | 1 << 26;
    const NO_EPSILONS: u64 = 1 << 23 | 1 << 25 | 1 << 27;
    const INPUT_SORTED: u64 = 1 << 28;
    const NOT_INPUT_SORTED: u64 = 1 << 29;
    const OUTPUT_SORTED: u64 = 1 << 30;
    const WEIGHTED: u64 = 1 << 32;
    /// Cyclic, also at the start, so not sorted by its arcs.
    const CYCLIC: u64 = 1 << 34 | 1 << 36 | 1 << 39;
    /// Every state can be reached and can reach the end.
    const CONNECTED: u64 = 1 << 40 | 1 << 42;
    const NOT_STRING: u64 = 1 << 45;
    const WEIGHTED_CYCLES: u64 = 1 << 46;

    const LOOPS: u64 =
        EXPANDED | OUTPUT_SORTED | WEIGHTED | CYCLIC | CONNECTED | NOT_STRING | WEIGHTED_CYCLES;
    /// Words any of which may follow any.
    pub(super) const WORD_LOOP: u64 =
        LOOPS | ACCEPTOR | INPUT_DETERMINISTIC | OUTPUT_DETERMINISTIC | NO_EPSILONS | INPUT_SORTED;
    /// Phones to words; whether it is deterministic depends on the words.
    pub(super) const HUB: u64 =
        LOOPS | NOT_ACCEPTOR | NOT_OUTPUT_DETERMINISTIC | EPSILONS | NOT_INPUT_SORTED;
}

fn quoted(pronunciations: &[Pronunciation]) -> String {
    let all: Vec<String> = pronunciations.iter().map(|one| format!("\"{one}\"")).collect();
    all.join(", ")
}

/// A word and how it sounds.
#[derive(Clone, Debug, PartialEq)]
pub struct SpokenWord {
    word: String,
    /// With its cost in the graph.
    variants: Vec<(Pronunciation, f32)>,
}

impl SpokenWord {
    fn new(word: &str, pronunciations: &[Pronunciation]) -> SpokenWord {
        let unique: Vec<Pronunciation> = {
            let mut seen = BTreeSet::new();
            pronunciations.iter().filter(|one| seen.insert(*one)).cloned().collect()
        };
        // A word with many variants is no likelier than a word with one.
        let cost = cost((1.0 - SILENCE_SHARE) / unique.len() as f64);
        let variants = unique.into_iter().map(|one| (one, cost)).collect();
        SpokenWord { word: word.to_owned(), variants }
    }

    /// In lower case, as grammars and results spell it.
    pub fn word(&self) -> &str {
        &self.word
    }

    pub fn pronunciations(&self) -> impl Iterator<Item = &Pronunciation> {
        self.variants.iter().map(|(one, _)| one)
    }
}

/// Five decimals, so that every machine writes the same bytes.
fn cost(share: f64) -> f32 {
    rounded(-share.ln(), 1e5)
}

fn rounded(value: f64, steps: f64) -> f32 {
    ((value * steps).round() / steps) as f32
}

/// The files of a model's `graph` folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphFiles {
    /// `words.txt`
    pub words: String,
    /// `phones.txt`
    pub phones: String,
    /// `HCLr.fst`
    pub hclr: Vec<u8>,
    /// `Gr.fst`
    pub gr: Vec<u8>,
    /// `disambig_tid.int`
    pub disambig_tid: String,
    /// `phones/word_boundary.int`
    pub word_boundary: String,
}

/// The words of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Lexicon {
    phones_txt: String,
    phones: Phones,
    /// The label for other speech, then the words; numbers from 1.
    words: Vec<SpokenWord>,
    silence_cost: f32,
}

impl Lexicon {
    /// A model's words from its `phones.txt`, `words.txt` and `HCLr.fst`.
    ///
    /// # Errors
    /// [`LexiconError`] when a file is damaged, or the graph is not of the built-in model's kind.
    pub fn read(phones_txt: &str, words_txt: &str, hclr: &[u8]) -> Result<Lexicon, LexiconError> {
        let phones = Phones::parse(phones_txt)?;
        let mut names = read_words(words_txt)?;
        // The last, if it is there; a model made before it came is brought up to it.
        names.pop_if(|word| word == NEVER_HEARD);
        let ahead =
            LookAhead::read(hclr).map_err(|err| LexiconError(format!("HCLr.fst: {err}")))?;
        let (silence_cost, mut sounds) = read_hub(&phones, &ahead.fst)?;
        let words = (1..)
            .zip(names)
            .map(|(label, word)| match sounds.remove(&label) {
                Some(variants) => Ok(SpokenWord { word, variants }),
                None => Err(LexiconError::shape(format_args!("'{word}' has no pronunciation"))),
            })
            .collect::<Result<Vec<SpokenWord>, LexiconError>>()?;
        if let Some(label) = sounds.keys().next() {
            return Err(LexiconError::shape(format_args!("word {label} is not in words.txt")));
        }
        if words.first().is_none_or(|word| word.word != UNKNOWN) {
            return Err(LexiconError::shape(format_args!("word 1 is not {UNKNOWN}")));
        }
        Ok(Lexicon { phones_txt: phones_txt.to_owned(), phones, words, silence_cost })
    }

    pub fn phones(&self) -> &Phones {
        &self.phones
    }

    /// The words, in the order of their numbers; without [`UNKNOWN`].
    pub fn words(&self) -> impl Iterator<Item = &SpokenWord> {
        self.words.iter().skip(1)
    }

    /// A word, in lower case.
    pub fn get(&self, word: &str) -> Option<&SpokenWord> {
        self.words().find(|spoken| spoken.word == word)
    }

    /// Adds a word; `false` if the model has it with exactly these pronunciations.
    ///
    /// # Errors
    /// [`LexiconError`]: it has other pronunciations, is not one word, or has a phone that the
    /// model does not.
    pub fn add(
        &mut self,
        word: &str,
        pronunciations: &[Pronunciation],
    ) -> Result<bool, LexiconError> {
        let spoken = self.checked(word, pronunciations)?;
        match self.get(word) {
            None => {
                self.words.push(spoken);
                Ok(true)
            }
            Some(there) => {
                let sorted = |spoken: &SpokenWord| -> BTreeSet<Pronunciation> {
                    spoken.pronunciations().cloned().collect()
                };
                if sorted(there) == sorted(&spoken) {
                    return Ok(false);
                }
                let there: Vec<_> = there.pronunciations().cloned().collect();
                Err(LexiconError(format!(
                    "'{word}' is there already as {}; add --replace to give it these instead",
                    quoted(&there)
                )))
            }
        }
    }

    /// Adds a word or gives it other pronunciations; `true` if anything changed.
    ///
    /// # Errors
    /// As [`Lexicon::add`], but for other pronunciations.
    pub fn set(
        &mut self,
        word: &str,
        pronunciations: &[Pronunciation],
    ) -> Result<bool, LexiconError> {
        let spoken = self.checked(word, pronunciations)?;
        match self.words.iter_mut().skip(1).find(|there| there.word == word) {
            None => self.words.push(spoken),
            Some(there) if *there == spoken => return Ok(false),
            Some(there) => *there = spoken,
        }
        Ok(true)
    }

    /// Sets how much dearer other speech is than a word: the negative natural logarithm of a
    /// probability. The network takes untrained words for other speech. A higher value helps such
    /// words, and lets more of other people's talk through.
    pub fn set_unknown_cost(&mut self, more: f64) {
        // A lexicon that was read begins with it.
        for (_, variant_cost) in self.words.iter_mut().take(1).flat_map(|word| &mut word.variants) {
            *variant_cost = rounded(-(1.0 - SILENCE_SHARE).ln() + more, 1e5);
        }
    }

    /// Puts the words into the order of the alphabet, so that the same words make the same files.
    pub fn sort(&mut self) {
        self.words[1..].sort_by(|a, b| a.word.cmp(&b.word));
    }

    fn checked(&self, word: &str, sounds: &[Pronunciation]) -> Result<SpokenWord, LexiconError> {
        let letters = |part: &str| !part.is_empty() && part.chars().all(char::is_alphabetic);
        if word.to_lowercase() != word || !word.split(['\'', '-']).all(letters) {
            return Err(LexiconError(format!(
                "'{word}' is not one word: give a word of letters, nothing else"
            )));
        }
        for sound in sounds {
            self.phones.pronunciation(&sound.to_string())?;
        }
        if sounds.is_empty() {
            return Err(LexiconError::no_phone());
        }
        Ok(SpokenWord::new(word, sounds))
    }

    /// All files of the graph.
    pub fn files(&self) -> GraphFiles {
        let heard = self.words.iter().map(|word| word.word.as_str());
        let words = (1..).zip(heard.chain([NEVER_HEARD]));
        let words: String = words.map(|(n, word)| format!("{word} {n}\n")).collect();
        GraphFiles {
            words: "<eps> 0\n".to_owned() + &words,
            phones: self.phones_txt.clone(),
            hclr: self.hub().write(),
            gr: self.word_loop().write(),
            disambig_tid: self.phones.disambig_tid(),
            word_boundary: self.phones.word_boundary(),
        }
    }

    /// `HCLr.fst`: phones to words.
    fn hub(&self) -> LookAhead {
        let mut states = vec![State { end: 0.0, arcs: Vec::new() }];
        add_path(&mut states, &[self.phones.silence()], 0, self.silence_cost);
        for (label, spoken) in (1..).zip(&self.words) {
            for (sound, cost) in &spoken.variants {
                // A word gets into the lexicon only with phones that the model has.
                let ids = self.phones.in_word(sound.phones()).unwrap_or_default();
                add_path(&mut states, &ids, label, *cost);
            }
        }
        // A look-ahead automaton is sorted by output; OpenFst takes the input where that is equal.
        for state in &mut states {
            state.arcs.sort_by_key(|arc| (arc.output, arc.input));
        }
        let deterministic = states.iter().all(|state| {
            let inputs: BTreeSet<i32> = state.arcs.iter().map(|arc| arc.input).collect();
            inputs.len() == state.arcs.len()
        });
        let determinism = if deterministic {
            properties::INPUT_DETERMINISTIC
        } else {
            properties::NOT_INPUT_DETERMINISTIC
        };
        // Every state leads back to the hub, from there to every word and to the end.
        let end_label = to_i32(self.words.len() + 1);
        let reach = WordReach { intervals: vec![(1, end_label + 1)], count: end_label };
        let reach = vec![reach; states.len()];
        let fst = Fst { properties: properties::HUB | determinism, start: 0, states };
        LookAhead { fst, end_label, reach }
    }

    /// `Gr.fst`: any word may follow any.
    fn word_loop(&self) -> Fst {
        let even = (self.words.len() as f64).ln();
        let arcs = (1..)
            .zip(&self.words)
            .map(|(label, spoken)| {
                let more = if spoken.word == UNKNOWN { UNKNOWN_COST } else { 0.0 };
                Arc { input: label, output: label, cost: rounded(even + more, 1e4), next: 0 }
            })
            .collect();
        let states = vec![State { end: 0.0, arcs }];
        Fst { properties: properties::WORD_LOOP, start: 0, states }
    }
}

/// Numbers of states and words; a lexicon with two thousand million of them fits in no memory.
fn to_i32(n: usize) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX - 1)
}

/// From the hub through the phones and back.
fn add_path(states: &mut Vec<State>, ids: &[i32], label: i32, cost: f32) {
    let mut from = 0;
    for (n, id) in ids.iter().enumerate() {
        let state = to_i32(states.len());
        let (output, cost) = if n == 0 { (label, cost) } else { (0, 0.0) };
        states[from].arcs.push(Arc { input: into_phone(*id), output, cost, next: state });
        let stay = Arc { input: within_phone(*id), output: 0, cost: 0.0, next: state };
        from = states.len();
        states.push(State { end: f32::INFINITY, arcs: vec![stay] });
    }
    states[from].arcs.push(Arc { input: 0, output: 0, cost: 0.0, next: 0 });
}

fn read_words(text: &str) -> Result<Vec<String>, LexiconError> {
    let mut words = Vec::new();
    for (n, line) in text.lines().enumerate() {
        match line.split_once(' ') {
            Some((word, id)) if id == n.to_string() => words.push(word.to_owned()),
            _ => {
                return Err(LexiconError(format!(
                    "words.txt, line {}: '{line}' is no word with its number: copy the model again",
                    n + 1
                )));
            }
        }
    }
    // The first stands for no word.
    Ok(words.split_off(words.len().min(1)))
}

type Sounds = BTreeMap<i32, Vec<(Pronunciation, f32)>>;

/// The cost of silence, and the pronunciations by the word's number.
fn read_hub(phones: &Phones, fst: &Fst) -> Result<(f32, Sounds), LexiconError> {
    let shape = |what: &str| LexiconError::shape(what);
    if fst.start != 0 {
        return Err(shape("it does not start at its first state"));
    }
    let (mut silence, mut sounds, mut seen) = (None, Sounds::new(), 0);
    // The variants of a word are in the order of their states.
    let mut ways: Vec<&Arc> = fst.states[0].arcs.iter().collect();
    ways.sort_by_key(|arc| arc.next);
    for first in ways {
        let (mut path, mut arc) = (Vec::new(), first);
        while arc.next != 0 {
            // Arcs lead to states of the automaton: the reader has made sure.
            let state = &fst.states[usize::try_from(arc.next).unwrap_or(0)];
            let (stay, on) = match state.arcs.as_slice() {
                [stay, on] if stay.next == arc.next => (stay, on),
                [on, stay] => (stay, on),
                _ => return Err(shape("a state inside a word has not two ways on")),
            };
            let id = arc.input / 2;
            if arc.input != into_phone(id)
                || stay.input != within_phone(id)
                || stay.next != arc.next
            {
                return Err(shape("a phone has more than one state"));
            }
            if on.output != 0 || on.cost != 0.0 || state.end.is_finite() {
                return Err(shape("a word has costs or names inside"));
            }
            path.push(phones.phone(id).ok_or_else(|| shape("a phone is not in phones.txt"))?);
            if path.len() > fst.states.len() {
                return Err(shape("a word has no end"));
            }
            arc = on;
        }
        seen += path.len();
        let ids = phones.in_word(&path);
        match (first.output, Pronunciation::new(path)) {
            (0, Some(path))
                if path.phones().len() == 1 && first.input == into_phone(phones.silence()) =>
            {
                silence = Some(first.cost);
            }
            (label, Some(path)) if label > 0 && ids.is_some() => {
                sounds.entry(label).or_default().push((path, first.cost));
            }
            _ => return Err(shape("a path is no word")),
        }
    }
    if seen + 1 != fst.states.len() {
        return Err(shape("some states belong to no word"));
    }
    let garbage = vec![Phone::new(GARBAGE); 3];
    let unknown = sounds.get(&UNKNOWN_LABEL);
    if unknown.is_none_or(|sounds| sounds.len() != 1 || sounds[0].0.phones() != garbage) {
        return Err(shape("speech that is no word has another path"));
    }
    silence.map(|cost| (cost, sounds)).ok_or_else(|| shape("it has no silence"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PHONES: &str = "<eps> 0\nSIL 1\nGBG_B 2\nGBG_E 3\nGBG_I 4\nGBG_S 5\n\
        a_B 6\na_E 7\na_I 8\na_S 9\nn_B 10\nn_E 11\nn_I 12\nn_S 13\n";

    fn empty() -> Lexicon {
        let phones = Phones::parse(PHONES).expect("phones");
        let unknown = SpokenWord {
            word: UNKNOWN.to_owned(),
            variants: vec![(
                Pronunciation::new(vec![Phone::new(GARBAGE); 3]).expect("phones"),
                cost(1.0 - SILENCE_SHARE),
            )],
        };
        Lexicon {
            phones_txt: PHONES.to_owned(),
            phones,
            words: vec![unknown],
            silence_cost: cost(SILENCE_SHARE),
        }
    }

    #[test]
    fn a_lexicon_is_read_from_what_it_writes() {
        let mut lexicon = empty();
        let sound = |text: &str| lexicon.phones().pronunciation(text).expect("phones");
        let (anna, na) = ([sound("a n a"), sound("a n")], [sound("n a")]);
        assert_eq!(lexicon.add("anna", &anna), Ok(true));
        assert_eq!(lexicon.add("na", &na), Ok(true));
        let files = lexicon.files();
        assert_eq!(files.words, "<eps> 0\n[unk] 1\nanna 2\nna 3\n<never> 4\n");
        let read = Lexicon::read(&files.phones, &files.words, &files.hclr);
        assert_eq!(read.as_ref(), Ok(&lexicon));
        assert_eq!(read.map(|read| read.files()), Ok(files));
    }

    #[test]
    fn the_same_word_twice_is_one_word_and_another_sound_is_refused() {
        let mut lexicon = empty();
        let sound = |text: &str| lexicon.phones().pronunciation(text).expect("phones");
        let (one, two) = ([sound("a n a")], [sound("a n")]);
        assert_eq!(lexicon.add("anna", &one), Ok(true));
        assert_eq!(lexicon.add("anna", &one), Ok(false));
        let refused = lexicon.add("anna", &two).expect_err("another sound");
        assert_eq!(
            refused.to_string(),
            "'anna' is there already as \"a n a\"; add --replace to give it these instead"
        );
        assert_eq!(lexicon.set("anna", &two), Ok(true));
        assert_eq!(lexicon.set("anna", &two), Ok(false));
        for wrong in ["", "Anna", "an na", "a1", "[unk]", "<eps>"] {
            assert!(lexicon.add(wrong, &one).is_err(), "{wrong}");
        }
    }
}
