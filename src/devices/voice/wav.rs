//! WAV files as programs write them: put into the plain form that the crate `hound` reads.
//!
//! A chunk of odd length has a byte behind it that belongs to nobody; some programs leave it out. A
//! program that writes into a pipe does not know the length when it writes the header: zero, all
//! ones or any length beyond the file mean up to its end.
//!
//! Source: Multimedia Programming Interface and Data Specifications 1.0 (RIFF); EBU Tech 3306
//! (RF64)

/// No file is larger, bytes: ten minutes of eight channels at 192 kHz with 32 bits are.
pub(super) const LARGEST: u64 = 512 * 1_024 * 1_024;

/// Length of the header's first part: `RIFF`, a length, `WAVE`.
const HEAD: usize = 12;

/// The same sound with one format and one block of samples, both of right length. `None`: it is no
/// WAV file, or lacks one of them.
pub(super) fn plain(bytes: &[u8]) -> Option<Vec<u8>> {
    let known = [b"RIFF", b"RF64", b"BW64"].iter().any(|id| bytes.starts_with(*id));
    if !known || bytes.get(8..HEAD)? != b"WAVE" {
        return None;
    }
    let mut format = None;
    let mut at = HEAD;
    while let Some((id, length)) = chunk(bytes, at) {
        let begin = at + 8;
        let end = begin.saturating_add(length).min(bytes.len());
        match id {
            b"fmt " => format = Some(&bytes[begin..end]),
            b"data" => {
                let streamed = length == 0 || begin.saturating_add(length) > bytes.len();
                let end = if streamed { bytes.len() } else { end };
                return Some(written(format?, &bytes[begin..end]));
            }
            _ => {}
        }
        at = next(bytes, begin.saturating_add(length));
    }
    None
}

/// The name and length of the chunk at this place.
fn chunk(bytes: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let head = bytes.get(at..at.checked_add(8)?)?;
    let length = u32::from_le_bytes(head[4..8].try_into().ok()?);
    Some((&head[..4], usize::try_from(length).ok()?))
}

/// Where the chunk behind this end begins: on an even place, unless a name stands only at the odd
/// one.
fn next(bytes: &[u8], end: usize) -> usize {
    let is_name = |at: usize| {
        bytes.get(at..at.saturating_add(4)).is_some_and(|name| {
            name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b' ')
        })
    };
    let even = end.saturating_add(end % 2);
    if !is_name(even) && is_name(end) { end } else { even }
}

/// A file of this format and these samples; of a last frame that is cut off nothing stays.
fn written(format: &[u8], samples: &[u8]) -> Vec<u8> {
    let frame =
        format.get(12..14).map_or(1, |size| usize::from(u16::from_le_bytes([size[0], size[1]])));
    let whole = samples.len() - samples.len() % frame.max(1);
    // Both are shorter than the file, which is bounded.
    let length = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes();
    let padded = format.len() + format.len() % 2;
    let mut file = Vec::with_capacity(whole + padded + 28);
    file.extend_from_slice(b"RIFF");
    file.extend_from_slice(&length(4 + 8 + padded + 8 + whole));
    file.extend_from_slice(b"WAVEfmt ");
    file.extend_from_slice(&length(padded));
    file.extend_from_slice(format);
    file.resize(file.len() + padded - format.len(), 0);
    file.extend_from_slice(b"data");
    file.extend_from_slice(&length(whole));
    file.extend_from_slice(&samples[..whole]);
    file
}

#[cfg(test)]
mod tests {
    use crate::voice::Pcm;

    /// A quarter of a second as an extensible format may describe it: mono, 16 bits.
    fn samples(rate_hz: u32) -> Vec<u8> {
        (0..rate_hz / 4).flat_map(|n| ((n % 200) as i16 * 100).to_le_bytes()).collect()
    }

    fn format(rate_hz: u32, extensible: bool) -> Vec<u8> {
        let mut format = vec![1, 0, 1, 0];
        format.extend(rate_hz.to_le_bytes());
        format.extend((2 * rate_hz).to_le_bytes());
        format.extend([2, 0, 16, 0]);
        if extensible {
            format[0..2].copy_from_slice(&[0xfe, 0xff]);
            format.extend([22, 0, 16, 0, 4, 0, 0, 0, 1, 0]);
            format.extend([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]);
        }
        format
    }

    /// A file of these chunks: name, the length that is written, the bytes behind it.
    fn file(id: &[u8], riff: u32, chunks: &[(&[u8], u32, Vec<u8>)]) -> Vec<u8> {
        let mut file = [id, &riff.to_le_bytes(), b"WAVE"].concat();
        for (name, length, bytes) in chunks {
            file.extend_from_slice(name);
            file.extend_from_slice(&length.to_le_bytes());
            file.extend_from_slice(bytes);
        }
        file
    }

    #[test]
    fn files_of_every_program_give_the_same_sound() {
        let (fmt, data) = (format(16_000, false), samples(16_000));
        let wide = format(16_000, true);
        let (f, d) = (fmt.len() as u32, data.len() as u32);
        let plain = (&b"fmt "[..], f, fmt.clone());
        let whole = (&b"data"[..], d, data.clone());
        let with = |chunks: &[(&[u8], u32, Vec<u8>)]| file(b"RIFF", 36 + d, chunks);
        let list = |length: u32, padded: bool| {
            (&b"LIST"[..], length, vec![b'x'; length as usize + usize::from(padded)])
        };
        let streamed = |length: u32| with(&[plain.clone(), (b"data", length, data.clone())]);
        for (name, bytes) in [
            ("plain", with(&[plain.clone(), whole.clone()])),
            (
                "a chunk of odd length, padded",
                with(&[plain.clone(), list(25, true), whole.clone()]),
            ),
            ("the same without its byte", with(&[plain.clone(), list(25, false), whole.clone()])),
            (
                "an odd chunk before the format",
                with(&[list(7, true), plain.clone(), whole.clone()]),
            ),
            ("arecord into a pipe", streamed(0x7fff_ff00)),
            ("sox and ffmpeg into a pipe", streamed(u32::MAX)),
            ("a length of zero", streamed(0)),
            ("a length beyond the end", streamed(d + 1_000)),
            ("extensible", with(&[(b"fmt ", 40, wide), whole.clone()])),
            ("a chunk behind the samples", with(&[plain.clone(), whole.clone(), list(9, true)])),
            (
                "RF64",
                file(
                    b"RF64",
                    u32::MAX,
                    &[(b"ds64", 28, vec![0; 28]), plain.clone(), (b"data", u32::MAX, data.clone())],
                ),
            ),
            ("a wrong length of the whole", file(b"RIFF", 0, &[plain.clone(), whole.clone()])),
        ] {
            let sound = Pcm::from_wav(&bytes[..]).unwrap_or_else(|err| panic!("{name}: {err}"));
            assert_eq!((sound.rate_hz, sound.samples.len()), (16_000, 4_000), "{name}");
            assert_eq!(sound.samples[..3], [0, 100, 200], "{name}");
        }
    }

    #[test]
    fn every_rate_is_read() {
        for rate_hz in [
            4_000, 6_000, 8_000, 11_025, 12_000, 16_000, 22_050, 32_000, 44_100, 47_999, 48_000,
            88_200, 96_000, 192_000, 384_000,
        ] {
            let data = samples(rate_hz);
            let chunks = [
                (&b"fmt "[..], 16, format(rate_hz, false)),
                (&b"data"[..], data.len() as u32, data),
            ];
            let sound = Pcm::from_wav(&file(b"RIFF", 0, &chunks)[..]).expect("a sound");
            assert_eq!((sound.rate_hz, sound.samples.len()), (rate_hz, rate_hz as usize / 4));
            assert!((248..=250).contains(&sound.resampled(16_000).length_ms()), "{rate_hz}");
        }
    }

    #[test]
    fn what_is_no_sound_is_refused_in_one_line() {
        let fmt = format(16_000, false);
        for (bytes, why) in [
            (b"".to_vec(), "is no WAV file"),
            (b"RIFFnonsense".to_vec(), "is no WAV file"),
            (b"OggS0000WAVE".to_vec(), "is no WAV file"),
            (file(b"RIFF", 0, &[(b"fmt ", 16, fmt)]), "is no WAV file"),
            (file(b"RIFF", 0, &[(b"data", 2, vec![0, 0])]), "is no WAV file"),
        ] {
            let err = Pcm::from_wav(&bytes[..]).expect_err("no sound");
            assert!(err.contains(why) && !err.contains('\n'), "{err}");
        }
    }
}
