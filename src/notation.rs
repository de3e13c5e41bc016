//! Algebraic notation as Appendix C of the Laws accepts it.

pub mod pgn;
