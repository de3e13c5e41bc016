//! The values of keys that name one of several things.

use shakmaty::Color;

use annabella_words::text::spelled;

spelled! {
    /// Where the pegs are.
    BoardKind {
        /// Any peg set: nothing feels it.
        None = "none",
        /// Simulated reeds.
        Sim = "sim",
        /// JSON lines as for `annabella infer`.
        Events = "events",
        /// A chain of 74HC165.
        ShiftRegister = "shift-register",
        /// I²C port expanders.
        Expander = "expander",
        /// An 8 × 8 matrix.
        Matrix = "matrix",
    }
}

spelled! {
    /// Whether there are buttons.
    ButtonsKind {
        /// Where the board has real reeds.
        Auto = "auto",
        /// Yes.
        Gpio = "gpio",
        /// No.
        None = "none",
    }
}

spelled! {
    /// The sighted player's board.
    SightedKind {
        /// A plain wooden board.
        None = "none",
        /// Simulated.
        Sim = "sim",
        /// A DGT e-board.
        Dgt = "dgt",
        /// A second reed board.
        Reed = "reed",
        /// What the assistant enters on the page.
        Page = "page",
    }
}

spelled! {
    /// The timekeeper.
    #[derive(Default)]
    ClockKind {
        /// The service itself.
        #[default]
        Internal = "internal",
        /// A DGT 3000 at the e-board.
        Dgt = "dgt",
        /// Simulated.
        Sim = "sim",
    }
}

spelled! {
    /// The use of a DGT clock.
    #[derive(Default)]
    ClockControl {
        /// The service sets it: times, increments, whose time runs.
        #[default]
        Set = "set",
        /// It keeps its own time control and is read.
        Read = "read",
    }
}

spelled! {
    /// The player on the clock's left.
    #[derive(Default)]
    ClockLeft {
        /// By which way round the board lies.
        #[default]
        Auto = "auto",
        /// White.
        White = "white",
        /// Black.
        Black = "black",
    }
}

spelled! {
    /// The engine that renders speech.
    EngineKind {
        /// espeak-ng, without a daemon.
        Espeak = "espeak",
        /// speech-dispatcher.
        System = "system",
        /// Nobody.
        None = "none",
    }
}

spelled! {
    /// When the microphone is listened to.
    Listen {
        /// Always, but while the loudspeaker sounds.
        Open = "open",
        /// While the talk key is held.
        Key = "key",
        /// Never.
        Off = "off",
    }
}

spelled! {
    /// Which sounds are kept (D.2.7).
    RecordAudio {
        /// None.
        Off = "off",
        /// Every announcement that was spoken into the microphone.
        Announcements = "announcements",
    }
}

spelled! {
    /// How much of a move is said.
    AnnounceForm {
        /// Always origin, piece and goal.
        Full = "full",
        /// The origin only where it is needed.
        Short = "short",
    }
}

impl ClockLeft {
    /// The player there; `None`: it depends on the board.
    pub fn color(self) -> Option<Color> {
        match self {
            ClockLeft::Auto => None,
            ClockLeft::White => Some(Color::White),
            ClockLeft::Black => Some(Color::Black),
        }
    }
}
