//! Offences are counted once until the position is put right, and what is only early is none.

use annabella_core::game::{
    ArbiterAct, Duties, GameConfig, Input, Ruling, Running, SensingConfig, Settle,
};
use shakmaty::{
    Color::{Black, White},
    Square,
};

use super::{
    script::{has, lacks, wooden},
    table::Table,
    watched::Desk,
};

fn after(fen: &str, config: GameConfig, script: &str) -> Table {
    let mut table = Table::at(fen, config);
    table.start_clock();
    table.script(script);
    table
}

/// Proposals that wait for the arbiter.
fn open(table: &Table) -> Vec<String> {
    let record = table.game.record().expect("a game");
    let open = record.proposals.iter().filter(|proposal| proposal.is_open());
    open.map(|proposal| proposal.text.to_string()).collect()
}

#[test]
fn until_an_illegal_move_is_put_right_it_is_one_offence() {
    let mut table = Table::after(wooden(), "g1- g3+ ~700 w! ~900 w! ~900 g3- h5+ ~700 w!");
    let heard = table.heard();
    assert_eq!(open(&table), ["first illegal move of White: two minutes for Black"], "{heard:#?}");
    assert_eq!(heard.iter().filter(|line| line.contains("7.5.1")).count(), 1, "{heard:#?}");
    // It is put right; the next one is the second.
    table.script("h5- g1+ ~900 g1- g3+ ~700 w! ~200");
    assert_eq!(open(&table).len(), 2);
    let en_passant = "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1";
    let table = after(en_passant, wooden(), "d5- e5- d6+ ~700 w! ~900 w! ~200");
    assert_eq!(open(&table).len(), 1);
}

#[test]
fn the_same_holds_for_a_sighted_player() {
    let mut desk = Desk::after_e4();
    for to in [Square::G5, Square::H5] {
        desk.moves(Black.knight(), Square::G8, to);
        desk.table.wait(3500);
        desk.table.press(Black);
        desk.looked_at();
        desk.puts(&[(to, None)]);
    }
    assert_eq!(open(&desk.table).len(), 1, "{:#?}", desk.table.heard());
    desk.puts(&[(Square::G8, Some(Black.knight()))]);
    desk.moves(Black.knight(), Square::G8, Square::G5);
    desk.table.wait(3500);
    desk.table.press(Black);
    desk.looked_at();
    assert_eq!(open(&desk.table).len(), 2);
}

#[test]
fn who_is_announced_for_and_presses_too_early_has_committed_no_offence() {
    let capture = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    let en_passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let cases = [
        (capture, "e4- ~300 w! ~200", "e4+ ~600 e4- d5- d5+ ~900 w! ~200"),
        (capture, "d5- e4- ~300 w! ~300 w! ~200", "d5+ ~900 w! ~200"),
        (en_passant, "e5- d6+ ~300 w! ~200", "d5- ~900 w! ~200"),
        (castling, "e1- g1+ ~300 w! ~200", "h1- f1+ ~900 w! ~200"),
    ];
    for (fen, early, done) in cases {
        let mut table = after(fen, wooden(), early);
        let heard = table.heard();
        has(&heard, "problem D.2.4: the clock was pressed before the move was executed in full");
        has(&heard, "ear: Uhr zu früh, noch kein Zug.");
        lacks(&heard, "7.5");
        table.script(done);
        assert_eq!((table.completed(), open(&table).len()), (1, 0), "{:#?}", table.heard());
    }
    // Who announces himself has pressed without a move (7.5.3).
    let duties = Duties { announce: false, ..Duties::default() };
    let mut table = after(capture, GameConfig { duties, ..wooden() }, "e4- ~300 w! ~200");
    has(&table.heard(), "problem 7.5.3");
}

#[test]
fn what_a_later_move_or_ruling_makes_void_is_no_longer_proposed() {
    // A changed move can stand no more once the game has gone on; changed twice it is one proposal.
    let mut table = Table::after(wooden(), "e2- e4+ ~900 e4- e3+ ~900 e3- e2+ d2- d4+ ~900 w!");
    assert_eq!(open(&table), ["White changed a made move: e4, then d4"]);
    table.script("e7- e5+ ~900 b!");
    assert!(open(&table).is_empty(), "{:?}", open(&table));
    let table = Table::after(wooden(), "e2- e4+ ~900 e4- e3+ ~900 e3- e4+ ~900 w!");
    assert!(open(&table).is_empty(), "{:?}", open(&table));
    // Illegal moves after the position that was decided on are not counted any more.
    let mut table =
        Table::after(wooden(), "e2- e4+ ~900 w! e7- e5+ ~900 b! g1- g3+ ~700 w! ~200 g3- g1+ ~900");
    assert_eq!(open(&table).len(), 1);
    let act = ArbiterAct::Settle(Box::new(Settle { ply: 1, score: None, clocks: None }));
    let ruling = Ruling::new(act, "A. Weber", "another line");
    table.input(Input::Arbiter(Box::new(ruling)));
    assert!(open(&table).is_empty(), "{:?}", open(&table));
}

#[test]
fn where_an_arbiter_looks_the_clocks_stand_after_an_illegal_move_until_he_has_decided() {
    let illegal = "g1- g3+ ~700 w! ~200";
    let mut table = Table::after(wooden(), "");
    table.input(Input::ArbiterPage { open: true });
    table.script(illegal);
    has(&table.heard(), "loud: Der Schiedsrichter entscheidet.");
    assert_eq!(table.clock().2, Running::None);
    table.script("\"Uhr starten\"");
    has(&table.heard(), "refused 6.11.3");
    table.rules(ArbiterAct::ConfirmProposal { number: 1, choice: None });
    assert_eq!(table.clock().2, Running::None, "the position is put right first (7.5.1)");
    table.script("g3- g1+ ~900 \"Uhr starten\"");
    assert_eq!(table.clock().2, Running::White, "{:#?}", table.heard());
    // He has closed his page: the players go on without him.
    let mut table = Table::after(wooden(), "");
    table.input(Input::ArbiterPage { open: true });
    table.script(illegal);
    table.input(Input::ArbiterPage { open: false });
    table.script("g3- g1+ ~900 \"Uhr starten\"");
    assert_eq!((table.clock().2, open(&table).len()), (Running::White, 1));
    // Nobody looks: as ever.
    let table = Table::after(wooden(), illegal);
    assert_eq!(table.clock().2, Running::White);
}

#[test]
fn where_an_arbiter_looks_he_confirms_what_a_fallen_flag_means() {
    let lone_king = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1";
    for (fen, expected) in [("4k2r/8/8/8/8/8/8/Q3K3 w - - 0 1", "0-1"), (lone_king, "1/2-1/2")] {
        let config = GameConfig { time_control: "0.1".to_owned(), ..wooden() };
        let mut table = after(fen, config.clone(), "");
        table.input(Input::ArbiterPage { open: true });
        table.wait(7000);
        let heard = table.heard();
        has(&heard, "Weiß: Zeit überschritten. Der Schiedsrichter entscheidet.");
        lacks(&heard, "result");
        assert_eq!((open(&table).len(), table.clock().2), (1, Running::None));
        table.rules(ArbiterAct::ConfirmProposal { number: 1, choice: None });
        has(&table.heard(), &format!("result {expected}"));
        let mut table = after(fen, config, "~7000");
        has(&table.heard(), &format!("result {expected}"));
    }
    // The clock was set wrongly: with the flag up nothing is left to confirm.
    let config = GameConfig { time_control: "0.1".to_owned(), ..wooden() };
    let mut table = after(lone_king, config, "");
    table.input(Input::ArbiterPage { open: true });
    table.wait(7000);
    table.rules(ArbiterAct::SetClock { seat: White, ms: 60_000, moves: None });
    assert!(open(&table).is_empty(), "{:?}", open(&table));
}

#[test]
fn a_peg_that_was_not_released_yet_may_move_on_and_one_that_was_is_the_arbiters() {
    let moves_on = |script: &str| Table::after(wooden(), script);
    // It rested for half a second on e3: a slip, which is corrected aloud.
    let mut table = moves_on("e2- e3+ ~500 e3- e4+ ~900 w!");
    let heard = table.heard();
    has(&heard, "loud: Korrektur: Bauer Eva zwei Eva vier.");
    lacks(&heard, "4.7");
    assert_eq!((table.sans(), open(&table).len()), (vec!["e4".to_owned()], 0));
    // Released (4.7), and where it goes afterwards makes no difference to that.
    let table = moves_on("e2- e3+ ~1500 e3- e4+ ~500 e4- e2+ d2- d4+ ~900 w!");
    assert_eq!(open(&table), ["White changed a made move: e3, then d4"]);
    // A setting frees it until the press.
    let sensing = SensingConfig { released_ms: 600_000, ..SensingConfig::default() };
    let config = GameConfig { sensing, ..wooden() };
    let table = Table::after(config, "e2- e3+ ~1500 e3- e4+ ~900 w!");
    assert!(open(&table).is_empty());
}

#[test]
fn a_press_that_can_complete_nothing_is_no_offence() {
    let mut table = Table::new(wooden());
    table.script("w! ~200");
    let heard = table.heard();
    has(&heard, "refused 6.6: the clocks have not been started yet – Die Uhren stehen.");
    lacks(&heard, "7.5.3");
    // After the end nothing is said of it.
    let mut table = Table::after(wooden(), "w\"ich gebe auf\" w\"ja\"");
    table.heard();
    table.script("w! ~200 b! ~200");
    assert_eq!(table.heard(), [""; 0]);
    // While the clocks stand the press is answered by the word that starts them.
    let mut table = Table::after(wooden(), "\"Stellungswiederholung\" \"ja\" e2- e4+ ~900 w!");
    has(&table.heard(), "Die Uhren stehen. Sag: Uhr starten.");
}
