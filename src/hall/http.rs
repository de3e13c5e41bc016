//! A question over HTTP to a program of this machine.

use std::net::SocketAddr;

use http_body_util::Full;
use hyper::{
    body::Bytes,
    client::conn::http1::{SendRequest, handshake},
};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpStream, task::JoinHandle};

/// A connection with its own task, which ends when this is dropped.
pub(crate) struct HttpLine {
    pub(crate) sender: SendRequest<Full<Bytes>>,
    driving: JoinHandle<Result<(), hyper::Error>>,
}

impl HttpLine {
    pub(crate) async fn open(address: SocketAddr) -> Option<HttpLine> {
        let stream = TcpStream::connect(address).await.ok()?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await.ok()?;
        Some(HttpLine { sender, driving: tokio::spawn(connection) })
    }
}

impl Drop for HttpLine {
    fn drop(&mut self) {
        self.driving.abort();
    }
}
