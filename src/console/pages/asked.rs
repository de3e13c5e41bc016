//! What every page begins with: one sentence that says what is asked of its reader, and since when.

use maud::{Markup, html};
use shakmaty::{Color, Move, Piece};

use super::{spoken, verdict::verdict_line};
use crate::{
    Role,
    log::numbered,
    view::{GameView, MoveView, SeatColor, UndoView, VerdictView},
    words::PageWords,
};
use annabella_core::{
    game::{Asked, Call, Caller, IllegalMove, MovedPiece, Task},
    laws::Article,
};
use annabella_records::journal::export::clock_text;
use annabella_words::{phrase::PageText as T, text::role_name};

/// The part of a role's page. `now_ms`: the service's time, where the page itself does not count
/// on.
pub(super) fn part(role: Role, game: &GameView, now_ms: Option<u64>, words: &PageWords) -> Markup {
    let asked = of(role, game);
    let since = |asked: &Asked| since(asked, now_ms, words);
    let call = asked.iter().find_map(|asked| call(&asked.task));
    html! {
        @for (n, one) in asked.iter().enumerate() {
            @if n == 0 {
                // A slip of typing is asked about as long as its move stands and is not completed.
                h2.asked .call[call.is_some_and(|_| role == Role::Arbiter)]
                    data-slip=[game.fen_before.as_ref().and(slip_of(game))] data-plies=(game.plies)
                    data-call=[call.filter(|_| role == Role::Arbiter).map(|call| call.at.ms)] {
                    (sentence(&one.task, role, game, words)) " " (since(one))
                }
            }
        }
        @if role == Role::Arbiter { @if let Some(call) = call { (answer(call, game, words)) } }
        @if role == Role::Display { (on_display(game, words)) }
        // On the page alone nothing is to be entered any more.
        @if role == Role::Assistant && game.result.is_some() { p #end-slip { (words.text(T::EndSlip)) } }
        @if let Some(by) = game.offered.filter(|_| !asked.iter().any(answers_draw)) {
            p.offer { (words.fill(T::DrawOfferedBy, &[("player", words.side(by))])) }
        }
        @if asked.len() > 1 {
            ul.also aria-label=(words.text(T::AskedAlso)) {
                @for one in &asked[1..] {
                    li { (sentence(&one.task, role, game, words)) " " (since(one)) }
                }
            }
        }
    }
}

fn of(role: Role, game: &GameView) -> &[Asked] {
    match role {
        Role::Arbiter => &game.asked.arbiter,
        Role::Assistant => &game.asked.assistant,
        Role::Display => &game.asked.display,
    }
}

fn answers_draw(asked: &Asked) -> bool {
    matches!(asked.task, Task::AnswerDraw(_))
}

/// Nothing that is seen differs: somebody wants the boards compared.
fn is_by_hand(game: &GameView) -> bool {
    game.decision.as_ref().is_some_and(|decision| decision.verdict == VerdictView::Inspect)
}

fn call(task: &Task) -> Option<&Call> {
    match task {
        Task::Called(call) => Some(call),
        _ => None,
    }
}

/// What whoever does not see the page hears of at once, if the game waits for something. Of boards
/// that differ the arbiter hears more than that.
pub(super) fn news(role: Role, game: &GameView, words: &PageWords) -> Option<String> {
    let first = of(role, game).first()?;
    let urgent = match first.task {
        Task::Called(_)
        | Task::Illegal { .. }
        | Task::Flag { .. }
        | Task::WrongClaim { .. }
        | Task::Decide { .. }
        | Task::ClockLost
        | Task::BoardLost(_) => true,
        Task::BoardsDiffer
        | Task::ClocksStand
        | Task::PutBack(_)
        | Task::Correct(_)
        | Task::AnswerDraw(_)
        | Task::Seal(_)
        | Task::Adjourned => role != Role::Arbiter,
        _ => false,
    };
    urgent.then(|| text(&first.task, role, game, words))
}

/// Until a script counts on, the time is that of the page.
pub(super) fn since(asked: &Asked, now_ms: Option<u64>, words: &PageWords) -> Markup {
    let waits = |now_ms: u64| {
        let time = age(now_ms.saturating_sub(asked.since.ms));
        words.fill(T::AskedSince, &[("time", &time)])
    };
    html! {
        span.since data-since=(asked.since.ms) data-text=(words.text(T::AskedSince)) {
            @if let Some(now_ms) = now_ms { (waits(now_ms)) }
        }
    }
}

/// `0:40`, and with hours `1:00:40`.
pub(super) fn age(ms: u64) -> String {
    let text = clock_text(ms);
    let short = text.strip_prefix("0:").unwrap_or(&text);
    // Minutes have no nought before them.
    short.strip_prefix('0').unwrap_or(short).to_owned()
}

/// What the sighted player has to do to his board; else the newest announcement, large: a deaf
/// player reads what is said (D.2.11).
fn on_display(game: &GameView, words: &PageWords) -> Markup {
    let way = game.speaks.map(|seat| (seat, &game.correcting[usize::from(seat.is_black())]));
    if let Some((seat, way)) = way.filter(|(_, way)| !way.steps.is_empty()) {
        return html! { div.newest { (super::steps_for(seat, way, words)) } };
    }
    // What is said of a move that is being sealed is for its player's ear.
    let said = game.newest.as_ref().filter(|_| game.adjournment.is_none());
    html! { @if let Some(said) = said { p.newest { (spoken(said)) } } }
}

/// A word of the arbiter's answers a call.
fn answer(call: &Call, game: &GameView, words: &PageWords) -> Markup {
    html! {
        @if !call.reason.is_empty() { p { q { (call.reason) } } }
        form.live method="post" action="/act" data-later {
            (super::does("note", game))
            input type="hidden" name="text" value=(words.text(T::AnswerCall));
            button #answer-call type="submit" { (words.text(T::AnswerCall)) }
        }
    }
}

/// The same without marks.
fn text(task: &Task, role: Role, game: &GameView, words: &PageWords) -> String {
    let of = |text: T, seat: &Color| words.fill(text, &[("player", words.side(*seat))]);
    let plain = |text: T| words.text(text).to_owned();
    let (arbiter, display) = (role == Role::Arbiter, role == Role::Display);
    match task {
        Task::Called(call) => match &call.by {
            Caller::Player(seat) => of(T::AskedCalls, seat),
            Caller::Stopped(seat) => of(T::AskedStopped, seat),
            Caller::Assistant if role == Role::Assistant => plain(T::ArbiterCalled),
            Caller::Assistant => plain(T::AskedAssistantCalls),
        },
        Task::Illegal { seat, illegal, .. } => illegal_move(*seat, illegal, words),
        Task::Flag { seat, .. } => of(T::AskedFlag, seat),
        Task::WrongClaim { seat, .. } => of(T::AskedWrongClaim, seat),
        Task::Decide { article, proposal } => {
            let known = game.proposals.iter().find(|known| known.number == *proposal);
            let what = known.map_or_else(
                || article.to_string(),
                |known| words.note_under(&known.text, *article),
            );
            words.fill(T::AskedDecide, &[("what", &what)])
        }
        Task::BoardsDiffer if arbiter => verdict_line(game, words),
        Task::BoardsDiffer if is_by_hand(game) => plain(T::AskedCompare),
        Task::BoardsDiffer => plain(T::AskedAwaitArbiter),
        Task::ClockLost => plain(T::ClockLost),
        Task::BoardLost(seat) => of(T::BoardLost, seat),
        Task::ClocksStand if arbiter => {
            // A clock at nought would run for ever: no flag falls twice.
            let times =
                [(Color::White, game.clocks.white_ms), (Color::Black, game.clocks.black_ms)];
            let down = times.iter().filter(|(_, ms)| *ms == 0);
            let first = down.map(|(seat, _)| of(T::AskedSetFirst, seat));
            first.chain([plain(T::AskedGoOn)]).collect::<Vec<_>>().join(" ")
        }
        Task::ClocksStand => plain(T::AskedClocksStand),
        Task::PutBack(seat) => of(T::AskedPutBack, seat),
        // The blind player hears what to do on his pegs.
        Task::Correct(seat) if !arbiter && game.speaks == Some(*seat) => of(T::AskedCorrect, seat),
        Task::Correct(seat) => of(T::BoardIsCorrected, seat),
        Task::Execute { seat, ply, san, .. } => {
            let mv = words.san(&numbered(*ply, san));
            match display {
                true => {
                    let slots = [("player", words.side(*seat)), ("move", &mv)];
                    words.fill(T::AskedExecuteOwn, &slots)
                }
                false => format!("{}: {mv}", of(T::PlayOn, seat)),
            }
        }
        Task::Press(seat) if display => of(T::AskedPressOwn, seat),
        Task::Press(seat) => of(T::PressFor, seat),
        Task::AnswerDraw(seat) => of(T::AskedAnswerDraw, seat),
        Task::Seal(seat) => of(T::Sealing, seat),
        Task::Adjourned => {
            let place = game.resumes.iter().map(String::as_str);
            [words.text(T::Adjourned)].into_iter().chain(place).collect::<Vec<_>>().join(" ")
        }
        Task::Move(seat) if display => of(T::AskedMoveOwn, seat),
        Task::Move(seat) => of(T::AskedEnter, seat),
        Task::NotBegun => of(T::AskedNotBegun, &Color::White),
        Task::Watch(seat) => of(T::AskedWatch, seat),
        Task::Over => game.result.as_ref().map_or_else(String::new, |ended| {
            format!("{}: {}", words.text(T::Result), ended.result)
        }),
    }
}

fn sentence(task: &Task, role: Role, game: &GameView, words: &PageWords) -> Markup {
    let named = match task {
        // On a display they stand below it, large.
        Task::Execute { seat, ply, .. } => announced(game, *seat, *ply)
            .filter(|mv| role != Role::Display || game.newest.as_ref() != Some(&mv.words)),
        _ => None,
    };
    let text = text(task, role, game, words);
    html! { (text) @if let Some(mv) = named { " – " (spoken(&mv.words)) } }
}

fn announced(game: &GameView, seat: Color, ply: u32) -> Option<&MoveView> {
    let of = |to_play: &&crate::view::ToPlay| to_play.seat == seat && to_play.mv.ply == ply;
    game.to_play.iter().find(of).map(|to_play| &to_play.mv)
}

/// `Regelwidrig: Ta8–a5 (7.5.1)`.
pub(super) fn illegal_move(seat: Color, illegal: &IllegalMove, words: &PageWords) -> String {
    let article = illegal.article.to_string();
    match &illegal.moved {
        Some(moved) => {
            let all = [Some(moved), illegal.beside.as_ref()].into_iter().flatten();
            let all: Vec<_> = all.map(|moved| moved_text(moved, words)).collect();
            let slots = [("move", all.join(", ")), ("article", article)];
            let slots = slots.each_ref().map(|(name, text)| (*name, text.as_str()));
            words.fill(T::AskedIllegal, &slots)
        }
        None => {
            let slots = [("player", words.side(seat)), ("article", &article)];
            words.fill(T::AskedIllegalOf, &slots)
        }
    }
}

/// A piece and its way in the reader's letters, whether it may go there or not.
fn moved_text(moved: &MovedPiece, words: &PageWords) -> String {
    let piece = Piece::from_char(moved.piece).map(|piece| piece.role);
    let letter = piece.map_or("", |role| words.letters().letter(role));
    format!("{letter}{}–{}", moved.from, moved.to)
}

/// What confirming an illegal move comes to, beside the time: the position and the count (7.5.1,
/// 7.5.2, 7.5.5).
pub(super) fn consequences(seat: SeatColor, illegal: &IllegalMove, words: &PageWords) -> Markup {
    let SeatColor(seat) = seat;
    let number = illegal.number.to_string();
    let slots = [("player", words.side(seat)), ("n", number.as_str())];
    html! {
        li { (words.fill(T::IllegalNumber, &slots)) }
        @if illegal.moved.is_some() {
            @let queens = illegal.article == Article::A7_5_2;
            li { (words.text(if queens { T::IllegalQueen } else { T::IllegalBack })) }
        } @else if illegal.reported.is_some() && illegal.changed_the_board() {
            li { (words.text(T::IllegalLeft)) }
        }
    }
}

/// The last penalty of time, and the button that takes it back.
pub(super) fn undo(game: &GameView, words: &PageWords) -> Markup {
    let Some(UndoView { ruling, seat, given_ms }) = game.undo else { return html! {} };
    let text = if given_ms < 0 { T::UndoTook } else { T::UndoGave };
    let time = age(given_ms.unsigned_abs());
    html! {
        form.live method="post" action="/act" {
            (super::does("take-back", game))
            input type="hidden" name="ruling" value=(ruling);
            (words.fill(text, &[("player", words.side(seat)), ("time", &time)])) " "
            button #take-back type="submit" { (words.text(T::UndoPenalty)) }
        }
    }
}

/// Which move it is that may be a slip.
fn slip_of(game: &GameView) -> Option<String> {
    game.last.as_ref().map(|last| format!("{} {}", last.ply, last.uci))
}

/// The question whether a move that ends the game was played. `None`: it is none of this position.
pub(crate) fn ends(game: &GameView, uci: &str, words: &PageWords) -> Option<Markup> {
    let color = game.enters_for.filter(|color| game.to_move == *color)?;
    let here = annabella_core::game::read_fen(&game.fen).ok()?;
    let mv = uci.parse::<shakmaty::uci::UciMove>().ok()?.to_move(&here).ok()?;
    let san = words.san(&shakmaty::san::SanPlus::from_move(here, mv).to_string());
    let slots = [("move", san.as_str()), ("player", words.side(color))];
    Some(html! {
        h2.asked { (words.fill(T::EndQuestion, &slots)) }
        form #ends-form.live method="post" action="/act" data-asks=(game.plies) {
            (super::does("move", game)) (super::of_ply(game))
            input type="hidden" name="from" value=[uci.get(0..2)];
            input type="hidden" name="to" value=[uci.get(2..4)];
            @if let Some(role) = mv.promotion() {
                input type="hidden" name="promotion" value=(role_name(role));
            }
            button #ends-played type="submit" name="ends" value=(uci) {
                (words.fill(T::EndPlayed, &slots[..1]))
            }
            " "
            a #ends-nothing.button href="/assistant" { (words.text(T::Cancel)) }
        }
    })
}

/// The question what a move means that is entered in place of the last one, which is not pressed
/// yet.
pub(crate) fn slip(game: &GameView, mv: Move, words: &PageWords) -> Markup {
    let Some(color) = game.enters_for else { return html! {} };
    // Squares as a player writes them: a castling king goes two files.
    let uci = shakmaty::uci::UciMove::from_standard(mv).to_string();
    let (Some(from), Some(to)) = (uci.get(0..2), uci.get(2..4)) else { return html! {} };
    let fen = game.fen_before.as_deref().unwrap_or(&game.fen);
    let san = annabella_core::game::read_fen(fen).map_or_else(
        |_| String::new(),
        |before| words.san(&shakmaty::san::SanPlus::from_move(before, mv).to_string()),
    );
    let player = ("player", words.side(color));
    html! {
        @if let Some(last) = &game.last {
            @let by = Some(&game.entered_by).filter(|by| !by.is_empty());
            @let entered = words.san(&numbered(last.ply, &last.san));
            @let entered = by.map_or(entered.clone(), |by| format!("{entered} ({by})"));
            p #slip-entered { (words.fill(T::SlipEntered, &[("move", &entered)])) }
        }
        h2.asked { (words.fill(T::SlipQuestion, &[player])) }
        form #slip-form.live method="post" action="/act" data-asks=[slip_of(game)] {
            (super::does("move", game))
            input type="hidden" name="plies" value=(game.plies);
            input type="hidden" name="last" value=[game.last.as_ref().map(|last| &last.uci)];
            input type="hidden" name="from" value=(from);
            input type="hidden" name="to" value=(to);
            @if let Some(role) = mv.promotion() {
                input type="hidden" name="promotion" value=(role_name(role));
            }
            button #slip-typed type="submit" name="slip" value="typed" autofocus {
                (words.fill(T::SlipTyped, &[("move", &san)]))
            }
            " "
            button #slip-moved type="submit" name="slip" value="moved" {
                (words.fill(T::SlipMoved, &[player, ("move", &san)]))
            }
            " "
            a #slip-nothing.button href="/assistant" { (words.text(T::Cancel)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Languages;

    #[test]
    fn a_pawn_left_on_its_last_rank_stays_there_as_a_queen_7_5_2() {
        let languages = Languages::new("en").expect("packs");
        let told = |article| {
            let (from, to) = (shakmaty::Square::E2, shakmaty::Square::E1);
            let moved = Some(MovedPiece { piece: 'p', from, to });
            let illegal = IllegalMove { article, number: 1, moved, beside: None, reported: None };
            consequences(SeatColor(Color::Black), &illegal, languages.words(0)).into_string()
        };
        let queen = "a queen is set in the pawn's place";
        assert!(told(Article::A7_5_2).contains(queen));
        let back = "The position before it is set up again.";
        assert!(told(Article::A7_5_1).contains(back) && !told(Article::A7_5_2).contains(back));
        // The arbiter has seen it, and the record does not say which move it was.
        let reported = |article| {
            let reported = Some(0);
            let illegal = IllegalMove { article, number: 1, moved: None, beside: None, reported };
            consequences(SeatColor(Color::Black), &illegal, languages.words(0)).into_string()
        };
        let left = "decide where the game goes on";
        assert!(reported(Article::A7_5_1).contains(left));
        assert!(!reported(Article::A7_5_4).contains(left));
    }
}
