//! The signals that end the service.

use std::{future::pending, io};

use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::watch,
};

/// SIGTERM and SIGINT, listened for once, as long as the service runs: none is lost, however busy
/// it is. SIGHUP ends nothing, since a terminal that is closed is no reason to stop a game.
#[derive(Clone, Debug)]
pub struct Stop {
    told: watch::Receiver<bool>,
}

impl Stop {
    /// Listens from now on. Needs a runtime.
    ///
    /// # Errors
    /// When the system gives no signals.
    pub fn listen() -> io::Result<Stop> {
        let [mut terminate, mut interrupt, hang_up]: [Signal; 3] = [
            signal(SignalKind::terminate())?,
            signal(SignalKind::interrupt())?,
            signal(SignalKind::hangup())?,
        ];
        let (tell, told) = watch::channel(false);
        tokio::spawn(async move {
            let _ignored = hang_up;
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            tell.send_replace(true);
            tell.closed().await;
        });
        Ok(Stop { told })
    }

    /// Ends when the service is to stop; at once if that was told before.
    pub async fn told(&mut self) {
        if self.told.wait_for(|told| *told).await.is_err() {
            // The runtime ends, and this with it.
            pending::<()>().await;
        }
    }
}
