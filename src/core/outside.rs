//! Texts from outside: files of other programs, in the encodings and with the line ends they have.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// A file's text. A byte-order mark says how it is written. Without one it is UTF-8; where it is no
/// UTF-8, UTF-16 if every other byte is zero, else Windows-1252, of which Latin-1 is a part. The
/// mark itself is not part of the text. What cannot be read becomes U+FFFD.
///
/// ```
/// use annabella_core::outside::text;
///
/// assert_eq!(text(b"M\xfcller"), "Müller");
/// assert_eq!(text(b"\xff\xfeM\0\xfc\0"), "Mü");
/// ```
pub fn text(bytes: &[u8]) -> String {
    let encoding = match Encoding::for_bom(bytes) {
        Some((marked, _)) => marked,
        None => unmarked(bytes),
    };
    encoding.decode_with_bom_removal(bytes).0.into_owned()
}

fn unmarked(bytes: &[u8]) -> &'static Encoding {
    let begin = &bytes[..bytes.len().min(512)];
    let zeros = |odd: usize| begin.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    let most = begin.len() / 2;
    // Three of four characters of a table with Western heads are ASCII.
    if most > 1 && zeros(1) * 4 > most * 3 {
        UTF_16LE
    } else if most > 1 && zeros(0) * 4 > most * 3 {
        UTF_16BE
    } else if std::str::from_utf8(bytes).is_ok() {
        UTF_8
    } else {
        WINDOWS_1252
    }
}

/// The lines of a text that end in LF, CR LF or CR alone, without their ends.
///
/// ```
/// use annabella_core::outside::lines;
///
/// assert_eq!(lines("a\rb\r\nc\n\nd").collect::<Vec<_>>(), ["a", "b", "c", "", "d"]);
/// ```
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text).filter(|text| !text.is_empty());
    std::iter::from_fn(move || {
        let here = rest?;
        let Some(end) = here.find(['\r', '\n']) else {
            rest = None;
            return Some(here);
        };
        let (line, after) = here.split_at(end);
        let after = after.strip_prefix("\r\n").unwrap_or_else(|| &after[1..]);
        rest = Some(after).filter(|after| !after.is_empty());
        Some(line)
    })
}
