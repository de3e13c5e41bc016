//! Gets legal moves and judgements out of an engine, however it behaves.

use std::{path::Path, time::Duration};

use shakmaty::Move;
use tokio::{sync::mpsc, time::sleep};

use crate::{
    engine::{Engine, EngineFault, Found, Limits},
    level::{Level, Strength},
    line::Line,
    uci::Judgement,
    words::Remark,
};

/// An engine that has wanted so many illegal moves in a row is started again.
const CHEATS: u32 = 3;
/// After so many failures on one move it is said that no move is found.
const FAILS: u32 = 5;
/// The pause before a failed engine is started again: at first, and at most.
const PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);
/// A judgement that is asked for by itself.
const LOOK: Limits = Limits { time: Duration::from_millis(500), nodes: Some(50_000) };

/// An engine at a level.
#[derive(Debug)]
pub struct Thinker {
    engine: Engine,
    level: Level,
    strength: Strength,
    /// Its options are set for this game.
    ready: bool,
    remarks: mpsc::UnboundedSender<Remark>,
}

/// A legal move, and what the engine thinks of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub mv: Move,
    pub judgement: Option<Judgement>,
}

impl Thinker {
    /// An engine that is started when it is asked first; what goes wrong comes out of the receiver.
    pub fn new(
        program: &Path,
        arguments: &[String],
        level: Level,
    ) -> (Thinker, mpsc::UnboundedReceiver<Remark>) {
        let (remarks, said) = mpsc::unbounded_channel();
        let engine = Engine::new(program, arguments);
        let strength = Strength::default();
        (Thinker { engine, level, strength, ready: false, remarks }, said)
    }

    pub fn level(&self) -> Level {
        self.level
    }

    /// The engine's name.
    pub fn name(&self) -> String {
        self.engine.name()
    }

    /// The same as it is spoken.
    pub fn spoken_name(&self) -> String {
        self.engine.spoken_name()
    }

    /// Another game begins, at this level.
    pub fn begin(&mut self, level: Level) {
        self.level = level;
        self.ready = false;
    }

    /// Starts the engine, where it is not running, and sets it for this game.
    ///
    /// # Errors
    /// [`EngineFault`]: it may be tried again.
    pub async fn start(&mut self) -> Result<(), EngineFault> {
        if !self.engine.runs() {
            self.ready = false;
        }
        self.engine.start().await?;
        if !self.ready {
            self.strength = self.level.strength(self.engine.offers());
            self.engine.set(&self.strength.options).await?;
            self.ready = true;
        }
        Ok(())
    }

    /// The limits of this level are known once the engine has said what it offers.
    async fn search(
        &mut self,
        line: &Line,
        limits: impl FnOnce(&Strength) -> Limits,
    ) -> Result<Found, EngineFault> {
        self.start().await?;
        self.engine.search(line, limits(&self.strength)).await
    }

    /// A legal move in a position that has one. Tries until there is one; may be dropped.
    pub async fn chooses(&mut self, line: &Line, time: Duration) -> Choice {
        let mut failures = 0;
        let mut cheats = 0;
        loop {
            let limits = |strength: &Strength| Limits { time, nodes: strength.nodes };
            let fault = match self.search(line, limits).await {
                Ok(Found { best, judgement }) => {
                    if let Some(mv) = line.legal(&best) {
                        return Choice { mv, judgement };
                    }
                    self.says(Remark::EngineCheated);
                    cheats += 1;
                    if cheats % CHEATS != 0 {
                        continue;
                    }
                    self.engine.stop().await;
                    None
                }
                Err(fault) => Some(fault),
            };
            failures += 1;
            match fault {
                _ if failures % FAILS == 0 => self.says(Remark::EngineFails),
                None => {}
                Some(EngineFault::Hangs(_)) => self.says(Remark::EngineHung),
                Some(_) => self.says(Remark::EngineDied),
            }
            sleep(pause(failures)).await;
        }
    }

    /// What the engine would do with all that it has, whatever the level: a legal move, and its
    /// judgement. `None`: it does not answer. May be dropped.
    pub async fn advises(&mut self, line: &Line) -> Option<Choice> {
        for failures in 1..=FAILS {
            // Afterwards the level is set anew.
            self.ready = false;
            match self.looks(line).await {
                Ok(Found { best, judgement }) => {
                    if let Some(mv) = line.legal(&best) {
                        return Some(Choice { mv, judgement });
                    }
                    self.says(Remark::EngineCheated);
                }
                Err(fault) => {
                    let hangs = matches!(fault, EngineFault::Hangs(_));
                    self.says(if hangs { Remark::EngineHung } else { Remark::EngineDied });
                    sleep(pause(failures)).await;
                }
            }
        }
        None
    }

    async fn looks(&mut self, line: &Line) -> Result<Found, EngineFault> {
        self.engine.start().await?;
        let full = Level::FULL.strength(self.engine.offers());
        self.engine.set(&full.options).await?;
        self.engine.search(line, LOOK).await
    }

    /// How the engine judges a position; `None`: it does not answer.
    pub async fn judges(&mut self, line: &Line) -> Option<Judgement> {
        for failures in 1..=FAILS {
            match self.search(line, |_| LOOK).await {
                Ok(found) => return found.judgement,
                Err(fault) => {
                    let hangs = matches!(fault, EngineFault::Hangs(_));
                    self.says(if hangs { Remark::EngineHung } else { Remark::EngineDied });
                    sleep(pause(failures)).await;
                }
            }
        }
        None
    }

    fn says(&self, remark: Remark) {
        // Nobody listens after the end.
        let _ = self.remarks.send(remark);
    }

    /// Ends the engine.
    pub async fn stop(&mut self) {
        self.engine.stop().await;
    }
}

fn pause(failures: u32) -> Duration {
    PAUSE.saturating_mul(1 << failures.min(10)).min(LONGEST_PAUSE)
}
