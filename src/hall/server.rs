//! A `nats-server` of our own, as a child, where the organiser has none.

use std::{
    fs::File,
    io::ErrorKind,
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::{
    HallError,
    keys::{SERVER_PART, SERVER_PID, cluster_tls, running_server},
    meter::Meter,
    rights::MAX_PENDING,
};

/// The port of NATS.
pub const PORT: u16 = 4222;
/// How long it may take to open its store: a large one is read from end to end.
const STARTS: Duration = Duration::from_secs(60);
/// How long it may take to end, before it is killed.
const ENDS: Duration = Duration::from_secs(10);
/// Any port of this machine that is free.
const NO_PORT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
/// Longest message, bytes: more than the stream takes, so that whoever sends a longer row is told.
const MAX_PAYLOAD: usize = 2 * 1_024 * 1_024;
/// How soon a line that takes nothing is cut, and one that answers no ping is asked again.
const WRITE_DEADLINE: &str = "5s";
const PING_INTERVAL: &str = "20s";
/// With more memory than this it collects its garbage sooner: answers that somebody does not read
/// would take several times their length. Source: Go, package runtime.
const MEMORY_LIMIT: &str = "GOMEMLIMIT";
const TIDIES_ABOVE: &str = "384MiB";
/// Of several servers each counts its own bytes. One that reaches its limit before the others drops
/// a row which they have acknowledged, and never learns of it (seen with nats-server 2.9.10). On a
/// full disk it stops instead.
const NO_LIMIT: u64 = 1 << 60;

/// How it is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerSettings {
    /// The program: a name that is looked for in `PATH`, or a path.
    pub program: PathBuf,
    /// Where boards find it. Port 0: any that is free.
    pub listen: SocketAddr,
    /// The folder of its store; made if it is not there.
    pub store: PathBuf,
    /// The folder with the event's keys; `None`: it asks nobody who he is.
    pub keys: Option<PathBuf>,
    /// Bytes that all its streams may have; `None`: three quarters of what its disk has free at the
    /// start, and no limit where there are several servers.
    pub most_bytes: Option<u64>,
    /// The other servers of the hall; `None`: it is alone.
    pub cluster: Option<ServerCluster>,
}

/// A server's place among those that keep the same rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerCluster {
    /// Where the other servers find it.
    pub listen: SocketAddr,
    /// Where it finds them.
    pub others: Vec<SocketAddr>,
}

/// The child. It ends when this is dropped.
#[derive(Debug)]
pub struct NatsServer {
    child: Child,
    program: PathBuf,
    address: SocketAddr,
    log: PathBuf,
    /// What it writes to standard error: why it crashed.
    crash: PathBuf,
    secure: bool,
    /// Where it says what it has taken; only to this machine, and only where boards have keys.
    meter: Option<SocketAddr>,
}

impl NatsServer {
    /// Starts it, and waits until it answers.
    ///
    /// # Errors
    /// [`HallError::NoServer`], or [`HallError::ServerFails`] with the last line of its log.
    pub fn start(settings: &ServerSettings) -> Result<NatsServer, HallError> {
        let fails = |reason: String| HallError::ServerFails(reason);
        let store = &settings.store;
        std::fs::create_dir_all(store)
            .map_err(|err| fails(format!("cannot make the folder {}: {err}", store.display())))?;
        let address = free(settings.listen).map_err(|err| {
            let before = settings.keys.as_deref().and_then(running_server);
            let remedy = before.map_or_else(String::new, |pid| {
                format!("; the server of a hall before still runs: `kill {pid}` ends it")
            });
            fails(format!("cannot listen on {}: {err}{remedy}", settings.listen))
        })?;
        let meter = settings.keys.as_ref().and_then(|_| free(NO_PORT).ok());
        let log = store.join("nats-server.log");
        // Its keys are included from the folder in which the configuration lies.
        let keys = settings.keys.as_deref();
        let config = keys.unwrap_or(store).join("nats-server.conf");
        std::fs::write(&config, configuration(settings, address, meter, &log))
            .map_err(|err| fails(format!("cannot write {}: {err}", config.display())))?;
        let crash = store.join("nats-server.err");
        let stderr = File::create(&crash)
            .map_err(|err| fails(format!("cannot write {}: {err}", crash.display())))?;
        let mut command = Command::new(&settings.program);
        if std::env::var_os(MEMORY_LIMIT).is_none() {
            command.env(MEMORY_LIMIT, TIDIES_ABOVE);
        }
        let child = command
            .arg("-c")
            .arg(&config)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(stderr)
            .spawn();
        let child = child.map_err(|err| match err.kind() {
            ErrorKind::NotFound => HallError::NoServer { program: settings.program.clone() },
            _ => fails(format!("{}: {err}", settings.program.display())),
        })?;
        let program = settings.program.clone();
        let secure = settings.keys.is_some();
        let mut server = NatsServer { child, program, address, log, crash, secure, meter };
        server.answers()?;
        Ok(server)
    }

    fn answers(&mut self) -> Result<(), HallError> {
        let until = Instant::now() + STARTS;
        loop {
            if TcpStream::connect_timeout(&reached(self.address), Duration::from_secs(1)).is_ok() {
                return Ok(());
            }
            if let Some(status) = self.ended() {
                return Err(HallError::ServerFails(status));
            }
            if Instant::now() > until {
                let reason = "it does not answer within a minute".to_owned();
                return Err(HallError::ServerFails(reason));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address for clients on this machine.
    pub fn url(&self) -> String {
        let scheme = if self.secure { "tls" } else { "nats" };
        format!("{scheme}://{}", reached(self.address))
    }

    /// What it has taken of each board; `None` where boards have no keys.
    pub fn meter(&self) -> Option<Meter> {
        self.meter.map(Meter::new)
    }

    /// Its process, as long as it was not waited for.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// How it ended, if it has, and why: the first line of a crash, or the last of its log.
    pub fn ended(&mut self) -> Option<String> {
        let status = self.child.try_wait().ok().flatten()?;
        let crash = std::fs::read_to_string(&self.crash).unwrap_or_default();
        let crash = crash.lines().find(|line| !line.trim().is_empty()).map(str::to_owned);
        // Whoever is killed has written nothing about it.
        let why = crash.or_else(|| status.code().map(|_| last_line(&self.log)));
        Some(why.map_or_else(|| status.to_string(), |why| format!("{status}: {why}")))
    }

    /// Kills it at once, as a power cut would. For tests and demonstrations.
    pub fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        if self.ended().is_some() {
            return;
        }
        // It writes its store to the end when it is asked to stop.
        let signal = format!("stop={}", self.child.id());
        let mut tell = Command::new(&self.program);
        tell.args(["--signal", &signal]).stdout(Stdio::null()).stderr(Stdio::null());
        let _ = tell.status();
        let until = Instant::now() + ENDS;
        while self.ended().is_none() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The same address, with a port that is free where none was wished. Somebody else's server at this
/// place would answer in the name of ours.
fn free(listen: SocketAddr) -> std::io::Result<SocketAddr> {
    TcpListener::bind(listen)?.local_addr()
}

/// How this machine reaches an address that may stand for all of its own.
fn reached(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(if address.is_ipv6() {
            std::net::Ipv6Addr::LOCALHOST.into()
        } else {
            Ipv4Addr::LOCALHOST.into()
        });
    }
    address
}

/// Source: NATS documentation, server configuration.
fn configuration(
    settings: &ServerSettings,
    address: SocketAddr,
    meter: Option<SocketAddr>,
    log: &Path,
) -> String {
    // A string in its configuration is written as one in JSON.
    let quoted = |path: &Path| serde_json::json!(path.to_string_lossy()).to_string();
    let several = settings.cluster.is_some().then_some(NO_LIMIT);
    let most = settings
        .most_bytes
        .or(several)
        .map_or_else(String::new, |n| format!("  max_file_store: {n}\n"));
    let cluster = settings.cluster.as_ref().map_or_else(String::new, |cluster| {
        let listen = cluster.listen.to_string();
        let all = cluster.others.iter().chain([&cluster.listen]);
        let routes: Vec<String> = all.map(|address| format!("nats-route://{address}")).collect();
        let mut part = serde_json::json!({ "name": "hall", "listen": listen, "routes": routes });
        if let Some(folder) = &settings.keys {
            part["tls"] = cluster_tls(folder);
        }
        // It must have the same name at each start: the others know it by that.
        format!("server_name: {:?}\ncluster: {part}\n", listen.replace([':', '.', '[', ']'], "-"))
    });
    let keys = settings.keys.as_ref().map_or_else(String::new, |folder| {
        format!("pid_file: {}\ninclude ./{SERVER_PART}\n", quoted(&folder.join(SERVER_PID)))
    });
    let meter = meter.map_or_else(String::new, |address| format!("http: \"{address}\"\n"));
    format!(
        "listen: {:?}\nlog_file: {}\nlogfile_size_limit: 10MB\nmax_payload: {MAX_PAYLOAD}\n\
         max_pending: {MAX_PENDING}\nwrite_deadline: {WRITE_DEADLINE:?}\n\
         ping_interval: {PING_INTERVAL:?}\njetstream {{\n  store_dir: {}\n{most}}}\n{meter}{cluster}{keys}",
        address.to_string(),
        quoted(log),
        quoted(&settings.store),
    )
}

/// The last line of its log, without the time before it.
fn last_line(log: &Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
    line.split_once("] ").map_or(line, |(_, rest)| rest).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At any port of this machine, without keys.
    fn alone(program: &str, store: PathBuf) -> ServerSettings {
        let program = PathBuf::from(program);
        ServerSettings {
            program,
            listen: NO_PORT,
            store,
            keys: None,
            most_bytes: None,
            cluster: None,
        }
    }

    #[test]
    fn without_the_program_its_package_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = alone("no-such-nats-server", folder.path().join("store"));
        let error = NatsServer::start(&settings).map(drop).expect_err("no program");
        assert_eq!(
            error.to_string(),
            "there is no no-such-nats-server: install the package nats-server (`sudo apt install nats-server`), \
             or give the organiser's server with --url"
        );
    }

    #[test]
    fn what_it_says_when_it_crashes_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        // It takes the configuration for a program, and may not run it.
        let settings = alone("sh", folder.path().join("store"));
        let error = NatsServer::start(&settings).map(drop).expect_err("it ends").to_string();
        let (status, why) = error.split_once("nats-server.conf").expect("the crash");
        assert!(status.contains("exit status: 126: sh: "), "{error}");
        assert!(why.contains("ermission denied"), "{error}");
    }

    #[test]
    fn its_configuration_keeps_everything_in_its_folder() {
        let mut settings = alone("", PathBuf::from("/a b"));
        settings.listen.set_port(PORT);
        let text = |settings: &ServerSettings| {
            configuration(settings, settings.listen, None, Path::new("/a b/x.log"))
        };
        assert_eq!(
            text(&settings),
            "listen: \"127.0.0.1:4222\"\nlog_file: \"/a b/x.log\"\nlogfile_size_limit: 10MB\n\
             max_payload: 2097152\nmax_pending: 16777216\nwrite_deadline: \"5s\"\n\
             ping_interval: \"20s\"\njetstream {\n  store_dir: \"/a b\"\n}\n"
        );
        let meter = Some(([127, 0, 0, 1], 8222).into());
        let metered = configuration(&settings, settings.listen, meter, Path::new("x.log"));
        assert!(metered.contains("}\nhttp: \"127.0.0.1:8222\"\n"), "{metered}");
        let (listen, other) = (([127, 0, 0, 1], 6222).into(), ([127, 0, 0, 1], 6223).into());
        settings.cluster = Some(ServerCluster { listen, others: vec![other] });
        let text = text(&settings);
        let (_, part) =
            text.split_once("server_name: \"127-0-0-1-6222\"\ncluster: ").expect("a cluster");
        let part: serde_json::Value = serde_json::from_str(part.trim()).expect("JSON");
        let routes = ["nats-route://127.0.0.1:6223", "nats-route://127.0.0.1:6222"];
        let expected =
            serde_json::json!({ "name": "hall", "listen": "127.0.0.1:6222", "routes": routes });
        assert_eq!(part, expected);
        assert!(text.contains("  max_file_store: 1152921504606846976\n}"), "{text}");
    }

    #[test]
    fn an_address_for_all_networks_is_reached_here() {
        assert_eq!(reached(([0, 0, 0, 0], 4222).into()), ([127, 0, 0, 1], 4222).into());
        assert_eq!(reached(([192, 168, 4, 1], 4222).into()), ([192, 168, 4, 1], 4222).into());
    }
}
