//! The game: pure, deterministic, time comes in as data.
//!
//! [`Game::handle`] takes one [`Input`] at one moment and returns the [`Output`]s. The same inputs
//! give the same outputs, bit for bit: that is how a power cut is survived and a bug reproduced. A
//! refused input leaves everything as it was and names the article.
//!
//! The Laws distinguish a move shown on a board, a move announced and a move made (D.2.3); so does
//! the game. Boards and scores never overwrite one another, since D.2.9 needs both.

pub mod adjourn;
mod agreement;
mod arbiter;
mod asked;
mod asking;
mod at_home;
mod boards;
mod by_word;
mod case;
pub mod clock;
mod completing;
mod conduct;
mod config;
mod correcting;
mod correction;
mod counted;
mod decision;
mod device_clock;
mod devices;
mod dialogue;
mod door;
mod doubt;
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
mod press;
mod proposals;
mod record;
mod requests;
mod rereading;
mod resuming;
mod rulings;
mod said;
mod saying;
mod score;
mod scoring;
mod sealing;
mod seat;
mod sheet;
mod shown;
mod signing;
mod standing;
mod stops;
mod timing;
pub mod touch;
mod turn;
mod verdict;
mod view;
mod watched;

pub use adjourn::{Adjourn, Adjournment, Conclusion, Envelope, Resumption, Stage};
pub use agreement::DrawOffer;
pub use arbiter::{
    ArbiterAct, Outcome, Penalty, Proposal, ProposalState, Ruled, Ruling, Through, UnknownOutcome,
};
pub use asked::{Asked, Call, Caller, IllegalMove, MovedPiece, Person, Task};
pub use at_home::HomeWish;
pub use config::{Blind, Duties, GameConfig, HandsKnown, HandsOf, Manner, SensingConfig};
pub use correction::HandStep;
pub use decision::{ClockBasis, DecidedBy, Decision, Settle, Settled, SettledClocks};
pub use device_clock::{ClockNews, ClockRead};
pub use devices::{BoardSeen, Differs, ShownBoard};
pub use input::{At, Input, Learnt, PlayerButton, Private, Started};
pub use listening::Moment;
pub use output::{Boards, Channel, HeardAs, MoveState, Output, Running, Understanding, Urgency};
pub use page::{PageAct, PageEntry, PageRole, PlayerWord};
pub use penalty::Rules;
use phase::Course;
pub use press::LeverPressed;
pub use record::{Ended, Ply, Record};
pub use sealing::{Sealing, Taken};
pub use seat::SeatBoard;
pub use sheet::{ScoreEntry, Source, StruckEntry};
pub use shown::{Sees, Shown};
pub use signing::Signature;
pub use standing::Fired;
use standing::Standing;

use std::sync::Arc;

use shakmaty::{Bitboard, ByColor, CastlingMode, Chess, Color, EnPassantMode, Position, fen::Fen};
use thiserror::Error;

use crate::{
    laws::Article,
    reconcile::{Case, Settlement},
    sensing::{Edge, Felt},
};
use agreement::Draws;
use annabella_words::phrase::{
    Note, Prompt, Slot, SpokenForm, Utterance, Words, hear::Ear, words_and_ears,
};
use asked::Began;
use at_home::AtHome;
use boards::Relation;
use clock::{ClockState, TimeControl};
use dialogue::Dialogue;
use line::Line;
use mouth::Mouth;
use proposals::Arbitration;
use seat::Seat;
use timing::Timing;
use turn::Turn;

/// No moment is later: sums of times stay numbers.
const LAST: At = At::new(u64::MAX / 2);

/// The greatest age of a reported change of a contact, milliseconds. Changes are reported as soon
/// as they are certain, so a greater age is an error.
const MOST_AGO_MS: u64 = 1000;

/// An input that the Laws or good sense do not allow now. The game is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{article}: {text}")]
pub struct Refused {
    /// The article that forbids it.
    pub article: Article,
    /// Why.
    pub text: Note,
    /// The words for the player's ear.
    pub words: Option<Utterance>,
    /// The earphone's owner.
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

/// Everything about a game that has started. Where several fields must stay consistent, one part
/// owns them: [`Line`], [`Timing`], [`Draws`], [`Arbitration`], [`Relation`], [`Mouth`].
#[derive(Clone, Debug, PartialEq)]
struct Play {
    config: GameConfig,
    words: Shared<Words>,
    /// For each player's voice; one for both where nothing else is known of Black's.
    ears: ByColor<Ear>,
    unix_s: u64,
    line: Line,
    turn: Turn,
    dialogue: Dialogue,
    draws: Draws,
    seats: ByColor<Seat>,
    timing: Timing,
    course: Course,
    /// How many moves of a finished game the walk through its score has come to.
    looked: Option<usize>,
    /// Players who have enrolled.
    enrolled: ByColor<bool>,
    arbitration: Arbitration,
    relation: Relation,
    at_home: AtHome,
    standing: Standing,
    began: Began,
    mouth: Mouth,
    at: At,
}

/// A value that never changes during a game: kept once, however often the game is copied.
struct Shared<T>(Arc<T>);

impl<T> std::fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("..")
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Shared<T> {
        Shared(Arc::clone(&self.0))
    }
}

impl<T: PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Shared<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl<T> std::ops::Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
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
                play.standing.begins();
                if input == Input::Resumed {
                    play.interrupted();
                }
                play.pass_time(at);
                let seat = seat_of(&input);
                // A reed or a clock cannot be refused: it says what is.
                let before = may_be_refused(&input).then(|| play.clone());
                let handled = play.input(input);
                if let (Err(_), Some(before)) = (&handled, before) {
                    let heard = play.mouth.heard_since(before.mouth.count());
                    *play = before;
                    heard.into_iter().for_each(|heard| play.mouth.emit(heard));
                }
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
                        let seat = play.earphone(refused.seat.or(seat));
                        Err(Refused { meanwhile: out, seat: Some(seat), ..refused })
                    }
                }
            }
        }
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
                play.words.prompt(Prompt::GameResumed, &[slot])
            }
            None => play.words.prompt(Prompt::GameStarted, &[]),
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
        self.play.as_ref().map(|play| &*play.words)
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
        self.play.as_ref().map_or(&[], |play| play.standing.fired())
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

impl Play {
    fn start(at: At, started: Started) -> Result<Play, Refused> {
        let bad = |what: String| Refused::new(Article::A6_6, Note::English(what));
        let Started { config, packs, confusions, unix_s, .. } = started;
        let [moves, prompts] = packs.as_slice() else {
            return Err(bad(format!("a game needs two language packs, not {}", packs.len())));
        };
        let both = config.blind == Blind::Both;
        let learnt = ByColor {
            white: &confusions.own,
            black: if both { &confusions.black } else { &confusions.own },
        };
        let (words, [white, black]) =
            words_and_ears([moves, prompts], [learnt.white, learnt.black])
                .map_err(|err| bad(err.to_string()))?;
        let start = match &config.start {
            Some(fen) => read_fen(fen).map_err(bad)?,
            None => Chess::default(),
        };
        if start.is_game_over() {
            return Err(bad("the game is over in its starting position".to_owned()));
        }
        let control: TimeControl =
            config.time_control.parse().map_err(|err| bad(format!("time control: {err}")))?;
        if config.opponent_deaf && !config.display {
            let what = "a deaf opponent reads what is said on a display: without the pages there is \
                        none";
            return Err(Refused::new(Article::D_2_11, Note::English(what.to_owned())));
        }
        let seats = ByColor::new_with(|color| Seat::new(color, &config, &start));
        let enrolled = learnt.map(|learnt| !learnt.is_empty());
        Ok(Play {
            ears: ByColor { white, black },
            enrolled,
            words: Shared(words),
            unix_s,
            line: Line::new(start),
            turn: Turn::default(),
            dialogue: Dialogue::default(),
            draws: Draws::default(),
            seats,
            timing: Timing::new(ClockState::new(control)),
            course: Course::new(),
            looked: None,
            arbitration: Arbitration::default(),
            relation: Relation::default(),
            at_home: AtHome::default(),
            standing: Standing::default(),
            began: Began::at(at),
            mouth: Mouth::new(config.public, ByColor::new_with(|seat| config.earphone(seat))),
            at,
            config,
        })
    }

    fn input(&mut self, input: Input) -> Result<(), Refused> {
        if let Some(answer) = self.at_the_door(&input) {
            if let Input::BoardSeen { seat, seen } = &input {
                self.board_set_aside(*seat, seen);
            }
            return answer;
        }
        match input {
            // `Game::handle` refuses a second start.
            Input::Started(_) | Input::Woke => Ok(()),
            Input::Edge { seat, square, occupied, .. } if self.seats[seat].correction.is_some() => {
                self.correction_edge(seat, square, occupied);
                Ok(())
            }
            Input::Board { seat, occupied } if self.seats[seat].correction.is_some() => {
                self.correction_snapshot(seat, occupied.into());
                Ok(())
            }
            Input::Edge { seat, square, occupied, ago_ms } => {
                let at_ms = self.at.ms.saturating_sub(ago_ms.min(MOST_AGO_MS));
                if !occupied {
                    self.note_lift(seat, square, at_ms);
                }
                let edge = Edge { at_ms, square, occupied };
                self.on_board(seat, |tracker, felt| tracker.edge(edge, felt))
            }
            Input::Board { seat, occupied } => {
                let at_ms = self.at.ms;
                let first = self.seats[seat].tracker().is_some_and(|pegs| !pegs.was_read());
                self.on_board(seat, |pegs, felt| pegs.snapshot(at_ms, occupied.into(), felt))?;
                if first {
                    self.compare_first_picture(seat);
                }
                Ok(())
            }
            Input::Said { seat, heard } => self.said(seat, &heard),
            Input::Heard { seat, heard, pushed } => self.heard(seat, &heard, pushed),
            Input::Button { seat, asks } => self.command(seat, asks.command()),
            Input::Pressed { seat } => self.pressed(seat),
            Input::Sighted { seat, uci } => {
                self.refuse_uncorrected(seat)?;
                self.move_entered(seat, &uci)
            }
            Input::BoardSeen { seat, seen } => self.board_seen(seat, seen),
            Input::Clock(news) => self.clock_news(news),
            Input::ClockStarted => self.start_clock(),
            Input::Adjourn(step) => self.adjourn(*step),
            Input::Score { seat, from_ply, text } => self.score_written(seat, from_ply, &text),
            Input::Entered { seat, fen } => self.board_entered(seat, &fen),
            Input::Corrected { seat } => self.corrected(seat),
            Input::Arbiter(ruling) => self.rules(*ruling),
            Input::Page(entry) => self.page(*entry),
            Input::Typed { .. } => Err(Refused::new(Article::I_1_1, Note::NothingToSeal)),
            Input::Resumed => {
                self.resumed();
                Ok(())
            }
            Input::ArbiterPage { open } => {
                self.arbiter_looks(open);
                Ok(())
            }
            Input::TakenOver => {
                self.taken_over();
                Ok(())
            }
        }
    }

    /// Lets time pass up to `until`, from one thing that is due to the next, so that it does not
    /// matter how late the game is woken.
    fn pass_time(&mut self, until: At) {
        while let Some(due) = self.due().filter(|due| *due < until) {
            self.at = self.at.max(due);
            self.settle();
        }
        self.at = until;
        self.settle();
    }

    /// Lets every board decide what has come to rest, and asks the rules about what time brings.
    fn settle(&mut self) {
        let now_ms = self.at.ms;
        for color in Color::ALL {
            if self.seats[color].correction.is_some() {
                continue;
            }
            let mut felt = Vec::new();
            if let Some(tracker) = self.seats[color].tracker_mut() {
                tracker.advance(now_ms, &mut felt);
            }
            self.felt(color, felt);
        }
        for color in Color::ALL {
            if !self.seats[color].view.is_lost() {
                self.ask_judge(color, |judge, found| judge.advance(now_ms, found));
            }
        }
        self.ask_rules_of_time();
    }

    /// When a board or a flag next decides something by itself.
    fn due(&self) -> Option<At> {
        let boards = Color::ALL
            .into_iter()
            .filter(|color| self.seats[*color].correction.is_none())
            .filter_map(|color| self.seats[color].tracker().and_then(|tracker| tracker.due_ms()))
            .map(At::new);
        let judges = self.seats.iter().filter(|seat| !seat.view.is_lost());
        let judges = judges.filter_map(|seat| seat.judge.as_deref()?.due_ms()).map(At::new);
        let playing = !self.is_over();
        let flag = self.timing.clock.next_event(self.at).filter(|_| playing);
        let alarm = self.alarm_due().filter(|_| playing);
        let press = self.press_due().filter(|_| playing);
        let unknown = self.unknown_press_due().filter(|_| playing);
        let grace = self.timing.grace.filter(|_| playing);
        let waits =
            [flag, alarm, press, unknown, grace, self.dialogue.due(), self.timing.stands_told];
        boards.chain(judges).chain(waits.into_iter().flatten()).min()
    }

    fn on_board(
        &mut self,
        seat: Color,
        act: impl FnOnce(&mut crate::sensing::Tracker, &mut Vec<Felt>),
    ) -> Result<(), Refused> {
        let Some(tracker) = self.seats[seat].tracker_mut() else {
            return Err(Refused::new(Article::D_2_2, Note::NoPegBoard { player: seat }));
        };
        let mut felt = Vec::new();
        act(tracker, &mut felt);
        self.felt(seat, felt);
        Ok(())
    }

    /// The position after the last made move.
    fn position(&self) -> &Chess {
        self.line.position()
    }

    fn mover(&self) -> Color {
        self.position().turn()
    }

    fn form(&self) -> SpokenForm {
        if self.config.short_announcements { SpokenForm::Short } else { SpokenForm::Full }
    }

    /// The announcements that may be wanted next.
    fn prepare(&mut self) {
        if !self.config.duties.announce || self.position().is_game_over() {
            return;
        }
        let position = self.position();
        let words = position
            .legal_moves()
            .iter()
            .map(|mv| self.words.announce(position, *mv, self.form()))
            .collect();
        self.mouth.emit(Output::Prepare { words });
    }
}

/// The player whose input it is, where that is known.
fn seat_of(input: &Input) -> Option<Color> {
    match input {
        Input::Said { seat, .. } | Input::Heard { seat, .. } | Input::Button { seat, .. } => *seat,
        Input::Pressed { seat } | Input::Sighted { seat, .. } => Some(*seat),
        Input::Clock(ClockNews::Pressed(lever)) => Some(lever.seat),
        _ => None,
    }
}

/// Whether the Laws or good sense may refuse this. A device's report is a fact.
fn may_be_refused(input: &Input) -> bool {
    !matches!(
        input,
        Input::Edge { .. }
            | Input::Board { .. }
            | Input::BoardSeen { .. }
            | Input::Clock(ClockNews::Read(_) | ClockNews::Lost | ClockNews::Back)
            | Input::Woke
            | Input::Resumed
            | Input::ArbiterPage { .. }
            | Input::TakenOver
    )
}

fn seat_name(color: Color) -> &'static str {
    if color.is_white() { "White" } else { "Black" }
}
