//! Short scripts of what happens at a table.
//!
//! `e2-` lifts, `e4+` puts, `w!` and `b!` press, `"…"` is said by nobody in particular, `w"…"` and
//! `b"…"` by a player, `~900` waits so many milliseconds.

use annabella_core::game::{GameConfig, Input};
use shakmaty::Color::{Black, White};

use super::table::Table;

/// The clock runs, White is blind, his opponent has a wooden board.
pub(crate) fn wooden() -> GameConfig {
    GameConfig { time_control: "90+30".to_owned(), ..GameConfig::default() }
}

impl Table {
    pub(crate) fn script(&mut self, script: &str) {
        let mut rest = script.trim();
        while !rest.is_empty() {
            let speaker = match rest.as_bytes() {
                [b'w', b'"', ..] => Some(White),
                [b'b', b'"', ..] => Some(Black),
                _ => None,
            };
            if speaker.is_some() || rest.starts_with('"') {
                let begin = rest.find('"').expect("a quote") + 1;
                let (said, after) = rest[begin..].split_once('"').expect("a second quote");
                self.says(speaker, said);
                rest = after.trim_start();
                continue;
            }
            let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
            match word.split_at(word.len() - 1) {
                ("w", "!") => self.input(Input::Pressed { seat: White }),
                ("b", "!") => self.input(Input::Pressed { seat: Black }),
                (square, "-") => self.lift(square),
                (square, "+") => self.put(square),
                _ => self.wait(word.strip_prefix('~').expect(word).parse().expect(word)),
            }
            rest = after.trim_start();
        }
    }

    pub(crate) fn after(config: GameConfig, script: &str) -> Table {
        let mut table = Table::new(config);
        table.start_clock();
        table.script(script);
        table
    }

    /// The result and its article: `1-0 5.1.1`.
    pub(crate) fn result(&self) -> Option<String> {
        let record = self.game.record().expect("a game");
        record.ended.map(|ended| format!("{} {}", ended.result, ended.article))
    }

    pub(crate) fn sans(&self) -> Vec<String> {
        let record = self.game.record().expect("a game");
        record.line.iter().map(|ply| ply.san.clone()).collect()
    }

    pub(crate) fn completed(&self) -> usize {
        let record = self.game.record().expect("a game");
        record.line.iter().filter(|ply| ply.completed.is_some()).count()
    }
}

#[track_caller]
pub(crate) fn has(lines: &[String], part: &str) {
    assert!(lines.iter().any(|line| line.contains(part)), "no '{part}' in {lines:#?}");
}

#[track_caller]
pub(crate) fn lacks(lines: &[String], part: &str) {
    assert!(!lines.iter().any(|line| line.contains(part)), "'{part}' in {lines:#?}");
}
