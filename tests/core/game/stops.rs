//! The service is stopped, as by a power cut, and goes on: what the players hear, and what stood
//! open.

use annabella_core::game::{
    ArbiterAct, Boards, ClockNews, ClockRead, Duties, GameConfig, Input, Person, Ruling, Running,
    Task,
};
use shakmaty::Color::{Black, White};

use super::{
    script::{has, lacks, wooden},
    table::Table,
};

const STAND: &str = "loud: Die Uhren stehen. Sag: Uhr starten.";

fn playing() -> Table {
    let mut table = Table::new(GameConfig { sighted_board: true, ..GameConfig::default() });
    table.start_clock();
    table.moves("e2", "e4");
    table.press(White);
    table.heard();
    table
}

fn resumes(table: &mut Table) -> Vec<String> {
    table.heard();
    // The journal's time stands while the machine does.
    table.now_ms += 1;
    table.input(Input::Resumed);
    table.spoken()
}

#[test]
fn f22_both_players_hear_that_the_clocks_stand_and_how_to_start_them() {
    let mut table = playing();
    assert_eq!(resumes(&mut table), [STAND]);
    // They stand after the next power cut too.
    assert_eq!(resumes(&mut table), [STAND]);
    table.says(White, "uhr starten");
    assert_eq!(table.heard(), ["clock: Black", "ear: Die Uhr läuft."]);
    assert_eq!(resumes(&mut table), [STAND]);
}

/// As the steps of a decision are (D.2.9).
#[test]
fn what_is_to_be_put_back_after_an_illegal_move_is_said_again_7_5_1() {
    let mut table = Table::after(wooden(), "g1- g3+ ~700 w! ~400");
    has(&table.spoken(), "Entferne die Figur von Gustav drei.");
    assert_eq!(resumes(&mut table), [STAND]);
    let start = shakmaty::Board::new().occupied();
    let mut stands = start;
    stands.discard(shakmaty::Square::G1);
    stands.add(shakmaty::Square::G3);
    table.input(Input::Board { seat: White, occupied: stands.into() });
    assert_eq!(table.spoken(), ["ear: Entferne die Figur von Gustav drei."]);
    // Put back meanwhile.
    resumes(&mut table);
    table.input(Input::Board { seat: White, occupied: start.into() });
    table.wait(600);
    assert_eq!(table.spoken(), ["ear: Brett stimmt."]);
}

#[test]
fn f22_nothing_is_said_of_clocks_that_nobody_started() {
    let mut table = Table::new(GameConfig::default());
    assert_eq!(resumes(&mut table), [""; 0]);
    table.moves("e2", "e4");
    assert_eq!(resumes(&mut table), [""; 0]);
}

#[test]
fn f22_where_the_arbiter_stopped_them_he_decides() {
    let mut table = playing();
    table.input(Input::Arbiter(Box::new(Ruling::new(ArbiterAct::StopClocks, "A. Weber", ""))));
    assert_eq!(resumes(&mut table), ["loud: Die Uhr steht. Der Schiedsrichter entscheidet."]);
}

#[test]
fn f22_a_clock_of_its_own_that_runs_on_is_not_said_to_stand() {
    let external = || {
        let config =
            GameConfig { external_clock: true, sighted_board: true, ..GameConfig::default() };
        let mut table = Table::new(config);
        table.start_clock();
        table.moves("e2", "e4");
        table.press(White);
        table.sighted(Black, "e2e4");
        table.heard();
        assert_eq!(resumes(&mut table), [""; 0]);
        table
    };
    let mut table = external();
    let read = ClockRead {
        white_ms: (5_000_000, 5_001_000),
        black_ms: (5_000_000, 5_001_000),
        running: Running::Black,
        fallen: None,
    };
    table.input(Input::Clock(ClockNews::Read(read)));
    table.wait(20_000);
    assert_eq!(table.spoken(), [""; 0]);
    // One that stands, or is gone, is.
    let mut table = external();
    table.wait(20_000);
    assert_eq!(table.spoken(), [STAND]);
}

#[test]
fn f22_a_game_that_is_over_says_so() {
    let mut table = playing();
    table.says(White, "ich gebe auf");
    table.says(White, "ja");
    assert_eq!(
        resumes(&mut table),
        ["ear: Die letzte Partie ist zu Ende.", "ear: Schwarz gewinnt."]
    );
}

#[test]
fn f21_a_question_that_stood_at_a_power_cut_is_asked_again() {
    let mut table = playing();
    table.says(White, "ich gebe auf");
    assert_eq!(table.heard(), ["ear: Wirklich aufgeben?"]);
    assert_eq!(resumes(&mut table), [STAND, "ear: Wirklich aufgeben?"]);
    table.says(White, "nein");
    assert_eq!(table.heard(), ["ear: Gut, dann nicht."]);
    table.says(White, "ja");
    assert!(table.game.ended().is_none());
}

#[test]
fn f21_it_waits_as_long_as_if_it_had_just_been_asked() {
    let mut table = playing();
    table.says(White, "ich gebe auf");
    table.wait(19_000);
    assert_eq!(resumes(&mut table), [STAND, "ear: Wirklich aufgeben?"]);
    table.wait(15_000);
    table.says(White, "ja");
    assert!(table.game.ended().is_some());
}

#[test]
fn f21_which_piece_and_which_move_are_asked_again() {
    let duties = Duties { announce: false, ..Duties::default() };
    let config = |fen: &str| GameConfig {
        sighted_board: true,
        duties,
        start: Some(fen.to_owned()),
        ..GameConfig::default()
    };
    // Said: a pawn that becomes something.
    let pawn = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1";
    let mut table = Table::new(config(pawn));
    table.start_clock();
    table.says(White, "anna acht");
    assert_eq!(table.heard(), ["ear: Welche Figur?"]);
    assert_eq!(resumes(&mut table), [STAND, "ear: Welche Figur?"]);
    table.says(White, "dame");
    assert_eq!(table.heard(), ["announced a8=Q"]);
    // Shown: the same on the pegs, where she announces.
    let config =
        GameConfig { start: Some(pawn.to_owned()), sighted_board: true, ..GameConfig::default() };
    let mut table = Table::new(config);
    table.start_clock();
    table.moves("a7", "a8");
    assert_eq!(table.heard(), ["ear: Welche Figur?"]);
    assert_eq!(resumes(&mut table), [STAND, "ear: Welche Figur?"]);
    // What nobody was asked is not asked.
    table.says(White, "dame");
    table.heard();
    table.press(White);
    assert_eq!(resumes(&mut table), [STAND]);
    table.sighted(Black, "a7a8q");
    assert_eq!(resumes(&mut table), [STAND]);
}

#[test]
fn a_board_that_was_taken_over_plays_no_more_unless_the_arbiter_lets_it() {
    let mut table =
        Table::after(wooden(), "e2- e4+ ~700 w! b\"Bauer Eva sieben Eva fünf\" b! e7- e5+ ~700");
    table.input(Input::TakenOver);
    let taken = "Dieses Brett wurde übernommen.";
    has(&table.heard(), taken);
    for word in
        ["w\"Uhr starten\"", "w\"ich gebe auf\"", "b\"Remis anbieten\"", "\"Springer Felix drei\""]
    {
        table.script(word);
        has(&table.heard(), taken);
    }
    table.script("w\"ja\" g1- f3+ ~2000 w!");
    assert_eq!((table.result(), table.sans().len(), table.clock().2), (None, 2, Running::None));
    table.input(Input::Resumed);
    lacks(&table.heard(), "Uhr starten");
    // It was a mistake: the arbiter lets the game go on here.
    table.script("f3- g1+ ~900");
    table.rules(ArbiterAct::StartClocks { side: None });
    table.script("g1- f3+ ~700 w!");
    assert_eq!((table.sans().len(), table.completed()), (3, 3), "{:#?}", table.heard());
}

#[test]
fn boards_that_the_arbiter_lets_play_on_are_compared_d_2_9() {
    let differ = |table: &Table| {
        let asked = table.game.asked(Person::Arbiter);
        let task = asked.iter().any(|asked| matches!(asked.task, Task::BoardsDiffer));
        (task, table.game.boards() == Some(Boards::Differ))
    };
    let mut table = Table::after(wooden(), "e2- e4+ ~900 w! \"Bretter vergleichen\"");
    assert_eq!(differ(&table), (true, true));
    // A word of the players decides nothing.
    table.script("\"Uhr starten\"");
    assert_eq!(differ(&table), (true, true));
    table.heard();
    table.rules(ArbiterAct::StartClocks { side: None });
    assert_eq!(differ(&table), (false, false));
    assert_eq!(table.clock().2, Running::Black);
    // Whoever asks again is heard again.
    table.script("\"Bretter vergleichen\"");
    assert_eq!(differ(&table), (true, true));
}
