//! Connections: taken, encrypted, limited, handed to the routes.

use std::{
    convert::Infallible,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::{Router, body::Body, http::Request};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::{Semaphore, mpsc, watch},
    task::JoinSet,
};
use tokio_io_timeout::TimeoutStream;
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
    },
};

use annabella_records::whole;

use super::{
    Codes, ConsoleError, ConsoleSettings, HallEntry, Limits, Tls,
    act::Ask,
    codes::{Pairing, network},
    guard::Complaints,
    live::Hub,
    places::{Places, Visit},
    reach::{Named, Reach},
    routes::{self, Encrypted, Peer, Shared},
    session::Sessions,
    through::HallDoor,
    view::{Sector, View},
    words::Languages,
};

/// When half of the places for those who have shown nothing are taken, new connections have so much
/// less time to ask.
const CROWD_HURRIES: u32 = 10;
/// Connections of the hall's wire at one time.
const FROM_HALL: usize = 32;

/// An address that is ours; nobody has been let in yet.
pub struct Door {
    settings: ConsoleSettings,
    listener: TcpListener,
    address: SocketAddr,
    tls: Option<TlsAcceptor>,
    languages: Languages,
    sessions: Sessions,
    pairing: Pairing,
    codes: watch::Receiver<Codes>,
    arbiters: watch::Sender<Vec<Sector>>,
    reach: Reach,
    /// Where the hall's wire comes in, and what it shows there.
    hall: Option<(TcpListener, HallDoor)>,
    /// Its name in the network is good as long as this lives.
    named: Option<Named>,
    why_anew: Option<String>,
}

impl std::fmt::Debug for Door {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Door").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Binds the address and reads everything that the pages need.
///
/// # Errors
/// [`ConsoleError`], each with its remedy.
pub async fn open(settings: ConsoleSettings) -> Result<Door, ConsoleError> {
    let listen = settings.listen;
    let bind = |source| ConsoleError::Bind { address: listen, source };
    let tls = settings.tls.as_ref().map(acceptor).transpose()?;
    let (sessions, why_anew) = Sessions::open(settings.session_key.as_deref())?;
    let why_anew = why_anew.map(|why| why.to_string());
    let languages = Languages::new(&settings.language)?;
    let codes = settings.codes.clone().map_or_else(Codes::new, Ok)?;
    let listener = listening(listen).map_err(bind)?;
    let address = listener.local_addr().map_err(bind)?;
    let hall = settings.hall.as_ref().map(from_here).transpose().map_err(bind)?;
    let (pairing, codes) = Pairing::new(codes);
    let reach = Reach::of(address, tls.is_some());
    let named = None;
    Ok(Door {
        settings,
        listener,
        address,
        tls,
        languages,
        sessions,
        pairing,
        codes,
        arbiters: watch::Sender::default(),
        reach,
        hall,
        named,
        why_anew,
    })
}

impl Door {
    /// The address of the pages.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Why nobody's session is good any more, or none will be after a restart: one line, where that
    /// is so.
    pub fn why_anew(&self) -> Option<&str> {
        self.why_anew.as_deref()
    }

    /// How others reach them.
    pub fn reach(&self) -> &Reach {
        &self.reach
    }

    /// Lets the network find the pages by name, see [`Reach::publish`].
    ///
    /// # Errors
    /// One line when names cannot be published here; the addresses stay good.
    pub fn publish(
        &mut self,
        name: &str,
        tell: impl Fn(&str) + Send + 'static,
    ) -> Result<(), String> {
        self.named = Some(self.reach.publish(name, tell)?);
        Ok(())
    }

    /// Whether they are encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.tls.is_some()
    }

    /// Whether nobody in the network can read along: they are encrypted, or do not leave this
    /// machine.
    pub fn is_private(&self) -> bool {
        self.is_encrypted() || self.address.ip().is_loopback()
    }

    /// The codes that are good now. Those that let somebody act change after use.
    pub fn codes(&self) -> watch::Receiver<Codes> {
        self.codes.clone()
    }

    /// The pages of an arbiter that are open, here and through a hall, by the boards that they are
    /// about: a board's own page is about all that there are here.
    pub fn arbiters(&self) -> watch::Receiver<Vec<Sector>> {
        self.arbiters.subscribe()
    }

    /// Serves the pages until the future is dropped.
    ///
    /// `views` holds the state of the game; each change goes to every page. Each act of a person
    /// goes to `acts` and is answered there, after the view with its effect was put into `views`.
    /// If nobody takes acts, the pages ask to try again.
    pub async fn serve(self, views: watch::Receiver<Arc<View>>, acts: mpsc::Sender<Ask>) {
        let limits = self.settings.limits;
        let private = self.is_private();
        let _named = self.named;
        let hub = Arc::new(Hub::new(self.languages.clone(), private, views, self.arbiters));
        let complaints = Arc::new(Complaints::new(Arc::clone(&self.settings.complain)));
        let shared = Shared::new(
            self.settings,
            self.languages,
            self.sessions,
            self.pairing,
            self.reach,
            Arc::clone(&hub),
            acts,
            Arc::clone(&complaints),
            self.tls.is_some(),
            private,
        );
        let router = routes::router(Arc::new(shared));
        // Dropped with this future, and everything that it runs with it.
        let mut tasks = JoinSet::new();
        tasks.spawn(async move { hub.run().await });
        if let Some((listener, door)) = self.hall {
            tasks.spawn(from_hall(listener, door, router.clone(), limits));
        }
        let places = Arc::new(Places::new(limits));
        loop {
            let (stream, peer) = match self.listener.accept().await {
                Ok(accepted) => accepted,
                Err(err) => {
                    // Out of files, or gone before it was taken: the next may do better.
                    complaints.tell(&format!("a connection was lost: {err}"));
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            while tasks.try_join_next().is_some() {}
            let (visit, gone) = places.enter(network(peer.ip()));
            if gone {
                complaints.tell("a connection was closed for another: there are too many");
            }
            // In a crowd nobody keeps a place for long who asks for nothing.
            let head = if places.is_crowded() { limits.head / CROWD_HURRIES } else { limits.head };
            let limits = Limits { head, ..limits };
            let (router, tls) = (router.clone(), self.tls.clone());
            tasks.spawn(async move {
                let visit = Arc::new(visit);
                let connection = connection(stream, peer, Arc::clone(&visit), tls, router, limits);
                tokio::select! {
                    () = connection => {}
                    () = visit.sent_away() => {}
                }
            });
        }
    }
}

/// So many connections may wait to be taken; a kernel allows 4,096 at most if not told otherwise.
/// One that finds no room is tried again by its own side a second later.
const WAITING: u32 = 4_096;

fn listening(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // As tokio's own does: a server that was ended starts again at once.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING)
}

fn from_here(entry: &HallEntry) -> std::io::Result<(TcpListener, HallDoor)> {
    let listener = entry.listener.try_clone()?;
    listener.set_nonblocking(true)?;
    Ok((TcpListener::from_std(listener)?, HallDoor(entry.secret.as_str().into())))
}

/// Takes the connections of the hall's wire.
async fn from_hall(listener: TcpListener, door: HallDoor, router: Router, limits: Limits) {
    let free = Arc::new(Semaphore::new(FROM_HALL));
    let mut tasks = JoinSet::new();
    loop {
        // Never closed.
        let Ok(place) = Arc::clone(&free).acquire_owned().await else { return };
        let Ok((stream, peer)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        while tasks.try_join_next().is_some() {}
        let (router, door) = (router.clone(), door.clone());
        tasks.spawn(async move {
            let _held = place;
            let entered = Entered {
                peer: peer.ip().to_canonical(),
                encrypted: false,
                door: Some(door),
                visit: None,
            };
            http(stream, entered, router, limits).await;
        });
    }
}

/// How a connection came in.
#[derive(Clone, Debug)]
struct Entered {
    peer: IpAddr,
    encrypted: bool,
    door: Option<HallDoor>,
    visit: Option<Arc<Visit>>,
}

async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    visit: Arc<Visit>,
    tls: Option<TlsAcceptor>,
    router: Router,
    limits: Limits,
) {
    // Small events are to go out at once; where that cannot be, they go out later.
    let _ = stream.set_nodelay(true);
    let peer = peer.ip().to_canonical();
    let entered = Entered { peer, encrypted: false, door: None, visit: Some(visit) };
    match tls {
        None => http(stream, entered, router, limits).await,
        Some(tls) => {
            // Connections that speak no TLS, or too slowly, are closed.
            if let Ok(Ok(stream)) = tokio::time::timeout(limits.head, tls.accept(stream)).await {
                http(stream, Entered { encrypted: true, ..entered }, router, limits).await;
            }
        }
    }
}

async fn http<S>(stream: S, entered: Entered, router: Router, limits: Limits)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Peer(entered.peer));
        if entered.encrypted {
            request.extensions_mut().insert(Encrypted);
        }
        if let Some(visit) = &entered.visit {
            request.extensions_mut().insert(Arc::clone(visit));
        }
        if let Some(door) = &entered.door {
            request.extensions_mut().insert(door.clone());
        }
        let answer = routes::answer(router.clone(), request.map(Body::new));
        async move { Ok::<_, Infallible>(answer.await) }
    });
    // A reader that takes nothing of an answer for this long does not hold its place.
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits.read));
    // A connection that breaks is the other side's affair.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(16 * 1_024)
        .serve_connection(TokioIo::new(Box::pin(stream)), service)
        .await;
}

/// Whether pages can be encrypted with these files.
///
/// # Errors
/// [`ConsoleError::Certificate`].
pub fn check_certificate(tls: &Tls) -> Result<(), ConsoleError> {
    acceptor(tls).map(|_| ())
}

fn acceptor(tls: &Tls) -> Result<TlsAcceptor, ConsoleError> {
    let wrong = |path: &std::path::Path, reason: String| ConsoleError::Certificate {
        path: path.display().to_string(),
        reason,
    };
    let read = |path| whole::read(path).map_err(|err| wrong(path, err.to_string()));
    let certificates = CertificateDer::pem_slice_iter(&read(&tls.certificate)?)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|err| wrong(&tls.certificate, err.to_string()))?;
    let key = PrivateKeyDer::from_pem_slice(&read(&tls.key)?)
        .map_err(|err| wrong(&tls.key, err.to_string()))?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(certificates, key))
        .map_err(|err| wrong(&tls.certificate, err.to_string()))?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use std::time::Instant;

    use super::*;

    const PATIENCE: Duration = Duration::from_millis(300);

    /// The other end of a connection that holds 64 bytes and was asked for 640.
    async fn asked() -> (tokio::io::DuplexStream, tokio::task::JoinHandle<()>) {
        let (here, mut there) = tokio::io::duplex(64);
        let router = Router::new().route("/", get(|| async { "x".repeat(640) }));
        let limits = Limits { read: PATIENCE, ..Limits::default() };
        let peer = std::net::Ipv4Addr::LOCALHOST.into();
        let entered = Entered { peer, encrypted: false, door: None, visit: None };
        let served = tokio::spawn(http(here, entered, router, limits));
        let request = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        there.write_all(request).await.expect("asked");
        (there, served)
    }

    #[tokio::test]
    async fn who_does_not_read_is_given_up() {
        let (_there, served) = asked().await;
        let began = Instant::now();
        let ended = tokio::time::timeout(PATIENCE * 10, served).await;
        ended.expect("given up").expect("no panic");
        assert!(began.elapsed() >= PATIENCE);
    }

    #[tokio::test]
    async fn who_reads_slowly_is_waited_for() {
        let (mut there, served) = asked().await;
        let (mut answer, mut buffer) = (Vec::new(), [0; 64]);
        loop {
            tokio::time::sleep(PATIENCE / 5).await;
            match there.read(&mut buffer).await.expect("bytes") {
                0 => break,
                length => answer.extend_from_slice(&buffer[..length]),
            }
        }
        served.await.expect("no panic");
        assert!(answer.ends_with("x".repeat(640).as_bytes()), "{} bytes", answer.len());
    }
}
