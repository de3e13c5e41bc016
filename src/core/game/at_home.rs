//! What only a game at home allows: a move taken back, a hint, a judgement. The player asks, his
//! opponent answers, and without his answer nothing happens. What he answers is an entry like his
//! moves; how he comes to it nobody here knows.
//!
//! A move is taken back as the arbiter's decision goes back (D.2.9): scores, boards and clocks are
//! those of the position that it leads to, and what was struck stays in the record. Whoever took it
//! back is noted instead of an arbiter.
//!
//! Source: FIDE 4.7, 11.3, which forbid all of it in a tournament

use serde::{Deserialize, Serialize};
use shakmaty::{Color, Move, uci::UciMove};

use super::{
    Article, ClockBasis, Play, PlayerWord, Refused, SettledClocks, Urgency, decision::DecidedBy,
    page::sentence,
};
use annabella_words::{
    phrase::{Command, Note, Prompt, Slot},
    spelled,
};

spelled! {
    /// What a player at home may ask of his opponent.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    HomeWish {
        /// That his last move is taken back, with the reply to it.
        TakeBack = "take-back",
        /// Which move he would make.
        Hint = "hint",
        /// Who stands better.
        Evaluation = "evaluation",
    }
}

impl HomeWish {
    fn of(command: Command) -> Option<HomeWish> {
        match command {
            Command::TakeBack => Some(HomeWish::TakeBack),
            Command::Hint => Some(HomeWish::Hint),
            Command::Evaluation => Some(HomeWish::Evaluation),
            _ => None,
        }
    }
}

/// What is asked of the opponent, and what follows from his answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct AtHome {
    /// By whom, what, and after how many half-moves: another move answers it too.
    wished: Option<(Color, HomeWish, usize)>,
    /// A move was taken back: the clock runs again when the boards stand right.
    goes_on: bool,
}

impl Play {
    /// What the opponent has yet to answer.
    pub(super) fn wished(&self) -> Option<(Color, HomeWish)> {
        let (by, wish, plies) = self.wishes.at_home.wished?;
        (plies == self.line.len() && !self.is_over()).then_some((by, wish))
    }

    /// Whether it may be asked for: only at home, and a hint only by the player to move.
    pub(super) fn may_wish_at_home(&self, of: Color, command: Command) -> Result<(), Refused> {
        if !command.is_for_home() {
            return Ok(());
        }
        if !self.terms.config.at_home {
            let words = self.terms.words.prompt(Prompt::OnlyAtHome, &[]);
            return Err(Refused::new(Article::A11_3, Note::OnlyAtHome).saying(words));
        }
        self.refuse_over(of)?;
        self.may_move_openly()?;
        if command == Command::Hint && of != self.mover() {
            let words = self.terms.words.prompt(Prompt::NotYourTurn, &[]);
            return Err(Refused::new(Article::A11_3, Note::OpponentToMove).saying(words));
        }
        Ok(())
    }

    /// He has made a move that can be taken back.
    pub(super) fn has_moved(&self, of: Color) -> bool {
        self.line.iter().any(|ply| ply.mover == of)
    }

    /// His opponent is asked. `false`: this is no such request.
    pub(super) fn asks_opponent(&mut self, of: Color, command: Command) -> Result<bool, Refused> {
        let Some(wish) = HomeWish::of(command) else { return Ok(false) };
        self.may_wish_at_home(of, command)?;
        self.wishes.at_home.wished = Some((of, wish, self.line.len()));
        // A move that is taken back is soon heard of.
        if wish != HomeWish::TakeBack {
            self.tell(of, Urgency::Answer, Prompt::AskedOpponent, &[]);
        }
        Ok(true)
    }

    /// The opponent's answer. What nobody has asked for he is not to say (11.3).
    pub(super) fn answers_wish(&mut self, word: PlayerWord) -> Result<(), Refused> {
        let refused = |text: Note| Err(Refused::new(Article::A11_3, text));
        if !self.terms.config.at_home {
            return refused(Note::NoProgramPlays);
        }
        let Some((of, wish)) = self.wished() else { return refused(Note::NothingWished) };
        match (word, wish) {
            (PlayerWord::GrantsTakeBack, HomeWish::TakeBack) => self.takes_own_back(of),
            (PlayerWord::DeclinesTakeBack, HomeWish::TakeBack) => {
                self.tell(of, Urgency::Answer, Prompt::TakeBackDeclined, &[]);
            }
            (PlayerWord::Advises { uci }, HomeWish::Hint) => {
                let mv = self.legal_now(&uci)?;
                let pos = self.position().clone();
                let slot = Slot::Move { pos: &pos, mv, form: self.form() };
                self.tell(of, Urgency::Answer, Prompt::OpponentAdvises, &[slot]);
            }
            (PlayerWord::Answers { text }, HomeWish::Hint | HomeWish::Evaluation) => {
                let text = [Slot::Text(&sentence(text))];
                self.tell(of, Urgency::Answer, Prompt::OpponentSays, &text);
                self.asks_after_it();
            }
            _ => return refused(Note::NothingWished),
        }
        self.wishes.at_home.wished = None;
        Ok(())
    }

    /// After the end the score is gone through, and this would have been better than the move that
    /// was read last.
    pub(super) fn comments(&mut self, ply: u32, uci: &str) -> Result<(), Refused> {
        let refused = |text: Note| Refused::new(Article::A11_3, text);
        if !self.terms.config.at_home {
            return Err(refused(Note::NoProgramPlays));
        }
        let index = usize::try_from(ply).unwrap_or(usize::MAX);
        if self.looked_at() != Some(index) || index == 0 {
            return Err(refused(Note::NothingWished));
        }
        let pos = self.line.positions()[index - 1].clone();
        let read = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&pos).ok());
        let Some(mv) = read else {
            return Err(refused(Note::NotLegalNow { uci: uci.into() }));
        };
        let slot = Slot::Move { pos: &pos, mv, form: self.form() };
        self.tell_blind(Urgency::Answer, Prompt::BetterWas, &[slot]);
        Ok(())
    }

    fn legal_now(&self, uci: &str) -> Result<Move, Refused> {
        let read = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(self.position()).ok());
        let refused = || Refused::new(Article::A11_3, Note::NotLegalNow { uci: uci.into() });
        read.ok_or_else(refused)
    }

    /// The game goes back to before this player's last move; the times are those that stood there.
    fn takes_own_back(&mut self, of: Color) {
        let Some(kept) = self.line.iter().rposition(|ply| ply.mover == of) else {
            self.tell(of, Urgency::Answer, Prompt::NothingToTakeBack, &[]);
            return;
        };
        let taken = self.line[kept].mv;
        let before = self.line.positions()[kept].clone();
        let slot = Slot::Move { pos: &before, mv: taken, form: self.form() };
        self.tell(of, Urgency::Answer, Prompt::MoveTakenBack, &[slot]);
        self.back_to(kept, DecidedBy::Player(of));
    }

    /// Two records of one game agree only so far (D.2.9).
    pub(super) fn goes_back(&mut self, plies: u32, knows: u32) -> Result<(), Refused> {
        self.refuse_decided_meanwhile(knows)?;
        let kept = usize::try_from(plies).unwrap_or(usize::MAX);
        if kept >= self.line.len() {
            return Err(Refused::new(Article::D_2_9, Note::NothingWished));
        }
        self.back_to(kept, DecidedBy::Records);
        Ok(())
    }

    /// So many half-moves stand, and the clocks as they did then.
    fn back_to(&mut self, kept: usize, by: DecidedBy) {
        let ply = u32::try_from(kept).unwrap_or(u32::MAX);
        let readings = self.clock_readings();
        let then =
            readings.iter().rfind(|reading| reading.ply <= ply).map(|reading| SettledClocks {
                white_ms: reading.times.white_ms,
                black_ms: reading.times.black_ms,
                basis: ClockBasis::Journal,
            });
        // The line's own moves follow each other.
        let moves = self.line.moves()[..kept].to_vec();
        let Some(settling) = self.settling(ply, moves, then) else { return };
        self.settle_on(&settling, by);
        self.wishes.at_home.goes_on = then.is_some();
        // Whoever plays with the blind player puts his own board right himself; one that is seen
        // shows when it is.
        for seat in Color::ALL {
            if !self.seats[seat].blind && !self.seats[seat].is_watched() {
                self.end_correction(seat);
            }
        }
        self.goes_on_at_home();
    }

    /// The clocks run by a program's word: once the boards stand right, which nobody is asked
    /// about.
    pub(super) fn runs_for_program(&mut self) -> Result<(), Refused> {
        if self.uncorrected().is_some() {
            self.wishes.at_home.goes_on = true;
            return Ok(());
        }
        if self.runs() { Ok(()) } else { self.start_clock(None) }
    }

    /// They stand by its word. A press lets them run, and whoever keeps the line stops them again:
    /// no move waits for the line.
    pub(super) fn stands_for_program(&mut self) {
        self.timing.stop(self.at);
        self.tell_clock();
    }

    /// After a move that was taken back no word is needed: the clock runs once both boards stand
    /// right.
    pub(super) fn goes_on_at_home(&mut self) {
        if self.wishes.at_home.goes_on && self.uncorrected().is_none() {
            self.wishes.at_home.goes_on = false;
            self.course.unhalt();
            self.let_run();
        }
    }
}
