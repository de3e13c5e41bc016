//! Every request, spoken, and its answer word for word; each only when asked, in the ear.

use annabella_core::game::{At, Game, GameConfig, Input, Output, Started};
use annabella_words::phrase::{Command, Words, hear::Heard, pack};
use shakmaty::Color::{Black, White};

use super::table::Table;

/// After 1. e4 d5; Black has not pressed his clock.
fn table() -> Table {
    let mut table = Table::new(GameConfig { sighted_board: true, ..GameConfig::default() });
    table.start_clock();
    table.moves("e2", "e4");
    table.press(White);
    table.sighted(Black, "e2e4");
    table.sighted(Black, "d7d5");
    table.moves("d7", "d5");
    table.heard();
    table
}

#[test]
fn who_asks_with_pieces_in_his_hand_is_not_told_to_put_them_back_4_3() {
    let config = GameConfig { sighted_board: true, ..GameConfig::default() };
    let fen = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    for (lifted, answer) in [
        ("d5-", "ear: Berührt. David fünf: schwarzer Bauer."),
        ("e4- d5-", "ear: Berührt. Eva vier: weißer Bauer. David fünf: schwarzer Bauer."),
        ("g1-", "ear: Berührt. Gustav eins: weißer Springer."),
        // It cannot be moved, nor taken: it goes back.
        ("a1-", "ear: Setz den weißen Turm auf Anna eins."),
    ] {
        let mut table = Table::at(fen, config.clone());
        table.start_clock();
        table.heard();
        table.script(&format!("{lifted} ~9000"));
        assert_eq!(table.spoken(), Vec::<String>::new(), "{lifted}");
        table.script("\"was ist offen\"");
        assert_eq!(table.spoken(), [answer], "{lifted}");
    }
}

#[test]
fn what_was_captured_is_named_with_its_colour() {
    let mut table = table();
    table.press(Black);
    table.takes("e4", "d5");
    table.press(White);
    table.sighted(Black, "e4d5");
    table.heard();
    table.hears(&[("was ist geschlagen", 0.99)]);
    assert_eq!(table.heard(), ["ear: Schwarz fehlt: ein Bauer."]);
    table.sighted(Black, "d8d5");
    table.takes("d8", "d5");
    table.heard();
    table.hears(&[("was ist geschlagen", 0.99)]);
    assert_eq!(table.heard(), ["ear: Weiß fehlt: ein Bauer. Schwarz fehlt: ein Bauer."]);
}

#[test]
fn every_request_has_its_answer() {
    let answers: &[(&str, &[&str])] = &[
        ("letzter zug", &["ear: Bauer David sieben David fünf."]),
        ("vorletzter zug", &["ear: Bauer Eva zwei Eva vier."]),
        ("letzte drei züge", &["ear: Bauer Eva zwei Eva vier. Bauer David sieben David fünf."]),
        ("zug eins", &["ear: Eins. Bauer Eva zwei Eva vier. Bauer David sieben David fünf."]),
        ("was war zug zwölf", &["ear: Zug zwölf gibt es nicht."]),
        (
            "von zug eins an",
            &["ear: Eins. Bauer Eva zwei Eva vier. Bauer David sieben David fünf."],
        ),
        ("was hat sich geändert", &["ear: David sieben: leer. David fünf: schwarzer Bauer."]),
        ("zurück", &["ear: Die Partie läuft noch."]),
        ("wer ist am zug", &["ear: Weiß am Zug."]),
        ("meine zeit", &["ear: Du: eine Stunde dreißig Minuten."]),
        ("zeit", &["ear: Du: eine Stunde dreißig Minuten."]),
        ("meine restzeit", &["ear: Du: eine Stunde dreißig Minuten."]),
        ("zeit des gegners", &["ear: Gegner: eine Stunde dreißig Minuten."]),
        (
            "beide zeiten",
            &["ear: Du: eine Stunde dreißig Minuten. Gegner: eine Stunde dreißig Minuten."],
        ),
        ("meine verbrauchte zeit", &["ear: Du hast verbraucht: eine Sekunde."]),
        ("seine verbrauchte zeit", &["ear: Dein Gegner hat verbraucht: vier Sekunden."]),
        ("verbrauchte zeit", &["ear: Verbraucht. Du: eine Sekunde. Gegner: vier Sekunden."]),
        ("wie viele züge", &["ear: Ein Zug."]),
        ("züge bis zur kontrolle", &["ear: Noch neununddreißig Züge bis zur Zeitkontrolle."]),
        ("was steht auf eva vier", &["ear: Eva vier: weißer Bauer."]),
        ("was steht auf eva zwei", &["ear: Eva zwei: leer."]),
        (
            "linie david",
            &["ear: David. Weiß: Dame eins, Bauer zwei. Schwarz: Bauer fünf, Dame acht."],
        ),
        ("sag reihe vier", &["ear: Reihe vier. Weiß: Bauer Eva."]),
        ("reihe vier", &["ear: Reihe vier. Weiß: Bauer Eva."]),
        ("feld eva vier", &["ear: Eva vier: weißer Bauer."]),
        (
            "was steht auf linie eva",
            &["ear: Eva. Weiß: König eins, Bauer vier. Schwarz: Bauer sieben, König acht."],
        ),
        (
            "diagonale anna eins",
            &["ear: Diagonale Anna eins, Hector acht. Weiß: Turm Anna eins, Bauer Bella zwei. \
               Schwarz: Bauer Gustav sieben, Turm Hector acht."],
        ),
        (
            "diagonale hector acht anna eins",
            &["ear: Diagonale Anna eins, Hector acht. Weiß: Turm Anna eins, Bauer Bella zwei. \
               Schwarz: Bauer Gustav sieben, Turm Hector acht."],
        ),
        (
            "was steht auf der diagonale cesar vier",
            &[
                "ear: Diagonale Anna zwei, Gustav acht. Weiß: Bauer Anna zwei. Schwarz: Bauer David fünf, Bauer Felix sieben, Springer Gustav acht.",
                "ear: Diagonale Felix eins, Anna sechs. Weiß: Läufer Felix eins.",
            ],
        ),
        (
            "wo sind meine bauern",
            &["ear: Bauern: Anna, Bella, Cesar, David zwei. Eva vier. Felix, Gustav, Hector zwei."],
        ),
        ("wo ist meine dame", &["ear: Dame: David eins."]),
        ("sag reihe drei", &["ear: Reihe drei: leer."]),
        ("wo sind meine türme", &["ear: Türme: Anna, Hector eins."]),
        ("wo sind seine springer", &["ear: Springer: Bella, Gustav acht."]),
        ("geschlagene figuren", &["ear: Nichts geschlagen."]),
        ("was ist offen", &["ear: Nichts offen."]),
        ("lauter", &["volume 100, 160 words a minute", "ear: Lautstärke hundert."]),
        ("leiser", &["volume 90, 160 words a minute", "ear: Lautstärke neunzig."]),
        ("schneller", &["volume 90, 180 words a minute", "ear: Tempo hundertachtzig."]),
        ("langsamer", &["volume 90, 160 words a minute", "ear: Tempo hundertsechzig."]),
        ("wiederhole", &["ear: Tempo hundertsechzig."]),
        ("stopp", &["hush"]),
        (
            "hilfe",
            &["ear: Sag deinen Zug, oder: letzter Zug, meine Zeit, wiederhole. \
               Für mehr: noch einmal Hilfe."],
        ),
        (
            "hilfe",
            &[
                "ear: Frag: letzter Zug, meine Zeit, beide Zeiten, verbrauchte Zeit, wie viele Züge, was steht auf, wo sind meine, was ist offen. \
               Sag: wiederhole, stopp, lauter, langsamer, Korrektur, Remis anbieten, ich gebe auf, Schiedsrichter.",
            ],
        ),
        ("ich korrigiere", &["ear: Gut, du rückst zurecht."]),
        ("remis ablehnen", &["ear: Kein Remisangebot."]),
        ("remis annehmen", &["ear: Kein Remisangebot."]),
        (
            "schiedsrichter",
            &[
                "problem 6.11.2: White calls the arbiter",
                "clock: None",
                "loud: Schiedsrichter gerufen.",
            ],
        ),
        ("uhr starten", &["clock: Black", "ear: Die Uhr läuft."]),
        // A second time it is no fault.
        ("uhr starten", &["ear: Die Uhr läuft."]),
        ("zeit überschritten", &["ear: Keine Zeit überschritten."]),
        ("mitschrift ergänzen", &["ear: Mitschrift vollständig."]),
        (
            "unterschrieben",
            &["refused 8.7: there is no result to sign yet – Die Partie läuft noch."],
        ),
        (
            "uhr anhalten",
            &["problem 6.11.2: White stopped the clocks", "clock: None", "loud: Die Uhr steht."],
        ),
        ("uhr anhalten", &["ear: Die Uhr steht."]),
        (
            "farben vertauscht",
            &[
                "problem 7.3: White says that the colours are exchanged",
                "loud: Schiedsrichter gerufen.",
                "proposal 1 7.3: the colours are exchanged: this game does not count, and “new game” at the board begins the next",
            ],
        ),
        ("falsche farben", &["loud: Der Schiedsrichter entscheidet."]),
        (
            "grundstellung falsch",
            &[
                "problem 7.2.1: White says that the starting position was wrong",
                "loud: Schiedsrichter gerufen.",
                "proposal 2 7.2.1: the starting position was wrong: this game does not count, and “new game” at the board begins the next",
            ],
        ),
        (
            "hängepartie",
            &["problem I.1: White asks for adjournment", "loud: Weiß wünscht die Unterbrechung."],
        ),
    ];
    let mut table = table();
    let mut wrong = Vec::new();
    for (said, answer) in answers {
        table.says(White, said);
        let heard = table.heard();
        if heard != *answer {
            wrong.push(format!("'{said}': {heard:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn help_names_what_is_said_most_at_the_moment() {
    let mut table = table();
    table.says(White, "ich gebe auf");
    table.heard();
    table.says(White, "hilfe");
    let question = "ear: Sag: ja, nein, wiederhole, abbrechen. Für mehr: noch einmal Hilfe.";
    assert_eq!(table.heard(), [question]);
    table.says(White, "ja");
    table.heard();
    table.says(White, "hilfe");
    let over = "ear: Sag: Anfang, weiter, zurück, letzter Zug. Für mehr: noch einmal Hilfe.";
    assert_eq!(table.heard(), [over]);
}

/// A pack is no use if a phrase of it leads nowhere: each is spoken in a game in each language, and
/// answered by something else than "Bitte?".
#[test]
fn every_phrase_of_every_pack_is_answered() {
    for name in pack::builtin_names() {
        let text = pack::builtin(name).expect("built in").to_owned();
        let words = Words::from_toml(&text, &text).expect("a whole pack");
        let again = words.prompt(annabella_words::phrase::Prompt::NotHeard, &[]).to_string();
        let mut seen = std::collections::BTreeSet::new();
        for (phrase, command) in words.command_phrases() {
            // One square, file, rank and piece stands for all.
            let kind = command.name().split(' ').next().unwrap_or_default().to_owned();
            // Without an offer nothing can be accepted or declined, and is not listened for.
            let offer = matches!(command, Command::AcceptDraw | Command::DeclineDraw);
            if offer || !seen.insert(kind) {
                continue;
            }
            let mut game = Game::new();
            let started = Started {
                config: GameConfig::default(),
                packs: vec![text.clone(), text.clone()],
                confusions: Default::default(),
                build: String::new(),
                unix_s: 0,
            };
            game.handle(At::new(0), Input::Started(Box::new(started))).expect("begins");
            if command == Command::StopClock {
                game.handle(At::new(500), Input::ClockStarted).expect("White's clock runs");
            }
            let input = match command {
                // Listened for when something is missing, where a board has no sensors, when there
                // are so many moves, when the game is over or at home.
                Command::CompleteScore
                | Command::TakeBack
                | Command::Hint
                | Command::Evaluation
                | Command::Done
                | Command::CheckBoard
                | Command::MoveNumber(_)
                | Command::MovesFrom(_)
                | Command::ScoreBack
                | Command::ScoreOn
                | Command::ScoreStart
                | Command::ScoreEnd => Input::Said { seat: None, heard: vec![phrase.clone()] },
                _ => Input::Heard { seat: None, heard: Heard::text(&phrase), pushed: true },
            };
            let outputs = match game.handle(At::new(1000), input) {
                Ok(outputs) => outputs,
                // Named and refused is answered.
                Err(_) => continue,
            };
            let silent = matches!(command, Command::Yes | Command::No | Command::Correction);
            let spoken: Vec<String> = outputs
                .iter()
                .filter_map(|output| match output {
                    Output::Say { words, .. } => Some(words.to_string()),
                    _ => None,
                })
                .collect();
            assert!(
                silent || !spoken.contains(&again),
                "{name}: '{phrase}' {command:?}: {spoken:?}"
            );
        }
    }
}

/// One word beside "Eva vier" no request is taken for granted: it is asked about, and a move is
/// none the worse for it.
#[test]
fn a_request_one_word_beside_a_move_is_asked_about() {
    for (said, asked, answer) in [
        ("reihe vier", "Reihe vier?", "Reihe vier. Weiß: Bauer Eva."),
        ("feld eva vier", "Feld Eva vier?", "Eva vier: weißer Bauer."),
        ("zug eins", "Zug eins?", "Eins. Bauer Eva zwei Eva vier. Bauer David sieben David fünf."),
        (
            "diagonale eva eins",
            "Diagonale Eva eins?",
            "Diagonale Eva eins, Hector vier. Weiß: König Eva eins, Bauer Felix zwei.",
        ),
    ] {
        let mut table = table();
        table.hears(&[(said, 1.0)]);
        assert_eq!(table.heard(), [format!("ear: {asked}")], "{said}");
        table.hears(&[("ja", 1.0)]);
        let heard = table.heard();
        assert_eq!(heard.first(), Some(&format!("ear: {answer}")), "{said}: {heard:?}");
        table.hears(&[(said, 1.0)]);
        table.heard();
        table.hears(&[("nein", 1.0)]);
        assert_eq!(table.heard(), ["ear: Gut, dann nicht."], "{said}");
    }
    // "Eva fünf" is one word beside "Reihe fünf", and taken at once; also while that is being asked
    // about.
    let mut table = table();
    table.press(Black);
    table.heard();
    table.hears(&[("reihe fünf", 1.0)]);
    assert_eq!(table.heard(), ["ear: Reihe fünf?"]);
    table.hears(&[("eva fünf", 1.0)]);
    assert_eq!(table.heard(), ["announced e5"]);
}

/// Much talk is like the one word, and the arbiter comes to the board.
#[test]
fn the_arbiter_does_not_come_for_one_word_out_of_talk() {
    let mut table = table();
    table.hears(&[("schiedsrichter", 1.0)]);
    assert_eq!(table.heard(), ["ear: Schiedsrichter?"]);
    table.hears(&[("ja", 1.0)]);
    let called = "loud: Schiedsrichter gerufen.".to_owned();
    assert!(table.heard().contains(&called));
    table.hears(&[("schiedsrichter rufen", 1.0)]);
    assert!(table.heard().contains(&called), "two words are none");
}

/// When the game is over its score can be walked through, and each position on the way be asked
/// about.
#[test]
fn after_the_game_the_score_is_walked_through() {
    let mut table = table();
    table.says(White, "ich gebe auf");
    table.says(White, "ja");
    assert!(table.heard().iter().any(|line| line.contains("Weiß gibt auf")));
    for (said, answer) in [
        ("weiter", "Ende der Partie."),
        ("zurück", "Eins. Bauer Eva zwei Eva vier."),
        ("was steht auf david fünf", "David fünf: leer."),
        ("einen zug zurück", "Anfang der Partie."),
        ("zurück", "Anfang der Partie."),
        (
            "wo sind meine bauern",
            "Bauern: Anna, Bella, Cesar, David, Eva, Felix, Gustav, Hector zwei.",
        ),
        ("weiter", "Eins. Bauer Eva zwei Eva vier."),
        ("weiter", "Eins. Bauer David sieben David fünf."),
        ("anfang", "Anfang der Partie."),
        ("ende", "Eins. Bauer David sieben David fünf."),
        ("was steht auf david fünf", "David fünf: schwarzer Bauer."),
    ] {
        table.hears(&[(said, 1.0)]);
        assert_eq!(table.heard(), [format!("ear: {answer}")], "{said}");
    }
}
