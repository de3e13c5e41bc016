//! The two kinds of OpenFst automata that libvosk loads for grammars made at run time: `const`
//! (`Gr.fst`) and `olabel_lookahead` (`HCLr.fst`), both over the arc type `standard`.
//!
//! Source: OpenFst 1.7, `fst.h` (header), `const-fst.h`, `add-on.h`, `label-reachable.h`,
//! `interval-set.h`. All numbers are little-endian.
//!
//! # Relabelling
//!
//! A look-ahead automaton knows for every state which labels can come next, as intervals of label
//! numbers. OpenFst renumbers the labels so that few intervals are enough. In the automata that
//! [`super::Lexicon`] writes every state reaches every word, one interval holds them all, and the
//! words keep their numbers.

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    /// The label read; 0: none.
    pub input: i32,
    /// The label written; 0: none.
    pub output: i32,
    /// Cost: the negative natural logarithm of a probability.
    pub cost: f32,
    /// Index of the state it leads to.
    pub next: i32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Cost of ending here; infinite where one cannot.
    pub end: f32,
    /// The arcs that leave it, in order.
    pub arcs: Vec<Arc>,
}

/// An automaton, OpenFst's `const`.
#[derive(Clone, Debug, PartialEq)]
pub struct Fst {
    /// OpenFst's property bits, which its readers believe without looking.
    pub properties: u64,
    /// Index of the first state.
    pub start: i64,
    pub states: Vec<State>,
}

/// The words that can come next from one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordReach {
    /// Half-open intervals of label numbers, rising.
    pub intervals: Vec<(i32, i32)>,
    /// How many numbers they hold; -1 if nobody has counted.
    pub count: i32,
}

/// An automaton with what each state can reach, OpenFst's `olabel_lookahead`.
#[derive(Clone, Debug, PartialEq)]
pub struct LookAhead {
    pub fst: Fst,
    /// The number that stands for "may end", one of those in `reach`.
    pub end_label: i32,
    /// For each state of `fst`.
    pub reach: Vec<WordReach>,
}

/// Why bytes are no automaton that can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FstError {
    #[error("the file is cut off at byte {at}: copy the model again")]
    CutOff {
        /// The place where the missing bytes should begin.
        at: usize,
    },
    /// The file is something else, or a kind of automaton that libvosk reads and this program does
    /// not.
    #[error("byte {at}: {what}: words can be added to the built-in model only")]
    Strange {
        at: usize,
        /// The content found, and the content expected.
        what: String,
    },
}

const MAGIC: i32 = 2_125_659_606;
const ADD_ON_MAGIC: i32 = 446_681_434;
const ARC_BYTES: usize = 16;
const STATE_BYTES: usize = 20;

impl Fst {
    /// Reads a `const` automaton.
    ///
    /// # Errors
    /// [`FstError`] when the bytes are anything else.
    pub fn read(bytes: &[u8]) -> Result<Fst, FstError> {
        let mut from = Bytes { bytes, at: 0 };
        let fst = read_const(&mut from)?;
        from.finish()?;
        Ok(fst)
    }

    /// The bytes of the file.
    pub fn write(&self) -> Vec<u8> {
        let mut to = Vec::new();
        self.write_to(&mut to);
        to
    }

    fn arcs(&self) -> impl Iterator<Item = &Arc> {
        self.states.iter().flat_map(|state| &state.arcs)
    }

    fn write_to(&self, to: &mut Vec<u8>) {
        let arcs = self.arcs().count();
        header(to, "const", 2, self.properties, self.start, [self.states.len(), arcs]);
        let mut first: u32 = 0;
        for state in &self.states {
            let silent = |label: fn(&Arc) -> i32| {
                narrow(state.arcs.iter().filter(|arc| label(arc) == 0).count())
            };
            let count = narrow(state.arcs.len());
            to.extend(state.end.to_le_bytes());
            for number in [first, count, silent(|arc| arc.input), silent(|arc| arc.output)] {
                to.extend(number.to_le_bytes());
            }
            first = first.saturating_add(count);
        }
        for arc in self.arcs() {
            to.extend(arc.input.to_le_bytes());
            to.extend(arc.output.to_le_bytes());
            to.extend(arc.cost.to_le_bytes());
            to.extend(arc.next.to_le_bytes());
        }
    }
}

impl LookAhead {
    /// Reads an `olabel_lookahead` automaton.
    ///
    /// # Errors
    /// [`FstError`] when the bytes are anything else.
    pub fn read(bytes: &[u8]) -> Result<LookAhead, FstError> {
        let mut from = Bytes { bytes, at: 0 };
        from.header("olabel_lookahead", 1)?;
        from.expect(ADD_ON_MAGIC, "the mark of an add-on")?;
        let fst = read_const(&mut from)?;
        // The file has an add-on. Its first half, a look-ahead by input, is absent. Its second half
        // is present, looks ahead by output and does not keep the old label numbers.
        for (wanted, what) in [
            (1, "no look-ahead"),
            (0, "a look-ahead by input"),
            (1, "no look-ahead by output"),
            (0, "a look-ahead by input"),
            (0, "old label numbers kept"),
        ] {
            let at = from.at;
            if from.array::<1>()? != [wanted] {
                return Err(FstError::Strange { at, what: what.to_owned() });
            }
        }
        let end_label = from.i32()?;
        let count = from.length(12)?;
        if count != fst.states.len() {
            return Err(from.strange(format!("reach of {count} states, not all")));
        }
        let mut reach = Vec::with_capacity(count);
        for _ in 0..count {
            let intervals = from.length(8)?;
            let intervals = (0..intervals)
                .map(|_| Ok((from.i32()?, from.i32()?)))
                .collect::<Result<_, FstError>>()?;
            reach.push(WordReach { intervals, count: from.i32()? });
        }
        from.finish()?;
        Ok(LookAhead { fst, end_label, reach })
    }

    /// The bytes of the file.
    pub fn write(&self) -> Vec<u8> {
        let mut to = Vec::new();
        header(&mut to, "olabel_lookahead", 1, self.fst.properties, -1, [0, 0]);
        to.extend(ADD_ON_MAGIC.to_le_bytes());
        self.fst.write_to(&mut to);
        to.extend([1, 0, 1, 0, 0]);
        to.extend(self.end_label.to_le_bytes());
        to.extend((self.reach.len() as u64).to_le_bytes());
        for reach in &self.reach {
            to.extend((reach.intervals.len() as u64).to_le_bytes());
            for (from, until) in &reach.intervals {
                to.extend(from.to_le_bytes());
                to.extend(until.to_le_bytes());
            }
            to.extend(reach.count.to_le_bytes());
        }
        to
    }
}

/// A count as the format holds it; more than four thousand million arcs fit in no memory.
fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn header(
    to: &mut Vec<u8>,
    kind: &str,
    version: i32,
    properties: u64,
    start: i64,
    counts: [usize; 2],
) {
    to.extend(MAGIC.to_le_bytes());
    for name in [kind, "standard"] {
        to.extend(narrow(name.len()).to_le_bytes());
        to.extend(name.as_bytes());
    }
    to.extend(version.to_le_bytes());
    // No symbol tables inside, nothing aligned.
    to.extend(0_i32.to_le_bytes());
    to.extend(properties.to_le_bytes());
    to.extend(start.to_le_bytes());
    for count in counts {
        to.extend((count as u64).to_le_bytes());
    }
}

fn read_const(from: &mut Bytes<'_>) -> Result<Fst, FstError> {
    let Header { properties, start, states: state_count, arcs: arc_count } =
        from.header("const", 2)?;
    let (state_count, arc_count) =
        (from.plausible(state_count, STATE_BYTES)?, from.plausible(arc_count, ARC_BYTES)?);
    let mut states = Vec::with_capacity(state_count);
    let mut sizes = Vec::with_capacity(state_count);
    let mut first = 0;
    for _ in 0..state_count {
        let end = f32::from_le_bytes(from.array()?);
        let [pos, count] = [from.u32()?, from.u32()?];
        // How many arcs read or write nothing is counted again when it is written.
        let _silent = [from.u32()?, from.u32()?];
        if pos as usize != first {
            return Err(from.strange("arcs that do not follow one another".to_owned()));
        }
        first += count as usize;
        states.push(State { end, arcs: Vec::new() });
        sizes.push(count as usize);
    }
    if first != arc_count {
        return Err(from.strange(format!("{first} arcs at its states, {arc_count} in all")));
    }
    for (state, size) in states.iter_mut().zip(sizes) {
        for _ in 0..size {
            let [input, output] = [from.i32()?, from.i32()?];
            let cost = f32::from_le_bytes(from.array()?);
            let next = from.i32()?;
            if usize::try_from(next).is_ok_and(|next| next < state_count) {
                state.arcs.push(Arc { input, output, cost, next });
            } else {
                return Err(from.strange(format!("an arc to state {next} of {state_count}")));
            }
        }
    }
    if usize::try_from(start).is_ok_and(|start| start < state_count) {
        Ok(Fst { properties, start, states })
    } else {
        Err(from.strange(format!("state {start} of {state_count} is the first")))
    }
}

struct Header {
    properties: u64,
    start: i64,
    states: u64,
    arcs: u64,
}

/// Bytes with a place in them.
struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bytes<'_> {
    fn take(&mut self, count: usize) -> Result<&[u8], FstError> {
        let cut = FstError::CutOff { at: self.bytes.len() };
        let end = self.at.checked_add(count).ok_or(cut.clone())?;
        let taken = self.bytes.get(self.at..end).ok_or(cut)?;
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], FstError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn i32(&mut self) -> Result<i32, FstError> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    fn u32(&mut self) -> Result<u32, FstError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Result<u64, FstError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A count of things that take at least `each` bytes in what is left.
    fn plausible(&self, count: u64, each: usize) -> Result<usize, FstError> {
        let left = self.bytes.len() - self.at;
        usize::try_from(count)
            .ok()
            .filter(|count| count.checked_mul(each).is_some_and(|bytes| bytes <= left))
            .ok_or(FstError::CutOff { at: self.bytes.len() })
    }

    fn length(&mut self, each: usize) -> Result<usize, FstError> {
        let count = self.u64()?;
        self.plausible(count, each)
    }

    fn strange(&self, what: String) -> FstError {
        FstError::Strange { at: self.at, what }
    }

    fn expect(&mut self, wanted: i32, what: &str) -> Result<(), FstError> {
        let at = self.at;
        let found = self.i32()?;
        if found == wanted {
            Ok(())
        } else {
            Err(FstError::Strange { at, what: format!("{found} is not {what}") })
        }
    }

    fn expect_text(&mut self, wanted: &str) -> Result<(), FstError> {
        let at = self.at;
        let length = self.u32()?;
        let length = self.plausible(length.into(), 1)?;
        let found = String::from_utf8_lossy(self.take(length)?).into_owned();
        if found == wanted {
            Ok(())
        } else {
            Err(FstError::Strange { at, what: format!("'{found}' instead of '{wanted}'") })
        }
    }

    fn header(&mut self, kind: &str, version: i32) -> Result<Header, FstError> {
        self.expect(MAGIC, "the mark of an automaton")?;
        self.expect_text(kind)?;
        self.expect_text("standard")?;
        self.expect(version, &format!("version {version}"))?;
        self.expect(0, "the flags of an automaton without symbols")?;
        let properties = self.u64()?;
        let start = i64::from_le_bytes(self.array()?);
        Ok(Header { properties, start, states: self.u64()?, arcs: self.u64()? })
    }

    fn finish(&self) -> Result<(), FstError> {
        if self.at == self.bytes.len() {
            Ok(())
        } else {
            Err(self.strange(format!("{} bytes too many", self.bytes.len() - self.at)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loop_of_two() -> Fst {
        let arc = |label, cost| Arc { input: label, output: label, cost, next: 0 };
        let state = State { end: 0.0, arcs: vec![arc(1, 0.5), arc(2, 1.5)] };
        Fst { properties: 1, start: 0, states: vec![state] }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let fst = loop_of_two();
        assert_eq!(Fst::read(&fst.write()), Ok(fst.clone()));
        let reach = vec![WordReach { intervals: vec![(1, 4)], count: 3 }];
        let ahead = LookAhead { fst, end_label: 3, reach };
        assert_eq!(LookAhead::read(&ahead.write()), Ok(ahead));
    }

    #[test]
    fn no_prefix_and_no_flipped_byte_is_trusted_or_panics() {
        let reach = vec![WordReach { intervals: vec![(1, 4)], count: 3 }];
        let bytes = LookAhead { fst: loop_of_two(), end_label: 3, reach }.write();
        for length in 0..bytes.len() {
            assert_eq!(LookAhead::read(&bytes[..length]), Err(FstError::CutOff { at: length }));
        }
        for at in 0..bytes.len() {
            let mut wrong = bytes.clone();
            wrong[at] ^= 0x80;
            // Costs and properties may be anything; whatever is read keeps its shape.
            if let Ok(read) = LookAhead::read(&wrong) {
                assert_eq!(read.fst.states.len(), read.reach.len(), "byte {at}");
            }
        }
        assert_eq!(
            Fst::read(&bytes).map_err(|err| err.to_string()),
            Err("byte 4: 'olabel_lookahead' instead of 'const': \
                 words can be added to the built-in model only"
                .to_owned())
        );
    }
}
