//! A demonstration's output: one readable line a move, or JSON, at the chosen pace.

use std::{
    io::Write,
    time::{Duration, Instant},
};

use shakmaty::{Chess, Color, Move, Position, san::SanPlus};

use super::{DemoArgs, Sound};
use annabella::{cli::Failure, service::json_lines};
use annabella_core::game::{At, Blind, Boards, Channel, MoveState, Output};
use annabella_players::table::{PlyReport, Watch};

/// Longest sleep at once, so that a signal is not waited for.
const NAP: Duration = Duration::from_millis(50);

pub(super) struct Screen<'a> {
    out: &'a mut dyn Write,
    sound: Sound,
    json: bool,
    speed: f64,
    blind: Blind,
    by_word: bool,
    /// Real time at which the table's time was `paced_ms`.
    began: Instant,
    paced_ms: u64,
    first_ply: u32,
    ply: u32,
    said: Vec<String>,
    whispered: Vec<String>,
    executed_ms: Option<u64>,
    boards: Option<Boards>,
    problems: Vec<String>,
    failed: Option<std::io::Error>,
}

impl<'a> Screen<'a> {
    pub(super) fn new(
        args: &DemoArgs,
        blind: Color,
        sound: Sound,
        out: &'a mut dyn Write,
    ) -> Screen<'a> {
        Screen {
            out,
            sound,
            json: args.json,
            speed: args.speed,
            by_word: args.board == "none" || args.partner.is_some(),
            blind: if blind.is_white() { Blind::White } else { Blind::Black },
            began: Instant::now(),
            paced_ms: 0,
            first_ply: 1,
            ply: 0,
            said: Vec::new(),
            whispered: Vec::new(),
            executed_ms: None,
            boards: None,
            problems: Vec::new(),
            failed: None,
        }
    }

    /// A new section of a game begins: its time starts from 0.
    pub(super) fn begin(&mut self, first_ply: u32) {
        self.began = Instant::now();
        self.paced_ms = 0;
        self.first_ply = first_ply;
        self.ply = 0;
        // What was said at a move that came to nothing belongs to the game before.
        self.said.clear();
        self.whispered.clear();
        self.problems.clear();
        self.boards = None;
    }

    /// A line for people; none with `--json`.
    pub(super) fn say(&mut self, line: &str) -> std::io::Result<()> {
        if !self.json {
            writeln!(self.out, "{line}")?;
        }
        self.flush()
    }

    /// Writes a JSON line; nothing where people read.
    pub(super) fn json_line(&mut self, line: &serde_json::Value) -> std::io::Result<()> {
        if self.json {
            writeln!(self.out, "{line}")?;
        }
        self.flush()
    }

    pub(super) fn flush(&mut self) -> std::io::Result<()> {
        match self.failed.take() {
            Some(err) => Err(err),
            None => self.out.flush(),
        }
    }

    /// Ends the sound and says where it is.
    pub(super) fn close(mut self) -> Result<(), Failure> {
        let sound = std::mem::replace(&mut self.sound, Sound::silent());
        if let Some(line) = sound.close().map_err(Failure::device)? {
            self.say(&line)?;
        }
        Ok(self.flush()?)
    }

    fn line(&mut self, position: &Chess, mv: Move, report: &PlyReport) -> String {
        let number = self.first_ply + self.ply;
        let san = SanPlus::from_move(position.clone(), mv);
        let dots = if position.turn().is_white() { "." } else { "..." };
        let mut line = format!("{}{dots} {san}", number.div_ceil(2));
        let own = self.blind.is(position.turn());
        if !own {
            line.push_str(" | sighted board moved");
        }
        for script in &report.handwork {
            let actions: Vec<String> =
                script.actions.iter().map(|(_, action)| action.to_string()).collect();
            line.push_str(&format!(" | felt {}", actions.join(", ")));
            if !script.mishaps.is_empty() {
                let mishaps: Vec<String> = script.mishaps.iter().map(ToString::to_string).collect();
                line.push_str(&format!(" ({})", mishaps.join("; ")));
            }
            if let (true, Some(at_ms), Some((last_ms, _))) =
                (own, self.executed_ms, script.actions.last())
            {
                // Something else was still moved after the move had settled.
                let Some(after) = at_ms.checked_sub(*last_ms) else { continue };
                line.push_str(&format!(" | {san} executed after {after} ms of stillness"));
            }
        }
        for said in &report.said {
            line.push_str(&format!(" | player: \"{said}\""));
        }
        for heard in &report.heard {
            line.push_str(&format!(" | heard {heard}"));
        }
        for said in self.said.drain(..) {
            line.push_str(&format!(" | said \"{said}\""));
        }
        for said in self.whispered.drain(..) {
            line.push_str(&format!(" | in the ear \"{said}\""));
        }
        for problem in self.problems.drain(..) {
            line.push_str(&format!(" | {problem}"));
        }
        if let Some(boards) = self.boards {
            let boards = match boards {
                // One of the two boards is seen.
                Boards::Agree if self.by_word => "opponent's board agrees",
                Boards::Agree => "boards agree",
                Boards::Pending => "boards pending",
                Boards::Differ => "boards DIFFER",
            };
            line.push_str(&format!(" | {boards}"));
        }
        self.executed_ms = None;
        self.ply += 1;
        line
    }
}

impl Watch for Screen<'_> {
    fn time(&mut self, now_ms: u64) {
        if self.speed == 0.0 || now_ms <= self.paced_ms {
            return;
        }
        self.paced_ms = now_ms;
        let due = self.began + Duration::from_secs_f64(now_ms as f64 / 1000.0 / self.speed);
        while let Some(left) = due.checked_duration_since(Instant::now()) {
            std::thread::sleep(left.min(NAP));
        }
    }

    fn output(&mut self, at: At, output: &Output) {
        if self.json {
            for line in json_lines(at, self.blind, output) {
                let written = writeln!(self.out, "{line}").and_then(|()| self.out.flush());
                if let Err(err) = written {
                    self.failed.get_or_insert(err);
                }
            }
        }
        if let Err(err) = self.sound.output(output) {
            self.failed.get_or_insert(std::io::Error::other(err));
        }
        match output {
            Output::Say { channel: Channel::Public, words, .. } => {
                self.said.push(words.to_string());
            }
            Output::Say { channel: Channel::Private, words, .. } => {
                self.whispered.push(words.to_string());
            }
            Output::Move { state: MoveState::Executed, .. } => self.executed_ms = Some(at.ms),
            Output::Problem { article, text, .. } => {
                self.problems.push(format!("{article}: {text}"));
            }
            Output::Boards(boards) => self.boards = Some(*boards),
            _ => {}
        }
    }

    fn ply(&mut self, position: &Chess, mv: Move, report: &PlyReport) -> std::io::Result<()> {
        let line = self.line(position, mv, report);
        self.say(&line)?;
        if self.speed > 0.0 {
            self.sound.listen();
        }
        Ok(())
    }
}
