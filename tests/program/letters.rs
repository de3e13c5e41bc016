//! Typed moves: the letters of the language in force are read first, and what is illegal there is
//! not made.

use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_annabella")).args(args).output().expect("runs")
}

#[test]
fn an_english_bishop_is_a_bishop_where_english_is_spoken() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let output = run(&["say", "Bc4", "--words", "en", "--fen", fen, "--json"]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("\"uci\":\"f1c4\""), "{text}");
}

#[test]
fn an_illegal_move_is_asked_about_or_refused_and_never_another() {
    for (text, words, fen, said) in [
        ("Bxc5", "en", "7k/8/8/2p5/1P6/8/3B4/7K w - - 0 1", "in German letters it is b4xc5"),
        ("Rf1", "fide", "4k3/8/8/8/8/8/R2p4/4K3 w - - 0 1", "is no move"),
        ("Rf1", "en", "4k3/8/8/8/8/8/R2p4/4K3 w - - 0 1", "is not legal"),
    ] {
        let output = run(&["say", text, "--words", words, "--fen", fen]);
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}: {err}");
        assert!(output.stdout.is_empty() && err.contains(said), "{text}: {err}");
    }
}

#[test]
fn scores_with_an_illegal_bishop_do_not_agree_and_english_ones_do() {
    let settle = |name: &str| {
        let path = format!("{}/tests/data/reconcile/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let output = run(&["reconcile", &path]);
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, text) = settle("english-italian");
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = settle("bishop-read-as-pawn");
    assert_eq!(code, Some(1), "{text}");
    assert!(!text.contains("\"b4c5\""), "{text}");
    assert!(text.contains("not legal"), "{text}");
}
