//! Two boards: the opponent's move announced, executed on one's own board and checked (D.2.1,
//! D.2.9).

use annabella_core::game::{Blind, Duties, GameConfig, Input};
use shakmaty::Color;
use shakmaty::Color::{Black, White};

use super::table::Table;

fn two_boards() -> GameConfig {
    GameConfig { sighted_board: true, ..GameConfig::default() }
}

fn one_board() -> GameConfig {
    GameConfig::default()
}

fn both_blind() -> GameConfig {
    GameConfig { blind: Blind::Both, ..GameConfig::default() }
}

/// White has made, announced and completed e2-e4, and Black's board shows it.
fn after_e4(config: GameConfig) -> Table {
    let mut table = Table::new(config);
    table.start_clock();
    table.moves("e2", "e4");
    table.press(White);
    table.sighted(Black, "e2e4");
    assert_eq!(table.heard().last().map(String::as_str), Some("boards agree"));
    table
}

#[test]
fn the_sighted_players_move_is_announced_and_executed_on_the_pegs() {
    let mut table = after_e4(two_boards());
    table.sighted(Black, "e7e5");
    assert_eq!(
        table.heard(),
        [
            "executed e5",
            "loud: Bauer Eva sieben Eva fünf",
            "announced e5",
            "made e5",
            "boards pending",
        ]
    );
    table.press(Black);
    assert_eq!(table.heard(), ["completed e5", "clock: White"]);
    table.moves("e7", "e5");
    assert_eq!(table.heard(), ["boards agree"]);
    let record = table.game.record().expect("a game");
    assert_eq!(record.score(Color::White).len(), 2);
    assert_eq!(record.line[1].mover, Black);
}

#[test]
fn another_move_on_the_pegs_is_told_and_corrected_in_one_go() {
    for press_first in [true, false] {
        let mut table = after_e4(two_boards());
        table.sighted(Black, "e7e5");
        if press_first {
            table.press(Black);
        }
        table.heard();
        table.moves("e7", "e6");
        assert_eq!(
            table.heard(),
            [
                "ear: Angesagt: Bauer Eva sieben Eva fünf. Ausgeführt: Bauer Eva sieben Eva sechs.",
                "problem D.2.1: another move than the announced one was executed on the own board",
                "boards differ",
            ]
        );
        if !press_first {
            table.press(Black);
            table.heard();
        }
        table.moves("e6", "e5");
        assert_eq!(table.heard(), ["ear: Die Bretter stimmen wieder überein.", "boards agree"]);
        table.moves("g1", "f3");
        assert_eq!(table.spoken(), ["loud: Springer Gustav eins Felix drei"]);
    }
}

#[test]
fn another_move_on_the_pegs_is_taken_back_and_then_corrected() {
    let mut table = after_e4(two_boards());
    table.sighted(Black, "e7e5");
    table.press(Black);
    table.moves("d7", "d5");
    table.heard();
    table.moves("d5", "d7");
    assert_eq!(table.heard(), ["boards pending"]);
    table.moves("e7", "e5");
    assert_eq!(table.heard(), ["ear: Die Bretter stimmen wieder überein.", "boards agree"]);
    // Once.
    table.moves("g1", "f3");
    table.press(White);
    table.sighted(Black, "g1f3");
    assert_eq!(table.spoken(), ["loud: Springer Gustav eins Felix drei"]);
}

#[test]
fn pressing_or_playing_on_from_a_wrong_board_leads_back_to_the_game() {
    let mut table = after_e4(two_boards());
    table.sighted(Black, "e7e5");
    table.press(Black);
    table.moves("e7", "e6");
    table.heard();
    table.press(White);
    assert_eq!(
        table.heard(),
        [
            "refused D.2.9: the own board shows another position than the game – Entferne den schwarzen Bauern von Eva sechs."
        ]
    );
    table.moves("g1", "f3");
    assert_eq!(
        table.heard(),
        [
            "problem D.2.9: the board of White shows another position than the game",
            "ear: Bretter weichen ab.",
            "ear: Entferne die Figur von Felix drei.",
        ]
    );
    table.lift("f3");
    table.wait(600);
    assert_eq!(table.heard(), ["ear: Entferne die Figur von Eva sechs."]);
    table.lift("e6");
    table.wait(600);
    assert_eq!(table.heard(), ["ear: Setz den weißen Springer auf Gustav eins."]);
    table.put("g1");
    table.wait(600);
    assert_eq!(table.heard(), ["ear: Setz den schwarzen Bauern auf Eva fünf."]);
    table.put("e5");
    table.wait(600);
    assert_eq!(table.heard(), ["ear: Die Bretter stimmen wieder überein.", "boards agree"]);
    table.moves("g1", "f3");
    assert_eq!(
        table.heard(),
        [
            "executed Nf3",
            "loud: Springer Gustav eins Felix drei",
            "announced Nf3",
            "made Nf3",
            "boards pending",
        ]
    );
}

#[test]
fn the_own_move_before_the_opponents_stays_and_that_is_asked_for() {
    let mut table = after_e4(two_boards());
    table.sighted(Black, "e7e5");
    table.press(Black);
    table.heard();
    table.moves("g1", "f3");
    assert_eq!(table.heard(), [""; 0]);
    table.press(White);
    assert_eq!(
        table.heard(),
        [
            "refused D.2.4: the opponent's move is not executed on the own board yet – Führ aus: Bauer Eva sieben Eva fünf."
        ]
    );
    table.wait(5000);
    assert_eq!(table.heard(), ["ear: Entferne den schwarzen Bauern von Eva sieben."]);
    table.moves("e7", "e5");
    table.press(White);
    assert_eq!(
        table.heard(),
        [
            "executed Nf3",
            "loud: Springer Gustav eins Felix drei",
            "announced Nf3",
            "made Nf3",
            "completed Nf3",
            "clock: Black",
        ]
    );
}

#[test]
fn both_moves_may_be_executed_one_after_the_other_without_a_rest() {
    let mut table = after_e4(two_boards());
    table.sighted(Black, "e7e5");
    table.press(Black);
    table.heard();
    table.lift("e7");
    table.put("e5");
    table.wait(250);
    table.moves("g1", "f3");
    assert_eq!(table.spoken(), ["loud: Springer Gustav eins Felix drei"]);
    assert_eq!(table.game.record().expect("a game").line.len(), 3);
}

#[test]
fn announced_before_the_opponents_move_is_on_the_pegs() {
    let mut table = after_e4(two_boards());
    table.sighted(Black, "e7e5");
    table.press(Black);
    table.says(White, "Springer Gustav eins Felix drei");
    table.heard();
    table.moves("e7", "e5");
    table.moves("g1", "f3");
    assert_eq!(table.heard(), ["boards agree", "executed Nf3", "made Nf3", "boards pending"]);
}

#[test]
fn the_pegs_may_follow_a_spoken_move_before_the_other_board_shows_it() {
    let mut table = after_e4(two_boards());
    table.says(Black, "Bauer Eva sieben Eva fünf");
    table.moves("e7", "e5");
    assert_eq!(table.heard(), ["announced e5"]);
    table.sighted(Black, "e7e5");
    assert_eq!(table.heard(), ["executed e5", "made e5"]);
    // And if it was another one after all, that is found.
    table.press(Black);
    table.moves("g1", "f3");
    table.press(White);
    table.sighted(Black, "g1f3");
    table.says(Black, "Springer Bella acht Cesar sechs");
    table.moves("b8", "c6");
    table.heard();
    table.sighted(Black, "b8a6");
    assert_eq!(
        table.heard(),
        [
            "executed Na6",
            "ear: Angesagt: Springer Bella acht Cesar sechs. Ausgeführt: Springer Bella acht Anna sechs.",
            "problem D.2.3: the announced and the executed move differ",
            "loud: Korrektur: Springer Bella acht Anna sechs.",
            "announced Na6",
            "made Na6",
            "ear: Angesagt: Springer Bella acht Anna sechs. Ausgeführt: Springer Bella acht Cesar sechs.",
            "problem D.2.1: another move than the announced one was executed on the own board",
            "boards differ",
        ]
    );
    table.moves("c6", "a6");
    assert_eq!(table.heard(), ["ear: Die Bretter stimmen wieder überein.", "boards agree"]);
}

#[test]
fn the_sighted_board_shows_another_move_than_was_made() {
    let mut table = Table::new(two_boards());
    table.start_clock();
    table.moves("e2", "e4");
    table.press(White);
    table.heard();
    table.sighted(Black, "d2d4");
    assert_eq!(
        table.heard(),
        [
            "problem D.2.9: the sighted board shows another move than was made",
            "ear: Bretter weichen ab.",
            "boards differ",
        ]
    );
    table.sighted(Black, "e7e5");
    assert!(table.heard()[0].starts_with("refused D.2.9: e7e5 is not legal in"));
    table.sighted(Black, "e2e4");
    assert_eq!(table.heard(), ["ear: Die Bretter stimmen wieder überein.", "boards agree"]);
}

#[test]
fn a_correction_reaches_the_board_that_already_followed() {
    let mut table = Table::new(two_boards());
    table.start_clock();
    table.moves("g1", "h3");
    table.sighted(Black, "g1h3");
    table.heard();
    table.moves("h3", "f3");
    assert_eq!(
        table.heard(),
        [
            "executed Nf3",
            "loud: Korrektur: Springer Gustav eins Felix drei.",
            "announced Nf3",
            "made Nf3",
            "problem 4.7: White changed a made move: Nh3, then Nf3",
            "proposal 1 4.7: White changed a made move: Nh3, then Nf3",
            "ear: Der Zug stand schon. Der Schiedsrichter entscheidet.",
            "problem D.2.9: the sighted board shows another move than was made",
            "ear: Bretter weichen ab.",
            "boards differ",
        ]
    );
    table.sighted(Black, "g1f3");
    assert_eq!(table.heard(), ["ear: Die Bretter stimmen wieder überein.", "boards agree"]);
}

#[test]
fn the_sighted_board_reports_better_before_the_press_and_not_after() {
    let mut table = after_e4(two_boards());
    table.sighted(Black, "e7e6");
    table.heard();
    table.sighted(Black, "e7e5");
    assert_eq!(
        table.heard(),
        [
            "executed e5",
            "loud: Korrektur: Bauer Eva sieben Eva fünf.",
            "announced e5",
            "made e5",
            "problem 4.7: Black changed a made move: e6, then e5",
            "proposal 1 4.7: Black changed a made move: e6, then e5",
        ]
    );
    table.sighted(Black, "e7e5");
    assert_eq!(table.heard(), [""; 0]);
    table.press(Black);
    table.heard();
    table.sighted(Black, "e7e6");
    assert!(table.heard()[0].starts_with("refused D.2.9: e7e6 is not legal in"));
    assert_eq!(table.game.record().expect("a game").line[1].san, "e5");
}

#[test]
fn the_sighted_players_empty_press_is_undone_and_counted() {
    let mut table = after_e4(two_boards());
    table.input(Input::Woke);
    let (clock, now_ms) = (table.clock(), table.now_ms);
    // His board may be late; when it shows nothing after all, there was no move.
    table.press(Black);
    assert_eq!(table.heard(), ["clock: White"]);
    table.wait(5000);
    assert_eq!(
        table.heard(),
        [
            "clock: Black",
            "problem 7.5.3: Black pressed the clock without a move",
            "proposal 1 7.5.5: first illegal move of Black: two minutes for White",
            "loud: Schwarz: Uhr zu früh, noch kein Zug.",
        ]
    );
    // No increment for a move that was none.
    table.input(Input::Woke);
    let after = table.clock();
    assert_eq!(clock.0 + clock.1 - after.0 - after.1, table.now_ms - now_ms);
}

#[test]
fn the_sighted_players_illegal_move_is_refused_and_not_told_to_the_blind_player() {
    let mut table = after_e4(two_boards());
    table.sighted(Black, "e7e4");
    assert!(table.heard()[0].starts_with("refused 7.5.1: e7e4 is not legal in"));
    table.sighted(Black, "quatsch");
    assert_eq!(table.heard(), ["refused 7.5.1: 'quatsch' is not a move in UCI"]);
    table.sighted(White, "e7e5");
    assert_eq!(table.heard(), ["refused D.2.5: White has no board that reports moves"]);
}

#[test]
fn a_reply_without_the_press_completes_the_move_and_a_late_press_does_no_harm() {
    let mut table = Table::new(two_boards());
    table.start_clock();
    table.moves("e2", "e4");
    table.sighted(Black, "e2e4");
    table.heard();
    table.sighted(Black, "e7e5");
    assert_eq!(
        table.heard(),
        [
            "completed e4",
            "clock: Black",
            "executed e5",
            "loud: Bauer Eva sieben Eva fünf",
            "announced e5",
            "made e5",
            "boards pending",
        ]
    );
    // 6.2.1: the player is allowed to press after his opponent's reply.
    table.press(White);
    assert_eq!(table.heard(), [""; 0]);
    table.press(Black);
    assert_eq!(table.heard(), ["completed e5", "clock: White"]);
}

#[test]
fn a_game_without_a_clock() {
    let mut table = Table::new(two_boards());
    table.moves("e2", "e4");
    table.sighted(Black, "e2e4");
    table.sighted(Black, "e7e5");
    table.heard();
    table.moves("e7", "e5");
    table.moves("g1", "f3");
    assert_eq!(
        table.heard(),
        [
            "boards agree",
            "completed e5",
            "clock: None",
            "executed Nf3",
            "loud: Springer Gustav eins Felix drei",
            "announced Nf3",
            "made Nf3",
            "boards pending",
        ]
    );
}

#[test]
fn without_a_sighted_board_all_is_on_the_pegs() {
    let mut table = Table::new(one_board());
    table.start_clock();
    table.moves("e2", "e4");
    table.press(White);
    assert_eq!(
        table.heard(),
        [
            "executed e4",
            "loud: Bauer Eva zwei Eva vier",
            "announced e4",
            "made e4",
            "completed e4",
            "clock: Black",
        ]
    );
    table.moves("e7", "e5");
    table.press(Black);
    assert_eq!(
        table.heard(),
        [
            "executed e5",
            "loud: Bauer Eva sieben Eva fünf",
            "announced e5",
            "made e5",
            "completed e5",
            "clock: White",
        ]
    );
}

#[test]
fn the_sighted_player_presses_before_his_move_is_on_the_pegs() {
    let mut table = Table::new(one_board());
    table.start_clock();
    table.moves("e2", "e4");
    table.press(White);
    table.heard();
    // He moved on his own board, which nobody watches (D.2.5).
    table.press(Black);
    assert_eq!(table.heard(), ["clock: White"]);
    table.press(Black);
    assert_eq!(table.heard(), [""; 0]);
    table.says(Black, "Bauer Eva fünf");
    assert_eq!(
        table.heard(),
        [
            "announced e5",
            "loud: Bauer Eva sieben Eva fünf",
            "executed e5",
            "made e5",
            "completed e5",
            "clock: White",
            "boards pending",
        ]
    );
    table.moves("e7", "e6");
    assert_eq!(
        table.heard(),
        [
            "ear: Angesagt: Bauer Eva sieben Eva fünf. Ausgeführt: Bauer Eva sieben Eva sechs.",
            "problem D.2.1: another move than the announced one was executed on the own board",
            "boards differ",
        ]
    );
    table.moves("e6", "e5");
    table.heard();
    table.moves("g1", "f3");
    assert_eq!(
        table.heard(),
        ["executed Nf3", "loud: Springer Gustav eins Felix drei", "announced Nf3", "made Nf3",]
    );
    let record = table.game.record().expect("a game");
    let (completed, made) = (record.line[1].completed, record.line[1].made);
    assert!(completed.is_some_and(|completed| completed < made));
}

#[test]
fn his_press_while_the_hands_are_at_work_accuses_nobody() {
    let mut table = Table::new(one_board());
    table.start_clock();
    table.moves("e2", "e4");
    table.press(White);
    table.heard();
    table.lift("e7");
    table.lift("d7");
    table.put("d6");
    table.press(Black);
    assert_eq!(table.heard(), ["clock: White"]);
}

#[test]
fn both_players_are_blind() {
    let mut table = Table::new(both_blind());
    table.start_clock();
    table.moves("e2", "e4");
    table.press(White);
    table.heard();
    table.hand = Black;
    table.moves("e2", "e4");
    assert_eq!(table.heard(), ["boards agree"]);
    table.moves("e7", "e5");
    assert_eq!(
        table.heard(),
        [
            "executed e5",
            "loud: Bauer Eva sieben Eva fünf",
            "announced e5",
            "made e5",
            "boards pending",
        ]
    );
    table.press(Black);
    table.heard();
    table.hand = White;
    table.moves("e7", "e5");
    assert_eq!(table.heard(), ["boards agree"]);
}

#[test]
fn both_blind_and_the_copy_follows_a_correction() {
    let mut table = Table::new(both_blind());
    table.start_clock();
    table.moves("g1", "h3");
    table.hand = Black;
    table.moves("g1", "h3");
    table.heard();
    table.hand = White;
    table.moves("h3", "f3");
    assert_eq!(
        table.heard(),
        [
            "executed Nf3",
            "loud: Korrektur: Springer Gustav eins Felix drei.",
            "announced Nf3",
            "made Nf3",
            "problem 4.7: White changed a made move: Nh3, then Nf3",
            "proposal 1 4.7: White changed a made move: Nh3, then Nf3",
            "ear white: Der Zug stand schon. Der Schiedsrichter entscheidet.",
            "ear black: Angesagt: Springer Gustav eins Felix drei. Ausgeführt: Springer Gustav eins Hector drei.",
            "problem D.2.1: another move than the announced one was executed on the own board",
            "boards differ",
        ]
    );
    table.press(White);
    table.heard();
    table.hand = Black;
    table.moves("h3", "f3");
    assert_eq!(
        table.heard(),
        [
            "ear white: Die Bretter stimmen wieder überein.",
            "ear black: Die Bretter stimmen wieder überein.",
            "boards agree",
        ]
    );
}

#[test]
fn a_move_withdrawn_is_no_longer_awaited_on_the_other_board() {
    let mut table = Table::new(both_blind());
    table.start_clock();
    table.moves("g1", "h3");
    table.moves("h3", "g1");
    table.heard();
    table.moves("g1", "f3");
    table.press(White);
    table.heard();
    table.hand = Black;
    table.moves("g1", "f3");
    assert_eq!(table.heard(), ["boards agree"]);
}

#[test]
fn duties_of_announcing_off_the_sighted_players_move_counts_as_executed() {
    let duties = Duties { announce: false, ..Duties::default() };
    let mut table = Table::new(GameConfig { duties, ..two_boards() });
    table.says(White, "Bauer Eva vier");
    table.moves("e2", "e4");
    table.sighted(Black, "e2e4");
    table.heard();
    table.sighted(Black, "e7e5");
    assert_eq!(
        table.heard(),
        ["completed e4", "clock: None", "executed e5", "made e5", "boards pending"]
    );
    // Taken back silently: nothing had been announced.
    table.sighted(Black, "e7e6");
    assert_eq!(
        table.heard(),
        [
            "executed e6",
            "made e6",
            "problem 4.7: Black changed a made move: e5, then e6",
            "proposal 1 4.7: Black changed a made move: e5, then e6",
        ]
    );
}
