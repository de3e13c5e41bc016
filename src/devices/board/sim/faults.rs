//! The faults of a simulated chain of strips.

use shakmaty::{Bitboard, Square};

use super::{super::wiring::Wiring, Bench};

/// Faults on request; none by default. Strips are counted from 1, the one at the Pi.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StripFaults {
    /// Where each strip lies in the chain, and whether it is turned round.
    places: [(usize, bool); 8],
    silent: Vec<usize>,
    open: Bitboard,
    stuck: Bitboard,
    bridges: Vec<(Square, Square)>,
    cut: Option<u8>,
}

/// An entry of a list of faults that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown fault '{0}': known are swapped=2-3, turned=4, silent=4, open=c5, stuck=c5, bridge=d6-e6, \
     cut=7"
)]
pub struct StripFaultsError(String);

impl Default for StripFaults {
    fn default() -> StripFaults {
        StripFaults {
            places: [0, 1, 2, 3, 4, 5, 6, 7].map(|place| (place, false)),
            silent: Vec::new(),
            open: Bitboard::EMPTY,
            stuck: Bitboard::EMPTY,
            bridges: Vec::new(),
            cut: None,
        }
    }
}

impl StripFaults {
    /// Reads a list: `swapped=2-3,turned=4,open=c5,stuck=a1,bridge=d6-e6,cut=7`.
    ///
    /// # Errors
    /// The first entry that is not understood, with what would do.
    pub fn parse(text: &str) -> Result<StripFaults, StripFaultsError> {
        let mut faults = StripFaults::default();
        for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            faults.add(entry).ok_or_else(|| StripFaultsError(entry.to_owned()))?;
        }
        Ok(faults)
    }

    fn add(&mut self, entry: &str) -> Option<()> {
        let (name, value) = entry.split_once('=')?;
        let square = |name: &str| name.trim().parse::<Square>().ok();
        match name.trim() {
            "swapped" => {
                let (a, b) = value.split_once('-')?;
                let (a, b) = (strip(a)?, strip(b)?);
                let places = self.places.map(|(place, _)| place);
                (self.places[a].0, self.places[b].0) = (places[b], places[a]);
            }
            "turned" => self.places[strip(value)?].1 = true,
            "silent" => self.silent.push(strip(value)?),
            "open" => self.open.add(square(value)?),
            "stuck" => self.stuck.add(square(value)?),
            "bridge" => {
                let (a, b) = value.split_once('-')?;
                self.bridges.push((square(a)?, square(b)?));
            }
            "cut" => self.cut = u8::try_from(strip(value)?).ok(),
            _ => return None,
        }
        Some(())
    }

    /// An empty board with these faults.
    pub fn bench(&self, wiring: &Wiring) -> Bench {
        let bench = Bench::new(wiring.with_strips(&self.places));
        let silent = self.silent.iter().flat_map(|strip| strip * 8..strip * 8 + 8);
        let dead = silent.filter_map(|input| wiring.square(input)).chain(self.open);
        bench.kill(dead.collect());
        bench.stick(self.stuck);
        for &(a, b) in &self.bridges {
            bench.couple(a, b);
            bench.couple(b, a);
        }
        bench.cut(self.cut);
        bench
    }
}

/// The index of a strip.
fn strip(text: &str) -> Option<usize> {
    text.trim().parse().ok().filter(|strip| (1..=8).contains(strip)).map(|strip: usize| strip - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_faults_is_read_or_refused_with_what_would_do() {
        assert_eq!(StripFaults::parse(""), Ok(StripFaults::default()));
        let mut wanted = StripFaults { cut: Some(6), ..StripFaults::default() };
        (wanted.places[1].0, wanted.places[2].0) = (2, 1);
        wanted.places[3].1 = true;
        wanted.open.add(Square::C5);
        wanted.bridges.push((Square::D6, Square::E6));
        let text = "swapped=2-3, turned=4,open=c5,bridge=d6-e6,cut=7";
        assert_eq!(StripFaults::parse(text), Ok(wanted));
        for wrong in ["lost=5", "cut=9", "turned", "open=c9", "swapped=2"] {
            let error = StripFaults::parse(wrong).expect_err("no fault").to_string();
            assert_eq!(
                error,
                format!(
                    "unknown fault '{wrong}': known are swapped=2-3, turned=4, silent=4, open=c5, \
                     stuck=c5, bridge=d6-e6, cut=7"
                )
            );
        }
    }
}
