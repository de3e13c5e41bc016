//! Resigning, draw offers, claims of a draw (5.1.2, 9.1 to 9.6).

use serde_json::json;
use shakmaty::{Chess, Color, EnPassantMode, Move, Position, zobrist::Zobrist128};

use super::{
    Article, At, Outcome, Play, Refused, Urgency, dialogue::Question, seat_name, turn::uci,
};
use annabella_words::phrase::{Command, Prompt, Slot};

/// What two positions must share to be the same (9.2.2), as one number.
pub(super) fn identity(position: &Chess) -> u128 {
    position.zobrist_hash::<Zobrist128>(EnPassantMode::Legal).0
}

/// An offer of a draw, recorded by both players as (=).
///
/// Source: FIDE 8.1.5, 9.1.2.2
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawOffer {
    /// Who offers.
    pub by: Color,
    /// Moves made when it was offered: it stands beside the last of them.
    pub plies: u32,
    /// When.
    pub at: At,
}

/// Draws offered.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Draws {
    /// Who has offered a draw and waits for the answer.
    pub(super) offered: Option<Color>,
    /// All of them, in order.
    pub(super) offers: Vec<DrawOffer>,
}

/// What a player's wish comes to.
enum Wish {
    /// This, if he means it.
    Possible(Command),
    /// Nothing: he is told so.
    Idle(Prompt),
}

impl Play {
    /// The offer that the opponent has not answered.
    pub(super) fn open_offer(&self) -> Option<Color> {
        self.draws.offered
    }

    /// Whose wish it is when the voice is not known: only the opponent of an offer can answer it.
    pub(super) fn wishing(&self, seat: Option<Color>, command: Command) -> Color {
        let answering = matches!(command, Command::AcceptDraw | Command::DeclineDraw);
        let answerer = self.draws.offered.filter(|_| answering).map(|by| !by);
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
        match self.wish_of(of, command)? {
            Wish::Possible(command) => {
                let unknown = seat.is_none();
                self.ask(of, Question::Command { command, intended, unknown, or: None });
            }
            Wish::Idle(answer) => self.tell(of, Urgency::Answer, answer, &[]),
        }
        Ok(())
    }

    /// Each has a voice, and nobody can tell whose a word was that came by neither's microphone or key.
    pub(super) fn are_both_blind(&self) -> bool {
        self.seats.iter().all(|seat| seat.blind)
    }

    /// One of two blind players said it: each who may have is asked by name, and both hear it.
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

    /// What this player's wish comes to as things stand.
    fn wish_of(&self, of: Color, command: Command) -> Result<Wish, Refused> {
        self.may_wish(of, command)?;
        let offered_to = self.draws.offered == Some(!of);
        Ok(match command {
            Command::OfferDraw if offered_to => Wish::Possible(Command::AcceptDraw),
            Command::OfferDraw if self.draws.offered == Some(of) => Wish::Idle(Prompt::DrawOffered),
            Command::AcceptDraw if !offered_to => Wish::Idle(Prompt::NoDrawOffer),
            command => Wish::Possible(command),
        })
    }

    fn may_wish(&self, of: Color, command: Command) -> Result<(), Refused> {
        if self.ended.is_some() {
            return Err(Refused::new(Article::A5_1_1, "the game is over"));
        }
        let article = match command {
            Command::OfferDraw | Command::AcceptDraw
                if self.line.len() / 2 < self.config.no_draw_before as usize =>
            {
                let words = self.words.prompt(Prompt::NoDrawYet, &[]);
                let text = format!("no draw before move {}", self.config.no_draw_before);
                return Err(Refused::new(Article::A9_1_1, text).saying(words));
            }
            Command::ClaimRepetition => Article::A9_2,
            Command::ClaimFifty => Article::A9_3,
            _ => return Ok(()),
        };
        if of != self.mover() {
            let words = self.words.prompt(Prompt::NotYourTurn, &[]);
            let text = "only the player having the move may claim a draw";
            return Err(Refused::new(article, text).saying(words));
        }
        if self.has_touched(of) {
            let words = self.words.prompt(Prompt::ClaimTooLate, &[]);
            let text = "a piece was touched: no claim of a draw on this move";
            return Err(Refused::new(Article::A9_4, text).saying(words));
        }
        Ok(())
    }

    /// A piece has left its hole on the player's own turn, or his move is executed (D.2.2, 9.4).
    fn has_touched(&self, of: Color) -> bool {
        let lifted = self.seats[of].tracker().is_some_and(|tracker| !tracker.touched().is_empty());
        self.on_turn(of) && (lifted || self.turn.executed.is_some())
    }

    /// What a player wanted is meant.
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
        match command {
            Command::Resign => self.resigns(of),
            Command::OfferDraw => self.offers(of),
            Command::AcceptDraw if self.draws.offered == Some(!of) => self.end(
                Outcome::Draw,
                "draw by agreement",
                Article::A5_2_3,
                Prompt::DrawAgreed,
                &[],
            ),
            Command::AcceptDraw => self.tell(of, Urgency::Answer, Prompt::NoDrawOffer, &[]),
            Command::ClaimRepetition | Command::ClaimFifty => self.claims(of, command, intended),
            _ => {}
        }
        Ok(())
    }

    pub(super) fn resigns(&mut self, loser: Color) {
        let slots = [Slot::Player(loser), Slot::Player(!loser)];
        self.end(Outcome::win(!loser), "resignation", Article::A5_1_2, Prompt::Resigned, &slots);
    }

    fn offers(&mut self, by: Color) {
        self.draws.offered = Some(by);
        let plies = u32::try_from(self.line.len()).unwrap_or(u32::MAX);
        self.draws.offers.push(DrawOffer { by, plies, at: self.at });
        let words = self.words.prompt(Prompt::DrawOffered, &[]);
        self.say_aloud(Urgency::Announcement, words);
        if self.seats[!by].blind {
            self.tell(!by, Urgency::Alert, Prompt::OpponentOffersDraw, &[]);
        }
    }

    /// "Remis ablehnen".
    pub(super) fn declines(&mut self, of: Color) {
        if self.draws.offered != Some(!of) {
            self.tell(of, Urgency::Answer, Prompt::NoDrawOffer, &[]);
            return;
        }
        self.draws.offered = None;
        let words = self.words.prompt(Prompt::DrawDeclined, &[]);
        self.say_aloud(Urgency::Announcement, words);
    }

    /// The opponent of an offer touches a piece or moves: that declines it (9.1.2.1).
    pub(super) fn offer_lapses(&mut self, mover: Color) {
        if self.draws.offered == Some(!mover) {
            self.draws.offered = None;
        }
    }

    /// A claim of a draw, checked on the record (9.5).
    fn claims(&mut self, of: Color, command: Command, intended: Option<Move>) {
        // The clocks stand while a claim is looked at (9.5.1).
        self.halt_if_running();
        let words = self.words.prompt(Prompt::ClaimMade, &[]);
        self.say_aloud(Urgency::Announcement, words);
        let mut after = self.position().clone();
        if let Some(mv) = intended {
            after.play_unchecked(mv);
        }
        // The position after the intended move is none of the record yet.
        let times = self.occurrences(&after) + usize::from(intended.is_some());
        let quiet = after.halfmoves();
        match command {
            Command::ClaimRepetition if times >= 3 => self.end(
                Outcome::Draw,
                "threefold repetition, claimed",
                Article::A9_2,
                Prompt::DrawByRepetition,
                &[],
            ),
            Command::ClaimFifty if quiet >= 100 => self.end(
                Outcome::Draw,
                "fifty moves without capture or pawn move, claimed",
                Article::A9_3,
                Prompt::DrawByMoves,
                &[Slot::Number(50)],
            ),
            _ => self.claim_fails(of, command, intended, times, quiet),
        }
    }

    fn claim_fails(
        &mut self,
        of: Color,
        command: Command,
        intended: Option<Move>,
        times: usize,
        quiet: u32,
    ) {
        let add_ms = self.rules_in_force().penalty_ms();
        let minutes = if add_ms == 60_000 { "one minute" } else { "two minutes" };
        self.problem(
            Article::A9_5_3,
            format!("{} claimed a draw wrongly: {minutes} for the opponent", seat_name(of)),
            json!({
                "claim": command.name(),
                "intended": intended.map(uci),
                "occurrences": times,
                "plies_without_capture_or_pawn_move": quiet,
                "proposal": { "player": seat_name(!of), "add_ms": add_ms },
            }),
        );
        let words = self.words.prompt(Prompt::ClaimWrong, &[]);
        self.say_aloud(Urgency::Announcement, words);
        // A claim counts as an offer (9.1.2.3), and the announced move must be made (9.5.3).
        self.draws.offered = Some(of);
        self.draws.offers.push(DrawOffer { by: of, plies: self.plies(), at: self.at });
        self.propose_for_claim(of);
        if let Some(mv) = intended {
            self.announced(mv);
        }
    }

    /// How often this position stands in the record.
    fn occurrences(&self, position: &Chess) -> usize {
        self.line.occurrences(position)
    }

    /// Draws that nobody needs to claim (9.6); mate goes before them.
    pub(super) fn end_without_claim(&mut self) {
        if self.occurrences(self.position()) >= 5 {
            self.finish(false);
            self.end(
                Outcome::Draw,
                "fivefold repetition",
                Article::A9_6_1,
                Prompt::DrawByRepetition,
                &[],
            );
        } else if self.position().halfmoves() >= 150 {
            self.finish(false);
            self.end(
                Outcome::Draw,
                "seventy-five moves without capture or pawn move",
                Article::A9_6_2,
                Prompt::DrawByMoves,
                &[Slot::Number(75)],
            );
        }
    }
}
