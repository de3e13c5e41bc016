//! Whatever a pack lists as a question that is typed is understood, and means what its key says.

use annabella_words::phrase::{Command, Understood, Words, pack, understand, understand_typed};
use shakmaty::Chess;
use toml::Table;

/// What may stand in a phrase's slot: in the pack's words, and as squares and numbers are written.
fn named(words: &Words, slot: &str) -> Vec<(String, String)> {
    let prompts = words.prompts();
    let (e, four) = (prompts.file(shakmaty::File::E), prompts.rank(shakmaty::Rank::Fourth));
    let square = format!("{} {}", e.text, four.text);
    let pair = |text: &str, name: &str| (text.to_owned(), name.to_owned());
    match slot {
        "{square}" => vec![pair(&square, "e4"), pair("e4", "e4")],
        "{file}" => vec![pair(&e.text, "e"), pair("e", "e")],
        "{rank}" => vec![pair(&four.text, "4"), pair("4", "4")],
        "{diagonal}" => vec![pair(&square, "e4"), pair("e4", "e4")],
        "{n}" => vec![pair(&prompts.number(3), "3"), pair("3", "3")],
        "{piece}" => vec![pair(&prompts.piece(shakmaty::Role::Rook).text, "rook")],
        other => panic!("no slot {other}"),
    }
}

#[test]
fn every_question_that_is_typed_is_understood_in_every_language() {
    for name in pack::builtin_names().filter(|name| *name != "fide") {
        let words = Words::builtin(name, name).expect("a pack");
        let table: Table = pack::builtin(name).expect("a pack").parse().expect("TOML");
        let typed = table["typed"].as_table().expect("a table");
        let phrases = typed.iter().flat_map(|(key, texts)| {
            let texts = texts.as_array().expect("a list").iter();
            texts.map(move |text| (key.as_str(), text.as_str().expect("a text")))
        });
        let mut count = 0;
        for (key, phrase) in phrases {
            let slot = phrase.find('{').map(|at| &phrase[at..=phrase.find('}').expect("an end")]);
            let asked = match slot {
                None => vec![(phrase.to_owned(), key.to_owned())],
                Some(slot) => named(&words, slot)
                    .into_iter()
                    .map(|(text, of)| (phrase.replace(slot, &text), format!("{key} {of}")))
                    .collect(),
            };
            for (text, meant) in asked {
                let understood = understand_typed(&words, &Chess::default(), &text);
                let Understood::Command(command) = &understood else {
                    panic!("{name}: '{text}' is {understood:?}, and no {meant}");
                };
                assert_eq!(command.name(), meant, "{name}: '{text}'");
                count += 1;
            }
        }
        assert!(count >= 250, "{name} knows {count} ways to ask");
    }
}

#[test]
fn what_is_near_a_question_is_answered_with_it_and_what_is_near_none_with_nothing() {
    let german = Words::builtin("fide", "de").expect("packs");
    for (typed, nearest) in [
        ("wieviel zeit hab ich", Some(Command::MyTime)),
        ("was war denn der letzte Zug", Some(Command::LastMove)),
        (
            "wo sind denn meine Türme",
            Some(Command::Where { role: shakmaty::Role::Rook, mine: true }),
        ),
        ("letzer Zug", Some(Command::LastMove)),
        ("Regenschirm", None),
        ("wie wird das Wetter", None),
        // Nobody is offered to resign, and nobody is advised.
        ("aufgebn", None),
        ("Remis anbietn", None),
        ("wie stehe ich", None),
    ] {
        assert_eq!(german.nearest_question(typed), nearest, "{typed}");
    }
    assert_eq!(german.nearest_question("wievil Zeit hab ich"), Some(Command::MyTime));
    let english = Words::builtin("en", "en").expect("packs");
    assert_eq!(english.nearest_question("whats my time"), Some(Command::MyTime));
}

#[test]
fn a_correction_and_its_move_are_told_apart_as_they_were_typed() {
    let german = Words::builtin("fide", "de").expect("packs");
    assert_eq!(german.after_correction("Korrektur  Sf3"), Some("Sf3"));
    assert_eq!(german.after_correction("Korrektur"), None);
    assert_eq!(german.after_correction("Sf3"), None);
}

/// What stands before a move and what is read as another word are known words, or lead to none.
#[test]
fn other_words_and_old_spellings_are_read_as_the_known_ones() {
    let german = Words::builtin("fide", "de").expect("packs");
    let understood = |text: &str| understand_typed(&german, &Chess::default(), text);
    assert_eq!(understood("wieviel Zeit hab ich"), Understood::Command(Command::MyTime));
    assert_eq!(understood("Pferd f3"), understood("Springer f3"));
    assert_eq!(understood("Regenschirm f3"), Understood::NotHeard);
    assert_eq!(german.after_lead("ich spiele  Sf3"), Some("Sf3"));
    assert_eq!(german.after_lead("ich spiele"), None);
    assert_eq!(german.with_piece_spelt("Spinger f3").as_deref(), Some("Springer f3"));
    for known in ["Springer f3", "Regenschirm f3", "e4", "Sf3"] {
        assert_eq!(german.with_piece_spelt(known), None, "{known}");
    }
    for name in pack::builtin_languages() {
        let words = Words::builtin(name, name).expect("a pack");
        let table: Table = pack::builtin(name).expect("a pack").parse().expect("TOML");
        let typed = table["typed-words"].as_table().expect("a table");
        for lead in typed["leads"].as_array().expect("a list") {
            let lead = lead.as_str().expect("a text");
            let told = match lead.contains("{move}") {
                true => lead.replace("{move}", "e4"),
                false => format!("{lead} e4"),
            };
            assert_eq!(words.after_lead(&told), Some("e4"), "{name}: {lead}");
        }
        for (other, known) in
            typed.get("as").and_then(|table| table.as_table()).into_iter().flatten()
        {
            let read = |word: &str| understand_typed(&words, &Chess::default(), word);
            let known = known.as_str().expect("a text");
            assert_eq!(read(other), read(known), "{name}: {other}");
        }
    }
}

/// A guess is about the player's own things where he names his own, about pieces where he names
/// one, and there is none behind "nein".
#[test]
fn no_question_is_offered_for_what_it_does_not_ask() {
    let mine = |command| matches!(command, Command::MoveOf { mine: true } | Command::MyTime);
    for (language, typed) in [
        ("de", "was war sein letzter Zug denn"),
        ("de", "was war sein letzter Zug"),
        ("de", "was war denn der letzte Zug von ihm"),
        ("en", "and what was his last move"),
        ("fr", "quel était donc son dernier coup"),
        ("es", "cuál fue su última jugada"),
        ("lt", "koks buvo jo paskutinis ėjimas"),
        ("pl", "jaki był jego ostatni ruch"),
        ("ru", "какой был его последний ход"),
    ] {
        let words = Words::builtin(language, language).expect("packs");
        let near = words.nearest_question(typed);
        assert!(!near.is_some_and(mine), "{language}: {typed}: {near:?}");
    }
    let german = Words::builtin("fide", "de").expect("packs");
    for typed in ["bitte", "danke", "also gut", "nein, Turm", "ich spiele gern"] {
        assert_eq!(german.nearest_question(typed), None, "{typed}");
    }
    let near = german.nearest_question("wie viele Bauern hat er");
    assert!(!near.is_some_and(Command::informs), "{near:?}");
    let near = german.nearest_question("was war sein letzter Zug denn");
    assert_eq!(near, Some(Command::MoveOf { mine: false }));
}

#[test]
fn offers_and_resignations_are_typed_in_common_words() {
    use Command::{No, OfferDraw, Pending, Resign, StartClock, WrongColours, Yes};
    for (language, command, typed) in [
        (
            "de",
            OfferDraw,
            &["ich biete dir Remis an", "wollen wir Remis machen", "unentschieden?"][..],
        ),
        ("de", Resign, &["ich geb auf", "ich will aufgeben"]),
        ("de", No, &["doch nicht"]),
        ("de", Yes, &["ja gerne"]),
        ("de", Pending, &["hat er Remis angeboten", "liegt ein Remisangebot vor"]),
        ("de", StartClock, &["los", "Stell die Uhr an"]),
        ("en", OfferDraw, &["would you like a draw"]),
        ("en", Resign, &["I give up"]),
        ("en", WrongColours, &["wrong colors"]),
        ("en", Pending, &["did he offer a draw"]),
        ("fr", Resign, &["abandon"]),
        ("es", OfferDraw, &["te ofrezco tablas"]),
        ("es", StartClock, &["pon el reloj"]),
        ("ru", StartClock, &["пусти часы"]),
    ] {
        let words = Words::builtin(language, language).expect("packs");
        for typed in typed {
            let understood = understand_typed(&words, &Chess::default(), typed);
            assert_eq!(understood, Understood::Command(command), "{language}: {typed}");
            let heard = understand(&words, &Chess::default(), typed);
            assert!(
                command == Pending || heard == Understood::NotHeard,
                "{language}: {typed} is listened for"
            );
        }
    }
}

/// Only what can be said calls the arbiter when it is typed: all else that names him is asked
/// about.
#[test]
fn only_a_command_calls_the_arbiter_and_every_other_line_that_names_him_is_none() {
    for name in pack::builtin_languages() {
        let words = Words::builtin(name, name).expect("a pack");
        let table: Table = pack::builtin(name).expect("a pack").parse().expect("TOML");
        assert!(
            !table["typed"].as_table().expect("a table").contains_key("call-arbiter"),
            "{name}"
        );
        let said = table["commands"]["call-arbiter"].as_array().expect("a list").iter();
        for phrase in said.map(|text| text.as_str().expect("a text")) {
            let read = understand_typed(&words, &Chess::default(), phrase);
            assert_eq!(read, Understood::Command(Command::CallArbiter), "{name}: {phrase}");
            assert!(words.names_arbiter(phrase), "{name}: {phrase}");
        }
    }
}

#[test]
fn a_resignation_of_the_opponent_is_typed_in_every_language_and_never_guessed_at() {
    use Command::{ResignsBy, TheyResign};
    let (white, black) = (ResignsBy { white: true }, ResignsBy { white: false });
    for (language, typed) in [
        ("de", ["mein Gegner gibt auf", "Weiß gibt auf", "Schwarz gibt auf"]),
        ("en", ["my opponent resigns", "White resigns", "Black resigns"]),
        ("es", ["mi rival abandona", "las blancas abandonan", "las negras se rinden"]),
        ("fr", ["mon adversaire abandonne", "les Blancs abandonnent", "les Noirs abandonnent"]),
        ("lt", ["mano varžovas pasiduoda", "baltieji pasiduoda", "juodieji pasiduoda"]),
        ("pl", ["mój przeciwnik się poddaje", "białe się poddają", "czarne poddają się"]),
        ("ru", ["мой соперник сдаётся", "белые сдаются", "чёрные сдаются"]),
    ] {
        let words = Words::builtin(language, language).expect("packs");
        for (typed, command) in typed.into_iter().zip([TheyResign, white, black]) {
            let read = understand_typed(&words, &Chess::default(), typed);
            assert_eq!(read, Understood::Command(command), "{language}: {typed}");
            // No microphone takes it for one.
            assert_eq!(understand(&words, &Chess::default(), typed), Understood::NotHeard);
        }
    }
    let german = Words::builtin("fide", "de").expect("packs");
    for typed in ["ich glaube mein Gegner gibt auf", "mein Gegner gibt die Partie auf"] {
        assert_eq!(german.nearest_question(typed), None, "{typed}");
    }
}

#[test]
fn natural_questions_are_understood() {
    use Command::{
        Captured, Faster, MoveOf, MovesFrom, MovesToControl, OfferDraw, OnSquare, OpponentTime,
        Position, Repeat, Slower, StartClock, TakeBack, Where,
    };
    use shakmaty::{Role, Square};
    for (language, typed, command) in [
        ("de", "wiederhol bitte", Repeat),
        ("de", "wie viele Bauern hat er", Where { role: Role::Pawn, mine: false }),
        ("de", "ist das Feld d5 frei", OnSquare(Square::D5)),
        ("en", "which moves were played", MovesFrom(1)),
        ("en", "can I have a draw", OfferDraw),
        ("en", "undo that", TakeBack),
        ("en", "what has been captured", Captured),
        ("en", "read me the board", Position),
        ("es", "poner en marcha el reloj", StartClock),
        ("fr", "la case d5 est-elle libre", OnSquare(Square::D5)),
        ("fr", "le temps de l'adversaire", OpponentTime),
        ("lt", "kaip jis paėjo", MoveOf { mine: false }),
        ("pl", "ruchów do kontroli", MovesToControl),
        ("ru", "помедленнее", Slower),
        ("ru", "побыстрее", Faster),
        ("ru", "как он сходил", MoveOf { mine: false }),
    ] {
        let words = Words::builtin(language, language).expect("packs");
        let read = understand_typed(&words, &Chess::default(), typed);
        assert_eq!(read, Understood::Command(command), "{language}: {typed}");
    }
}

/// A sentence does not depend on the grammar of what fills it.
#[test]
fn numbers_and_names_stand_where_they_need_no_case() {
    use annabella_words::phrase::{Prompt, Slot};
    use shakmaty::Color::White;
    let sentences = [Slot::Number(30), Slot::Number(12), Slot::Number(29)];
    for (language, prompt, slots, said) in [
        ("pl", Prompt::DrawByMoves, &[Slot::Number(75)][..], "Remis: siedemdziesiąt pięć ruchów."),
        (
            "pl",
            Prompt::EnrolResult,
            &sentences,
            "Zdania: trzydzieści. Zrozumiane przedtem: dwanaście, teraz: dwadzieścia dziewięć.",
        ),
        (
            "lt",
            Prompt::EnrolResult,
            &sentences,
            "Sakiniai: trisdešimt. Suprasta anksčiau: dvylika, dabar: dvidešimt devyni.",
        ),
        ("pl", Prompt::InCheck, &[Slot::Player(White)], "Szach. Szachowane: Białe."),
        ("lt", Prompt::InCheck, &[Slot::Player(White)], "Šachas. Puolami: Baltieji."),
        ("es", Prompt::TimeWarning, &[Slot::Duration(60_000)], "Tiempo restante: un minuto."),
        ("es", Prompt::EnrolLeft, &[Slot::Number(1)], "Restantes: uno."),
        (
            "es",
            Prompt::LeverLies,
            &[Slot::Player(White)],
            "La palanca del reloj está al revés. Abajo debe estar este lado: Las blancas.",
        ),
        (
            "es",
            Prompt::AskName,
            &[Slot::Player(White)],
            "¿Cómo se llama este jugador: Las blancas?",
        ),
        (
            "fr",
            Prompt::LeverLies,
            &[Slot::Player(White)],
            "Le levier de la pendule est du mauvais côté. Il faut en bas ce côté: Les Blancs.",
        ),
        ("fr", Prompt::AskName, &[Slot::Player(White)], "Comment s'appelle ce joueur: Les Blancs?"),
        ("lt", Prompt::AskName, &[Slot::Player(White)], "Koks žaidėjo vardas: Baltieji?"),
    ] {
        let words = Words::builtin(language, language).expect("packs");
        assert_eq!(words.prompt(prompt, slots).to_string(), said, "{language}");
    }
    // A guess has the marks of its language.
    let spanish = Words::builtin("es", "es").expect("packs");
    assert_eq!(spanish.asks_for(Command::BothTimes).to_string(), "¿Los dos tiempos?");
    // What is spoken in French is written in one way, as on a Braille line.
    let french: Table = pack::builtin("fr").expect("a pack").parse().expect("TOML");
    for (key, text) in french["prompts"].as_table().expect("a table") {
        let text = text.as_str().expect("a text");
        assert!(![" ?", " :", " !", " ;"].iter().any(|mark| text.contains(mark)), "{key}");
    }
}

/// What is read in the place of other words is read itself, and what is passed over is no move.
#[test]
fn words_of_moves_that_are_typed_lead_to_known_ones() {
    for name in pack::builtin_languages() {
        let words = Words::builtin(name, name).expect("a pack");
        let table: Table = pack::builtin(name).expect("a pack").parse().expect("TOML");
        let typed = table["typed-words"].as_table().expect("a table");
        let list = |key: &str| -> Vec<String> {
            let texts = typed[key].as_array().expect("a list").iter();
            texts.map(|text| text.as_str().expect("a text").to_owned()).collect()
        };
        for filler in list("fillers") {
            let bare = words.without_fillers(&format!("{filler}, Sf3 {filler}"));
            assert_eq!(bare.as_deref(), Some("Sf3"), "{name}: {filler}");
        }
        for around in list("around") {
            let bare = words.without_what_stands_around(&format!("{around} Sf3"));
            assert_eq!(bare.as_deref(), Some("Sf3"), "{name}: {around}");
        }
        for slip in list("slips") {
            assert_eq!(words.after_slip(&format!("{slip}, Sf3")), Some("Sf3"), "{name}: {slip}");
        }
        for passed in list("fillers").iter().chain(&list("around")) {
            let read = understand_typed(&words, &Chess::default(), passed);
            let harmless = matches!(read, Understood::NotHeard | Understood::Command(_));
            assert!(harmless, "{name}: {passed} is {read:?}");
        }
        for (other, known) in typed["in-moves"].as_table().expect("a table") {
            let known = known.as_str().expect("a text").to_lowercase();
            let mut own = words
                .moves()
                .move_words()
                .flat_map(|word| word.heard().map(str::to_lowercase).collect::<Vec<_>>());
            let is =
                |text: &str, word: &String| text == word || text.starts_with(&format!("{word} "));
            assert!(own.any(|word| is(&known, &word)), "{name}: {other} is read as {known}");
        }
    }
}
