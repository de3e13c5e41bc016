//! What the page of the hall says of calls, of boards that are silent, of some boards of many.

use annabella_core::game::{Running, Task};
use annabella_hall::floor::{BoardStands, NeedKind};
use annabella_words::phrase::Note;
use shakmaty::Color;

use crate::hall::Reply;
use crate::hall_page::{RunningHall, alone, board, has_server, need, signal_family, stands};
use crate::patience::until;

fn calls(page: &Reply) -> usize {
    page.body.matches("<li><a id=\"call-").count()
}

#[test]
fn an_illegal_move_is_one_call_that_names_it_as_at_the_board() {
    if !has_server() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut hall = RunningHall::start(folder.path(), &[]);
    let mut play = board(folder.path(), hall.server, 17);
    let mut weber = hall.arbiter("A. Weber");
    play.send(r#"{"announce":"Uhr starten"}"#);
    play.until("a clock that runs", |line| line["clock"]["running"] == "white");
    play.moves("g1", "g3");
    play.send(r#"{"press":"white"}"#);
    let text = "Illegal: Ng1–g3 (7.5.1) (just now)";
    until("the call is there", || weber.get("/arbiter").has(text));
    let page = weber.get("/arbiter");
    assert_eq!(calls(&page), 1, "{}", page.body);
    assert!(!page.has("The boards differ"), "{}", page.body);
    until("board 17 answers", || weber.get("/board/17/arbiter").has("Illegal: Ng1–g3 (7.5.1)"));
    play.kill();
}

#[test]
fn a_board_that_does_not_answer_is_named_soon_with_what_to_do() {
    if !has_server() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut hall = RunningHall::start(folder.path(), &[]);
    let play = board(folder.path(), hall.server, 17);
    let mut weber = hall.arbiter("A. Weber");
    until("board 17 answers", || weber.get("/board/17/arbiter").status == 200);
    signal_family(&play.child, "-STOP");
    let away = weber.get("/board/17/arbiter");
    assert_eq!(away.status, 503);
    assert!(away.has("<h1>Board 17 does not answer.</h1>"), "{}", away.body);
    assert!(away.has("Go to the board:"), "{}", away.body);
    assert!(away.has("id=\"try-again\" href=\"/board/17/\""), "{}", away.body);
    assert!(away.has("id=\"back-to-hall\" href=\"/\""), "{}", away.body);
    until("it is said since when", || {
        weber.get("/board/17/arbiter").has("Nothing has been heard of it for ")
    });
    signal_family(&play.child, "-CONT");
    until("board 17 answers again", || weber.get("/board/17/arbiter").status == 200);
    play.kill();
}

#[test]
fn a_sector_without_a_board_says_so_and_that_others_wait() {
    let mut alone = alone(false);
    let called = || vec![need(NeedKind::Called(Note::AssistantCalls), 0)];
    let boards = [stands(5, "12... Nf6", Vec::new()), stands(17, "12... Nf6", called())];
    alone.page.show(&boards, |_| None);
    let mut arbiter = alone.arbiter("en");
    let (empty, waits) = ("There is no board in this range.", "Nothing waits.");
    let elsewhere = "id=\"whole-hall\" href=\"?\">Calls outside this range: 1</a>";
    let told = |page: &Reply| [empty, waits, elsewhere].map(|text| page.has(text));
    assert_eq!(told(&arbiter.get("/arbiter?first=9&last=3")), [true, false, true]);
    assert_eq!(told(&arbiter.get("/arbiter?first=50")), [true, false, true]);
    assert_eq!(told(&arbiter.get("/arbiter?first=1&last=9")), [false, true, true]);
    assert_eq!(told(&arbiter.get("/arbiter?last=17")), [false, false, false]);
    assert_eq!(told(&arbiter.get("/arbiter")), [false, false, false]);
    let some = arbiter.get("/arbiter?first=3&last=9&view=lines");
    assert!(some.has(">From board 3 to board 9</h2>"), "{}", some.body);
    assert!(some.has("href=\"?view=lines\">Calls outside"), "{}", some.body);
    alone.page.show(&boards[..1], |_| None);
    let nothing = arbiter.get("/arbiter?first=50");
    assert!(nothing.has("id=\"whole-hall\" href=\"?\">All boards</a>"), "{}", nothing.body);
}

#[test]
fn clocks_that_stand_show_on_the_tile_whatever_else_is_waited_for() {
    let mut alone = alone(false);
    let waiting = |board, stand, task| {
        let mut one = stands(board, "12... Nf6", Vec::new());
        let game = one.game.as_mut().expect("a game");
        (game.stand, game.waits) = (stand, Some(task));
        game.clock.2 = if stand { Running::None } else { Running::White };
        one
    };
    let execute = Task::Execute {
        seat: Color::Black,
        ply: 25,
        uci: "c1g5".to_owned(),
        san: "Bg5".to_owned(),
    };
    let boards: Vec<BoardStands> = vec![
        waiting(1, true, execute.clone()),
        waiting(2, false, execute),
        waiting(3, true, Task::ClocksStand),
        waiting(4, true, Task::BoardsDiffer),
    ];
    alone.page.show(&boards, |_| None);
    let page = alone.arbiter("en").get("/arbiter");
    let tile = |n: u32| {
        let tile = page.body.split(&format!("id=\"board-{n}\"")).nth(1).expect("a tile");
        tile.split("</li>").next().expect("its end").to_owned()
    };
    let standing = [1, 2, 3, 4].map(|n| tile(n).matches('‖').count());
    assert_eq!(standing, [1, 0, 1, 1]);
    assert!(tile(1).contains("clocks stand"), "{}", tile(1));
    assert!(tile(4).contains("The boards differ; clocks stand. "), "{}", tile(4));
    assert!(!page.body.replace("12... ", "").contains(".."), "two full stops");
}

#[test]
fn the_hall_s_page_says_whose_it_is() {
    let alone = alone(false);
    let title = |mut browser: crate::hall::Browser, role: &str| {
        let page = browser.get(&format!("/{role}")).body;
        let title = page.split("<title>").nth(1).expect("a title").split("</title>").next();
        title.expect("its end").to_owned()
    };
    let arbiter = alone.arbiter("de");
    assert_eq!(title(arbiter, "arbiter"), "Der ganze Saal test – Schiedsrichter – Annabella");
    let others = [("assistant", "Assistent"), ("display", "Anzeige")];
    for (role, name) in others {
        let mut browser = crate::hall::Browser {
            address: alone.address,
            cookies: Default::default(),
            language: "de",
        };
        let codes = alone.page.codes().borrow().clone();
        let code = if role == "assistant" { codes.assistant } else { codes.display };
        browser.post("/pair", &[("code", &code)]);
        assert_eq!(title(browser, role), format!("Der ganze Saal test – {name} – Annabella"));
    }
}
