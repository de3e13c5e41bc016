//! What is so at the table, and what the Laws make of it. Nothing here asks the program what it
//! knows: it is told what people do and what the program says, and says what may not be.

use annabella_core::{
    game::{Channel, Game, GameConfig, HandsKnown, MoveState, Output, Running, read_fen},
    laws::Article,
};
use shakmaty::{Bitboard, ByColor, Chess, Color, Move, Position, Role, Square, uci::UciMove};

use super::world::Act;

/// The occupied squares after a move.
fn occupied_after(position: &Chess, mv: Move) -> Bitboard {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after.board().occupied()
}

/// The piece has left its hole and stands in its new one, and what it captured is gone (D.2.3.1,
/// D.2.3.2).
fn stands(position: &Chess, mv: Move, pegs: Bitboard) -> bool {
    let (before, after) = (position.board().occupied(), occupied_after(position, mv));
    let landing = match mv {
        Move::Castle { .. } => after & !before,
        _ => mv.to().into(),
    };
    landing.is_subset(pegs) && pegs.is_disjoint(before & !after)
}

/// The last made move.
#[derive(Clone, Hash)]
struct Made {
    before: Chess,
    mv: Move,
    completed: bool,
    /// What was touched for it, and whether a wrong touch was told.
    touched: Vec<Square>,
    told: bool,
    said: Option<String>,
    named: bool,
}

#[derive(Clone, Hash)]
pub(super) struct Facts {
    /// After the moves that were made.
    position: Chess,
    last: Option<Made>,
    plies: u32,
    blind: ByColor<bool>,
    /// A board that reports moves stands before him.
    reports: ByColor<bool>,
    /// The system announces (D.2.10.2).
    announces: bool,
    /// No sensor feels what his hands do.
    by_word: ByColor<bool>,
    /// Which holes are filled, on boards whose pegs are felt.
    pub(super) pegs: ByColor<Option<Bitboard>>,
    /// Pegs off the board.
    off: ByColor<u8>,
    /// What each player has said or shown last.
    said: ByColor<Option<String>>,
    shown: ByColor<Option<String>>,
    /// He was told something in his ear since then, and no peg of his has moved.
    corrected: ByColor<bool>,
    /// And he said it again: he insists, and a reed is taken to be broken.
    insists: ByColor<bool>,
    /// The piece that a pawn becomes was named.
    named: bool,
    /// His board stood right since it is his turn; what leaves its hole from then on is touched.
    ready: bool,
    /// Pieces that left their holes since then, in order (D.2.2).
    touched: Vec<Square>,
    /// Others left theirs before: in this turn, on a board that was not right yet.
    early: bool,
    /// The arbiter has decided, and no clock has run since: what hands do is no play (6.11).
    stopped: bool,
    /// He said that he adjusts (4.2.1).
    adjusts: bool,
    /// A wrong touch was told since then.
    touch_told: bool,
    /// That nothing but castling is left was told since then (4.7.2).
    castling_told: bool,
    /// Two of them were off the board at once: knocked over, perhaps (4.2.2).
    together: bool,
    /// Pegs that entered holes since then, each after so many were touched.
    placed: Vec<(Square, usize)>,
    /// The reply completed his move: he may still press (6.2.2).
    late: ByColor<bool>,
    /// An illegal move, or a press without one, was told, and the board has not stood right since.
    offence: ByColor<bool>,
    over: bool,
    /// This sighted player pressed, and nobody knows his move yet.
    ahead: ByColor<bool>,
    /// It became known by his opponent's pegs alone, which may be set right (7.4).
    shown_late: bool,
    /// Who is pressing just now.
    pressing: Option<Color>,
}

/// What is expected of a press, before it is given to the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Press {
    /// It completes a move.
    Right,
    /// There is nothing to complete.
    Wrong,
    /// The facts don't say.
    Unsure,
}

impl Facts {
    pub(super) fn new(config: &GameConfig) -> Facts {
        let start = config.start.as_deref().map(|fen| read_fen(fen).expect("a position"));
        let position = start.unwrap_or_default();
        let blind = ByColor::new_with(|color| config.blind.is(color));
        let felt = |color| blind[color] && config.hands.of(color) == HandsKnown::Felt;
        let occupied = position.board().occupied();
        Facts {
            pegs: ByColor::new_with(|color| felt(color).then_some(occupied)),
            reports: ByColor::new_with(|color| !blind[color] && config.sighted_board),
            announces: config.duties.announce,
            position,
            blind,
            by_word: ByColor::new_with(|color| blind[color] && !felt(color)),
            last: None,
            plies: 0,
            off: ByColor::default(),
            said: ByColor::default(),
            shown: ByColor::default(),
            corrected: ByColor::default(),
            insists: ByColor::default(),
            named: false,
            ready: true,
            touched: Vec::new(),
            early: false,
            stopped: false,
            together: false,
            placed: Vec::new(),
            late: ByColor::default(),
            adjusts: false,
            touch_told: false,
            castling_told: false,
            offence: ByColor::default(),
            over: false,
            ahead: ByColor::default(),
            shown_late: false,
            pressing: None,
        }
    }

    pub(super) fn position(&self) -> &Chess {
        &self.position
    }

    /// Whose time it is: his who has not completed his move (6.2.1).
    pub(super) fn holder(&self) -> Color {
        match &self.last {
            Some(Made { completed: false, before, .. }) => before.turn(),
            _ => self.position.turn(),
        }
    }

    pub(super) fn is_sighted_with_board(&self, seat: Color) -> bool {
        self.reports[seat]
    }

    /// No sensor feels what his hands do.
    pub(super) fn is_by_word(&self, seat: Color) -> bool {
        self.by_word[seat]
    }

    /// A peg is there to put where it is missing.
    pub(super) fn lends(&mut self, seat: Color) {
        self.off[seat] = self.off[seat].max(1);
    }

    /// It is legal for this player: now, in place of his move that is not completed, or after a
    /// move of his opponent that his pegs show.
    pub(super) fn may_announce(&self, seat: Color, uci: &UciMove) -> bool {
        let open = |last: &&Made| !last.completed || self.shown_late;
        let before = self.last.as_ref().filter(open).map(|last| &last.before);
        let mut known = vec![self.position.clone()];
        known.extend(before.cloned());
        known.extend(self.executed(seat).into_iter().map(|mv| {
            let mut after = self.position.clone();
            after.play_unchecked(mv);
            after
        }));
        known.iter().any(|position| position.turn() == seat && uci.to_move(position).is_ok())
    }

    /// He has said another move since he made one: he is to say it again.
    pub(super) fn to_repeat(&self, seat: Color) -> Option<Move> {
        let last = self.last.as_ref().filter(|last| !last.completed)?;
        (last.before.turn() == seat && self.said[seat].is_some()).then_some(last.mv)
    }

    /// The last made move, where it is the opponent's.
    pub(super) fn to_copy(&self, seat: Color) -> Option<Move> {
        self.last.as_ref().filter(|last| last.before.turn() != seat).map(|last| last.mv)
    }

    /// Hands can do only what pegs and holes let them.
    pub(super) fn can(&self, act: &Act) -> bool {
        let Act::Hands(seat, steps) = act else { return true };
        let Some(mut pegs) = self.pegs[*seat] else { return false };
        let mut off = self.off[*seat];
        steps.iter().all(|(square, put)| {
            let fits = pegs.contains(*square) != *put && (!*put || off > 0);
            pegs.toggle(*square);
            off = if *put { off.saturating_sub(1) } else { off + 1 };
            fits
        })
    }

    /// A peg left a hole or entered one.
    pub(super) fn hand(&mut self, seat: Color, square: Square, put: bool) {
        let Some(pegs) = &mut self.pegs[seat] else { return };
        // From a board that stands right he begins anew.
        let right = *pegs == self.position.board().occupied();
        self.offence[seat] &= !right;
        pegs.toggle(square);
        let pegs = *pegs;
        self.corrected[seat] = false;
        self.off[seat] = if put { self.off[seat] - 1 } else { self.off[seat] + 1 };
        if self.stopped {
            self.early |= !put;
        } else if seat == self.position.turn() && self.ready && put {
            self.placed.push((square, self.touched.len()));
        } else if seat == self.position.turn() && self.ready && !self.adjusts {
            self.touched.push(square);
            self.together |= (self.position.board().occupied() & !pegs).count() > 1;
        } else if seat == self.position.turn() && !put {
            self.early = true;
        }
        self.takes_back(seat, pegs);
        self.look(seat, pegs);
    }

    /// The pegs stand again as before his move, which he has not completed: it is taken back.
    fn takes_back(&mut self, seat: Color, pegs: Bitboard) {
        let back = self.last.as_ref().is_some_and(|last| {
            let mover = last.before.turn();
            // The pegs of a blind player show what an opponent without a board has moved.
            let told = self.blind[mover] || self.reports[mover] || last.said.is_some();
            let shown = mover == seat || !told;
            !last.completed && shown && last.before.board().occupied() == pegs
        });
        if back && !self.stopped {
            self.retracts();
        }
    }

    fn retracts(&mut self) {
        let Some(last) = self.last.take() else { return };
        let seat = last.before.turn();
        (self.touched, self.touch_told) = (last.touched, self.touch_told || last.told);
        // What was touched since he had made it obliges to nothing, and may be part of another
        // move.
        self.together = true;
        self.said[seat] = self.said[seat].take().or(last.said);
        self.named |= last.named;
        (self.position, self.plies) = (last.before, self.plies - 1);
    }

    fn look(&mut self, seat: Color, pegs: Bitboard) {
        if pegs == self.position.board().occupied() {
            self.offence[seat] = false;
            self.ready |= seat == self.position.turn();
        }
    }

    pub(super) fn says(&mut self, seat: Color, uci: &str) {
        let again = self.said[seat].as_deref() == Some(uci);
        self.insists[seat] = again && self.corrected[seat];
        self.corrected[seat] &= again;
        self.said[seat] = Some(uci.to_owned());
    }

    pub(super) fn shows(&mut self, seat: Color, uci: &str) {
        self.shown[seat] = Some(uci.to_owned());
    }

    pub(super) fn has_pressed(&mut self) {
        self.pressing = None;
    }

    pub(super) fn words(&mut self, seat: Color, text: &str) {
        let mover = self.position.turn() == seat;
        self.adjusts |= mover && text == "ich korrigiere";
        self.named |= mover && text == "Dame";
    }

    /// The moves that a blind player's pegs show from here.
    fn executed(&self, seat: Color) -> Vec<Move> {
        let Some(pegs) = self.pegs[seat] else { return Vec::new() };
        let moves = self.position.legal_moves();
        moves.into_iter().filter(|mv| occupied_after(&self.position, *mv) == pegs).collect()
    }

    fn is_announced(&self, seat: Color, mv: Move) -> bool {
        let uci = UciMove::from_standard(mv).to_string();
        let said = self.said[seat].as_deref();
        match mv.promotion() {
            Some(role) if self.announces => {
                said == Some(uci.as_str()) || (self.named && role == Role::Queen)
            }
            _ => self.announces || said == Some(uci.as_str()),
        }
    }

    /// Nothing was touched but what this move needs, each once (4.3).
    fn is_clean(&self, mv: Move) -> bool {
        let mut needed: Vec<Square> = mv.from().into_iter().collect();
        match mv {
            Move::EnPassant { from, to } => {
                needed.push(Square::from_coords(to.file(), from.rank()));
            }
            Move::Castle { king, rook } => needed = vec![king, rook],
            _ if mv.is_capture() => needed.push(mv.to()),
            _ => {}
        }
        // What stands on its new square was in the hand before.
        let own = self.touched.iter().position(|square| Some(*square) == mv.from());
        let placed = self.placed.iter().find(|(square, _)| *square == mv.to());
        let in_hand = mv.is_castle() || placed.is_some_and(|(_, after)| Some(*after) > own);
        in_hand
            && self.touched.len() == needed.len()
            && needed.iter().all(|square| self.touched.contains(square))
            && (!mv.is_castle() || Some(self.touched[0]) == needed.first().copied())
    }

    /// Whether a press by this player now completes a move (6.2.1, D.2.4).
    pub(super) fn press(&self, seat: Color) -> Press {
        if self.over
            || self.offence[seat]
            || self.late[seat]
            || seat != self.holder()
            || self.pegs[seat].is_none()
        {
            return Press::Unsure;
        }
        let pegs = self.pegs[seat].unwrap_or_default();
        if self.last.as_ref().is_some_and(|last| !last.completed) {
            let right = pegs == self.position.board().occupied() && self.said[seat].is_none();
            return if right { Press::Right } else { Press::Unsure };
        }
        let executed = self.executed(seat);
        let said = executed.iter().find(|mv| self.is_announced(seat, **mv));
        match said {
            Some(mv) if self.ready && !self.adjusts && self.is_clean(*mv) => Press::Right,
            Some(_) => Press::Unsure,
            None if executed.is_empty() => Press::Wrong,
            None => Press::Unsure,
        }
    }

    /// The clock is pressed.
    pub(super) fn presses(&mut self, seat: Color) {
        let made = self.last.as_ref().is_some_and(|last| !last.completed);
        self.ahead[seat] |= !self.blind[seat] && seat == self.holder() && !made;
        self.pressing = Some(seat);
    }

    /// What the program says, compared with what is so. `Err`: what may not be.
    pub(super) fn told(&mut self, output: &Output, game: &Game) -> Result<(), String> {
        match output {
            Output::Move { ply, uci, seat, state: MoveState::Made, .. } => {
                self.made(*ply, uci, *seat)
            }
            Output::Move { seat, state: MoveState::Completed, .. } => self.completed(*seat, game),
            Output::Problem { article, refused: false, detail, .. } => {
                self.problem(*article, detail.get("number").is_some())
            }
            Output::Result { article, .. } => self.ended(*article, game),
            Output::Clock { running, .. } => {
                self.stopped &= *running == Running::None;
                Ok(())
            }
            Output::Settled(settled) => {
                self.decided(read_fen(&settled.fen).expect("a position"), settled.ply);
                Ok(())
            }
            Output::Say { channel: Channel::Private, seat: Some(seat), .. } => {
                self.corrected[*seat] |= self.said[*seat].is_some();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The arbiter has decided from where the game goes on (D.2.9): nothing done before counts, and
    /// nothing on a board that is still to be put right.
    fn decided(&mut self, position: Chess, plies: u32) {
        self.ready =
            self.pegs[position.turn()].is_none_or(|pegs| pegs == position.board().occupied());
        // A move that stands is completed by its player still (6.2.1).
        self.last.take_if(|_| plies != self.plies);
        (self.position, self.plies) = (position, plies);
        (self.said, self.shown) = (ByColor::default(), ByColor::default());
        (self.ahead, self.late, self.offence) =
            (ByColor::default(), ByColor::default(), ByColor::default());
        (self.touched, self.placed) = (Vec::new(), Vec::new());
        (self.named, self.adjusts, self.shown_late) = (false, false, false);
        (self.early, self.together, self.stopped) = (false, false, true);
        (self.touch_told, self.castling_told) = (false, false);
    }

    fn made(&mut self, ply: u32, uci: &str, seat: Color) -> Result<(), String> {
        if let Some(last) = self.last.as_ref().filter(|_| ply == self.plies) {
            if last.completed && !self.shown_late {
                return Err(format!("6.2.1: {uci} replaces a completed move"));
            }
            // Changed before the press: the position is the one before.
            self.retracts();
        }
        let mv = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&self.position).ok());
        let Some(mv) = mv.filter(|_| seat == self.position.turn()) else {
            return Err(format!("3.10.2: {uci} is made and is not legal"));
        };
        let after = occupied_after(&self.position, mv);
        let shown = |pegs| stands(&self.position, mv, pegs) || self.insists[seat];
        if self.pegs[seat].is_some_and(|pegs| !shown(pegs)) {
            return Err(format!("D.2.3: {uci} is made, and the pegs don't show it"));
        }
        let known = match (self.blind[seat], self.reports[seat]) {
            (true, _) => self.is_announced(seat, mv) || self.by_word[seat],
            (false, reports) => {
                let copied = |pegs| stands(&self.position, mv, pegs);
                let copied = !reports && self.pegs[!seat].is_some_and(copied);
                copied || [&self.said[seat], &self.shown[seat]].contains(&&Some(uci.to_owned()))
            }
        };
        if !known {
            return Err(format!("D.2.3: {uci} is made and nobody has announced or shown it"));
        }
        self.touch_kept(seat, mv)?;
        let told = self.said[seat].as_deref() == Some(uci);
        self.shown_late = std::mem::take(&mut self.ahead[seat]) && !told && !self.reports[seat];
        let before = self.position.clone();
        self.position.play_unchecked(mv);
        self.placed.clear();
        (self.together, self.early) = (false, false);
        let (touched, told) = (std::mem::take(&mut self.touched), self.touch_told);
        let said = self.said[seat].take();
        let named = std::mem::take(&mut self.named);
        self.last = Some(Made { before, mv, completed: false, touched, told, said, named });
        self.plies += 1;
        (self.shown[seat], self.late[seat]) = (None, false);
        (self.adjusts, self.touch_told, self.castling_told) = (false, false, false);
        let mover = self.position.turn();
        self.ready = self.pegs[mover].is_none_or(|pegs| pegs == after);
        Ok(())
    }

    /// A touched piece that can move must move, and whoever moves another is told so (4.3.1).
    fn touch_kept(&self, seat: Color, mv: Move) -> Result<(), String> {
        if !self.ready || self.adjusts || self.pegs[seat].is_none() {
            return Ok(());
        }
        let moves = self.position.legal_moves();
        let own = self
            .touched
            .iter()
            .filter(|square| self.position.board().by_color(seat).contains(**square));
        let mut bound = own.filter(|square| moves.iter().any(|mv| mv.from() == Some(**square)));
        let first = bound.next().copied();
        // The king is touched first, or neither is to be moved otherwise (4.4.2).
        let wrong = first.is_some() && first != mv.from();
        if wrong && !self.together && !self.touch_told && !self.castling_told {
            return Err(format!("4.3.1: {first:?} was touched, {mv} is made, nobody is told"));
        }
        let innocent = self.touched.iter().all(|square| Some(*square) == mv.from());
        if innocent && !self.early && !self.together && self.touch_told {
            return Err(format!(
                "4.3: nothing but {:?} was touched, and a fault is told",
                mv.from()
            ));
        }
        Ok(())
    }

    fn completed(&mut self, seat: Color, game: &Game) -> Result<(), String> {
        self.ahead[seat] = false;
        self.late[seat] = self.pressing != Some(seat) && game.ended().is_none();
        self.said[seat] = None;
        match &mut self.last {
            Some(last) if last.before.turn() == seat => {
                last.completed = true;
                Ok(())
            }
            _ => Err("6.2.1: a move is completed that was not made".to_owned()),
        }
    }

    /// `counted`: it is his first illegal move, or the next.
    fn problem(&mut self, article: Article, counted: bool) -> Result<(), String> {
        match article {
            Article::A4_3 | Article::A4_4 => self.touch_told = true,
            Article::A4_7_2 => self.castling_told = true,
            Article::A7_5_1 | Article::A7_5_3 if counted => {
                let seat = self.holder();
                if std::mem::replace(&mut self.offence[seat], true) {
                    return Err(format!("{article}: counted again before the first was put right"));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn ended(&mut self, article: Article, game: &Game) -> Result<(), String> {
        self.over = true;
        let position = &self.position;
        let record = game.record().expect("a game");
        let fallen = record.clock.0 == 0 || record.clock.1 == 0;
        let right = match article {
            Article::A5_1_1 => position.is_checkmate(),
            Article::A5_2_1 => position.is_stalemate(),
            Article::A5_2_2 => position.is_insufficient_material(),
            Article::A6_9 | Article::D_2_10_5 => fallen,
            Article::A9_3 | Article::A9_6 | Article::A9_6_2 => position.halfmoves() >= 99,
            Article::A5_2_3 | Article::A9_1 => true,
            _ => false,
        };
        if right { Ok(()) } else { Err(format!("{article}: the game is over without a reason")) }
    }

    /// After an act and its stillness: whose clock runs, and what ends the game has ended it.
    pub(super) fn rest(&self, game: &Game, rested: bool) -> Result<(), String> {
        let record = game.record().expect("a game");
        if self.over != record.is_over() {
            return Err("5.1: the game is over and nobody was told".to_owned());
        }
        if !record.is_over() && self.position.is_game_over() {
            return Err("5.1: the position ends the game, and it goes on".to_owned());
        }
        let runs = match record.clock.2 {
            Running::White => Some(Color::White),
            Running::Black => Some(Color::Black),
            Running::None => None,
        };
        let holder = self.holder();
        let waits = !(rested && self.reports[holder]);
        match runs {
            Some(_) if self.over => Err("6.9: a clock runs after the end".to_owned()),
            None if !self.over && !record.halted() => {
                Err("6.2: no clock runs, and nobody has stopped them".to_owned())
            }
            // The press of a sighted player may be known before his move; a board shows it soon.
            Some(runs) if runs != holder && !(self.ahead[holder] && waits) => {
                Err(format!("6.2, D.2.4: {holder} has the move and the clock of {runs} runs"))
            }
            _ => Ok(()),
        }
    }
}
