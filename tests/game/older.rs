//! Journals of earlier programs are replayed as they were played.

use annabella::{
    game::{At, Game, Input, Output, Rules},
    phrase::Prompt,
};
use serde_json::{Value, json};

use crate::table::packs;

/// The German pack as it was before there were rulings.
fn old_pack() -> String {
    let new = [
        "warned",
        "time-added",
        "time-taken",
        "declared-win",
        "declared-draw",
        "declared-result",
        "annulled",
        "signed",
        "no-result-yet",
        "no-draw-yet",
        "no-flag",
        "flag-fell-judge",
        "scores-open",
        "score-ask",
        "score-complete",
        "play-on",
        "stop-clock",
        "claim-flag",
        "sign",
        "complete-score",
        "wrong-start",
        "wrong-colours",
    ];
    let is_new = |line: &&str| line.split_once(" = ").is_some_and(|(key, _)| new.contains(&key));
    let text = packs().remove(0);
    // The pages have words of their own, some under the same names.
    let (text, _) = text.split_once("\n[pages]").expect("pages stand last");
    let old: Vec<&str> = text.lines().filter(|line| !is_new(line)).collect();
    assert_eq!(old.len() + new.len(), text.lines().count());
    old.join("\n")
}

/// As an earlier program began its journals: no word of rules, of drawing early, of its own age.
fn old_start(fen: &str, time_control: &str) -> Input {
    let config = json!({
        "white": "A", "black": "B", "blind": "white", "time_control": time_control,
        "start": fen, "sighted_board": true,
    });
    let pack = old_pack();
    let started: Value = json!({ "started": {
        "config": config, "packs": [pack, pack], "build": "0.1.0", "unix_s": 1_700_000_000_u64,
    }});
    serde_json::from_value(started).expect("a journal's first entry")
}

fn problems(outputs: &[Output]) -> Vec<String> {
    let line = |output: &Output| match output {
        Output::Problem { article, text, .. } => Some(format!("{article}: {text}")),
        Output::Proposal(proposal) => Some(format!("proposal {}", proposal.number)),
        Output::Result { result, .. } => Some(result.clone()),
        _ => None,
    };
    outputs.iter().filter_map(line).collect()
}

#[test]
fn a_flag_in_an_old_journal_is_judged_as_it_was() {
    // Locked: nobody mates here, and the old program did not know.
    let locked = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1";
    let mut game = Game::new();
    game.handle(At::new(0), old_start(locked, "3+2")).expect("begins");
    assert_eq!(game.record().expect("a game").config.laws, 0);
    assert_eq!(game.record().expect("a game").config.rules, Rules::Auto);
    game.handle(At::new(1000), Input::ClockStarted).expect("runs");
    let outputs = game.handle(At::new(200_000), Input::Woke).expect("falls");
    assert_eq!(problems(&outputs), ["D.2.10.5: White's flag has fallen", "0-1"]);
}

#[test]
fn nothing_is_proposed_in_an_old_journal_and_the_clock_runs_on() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut game = Game::new();
    game.handle(At::new(0), old_start(start, "90+30")).expect("begins");
    game.handle(At::new(1000), Input::ClockStarted).expect("runs");
    let call = Input::Said { seat: None, heard: vec!["Schiedsrichter".to_owned()] };
    let outputs = game.handle(At::new(2000), call).expect("is called");
    assert_eq!(problems(&outputs), ["6.11.2: White calls the arbiter"]);
    assert!(!game.record().expect("a game").halted);
    let press = Input::Pressed { seat: shakmaty::Color::White };
    let refused = game.handle(At::new(3000), press).expect_err("no move");
    assert_eq!(refused.to_string(), "7.5.3: White pressed the clock without a move");
    // A word that its pack did not have is none.
    let stop = Input::Said { seat: None, heard: vec!["Uhr anhalten".to_owned()] };
    let outputs = game.handle(At::new(4000), stop).expect("is not understood");
    assert!(!game.record().expect("a game").halted);
    let spoken = |output: &Output| match output {
        Output::Say { words, .. } => Some(words.to_string()),
        _ => None,
    };
    assert_eq!(outputs.iter().filter_map(spoken).collect::<Vec<_>>(), ["Bitte?"]);
    // And what it did not have to say comes from the pack of today.
    let words = game.packs().expect("packs");
    assert_eq!(words.prompt(Prompt::PlayOn, &[]).to_string(), "Die Partie geht weiter.");
}

#[test]
fn a_pack_in_the_configuration_must_still_be_whole() {
    let error = annabella::phrase::Words::from_toml(&old_pack(), &old_pack());
    let text = error.expect_err("a pack with gaps").to_string();
    assert!(text.contains("commands.stop-clock is missing"), "{text}");
}
