//! What `annabella play` refuses, or goes on without, though each line of the configuration is
//! right.

use std::{
    fs,
    io::{self, Read as _},
    net::SocketAddr,
    os::unix::fs::FileTypeExt as _,
    path::Path,
};

use tokio::net::TcpSocket;

use super::Check;
use crate::{
    config::{BoardKind, Config, SightedKind},
    service::attach::clock_keys,
};
use annabella_devices::{lines::is_stdin, voice::keys::key_code};

/// Why `annabella play` ends with exit code 2.
pub(super) fn by_play(config: &Config) -> Option<String> {
    let mut setup = config
        .game
        .keys
        .iter()
        .filter_map(|name| key_code(name).err().map(|err| format!("[game] keys: {err}")));
    let clock = clock_keys(&config.clock).err();
    let learnt = || crate::cli::play::learnt(config).err().map(|err| err.to_string());
    clock.or_else(|| setup.next()).or_else(learnt)
}

/// Boards that are read from a file or a FIFO which cannot be read.
pub(super) fn paths(config: &Config) -> Vec<Check> {
    let lines = [
        ("board", "board", config.board.kind == BoardKind::Events, &config.board.path),
        (
            "board",
            "board_black",
            config.board_black.kind == BoardKind::Events,
            &config.board_black.path,
        ),
        (
            "his board",
            "sighted",
            matches!(config.sighted.kind, SightedKind::Reed | SightedKind::Sim),
            &config.sighted.path,
        ),
    ];
    let read = lines.into_iter().filter(|(_, _, read, path)| *read && !is_stdin(path));
    let wrong = read.filter_map(|(name, section, _, path)| {
        let err = unreadable(path)?;
        let shown = path.display();
        let found = format!("[{section}] path: cannot read {shown}: {err}");
        Some(Check::bad(name, found).of_device().mend(format!("ls -ld {shown}")))
    });
    wrong.collect()
}

fn unreadable(path: &Path) -> Option<io::Error> {
    match fs::metadata(path) {
        // Opening a FIFO waits for who writes into it.
        Ok(there) if there.file_type().is_fifo() => None,
        // A folder opens, and fails only when it is read.
        Ok(_) => fs::File::open(path).and_then(|mut file| file.read(&mut [])).err(),
        Err(err) => Some(err),
    }
}

/// Why there are no pages. `runs`: the service has their address.
pub(super) fn pages(config: &Config, runs: bool) -> Option<Check> {
    let listen = config.console.listen?;
    if let Some(err) = certificate(config) {
        let mend = "without them there are no pages: correct certificate and key in [console]";
        return Some(Check::bad("network", err).mend(mend));
    }
    let err = if runs { None } else { taken(listen).err() }?;
    let mend = "unless `annabella play` runs, another program has it: correct listen in [console]";
    Some(Check::poor("network", format!("no pages at {listen}: {err}")).mend(mend))
}

/// Whether somebody listens there. It is bound, not listened at: two who look do not see each
/// other.
fn taken(listen: SocketAddr) -> io::Result<()> {
    let socket = if listen.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    socket.bind(listen)
}

#[cfg(feature = "console")]
fn certificate(config: &Config) -> Option<String> {
    use annabella_console::{Tls, check_certificate};
    let console = &config.console;
    let (certificate, key) = console.certificate.clone().zip(console.key.clone())?;
    check_certificate(&Tls { certificate, key }).err().map(|err| err.to_string())
}

#[cfg(not(feature = "console"))]
fn certificate(_: &Config) -> Option<String> {
    None
}
