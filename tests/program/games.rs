//! `annabella games`: what was played is listed, shown and exported.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use annabella::service::{
    Service,
    standing::{self, GameStanding, Listed, Next},
};
use annabella_core::game::{
    Adjourn, ArbiterAct, At, ClockBasis, Conclusion, Envelope, GameConfig, Input, Resumption,
    Ruling, Settle, SettledClocks,
};
use annabella_records::journal::{GameId, Journal, Records};
use shakmaty::{Color, Square};

use crate::recorded::{fools_mate, games, started};
use crate::skip::skipped;

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn played(folder: &Path) -> PathBuf {
    fools_mate(folder, ["Anna", "Hector"], |_| Vec::new())
}

/// Somebody's own configuration is found from any folder, and the file is named.
#[test]
fn the_games_of_ones_own_configuration_are_listed_from_any_folder() {
    let home = tempfile::tempdir().expect("folder");
    let elsewhere = tempfile::tempdir().expect("folder");
    let journal = played(home.path());
    let own = home.path().join(".config/annabella");
    std::fs::create_dir_all(&own).expect("made");
    let line = format!("[journal]\npath = \"{}\"\n", journal.display());
    std::fs::write(own.join("annabella.toml"), line).expect("written");
    let run = |folder: &Path| {
        Command::new(env!("CARGO_BIN_EXE_annabella"))
            .args(["games", "list"])
            .current_dir(folder)
            .env("HOME", home.path())
            .env_remove("XDG_CONFIG_HOME")
            .output()
            .expect("runs")
    };
    let output = run(elsewhere.path());
    assert!(text(&output).contains("Anna – Hector, 4 plies"), "{output:?}");
    let named = format!("annabella: configuration {}", own.join("annabella.toml").display());
    assert!(String::from_utf8_lossy(&output.stderr).contains(&named), "{output:?}");
    // That of the current folder comes first.
    std::fs::write(elsewhere.path().join("annabella.toml"), "[journal]\npath = \"none.db\"\n")
        .expect("written");
    assert!(!text(&run(elsewhere.path())).contains("Hector"));
}

#[test]
fn a_game_is_listed_with_its_players_and_result() {
    let folder = tempfile::tempdir().expect("folder");
    let path = played(folder.path());
    let output = games(&["list"], &path);
    assert_eq!(
        text(&output),
        "   1  2023.11.14  Anna – Hector, 4 plies, ended 0-1\n\
         `annabella play` asks for the next game (--new begins it at once); --game N plays another \
         of these.\n"
    );
    let line: serde_json::Value =
        serde_json::from_str(&text(&games(&["list", "--json"], &path))).expect("JSON");
    let wanted = serde_json::json!({
        "id": 1, "date": "2023.11.14", "white": "Anna", "black": "Hector",
        "plies": 4, "result": "0-1", "standing": "ended", "until": "", "finished": true,
        "adjourned": false, "next": false
    });
    assert_eq!(line, wanted);
}

/// A journal in which several games stand differently, and the moment after everything.
struct Shelf {
    _folder: tempfile::TempDir,
    path: PathBuf,
    now_ms: u64,
}

impl Shelf {
    fn new() -> Shelf {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("games.db");
        Shelf { _folder: folder, path, now_ms: 0 }
    }

    fn at(&mut self) -> At {
        self.now_ms += 1000;
        At::new(self.now_ms)
    }

    fn journal(&self) -> Journal {
        Journal::open(&self.path).expect("opens")
    }

    /// A game that is begun and takes these inputs.
    fn game(&mut self, white: &str, inputs: Vec<Input>) -> i64 {
        let config = GameConfig { white: white.into(), ..GameConfig::default() };
        let at = self.at();
        let begun = Service::begin(self.journal(), at, started(config)).expect("begins");
        let mut service = begun.0;
        service.only_ask_to_seal();
        for input in inputs {
            service.input(self.at(), input).expect("kept");
        }
        service.id().number
    }

    fn goes_on(&mut self, number: i64, input: Input) {
        let resumed = Service::resume(self.journal(), GameId { number }).expect("resumes");
        self.now_ms = self.now_ms.max(resumed.0.next_moment().expect("a moment").ms);
        let mut service = resumed.0;
        service.input(self.at(), input).expect("kept");
    }

    fn next(&self) -> Next {
        standing::next(&self.journal()).expect("read")
    }
}

fn adjourn(step: Adjourn) -> Input {
    Input::Adjourn(Box::new(step))
}

fn invited() -> Input {
    let arbiter = "A. Weber".to_owned();
    adjourn(Adjourn::Invited { arbiter, session_left_ms: None, reply: false })
}

fn adjourned() -> Vec<Input> {
    let until =
        Resumption { date: "22.11.2026".into(), time: "10:00".into(), place: "Saal 2".into() };
    let sealed = Adjourn::Sealed { envelope: Envelope::Paper };
    vec![Input::ClockStarted, invited(), adjourn(sealed), adjourn(Adjourn::Appointed(until))]
}

fn opened() -> Input {
    let (written, arbiter) = ("e4".to_owned(), "A. Weber".to_owned());
    adjourn(Adjourn::Opened { written, arbiter, clock_ms: None })
}

fn resigned() -> Vec<Input> {
    let said = |text: &str| Input::Said { seat: None, heard: vec![text.into()] };
    vec![Input::ClockStarted, said("ich gebe auf"), said("ja")]
}

#[test]
fn f3_the_games_are_numbered_with_how_each_stands_and_which_is_next() {
    let mut shelf = Shelf::new();
    assert_eq!(shelf.next(), Next::Fresh);
    shelf.game("Anna", adjourned());
    shelf.game("Bella", vec![Input::ClockStarted]);
    shelf.game("Cesar", resigned());
    shelf.game("David", Vec::new());
    let list = text(&games(&["list"], &shelf.path));
    assert_eq!(
        list,
        "   1  2023.11.14  Anna – ?, 0 plies, adjourned until 22.11.2026, 10:00, Saal 2\n\
         \u{20}  2  2023.11.14  Bella – ?, 0 plies, not finished\n\
         \u{20}  3  2023.11.14  Cesar – ?, 0 plies, ended 0-1\n\
         \u{20}  4  2023.11.14  David – ?, 0 plies, not begun\n\
         `annabella play` asks for the next game (--new begins it at once); --game N plays another \
         of these.\n"
    );
    shelf.goes_on(2, Input::Woke);
    let list = text(&games(&["list"], &shelf.path));
    let last = "`annabella play` goes on with game 2; --game N plays another of these.\n";
    assert!(list.ends_with(last), "{list}");
    let lines = text(&games(&["list", "--json"], &shelf.path));
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |key: &str| lines.iter().map(|line| line[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("standing"), ["adjourned", "going-on", "ended", "empty"]);
    assert_eq!(of("next"), [false, true, false, false]);
    assert_eq!(lines[0]["until"], "22.11.2026, 10:00, Saal 2");
}

/// A screen reader reads all that is listed: who looks for one game lists few.
#[test]
fn games_are_listed_by_name_date_or_what_is_unfinished_and_the_newest_alone() {
    let mut shelf = Shelf::new();
    shelf.game("Anna", resigned());
    shelf.game("Bella", adjourned());
    shelf.game("Annette", vec![Input::ClockStarted]);
    shelf.game("Cesar", resigned());
    let listed = |args: &[&str]| -> Vec<String> {
        let args = [&["list", "--json"], args].concat();
        let json = text(&games(&args, &shelf.path));
        let line = |line| serde_json::from_str::<serde_json::Value>(line).expect("JSON");
        json.lines().map(|text| line(text)["white"].as_str().expect("a name").to_owned()).collect()
    };
    for (args, wanted) in [
        (&["ann"][..], &["Anna", "Annette"][..]),
        (&["--unfinished"], &["Bella", "Annette"]),
        (&["--last", "2"], &["Annette", "Cesar"]),
        (&["--unfinished", "--last", "1"], &["Annette"]),
        (&["ANN", "--last", "1"], &["Annette"]),
        (&["2023.11.14", "--last", "1"], &["Cesar"]),
        (&["2023-11", "--last", "1"], &["Cesar"]),
        (&["2022"], &[]),
        (&["--last", "0"], &[]),
    ] {
        assert_eq!(listed(args), wanted, "{args:?}");
    }
    // Which game goes on does not depend on what is listed.
    let few = text(&games(&["list", "cesar"], &shelf.path));
    assert!(few.contains("`annabella play` asks for the next game") && few.lines().count() == 2);
    assert_eq!(text(&games(&["list", "Zoe"], &shelf.path)), "no such game among 4\n");
}

/// Games are read side by side; what is said of each is what is said of it alone, of a damaged one
/// too.
#[test]
fn of_many_games_each_is_listed_as_it_is_alone() {
    let mut shelf = Shelf::new();
    for n in 0..6 {
        shelf.game("Anna", adjourned());
        shelf.game(if n == 3 { "Quirinius" } else { "Bella" }, vec![Input::ClockStarted]);
        shelf.game("Cesar", resigned());
    }
    shelf.game("David", Vec::new());
    let bytes = std::fs::read(&shelf.path).expect("read");
    let mut harmed = bytes.clone();
    for at in 0..bytes.len().saturating_sub(9) {
        if bytes[at..].starts_with(b"Quirinius") {
            harmed[at + 5] = b'j';
        }
    }
    assert_ne!(harmed, bytes);
    std::fs::write(&shelf.path, harmed).expect("written");
    let records = Records::open(&shelf.path).expect("opens");
    let rows = records.games().expect("rows");
    assert_eq!(rows.len(), 19);
    let alone = |row: &annabella_records::journal::GameRow| {
        Listed::read(&records, row.clone()).expect("read")
    };
    let alone: Vec<Listed> = rows.iter().map(alone).collect();
    let all = Listed::read_all(&records, rows).expect("read");
    assert_eq!(all, alone);
    let damaged = all.iter().filter(|listed| listed.standing == GameStanding::Damaged);
    assert_eq!(damaged.map(|listed| listed.row.id.number).collect::<Vec<_>>(), [11]);
    let next = standing::next(&records).expect("read");
    assert_eq!(standing::next_of(&records, &all).expect("read"), next);
    assert_eq!(Listed::read_all(&records, Vec::new()).expect("nothing"), []);
}

#[test]
fn f3_an_adjourned_or_ended_game_never_gives_way_to_an_empty_one() {
    let mut shelf = Shelf::new();
    shelf.game("Anna", adjourned());
    shelf.game("Bella", Vec::new());
    assert_eq!(shelf.next(), Next::Adjourned(GameId { number: 1 }));
    let list = text(&games(&["list"], &shelf.path));
    let last = "`annabella play` shows game 1: `annabella games open 1` lets it go on; --game N \
                plays another of these.\n";
    assert!(list.ends_with(last), "{list}");
    // What the arbiter does at his desk to an adjourned game plays none of it.
    let mut shelf = Shelf::new();
    shelf.game("Anna", adjourned());
    shelf.game("Bella", vec![Input::ClockStarted]);
    assert_eq!(shelf.next(), Next::GoOn(GameId { number: 2 }));
    shelf.goes_on(1, adjourn(Adjourn::Appointed(Resumption::default())));
    assert_eq!(shelf.next(), Next::GoOn(GameId { number: 2 }));
    // Once its envelope is open it is the one that is played.
    shelf.goes_on(1, opened());
    assert_eq!(shelf.next(), Next::GoOn(GameId { number: 1 }));
    let mut shelf = Shelf::new();
    shelf.game("Anna", adjourned());
    shelf.game("Bella", vec![Input::ClockStarted]);
    let (conclusion, arbiter) = (Conclusion::Draw, "A. Weber".to_owned());
    shelf.goes_on(1, adjourn(Adjourn::Concluded { conclusion, arbiter }));
    assert_eq!(shelf.next(), Next::GoOn(GameId { number: 2 }));
    shelf.game("Cesar", resigned());
    shelf.game("David", Vec::new());
    assert_eq!(shelf.next(), Next::Ended(GameId { number: 3 }));
}

#[test]
fn f3_an_empty_game_is_used_again_and_not_piled_up() {
    let mut shelf = Shelf::new();
    let begin = |shelf: &mut Shelf, white: &str| {
        let config = GameConfig { white: white.into(), ..GameConfig::default() };
        let (journal, at) = (shelf.journal(), shelf.at());
        let (service, _) = Service::begin_next(journal, at, started(config)).expect("begins");
        shelf.now_ms = shelf.now_ms.max(service.next_moment().expect("a moment").ms);
        service
    };
    assert_eq!(begin(&mut shelf, "Anna").id().number, 1);
    // The same game: what was done to it is kept.
    let mut service = begin(&mut shelf, "Anna");
    let edge = Input::Edge { seat: Color::White, square: Square::E2, occupied: false, ago_ms: 0 };
    service.input(shelf.at(), edge).expect("kept");
    drop(service);
    let service = begin(&mut shelf, "Anna");
    assert!(!service.game().pegs(Color::White).expect("pegs").contains(Square::E2));
    drop(service);
    // Another one takes its number.
    let mut service = begin(&mut shelf, "Bella");
    assert_eq!(service.id().number, 1);
    assert_eq!(service.game().record().expect("begun").config.white, "Bella");
    service.input(shelf.at(), Input::ClockStarted).expect("kept");
    drop(service);
    assert_eq!(begin(&mut shelf, "Cesar").id().number, 2);
    assert_eq!(shelf.next(), Next::GoOn(GameId { number: 1 }));
}

#[test]
fn a_game_is_shown_move_by_move_with_its_moments() {
    let folder = tempfile::tempdir().expect("folder");
    let path = played(folder.path());
    let shown = text(&games(&["show", "1"], &path));
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "Game 1, 2023.11.14: Anna – Hector, 3+2");
    assert_eq!(
        lines[2],
        "1. f3 | touched f2 | placed 1.800 s | announced 2.220 s | made 2.220 s \
         | completed 2.900 s | clock 0:03:02 0:03:02"
    );
    assert_eq!(lines.last(), Some(&"0-1: checkmate (5.1.1)"));
    let json: serde_json::Value =
        serde_json::from_str(&text(&games(&["show", "1", "--json"], &path))).expect("JSON");
    assert_eq!(json["moves"][3]["san"], "Qh4#");
    assert_eq!(json["reason"], "checkmate");
}

#[test]
fn exported_pgn_is_accepted_by_another_program() {
    let folder = tempfile::tempdir().expect("folder");
    let path = played(folder.path());
    let pgn = text(&games(&["export", "1", "--pgn"], &path));
    assert!(pgn.contains("[White \"Anna\"]\n"), "{pgn}");
    assert!(pgn.contains("[TimeControl \"180+2\"]\n"), "{pgn}");
    assert!(pgn.contains("2. g4 {[%clk "), "{pgn}");
    assert!(pgn.trim_end().ends_with("0-1"), "{pgn}");
    let file = folder.path().join("a.pgn");
    std::fs::write(&file, &pgn).expect("written");
    // Where Debian puts it is not in everybody's path.
    let checked = ["pgn-extract", "/usr/games/pgn-extract"].into_iter().find_map(|program| {
        Command::new(program).arg("-r").arg(&file).stdin(Stdio::null()).output().ok()
    });
    let Some(checked) = checked else {
        return skipped("pgn-extract", "it is not installed (scripts/setup.sh test)");
    };
    let said = String::from_utf8_lossy(&checked.stderr).into_owned();
    assert!(checked.status.success() && !said.to_lowercase().contains("error"), "{said}");
}

#[test]
fn both_score_sheets_are_exported() {
    let folder = tempfile::tempdir().expect("folder");
    let path = played(folder.path());
    let sheets = text(&games(&["export", "1", "--sheet"], &path));
    assert_eq!(sheets.matches("Partieformular").count(), 2, "{sheets}");
    assert!(sheets.contains("  1  f3"), "{sheets}");
    assert!(sheets.contains("Dh4#"), "{sheets}");
    let page = text(&games(&["export", "1", "--html", "--lang", "en"], &path));
    assert!(page.contains("<html lang=\"en\">") && page.contains("Qh4#"), "{page}");
}

#[test]
fn a_game_is_played_again_with_the_rules_that_fired() {
    let folder = tempfile::tempdir().expect("folder");
    let path = played(folder.path());
    let lines = text(&games(&["replay", "1", "--rules"], &path));
    assert!(lines.starts_with("0 ms \"started\"\n"), "{lines}");
    let rules: Vec<&str> = lines.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    let made = rules.iter().filter(|rule| rule.starts_with("D.2.3: ")).count();
    assert_eq!((made, rules.contains(&"5.1.1: checkmate ends the game")), (4, true), "{rules:#?}");
    let quiet = text(&games(&["replay", "1"], &path));
    assert!(!quiet.contains("D.2.3: "), "{quiet}");
    let json = text(&games(&["replay", "1", "--rules", "--json"], &path));
    let last: serde_json::Value =
        serde_json::from_str(json.lines().last().expect("a line")).expect("JSON");
    assert!(last["rules"].is_array() && last["t"].is_u64(), "{last}");
}

#[test]
fn what_is_not_there_is_one_line_and_code_2() {
    let folder = tempfile::tempdir().expect("folder");
    let path = played(folder.path());
    let refused = |args: &[&str], journal: &Path| {
        let output = games(args, journal);
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(error.lines().count(), 1, "{error}");
        error
    };
    let error = refused(&["show", "9"], &path);
    refused(&["replay", "9", "--rules"], &path);
    assert!(error.contains('9'), "{error}");
    refused(&["list"], &folder.path().join("none.db"));
    let foreign = folder.path().join("foreign.db");
    std::fs::write(&foreign, "no journal at all").expect("written");
    refused(&["list"], &foreign);
    assert_eq!(std::fs::read(&foreign).expect("there"), b"no journal at all");
}

#[test]
fn a_decision_is_shown_with_who_made_it_what_it_struck_and_why() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("games.db");
    let journal = Journal::open(&path).expect("opens");
    let config = GameConfig { sighted_board: true, ..GameConfig::default() };
    let (mut service, _) = Service::begin(journal, At::new(0), started(config)).expect("begins");
    let white = Color::White;
    let mut now_ms = 0;
    let mut act = |after_ms: u64, input: Input| {
        now_ms += after_ms;
        service.input(At::new(now_ms), input).expect("kept");
    };
    act(1000, Input::ClockStarted);
    act(400, Input::Edge { seat: white, square: Square::G1, occupied: false, ago_ms: 0 });
    act(400, Input::Edge { seat: white, square: Square::F3, occupied: true, ago_ms: 0 });
    act(600, Input::Woke);
    act(100, Input::Pressed { seat: white });
    for text in ["Remis anbieten", "ja"] {
        act(0, Input::Said { seat: Some(white), heard: vec![text.into()] });
    }
    act(100, Input::Score { seat: Color::Black, from_ply: 1, text: "Sh3".into() });
    let clocks =
        SettledClocks { white_ms: 5_000_000, black_ms: 4_000_000, basis: ClockBasis::Typed };
    let settle = Settle { ply: 0, score: None, clocks: Some(clocks) };
    let ruling = Ruling::new(ArbiterAct::Settle(Box::new(settle)), "A. Weber", "nobody is sure");
    act(1000, Input::Arbiter(Box::new(ruling)));
    drop(service);
    let shown = text(&games(&["show", "1"], &path));
    let line = "at 3.600 s: D.2.9: A. Weber decided to play on after ply 0 | struck Nf3 | struck the \
                draw offer of White | clock 1:23:20 1:06:40 | nobody is sure\n";
    assert!(shown.contains(line), "{shown}");
    let shown = text(&games(&["show", "1", "--json"], &path));
    let shown: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
    let decision = &shown["decisions"][0];
    assert_eq!(decision["proposed"], serde_json::json!({ "verdict": "retrace", "ply": 0 }));
    assert_eq!(decision["struck"], serde_json::json!(["Nf3"]));
    assert_eq!(decision["struck_offers"], serde_json::json!(["white"]));
    assert_eq!(decision["clocks"]["chosen"], "typed");
    assert_eq!(decision["by"], "A. Weber");
    assert_eq!(shown["moves"], serde_json::json!([]));
    let report = text(&games(&["export", "1", "--report", "--lang", "de"], &path));
    let struck = "gestrichen ab Halbzug 1: Sf3; Uhren";
    assert!(report.contains(struck), "{report}");
    assert!(report.contains("das Remisangebot ist gestrichen: Weiß"), "{report}");
}
