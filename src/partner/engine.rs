//! A UCI engine as a process of its own. It is never waited for without end, and one that dies,
//! hangs or floods is stopped: the next call starts it again.

use std::{
    io,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use thiserror::Error;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::{Instant, timeout, timeout_at},
};

use annabella_words::text::plain;

use crate::{
    line::Line,
    uci::{self, EngineOption, FromEngine, Judgement},
};

/// An engine that reads a large file when it starts gets so long.
const START: Duration = Duration::from_secs(20);
/// So much longer than it was given may a search take.
const GRACE: Duration = Duration::from_secs(3);
/// A search that is told to stop must end within this time.
const STOP: Duration = Duration::from_secs(2);
/// No line of an engine is longer, bytes.
const LONGEST: usize = 64 * 1_024;

/// Why an engine has given no answer. It is not running any more.
#[derive(Debug, Error)]
pub enum EngineFault {
    #[error("cannot start the engine {}: {reason}: install one (sudo apt install stockfish), or name it with --engine", .program.display())]
    Missing { program: PathBuf, reason: io::Error },
    /// It has ended, or closed its pipes.
    #[error("the engine has ended")]
    Died,
    #[error("the engine does not answer to '{0}'")]
    Hangs(&'static str),
    #[error("the engine writes a line of more than {LONGEST} bytes")]
    Floods,
}

/// How long an engine may search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub time: Duration,
    pub nodes: Option<u64>,
}

/// The end of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// As the engine wrote it.
    pub best: String,
    /// Its last judgement, for the side to move.
    pub judgement: Option<Judgement>,
}

/// An engine, running or not.
#[derive(Debug)]
pub struct Engine {
    program: PathBuf,
    arguments: Vec<String>,
    running: Option<Running>,
    name: String,
    offers: Vec<EngineOption>,
}

#[derive(Debug)]
struct Running {
    /// Killed when this is dropped.
    child: Child,
    to: ChildStdin,
    from: ChildStdout,
    read: Vec<u8>,
    searches: bool,
}

impl Engine {
    /// An engine that is started when it is asked first. `call`: the program, then its arguments.
    pub fn new(program: &Path, arguments: &[String]) -> Engine {
        Engine {
            program: program.to_owned(),
            arguments: arguments.to_owned(),
            running: None,
            name: String::new(),
            offers: Vec::new(),
        }
    }

    /// The name it gives itself; that of its file before it has run.
    pub fn name(&self) -> String {
        match self.name.as_str() {
            "" => self.program.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            name => name.to_owned(),
        }
    }

    /// Its name as it is spoken: without the version, and without a digit.
    pub fn spoken_name(&self) -> String {
        spoken(&self.name())
    }

    /// What can be set; nothing before it has run.
    pub fn offers(&self) -> &[EngineOption] {
        &self.offers
    }

    /// Whether it runs, as far as is known.
    pub fn runs(&self) -> bool {
        self.running.is_some()
    }

    /// Starts it, if it is not running.
    pub async fn start(&mut self) -> Result<(), EngineFault> {
        if self.running.is_some() {
            return Ok(());
        }
        let running = Running::start(&self.program, &self.arguments)
            .map_err(|reason| EngineFault::Missing { program: self.program.clone(), reason })?;
        self.running = Some(running);
        self.offers.clear();
        self.send("uci").await?;
        let until = Instant::now() + START;
        loop {
            match self.next(until, "uci").await? {
                FromEngine::Name(name) => self.name = plain(&name).trim().to_owned(),
                FromEngine::Offers(option) => self.offers.push(option),
                FromEngine::UciOk => return Ok(()),
                _ => {}
            }
        }
    }

    /// Sets options for a new game. It must have been started.
    pub async fn set(&mut self, options: &[(String, String)]) -> Result<(), EngineFault> {
        self.settle().await?;
        for (name, value) in options {
            self.send(&format!("setoption name {name} value {value}")).await?;
        }
        self.send("ucinewgame").await?;
        self.send("isready").await?;
        let until = Instant::now() + START;
        while self.next(until, "isready").await? != FromEngine::ReadyOk {}
        Ok(())
    }

    /// Has it search for a move. It must have been started. May be dropped: the next call ends the
    /// search.
    pub async fn search(&mut self, line: &Line, limits: Limits) -> Result<Found, EngineFault> {
        self.settle().await?;
        let moves = line.uci();
        let position = match moves.is_empty() {
            true => format!("position fen {}", line.start_fen()),
            false => format!("position fen {} moves {}", line.start_fen(), moves.join(" ")),
        };
        self.send(&position).await?;
        let mut go = format!("go movetime {}", limits.time.as_millis().max(1));
        if let Some(nodes) = limits.nodes {
            go += &format!(" nodes {nodes}");
        }
        if let Some(running) = &mut self.running {
            running.searches = true;
        }
        self.send(&go).await?;
        let mut judgement = None;
        let mut until = Instant::now() + limits.time + GRACE;
        let mut told = false;
        loop {
            match self.next_or_late(until).await? {
                Some(FromEngine::Judged(judged)) => judgement = Some(judged),
                Some(FromEngine::BestMove(best)) => {
                    if let Some(running) = &mut self.running {
                        running.searches = false;
                    }
                    return Ok(Found { best, judgement });
                }
                Some(_) => {}
                None if told => return Err(self.gone(EngineFault::Hangs("stop")).await),
                None => {
                    told = true;
                    self.send("stop").await?;
                    until = Instant::now() + STOP;
                }
            }
        }
    }

    /// Ends a search that nobody waits for any more.
    async fn settle(&mut self) -> Result<(), EngineFault> {
        if !self.running.as_ref().is_some_and(|running| running.searches) {
            return Ok(());
        }
        self.send("stop").await?;
        let until = Instant::now() + STOP;
        loop {
            if let FromEngine::BestMove(_) = self.next(until, "stop").await? {
                if let Some(running) = &mut self.running {
                    running.searches = false;
                }
                return Ok(());
            }
        }
    }

    /// Stops it at once. The next [`start`](Engine::start) begins anew.
    pub async fn stop(&mut self) {
        if let Some(mut running) = self.running.take() {
            // One that has ended already is as good.
            let _ = running.child.kill().await;
        }
    }

    /// It cannot be used any more.
    async fn gone(&mut self, fault: EngineFault) -> EngineFault {
        self.stop().await;
        fault
    }

    async fn send(&mut self, line: &str) -> Result<(), EngineFault> {
        let Some(running) = &mut self.running else { return Err(EngineFault::Died) };
        let text = format!("{line}\n");
        let write = async {
            running.to.write_all(text.as_bytes()).await?;
            running.to.flush().await
        };
        // One that reads nothing fills its pipe.
        match timeout(STOP, write).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(self.gone(EngineFault::Died).await),
            Err(_) => Err(self.gone(EngineFault::Hangs("what it is told")).await),
        }
    }

    async fn next(
        &mut self,
        until: Instant,
        asked: &'static str,
    ) -> Result<FromEngine, EngineFault> {
        match self.next_or_late(until).await? {
            Some(line) => Ok(line),
            None => Err(self.gone(EngineFault::Hangs(asked)).await),
        }
    }

    /// The next line; `None`: it is late.
    async fn next_or_late(&mut self, until: Instant) -> Result<Option<FromEngine>, EngineFault> {
        let Some(running) = &mut self.running else { return Err(EngineFault::Died) };
        match timeout_at(until, running.line()).await {
            Ok(Ok(line)) => Ok(Some(uci::read(&line))),
            Ok(Err(fault)) => Err(self.gone(fault).await),
            Err(_) => Ok(None),
        }
    }
}

impl Running {
    fn start(program: &Path, arguments: &[String]) -> io::Result<Running> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Ctrl+C in the terminal is for the game, not for the engine.
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        let missing = || io::Error::other("the system gives no pipe");
        let to = child.stdin.take().ok_or_else(missing)?;
        let from = child.stdout.take().ok_or_else(missing)?;
        Ok(Running { child, to, from, read: Vec::new(), searches: false })
    }

    /// The next line. May be dropped: what was read stays.
    async fn line(&mut self) -> Result<String, EngineFault> {
        loop {
            if let Some(end) = self.read.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.read.drain(..=end).collect();
                return Ok(String::from_utf8_lossy(&line).trim().to_owned());
            }
            if self.read.len() > LONGEST {
                return Err(EngineFault::Floods);
            }
            match self.from.read_buf(&mut self.read).await {
                Ok(length) if length > 0 => {}
                _ => return Err(EngineFault::Died),
            }
        }
    }
}

/// The words of a name before the first one with a digit. No voice is to read a version, nor is a
/// digit to come before one.
fn spoken(name: &str) -> String {
    let has_digit = |word: &&str| word.contains(|c: char| c.is_ascii_digit());
    let words: Vec<&str> = name.split_whitespace().take_while(|word| !has_digit(word)).collect();
    if !words.is_empty() {
        return words.join(" ");
    }
    let letters = |word: &str| word.chars().filter(|c| c.is_alphabetic()).collect::<String>();
    let first = name.split_whitespace().map(letters).find(|word| !word.is_empty());
    first.unwrap_or_else(|| "Engine".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engines_version_is_not_spoken() {
        for (name, said) in [
            ("Stockfish 15.1", "Stockfish"),
            ("Stockfish dev-20240101-abc", "Stockfish"),
            ("GNU Chess 6.2.7", "GNU Chess"),
            ("Komodo 14.1 64-bit", "Komodo"),
            ("Lc0 v0.31.2", "Lc"),
            ("Fairy", "Fairy"),
            ("17 4", "Engine"),
            ("", "Engine"),
        ] {
            assert_eq!(spoken(name), said);
        }
    }
}
