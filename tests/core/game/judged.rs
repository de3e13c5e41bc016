//! What the arbiter has to judge before anything ends the game, and how long it is his to judge.

use annabella_core::game::{ArbiterAct, Duties, GameConfig, Input, Running, Settle};
use shakmaty::{
    Color::{Black, White},
    Square,
};

use super::{
    script::{has, lacks, wooden},
    table::Table,
    watched::Desk,
};

/// White's rook mates, and his knight can move.
const TOUCHED: &str = "6k1/2p2ppp/8/8/8/8/8/RN2K3 w - - 0 1";
/// The knight was touched first, and the rook has mated.
const AGAINST: &str = "b1- ~200 b1+ ~700 a1- a8+ ~2000";

fn at(fen: &str, script: &str) -> Table {
    Table::after(GameConfig { start: Some(fen.to_owned()), ..wooden() }, script)
}

fn confirm(number: u32, choice: u32) -> ArbiterAct {
    ArbiterAct::ConfirmProposal { number, choice: Some(choice) }
}

fn settle(ply: u32) -> ArbiterAct {
    ArbiterAct::Settle(Box::new(Settle { ply, score: None, clocks: None }))
}

/// Numbers of the proposals that wait.
fn open(table: &Table) -> Vec<u32> {
    let record = table.game.record().expect("a game");
    let open = record.proposals.iter().filter(|proposal| proposal.is_open());
    open.map(|proposal| proposal.number).collect()
}

#[test]
fn a_mate_against_a_touched_piece_is_taken_back_or_stands_as_the_arbiter_says_5_1_1() {
    let mut table = at(TOUCHED, AGAINST);
    assert_eq!((table.result(), table.clock().2), (None, Running::None));
    has(&table.heard(), "proposal 1 4.3: the piece on b1 was touched first and can move");
    let record = table.game.record().expect("a game");
    assert_eq!(record.proposals[0].choices.len(), 2);
    assert_eq!(record.proposals[0].choices[0], ArbiterAct::GoBack { ply: 1 });
    // The touch counts: the position before, and the knight moves.
    table.rules(confirm(1, 0));
    assert_eq!((table.result(), table.sans().len()), (None, 0));
    table.script("a8- ~200 a1+ ~900");
    table.rules(ArbiterAct::StartClocks { side: None });
    table.heard();
    table.script("b1- ~200 c3+ ~900 w!");
    assert_eq!(table.sans(), ["Nc3"]);
    lacks(&table.heard(), "4.3");
    // It does not count: the mate has ended the game.
    let mut table = at(TOUCHED, AGAINST);
    table.rules(confirm(1, 1));
    assert_eq!(table.result().as_deref(), Some("1-0 5.1.1"));
    // The finding is dismissed: he had touched nothing.
    let mut table = at(TOUCHED, AGAINST);
    table.rules(ArbiterAct::DismissProposal { number: 1 });
    assert_eq!(table.result().as_deref(), Some("1-0 5.1.1"));
}

#[test]
fn what_was_touched_before_a_move_that_does_not_stand_binds_its_player_still_4_3_1() {
    let mut table = at(TOUCHED, AGAINST);
    table.rules(confirm(1, 0));
    table.script("a8- ~200 a1+ ~900");
    table.rules(ArbiterAct::StartClocks { side: None });
    table.heard();
    table.script("a1- ~200 a8+ ~4000");
    assert_eq!(table.result(), None);
    has(&table.heard(), "proposal 2 4.3: the piece on b1 was touched first and can move");
}

#[test]
fn only_the_last_move_is_taken_back_so_4_3() {
    let mut table = at(TOUCHED, "b1- ~200 c3+ ~900 w!");
    table.heard();
    table.rules(ArbiterAct::GoBack { ply: 2 });
    has(&table.heard(), "refused 4.3: ");
    assert_eq!(table.sans(), ["Nc3"]);
}

#[test]
fn what_was_proposed_about_a_move_is_void_once_the_move_is_gone_d_2_9() {
    let mut table = at(TOUCHED, AGAINST);
    table.rules_because(settle(0), "the knight moves");
    assert!(open(&table).is_empty(), "{:?}", table.heard());
    table.script("a8- ~200 a1+ ~900");
    table.rules(ArbiterAct::StartClocks { side: None });
    // A perfectly legal mate, later.
    table.script("b1- c3+ ~900 w! b\"c7-c6\" b! c7- c6+ ~900 a1- a8+ ~2200");
    assert_eq!(table.result().as_deref(), Some("1-0 5.1.1"), "{:#?}", table.heard());
}

/// Who announces himself has made no move before he has (D.2.3).
#[test]
fn what_was_only_tried_with_the_hands_is_proposed_to_nobody_d_2_3() {
    let duties = Duties { announce: false, ..Duties::default() };
    let config = GameConfig { start: Some(TOUCHED.to_owned()), duties, ..wooden() };
    let tried = "b1- ~200 b1+ ~700 a1- a8+ ~1500 a8- ~100 a1+ ~900";
    let mut table = Table::after(config, tried);
    assert!(open(&table).is_empty());
    table.script("\"Springer Bella eins Cesar drei\" b1- c3+ ~900 w!");
    assert!(open(&table).is_empty());
    table.script("b\"c7-c6\" b! c7- c6+ ~900 \"Turm Anna eins Anna acht\" a1- a8+ ~2200");
    assert_eq!(table.result().as_deref(), Some("1-0 5.1.1"), "{:#?}", table.heard());
}

/// Black's board, whose kings are put into the middle.
fn kings_meet(config: GameConfig, play: impl FnOnce(&mut Table), on: [Square; 2]) -> Table {
    let table = Table::after(GameConfig { sighted_board: true, ..config }, "");
    let mut desk = Desk::new(table);
    play(&mut desk.table);
    desk.puts(&[(Square::E1, None), (on[0], Some(White.king()))]);
    desk.puts(&[(Square::E8, None), (on[1], Some(Black.king()))]);
    desk.table.wait(2500);
    desk.table.script("w\"ja\"");
    desk.table
}

#[test]
fn kings_in_the_middle_end_nothing_that_the_arbiter_has_to_judge_6_9() {
    let config = GameConfig {
        start: Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".to_owned()),
        time_control: "0.05".to_owned(),
        ..wooden()
    };
    let flag = |table: &mut Table| {
        table.input(Input::ArbiterPage { open: true });
        table.wait(3500);
    };
    let mut table = kings_meet(config, flag, [Square::D5, Square::E4]);
    let heard = table.heard();
    has(&heard, "Die Könige stehen in der Mitte.");
    has(&heard, "refused");
    assert_eq!((table.result(), open(&table)), (None, vec![1]));
}

#[test]
fn kings_in_the_middle_are_no_draw_before_each_has_made_a_move_5_2_3() {
    let mut table = kings_meet(wooden(), |_| {}, [Square::E4, Square::E5]);
    has(&table.heard(), "refused 5.2.3");
    assert_eq!(table.result(), None);
}

#[test]
fn a_mate_announced_before_the_flag_fell_wins_whoever_claims_the_flag_5_1_1() {
    let mate = "6k1/8/8/8/8/8/r4PPP/6K1 b - - 0 1";
    let stalemate = "7k/8/8/8/8/1q6/8/K7 b - - 0 1";
    for (fen, move_said, result) in [
        (mate, "Turm Anna zwei Anna eins", "0-1 5.1.1"),
        (stalemate, "Dame Bella drei Cesar zwei", "1/2-1/2 5.2.1"),
    ] {
        for claims in ["\"Zeit überschritten\"", "w\"Zeit überschritten\""] {
            let config = GameConfig {
                start: Some(fen.to_owned()),
                time_control: "0.06".to_owned(),
                ..GameConfig::default()
            };
            let script = format!("b\"{move_said}\" ~4500 {claims}");
            let mut table = Table::after(config, &script);
            assert_eq!(table.result().as_deref(), Some(result), "{:#?}", table.heard());
        }
    }
}

/// White's second illegal move is not judged yet, and Black's time for the first not given, when
/// Black's flag falls.
fn flag_of_the_offended() -> Table {
    let config = GameConfig { time_control: "0.1".to_owned(), ..wooden() };
    Table::after(
        config,
        "w! ~300 e2- e4+ ~900 w! b\"e7-e5\" b! e7- e5+ ~900 w! ~200 d2- d4+ ~900 w! ~8000",
    )
}

#[test]
fn a_flag_waits_while_the_opponents_illegal_moves_are_not_judged_7_5_5() {
    let mut table = flag_of_the_offended();
    assert_eq!((table.result(), table.clock().2), (None, Running::None));
    let heard = table.heard();
    has(&heard, "Schwarz: Zeit überschritten. Der Schiedsrichter entscheidet.");
    assert_eq!(open(&table), [1, 2, 3], "{heard:#?}");
    table.rules(confirm(2, 0));
    assert_eq!(table.result().as_deref(), Some("0-1 7.5.5"));
    // With the time that he is owed no flag of his is down.
    let mut table = flag_of_the_offended();
    table.rules(confirm(1, 0));
    assert_eq!((table.result(), open(&table)), (None, vec![2]));
    assert_eq!(table.clock().1, 60_000);
    // Nothing is owed to him: his flag is judged by itself.
    let mut table = flag_of_the_offended();
    table.rules(ArbiterAct::DismissProposal { number: 2 });
    table.rules(ArbiterAct::DismissProposal { number: 1 });
    table.rules(confirm(3, 0));
    assert_eq!(table.result().as_deref(), Some("1-0 6.9"));
}

#[test]
fn a_flag_of_who_is_owed_nothing_ends_the_game_6_9() {
    let config = GameConfig { time_control: "0.1".to_owned(), ..wooden() };
    let table = Table::after(config, "w! ~300 ~8000");
    assert_eq!(table.result().as_deref(), Some("0-1 6.9"), "the offender's own flag");
}

#[test]
fn a_mate_that_came_before_the_claim_wins_where_nobody_had_claimed_the_flag_6_8() {
    let config = GameConfig {
        start: Some("6k1/8/8/8/8/8/r4PPP/6K1 b - - 0 1".to_owned()),
        time_control: "0.06".to_owned(),
        duties: Duties { claim: false, ..Duties::default() },
        ..GameConfig::default()
    };
    let mate = "~4500 b\"Turm Anna zwei Anna eins\" ~300 w\"Zeit überschritten\"";
    let table = Table::after(config.clone(), mate);
    assert_eq!(table.result().as_deref(), Some("0-1 5.1.1"));
    let table = Table::after(config, "~4500 w\"Zeit überschritten\" b\"Turm Anna zwei Anna eins\"");
    assert_eq!(table.result().as_deref(), Some("1-0 6.9"));
}

#[test]
fn nothing_is_agreed_while_a_move_that_ended_the_game_is_judged_5_1_1() {
    for ends in ["b\"Remis anbieten\" b\"ja\"", "b\"ich gebe auf\" b\"ja\""] {
        let mut table = at(TOUCHED, &format!("{AGAINST} {ends}"));
        has(&table.heard(), "– Der Schiedsrichter entscheidet.");
        assert_eq!((table.result(), open(&table)), (None, vec![1]), "{ends}");
    }
}

#[test]
fn nothing_ends_a_game_of_which_the_arbiter_has_to_say_whether_it_counts_7_2_1() {
    let found =
        "e2- e4+ ~900 w! b\"e7-e5\" b! e7- e5+ ~900 \"Grundstellung falsch\" \"Uhr starten\"";
    for ends in ["w\"ich gebe auf\" w\"ja\"", "w\"Remis anbieten\" w\"ja\"", "~8000"] {
        let config = GameConfig { time_control: "0.1".to_owned(), ..wooden() };
        let mut table = Table::after(config, &format!("{found} {ends}"));
        assert_eq!((table.result(), open(&table)[0]), (None, 1), "{ends}: {:#?}", table.heard());
    }
}
