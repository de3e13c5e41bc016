//! `annabella`, the program.
fn main() {}
