//! Help and errors are German where the locale asks for it.

use std::{
    ffi::OsStr,
    path::Path,
    process::{Command, Output},
};

use crate::{at_home::built, recorded::fools_mate};

fn run(locale: &str, program: impl AsRef<OsStr>, args: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.args(args).env_remove("LC_MESSAGES").env_remove("LANG").env("LC_ALL", locale);
    command.current_dir(std::env::temp_dir()).output().expect("runs")
}

const ANNABELLA: &str = env!("CARGO_BIN_EXE_annabella");
const HALL: &str = env!("CARGO_BIN_EXE_annabella-hall");

fn help(locale: &str, program: impl AsRef<OsStr>, args: &[&str]) -> String {
    let ran = run(locale, program, args);
    assert!(ran.status.success() && ran.stderr.is_empty(), "{ran:?}");
    String::from_utf8(ran.stdout).expect("UTF-8")
}

fn error(locale: &str, args: &[&str]) -> String {
    let ran = run(locale, ANNABELLA, args);
    assert_eq!(ran.status.code(), Some(2), "{ran:?}");
    assert!(ran.stdout.is_empty(), "{ran:?}");
    String::from_utf8(ran.stderr).expect("UTF-8").trim_end().to_owned()
}

#[test]
fn help_is_german_as_a_whole_where_the_locale_is() {
    let german = "de_DE.UTF-8";
    let first = help(german, ANNABELLA, &["--help"]);
    assert!(
        first.contains("Der Dienst am Brett") && first.contains("Aufruf: annabella <BEFEHL>"),
        "{first}"
    );
    let calls: [(&str, &[&str]); 11] = [
        (ANNABELLA, &["--help"]),
        (ANNABELLA, &["-h"]),
        (ANNABELLA, &["play", "--help"]),
        (ANNABELLA, &["games", "adjourn", "--help"]),
        (ANNABELLA, &["help", "listen"]),
        (ANNABELLA, &["enrol", "--help"]),
        (ANNABELLA, &["donate", "--help"]),
        (ANNABELLA, &["practice", "--help"]),
        (ANNABELLA, &["words", "add", "--help"]),
        (HALL, &["--help"]),
        (HALL, &["keys", "--help"]),
    ];
    let calls = calls.map(|(program, args)| (program.into(), args));
    let partner = built("annabella-partner");
    let subs = ["join", "engine", "lichess", "friend", "replay", "puzzle", "review"];
    let partners: Vec<[&str; 2]> = subs.iter().map(|sub| [*sub, "--help"]).collect();
    let partners = partners.iter().map(|args| &args[..]).chain([&["-h"][..], &["--help"]]);
    for (program, args) in calls.into_iter().chain(partners.map(|args| (partner.clone(), args))) {
        let (own, english) = (help(german, &program, args), help("C.UTF-8", &program, args));
        assert_ne!(own, english, "{args:?}");
        for word in [
            " the ",
            "Usage",
            "Options",
            "Commands:",
            "Arguments",
            "Print ",
            "default:",
            "possible",
            " and ",
        ] {
            assert!(!own.contains(word), "{args:?}: {word} in\n{own}");
        }
    }
}

#[test]
fn a_wrong_call_is_one_german_line_with_its_remedy() {
    let german = "de_AT.UTF-8";
    for (args, line) in [
        (
            &["doktor"][..],
            "annabella: den Befehl 'doktor' gibt es nicht; gemeint ist vielleicht 'doctor'; mehr sagt `annabella --help`",
        ),
        (
            &["play", "--gane", "3"],
            "annabella: das Argument '--gane' gibt es hier nicht; gemeint ist vielleicht '--game'; mehr sagt `annabella play --help`",
        ),
        (
            &["games", "show"],
            "annabella: es fehlt: <NUMMER>; mehr sagt `annabella games show --help`",
        ),
        (
            &["games", "show", "x"],
            "annabella: 'x' geht nicht für '<NUMMER>': das ist keine Zahl; mehr sagt `annabella games show --help`",
        ),
        (
            &["say", "e9"],
            "annabella: 'e9' ist kein Zug: als Nf3, Ng1f3, g1f3 oder in Worten schreiben",
        ),
        (
            &["say", "Nf3", "--words", "de"],
            "annabella: 'Nf3' ist nicht zu lesen: 'Nf3' ist weder ein Figurenbuchstabe noch ein Feld; mit den \
             Figurenbuchstaben von Englisch ist es Ng1f3: wenn das gemeint ist, es so schreiben",
        ),
        (
            &["reconcile", "nichts.json"],
            "annabella: nichts.json lässt sich nicht lesen: die Datei gibt es nicht",
        ),
        (
            &["play", "--config", "nichts.toml"],
            "annabella: nichts.toml lässt sich nicht lesen: die Datei gibt es nicht",
        ),
    ] {
        let said = error(german, args);
        assert!(said.starts_with(line), "{args:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn the_partner_says_in_german_what_is_wrong_and_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path().to_str().expect("UTF-8");
    for (args, code, line) in [
        (&["friend"][..], 2, "es fehlt: <NAME>; mehr sagt `annabella-partner friend --help`"),
        (
            &["friend", "Boris", "--folder", home],
            2,
            "gib --wait an oder --at mit der Adresse des Rechners, auf dem Boris wartet",
        ),
        (
            &["--time", "15 min"],
            2,
            "'15 min' geht nicht für '--time <BEDENKZEIT>': Bedenkzeit '15 min', Zeichen 1: '15 min' ist keine Zahl von \
             Minuten von 0 bis 1440; schreib sie wie 15+10; mehr sagt `annabella-partner --help`",
        ),
        (
            &["puzzle", "nichts.csv", "--folder", home],
            3,
            "nichts.csv ist nicht lesbar: die Datei gibt es nicht",
        ),
        (
            &["engine", "--engine", "/nirgends"],
            3,
            "das Schachprogramm /nirgends startet nicht: die Datei gibt es nicht: installiere eines (sudo apt install \
             stockfish) oder nenne es mit --engine",
        ),
    ] {
        let ran = run("de_DE.UTF-8", built("annabella-partner"), args);
        let said = String::from_utf8(ran.stderr).expect("UTF-8");
        assert_eq!(ran.status.code(), Some(code), "{said}");
        assert_eq!(said, format!("annabella-partner: {line}\n"));
    }
}

#[test]
fn english_is_for_everybody_else() {
    assert!(help("fr_FR.UTF-8", ANNABELLA, &["--help"]).contains("Usage: annabella <COMMAND>"));
    let said = error("C", &["games", "show"]);
    let line = "annabella: the following required arguments were not provided: <ID>; `annabella games show --help` tells more";
    assert_eq!(said, line);
}

#[test]
fn recorded_games_are_listed_and_shown_in_german_where_the_locale_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = fools_mate(folder.path(), ["Anna", "Hector"], |_| Vec::new());
    let path = path.display().to_string();
    let told = |args: &[&str]| {
        let ran = run("de_DE.UTF-8", ANNABELLA, &[&["games", "--journal", &path], args].concat());
        String::from_utf8(ran.stdout).expect("UTF-8")
    };
    assert_eq!(
        told(&["list"]),
        "   1  14.11.2023  Anna – Hector, 4 Halbzüge, beendet 0-1\n\
         `annabella play` fragt nach der nächsten Partie (--new beginnt sie sofort); --game N spielt \
         eine andere von diesen.\n"
    );
    let shown = told(&["show", "1"]);
    for line in [
        "Partie 1, 14.11.2023: Anna – Hector, 3+2\n",
        "Zeiten sind Sekunden nach dem ersten Eintrag des Journals.\n",
        "2... Dh4# | berührt",
        "0-1: matt (5.1.1)\n",
    ] {
        assert!(shown.contains(line), "{line} in {shown}");
    }
    assert!(told(&["export", "1", "--sheet"]).contains("14.11.2023"));
}

#[test]
fn what_goes_wrong_beside_a_game_is_german_where_the_locale_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = "[board]\nkind = \"none\"\n[speech]\nengine = \"none\"\nlisten = \"off\"\n\
                  [console]\nlisten = \"\"\n";
    std::fs::write(folder.path().join("annabella.toml"), config).expect("written");
    std::fs::write(folder.path().join("typed"), b"l\xe4ufer\n").expect("written");
    let typed = std::fs::File::open(folder.path().join("typed")).expect("there");
    let mut play = Command::new(ANNABELLA);
    play.arg("play").current_dir(folder.path()).env("LC_ALL", "de_DE.UTF-8").stdin(typed);
    let said = play.output().expect("runs").stderr;
    assert_eq!(
        String::from_utf8(said).expect("UTF-8"),
        "annabella: Konfiguration annabella.toml\n\
         annabella: Standardeingabe, Zeile 1: kein UTF-8, ausgelassen\n"
    );
}

#[test]
fn what_is_wrong_in_a_configuration_is_german_as_a_whole_where_the_locale_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.toml");
    let named = path.display().to_string();
    for (text, line) in [
        (
            "[lights]\nwhite = 99\n",
            "2: white in [lights] ist 99; erlaubt: eine GPIO-Nummer von 2 bis 27 (BCM) oder \"off\"",
        ),
        (
            "[game]\ntime_control = \"zzz\"\n",
            "2: time_control in [game] ist \"zzz\"; erlaubt: Abschnitte \"Züge/Minuten+Sekunden\", etwa \
             \"40/90+30:30+30\" oder \"3+2\" (Zeichen 1: 'zzz' ist keine Zahl von Minuten von 0 bis 1440)",
        ),
        (
            "[game]\nstart = \"abc\"\n",
            "2: start in [game] ist \"abc\"; erlaubt: eine Stellung in FEN, oder \"\" für die Grundstellung (das \
             Brett in der FEN ist nicht zu lesen)",
        ),
        (
            "[game]\nstart = \"8/8/8/8/8/8/8/8 w - - 0 1\"\n",
            "2: start in [game] ist \"8/8/8/8/8/8/8/8 w - - 0 1\"; erlaubt: eine Stellung in FEN, oder \"\" für die \
             Grundstellung (unmögliche Stellung: leeres Brett, ein König fehlt)",
        ),
        (
            "[board]\norientation = 45\n",
            "2: orientation in [board] ist 45; erlaubt: 0, 90, 180, 270 (Grad im Uhrzeigersinn, von oben gesehen)",
        ),
        (
            "[speech]\nwords = \"zzz\"\n",
            "2: words in [speech] ist \"zzz\"; erlaubt: \"fide\", \"de\", \"en\", \"ru\", \"fr\", \"es\", \"pl\", \"lt\", oder der \
             Pfad einer .toml-Datei",
        ),
        (
            "[clock]\nwhite_key = \"zzz\"\n",
            "2: white_key in [clock] ist \"zzz\"; erlaubt: eine Taste mit ihrem Namen im Kernel (keine Taste heißt \
             'zzz': 'esc' schreiben oder die Nummer der Taste im Kernel (1 bis 767))",
        ),
        (
            "[board_black]\nkind = \"matrix\"\n",
            "1: [board_black] ist für zwei blinde Spieler: das Brett des einzigen ist [board]; blind = \"both\" in \
             [game] setzen oder [board_black] weglassen",
        ),
        (
            "[console]\nlisten = \"\"\n[game]\nopponent_deaf = true\n",
            "4: [game] opponent_deaf: ein gehörloser Gegner liest auf einer Anzeige, was gesagt wird (D.2.11): \
             [console] listen eine Adresse geben, etwa \"127.0.0.1:8080\"",
        ),
        (
            "[lights]\nwhite = 5\nblack = 5\n",
            "3: GPIO 5 ist zweimal vergeben, für [lights] white und für [lights] black: eines davon umlegen",
        ),
        (
            "[board]\nkind = \"expander\"\naddresses = [0x20]\n",
            "3: [board] addresses nennt 1 Bausteine, expander-i2c braucht 5",
        ),
        (
            "[board]\nkind = \"events\"\npath = \"\"\n",
            "3: [board] path: \"events\" kommen aus einer Datei oder einer FIFO: sie nennen, oder \"-\" für die \
             Standardeingabe",
        ),
    ] {
        std::fs::write(&path, text).expect("written");
        let said = error("de_DE.UTF-8", &["games", "list", "--config", &named]);
        assert_eq!(said, format!("annabella: {named}:{line}"));
    }
}

/// English words that no German line has.
const ENGLISH: [&str; 18] = [
    "the", "is", "are", "of", "and", "cannot", "there", "write", "give", "it", "has", "no", "to",
    "for", "lost", "line", "read", "such",
];

#[test]
fn no_command_says_an_english_word_where_the_locale_is_german() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    for (name, text) in
        [("event", "{\"t\":1}\n"), ("case", "{\"x\":1}"), ("notes", "x\n"), ("half", "{")]
    {
        std::fs::write(at(name), text).expect("written");
    }
    let made = Command::new("mkfifo").args(["-m", "600"]).arg(at("fifo")).status();
    assert!(made.expect("runs").success());
    let annabella: [&[&str]; 35] = [
        &["board", "watch", "--simulate", "--seconds", "1"],
        &["board", "watch", "--simulate", "--seconds", "1", "--plain"],
        &["board", "test", "--simulate", "--faults", "x"],
        &["board", "test", "--simulate", "--strip", "9"],
        &["board", "test"],
        &["say", "Nf3", "--fen", "x"],
        &["say", "Sf3", "--words", "xx"],
        &["infer", "event"],
        &["infer", "fifo"],
        &["infer", "."],
        &["listen", "--wav", "nothing.wav"],
        &["listen", "--wav", "fifo"],
        &["listen", "--wav", "event"],
        &["listen", "--wav", "event", "--confusions", "case"],
        &["words", "add", "x"],
        &["words", "add", "zug"],
        &["words", "list", "--model", "nothing"],
        &["words", "build", "--out", "."],
        &["reconcile", "case"],
        &["reconcile", "half"],
        &["reconcile", "fifo"],
        &["reconcile", "."],
        &["games", "list", "--journal", "notes"],
        &["games", "list", "--journal", "fifo"],
        &["games", "show", "9"],
        &["games", "export", "1", "--lang", "xx"],
        &["games", "repair", "notes"],
        &["games", "open", "1", "--arbiter", "A", "--clocks", "1:2"],
        &["play", "--take-over", "x"],
        &["play", "--config", "fifo"],
        &["play", "--config", "/dev/zero"],
        &["enrol", "--from", "."],
        &["donate", "--check", "."],
        &["donate", "--speaker", "Ä"],
        &["practice", "--config", "notes"],
    ];
    let hall: [&[&str]; 10] = [
        &["--event", "Ä"],
        &["--listen", "0.0.0.0:1"],
        &["--page", "x"],
        &["--keys", "fifo"],
        &["--pairings", "fifo"],
        &["--pairings", "notes"],
        &["--with", "127.0.0.1:1"],
        &["keys", "--event", "ev", "--boards", "1-3", "--folder", "keys"],
        &["keys", "--folder", "keys", "--revoke", "2"],
        &["keys", "--folder", "keys", "--revoke", "99"],
    ];
    let partner: [&[&str]; 10] = [
        &["--level", "77"],
        &["--config", "fifo"],
        &["engine", "--engine", "fifo"],
        &["lichess", "--token-file", "fifo"],
        &["lichess", "--token-file", "nothing"],
        &["replay", "notes"],
        &["replay", "fifo"],
        &["puzzle", "half"],
        &["friend", "Boris"],
        &["friend", "Boris", "--at", "x:y"],
    ];
    let of = |program: &Path, calls: &[&'static [&'static str]]| {
        calls.iter().map(|args| (program.to_owned(), *args)).collect::<Vec<_>>()
    };
    let calls = [
        of(Path::new(ANNABELLA), &annabella),
        of(Path::new(HALL), &hall),
        of(Path::new(&built("annabella-partner")), &partner),
    ];
    for (program, args) in calls.into_iter().flatten() {
        let mut command = Command::new(&program);
        command.args(args).env("LC_ALL", "de_DE.UTF-8").env("HOME", folder.path());
        let ran = command.current_dir(folder.path()).output().expect("runs");
        let said = [ran.stdout, ran.stderr].map(|said| String::from_utf8(said).expect("UTF-8"));
        let said = said.concat();
        let mut words = said.split(|c: char| !c.is_alphabetic());
        let english = words.find(|word| ENGLISH.contains(word));
        assert_eq!(english, None, "{args:?}: {said}");
        assert!(!said.is_empty(), "{args:?}");
        // A fault is one line.
        let shows = args.starts_with(&["board", "watch"]) || args.starts_with(&["keys"]);
        assert!(shows || said.lines().count() == 1, "{args:?}: {said}");
    }
}
