//! The board before the sighted player: what it shows is journaled, judged in the game and
//! replayed.

use annabella_core::{
    game::{At, BoardSeen, Game, GameConfig, Input, PageAct, PageEntry, PageRole, ShownBoard},
    reconcile::{BoardState, Verdict, Who},
    sight::Guidance,
};
use shakmaty::{
    Bitboard, Board,
    Color::{Black, White},
    Piece, Position, Square,
};

use super::table::Table;

fn two_boards() -> GameConfig {
    GameConfig { sighted_board: true, ..GameConfig::default() }
}

/// A table, and the board before Black as it stands.
pub(crate) struct Desk {
    pub(crate) table: Table,
    pub(crate) board: Board,
}

impl Desk {
    pub(crate) fn new(table: Table) -> Desk {
        let board = table.position().board().clone();
        let mut desk = Desk { table, board };
        let now = desk.board.clone();
        desk.table.shows(Black, &now);
        desk.table.heard();
        desk
    }

    pub(crate) fn at(fen: &str) -> Desk {
        let mut table = Table::at(fen, two_boards());
        table.start_clock();
        Desk::new(table)
    }

    /// White has made e2-e4, and it is executed on Black's board.
    pub(crate) fn after_e4() -> Desk {
        let mut table = Table::new(two_boards());
        table.start_clock();
        let mut desk = Desk::new(table);
        desk.table.moves("e2", "e4");
        desk.table.press(White);
        let pawn = White.pawn();
        desk.puts(&[(Square::E2, None), (Square::E4, Some(pawn))]);
        assert_eq!(desk.table.heard().last().map(String::as_str), Some("boards agree"));
        desk
    }

    pub(crate) fn puts(&mut self, changes: &[(Square, Option<Piece>)]) {
        self.table.puts(Black, &mut self.board, changes);
    }

    /// The board reports once more how it stands.
    pub(crate) fn looked_at(&mut self) {
        self.table.shows(Black, &self.board);
    }

    pub(crate) fn moves(&mut self, piece: Piece, from: Square, to: Square) {
        self.puts(&[(from, None), (to, Some(piece))]);
    }
}

const MADE: [&str; 6] = [
    "executed d5",
    "loud: Bauer David sieben David fünf",
    "announced d5",
    "made d5",
    "boards pending",
    "completed d5",
];

#[test]
fn a_board_that_has_not_been_seen_yet_is_asked_how_it_stands() {
    let mut table = Table::new(two_boards());
    table.start_clock();
    assert_eq!(table.game.wants_picture(Black), Some(At::default()));
    let board = table.position().board().clone();
    table.shows(Black, &board);
    assert_eq!(table.game.wants_picture(Black), None);
}

#[test]
fn f27_a_pawn_that_pauses_on_its_way_is_announced_once_he_has_pressed() {
    let mut desk = Desk::after_e4();
    let pawn = Black.pawn();
    desk.moves(pawn, Square::D7, Square::D6);
    desk.table.wait(1500);
    assert_eq!(desk.table.heard(), ["touched p on d7"]);
    desk.moves(pawn, Square::D6, Square::D5);
    desk.table.press(Black);
    assert_eq!(desk.table.heard()[..5], MADE[..5]);
    // On the way he presses, and his board is looked at again: that is his move.
    let mut desk = Desk::after_e4();
    desk.moves(pawn, Square::D7, Square::D6);
    desk.table.press(Black);
    assert!(desk.table.game.wants_picture(Black).is_some());
    desk.looked_at();
    let heard = desk.table.heard();
    assert!(heard.contains(&"loud: Bauer David sieben David sechs".to_owned()), "{heard:?}");
    assert!(heard.contains(&"completed d6".to_owned()), "{heard:?}");
}

#[test]
fn f28_a_press_heard_of_before_the_last_square_was_seen_completes_what_he_left_on_the_board() {
    // The bishop paused on f5; on g4 it is seen only after the press.
    let fen = "2b1k3/8/8/8/8/8/P7/4K3 b - - 0 1";
    let mut desk = Desk::at(fen);
    let bishop = Black.bishop();
    desk.moves(bishop, Square::C8, Square::F5);
    desk.table.press(Black);
    desk.moves(bishop, Square::F5, Square::G4);
    let heard = desk.table.heard();
    assert!(heard.contains(&"completed Bg4".to_owned()), "{heard:?}");
    assert!(!heard.iter().any(|line| line.contains("Felix fünf")), "{heard:?}");
    // A board that moves is waited for, however long the hands are on it.
    let mut desk = Desk::at(fen);
    desk.table.press(Black);
    desk.table.seen(Black, BoardSeen::Moving);
    desk.table.wait(8000);
    desk.moves(bishop, Square::C8, Square::G4);
    desk.looked_at();
    let heard = desk.table.heard();
    assert!(heard.contains(&"completed Bg4".to_owned()), "{heard:?}");
    assert!(!heard.iter().any(|line| line.contains("7.5.3")), "{heard:?}");
}

#[test]
fn f27_a_slide_is_announced_when_it_has_come_to_rest_for_good() {
    let mut desk = Desk::after_e4();
    let pawn = Black.pawn();
    desk.moves(pawn, Square::D7, Square::D6);
    desk.table.wait(1600);
    desk.table.heard();
    desk.table.wait(200);
    assert_eq!(desk.table.spoken(), ["loud: Bauer David sieben David sechs"]);
    // One that can go no further is announced at once.
    let mut desk = Desk::after_e4();
    desk.moves(pawn, Square::D7, Square::D5);
    assert_eq!(desk.table.spoken(), ["loud: Bauer David sieben David fünf"]);
}

#[test]
fn the_time_of_a_move_is_that_of_its_last_contact() {
    let mut desk = Desk::after_e4();
    desk.moves(Black.pawn(), Square::D7, Square::D5);
    let placed = desk.table.game.record().expect("a game").line[1].hands.placed;
    assert_eq!(placed.ms, desk.table.now_ms - 250);
}

#[test]
fn f10_a_board_that_is_wrong_is_put_right_step_by_step_aloud() {
    let mut desk = Desk::after_e4();
    let knight = Black.knight();
    desk.puts(&[
        (Square::G8, None),
        (Square::G5, Some(knight)),
        (Square::A8, None),
        (Square::A5, Some(Black.rook())),
    ]);
    desk.table.wait(3500);
    assert_eq!(desk.table.spoken(), ["loud: Bretter weichen ab."]);
    // Each press is answered by what is missing next.
    desk.table.press(Black);
    assert_eq!(
        desk.table.heard(),
        [
            "problem D.2.9: Black pressed while the own board shows another position",
            "loud: Schwarz: Entferne den schwarzen Turm von Anna fünf.",
        ]
    );
    desk.puts(&[(Square::A5, None)]);
    // Without a press it is said as well, within six seconds, and once.
    desk.table.wait(5500);
    assert_eq!(
        desk.table.spoken(),
        ["loud: Schwarz: Entferne den schwarzen Springer von Gustav fünf."]
    );
    // What has just changed counts at once when he presses.
    desk.moves(knight, Square::B8, Square::B6);
    desk.table.press(Black);
    assert_eq!(
        desk.table.spoken(),
        ["loud: Schwarz: Entferne den schwarzen Springer von Gustav fünf."]
    );
    desk.puts(&[(Square::B6, None), (Square::B8, Some(knight)), (Square::A8, Some(Black.rook()))]);
    desk.table.heard();
    desk.moves(knight, Square::G5, Square::G8);
    assert_eq!(desk.table.spoken(), ["loud: Die Bretter stimmen wieder überein."]);
    assert!(desk.table.clock().2 == annabella_core::game::Running::Black);
}

/// The lights beside his board once went on asking for the move that he had executed already.
#[test]
fn beside_a_board_that_differs_the_squares_are_shown_and_not_the_move_that_stands() {
    let mut desk = Desk::after_e4();
    let (king, queen) = (Black.king(), Black.queen());
    desk.moves(Black.pawn(), Square::E7, Square::E5);
    desk.table.press(Black);
    desk.table.moves("e7", "e5");
    desk.puts(&[(Square::E8, Some(queen)), (Square::D8, Some(king))]);
    desk.table.moves("g1", "f3");
    desk.table.press(White);
    let guidance = |desk: &Desk| desk.table.game.guidance(Black);
    desk.puts(&[(Square::G1, None), (Square::F3, Some(White.knight()))]);
    desk.table.wait(4000);
    assert_eq!(guidance(&desk), Guidance::Correct(Bitboard::from_iter([Square::D8, Square::E8])));
    desk.puts(&[(Square::E8, Some(king)), (Square::D8, Some(queen))]);
    desk.table.wait(1000);
    assert_eq!(guidance(&desk), Guidance::Nothing);
}

#[test]
fn f10_a_sighted_board_that_is_right_again_is_told_though_the_pegs_are_not() {
    let mut desk = Desk::after_e4();
    desk.moves(Black.pawn(), Square::E7, Square::E5);
    desk.table.press(Black);
    desk.table.heard();
    // On the pegs another move.
    desk.table.moves("e7", "e6");
    desk.table.heard();
    desk.moves(Black.knight(), Square::G8, Square::G5);
    desk.table.wait(3500);
    desk.table.heard();
    desk.moves(Black.knight(), Square::G5, Square::G8);
    desk.table.wait(6000);
    assert_eq!(desk.table.spoken(), ["loud: Brett stimmt."]);
}

#[test]
fn f12_the_sighted_player_adjusts() {
    for seat in [Some(Black), None] {
        let mut desk = Desk::after_e4();
        desk.table.says(seat, "Ich korrigiere");
        assert_eq!(desk.table.heard(), ["loud: Gut, du rückst zurecht."]);
        // However late he comes to it.
        desk.table.wait(20_000);
        let knight = Black.knight();
        desk.puts(&[(Square::G8, None), (Square::G8, Some(knight))]);
        assert_eq!(desk.table.heard(), [""; 0]);
        desk.moves(Black.pawn(), Square::E7, Square::E5);
        let heard = desk.table.heard();
        assert!(heard.contains(&"made e5".to_owned()), "{heard:?}");
        assert!(!heard.iter().any(|line| line.contains("4.3")), "{heard:?}");
        let touched = &desk.table.game.record().expect("a game").line[1].hands.touched;
        assert_eq!(touched.as_slice(), [Square::E7]);
    }
    // A piece that he takes up much later binds him.
    let mut desk = Desk::after_e4();
    desk.table.says(Black, "Ich korrigiere");
    let knight = Black.knight();
    desk.puts(&[(Square::G8, None), (Square::G8, Some(knight))]);
    desk.table.wait(6_000);
    desk.puts(&[(Square::B8, None), (Square::B8, Some(knight))]);
    desk.moves(Black.pawn(), Square::E7, Square::E5);
    let heard = desk.table.heard();
    assert!(heard.iter().any(|line| line.starts_with("problem 4.3")), "{heard:?}");
}

const CASTLING: &str = "4k2r/8/8/8/8/8/8/4K3 b k - 0 1";

#[test]
fn f15_castling_with_the_rook_first_is_announced_once_and_reported() {
    let mut desk = Desk::at(CASTLING);
    desk.moves(Black.rook(), Square::H8, Square::F8);
    desk.table.wait(5000);
    assert_eq!(desk.table.heard(), ["touched r on h8"]);
    desk.moves(Black.king(), Square::E8, Square::G8);
    let heard = desk.table.heard();
    assert_eq!(
        heard,
        [
            "touched k on e8",
            "executed O-O",
            "problem 4.4: the rook on h8 was touched before the king: no castling on that side",
            "loud: Kurze Rochade",
            "announced O-O",
            "made O-O",
            "boards pending",
        ]
    );
    // The rook's move itself, when he presses.
    let mut desk = Desk::at(CASTLING);
    desk.moves(Black.rook(), Square::H8, Square::F8);
    desk.table.press(Black);
    desk.looked_at();
    let heard = desk.table.heard();
    assert!(heard.contains(&"loud: Turm Hector acht Felix acht".to_owned()), "{heard:?}");
    assert!(heard.contains(&"completed Rf8".to_owned()), "{heard:?}");
}

#[test]
fn f26_a_move_that_is_not_executed_yet_is_no_case_for_the_arbiter() {
    for entered in [true, false] {
        let mut desk = Desk::after_e4();
        if entered {
            desk.table = Table::new(two_boards());
            desk.table.start_clock();
            desk.table.moves("e2", "e4");
        } else {
            desk.moves(Black.pawn(), Square::E7, Square::E5);
            desk.table.press(Black);
            desk.table.moves("e7", "e5");
            desk.table.moves("g1", "f3");
        }
        desk.table.press(White);
        desk.table.wait(1000);
        let settlement = desk.table.game.settlement().expect("a game");
        assert_eq!(settlement.verdict, Verdict::Agree, "{entered}");
        assert_eq!(settlement.boards[Who::Sighted].state, BoardState::Pending);
        assert_eq!(settlement.boards[Who::Blind].state, BoardState::Agrees);
        if entered {
            let act = PageAct::Executed { seat: Black, uci: "e2e4".to_owned() };
            let entry = PageEntry { act, role: PageRole::Assistant, by: String::new() };
            desk.table.input(Input::Page(Box::new(entry)));
        } else {
            desk.moves(White.knight(), Square::G1, Square::F3);
        }
        let settlement = desk.table.game.settlement().expect("a game");
        assert_eq!(settlement.verdict, Verdict::Agree);
        assert_eq!(settlement.boards[Who::Sighted].state, BoardState::Agrees);
    }
    // His own move, not executed on the pegs yet.
    let mut desk = Desk::after_e4();
    desk.moves(Black.pawn(), Square::E7, Square::E5);
    desk.table.press(Black);
    let settlement = desk.table.game.settlement().expect("a game");
    assert_eq!(settlement.verdict, Verdict::Agree);
    assert_eq!(settlement.boards[Who::Blind].state, BoardState::Pending);
    // Another move on the pegs is one.
    desk.table.moves("e7", "e6");
    let settlement = desk.table.game.settlement().expect("a game");
    assert_eq!(settlement.verdict, Verdict::BlindCorrects);
}

#[test]
fn a_fault_of_the_sighted_board_is_reproduced_by_replay_alone() {
    let mut desk = Desk::after_e4();
    let pawn = Black.pawn();
    desk.moves(pawn, Square::D7, Square::D6);
    desk.moves(pawn, Square::D6, Square::D5);
    desk.table.press(Black);
    desk.puts(&[(Square::C8, None), (Square::C5, Some(Black.bishop()))]);
    desk.table.wait(4000);
    desk.table.seen(Black, BoardSeen::Lost { why: "the cable".to_owned() });
    desk.table.wait(4000);
    desk.table.seen(Black, BoardSeen::Back);
    let board = desk.board.clone();
    desk.table.shows(Black, &board);
    desk.table.wait(4000);
    let written = serde_json::to_string(&desk.table.inputs).expect("JSON");
    let read =
        serde_json::from_str::<Vec<(annabella_core::game::At, Input)>>(&written).expect("read");
    let (game, results) = Game::replay(read);
    assert_eq!(results, desk.table.results);
    assert!(game.differs(Black).is_some());
    assert_eq!(game.differs(Black), desk.table.game.differs(Black));
}

#[test]
fn who_has_replied_before_he_copied_hears_what_lacks_and_that_he_is_to_press_again_d_2_4() {
    for reeds in [false, true] {
        let mut table = Table::new(two_boards());
        table.start_clock();
        let mut desk = Desk::new(table);
        desk.table.moves("e2", "e4");
        desk.table.press(White);
        let shows = |desk: &mut Desk, changes: &[(Square, Option<Piece>)]| match reeds {
            false => desk.puts(changes),
            true => {
                for (square, piece) in changes {
                    desk.board.discard_piece_at(*square);
                    if let Some(piece) = piece {
                        desk.board.set_piece_at(*square, *piece);
                    }
                }
                desk.table.wait(300);
                let shown = ShownBoard::Occupied(desk.board.occupied().0);
                desk.table.seen(Black, BoardSeen::Still { shown, ago_ms: 250 });
            }
        };
        shows(&mut desk, &[]);
        desk.table.heard();
        shows(&mut desk, &[(Square::E7, None), (Square::E5, Some(Black.pawn()))]);
        desk.table.press(Black);
        desk.table.wait(6000);
        let lacks = "loud: Noch nicht ausgeführt: Bauer Eva zwei Eva vier.".to_owned();
        assert!(desk.table.spoken().contains(&lacks), "{reeds}");
        shows(&mut desk, &[(Square::E2, None), (Square::E4, Some(White.pawn()))]);
        desk.table.wait(3000);
        let spoken = desk.table.spoken();
        let made = ["loud: Bauer Eva sieben Eva fünf", "loud: Uhr noch nicht gedrückt."];
        assert!(spoken.windows(2).any(|two| two == made), "{reeds} {spoken:?}");
        desk.table.press(Black);
        assert!(desk.table.heard().contains(&"completed e5".to_owned()), "{reeds}");
    }
    // He took his reply back first: the press is long forgotten.
    let mut table = Table::new(two_boards());
    table.start_clock();
    let mut desk = Desk::new(table);
    desk.table.moves("e2", "e4");
    desk.table.press(White);
    desk.moves(Black.pawn(), Square::D7, Square::D5);
    desk.table.press(Black);
    desk.table.wait(6000);
    desk.moves(Black.pawn(), Square::D5, Square::D7);
    desk.moves(White.pawn(), Square::E2, Square::E4);
    desk.table.wait(3000);
    desk.table.heard();
    desk.moves(Black.pawn(), Square::D7, Square::D5);
    desk.table.press(Black);
    assert!(!desk.table.spoken().contains(&"loud: Uhr noch nicht gedrückt.".to_owned()));
}

#[test]
fn a_piece_that_fell_and_was_told_makes_no_legal_move_beside_it_illegal_7_4_1() {
    let mut desk = Desk::at("4k3/8/8/8/3N4/8/8/R3K3 b - - 0 1");
    desk.puts(&[(Square::D4, None)]);
    desk.table.wait(20_000);
    assert!(desk.table.heard().contains(&"loud: Bretter weichen ab: David vier.".to_owned()));
    desk.moves(Black.king(), Square::E8, Square::E7);
    desk.table.press(Black);
    let heard = desk.table.heard();
    assert!(!heard.iter().any(|line| line.contains("7.5.1")), "{heard:?}");
    desk.puts(&[(Square::D4, Some(White.knight()))]);
    desk.table.wait(3_000);
    assert!(desk.table.heard().contains(&"made Ke7".to_owned()));
}

#[test]
fn no_flag_falls_by_a_press_that_completes_nothing_7_5_3() {
    let config = GameConfig { time_control: "0.05".to_owned(), ..two_boards() };
    for hand in [false, true] {
        let mut table = Table::at("4k3/p7/8/8/8/8/P7/4K3 b - - 0 1", config.clone());
        table.start_clock();
        let mut desk = Desk::new(table);
        if hand {
            desk.puts(&[(Square::E8, None)]);
        }
        desk.table.press(Black);
        // White's time is over before the press is judged.
        desk.table.wait(15_000);
        let heard = desk.table.heard();
        assert!(heard.iter().any(|line| line.contains("7.5.3")), "{hand} {heard:#?}");
        // The time since is Black's own.
        assert_eq!(desk.table.result().as_deref(), Some("1-0 6.9"), "{hand} {heard:#?}");
    }
}
