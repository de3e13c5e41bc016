//! The game at such a table, and what keeps its inputs: memory alone, or the service with a real
//! journal on a disk that has troubles of its own.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use annabella::service::Service;
use annabella_core::game::{At, Channel, Game, Input, Output, Started, Urgency};
use annabella_players::table::handled;
use annabella_records::journal::{GameId, Journal, JournalError, Records, open_repaired};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rusqlite::Connection;
use tempfile::TempDir;

/// How often each fault happened.
pub(crate) type Faults = BTreeMap<&'static str, u64>;

/// After so many inputs the journal is read and compared.
const COMPARED: usize = 97;

/// A fault that is planted to see whether it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code)]
pub(crate) enum Plant {
    /// Of fifty inputs one is acknowledged and not kept.
    NotKept,
    /// Of fifty inputs one is kept as another.
    KeptOtherwise,
    /// Of ten presses one is taken for the opponent's.
    PressedByOther,
}

/// The game, and what keeps its inputs.
pub(super) enum Store {
    Memory { game: Box<Game>, inputs: Vec<(At, Input)> },
    Disk(Box<Disk>),
}

impl Store {
    pub(super) fn memory() -> Store {
        Store::Memory { game: Box::default(), inputs: Vec::new() }
    }

    pub(super) fn game(&self) -> &Game {
        match self {
            Store::Memory { game, .. } => game,
            Store::Disk(disk) => disk.service().game(),
        }
    }

    pub(super) fn wake_at(&self) -> Option<At> {
        match self {
            Store::Memory { game, .. } => game.wake_at(),
            Store::Disk(disk) => disk.service().wake_at(),
        }
    }

    /// Takes in one input. A refusal is among the outputs.
    pub(super) fn take(&mut self, at: At, input: Input) -> Result<Vec<Output>, String> {
        match self {
            Store::Memory { game, inputs } => {
                inputs.push((at, input.clone()));
                Ok(handled(game, at, input).unwrap_or_else(|refused| {
                    let mut outputs = refused.meanwhile;
                    if let Some(words) = refused.words {
                        let (channel, urgency) = (Channel::Private, Urgency::Alert);
                        outputs.push(Output::Say { channel, seat: refused.seat, urgency, words });
                    }
                    outputs
                }))
            }
            Store::Disk(disk) => disk.take(at, input),
        }
    }

    /// The machine loses its power and is back at `at`.
    pub(super) fn kill(&mut self, at: At, rng: &mut ChaCha8Rng) -> Result<Vec<Output>, String> {
        match self {
            Store::Memory { game, inputs } => {
                **game = Game::replay(inputs.clone()).0;
                self.take(at, Input::Resumed)
            }
            Store::Disk(disk) => disk.kill(rng),
        }
    }
}

/// What is wrong with the disk now.
enum Trouble {
    /// The file was taken away, to this place.
    Away(PathBuf),
    /// Another program holds it.
    Locked(Connection),
}

/// The service with its journal.
pub(super) struct Disk {
    folder: TempDir,
    file: PathBuf,
    lives: u32,
    service: Option<Service>,
    id: GameId,
    /// Everything that was acknowledged.
    taken: Vec<(At, Input)>,
    trouble: Option<Trouble>,
    pub(super) faults: Faults,
    plant: Option<Plant>,
}

fn text(error: JournalError) -> String {
    error.to_string()
}

impl Disk {
    pub(super) fn new(at: At, started: Started, plant: Option<Plant>) -> Result<Disk, String> {
        // Memory takes thousands of journals faster than a disk does.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        let folder = folder.map_err(|err| err.to_string())?;
        let file = folder.path().join("games.db");
        let journal = Journal::open(&file).map_err(text)?;
        let (service, _) = Service::begin(journal, at, started.clone()).map_err(text)?;
        let id = service.id();
        let taken = vec![(at, Input::Started(Box::new(started)))];
        let (faults, trouble, service) = (Faults::new(), None, Some(service));
        Ok(Disk { folder, file, lives: 0, service, id, taken, trouble, faults, plant })
    }

    fn service(&self) -> &Service {
        self.service.as_ref().expect("it runs")
    }

    fn running(&mut self) -> &mut Service {
        self.service.as_mut().expect("it runs")
    }

    pub(super) fn inputs(&self) -> usize {
        self.taken.len()
    }

    pub(super) fn counts(&mut self, fault: &'static str) {
        *self.faults.entry(fault).or_default() += 1;
    }

    fn take(&mut self, at: At, mut input: Input) -> Result<Vec<Output>, String> {
        if let (Some(Plant::PressedByOther), Input::Pressed { seat }) = (self.plant, &mut input) {
            *seat = if self.taken.len() % 10 < 5 { !*seat } else { *seat };
        }
        let nth = self.taken.len() % 50 == 49;
        let outputs = match (self.plant, &input) {
            (Some(Plant::NotKept), _) if nth => Vec::new(),
            (Some(Plant::KeptOtherwise), _) if nth => {
                self.running().input(at, Input::Woke).map_err(text)?
            }
            _ => self.running().input(at, input.clone()).map_err(text)?,
        };
        self.taken.push((at, input));
        if self.taken.len().is_multiple_of(COMPARED) {
            self.compare()?;
        }
        Ok(outputs)
    }

    /// On the disk is everything that was acknowledged, but for what the player was told is not
    /// saved.
    fn compare(&self) -> Result<(), String> {
        if matches!(self.trouble, Some(Trouble::Away(_))) {
            return Ok(());
        }
        let kept = Records::open(&self.file).and_then(|records| records.inputs(self.id));
        let kept = kept.map_err(text)?;
        let waits = self.service().unsaved();
        let wanted = &self.taken[..self.taken.len() - waits];
        if kept.len() != wanted.len() {
            return Err(format!(
                "{} inputs were acknowledged, {} are on the disk",
                wanted.len(),
                kept.len()
            ));
        }
        match kept.iter().zip(wanted).position(|(kept, wanted)| kept != wanted) {
            Some(n) => Err(format!("input {} is on the disk as another: {:?}", n + 1, kept[n])),
            None => Ok(()),
        }
    }

    /// Something goes wrong with the disk, for some time.
    pub(super) fn trouble(&mut self, rng: &mut ChaCha8Rng) -> Result<(), String> {
        if self.trouble.is_some() {
            return self.heals();
        }
        match rng.random_range(0..200) {
            // Each try to write takes half a second then.
            0 => {
                self.counts("journal locked by another program");
                let other = Connection::open(&self.file).map_err(|err| err.to_string())?;
                other.execute_batch("BEGIN IMMEDIATE").map_err(|err| err.to_string())?;
                self.trouble = Some(Trouble::Locked(other));
            }
            1..30 => {
                self.counts("second service on one journal");
                match Journal::open(&self.file) {
                    Err(JournalError::InUse { .. }) => {}
                    Err(other) => return Err(format!("a second service is told: {other}")),
                    Ok(_) => return Err("two services write one journal".to_owned()),
                }
            }
            30..70 => {
                self.counts("journal read by another program");
                self.compare()?;
            }
            _ => {
                self.counts("journal taken away and put back");
                let away = self.folder.path().join("away.db");
                fs::rename(&self.file, &away).map_err(|err| err.to_string())?;
                self.trouble = Some(Trouble::Away(away));
            }
        }
        Ok(())
    }

    /// The disk is as it should be; what waited is written.
    pub(super) fn heals(&mut self) -> Result<(), String> {
        match self.trouble.take() {
            Some(Trouble::Away(away)) => {
                fs::rename(away, &self.file).map_err(|err| err.to_string())?;
            }
            Some(Trouble::Locked(other)) => drop(other),
            None => return Ok(()),
        }
        self.running().save_rest().map_err(text)?;
        self.compare()
    }

    /// The process is killed, perhaps while it writes; another one goes on from the files as they
    /// were.
    fn kill(&mut self, rng: &mut ChaCha8Rng) -> Result<Vec<Output>, String> {
        self.heals()?;
        self.counts("killed");
        self.lives += 1;
        let next = self.folder.path().join(format!("life-{}.db", self.lives));
        copy(&self.file, &next)?;
        if rng.random() {
            self.counts("killed while it wrote");
            // The begin of a transaction that was not acknowledged.
            let torn: Vec<u8> = (0..rng.random_range(1..9000)).map(|_| rng.random()).collect();
            let log = beside(&next, "-wal");
            let mut bytes = fs::read(&log).unwrap_or_default();
            bytes.extend(torn);
            fs::write(log, bytes).map_err(|err| err.to_string())?;
        }
        let before = self.service().game().clone();
        self.service = None;
        self.file = next;
        let (journal, found) = open_repaired(&self.file).map_err(text)?;
        let told = found.told;
        if !told.is_empty() {
            return Err(format!("after a kill the journal is damaged: {told:?}"));
        }
        let kept = journal.inputs(self.id).map_err(text)?;
        if kept != self.taken {
            return Err(format!(
                "after a kill {} inputs are there of {} acknowledged",
                kept.len(),
                self.taken.len()
            ));
        }
        if Game::replay(kept).0 != before {
            return Err("the game replayed is another than the one that was played".to_owned());
        }
        let (service, outputs) = Service::resume(journal, self.id).map_err(text)?;
        self.taken = service.inputs().map_err(text)?;
        self.service = Some(service);
        Ok(outputs)
    }

    /// The game is over: of damaged copies of its journal no input comes out changed.
    pub(super) fn spoils(&mut self, rng: &mut ChaCha8Rng) -> Result<(), String> {
        self.heals()?;
        self.compare()?;
        self.service = None;
        let whole = fs::read(&self.file).map_err(|err| err.to_string())?;
        for round in 0..3 {
            let mut bytes = whole.clone();
            let place = rng.random_range(0..bytes.len());
            match round {
                0 => bytes[place] ^= 1 << rng.random_range(0..8),
                1 => {
                    let end = bytes.len().min(place + 600);
                    bytes[place..end].fill(rng.random());
                }
                _ => bytes.truncate(place),
            }
            let copy = self.folder.path().join(format!("spoilt-{round}.db"));
            if bytes.is_empty() {
                // An empty file may be a new one: only the lock file beside it knows better.
                fs::copy(beside(&self.file, ".lock"), beside(&copy, ".lock"))
                    .map_err(|err| err.to_string())?;
            }
            fs::write(&copy, bytes).map_err(|err| err.to_string())?;
            let saved = open_repaired(&copy).and_then(|(journal, found)| {
                let there = journal.games()?.iter().any(|row| row.id == self.id);
                let inputs = if there { journal.inputs(self.id)? } else { Vec::new() };
                Ok((inputs, found.told))
            });
            let (inputs, told) = match saved {
                Ok(saved) => saved,
                Err(error) => (Vec::new(), vec![error.to_string()]),
            };
            if !self.taken.starts_with(&inputs) {
                return Err(format!("byte {place} spoilt changes an input unnoticed"));
            }
            if inputs.len() < self.taken.len() && told.is_empty() {
                return Err(format!(
                    "byte {place} spoilt loses {} inputs unnoticed",
                    self.taken.len() - inputs.len()
                ));
            }
            self.counts(["a bit flipped", "600 bytes overwritten", "file cut off"][round]);
        }
        Ok(())
    }
}

fn beside(path: &Path, end: &str) -> PathBuf {
    PathBuf::from(format!("{}{end}", path.display()))
}

/// A journal's files as they are at this moment.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    for end in ["", "-wal", ".lock"] {
        let file = beside(from, end);
        if file.exists() {
            fs::copy(&file, beside(to, end)).map_err(|err| format!("{}: {err}", file.display()))?;
        }
    }
    Ok(())
}
