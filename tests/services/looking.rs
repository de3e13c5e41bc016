//! Whether an arbiter looks: his page is open.

use crate::{hall::Hall, patience::until};

#[test]
fn an_arbiters_open_page_is_known_until_it_is_closed_and_nobody_elses_counts() {
    let hall = Hall::with(|_| {});
    let looks = || hall.arbiters.borrow().len();
    let display = hall.as_("display");
    let mut shown = display.live();
    assert!(shown.event().is_some());
    assert_eq!(looks(), 0);
    let arbiter = hall.as_("arbiter");
    let mut first = arbiter.live();
    assert!(first.event().is_some());
    until("his page is known", || looks() == 1);
    let mut second = arbiter.live();
    assert!(second.event().is_some());
    until("both are known", || looks() == 2);
    drop(first);
    until("one is closed", || looks() == 1);
    drop(second);
    until("none is open", || looks() == 0);
}
