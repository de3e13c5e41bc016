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

/// How a file is written, so that what goes back to its program is written so too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    encoding: &'static Encoding,
    mark: bool,
    line_end: &'static str,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner { encoding: UTF_8, mark: false, line_end: "\n" }
    }
}

impl Manner {
    /// The manner of a file; the line end is that of its first line.
    pub fn of(bytes: &[u8]) -> Manner {
        let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
        let encoding = marked.unwrap_or_else(|| unmarked(bytes));
        let text = text(bytes);
        let line_end = match text.find(['\r', '\n']) {
            Some(end) if text[end..].starts_with("\r\n") => "\r\n",
            Some(end) if text[end..].starts_with('\r') => "\r",
            _ => "\n",
        };
        Manner { encoding, mark: marked.is_some(), line_end }
    }

    /// A text whose lines end in LF, as bytes in this manner. A letter that the encoding lacks
    /// becomes a question mark.
    ///
    /// ```
    /// use annabella_core::outside::Manner;
    ///
    /// let file = b"M\xfcller\r\n";
    /// assert_eq!(Manner::of(file).bytes("Müller\n"), file);
    /// ```
    pub fn bytes(self, text: &str) -> Vec<u8> {
        let marked = if self.mark { format!("\u{feff}{text}") } else { text.to_owned() };
        let text = marked.replace('\n', self.line_end);
        if self.encoding == UTF_16LE {
            text.encode_utf16().flat_map(u16::to_le_bytes).collect()
        } else if self.encoding == UTF_16BE {
            text.encode_utf16().flat_map(u16::to_be_bytes).collect()
        } else if self.encoding == UTF_8 {
            text.into_bytes()
        } else {
            let known = |c: char| !self.encoding.encode(c.encode_utf8(&mut [0; 4])).2;
            let text: String = text.chars().map(|c| if known(c) { c } else { '?' }).collect();
            self.encoding.encode(&text).0.into_owned()
        }
    }
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
