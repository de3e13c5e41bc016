//! The arbiter's decisions, taken into the game.

use shakmaty::{Color, Move, uci::UciMove};

use super::{
    ArbiterAct, Article, Outcome, Output, Penalty, Play, Proposal, ProposalState, Refused, Ruled,
    Ruling, Source, Urgency,
    asked::proposed,
    asking::declared,
    decision::{DecidedBy, Settling},
    penalty::may_be_illegal,
    standing::FLAGS_UP,
    turn::{Announced, Turn, reported},
};
use annabella_words::phrase::{Note, Prompt, Slot, Utterance};

/// No clock shows more: a hundred hours, milliseconds.
const LONGEST_MS: u64 = 360_000_000;

/// Why the clocks stand and do not run again by a press (6.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// A player has stopped them to call the arbiter (6.11.2).
    Player,
    /// The arbiter has (6.11.1), or he must judge first (6.9, 9.5.1).
    Arbiter,
    /// The game goes on at another board.
    Elsewhere,
}

impl Play {
    /// The arbiter decides.
    pub(super) fn rules(&mut self, ruling: Ruling) -> Result<(), Refused> {
        if let Some(knows) = ruling.knows {
            self.refuse_decided_meanwhile(knows)?;
        }
        if ruling.ruled.is_some_and(|ruled| ruled as usize != self.arbitration.rulings.len()) {
            return Err(Refused::new(Article::A12_9, Note::RuledMeanwhile));
        }
        let before_ms = self.both_ms();
        let place = self.mouth.count();
        let plies = self.plies();
        let waited = self.is_end_in_question();
        let done = self.act(&ruling)?;
        // Whoever decides has heard the call.
        self.arbitration.call = None;
        self.release_clocks();
        // What had waited for him ends the game now.
        if waited && !self.is_over() {
            self.ask_rules_of_position();
        }
        let after_ms = self.both_ms();
        let ruled = Ruled { ruling, at: self.at, plies, done, before_ms, after_ms };
        self.mouth.emit_at(place, Output::Ruled(Box::new(ruled.clone())));
        self.arbitration.rulings.push(ruled);
        Ok(())
    }

    /// Whoever knew of so many decisions under D.2.9 knew of all.
    pub(super) fn refuse_decided_meanwhile(&self, knows: u32) -> Result<(), Refused> {
        match knows as usize == self.arbitration.decisions.len() {
            true => Ok(()),
            false => Err(Refused::new(Article::D_2_9, Note::DecidedMeanwhile)),
        }
    }

    fn both_ms(&self) -> (u64, u64) {
        let (white_ms, black_ms, _) = self.timing.clock.reading(self.at);
        (white_ms, black_ms)
    }

    /// Moves made.
    pub(super) fn plies(&self) -> u32 {
        u32::try_from(self.line.len()).unwrap_or(u32::MAX)
    }

    fn act(&mut self, ruling: &Ruling) -> Result<Option<ArbiterAct>, Refused> {
        match &ruling.act {
            ArbiterAct::ConfirmProposal { number, choice } => {
                let proposal = self.open_proposal(*number)?.clone();
                let act = chosen(&proposal, *choice)?;
                let decided = self.may_decide(&act, &ruling.reason)?;
                // An act that ends the game lapses open proposals, but not this one.
                self.close_proposal(*number, ProposalState::Confirmed);
                self.perform(decided, Some(&proposal), &ruling.reason);
                self.undoes_illegal(&proposal);
                Ok(Some(act))
            }
            ArbiterAct::DismissProposal { number } => {
                let proposal = self.open_proposal(*number)?.clone();
                self.close_proposal(*number, ProposalState::Dismissed);
                if let (Article::A7_5_5, Some(seat)) = (proposal.article, proposal.seat) {
                    self.uncount_illegal(seat);
                }
                Ok(None)
            }
            ArbiterAct::TakeBack { ruling } => self.takes_back(*ruling).map(Some),
            act => {
                if let ArbiterAct::StartClocks { .. } = act {
                    self.may_let_run()?;
                }
                let decided = self.may_decide(act, &ruling.reason)?;
                self.perform(decided, None, &ruling.reason);
                Ok(Some(act.clone()))
            }
        }
    }

    /// What this act comes to. Changes nothing.
    fn may_decide<'a>(&self, act: &'a ArbiterAct, reason: &str) -> Result<Decides<'a>, Refused> {
        self.may_act(act)?;
        match act {
            ArbiterAct::SetClock { ms, .. } if *ms > LONGEST_MS => {
                let text = Note::MoreThanClocks { ms: *ms };
                return Err(Refused::new(Article::A6_10_2, text));
            }
            ArbiterAct::Penalty { seat, penalty: Penalty::TimeOff { ms } } => {
                self.may_take(*seat, *ms)?;
            }
            ArbiterAct::IllegalMove { article, .. } => may_be_illegal(*article)?,
            ArbiterAct::PlayOn => {
                self.may_play_on()?;
                // What has ended the game was misheard, or none of its player's.
                if self.ends_here() {
                    return self.may_go_back(self.plies()).map(Box::new).map(Decides::PlaysOn);
                }
            }
            ArbiterAct::Signed { .. } => self.may_sign()?,
            ArbiterAct::AcceptMove { uci } => return self.acceptable(uci).map(Decides::Accepts),
            ArbiterAct::Settle(settle) => {
                return self.may_settle(settle, reason).map(Box::new).map(Decides::Settles);
            }
            ArbiterAct::LetStand { ply, uci } => {
                return self.may_stand(*ply, uci).map(Box::new).map(Decides::Settles);
            }
            ArbiterAct::GoBack { ply } => {
                return self.may_go_back(*ply).map(Box::new).map(Decides::Settles);
            }
            // A proposal never proposes another proposal: see `Play::propose`.
            ArbiterAct::ConfirmProposal { number, .. }
            | ArbiterAct::DismissProposal { number }
            | ArbiterAct::TakeBack { ruling: number } => return Err(no_such_proposal(*number)),
            _ => {}
        }
        Ok(Decides::Act(act))
    }

    fn may_let_run(&self) -> Result<(), Refused> {
        let first = |of: &&Proposal| of.is_open() && proposed(of).comes_before_play();
        if let Some(open) = self.arbitration.proposals.iter().find(first) {
            return Err(Refused::new(open.article, Note::DecideFirst));
        }
        // A board that is seen to stand otherwise than he has decided is put right first.
        let seen =
            |seat: &Color| self.seats[*seat].tracker().is_some() || self.seats[*seat].is_watched();
        let decided =
            |seat: &Color| self.seats[*seat].correction.as_ref().is_some_and(|way| !way.first);
        match Color::ALL.into_iter().find(|seat| seen(seat) && decided(seat)) {
            Some(player) => Err(Refused::new(Article::D_2_9, Note::BoardNotCorrected { player })),
            None => Ok(()),
        }
    }

    fn perform(&mut self, decided: Decides<'_>, proposal: Option<&Proposal>, reason: &str) {
        let act = match decided {
            Decides::Act(act) => act,
            Decides::Accepts(mv) => return self.accept_move(mv),
            Decides::PlaysOn(settling) => {
                self.play_on();
                let by = DecidedBy::Ruling(self.arbitration.rulings.len());
                return self.settle_on(&settling, by);
            }
            Decides::Settles(settling) => {
                let by = DecidedBy::Ruling(self.arbitration.rulings.len());
                return self.settle_on(&settling, by);
            }
        };
        match act {
            ArbiterAct::StopClocks => self.arbiter_stops(),
            ArbiterAct::StartClocks { side } => self.arbiter_starts(*side),
            ArbiterAct::SetClock { seat, ms, moves } => {
                self.timing.change(self.at, *seat, |_| *ms);
                if let Some(moves) = moves {
                    self.timing.clock.set_moves(self.at, *seat, *moves);
                }
                self.tell_clock();
                self.ask_rule(&FLAGS_UP);
                self.announce_times();
            }
            ArbiterAct::Penalty { seat, penalty } => self.penalise(*seat, penalty, proposal),
            ArbiterAct::Declare { result, article } => {
                self.declare(*result, *article, reason);
            }
            ArbiterAct::IllegalMove { seat, article } => self.illegal_reported(*seat, *article),
            ArbiterAct::PlayOn => {
                self.play_on();
                Color::ALL.into_iter().for_each(|seat| self.reset_board(seat));
            }
            ArbiterAct::Signed { seat } => self.signs(*seat),
            ArbiterAct::Note { .. }
            | ArbiterAct::AcceptMove { .. }
            | ArbiterAct::Settle(_)
            | ArbiterAct::LetStand { .. }
            | ArbiterAct::GoBack { .. }
            | ArbiterAct::ConfirmProposal { .. }
            | ArbiterAct::DismissProposal { .. }
            | ArbiterAct::TakeBack { .. } => {}
        }
    }

    /// The clocks stand until the arbiter or, after a player's word, a word at the board lets them
    /// run again.
    pub(super) fn halt(&mut self, halt: Halt) {
        self.timing.stop(self.at);
        self.course.halt(halt);
        self.tell_clock();
    }

    fn arbiter_stops(&mut self) {
        self.arbitration.stand_for = false;
        self.halt(Halt::Arbiter);
        self.tell_all(Prompt::ClockStopped, &[]);
    }

    fn arbiter_starts(&mut self, side: Option<Color>) {
        self.course.unhalt();
        self.arbitration.stand_for = false;
        if self.unknown_press().is_some_and(|seat| !self.seats[seat].doubt.is_open()) {
            self.forget_unknown_press();
        }
        // He has looked at the boards that nobody else sees.
        Color::ALL.into_iter().for_each(|seat| self.stands_as_told(seat));
        // He lets the game go on: whatever somebody said of the boards, he has decided it (D.2.9).
        self.arbitration.relation.said_to_differ = false;
        self.compare_boards();
        match side {
            Some(side) => {
                self.timing.clock.start(self.at, side);
                self.tell_clock();
            }
            None if self.runs() => self.tell_clock(),
            None => self.let_run(),
        }
        self.tell_all(Prompt::ClockStarted, &[]);
    }

    /// Says something that both players are to hear.
    pub(super) fn tell_all(&mut self, prompt: Prompt, slots: &[Slot<'_>]) {
        let words = self.terms.words.prompt(prompt, slots);
        self.say_aloud(Urgency::Announcement, words);
    }

    fn penalise(&mut self, seat: Color, penalty: &Penalty, proposal: Option<&Proposal>) {
        match penalty {
            Penalty::Warning => self.tell_all(Prompt::Warned, &[Slot::Player(seat)]),
            Penalty::TimeToOpponent { ms } => {
                let now_ms = self.timing.clock.remaining_ms(self.at, !seat);
                let ms = (*ms).min(LONGEST_MS.saturating_sub(now_ms));
                self.timing.change(self.at, !seat, |left_ms| left_ms.saturating_add(ms));
                self.tell_clock();
                self.ask_rule(&FLAGS_UP);
                self.tell_all(Prompt::TimeAdded, &[Slot::Player(!seat), Slot::Duration(ms)]);
            }
            Penalty::TimeOff { ms } => {
                self.timing.change(self.at, seat, |left_ms| left_ms.saturating_sub(*ms));
                self.tell_clock();
                self.tell_all(Prompt::TimeTaken, &[Slot::Player(seat), Slot::Duration(*ms)]);
            }
            Penalty::Loss { opponent_halves } => {
                let article = proposal.map_or(penalty.article(), |proposal| proposal.article);
                let outcome = Outcome::loss(seat, *opponent_halves);
                self.declare(outcome, article, "");
            }
            // For the record and the tournament's table; the game itself goes on as it was.
            Penalty::PointsToOpponent { .. }
            | Penalty::PointsOff { .. }
            | Penalty::Fine { .. }
            | Penalty::ExcludedFromRounds { .. }
            | Penalty::ExcludedFromEvent => {
                let Some(note) = penalty.beyond_time() else { return };
                let what = self.terms.words.prompts().note(&note, &str::to_owned);
                let what = what.unwrap_or_else(|| note.to_string());
                self.tell_all(Prompt::Penalised, &[Slot::Player(seat), Slot::Text(&what)]);
                // Whoever is excluded from the event plays no more: he says what the result is.
                if *penalty == Penalty::ExcludedFromEvent && !self.is_over() {
                    let (result, article) = (Outcome::win(!seat), penalty.article());
                    let act = ArbiterAct::Declare { result, article };
                    self.propose(article, Some(seat), vec![act], note);
                }
            }
        }
    }

    /// A penalty of time is taken back. What it comes to is a clock that is set.
    fn takes_back(&mut self, ruling: u32) -> Result<ArbiterAct, Refused> {
        self.may_act(&ArbiterAct::TakeBack { ruling })?;
        let rulings = &self.arbitration.rulings;
        let place = usize::try_from(ruling).unwrap_or(usize::MAX);
        let given = rulings.get(place).and_then(Ruled::time_given);
        let again = rulings.iter().skip(place.saturating_add(1)).any(|later| {
            let set = given.is_some_and(|(seat, _)| later.sets_clock_of(seat));
            set || later.ruling.act == ArbiterAct::TakeBack { ruling }
        });
        let found = rulings.get(place).filter(|_| !again);
        let Some((ruled, (seat, given_ms))) = found.and_then(|r| Some((r, r.time_given()?))) else {
            return Err(Refused::new(Article::A12_9, Note::DecidedMeanwhile));
        };
        let reopened = match ruled.ruling.act {
            ArbiterAct::ConfirmProposal { number, .. } => Some(number),
            _ => None,
        };
        if let Ok(taken_ms @ 1..) = u64::try_from(given_ms) {
            self.may_take(seat, taken_ms)?;
        }
        self.timing.change(self.at, seat, |left_ms| left_ms.saturating_add_signed(-given_ms));
        if let Some(number) = reopened {
            self.reopen_proposal(number);
        }
        self.tell_clock();
        let prompt = if given_ms > 0 { Prompt::TimeTaken } else { Prompt::TimeAdded };
        let slots = [Slot::Player(seat), Slot::Duration(given_ms.unsigned_abs())];
        let back = self.terms.words.prompt(Prompt::PenaltyBack, &[]);
        let words = Utterance::joined([back, self.terms.words.prompt(prompt, &slots)]);
        self.say_aloud(Urgency::Announcement, words);
        let ms = self.timing.clock.remaining_ms(self.at, seat);
        Ok(ArbiterAct::SetClock { seat, ms, moves: None })
    }

    /// The arbiter's result; it replaces one that stood (8.7).
    pub(super) fn declare(&mut self, result: Outcome, article: Article, reason: &str) {
        let reason = match (reason.trim(), result) {
            ("", Outcome::Annulled) => Note::AnnulledByArbiter,
            ("", _) => Note::DeclaredByArbiter,
            (reason, _) => Note::Words(reason.to_owned()),
        };
        let winner = result.winner();
        self.course.plays_on();
        match (winner, article, result) {
            (Some(winner), Article::A7_5_5, _) => {
                let slots = [Slot::Player(winner)];
                self.end(result, reason, article, Prompt::IllegalLost, &slots);
            }
            (Some(winner), Article::A6_9, _) => {
                let slots = [Slot::Player(!winner), Slot::Player(winner)];
                self.end(result, reason, article, Prompt::FlagFell, &slots);
            }
            (Some(winner), _, _) => {
                let slots = [Slot::Player(winner)];
                self.end(result, reason, article, Prompt::DeclaredWin, &slots);
            }
            (None, _, Outcome::Draw) => {
                self.end(result, reason, article, Prompt::DeclaredDraw, &[]);
            }
            (None, _, _) => {
                let (prompt, players) = declared(result);
                self.end(result, reason, article, prompt, &players);
            }
        }
    }

    fn may_play_on(&self) -> Result<(), Refused> {
        if !self.is_over() {
            return Err(Refused::new(Article::A8_7, Note::NotOver));
        }
        Ok(())
    }

    /// The game had not ended after all. The clocks wait for the arbiter, who may have to set them.
    fn play_on(&mut self) {
        self.course.plays_on();
        // What he had not decided then he has yet to.
        self.course.waits_again().into_iter().for_each(|number| self.reopen_proposal(number));
        self.arbitration.signatures.clear();
        self.halt(Halt::Arbiter);
        self.tell_all(Prompt::PlayOn, &[]);
    }

    /// The move that the arbiter names, legal now.
    fn acceptable(&self, text: &str) -> Result<Move, Refused> {
        let refused = |what: Note| Refused::new(Article::D_2_3, what);
        let uci: UciMove = text.parse().map_err(|_| refused(Note::NotUci { text: text.into() }))?;
        uci.to_move(self.position()).map_err(|_| {
            let fen = super::write_fen(self.position()).into();
            refused(Note::NotLegalIn { uci: text.into(), fen })
        })
    }

    /// The arbiter takes this move as made, whatever the pegs and the ears noticed of it.
    fn accept_move(&mut self, mv: Move) {
        self.invitation_lapses();
        let (before, origin) = (self.line.len(), self.origin(self.mover()));
        // A board that shows another move is corrected afterwards.
        self.seats[origin].shown =
            self.line.iter().map(|ply| reported(ply.mv, self.at.ms)).collect();
        // Nobody else may have said it (D.2.10.2).
        let position = self.position().clone();
        self.announce_decision(&position, mv);
        let announced = Some(Announced { mv, at: self.at, by: Source::Arbiter });
        self.line.turn = Turn { announced, ..Turn::default() };
        self.announced(mv);
        if self.line.len() == before && !self.is_over() {
            let executed = reported(mv, self.at.ms);
            self.seats[origin].shown.push(executed.clone());
            self.executed(origin, executed);
        }
        self.reset_board(origin);
    }
}

/// What an act of the arbiter's comes to, once it may be done.
enum Decides<'a> {
    /// Itself.
    Act(&'a ArbiterAct),
    /// This move is made.
    Accepts(Move),
    /// The game goes on from there (D.2.9, 4.3, 4.7).
    Settles(Box<Settling>),
    /// The game was not over: it goes on before its last move.
    PlaysOn(Box<Settling>),
}

pub(super) fn no_such_proposal(number: u32) -> Refused {
    Refused::new(Article::A12_9, Note::NoSuchProposal { number })
}

fn chosen(proposal: &Proposal, choice: Option<u32>) -> Result<ArbiterAct, Refused> {
    let refused = |what: Note| Refused::new(proposal.article, what);
    match (proposal.choices.as_slice(), choice) {
        ([act], None | Some(0)) => Ok(act.clone()),
        (choices, None) => {
            Err(refused(Note::ChooseOne { number: proposal.number, choices: choices.len() }))
        }
        (choices, Some(choice)) => usize::try_from(choice)
            .ok()
            .and_then(|choice| choices.get(choice))
            .cloned()
            .ok_or_else(|| refused(Note::NoSuchChoice { number: proposal.number, choice })),
    }
}
