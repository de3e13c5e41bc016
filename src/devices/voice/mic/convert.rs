//! What a device offers, what is taken of it, and any format to mono.

use cpal::{FromSample, Sample, SampleFormat};

use super::Wish;

/// One way in which a device can record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offer {
    pub(super) channels: u16,
    pub(super) rates_hz: (u32, u32),
    pub(super) format: SampleFormat,
}

/// Rates for speech when the wished one is not there: the recogniser takes these well.
const RATES_HZ: [u32; 6] = [48_000, 44_100, 32_000, 22_050, 96_000, 8_000];

/// Formats that can be read, the best first.
const FORMATS: [SampleFormat; 9] = [
    SampleFormat::I16,
    SampleFormat::I32,
    SampleFormat::I24,
    SampleFormat::F32,
    SampleFormat::F64,
    SampleFormat::U16,
    SampleFormat::U32,
    SampleFormat::U8,
    SampleFormat::I8,
];

/// The rate, number of channels and format to record with: the wished rate first, then the wished
/// channels or the next more, then the format. `None` if nothing can be read.
pub(super) fn choose(offers: &[Offer], wish: Wish) -> Option<(u32, u16, SampleFormat)> {
    let readable = || offers.iter().filter(|offer| FORMATS.contains(&offer.format));
    let offered = |rate: u32| readable().any(|offer| offer.has(rate));
    let rate_hz = std::iter::once(wish.rate_hz)
        .chain(RATES_HZ)
        .find(|rate| offered(*rate))
        .or_else(|| readable().map(|offer| offer.nearest(wish.rate_hz)).min())?;
    let best = readable().filter(|offer| offer.has(rate_hz)).min_by_key(|offer| {
        let more = match offer.channels >= wish.channels {
            true => offer.channels - wish.channels,
            false => u16::MAX,
        };
        let format = FORMATS.iter().position(|format| *format == offer.format);
        (more, offer.format != wish.format, format)
    })?;
    Some((rate_hz, best.channels, best.format))
}

impl Offer {
    fn has(&self, rate_hz: u32) -> bool {
        (self.rates_hz.0..=self.rates_hz.1).contains(&rate_hz)
    }

    fn nearest(&self, rate_hz: u32) -> u32 {
        rate_hz.max(self.rates_hz.0).min(self.rates_hz.1)
    }
}

/// The mean of the channels of each frame, 16 bit.
pub(super) fn mono<T: Sample>(data: &[T], channels: u16) -> impl Iterator<Item = i16>
where
    f64: FromSample<T>,
{
    let channels = usize::from(channels.max(1));
    data.chunks_exact(channels).map(move |frame| {
        let sum: f64 = frame.iter().map(|sample| f64::from_sample(*sample)).sum();
        // What is too large, or no number at all, ends at the borders or at 0.
        (sum / channels as f64 * 32_768.0).round() as i16
    })
}

#[cfg(test)]
mod tests {
    use cpal::I24;

    use super::*;

    fn offer(channels: u16, low: u32, high: u32, format: SampleFormat) -> Offer {
        Offer { channels, rates_hz: (low, high), format }
    }

    #[test]
    fn sixteen_kilohertz_mono_is_taken_where_it_is_offered() {
        use SampleFormat::{DsdU8, F32, I16, I24, I32, U8};
        let wish = Wish::default();
        let usb = [offer(1, 44_100, 44_100, I16), offer(1, 48_000, 48_000, I16)];
        assert_eq!(choose(&usb, wish), Some((48_000, 1, I16)));
        let any = [offer(2, 4_000, 192_000, I16), offer(1, 4_000, 192_000, F32)];
        assert_eq!(choose(&any, wish), Some((16_000, 1, F32)));
        let stereo = [offer(2, 16_000, 16_000, I32), offer(2, 16_000, 48_000, I24)];
        assert_eq!(choose(&stereo, wish), Some((16_000, 2, I32)));
        let strange = [offer(6, 11_025, 12_000, U8)];
        assert_eq!(choose(&strange, wish), Some((12_000, 6, U8)));
        assert_eq!(choose(&[offer(1, 16_000, 16_000, DsdU8)], wish), None);
        assert_eq!(choose(&[], wish), None);
        let wish = Wish { rate_hz: 44_100, channels: 2, format: F32 };
        let all = [
            offer(1, 4_000, 192_000, I16),
            offer(2, 4_000, 192_000, I16),
            offer(2, 4_000, 192_000, F32),
        ];
        assert_eq!(choose(&all, wish), Some((44_100, 2, F32)));
    }

    fn all<T: Sample>(data: &[T], channels: u16) -> Vec<i16>
    where
        f64: FromSample<T>,
    {
        mono(data, channels).collect()
    }

    #[test]
    fn every_format_becomes_sixteen_bits() {
        let every: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        assert_eq!(all(&every, 1), every, "16 bits stay as they are");
        assert_eq!(
            all(&[i32::MIN, -65_536, 0, 65_536, i32::MAX], 1),
            [i16::MIN, -1, 0, 1, i16::MAX]
        );
        assert_eq!(all(&[u16::MIN, 32_768, u16::MAX], 1), [i16::MIN, 0, i16::MAX]);
        assert_eq!(all(&[u8::MIN, 128, 192], 1), [i16::MIN, 0, 16_384]);
        assert_eq!(all(&[i8::MIN, 0, 64], 1), [i16::MIN, 0, 16_384]);
        assert_eq!(all(&[u32::MIN, 1 << 31, u32::MAX], 1), [i16::MIN, 0, i16::MAX]);
        assert_eq!(
            all(&[-1.0f32, 0.5, 1.0, 7.0, f32::NAN], 1),
            [i16::MIN, 16_384, i16::MAX, i16::MAX, 0]
        );
        assert_eq!(all(&[-1.0f64, f64::INFINITY], 1), [i16::MIN, i16::MAX]);
        let i24 = [I24::new(-1 << 23).expect("in range"), I24::new(1 << 22).expect("in range")];
        assert_eq!(all(&i24, 1), [i16::MIN, 16_384]);
    }

    #[test]
    fn channels_are_mixed_and_half_a_frame_is_left_out() {
        assert_eq!(all(&[100i16, 200, -100, 300, 7], 2), [150, 100]);
        assert_eq!(all(&[i16::MAX; 8], 4), [i16::MAX; 2]);
        assert_eq!(all(&[5i16, 6], 0), [5, 6]);
    }
}
