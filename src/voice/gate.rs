//! What of the microphone's sound may reach the recogniser.
//!
//! Half duplex: while our own loudspeaker sounds, and a little longer for the room's echo, nothing
//! passes: it would hear itself announce a move. The earphone is for one ear and does not close the
//! gate, so that a spoken "stopp" can cut a long answer. Against the loudspeaker there is the talk
//! key: who presses it silences us first.

/// A room answers for so long after the loudspeaker, milliseconds.
const ECHO_MS: u64 = 200;

/// When the player is listened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Talk {
    /// Always.
    #[default]
    Open,
    /// While he holds the talk key.
    Key,
}

/// What to do with a chunk of sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Hear it.
    Through,
    /// Throw it away, and what was begun before it.
    Closed,
    /// The talk key was pressed: hear this and all that follows as one utterance.
    Begins,
    /// The talk key was let go: hear this, and the utterance is over.
    Ends,
}

/// Decides chunk by chunk.
#[derive(Clone, Debug)]
pub struct Gate {
    talk: Talk,
    sounding: bool,
    /// Our loudspeaker fell silent at this moment.
    silent_since_ms: Option<u64>,
    key: bool,
    /// An utterance was begun with the key.
    held: bool,
}

impl Gate {
    /// Open, or by the talk key.
    pub fn new(talk: Talk) -> Gate {
        Gate { talk, sounding: false, silent_since_ms: None, key: false, held: false }
    }

    /// The talk key went down or up.
    pub fn key(&mut self, down: bool) {
        self.key = down;
    }

    /// What to do with a chunk recorded until `now_ms`; `sounding`: our loudspeaker sounds or is
    /// about to.
    pub fn chunk(&mut self, now_ms: u64, sounding: bool) -> Pass {
        if self.sounding && !sounding {
            self.silent_since_ms = Some(now_ms);
        }
        self.sounding = sounding;
        let echo = self.silent_since_ms.is_some_and(|since| now_ms < since + ECHO_MS);
        if sounding || echo {
            self.held = false;
            return Pass::Closed;
        }
        match (self.key, std::mem::replace(&mut self.held, self.key)) {
            (true, false) => Pass::Begins,
            (true, true) => Pass::Through,
            (false, true) => Pass::Ends,
            (false, false) if self.talk == Talk::Open => Pass::Through,
            (false, false) => Pass::Closed,
        }
    }

    /// An utterance that the key began: it is meant for us.
    pub fn is_held(&self) -> bool {
        self.held
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_loudspeaker_and_its_echo_close_the_gate() {
        let mut gate = Gate::new(Talk::Open);
        assert_eq!(gate.chunk(0, false), Pass::Through);
        assert_eq!(gate.chunk(20, true), Pass::Closed);
        assert_eq!(gate.chunk(40, false), Pass::Closed);
        assert_eq!(gate.chunk(220, false), Pass::Closed);
        assert_eq!(gate.chunk(240, false), Pass::Through);
    }

    #[test]
    fn the_key_makes_one_utterance() {
        for talk in [Talk::Open, Talk::Key] {
            let mut gate = Gate::new(talk);
            let before = if talk == Talk::Open { Pass::Through } else { Pass::Closed };
            assert_eq!(gate.chunk(0, false), before);
            gate.key(true);
            assert_eq!(gate.chunk(20, false), Pass::Begins);
            assert_eq!(gate.chunk(40, false), Pass::Through);
            assert!(gate.is_held());
            gate.key(false);
            assert_eq!(gate.chunk(60, false), Pass::Ends);
            assert_eq!(gate.chunk(80, false), before);
        }
    }

    #[test]
    fn a_key_held_while_we_speak_begins_afterwards() {
        let mut gate = Gate::new(Talk::Key);
        gate.key(true);
        assert_eq!(gate.chunk(0, true), Pass::Closed);
        assert_eq!(gate.chunk(20, false), Pass::Closed);
        assert_eq!(gate.chunk(300, false), Pass::Begins);
    }

    proptest! {
        #[test]
        fn nothing_recorded_while_the_loudspeaker_sounds_ever_passes(
            steps in prop::collection::vec((any::<bool>(), any::<bool>(), 1u64..400), 1..60),
            open in any::<bool>(),
        ) {
            let mut gate = Gate::new(if open { Talk::Open } else { Talk::Key });
            let (mut now_ms, mut last_ms, mut was) = (0, None, false);
            for (sounding, key, pause_ms) in steps {
                now_ms += pause_ms;
                gate.key(key);
                let pass = gate.chunk(now_ms, sounding);
                if was && !sounding {
                    last_ms = Some(now_ms);
                }
                was = sounding;
                let echo = last_ms.is_some_and(|last| now_ms < last + ECHO_MS);
                prop_assert!(!(sounding || echo) || pass == Pass::Closed);
            }
        }
    }
}
