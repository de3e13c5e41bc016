//! A game that has started: its parts, the door through which inputs come in, and time that passes.

use shakmaty::{Bitboard, ByColor, Chess, Color, Position, Square};

use super::{
    Article, At, Blind, ClockNews, GameConfig, Input, MOST_ALARMS, Output, Refused, Started,
    agreement::Wishes,
    asked::Began,
    clock::{ClockState, TimeControl},
    dialogue::Dialogue,
    line::Line,
    mouth::Mouth,
    phase::Course,
    proposals::Arbitration,
    read_fen,
    seat::Seat,
    timing::Timing,
};
use crate::sensing::{Edge, Felt, Tracker};
use annabella_words::phrase::{
    Note, Prompt, SpokenForm, Words,
    hear::{Ear, Heard},
    words_and_ears,
};

/// No moment is later: sums of times stay numbers.
pub(super) const LAST: At = At::new(u64::MAX / 2);

/// The greatest age of a reported change of a contact, milliseconds. Changes are reported as soon
/// as they are certain, so a greater age is an error.
const MOST_AGO_MS: u64 = 1000;

/// What a game was started with.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Terms {
    pub(super) config: GameConfig,
    pub(super) words: Words,
    /// For each player's voice; one for both where nothing else is known of Black's.
    pub(super) ears: ByColor<Ear>,
    /// Players who have enrolled.
    pub(super) enrolled: ByColor<bool>,
    pub(super) unix_s: u64,
}

/// All that is read of what somebody may have said at once, bytes.
const LONGEST_HEARD: usize = 4_000;
/// No typed sentence of a game is longer, bytes; a pasted line took seconds.
const LONGEST_SAID: usize = 400;

/// More things than this are never due before one input.
const MOST_DUE: usize = 1_000;

/// Everything about a game that has started. Where several fields must stay consistent, one part
/// owns them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Play {
    pub(super) terms: Terms,
    pub(super) line: Line,
    pub(super) dialogue: Dialogue,
    pub(super) wishes: Wishes,
    pub(super) seats: ByColor<Seat>,
    pub(super) timing: Timing,
    pub(super) course: Course,
    pub(super) arbitration: Arbitration,
    pub(super) mouth: Mouth,
    pub(super) at: At,
}

impl Play {
    pub(super) fn start(at: At, started: Started) -> Result<Play, Refused> {
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
        if config.alarms_s.len() > MOST_ALARMS {
            let many = config.alarms_s.len();
            return Err(bad(format!("{many} warnings of time: at most {MOST_ALARMS} are given")));
        }
        if config.opponent_deaf && !config.display {
            let what = "a deaf opponent reads what is said on a display: without the pages there is \
                        none";
            return Err(Refused::new(Article::D_2_11, Note::English(what.to_owned())));
        }
        let seats = ByColor::new_with(|color| Seat::new(color, &config, &start));
        let enrolled = learnt.map(|learnt| !learnt.is_empty());
        let mouth = Mouth::new(config.public, ByColor::new_with(|seat| config.earphone(seat)));
        Ok(Play {
            terms: Terms { config, words, ears: ByColor { white, black }, enrolled, unix_s },
            line: Line::new(start),
            dialogue: Dialogue::default(),
            wishes: Wishes::default(),
            seats,
            timing: Timing::new(ClockState::new(control)),
            course: Course::new(),
            arbitration: Arbitration { began: Began::at(at), ..Arbitration::default() },
            mouth,
            at,
        })
    }

    pub(super) fn input(&mut self, input: Input) -> Result<(), Refused> {
        if let Some(answer) = self.at_the_door(&input) {
            if let Input::BoardSeen { seat, seen } = &input {
                self.board_set_aside(*seat, seen);
            }
            return answer;
        }
        match input {
            // `Game::handle` refuses a second start.
            Input::Started(_) | Input::Woke => Ok(()),
            Input::Edge { seat, square, occupied, ago_ms } => {
                self.edge(seat, square, occupied, ago_ms)
            }
            Input::Board { seat, occupied } => self.pegs_read(seat, occupied.into()),
            Input::Said { heard, .. } if is_longer(heard.iter(), LONGEST_SAID) => {
                Err(self.refuses_so_much(LONGEST_SAID))
            }
            Input::Heard { heard, .. } if is_longer(texts_of(&heard), LONGEST_HEARD) => {
                Err(self.refuses_so_much(LONGEST_HEARD))
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
            Input::ClockStarted => self.start_clock(None),
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

    fn edge(
        &mut self,
        seat: Color,
        square: Square,
        occupied: bool,
        ago_ms: u64,
    ) -> Result<(), Refused> {
        if self.seats[seat].correction.is_some() {
            self.correction_edge(seat, square, occupied);
            return Ok(());
        }
        let at_ms = self.at.ms.saturating_sub(ago_ms.min(MOST_AGO_MS));
        if !occupied {
            self.note_lift(seat, square, at_ms);
            self.note_released_king(seat, at_ms);
        }
        self.tells_tracker(seat);
        let edge = Edge { at_ms, square, occupied };
        self.on_board(seat, |tracker, felt| tracker.edge(edge, felt))
    }

    /// What the tracker of this board cannot see of the game.
    fn tells_tracker(&mut self, seat: Color) {
        let (on_move, stopped) = (self.is_on_move_owing(seat), self.is_stopped());
        if let Some(tracker) = self.seats[seat].tracker_mut() {
            tracker.has_move(on_move);
            tracker.is_stopped(stopped);
        }
    }

    fn pegs_read(&mut self, seat: Color, occupied: Bitboard) -> Result<(), Refused> {
        if self.seats[seat].correction.is_some() {
            self.correction_snapshot(seat, occupied);
            return Ok(());
        }
        let at_ms = self.at.ms;
        self.tells_tracker(seat);
        let first = self.seats[seat].tracker().is_some_and(|pegs| !pegs.was_read());
        self.on_board(seat, |pegs, felt| pegs.snapshot(at_ms, occupied, felt))?;
        if first {
            self.compare_first_picture(seat);
            return Ok(());
        }
        // A board is read as a whole after a stop of the service, or of its own.
        self.on_board(seat, |pegs, felt| pegs.guide_again(at_ms, felt))
    }

    /// Lets time pass up to `until`, from one thing that is due to the next, so that it does not
    /// matter how late the game is woken.
    pub(super) fn pass_time(&mut self, until: At) {
        // Bounded, so that one row of a strange journal costs no more than a row may.
        for _ in 0..MOST_DUE {
            let Some(due) = self.due().filter(|due| *due < until) else { break };
            self.at = self.at.max(due);
            self.settle();
        }
        self.at = until;
        self.settle();
    }

    /// Lets every board decide what has come to rest, and asks the rules about what time brings.
    pub(super) fn settle(&mut self) {
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
    pub(super) fn due(&self) -> Option<At> {
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
        let grace = self.press_for_player_due().filter(|_| playing);
        let waits =
            [flag, alarm, press, unknown, grace, self.dialogue.due(), self.timing.stands_told];
        boards.chain(judges).chain(waits.into_iter().flatten()).min()
    }

    pub(super) fn on_board(
        &mut self,
        seat: Color,
        act: impl FnOnce(&mut Tracker, &mut Vec<Felt>),
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
    pub(super) fn position(&self) -> &Chess {
        self.line.position()
    }

    pub(super) fn mover(&self) -> Color {
        self.position().turn()
    }

    pub(super) fn form(&self) -> SpokenForm {
        if self.terms.config.short_announcements { SpokenForm::Short } else { SpokenForm::Full }
    }

    /// The announcements that may be wanted next.
    pub(super) fn prepare(&mut self) {
        if !self.terms.config.duties.announce || self.position().is_game_over() {
            return;
        }
        let position = self.position();
        let words = position
            .legal_moves()
            .iter()
            .map(|mv| self.terms.words.announce(position, *mv, self.form()))
            .collect();
        self.mouth.emit(Output::Prepare { words });
    }
}

/// Reading words takes its time, which nobody's row is to have without end.
impl Play {
    fn refuses_so_much(&self, most: usize) -> Refused {
        let text = format!("more than {most} bytes of words at once");
        let words = self.terms.words.prompt(Prompt::NotHeard, &[]);
        Refused::new(Article::D_2_1, Note::English(text)).saying(words)
    }
}

fn is_longer<'a>(texts: impl Iterator<Item = &'a String>, most: usize) -> bool {
    texts.map(String::len).sum::<usize>() > most
}

fn texts_of(heard: &Heard) -> impl Iterator<Item = &String> {
    let passes = [&heard.hypotheses, &heard.word_loop, &heard.comparison];
    passes.into_iter().flatten().map(|heard| &heard.text).chain(&heard.parts)
}

/// The player whose input it is, where that is known.
pub(super) fn seat_of(input: &Input) -> Option<Color> {
    match input {
        Input::Said { seat, .. } | Input::Heard { seat, .. } | Input::Button { seat, .. } => *seat,
        Input::Pressed { seat } | Input::Sighted { seat, .. } => Some(*seat),
        Input::Clock(ClockNews::Pressed(lever)) => Some(lever.seat),
        _ => None,
    }
}

pub(super) fn is_voice(input: &Input) -> bool {
    matches!(input, Input::Said { .. } | Input::Heard { .. })
}

pub(super) fn seat_name(color: Color) -> &'static str {
    if color.is_white() { "White" } else { "Black" }
}
