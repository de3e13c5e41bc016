//! A keyboard's bytes: records of `struct input_event`, and the names of keys.
//!
//! Source: Linux, `include/uapi/linux/input.h` and `input-event-codes.h`.

/// `EV_SYN`, `EV_KEY`.
const SYNCHRONISATION: u16 = 0;
const KEY: u16 = 1;
/// `SYN_DROPPED`: the kernel's buffer ran over, events are lost.
const DROPPED: u16 = 3;

/// A key went down or up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyEvent {
    /// The kernel's code of the key; [`key_code`] knows names.
    pub code: u16,
    /// Down or up.
    pub pressed: bool,
}

/// Reads records as they come, in pieces of any length.
///
/// Each has a time stamp of two machine words, then type (16 bits), code (16 bits) and value (32
/// bits, signed), in the machine's byte order: 24 bytes on 64-bit machines, 16 on others.
#[derive(Clone, Debug)]
pub struct KeyDecoder {
    record: usize,
    rest: Vec<u8>,
    down: Vec<u16>,
}

impl Default for KeyDecoder {
    fn default() -> KeyDecoder {
        KeyDecoder::new(size_of::<usize>())
    }
}

impl KeyDecoder {
    /// For a machine with words of `word` bytes (8 or 4).
    pub fn new(word: usize) -> KeyDecoder {
        KeyDecoder { record: 2 * word + 8, rest: Vec::new(), down: Vec::new() }
    }

    /// Takes in bytes. Returns the keys that went down or up. A key that repeats while it is held
    /// is reported once. Where the kernel lost events, every key is reported up: a missed press is
    /// made again, but a missed release would keep the microphone open.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<KeyEvent> {
        self.rest.extend_from_slice(bytes);
        let whole = self.rest.len() - self.rest.len() % self.record;
        let mut events = Vec::new();
        for record in self.rest[..whole].chunks_exact(self.record) {
            let Some(&[t0, t1, c0, c1, v0, v1, v2, v3]) = record.last_chunk::<8>() else {
                continue;
            };
            let code = u16::from_ne_bytes([c0, c1]);
            let value = i32::from_ne_bytes([v0, v1, v2, v3]);
            match (u16::from_ne_bytes([t0, t1]), value) {
                (KEY, 1) if !self.down.contains(&code) => {
                    self.down.push(code);
                    events.push(KeyEvent { code, pressed: true });
                }
                (KEY, 0) if self.down.contains(&code) => {
                    self.down.retain(|down| *down != code);
                    events.push(KeyEvent { code, pressed: false });
                }
                (SYNCHRONISATION, _) if code == DROPPED => release(&mut self.down, &mut events),
                _ => {}
            }
        }
        self.rest.drain(..whole);
        events
    }

    /// The keyboard is gone: whatever was down is up now.
    pub fn lost(&mut self) -> Vec<KeyEvent> {
        let mut events = Vec::new();
        self.rest.clear();
        release(&mut self.down, &mut events);
        events
    }
}

fn release(down: &mut Vec<u16>, events: &mut Vec<KeyEvent>) {
    events.extend(down.drain(..).map(|code| KeyEvent { code, pressed: false }));
}

/// Names of keys as the kernel calls them, in lower case. A digit alone is a number: the keys of
/// the upper row have none.
///
/// Source: linux/input-event-codes.h
const NAMES: [(&str, u16); 117] = [
    ("esc", 1),
    ("minus", 12),
    ("equal", 13),
    ("backspace", 14),
    ("tab", 15),
    ("q", 16),
    ("w", 17),
    ("e", 18),
    ("r", 19),
    ("t", 20),
    ("y", 21),
    ("u", 22),
    ("i", 23),
    ("o", 24),
    ("p", 25),
    ("leftbrace", 26),
    ("rightbrace", 27),
    ("enter", 28),
    ("leftctrl", 29),
    ("a", 30),
    ("s", 31),
    ("d", 32),
    ("f", 33),
    ("g", 34),
    ("h", 35),
    ("j", 36),
    ("k", 37),
    ("l", 38),
    ("semicolon", 39),
    ("apostrophe", 40),
    ("grave", 41),
    ("leftshift", 42),
    ("backslash", 43),
    ("z", 44),
    ("x", 45),
    ("c", 46),
    ("v", 47),
    ("b", 48),
    ("n", 49),
    ("m", 50),
    ("comma", 51),
    ("dot", 52),
    ("slash", 53),
    ("rightshift", 54),
    ("kpasterisk", 55),
    ("leftalt", 56),
    ("space", 57),
    ("capslock", 58),
    ("f1", 59),
    ("f2", 60),
    ("f3", 61),
    ("f4", 62),
    ("f5", 63),
    ("f6", 64),
    ("f7", 65),
    ("f8", 66),
    ("f9", 67),
    ("f10", 68),
    ("numlock", 69),
    ("scrolllock", 70),
    ("kp7", 71),
    ("kp8", 72),
    ("kp9", 73),
    ("kpminus", 74),
    ("kp4", 75),
    ("kp5", 76),
    ("kp6", 77),
    ("kpplus", 78),
    ("kp1", 79),
    ("kp2", 80),
    ("kp3", 81),
    ("kp0", 82),
    ("kpdot", 83),
    ("102nd", 86),
    ("f11", 87),
    ("f12", 88),
    ("kpenter", 96),
    ("rightctrl", 97),
    ("kpslash", 98),
    ("sysrq", 99),
    ("rightalt", 100),
    ("home", 102),
    ("up", 103),
    ("pageup", 104),
    ("left", 105),
    ("right", 106),
    ("end", 107),
    ("down", 108),
    ("pagedown", 109),
    ("insert", 110),
    ("delete", 111),
    ("mute", 113),
    ("volumedown", 114),
    ("volumeup", 115),
    ("pause", 119),
    ("leftmeta", 125),
    ("rightmeta", 126),
    ("compose", 127),
    ("nextsong", 163),
    ("playpause", 164),
    ("previoussong", 165),
    ("f13", 183),
    ("f14", 184),
    ("f15", 185),
    ("f16", 186),
    ("f17", 187),
    ("f18", 188),
    ("f19", 189),
    ("f20", 190),
    ("f21", 191),
    ("f22", 192),
    ("f23", 193),
    ("f24", 194),
    ("play", 207),
    ("btn_left", 272),
    ("btn_right", 273),
    ("btn_middle", 274),
];

/// The code of a key by its name (`space`, `f13`): the kernel's names in lower case with
/// or without `key_`, or the kernel's number.
///
/// # Errors
/// One line that names the nearest key.
pub fn key_code(name: &str) -> Result<u16, String> {
    let wanted = name.trim().to_lowercase();
    let wanted = wanted.strip_prefix("key_").unwrap_or(&wanted);
    if let Some((_, code)) = NAMES.iter().find(|(known, _)| *known == wanted) {
        return Ok(*code);
    }
    // KEY_MAX is 0x2ff.
    if let Ok(code @ 1..=0x2ff) = wanted.parse() {
        return Ok(code);
    }
    let distance = |(known, _): &&(&str, u16)| strsim::damerau_levenshtein(known, wanted);
    // A letter is near to any word.
    let words = NAMES.iter().filter(|(known, _)| known.len() > 1);
    let nearest = words.min_by_key(distance).map_or("space", |(known, _)| known);
    Err(format!(
        "no key is called '{name}': write '{nearest}', or the kernel's number of the key (1 to 767)"
    ))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A record as the kernel writes it.
    fn record(word: usize, kind: u16, code: u16, value: i32) -> Vec<u8> {
        let mut bytes = vec![0xaa; 2 * word];
        bytes.extend(kind.to_ne_bytes());
        bytes.extend(code.to_ne_bytes());
        bytes.extend(value.to_ne_bytes());
        bytes
    }

    fn key(code: u16, value: i32) -> Vec<u8> {
        record(8, KEY, code, value)
    }

    fn event(code: u16, pressed: bool) -> KeyEvent {
        KeyEvent { code, pressed }
    }

    #[test]
    fn presses_and_releases_are_told_once_on_both_kinds_of_machine() {
        for word in [4, 8] {
            let mut decoder = KeyDecoder::new(word);
            let all: Vec<u8> = [
                record(word, 4, 4, 57),
                record(word, KEY, 57, 1),
                record(word, SYNCHRONISATION, 0, 0),
                record(word, KEY, 57, 2),
                record(word, KEY, 57, 2),
                record(word, KEY, 57, 0),
            ]
            .concat();
            assert_eq!(decoder.feed(&all), [event(57, true), event(57, false)]);
        }
        assert_eq!(KeyDecoder::new(8).record, 24);
        assert_eq!(KeyDecoder::new(4).record, 16);
    }

    #[test]
    fn a_keyboard_that_is_lost_or_overrun_holds_no_key() {
        let mut decoder = KeyDecoder::new(8);
        decoder.feed(&[key(57, 1), key(29, 1)].concat());
        let dropped = record(8, SYNCHRONISATION, DROPPED, 0);
        assert_eq!(decoder.feed(&dropped), [event(57, false), event(29, false)]);
        // Its release comes after all.
        assert_eq!(decoder.feed(&key(57, 0)), []);
        decoder.feed(&key(57, 1));
        decoder.feed(&[1, 2, 3]);
        assert_eq!(decoder.lost(), [event(57, false)]);
        assert_eq!(decoder.feed(&key(57, 1)), [event(57, true)]);
    }

    #[test]
    fn keys_have_names() {
        assert_eq!(key_code("space"), Ok(57));
        assert_eq!(key_code("KEY_RightCtrl"), Ok(97));
        assert_eq!(key_code("183"), Ok(183));
        assert_eq!((key_code("f13"), key_code("KEY_A"), key_code("m")), (Ok(183), Ok(30), Ok(50)));
        assert_eq!(
            key_code("spase").expect_err("no such key"),
            "no key is called 'spase': write 'space', or the kernel's number of the key (1 to 767)"
        );
        for wrong in ["", "0", "768", "-1", "ß"] {
            assert!(key_code(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Whatever bytes, however cut.
        #[test]
        fn every_key_goes_down_and_up_in_turn(
            bytes in prop::collection::vec(any::<u8>(), 0..600), cut in 1usize..50, wide: bool,
        ) {
            let word = if wide { 8 } else { 4 };
            let whole = KeyDecoder::new(word).feed(&bytes);
            let mut decoder = KeyDecoder::new(word);
            let mut pieces: Vec<KeyEvent> =
                bytes.chunks(cut).flat_map(|piece| decoder.feed(piece)).collect();
            prop_assert_eq!(&pieces, &whole);
            pieces.extend(decoder.lost());
            let mut down = Vec::new();
            for event in pieces {
                prop_assert_eq!(event.pressed, !down.contains(&event.code));
                if event.pressed { down.push(event.code) } else { down.retain(|c| *c != event.code) }
            }
            prop_assert!(down.is_empty());
        }
    }
}
