//! Hands that move pegs the way people do.
