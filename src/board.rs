//! Where pegs are.
