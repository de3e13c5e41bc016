//! Recording: who need not in his last minutes, and what he adds afterwards (8.4, 8.5, TR.10.5.5).

use annabella_core::game::{ArbiterAct, Duties, GameConfig, HandsKnown, HandsOf, Input};
use shakmaty::Color;
use shakmaty::Color::{Black, White};

use super::table::Table;

/// The blind player keeps his score himself: what he announces and repeats is recorded.
fn own_score(time_control: &str) -> GameConfig {
    GameConfig {
        sighted_board: true,
        time_control: time_control.to_owned(),
        duties: Duties { announce: false, keep_score: false, ..Duties::default() },
        ..GameConfig::default()
    }
}

fn turn(table: &mut Table, own: (&str, &str, &str), reply: (&str, &str, &str)) {
    let (from, to, said) = own;
    table.says(White, said);
    table.moves(from, to);
    table.press(White);
    table.sighted(Black, &format!("{from}{to}"));
    let (from, to, repeated) = reply;
    table.sighted(Black, &format!("{from}{to}"));
    if !repeated.is_empty() {
        table.says(White, repeated);
    }
    table.moves(from, to);
    table.press(Black);
}

fn score(table: &Table) -> Vec<(u32, String)> {
    let record = table.game.record().expect("a game");
    record.score(Color::White).iter().map(|entry| (entry.ply, entry.san.clone())).collect()
}

#[test]
fn what_the_blind_player_repeats_is_in_his_score() {
    let mut table = Table::new(own_score("90+30"));
    table.start_clock();
    turn(&mut table, ("e2", "e4", "Bauer Eva vier"), ("e7", "e5", "Bauer Eva fünf"));
    turn(&mut table, ("g1", "f3", "Springer Felix drei"), ("b8", "c6", ""));
    let expected = [(1, "e4"), (2, "e5"), (3, "Nf3")];
    assert_eq!(score(&table), expected.map(|(ply, san)| (ply, san.to_owned())));
}

#[test]
fn in_his_last_minutes_he_need_not_and_adds_it_at_the_time_control() {
    let mut table = Table::new(own_score("3/90+30:30+30"));
    table.start_clock();
    turn(&mut table, ("e2", "e4", "Bauer Eva vier"), ("e7", "e5", "Bauer Eva fünf"));
    assert_eq!(table.game.record().expect("a game").unrecorded(Color::White), None);
    table.rules(ArbiterAct::SetClock { seat: White, ms: 240_000, moves: None });
    turn(&mut table, ("g1", "f3", "Springer Felix drei"), ("b8", "c6", ""));
    // Even with thirty seconds a move (TR.10.5.5); his opponent must write on.
    let record = table.game.record().expect("a game");
    assert_eq!((record.unrecorded(Color::White), record.unrecorded(Color::Black)), (Some(3), None));
    table.heard();
    table.says(White, "Läufer Bella fünf");
    table.moves("f1", "b5");
    table.press(White);
    assert_eq!(table.spoken(), ["ear: In der Mitschrift fehlt: eins."]);
    assert_eq!(table.game.record().expect("a game").unrecorded(Color::White), None);
    table.says(White, "Mitschrift ergänzen");
    assert_eq!(table.spoken(), ["ear: Zug zwei, Schwarz?"]);
    table.says(White, "Blumenkohl");
    assert_eq!(table.spoken(), ["ear: Zug zwei, Schwarz?"]);
    table.hears_of(Some(White), &[("springer bella acht cesar sechs", 0.99)], true);
    assert_eq!(table.spoken(), ["ear: Mitschrift vollständig."]);
    let expected = [(1, "e4"), (2, "e5"), (3, "Nf3"), (4, "Nc6"), (5, "Bb5")];
    assert_eq!(score(&table), expected.map(|(ply, san)| (ply, san.to_owned())));
}

#[test]
fn the_score_is_completed_after_the_game_too() {
    let mut table = Table::new(own_score("90+30"));
    table.start_clock();
    turn(&mut table, ("e2", "e4", "Bauer Eva vier"), ("e7", "e5", "Bauer Eva fünf"));
    turn(&mut table, ("g1", "f3", "Springer Felix drei"), ("b8", "c6", ""));
    table.says(White, "ich gebe auf");
    table.says(White, "ja");
    assert_eq!(
        table.spoken().split_off(1),
        ["loud: Weiß gibt auf. Schwarz gewinnt.", "ear: In der Mitschrift fehlt: eins."]
    );
    table.says(White, "Mitschrift ergänzen");
    table.says(White, "Springer Cesar sechs");
    assert_eq!(table.spoken(), ["ear: Zug zwei, Schwarz?", "ear: Mitschrift vollständig."]);
}

#[test]
fn who_keeps_his_score_on_paper_is_asked_for_nothing() {
    let mut table = Table::new(own_score("1/90+30:30+30"));
    table.start_clock();
    turn(&mut table, ("e2", "e4", "Bauer Eva vier"), ("e7", "e5", ""));
    turn(&mut table, ("g1", "f3", "Springer Felix drei"), ("b8", "c6", ""));
    assert_eq!(table.spoken(), [""; 0]);
}

#[test]
fn a_sighted_player_stops_recording_only_without_thirty_seconds_a_move_and_in_rapid_at_once() {
    for (control, expected) in [("90+30", None), ("90", Some(2)), ("40/25:15", Some(1))] {
        let mut table = Table::new(own_score(control));
        table.start_clock();
        table.rules(ArbiterAct::SetClock { seat: Black, ms: 290_000, moves: None });
        turn(&mut table, ("e2", "e4", "Bauer Eva vier"), ("e7", "e5", ""));
        let record = table.game.record().expect("a game");
        let since = record.unrecorded(Color::Black);
        assert_eq!(since.is_some(), expected.is_some(), "{control}: {since:?}");
    }
}

/// What was heard is not what he has written (D.2.10.3), and which is right is found by D.2.9.
#[test]
fn a_blind_player_who_keeps_his_own_score_hands_it_in_as_it_is_written_d_2_7() {
    for keep_score in [false, true] {
        let duties = Duties { keep_score, ..Duties::default() };
        let hands = HandsOf { white: HandsKnown::Announced, ..HandsOf::default() };
        let mut table = Table::new(GameConfig { duties, hands, ..GameConfig::default() });
        table.start_clock();
        table.script("w\"e2-e4\" w! b\"e7-e5\" b! w\"g1-f3\" w! b\"b8-c6\" b!");
        table.heard();
        let text = "1. e4 e5 2. Sc3 Sc6".to_owned();
        table.input(Input::Score { seat: White, from_ply: 1, text });
        let refused = table.heard().iter().any(|line| line.starts_with("refused D.2.7"));
        assert_eq!(refused, keep_score);
        let record = table.game.record().expect("a game");
        let third = record.score(White).iter().find(|entry| entry.ply == 3).expect("an entry");
        assert_eq!(third.san, if keep_score { "Nf3" } else { "Nc3" });
    }
}
