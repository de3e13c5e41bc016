//! What a table was told, line by line, and a short hash of it: a change of the core that is to
//! change nothing is compared with what an earlier version did at the same random tables.
//!
//! `tests/data/transcripts.txt` has ten tables a line: their kind, the first seed, the hashes. The
//! texts behind the hashes are large; they lie in `target/transcripts` where they were recorded.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use annabella_core::game::{Game, Output, Refused};

/// What happened at one table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Transcript {
    lines: Vec<String>,
}

impl Transcript {
    /// A line of its own.
    pub(crate) fn note(&mut self, line: String) {
        self.lines.push(line);
    }

    /// What an input came to, and the clocks where a move went a step further.
    pub(crate) fn outputs(&mut self, at_ms: u64, game: &Game, outputs: &[Output]) {
        for output in outputs {
            let Some(line) = line(output) else { continue };
            let clock = match output {
                Output::Move { .. } => {
                    game.record().map_or(String::new(), |record| format!(" {:?}", record.clock))
                }
                _ => String::new(),
            };
            self.lines.push(format!("{at_ms} {line}{clock}"));
        }
    }

    /// The same of an input that may be refused.
    #[allow(dead_code)]
    pub(crate) fn result(
        &mut self,
        at_ms: u64,
        game: &Game,
        result: &Result<Vec<Output>, Refused>,
    ) {
        match result {
            Ok(outputs) => self.outputs(at_ms, game, outputs),
            Err(refused) => {
                self.outputs(at_ms, game, &refused.meanwhile);
                let words = refused.words.as_ref().map(ToString::to_string);
                let (article, seat) = (refused.article, refused.seat);
                self.lines.push(format!("{at_ms} refused {article} to {seat:?}: {words:?}"));
            }
        }
    }

    /// FNV-1a of the lines, 32 bits.
    fn hash(&self) -> String {
        let bytes = self.lines.iter().flat_map(|line| line.bytes().chain([b'\n']));
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{:08x}", (hash >> 32) ^ (hash & 0xffff_ffff))
    }
}

/// What of an output must stay as it is. English sentences are for files: their article is enough.
fn line(output: &Output) -> Option<String> {
    Some(match output {
        Output::Say { channel, seat, urgency, words } => {
            let seat = seat.map_or("-".to_owned(), |seat| seat.to_string());
            format!("say {channel:?} {seat} {urgency:?}: {words}")
        }
        Output::Whisper { seat, words } => format!("whisper {seat}: {words}"),
        Output::Show { seat, words } => format!("show {seat}: {words}"),
        Output::Move { ply, uci, state, seat, said, .. } => {
            format!("move {ply} {seat} {uci} {state:?} {said}")
        }
        Output::Clock { white_ms, black_ms, running } => {
            format!("clock {white_ms} {black_ms} {running:?}")
        }
        Output::Problem { article, .. } => format!("problem {article}"),
        Output::Result { result, article, .. } => format!("result {result} {article}"),
        Output::Proposal(proposal) => {
            let state = format!("{:?}", proposal.state);
            let state = state.split([' ', '{']).next().unwrap_or_default().to_owned();
            format!("proposal {} {} {state}", proposal.number, proposal.article)
        }
        Output::Touched { seat, square, piece } => format!("touched {seat} {square} {piece}"),
        Output::Boards(boards) => format!("boards {boards:?}"),
        Output::Ruled(ruled) => format!("ruled {:?} {:?}", ruled.before_ms, ruled.after_ms),
        Output::Settled(settled) => format!("settled {}", settled.ply),
        Output::Correct { seat, steps } => format!("correct {seat} {steps:?}"),
        Output::Hush { seat } => format!("hush {seat:?}"),
        Output::Manner { volume, words_per_minute, .. } => {
            format!("manner {volume} {words_per_minute}")
        }
        Output::Heard(heard) => format!("heard {:?} {:?}", heard.decision, heard.uci),
        Output::Codes { seat } => format!("codes {seat}"),
        Output::Prepare { .. } => return None,
    })
}

fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = own.ancestors().find(|folder| folder.join("voices").is_dir());
    root.expect("the project's folder").to_owned()
}

fn recorded() -> PathBuf {
    root().join("tests/data/transcripts.txt")
}

/// The text of a table as it was when the hashes were recorded.
fn text(kind: &str, seed: u64) -> PathBuf {
    root().join(format!("target/transcripts/{kind}-{seed}.txt"))
}

/// The recorded hashes of this kind by seed.
fn hashes(kind: &str) -> BTreeMap<u64, String> {
    let all = fs::read_to_string(recorded()).unwrap_or_default();
    let own = all.lines().filter_map(|line| line.strip_prefix(kind)?.strip_prefix(' '));
    own.flat_map(|line| {
        let (first, hashes) = line.split_once(' ').expect("a seed and hashes");
        let first: u64 = first.parse().expect("a seed");
        (first..).zip(hashes.split(' ').map(str::to_owned))
    })
    .collect()
}

fn record(kind: &str, tables: u64, play: impl Fn(u64) -> Transcript) {
    let all = fs::read_to_string(recorded()).unwrap_or_default();
    let own = format!("{kind} ");
    let mut lines: Vec<String> =
        all.lines().filter(|line| !line.starts_with(&own)).map(str::to_owned).collect();
    fs::create_dir_all(root().join("target/transcripts")).expect("a folder for the texts");
    let mut hashes = Vec::new();
    for seed in 0..tables {
        let played = play(seed);
        hashes.push(played.hash());
        fs::write(text(kind, seed), played.lines.join("\n")).expect("a text");
    }
    for (n, ten) in hashes.chunks(10).enumerate() {
        lines.push(format!("{kind} {} {}", n * 10, ten.join(" ")));
    }
    fs::write(recorded(), lines.join("\n") + "\n").expect("the hashes");
}

/// The first line that differs, as it was and as it is, with the lines before it.
fn first_difference(kind: &str, seed: u64, now: &Transcript) -> String {
    let file = text(kind, seed);
    let Ok(before) = fs::read_to_string(&file) else {
        return "its text was recorded elsewhere: record it there with an earlier version"
            .to_owned();
    };
    let before: Vec<&str> = before.lines().collect();
    let now: Vec<&str> = now.lines.iter().flat_map(|line| line.lines()).collect();
    let same = before.iter().zip(&now).take_while(|(before, now)| before == now).count();
    let context = before[same.saturating_sub(8)..same].join("\n  ");
    let at = |lines: &[&str]| (*lines.get(same).unwrap_or(&"nothing more")).to_owned();
    format!("line {}:\n  {context}\n  was {}\n  is  {}", same + 1, at(&before), at(&now))
}

/// Tables that are played twice where nothing is compared with an earlier version.
const TWICE: u64 = 5;

/// Plays a few tables twice. `TRANSCRIPTS=compare` plays those that were recorded, and names the
/// ones that went otherwise (`FIRST=500`: only the first of them); `TRANSCRIPTS=record` records
/// them anew, as many as `tables`; `TRANSCRIPTS=17` prints one.
pub(crate) fn compare(kind: &str, tables: u64, play: impl Fn(u64) -> Transcript) {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    match std::env::var("TRANSCRIPTS").as_deref() {
        Ok("compare") => {}
        Ok("record") => return record(kind, tables, play),
        Ok(seed) => {
            let seed = seed.parse().expect("compare, record or a seed");
            println!("{}", play(seed).lines.join("\n"));
            return;
        }
        Err(_) => {
            for seed in 0..TWICE {
                assert_eq!(play(seed).lines, play(seed).lines, "{kind} {seed}");
            }
            return;
        }
    }
    let mut hashes = hashes(kind);
    hashes.retain(|seed, _| number("FIRST").is_none_or(|first| *seed < first));
    assert!(!hashes.is_empty(), "no transcripts of kind {kind}: make transcripts ARGS=record");
    let mut differ = Vec::new();
    let mut first = None;
    for (seed, hash) in &hashes {
        let now = play(*seed);
        if now.hash() != *hash {
            first.get_or_insert_with(|| first_difference(kind, *seed, &now));
            differ.push(seed.to_string());
        }
    }
    let first = first.unwrap_or_default();
    let (other, all) = (differ.len(), hashes.len());
    assert!(differ.is_empty(), "{other} of {all} {kind} tables: {}\n{first}", differ.join(" "));
}
