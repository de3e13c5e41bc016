//! Serial ports at which a DGT board answers.

use std::path::{Path, PathBuf};

use annabella_core::setup::Port;

/// What boards' device files are called: by cable, by an adapter, by Bluetooth.
const NAMES: [&str; 3] = ["ttyACM", "ttyUSB", "rfcomm"];

/// The serial ports that there are, and those that the configuration names.
pub fn candidates(configured: &[&Path]) -> Vec<PathBuf> {
    let entries = std::fs::read_dir("/dev").into_iter().flatten().flatten();
    let is_port = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        NAMES.iter().any(|known| name.starts_with(known))
    };
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_port).collect();
    all.sort();
    let named = configured.iter().filter(|path| path.exists());
    for path in named {
        if !all.contains(&path.to_path_buf()) {
            all.insert(0, path.to_path_buf());
        }
    }
    all
}

/// Tries all of these at once, some three seconds: those at which a board answers.
#[cfg(feature = "dgt")]
pub fn look(candidates: Vec<PathBuf>) -> Vec<Port> {
    let tries: Vec<_> =
        candidates.into_iter().map(|path| std::thread::spawn(move || answers(&path))).collect();
    // A thread that panicked has said so on standard error already.
    tries.into_iter().filter_map(|thread| thread.join().ok().flatten()).collect()
}

/// Without DGT boards in the program there are none.
#[cfg(not(feature = "dgt"))]
pub fn look(_: Vec<PathBuf>) -> Vec<Port> {
    Vec::new()
}

#[cfg(feature = "dgt")]
fn answers(path: &Path) -> Option<Port> {
    use std::time::{Duration, Instant};

    use annabella_devices::dgt::{
        session::{BoardEvent, ClockEvent},
        wire,
    };

    const BOARD: Duration = Duration::from_millis(3500);
    // A clock speaks once a second.
    const CLOCK: Duration = Duration::from_millis(2500);
    let (mut board, mut clock) = wire::open(path).ok()?;
    if matches!(board.next(BOARD)?.what, BoardEvent::Lost(_)) {
        return None;
    }
    let until = Instant::now() + CLOCK;
    let told = loop {
        let left = until.saturating_duration_since(Instant::now());
        match clock.next(left).filter(|_| !left.is_zero()) {
            None => break false,
            Some(event) => match event.what {
                ClockEvent::Times(times) => break !times.absent,
                ClockEvent::Button(_) => break true,
                ClockEvent::Lost => break false,
                ClockEvent::Ready | ClockEvent::Answered { .. } => {}
            },
        }
    };
    Some(Port { path: path.display().to_string(), clock: told })
}
