//! The game: pure, deterministic, time comes in as data.
//!
//! [`Game::handle`] takes one [`Input`] at one moment and returns the [`Output`]s. The same inputs
//! give the same outputs, bit for bit: that is how a power cut is survived and a bug reproduced. A
//! refused input leaves everything as it was and names the article.
//!
//! The Laws distinguish a move shown on a board, a move announced and a move made (D.2.3); so does
//! the game. Boards and scores never overwrite one another, since D.2.9 needs both.

pub mod adjourn;
mod against;
mod agreement;
mod arbiter;
mod asked;
mod asking;
mod at_home;
mod boards;
mod by_word;
mod case;
mod changing;
pub mod clock;
mod completing;
mod conduct;
mod config;
mod confirming;
mod correcting;
mod correction;
mod counted;
mod decision;
mod device_clock;
mod devices;
mod dialogue;
mod door;
mod doubt;
mod envelope;
mod felt;
mod first_picture;
mod flags;
mod heard;
mod input;
mod irregular;
mod line;
mod listening;
mod mouth;
mod new_voice;
mod output;
mod page;
mod penalty;
mod phase;
mod play;
mod press;
mod proposals;
mod reading;
mod record;
mod repeating;
mod requests;
mod rereading;
mod resuming;
mod rulings;
mod said;
mod saying;
mod score;
mod scoring;
mod sealers_board;
mod sealing;
mod seat;
mod sheet;
mod shown;
mod signing;
mod slip;
mod standing;
mod stops;
mod timing;
pub mod touch;
mod turn;
mod verdict;
mod view;
mod watched;

pub use adjourn::{
    Adjourn, Adjournment, Conclusion, Envelope, Invitation, Opened, Resumption, Sealed, Stage,
};
pub use agreement::DrawOffer;
pub use arbiter::{
    ArbiterAct, Outcome, Penalty, Proposal, ProposalState, Ruled, Ruling, Through, UnknownOutcome,
    half_points,
};
pub use asked::{Asked, Call, Caller, IllegalMove, MovedPiece, Person, Task};
pub use at_home::HomeWish;
pub use config::{
    Blind, Duties, GameConfig, HandsKnown, HandsOf, MOST_ALARMS, Manner, SensingConfig,
};
pub(crate) use config::{faster, louder};
pub use correction::HandStep;
pub use decision::{ClockBasis, DecidedBy, Decision, Proposed, Settle, Settled, SettledClocks};
pub use device_clock::{ClockNews, ClockRead};
pub use devices::{BoardSeen, Differs, ShownBoard};
pub use input::{At, Input, Learnt, PlayerButton, Private, Started};
pub use listening::Moment;
pub use output::{Boards, Channel, HeardAs, MoveState, Output, Running, Understanding, Urgency};
pub use page::{PageAct, PageEntry, PageRole, PlayerWord};
pub use penalty::Rules;
pub use press::LeverPressed;
pub use record::{Announcement, Ended, Handwork, Ply, Record};
pub use sealing::{Sealing, Taken};
pub use seat::SeatBoard;
pub use sheet::{ScoreEntry, Source, StruckEntry};
pub use shown::{Sees, Shown};
pub use signing::Signature;
pub use standing::Fired;

use shakmaty::{Bitboard, CastlingMode, Chess, Color, EnPassantMode, fen::Fen};
use thiserror::Error;

use crate::{
    laws::Article,
    reconcile::{Case, Settlement},
};
use annabella_words::phrase::{Note, Prompt, Slot, Utterance, Words};
use play::{LAST, Play, is_voice, seat_name, seat_of};
use standing::FLAG_CLAIMED;

/// An input that the Laws or good sense do not allow now. The game is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{article}: {text}")]
pub struct Refused {
    /// The article that forbids it.
    pub article: Article,
    pub text: Note,
    /// The words of the answer.
    pub words: Option<Utterance>,
    /// The earphone's owner. `None`: a sighted player spoke, and he is answered aloud.
    pub seat: Option<Color>,
    /// The outputs of the time that had passed, and how the refused words were understood. The
    /// input itself gave nothing else.
    pub meanwhile: Vec<Output>,
}

impl Refused {
    fn new(article: Article, text: Note) -> Refused {
        Refused { article, text, words: None, seat: None, meanwhile: Vec::new() }
    }

    fn saying(mut self, words: Utterance) -> Refused {
        self.words = Some(words);
        self
    }
}

/// One game from its start to its result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Game {
    play: Option<Box<Play>>,
}

impl Game {
    /// A game that waits for [`Input::Started`].
    pub fn new() -> Game {
        Game::default()
    }

    /// Takes in what happened at `at`. Moments before the last one count as the last one.
    ///
    /// # Errors
    ///
    /// [`Refused`] when the Laws do not allow it now; nothing is changed then.
    pub fn handle(&mut self, at: At, input: Input) -> Result<Vec<Output>, Refused> {
        match (&mut self.play, input) {
            (None, Input::Started(started)) => {
                let mut play = Box::new(Play::start(at, *started)?);
                play.look_at_scores();
                play.prepare();
                let out = play.mouth.take();
                self.play = Some(play);
                Ok(out)
            }
            (None, _) => Err(Refused::new(Article::A6_6, Note::NotStarted)),
            (Some(_), Input::Started(_)) => Err(Refused::new(Article::A6_6, Note::StartedAlready)),
            (Some(play), input) => {
                let at = at.min(LAST).max(play.at);
                play.course.standing.begins();
                if input == Input::Resumed {
                    play.interrupted();
                }
                play.pass_time(at);
                let (seat, by_voice) = (seat_of(&input), is_voice(&input));
                let handled = play.input(input);
                // A clock that was set to nothing, or that starts with nothing left.
                play.ask_rule(&FLAG_CLAIMED);
                play.follow_boards();
                play.follow_hand();
                play.tell_boards();
                play.note_beginnings();
                if let Err(Refused { words: Some(words), seat: of, .. }) = &handled
                    && let Some(of) = of.or(seat)
                {
                    play.show(of, words);
                }
                let out = play.mouth.take();
                match handled {
                    Ok(()) => Ok(out),
                    Err(refused) => {
                        let refused = play.addressed(refused, seat, by_voice);
                        Err(Refused { meanwhile: out, ..refused })
                    }
                }
            }
        }
    }

    /// The answer to an input that the phase of the game does not take in, whatever it is. `None`:
    /// it is looked at.
    ///
    /// # Errors
    ///
    /// [`Refused`], where it is not passed over in silence.
    pub fn at_the_door(&self, input: &Input) -> Option<Result<(), Refused>> {
        let play = self.play.as_deref()?;
        let (seat, by_voice) = (seat_of(input), is_voice(input));
        let addressed = |refused| play.addressed(refused, seat, by_voice);
        Some(play.at_the_door(input)?.map_err(addressed))
    }

    /// Replays a journal. Returns the game and the result of each input.
    pub fn replay(
        inputs: impl IntoIterator<Item = (At, Input)>,
    ) -> (Game, Vec<Result<Vec<Output>, Refused>>) {
        let mut game = Game::new();
        let results = inputs.into_iter().map(|(at, input)| game.handle(at, input)).collect();
        (game, results)
    }

    /// Everything worth keeping about the game; `None` before it starts.
    pub fn record(&self) -> Option<Record<'_>> {
        self.play.as_deref().map(Record::new)
    }

    /// The position after the last made move.
    pub fn position(&self) -> Option<&Chess> {
        self.play.as_ref().map(|play| play.position())
    }

    /// The first words when the service starts, if the player wants them: that a game begins, or
    /// goes on after which move.
    pub fn greeting(&self) -> Option<Output> {
        let play = self.play.as_ref()?;
        let words = match play.line.last() {
            _ if play.is_over() => play.names_words(),
            Some(ply) => {
                let pos = &play.line.positions()[play.line.len() - 1];
                let slot = Slot::Move { pos, mv: ply.mv, form: play.form() };
                play.terms.words.prompt(Prompt::GameResumed, &[slot])
            }
            None => {
                let starts = play.terms.words.prompt(Prompt::GameStarted, &[]);
                let how = if play.terms.config.external_clock { None } else { play.not_begun() };
                Utterance::joined(std::iter::once(starts).chain(how))
            }
        };
        Some(Output::Say { channel: Channel::Private, seat: None, urgency: Urgency::Hint, words })
    }

    /// Both boards, both scores and the journal's clock readings, for
    /// [`reconcile`](crate::reconcile::reconcile).
    pub fn case(&self) -> Option<Case> {
        self.play.as_ref().map(|play| play.case())
    }

    /// The proposal by D.2.9 for the present boards and scores. Changes nothing.
    pub fn settlement(&self) -> Option<Settlement> {
        self.play.as_ref().map(|play| play.settlement())
    }

    /// The settlement that this decision of the arbiter would make.
    ///
    /// # Errors
    ///
    /// [`Refused`] when there is no such position, or no game.
    pub fn settlement_by(&self, settle: &Settle) -> Result<Settlement, Refused> {
        match &self.play {
            Some(play) => play.settlement_by(settle).map(|(settled, _)| settled),
            None => Err(Refused::new(Article::A6_6, Note::NotStarted)),
        }
    }

    /// The language packs in force.
    pub fn packs(&self) -> Option<&Words> {
        self.play.as_ref().map(|play| &play.terms.words)
    }

    /// Which holes of this player's peg board are filled, as last read; bit 0 is a1.
    pub fn pegs(&self, seat: Color) -> Option<Bitboard> {
        let play = self.play.as_ref()?;
        let seat = &play.seats[seat];
        let corrected = seat.correction.as_ref().map(|correction| correction.occupied());
        seat.tracker().map(|tracker| corrected.unwrap_or(tracker.occupied()))
    }

    /// White's time, Black's time (milliseconds left) and which side runs, at that moment.
    pub fn clock(&self, at: At) -> Option<(u64, u64, Running)> {
        self.play.as_ref().map(|play| play.timing.clock.reading(at.max(play.at)))
    }

    /// The last picture of the board before `seat`, where it differs from the game.
    pub fn differs(&self, seat: Color) -> Option<&Differs> {
        self.play.as_ref()?.seats[seat].view.differs()
    }

    /// The board before `seat` is being corrected after a decision, step by step.
    pub fn is_corrected(&self, seat: Color) -> bool {
        self.play.as_ref().is_some_and(|play| play.seats[seat].correction.is_some())
    }

    /// When [`Input::Woke`] is due. To be asked after each input; there is one moment at most.
    pub fn wake_at(&self) -> Option<At> {
        self.play.as_ref().and_then(|play| play.due())
    }

    /// The rules that fired by themselves at the last input, in order.
    pub fn fired(&self) -> &[Fired] {
        self.play.as_ref().map_or(&[], |play| play.course.standing.fired())
    }

    /// The result, once there is one.
    pub fn ended(&self) -> Option<&Ended> {
        self.play.as_ref().and_then(|play| play.course.ended())
    }
}

/// Reads a FEN as a position of ordinary chess.
///
/// # Errors
///
/// One line with the fault.
pub fn read_fen(text: &str) -> Result<Chess, String> {
    let fen: Fen = text.parse().map_err(|err| format!("'{text}' is not a FEN: {err}"))?;
    fen.into_position(CastlingMode::Standard)
        .map_err(|err| format!("'{text}' is no legal position: {err}"))
}

/// Writes a position as FEN.
pub fn write_fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}
