//! A second ear for the words of the ranks: a small network that learnt from people, beside
//! libvosk.
//!
//! libvosk says which words it heard and when. Each rank among them, and each unknown word, is cut
//! out of the sound and heard once more by itself. What the second ear thinks of it is added to
//! libvosk's log-likelihood of the text, so that each can outvote the other. Where they differ and
//! both are sure, neither reading is likely any longer, and the player is asked.
//!
//! voices/training/second_ear.py makes the network; how [`WEIGHT`] and [`AGAINST_OTHERS`] were
//! chosen is in voices/training/EXPERIMENTS.md.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Arc, Mutex, OnceLock},
};

use rten::{Model, ModelOptions, OpRegistry, RunOptions, ThreadPool, op_types};
use rten_tensor::{NdTensor, prelude::*};
use vosk::WordInAlternative;

use super::{trusted::trusted, vocabulary::UNKNOWN};
use crate::voice::Pcm;
use annabella_threads::lock;

/// Where a model has it.
pub(super) const FILE: &str = "ear/ranks.onnx";

/// What it tells apart, as models spell it: the ranks, and at last everything else.
const WORDS: [&[&str]; 9] = [
    &["eins"],
    &["zwei", "zwo"],
    &["drei"],
    &["vier"],
    &["fünf"],
    &["sechs"],
    &["sieben"],
    &["acht"],
    &[UNKNOWN],
];
const RANKS: usize = WORDS.len() - 1;
const RATE_HZ: u32 = 16_000;
/// Samples that it hears at once, the word in their middle.
const WINDOW: usize = 24_000;
/// The root mean square over all of them, of 32 768.
const LOUDNESS: f64 = 1000.0;
/// So much before and after a word is heard with it, seconds: the recogniser ends most words too
/// soon.
const BEFORE_S: f32 = 0.10;
const AFTER_S: f32 = 0.16;
/// Words that begin and end in the same such pieces are the same word, seconds.
const PIECE_S: f32 = 0.06;
/// A longer word is talk, of which only a part would be heard, seconds.
const LONGEST_S: f32 = 1.2;
/// How much its log-probability counts beside libvosk's log-likelihood.
const WEIGHT: f64 = 1.5;
/// So much less likely than it says, as a logarithm, is what is no rank: people it never heard are
/// taken for that too often.
const AGAINST_OTHERS: f32 = 3.0;
/// No word is less likely to it: it may be wrong.
const LEAST: f32 = -6.0;

/// The network.
pub(super) struct SecondEar {
    network: Model,
    alone: Arc<ThreadPool>,
}

impl SecondEar {
    /// Reads a file, if it is there.
    ///
    /// # Errors
    /// Why the file cannot be used.
    pub(super) fn open(file: &Path) -> Result<Option<SecondEar>, String> {
        if !file.exists() {
            return Ok(None);
        }
        let broken = |why: String| format!("{FILE} {why}");
        let bytes = fs::read(trusted(file)?).map_err(|err| broken(err.to_string()))?;
        SecondEar::read(bytes).map(Some).map_err(broken)
    }

    fn read(bytes: Vec<u8>) -> Result<SecondEar, String> {
        // Nothing but what the network needs: the rest would be as large as this program.
        let needed = OpRegistry::with_ops(&[
            &op_types::Add,
            &op_types::Conv,
            &op_types::Div,
            &op_types::Gemm,
            &op_types::Log,
            &op_types::LogSoftmax,
            &op_types::MatMul,
            &op_types::Mul,
            &op_types::Relu,
            &op_types::Reshape,
            &op_types::Softmax,
            &op_types::Sub,
            &op_types::Transpose,
            &op_types::Unsqueeze,
        ]);
        let network = ModelOptions::with_ops(needed).load(bytes).map_err(|err| err.to_string())?;
        // The passes of the recogniser have the cores.
        let alone = Arc::new(ThreadPool::with_num_threads(1));
        let ear = SecondEar { network, alone };
        ear.said(&[0; 160]).map(|_| ear).map_err(|why| format!("is no second ear: {why}"))
    }

    /// What a piece of sound at [`RATE_HZ`] is, as [`weighed`] has it.
    fn said(&self, word: &[i16]) -> Result<[f32; WORDS.len()], String> {
        let word = &word[..word.len().min(WINDOW)];
        let power: f64 = word.iter().map(|s| f64::from(*s).powi(2)).sum();
        let gain = LOUDNESS / ((power / WINDOW as f64).sqrt() + 1e-3);
        let mut sound = NdTensor::<f32, 2>::zeros([1, WINDOW]);
        let first = (WINDOW - word.len()) / 2;
        for (n, sample) in word.iter().enumerate() {
            sound[[0, first + n]] = (f64::from(*sample) * gain) as f32;
        }
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&self.alone)));
        let said = self.network.run_one(sound.view().into(), Some(options));
        let said = said.map_err(|err| err.to_string().replace('\n', " "))?;
        let said: NdTensor<f32, 2> = said.try_into().map_err(|_| "it says no numbers")?;
        if said.shape() != [1, WORDS.len()] {
            return Err(format!("it tells apart {:?} classes, not {}", said.shape(), WORDS.len()));
        }
        let said = weighed(std::array::from_fn(|n| said[[0, n]]));
        let countable = said.iter().all(|p| p.is_finite());
        if countable { Ok(said) } else { Err("it says what is no number".to_owned()) }
    }
}

/// From what the network says: log-probabilities of the ranks among themselves, and of everything
/// else beside them.
fn weighed(mut said: [f32; WORDS.len()]) -> [f32; WORDS.len()] {
    said[RANKS] -= AGAINST_OTHERS;
    let (ranks, all) = (log_sum(&said[..RANKS]), log_sum(&said));
    std::array::from_fn(|n| (said[n] - if n < RANKS { ranks } else { all }).max(LEAST))
}

/// The logarithm of the sum of numbers, of which these are the logarithms.
fn log_sum(logs: &[f32]) -> f32 {
    let top = logs.iter().copied().fold(f32::MIN, f32::max);
    top + logs.iter().map(|log| (log - top).exp()).sum::<f32>().ln()
}

/// One utterance, with what the second ear made of its words so far.
pub(super) struct Sound<'a> {
    /// As all recognisers get it.
    pub(super) samples: &'a [i16],
    rate_hz: u32,
    ear: Option<&'a SecondEar>,
    at_its_rate: OnceLock<Cow<'a, [i16]>>,
    known: Mutex<BTreeMap<(u32, u32), [f32; WORDS.len()]>>,
}

impl<'a> Sound<'a> {
    pub(super) fn new(samples: &'a [i16], rate_hz: u32, ear: Option<&'a SecondEar>) -> Sound<'a> {
        Sound { samples, rate_hz, ear, at_its_rate: OnceLock::new(), known: Mutex::default() }
    }

    /// What the second ear adds to the log-likelihood of a text with these words; their times are
    /// multiplied by `pace`.
    pub(super) fn adds(&self, words: &[WordInAlternative<'_>], pace: f32) -> f64 {
        let Some(ear) = self.ear else { return 0.0 };
        let ranks = words.iter().filter_map(|word| {
            let rank = WORDS.iter().position(|spelled| spelled.contains(&word.word))?;
            let (start, end) = (word.start * pace, word.end * pace);
            let said = (end - start <= LONGEST_S).then(|| self.said(ear, start, end))??;
            Some(f64::from(said[rank]))
        });
        ranks.sum::<f64>() * WEIGHT
    }

    fn said(&self, ear: &SecondEar, start_s: f32, end_s: f32) -> Option<[f32; WORDS.len()]> {
        let piece = |s: f32| (s / PIECE_S).round().max(0.0) as u32;
        let place = (piece(start_s), piece(end_s));
        if let Some(said) = lock(&self.known).get(&place) {
            return Some(*said);
        }
        let all = self.at_its_rate.get_or_init(|| {
            if self.rate_hz == RATE_HZ {
                return Cow::Borrowed(self.samples);
            }
            let all = Pcm { rate_hz: self.rate_hz, samples: self.samples.to_vec() };
            Cow::Owned(all.resampled(RATE_HZ).samples)
        });
        let at = |s: f32| ((s * RATE_HZ as f32).max(0.0) as usize).min(all.len());
        let begin = at(place.0 as f32 * PIECE_S - BEFORE_S);
        let end = at(place.1 as f32 * PIECE_S + AFTER_S).max(begin);
        let said = ear.said(&all[begin..end]).ok()?;
        lock(&self.known).insert(place, said);
        Some(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "../../voices/model";

    #[test]
    fn what_the_ear_says_is_probabilities_of_ranks_and_of_everything_else() {
        let said = weighed([0.0, -1.0, -2.0, -3.0, -4.0, -5.0, -6.0, -30.0, 0.0]);
        let sum: f32 = said[..RANKS].iter().map(|p| p.exp()).sum();
        assert!((sum - 1.0).abs() < 0.01, "{said:?}");
        assert_eq!(said[RANKS - 1], LEAST, "it may be wrong");
        let ranks = log_sum(&[0.0, -1.0, -2.0, -3.0, -4.0, -5.0, -6.0, -30.0]);
        let other = ((-AGAINST_OTHERS).exp() / ((-AGAINST_OTHERS).exp() + ranks.exp())).ln();
        assert!((said[RANKS] - other).abs() < 1e-4, "{said:?} {other}");
    }

    #[test]
    fn noise_is_no_rank_and_is_nothing_that_cannot_be_counted() {
        let ear = SecondEar::open(&Path::new(OWN).join(FILE)).expect("read").expect("there");
        let silence = vec![0; 9000];
        let hiss: Vec<i16> = crate::voice::endpoint::tests::noise(700, 3000.0, 5);
        for sound in [&silence[..], &hiss, &[], &[i16::MIN; 40_000]] {
            let said = ear.said(sound).expect("said");
            assert!(said.iter().all(|p| (LEAST..=0.0).contains(p)), "{said:?}");
            assert!(said[RANKS] > -1.0, "{said:?}");
        }
    }

    #[test]
    fn a_model_without_the_file_has_no_second_ear_and_a_broken_one_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("own.onnx");
        assert!(SecondEar::open(&file).expect("none").is_none());
        let whole = fs::read(Path::new(OWN).join(FILE)).expect("the model's");
        for bytes in [&b""[..], b"no network", &whole[..whole.len() / 2], &whole[..40]] {
            fs::write(&file, bytes).expect("a file");
            let Err(why) = SecondEar::open(&file) else { panic!("{} bytes", bytes.len()) };
            assert!(why.starts_with("ear/ranks.onnx ") && !why.contains('\n'), "{why}");
        }
    }

    #[test]
    fn without_a_second_ear_nothing_is_added() {
        let samples = [0; 16_000];
        let word = WordInAlternative { start: 0.1, end: 0.5, word: "eins" };
        assert_eq!(Sound::new(&samples, RATE_HZ, None).adds(std::slice::from_ref(&word), 1.0), 0.0);
        let ear = SecondEar::open(&Path::new(OWN).join(FILE)).expect("read").expect("there");
        let sound = Sound::new(&samples, RATE_HZ, Some(&ear));
        let other = WordInAlternative { word: "turm", ..word.clone() };
        assert_eq!(sound.adds(&[other], 1.0), 0.0, "it knows no pieces");
        let far = WordInAlternative { start: 7.0, end: 7.5, ..word.clone() };
        assert!(sound.adds(&[far], 1.0) <= 0.0, "times beyond the end are no fault");
        assert!(sound.adds(&[word], 1.0) <= 0.0);
    }
}
