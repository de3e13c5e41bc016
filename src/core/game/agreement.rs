//! Resigning, draw offers, claims of a draw (5.1.2, 9.1 to 9.6).

use serde_json::json;
use shakmaty::{ByColor, Chess, Color, Move, Position, Square, san::SanPlus};

use super::{
    ArbiterAct, Article, At, Outcome, Play, Refused, Urgency,
    at_home::AtHome,
    counted::{COUNTED, Counted, CountedDraw, claimed_by},
    dialogue::Question,
    seat_name, touch,
    turn::uci,
};
use annabella_words::phrase::{Command, Note, Prompt, Slot};

/// An offer of a draw, recorded by both players as (=).
///
/// Source: FIDE 8.1.5, 9.1.2.2
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawOffer {
    /// The player who offers.
    pub by: Color,
    /// Moves made when it was offered: it stands beside the last of them.
    pub plies: u32,
    pub at: At,
}

/// What the players wish of each other: draws, and at home more.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Wishes {
    pub(super) at_home: AtHome,
    /// Who has offered a draw and waits for the answer. A wrong claim is an offer beside the
    /// opponent's (9.1.2.3).
    pub(super) offered: ByColor<bool>,
    /// All offers, in order.
    pub(super) offers: Vec<DrawOffer>,
    /// Somebody beside the arbiter has entered something on a page.
    pub(super) on_page: bool,
    /// The move of a wrong claim, which must be made after so many plies (9.5.3).
    pub(super) intended: Option<(u32, Move)>,
}

/// The effect of a player's wish.
enum Wish {
    /// This, if he means it.
    Possible(Command),
    /// No effect: the player hears this prompt.
    Idle(Prompt),
}

impl Play {
    /// The last offer that the opponent has not answered.
    pub(super) fn open_offer(&self) -> Option<Color> {
        let mut last = self.wishes.offers.iter().rev().map(|offer| offer.by);
        last.find(|by| self.wishes.offered[*by])
    }

    /// Whether this voice is that of the player to whom a draw is offered. An unknown one is the
    /// blind player's.
    pub(super) fn is_offered_to(&self, seat: Option<Color>) -> bool {
        match seat {
            None if self.are_both_blind() => self.open_offer().is_some(),
            seat => self.wishes.offered[!self.listener(seat)],
        }
    }

    /// The player who wishes, when the voice is unknown: only the opponent of an offer can answer
    /// it.
    pub(super) fn wishing(&self, seat: Option<Color>, command: Command) -> Color {
        let answering = matches!(command, Command::AcceptDraw | Command::DeclineDraw);
        let answerer = self.open_offer().filter(|_| answering).map(|by| !by);
        seat.or(answerer).unwrap_or_else(|| self.asking())
    }

    /// A player wants what cannot be taken back: is it possible, and is it meant? Without a seat
    /// nobody knows whose voice it was.
    pub(super) fn wishes(
        &mut self,
        seat: Option<Color>,
        command: Command,
        intended: Option<Move>,
    ) -> Result<(), Refused> {
        if seat.is_none() && self.are_both_blind() {
            return self.somebody_wishes(command, intended);
        }
        let of = self.wishing(seat, command);
        if seat.is_none() && command == Command::AcceptDraw && self.has_page(of) {
            self.refuse_over(self.listener(seat))?;
            self.answer_speaker(seat, Urgency::Answer, Prompt::OnOpponentsPage, &[]);
            return Ok(());
        }
        match self.wish_of(of, command)? {
            Wish::Possible(command) => {
                let unknown = seat.is_none();
                // Whoever sits opposite may have said it, and has no page to say it on.
                let other = unknown
                    && !self.has_page(!of)
                    && matches!(command, Command::Resign | Command::OfferDraw);
                let or = Some(!of).filter(|or| other && self.wish_of(*or, command).is_ok());
                self.ask(of, Question::Command { command, intended, unknown, or });
            }
            Wish::Idle(answer) => {
                let words = self.terms.words.prompt(answer, &[]);
                self.show(of, &words);
                self.say_to(of, Urgency::Answer, words);
            }
        }
        Ok(())
    }

    /// A draw is claimed with one of these moves: each is asked about until one is meant.
    pub(super) fn claims_one_of(
        &mut self,
        seat: Option<Color>,
        claim: Command,
        moves: &[Move],
    ) -> Result<(), Refused> {
        let Some((first, others)) = moves.split_first() else { return Ok(()) };
        self.wishes(seat, claim, Some(*first))?;
        self.dialogue.claimed = others.to_vec();
        Ok(())
    }

    /// Both players speak, and the words came by neither's own microphone or key.
    pub(super) fn are_both_blind(&self) -> bool {
        self.seats.iter().all(|seat| seat.blind)
    }

    /// One of two blind players said it. Each who may have is asked by name, and both hear it.
    fn somebody_wishes(&mut self, command: Command, intended: Option<Move>) -> Result<(), Refused> {
        let first = self.wishing(None, command);
        let wishes = [first, !first].map(|of| (of, self.wish_of(of, command)));
        let able = |(of, wish): &(Color, Result<Wish, Refused>)| match wish {
            Ok(Wish::Possible(command)) => Some((*of, *command)),
            _ => None,
        };
        let mut possible = wishes.iter().filter_map(able);
        if let Some((of, command)) = possible.next() {
            let or = possible.next().map(|(of, _)| of);
            self.ask(of, Question::Command { command, intended, unknown: true, or });
            return Ok(());
        }
        let [(_, wish), _] = wishes;
        if let Wish::Idle(answer) = wish? {
            self.tell_blind(Urgency::Answer, answer, &[]);
        }
        Ok(())
    }

    /// "Mein Gegner gibt auf". Of two blind players whose voice it was is asked as ever.
    pub(super) fn opponent_is_said_to_resign(
        &mut self,
        seat: Option<Color>,
    ) -> Result<(), Refused> {
        if seat.is_none() && self.are_both_blind() {
            return self.somebody_wishes(Command::Resign, None);
        }
        self.is_said_to_resign(seat, !self.listener(seat))
    }

    /// "Schwarz gibt auf". He is asked by name. Who has a page says it there, if it was not he.
    pub(super) fn is_said_to_resign(
        &mut self,
        seat: Option<Color>,
        of: Color,
    ) -> Result<(), Refused> {
        if seat == Some(of) {
            return self.wishes(seat, Command::Resign, None);
        }
        if self.has_page(of) {
            self.refuse_over(self.listener(seat))?;
            self.answer_speaker(seat, Urgency::Answer, Prompt::OnOpponentsPage, &[]);
            return Ok(());
        }
        if let Wish::Possible(command) = self.wish_of(of, Command::Resign)? {
            self.ask(of, Question::Command { command, intended: None, unknown: true, or: None });
        }
        Ok(())
    }

    /// Somebody enters on a page what this sighted player says.
    pub(super) fn has_page(&self, of: Color) -> bool {
        !self.seats[of].blind && self.wishes.on_page
    }

    /// The effect of this player's wish at present.
    fn wish_of(&self, of: Color, command: Command) -> Result<Wish, Refused> {
        self.may_wish(of, command)?;
        self.may_wish_at_home(of, command)?;
        let offered_to = self.wishes.offered[!of];
        Ok(match command {
            Command::OfferDraw if offered_to => Wish::Possible(Command::AcceptDraw),
            Command::OfferDraw if self.wishes.offered[of] => Wish::Idle(Prompt::DrawOffered),
            Command::AcceptDraw if !offered_to => Wish::Idle(Prompt::NoDrawOffer),
            Command::TakeBack if !self.has_moved(of) => Wish::Idle(Prompt::NothingToTakeBack),
            command => Wish::Possible(command),
        })
    }

    fn may_wish(&self, of: Color, command: Command) -> Result<(), Refused> {
        self.refuse_over(of)?;
        if self.is_lost_in_question() {
            let words = self.terms.words.prompt(Prompt::ArbiterDecides, &[]);
            return Err(Refused::new(Article::A6_11_2, Note::ArbiterStarts).saying(words));
        }
        let article = match command {
            Command::OfferDraw | Command::AcceptDraw
                if self.moves_played() / 2 < self.terms.config.no_draw_before as usize =>
            {
                let number = self.terms.config.no_draw_before;
                return Err(self.no_draw_yet(Article::A9_1_1, number));
            }
            Command::AcceptDraw if self.wishes.offered[!of] => return self.may_agree(),
            command => match claimed_by(command) {
                Some((draw, _)) => draw.article,
                None => return Ok(()),
            },
        };
        if of != self.mover() {
            let words = self.terms.words.prompt(Prompt::NotYourTurn, &[]);
            let text = Note::ClaimsOnMove;
            return Err(Refused::new(article, text).saying(words));
        }
        if self.has_touched(of) {
            let words = self.terms.words.prompt(Prompt::ClaimTooLate, &[]);
            let text = Note::ClaimAfterTouch;
            return Err(Refused::new(Article::A9_4, text).saying(words));
        }
        Ok(())
    }

    /// Each player has made a move at least (5.2.3).
    fn may_agree(&self) -> Result<(), Refused> {
        if self.moves_played() < 2 { Err(self.no_draw_yet(Article::A5_2_3, 2)) } else { Ok(()) }
    }

    /// Moves made, with one that a sighted player has announced and played on a board that nobody
    /// sees (D.2.5).
    fn moves_played(&self) -> usize {
        self.line.len() + usize::from(self.announced_unseen(self.mover()).is_some())
    }

    /// The kings in the middle are a resignation or an agreement like others.
    pub(super) fn may_show_result(&self, winner: Option<Color>) -> Result<(), Refused> {
        match winner {
            Some(winner) => self.may_wish(!winner, Command::Resign),
            None => {
                self.may_wish(self.mover(), Command::AcceptDraw)?;
                self.may_agree()
            }
        }
    }

    fn no_draw_yet(&self, article: Article, number: u32) -> Refused {
        let words = self.terms.words.prompt(Prompt::NoDrawYet, &[]);
        Refused::new(article, Note::NoDrawBefore { number }).saying(words)
    }

    /// A piece has left its hole on the player's own turn, or his move is executed (D.2.2, 9.4).
    fn has_touched(&self, of: Color) -> bool {
        let binds = |square: &Square| touch::may_bind(self.position(), *square);
        let lifted =
            self.seats[of].tracker().is_some_and(|tracker| tracker.touched().iter().any(binds));
        // Of a board that nobody sees his word says what his hands did.
        let said = self.announced_unseen(of).is_some();
        said || self.is_touched_ahead(of)
            || (self.on_turn(of) && (lifted || self.line.turn.executed.is_some()))
    }

    /// The player has confirmed the wish.
    pub(super) fn confirmed(
        &mut self,
        of: Color,
        command: Command,
        intended: Option<Move>,
    ) -> Result<(), Refused> {
        if command == Command::Sign {
            return self.sign(of);
        }
        self.may_wish(of, command)?;
        if self.asks_opponent(of, command)? {
            return Ok(());
        }
        match command {
            Command::Resign => self.resigns(of),
            Command::OfferDraw => self.offers(of),
            Command::AcceptDraw if self.wishes.offered[!of] => self.agrees_draw(),
            Command::AcceptDraw => self.tell(of, Urgency::Answer, Prompt::NoDrawOffer, &[]),
            command => {
                if let Some((draw, _)) = claimed_by(command) {
                    self.claims(of, command, draw, intended);
                }
            }
        }
        Ok(())
    }

    pub(super) fn resigns(&mut self, loser: Color) {
        self.keeps_announced();
        let slots = [Slot::Player(loser), Slot::Player(!loser)];
        self.end(
            Outcome::win(!loser),
            Note::Resignation,
            Article::A5_1_2,
            Prompt::Resigned,
            &slots,
        );
    }

    pub(super) fn agrees_draw(&mut self) {
        self.keeps_announced();
        self.end(Outcome::Draw, Note::DrawAgreed, Article::A5_2_3, Prompt::DrawAgreed, &[]);
    }

    fn offers(&mut self, by: Color) {
        // He offers after his move, and the mark stands beside it (8.1.5, 9.1.2.1).
        let own = usize::from(self.announced_unseen(by).is_some());
        let plies = u32::try_from(self.line.len() + own).unwrap_or(u32::MAX);
        let words = self.terms.words.prompt(Prompt::DrawOffered, &[]);
        self.say_aloud(Urgency::Announcement, words);
        self.is_offered(by, plies);
    }

    fn is_offered(&mut self, by: Color, plies: u32) {
        self.wishes.offered[by] = true;
        self.wishes.offers.push(DrawOffer { by, plies, at: self.at });
        self.dialogue.drop_binding();
        self.tells_offer(by);
    }

    /// The game goes on: a blind player hears once more that a draw is offered to him.
    pub(super) fn tells_offers(&mut self) {
        Color::ALL.into_iter().for_each(|by| self.tells_offer(by));
    }

    /// He may answer it with "ja" or "nein".
    fn tells_offer(&mut self, by: Color) {
        if self.wishes.offered[by] && self.seats[!by].blind {
            self.tell(!by, Urgency::Alert, Prompt::OpponentOffersDraw, &[]);
            self.asks_after_it();
        }
    }

    /// "Remis ablehnen".
    pub(super) fn declines(&mut self, of: Color) {
        if !self.wishes.offered[!of] {
            self.tell(of, Urgency::Answer, Prompt::NoDrawOffer, &[]);
            return;
        }
        self.wishes.offered[!of] = false;
        self.dialogue.drop_wish(Command::AcceptDraw);
        let words = self.terms.words.prompt(Prompt::DrawDeclined, &[]);
        self.say_aloud(Urgency::Announcement, words);
    }

    /// He touches a piece that he may mean to move or to capture: that declines his opponent's
    /// offer, and everybody hears it (9.1.2.1).
    pub(super) fn touch_declines(&mut self, mover: Color, square: Square) {
        if self.wishes.offered[!mover] && touch::may_bind(self.position(), square) {
            self.declines(mover);
        }
    }

    /// The opponent of an offer moves: that declines it (9.1.2.1).
    pub(super) fn offer_lapses(&mut self, mover: Color) {
        self.wishes.offered[!mover] = false;
    }

    /// A claim of a draw, checked on the record (9.5).
    fn claims(&mut self, of: Color, command: Command, draw: &CountedDraw, intended: Option<Move>) {
        // The clocks stand while a claim is looked at (9.5.1).
        self.halt_if_running();
        let words = self.terms.words.prompt(Prompt::ClaimMade, &[]);
        self.say_aloud(Urgency::Announcement, words);
        let mut after = self.position().clone();
        if let Some(mv) = intended {
            after.play_unchecked(mv);
        }
        // The record does not have the position after the intended move yet.
        let times = self.occurrences(&after) + u32::from(intended.is_some());
        let quiet = after.halfmoves();
        if draw.is_reached(times, quiet) {
            self.end_counted(draw);
        } else {
            self.claim_fails(of, command, intended, times, quiet);
        }
    }

    fn claim_fails(
        &mut self,
        of: Color,
        command: Command,
        intended: Option<Move>,
        times: u32,
        quiet: u32,
    ) {
        let add_ms = self.rules_in_force().penalty_ms();
        self.problem(
            Article::A9_5_3,
            Note::ClaimWrong { player: of, time: super::penalty::minutes(add_ms) },
            json!({
                "claim": command.name(),
                "intended": intended.map(uci),
                "occurrences": times,
                "plies_without_capture_or_pawn_move": quiet,
                "proposal": { "player": seat_name(!of), "add_ms": add_ms },
            }),
        );
        let words = self.terms.words.prompt(Prompt::ClaimWrong, &[]);
        self.say_aloud(Urgency::Announcement, words);
        // A claim counts as an offer (9.1.2.3), and the announced move must be made (9.5.3).
        self.is_offered(of, self.plies());
        self.propose_for_claim(of);
        if let Some(mv) = intended {
            self.wishes.intended = Some((self.plies(), mv));
            self.announced(mv);
        }
    }

    /// The move of a wrong claim must be made, and another one was: the arbiter decides which
    /// stands.
    ///
    /// Source: FIDE 9.5.3
    pub(super) fn judge_intended(&mut self) {
        let Some((plies, claimed)) = self.wishes.intended.filter(|(n, _)| n + 1 == self.plies())
        else {
            return;
        };
        let Some(made) = self.line.last().filter(|made| made.mv != claimed) else { return };
        let (player, mv, san) = (made.mover, made.mv, made.san.clone());
        let before = self.line.positions()[plies as usize].clone();
        let other = SanPlus::from_move(before, claimed).to_string();
        let note = |san: &str, other: &str| Note::Stands { san: san.into(), other: other.into() };
        let text = Note::ClaimedOther {
            player,
            claimed: other.as_str().into(),
            made: san.as_str().into(),
        };
        let detail = json!({ "claimed": uci(claimed), "made": uci(mv) });
        self.problem(Article::A9_5_3, text.clone(), detail);
        let stands = ArbiterAct::LetStand { ply: plies + 1, uci: uci(claimed) };
        let keeps = ArbiterAct::Note { text: note(&san, &other) };
        self.propose(Article::A9_5_3, Some(player), vec![stands, keeps], text);
        if self.seats[player].blind {
            self.tell(player, Urgency::Hint, Prompt::ArbiterDecides, &[]);
        }
    }

    /// How often this position stands in the record.
    fn occurrences(&self, position: &Chess) -> u32 {
        u32::try_from(self.line.occurrences(position)).unwrap_or(u32::MAX)
    }

    /// A draw that nobody needs to claim (9.6); mate goes before it.
    pub(super) fn unclaimed(&self) -> Option<&'static CountedDraw> {
        let (times, quiet) = (self.occurrences(self.position()), self.position().halfmoves());
        let mut unclaimed = COUNTED.iter().filter(|draw| draw.claim.is_none());
        unclaimed.find(|draw| draw.is_reached(times, quiet))
    }

    pub(super) fn end_counted(&mut self, draw: &CountedDraw) {
        let moves = [Slot::Number(draw.at / 2)];
        let (prompt, slots): (_, &[Slot<'_>]) = match draw.counted {
            Counted::Occurrences => (Prompt::DrawByRepetition, &[]),
            Counted::Quiet => (Prompt::DrawByMoves, &moves),
        };
        self.end(Outcome::Draw, draw.reason.clone(), draw.article, prompt, slots);
    }
}

impl CountedDraw {
    fn is_reached(&self, times: u32, quiet: u32) -> bool {
        self.at <= if self.counted == Counted::Quiet { quiet } else { times }
    }
}
