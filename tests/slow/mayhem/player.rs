//! The players after the mishaps: they know which move they want to play and what is said, and
//! nothing else. One step is one sentence, heard or asked for, and what it asks of the hands or the
//! mouth.

use annabella_core::sight::Guidance;
use annabella_words::phrase::SpokenForm;
use rand::RngExt;
use shakmaty::{CastlingSide, Chess, Color, Move, Position, Square};

use super::{Mayhem, ear::Order};

/// One half-move as its players see it.
pub(super) struct Turn {
    /// The position before it, as both had it.
    pub(super) begun: Chess,
    pub(super) plies: usize,
    pub(super) mover: Color,
    /// What he wants to play.
    pub(super) mv: Move,
}

/// The ways of a move's pieces, the king's first (4.4.2), and the square that it empties of
/// another.
fn ways(mv: Move) -> (Vec<(Square, Square)>, Option<Square>) {
    let from = mv.from().expect("no drops");
    match mv {
        Move::Castle { king, rook } => {
            let side = if rook > king { CastlingSide::KingSide } else { CastlingSide::QueenSide };
            let color =
                if king.rank() == shakmaty::Rank::First { Color::White } else { Color::Black };
            (vec![(king, side.king_to(color)), (rook, side.rook_to(color))], None)
        }
        Move::EnPassant { to, .. } => {
            (vec![(from, to)], Some(Square::from_coords(to.file(), from.rank())))
        }
        _ => (vec![(from, mv.to())], mv.is_capture().then_some(mv.to())),
    }
}

impl Mayhem {
    /// One step of everybody at the table.
    pub(super) fn all_step(&mut self, turn: &Turn) -> Result<(), String> {
        if self.game().record().expect("a game").halted() {
            self.starts_clocks()?;
        }
        let sighted = self.desk.as_ref().map(|desk| desk.seat);
        for color in [turn.mover, !turn.mover] {
            if self.game().ended().is_some() {
                return Ok(());
            }
            if self.config().blind.is(color) {
                self.blind_step(color, turn)?;
            } else if Some(color) == sighted {
                self.sighted_step(turn)?;
            }
        }
        Ok(())
    }

    /// The last sentence in the ear of this player, as an order.
    fn ordered(&mut self, who: Color) -> Option<Order> {
        let (text, aloud) = self.heard[who as usize].take()?;
        let record = self.game().record().expect("a game");
        let mut positions = vec![record.start().clone()];
        for ply in record.line {
            let mut after = positions[positions.len() - 1].clone();
            after.play_unchecked(ply.mv);
            positions.push(after);
        }
        let from = positions.len().saturating_sub(3);
        let mut latest = positions.split_off(from);
        let in_the_room = aloud && self.config().blind.is(who);
        if in_the_room {
            // Both castle in the same words; what the room tells a blind player is the other's.
            latest.sort_by_key(|position| position.turn() != who);
        }
        let order = self.ear.order(who, &latest, &text)?;
        // What is said aloud about a board is said to the sighted player, who has no earphone.
        let for_all = matches!(order, Order::Announced(_) | Order::StartClocks | Order::Arbiter);
        (for_all || !in_the_room).then_some(order)
    }

    fn asks(&mut self, who: Color, what: &str) -> Result<Option<Order>, String> {
        self.heard[who as usize] = None;
        self.says(Some(who), what.to_owned())?;
        Ok(self.ordered(who))
    }

    fn blind_step(&mut self, who: Color, turn: &Turn) -> Result<(), String> {
        // A sentence may have gone by unheard.
        if self.rng.random_bool(0.3) {
            self.heard[who as usize] = None;
        }
        let heard = self.ordered(who);
        let own = who == self.board_of(turn.mover);
        let known = match heard {
            None | Some(Order::Nothing | Order::Turn(_)) => None,
            // Nobody executes his own move because it was announced.
            Some(Order::Announced(_)) if own => None,
            // His move is completed, whatever he had meant: what is he to do now?
            Some(Order::Name) if self.is_completed(turn) => None,
            order => order,
        };
        let order = match known {
            Some(order) => order,
            None => self.asks(who, "was ist offen")?.unwrap_or(Order::Nothing),
        };
        self.trace.push(format!("  {who:?} understands {order:?}"));
        self.obeys(who, order, turn)
    }

    /// The game has gone on from this turn.
    fn is_completed(&self, turn: &Turn) -> bool {
        let record = self.game().record().expect("a game");
        record.line.get(turn.plies).is_some_and(|ply| ply.completed.is_some())
    }

    fn obeys(&mut self, who: Color, order: Order, turn: &Turn) -> Result<(), String> {
        let (mover, mv) = (turn.mover, turn.mv);
        let own = who == self.board_of(mover);
        match order {
            Order::Take(square) => self.peg(who, square, false)?,
            Order::Put(square, _) => self.peg(who, square, true)?,
            Order::Execute(told) if !own || told == mv || self.plies() != turn.plies => {
                self.executes(who, told)?;
            }
            // It is not what he wants to play.
            Order::Execute(_) => self.names(turn, true)?,
            Order::Announced(told) => self.executes(who, told)?,
            // The opponent's last move, or his own.
            Order::Differ { announced, executed }
                if !own || announced == mv || !turn.begun.is_legal(announced) =>
            {
                self.undoes(who, executed)?;
                self.executes(who, announced)?;
            }
            Order::Differ { .. } => self.names(turn, true)?,
            Order::Name | Order::Unnamed(_) if own => self.names(turn, false)?,
            // It is not his turn, as far as he knows: his hands did not mean a move.
            Order::Unnamed(executed) => self.undoes(who, executed)?,
            Order::Piece => match mv.promotion() {
                Some(_) => self.names(turn, false)?,
                None => self.names(turn, true)?,
            },
            Order::Confirm(asked) => self.answers(who, asked == mv)?,
            Order::IsGone(square) => {
                let gone = self.emptied[who as usize].contains(square);
                self.answers(who, gone)?;
            }
            Order::IsRight => self.answers(who, true)?,
            Order::Decline => self.answers(who, false)?,
            Order::Press => self.press(who)?,
            Order::StartClocks => self.says(Some(who), "Uhr starten".to_owned())?,
            Order::Arbiter => self.starts_clocks()?,
            Order::Play if own => self.plays(who, turn)?,
            Order::Nothing if own => match self.asks(who, "wer ist am Zug")? {
                Some(Order::Turn(color)) if color == mover => self.plays(who, turn)?,
                _ => self.press(mover)?,
            },
            Order::Name | Order::Play | Order::Nothing | Order::Turn(_) => {}
        }
        self.wait(2000)
    }

    fn answers(&mut self, who: Color, yes: bool) -> Result<(), String> {
        self.says(Some(who), if yes { "ja" } else { "nein" }.to_owned())
    }

    /// The mover says his move, so that everybody in the room hears it.
    fn names(&mut self, turn: &Turn, corrects: bool) -> Result<(), String> {
        let text = self.words.announce(&turn.begun, turn.mv, SpokenForm::Full).to_string();
        let said = if corrects { format!("Korrektur {text}") } else { text.clone() };
        self.says(Some(turn.mover), said)?;
        let other = !self.board_of(turn.mover);
        if self.config().blind.is(other) {
            self.heard[other as usize].get_or_insert((text, true));
        }
        Ok(())
    }

    /// Announced, executed, pressed.
    fn plays(&mut self, who: Color, turn: &Turn) -> Result<(), String> {
        self.names(turn, false)?;
        self.executes(who, turn.mv)?;
        self.wait(1500)?;
        self.press(turn.mover)
    }

    /// The hands execute a move, as far as its pieces stand where it needs them.
    fn executes(&mut self, who: Color, mv: Move) -> Result<(), String> {
        let (ways, captured) = ways(mv);
        let stood = |this: &Mayhem, square| this.pegs[who as usize].contains(square);
        // Executed already, he thinks, and told to: once more, from the beginning.
        for (from, to) in ways.iter().rev() {
            if !stood(self, *from) && stood(self, *to) {
                self.peg(who, *to, false)?;
                self.peg(who, *from, true)?;
            }
        }
        if let Some(square) = captured {
            self.peg(who, square, false)?;
        }
        for (from, _) in &ways {
            self.peg(who, *from, false)?;
        }
        for (_, to) in &ways {
            self.peg(who, *to, true)?;
        }
        Ok(())
    }

    /// The hands take a move back.
    fn undoes(&mut self, who: Color, mv: Move) -> Result<(), String> {
        let (ways, captured) = ways(mv);
        for (_, to) in &ways {
            self.peg(who, *to, false)?;
        }
        for (from, _) in &ways {
            self.peg(who, *from, true)?;
        }
        match captured {
            Some(square) => self.peg(who, square, true),
            None => Ok(()),
        }
    }

    /// The sighted player: what is said aloud, what is shown beside his board, and his own move.
    fn sighted_step(&mut self, turn: &Turn) -> Result<(), String> {
        let seat = self.desk_seat();
        self.plug(true)?;
        self.sees_for_himself()?;
        self.wait(600)?;
        let own = turn.mover == seat;
        let order = self.ordered(seat);
        self.trace.push(format!("  {seat:?} understands {order:?}"));
        match order {
            Some(Order::Take(square)) => self.puts(square, None)?,
            Some(Order::Put(square, piece)) => self.puts(square, Some(piece))?,
            Some(Order::Piece | Order::Name | Order::Confirm(_)) if own => {
                self.names(turn, false)?;
            }
            Some(Order::Arbiter) => self.starts_clocks()?,
            _ => match self.game().guidance(seat) {
                Guidance::Execute { mv, .. } => self.executes_on_desk(&turn.begun, mv)?,
                Guidance::Correct(squares) => {
                    let position = self.position();
                    for square in squares {
                        // What stands as before his move and is wrong there belongs nowhere.
                        let there = self.on_desk_square(square);
                        let before = position.board().piece_at(square);
                        self.puts(square, before.filter(|_| there != before))?;
                    }
                }
                Guidance::Nothing if own && self.plies() <= turn.plies => {
                    self.executes_on_desk(&turn.begun, turn.mv)?;
                    self.wait(1000)?;
                    self.press(seat)?;
                }
                Guidance::Nothing if own => self.press(seat)?,
                Guidance::Nothing => {}
            },
        }
        self.wait(2500)
    }

    fn executes_on_desk(&mut self, position: &Chess, mv: Move) -> Result<(), String> {
        let (ways, captured) = ways(mv);
        if let Some(square) = captured {
            self.puts(square, None)?;
        }
        let mut carried = Vec::new();
        for (from, to) in ways {
            // What is on neither square is in his hand.
            let held = self.on_desk_square(to).is_none().then(|| position.board().piece_at(from));
            let piece = self.on_desk_square(from).or(held.flatten());
            self.puts(from, None)?;
            let piece = match (piece, mv.promotion()) {
                (Some(piece), Some(role)) => Some(role.of(piece.color)),
                (piece, _) => piece,
            };
            carried.push((to, piece));
        }
        for (to, piece) in carried.into_iter().filter(|(_, piece)| piece.is_some()) {
            self.puts(to, piece)?;
        }
        Ok(())
    }
}
