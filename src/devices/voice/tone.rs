//! Two test tones: one at the left, one at the right.

/// Length of a tone and of the pause after it, milliseconds.
const TONE_MS: u32 = 350;
const PAUSE_MS: u32 = 150;
/// The right one is a fifth higher. Hertz.
const PITCHES_HZ: [f64; 2] = [440.0, 660.0];
/// Of full scale, at full volume.
const LOUDNESS: f64 = 0.3;
/// The time of fading in and out, milliseconds, against clicks.
const SOFT_MS: f64 = 20.0;

/// Both tones, each with its pause: the second begins in the middle.
pub(super) fn tones(rate_hz: u32) -> Vec<i16> {
    PITCHES_HZ.into_iter().flat_map(|pitch_hz| tone(pitch_hz, rate_hz)).collect()
}

fn tone(pitch_hz: f64, rate_hz: u32) -> impl Iterator<Item = i16> {
    let samples = u64::from(TONE_MS + PAUSE_MS) * u64::from(rate_hz) / 1000;
    (0..samples).map(move |n| {
        let seconds = n as f64 / f64::from(rate_hz);
        let (into, left) = (seconds * 1000.0, f64::from(TONE_MS) - seconds * 1000.0);
        let swell = (into.min(left) / SOFT_MS).clamp(0.0, 1.0);
        let wave = (seconds * pitch_hz * std::f64::consts::TAU).sin();
        (wave * swell * LOUDNESS * f64::from(i16::MAX)) as i16
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tone_and_a_pause_then_a_higher_one() {
        let tones = tones(8000);
        assert_eq!(tones.len(), 8000);
        let waves = |part: &[i16]| part.windows(2).filter(|two| two[0] < 0 && two[1] >= 0).count();
        let (left, right) = tones.split_at(4000);
        for (side, pitch_hz) in [(left, 440), (right, 660)] {
            let (tone, pause) = side.split_at(2800);
            assert!(tone.iter().any(|sample| *sample > 9000) && pause.iter().all(|n| *n == 0));
            assert!(waves(tone).abs_diff(pitch_hz * 350 / 1000) <= 2, "{}", waves(tone));
        }
        let steps = tones.windows(2).map(|two| two[0].abs_diff(two[1]));
        assert!(steps.max() < Some(5500), "it clicks");
    }
}
