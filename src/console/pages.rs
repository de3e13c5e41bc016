//! The pages as HTML. Everything that comes from outside is escaped where it is put in.

mod arbiter;
mod asked;
mod assistant;
mod boards;
mod display;
mod frame;
mod record;
mod says;
mod verdict;
mod whole_hall;

use std::borrow::Cow;

use maud::{Markup, html};
use shakmaty::{Color, Move, uci::UciMove};

use super::{
    Role,
    log::numbered,
    view::{Clocks, Correcting, GameView, View},
    whole_hall::Wanted,
    words::PageWords,
};
use annabella_core::game::{Asked, Boards, HandStep, Running, Task, read_fen};
use annabella_records::journal::export::clock_text;
use annabella_words::phrase::{PageText as T, Utterance};

pub(super) use arbiter::explained;
pub(super) use asked::{ends, slip};
pub(super) use assistant::{board as entry_board, promotion};
pub(super) use frame::{
    Notice, Page, away, board_is_away, card, message, page, pair, with_way_back,
};

/// A page's needs beside the game.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) words: &'a PageWords,
    /// Nobody in the network can read along.
    pub(super) private: bool,
    /// Of the hall.
    pub(super) wanted: Wanted,
}

/// The parts of a role's page, by the id of their place in it.
pub(super) fn parts(
    role: Role,
    view: &View,
    context: &Context<'_>,
) -> Vec<(Cow<'static, str>, String)> {
    let words = context.words;
    if let Some(hall) = view.hall.as_deref() {
        return whole_hall::parts(hall, context);
    }
    let Some(game) = view.game.as_deref() else {
        return vec![("standing".into(), no_game(None, words).into_string())];
    };
    let asked = [("asked", asked::part(role, game, None, words))];
    let parts = match role {
        Role::Arbiter => arbiter::parts(game, words),
        Role::Assistant => assistant::parts(game, words, context.private),
        Role::Display => display::parts(game, words),
    };
    let parts = asked.into_iter().chain(parts);
    parts.map(|(id, html)| (id.into(), html.into_string())).collect()
}

/// No game is at the table: since when, and whether anything is to be done here.
fn no_game(now_ms: Option<u64>, words: &PageWords) -> Markup {
    let asked = Asked { task: Task::Over, since: Default::default() };
    html! {
        h2.asked { (words.text(T::NoGame)) " " (asked::since(&asked, now_ms, words)) }
        p { (words.text(T::NoGameWait)) }
    }
}

/// The announcement for people who can't see the page, when it changes.
///
/// The hall's are numbered: the same may happen again.
pub(super) fn news(role: Role, view: &View, context: &Context<'_>) -> (u64, String) {
    match (view.hall.as_deref(), view.game.as_deref()) {
        (Some(hall), _) => whole_hall::news(hall, context),
        (None, Some(game)) => (0, news_of(role, game, context.words)),
        (None, None) => (0, String::new()),
    }
}

fn news_of(role: Role, game: &GameView, words: &PageWords) -> String {
    if let Some(urgent) = asked::news(role, game, words) {
        return urgent;
    }
    if let Some(ended) = &game.result {
        return format!("{}: {}", words.text(T::Result), ended.result);
    }
    if let Some(by) = game.offered {
        return words.fill(T::DrawOfferedBy, &[("player", words.side(by))]);
    }
    match role {
        Role::Arbiter => arbiter::news(game, words),
        Role::Assistant => assistant::news(game, words),
        Role::Display => display::news(game),
    }
}

/// The move of an address that is asked about: legal in place of the last one.
pub(super) fn slipped(game: &GameView, uci: &str) -> Option<Move> {
    let before = read_fen(game.fen_before.as_deref()?).ok()?;
    uci.parse::<UciMove>().ok()?.to_move(&before).ok()
}

/// Words with the language of each part, so that they are read out right.
fn spoken(words: &Utterance) -> Markup {
    html! {
        @for (n, part) in words.parts.iter().enumerate() {
            @if n > 0 { " " }
            span lang=(part.lang) { (part.text) }
        }
    }
}

/// The players, the side to move, and how the boards relate.
fn standing(game: &GameView, words: &PageWords) -> Markup {
    html! {
        h2 { (words.player(Color::White, &game.white)) " – " (words.player(Color::Black, &game.black)) }
        @if let Some(ended) = &game.result {
            p.result {
                strong { (words.text(T::Result)) ": " (ended.result) }
                " " (words.note_under(&ended.reason, ended.article))
            }
        } @else {
            p { (words.fill(T::ToMove, &[("player", words.side(game.to_move))])) }
        }
        (relation(game, words))
    }
}

/// How the boards stand to each other, in one line.
fn relation(game: &GameView, words: &PageWords) -> Markup {
    let lost = |asked: &Asked| matches!(asked.task, Task::BoardLost(_));
    let boards = match game.boards {
        _ if game.asked.arbiter.iter().any(lost) => (T::BoardsUnseen, "agree", "○"),
        Boards::Agree if game.board.iter().any(|board| board.blind && !board.seen) => {
            (T::BoardsUnseen, "agree", "○")
        }
        Boards::Agree => (T::BoardsAgree, "agree", "✓"),
        Boards::Pending => (T::BoardsPending, "pending", "…"),
        Boards::Differ => (T::BoardsDiffer, "differ", "≠"),
    };
    html! {
        p class=(format!("boards {}", boards.1)) {
            span aria-hidden="true" { (boards.2) " " } (words.text(boards.0))
        }
    }
}

fn last_move(game: &GameView, words: &PageWords) -> Markup {
    html! {
        h2 { (words.text(T::LastMove)) }
        @match &game.last {
            Some(last) => p.words { (words.san(&numbered(last.ply, &last.san))) " – " (spoken(&last.words)) },
            None => p { (words.text(T::NoMove)) },
        }
    }
}

/// Both clocks as they stand. A script counts on.
pub(super) fn clocks(clocks: Clocks, words: &PageWords) -> Markup {
    let side = |color: Color, ms: u64| {
        let runs = clocks.running == color.fold_wb(Running::White, Running::Black);
        let name = color.fold_wb("white", "black");
        html! {
            div class=(if runs { "clock runs" } else { "clock" }) data-clock=(name) data-ms=(ms) {
                dt { (words.side(color)) }
                dd {
                    span.time { (clock_text(ms)) } " "
                    span.runs-mark { @if runs { "▶ " (words.text(T::Running)) } }
                }
            }
        }
    };
    html! {
        h2 { (words.text(T::Clocks)) }
        dl.clocks data-running-text=(words.text(T::Running)) {
            (side(Color::White, clocks.white_ms))
            (side(Color::Black, clocks.black_ms))
        }
    }
}

/// The steps left on a board after a decision (D.2.9), and the button of the person who reports
/// them done.
fn correcting(game: &GameView, words: &PageWords) -> Markup {
    let mut ways: Vec<(Color, &Correcting)> =
        [Color::White, Color::Black].into_iter().zip(&game.correcting).collect();
    // First what somebody has to report here.
    ways.sort_by_key(|(_, way)| !way.confirm);
    html! {
        @for (seat, way) in ways {
            @if !way.steps.is_empty() {
                (steps_for(seat, way, words))
                @if way.confirm {
                    form.live method="post" action="/act" {
                        (does("corrected", game)) (of_ply(game))
                        input type="hidden" name="seat" value=(color_name(seat));
                        button id=(format!("corrected-{}", color_name(seat))) type="submit" {
                            (words.side(seat)) ": " (words.text(T::Played))
                        }
                    }
                }
            }
        }
    }
}

/// The steps left for this player.
fn steps_for(seat: Color, way: &Correcting, words: &PageWords) -> Markup {
    let piece = |letter: char| shakmaty::Piece::from_char(letter).map(|piece| words.piece(piece));
    let step = |step: &HandStep| match *step {
        HandStep::Take { take, piece: taken } => {
            let piece = taken.and_then(piece).unwrap_or(words.text(T::SomePiece));
            words.fill(T::StepRemove, &[("piece", piece), ("from", &words.square_both(take))])
        }
        HandStep::Put { put, piece: wanted } => {
            let piece = piece(wanted).unwrap_or(words.text(T::SomePiece));
            words.fill(T::StepSet, &[("piece", piece), ("to", &words.square_both(put))])
        }
    };
    html! {
        h2 { (words.fill(T::StepsFor, &[("player", words.side(seat))])) }
        ol { @for one in &way.steps { li { (step(one)) } } }
    }
}

/// The tasks left before the clocks go on (D.2.9).
fn still_open(game: &GameView, words: &PageWords) -> Markup {
    let corrected = [Color::White, Color::Black].into_iter().zip(&game.correcting);
    let corrected: Vec<Color> =
        corrected.filter(|(_, way)| !way.steps.is_empty()).map(|(seat, _)| seat).collect();
    html! {
        @if !corrected.is_empty() {
            div #still-open {
                p { (words.text(T::StillOpen)) ":" }
                ul {
                    @for seat in corrected {
                        li { (words.fill(T::BoardIsCorrected, &[("player", words.side(seat))])) }
                    }
                }
            }
        }
    }
}

/// What a form does, and in which game.
fn does(act: &str, game: &GameView) -> Markup {
    html! {
        input type="hidden" name="act" value=(act);
        (of_game(game))
    }
}

/// The game that a form's page shows: sent in another one, it is refused.
fn of_game(game: &GameView) -> Markup {
    html! { input type="hidden" name="game" value=(game.id) data-shown; }
}

/// The half-move of which alone a form is meant.
fn of_ply(game: &GameView) -> Markup {
    html! { input type="hidden" name="plies" value=(game.plies) data-shown; }
}

/// A button that needs no more words.
fn simple(act: &str, text: T, game: &GameView, words: &PageWords) -> Markup {
    html! {
        form.live method="post" action="/act" {
            (does(act, game))
            button id=(act) type="submit" { (words.text(text)) }
        }
    }
}

/// Which player a form is about.
fn player(form: &str, words: &PageWords) -> Markup {
    let id = format!("{form}-seat");
    html! {
        label for=(id) { (words.text(T::Player)) }
        " "
        select id=(id) name="seat" {
            @for color in [Color::White, Color::Black] {
                option value=(color_name(color)) { (words.side(color)) }
            }
        }
        " "
    }
}

/// How a board stands that nobody sees, entered by hand.
fn board_form(game: &GameView, words: &PageWords) -> Markup {
    html! {
        details #details-stands {
            summary { (words.text(T::EnterBoard)) }
            form.live method="post" action="/act" {
                (does("stands", game))
                (player("stands", words))
                label for="stands-fen" { "FEN" }
                " "
                input #stands-fen name="fen" maxlength="100" size="40" required autocomplete="off"
                    autocapitalize="off" spellcheck="false";
                " "
                button #enter-board type="submit" { (words.text(T::Enter)) }
            }
        }
    }
}

/// A player's score, typed or pasted.
fn score_form(game: &GameView, words: &PageWords) -> Markup {
    html! {
        details #details-score {
            summary { (words.text(T::CompleteScore)) }
            form.live method="post" action="/act" {
                (does("score", game))
                (player("score", words))
                label for="score-after" { (words.text(T::AfterHalfMove)) }
                " "
                input #score-after name="after" inputmode="numeric" maxlength="4" size="4" value="0"
                    autocomplete="off";
                br;
                label for="score-text" { (words.text(T::ScoreHelp)) }
                br;
                textarea #score-text name="text" rows="6" maxlength="20000" required
                    autocapitalize="off" spellcheck="false" {}
                br;
                button #hand-in type="submit" { (words.text(T::HandIn)) }
            }
        }
    }
}

fn color_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}
