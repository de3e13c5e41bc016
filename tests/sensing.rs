//! Every legal move, in every order in which two hands can do it, is recovered from the reeds.

use annabella::{
    sensing::{Debounce, Edge, Felt, Settings, Tracker},
    simulator::{
        games::random_game,
        hands::{Hands, RawEdge, Script, Style, orders},
    },
};
use shakmaty::{Chess, Move, Position};

/// A debounced peg board, as the service and `infer` have it.
struct Pegs {
    debounce: Debounce,
    tracker: Tracker,
    debounce_ms: u64,
    felt: Vec<Felt>,
    line: Vec<Move>,
}

impl Pegs {
    fn new(position: &Chess) -> Pegs {
        Pegs {
            debounce: Debounce::new(20, position.board().occupied()),
            tracker: Tracker::new(position.clone(), Settings::default()),
            debounce_ms: 20,
            felt: Vec::new(),
            line: Vec::new(),
        }
    }

    fn until(&mut self, now_ms: u64) {
        let mut edges = Vec::new();
        while let Some(due_ms) = self.debounce.due_ms().filter(|due_ms| *due_ms <= now_ms) {
            self.debounce.advance(due_ms, &mut edges);
            for edge in edges.drain(..) {
                self.tracker.advance(edge.at_ms, &mut self.felt);
                self.tracker.edge(edge, &mut self.felt);
            }
        }
        self.tracker.advance(now_ms.saturating_sub(self.debounce_ms), &mut self.felt);
    }

    fn feel(&mut self, edges: &[RawEdge]) {
        for edge in edges {
            self.until(edge.t_ms);
            let RawEdge { t_ms, square, occupied } = *edge;
            self.debounce.edge(Edge { at_ms: t_ms, square, occupied });
        }
    }

    /// The moves executed so far, corrections applied.
    fn line(&mut self) -> &[Move] {
        for felt in self.felt.drain(..) {
            match felt {
                Felt::Executed(executed) => {
                    if executed.revises.is_some() {
                        self.line.pop();
                    }
                    self.line.push(executed.mv);
                }
                Felt::TakenBack { .. } => {
                    self.line.pop();
                }
                _ => {}
            }
        }
        &self.line
    }
}

/// Feels one move; names it when the pegs cannot tell, as D.2.1 and D.2.3 ask the player to.
fn recovers(pegs: &mut Pegs, played: &[Move], mv: Move, script: &Script) -> Result<bool, String> {
    pegs.feel(&script.edges);
    pegs.until(script.end_ms + 2000);
    let asked = pegs.tracker.asked().to_vec();
    let named = mv.is_promotion() || !script.rivals.is_empty() || asked.contains(&mv);
    if named {
        let mut felt = std::mem::take(&mut pegs.felt);
        pegs.tracker.announce(script.end_ms + 2000, mv, &mut felt);
        pegs.felt = felt;
    }
    let before = played.len();
    let found = pegs.line();
    if found.len() == before + 1 && found.starts_with(played) && found[before] == mv {
        return Ok(named);
    }
    let found = &found[before.saturating_sub(1).min(found.len())..];
    Err(format!("{mv:?} felt as {found:?}, asked {asked:?}"))
}

#[test]
fn every_legal_move_in_every_order_of_hands_is_recovered() {
    let mut tried = 0;
    for seed in 0..12 {
        let (start, moves) = random_game(seed, 120);
        let mut position = start;
        for played in moves {
            for mv in position.legal_moves() {
                for order in orders(&position, mv) {
                    let mut hands = Hands::seeded(seed, Style::steady());
                    let mut pegs = Pegs::new(&position);
                    let script = hands.play_in_order(&position, mv, &order, 1000);
                    let result = recovers(&mut pegs, &[], mv, &script);
                    assert!(
                        result.is_ok(),
                        "{result:?} SEED={seed} {} order {order:?}",
                        annabella::game::write_fen(&position)
                    );
                    tried += 1;
                }
            }
            position.play_unchecked(played);
        }
    }
    assert!(tried > 10_000, "only {tried} tried");
}

/// Plays a whole game through hands of this style; the pegs must never lose it.
fn play_game(seed: u64, style: Style) -> (usize, usize) {
    let (start, moves) = random_game(seed, 200);
    let mut hands = Hands::seeded(seed, style);
    let mut pegs = Pegs::new(&start);
    let (mut position, mut t_ms) = (start, 1000);
    let mut asked = 0;
    for (n, mv) in moves.iter().enumerate() {
        let script = hands.play(&position, *mv, t_ms);
        let result = recovers(&mut pegs, &moves[..n], *mv, &script);
        assert!(
            result.is_ok(),
            "{result:?} SEED={seed} style={} ply {}\n{:?}\n{:?}\n{:?}",
            hands.style(),
            n + 1,
            script.order,
            script.actions,
            script.mishaps,
        );
        asked += usize::from(result == Ok(true));
        position.play_unchecked(*mv);
        assert_eq!(pegs.tracker.position(), &position);
        t_ms = script.end_ms + 2500;
    }
    (moves.len(), asked)
}

#[test]
fn human_and_clumsy_hands_lose_no_ply_of_whole_games() {
    let (mut plies, mut asked) = (0, 0);
    for seed in 100..220 {
        for style in [Style::human(), Style::clumsy()] {
            let (p, a) = play_game(seed, style);
            plies += p;
            asked += a;
        }
    }
    assert!(plies > 4000, "only {plies} plies");
    assert!(asked * 10 < plies, "asked for {asked} of {plies} plies");
}
