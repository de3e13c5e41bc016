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

/// The page's text between the heading of the decision and its form.
pub(super) fn decision(page: &str) -> Option<String> {
    let rest = page.split("Decision under D.2.9").nth(1)?;
    Some(format!("D.2.9: {}", words(rest.split("<form").next()?)))
}

/// The entries that the page asks for, if any.
pub(super) fn asked_for(page: &str) -> Option<String> {
    let sentence = |html: &&str| html.contains(" has yet to write ");
    let html = page.split("<p").find(sentence)?;
    Some(words(html.split_once('>')?.1.split("</p>").next()?))
}
