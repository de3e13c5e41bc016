//! Wrong holes, knocked neighbours, broken reeds, requests, duties, starting.

use annabella_core::game::{
    ArbiterAct, At, Duties, Game, GameConfig, Input, Ruling, Running, Started,
};
use shakmaty::Color;
use shakmaty::Color::{Black, White};

use super::table::{Table, packs, started};

fn config() -> GameConfig {
    GameConfig { sighted_board: true, ..GameConfig::default() }
}

fn with(duties: Duties) -> GameConfig {
    GameConfig { duties, ..config() }
}

#[test]
fn a_wrong_hole_that_no_move_leads_to_is_corrected_without_a_word() {
    let mut table = Table::new(config());
    table.lift("g1");
    table.put("g3");
    table.wait(1500);
    table.moves("g3", "f3");
    assert_eq!(table.spoken(), ["loud: Springer Gustav eins Felix drei"]);
}

#[test]
fn a_neighbour_knocked_out_and_put_back() {
    let mut table = Table::new(config());
    table.lift("g1");
    table.lift("h2");
    table.put("f3");
    table.wait(5500);
    assert_eq!(table.heard(), ["ear: Setz den weißen Bauern auf Hector zwei.", "boards differ"]);
    table.put("h2");
    table.wait(600);
    assert_eq!(table.spoken(), ["loud: Springer Gustav eins Felix drei"]);
}

#[test]
fn a_dead_reed_is_named_and_the_game_goes_on_by_announcement() {
    let mut table = Table::new(config());
    table.start_clock();
    table.lift("g1");
    table.wait(600);
    // The knight stands on f3; its reed says nothing.
    table.says(White, "Springer Felix drei");
    assert_eq!(table.heard(), ["announced Nf3"]);
    // It may as well be in the hand: first he is told.
    table.says(White, "Springer Felix drei");
    assert_eq!(table.heard(), ["announced Nf3", "ear: Setz den weißen Springer auf Felix drei."]);
    table.wait(1000);
    table.says(White, "Springer Felix drei");
    assert_eq!(
        table.heard(),
        [
            "announced Nf3",
            "problem D.2.3: the reed of f3 does not answer",
            "ear: Sensor Felix drei ausgefallen.",
            "executed Nf3",
            "made Nf3",
            "boards pending",
        ]
    );
    table.press(White);
    table.sighted(Black, "g1f3");
    table.sighted(Black, "e7e5");
    table.press(Black);
    table.moves("e7", "e5");
    table.heard();
    // A capture from the dead square changes no picture; announced, it counts.
    table.lift("e5");
    table.put("e5");
    table.wait(600);
    assert_eq!(table.heard(), [""; 0]);
    table.says(White, "Springer schlägt Eva fünf");
    assert_eq!(table.heard(), ["announced Nxe5", "executed Nxe5", "made Nxe5", "boards pending"]);
}

#[test]
fn a_stuck_reed_is_named_and_the_game_goes_on() {
    let mut table = Table::new(config());
    table.says(White, "Springer Felix drei");
    // g1 still reads a peg.
    table.put("f3");
    table.wait(600);
    // One move alone blames no reed (F1): the knight may still stand there.
    assert_eq!(table.heard(), ["announced Nf3"]);
    table.says(White, "Springer Felix drei");
    assert_eq!(
        table.heard(),
        ["announced Nf3", "ear: Entferne den weißen Springer von Gustav eins."]
    );
    table.wait(1000);
    table.says(White, "Springer Felix drei");
    assert_eq!(
        table.heard(),
        [
            "announced Nf3",
            "problem D.2.3: the reed of g1 always answers",
            "ear: Sensor Gustav eins klemmt.",
            "executed Nf3",
            "made Nf3",
            "boards pending",
        ]
    );
}

#[test]
fn the_board_is_cleared_and_set_up_again() {
    let mut table = Table::new(config());
    table.moves("e2", "e4");
    table.press(White);
    table.heard();
    let squares: Vec<String> = shakmaty::Position::board(table.position())
        .occupied()
        .into_iter()
        .map(|sq| sq.to_string())
        .collect();
    for square in &squares {
        table.lift(square);
    }
    table.wait(20_000);
    assert_eq!(table.heard(), ["loud: Noch nicht ausgeführt: Bauer Eva zwei Eva vier."]);
    for square in squares.iter().rev() {
        table.put(square);
    }
    table.wait(600);
    assert_eq!(table.heard(), ["ear: Brett stimmt."]);
    table.sighted(Black, "e2e4");
    table.sighted(Black, "e7e5");
    table.moves("e7", "e5");
    assert!(table.heard().ends_with(&["boards agree".to_owned()]));
}

#[test]
fn a_board_set_up_for_a_new_game_is_guided_back_to_this_one() {
    let mut table = Table::new(config());
    table.moves("e2", "e4");
    table.press(White);
    table.sighted(Black, "e2e4");
    table.heard();
    let rows = ["a", "b", "c", "d", "e", "f", "g", "h"];
    for file in rows {
        table.lift(&format!("{file}8"));
    }
    table.moves("e4", "e2");
    for file in rows {
        table.put(&format!("{file}8"));
    }
    table.wait(600);
    assert_eq!(
        table.heard(),
        [
            "problem 7.2.1: the board was set up anew while the game goes on",
            "ear: Entferne die Figur von Eva zwei.",
            "boards differ",
        ]
    );
    table.lift("e2");
    table.wait(600);
    table.put("e4");
    table.wait(600);
    assert_eq!(
        table.heard(),
        [
            "ear: Setz den weißen Bauern auf Eva vier.",
            "ear: Die Bretter stimmen wieder überein.",
            "boards agree",
        ]
    );
}

#[test]
fn no_time_is_told_unasked_and_answers_are_for_one_ear() {
    let mut table = Table::new(config());
    table.start_clock();
    table.wait(60_000);
    assert_eq!(table.spoken(), [""; 0]);
    table.says(White, "meine Zeit");
    table.says(None, "Zeit des Gegners");
    table.says(White, "beide Zeiten");
    table.says(White, "wie viele Züge");
    table.says(White, "Züge bis zur Kontrolle");
    table.says(White, "wer ist am Zug");
    table.says(White, "letzter Zug");
    assert_eq!(
        table.heard(),
        [
            "ear: Du: eine Stunde neunundzwanzig Minuten.",
            "ear: Gegner: eine Stunde dreißig Minuten.",
            "ear: Du: eine Stunde neunundzwanzig Minuten. Gegner: eine Stunde dreißig Minuten.",
            "ear: Null Züge.",
            "ear: Noch vierzig Züge bis zur Zeitkontrolle.",
            "ear: Weiß am Zug.",
            "ear: Noch kein Zug.",
        ]
    );
    table.says(White, "wiederhole");
    table.says(White, "stopp");
    assert_eq!(table.heard(), ["ear: Noch kein Zug.", "hush"]);
    table.says(Black, "meine Zeit");
    assert_eq!(
        table.heard(),
        ["refused D.2.10.4: only the blind player is informed of times and moves"]
    );
    table.moves("g1", "f3");
    table.heard();
    table.says(None, "wiederhole");
    assert_eq!(table.heard(), ["ear: Springer Gustav eins Felix drei"]);
    // His own word presses his own clock.
    table.says(None, "fertig");
    assert_eq!(table.heard(), ["completed Nf3", "clock: Black"]);
}

#[test]
fn each_duty_is_off_by_itself() {
    let on = Duties::default();

    let mut table = Table::new(with(Duties { inform: false, ..on }));
    table.says(White, "beide Zeiten");
    assert_eq!(
        table.heard(),
        ["refused D.2.10.4: informing on time and moves is switched off in [duties] – \
             Auskünfte über Zeit und Züge sind ausgeschaltet."]
    );

    let mut table = Table::new(GameConfig {
        time_control: "3+2".to_owned(),
        ..with(Duties { claim: false, ..on })
    });
    table.start_clock();
    table.wait(600_000);
    assert_eq!(table.heard(), [""; 0]);
    assert!(table.game.ended().is_none());

    // The blind player's score holds only what was said aloud.
    let mut table = Table::new(with(Duties { keep_score: false, ..on }));
    table.moves("e2", "e4");
    table.sighted(Black, "e2e4");
    table.sighted(Black, "e7e5");
    table.moves("e7", "e5");
    table.says(White, "Springer Felix drei");
    table.moves("g1", "f3");
    let record = table.game.record().expect("a game");
    let score: Vec<_> =
        record.score(Color::White).iter().map(|e| (e.ply, e.san.as_str())).collect();
    assert_eq!(score, [(3, "Nf3")]);
    // The sighted player's what his board has shown so far.
    assert_eq!(record.score(Color::Black).len(), 2);

    let mut table = Table::new(with(Duties { announce: false, ..on }));
    table.moves("e2", "e4");
    assert_eq!(table.spoken(), [""; 0]);
}

#[test]
fn the_clock_is_started_once_and_goes_on_after_a_stop() {
    let mut table = Table::new(config());
    // Black starts White's clock (6.6).
    table.press(Black);
    assert_eq!(table.heard(), ["clock: White"]);
    table.input(Input::ClockStarted);
    assert_eq!(table.heard(), ["refused 6.6: the clock is running already"]);
    table.moves("g1", "f3");
    table.heard();
    // Three hours without current take no time, and the uncompleted move's clock goes on.
    table.now_ms += 3 * 3600 * 1000;
    table.input(Input::Resumed);
    table.input(Input::ClockStarted);
    assert_eq!(
        table.heard(),
        [
            "loud: Noch nicht ausgeführt: Springer Gustav eins Felix drei.",
            "clock: None",
            "problem 7.1: the service was stopped while a clock ran: the clocks stand as last written, known to 10 seconds",
            "loud: Die Uhren stehen. Sag: Uhr starten.",
            "clock: White",
        ]
    );
    table.says(White, "meine Zeit");
    assert_eq!(table.heard(), ["ear: Du: eine Stunde dreißig Minuten."]);
    table.press(White);
    assert_eq!(table.heard(), ["completed Nf3", "clock: Black"]);
}

#[test]
fn a_stopped_clock_goes_on_for_the_player_to_move_even_if_a_reply_came_meanwhile() {
    let mut table = Table::new(config());
    table.start_clock();
    table.moves("g1", "f3");
    table.sighted(Black, "g1f3");
    table.input(Input::Resumed);
    table.sighted(Black, "e7e5");
    table.press(Black);
    table.heard();
    table.input(Input::ClockStarted);
    table.input(Input::Woke);
    assert_eq!(table.heard(), ["refused 6.6: the clock is running already"]);
    table.input(Input::Resumed);
    table.input(Input::ClockStarted);
    assert_eq!(
        table.heard(),
        [
            "clock: None",
            "problem 7.1: the service was stopped while a clock ran: the clocks stand as last written, known to 10 seconds",
            "loud: Die Uhren stehen. Sag: Uhr starten.",
            "clock: White",
        ]
    );
}

#[test]
fn nothing_happens_before_the_start_and_it_starts_once() {
    let mut game = Game::new();
    let woken = game.handle(At::new(0), Input::Woke).expect_err("no game");
    assert_eq!(woken.to_string(), "6.6: no game has been started");
    assert_eq!(format!("{game:?}"), format!("{:?}", Game::new()));
    game.handle(At::new(0), started(config())).expect("a start");
    let before = format!("{game:?}");
    let again = game.handle(At::new(0), started(config())).expect_err("started");
    assert_eq!(again.to_string(), "6.6: this game has been started already");
    assert_eq!(format!("{game:?}"), before);
}

#[test]
fn a_game_that_cannot_be_played_is_not_started() {
    let refused = |config: GameConfig, packs: Vec<String>| {
        let build = String::new();
        let started = Started { config, packs, confusions: Default::default(), build, unix_s: 0 };
        let mut game = Game::new();
        let refused = game
            .handle(At::new(0), Input::Started(Box::new(started)))
            .expect_err("must be refused");
        assert!(game.record().is_none());
        refused.to_string()
    };
    let one = vec![packs().remove(0)];
    assert_eq!(refused(config(), one), "6.6: a game needs two language packs, not 1");
    assert_eq!(refused(config(), Vec::new()), "6.6: a game needs two language packs, not 0");
    let over = GameConfig { start: Some("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".to_owned()), ..config() };
    assert_eq!(refused(over, packs()), "6.6: the game is over in its starting position");
    let no_fen = GameConfig { start: Some("matt".to_owned()), ..config() };
    assert!(refused(no_fen, packs()).starts_with("6.6: 'matt' is not a FEN"));
    let no_control = GameConfig { time_control: "viel".to_owned(), ..config() };
    assert!(refused(no_control, packs()).starts_with("6.6: time control: "));
    let deaf = GameConfig { opponent_deaf: true, display: false, ..GameConfig::default() };
    assert_eq!(
        refused(deaf, packs()),
        "D.2.11: a deaf opponent reads what is said on a display: without the pages there is none"
    );
}

#[test]
fn a_refused_input_changes_nothing_but_the_time() {
    let refusals = [
        Input::Arbiter(Box::new(Ruling::new(ArbiterAct::DismissProposal { number: 1 }, "", ""))),
        Input::Arbiter(Box::new(Ruling::new(ArbiterAct::Signed { seat: White }, "", ""))),
        Input::Arbiter(Box::new(Ruling::new(ArbiterAct::PlayOn, "", ""))),
        Input::Sighted { seat: Black, uci: "e7e5".to_owned() },
        Input::Sighted { seat: White, uci: "e2e4".to_owned() },
        Input::Sighted { seat: Black, uci: "?".to_owned() },
        Input::Said { seat: Some(Black), heard: vec!["Bauer Eva vier".to_owned()] },
        Input::Said { seat: Some(Black), heard: vec!["Ich korrigiere".to_owned()] },
        Input::Said { seat: Some(Black), heard: vec!["meine Zeit".to_owned()] },
        Input::Said { seat: Some(Black), heard: vec!["Korrektur Bauer Eva vier".to_owned()] },
        Input::Edge { seat: Black, square: shakmaty::Square::E2, occupied: false, ago_ms: 0 },
        Input::Board { seat: Black, occupied: 0 },
        Input::ClockStarted,
    ];
    for input in refusals {
        let mut table = Table::new(config());
        table.start_clock();
        table.input(Input::Woke);
        let before = format!("{:?}", table.game);
        table.input(input.clone());
        let heard = table.heard();
        if matches!(input, Input::Sighted { seat: Black, .. }) && heard.is_empty() {
            panic!("{input:?} was not refused");
        }
        assert!(heard.iter().any(|line| line.starts_with("refused ")), "{input:?}: {heard:?}");
        assert_eq!(format!("{:?}", table.game), before, "{input:?}");
    }
}

#[test]
fn the_clock_reading_is_on_both_sides_of_every_completed_move() {
    let mut table = Table::new(GameConfig { time_control: "3+2".to_owned(), ..config() });
    table.start_clock();
    table.moves("e2", "e4");
    table.press(White);
    let ply = &table.game.record().expect("a game").line[0];
    assert_eq!(ply.clock_ms, Some((182_000 - 1_100 + 2_000, 182_000)));
    let running = |table: &Table| {
        let outputs = table.results.iter().flatten().flatten();
        outputs
            .filter_map(|output| match output {
                annabella_core::game::Output::Clock { running, .. } => Some(*running),
                _ => None,
            })
            .next_back()
    };
    assert_eq!(running(&table), Some(Running::Black));
}
