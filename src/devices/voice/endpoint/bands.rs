//! Loudness in four bands: a voice stands out in some of them where a noise is as loud over all.
//!
//! A hiss has most of its power above a voice, a rumble below; a vowel has nearly all of its own in
//! one or two of these bands.

/// The bands' limits, hertz. Source: the first two resonances of German vowels lie from 250 to 2300
/// Hz.
const BANDS_HZ: [(f32, f32); COUNT] =
    [(100.0, 400.0), (400.0, 900.0), (900.0, 1800.0), (1800.0, 3500.0)];

/// How many bands there are.
pub(super) const COUNT: usize = 4;

/// Splits samples into the bands.
#[derive(Clone, Debug)]
pub(super) struct Bands {
    /// Two filters in a row for each band, so that distant frequencies hardly count.
    filters: [[BandPass; 2]; COUNT],
    /// Mean squares of the last frame.
    last: [f32; COUNT],
}

impl Bands {
    /// For samples at this rate.
    pub(super) fn new(rate_hz: u32) -> Bands {
        let filters = BANDS_HZ.map(|(low, high)| [BandPass::new(rate_hz, low, high); 2]);
        Bands { filters, last: [0.0; COUNT] }
    }

    /// How loud each band is in this frame and the one before it, dBFS: one frame of a narrow band
    /// fluctuates.
    pub(super) fn levels_dbfs(&mut self, frame: &[i16]) -> [f32; COUNT] {
        let mut levels = [0.0; COUNT];
        for ((filters, last), level) in self.filters.iter_mut().zip(&mut self.last).zip(&mut levels)
        {
            let [first, second] = filters;
            let sum: f32 = frame
                .iter()
                .map(|sample| second.pass(first.pass(f32::from(*sample) / 32768.0)).powi(2))
                .sum();
            let power = sum / frame.len().max(1) as f32;
            *level = super::dbfs((power + *last) / 2.0);
            *last = power;
        }
        levels
    }
}

/// A resonance.
///
/// Source: R. Bristow-Johnson, "Cookbook formulae for audio equalizer biquad filter coefficients",
/// BPF with a peak of 0 dB
#[derive(Clone, Copy, Debug)]
struct BandPass {
    gain: f32,
    feedback: [f32; 2],
    inputs: [f32; 2],
    outputs: [f32; 2],
}

impl BandPass {
    fn new(rate_hz: u32, low_hz: f32, high_hz: f32) -> BandPass {
        let centre_hz = (low_hz * high_hz).sqrt();
        let angle = std::f32::consts::TAU * centre_hz / rate_hz as f32;
        let alpha = angle.sin() / 2.0 * (high_hz - low_hz) / centre_hz;
        BandPass {
            gain: alpha / (1.0 + alpha),
            feedback: [-2.0 * angle.cos() / (1.0 + alpha), (1.0 - alpha) / (1.0 + alpha)],
            inputs: [0.0; 2],
            outputs: [0.0; 2],
        }
    }

    fn pass(&mut self, input: f32) -> f32 {
        let output = self.gain * (input - self.inputs[1])
            - self.feedback[0] * self.outputs[0]
            - self.feedback[1] * self.outputs[1];
        self.inputs = [input, self.inputs[0]];
        self.outputs = [output, self.outputs[0]];
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tone_is_loud_in_its_own_band() {
        for rate_hz in [8_000, 16_000, 48_000] {
            for (n, (low, high)) in BANDS_HZ.into_iter().enumerate() {
                let hz = (low * high).sqrt();
                let step = std::f32::consts::TAU * hz / rate_hz as f32;
                let tone: Vec<i16> =
                    (0..rate_hz / 2).map(|k| ((k as f32 * step).sin() * 20_000.0) as i16).collect();
                let mut bands = Bands::new(rate_hz);
                let mut levels = [0.0; COUNT];
                for frame in tone.chunks(rate_hz as usize / 100) {
                    levels = bands.levels_dbfs(frame);
                }
                // A sine of 20000 of 32768 has -7.3 dBFS.
                assert!((levels[n] + 7.3).abs() < 1.0, "{hz} Hz at {rate_hz}: {levels:?}");
                let others = (0..COUNT).filter(|k| *k != n).map(|k| levels[k]);
                assert!(others.fold(f32::MIN, f32::max) < levels[n] - 6.0, "{hz} Hz: {levels:?}");
            }
        }
    }
}
