//! Pieces that fell, and what was touched before it is said that they are adjusted.

use shakmaty::Color::{Black, White};

use super::{
    script::{has, lacks, wooden},
    table::Table,
};

#[test]
fn an_opponents_piece_that_lies_beside_the_board_at_the_press_is_told_soon_7_4_1() {
    let mut table = Table::after(wooden(), "e2- e4+ ~900 d7- ~700 w!");
    lacks(&table.heard(), "Setz");
    table.wait(5000);
    assert_eq!(table.spoken(), ["ear: Setz den schwarzen Bauern auf David sieben."]);
    assert_eq!(table.completed(), 1);
    table.wait(60_000);
    assert_eq!(table.spoken(), [""; 0], "once");
    table.script("d7+ ~900");
    has(&table.heard(), "ear: Brett stimmt.");
    // It was in the opponent's hand.
    let mut table = Table::after(wooden(), "e2- e4+ ~900 d7- ~700 w! d5+ ~900");
    lacks(&table.heard(), "Setz");
    // Lifted after the press, as for his move that is to be told.
    let mut table = Table::after(wooden(), "e2- e4+ ~900 w! d7-");
    table.wait(60_000);
    lacks(&table.heard(), "Setz");
}

#[test]
fn what_fell_is_put_back_before_the_press_is_asked_for_7_4_1() {
    let mut table = Table::after(wooden(), "e2- e4+ ~900 g1- ~800");
    table.heard();
    table.says(White, "was ist offen");
    assert_eq!(table.spoken(), ["ear: Setz den weißen Springer auf Gustav eins."]);
    table.script("g1+ ~900");
    table.heard();
    table.says(White, "was ist offen");
    assert_eq!(table.spoken(), ["ear: Uhr noch nicht gedrückt."]);
}

#[test]
fn whoever_adjusts_hears_what_he_has_touched_already_4_3() {
    let hears = |fen: Option<&str>, script: &str| {
        let start = fen.map(str::to_owned);
        let config = annabella_core::game::GameConfig { start, ..wooden() };
        let mut table = Table::after(config, script);
        table.heard();
        table.says(White, "ich korrigiere");
        table.spoken().join(" ")
    };
    let good = "ear: Gut, du rückst zurecht.";
    assert_eq!(hears(None, ""), good);
    let binds = format!("{good} Schon berührt, das gilt: Eva zwei.");
    assert_eq!(hears(None, "e2- ~300"), binds);
    assert_eq!(hears(None, "e2- ~300 e2+ ~900"), binds);
    // A rook that can't move binds to nothing (4.5).
    assert_eq!(hears(None, "a1- ~300"), good);
    let takes = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    assert_eq!(
        hears(Some(takes), "d5- ~300"),
        format!("{good} Schon berührt, das gilt: David fünf.")
    );
}

#[test]
fn the_arbiter_takes_no_more_time_than_a_player_has_12_9_3() {
    use annabella_core::game::{ArbiterAct, GameConfig, Penalty, Running};
    let config = GameConfig { time_control: "5".to_owned(), ..wooden() };
    let mut table = Table::after(config, "e2- e4+ ~900 w!");
    table.heard();
    for seat in [White, Black] {
        let before = table.clock();
        let penalty = Penalty::TimeOff { ms: 420_000 };
        table.rules(ArbiterAct::Penalty { seat, penalty });
        let heard = table.heard();
        let left = if seat == White { "White has only 0:04:" } else { "Black has only 0:04:" };
        has(&heard, &format!("refused 12.9.3: {left}"));
        has(&heard, " left: take less, or declare the game lost (12.9.6)");
        assert_eq!((table.result(), table.clock().2), (None, Running::Black));
        assert_eq!(table.clock().0, before.0);
    }
    let rules = |table: &mut Table, penalty| {
        table.rules(ArbiterAct::Penalty { seat: White, penalty });
    };
    rules(&mut table, Penalty::TimeOff { ms: 240_000 });
    assert_eq!(table.result(), None);
    table.heard();
    // Nor by a penalty that is taken back after its time was used.
    table.rules(ArbiterAct::Penalty {
        seat: Black,
        penalty: Penalty::TimeToOpponent { ms: 120_000 },
    });
    let ruling =
        u32::try_from(table.game.record().expect("a game").rulings.len()).expect("few") - 1;
    rules(&mut table, Penalty::TimeOff { ms: 100_000 });
    table.heard();
    table.rules(ArbiterAct::TakeBack { ruling });
    has(&table.heard(), "refused 12.9.3: White has only 0:01:");
}
