//! A configuration that can be played at every moment, and time controls as text.

use shakmaty::Position;

use super::LobbyError;
use crate::game::{
    Blind, GameConfig,
    clock::{Bonus, TimeControl},
    read_fen,
};
use annabella_words::phrase::{
    Prompt,
    timing::{Extra, Stretch},
};

/// Time controls to choose from, the longest first: which of them have names is the packs' business.
pub(crate) const CLASSICAL: &str = "40/90+30:30+30";
pub(crate) const RAPID: &str = "15+10";
pub(crate) const BLITZ: &str = "3+2";
pub(crate) const UNNAMED: [&str; 4] = ["90+30", "60", "25+10", "5"];

/// The longest name.
const LONGEST_NAME: usize = 60;

/// Takes a configuration as it can be played: against a deaf opponent moves are announced or shown.
pub(super) fn checked(mut config: GameConfig) -> Result<GameConfig, LobbyError> {
    config.time_control.parse::<TimeControl>()?;
    if let Some(fen) = &config.start {
        let start = read_fen(fen).map_err(LobbyError::Start)?;
        if start.is_game_over() {
            return Err(LobbyError::Start(format!("'{fen}' is the end of a game")));
        }
    }
    mend(&mut config);
    Ok(config)
}

/// Source: FIDE D.2.11. What had to be changed, in words.
pub(super) fn mend(config: &mut GameConfig) -> Option<Prompt> {
    if config.opponent_deaf && !config.display {
        config.opponent_deaf = false;
        return Some(Prompt::DeafNeedsDisplay);
    }
    let wrong = config.opponent_deaf && !config.duties.announce && !config.sighted_board;
    config.duties.announce |= wrong;
    wrong.then_some(Prompt::DeafNeedsAnnouncing)
}

/// The players change places.
pub(super) fn swap(config: &mut GameConfig) {
    std::mem::swap(&mut config.white, &mut config.black);
    config.blind = match config.blind {
        Blind::White => Blind::Black,
        Blind::Black => Blind::White,
        Blind::Both => {
            swap_earphones(config);
            Blind::Both
        }
    };
}

/// Each of two blind players finds his volume and rate at the other place.
pub(super) fn swap_earphones(config: &mut GameConfig) {
    let (white, black) = (config.private, config.private_black.unwrap_or(config.private));
    if white != black {
        (config.private, config.private_black) = (black, Some(white));
    }
}

/// A time control in seconds, for words.
pub(crate) fn stretches(control: &TimeControl) -> Vec<Stretch> {
    let seconds = |ms: u64| u32::try_from(ms / 1000).unwrap_or(u32::MAX);
    control
        .periods()
        .iter()
        .map(|period| {
            let (extra_s, extra) = match period.bonus {
                Bonus::None => (0, Extra::Increment),
                Bonus::Increment(ms) => (seconds(ms), Extra::Increment),
                Bonus::Delay(ms) => (seconds(ms), Extra::Delay),
                Bonus::Bronstein(ms) => (seconds(ms), Extra::Bronstein),
            };
            Stretch { moves: period.moves, base_s: seconds(period.base_ms), extra_s, extra }
        })
        .collect()
}

/// The text of a time control; `None` if there is none such: too long, or seconds that are no part
/// of a minute that can be written.
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

/// What was typed or chosen as a name; `None` if nothing is left of it.
pub(super) fn name(text: &str) -> Option<String> {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let name: String = words.join(" ").chars().take(LONGEST_NAME).collect();
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// Letters as a name: each word begins with a capital.
pub(super) fn capitalised(letters: &str) -> String {
    let words = letters.split(' ').filter(|word| !word.is_empty()).map(|word| {
        let mut letters = word.chars();
        let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        first + letters.as_str()
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_go_to_words_and_back() {
        for text in ["40/90+30:30+30", "3+2", "90", "40/120:20/60:15+30", "25+5d", "25+5b", "0.5+1"]
        {
            let control: TimeControl = text.parse().expect("a time control");
            assert_eq!(control_text(&stretches(&control)).as_deref(), Some(text));
        }
        let odd = Stretch { base_s: 10, ..Stretch::default() };
        assert_eq!(control_text(&[odd]), None);
        assert_eq!(control_text(&[]), None);
        let long = Stretch { base_s: 100_000 * 60, ..Stretch::default() };
        assert_eq!(control_text(&[long]), None);
    }

    #[test]
    fn names_are_tidy() {
        assert_eq!(name("  Ada \n Mor\u{7}a ").as_deref(), Some("Ada Mor a"));
        assert_eq!(name(" \t"), None);
        assert_eq!(name(&"x".repeat(500)).map(|name| name.len()), Some(60));
        assert_eq!(capitalised("ada mor"), "Ada Mor");
    }
}
