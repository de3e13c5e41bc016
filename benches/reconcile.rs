//! How long it takes to settle a long game (D.2.9), and to tell who can still mate (6.9).

use std::{hint::black_box, time::Instant};

use annabella_core::{
    laws::winnable::{Budget, Mate, can_mate},
    notation::read_entries,
    reconcile::{Case, Side, VisibleBoard, reconcile},
};
use annabella_players::games::random_game;
use shakmaty::{Chess, Color, Move, Position, uci::UciMove};

const PLIES: usize = 300;

fn main() {
    println!("{:<52} {:>6} {:>11} {:>11}", "what", "n", "median", "p99");
    settle();
    mate();
}

fn row(name: &str, ns: &mut [u128]) {
    ns.sort_unstable();
    let at = |share: usize| ns[(ns.len() - 1) * share / 100] as f64 / 1e6;
    println!("{name:<52} {:>6} {:>8.3} ms {:>8.3} ms", ns.len(), at(50), at(99));
}

/// Games of 300 plies, the scores of which differ near the end, both boards felt by reeds.
fn settle() {
    let (mut reading, mut settling) = (Vec::new(), Vec::new());
    let games = (0..2000).map(|seed| random_game(seed, PLIES));
    for (start, moves) in games.filter(|(_, moves)| moves.len() == PLIES).take(50) {
        let entry = |mv: &Move| UciMove::from_standard(*mv).to_string();
        let score: Vec<String> = moves.iter().map(entry).collect();
        let mut other = score.clone();
        other[PLIES - 3] = "Kd9".to_owned();
        let began = Instant::now();
        let case = case(&start, &score, &other);
        reading.push(began.elapsed().as_nanos());
        let began = Instant::now();
        black_box(reconcile(&case));
        settling.push(began.elapsed().as_nanos());
    }
    row("reading two scores of 300 plies, any language", &mut reading);
    row("reconcile, 300 plies", &mut settling);
}

fn case(start: &Chess, one: &[String], two: &[String]) -> Case {
    let side = |color, score: &[String]| {
        let score = read_entries(start, score);
        let board = VisibleBoard::Occupied(score.position().board().occupied());
        Side { color, score, board, excused: false, pending: None }
    };
    Case {
        start: start.clone(),
        blind: side(Color::White, one),
        sighted: side(Color::Black, two),
        clocks: Vec::new(),
        now: None,
        said_to_differ: false,
    }
}

/// Every 25th position of seeded games, and the last, for both players.
fn mate() {
    let (mut ns, mut undecided) = (Vec::new(), 0);
    for seed in 1000..1100 {
        let (mut pos, moves) = random_game(seed, 300);
        for (n, mv) in moves.iter().enumerate() {
            pos.play_unchecked(*mv);
            if n % 25 != 24 && n + 1 != moves.len() {
                continue;
            }
            for color in Color::ALL {
                let began = Instant::now();
                let mate = can_mate(&pos, color, Budget::default());
                ns.push(began.elapsed().as_nanos());
                undecided += usize::from(mate == Mate::Undecided);
            }
        }
    }
    row("can this player still mate", &mut ns);
    println!("left to the arbiter: {undecided} of {} positions", ns.len());
}
