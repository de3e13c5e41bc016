//! Times left: warned of only if wished, read from a clock of its own, uncertain after a power cut.

use annabella_core::game::{ArbiterAct, ClockNews, ClockRead, GameConfig, Input, Running};
use shakmaty::Color;

use super::table::Table;

fn blitz(config: GameConfig) -> Table {
    let mut table = Table::new(GameConfig { time_control: "3".to_owned(), ..config });
    table.start_clock();
    table.heard();
    table
}

#[test]
fn nobody_is_warned_who_did_not_ask_for_it() {
    let mut table = blitz(GameConfig::default());
    table.wait(179_000);
    assert_eq!(table.spoken(), Vec::<String>::new());
}

#[test]
fn he_is_warned_once_in_his_ear_of_the_times_that_he_named() {
    let mut table = blitz(GameConfig { alarms_s: vec![60, 10], ..GameConfig::default() });
    table.wait(119_000);
    assert_eq!(table.spoken(), Vec::<String>::new());
    table.wait(2000);
    assert_eq!(table.spoken(), ["ear: Noch eine Minute."]);
    table.wait(48_000);
    assert_eq!(table.spoken(), Vec::<String>::new());
    table.wait(2000);
    assert_eq!(table.spoken(), ["ear: Noch zehn Sekunden."]);
}

#[test]
fn the_opponents_time_warns_nobody() {
    let alarms_s = vec![60];
    let mut table = blitz(GameConfig { alarms_s, sighted_board: true, ..GameConfig::default() });
    table.moves("e2", "e4");
    table.press(Color::White);
    table.sighted(Color::Black, "e2e4");
    table.heard();
    table.wait(130_000);
    assert_eq!(table.spoken(), Vec::<String>::new());
}

#[test]
fn after_a_power_cut_the_clocks_stand_and_the_arbiter_learns_how_uncertain_they_are() {
    let mut table = blitz(GameConfig::default());
    table.wait(20_000);
    table.input(Input::Woke);
    table.heard();
    table.now_ms += 3_600_000;
    table.input(Input::Resumed);
    let heard = table.heard();
    let report = "problem 7.1: the service was stopped while a clock ran: the clocks stand as last \
                  written, known to 10 seconds";
    assert!(heard.iter().any(|line| line == report), "{heard:?}");
    let (white_ms, black_ms, running) = table.clock();
    assert_eq!((black_ms, running), (180_000, Running::None));
    assert!((159_000..=160_000).contains(&white_ms), "{white_ms}");
}

#[test]
fn a_clock_of_its_own_counts_and_its_flag_is_the_one_that_falls() {
    let config = GameConfig { external_clock: true, ..GameConfig::default() };
    let mut table = blitz(config);
    let read = |white_ms, fallen| {
        let black_ms = (180_000, 180_000);
        let read = ClockRead { white_ms, black_ms, running: Running::White, fallen };
        Input::Clock(ClockNews::Read(read))
    };
    table.wait(60_000);
    // What lies within what it shows stays as it is; what does not is brought inside.
    table.input(read((119_500, 120_500), None));
    assert_eq!(table.clock().0, 120_000);
    table.input(read((125_000, 126_000), None));
    assert_eq!(table.clock().0, 125_000);
    table.heard();
    table.wait(125_500);
    assert!(table.game.ended().is_none(), "the clock has not fallen");
    table.input(read((0, 0), Some(Color::White)));
    assert!(table.game.ended().is_some());
}

#[test]
fn of_a_clock_that_names_one_flag_the_other_is_down_at_nothing_6_8() {
    let mut table = blitz(GameConfig { external_clock: true, ..GameConfig::default() });
    table.input(Input::ArbiterPage { open: true });
    let read = |black_ms, running| {
        let fallen = Some(Color::White);
        let black_ms = (black_ms, black_ms);
        Input::Clock(ClockNews::Read(ClockRead { white_ms: (0, 0), black_ms, running, fallen }))
    };
    table.input(read(180_000, Running::White));
    table.rules(ArbiterAct::DismissProposal { number: 1 });
    table.rules(ArbiterAct::StartClocks { side: Some(Color::Black) });
    table.heard();
    table.input(read(1, Running::Black));
    assert_eq!(table.heard(), ["clock: Black"]);
    table.input(read(0, Running::Black));
    let fallen = "problem D.2.10.5: Black's flag has fallen".to_owned();
    assert!(table.heard().contains(&fallen));
}

#[test]
fn a_clock_that_does_not_answer_is_told_once_and_reckoned_on() {
    let mut table = blitz(GameConfig { external_clock: true, ..GameConfig::default() });
    table.input(Input::Clock(ClockNews::Back));
    table.heard();
    table.input(Input::Clock(ClockNews::Lost));
    table.input(Input::Clock(ClockNews::Lost));
    let told = "problem 6.10.1: the clock does not answer; times are reckoned";
    assert_eq!(table.heard(), [told, "ear: Keine Verbindung zur Uhr."]);
    table.input(Input::Clock(ClockNews::Back));
    assert_eq!(table.spoken(), ["ear: Die Uhr ist wieder verbunden."]);
}

#[test]
fn a_clock_that_was_never_found_is_told_once_and_its_coming_too() {
    let mut table = blitz(GameConfig { external_clock: true, ..GameConfig::default() });
    table.heard();
    table.input(Input::Clock(ClockNews::Lost));
    let told = "problem 6.10.1: the clock does not answer; times are reckoned";
    assert_eq!(table.heard(), [told, "ear: Keine Verbindung zur Uhr."]);
    table.input(Input::Clock(ClockNews::Lost));
    assert_eq!(table.heard(), [""; 0]);
    table.input(Input::Clock(ClockNews::Back));
    assert_eq!(table.spoken(), ["ear: Die Uhr ist wieder verbunden."]);
}

#[test]
fn a_clock_in_another_mode_is_named_in_her_ear() {
    let mut table = blitz(GameConfig { external_clock: true, ..GameConfig::default() });
    table.input(Input::Clock(ClockNews::Refuses));
    let told = "problem 6.10.1: the clock refuses to be set: put the DGT 3000 into mode 23 and \
                switch it on again";
    let heard = "ear: Die Uhr lässt sich nicht stellen. Sie braucht Programm dreiundzwanzig: \
                 einstellen, aus- und wieder einschalten.";
    assert_eq!(table.heard(), [told, heard]);
}

#[test]
fn a_clock_that_runs_against_its_lever_is_told_to_whom_it_concerns() {
    let mut table = blitz(GameConfig { external_clock: true, ..GameConfig::default() });
    table.input(Input::Clock(ClockNews::LeverLies(Color::Black)));
    let told = "problem 6.10.1: the clock's lever lies the wrong way: press the side of Black down, \
                or the opponent cannot press";
    let heard = "ear: Der Hebel der Uhr liegt verkehrt. Nach unten gehört die Seite von Schwarz.";
    assert_eq!(table.heard(), [told, heard]);
}

#[test]
fn a_clock_that_was_stopped_by_hand_stands_for_the_game_too() {
    let mut table = blitz(GameConfig { external_clock: true, ..GameConfig::default() });
    table.wait(10_000);
    let both = (170_000, 180_000);
    let read = ClockRead {
        white_ms: (both.0, both.0),
        black_ms: (both.1, both.1),
        running: Running::None,
        fallen: None,
    };
    table.input(Input::Clock(ClockNews::Read(read)));
    table.wait(30_000);
    assert_eq!(table.clock(), (both.0, both.1, Running::None));
}
