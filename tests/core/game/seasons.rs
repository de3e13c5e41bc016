//! Two thousand seeded games between people who forget, hurry, touch and press as they like.
//! Whoever plays them plants each violation and so knows what the arbiter must be told, and how
//! often.

use std::{
    collections::BTreeMap,
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
};

use annabella_core::game::{
    ArbiterAct, Blind, BoardSeen, ClockNews, ClockRead, Duties, GameConfig, Input, MoveState,
    Output, Penalty, Running,
};
use annabella_words::{
    phrase::{SpokenForm, Words},
    text::uci,
};
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Bitboard, ByColor, Chess, Color, Move, Position, Role, Square};

use super::table::Table;

/// Half-moves of a game.
const PLIES: usize = 8;

/// A time control, and what it comes to, milliseconds: at first, before each move, and after so
/// many moves.
type Control = (&'static str, i64, i64, Option<(usize, i64)>);

const CONTROLS: [Control; 4] = [
    ("40/90+30:30+30", 5_400_000, 30_000, Some((40, 1_800_000))),
    ("3+2", 180_000, 2000, None),
    ("3/4+10:5+10", 240_000, 10_000, Some((3, 300_000))),
    ("15", 900_000, 0, None),
];

type Checked = Result<(), String>;

struct Season<'a> {
    table: Table,
    words: &'a Words,
    rng: ChaCha8Rng,
    blind: Color,
    pegs: Bitboard,
    control: Control,
    /// When the sighted player last pressed.
    pressed_ms: u64,
    /// What was planted, by article, and what was reported.
    planted: BTreeMap<String, u32>,
    /// Planted now, reported with the move that he makes.
    with_move: Option<&'static str>,
    reported: BTreeMap<String, u32>,
    /// Touches of the sighted player: made, and told.
    touches: (usize, usize),
    completed: BTreeMap<u32, u32>,
    /// What the arbiter or the clock before the players gave or took, and how long each clock ran.
    given_ms: ByColor<i64>,
    ran_ms: ByColor<i64>,
    /// The clock before the players has been read and is there.
    device: bool,
    looked: usize,
    /// The opponent has replied before this player pressed: his next press is that one.
    late: ByColor<bool>,
}

fn side(running: Running) -> Option<Color> {
    match running {
        Running::White => Some(Color::White),
        Running::Black => Some(Color::Black),
        Running::None => None,
    }
}

/// The pieces that a player has promoted to are named in other tests.
fn moves_of(position: &Chess) -> Vec<Move> {
    position.legal_moves().into_iter().filter(|mv| !mv.is_promotion()).collect()
}

impl<'a> Season<'a> {
    fn new(seed: u64, words: &'a Words) -> Season<'a> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let blind = if rng.random() { Color::White } else { Color::Black };
        let control = *CONTROLS.choose(&mut rng).expect("some");
        let duties = Duties {
            announce: rng.random_bool(0.6),
            start_clock: rng.random_bool(0.15),
            ..Duties::default()
        };
        let mut table = Table::new(GameConfig {
            blind: if blind.is_white() { Blind::White } else { Blind::Black },
            sighted_board: rng.random_bool(0.8),
            external_clock: rng.random_bool(0.3),
            time_control: control.0.to_owned(),
            duties,
            ..GameConfig::default()
        });
        let pegs = table.position().board().occupied();
        table.input(Input::ClockStarted);
        Season {
            table,
            words,
            rng,
            blind,
            pegs,
            control,
            planted: BTreeMap::new(),
            pressed_ms: 0,
            with_move: None,
            reported: BTreeMap::new(),
            touches: (0, 0),
            completed: BTreeMap::new(),
            given_ms: ByColor::default(),
            ran_ms: ByColor::default(),
            device: false,
            looked: 0,
            late: ByColor::default(),
        }
    }

    fn config(&self) -> GameConfig {
        self.table.game.record().expect("a game").config.clone()
    }

    fn plant(&mut self, article: &str) {
        *self.planted.entry(article.to_owned()).or_default() += 1;
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.rng.random_range(0..100) < percent
    }

    fn over(&self) -> bool {
        self.table.game.ended().is_some()
    }

    /// All moves made so far are completed.
    fn is_quiet(&self) -> bool {
        self.table.after.last().is_some_and(|after| after.uncompleted.is_none())
    }

    fn toggle(&mut self, square: Square, after_ms: u64) {
        self.pegs.toggle(square);
        self.table.wait(after_ms);
        let occupied = self.pegs.contains(square);
        self.table.input(Input::Edge { seat: self.blind, square, occupied, ago_ms: 0 });
    }

    /// A move upon the pegs: well, hastily, or through a wrong hole.
    fn hands(&mut self, position: &Chess, mv: Move) {
        let pace_ms = if self.rng.random() { 60 } else { 250 };
        let order: Vec<Square> = match mv {
            Move::Castle { king, rook } => {
                let side = mv.castling_side().expect("castling");
                let turn = position.turn();
                vec![king, side.king_to(turn), rook, side.rook_to(turn)]
            }
            Move::EnPassant { from, to } => {
                vec![from, to, Square::from_coords(to.file(), from.rank())]
            }
            Move::Normal { from, capture: Some(_), to, .. } => vec![to, from, to],
            Move::Normal { from, to, .. } => vec![from, to],
            Move::Put { .. } => Vec::new(),
        };
        let empty: Vec<Square> = (!self.pegs).into_iter().filter(|sq| *sq != mv.to()).collect();
        let wrong = self.chance(20).then(|| *empty.choose(&mut self.rng).expect("a hole"));
        let last = order.len() - 1;
        for (n, square) in order.into_iter().enumerate() {
            if n == last && !mv.is_castle() && !mv.is_en_passant() {
                for hole in wrong.into_iter().chain(wrong) {
                    self.toggle(hole, 120);
                }
            }
            self.toggle(square, pace_ms);
        }
    }

    /// A piece of the player to move that can move, and is not the king.
    fn other_piece(&mut self, position: &Chess, not: Option<Square>) -> Option<Square> {
        let pieces: Vec<Square> = moves_of(position)
            .into_iter()
            .filter(|mv| mv.role() != Role::King)
            .filter_map(|mv| mv.from())
            .filter(|from| Some(*from) != not)
            .collect();
        pieces.choose(&mut self.rng).copied()
    }

    /// An empty square to which that piece cannot go.
    fn illegal_target(&mut self, position: &Chess, from: Square) -> Option<Square> {
        let legal = position.legal_moves();
        let reaches = |to| legal.iter().any(|mv| mv.from() == Some(from) && mv.to() == to);
        let empty = !position.board().occupied();
        let targets: Vec<Square> = empty.into_iter().filter(|to| !reaches(*to)).collect();
        targets.choose(&mut self.rng).copied()
    }

    fn says(&mut self, position: &Chess, mv: Move) {
        let text = self.words.announce(position, mv, SpokenForm::Full).to_string();
        self.table.says(self.blind, &text);
    }

    fn presses_early(&mut self, article: &str) {
        self.table.press(self.blind);
        if !std::mem::take(&mut self.late[self.blind]) {
            self.plant(article);
        }
    }

    fn blind_turn(&mut self) -> Checked {
        let (blind, position) = (self.blind, self.table.position().clone());
        let Some(mut mv) = moves_of(&position).choose(&mut self.rng).copied() else {
            return Ok(());
        };
        let config = self.config();
        let announces = !config.duties.announce;
        let mut said = false;
        match self.rng.random_range(0..10) {
            0 => self.presses_early("7.5.3"),
            1 if !mv.is_castle() => {
                if let Some(touched) = self.other_piece(&position, mv.from()) {
                    self.toggle(touched, 200);
                    self.toggle(touched, 200);
                    self.table.wait(600);
                    self.with_move = Some("4.3");
                }
            }
            2 => {
                let Some(from) = self.other_piece(&position, None) else { return Ok(()) };
                let Some(to) = self.illegal_target(&position, from) else { return Ok(()) };
                self.toggle(from, 200);
                self.toggle(to, 200);
                self.table.wait(600);
                self.table.press(blind);
                self.plant("7.5.1");
                self.table.wait(600);
                self.toggle(to, 200);
                self.table.wait(600);
                self.toggle(from, 200);
                self.table.wait(600);
                let own = |mv: &Move| mv.from() == Some(from) && !mv.is_castle();
                let own: Vec<Move> = moves_of(&position).into_iter().filter(own).collect();
                if self.rng.random() {
                    mv = *own.choose(&mut self.rng).expect("it can move");
                } else if mv.is_castle() || mv.from() == Some(from) {
                    mv = own[0];
                } else {
                    self.with_move = Some("4.3");
                }
            }
            3 | 4 if announces => {
                self.says(&position, mv);
                said = true;
                self.table.press(blind);
                self.plant("D.2.4");
            }
            _ => {}
        }
        self.look()?;
        if announces && !said && self.rng.random() {
            self.says(&position, mv);
            said = true;
        }
        self.hands(&position, mv);
        self.table.wait(2000);
        if announces && !said {
            if self.chance(30) {
                self.table.press(blind);
                self.plant("D.2.4");
            }
            self.says(&position, mv);
        }
        self.is_made(mv)?;
        if config.duties.start_clock {
            // She presses when his hands had time to correct a slip.
            self.table.wait(1600);
        }
        self.late[blind] = false;
        if self.over() {
            return Ok(());
        }
        let reply = config.sighted_board && self.chance(15);
        let before = self.rng.random();
        if before {
            self.copies(&position, mv)?;
        }
        if reply {
            self.late[blind] = !config.duties.start_clock;
        } else {
            self.table.press(blind);
            if self.chance(20) {
                // His lever is down already.
                self.table.press(blind);
            }
        }
        if !before {
            self.copies(&position, mv)?;
        }
        Ok(())
    }

    /// The opponent copies the blind player's move, perhaps after another one.
    fn copies(&mut self, position: &Chess, mv: Move) -> Checked {
        if !self.config().sighted_board {
            return Ok(());
        }
        let other = moves_of(position).choose(&mut self.rng).copied().filter(|other| *other != mv);
        if let Some(other) = other.filter(|_| self.rng.random_range(0..10) == 0) {
            self.table.sighted(!self.blind, &uci(other));
            self.plant("D.2.9");
            self.look()?;
        }
        self.table.sighted(!self.blind, &uci(mv));
        Ok(())
    }

    fn seen(&mut self, seen: BoardSeen) {
        self.table.wait(300);
        self.table.seen(!self.blind, seen);
    }

    fn touches(&mut self, square: Square) {
        self.seen(BoardSeen::Lifted { square, ago_ms: 0 });
        self.touches.0 += 1;
    }

    fn sighted_turn(&mut self) -> Checked {
        let (seat, position) = (!self.blind, self.table.position().clone());
        let Some(mv) = moves_of(&position).choose(&mut self.rng).copied() else {
            return Ok(());
        };
        if self.config().sighted_board {
            if self.is_quiet() {
                self.sighted_misbehaves(&position, mv)?;
            }
            let ahead = self.is_quiet() && self.chance(20);
            if ahead {
                self.table.press(seat);
            }
            self.table.sighted(seat, &uci(mv));
            self.is_made(mv)?;
            let presses = !ahead && self.chance(85);
            if presses {
                self.table.press(seat);
            }
            // A press that was meant for the move before did not complete this one.
            self.late[seat] = !self.is_quiet();
        } else {
            self.table.press(seat);
        }
        if self.over() {
            return Ok(());
        }
        if self.config().sighted_board && self.chance(20) {
            self.presses_early("D.2.4");
        }
        self.look()?;
        self.hands(&position, mv);
        self.table.wait(2000);
        self.is_made(mv)
    }

    fn sighted_misbehaves(&mut self, position: &Chess, mv: Move) -> Checked {
        let seat = !self.blind;
        match self.rng.random_range(0..12) {
            0 => self.touches(mv.from().expect("it stands")),
            1 if !mv.is_castle() => {
                if let Some(touched) = self.other_piece(position, mv.from()) {
                    self.touches(touched);
                    self.with_move = Some("4.3");
                }
            }
            2 => {
                let after = position.clone().play(mv).expect("a legal move");
                self.table.shows(seat, after.board());
                // Longer than a rook may be the first half of castling.
                self.table.wait(12_500);
                if !self.over() {
                    self.table.shows(seat, position.board());
                    self.plant("4.7");
                }
            }
            3 => {
                let Some(from) = self.other_piece(position, None) else { return Ok(()) };
                let Some(to) = self.illegal_target(position, from) else { return Ok(()) };
                let mut board = position.board().clone();
                let piece = board.remove_piece_at(from).expect("a piece");
                board.set_piece_at(to, piece);
                self.table.shows(seat, &board);
                self.table.wait(3500);
                self.plant("D.2.9");
                self.table.press(seat);
                self.plant("7.5.1");
                self.table.shows(seat, position.board());
            }
            4 => {
                self.table.press(seat);
                self.table.wait(4500);
                if !std::mem::take(&mut self.late[seat]) {
                    self.plant("7.5.3");
                }
            }
            5 => {
                let Some(from) = self.other_piece(position, None) else { return Ok(()) };
                let Some(to) = self.illegal_target(position, from) else { return Ok(()) };
                self.table.sighted(seat, &format!("{from}{to}"));
                self.plant("7.5.1");
            }
            6 => {
                self.seen(BoardSeen::Lost { why: "no cable".to_owned() });
                self.plant("D.2.5");
                self.seen(BoardSeen::Back);
            }
            _ => {}
        }
        self.look()
    }

    /// What comes between two moves.
    fn between(&mut self) {
        let (now, seat) = (self.table.clock(), Color::from_white(self.rng.random()));
        if self.chance(6) && side(now.2).is_some() {
            self.table.wait(500);
            self.table.now_ms += 40_000;
            self.table.input(Input::Resumed);
            self.plant("7.1");
            self.table.wait(3000);
            self.table.input(Input::ClockStarted);
        }
        if self.chance(6) {
            let ms = self.rng.random_range(1..120_000);
            self.table.rules(ArbiterAct::Penalty { seat, penalty: Penalty::TimeToOpponent { ms } });
            self.given_ms[!seat] += ms as i64;
        }
        if self.config().external_clock {
            self.clock_device(seat);
        }
    }

    fn clock_device(&mut self, seat: Color) {
        self.table.wait(700);
        let at = annabella_core::game::At::new(self.table.now_ms);
        let (white_ms, black_ms, running) = self.table.game.clock(at).expect("a game");
        // Somebody has set it anew; as a rule it is known to a second, and the game is within that.
        let moved_ms = if self.chance(10) { self.rng.random_range(2000..20_000) } else { 0 };
        self.given_ms[seat] += moved_ms as i64;
        let shown = |color: Color, ms: u64| match moved_ms {
            0 => (ms.saturating_sub(400), ms + 600),
            _ if color == seat => (ms + moved_ms, ms + moved_ms),
            _ => (ms, ms),
        };
        let white_ms = shown(Color::White, white_ms);
        let black_ms = shown(Color::Black, black_ms);
        let read = ClockRead { white_ms, black_ms, running, fallen: None };
        self.table.input(Input::Clock(ClockNews::Read(read)));
        self.device = true;
        if self.chance(10) {
            self.table.input(Input::Clock(ClockNews::Lost));
            self.plant("6.10.1");
            self.table.input(Input::Clock(ClockNews::Lost));
            self.table.wait(900);
            self.table.input(Input::Clock(ClockNews::Back));
        }
    }

    fn is_made(&mut self, mv: Move) -> Checked {
        if let Some(article) = self.with_move.take() {
            self.plant(article);
        }
        self.look()?;
        let line = self.table.game.record().expect("a game").line;
        if line.last().is_some_and(|ply| ply.mv == mv) {
            return Ok(());
        }
        Err(format!("{} was not made", uci(mv)))
    }

    /// Looks at every input since the last look, and at how things stand now.
    fn look(&mut self) -> Checked {
        for n in self.looked..self.table.inputs.len() {
            self.look_at(n)?;
        }
        self.looked = self.table.inputs.len();
        let reported = (&self.reported, self.touches.1);
        if (&self.planted, self.touches.0) != reported {
            return Err(format!(
                "planted {:?} and {} touches, reported {reported:?}",
                self.planted, self.touches.0
            ));
        }
        Ok(())
    }

    fn look_at(&mut self, n: usize) -> Checked {
        let ((at, input), result) = (&self.table.inputs[n], &self.table.results[n]);
        let mut completes = false;
        let outputs = match result {
            Ok(outputs) => outputs,
            Err(refused) => {
                *self.reported.entry(refused.article.to_string()).or_default() += 1;
                &refused.meanwhile
            }
        };
        for output in outputs {
            match output {
                Output::Problem { article, .. } => {
                    *self.reported.entry(article.to_string()).or_default() += 1;
                }
                Output::Touched { .. } => self.touches.1 += 1,
                Output::Move { ply, state: MoveState::Completed, .. } => {
                    completes = true;
                    *self.completed.entry(*ply).or_default() += 1;
                }
                _ => {}
            }
        }
        let Some(before) = n.checked_sub(1) else { return Ok(()) };
        let passed_ms = at.ms - self.table.inputs[before].0.ms;
        let (before, after) = (&self.table.after[before], &self.table.after[n]);
        if let Some(ran) = side(before.clock.2).filter(|_| *input != Input::Resumed) {
            self.ran_ms[ran] += passed_ms as i64;
        }
        if let Input::Pressed { seat } = input
            && *seat != self.blind
        {
            self.pressed_ms = at.ms;
        }
        // A press that completed nothing: the time since is his who pressed.
        let vain = matches!(input, Input::Woke)
            && !completes
            && side(before.clock.2) == Some(self.blind)
            && side(after.clock.2) == Some(!self.blind);
        if vain {
            let since_ms = (at.ms - self.pressed_ms) as i64;
            self.ran_ms[self.blind] -= since_ms;
            self.ran_ms[!self.blind] += since_ms;
        }
        let gives =
            vain || matches!(input, Input::Pressed { .. } | Input::Arbiter(_) | Input::Clock(_));
        let more = after.clock.0 > before.clock.0 || after.clock.1 > before.clock.1;
        if more && !gives && !completes {
            return Err(format!("{input:?} gave time: {:?} {:?}", before.clock, after.clock));
        }
        // D.2.4: until the blind player's move is made and completed, his opponent's clock stands.
        let his = match after.uncompleted {
            Some(mover) => mover == self.blind,
            None => after.turn == self.blind,
        };
        if his && !after.over && side(after.clock.2) == Some(!self.blind) {
            return Err(format!("{input:?} started the opponent's clock before D.2.4 allows it"));
        }
        Ok(())
    }

    /// What each has left is what he had, what his moves added, what was decided, less what ran.
    fn account(&self) -> Checked {
        let record = self.table.game.record().expect("a game");
        let (_, initial_ms, bonus_ms, period) = self.control;
        for color in Color::ALL {
            // What ends the game needs no press, and adds nothing; but one may have come before.
            let ended = record.ended.map(|ended| ended.at);
            let ends = |ply: usize| ended.is_some() && record.line[ply].completed == ended;
            // Who has no board that is seen presses before his move is known.
            let ahead = color != self.blind && !record.config.sighted_board;
            let done = record.line.iter().enumerate().filter(|(n, ply)| {
                ply.mover == color && (ply.completed.is_some() || ahead) && !ends(*n)
            });
            let done = done.count();
            let more_ms = period.filter(|(moves, _)| done >= *moves).map_or(0, |(_, ms)| ms);
            let had_ms = initial_ms + more_ms + bonus_ms * (1 + done as i64);
            let left_ms = had_ms + self.given_ms[color] - self.ran_ms[color];
            let shown_ms = color.fold_wb(record.clock.0, record.clock.1) as i64;
            if left_ms != shown_ms {
                return Err(format!("{color} has {left_ms} ms, the clock shows {shown_ms}"));
            }
        }
        let completed: Vec<u32> = record
            .line
            .iter()
            .zip(1..)
            .filter_map(|(ply, n)| ply.completed.is_some().then_some(n))
            .collect();
        if !self
            .completed
            .iter()
            .map(|(ply, times)| (*ply, *times))
            .eq(completed.iter().map(|ply| (*ply, 1)))
        {
            return Err(format!("completed {:?}, of {completed:?}", self.completed));
        }
        Ok(())
    }

    fn play(&mut self) -> Checked {
        self.look()?;
        for _ in 0..PLIES {
            if self.table.position().turn() == self.blind {
                self.blind_turn()?;
            } else {
                self.sighted_turn()?;
            }
            self.look()?;
            self.account()?;
            if self.over() {
                break;
            }
            self.between();
            self.look()?;
            self.account()?;
        }
        Ok(())
    }
}

/// The seeds of a test, or the one that is to be run again.
fn seasons(seeds: Range<u64>) {
    let only = std::env::var("ANNABELLA_SEASON").ok().map(|seed| seed.parse().expect("a number"));
    let words = Words::builtin("fide", "de").expect("German");
    let mut failed = Vec::new();
    let mut planted: BTreeMap<String, u32> = BTreeMap::new();
    for seed in seeds.clone().filter(|seed| only.is_none_or(|only: u64| only == *seed)) {
        let mut season = Season::new(seed, &words);
        let played = catch_unwind(AssertUnwindSafe(|| season.play()));
        for (article, times) in &season.planted {
            *planted.entry(article.clone()).or_default() += times;
        }
        match played {
            Ok(Ok(())) => continue,
            Ok(Err(why)) => {
                let heard = season.table.heard();
                let last = heard.len().saturating_sub(25);
                let lines = heard[last..].join("\n  ");
                let inputs = season.table.inputs.iter().rev().take(12).rev();
                let inputs: Vec<String> =
                    inputs.map(|(at, input)| format!("{} {input:?}", at.ms)).collect();
                let inputs = inputs.join("\n  ");
                failed.push(format!("season {seed}: {why}; before it\n  {lines}\n  {inputs}"));
            }
            Err(_) => failed.push(format!("season {seed} panicked")),
        }
        if failed.len() >= 3 {
            break;
        }
    }
    println!("planted: {planted:?}");
    assert!(
        failed.is_empty(),
        "{}\nagain: ANNABELLA_SEASON=<number> cargo nextest run --test game -E 'test(seasons)'",
        failed.join("\n")
    );
    // A season in which nobody misbehaves tests nothing.
    let each = ["4.3", "4.7", "7.1", "7.5.1", "7.5.3", "6.10.1", "D.2.4", "D.2.5", "D.2.9"];
    for article in each.iter().filter(|_| only.is_none()) {
        assert!(planted.contains_key(*article), "{article} was never broken");
    }
}

#[test]
fn the_first_season_is_played_by_the_laws() {
    seasons(0..500);
}

#[test]
fn the_second_season_is_played_by_the_laws() {
    seasons(500..1000);
}

#[test]
fn the_third_season_is_played_by_the_laws() {
    seasons(1000..1500);
}

#[test]
fn the_fourth_season_is_played_by_the_laws() {
    seasons(1500..2000);
}
