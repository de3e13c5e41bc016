//! The set-up of a game and the set-up by ear, spoken, with the real libvosk, the built-in model
//! and speech made by espeak-ng.

use std::path::Path;

use annabella::service::setup::file;
use annabella_core::{
    game::At,
    lobby::{Lobby, LobbyInput, LobbyOutput, Opening},
    setup::{Around, Maker, OfferedLanguage, Port, Setup, SetupInput, SetupOutput, SoundDevice},
};
use annabella_devices::voice::{
    Pcm, Rate,
    espeak::Espeak,
    recognizer::{HeardUtterance as Heard, Listener, Model},
};
use annabella_words::phrase::{
    Part, Utterance as Phrase, Words,
    hear::{Grammar, Thresholds},
};

const FETCHED: &str = "libvosk and the built-in model: `make vosk` fetches libvosk";

/// Speech in a quiet room: noise some 60 dB below full scale before and after it.
fn speech(words: &Words, text: &str) -> Pcm {
    let text = words.pronounce(&text.to_lowercase());
    let part = Part { lang: "de".into(), text, sound: String::new() };
    let espeak = Espeak::new().expect("espeak-ng is installed by scripts/setup.sh");
    let spoken = espeak.render(&Phrase { parts: vec![part] }, Rate::default()).expect("rendered");
    let rate_hz = spoken.rate_hz;
    let mut state = 1u32;
    let mut quiet = |ms: u32| {
        let samples = (0..rate_hz / 1000 * ms).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 16) % 41) as i16 - 20
        });
        Pcm { rate_hz, samples: samples.collect() }
    };
    let mut all = quiet(800);
    all.append(&spoken);
    all.append(&quiet(1200));
    all
}

/// What is heard of something that is spoken.
fn hear(words: &Words, model: &Model, grammar: &Grammar, said: &str) -> Vec<Heard> {
    let sound = speech(words, said);
    let mut listener = Listener::new(model, model.vocabulary(words), sound.rate_hz);
    listener.set_grammar(grammar);
    let mut heard = Vec::new();
    for samples in sound.samples.chunks((sound.rate_hz / 50) as usize) {
        heard.extend(listener.feed(samples).expect("heard"));
    }
    heard.extend(listener.end());
    heard
}

/// What the lobby answers to something that is spoken.
fn answer(words: &Words, model: &Model, lobby: &mut Lobby, at_ms: u64, said: &str) -> String {
    let mut answers = Vec::new();
    for utterance in hear(words, model, &lobby.grammar(), said) {
        let input = LobbyInput::Heard { seat: None, heard: utterance.heard, pushed: false };
        for output in lobby.handle(At::new(at_ms), input) {
            if let LobbyOutput::Say { words, .. } = output {
                answers.push(words.to_string());
            }
        }
    }
    answers.join(" | ")
}

#[test]
fn the_built_in_model_hears_a_whole_set_up() {
    let words = Words::builtin("fide", "de").expect("built-in packs");
    let model = Model::open(Path::new("voices/model")).expect(FETCHED);
    let missing: Vec<String> = model.vocabulary(&words).missing().map(str::to_owned).collect();
    assert_eq!(missing, [""; 0]);
    let mut lobby = Lobby::new(words.clone(), Opening::default()).expect("a lobby");
    lobby.handle(At::new(0), LobbyInput::Opened);
    for (n, (said, answered)) in [
        ("nein", "Was ändern? Bedenkzeit."),
        ("Bedenkzeit", "Welche Bedenkzeit? Turnierpartie."),
        ("drei plus zwei", "Drei Minuten plus zwei Sekunden. Du hast Weiß. Blitz. Richtig so?"),
        ("eine Stunde", "Du hast Weiß. Sechzig Minuten. Richtig so?"),
        ("Bedenkzeit", "Welche Bedenkzeit? Sechzig Minuten."),
        ("andere Zeit", "Für wie viele Züge? Alle Züge."),
        ("vierzig Züge", "Wie viele Minuten? Dreißig Minuten."),
        ("neunzig Minuten", "Wie viele Sekunden pro Zug? Ohne Zuschlag."),
        ("dreißig Sekunden", "Für wie viele Züge? Alle Züge."),
        ("alle Züge", "Wie viele Minuten? Dreißig Minuten."),
        ("dreißig Minuten", "Wie viele Sekunden pro Zug? Ohne Zuschlag."),
        ("dreißig Sekunden", "Vierzig Züge in neunzig Minuten plus dreißig Sekunden, dann dreißig Minuten plus dreißig Sekunden. Du hast Weiß. Turnierpartie. Richtig so?"),
        ("ich habe Schwarz", "Du hast Schwarz. Turnierpartie. Richtig so?"),
        ("Namen", "Wie heißt Weiß? Ohne Namen."),
        ("buchstabieren", "Buchstabiere."),
        ("Martha Otto Richard", "Mor."),
        ("fertig", "Wie heißt Schwarz? Ohne Namen."),
        ("ohne Namen", "Du hast Schwarz. Mor gegen Schwarz. Turnierpartie. Richtig so?"),
        ("Aufgaben", "Züge auf dem anderen Brett ausführen? Ja."),
        ("nein", "Soll ich die Züge ansagen? Ja."),
        ("zurück", "Züge auf dem anderen Brett ausführen? Ja."),
        (
            "abbrechen",
            "Gut, dann nicht. Du hast Schwarz. Mor gegen Schwarz. Turnierpartie. Richtig so?",
        ),
        ("fünfzehn plus zehn", "Fünfzehn Minuten plus zehn Sekunden. Du hast Schwarz. Mor gegen Schwarz. Schnell. Richtig so?"),
        ("ja", "Prüf die Aufstellung von Hand. Alles bereit. Uhr starten?"),
    ]
    .into_iter()
    .enumerate()
    {
        let heard = answer(&words, &model, &mut lobby, n as u64 * 1000, said);
        assert_eq!(heard, answered, "{said}");
    }
}

#[test]
fn the_built_in_model_hears_which_board_is_to_be_taken_over() {
    let words = Words::builtin("fide", "de").expect("built-in packs");
    let model = Model::open(Path::new("voices/model")).expect(FETCHED);
    let spare = || {
        let opening = Opening { hall: true, ..Opening::default() };
        let mut lobby = Lobby::new(words.clone(), opening).expect("a lobby");
        lobby.handle(At::new(0), LobbyInput::Opened);
        lobby
    };
    let (mut at_once, mut in_two) = (Vec::new(), Vec::new());
    for board in (1..=100).step_by(3) {
        let number = words.prompts().number(board);
        let asked = format!("Brett {number} übernehmen?");
        let heard = answer(&words, &model, &mut spare(), 0, &format!("Brett {number} übernehmen"));
        if heard != asked {
            at_once.push(format!("{number}: {heard}"));
        }
        let mut lobby = spare();
        answer(&words, &model, &mut lobby, 0, "Brett übernehmen");
        let heard = answer(&words, &model, &mut lobby, 1000, &number);
        if heard != asked {
            in_two.push(format!("{number}: {heard}"));
        }
    }
    // She repeats the number and waits for a yes, so one that was misheard costs a word.
    assert!(at_once.len() <= 2, "{at_once:#?}");
    assert!(in_two.len() <= 1, "{in_two:#?}");
}

#[test]
fn the_built_in_model_hears_a_whole_set_up_by_ear() {
    let words = Words::builtin("fide", "de").expect("built-in packs");
    let model = Model::open(Path::new("voices/model")).expect(FETCHED);
    let device =
        |name: &str, called: &str| SoundDevice { name: name.into(), called: called.into() };
    let devices = || vec![device("default", ""), device("headset", "Headset")];
    let german =
        OfferedLanguage { name: "de".into(), words: words.clone(), own: None, hears: true };
    let around = Around {
        languages: vec![german],
        voices: ["", "f2", "m3"].map(str::to_owned).to_vec(),
        outputs: devices(),
        inputs: devices(),
        reeds: true,
        sensors: true,
        both_blind: false,
        model: false,
        pages: false,
        hotspot: false,
    };
    let settings = file::settings(&annabella::config::Config::default());
    let mut setup = Setup::new(around, settings, Thresholds::default()).expect("a language");
    let told = |outputs: &[SetupOutput]| {
        let said = outputs.iter().filter_map(|output| match output {
            SetupOutput::Say { words, .. } => Some(words.to_string()),
            _ => None,
        });
        said.collect::<Vec<_>>().join(" | ")
    };
    setup.handle(SetupInput::Opened);
    let mut asked = 0;
    for (said, answered) in [
        ("wiederhole", "Für Deutsch sag eins."),
        ("weiter", "Welche Stimme? Stimme eins."),
        ("nein", "Stimme zwei."),
        ("drei", "Ist das Sprechtempo gut?"),
        ("zurück", "Welche Stimme? Stimme zwei."),
        ("ja", "Ist das Sprechtempo gut?"),
        ("schneller", "Tempo hundertachtzig. Ist das Sprechtempo gut?"),
        ("langsamer", "Tempo hundertsechzig. Ist das Sprechtempo gut?"),
        ("ja", "Standardgerät. Hörst du mich hier?"),
        ("nein", "Headset. Hörst du mich hier?"),
        ("leiser", "Lautstärke neunzig."),
        ("ja", "Standardgerät. Hörst du mich hier?"),
        ("weiter", "Welches Mikrofon? Standardgerät."),
        ("zwei", "Sprich jetzt ein paar Worte."),
        ("weiter", "Welches Brett hast du? Ein Brett ohne Sensoren."),
        ("nein", "Ein Brett mit Sensoren."),
        ("zwei", "Brett prüfen? Du brauchst eine Figur und etwa fünf Minuten."),
        ("ja", ""),
        ("abbrechen", "Gut, dann nicht. Ich suche ein elektronisches Brett."),
        ("", "Welches Brett hat dein Gegner? Ein gewöhnliches Brett."),
        ("zwei", "Wer führt die Zeit? Die eingebaute Uhr."),
        ("nein", "Die DGT-Uhr am Brett."),
        ("ja", "Welche Bedenkzeit? Turnierpartie."),
        ("fünfzehn plus zehn", "Alles speichern?"),
        ("zurück", "Welche Bedenkzeit? Turnierpartie."),
        ("Blitz", "Alles speichern?"),
        ("Übersicht", "Blitz. Alles speichern?"),
        ("abbrechen", "Ohne Speichern beenden?"),
        ("nein", "Alles speichern?"),
        ("ja", ""),
    ] {
        let inputs = if said.is_empty() {
            let ports = vec![Port { path: "/dev/ttyACM0".into(), maker: Maker::Dgt, clock: true }];
            vec![SetupInput::Looked { number: asked, ports }]
        } else {
            let heard = hear(&words, &model, &setup.grammar(), said).into_iter();
            heard.map(|u| SetupInput::Heard { heard: u.heard, pushed: false }).collect()
        };
        let outputs: Vec<SetupOutput> =
            inputs.into_iter().flat_map(|input| setup.handle(input)).collect();
        if let Some(SetupOutput::Look { number }) = outputs.last() {
            asked = *number;
        }
        let told = told(&outputs);
        assert!(told.ends_with(answered), "{said}: {told}, not {answered}");
        assert_eq!(told.is_empty(), answered.is_empty(), "{said}: {told}");
        let written = outputs.contains(&SetupOutput::Write);
        assert_eq!(written, answered.is_empty() && setup.settings().control == "3+2");
    }
}
