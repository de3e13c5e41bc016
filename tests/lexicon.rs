//! Words for the speech model, without training it.
#[test]
fn t() {}
