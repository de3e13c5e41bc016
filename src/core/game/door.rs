//! The door: what a phase of the game does not take in is answered here, before anything else looks
//! at it.

use super::{
    ArbiterAct, Article, BoardSeen, ClockNews, Input, Outcome, PageAct, Penalty, Play, PlayerWord,
    Refused, Running, Stage, rulings::Halt,
};
use shakmaty::Color;

use annabella_words::phrase::{Command, Note, Prompt, Slot, Utterance};

const OVER: Note = Note::GameOver;

/// A report from which a move could be guessed. A lost board is none.
pub(super) fn tells_moves(seen: &BoardSeen) -> bool {
    !matches!(seen, BoardSeen::Lost { .. } | BoardSeen::Back)
}

/// The player for whom this enters a move.
fn moves_for(act: &PageAct) -> Option<Color> {
    match act {
        PageAct::Executed { seat, .. } | PageAct::Mistyped { seat, .. } => Some(*seat),
        _ => None,
    }
}

/// What a game that is over answers to this input. `None`: it takes it in, as devices go on to
/// report and requests are answered.
fn after_the_end(input: &Input) -> Option<Refused> {
    let (article, text) = match input {
        Input::ClockStarted => (Article::A6_6, OVER),
        Input::Adjourn(_) => (Article::A5_1_1, OVER),
        Input::Page(entry) => match entry.act {
            PageAct::Pressed { .. } | PageAct::Clock(_) | PageAct::RunClocks { .. } => {
                (Article::A6_11_1, OVER)
            }
            PageAct::GoBack { .. } => (Article::D_2_9, OVER),
            PageAct::Says { word: PlayerWord::Comments { .. }, .. } => return None,
            PageAct::Says { .. } | PageAct::CompareBoards | PageAct::Ended { .. } => {
                (Article::A5_1_1, OVER)
            }
            _ => return None,
        },
        _ => return None,
    };
    Some(Refused::new(article, text))
}

/// The same of a request.
fn request_after_the_end(command: Command) -> Option<Refused> {
    let (article, text) = match command {
        Command::StartClock => (Article::A6_6, OVER),
        Command::CheckBoard | Command::CompareBoards | Command::Adjourn => (Article::A5_1_1, OVER),
        Command::StopClock => (Article::A6_11_2, OVER),
        Command::ClaimFlag => (Article::A6_8, OVER),
        Command::WrongStart => (Article::A7_2_1, Note::StartNotLookedAt),
        Command::WrongColours => (Article::A7_3, Note::ResultStands),
        _ => return None,
    };
    Some(Refused::new(article, text))
}

/// The same of what the arbiter decides. A result may be replaced, and the game go on.
fn act_after_the_end(act: &ArbiterAct) -> Option<Refused> {
    let (article, text) = match act {
        ArbiterAct::StopClocks => (Article::A6_11_1, OVER),
        ArbiterAct::StartClocks { .. } => (Article::A6_11_3, OVER),
        ArbiterAct::Penalty { penalty, .. } => match penalty {
            Penalty::TimeToOpponent { .. } | Penalty::TimeOff { .. } => (penalty.article(), OVER),
            _ => return None,
        },
        ArbiterAct::AcceptMove { .. } => (Article::D_2_3, OVER),
        ArbiterAct::TakeBack { .. } => (Article::A12_9, Note::GameOver),
        ArbiterAct::IllegalMove { article, .. } => (*article, Note::IllegalOnlyDuring),
        ArbiterAct::Settle(_) => (Article::D_2_9, Note::DeclareInstead),
        ArbiterAct::LetStand { .. } => (Article::A4_7, Note::DeclareInstead),
        ArbiterAct::GoBack { .. } => (Article::A4_3, Note::DeclareInstead),
        _ => return None,
    };
    Some(Refused::new(article, text))
}

impl Play {
    /// The answer to inputs that this phase does not take in; `None` for others.
    pub(super) fn at_the_door(&self, input: &Input) -> Option<Result<(), Refused>> {
        if self.is_over() {
            // Hands go on to the clock, and nothing is to be said of that.
            let pressed =
                matches!(input, Input::Pressed { .. } | Input::Clock(ClockNews::Pressed(_)));
            return if pressed { Some(Ok(())) } else { after_the_end(input).map(Err) };
        }
        if self.course.halted() == Some(Halt::Elsewhere) {
            let refused = Refused::new(Article::A6_11_2, Note::TakenOver);
            return self.nobody_plays(input, refused, Prompt::BoardTakenOver);
        }
        match self.adjourning()? {
            Stage::Invited => self.while_sealing(input),
            _ => {
                let refused = Refused::new(Article::I_5, Note::StillAdjourned);
                self.nobody_plays(input, refused, Prompt::StillAdjourned)
            }
        }
    }

    /// The move that is being sealed is made by whisper or by pegs alone (I.1.1).
    fn while_sealing(&self, input: &Input) -> Option<Result<(), Refused>> {
        let mover = self.mover();
        match input {
            Input::Edge { seat, .. } | Input::Board { seat, .. } if *seat == self.origin(mover) => {
                (!self.is_put_right(*seat)).then_some(Ok(()))
            }
            Input::BoardSeen { seat, seen } if *seat == mover && tells_moves(seen) => Some(Ok(())),
            Input::Sighted { seat, .. } if *seat == mover => Some(self.may_move_openly()),
            Input::Page(entry) if moves_for(&entry.act) == Some(mover) => {
                Some(self.may_move_openly())
            }
            _ => None,
        }
    }

    /// The game is adjourned, or goes on elsewhere: whoever does or says something of it is
    /// refused.
    fn nobody_plays(
        &self,
        input: &Input,
        refused: Refused,
        why: Prompt,
    ) -> Option<Result<(), Refused>> {
        match input {
            Input::Page(entry)
                if moves_for(&entry.act).is_some()
                    || matches!(entry.act, PageAct::Pressed { .. }) =>
            {
                Some(Err(refused))
            }
            Input::BoardSeen { seen, .. } if tells_moves(seen) => Some(Ok(())),
            // A device on which somebody has played with the levers.
            Input::Clock(ClockNews::Read(_))
                if self.timing.clock.reading(self.at).2 == Running::None =>
            {
                Some(Ok(()))
            }
            Input::Edge { .. } | Input::Board { .. } | Input::Heard { pushed: false, .. } => {
                Some(Ok(()))
            }
            // Whoever spoke is answered; hands and devices are not.
            Input::Said { .. } | Input::Heard { .. } | Input::Button { .. } => {
                let words = self.terms.words.prompt(why, &[]);
                Some(Err(refused.saying(words)))
            }
            Input::Pressed { .. }
            | Input::Clock(ClockNews::Pressed(_))
            | Input::Sighted { .. }
            | Input::ClockStarted => Some(Err(refused)),
            _ => None,
        }
    }

    /// A request that comes too late.
    pub(super) fn may_request(&self, of: Color, command: Command) -> Result<(), Refused> {
        match request_after_the_end(command).filter(|_| self.is_over()) {
            Some(late) => Err(late.saying(self.over_words(of))),
            None => Ok(()),
        }
    }

    /// That the game is over, who has won, and, in a blind player's ear, what can be said now.
    pub(super) fn over_words(&self, to: Color) -> Utterance {
        let say = |prompt| self.terms.words.prompt(prompt, &[]);
        let result = self.course.ended().map(|ended| ended.result);
        let over = match (result, result.and_then(Outcome::winner)) {
            (_, Some(winner)) => self.terms.words.prompt(Prompt::OverWon, &[Slot::Player(winner)]),
            (Some(Outcome::Draw), None) => say(Prompt::OverDrawn),
            _ => say(Prompt::GameOver),
        };
        let help = self.seats[to].blind.then(|| say(Prompt::HelpOver));
        Utterance::joined(std::iter::once(over).chain(help))
    }

    /// An arbiter's decision that comes too late.
    pub(super) fn may_act(&self, act: &ArbiterAct) -> Result<(), Refused> {
        act_after_the_end(act).filter(|_| self.is_over()).map_or(Ok(()), Err)
    }

    /// No move is played and no wish counts after the end.
    pub(super) fn refuse_over(&self, speaker: Color) -> Result<(), Refused> {
        if self.is_over() {
            return Err(Refused::new(Article::A5_1_1, OVER).saying(self.over_words(speaker)));
        }
        Ok(())
    }

    /// Not while a move is to be sealed.
    pub(super) fn may_move_openly(&self) -> Result<(), Refused> {
        match self.adjourning() {
            Some(Stage::Invited) => {
                let words = self.terms.words.prompt(Prompt::SealMove, &[]);
                let text = Note::ToBeSealed;
                Err(Refused::new(Article::I_1_1, text).saying(words))
            }
            _ => Ok(()),
        }
    }

    /// There is a result.
    pub(super) fn is_over(&self) -> bool {
        self.course.is_over()
    }

    /// How far an adjournment has come that is not over.
    pub(super) fn adjourning(&self) -> Option<Stage> {
        self.course.stage()
    }
}
