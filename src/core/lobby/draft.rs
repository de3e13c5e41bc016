//! A configuration that can be played at every moment.

use shakmaty::Position;

use super::LobbyError;
use crate::game::{Blind, GameConfig, clock::TimeControl, read_fen};
use annabella_words::phrase::Prompt;

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

/// Makes the configuration playable. Returns the change in words. Source: FIDE D.2.11
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

/// A name as typed or chosen; `None` if nothing is left of it.
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
    fn names_are_tidy() {
        assert_eq!(name("  Ada \n Mor\u{7}a ").as_deref(), Some("Ada Mor a"));
        assert_eq!(name(" \t"), None);
        assert_eq!(name(&"x".repeat(500)).map(|name| name.len()), Some(60));
        assert_eq!(capitalised("ada mor"), "Ada Mor");
    }
}
