//! Keys written into the configuration file.

use std::path::Path;

use toml_edit::Value;

use super::Failure;
use crate::config::{Config, edit};

/// Keys of one section with their new values.
pub type ConfigSection<'a> = (&'a str, Vec<(&'a str, Value)>);

/// Writes the keys into the file; the old one is kept beside it as .bak. A power cut leaves one of
/// the two whole.
///
/// # Errors
/// When the file cannot be written, or is no configuration.
pub fn write(path: &Path, sections: Vec<ConfigSection<'_>>) -> Result<(), Failure> {
    let name = path.display().to_string();
    let fail = |err: &dyn std::fmt::Display| {
        Failure::device(format!("cannot write {name}: {err}; is the folder writable?"))
    };
    let old = annabella_records::whole::read_text(path).map_err(|err| fail(&err))?;
    let text = set(&old, sections).map_err(|err| fail(&err))?;
    Config::parse(&text, &name).map_err(Failure::usage)?;
    edit::write(path, &text).map_err(|err| fail(&err))
}

/// The text with these keys set.
///
/// # Errors
/// One line, when the text is no configuration.
pub fn set(text: &str, sections: Vec<ConfigSection<'_>>) -> Result<String, String> {
    let mut text = text.to_owned();
    for (section, values) in sections {
        text = edit::set(&text, section, values)?;
    }
    Ok(text)
}
