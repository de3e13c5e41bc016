//! Two test tones: one at the left, one at the right.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::Duration,
};

use cpal::{
    FromSample, SampleFormat, SizedSample, StreamConfig,
    traits::{DeviceTrait, StreamTrait},
};

use super::{
    VoiceError,
    opening::{device_error, failed, when_free},
    speaker,
};

/// Length of a tone and of the pause after it, milliseconds.
const TONE_MS: u32 = 350;
const PAUSE_MS: u32 = 150;
/// The right one is a fifth higher. Hertz.
const PITCHES_HZ: [f64; 2] = [440.0, 660.0];
/// Of full scale, at full volume.
const LOUDNESS: f64 = 0.3;
/// Swells and fades in so long, milliseconds: no click.
const SOFT_MS: f64 = 20.0;
/// A device that has not taken everything by then hangs.
const PATIENCE: Duration = Duration::from_secs(4);

/// Sounds both tones on a device, and waits until they have sounded.
///
/// # Errors
///
/// Why it cannot be used.
pub fn sound(name: &str, percent: u8) -> Result<(), VoiceError> {
    if name == "none" {
        return Ok(());
    }
    let _quiet = alsa::Output::local_error_handler();
    when_free(|| false, || sound_once(name, percent))
}

fn sound_once(name: &str, percent: u8) -> Result<(), VoiceError> {
    let device = speaker::find(name)?;
    let failed = |err: cpal::Error| failed(name, &err);
    let supported = device.default_output_config().map_err(failed)?;
    let config: StreamConfig = supported.config();
    let (done, over) = mpsc::sync_channel(1);
    let tones = Tones {
        rate_hz: config.sample_rate,
        channels: usize::from(config.channels).max(1),
        loudness: LOUDNESS * f64::from(percent.min(100)) / 100.0,
        at: 0,
        done,
    };
    let broken = Arc::new(AtomicBool::new(false));
    let device = Into { device: &device, config, tones, broken: Arc::clone(&broken) };
    let stream = match supported.sample_format() {
        SampleFormat::I16 => device.stream::<i16>(),
        SampleFormat::I32 => device.stream::<i32>(),
        SampleFormat::U8 => device.stream::<u8>(),
        SampleFormat::U16 => device.stream::<u16>(),
        SampleFormat::F64 => device.stream::<f64>(),
        _ => device.stream::<f32>(),
    };
    let stream = stream.map_err(failed)?;
    stream.play().map_err(failed)?;
    let ended = over.recv_timeout(PATIENCE);
    if ended.is_err() || broken.load(Ordering::SeqCst) {
        return Err(device_error(name, "it takes no sound"));
    }
    Ok(())
}

struct Into<'a> {
    device: &'a cpal::Device,
    config: StreamConfig,
    tones: Tones,
    broken: Arc<AtomicBool>,
}

impl Into<'_> {
    fn stream<T: SizedSample + FromSample<f32>>(self) -> Result<cpal::Stream, cpal::Error> {
        let Into { device, config, mut tones, broken } = self;
        device.build_output_stream(
            config,
            move |data: &mut [T], _: &cpal::OutputCallbackInfo| tones.fill(data),
            move |err: cpal::Error| {
                let goes_on = matches!(
                    err.kind(),
                    cpal::ErrorKind::Xrun
                        | cpal::ErrorKind::DeviceChanged
                        | cpal::ErrorKind::RealtimeDenied
                );
                broken.fetch_or(!goes_on, Ordering::SeqCst);
            },
            None,
        )
    }
}

#[derive(Debug)]
struct Tones {
    rate_hz: u32,
    channels: usize,
    loudness: f64,
    /// Frames so far.
    at: u64,
    done: mpsc::SyncSender<()>,
}

impl Tones {
    fn fill<T: SizedSample + FromSample<f32>>(&mut self, data: &mut [T]) {
        for frame in data.chunks_mut(self.channels) {
            let [left, right] = self.next();
            let both = left + right;
            for (n, sample) in frame.iter_mut().enumerate() {
                // A device with one channel has both tones on it, one with more than two on the first.
                let value = match (n, self.channels) {
                    (_, 1) => both,
                    (0, _) => left,
                    (1, _) => right,
                    _ => 0.0,
                };
                *sample = T::from_sample(value);
            }
        }
    }

    /// The next sample of the left and of the right.
    fn next(&mut self) -> [f32; 2] {
        let ms = self.at as f64 * 1000.0 / f64::from(self.rate_hz.max(1));
        self.at += 1;
        let length = f64::from(TONE_MS + PAUSE_MS);
        let mut both = [0.0, 0.0];
        let side = (ms / length) as usize;
        match (both.get_mut(side), PITCHES_HZ.get(side)) {
            (Some(value), Some(pitch)) => {
                let into = ms - side as f64 * length;
                let left = f64::from(TONE_MS) - into;
                let swell = (into.min(left) / SOFT_MS).clamp(0.0, 1.0);
                let wave = (into / 1000.0 * pitch * std::f64::consts::TAU).sin();
                *value = (wave * swell * self.loudness) as f32;
            }
            _ => {
                // Told once; who does not wait any more does not want to know.
                let _ = self.done.try_send(());
            }
        }
        both
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(channels: usize) -> Vec<Vec<f32>> {
        let (done, over) = mpsc::sync_channel(1);
        let mut tones = Tones { rate_hz: 8000, channels, loudness: 0.3, at: 0, done };
        let mut data = vec![9.0f32; 8100 * channels];
        tones.fill(&mut data);
        assert_eq!(over.try_recv(), Ok(()));
        (0..channels).map(|n| data.iter().skip(n).step_by(channels).copied().collect()).collect()
    }

    fn loud(samples: &[f32]) -> bool {
        samples.iter().any(|sample| sample.abs() > 0.2)
    }

    fn silent(samples: &[f32]) -> bool {
        samples.iter().all(|sample| sample.abs() < 1e-6)
    }

    #[test]
    fn first_the_left_then_the_right() {
        let sides = played(2);
        assert!(loud(&sides[0][..2800]) && silent(&sides[1][..2800]));
        assert!(silent(&sides[0][2800..]) && silent(&sides[1][2800..4000]));
        assert!(loud(&sides[1][4000..6800]) && silent(&sides[1][6800..]));
        let steps = sides[0].windows(2).map(|pair| (pair[1] - pair[0]).abs());
        assert!(steps.fold(0.0, f32::max) < 0.15, "it clicks");
    }

    #[test]
    fn one_channel_has_both() {
        let sides = played(1);
        assert!(loud(&sides[0][..2800]) && loud(&sides[0][4000..6800]));
        let sides = played(6);
        assert!(silent(&sides[2]) && silent(&sides[5]));
    }
}
