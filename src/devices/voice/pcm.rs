//! Sound as samples.

use std::{
    io::{BufReader, Cursor, Read},
    path::Path,
};

use rubato::{
    Fft, FixedSync, Resampler, WindowFunction, audioadapter_buffers::direct::SequentialSlice,
};

use super::{
    VoiceError,
    wav::{LARGEST, plain},
};

/// Mono sound, 16 bits a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pcm {
    /// Samples a second.
    pub rate_hz: u32,
    pub samples: Vec<i16>,
}

/// A recording is not longer, seconds: an hour would take as long to be heard.
const LONGEST_S: u32 = 600;

/// Quieter than this counts as silence at the ends of a part: about −50 dB.
const SILENCE: i16 = 100;

/// How many frames are resampled at once: at least a thousand, and an even number of the shortest
/// time after which samples of both rates meet, so that the filter's delay is a whole number of
/// both.
fn piece(from: usize, to: usize) -> usize {
    let (mut common, mut rest) = (from, to);
    while rest > 0 {
        (common, rest) = (rest, common % rest);
    }
    let meet = 2 * from / common;
    1000_usize.div_ceil(meet) * meet
}

impl Pcm {
    pub fn empty(rate_hz: u32) -> Pcm {
        Pcm { rate_hz, samples: Vec::new() }
    }

    /// Its length, milliseconds.
    pub fn length_ms(&self) -> u64 {
        self.samples.len() as u64 * 1000 / u64::from(self.rate_hz.max(1))
    }

    /// Cuts silence off both ends, but for `keep_ms` on each.
    pub fn trim(&mut self, keep_ms: u64) {
        let keep = usize::try_from(keep_ms * u64::from(self.rate_hz) / 1000).unwrap_or(usize::MAX);
        let loud = |sample: &i16| sample.unsigned_abs() > SILENCE.unsigned_abs();
        let Some(first) = self.samples.iter().position(loud) else {
            self.samples.clear();
            return;
        };
        let last = self.samples.iter().rposition(loud).unwrap_or(first);
        self.samples.truncate(last.saturating_add(1 + keep).min(self.samples.len()));
        self.samples.drain(..first.saturating_sub(keep));
    }

    /// Appends another sound, resampled if it must be.
    pub fn append(&mut self, other: &Pcm) {
        if other.rate_hz == self.rate_hz {
            self.samples.extend_from_slice(&other.samples);
        } else {
            self.samples.extend(other.resampled(self.rate_hz).samples);
        }
    }

    pub fn append_silence(&mut self, length_ms: u64) {
        let samples = length_ms * u64::from(self.rate_hz) / 1000;
        let length = self.samples.len() + usize::try_from(samples).unwrap_or(0);
        self.samples.resize(length, 0);
    }

    /// Adds another sound on top, from `at_ms` on; both at the same rate. Loud sums are clipped.
    pub fn mix(&mut self, at_ms: u64, other: &Pcm) {
        let first = usize::try_from(at_ms * u64::from(self.rate_hz) / 1000).unwrap_or(usize::MAX);
        let needed = first.saturating_add(other.samples.len());
        if self.samples.len() < needed {
            self.samples.resize(needed, 0);
        }
        for (sample, added) in self.samples[first..].iter_mut().zip(&other.samples) {
            *sample = sample.saturating_add(*added);
        }
    }

    /// The same sound at another rate, without a delay. Frequencies that only the higher rate can
    /// carry are filtered out, so that they don't turn into other tones.
    pub fn resampled(&self, rate_hz: u32) -> Pcm {
        if rate_hz == self.rate_hz || self.samples.is_empty() {
            return Pcm { rate_hz, samples: self.samples.clone() };
        }
        let (from, to) = (self.rate_hz.max(1) as usize, rate_hz.max(1) as usize);
        let piece = piece(from, to);
        let sound: Vec<f32> = self.samples.iter().map(|sample| f32::from(*sample)).collect();
        // Only a rate or a length of 0 is refused.
        let resampler =
            Fft::new_custom(from, to, piece, 1, 1, WindowFunction::Blackman, FixedSync::Input);
        let mut resampler = resampler.expect("rates above 0");
        let frames = sound.len();
        let sound = SequentialSlice::new(&sound, 1, frames).expect("one channel of this length");
        // A sound of the length that it says is never too short.
        let resampled = resampler.process_all(&sound, frames, None).expect("a whole sound");
        let samples = resampled.take_data().into_iter().map(|sample| sample.round() as i16);
        Pcm { rate_hz, samples: samples.collect() }
    }

    /// The root mean square of the samples, 0 to 32768.
    pub fn rms(&self) -> f64 {
        let sum: f64 = self.samples.iter().map(|s| f64::from(*s) * f64::from(*s)).sum();
        (sum / self.samples.len().max(1) as f64).sqrt()
    }

    /// A WAV file of it.
    pub fn to_wav(&self) -> Vec<u8> {
        let spec = hound::WavSpec {
            channels: 1,
            sample_rate: self.rate_hz,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        };
        let mut bytes = Cursor::new(Vec::new());
        let write = |bytes: &mut Cursor<Vec<u8>>| -> Result<(), hound::Error> {
            let mut writer = hound::WavWriter::new(bytes, spec)?;
            for sample in &self.samples {
                writer.write_sample(*sample)?;
            }
            writer.finalize()
        };
        // Memory takes everything, and a sample of 16 bits fits into 16 bits.
        write(&mut bytes).expect("written into memory");
        bytes.into_inner()
    }

    /// Writes a WAV file.
    ///
    /// # Errors
    /// [`VoiceError::File`].
    pub fn write_wav(&self, path: &Path) -> Result<(), VoiceError> {
        std::fs::write(path, self.to_wav()).map_err(|err| VoiceError::File {
            path: path.display().to_string(),
            reason: err.to_string(),
        })
    }

    /// Reads a FLAC file by its name's end, or a WAV file.
    ///
    /// # Errors
    /// [`VoiceError::File`].
    pub fn read(path: &Path) -> Result<Pcm, VoiceError> {
        let flac = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("flac"));
        if flac { Pcm::read_flac(path) } else { Pcm::read_wav(path) }
    }

    /// Reads a FLAC file: any channels (mixed to one), any depth.
    ///
    /// # Errors
    /// [`VoiceError::File`].
    pub fn read_flac(path: &Path) -> Result<Pcm, VoiceError> {
        let read = || -> Result<Pcm, claxon::Error> {
            let mut reader = claxon::FlacReader::open(path)?;
            let info = reader.streaminfo();
            let samples: Vec<i32> = reader.samples().collect::<Result<_, _>>()?;
            let bits = info.bits_per_sample;
            let scale = |s: i64| if bits > 16 { s >> (bits - 16) } else { s << (16 - bits) };
            let channels = usize::try_from(info.channels.max(1)).unwrap_or(1);
            let mono = samples.chunks(channels).map(|frame| {
                let sum: i64 = frame.iter().map(|s| scale(i64::from(*s))).sum();
                (sum / frame.len() as i64) as i16
            });
            Ok(Pcm { rate_hz: info.sample_rate, samples: mono.collect() })
        };
        read().map_err(|err| VoiceError::File {
            path: path.display().to_string(),
            reason: err.to_string(),
        })
    }

    /// Reads a WAV file as programs write it: any channels (mixed to one), 8 to 32 bits or float,
    /// streamed or not.
    ///
    /// # Errors
    /// [`VoiceError::File`].
    pub fn read_wav(path: &Path) -> Result<Pcm, VoiceError> {
        let file = crate::open_file(path).map_err(|err| err.to_string());
        file.and_then(|file| Pcm::from_wav(BufReader::new(file)))
            .map_err(|reason| VoiceError::File { path: path.display().to_string(), reason })
    }

    /// The same from its bytes.
    ///
    /// # Errors
    /// What is wrong with it, for a line that begins with its name.
    pub fn from_wav(from: impl Read) -> Result<Pcm, String> {
        let wrong = |err: hound::Error| match err {
            hound::Error::IoError(err) if err.kind() != std::io::ErrorKind::Other => {
                err.to_string()
            }
            err => format!("is no WAV file that can be read: {err}"),
        };
        let mut bytes = Vec::new();
        from.take(LARGEST).read_to_end(&mut bytes).map_err(|err| err.to_string())?;
        let plain = plain(&bytes).ok_or(
            "is no WAV file that can be read: it needs a format and samples, as arecord writes them",
        )?;
        let mut reader = hound::WavReader::new(plain.as_slice()).map_err(wrong)?;
        let spec = reader.spec();
        if !(4_000..=384_000).contains(&spec.sample_rate) {
            return Err(format!("has {} Hz: record with 4000 to 384000 Hz", spec.sample_rate));
        }
        let seconds = reader.duration() / spec.sample_rate;
        if seconds > LONGEST_S {
            return Err(format!("lasts {seconds} s: cut it into parts of at most {LONGEST_S} s"));
        }
        let samples: Result<Vec<i16>, hound::Error> = match spec.sample_format {
            hound::SampleFormat::Float => reader
                .samples::<f32>()
                .map(|sample| sample.map(|s| (s.clamp(-1.0, 1.0) * 32767.0) as i16))
                .collect(),
            hound::SampleFormat::Int => {
                let bits = u32::from(spec.bits_per_sample);
                let scale = |s: i32| if bits > 16 { s >> (bits - 16) } else { s << (16 - bits) };
                reader.samples::<i32>().map(|sample| sample.map(|s| scale(s) as i16)).collect()
            }
        };
        let mono = samples
            .map_err(wrong)?
            .chunks(usize::from(spec.channels.max(1)))
            .map(|frame| {
                let sum: i32 = frame.iter().map(|s| i32::from(*s)).sum();
                (sum / frame.len() as i32) as i16
            })
            .collect();
        Ok(Pcm { rate_hz: spec.sample_rate, samples: mono })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_at_the_ends_is_cut_but_for_what_is_kept() {
        let mut samples = vec![0; 1000];
        samples.extend([5000; 100]);
        samples.extend([0; 1000]);
        let mut pcm = Pcm { rate_hz: 1000, samples };
        pcm.trim(50);
        assert_eq!(pcm.length_ms(), 200);
        let mut silent = Pcm { rate_hz: 1000, samples: vec![3; 50] };
        silent.trim(10);
        assert_eq!(silent.length_ms(), 0);
    }

    #[test]
    fn a_flac_file_is_read_as_it_was_written() {
        let tone = Pcm::read(Path::new("../../tests/data/sounds/tone.flac")).expect("there");
        assert_eq!((tone.rate_hz, tone.samples.len()), (16_000, 1600));
        // 440 Hz, 6 dB below full scale.
        let crossings = tone.samples.windows(2).filter(|pair| (pair[0] < 0) != (pair[1] < 0));
        assert!((86..=89).contains(&crossings.count()));
        assert!((tone.rms() - 32768.0 * 0.5012 / 2f64.sqrt()).abs() < 100.0, "{}", tone.rms());
        let missing =
            Pcm::read(Path::new("../../tests/data/sounds/none.flac")).expect_err("refused");
        assert!(missing.to_string().contains("none.flac"), "{missing}");
    }

    /// A tone of an amplitude of 10,000 and of one second.
    fn tone(rate_hz: u32, tone_hz: f64) -> Pcm {
        let turns = |n: u32| f64::from(n) / f64::from(rate_hz) * tone_hz;
        let value = |n| ((turns(n) * std::f64::consts::TAU).sin() * 10_000.0) as i16;
        Pcm { rate_hz, samples: (0..rate_hz).map(value).collect() }
    }

    #[test]
    fn resampling_keeps_length_and_shape_without_a_delay() {
        for (from, to) in [(22_050, 48_000), (22_050, 44_100), (48_000, 16_000), (44_100, 16_000)] {
            let (got, wanted) = (tone(from, 440.0).resampled(to), tone(to, 440.0));
            let length = wanted.samples.len();
            assert!(got.samples.len().abs_diff(length) <= 1, "{}", got.samples.len());
            let off = |first: usize, end: usize| {
                let pairs = got.samples[first..end].iter().zip(&wanted.samples[first..end]);
                pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
            };
            // A tone out of silence is a bend, which holds more than a rate can carry: 2 % in the
            // first millisecond.
            let ms = to as usize / 1000;
            assert!(off(0, ms) < 200, "{from} to {to}: {}", off(0, ms));
            assert!(off(ms, length - 10) < 100, "{from} to {to}: {}", off(ms, length - 10));
            assert!(off(20 * ms, length - 20 * ms) <= 3, "{from} to {to}");
        }
    }

    /// The level of the middle of a sound against `other`, decibels.
    fn level_db(sound: &Pcm, other: &Pcm) -> f64 {
        let middle = |pcm: &Pcm| {
            let quarter = pcm.samples.len() / 4;
            Pcm { samples: pcm.samples[quarter..3 * quarter].to_vec(), ..*pcm }.rms()
        };
        20.0 * (middle(sound).max(0.1) / middle(other)).log10()
    }

    #[test]
    fn hissing_sounds_stay_as_loud_as_they_are() {
        for (from, to) in [(22_050, 48_000), (22_050, 44_100), (48_000, 22_050)] {
            for hz in [500.0, 3_000.0, 6_000.0, 9_000.0] {
                let sound = tone(from, hz);
                let level = level_db(&sound.resampled(to), &sound);
                assert!(level.abs() < 0.1, "{hz} Hz from {from} to {to}: {level} dB");
            }
        }
    }

    #[test]
    fn what_a_rate_cannot_carry_is_not_heard_as_another_tone() {
        let high = tone(48_000, 11_000.0);
        let level = level_db(&high.resampled(16_000), &high);
        assert!(level < -60.0, "{level} dB");
        // 22,050 Hz carry 5 kHz; their mirror at 17,050 Hz does not come along.
        let low = tone(22_050, 5_000.0);
        let (up, wanted) = (low.resampled(48_000), tone(48_000, 5_000.0));
        let difference = up.samples.iter().zip(&wanted.samples).map(|(a, b)| a.saturating_sub(*b));
        let difference = Pcm { rate_hz: 48_000, samples: difference.collect() };
        let level = level_db(&difference, &wanted);
        assert!(level < -60.0, "{level} dB");
    }

    #[test]
    fn a_sound_of_any_length_and_rate_is_resampled() {
        for length in [1, 2, 255, 1024, 1025, 5000] {
            for (from, to) in [(22_050, 48_000), (48_000, 16_000), (8_000, 44_100), (44_100, 8_000)]
            {
                let sound = Pcm { rate_hz: from, samples: vec![1000; length] };
                let expected = length as f64 * f64::from(to) / f64::from(from.max(1));
                let got = sound.resampled(to).samples.len() as f64;
                assert!((got - expected).abs() <= 1.0, "{length} from {from} to {to}: {got}");
            }
        }
    }

    #[test]
    fn what_is_written_is_read_back_and_two_channels_become_one() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.wav");
        let pcm = Pcm { rate_hz: 8000, samples: (0..800).map(|n| n * 40 - 16000).collect() };
        pcm.write_wav(&path).expect("written");
        assert_eq!(Pcm::read_wav(&path), Ok(pcm));
        std::fs::write(&path, b"RIFFnonsense").expect("written");
        let err = Pcm::read_wav(&path).expect_err("no WAV").to_string();
        assert!(err.contains("is no WAV file that can be read"), "{err}");
    }

    #[test]
    fn sounds_are_laid_over_one_another() {
        let mut pcm = Pcm::empty(1000);
        pcm.mix(10, &Pcm { rate_hz: 1000, samples: vec![30000; 10] });
        pcm.mix(15, &Pcm { rate_hz: 1000, samples: vec![30000; 10] });
        assert_eq!(pcm.length_ms(), 25);
        assert_eq!((pcm.samples[9], pcm.samples[12], pcm.samples[17]), (0, 30000, i16::MAX));
    }
}
