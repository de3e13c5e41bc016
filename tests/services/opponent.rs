//! The sighted opponent: what he says is entered for him on the pages and counts for him; and if he
//! is deaf, he reads what is said to him.

use annabella_core::game::{GameConfig, Input, Outcome, PageAct, PlayerWord};
use shakmaty::{Color, Position};

use crate::at_board::{Play, config};
use crate::hall::{Browser, Hall, two_boards};

fn says(browser: &mut Browser, word: &str, more: &[(&str, &str)]) -> crate::hall::Reply {
    let mut fields = vec![("act", "says"), ("word", word), ("seat", "black")];
    fields.extend(more);
    browser.acts(&fields)
}

const SURE: (&str, &str) = ("sure", "yes");

#[test]
fn f8_the_opponents_resignation_is_entered_for_him_and_loses_his_game() {
    for role in ["assistant", "arbiter"] {
        let hall = Hall::new();
        hall.play().moves(&["e4", "e5"]);
        let mut browser = hall.as_(role);
        let page = browser.get(&format!("/{role}"));
        assert!(page.has("What Black says") && page.has("id=\"resigns\""), "{}", page.body);
        // Without the tick nothing happens.
        let page = says(&mut browser, "resigns", &[]);
        assert!(page.has("Missing or wrong: Confirm."), "{}", page.body);
        assert_eq!(hall.play().result(), None);
        let page = says(&mut browser, "resigns", &[SURE]);
        assert!(page.has("Done.") && page.has("Result: 1-0"), "{}", page.body);
        let play = hall.play();
        let ended = play.game.ended().expect("over");
        assert_eq!(
            (ended.result, ended.article.to_string().as_str()),
            (Outcome::win(Color::White), "5.1.2")
        );
        let Some(Input::Page(entry)) = play.from_pages.last() else { panic!("a page's input") };
        assert_eq!(entry.act, PageAct::Says { seat: Color::Black, word: PlayerWord::Resigns });
    }
}

#[test]
fn f8_the_opponents_offer_is_his_and_the_blind_player_answers_it() {
    let hall = Hall::new();
    hall.play().moves(&["e4", "e5"]);
    let mut assistant = hall.as_("assistant");
    let mut display = hall.as_("display");
    let page = says(&mut assistant, "offers-draw", &[SURE]);
    assert!(page.has("Done.") && page.has("Black offers a draw."), "{}", page.body);
    assert!(display.get("/display").has("Black offers a draw."));
    assert_eq!(hall.play().game.record().expect("a game").offered(), Some(Color::Black));
    // Once is enough.
    assert!(says(&mut assistant, "offers-draw", &[SURE]).has("a draw is offered already"));
    let answer = |text: &str| Input::Said { seat: Some(Color::White), heard: vec![text.into()] };
    hall.play().input(answer("Remis annehmen")).expect("an offer");
    hall.play().input(answer("ja")).expect("meant");
    assert_eq!(hall.play().result().as_deref(), Some("1/2-1/2"));
}

#[test]
fn f8_the_opponent_accepts_or_declines_what_the_blind_player_offers() {
    for (word, more, result) in
        [("declines-draw", &[][..], None), ("accepts-draw", &[SURE][..], Some("1/2-1/2"))]
    {
        let hall = Hall::new();
        hall.play().moves(&["e4", "e5"]);
        let mut assistant = hall.as_("assistant");
        assert!(says(&mut assistant, "declines-draw", &[]).has("the opponent offers no draw now"));
        let white = |text: &str| Input::Said { seat: Some(Color::White), heard: vec![text.into()] };
        hall.play().input(white("Remis anbieten")).expect("possible");
        hall.play().input(white("ja")).expect("meant");
        let page = assistant.get("/assistant");
        assert!(
            page.has("Black is offered a draw.") && page.has("id=\"accepts-draw\""),
            "{}",
            page.body
        );
        let page = says(&mut assistant, word, more);
        assert!(page.has("Done.") && !page.has("is offered a draw."), "{}", page.body);
        assert_eq!(hall.play().result().as_deref(), result);
    }
}

#[test]
fn f8_the_opponent_claims_by_repetition_with_the_move_that_he_intends() {
    let hall = Hall::new();
    let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"];
    hall.play().moves(&shuffle);
    let mut arbiter = hall.as_("arbiter");
    let claim = [SURE, ("by", "repetition"), ("move", "Ng8")];
    let page = says(&mut arbiter, "claims-draw", &claim);
    assert!(page.has("Result: 1/2-1/2") && page.has("(9.2)"), "{}", page.body);
}

#[test]
fn f8_a_claim_that_cannot_be_is_refused_and_whispered_to_nobody() {
    let hall = Hall::new();
    hall.play().moves(&["e4"]);
    let mut arbiter = hall.as_("arbiter");
    let page = says(&mut arbiter, "claims-flag", &[SURE]);
    assert!(page.has("no flag has fallen (6.8)"), "{}", page.body);
    let page = says(&mut arbiter, "claims-draw", &[SURE, ("by", "fifty"), ("move", "Qa5")]);
    assert!(page.has("is not legal"), "{}", page.body);
    // Nobody speaks for the blind player.
    let mut fields = vec![("act", "says"), ("word", "resigns"), ("seat", "white"), SURE];
    assert!(arbiter.acts(&fields).has("The game has moved on."));
    fields[2].1 = "nobody";
    assert!(arbiter.acts(&fields).has("Missing or wrong"));
    assert_eq!(hall.play().result(), None);
}

#[test]
fn f8_an_unknown_voice_resigns_only_after_a_question_that_names_the_player() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut play = Play::start(&config(folder.path(), ""));
    play.send(r#"{"announce":"ich gebe auf"}"#);
    let said = play.until("the question", |line| line.get("say").is_some());
    assert_eq!(said["say"]["text"], "Weiß gibt auf?");
    play.send(r#"{"announce":"nein"}"#);
    play.until("no more", |line| line["say"]["text"] == "Gut, dann nicht.");
    play.until("the other way", |line| line["say"]["text"] == "Schwarz? Dann sag: zwei.");
    // His own voice is asked for his own will, the opponent's acts for the opponent.
    play.send(r#"{"announce":"ich gebe auf","seat":"white"}"#);
    let said = play.until("the question", |line| line.get("say").is_some());
    assert_eq!(said["say"]["text"], "Wirklich aufgeben?");
    play.send(r#"{"announce":"nein","seat":"white"}"#);
    play.until("no more", |line| line["say"]["text"] == "Gut, dann nicht.");
    play.send(r#"{"announce":"ich gebe auf","seat":"black"}"#);
    play.until("the question", |line| line["say"]["channel"] == "public");
    play.send(r#"{"announce":"ja","seat":"black"}"#);
    let over = play.until("the result", |line| line.get("result").is_some());
    assert_eq!(over["result"], "1-0");
}

#[test]
fn f26_a_move_on_its_way_to_the_page_board_is_no_difference() {
    let hall = Hall::new();
    let mut arbiter = hall.as_("arbiter");
    hall.play().white("e4");
    let page = arbiter.get("/arbiter");
    assert!(!page.has("Decision under D.2.9"), "{}", page.body);
    let mut assistant = hall.as_("assistant");
    assistant.acts(&[("act", "played"), ("seat", "black"), ("ply", "1")]);
    assistant.acts(&[("act", "move"), ("plies", "1"), ("move", "e5")]);
    // Now the move is on its way to the pegs.
    let page = arbiter.get("/arbiter");
    assert!(!page.has("Decision under D.2.9"), "{}", page.body);
    // A score that ends too early, handed in, is a difference all the same.
    hall.play().copy_on_pegs();
    let text = "1. d4 e5";
    let page = arbiter.acts(&[("act", "score"), ("seat", "black"), ("text", text)]);
    assert!(page.has("Decision under D.2.9"), "{}", page.body);
}

#[test]
fn f30_before_the_clocks_go_on_the_page_says_what_is_still_open() {
    let hall = Hall::new();
    hall.play().moves(&["e4", "e5", "Nf3", "Nc6"]);
    let mut arbiter = hall.as_("arbiter");
    let settle = [
        ("act", "settle-otherwise"),
        ("score", ""),
        ("ply", "2"),
        ("clocks", "now"),
        ("reason", "agreed"),
    ];
    arbiter.acts(&settle);
    let page = arbiter.get("/arbiter");
    assert!(
        page.has("id=\"still-open\"") && page.has("Black corrects the board."),
        "{}",
        page.body
    );
    let mut assistant = hall.as_("assistant");
    assert!(assistant.get("/assistant").has("id=\"corrected-black\""));
    assistant.acts(&[("act", "corrected"), ("seat", "black")]);
    assert!(!arbiter.get("/arbiter").has("Black corrects the board."));
}

#[test]
fn f13_a_wooden_board_is_corrected_by_somebodys_word_on_the_page() {
    let hall = Hall::of(GameConfig { sighted_board: false, ..two_boards() }, |_| {});
    for text in ["e4", "e5", "Nf3", "Nc6"] {
        let mut play = hall.play();
        let mv = play.mv(text);
        let seat = play.position().turn();
        play.on_pegs(mv);
        play.input(Input::Pressed { seat }).expect("a move");
    }
    let settle = [
        ("act", "settle-otherwise"),
        ("score", ""),
        ("ply", "2"),
        ("clocks", "now"),
        ("reason", "agreed"),
    ];
    let mut arbiter = hall.as_("arbiter");
    arbiter.acts(&settle);
    let page = arbiter.get("/arbiter");
    assert!(page.has("Black corrects the board."), "{}", page.body);
    let mut assistant = hall.as_("assistant");
    let page = assistant.get("/assistant");
    assert!(page.has("To be done by Black") && page.has("id=\"corrected-black\""), "{}", page.body);
    let page = assistant.acts(&[("act", "corrected"), ("seat", "black")]);
    assert!(page.has("Done.") && !page.has("To be done by Black"), "{}", page.body);
    assert!(!arbiter.get("/arbiter").has("Black corrects the board."));
}

fn deaf() -> GameConfig {
    GameConfig { opponent_deaf: true, ..two_boards() }
}

#[test]
fn f9_a_deaf_opponent_plays_a_game_by_what_he_reads() {
    let hall = Hall::of(deaf(), |_| {});
    let mut display = hall.as_("display");
    let mut assistant = hall.as_("assistant");
    let mut live = display.live();
    assert!(display.get("/display").has("Nothing yet."));
    hall.play().white("f3");
    // What is said to him is on his display, as soon as it is said, and what he has to do.
    live.until(|name, data| {
        let html = data["html"].as_str().unwrap_or_default();
        name == "part" && data["id"] == "said" && html.contains("Bauer Felix zwei Felix drei")
    });
    let page = display.get("/display");
    assert!(page.has("Black, execute on your board: 1. f3"), "{}", page.body);
    let news = "data-text=\"Bauer Felix zwei Felix drei\"";
    assert!(page.has(news), "what is read by touch too: {}", page.body);
    assistant.acts(&[("act", "played"), ("seat", "black"), ("ply", "1")]);
    assistant.acts(&[("act", "move"), ("plies", "1"), ("move", "e5")]);
    assistant.acts(&[("act", "press"), ("seat", "black")]);
    hall.play().copy_on_pegs();
    // White offers a draw: he reads it, and his answer is entered.
    let white = |text: &str| Input::Said { seat: Some(Color::White), heard: vec![text.into()] };
    hall.play().input(white("Remis anbieten")).expect("possible");
    hall.play().input(white("ja")).expect("meant");
    assert!(display.get("/display").has("Black is offered a draw. What is the answer?"));
    says(&mut assistant, "declines-draw", &[]);
    let page = display.get("/display");
    assert!(page.has("Remis abgelehnt.") && !page.has("is offered a draw."), "{}", page.body);
    hall.play().white("g4");
    assistant.acts(&[("act", "played"), ("seat", "black"), ("ply", "3")]);
    // A question to him is on his display too: he said something that nobody understood for sure.
    let black = |text: &str| Input::Said { seat: Some(Color::Black), heard: vec![text.into()] };
    hall.play().input(black("Remis anbieten")).expect("possible");
    assert!(display.get("/display").has("Remis anbieten?"));
    hall.play().input(black("nein")).expect("an answer");
    assistant.acts(&[("act", "move"), ("plies", "3"), ("move", "Qh4")]);
    let page = display.get("/display");
    assert!(page.has("Result: 0-1"), "{}", page.body);
    assert!(page.has("Matt") || page.has("matt"), "{}", page.body);
}

#[test]
fn f9_a_deaf_opponents_corrections_are_on_his_display() {
    let hall = Hall::of(deaf(), |_| {});
    hall.play().moves(&["e4", "e5", "Nf3", "Nc6"]);
    let settle = [
        ("act", "settle-otherwise"),
        ("score", ""),
        ("ply", "2"),
        ("clocks", "now"),
        ("reason", "agreed"),
    ];
    hall.as_("arbiter").acts(&settle);
    let page = hall.as_("display").get("/display");
    assert!(page.has("To be done by Black") && !page.has("To be done by White"), "{}", page.body);
    assert!(!page.has("action=\"/act\""), "nothing is entered on a display");
}

#[test]
fn f9_without_a_display_a_game_with_a_deaf_opponent_is_refused_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = config(folder.path(), "[game]\nopponent_deaf = true\n");
    let output = Play::start(&path).end();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = "[game] opponent_deaf: a deaf opponent reads what is said on a display (D.2.11): give \
                [console] listen an address, as in \"127.0.0.1:8080\"";
    let written = std::fs::read_to_string(&path).expect("there");
    let at = written.lines().position(|line| line.starts_with("opponent_deaf")).expect("the key");
    assert_eq!(error, format!("annabella: {}:{}: {line}\n", path.display(), at + 1));
}

#[test]
fn f9_every_question_to_a_deaf_opponent_is_on_his_display() {
    let hall = Hall::of(deaf(), |_| {});
    let mut display = hall.as_("display");
    hall.play().moves(&["Nf3", "Nf6", "Nc3", "d6", "e4"]);
    let black = |text: &str| {
        // He may be refused: what he is told counts here.
        let said = Input::Said { seat: Some(Color::Black), heard: vec![text.into()] };
        let _ = hall.play().input(said);
    };
    for (said, shown) in [
        ("Springer David sieben", " oder Springer "),
        ("Dame Anna fünf", "Nicht möglich:"),
        ("xyz", "Bitte?"),
        ("Remis annehmen", "Kein Remisangebot."),
    ] {
        black(said);
        let page = display.get("/display");
        assert!(page.has(shown), "{said}: {}", page.body);
    }
    // What he is refused stands there too.
    hall.play().wait(30_000);
    hall.play()
        .input(Input::Page(Box::new(annabella_core::game::PageEntry {
            act: PageAct::Executed { seat: Color::Black, uci: "b8d7".into() },
            role: annabella_core::game::PageRole::Assistant,
            by: String::new(),
        })))
        .expect("a move");
    black("ich korrigiere");
    assert!(display.get("/display").has("Du bist nicht am Zug."));
}

#[test]
fn f12_the_opponent_adjusts_by_the_assistants_page() {
    let hall = Hall::new();
    hall.play().moves(&["e4"]);
    let mut assistant = hall.as_("assistant");
    assert!(assistant.get("/assistant").has("value=\"adjusts\""));
    let page = says(&mut assistant, "adjusts", &[]);
    assert!(page.has("Done."), "{}", page.body);
    // Only on his own turn (4.2.1).
    assistant.acts(&[("act", "move"), ("plies", "1"), ("move", "e5")]);
    let page = says(&mut assistant, "adjusts", &[]);
    assert!(page.has("4.2.1"), "{}", page.body);
}
