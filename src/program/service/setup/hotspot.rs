//! A wireless network of this machine's own, made by NetworkManager: for telephones where there is
//! no other.
//!
//! Its profile lies in NetworkManager's folder, which root alone may write. So the service at boot
//! does not offer it; `sudo annabella setup` does. It is used at every start where no known network
//! is found.
//!
//! Source: nm-settings-keyfile(5), nmcli(1)

use std::{
    fs,
    io::Write as _,
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
    process::{Command, Stdio},
    thread,
};

use rustix::fs::{Access, access};

/// Name of the network, as it is spoken.
pub const NAME: &str = "Annabella";
const PROFILES: &str = "/etc/NetworkManager/system-connections";
/// WPA takes 8 characters at least. Twelve digits are 40 bits, and can be spoken.
const DIGITS: usize = 12;

/// Whether this machine is in no network, and a wireless one can be made.
pub fn is_possible() -> bool {
    is_alone()
        && has_wireless()
        && access(PROFILES, Access::WRITE_OK).is_ok()
        && run(Path::new("nmcli"), &["--version"]).is_ok()
}

fn has_wireless() -> bool {
    let interfaces = fs::read_dir("/sys/class/net").into_iter().flatten().flatten();
    interfaces.map(|entry| entry.path().join("wireless")).any(|path| path.exists())
}

#[cfg(feature = "console")]
fn is_alone() -> bool {
    let everywhere = std::net::SocketAddr::from(([0, 0, 0, 0], 1));
    annabella_console::Reach::of(everywhere, false).addresses().is_empty()
}

#[cfg(not(feature = "console"))]
fn is_alone() -> bool {
    false
}

/// Switches it on. `tell` gets the password, or one line that says why there is no network.
pub fn share(tell: impl FnOnce(Result<String, String>) + Send + 'static) {
    thread::spawn(move || tell(switch_on(Path::new(PROFILES), Path::new("nmcli"))));
}

/// Writes the profile into this folder and has NetworkManager use it. A network that was made
/// before keeps its password.
///
/// # Errors
/// One line, when the profile cannot be written or NetworkManager refuses it.
pub fn switch_on(profiles: &Path, nmcli: &Path) -> Result<String, String> {
    let file = profiles.join(format!("{NAME}.nmconnection"));
    let before = fs::read_to_string(&file).unwrap_or_default();
    let known = before.lines().find_map(|line| line.strip_prefix("psk=")).map(str::to_owned);
    let password = match known.filter(|psk| psk.bytes().all(|byte| byte.is_ascii_digit())) {
        Some(password) => password,
        None => new_password()?,
    };
    let failed = |err: std::io::Error| format!("{}: {err}", file.display());
    let _ = fs::remove_file(&file);
    let mut profile = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&file)
        .map_err(failed)?;
    profile.write_all(text(&password).as_bytes()).map_err(failed)?;
    // The password stands in the file alone: a command line can be read by everybody.
    let path = file.display().to_string();
    run(nmcli, &["connection", "load", &path])?;
    run(nmcli, &["--wait", "30", "connection", "up", NAME])?;
    Ok(password)
}

fn text(password: &str) -> String {
    format!(
        "# Made by annabella setup.\n[connection]\nid={NAME}\ntype=wifi\nautoconnect=true\n\
         autoconnect-priority=-10\n\n[wifi]\nmode=ap\nband=bg\nssid={NAME}\n\n[wifi-security]\n\
         key-mgmt=wpa-psk\npsk={password}\n\n[ipv4]\nmethod=shared\n\n[ipv6]\nmethod=ignore\n"
    )
}

fn run(nmcli: &Path, args: &[&str]) -> Result<(), String> {
    let output = Command::new(nmcli).args(args).env("LC_ALL", "C").stdin(Stdio::null()).output();
    let output = output.map_err(|err| format!("{}: {err}", nmcli.display()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("no reason given");
    Err(format!("nmcli {}: {line}", args.join(" ")))
}

#[cfg(feature = "console")]
fn new_password() -> Result<String, String> {
    annabella_console::random_digits(DIGITS).map_err(|err| err.to_string())
}

#[cfg(not(feature = "console"))]
fn new_password() -> Result<String, String> {
    Err(format!("no password of {DIGITS} digits: this program was built without pages"))
}
