//! A deaf opponent (D.2.11): whatever he says, at whatever moment of a game, the answer stands on
//! his display, and so does everything that is said aloud.

use annabella_console::Log;
use annabella_core::game::{
    ArbiterAct, At, Channel, Game, GameConfig, Input, Output, Ruling, Started, Through,
};
use annabella_words::phrase::{Words, pack};
use shakmaty::Color;

/// What happened before he speaks.
type Before = &'static [Event];

#[derive(Clone, Copy)]
enum Event {
    /// White's clock is started.
    Begins,
    /// White announces and executes this move, and presses.
    White(&'static str, &'static str, &'static str),
    /// Black's board shows this move, and he presses; White copies it.
    Black(&'static str, &'static str, &'static str),
    /// White says this.
    Says(&'static str),
    /// The arbiter stops the clocks.
    Stops,
}

use Event::{Begins, Black, Says, Stops, White};

/// Moments of a game that differ in what may be said, by name.
const MOMENTS: [(&str, Before); 7] = [
    ("before the game", &[]),
    ("White to move", &[Begins]),
    ("Black to move", &[Begins, White("Bauer Eva zwei Eva vier", "e2", "e4")]),
    (
        "after a draw offer",
        &[Begins, White("Bauer Eva zwei Eva vier", "e2", "e4"), Says("Remis anbieten"), Says("ja")],
    ),
    (
        "White to move again",
        &[Begins, White("Bauer Eva zwei Eva vier", "e2", "e4"), Black("e7e5", "e7", "e5")],
    ),
    ("clocks stopped", &[Begins, White("Bauer Eva zwei Eva vier", "e2", "e4"), Stops]),
    ("after the end", &[Begins, Says("ich gebe auf"), Says("ja")]),
];

/// A game against a deaf Black, and his display.
struct Hall {
    game: Game,
    log: Log,
    now_ms: u64,
    /// What was said since the last look, each with whether it was said aloud.
    said: Vec<(bool, String)>,
}

impl Hall {
    fn new() -> Hall {
        let german = pack::builtin("de").expect("built in").to_owned();
        let config = GameConfig {
            opponent_deaf: true,
            display: true,
            sighted_board: true,
            ..GameConfig::default()
        };
        let started = Started {
            config,
            packs: vec![german.clone(), german],
            confusions: Default::default(),
            build: "test".to_owned(),
            unix_s: 1_700_000_000,
        };
        let mut hall = Hall { game: Game::new(), log: Log::new(), now_ms: 0, said: Vec::new() };
        hall.input(Input::Started(Box::new(started)));
        hall
    }

    fn after(before: Before) -> Hall {
        let mut hall = Hall::new();
        for event in before {
            hall.happens(*event);
        }
        hall.wait(1000);
        hall.said.clear();
        hall
    }

    fn happens(&mut self, event: Event) {
        let edge = |hall: &mut Hall, square: &str, occupied| {
            hall.wait(200);
            let square = square.parse().expect("a square");
            hall.input(Input::Edge { seat: Color::White, square, occupied, ago_ms: 0 });
        };
        match event {
            Begins => self.input(Input::ClockStarted),
            White(words, from, to) => {
                self.input(Input::Said { seat: Some(Color::White), heard: vec![words.into()] });
                edge(self, from, false);
                edge(self, to, true);
                self.wait(1000);
                self.input(Input::Pressed { seat: Color::White });
                let uci = format!("{from}{to}");
                self.input(Input::Sighted { seat: Color::Black, uci });
            }
            Black(uci, from, to) => {
                self.input(Input::Sighted { seat: Color::Black, uci: uci.into() });
                self.input(Input::Pressed { seat: Color::Black });
                edge(self, from, false);
                edge(self, to, true);
            }
            Says(text) => {
                self.input(Input::Said { seat: Some(Color::White), heard: vec![text.into()] });
            }
            Stops => self.input(Input::Arbiter(Box::new(Ruling {
                act: ArbiterAct::StopClocks,
                by: "Arbiter".into(),
                through: Through::Page,
                reason: String::new(),
                knows: None,
                ruled: None,
            }))),
        }
        self.wait(600);
    }

    fn wait(&mut self, ms: u64) {
        let end = self.now_ms + ms;
        while let Some(at) = self.game.wake_at().filter(|at| at.ms <= end) {
            self.now_ms = self.now_ms.max(at.ms);
            self.input(Input::Woke);
        }
        self.now_ms = end;
    }

    fn input(&mut self, input: Input) {
        self.now_ms += 1;
        let at = At::new(self.now_ms);
        self.log.input(at, &input);
        let outputs = match self.game.handle(at, input) {
            Ok(outputs) => {
                outputs.iter().for_each(|output| self.log.output(at, output));
                outputs
            }
            Err(refused) => {
                self.said.extend(refused.words.iter().map(|words| (false, words.to_string())));
                self.log.refused(at, &refused);
                refused.meanwhile
            }
        };
        for output in &outputs {
            if let Output::Say { channel, words, .. } = output {
                self.said.push((*channel == Channel::Public, words.to_string()));
            }
        }
    }

    fn display(&self) -> Vec<String> {
        self.log.said().map(ToString::to_string).collect()
    }
}

#[test]
fn every_answer_to_a_deaf_opponent_and_all_that_is_said_aloud_is_on_his_display() {
    let german = pack::builtin("de").expect("built in");
    let words = Words::from_toml(german, german).expect("a whole pack");
    let mut phrases: Vec<String> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for (phrase, command) in words.command_phrases() {
        // One square, file, rank and piece stands for all.
        if seen.insert(command.name().split(' ').next().unwrap_or_default().to_owned()) {
            phrases.push(phrase);
        }
    }
    // A move that is legal for him somewhere, one that never is, and nothing at all.
    let others =
        ["Bauer David sieben David fünf", "Dame Anna fünf", "xyz", "Springer David sieben"];
    phrases.extend(others.map(str::to_owned));
    assert!(phrases.len() > 40, "{} phrases", phrases.len());
    let mut unread = Vec::new();
    let mut answers = 0;
    for (moment, before) in MOMENTS {
        for phrase in &phrases {
            let mut hall = Hall::after(before);
            let black = Some(Color::Black);
            hall.input(Input::Said { seat: black, heard: vec![phrase.clone()] });
            let display = hall.display();
            answers += hall.said.len();
            for (aloud, text) in &hall.said {
                if !display.contains(text) {
                    let how = if *aloud { "aloud" } else { "in White's ear only" };
                    unread.push(format!("{moment}, \"{phrase}\": \"{text}\" {how}"));
                }
            }
        }
    }
    assert!(answers > 200, "only {answers} answers: the moments are not what they were");
    assert!(unread.is_empty(), "{} unread:\n{}", unread.len(), unread.join("\n"));
}
