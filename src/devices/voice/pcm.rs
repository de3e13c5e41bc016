//! Sound as samples.

use std::path::Path;

use super::VoiceError;

/// Mono sound, 16 bits a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pcm {
    /// Samples a second.
    pub rate_hz: u32,
    /// The samples.
    pub samples: Vec<i16>,
}

/// Quieter than this counts as silence at the ends of a part: about −50 dB.
const SILENCE: i16 = 100;

impl Pcm {
    /// No sound.
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

    /// Appends silence.
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

    /// The same sound at another rate, by linear interpolation: enough for speech, whose engines
    /// give little above 8 kHz.
    pub fn resampled(&self, rate_hz: u32) -> Pcm {
        if rate_hz == self.rate_hz || self.samples.is_empty() {
            return Pcm { rate_hz, samples: self.samples.clone() };
        }
        let step = f64::from(self.rate_hz) / f64::from(rate_hz.max(1));
        let length = (self.samples.len() as f64 / step).floor() as usize;
        let samples = (0..length)
            .map(|n| {
                let at = n as f64 * step;
                let index = at as usize;
                let here = f64::from(self.samples[index.min(self.samples.len() - 1)]);
                let next = f64::from(self.samples[(index + 1).min(self.samples.len() - 1)]);
                (here + (next - here) * at.fract()).round() as i16
            })
            .collect();
        Pcm { rate_hz, samples }
    }

    /// The root mean square of the samples, 0 to 32768.
    pub fn rms(&self) -> f64 {
        let sum: f64 = self.samples.iter().map(|s| f64::from(*s) * f64::from(*s)).sum();
        (sum / self.samples.len().max(1) as f64).sqrt()
    }

    /// Writes a WAV file.
    ///
    /// # Errors
    ///
    /// [`VoiceError::File`].
    pub fn write_wav(&self, path: &Path) -> Result<(), VoiceError> {
        let spec = hound::WavSpec {
            channels: 1,
            sample_rate: self.rate_hz,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        };
        let write = || -> Result<(), hound::Error> {
            let mut writer = hound::WavWriter::create(path, spec)?;
            for sample in &self.samples {
                writer.write_sample(*sample)?;
            }
            writer.finalize()
        };
        write().map_err(|err| VoiceError::File {
            path: path.display().to_string(),
            reason: err.to_string(),
        })
    }

    /// Reads a FLAC file by its name's end, or a WAV file.
    ///
    /// # Errors
    ///
    /// [`VoiceError::File`].
    pub fn read(path: &Path) -> Result<Pcm, VoiceError> {
        let flac = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("flac"));
        if flac { Pcm::read_flac(path) } else { Pcm::read_wav(path) }
    }

    /// Reads a FLAC file: any channels (mixed to one), any depth.
    ///
    /// # Errors
    ///
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

    /// Reads a WAV file: any channels (mixed to one), 8 to 32 bits or float.
    ///
    /// # Errors
    ///
    /// [`VoiceError::File`].
    pub fn read_wav(path: &Path) -> Result<Pcm, VoiceError> {
        let read = || -> Result<Pcm, hound::Error> {
            let mut reader = hound::WavReader::open(path)?;
            let spec = reader.spec();
            let samples: Vec<i16> = match spec.sample_format {
                hound::SampleFormat::Float => reader
                    .samples::<f32>()
                    .map(|sample| sample.map(|s| (s.clamp(-1.0, 1.0) * 32767.0) as i16))
                    .collect::<Result<_, _>>()?,
                hound::SampleFormat::Int => {
                    let bits = u32::from(spec.bits_per_sample);
                    let scale =
                        |s: i32| if bits > 16 { s >> (bits - 16) } else { s << (16 - bits) };
                    reader
                        .samples::<i32>()
                        .map(|sample| sample.map(|s| scale(s) as i16))
                        .collect::<Result<_, _>>()?
                }
            };
            let channels = usize::from(spec.channels.max(1));
            let mono = samples
                .chunks(channels)
                .map(|frame| {
                    let sum: i32 = frame.iter().map(|s| i32::from(*s)).sum();
                    (sum / frame.len() as i32) as i16
                })
                .collect();
            Ok(Pcm { rate_hz: spec.sample_rate, samples: mono })
        };
        let file = |reason: String| VoiceError::File { path: path.display().to_string(), reason };
        let sound = read().map_err(|err| match err {
            hound::Error::IoError(err) if err.kind() != std::io::ErrorKind::Other => {
                file(err.to_string())
            }
            err => file(format!("is no WAV file that can be read: {err}")),
        })?;
        if !(8_000..=192_000).contains(&sound.rate_hz) {
            return Err(file(format!("has {} Hz: record with 8000 to 192000 Hz", sound.rate_hz)));
        }
        Ok(sound)
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
        let tone = Pcm::read(Path::new("tests/data/sounds/tone.flac")).expect("there");
        assert_eq!((tone.rate_hz, tone.samples.len()), (16_000, 1600));
        // 440 Hz, 6 dB below full scale.
        let crossings = tone.samples.windows(2).filter(|pair| (pair[0] < 0) != (pair[1] < 0));
        assert!((86..=89).contains(&crossings.count()));
        assert!((tone.rms() - 32768.0 * 0.5012 / 2f64.sqrt()).abs() < 100.0, "{}", tone.rms());
        let missing = Pcm::read(Path::new("tests/data/sounds/none.flac")).expect_err("refused");
        assert!(missing.to_string().contains("none.flac"), "{missing}");
    }

    #[test]
    fn resampling_keeps_length_and_shape() {
        let wave = |rate: u32| -> Pcm {
            let samples = (0..rate)
                .map(|n| {
                    (f64::from(n) / f64::from(rate) * 440.0 * std::f64::consts::TAU).sin() * 10000.0
                })
                .map(|s| s as i16)
                .collect();
            Pcm { rate_hz: rate, samples }
        };
        let up = wave(22050).resampled(48000);
        let wanted = wave(48000);
        assert!(up.samples.len().abs_diff(48000) <= 2);
        let worst =
            up.samples.iter().zip(&wanted.samples[..47_990]).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(worst.is_some_and(|worst| worst < 100), "{worst:?}");
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
