//! Time controls to choose from, in words and as text.

use crate::game::clock::TimeControl;
use annabella_words::phrase::{
    SetupWord,
    timing::{Extra, Stretch},
};

/// Time controls that every language has a name for, as in the configuration.
pub(crate) const NAMED: [(SetupWord, &str); 3] = [
    (SetupWord::Classical, "40/90+30:30+30"),
    (SetupWord::Rapid, "15+10"),
    (SetupWord::Blitz, "3+2"),
];
/// Further time controls that are offered, which no language has a name for.
pub(crate) const UNNAMED: [&str; 4] = ["90+30", "60", "25+10", "5"];

/// The text of a time control; `None` if it can't be written: too long, or with seconds that the
/// format lacks.
pub(crate) fn control_text(stretches: &[Stretch]) -> Option<String> {
    let mut parts = Vec::new();
    for stretch in stretches {
        // Minutes have three decimals.
        let thousandths = u64::from(stretch.base_s) * 1000;
        if thousandths % 60 != 0 {
            return None;
        }
        let thousandths = thousandths / 60;
        let mut part = String::new();
        if let Some(moves) = stretch.moves {
            part += &format!("{moves}/");
        }
        part += &format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
        if stretch.extra_s > 0 {
            let kind = match stretch.extra {
                Extra::Increment => "",
                Extra::Delay => "d",
                Extra::Bronstein => "b",
            };
            part += &format!("+{}{kind}", stretch.extra_s);
        }
        parts.push(part);
    }
    let control: TimeControl = parts.join(":").parse().ok()?;
    Some(control.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_go_to_words_and_back() {
        for text in ["40/90+30:30+30", "3+2", "90", "40/120:20/60:15+30", "25+5d", "25+5b", "0.5+1"]
        {
            let control: TimeControl = text.parse().expect("a time control");
            assert_eq!(control_text(&control.stretches()).as_deref(), Some(text));
        }
        let odd = Stretch { base_s: 10, ..Stretch::default() };
        assert_eq!(control_text(&[odd]), None);
        assert_eq!(control_text(&[]), None);
        let long = Stretch { base_s: 100_000 * 60, ..Stretch::default() };
        assert_eq!(control_text(&[long]), None);
    }
}
