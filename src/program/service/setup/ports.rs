//! Ports at which an electronic board answers.

use std::path::{Path, PathBuf};
#[cfg(feature = "dgt")]
use std::time::Duration;

use annabella_core::setup::{Maker, Port};

/// The existing ports at which a board may be, and those that the configuration names.
#[cfg(feature = "dgt")]
pub fn candidates(configured: &[&Path]) -> Vec<PathBuf> {
    use annabella_devices::{
        dgt::wire::KIND,
        pieces::Make,
        serial::{ANY, Finder},
    };
    let named = configured.iter().filter(|path| path.exists()).map(|path| path.to_path_buf());
    let mut all: Vec<PathBuf> = named.collect();
    for kind in [KIND].into_iter().chain(Make::ALL.map(Make::kind)) {
        all.extend(Finder::at(Path::new(ANY), kind).candidates());
    }
    all.sort();
    all.dedup();
    all
}

/// Without electronic boards in the program there are none.
#[cfg(not(feature = "dgt"))]
pub fn candidates(_: &[&Path]) -> Vec<PathBuf> {
    Vec::new()
}

/// Tries all of these at once, each for every make: those at which a board answers. With nothing there that
/// takes some ten seconds.
#[cfg(feature = "dgt")]
pub fn look(candidates: Vec<PathBuf>) -> Vec<Port> {
    let tries: Vec<_> =
        candidates.into_iter().map(|path| std::thread::spawn(move || answers(&path))).collect();
    // A thread that panicked has said so on standard error already.
    tries.into_iter().filter_map(|thread| thread.join().ok().flatten()).collect()
}

/// Without electronic boards in the program there are none.
#[cfg(not(feature = "dgt"))]
pub fn look(_: Vec<PathBuf>) -> Vec<Port> {
    Vec::new()
}

#[cfg(feature = "dgt")]
fn answers(path: &Path) -> Option<Port> {
    let hid = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("hidraw"));
    let dgt = if hid { None } else { dgt(path) };
    dgt.or_else(|| others(path, hid))
}

#[cfg(feature = "dgt")]
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

/// The other makes, one after the other.
#[cfg(feature = "dgt")]
fn others(path: &Path, hid: bool) -> Option<Port> {
    use annabella_devices::{
        pieces::{
            Make,
            session::{self, PieceEvent},
        },
        serial::Finder,
    };

    const BOARD: Duration = Duration::from_millis(3500);
    let fits = |make: &Make| make.kind().baud.is_none() == hid;
    Make::ALL.into_iter().filter(fits).find_map(|make| {
        let mut end = session::open(make, Finder::at(path, make.kind())).ok()?;
        match end.next(BOARD)?.what {
            PieceEvent::Lost(_) => None,
            PieceEvent::Ready | PieceEvent::Frame(_) => {
                let path = path.display().to_string();
                Some(Port { path, maker: make.maker(), clock: false })
            }
        }
    })
}

/// Whether a board of this maker answers at a port of the configuration, or anywhere where it is searched for.
///
/// # Errors
/// One line: what is wrong, and the remedy.
#[cfg(feature = "dgt")]
pub fn answers_as(maker: Maker, port: &Path) -> Result<(), String> {
    use annabella_devices::{
        dgt::{session::BoardEvent, wire},
        pieces::{
            Make,
            session::{self, PieceEvent},
        },
        serial::Finder,
    };

    const BOARD: Duration = Duration::from_secs(10);
    let answer = match Make::of(maker) {
        None => {
            let (mut board, _clock) = wire::open(port).map_err(|err| err.to_string())?;
            board.next(BOARD).map(|event| match event.what {
                BoardEvent::Lost(why) => Err(why),
                _ => Ok(()),
            })
        }
        Some(make) => {
            let finder = Finder::at(port, make.kind());
            let mut end = session::open(make, finder).map_err(|err| err.to_string())?;
            end.next(BOARD).map(|event| match event.what {
                PieceEvent::Lost(why) => Err(why),
                PieceEvent::Ready | PieceEvent::Frame(_) => Ok(()),
            })
        }
    };
    answer.unwrap_or_else(|| Err(NO_ANSWER.to_owned()))
}

#[cfg(feature = "dgt")]
const NO_ANSWER: &str = "no board has answered yet: name its port in [sighted] port";

/// Without electronic boards in the program there are none.
///
/// # Errors
/// Always.
#[cfg(not(feature = "dgt"))]
pub fn answers_as(_: Maker, _: &Path) -> Result<(), String> {
    Err("this program was built without electronic boards".to_owned())
}
