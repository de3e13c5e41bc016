//! What ends a game, and what only looks as if it did; claims and offers; what is still to be
//! written.

use annabella_core::{
    game::{ArbiterAct, BoardSeen, Duties, GameConfig, Input},
    reconcile::Verdict,
};
use shakmaty::Color;
use shakmaty::{
    Color::{Black, White},
    Square,
};

use super::{
    script::{has, lacks, wooden},
    table::Table,
    watched::Desk,
};

fn after(fen: &str, script: &str) -> Table {
    let mut table = Table::at(fen, wooden());
    table.start_clock();
    table.script(script);
    table
}

#[test]
fn the_hands_alone_end_no_game_while_the_pegs_have_another_explanation() {
    // The pawn was knocked out and put back while the queen is in the hand.
    let knocked = "b3- ~500 a2- ~400 a2+ ~2600";
    let fen = "8/8/8/8/3K4/1Q6/p7/k7 w - - 2 2";
    let mut table = after(fen, knocked);
    assert_eq!(table.result(), None, "{:#?}", table.heard());
    table.script("d1+ ~900 w!");
    assert_eq!((table.sans(), table.result()), (vec!["Qd1+".to_owned()], None));
    // She is asked, and her word or her press says so.
    for word in [r#"w"ja""#, "w! ~200"] {
        let mut table = after(fen, knocked);
        has(&table.heard(), "ear: Dame Bella drei schlägt Anna zwei?");
        table.script(word);
        assert_eq!(table.sans(), ["Qxa2+"], "{:#?}", table.heard());
    }
}

#[test]
fn every_end_that_needs_no_press_waits_for_the_hands_to_rest() {
    // The seventy-fifth quiet move, and a dead position that only a search finds.
    let quiet = "4k2r/8/8/8/8/8/8/4K2R w - - 149 100";
    let mut table = after(quiet, "h1- h2+ ~900");
    assert_eq!(table.result(), None);
    table.wait(1500);
    assert_eq!(table.result().as_deref(), Some("1/2-1/2 9.6.2"), "{:#?}", table.heard());
    // The fifth time.
    let mut table = Table::after(wooden(), "");
    for n in 0..4 {
        table.script("g1- f3+ ~900 w! g8- f6+ ~900 b! f3- g1+ ~900 w!");
        table.script(if n < 3 { "f6- g8+ ~900 b!" } else { "f6- g8+ ~900" });
    }
    assert_eq!(table.result(), None, "{:#?}", table.heard());
    table.wait(1500);
    assert_eq!(table.result().as_deref(), Some("1/2-1/2 9.6.1"), "{:#?}", table.heard());
}

#[test]
fn the_move_of_a_wrong_claim_must_be_made_or_the_arbiter_learns_of_it() {
    let claim = r#"w"fünfzig Züge mit Bauer Eva zwei Eva vier" w"ja""#;
    let claims = |script: &str| {
        let mut table = Table::after(wooden(), "");
        table.script(claim);
        table.rules(ArbiterAct::ConfirmProposal { number: 1, choice: None });
        table.rules(ArbiterAct::StartClocks { side: None });
        table.heard();
        table.script(script);
        table
    };
    let mut table = claims("e2- e4+ ~900 w!");
    lacks(&table.heard(), "9.5.3");
    let mut table = claims("w\"Korrektur Springer Gustav eins Felix drei\" g1- f3+ ~900 w!");
    let heard = table.heard();
    has(&heard, "problem 9.5.3: White claimed a draw with e4 and then made Nf3");
    has(&heard, "proposal 2 9.5.3");
    table.rules(ArbiterAct::ConfirmProposal { number: 2, choice: Some(0) });
    assert_eq!(table.sans(), ["e4"]);
}

#[test]
fn adjusting_declines_no_offer() {
    let mut table = Table::after(wooden(), "e2- e4+ ~900 w!");
    table.script("b\"Remis anbieten\" b\"ja\" e7- e5+ ~900 b!");
    table.script("w\"ich korrigiere\" g1- g1+ ~900 w\"Remis annehmen\" w\"ja\"");
    assert_eq!(table.result().as_deref(), Some("1/2-1/2 5.2.3"), "{:#?}", table.heard());
}

#[test]
fn a_score_that_is_not_handed_in_is_no_difference() {
    let duties = Duties { keep_score: false, ..Duties::default() };
    let config = GameConfig { duties, ..wooden() };
    let moves = "e2- e4+ ~900 w! e7- e5+ ~900 b! g1- f3+ ~900 w! b8- c6+ ~900 b! f1- b5+ ~900 w!";
    let mut table = Table::after(config, moves);
    table.heard();
    let text = "e4 e5 Nf3 Nc6 Bb5".to_owned();
    table.input(Input::Score { seat: Black, from_ply: 1, text });
    lacks(&table.heard(), "D.2.9");
    let settlement = table.game.settlement().expect("a game");
    assert_eq!((settlement.difference, settlement.ply), (None, 5));
    assert_ne!(settlement.verdict, Verdict::Retrace);
    assert!(settlement.missing.is_empty());
    // Handed in, another move is one.
    let text = "e4 e5 Nc3 Nc6 Bb5".to_owned();
    table.input(Input::Score { seat: White, from_ply: 1, text });
    has(&table.heard(), "problem D.2.9");
}

#[test]
fn who_need_not_record_has_nothing_to_write() {
    let config = GameConfig { time_control: "4".to_owned(), sighted_board: true, ..wooden() };
    let table = Table::after(config, "e2- e4+ ~900 w!");
    let record = table.game.record().expect("a game");
    assert_eq!(
        (record.unrecorded(Color::White), record.unrecorded(Color::Black)),
        (Some(0), Some(0))
    );
    assert!(table.game.settlement().expect("a game").missing.is_empty());
}

#[test]
fn kings_in_the_middle_of_the_board_are_asked_about_and_no_move() {
    for rest_ms in [500, 4000] {
        let mut desk = Desk::at("8/8/4k3/8/8/8/8/4KQ2 b - - 0 1");
        desk.moves(Black.king(), Square::E6, Square::D5);
        desk.table.wait(rest_ms);
        desk.table.heard();
        desk.moves(White.king(), Square::E1, Square::E4);
        let heard = desk.table.heard();
        has(&heard, "ear: Die Könige stehen in der Mitte. Weiß gewinnt?");
        lacks(&heard, "differ");
        desk.table.wait(10_000);
        assert!(desk.table.sans().is_empty() && desk.table.result().is_none(), "{heard:#?}");
        desk.table.script("w\"ja\"");
        assert_eq!(desk.table.result().as_deref(), Some("1-0 5.1.2"));
    }
    // It is not: the kings go back, and play goes on.
    let mut desk = Desk::at("8/8/4k3/8/8/8/8/4KQ2 b - - 0 1");
    desk.moves(White.king(), Square::E1, Square::E4);
    desk.moves(Black.king(), Square::E6, Square::E5);
    has(&desk.table.heard(), "ear: Die Könige stehen in der Mitte. Remis?");
    desk.table.script("w\"nein\"");
    desk.moves(White.king(), Square::E4, Square::E1);
    desk.table.wait(3000);
    desk.table.press(Black);
    assert_eq!(desk.table.sans(), ["Ke5"], "{:#?}", desk.table.heard());
}

#[test]
fn a_king_laid_down_and_a_board_that_is_swept_or_set_up_anew_are_no_moves() {
    let start = "8/8/4k3/8/8/8/8/4KQ2 b - - 0 1";
    let whole = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for shown in ["8/8/8/8/8/8/8/4KQ2", "8/8/8/8/8/8/8/8", whole, "8/8/4k3/8/8/8/8/8"] {
        let mut desk = Desk::at(start);
        desk.board = shakmaty::Board::from_ascii_board_fen(shown.as_bytes()).expect("a board");
        desk.table.seen(Black, BoardSeen::Moving);
        desk.looked_at();
        desk.table.wait(90_000);
        assert!(desk.table.sans().is_empty() && desk.table.result().is_none(), "{shown}");
    }
}
