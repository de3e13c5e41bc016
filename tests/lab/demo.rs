//! `annabella demo`: real games by simulated hands, voices and lines.

use std::process::{Command, Output};

fn demo(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_annabella-lab"))
        .args(["demo", "--silent", "--speed", "0"])
        .args(args)
        .output()
        .expect("runs")
}

#[test]
fn a_wrong_call_is_one_line_and_code_2() {
    for (args, line) in [
        (["--plies", "x"], "invalid value 'x' for '--plies <N>': invalid digit found in string"),
        (["--bogus", "1"], "unexpected argument '--bogus' found"),
    ] {
        let output = demo(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            format!("annabella-lab: {line}; `annabella-lab demo --help` tells more\n")
        );
    }
}

#[test]
fn the_demonstration_checks_position_score_and_times() {
    for reports in ["announced", "spoken"] {
        for blind in ["white", "black"] {
            let output = demo(&["--board", "none", "--reports", reports, "--blind", blind]);
            let out = String::from_utf8(output.stdout).expect("UTF-8");
            assert_eq!(output.status.code(), Some(0), "{out}");
            assert!(
                out.contains("Recovered: the position, 89 entries of the blind player's score"),
                "{out}"
            );
            assert!(!out.contains("felt") && !out.contains("boards agree"), "{out}");
        }
    }
}

#[test]
fn a_voice_is_enough_for_a_whole_game() {
    let output = demo(&[
        "--board",
        "none",
        "--reports",
        "spoken",
        "--voice",
        "--model",
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../voices/model"),
        "--plies",
        "24",
    ]);
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{out}{err}");
    assert!(out.contains("Recovered: the position, 24 entries"), "{out}");
    // 12 moves and a word after each of 24.
    assert!(out.contains("36 utterances spoken"), "{out}");
    assert!(!out.contains("player: \""), "nothing had to be typed: {out}");
}

#[test]
fn the_demonstration_s_player_speaks_and_is_heard() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = folder.path().join("short.pgn");
    std::fs::write(
        &game,
        "[White \"A\"]\n[Black \"B\"]\n\n1. Nf3 d5 2. g3 c6 3. Bg2 Nf6 4. O-O *\n",
    )
    .expect("written");
    let output = demo(&["--voice", "--pgn", game.to_str().expect("text")]);
    let text = String::from_utf8(output.stdout.clone()).expect("UTF-8");
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    for heard in [
        "heard springer gustav eins felix drei → accept g1f3",
        "heard bauer gustav zwei gustav drei → accept g2g3",
        "heard läufer felix eins gustav zwei → accept f1g2",
        "heard kurze rochade → accept e1g1",
        "4 utterances spoken by espeak-de (no person) in a quiet room, 4 of them heard as words.",
        "7 plies played, every one recovered from the reeds.",
    ] {
        assert!(text.contains(heard), "{heard}: {text}");
    }
}

/// Legal's mate, in real time, through a pseudo-terminal.
fn electronic_game(faults: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = folder.path().join("legal.pgn");
    let moves = "1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n";
    std::fs::write(&pgn, format!("[White \"Legal\"]\n[Black \"Saint Brie\"]\n\n{moves}"))
        .expect("written");
    let path = pgn.to_str().expect("text");
    let output = demo(&["--time-control", "3+2", "--pgn", path, "--dgt", faults]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let check = "Position in the game right, on the electronic board right. Times right:";
    assert!(said.contains(check), "{said}");
    assert!(said.contains("Schachmatt. Weiß gewinnt."), "{said}");
}

#[test]
fn a_game_with_board_and_clock_ends_in_the_right_position_with_the_right_times() {
    electronic_game("");
}

#[test]
fn so_it_does_with_cables_pulled_bytes_lost_and_a_board_that_lies_the_other_way_round() {
    electronic_game("lost=1,garbage=1,turned,unplug=31");
}

#[test]
fn a_game_that_the_laws_have_ended_is_played_to_that_end() {
    let path =
        format!("{}/../../tests/data/pgn/seventy-five-moves.pgn", env!("CARGO_MANIFEST_DIR"));
    let output = demo(&["--pgn", &path]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("game 1: over by 9.6.2 after move 100."), "{text}");
    assert!(text.contains("1 plies played, every one recovered"), "{text}");
}

#[test]
fn a_bad_game_is_named_and_the_other_is_played() {
    let path = format!("{}/../../tests/data/pgn/bad-second-game.pgn", env!("CARGO_MANIFEST_DIR"));
    let output = demo(&["--pgn", &path]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("line 7: game 2, move 2.: 'Ke4' is not legal"), "{text}");
    assert!(text.contains("2 plies played, every one recovered"), "{text}");
    let output = demo(&["--pgn", &path, "--game", "2"]);
    assert_eq!(output.status.code(), Some(2));
    let output = demo(&["--pgn", &path, "--game", "1"]);
    assert!(output.status.success());
}

#[test]
fn an_evening_at_home_is_spoken_to_its_end_and_both_records_are_the_same() {
    if !std::path::Path::new("/usr/games/stockfish").is_file() {
        crate::skip::skipped("stockfish", "no evening is played: apt-get install stockfish");
        return;
    }
    let partner = std::path::Path::new(env!("CARGO_BIN_EXE_annabella-lab"))
        .with_file_name("annabella-partner");
    if !partner.is_file() {
        // Tests of the whole workspace have it already.
        let made = Command::new(env!("CARGO"))
            .args(["build", "--locked", "--quiet", "-p", "annabella-partner", "--bins"])
            .status();
        assert!(made.expect("cargo runs").success());
    }
    for blind in ["white", "black"] {
        let output = demo(&["--partner", "1", "--blind", blind]);
        let (out, err) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{out}{err}");
        let last = out.lines().last().unwrap_or_default();
        assert!(
            last.starts_with("Result: ")
                && last.ends_with("the same in the service's record and the partner's score."),
            "{last}"
        );
        assert!(out.contains("player: \"") && out.contains("sighted board moved"), "{out}");
    }
}
