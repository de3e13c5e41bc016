//! Score sheets.
