//! Every request, spoken, and its answer word for word; each only when asked, in the ear.

use annabella_core::game::{At, Game, GameConfig, Input, Output, Started};
use annabella_words::phrase::{Command, Words, hear::Heard, pack};
use shakmaty::Color::{Black, White};

use crate::table::Table;

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
fn every_request_has_its_answer() {
    let answers: &[(&str, &[&str])] = &[
        ("letzter zug", &["ear: Bauer David sieben David fünf."]),
        ("wer ist am zug", &["ear: Weiß am Zug."]),
        ("meine zeit", &["ear: Du: eine Stunde dreißig Minuten achtundfünfzig."]),
        ("zeit des gegners", &["ear: Gegner: eine Stunde dreißig Minuten siebenundzwanzig."]),
        (
            "beide zeiten",
            &[
                "ear: Du: eine Stunde dreißig Minuten achtundfünfzig. Gegner: eine Stunde dreißig Minuten siebenundzwanzig.",
            ],
        ),
        ("meine verbrauchte zeit", &["ear: Du hast verbraucht: eine Sekunde."]),
        ("seine verbrauchte zeit", &["ear: Dein Gegner hat verbraucht: zwei Sekunden."]),
        ("verbrauchte zeit", &["ear: Verbraucht. Du: eine Sekunde. Gegner: drei Sekunden."]),
        ("wie viele züge", &["ear: Ein Zug."]),
        ("züge bis zur kontrolle", &["ear: Noch neununddreißig Züge bis zur Zeitkontrolle."]),
        ("was steht auf eva vier", &["ear: Eva vier: weißer Bauer."]),
        ("was steht auf eva zwei", &["ear: Eva zwei: leer."]),
        (
            "linie david",
            &["ear: David. Weiß: Dame eins, Bauer zwei. Schwarz: Bauer fünf, Dame acht."],
        ),
        ("sag reihe vier", &["ear: Reihe vier. Weiß: Bauer Eva."]),
        ("sag reihe drei", &["ear: Reihe drei: leer."]),
        ("wo sind meine türme", &["ear: Weißer Turm: Anna eins, Hector eins."]),
        ("wo sind seine springer", &["ear: Schwarzer Springer: Bella acht, Gustav acht."]),
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
        ("uhr starten", &["clock: Black"]),
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
                "proposal 1 7.3: the colours are exchanged: a new game",
            ],
        ),
        ("falsche farben", &["loud: Der Schiedsrichter entscheidet."]),
        (
            "grundstellung falsch",
            &[
                "problem 7.2.1: White says that the starting position was wrong",
                "loud: Schiedsrichter gerufen.",
                "proposal 2 7.2.1: the starting position was wrong: a new game",
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
                // Listened for when something is missing.
                Command::CompleteScore => Input::Said { seat: None, heard: vec![phrase.clone()] },
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
