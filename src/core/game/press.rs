//! A press of the clock: facts go in, one verdict comes out.
//!
//! A press depends on inputs and on the game only: the player who pressed, the times on the clock
//! and how late they were known ([`LeverPressed`]), the boards and whether they are at rest.
//! [`Play::press_comes_to`] decides and changes nothing. [`Play::pressed`] carries the decision
//! out.
//!
//! # Rules
//!
//! - Only the side whose clock runs can press (6.2.1): a lever that is down already changes
//!   nothing.
//! - A blind player's press completes a move that is made (D.2.3). Before that it is early (D.2.4),
//!   whatever his hands hold, and he hears what is missing.
//! - A sighted player's press stands (D.2.5); his board may be late, so the move is waited for.
//! - A press that turns out to complete nothing costs his opponent no time. So hands that stay on
//!   the board without a move are waited for only so long: then he has pressed without one (7.5.3).

use serde::{Deserialize, Serialize};
use serde_json::json;
use shakmaty::{Color, Move};

use super::{
    Article, At, ClockRead, LAST, Play, Refused, Running, Urgency,
    clock::ClockState,
    dialogue::{Dialogue, Question},
    rulings::Halt,
    verdict::{Missing, Verdict},
};
use crate::{sensing::Tracker, sight::judge::Judge};
use annabella_words::phrase::{Command, Note, Prompt, Slot};

/// A sighted player's press may be known before his board has come to rest. It waits this long for
/// the move, milliseconds. Boards are scanned, dumped and messages late by up to a second each.
const PRESS_WAITS_MS: u64 = 4000;
/// How long the press waits when a move is made already that the board may yet show to be another
/// one, milliseconds.
const MADE_WAITS_MS: u64 = 1500;
/// The time a press waits for hands that are on the board and have made no move, milliseconds. The
/// player's own clock stands meanwhile. A piece on its way at the press has arrived long before.
const HANDS_WAIT_MS: u64 = 10_000;
/// A move is often named just after the press.
const WORD_WAIT_MS: u64 = 3000;
/// The game's time and the clock's may differ by this much, milliseconds, since each counts whole
/// seconds from a moment of its own. A larger difference means that the clock had not been set yet.
const OFF_MS: u64 = 1000;

/// The lever of a clock that is a device of its own went down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeverPressed {
    /// The player who pressed. His clock ran until then.
    #[serde(with = "annabella_words::text")]
    pub seat: Color,
    /// The clock's times since then.
    pub read: ClockRead,
    /// The press is at most so old, milliseconds.
    pub late_ms: u64,
    /// The clock adds increments by itself; otherwise the game does and sets it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adds: bool,
}

/// A sighted player's press that is not decided yet: his move is not known, or his board moves. His
/// clock is pressed from that moment on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ahead {
    /// The player who pressed.
    pub(super) seat: Color,
    pub(super) at: At,
    /// Since when it waits: the moment of the press, or after a stop that of the return.
    pub(super) since: At,
    /// White's and Black's time then, milliseconds.
    pub(super) clock_ms: (u64, u64),
    /// The clock before the press, restored if no move comes.
    pub(super) before: Option<Box<ClockState>>,
    /// It was asked which move it completes.
    pub(super) asked: bool,
}

impl Ahead {
    /// A press of this moment, with White's and Black's time then, milliseconds.
    pub(super) fn new(seat: Color, at: At, clock_ms: (u64, u64)) -> Ahead {
        Ahead { seat, at, since: at, clock_ms, before: None, asked: false }
    }
}

impl Play {
    /// The lever of the clock before the players went down. The clock's times count (6.10.1), if
    /// the press does.
    pub(super) fn lever_pressed(&mut self, lever: LeverPressed) -> Result<(), Refused> {
        let LeverPressed { seat, read, late_ms, adds } = lever;
        self.may_request(seat, Command::Press)?;
        if adds {
            self.pressed(seat)?;
            self.clock_read(read);
            return Ok(());
        }
        let kept = self.timing.clock.clone();
        let (white_ms, black_ms, _) = self.timing.clock.reading(self.at);
        let (before, after) = late_press(seat, [white_ms, black_ms], late_ms, &read);
        self.clock_read(before);
        let pressed = self.pressed(seat);
        if pressed.is_ok() && self.timing.clock.running() == Some(!seat) {
            self.clock_read(after);
        } else {
            // The press completed nothing: neither clock changes.
            self.timing.clock = kept;
        }
        pressed
    }

    /// A player pressed his side of the clock.
    pub(super) fn pressed(&mut self, color: Color) -> Result<(), Refused> {
        if let Some(wrong) = self.first_is_wrong() {
            return Err(self.is_missing(color, wrong));
        }
        if self.press_answered(color) {
            return Ok(());
        }
        if let Some(barred) = self.press_is_barred(color) {
            return Err(self.is_missing(color, barred));
        }
        self.pressed_by_word(color);
        match self.press_comes_to(color) {
            Verdict::Nothing => {
                if self.timing.late == Some(color) {
                    self.timing.late = None;
                }
            }
            Verdict::Starts => return self.start_clock(Some(color)),
            Verdict::Completes => self.complete(),
            Verdict::Pegs => self.pegs_judge_press(color),
            Verdict::Ahead => self.press_ahead(color),
            Verdict::Illegal => {
                self.sighted_illegal(color);
            }
            Verdict::WithoutMove => {
                self.illegal_press(color);
                self.tell(color, Urgency::Alert, Prompt::PressedWithoutMove, &[]);
            }
            Verdict::Early(missing) => return Err(self.is_missing(color, missing)),
        }
        Ok(())
    }

    /// The words go to the blind player's ear, so nothing is said when his opponent is refused.
    fn is_missing(&self, color: Color, missing: Missing) -> Refused {
        let Missing { article, text, words } = missing;
        let words = words.filter(|_| self.seats[color].blind);
        Refused { words, ..Refused::new(article, text) }
    }

    /// The peg board says what the press completes.
    fn pegs_judge_press(&mut self, color: Color) {
        let at_ms = self.at.ms;
        let Some(tracker) = self.seats[color].tracker_mut() else { return };
        let mut felt = Vec::new();
        tracker.press(at_ms, color, &mut felt);
        // A question is open: the press waits for its answer, and he hears it again.
        let asked: Vec<Move> = if felt.is_empty() { tracker.asked().to_vec() } else { Vec::new() };
        self.felt(color, felt);
        if !asked.is_empty() {
            self.which(color, &asked);
        }
    }

    /// The clock is pressed. The board will show the move that this completes.
    fn press_ahead(&mut self, color: Color) {
        if self.line.open().is_some_and(|ply| ply.mover != color) {
            self.complete_by_reply();
        }
        let before = Some(Box::new(self.timing.clock.clone()));
        self.press_clock(color);
        let (white_ms, black_ms, _) = self.timing.clock.reading(self.at);
        let ahead = Ahead::new(color, self.at, (white_ms, black_ms));
        self.timing.ahead = Some(Ahead { before, ..ahead });
        self.tell_clock();
        if self.unknown_press().is_none() {
            return;
        }
        match self.line.turn.perhaps.take() {
            Some(mv) => self.announced(mv),
            None if self.line.turn.impossible => self.ask_for_pressed(),
            None => {}
        }
    }

    /// The player who pressed while nobody knows his move, since no picture of his board comes.
    pub(super) fn unknown_press(&self) -> Option<Color> {
        let ahead = self.timing.ahead.as_ref().filter(|ahead| ahead.before.is_some())?;
        let seat = ahead.seat;
        let known = self.line.open().is_some_and(|ply| ply.mover == seat);
        let unknown = !known && self.mover() == seat && self.is_only_told(seat);
        (unknown && !self.is_over()).then_some(seat)
    }

    /// No board of his will report what he moves, or it shows all of his move but its name; or
    /// words were said for it, and they were impossible.
    fn is_only_told(&self, seat: Color) -> bool {
        let place = &self.seats[seat];
        !place.has_board()
            || place.doubt.is_open()
            || (self.line.turn.impossible && !place.is_watched())
    }

    /// When it is asked which move a press completed. Where hands are copying it on the opponent's
    /// pegs, they are waited for.
    pub(super) fn unknown_press_due(&self) -> Option<At> {
        let seat = self.unknown_press()?;
        let ahead = self.timing.ahead.as_ref().filter(|ahead| !ahead.asked)?;
        let pressed_ms = ahead.since.ms;
        let pegs = self.seats[!seat].tracker();
        let due_ms = match pegs.map(Tracker::changed_ms).filter(|ms| *ms > pressed_ms) {
            Some(changed_ms) => changed_ms.saturating_add(HANDS_WAIT_MS),
            None => pressed_ms.saturating_add(WORD_WAIT_MS),
        };
        let waits = self.course.halted().is_none() && self.timing.clock.running().is_some();
        waits.then_some(At::new(due_ms))
    }

    /// Asks, aloud, which move a press completed; "nein" says: none.
    pub(super) fn ask_for_pressed(&mut self) {
        if let (Some(seat), Some(ahead)) = (self.unknown_press(), &mut self.timing.ahead) {
            ahead.asked = true;
            if self.seats[seat].doubt.is_open() {
                self.ask_sighted_which(seat);
            } else {
                self.ask(seat, Question::Pressed { seat });
            }
        }
    }

    /// The opponent's flag is reached while nobody knows which move a press completed. Where the
    /// board shows that it did complete one, and only its name is missing, the clocks wait for it.
    pub(super) fn waits_for_name(&mut self) {
        let Some(seat) = self.unknown_press().filter(|seat| self.seats[*seat].doubt.is_open())
        else {
            return self.forget_unknown_press();
        };
        self.gives_back_since_press();
        self.halt(Halt::Player);
        self.ask_sighted_which(seat);
    }

    /// The time since the press that waits goes back to the opponent: he could not reply to a move
    /// that nobody had named (D.2.1).
    pub(super) fn gives_back_since_press(&mut self) {
        let Some(ahead) = &self.timing.ahead else { return };
        if let Some(before) = &ahead.before {
            let left_ms = before.remaining_ms(ahead.at, !ahead.seat);
            self.timing.clock.set(self.at, !ahead.seat, left_ms);
        }
    }

    /// Nobody says which move a press completed: as far as anybody knows it is his turn still, and
    /// his clock is what it was when he pressed. The time since then is nobody's.
    pub(super) fn forget_unknown_press(&mut self) {
        let Some(seat) = self.unknown_press() else { return };
        self.takes_press_back();
        if self.dialogue.asks_for_pressed() {
            self.dialogue = Dialogue::default();
        }
        self.tell_clock();
        self.tell_all(Prompt::WhoseMove, &[Slot::Player(seat)]);
    }

    /// The press that waits has completed nothing: no time is added for it.
    pub(super) fn takes_press_back(&mut self) {
        let Some(Ahead { seat, at: pressed, before: Some(mut before), .. }) =
            self.timing.ahead.take()
        else {
            return;
        };
        let at = self.at;
        let ran = self.timing.clock.running().is_some();
        let left_ms = before.remaining_ms(pressed, seat);
        before.set(at, seat, left_ms);
        self.timing.clock = *before;
        if ran && self.timing.clock.running().is_none() {
            self.timing.clock.start(at, seat);
        }
    }

    /// Whoever pressed without a move that is known says that there was none, or somebody whose
    /// voice is not known does. Whether that is so.
    pub(super) fn denies_press(&mut self, speaker: Option<Color>) -> bool {
        let of = self.unknown_press().filter(|of| speaker.is_none_or(|speaker| speaker == *of));
        let of = of.filter(|of| !self.seats[*of].doubt.is_open());
        of.into_iter().for_each(|of| self.give_up_press(of));
        of.is_some()
    }

    /// The press that waits for the board of this player, if one does.
    pub(super) fn waiting_press(&self, seat: Color) -> Option<&Ahead> {
        self.timing.ahead.as_ref().filter(|ahead| ahead.seat == seat)
    }

    /// The service was stopped while a press waited: the time until it is back is no time to show a
    /// move in, and what the board shows counts when it reports again.
    pub(super) fn press_stands_still(&mut self) {
        let Some(ahead) = &mut self.timing.ahead else { return };
        ahead.since = LAST;
        let seat = ahead.seat;
        if let Some(judge) = self.seats[seat].judge.as_deref_mut() {
            judge.unseen();
        }
    }

    /// The latest moment at which a waiting press is decided. `None` while the move is executed on
    /// the opponent's pegs, unless a move is made.
    pub(super) fn press_due(&self) -> Option<At> {
        let ahead = self.timing.ahead.as_ref()?;
        if self.is_only_told(ahead.seat) {
            return None;
        }
        let waits_ms = match self.line.open() {
            Some(ply) if ply.mover == ahead.seat => MADE_WAITS_MS,
            _ if self.hands_on(ahead.seat) => HANDS_WAIT_MS,
            _ => PRESS_WAITS_MS,
        };
        Some(At::new(ahead.since.ms.saturating_add(waits_ms)))
    }

    /// A press that waits is decided as soon as the board says what it completed, and in the end
    /// without that.
    ///
    /// Whether it can be decided now; `true`: it is due.
    pub(super) fn press_decided(&self) -> Option<bool> {
        let ahead = self.timing.ahead.as_ref().filter(|_| !self.is_over())?;
        let (seat, due) = (ahead.seat, self.press_due()? <= self.at);
        let made = self.line.open().is_some_and(|ply| ply.mover == seat);
        let shown = made && self.shows_made(seat) || self.left_illegal(seat);
        (due || shown).then_some(due)
    }

    /// His board is at rest and shows an illegal move.
    fn left_illegal(&self, seat: Color) -> bool {
        !self.hands_on(seat) && self.shows_illegal(seat).is_some()
    }

    /// It is decided now.
    pub(super) fn decide_press(&mut self, due: bool) {
        let Some(seat) = self.timing.ahead.as_ref().map(|ahead| ahead.seat) else { return };
        if due {
            self.ask_judge(seat, Judge::left);
        }
        if self.timing.ahead.is_none() {
            return;
        }
        let illegal = self.left_illegal(seat);
        if self.line.open().is_some_and(|ply| ply.mover == seat) && !illegal {
            if due || self.shows_made(seat) {
                self.complete();
            }
        } else if due || illegal {
            self.give_up_press(seat);
        }
    }

    /// The clock was pressed and no legal move has been shown: it is his turn still, and the time
    /// since is his.
    fn give_up_press(&mut self, color: Color) {
        if let Some(before) = self.timing.ahead.take().and_then(|ahead| ahead.before)
            && self.timing.clock.running() != Some(color)
        {
            let ran = self.timing.clock.running().is_some();
            self.timing.clock = *before;
            if ran && self.timing.clock.running().is_none() {
                self.timing.clock.start(self.at, color);
            }
        }
        self.tell_clock();
        if self.sighted_illegal(color) || self.press_answered(color) {
            return;
        }
        if let Some((index, mv)) = self.owed(color).filter(|_| self.seats[color].has_board()) {
            let text = Note::OpponentMoveMissing;
            self.problem(Article::D_2_4, text, json!({ "owed": self.ply_number(index) }));
            self.sighted_waits(color, mv);
            return;
        }
        if !self.illegal_press(color) {
            self.problem(Article::A7_5_3, Note::PressedWithoutMove { player: color }, json!({}));
        }
        let words = self.terms.words.prompt(Prompt::PressedWithoutMove, &[]);
        let words = self.for_player(color, words);
        self.say_aloud(Urgency::Alert, words);
    }
}

/// A press is reported up to a second late. The middle of the possible range is taken, so that
/// nobody gains or loses over many moves. Time that one player did not use after all, the other one
/// did. Returns the readings before and after the press is taken in. Source: FIDE 6.10.1.
fn late_press(
    mover: Color,
    now_ms: [u64; 2],
    late_ms: u64,
    shown: &ClockRead,
) -> (ClockRead, ClockRead) {
    let ranges = [shown.white_ms, shown.black_ms];
    let (own, other) = mover.fold_wb((0, 1), (1, 0));
    let reckoned = (now_ms[own], now_ms[own].saturating_add(late_ms));
    let (least, most) = (reckoned.0.max(ranges[own].0), reckoned.1.min(ranges[own].1));
    let own_ms = if least <= most {
        least.midpoint(most)
    } else if least - most <= OFF_MS {
        now_ms[own].clamp(ranges[own].0, ranges[own].1)
    } else {
        // A clock that was not set yet says nothing of when it was pressed.
        now_ms[own] + late_ms / 2
    };
    let late_ms = own_ms.saturating_sub(now_ms[own]);
    let other_ms = now_ms[other].saturating_sub(late_ms);
    let read = |times: [(u64, u64); 2], runs: Color| ClockRead {
        white_ms: times[0],
        black_ms: times[1],
        running: running(runs),
        fallen: shown.fallen,
    };
    let any = [(0, u64::MAX / 4); 2];
    let (mut before, mut after) = (any, any);
    before[own] = (own_ms, own_ms);
    before[other] = (now_ms[other], now_ms[other]);
    after[other] = (other_ms, other_ms);
    (read(before, mover), read(after, mover.other()))
}

/// This colour's clock, as readings name it.
pub(super) fn running(color: Color) -> Running {
    if color.is_white() { Running::White } else { Running::Black }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// White's time before he is taken to have pressed, when the game reckons `now_ms` for him and
    /// his clock shows this.
    fn pressed_at_ms(now_ms: u64, shown_ms: (u64, u64)) -> u64 {
        let shown = ClockRead {
            white_ms: shown_ms,
            black_ms: (5_430_000, 5_430_000),
            running: Running::Black,
            fallen: None,
        };
        let (before, _) = late_press(Color::White, [now_ms, 5_430_000], 1100, &shown);
        before.white_ms.0
    }

    #[test]
    fn the_middle_of_what_a_late_press_may_have_been_is_taken() {
        assert_eq!(pressed_at_ms(60_000, (60_000, 60_999)), 60_499);
        assert_eq!(pressed_at_ms(60_000, (59_500, 60_400)), 60_200);
    }

    #[test]
    fn a_clock_that_was_not_set_yet_says_nothing_of_a_late_press() {
        assert_eq!(pressed_at_ms(60_000, (5_400_000, 5_400_999)), 60_550);
        assert_eq!(pressed_at_ms(60_000, (0, 0)), 60_550);
    }

    proptest! {
        /// It once gave the player half a second where the two were a millisecond apart.
        #[test]
        fn an_exact_clock_counts_to_the_millisecond(
            now_ms in 10_000u64..5_430_000,
            off_ms in -1000i64..=2100,
        ) {
            let shown_ms = now_ms.saturating_add_signed(off_ms);
            prop_assert_eq!(pressed_at_ms(now_ms, (shown_ms, shown_ms)), shown_ms);
        }
    }
}
