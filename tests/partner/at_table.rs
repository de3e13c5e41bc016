//! A table at home: a game that is served, a blind player without sensors, a partner as a process
//! of his own.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use annabella_core::game::{Blind, Game, GameConfig, HandsKnown, HandsOf, Input, PageRole};
use annabella_records::journal::views::pgn;
use annabella_words::phrase::{SpokenForm, Words};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Color, Move, Position as _, uci::UciMove};

use crate::{hall::Hall, patience::PATIENCE};

/// A game at home, whose blind player has this colour and no sensors.
pub(crate) fn at_home(blind: Color) -> GameConfig {
    let announced = HandsKnown::Announced;
    GameConfig {
        at_home: true,
        sighted_board: true,
        blind: blind.fold_wb(Blind::White, Blind::Black),
        hands: blind.fold_wb(
            HandsOf { white: announced, ..HandsOf::default() },
            HandsOf { black: announced, ..HandsOf::default() },
        ),
        ..GameConfig::default()
    }
}

/// The file that the service writes, whose door may be another's.
pub(crate) fn write_code(hall: &Hall, address: std::net::SocketAddr, file: &Path) {
    let code = hall.codes.borrow().assistant.clone();
    fs::write(file, format!("http://{address}\n{code}\n")).expect("written");
}

/// A blind player at his table, whoever sits across.
pub(crate) trait AtBoard {
    fn table(&self) -> (&Hall, Color);

    fn says(&self, text: &str) {
        let (hall, own) = self.table();
        let said = Input::Said { seat: Some(own), heard: vec![text.to_owned()] };
        hall.play().input(said).unwrap_or_else(|refused| panic!("{text}: {refused:?}"));
    }

    fn presses(&self) {
        let (hall, own) = self.table();
        hall.play().input(Input::Pressed { seat: own }).expect("made");
    }

    /// He announces his move and presses.
    fn moves(&self, text: &str) {
        self.says(text);
        self.presses();
    }

    /// He resigns, and means it.
    fn resigns(&self) {
        self.says("ich gebe auf");
        self.says("ja");
    }

    /// The moves here, in UCI.
    fn line(&self) -> Vec<String> {
        let play = self.table().0.play();
        let record = play.game.record().expect("a game");
        record.line.iter().map(|ply| UciMove::from_standard(ply.mv).to_string()).collect()
    }

    /// The result and its article.
    fn ended(&self) -> Option<(String, String)> {
        let play = self.table().0.play();
        let ended = play.game.ended()?;
        Some((ended.result.to_string(), ended.article.to_string()))
    }
}

/// What the blind player does beside his moves, in a hundred of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Habits {
    pub(crate) offers: u32,
    /// After so many half-moves he resigns; `None`: never.
    pub(crate) tires: Option<usize>,
    /// Takes an offer.
    pub(crate) agrees: bool,
}

/// A blind player who announces legal moves by chance.
pub(crate) struct Player {
    pub(crate) seat: Color,
    pub(crate) habits: Habits,
    rng: ChaCha8Rng,
    words: Words,
}

/// Whether this legal move ends the game at once.
fn ends(position: &Chess, mv: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after.is_game_over()
}

impl Player {
    pub(crate) fn new(seat: Color, seed: u64, habits: Habits) -> Player {
        let words = Words::builtin("fide", "de").expect("built in");
        Player { seat, habits, rng: ChaCha8Rng::seed_from_u64(seed), words }
    }

    fn happens(&mut self, of_hundred: u32) -> bool {
        self.rng.random_range(0..100) < of_hundred
    }

    /// Does one thing, if it is for him to do one. Answers whether the game is over.
    pub(crate) fn goes_on(&mut self, hall: &Hall) -> bool {
        let mut play = hall.play();
        if play.game.ended().is_some() {
            return true;
        }
        let seat = self.seat;
        let said = |text: String| Input::Said { seat: Some(seat), heard: vec![text] };
        let record = play.game.record().expect("a game");
        let (plies, offered) = (record.line.len(), record.offered());
        let pressed = record.line.last().is_none_or(|last| last.completed.is_some());
        if offered == Some(!seat) {
            let answer = if self.habits.agrees { "Remis annehmen" } else { "Remis ablehnen" };
            play.input(said(answer.to_owned())).expect("an offer");
            if self.habits.agrees {
                play.input(said("ja".to_owned())).expect("meant");
            }
            return play.game.ended().is_some();
        }
        let position = play.position();
        if position.turn() != seat || !pressed || offered == Some(seat) {
            return false;
        }
        if self.habits.tires.is_some_and(|tired| plies >= tired) {
            play.input(said("ich gebe auf".to_owned())).expect("possible");
            play.input(said("ja".to_owned())).expect("meant");
            return true;
        }
        // Chance ends no game: the test says how it ends.
        let legal = position.legal_moves();
        let goes_on: Vec<Move> = legal.iter().copied().filter(|mv| !ends(&position, *mv)).collect();
        let from = if goes_on.is_empty() { &legal[..] } else { &goes_on };
        let mv = from[self.rng.random_range(0..from.len())];
        let announced = self.words.announce(&position, mv, SpokenForm::Full).to_string();
        play.wait(2_000);
        play.input(said(announced)).expect("a legal move");
        if play.game.ended().is_some() {
            return true;
        }
        if self.happens(self.habits.offers) {
            play.input(said("Remis anbieten".to_owned())).expect("possible");
            play.input(said("ja".to_owned())).expect("meant");
        }
        play.input(Input::Pressed { seat }).expect("his move is made");
        play.game.ended().is_some()
    }

    /// Plays until the game is over, or the partner has left.
    pub(crate) fn plays(&mut self, hall: &Hall, mut meanwhile: impl FnMut()) {
        let until = Instant::now() + PATIENCE * 4;
        while !self.goes_on(hall) {
            meanwhile();
            assert!(Instant::now() < until, "no end: {:?}", hall.play().line());
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// A partner as a process, who ends with its test.
pub(crate) struct Partner(Child);

impl Drop for Partner {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) const PARTNER: &str = env!("CARGO_BIN_EXE_annabella-partner");
pub(crate) const ODD: &str = env!("CARGO_BIN_EXE_annabella-odd-engine");

impl Partner {
    /// Joins the table behind this file. `engine`: the engine, then its words.
    pub(crate) fn joins(door: &Path, engine: &[&str], more: &[&str]) -> Partner {
        let mut command = Command::new(PARTNER);
        command.arg("join").arg("--door").arg(door).args(["--pace", "quick"]);
        command.args(["--engine", engine[0]]);
        for word in &engine[1..] {
            command.args(["--engine-arg", word]);
        }
        let child = command.args(more).stdin(Stdio::null()).stderr(Stdio::piped()).spawn();
        Partner(child.expect("starts"))
    }

    /// Waits until he leaves: his exit code, and what he said on standard error.
    pub(crate) fn leaves(mut self) -> (Option<i32>, String) {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.0.try_wait().expect("a child") {
                let mut said = String::new();
                let mut from = self.0.stderr.take().expect("piped");
                std::io::Read::read_to_string(&mut from, &mut said).expect("text");
                return (status.code(), said);
            }
            assert!(Instant::now() < until, "the partner does not leave");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// The moves and the result of a PGN, without tags, numbers and remarks.
fn moves_of(pgn: &str) -> Vec<String> {
    let text = pgn.split_once("\n\n").map_or("", |(_, moves)| moves);
    let mut depth = 0;
    let mut words = Vec::new();
    for word in text.replace('{', " { ").replace('}', " } ").split_whitespace() {
        match word {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ if depth > 0 || word.ends_with('.') => {}
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// Both sides have the same record: what the service would write, what its journal replays to, what
/// the partner saw.
pub(crate) fn assert_same_record(hall: &Hall, score: &Path) {
    let play = hall.play();
    let own = pgn(&play.game.record().expect("a game"));
    let his = fs::read_to_string(score).expect("the partner's score");
    assert_eq!(moves_of(&own), moves_of(&his), "{own}\n{his}");
    assert!(own.contains("[Event \"played at home, no tournament's game\"]"), "{own}");
    let (again, _) = Game::replay(play.inputs.clone());
    assert_eq!(again.record().expect("a game").line, play.game.record().expect("a game").line);
    for input in &play.from_pages {
        let Input::Page(entry) = input else { panic!("{input:?}") };
        assert_eq!(entry.role, PageRole::Program, "the record says that it was a program");
    }
}

/// A whole game from the first move on; answers the result with its article, and the moves.
pub(crate) fn whole_game(
    config: GameConfig,
    seed: u64,
    habits: Habits,
    engine: &[&str],
    more: &[&str],
) -> (String, String, Vec<String>) {
    let blind = if config.blind.is(Color::White) { Color::White } else { Color::Black };
    let hall = Hall::of(config, |_| {});
    let folder = tempfile::tempdir().expect("a folder");
    let (door, score) = files(folder.path());
    write_code(&hall, hall.address, &door);
    let (seed_text, score_text) = (seed.to_string(), score.display().to_string());
    let mut words = vec!["--games", "1", "--seed", &seed_text, "--score", &score_text];
    words.extend(more);
    let partner = Partner::joins(&door, engine, &words);
    Player::new(blind, seed, habits).plays(&hall, || {});
    let (code, said) = partner.leaves();
    assert_eq!((code, said.as_str()), (Some(0), ""));
    assert_same_record(&hall, &score);
    let play = hall.play();
    let ended = play.game.ended().expect("over");
    let line = &play.game.record().expect("a game").line;
    let moves = line.iter().map(|ply| UciMove::from_standard(ply.mv).to_string()).collect();
    (ended.result.to_string(), ended.article.to_string(), moves)
}

pub(crate) fn files(folder: &Path) -> (PathBuf, PathBuf) {
    (folder.join("code"), folder.join("score.pgn"))
}
