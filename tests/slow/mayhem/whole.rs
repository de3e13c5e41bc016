//! The same table with everything below the game simulated too: contacts that bounce, the line of a
//! DGT board, a journal on a disk with troubles, processes that are killed, acts of a page that
//! arrive twice.

use annabella_core::{
    game::{At, Input},
    sensing::{Debounce, Edge},
};
use annabella_emulators::dgt;
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Bitboard, Color, Position, Square};

use super::{
    Mayhem, Played,
    store::{Disk, Faults, Plant, Store},
};

/// A contact must rest for this long.
const DEBOUNCE_MS: u64 = 20;

/// How a whole table went.
#[derive(Debug, Default)]
pub(crate) struct Whole {
    /// As of other tables.
    #[allow(dead_code)]
    pub(crate) played: Played,
    /// How often each fault happened.
    pub(crate) faults: Faults,
    /// Inputs acknowledged.
    pub(crate) inputs: u64,
}

/// The contacts under one board, and their reader.
#[derive(Clone, Debug)]
pub(super) struct Reeds {
    debounce: Debounce,
    /// So many changes more it does not report: it hangs, or its cable is out.
    hangs: u32,
}

/// Plays one game at a whole table. `Err`: what went wrong, with all that was done.
#[allow(dead_code)]
pub(crate) fn play_whole(seed: u64, plant: Option<Plant>) -> Result<Whole, String> {
    Mayhem::whole(seed, plant)?.play_on(seed)
}

impl Mayhem {
    /// A whole table, its clock running.
    pub(super) fn whole(seed: u64, plant: Option<Plant>) -> Result<Mayhem, String> {
        let mut faults = ChaCha8Rng::seed_from_u64(seed ^ 0xfa17);
        let seen = faults.random_bool(0.6);
        let (mut mayhem, started) = Mayhem::set(seed, seen);
        let at = At::new(mayhem.now_ms);
        mayhem.store = Store::Disk(Box::new(Disk::new(at, started, plant)?));
        let occupied = mayhem.position().board().occupied();
        let reeds = Reeds { debounce: Debounce::new(DEBOUNCE_MS, occupied), hangs: 0 };
        mayhem.reeds = Some([reeds.clone(), reeds]);
        if let Some(desk) = mayhem.desk.as_mut().filter(|_| faults.random_bool(0.7)) {
            let noise = *["", "turned", "lost=2", "turned,lost=2,garbage=1"]
                .choose(&mut faults)
                .expect("some");
            desk.over_a_line(seed, dgt::Faults::parse(noise).expect("faults"));
            for (name, fault) in [
                ("bytes lost on a board's line", "lost"),
                ("bytes too many on a board's line", "garbage"),
                ("a board the other way round", "turned"),
            ] {
                mayhem.counts_if(noise.contains(fault), name);
            }
        }
        mayhem.input(Input::ClockStarted)?;
        Ok(mayhem)
    }

    fn play_on(mut self, seed: u64) -> Result<Whole, String> {
        let played = self.plays_all();
        let played = played.and_then(|()| match &mut self.store {
            Store::Disk(disk) => disk.spoils(&mut self.rng),
            Store::Memory { .. } => Ok(()),
        });
        if let Err(why) = played {
            return Err(format!("whole table {seed}: {why}\n  {}", self.trace.join("\n  ")));
        }
        let Store::Disk(disk) = self.store else { return Ok(Whole::default()) };
        let (faults, inputs) = (disk.faults.clone(), disk.inputs() as u64);
        Ok(Whole { played: self.steps, faults, inputs })
    }

    pub(super) fn counts(&mut self, fault: &'static str) {
        if let Store::Disk(disk) = &mut self.store {
            disk.counts(fault);
        }
    }

    fn counts_if(&mut self, so: bool, fault: &'static str) {
        if so {
            self.counts(fault);
        }
    }

    fn is_whole(&self) -> bool {
        self.reeds.is_some()
    }

    /// Something below the game goes wrong, now and then.
    pub(super) fn fault(&mut self) -> Result<(), String> {
        if !self.is_whole() || self.rng.random_bool(0.6) {
            return Ok(());
        }
        let seats = self.peg_boards();
        let seat = *seats.choose(&mut self.rng).expect("a peg board");
        match self.rng.random_range(0..8) {
            0 => self.kill(),
            1 => {
                self.counts("a reader of contacts hangs");
                let changes = self.rng.random_range(1..5);
                self.reeds_of(seat).hangs = changes;
                Ok(())
            }
            2 => {
                // Electricity in the wire of any contact, shorter than a peg needs.
                self.counts("a contact that flickers");
                let square = Square::new(self.rng.random_range(0..64));
                let (at_ms, stood) = (self.now_ms, self.pegs[seat as usize].contains(square));
                let ms = self.rng.random_range(1..DEBOUNCE_MS);
                let reeds = self.reeds_of(seat);
                reeds.debounce.edge(Edge { at_ms, square, occupied: !stood });
                reeds.debounce.edge(Edge { at_ms: at_ms + ms, square, occupied: stood });
                Ok(())
            }
            3 if self.desk.is_some() => {
                self.counts("a board's cable pulled");
                self.plug(false)?;
                let ms = self.rng.random_range(100..8000);
                self.wait(ms)?;
                self.plug(true)
            }
            _ => {
                self.trace.push("    the disk".to_owned());
                match &mut self.store {
                    Store::Disk(disk) => disk.trouble(&mut self.rng),
                    Store::Memory { .. } => Ok(()),
                }
            }
        }
    }

    fn reeds_of(&mut self, seat: Color) -> &mut Reeds {
        &mut self.reeds.as_mut().expect("a whole table")[seat as usize]
    }

    /// A peg changes a contact.
    pub(super) fn contact(
        &mut self,
        seat: Color,
        square: Square,
        occupied: bool,
    ) -> Result<(), String> {
        if !self.is_whole() {
            return self.input(Input::Edge { seat, square, occupied, ago_ms: DEBOUNCE_MS });
        }
        let mut at_ms = self.now_ms;
        let bounces = self.rng.random_range(0..4);
        self.counts_if(bounces > 0, "a contact that bounces");
        for bounce in 0..2 * bounces {
            let occupied = occupied == (bounce % 2 == 0);
            self.reeds_of(seat).debounce.edge(Edge { at_ms, square, occupied });
            at_ms += self.rng.random_range(1..6);
        }
        self.reeds_of(seat).debounce.edge(Edge { at_ms, square, occupied });
        self.wait(at_ms + DEBOUNCE_MS - self.now_ms)?;
        let (now_ms, mut edges) = (self.now_ms, Vec::new());
        let reeds = self.reeds_of(seat);
        reeds.debounce.advance(now_ms, &mut edges);
        if reeds.hangs > 0 {
            reeds.hangs -= 1;
            return if reeds.hangs == 0 { self.reads_again(seat) } else { Ok(()) };
        }
        for edge in edges {
            let (square, occupied, ago_ms) = (edge.square, edge.occupied, now_ms - edge.at_ms);
            self.input(Input::Edge { seat, square, occupied, ago_ms })?;
        }
        Ok(())
    }

    /// A reader that hung says how the board stands.
    fn reads_again(&mut self, seat: Color) -> Result<(), String> {
        let occupied: Bitboard = self.pegs[seat as usize];
        let reeds = self.reeds_of(seat);
        reeds.hangs = 0;
        reeds.debounce = Debounce::new(DEBOUNCE_MS, occupied);
        self.input(Input::Board { seat, occupied: occupied.into() })
    }

    /// What hung or was away is back before the players look after the game.
    pub(super) fn is_repaired(&mut self) -> Result<(), String> {
        if !self.is_whole() {
            return Ok(());
        }
        if let Store::Disk(disk) = &mut self.store {
            disk.heals()?;
        }
        for seat in self.peg_boards() {
            if self.reeds_of(seat).hangs > 0 {
                self.reads_again(seat)?;
            }
        }
        Ok(())
    }

    /// An act of a page, sent once more by a browser that has lost its answer.
    pub(super) fn arrives_twice(&mut self) -> bool {
        let twice = self.is_whole() && self.rng.random_bool(0.1);
        self.counts_if(twice, "an act of a page that arrives twice");
        twice
    }
}
