//! What is said and heard: language packs, phrases, grammars for the recogniser, and the matching of what
//! was heard with what may be meant. Pure: nothing here knows a file, a thread or the time.

pub mod phrase;
pub mod speech_model;
pub mod text;
