//! The official German speech model, fetched while the set-up goes on.
//!
//! The script of `make model-de` fetches it; `make install` and the package put the script beside
//! the program. It runs as a process of its own, and finishes even if the set-up is over. The
//! service at boot has no access to the Internet, so it does not offer it. `annabella setup`, run
//! by a person, does.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};

use annabella_core::setup::Fetched;

/// In a checkout, and beside `bin` where the program is installed.
const IN_CHECKOUT: &str = "scripts/fetch-model.sh";
const INSTALLED: &str = "lib/annabella/fetch-model";
/// The script's exit code where there is no way to the model.
const UNREACHABLE: i32 = 3;

/// Whether the model is not here, would hear if it were, and there is a network by which it may be
/// fetched.
pub fn is_possible() -> bool {
    // The service manager's own variable: only the service at boot has it.
    let at_boot = env::var_os("NOTIFY_SOCKET").is_some();
    !at_boot && is_wanted() && script().is_some() && has_network(&routes())
}

#[cfg(feature = "speech")]
fn is_wanted() -> bool {
    annabella_devices::voice::recognizer::choice::lacks_official()
}

#[cfg(not(feature = "speech"))]
fn is_wanted() -> bool {
    false
}

/// Fetches the model. `tell` gets the outcome, and the script's last line unless that is
/// [`Fetched::There`].
pub fn fetch(tell: impl FnOnce(Fetched, Option<String>) + Send + 'static) {
    thread::spawn(move || {
        let (fetched, complaint) = match script() {
            Some(script) => run(&script, &[]),
            None => (Fetched::Failed, Some(format!("{INSTALLED} is missing"))),
        };
        tell(fetched, complaint);
    });
}

/// Runs the script with these arguments.
pub fn run(script: &Path, args: &[&str]) -> (Fetched, Option<String>) {
    let mut command = Command::new(script);
    let output = command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).output();
    let output = match output {
        Ok(output) => output,
        Err(err) => return (Fetched::Failed, Some(format!("{}: {err}", script.display()))),
    };
    if output.status.success() {
        return (Fetched::There, None);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no reason given");
    let fetched = match output.status.code() {
        Some(UNREACHABLE) => Fetched::Unreachable,
        _ => Fetched::Failed,
    };
    (fetched, Some(line.to_owned()))
}

/// In a checkout around the program, or beside its folder.
fn script() -> Option<PathBuf> {
    let program = env::current_exe().and_then(|path| path.canonicalize()).ok()?;
    let mut places: Vec<PathBuf> =
        program.ancestors().skip(1).map(|folder| folder.join(IN_CHECKOUT)).collect();
    places.extend(program.parent().map(|folder| folder.join("..").join(INSTALLED)));
    places.into_iter().find(|place| place.is_file())
}

/// The kernel's tables of routes.
fn routes() -> [String; 2] {
    ["/proc/net/route", "/proc/net/ipv6_route"]
        .map(|file| fs::read_to_string(file).unwrap_or_default())
}

/// Whether there is a way to everywhere, by IPv4 or IPv6: no packet is sent to find that out.
///
/// Source: Linux, `net/ipv4/fib_trie.c` and `net/ipv6/route.c`
fn has_network([four, six]: &[String; 2]) -> bool {
    let fields = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let v4 = four.lines().skip(1).map(fields).any(|route| {
        matches!(&route[..], [device, to, _, _, _, _, _, mask, ..]
            if device != "lo" && to == "00000000" && mask == "00000000")
    });
    let v6 = six.lines().map(fields).any(|route| {
        matches!(&route[..], [to, bits, .., device]
            if device != "lo" && bits == "00" && to.bytes().all(|digit| digit == b'0'))
    });
    v4 || v6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_to_everywhere_is_a_network() {
        let head =
            "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n";
        let route = |device: &str, to: &str, mask: &str| {
            format!("{device}\t{to}\t0102A8C0\t0003\t0\t0\t100\t{mask}\t0\t0\t0\n")
        };
        let has = |four: String, six: &str| has_network(&[four, six.to_owned()]);
        let zero = "0".repeat(32);
        let six = |device: &str, bits: &str| {
            format!(
                "{zero} {bits} {zero} 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003 {device}\n"
            )
        };
        assert!(has(format!("{head}{}", route("eth0", "00000000", "00000000")), ""));
        assert!(has(String::new(), &six("wlan0", "00")));
        // The hall's own network alone, a loopback, nothing.
        assert!(!has(format!("{head}{}", route("eth0", "0002A8C0", "00FFFFFF")), ""));
        assert!(!has(format!("{head}{}", route("lo", "00000000", "00000000")), &six("lo", "00")));
        assert!(!has(String::new(), &six("wlan0", "40")));
        assert!(!has(String::new(), ""));
    }
}
