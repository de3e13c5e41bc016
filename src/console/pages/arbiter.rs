//! The arbiter's page: each board, each score, what the Laws ask for, and the arbiter's decision.

use maud::{Markup, html};
use shakmaty::Color;

use super::{asked, boards, color_name, last_move, player, record, standing, verdict::verdict};
use crate::{
    log::numbered,
    view::{
        AdjournView, ChoiceView, ClockChoice, DecisionView, EventKind, GameView, ProposalView,
        ScoreRow, SeatColor, Stands, StepView, TimesFrom, VerdictView,
    },
    words::PageWords,
};
use annabella_core::{
    game::{Outcome, Penalty, Running},
    laws::Article,
};
use annabella_records::journal::{export::clock_text, report::half_points};
use annabella_words::phrase::PageText as T;

/// The first screen: the verdict, both boards, and the one button that the case asks for.
/// Everything else is folded.
pub(super) fn parts(game: &GameView, words: &PageWords) -> Vec<(&'static str, Markup)> {
    let folded = |id: &str, text: T, inside: Markup| {
        html! { details id=(format!("details-{id}")) { summary { (words.text(text)) } (inside) } }
    };
    vec![
        ("halt", stop(game, words)),
        ("proposals", proposals(game, words)),
        ("next", next(game, words)),
        ("correcting", super::correcting(game, words)),
        ("boards", boards::both(game, words)),
        ("differs", boards::explained(game, words)),
        ("undo", asked::undo(game, words)),
        ("standing", standing(game, words)),
        ("last", last_move(game, words)),
        ("steps", steps(game, words)),
        ("scores", folded("scores", T::Scores, record::scores(game, words))),
        ("record", folded("record", T::Record, record::events(game, words))),
        ("says", super::says::folded(game, words)),
        ("rulings", rulings(game, words)),
    ]
}

pub(super) fn news(game: &GameView, words: &PageWords) -> String {
    if let Some(decision) = &game.decision {
        return verdict(decision, words);
    }
    // A problem is told until something else is done.
    let newest = game.events.iter().rev().find(|event| {
        matches!(event.kind, EventKind::Problem | EventKind::Ruling | EventKind::MoveMade)
    });
    match newest.filter(|event| event.kind == EventKind::Problem) {
        Some(problem) => {
            let text = match problem.article {
                Some(article) => words.note_under(&problem.text, article),
                None => words.note(&problem.text).unwrap_or_default(),
            };
            format!("{}: {text}", words.text(T::Problem))
        }
        None => game.last.as_ref().map_or(String::new(), |last| last.words.to_string()),
    }
}

/// The whole proposal in one line, for who has no page.
pub(crate) fn explained(decision: &DecisionView, words: &PageWords) -> String {
    let mut parts = vec![verdict(decision, words)];
    parts.extend(decision.missing.iter().map(|(SeatColor(seat), mv)| {
        let slots = [("player", words.side(*seat)), ("move", &words.san(mv))];
        words.fill(T::StillToWrite, &slots)
    }));
    for (seat, steps) in [Color::White, Color::Black].into_iter().zip(&decision.steps) {
        let steps: Vec<String> = steps.iter().map(|one| step(one, words)).collect();
        if !steps.is_empty() {
            let whose = words.fill(T::StepsFor, &[("player", words.side(seat))]);
            parts.push(format!("{whose} – {}.", steps.join("; ")));
        }
    }
    let clocks = decision.clocks.iter().map(|choice| {
        let times = [choice.white_ms, choice.black_ms].map(clock_text).join(" / ");
        format!("{times} ({})", basis(&choice.from, words))
    });
    let clocks: Vec<String> = clocks.collect();
    if !clocks.is_empty() {
        parts.push(format!("{}: {}.", words.text(T::Clocks), clocks.join("; ")));
    }
    parts.join(" ")
}

/// One step in the Laws' names, and as the squares are written.
fn step(step: &StepView, words: &PageWords) -> String {
    match *step {
        StepView::Carry { piece, from, to } => {
            let named = words.fill(
                T::StepCarry,
                &[
                    ("piece", words.piece(piece)),
                    ("from", &words.square(from)),
                    ("to", &words.square(to)),
                ],
            );
            format!("{named} ({from} → {to})")
        }
        StepView::Remove { stands, from } => words.fill(
            T::StepRemove,
            &[("piece", words.stands(stands)), ("from", &words.square_both(from))],
        ),
        StepView::Set { piece, to } => {
            words.fill(T::StepSet, &[("piece", words.piece(piece)), ("to", &words.square_both(to))])
        }
    }
}

fn basis(basis: &TimesFrom, words: &PageWords) -> String {
    match basis {
        TimesFrom::Then(Some(mv)) => words.fill(T::ClockThen, &[("move", &words.san(mv))]),
        TimesFrom::Then(None) => words.text(T::ClockAtStart).to_owned(),
        TimesFrom::Now => words.text(T::ClockNow).to_owned(),
        TimesFrom::NowWithout(mv) => words.fill(T::ClockNowWithout, &[("move", &words.san(mv))]),
    }
}

/// A field for the reason.
fn reason(form: &str, required: bool, words: &PageWords) -> Markup {
    let id = format!("{form}-reason");
    html! {
        label for=(id) { (words.text(T::Reason)) }
        " "
        input id=(id) name="reason" maxlength="500" autocomplete="off" required[required];
        " "
    }
}

/// The button that the decision asks for; times and reason are folded.
fn next(game: &GameView, words: &PageWords) -> Markup {
    let Some(decision) = &game.decision else { return html! {} };
    html! {
        h2.hidden { (words.text(T::Decision)) }
        @for (SeatColor(seat), mv) in &decision.missing {
            p {
                (words.fill(T::StillToWrite, &[("player", words.side(*seat)), ("move", &words.san(mv))]))
            }
        }
        @if let Some(row) = differing(game, decision) {
            ul.entries {
                @for (color, text, written) in [
                    (Color::White, row.white.as_deref(), row.written[0]),
                    (Color::Black, row.black.as_deref(), row.written[1]),
                ] {
                    li {
                        (words.fill(T::ScoreOf, &[("player", words.side(color))])) ": "
                        (numbered(row.ply, "")) (record::entry(text, written, words))
                    }
                }
            }
        }
        @if decision.verdict == VerdictView::Inspect { (by_hand(game, decision, words)) }
        form.live method="post" action="/act" {
            (super::does("settle", game))
            input type="hidden" name="mark" value=(decision.mark);
            @if let Some(first) = decision.clocks.first() {
                p #proposed-clocks {
                    (words.text(T::Clocks)) ": " (clock_text(first.white_ms)) " / "
                    (clock_text(first.black_ms)) " (" (basis(&first.from, words)) ")"
                }
            }
            button #settle type="submit" { (words.text(T::ConfirmDecision)) }
            details #details-settle {
                summary { (words.text(T::Clocks)) ", " (words.text(T::Reason)) }
                @if !decision.clocks.is_empty() {
                    (clock_choices("settle", &decision.clocks, words))
                }
                (reason("settle", false, words))
            }
        }
    }
}

/// The first half-move that the scores do not agree on.
fn differing<'a>(game: &'a GameView, decision: &DecisionView) -> Option<&'a ScoreRow> {
    let ply = decision.differs_at?;
    game.scores.iter().find(|row| row.ply == ply)
}

/// What each player will have to do to his board.
fn steps(game: &GameView, words: &PageWords) -> Markup {
    let Some(decision) = &game.decision else { return html! {} };
    html! {
        @for (seat, steps) in [Color::White, Color::Black].into_iter().zip(&decision.steps) {
            details id=(format!("details-steps-{}", color_name(seat))) {
                summary { (words.fill(T::StepsFor, &[("player", words.side(seat))])) }
                @if steps.is_empty() { p { (words.text(T::NothingToDo)) } }
                @else { ol { @for one in steps { li { (step(one, words)) } } } }
            }
        }
    }
}

/// Running clocks are stopped with one button, standing ones start with another: after a restart
/// they stand though nobody has stopped them. What has ended by mistake goes on.
fn stop(game: &GameView, words: &PageWords) -> Markup {
    let stands = game.clocks.running == Running::None;
    let waits = game.asked.arbiter.iter().any(|asked| asked.task.comes_before_play());
    let begins = game.plies == 0 && !game.clocks.halted;
    // How a sealed game goes on is agreed with its envelope (Guideline I).
    let sealed = game.adjournment == Some(AdjournView::Sealed);
    let (act, text, id) = match (stands, begins) {
        (false, _) => ("stop-clocks", T::StopClocks, "stop"),
        (true, true) => ("start-clocks", T::BeginGame, "go-on"),
        (true, false) => ("start-clocks", T::StartClocks, "go-on"),
    };
    html! {
        @if game.result.is_none() {
            @if stands { (super::still_open(game, words)) }
            @if !stands || !(waits || sealed) {
                form.live method="post" action="/act" {
                    (super::does(act, game))
                    // They may have stood for another reason.
                    @if stands { (super::of_ply(game)) (of_rulings(game)) }
                    button id=(id) type="submit" { (words.text(text)) }
                    details #details-stop {
                        summary { (words.text(T::Reason)) }
                        (reason("stop", false, words))
                    }
                }
            }
        } @else {
            form.live method="post" action="/act" {
                (super::does("play-on", game)) (of_rulings(game)) (reason("play-on", true, words))
                button #play-on type="submit" { (words.text(T::PlayAfterAll)) }
            }
        }
    }
}

/// The position square by square, to compare two boards by hand or to read aloud.
fn by_hand(game: &GameView, decision: &DecisionView, words: &PageWords) -> Markup {
    let cells = super::display::position(&decision.fen);
    let stands = |file: shakmaty::File| -> String {
        let filled = shakmaty::Rank::ALL.into_iter().filter_map(|rank| {
            let square = shakmaty::Square::from_coords(file, rank);
            let cell = cells.get(usize::from(square)).filter(|c| c.stands != Stands::Nothing)?;
            Some(format!("{} {}", words.square(square), words.stands(cell.stands)))
        });
        filled.collect::<Vec<_>>().join(", ")
    };
    html! {
        ul #by-hand {
            @for file in shakmaty::File::ALL {
                @let text = stands(file);
                @if !text.is_empty() { li { (text) } }
            }
        }
        (super::simple("read-out", T::ReadOut, game, words))
    }
}

/// The times to choose from: the proposal, the present ones, or any other.
fn clock_choices(form: &str, choices: &[ClockChoice], words: &PageWords) -> Markup {
    let times = |choice: &ClockChoice| match choice.from {
        // The clocks may be running.
        TimesFrom::Now => String::new(),
        _ => format!(": {} / {}", clock_text(choice.white_ms), clock_text(choice.black_ms)),
    };
    let now = choices.iter().any(|choice| choice.from == TimesFrom::Now);
    let option = |value: &str, checked: bool, text: String| {
        let id = format!("{form}-clocks-{value}");
        html! {
            div {
                input type="radio" id=(id) name="clocks" value=(value) checked[checked];
                " " label for=(id) { (text) }
            }
        }
    };
    let time = |name: &str, color: Color| {
        let id = format!("{form}-{name}");
        html! {
            label for=(id) { (words.side(color)) ", " (words.text(T::ClockFormat)) }
            " " input id=(id) name=(name) maxlength="9" size="9" autocomplete="off"; " "
        }
    };
    html! {
        fieldset {
            legend { (words.text(T::Clocks)) " (" (words.side(Color::White)) " / " (words.side(Color::Black)) ")" }
            @for (n, choice) in choices.iter().enumerate() {
                (option(&n.to_string(), n == 0, format!("{}{}", basis(&choice.from, words), times(choice))))
            }
            @if !now { (option("now", choices.is_empty(), words.text(T::ClockNow).to_owned())) }
            (option("other", false, words.text(T::ClockOther).to_owned()))
            div { (time("white", Color::White)) (time("black", Color::Black)) }
        }
    }
}

/// A decision for another position than the proposed one.
fn otherwise(game: &GameView, words: &PageWords) -> Markup {
    html! {
        details #details-otherwise {
            summary { (words.text(T::OtherPosition)) }
            form.live method="post" action="/act" {
                (super::does("settle-otherwise", game))
                input type="hidden" name="decided" value=(game.decided) data-shown;
                label for="otherwise-score" { (words.text(T::ByScoreOf)) }
                " "
                select #otherwise-score name="score" {
                    option value="" { (words.side(Color::White)) " = " (words.side(Color::Black)) }
                    @for color in [Color::White, Color::Black] {
                        option value=(color_name(color)) { (words.side(color)) }
                    }
                }
                " "
                label for="otherwise-ply" { (words.text(T::AfterHalfMove)) }
                " "
                input #otherwise-ply name="ply" inputmode="numeric" maxlength="4" size="4" required
                    autocomplete="off" placeholder=(game.plies);
                (clock_choices("otherwise", &[], words))
                (reason("otherwise", true, words))
                button #settle-otherwise type="submit" { (words.text(T::OtherPosition)) }
            }
        }
    }
}

fn proposals(game: &GameView, words: &PageWords) -> Markup {
    html! {
        @if !game.proposals.is_empty() {
            h2 { (words.text(T::Proposals)) }
            @for proposal in &game.proposals { (one_proposal(game, proposal, words)) }
        }
    }
}

fn one_proposal(game: &GameView, proposal: &ProposalView, words: &PageWords) -> Markup {
    let number = proposal.number;
    html! {
        div.proposal {
            @match &proposal.illegal {
                Some((seat, illegal)) => ul { (asked::consequences(*seat, illegal, words)) },
                None => p { strong { (words.note_under(&proposal.text, proposal.article)) } },
            }
            form.live method="post" action="/act" {
                (super::of_game(game))
                input type="hidden" name="number" value=(number);
                @if let [only] = proposal.choices.as_slice() {
                    p { (choice(only, words)) }
                    input type="hidden" name="choice" value="0";
                } @else if !proposal.choices.is_empty() {
                    fieldset {
                        legend { (words.text(T::Proposed)) }
                        @for (n, one) in proposal.choices.iter().enumerate() {
                            @let id = format!("proposal-{number}-{n}");
                            div {
                                input type="radio" id=(id) name="choice" value=(n) checked[n == 0];
                                " " label for=(id) { (choice(one, words)) }
                            }
                        }
                    }
                }
                (reason(&format!("proposal-{number}"), false, words))
                button id=(format!("confirm-{number}")) type="submit" name="act" value="confirm" {
                    (words.text(T::Confirm))
                }
                " "
                button id=(format!("dismiss-{number}")) type="submit" name="act" value="dismiss" {
                    (words.text(T::Dismiss))
                }
            }
        }
    }
}

fn choice(choice: &ChoiceView, words: &PageWords) -> String {
    match choice {
        ChoiceView::Penalty(SeatColor(seat), penalty) => {
            let (text, amount) = penalty_words(penalty);
            format!("{}: {}{amount}", words.side(*seat), words.text(text))
        }
        ChoiceView::Declare(result) => format!("{}: {result}", words.text(T::DeclareResult)),
        ChoiceView::SetClock(SeatColor(seat), ms) => {
            format!("{}: {} {}", words.text(T::SetClock), words.side(*seat), clock_text(*ms))
        }
        ChoiceView::StopClocks => words.text(T::StopClocks).to_owned(),
        ChoiceView::StartClocks => words.text(T::StartClocks).to_owned(),
        ChoiceView::AcceptMove(uci) => format!("{}: {uci}", words.text(T::AcceptMove)),
        ChoiceView::Other(text) => words.note(text).unwrap_or_default(),
    }
}

fn penalty_words(penalty: &Penalty) -> (T, String) {
    let time = |ms: &u64| format!(" {}", clock_text(*ms));
    let halves = |halves: &u8| format!(" {}", half_points(*halves));
    match penalty {
        Penalty::Warning => (T::PenaltyWarning, String::new()),
        Penalty::TimeToOpponent { ms } => (T::PenaltyTimeToOpponent, time(ms)),
        Penalty::TimeOff { ms } => (T::PenaltyTimeOff, time(ms)),
        Penalty::PointsToOpponent { halves: n } => (T::PenaltyPointsToOpponent, halves(n)),
        Penalty::PointsOff { halves: n } => (T::PenaltyPointsOff, halves(n)),
        Penalty::Loss { .. } => (T::PenaltyLoss, String::new()),
        Penalty::Fine { amount } => (T::PenaltyFine, format!(" {amount}")),
        Penalty::ExcludedFromRounds { rounds } => (T::PenaltyRounds, format!(" {rounds}")),
        Penalty::ExcludedFromEvent => (T::PenaltyEvent, String::new()),
    }
}

/// The formalities of an adjournment that need no passphrase (Guideline I).
fn adjournment(game: &GameView, words: &PageWords) -> Markup {
    let simple = |act: &str, text: T| super::simple(act, text, game, words);
    html! {
        details #details-adjournment {
            summary { (words.text(T::Adjournment)) }
            @match game.adjournment {
                None => (simple("ask-to-seal", T::AskToSeal)),
                Some(AdjournView::Sealing(_)) => (simple("not-adjourned", T::NotAdjourned)),
                Some(AdjournView::Sealed) => {
                    form.live method="post" action="/act" {
                        (super::does("appoint", game))
                        @for (name, text) in [("date", T::Date), ("time", T::Time), ("place", T::Place)] {
                            @let id = format!("appoint-{name}");
                            label for=(id) { (words.text(text)) } " "
                            input id=(id) name=(name) maxlength="80" autocomplete="off" required[name == "date"]; " "
                        }
                        button #appoint type="submit" { (words.text(T::Appoint)) }
                    }
                },
            }
        }
    }
}

/// The rulings of which alone a form knows.
fn of_rulings(game: &GameView) -> Markup {
    html! { input type="hidden" name="ruled" value=(game.ruled) data-shown; }
}

/// Rulings that are possible at any time.
fn rulings(game: &GameView, words: &PageWords) -> Markup {
    const PENALTIES: [(&str, T); 9] = [
        ("warning", T::PenaltyWarning),
        ("time-to-opponent", T::PenaltyTimeToOpponent),
        ("time-off", T::PenaltyTimeOff),
        ("points-to-opponent", T::PenaltyPointsToOpponent),
        ("points-off", T::PenaltyPointsOff),
        ("loss", T::PenaltyLoss),
        ("fine", T::PenaltyFine),
        ("rounds", T::PenaltyRounds),
        ("event", T::PenaltyEvent),
    ];
    // What was decided meanwhile is looked at first; and a form that is sent twice counts once.
    let hidden = |act: &str| {
        html! {
            (super::does(act, game))
            (of_rulings(game))
        }
    };
    // The button that sends it is named as the whole, or otherwise.
    let folded = |id: &str, about: T, (button, does): (&str, T), fields: Markup| {
        html! {
            details id=(format!("details-{id}")) {
                summary { (words.text(about)) }
                form.live method="post" action="/act" {
                    (fields)
                    button id=(button) type="submit" { (words.text(does)) }
                }
            }
        }
    };
    // What is said of a move, or of a position, is not said of the next one.
    let of_move = |act: &str| html! { (hidden(act)) (super::of_ply(game)) };
    html! {
        h2 { (words.text(T::Decide)) }
        (otherwise(game, words))
        (folded("clock", T::SetClock, ("set-clock", T::SetClock), html! {
            (hidden("set-clock")) (player("clock", words))
            label for="clock-time" { (words.text(T::TimeLeft)) ", " (words.text(T::ClockFormat)) }
            " " input #clock-time name="time" maxlength="9" required autocomplete="off" size="9"; " "
            label for="clock-moves" { (words.text(T::MovesCompleted)) }
            " " input #clock-moves name="moves" inputmode="numeric" maxlength="4" size="4" autocomplete="off"; " "
            (reason("clock", true, words))
        }))
        (folded("penalty", T::Penalty, ("impose", T::Impose), html! {
            (hidden("penalty")) (player("penalty", words))
            label for="penalty-kind" { (words.text(T::Penalty)) }
            " "
            select #penalty-kind name="penalty" {
                @for (value, text) in PENALTIES { option value=(value) { (words.text(text)) } }
            }
            " "
            label for="penalty-amount" { (words.text(T::Amount)) }
            " " input #penalty-amount name="amount" maxlength="40" autocomplete="off"; " "
            (reason("penalty", true, words))
        }))
        (folded("declare", T::DeclareResult, ("declare", T::DeclareResult), html! {
            (of_move("declare"))
            label for="declare-result" { (words.text(T::Result)) }
            " "
            select #declare-result name="result" {
                @for result in Outcome::ALL { option value=(result) { (result) } }
            }
            " "
            label for="declare-article" { (words.text(T::Article)) }
            " " input #declare-article name="article" maxlength="12" required autocomplete="off" size="9"; " "
            (reason("declare", true, words))
        }))
        (folded("illegal", T::IllegalMove, ("illegal", T::IllegalMove), html! {
            (of_move("illegal-move")) (player("illegal", words))
            label for="illegal-article" { (words.text(T::Article)) }
            " "
            select #illegal-article name="article" {
                @for article in [Article::A7_5_1, Article::A7_5_2, Article::A7_5_3, Article::A7_5_4] {
                    option value=(article) {
                        (article) " " (words.rule(article).unwrap_or_default())
                    }
                }
            }
            " "
            (reason("illegal", false, words))
        }))
        (folded("accept", T::AcceptMove, ("accept", T::AcceptMove), html! {
            (of_move("accept-move"))
            label for="accept-move-text" { (words.text(T::MoveNumber)) }
            " " input #accept-move-text name="move" maxlength="40" required autocomplete="off"; " "
            (reason("accept", true, words))
        }))
        @if game.result.is_none() { (super::simple("compare-boards", T::CompareBoards, game, words)) }
        (super::score_form(game, words))
        (super::board_form(game, words))
        (adjournment(game, words))
        (folded("note", T::Note, ("note", T::Note), html! {
            (hidden("note"))
            label for="note-text" { (words.text(T::Note)) }
            " " input #note-text name="text" maxlength="500" required autocomplete="off"; " "
        }))
    }
}
