//! The sighted player's board at such a table, with the reader that watches it: it is still after a
//! moment without a change, reports then how it stands, and may lose its cable.

use annabella_core::game::{BoardSeen, Input, ShownBoard};
use annabella_core::sight::{Guidance, Seen};
use annabella_emulators::dgt::Faults;
use rand::{RngExt, seq::IndexedRandom};
use shakmaty::{Board, Color, Move, Piece, Position, Square, attacks};

use super::{
    Mayhem,
    line::{self, Line},
};

/// A board that has not changed for so long is still, milliseconds.
const STILL_MS: u64 = 250;

/// The board before the sighted player, as it really stands.
pub(super) struct Desk {
    pub(super) seat: Color,
    board: Board,
    /// It knows its pieces; else it feels that something stands there.
    knows: bool,
    there: bool,
    /// Its reader has said that it moves.
    moving: bool,
    /// When it reports how it stands.
    reports_ms: Option<u64>,
    asked_ms: Option<u64>,
    /// It is a DGT board at the end of a line.
    line: Option<Line>,
}

impl Desk {
    pub(super) fn new(seat: Color, board: Board, knows: bool) -> Desk {
        let (there, moving, reports_ms, asked_ms) = (true, false, Some(1500), None);
        Desk { seat, board, knows, there, moving, reports_ms, asked_ms, line: None }
    }

    /// It is a DGT board with these faults of its line.
    pub(super) fn over_a_line(&mut self, seed: u64, faults: Faults) {
        self.knows = true;
        self.line = Some(Line::new(seed, faults, &self.board));
    }

    pub(super) fn stands(&self) -> String {
        self.board.board_fen().to_string()
    }

    fn shown(&self) -> ShownBoard {
        match self.knows {
            true => ShownBoard::Pieces(self.board.board_fen().to_string()),
            false => ShownBoard::Occupied(self.board.occupied().into()),
        }
    }
}

impl Mayhem {
    fn desk(&mut self) -> &mut Desk {
        self.desk.as_mut().expect("a table with a board that sees")
    }

    fn desk_sees(&mut self, seen: BoardSeen) -> Result<(), String> {
        let seat = self.desk().seat;
        self.input(Input::BoardSeen { seat, seen })
    }

    pub(super) fn desk_due(&mut self) -> Option<u64> {
        let game = self.store.game();
        let desk = self.desk.as_mut()?;
        if let Some(line) = &mut desk.line {
            line.follow(game, desk.seat, self.now_ms);
            return line.due_ms(self.now_ms);
        }
        if let Some(at) = game.wants_picture(desk.seat)
            && desk.asked_ms != Some(at.ms)
        {
            desk.asked_ms = Some(at.ms);
            let ms = self.now_ms + STILL_MS;
            desk.reports_ms = Some(desk.reports_ms.map_or(ms, |before| before.max(ms)));
        }
        desk.reports_ms.filter(|_| desk.there)
    }

    pub(super) fn desk_reports(&mut self) -> Result<(), String> {
        let now_ms = self.now_ms;
        let desk = self.desk();
        if let Some(line) = &mut desk.line {
            let seen = line.run(now_ms);
            return self.line_reports(seen);
        }
        (desk.reports_ms, desk.moving) = (None, false);
        let shown = desk.shown();
        self.desk_sees(BoardSeen::Still { shown, ago_ms: STILL_MS })
    }

    fn line_reports(&mut self, seen: Vec<Seen>) -> Result<(), String> {
        for seen in seen {
            if !matches!(seen, Seen::Moving { .. }) {
                self.trace.push(format!("{} line {seen:?}", self.now_ms));
            }
            let seen = line::report(seen, self.now_ms);
            self.desk_sees(seen)?;
        }
        Ok(())
    }

    /// After a power cut, or with its cable back.
    pub(super) fn desk_is_found(&mut self) -> Result<(), String> {
        let now_ms = self.now_ms;
        let position = self.store.game().position().expect("a game");
        let Some(desk) = self.desk.as_mut().filter(|desk| desk.there) else { return Ok(()) };
        if let Some(line) = &mut desk.line {
            line.restart(now_ms, position.board());
            return Ok(());
        }
        (desk.reports_ms, desk.moving) = (Some(now_ms + STILL_MS), false);
        self.desk_sees(BoardSeen::Back)
    }

    pub(super) fn plug(&mut self, in_: bool) -> Result<(), String> {
        if self.desk().there == in_ {
            return Ok(());
        }
        let now_ms = self.now_ms;
        let desk = self.desk();
        desk.there = in_;
        if let Some(line) = &mut desk.line {
            let seen = line.plug(now_ms, in_);
            return self.line_reports(seen);
        }
        if in_ {
            self.desk_is_found()
        } else {
            self.desk_sees(BoardSeen::Lost { why: "cable".to_owned() })
        }
    }

    /// A hand on the board: one square changes.
    pub(super) fn puts(&mut self, square: Square, piece: Option<Piece>) -> Result<(), String> {
        if self.desk().board.piece_at(square) == piece {
            return Ok(());
        }
        let pause = self.rng.random_range(30..400);
        self.wait(pause)?;
        let now_ms = self.now_ms;
        let desk = self.desk();
        let before = desk.board.piece_at(square);
        match piece {
            Some(piece) => desk.board.set_piece_at(square, piece),
            None => desk.board.discard_piece_at(square),
        }
        if let Some(line) = &mut desk.line {
            line.put(now_ms, square, piece);
            let name = piece.map_or('-', Piece::char);
            self.trace.push(format!("{now_ms} desk {square} {name}"));
            return Ok(());
        }
        // One kind for another on the same square is nothing to a board that feels only that.
        let felt = desk.knows || before.is_some() != piece.is_some();
        if !desk.there || !felt {
            return Ok(());
        }
        desk.reports_ms = Some(now_ms + STILL_MS);
        let moves = !std::mem::replace(&mut desk.moving, true);
        let name = piece.map_or('-', Piece::char);
        self.trace.push(format!("{now_ms} desk {square} {name}"));
        if moves {
            self.desk_sees(BoardSeen::Moving)?;
        }
        match before {
            Some(_) => self.desk_sees(BoardSeen::Lifted { square, ago_ms: 10 }),
            None => Ok(()),
        }
    }

    /// The board is made to stand like this, as a person does: away what is wrong, then the rest.
    fn desk_stands(&mut self, target: &Board) -> Result<(), String> {
        for square in Square::ALL {
            let there = self.desk().board.piece_at(square);
            if there.is_some() && there != target.piece_at(square) {
                self.puts(square, None)?;
            }
        }
        for square in Square::ALL {
            self.puts(square, target.piece_at(square))?;
        }
        self.wait(600)
    }

    fn on_desk(&mut self, any: bool) -> Option<Square> {
        let occupied = self.desk().board.occupied();
        self.any_of(if any { occupied } else { !occupied })
    }

    /// Something goes wrong at the sighted player's board.
    pub(super) fn desk_mishap(&mut self, mv: Move) -> Result<(), String> {
        let seat = self.desk().seat;
        let Some(square) = self.on_desk(true) else { return Ok(()) };
        let piece = self.desk().board.piece_at(square);
        let rest = self.rng.random_range(50..4000);
        let own = self.position().turn() == seat;
        match self.rng.random_range(0..12) {
            0 => {
                // Touched or adjusted: lifted and set back.
                if self.rng.random() {
                    self.says(Some(seat), "ich korrigiere".to_owned())?;
                }
                self.puts(square, None)?;
                self.wait(rest)?;
                self.puts(square, piece)
            }
            1 => {
                // Knocked over and set up again.
                let mut off = vec![(square, piece)];
                for _ in 0..self.rng.random_range(1..3) {
                    if let Some(square) = self.on_desk(true) {
                        off.push((square, self.desk().board.piece_at(square)));
                        self.puts(square, None)?;
                    }
                }
                self.puts(square, None)?;
                self.wait(rest)?;
                for (square, piece) in off {
                    self.puts(square, piece)?;
                }
                Ok(())
            }
            2 => {
                // On a wrong square, for a while or for good.
                let Some(wrong) = self.on_desk(false) else { return Ok(()) };
                self.puts(square, None)?;
                self.puts(wrong, piece)?;
                self.wait(rest)?;
                if self.rng.random() {
                    self.puts(wrong, None)?;
                    self.puts(square, piece)?;
                }
                Ok(())
            }
            3 if own => {
                // A slide that rests on its way.
                let from = mv.from().expect("no drops");
                let way: Vec<Square> = attacks::between(from, mv.to()).into_iter().collect();
                let Some(on) = way.choose(&mut self.rng).copied() else { return Ok(()) };
                let piece = self.desk().board.piece_at(from);
                self.puts(from, None)?;
                self.puts(on, piece)?;
                self.wait(rest)?;
                if self.rng.random() {
                    self.press(seat)?;
                }
                self.puts(on, None)?;
                self.puts(mv.to(), piece)
            }
            4 if own => {
                // The move, a promoted pawn left as it is, and a press before anybody has looked.
                let from = mv.from().expect("no drops");
                let piece = self.desk().board.piece_at(from);
                self.puts(from, None)?;
                self.puts(mv.to(), piece)?;
                self.press(seat)
            }
            5 => self.press(seat),
            6 => {
                self.plug(false)?;
                self.wait(rest)?;
                if self.rng.random() { self.plug(true) } else { Ok(()) }
            }
            7 => {
                // Two pieces change their places.
                let Some(other) = self.on_desk(true) else { return Ok(()) };
                let second = self.desk().board.piece_at(other);
                self.puts(square, second)?;
                self.puts(other, piece)
            }
            8 => self.kill(),
            9 => {
                let from = mv.from().expect("no drops");
                self.puts(from, None)
            }
            10 => {
                let target = self.position().board().clone();
                self.desk_stands(&target)
            }
            _ => self.wait(rest),
        }
    }

    pub(super) fn desk_seat(&mut self) -> Color {
        self.desk().seat
    }

    pub(super) fn on_desk_square(&mut self, square: Square) -> Option<Piece> {
        self.desk().board.piece_at(square)
    }

    pub(super) fn wrong_on_desk(&self) -> usize {
        let Some(desk) = &self.desk else { return 0 };
        let position = self.position();
        let wrong =
            |square: &Square| desk.board.piece_at(*square) != position.board().piece_at(*square);
        Square::ALL.into_iter().filter(wrong).count()
    }

    /// He needs nobody for the last piece in his hand, nor for two pieces exchanged that his board
    /// cannot tell one from another.
    pub(super) fn sees_for_himself(&mut self) -> Result<(), String> {
        let position = self.position();
        let stands = position.board();
        let desk = self.desk();
        if !desk.knows {
            for square in desk.board.occupied() & stands.occupied() {
                let piece = stands.piece_at(square).expect("one stands there");
                desk.board.set_piece_at(square, piece);
            }
        }
        let off = stands.occupied() & !desk.board.occupied();
        let held =
            off.single_square().filter(|_| desk.board.occupied().is_subset(stands.occupied()));
        match held {
            Some(square) => self.puts(square, stands.piece_at(square)),
            None => Ok(()),
        }
    }

    pub(super) fn desk_is_right(&self) -> bool {
        let Some(desk) = &self.desk else { return true };
        let right = desk.board == *self.position().board();
        right && self.game().guidance(desk.seat) == Guidance::Nothing
    }

    /// The sighted player thinks, presses early and in vain: that costs the blind player nothing.
    pub(super) fn innocent_keeps_his_time(
        &mut self,
        his: Color,
        runs: Option<Color>,
    ) -> Result<(), String> {
        let Some(seat) = self.desk.as_ref().map(|desk| desk.seat) else { return Ok(()) };
        let record = self.game().record().expect("a game");
        if his != seat || record.line.last().is_some_and(|ply| ply.completed.is_none()) {
            self.innocent_ms = None;
            return Ok(());
        }
        let (white_ms, black_ms, _) = record.clock;
        let now_ms = seat.fold_wb(black_ms, white_ms);
        if runs != Some(seat) {
            return Ok(());
        }
        match self.innocent_ms {
            Some(before_ms) if now_ms < before_ms => {
                Err(format!("{:?} lost {} ms while {seat:?} moves", !seat, before_ms - now_ms))
            }
            _ => {
                self.innocent_ms = Some(now_ms);
                Ok(())
            }
        }
    }
}
