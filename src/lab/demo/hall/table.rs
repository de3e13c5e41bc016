//! What plays at a simulated board, as its own pages and the people at it reach it.

use std::{
    net::{Ipv4Addr, TcpListener},
    sync::{Arc, Mutex},
};

use tokio::{runtime::Handle, sync::mpsc};

use annabella::service::Service;
use annabella_console::{
    ActAnswer, ActRequest, Ask, ConsoleSettings, Desk, HallEntry, Log, TableFacts,
};
use annabella_core::game::{At, Input, Output, Record};
use annabella_hall::settings::BoardDoor;
use annabella_threads::lock;

/// Digits of what the wire shows at the pages' door.
const SECRET: usize = 40;
/// Acts from the pages that wait.
const ASKS: usize = 16;

/// A table with a game at it, or none.
#[derive(Default)]
pub(super) struct Table(Mutex<AtTable>);

#[derive(Default)]
struct AtTable {
    service: Option<Service>,
    /// How far its time has come.
    at: At,
    desk: Option<Desk>,
    /// People wait for an arbiter. Between calls their pages show the last calm moment: whoever
    /// comes sees hands at work, and decides nothing about a piece that is on its way.
    calling: bool,
}

impl Table {
    pub(super) fn begin(&self, service: Service, at: At) {
        let mut now = lock(&self.0);
        let log = Log::replay(service.inputs().unwrap_or_default());
        if let Some(desk) = &mut now.desk {
            desk.restart(log);
        }
        now.service = Some(service);
        drop(now);
        self.show(at, false);
    }

    /// The game is over, or its power is gone.
    pub(super) fn end(&self) {
        let mut now = lock(&self.0);
        (now.service, now.calling) = (None, false);
    }

    pub(super) fn input(&self, at: At, input: Input) -> Result<Vec<Output>, String> {
        lock(&self.0).input(at, input)
    }

    pub(super) fn wake_at(&self) -> Option<At> {
        lock(&self.0).service.as_ref().and_then(Service::wake_at)
    }

    /// Time has come to this moment, and whoever opens the board's page sees how it stands.
    /// `calling`: people wait for an arbiter.
    pub(super) fn show(&self, at: At, calling: bool) {
        let mut now = lock(&self.0);
        (now.at, now.calling) = (at, true);
        now.show();
        now.calling = calling;
    }

    /// Looks at the game's record. `None`: there is no game.
    pub(super) fn look<T>(&self, look: impl FnOnce(&Record<'_>) -> T) -> Option<T> {
        lock(&self.0).service.as_ref().and_then(|service| service.game().record()).map(|r| look(&r))
    }

    /// Opens the board's pages for those whom the hall lets in.
    pub(super) fn open(table: &Arc<Table>, runtime: &Handle) -> Result<BoardDoor, String> {
        let secret = annabella_console::random_digits(SECRET).map_err(|err| err.to_string())?;
        let here = (Ipv4Addr::LOCALHOST, 0);
        let listener = TcpListener::bind(here).map_err(|err| err.to_string())?;
        let address = listener.local_addr().map_err(|err| err.to_string())?;
        let entry = HallEntry { listener: Arc::new(listener), secret: secret.clone() };
        let settings = ConsoleSettings { hall: Some(entry), ..ConsoleSettings::at(here.into()) };
        let door = runtime.block_on(annabella_console::open(settings));
        let door = door.map_err(|err| err.to_string())?;
        let (desk, views) = Desk::new(Log::new(), TableFacts::default());
        lock(&table.0).desk = Some(desk);
        let (asks, mut asked) = mpsc::channel(ASKS);
        runtime.spawn(door.serve(views, asks));
        let table = Arc::clone(table);
        runtime.spawn(async move {
            while let Some(Ask { act, reply }) = asked.recv().await {
                let table = Arc::clone(&table);
                // It is on the disk before it is answered.
                let answer = tokio::task::spawn_blocking(move || lock(&table.0).asked(&act)).await;
                if let Ok(Some(answer)) = answer {
                    // The person may have left.
                    let _ = reply.send(answer);
                }
            }
        });
        Ok(BoardDoor { address, secret })
    }
}

impl AtTable {
    fn input(&mut self, at: At, input: Input) -> Result<Vec<Output>, String> {
        let service = self.service.as_mut().ok_or("there is no game")?;
        self.at = at;
        let outputs = service.input(at, input.clone()).map_err(|err| err.to_string())?;
        if let Some(desk) = &mut self.desk {
            desk.happened(at, &input, &outputs);
        }
        Ok(outputs)
    }

    fn show(&mut self) {
        if let (true, Some(desk), Some(service)) = (self.calling, &mut self.desk, &self.service) {
            desk.show(service.game(), self.at);
        }
    }

    /// Does what somebody asks for on a page. `None`: nobody can, now.
    fn asked(&mut self, act: &ActRequest) -> Option<ActAnswer> {
        let mut answer = ActAnswer::Accepted;
        for input in act.inputs() {
            answer = Desk::answer(&self.input(self.at, input).ok()?);
            if answer != ActAnswer::Accepted {
                break;
            }
        }
        self.show();
        Some(answer)
    }
}
