//! Each player's needs at the table, and devices that may not be shared.

use super::{
    BoardKind, BoardSection, Config, EngineKind, Listen, SightedKind, SpeechSection,
    place::AsWritten,
};
use annabella_core::game::Blind;
use annabella_devices::{board::wiring::ReaderKind, lines, voice::keys::key_code};

/// The first thing that is missing or given to the wrong player; one line with the remedy.
pub(super) fn check(config: &Config, written: AsWritten<'_, '_>) -> Option<String> {
    let all = [keyless, deaf, home, nowhere, pressed_alike];
    all.iter().find_map(|check| check(config)).or_else(|| match config.game.blind {
        Blind::Both => both(config, written),
        Blind::White | Blind::Black => one(config),
    })
}

/// Events come from somewhere.
fn nowhere(config: &Config) -> Option<String> {
    let boards = [("board", &config.board), ("board_black", &config.board_black)];
    let mut none = boards
        .iter()
        .filter(|(_, board)| board.kind == BoardKind::Events && board.path.as_os_str().is_empty());
    none.next().map(|(section, _)| {
        format!(
            "[{section}] path: \"events\" come from a file or a FIFO: name it, or \"-\" for standard input"
        )
    })
}

/// One key presses for one player.
fn pressed_alike(config: &Config) -> Option<String> {
    let section = &config.clock;
    let code = |name: &str| key_code(name).ok();
    let alike = code(&section.white_key).is_some_and(|key| code(&section.black_key) == Some(key));
    alike.then(|| {
        format!("[clock] black_key: {} is White's key: give Black another", section.black_key)
    })
}

/// A certificate without its key, or a key without its certificate, encrypts nothing.
fn keyless(config: &Config) -> Option<String> {
    let section = &config.console;
    let (there, missing) = match (&section.certificate, &section.key) {
        (Some(_), None) => ("certificate", "key"),
        (None, Some(_)) => ("key", "certificate"),
        _ => return None,
    };
    Some(format!(
        "[console] {missing} is missing: with {there} alone the pages would not be encrypted; give both, or neither"
    ))
}

/// What is played at home is no tournament's (11.3).
fn home(config: &Config) -> Option<String> {
    let line = match (config.game.at_home, &config.console.program_code, &config.hall.url) {
        (true, _, Some(_)) => {
            "[game] at_home: a board of an event's hall plays a tournament, where no program plays (11.3): leave it \
             out, or url in [hall]"
        }
        (true, ..) if config.game.blind == Blind::Both => {
            "[game] at_home is for a sighted player's place, in which a program may play: with blind = \"both\" \
             leave it out"
        }
        (false, Some(_), _) => {
            "[console] program_code: no program plays in a tournament's game (11.3): set at_home = true in [game], or \
             leave it out"
        }
        (false, ..) if !config.game.opponents.is_empty() => {
            "[game] opponents: no program plays in a tournament's game (11.3): set at_home = true, or leave it out"
        }
        (true, Some(_), _) if config.console.listen.is_none() => {
            "[console] program_code: there are no pages: give listen an address, as in \"127.0.0.1:8080\""
        }
        _ => return None,
    };
    Some(line.to_owned())
}

/// A deaf opponent reads what is spoken to him (D.2.11).
fn deaf(config: &Config) -> Option<String> {
    (config.game.opponent_deaf && config.console.listen.is_none()).then(|| {
        "[game] opponent_deaf: a deaf opponent reads what is said on a display (D.2.11): give \
         [console] listen an address, as in \"127.0.0.1:8080\""
            .to_owned()
    })
}

fn one(config: &Config) -> Option<String> {
    let speech = &config.speech;
    if config.board_black != BoardSection::default() {
        return Some(
            "[board_black] is for two blind players: the board of the only one is [board]; set \
             blind = \"both\" in [game], or leave [board_black] out"
                .to_owned(),
        );
    }
    if config.braille.line_black.is_some() {
        return Some(
            "[braille] line_black is for two blind players: the line of the only one is line; set \
             blind = \"both\" in [game], or leave it out"
                .to_owned(),
        );
    }
    let of_black = [
        ("private_black", &speech.private_black),
        ("input_black", &speech.input_black),
        ("talk_key_black", &speech.talk_key_black),
        ("talk_device_black", &speech.talk_device_black),
    ];
    let named = of_black.iter().find(|(_, value)| !value.is_empty()).map(|(key, _)| *key);
    let set = [
        ("confusions_black", speech.confusions_black.is_some()),
        ("private_rate_black", speech.private_rate_black.is_some()),
        ("private_volume_black", speech.private_volume_black.is_some()),
    ];
    if let Some(key) = named.or(set.iter().find(|(_, set)| *set).map(|(key, _)| *key)) {
        return Some(format!(
            "[speech] {key} is for two blind players: set blind = \"both\" in [game], or leave it out"
        ));
    }
    (speech.input_sighted == speech.input).then(|| {
        "[speech] input_sighted is the blind player's microphone too: give the sighted player \
         his own, or leave it out"
            .to_owned()
    })
}

fn both(config: &Config, written: AsWritten<'_, '_>) -> Option<String> {
    let (white, black, speech) = (&config.board, &config.board_black, &config.speech);
    if config.sighted.kind != SightedKind::None {
        return Some(
            "[sighted] kind: both players play on peg boards, so nobody sits at that board; use \
             \"none\""
                .to_owned(),
        );
    }
    if !speech.input_sighted.is_empty() {
        return Some(
            "[speech] input_sighted: both players are blind; Black's microphone is input_black"
                .to_owned(),
        );
    }
    if speech.engine == EngineKind::System {
        return Some(
            "[speech] engine: speech-dispatcher has one voice for all, and what is private to one \
             of two blind players is not for the other's ear; use \"espeak\" or \"none\""
                .to_owned(),
        );
    }
    if speech.listen == Listen::Key
        && !speech.has_key_of_black()
        && config.buttons.pins.talk_black.is_none()
    {
        return Some(
            "[speech] talk_key_black: listen is \"key\", and Black has none: give him his key, or \
             talk_black in [buttons]"
                .to_owned(),
        );
    }
    let named = |section| written.has(section, "kind");
    if white.kind != BoardKind::None && !named("board_black") {
        return Some(
            "[board_black] kind is missing: both players are blind, and Black's peg board is \
             given there, with the keys of [board]"
                .to_owned(),
        );
    }
    // Two players without sensors may type in one terminal.
    let typed =
        |board: &BoardSection| board.kind == BoardKind::None && lines::is_stdin(&board.path);
    let one = white.reads_lines() && black.reads_lines() && white.path == black.path;
    if one && !(typed(white) && typed(black)) {
        return Some(format!(
            "[board_black] path: {} is White's board already: name another file or FIFO",
            white.path.display()
        ));
    }
    if let Some(at) = &config.braille.line
        && config.braille.line_black.as_ref() == Some(at)
    {
        return Some(format!(
            "[braille] line_black: {at} is White's line, and he would read what is private to Black: give \
             Black a brltty of his own"
        ));
    }
    bus_shared(white, black).or_else(|| devices_shared(speech))
}

/// Two boards on one bus answer at once, unless each is called by its own name.
fn bus_shared(white: &BoardSection, black: &BoardSection) -> Option<String> {
    let (first, second) = (white.reader()?, black.reader()?);
    let (one, other) = (&white.wires, &black.wires);
    let wired = |board: &BoardSection| board.wiring().and_then(Result::ok);
    if first.is_on_spi() && second.is_on_spi() && one.spi_bus == other.spi_bus {
        // A shift register drives its line always; an expander only when it is selected.
        let registers = [first, second].contains(&ReaderKind::ShiftRegister);
        if registers {
            return Some(format!(
                "[board_black] spi_bus: shift registers share no bus, and White's board is on {}",
                one.spi_bus
            ));
        }
        return (one.spi_select == other.spi_select).then(|| {
            format!(
                "[board_black] spi_select: White's board is /dev/spidev{}.{} already",
                one.spi_bus, one.spi_select
            )
        });
    }
    if first.is_on_i2c() && second.is_on_i2c() {
        let (white, black) = (wired(white)?, wired(black)?);
        let taken = black.addresses.iter().find(|address| white.addresses.contains(address));
        return taken.filter(|_| one.i2c_bus == other.i2c_bus).map(|address| {
            format!(
                "[board_black] addresses: {address:#04x} is on White's board already, on the same \
                 i2c_bus: give Black's board another bus"
            )
        });
    }
    None
}

/// One player's private words are not for the other's ear, and a player's own microphone is not
/// shared.
fn devices_shared(speech: &SpeechSection) -> Option<String> {
    if speech.private_black == speech.private && speech.private != "none" {
        return Some(format!(
            "[speech] private_black: \"{}\" is White's earphone: give Black his own, or \"none\"",
            speech.private
        ));
    }
    if speech.input_black == speech.input {
        return Some(format!(
            "[speech] input_black: \"{}\" is White's microphone: give Black his own, or leave it \
             out",
            speech.input
        ));
    }
    let black = speech.of_black();
    let same = speech.has_key_of_black()
        && (&black.talk_key, black.keyboard()) == (&speech.talk_key, speech.keyboard());
    same.then(|| {
        format!("[speech] talk_key_black: {} is White's key: give Black another", speech.talk_key)
    })
}

/// Which of two blind players hears no private words, and why. Private words are never read aloud
/// instead: the other would hear them.
///
/// Source: FIDE D.2.6, 11.3.1
pub(super) fn unheard(speech: &SpeechSection) -> [Option<&'static str>; 2] {
    if speech.engine == EngineKind::None {
        return [None, None];
    }
    let white = speech.private == speech.public && speech.public != "none";
    let black = speech.private_black.is_empty()
        || (speech.private_black == speech.public && speech.public != "none");
    [
        white.then_some(
            "[speech] private is the loudspeaker: what is private to White is not spoken, or Black \
             would hear it; name White's earphone",
        ),
        black.then_some(
            "[speech] private_black names no earphone of Black's own: what is private to him is \
             not spoken, or White would hear it; name Black's earphone",
        ),
    ]
}
