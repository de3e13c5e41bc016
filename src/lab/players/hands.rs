//! Hands over a peg board: the readings of the 64 reeds while people move pegs.
//!
//! Everything here is drawn from one seeded generator, so a script is the same on every machine.
//! Scripts are *raw*: contacts still chatter, mishaps are still in.
//!
//! ```
//! use annabella_players::hands::{Hands, Style};
//! use shakmaty::{Chess, Position};
//!
//! let start = Chess::default();
//! let mv = start.legal_moves()[0];
//! let script = Hands::seeded(8141, Style::human()).play(&start, mv, 1000);
//! assert_eq!(script.finish.count(), 32);
//! ```

mod illegal;
mod mishaps;
mod orders;
mod rivals;
mod style;

use std::{collections::BTreeMap, ops::RangeInclusive};

use rand::{RngExt, SeedableRng, seq::IndexedRandom, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Bitboard, Chess, Move, Position, Square};

pub use mishaps::Mishap;
use orders::Footprint;
pub use orders::{Action, Order, changes, name_of, orders};
use rivals::Watch;
pub use style::{HandFaultsError, Style};

/// A person needs at least this long to lift a peg or to set one down.
pub const LEAST_MS: u64 = 50;

/// One change of one reed's contact, before any debouncing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawEdge {
    /// When, milliseconds on the caller's clock.
    pub t_ms: u64,
    pub square: Square,
    /// Closed: a peg is in the hole, or the contact chatters.
    pub occupied: bool,
}

/// A stretch of handwork: the readings of the reeds, and the real movements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handwork {
    /// Contact changes in order of time.
    pub edges: Vec<RawEdge>,
    /// The order meant, without mishaps.
    pub order: Order,
    /// The real movements, each with its time in milliseconds.
    pub actions: Vec<(u64, Action)>,
    pub mishaps: Vec<Mishap>,
    /// Squares in the order in which they were first emptied (the truth, also over dead reeds).
    pub touched: Vec<Square>,
    /// Other legal moves that would leave the same pegs behind with the same squares emptied: the
    /// board alone cannot decide. Promotion pieces are not counted.
    pub rivals: Vec<Move>,
    pub start: Bitboard,
    pub finish: Bitboard,
    /// When the last contact has come to rest, milliseconds.
    pub end_ms: u64,
}

impl Handwork {
    /// The first square that was emptied.
    pub fn touched_first(&self) -> Option<Square> {
        self.touched.first().copied()
    }
}

/// How long before a movement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    Tempo,
    Dwell,
}

#[derive(Clone, Copy)]
struct Step {
    action: Action,
    gap: Gap,
}

fn steps_of(actions: &[Action]) -> Vec<Step> {
    actions.iter().map(|&action| Step { action, gap: Gap::Tempo }).collect()
}

/// The occupancy after `steps`; `None` when hands cannot do them.
fn after(mut occupied: Bitboard, steps: &[Step]) -> Option<Bitboard> {
    for step in steps {
        occupied = step.action.apply(occupied)?;
    }
    Some(occupied)
}

/// A pair of hands.
#[derive(Clone, Debug)]
pub struct Hands {
    rng: ChaCha8Rng,
    style: Style,
}

impl Hands {
    /// Hands that draw from this generator.
    pub fn new(rng: ChaCha8Rng, style: Style) -> Hands {
        Hands { rng, style }
    }

    /// Hands with a generator of their own.
    pub fn seeded(seed: u64, style: Style) -> Hands {
        Hands::new(ChaCha8Rng::seed_from_u64(seed), style)
    }

    /// How these hands work.
    pub fn style(&self) -> &Style {
        &self.style
    }

    /// Carries out a legal move of `pos`, beginning after `t0_ms`, in one of its [`orders`].
    pub fn play(&mut self, pos: &Chess, mv: Move, t0_ms: u64) -> Handwork {
        let all = orders(pos, mv);
        let actions = all.choose(&mut self.rng).cloned().unwrap_or_default();
        self.play_in_order(pos, mv, &actions, t0_ms)
    }

    /// Carries out a legal move of `pos` in the order given, one of its [`orders`].
    pub fn play_in_order(
        &mut self,
        pos: &Chess,
        mv: Move,
        actions: &[Action],
        t0_ms: u64,
    ) -> Handwork {
        let order = Order { name: name_of(mv, actions), actions: actions.to_vec() };
        self.with_mishaps(pos, Some(mv), order, t0_ms)
    }

    /// Empties `from` and sets up `to`, every peg through the air, in random order: either the
    /// whole board is cleared first, or pegs come and go as holes allow.
    pub fn set_up(&mut self, from: Bitboard, to: Bitboard, t0_ms: u64) -> Handwork {
        let mut lifts: Vec<Square> = from.into_iter().collect();
        let mut puts: Vec<Square> = to.into_iter().collect();
        lifts.shuffle(&mut self.rng);
        puts.shuffle(&mut self.rng);
        let clear_first = self.rng.random_bool(0.5);
        let (mut occupied, mut actions) = (from, Vec::new());
        while !(lifts.is_empty() && puts.is_empty()) {
            let free = puts.iter().position(|&square| !occupied.contains(square));
            let put = !clear_first && self.rng.random_bool(0.5);
            let square = match (free, lifts.is_empty() || put) {
                (Some(n), true) => {
                    let square = puts.remove(n);
                    actions.push(Action::Put(square));
                    square
                }
                // A hole that is still full is among those to be emptied.
                _ => {
                    let Some(square) = lifts.pop() else { break };
                    actions.push(Action::Lift(square));
                    square
                }
            };
            occupied.toggle(square);
        }
        let name = if clear_first { "board cleared, then set up" } else { "set up bit by bit" };
        self.without_mishaps(from, Order { name, actions }, t0_ms)
    }

    /// Follows guidance on a board whose holes are `occupied`. Steps that the holes do not allow
    /// are left out and reported as [`Mishap::Impossible`].
    pub fn correct(&mut self, occupied: Bitboard, told: &[Action], t0_ms: u64) -> Handwork {
        let (mut now, mut actions, mut impossible) = (occupied, Vec::new(), Vec::new());
        for &action in told {
            match action.apply(now) {
                Some(next) => {
                    now = next;
                    actions.push(action);
                }
                None => impossible.push(Mishap::Impossible(action)),
            }
        }
        let order = Order { name: "as guided", actions };
        let mut script = self.without_mishaps(occupied, order, t0_ms);
        script.mishaps.splice(0..0, impossible);
        script
    }

    /// Carries out a plausible illegal move of the side to move and leaves it standing; with the
    /// move come the holes it went from and to. `None` where the pegs could not show that it is
    /// illegal. Source: FIDE 7.5.1.
    pub fn illegal_move(&mut self, pos: &Chess, t0_ms: u64) -> Option<(Handwork, Square, Square)> {
        let (from, to) = illegal::choose(&mut self.rng, pos)?;
        let mut actions = vec![Action::Lift(from)];
        if pos.board().occupied().contains(to) {
            let at = self.rng.random_range(0..=1u32);
            actions.insert(at as usize, Action::Lift(to));
        }
        actions.push(Action::Put(to));
        let order = Order { name: "illegal move", actions };
        Some((self.with_mishaps(pos, None, order, t0_ms), from, to))
    }

    fn chance(&mut self, probability: f64) -> bool {
        self.rng.random_bool(probability)
    }

    fn within(&mut self, range: &RangeInclusive<u64>) -> u64 {
        self.rng.random_range(range.clone())
    }

    fn with_mishaps(
        &mut self,
        pos: &Chess,
        meant: Option<Move>,
        order: Order,
        t0_ms: u64,
    ) -> Handwork {
        let before = pos.board().occupied();
        let (mut steps, mut mishaps) = self.add_mishaps(pos, &order);
        let mut rivals = Watch::over(pos, meant).end(&steps);
        if !rivals.is_empty() && !self.style.ambiguous {
            (steps, mishaps) = (steps_of(&order.actions), Vec::new());
            rivals = Watch::over(pos, meant).end(&steps);
        }
        let mut script = self.perform(before, &steps, Some(Watch::over(pos, meant)), t0_ms);
        script.mishaps.splice(0..0, mishaps);
        Handwork { order, rivals, ..script }
    }

    fn without_mishaps(&mut self, before: Bitboard, order: Order, t0_ms: u64) -> Handwork {
        let steps = steps_of(&order.actions);
        Handwork { order, ..self.perform(before, &steps, None, t0_ms) }
    }

    /// Gives every step its time and every edge its chatter.
    fn perform(
        &mut self,
        before: Bitboard,
        steps: &[Step],
        mut watch: Option<Watch<'_>>,
        t0_ms: u64,
    ) -> Handwork {
        let busy: Bitboard = steps.iter().map(|step| step.action.square()).collect();
        let pause_at = (!steps.is_empty() && self.chance(self.style.hesitate))
            .then(|| self.rng.random_range(0..steps.len() as u64));
        let (mut now, mut t) = (before, t0_ms);
        let mut last_at: BTreeMap<Square, u64> = BTreeMap::new();
        let mut in_hand: Option<(u64, Square)> = None;
        let (mut edges, mut actions) = (Vec::new(), Vec::new());
        let (mut mishaps, mut touched) = (Vec::new(), Vec::new());
        for (n, step) in steps.iter().enumerate() {
            let square = step.action.square();
            let mut gap = match step.gap {
                Gap::Dwell => self.within(&self.style.dwell_ms.clone()),
                Gap::Tempo if n > 0 && self.chance(self.style.two_hands) => {
                    self.rng.random_range(0..=40u64)
                }
                Gap::Tempo => self.within(&self.style.tempo_ms.clone()),
            };
            let pause =
                (pause_at == Some(n as u64)).then(|| self.within(&self.style.pause_ms.clone()));
            gap += pause.unwrap_or(0);
            let misleading = watch.as_ref().is_some_and(Watch::misleads);
            if misleading {
                gap = gap.min(self.style.imitate_ms);
            } else if let Some(ms) = pause {
                mishaps.push(Mishap::Hesitated(ms));
            }
            let mut at = t + gap;
            if n == 0 || last_at.contains_key(&square) {
                let free = last_at.get(&square).copied().unwrap_or(t0_ms);
                at = at.max(free + LEAST_MS + self.style.bounce_ms);
            }
            if let (Action::Put(to), Some((lifted_at, from))) = (step.action, in_hand) {
                if from != to {
                    at = at.max(lifted_at + self.within(&self.style.slide_ms.clone()));
                }
                if let Some(brushed) = self.brush(from, to, now.with(busy)) {
                    edges.extend(self.pulse(brushed, lifted_at, at));
                    mishaps.push(Mishap::Brushed(brushed));
                }
            }
            // `with_mishaps` and `set_up` have walked these steps: hands can do each of them.
            now = step.action.apply(now).unwrap_or(now);
            match step.action {
                Action::Lift(square) => {
                    in_hand = Some((at, square));
                    if !touched.contains(&square) {
                        touched.push(square);
                    }
                }
                Action::Put(_) => in_hand = None,
            }
            if let Some(watch) = &mut watch {
                watch.see(step.action);
            }
            edges.extend(self.chatter(at, step.action));
            actions.push((at, step.action));
            last_at.insert(square, at);
            t = at;
        }
        edges.retain(|edge| self.style.reads(edge.square));
        edges.sort_by_key(|edge| edge.t_ms);
        Handwork {
            end_ms: edges.last().map_or(t, |edge| edge.t_ms.max(t)),
            start: self.style.reading(before),
            finish: self.style.reading(now),
            order: Order { name: "", actions: Vec::new() },
            rivals: Vec::new(),
            edges,
            actions,
            mishaps,
            touched,
        }
    }

    /// The edge itself and its bounce: an even number of toggles within `bounce_ms`.
    fn chatter(&mut self, at_ms: u64, action: Action) -> Vec<RawEdge> {
        let (square, occupied) = (action.square(), action.occupied());
        let mut edges = vec![RawEdge { t_ms: at_ms, square, occupied }];
        let most = (self.style.bounce_ms / 2).min(4);
        if most > 0 {
            let toggles = 2 * self.rng.random_range(1..=most);
            let mut offsets: Vec<u64> = (1..=self.style.bounce_ms).collect();
            offsets.shuffle(&mut self.rng);
            offsets.truncate(toggles as usize);
            offsets.sort_unstable();
            edges.extend(offsets.into_iter().enumerate().map(|(n, offset)| RawEdge {
                t_ms: at_ms + offset,
                square,
                occupied: occupied == (n % 2 == 1),
            }));
        }
        edges
    }

    /// An empty hole on the straight way between two others, if the magnet comes too near it.
    fn brush(&mut self, from: Square, to: Square, full: Bitboard) -> Option<Square> {
        if !self.chance(self.style.brush) {
            return None;
        }
        let way: Vec<Square> =
            shakmaty::attacks::between(from, to).without(full).into_iter().collect();
        way.choose(&mut self.rng).copied()
    }

    fn pulse(&mut self, square: Square, lifted_ms: u64, put_ms: u64) -> [RawEdge; 2] {
        let length = self.rng.random_range(1..=10u64);
        let middle = lifted_ms + (put_ms - lifted_ms) / 2;
        [(middle, true), (middle + length, false)].map(|(t_ms, occupied)| RawEdge {
            t_ms,
            square,
            occupied,
        })
    }
}
