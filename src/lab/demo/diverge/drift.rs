//! The ways in which boards and scores drift apart, done to them with fingers, pegs and a pencil.

use shakmaty::{
    Bitboard, Color, Move, Piece, Position, Rank, Role, Square, san::SanPlus, uci::UciMove,
};

use super::{arbiter::Arbiter, cases::Wrong, room::Hall};
use annabella_players::hands::Action;

/// The mishap, and how far back it leads.
pub(super) struct Drifted {
    pub(super) text: String,
    /// Half-moves up to which the scores agree, where they do not agree to the end.
    pub(super) back_to: Option<usize>,
}

impl Hall {
    fn sighted(&self) -> Color {
        !self.blind
    }

    /// A hole far from where a pawn of the blind player can go.
    fn far(&self) -> Result<Square, String> {
        let rank = self.blind.fold_wb(Rank::Fifth, Rank::Fourth);
        let free = Bitboard::from(rank) & !self.pegs & !self.board.occupied();
        free.last().ok_or_else(|| "there is no free square in the middle".to_owned())
    }

    /// Pawns of this colour that no pawn on this file could have been.
    fn pawns(&self, color: Color, far: Square) -> Result<Vec<Square>, String> {
        let board = self.position().board().clone();
        let pawns = board.pawns() & board.by_color(color);
        let apart = |square: &Square| {
            u32::from(*square).abs_diff(u32::from(far)) % 8 > 1 && square.file() != far.file()
        };
        let found: Vec<Square> = pawns.into_iter().filter(apart).collect();
        match found.len() {
            0 | 1 => Err(format!("{color} has no two pawns left to go astray")),
            _ => Ok(found),
        }
    }

    /// Makes boards or scores differ.
    pub(super) async fn drift(
        &mut self,
        wrong: Wrong,
        arbiter: &mut Arbiter,
    ) -> Result<Drifted, String> {
        let (blind, sighted) = (self.blind, self.sighted());
        let far = self.far()?;
        let pawns = self.pawns(blind, far)?;
        let (one, other) = (pawns[0], pawns[1]);
        let pawn = Piece { color: blind, role: Role::Pawn };
        let text = match wrong {
            Wrong::Move => {
                let instead = self.another_quiet_move()?;
                let (before, made) = (self.position(), self.next()?);
                self.ply(false).await?;
                let mut shown = before.clone();
                shown.play_unchecked(instead);
                self.set_up(shown.board());
                let (made, instead) =
                    (SanPlus::from_move(before.clone(), made), SanPlus::from_move(before, instead));
                format!("{blind} makes {made}, and {instead} is executed on the board of {sighted}")
            }
            Wrong::Moved => {
                self.put(one, None);
                self.put(far, Some(pawn));
                format!("the pawn of {one} stands on {far} on the board of {sighted}")
            }
            Wrong::Missing | Wrong::Otherwise => {
                let theirs = self.pawns(sighted, far)?[0];
                self.put(one, None);
                self.put(theirs, None);
                format!("nothing stands on {one} and {theirs} on the board of {sighted}")
            }
            Wrong::Added => {
                self.put(far, Some(Piece { color: blind, role: Role::Queen }));
                format!("a {blind} queen more stands on {far} on the board of {sighted}")
            }
            Wrong::Exchanged => {
                let (king, piece) = self.two_pieces(sighted)?;
                let (here, there) = (self.board.piece_at(king), self.board.piece_at(piece));
                self.put(king, there);
                self.put(piece, here);
                format!("what stands on {king} and {piece} is exchanged on the board of {sighted}")
            }
            Wrong::PegMoved => {
                self.feel(&[Action::Lift(one), Action::Put(far)]).await;
                format!("the peg of {one} stands in {far}")
            }
            Wrong::PegMissing => {
                // A single one would be in the hand.
                self.feel(&[Action::Lift(one), Action::Lift(other)]).await;
                format!("the pegs of {one} and {other} are gone")
            }
            Wrong::PegAdded => {
                self.feel(&[Action::Put(far)]).await;
                format!("a peg more stands in {far}")
            }
            Wrong::PegsExchanged => {
                let (king, piece) = self.two_pieces(blind)?;
                self.exchange_pegs(king, piece).await;
                format!("the pegs of {king} and {piece} are exchanged, which no reed can see")
            }
            Wrong::Both => {
                self.put(one, None);
                self.feel(&[Action::Put(far)]).await;
                format!("{one} is empty on the board of {sighted}, and a peg more stands in {far}")
            }
            Wrong::Differ
            | Wrong::Misheard
            | Wrong::Ahead
            | Wrong::Swapped
            | Wrong::Illegal
            | Wrong::Ambiguous
            | Wrong::Unreadable
            | Wrong::LastEntry
            | Wrong::TooFew
            | Wrong::NothingAgrees => return self.miswrite(wrong, arbiter).await,
        };
        Ok(Drifted { text, back_to: None })
    }

    /// Lifts two pegs and puts each into the hole of the other.
    pub(super) async fn exchange_pegs(&mut self, one: Square, other: Square) {
        let lifts = [Action::Lift(one), Action::Lift(other)];
        self.feel(&lifts).await;
        self.feel(&[Action::Put(one), Action::Put(other)]).await;
    }

    /// The king of this colour, and another piece.
    pub(super) fn two_pieces(&self, color: Color) -> Result<(Square, Square), String> {
        let position = self.position();
        let board = position.board();
        let king = board.king_of(color).ok_or("a king is missing")?;
        let others = board.by_color(color) & !board.pawns() & !board.rooks();
        let other = others.into_iter().find(|square| *square != king);
        Ok((king, other.ok_or_else(|| format!("{color} has nothing but a king and rooks"))?))
    }

    /// A legal move of a pawn that takes nothing, and is not the one of the game.
    fn another_quiet_move(&self) -> Result<Move, String> {
        let made = self.next()?;
        let quiet = |mv: &Move| {
            mv.role() == Role::Pawn
                && !mv.is_capture()
                && !mv.is_promotion()
                && mv.from() != made.from()
        };
        let legal = self.position().legal_moves();
        legal.into_iter().find(quiet).ok_or_else(|| "there is no other pawn move".to_owned())
    }

    /// The last half-move that can be written so that two moves fit, and how it is written.
    pub(super) fn ambiguous(&self) -> Option<(usize, String)> {
        (0..self.line.len()).rev().find_map(|index| {
            let legal = self.position_after(index).legal_moves();
            let piece = |mv: &Move| {
                !matches!(mv.role(), Role::Pawn | Role::King) && !mv.is_capture() && !mv.is_castle()
            };
            let twice = legal.iter().filter(|mv| piece(mv)).find(|mv| {
                let same = |other: &&Move| other.role() == mv.role() && other.to() == mv.to();
                legal.iter().filter(same).count() > 1
            })?;
            Some((index, format!("{}{}", twice.role().upper_char(), twice.to())))
        })
    }

    /// The sighted player's score is written again, with a slip of the pencil.
    async fn miswrite(&self, wrong: Wrong, arbiter: &mut Arbiter) -> Result<Drifted, String> {
        let mut sans = self.sans();
        let length = sans.len();
        // His own last move, and the blind player's before it.
        let (own, heard) = (length - 1, length - 2);
        let (mut at, mut back_to) = (own, true);
        match wrong {
            Wrong::Differ => sans[own] = self.another(own)?,
            Wrong::Misheard => {
                at = heard;
                sans[heard] = self.sounds_alike(heard)?;
            }
            Wrong::Swapped => {
                at = heard;
                sans.swap(heard, own);
            }
            Wrong::Illegal => sans[own] = "Kd8d1".to_owned(),
            Wrong::Unreadable => sans[own] = "~~".to_owned(),
            Wrong::Ambiguous => {
                let (index, text) = self.ambiguous().ok_or("no move can be written ambiguously")?;
                at = index;
                sans[index] = text;
            }
            Wrong::TooFew => {
                at = length - 4;
                sans.truncate(at);
            }
            Wrong::NothingAgrees => {
                at = 0;
                sans[0] = self.another(0)?;
            }
            Wrong::LastEntry => {
                sans.pop();
                back_to = false;
            }
            _ => {
                let mut position = self.position();
                let next = self.next()?;
                sans.push(SanPlus::from_move_and_play_unchecked(&mut position, next).to_string());
                back_to = false;
            }
        }
        let text = sans.join(" ");
        let seat = if self.sighted().is_white() { "white" } else { "black" };
        let form = [("act", "score"), ("seat", seat), ("after", "0"), ("text", text.as_str())];
        let reply = arbiter.acts("/act", &form).await?;
        if !reply.contains("Done.") {
            return Err("the page did not take the score".to_owned());
        }
        let text = format!("the score of {} reads '{text}'", self.sighted());
        Ok(Drifted { text, back_to: back_to.then_some(at) })
    }

    /// Another legal move than the one that was made.
    fn another(&self, index: usize) -> Result<String, String> {
        let before = self.position_after(index);
        let legal = before.legal_moves();
        let other = legal.into_iter().find(|mv| *mv != self.line[index]);
        let other = other.ok_or("there is no other move")?;
        Ok(SanPlus::from_move(before, other).to_string())
    }

    /// A legal move that sounds nearly like the one that was made: one letter or number is another.
    fn sounds_alike(&self, index: usize) -> Result<String, String> {
        let made = self.line[index];
        let text = |mv: Move| UciMove::from_standard(mv).to_string();
        let apart = |mv: &Move| {
            text(*mv).bytes().zip(text(made).bytes()).filter(|(a, b)| a != b).count() as u32
                + 4 * u32::from(mv.role() != made.role())
        };
        let before = self.position_after(index);
        let legal = before.legal_moves();
        let other = legal.into_iter().filter(|mv| *mv != made).min_by_key(apart);
        let other = other.ok_or("there is no other move")?;
        Ok(SanPlus::from_move(before, other).to_string())
    }
}
