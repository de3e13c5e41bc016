//! Whatever reaches the game, in whatever order: it never panics, is replayed bit for bit, and
//! keeps what the Laws ask of every game.

use std::collections::{BTreeMap, BTreeSet};

use annabella_core::{
    game::{
        ArbiterAct, Blind, BoardSeen, ClockBasis, Duties, Game, GameConfig, HandStep, Input,
        MoveState, Outcome, Output, PageAct, PageEntry, PageRole, Penalty, Person, PlayerButton,
        Ruling, Running, Settle, SettledClocks, Source, Task,
    },
    laws::Article,
    sensing::Shape,
};
use annabella_words::phrase::{Note, SpokenForm, Words};
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{RngAlgorithm, TestRng, TestRunner},
};
use shakmaty::{Bitboard, Chess, Color, Move, Position, Square, uci::UciMove};

use super::{
    asked,
    table::Table,
    transcript::{self, Transcript},
};

#[derive(Clone, Debug)]
enum Deed {
    /// The hands at this board try a legal move, well or in a hurry.
    Play {
        hand: bool,
        n: usize,
        rest: bool,
    },
    /// A whole ply as it should be: played, announced, pressed, followed on the other board.
    Turn {
        n: usize,
    },
    /// The pegs are set up as the game stands.
    SetUp {
        hand: bool,
    },
    /// A peg taken out or set.
    Toggle {
        hand: bool,
        square: u32,
    },
    /// A legal move announced, perhaps with "Korrektur", perhaps of the position before.
    Announce {
        seat: Option<bool>,
        n: usize,
        correction: bool,
        last: bool,
    },
    Say {
        seat: Option<bool>,
        what: usize,
    },
    Button {
        seat: Option<bool>,
        asks: PlayerButton,
    },
    Press {
        seat: bool,
    },
    Report {
        seat: bool,
        n: usize,
        last: bool,
    },
    Wait {
        ms: u64,
    },
    Late {
        ms: u64,
    },
    Resume,
    StartClock,
    Board {
        hand: bool,
    },
    /// The arbiter decides something, wisely or not.
    Rule {
        what: usize,
        seat: bool,
        n: u32,
        ms: u64,
    },
    /// He decides from where the game goes on.
    Settle {
        back: u32,
        score: Option<bool>,
        ms: Option<u64>,
        steps: usize,
    },
    /// Somebody types what he has written.
    Write {
        seat: bool,
        from_ply: u32,
        what: usize,
    },
    /// Somebody enters how a board stands, or says that it stands right.
    Enter {
        seat: bool,
        what: usize,
    },
}

/// No moment has ever had more rules behind it.
const MOST_FIRED: usize = 40;

const SHEETS: [&str; 6] =
    ["e4 e5 Nf3", "Nc6", "1. e4 e5 2. Sf3 Sf6 3. Lb5", "Ke9 xx", " ", "0-0 Kd7 d4"];

const SAYINGS: [&str; 23] = [
    "Bretter vergleichen",
    "Code",
    "Dame",
    "Springer",
    "Korrektur",
    "Ich korrigiere",
    "fertig",
    "beide Zeiten",
    "was ist offen",
    "wiederhole",
    "letzter Zug",
    "Uhr starten",
    "Blumenkohl",
    "",
    "Kurze Rochade",
    "Stellungswiederholung mit Springer Felix drei",
    "Uhr anhalten",
    "Zeit überschritten",
    "unterschrieben",
    "Farben vertauscht",
    "Grundstellung falsch",
    "Mitschrift ergänzen",
    "ja",
];

fn deed() -> impl Strategy<Value = Deed> {
    let seat = || prop::option::of(any::<bool>());
    prop_oneof![
        12 => (any::<bool>(), 0..64usize, any::<bool>())
            .prop_map(|(hand, n, rest)| Deed::Play { hand, n, rest }),
        90 => (0..64usize).prop_map(|n| Deed::Turn { n }),
        6 => any::<bool>().prop_map(|hand| Deed::SetUp { hand }),
        2 => (any::<bool>(), 0..64u32).prop_map(|(hand, square)| Deed::Toggle { hand, square }),
        3 => (seat(), 0..64usize, any::<bool>(), any::<bool>())
            .prop_map(|(seat, n, correction, last)| Deed::Announce { seat, n, correction, last }),
        5 => (seat(), 0..SAYINGS.len()).prop_map(|(seat, what)| Deed::Say { seat, what }),
        1 => (seat(), prop::sample::select(vec![PlayerButton::Repeat, PlayerButton::Arbiter]))
            .prop_map(|(seat, asks)| Deed::Button { seat, asks }),
        8 => any::<bool>().prop_map(|seat| Deed::Press { seat }),
        8 => (any::<bool>(), 0..64usize, any::<bool>())
            .prop_map(|(seat, n, last)| Deed::Report { seat, n, last }),
        4 => (0..7000u64).prop_map(|ms| Deed::Wait { ms }),
        1 => (0..90_000u64).prop_map(|ms| Deed::Late { ms }),
        1 => Just(Deed::Resume),
        2 => Just(Deed::StartClock),
        1 => any::<bool>().prop_map(|hand| Deed::Board { hand }),
        4 => (0..16usize, any::<bool>(), 0..4u32, 0..200_000u64)
            .prop_map(|(what, seat, n, ms)| Deed::Rule { what, seat, n, ms }),
        2 => (0..8u32, seat(), prop::option::of(0..200_000u64), 0..40usize)
            .prop_map(|(back, score, ms, steps)| Deed::Settle { back, score, ms, steps }),
        2 => (any::<bool>(), 0..20u32, 0..SHEETS.len())
            .prop_map(|(seat, from_ply, what)| Deed::Write { seat, from_ply, what }),
        1 => (any::<bool>(), 0..4usize).prop_map(|(seat, what)| Deed::Enter { seat, what }),
    ]
}

fn config() -> impl Strategy<Value = GameConfig> {
    let blind = prop_oneof![Just(Blind::White), Just(Blind::Black), Just(Blind::Both)];
    let start = prop_oneof![
        3 => Just(None),
        1 => Just(Some("4k2r/2P5/8/3pP3/8/8/6p1/R3K3 w Qk d6 0 1".to_owned())),
        1 => Just(Some("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1".to_owned())),
    ];
    (blind, start, any::<[bool; 6]>()).prop_map(|(blind, start, on)| {
        let [announce, keep_score, start_clock, claim, sighted_board, short_announcements] = on;
        GameConfig {
            blind,
            start,
            sighted_board,
            short_announcements,
            time_control: "3+2".to_owned(),
            duties: Duties { announce, keep_score, start_clock, claim, ..Duties::default() },
            ..GameConfig::default()
        }
    })
}

fn color(white: bool) -> Color {
    Color::from_white(white)
}

/// Like a table of people who do whatever they like.
struct Anyone {
    table: Table,
    words: Words,
    pegs: shakmaty::ByColor<Bitboard>,
}

impl Anyone {
    fn sits_down(config: GameConfig) -> Anyone {
        let table = Table::new(config);
        let occupied = table.position().board().occupied();
        let words = Words::builtin("fide", "de").expect("German");
        let pegs = shakmaty::ByColor { white: occupied, black: occupied };
        Anyone { table, words, pegs }
    }

    fn toggle(&mut self, seat: Color, square: Square) {
        self.pegs[seat].toggle(square);
        let occupied = self.pegs[seat].contains(square);
        self.table.wait(120);
        self.table.input(Input::Edge { seat, square, occupied, ago_ms: 0 });
    }

    fn before_last(&self) -> Chess {
        let record = self.table.game.record().expect("a game");
        let mut position = record.start().clone();
        for ply in record.line.iter().rev().skip(1).rev() {
            position.play_unchecked(ply.mv);
        }
        position
    }

    fn legal(&self, n: usize, last: bool) -> Option<(Chess, Move)> {
        let position = if last { self.before_last() } else { self.table.position().clone() };
        let moves = position.legal_moves();
        let mv = *moves.get(n % moves.len().max(1))?;
        Some((position, mv))
    }

    fn plays(&mut self, seat: Color, position: &Chess, mv: Move) {
        let shape = Shape::new(position.board().occupied(), mv);
        for square in shape.emptied {
            if self.pegs[seat].contains(square) {
                self.toggle(seat, square);
            }
        }
        for square in shape.landing {
            if !self.pegs[seat].contains(square) {
                self.toggle(seat, square);
            }
        }
    }

    /// The players who have pegs, the one to move first.
    fn peg_boards(&self) -> Vec<Color> {
        let turn = self.table.position().turn();
        let blind = self.table.game.record().expect("a game").config.blind;
        [turn, !turn].into_iter().filter(|seat| blind.is(*seat)).collect()
    }

    fn turn(&mut self, n: usize) {
        let Some((position, mv)) = self.legal(n, false) else { return };
        let (turn, uci) = (position.turn(), UciMove::from_standard(mv).to_string());
        let text = self.words.announce(&position, mv, SpokenForm::Full).to_string();
        let config = self.table.game.record().expect("a game").config.clone();
        if config.blind.is(turn) && (mv.is_promotion() || !config.duties.announce) {
            self.table.says(turn, &text);
        }
        if !config.blind.is(turn) && config.sighted_board {
            self.table.sighted(turn, &uci);
        }
        for (n, seat) in self.peg_boards().into_iter().enumerate() {
            self.plays(seat, &position, mv);
            self.table.wait(2000);
            if n == 0 {
                self.table.press(turn);
            }
        }
        if config.blind.is(turn) && config.sighted_board {
            self.table.sighted(!turn, &uci);
        }
    }

    fn does(&mut self, deed: &Deed) {
        match *deed {
            Deed::Turn { n } => self.turn(n),
            Deed::SetUp { hand } => {
                let seat = color(hand);
                for square in self.pegs[seat] ^ self.table.position().board().occupied() {
                    self.toggle(seat, square);
                }
                self.table.wait(2000);
            }
            Deed::Play { hand, n, rest } => {
                let Some((position, mv)) = self.legal(n, false) else { return };
                self.plays(color(hand), &position, mv);
                if rest {
                    self.table.wait(1600);
                }
            }
            Deed::Toggle { hand, square } => self.toggle(color(hand), Square::new(square)),
            Deed::Announce { seat, n, correction, last } => {
                let Some((position, mv)) = self.legal(n, last) else { return };
                let mut text = self.words.announce(&position, mv, SpokenForm::Short).to_string();
                if correction {
                    text = format!("Korrektur {text}");
                }
                self.table.says(seat.map(color), &text);
            }
            Deed::Say { seat, what } => self.table.says(seat.map(color), SAYINGS[what]),
            Deed::Button { seat, asks } => {
                self.table.input(Input::Button { seat: seat.map(color), asks });
            }
            Deed::Press { seat } => self.table.press(color(seat)),
            Deed::Report { seat, n, last } => {
                let Some((_, mv)) = self.legal(n, last) else { return };
                // Most reports copy the last move.
                let copy = self.table.game.record().and_then(|record| Some(record.line.last()?.mv));
                let mv = copy.filter(|_| last && n % 4 > 0).unwrap_or(mv);
                self.table.sighted(color(seat), &UciMove::from_standard(mv).to_string());
            }
            Deed::Wait { ms } => self.table.wait(ms),
            Deed::Late { ms } => self.table.now_ms += ms,
            Deed::Resume => self.table.input(Input::Resumed),
            Deed::StartClock => self.table.input(Input::ClockStarted),
            Deed::Board { hand } => {
                let seat = color(hand);
                let occupied = self.pegs[seat].0;
                self.table.input(Input::Board { seat, occupied });
            }
            Deed::Rule { what, seat, n, ms } => {
                let act = self.act(what, color(seat), n, ms);
                self.table.rules(act);
            }
            Deed::Settle { back, score, ms, steps } => self.settle(back, score, ms, steps),
            Deed::Write { seat, from_ply, what } => {
                let text = SHEETS[what].to_owned();
                self.table.input(Input::Score { seat: color(seat), from_ply, text });
            }
            Deed::Enter { seat, what } => {
                let seat = color(seat);
                let board = match what {
                    0 => "8/8".to_owned(),
                    1 => self.table.position().board().board_fen().to_string(),
                    _ => self.before_last().board().board_fen().to_string(),
                };
                self.table.input(match what {
                    3 => Input::Corrected { seat },
                    _ => Input::Entered { seat, fen: board },
                });
            }
        }
    }

    /// A decision, and some of the steps that it asks for.
    fn settle(&mut self, back: u32, score: Option<bool>, ms: Option<u64>, steps: usize) {
        let made = self.table.game.record().expect("a game").line.len() as u32;
        let clocks =
            ms.map(|ms| SettledClocks { white_ms: ms, black_ms: ms, basis: ClockBasis::Typed });
        let ply = (made + 1).saturating_sub(back);
        let settle = Settle { ply, score: score.map(color), clocks };
        self.table.wait(100);
        let ruling =
            Ruling::new(ArbiterAct::Settle(Box::new(settle)), "A. Weber", "as both remember");
        self.table.input(Input::Arbiter(Box::new(ruling)));
        for _ in 0..steps {
            let outputs = self.table.results.iter().rev().flatten();
            let shown = outputs.flat_map(|outputs| outputs.iter().rev());
            let next = shown.filter_map(|output| match output {
                Output::Correct { seat, steps } => Some((*seat, *steps.first()?)),
                _ => None,
            });
            let Some((seat, step)) = next.take(1).next() else { return };
            if !self.table.game.is_corrected(seat) || self.table.game.pegs(seat).is_none() {
                return;
            }
            let (HandStep::Take { take: square, .. } | HandStep::Put { put: square, .. }) = step;
            self.toggle(seat, square);
        }
    }

    fn act(&self, what: usize, seat: Color, n: u32, ms: u64) -> ArbiterAct {
        let penalise = |penalty| ArbiterAct::Penalty { seat, penalty };
        let result = Outcome::ALL[what % Outcome::ALL.len()];
        match what {
            0 => ArbiterAct::StopClocks,
            1 => ArbiterAct::StartClocks { side: (n == 0).then_some(seat) },
            2 => ArbiterAct::SetClock { seat, ms, moves: (n > 1).then_some(n) },
            3 => penalise(Penalty::TimeToOpponent { ms }),
            4 => penalise(Penalty::TimeOff { ms }),
            5 => penalise(Penalty::Warning),
            6 if n == 0 => penalise(Penalty::Loss { opponent_halves: n as u8 }),
            7 if n == 0 => ArbiterAct::Declare { result, article: Article::A12_9 },
            8 => ArbiterAct::PlayOn,
            9 => ArbiterAct::Signed { seat },
            10 => ArbiterAct::IllegalMove { seat, article: Article::A7_5_4 },
            11 => ArbiterAct::DismissProposal { number: n },
            12 => {
                let uci = self.legal(ms as usize, false).map(|(_, mv)| UciMove::from_standard(mv));
                ArbiterAct::AcceptMove { uci: uci.map(|uci| uci.to_string()).unwrap_or_default() }
            }
            _ => ArbiterAct::ConfirmProposal { number: n, choice: (what == 13).then_some(n) },
        }
    }

    /// The clock as last shown.
    fn running(&self) -> Running {
        let last = self.table.results.iter().rev().find_map(|result| {
            let outputs = match result {
                Ok(outputs) => outputs,
                Err(refused) => &refused.meanwhile,
            };
            outputs.iter().rev().find_map(|output| match output {
                Output::Clock { running, .. } => Some(*running),
                _ => None,
            })
        });
        last.unwrap_or_default()
    }

    fn keeps_the_laws(&self) -> Result<(), TestCaseError> {
        for told in [asked::left_in_the_dark, asked::calls_are_kept] {
            told(&self.table).map_err(TestCaseError::fail)?;
        }
        let record = self.table.game.record().expect("a game");
        let mut position = record.start().clone();
        for (n, ply) in record.line.iter().enumerate() {
            prop_assert!(position.is_legal(ply.mv), "ply {} is not legal", n + 1);
            prop_assert_eq!(ply.mover, position.turn());
            prop_assert!(ply.announced.at <= ply.made && ply.hands.placed <= ply.made);
            let last = n + 1 == record.line.len();
            prop_assert!(last || ply.completed.is_some(), "ply {} was never completed", n + 1);
            position.play_unchecked(ply.mv);
        }
        prop_assert_eq!(&position, record.position);
        for score in [record.score(Color::White), record.score(Color::Black)] {
            for entry in score {
                let index = entry.ply as usize - 1;
                // What is added afterwards is what he says; it is a move of that position.
                let added = record
                    .line
                    .get(index)
                    .is_some_and(|ply| entry.source == Source::Voice && entry.at > ply.made);
                let written = entry.source == Source::Written;
                prop_assert!(
                    added || written || entry.mv == record.line.get(index).map(|ply| ply.mv)
                );
            }
            prop_assert!(score.is_sorted_by_key(|entry| entry.ply));
        }
        // Unless the arbiter has to judge first what may be the result, or which move stands.
        let waits = record.proposals.iter().any(|proposal| {
            let ends = |act: &ArbiterAct| {
                matches!(
                    act,
                    ArbiterAct::Declare { .. }
                        | ArbiterAct::LetStand { .. }
                        | ArbiterAct::GoBack { .. }
                )
            };
            proposal.is_open() && proposal.choices.iter().any(ends)
        });
        if position.is_game_over() {
            prop_assert!(record.is_over() || waits);
        }
        // D.2.4: the opponent's clock runs only when the blind player's move is made.
        let turn = position.turn();
        let completed = record.line.last().is_none_or(|ply| ply.completed.is_some());
        // But what the arbiter decides.
        let started = record
            .rulings
            .iter()
            .any(|ruled| matches!(ruled.done, Some(ArbiterAct::StartClocks { .. })));
        if record.config.blind.is(turn) && completed && !record.is_over() && !started {
            let theirs = if turn.is_white() { Running::Black } else { Running::White };
            prop_assert_ne!(self.running(), theirs, "the clock runs before the move is made");
        }
        let due = self.table.game.wake_at();
        prop_assert!(due.is_none_or(|due| due.ms < u64::MAX / 2));
        Ok(())
    }

    fn each_thing_once(&self) -> Result<(), TestCaseError> {
        let mut completed: BTreeMap<u32, u32> = BTreeMap::new();
        let (mut results, mut flags) = (0, 0);
        for result in &self.table.results {
            let outputs = match result {
                Ok(outputs) => outputs,
                Err(refused) => &refused.meanwhile,
            };
            for output in outputs {
                match output {
                    Output::Move { ply, state: MoveState::Completed, .. } => {
                        *completed.entry(*ply).or_default() += 1;
                    }
                    Output::Result { .. } => results += 1,
                    Output::Problem { text: Note::FlagFallen { .. }, .. } => flags += 1,
                    _ => {}
                }
            }
        }
        let record = self.table.game.record().expect("a game");
        // What was struck may be made anew.
        let times = 1 + record.decisions.len() as u32;
        prop_assert!(completed.values().all(|n| *n <= times), "{:?}", completed);
        let rulings = record.rulings.len();
        prop_assert!(results <= 1 + rulings && flags <= 1 + rulings);
        let numbers = record.proposals.iter().map(|proposal| proposal.number as usize);
        prop_assert!(numbers.eq(1..=record.proposals.len()));
        let plies = record.line.iter().filter(|ply| ply.completed.is_some()).count();
        prop_assert!(plies == completed.len() || !record.decisions.is_empty());
        prop_assert!(rulings > 0 || (results == 1) == record.is_over());
        Ok(())
    }
}

/// What is looked at between two inputs.
struct Seen {
    ms: u64,
    clock: (u64, u64, Running),
    rulings: usize,
}

/// Replays the game: the same outputs, and at each step all time is accounted for. What both have
/// left is what they had, less what ran, and two seconds for each press, and what the arbiter
/// decided.
fn replayed(table: &Table) -> Result<Game, TestCaseError> {
    let mut game = Game::new();
    let mut before: Option<Seen> = None;
    let mut given_ms = 0;
    let mut unknown: Option<(u64, usize)> = None;
    for ((at, input), result) in table.inputs.iter().zip(&table.results) {
        // What was due before this input, since the machine was late, comes with it.
        let was_due = game.wake_at().is_some_and(|due| due.ms <= at.ms);
        let same = game.handle(*at, input.clone()) == *result;
        prop_assert!(same, "{at:?} {input:?}");
        // The rules that follow by themselves come to rest.
        let moments = game.fired().chunk_by(|before, after| before.at == after.at);
        for fired in moments {
            prop_assert!(fired.len() <= MOST_FIRED, "{input:?}: {fired:#?}");
        }
        let record = game.record().expect("a game");
        let now = Seen { ms: at.ms, clock: record.clock, rulings: record.rulings.len() };
        if let Some(before) = before {
            let ran = before.clock.2 != Running::None && *input != Input::Resumed;
            // A late alarm starts a clock that stood, from when the hands had come to rest.
            let made = record.line.last().map(|ply| ply.completed.unwrap_or(ply.made).ms);
            let late = (was_due && now.clock.2 != Running::None).then_some(made);
            let since =
                if ran { before.ms } else { late.flatten().unwrap_or(now.ms).max(before.ms) };
            let ran_ms = if *input == Input::Resumed { 0 } else { now.ms.saturating_sub(since) };
            let both = |(white, black): (u64, u64)| i128::from(white) + i128::from(black);
            let rulings = &record.rulings[before.rulings..];
            let ruled_ms: i128 =
                rulings.iter().map(|ruled| both(ruled.after_ms) - both(ruled.before_ms)).sum();
            let left = |seen: &Seen| both((seen.clock.0, seen.clock.1));
            let gained = left(&now) - left(&before) + i128::from(ran_ms) - ruled_ms;
            // A clock at nought goes no lower, and one that stops by itself stops when it is due.
            let noughts = [now.clock.0, now.clock.1, before.clock.0, before.clock.1].contains(&0);
            let ended_before = record.ended.is_some_and(|ended| ended.at.ms < now.ms);
            let inexact = noughts || (ran && ended_before);
            given_ms += gained;
            // What a press without a move added is taken off again.
            prop_assert!(gained >= -2000 && given_ms >= 0, "{input:?} took {gained} ms");
            // Where nobody says which move a sighted player's press completed, the time since is
            // nobody's.
            let nobodys_ms = unknown.map_or(0, |(pressed_ms, _)| i128::from(at.ms - pressed_ms));
            let most = if was_due { nobodys_ms.max(6000) } else { 6000 };
            let exact = gained % 2000 == 0 || (gained > 0 && most > 6000);
            prop_assert!(inexact || exact, "{input:?} gave {gained} ms");
            prop_assert!(inexact || gained <= most, "{input:?} gave {gained} ms");
        }
        before = Some(now);
        if let Input::Pressed { seat } = input
            && !record.config.blind.is(*seat)
        {
            let plies = record.line.len();
            if unknown.is_none_or(|(_, before)| before != plies) {
                unknown = Some((at.ms, plies));
            }
        }
    }
    Ok(game)
}

/// The table of this seed.
fn drawn(seed: u64) -> (GameConfig, Vec<Deed>) {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), rng);
    let drawn = (config(), prop::collection::vec(deed(), 1..90)).new_tree(&mut runner);
    drawn.expect("a table").current()
}

/// The same table is told the same. `make transcripts` plays thousands against what an earlier
/// version did.
#[test]
fn a_table_of_any_deeds_is_told_the_same_again() {
    transcript::compare("any", 3000, |seed| {
        let (config, deeds) = drawn(seed);
        let mut anyone = Anyone::sits_down(config);
        deeds.iter().for_each(|deed| anyone.does(deed));
        anyone.table.wait(60_000);
        let table = &anyone.table;
        let mut transcript = Transcript::default();
        for ((at, _), result) in table.inputs.iter().zip(&table.results) {
            transcript.result(at.ms, &table.game, result);
        }
        let after: Vec<_> = table.after.iter().map(|after| after.clock).collect();
        after.iter().for_each(|clock| transcript.note(format!("{clock:?}")));
        transcript
    });
}

/// What happens beside a table's deeds, so that everything is asked for somewhere: an offer of a
/// draw, a call of the assistant's, a board that is lost and comes back.
fn happens_beside(anyone: &mut Anyone, n: usize) {
    let blind = anyone.table.game.record().expect("a game").config.blind;
    let seat = Color::from_white(blind.is(Color::White));
    let report = |anyone: &mut Anyone, seen| anyone.table.seen(!seat, seen);
    match n % 12 {
        3 => {
            anyone.table.says(seat, "Remis anbieten");
            anyone.table.says(seat, "ja");
        }
        6 => {
            let act = PageAct::CallArbiter { reason: String::new() };
            let entry = PageEntry { act, role: PageRole::Assistant, by: String::new() };
            anyone.table.input(Input::Page(Box::new(entry)));
        }
        8 => report(anyone, BoardSeen::Lost { why: "unplugged".to_owned() }),
        10 => report(anyone, BoardSeen::Back),
        _ => {}
    }
}

/// Random tables of the quick run; [`anything_may_happen`] asks the same of many more.
#[test]
fn whatever_needs_a_person_is_said_to_that_person() {
    let mut seen = BTreeSet::new();
    for seed in 0..60 {
        let (config, deeds) = drawn(seed);
        let mut anyone = Anyone::sits_down(config);
        for (n, deed) in deeds.iter().enumerate() {
            anyone.does(deed);
            happens_beside(&mut anyone, n);
            for told in [asked::left_in_the_dark, asked::calls_are_kept] {
                told(&anyone.table).unwrap_or_else(|what| panic!("seed {seed}, {deed:?}: {what}"));
            }
            let all = Person::ALL.into_iter().flat_map(|person| anyone.table.game.asked(person));
            let name =
                |task: &Task| format!("{task:?}").split(['(', ' ']).next().map(str::to_owned);
            seen.extend(all.filter_map(|asked| name(&asked.task)));
        }
    }
    // None of it is asked for nowhere, so each was looked at.
    for task in [
        "AnswerDraw",
        "BoardLost",
        "BoardsDiffer",
        "Called",
        "ClocksStand",
        "Correct",
        "Execute",
        "Illegal",
        "Move",
        "NotBegun",
        "Over",
        "Press",
        "Watch",
    ] {
        assert!(seen.contains(task), "{task} is not among {seen:?}");
    }
}

/// Plays a game of these deeds and looks after each whether the Laws were kept.
fn happens(config: GameConfig, deeds: &[Deed]) -> Result<(), TestCaseError> {
    let mut anyone = Anyone::sits_down(config);
    for deed in deeds {
        anyone.does(deed);
        anyone.keeps_the_laws()?;
    }
    anyone.table.wait(60_000);
    anyone.keeps_the_laws()?;
    anyone.each_thing_once()?;
    let again = replayed(&anyone.table)?;
    prop_assert_eq!(format!("{again:?}"), format!("{:?}", anyone.table.game));
    Ok(())
}

/// Nobody has started a clock, and the alarm for the hands that have come to rest is late.
#[test]
fn a_late_alarm_starts_the_opponents_clock_from_when_the_hands_came_to_rest() {
    let duties = Duties { start_clock: true, ..Duties::default() };
    let config = GameConfig {
        blind: Blind::Both,
        time_control: "3+2".to_owned(),
        duties,
        ..GameConfig::default()
    };
    for ms in [400, 401, 30_000] {
        let deeds = [Deed::Play { hand: true, n: 0, rest: false }, Deed::Late { ms }];
        happens(config.clone(), &deeds).expect("all time is accounted for");
    }
}

/// A press without a known move is forgotten when nobody answers, and the time since is nobody's:
/// also where the machine is late, so that another input comes first.
#[test]
fn an_unknown_press_is_forgotten_in_time_whatever_comes_next() {
    let config = GameConfig {
        blind: Blind::Black,
        time_control: "3+2".to_owned(),
        sighted_board: false,
        ..GameConfig::default()
    };
    let turned = |n| Deed::Turn { n };
    for ms in [1000, 29_900, 60_000] {
        let written = Deed::Write { seat: false, from_ply: 0, what: 0 };
        let played = Deed::Play { hand: false, n: 1, rest: false };
        let before = [turned(0), turned(0), turned(0), turned(0), played, turned(2)];
        let deeds: Vec<_> = before.into_iter().chain([Deed::Late { ms }, written]).collect();
        happens(config.clone(), &deeds).expect("all time is accounted for");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, max_shrink_iters: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn anything_may_happen(config in config(), deeds in prop::collection::vec(deed(), 1..90)) {
        happens(config, &deeds)?;
    }
}
