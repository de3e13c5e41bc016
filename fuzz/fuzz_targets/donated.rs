//! Any text as a list of somebody's recordings: refused with one line, or it is written again as it
//! was read.
#![no_main]

use annabella::cli::donate::list::{read, write};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match read(text) {
        Ok((Some(speaker), rows)) => {
            assert!(rows.iter().all(|row| !row.file().contains('/')));
            assert_eq!(read(&write(&speaker, &rows)), Ok((Some(speaker), rows)));
        }
        Ok((None, rows)) => assert!(rows.is_empty()),
        Err(line) => assert!(!line.contains('\n'), "{line}"),
    }
});
