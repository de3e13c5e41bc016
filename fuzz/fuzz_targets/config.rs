//! Any text as a configuration: it is one, or it is refused with one line that names the file.
#![no_main]

use annabella::config::Config;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Config::parse(text, "a.toml") {
        // What is accepted can be played.
        Ok(config) => assert!(!config.game().time_control.is_empty()),
        Err(error) => {
            let line = error.to_string();
            assert!(line.starts_with("a.toml") && !line.contains('\n'), "{line}");
        }
    }
});
