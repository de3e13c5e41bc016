use annabella::{phrase::Pack, speech_model::german};

#[test]
fn dump() {
    for w in Pack::builtin("de").unwrap().vocabulary() {
        println!(
            "DUMP {w}|{}",
            german::pronunciation(&w).map_or_else(|e| e.to_string(), |p| p.to_string())
        );
    }
}
