//! Every section and key of a configuration file, with its allowed values and its place.

use shakmaty::Color;

use super::entry::Entry;
use super::{
    AnnounceForm, BoardKind, ButtonsKind, ClockControl, ClockKind, ClockLeft, Config, ConfigError,
    EngineKind, Listen, RecordAudio, Reports, SightedKind,
};
use annabella_core::game::{Blind, Rules};
use annabella_devices::board::wiring::{BitOrder, Bus, GPIO, Level, SCAN_HZ};

/// A key of a section.
pub(super) struct Key {
    pub(super) name: &'static str,
    /// Reads the value and puts it in its place.
    pub(super) set: fn(&Entry<'_, '_>, &mut Config) -> Result<(), ConfigError>,
}

/// A row is `key: reader(arguments);` for the field of that name, or `key => field.field:
/// reader(…);` where the field has another name. A reader is a function of [`Entry`].
macro_rules! section {
    ($section:ident { $($key:ident $(=> $($field:ident).+ $(, $($also:ident).+)*)?: $reader:ident $arguments:tt;)* }) => {
        (stringify!($section), &[$(Key {
            name: stringify!($key),
            set: |entry, config| {
                section!(@set entry, config.$section, $key, $($($field).+, $($($also).+,)*)? : $reader $arguments);
                Ok(())
            },
        }),*])
    };
    (@set $entry:ident, $config:ident.$section:ident, $key:ident, : $reader:ident $arguments:tt) => {
        $config.$section.$key = $entry.$reader $arguments?
    };
    (@set $entry:ident, $config:ident.$section:ident, $key:ident, $($($field:ident).+,)+ : $reader:ident $arguments:tt) => {
        $($config.$section.$($field).+ = $entry.$reader $arguments?;)+
    };
}

/// A peg board: Black's has the same wires as White's. Keys of `[board]` alone hold for both.
macro_rules! board {
    ($section:ident { $($more:tt)* }) => {
        section!($section {
            kind: one_of(BoardKind::ALL);
            reports: one_of(Reports::ALL);
            path: path_or_nowhere();
            debounce_ms => sensing.debounce_ms: number(1..=500);
            $($more)*
            bus: one_of(Bus::ALL);
            map => wires.map: map();
            bit_order => wires.bit_order: one_of(BitOrder::ALL);
            closed => wires.closed: one_of(Level::ALL);
            orientation => wires.orientation: orientation();
            scan_hz => wires.scan_hz: number(SCAN_HZ);
            spi_bus => wires.spi_bus: number(0..=6);
            spi_select => wires.spi_select: number(0..=2);
            spi_hz => wires.spi_hz: spi_hz();
            latch_gpio => wires.latch_gpio: number(GPIO);
            chain_check => wires.chain_check: switch();
            i2c_bus => wires.i2c_bus: number(0..=99);
            addresses => wires.addresses: addresses();
            rows => wires.rows: eight_pins();
            columns => wires.columns: eight_pins();
            settle_us => wires.settle_us: number(1..=1000);
        })
    };
}

/// Words a minute.
const RATES: std::ops::RangeInclusive<u16> = 80..=450;

/// Every section with its keys. Keys are read in this order, whatever the order in the file: `rate`
/// counts where the channel has no rate of its own.
pub(super) const KEYS: &[(&str, &[Key])] = &[
    section!(game {
        time_control: time_control();
        white: name();
        black: name();
        blind: one_of(&[("white", Blind::White), ("black", Blind::Black), ("both", Blind::Both)]);
        opponent_deaf: switch();
        start: fen();
        rules: one_of(Rules::ALL);
        no_draw_before: number(0..=500);
        at_home: switch();
        setup: switch();
        players: names();
        opponents: names();
        keys: three_keys();
        keyboard: name();
    }),
    board!(board {
        settle_ms => sensing.settle_ms: number(50..=10_000);
        castling_ms => sensing.castling_ms: number(50..=30_000);
        ending_ms => sensing.ending_ms: number(50..=30_000);
        guide_ms => sensing.guide_ms: number(500..=600_000);
        released_ms => sensing.released_ms: number(0..=600_000);
    }),
    board!(board_black {}),
    section!(buttons {
        kind: one_of(ButtonsKind::ALL);
        talk => pins.talk: pin();
        repeat => pins.repeat: pin();
        clock_left => pins.clock_left: pin();
        clock_right => pins.clock_right: pin();
        arbiter => pins.arbiter: pin();
        talk_black => pins.talk_black: pin();
        repeat_black => pins.repeat_black: pin();
        left: some_of(&[("white", Color::White), ("black", Color::Black)]);
        debounce_ms: number(1..=500);
    }),
    section!(lights {
        white: pin();
        black: pin();
        attention: pin();
    }),
    section!(sighted {
        kind: one_of(SightedKind::ALL);
        port: path();
        path: path();
        still_ms => still.still_ms: number(50..=5000);
        hurry_ms => still.hurry_ms: number(50..=5000);
        pending_ms => judge.pending_ms: number(1000..=3_600_000);
        slide_ms => judge.slide_ms: number(0..=60_000);
        differ_ms => judge.differ_ms: number(500..=600_000);
        unfinished_ms => judge.unfinished_ms: number(500..=600_000);
        in_hand_ms => judge.in_hand_ms: number(1000..=3_600_000);
    }),
    section!(clock {
        kind: one_of(ClockKind::ALL);
        control: one_of(ClockControl::ALL);
        port: path_or_none();
        left: one_of(ClockLeft::ALL);
        alarms: seconds();
        heartbeat_s: number(1..=600);
        white_key: key_or_none();
        black_key: key_or_none();
        keyboard: name();
    }),
    section!(speech {
        model: path_or_none();
        words: pack();
        prompts: pack();
        engine: one_of(EngineKind::ALL);
        voice: voice();
        input: device();
        input_own: switch();
        input_black: name();
        input_sighted: name();
        listen: one_of(Listen::ALL);
        rest_ms: number(0..=5000);
        talk_key: key();
        talk_device: name();
        talk_key_black: key_or_none();
        talk_device_black: name();
        confusions: path_or_none();
        confusions_black: path_or_none();
        public: device();
        private: device();
        private_black: name();
        rate => public_rate, private_rate: number(RATES);
        public_rate: number(RATES);
        private_rate: number(RATES);
        public_volume: number(0..=100);
        private_volume: number(0..=100);
        private_rate_black: some_number(RATES);
        private_volume_black: some_number(0..=100);
        announce_form: one_of(AnnounceForm::ALL);
        repetition: switch();
        greet: switch();
    }),
    section!(braille {
        line: brltty();
        line_black: brltty();
        key_file: path();
    }),
    section!(hearing {
        accept_margin: real(2.0);
        accept_distance: real(2.0);
        accept_confidence: real(1.0);
        confirm_margin: real(2.0);
        confirm_distance: real(3.0);
        confirm_confidence: real(1.0);
        class_gap: real(2.0);
        single_word_confidence: real(1.0);
        stop_confidence: real(1.0);
        loop_distance: real(9.0);
        short_move_confidence: real(1.0);
        loop_contradiction: real(1.0);
        comparison_confidence: real(1.0);
        single_request_confidence: real(1.0);
        short_request_confidence: real(1.0);
        loud_room_db: real(60.0);
    }),
    section!(record {
        audio: one_of(RecordAudio::ALL);
        audio_mb: number(1..=1_000_000);
    }),
    section!(duties {
        relay: switch();
        announce: switch();
        keep_score: switch();
        start_clock: switch();
        start_clock_after_ms: number(0..=10_000);
        inform: switch();
        claim: switch();
        adjourn: switch();
    }),
    section!(console {
        listen: listen();
        certificate: path_or_none();
        key: path_or_none();
        name: host();
        program_code: path_or_none();
    }),
    section!(journal {
        path: path();
    }),
    section!(hall {
        url: hall_url();
        event: event();
        board: number(1..=99_999);
        credentials: path_or_none();
    }),
];
