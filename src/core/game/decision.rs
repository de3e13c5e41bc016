//! Boards or scores that differ, and the arbiter's decision (D.2.9), in a running game.
//!
//! [`super::Game::case`] collects both boards, both scores and the journal's clock readings.
//! [`super::Game::settlement`] is the proposal that follows. Both can be asked for at any time and
//! change nothing. Only the arbiter's [`ArbiterAct::Settle`](super::ArbiterAct::Settle) does. The
//! game goes on from the position that he names, with the moves, the repetitions and the scores
//! that lead there. Struck entries stay in the record, with the [`Decision`].
//!
//! # The clocks meanwhile
//!
//! The clocks run on while the boards differ. Hands put most differences right in seconds, and only
//! the arbiter, or a player who calls the arbiter, may stop the clocks (6.11). The proposal gives
//! the lost time back (7.1). With the decision the clocks stop, until a word or a ruling lets them
//! run.
//!
//! Source: FIDE D.2.9, 7.1, 6.11, 9.2

use serde::{Deserialize, Serialize};
use shakmaty::{Board, Color, Move, Position, Square, san::SanPlus, uci::UciMove};

use super::{
    Announcement, Article, At, DrawOffer, Handwork, Output, Play, Ply, Refused, ScoreEntry, Source,
    dialogue::Dialogue,
    doubt::Doubt,
    rulings::Halt,
    sheet::Decided,
    turn::{Turn, reported},
};
use crate::reconcile::{
    Basis, Case, Settlement, Times, Verdict, VisibleBoard, choose, choose_line, reconcile, way,
};
use annabella_words::phrase::Note;

/// No clock shows more: a hundred hours, milliseconds.
const LONGEST_MS: u64 = 360_000_000;

/// The position to play on from, and what the clocks are set to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settle {
    /// Half-moves from the start to that position; 0 is the starting position.
    pub ply: u32,
    /// The player whose score leads there; `None`: the moves on which both scores agree, and behind
    /// them the game's.
    #[serde(
        default,
        with = "annabella_words::text::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub score: Option<Color>,
    /// The times to set; `None`: the clocks stay as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<SettledClocks>,
}

/// Clock times that the arbiter has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettledClocks {
    /// White's, milliseconds left.
    pub white_ms: u64,
    pub black_ms: u64,
    /// Which of the proposals they are.
    #[serde(default)]
    pub basis: ClockBasis,
}

/// The source of chosen clock times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum ClockBasis {
    /// The journal's reading at the completion of the last half-move that stands.
    Journal,
    /// As they stood.
    Now,
    /// As they stood, without the time spent on what is taken back.
    NowWithout,
    /// The arbiter's own.
    #[default]
    Typed,
}

impl From<Basis> for ClockBasis {
    fn from(basis: Basis) -> ClockBasis {
        match basis {
            Basis::Journal { .. } => ClockBasis::Journal,
            Basis::Now => ClockBasis::Now,
            Basis::NowWithout { .. } => ClockBasis::NowWithout,
        }
    }
}

/// Who has decided from which position the game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedBy {
    /// The arbiter: the index in [`super::Record::rulings`], from 0, with his name and reason.
    Ruling(usize),
    /// At home this player has taken his move back.
    Player(Color),
    /// At home the opponent's record, far away, agrees with this one only so far.
    Records,
}

impl DecidedBy {
    /// The arbiter's ruling, if it is one.
    pub fn ruling(self) -> Option<usize> {
        match self {
            DecidedBy::Ruling(index) => Some(index),
            DecidedBy::Player(_) | DecidedBy::Records => None,
        }
    }
}

/// A decision in the record: the proposal, the decision, and the struck entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The game's first is 1.
    pub number: u32,
    pub at: At,
    pub by: DecidedBy,
    pub settle: Settle,
    pub proposed: Proposed,
    /// Made moves that no longer stand, in order; they were made from half-move
    /// `struck_from` on.
    pub struck: Vec<Ply>,
    /// The number of the first of them; 0 if there is none.
    pub struck_from: u32,
    /// Draw offers that stood beside them.
    pub struck_offers: Vec<DrawOffer>,
    /// White's and Black's time before it, milliseconds.
    pub before_ms: (u64, u64),
    pub after_ms: (u64, u64),
}

/// What was proposed before a decision under D.2.9.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// The verdict on scores and boards.
    pub verdict: Verdict,
    /// The half-move to play on from.
    pub ply: u32,
    /// The proposal in words, English.
    pub explanation: String,
    /// The source of the clock proposal, if there was one.
    pub clock_source: Option<String>,
    /// The decision follows it.
    pub followed: bool,
}

/// The effect of a decision: [`super::Output::Settled`]. Devices that follow the game set
/// themselves to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// [`Decision::number`].
    pub number: u32,
    /// Half-moves from the start to the position to play on from.
    pub ply: u32,
    /// The position to play on from.
    pub fen: String,
    /// White's and Black's time, milliseconds.
    pub white_ms: u64,
    pub black_ms: u64,
    /// Moves completed by White, as his counter shows.
    pub white_moves: u32,
    pub black_moves: u32,
}

/// A decision that may be carried out.
#[derive(Clone, Debug)]
pub(super) struct Settling {
    settle: Settle,
    /// What was known, and the proposal for it.
    case: Case,
    proposed: Settlement,
    chosen: Settlement,
    as_proposed: bool,
    /// The last move is made and not completed: its player has yet to press (6.2.1).
    pub(super) open: bool,
    /// What the player to move has touched, and is bound by (4.3).
    pub(super) touched: Vec<Square>,
}

impl Play {
    /// The settlement that this decision would make.
    pub(super) fn settlement_by(&self, settle: &Settle) -> Result<(Settlement, bool), Refused> {
        let case = self.case();
        let proposed = reconcile(&case);
        let refused = |text: Note| Err(Refused::new(Article::D_2_9, text));
        let length = settle.ply as usize;
        let chosen = match settle.score {
            Some(color) => choose(&case, self.who(color), settle.ply).ok_or_else(|| {
                let text = Note::ScoreUnreadable { player: color, ply: settle.ply };
                Refused::new(Article::D_2_9, text)
            })?,
            None => {
                let line = self.line.moves();
                let moves = if length <= proposed.moves.len() { &proposed.moves } else { &line };
                let moves = moves.get(..length).map(<[Move]>::to_vec);
                match moves.and_then(|moves| choose_line(&case, moves)) {
                    Some(chosen) => chosen,
                    None => {
                        return refused(Note::NotSoManyPlies {
                            plies: line.len().max(proposed.moves.len()),
                            ply: settle.ply,
                        });
                    }
                }
            }
        };
        let as_proposed = chosen.moves == proposed.moves;
        Ok((if as_proposed { proposed } else { chosen }, as_proposed))
    }

    /// The arbiter's decision from which position the game goes on. Changes nothing.
    pub(super) fn may_settle(&self, settle: &Settle, reason: &str) -> Result<Settling, Refused> {
        let case = self.case();
        let proposed = reconcile(&case);
        let (chosen, as_proposed) = self.settlement_by(settle)?;
        if !as_proposed && reason.trim().is_empty() {
            let text = Note::ReasonForOther { ply: proposed.ply };
            return Err(Refused::new(Article::D_2_9, text));
        }
        self.check_clocks(settle, &chosen)?;
        let settle = settle.clone();
        let (open, touched) = (false, Vec::new());
        Ok(Settling { settle, case, proposed, chosen, as_proposed, open, touched })
    }

    /// A made move that was changed before the clock was pressed stands after all (4.7). Changes
    /// nothing.
    pub(super) fn may_stand(&self, ply: u32, text: &str) -> Result<Settling, Refused> {
        let refused = |text: Note| Refused::new(Article::A4_7, text);
        if ply == 0 || ply != self.plies() {
            return Err(refused(Note::NotTheLast { ply }));
        }
        let mut moves = self.line.moves();
        moves.pop();
        let before = &self.line.positions()[moves.len()];
        let uci: Option<UciMove> = text.parse().ok();
        let Some(mv) = uci.and_then(|uci| uci.to_move(before).ok()) else {
            let fen = super::write_fen(before).into();
            return Err(refused(Note::NotLegalIn { uci: text.into(), fen }));
        };
        moves.push(mv);
        // Legal one after another: it takes them.
        let open = self.line.open().is_some();
        let settling = self.settling(ply, moves, None).map(|of| Settling { open, ..of });
        settling.ok_or_else(|| refused(Note::DoesNotFollow { uci: text.into() }))
    }

    /// The game goes on after these moves. `None`: they are not legal one after another.
    pub(super) fn settling(
        &self,
        ply: u32,
        moves: Vec<Move>,
        clocks: Option<SettledClocks>,
    ) -> Option<Settling> {
        let case = self.case();
        let proposed = reconcile(&case);
        let chosen = choose_line(&case, moves)?;
        let settle = Settle { ply, score: None, clocks };
        let (as_proposed, open, touched) = (false, false, Vec::new());
        Some(Settling { settle, case, proposed, chosen, as_proposed, open, touched })
    }

    pub(super) fn settle_on(&mut self, settling: &Settling, by: DecidedBy) {
        let Settling { settle, case, proposed, chosen, as_proposed, open, touched } = settling;
        self.invitation_lapses();
        let (white_ms, black_ms, _) = self.timing.clock.reading(self.at);
        let stood = self.position().board().clone();
        let in_use = self.clock_in_use() || settle.clocks.is_some();
        let kept = self.line.iter().zip(&chosen.moves).take_while(|(ply, mv)| ply.mv == **mv);
        let kept = kept.count();
        let number = u32::try_from(self.arbitration.decisions.len() + 1).unwrap_or(u32::MAX);
        self.correct_scores(&chosen.moves, number);
        let struck = self.correct_line(&chosen.moves, kept, *open);
        let struck_offers = self.strike_offers(kept);
        if in_use {
            self.correct_clocks(settle.clocks);
        }
        let (white_after_ms, black_after_ms, _) = self.timing.clock.reading(self.at);
        self.arbitration.decisions.push(Decision {
            number,
            at: self.at,
            by,
            settle: settle.clone(),
            proposed: Proposed {
                verdict: proposed.verdict,
                ply: proposed.ply,
                explanation: proposed.explanation(case),
                clock_source: chosen.clocks.as_ref().map(|clocks| clocks.source()),
                followed: *as_proposed,
            },
            struck_from: if struck.is_empty() { 0 } else { self.ply_number(kept) },
            struck,
            struck_offers,
            before_ms: (white_ms, black_ms),
            after_ms: (white_after_ms, black_after_ms),
        });
        self.mouth.emit(Output::Settled(Box::new(Settled {
            number,
            ply: chosen.ply,
            fen: super::write_fen(&chosen.position),
            white_ms: white_after_ms,
            black_ms: black_after_ms,
            white_moves: self.completed(Color::White),
            black_moves: self.completed(Color::Black),
        })));
        if in_use {
            self.tell_clock();
        }
        self.arbitration.relation.said_to_differ = false;
        self.lapse_after(chosen.ply, self.ply_number(kept) - 1);
        if by.ruling().is_some() {
            self.announce_settled();
            if settle.clocks.is_some() && (white_ms, black_ms) != (white_after_ms, black_after_ms) {
                self.announce_times();
            }
        }
        self.correct_boards(chosen, stood);
        self.bind_to(touched);
        self.ask_rules_of_position();
        self.prepare();
    }

    /// The journal's times are the journal's; any other are the arbiter's to choose.
    fn check_clocks(&self, settle: &Settle, chosen: &Settlement) -> Result<(), Refused> {
        let Some(clocks) = settle.clocks else { return Ok(()) };
        let SettledClocks { white_ms, black_ms, basis } = clocks;
        if white_ms.max(black_ms) > LONGEST_MS {
            let text = Note::MoreThanClocks { ms: white_ms.max(black_ms) };
            return Err(Refused::new(Article::A6_10_2, text));
        }
        let journal = chosen.clocks.as_ref().and_then(|clocks| clocks.proposed);
        if basis == ClockBasis::Journal
            && journal.map(|journal| journal.times) != Some(Times { white_ms, black_ms })
        {
            let text = Note::NotTheJournals { ply: chosen.ply };
            return Err(Refused::new(Article::A7_1, text));
        }
        Ok(())
    }

    /// Moves completed by this player on the line as it stands.
    fn completed(&self, color: Color) -> u32 {
        let made = self.line.iter().filter(|ply| ply.mover == color && ply.completed.is_some());
        u32::try_from(made.count()).unwrap_or(u32::MAX)
    }

    /// The line becomes these moves, the last perhaps open; of those that no longer stand, the
    /// plies.
    fn correct_line(&mut self, moves: &[Move], kept: usize, open: bool) -> Vec<Ply> {
        // No move of his is among them.
        if moves.len() <= self.line.len() {
            self.takes_press_back();
        }
        let struck = self.line.cut(kept);
        let (white_ms, black_ms, _) = self.timing.clock.reading(self.at);
        if kept < moves.len()
            && let Some(last) = self.line.last_mut().filter(|ply| ply.completed.is_none())
        {
            last.completed = Some(self.at);
            last.clock_ms = Some((white_ms, black_ms));
        }
        for (n, &mv) in moves.iter().enumerate().skip(kept) {
            let open = open && n + 1 == moves.len();
            let mut after = self.position().clone();
            let mover = after.turn();
            // Moves of a settlement are legal one after another.
            let san = SanPlus::from_move_and_play_unchecked(&mut after, mv).to_string();
            self.line.push(Ply {
                mv,
                san,
                mover,
                hands: Handwork { touched: Vec::new(), captured: None, placed: self.at },
                announced: Announcement { at: self.at, by: Source::Arbiter, repeated: None },
                said: false,
                made: self.at,
                completed: (!open).then_some(self.at),
                clock_ms: None,
            });
        }
        self.line.turn = Turn::default();
        self.dialogue = Dialogue::default();
        self.timing.ahead = None;
        self.timing.grace = None;
        self.line.change.forgets();
        self.timing.late = None;
        self.timing.in_vain = None;
        struck
    }

    fn strike_offers(&mut self, kept: usize) -> Vec<DrawOffer> {
        let stands = |offer: &DrawOffer| offer.plies as usize <= kept;
        let (stand, struck): (Vec<_>, Vec<_>) = self.wishes.offers.drain(..).partition(stands);
        self.wishes.offers = stand;
        // The move of a wrong claim is played in this line or none (9.5.3).
        self.wishes.intended.take_if(|(plies, _)| *plies as usize > kept);
        struck.iter().for_each(|offer| self.wishes.offered[offer.by] = false);
        // Whoever has moved since has declined.
        let moved: Vec<Color> = self.line.iter().skip(kept).map(|ply| ply.mover).collect();
        moved.into_iter().for_each(|mover| self.offer_lapses(mover));
        struck
    }

    /// Makes both scores agree. Missing entries are asked for.
    fn correct_scores(&mut self, moves: &[Move], number: u32) {
        let mut position = self.line.positions()[0].clone();
        let mut sans = Vec::new();
        for &mv in moves {
            // Moves of a settlement are legal one after another.
            sans.push(SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
        }
        let at = self.at;
        let readings = self.readings();
        for (color, reading) in Color::ALL.into_iter().zip(readings) {
            self.seats[color].score.decided(at, number, |entry| {
                let index = entry.ply as usize - 1;
                let read = reading.entries.get(index).and_then(|entry| entry.result.as_ref().ok());
                let Some(mv) = moves.get(index).copied() else { return Decided::Goes };
                let (mv, san) = (Some(mv), sans[index].clone());
                if read.map(|read| read.mv) == mv {
                    return Decided::Stands { mv, san };
                }
                let (ply, written, source) = (entry.ply, None, Source::Arbiter);
                Decided::Becomes(ScoreEntry { ply, mv, san, written, at, source })
            });
        }
    }

    /// Times and move counters; they stand until somebody lets them run.
    fn correct_clocks(&mut self, clocks: Option<SettledClocks>) {
        if let Some(SettledClocks { white_ms, black_ms, .. }) = clocks {
            self.timing.clock.set(self.at, Color::White, white_ms);
            self.timing.clock.set(self.at, Color::Black, black_ms);
        }
        for color in Color::ALL {
            let completed = self.completed(color);
            let (period, moves) =
                (self.timing.clock.period_index(color), self.timing.clock.moves(color));
            self.timing.clock.set_moves(self.at, color, completed);
            // A clock that stays as it is has had the time of this period (6.3.1).
            if clocks.is_none() && self.timing.clock.period_index(color) < period {
                self.timing.clock.set_moves(self.at, color, moves);
            }
            // With more time than that he is warned again.
            let left_ms = self.timing.clock.remaining_ms(self.at, color);
            self.timing.alarmed[color].retain(|alarm_s| u64::from(*alarm_s) * 1000 >= left_ms);
        }
        // The clock that runs next is that of the side to move, or of the player who has yet to
        // press.
        let open = self.line.open().map(|ply| ply.mover);
        let side = open.unwrap_or(self.mover());
        self.timing.clock.start(self.at, side);
        self.timing.clock.stop(self.at);
        self.course.halt(Halt::Player);
    }

    /// Every board is to show the position that was decided.
    fn correct_boards(&mut self, chosen: &Settlement, stood: Board) {
        let at_ms = self.at.ms;
        for color in Color::ALL {
            let position = self.position().clone();
            let mut finding = chosen.boards[self.who(color)].clone();
            let (before, felt) = match self.seen(color) {
                VisibleBoard::Pieces(board) => (board, None),
                VisibleBoard::Occupied(occupied) => (position.board().clone(), Some(occupied)),
                // A board that nobody sees is taken to stand as the game stood.
                VisibleBoard::Nothing => {
                    finding = way(&VisibleBoard::Pieces(stood.clone()), position.board());
                    (stood.clone(), None)
                }
            };
            let shown = self.line.iter().map(|ply| reported(ply.mv, at_ms)).collect();
            let seat = &mut self.seats[color];
            seat.shown = shown;
            seat.doubt = Doubt::default();
            seat.view.moved_on();
            seat.view.stands_right();
            seat.conduct.forgets_touches();
            self.leave_correction(color);
            if let Some(tracker) = self.seats[color].tracker_mut() {
                tracker.set_position(position.clone());
            }
            self.begin_correction(color, &finding, position.board(), before, felt);
        }
        self.guide_corrections();
        self.compare_boards();
    }
}
