//! What a recogniser hears that is no word.

/// A recogniser's marks for foreign sounds.
#[inline]
pub(super) fn is_noise(word: &str) -> bool {
    word.starts_with(['[', '<'])
}

/// A text without what is no word at its beginning and end.
#[inline]
pub(super) fn without_noise_around(mut text: &str) -> &str {
    text = text.trim();
    while let Some((_, rest)) = text.split_once(' ').filter(|(first, _)| is_noise(first)) {
        text = rest.trim_start();
    }
    while let Some((rest, _)) = text.rsplit_once(' ').filter(|(_, last)| is_noise(last)) {
        text = rest.trim_end();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_taken_from_both_ends_only() {
        for (text, left) in [
            ("[unk] [unk] springer eva vier [unk]", "springer eva vier"),
            ("springer [unk] vier", "springer [unk] vier"),
            ("[unk]", "[unk]"),
            ("<noise> dame", "dame"),
            ("", ""),
        ] {
            assert_eq!(without_noise_around(text), left, "{text}");
        }
    }
}
