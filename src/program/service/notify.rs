//! Reports to systemd that the service is ready and alive, over the datagram socket that systemd
//! gives to its services (`Type=notify`). Without that socket nothing is reported and nothing is
//! missed.
//!
//! # What "alive" means
//!
//! [`alive_while`] must run on the thread that runs the game (a current-thread runtime). A game
//! that hangs stops the signs of life, and systemd restarts the service. The journal then goes on
//! where it was.

use std::{
    convert::Infallible,
    env,
    ffi::{OsStr, OsString},
    io,
    os::{
        linux::net::SocketAddrExt,
        unix::{
            ffi::OsStrExt,
            net::{SocketAddr, UnixDatagram},
        },
    },
    process,
    time::Duration,
};

use super::streams::complain;

/// The reason why systemd can't be reached.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot reach the service manager at {path}: {source}; start the service by systemctl, or \
     without NOTIFY_SOCKET in its environment"
)]
pub struct NotifyError {
    path: String,
    source: io::Error,
}

/// The way to the service manager.
///
/// Source: sd_notify(3), sd_watchdog_enabled(3).
#[derive(Debug)]
pub struct Notifier {
    socket: UnixDatagram,
    watchdog: Option<Duration>,
}

impl Notifier {
    /// As the environment of this process says; `None` where no service manager waits for word.
    /// One that cannot be reached is complained of, and is no reason not to play.
    pub fn from_environment() -> Option<Notifier> {
        let watchdog = watchdog(
            env::var_os("WATCHDOG_USEC").as_deref(),
            env::var_os("WATCHDOG_PID").as_deref(),
            process::id(),
        );
        Notifier::open(env::var_os("NOTIFY_SOCKET"), watchdog).unwrap_or_else(|err| {
            complain(&err.to_string());
            None
        })
    }

    /// To the socket of that name (a path, or `@name` for an abstract one), with the time after
    /// which silence counts as a hang.
    ///
    /// # Errors
    /// [`NotifyError`] when it cannot be reached.
    pub fn open(
        name: Option<OsString>,
        watchdog: Option<Duration>,
    ) -> Result<Option<Notifier>, NotifyError> {
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            return Ok(None);
        };
        let connected = address(&name).and_then(|address| {
            let socket = UnixDatagram::unbound()?;
            socket.connect_addr(&address)?;
            // A service manager that does not read must not stop the game.
            socket.set_nonblocking(true)?;
            Ok(socket)
        });
        match connected {
            Ok(socket) => Ok(Some(Notifier { socket, watchdog })),
            Err(source) => Err(NotifyError { path: name.to_string_lossy().into_owned(), source }),
        }
    }

    /// The game can be played: `READY=1`.
    pub fn ready(&self) {
        self.tell("READY=1");
    }

    /// The service ends because it was asked to: `STOPPING=1`.
    pub fn stopping(&self) {
        self.tell("STOPPING=1");
    }

    /// One sign of life: `WATCHDOG=1`.
    pub fn alive(&self) {
        self.tell("WATCHDOG=1");
    }

    /// How often a sign of life is due: half the time after which silence counts as a hang.
    pub fn every(&self) -> Option<Duration> {
        self.watchdog.map(|watchdog| watchdog / 2)
    }

    fn tell(&self, state: &str) {
        // systemd does not listen, or not fast enough. The next sign of life comes soon.
        let _ = self.socket.send(state.as_bytes());
    }
}

/// Does the work. Reports to the service manager, if there is one, that the service is ready, that
/// it lives and, in the end, that it stops.
pub async fn alive_while<T>(manager: Option<&Notifier>, work: impl Future<Output = T>) -> T {
    let done = alive_during(manager, work).await;
    if let Some(manager) = manager {
        manager.stopping();
    }
    done
}

/// The same for work that is not the last: the service goes on after it.
pub async fn alive_during<T>(manager: Option<&Notifier>, work: impl Future<Output = T>) -> T {
    let Some(manager) = manager else {
        return work.await;
    };
    tokio::select! {
        done = work => done,
        never = keep_alive(manager) => match never {},
    }
}

/// Says that the service is ready, then gives signs of life for as long as it is polled.
async fn keep_alive(notifier: &Notifier) -> Infallible {
    notifier.ready();
    let Some(every) = notifier.every() else {
        return std::future::pending().await;
    };
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        notifier.alive();
    }
}

fn address(name: &OsStr) -> io::Result<SocketAddr> {
    match name.as_bytes() {
        [b'@', name @ ..] => SocketAddr::from_abstract_name(name),
        _ => SocketAddr::from_pathname(name),
    }
}

/// `WATCHDOG_USEC` if it is meant for this process.
fn watchdog(usec: Option<&OsStr>, pid: Option<&OsStr>, own: u32) -> Option<Duration> {
    let number = |text: &OsStr| text.to_str()?.parse::<u64>().ok();
    if pid.is_some_and(|pid| number(pid) != Some(u64::from(own))) {
        return None;
    }
    usec.and_then(number).filter(|&usec| usec > 0).map(Duration::from_micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(socket: &UnixDatagram) -> String {
        socket.set_read_timeout(Some(Duration::from_secs(5))).expect("a timeout");
        let mut buffer = [0; 64];
        let length = socket.recv(&mut buffer).expect("a message");
        String::from_utf8_lossy(&buffer[..length]).into_owned()
    }

    fn open(name: &OsStr, watchdog: Option<Duration>) -> Notifier {
        Notifier::open(Some(name.to_owned()), watchdog).expect("reachable").expect("a socket")
    }

    #[test]
    fn a_manager_with_a_path_hears_every_state() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notify");
        let manager = UnixDatagram::bind(&path).expect("a socket");
        let notifier = open(path.as_os_str(), None);
        notifier.ready();
        notifier.alive();
        notifier.stopping();
        assert_eq!(
            [heard(&manager), heard(&manager), heard(&manager)],
            ["READY=1", "WATCHDOG=1", "STOPPING=1"]
        );
    }

    #[test]
    fn a_manager_with_an_abstract_name_hears_too() {
        let name = format!("annabella-notify-{}", process::id());
        let address = SocketAddr::from_abstract_name(&name).expect("a name");
        let manager = UnixDatagram::bind_addr(&address).expect("a socket");
        open(OsStr::new(&format!("@{name}")), None).ready();
        assert_eq!(heard(&manager), "READY=1");
    }

    #[tokio::test]
    async fn signs_of_life_come_twice_in_the_watchdogs_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notify");
        let manager = UnixDatagram::bind(&path).expect("a socket");
        let notifier = open(path.as_os_str(), Some(Duration::from_millis(40)));
        assert_eq!(notifier.every(), Some(Duration::from_millis(20)));
        let alive = keep_alive(&notifier);
        assert!(tokio::time::timeout(Duration::from_millis(300), alive).await.is_err());
        assert_eq!(heard(&manager), "READY=1");
        assert_eq!([heard(&manager), heard(&manager)], ["WATCHDOG=1", "WATCHDOG=1"]);
    }

    #[test]
    fn a_game_that_hangs_gives_no_sign_of_life() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notify");
        let manager = UnixDatagram::bind(&path).expect("a socket");
        let notifier = open(path.as_os_str(), Some(Duration::from_millis(20)));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let done = runtime.expect("a runtime").block_on(alive_while(Some(&notifier), async {
            tokio::time::sleep(Duration::from_millis(5)).await;
            std::thread::sleep(Duration::from_millis(200));
            "over"
        }));
        assert_eq!(done, "over");
        manager.set_nonblocking(true).expect("a socket");
        let mut told = Vec::new();
        let mut buffer = [0; 64];
        while let Ok(length) = manager.recv(&mut buffer) {
            told.push(String::from_utf8_lossy(&buffer[..length]).into_owned());
        }
        assert_eq!(told.first().map(String::as_str), Some("READY=1"));
        assert_eq!(told.last().map(String::as_str), Some("STOPPING=1"));
        assert!(told.len() <= 5, "told while the game hung: {told:?}");
    }

    #[test]
    fn a_manager_that_does_not_read_does_not_stop_the_game() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notify");
        let _manager = UnixDatagram::bind(&path).expect("a socket");
        let notifier = open(path.as_os_str(), None);
        for _ in 0..10_000 {
            notifier.alive();
        }
    }

    #[test]
    fn without_a_manager_nobody_is_told() {
        assert!(Notifier::open(None, None).expect("no error").is_none());
        assert!(Notifier::open(Some(OsString::new()), None).expect("no error").is_none());
    }

    #[test]
    fn a_manager_that_is_gone_is_an_error_with_its_remedy() {
        let gone = Notifier::open(Some("/nonexistent/notify".into()), None);
        assert_eq!(
            gone.expect_err("nobody there").to_string(),
            "cannot reach the service manager at /nonexistent/notify: No such file or directory \
             (os error 2); start the service by systemctl, or without NOTIFY_SOCKET in its \
             environment"
        );
    }

    #[test]
    fn the_watchdog_of_another_process_is_not_ours() {
        let os = OsStr::new;
        let ten = Some(Duration::from_secs(10));
        assert_eq!(watchdog(Some(os("10000000")), None, 7), ten);
        assert_eq!(watchdog(Some(os("10000000")), Some(os("7")), 7), ten);
        assert_eq!(watchdog(Some(os("10000000")), Some(os("8")), 7), None);
        assert_eq!(watchdog(Some(os("0")), None, 7), None);
        assert_eq!(watchdog(Some(os("ten")), None, 7), None);
        assert_eq!(watchdog(None, None, 7), None);
    }
}
