//! A stream that is kept open: what comes on it, until nobody listens any more.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{Notify, mpsc},
    task::JoinHandle,
    time::sleep,
};

use super::site::Site;
use crate::{
    far::there::{FarError, Heard},
    lines::Stream,
};

/// So much waits to be heard; then the stream waits too.
const QUEUE: usize = 64;

/// Somebody who listens to a stream, as a task of his own.
#[derive(Debug)]
pub struct Listener<T> {
    from: mpsc::Receiver<Heard<T>>,
    renew: Arc<Notify>,
    task: JoinHandle<()>,
}

impl<T> Drop for Listener<T> {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl<T: Send + 'static> Listener<T> {
    /// Listens at this path. A line that cannot be read is passed over: another version of the
    /// server may say more.
    pub fn at(site: Site, path: String, read: fn(&str) -> Result<T, String>) -> Listener<T> {
        let (to, from) = mpsc::channel(QUEUE);
        let renew = Arc::new(Notify::new());
        let listens = Ears { site, path, read, to, renew: Arc::clone(&renew) };
        Listener { from, renew, task: tokio::spawn(listens.run()) }
    }

    /// What comes next. May be dropped: nothing is lost.
    pub async fn next(&mut self) -> Heard<T> {
        match self.from.recv().await {
            Some(heard) => heard,
            // After `Closed` nothing comes.
            None => std::future::pending().await,
        }
    }

    /// The stream is opened anew, so that it tells everything from the beginning.
    pub fn renew(&self) {
        self.renew.notify_one();
    }
}

struct Ears<T> {
    site: Site,
    path: String,
    read: fn(&str) -> Result<T, String>,
    to: mpsc::Sender<Heard<T>>,
    renew: Arc<Notify>,
}

impl<T> Ears<T> {
    async fn run(self) {
        let waits = self.site.waits;
        let mut pause = waits.pause;
        loop {
            let lost = match self.site.stream(&self.path, None).await {
                Ok(mut stream) => match self.hears(&mut stream).await {
                    Some((lost, heard)) => {
                        if heard {
                            pause = waits.pause;
                        }
                        lost
                    }
                    None => return,
                },
                Err(err) => err,
            };
            if !lost.may_pass() {
                let _ = self.to.send(Heard::Closed(lost)).await;
                return;
            }
            let wait = if matches!(lost, FarError::Busy { .. }) { waits.busy } else { pause };
            if self.to.send(Heard::Lost(lost)).await.is_err() {
                return;
            }
            sleep(wait).await;
            pause = pause.saturating_mul(2).min(waits.longest_pause).max(Duration::from_millis(1));
        }
    }

    /// Hears a stream to its end: why it ended, and whether anything came. `None`: nobody listens.
    async fn hears(&self, stream: &mut Stream) -> Option<(FarError, bool)> {
        let mut heard = false;
        let reason = loop {
            let line = tokio::select! {
                line = stream.next() => line,
                () = self.renew.notified() => break "it is asked anew".to_owned(),
            };
            match line {
                Ok(Some(line)) if line.is_empty() => {}
                Ok(Some(line)) => {
                    if let Ok(read) = (self.read)(&line) {
                        heard = true;
                        self.to.send(Heard::Line(read)).await.ok()?;
                    }
                }
                Ok(None) => break "it has ended the stream".to_owned(),
                Err(reason) => break reason,
            }
        };
        Some((FarError::Away { site: self.site.name().to_owned(), reason }, heard))
    }
}
