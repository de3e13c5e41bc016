//! What an arbiter is called for at a simulated board: somebody calls, an illegal move is
//! completed, or the boards differ. The people at the board wait until he has answered.

use std::{
    thread,
    time::{Duration, Instant},
};

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Bitboard, Chess, Color, Position, Rank, Square};

use super::{Board, KILLED};
use annabella_core::game::{At, Input, PageAct, PageEntry, PageRole, Record};
use annabella_players::table::{SimulatedTable, TableError};
use annabella_threads::lock;

/// People look up so often whether he has come.
const LOOK: Duration = Duration::from_millis(50);
/// They call once more where the clocks still stand after so long.
const AGAIN: Duration = Duration::from_secs(5);
/// Nobody waits longer for an arbiter, whatever is broken.
const PATIENCE: Duration = Duration::from_secs(180);
/// The program has felt by then that a peg is in a wrong hole, milliseconds.
const NOTICED_MS: u64 = 30_000;
/// And by then that all stand right again, milliseconds.
const CALM_MS: u64 = 5_000;

/// Why he is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    Called,
    IllegalMove,
    BoardsDiffer,
}

impl Why {
    const ALL: [Why; 3] = [Why::Called, Why::IllegalMove, Why::BoardsDiffer];
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Why::Called => "by an assistant",
            Why::IllegalMove => "for an illegal move",
            Why::BoardsDiffer => "for boards that differ",
        })
    }
}

/// A call, and whether it was answered.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) why: Why,
    /// How long it waited, and for whom. `None`: the board was killed first.
    pub(super) answered: Option<(Duration, String)>,
}

/// Before which ply of a game somebody calls, and why.
pub(super) fn plan(rng: &mut ChaCha8Rng, plies: usize) -> (usize, Why) {
    let n = rng.random_range(0..Why::ALL.len() as u64) as usize;
    let latest = (plies.max(4) - 1) as u64;
    (rng.random_range(2..=latest) as usize, Why::ALL[n])
}

/// Calls, Black being to move, and goes on when an arbiter has answered.
pub(super) fn call(
    board: &Board,
    table: &mut SimulatedTable<'_>,
    position: &Chess,
    why: Why,
) -> Result<(), TableError> {
    let before = look(board, |record| (record.rulings.len(), record.decisions.len()))?;
    let astray = happens(table, position, why)?;
    let began = Instant::now();
    let mut by = None;
    let answered = wait(board, table, began, |record| {
        by = answer(record, why, before);
        by.is_some()
    });
    let answered = answered.map(|()| (began.elapsed(), by.unwrap_or_default()));
    let call = Call { why, answered: answered.as_ref().ok().cloned() };
    lock(&board.calls).push(call);
    answered?;
    if let Some((from, to)) = astray {
        peg(table, to, false)?;
        peg(table, from, true)?;
    }
    wait(board, table, began, |record| !record.halted())?;
    // The program sees that all is well.
    table.until(table.now_ms() + CALM_MS)?;
    board.table.show(At::new(table.now_ms()), false);
    Ok(())
}

/// Shows an undisturbed board as it stands, and waits while an arbiter has stopped the clocks
/// there. Answers `false` where he has ended the game.
pub(super) fn goes_on(board: &Board, table: &mut SimulatedTable<'_>) -> Result<bool, TableError> {
    loop {
        board.table.show(At::new(table.now_ms()), false);
        let (ended, halted) = look(board, |record| (record.ended.is_some(), record.halted()))?;
        if ended || !halted {
            return Ok(!ended);
        }
        thread::sleep(LOOK);
        table.until(table.now_ms() + LOOK.as_millis() as u64)?;
    }
}

/// Who has answered the call, if anybody has.
fn answer(record: &Record<'_>, why: Why, (rulings, decisions): (usize, usize)) -> Option<String> {
    let ruling = match why {
        Why::Called => rulings,
        Why::IllegalMove if record.proposals.iter().any(|asked| asked.is_open()) => return None,
        Why::IllegalMove => rulings,
        Why::BoardsDiffer => record.decisions.get(decisions)?.by.ruling()?,
    };
    record.rulings.get(ruling).map(|ruled| ruled.ruling.by.clone())
}

/// Makes it happen. Answers which peg stands where instead of where.
fn happens(
    table: &mut SimulatedTable<'_>,
    position: &Chess,
    why: Why,
) -> Result<Option<(Square, Square)>, TableError> {
    match why {
        Why::Called => calls(table, "noise")?,
        Why::IllegalMove => {
            let seat = position.turn();
            let uci = illegal(position).ok_or_else(|| cannot("no move is illegal"))?;
            table.input(Input::Sighted { seat, uci })?;
            table.input(Input::Pressed { seat })?;
        }
        Why::BoardsDiffer => {
            let (from, to) = far(position).ok_or_else(|| cannot("no peg can go astray"))?;
            peg(table, from, false)?;
            peg(table, to, true)?;
            table.until(table.now_ms() + NOTICED_MS)?;
            return Ok(Some((from, to)));
        }
    }
    Ok(None)
}

fn cannot(why: &str) -> TableError {
    TableError::Core(why.to_owned())
}

fn calls(table: &mut SimulatedTable<'_>, reason: &str) -> Result<(), TableError> {
    let act = PageAct::CallArbiter { reason: reason.to_owned() };
    let entry = PageEntry { act, role: PageRole::Assistant, by: "the demonstration".to_owned() };
    table.input(Input::Page(Box::new(entry)))
}

/// White's hand at the pegs.
fn peg(table: &mut SimulatedTable<'_>, square: Square, occupied: bool) -> Result<(), TableError> {
    table.until(table.now_ms() + 200)?;
    table.input(Input::Edge { seat: Color::White, square, occupied, ago_ms: 0 })
}

/// The king of who is to move goes further than he may.
fn illegal(position: &Chess) -> Option<String> {
    let king = position.board().king_of(position.turn())?;
    let free = !position.board().occupied();
    let to = free.into_iter().find(|to| king.distance(*to) > 2)?;
    Some(format!("{king}{to}"))
}

/// A pawn of the blind player, and a hole in which no move of his puts it.
fn far(position: &Chess) -> Option<(Square, Square)> {
    let board = position.board();
    let free = Bitboard::from(Rank::Fifth) & !board.occupied();
    let pawns = board.pawns() & board.by_color(Color::White);
    free.into_iter().rev().find_map(|to| {
        let apart = |from: &Square| u32::from(from.file()).abs_diff(u32::from(to.file())) > 1;
        Some((pawns.into_iter().find(apart)?, to))
    })
}

/// The people at the board wait, until it is so.
fn wait(
    board: &Board,
    table: &mut SimulatedTable<'_>,
    began: Instant,
    mut so: impl FnMut(&Record<'_>) -> bool,
) -> Result<(), TableError> {
    let mut called = Instant::now();
    while !look(board, &mut so)? {
        if board.is_killed() {
            return Err(TableError::Core(KILLED.to_owned()));
        }
        if began.elapsed() > PATIENCE {
            return Err(TableError::Core("no arbiter has come".to_owned()));
        }
        if called.elapsed() > AGAIN && look(board, |record| record.halted())? {
            called = Instant::now();
            calls(table, "the clocks stand")?;
        }
        thread::sleep(LOOK);
        table.until(table.now_ms() + LOOK.as_millis() as u64)?;
        board.table.show(At::new(table.now_ms()), true);
    }
    Ok(())
}

fn look<T>(board: &Board, look: impl FnOnce(&Record<'_>) -> T) -> Result<T, TableError> {
    board.table.look(look).ok_or_else(|| cannot("there is no game"))
}
