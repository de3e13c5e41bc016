//! How many instructions the paths take that a player waits for. Unlike times, these are the same
//! on a busy machine.
//!
//! `make instructions` counts with valgrind's callgrind and compares with
//! `benches/instructions.tsv`; `make instructions ARGS=--write` writes the table, and the times in
//! `docs/speed.md` that follow from it. With `COUNT_PLUGIN=FILE` this program runs itself under
//! qemu-aarch64 and that plugin (`scripts/aarch64.sh instructions`).
//!
//! Instructions of the kernel are not in the counts. Every path has a process of its own.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

mod paths;
mod table;

use paths::{PATHS, TIMES};
use table::Counts;

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/instructions.tsv");
const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/speed.md");

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let done = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--run", what, times] => run(what, times),
        [] => count(false),
        ["--write"] => count(true),
        _ => Err(format!("unknown options {args:?}: write --write or nothing")),
    };
    done.unwrap_or_else(|why| {
        eprintln!("instructions: {why}");
        ExitCode::FAILURE
    })
}

/// What is counted: valgrind finds it by its name.
#[inline(never)]
fn counted_from_here(path: &mut paths::Path, times: usize) {
    for n in 1..=times {
        (path.run)(n);
    }
}

fn run(what: &str, times: &str) -> Result<ExitCode, String> {
    let times = times.parse().ok().filter(|times| *times <= TIMES).ok_or("too many times")?;
    let (_, make) = PATHS.iter().find(|(name, _)| *name == what).ok_or("no such path")?;
    let mut path = make();
    (path.run)(0);
    counted_from_here(&mut path, times);
    println!("{}", path.units);
    Ok(ExitCode::SUCCESS)
}

fn count(writes: bool) -> Result<ExitCode, String> {
    let (arch, counter) = match env::var_os("COUNT_PLUGIN") {
        Some(plugin) => ("aarch64", Counter::Qemu(plugin.into())),
        None => (env::consts::ARCH, Counter::Callgrind),
    };
    let tools = match counter.tools() {
        Ok(tools) => tools,
        Err(why) => {
            eprintln!("skipped: instructions are not counted: {why}");
            return Ok(ExitCode::SUCCESS);
        }
    };
    let text = fs::read_to_string(TABLE).map_err(|err| format!("{TABLE}: {err}"))?;
    let mut table = table::read(&text).map_err(|why| format!("{TABLE}: {why}"))?;
    let kept = table.get(arch).cloned().unwrap_or_default();
    let mut now = Counts { tools, rows: Vec::new() };
    println!("{:<44} {:>14}  in the table", format!("instructions on {arch}"), "now");
    for (what, _) in PATHS {
        let count = counter.count(what)?;
        let before = kept.rows.iter().find(|(row, _)| row == what);
        let before = before.map_or("-".to_owned(), |(_, count)| count.to_string());
        println!("{what:<44} {count:>14}  {before:>12}");
        now.rows.push((what.to_owned(), count));
    }
    if writes {
        table.insert(arch.to_owned(), now);
        fs::write(TABLE, table::write(&table)).map_err(|err| format!("{TABLE}: {err}"))?;
        let document = fs::read_to_string(DOCUMENT).map_err(|err| format!("{DOCUMENT}: {err}"))?;
        let document =
            table::with_times(&document, &table).map_err(|why| format!("{DOCUMENT}: {why}"))?;
        fs::write(DOCUMENT, document).map_err(|err| format!("{DOCUMENT}: {err}"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let verdict = table::compare(&kept, &now);
    verdict.lines.iter().for_each(|line| println!("{line}"));
    if verdict.fails {
        let again = if arch == env::consts::ARCH && matches!(counter, Counter::Callgrind) {
            "make instructions ARGS=--write"
        } else {
            "scripts/aarch64.sh instructions --write"
        };
        return Err(format!(
            "mend the code; or, where it must be so: {again}, and commit the table"
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// What counts.
enum Counter {
    /// Between the call of [`counted_from_here`] and its return.
    Callgrind,
    /// Everything that the process does, with this plugin; so a path is run once and once more, and
    /// the difference taken.
    Qemu(PathBuf),
}

impl Counter {
    fn tools(&self) -> Result<String, String> {
        let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let rustc = first_line(Command::new(rustc).arg("--version"))?;
        let last = |line: String| line.rsplit(' ').next().unwrap_or_default().to_owned();
        let gcc = |name| first_line(Command::new(name).arg("--version")).map(last);
        match self {
            Counter::Callgrind => {
                let valgrind = first_line(Command::new("valgrind").arg("--version")).map_err(
                    |_| "valgrind is missing: scripts/setup.sh instructions installs it",
                )?;
                let libc = first_line(Command::new("ldd").arg("--version")).map(last)?;
                // Routines of the C library are chosen by what the processor can do.
                let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
                let avx2 = if cpu.contains(" avx2 ") { ", avx2" } else { "" };
                Ok(format!("{rustc}, gcc {}, glibc {libc}, {valgrind}{avx2}", gcc("cc")?))
            }
            Counter::Qemu(_) => {
                let qemu = first_line(Command::new("qemu-aarch64").arg("--version")).map_err(
                    |_| "qemu-aarch64 is missing: scripts/aarch64.sh instructions installs it",
                )?;
                let qemu = qemu.split(" (").next().unwrap_or_default().replace("version ", "");
                Ok(format!("{rustc}, gcc {}, {qemu}", gcc("aarch64-linux-gnu-gcc")?))
            }
        }
    }

    /// Instructions for one of it.
    fn count(&self, what: &str) -> Result<u64, String> {
        let (all, units) = match self {
            Counter::Callgrind => self.measure(what, 1)?,
            Counter::Qemu(_) => {
                let (one, units) = self.measure(what, 1)?;
                let (two, _) = self.measure(what, 2)?;
                (two.saturating_sub(one), units)
            }
        };
        Ok((all as f64 / units as f64).round() as u64)
    }

    /// Instructions of a process, and how many of the thing one repeat does.
    fn measure(&self, what: &str, times: usize) -> Result<(u64, u64), String> {
        let folder = tempfile::tempdir().map_err(|err| format!("no folder: {err}"))?;
        let file = folder.path().join("count");
        let mut command = match self {
            Counter::Callgrind => callgrind(&file),
            Counter::Qemu(plugin) => {
                let mut command = Command::new("qemu-aarch64");
                command.arg("-plugin").arg(format!("{},out={}", plugin.display(), file.display()));
                command
            }
        };
        let program = env::current_exe().map_err(|err| format!("this program: {err}"))?;
        command.arg(program).args(["--run", what, &times.to_string()]);
        // What stands in the environment moves the stack.
        command.env_clear().envs(
            env::vars_os()
                .filter(|(key, _)| ["PATH", "QEMU_LD_PREFIX"].iter().any(|kept| key == kept)),
        );
        let output = command.output().map_err(|err| format!("{command:?}: {err}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{what}: {}\n{said}", output.status));
        }
        let units = String::from_utf8_lossy(&output.stdout).trim().parse();
        let text = fs::read_to_string(&file).map_err(|err| format!("{}: {err}", file.display()))?;
        let all = text.lines().find_map(|line| line.strip_prefix("totals: "));
        match (all.and_then(|all| all.trim().parse().ok()), units) {
            (Some(all), Ok(units)) if all > 0 => Ok((all, units)),
            _ => Err(format!("{what}: nothing was counted; has counted_from_here another name?")),
        }
    }
}

fn callgrind(file: &Path) -> Command {
    let mut command = Command::new("valgrind");
    command
        .args(["--quiet", "--tool=callgrind", "--toggle-collect=*counted_from_here*"])
        .arg(format!("--callgrind-out-file={}", file.display()));
    command
}

fn first_line(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|err| format!("{command:?}: {err}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().next().unwrap_or_default().trim().to_owned())
}
