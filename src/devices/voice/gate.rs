//! Which samples of the microphone the recogniser may hear: half duplex and push-to-talk.
//!
//! Pure: the caller reports which channels sound and which key is held, with times of one rising
//! clock in milliseconds, and asks for every chunk whether it passes.
//!
//! # Half duplex
//!
//! The microphone hears our own loudspeaker, and its "Springer Gustav eins Felix drei" sounds as
//! good as the player's. So nothing passes that was recorded while the loudspeaker sounded, nor
//! within [`GateSettings::tail_ms`] after it: the room echoes, and the sound card still holds
//! samples when the mouth has finished. Tell the gate *when words are handed to the mouth*
//! (`Mouth::is_speaking`), not when they begin to sound; then it is never late.
//!
//! # Cutting our speech short
//!
//! Loudness does not distinguish the player from our own loudspeaker: a player further from the
//! microphone than the loudspeaker is the quieter one. Therefore:
//!
//! - Answers on the earphone do not mute the microphone. A spoken "stopp" is heard while they
//!   sound.
//! - Against the loudspeaker there is the key. Pressing it cuts all speech (the caller hushes the
//!   mouth and tells the gate), and after the tail every word is heard. The same key works against
//!   the earphone.
//! - Where loudspeaker and earphone are one device ([`GateSettings::earphone_mutes`]) only the key
//!   is left.
//!
//! Announcements that come while the key is held wait for its release, by the caller's care; if one
//! sounds nevertheless it mutes as always, and the utterance goes on after it.

/// When the microphone is listened to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TalkMode {
    /// Always, but for our own loudspeaker.
    #[default]
    Open,
    /// While the talk key is held.
    PushToTalk,
}

/// How a gate behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateSettings {
    pub mode: TalkMode,
    /// How long after our own speech nothing passes yet, milliseconds: reverberation of the room
    /// and buffers of the sound card.
    pub tail_ms: u64,
    /// The earphone is heard by the microphone like the loudspeaker: both are one device.
    pub earphone_mutes: bool,
    /// How long speech after the key's release belongs to the utterance, milliseconds: fingers are
    /// quicker than last syllables.
    pub release_ms: u64,
    /// A key held longer than this is stuck or forgotten: the utterance ends, milliseconds.
    pub longest_ms: u64,
}

impl Default for GateSettings {
    fn default() -> GateSettings {
        GateSettings {
            mode: TalkMode::Open,
            tail_ms: 200,
            earphone_mutes: false,
            release_ms: 150,
            longest_ms: 15_000,
        }
    }
}

impl GateSettings {
    /// For these output devices, by their configured names: one device for both channels mutes for
    /// both; `none` never sounds.
    #[must_use]
    pub fn for_devices(self, public: &str, private: &str) -> GateSettings {
        GateSettings { earphone_mutes: public == private && private != "none", ..self }
    }
}

/// An order to the recogniser before its next chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListenOrder {
    /// Listening begins, with nothing heard before.
    Opened {
        /// The key is held: all that comes is one utterance, whatever its pauses.
        held: bool,
    },
    Closed {
        /// True: the utterance is complete, so understand it. False: our own speech broke into it,
        /// so forget it.
        complete: bool,
    },
}

/// The fate of one chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// To be carried out first, in order.
    pub turns: Vec<ListenOrder>,
    /// Whether the recogniser may hear it.
    pub pass: bool,
}

/// The gate between microphone and recogniser.
#[derive(Clone, Debug)]
pub struct Gate {
    settings: GateSettings,
    loudspeaker: bool,
    earphone: bool,
    /// Only what was recorded from here on is free of our own speech.
    clear_from_ms: u64,
    key: Key,
    /// The recogniser's last order.
    open: Option<Open>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Freely,
    Held,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Up,
    Down {
        since_ms: u64,
    },
    /// Let go; the last syllable still counts.
    Released {
        since_ms: u64,
    },
    /// Held for too long: as if let go, until it really is.
    Stuck,
}

impl Gate {
    /// A gate for a quiet loudspeaker and a key that is not pressed.
    pub fn new(settings: GateSettings) -> Gate {
        Gate {
            settings,
            loudspeaker: false,
            earphone: false,
            clear_from_ms: 0,
            key: Key::Up,
            open: None,
        }
    }

    /// The loudspeaker has got words, or has ended. Call it before the mouth gets the words.
    pub fn loudspeaker(&mut self, at_ms: u64, sounding: bool) -> Option<ListenOrder> {
        self.change(at_ms, |gate| gate.loudspeaker = sounding)
    }

    /// The same for the earphone.
    pub fn earphone(&mut self, at_ms: u64, sounding: bool) -> Option<ListenOrder> {
        self.change(at_ms, |gate| gate.earphone = sounding)
    }

    fn change(&mut self, at_ms: u64, change: impl FnOnce(&mut Gate)) -> Option<ListenOrder> {
        let before = self.is_muted();
        change(self);
        if before && !self.is_muted() {
            self.clear_from_ms =
                self.clear_from_ms.max(at_ms.saturating_add(self.settings.tail_ms));
        }
        if self.is_muted() { self.close(false) } else { None }
    }

    /// The talk key went down or up. True: cut all speech now.
    pub fn key(&mut self, at_ms: u64, pressed: bool) -> bool {
        match (self.key, pressed) {
            (Key::Up | Key::Released { .. }, true) => {
                self.key = Key::Down { since_ms: at_ms };
                true
            }
            (Key::Down { .. }, false) => {
                self.key = Key::Released { since_ms: at_ms };
                false
            }
            (Key::Stuck, false) => {
                self.key = Key::Up;
                false
            }
            // A keyboard that repeats.
            _ => false,
        }
    }

    /// Whether our own speech is to be heard in the microphone.
    pub fn is_muted(&self) -> bool {
        self.loudspeaker || (self.earphone && self.settings.earphone_mutes)
    }

    /// Whether the recogniser is listening now.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// A chunk that was recorded between these times, in the order of recording.
    pub fn chunk(&mut self, from_ms: u64, until_ms: u64) -> Passage {
        let mut turns = Vec::new();
        match self.key {
            Key::Down { since_ms } if until_ms > since_ms + self.settings.longest_ms => {
                self.key = Key::Stuck;
                turns.extend(self.end_hold());
            }
            Key::Released { since_ms } if from_ms >= since_ms + self.settings.release_ms => {
                self.key = Key::Up;
                turns.extend(self.end_hold());
            }
            _ => {}
        }
        let wanted = match (self.key, self.settings.mode) {
            // Sound from before the key went down was not meant for us.
            (Key::Down { since_ms }, TalkMode::PushToTalk) if until_ms <= since_ms => None,
            (Key::Down { .. }, _) => Some(Open::Held),
            // Let go before the first chunk passed: still one utterance.
            (Key::Released { .. }, _) => Some(Open::Held),
            (Key::Up | Key::Stuck, TalkMode::Open) => Some(Open::Freely),
            (Key::Up | Key::Stuck, TalkMode::PushToTalk) => None,
        };
        let clear = !self.is_muted() && from_ms >= self.clear_from_ms;
        let Some(wanted) = wanted.filter(|_| clear) else {
            return Passage { turns, pass: false };
        };
        if self.open != Some(wanted) {
            turns.extend(self.close(false));
            self.open = Some(wanted);
            turns.push(ListenOrder::Opened { held: wanted == Open::Held });
        }
        Passage { turns, pass: true }
    }

    fn end_hold(&mut self) -> Option<ListenOrder> {
        if self.open == Some(Open::Held) { self.close(true) } else { None }
    }

    fn close(&mut self, complete: bool) -> Option<ListenOrder> {
        self.open.take().map(|_| ListenOrder::Closed { complete })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OPENED: ListenOrder = ListenOrder::Opened { held: false };
    const HELD: ListenOrder = ListenOrder::Opened { held: true };
    const DONE: ListenOrder = ListenOrder::Closed { complete: true };
    const FORGET: ListenOrder = ListenOrder::Closed { complete: false };

    fn gate(mode: TalkMode) -> Gate {
        Gate::new(GateSettings { mode, ..GateSettings::default() })
    }

    fn passes(gate: &mut Gate, from_ms: u64) -> (Vec<ListenOrder>, bool) {
        let passage = gate.chunk(from_ms, from_ms + 20);
        (passage.turns, passage.pass)
    }

    #[test]
    fn open_listening_stops_for_the_loudspeaker_and_its_reverberation() {
        let mut gate = gate(TalkMode::Open);
        assert_eq!(passes(&mut gate, 0), (vec![OPENED], true));
        assert_eq!(passes(&mut gate, 20), (vec![], true));
        assert_eq!(gate.loudspeaker(40, true), Some(FORGET));
        assert_eq!(passes(&mut gate, 20), (vec![], false));
        assert_eq!(passes(&mut gate, 40), (vec![], false));
        assert_eq!(gate.loudspeaker(1000, false), None);
        assert_eq!(passes(&mut gate, 1180), (vec![], false));
        assert_eq!(passes(&mut gate, 1200), (vec![OPENED], true));
    }

    #[test]
    fn stopp_is_heard_while_the_earphone_speaks_unless_it_is_the_loudspeaker() {
        let mut apart = gate(TalkMode::Open);
        assert_eq!(apart.earphone(0, true), None);
        assert_eq!(passes(&mut apart, 0), (vec![OPENED], true));
        let one = GateSettings::default().for_devices("default", "default");
        assert!(one.earphone_mutes);
        let mut one = Gate::new(one);
        assert_eq!(one.earphone(0, true), None);
        assert_eq!(passes(&mut one, 0), (vec![], false));
        let silent = GateSettings::default().for_devices("none", "none");
        assert!(!silent.earphone_mutes);
        assert!(!GateSettings::default().for_devices("hw:0", "hw:1").earphone_mutes);
    }

    #[test]
    fn the_key_opens_and_its_release_completes_the_utterance() {
        let mut gate = gate(TalkMode::PushToTalk);
        assert_eq!(passes(&mut gate, 0), (vec![], false));
        assert!(gate.key(30, true));
        assert!(!gate.key(60, true), "a keyboard that repeats is no second press");
        // Recorded before the press, but the last of it after.
        assert_eq!(passes(&mut gate, 0), (vec![], false));
        assert_eq!(passes(&mut gate, 20), (vec![HELD], true));
        assert!(!gate.key(100, false));
        assert_eq!(passes(&mut gate, 240), (vec![], true));
        assert_eq!(passes(&mut gate, 250), (vec![DONE], false));
        assert_eq!(passes(&mut gate, 270), (vec![], false));
    }

    #[test]
    fn the_key_cuts_the_loudspeaker_and_then_the_player_is_heard() {
        let mut gate = gate(TalkMode::Open);
        passes(&mut gate, 0);
        assert_eq!(gate.loudspeaker(20, true), Some(FORGET));
        assert!(gate.key(500, true), "cut all speech");
        assert_eq!(passes(&mut gate, 500), (vec![], false));
        assert_eq!(gate.loudspeaker(520, false), None);
        assert_eq!(passes(&mut gate, 700), (vec![], false));
        assert_eq!(passes(&mut gate, 720), (vec![HELD], true));
        gate.key(1000, false);
        assert_eq!(passes(&mut gate, 1160), (vec![DONE, OPENED], true));
    }

    #[test]
    fn a_key_pressed_in_open_listening_begins_a_new_utterance() {
        let mut gate = gate(TalkMode::Open);
        passes(&mut gate, 0);
        gate.key(20, true);
        assert_eq!(passes(&mut gate, 20), (vec![FORGET, HELD], true));
    }

    #[test]
    fn a_stuck_key_ends_the_utterance() {
        let mut gate = gate(TalkMode::PushToTalk);
        gate.key(0, true);
        assert_eq!(passes(&mut gate, 0), (vec![HELD], true));
        assert_eq!(passes(&mut gate, 15_000), (vec![DONE], false));
        assert!(!gate.key(16_000, true));
        assert_eq!(passes(&mut gate, 16_000), (vec![], false));
        assert!(!gate.key(17_000, false));
        assert!(gate.key(18_000, true));
        assert_eq!(passes(&mut gate, 18_000), (vec![HELD], true));
    }

    #[derive(Clone, Copy, Debug)]
    enum Step {
        Loudspeaker(bool),
        Earphone(bool),
        Key(bool),
        /// A chunk of this length, which comes this long after its last sample.
        Chunk(u64, u64),
    }

    fn steps() -> impl Strategy<Value = Vec<(u64, Step)>> {
        let step = prop_oneof![
            2 => any::<bool>().prop_map(Step::Loudspeaker),
            1 => any::<bool>().prop_map(Step::Earphone),
            2 => any::<bool>().prop_map(Step::Key),
            8 => (1u64..60, 0u64..500).prop_map(|(length, late)| Step::Chunk(length, late)),
        ];
        prop::collection::vec((0u64..150, step), 1..80)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// However late a chunk comes and whatever the key does.
        #[test]
        fn nothing_recorded_while_our_own_speech_sounds_ever_passes(
            steps in steps(), earphone_mutes: bool, held: bool, tail_ms in 0u64..400,
        ) {
            let mode = if held { TalkMode::PushToTalk } else { TalkMode::Open };
            let settings =
                GateSettings { mode, earphone_mutes, tail_ms, ..GateSettings::default() };
            let mut gate = Gate::new(settings);
            // What the microphone hears of us: from, until (open while it lasts).
            let mut heard: Vec<(u64, u64)> = Vec::new();
            let (mut loudspeaker, mut earphone, mut open) = (false, false, false);
            let mut now = 1000;
            for (pause, step) in steps {
                now += pause;
                let mut turns = Vec::new();
                match step {
                    Step::Loudspeaker(on) => {
                        loudspeaker = on;
                        turns.extend(gate.loudspeaker(now, on));
                    }
                    Step::Earphone(on) => {
                        earphone = on;
                        turns.extend(gate.earphone(now, on));
                    }
                    Step::Key(pressed) => {
                        gate.key(now, pressed);
                    }
                    Step::Chunk(length, late) => {
                        let until = now - late;
                        let from = until - length;
                        let passage = gate.chunk(from, until);
                        if passage.pass {
                            for (began, ended) in &heard {
                                let ended = ended.saturating_add(tail_ms);
                                prop_assert!(until <= *began || from >= ended);
                            }
                        }
                        turns.extend(passage.turns);
                        // The recogniser is told before it hears anything.
                        let told = turns.iter().fold(open, |_, turn| matches!(turn, ListenOrder::Opened { .. }));
                        prop_assert!(told || !passage.pass);
                    }
                }
                for turn in turns {
                    let opens = matches!(turn, ListenOrder::Opened { .. });
                    prop_assert_ne!(opens, open, "opened or closed twice");
                    open = opens;
                }
                prop_assert_eq!(open, gate.is_open());
                let sounds = loudspeaker || (earphone && earphone_mutes);
                match heard.last_mut().filter(|(_, until)| *until == u64::MAX) {
                    Some(last) if !sounds => last.1 = now,
                    None if sounds => heard.push((now, u64::MAX)),
                    _ => {}
                }
            }
        }
    }
}
