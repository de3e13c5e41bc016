//! What a game without sensors must have come to: position, scores and times.

use shakmaty::{Color, Move, Position};

use annabella::service::Service;
use annabella_core::notation::pgn::Section;

/// Compares the record with what was played. `rose_ms`: when the players got up; the clock was
/// started at 0.
pub(super) fn check(
    service: &Service,
    section: &Section,
    blind: Color,
    rose_ms: u64,
) -> Result<String, String> {
    let record = service.game().record().ok_or("there is no game")?;
    let mut position = section.start.clone();
    section.moves.iter().for_each(|mv| position.play_unchecked(*mv));
    if *record.position != position {
        return Err("another position".to_owned());
    }
    let score = record.score(blind);
    let written: Vec<Option<Move>> = score.iter().map(|entry| entry.mv).collect();
    if written != section.moves.iter().copied().map(Some).collect::<Vec<_>>() {
        return Err("another score of the blind player".to_owned());
    }
    let said = |mover: Color| mover == blind;
    if record.line.iter().any(|ply| ply.said != said(ply.mover)) {
        return Err("a move of the blind player counts as seen".to_owned());
    }
    let ended_ms = record.ended.map_or(rose_ms, |ended| ended.at.ms);
    let used_ms = record.used_ms().0 + record.used_ms().1;
    let timed = record.line.iter().all(|ply| ply.completed.is_some() && ply.clock_ms.is_some());
    if !timed || used_ms != ended_ms {
        return Err(format!("{used_ms} ms used, {ended_ms} ms gone"));
    }
    Ok(format!(
        "Recovered: the position, {} entries of the blind player's score, {} s on the clocks.",
        score.len(),
        used_ms / 1000
    ))
}
