//! The words that were missed, from one day to the next: a file beside the journal, a word a line.

use std::{fs, io, path::Path};

use annabella_core::outside;

use super::lesson::Tally;

/// The file's name.
pub(super) const FILE: &str = "practice.txt";
/// More words than this help nobody.
const MOST: usize = 40;
/// No word is longer, characters.
const LONGEST: usize = 40;
/// No such file is longer, bytes.
const LONGEST_FILE: u64 = 64 * 1024;

/// The words of the file; none where there is no such file.
///
/// # Errors
/// It is there and cannot be read, or is no such list.
pub(super) fn read(path: &Path) -> io::Result<Vec<String>> {
    let bytes = match fs::metadata(path) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(err) => return Err(err),
        Ok(about) if !about.is_file() || about.len() > LONGEST_FILE => {
            return Err(io::Error::other("it is no list of words"));
        }
        Ok(_) => fs::read(path)?,
    };
    Ok(words(&outside::text(&bytes)))
}

fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for line in outside::lines(text).map(str::trim) {
        let is_word = !line.is_empty() && line.chars().count() <= LONGEST;
        if is_word && words.len() < MOST && !words.iter().any(|known| known == line) {
            words.push(line.to_owned());
        }
    }
    words
}

/// What is to be practised tomorrow: what was missed today, most often first, then what was missed
/// before and not said rightly today.
pub(super) fn tomorrow(before: &[String], today: &Tally) -> Vec<String> {
    let mut words = today.weak();
    let still = before.iter().filter(|word| !today.known.contains(word));
    let still: Vec<String> = still.filter(|word| !words.contains(word)).cloned().collect();
    words.extend(still);
    words.truncate(MOST);
    words
}

/// Writes the list; a file that would be empty and is not there is not made.
///
/// # Errors
/// It cannot be written.
pub(super) fn write(path: &Path, words: &[String]) -> io::Result<()> {
    if words.is_empty() && !path.exists() {
        return Ok(());
    }
    let lines: String = words.iter().map(|word| format!("{word}\n")).collect();
    annabella_records::whole::write(path, lines, None)
}
