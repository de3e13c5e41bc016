//! What stands first on a page is what its reader has to do, and nothing beside it says otherwise.

use annabella_core::game::{Adjourn, ArbiterAct, Duties, GameConfig, Input, Ruling, Through};
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
