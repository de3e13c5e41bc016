//! What is asked of each person now: whatever needs somebody is said for him, and since when.

use annabella_core::{
    game::{
        ArbiterAct, Asked, BoardSeen, Boards, Call, Caller, ClockBasis, GameConfig, IllegalMove,
        Input, MovedPiece, Output, PageAct, PageEntry, PageRole, Penalty, Person, Sees, Settle,
        SettledClocks, Stage, Task,
    },
    laws::Article,
};
use annabella_words::phrase::Note;
use shakmaty::{Color, Position, Square};

use super::table::{Table, speaking};

fn of(table: &Table, person: Person) -> Vec<Task> {
    table.game.asked(person).into_iter().map(|asked| asked.task).collect()
}

/// What is wrong with what is asked at this table; everything that needs a person is read from the
/// record and the boards.
pub(crate) fn left_in_the_dark(table: &Table) -> Result<(), String> {
    let game = &table.game;
    let record = game.record().expect("a game");
    let [arbiter, assistant, opponent] = Person::ALL.map(|person| of(table, person));
    let need = |truth: bool, what: String| if truth { Ok(()) } else { Err(what) };
    let now = table.inputs.last().expect("an input").0;
    for person in Person::ALL {
        let asked = game.asked(person);
        need(!asked.is_empty(), format!("{person:?} is told nothing"))?;
        let early = asked.iter().all(|Asked { since, .. }| *since <= now);
        need(early, format!("{person:?}: {asked:?} after {now:?}"))?;
        let idle = |task: &Task| matches!(task, Task::Watch(_) | Task::NotBegun);
        let alone = asked.len() == 1 || !asked.iter().any(|asked| idle(&asked.task));
        need(alone, format!("{person:?} has nothing to do, and has: {asked:?}"))?;
    }
    let called = |task: &Task| matches!(task, Task::Called(_));
    need(
        game.call().is_none() || called(&arbiter[0]),
        format!("the arbiter is called, and reads {arbiter:?}"),
    )?;
    if record.is_over() {
        let over = |tasks: &[Task]| tasks.iter().all(|task| *task == Task::Over || called(task));
        let all = [&arbiter, &assistant, &opponent].into_iter().all(|tasks| over(tasks));
        return need(all, format!("over: {arbiter:?} {assistant:?} {opponent:?}"));
    }
    for open in record.proposals.iter().filter(|proposal| proposal.is_open()) {
        let about = |task: &&Task| match task {
            Task::Illegal { proposal, .. }
            | Task::Flag { proposal, .. }
            | Task::WrongClaim { proposal, .. }
            | Task::Decide { proposal, .. } => *proposal == open.number,
            _ => false,
        };
        let times = arbiter.iter().filter(about).count();
        need(times == 1, format!("proposal {} is asked {times} times", open.number))?;
    }
    let boards =
        |task: &Task| matches!(task, Task::BoardsDiffer | Task::PutBack(_) | Task::Correct(_));
    if game.boards() == Some(Boards::Differ) {
        need(arbiter.iter().any(boards), format!("the boards differ: {arbiter:?}"))?;
    }
    let adjourning = record.adjournment().is_some_and(|adjourned| adjourned.stage != Stage::Over);
    let stands = record.halted() && !adjourning;
    need(
        !stands || arbiter.contains(&Task::ClocksStand),
        format!("the clocks stand: {arbiter:?}"),
    )?;
    for seat in Color::ALL {
        let corrected = game.is_corrected(seat);
        let told = arbiter.contains(&Task::Correct(seat));
        need(corrected == told, format!("{seat} is corrected: {arbiter:?}"))?;
        if record.config.blind.is(seat) {
            continue;
        }
        let both = |task: &Task| assistant.contains(task) && opponent.contains(task);
        let told = format!("{seat}: {assistant:?} {opponent:?}");
        need(!corrected || both(&Task::Correct(seat)), format!("to correct, {told}"))?;
        let offered = record.offered() == Some(!seat);
        need(offered == both(&Task::AnswerDraw(seat)), format!("offered, {told}"))?;
        let begun = record.clock_started() || !record.line.is_empty();
        // Nobody plays while the clocks stand.
        let stand = both(&Task::ClocksStand);
        let moves = record.position.turn() == seat && begun && !adjourning && !stand;
        need(!moves || both(&Task::Move(seat)), format!("to move, {told}"))?;
        let shown = game.shown(seat).expect("a game");
        // Of a board that is lost nobody can say when it is done: the arbiter hears of it.
        let lost = arbiter.contains(&Task::BoardLost(seat));
        let wrong = lost || game.boards() == Some(Boards::Differ) || corrected;
        let owed = shown.owed.is_some() && shown.sees == Sees::Reports && !wrong;
        let executes = |tasks: &[Task]| {
            tasks.iter().any(|task| matches!(task, Task::Execute { seat: of, .. } if *of == seat))
        };
        need(!owed || (executes(&assistant) && executes(&opponent)), format!("owed, {told}"))?;
    }
    Ok(())
}

/// What the last input came to: a call stands from the word on until somebody has answered it.
pub(crate) fn calls_are_kept(table: &Table) -> Result<(), String> {
    let (Some((_, input)), Some(result)) = (table.inputs.last(), table.results.last()) else {
        return Ok(());
    };
    let Ok(outputs) = result else { return Ok(()) };
    let calls = |output: &Output| match output {
        Output::Problem { article: Article::D_2_10_5, text, .. } => {
            text.to_string().contains("calls")
        }
        Output::Problem { article: Article::A6_11_2, .. } => true,
        _ => false,
    };
    let over = outputs.iter().any(|output| matches!(output, Output::Result { .. }));
    if outputs.iter().any(calls) && !over && table.game.call().is_none() {
        return Err(format!("{input:?} called, and no call stands"));
    }
    if matches!(input, Input::Arbiter(_)) && table.game.call().is_some() {
        return Err("he has decided, and the call stands".to_owned());
    }
    Ok(())
}

fn arbiter_first(table: &Table) -> Asked {
    table.game.asked(Person::Arbiter).remove(0)
}

#[test]
fn a_players_call_stands_first_until_the_arbiter_has_answered() {
    let mut table = Table::speaking();
    table.wait(5_000);
    let called_at = table.now_ms + 100;
    table.says(Color::White, "Schiedsrichter rufen");
    let call = Call {
        by: Caller::Player(Color::White),
        reason: String::new(),
        at: annabella_core::game::At::new(called_at),
    };
    assert_eq!(arbiter_first(&table).task, Task::Called(call));
    assert_eq!(arbiter_first(&table).since.ms, called_at);
    assert!(of(&table, Person::Arbiter).contains(&Task::ClocksStand));
    // A second call waits no longer than the first.
    table.wait(40_000);
    table.says(Color::White, "Schiedsrichter rufen");
    assert_eq!(arbiter_first(&table).since.ms, called_at);
    table.rules(ArbiterAct::Note { text: Note::Words("here".to_owned()) });
    assert_eq!(of(&table, Person::Arbiter), [Task::ClocksStand]);
    table.rules(ArbiterAct::StartClocks { side: None });
    assert_eq!(of(&table, Person::Arbiter), [Task::Watch(Color::White)]);
}

#[test]
fn the_assistants_call_outlasts_moves_with_his_words() {
    let mut table = Table::speaking();
    let act = PageAct::CallArbiter { reason: "noise".to_owned() };
    let entry = PageEntry { act, role: PageRole::Assistant, by: String::new() };
    table.input(Input::Page(Box::new(entry)));
    table.says(Color::White, "Bauer Eva zwei Eva vier");
    table.moves("e2", "e4");
    table.press(Color::White);
    let Task::Called(call) = arbiter_first(&table).task else { panic!("no call") };
    assert_eq!((call.by, call.reason.as_str()), (Caller::Assistant, "noise"));
}

#[test]
fn an_illegal_move_stands_with_its_piece_and_way_and_nothing_is_to_be_settled() {
    let mut table = Table::speaking();
    let mut board = table.position().board().clone();
    table.says(Color::White, "Bauer Eva zwei Eva vier");
    table.moves("e2", "e4");
    table.press(Color::White);
    let pawn = board.piece_at(Square::E2);
    table.puts(Color::Black, &mut board, &[(Square::E2, None), (Square::E4, pawn)]);
    let rook = board.piece_at(Square::A8);
    table.puts(Color::Black, &mut board, &[(Square::A8, None), (Square::A5, rook)]);
    table.press(Color::Black);
    table.wait(20_000);
    let moved = MovedPiece { piece: 'r', from: Square::A8, to: Square::A5 };
    let illegal = IllegalMove {
        article: Article::A7_5_1,
        number: 1,
        moved: Some(moved),
        beside: None,
        reported: None,
    };
    let task = Task::Illegal { seat: Color::Black, illegal, proposal: 1 };
    assert_eq!(of(&table, Person::Arbiter), [task, Task::PutBack(Color::Black)]);
    assert_eq!(of(&table, Person::Opponent)[0], Task::PutBack(Color::Black));
    assert_eq!(table.game.shows_illegal_move(), Some(Color::Black));
    // Confirmed, and not put back yet.
    table.rules(ArbiterAct::ConfirmProposal { number: 1, choice: None });
    assert_eq!(of(&table, Person::Arbiter), [Task::PutBack(Color::Black)]);
    table.puts(Color::Black, &mut board, &[(Square::A5, None), (Square::A8, rook)]);
    table.wait(5_000);
    assert_eq!(of(&table, Person::Arbiter), [Task::Watch(Color::Black)]);
    assert_eq!(table.game.shows_illegal_move(), None);
}

#[test]
fn a_board_or_a_clock_that_is_lost_is_asked_about_until_it_is_back() {
    use annabella_core::game::ClockNews;
    let mut table = Table::new(GameConfig { external_clock: true, ..speaking() });
    table.start_clock();
    table.input(Input::Clock(ClockNews::Back));
    table.wait(1_000);
    table.input(Input::Clock(ClockNews::Lost));
    let lost_at = table.now_ms;
    let why = "unplugged".to_owned();
    table.wait(2_000);
    table.seen(Color::Black, BoardSeen::Lost { why });
    assert_eq!(of(&table, Person::Arbiter), [Task::ClockLost, Task::BoardLost(Color::Black)]);
    assert_eq!(arbiter_first(&table).since.ms, lost_at);
    table.input(Input::Clock(ClockNews::Back));
    table.seen(Color::Black, BoardSeen::Back);
    assert_eq!(of(&table, Person::Arbiter), [Task::Watch(Color::White)]);
}

#[test]
fn a_wrong_claim_and_an_offer_are_asked_about_each_of_the_right_person() {
    let mut table = Table::speaking();
    table.says(Color::White, "Stellungswiederholung");
    table.says(Color::White, "ja");
    let asked = of(&table, Person::Arbiter);
    assert_eq!(asked[0], Task::WrongClaim { seat: Color::White, proposal: 1 });
    // The claim counts as an offer (9.1.2.3).
    for person in [Person::Assistant, Person::Opponent] {
        assert_eq!(of(&table, person)[0], Task::AnswerDraw(Color::Black), "{person:?}");
    }
}

#[test]
fn a_penalty_of_time_is_taken_back_once_and_its_proposal_waits_again() {
    let mut table = Table::speaking();
    table.rules(ArbiterAct::IllegalMove { seat: Color::Black, article: Article::A7_5_4 });
    table.rules(ArbiterAct::StopClocks);
    let before = table.clock();
    table.rules(ArbiterAct::ConfirmProposal { number: 1, choice: None });
    assert_eq!(table.clock().0, before.0 + 120_000);
    let ruling =
        u32::try_from(table.game.record().expect("a game").rulings.len() - 1).expect("few");
    table.heard();
    table.rules(ArbiterAct::TakeBack { ruling });
    assert_eq!(table.clock(), before);
    assert_eq!(table.spoken(), ["loud: Strafe zurückgenommen. Weiß: zwei Minuten weniger."]);
    let record = table.game.record().expect("a game");
    assert!(record.proposals[0].is_open());
    let done = record.rulings.last().expect("a ruling").done.clone();
    assert_eq!(done, Some(ArbiterAct::SetClock { seat: Color::White, ms: before.0, moves: None }));
    table.heard();
    table.rules(ArbiterAct::TakeBack { ruling });
    assert_eq!(table.clock(), before);
    assert!(table.heard()[0].starts_with("refused 12.9: "), "twice");
    // One that was imposed by hand, and that another clock lost.
    table.rules(ArbiterAct::Penalty {
        seat: Color::White,
        penalty: Penalty::TimeOff { ms: 60_000 },
    });
    assert_eq!(table.clock().0, before.0 - 60_000);
    table.heard();
    table.rules(ArbiterAct::TakeBack { ruling: ruling + 2 });
    assert_eq!(table.clock(), before);
    assert_eq!(table.spoken(), ["loud: Strafe zurückgenommen. Weiß: eine Minute mehr."]);
    for other in [0, 99] {
        table.heard();
        table.rules(ArbiterAct::TakeBack { ruling: other });
        assert!(table.heard()[0].starts_with("refused 12.9: "), "{other}");
    }
}

#[test]
fn a_penalty_is_not_taken_back_from_a_time_that_was_set_since_12_9() {
    let typed = SettledClocks { white_ms: 90_000, black_ms: 90_000, basis: ClockBasis::Typed };
    for set in [
        ArbiterAct::SetClock { seat: Color::White, ms: 90_000, moves: None },
        ArbiterAct::Settle(Box::new(Settle { ply: 0, score: None, clocks: Some(typed) })),
    ] {
        let mut table = Table::speaking();
        table.rules(ArbiterAct::StopClocks);
        let penalty = Penalty::TimeToOpponent { ms: 120_000 };
        table.rules(ArbiterAct::Penalty { seat: Color::Black, penalty });
        table.rules_because(set, "as it should be");
        table.heard();
        table.rules(ArbiterAct::TakeBack { ruling: 1 });
        assert!(table.heard()[0].starts_with("refused 12.9: "));
        assert_eq!(table.clock().0, 90_000);
    }
    // The opponent's clock was set: his own time is what it was.
    let mut table = Table::speaking();
    table.rules(ArbiterAct::StopClocks);
    let before = table.clock().0;
    let penalty = Penalty::TimeToOpponent { ms: 120_000 };
    table.rules(ArbiterAct::Penalty { seat: Color::Black, penalty });
    table.rules(ArbiterAct::SetClock { seat: Color::Black, ms: 90_000, moves: None });
    table.rules(ArbiterAct::TakeBack { ruling: 1 });
    assert_eq!(table.clock().0, before);
}

/// Black's c5, then c6 before any press.
fn entered_anew(act: impl Fn(String) -> PageAct) -> Table {
    let mut table = Table::new(GameConfig { sighted_board: true, ..GameConfig::default() });
    table.start_clock();
    table.moves("e2", "e4");
    table.press(Color::White);
    table.sighted(Color::Black, "e2e4");
    table.sighted(Color::Black, "c7c5");
    table.heard();
    let entry =
        PageEntry { act: act("c7c6".to_owned()), role: PageRole::Assistant, by: String::new() };
    table.input(Input::Page(Box::new(entry)));
    assert_eq!(table.game.record().expect("a game").line[1].san, "c6");
    table
}

#[test]
fn a_move_that_was_typed_wrongly_is_corrected_aloud_and_reported_to_nobody() {
    let seat = Color::Black;
    let mut typed = entered_anew(|uci| PageAct::Mistyped { seat, uci });
    let heard = typed.heard();
    assert!(heard.iter().any(|line| line.contains("Korrektur")), "{heard:#?}");
    assert!(!heard.iter().any(|line| line.contains("4.7")), "{heard:#?}");
    assert!(typed.game.record().expect("a game").proposals.is_empty());
    // What was entered first stays in the record, struck.
    let record = typed.game.record().expect("a game");
    let struck = record.struck(Color::White).iter().chain(record.struck(Color::Black)).count();
    assert!(struck > 0, "nothing is lost");
    let mut moved = entered_anew(|uci| PageAct::Executed { seat, uci });
    let heard = moved.heard();
    assert!(heard.iter().any(|line| line.starts_with("problem 4.7")), "{heard:#?}");
    let [proposal] = moved.game.record().expect("a game").proposals else { panic!("one") };
    assert_eq!(proposal.article, Article::A4_7);
}

#[test]
fn nobody_types_a_move_anew_that_was_not_entered() {
    let mut table = Table::speaking();
    table.heard();
    let act = PageAct::Mistyped { seat: Color::Black, uci: "c7c5".to_owned() };
    let entry = PageEntry { act, role: PageRole::Assistant, by: String::new() };
    table.input(Input::Page(Box::new(entry)));
    assert!(table.heard()[0].starts_with("refused"), "no move of Black's waits");
}

#[test]
fn a_call_is_seen_by_whoever_called_too() {
    let mut table = Table::speaking();
    table.input(Input::ArbiterPage { open: true });
    table.script("b\"Schiedsrichter rufen\" b\"ja\"");
    let called = |task: &Task| matches!(task, Task::Called(_));
    for person in Person::ALL {
        assert!(called(&of(&table, person)[0]), "{person:?}: {:?}", of(&table, person));
    }
}

#[test]
fn a_lost_board_is_told_to_everybody_who_may_look_for_its_cable() {
    let mut table = Table::new(GameConfig { sighted_board: true, ..GameConfig::default() });
    table.start_clock();
    table.seen(Color::Black, BoardSeen::Lost { why: "gone".into() });
    for person in Person::ALL {
        assert!(of(&table, person).contains(&Task::BoardLost(Color::Black)), "{person:?}");
    }
}

#[test]
fn since_when_is_counted_from_the_start_of_the_clock() {
    let mut table = Table::new(GameConfig { sighted_board: true, ..GameConfig::default() });
    table.wait(20_000);
    table.start_clock();
    let started = table.now_ms;
    table.wait(1_000);
    let asked = table.game.asked(Person::Assistant);
    assert_eq!((&asked[0].task, asked[0].since.ms), (&Task::Watch(Color::White), started));
}
