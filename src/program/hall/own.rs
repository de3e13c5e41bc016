//! The hall's own server, and how it is mended.

use std::{net::SocketAddr, time::Duration};

use annabella::cli::Failure;
use annabella_hall::{
    HallError,
    server::{NatsServer, ServerCluster, ServerSettings},
};

/// A disk with less room takes no row of the longest, bytes.
const LEAST_ROOM: u64 = 8 * 1_024 * 1_024;
/// A disk is looked at so often.
const LOOK: Duration = Duration::from_secs(1);
/// Said when the server of a full disk is stopped.
const ASIDE: &str = "this machine's disk is full, and its server is stopped: the hall goes on with the two others; \
                     make room here, and it is started again";
/// The port at which servers of one hall find each other, counted from the one for boards.
const CLUSTER_PORT: u16 = 2_000;

/// The own server, if there is one.
#[derive(Debug, Default)]
pub(super) struct Own {
    server: Option<NatsServer>,
    settings: Option<ServerSettings>,
    /// Its disk was seen full, or it could not be started again.
    was_full: bool,
}

impl Own {
    pub(super) fn start(mut settings: ServerSettings) -> Result<Own, Failure> {
        let server = NatsServer::start(&settings).map_err(Failure::device)?;
        settings.listen = server.address();
        Ok(Own { server: Some(server), settings: Some(settings), was_full: false })
    }

    pub(super) fn server(&self) -> Option<&NatsServer> {
        self.server.as_ref()
    }

    /// Its address and those of the others, for clients on this machine.
    pub(super) fn url(&self, others: &[SocketAddr]) -> String {
        let secure = self.settings.as_ref().is_some_and(|settings| settings.keys.is_some());
        let scheme = if secure { "tls" } else { "nats" };
        let own = self.server.as_ref().map(NatsServer::url);
        let others = others.iter().map(|address| format!("{scheme}://{address}"));
        own.into_iter().chain(others).collect::<Vec<_>>().join(",")
    }

    /// How it ended, if it has.
    pub(super) fn ended(&mut self) -> Option<String> {
        self.server.as_mut().and_then(NatsServer::ended)
    }

    /// Whether it should run and does not.
    pub(super) fn is_down(&mut self) -> bool {
        self.settings.is_some()
            && !self.is_aside()
            && (self.server.is_none() || self.ended().is_some())
    }

    /// Starts it again after it has ended, whatever ended it.
    ///
    /// # Errors
    ///
    /// [`HallError::NoServer`], [`HallError::ServerFails`].
    pub(super) fn start_again(&mut self) -> Result<(), HallError> {
        let Some(settings) = &self.settings else { return Ok(()) };
        // It is waited for, so that its address is free.
        self.server = None;
        self.server = Some(NatsServer::start(settings)?);
        Ok(())
    }

    /// Whether its disk is full.
    pub(super) fn is_full(&mut self) -> bool {
        // One that comes back has to write at once what the others have.
        let comes_back = self.was_full && self.is_one_of_several();
        let least = if comes_back { 2 * LEAST_ROOM } else { LEAST_ROOM };
        let full = self.settings.as_ref().is_some_and(|settings| {
            rustix::fs::statvfs(&settings.store)
                .is_ok_and(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) < least)
        });
        self.was_full |= full;
        full
    }

    /// Whether it is to be started again when its disk has room.
    pub(super) fn was_full(&self) -> bool {
        self.was_full
    }

    /// Whether it is one of several.
    pub(super) fn is_one_of_several(&self) -> bool {
        self.settings.as_ref().is_some_and(|settings| settings.cluster.is_some())
    }

    /// Whether it is stopped until its disk has room, and the others go on.
    pub(super) fn is_aside(&self) -> bool {
        self.is_one_of_several() && self.server.is_none() && self.was_full
    }

    /// Ends when the disk of a server that is one of several is full, or has room again.
    pub(super) async fn turns(&mut self) {
        loop {
            let full = self.was_full;
            if self.is_one_of_several() && self.is_full() != full {
                return;
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Stops a server that is one of several and has a full disk, and starts it again when there is
    /// room. One that cannot write may keep the others from keeping rows; without it they go on.
    /// Answers what is to be said, if anything has changed.
    ///
    /// # Errors
    /// [`HallError::NoServer`], [`HallError::ServerFails`].
    pub(super) fn stand_aside(&mut self) -> Result<Option<&'static str>, HallError> {
        if !self.is_one_of_several() {
            return Ok(None);
        }
        if self.is_full() {
            let stopped = self.server.take().map(drop);
            return Ok(stopped.map(|()| ASIDE));
        }
        if !self.was_full {
            return Ok(None);
        }
        self.mend()?;
        Ok(Some("this machine's server is back, and gets from the others what it has missed"))
    }

    /// Starts it again where its disk was full and has room: a nats-server does not mend itself.
    /// One that keeps no rows for another reason is started again too, but not where that is for
    /// the others to mend.
    ///
    /// # Errors
    /// [`HallError::NoServer`], [`HallError::ServerFails`].
    pub(super) fn mend(&mut self) -> Result<(), HallError> {
        let Some(settings) = &self.settings else { return Ok(()) };
        if settings.cluster.is_some() && !self.was_full {
            return Ok(());
        }
        self.was_full = true;
        if let Some(server) = self.server.take() {
            server.kill();
        }
        self.server = Some(NatsServer::start(settings)?);
        self.was_full = false;
        Ok(())
    }
}

/// The own server's place among those of the hall, if it has others.
///
/// # Errors
/// [`Failure`] when there are not three, or a port is too high.
pub(super) fn cluster(
    listen: SocketAddr,
    others: &[SocketAddr],
) -> Result<Option<ServerCluster>, Failure> {
    let among = |mut address: SocketAddr| {
        let port = address.port().checked_add(CLUSTER_PORT);
        address.set_port(port.ok_or_else(|| {
            Failure::usage(format!("{address} has no port 2000 higher: give a lower one"))
        })?);
        Ok::<_, Failure>(address)
    };
    match others.len() {
        0 => Ok(None),
        2 => Ok(Some(ServerCluster {
            listen: among(listen)?,
            others: others.iter().copied().map(among).collect::<Result<_, _>>()?,
        })),
        _ => Err(Failure::usage("a hall has one server or three: give --with twice")),
    }
}
