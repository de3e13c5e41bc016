//! Whom to play with at home is asked for in one breath with the colour, and the lobby knows
//! nothing of him but his name.

use annabella_words::phrase::SetupWord;

use super::*;

/// At home, with three levels of a program.
fn at_home(lang: &str) -> Room {
    let words = Words::builtin(lang, lang).expect("built in");
    let level = &words.prompts().setup(SetupWord::Level)[0];
    let opponents: Vec<String> = (2..=4).map(|n| format!("Stockfish, {level} {n}")).collect();
    let hands = HandsOf { white: HandsKnown::Announced, ..HandsOf::default() };
    let config = GameConfig {
        at_home: true,
        sighted_board: true,
        time_control: "15+10".to_owned(),
        black: opponents[1].clone(),
        hands,
        ..GameConfig::default()
    };
    Room::new(lang, Opening { config, opponents, ..Opening::default() })
}

#[test]
fn an_opponent_and_a_colour_are_asked_for_in_one_breath() {
    for said in [
        "neue Partie, Stufe vier, Schwarz",
        "neue Partie Stufe 4 Schwarz",
        "Stufe vier Schwarz",
        "Schwarz, Stufe 4",
        "nächste Partie, Schwarz, Stufe vier",
    ] {
        let mut room = at_home("de");
        assert_eq!(
            room.open(),
            "Neue Partie. Du hast Weiß. Weiß gegen Stockfish, Stufe 3. Schnell. Richtig so?"
        );
        let summary = "Du hast Schwarz. Stockfish, Stufe 4 gegen Schwarz. Schnell. Richtig so?";
        assert_eq!(room.type_in(said), summary, "{said}");
        if !said.contains('4') {
            let mut spoken = at_home("de");
            spoken.open();
            assert_eq!(spoken.say(&said.replace(',', "")), summary, "{said}");
            let grammar = spoken.lobby.grammar().phrases;
            assert!(grammar.contains(&said.replace(',', "").to_lowercase()), "{said}");
        }
        assert_eq!(
            room.say("zurück"),
            "Du hast Weiß. Weiß gegen Stockfish, Stufe 3. Schnell. Richtig so?"
        );
    }
}

#[test]
fn the_next_game_is_against_whom_the_player_names() {
    let mut room = at_home("de");
    room.open();
    room.say("ja");
    assert!(room.say("ja").ends_with("(begins)"));
    room.input(LobbyInput::Ended { result: "1-0".to_owned() });
    for said in ["neue Partie Stufe zwei Schwarz", "Neue Partie, Stufe 2, Schwarz."] {
        assert!(room.lobby.concerns(said), "{said}");
    }
    assert!(!room.lobby.concerns("Stufe zwei"), "without it something else may be meant");
    assert_eq!(
        room.type_in("neue Partie, Stufe 2, Schwarz"),
        "Du hast Schwarz. Stockfish, Stufe 2 gegen Schwarz. Schnell. Richtig so?"
    );
    room.say("ja");
    room.say("ja");
    let config = room.begun.last().expect("begun");
    assert_eq!((config.blind, config.white.as_str()), (Blind::Black, "Stockfish, Stufe 2"));
    room.input(LobbyInput::Ended { result: "1-0".to_owned() });
    assert_eq!(
        room.say("neue Partie Weiß"),
        "Du hast Weiß. Weiß gegen Stockfish, Stufe 2. Schnell. Richtig so?"
    );
}

#[test]
fn whoever_asks_for_one_more_game_in_his_own_words_gets_one() {
    for (lang, said) in [
        ("de", "noch eine"),
        ("de", "noch eine Partie"),
        ("de", "Revanche!"),
        ("en", "one more game"),
        ("ru", "ещё одну"),
    ] {
        let mut room = at_home(lang);
        room.open();
        for yes in ["ja", "yes", "да"].repeat(2) {
            room.type_in(yes);
        }
        room.input(LobbyInput::Ended { result: "1-0".to_owned() });
        assert!(room.lobby.concerns(said), "{said}");
        let swaps = ["Farben tauschen?", "Change colours?", "Поменять цвета?"];
        let asked = room.type_in(said);
        assert!(swaps.iter().any(|swap| asked.ends_with(swap)), "{said}: {asked}");
    }
}

#[test]
fn an_opponent_is_chosen_with_three_keys() {
    let mut room = at_home("de");
    room.open();
    room.next();
    assert_eq!(room.choose(), "Was ändern? Gegner.");
    assert_eq!(room.choose(), "Gegen wen? Stockfish, Stufe 3.");
    assert_eq!(room.next(), "Stockfish, Stufe 4.");
    assert_eq!(room.choose(), "Du hast Weiß. Weiß gegen Stockfish, Stufe 4. Schnell. Richtig so?");
}

#[test]
fn every_language_has_words_for_an_opponent_that_its_model_can_know() {
    for lang in pack::builtin_names() {
        let words = Words::builtin(lang, lang).expect("built in");
        let mut room = at_home(lang);
        room.open();
        let level = &words.prompts().setup(SetupWord::Level)[0];
        let black = &words.prompts().setup(SetupWord::Black)[0];
        let next = &words.prompts().setup(SetupWord::NextGame)[0];
        let said = format!("{next} {level} {} {black}", words.prompts().number(4));
        let known = words.prompts().vocabulary();
        for word in said.to_lowercase().split_whitespace() {
            assert!(known.iter().any(|known| known == word), "{lang}: {word}");
        }
        assert!(room.say(&said).contains(&format!("Stockfish, {level} 4")), "{lang}: {said}");
        assert_eq!(room.lobby.config().blind, Blind::Black, "{lang}");
    }
}

#[test]
fn who_plays_a_tournaments_game_is_asked_for_nobody() {
    let mut room = Room::german();
    room.open();
    assert_eq!(room.type_in("Stufe drei"), "Bitte? Richtig so?");
    assert!(!room.lobby.grammar().phrases.iter().any(|phrase| phrase.contains("stufe")));
}
