//! The pages over real HTTP, without scripts: what each role sees and does, and what is refused.

use std::time::Duration;

use annabella_console::{Codes, Limits};
use annabella_core::game::{
    ArbiterAct, GameConfig, HandsKnown, HandsOf, Input, PageAct, PageRole, Penalty, Running,
};
use shakmaty::{Color, Square};

use crate::hall::{Browser, Hall, form, raw};

pub(crate) const SIX: [&str; 6] = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"];

#[test]
fn a_code_opens_the_page_of_its_role_and_no_other() {
    let hall = Hall::new();
    let page = hall.browser().get("/");
    assert_eq!(page.status, 200);
    assert!(page.has("Who are you?") && page.has("name=\"code\""));
    for role in ["arbiter", "assistant", "display"] {
        let mut browser = hall.as_(role);
        for other in ["arbiter", "assistant", "display"] {
            let page = browser.get(&format!("/{other}"));
            assert_eq!(page.status, if other == role { 200 } else { 403 }, "{role} {other}");
        }
        assert_eq!(browser.get("/").header("location"), Some(format!("/{role}").as_str()));
        let left = browser.post("/leave", &[]);
        assert_eq!(left.header("location"), Some("/"));
        assert_eq!(browser.get(&format!("/{role}")).status, 303, "{role} has left");
    }
    let complaints = hall.complaints();
    assert!(complaints.iter().any(|line| line.contains("(display): the page of the arbiter")));
}

#[test]
fn the_assistant_enters_moves_and_carries_them_over() {
    let hall = Hall::new();
    let mut assistant = hall.as_("assistant");
    let page = assistant.get("/assistant");
    assert!(page.has("Move of Black") && page.has("Nothing to do. White to move."));

    hall.play().white("e4");
    let page = assistant.get("/assistant");
    assert!(page.has("On the board of Black: 1. e4 – "), "{}", page.body);
    assert!(page.has("<span lang=\"de\">Bauer Eva zwei Eva vier</span>"), "{}", page.body);
    let page = assistant.acts(&[("act", "played"), ("seat", "black"), ("ply", "1")]);
    let asked = "Enter the move of Black as soon as it is played.";
    assert!(page.has("Done.") && page.has(asked), "{}", page.body);

    // In the letters of another language.
    let page = assistant.acts(&[("act", "move"), ("plies", "1"), ("move", "Nf6")]);
    assert!(page.has("Done.") && page.has("Press the clock for Black"), "{}", page.body);
    assert!(page.has("data-slip=\"2 g8f6\""), "a slip may still be asked about: {}", page.body);
    assert_eq!(hall.play().line(), ["e4", "Nf6"]);
    let page = assistant.acts(&[("act", "press"), ("seat", "black")]);
    assert!(page.has("Done.") && !page.has("Press the clock"));
    assert!(!page.has("data-slip"), "{}", page.body);
    let play = hall.play();
    let record = play.game.record().expect("a game");
    assert!(record.line[1].completed.is_some());
    assert_eq!(record.clock.2, Running::White);
    assert!(play.from_pages.iter().all(|input| matches!(
        input,
        Input::Page(entry) if entry.role == PageRole::Assistant && entry.by == "A. Weber"
    )));
}

#[test]
fn a_reply_says_that_what_it_replies_to_was_carried_out() {
    let hall = Hall::new();
    let mut assistant = hall.as_("assistant");
    hall.play().white("e4");
    let page = assistant.acts(&[("act", "move"), ("plies", "1"), ("move", "e5")]);
    assert!(page.has("Done."), "{}", page.body);
    let play = hall.play();
    assert_eq!(play.line(), ["e4", "e5"]);
    assert_eq!(play.from_pages.len(), 2);
}

#[test]
fn the_arbiter_has_a_card_with_the_other_pages_and_their_codes() {
    let hall = Hall::new();
    let mut arbiter = hall.as_("arbiter");
    assert!(arbiter.get("/arbiter").has("href=\"/card\""));
    let card = arbiter.get("/card");
    let codes = hall.codes.borrow().clone();
    let digits = |code: &str| format!("Code: {} {}", &code[..4], &code[4..]);
    assert!(card.has(&digits(&codes.assistant)) && card.has(&digits(&codes.display)));
    assert!(!card.has(&digits(&codes.arbiter)), "nobody else becomes the arbiter by a card");
    assert!(card.has("<svg") && card.has("Only the device at the board"), "{}", card.body);
    assert_eq!(hall.as_("assistant").get("/card").status, 403);
    assert_ne!(
        hall.codes.borrow().assistant,
        codes.assistant,
        "a code that was used is good no more"
    );
    assert!(arbiter.get("/card").has(&digits(&hall.codes.borrow().assistant)));
}

#[test]
fn two_clicks_on_the_board_make_a_move_without_scripts() {
    let hall = Hall::new();
    let mut assistant = hall.as_("assistant");
    hall.play().white("e4");
    let first = assistant.post("/act", &[("act", "move"), ("plies", "1"), ("square", "g8")]);
    assert_eq!(first.header("location"), Some("/assistant?from=g8#board"));
    let page = assistant.get("/assistant?from=g8");
    assert!(page.has("name=\"from\" value=\"g8\"") && page.has("aria-pressed=\"true\""));
    assert!(page.has("Gustav eight chosen. Where to?"), "{}", page.body);
    let page = assistant.acts(&[
        ("act", "move"),
        ("plies", "1"),
        ("from", "g8"),
        ("promotion", ""),
        ("square", "f6"),
    ]);
    assert!(page.has("Done."), "{}", page.body);
    assert_eq!(hall.play().line(), ["e4", "Nf6"]);
}

#[test]
fn a_pawns_new_piece_is_asked_for_when_it_gets_there_and_not_before() {
    let start = Some("4k3/8/8/8/8/8/p7/4K3 b - - 0 1".to_owned());
    let hall = Hall::of(GameConfig { start, ..crate::hall::two_boards() }, |_| {});
    let mut assistant = hall.as_("assistant");
    assert!(!assistant.get("/assistant").has("name=\"promotion\""));
    let moved = [("act", "move"), ("plies", "0"), ("from", "a2")];
    let asks = "/assistant?from=a2&to=a1#board";
    let clicked = assistant.post("/act", &[&moved[..], &[("square", "a1")]].concat());
    assert_eq!(clicked.header("location"), Some(asks));
    let json = format!("Origin: http://{}\r\nAccept: application/json\r\n", hall.address);
    let answer = assistant.post_with("/act", &json, &[&moved[..], &[("to", "a1")]].concat());
    assert!(answer.has(asks), "{}", answer.body);
    assert!(hall.play().line().is_empty());
    let page = assistant.get("/assistant?from=a2&to=a1");
    for piece in ["queen", "rook", "bishop", "knight"] {
        assert!(page.has(&format!("id=\"becomes-{piece}\"")), "{}", page.body);
    }
    let fields = [&moved[..], &[("to", "a1"), ("promotion", "knight")]].concat();
    assert!(assistant.acts(&fields).has("Done."));
    assert_eq!(hall.play().line(), ["a1=N"]);
    assistant.post("/language", &[("language", "de")]);
    assert!(assistant.get("/assistant").has("a1=S – "));
}

#[test]
fn the_assistant_reads_which_squares_differ() {
    let hall = Hall::new();
    let mut assistant = hall.as_("assistant");
    {
        let mut play = hall.play();
        let fen = "rnbqkbnr/pppp1ppp/8/8/4p3/8/PPPPPPPP/RNBQKBNR".to_owned();
        let _ = play.input(Input::Entered { seat: Color::Black, fen });
        play.wait(6_000);
    }
    assistant.post("/language", &[("language", "de")]);
    let page = assistant.get("/assistant");
    assert!(!page.has("Nichts zu tun."), "{}", page.body);
    for text in [
        "Brett von Schwarz: ",
        "Die Bretter weichen voneinander ab. Der Schiedsrichter entscheidet.",
        "auf Eva sieben (e7) fehlt ein schwarzer Bauer",
        "Eva vier (e4) sollte leer sein",
    ] {
        assert!(page.has(text), "{text}: {}", page.body);
    }
    // Each of them is marked on the board itself, by a sign and in the name of its button, and no
    // other square.
    let marked = |square: &str| {
        let (before, button) =
            page.body.split_once(&format!("id=\"sq-{square}\"")).expect("a square");
        let cell = before.rsplit("<td").next().expect("its cell");
        let class = cell.split("class=\"").nth(1).and_then(|rest| rest.split('"').next());
        let name = button.split("aria-label=\"").nth(1).and_then(|rest| rest.split('"').next());
        let (own, _) = button.split_once("</td>").expect("its end");
        let sign =
            own.split("class=\"sign\"").nth(1).and_then(|rest| rest.split(['>', '<']).nth(1));
        (
            class.unwrap_or_default().split_whitespace().nth(1).map(str::to_owned),
            name.unwrap_or_default().to_owned(),
            sign.map(str::to_owned),
        )
    };
    let mark = |class: &str, name: &str, sign: &str| {
        (Some(class.to_owned()), name.to_owned(), Some(sign.to_owned()))
    };
    assert_eq!(
        marked("e7"),
        mark("missing", "Eva sieben, schwarzer Bauer, es fehlt: schwarzer Bauer", "−")
    );
    assert_eq!(marked("e4"), mark("extra", "Eva vier, leer, sollte leer sein", "+"));
    for square in Square::ALL.iter().filter(|square| ![Square::E7, Square::E4].contains(square)) {
        let (class, _, sign) = marked(&square.to_string());
        assert_eq!((class, sign), (None, None), "{square}");
    }
}

#[test]
fn what_cannot_be_is_refused_in_one_line_and_changes_nothing() {
    let hall = Hall::new();
    let mut assistant = hall.as_("assistant");
    let before = hall.play().standing();
    let page = assistant.acts(&[("act", "move"), ("plies", "0"), ("move", "e5")]);
    assert!(page.has("Black is not on move"), "{}", page.body);
    let page = assistant.acts(&[("act", "press"), ("seat", "white")]);
    assert!(page.has("The game has moved on. Look again."));
    assert_eq!(hall.play().standing(), before);

    hall.play().white("e4");
    let before = hall.play().standing();
    let page = assistant.acts(&[("act", "move"), ("plies", "0"), ("move", "e5")]);
    assert!(page.has("The game has moved on. Look again."));
    let page = assistant.acts(&[("act", "move"), ("plies", "1"), ("move", "Qh4")]);
    assert!(page.has("'Qh4' is not legal here."), "{}", page.body);
    assistant.post("/language", &[("language", "de")]);
    for (typed, answer) in
        [("Dh4", "„Dh4“ ist hier nicht möglich."), ("zz9", "„zz9“ ist keine Zugschrift.")]
    {
        let page = assistant.acts(&[("act", "move"), ("plies", "1"), ("move", typed)]);
        assert!(page.has(answer), "{}", page.body);
    }
    assistant.post("/language", &[("language", "en")]);
    let page = assistant.acts(&[("act", "move"), ("plies", "1"), ("move", "<script>x")]);
    assert!(page.has("&lt;script&gt;x") && !page.has("<script>x"), "{}", page.body);
    assert_eq!(hall.play().standing(), before);
}

#[test]
fn a_score_is_handed_in_as_written() {
    let hall = Hall::new();
    hall.play().moves(&SIX);
    let mut assistant = hall.as_("assistant");
    let text = "1. e4 e5 2. Sf3 Sf6 3. Lb5 a6";
    let page = assistant.acts(&[("act", "score"), ("seat", "black"), ("text", text)]);
    assert!(page.has("Done."), "{}", page.body);
    let mut arbiter = hall.as_("arbiter");
    let page = arbiter.get("/arbiter");
    assert!(page.has("Sf6") && page.has("first difference"), "{}", page.body);
    assert!(page.has("Decision under D.2.9") && page.has("The scores differ at move 2."));
    assert!(page.has("Back to the position after 2. Nf3."));
}

/// The value of a hidden field of a page.
pub(crate) fn hidden(page: &str, name: &str) -> String {
    let from = page.find(&format!("name=\"{name}\" value=\"")).expect("a field");
    let rest = &page[from..];
    let value = rest.split("value=\"").nth(1).expect("a value");
    value.split('"').next().expect("its end").to_owned()
}

#[test]
fn the_arbiter_confirms_the_settlement_and_it_is_in_the_record_with_his_name() {
    let hall = Hall::new();
    hall.play().moves(&SIX);
    let mut arbiter = hall.as_("arbiter");
    let text = "1. e4 e5 2. Sf3 Sf6 3. Lb5 a6";
    arbiter.acts(&[("act", "score"), ("seat", "black"), ("text", text)]);
    let page = arbiter.get("/arbiter");
    let mark = hidden(&page.body, "mark");

    let stale = arbiter.acts(&[("act", "settle"), ("mark", "0011223344556677"), ("clocks", "0")]);
    assert!(stale.has("The game has moved on. Look again."));
    assert_eq!(hall.play().line().len(), 6);

    let page = arbiter.acts(&[("act", "settle"), ("mark", &mark), ("clocks", "0"), ("reason", "")]);
    assert!(page.has("Done."), "{}", page.body);
    assert!(page.has("To be done by White") && page.has("To be done by Black"), "{}", page.body);
    {
        let play = hall.play();
        assert_eq!(play.line(), ["e4", "e5", "Nf3"]);
        let record = play.game.record().expect("a game");
        assert_eq!(record.decisions.len(), 1);
        let ruled = record.rulings.last().expect("a ruling");
        assert_eq!(ruled.ruling.by, "A. Weber");
        assert!(matches!(ruled.ruling.act, ArbiterAct::Settle(_)));
    }
    // Black's wooden board is not seen: somebody says that it has been put right.
    let mut assistant = hall.as_("assistant");
    assert!(assistant.get("/assistant").has("To be done by Black"));
    let page = assistant.acts(&[("act", "corrected"), ("seat", "black")]);
    assert!(page.has("Done.") && !page.has("To be done by Black"), "{}", page.body);
}

#[test]
fn of_two_arbiters_who_settle_one_question_the_first_counts() {
    let hall = Hall::new();
    hall.play().moves(&SIX[..5]);
    hall.play().peg(Square::A2, false);
    hall.play().peg(Square::A5, true);
    hall.play().wait(30_000);
    let (mut weber, mut roth) = (hall.as_("arbiter"), hall.as_("arbiter"));
    let mark = hidden(&weber.get("/arbiter").body, "mark");
    let settles = [("act", "settle"), ("mark", mark.as_str())];
    assert!(weber.acts(&settles).has("Done."));
    // The boards differ as before: nobody has corrected them yet.
    let told = roth.acts(&settles);
    assert!(told.has("The game has moved on. Look again."), "{}", told.body);
    let otherwise = [
        ("act", "settle-otherwise"),
        ("decided", "0"),
        ("ply", "4"),
        ("clocks", "now"),
        ("reason", "so they say"),
    ];
    let told = roth.acts(&otherwise);
    assert!(told.has("another decision has been made meanwhile"), "{}", told.body);
    {
        let play = hall.play();
        let record = play.game.record().expect("a game");
        assert_eq!((record.decisions.len(), record.line.len()), (1, 5));
    }
    // He looks again: what is decided is being carried out, and nothing is left to confirm.
    let page = roth.get("/arbiter").body;
    assert_eq!(hidden(&page, "decided"), "1");
    assert!(!page.contains("id=\"settle\""), "{page}");
}

#[test]
fn the_arbiter_may_decide_for_another_position_with_his_own_times() {
    let hall = Hall::new();
    hall.play().moves(&SIX);
    let mut arbiter = hall.as_("arbiter");
    let mut other = vec![
        ("act", "settle-otherwise"),
        ("score", ""),
        ("ply", "4"),
        ("clocks", "other"),
        ("white", "1:20:00"),
        ("black", "0:59:30"),
    ];
    let page = arbiter.acts(&other);
    assert!(page.has("Missing or wrong: Reason."), "{}", page.body);
    other.push(("reason", "both agree that <3. Bb5> was not played"));
    let page = arbiter.acts(&other);
    assert!(page.has("Done.") && page.has("&lt;3. Bb5&gt;"), "{}", page.body);
    let play = hall.play();
    let record = play.game.record().expect("a game");
    assert_eq!(record.line.len(), 4);
    assert_eq!((record.clock.0, record.clock.1), (4_800_000, 3_570_000));
}

#[test]
fn the_arbiter_stops_sets_penalises_and_declares() {
    let hall = Hall::new();
    hall.play().moves(&SIX);
    let mut arbiter = hall.as_("arbiter");
    let page = arbiter.acts(&[("act", "stop-clocks"), ("reason", "noise")]);
    assert!(page.has("Done.") && page.has("The game goes on"), "{}", page.body);
    assert_eq!(hall.play().game.record().expect("a game").clock.2, Running::None);
    let page = arbiter.acts(&[
        ("act", "set-clock"),
        ("seat", "black"),
        ("time", "1:00:00"),
        ("moves", ""),
        ("reason", "agreed"),
    ]);
    assert!(page.has("Done.") && page.has(">1:00:00<"), "{}", page.body);
    let page =
        arbiter.acts(&[("act", "set-clock"), ("seat", "black"), ("time", "soon"), ("reason", "x")]);
    assert!(page.has("Write the time as hours:minutes:seconds"));
    let page = arbiter.acts(&[
        ("act", "penalty"),
        ("seat", "white"),
        ("penalty", "time-to-opponent"),
        ("amount", "2"),
        ("reason", "illegal move"),
    ]);
    assert!(page.has("Done.") && page.has(">1:02:00<"), "{}", page.body);
    arbiter.acts(&[("act", "start-clocks"), ("reason", "")]);
    let page = arbiter.acts(&[
        ("act", "declare"),
        ("result", "1/2-1/2"),
        ("article", "9.1"),
        ("reason", "agreed aloud"),
    ]);
    assert!(page.has("Result: 1/2-1/2"), "{}", page.body);
    let play = hall.play();
    assert_eq!(play.result().as_deref(), Some("1/2-1/2"));
    let rulings = play.game.record().expect("a game").rulings;
    assert!(rulings.iter().all(|ruled| ruled.ruling.by == "A. Weber"));
    assert!(rulings.iter().any(|ruled| matches!(
        ruled.ruling.act,
        ArbiterAct::Penalty {
            seat: Color::White,
            penalty: Penalty::TimeToOpponent { ms: 120_000 }
        }
    )));
}

#[test]
fn the_arbiter_asks_for_the_sealed_move_and_may_take_it_back() {
    let hall = Hall::new();
    hall.play().moves(&SIX);
    let mut arbiter = hall.as_("arbiter");
    let mut display = hall.as_("display");
    let page = arbiter.acts(&[("act", "ask-to-seal")]);
    assert!(page.has("Done.") && page.has("White is sealing a move."), "{}", page.body);
    assert!(display.get("/display").has("White is sealing a move."));
    let page = arbiter.acts(&[("act", "not-adjourned")]);
    assert!(page.has("Done.") && !page.has("White is sealing a move."), "{}", page.body);
    assert!(matches!(hall.play().from_pages.last(), Some(Input::Adjourn(_))));
}

#[test]
fn a_board_that_nobody_sees_is_entered_and_compared() {
    let hall = Hall::new();
    hall.play().moves(&SIX);
    let mut assistant = hall.as_("assistant");
    let page = assistant.acts(&[("act", "stands"), ("seat", "white"), ("fen", "8/8")]);
    assert!(page.has("Refused"), "{}", page.body);
    let fen = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1";
    let page = assistant.acts(&[("act", "stands"), ("seat", "black"), ("fen", fen)]);
    assert!(page.has("Done.") && page.has("The boards differ."), "{}", page.body);
    let page = hall.as_("arbiter").get("/arbiter");
    assert!(page.has("The scores agree. To be corrected: the board of Black."), "{}", page.body);
    assert!(page.has("white king from Gustav one to Eva one"), "{}", page.body);
}

#[test]
fn of_a_board_without_sensors_nothing_is_claimed() {
    let hands = HandsOf { white: HandsKnown::Announced, ..HandsOf::default() };
    let hall = Hall::of(GameConfig { hands, ..crate::hall::two_boards() }, |_| {});
    let mut arbiter = hall.as_("arbiter");
    let page = arbiter.get("/arbiter");
    assert!(page.has("Not every board is seen. No difference is known."), "{}", page.body);
    assert!(page.has("Nothing is seen of this board."), "{}", page.body);
    assert!(!page.has("The boards agree."), "{}", page.body);
    // What the arbiter saw on it himself may be entered.
    let said = Input::Said { seat: Some(Color::White), heard: vec!["e4".to_owned()] };
    hall.play().input(said).expect("a move");
    let copied = Input::Sighted { seat: Color::Black, uci: "e2e4".to_owned() };
    hall.play().input(copied).expect("copied");
    let fen = "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR";
    let mut assistant = hall.as_("assistant");
    let page = assistant.acts(&[("act", "stands"), ("seat", "white"), ("fen", fen)]);
    assert!(page.has("Done.") && page.has("The boards differ."), "{}", page.body);
}

#[test]
fn a_page_speaks_the_browsers_language_or_the_chosen_one() {
    let hall = Hall::new();
    let mut browser = hall.browser();
    for (language, title) in [
        ("de-AT,de;q=0.9", "Wer sind Sie?"),
        ("fr", "Qui êtes-vous ?"),
        ("es", "¿Quién es usted?"),
        ("ru", "Кто вы?"),
        ("pl", "Kto otwiera tę stronę?"),
        ("lt", "Kas jūs?"),
        ("tlh", "Who are you?"),
    ] {
        browser.language = language;
        assert!(browser.get("/").has(title), "{language}");
    }
    browser.language = "en";
    browser.post("/language", &[("language", "de")]);
    let page = browser.get("/");
    assert!(page.has("<html lang=\"de\">") && page.has("Die Ziffern"));
}

#[test]
fn an_open_page_gets_everything_and_then_what_changes() {
    let hall = Hall::new();
    let display = hall.as_("display");
    let mut live = display.live();
    live.until(|name, data| name == "part" && data["id"] == "board");
    live.until(|name, _| name == "clock");
    hall.play().white("e4");
    live.until(|name, data| name == "news" && data["text"] == "Bauer Eva zwei Eva vier");
    // Whoever comes back gets all of it, with the clock as it runs.
    let mut again = display.live();
    again.until(|name, data| name == "clock" && data["running"] == "black");
}

#[test]
fn the_arbiter_closes_all_other_pages() {
    let hall = Hall::new();
    let mut arbiter = hall.as_("arbiter");
    let mut assistant = hall.as_("assistant");
    let mut live = hall.as_("display").live();
    live.until(|name, _| name == "clock");
    let reply = assistant.post("/close-others", &[]);
    assert_eq!(reply.status, 403);
    let reply = arbiter.post("/close-others", &[]);
    assert_eq!(reply.status, 303);
    assert_eq!(arbiter.get("/arbiter").status, 200);
    assert_eq!(assistant.get("/assistant").status, 303);
    // The open page is cut off.
    while live.event().is_some() {}
}

#[test]
fn sessions_outlive_a_restart_if_their_key_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let key = folder.path().join("console.key");
    let first = Hall::with(|settings| settings.session_key = Some(key.clone()));
    let browser = first.as_("assistant");
    let cookies = browser.cookies.clone();
    drop(first);
    let second = Hall::with(|settings| settings.session_key = Some(key.clone()));
    let mut browser = Browser { cookies, ..second.browser() };
    assert_eq!(browser.get("/assistant").status, 200);
}

#[test]
fn the_report_has_its_own_style_and_nothing_else() {
    let hall = Hall::new();
    let page = hall.as_("arbiter").get("/report");
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("style-src 'sha256-") && !policy.contains("script"), "{policy}");
    // It is for paper, and leads back on a screen, in the reader's language.
    let mut reader = hall.as_("arbiter");
    reader.language = "de";
    let way =
        "<body>\n<nav lang=\"de\"><a id=\"back\" href=\"/arbiter\">Zurück zur Seite</a></nav><p>";
    let page = reader.get("/report");
    assert!(page.has(way), "{}", page.body);
    assert_eq!(hall.as_("assistant").get("/report").status, 403);
}

// ---- Attacks ----

#[test]
fn guessing_codes_gets_slower_and_slower_and_is_told() {
    let fixed = Codes {
        arbiter: "11112222".to_owned(),
        assistant: "33334444".to_owned(),
        display: "55556666".to_owned(),
    };
    let hall = Hall::with(|settings| settings.codes = Some(fixed));
    let mut browser = hall.browser();
    // One is a slip.
    assert_eq!(browser.post("/pair", &[("code", "00000000")]).status, 403);
    let page = browser.post("/pair", &[("code", "00000000"), ("by", "Tom <T>")]);
    assert!(page.status == 403 && page.has("value=\"Tom &lt;T&gt;\""), "{}", page.body);
    let page = browser.post("/pair", &[("code", "11112222")]);
    assert_eq!(page.status, 429);
    assert!(page.has("Too many wrong codes. Try again in 1 s."), "{}", page.body);
    std::thread::sleep(Duration::from_millis(1_050));
    assert_eq!(browser.post("/pair", &[("code", "00000001")]).status, 403);
    let page = browser.post("/pair", &[("code", "11112222")]);
    assert!(page.has("Try again in 2 s."), "{}", page.body);
    assert!(browser.cookies.is_empty());
    let complaints = hall.complaints();
    assert!(complaints.contains(&"pages: refused 127.0.0.1 (nobody): a wrong code".to_owned()));
    std::thread::sleep(Duration::from_millis(2_050));
    assert_eq!(browser.post("/pair", &[("code", "1111 2222")]).status, 303);
    // An acting code is good once.
    assert_eq!(hall.browser().post("/pair", &[("code", "11112222")]).status, 403);
}

#[test]
fn forged_and_stolen_sessions_are_nobodys() {
    let hall = Hall::new();
    let display = hall.as_("display");
    let before = hall.play().standing();
    let good = display.cookies["annabella"].clone();
    let mut forgeries = vec![
        good.replace("display", "arbiter"),
        good.replace("display", "assistant"),
        good[..good.len() - 1].to_owned(),
        format!("{good}0"),
        "arbiter.0000000000000000.99999999999..".to_owned(),
        format!("arbiter.0000000000000000.99999999999..{}", "0".repeat(64)),
        "..".repeat(100),
        "\u{e4}".repeat(10),
    ];
    // Of another hall: signed with another key.
    forgeries.push(Hall::new().as_("arbiter").cookies["annabella"].clone());
    for forged in forgeries {
        let mut browser = hall.browser();
        browser.cookies.insert("annabella".to_owned(), forged.clone());
        assert_eq!(browser.get("/arbiter").status, 303, "{forged}");
        let reply = browser.post("/act", &[("act", "stop-clocks")]);
        assert_eq!(reply.header("location"), Some("/"), "{forged}");
    }
    assert_eq!(hall.play().standing(), before);
    let invalid = hall.complaints().into_iter().filter(|line| line.contains("not valid")).count();
    assert!(invalid >= 8, "{invalid}");
}

#[test]
fn forms_of_other_sites_are_refused() {
    let hall = Hall::new();
    let mut arbiter = hall.as_("arbiter");
    let before = hall.play().standing();
    let own = format!("http://{}", hall.address);
    for more in [
        String::new(),
        "Origin: null\r\n".to_owned(),
        "Origin: http://evil.example\r\n".to_owned(),
        format!("Origin: {own}.evil.example\r\n"),
        format!("Origin: {own}\r\nSec-Fetch-Site: cross-site\r\n"),
        format!("Origin: {own}\r\nSec-Fetch-Site: same-site\r\n"),
        format!("Referer: {own}/arbiter\r\n"),
    ] {
        for path in ["/act", "/close-others", "/leave", "/language", "/pair"] {
            let reply = arbiter.post_with(path, &more, &[("act", "stop-clocks"), ("code", "1")]);
            assert_eq!(reply.status, 403, "{path} {more}");
        }
    }
    assert_eq!(hall.play().standing(), before);
    assert_eq!(arbiter.get("/arbiter").status, 200, "still signed in");
    assert!(
        hall.complaints().iter().any(|line| line.contains("(arbiter): a form of another site"))
    );
}

#[test]
fn a_display_can_never_act() {
    let hall = Hall::new();
    hall.play().white("e4");
    let mut display = hall.as_("display");
    let before = hall.play().standing();
    for fields in [
        &[("act", "move"), ("plies", "1"), ("move", "e5")][..],
        &[("act", "played"), ("seat", "black"), ("ply", "1")],
        &[("act", "press"), ("seat", "white")],
        &[("act", "call"), ("reason", "x")],
        &[("act", "stop-clocks")],
        &[("act", "declare"), ("result", "0-1"), ("article", "5.1.2"), ("reason", "x")],
        &[("act", "score"), ("seat", "black"), ("text", "1. e4")],
    ] {
        assert_eq!(display.post("/act", fields).status, 403, "{fields:?}");
    }
    assert_eq!(display.post("/close-others", &[]).status, 403);
    let page = display.get("/display");
    assert!(!page.has("action=\"/act\""), "no form to act with");
    assert_eq!(hall.play().standing(), before);
    assert!(
        hall.complaints().iter().any(|line| line.ends_with("(display): a display may not act"))
    );
}

#[test]
fn the_assistant_cannot_rule() {
    let hall = Hall::new();
    let mut assistant = hall.as_("assistant");
    let before = hall.play().standing();
    for act in
        ["stop-clocks", "set-clock", "penalty", "confirm", "settle", "declare", "accept-move"]
    {
        let page = assistant.acts(&[
            ("act", act),
            ("seat", "white"),
            ("time", "1:00:00"),
            ("reason", "x"),
        ]);
        assert!(page.has("This page may not do that."), "{act}");
    }
    assert_eq!(hall.play().standing(), before);
}

#[test]
fn oversized_and_malformed_requests_are_refused() {
    let hall = Hall::new();
    let mut assistant = hall.as_("assistant");
    let before = hall.play().standing();
    let origin = format!("Origin: http://{}\r\n", hall.address);
    let huge = "a".repeat(200_000);
    assert_eq!(assistant.post("/act", &[("act", "call"), ("reason", &huge)]).status, 413);
    let text = format!("{origin}Content-Type: text/plain\r\n");
    assert_eq!(assistant.send("POST", "/act", &text, "act=call").status, 400);
    let json = format!("{origin}Content-Type: application/json\r\n");
    assert_eq!(assistant.send("POST", "/act", &json, "{\"act\":\"call\"}").status, 400);
    for fields in [
        &[][..],
        &[("act", "")],
        &[("act", "fly")],
        &[("act", "move")],
        &[("act", "move"), ("plies", "-1"), ("move", "e5")],
        &[("act", "played"), ("seat", "green"), ("ply", "1")],
        &[("act", "score"), ("seat", "black"), ("text", "")],
        &[("act", "move"), ("plies", "0"), ("from", "z9"), ("to", "\0")],
    ] {
        assert!(!assistant.acts(fields).has("Done."), "{fields:?}");
    }
    // What is no HTTP gets no page.
    let address = hall.address;
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"GET / HTTP/1.1\r\nHost: a\r\nHost\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\r\n\r\n\r\n\r\nnonsense\r\n\r\n",
    ] {
        assert!(raw(address, bytes).is_none_or(|reply| reply.status >= 400));
    }
    let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "y".repeat(100_000));
    assert!(raw(address, long.as_bytes()).is_none_or(|reply| reply.status >= 400));
    // Two lengths, or a length and chunks: which one counts is how requests are smuggled.
    let both =
        "POST /pair HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde";
    assert_eq!(raw(address, both.as_bytes()).map(|reply| reply.status), Some(400));
    assert_eq!(hall.play().standing(), before);
    assert!(hall.complaints().iter().any(|line| line.contains("too long")));
}

#[test]
fn tricks_with_paths_and_methods_lead_nowhere() {
    let hall = Hall::new();
    let mut arbiter = hall.as_("arbiter");
    for path in [
        "/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/script.js/../../Cargo.toml",
        "/arbiter/..%2fdisplay",
        "//arbiter",
        "/arbiter%00",
        "/ARBITER",
        "/style.css%3f",
        "/report/1",
        "/live/",
        "/.git/config",
        "/annabella.db",
    ] {
        assert_eq!(arbiter.get(path).status, 404, "{path}");
    }
    for (method, path) in [
        ("PUT", "/act"),
        ("DELETE", "/arbiter"),
        ("GET", "/act"),
        ("TRACE", "/"),
        ("POST", "/arbiter"),
    ] {
        assert_eq!(arbiter.send(method, path, "", "").status, 405, "{method} {path}");
    }
    let page = arbiter.get("/assistant?from=%3Cscript%3E&every=99999999999");
    assert!(page.status >= 400);
}

#[test]
fn slow_clients_are_cut_off_and_the_others_feel_nothing_of_it() {
    use std::io::{Read as _, Write as _};
    let limits = Limits {
        guests: 40,
        connections_each: 20,
        head: Duration::from_millis(700),
        body: Duration::from_millis(700),
        ..Limits::default()
    };
    let hall = Hall::with(|settings| settings.limits = limits);
    let mut assistant = hall.as_("assistant");
    let before = hall.play().standing();
    let connect = || std::net::TcpStream::connect(hall.address).expect("a connection");
    // Heads that never end, bodies that never come, connections that say nothing.
    let mut slow: Vec<std::net::TcpStream> = (0..27).map(|_| connect()).collect();
    for (n, stream) in slow.iter_mut().enumerate() {
        let text = match n % 3 {
            0 => "GET / HTTP/1.1\r\nX-A: ".to_owned(),
            1 => format!(
                "POST /act HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\n{1}Content-Length: 50\r\n\r\nact=",
                hall.address,
                assistant.cookie_header()
            ),
            _ => String::new(),
        };
        stream.write_all(text.as_bytes()).expect("begun");
    }
    assert_eq!(assistant.get("/assistant").status, 200);
    // One address has only so many: for those above its oldest are closed.
    let _more: Vec<std::net::TcpStream> = (0..10).map(|_| connect()).collect();
    for stream in &mut slow {
        stream.set_read_timeout(Some(Duration::from_secs(5))).expect("a timeout");
        // One that is closed before all that it sent was read is reset.
        match stream.read_to_end(&mut Vec::new()) {
            Err(err) if err.kind() != std::io::ErrorKind::ConnectionReset => {
                panic!("not cut off: {err}")
            }
            _ => {}
        }
    }
    assert_eq!(assistant.get("/assistant").status, 200);
    assert_eq!(hall.play().standing(), before);
    let complaints = hall.complaints();
    assert!(
        complaints.iter().any(|line| line.contains("a body that does not come")),
        "{complaints:?}"
    );
    let closed = "a connection was closed for another: there are too many";
    assert!(complaints.iter().any(|line| line.contains(closed)), "{complaints:?}");
}

#[test]
fn every_answer_carries_the_strict_headers() {
    let hall = Hall::new();
    let mut arbiter = hall.as_("arbiter");
    for path in ["/", "/arbiter", "/nowhere", "/script.js", "/style.css", "/icon.svg"] {
        let reply = arbiter.get(path);
        let policy = reply.header("content-security-policy").expect(path);
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(reply.header("referrer-policy"), Some("same-origin"), "{path}");
    }
    let page = arbiter.get("/arbiter");
    assert_eq!(page.header("cache-control"), Some("no-store"));
    for inline in ["<script>", "<style", " style=\"", " onclick=", "javascript:"] {
        assert!(!page.has(inline), "{inline}");
    }
    // Names come from outside.
    assert!(page.has("Anna &lt;b&gt;") && page.has("Boris &amp; Co"), "{}", page.body);
    let mut browser = hall.browser();
    let code = hall.codes.borrow().display.clone();
    let reply = browser.post("/pair", &[("code", &code)]);
    let cookie = reply.header("set-cookie").expect("a session");
    assert!(cookie.contains("HttpOnly; SameSite=Strict"), "{cookie}");
}

#[test]
fn everything_that_a_page_does_is_an_input_with_its_role() {
    let hall = Hall::new();
    hall.play().white("e4");
    let mut assistant = hall.as_("assistant");
    assistant.acts(&[("act", "call"), ("reason", "he touched\nthe queen")]);
    let mut arbiter = hall.as_("arbiter");
    arbiter.acts(&[("act", "note"), ("text", "seen")]);
    let play = hall.play();
    assert_eq!(play.from_pages.len(), 2);
    let json = serde_json::to_string(&play.from_pages[0]).expect("JSON");
    assert_eq!(
        json,
        r#"{"page":{"act":{"call-arbiter":{"reason":"he touched the queen"}},"role":"assistant","by":"A. Weber"}}"#
    );
    assert!(matches!(&play.from_pages[0], Input::Page(entry)
        if matches!(&entry.act, PageAct::CallArbiter { .. })));
    assert!(matches!(&play.from_pages[1], Input::Arbiter(_)));
    assert_eq!(form(&[("a b", "ä")]), "a%20b=%C3%A4");
}

// ---- TLS ----

#[test]
fn with_a_certificate_the_pages_are_encrypted() {
    use std::sync::Arc;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio_rustls::{
        TlsConnector,
        rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::ServerName},
    };
    let folder = tempfile::tempdir().expect("a folder");
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("made");
    let (certificate, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
    std::fs::write(&certificate, made.cert.pem()).expect("written");
    std::fs::write(&key, made.signing_key.serialize_pem()).expect("written");
    let tls = annabella_console::Tls { certificate: certificate.clone(), key };
    let hall = Hall::with(|settings| settings.tls = Some(tls));
    let mut roots = RootCertStore::empty();
    roots.add(made.cert.der().clone()).expect("trusted");
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let code = hall.codes.borrow().assistant.clone();
    let body = form(&[("code", &code)]);
    let request = format!(
        "POST /pair HTTP/1.1\r\nHost: localhost\r\nOrigin: https://localhost\r\nConnection: close\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let address = hall.address;
    let reply = hall.runtime.block_on(async {
        let stream = tokio::net::TcpStream::connect(address).await.expect("connected");
        let name = ServerName::try_from("localhost").expect("a name");
        let connector = TlsConnector::from(Arc::new(config));
        let mut stream = connector.connect(name, stream).await.expect("encrypted");
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = Vec::new();
        // Some servers leave without a farewell; what matters is the answer.
        let _ = stream.read_to_end(&mut answer).await;
        crate::hall::parsed(&answer).expect("an answer")
    });
    assert_eq!(reply.status, 303, "{}", reply.body);
    let cookie = reply.header("set-cookie").expect("a session");
    assert!(cookie.starts_with("__Host-annabella=") && cookie.ends_with("; Secure"), "{cookie}");
    // Who speaks without encryption gets no page.
    assert!(raw(address, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").is_none());
}

#[test]
fn a_certificate_that_cannot_be_used_is_named_with_its_remedy() {
    let tls = annabella_console::Tls {
        certificate: "/nowhere/cert.pem".into(),
        key: "/nowhere/key.pem".into(),
    };
    let mut settings = annabella_console::ConsoleSettings::at(([127, 0, 0, 1], 0).into());
    settings.tls = Some(tls);
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("tokio");
    let error = runtime.block_on(annabella_console::open(settings)).expect_err("no certificate");
    assert!(
        error.to_string().starts_with("cannot use /nowhere/cert.pem: ")
            && error.to_string().ends_with("must be PEM and belong together"),
        "{error}"
    );
    let hall = Hall::new();
    let settings = annabella_console::ConsoleSettings::at(hall.address);
    let error = runtime.block_on(annabella_console::open(settings)).expect_err("taken");
    assert!(error.to_string().contains("correct listen in [console]"), "{error}");
}

#[test]
fn a_delay_is_told_to_the_pages_before_the_time_counts_down() {
    let config = GameConfig { time_control: "25+5d".to_owned(), ..crate::hall::two_boards() };
    let hall = Hall::of(config, |_| {});
    let display = hall.as_("display");
    let mut live = display.live();
    live.until(|name, data| {
        name == "clock" && data["running"] == "white" && {
            let left = data["delay_ms"].as_u64().expect("milliseconds");
            (1..=5_000).contains(&left) && data["white"] == 1_500_000
        }
    });
}

#[test]
fn the_boards_are_compared_by_hand_at_a_buttons_press() {
    let hall = Hall::new();
    let (mut arbiter, mut assistant) = (hall.as_("arbiter"), hall.as_("assistant"));
    let page = assistant.acts(&[("act", "compare-boards")]);
    assert!(page.has("Done."), "{}", page.body);
    let page = arbiter.get("/arbiter");
    for text in [
        "What is known here agrees. Compare the boards by hand.",
        "the assistant asks that the boards be compared by hand",
        "<li>Anna one white rook, Anna two white pawn, Anna seven black pawn, Anna eight black rook</li>",
        "Read the position out at the board",
    ] {
        assert!(page.has(text), "{text}: {}", page.body);
    }
    let page = arbiter.acts(&[("act", "read-out")]);
    assert!(page.has("Done."), "{}", page.body);
    let settled = arbiter.acts(&[
        ("act", "settle"),
        ("mark", mark(&page.body)),
        ("clocks", "now"),
        ("reason", "compared by hand"),
    ]);
    assert!(
        settled.has("Done.") && !settled.has("Compare the boards by hand."),
        "{}",
        settled.body
    );
    assert!(settled.has("The boards agree."), "{}", settled.body);
}

fn mark(page: &str) -> &str {
    let rest = page.split("name=\"mark\" value=\"").nth(1).expect("a decision");
    rest.split('"').next().expect("a mark")
}

#[test]
fn the_move_to_be_sealed_is_typed_where_it_is_not_shown() {
    let hall = Hall::new();
    let (mut arbiter, mut assistant) = (hall.as_("arbiter"), hall.as_("assistant"));
    assert!(!assistant.get("/assistant").has("Sealed move (not shown)"));
    arbiter.acts(&[("act", "ask-to-seal")]);
    let page = assistant.get("/assistant");
    assert_eq!(page.body.matches("type=\"password\"").count(), 2, "{}", page.body);
    let mut refused = |fields: &[(&str, &str)]| {
        let page = assistant.acts(&[&[("act", "seal")], fields].concat());
        assert!(!page.has("Done.") && !page.has("Nc3"), "{}", page.body);
        page.body
    };
    refused(&[("sealed", "Nc3"), ("again", "Nf6")]);
    refused(&[("sealed", ""), ("again", "")]);
    let mut display = hall.as_("display");
    assert_eq!(display.post("/act", &[("act", "seal"), ("sealed", "Nc3")]).status, 403);
}

/// The main part begins with what is asked, and with the page's own time.
fn asked(page: &crate::hall::Reply) -> &str {
    let main = page.body.split("<main").nth(1).expect("a main part");
    let first = main.split("<section").nth(1).expect("a first part");
    assert!(first.contains("id=\"asked\""), "{first}");
    first.split("</section>").next().expect("its end")
}

#[test]
fn every_page_begins_with_what_is_asked_and_since_when_in_every_language() {
    let hall = Hall::new();
    hall.play().white("e4");
    hall.play().wait(95_000);
    hall.play().input(Input::Woke).expect("woken");
    for role in ["arbiter", "assistant", "display"] {
        let mut browser = hall.as_(role);
        for language in ["en", "de", "fr", "es", "pl", "lt", "ru"] {
            browser.language = language;
            let page = browser.get(&format!("/{role}"));
            let first = asked(&page).to_owned();
            let headline = first.split("<h2").nth(1).expect("a headline");
            assert!(headline.contains("data-since"), "{role} {language}: {first}");
            let words = headline.split('>').nth(1).expect("words");
            assert!(words.split(' ').count() > 1, "{role} {language}: {first}");
            assert!(first.contains("1:3"), "{role} {language}: since when: {first}");
        }
    }
}

#[test]
fn a_call_is_the_arbiters_headline_until_he_has_answered() {
    let hall = Hall::new();
    let mut arbiter = hall.as_("arbiter");
    let said = Input::Said { seat: Some(Color::White), heard: vec!["Schiedsrichter rufen".into()] };
    hall.play().input(said).expect("called");
    let page = arbiter.get("/arbiter");
    assert!(asked(&page).contains("White calls the arbiter."), "{}", asked(&page));
    assert!(asked(&page).contains("data-call=\"1000\""), "{}", asked(&page));
    let page = arbiter.acts(&[("act", "note"), ("text", "The arbiter is here.")]);
    assert!(!asked(&page).contains("calls the arbiter"), "{}", asked(&page));
    assert!(asked(&page).contains("The clocks stand."), "{}", asked(&page));
}

/// Black's c5 is entered, then c6 before any press.
fn entered_anew(slip: Option<&str>) -> (Hall, crate::hall::Reply) {
    let hall = Hall::new();
    hall.play().white("e4");
    let mut assistant = hall.as_("assistant");
    assistant.acts(&[("act", "move"), ("plies", "1"), ("move", "c5")]);
    let again = [("act", "move"), ("plies", "2"), ("move", "c6")];
    let asks = assistant.post("/act", &again);
    assert_eq!(asks.header("location"), Some("/assistant?slip=c7c6"));
    let page = assistant.get("/assistant?slip=c7c6");
    assert!(asked(&page).contains("Mistyped, or did Black play another move?"), "{}", asked(&page));
    assert_eq!(hall.play().line(), ["e4", "c5"], "nothing is changed before the answer");
    let page = match slip {
        Some(slip) => assistant.acts(&[&again[..], &[("slip", slip)]].concat()),
        None => page,
    };
    (hall, page)
}

#[test]
fn a_slip_of_typing_is_asked_about_and_only_another_move_is_reported() {
    let (hall, page) = entered_anew(Some("typed"));
    assert!(page.has("Done."), "{}", page.body);
    assert_eq!(hall.play().line(), ["e4", "c6"]);
    assert!(hall.play().game.record().expect("a game").proposals.is_empty());
    let (hall, page) = entered_anew(Some("moved"));
    assert!(page.has("Done."), "{}", page.body);
    assert_eq!(hall.play().line(), ["e4", "c6"]);
    assert_eq!(hall.play().game.record().expect("a game").proposals.len(), 1, "4.7");
    let (hall, _) = entered_anew(None);
    // An address that somebody has made up asks nothing.
    let mut assistant = hall.as_("assistant");
    for made_up in ["c7c9", "x", "e2e4", ""] {
        let page = assistant.get(&format!("/assistant?slip={made_up}"));
        assert!(!page.has("Mistyped"), "{made_up}");
    }
}

#[test]
fn an_illegal_move_is_one_decision_and_its_time_can_be_taken_back() {
    let hall = Hall::new();
    let mut arbiter = hall.as_("arbiter");
    let illegal = [("act", "illegal-move"), ("seat", "black"), ("article", "7.5.4")];
    let page = arbiter.acts(&illegal);
    assert!(asked(&page).contains("Illegal move of Black (7.5.4)"), "{}", asked(&page));
    assert!(page.has("Illegal move of Black, number 1"), "{}", page.body);
    let page = arbiter.acts(&[("act", "confirm"), ("number", "1"), ("choice", "0")]);
    assert!(page.has("White got 2:00.") && page.has("Take the penalty back"), "{}", page.body);
    let ruling = hidden(&page.body, "ruling");
    let page = arbiter.acts(&[("act", "take-back"), ("ruling", &ruling)]);
    assert!(page.has("Done.") && !page.has("White got 2:00."), "{}", page.body);
    assert!(asked(&page).contains("Illegal move of Black (7.5.4)"), "it waits again");
    let page = arbiter.acts(&[("act", "take-back"), ("ruling", &ruling)]);
    assert!(page.has("The game has moved on. Look again."), "{}", page.body);
    let page = hall.as_("assistant").acts(&[("act", "take-back"), ("ruling", &ruling)]);
    assert!(page.has("This page may not do that."), "{}", page.body);
}

/// A form that is sent twice, by a double click or after the browser's way back, and one of a page
/// on which another arbiter's decision is not to be seen yet.
#[test]
fn what_the_arbiter_decides_counts_once_and_only_if_he_saw_what_was_decided() {
    let hall = Hall::new();
    let mut arbiter = hall.as_("arbiter");
    let mut second = hall.as_("arbiter");
    let penalty = [
        ("act", "penalty"),
        ("seat", "white"),
        ("penalty", "time-to-opponent"),
        ("amount", "2"),
        ("reason", "noise"),
    ];
    let illegal = [("act", "illegal-move"), ("seat", "black"), ("article", "7.5.4")];
    let declares = [("act", "declare"), ("result", "1-0"), ("article", "11.1"), ("reason", "gone")];
    let meanwhile = "The game has moved on. Look again.";
    let rulings = || hall.play().game.record().expect("a game").rulings.len();
    for form in [&penalty[..], &illegal[..], &declares[..]] {
        let ruled = hidden(&arbiter.get("/arbiter").body, "ruled");
        let form: Vec<(&str, &str)> = form.iter().copied().chain([("ruled", &*ruled)]).collect();
        let before = rulings();
        let page = arbiter.acts(&form);
        assert!(page.has("Done."), "{form:?}: {}", page.body);
        for page in [arbiter.acts(&form), second.acts(&form)] {
            assert!(page.has(meanwhile), "{form:?}: {}", page.body);
        }
        assert_eq!(rulings(), before + 1, "{form:?}");
    }
    // Who has seen the result may change it.
    let ruled = hidden(&second.get("/arbiter").body, "ruled");
    let page = second.acts(&[
        ("act", "declare"),
        ("result", "0-1"),
        ("article", "11.1"),
        ("reason", "the other one"),
        ("ruled", &ruled),
    ]);
    assert!(page.has("Result: 0-1"), "{}", page.body);
}

#[test]
fn an_open_page_gets_signs_of_life_while_nothing_happens() {
    let hall = Hall::new();
    let mut live = hall.as_("display").live();
    for _ in 0..2 {
        live.until(|name, _| name == "here");
    }
}
