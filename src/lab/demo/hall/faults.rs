//! What breaks while the boards play: cables, boards, servers and their disks.

use std::{
    sync::atomic::Ordering,
    thread,
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tokio::runtime::Handle;

use super::{Board, cable::Cable, servers::Servers};
use annabella_hall::HallError;

/// Of so many boards something happens to one at a time.
const AT_ONCE: usize = 100;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    pub(super) cables: u32,
    pub(super) servers: u32,
    /// Servers that came back without what they had kept.
    pub(super) disks_lost: u32,
    /// Times at which no server had room.
    pub(super) full: u32,
}

/// Breaks something every moment, until every board has played; then mends everything.
pub(super) fn run(
    boards: &[Board],
    cables: &[Vec<Cable>],
    servers: &mut Servers,
    seed: u64,
) -> Result<Count, HallError> {
    let mut faults = Faults {
        servers,
        cables,
        rng: ChaCha8Rng::seed_from_u64(seed ^ 0xca_b1e),
        count: Count::default(),
        pulled: Vec::new(),
        killed: None,
        full: None,
        next_kill: Instant::now() + Duration::from_secs(3),
        next_full: Instant::now() + Duration::from_secs(2),
    };
    while !boards.iter().all(|board| board.done.load(Ordering::Relaxed)) {
        let pause = faults.rng.random_range(20..200);
        thread::sleep(Duration::from_millis(pause));
        for _ in 0..boards.len().div_ceil(AT_ONCE) {
            faults.some_board(boards);
        }
        faults.some_server()?;
        faults.room();
    }
    faults.mend()
}

struct Faults<'a> {
    servers: &'a mut Servers,
    cables: &'a [Vec<Cable>],
    rng: ChaCha8Rng,
    count: Count,
    /// Until when whose cables are pulled.
    pulled: Vec<(Instant, usize)>,
    /// Until when which server is away.
    killed: Option<(Instant, usize)>,
    /// Until when there is no room.
    full: Option<Instant>,
    next_kill: Instant,
    next_full: Instant,
}

impl Faults<'_> {
    fn in_ms(&mut self, ms: std::ops::Range<u64>) -> Instant {
        Instant::now() + Duration::from_millis(self.rng.random_range(ms))
    }

    fn some_board(&mut self, boards: &[Board]) {
        let (cables, now) = (self.cables, Instant::now());
        self.pulled.retain(|(until, n)| {
            let stays = *until > now;
            if !stays {
                cables[*n].iter().for_each(Cable::plug);
            }
            stays
        });
        let n = self.rng.random_range(0..boards.len() as u64) as usize;
        match self.rng.random_range(0..10u32) {
            0..=3 => {
                cables[n].iter().for_each(Cable::cut);
                self.count.cables += 1;
            }
            4..=6 => {
                cables[n].iter().for_each(Cable::pull);
                let until = self.in_ms(100..4_000);
                self.pulled.push((until, n));
                self.count.cables += 1;
            }
            7 => boards[n].killed.store(true, Ordering::Relaxed),
            _ => {}
        }
    }

    /// Kills a server, or starts the one that was killed.
    fn some_server(&mut self) -> Result<(), HallError> {
        let now = Instant::now();
        if let Some((until, n)) = self.killed {
            if now >= until {
                self.servers.start_again(n)?;
                self.killed = None;
                self.next_kill = self.in_ms(4_000..9_000);
            }
            return Ok(());
        }
        let all = self.cables.first().map_or(1, Vec::len);
        // Of three one may be lost, if the others have everything.
        if now < self.next_kill || all > 1 && !block_on(self.servers.are_whole()) {
            return Ok(());
        }
        let n = self.rng.random_range(0..all as u64) as usize;
        self.servers.kill(n);
        self.count.servers += 1;
        if all > 1 && self.rng.random_bool(0.3) && self.servers.lose_disk(n).is_ok() {
            self.count.disks_lost += 1;
        }
        self.killed = Some((self.in_ms(100..2_500), n));
        Ok(())
    }

    /// Takes the servers' room, or gives it back.
    fn room(&mut self) {
        let now = Instant::now();
        match self.full {
            // A server that is away is asked again.
            Some(until) if now >= until && block_on(self.servers.empty()).is_ok() => {
                self.full = None;
                self.next_full = self.in_ms(5_000..12_000);
            }
            None if now >= self.next_full
                && self.killed.is_none()
                && self.servers.can_be_full() =>
            {
                // What it has taken is given back in any case.
                self.count.full += u32::from(block_on(self.servers.fill()).is_ok());
                self.full = Some(self.in_ms(500..4_000));
            }
            _ => {}
        }
    }

    fn mend(mut self) -> Result<Count, HallError> {
        self.cables.iter().flatten().for_each(Cable::plug);
        if let Some((_, n)) = self.killed.take() {
            self.servers.start_again(n)?;
        }
        let until = Instant::now() + super::CATCHES_UP;
        while self.full.is_some() {
            match block_on(self.servers.empty()) {
                Ok(()) => self.full = None,
                Err(err) if Instant::now() > until => return Err(err),
                Err(_) => thread::sleep(Duration::from_millis(100)),
            }
        }
        Ok(self.count)
    }
}

/// The demonstration's runtime is there.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    Handle::current().block_on(future)
}
