//! The assistant's page: enter moves, see what to execute on which board, press, call.

use maud::{Markup, html};
use shakmaty::{Piece, Role, Square};

use super::{boards, color_name, display, last_move, standing};
use crate::{
    log::numbered,
    view::{AdjournView, GameView, SeatColor},
    words::PageWords,
};
use annabella_core::game::Boards;
use annabella_words::{phrase::PageText as T, text::role_name};

pub(super) fn parts(
    game: &GameView,
    words: &PageWords,
    private: bool,
) -> Vec<(&'static str, Markup)> {
    vec![
        ("to-play", to_play(game, words)),
        ("seal", seal(game, words, private)),
        ("correcting", super::correcting(game, words)),
        ("enter", enter(game, words)),
        ("board", board(game, None, words)),
        ("standing", standing(game, words)),
        ("last", last_move(game, words)),
        ("says", super::says::says(game, words)),
        ("call", call(game, words)),
        ("score", html! { (super::score_form(game, words)) (super::board_form(game, words)) }),
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
        (super::says::answer(game, words))
        @let put_right = game.correcting.iter().any(|way| !way.steps.is_empty());
        @if game.boards == Boards::Differ && !put_right { (boards::differences(game, words)) }
        @for to_play in game.to_play.iter().filter(|to_play| to_play.confirm) {
            form.live.to-play method="post" action="/act" data-later {
                (super::does("played", game))
                input type="hidden" name="seat" value=(color_name(to_play.seat));
                input type="hidden" name="ply" value=(to_play.mv.ply);
                button id=(format!("played-{}", color_name(to_play.seat))) type="submit" {
                    (words.san(&numbered(to_play.mv.ply, &to_play.mv.san))) ": " (words.text(T::Played))
                }
            }
        }
        @if let Some(seat) = game.presses_for {
            form.live method="post" action="/act" data-later {
                (super::does("press", game)) (super::of_ply(game))
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
        form.live.entry method="post" action="/act" data-later {
            (super::does("move", game))
            input type="hidden" name="plies" value=(game.plies);
            input #move name="move" autocomplete="off" autocapitalize="off" spellcheck="false"
                maxlength="40" required aria-describedby="move-help";
            " "
            button #enter-move type="submit" { (words.text(T::Enter)) }
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
    // What differs on the sighted player's board is marked where it stands.
    let marked = game.board.iter().find(|board| Some(board.seat) == game.speaks);
    let marks = marked.into_iter().flat_map(|board| &board.cells).map(|cell| cell.mark);
    let mut cells = cells;
    cells.iter_mut().zip(marks).for_each(|(cell, mark)| cell.mark = mark);
    html! {
        form #board-form.live method="post" action="/act" data-later
            data-chosen=(words.fill(T::FromChosen, &[("square", "{square}")])) {
            (super::does("move", game))
            input type="hidden" name="plies" value=(game.plies);
            input #from type="hidden" name="from" value=[from];
            p #board-help { (words.text(T::BoardHelp)) }
            p.with-script {
                button #turn type="button" aria-pressed="false" { (words.text(T::TurnBoard)) }
            }
            @if let Some(from) = from {
                p.good { (words.fill(T::FromChosen, &[("square", &words.square(from))])) }
            }
            (boards::buttons(&cells, from, words))
        }
    }
}

/// The question which piece a pawn becomes, in place of the board.
pub(crate) fn promotion(game: &GameView, from: Square, to: Square, words: &PageWords) -> Markup {
    let Some(color) = game.enters_for else { return html! {} };
    const PIECES: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
    html! {
        form #promotion-form.live method="post" action="/act" data-asks=(game.plies) {
            (super::does("move", game))
            input type="hidden" name="plies" value=(game.plies);
            input type="hidden" name="from" value=(from);
            input type="hidden" name="to" value=(to);
            fieldset {
                legend { (words.text(T::Promotion)) " (" (words.square_both(to)) ")" }
                @for role in PIECES {
                    @let name = role_name(role);
                    button.choice id=(format!("becomes-{name}")) type="submit" name="promotion" value=(name)
                        autofocus[role == Role::Queen] {
                        (boards::figure(Piece { color, role })) " " (words.role(role))
                    }
                    " "
                }
                a #becomes-nothing.button href="/assistant#board" { (words.text(T::Cancel)) }
            }
        }
    }
}

/// The call from the bar that stays in sight. It is meant in whatever game stands there by now.
pub(super) fn call_now(words: &PageWords) -> Markup {
    html! {
        form.live method="post" action="/act" data-later {
            input type="hidden" name="act" value="call";
            button #call-now type="submit" { (words.text(T::CallArbiter)) }
        }
    }
}

fn call(game: &GameView, words: &PageWords) -> Markup {
    html! {
        h2 { (words.text(T::CallArbiter)) }
        form.live method="post" action="/act" data-later {
            (super::does("call", game))
            label for="call-reason" { (words.text(T::Reason)) }
            " "
            input #call-reason name="reason" maxlength="200" autocomplete="off";
            " "
            button #call-arbiter type="submit" { (words.text(T::CallArbiter)) }
        }
        (super::simple("compare-boards", T::CompareBoards, game, words))
    }
}

/// The sealing player types the move himself. It is shown nowhere.
fn seal(game: &GameView, words: &PageWords, private: bool) -> Markup {
    let Some(AdjournView::Sealing(SeatColor(seat))) = game.adjournment else { return html! {} };
    html! {
        h2.hidden { (words.fill(T::Sealing, &[("player", words.side(seat))])) }
        @if !private { p #not-encrypted { (words.text(T::NotEncrypted)) } }
        @else { form.live method="post" action="/act" {
            (super::does("seal", game)) (super::of_ply(game))
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
            button #seal-now type="submit" { (words.text(T::Seal)) }
        } }
    }
}
