//! A recogniser in noise, simulated.
//!
//! Every word that is said gives each word of the vocabulary a likelihood: the less the words are
//! alike the smaller, plus noise. Words are lost (the first one above all, as when a microphone
//! opens too late) and added. From these likelihoods come, as from the real thing, an n-best list
//! over the grammar of the position and one over a loop of single words.

use annabella_words::phrase::{
    Phrases, SpokenForm, Words,
    hear::{
        Context, Ear, Grammar, Heard, HeardDecision, Hypothesis, Thresholds, command_grammar,
        move_grammar, probabilities, word_loop,
    },
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Move, Position};

/// Natural logarithm of how improbable it is to hear a word that is nothing like the right one.
const APART: f64 = 12.0;
/// The same for a word that is skipped or added.
const SKIPPED: f64 = 9.0;

/// Speech that is in no vocabulary, as recognisers write it.
const UNKNOWN: &str = "[unk]";
/// How like it is to any word.
const GARBAGE: f64 = 0.3;

pub(crate) struct Noise {
    /// Standard deviation of the likelihoods.
    pub(crate) spread: f64,
    pub(crate) lost: f64,
    pub(crate) added: f64,
}

struct Channel {
    rng: ChaCha8Rng,
    vocabulary: Vec<String>,
    /// Likeness of every two words, from 0 to 1.
    alike: Vec<Vec<f64>>,
}

/// One row a heard sound: the logarithm of each word's likelihood, the best 0.
type Sounds = Vec<Vec<f64>>;

impl Channel {
    fn new(words: &Words, seed: u64) -> Channel {
        let mut vocabulary = word_loop(words);
        vocabulary.push(UNKNOWN.to_owned());
        let alike = |a: &String, b: &String| {
            if a == UNKNOWN || b == UNKNOWN {
                return GARBAGE;
            }
            let confused = words.moves().confusions().cost(a, b);
            confused.map_or_else(|| 0.6 * strsim_like(a, b), |cost| 1.0 - cost)
        };
        let alike = vocabulary
            .iter()
            .map(|said| vocabulary.iter().map(|heard| alike(said, heard)).collect())
            .collect();
        Channel { rng: ChaCha8Rng::seed_from_u64(seed), vocabulary, alike }
    }

    fn chance(&mut self, p: f64) -> bool {
        self.rng.random_range(0.0..1.0) < p
    }

    fn normal(&mut self) -> f64 {
        let sum: f64 = (0..12).map(|_| self.rng.random_range(0.0..1.0)).sum();
        sum - 6.0
    }

    /// The sound of a word; of none in the vocabulary if it is not there.
    fn sound(&mut self, said: Option<usize>, spread: f64) -> Vec<f64> {
        let size = self.vocabulary.len();
        let mut row: Vec<f64> = (0..size)
            .map(|n| match said {
                Some(said) if said == n => 0.0,
                Some(said) => -APART * (1.0 - self.alike[said][n]),
                None if n + 1 == size => 0.0,
                None => -APART * (1.0 - GARBAGE),
            })
            .collect();
        for likelihood in &mut row {
            *likelihood += spread * self.normal();
        }
        let best = row.iter().copied().fold(f64::MIN, f64::max);
        row.iter_mut().for_each(|likelihood| *likelihood -= best);
        row
    }

    fn speak(&mut self, text: &str, noise: &Noise) -> Sounds {
        let mut sounds = Vec::new();
        for (n, word) in text.split_whitespace().enumerate() {
            let lost = if n == 0 { 2.0 * noise.lost } else { noise.lost };
            if self.chance(lost) {
                continue;
            }
            let said = self.vocabulary.iter().position(|known| known == word);
            sounds.push(self.sound(said, noise.spread));
            if self.chance(noise.added) {
                sounds.push(self.sound(None, noise.spread));
            }
        }
        sounds
    }

    /// The best phrases of a grammar, with their probabilities among all of them.
    fn with_grammar(
        &self,
        sounds: &Sounds,
        grammar: &[Vec<usize>],
        texts: &[String],
    ) -> Vec<Hypothesis> {
        let scores: Vec<f64> = grammar.iter().map(|phrase| fit(sounds, phrase)).collect();
        let p = probabilities(&scores, 1.0);
        let mut ranked: Vec<(f64, &String)> = p.into_iter().zip(texts).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked.into_iter().take(10).map(|(p, text)| Hypothesis::new(text, p)).collect()
    }

    /// The best words, one by one, and the same with one of them replaced by its next best.
    fn word_by_word(&self, sounds: &Sounds) -> Vec<Hypothesis> {
        let mut first = Vec::new();
        let mut next: Vec<(f64, usize, usize)> = Vec::new();
        for (place, row) in sounds.iter().enumerate() {
            let mut ranked: Vec<usize> = (0..row.len()).collect();
            ranked.sort_by(|a, b| row[*b].total_cmp(&row[*a]));
            first.push(ranked[0]);
            next.extend(ranked[1..4].iter().map(|word| (row[*word], place, *word)));
        }
        next.sort_by(|a, b| b.0.total_cmp(&a.0));
        next.truncate(9);
        let mut scores = vec![0.0];
        let mut texts = vec![first.clone()];
        for (score, place, word) in next {
            let mut changed = first.clone();
            changed[place] = word;
            scores.push(score);
            texts.push(changed);
        }
        let spell = |ids: Vec<usize>| {
            let words: Vec<&str> = ids.iter().map(|id| self.vocabulary[*id].as_str()).collect();
            words.join(" ")
        };
        let p = probabilities(&scores, 1.0);
        texts.into_iter().zip(p).map(|(ids, p)| Hypothesis::new(spell(ids), p)).collect()
    }
}

fn strsim_like(a: &str, b: &str) -> f64 {
    ((strsim::normalized_damerau_levenshtein(a, b) - 0.4) / 0.6).max(0.0)
}

/// How well a phrase fits the sounds: the logarithm of the likelihood of the best alignment.
fn fit(sounds: &Sounds, phrase: &[usize]) -> f64 {
    let mut row: Vec<f64> = (0..=sounds.len()).map(|n| -SKIPPED * n as f64).collect();
    for word in phrase {
        let mut next = vec![row[0] - SKIPPED];
        for (n, sound) in sounds.iter().enumerate() {
            let best = (row[n] + sound[*word]).max(row[n + 1] - SKIPPED).max(next[n] - SKIPPED);
            next.push(best);
        }
        row = next;
    }
    row[sounds.len()]
}

fn position(rng: &mut ChaCha8Rng) -> Chess {
    let mut pos = Chess::default();
    for _ in 0..rng.random_range(0..60) {
        let moves = pos.legal_moves();
        if moves.is_empty() {
            break;
        }
        pos.play_unchecked(moves[rng.random_range(0..moves.len())]);
    }
    if pos.legal_moves().is_empty() { Chess::default() } else { pos }
}

/// Something that was said, and all that was heard of it.
struct Case {
    mv: Option<Move>,
    heard: Heard,
}

/// A position with a few utterances in it.
pub(crate) struct Scene {
    pos: Chess,
    cases: Vec<Case>,
}

#[derive(Clone, Copy)]
pub(crate) enum Said {
    Moves,
    /// Well-formed announcements of moves that are not legal.
    IllegalMoves,
    /// Words that are in no vocabulary.
    Talk,
}

pub(crate) fn scenes(
    words: &Words,
    said: Said,
    noise: &Noise,
    scenes: usize,
    each: usize,
    seed: u64,
) -> Vec<Scene> {
    let mut channel = Channel::new(words, seed);
    let mut rng = ChaCha8Rng::seed_from_u64(seed + 1);
    (0..scenes)
        .map(|_| {
            let pos = position(&mut rng);
            let mut texts = move_grammar(words, &pos);
            texts.extend(command_grammar(words, &Context::default()));
            texts.extend((1..7).map(|n| vec![UNKNOWN; n].join(" ")));
            let id = |word: &str| channel.vocabulary.iter().position(|known| known == word);
            let grammar: Vec<Vec<usize>> =
                texts.iter().map(|text| text.split_whitespace().filter_map(id).collect()).collect();
            let phrases = Phrases::new(words, &pos);
            let moves = pos.legal_moves();
            let cases = (0..each)
                .map(|_| {
                    let mv = moves[rng.random_range(0..moves.len())];
                    let (mv, text) = match said {
                        Said::Moves => {
                            (Some(mv), announcement(words, &pos, &phrases, mv, &mut rng))
                        }
                        Said::IllegalMoves => (None, illegal(words, &pos, &mut rng)),
                        Said::Talk => (None, vec!["gerede"; rng.random_range(1..7)].join(" ")),
                    };
                    let sounds = channel.speak(&text, noise);
                    let hypotheses = channel.with_grammar(&sounds, &grammar, &texts);
                    let word_loop = channel.word_by_word(&sounds);
                    let mut heard = Heard { hypotheses, word_loop, ..Heard::default() };
                    // This loop knows the words of requests, too.
                    let around = Grammar {
                        phrases: texts.clone(),
                        words: channel.vocabulary.clone(),
                        ..Grammar::default()
                    };
                    let readings = heard.to_compare(&around);
                    let id = |word: &str| channel.vocabulary.iter().position(|known| known == word);
                    let compared: Vec<Vec<usize>> = readings
                        .iter()
                        .map(|text| text.split_whitespace().filter_map(id).collect())
                        .collect();
                    heard.comparison = channel.with_grammar(&sounds, &compared, &readings);
                    Case { mv, heard }
                })
                .collect();
            Scene { pos, cases }
        })
        .collect()
}

/// Half in full, some short, the rest any way that is unambiguous.
fn announcement(
    words: &Words,
    pos: &Chess,
    phrases: &Phrases,
    mv: Move,
    rng: &mut ChaCha8Rng,
) -> String {
    let plain = |form| words.announce(pos, mv, form).to_string().replace(',', "").to_lowercase();
    match rng.random_range(0..10) {
        0..5 => plain(SpokenForm::Full),
        5..8 => plain(SpokenForm::Short),
        _ => {
            let all: Vec<&str> = phrases
                .iter()
                .filter(|phrase| phrase.moves == [mv])
                .map(|phrase| phrase.text.as_str())
                .collect();
            all[rng.random_range(0..all.len())].to_owned()
        }
    }
}

/// A legal announcement with one square changed so that it is none.
fn illegal(words: &Words, pos: &Chess, rng: &mut ChaCha8Rng) -> String {
    use annabella_words::phrase::{Understood, understand};
    let moves = pos.legal_moves();
    loop {
        let mv = moves[rng.random_range(0..moves.len())];
        let text = words.announce(pos, mv, SpokenForm::Full).to_string().to_lowercase();
        let mut said: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let rank = shakmaty::Rank::new(rng.random_range(0..8));
        let file = shakmaty::File::new(rng.random_range(0..8));
        if said.len() < 5 || text.contains(',') {
            // Castling or a check: change the move, not the ornament.
            said = words
                .announce(pos, mv, SpokenForm::Short)
                .to_string()
                .split_whitespace()
                .map(str::to_lowercase)
                .collect();
        }
        let (last, before) = (said.len() - 1, said.len().saturating_sub(2));
        if rng.random_range(0..2) == 0 {
            said[last] = words.moves().rank(rank).text.to_lowercase();
        } else {
            said[before] = words.moves().file(file).text.to_lowercase();
        }
        let text = said.join(" ");
        if matches!(understand(words, pos, &text), Understood::Illegal(_)) {
            return text;
        }
    }
}

#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Count {
    all: usize,
    pub(crate) right: usize,
    pub(crate) wrong: usize,
    confirmed: usize,
    confirmed_right: usize,
    again: usize,
    pub(crate) commands: usize,
}

impl Count {
    fn add(&mut self, decision: &HeardDecision, said: Option<Move>) {
        self.all += 1;
        match decision {
            HeardDecision::Accept { mv, .. } if Some(*mv) == said => self.right += 1,
            HeardDecision::Accept { .. } => self.wrong += 1,
            HeardDecision::Confirm { mv, .. } => {
                self.confirmed += 1;
                self.confirmed_right += usize::from(Some(*mv) == said);
            }
            HeardDecision::Command { .. } => self.commands += 1,
            _ => self.again += 1,
        }
    }

    pub(crate) fn percent(self, n: usize) -> f64 {
        100.0 * n as f64 / self.all as f64
    }

    pub(crate) fn row(self) -> String {
        format!(
            "right {:5.1} %  wrong {:5.2} %  confirm {:5.1} % (right {:5.1} %)  again {:5.1} %  request {:4.2} %",
            self.percent(self.right),
            self.percent(self.wrong),
            self.percent(self.confirmed),
            self.percent(self.confirmed_right),
            self.percent(self.again),
            self.percent(self.commands)
        )
    }
}

pub(crate) fn measure(
    ear: &Ear,
    scenes: &[Scene],
    thresholds: Thresholds,
    word_loop: bool,
) -> Count {
    let mut count = Count::default();
    for scene in scenes {
        let matcher = ear.matcher(&scene.pos, Context::default()).with_thresholds(thresholds);
        for case in &scene.cases {
            let mut heard = case.heard.clone();
            if !word_loop {
                heard.word_loop.clear();
                heard.comparison.clear();
            }
            count.add(&matcher.decide(&heard), case.mv);
        }
    }
    count
}

/// What the recogniser alone would do: its best phrase is the move.
pub(crate) fn top_one(
    words: &Words,
    scenes: &[Scene],
    of: impl Fn(&Heard) -> &[Hypothesis],
) -> Count {
    use annabella_words::phrase::{Understood, understand};
    let mut count = Count::default();
    for scene in scenes {
        for case in &scene.cases {
            let best = of(&case.heard)
                .iter()
                .max_by(|a, b| a.confidence.partial_cmp(&b.confidence).expect("probabilities"));
            let decision = match best.map(|best| understand(words, &scene.pos, &best.text)) {
                Some(Understood::Move(mv)) => {
                    HeardDecision::Accept { mv, correction: false, confidence: 1.0 }
                }
                _ => HeardDecision::Again { candidates: Vec::new() },
            };
            count.add(&decision, case.mv);
        }
    }
    count
}

pub(crate) fn german() -> (Words, Ear) {
    let words = Words::builtin("fide", "de").expect("built-in packs");
    let ear = Ear::new(&words);
    (words, ear)
}

pub(crate) const HALL: Noise = Noise { spread: 2.8, lost: 0.005, added: 0.01 };
