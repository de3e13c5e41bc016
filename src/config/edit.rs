//! Changing keys of a configuration file, comments and order kept.

use toml_edit::{DocumentMut, Item, Table, Value};

/// The text with these keys of one section set. What else stands in it stays as it is; a section
/// that is not there is added.
///
/// # Errors
///
/// One line, when the text is no configuration.
pub fn set(text: &str, section: &str, values: Vec<(&str, Value)>) -> Result<String, String> {
    let mut document: DocumentMut =
        text.parse().map_err(|err: toml_edit::TomlError| err.message().replace('\n', "; "))?;
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
            }
        }
    }
    Ok(document.to_string())
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
            "# Mine\n[board]\nkind = \"expander\" # soldered in May\norientation = 180\n\n[game]\nwhite = \"A\"\n"
        );
    }

    #[test]
    fn a_section_that_is_missing_is_added() {
        let text = set("", "board", vec![("orientation", Value::from(90))]);
        assert_eq!(text.expect("right"), "[board]\norientation = 90\n");
        assert!(set("board = 3\n", "board", Vec::new()).is_err());
        assert!(set("[board\n", "board", Vec::new()).is_err());
    }
}
