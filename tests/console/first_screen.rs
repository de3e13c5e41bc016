//! What stands first on a page is what its reader has to do, and nothing beside it says otherwise.

use annabella_core::game::{
    Adjourn, ArbiterAct, Duties, GameConfig, Input, Ruling, Running, Through,
};
use shakmaty::{Color, Square};

use crate::{
    hall::{Hall, two_boards},
    pages::{SIX, hidden},
};

/// What is asked on this page: the part of this name alone.
fn asked(page: &str) -> &str {
    let from = page.find("id=\"asked\"").expect("what is asked");
    page[from..].split("</section>").next().expect("its end")
}

fn rules(hall: &Hall, act: ArbiterAct) {
    let (by, reason) = ("A. Weber".to_owned(), String::new());
    let ruling = Ruling { act, by, reason, knows: None, ruled: None, through: Through::Page };
    hall.play().input(Input::Arbiter(Box::new(ruling))).expect("a ruling");
}

#[test]
fn both_scores_agree_and_the_boards_show_something_else_d_2_9() {
    let duties = Duties { keep_score: false, ..Duties::default() };
    let hall = Hall::of(GameConfig { duties, ..two_boards() }, |_| {});
    hall.play().moves(&["e4", "e5", "Nc3"]);
    let mut assistant = hall.as_("assistant");
    for seat in ["white", "black"] {
        let text = "1. e4 e5 2. Sf3";
        let page = assistant.acts(&[("act", "score"), ("seat", seat), ("text", text)]);
        assert!(page.has("Done."), "{}", page.body);
    }
    let page = hall.as_("arbiter").get("/arbiter").body;
    assert!(asked(&page).contains("Both players correct their boards."), "{}", asked(&page));
    assert!(page.contains("id=\"settle\""), "{page}");
}

#[test]
fn the_times_and_the_entries_that_a_decision_is_about_stand_beside_its_button() {
    let hall = Hall::new();
    hall.play().moves(&SIX);
    let text = "1. e4 e5 2. Sf3 Sc6 3. Lc4 a6";
    hall.as_("assistant").acts(&[("act", "score"), ("seat", "black"), ("text", text)]);
    let page = hall.as_("arbiter").get("/arbiter").body;
    let next = page.split("id=\"next\"").nth(1).expect("the decision");
    let open = next.split("<details").next().expect("what is not folded");
    for told in ["Bb5", "Lc4", "id=\"proposed-clocks\"", "1:31:"] {
        assert!(open.contains(told), "{told}: {open}");
    }
    // The boards are as the game is.
    assert!(!page.contains("<td class=\"light missing"), "{page}");
}

#[test]
fn what_is_decided_is_not_asked_again_and_who_waits_is_told_for_whom() {
    let hall = Hall::new();
    hall.play().moves(&SIX[..5]);
    hall.play().peg(Square::A2, false);
    hall.play().peg(Square::A5, true);
    hall.play().wait(30_000);
    let (mut arbiter, mut display) = (hall.as_("arbiter"), hall.as_("display"));
    let mark = hidden(&arbiter.get("/arbiter").body, "mark");
    let settled = arbiter.acts(&[("act", "settle"), ("mark", &mark)]);
    assert!(!settled.has("id=\"settle\""), "{}", settled.body);
    assert!(!asked(&settled.body).contains("differ"), "{}", asked(&settled.body));
    let page = display.get("/display").body;
    assert!(asked(&page).contains("White corrects the board."), "{}", asked(&page));
    assert!(!asked(&page).contains("The boards differ"), "{}", asked(&page));
}

#[test]
fn a_move_that_is_sealed_has_no_field_and_no_button_of_a_played_one() {
    let hall = Hall::new();
    hall.play().moves(&SIX[..5]);
    let mut assistant = hall.as_("assistant");
    assert!(assistant.get("/assistant").has("id=\"enter-move\""));
    let step =
        Adjourn::Invited { arbiter: "A. Weber".to_owned(), session_left_ms: None, reply: false };
    hall.play().input(Input::Adjourn(Box::new(step))).expect("a step");
    let page = assistant.get("/assistant");
    assert!(!page.has("id=\"enter-move\"") && !page.has("id=\"press\""), "{}", page.body);
    assert!(asked(&page.body).contains("Black is sealing a move."), "{}", asked(&page.body));
}

#[test]
fn before_an_illegal_move_is_decided_no_button_lets_the_game_go_on() {
    let hall = Hall::new();
    hall.play().moves(&SIX[..4]);
    let mut arbiter = hall.as_("arbiter");
    hall.play().input(Input::ArbiterPage { open: true }).expect("a page");
    let article = annabella_core::laws::Article::A7_5_1;
    rules(&hall, ArbiterAct::StopClocks);
    rules(&hall, ArbiterAct::IllegalMove { seat: Color::White, article });
    let page = arbiter.get("/arbiter");
    assert!(page.has("value=\"confirm\"") && !page.has("id=\"go-on\""), "{}", page.body);
    let told = asked(&page.body);
    assert!(!told.contains("when you say so"), "{told}");
    let told = arbiter.acts(&[("act", "start-clocks")]);
    assert!(told.has("decide first what is open"), "{}", told.body);
    arbiter.acts(&[("act", "confirm"), ("number", "1"), ("choice", "0")]);
    assert!(arbiter.get("/arbiter").has("id=\"go-on\""));
}

#[test]
fn clocks_that_stand_for_whatever_reason_have_the_button_that_starts_them_6_6() {
    let hall = Hall::new();
    let mut arbiter = hall.as_("arbiter");
    let running = || hall.play().game.record().expect("a game").clock.2;
    let starts = |arbiter: &mut crate::hall::Browser, text: &str| {
        let page = arbiter.get("/arbiter");
        let button = page.body.split("id=\"go-on\"").nth(1).expect("the button");
        assert!(button.split("</button>").next().is_some_and(|told| told.contains(text)));
        assert!(!page.has("id=\"stop\""), "standing clocks are not stopped: {}", page.body);
        let page = arbiter.acts(&[("act", "start-clocks")]);
        assert!(page.has("Done.") && page.has("id=\"stop\""), "{}", page.body);
    };
    hall.play().begin_anew_standing(two_boards());
    starts(&mut arbiter, "Start the clock");
    assert_eq!(running(), Running::White);
    // After a restart.
    hall.play().moves(&SIX[..3]);
    hall.play().input(Input::Resumed).expect("resumed");
    assert_eq!(running(), Running::None);
    starts(&mut arbiter, "The game goes on");
    assert_eq!(running(), Running::Black);
}

#[test]
fn the_bar_calls_the_arbiter_at_once_and_why_may_follow_d_2_10_5() {
    let hall = Hall::new();
    let (mut assistant, mut arbiter) = (hall.as_("assistant"), hall.as_("arbiter"));
    let page = assistant.get("/assistant").body;
    let bar = page.split("id=\"clocks\"").nth(1).and_then(|rest| rest.split("</section>").next());
    assert!(bar.is_some_and(|bar| bar.contains("id=\"call-now\"")), "{bar:?}");
    let page = assistant.acts(&[("act", "call")]);
    assert!(page.has("Done.") && asked(&page.body).contains("The arbiter is called."));
    assert!(!arbiter.get("/arbiter").has("<q>"));
    assistant.acts(&[("act", "call"), ("reason", "noise")]);
    assert!(arbiter.get("/arbiter").has("<q>noise</q>"), "{}", arbiter.get("/arbiter").body);
}

#[test]
fn a_move_that_ends_the_game_is_asked_about_before_it_counts_5_1_1() {
    let hall = Hall::new();
    hall.play().moves(&["f3", "e5"]);
    hall.play().white("g4");
    let mut assistant = hall.as_("assistant");
    let game = hidden(&assistant.get("/assistant").body, "game");
    let game = ("game", game.as_str());
    let mate = [game, ("act", "move"), ("plies", "3"), ("move", "Qh4")];
    let told = assistant.post("/act", &mate);
    assert_eq!(told.header("location"), Some("/assistant?ends=d8h4"));
    assert_eq!(hall.play().result(), None);
    let page = assistant.get("/assistant?ends=d8h4");
    assert!(asked(&page.body).contains("Qh4# ends the game. Did Black play it?"), "{}", page.body);
    let squares = [game, ("act", "move"), ("plies", "3"), ("from", "d8"), ("to", "h4")];
    assert_eq!(assistant.post("/act", &squares).header("location"), Some("/assistant?ends=d8h4"));
    let page = assistant.acts(&[&squares[..], &[("ends", "d8h4")]].concat());
    assert_eq!(hall.play().result().as_deref(), Some("0-1"));
    assert!(page.has("Was a move mistyped?"), "{}", page.body);
    // The arbiter's way back is not folded.
    let page = hall.as_("arbiter").get("/arbiter").body;
    let halt = page.split("id=\"halt\"").nth(1).and_then(|rest| rest.split("</section>").next());
    let halt = halt.expect("a part");
    assert!(halt.contains("id=\"play-on\"") && !halt.contains("<details"), "{halt}");
}

#[test]
fn whoever_may_have_mistyped_reads_what_is_entered_and_by_whom() {
    let hall = Hall::new();
    hall.play().white("e4");
    hall.as_("assistant").acts(&[("act", "move"), ("plies", "1"), ("move", "e5")]);
    let page = hall.as_("assistant").get("/assistant?slip=c7c5");
    assert!(asked(&page.body).contains("Entered is 1... e5 (A. Weber)."), "{}", page.body);
}

#[test]
fn an_offer_is_answered_beside_the_question() {
    let hall = Hall::new();
    hall.play().moves(&SIX[..5]);
    for words in ["Remis anbieten", "ja"] {
        let said = Input::Said { seat: Some(Color::White), heard: vec![words.to_owned()] };
        hall.play().input(said).expect("understood");
    }
    let page = hall.as_("assistant").get("/assistant").body;
    let (answer, board) = (page.find("id=\"accepts-draw\""), page.find("id=\"board\""));
    assert!(answer.is_some() && answer < board, "{answer:?} {board:?}");
}
