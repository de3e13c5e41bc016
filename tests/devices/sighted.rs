//! The sighted player's board: every move made on it is found, whatever the hands do, and what is
//! wrong is said as what it is.

use std::time::{Duration, Instant};

use annabella_core::sight::judge::{
    BoardStanding, Finding, IllegalMove, Judge, JudgeSettings, SquareDifference, Stand,
};
use annabella_devices::{
    dgt::{
        codec::Facing,
        session::{BoardEvent, DgtEvent, DgtSession},
    },
    sighted::{
        Picture, Seen, SightedBoard, SquareShown,
        reed::{ReedBoard, ReedReport},
        sim::SimBoard,
        still::{StillSettings, Stillness},
    },
};
use annabella_emulators::dgt::{Faults, Fingers, Placing, SimulatedDgt};
use annabella_players::games::random_game;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{
    Board, CastlingMode, Chess, Color, Move, Piece, Position, Role, Square, fen::Fen, uci::UciMove,
};

use crate::patience::PATIENCE;

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard).expect("a position")
}

fn mv(position: &Chess, uci: &str) -> Move {
    uci.parse::<UciMove>().expect("UCI").to_move(position).expect("a legal move")
}

fn after(position: &Chess, uci: &str) -> Chess {
    position.clone().play(mv(position, uci)).expect("a legal move")
}

/// A judge and the board that it sees, changed by hand.
struct Desk {
    judge: Judge,
    now_ms: u64,
    found: Vec<Finding>,
}

impl Desk {
    fn new(seat: Color, position: &Chess) -> Desk {
        let judge = Judge::new(seat, position.clone(), JudgeSettings::default());
        let mut desk = Desk { judge, now_ms: 0, found: Vec::new() };
        desk.shows(position.board());
        assert_eq!(desk.take(), []);
        desk
    }

    fn shows(&mut self, board: &Board) {
        self.sees(Picture::Pieces(board.clone()));
    }

    fn sees(&mut self, picture: Picture) {
        self.now_ms += 1000;
        let at_ms = self.now_ms;
        self.see(Seen::Still { picture, at_ms });
    }

    fn lifts(&mut self, square: Square) {
        let at_ms = self.now_ms;
        self.see(Seen::Lifted { square, at_ms });
    }

    fn see(&mut self, seen: Seen) {
        ask(&mut self.judge, self.now_ms, &mut self.found, |judge, found| judge.see(seen, found));
    }

    fn advance(&mut self, now_ms: u64) {
        ask(&mut self.judge, now_ms, &mut self.found, |judge, found| judge.advance(now_ms, found));
    }

    fn wait(&mut self, ms: u64) {
        let until_ms = self.now_ms + ms;
        while let Some(due_ms) = self.judge.due_ms().filter(|due_ms| *due_ms <= until_ms) {
            self.advance(due_ms);
        }
        self.now_ms = until_ms;
        self.advance(until_ms);
    }

    fn expect(&mut self, mv: Move) {
        expect(&mut self.judge, self.now_ms, mv, &mut self.found);
    }

    fn complete(&mut self) {
        complete(&mut self.judge, self.now_ms, &mut self.found);
    }

    fn take(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.found)
    }
}

/// The judge finds something, and the game takes it in.
pub(crate) fn ask(
    judge: &mut Judge,
    now_ms: u64,
    found: &mut Vec<Finding>,
    find: impl FnOnce(&mut Judge, &mut Vec<Finding>),
) {
    let mut news = Vec::new();
    find(judge, &mut news);
    let mut taken = 0;
    while let Some(finding) = news.get(taken).cloned() {
        taken += 1;
        let stand = judge.stand().clone();
        let stand = match finding {
            Finding::Moved { mv, .. } => Stand { made: Some(mv), ..stand },
            Finding::TakenBack { .. } => Stand { made: None, ..stand },
            Finding::Executed { .. } => Stand::at(stand.wanted()),
            _ => continue,
        };
        judge.stands(now_ms, stand, &mut news);
    }
    found.extend(news);
}

/// The other player's move is to be executed.
pub(crate) fn expect(judge: &mut Judge, now_ms: u64, mv: Move, found: &mut Vec<Finding>) {
    let stand = Stand { owed: Some(mv), ..judge.stand().clone() };
    ask(judge, now_ms, found, |judge, found| judge.stands(now_ms, stand, found));
}

/// The player has pressed his clock: the move that the board shows stands.
pub(crate) fn complete(judge: &mut Judge, now_ms: u64, found: &mut Vec<Finding>) {
    ask(judge, now_ms, found, Judge::come_to_rest);
    let Stand { base, made, .. } = judge.stand().clone();
    if let Some(mv) = made {
        let stand = Stand::at(base.play(mv).expect("legal"));
        ask(judge, now_ms, found, |judge, found| judge.stands(now_ms, stand, found));
    }
}

fn moved(mv: Move, at_ms: u64) -> Finding {
    Finding::Moved { mv, instead_of: None, at_ms }
}

fn changed(board: &Board, changes: &[(Square, Option<Piece>)]) -> Board {
    let mut board = board.clone();
    for (square, piece) in changes {
        match piece {
            Some(piece) => board.set_piece_at(*square, *piece),
            None => board.discard_piece_at(*square),
        }
    }
    board
}

#[test]
fn a_move_is_found_and_taken_back_and_replaced_until_the_clock_is_pressed() {
    let start = Chess::default();
    let mut desk = Desk::new(Color::White, &start);
    let (e4, e3) = (mv(&start, "e2e4"), mv(&start, "e2e3"));
    desk.shows(after(&start, "e2e3").board());
    // It may go on.
    desk.wait(1999);
    assert_eq!((desk.take(), desk.judge.standing()), (vec![], BoardStanding::Moving));
    desk.wait(1);
    assert_eq!(desk.take(), [moved(e3, 2000)]);
    desk.shows(after(&start, "e2e4").board());
    assert_eq!(desk.take(), [Finding::Moved { mv: e4, instead_of: Some(e3), at_ms: 5000 }]);
    desk.shows(start.board());
    assert_eq!(desk.take(), [Finding::TakenBack { mv: e4, at_ms: 6000 }]);
    desk.shows(after(&start, "e2e4").board());
    desk.complete();
    assert_eq!(desk.take(), [moved(e4, 7000)]);
    assert_eq!(desk.judge.stand().base, after(&start, "e2e4"));
    desk.wait(60_000);
    assert_eq!((desk.take(), desk.judge.standing()), (vec![], BoardStanding::Agrees));
}

#[test]
fn a_lift_on_his_own_turn_is_a_touch_once_with_its_time() {
    let start = Chess::default();
    let mut desk = Desk::new(Color::White, &start);
    desk.lifts(Square::E2);
    desk.lifts(Square::E2);
    // Slid over: nothing stood there.
    desk.lifts(Square::E3);
    let touched = |square, piece, at_ms| Finding::Touched { square, piece, at_ms };
    assert_eq!(desk.take(), [touched(Square::E2, Color::White.pawn(), 1000)]);
    desk.shows(after(&start, "e2e4").board());
    desk.complete();
    desk.take();
    // Not his turn.
    desk.lifts(Square::D2);
    assert_eq!(desk.take(), []);
    // Executing the opponent's move is no touch; another piece is.
    let e4 = after(&start, "e2e4");
    desk.expect(mv(&e4, "e7e5"));
    desk.lifts(Square::E7);
    assert_eq!(desk.take(), []);
    desk.lifts(Square::G1);
    assert_eq!(desk.take(), [touched(Square::G1, Color::White.knight(), 2000)]);
}

#[test]
fn not_executed_yet_is_said_once_and_is_no_difference() {
    let start = Chess::default();
    let mut desk = Desk::new(Color::Black, &start);
    let e4 = mv(&start, "e2e4");
    desk.expect(e4);
    assert_eq!(desk.judge.standing(), BoardStanding::Pending);
    desk.wait(120_000);
    assert_eq!(desk.take(), [Finding::NotExecuted { mv: e4, since_ms: 1000 }]);
    desk.shows(after(&start, "e2e4").board());
    assert_eq!(desk.take(), [Finding::Executed { mv: e4, at_ms: 122_000 }]);
    assert_eq!(desk.judge.standing(), BoardStanding::Agrees);
}

#[test]
fn an_executed_move_and_the_answer_may_come_in_one_picture() {
    let start = Chess::default();
    let mut desk = Desk::new(Color::Black, &start);
    let e4 = mv(&start, "e2e4");
    desk.expect(e4);
    let position = after(&start, "e2e4");
    let e5 = mv(&position, "e7e5");
    desk.shows(after(&position, "e7e5").board());
    assert_eq!(desk.take(), [Finding::Executed { mv: e4, at_ms: 2000 }, moved(e5, 2000)]);
}

#[test]
fn a_move_executed_wrongly_makes_the_boards_differ_and_agree_again_once() {
    let start = Chess::default();
    let mut desk = Desk::new(Color::Black, &start);
    desk.expect(mv(&start, "e2e4"));
    desk.shows(after(&start, "d2d4").board());
    assert_eq!(desk.take(), []);
    desk.wait(60_000);
    let pawn = Color::White.pawn();
    let wrong = |square, shown, wanted| SquareDifference { square, shown, wanted };
    assert_eq!(
        desk.take(),
        [Finding::Differ {
            differences: vec![
                wrong(Square::D2, SquareShown::Empty, Some(pawn)),
                wrong(Square::E2, SquareShown::Piece(pawn), None),
                wrong(Square::D4, SquareShown::Piece(pawn), None),
                wrong(Square::E4, SquareShown::Empty, Some(pawn)),
            ],
            illegal: None,
            since_ms: 2000,
        }]
    );
    desk.shows(after(&start, "e2e4").board());
    let e4 = mv(&start, "e2e4");
    let now_ms = desk.now_ms;
    assert_eq!(
        desk.take(),
        [Finding::Executed { mv: e4, at_ms: now_ms }, Finding::Agree { at_ms: now_ms }]
    );
    desk.wait(60_000);
    assert_eq!(desk.take(), []);
}

#[test]
fn an_illegal_move_is_told_with_its_piece() {
    let start = Chess::default();
    let mut desk = Desk::new(Color::White, &start);
    let knight = Color::White.knight();
    desk.shows(&changed(start.board(), &[(Square::G1, None), (Square::G3, Some(knight))]));
    desk.wait(2500);
    assert_eq!(desk.take(), []);
    desk.wait(1000);
    let found = desk.take();
    let [Finding::Differ { illegal, .. }] = &found[..] else { panic!("{found:?}") };
    let (from, to) = (Square::G1, Square::G3);
    assert_eq!(*illegal, Some(IllegalMove { piece: knight, from, to, beside: None }));
}

#[test]
fn what_was_said_to_be_missing_is_no_part_of_a_later_move_7_4_1() {
    let position = position("4k3/8/2n5/3p4/8/8/4K3/R7 w - - 0 1");
    let rook = Color::White.rook();
    let moves = |to| [(Square::C6, None), (Square::A1, None), (to, Some(rook))];
    let illegal = |found: &[Finding]| match found {
        [Finding::Differ { illegal, .. }] => *illegal,
        _ => panic!("{found:?}"),
    };
    let wrong_capture = IllegalMove { piece: rook, from: Square::A1, to: Square::A5, beside: None };
    // Both in one go, or one soon after the other: a piece was taken that the move does not take.
    for soon in [false, true] {
        let mut desk = Desk::new(Color::White, &position);
        if soon {
            desk.shows(&changed(position.board(), &[(Square::C6, None)]));
            desk.wait(5000);
        }
        desk.shows(&changed(position.board(), &moves(Square::A5)));
        desk.judge.left(&mut desk.found);
        assert_eq!(illegal(&desk.take()), Some(wrong_capture));
    }
    // The knight fell, and he was told.
    let mut desk = Desk::new(Color::White, &position);
    desk.shows(&changed(position.board(), &[(Square::C6, None)]));
    desk.wait(20_000);
    assert_eq!(illegal(&desk.take()), None);
    desk.shows(&changed(position.board(), &moves(Square::A5)));
    desk.judge.left(&mut desk.found);
    assert_eq!(desk.take(), []);
    assert_eq!(desk.judge.standing(), BoardStanding::Differs);
    // An illegal move beside it is one.
    desk.shows(&changed(position.board(), &moves(Square::B5)));
    desk.judge.left(&mut desk.found);
    assert_eq!(illegal(&desk.take()), Some(IllegalMove { to: Square::B5, ..wrong_capture }));
    // It stands again, and is taken off by hand.
    desk.shows(position.board());
    desk.take();
    desk.shows(&changed(position.board(), &moves(Square::A5)));
    desk.judge.left(&mut desk.found);
    assert_eq!(illegal(&desk.take()), Some(wrong_capture));
}

#[test]
fn a_press_ends_the_patience_with_a_difference_but_not_with_a_piece_in_the_hand() {
    let start = Chess::default();
    let mut desk = Desk::new(Color::White, &start);
    desk.shows(&changed(start.board(), &[(Square::D2, None)]));
    desk.judge.pressed(&mut desk.found);
    assert_eq!(desk.take(), []);
    let pawn = Some(Color::White.pawn());
    let wrong = changed(start.board(), &[(Square::D2, None), (Square::D5, pawn)]);
    desk.shows(&wrong);
    desk.judge.pressed(&mut desk.found);
    assert!(matches!(desk.take().as_slice(), [Finding::Differ { illegal: Some(_), .. }]));
    // A board that is gone shows nothing that could be held against anybody.
    let mut desk = Desk::new(Color::White, &start);
    desk.shows(&wrong);
    desk.judge.see(Seen::Lost { why: String::new(), at_ms: desk.now_ms }, &mut desk.found);
    desk.take();
    desk.judge.pressed(&mut desk.found);
    assert_eq!(desk.take(), []);
}

#[test]
fn a_piece_in_the_hand_is_no_difference() {
    let start = position("r3k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let mut desk = Desk::new(Color::White, &start);
    desk.shows(&changed(start.board(), &[(Square::H1, None)]));
    desk.wait(50_000);
    assert_eq!((desk.take(), desk.judge.standing()), (vec![], BoardStanding::Moving));
    // Castling half done: the king stands where no king's move of his goes.
    let king = Some(Color::White.king());
    desk.shows(&changed(start.board(), &[(Square::E1, None), (Square::G1, king)]));
    desk.wait(9000);
    assert_eq!(desk.take(), []);
    desk.shows(after(&start, "e1g1").board());
    let castling = mv(&start, "e1g1");
    assert_eq!(desk.take(), [moved(castling, desk.now_ms)]);
}

#[test]
fn the_promoted_piece_is_seen() {
    let start = position("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
        let mut desk = Desk::new(Color::White, &start);
        // The pawn first, as hands do.
        let pawn = Some(Color::White.pawn());
        desk.shows(&changed(start.board(), &[(Square::A7, None), (Square::A8, pawn)]));
        assert_eq!(desk.take(), []);
        let promoted = Move::Normal {
            role: Role::Pawn,
            from: Square::A7,
            capture: None,
            to: Square::A8,
            promotion: Some(role),
        };
        desk.shows(start.clone().play(promoted).expect("legal").board());
        assert_eq!(desk.take(), [moved(promoted, 3000)]);
    }
}

#[test]
fn reeds_tell_captures_apart_by_the_square_that_was_empty_in_between() {
    // The rook may take on b1 or on a2.
    let start = position("7k/8/8/8/8/8/n7/Rn5K w - - 0 1");
    let (a2, b1) = (mv(&start, "a1a2"), mv(&start, "a1b1"));
    let occupied = Picture::Occupied(after(&start, "a1b1").board().occupied());
    let both = |found: &[Finding]| {
        let [Finding::Which { moves, .. }] = found else { panic!("{found:?}") };
        assert!(moves.len() == 2 && moves.contains(&a2) && moves.contains(&b1), "{moves:?}");
    };
    // Neither square was empty: the rook is in the hand, until he presses.
    let mut desk = Desk::new(Color::White, &start);
    desk.sees(occupied.clone());
    desk.wait(20_000);
    assert_eq!((desk.take(), desk.judge.standing()), (vec![], BoardStanding::Moving));
    desk.judge.left(&mut desk.found);
    both(&desk.take());
    // Nobody watched.
    let mut desk = Desk::new(Color::White, &start);
    desk.see(Seen::Lost { why: String::new(), at_ms: 1000 });
    desk.see(Seen::Back { at_ms: 1000 });
    desk.sees(occupied.clone());
    both(&desk.take());
    let mut desk = Desk::new(Color::White, &start);
    desk.lifts(Square::A1);
    desk.lifts(Square::B1);
    desk.take();
    desk.sees(occupied);
    assert_eq!(desk.take(), [moved(b1, 2000)]);
}

#[test]
fn by_reeds_a_lift_is_never_a_capture_4_7() {
    let start = position("4r1k1/8/8/8/8/8/6PP/4R2K b - - 0 1");
    let occupied = |position: &Chess| Picture::Occupied(position.board().occupied());
    let lifted = Picture::Occupied(start.board().occupied().without(Square::E8));
    let mut desk = Desk::new(Color::Black, &start);
    desk.sees(occupied(&start));
    desk.lifts(Square::E8);
    desk.take();
    desk.sees(lifted.clone());
    desk.wait(2000);
    assert_eq!(desk.take(), []);
    // He plays elsewhere.
    desk.sees(occupied(&after(&start, "e8d8")));
    desk.wait(2000);
    let found = desk.take();
    assert!(matches!(&found[..], [Finding::Moved { mv: m, .. }] if *m == mv(&start, "e8d8")));
    // What was touched and stands again captures nothing later.
    let mut desk = Desk::new(Color::Black, &start);
    desk.lifts(Square::E1);
    desk.sees(occupied(&start));
    desk.lifts(Square::E8);
    desk.take();
    desk.sees(lifted.clone());
    assert_eq!(desk.take(), []);
    // The rook is taken off, and his own put there.
    desk.lifts(Square::E1);
    desk.sees(lifted.clone());
    assert_eq!(desk.take(), [moved(mv(&start, "e8e1"), desk.now_ms)]);
    // It was pushed off its square, and he presses.
    let mut desk = Desk::new(Color::Black, &start);
    desk.lifts(Square::E8);
    desk.sees(lifted);
    desk.take();
    desk.judge.left(&mut desk.found);
    assert_eq!(desk.take(), [moved(mv(&start, "e8e1"), desk.now_ms)]);
}

#[test]
fn by_reeds_a_capture_that_is_none_is_told_with_its_squares_3_1_2() {
    let start = position("k7/8/8/4p3/4P3/8/8/7K b - - 0 1");
    let mut desk = Desk::new(Color::Black, &start);
    desk.lifts(Square::E4);
    desk.lifts(Square::E5);
    desk.take();
    desk.sees(Picture::Occupied(start.board().occupied().without(Square::E5)));
    desk.judge.left(&mut desk.found);
    let found = desk.take();
    let [Finding::Differ { illegal, .. }] = &found[..] else { panic!("{found:?}") };
    let (piece, from, to) = (Color::Black.pawn(), Square::E5, Square::E4);
    assert_eq!(*illegal, Some(IllegalMove { piece, from, to, beside: None }));
}

#[test]
fn by_reeds_taking_off_the_piece_that_the_opponent_captures_is_no_touch_4_3() {
    let start = position("6k1/8/8/8/4r3/8/8/R3N2K b - - 0 1");
    let capture = mv(&start, "e4e1");
    let taken = after(&start, "e4e1");
    let mut desk = Desk::new(Color::White, &start);
    desk.expect(capture);
    // The capturing piece first, and a pause.
    desk.lifts(Square::E4);
    desk.sees(Picture::Occupied(taken.board().occupied()));
    assert_eq!(desk.take(), [Finding::Executed { mv: capture, at_ms: desk.now_ms }]);
    desk.lifts(Square::E1);
    desk.sees(Picture::Occupied(taken.board().occupied()));
    assert_eq!(desk.take(), []);
    // The reply is a capture there when that square has been empty once more.
    desk.lifts(Square::A1);
    let touched = |square, piece, at_ms| Finding::Touched { square, piece, at_ms };
    assert_eq!(desk.take(), [touched(Square::A1, Color::White.rook(), desk.now_ms)]);
    desk.sees(Picture::Occupied(taken.board().occupied().without(Square::A1)));
    assert_eq!(desk.take(), []);
    desk.lifts(Square::E1);
    desk.sees(Picture::Occupied(taken.board().occupied().without(Square::A1)));
    let reply = moved(mv(&taken, "a1e1"), desk.now_ms);
    assert_eq!(desk.take(), [touched(Square::E1, Color::Black.rook(), desk.now_ms - 1000), reply]);
}

/// An emulated board, the conversation with it, and the judge, in time of their own.
struct Stack {
    device: SimulatedDgt,
    session: DgtSession,
    stillness: Stillness,
    judge: Judge,
    now_ms: u64,
    found: Vec<Finding>,
}

/// The stack looks at its times so often.
const STEP_MS: u64 = 5;

impl Stack {
    fn new(seed: u64, faults: Faults, start: &Chess) -> Stack {
        let board = start.board();
        let mut stack = Stack {
            device: SimulatedDgt::new(seed, faults, board),
            session: DgtSession::new(0),
            stillness: Stillness::new(StillSettings::default(), board.clone()),
            judge: Judge::new(Color::White, start.clone(), JudgeSettings::default()),
            now_ms: 0,
            found: Vec::new(),
        };
        stack.until(3000);
        stack
    }

    fn until(&mut self, until_ms: u64) {
        while self.now_ms < until_ms {
            self.now_ms += STEP_MS;
            self.step();
        }
    }

    fn step(&mut self) {
        let now_ms = self.now_ms;
        let (mut events, mut seen) = (Vec::new(), Vec::new());
        let bytes = self.device.transmit(now_ms);
        self.session.read(now_ms, &bytes, &mut events);
        if self.stillness.advance(now_ms) {
            self.session.look();
        }
        while let Some(bytes) = self.session.write(now_ms, &mut events) {
            self.device.receive(now_ms, &bytes);
        }
        for event in events {
            match event {
                DgtEvent::Board(BoardEvent::Ready(_)) => self.stillness.back(now_ms, &mut seen),
                DgtEvent::Board(BoardEvent::Dump(dump)) => {
                    self.stillness.dump(now_ms, &dump, &mut seen);
                }
                DgtEvent::Board(BoardEvent::Update { field, code }) => {
                    self.stillness.update(now_ms, field, code, &mut seen);
                }
                DgtEvent::Silent => self.session.reopened(now_ms),
                DgtEvent::Board(BoardEvent::Lost(_)) | DgtEvent::Clock(_) => {}
            }
        }
        let find = |judge: &mut Judge, found: &mut Vec<Finding>| {
            for seen in seen {
                judge.see(seen, found);
            }
            judge.advance(now_ms, found);
        };
        ask(&mut self.judge, now_ms, &mut self.found, find);
    }

    fn play(&mut self, placings: &[Placing]) {
        for Placing { t_ms, square, piece } in placings {
            self.until(*t_ms);
            self.device.put(self.now_ms, *square, *piece);
        }
    }
}

/// Plays random games through the whole stack; both players' moves are recovered as they are made.
fn games_are_recovered(seeds: std::ops::Range<u64>, plies: usize, faults: Faults) {
    for seed in seeds {
        let (start, moves) = random_game(seed, plies);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut stack = Stack::new(seed, faults, &start);
        let mut position = start;
        // The judge watches for one player; the moves are his and the other's in turn.
        let seat = position.turn();
        stack.judge = Judge::new(seat, position.clone(), JudgeSettings::default());
        for (n, mv) in moves.into_iter().enumerate() {
            let own = position.turn() == seat;
            if !own {
                expect(&mut stack.judge, stack.now_ms, mv, &mut stack.found);
            }
            let thinking_ms = rng.random_range(100..1500);
            let playing =
                Fingers::default().play(&mut rng, &position, mv, stack.now_ms + thinking_ms);
            stack.play(&playing.placings);
            position.play_unchecked(mv);
            assert_eq!(stack.device.board(), *position.board(), "SEED={seed} ply={n} {mv:?}");
            stack.until(playing.end_ms + 1500);
            // With faults a dump or two more may be needed.
            let wait_ms = if faults == Faults::default() { 0 } else { 9000 };
            let late_ms = stack.now_ms + wait_ms;
            let shows = |judge: &Judge| {
                judge.picture().is_some_and(|picture| picture.fits(position.board()))
            };
            while (!shows(&stack.judge) || stack.judge.is_moving()) && stack.now_ms < late_ms {
                stack.until(stack.now_ms + 100);
            }
            if own {
                // Nothing is announced that he did not make, and at his press all is known.
                complete(&mut stack.judge, stack.now_ms, &mut stack.found);
                let moves: Vec<Move> = stack
                    .found
                    .iter()
                    .filter_map(|finding| match finding {
                        Finding::Moved { mv, .. } => Some(*mv),
                        _ => None,
                    })
                    .collect();
                assert_eq!(moves, [mv], "SEED={seed} ply={n} {:?}", stack.found);
            } else {
                let done = stack.found.iter().any(
                    |finding| matches!(finding, Finding::Executed { mv: done, .. } if *done == mv),
                );
                let late_ms = stack.now_ms + wait_ms;
                let mut done = done;
                while !done && stack.now_ms < late_ms {
                    stack.until(stack.now_ms + 100);
                    done = stack.judge.standing() == BoardStanding::Agrees;
                }
                assert!(done, "SEED={seed} ply={n} {mv:?} {:?}", stack.found);
            }
            let differ =
                stack.found.iter().find(|finding| matches!(finding, Finding::Differ { .. }));
            assert_eq!(differ, None, "SEED={seed} ply={n} {mv:?}");
            stack.found.clear();
        }
    }
}

#[test]
fn every_move_of_random_games_is_recovered_through_an_emulated_board() {
    games_are_recovered(0..100, 90, Faults::default());
}

#[test]
fn a_turned_board_is_as_good() {
    games_are_recovered(100..104, 40, Faults { turned: true, ..Faults::default() });
}

#[test]
fn lost_bytes_and_garbage_lose_no_move() {
    let faults = Faults { lost_permille: 3, garbage_permille: 2, ..Faults::default() };
    games_are_recovered(200..280, 60, faults);
}

#[test]
fn a_rook_that_slides_over_three_squares_is_one_move() {
    // a8–d8–e8 on a real game: greedy readers took the first square for the move.
    let start = position("r5k1/8/8/8/8/8/6PP/6K1 b - - 0 1");
    let mut stack = Stack::new(1, Faults::default(), &start);
    stack.judge = Judge::new(Color::Black, start.clone(), JudgeSettings::default());
    stack.found.clear();
    let rook = Some(Color::Black.rook());
    let way = [Square::A8, Square::B8, Square::C8, Square::D8, Square::E8];
    let mut t_ms = stack.now_ms;
    for pair in way.windows(2) {
        stack.play(&[
            Placing { t_ms: t_ms + 60, square: pair[0], piece: None },
            Placing { t_ms: t_ms + 120, square: pair[1], piece: rook },
        ]);
        t_ms += 180;
    }
    stack.until(t_ms + 3500);
    let moves: Vec<&Finding> =
        stack.found.iter().filter(|f| matches!(f, Finding::Moved { .. })).collect();
    let wanted = mv(&start, "a8e8");
    assert!(
        matches!(moves[..], [Finding::Moved { mv, instead_of: None, .. }] if *mv == wanted),
        "{moves:?}"
    );
}

#[test]
fn in_time_trouble_a_board_is_still_sooner() {
    let still_after = |hurry: bool| {
        let start = Board::new();
        let mut stillness = Stillness::new(StillSettings::default(), start.clone());
        let mut seen = Vec::new();
        let dump = annabella_devices::dgt::codec::Dump::of(&start, Facing::ConnectorLeft);
        stillness.hurry(hurry);
        stillness.back(0, &mut seen);
        stillness.dump(0, &dump, &mut seen);
        stillness.due_ms()
    };
    assert_eq!((still_after(false), still_after(true)), (Some(250), Some(100)));
}

pub(crate) fn until_still(board: &mut dyn SightedBoard) -> (Vec<Square>, Picture) {
    let until = Instant::now() + PATIENCE;
    let mut lifted = Vec::new();
    while Instant::now() < until {
        match board.next(Duration::from_millis(500)) {
            Some(Seen::Still { picture, .. }) => return (lifted, picture),
            Some(Seen::Lifted { square, .. }) => lifted.push(square),
            _ => {}
        }
    }
    panic!("the board never came to rest");
}

/// What every board that sees something does.
pub(crate) fn a_board_that_sees(
    board: &mut dyn SightedBoard,
    put: &dyn Fn(Square, Option<Piece>),
    plug: &dyn Fn(bool),
) {
    let start = Chess::default();
    let (_, picture) = until_still(board);
    assert!(picture.fits(start.board()), "{picture:?}");
    // A move, slid over a square.
    let pawn = Some(Color::White.pawn());
    put(Square::E2, None);
    std::thread::sleep(Duration::from_millis(240));
    put(Square::E3, pawn);
    std::thread::sleep(Duration::from_millis(60));
    put(Square::E3, None);
    put(Square::E4, pawn);
    let until = Instant::now() + PATIENCE;
    let e4 = after(&start, "e2e4");
    let mut lifted = Vec::new();
    loop {
        let (more, picture) = until_still(board);
        lifted.extend(more);
        if picture.fits(e4.board()) {
            break;
        }
        assert!(Instant::now() < until, "{picture:?}");
    }
    assert!(lifted.contains(&Square::E2), "{lifted:?}");
    // Nothing new, nothing said; asked, it says it again.
    assert_eq!(board.next(Duration::from_millis(600)), None);
    board.look();
    let (_, picture) = until_still(board);
    assert!(picture.fits(e4.board()));
    // Unplugged it is missed, and what changed meanwhile is seen when it is back.
    plug(false);
    let gone = (0..10).find_map(|_| board.next(Duration::from_secs(1)));
    assert!(matches!(gone, Some(Seen::Lost { .. })), "{gone:?}");
    put(Square::G8, None);
    put(Square::F6, Some(Color::Black.knight()));
    plug(true);
    let (_, picture) = until_still(board);
    assert!(picture.fits(after(&e4, "g8f6").board()), "{picture:?}");
}

#[test]
fn a_simulated_board_of_pieces_sees() {
    let (hands, mut board) = SimBoard::new(&Board::new(), StillSettings::default(), Instant::now());
    let put = |square, piece| hands.put(square, piece);
    a_board_that_sees(&mut board, &put, &|plugged| hands.plug(plugged));
}

#[test]
fn a_second_reed_board_sees() {
    let (input, mut board) = ReedBoard::new(20, StillSettings::default(), Instant::now());
    let start = Chess::default().board().occupied();
    // What stands there, and whether the reader answers.
    let state = std::cell::RefCell::new((start, true));
    input.tell(ReedReport::All(start));
    let put = |square: Square, piece: Option<Piece>| {
        let (occupied, plugged) = &mut *state.borrow_mut();
        occupied.set(square, piece.is_some());
        if *plugged {
            input.tell(ReedReport::Edge { square, occupied: piece.is_some() });
        }
    };
    let plug = |plugged: bool| {
        state.borrow_mut().1 = plugged;
        let occupied = state.borrow().0;
        let why = "the reader does not answer".to_owned();
        input.tell(if plugged { ReedReport::All(occupied) } else { ReedReport::Lost { why } });
    };
    a_board_that_sees(&mut board, &put, &plug);
}

/// The same of a board whose cable is pulled.
pub(crate) fn a_board_at_a_line_sees<D: annabella_emulators::pty::LineDevice>(
    board: &mut dyn SightedBoard,
    emulator: &annabella_emulators::pty::Emulator<D>,
    put: &dyn Fn(Square, Option<Piece>),
) {
    let plug = |plugged: bool| {
        if plugged {
            emulator.plug_in().expect("a pseudo-terminal");
        } else {
            emulator.unplug();
        }
    };
    a_board_that_sees(board, put, &plug);
}

fn a_dgt_board_sees(faults: &str) -> Option<Facing> {
    use annabella_devices::{dgt::wire, sighted::dgt::DgtBoard};
    use annabella_emulators::pty::Emulator;
    let folder = tempfile::tempdir().expect("a folder");
    let faults = Faults::parse(faults).expect("faults");
    let device = SimulatedDgt::new(8141, faults, &Board::new());
    let emulator =
        Emulator::start(device, &folder.path().join("board")).expect("a pseudo-terminal");
    let (end, _clock) = wire::open(&emulator.port()).expect("a line");
    let mut board = DgtBoard::new(end, StillSettings::default(), Board::new(), Instant::now());
    let put = |square, piece| emulator.with(|device, now_ms| device.put(now_ms, square, piece));
    a_board_at_a_line_sees(&mut board, &emulator, &put);
    board.facing()
}

#[test]
fn a_dgt_board_sees_whichever_way_round_it_lies() {
    assert_eq!(a_dgt_board_sees(""), Some(Facing::ConnectorLeft));
    assert_eq!(a_dgt_board_sees("turned"), Some(Facing::ConnectorRight));
}
