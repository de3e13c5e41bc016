//! Writes results into a file of pairings, as a hall does, for programs that check what comes out:
//! `with_results FILE ROUND 3=1-0 1=1/2-1/2 …`, to standard output. Without results it lists the
//! boards.

use std::{error::Error, io::Write};

use annabella_core::game::Outcome;
use annabella_hall::round::{FixedBoards, RoundFile};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [path, round, results @ ..] = &args[..] else {
        return Err("give a file, a round, and results such as 3=1-0".into());
    };
    let file =
        RoundFile::read_bytes(&std::fs::read(path)?, round.parse().ok(), &FixedBoards::new())?;
    let mut out = std::io::stdout();
    if results.is_empty() {
        for pair in file.pairs() {
            writeln!(out, "{}\t{}\t{}", pair.board, pair.white, pair.black)?;
        }
        return Ok(());
    }
    let known = [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw, Outcome::BothLose];
    let mut given = Vec::new();
    for text in results {
        let (board, result) = text.split_once('=').ok_or("a result is written 3=1-0")?;
        let outcome = known.into_iter().find(|outcome| outcome.as_str() == result);
        given.push((board.parse()?, outcome.ok_or("1-0, 0-1, 1/2-1/2 or 0-0")?));
    }
    Ok(out.write_all(&file.bytes_with_results(&given)?)?)
}
