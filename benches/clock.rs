//! How exact the clocks are over a simulated game of six hours, and what the program costs while
//! nobody moves and everything is attached.

use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use annabella_core::game::{At, Running, clock::ClockState};
use annabella_devices::{
    clock::dgt::track::{Sides, Track},
    dgt::session::{ClockEvent, DgtEvent, DgtSession},
};
use annabella_emulators::{
    dgt::{Faults, SimulatedDgt},
    pty::Emulator,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Board, ByColor, Color};

const SIX_HOURS_MS: u64 = 6 * 3600 * 1000;
/// Of one core, percent.
const IDLE_BUDGET: f64 = 2.0;

fn main() {
    for (control, rules) in [
        ("40/90+30:30+30", Rules::new(5400, Some((40, 1800)), 30, Bonus::Increment)),
        ("180+30d", Rules::new(10_800, None, 30, Bonus::Delay)),
        ("180+30b", Rules::new(10_800, None, 30, Bonus::GivenBack)),
    ] {
        // Presses at whole milliseconds, which the program knows, and at any microsecond.
        internal(control, &rules, 1000);
        internal(control, &rules, 1);
    }
    behind_a_board();
    idle();
}

fn percentiles(mut values: Vec<u64>) -> String {
    values.sort_unstable();
    let at = |share: usize| values[(values.len() - 1) * share / 100];
    format!("{:>6} ms {:>6} ms {:>6} ms  (median, p99, most)", at(50), at(99), at(100))
}

#[derive(Clone, Copy, PartialEq)]
enum Bonus {
    Increment,
    Delay,
    GivenBack,
}

/// A time control by hand, microseconds: nothing of it comes from the program.
struct Rules {
    base_us: i64,
    then: Option<(u32, i64)>,
    bonus_us: i64,
    bonus: Bonus,
}

impl Rules {
    fn new(base_s: i64, then: Option<(u32, i64)>, bonus_s: i64, bonus: Bonus) -> Rules {
        let then = then.map(|(moves, s)| (moves, s * 1_000_000));
        Rules { base_us: base_s * 1_000_000, then, bonus_us: bonus_s * 1_000_000, bonus }
    }

    /// What is left after so long with the move in hand.
    fn thinking(&self, left_us: i64, thought_us: i64) -> i64 {
        match self.bonus {
            Bonus::Delay => left_us - (thought_us - self.bonus_us).max(0),
            _ => left_us - thought_us,
        }
    }

    /// What is left once that was this player's move number `moves`.
    fn moved(&self, left_us: i64, thought_us: i64, moves: u32) -> i64 {
        let left_us = self.thinking(left_us, thought_us);
        let more_us = self.then.filter(|(number, _)| *number == moves).map_or(0, |(_, us)| us);
        let bonus_us = match self.bonus {
            Bonus::Increment => self.bonus_us,
            Bonus::Delay => 0,
            Bonus::GivenBack => thought_us.min(self.bonus_us),
        };
        left_us + more_us + bonus_us
    }
}

fn internal(control: &str, rules: &Rules, grain_us: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(8141);
    let mut clock = ClockState::new(control.parse().expect("a time control"));
    let first_us = if rules.bonus == Bonus::Increment { rules.bonus_us } else { 0 };
    let mut left_us = ByColor::new_with(|_| rules.base_us + first_us);
    let mut moves = ByColor::<u32>::default();
    let (mut now_us, mut color) = (1_234_000_u64, Color::White);
    let at = |us: u64| At::new(us / 1000);
    let mut differences = Vec::new();
    let mut compare = |clock: &ClockState, us: u64, left_us: ByColor<i64>| {
        let (white_ms, black_ms, _) = clock.reading(at(us));
        for (shown_ms, true_us) in [(white_ms, left_us.white), (black_ms, left_us.black)] {
            let difference_us = (shown_ms as i64 * 1000).abs_diff(true_us);
            differences.push(difference_us.div_ceil(1000));
        }
    };
    clock.start(at(now_us), color);
    while now_us < SIX_HOURS_MS * 1000 {
        let thought_us = rng.random_range(500_000..110_000_000_u64) / grain_us * grain_us;
        let looked_us = rng.random_range(0..thought_us) / grain_us * grain_us;
        let mut then_us = left_us;
        then_us[color] = rules.thinking(left_us[color], looked_us as i64);
        compare(&clock, now_us + looked_us, then_us);
        now_us += thought_us;
        clock.press(at(now_us));
        moves[color] += 1;
        left_us[color] = rules.moved(left_us[color], thought_us as i64, moves[color]);
        color = !color;
        assert!(left_us.white > 0 && left_us.black > 0, "a flag fell: play faster");
        compare(&clock, now_us, left_us);
    }
    assert_ne!(clock.reading(at(now_us)).2, Running::None);
    let name = format!("internal clock, 6 h of {control}, by {grain_us} µs");
    println!("{name:<44} {:>8} {}", moves.white + moves.black, percentiles(differences));
}

/// The clock tells whole seconds, those up to a second late, through the board's line.
fn behind_a_board() {
    let mut rng = ChaCha8Rng::seed_from_u64(8141);
    let mut device = SimulatedDgt::new(8141, Faults::default(), &Board::new());
    let sides = Sides::of(device.facing());
    let (mut session, mut track) = (DgtSession::new(0), Track::default());
    let clock = device.clock(0).expect("a clock");
    clock.set(4 * 3_600_000, 4 * 3_600_000);
    clock.run(true);
    let (mut press_ms, mut look_ms, mut right, mut outside) = (10_000, 5000, false, 0);
    let (mut errors, mut open) = (Vec::new(), Vec::new());
    for now_ms in (0..SIX_HOURS_MS).step_by(10) {
        let mut events = Vec::new();
        if let Some(bytes) = session.write(now_ms, &mut events) {
            device.receive(now_ms, &bytes);
        }
        let bytes = device.transmit(now_ms);
        session.read(now_ms, &bytes, &mut events);
        for event in events {
            if let DgtEvent::Clock(ClockEvent::Times(times)) = event {
                track.hear(now_ms, times);
            }
        }
        if now_ms >= press_ms {
            press_ms = now_ms + rng.random_range(2000..120_000);
            device.clock(now_ms).expect("a clock").press(right);
            right = !right;
        }
        if now_ms >= look_ms {
            look_ms = now_ms + rng.random_range(200..1800);
            let reading = track.reading(now_ms, sides).expect("a reading");
            let (left_ms, right_ms) = device.clock(now_ms).expect("a clock").left_right_ms();
            for (color, true_ms) in [(sides.left, left_ms), (!sides.left, right_ms)] {
                let known = reading.of(color);
                errors.push(known.least_ms.midpoint(known.most_ms).abs_diff(true_ms));
                open.push(known.most_ms - known.least_ms);
                outside += u32::from(true_ms < known.least_ms || true_ms > known.most_ms);
            }
        }
    }
    let (looks, name) = (errors.len(), "DGT clock behind its board, 6 h: |reading − truth|");
    println!("{name:<50} {looks:>6} {}", percentiles(errors));
    let name = "  how far apart least and most are";
    println!("{name:<50} {looks:>6} {}; {outside} outside", percentiles(open));
}

/// Ticks of processor time used so far; a hundred are a second.
fn ticks(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("it runs");
    let (_, after_name) = stat.rsplit_once(')').expect("a name in brackets");
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    fields[11..13].iter().map(|field| field.parse::<u64>().expect("a number")).sum()
}

fn idle() {
    let folder = tempfile::tempdir().expect("a folder");
    let pegs = folder.path().join("pegs");
    assert!(Command::new("mkfifo").arg(&pegs).status().expect("mkfifo").success());
    let mut line =
        std::fs::OpenOptions::new().read(true).write(true).open(&pegs).expect("the FIFO");
    let board = shakmaty::Board::default();
    let device = SimulatedDgt::new(8141, Faults::default(), &board);
    let emulator = Emulator::start(device, &folder.path().join("dgt")).expect("a pseudo-terminal");
    let config = folder.path().join("annabella.toml");
    std::fs::write(&config, configuration(folder.path(), &pegs, &emulator.port()))
        .expect("written");
    let log = std::fs::File::create(folder.path().join("log")).expect("a file");
    let mut child = Command::new(env!("CARGO_BIN_EXE_annabella"))
        .args(["play", "--json", "--config"])
        .arg(&config)
        .stdin(Stdio::null())
        .stdout(log.try_clone().expect("a file"))
        .stderr(log)
        .spawn()
        .expect("starts");
    std::thread::sleep(Duration::from_secs(8));
    writeln!(line, r#"{{"press":"black"}}"#).expect("written");
    std::thread::sleep(Duration::from_secs(5));
    let runs = emulator.with(|device, now_ms| device.clock(now_ms).expect("a clock").is_running());
    let before = ticks(child.id());
    std::thread::sleep(Duration::from_secs(20));
    let used = ticks(child.id()) - before;
    let percent = used as f64 / 20.0;
    let verdict = if percent < IDLE_BUDGET { "ok" } else { "OVER BUDGET" };
    let clock = if runs { "clock running" } else { "CLOCK NOT RUNNING" };
    println!(
        "{:<44} {percent:>8.2} % of a core, budget {IDLE_BUDGET} % {verdict}; {clock}",
        "idle: pegs, DGT board and clock, pages"
    );
    // It may have ended by itself.
    let _ = child.kill();
    child.wait().expect("ended");
    if !runs {
        println!("{}", std::fs::read_to_string(folder.path().join("log")).unwrap_or_default());
    }
}

fn configuration(folder: &Path, pegs: &Path, port: &Path) -> String {
    format!(
        "[board]\nkind = \"events\"\npath = \"{}\"\n\
         [sighted]\nkind = \"dgt\"\nport = \"{}\"\n[clock]\nkind = \"dgt\"\n\
         [speech]\nengine = \"none\"\nlisten = \"off\"\n[console]\nlisten = \"127.0.0.1:0\"\n\
         [journal]\npath = \"{}\"\n",
        pegs.display(),
        port.display(),
        folder.join("games.db").display()
    )
}
