//! A peg board whose hands do anything at all: no move is made that is not there, and there is
//! always a way back to the game.

use annabella_core::sensing::{Edge, Executed, Felt, PegStep, SettleSettings, Tracker};
use annabella_players::{games::random_game, hands::changes};
use rand::{
    RngExt, SeedableRng,
    seq::{IndexedRandom, SliceRandom},
};
use rand_chacha::ChaCha8Rng;
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, Move, Piece, Position, Role, Square,
    fen::Fen, uci::UciMove,
};

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard).expect("a position")
}

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

fn mv(position: &Chess, uci: &str) -> Move {
    uci.parse::<UciMove>().expect("UCI").to_move(position).expect("legal")
}

/// A board under the hands, and what it made known.
struct Board {
    tracker: Tracker,
    now_ms: u64,
    felt: Vec<Felt>,
}

impl Board {
    fn new(position: &Chess) -> Board {
        Board::with(position, SettleSettings::default())
    }

    fn with(position: &Chess, settings: SettleSettings) -> Board {
        Board { tracker: Tracker::new(position.clone(), settings), now_ms: 1000, felt: Vec::new() }
    }

    fn wait(&mut self, ms: u64) {
        self.now_ms += ms;
        self.tracker.advance(self.now_ms, &mut self.felt);
    }

    fn edge(&mut self, square: Square, occupied: bool) {
        let edge = Edge { at_ms: self.now_ms, square, occupied };
        self.tracker.advance(self.now_ms, &mut self.felt);
        self.tracker.edge(edge, &mut self.felt);
    }

    /// `g1- 300 f3+ 900`: lifts, puts, pauses.
    fn hands(&mut self, text: &str) -> &mut Board {
        for word in text.split_whitespace() {
            match word.parse::<u64>() {
                Ok(ms) => self.wait(ms),
                Err(_) => self.edge(square(&word[..2]), word.ends_with('+')),
            }
        }
        self
    }

    fn says(&mut self, uci: &str) -> &mut Board {
        let mv = mv(self.tracker.position(), uci);
        assert!(self.tracker.announce(self.now_ms, mv, &mut self.felt));
        self
    }

    fn press(&mut self, color: Color) -> &mut Board {
        self.tracker.press(self.now_ms, color, &mut self.felt);
        self.wait(100);
        self
    }

    fn felt(&mut self) -> Vec<Felt> {
        std::mem::take(&mut self.felt)
    }

    /// Moves executed and taken back since the last look, as UCI.
    fn moves(&mut self) -> Vec<String> {
        let uci = |mv: Move| UciMove::from_standard(mv).to_string();
        let shown = |felt: &Felt| match felt {
            Felt::Executed(Executed { mv, revises: Some(old), .. }) => {
                Some(format!("{} for {}", uci(*mv), uci(*old)))
            }
            Felt::Executed(Executed { mv, .. }) => Some(uci(*mv)),
            Felt::TakenBack { mv, .. } => Some(format!("not {}", uci(*mv))),
            _ => None,
        };
        self.felt().iter().filter_map(shown).collect()
    }

    fn steps(&mut self) -> Vec<PegStep> {
        let step = |felt: &Felt| match felt {
            Felt::Astray { step, .. } => Some(*step),
            _ => None,
        };
        self.felt().iter().filter_map(step).collect()
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

fn black_pawn() -> Piece {
    Piece { color: Color::Black, role: Role::Pawn }
}

#[test]
fn f1_a_reed_that_changes_is_trusted_at_once() {
    let mut board = Board::new(&position(START));
    // Told, and said again: f3 is dead. Then the knight comes down after all.
    board.says("g1f3").hands("g1- 2000").says("g1f3").hands("2000").says("g1f3");
    assert_eq!(board.moves(), ["g1f3"]);
    assert_eq!(board.tracker.blind(), Bitboard::from(Square::F3));
    board.hands("500 f3+");
    assert_eq!(
        board.felt(),
        [Felt::Mended { square: Square::F3, at_ms: board.now_ms }],
        "not only when the next move is accepted"
    );
    assert_eq!(board.tracker.blind(), Bitboard::EMPTY);
}

#[test]
fn f1_over_a_reed_stuck_under_a_captured_pawn_its_player_is_asked() {
    let start = position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    let mut board = Board::new(&start);
    board.says("e5d6").hands("e5- 300 d6+ 2000");
    for _ in 0..2 {
        board.says("e5d6").hands("2000");
        let felt = board.felt();
        assert!(!felt.iter().any(|felt| matches!(felt, Felt::Executed(_))), "{felt:?}");
        let told = PegStep::Take(Square::D5, Some(black_pawn()));
        assert!(felt.iter().any(|felt| matches!(felt, Felt::Astray { step, .. } if *step == told)));
    }
    for _ in 0..3 {
        board.says("e5d6").hands("2000");
        let felt = board.felt();
        assert!(!felt.iter().any(|felt| matches!(felt, Felt::Executed(_))), "{felt:?}");
        let asked = |felt: &Felt| matches!(felt, Felt::CapturedStands { square: Square::D5, piece, .. } if *piece == black_pawn());
        assert!(felt.iter().any(asked), "never taken as made, however often it is said");
    }
    assert!(board.tracker.captured_is_gone(board.now_ms, &mut board.felt));
    assert_eq!(board.moves(), ["e5d6"]);
    assert_eq!(board.tracker.blind(), Bitboard::from(Square::D5));
}

#[test]
fn a_captured_piece_that_was_forgotten_is_told_of_and_a_piece_in_the_hand_is_not() {
    let start = position("4k3/4p3/2p2P2/1P1P4/8/8/P6P/4K3 b - - 0 1");
    let white_pawn = Piece { color: Color::White, role: Role::Pawn };
    let mut board = Board::new(&start);
    // Looks like the capture, but it is White's pawn that stands on f6.
    board.says("e7f6").hands("e7- 6000");
    assert_eq!(board.steps(), [PegStep::Take(Square::F6, Some(white_pawn))]);
    board.hands("f6- 300 f6+ 900");
    assert_eq!(board.moves(), ["e7f6"]);
    let mut board = Board::new(&start);
    board.says("c6c5").hands("c6- 6000");
    assert_eq!(board.steps(), []);
}

#[test]
fn a_neighbour_in_the_hand_is_no_recapture() {
    // White copies hxg4 and holds the knight of e3 meanwhile: it has not taken back on g4.
    let start = position("4k3/8/8/7p/6P1/4N3/8/4K3 b - - 0 1");
    let knight = Piece { color: Color::White, role: Role::Knight };
    let mut board = Board::new(&start);
    board.says("h5g4").hands("g4- 300 h5- 200 e3- 300 g4+ 6000");
    assert_eq!(board.tracker.executed(), None);
    assert_eq!(board.steps(), [PegStep::Put(Square::E3, knight)]);
    board.hands("e3+ 900");
    assert_eq!(board.moves(), ["h5g4"]);
    // Both done in one go, the black pawn set and taken.
    let mut board = Board::new(&start);
    board.says("h5g4").hands("g4- 300 h5- 200 g4+ 300 g4- 200 e3- 200 g4+ 2000");
    assert_eq!(board.moves(), ["h5g4", "e3g4"]);
}

#[test]
fn one_capture_for_another_that_leaves_the_same_holes_is_seen_when_its_square_is_emptied() {
    // dxc4 is to be copied; the hands copied dxe4.
    let start = position("4k3/8/8/3p4/2P1P3/8/8/4K3 b - - 0 1");
    let meant = mv(&start, "d5c4");
    let mut board = Board::new(&start);
    board.hands("e4- 300 d5- 300 e4+ 2000");
    assert_eq!(board.moves(), ["d5e4"]);
    assert!(board.tracker.announce_instead(&start, meant));
    let white_pawn = Piece { color: Color::White, role: Role::Pawn };
    assert_eq!(board.tracker.next_step(), Some(PegStep::Take(Square::C4, Some(white_pawn))));
    board.hands("c4- 2000");
    assert_eq!(board.tracker.next_step(), Some(PegStep::Put(Square::C4, black_pawn())));
    board.hands("c4+ 2000");
    assert_eq!(board.moves(), ["d5c4 for d5e4"]);
    assert_eq!(board.tracker.next_step(), None);
}

#[test]
fn what_stands_on_top_of_a_made_move_can_still_be_taken_back() {
    let start = position(START);
    let mut after = start.clone();
    after.play_unchecked(mv(&start, "e2e4"));
    let mut board = Board::new(&start);
    board.hands("e2- 300 e4+ 1000 d7- 300 d5+ 1000");
    assert_eq!(board.moves(), ["e2e4", "d7d5"]);
    // White's move is made when Black's reply is felt already.
    board.tracker.close_at(&after);
    board.hands("d5- 300 d7+ 1000");
    assert_eq!(board.moves(), ["not d7d5"]);
    board.hands("e4- 300 e2+ 6000");
    assert_eq!(board.moves(), [""; 0], "what is made stands");
}

#[test]
fn a_slip_before_the_announced_piece_is_set_is_no_reply_to_it() {
    let start = position("8/P2k4/8/8/8/7K/2q5/8 w - - 0 1");
    let mut board = Board::new(&start);
    board.says("a7a8b").hands("a7- 400 d7- 250 e8+ 2000");
    assert_eq!(board.moves(), [""; 0], "a8 may still be filled");
    board.hands("e8- 300 d7+ 300 a8+ 900");
    assert_eq!(board.moves(), ["a7a8b"]);
    // A reply that takes its time shows that the reed of a8 is broken.
    let mut board = Board::new(&start);
    board.says("a7a8b").hands("a7- 3000 d7- 250 e8+ 2000");
    assert_eq!(board.moves(), ["a7a8b", "d7e8"]);
}

#[test]
fn f7_the_right_board_is_accepted_whatever_was_moved_in_between() {
    for correction in [
        "f3- 300 g1+ 900 d6- 300 d5+ 900",
        "d6- 300 d5+ 900 f3- 300 g1+ 900",
        "d6- 300 f3- 300 d5+ 900 g1+ 900",
        "f3- 300 d6- 300 g1+ 6000 d5+ 900",
    ] {
        let mut board = Board::new(&position(E4));
        board.says("d7d5").hands("d7- 300 d6+ 900 g1- 300 f3+ 900").hands(correction);
        let wanted = position("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
        assert_eq!(board.tracker.position().board(), wanted.board(), "{correction}");
        assert_eq!(board.tracker.executed().map(|mv| mv.to()), Some(Square::D5), "{correction}");
    }
}

/// Two captures by one piece leave the same holes: only the way tells them apart.
#[test]
fn another_capture_by_the_same_piece_is_seen_without_a_rest_in_between() {
    let pos = position("4k3/8/2p5/1P1P4/8/8/8/4K3 b - - 0 1");
    let first = "b5- 200 c6- 300 b5+ 900";
    let undone = "b5- 300 c6+ 200 b5+ 200";
    let other = "d5- 250 c6- 300 d5+ 300";
    // At rest, at the press, with the word for it and without.
    for (word, end) in [(false, "900"), (true, "900"), (false, "press"), (true, "press")] {
        let mut board = Board::new(&pos);
        if word {
            board.says("c6d5");
        }
        board.hands(first).hands(undone).hands(other);
        if end == "press" {
            board.press(Color::Black)
        } else {
            board.hands(end)
        };
        assert_eq!(board.moves(), ["c6b5", "c6d5 for c6b5"], "word {word}, {end}");
    }
    // The same capture once more, and a neighbour that the opponent visits, change nothing.
    let mut board = Board::new(&pos);
    board.hands(first).hands(undone).hands("b5- 250 c6- 300 b5+ 900");
    assert_eq!(board.moves(), ["c6b5"]);
    let mut board = Board::new(&pos);
    board.hands(first).hands("d5- 300 c6+ 100 c6- 300 d5+ 900");
    assert_eq!(board.moves(), ["c6b5"]);
}

#[test]
fn f7_a_reply_to_the_announced_move_may_stand_already() {
    let mut board = Board::new(&position(E4));
    board.says("d7d5").hands("d7- 300 d6+ 900 g1- 300 f3+ 900 d6- 300 d5+ 900");
    assert_eq!(board.moves(), ["d7d6", "g1f3", "not g1f3", "d7d5 for d7d6", "g1f3"]);
}

#[test]
fn f7_guidance_leads_to_the_announced_move() {
    let mut board = Board::new(&position(E4));
    board.says("d7d5").hands("d7- 300 d6+ 900");
    assert_eq!(board.tracker.next_step(), Some(PegStep::Take(Square::D6, Some(black_pawn()))));
    board.hands("d6- 300 g1- 300 g3+ 6000");
    let knight = Piece { color: Color::White, role: Role::Knight };
    assert_eq!(board.steps(), [PegStep::Take(Square::G3, None)]);
    board.hands("g3- 900");
    assert_eq!(board.steps(), [PegStep::Put(Square::D5, black_pawn())]);
    board.hands("d5+ 900");
    assert_eq!(board.tracker.next_step(), Some(PegStep::Put(Square::G1, knight)));
    board.hands("g1+ 900");
    assert_eq!(board.tracker.executed().map(|mv| mv.to()), Some(Square::D5));
    assert_eq!(board.tracker.next_step(), None);
}

#[test]
fn f14_each_refused_press_says_what_is_missing_next() {
    let start = position("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
    let capture = mv(&start, "e4d5");
    let white_pawn = Piece { color: Color::White, role: Role::Pawn };
    let mut board = Board::new(&start);
    board.says("e4d5");
    for (hands, missing) in [
        ("d5- 300", PegStep::Take(Square::E4, Some(white_pawn))),
        ("d5+ 300 e4- 300", PegStep::Take(Square::D5, Some(black_pawn()))),
        ("d5- 300", PegStep::Put(Square::D5, white_pawn)),
        ("c4+ 300", PegStep::Take(Square::C4, None)),
    ] {
        board.hands(hands).felt();
        board.press(Color::White);
        let early = board.felt().into_iter().find_map(|felt| match felt {
            Felt::PressedEarly { mv, step, .. } => Some((mv, step)),
            _ => None,
        });
        assert_eq!(early, Some((capture, Some(missing))), "{hands}");
    }
    board.hands("c4- 300 d5+ 900");
    assert_eq!(board.moves(), ["e4d5"]);
}

#[test]
fn f14_a_piece_lifted_again_after_its_announced_move_is_early_too() {
    let mut board = Board::new(&position(START));
    board.says("g1f3").hands("g1- 300 f3+ 900 f3- 300").felt();
    board.press(Color::White);
    let knight = Piece { color: Color::White, role: Role::Knight };
    let step = Some(PegStep::Put(Square::F3, knight));
    assert!(
        board
            .felt()
            .iter()
            .any(|felt| matches!(felt, Felt::PressedEarly { step: s, .. } if *s == step))
    );
    board.hands("f3+ 900");
    assert_eq!(board.moves(), ["g1f3"]);
}

const MATING: &str = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";

#[test]
fn f24_a_peg_that_rests_in_a_mating_hole_does_not_end_the_game_at_once() {
    let mut board = Board::new(&position(MATING));
    board.hands("d8- 300 h4+ 1000 h4- 300 g5+ 900");
    assert_eq!(board.moves(), ["d8g5"]);
    let mut board = Board::new(&position(MATING));
    board.hands("d8- 300 h4+ 300");
    assert_eq!(board.tracker.ending(), None);
    board.hands("200");
    assert_eq!(board.tracker.ending().map(|mv| mv.to()), Some(Square::H4));
    board.hands("1100");
    assert_eq!((board.moves(), board.tracker.ending()), (vec!["d8h4".to_owned()], None));
    // Said or pressed it is meant.
    let mut board = Board::new(&position(MATING));
    board.says("d8h4").hands("d8- 300 h4+ 500");
    assert_eq!(board.moves(), ["d8h4"]);
    let mut board = Board::new(&position(MATING));
    board.hands("d8- 300 h4+ 100").press(Color::Black);
    assert_eq!(board.moves(), ["d8h4"]);
    // As a correction of another move it waits as long.
    let mut board = Board::new(&position(MATING));
    board.hands("d8- 300 g5+ 900 g5- 300 h4+ 1000");
    assert_eq!(board.moves(), ["d8g5"]);
    board.hands("600");
    assert_eq!(board.moves(), ["d8h4 for d8g5"]);
}

#[test]
fn f27_where_pieces_slide_a_line_is_executed_when_it_rests_for_good() {
    let settings = SettleSettings { slide_ms: 800, ..SettleSettings::default() };
    for (hands, executed) in [
        ("e2- 100 e3+ 500 e3- 100 e4+ 500", vec!["e2e4"]),
        ("e2- 100 e3+ 900", vec!["e2e3"]),
        ("g1- 100 f3+ 500", vec!["g1f3"]),
    ] {
        let mut board = Board::with(&position(START), settings);
        board.hands(hands);
        assert_eq!(board.moves(), executed, "{hands}");
    }
    let mut board = Board::with(&position(START), settings);
    board.hands("e2- 100 e3+ 500").press(Color::White);
    assert_eq!(board.moves(), ["e2e3"]);
    // With holes a peg in another hole is placed (D.2.3.2).
    let mut board = Board::new(&position(START));
    board.hands("e2- 100 e3+ 500");
    assert_eq!(board.moves(), ["e2e3"]);
}

#[test]
fn contacts_that_are_known_late_decide_at_the_moment_they_tell_of() {
    let settings = SettleSettings { late_ms: 20, ..SettleSettings::default() };
    let mut board = Board::with(&position(START), settings);
    board.hands("g1- 300");
    let put_ms = board.now_ms;
    board.hands("f3+");
    assert_eq!(board.tracker.due_ms(), Some(put_ms + 420));
    // A contact that changed within the settle time is known only after it.
    board.wait(410);
    let edge = Edge { at_ms: put_ms + 390, square: Square::F3, occupied: false };
    board.tracker.edge(edge, &mut board.felt);
    board.wait(1000);
    assert_eq!(board.moves(), Vec::<String>::new());
    board.hands("f3+");
    let put_ms = board.now_ms;
    board.wait(1000);
    let at_ms = board.felt().into_iter().find_map(|felt| match felt {
        Felt::Executed(executed) => Some((executed.at_ms, executed.placed_ms)),
        _ => None,
    });
    assert_eq!(at_ms, Some((put_ms + 400, put_ms)));
}

/// A board as it really is: pegs in holes and in the hand.
struct Mess {
    board: Board,
    pegs: Bitboard,
    hand: u32,
    rng: ChaCha8Rng,
    log: Vec<String>,
}

impl Mess {
    fn peg(&mut self, square: Square, occupied: bool) {
        assert_ne!(self.pegs.contains(square), occupied, "{:?}", self.log);
        self.pegs.toggle(square);
        self.hand = if occupied { self.hand.saturating_sub(1) } else { self.hand + 1 };
        self.log.push(format!("{square}{}", if occupied { '+' } else { '-' }));
        self.board.edge(square, occupied);
    }

    fn wait(&mut self, ms: u64) {
        self.log.push(ms.to_string());
        self.board.wait(ms);
    }

    fn some(&mut self, squares: Bitboard) -> Option<Square> {
        squares.into_iter().collect::<Vec<_>>().choose(&mut self.rng).copied()
    }

    /// Anything that hands do.
    fn stir(&mut self, moves: &[Move]) {
        match self.rng.random_range(0..10u32) {
            0 => {
                if let Some(square) = self.some(self.pegs) {
                    self.peg(square, false);
                }
            }
            1 | 2 if self.hand > 0 => {
                if let Some(square) = self.some(!self.pegs) {
                    self.peg(square, true);
                }
            }
            // Slid to somewhere.
            3 => {
                if let (Some(from), Some(to)) = (self.some(self.pegs), self.some(!self.pegs)) {
                    self.peg(from, false);
                    self.wait(120);
                    self.peg(to, true);
                }
            }
            // Knocked over, some set up again.
            4 => {
                if let Some(at) = self.some(self.pegs) {
                    let near: Vec<Square> =
                        self.pegs.into_iter().filter(|square| square.distance(at) <= 1).collect();
                    for &square in near.iter().take(3) {
                        self.peg(square, false);
                    }
                    self.wait(600);
                    for &square in near.iter().take(3) {
                        if self.rng.random_bool(0.6) {
                            self.peg(square, true);
                        }
                    }
                }
            }
            // Two exchanged.
            5 => {
                if let (Some(a), Some(b)) = (self.some(self.pegs), self.some(self.pegs))
                    && a != b
                {
                    for (square, occupied) in [(a, false), (b, false), (a, true), (b, true)] {
                        self.peg(square, occupied);
                        self.wait(150);
                    }
                }
            }
            // Something like a move of either side.
            6 | 7 => {
                if let Some(mv) = moves.choose(&mut self.rng).copied()
                    && let Some(from) = mv.from()
                {
                    if self.pegs.contains(from) {
                        self.peg(from, false);
                    }
                    self.wait(100);
                    if self.pegs.contains(mv.to()) {
                        self.peg(mv.to(), false);
                        self.wait(100);
                    }
                    if self.rng.random_bool(0.7) {
                        self.peg(mv.to(), true);
                    }
                }
            }
            8 => {
                let color = if self.rng.random_bool(0.5) { Color::White } else { Color::Black };
                self.log.push(format!("{color} presses"));
                self.board.press(color);
            }
            _ => {
                let square = self.some(self.pegs);
                if let Some(square) = square {
                    self.peg(square, false);
                    self.wait(60);
                    self.peg(square, true);
                }
            }
        }
        let rest = [30, 200, 500, 1700, 5500].choose(&mut self.rng).copied();
        self.wait(rest.unwrap_or(200));
    }

    /// The player says his move: for the position, or for the one before what his hands did.
    fn say(&mut self, start: &Chess, mv: Move) {
        self.log.push(format!("says {}", UciMove::from_standard(mv)));
        let Board { tracker, now_ms, felt } = &mut self.board;
        if tracker.position() == start {
            assert!(tracker.announce(*now_ms, mv, felt));
        } else {
            assert!(tracker.announce_instead(start, mv), "{:?}", self.log);
        }
    }

    /// Does what is missing next. `false` when nothing is.
    fn follow(&mut self) -> bool {
        let Some(step) = self.board.tracker.next_step() else { return false };
        match step {
            PegStep::Take(square, _) => self.peg(square, false),
            PegStep::Put(square, _) => self.peg(square, true),
        }
        self.wait(600);
        true
    }
}

/// Hands do anything; then the player says his move and does what he is told, or what he knows
/// himself.
fn recovers(seed: u64, guided: bool) -> Result<(), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (start, moves) = random_game(seed % 400, 60);
    let ply = rng.random_range(0..moves.len().max(1));
    let mut here = start;
    for mv in moves.iter().take(ply) {
        here.play_unchecked(*mv);
    }
    let legal = here.legal_moves();
    let Some(meant) = legal.choose(&mut rng).copied() else { return Ok(()) };
    let mut after = here.clone();
    after.play_unchecked(meant);
    let mut around: Vec<Move> = legal.iter().copied().collect();
    around.extend(after.legal_moves());
    let pegs = here.board().occupied();
    let mut mess = Mess { board: Board::new(&here), pegs, hand: 0, rng, log: Vec::new() };
    let stirs = mess.rng.random_range(1..9u32);
    let said_at = mess.rng.random_range(0..12u32);
    let fen = annabella_core::game::write_fen(&here);
    let err = |mess: &Mess, what: &str| {
        let meant = UciMove::from_standard(meant);
        let felt: Vec<String> = mess.board.felt.iter().map(short).collect();
        Err(format!(
            "{what}: SEED={seed} guided={guided} {fen} meant {meant}\n  {}\n  {}",
            mess.log.join(" "),
            felt.join("; ")
        ))
    };
    for n in 0..stirs {
        if n == said_at {
            mess.say(&here, meant);
        }
        mess.stir(&around);
        for felt in &mess.board.felt {
            if let Felt::Executed(Executed { mv, captured_ms, .. }) = felt
                && mv.is_capture() != captured_ms.is_some_and(|ms| ms > 0)
            {
                return err(&mess, "a capture whose piece was not seen to leave");
            }
        }
    }
    mess.wait(6000);
    mess.say(&here, meant);
    mess.wait(600);
    let wanted = after.board().occupied();
    let wrong = (mess.pegs ^ wanted).count();
    let mut steps = 0;
    while guided && mess.follow() {
        steps += 1;
        if steps > wrong + 5 {
            return err(&mess, "no way back by guidance");
        }
    }
    // What is still wrong its player knows himself; he may have to take up the captured piece.
    let captured = meant.is_capture().then(|| meant.to()).filter(|to| wanted.contains(*to));
    let done = |mess: &Mess| mess.board.tracker.position() == &after;
    if let Some(captured) = captured.filter(|to| !done(&mess) && mess.pegs.contains(*to)) {
        mess.peg(captured, false);
        mess.wait(300);
    }
    let mut left: Vec<Square> = (mess.pegs ^ wanted).into_iter().collect();
    left.shuffle(&mut mess.rng);
    left.sort_by_key(|square| Some(*square) == captured);
    for square in left {
        let occupied = !mess.pegs.contains(square);
        mess.peg(square, occupied);
        mess.wait(600);
    }
    mess.wait(6000);
    if !done(&mess) || mess.board.tracker.executed() != Some(meant) {
        return err(&mess, "the right board is not accepted");
    }
    let before = mess.board.felt.len();
    mess.board.press(here.turn());
    match mess.board.felt[before..].iter().any(|felt| matches!(felt, Felt::Pressed { .. })) {
        true => Ok(()),
        false => err(&mess, "the press does not count"),
    }
}

fn short(felt: &Felt) -> String {
    let uci = |mv: &Move| UciMove::from_standard(*mv).to_string();
    match felt {
        Felt::Executed(executed) => {
            format!(
                "{} at {} for {:?}",
                uci(&executed.mv),
                executed.at_ms,
                executed.revises.as_ref().map(uci)
            )
        }
        Felt::TakenBack { mv, at_ms } => format!("not {} at {at_ms}", uci(mv)),
        Felt::Astray { step, at_ms, .. } => format!("{step:?} at {at_ms}"),
        Felt::Touched { .. } => String::new(),
        Felt::Which { moves, .. } => {
            format!("which {:?}", moves.iter().map(uci).collect::<Vec<_>>())
        }
        Felt::Illegal { step, at_ms, .. } => format!("illegal {step:?} at {at_ms}"),
        felt => format!("{felt:?}"),
    }
}

#[test]
fn from_whatever_hands_have_done_there_is_a_way_back() {
    let one = std::env::var("SEED").ok().and_then(|seed| seed.parse::<u64>().ok());
    let seeds = one.map_or(0..2000, |seed| seed..seed + 1);
    let lost: Vec<String> = seeds
        .flat_map(|seed| [recovers(seed, true), recovers(seed, false)])
        .filter_map(Result::err)
        .collect();
    let first = lost.iter().take(12).cloned().collect::<Vec<_>>().join("\n");
    assert!(lost.is_empty(), "{} lost\n{first}", lost.len());
}

/// D.2.3: the opponent's announced move and the own one are executed in one go, then the clock is
/// pressed. Where a picture can be several of his moves he is asked, and he has announced his own.
#[test]
fn the_opponents_move_and_the_own_one_in_one_go_are_both_felt_at_the_press() {
    let mut random = ChaCha8Rng::seed_from_u64(471);
    let (mut pairs, mut asked) = (0, 0);
    for seed in 0..150 {
        let (mut position, moves) = random_game(seed, 60);
        for pair in moves.windows(2) {
            let [theirs, own] = [pair[0], pair[1]];
            let mut board = Board::new(&position);
            assert!(board.tracker.announce(board.now_ms, theirs, &mut board.felt));
            board.wait(random.random_range(100..3_000));
            let (mut first, mut second) = (changes(theirs), changes(own));
            let apart =
                first.iter().all(|(square, _)| second.iter().all(|(other, _)| other != square));
            first.reverse();
            second.reverse();
            while !first.is_empty() || !second.is_empty() {
                let next = match apart && random.random_bool(0.5) {
                    true => second.pop().or_else(|| first.pop()),
                    false => first.pop().or_else(|| second.pop()),
                };
                let (square, occupied) = next.expect("an edge");
                board.edge(square, occupied);
                board.wait(random.random_range(20..200));
            }
            let color = !position.turn();
            board.press(color);
            let executed = |felt: &Felt| match felt {
                Felt::Executed(executed) => Some(executed.mv),
                _ => None,
            };
            let made: Vec<Move> = board.felt.iter().filter_map(executed).collect();
            let which = board
                .felt
                .iter()
                .any(|felt| matches!(felt, Felt::Which { moves, .. } if moves.contains(&own)));
            let pressed = board.felt.iter().any(|felt| matches!(felt, Felt::Pressed { .. }));
            pairs += 1;
            asked += usize::from(which);
            let both = made == [theirs, own] && pressed;
            let fen = Fen::from_position(&position, EnPassantMode::Legal);
            assert!(which || both, "game {seed}, {fen}: {theirs} {own}: {made:?}");
            // The own move alone completes nothing.
            let mut board = Board::new(&position);
            assert!(board.tracker.announce(board.now_ms, theirs, &mut board.felt));
            changes(own).into_iter().for_each(|(square, occupied)| board.edge(square, occupied));
            board.press(color);
            let pressed = board.felt.iter().any(|felt| matches!(felt, Felt::Pressed { .. }));
            assert!(!pressed, "game {seed}, {fen}: {own} without {theirs}");
            position.play_unchecked(theirs);
        }
    }
    assert!(asked * 20 < pairs, "{asked} of {pairs} are asked about");
}
