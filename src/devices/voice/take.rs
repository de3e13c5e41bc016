//! Whether a recording of one word or sentence is as it should be.
//!
//! Pure but for [`is_plain`]: samples in, a fault out.

use std::path::Path;

use annabella_core::donate::TakeFault;

use super::{
    Pcm, VoiceError,
    endpoint::level_dbfs,
    meter::{CLIPPING_SHARE, FULL_SCALE, QUIET_DBFS},
};

/// What recordings of people are kept as: samples a second.
pub const RATE_HZ: u32 = 16_000;
/// A shorter sound is a cough, with the quiet around it, milliseconds.
const SHORTEST_MS: u64 = 500;
/// So much at each end must not be speech, milliseconds.
const EDGE_MS: u32 = 30;
/// Speech stands so far above the room, and is so near to the loudest of its own, decibels.
const ABOVE_ROOM_DB: f32 = 9.0;
const BELOW_OWN_DB: f32 = 12.0;

/// The fault of a recording, if it has one.
pub fn fault(sound: &Pcm) -> Option<TakeFault> {
    if sound.length_ms() < SHORTEST_MS {
        return Some(TakeFault::TooShort);
    }
    let frame = (sound.rate_hz as usize / 100).max(1);
    let levels: Vec<f32> = sound.samples.chunks_exact(frame).map(level_dbfs).collect();
    let mut sorted = levels.clone();
    sorted.sort_by(f32::total_cmp);
    let at = |share: usize| sorted.get(sorted.len() * share / 100).copied().unwrap_or(f32::MIN);
    // A word of a third of a second has twice as much quiet around it.
    let (room, speech) = (at(10), at(85));
    let clipped = sound.samples.iter().filter(|sample| sample.unsigned_abs() >= FULL_SCALE);
    if clipped.count() as f64 > CLIPPING_SHARE * sound.samples.len() as f64 {
        return Some(TakeFault::Clipped);
    }
    if f64::from(speech) < QUIET_DBFS {
        return Some(TakeFault::TooQuiet);
    }
    let edge = (EDGE_MS / 10) as usize;
    let loud = |level: &f32| *level > room + ABOVE_ROOM_DB && *level > speech - BELOW_OWN_DB;
    let mut ends = levels.iter().take(edge).chain(levels.iter().rev().take(edge));
    ends.any(loud).then_some(TakeFault::Cut)
}

/// Whether a WAV file has one channel of 16 bits at [`RATE_HZ`].
///
/// # Errors
/// [`VoiceError::File`] where it cannot be read.
pub fn is_plain(path: &Path) -> Result<bool, VoiceError> {
    let reader = hound::WavReader::open(path).map_err(|err| VoiceError::File {
        path: path.display().to_string(),
        reason: err.to_string(),
    })?;
    let spec = reader.spec();
    let shape = (spec.channels, spec.bits_per_sample, spec.sample_rate);
    Ok(shape == (1, 16, RATE_HZ) && spec.sample_format == hound::SampleFormat::Int)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quiet, a tone of this amplitude (0 to 1, more is cut off), quiet; milliseconds each.
    fn sound(before: u32, tone: u32, after: u32, amplitude: f64) -> Pcm {
        let noise = |n: u32| f64::from((n.wrapping_mul(7919) % 41).cast_signed() - 20);
        let samples = (0..(before + tone + after) * 16).map(|n| {
            let spoken = (before * 16..(before + tone) * 16).contains(&n);
            let wave = (f64::from(n) / 16_000.0 * 220.0 * std::f64::consts::TAU).sin();
            let value = if spoken { wave * amplitude * 32_767.0 } else { 0.0 };
            (value + noise(n)).clamp(-32_768.0, 32_767.0) as i16
        });
        Pcm { rate_hz: RATE_HZ, samples: samples.collect() }
    }

    #[test]
    fn each_fault_is_found_and_a_good_take_has_none() {
        for (take, wanted) in [
            (sound(300, 350, 450, 0.2), None),
            (sound(300, 2500, 450, 0.2), None),
            (sound(100, 200, 100, 0.2), Some(TakeFault::TooShort)),
            (sound(300, 350, 450, 0.005), Some(TakeFault::TooQuiet)),
            (sound(300, 350, 450, 1.3), Some(TakeFault::Clipped)),
            (sound(0, 350, 450, 0.2), Some(TakeFault::Cut)),
            (sound(300, 350, 0, 0.2), Some(TakeFault::Cut)),
            (sound(600, 0, 600, 0.0), Some(TakeFault::TooQuiet)),
        ] {
            assert_eq!(fault(&take), wanted, "{} ms", take.length_ms());
        }
    }

    #[test]
    fn only_one_channel_of_sixteen_bits_at_sixteen_kilohertz_is_plain() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.wav");
        let take = sound(300, 350, 450, 0.2);
        take.write_wav(&path).expect("written");
        assert_eq!(is_plain(&path), Ok(true));
        take.resampled(48_000).write_wav(&path).expect("written");
        assert_eq!(is_plain(&path), Ok(false));
        std::fs::write(&path, "no sound").expect("written");
        assert!(is_plain(&path).expect_err("no WAV").to_string().contains("a.wav"));
    }
}
