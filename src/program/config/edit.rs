//! Changing keys of a configuration file, comments and order kept.

use std::{ffi::OsString, fs, io, os::unix::fs::PermissionsExt as _, path::Path};

use toml_edit::{DocumentMut, Item, RawString, Table, Value};

use super::Config;
use annabella_records::whole;
use annabella_words::text::unix_lines;

/// The text with these keys of one section set. The rest stays as it is. A missing section is
/// added, and a missing key brings its comment from [`Config::example`].
///
/// # Errors
/// One line, when the text is no configuration.
pub fn set(text: &str, section: &str, values: Vec<(&str, Value)>) -> Result<String, String> {
    let mut document: DocumentMut = unix_lines(text)
        .parse()
        .map_err(|err: toml_edit::TomlError| err.message().replace('\n', "; "))?;
    let table = document.entry(section).or_insert_with(|| Item::Table(Table::new()));
    let Some(table) = table.as_table_like_mut() else {
        return Err(format!("'{section}' is no section; write [{section}]"));
    };
    for (key, value) in values {
        match table.get_mut(key).and_then(Item::as_value_mut) {
            // The remark behind a value stays where it is.
            Some(old) => {
                let decor = old.decor().clone();
                *old = value;
                *old.decor_mut() = decor;
            }
            None => {
                table.insert(key, Item::Value(value));
                if let (Some(mut key), Some(about)) = (table.key_mut(key), about(section, key)) {
                    key.leaf_decor_mut().set_prefix(about);
                }
            }
        }
    }
    Ok(document.to_string())
}

/// The comment above a key of the example.
fn about(section: &str, key: &str) -> Option<String> {
    let example: DocumentMut = Config::example().parse().ok()?;
    let key = example.get(section)?.as_table_like()?.key(key)?;
    let about = key.leaf_decor().prefix().and_then(RawString::as_str)?.trim_start();
    about.starts_with('#').then(|| about.to_owned())
}

/// Writes a configuration. The old file is kept beside it, its name ending in `.bak`. A power cut
/// leaves one of the two whole.
///
/// # Errors
/// The system's message.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    let old = match whole::read(path) {
        Ok(old) => Some(old),
        Err(err) if err.kind() == io::ErrorKind::NotFound => None,
        Err(err) => return Err(err),
    };
    let mode = fs::metadata(path).ok().map(|found| found.permissions().mode() & 0o777);
    if let Some(old) = old {
        let mut name = OsString::from(path);
        name.push(".bak");
        whole::write(Path::new(&name), old, mode)?;
    }
    whole::write(path, text, mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_order_stay() {
        let text =
            "# Mine\n[board]\nkind = \"matrix\" # soldered in May\n\n[game]\nwhite = \"A\"\n";
        let values = vec![("orientation", Value::from(180)), ("kind", Value::from("expander"))];
        assert_eq!(
            set(text, "board", values).expect("right"),
            "# Mine\n[board]\nkind = \"expander\" # soldered in May\n\
             # How far the board is turned clockwise, seen from above: 0, 90, 180 or 270.\n\
             orientation = 180\n\n[game]\nwhite = \"A\"\n"
        );
    }

    #[test]
    fn a_file_whose_lines_end_in_cr_alone_is_edited_too() {
        let values = vec![("white", Value::from("B"))];
        let text = set("# Mine\r[game]\rwhite = \"A\"\r", "game", values);
        assert_eq!(text.expect("right"), "# Mine\n[game]\nwhite = \"B\"\n");
    }

    #[test]
    fn a_section_that_is_missing_is_added() {
        let text = set("", "board", vec![("orientation", Value::from(90))]);
        assert_eq!(
            text.expect("right"),
            "[board]\n# How far the board is turned clockwise, seen from above: 0, 90, 180 or 270.\n\
             orientation = 90\n"
        );
        assert!(set("board = 3\n", "board", Vec::new()).is_err());
        assert!(set("[board\n", "board", Vec::new()).is_err());
    }

    #[test]
    fn what_was_there_before_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("annabella.toml");
        write(&path, "# one\n").expect("written");
        assert!(!folder.path().join("annabella.toml.bak").exists());
        write(&path, "# two\n").expect("written");
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("there");
        assert_eq!(
            (read("annabella.toml"), read("annabella.toml.bak")),
            ("# two\n".into(), "# one\n".into())
        );
        assert!(!folder.path().join("annabella.toml.new").exists());
        let nowhere = folder.path().join("no/annabella.toml");
        assert_eq!(write(&nowhere, "").map_err(|err| err.kind()), Err(io::ErrorKind::NotFound));
    }
}
