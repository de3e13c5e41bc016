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
    /// A decision is being carried out on the boards.
    pub(super) carried_out: bool,
    /// What differs, and since when somebody wrote or entered it.
    pub(super) differ: Option<(Differ, At)>,
}

/// What differs on the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Differ {
    Boards,
    /// The scores alone.
    Scores,
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
    let (mut arbiter, mut display) = (game.asked(Person::Arbiter), game.asked(Person::Opponent));
    // Until he has decided about an illegal move, putting it back is a part of that.
    let open = arbiter.iter().any(|asked| matches!(asked.task, Task::Illegal { .. }));
    arbiter.retain(|asked| !open || !matches!(asked.task, Task::PutBack(_)));
    // The game does not go on before he has decided.
    let waits = arbiter.iter().any(|asked| asked.task.comes_before_play());
    arbiter.retain(|asked| !waits || asked.task != Task::ClocksStand);
    // What differs is being put right as he has decided.
    arbiter.retain(|asked| !pages.carried_out || asked.task != Task::BoardsDiffer);
    let differs = pages.differ.filter(|_| game.shows_illegal_move().is_none());
    if let Some((what, since)) = differs {
        differ(&mut arbiter, since);
        // Scores are the arbiter's alone.
        if what == Differ::Boards {
            differ(&mut assistant, since);
            differ(&mut display, since);
        }
    }
    AskedOf { arbiter, assistant, display }
}

/// A difference that only the pages know: of a score that somebody has written, or a board that
/// somebody has entered.
fn differ(asked: &mut Vec<Asked>, since: At) {
    let known = |asked: &Asked| matches!(asked.task, Task::BoardsDiffer | Task::Correct(_));
    if asked.iter().any(known) {
        return;
    }
    let place = asked.iter().position(|asked| !comes_first(&asked.task));
    let task = Task::BoardsDiffer;
    asked.insert(place.unwrap_or(asked.len()), Asked { task, since });
    asked.retain(|asked| !matches!(asked.task, Task::Watch(_) | Task::NotBegun | Task::Over));
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
    // The time that was set since has no penalty in it.
    let set = |undo: &UndoView| {
        let mut later = record.rulings.iter().skip(undo.ruling as usize + 1);
        later.any(|ruled| ruled.sets_clock_of(undo.seat))
    };
    let rulings = record.rulings.iter().enumerate().rev();
    rulings
        .filter_map(given)
        .find(|(ruling, _)| !taken_back(*ruling))
        .map(|(ruling, (seat, given_ms))| UndoView { ruling, seat, given_ms })
        .filter(|undo| undo.given_ms != 0 && !record.is_over() && !set(undo))
}
