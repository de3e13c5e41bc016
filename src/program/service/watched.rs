//! The peg boards as they are felt, for those who look on beside the game: `annabella board watch`;
//! and who needs a board for himself gets it: `annabella board test`.
//!
//! Each peg board has a Unix socket beside the journal. Who may enter that folder may look. The
//! service writes the lines that `infer` reads, first the whole board, then each change. It takes
//! one line in, [`LEND`]; whoever sends anything else is sent away.
//!
//! # A board that is lent
//!
//! Its device is closed, and no change on it reaches the game. That ends with the connection,
//! however the other program has ended; when a player's time begins to run; or after [`LENT_FOR`].
//! Then the whole board is taken in anew.

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
    sync::{Semaphore, broadcast, oneshot},
    task::JoinHandle,
    time::{Instant, sleep, timeout},
};

use super::news::{FromDevice, LoanAsked, LoanBegun, WeakToGame};
use annabella_core::game::Input;
use annabella_devices::board::scan::Lending;
use annabella_threads::lock;

/// So many may look on at one board; others are sent away.
const WATCHERS: usize = 4;
/// Changes that wait for one who reads slowly; behind them the whole board is written anew.
const WAITING: usize = 256;
/// What asks for the board. The answer is a line with `lent`, or with `kept` and the reason.
pub const LEND: &str = "{\"lend\":true}\n";
/// Nobody has a board for longer.
pub const LENT_FOR: Duration = Duration::from_secs(1_800);
/// So long the device may take to be closed.
const CLOSES: Duration = Duration::from_secs(2);
/// Between two looks whether it is.
const LOOK: Duration = Duration::from_millis(5);
/// After a connection that failed.
const PAUSE: Duration = Duration::from_secs(1);

/// The socket of a section of the configuration: `annabella.db-board` beside `annabella.db`.
pub fn socket(journal: &Path, section: &str) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    name.push(format!("-{section}"));
    name.into()
}

/// A board that somebody else has.
#[derive(Debug)]
struct Loan {
    /// The board as the game knows it.
    known: Bitboard,
    call_back: Option<oneshot::Sender<&'static str>>,
}

/// One board; the socket is gone when this is dropped.
#[derive(Debug)]
pub struct Watched {
    seat: Option<Color>,
    path: PathBuf,
    occupied: Arc<Mutex<Bitboard>>,
    news: broadcast::Sender<String>,
    device: Option<Lending>,
    loan: Option<Loan>,
    serving: JoinHandle<()>,
}

impl Watched {
    /// Opens the socket of a board, whose last known picture is `shown`. `seat`: whose it is;
    /// `None`: there is no other. `device`: what reads it, unless its reeds are lines.
    ///
    /// # Errors
    /// The system's, when there can be no socket; play needs none.
    pub fn open(
        path: PathBuf,
        seat: Option<Color>,
        shown: Bitboard,
        device: Option<Lending>,
        to_game: WeakToGame,
    ) -> io::Result<Watched> {
        // The journal is held by one service only: what stands here is left over.
        match fs::remove_file(&path) {
            Err(err) if err.kind() != ErrorKind::NotFound => return Err(err),
            _ => {}
        }
        let listener = UnixListener::bind(&path)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        let occupied = Arc::new(Mutex::new(shown));
        let (news, _) = broadcast::channel(WAITING);
        let desk = Desk {
            path: path.clone(),
            occupied: Arc::clone(&occupied),
            news: news.clone(),
            to_game,
        };
        let serving = tokio::spawn(serve(listener, Arc::new(desk)));
        Ok(Watched { seat, path, occupied, news, device, loan: None, serving })
    }

    /// Whose it is; `None`: there is no other.
    pub fn seat(&self) -> Option<Color> {
        self.seat
    }

    /// Whether this is about this board.
    pub fn is_at(&self, path: &Path) -> bool {
        self.path == path
    }

    /// Tells what happened on the board, if this is it. Answers whether the game must not hear of
    /// it.
    pub fn tell(&self, input: &Input) -> bool {
        let own = |seat: &Color| self.seat.is_none_or(|own| own == *seat);
        let mut occupied = lock(&self.occupied);
        let line = match input {
            Input::Edge { seat, square, occupied: up, .. } if own(seat) => {
                occupied.set(*square, *up);
                change(&square.to_string(), *up)
            }
            Input::Board { seat, occupied: all } if own(seat) => {
                *occupied = (*all).into();
                whole(*occupied)
            }
            _ => return false,
        };
        // Nobody may be looking.
        let _ = self.news.send(line);
        self.loan.is_some()
    }

    /// Answers who wants the board; `refused`: why he does not get it. Answers whether he does.
    pub fn lend(&mut self, asked: LoanAsked, refused: Option<&'static str>) -> bool {
        let taken = self.loan.as_ref().map(|_| "another program tests the board");
        if let Some(why) = refused.or(taken) {
            // Somebody who is gone needs no answer.
            let _ = asked.answer.send(Err(why));
            return false;
        }
        let (call_back, called_back) = oneshot::channel();
        let begun = LoanBegun { device: self.device.clone(), called_back };
        if asked.answer.send(Ok(begun)).is_err() {
            return false;
        }
        if let Some(device) = &self.device {
            device.release();
        }
        let known = *lock(&self.occupied);
        self.loan = Some(Loan { known, call_back: Some(call_back) });
        true
    }

    /// Whoever has the board gives it back at once.
    pub fn call_back(&mut self, why: &'static str) {
        let call_back = self.loan.as_mut().and_then(|loan| loan.call_back.take());
        if let Some(call_back) = call_back {
            // He has given it back already.
            let _ = call_back.send(why);
        }
    }

    /// The board is given back. Answers how it stands, where the game knows it otherwise.
    pub fn given_back(&mut self) -> Option<Bitboard> {
        let loan = self.loan.take()?;
        if let Some(device) = &self.device {
            device.take_back();
        }
        let occupied = *lock(&self.occupied);
        Some(occupied).filter(|occupied| *occupied != loan.known)
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

/// What a connection is served from.
struct Desk {
    path: PathBuf,
    occupied: Arc<Mutex<Bitboard>>,
    news: broadcast::Sender<String>,
    to_game: WeakToGame,
}

async fn serve(listener: UnixListener, desk: Arc<Desk>) {
    let places = Arc::new(Semaphore::new(WATCHERS));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
        let desk = Arc::clone(&desk);
        tokio::spawn(async move {
            desk.write(stream).await;
            drop(place);
        });
    }
}

impl Desk {
    async fn write(&self, mut stream: UnixStream) {
        let mut news = self.news.subscribe();
        let mut line = whole(*lock(&self.occupied));
        let (mut asked, mut byte) = (String::new(), [0; 1]);
        while stream.write_all(line.as_bytes()).await.is_ok() {
            let told = loop {
                tokio::select! {
                    told = news.recv() => break told,
                    read = stream.read(&mut byte) => match read {
                        Ok(1) => asked.push(char::from(byte[0])),
                        _ => return,
                    },
                }
                if asked == LEND {
                    return self.lend(stream).await;
                }
                if !LEND.starts_with(&asked) {
                    return;
                }
            };
            line = match told {
                Ok(line) => line,
                Err(broadcast::error::RecvError::Lagged(_)) => whole(*lock(&self.occupied)),
                Err(broadcast::error::RecvError::Closed) => return,
            };
        }
    }

    /// Somebody wants the board, and has it until one of both ends that.
    async fn lend(&self, mut stream: UnixStream) {
        let (answer, answered) = oneshot::channel();
        let asked = LoanAsked { path: self.path.clone(), answer };
        if !self.tell(FromDevice::Lend(asked)).await {
            return;
        }
        let kept = match answered.await {
            Ok(Ok(begun)) => {
                let kept = held(&mut stream, begun, LENT_FOR).await;
                // Its device is closed there before it is opened here.
                end(stream, kept).await;
                self.tell(FromDevice::GivenBack(self.path.clone())).await;
                return;
            }
            Ok(Err(why)) => Some(why),
            // The game has ended.
            Err(_) => None,
        };
        end(stream, kept).await;
    }

    async fn tell(&self, news: FromDevice) -> bool {
        let Some(to_game) = self.to_game.upgrade() else { return false };
        to_game.send(news).await.is_ok()
    }
}

/// Ends when the other program is gone, or with the reason why it may have the board no longer.
async fn held(
    stream: &mut UnixStream,
    begun: LoanBegun,
    longest: Duration,
) -> Option<&'static str> {
    let LoanBegun { device, called_back } = begun;
    let until = Instant::now() + CLOSES;
    while device.as_ref().is_some_and(|device| !device.is_released()) {
        if Instant::now() > until {
            return Some("the board's device does not answer the service either");
        }
        sleep(LOOK).await;
    }
    stream.write_all(b"{\"lent\":true}\n").await.ok()?;
    let mut byte = [0; 1];
    tokio::select! {
        _ = stream.read(&mut byte) => None,
        why = called_back => why.ok(),
        () = sleep(longest) => Some("nobody may have it for longer than half an hour"),
    }
}

/// Says why, and waits a moment for the other one to go.
async fn end(mut stream: UnixStream, kept: Option<&str>) {
    let Some(why) = kept else { return };
    let line = format!("{}\n", serde_json::json!({ "kept": why }));
    if stream.write_all(line.as_bytes()).await.is_ok() {
        let mut byte = [0; 1];
        let _ = timeout(CLOSES, stream.read(&mut byte)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_board_comes_back_in_time_and_is_not_lent_before_its_device_is_closed() {
        let (mut ours, theirs) = UnixStream::pair().expect("a pair");
        let begun = |device| {
            let (call_back, called_back) = oneshot::channel();
            (call_back, LoanBegun { device, called_back })
        };
        // Nothing reads it that could close it.
        let (_call_back, loan) = begun(Some(Lending::default()));
        let why = held(&mut ours, loan, LENT_FOR).await;
        assert_eq!(why, Some("the board's device does not answer the service either"));
        let (_call_back, loan) = begun(None);
        let why = held(&mut ours, loan, Duration::from_millis(20)).await;
        assert_eq!(why, Some("nobody may have it for longer than half an hour"));
        let (call_back, loan) = begun(None);
        call_back.send("a player's time runs").expect("heard");
        assert_eq!(held(&mut ours, loan, LENT_FOR).await, Some("a player's time runs"));
        let (_call_back, loan) = begun(None);
        drop(theirs);
        assert_eq!(held(&mut ours, loan, LENT_FOR).await, None, "the other one is gone");
    }
}
