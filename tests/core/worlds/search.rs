//! Every sequence of acts, states that are equal visited once.

use std::{
    collections::HashSet,
    fmt::{self, Write},
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use annabella_core::{
    game::{ArbiterAct, At, Game, Input, MoveState, Output, Refused, Ruling, Settle},
    laws::Article,
};
use annabella_players::table::handled;
use annabella_words::phrase::{SpokenForm, Words};
use shakmaty::{Bitboard, Color, Position, Square, uci::UciMove};

use super::{
    facts::{Facts, Press},
    world::{Act, SEPARATOR, World},
};
use crate::game::table::started;

/// Every game begins here, so that a moment is told from a duration by its size.
const BEGIN_MS: u64 = 1_000_000_000;
/// Between the pegs of one act.
const HAND_MS: u64 = 150;
/// After each act.
const STILL_MS: u64 = 700;
const REST_MS: u64 = 6_000;
/// Of so many states one is asked for a way on.
const WAY_ON: u64 = 8;

pub(super) struct Found {
    pub(super) states: usize,
    pub(super) broken: Vec<String>,
}

/// A table after some acts.
#[derive(Clone)]
struct Node {
    game: Game,
    now_ms: u64,
    facts: Facts,
    path: Vec<usize>,
    /// Prints what is said.
    shows: bool,
}

type Wrong = Result<(), String>;

/// The first counter-examples of each rule are enough.
const MOST_BROKEN: usize = 3;

/// Every state within so many acts.
pub(super) fn search(world: &World, depth: usize) -> Found {
    let words = Words::builtin("fide", "de").expect("German");
    let root = Node::begins(world);
    let mut seen = HashSet::from([root.mark()]);
    let mut level = vec![root];
    let mut broken = Vec::new();
    for left in (0..depth).rev() {
        let (next, wrong) = step(world, &words, &level, &mut seen, left > 0);
        broken.extend(wrong);
        level = next;
    }
    Found { states: seen.len(), broken: first_of_each(broken) }
}

/// Prints what the program says to these acts.
pub(super) fn shown(world: &World, path: &str) {
    let words = Words::builtin("fide", "de").expect("German");
    let mut node = Node::begins(world);
    node.shows = true;
    for act in path.split(SEPARATOR) {
        println!("{act}");
        let wrong = node.does(&words, &Act::parse(act));
        wrong.unwrap_or_else(|wrong| println!("    BROKEN {wrong}"));
    }
    println!("a way on");
    println!("    {:?}", node.goes_on(&words));
}

/// What is broken by the fewest acts stands first.
fn first_of_each(broken: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for one in broken {
        let rule = |text: &str| text.split(':').next().unwrap_or_default().to_owned();
        if kept.iter().filter(|known| rule(known) == rule(&one)).count() < MOST_BROKEN {
            kept.push(one);
        }
    }
    kept
}

/// What the threads find together.
#[derive(Default)]
struct Step {
    seen: HashSet<u64>,
    next: Vec<Node>,
    broken: Vec<String>,
}

/// One more act from each state, on all cores. The states behind it are kept where others come
/// after.
fn step(
    world: &World,
    words: &Words,
    level: &[Node],
    seen: &mut HashSet<u64>,
    kept: bool,
) -> (Vec<Node>, Vec<String>) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let turn = AtomicUsize::new(0);
    let found = Mutex::new(Step { seen: std::mem::take(seen), ..Step::default() });
    let visit = || {
        while let Some(node) = level.get(turn.fetch_add(1, Ordering::Relaxed)) {
            for next in (0..world.acts.len()).filter_map(|n| node.after(world, words, n)) {
                let mark = next.as_ref().map_or(0, Node::mark);
                let mut found = found.lock().expect("no thread panics");
                match next {
                    Ok(next) if found.seen.insert(mark) && kept => found.next.push(next),
                    Ok(_) => {}
                    Err(broken) => found.broken.push(broken),
                }
            }
        }
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(visit))));
    let mut found = found.into_inner().expect("no thread panics");
    *seen = found.seen;
    found.broken.sort();
    (found.next, found.broken)
}

impl Node {
    fn begins(world: &World) -> Node {
        let mut node = Node {
            game: Game::new(),
            now_ms: BEGIN_MS,
            facts: Facts::new(&world.config),
            path: Vec::new(),
            shows: false,
        };
        for input in [started(world.config.clone()), Input::ClockStarted] {
            node.game.handle(At::new(BEGIN_MS), input).expect("the game begins");
        }
        node
    }

    /// After one more act. `None`: hands cannot do that now.
    fn after(&self, world: &World, words: &Words, n: usize) -> Option<Result<Node, String>> {
        let act = &world.acts[n];
        if self.game.ended().is_some() || !self.facts.can(act) {
            return None;
        }
        let mut node = self.clone();
        node.path.push(n);
        let wrong = node.does(words, act).and_then(|()| node.finds_a_way_on(words));
        Some(match wrong {
            Ok(()) => Ok(node),
            Err(wrong) => Err(format!("{wrong}\n    {}: {}", world.name, node.told(world))),
        })
    }

    fn told(&self, world: &World) -> String {
        let acts: Vec<String> = self.path.iter().map(|n| world.acts[*n].to_string()).collect();
        acts.join(SEPARATOR)
    }

    fn does(&mut self, words: &Words, act: &Act) -> Wrong {
        let mut outputs = Vec::new();
        let mut refused = None;
        let mut expected = Press::Unsure;
        let holder = self.facts.holder();
        let clear = self.is_clear();
        match act {
            Act::Hands(seat, steps) => {
                for (square, put) in steps {
                    outputs.extend(self.hand(*seat, *square, *put)?);
                }
            }
            Act::Announces { seat, uci, correction } => {
                let text = self.announcement(words, uci, *correction);
                if self.announces(*seat, uci) {
                    self.facts.says(*seat, uci);
                }
                let said = Input::Said { seat: Some(*seat), heard: vec![text] };
                refused = self.input(said, &mut outputs)?;
            }
            Act::Says(seat, text) => {
                self.facts.words(*seat, text);
                let said = Input::Said { seat: Some(*seat), heard: vec![text.clone()] };
                refused = self.input(said, &mut outputs)?;
            }
            Act::Does(seat, uci) => {
                // His board comes to show the opponent's move first, if it does not yet.
                if let Some(copy) = self.facts.to_copy(*seat) {
                    let uci = UciMove::from_standard(copy).to_string();
                    self.input(Input::Sighted { seat: *seat, uci }, &mut outputs)?;
                }
                self.facts.shows(*seat, uci);
                let shown = Input::Sighted { seat: *seat, uci: uci.clone() };
                refused = self.input(shown, &mut outputs)?;
            }
            Act::Presses(seat) => {
                expected = self.facts.press(*seat);
                self.facts.presses(*seat);
                refused = self.input(Input::Pressed { seat: *seat }, &mut outputs)?;
                self.facts.has_pressed();
            }
            Act::Settles(ply) => {
                let settle = Settle { ply: *ply, score: None, clocks: None };
                self.rules(ArbiterAct::Settle(Box::new(settle)))?;
            }
            Act::Starts => self.rules(ArbiterAct::StartClocks { side: None })?,
            Act::Rest => self.waits(REST_MS, &mut outputs)?,
        }
        self.waits(STILL_MS, &mut outputs)?;
        self.facts.rest(&self.game, *act == Act::Rest)?;
        match expected {
            Press::Right if clear => self.completes(holder, &outputs, refused.as_ref()),
            Press::Wrong => is_told(&outputs, refused.as_ref()),
            _ => Ok(()),
        }
    }

    /// Nothing but the next move is waited for.
    fn is_clear(&self) -> bool {
        let record = self.game.record().expect("a game");
        !record.halted() && record.proposals.iter().all(|proposal| !proposal.is_open())
    }

    fn hand(&mut self, seat: Color, square: Square, put: bool) -> Result<Vec<Output>, String> {
        let mut outputs = Vec::new();
        self.waits(HAND_MS, &mut outputs)?;
        self.facts.hand(seat, square, put);
        self.input(Input::Edge { seat, square, occupied: put, ago_ms: 0 }, &mut outputs)?;
        Ok(outputs)
    }

    /// The words of a move, of the position or of the one before.
    fn announcement(&self, words: &Words, uci: &str, correction: bool) -> String {
        let record = self.game.record().expect("a game");
        let mut before = record.start().clone();
        for ply in record.line.iter().rev().skip(1).rev() {
            before.play_unchecked(ply.mv);
        }
        let uci: UciMove = uci.parse().expect("a move");
        let said = [record.position, &before].into_iter().find_map(|position| {
            let mv = uci.to_move(position).ok()?;
            Some(words.announce(position, mv, SpokenForm::Full).to_string())
        });
        let said = said.unwrap_or_else(|| "Springer Anna eins Anna drei".to_owned());
        if correction { format!("Korrektur {said}") } else { said }
    }

    /// It is a legal announcement of this player's.
    fn announces(&self, seat: Color, uci: &str) -> bool {
        let uci: UciMove = uci.parse().expect("a move");
        self.facts.may_announce(seat, &uci)
    }

    fn input(
        &mut self,
        input: Input,
        outputs: &mut Vec<Output>,
    ) -> Result<Option<Refused>, String> {
        let at = At::new(self.now_ms);
        let (given, refused) = match handled(&mut self.game, at, input) {
            Ok(given) => (given, None),
            Err(mut refused) => (std::mem::take(&mut refused.meanwhile), Some(refused)),
        };
        if self.shows {
            self.print(&given, refused.as_ref());
        }
        given.iter().try_for_each(|output| self.facts.told(output, &self.game))?;
        outputs.extend(given);
        Ok(refused)
    }

    fn print(&self, given: &[Output], refused: Option<&Refused>) {
        for output in given {
            match output {
                Output::Prepare { .. } | Output::Heard(_) => {}
                Output::Say { channel, words, .. } => println!("    {channel:?}: {words}"),
                other => println!("    {other:?}"),
            }
        }
        if let Some(refused) = refused {
            println!("    refused: {refused}");
        }
    }

    fn waits(&mut self, ms: u64, outputs: &mut Vec<Output>) -> Wrong {
        let end_ms = self.now_ms + ms;
        for _ in 0..100 {
            let Some(at) = self.game.wake_at().filter(|at| at.ms <= end_ms) else {
                self.now_ms = end_ms;
                return Ok(());
            };
            self.now_ms = self.now_ms.max(at.ms);
            self.input(Input::Woke, outputs)?;
        }
        Err("woken again and again".to_owned())
    }

    /// A right press completes the move, and nobody is blamed (6.2.1, D.2.4).
    fn completes(&self, seat: Color, outputs: &[Output], refused: Option<&Refused>) -> Wrong {
        if let Some(refused) = refused {
            return Err(format!("6.2.1: a right press is refused: {refused}"));
        }
        let blamed = outputs.iter().find_map(|output| match output {
            Output::Problem { article, text, .. } if is_offence(*article) => {
                Some(format!("{article} {text}"))
            }
            _ => None,
        });
        if let Some(blamed) = blamed {
            return Err(format!("6.2.1: a right press is an offence: {blamed}"));
        }
        let over = self.game.ended().is_some();
        if !over && self.facts.holder() == seat {
            return Err("6.2.1: a right press completes nothing".to_owned());
        }
        Ok(())
    }

    /// From wherever they are, five sensible steps lead on: the pegs set right, the clocks started
    /// by the arbiter, a legal move, its announcement, the press.
    fn finds_a_way_on(&self, words: &Words) -> Wrong {
        if self.game.ended().is_some() || !self.mark().is_multiple_of(WAY_ON) {
            return Ok(());
        }
        let mut node = self.clone();
        match node.goes_on(words) {
            Ok(true) => Ok(()),
            Ok(false) => {
                let open = node.game.record().expect("a game").proposals.len();
                Err(format!("no way on: {} has the move, {open} proposals", node.facts.holder()))
            }
            Err(wrong) => Err(format!("on a way on, {wrong}")),
        }
    }

    fn goes_on(&mut self, words: &Words) -> Result<bool, String> {
        let mut outputs = Vec::new();
        self.waits(REST_MS, &mut outputs)?;
        for seat in Color::ALL {
            self.sets_right(seat)?;
        }
        self.waits(REST_MS, &mut outputs)?;
        let open: Vec<u32> = {
            let record = self.game.record().expect("a game");
            record.proposals.iter().filter(|of| of.is_open()).map(|of| of.number).collect()
        };
        for number in open {
            self.rules(ArbiterAct::DismissProposal { number })?;
        }
        if self.game.ended().is_some() {
            return Ok(true);
        }
        if self.game.record().is_some_and(|record| record.halted()) {
            self.rules(ArbiterAct::StartClocks { side: None })?;
        }
        let mover = self.facts.holder();
        if mover == self.facts.position().turn() {
            self.plays(words, mover)?;
        } else if let Some(mv) = self.facts.to_repeat(mover) {
            let uci = UciMove::from_standard(mv).to_string();
            self.does(words, &Act::Announces { seat: mover, uci, correction: true })?;
        }
        let press = Input::Pressed { seat: mover };
        self.input(press, &mut outputs)?;
        self.waits(STILL_MS, &mut outputs)?;
        Ok(self.game.ended().is_some() || self.facts.holder() != mover)
    }

    fn sets_right(&mut self, seat: Color) -> Wrong {
        let Some(pegs) = self.facts.pegs[seat] else { return Ok(()) };
        let occupied = self.facts.position().board().occupied();
        let (wrong, missing) = (pegs & !occupied, occupied & !pegs);
        self.toggles(seat, wrong, false)?;
        self.toggles(seat, missing, true)
    }

    fn toggles(&mut self, seat: Color, squares: Bitboard, put: bool) -> Wrong {
        for square in squares {
            self.facts.lends(seat);
            self.hand(seat, square, put)?;
        }
        Ok(())
    }

    /// A legal move of the player to move, as it should be.
    fn plays(&mut self, words: &Words, mover: Color) -> Wrong {
        let position = self.facts.position().clone();
        let moves = position.legal_moves();
        let Some(mv) = moves.iter().find(|mv| !mv.is_capture() && !mv.is_castle()) else {
            return Ok(());
        };
        let uci = UciMove::from_standard(*mv).to_string();
        let mut outputs = Vec::new();
        let text = words.announce(&position, *mv, SpokenForm::Full).to_string();
        if self.facts.is_sighted_with_board(mover) {
            self.does(words, &Act::Does(mover, uci))?;
        } else {
            self.facts.says(mover, &uci);
            let said = Input::Said { seat: Some(mover), heard: vec![text] };
            self.input(said, &mut outputs)?;
        }
        let mut after = position.clone();
        after.play_unchecked(*mv);
        if let Some(pegs) = self.facts.pegs[mover] {
            let (gone, come) = (pegs & !after.board().occupied(), after.board().occupied() & !pegs);
            self.toggles(mover, gone, false)?;
            self.toggles(mover, come, true)?;
        } else if self.facts.is_by_word(mover) {
            self.input(
                Input::Said { seat: Some(mover), heard: vec!["fertig".to_owned()] },
                &mut outputs,
            )?;
        }
        self.waits(REST_MS, &mut outputs)
    }

    fn rules(&mut self, act: ArbiterAct) -> Wrong {
        let mut outputs = Vec::new();
        let ruling = Ruling::new(act, "A. Weber", "as both remember");
        self.input(Input::Arbiter(Box::new(ruling)), &mut outputs)?;
        self.waits(STILL_MS, &mut outputs)
    }

    /// A number for what is so, whenever that is.
    fn mark(&self) -> u64 {
        let mut marks = Marks { hasher: DefaultHasher::new(), now_ms: self.now_ms };
        write!(marks, "{:?}", self.game).expect("a hash takes everything");
        self.facts.hash(&mut marks.hasher);
        marks.hasher.finish()
    }
}

fn is_offence(article: Article) -> bool {
    use Article as A;
    matches!(
        article,
        A::A4_3
            | A::A4_4
            | A::A4_7
            | A::A4_7_2
            | A::A7_5_1
            | A::A7_5_3
            | A::A7_5_4
            | A::D_2_3
            | A::D_2_4
    )
}

/// Whoever presses in vain hears it (D.2.4).
fn is_told(outputs: &[Output], refused: Option<&Refused>) -> Wrong {
    let completed = outputs
        .iter()
        .any(|output| matches!(output, Output::Move { state: MoveState::Completed, .. }));
    if completed {
        return Err("D.2.4: a press completes what no pegs show".to_owned());
    }
    let told =
        outputs.iter().any(|output| matches!(output, Output::Say { .. } | Output::Problem { .. }));
    if told || refused.is_some() {
        return Ok(());
    }
    Err("D.2.4: a press in vain, and nobody is told".to_owned())
}

/// Hashes what is written. Moments count from now, long ago is long ago.
struct Marks {
    hasher: DefaultHasher,
    now_ms: u64,
}

impl Write for Marks {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        match text.parse::<u64>() {
            Ok(n) if (BEGIN_MS..2 * BEGIN_MS).contains(&n) => {
                let from_now = n as i64 - self.now_ms as i64;
                from_now.max(-20_000).hash(&mut self.hasher);
            }
            Ok(n) if (60_000..BEGIN_MS).contains(&n) => (n / 60_000).hash(&mut self.hasher),
            _ => text.hash(&mut self.hasher),
        }
        Ok(())
    }
}
