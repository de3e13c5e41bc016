//! The arbiter at his page, and what he reads there.

pub(super) use super::super::visitor::{Visitor as Arbiter, hidden};
use super::super::visitor::{named, words};

/// Types the code that the service printed in `line`.
pub(super) async fn pair(line: &str) -> Result<Arbiter, String> {
    let (Some(address), Some(code)) = (named(line, "http://"), named(line, "arbiter ")) else {
        return Err(format!("no address and code in '{line}'"));
    };
    Arbiter::pair(&address, &code, "A. Weber").await
}

/// What the page asks of the arbiter, if there is a decision to take.
pub(super) fn verdict(page: &str) -> Option<String> {
    page.contains("Decision under D.2.9").then_some(())?;
    let rest = page.split("id=\"asked\"").nth(1)?;
    let heading = rest.split_once("<h2")?.1.split("</h2>").next()?;
    Some(words(heading.split_once('>')?.1))
}

/// The entries that the page asks for, if any.
pub(super) fn asked_for(page: &str) -> Option<String> {
    let sentence = |html: &&str| html.contains(" has yet to write ");
    let html = page.split("<p").find(sentence)?;
    Some(words(html.split_once('>')?.1.split("</p>").next()?))
}
