//! The servers of the demonstration's hall: one, or three that keep the same rows.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use annabella_hall::{
    HallError, ballast,
    names::EventName,
    server::{NatsServer, ServerCluster, ServerSettings},
    stream::Link,
};

/// How long servers may take to agree with each other after one was started.
const AGREE: Duration = Duration::from_secs(60);
const AGAIN: Duration = Duration::from_millis(200);

/// All servers, each with its store.
pub(super) struct Servers {
    settings: Vec<ServerSettings>,
    running: Vec<Option<NatsServer>>,
    url: String,
    event: EventName,
}

impl Servers {
    /// Starts them on this machine, and makes the event. `most_bytes` is what one that is alone may
    /// keep.
    pub(super) async fn start(
        folder: &Path,
        count: usize,
        most_bytes: u64,
        event: &EventName,
    ) -> Result<Servers, HallError> {
        let addresses = free(2 * count)
            .map_err(|err| HallError::ServerFails(format!("there are no ports: {err}")))?;
        let (listens, routes) = addresses.split_at(count);
        let settings: Vec<ServerSettings> = (0..count)
            .map(|n| {
                let mut others = routes.to_vec();
                let listen = others.remove(n);
                ServerSettings {
                    program: PathBuf::from("nats-server"),
                    listen: listens[n],
                    store: folder.join(format!("hall-{n}")),
                    keys: None,
                    most_bytes: (count == 1).then_some(most_bytes),
                    cluster: (count > 1).then_some(ServerCluster { listen, others }),
                }
            })
            .collect();
        let running = settings.iter().map(NatsServer::start).map(|server| server.map(Some));
        let running = running.collect::<Result<_, _>>()?;
        let url = listens.iter().map(|address| format!("nats://{address}"));
        let url = url.collect::<Vec<_>>().join(",");
        let servers = Servers { settings, running, url, event: event.clone() };
        let until = Instant::now() + AGREE;
        while let Err(err) = servers.make_event().await {
            if Instant::now() > until {
                return Err(err);
            }
            tokio::time::sleep(AGAIN).await;
        }
        Ok(servers)
    }

    async fn make_event(&self) -> Result<(), HallError> {
        self.link().await?.make_event(&self.event).await
    }

    /// Where boards find each.
    pub(super) fn addresses(&self) -> impl Iterator<Item = SocketAddr> {
        self.settings.iter().map(|settings| settings.listen)
    }

    /// The address of all.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) async fn link(&self) -> Result<Link, HallError> {
        Link::open(&self.url, None, "demo").await
    }

    /// Whether all run, and each has every row.
    pub(super) async fn are_whole(&self) -> bool {
        let whole = async { self.link().await?.is_in_step(&self.event).await };
        self.running.iter().all(Option::is_some) && whole.await.unwrap_or(false)
    }

    /// What they lack of being whole, in one line.
    pub(super) async fn lack(&self) -> String {
        let lack = async { self.link().await?.out_of_step(&self.event).await };
        match lack.await {
            Ok(lack) => lack.unwrap_or_else(|| "each server has every row".to_owned()),
            Err(err) => err.to_string(),
        }
    }

    /// Kills one as a power cut would.
    pub(super) fn kill(&mut self, n: usize) {
        if let Some(server) = self.running[n].take() {
            server.kill();
        }
    }

    /// What it has kept is gone with its disk.
    pub(super) fn lose_disk(&self, n: usize) -> io::Result<()> {
        std::fs::remove_dir_all(&self.settings[n].store)
    }

    /// Starts one that was killed.
    pub(super) fn start_again(&mut self, n: usize) -> Result<(), HallError> {
        if self.running[n].is_none() {
            self.running[n] = Some(NatsServer::start(&self.settings[n])?);
        }
        Ok(())
    }

    /// Whether it is one, which can be full. Of several one with a full disk is one that is lost.
    pub(super) fn can_be_full(&self) -> bool {
        self.settings.len() == 1
    }

    /// Nothing more fits into its store.
    pub(super) async fn fill(&self) -> Result<(), HallError> {
        ballast::fill(&self.link().await?).await
    }

    /// There is room again.
    pub(super) async fn empty(&self) -> Result<(), HallError> {
        ballast::empty(&self.link().await?).await
    }
}

/// So many addresses of this machine, each with a port that was free.
fn free(count: usize) -> io::Result<Vec<SocketAddr>> {
    let listeners =
        (0..count).map(|_| TcpListener::bind(("127.0.0.1", 0))).collect::<Result<Vec<_>, _>>()?;
    listeners.iter().map(TcpListener::local_addr).collect()
}
