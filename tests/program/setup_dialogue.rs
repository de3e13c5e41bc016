//! The dialogue of the set-up by ear: what is said in which language, and whatever people and
//! devices do it never loses an answer, undoes exactly and ends with a configuration that is right.

use std::sync::LazyLock;

use annabella::{config::Config, service::setup::file};
use annabella_core::{
    game::Channel,
    questionnaire::Key,
    setup::{
        Around, Fetched, FoundWires, Maker, OfferedLanguage, Own, Port, Setup, SetupInput,
        SetupOutput, SetupSettings, SoundDevice, SoundLevel, TestStep,
    },
};
use annabella_words::phrase::{
    Command, Prompt, SetupWord, Words,
    hear::{Heard, Hypothesis, Thresholds},
    pack,
};
use proptest::prelude::*;

fn device(name: &str, called: &str) -> SoundDevice {
    SoundDevice { name: name.to_owned(), called: called.to_owned() }
}

/// Everything is there.
fn around() -> Around {
    static AROUND: LazyLock<Around> = LazyLock::new(|| {
        let language = |name: &str| OfferedLanguage {
            name: name.to_owned(),
            words: Words::builtin("fide", name).expect("built in"),
            own: (name != "de").then(|| Words::builtin(name, name).expect("built in")),
            hears: name == "de",
        };
        let both = || vec![device("default", ""), device("sysdefault:CARD=H", "Headset")];
        Around {
            languages: pack::builtin_names().filter(|n| *n != "fide").map(language).collect(),
            voices: ["", "f2"].map(str::to_owned).to_vec(),
            outputs: both(),
            inputs: both(),
            reeds: true,
            sensors: true,
            both_blind: false,
            model: false,
            pages: false,
            hotspot: false,
        }
    });
    AROUND.clone()
}

/// A board whose answer is "as before".
const SIMULATED: &str = "[board]\nkind = \"sim\"\n";

fn simulated() -> Config {
    Config::parse(SIMULATED, "a.toml").expect("right")
}

fn settings() -> SetupSettings {
    file::settings(&simulated())
}

fn dialogue(around: Around) -> Setup {
    Setup::new(around, settings(), Thresholds::default()).expect("a language")
}

/// What is said, with where it is said if not in the ear, and what is done.
fn heard(outputs: &[SetupOutput]) -> Vec<String> {
    let told = outputs.iter().map(|output| match output {
        SetupOutput::Say { channel: Channel::Private, words } => words.to_string(),
        SetupOutput::Say { words, .. } => format!("aloud: {words}"),
        SetupOutput::Hush | SetupOutput::Understood(_) => String::new(),
        SetupOutput::Sounding(sounding) => format!("({}, {})", sounding.voice, sounding.rate),
        SetupOutput::Tones(_) => "(tones)".to_owned(),
        SetupOutput::Measure { device, .. } => format!("(measure {device})"),
        SetupOutput::Look { .. } => "(look)".to_owned(),
        SetupOutput::Fetch { .. } => "(fetch)".to_owned(),
        SetupOutput::Share { .. } => "(share)".to_owned(),
        SetupOutput::Test { .. } => "(test)".to_owned(),
        SetupOutput::TestStep(step) => format!("({step:?})"),
        SetupOutput::StopTest => "(stop)".to_owned(),
        SetupOutput::Write => "(write)".to_owned(),
        SetupOutput::Finished { saved } => format!("(finished {saved})"),
    });
    told.filter(|line| !line.is_empty()).collect()
}

fn typed(setup: &mut Setup, text: &str) -> String {
    heard(&setup.handle(SetupInput::Said(text.to_owned()))).join(" | ")
}

fn says(setup: &mut Setup, text: &str, sure: f64) -> String {
    let heard_as = Heard::ranked(vec![Hypothesis::new(text, sure)]);
    heard(&setup.handle(SetupInput::Heard { heard: heard_as, pushed: false })).join(" | ")
}

#[test]
fn the_first_question_is_asked_in_every_language_by_its_own_voice() {
    let mut setup = dialogue(around());
    let outputs = setup.handle(SetupInput::Opened);
    let [SetupOutput::Say { channel: Channel::Private, words }] = outputs.as_slice() else {
        panic!("{outputs:?}");
    };
    let parts: Vec<(&str, &str)> =
        words.parts.iter().map(|part| (part.lang.as_str(), part.text.as_str())).collect();
    assert_eq!(
        parts,
        [
            ("de", "Für Deutsch sag eins."),
            ("en", "For English say two."),
            ("ru", "Для русского скажите три."),
            ("fr", "Pour le français dis quatre."),
            ("es", "Para español di cinco."),
            ("pl", "Po polsku: powiedz sześć."),
            ("lt", "Lietuviškai: sakykite septyni."),
        ]
    );
    assert_eq!(
        heard(&setup.handle(SetupInput::Key(Key::Previous))),
        ["Lietuviškai? Kairysis mygtukas: ne. Dešinysis mygtukas: taip."]
    );
}

#[test]
fn after_the_choice_everything_is_in_that_language() {
    for (language, asked) in [
        ("de", "Welche Stimme? Stimme eins."),
        ("en", "Announce moves in FIDE's German names?"),
        ("ru", "Объявлять ходы немецкими именами ФИДЕ?"),
        ("fr", "Annoncer les coups avec les noms allemands de la FIDE?"),
        ("es", "¿Anunciar las jugadas con los nombres alemanes de la FIDE?"),
        ("pl", "Zapowiadać ruchy niemieckimi nazwami FIDE?"),
        ("lt", "Skelbti ėjimus vokiškais FIDE vardais?"),
    ] {
        let mut setup = dialogue(around());
        setup.handle(SetupInput::Opened);
        let pack = setup.words().prompts().language().to_owned();
        assert_eq!(pack, "Deutsch");
        let name =
            annabella_words::phrase::Pack::builtin(language).expect("there").language().to_owned();
        let told = typed(&mut setup, &name);
        assert!(told.ends_with(asked), "{told}");
        assert_eq!(setup.words().prompts().code(), language);
        assert_eq!(setup.settings().language, language);
    }
}

#[test]
fn a_language_that_is_not_understood_is_asked_about_who_only_speaks() {
    let mut setup = dialogue(around());
    setup.handle(SetupInput::Opened);
    assert_eq!(says(&mut setup, "zwei", 0.98), "English? Left key: no. Right key: yes.");
    assert!(says(&mut setup, "nein", 0.98).starts_with("Für Deutsch sag eins."));
    says(&mut setup, "zwei", 0.98);
    let told = says(&mut setup, "ja", 0.98);
    assert!(told.starts_with("I cannot understand speech. Use the keys. Say: yes"), "{told}");
}

#[test]
fn what_is_heard_with_doubt_is_asked_about() {
    let mut setup = dialogue(around());
    setup.handle(SetupInput::Opened);
    typed(&mut setup, "Deutsch");
    assert_eq!(says(&mut setup, "zwei", 0.6), "Stimme zwei?");
    assert_eq!(says(&mut setup, "nein", 0.98), "Welche Stimme? Stimme eins.");
    assert_eq!(says(&mut setup, "zwei", 0.6), "Stimme zwei?");
    assert_eq!(says(&mut setup, "wiederhole", 0.98), "Stimme zwei?");
    assert_eq!(says(&mut setup, "ja", 0.98), "(f2, 160) | Ist das Sprechtempo gut?");
    assert_eq!(says(&mut setup, "der kaffee ist kalt", 0.98), "");
}

#[test]
fn a_late_answer_of_a_device_is_about_nothing_any_more() {
    let mut setup = dialogue(around());
    setup.handle(SetupInput::Opened);
    for _ in 0..6 {
        typed(&mut setup, "weiter");
    }
    // Measuring was skipped: what comes of it later is not said.
    assert_eq!(typed(&mut setup, "weiter"), "Welches Brett hast du? Wie bisher.");
    assert!(typed(&mut setup, "weiter").contains("Brett prüfen?"));
    for number in 0..5 {
        let late = SetupInput::Measured { number, level: SoundLevel::Good };
        assert_eq!(setup.handle(late), []);
        assert_eq!(setup.handle(SetupInput::Tested { number, wires: None }), []);
        assert_eq!(setup.handle(SetupInput::Looked { number, ports: Vec::new() }), []);
        assert_eq!(setup.handle(SetupInput::Written(true)), []);
    }
}

#[test]
fn a_board_that_is_lost_in_the_test_is_said_and_the_next_question_follows() {
    let mut setup = dialogue(around());
    setup.handle(SetupInput::Opened);
    for _ in 0..8 {
        typed(&mut setup, "weiter");
    }
    assert_eq!(typed(&mut setup, "ja"), "(test)");
    let number = 3;
    let lost = heard(&setup.handle(SetupInput::Tested { number, wires: None }));
    assert_eq!(
        lost,
        ["Keine Verbindung zu deinem Brett. Ich suche ein elektronisches Brett.", "(look)"]
    );
}

const OFFER: &str = "Das offizielle deutsche Sprachmodell hat von vielen Menschen gelernt und versteht die meisten \
    besser. Soll ich es holen? Es sind fünfundvierzig Megabyte.";
const COMING: &str = "Das Sprachmodell wird nebenher geholt.";
const BOARD: &str = "Welches Brett hast du? Wie bisher.";
const TEST: &str = "Brett prüfen? Du brauchst eine Figur und etwa fünf Minuten.";

/// Asked everything up to the speech model, or the board's test where that is not offered.
fn up_to_the_model(model: bool, language: &str) -> (Setup, String) {
    let mut setup = dialogue(Around { model, ..around() });
    setup.handle(SetupInput::Opened);
    typed(&mut setup, language);
    let mut told = String::new();
    for _ in 0..10 {
        if told.ends_with(OFFER) || told.ends_with(TEST) || told.contains("Test the board?") {
            break;
        }
        told = heard(&setup.handle(SetupInput::Said("weiter".to_owned()))).join(" | ");
        if told.contains("Please") {
            told = typed(&mut setup, "next");
        }
    }
    (setup, told)
}

#[test]
fn the_official_speech_model_is_offered_where_a_network_is_there() {
    let (_, told) = up_to_the_model(false, "Deutsch");
    assert_eq!(told, TEST);
    let (mut setup, told) = up_to_the_model(true, "Deutsch");
    assert_eq!(told, OFFER);
    assert_eq!(typed(&mut setup, "nein"), BOARD);
    // The right button alone changes nothing.
    let (mut setup, _) = up_to_the_model(true, "Deutsch");
    assert_eq!(heard(&setup.handle(SetupInput::Key(Key::Choose))), [BOARD]);
    for (fetched, said) in [
        (Fetched::There, "Das Sprachmodell ist da. Beim nächsten Start hört es zu."),
        (
            Fetched::Unreachable,
            "Das Sprachmodell ist nicht zu erreichen. Es bleibt beim eingebauten.",
        ),
        (
            Fetched::Failed,
            "Das Sprachmodell ist beschädigt angekommen. Es bleibt beim eingebauten.",
        ),
    ] {
        let (mut setup, _) = up_to_the_model(true, "Deutsch");
        let outputs = setup.handle(SetupInput::Said("ja".to_owned()));
        assert_eq!(heard(&outputs), ["(fetch)".to_owned(), format!("{COMING} {BOARD}")]);
        let number = outputs.iter().find_map(|output| match output {
            SetupOutput::Fetch { number } => Some(*number),
            _ => None,
        });
        let number = number.expect("fetched");
        // Nothing waits for it, another's answer is not its, and it is told once.
        assert!(!setup.is_waiting());
        let other = SetupInput::Fetched { number: number + 1, fetched };
        assert_eq!(setup.handle(other), []);
        assert_eq!(heard(&setup.handle(SetupInput::Fetched { number, fetched })), [said]);
        assert_eq!(setup.handle(SetupInput::Fetched { number, fetched }), []);
        // The question stands as before.
        assert_eq!(typed(&mut setup, "weiter"), TEST);
        assert_eq!(typed(&mut setup, "nein"), "Ich suche ein elektronisches Brett. | (look)");
    }
}

#[test]
fn a_speech_model_that_is_still_coming_is_told_of_at_the_end_and_asked_for_once() {
    let (mut setup, _) = up_to_the_model(true, "Deutsch");
    typed(&mut setup, "ja");
    assert_eq!(typed(&mut setup, "zurück"), OFFER);
    assert_eq!(typed(&mut setup, "ja"), format!("{COMING} {BOARD}"), "no second time");
    typed(&mut setup, "fertig");
    assert_eq!(typed(&mut setup, "ja"), "(write)");
    let told = heard(&setup.handle(SetupInput::Written(true)));
    assert_eq!(told, [format!("Gespeichert. {COMING}"), "(finished true)".to_owned()]);
}

#[test]
fn telephones_reach_the_pages_only_after_a_yes() {
    const ASK: &str =
        "Sollen Telefone in diesem Netz die Seiten für Assistent und Schiedsrichter öffnen können?";
    let mut setup = dialogue(Around { pages: true, ..around() });
    setup.handle(SetupInput::Opened);
    while typed(&mut setup, "weiter") != ASK {}
    // The offered answer is the one that is set.
    let mut left = setup.clone();
    left.handle(SetupInput::Key(Key::Choose));
    assert!(!left.settings().pages);
    typed(&mut setup, "ja");
    assert!(setup.settings().pages);
    let listen = |old: &str, pages: bool| {
        let config = Config::parse(old, "old").expect("right");
        let before = file::settings(&config);
        let after = SetupSettings { pages, ..before.clone() };
        let text = file::text(old, &config, &before, &after).expect("right");
        Config::parse(&text, "new").expect("right").console.listen.map(|at| at.to_string())
    };
    let at = |port: u16| format!("[console]\nlisten = \"127.0.0.1:{port}\"\n");
    let wide = "[console]\nlisten = \"[::]:9000\"\n";
    assert_eq!(listen("", true).as_deref(), Some("0.0.0.0:8080"));
    assert_eq!(listen(&at(9000), true).as_deref(), Some("0.0.0.0:9000"));
    assert_eq!(listen(wide, true).as_deref(), Some("[::]:9000"), "as it is");
    assert_eq!(listen(wide, false).as_deref(), Some("127.0.0.1:9000"));
    assert_eq!(listen("[console]\nlisten = \"\"\n", false), None, "still off");
}

#[test]
fn help_is_short_and_longer_the_second_time() {
    let mut setup = dialogue(around());
    setup.handle(SetupInput::Opened);
    typed(&mut setup, "eins");
    let short = "Sag: ja, nein, wiederhole, abbrechen. Für mehr: noch einmal Hilfe.";
    assert_eq!(typed(&mut setup, "Hilfe"), short);
    let all = typed(&mut setup, "Hilfe");
    assert!(all.starts_with("Sag: ja, nein, weiter, zurück, wiederhole, fertig, oder"), "{all}");
    assert_eq!(typed(&mut setup, "Hilfe"), short);
}

#[test]
fn a_machine_in_no_network_makes_one_for_the_telephones() {
    const PAGES: &str =
        "Sollen Telefone in diesem Netz die Seiten für Assistent und Schiedsrichter öffnen können?";
    const OFFER: &str =
        "Dieses Gerät ist in keinem Netz. Soll es ein eigenes WLAN für die Telefone machen?";
    let asked = |hotspot| {
        let mut setup = dialogue(Around { pages: true, hotspot, ..around() });
        setup.handle(SetupInput::Opened);
        while typed(&mut setup, "weiter") != PAGES {}
        setup
    };
    let mut setup = asked(true);
    // Without telephones, or in a network, nobody is asked.
    assert!(typed(&mut setup.clone(), "nein").starts_with("Welche Bedenkzeit?"));
    assert!(typed(&mut asked(false), "ja").starts_with("Welche Bedenkzeit?"));
    assert_eq!(typed(&mut setup, "ja"), OFFER);
    assert!(typed(&mut setup.clone(), "nein").starts_with("Welche Bedenkzeit?"));
    assert_eq!(typed(&mut setup, "ja"), "Ich schalte das WLAN ein. | (share)");
    let shared = |setup: &mut Setup, number, password: Option<&str>| {
        let password = password.map(str::to_owned);
        heard(&setup.handle(SetupInput::Shared { number, password })).join(" | ")
    };
    // An answer to another question concerns nothing.
    assert_eq!(shared(&mut setup, 77, Some("1")), "");
    let number =
        1 + (1..9).find(|n| !shared(&mut setup.clone(), n + 1, None).is_empty()).expect("asked");
    let told = shared(&mut setup.clone(), number, Some("482130075518"));
    let on = "Das WLAN heißt Annabella. Kennwort: vier acht zwei eins, drei null null sieben, fünf fünf eins acht. \
              Welche Bedenkzeit?";
    assert!(told.starts_with(on), "{told}");
    let told = shared(&mut setup.clone(), number, None);
    assert!(told.starts_with("Das WLAN ging nicht an. Welche Bedenkzeit?"), "{told}");
    assert_eq!(typed(&mut setup, "zurück"), OFFER);
}

#[test]
fn who_has_no_loudspeaker_says_so() {
    let mut setup = dialogue(around());
    setup.handle(SetupInput::Opened);
    for _ in 0..4 {
        typed(&mut setup, "weiter");
    }
    assert_eq!(
        heard(&setup.handle(SetupInput::Key(Key::Previous))).last().map(String::as_str),
        Some("Kein Lautsprecher.")
    );
    typed(&mut setup, "ja");
    assert_eq!(setup.settings().loudspeaker, "none");
}

#[test]
fn a_board_without_sensors_comes_first_and_is_not_tested() {
    let mut setup = dialogue(around());
    setup.handle(SetupInput::Opened);
    for _ in 0..6 {
        typed(&mut setup, "weiter");
    }
    assert_eq!(typed(&mut setup, "weiter"), "Welches Brett hast du? Wie bisher.");
    assert_eq!(heard(&setup.handle(SetupInput::Key(Key::Next))), ["Ein Brett ohne Sensoren."]);
    assert_eq!(heard(&setup.handle(SetupInput::Key(Key::Next))), ["Ein Brett mit Sensoren."]);
    assert_eq!(typed(&mut setup, "1"), "Willst du nach jedem Zug sagen, dass er ausgeführt ist?");
    assert_eq!(setup.settings().board, Own::Plain { spoken: false });
    assert_eq!(typed(&mut setup, "ja"), "Ich suche ein elektronisches Brett. | (look)");
    assert_eq!(setup.settings().board, Own::Plain { spoken: true });
    let after = setup.settings().clone();
    let text = file::text(SIMULATED, &simulated(), &settings(), &after).expect("right");
    let config = Config::parse(&text, "written").expect("right");
    assert_eq!(config.game().hands.white, annabella_core::game::HandsKnown::Spoken);
    assert_eq!(
        typed(&mut setup, "zurück"),
        "Willst du nach jedem Zug sagen, dass er ausgeführt ist?"
    );
    // The list stands where the keys left it, and nothing is chosen.
    assert_eq!(typed(&mut setup, "zurück"), "Welches Brett hast du? Ein Brett mit Sensoren.");
    assert_eq!(setup.settings().board, Own::AsBefore);
}

/// What somebody or something does.
#[derive(Clone, Debug)]
enum Event {
    Key(Key),
    Typed(&'static str),
    Heard(&'static str, f64),
    Idle,
    Measured(SoundLevel, bool),
    Looked(u8, bool),
    Tested(Option<bool>, bool),
    Written(bool),
    Fetched(Fetched, u32),
}

const TEXTS: [&str; 30] = [
    "ja",
    "nein",
    "weiter",
    "zurück",
    "wiederhole",
    "fertig",
    "abbrechen",
    "lauter",
    "leiser",
    "schneller",
    "langsamer",
    "hilfe",
    "stopp",
    "übersicht",
    "1",
    "2",
    "3",
    "99",
    "-1",
    "",
    "blitz",
    "fünfzehn plus zehn",
    "40/90+30:30+30",
    "english",
    "deutsch",
    "yes",
    "back",
    "next",
    "zwei",
    "\u{0}",
];

fn events() -> impl Strategy<Value = Event> {
    let key = prop::sample::select(&Key::ALL[..]);
    let text = prop::sample::select(&TEXTS[..]);
    let levels = [
        SoundLevel::Missing,
        SoundLevel::Silent,
        SoundLevel::TooQuiet,
        SoundLevel::Good,
        SoundLevel::Clipping,
    ];
    prop_oneof![
        6 => key.prop_map(Event::Key),
        6 => text.clone().prop_map(Event::Typed),
        4 => (text, 0.0f64..1.2).prop_map(|(text, sure)| Event::Heard(text, sure)),
        1 => Just(Event::Idle),
        2 => (prop::sample::select(levels.to_vec()), any::<bool>())
            .prop_map(|(level, late)| Event::Measured(level, late)),
        2 => (0u8..3, any::<bool>()).prop_map(|(ports, late)| Event::Looked(ports, late)),
        2 => (any::<Option<bool>>(), any::<bool>())
            .prop_map(|(found, late)| Event::Tested(found, late)),
        2 => any::<bool>().prop_map(Event::Written),
        1 => (prop::sample::select(vec![Fetched::There, Fetched::Unreachable, Fetched::Failed]), 0u32..9)
            .prop_map(|(fetched, number)| Event::Fetched(fetched, number)),
    ]
}

fn input(event: Event, number: u32) -> SetupInput {
    let asked = |late: bool| if late { number.wrapping_sub(1) } else { number };
    match event {
        Event::Key(key) => SetupInput::Key(key),
        Event::Typed(text) => SetupInput::Said(text.to_owned()),
        Event::Heard(text, sure) => SetupInput::Heard {
            heard: Heard::ranked(vec![Hypothesis::new(text, sure)]),
            pushed: sure > 0.5,
        },
        Event::Idle => SetupInput::Idle,
        Event::Measured(level, late) => SetupInput::Measured { number: asked(late), level },
        Event::Looked(count, late) => {
            let port = |n| Port {
                path: format!("/dev/ttyACM{n}"),
                maker: Maker::ALL[usize::from(n) % 4].1,
                clock: n == 0,
            };
            SetupInput::Looked { number: asked(late), ports: (0..count).map(port).collect() }
        }
        Event::Tested(found, late) => {
            let orientation = found.unwrap_or(false).then_some(180);
            let wires = found.map(|_| FoundWires { orientation, ..FoundWires::default() });
            SetupInput::Tested { number: asked(late), wires }
        }
        Event::Written(written) => SetupInput::Written(written),
        Event::Fetched(fetched, number) => SetupInput::Fetched { number, fetched },
    }
}

/// The number that the last device was given.
fn number_in(outputs: &[SetupOutput], before: u32) -> u32 {
    let mut numbers = outputs.iter().filter_map(|output| match output {
        SetupOutput::Measure { number, .. }
        | SetupOutput::Look { number }
        | SetupOutput::Test { number } => Some(*number),
        _ => None,
    });
    numbers.next_back().unwrap_or(before)
}

/// How many things differ; a language and the names of moves in it are one.
fn differences(a: &SetupSettings, b: &SetupSettings) -> usize {
    let same = [
        a.language == b.language && a.own_names == b.own_names,
        a.voice == b.voice,
        a.rate == b.rate,
        a.earphone == b.earphone,
        a.loudspeaker == b.loudspeaker,
        a.earphone_volume == b.earphone_volume,
        a.loudspeaker_volume == b.loudspeaker_volume,
        a.microphone == b.microphone,
        a.board == b.board,
        a.wires == b.wires,
        a.sighted == b.sighted,
        a.clock == b.clock,
        a.control == b.control,
    ];
    same.iter().filter(|same| !**same).count()
}

/// The question that stands, as it is asked again.
fn question(setup: &Setup) -> Vec<String> {
    let outputs = setup.clone().handle(SetupInput::Key(Key::Repeat));
    let lines = heard(&outputs);
    lines.into_iter().filter(|line| !line.starts_with('(')).collect()
}

/// Answers for the devices until nobody waits; what was done.
fn let_devices_answer(setup: &mut Setup, outputs: &[SetupOutput], number: &mut u32) -> bool {
    let mut outputs = outputs.to_vec();
    let mut finished = None;
    for _ in 0..10 {
        *number = number_in(&outputs, *number);
        let number = *number;
        let mut next = Vec::new();
        for output in &outputs {
            next.extend(match output {
                SetupOutput::Measure { .. } => {
                    setup.handle(SetupInput::Measured { number, level: SoundLevel::Good })
                }
                SetupOutput::Look { .. } => {
                    setup.handle(SetupInput::Looked { number, ports: Vec::new() })
                }
                SetupOutput::Test { .. } => {
                    setup.handle(SetupInput::Tested { number, wires: Some(FoundWires::default()) })
                }
                SetupOutput::Write => setup.handle(SetupInput::Written(true)),
                SetupOutput::Finished { saved } => {
                    finished = Some(*saved);
                    Vec::new()
                }
                _ => Vec::new(),
            });
        }
        outputs = next;
    }
    finished.unwrap_or(false)
}

#[test]
fn a_single_no_is_enough_to_stay_and_what_was_made_louder_stays() {
    let mut setup = dialogue(around());
    setup.handle(SetupInput::Opened);
    let asked = question(&setup);
    setup.handle(SetupInput::Said("leiser".to_owned()));
    let quieter = setup.settings().clone();
    for word in ["abbrechen", "leiser", "leiser"] {
        setup.handle(SetupInput::Said(word.to_owned()));
    }
    setup.handle(SetupInput::Said("nein".to_owned()));
    assert_eq!(question(&setup), asked);
    assert!(setup.settings().earphone_volume < quieter.earphone_volume);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn whatever_happens_no_answer_is_lost_and_the_end_is_a_configuration(
        events in prop::collection::vec(events(), 1..60),
    ) {
        let mut setup = dialogue(around());
        let mut number = number_in(&setup.handle(SetupInput::Opened), 0);
        for event in events {
            let before = setup.clone();
            let outputs = setup.handle(input(event.clone(), number));
            number = number_in(&outputs, number);
            let undone = setup.undoable() < before.undoable();
            if !undone {
                let changed = differences(setup.settings(), before.settings());
                prop_assert!(changed <= 1, "{event:?} changed {changed} things");
            }
            if setup.undoable() > before.undoable() {
                let mut back = setup.clone();
                let outputs = back.handle(SetupInput::Key(Key::Back));
                if !outputs.contains(&SetupOutput::TestStep(TestStep::Back)) {
                    prop_assert_eq!(back.settings(), before.settings());
                    // What was heard with doubt is no answer yet, and gone.
                    if !before.is_in_doubt() {
                        prop_assert_eq!(question(&back), question(&before));
                    }
                    prop_assert_eq!(back.undoable(), before.undoable());
                }
            }
            if setup.is_over() {
                break;
            }
        }
        let (config, after) = (simulated(), setup.settings().clone());
        let text = file::text(SIMULATED, &config, &settings(), &after);
        let read = Config::parse(&text.expect("right"), "written").expect("right");
        let again = file::settings(&read);
        // What the self-test finds is read as part of the board, not as settings.
        let expected = SetupSettings { wires: FoundWires::default(), ..after };
        prop_assert_eq!(again, expected);
        // Straight to the end, from wherever he is.
        if !setup.is_over() {
            let finished = |setup: &mut Setup, input: SetupInput, number: &mut u32| {
                let outputs = setup.handle(input);
                let_devices_answer(setup, &outputs, number)
            };
            // What was being written is; a test or a measurement is given up by "fertig"; who was
            // asked whether to leave says no.
            let mut saved = finished(&mut setup, SetupInput::Written(true), &mut number);
            for _ in 0..3 {
                let word = setup.words().prompts().setup(SetupWord::Done)[0].clone();
                saved |= finished(&mut setup, SetupInput::Said(word), &mut number);
                let no = setup.words().prompts().first_phrase(Command::No).expect("no").to_owned();
                let leaving = question(&setup) == [setup.words().prompt(Prompt::SetupAskLeave, &[]).to_string()];
                if leaving {
                    saved |= finished(&mut setup, SetupInput::Said(no), &mut number);
                }
            }
            let yes = setup.words().prompts().first_phrase(Command::Yes).expect("yes").to_owned();
            if !setup.is_over() {
                saved |= finished(&mut setup, SetupInput::Said(yes), &mut number);
            }
            prop_assert!(setup.is_over() && saved);
        }
    }

    /// One button is enough to leave everything as it is, whatever was set before.
    #[test]
    fn the_right_button_alone_changes_nothing_and_ends(
        language in 0usize..7, own: bool, missing in 0u8..8,
    ) {
        let mut around = around();
        let before = SetupSettings {
            language: around.languages[language].name.clone(),
            own_names: own && around.languages[language].own.is_some(),
            ..settings()
        };
        if missing & 1 != 0 {
            around.outputs.clear();
        }
        if missing & 2 != 0 {
            around.inputs.clear();
        }
        around.reeds = missing & 4 == 0;
        let setup = Setup::new(around, before.clone(), Thresholds::default());
        let mut setup = setup.expect("a language");
        let (mut number, mut saved) = (0, false);
        setup.handle(SetupInput::Opened);
        for _ in 0..20 {
            let outputs = setup.handle(SetupInput::Key(Key::Choose));
            saved |= let_devices_answer(&mut setup, &outputs, &mut number);
        }
        prop_assert!(setup.is_over() && saved);
        prop_assert_eq!(setup.settings(), &before);
    }
}
