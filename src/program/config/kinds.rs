//! The values of keys that name one of several things.

use shakmaty::Color;

use annabella_core::setup::Maker;
use annabella_words::text::spelled;

spelled! {
    /// Where the pegs are.
    BoardKind {
        /// Any peg set: nothing feels it.
        None = "none",
        Sim = "sim",
        /// JSON lines as for `annabella infer`.
        Events = "events",
        /// A chain of 74HC165.
        ShiftRegister = "shift-register",
        Expander = "expander",
        /// An 8 × 8 matrix.
        Matrix = "matrix",
    }
}

spelled! {
    ButtonsKind {
        /// Where the board has real reeds.
        Auto = "auto",
        Gpio = "gpio",
        None = "none",
    }
}

spelled! {
    SightedKind {
        None = "none",
        Sim = "sim",
        Dgt = "dgt",
        /// A Chessnut board by USB or Bluetooth.
        Chessnut = "chessnut",
        /// A board at Millennium's ChessLink.
        Millennium = "millennium",
        /// A Certabo board whose pieces have tags.
        Certabo = "certabo",
        /// A second reed board.
        Reed = "reed",
        /// What the assistant enters on the page.
        Page = "page",
    }
}

spelled! {
    #[derive(Default)]
    ClockKind {
        #[default]
        Internal = "internal",
        /// A DGT 3000 at the e-board.
        Dgt = "dgt",
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
        White = "white",
        Black = "black",
    }
}

spelled! {
    EngineKind {
        /// espeak-ng, without a daemon.
        Espeak = "espeak",
        System = "system",
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
        Full = "full",
        /// The origin only where it is needed.
        Short = "short",
    }
}

impl SightedKind {
    /// Whose electronic board it is; `None`: it is none.
    pub fn maker(self) -> Option<Maker> {
        Maker::spelled(self.as_str())
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
