//! Every legal move, in every order in which two hands can do it, is recovered from the reeds.

use annabella_core::sensing::{Edge, SettleSettings, Tracker};
use annabella_players::{
    games::random_game,
    hands::{Hands, Style, orders},
    pegs::{Pegs, Recovered},
};
use shakmaty::{Chess, Move, Position, Square};

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
                    let result = pegs.recovers(&[], mv, &script);
                    assert!(
                        result.is_ok(),
                        "{result:?} SEED={seed} {} order {order:?}",
                        annabella_core::game::write_fen(&position)
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
        let result = pegs.recovers(&moves[..n], *mv, &script);
        assert!(
            result.is_ok(),
            "{result:?} SEED={seed} style={} ply {}\n{:?}\n{:?}\n{:?}",
            hands.style(),
            n + 1,
            script.order,
            script.actions,
            script.mishaps,
        );
        asked += usize::from(result == Ok(Recovered::Named));
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

/// Hands that execute `first`, take it back in haste and execute `second`: what the board shows
/// then.
fn after_haste(position: &Chess, first: Move, second: Move, back: &[usize]) -> Option<Move> {
    let (from, a, b) = (first.from()?, first.to(), second.to());
    let undone = [(a, false), (from, true), (a, true)];
    let undone: Vec<(Square, bool)> = back.iter().map(|n| undone[*n]).collect();
    let mut tracker = Tracker::new(position.clone(), SettleSettings::default());
    let (mut felt, mut at_ms) = (Vec::new(), 1000);
    let mut hands = |edges: &[(Square, bool)], rest_ms: u64| {
        for (square, occupied) in edges {
            at_ms += 150;
            tracker.advance(at_ms, &mut felt);
            tracker.edge(Edge { at_ms, square: *square, occupied: *occupied }, &mut felt);
        }
        at_ms += rest_ms;
        tracker.advance(at_ms, &mut felt);
        tracker.executed()
    };
    hands(&[(a, false), (from, false), (a, true)], 2000);
    hands(&undone, 50);
    hands(&[(b, false), (from, false), (b, true)], 2000)
}

#[test]
fn of_two_captures_by_one_piece_the_later_one_stands() {
    let mut tried = 0;
    for seed in 0..60 {
        let (start, moves) = random_game(seed, 120);
        let mut position = start;
        for played in moves {
            let legal = position.legal_moves();
            let plain = |mv: &&Move| mv.is_capture() && !mv.is_en_passant() && !mv.is_promotion();
            for first in legal.iter().filter(plain) {
                let same = |mv: &&Move| mv.from() == first.from() && mv.to() != first.to();
                for second in legal.iter().filter(plain).filter(same) {
                    for back in [[0, 1, 2], [0, 2, 1]] {
                        let shown = after_haste(&position, *first, *second, &back);
                        let fen = annabella_core::game::write_fen(&position);
                        assert_eq!(
                            shown,
                            Some(*second),
                            "{fen} first {first} {back:?} SEED={seed}"
                        );
                        tried += 1;
                    }
                }
            }
            position.play_unchecked(played);
        }
    }
    assert!(tried > 500, "only {tried} tried");
}
