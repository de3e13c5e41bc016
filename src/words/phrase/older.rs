//! Packs of an earlier version, as its journals keep them.
//!
//! A pack that somebody writes is to be whole. One that was whole when a game began must be read as
//! long as there is that game: what it lacks is taken from the pack of its language that is built
//! in, and what nobody says any more is left out.

use toml::{Table, Value};

use super::{Pack, PackError, Words, builtin::builtin, pack::read_toml, reader::Problem};

/// Where a pack of an unknown language takes what it lacks.
const ANY: &str = "en";
/// What is completed shows what else is wrong: so often it is looked at.
const MOST_ROUNDS: usize = 6;

impl Words {
    /// The packs of a game by their TOML text, as [`Words::from_toml`]; older ones are completed.
    ///
    /// # Errors
    /// [`PackError::Toml`] if one is no TOML, [`PackError::TooLarge`], [`PackError::Clash`].
    pub fn of_journal(texts: [&str; 2]) -> Result<Words, PackError> {
        let [moves, prompts] = texts;
        match Words::from_toml(moves, prompts) {
            Err(PackError::Unfinished { .. }) => Words::new(completed(moves)?, completed(prompts)?),
            known => known,
        }
    }
}

/// The pack with what it lacks, and without what is wrong in it now.
fn completed(text: &str) -> Result<Pack, PackError> {
    let mut table = read_toml(text)?;
    let code = table.get("pack").and_then(|about| about.get("code")).and_then(Value::as_str);
    let whole = code.and_then(builtin).or_else(|| builtin(ANY)).unwrap_or_default();
    let today = read_toml(whole)?;
    for _ in 0..MOST_ROUNDS {
        let problems = match Pack::read(&table, true) {
            Err(PackError::Unfinished { problems, .. }) => problems,
            known => return known,
        };
        for problem in problems {
            match problem {
                Problem::Missing(key) | Problem::Wrong { key, .. } => {
                    renew(&mut table, Some(&today), &key);
                }
                Problem::Unknown { key, .. } => renew(&mut table, None, &key),
            }
        }
    }
    // What it says does not go together with what is new: then nothing of it is said.
    Pack::parse(whole)
}

/// What stands at this path becomes what stands there today, or nothing. A key may have dots in it.
fn renew(table: &mut Table, today: Option<&Table>, path: &str) {
    let today_has = today.into_iter().flat_map(Table::keys);
    let heads = |key: &&String| {
        path.strip_prefix(key.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let Some(key) =
        table.keys().chain(today_has).filter(heads).max_by_key(|key| key.len()).cloned()
    else {
        return;
    };
    let new = today.and_then(|today| today.get(&key));
    match (path[key.len()..].strip_prefix('.'), table.get_mut(&key), new) {
        (Some(rest), Some(Value::Table(old)), new) => {
            renew(old, new.and_then(Value::as_table), rest);
        }
        (_, _, Some(new)) => {
            table.insert(key, new.clone());
        }
        (_, _, None) => {
            table.remove(&key);
        }
    }
}
