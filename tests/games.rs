//! `annabella games`: what was played is listed, shown and exported.

mod recorded;

use std::{
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use annabella::{
    game::{Act, At, ClockBasis, GameConfig, Input, Ruling, Settle, SettledClocks},
    journal::Journal,
    service::Service,
};
use recorded::{fools_mate, games, started};
use shakmaty::{Color, Square};

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn played(folder: &Path) -> PathBuf {
    fools_mate(folder, ["Anna", "Hector"], |_| Vec::new())
}

#[test]
fn a_game_is_listed_with_its_players_and_result() {
    let folder = tempfile::tempdir().expect("folder");
    let path = played(folder.path());
    let output = games(&["list"], &path);
    assert_eq!(text(&output), "   1  2023.11.14  Anna – Hector, 4 plies, 0-1\n");
    let line: serde_json::Value =
        serde_json::from_str(&text(&games(&["list", "--json"], &path))).expect("JSON");
    let wanted = serde_json::json!({
        "id": 1, "date": "2023.11.14", "white": "Anna", "black": "Hector",
        "plies": 4, "result": "0-1", "finished": true, "adjourned": false
    });
    assert_eq!(line, wanted);
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
        "1. f3 | touched f2 | placed 1.800 s | announced 2.200 s | made 2.200 s \
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
    let Ok(checked) =
        Command::new("pgn-extract").arg("-r").arg(&file).stdin(Stdio::null()).output()
    else {
        eprintln!("skipped: pgn-extract is not installed (scripts/setup.sh test)");
        return;
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
    assert!(sheets.contains("Qh4#"), "{sheets}");
    let page = text(&games(&["export", "1", "--html", "--lang", "en"], &path));
    assert!(page.contains("<html lang=\"en\">") && page.contains("Qh4#"), "{page}");
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
    act(100, Input::Score { seat: Color::Black, from_ply: 1, text: "Sh3".into() });
    let clocks =
        SettledClocks { white_ms: 5_000_000, black_ms: 4_000_000, basis: ClockBasis::Typed };
    let settle = Settle { ply: 0, score: None, clocks: Some(clocks) };
    let ruling = Ruling::new(Act::Settle(Box::new(settle)), "A. Weber", "nobody is sure");
    act(1000, Input::Arbiter(Box::new(ruling)));
    drop(service);
    let shown = text(&games(&["show", "1"], &path));
    let line = "at 3.600 s: D.2.9: A. Weber decided to play on after ply 0 | struck Nf3 | clock \
                1:23:20 1:06:40 | nobody is sure\n";
    assert!(shown.contains(line), "{shown}");
    let shown = text(&games(&["show", "1", "--json"], &path));
    let shown: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
    let decision = &shown["decisions"][0];
    assert_eq!(decision["proposed"], serde_json::json!({ "verdict": "retrace", "ply": 0 }));
    assert_eq!(decision["struck"], serde_json::json!(["Nf3"]));
    assert_eq!(decision["clocks"]["chosen"], "typed");
    assert_eq!(decision["by"], "A. Weber");
    assert_eq!(shown["moves"], serde_json::json!([]));
}
