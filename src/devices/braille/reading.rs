//! What stands under the fingers: the newest text at once, in pages as wide as the display, and the
//! texts before it a key away.

use std::collections::VecDeque;

use super::packets::{DisplayKey, DisplaySize};

/// Texts that can be gone back to.
const MOST_TEXTS: usize = 200;
/// Cells that a page has at most: the largest display has 40 by 9.
const MOST_CELLS: usize = 800;

/// The texts of a game and the place in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FingerReading {
    texts: VecDeque<Text>,
    /// The text shown, counted from the newest.
    back: usize,
    page: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Text {
    text: String,
    /// Gone with the next text.
    fleeting: bool,
}

/// A page, as many characters as the display has cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The characters, row after row.
    pub text: String,
    /// More of the same text follows.
    pub goes_on: bool,
}

impl FingerReading {
    /// A new text, shown at once. `fleeting`: nobody can go back to it.
    pub fn show(&mut self, text: &str, fleeting: bool) {
        self.texts.retain(|text| !text.fleeting);
        let text = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.texts.push_front(Text { text, fleeting });
        self.texts.truncate(MOST_TEXTS);
        (self.back, self.page) = (0, 0);
    }

    /// More words belong to the newest text, which is this now. It is shown from its beginning.
    pub fn amend(&mut self, text: &str, fleeting: bool) {
        self.texts.pop_front();
        self.show(text, fleeting);
    }

    /// A key was pressed.
    pub fn press(&mut self, key: DisplayKey, size: DisplaySize) {
        let pages = self.pages(size).len();
        let older = self.back + 1 < self.texts.len();
        match key {
            DisplayKey::Right if self.page + 1 < pages => self.page += 1,
            DisplayKey::Right | DisplayKey::Down if self.back > 0 => {
                (self.back, self.page) = (self.back - 1, 0);
            }
            DisplayKey::Left if self.page > 0 => self.page = self.page.min(pages) - 1,
            DisplayKey::Left if older => {
                self.back += 1;
                self.page = self.pages(size).len().saturating_sub(1);
            }
            DisplayKey::Up if older => (self.back, self.page) = (self.back + 1, 0),
            DisplayKey::Up => self.page = 0,
            DisplayKey::Right | DisplayKey::Left | DisplayKey::Down => {}
            DisplayKey::Route => (self.back, self.page) = (0, 0),
        }
    }

    /// The page under the fingers; `None` without cells.
    pub fn page(&self, size: DisplaySize) -> Option<Page> {
        let (columns, rows) = cells(size)?;
        let mut pages = self.pages(size);
        // A wider display has fewer pages.
        let at = self.page.min(pages.len().saturating_sub(1));
        let goes_on = at + 1 < pages.len();
        let mut lines = if pages.is_empty() { Vec::new() } else { pages.swap_remove(at) };
        lines.resize(rows, String::new());
        let text = lines.iter().map(|line| format!("{line:<columns$}")).collect();
        Some(Page { text, goes_on })
    }

    /// The pages of the text shown.
    fn pages(&self, size: DisplaySize) -> Vec<Vec<String>> {
        let (Some((columns, rows)), Some(text)) = (cells(size), self.texts.get(self.back)) else {
            return Vec::new();
        };
        wrap(&text.text, columns).chunks(rows).map(<[String]>::to_vec).collect()
    }
}

/// Columns and rows that are used.
fn cells(size: DisplaySize) -> Option<(usize, usize)> {
    let used = |number: u32| usize::try_from(number).unwrap_or(MOST_CELLS).min(MOST_CELLS);
    let columns = used(size.columns);
    let rows = used(size.rows).min(MOST_CELLS / columns.max(1));
    (columns > 0 && rows > 0).then_some((columns, rows))
}

/// Lines of so many characters, broken between words, and within a word that is longer.
fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut line, mut length) = (String::new(), 0);
    for word in text.split_whitespace() {
        let mut rest: Vec<char> = word.chars().collect();
        if length > 0 && length + 1 + rest.len() <= columns {
            line.push(' ');
            length += 1;
        } else if length > 0 {
            lines.push(std::mem::take(&mut line));
            length = 0;
        }
        while rest.len() > columns {
            lines.push(rest.drain(..columns).collect());
        }
        length += rest.len();
        line.extend(rest);
    }
    if length > 0 {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TWENTY: DisplaySize = DisplaySize { columns: 20, rows: 1 };

    fn under_the_fingers(reading: &FingerReading) -> (String, bool) {
        let page = reading.page(TWENTY).expect("cells");
        assert_eq!(page.text.chars().count(), 20);
        (page.text.trim_end().to_owned(), page.goes_on)
    }

    #[test]
    fn long_texts_are_paged_and_older_ones_are_a_key_away() {
        let mut reading = FingerReading::default();
        assert_eq!(under_the_fingers(&reading), (String::new(), false));
        reading.show("Bauer e7 e5", false);
        assert_eq!(under_the_fingers(&reading), ("Bauer e7 e5".to_owned(), false));
        reading.show("Springer g1 schlägt f3, Schach", false);
        use DisplayKey::{Down, Left, Right, Route, Up};
        let (first, second) = (("Springer g1 schlägt", true), ("f3, Schach", false));
        let before = ("Bauer e7 e5", false);
        for (key, page) in [
            (Route, first),
            (Right, second),
            (Right, second),
            (Left, first),
            (Left, before),
            (Left, before),
            (Down, first),
            (Up, before),
            (Right, first),
            (Right, second),
            (Up, before),
            (Route, first),
        ] {
            reading.press(key, TWENTY);
            assert_eq!(under_the_fingers(&reading), (page.0.to_owned(), page.1), "{key:?}");
        }
    }

    #[test]
    fn nobody_goes_back_to_a_fleeting_text() {
        let mut reading = FingerReading::default();
        reading.show("Bauer e7 e5", false);
        reading.show("Code: 1234", true);
        assert_eq!(under_the_fingers(&reading).0, "Code: 1234");
        reading.show("Gut.", false);
        reading.press(DisplayKey::Up, TWENTY);
        assert_eq!(under_the_fingers(&reading).0, "Bauer e7 e5");
    }

    proptest! {
        #[test]
        fn every_page_fills_the_display_and_no_letter_is_lost(
            text in "\\PC{0,120}", columns in 1u32..90, rows in 1u32..4,
        ) {
            let size = DisplaySize { columns, rows };
            let mut reading = FingerReading::default();
            reading.show(&text, false);
            let mut read = String::new();
            loop {
                let page = reading.page(size).expect("cells");
                prop_assert_eq!(page.text.chars().count(), (columns * rows) as usize);
                read.push_str(&page.text);
                if !page.goes_on {
                    break;
                }
                reading.press(DisplayKey::Right, size);
            }
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(letters(&read), letters(&text));
        }
    }
}
