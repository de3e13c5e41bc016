//! Irregularities that a player finds: a wrong starting position, exchanged colours, and the clocks
//! stopped because of them (6.11, 7.2, 7.3).

use serde_json::json;
use shakmaty::Color;

use super::{
    ArbiterAct, Article, Caller, Outcome, Play, Refused, Rules, Running, Urgency, rulings::Halt,
    seat_name,
};
use annabella_words::phrase::{Note, Prompt};

/// After this many moves of each player exchanged colours stay (7.3). In rapid and blitz a wrong
/// starting position does too (A.5.1).
const TEN_MOVES: usize = 10;

impl Play {
    /// The arbiter is called, aloud: nobody else can hear the earphone. The clocks wait for him.
    pub(super) fn call_arbiter(&mut self, of: Color) {
        self.problem(
            Article::A6_11_2,
            Note::Calls { player: of },
            json!({ "player": seat_name(of) }),
        );
        self.calls(Caller::Player(of), "");
        self.halt_if_running();
        self.call_out(Prompt::ArbiterCalled);
    }

    /// "Uhr anhalten": a player stops the clocks, which is done only to call the arbiter (6.11.2).
    pub(super) fn stops_clocks(&mut self, of: Color) -> Result<(), Refused> {
        if !self.runs() {
            let words = self.terms.words.prompt(Prompt::ClockStopped, &[]);
            self.say_to(of, Urgency::Answer, words);
            return Ok(());
        }
        self.problem(
            Article::A6_11_2,
            Note::StopsClocks { player: of },
            json!({ "player": seat_name(of) }),
        );
        self.calls(Caller::Stopped(of), "");
        self.halt(Halt::Player);
        self.call_out(Prompt::ClockStopped);
        Ok(())
    }

    /// A clock runs.
    pub(super) fn runs(&self) -> bool {
        self.timing.clock.reading(self.at).2 != Running::None
    }

    pub(super) fn halt_if_running(&mut self) {
        if !self.is_over() && self.runs() {
            self.halt(Halt::Player);
        }
    }

    /// Says aloud what both players and the arbiter are to hear at once.
    pub(super) fn call_out(&mut self, prompt: Prompt) {
        let words = self.terms.words.prompt(prompt, &[]);
        self.say_aloud(Urgency::Alert, words);
    }

    /// Both players have completed ten moves.
    fn ten_moves_each(&self) -> bool {
        let completed = |color| {
            let of = |ply: &&super::Ply| ply.mover == color && ply.completed.is_some();
            self.line.iter().filter(of).count()
        };
        completed(Color::White) >= TEN_MOVES && completed(Color::Black) >= TEN_MOVES
    }

    /// "Grundstellung falsch": the pieces stood wrongly at the start. The game is annulled if the
    /// arbiter finds it so (7.2.1).
    pub(super) fn finds_wrong_start(&mut self, of: Color) -> Result<(), Refused> {
        if self.rules_in_force() != Rules::Classical && self.ten_moves_each() {
            let words = self.terms.words.prompt(Prompt::PlayOn, &[]);
            let text = Note::TooLateForStart;
            return Err(Refused::new(Article::A_5_1, text).saying(words));
        }
        let text = Note::StartWrong { player: of };
        self.found(Article::A7_2_1, of, text, Note::NewGameStart);
        Ok(())
    }

    /// "Farben vertauscht": the game began with exchanged colours (7.3).
    pub(super) fn finds_wrong_colours(&mut self, of: Color) -> Result<(), Refused> {
        if self.ten_moves_each() {
            let words = self.terms.words.prompt(Prompt::PlayOn, &[]);
            let text = Note::TooLateForColours;
            return Err(Refused::new(Article::A7_3, text).saying(words));
        }
        let text = Note::ColoursWrong { player: of };
        self.found(Article::A7_3, of, text, Note::NewGameColours);
        Ok(())
    }

    fn found(&mut self, article: Article, of: Color, what: Note, proposed: Note) {
        if self.arbitration.proposals.iter().any(|p| p.is_open() && p.article == article) {
            self.call_out(Prompt::ArbiterDecides);
            return;
        }
        self.problem(article, what, json!({ "player": seat_name(of), "plies": self.plies() }));
        self.halt_if_running();
        self.call_out(Prompt::ArbiterCalled);
        let act = ArbiterAct::Declare { result: Outcome::Annulled, article };
        self.propose(article, None, vec![act], proposed);
    }
}
