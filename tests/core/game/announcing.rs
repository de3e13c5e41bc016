//! Executed, announced, made, completed (D.2.1 to D.2.4), and slips of the tongue (D.2.8).

use annabella_core::game::{At, Duties, GameConfig, Source};
use shakmaty::Color;
use shakmaty::Color::{Black, White};

use super::table::Table;

fn speaking() -> GameConfig {
    GameConfig { sighted_board: true, ..GameConfig::default() }
}

/// The player announces his moves himself.
fn silent() -> GameConfig {
    GameConfig { duties: Duties { announce: false, ..Duties::default() }, ..speaking() }
}

#[test]
fn a_knight_is_moved_announced_made_and_completed() {
    let mut table = Table::new(speaking());
    table.start_clock();
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
    table.press(White);
    assert_eq!(table.heard(), ["completed Nf3", "clock: Black"]);
    let record = table.game.record().expect("a game");
    let ply = &record.line[0];
    // Set at 1400, at rest at 1800, which is certain once the reeds' debounce time is over; pressed
    // at 2100.
    assert_eq!((ply.hands.captured, ply.hands.placed), (None, At::new(1400)));
    assert_eq!((ply.announced.at, ply.made), (At::new(1820), At::new(1820)));
    assert_eq!((ply.announced.by, ply.completed), (Source::Assistant, Some(At::new(2100))));
    assert_eq!(ply.hands.touched, ["g1".parse().expect("a square")]);
    assert_eq!(ply.clock_ms, Some((5_430_000 - 1_100 + 30_000, 5_430_000)));
}

#[test]
fn the_captured_piece_has_its_time() {
    let mut table = Table::at("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", speaking());
    table.takes("e4", "d5");
    assert_eq!(table.spoken(), ["loud: Bauer Eva vier schlägt David fünf"]);
    let record = table.game.record().expect("a game");
    assert_eq!(record.line[0].hands.captured, Some(At::new(1200)));
    assert_eq!(record.line[0].hands.placed, At::new(1600));
}

#[test]
fn what_the_player_announced_is_not_repeated() {
    let mut table = Table::new(speaking());
    table.says(White, "Springer Gustav eins Felix drei");
    assert_eq!(table.heard(), ["announced Nf3"]);
    table.moves("g1", "f3");
    assert_eq!(table.heard(), ["executed Nf3", "made Nf3", "boards pending"]);
    let record = table.game.record().expect("a game");
    assert_eq!(record.line[0].announced.by, Source::Voice);
    assert_eq!(record.score(Color::White)[0].source, Source::Voice);
    // Black's score is what his board shows.
    assert!(record.score(Color::Black).is_empty());
    table.sighted(Black, "g1f3");
    let record = table.game.record().expect("a game");
    assert_eq!(record.score(Color::Black)[0].source, Source::Board);
}

#[test]
fn without_the_duty_the_player_executes_and_then_announces() {
    let mut table = Table::new(silent());
    table.start_clock();
    table.moves("g1", "f3");
    assert_eq!(table.heard(), ["executed Nf3"]);
    table.says(None, "was ist offen");
    assert_eq!(
        table.heard(),
        ["ear: Ausgeführt, nicht angesagt: Springer Gustav eins Felix drei."]
    );
    table.press(White);
    assert_eq!(table.heard(), ["refused D.2.4: the move is not announced yet – Erst ansagen."]);
    table.says(White, "Springer Felix drei");
    assert_eq!(table.heard(), ["announced Nf3", "made Nf3", "boards pending"]);
    table.press(White);
    assert_eq!(table.heard(), ["completed Nf3", "clock: Black"]);
}

#[test]
fn pressing_while_the_piece_is_set_does_not_start_the_opponents_clock_before_the_announcement() {
    let mut table = Table::new(silent());
    table.start_clock();
    table.lift("g1");
    table.put("f3");
    table.press(White);
    assert_eq!(
        table.heard(),
        [
            "executed Nf3",
            "problem D.2.4: the clock was pressed before the move was announced",
            "ear: Erst ansagen.",
        ]
    );
    // The hands may still be corrected: nothing is made.
    table.moves("f3", "h3");
    table.says(White, "Springer Hector drei");
    assert_eq!(table.heard(), ["executed Nh3", "announced Nh3", "made Nh3", "boards pending"]);
    table.press(White);
    assert_eq!(table.heard(), ["completed Nh3", "clock: Black"]);
}

#[test]
fn announced_and_not_executed_is_no_move() {
    let mut table = Table::new(speaking());
    table.start_clock();
    table.says(White, "Springer Felix drei");
    table.press(White);
    assert_eq!(
        table.heard(),
        [
            "announced Nf3",
            "refused D.2.4: the announced move is not executed yet – Erst ausführen: Springer Gustav eins Felix drei.",
        ]
    );
    table.says(White, "was ist offen");
    assert_eq!(
        table.spoken(),
        ["ear: Angesagt, nicht ausgeführt: Springer Gustav eins Felix drei."]
    );
    // Lifted, still in the hand.
    table.lift("g1");
    table.press(White);
    assert_eq!(
        table.heard(),
        [
            "problem D.2.4: the clock was pressed before the announced move was executed",
            "ear: Erst ausführen: Springer Gustav eins Felix drei.",
            "ear: Setz den weißen Springer auf Felix drei.",
        ]
    );
    table.put("f3");
    table.wait(600);
    table.press(White);
    assert_eq!(
        table.heard(),
        ["executed Nf3", "made Nf3", "boards pending", "completed Nf3", "clock: Black"]
    );
}

#[test]
fn no_move_at_all_is_7_5_3() {
    let mut table = Table::new(speaking());
    table.start_clock();
    table.press(White);
    assert_eq!(
        table.heard(),
        [
            "problem 7.5.3: White pressed the clock without a move",
            "proposal 1 7.5.5: first illegal move of White: two minutes for Black",
            "ear: Uhr zu früh, noch kein Zug.",
        ]
    );
    // With a piece in the hand he is only too early (D.2.4).
    table.lift("g1");
    table.press(White);
    assert_eq!(
        table.heard(),
        [
            "problem D.2.4: the clock was pressed before the move was executed in full",
            "ear: Uhr zu früh, noch kein Zug.",
        ]
    );
    table.put("f3");
    table.wait(600);
    assert_eq!(table.spoken(), ["loud: Springer Gustav eins Felix drei"]);
}

#[test]
fn the_duty_presses_when_the_move_is_made_and_not_before() {
    let duties = Duties { announce: false, start_clock: true, ..Duties::default() };
    let mut table = Table::new(GameConfig { duties, ..speaking() });
    table.start_clock();
    table.moves("g1", "f3");
    assert_eq!(table.heard(), ["executed Nf3"]);
    table.says(White, "Springer Felix drei");
    assert_eq!(table.heard(), ["announced Nf3", "made Nf3", "boards pending"]);
    table.wait(1500);
    assert_eq!(table.heard(), ["completed Nf3", "clock: Black"]);
    // Not for the sighted player.
    table.sighted(Black, "g1f3");
    table.sighted(Black, "e7e5");
    assert_eq!(table.heard(), ["boards agree", "executed e5", "made e5", "boards pending"]);
}

#[test]
fn one_move_announced_another_executed() {
    let mut table = Table::new(speaking());
    table.start_clock();
    table.says(White, "Springer Felix drei");
    table.heard();
    table.moves("g1", "h3");
    assert_eq!(
        table.heard(),
        [
            "executed Nh3",
            "ear: Angesagt: Springer Gustav eins Felix drei. Ausgeführt: Springer Gustav eins Hector drei.",
            "problem D.2.3: the announced and the executed move differ",
        ]
    );
    table.press(White);
    assert_eq!(
        table.heard(),
        [
            "refused D.2.4: the announced and the executed move differ – Angesagt: Springer Gustav eins Felix drei. Ausgeführt: Springer Gustav eins Hector drei."
        ]
    );
    // The hands follow.
    table.moves("h3", "f3");
    assert_eq!(table.heard(), ["executed Nf3", "made Nf3", "boards pending"]);
}

#[test]
fn or_the_tongue_follows_the_hands() {
    let mut table = Table::new(speaking());
    table.says(White, "Springer Felix drei");
    table.moves("g1", "h3");
    table.heard();
    table.says(White, "Korrektur Springer Hector drei");
    assert_eq!(table.heard(), ["announced Nh3", "made Nh3", "boards pending"]);
}

#[test]
fn a_slip_of_the_tongue_is_corrected_before_the_clock_is_pressed() {
    for (seat, start) in [(Some(White), true), (None, true), (None, false)] {
        let mut table = Table::new(silent());
        if start {
            table.start_clock();
        }
        table.moves("g1", "f3");
        table.says(White, "Springer Gustav eins Hector drei");
        assert_eq!(
            table.heard(),
            [
                "executed Nf3",
                "announced Nh3",
                "ear: Angesagt: Springer Gustav eins Hector drei. Ausgeführt: Springer Gustav eins Felix drei.",
                "problem D.2.3: the announced and the executed move differ",
            ]
        );
        table.says(seat, "Korrektur Springer Gustav eins Felix drei");
        assert_eq!(table.heard(), ["announced Nf3", "made Nf3", "boards pending"]);
        assert_eq!(table.game.record().expect("a game").score(Color::White).len(), 1);
    }
}

#[test]
fn a_made_move_is_corrected_by_word_and_the_hands_follow() {
    for seat in [Some(White), None] {
        let mut table = Table::new(silent());
        table.start_clock();
        table.says(White, "Springer Felix drei");
        table.moves("g1", "f3");
        table.heard();
        table.says(seat, "Korrektur Springer Hector drei");
        assert_eq!(
            table.heard(),
            [
                "announced Nh3",
                "ear: Angesagt: Springer Gustav eins Hector drei. Ausgeführt: Springer Gustav eins Felix drei.",
                "problem D.2.3: the announced and the executed move differ",
                "boards agree",
            ]
        );
        assert!(table.game.record().expect("a game").score(Color::White).is_empty());
        table.press(White);
        assert_eq!(
            table.heard(),
            [
                "refused D.2.4: the announced and the executed move differ – Angesagt: Springer Gustav eins Hector drei. Ausgeführt: Springer Gustav eins Felix drei."
            ]
        );
        table.moves("f3", "h3");
        assert_eq!(
            table.heard(),
            [
                "executed Nh3",
                "made Nh3",
                "problem 4.7: White changed a made move: Nf3, then Nh3",
                "proposal 1 4.7: White changed a made move: Nf3, then Nh3",
                "ear: Der Zug stand schon. Der Schiedsrichter entscheidet.",
                "boards pending",
            ]
        );
        table.press(White);
        assert_eq!(table.heard(), ["completed Nh3", "clock: Black"]);
        let record = table.game.record().expect("a game");
        assert_eq!(record.score(Color::White)[0].san, "Nh3");
        assert!(record.score(Color::Black).is_empty());
    }
}

#[test]
fn a_move_corrected_by_the_hands_is_corrected_aloud() {
    let mut table = Table::new(speaking());
    table.start_clock();
    table.moves("g1", "h3");
    table.wait(500);
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
        ]
    );
    table.press(White);
    assert_eq!(table.heard(), ["completed Nf3", "clock: Black"]);
    let record = table.game.record().expect("a game");
    assert_eq!((record.line.len(), record.score(Color::White).len()), (1, 1));
}

#[test]
fn a_move_taken_back_before_the_press_is_withdrawn_aloud() {
    let mut table = Table::new(speaking());
    table.start_clock();
    table.moves("g1", "h3");
    table.wait(500);
    table.heard();
    table.moves("h3", "g1");
    assert_eq!(table.heard(), ["loud: Zurückgenommen.", "boards agree"]);
    table.press(White);
    assert_eq!(
        table.heard(),
        [
            "problem 7.5.3: White pressed the clock without a move",
            "proposal 1 7.5.5: first illegal move of White: two minutes for Black",
            "ear: Uhr zu früh, noch kein Zug.",
        ]
    );
    table.moves("e2", "e4");
    assert_eq!(
        table.heard(),
        [
            "executed e4",
            "problem 4.3: the piece on g1 was touched first and can move",
            "loud: Korrektur: Bauer Eva zwei Eva vier.",
            "announced e4",
            "made e4",
            "problem 4.7: White changed a made move: Nh3, then e4",
            "proposal 2 4.7: White changed a made move: Nh3, then e4",
            "ear: Der Zug stand schon. Der Schiedsrichter entscheidet.",
            "boards pending",
        ]
    );
}

#[test]
fn after_the_clock_is_pressed_only_the_arbiter_corrects() {
    let mut table = Table::new(speaking());
    table.start_clock();
    table.moves("g1", "h3");
    table.press(White);
    table.heard();
    for seat in [Some(White), None] {
        table.says(seat, "Korrektur Springer Gustav eins Felix drei");
        assert_eq!(
            table.heard(),
            [
                "refused D.2.8: a slip is corrected before the opponent's clock is started – Zu spät. Nur der Schiedsrichter kann das noch ändern."
            ]
        );
    }
    assert_eq!(table.game.record().expect("a game").line[0].san, "Nh3");
    // Nor by the hands: the board is guided back.
    table.moves("h3", "f3");
    table.wait(5000);
    assert_eq!(table.heard(), ["ear: Entferne die Figur von Felix drei.", "boards differ"]);
    table.lift("f3");
    table.wait(600);
    assert_eq!(table.spoken(), ["ear: Setz den weißen Springer auf Hector drei."]);
    table.put("h3");
    table.wait(600);
    assert_eq!(table.spoken(), ["ear: Brett stimmt."]);
}

#[test]
fn the_opponent_repeats_the_move() {
    let mut table = Table::new(speaking());
    table.moves("g1", "f3");
    table.heard();
    table.says(Black, "Springer Gustav eins Felix drei");
    assert_eq!(table.heard(), [""; 0]);
    table.says(Black, "Springer Gustav eins Hector drei");
    assert_eq!(
        table.heard(),
        [
            "ear: Wiederholt: Springer Gustav eins Hector drei. Richtig: Springer Gustav eins Felix drei.",
            "problem D.2.1: another move than the announced one was repeated"
        ]
    );
    // A voice that is not known is the player's own microphone: his words are compared (D.2.3).
    table.says(None, "Springer Gustav eins Hector drei");
    assert_eq!(
        table.heard(),
        [
            "announced Nh3",
            "ear: Angesagt: Springer Gustav eins Hector drei. Ausgeführt: Springer Gustav eins Felix drei.",
            "problem D.2.3: the announced and the executed move differ",
            "boards agree",
        ]
    );
    assert!(table.game.record().expect("a game").line.is_empty());
}

#[test]
fn moves_that_are_not_possible_or_not_his() {
    let mut table = Table::new(speaking());
    table.says(White, "Springer Gustav eins Felix fünf");
    table.says(White, "Korrektur Springer Gustav eins Felix fünf");
    table.says(White, "Korrektur Blumenkohl");
    table.says(White, "Blumenkohl");
    table.says(Black, "Bauer Eva sieben Eva fünf");
    assert_eq!(
        table.heard(),
        [
            "ear: Nicht möglich: Springer Gustav eins Felix fünf.",
            "ear: Nicht möglich: Springer Gustav eins Felix fünf.",
            "ear: Bitte?",
            "ear: Bitte?",
            "refused 6.2.1: the opponent is to move – Du bist nicht am Zug.",
        ]
    );
    table.says(White, "Bauer Eva vier");
    table.says(Black, "Bauer Eva vier");
    assert_eq!(
        table.heard(),
        ["announced e4", "refused 6.2.1: the opponent is to move – Du bist nicht am Zug."]
    );
}

#[test]
fn two_knights_go_there_and_the_pegs_decide() {
    let fen = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1";
    let mut table = Table::at(fen, silent());
    table.says(White, "Springer David zwei");
    assert_eq!(
        table.heard(),
        ["ear: Springer Bella eins David zwei oder Springer Felix eins David zwei?"]
    );
    table.moves("b1", "d2");
    table.heard();
    table.says(White, "Springer David zwei");
    assert_eq!(table.heard(), ["announced Nbd2", "made Nbd2", "boards pending"]);
}

#[test]
fn louder_and_faster_mean_the_voice_just_heard() {
    let mut table = Table::new(GameConfig::default());
    table.says(White, "lauter");
    assert_eq!(table.heard(), ["volume 100, 160 words a minute", "ear: Lautstärke hundert."]);
    table.says(White, "schneller");
    assert_eq!(table.heard(), ["volume 100, 180 words a minute", "ear: Tempo hundertachtzig."]);
    table.moves("e2", "e4");
    table.heard();
    table.says(White, "leiser");
    table.says(White, "leiser");
    assert_eq!(
        table.heard(),
        [
            "volume 90, 160 words a minute",
            "ear: Lautstärke neunzig.",
            "volume 80, 160 words a minute",
            "ear: Lautstärke achtzig.",
        ]
    );
}

#[test]
fn the_loudspeaker_that_the_opponent_hears_is_not_made_mute_by_word() {
    let mut table = Table::new(GameConfig::default());
    table.moves("e2", "e4");
    for _ in 0..12 {
        table.heard();
        table.says(White, "leiser");
    }
    assert_eq!(table.heard(), ["volume 10, 160 words a minute", "ear: Lautstärke zehn."]);
}

#[test]
fn a_move_is_not_made_while_its_piece_is_in_the_hand_again() {
    let mut table = Table::new(silent());
    table.moves("e2", "e4");
    table.lift("e4");
    table.heard();
    table.says(White, "Bauer Eva zwei Eva vier");
    assert_eq!(table.heard(), ["announced e4"]);
    table.put("e4");
    table.wait(600);
    assert_eq!(table.heard(), ["made e4", "boards pending"]);
}

#[test]
fn a_move_is_not_made_while_the_piece_stands_in_both_holes() {
    let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    let mut table = Table::at(fen, silent());
    table.takes("e4", "d5");
    table.put("e4");
    table.heard();
    table.says(White, "Bauer Eva vier schlägt David fünf");
    assert!(!table.heard().iter().any(|line| line.starts_with("made")));
}
