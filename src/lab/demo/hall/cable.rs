//! A network cable that can be cut, or pulled for a while.

use std::{io, net::SocketAddr, sync::Arc};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream, tcp},
    sync::watch,
};

/// How a cable is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct State {
    /// Nothing comes through, and nobody is told.
    pulled: bool,
    /// Counts how often every connection was broken.
    cuts: u64,
}

/// A cable from an address of its own to a server.
#[derive(Debug)]
pub(super) struct Cable {
    address: SocketAddr,
    state: Arc<watch::Sender<State>>,
}

impl Cable {
    /// Lays one. Needs a runtime.
    pub(super) fn to(server: SocketAddr) -> io::Result<Cable> {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let listener = TcpListener::from_std(listener)?;
        let state = Arc::new(watch::Sender::new(State::default()));
        let states = Arc::clone(&state);
        tokio::spawn(async move {
            // It ends with the runtime.
            while let Ok((board, _)) = listener.accept().await {
                tokio::spawn(connection(board, server, states.subscribe()));
            }
        });
        Ok(Cable { address, state })
    }

    pub(super) fn url(&self) -> String {
        format!("nats://{}", self.address)
    }

    /// Breaks every connection at once.
    pub(super) fn cut(&self) {
        self.state.send_modify(|state| state.cuts += 1);
    }

    pub(super) fn pull(&self) {
        self.state.send_modify(|state| state.pulled = true);
    }

    /// Lets everything through again.
    pub(super) fn plug(&self) {
        self.state.send_modify(|state| state.pulled = false);
    }
}

async fn connection(board: TcpStream, server: SocketAddr, state: watch::Receiver<State>) {
    let Ok(server) = TcpStream::connect(server).await else { return };
    let (from_board, to_board) = board.into_split();
    let (from_server, to_server) = server.into_split();
    let cuts = state.borrow().cuts;
    let mut cut = state.clone();
    tokio::select! {
        _ = cut.wait_for(|state| state.cuts != cuts) => {}
        _ = one_way(from_board, to_server, state.clone()) => {}
        _ = one_way(from_server, to_board, state) => {}
    }
}

async fn one_way(
    mut from: tcp::OwnedReadHalf,
    mut to: tcp::OwnedWriteHalf,
    mut state: watch::Receiver<State>,
) -> io::Result<()> {
    let mut bytes = vec![0; 16 * 1_024];
    loop {
        let length = from.read(&mut bytes).await?;
        if length == 0 {
            return Ok(());
        }
        // What was on its way waits in the cable.
        if state.wait_for(|state| !state.pulled).await.is_err() {
            return Ok(());
        }
        to.write_all(&bytes[..length]).await?;
    }
}
