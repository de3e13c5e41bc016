//! The frame of every page.

use maud::{DOCTYPE, Markup, html};

use super::{asked::age, clocks, whole_hall};
use crate::{
    Codes, Role,
    beyond::BoardAway,
    live::Rendered,
    reach::{Reach, drawing},
    whole_hall::{Look, Wanted},
    words::{Languages, PageWords},
};
use annabella_words::phrase::PageText as T;

/// The outcome of the last request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notice {
    pub(crate) good: bool,
    /// One line.
    pub(crate) text: String,
}

/// The parts of a page.
pub(crate) struct Page<'a> {
    pub(crate) role: Role,
    pub(crate) by: &'a str,
    pub(crate) words: &'a PageWords,
    pub(crate) languages: &'a Languages,
    pub(crate) rendered: &'a Rendered,
    pub(crate) notice: Option<Notice>,
    /// Made for this page alone, in place of the part of this name.
    pub(crate) own_part: Option<(&'static str, String)>,
    /// Seconds between reloads where there are no scripts.
    pub(crate) every_s: Option<u32>,
    pub(crate) report: bool,
    /// Of the hall.
    pub(crate) wanted: Wanted,
    /// It is a page of the board of this number, looked at through the hall.
    pub(crate) through: Option<u32>,
}

fn role_name(role: Role, words: &PageWords) -> &str {
    words.text(match role {
        Role::Arbiter => T::Arbiter,
        Role::Assistant => T::Assistant,
        Role::Display => T::Display,
    })
}

fn head(title: &str, every_s: Option<u32>) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (title) " – Annabella" }
            link rel="stylesheet" href="/style.css";
            link rel="icon" href="/icon.svg" type="image/svg+xml";
            script src="/script.js" defer {}
            @if let Some(seconds) = every_s {
                noscript { meta http-equiv="refresh" content=(seconds); }
            }
        }
    }
}

fn language_form(words: &PageWords, languages: &Languages) -> Markup {
    html! {
        form.inline method="post" action="/language" {
            label for="language" { (words.text(T::Language)) }
            " "
            select #language name="language" {
                @for (code, name) in languages.names() {
                    option value=(code) lang=(code) selected[code == words.code()] { (name) }
                }
            }
            " "
            button #change-language type="submit" { (words.text(T::Change)) }
        }
    }
}

/// A whole page of a role.
pub(crate) fn page(page: &Page<'_>) -> Markup {
    let Page { role, words, rendered, .. } = page;
    let role = *role;
    let hall = rendered.view.hall.as_deref();
    // Two pages side by side are told apart by what comes first.
    let name = role_name(role, words);
    let title = match (hall, page.through) {
        (Some(hall), _) => format!("{} {} – {name}", words.text(T::WholeHall), hall.event),
        (None, Some(board)) => format!("{} – {name}", whole_hall::number(board, words)),
        (None, None) => name.to_owned(),
    };
    let reload = format!("/{role}{}", page.wanted.query("?"));
    let every = format!("/{role}?every=10{}", page.wanted.query("&"));
    html! {
        (DOCTYPE)
        html lang=(words.code()) {
            (head(&title, page.every_s))
            body class=(if hall.is_some() { "hall" } else { role.as_str() })
                data-lost=(words.text(T::ConnectionLost))
                data-back=(words.text(T::ConnectionBack))
                data-over=(words.text(T::SessionOver))
                data-later=(words.text(T::SentLater))
                data-unsent=(words.text(T::NotSent)) {
                a.skip href="#main" { (words.text(T::SkipToMain)) }
                header {
                    @if page.through.is_some() {
                        p { a #back-to-hall href="../../" { (words.text(T::BackToHall)) } }
                    }
                    h1 { (title) @if !page.by.is_empty() { " – " (page.by) } }
                }
                @if hall.is_none() { (super::boards::drawings()) }
                @else if page.wanted.look == Look::Boards { (whole_hall::drawings()) }
                p #connection role="status" {}
                p #news.hidden role="status" data-number=(rendered.news.0) data-text=(rendered.news.1) {}
                main #main tabindex="-1" {
                    @match hall {
                        Some(hall) => {
                            (notice(page))
                            (whole_hall::main(hall, role, &rendered.parts, page.wanted, words))
                        },
                        None => (sections(page)),
                    }
                }
                footer {
                    @if page.report && role == Role::Arbiter {
                        p { a #report href="/report" { (words.text(T::Report)) } }
                    }
                    @if role == Role::Arbiter && page.through.is_none() {
                        p { a #card href="/card" { (words.text(T::Card)) } }
                    }
                    p.without-script {
                        a #reload href=(reload) { (words.text(T::Reload)) }
                        @if role != Role::Display {
                            " · "
                            @if page.every_s.is_some() {
                                a #reload-stop href=(reload) { (words.text(T::ReloadStop)) }
                            } @else {
                                a #reload-itself href=(every) { (words.text(T::ReloadItself)) }
                            }
                        }
                    }
                    @if page.through.is_none() { (session_forms(page)) }
                }
            }
        }
    }
}

/// The parts of a game's page.
fn sections(page: &Page<'_>) -> Markup {
    let Page { words, rendered, .. } = page;
    let game = rendered.view.game.as_deref();
    // How long it is asked is counted on for each page.
    let asked =
        game.map(|game| super::asked::part(page.role, game, Some(rendered.now_ms()), words));
    let asked = match asked {
        Some(html) => Some(("asked", html.into_string())),
        None => Some(("standing", super::no_game(Some(rendered.now_ms()), words).into_string())),
    };
    let own = |id: &str| {
        let parts = page.own_part.iter().chain(&asked);
        parts.clone().find(|(own, _)| *own == id).map(|(_, html)| html)
    };
    // The assistant's first screen is for entering moves.
    let clocks_after = if page.role == Role::Assistant { "standing" } else { "asked" };
    html! {
        @if game.is_none() { (notice(page)) }
        @for part in &rendered.parts {
            section.part id=(part.id) { (maud::PreEscaped(own(&part.id).unwrap_or(&part.html))) }
            @if part.id == "asked" { (notice(page)) }
            // They are counted on for each page.
            @if part.id == clocks_after && game.is_some() {
                section.part #clocks {
                    (clocks(rendered.clocks_now(), words))
                    @if page.role == Role::Assistant { (super::assistant::call_now(words)) }
                }
            }
            @if part.id == "undo" {
                p.with-script.call-sound {
                    button #call-sound type="button" aria-pressed="false" { (words.text(T::CallSound)) }
                }
            }
        }
    }
}

/// What came of the last request.
fn notice(page: &Page<'_>) -> Markup {
    html! {
        div #notice role="status" {
            @if let Some(notice) = &page.notice { (notice_text(notice, page.words)) }
        }
    }
}

/// What concerns the reader's own session. Through the hall it is the hall's.
fn session_forms(page: &Page<'_>) -> Markup {
    let words = page.words;
    html! {
        (language_form(words, page.languages))
        // One touch alone shuts nobody out.
        (sure_form("leave", T::Leave, T::LeaveSure, words))
        @if page.role == Role::Arbiter {
            (sure_form("close-others", T::CloseOthers, T::CloseOthersSure, words))
        }
    }
}

/// A button that is unfolded first, with what it comes to.
fn sure_form(act: &str, text: T, comes_to: T, words: &PageWords) -> Markup {
    html! {
        details id=(format!("details-{act}")) {
            summary { (words.text(text)) }
            form method="post" action=(format!("/{act}")) {
                p { (words.text(comes_to)) }
                button id=(act) type="submit" { (words.text(text)) }
            }
        }
    }
}

fn notice_text(notice: &Notice, words: &PageWords) -> Markup {
    html! {
        @if notice.good {
            p.good { span aria-hidden="true" { "✓ " } (notice.text) }
        } @else {
            p.bad {
                span aria-hidden="true" { "✗ " } (words.text(T::Refused)) ": "
                (notice.text)
            }
        }
    }
}

/// The page that asks for a code; `by` is the name that was typed beside a wrong one.
pub(crate) fn pair(
    words: &PageWords,
    languages: &Languages,
    wrong: Option<&str>,
    by: &str,
) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(words.code()) {
            (head(words.text(T::PairTitle), None))
            body.pair {
                a.skip href="#main" { (words.text(T::SkipToMain)) }
                header { h1 { (words.text(T::PairTitle)) } }
                main #main tabindex="-1" {
                    @if let Some(wrong) = wrong {
                        p.bad #wrong role="alert" { span aria-hidden="true" { "✗ " } (wrong) }
                    }
                    form method="post" action="/pair" {
                        p {
                            label for="code" { (words.text(T::PairCode)) }
                            br;
                            input #code name="code" inputmode="numeric" autocomplete="one-time-code"
                                maxlength="20" required autofocus aria-describedby="code-help";
                            br;
                            small #code-help { (words.text(T::PairHelp)) }
                        }
                        p {
                            label for="by" { (words.text(T::ArbiterName)) }
                            br;
                            input #by name="by" autocomplete="name" maxlength="60" value=(by);
                        }
                        p { button #open type="submit" { (words.text(T::PairOpen)) } }
                    }
                }
                footer { (language_form(words, languages)) }
            }
        }
    }
}

/// The pages of assistant and display: a picture for a camera, the address, the code.
pub(crate) fn card(words: &PageWords, reach: &Reach, codes: &Codes) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(words.code()) {
            (head(words.text(T::Card), None))
            body.card {
                header { h1 { (words.text(T::Card)) } }
                main #main {
                    @if !reach.is_wide() {
                        p.bad { (words.text(T::CardHere)) }
                    }
                    @for role in [Role::Assistant, Role::Display] {
                        section.part id=(role) {
                            h2 { (role_name(role, words)) }
                            p { (words.text(T::CardScan)) }
                            @let picture = reach.with_code(codes.of(role)).as_deref().and_then(drawing);
                            @if let Some(picture) = picture {
                                figure.picture aria-hidden="true" { (maud::PreEscaped(picture)) }
                            }
                            ul { @for address in reach.addresses() { li { (address) } } }
                            p.code { (words.fill(T::CardCode, &[("code", &spaced(codes.of(role)))])) }
                            @if role.acts() {
                                p { (words.text(T::CardOnce)) }
                            }
                        }
                    }
                }
                footer { p { a href="/" { (words.text(T::Reload)) } } }
            }
        }
    }
}

/// Digits in groups of four, as one reads them out.
fn spaced(code: &str) -> String {
    let (first, rest) = code.split_at_checked(4).unwrap_or((code, ""));
    format!("{first} {rest}").trim_end().to_owned()
}

/// A report as it is read on a screen: it leads back to the page from which it was opened.
pub(crate) fn with_way_back(report: &str, words: &PageWords) -> String {
    let way = html! {
        nav lang=(words.code()) { a #back href="/arbiter" { (words.text(T::BackToPage)) } }
    };
    report.replacen("<body>", &format!("<body>\n{}", way.into_string()), 1)
}

/// A page that says one thing.
pub(crate) fn message(words: &PageWords, about: T) -> Markup {
    let text = words.text(about);
    short(text, html! { p { a #reload href="/" { (words.text(T::Reload)) } } }, words)
}

/// A board of the hall does not answer: which, since when nothing is heard of it, what to do.
pub(crate) fn away(words: &PageWords, away: BoardAway) -> Markup {
    let since = away.silent_ms.map(|ms| words.fill(T::BoardAwaySince, &[("time", &age(ms))]));
    let more = html! {
        @if let Some(since) = since { p #silent { (since) } }
        p { (words.text(T::BoardAwayDo)) }
        p.ways {
            a #try-again href=(whole_hall::address(away.board)) { (words.text(T::TryAgain)) } " "
            a #back-to-hall href="/" { (words.text(T::BackToHall)) }
        }
    };
    short(&board_is_away(words, away), more, words)
}

/// The same in a sentence.
pub(crate) fn board_is_away(words: &PageWords, BoardAway { board, .. }: BoardAway) -> String {
    words.fill(T::BoardAway, &[("n", &board.to_string())])
}

fn short(title: &str, more: Markup, words: &PageWords) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(words.code()) {
            (head(title, None))
            body.short { main #main { h1 { (title) } (more) } }
        }
    }
}
