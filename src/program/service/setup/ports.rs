//! Ports at which an electronic board answers.

use std::path::{Path, PathBuf};
use std::time::Duration;

use annabella_core::setup::{Maker, Port};

/// The existing ports at which a board may be, those that the configuration names, and boards by
/// Bluetooth: where that is on, they are searched for some seconds.
pub fn candidates(configured: &[PathBuf]) -> Vec<PathBuf> {
    use annabella_devices::{
        dgt::wire::KIND,
        pieces::Make,
        serial::{ANY, Finder},
    };
    let mut all: Vec<PathBuf> = configured.iter().filter(|path| path.exists()).cloned().collect();
    for kind in [KIND].into_iter().chain(Make::ALL.map(Make::kind)) {
        all.extend(Finder::at(Path::new(ANY), kind).candidates());
    }
    #[cfg(feature = "bluetooth")]
    {
        const SEARCH: Duration = Duration::from_secs(5);
        let radios: Vec<_> = Make::ALL.into_iter().filter_map(|make| make.kind().radio).collect();
        all.extend(annabella_devices::serial::gatt::near(None, &radios, SEARCH));
    }
    all.sort();
    all.dedup();
    all
}

/// Tries all of these at once, each for every make: those at which a board answers. With nothing
/// there that takes some ten seconds.
pub fn look(candidates: Vec<PathBuf>) -> Vec<Port> {
    let tries: Vec<_> =
        candidates.into_iter().map(|path| std::thread::spawn(move || answers(&path))).collect();
    // A thread that panicked has said so on standard error already.
    tries.into_iter().filter_map(|thread| thread.join().ok().flatten()).collect()
}

fn answers(path: &Path) -> Option<Port> {
    let begins = |begin| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(begin));
    match (is_by_bluetooth(path), begins("hidraw")) {
        (true, _) => others(path, |make| make.kind().radio.is_some()),
        (false, true) => others(path, |make| make.kind().baud.is_none()),
        (false, false) => dgt(path).or_else(|| others(path, |make| make.kind().baud.is_some())),
    }
}

fn is_by_bluetooth(path: &Path) -> bool {
    annabella_devices::serial::bluetooth::Wanted::of(path).is_some()
}

/// So long a board may take to answer. By Bluetooth it is searched for and connected before.
fn patience(path: &Path, by_cable: Duration) -> Duration {
    const BY_BLUETOOTH: Duration = Duration::from_secs(45);
    if is_by_bluetooth(path) { BY_BLUETOOTH } else { by_cable }
}

fn dgt(path: &Path) -> Option<Port> {
    use std::time::Instant;

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
    Some(Port { path: path.display().to_string(), maker: Maker::Dgt, clock: told })
}

/// The other makes that fit, one after the other.
fn others(path: &Path, fits: fn(&annabella_devices::pieces::Make) -> bool) -> Option<Port> {
    use annabella_devices::{
        pieces::{
            Make,
            session::{self, PieceEvent},
        },
        serial::Finder,
    };

    const BOARD: Duration = Duration::from_millis(3500);
    Make::ALL.into_iter().filter(fits).find_map(|make| {
        let mut end = session::open(make, Finder::at(path, make.kind())).ok()?;
        match end.next(patience(path, BOARD))?.what {
            PieceEvent::Lost(_) => None,
            PieceEvent::Ready | PieceEvent::Frame(_) => {
                let path = path.display().to_string();
                Some(Port { path, maker: make.maker(), clock: false })
            }
        }
    })
}

/// Whether a board of this maker answers at a port of the configuration, or anywhere where it is
/// searched for.
///
/// # Errors
/// One line: what is wrong, and the remedy.
pub fn answers_as(maker: Maker, port: &Path) -> Result<(), String> {
    use annabella_devices::{
        dgt::{session::BoardEvent, wire},
        pieces::{
            Make,
            session::{self, PieceEvent},
        },
        serial::Finder,
    };

    let patience = patience(port, Duration::from_secs(10));
    let answer = match Make::of(maker) {
        None => {
            let (mut board, _clock) = wire::open(port).map_err(|err| err.to_string())?;
            board.next(patience).map(|event| match event.what {
                BoardEvent::Lost(why) => Err(why),
                _ => Ok(()),
            })
        }
        Some(make) => {
            let finder = Finder::at(port, make.kind());
            let mut end = session::open(make, finder).map_err(|err| err.to_string())?;
            end.next(patience).map(|event| match event.what {
                PieceEvent::Lost(why) => Err(why),
                PieceEvent::Ready | PieceEvent::Frame(_) => Ok(()),
            })
        }
    };
    answer.unwrap_or_else(|| Err(NO_ANSWER.to_owned()))
}

const NO_ANSWER: &str = "no board has answered yet: name its port in [sighted] port";
