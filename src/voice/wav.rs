//! Recordings: WAV files of any rate and format, as the recogniser wants them.

use std::path::Path;

use hound::{SampleFormat, WavReader, WavSpec, WavWriter};

use super::VoiceError;

/// Longer recordings are refused: nobody speaks a move for ten minutes.
const LONGEST_S: u32 = 600;

/// Mono sound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// Samples a second.
    pub rate_hz: u32,
    /// 16 bit.
    pub samples: Vec<i16>,
}

impl Recording {
    /// Reads a WAV file: 8 to 32 bit integers or floats, any number of channels, which are mixed.
    ///
    /// # Errors
    ///
    /// What is wrong with the file.
    pub fn read(path: &Path) -> Result<Recording, VoiceError> {
        let file = |reason: String| VoiceError::File { path: path.display().to_string(), reason };
        let mut reader = WavReader::open(path).map_err(|err| match err {
            hound::Error::IoError(err) => file(err.to_string()),
            err => file(format!("is no WAV file that can be read: {err}")),
        })?;
        let WavSpec { channels, sample_rate, bits_per_sample, sample_format } = reader.spec();
        if !(8_000..=192_000).contains(&sample_rate) || channels == 0 {
            return Err(file(format!(
                "has {sample_rate} Hz and {channels} channels: record 8000 to 192000 Hz"
            )));
        }
        if reader.duration() > LONGEST_S * sample_rate {
            return Err(file(format!("is longer than {} minutes: cut it", LONGEST_S / 60)));
        }
        let wide: Result<Vec<f32>, hound::Error> = match sample_format {
            SampleFormat::Float => reader.samples::<f32>().collect(),
            SampleFormat::Int => {
                let full = (1i64 << (bits_per_sample.clamp(1, 32) - 1)) as f32;
                reader.samples::<i32>().map(|s| s.map(|s| s as f32 / full)).collect()
            }
        };
        let wide = wide.map_err(|err| file(format!("ends in the middle or is damaged: {err}")))?;
        let channels = usize::from(channels);
        let samples = wide.chunks(channels).map(|frame| {
            let mixed = frame.iter().sum::<f32>() / channels as f32;
            (mixed * 32768.0).round().clamp(-32768.0, 32767.0) as i16
        });
        Ok(Recording { rate_hz: sample_rate, samples: samples.collect() })
    }

    /// Writes a WAV file, 16 bit mono.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), VoiceError> {
        let spec = WavSpec {
            channels: 1,
            sample_rate: self.rate_hz,
            bits_per_sample: 16,
            sample_format: SampleFormat::Int,
        };
        let write = || -> Result<(), hound::Error> {
            let mut writer = WavWriter::create(path, spec)?;
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

    /// Milliseconds.
    pub fn length_ms(&self) -> u64 {
        self.samples.len() as u64 * 1000 / u64::from(self.rate_hz.max(1))
    }
}
