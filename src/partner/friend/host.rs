//! Who waits: whoever knocks, and the friend who is let in.

use std::{
    net::{Ipv4Addr, Ipv6Addr},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Semaphore, mpsc, watch},
    time::{sleep, timeout},
};

use super::{
    book::{Book, Friend},
    pair::{End, Exchange, Judged, Pairing},
    talk::{Keys, Talk},
    wire::{Game, Hex, Message, Sorry, VERSION},
};
use crate::far::{
    there::{FarError, Heard, News},
    told::Told,
};

/// So many may knock at once; who has proved nothing in this time is sent away.
const KNOCKING: usize = 16;
const KNOCKS: Duration = Duration::from_secs(20);
/// A friend who has not come back by then is missed aloud.
const MISSED: Duration = Duration::from_secs(3);

/// Opens the door at this port; 0 is any.
///
/// # Errors
/// As the system says.
pub async fn open(port: u16) -> std::io::Result<TcpListener> {
    match TcpListener::bind((Ipv6Addr::UNSPECIFIED, port)).await {
        Ok(listener) => Ok(listener),
        // A machine without IPv6.
        Err(_) => TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)).await,
    }
}

/// Who is let in.
pub struct Guests {
    pub book: Book,
    /// As whom he is kept.
    pub name: String,
    /// Somebody may be paired.
    pub pairing: Option<Pairing>,
}

/// What a knock comes to.
enum Knock {
    Friend(Box<Talk>),
    /// He proved a wrong word, perhaps one too many.
    Wrong(Judged),
}

/// At the door, until nobody listens any more.
pub struct Host {
    pub keys: Keys,
    pub guests: Arc<Mutex<Guests>>,
    pub game: Game,
    pub tell: fn(&str),
}

fn lock(guests: &Mutex<Guests>) -> std::sync::MutexGuard<'_, Guests> {
    // It holds what is on the disk; half a change cannot be there.
    guests.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Host {
    /// Lets the friend in, and again whenever he comes back; hands on what he tells.
    pub async fn run(
        self,
        door: TcpListener,
        shown: watch::Receiver<Option<String>>,
        to: mpsc::Sender<Heard<News>>,
    ) {
        let host = Arc::new(self);
        let places = Arc::new(Semaphore::new(KNOCKING));
        let (knocked, mut knocks) = mpsc::channel(KNOCKING);
        let mut talk: Option<tokio::task::JoinHandle<()>> = None;
        let (lost, mut losses) = mpsc::channel::<(u64, String)>(4);
        let mut number = 0_u64;
        let mut missed: Option<tokio::time::Instant> = None;
        loop {
            let over = lock(&host.guests).pairing.as_ref().map(Pairing::until);
            let over = over.map(tokio::time::Instant::from_std);
            tokio::select! {
                came = door.accept() => match came {
                    Ok((stream, _)) => {
                        // Who finds no place is sent away.
                        let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
                        let (host, knocked) = (Arc::clone(&host), knocked.clone());
                        tokio::spawn(async move {
                            if let Ok(Ok(knock)) = timeout(KNOCKS, host.hears(stream)).await {
                                let _ = knocked.send(knock).await;
                            }
                            drop(place);
                        });
                    }
                    Err(err) => {
                        (host.tell)(&format!("cannot take a connection: {err}"));
                        sleep(MISSED).await;
                    }
                },
                Some(knock) = knocks.recv() => match knock {
                    Knock::Friend(friend) => {
                        // A friend who comes anew has lost the line before.
                        if let Some(before) = talk.take() {
                            before.abort();
                        }
                        missed = None;
                        number += 1;
                        let (shown, to, lost) = (shown.clone(), to.clone(), lost.clone());
                        talk = Some(tokio::spawn(async move {
                            let (reason, _) = friend.goes_on(shown, &to).await;
                            let _ = lost.send((number, reason)).await;
                        }));
                    }
                    Knock::Wrong(judged) => {
                        let told = match judged {
                            Judged::Over => Told::PairingOver,
                            _ => Told::WordWrong,
                        };
                        (host.tell)(if told == Told::PairingOver {
                            "a third wrong number: nobody can pair any more; call this again for another number"
                        } else {
                            "somebody has tried to pair with a wrong number"
                        });
                        if to.send(Heard::Line(News::Tells(told))).await.is_err() {
                            return;
                        }
                    }
                },
                Some((which, reason)) = losses.recv() => if which == number {
                    talk = None;
                    missed = Some(tokio::time::Instant::now() + MISSED);
                    if to.send(Heard::Lost(host.away(reason))).await.is_err() {
                        return;
                    }
                },
                () = at(missed) => {
                    missed = None;
                    let reason = "it has not come back yet".to_owned();
                    if to.send(Heard::Lost(host.away(reason))).await.is_err() {
                        return;
                    }
                }
                () = at(over) => {
                    lock(&host.guests).pairing = None;
                    (host.tell)("ten minutes are over: nobody can pair any more; call this again for another number");
                    if to.send(Heard::Line(News::Tells(Told::PairingOver))).await.is_err() {
                        return;
                    }
                }
                () = to.closed() => return,
            }
        }
    }

    fn away(&self, reason: String) -> FarError {
        FarError::Away { site: lock(&self.guests).name.clone(), reason }
    }

    /// Hears somebody who knocks.
    ///
    /// # Errors
    /// In a few words: he is nobody who belongs here.
    async fn hears(&self, stream: TcpStream) -> Result<Knock, String> {
        let mut talk = self.keys.waits(stream).await?;
        let mut paired = false;
        loop {
            match talk.hears().await? {
                Message::Pair(Hex(theirs)) if !paired => {
                    match self.pairs(&mut talk, &theirs).await? {
                        Some(Judged::Good) => paired = true,
                        Some(judged) => {
                            talk.ends(&Message::Sorry(Sorry::Word)).await;
                            return Ok(Knock::Wrong(judged));
                        }
                        None => {
                            talk.ends(&Message::Sorry(Sorry::Unknown)).await;
                            return Err("nobody is paired now".to_owned());
                        }
                    }
                }
                Message::Hello { version } if version != VERSION => {
                    talk.ends(&Message::Sorry(Sorry::Version)).await;
                    return Err("another version".to_owned());
                }
                Message::Hello { .. } if self.knows(&talk, paired) => {
                    talk.is_friend();
                    talk.says(&Message::Game(self.game.clone())).await?;
                    return Ok(Knock::Friend(Box::new(talk)));
                }
                _ => {
                    talk.ends(&Message::Sorry(Sorry::Unknown)).await;
                    return Err("a stranger".to_owned());
                }
            }
        }
    }

    /// Somebody wants to be paired. `None`: nobody is.
    async fn pairs(&self, talk: &mut Talk, theirs: &[u8]) -> Result<Option<Judged>, String> {
        let strange = || "it does not speak as a friend's program".to_owned();
        let word = {
            let guests = lock(&self.guests);
            guests.pairing.as_ref().and_then(|pairing| pairing.word(Instant::now()).cloned())
        };
        let Some(word) = word else { return Ok(None) };
        let (exchange, ours) = Exchange::begin(End::Waits, &word);
        let proofs = exchange.finish(theirs).ok_or_else(strange)?;
        talk.says(&Message::Pair(Hex(ours))).await?;
        let Message::Proof(Hex(proof)) = talk.hears().await? else { return Err(strange()) };
        let good = proofs.are(End::Comes, &talk.bound, &proof);
        let judged = {
            let mut guests = lock(&self.guests);
            let judged =
                guests.pairing.as_mut().map(|pairing| pairing.judges(good, Instant::now()));
            if judged == Some(Judged::Over) {
                guests.pairing = None;
            }
            judged
        };
        if judged == Some(Judged::Good) {
            talk.says(&Message::Proof(Hex(proofs.of(End::Waits, &talk.bound)))).await?;
        }
        Ok(judged)
    }

    /// He is the friend. One who has just been paired is kept now, when he has seen our proof.
    fn knows(&self, talk: &Talk, paired: bool) -> bool {
        let mut guests = lock(&self.guests);
        if paired {
            let friend = Friend::new(&guests.name, &talk.theirs, None);
            guests.pairing = None;
            if let Err(err) = guests.book.keep(friend) {
                (self.tell)(&err.to_string());
            }
            return true;
        }
        let name = guests.name.clone();
        guests.book.friend(&name).is_some_and(|friend| friend.has(&talk.theirs))
    }
}

async fn at(moment: Option<tokio::time::Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
