//! The servers of the hall: whether they take rows, and who may send any.

use std::{path::Path, sync::Mutex, time::Duration};

use annabella_hall::{
    HallError,
    budget::Budgets,
    floor::Floor,
    keys::{EventKeys, KeyRole},
    meter::Meter,
    names::EventName,
    stream::Link,
};
use annabella_threads::lock;
use tokio::sync::watch;

use annabella::service::streams::complain;

/// Whether the server has room for rows is tried so often.
const ROOM: Duration = Duration::from_secs(5);

/// How the servers of the hall stand.
pub(super) struct Servers {
    pub(super) full: Option<String>,
    /// What they lack of being whole.
    pub(super) lack: Option<String>,
}

/// Tries again and again whether the servers take rows and keep them all, and hands on why not.
/// Answers why they are gone.
pub(super) async fn watch_room(
    link: &Link,
    event: &EventName,
    tell: &watch::Sender<Option<Servers>>,
) -> HallError {
    let mut before = None;
    loop {
        let full = match link.has_room(event.room()).await {
            Ok(()) => None,
            Err(err @ HallError::Full { .. }) => Some(err.to_string()),
            Err(gone) => return gone,
        };
        let now = match link.out_of_step(event).await {
            Ok(lack) => lack,
            Err(gone) => return gone,
        };
        // One that has come back needs a moment.
        let lack = now.clone().filter(|_| now == before);
        before = now;
        tell.send_replace(Some(Servers { full, lack }));
        tokio::time::sleep(ROOM).await;
    }
}

/// Counts what the own server takes of each board, for as long as it is asked.
pub(super) async fn watch_floods(meter: Option<Meter>, budgets: &Mutex<Budgets>) {
    match meter {
        Some(meter) => meter.watch(|board| lock(budgets).floods(board)).await,
        None => std::future::pending().await,
    }
}

/// Shuts out whoever has sent more than a board can, or what nobody can read.
pub(super) fn shut_out(floor: &mut Floor, budgets: &Mutex<Budgets>, keys: Option<&Path>) {
    for board in floor.slow() {
        let why = "reading what it sends takes longer than what a board sends";
        complain(&format!("hall: board {board} waits for the others: {why}"));
    }
    let stuck = floor.stuck();
    stuck.iter().for_each(|board| lock(budgets).shuts(*board));
    let floods = lock(budgets).over();
    floods.iter().for_each(|board| floor.floods(*board));
    for board in stuck.iter().chain(&floods) {
        let what = match stuck.contains(board) {
            true => "a row that takes longer than any of a game",
            false => "more than a board can",
        };
        let taken = format!("{what}, and nothing more is taken of it: {}", shut(*board, keys));
        complain(&format!("hall: board {board} has sent {taken}"));
    }
}

/// Takes a board's key away at the own server, which has its keys in this folder. Answers what is
/// to be done.
pub(super) fn shut(board: u32, keys: Option<&Path>) -> String {
    let Some(folder) = keys else {
        return "take its key away at the organiser's server".to_owned();
    };
    let shut = EventKeys::open(folder).and_then(|mut keys| {
        keys.shut(KeyRole::Board(board))?;
        keys.reload()
    });
    match shut {
        Ok(_) => format!(
            "its key is worth nothing any more; look what is wrong there, and make it a new one with `annabella hall \
             keys --boards {board}`"
        ),
        Err(err) => err.to_string(),
    }
}
