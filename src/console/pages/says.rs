//! Entries for the sighted player, who has no microphone (5.1.2, 9.1, 9.2).

use maud::{Markup, html};
use shakmaty::Color;

use super::color_name;
use crate::{view::GameView, words::PageWords};
use annabella_words::phrase::PageText as T;

/// A form for each thing that he may say. Anything that can't be taken back needs a tick.
pub(super) fn says(game: &GameView, words: &PageWords) -> Markup {
    let Some(seat) = game.speaks else { return html! {} };
    html! {
        h2 { (words.fill(T::PlayerSays, &[("player", words.side(seat))])) }
        (forms(game, seat, words))
    }
}

/// The answer to an offer of a draw, which is what is asked of the sighted player.
pub(super) fn answer(game: &GameView, words: &PageWords) -> Markup {
    let Some(seat) = game.speaks.filter(|seat| game.offered == Some(!*seat)) else {
        return html! {};
    };
    html! {
        (sure("accepts-draw", T::AcceptDraw, seat, html! {}, game, words))
        (plain("declines-draw", T::DeclineDraw, seat, game, words))
    }
}

fn forms(game: &GameView, seat: Color, words: &PageWords) -> Markup {
    let one = |word: &str, text: T| plain(word, text, seat, game, words);
    html! {
        @if game.offered.is_none() {
            details #details-offer {
                summary { (words.text(T::OfferDraw)) }
                (sure("offers-draw", T::OfferDraw, seat, html! {}, game, words))
            }
        }
        @if game.to_move == seat {
            (one("adjusts", T::Adjusts))
            details #details-claim {
                summary { (words.text(T::ClaimDraw)) }
                (sure("claims-draw", T::ClaimDraw, seat, claim(words), game, words))
            }
        }
        details #details-flag {
            summary { (words.text(T::ClaimFlag)) }
            (sure("claims-flag", T::ClaimFlag, seat, html! {}, game, words))
        }
        details #details-resign {
            summary { (words.text(T::Resign)) }
            (sure("resigns", T::Resign, seat, html! {}, game, words))
        }
    }
}

/// The same below one line, for the arbiter's page.
pub(super) fn folded(game: &GameView, words: &PageWords) -> Markup {
    let Some(seat) = game.speaks else { return html! {} };
    html! {
        details #details-says {
            summary { (words.fill(T::PlayerSays, &[("player", words.side(seat))])) }
            (answer(game, words))
            (forms(game, seat, words))
        }
    }
}

fn hidden(word: &str, seat: Color, game: &GameView) -> Markup {
    html! {
        (super::does("says", game))
        input type="hidden" name="word" value=(word);
        input type="hidden" name="seat" value=(color_name(seat));
    }
}

fn plain(word: &str, text: T, seat: Color, game: &GameView, words: &PageWords) -> Markup {
    html! {
        form.live method="post" action="/act" {
            (hidden(word, seat, game))
            button id=(word) type="submit" { (words.text(text)) }
        }
    }
}

fn sure(
    word: &str,
    text: T,
    seat: Color,
    more: Markup,
    game: &GameView,
    words: &PageWords,
) -> Markup {
    let tick = format!("{word}-sure");
    html! {
        form.live method="post" action="/act" {
            (hidden(word, seat, game))
            (super::of_ply(game))
            (more)
            p {
                input id=(tick) type="checkbox" name="sure" value="yes" required; " "
                label for=(tick) { (words.fill(T::Sure, &[("player", words.side(seat))])) }
            }
            button id=(word) type="submit" { (words.text(text)) }
        }
    }
}

fn claim(words: &PageWords) -> Markup {
    html! {
        fieldset {
            legend { (words.text(T::Reason)) }
            @for (value, text, checked) in [
                ("repetition", T::ByRepetition, true),
                ("fifty", T::ByFifty, false),
            ] {
                @let id = format!("claim-{value}");
                div {
                    input type="radio" id=(id) name="by" value=(value) checked[checked]; " "
                    label for=(id) { (words.text(text)) }
                }
            }
        }
        p {
            label for="claim-move" { (words.text(T::IntendedMove)) } " "
            input #claim-move name="move" maxlength="40" autocomplete="off" autocapitalize="off"
                spellcheck="false";
        }
    }
}
