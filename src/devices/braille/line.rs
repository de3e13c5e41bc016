//! The line to brltty: a task that connects, shows what it is given, and connects again when it was
//! lost.
//!
//! What is shown is kept here meanwhile, so that it stands there as soon as brltty is back. Nobody
//! waits for the line.

use std::{
    convert::Infallible,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpStream, UnixStream},
    sync::Notify,
    task::JoinHandle,
    time::{Instant, sleep, sleep_until, timeout, timeout_at},
};

use super::{
    packets::DisplaySize,
    reading::FingerReading,
    session::{BrailleError, BrailleSession},
};
use annabella_threads::{Backoff, lock};

/// First and longest pause before brltty is looked for again.
const RETRY: Backoff = Backoff::new(Duration::from_millis(500), Duration::from_secs(8));
/// How long an answer may take, and a packet to be taken.
const PATIENCE: Duration = Duration::from_secs(5);
/// The interval between questions for the display's size.
const ASK: Duration = Duration::from_secs(2);

/// Where brltty listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BrlttyAt {
    Socket(PathBuf),
    /// Host and port.
    Host(String),
}

impl BrlttyAt {
    /// `/var/lib/BrlAPI/0`, or `192.168.1.5:4101`.
    pub fn parse(text: &str) -> Option<BrlttyAt> {
        if text.starts_with('/') {
            return Some(BrlttyAt::Socket(PathBuf::from(text)));
        }
        let (host, port) = text.rsplit_once(':')?;
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let named = !host.is_empty() && (bare.is_some() || !host.contains(':'));
        let port = port.parse::<u16>().ok().filter(|port| *port > 0);
        port.filter(|_| named && !text.contains(char::is_whitespace))?;
        Some(BrlttyAt::Host(text.to_owned()))
    }
}

impl std::fmt::Display for BrlttyAt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BrlttyAt::Socket(path) => path.display().fmt(f),
            BrlttyAt::Host(host) => f.write_str(host),
        }
    }
}

/// Gets a line when brltty is lost, and one when it is back.
pub type LineComplaint = Box<dyn Fn(String) + Send>;

/// One player's Braille line, kept while this is held.
#[derive(Debug)]
pub struct BrailleLine {
    reading: Arc<Mutex<FingerReading>>,
    news: Arc<Notify>,
    there: Arc<AtomicBool>,
    task: JoinHandle<()>,
}

impl BrailleLine {
    /// Looks for brltty from now on. Needs a runtime.
    pub fn open(at: BrlttyAt, key_file: &Path, complain: LineComplaint) -> BrailleLine {
        let reading = Arc::new(Mutex::new(FingerReading::default()));
        let news = Arc::new(Notify::new());
        let there = Arc::new(AtomicBool::new(false));
        let line = Line {
            at,
            key_file: key_file.to_owned(),
            reading: Arc::clone(&reading),
            news: Arc::clone(&news),
            there: Arc::clone(&there),
            complain,
            reported: None,
        };
        let task = tokio::spawn(line.run());
        BrailleLine { reading, news, there, task }
    }

    /// Whether a display shows what is given.
    pub fn is_there(&self) -> bool {
        self.there.load(Ordering::Relaxed)
    }

    /// Has a change made to what is read, and shows it.
    pub fn read(&self, change: impl FnOnce(&mut FingerReading)) {
        change(&mut lock(&self.reading));
        self.news.notify_one();
    }
}

impl Drop for BrailleLine {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The size of the display at `at`, for the doctor.
///
/// # Errors
/// [`BrailleError`].
pub async fn look(at: &BrlttyAt, key_file: &Path) -> Result<DisplaySize, BrailleError> {
    let mut session = BrailleSession::new(&at.to_string(), key_file);
    let mut stream = connect(at, &session).await?;
    let until = Instant::now() + PATIENCE;
    let (mut reading, mut buffer) = (FingerReading::default(), [0; 512]);
    while !session.is_measured() {
        let read = timeout_at(until, stream.read(&mut buffer)).await;
        let read = read.map_err(|_| session.lost("no answer"))?;
        let bytes = received(&session, read, &buffer)?;
        let answer = session.take(bytes, &mut reading)?;
        send(&mut stream, &session, &answer).await?;
    }
    let size = session.size();
    if size == DisplaySize::default() { Err(BrailleError::NoDisplay) } else { Ok(size) }
}

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}

struct Line {
    at: BrlttyAt,
    key_file: PathBuf,
    reading: Arc<Mutex<FingerReading>>,
    news: Arc<Notify>,
    there: Arc<AtomicBool>,
    complain: LineComplaint,
    /// The trouble last reported.
    reported: Option<BrailleError>,
}

impl Line {
    async fn run(mut self) {
        let mut backoff = RETRY;
        loop {
            let mut session = BrailleSession::new(&self.at.to_string(), &self.key_file);
            let Err(error) = self.talk(&mut session).await;
            if session.is_ready() {
                backoff.reset();
            }
            self.there.store(false, Ordering::Relaxed);
            self.lose(error);
            sleep(backoff.pause()).await;
        }
    }

    /// Talks until something is wrong.
    async fn talk(&mut self, session: &mut BrailleSession) -> Result<Infallible, BrailleError> {
        let mut stream = connect(&self.at, session).await?;
        let mut buffer = [0; 512];
        let (mut due, mut waited) = (Instant::now() + PATIENCE, true);
        loop {
            let answer = tokio::select! {
                read = stream.read(&mut buffer) => {
                    let bytes = received(session, read, &buffer)?;
                    session.take(bytes, &mut lock(&self.reading))?
                }
                () = self.news.notified() => session.write(&lock(&self.reading)),
                () = sleep_until(due) => session.ask()?,
            };
            send(&mut stream, session, &answer).await?;
            self.there.store(session.is_ready(), Ordering::Relaxed);
            if session.is_ready() {
                self.found();
            } else if session.lacks_display() {
                self.lose(BrailleError::NoDisplay);
            }
            if std::mem::replace(&mut waited, session.waits()) != waited {
                due = Instant::now() + if waited { PATIENCE } else { ASK };
            }
        }
    }

    fn found(&mut self) {
        if self.reported.take().is_some() {
            (self.complain)("the Braille line is there".to_owned());
        }
    }

    /// Reports trouble once. After a loss it is no news that nobody answers, or that brltty looks
    /// for its display.
    fn lose(&mut self, error: BrailleError) {
        let news = match &self.reported {
            None => true,
            Some(BrailleError::Lost { .. }) => !matches!(
                error,
                BrailleError::Missing { .. } | BrailleError::NoDisplay | BrailleError::Lost { .. }
            ),
            Some(reported) => *reported != error,
        };
        if news {
            (self.complain)(format!("no Braille line: {error}"));
            self.reported = Some(error);
        }
    }
}

async fn connect(at: &BrlttyAt, session: &BrailleSession) -> Result<Box<dyn Stream>, BrailleError> {
    let connecting = async {
        Ok::<Box<dyn Stream>, std::io::Error>(match at {
            BrlttyAt::Socket(path) => Box::new(UnixStream::connect(path).await?),
            BrlttyAt::Host(host) => Box::new(TcpStream::connect(host).await?),
        })
    };
    match timeout(PATIENCE, connecting).await {
        Ok(Ok(stream)) => Ok(stream),
        Ok(Err(err)) if err.kind() == std::io::ErrorKind::PermissionDenied => {
            Err(session.lost(&err.to_string()))
        }
        Ok(Err(_)) | Err(_) => Err(BrailleError::Missing { at: at.to_string() }),
    }
}

fn received<'a>(
    session: &BrailleSession,
    read: std::io::Result<usize>,
    buffer: &'a [u8],
) -> Result<&'a [u8], BrailleError> {
    match read {
        Ok(0) => Err(session.lost("it has hung up")),
        Ok(length) => Ok(&buffer[..length]),
        Err(err) => Err(session.lost(&err.to_string())),
    }
}

/// Sends bytes; a brltty that does not take them in time is lost.
async fn send(
    stream: &mut Box<dyn Stream>,
    session: &BrailleSession,
    bytes: &[u8],
) -> Result<(), BrailleError> {
    match timeout(PATIENCE, stream.write_all(bytes)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(err)) => Err(session.lost(&err.to_string())),
        Err(_) => Err(session.lost("it reads nothing")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brltty_is_at_a_socket_or_at_a_host_and_port() {
        let socket = BrlttyAt::Socket(PathBuf::from("/var/lib/BrlAPI/0"));
        assert_eq!(BrlttyAt::parse("/var/lib/BrlAPI/0"), Some(socket));
        for host in ["192.168.1.5:4101", "braille.local:4101", "[::1]:4101"] {
            assert_eq!(BrlttyAt::parse(host), Some(BrlttyAt::Host(host.to_owned())));
        }
        for wrong in
            ["", "brltty", ":4101", "host:", "host:0", "host:99999", "::1:4101", "a b:4101"]
        {
            assert_eq!(BrlttyAt::parse(wrong), None, "{wrong}");
        }
    }
}
