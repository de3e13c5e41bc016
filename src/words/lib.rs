//! Words spoken and heard: language packs, phrases, grammars for the recogniser, and the matching
//! of heard words with possible meanings. Pure: no files, no threads, no time.

pub mod phrase;
pub mod speech_model;
pub mod text;
