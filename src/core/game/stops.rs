//! The service is stopped, as by a power cut, and goes on: the state then, and the reports to
//! arbiter and players.

use serde_json::json;
use shakmaty::Color;

use super::{Article, At, Outcome, Play, Stage, Urgency, rulings::Halt, standing::CLOCKS_STAND};
use annabella_words::phrase::{Command, Note, Prompt, Slot, Utterance};

/// After a stop of the service a clock of its own says within this time how it stands,
/// milliseconds.
const CLOCK_SPEAKS_MS: u64 = 5000;

impl Play {
    /// The service was stopped: the clocks stand as last journaled.
    pub(super) fn interrupted(&mut self) {
        // At the arbiter's desk no clock ran: he gives the time of one that did (I.9.2, I.13).
        let opened =
            self.course.adjournment().and_then(|adjournment| Some(adjournment.opened.as_ref()?.at));
        let sealed = matches!(self.adjourning(), Some(Stage::Sealed | Stage::Disputed));
        let at_desk = sealed || opened == Some(self.at);
        let runs = self.timing.clock.running().is_some();
        self.timing.was_running = runs && !at_desk && !self.is_over();
        self.timing.stop(self.at);
        self.press_stands_still();
        // A press that the system was about to make waits until the clock runs again.
        self.timing.grace = None;
    }

    /// The game goes on at another board. Its clocks run there and stand here, and everybody here
    /// hears it. Nobody plays here any more, unless the arbiter starts the clocks.
    pub(super) fn taken_over(&mut self) {
        self.timing.stop(self.at);
        self.course.halt(Halt::Elsewhere);
        self.tell_clock();
        self.problem(Article::A6_11_2, Note::TakenOver, json!({ "taken_over": true }));
        self.tell_all(Prompt::BoardTakenOver, &[]);
    }

    /// The service is back: the arbiter hears what is uncertain, the players how the game stands.
    pub(super) fn resumed(&mut self) {
        if let Some(ahead) = &mut self.timing.ahead {
            ahead.since = self.at;
        }
        self.tell_clock();
        if std::mem::take(&mut self.timing.was_running) {
            let (white_ms, black_ms, _) = self.timing.clock.reading(self.at);
            let uncertainty_ms = self.terms.config.heartbeat_ms;
            self.problem(
                Article::A7_1,
                Note::ServiceStopped { seconds: uncertainty_ms.div_ceil(1000) },
                json!({
                    "white_ms": white_ms, "black_ms": black_ms, "uncertainty_ms": uncertainty_ms,
                }),
            );
        }
        if let Some(ended) = self.course.ended() {
            let result = ended.result;
            self.tell_over(result);
            return;
        }
        match self.adjourning() {
            Some(Stage::Sealed | Stage::Disputed) => return self.tell_adjourned(),
            Some(Stage::Invited) => {
                let words = self.terms.words.prompt(Prompt::SealMove, &[]);
                self.say_to(self.mover(), Urgency::Alert, words);
            }
            Some(Stage::Over) | None => {}
        }
        // A separate clock may have run on. It reports so itself, or not.
        let wait_ms = if self.terms.config.external_clock { CLOCK_SPEAKS_MS } else { 0 };
        self.timing.stands_told = Some(At::new(self.at.ms + wait_ms));
        self.ask_rule(&CLOCKS_STAND);
        self.guide_again();
        self.tells_offers();
        self.ask_again();
    }

    /// After a stop of the service: that the clocks stand must reach both players, and how they are
    /// started.
    pub(super) fn tell_standing_clocks(&mut self) {
        // First the boards are put right (D.2.9).
        if self.uncorrected().is_some() {
            self.timing.stands_told = Some(At::new(self.at.ms + CLOCK_SPEAKS_MS));
            return;
        }
        self.timing.stands_told = None;
        if let Some(words) = self.clocks_stand(None) {
            self.say_aloud(Urgency::Announcement, words);
        }
    }

    /// Somebody has stopped the clocks. Whoever touches a piece then does not play (4.3, 6.11).
    pub(super) fn is_stopped(&self) -> bool {
        self.course.halted().is_some()
    }

    /// The clocks were started once and stand, and how they go on, for this player or for both.
    pub(super) fn clocks_stand(&self, of: Option<Color>) -> Option<Utterance> {
        if self.runs() || !self.timing.clock.was_started() || self.is_over() {
            return None;
        }
        Some(match self.course.halted() {
            _ if self.only_arbiter_starts(of) => Utterance::joined([
                self.terms.words.prompt(Prompt::ClockStopped, &[]),
                self.terms.words.prompt(Prompt::ArbiterDecides, &[]),
            ]),
            Some(Halt::Elsewhere) => self.terms.words.prompt(Prompt::BoardTakenOver, &[]),
            _ => self.words_to_start(),
        })
    }

    /// White's clock has not been started yet (6.6), and which words start it.
    pub(super) fn not_begun(&self) -> Option<Utterance> {
        let waits = !self.timing.clock.was_started() && !self.is_over();
        waits.then(|| self.words_to_start())
    }

    /// That the clocks stand, and which words start them.
    pub(super) fn words_to_start(&self) -> Utterance {
        let phrase = self.terms.words.prompts().first_phrase(Command::StartClock);
        let slot = Slot::Text(phrase.unwrap_or_default());
        self.terms.words.prompt(Prompt::ClocksStand, &[slot])
    }

    fn tell_adjourned(&mut self) {
        let Some(adjournment) = self.course.adjournment() else { return };
        let until = adjournment.resumption.to_string();
        self.tell_blind(Urgency::Hint, Prompt::StillAdjourned, &[]);
        if !until.is_empty() {
            self.tell_blind(Urgency::Hint, Prompt::GoesOnAt, &[Slot::Text(&until)]);
        }
    }

    fn tell_over(&mut self, result: Outcome) {
        self.tell_blind(Urgency::Hint, Prompt::LastGameOver, &[]);
        match result.winner() {
            Some(winner) => {
                self.tell_blind(Urgency::Hint, Prompt::SideWins, &[Slot::Player(winner)]);
            }
            None if result == Outcome::Draw => {
                self.tell_blind(Urgency::Hint, Prompt::Drawn, &[]);
            }
            None => {}
        }
    }
}
