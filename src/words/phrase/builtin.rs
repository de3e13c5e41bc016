//! The language packs that are built in.

/// The packs that are built in, by code; `fide` is another name for `de`.
const BUILTIN: [(&str, &str); 8] = [
    ("fide", include_str!("../../../voices/de.toml")),
    ("de", include_str!("../../../voices/de.toml")),
    ("en", include_str!("../../../voices/en.toml")),
    ("ru", include_str!("../../../voices/ru.toml")),
    ("fr", include_str!("../../../voices/fr.toml")),
    ("es", include_str!("../../../voices/es.toml")),
    ("pl", include_str!("../../../voices/pl.toml")),
    ("lt", include_str!("../../../voices/lt.toml")),
];

/// The TOML text of a built-in pack.
pub fn builtin(name: &str) -> Option<&'static str> {
    BUILTIN.iter().find(|(known, _)| *known == name).map(|(_, toml)| *toml)
}

/// Whether this is the text of a built-in pack.
pub(super) fn is_builtin(toml: &str) -> bool {
    BUILTIN.iter().any(|(_, known)| *known == toml)
}

/// What a built-in pack's language calls itself, without reading the pack.
pub fn builtin_language(name: &str) -> Option<&'static str> {
    let named = |line: &'static str| line.strip_prefix("language = \"")?.strip_suffix('"');
    builtin(name)?.lines().find_map(named)
}

/// The names of the built-in packs, `fide` first.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    BUILTIN.iter().map(|(name, _)| *name)
}

/// The languages that have a built-in pack, ISO 639-1.
pub fn builtin_languages() -> impl Iterator<Item = &'static str> {
    builtin_names().filter(|name| *name != "fide")
}
