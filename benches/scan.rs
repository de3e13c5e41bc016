//! Reading the board: time for one reading by each reader, jitter of the scan loop idle and under
//! load, and lifts of 60 ms at 250 readings a second. The load is `stress-ng`, on every core and on
//! memory and disk; where it is not installed, threads that compute.
//!
//! The simulated chips answer in memory: what is measured here is this program's share. What the
//! wire takes is computed from its bits ([`Wiring::wire_us`]).

use std::{
    env, fs,
    hint::black_box,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use annabella_devices::board::{
    scan::{ScanEvent, ScanSettings, ScanStats, Scanner},
    sim::Bench,
    wiring::{ReaderKind, Wiring},
};
use shakmaty::{Bitboard, Chess, Position, Square};

const READINGS: u32 = 2000;
const LIFTS: u64 = 40;
const LIFT: Duration = Duration::from_millis(60);

fn main() {
    println!("one reading of 64 reeds   program   wire, computed   share of 4 ms");
    for &(name, kind) in ReaderKind::ALL {
        let wiring = Wiring::default_for(kind);
        let bench = Bench::new(wiring.clone());
        bench.set(Chess::default().board().occupied());
        let mut reader = bench.reader(wiring.clone());
        let began = Instant::now();
        for _ in 0..READINGS {
            black_box(reader.read().expect("good wires"));
        }
        let own_us = began.elapsed().as_secs_f64() * 1e6 / f64::from(READINGS);
        let wire_us = wiring.wire_us();
        let share = wire_us / 4000.0 * 100.0;
        println!("{name:<24}{own_us:>8.1} µs{wire_us:>14.0} µs{share:>13.1} %");
    }
    println!();
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    let mut lost = lifts("idle");
    let load = Load::on(cores);
    lost += lifts(&format!("{cores} cores busy with {}", load.what));
    // What CPUWeight gives the service: a share of its own, before all others. `nice` would count
    // only inside a session, and this one has the load in another. Source: sched(7), autogroup.
    let group = "/proc/self/autogroup";
    let before = fs::read_to_string(group).unwrap_or_default();
    if load.stress.is_some() && fs::write(group, "-20").is_ok() {
        lost = lifts("the same, with the share that the service has");
        // "/autogroup-486 nice 0": whoever called gets his own back.
        let nice = before.split_whitespace().last().unwrap_or("0");
        if let Err(err) = fs::write(group, nice) {
            println!("{group} is left at -20: {err}");
        }
    } else {
        println!("the share that the service has: needs root and stress-ng, not measured");
    }
    drop(load);
    assert_eq!(lost, 0, "lifts of {} ms were lost", LIFT.as_millis());
}

/// Keeps the machine busy until it is dropped.
struct Load {
    what: &'static str,
    stress: Option<Child>,
    stop: Arc<AtomicBool>,
}

impl Load {
    fn on(cores: usize) -> Load {
        let stop = Arc::new(AtomicBool::new(false));
        let installed = Command::new("stress-ng").arg("--version").output();
        if installed.is_ok_and(|output| output.status.success()) {
            // In a session of its own, as other services are.
            let mut stress = Command::new("setsid");
            stress.args(["stress-ng", "--cpu", &cores.to_string(), "--vm", "1", "--vm-bytes"]);
            stress.args(["64M", "--hdd", "1", "--hdd-bytes", "64M", "--timeout", "120"]);
            stress.arg("--temp-path").arg(env::temp_dir());
            stress.stdout(Stdio::null()).stderr(Stdio::null());
            if let Ok(child) = stress.spawn() {
                return Load { what: "stress-ng", stress: Some(child), stop };
            }
        }
        for _ in 0..cores {
            let stop = Arc::clone(&stop);
            thread::spawn(move || {
                let mut n = 0u64;
                while !stop.load(Ordering::Relaxed) {
                    n = black_box(n.wrapping_mul(6364136223846793005).wrapping_add(1));
                }
            });
        }
        Load { what: "threads that compute (no stress-ng here)", stress: None, stop }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(stress) = &mut self.stress {
            // Told to end it takes its own children with it; killed it would not.
            let _ = Command::new("kill").arg(stress.id().to_string()).status();
            let _ = stress.wait();
        }
    }
}

/// Lifts pegs and puts them back; how many edges were lost.
fn lifts(what: &str) -> u64 {
    let wiring = Wiring::default_for(ReaderKind::Expander);
    let bench = Bench::new(wiring.clone());
    let shown = Chess::default().board().occupied();
    bench.set(shown);
    let edges = Arc::new(AtomicU64::new(0));
    let (opened, counted) = (bench.clone(), Arc::clone(&edges));
    let scanner = Scanner::start(
        move || Ok(opened.reader(wiring.clone())),
        ScanSettings { scan_hz: 250, debounce_ms: 20, shown },
        move |event| {
            counted
                .fetch_add(u64::from(matches!(event, ScanEvent::Edge { .. })), Ordering::Relaxed);
            true
        },
    );
    thread::sleep(Duration::from_millis(200));
    let pegs: Vec<Square> = shown.into_iter().collect();
    for n in 0..LIFTS {
        let peg = pegs[(n * 7) as usize % pegs.len()];
        bench.set(shown ^ Bitboard::from(peg));
        thread::sleep(LIFT);
        bench.set(shown);
        thread::sleep(LIFT);
    }
    thread::sleep(Duration::from_millis(200));
    let ScanStats { scans, overruns, jitter, longest_us, .. } = scanner.stats();
    let lost = (2 * LIFTS).saturating_sub(edges.load(Ordering::Relaxed));
    println!(
        "{what}: {scans} readings, {overruns} left out, late by {} µs (half), {} µs (99 of 100), {} µs (all); longest {longest_us} µs",
        jitter.below_us(0.5),
        jitter.below_us(0.99),
        jitter.most_us(),
    );
    println!(
        "{what}: {LIFTS} lifts of {} ms, {lost} of {} edges lost",
        LIFT.as_millis(),
        2 * LIFTS
    );
    lost
}
