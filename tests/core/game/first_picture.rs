//! The first picture of a board is compared before anything counts (7.2.1).

use annabella_core::game::{ArbiterAct, BoardSeen, GameConfig, Input, Running, ShownBoard};
use shakmaty::{
    Bitboard,
    Color::{Black, White},
    Position, Square,
};

use super::{
    script::{has, lacks, wooden},
    table::Table,
};

fn read(table: &mut Table, without: &[Square], with: &[Square]) {
    let mut pegs = table.position().board().occupied();
    without.iter().for_each(|square| pegs.discard(*square));
    with.iter().for_each(|square| pegs.add(*square));
    table.input(Input::Board { seat: White, occupied: pegs.into() });
}

#[test]
fn a_peg_that_is_missing_or_misplaced_when_the_board_is_first_read_is_told_and_led() {
    let mut table = Table::new(wooden());
    read(&mut table, &[Square::G1], &[]);
    let heard = table.heard();
    has(&heard, "ear: Setz den weißen Springer auf Gustav eins.");
    has(&heard, "problem 7.2.1");
    has(&heard, "boards differ");
    // Nothing counts before it is right.
    table.script("w! e2- e4+ ~900 w!");
    let heard = table.heard();
    lacks(&heard, "7.5");
    lacks(&heard, "executed");
    has(&heard, "refused D.2.9");
    has(&heard, "ear: Entferne die Figur von Eva vier.");
    assert_eq!(table.clock().2, Running::None);
    table.script("e4- e2+ g1+ ~900");
    has(&table.heard(), "boards agree");
    table.script("\"Uhr starten\" e2- e4+ ~900 w!");
    assert_eq!((table.sans(), table.completed()), (vec!["e4".to_owned()], 1));

    let mut table = Table::new(wooden());
    read(&mut table, &[Square::E2], &[Square::E3]);
    has(&table.heard(), "von Eva drei.");
    table.script("e3-");
    has(&table.heard(), "ear: Setz den weißen Bauern auf Eva zwei.");
    table.script("e2+ ~900");
    has(&table.heard(), "boards agree");
}

#[test]
fn what_looks_wrong_at_first_and_is_a_broken_reed_she_or_the_arbiter_says_so() {
    let mut table = Table::new(wooden());
    read(&mut table, &[Square::G1], &[Square::A5]);
    table.heard();
    table.script("w\"ausgeführt\"");
    assert_eq!(table.spoken(), ["ear: Stimmt das Brett von Weiß?"]);
    table.script("w\"ja\"");
    let heard = table.heard();
    has(&heard, "Gustav eins");
    has(&heard, "Sensor Anna fünf klemmt.");
    has(&heard, "boards agree");
    table.start_clock();
    table.script("e2- e4+ ~900 w!");
    assert_eq!(table.completed(), 1);
    let mut table = Table::new(wooden());
    read(&mut table, &[Square::G1], &[]);
    table.rules(ArbiterAct::StartClocks { side: None });
    table.script("e2- e4+ ~900 w!");
    assert_eq!((table.completed(), table.clock().2), (1, Running::Black));
}

#[test]
fn pegs_that_are_being_set_up_are_followed_as_they_come() {
    let mut table = Table::new(wooden());
    let occupied = (Bitboard::from(0xffff) ^ Bitboard::from(Square::E2)).into();
    table.input(Input::Board { seat: White, occupied });
    table.wait(20_000);
    assert!(table.spoken().len() <= 1, "{:#?}", table.results.last());
}

#[test]
fn the_board_before_the_sighted_player_is_compared_too_whatever_its_kind() {
    let config = GameConfig { sighted_board: true, ..wooden() };
    for pieces in [false, true] {
        let mut table = Table::new(config.clone());
        let mut board = table.position().board().clone();
        let shown = |board: &shakmaty::Board| match pieces {
            true => ShownBoard::Pieces(board.board_fen().to_string()),
            false => ShownBoard::Occupied(board.occupied().into()),
        };
        board.discard_piece_at(Square::D7);
        board.set_piece_at(Square::D5, Black.pawn());
        table.seen(Black, BoardSeen::Still { shown: shown(&board), ago_ms: 250 });
        let heard = table.heard();
        has(&heard, "von David fünf.");
        has(&heard, "boards differ");
        table.input(Input::ClockStarted);
        has(&table.heard(), "refused D.2.9");
        board.discard_piece_at(Square::D5);
        table.seen(Black, BoardSeen::Still { shown: shown(&board), ago_ms: 250 });
        has(&table.heard(), "loud: Schwarz: Setz den schwarzen Bauern auf David sieben.");
        board.set_piece_at(Square::D7, Black.pawn());
        table.seen(Black, BoardSeen::Still { shown: shown(&board), ago_ms: 250 });
        has(&table.heard(), "boards agree");
        table.start_clock();
        assert_eq!(table.clock().2, Running::White);
    }
}

#[test]
fn a_peg_that_is_taken_off_after_the_first_picture_is_told_before_the_clock_runs_7_2_1() {
    let mut table = Table::new(wooden());
    read(&mut table, &[], &[]);
    table.script("h1- ~7000");
    table.heard();
    table.script("w\"Uhr starten\"");
    has(&table.heard(), "ear: Setz den weißen Turm auf Hector eins.");
    assert_eq!(table.clock().2, Running::None);
    table.script("h1+ ~900 w\"Uhr starten\"");
    assert_eq!(table.clock().2, Running::White);
    // So on the sighted player's board, where it would be his first move.
    let mut table = Table::new(GameConfig { sighted_board: true, ..wooden() });
    let mut board = table.position().board().clone();
    for piece in [None, Some(Black.knight())] {
        table.shows(Black, &board);
        board.discard_piece_at(Square::G8);
        piece.into_iter().for_each(|piece| board.set_piece_at(Square::F6, piece));
    }
    table.shows(Black, &board);
    table.heard();
    table.script("w\"Uhr starten\"");
    has(&table.heard(), "loud: Schwarz: Entferne den schwarzen Springer von Felix sechs.");
    assert_eq!(table.clock().2, Running::None);
}

#[test]
fn a_board_that_shows_its_first_move_turned_is_said_to_lie_the_wrong_way_round_2_1() {
    let mut table = Table::new(wooden());
    read(&mut table, &[], &[]);
    table.start_clock();
    table.heard();
    table.script("d7- d5+ ~9000");
    assert_eq!(table.spoken(), ["ear: Das Brett liegt verkehrt herum. Dreh es um."]);
    table.script("\"was ist offen\"");
    assert_eq!(table.spoken(), ["ear: Das Brett liegt verkehrt herum. Dreh es um."]);
    table.script("w! ~500");
    let heard = table.heard();
    has(&heard, "ear: Das Brett liegt verkehrt herum. Dreh es um.");
    lacks(&heard, "7.5.1");
}
