//! Engines that die, hang, cheat and flood: it is said, and the game goes on.

use std::{path::Path, time::Duration};

use annabella_core::game::Output;
use annabella_partner::{
    engine::{Engine, EngineFault, Limits},
    level::Level,
    line::Line,
    score::usual_start,
    thinker::Thinker,
    words::Remark,
};
use shakmaty::Color;

use crate::{
    at_table::{Habits, ODD, PARTNER, at_home, whole_game},
    patience::PATIENCE,
};

fn run<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        tokio::time::timeout(PATIENCE, work).await.expect("no engine is waited for without end")
    })
}

fn engine(words: &[&str]) -> Engine {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    Engine::new(Path::new(ODD), &words)
}

const QUICK: Limits = Limits { time: Duration::from_millis(50), nodes: None };

fn start() -> Line {
    Line::read(&usual_start(), &[]).expect("the start")
}

#[test]
fn an_engine_that_is_not_there_is_named_with_what_to_do() {
    let output = std::process::Command::new(PARTNER)
        .args(["join", "--address", "127.0.0.1:1", "--code", "1", "--engine", "/nowhere/engine"])
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(3));
    let line = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(
        line,
        "annabella-partner: cannot start the engine /nowhere/engine: No such file or directory (os error 2): install \
         one (sudo apt install stockfish), or name it with --engine\n"
    );
}

#[test]
fn an_engine_s_name_commands_no_terminal_and_turns_no_writing() {
    let name = "name=A\u{1b}[31m\u{202e}Odd\u{ad}ity\u{7}";
    let mut engine = engine(&[name]);
    run(engine.start()).expect("starts");
    assert_eq!(engine.name(), "A [31m Oddity");
    let call = ["engine", "--engine", ODD, "--engine-arg", name];
    let output = std::process::Command::new(PARTNER).args(call).output().expect("runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains(": A [31m Oddity\n"), "{told}");
}

#[test]
fn an_output_that_is_closed_or_full_is_no_panic() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full disk");
    let closed = || std::io::pipe().expect("a pipe").1;
    let call = |args: &[&str]| {
        let mut call = std::process::Command::new(PARTNER);
        call.args(args);
        call
    };
    let engine = ["engine", "--engine", ODD];
    let ran = call(&engine).stdout(closed()).output().expect("runs");
    assert_eq!((ran.status.code(), ran.stderr.len()), (Some(0), 0), "its reader has seen enough");
    let ran = call(&engine).stdout(full()).output().expect("runs");
    assert_eq!(ran.status.code(), Some(3));
    assert_eq!(
        String::from_utf8_lossy(&ran.stderr),
        "annabella-partner: cannot write the output: No space left on device (os error 28)\n"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path().to_str().expect("UTF-8");
    for (args, code) in [
        (&["--nothing"][..], 2),
        (&["replay", "/nowhere/game.pgn", "--folder", home], 3),
        (&["friend", "Boris", "--folder", home], 2),
    ] {
        let ran = call(args).stderr(full()).status().expect("runs");
        assert_eq!(ran.code(), Some(code), "{args:?}, full");
        let ran = call(args).stderr(closed()).status().expect("runs");
        assert_eq!(ran.code(), Some(code), "{args:?}, closed");
    }
}

#[test]
fn every_fault_of_an_engine_is_told_apart_and_it_can_be_started_again() {
    run(async {
        let mut dies = engine(&["die=100"]);
        dies.start().await.expect("it starts");
        let fault = dies.search(&start(), QUICK).await.expect_err("it dies");
        assert!(matches!(fault, EngineFault::Died), "{fault}");
        assert!(!dies.runs());
        dies.start().await.expect("again");
        let mut hangs = engine(&["hang=100"]);
        hangs.start().await.expect("it starts");
        let fault = hangs.search(&start(), QUICK).await.expect_err("it hangs");
        assert!(matches!(fault, EngineFault::Hangs(_)), "{fault}");
        let mut floods = engine(&["flood"]);
        floods.start().await.expect("it starts");
        let fault = floods.search(&start(), QUICK).await.expect_err("it floods");
        assert!(matches!(fault, EngineFault::Floods), "{fault}");
        let mut sound = engine(&["cp=13"]);
        sound.start().await.expect("it starts");
        assert_eq!(sound.name(), "Odd");
        let found = sound.search(&start(), QUICK).await.expect("a move");
        assert!(start().legal(&found.best).is_some(), "{}", found.best);
    });
}

#[test]
fn a_search_that_nobody_waits_for_any_more_is_ended_before_the_next() {
    run(async {
        let mut slow = engine(&[]);
        slow.start().await.expect("it starts");
        {
            let start = start();
            let search = slow.search(&start, QUICK);
            tokio::pin!(search);
            // Sent, and left at once.
            tokio::select! {
                biased;
                _ = &mut search => {}
                () = tokio::task::yield_now() => {}
            }
        }
        let mv = start().legal("e2e4").expect("legal");
        let after = start().after(mv);
        for _ in 0..5 {
            let found = slow.search(&after, QUICK).await.expect("a move");
            assert!(
                after.legal(&found.best).is_some(),
                "an answer to another question: {}",
                found.best
            );
        }
    });
}

#[test]
fn an_illegal_move_is_refused_and_asked_again_and_what_goes_wrong_is_said() {
    run(async {
        let words = ["cheat=70", "die=10"].map(str::to_owned);
        let level = Level::new(3).expect("a level");
        let (mut thinker, mut said) = Thinker::new(Path::new(ODD), &words, level);
        let mut remarks = std::collections::BTreeSet::new();
        for _ in 0..12 {
            let choice = thinker.chooses(&start(), Duration::from_millis(20)).await;
            assert!(shakmaty::Position::is_legal(start().position(), choice.mv));
            while let Ok(remark) = said.try_recv() {
                remarks.insert(remark);
            }
        }
        assert!(remarks.contains(&Remark::EngineCheated), "{remarks:?}");
    });
}

#[test]
fn the_blind_player_hears_in_his_language_that_the_engine_is_started_again() {
    let habits = Habits { tires: Some(30), ..Habits::default() };
    let mut config = at_home(Color::White);
    config.prompts = "de".to_owned();
    let hall = crate::hall::Hall::of(config, |_| {});
    let folder = tempfile::tempdir().expect("a folder");
    let (door, score) = crate::at_table::files(folder.path());
    crate::at_table::write_code(&hall, hall.address, &door);
    let score_text = score.display().to_string();
    let more = ["--games", "1", "--no-openings", "--score", &score_text];
    let partner = crate::at_table::Partner::joins(&door, &[ODD, "die=40"], &more);
    crate::at_table::Player::new(Color::White, 9, habits).plays(&hall, || {});
    assert_eq!(partner.leaves(), (Some(0), String::new()));
    crate::at_table::assert_same_record(&hall, &score);
    let play = hall.play();
    let (_, told) = annabella_core::game::Game::replay(play.inputs.clone());
    let said: Vec<String> = told
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|output| match output {
            Output::Say { words, .. } => Some(words.to_string()),
            _ => None,
        })
        .collect();
    let line = "Dein Gegner sagt: Mein Schachprogramm ist abgestürzt. Ich starte es neu.";
    assert!(said.iter().any(|said| said == line), "{said:#?}");
}

#[test]
fn a_game_against_an_engine_that_cheats_ends_with_the_same_record_on_both_sides() {
    let habits = Habits { tires: Some(60), ..Habits::default() };
    let engine = [ODD, "cheat=60"];
    let (result, article, moves) = whole_game(at_home(Color::Black), 4, habits, &engine, &[]);
    assert_eq!((result.as_str(), article.as_str()), ("1-0", "5.1.2"), "{moves:?}");
}
