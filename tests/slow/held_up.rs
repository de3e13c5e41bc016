//! A machine that is held up at random moments of whole games: they come out as if it had not been.
//!
//! Time is virtual. Hands play; every device tells in its own order; and the machine stands still
//! for up to three seconds, again and again. What happened meanwhile arrives together, dated by its
//! device, or when it is read. `make soak` plays thousands of these.

use std::collections::VecDeque;

use annabella::service::{
    news::{Dated, FromDevice, Source},
    order::{Next, Order},
};
use annabella_core::{
    game::{At, Blind, Game, GameConfig, Input, Output, Started},
    sensing::{Debounce, Edge},
};
use annabella_players::{
    games::random_game,
    hands::{Hands, Handwork, Style},
    table::handled,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{CastlingMode, Chess, Color, Move, Position};

const DEBOUNCE_MS: u64 = 20;
const PLIES: usize = 30;
const LONGEST_MS: u64 = 3_000;

/// What happens at the table, in the order of time: when, on which device, and what.
type Script = Vec<(u64, usize, Input)>;

/// White's board, Black's board, the clock's keys: devices of their own, or one that tells of all.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Devices {
    Three,
    One,
}

/// How a machine runs.
#[derive(Debug)]
struct Machine {
    /// When it stands still, from and to, in milliseconds; in the order of time.
    held_up: Vec<(u64, u64)>,
    /// Devices give the moment at which a thing happened; otherwise it is when it was read.
    dates: bool,
    rng: ChaCha8Rng,
}

impl Machine {
    fn quiet() -> Machine {
        let rng = ChaCha8Rng::seed_from_u64(0);
        Machine { held_up: Vec::new(), dates: true, rng }
    }

    fn busy(seed: u64, until_ms: u64) -> Machine {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0xb5);
        let (mut held_up, mut from_ms) = (Vec::new(), 0);
        while from_ms < until_ms {
            from_ms += rng.random_range(200..6_000);
            let until_ms = from_ms + rng.random_range(100..LONGEST_MS);
            held_up.push((from_ms, until_ms));
            from_ms = until_ms;
        }
        Machine { held_up, dates: rng.random(), rng }
    }

    /// The first moment from this one on at which it runs.
    fn runs(&self, ms: u64) -> u64 {
        let held_up = self.held_up.iter().find(|(from, until)| (*from..*until).contains(&ms));
        held_up.map_or(ms, |(_, until)| *until)
    }

    /// The script as it arrives: each device's in its order, and what was held up all together.
    fn arrivals(&mut self, script: &Script, sources: &[Source]) -> VecDeque<(u64, Dated)> {
        let mut last_ms = vec![0; sources.len()];
        let mut arrivals: Vec<(u64, usize, Dated)> = Vec::new();
        for (n, (ms, device, input)) in script.iter().enumerate() {
            let read_ms = self.runs(*ms);
            let delay_ms = if read_ms == *ms { 0 } else { self.rng.random_range(0..8) };
            let at = (read_ms + delay_ms).max(last_ms[*device]);
            last_ms[*device] = at;
            let at_ms = if self.dates { *ms } else { at };
            let from = FromDevice::Input(input.clone());
            arrivals.push((at, n, Dated { at_ms, source: sources[*device], from }));
        }
        arrivals.sort_by_key(|(at, n, _)| (*at, *n));
        arrivals.into_iter().map(|(at, _, dated)| (at, dated)).collect()
    }
}

/// How a game went.
#[derive(Debug, PartialEq, Eq)]
struct Came {
    moves: Vec<String>,
    completed: usize,
    /// Whatever was told to the arbiter or refused, as a rook that was touched first (4.4.2).
    trouble: Vec<String>,
    clock_ms: (u64, u64),
}

fn started(blind: Blind) -> Started {
    let german = include_str!("../../voices/de.toml").to_owned();
    let config = GameConfig { blind, time_control: "90+30".to_owned(), ..GameConfig::default() };
    Started {
        config,
        packs: vec![german.clone(), german],
        confusions: Default::default(),
        build: "test".to_owned(),
        unix_s: 1_700_000_000,
    }
}

/// The moves of a random game up to the first that pegs alone do not tell.
fn moves(seed: u64) -> Vec<Move> {
    let start = Chess::default();
    let (seed, game) = (seed..)
        .map(|n| (n, random_game(n, PLIES)))
        .find(|(_, (from, _))| *from == start)
        .expect("one");
    let mut hands = Hands::seeded(seed, Style::steady());
    let mut position = start;
    let mut told = Vec::new();
    for mv in game.1 {
        let tells = !mv.is_promotion() && hands.play(&position, mv, 0).rivals.is_empty();
        position.play_unchecked(mv);
        // An end is asked about.
        if !tells || position.is_game_over() {
            break;
        }
        told.push(mv);
    }
    told
}

/// The hands' work; a king that castles is touched first (4.4).
fn king_first(hands: &mut Hands, position: &Chess, mv: Move, at_ms: u64) -> Handwork {
    loop {
        let work = hands.play(position, mv, at_ms);
        if !mv.is_castle() || work.touched_first() == mv.from() {
            return work;
        }
    }
}

/// What hands and players do: the mover sets and presses, the other board follows, he thinks.
fn script(seed: u64, blind: Blind, devices: Devices, game: &[Move]) -> Script {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut hands = Hands::seeded(seed, Style::steady());
    let (mut position, mut now_ms) = (Chess::default(), 1_000);
    let own = |device: usize| if devices == Devices::One { 0 } else { device };
    let boards: Vec<Color> = Color::ALL
        .into_iter()
        .filter(|seat| matches!(blind, Blind::Both) || *seat == Color::White)
        .collect();
    let mut debounce = boards
        .iter()
        .map(|_| Debounce::new(DEBOUNCE_MS, position.board().occupied()))
        .collect::<Vec<_>>();
    let mut script: Script = vec![(now_ms, own(2), Input::ClockStarted)];
    for mv in game {
        let mover = position.turn();
        let mut pressed = false;
        // The mover's board first; where his is plain, she copies what he plays before he presses.
        let mut order = boards.clone();
        order.sort_by_key(|seat| *seat != mover);
        for seat in order {
            now_ms +=
                if pressed { rng.random_range(300..1_500) } else { rng.random_range(3_500..6_000) };
            let work = king_first(&mut hands, &position, *mv, now_ms);
            let index = boards.iter().position(|board| *board == seat).expect("a board");
            let mut edges = Vec::new();
            for raw in &work.edges {
                let edge = Edge { at_ms: raw.t_ms, square: raw.square, occupied: raw.occupied };
                debounce[index].advance(raw.t_ms, &mut edges);
                debounce[index].edge(edge);
            }
            debounce[index].advance(work.end_ms + DEBOUNCE_MS, &mut edges);
            for edge in edges {
                let input =
                    Input::Edge { seat, square: edge.square, occupied: edge.occupied, ago_ms: 0 };
                script.push((edge.at_ms, own(index), input));
            }
            now_ms = work.end_ms + DEBOUNCE_MS;
            if seat == mover || !boards.contains(&mover) {
                now_ms += rng.random_range(60..1_500);
                script.push((now_ms, own(2), Input::Pressed { seat: mover }));
                pressed = true;
            }
        }
        position.play_unchecked(*mv);
    }
    script.sort_by_key(|(ms, ..)| *ms);
    script
}

/// Plays the script as the service does.
fn plays(script: &Script, blind: Blind, mut machine: Machine) -> Came {
    let sources = [Source::another(), Source::another(), Source::another()];
    let mut arrivals = machine.arrivals(script, &sources);
    let (mut game, mut order, mut trouble) = (Game::new(), Order::default(), Vec::new());
    let mut last = At::new(0);
    let mut take = |game: &mut Game, at: At, input: Input| match handled(game, at, input.clone()) {
        Ok(outputs) => {
            let told = outputs.iter().filter_map(|output| match output {
                Output::Problem { text, .. } => Some(format!("{text:?}")),
                _ => None,
            });
            trouble.extend(told);
        }
        Err(refused) => trouble.push(format!("{input:?}: {refused:?}")),
    };
    take(&mut game, last, Input::Started(Box::new(started(blind))));
    let mut now_ms = 0;
    let rest_ms = script.last().map_or(0, |(ms, ..)| *ms) + 20_000;
    while now_ms < rest_ms {
        while arrivals.front().is_some_and(|(ms, _)| *ms <= now_ms) {
            order.push(arrivals.pop_front().expect("there").1);
        }
        // A board is read up to now, but for what was held up and is still on its way.
        let behind = |at_ms: u64| {
            arrivals.iter().any(|(_, dated)| dated.source != sources[2] && dated.at_ms <= at_ms)
        };
        match order.next(now_ms, &behind) {
            Next::News => {
                let Some(Dated { at_ms, from: FromDevice::Input(input), .. }) = order.take() else {
                    continue;
                };
                let at = At::new(at_ms).max(last);
                let input = match input {
                    Input::Edge { seat, square, occupied, .. } => {
                        Input::Edge { seat, square, occupied, ago_ms: at.ms - at_ms }
                    }
                    input => input,
                };
                last = at;
                take(&mut game, at, input);
            }
            Next::Wait(ms) => {
                let arrives = arrivals.front().map_or(ms, |(at, _)| *at);
                now_ms = machine.runs(ms.min(arrives).max(now_ms + 1));
            }
            Next::Nothing => {
                let wake = game.wake_at().map_or(rest_ms, |at| at.ms);
                let rests = order.wakes(now_ms, wake);
                if wake <= now_ms && rests.is_none() {
                    last = At::new(wake).max(last);
                    take(&mut game, last, Input::Woke);
                    continue;
                }
                let arrives = arrivals.front().map_or(rest_ms, |(at, _)| *at);
                now_ms = machine.runs(rests.unwrap_or(wake).min(arrives));
            }
        }
    }
    let record = game.record().expect("a game");
    let moves = record.line.iter().map(|ply| ply.mv.to_uci(CastlingMode::Standard).to_string());
    let completed = record.line.iter().filter(|ply| ply.completed.is_some()).count();
    let (white_ms, black_ms, _) = game.clock(At::new(rest_ms)).expect("a clock");
    Came { moves: moves.collect(), completed, trouble, clock_ms: (white_ms, black_ms) }
}

/// Plays one game on a quiet machine and on one that is held up. `Err`: how they differ.
pub(crate) fn play_held_up(seed: u64) -> Result<usize, String> {
    let blind = if seed.is_multiple_of(2) { Blind::White } else { Blind::Both };
    let devices = if seed.is_multiple_of(3) { Devices::One } else { Devices::Three };
    let game = moves(seed);
    let script = script(seed, blind, devices, &game);
    let uci: Vec<String> =
        game.iter().map(|mv| mv.to_uci(CastlingMode::Standard).to_string()).collect();
    let quiet = plays(&script, blind, Machine::quiet());
    let told = format!("held up {seed}, {blind:?}, {devices:?}");
    if quiet.moves != uci || quiet.completed != uci.len() {
        return Err(format!("{told}: the quiet machine: {quiet:#?}, played: {uci:?}"));
    }
    let until_ms = script.last().map_or(0, |(ms, ..)| *ms);
    let machine = Machine::busy(seed, until_ms);
    let (dates, held_up) = (machine.dates, format!("{:?}", machine.held_up));
    let busy = plays(&script, blind, machine);
    // A press without a moment of its own counts when it was read. One that has it may come a
    // little after what happened later, and a game does not go back.
    let most_ms = LONGEST_MS * if dates { 1 } else { uci.len() as u64 + 1 };
    let near = |a: u64, b: u64| a.abs_diff(b) <= most_ms;
    let times = near(quiet.clock_ms.0, busy.clock_ms.0) && near(quiet.clock_ms.1, busy.clock_ms.1);
    if busy.moves != uci || busy.trouble != quiet.trouble || busy.completed != uci.len() || !times {
        return Err(format!(
            "{told}, dated: {dates}, {held_up}: {busy:#?}, quiet: {:?}",
            quiet.clock_ms
        ));
    }
    Ok(uci.len())
}

#[test]
fn a_game_on_a_machine_that_is_held_up_comes_out_the_same() {
    let only = std::env::var("SEED").ok().map(|seed| seed.parse().expect("a number"));
    let seeds: Vec<u64> = only.map_or((0..200).collect(), |seed| vec![seed]);
    let mut plies = 0;
    for seed in seeds {
        plies += play_held_up(seed).unwrap_or_else(|why| panic!("{why}"));
    }
    assert!(only.is_some() || plies > 1000, "only {plies} half-moves");
}
