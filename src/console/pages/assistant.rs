//! The assistant's page: enter moves, see what to execute on which board, press, call.

use maud::{Markup, html};
use shakmaty::{Role, Square};

use super::{boards, color_name, display, last_move, spoken, standing};
use crate::{
    log::numbered,
    view::{AdjournView, GameView, Seat},
    words::PageWords,
};
use annabella_words::phrase::PageText as T;

pub(super) fn parts(
    game: &GameView,
    words: &PageWords,
    private: bool,
) -> Vec<(&'static str, Markup)> {
    vec![
        ("standing", standing(game, words)),
        ("to-play", to_play(game, words)),
        ("seal", seal(game, words, private)),
        ("correcting", super::correcting(game, words)),
        ("enter", enter(game, words)),
        ("board", board(game, None, words)),
        ("last", last_move(game, words)),
        ("says", super::says::says(game, words)),
        ("call", call(words)),
        ("score", html! { (super::score_form(words)) (super::board_form(words)) }),
    ]
}

pub(super) fn news(game: &GameView, words: &PageWords) -> String {
    let play = |to_play: &crate::view::ToPlay| {
        let board = words.fill(T::PlayOn, &[("player", words.side(to_play.seat))]);
        format!("{board}: {}", to_play.mv.words)
    };
    match (game.to_play.first(), &game.last) {
        (Some(to_play), _) => play(to_play),
        (None, Some(last)) => last.words.to_string(),
        (None, None) => String::new(),
    }
}

fn to_play(game: &GameView, words: &PageWords) -> Markup {
    html! {
        h2 { (words.text(T::ToPlay)) }
        @if game.to_play.is_empty() { p { (words.text(T::NothingToPlay)) } }
        @for to_play in &game.to_play {
            div.to-play {
                p { (words.fill(T::PlayOn, &[("player", words.side(to_play.seat))])) ":" }
                p.words { (numbered(to_play.mv.ply, &to_play.mv.san)) " – " (spoken(&to_play.mv.words)) }
                @if to_play.confirm {
                    form.live method="post" action="/act" {
                        input type="hidden" name="act" value="played";
                        input type="hidden" name="seat" value=(color_name(to_play.seat));
                        input type="hidden" name="ply" value=(to_play.mv.ply);
                        button id=(format!("played-{}", color_name(to_play.seat))) type="submit" {
                            (words.text(T::Played))
                        }
                    }
                }
            }
        }
        @if let Some(seat) = game.presses_for {
            form.live method="post" action="/act" {
                input type="hidden" name="act" value="press";
                input type="hidden" name="seat" value=(color_name(seat));
                button #press type="submit" {
                    (words.fill(T::PressFor, &[("player", words.side(seat))]))
                }
            }
        }
    }
}

fn enter(game: &GameView, words: &PageWords) -> Markup {
    let Some(seat) = game.enters_for else { return html! {} };
    html! {
        h2 { label for="move" { (words.fill(T::EnterMove, &[("player", words.side(seat))])) } }
        form.live method="post" action="/act" {
            input type="hidden" name="act" value="move";
            input type="hidden" name="plies" value=(game.plies);
            input #move name="move" autocomplete="off" autocapitalize="off" spellcheck="false"
                maxlength="40" required aria-describedby="move-help";
            " "
            button #enter-move type="submit" { (words.text(T::Enter)) }
            br;
            small #move-help { (words.text(T::EnterHelp)) }
        }
    }
}

/// The board, of buttons where moves are entered. `from`: this square was chosen first.
pub(crate) fn board(game: &GameView, from: Option<Square>, words: &PageWords) -> Markup {
    let cells = display::position(&game.fen);
    if game.enters_for.is_none() {
        return boards::seen(words.text(T::Position), None, &cells, words);
    }
    const PROMOTIONS: [(Role, &str); 4] = [
        (Role::Queen, "queen"),
        (Role::Rook, "rook"),
        (Role::Bishop, "bishop"),
        (Role::Knight, "knight"),
    ];
    html! {
        form #board-form.live method="post" action="/act"
            data-chosen=(words.fill(T::FromChosen, &[("square", "{square}")])) {
            input type="hidden" name="act" value="move";
            input type="hidden" name="plies" value=(game.plies);
            input #from type="hidden" name="from" value=[from];
            p #board-help { (words.text(T::BoardHelp)) }
            @if let Some(from) = from {
                p.good { (words.fill(T::FromChosen, &[("square", &words.square(from))])) }
            }
            p {
                label for="promotion" { (words.text(T::Promotion)) }
                " "
                select #promotion name="promotion" {
                    option value="" { (words.text(T::NoPromotion)) }
                    @for (role, name) in PROMOTIONS { option value=(name) { (words.role(role)) } }
                }
            }
            (boards::buttons(&cells, from, words))
        }
    }
}

fn call(words: &PageWords) -> Markup {
    html! {
        h2 { (words.text(T::CallArbiter)) }
        form.live method="post" action="/act" {
            input type="hidden" name="act" value="call";
            label for="call-reason" { (words.text(T::Reason)) }
            " "
            input #call-reason name="reason" maxlength="200" autocomplete="off";
            " "
            button #call-arbiter type="submit" { (words.text(T::CallArbiter)) }
        }
        (super::simple("compare-boards", T::CompareBoards, words))
    }
}

/// The sealing player types the move himself. It is shown nowhere.
fn seal(game: &GameView, words: &PageWords, private: bool) -> Markup {
    let Some(AdjournView::Sealing(Seat(seat))) = game.adjournment else { return html! {} };
    html! {
        h2 { (words.fill(T::Sealing, &[("player", words.side(seat))])) }
        @if !private { p #not-encrypted { (words.text(T::NotEncrypted)) } }
        @else { form.live method="post" action="/act" {
            input type="hidden" name="act" value="seal";
            p #seal-help { (words.text(T::SealHelp)) }
            @for (name, text) in [("sealed", T::SealMove), ("again", T::SealAgain)] {
                @let id = format!("seal-{name}");
                p {
                    label for=(id) { (words.text(text)) } " "
                    input id=(id) type="password" name=(name) maxlength="100" required
                        autocomplete="off" autocapitalize="off" spellcheck="false"
                        aria-describedby="seal-help";
                }
            }
            p {
                input #seal-as-written type="checkbox" name="as-written" value="yes"; " "
                label for="seal-as-written" { (words.text(T::SealAsWritten)) }
            }
            button #seal type="submit" { (words.text(T::Seal)) }
        } }
    }
}
