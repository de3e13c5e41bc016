//! An engine for tests. It plays by chance, and misbehaves as often as it is told to: `die=5 hang=5
//! cheat=20`, each in a hundred searches. `script=e7e5/e2e4,b8c6` plays these moves, one on each of
//! its turns, the first that is legal there; `cp=-1000` or `mate=-3` is what it says of every
//! position; `name=Stockfish` is what it is called; `mute` answers nothing at all, `flood` writes a
//! line without end.

use std::{
    io::{BufRead as _, Write as _},
    process::ExitCode,
};

use annabella_partner::line::Line;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Move, Position as _, uci::UciMove};

struct Odd {
    told: Vec<(String, String)>,
    rng: ChaCha8Rng,
    line: Option<Line>,
}

impl Odd {
    fn text(&self, key: &str) -> Option<&str> {
        self.told.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    fn happens(&mut self, key: &str) -> bool {
        let of_hundred = self.text(key).and_then(|value| value.parse::<u32>().ok()).unwrap_or(0);
        self.rng.random_range(0..100) < of_hundred
    }

    fn begins(line: &str) -> Option<Line> {
        let rest = line.strip_prefix("position ")?;
        let (start, moves) = rest.split_once(" moves ").unwrap_or((rest, ""));
        let start = match start.strip_prefix("fen ") {
            Some(fen) => fen.to_owned(),
            None => annabella_partner::score::usual_start(),
        };
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        Line::read(&start, &moves)
    }

    /// The move it wants; not always one that the Laws allow.
    fn best(&mut self) -> String {
        let Some(line) = self.line.clone() else { return "0000".to_owned() };
        let position = line.position();
        let legal = position.legal_moves();
        if legal.is_empty() {
            return "(none)".to_owned();
        }
        if let Some(script) = self.text("script") {
            let own = script.split(',').nth(line.moves().len() / 2);
            if let Some(own) = own {
                let mut either = own.split('/');
                let legal = either.find(|text| line.legal(text).is_some());
                return legal.unwrap_or(own).to_owned();
            }
        }
        if self.happens("cheat") {
            let lies = ["e2e5", "a1a8", "0000", "(none)", "xyz", "", "e1g1q"];
            let lie = lies[self.rng.random_range(0..lies.len())];
            if line.legal(lie).is_none() {
                return lie.to_owned();
            }
        }
        // Chance ends no game: whoever set up this one said how it ends.
        let goes_on: Vec<Move> = legal.iter().copied().filter(|mv| !ends(position, *mv)).collect();
        let from = if goes_on.is_empty() { &legal[..] } else { &goes_on };
        UciMove::from_standard(from[self.rng.random_range(0..from.len())]).to_string()
    }
}

/// Whether this legal move ends the game at once.
fn ends(position: &Chess, mv: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after.is_game_over()
}

fn main() -> ExitCode {
    let told: Vec<(String, String)> = std::env::args()
        .skip(1)
        .map(|word| match word.split_once('=') {
            Some((key, value)) => (key.to_owned(), value.to_owned()),
            None => (word, String::new()),
        })
        .collect();
    let seed = told.iter().find(|(key, _)| key == "seed").and_then(|(_, seed)| seed.parse().ok());
    // Not the same faults again after each start.
    let seed = u64::from(std::process::id()) ^ seed.unwrap_or(0);
    let mut odd = Odd { told, rng: ChaCha8Rng::seed_from_u64(seed), line: None };
    if odd.text("mute").is_some() {
        std::thread::park();
    }
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let line = line.trim();
        let answer = match line.split(' ').next().unwrap_or_default() {
            "uci" => {
                let name = odd.text("name").unwrap_or("Odd");
                let skill = "option name Skill Level type spin default 20 min 0 max 20";
                format!("id name {name}\n{skill}\nuciok")
            }
            "isready" => "readyok".to_owned(),
            "position" => {
                odd.line = Odd::begins(line);
                continue;
            }
            "go" => {
                if odd.text("flood").is_some() {
                    loop {
                        if out.write_all(&[b'x'; 4_096]).is_err() {
                            return ExitCode::FAILURE;
                        }
                    }
                }
                if odd.happens("die") {
                    return ExitCode::FAILURE;
                }
                if odd.happens("hang") {
                    std::thread::park();
                }
                let judged = match (odd.text("cp"), odd.text("mate")) {
                    (Some(value), _) => format!("info depth 1 score cp {value}\n"),
                    (_, Some(value)) => format!("info depth 1 score mate {value}\n"),
                    _ => String::new(),
                };
                format!("{judged}bestmove {}", odd.best())
            }
            "quit" => return ExitCode::SUCCESS,
            _ => continue,
        };
        if writeln!(out, "{answer}").and_then(|()| out.flush()).is_err() {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
