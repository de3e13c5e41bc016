//! A connection that does not wait for ever to be read.

use std::{
    future::Future as _,
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep},
};

/// A stream that gives up when the other side reads nothing for this long.
pub(super) struct Patient<S> {
    stream: S,
    patience: Duration,
    stuck: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    pub(super) fn new(stream: S, patience: Duration) -> Patient<S> {
        Patient { stream, patience, stuck: None }
    }

    /// Lets the time run while `written` is pending.
    fn watch<T>(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stuck = None;
            return written;
        }
        let patience = self.patience;
        let sleep = self
            .stuck
            .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + patience)));
        match sleep.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watch(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.watch(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        self.watch(cx, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.watch(cx, shut)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt as _;

    use super::*;

    #[tokio::test]
    async fn who_does_not_read_is_given_up() {
        let (here, _there) = tokio::io::duplex(64);
        let patience = Duration::from_millis(100);
        let mut here = Patient::new(here, patience);
        let began = Instant::now();
        let error = here.write_all(&[0; 1_000]).await.expect_err("given up");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(began.elapsed() >= patience);
    }

    #[tokio::test]
    async fn who_reads_slowly_is_waited_for() {
        use tokio::io::AsyncReadExt as _;
        let (here, mut there) = tokio::io::duplex(64);
        let mut here = Patient::new(here, Duration::from_millis(500));
        let reader = tokio::spawn(async move {
            let mut taken = 0;
            while taken < 640 {
                tokio::time::sleep(Duration::from_millis(60)).await;
                taken += there.read(&mut [0; 64]).await.expect("bytes");
            }
        });
        here.write_all(&[0; 640]).await.expect("all written");
        reader.await.expect("read");
    }
}
