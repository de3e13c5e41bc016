//! The file of pairings that a hall is given.

use std::path::Path;

use annabella::{cli::Failure, service::streams::complain};
use annabella_hall::round::{FixedBoards, RoundFile};

/// Reads the pairings; lines that cannot be used are told, and the round goes on without them.
pub(super) fn pairings(
    path: &Path,
    round: Option<usize>,
    fixed: &[(u32, u32)],
) -> Result<RoundFile, Failure> {
    let name = path.display();
    let bytes = annabella_records::whole::read(path)
        .map_err(|err| Failure::usage(format!("cannot read {name}: {err}")))?;
    let fixed: FixedBoards = fixed.iter().copied().collect();
    let file = RoundFile::read_bytes(&bytes, round, &fixed)
        .map_err(|err| Failure::usage(format!("{name}, {err}")))?;
    for line in file.unusable() {
        complain(&format!("{name}, {line}"));
    }
    Ok(file)
}

/// `17=5`: starting rank and board.
pub(super) fn fixed_board(text: &str) -> Result<(u32, u32), String> {
    let numbers = text
        .split_once('=')
        .and_then(|(rank, board)| Some((rank.trim().parse().ok()?, board.trim().parse().ok()?)));
    let good = numbers.filter(|(rank, board)| *rank > 0 && (1..=99_999).contains(board));
    good.ok_or_else(|| {
        "write RANK=BOARD, as in 17=5: the player's starting rank and his board".to_owned()
    })
}
