//! What D.2.9 is decided on: both boards as last seen, both scores, the journal's clock readings.

use shakmaty::{Board, Color, Move, Position};

use super::{Play, Running, ShownBoard, seat::SeatBoard};
use crate::notation::ScoreReading;
use crate::reconcile::{Case, ClockReading, Settlement, Side, Times, VisibleBoard, Who, reconcile};

fn seen(shown: &ShownBoard) -> VisibleBoard {
    match shown {
        ShownBoard::Pieces(text) => Board::from_ascii_board_fen(text.as_bytes())
            .map_or(VisibleBoard::Nothing, VisibleBoard::Pieces),
        ShownBoard::Occupied(occupied) => VisibleBoard::Occupied((*occupied).into()),
    }
}

impl Play {
    /// The player on this side of D.2.9. If both are blind White stands first.
    pub(super) fn player(&self, who: Who) -> Color {
        let first = if self.seats.white.blind { Color::White } else { Color::Black };
        if who == Who::Blind { first } else { !first }
    }

    pub(super) fn who(&self, color: Color) -> Who {
        if self.player(Who::Blind) == color { Who::Blind } else { Who::Sighted }
    }

    /// Everything that is known of boards, scores and clocks.
    pub(super) fn case(&self) -> Case {
        let [white, black] = self.readings();
        let (blind, sighted) = (self.player(Who::Blind), self.player(Who::Sighted));
        let (first, second) = if blind.is_white() { (white, black) } else { (black, white) };
        // A score that is not handed in is no difference.
        let side = |color, score: ScoreReading| Side {
            color,
            excused: self.is_excused(color) || score.entries.is_empty(),
            score,
            board: self.seen(color),
            pending: self.pending(color),
        };
        let (white_ms, black_ms, _) = self.timing.clock.reading(self.at);
        Case {
            start: self.line.positions()[0].clone(),
            blind: side(blind, first),
            sighted: side(sighted, second),
            clocks: self.clock_readings(),
            now: self.clock_in_use().then_some(Times { white_ms, black_ms }),
            said_to_differ: self.arbitration.relation.said_to_differ,
        }
    }

    /// The last made move, where the board before this player has yet to show it.
    fn pending(&self, color: Color) -> Option<Move> {
        let (index, mv) = self.owed(color)?;
        (index + 1 == self.line.len() && !self.is_astray(color)).then_some(mv)
    }

    pub(super) fn settlement(&self) -> Settlement {
        let case = self.case();
        let mut settled = reconcile(&case);
        // Who need not record at present has nothing to write (8.4).
        settled.missing.retain(|missing| !case.side(missing.score).excused);
        settled
    }

    /// A board as last seen.
    pub(super) fn seen(&self, color: Color) -> VisibleBoard {
        let seat = &self.seats[color];
        if let Some(board) = seat.view.entered() {
            return VisibleBoard::Pieces(board.clone());
        }
        match &seat.board {
            SeatBoard::Pegs(tracker) => {
                let occupied = match &seat.correction {
                    Some(correction) => correction.occupied(),
                    None => tracker.occupied(),
                };
                // A broken reed says nothing about its hole.
                let blind = tracker.blind();
                VisibleBoard::Occupied(
                    (occupied & !blind) | (tracker.position().board().occupied() & blind),
                )
            }
            SeatBoard::Reports if seat.has_board() => match seat.view.differs() {
                Some(differs) => seen(&differs.shown),
                None => VisibleBoard::Pieces(self.reported_board(color)),
            },
            SeatBoard::Reports | SeatBoard::Said { .. } | SeatBoard::None => VisibleBoard::Nothing,
        }
    }

    /// The position of a board that reports moves, by its reports.
    fn reported_board(&self, color: Color) -> Board {
        if let Some(correction) = &self.seats[color].correction {
            return correction.before().clone();
        }
        let mut position = self.line.positions()[0].clone();
        for executed in &self.seats[color].shown {
            match position.clone().play(executed.mv) {
                Ok(next) => position = next,
                Err(_) => break,
            }
        }
        position.board().clone()
    }

    /// The player need not record at present, or did not need to for some time, so the score may
    /// lag behind.
    fn is_excused(&self, color: Color) -> bool {
        let period = self.timing.clock.period_index(color);
        self.seats[color].score.unrecorded().is_some() || self.need_not_record(color, period)
    }

    pub(super) fn clock_in_use(&self) -> bool {
        let initial_ms = self.timing.clock.control().initial_ms();
        self.course.halted().is_some()
            || self.timing.clock.reading(self.at) != (initial_ms, initial_ms, Running::None)
    }

    /// The journal's readings: before the first move, at completed ones, and as the arbiter set
    /// them.
    pub(super) fn clock_readings(&self) -> Vec<ClockReading> {
        if !self.clock_in_use() {
            return Vec::new();
        }
        let initial_ms = self.timing.clock.control().initial_ms();
        let at_start = Times { white_ms: initial_ms, black_ms: initial_ms };
        let mut readings = vec![ClockReading { ply: 0, times: at_start, at_ms: None }];
        for (n, ply) in self.line.iter().enumerate() {
            if let (Some(at), Some((white_ms, black_ms))) = (ply.completed, ply.clock_ms) {
                let times = Times { white_ms, black_ms };
                readings.push(ClockReading { ply: self.ply_number(n), times, at_ms: Some(at.ms) });
            }
        }
        // The game went on from what was decided last, not from what had been read there.
        for decision in
            self.arbitration.decisions.iter().filter(|decision| decision.settle.clocks.is_some())
        {
            let ply = decision.settle.ply;
            let (white_ms, black_ms) = decision.after_ms;
            let times = Times { white_ms, black_ms };
            let reading = ClockReading { ply, times, at_ms: Some(decision.at.ms) };
            match readings.binary_search_by_key(&ply, |reading| reading.ply) {
                Ok(place) => readings[place] = reading,
                Err(place) if place > 0 => readings.insert(place, reading),
                Err(_) => {}
            }
        }
        let made = self.plies();
        readings.retain(|reading| reading.ply <= made);
        // What the arbiter has given or taken since stays so, however far the game goes back
        // (12.9.2, 12.9.3, 6.10.2).
        for ruled in self.arbitration.rulings.iter().filter(|ruled| ruled.sets_time()) {
            let earlier = |reading: &&mut ClockReading| {
                reading.at_ms.is_none_or(|at_ms| at_ms <= ruled.at.ms)
            };
            let moved =
                |ms: u64, before: u64, after: u64| ms.saturating_add(after).saturating_sub(before);
            for ClockReading { times, .. } in readings.iter_mut().filter(earlier) {
                let (before, after) = (ruled.before_ms, ruled.after_ms);
                times.white_ms = moved(times.white_ms, before.0, after.0);
                times.black_ms = moved(times.black_ms, before.1, after.1);
            }
        }
        readings
    }
}
