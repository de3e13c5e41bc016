//! What is asked of each page's reader, as the game says it and the pages of this board can.

use shakmaty::Color;

use super::view::{AskedOf, UndoView};
use annabella_core::game::{ArbiterAct, Asked, At, Game, Person, Record, Ruled, Task};

/// What the game does not know of the pages.
pub(super) struct Pages {
    /// Whose moves the assistant enters.
    pub(super) enters_for: Option<Color>,
    /// Whose clock he may press.
    pub(super) presses_for: Option<Color>,
    /// Since when scores differ that somebody has written down. The boards may agree.
    pub(super) scores_differ: Option<At>,
}

/// What is asked of each reader, the most urgent first.
pub(super) fn of_each(game: &Game, pages: &Pages) -> AskedOf {
    // A board that is seen needs no typing, and a clock of its own no button.
    let on_page = |asked: &Asked| match asked.task {
        Task::Move(seat) => pages.enters_for == Some(seat),
        Task::Press(seat) => pages.presses_for == Some(seat),
        _ => true,
    };
    let mut assistant: Vec<Asked> =
        game.asked(Person::Assistant).into_iter().filter(on_page).collect();
    if assistant.is_empty() {
        assistant.extend(game.waits_for());
    }
    let mut arbiter = game.asked(Person::Arbiter);
    let known = arbiter.iter().any(|asked| asked.task == Task::BoardsDiffer);
    if let Some(since) = pages.scores_differ.filter(|_| !known) {
        // What is called or proposed comes first.
        let place = arbiter.iter().position(|asked| !comes_first(&asked.task));
        let asked = Asked { task: Task::BoardsDiffer, since };
        arbiter.insert(place.unwrap_or(arbiter.len()), asked);
        arbiter.retain(|asked| !matches!(asked.task, Task::Watch(_) | Task::NotBegun));
    }
    AskedOf { arbiter, assistant, display: game.asked(Person::Opponent) }
}

fn comes_first(task: &Task) -> bool {
    matches!(
        task,
        Task::Called(_)
            | Task::Illegal { .. }
            | Task::Flag { .. }
            | Task::WrongClaim { .. }
            | Task::Decide { .. }
    )
}

/// The last penalty of time, as long as it stands and the game goes on.
pub(super) fn undo(record: &Record<'_>) -> Option<UndoView> {
    let taken_back = |ruling: u32| {
        let back = ArbiterAct::TakeBack { ruling };
        record.rulings.iter().any(|ruled| ruled.ruling.act == back)
    };
    let given =
        |(place, ruled): (usize, &Ruled)| Some((u32::try_from(place).ok()?, ruled.time_given()?));
    let rulings = record.rulings.iter().enumerate().rev();
    rulings
        .filter_map(given)
        .find(|(ruling, _)| !taken_back(*ruling))
        .map(|(ruling, (seat, given_ms))| UndoView { ruling, seat, given_ms })
        .filter(|undo| undo.given_ms != 0 && record.ended.is_none())
}
