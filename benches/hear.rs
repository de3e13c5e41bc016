//! How sure and how quick hearing is: wrong accepts against repeats over the simulated noisy
//! channel, from which the default thresholds come, and the time of a decision.

use std::time::Instant;

use annabella_words::phrase::hear::{Context, Ear, Heard, Hypothesis, Thresholds, move_grammar};
use shakmaty::{Chess, Position};

#[path = "../tests/words/recognizer.rs"]
mod noise;

use noise::{HALL, Noise, Said, german, measure, scenes, top_one};

const ROOM: Noise = Noise { spread: 2.2, lost: 0.002, added: 0.005 };
const HALL_WITHOUT_LOSS: Noise = Noise { lost: 0.0, ..HALL };
const CROWD: Noise = Noise { spread: 3.6, lost: 0.01, added: 0.02 };

fn main() {
    times();
    curve();
}

fn curve() {
    let (words, ear) = german();
    for (name, noise) in [
        ("room", &ROOM),
        ("hall", &HALL),
        ("hall, no word lost", &HALL_WITHOUT_LOSS),
        ("crowd", &CROWD),
    ] {
        let moves = scenes(&words, Said::Moves, noise, 200, 20, 11);
        let wrong = scenes(&words, Said::IllegalMoves, noise, 40, 20, 12);
        let talk = scenes(&words, Said::Talk, noise, 40, 20, 13);
        println!("== {name}");
        println!(
            "top 1, grammar      {}",
            top_one(&words, &moves, |heard| &heard.hypotheses).row()
        );
        println!("top 1, word loop    {}", top_one(&words, &moves, |heard| &heard.word_loop).row());
        let defaults = Thresholds::default();
        let with = |accept_margin, accept_confidence, loop_contradiction| Thresholds {
            accept_margin,
            accept_confidence,
            loop_contradiction,
            ..defaults
        };
        let rows = [
            (with(0.0, 0.0, 1.0), false),
            (with(0.2, 0.0, 1.0), false),
            (with(0.35, 0.85, 1.0), false),
            (with(0.0, 0.0, 0.2), true),
            (with(0.2, 0.0, 0.2), true),
            (with(0.35, 0.85, 0.2), true),
            (with(0.35, 0.85, 0.1), true),
            (defaults, true),
            (Thresholds { comparison_confidence: 0.02, ..defaults }, true),
            (Thresholds { comparison_confidence: 0.1, ..defaults }, true),
            (Thresholds { comparison_confidence: 1.0, ..defaults }, true),
        ];
        for (thresholds, word_loop) in rows {
            let ours = measure(&ear, &moves, thresholds, word_loop);
            let illegal = measure(&ear, &wrong, thresholds, word_loop);
            let noise = measure(&ear, &talk, thresholds, word_loop);
            println!(
                "margin {:.2} confidence {:.2} loop {} comparison {:.2} {}  illegal accepted {:5.2} %  talk: moves {:4.2} % requests {:4.2} %",
                thresholds.accept_margin,
                thresholds.accept_confidence,
                if word_loop { thresholds.loop_contradiction.to_string() } else { "-".into() },
                thresholds.comparison_confidence,
                ours.row(),
                illegal.percent(illegal.wrong),
                noise.percent(noise.wrong),
                noise.percent(noise.commands)
            );
        }
    }
}

/// Where most may be said, with ten hypotheses and a word loop.
fn times() {
    let (words, ear) = german();
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    ] {
        let fen: shakmaty::fen::Fen = fen.parse().expect("FEN");
        let pos: Chess = fen.into_position(shakmaty::CastlingMode::Standard).expect("legal");
        let started = Instant::now();
        let grammar = move_grammar(&words, &pos);
        let grammar_us = started.elapsed().as_micros();
        let started = Instant::now();
        let matcher = ear.matcher(&pos, Context::default());
        let matcher_us = started.elapsed().as_micros();
        let hypotheses: Vec<Hypothesis> =
            (0..10).map(|n| Hypothesis::new(&grammar[n * grammar.len() / 10], 0.1)).collect();
        let heard = Heard { word_loop: hypotheses.clone(), hypotheses, ..Heard::default() };
        let started = Instant::now();
        for _ in 0..20 {
            std::hint::black_box(matcher.decide(&heard));
        }
        println!(
            "{} moves, {} phrases for the grammar, {} in the matcher: grammar {grammar_us} us, matcher {matcher_us} us, decision {} us",
            pos.legal_moves().len(),
            grammar.len(),
            matcher.phrases(),
            started.elapsed().as_micros() / 20
        );
    }
    let started = Instant::now();
    std::hint::black_box(Ear::new(&words));
    println!("ear {} us", started.elapsed().as_micros());
}
