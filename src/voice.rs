//! Ears and mouth.
