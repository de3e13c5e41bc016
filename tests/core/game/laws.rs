//! Promotion, castling, touching, illegal moves, the end of the game.

use annabella_core::game::{At, Duties, GameConfig, Input};
use shakmaty::Color::{Black, White};

use super::table::Table;

fn config() -> GameConfig {
    GameConfig { sighted_board: true, ..GameConfig::default() }
}

fn unannounced() -> GameConfig {
    GameConfig { duties: Duties { announce: false, ..Duties::default() }, ..config() }
}

const PAWN: &str = "3n2k1/4P3/8/8/8/8/8/4K3 w - - 0 1";

#[test]
fn the_promotion_piece_is_asked_for() {
    let mut table = Table::at(PAWN, config());
    table.moves("e7", "e8");
    assert_eq!(table.heard(), ["ear: Welche Figur?"]);
    table.press(White);
    assert_eq!(table.heard(), ["ear: Welche Figur?"]);
    table.says(White, "Dame");
    assert_eq!(
        table.heard(),
        [
            "executed e8=Q+",
            "loud: Bauer Eva sieben Eva acht wird Dame, Schach",
            "announced e8=Q+",
            "made e8=Q+",
            // The press that had waited.
            "completed e8=Q+",
            "clock: Black",
            "boards pending",
        ]
    );
}

#[test]
fn the_promotion_piece_is_named_beforehand() {
    let mut table = Table::at(PAWN, config());
    table.says(White, "Turm");
    table.moves("e7", "e8");
    assert_eq!(table.spoken(), ["loud: Bauer Eva sieben Eva acht wird Turm, Schach"]);
}

#[test]
fn a_piece_named_without_a_pawn_to_promote_is_not_understood() {
    let mut table = Table::new(config());
    table.says(White, "Dame");
    assert_eq!(table.spoken(), ["ear: Bitte?"]);
}

#[test]
fn a_named_piece_is_forgotten_with_the_next_move() {
    let mut table = Table::at("6k1/4P3/8/8/8/8/p7/4K3 w - - 0 1", config());
    table.says(White, "Springer");
    table.moves("e1", "d2");
    table.press(White);
    table.sighted(Black, "e1d2");
    table.sighted(Black, "g8f7");
    table.press(Black);
    table.moves("g8", "f7");
    table.heard();
    table.moves("e7", "e8");
    assert_eq!(table.heard(), ["ear: Welche Figur?"]);
}

#[test]
fn the_player_announces_his_promotion_with_or_without_the_piece() {
    let mut table = Table::at(PAWN, unannounced());
    table.says(White, "Bauer Eva acht");
    assert_eq!(table.heard(), ["ear: Welche Figur?"]);
    table.says(White, "Läufer");
    assert_eq!(table.heard(), ["announced e8=B"]);
    table.moves("e7", "e8");
    assert_eq!(table.heard(), ["executed e8=B", "made e8=B", "boards pending"]);

    let mut table = Table::at(PAWN, unannounced());
    table.moves("e7", "e8");
    table.says(White, "Dame");
    // The piece is chosen; the move is still to be announced.
    assert_eq!(table.heard(), ["ear: Welche Figur?", "executed e8=Q+"]);
    table.says(White, "Bauer Eva acht");
    assert_eq!(table.heard(), ["announced e8=Q+", "made e8=Q+", "boards pending"]);
}

#[test]
fn a_promotion_by_capture() {
    let mut table = Table::at(PAWN, config());
    table.says(White, "Dame");
    table.lift("d8");
    table.lift("e7");
    table.put("d8");
    table.wait(600);
    assert_eq!(table.spoken(), ["loud: Bauer Eva sieben schlägt David acht wird Dame, Schach"]);
}

#[test]
fn castling_king_first() {
    let mut table = Table::at("4k3/8/8/8/8/8/8/4K2R w K - 0 1", config());
    table.lift("e1");
    table.put("g1");
    table.lift("h1");
    table.put("f1");
    table.wait(600);
    assert_eq!(
        table.heard(),
        ["executed O-O", "loud: Kurze Rochade", "announced O-O", "made O-O", "boards pending"]
    );
    table.press(White);
    table.sighted(Black, "e1g1");
    assert_eq!(table.heard(), ["completed O-O", "clock: Black", "boards agree"]);
}

#[test]
fn castling_rook_first_is_reported_and_not_blocked() {
    let mut table = Table::at("4k3/8/8/8/8/8/8/4K2R w K - 0 1", config());
    table.lift("h1");
    table.put("f1");
    table.lift("e1");
    table.put("g1");
    table.wait(600);
    assert_eq!(
        table.heard(),
        [
            "executed O-O",
            "problem 4.4: the rook on h1 was touched before the king: no castling on that side",
            "loud: Kurze Rochade",
            "announced O-O",
            "made O-O",
            "boards pending",
        ]
    );
}

#[test]
fn a_rook_move_waits_for_the_king_before_it_is_announced() {
    let mut table = Table::at("4k3/8/8/8/8/8/8/4K2R w K - 0 1", config());
    table.moves("h1", "f1");
    assert_eq!(table.heard(), [""; 0]);
    table.wait(1000);
    assert_eq!(table.spoken(), ["loud: Turm Hector eins Felix eins"]);
    // The king after all: still castling, corrected aloud.
    table.moves("e1", "g1");
    assert_eq!(
        table.heard(),
        [
            "executed O-O",
            "problem 4.4: the rook on h1 was touched before the king: no castling on that side",
            "loud: Korrektur: Kurze Rochade.",
            "announced O-O",
            "made O-O",
            "problem 4.7: White changed a made move: Rf1, then O-O",
            "proposal 1 4.7: White changed a made move: Rf1, then O-O",
            "ear: Der Zug stand schon. Der Schiedsrichter entscheidet.",
        ]
    );
}

#[test]
fn en_passant() {
    let mut table = Table::at("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", config());
    table.lift("e5");
    table.put("d6");
    table.lift("d5");
    table.wait(600);
    assert_eq!(table.spoken(), ["loud: Bauer Eva fünf schlägt David sechs en passant"]);
    let record = table.game.record().expect("a game");
    assert!(record.line[0].hands.captured.is_some());
}

#[test]
fn the_first_touched_piece_must_move_and_its_violation_is_reported_once() {
    let mut table = Table::new(config());
    table.moves("b1", "b1");
    table.moves("g1", "f3");
    let heard = table.heard();
    assert_eq!(
        heard,
        [
            "executed Nf3",
            "problem 4.3: the piece on b1 was touched first and can move",
            "loud: Springer Gustav eins Felix drei",
            "announced Nf3",
            "made Nf3",
            "boards pending",
        ]
    );
    let results = table.results.iter().flatten().flatten();
    let details: Vec<String> = results
        .filter_map(|output| match output {
            annabella_core::game::Output::Problem { detail, .. } => Some(detail.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(
        details,
        [r#"{"paragraph":"4.3.1","touched":["b1","g1"],"must":"b1","uci":"g1f3"}"#]
    );
}

#[test]
fn adjusting_announced_beforehand_is_no_touch() {
    let mut table = Table::new(config());
    table.says(White, "Ich korrigiere");
    table.moves("b1", "b1");
    table.moves("g1", "f3");
    assert_eq!(
        table.heard(),
        [
            "ear: Gut, du rückst zurecht.",
            "executed Nf3",
            "loud: Springer Gustav eins Felix drei",
            "announced Nf3",
            "made Nf3",
            "boards pending",
        ]
    );
    // Afterwards it is too late, and it is not for the opponent's turn.
    let mut table = Table::new(config());
    table.lift("b1");
    table.says(White, "Ich korrigiere");
    table.put("b1");
    table.moves("g1", "f3");
    assert!(table.heard().iter().any(|line| line.starts_with("problem 4.3")));
    table.says(White, "Ich korrigiere");
    assert_eq!(
        table.heard(),
        ["refused 4.2.1: only the player to move may adjust – Du bist nicht am Zug."]
    );
}

#[test]
fn f29_adjusting_is_remembered_until_the_touch_comes() {
    for wait_ms in [0, 3000] {
        for late_ms in [0, 3000, 60_000] {
            let mut table = Table::new(config());
            table.moves("e2", "e4");
            table.press(White);
            table.sighted(Black, "e2e4");
            table.sighted(Black, "e7e5");
            table.press(Black);
            table.lift("e7");
            table.put("e5");
            table.wait(wait_ms);
            table.says(White, "Ich korrigiere");
            table.wait(late_ms);
            table.moves("b1", "b1");
            table.moves("g1", "f3");
            let heard = table.heard();
            assert!(heard.contains(&"made Nf3".to_owned()), "{heard:?}");
            let accused = heard.iter().any(|line| line.contains("4.3"));
            assert!(!accused, "{wait_ms} {late_ms} {heard:?}");
        }
    }
    // It ends with his move.
    let mut table = Table::new(config());
    table.says(White, "Ich korrigiere");
    table.says(White, "Springer Gustav eins Felix drei");
    table.moves("g1", "f3");
    table.press(White);
    table.sighted(Black, "g1f3");
    table.sighted(Black, "e7e5");
    table.press(Black);
    table.moves("e7", "e5");
    table.moves("b1", "b1");
    table.moves("d2", "d4");
    let heard = table.heard();
    assert!(heard.iter().any(|line| line.starts_with("problem 4.3")), "{heard:?}");
}

#[test]
fn an_opponents_piece_touched_must_be_taken() {
    let mut table = Table::at("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", config());
    table.moves("d5", "d5");
    table.moves("e4", "e5");
    assert_eq!(
        table.heard()[..2],
        ["executed e5", "problem 4.3: e4 and d5 were touched first: e4 must take d5"]
    );
}

#[test]
fn an_illegal_capture_is_named_by_its_squares() {
    let fen = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let mut table = Table::at(fen, GameConfig::default());
    table.start_clock();
    table.heard();
    table.takes("b1", "d5");
    table.press(White);
    assert_eq!(
        table.heard()[..2],
        [
            "problem 7.5.1: White completed an illegal move: Nb1-d5",
            "ear: Regelwidriger Zug, Uhr gedrückt.",
        ]
    );
}

#[test]
fn an_illegal_move_that_stands_when_the_clock_is_pressed() {
    let mut table = Table::new(config());
    table.start_clock();
    table.moves("g1", "g3");
    assert_eq!(table.heard(), [""; 0]);
    table.press(White);
    assert_eq!(
        table.heard(),
        [
            "problem 7.5.1: White completed an illegal move: Ng1-g3",
            "ear: Regelwidriger Zug, Uhr gedrückt.",
            "proposal 1 7.5.5: first illegal move of White: two minutes for Black",
            "ear: Entferne die Figur von Gustav drei.",
            "boards differ",
        ]
    );
    table.lift("g3");
    table.wait(600);
    assert_eq!(table.heard(), ["ear: Setz den weißen Springer auf Gustav eins.", "boards agree"]);
    table.put("g1");
    table.wait(600);
    assert_eq!(table.heard(), ["ear: Brett stimmt."]);
    // The touched piece must move (7.5.1, 4.3).
    table.moves("e2", "e4");
    assert_eq!(
        table.heard(),
        [
            "executed e4",
            "problem 4.3: the piece on g1 was touched first and can move",
            "loud: Bauer Eva zwei Eva vier",
            "announced e4",
            "made e4",
            "boards pending",
        ]
    );
    table.press(White);
    assert_eq!(table.heard(), ["completed e4", "clock: Black"]);
}

#[test]
fn a_move_made_and_then_spoiled_before_the_press() {
    let mut table = Table::new(config());
    table.start_clock();
    table.moves("g1", "f3");
    table.heard();
    table.lift("a1");
    table.put("a5");
    table.press(White);
    assert_eq!(
        table.heard(),
        [
            "problem 7.5.1: White completed an illegal move: a1, g1, f3, a5",
            "ear: Regelwidriger Zug, Uhr gedrückt.",
            "proposal 1 7.5.5: first illegal move of White: two minutes for Black",
            "ear: Entferne die Figur von Felix drei.",
            "boards differ",
        ]
    );
}

#[test]
fn a_neighbour_knocked_out_is_put_back_on_ones_own_time() {
    let mut table = Table::new(config());
    table.start_clock();
    table.moves("g1", "f3");
    table.heard();
    table.lift("h2");
    table.press(White);
    assert_eq!(
        table.heard(),
        [
            "problem 7.4.1: White pressed the clock with displaced pieces",
            "ear: Setz den weißen Bauern auf Hector zwei.",
        ]
    );
    table.put("h2");
    table.wait(600);
    table.press(White);
    assert_eq!(table.heard(), ["ear: Brett stimmt.", "completed Nf3", "clock: Black"]);
}

#[test]
fn mate_ends_the_game_and_completes_the_move() {
    let mut table = Table::at("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", config());
    table.start_clock();
    table.moves("a1", "a8");
    // A peg may rest in a mating hole on its way elsewhere.
    assert_eq!(table.heard(), [""; 0]);
    table.wait(1000);
    assert_eq!(
        table.heard(),
        [
            "executed Ra8#",
            "loud: Turm Anna eins Anna acht, matt",
            "announced Ra8#",
            "made Ra8#",
            "completed Ra8#",
            "clock: White",
            "loud: Schachmatt. Weiß gewinnt.",
            "result 1-0: checkmate (5.1.1)",
            "clock: None",
            "boards pending",
        ]
    );
    // Nothing opens it again.
    table.says(White, "Korrektur Turm Anna eins Anna sieben");
    table.press(White);
    table.moves("a8", "a7");
    table.sighted(Black, "a1a8");
    table.sighted(Black, "g8h8");
    let heard = table.heard();
    assert_eq!(
        heard,
        [
            "refused 5.1.1: the game is over – Die Partie ist zu Ende. Weiß hat gewonnen. \
             Sag: Anfang, weiter, zurück, letzter Zug. Für mehr: noch einmal Hilfe.",
            "boards agree",
            "refused 7.5.1: g8h8 is not legal in R5k1/5ppp/8/8/8/8/8/6K1 b - - 1 1",
        ]
    );
    assert_eq!(table.game.ended().map(|ended| ended.result.as_str()), Some("1-0"));
    // The pegs are packed up in silence.
    for square in ["a7", "g1", "g8", "f7", "g7", "h7"] {
        table.lift(square);
    }
    table.wait(20_000);
    assert_eq!(table.heard(), [""; 0]);
}

#[test]
fn stalemate_and_a_dead_position_end_it() {
    let mut table = Table::at("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", config());
    table.moves("f1", "f7");
    table.wait(1000);
    assert!(table.heard().ends_with(&[
        "loud: Patt. Remis.".to_owned(),
        "result 1/2-1/2: stalemate (5.2.1)".to_owned(),
        "clock: None".to_owned(),
        "boards pending".to_owned(),
    ]));
    let mut table = Table::at("7k/8/8/8/8/8/4p3/4K3 w - - 0 1", config());
    table.takes("e1", "e2");
    table.wait(1000);
    assert!(table.heard().contains(&"loud: Tote Stellung. Remis.".to_owned()));
}

#[test]
fn a_fallen_flag_is_claimed_once() {
    let mut table = Table::new(GameConfig { time_control: "3+2".to_owned(), ..config() });
    table.start_clock();
    table.wait(182_000 + 60_000);
    assert_eq!(
        table.heard(),
        [
            "problem D.2.10.5: White's flag has fallen",
            "loud: Weiß: Zeit überschritten. Schwarz gewinnt.",
            "result 0-1: flag fall (6.9)",
            "clock: None",
        ]
    );
    assert_eq!(table.game.ended().map(|ended| ended.at), Some(At::new(183_000)));
    // A move made before does not open the game again.
    table.says(White, "Bauer Eva vier");
    assert_eq!(
        table.heard(),
        ["refused 5.1.1: the game is over – Die Partie ist zu Ende. Schwarz hat gewonnen. \
             Sag: Anfang, weiter, zurück, letzter Zug. Für mehr: noch einmal Hilfe."]
    );
}

#[test]
fn a_move_made_but_not_pressed_loses_on_time_and_stays_lost() {
    let mut table = Table::new(GameConfig { time_control: "3+2".to_owned(), ..config() });
    table.start_clock();
    table.moves("g1", "h3");
    table.wait(200_000);
    table.heard();
    table.says(White, "Korrektur Springer Gustav eins Felix drei");
    table.moves("h3", "f3");
    assert_eq!(
        table.heard(),
        ["refused 5.1.1: the game is over – Die Partie ist zu Ende. Schwarz hat gewonnen. \
             Sag: Anfang, weiter, zurück, letzter Zug. Für mehr: noch einmal Hilfe."]
    );
    assert_eq!(table.game.ended().map(|ended| ended.result.as_str()), Some("0-1"));
    assert_eq!(table.game.record().expect("a game").line.len(), 1);
}

#[test]
fn a_flag_falls_and_the_opponent_cannot_mate() {
    let fen = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1";
    let mut table = Table::at(fen, GameConfig { time_control: "3+2".to_owned(), ..config() });
    table.start_clock();
    table.wait(200_000);
    assert_eq!(
        table.heard(),
        [
            "problem D.2.10.5: White's flag has fallen",
            "loud: Weiß: Zeit überschritten. Remis.",
            "result 1/2-1/2: flag fall, the opponent cannot mate (6.9)",
            "clock: None",
        ]
    );
}

#[test]
fn mate_before_the_flag_counts_however_late_the_game_is_woken() {
    let fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    for (set_ms, result) in [(182_000, "1-0"), (182_900, "0-1")] {
        let mut table = Table::at(fen, GameConfig { time_control: "3+2".to_owned(), ..config() });
        table.start_clock();
        for (ms, square, occupied) in [(181_000, "a1", false), (set_ms, "a8", true)] {
            table.now_ms = ms;
            let square = square.parse().expect("a square");
            table.input(Input::Edge { seat: White, square, occupied, ago_ms: 0 });
        }
        table.now_ms = 900_000;
        table.input(Input::Woke);
        assert_eq!(table.game.ended().map(|ended| ended.result.as_str()), Some(result));
    }
}

#[test]
fn a_press_after_an_opponent_who_pressed_first_is_no_press_of_his() {
    let mut table = Table::new(GameConfig { sighted_board: false, ..config() });
    table.start_clock();
    table.moves("e2", "e4");
    table.press(White);
    // The opponent presses before his move is executed on the pegs.
    table.press(Black);
    table.moves("e7", "e5");
    table.heard();
    table.press(White);
    assert_eq!(table.heard()[0], "problem 7.5.3: White pressed the clock without a move");
}

#[test]
fn a_late_press_is_none_once_the_next_move_stands_on_the_board() {
    let mut table = Table::new(config());
    table.start_clock();
    table.moves("e2", "e4");
    table.sighted(Black, "e2e4");
    table.sighted(Black, "e7e5");
    table.press(Black);
    table.moves("e7", "e5");
    table.moves("g1", "g3");
    table.heard();
    table.press(White);
    assert_eq!(table.heard()[0], "problem 7.5.1: White completed an illegal move: Ng1-g3");
}

#[test]
fn a_promotion_changed_into_another_one_is_asked_about_at_once_4_7() {
    let mut table = Table::at("3r4/4P3/8/8/8/8/k7/7K w - - 0 1", config());
    table.script(r#"e7- e8+ ~600 w"Dame" ~100"#);
    table.heard();
    table.script("e8- d8- d8+ ~900");
    assert_eq!(table.heard(), ["loud: Zurückgenommen.", "ear: Welche Figur?", "boards agree"]);
    table.script(r#"w"Dame" ~300 w! ~3000"#);
    let heard = table.heard();
    assert_eq!(heard[0], "executed exd8=Q");
    assert_eq!(heard.last().map(String::as_str), Some("clock: Black"));
}

#[test]
fn a_neighbour_knocked_off_in_mid_move_is_displaced_and_no_offence_7_4_1() {
    for neighbour in ["a2", "h2"] {
        let mut table = Table::new(config());
        table.script(&format!("g1- f3+ ~100 {neighbour}- ~600 w! ~3000"));
        let heard = table.heard();
        assert!(heard.contains(&"made Nf3".to_owned()), "{heard:#?}");
        assert!(heard.iter().any(|line| line.starts_with("problem 7.4.1")), "{heard:#?}");
        assert!(!heard.iter().any(|line| line.contains("7.5.")), "{heard:#?}");
    }
}
