//! A move of which the pegs show one half: what was let go of binds, and guidance leads to the rest
//! (3.7.3.1, 3.8.2, 4.7.2).

use annabella_core::game::GameConfig;

use super::{
    script::{has, lacks, wooden},
    table::Table,
};

const CASTLES: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
const PASSED: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";

fn at(fen: &str, script: &str) -> Table {
    let mut table = Table::new(GameConfig { start: Some(fen.to_owned()), ..wooden() });
    table.start_clock();
    table.script(script);
    table
}

#[test]
fn a_king_released_where_castling_puts_it_is_not_led_back_but_its_rook_on_4_7_2() {
    for early in ["", "~700 w!"] {
        let mut table = at(CASTLES, &format!("e1- g1+ {early} ~5500"));
        has(&table.spoken(), "ear: Entferne den weißen Turm von Hector eins.");
        table.script("\"was ist offen\"");
        has(&table.spoken(), "ear: Entferne den weißen Turm von Hector eins.");
        table.script("h1- ~900");
        assert_eq!(table.spoken(), ["ear: Setz den weißen Turm auf Felix eins."]);
        table.script("f1+ ~900 w!");
        lacks(&table.heard(), "problem");
        assert_eq!((table.sans(), table.completed()), (vec!["O-O".to_owned()], 1));
    }
    let mut table = at(CASTLES, "e1- c1+ ~5500");
    assert_eq!(table.spoken(), ["ear: Entferne den weißen Turm von Anna eins."]);
    // The rook is in the hand.
    let mut table = at(CASTLES, "e1- c1+ ~1200 a1- ~5500");
    assert_eq!(table.spoken(), ["ear: Setz den weißen Turm auf David eins."]);
}

#[test]
fn a_pawn_that_took_en_passant_is_not_led_back_but_the_other_taken_away_3_7_3_1() {
    for early in ["", "~700 w!"] {
        let mut table = at(PASSED, &format!("e5- d6+ {early} ~5500"));
        has(&table.spoken(), "ear: Entferne den schwarzen Bauern von David fünf.");
        table.script("\"was ist offen\"");
        has(&table.spoken(), "ear: Entferne den schwarzen Bauern von David fünf.");
        table.script("d5- ~900 w!");
        lacks(&table.heard(), "problem");
        assert_eq!((table.sans(), table.completed()), (vec!["exd6".to_owned()], 1));
    }
}

#[test]
fn what_is_half_of_no_legal_move_is_led_back() {
    for (fen, script, square) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "e1- g1+ ~5500", "Gustav eins"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2", "e5- d6+ ~5500", "David sechs"),
        // Pressed with a move that is none: first back to the position (7.5.1).
        (CASTLES, "e1- g1+ a1- b2+ ~700 w! ~5500", "Gustav eins"),
    ] {
        let mut table = at(fen, script);
        has(&table.spoken(), &format!("ear: Entferne die Figur von {square}."));
    }
}
