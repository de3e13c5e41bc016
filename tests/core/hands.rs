//! Simulated hands do what hands can do, and leave the board as the move leaves it.

use std::collections::BTreeMap;

use annabella_players::{
    games::random_game,
    hands::{Action, Hands, Handwork, LEAST_MS, Mishap, RawEdge, Style, orders},
};
use proptest::prelude::*;
use shakmaty::{Bitboard, CastlingMode, Chess, Move, Position, Square, fen::Fen, uci::UciMove};

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard).expect("a position")
}

fn orders_of(fen: &str, uci: &str) -> Vec<String> {
    let pos = position(fen);
    let mv = uci.parse::<UciMove>().expect("UCI").to_move(&pos).expect("a legal move");
    orders(&pos, mv)
        .iter()
        .map(|order| order.iter().map(Action::to_string).collect::<Vec<_>>().join(", "))
        .collect()
}

#[test]
fn a_quiet_move_has_one_order() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(orders_of(start, "g1f3"), ["g1 up, f3 down"]);
}

#[test]
fn a_taken_piece_leaves_before_or_after_the_taking_one_is_lifted() {
    assert_eq!(
        orders_of("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5"),
        ["e4 up, d5 up, d5 down", "d5 up, e4 up, d5 down"]
    );
}

#[test]
fn castling_has_six_orders() {
    assert_eq!(
        orders_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
        [
            "e1 up, h1 up, f1 down, g1 down",
            "e1 up, h1 up, g1 down, f1 down",
            "e1 up, g1 down, h1 up, f1 down",
            "h1 up, e1 up, f1 down, g1 down",
            "h1 up, e1 up, g1 down, f1 down",
            "h1 up, f1 down, e1 up, g1 down",
        ]
    );
}

#[test]
fn en_passant_has_three_orders() {
    assert_eq!(
        orders_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"),
        ["d5 up, e5 up, d6 down", "e5 up, d5 up, d6 down", "e5 up, d6 down, d5 up"]
    );
}

#[test]
fn a_pawn_is_exchanged_on_the_last_rank_or_never_gets_there() {
    assert_eq!(
        orders_of("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8n"),
        ["a7 up, a8 down", "a7 up, a8 down, a8 up, a8 down", "a8 down, a7 up",]
    );
    assert_eq!(
        orders_of("1r6/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7b8q"),
        [
            "a7 up, b8 up, b8 down",
            "a7 up, b8 up, b8 down, b8 up, b8 down",
            "b8 up, a7 up, b8 down",
            "b8 up, a7 up, b8 down, b8 up, b8 down",
            "b8 up, b8 down, a7 up",
        ]
    );
}

#[test]
fn an_order_is_printed_with_its_name() {
    let pos = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let mv = "e1g1".parse::<UciMove>().expect("UCI").to_move(&pos).expect("legal");
    let rook_first = &orders(&pos, mv)[5];
    let script = Hands::seeded(1, Style::steady()).play_in_order(&pos, mv, rook_first, 0);
    assert_eq!(script.order.to_string(), "rook first: h1 up, f1 down, e1 up, g1 down");
    assert_eq!(script.touched_first(), Some(Square::H1));
}

#[test]
fn every_order_of_every_move_is_possible_and_ends_as_the_move_does() {
    let mut seen = BTreeMap::<&str, u32>::new();
    for seed in 0..40 {
        let (mut pos, moves) = random_game(seed, 100);
        for played in moves {
            for mv in pos.legal_moves() {
                let after = pos.clone().play(mv).expect("legal").board().occupied();
                let all = orders(&pos, mv);
                assert!(!all.is_empty(), "{mv} has no order");
                for order in all {
                    *seen.entry(annabella_players::hands::name_of(mv, &order)).or_default() += 1;
                    let end = order.iter().try_fold(pos.board().occupied(), |now, a| a.apply(now));
                    assert_eq!(end, Some(after), "{mv} by {order:?}");
                }
            }
            pos = pos.play(played).expect("legal");
        }
    }
    assert_eq!(
        seen.keys().copied().collect::<Vec<_>>(),
        [
            "from hole to hole",
            "king first",
            "king first, both in hand",
            "new piece set, pawn removed last",
            "pawn first, new piece set directly",
            "pawn placed and exchanged",
            "pawn removed, new piece set",
            "rook first",
            "rook first, both in hand",
            "taken pawn first",
            "taken pawn in between",
            "taken pawn last",
            "taken piece first",
            "taken piece first, new piece set directly",
            "taken piece first, pawn placed and exchanged",
            "taken piece in between",
            "taken piece in between, pawn placed and exchanged",
        ]
    );
}

/// What reeds that start from `script.start` read when everything has come to rest.
fn replay(script: &Handwork) -> Bitboard {
    let mut now = script.start;
    for edge in &script.edges {
        assert_ne!(now.contains(edge.square), edge.occupied, "no edge at {edge:?}");
        now.toggle(edge.square);
    }
    now
}

/// Edges with everything shorter than a debounce time of 20 ms left out, per square.
fn settled(edges: &[RawEdge], start: Bitboard) -> BTreeMap<Square, Vec<RawEdge>> {
    let mut by_square = BTreeMap::<Square, Vec<RawEdge>>::new();
    for (n, edge) in edges.iter().enumerate() {
        let next = edges[n + 1..].iter().find(|later| later.square == edge.square);
        let kept = by_square.entry(edge.square).or_default();
        let before = kept.last().map_or(start.contains(edge.square), |e| e.occupied);
        if next.is_none_or(|next| next.t_ms - edge.t_ms > 19) && before != edge.occupied {
            kept.push(*edge);
        }
    }
    by_square
}

fn check(script: &Handwork, style: &Style, before: Bitboard, after: Bitboard, t0_ms: u64) {
    assert_eq!(script.start, style.reading(before));
    assert_eq!(script.finish, style.reading(after));
    assert_eq!(replay(script), script.finish);
    assert!(script.edges.is_sorted_by_key(|edge| edge.t_ms), "out of order");
    assert!(script.edges.iter().all(|e| t0_ms < e.t_ms && e.t_ms <= script.end_ms));
    for (square, edges) in settled(&script.edges, script.start) {
        for pair in edges.windows(2) {
            let apart = pair[1].t_ms - pair[0].t_ms;
            assert!(apart + style.bounce_ms >= LEAST_MS, "{square}: {apart} ms apart");
            assert_ne!(pair[0].occupied, pair[1].occupied);
        }
        // After debouncing only what the hands really did is left.
        let really: Vec<bool> = script
            .actions
            .iter()
            .filter(|(_, action)| action.square() == square)
            .map(|(_, action)| action.occupied())
            .collect();
        assert_eq!(edges.iter().map(|e| e.occupied).collect::<Vec<_>>(), really, "{square}");
    }
    let end = script.actions.iter().try_fold(before, |now, (_, action)| action.apply(now));
    assert_eq!(end, Some(after), "{:?}", script.actions);
    // Three in the hands at most, beside the piece taken.
    let taken = before.count().saturating_sub(after.count());
    let mut in_hand = 0usize;
    for (_, action) in &script.actions {
        in_hand = match action {
            Action::Lift(_) => in_hand + 1,
            Action::Put(_) => in_hand.saturating_sub(1),
        };
        assert!(in_hand <= 3 + taken, "{:?}", script.actions);
    }
}

fn any_style() -> impl Strategy<Value = Style> {
    let range = |low: u64| (low..400u64, 0..600u64).prop_map(|(low, more)| low..=low + more);
    let chance = || (0..=20u32).prop_map(|n| f64::from(n) / 20.0);
    (
        (range(50), range(50), range(50), range(50), 0..=15u64, 50..2000u64),
        (chance(), chance(), chance(), chance(), chance(), chance(), chance()),
        (any::<bool>(), proptest::option::of(0..64u32), proptest::option::of(0..64u32)),
    )
        .prop_map(|(times, chances, (ambiguous, dead, stuck))| Style {
            tempo_ms: times.0,
            slide_ms: times.1,
            pause_ms: times.2,
            dwell_ms: times.3,
            bounce_ms: times.4,
            imitate_ms: times.5,
            hesitate: chances.0,
            two_hands: chances.1,
            brush: chances.2,
            wrong: chances.3,
            put_back: chances.4,
            bump: chances.5,
            hold: chances.6,
            ambiguous,
            dead: dead.map(Square::new).into_iter().collect(),
            stuck: stuck.map(Square::new).into_iter().collect(),
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn whatever_the_style_the_board_ends_as_the_move_does(seed: u64, style in any_style()) {
        let (mut pos, moves) = random_game(seed, 40);
        let mut hands = Hands::seeded(seed, style.clone());
        let mut t_ms = 0;
        for mv in moves {
            let next = pos.clone().play(mv).expect("legal");
            let script = hands.play(&pos, mv, t_ms);
            check(&script, &style, pos.board().occupied(), next.board().occupied(), t_ms);
            prop_assert!(script.rivals.is_empty() || style.ambiguous);
            t_ms = script.end_ms;
            pos = next;
        }
    }

    #[test]
    fn any_board_becomes_any_other(from: u64, to: u64, seed: u64, style in any_style()) {
        let script = Hands::seeded(seed, style.clone()).set_up(Bitboard(from), Bitboard(to), 7);
        check_set_up(&script, &style, Bitboard(from), Bitboard(to));
    }

    #[test]
    fn an_illegal_move_is_left_standing(seed: u64, style in any_style()) {
        let (mut pos, moves) = random_game(seed, 60);
        for mv in moves {
            pos = pos.play(mv).expect("legal");
        }
        let made = Hands::seeded(seed, style.clone()).illegal_move(&pos, 0);
        let Some((script, from, to)) = made else { return Ok(()) };
        let after = pos.board().occupied().without(from).with(to);
        check(&script, &style, pos.board().occupied(), after, 0);
        prop_assert!(!pos.legal_moves().iter().any(|mv| mv.from() == Some(from) && mv.to() == to));
        prop_assert!(pos.us().contains(from) && !pos.us().contains(to));
    }

    #[test]
    fn a_style_is_read_back_from_its_text(style in any_style()) {
        prop_assert_eq!(Style::from_faults(&style.to_string()), Ok(style));
    }

    #[test]
    fn no_list_of_faults_can_panic(text in "[a-z0-9=,.+-]{0,40}") {
        let _ = Style::from_faults(&text);
    }
}

/// Clearing a board holds any number of pegs, so hands are not counted.
fn check_set_up(script: &Handwork, style: &Style, from: Bitboard, to: Bitboard) {
    assert_eq!(script.start, style.reading(from));
    assert_eq!(script.finish, style.reading(to));
    assert_eq!(replay(script), script.finish);
    assert_eq!(script.actions.len(), from.count() + to.count());
    let end = script.actions.iter().try_fold(from, |now, (_, action)| action.apply(now));
    assert_eq!(end, Some(to));
}

#[test]
fn a_seed_is_a_script() {
    let pos = Chess::default();
    let mv = pos.legal_moves()[3];
    let play = |seed| Hands::seeded(seed, Style::clumsy()).play(&pos, mv, 500);
    assert_eq!(play(8141), play(8141));
    assert_ne!(play(8141), play(8142));
}

#[test]
fn steady_hands_make_one_edge_a_movement() {
    let (mut pos, moves) = random_game(3, 60);
    let mut hands = Hands::seeded(3, Style::steady());
    for mv in moves {
        let script = hands.play(&pos, mv, 0);
        assert_eq!(script.edges.len(), script.order.actions.len());
        assert_eq!(script.mishaps, []);
        pos = pos.play(mv).expect("legal");
    }
}

#[test]
fn clumsy_hands_have_every_mishap_and_play_every_order() {
    let (mut wrong, mut back, mut bumped, mut held, mut waited, mut brushed) = (0, 0, 0, 0, 0, 0);
    let (mut orders_seen, mut plies) = (BTreeMap::<&str, u32>::new(), 0);
    for seed in 0..40 {
        let (mut pos, moves) = random_game(seed, 100);
        let mut hands = Hands::seeded(seed, Style::clumsy());
        for mv in moves {
            let script = hands.play(&pos, mv, 0);
            for mishap in &script.mishaps {
                match mishap {
                    Mishap::WrongHole { .. } => wrong += 1,
                    Mishap::PutBack(_) => back += 1,
                    Mishap::Bumped(_) => bumped += 1,
                    Mishap::Held(_) => held += 1,
                    Mishap::Hesitated(_) => waited += 1,
                    Mishap::Brushed(_) => brushed += 1,
                    Mishap::Impossible(action) => panic!("{action} in a move"),
                }
            }
            *orders_seen.entry(script.order.name).or_default() += 1;
            plies += 1;
            pos = pos.play(mv).expect("legal");
        }
    }
    let counts = [wrong, back, bumped, held, waited, brushed];
    assert!(counts.iter().all(|&count| count * 30 > plies), "{counts:?} in {plies} plies");
    assert!(orders_seen.len() >= 16, "{orders_seen:?}");
}

#[test]
fn an_illegal_move_is_found_in_nearly_every_position() {
    let (mut asked, mut made) = (0, 0);
    for seed in 0..30 {
        let (mut pos, moves) = random_game(seed, 60);
        let mut hands = Hands::seeded(seed, Style::human());
        for mv in moves {
            asked += 1;
            made += u32::from(hands.illegal_move(&pos, 0).is_some());
            pos = pos.play(mv).expect("legal");
        }
    }
    assert!(made * 100 >= asked * 95, "{made} of {asked}");
}

#[test]
fn a_pinned_piece_is_moved_by_mistake() {
    // The knight is pinned, the king has moves of his own.
    let pos = position("4r2k/8/8/8/8/4N3/8/4K3 w - - 0 1");
    let overlooked = (0..50)
        .filter_map(|seed| Hands::seeded(seed, Style::steady()).illegal_move(&pos, 0))
        .filter(|(_, from, _)| *from == Square::E3)
        .count();
    assert!(overlooked > 5, "{overlooked}");
}

#[test]
fn a_mishap_may_leave_two_captures_that_the_pegs_cannot_tell_apart() {
    // Both captures leave the same pegs; a bump of the other pawn makes them one to the board.
    let pos = position("4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1");
    let mv = "e4d5".parse::<UciMove>().expect("UCI").to_move(&pos).expect("legal");
    let style = Style { bump: 1.0, hold: 1.0, ambiguous: true, ..Style::steady() };
    let rivals: Vec<Move> = (0..200)
        .flat_map(|seed| Hands::seeded(seed, style.clone()).play(&pos, mv, 0).rivals)
        .collect();
    assert!(!rivals.is_empty());
    assert!(rivals.iter().all(|rival| rival.to() == Square::F5));
    let careful = Style { ambiguous: false, ..style };
    for seed in 0..200 {
        assert_eq!(Hands::seeded(seed, careful.clone()).play(&pos, mv, 0).rivals, []);
    }
}

#[test]
fn pegs_that_look_like_another_move_do_so_for_no_longer_than_allowed() {
    let pos = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let mv = "e1g1".parse::<UciMove>().expect("UCI").to_move(&pos).expect("legal");
    let rook_first = &orders(&pos, mv)[5];
    let style = Style { hesitate: 1.0, imitate_ms: 300, ..Style::steady() };
    for seed in 0..50 {
        let mut hands = Hands::seeded(seed, style.clone());
        let script = hands.play_in_order(&pos, mv, rook_first, 0);
        let alone_ms = script.actions[2].0 - script.actions[1].0;
        assert!(alone_ms <= 300, "the rook stood alone for {alone_ms} ms");
    }
}

#[test]
fn dead_and_stuck_reeds_say_nothing() {
    let style = Style::from_faults("dead=g1,stuck=f3").expect("faults");
    let pos = Chess::default();
    let mv = "g1f3".parse::<UciMove>().expect("UCI").to_move(&pos).expect("legal");
    let script = Hands::seeded(1, style).play(&pos, mv, 0);
    assert_eq!(script.edges, []);
    assert_eq!(script.start, pos.board().occupied().without(Square::G1).with(Square::F3));
    assert_eq!(script.touched, [Square::G1]);
}

#[test]
fn guidance_is_followed_as_far_as_the_holes_allow() {
    use Action::{Lift, Put};
    let told = [Lift(Square::E4), Lift(Square::A1), Put(Square::E2), Put(Square::H8)];
    let occupied = Bitboard::from(Square::E4).with(Square::H8);
    let script = Hands::seeded(1, Style::steady()).correct(occupied, &told, 100);
    let done: Vec<Action> = script.actions.iter().map(|(_, action)| *action).collect();
    assert_eq!(done, [Lift(Square::E4), Put(Square::E2)]);
    assert_eq!(
        script.mishaps.iter().map(Mishap::to_string).collect::<Vec<_>>(),
        ["no peg to take from a1", "h8 is already full"]
    );
}

#[test]
fn a_wrong_list_of_faults_says_what_would_do() {
    let error = |text| Style::from_faults(text).expect_err(text).to_string();
    assert_eq!(
        error("bonce=3"),
        "unknown fault 'bonce': did you mean 'bounce'? known are steady, human, clumsy, tempo, \
         slide, hesitate, pause, two-hands, bounce, brush, wrong, dwell, put-back, bump, hold, \
         imitate, ambiguous, dead, stuck"
    );
    assert_eq!(error("wrong"), "fault 'wrong' has no value: write wrong=0.2");
    assert_eq!(
        error("wrong=2"),
        "fault 'wrong' cannot be '2': a probability from 0 to 1, like 0.2"
    );
    assert_eq!(
        error("human,bounce=16"),
        "fault 'bounce' cannot be '16': milliseconds from 0 to 15: more is no working reed"
    );
    assert_eq!(
        error("dead=j9"),
        "fault 'dead' cannot be 'j9': squares joined by +, like g5 or g5+c3, or none"
    );
    assert_eq!(
        error("tempo=900-120"),
        "fault 'tempo' cannot be '900-120': milliseconds from 50 to 60000, like 120-900 or 200"
    );
}

#[test]
fn a_list_of_faults_adds_to_a_named_style() {
    let style = Style::from_faults("clumsy, dead=g5+c3").expect("faults");
    assert_eq!(
        style,
        Style { dead: Bitboard::from(Square::G5).with(Square::C3), ..Style::clumsy() }
    );
    assert_eq!(Style::from_faults(""), Ok(Style::steady()));
    assert_eq!(
        Style::from_faults("bounce=15,wrong=0.2").expect("faults").to_string(),
        "steady,bounce=15,wrong=0.2"
    );
}
