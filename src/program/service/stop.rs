//! The signals that end the service.

use std::{
    future::pending,
    io, process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use tokio::{
    runtime::Builder,
    signal::unix::{Signal, SignalKind, signal},
    sync::watch,
};

use super::terminal;

/// How soon somebody must wait for the signal after it came.
const GRACE: Duration = Duration::from_secs(1);

/// SIGTERM and SIGINT, listened for once, as long as the service runs: none is lost, however busy
/// it is. SIGHUP ends nothing, since a terminal that is closed is no reason to stop a game.
#[derive(Clone, Debug)]
pub struct Stop {
    told: watch::Receiver<bool>,
    /// Somebody has waited for it.
    awaited: Arc<AtomicBool>,
}

impl Stop {
    /// Listens from now on. Needs a runtime.
    ///
    /// # Errors
    /// When the system gives no signals.
    pub fn listen() -> io::Result<Stop> {
        let hang_up = signal(SignalKind::hangup())?;
        let ends = ends()?;
        let (tell, told) = watch::channel(false);
        tokio::spawn(async move {
            let _ignored = hang_up;
            ends.await;
            tell.send_replace(true);
            tell.closed().await;
        });
        Ok(Stop { told, awaited: Arc::default() })
    }

    /// The same for a service whose start may take long, on the thread that runs all else: devices
    /// are opened, others are asked. As long as nobody has waited for a signal, one ends the
    /// process itself.
    ///
    /// # Errors
    /// When the system gives no signals, or no thread.
    pub fn listen_while_starting() -> io::Result<Stop> {
        let stop = Stop::listen()?;
        let awaited = Arc::clone(&stop.awaited);
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let ends = {
            let _entered = runtime.enter();
            ends()?
        };
        thread::Builder::new().name("stop".to_owned()).spawn(move || {
            runtime.block_on(async {
                ends.await;
                tokio::time::sleep(GRACE).await;
            });
            if !awaited.load(Ordering::Relaxed) {
                terminal::give_back();
                process::exit(0);
            }
        })?;
        Ok(stop)
    }

    /// Whether the service is to stop.
    pub fn is_told(&self) -> bool {
        *self.told.borrow()
    }

    /// Ends when the service is to stop; at once if that was told before.
    pub async fn told(&mut self) {
        self.awaited.store(true, Ordering::Relaxed);
        if self.told.wait_for(|told| *told).await.is_err() {
            // The runtime ends, and this with it.
            pending::<()>().await;
        }
    }
}

/// Ends with the first signal that ends a service. Needs a runtime.
fn ends() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    let [mut terminate, mut interrupt]: [Signal; 2] =
        [signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?];
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
