//! Presses of the sighted player: what they complete, and what they cost.

use annabella_core::game::{
    ArbiterAct, BoardSeen, Game, GameConfig, Input, Penalty, Proposal, Running, ShownBoard,
};
use shakmaty::{
    Bitboard,
    Color::{self, Black, White},
    Piece, Position, Square,
};

use super::{table::Table, watched::Desk};

/// Black's pawn may promote, and take on b1 with promotion.
const PAWN: &str = "4k3/8/8/8/8/8/p7/1N2K3 b - - 0 1";

/// White's e4 is completed, and not executed on Black's board yet.
fn owing_e4() -> Desk {
    let mut table = Table::new(GameConfig { sighted_board: true, ..GameConfig::default() });
    table.start_clock();
    let mut desk = Desk::new(table);
    desk.table.moves("e2", "e4");
    desk.table.press(White);
    desk
}

fn has(lines: &[String], part: &str) -> bool {
    lines.iter().any(|line| line.contains(part))
}

impl Desk {
    /// What his hands do before anybody has seen the board at rest again.
    fn hands(&mut self, piece: Piece, from: Square, to: Square) {
        for (square, piece) in [(from, None), (to, Some(piece))] {
            if self.board.piece_at(square).is_some() {
                self.table.seen(Black, BoardSeen::Lifted { square, ago_ms: 0 });
            }
            match piece {
                Some(piece) => self.board.set_piece_at(square, piece),
                None => self.board.discard_piece_at(square),
            }
            self.table.seen(Black, BoardSeen::Moving);
        }
    }

    fn completed(&self) -> Vec<String> {
        let record = self.table.game.record().expect("a game");
        let done = record.line.iter().filter(|ply| ply.completed.is_some());
        done.map(|ply| ply.san.clone()).collect()
    }

    fn ms(&self, color: Color) -> u64 {
        color.fold_wb(self.table.clock().0, self.table.clock().1)
    }

    fn proposals(&self) -> Vec<Proposal> {
        self.table.game.record().expect("a game").proposals.to_vec()
    }
}

#[test]
fn f16_a_pawn_left_on_its_last_rank_and_pressed_is_7_5_2() {
    for (to, uci) in [(Square::A1, "a2a1"), (Square::B1, "a2b1")] {
        let mut desk = Desk::at(PAWN);
        let before_ms = desk.ms(White);
        desk.moves(Black.pawn(), Square::A2, to);
        desk.table.heard();
        desk.table.press(Black);
        desk.looked_at();
        let heard = desk.table.heard();
        let illegal = format!("problem 7.5.2: Black left a pawn on its last rank: {uci}");
        assert!(has(&heard, &illegal), "{heard:#?}");
        assert!(has(&heard, "loud: Schwarz: Regelwidriger Zug, Uhr gedrückt."), "{heard:#?}");
        assert!(has(&heard, "proposal 1 7.5.5: first illegal move of Black"), "{heard:#?}");
        for wrong in ["D.2.9", "verschieden", "7.5.3", "7.5.1", "made", "boards differ"] {
            assert!(!has(&heard, wrong), "{wrong}: {heard:#?}");
        }
        // The blind player's time is not spent: it is Black's move still.
        desk.table.wait(5000);
        assert_eq!((desk.ms(White), desk.table.clock().2), (before_ms, Running::Black));
        let penalty = Penalty::TimeToOpponent { ms: 120_000 };
        let act = ArbiterAct::Penalty { seat: Black, penalty };
        assert_eq!(desk.proposals()[0].choices, [act]);
        // More presses are the same irregularity; he hears what is to be done.
        desk.table.heard();
        desk.table.press(Black);
        let heard = desk.table.heard();
        assert!(has(&heard, "loud: Schwarz: Entferne den schwarzen Bauern von"), "{heard:#?}");
        assert_eq!(desk.proposals().len(), 1);
        // The pawn becomes a queen, and the game goes on.
        desk.puts(&[(to, Some(Black.queen()))]);
        desk.table.press(Black);
        let heard = desk.table.heard();
        assert!(!has(&heard, "problem"), "{heard:#?}");
        assert_eq!(desk.completed().len(), 1, "{heard:#?}");
        assert!(desk.completed()[0].contains("1=Q"), "{:?}", desk.completed());
        assert_eq!(desk.table.clock().2, Running::White);
    }
}

#[test]
fn f16_after_7_5_2_the_pawn_becomes_nothing_but_a_queen() {
    let mut desk = Desk::at(PAWN);
    desk.moves(Black.pawn(), Square::A2, Square::A1);
    desk.table.press(Black);
    desk.looked_at();
    desk.table.heard();
    desk.puts(&[(Square::A1, Some(Black.rook()))]);
    let heard = desk.table.heard();
    assert!(has(&heard, "problem 7.5.2: the pawn on a1 is to become a queen: a1=R"), "{heard:#?}");
}

#[test]
fn f16_a_pawn_that_is_exchanged_while_the_press_is_looked_at_is_a_promotion() {
    let mut desk = Desk::at(PAWN);
    desk.moves(Black.pawn(), Square::A2, Square::A1);
    // The board is late: the queen stands there, the clock is pressed, then both are seen.
    desk.table.press(Black);
    desk.puts(&[(Square::A1, Some(Black.queen()))]);
    let heard = desk.table.heard();
    assert!(!has(&heard, "7.5"), "{heard:#?}");
    assert_eq!(desk.completed(), ["a1=Q"]);
}

#[test]
fn f16_half_of_a_castling_that_is_pressed_is_an_illegal_move_of_the_king() {
    let mut desk = Desk::at("4k2r/8/8/8/8/8/8/4K3 b k - 0 1");
    let before_ms = desk.ms(White);
    desk.moves(Black.king(), Square::E8, Square::G8);
    desk.table.press(Black);
    desk.looked_at();
    let heard = desk.table.heard();
    assert!(has(&heard, "problem 7.5.1: Black completed an illegal move: e8g8"), "{heard:#?}");
    assert!(!has(&heard, "D.2.9"), "{heard:#?}");
    assert_eq!((desk.ms(White), desk.table.clock().2), (before_ms, Running::Black));
}

/// Reeds see that something stands there, not that it is a pawn: he is asked, and the press waits.
#[test]
fn f16_reeds_cannot_tell_a_pawn_from_a_queen_so_the_press_waits_for_the_answer() {
    for late in [false, true] {
        let config = GameConfig { sighted_board: true, ..GameConfig::default() };
        let mut table = Table::at(PAWN, config);
        table.start_clock();
        let before_ms = table.clock().0;
        let mut occupied = table.position().board().occupied();
        let show = |table: &mut Table, occupied: Bitboard| {
            let shown = ShownBoard::Occupied(occupied.into());
            table.seen(Black, BoardSeen::Still { shown, ago_ms: 250 });
        };
        show(&mut table, occupied);
        occupied.discard(Square::A2);
        occupied.add(Square::A1);
        table.seen(Black, BoardSeen::Lifted { square: Square::A2, ago_ms: 0 });
        table.wait(300);
        show(&mut table, occupied);
        assert_eq!(table.spoken(), ["loud: Welche Figur?"]);
        table.press(Black);
        assert_eq!(table.clock().2, Running::White);
        if late {
            // Nobody answers: he is asked again, and his press stands (6.2.1, D.2.5).
            table.wait(4000);
            let heard = table.heard();
            assert!(has(&heard, "loud: Welche Figur?"), "{heard:#?}");
            assert!(!has(&heard, "problem"), "{heard:#?}");
            assert_eq!(table.clock().2, Running::White);
        }
        table.says(Black, "Turm");
        assert!(!late || table.clock().0 == before_ms, "{:?}", table.clock());
        let record = table.game.record().expect("a game");
        let ply = record.line.last().expect("a move");
        assert_eq!((ply.san.as_str(), ply.completed.is_some()), ("a1=R", true));
        assert_eq!(table.clock().2, Running::White);
    }
}

/// His board shows his move, and only its name is missing.
#[test]
fn no_flag_falls_while_a_move_that_is_completed_waits_for_its_name_6_2_1() {
    let config =
        GameConfig { sighted_board: true, time_control: "0.1".to_owned(), ..GameConfig::default() };
    let mut table = Table::at(PAWN, config);
    table.start_clock();
    let white_ms = table.clock().0;
    let mut occupied = table.position().board().occupied();
    for (gone, come) in [(Square::A1, Square::A2), (Square::A2, Square::A1)] {
        occupied.discard(gone);
        occupied.add(come);
        let shown = ShownBoard::Occupied(occupied.into());
        table.seen(Black, BoardSeen::Still { shown, ago_ms: 0 });
        table.wait(300);
    }
    table.press(Black);
    table.wait(30_000);
    let heard = table.heard();
    assert!(!has(&heard, "problem") && !has(&heard, "result"), "{heard:#?}");
    // The clocks wait for it too, and nobody has lost time by it.
    assert_eq!((table.clock().0, table.clock().2), (white_ms, Running::None));
    table.says(Black, "Dame");
    table.says(White, "Uhr starten");
    let record = table.game.record().expect("a game");
    assert_eq!(record.line.last().map(|ply| ply.completed.is_some()), Some(true));
    assert_eq!((table.clock().0, table.clock().2), (white_ms, Running::White));
}

/// The pawn rests on d6 so long that d6 is made; then it goes on to d5, and he presses before the
/// board has come to rest again.
fn pressed_in_passing() -> (Desk, u64) {
    let mut desk = Desk::after_e4();
    desk.moves(Black.pawn(), Square::D7, Square::D6);
    desk.table.wait(3000);
    assert!(has(&desk.table.heard(), "made d6"));
    desk.hands(Black.pawn(), Square::D6, Square::D5);
    let pressed_ms = desk.table.now_ms;
    desk.table.input(Input::Pressed { seat: Black });
    (desk, pressed_ms)
}

#[test]
fn a_press_while_the_sighted_board_moves_waits_in_the_game_and_counts_from_when_it_was_made() {
    let (mut desk, pressed_ms) = pressed_in_passing();
    let black_ms = desk.ms(Black);
    assert_eq!((desk.completed().len(), desk.table.clock().2), (1, Running::White));
    desk.looked_at();
    assert_eq!(desk.completed(), ["e4", "d5"]);
    let record = desk.table.game.record().expect("a game");
    let ply = record.line.last().expect("d5");
    assert_eq!(ply.completed.map(|at| at.ms), Some(pressed_ms));
    assert_eq!(ply.clock_ms.map(|(_, black)| black), Some(black_ms));
    assert_eq!((desk.ms(Black), desk.table.clock().2), (black_ms, Running::White));
}

#[test]
fn a_press_that_waits_survives_a_power_cut_at_any_input() {
    let (desk, pressed_ms) = pressed_in_passing();
    let black_ms = desk.ms(Black);
    // After the press the machine is dead for a minute; the board then shows what he left on it.
    let Desk { mut table, board } = desk;
    let (game, _) = Game::replay(table.inputs.clone());
    assert_eq!(game.record().map(|r| r.line.len()), table.game.record().map(|r| r.line.len()));
    table.game = game;
    table.now_ms += 60_000;
    table.input(Input::Resumed);
    table.wait(500);
    table.seen(Black, BoardSeen::Back);
    table.shows(Black, &board);
    let desk = Desk { table, board };
    assert_eq!(desk.completed(), ["e4", "d5"]);
    let record = desk.table.game.record().expect("a game");
    assert_eq!(record.line[1].completed.map(|at| at.ms), Some(pressed_ms));
    assert_eq!(desk.ms(Black), black_ms);
}

#[test]
fn a_power_cut_while_a_press_waits_costs_the_innocent_nothing() {
    let mut desk = Desk::at(PAWN);
    let white_ms = desk.ms(White);
    desk.table.press(Black);
    let (game, _) = Game::replay(desk.table.inputs.clone());
    desk.table.game = game;
    desk.table.now_ms += 60_000;
    desk.table.input(Input::Resumed);
    desk.table.wait(500);
    desk.table.seen(Black, BoardSeen::Back);
    desk.looked_at();
    desk.table.says(None, "Uhr starten");
    desk.table.wait(8000);
    let heard = desk.table.heard();
    assert!(has(&heard, "problem 7.5.3"), "{heard:#?}");
    assert_eq!((desk.ms(White), desk.table.clock().2), (white_ms, Running::Black));
}

#[test]
fn a_press_waits_only_so_long_for_a_board_that_does_not_come_to_rest() {
    let (mut desk, pressed_ms) = pressed_in_passing();
    desk.table.wait(1400);
    assert_eq!(desk.completed().len(), 1);
    desk.table.wait(200);
    // What was made is completed.
    assert_eq!(desk.completed(), ["e4", "d6"]);
    let record = desk.table.game.record().expect("a game");
    assert_eq!(record.line[1].completed.map(|at| at.ms), Some(pressed_ms));
}

#[test]
fn what_the_arbiter_gives_while_a_press_waits_is_not_lost_when_it_is_given_up() {
    let mut desk = owing_e4();
    let white_ms = desk.ms(White);
    desk.table.seen(Black, BoardSeen::Moving);
    desk.table.press(Black);
    assert_eq!(desk.table.clock().2, Running::White, "the press waits");
    let two_minutes = Penalty::TimeToOpponent { ms: 120_000 };
    desk.table.rules(ArbiterAct::Penalty { seat: Black, penalty: two_minutes });
    desk.looked_at();
    desk.table.wait(5000);
    // He had not executed the move: his clock runs again, and White has the two minutes.
    let (after_ms, running) = (desk.ms(White), desk.table.clock().2);
    assert_eq!((after_ms, running), (white_ms + 120_000, Running::Black));
}

#[test]
fn the_blind_players_move_and_the_answer_to_it_may_be_done_before_the_board_rests() {
    let mut desk = owing_e4();
    desk.hands(White.pawn(), Square::E2, Square::E4);
    desk.hands(Black.pawn(), Square::E7, Square::E5);
    desk.table.press(Black);
    assert_eq!(desk.table.clock().2, Running::White);
    desk.looked_at();
    assert_eq!(desk.completed(), ["e4", "e5"]);
    // He presses and has not even executed it: the time is his.
    let mut desk = owing_e4();
    let white_ms = desk.ms(White);
    desk.table.seen(Black, BoardSeen::Moving);
    desk.table.press(Black);
    desk.looked_at();
    desk.table.wait(5000);
    let heard = desk.table.heard();
    assert!(has(&heard, "problem D.2.4: the opponent's move is not executed"), "{heard:#?}");
    assert_eq!((desk.ms(White), desk.table.clock().2), (white_ms, Running::Black));
}

#[test]
fn a_press_while_an_illegal_move_is_put_right_is_judged_by_what_is_left() {
    let mut desk = Desk::after_e4();
    desk.moves(Black.knight(), Square::G8, Square::G5);
    desk.table.wait(3500);
    desk.table.heard();
    desk.hands(Black.knight(), Square::G5, Square::F6);
    desk.table.press(Black);
    desk.looked_at();
    let heard = desk.table.heard();
    assert!(!has(&heard, "7.5"), "{heard:#?}");
    assert_eq!(desk.completed(), ["e4", "Nf6"]);
}

/// He has pressed with a piece in his hand: that is waited for, not for ever.
#[test]
fn hands_that_stay_on_the_board_without_a_move_have_pressed_without_one() {
    let mut desk = Desk::after_e4();
    let white_ms = desk.ms(White);
    desk.table.seen(Black, BoardSeen::Lifted { square: Square::D7, ago_ms: 0 });
    desk.table.seen(Black, BoardSeen::Moving);
    desk.table.press(Black);
    desk.table.heard();
    desk.table.wait(8000);
    assert!(!has(&desk.table.heard(), "7.5.3"));
    assert_eq!(desk.table.clock().2, Running::White);
    desk.table.wait(2500);
    let heard = desk.table.heard();
    assert!(has(&heard, "problem 7.5.3: Black pressed the clock without a move"), "{heard:#?}");
    // White's time is not spent, and Black's runs.
    assert_eq!((desk.ms(White), desk.table.clock().2), (white_ms, Running::Black));
    // The piece comes down: the move is his, and he presses again.
    desk.moves(Black.pawn(), Square::D7, Square::D5);
    desk.table.press(Black);
    desk.looked_at();
    assert_eq!(desk.completed(), ["e4", "d5"]);
    assert_eq!(desk.table.clock().2, Running::White);
}

#[test]
fn a_press_completes_the_made_move_where_the_pegs_show_a_reply_already() {
    let mut table = Table::new(GameConfig { sighted_board: true, ..GameConfig::default() });
    table.start_clock();
    table.moves("e2", "e4");
    table.moves("e7", "e5");
    table.heard();
    table.press(White);
    let heard = table.heard();
    assert!(heard.contains(&"completed e4".to_owned()), "{heard:#?}");
    assert!(!heard.iter().any(|line| line.contains("7.5.3")), "{heard:#?}");
}
