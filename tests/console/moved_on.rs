//! A form that was open while the game moved on: what it rests on has gone, or not.

use annabella_core::game::Running;

use crate::hall::{Browser, Hall, Reply, two_boards};

/// The hidden fields of the form that has this button, as a browser sends them.
fn form(page: &Reply, button: &str) -> Vec<(String, String)> {
    let at = page.body.find(&format!("id=\"{button}\"")).expect("the button");
    let begins = page.body[..at].rfind("<form").expect("a form");
    let form = page.body[begins..].split("</form>").next().expect("its end");
    let value = |tag: &str, name: &str| {
        let from = tag.split_once(&format!("{name}=\""))?.1;
        Some(from.split('"').next()?.to_owned())
    };
    let hidden = form.split("<input type=\"hidden\"").skip(1);
    let hidden = hidden.filter_map(|tag| tag.split('>').next());
    hidden.filter_map(|tag| Some((value(tag, "name")?, value(tag, "value")?))).collect()
}

fn send(browser: &mut Browser, form: &[(String, String)], more: &[(&str, &str)]) -> Reply {
    let hidden = form.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    browser.acts(&hidden.chain(more.iter().copied()).collect::<Vec<_>>())
}

const GONE: &str = "The game has moved on. Look again.";

const DECLARES: [(&str, &str); 3] = [("result", "1-0"), ("article", "6.9"), ("reason", "flag")];
const RESIGNS: [(&str, &str); 1] = [("sure", "yes")];

#[test]
fn a_form_of_another_game_decides_nothing() {
    let hall = Hall::new();
    let mut arbiter = hall.as_("arbiter");
    let mut assistant = hall.as_("assistant");
    let page = arbiter.get("/arbiter");
    let ids = ["declare", "stop", "compare-boards", "resigns", "note", "settle-otherwise"];
    let open = ids.map(|id| form(&page, id));
    let says = assistant.get("/assistant");
    let own = ["resigns", "claims-flag", "call-arbiter"].map(|id| form(&says, id));
    hall.play().begin_anew(two_boards());
    let before = hall.play().standing();
    for form in &open {
        let more = [("text", "x"), ("ply", "0"), ("sure", "yes")];
        let page = send(&mut arbiter, form, &[&DECLARES[..], &more].concat());
        assert!(page.has(GONE), "{form:?}");
    }
    for form in &own {
        assert!(send(&mut assistant, form, &RESIGNS).has(GONE), "{form:?}");
    }
    assert_eq!(hall.play().standing(), before);
    assert!(hall.play().from_pages.is_empty());
    let now = form(&arbiter.get("/arbiter"), "declare");
    assert!(send(&mut arbiter, &now, &DECLARES).has("Done."));
}

#[test]
fn what_is_meant_for_one_position_is_refused_in_the_next_and_anything_else_is_not() {
    let hall = Hall::new();
    let (mut arbiter, mut assistant) = (hall.as_("arbiter"), hall.as_("assistant"));
    hall.play().moves(&["e4", "e5"]);
    let (page, says) = (arbiter.get("/arbiter"), assistant.get("/assistant"));
    let of_move = ["illegal", "declare", "accept"].map(|id| form(&page, id));
    let words = ["resigns", "offers-draw", "claims-flag"].map(|id| form(&says, id));
    let [clock, note, adjusts] =
        [form(&page, "set-clock"), form(&page, "note"), form(&says, "call-arbiter")];
    hall.play().moves(&["Nf3", "Nc6"]);
    let before = hall.play().standing();
    for form in &of_move {
        let more = [("seat", "white"), ("article", "7.5.1"), ("move", "d4"), ("reason", "x")];
        let page = send(&mut arbiter, form, &[&more[..], &[("result", "1-0")]].concat());
        assert!(page.has(GONE), "{form:?}");
    }
    for form in &words {
        assert!(send(&mut assistant, form, &RESIGNS).has(GONE), "{form:?}");
    }
    assert_eq!(hall.play().standing(), before);
    // Nothing of this is about a move.
    assert!(send(&mut assistant, &adjusts, &[]).has("Done."));
    let time = [("seat", "white"), ("time", "1:00:00"), ("reason", "x")];
    assert!(send(&mut arbiter, &clock, &time).has("Done."));
    // Nor is a note, but one was ruled meanwhile: it is looked at first.
    assert!(send(&mut arbiter, &note, &[("text", "x")]).has(GONE));
}

#[test]
fn time_that_passes_and_what_others_ask_for_changes_no_form() {
    let hall = Hall::new();
    let (mut arbiter, mut assistant) = (hall.as_("arbiter"), hall.as_("assistant"));
    hall.play().moves(&["e4", "e5"]);
    let (page, says) = (arbiter.get("/arbiter"), assistant.get("/assistant"));
    let (declare, resigns) = (form(&page, "declare"), form(&says, "resigns"));
    hall.play().wait(60_000);
    let call = form(&says, "call-arbiter");
    assert!(send(&mut assistant, &call, &[("reason", "noise")]).has("Done."));
    assert!(send(&mut assistant, &resigns, &RESIGNS).has("Done."));
    assert_eq!(hall.play().result().as_deref(), Some("1-0"));
    assert!(send(&mut arbiter, &declare, &DECLARES).has("Done."));
}

#[test]
fn a_press_that_waited_is_not_pressed_for_a_later_move() {
    let hall = Hall::new();
    let mut assistant = hall.as_("assistant");
    let black_moves = |assistant: &mut Browser, plies: &str, text: &str| {
        assistant.acts(&[("act", "move"), ("plies", plies), ("move", text)])
    };
    hall.play().white("e4");
    let press = form(&black_moves(&mut assistant, "1", "e5"), "press");
    assert!(send(&mut assistant, &press, &[]).has("Done."));
    hall.play().copy_on_pegs();
    hall.play().white("Nf3");
    black_moves(&mut assistant, "3", "Nc6");
    assert!(send(&mut assistant, &press, &[]).has(GONE));
    let clock = || hall.play().game.record().expect("a game").clock.2;
    assert_eq!(clock(), Running::Black);
    // A script of somebody's own says what it does and no more.
    assert!(assistant.acts(&[("act", "press"), ("seat", "black")]).has("Done."));
    assert_eq!(clock(), Running::White);
}

#[test]
fn clocks_that_stand_for_another_reason_are_not_started_by_an_old_form() {
    let hall = Hall::new();
    let mut arbiter = hall.as_("arbiter");
    let stop = [("act", "stop-clocks")];
    let start = form(&arbiter.acts(&stop), "go-on");
    assert!(arbiter.acts(&[("act", "start-clocks")]).has("Done."));
    arbiter.acts(&stop);
    assert!(send(&mut arbiter, &start, &[]).has(GONE));
    let start = form(&arbiter.get("/arbiter"), "go-on");
    assert!(send(&mut arbiter, &start, &[]).has("Done."));
}

#[test]
fn a_slip_that_somebody_else_has_settled_is_not_settled_again() {
    let hall = Hall::new();
    hall.play().white("e4");
    let (mut one, mut other) = (hall.as_("assistant"), hall.as_("assistant"));
    one.acts(&[("act", "move"), ("plies", "1"), ("move", "c5")]);
    let asks = |browser: &mut Browser| form(&browser.get("/assistant?slip=c7c6"), "slip-typed");
    let (first, second) = (asks(&mut one), asks(&mut other));
    assert!(send(&mut one, &first, &[("slip", "typed")]).has("Done."));
    assert_eq!(hall.play().line(), ["e4", "c6"]);
    assert!(send(&mut other, &second, &[("slip", "moved")]).has(GONE));
    assert!(hall.play().game.record().expect("a game").proposals.is_empty());
    // What is asked is of the move that stands.
    assert!(one.get("/assistant").has("data-slip=\"2 c7c6\""));
}
