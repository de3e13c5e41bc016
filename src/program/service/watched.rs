//! The peg boards as they are felt, for those who look on beside the game: `annabella board watch`.
//!
//! Each peg board has a Unix socket beside the journal. Who may enter that folder may look. The service
//! writes the lines that `infer` reads, first the whole board, then each change. It takes nothing in:
//! whoever sends a byte is sent away.

use std::{
    fs,
    io::{self, ErrorKind},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

use shakmaty::{Bitboard, Color};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{UnixListener, UnixStream},
    sync::{Semaphore, broadcast},
    task::JoinHandle,
};

use annabella_core::game::Input;
use annabella_threads::lock;

/// So many may look on at one board; others are sent away.
const WATCHERS: usize = 4;
/// Changes that wait for one who reads slowly; behind them the whole board is written anew.
const WAITING: usize = 256;
/// After a connection that failed.
const PAUSE: Duration = Duration::from_secs(1);

/// The socket of a section of the configuration: `annabella.db-board` beside `annabella.db`.
pub fn socket(journal: &Path, section: &str) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    name.push(format!("-{section}"));
    name.into()
}

/// One board; the socket is gone when this is dropped.
#[derive(Debug)]
pub struct Watched {
    seat: Color,
    path: PathBuf,
    occupied: Arc<Mutex<Bitboard>>,
    news: broadcast::Sender<String>,
    serving: JoinHandle<()>,
}

impl Watched {
    /// Opens the socket of the board before `seat`, whose last known picture is `shown`.
    ///
    /// # Errors
    ///
    /// The system's, when there can be no socket; play needs none.
    pub fn open(path: PathBuf, seat: Color, shown: Bitboard) -> io::Result<Watched> {
        // The journal is held by one service only: what stands here is left over.
        match fs::remove_file(&path) {
            Err(err) if err.kind() != ErrorKind::NotFound => return Err(err),
            _ => {}
        }
        let listener = UnixListener::bind(&path)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        let occupied = Arc::new(Mutex::new(shown));
        let (news, _) = broadcast::channel(WAITING);
        let serving = tokio::spawn(serve(listener, Arc::clone(&occupied), news.clone()));
        Ok(Watched { seat, path, occupied, news, serving })
    }

    /// Tells what happened on the board, if this is it.
    pub fn tell(&self, input: &Input) {
        let mut occupied = lock(&self.occupied);
        let line = match input {
            Input::Edge { seat, square, occupied: up, .. } if *seat == self.seat => {
                occupied.set(*square, *up);
                change(&square.to_string(), *up)
            }
            Input::Board { seat, occupied: all } if *seat == self.seat => {
                *occupied = (*all).into();
                whole(*occupied)
            }
            _ => return,
        };
        // Nobody may be looking.
        let _ = self.news.send(line);
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.serving.abort();
        let _ = fs::remove_file(&self.path);
    }
}

fn change(square: &str, occupied: bool) -> String {
    format!("{}\n", serde_json::json!({ "square": square, "occupied": occupied }))
}

fn whole(occupied: Bitboard) -> String {
    let squares: Vec<String> = occupied.into_iter().map(|square| square.to_string()).collect();
    format!("{}\n", serde_json::json!({ "occupied": squares }))
}

async fn serve(
    listener: UnixListener,
    occupied: Arc<Mutex<Bitboard>>,
    news: broadcast::Sender<String>,
) {
    let places = Arc::new(Semaphore::new(WATCHERS));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
        let (occupied, news) = (Arc::clone(&occupied), news.subscribe());
        tokio::spawn(async move {
            write(stream, &occupied, news).await;
            drop(place);
        });
    }
}

async fn write(
    mut stream: UnixStream,
    occupied: &Mutex<Bitboard>,
    mut news: broadcast::Receiver<String>,
) {
    let mut line = whole(*lock(occupied));
    let mut byte = [0; 1];
    while stream.write_all(line.as_bytes()).await.is_ok() {
        let told = tokio::select! {
            told = news.recv() => told,
            _ = stream.read(&mut byte) => return,
        };
        line = match told {
            Ok(line) => line,
            Err(broadcast::error::RecvError::Lagged(_)) => whole(*lock(occupied)),
            Err(broadcast::error::RecvError::Closed) => return,
        };
    }
}
