//! What has a name that others gave it: keys of a keyboard, language packs.

use super::{ConfigError, Entry};
use annabella_devices::voice::keys::key_code;
use annabella_words::phrase::pack;

impl Entry<'_, '_> {
    /// A language pack that is built in, or the file of one.
    pub(in crate::config) fn pack(&self) -> Result<String, ConfigError> {
        let name = self.value.get_ref().as_str().map(str::trim).unwrap_or_default();
        let plain = !name.contains(char::is_control);
        if plain && (pack::builtin(name).is_some() || name.ends_with(".toml")) {
            return Ok(name.to_owned());
        }
        let packs: Vec<String> = pack::builtin_names().map(|name| format!("\"{name}\"")).collect();
        let packs = packs.join(", ");
        Err(self.refuse(format!("{packs}, or the path of a .toml file")))
    }

    /// A key as the kernel calls it.
    pub(in crate::config) fn key(&self) -> Result<String, ConfigError> {
        let name = self.filled("a key by the kernel's name, as in \"space\" or \"f13\"")?;
        self.known_key(&name)?;
        Ok(name)
    }

    pub(in crate::config) fn key_or_none(&self) -> Result<String, ConfigError> {
        let name = self.name()?;
        if !name.is_empty() {
            self.known_key(&name)?;
        }
        Ok(name)
    }

    /// Three names of keys, or none.
    pub(in crate::config) fn three_keys(&self) -> Result<Vec<String>, ConfigError> {
        let keys = self.names().unwrap_or_default();
        let empty = self.value.get_ref().as_array().is_some_and(|list| list.is_empty());
        if keys.len() != 3 && !empty {
            return Err(
                self.refuse("three keys, as in [\"left\", \"right\", \"enter\"], or none: []")
            );
        }
        keys.iter().try_for_each(|name| self.known_key(name))?;
        Ok(keys)
    }

    fn known_key(&self, name: &str) -> Result<(), ConfigError> {
        let known = key_code(name).map(|_| ());
        known.map_err(|err| self.refuse(format!("a key by the kernel's name ({err})")))
    }
}
