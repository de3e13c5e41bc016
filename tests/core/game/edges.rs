//! Rules that meet: an end that the arbiter has to judge first, a clock at nothing, a word that is
//! two things.

use annabella_core::game::{
    Adjourn, ArbiterAct, Blind, BoardSeen, Duties, Envelope, GameConfig, HandsKnown, HandsOf,
    Input, MovedPiece, PageAct, PageEntry, PageRole, Penalty, Running, Settle, ShownBoard,
};
use shakmaty::{
    Color::{Black, White},
    Piece, Position, Square,
};

use super::{
    script::{has, lacks, wooden},
    table::Table,
    watched::Desk,
};

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

fn at(fen: &str, script: &str) -> Table {
    Table::after(GameConfig { start: Some(fen.to_owned()), ..wooden() }, script)
}

fn confirm(number: u32, choice: u32) -> ArbiterAct {
    ArbiterAct::ConfirmProposal { number, choice: Some(choice) }
}

#[test]
fn a_mate_by_a_move_that_was_changed_ends_the_game_only_once_the_arbiter_has_judged_4_7() {
    let changed = "a1- a7+ ~1400 a7- a8+ ~4000";
    let mut table = at(BACK_RANK, changed);
    assert_eq!(table.result(), None);
    assert_eq!(table.clock().2, Running::None);
    has(&table.heard(), "loud: Der Schiedsrichter entscheidet.");
    table.rules(ArbiterAct::DismissProposal { number: 1 });
    assert_eq!(table.result().as_deref(), Some("1-0 5.1.1"));
    let mut table = at(BACK_RANK, changed);
    table.rules(confirm(1, 0));
    assert_eq!((table.result(), table.sans()), (None, vec!["Ra7".to_owned()]));
}

#[test]
fn after_a_fallen_flag_that_the_arbiter_judges_nothing_else_ends_the_game_6_9() {
    let config = GameConfig {
        start: Some(BACK_RANK.to_owned()),
        time_control: "0.05".to_owned(),
        ..wooden()
    };
    let mut table = Table::new(config);
    table.input(Input::ArbiterPage { open: true });
    table.start_clock();
    table.script("~3500 a1- a8+ ~4000");
    assert_eq!(table.result(), None);
    table.heard();
    table.script("b\"Remis anbieten\"");
    has(&table.heard(), "refused");
    table.rules(confirm(1, 0));
    assert_eq!(table.result().as_deref(), Some("0-1 6.9"));
}

#[test]
fn the_players_agree_to_a_draw_once_each_has_made_a_move_5_2_3() {
    let offered = "w\"Remis anbieten\" w\"ja\" b\"Remis annehmen\" b\"ja\"";
    let mut table = Table::after(wooden(), offered);
    has(&table.heard(), "refused 5.2.3: no draw before move 2 – Noch kein Remis erlaubt.");
    assert_eq!(table.result(), None);
    table.script("e2- e4+ ~700 w! b\"Bauer Eva sieben Eva fünf\" b! e7- e5+ ~700");
    table.script("w\"Remis anbieten\" w\"ja\" b\"Remis annehmen\" b\"ja\"");
    assert_eq!(table.result().as_deref(), Some("1/2-1/2 5.2.3"));
}

/// Move, offer, press: so 9.1.2.1 wants it, and his board is a wooden one.
#[test]
fn a_move_announced_before_the_players_end_the_game_stands_in_both_scores_8_1_1() {
    let played = "e2- e4+ ~700 w! b\"Bauer Eva sieben Eva fünf\" b! e7- e5+ ~700 g1- f3+ ~700 w! \
                  b\"Springer Bella acht Cesar sechs\"";
    for (ends, result) in [
        ("b\"Remis anbieten\" b\"ja\" w\"ja\" w\"ja\"", "1/2-1/2 5.2.3"),
        ("w\"ich gebe auf\" w\"ja\"", "0-1 5.1.2"),
    ] {
        let mut table = Table::after(wooden(), played);
        table.script(ends);
        assert_eq!(table.result().as_deref(), Some(result));
        assert_eq!(table.sans(), ["e4", "e5", "Nf3", "Nc6"], "{result}");
        let record = table.game.record().expect("a game");
        assert_eq!((record.score(White).len(), record.score(Black).len()), (4, 4), "{result}");
        assert!(record.offers().iter().all(|offer| offer.plies == 4), "beside his move: 8.1.5");
    }
}

#[test]
fn a_claim_with_a_move_that_may_be_two_asks_for_each_9_3_1() {
    let fen = "4k3/8/8/8/8/R7/8/R3K3 w - - 99 80";
    let mut table = at(fen, "\"fünfzig Züge mit Turm Anna zwei\"");
    let asked = |from: &str| {
        format!("ear: Remis durch fünfzig Züge beantragen mit Turm Anna {from} Anna zwei?")
    };
    let first = table.spoken();
    table.script("\"nein\"");
    let mut both = [first, table.spoken()].concat();
    both.sort();
    assert_eq!(both, [asked("drei"), asked("eins")]);
    table.script("\"ja\"");
    assert_eq!(table.result().as_deref(), Some("1/2-1/2 9.3"));
}

#[test]
fn who_has_announced_his_move_on_a_board_that_nobody_sees_claims_no_more_9_4() {
    let claimed = "a2- a3+ ~700 w! b\"e8-d8\" b\"fünfzig Züge\" b\"ja\"";
    let table = at("4k3/8/8/8/8/8/R7/4K3 w - - 99 80", claimed);
    assert_eq!(table.result(), None);
}

#[test]
fn clocks_that_stay_as_they_are_have_had_their_control_once_6_3_1() {
    let config = GameConfig { time_control: "2/1:1".to_owned(), ..wooden() };
    let moves = "e2- e4+ ~700 w! b\"e7-e5\" b! e7- e5+ ~700 g1- f3+ ~700 w!";
    let mut table = Table::after(config, moves);
    let white_ms = table.clock().0;
    assert!(white_ms > 110_000, "two moves are made: {white_ms}");
    let settle = Settle { ply: 2, score: Some(White), clocks: None };
    table.rules_because(ArbiterAct::Settle(Box::new(settle)), "a slip");
    table.script("f3- g1+ ~900");
    table.rules(ArbiterAct::StartClocks { side: None });
    table.script("g1- f3+ ~700 w!");
    assert!(table.clock().0 <= white_ms, "{:?}", table.clock());
}

#[test]
fn nobody_presses_for_the_player_while_he_corrects_himself_d_2_8() {
    let duties = Duties { start_clock: true, ..Duties::default() };
    let mut table =
        Table::after(GameConfig { duties, ..wooden() }, "e2- e4+ ~600 \"Korrektur\" ~4000");
    assert_eq!(table.completed(), 0);
    table.heard();
    table.script("\"Bauer David zwei David vier\" e4- e2+ d2- d4+ ~5000");
    assert_eq!((table.sans(), table.completed()), (vec!["d4".to_owned()], 1));
}

#[test]
fn a_mate_that_the_sighted_player_has_announced_was_there_before_his_flag_5_1_1() {
    let config = GameConfig {
        start: Some("6k1/8/8/8/8/8/r4PPP/6K1 b - - 0 1".to_owned()),
        time_control: "0.06".to_owned(),
        ..GameConfig::default()
    };
    let mut table = Table::after(config, "b\"Turm Anna zwei Anna eins\" ~6000");
    assert_eq!(table.result(), None);
    table.script("a2- a1+ ~900");
    assert_eq!(table.result().as_deref(), Some("0-1 5.1.1"));
}

#[test]
fn words_that_repeat_the_last_move_are_no_capture_on_its_square_d_2_1() {
    let config = GameConfig {
        start: Some("3rk3/8/8/8/8/8/8/3RK3 w - - 0 1".to_owned()),
        hands: HandsOf { white: HandsKnown::Announced, ..HandsOf::default() },
        ..wooden()
    };
    let mut table = Table::after(config, "w\"d1-d5\" b\"Turm David fünf\"");
    assert_eq!((table.sans(), table.completed()), (vec!["Rd5".to_owned()], 0));
    table.script("w! b\"Turm schlägt David fünf\" b!");
    assert_eq!(table.sans(), ["Rd5", "Rxd5"]);
}

#[test]
fn after_an_illegal_castling_the_king_that_was_touched_moves_7_5_1() {
    let fen = "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let restored = "e1- g1+ h1- f1+ ~700 w! ~300 f1- h1+ g1- e1+ ~800";
    let mut table = at(fen, &format!("{restored} a1- a2+ ~700 w!"));
    has(&table.heard(), "problem 4.3");
    let mut table = at(fen, &format!("{restored} e1- d1+ ~700 w!"));
    lacks(&table.heard(), "problem 4.3");
}

#[test]
fn whoever_says_that_he_adjusts_adjusts_one_or_more_pieces_4_2_1() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1";
    let mut table = at(fen, "\"ich korrigiere\" e1- e1+ ~500 h1- h1+ ~600 a1- a2+ ~700 w!");
    lacks(&table.heard(), "4.3");
    let mut table = at(fen, "\"ich korrigiere\" e1- e1+ ~6000 h1- h1+ ~600 a1- a2+ ~700 w!");
    has(&table.heard(), "4.3");
}

#[test]
fn a_clock_that_a_ruling_leaves_nothing_on_has_its_flag_down_6_8() {
    let mut table = Table::after(wooden(), "");
    table.rules(ArbiterAct::SetClock { seat: White, ms: 0, moves: None });
    assert_eq!(table.result().as_deref(), Some("0-1 6.9"));
    let mut table = Table::after(wooden(), "");
    table.rules(ArbiterAct::SetClock { seat: Black, ms: 0, moves: None });
    table.script("e2- e4+ ~700 w!");
    assert_eq!(table.result().as_deref(), Some("1-0 6.9"));
}

#[test]
fn the_move_that_the_arbiter_lets_stand_is_not_completed_before_its_player_presses_6_2_1() {
    let mut table = Table::after(wooden(), "e2- e4+ ~1300 e4- e2+ d2- d4+ ~700");
    let before = table.clock();
    table.rules(confirm(1, 0));
    assert_eq!((table.sans(), table.completed()), (vec!["e4".to_owned()], 0));
    table.script("d4- d2+ e2- e4+ ~700");
    table.rules(ArbiterAct::StartClocks { side: None });
    assert_eq!(table.clock().2, Running::White);
    table.script("w!");
    assert_eq!((table.completed(), table.clock().2), (1, Running::Black));
    assert!(table.clock().0 > before.0 + 20_000, "the increment of a completed move");
}

#[test]
fn who_sits_opposite_and_has_no_page_may_have_resigned() {
    let config = GameConfig { display: false, ..wooden() };
    let mut table = Table::after(config, "");
    for word in ["ich gebe auf", "nein"] {
        table.hears_pushed(&[(word, 0.99)]);
    }
    let other = ["ear: Weiß gibt auf?", "ear: Gut, dann nicht.", "loud: Schwarz? Dann sag: zwei."];
    assert_eq!(table.spoken(), other);
    // A "ja" of habit after the "nein" ends nothing.
    table.hears_pushed(&[("ja", 0.99)]);
    assert_eq!(table.spoken(), other[2..]);
    assert_eq!(table.result(), None);
    table.hears_pushed(&[("zwei", 0.99)]);
    assert_eq!(table.spoken(), ["loud: Schwarz gibt auf?"]);
    table.hears_pushed(&[("ja", 0.99)]);
    assert_eq!(table.result().as_deref(), Some("1-0 5.1.2"));
}

#[test]
fn words_without_end_and_moments_without_end_cost_no_more_than_others() {
    let mut table = Table::after(wooden(), "");
    table.says(White, &"springer ".repeat(50));
    let heard = table.heard();
    has(&heard, "refused D.2.1: more than 400 bytes of words at once");
    has(&heard, "Bitte?");
    table.hears_pushed(&[(&"springer ".repeat(1_000), 0.99)]);
    has(&table.heard(), "refused D.2.1: more than 4000 bytes of words at once");
    // Everything stands wrong, the clocks stand after a stop, and the next row is of much later.
    table.input(Input::Board { seat: White, occupied: u64::MAX });
    table.input(Input::Resumed);
    table.now_ms = u64::MAX / 4;
    table.input(Input::Woke);
    assert!(table.game.fired().len() <= 1_100, "{}", table.game.fired().len());
}

#[test]
fn what_the_arbiter_has_given_stays_given_when_the_game_goes_back_12_9_2() {
    let played = "e2- e4+ ~700 w! b\"Bauer Eva sieben Eva fünf\" b! e7- e5+ ~700";
    let readings = |gives: bool| {
        let mut table = Table::after(wooden(), played);
        if gives {
            let penalty = Penalty::TimeToOpponent { ms: 120_000 };
            table.rules(ArbiterAct::Penalty { seat: White, penalty });
        } else {
            table.wait(200);
        }
        table.script("g1- f3+ ~700 w!");
        let case = table.game.case().expect("a game");
        case.clocks.iter().map(|reading| reading.times).collect::<Vec<_>>()
    };
    let (plain, given) = (readings(false), readings(true));
    assert_eq!(plain.len(), 4);
    for (n, (plain, given)) in plain.iter().zip(&given).enumerate() {
        assert_eq!(given.white_ms, plain.white_ms, "{n}");
        assert_eq!(given.black_ms, plain.black_ms + 120_000, "{n}");
    }
}

/// A square and what is put there.
type Change = (Square, Option<Piece>);

/// Black's board after these changes and his press, a second later.
fn pressed_after(fen: &str, changes: &[Change]) -> (Desk, Vec<String>) {
    let mut desk = Desk::at(fen);
    desk.puts(changes);
    desk.table.wait(1000);
    desk.table.press(Black);
    desk.looked_at();
    desk.table.wait(5000);
    let heard = desk.table.heard();
    (desk, heard)
}

const ROOKS: &str = "r3k2r/8/8/8/8/8/8/4KR2 b kq - 0 1";
const TO_PROMOTE: &str = "4k3/8/8/8/8/8/p7/4K3 b - - 0 1";
const QUEEN: &str = "3qk3/3p4/8/8/8/8/4P3/4K3 b - - 0 1";
const PASSED: &str = "4k3/8/8/8/3Pp3/8/8/4K3 b - - 0 1";
const TO_TAKE: &str = "4k1n1/8/8/8/3P4/8/8/4K3 b - - 0 1";
const PASSED_TWO: &str = "4k3/8/8/8/2PPp3/8/8/4K3 b - d3 0 1";
const PAWNS: &str = "4k3/3pp3/8/8/8/8/3PP3/4K3 b - - 0 1";

#[test]
fn whatever_a_sighted_players_press_completes_that_is_no_legal_move_is_illegal_7_5_1() {
    use Square::*;
    let (king, rook, pawn) = (Some(Black.king()), Some(Black.rook()), Some(Black.pawn()));
    let cases: [(&str, &[Change], &str); 8] = [
        (ROOKS, &[(E8, None), (G8, king), (H8, None), (F8, rook)], "e8g8"),
        (TO_PROMOTE, &[(A2, None), (A1, Some(White.queen()))], "a2a1Q"),
        (TO_PROMOTE, &[(A2, None), (A1, king)], "a2a1k"),
        (QUEEN, &[(D8, None), (D7, Some(Black.queen()))], "d8d7"),
        (PASSED, &[(E4, None), (D3, pawn), (D4, None)], "e4d3"),
        (PAWNS, &[(E7, None), (E5, pawn), (D7, None), (D5, pawn)], "e7e5"),
        (PAWNS, &[(D2, None), (D4, Some(White.pawn()))], "d2d4"),
        (QUEEN, &[(E2, None), (D7, Some(White.pawn()))], "e2d7"),
    ];
    for (fen, changes, text) in cases {
        let (mut desk, heard) = pressed_after(fen, changes);
        has(&heard, &format!("problem 7.5.1: Black completed an illegal move: {text}"));
        has(&heard, "proposal 1 7.5.5: first illegal move of Black");
        assert_eq!((desk.table.completed(), desk.table.clock().2), (0, Running::Black), "{text}");
        // It is put right, and the king takes the move that replaces it.
        let before = desk.table.position().board().clone();
        let back: Vec<_> = changes.iter().map(|(at, _)| (*at, before.piece_at(*at))).collect();
        desk.puts(&back);
        desk.moves(Black.king(), E8, if fen == ROOKS { D8 } else { F8 });
        desk.table.press(Black);
        desk.looked_at();
        assert_eq!(desk.table.completed(), 1, "{text}: {:#?}", desk.table.heard());
    }
}

#[test]
fn of_two_moves_at_once_neither_alone_is_called_illegal_7_5_1() {
    use Square::*;
    let pawn = Some(Black.pawn());
    let (desk, heard) = pressed_after(PAWNS, &[(E7, None), (E5, pawn), (D7, None), (D5, pawn)]);
    has(&heard, "problem 7.5.1: Black completed an illegal move: e7e5, d7d5");
    let record = desk.table.game.record().expect("a game");
    let illegal = record.proposals[0].illegal.as_ref().expect("an illegal move");
    let moved = |of: &Option<MovedPiece>| of.map(|of| (of.from, of.to));
    assert_eq!((moved(&illegal.moved), moved(&illegal.beside)), (Some((E7, E5)), Some((D7, D5))));
}

#[test]
fn the_first_of_two_moves_in_one_turn_stands_and_is_not_completed_7_5_1() {
    let pawn = Black.pawn();
    let mut desk = Desk::at(PAWNS);
    desk.moves(pawn, Square::E7, Square::E5);
    desk.table.wait(1000);
    desk.moves(pawn, Square::D7, Square::D5);
    desk.table.wait(900);
    desk.table.press(Black);
    has(&desk.table.heard(), "problem 7.5.1: Black completed an illegal move: d7d5");
    assert_eq!((desk.table.sans(), desk.table.completed()), (vec!["e5".to_owned()], 0));
    assert_eq!(desk.table.clock().2, Running::Black);
    desk.moves(pawn, Square::D5, Square::D7);
    desk.table.press(Black);
    assert_eq!((desk.table.completed(), desk.table.clock().2), (1, Running::White));
}

#[test]
fn a_piece_of_the_opponent_that_was_moved_and_pressed_for_is_seen_by_reeds_too_7_5_1() {
    let mut table = Table::at(PAWNS, GameConfig { sighted_board: true, ..wooden() });
    table.start_clock();
    let mut occupied = table.position().board().occupied();
    let mut shows = |table: &mut Table, gone: Square, come: Square| {
        occupied.discard(gone);
        occupied.add(come);
        let shown = ShownBoard::Occupied(occupied.into());
        table.seen(Black, BoardSeen::Still { shown, ago_ms: 250 });
        table.wait(1000);
    };
    shows(&mut table, Square::E8, Square::E8);
    shows(&mut table, Square::D2, Square::D4);
    table.press(Black);
    has(&table.heard(), "problem 7.5.1: Black completed an illegal move: d2d4");
    assert_eq!((table.completed(), table.clock().2), (0, Running::Black));
}

#[test]
fn a_board_that_shows_no_attempt_at_a_move_differs_and_nobody_is_charged_d_2_9() {
    use Square::*;
    let (pawn, white) = (Some(Black.pawn()), Some(White.pawn()));
    // Exchanged; knocked over; another piece beside the move.
    let cases: [&[Change]; 4] = [
        &[(E8, pawn), (D7, Some(Black.king()))],
        &[(D7, None), (E7, None), (E2, None), (A4, white)],
        &[(D7, None), (D5, pawn), (E7, None), (E6, pawn)],
        &[(D7, None), (D5, pawn), (D2, None), (D3, white)],
    ];
    for changes in cases {
        let (_, heard) = pressed_after(PAWNS, changes);
        lacks(&heard, "7.5");
        has(&heard, "problem D.2.9");
    }
    // He has not copied White's move, or copied it wrongly, or taken it back again.
    for changes in [&[(D2, None), (D3, white)][..], &[(D2, None), (D4, white)]] {
        let mut desk = Desk::new(Table::after(
            GameConfig { sighted_board: true, start: Some(WHITE_TO_MOVE.to_owned()), ..wooden() },
            "e2- e4+ ~900 w!",
        ));
        desk.table.wait(500);
        desk.board.set_piece_at(E2, White.pawn());
        desk.board.discard_piece_at(E4);
        desk.puts(changes);
        desk.table.press(Black);
        desk.looked_at();
        desk.table.wait(5000);
        lacks(&desk.table.heard(), "7.5");
    }
    let mut desk = Desk::new(Table::after(
        GameConfig { sighted_board: true, start: Some(WHITE_TO_MOVE.to_owned()), ..wooden() },
        "e2- e4+ ~900 w!",
    ));
    desk.moves(White.pawn(), E4, E2);
    desk.table.wait(1000);
    desk.table.press(Black);
    desk.table.wait(5000);
    lacks(&desk.table.heard(), "7.5");
    // A made move from which the piece slipped is made.
    let mut desk = Desk::at(PAWNS);
    desk.moves(Black.pawn(), E7, E5);
    desk.table.wait(1000);
    desk.moves(Black.pawn(), E5, E4);
    desk.table.press(Black);
    lacks(&desk.table.heard(), "7.5");
    assert_eq!(desk.table.completed(), 1);
}

const WHITE_TO_MOVE: &str = "4k3/3pp3/8/8/8/8/3PP3/4K3 w - - 0 1";

#[test]
fn no_press_starts_or_completes_while_either_board_is_first_seen_wrong_7_2_1() {
    for ruled in [true, false] {
        let mut table = Table::new(GameConfig { sighted_board: true, ..wooden() });
        let mut board = table.position().board().clone();
        board.set_piece_at(Square::D1, White.king());
        board.set_piece_at(Square::E1, White.queen());
        table.shows(Black, &board);
        table.heard();
        table.script("b! ~900 e2- e4+ ~1500 w!");
        let heard = table.heard();
        let refused = heard.iter().filter(|line| line.contains("refused D.2.9")).count();
        assert_eq!((table.completed(), refused), (0, 2), "{heard:#?}");
        assert_eq!(table.clock().2, Running::None);
        has(&heard, "– Entferne den weißen König von David eins.");
        // The arbiter says that it stands right, or it does.
        if ruled {
            table.rules(ArbiterAct::StartClocks { side: None });
        } else {
            board.set_piece_at(Square::D1, White.queen());
            board.set_piece_at(Square::E1, White.king());
            table.shows(Black, &board);
        }
        table.script("w!");
        assert_eq!((table.completed(), table.clock().2), (1, Running::Black), "{ruled}");
    }
}

#[test]
fn the_system_presses_for_nobody_while_a_board_is_first_seen_wrong_7_2_1() {
    let duties = Duties { start_clock: true, ..Duties::default() };
    let mut table = Table::new(GameConfig { sighted_board: true, duties, ..wooden() });
    let mut board = table.position().board().clone();
    board.discard_piece_at(Square::D8);
    table.shows(Black, &board);
    table.script("e2- e4+ ~4000");
    assert_eq!((table.completed(), table.clock().2), (0, Running::None));
    board.set_piece_at(Square::D8, Black.queen());
    table.shows(Black, &board);
    table.script("\"Uhr starten\" ~4000");
    assert_eq!((table.completed(), table.clock().2), (1, Running::Black));
}

#[test]
fn a_king_let_go_of_where_castling_puts_it_leaves_nothing_but_castling_4_7_2() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let owed = "problem 4.7.2: castling with the rook on h1 must be played";
    has(&at(fen, "e1- g1+ ~2500 g1- f1+ ~1000 w!").heard(), owed);
    has(&at(fen, "e1- g1+ ~2500 g1- e1+ ~900 a1- a2+ ~900 w!").heard(), owed);
    has(&at(fen, "e1- g1+ ~2500 g1- c1+ a1- d1+ ~900 w!").heard(), owed);
    // It was on its way; or it castles; or castling there is illegal.
    lacks(&at(fen, "e1- g1+ ~600 g1- f1+ ~1000 w!").heard(), "4.7.2");
    let mut table = at(fen, "e1- g1+ ~2500 h1- f1+ ~1000 w!");
    lacks(&table.heard(), "problem");
    assert_eq!(table.completed(), 1);
    let checked = "r3kr2/8/8/8/8/8/8/R3K2R w KQq - 0 1";
    lacks(&at(checked, "e1- g1+ ~2500 g1- e2+ ~1000 w!").heard(), "4.7.2");
    // On a flat board by the ordinary rules.
    for (rest_ms, told) in [(2500, true), (500, false)] {
        let mut desk = Desk::at("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
        desk.moves(Black.king(), Square::E8, Square::G8);
        desk.table.wait(rest_ms);
        desk.moves(Black.king(), Square::G8, Square::F8);
        desk.table.press(Black);
        desk.looked_at();
        let heard = desk.table.heard();
        let owed = heard.iter().any(|line| line.contains("problem 4.7.2"));
        assert_eq!((desk.table.completed(), owed), (1, told), "{heard:#?}");
    }
}

#[test]
fn a_move_and_the_opponents_before_it_are_executed_in_either_order_d_2_3() {
    let begun = "e2- e4+ ~700 w! b\"e7-e5\" b!";
    let said = "w\"Bauer David zwei David vier\"";
    for (first, then) in [(said, ""), ("", said)] {
        let script = format!("{begun} {first} d2- d4+ ~300 e7- e5+ {then} ~500 w!");
        let mut table = Table::after(wooden(), &script);
        let heard = table.heard();
        lacks(&heard, "problem");
        lacks(&heard, "refused");
        assert_eq!(
            (table.sans(), table.completed()),
            (moves(&["e4", "e5", "d4"]), 3),
            "{heard:#?}"
        );
        assert_eq!(table.clock().2, Running::Black);
    }
    // What was done before the opponent's move was known is no reply to it.
    let table = Table::after(wooden(), "e2- e4+ ~700 w! d2- d4+ ~900 b\"e7-e5\" b! e7- e5+ ~900");
    assert_eq!(table.sans(), ["e4", "e5"]);
    // Two blind players: each copies on his own pegs.
    let mut table = Table::after(GameConfig { blind: Blind::Both, ..wooden() }, "e2- e4+ ~700 w!");
    table.hand = Black;
    table.script("e7- e5+ ~300 e2- e4+ ~700 b!");
    assert_eq!(
        (table.sans(), table.completed()),
        (moves(&["e4", "e5"]), 2),
        "{:#?}",
        table.heard()
    );
}

fn moves(sans: &[&str]) -> Vec<String> {
    sans.iter().map(ToString::to_string).collect()
}

#[test]
fn a_piece_touched_before_the_opponents_completed_move_is_copied_is_touched_d_2_2() {
    let begun = "e2- e4+ ~700 w! b\"e7-e5\"";
    let touched = "g1- ~300 g1+ ~600 e7- e5+ ~600 d2- d4+ ~700 w!";
    has(&Table::after(wooden(), &format!("{begun} b! {touched}")).heard(), "problem 4.3: ");
    let mut table = Table::after(wooden(), &format!("{begun} b! g1- ~300 g1+ ~600"));
    table.script("\"Stellungswiederholung\" \"ja\"");
    has(&table.heard(), "Berührt: kein Antrag mehr.");
    // The knight goes; it was not his turn yet; it was knocked over; it was the captured piece.
    let knight = touched.replace("d2- d4+", "g1- f3+");
    let knocked = touched.replace("g1- ~300 g1+", "g1- f1- h1- ~300 f1+ g1+ h1+");
    for script in [format!("b! {knight}"), touched.to_owned(), format!("b! {knocked}")] {
        lacks(&Table::after(wooden(), &format!("{begun} {script}")).heard(), "problem 4.3");
    }
    let taken = "e2- e4+ ~700 w! b\"d7-d5\" b! d7- d5+ ~600 h2- h3+ ~700 w! b\"d5-e4\" b!";
    let mut table = Table::after(wooden(), &format!("{taken} e4- d5- e4+ ~600 a2- a3+ ~700 w!"));
    lacks(&table.heard(), "problem");
    assert_eq!(table.completed(), 5);
}

#[test]
fn pieces_that_a_sighted_player_knocked_over_were_not_touched_4_2_2() {
    use Square::*;
    let pawn = Some(Black.pawn());
    for (off, bound) in [(&[H7, G7, F7][..], false), (&[H7], true)] {
        let mut desk = Desk::after_e4();
        let put = |piece: Option<Piece>| off.iter().map(|at| (*at, piece)).collect::<Vec<_>>();
        desk.puts(&put(None));
        desk.table.wait(1000);
        desk.puts(&put(pawn));
        desk.table.wait(1000);
        // One that he takes up afterwards is touched all the same.
        let mut later = desk.table.game.clone();
        desk.moves(Black.pawn(), E7, E5);
        let heard = desk.table.heard();
        assert_eq!(heard.iter().any(|line| line.starts_with("problem 4.3")), bound, "{heard:#?}");
        std::mem::swap(&mut later, &mut desk.table.game);
        desk.board.set_piece_at(E7, Black.pawn());
        desk.board.discard_piece_at(E5);
        desk.puts(&[(H7, None)]);
        desk.puts(&[(H7, pawn)]);
        desk.moves(Black.pawn(), E7, E5);
        has(&desk.table.heard(), "problem 4.3");
    }
}

#[test]
fn the_game_does_not_go_on_before_a_flag_or_an_illegal_move_is_decided_6_9_7_5() {
    for (time, script, number) in [("0.05", "~3500", 1), ("90", "g1- g3+ ~700 w! ~5000", 1)] {
        let config = GameConfig { time_control: time.to_owned(), ..wooden() };
        let mut table = Table::new(config);
        table.input(Input::ArbiterPage { open: true });
        table.start_clock();
        table.script(script);
        table.heard();
        table.rules(ArbiterAct::StartClocks { side: None });
        has(&table.heard(), "decide first what is open");
        assert_eq!(table.clock().2, Running::None);
        table.rules(ArbiterAct::DismissProposal { number });
        table.rules(ArbiterAct::StartClocks { side: None });
        assert_ne!(table.clock().2, Running::None);
    }
}

#[test]
fn while_a_move_is_sealed_no_page_enters_it_as_played_i_1_1() {
    let invited = Adjourn::Invited { arbiter: "A".to_owned(), session_left_ms: None, reply: false };
    let script = "e2- e4+ ~900 w!";
    let mut table = Table::after(GameConfig { sighted_board: true, ..wooden() }, script);
    let page = |act| {
        let entry = PageEntry { role: PageRole::Assistant, by: String::new(), act };
        Input::Page(Box::new(entry))
    };
    table.input(page(PageAct::Executed { seat: Black, uci: "e2e4".to_owned() }));
    table.input(Input::Adjourn(Box::new(invited)));
    table.heard();
    table.input(page(PageAct::Executed { seat: Black, uci: "e7e5".to_owned() }));
    has(&table.heard(), "refused I.1.1");
    table.input(Input::Adjourn(Box::new(Adjourn::Sealed { envelope: Envelope::Paper })));
    table.input(page(PageAct::Executed { seat: Black, uci: "e7e5".to_owned() }));
    has(&table.heard(), "refused I.5");
    assert_eq!(table.sans(), ["e4"]);
}

/// The other pawn is taken en passant, or one that no move of the knight takes.
#[test]
fn a_press_after_a_move_that_takes_another_piece_than_it_captures_is_illegal_7_5_1() {
    use Square::*;
    let cases: [(&str, &[Change], &str); 2] = [
        (PASSED_TWO, &[(E4, None), (D3, Some(Black.pawn())), (C4, None)], "e4d3"),
        (TO_TAKE, &[(G8, None), (F6, Some(Black.knight())), (D4, None)], "g8f6"),
    ];
    for (fen, changes, uci) in cases {
        let (desk, heard) = pressed_after(fen, changes);
        has(&heard, &format!("problem 7.5.1: Black completed an illegal move: {uci}"));
        let record = desk.table.game.record().expect("a game");
        assert_eq!((record.proposals.len(), desk.table.sans().len()), (1, 0), "{uci}");
    }
    // Of his own pieces one may have been knocked over.
    let changes = [(E4, None), (D3, Some(Black.pawn())), (D4, None)];
    let (desk, _) = pressed_after(PASSED_TWO, &changes);
    assert_eq!(desk.table.sans(), ["exd3"], "it is the right one");
}

/// What is knocked over is put back (7.4.1): the move made before is what it was.
#[test]
fn a_piece_that_falls_after_a_made_move_makes_it_no_illegal_one_7_4_1() {
    use Square::*;
    let mut desk = Desk::at(TO_TAKE);
    desk.puts(&[(G8, None), (F6, Some(Black.knight()))]);
    desk.table.wait(3000);
    desk.puts(&[(D4, None)]);
    desk.table.wait(400);
    desk.table.press(Black);
    desk.looked_at();
    desk.table.wait(5000);
    let heard = desk.table.heard();
    lacks(&heard, "7.5.1");
    desk.puts(&[(D4, Some(White.pawn()))]);
    desk.table.wait(2000);
    assert_eq!(desk.table.sans(), ["Nf6"], "{heard:#?}");
}

/// White's board after 1. e4 d5 2. Nc3, Black has announced dxe4 and pressed.
const TAKEN: &str = "e2- e4+ ~700 w! b\"Bauer David sieben David fünf\" b! d7- d5+ ~700 b1- c3+ ~900 w! \
                     b\"Bauer David fünf Eva vier\" b!";

#[test]
fn the_opponents_move_and_the_reply_are_executed_in_one_go_and_in_any_order_d_2_4() {
    for hands in [
        "e4- d5- e4+ e4- c3- e4+ w!",
        "e4- d5- c3- e4+ w!",
        "d5- e4- c3- e4+ ~900 w!",
        "c3- e4- d5- e4+ ~900 w!",
        "e4- c3- e4+ d5- ~900 w!",
        "e4- d5- c3- e4+ ~900 \"fertig\"",
        "\"Springer Cesar drei Eva vier\" e4- d5- c3- e4+ w!",
    ] {
        let table = Table::after(wooden(), &format!("{TAKEN} {hands}"));
        assert_eq!(table.sans(), ["e4", "d5", "Nc3", "dxe4", "Nxe4"], "{hands}");
        assert_eq!(table.completed(), 5, "{hands}");
    }
    for hands in ["e4- d5- e4+ f1- c4+ w!", "f1- c4+ e4- d5- e4+ w!", "f1- c4+ ~900 e4- d5- e4+ w!"]
    {
        let table = Table::after(wooden(), &format!("{TAKEN} {hands}"));
        assert_eq!(
            (table.sans().last().map(String::as_str), table.completed()),
            (Some("Bc4"), 5),
            "{hands}"
        );
    }
}

#[test]
fn a_reply_before_the_opponents_move_is_executed_stays_while_that_is_asked_for_d_2_4() {
    // The pawn on e4 stands in the hole of the one that takes it.
    let mut table = Table::after(wooden(), &format!("{TAKEN} d5- f1- c4+ ~900 w!"));
    assert_eq!(table.completed(), 4);
    table.heard();
    table.script("~8000");
    assert_eq!(table.heard(), ["ear: Entferne den weißen Bauern von Eva vier."]);
    table.script("e4- e4+ ~900 w!");
    assert_eq!(table.completed(), 5);
}
