//! Who can still mate by any series of legal moves (6.9), and which positions are dead (5.2.2).

use std::collections::{BTreeSet, VecDeque};

use annabella_core::{
    game::read_fen,
    laws::winnable::{Budget, Mate, Why, can_mate, dead},
    notation::read_score,
};
use annabella_players::games::random_game;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position, Role,
    Setup, Square, attacks,
};

const NO_SEARCH: Budget = Budget { nodes: 0 };

fn position(fen: &str) -> Chess {
    read_fen(fen).unwrap_or_else(|err| panic!("{err}"))
}

fn ask(fen: &str, color: Color) -> Mate {
    can_mate(&position(fen), color, Budget::default())
}

/// Plays the line out by the rules alone.
#[track_caller]
fn mates(pos: &Chess, color: Color, mate: &Mate) -> bool {
    let Mate::Possible { line } = mate else { return false };
    let mut pos = pos.clone();
    for &mv in line {
        assert!(pos.is_legal(mv), "{mv:?} in {line:?}");
        pos.play_unchecked(mv);
    }
    assert!(pos.is_checkmate() && pos.turn() != color, "no mate by {color}: {line:?}");
    true
}

#[track_caller]
fn possible(fen: &str, color: Color) {
    let mate = ask(fen, color);
    assert!(mates(&position(fen), color, &mate), "{color} in {fen}: {mate:?}");
}

#[track_caller]
fn impossible(fen: &str, color: Color, why: Why) {
    assert_eq!(ask(fen, color), Mate::Impossible { why }, "{color} in {fen}");
}

#[test]
fn a_bare_king_cannot_mate_whatever_the_other_has() {
    impossible("4k3/8/8/8/8/8/PPPP4/QQQQK3 w - - 0 1", Color::Black, Why::LoneKing);
    possible("4k3/8/8/8/8/8/PPPP4/QQQQK3 w - - 0 1", Color::White);
}

#[test]
fn a_knight_needs_a_piece_that_shuts_in_its_own_king() {
    impossible("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", Color::White, Why::Material);
    impossible("3qk3/8/8/8/8/8/8/4KN2 w - - 0 1", Color::White, Why::Material);
    impossible("2qqk3/8/8/8/8/8/8/4KN2 w - - 0 1", Color::White, Why::Material);
    for helper in ["r", "b", "n", "p"] {
        possible(&format!("4k3/8/8/4{helper}3/8/8/8/4KN2 w - - 0 1"), Color::White);
    }
    possible("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", Color::White);
}

#[test]
fn a_bishop_needs_a_piece_that_shuts_its_king_in_on_the_other_colour() {
    impossible("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", Color::White, Why::Material);
    impossible("r3k3/8/8/8/8/8/8/4KB2 w - - 0 1", Color::White, Why::Material);
    impossible("q3k3/8/8/8/8/8/8/4KB2 w - - 0 1", Color::White, Why::Material);
    // f8 is dark, f1 is light.
    possible("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", Color::White);
    possible("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", Color::Black);
    impossible("4k1b1/8/8/8/8/8/8/4KB2 w - - 0 1", Color::White, Why::Material);
    possible("4kn2/8/8/8/8/8/8/4KB2 w - - 0 1", Color::White);
    possible("4k3/5p2/8/8/8/8/8/4KB2 w - - 0 1", Color::White);
}

#[test]
fn two_knights_a_pawn_a_rook_and_two_unlike_bishops_can() {
    for pieces in ["P", "R", "Q", "BN"] {
        let fen = format!("4k3/8/8/8/8/8/{pieces:0<1}{}/4K3 w - - 0 1", 8 - pieces.len());
        possible(&fen, Color::White);
        impossible(&fen, Color::Black, Why::LoneKing);
    }
    possible("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", Color::White);
}

#[test]
fn locked_pawns_and_kings_cannot() {
    let fen = "8/8/1p1p1p1p/1P1P1P1P/8/8/8/k1K5 w - - 0 1";
    possible(fen, Color::White);
    for fen in [
        // Rank by rank, every pawn meets another and nobody gets round.
        "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1",
        "8/3k4/8/1p1p1p1p/pP1P1P1P/P7/3K4/8 b - - 0 1",
        "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1",
    ] {
        impossible(fen, Color::White, Why::Blocked);
        impossible(fen, Color::Black, Why::Blocked);
        assert!(dead(&position(fen), NO_SEARCH), "{fen}");
    }
}

#[test]
fn locked_bishops_behind_their_pawns_cannot() {
    // White's bishop is on the colour of its own pawns and never gets to the other side.
    let fen = "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/6B1/4K3 w - - 0 1";
    impossible(fen, Color::White, Why::Blocked);
    impossible(fen, Color::Black, Why::Blocked);
}

#[test]
fn a_wall_with_a_door_is_none() {
    possible("4k3/8/8/p1p1p1p1/P1P1P3/8/6P1/4K3 w - - 0 1", Color::White);
    possible("4k3/8/8/p1p1p1p1/P1P1P1P1/7N/8/4K3 w - - 0 1", Color::White);
    // En passant opens it: the wall would stand but for the move that may be made just now.
    let open = "4k3/8/1p1p4/pPpPp1p1/P1P1PpPp/5P1P/8/4K3 b - g3 0 1";
    possible(open, Color::Black);
    possible(open, Color::White);
    let shut = "4k3/8/1p1p4/pPpPp1p1/P1P1PpPp/5P1P/8/4K3 b - - 0 1";
    impossible(shut, Color::Black, Why::Blocked);
    impossible(shut, Color::White, Why::Blocked);
}

#[test]
fn a_forced_move_that_takes_the_last_piece_is_seen() {
    // Black must take, and White's king is bare.
    impossible("8/8/8/8/8/1K6/8/kR6 b - - 0 1", Color::White, Why::EveryLine);
    // With the white king a step nearer it need not.
    possible("8/8/8/8/8/8/1K6/3R2k1 b - - 0 1", Color::White);
}

/// What is certain of both players is certain of the position. The search of [`can_mate`] spends
/// half of its budget on its last attempt.
#[test]
fn a_position_is_dead_where_neither_can_mate() {
    let (mut dead_ones, mut alive) = (0, 0);
    for seed in 0..60 {
        let (mut pos, moves) = random_game(seed, 300);
        for mv in &moves {
            pos.play_unchecked(*mv);
            if pos.legal_moves().len() > 3 {
                continue;
            }
            let never = |color| {
                matches!(can_mate(&pos, color, Budget { nodes: 600 }), Mate::Impossible { .. })
            };
            let expected = never(Color::White) && never(Color::Black);
            let fen = annabella_core::game::write_fen(&pos);
            assert_eq!(dead(&pos, Budget { nodes: 300 }), expected, "{fen}");
            *(if expected { &mut dead_ones } else { &mut alive }) += 1;
        }
    }
    assert!(dead_ones > 0 && alive > 100, "{dead_ones} dead, {alive} alive");
    let forced = position("8/8/8/8/8/1K6/8/kR6 b - - 0 1");
    assert!(dead(&forced, Budget { nodes: 100 }) && !dead(&forced, NO_SEARCH));
}

#[test]
fn who_has_been_mated_cannot_and_who_has_mated_can() {
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert_eq!(ask(mated, Color::Black), Mate::Possible { line: vec![] });
    impossible(mated, Color::White, Why::GameOver);
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    impossible(stalemate, Color::White, Why::GameOver);
    impossible(stalemate, Color::Black, Why::GameOver);
}

#[test]
fn without_a_budget_it_is_left_to_the_arbiter() {
    assert_eq!(can_mate(&Chess::default(), Color::White, NO_SEARCH), Mate::Undecided);
    assert!(!dead(&Chess::default(), NO_SEARCH));
    assert!(!dead(&Chess::default(), Budget::default()));
    assert!(dead(&position("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), NO_SEARCH));
}

#[test]
fn in_an_ordinary_game_both_can() {
    let score = "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Nxe4 5. Re1 Nd6 6. Nxe5 Be7 7. Bf1 O-O \
                 8. d4 Nf5 9. c3 d5 10. Qd3 Re8 11. f4 Nd6 12. Re3 Na5 13. Nd2 Nf5 14. Rh3 Nh4 15. g3 Ng6";
    let moves = read_score(&Chess::default(), score).moves();
    assert_eq!(moves.len(), 30);
    let mut pos = Chess::default();
    for (n, mv) in moves.into_iter().enumerate() {
        pos.play_unchecked(mv);
        if n % 3 != 2 {
            continue;
        }
        for color in Color::ALL {
            let mate = can_mate(&pos, color, Budget::default());
            assert!(mates(&pos, color, &mate), "{color} after {mv:?}: {mate:?}");
        }
    }
}

#[test]
fn before_a_mate_that_came_it_was_never_impossible() {
    let mut checked = 0;
    for seed in 0..120 {
        let (start, moves) = random_game(seed, 200);
        let mut positions = vec![start];
        for mv in moves {
            let mut next = positions.last().expect("the start").clone();
            next.play_unchecked(mv);
            positions.push(next);
        }
        let last = positions.last().expect("the start").clone();
        if !last.is_checkmate() {
            continue;
        }
        for pos in positions.iter().rev().take(20) {
            let mate = can_mate(pos, !last.turn(), Budget { nodes: 300 });
            assert!(!matches!(mate, Mate::Impossible { .. }), "seed {seed}: {mate:?}");
            checked += 1;
        }
    }
    assert!(checked > 60, "{checked}");
}

#[test]
fn in_games_nearly_everything_is_decided() {
    let (mut asked, mut undecided) = (0, Vec::new());
    for seed in 1000..1012 {
        let (mut pos, moves) = random_game(seed, 300);
        for (n, mv) in moves.iter().enumerate() {
            pos.play_unchecked(*mv);
            if n % 25 != 24 && n + 1 != moves.len() {
                continue;
            }
            for color in Color::ALL {
                let mate = can_mate(&pos, color, Budget::default());
                asked += 1;
                match mate {
                    Mate::Possible { .. } => assert!(mates(&pos, color, &mate)),
                    Mate::Impossible { .. } => {}
                    Mate::Undecided => undecided.push(format!("{color} in {}", fen(&pos))),
                }
            }
        }
    }
    // One in a hundred; that a mate is found then takes luck or a larger budget.
    assert!(undecided.len() * 50 < asked, "{asked} asked, undecided:\n{}", undecided.join("\n"));
}

fn fen(pos: &Chess) -> String {
    annabella_core::game::write_fen(pos)
}

/// A position with these pieces, if it is a legal one.
fn set_up(turn: Color, pieces: &[(Square, Piece)]) -> Option<Chess> {
    let mut setup = Setup::empty();
    for &(square, piece) in pieces {
        if setup.board.piece_at(square).is_some() {
            return None;
        }
        setup.board.set_piece_at(square, piece);
    }
    setup.turn = turn;
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

/// A mated king's squares up to reflection.
const TRIANGLE: [Square; 10] = [
    Square::A1,
    Square::B1,
    Square::C1,
    Square::D1,
    Square::B2,
    Square::C2,
    Square::D2,
    Square::C3,
    Square::D3,
    Square::D4,
];

/// Every way in which `mating`, supported by its king only, gives check to a king that may be shut
/// in by up to one piece of each of `helpers` on each square beside it. A piece further off only
/// helps that king, so that none is left out.
fn mated_somehow(mating: Role, helpers: &[Role]) -> Option<Chess> {
    let (white, black) = (Color::White, Color::Black);
    for king in TRIANGLE {
        for helper in Square::ALL {
            if helper == king || attacks::king_attacks(king).contains(helper) {
                continue;
            }
            let checks = attacks::attacks(king, mating.of(white), Bitboard::EMPTY);
            for checker in checks.into_iter().filter(|&sq| sq != helper) {
                let occupied = Bitboard::from_square(checker).with(helper);
                let attacked = attacks::king_attacks(helper)
                    | attacks::attacks(checker, mating.of(white), occupied);
                let open: Vec<Square> = (attacks::king_attacks(king) & !attacked)
                    .into_iter()
                    .filter(|&square| square != checker)
                    .collect();
                let ways = helpers.len().pow(open.len() as u32);
                if ways > 3usize.pow(5) || (helpers.is_empty() && !open.is_empty()) {
                    continue;
                }
                for way in 0..ways {
                    let mut pieces = vec![
                        (king, black.king()),
                        (helper, white.king()),
                        (checker, mating.of(white)),
                    ];
                    let mut rest = way;
                    for &square in &open {
                        pieces.push((square, helpers[rest % helpers.len()].of(black)));
                        rest /= helpers.len();
                    }
                    if let Some(pos) = set_up(black, &pieces)
                        && pos.is_checkmate()
                        && pos.has_insufficient_material(white)
                    {
                        return Some(pos);
                    }
                }
            }
        }
    }
    None
}

#[test]
fn what_is_said_about_material_holds_in_every_position() {
    assert_eq!(mated_somehow(Role::Knight, &[Role::Queen]), None);
    assert_eq!(mated_somehow(Role::Bishop, &[Role::Queen, Role::Rook, Role::Bishop]), None);
    // One piece anywhere, not only beside the king.
    for (mating, other) in [
        (Role::Knight, Role::Queen),
        (Role::Bishop, Role::Queen),
        (Role::Bishop, Role::Rook),
        (Role::Bishop, Role::Bishop),
    ] {
        for king in TRIANGLE {
            let checks = attacks::attacks(king, mating.of(Color::White), Bitboard::EMPTY);
            for checker in checks {
                // Nothing mates with the other king further off than two squares: next to the
                // edge it has to hold squares beside the mated one.
                for helper in Square::ALL.into_iter().filter(|sq| sq.distance(king) == 2) {
                    for square in Square::ALL {
                        let pieces = [
                            (king, Color::Black.king()),
                            (helper, Color::White.king()),
                            (checker, mating.of(Color::White)),
                            (square, other.of(Color::Black)),
                        ];
                        let Some(pos) = set_up(Color::Black, &pieces) else { continue };
                        let mated = pos.is_checkmate();
                        let claims = pos.has_insufficient_material(Color::White);
                        assert!(!(mated && claims), "{}", fen(&pos));
                    }
                }
            }
        }
    }
}

/// All positions that can come about, by breadth, written as text: a mate by `color` among them?
/// `None` when there are more than `limit`.
fn by_hand(pos: &Chess, color: Color, limit: usize) -> Option<bool> {
    let key = |pos: &Chess| {
        let setup = pos.to_setup(EnPassantMode::Legal);
        format!("{} {} {:?} {:?}", setup.board, setup.turn, setup.castling_rights, setup.ep_square)
    };
    let mut seen = BTreeSet::from([key(pos)]);
    let mut queue = VecDeque::from([pos.clone()]);
    while let Some(pos) = queue.pop_front() {
        let moves = pos.legal_moves();
        if moves.is_empty() && pos.is_check() && pos.turn() != color {
            return Some(true);
        }
        for mv in moves {
            let mut next = pos.clone();
            next.play_unchecked(mv);
            if seen.insert(key(&next)) {
                queue.push_back(next);
            }
        }
        if seen.len() > limit {
            return None;
        }
    }
    Some(false)
}

/// Pawns head to head on most files, kings, and perhaps a piece.
fn walled(seed: u64) -> Option<Chess> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut board = Board::empty();
    let mut rank = rng.random_range(2..5u32);
    for file in 0..8u32 {
        // A pawn beside one of the same rank could take the pawn in front of that.
        rank = if rank == 1 || (rank < 5 && rng.random_bool(0.5)) { rank + 1 } else { rank - 1 };
        let white = Square::new(rank * 8 + file);
        match rng.random_range(0..30u32) {
            0 => {}
            1 => board.set_piece_at(white, Color::White.pawn()),
            2 => board.set_piece_at(white.offset(8)?, Color::Black.pawn()),
            _ => {
                board.set_piece_at(white, Color::White.pawn());
                board.set_piece_at(white.offset(8)?, Color::Black.pawn());
            }
        }
    }
    let mut pieces = vec![Color::White.king(), Color::Black.king()];
    match seed % 5 {
        0 => pieces.push(Color::White.bishop()),
        1 => pieces.push(Color::Black.bishop()),
        2 => pieces.push(Color::White.knight()),
        _ => {}
    }
    for piece in pieces {
        let square = Square::new(rng.random_range(0..64u32));
        if board.piece_at(square).is_some() {
            return None;
        }
        board.set_piece_at(square, piece);
    }
    let mut setup = Setup::empty();
    setup.board = board;
    setup.turn = if rng.random_bool(0.5) { Color::White } else { Color::Black };
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

#[test]
fn what_is_said_of_walls_holds_in_all_positions_that_can_come_about() {
    let (mut locked, mut searched, mut open, mut compared) = (0, 0, 0, 0);
    for seed in 0..2500 {
        let Some(pos) = walled(seed) else { continue };
        for color in Color::ALL {
            let mate = can_mate(&pos, color, Budget { nodes: 200 });
            match &mate {
                Mate::Undecided => continue,
                Mate::Impossible { why: Why::Blocked } => locked += 1,
                Mate::Impossible { .. } => searched += 1,
                Mate::Possible { .. } => {
                    assert!(mates(&pos, color, &mate));
                    open += 1;
                    continue;
                }
            }
            if let Some(truth) = by_hand(&pos, color, 2500) {
                compared += 1;
                assert!(!truth, "seed {seed}: {color} in {}: {mate:?}", fen(&pos));
            }
        }
    }
    let counts = format!("{locked} locked, {searched} searched, {open} open, {compared} compared");
    assert!(locked > 50 && searched > 0 && open > 20 && compared > 50, "{counts}");
}
