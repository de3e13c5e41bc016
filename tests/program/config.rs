//! The configuration file: an empty one plays, a wrong one is refused in one line that helps.

use std::path::{Path, PathBuf};

use annabella::config::{AnnounceForm, BoardKind, ClockKind, Config, EngineKind, Reports};
use annabella_core::game::{Blind, GameConfig, HandsKnown, HandsOf};
use annabella_devices::braille::line::BrlttyAt;
use proptest::prelude::*;
use shakmaty::Color;

fn refusal(text: &str) -> String {
    Config::parse(text, "annabella.toml").expect_err("this configuration is wrong").to_string()
}

#[test]
fn an_empty_file_plays_a_fide_game() {
    let config = Config::parse("", "annabella.toml").expect("an empty file is right");
    assert_eq!(config, Config::default());
    // Nothing feels his hands, so what he announces stands for them.
    let hands = HandsOf { white: HandsKnown::Announced, black: HandsKnown::Felt };
    assert_eq!(config.game(), GameConfig { hands, ..GameConfig::default() });
    assert_eq!(config.game().time_control, "40/90+30:30+30");
    assert_eq!(config.board.kind, BoardKind::None);
    assert_eq!(config.console.listen, Some("127.0.0.1:8080".parse().expect("an address")));
    assert_eq!(config.journal.path, PathBuf::from("annabella.db"));
}

#[test]
fn the_example_says_what_an_empty_file_says() {
    assert_eq!(Config::parse(Config::example(), "example.toml"), Ok(Config::default()));
}

#[test]
fn every_key_reaches_its_place() {
    let config = Config::load(Path::new("tests/data/config/every-key.toml")).expect("right");
    assert_eq!(config.game.time_control.to_string(), "25+5d");
    assert_eq!(config.game.white, "Anna Zäsar");
    assert_eq!(config.game.black, "Hector");
    assert_eq!(config.game.blind, Blind::Both);
    assert!(config.game.opponent_deaf);
    assert_eq!(config.game.start.as_deref(), Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
    assert!(config.game.setup);
    assert_eq!(config.game.players, ["Ada Mor", "Ben Nash"]);
    assert_eq!(config.game.keys, ["left", "right", "enter"]);
    assert_eq!(config.game.keyboard, "/dev/input/event3");
    assert_eq!(config.board.kind, BoardKind::Events);
    assert_eq!(config.board.reports, Reports::Spoken);
    assert_eq!(config.board.path, PathBuf::from("game.jsonl"));
    assert_eq!(config.board.sensing.debounce_ms, 15);
    assert_eq!(config.board.sensing.settle_ms, 300);
    assert_eq!(config.board.sensing.castling_ms, 2_000);
    assert_eq!(config.board.sensing.ending_ms, 2_500);
    assert_eq!(config.board.sensing.released_ms, 1_200);
    assert_eq!(config.board.sensing.guide_ms, 4_000);
    assert_eq!(config.board_black.kind, BoardKind::ShiftRegister);
    assert_eq!(config.board_black.sensing.debounce_ms, 25);
    assert_eq!(config.board_black.wires.spi_bus, 1);
    assert_eq!(config.buttons.pins.talk_black, Some(14));
    assert_eq!(config.buttons.pins.repeat_black, Some(15));
    assert_eq!(config.sighted.port, PathBuf::from("/dev/ttyUSB1"));
    assert_eq!(config.clock.kind, ClockKind::Dgt);
    assert_eq!(config.braille.line, BrlttyAt::parse("/var/lib/BrlAPI/0"));
    assert_eq!(config.braille.line_black, BrlttyAt::parse("192.168.1.5:4102"));
    assert_eq!(config.braille.key_file, PathBuf::from("/etc/annabella/brlapi.key"));
    assert_eq!(config.speech.model, Some(PathBuf::from("/opt/model-de")));
    assert_eq!(config.speech.words, "en");
    assert_eq!(config.speech.prompts, "packs/ru.toml");
    assert_eq!(config.speech.engine, EngineKind::None);
    assert_eq!(config.speech.voice, "f2");
    assert_eq!(config.speech.input, "USB");
    assert_eq!(config.speech.input_black, "USB 2");
    assert_eq!(config.speech.talk_key_black, "f13");
    assert_eq!(config.speech.talk_device_black, "/dev/input/event4");
    assert_eq!(config.speech.private_black, "Headset");
    assert_eq!(config.speech.confusions_black.as_deref(), Some(Path::new("black.toml")));
    let black = config.game().earphone(shakmaty::Color::Black);
    assert_eq!((black.words_per_minute, black.volume), (220, 70));
    assert_eq!(config.game().earphone(shakmaty::Color::White), config.game().private);
    assert_eq!(config.speech.public, "HDMI");
    assert_eq!(config.speech.private, "Headphones");
    assert_eq!(config.speech.public_rate, 140);
    assert_eq!(config.speech.private_rate, 300);
    assert_eq!(config.speech.public_volume, 80);
    assert_eq!(config.speech.private_volume, 0);
    assert_eq!(config.speech.announce_form, AnnounceForm::Short);
    assert!(config.speech.greet);
    let duties = config.duties;
    assert!(duties.start_clock);
    assert!(
        !(duties.relay
            || duties.announce
            || duties.keep_score
            || duties.inform
            || duties.claim
            || duties.adjourn)
    );
    assert_eq!(config.console.listen, Some("127.0.0.1:9090".parse().expect("an address")));
    assert_eq!(config.journal.path, PathBuf::from("/var/lib/annabella/games.db"));

    let game = config.game();
    assert!(!game.sighted_board && game.display);
    assert_eq!(game.words, "en");
    assert_eq!(game.prompts, "packs/ru.toml");
    assert_eq!(game.duties, duties);
    assert_eq!(game.sensing, config.board.sensing);
    assert_eq!(game.blind, Blind::Both);
    assert_eq!(game.time_control, "25+5d");
}

#[test]
fn unknown_names_are_refused_with_the_nearest_known_one() {
    assert_eq!(
        refusal("[game]\nwhite = \"A\"\ntime_controll = \"3+2\"\n"),
        "annabella.toml:3: unknown key 'time_controll' in [game]; did you mean 'time_control'?"
    );
    assert_eq!(
        refusal("\n\n[bord]\nkind = \"sim\"\n"),
        "annabella.toml:3: unknown section [bord]; did you mean [board]?"
    );
    assert_eq!(
        refusal("time_control = \"3+2\"\n"),
        "annabella.toml:1: key 'time_control' stands in the wrong place; put it under [game]"
    );
    assert_eq!(
        refusal("[board]\nsettle_ms = 400\nblind = \"black\"\n"),
        "annabella.toml:3: key 'blind' stands in the wrong place; put it under [game]"
    );
    assert_eq!(
        refusal("[speech.greeet]\nname = 1\n"),
        "annabella.toml:1: unknown key 'greeet' in [speech]; did you mean 'greet'?"
    );
}

#[test]
fn the_hall_is_off_until_it_has_an_address() {
    let hall = |text: &str| Config::parse(text, "annabella.toml").map(|config| config.hall);
    assert_eq!(hall("").expect("nothing").url, None);
    let wanted =
        "[hall]\nurl = \"nats://192.168.4.1:4222\"\nevent = \"olympiad-2027\"\nboard = 17\n";
    let hall = hall(wanted).expect("a hall");
    let url = hall.url.as_deref();
    assert_eq!((url, hall.board), (Some("nats://192.168.4.1:4222"), 17));
    assert_eq!(hall.event, "olympiad-2027");
    for url in ["192.168.4.1", "http://hall", "nats://", "nats://a b", "nats://a,b"] {
        assert_eq!(
            refusal(&format!("[hall]\nurl = \"{url}\"\n")),
            format!(
                "annabella.toml:2: url in [hall] is \"{url}\"; allowed: the hall's server, as in \
                 \"nats://192.168.4.1:4222\" or \"tls://hall.example\", or \"\" for off"
            )
        );
    }
    for event in ["", "Oslo", "a.b", "*"] {
        assert_eq!(
            refusal(&format!("[hall]\nevent = \"{event}\"\n")),
            format!(
                "annabella.toml:2: event in [hall] is \"{event}\"; allowed: 1 to 32 letters a to z, digits and \
                 hyphens, as in \"olympiad-2027\""
            )
        );
    }
    assert_eq!(
        refusal("[hall]\nboard = 0\n"),
        "annabella.toml:2: board in [hall] is 0; allowed: a whole number from 1 to 99999"
    );
}

#[test]
fn wrong_values_are_refused_with_what_is_allowed() {
    assert_eq!(
        refusal("[board]\nkind = \"simm\"\n"),
        "annabella.toml:2: kind in [board] is \"simm\"; allowed: \"none\", \"sim\", \"events\", \"shift-register\", \"expander\", \"matrix\""
    );
    assert_eq!(
        refusal("[board]\nsettle_ms = 5\n"),
        "annabella.toml:2: settle_ms in [board] is 5; allowed: a whole number from 50 to 10000"
    );
    assert_eq!(
        refusal("[board]\nsettle_ms = -99999999999999999999\n"),
        "annabella.toml:2: settle_ms in [board] is -99999999999999999999; allowed: a whole number from 50 to 10000"
    );
    assert_eq!(
        refusal("[speech]\nrate = \"fast\"\n"),
        "annabella.toml:2: rate in [speech] is \"fast\"; allowed: a whole number from 80 to 450"
    );
    assert_eq!(
        refusal("[speech]\nvoice = \"f2 -w x\"\n"),
        "annabella.toml:2: voice in [speech] is \"f2 -w x\"; allowed: a voice variant of espeak-ng, as in \"f2\" or \"m3\", or \"\""
    );
    assert_eq!(
        refusal("[speech]\npublic_volume = 101\n"),
        "annabella.toml:2: public_volume in [speech] is 101; allowed: a whole number from 0 to 100"
    );
    assert_eq!(
        refusal("[duties]\nrelay = \"yes\"\n"),
        "annabella.toml:2: relay in [duties] is \"yes\"; allowed: true, false"
    );
    assert_eq!(
        refusal("[game]\ntime_control = \"40/90+30\"\n"),
        "annabella.toml:2: time_control in [game] is \"40/90+30\"; allowed: periods \"moves/minutes+seconds\", as in \"40/90+30:30+30\" or \"3+2\" (character 1: the last period is for all remaining moves: write it without 'moves/', as in '40/90:30')"
    );
    assert_eq!(
        refusal("[console]\nlisten = \"8080\"\n"),
        "annabella.toml:2: listen in [console] is \"8080\"; allowed: an address and a port, as in \"127.0.0.1:8080\", or \"\" for off"
    );
    assert_eq!(
        refusal("[journal]\npath = \"\"\n"),
        "annabella.toml:2: path in [journal] is \"\"; allowed: a path in quotes"
    );
    assert_eq!(
        refusal("[speech]\nwords = 3\n"),
        "annabella.toml:2: words in [speech] is 3; allowed: \"fide\", \"de\", \"en\", \"ru\", \"fr\", \"es\", \"pl\", \"lt\", or the path of a .toml file"
    );
    let fen = refusal("[game]\nstart = \"8/8/8/8/8/8/8/8 w - - 0 1\"\n");
    assert!(
        fen.starts_with("annabella.toml:2: start in [game] is \"8/8/8/8/8/8/8/8 w - - 0 1\"; allowed: a position in FEN, or \"\" for the usual one (illegal position"),
        "{fen}"
    );
}

#[test]
fn what_is_not_toml_is_refused_with_its_line() {
    for (text, line) in [
        ("[game]\nwhite = \n", 2),
        ("[game]\nwhite = \"A\"\nwhite = \"B\"\n", 3),
        ("[game]\n\n[game]\n", 3),
        ("[game\n", 1),
        ("\nhello\n", 2),
        ("[game]\nwhite = \"A\n", 2),
        ("[[board]]\nkind = \"sim\"\n", 1),
        ("game = 3\n", 1),
    ] {
        let message = refusal(text);
        assert!(
            message.starts_with(&format!("annabella.toml:{line}: ")) && !message.contains('\n'),
            "{text:?}: {message}"
        );
    }
}

#[test]
fn lines_may_end_in_cr_alone_or_in_cr_and_lf() {
    let example = Config::load(Path::new("tests/data/config/every-key.toml")).expect("right");
    let text = std::fs::read_to_string("tests/data/config/every-key.toml").expect("there");
    for end in ["\r", "\r\n"] {
        assert_eq!(Config::parse(&text.replace('\n', end), "a.toml"), Ok(example.clone()));
        let wrong = "[game]\n\nblind = \"blue\"\n";
        assert_eq!(refusal(&wrong.replace('\n', end)), refusal(wrong));
    }
    assert!(refusal("[game]\r\rblind = \"blue\"\r").starts_with("annabella.toml:3: "));
}

#[test]
fn the_first_problem_in_the_file_is_told_first() {
    assert!(refusal("[speech]\ngreet = 1\n[board]\nkind = 2\n").contains(":2: greet"));
}

#[test]
fn a_rate_for_both_channels_yields_to_one_for_a_channel() {
    let config = Config::parse("[speech]\nprivate_rate = 300\nrate = 120\n", "a").expect("right");
    assert_eq!(config.speech.public_rate, 120);
    assert_eq!(config.speech.private_rate, 300);
}

#[test]
fn who_sits_on_the_left_of_the_clock_is_said_once_for_buttons_and_clock() {
    let left = |text: &str| Config::parse(text, "a").expect("right").presses_left();
    assert_eq!(left(""), Color::White);
    assert_eq!(left("[clock]\nleft = \"black\"\n"), Color::Black);
    assert_eq!(left("[buttons]\nleft = \"black\"\n"), Color::Black);
    assert_eq!(left("[buttons]\nleft = \"black\"\n[clock]\nleft = \"auto\"\n"), Color::Black);
    assert_eq!(
        refusal("[clock]\nleft = \"white\"\n[buttons]\nleft = \"black\"\n"),
        "annabella.toml:4: left in [buttons] is \"black\"; allowed: nothing, or \"white\" as [clock] left says: it counts for the buttons too"
    );
}

#[test]
fn a_missing_file_is_one_line_with_the_remedy() {
    let error = Config::load(Path::new("tests/data/config/missing.toml")).expect_err("missing");
    assert_eq!(
        error.to_string(),
        "cannot read tests/data/config/missing.toml: No such file or directory (os error 2); correct the path given with --config, or leave it out to play with the defaults"
    );
    let error = Config::load(Path::new("tests/data/config/not-text.toml")).expect_err("not text");
    let at = "tests/data/config/not-text.toml:2: it is not saved as UTF-8";
    assert!(error.to_string().starts_with(at), "{error}");
}

#[test]
fn what_is_no_toml_says_what_to_change_in_words_for_whoever_typed_it() {
    for (text, told) in [
        ("[game]\nwhite = „Müller“", "x.toml:2: quotes must be straight: white = \"…\""),
        ("[hearing]\naccept_distance = 0,35", "x.toml:2: write accept_distance = 0.35"),
        ("[hearing]\naccept_distance = ,35 # mehr", "x.toml:2: write accept_distance = 0.35"),
        ("[speech]\nrate = 080", "x.toml:2: write rate = 80"),
        ("[speech]\npublic_volume = 80 %", "x.toml:2: write public_volume = 80"),
        ("[game]\nat_home = ja", "x.toml:2: write at_home = true"),
        ("[game]\nat_home = Aus", "x.toml:2: write at_home = false"),
        ("[game]\nat_home = True", "x.toml:2: write at_home = true"),
        ("[game]\ntime_control = 1:30", "x.toml:2: quotes are missing: time_control = \"…\""),
        ("[game]\nwhite = 24.12.2026", "x.toml:2: quotes are missing: white = \"…\""),
        ("[game]\nwhite = \"Anna", "x.toml:2: a quote is missing: white = \"…\""),
        ("[game]\nwhite =", "x.toml:2: the value is missing: white = …"),
        ("[game]\nwhite: \"Anna\"", "x.toml:2: a line is a section, as in [game], a key with = "),
        ("[game]\n// Anna", "x.toml:2: a line is a section, as in [game], a key with = "),
        ("[game\nwhite = \"Anna\"", "x.toml:1: a section stands in brackets, alone on its line"),
        ("[game]\nwhite = \"Anna\";", "x.toml:2: behind the value nothing may stand"),
        (
            "[game]\nwhite = \"Anna\", black = \"Ben\"",
            "x.toml:2: behind the value nothing may stand",
        ),
        ("[game]\nweiß = \"Anna\"", "x.toml:2: 'weiß' is no key: a key has letters a to z and _"),
        ("[game]\nwhite\u{a0}= \"Anna\"", "x.toml:2: a blank of this line is a special one"),
        ("[journal]\npath = \"C:\\Ulla\\a.db\"", "x.toml:2: a backslash means something else"),
        ("white = \"Anna\"", "x.toml:1: 'white' stands above all sections: put it below its own"),
        ("[game]\n[clock]\n[game]", "x.toml:3: [game] stands there twice: put the keys of both"),
        ("[game]\nwhite = Anna", "x.toml:2: quotes are missing: white = \"…\""),
        (
            "[game]\nwhite = \"a\"\nwhite = \"b\"",
            "x.toml:3: 'white' stands there twice: delete one of the two lines",
        ),
    ] {
        let error = Config::parse(text, "x.toml").expect_err(text).to_string();
        assert!(error.starts_with(told), "{text:?}: {error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Nothing in a file panics, and every refusal is one line that begins with file and line.
    #[test]
    fn any_change_to_the_example_is_read_or_refused_in_one_line(
        cut in 0usize..3000, length in 0usize..40, insert in "[\\[\\]\"=#\na-z0-9.{}é\u{7}-]{0,12}",
    ) {
        let mut text: Vec<char> = Config::example().chars().collect();
        let start = cut.min(text.len());
        let end = (start + length).min(text.len());
        text.splice(start..end, insert.chars());
        if let Err(error) = Config::parse(&text.into_iter().collect::<String>(), "x.toml") {
            let message = error.to_string();
            prop_assert!(message.starts_with("x.toml:"), "{}", message);
            prop_assert!(!message.contains(char::is_control), "{:?}", message);
        }
    }
}

/// A configuration for two blind players with events boards.
fn both(more: &str) -> String {
    format!(
        "[game]\nblind = \"both\"\n[board]\nkind = \"events\"\n[board_black]\nkind = \"events\"\npath = \"b\"\n{more}"
    )
}

#[test]
fn f2_what_each_of_two_blind_players_needs_is_his_own() {
    let right = Config::parse(&both(""), "a.toml").expect("right");
    assert_eq!(right.board_black.path, PathBuf::from("b"));
    let earphones = |keys: &str| both(&format!("[speech]\n{keys}\n"));
    assert_eq!(
        refusal("[game]\nblind = \"both\"\n[board]\nkind = \"events\"\n"),
        "annabella.toml:2: [board_black] kind is missing: both players are blind, and Black's peg board \
         is given there, with the keys of [board]"
    );
    assert_eq!(
        refusal(&both("").replace("\"b\"", "\"-\"")),
        "annabella.toml:7: [board_black] path: - is White's board already: name another file or FIFO"
    );
    assert_eq!(
        refusal(&earphones("private_black = \"default\"")),
        "annabella.toml:9: [speech] private_black: \"default\" is White's earphone: give Black his own, \
         or \"none\""
    );
    assert_eq!(
        refusal(&earphones("input_black = \"default\"")),
        "annabella.toml:9: [speech] input_black: \"default\" is White's microphone: give Black his own, \
         or leave it out"
    );
    assert_eq!(
        refusal(&earphones("listen = \"key\"\ntalk_key_black = \"space\"")),
        "annabella.toml:10: [speech] talk_key_black: space is White's key: give Black another"
    );
    assert!(refusal(&earphones("listen = \"key\"")).contains("Black has none: give him his key"));
    assert!(refusal(&earphones("engine = \"system\"")).contains("speech-dispatcher has one voice"));
    assert!(refusal(&both("[sighted]\nkind = \"dgt\"\n")).contains("nobody sits at that board"));
    assert_eq!(
        refusal("[board_black]\nkind = \"events\"\n"),
        "annabella.toml:1: [board_black] is for two blind players: the board of the only one is \
         [board]; set blind = \"both\" in [game], or leave [board_black] out"
    );
    assert_eq!(
        refusal("[speech]\nprivate_black = \"B\"\n"),
        "annabella.toml:2: [speech] private_black is for two blind players: set blind = \"both\" in \
         [game], or leave it out"
    );
    assert_eq!(
        refusal("[speech]\nprivate_rate_black = 200\n"),
        "annabella.toml:2: [speech] private_rate_black is for two blind players: set blind = \"both\" \
         in [game], or leave it out"
    );
    // The game's own times are not one board's.
    assert_eq!(
        refusal("[board_black]\nsettle_ms = 400\n"),
        "annabella.toml:2: key 'settle_ms' stands in the wrong place; put it under [board]"
    );
}

#[test]
fn f2_two_boards_share_no_wires() {
    let boards = |white: &str, black: &str| {
        format!("[game]\nblind = \"both\"\n[board]\n{white}\n[board_black]\n{black}\n")
    };
    let registers = "kind = \"shift-register\"";
    assert!(refusal(&boards(registers, registers)).contains("LATCH"));
    let other = "kind = \"shift-register\"\nlatch_gpio = 24";
    assert_eq!(
        refusal(&boards(registers, other)),
        "annabella.toml:5: [board_black] spi_bus: shift registers share no bus, and White's board is \
         on 0"
    );
    let expander = "kind = \"expander\"";
    assert!(refusal(&boards(expander, expander)).contains("0x20 is on White's board already"));
    let bus = "kind = \"expander\"\ni2c_bus = 3";
    assert!(Config::parse(&boards(expander, bus), "a.toml").is_ok());
    let spi = "kind = \"expander\"\nbus = \"spi\"";
    assert!(refusal(&boards(spi, spi)).contains("/dev/spidev0.0 already"));
    let selected = "kind = \"expander\"\nbus = \"spi\"\nspi_select = 1";
    assert!(Config::parse(&boards(spi, selected), "a.toml").is_ok());
}

#[test]
fn f2_whose_private_words_are_not_spoken_is_said() {
    let unheard = |keys: &str| {
        let text = both(&format!("[speech]\n{keys}\n"));
        let config = Config::parse(&text, "a.toml").expect("right");
        config.unheard().map(|why| why.is_some())
    };
    assert_eq!(unheard(""), [true, true], "one device for all: both would hear it");
    assert_eq!(unheard("private = \"A\""), [false, true]);
    assert_eq!(unheard("private = \"A\"\nprivate_black = \"B\""), [false, false]);
    assert_eq!(unheard("private = \"A\"\nprivate_black = \"none\""), [false, false]);
    assert_eq!(unheard("engine = \"none\""), [false, false]);
    let one = Config::parse("[speech]\nprivate = \"default\"\n", "a.toml").expect("right");
    assert_eq!(one.unheard(), [None, None], "alone he may have it aloud");
}

#[test]
fn a_certificate_without_its_key_is_no_configuration() {
    for (one, other) in [("certificate", "key"), ("key", "certificate")] {
        let wrong = Config::parse(&format!("[console]\n{one} = \"a.pem\"\n"), "a.toml");
        let wrong = wrong.expect_err("half of a pair").to_string();
        assert!(wrong.contains(&format!("[console] {other} is missing")), "{wrong}");
    }
}

#[test]
fn what_is_typed_beside_a_board_without_sensors_may_come_from_nowhere() {
    for section in ["board", "board_black"] {
        let text = format!("[game]\nblind = \"both\"\n[{section}]\npath = \"\"\n");
        let config = Config::parse(&text, "a.toml").expect("as example.toml says");
        let board = if section == "board" { &config.board } else { &config.board_black };
        assert_eq!((board.path.as_path(), board.reads_lines()), (Path::new(""), false));
        let events = text.replace("path = ", "kind = \"events\"\npath = ");
        assert_eq!(
            refusal(&events),
            format!(
                "annabella.toml:5: [{section}] path: \"events\" come from a file or a FIFO: name it, or \"-\" for \
                 standard input"
            )
        );
    }
}

#[test]
fn a_pack_and_a_key_that_are_not_there_are_refused_where_they_stand() {
    for key in ["words", "prompts"] {
        assert_eq!(
            refusal(&format!("[speech]\n\n{key} = \"zzz\"\n")),
            format!(
                "annabella.toml:3: {key} in [speech] is \"zzz\"; allowed: \"fide\", \"de\", \"en\", \"ru\", \"fr\", \"es\", \
                 \"pl\", \"lt\", or the path of a .toml file"
            )
        );
    }
    let near = "a key by the kernel's name (no key is called 'spase': write 'space', or the kernel's number of \
                the key (1 to 767))";
    for (section, key) in [
        ("clock", "white_key"),
        ("clock", "black_key"),
        ("speech", "talk_key"),
        ("speech", "talk_key_black"),
    ] {
        assert_eq!(
            refusal(&format!("[{section}]\n{key} = \"spase\"\n")),
            format!("annabella.toml:2: {key} in [{section}] is \"spase\"; allowed: {near}")
        );
    }
    let keys = "[\"spase\", \"right\", \"enter\"]";
    assert_eq!(
        refusal(&format!("[game]\nkeys = {keys}\n")),
        format!("annabella.toml:2: keys in [game] is {keys}; allowed: {near}")
    );
    assert!(Config::parse("[clock]\nwhite_key = \"a\"\nblack_key = \"l\"\n", "a.toml").is_ok());
    assert_eq!(
        refusal("[clock]\nwhite_key = \"a\"\nblack_key = \"key_a\"\n"),
        "annabella.toml:3: [clock] black_key: key_a is White's key: give Black another"
    );
}

#[test]
fn what_does_not_go_together_is_told_with_the_line_where_it_stands() {
    for (text, told) in [
        (
            "[lights]\nwhite = 5\nblack = 5\n",
            "annabella.toml:3: GPIO 5 is used twice, for [lights] white and for [lights] black: move one of them",
        ),
        (
            "[lights]\nwhite = 25\n[board]\nkind = \"shift-register\"\n",
            "annabella.toml:2: GPIO 25 is used twice, for [board] LATCH and for [lights] white: move one of them",
        ),
        (
            "[board]\nkind = \"expander\"\naddresses = [0x20]\n",
            "annabella.toml:3: [board] addresses names 1 chips, expander-i2c needs 5",
        ),
        (
            "[game]\nblind = \"both\"\n[board_black]\nkind = \"expander\"\naddresses = [0x20]\n",
            "annabella.toml:5: [board_black] addresses names 1 chips, expander-i2c needs 5",
        ),
        (
            "[console]\nlisten = \"\"\n[game]\nopponent_deaf = true\n",
            "annabella.toml:4: [game] opponent_deaf: a deaf opponent reads what is said on a display (D.2.11): give \
             [console] listen an address, as in \"127.0.0.1:8080\"",
        ),
    ] {
        assert_eq!(refusal(text), told);
    }
    let wrong = refusal("[console]\n\ncertificate = \"a.pem\"\n");
    assert!(wrong.starts_with("annabella.toml:1: [console] key is missing"), "{wrong}");
}

/// What is found out only when it is used: the file and its line, whatever is wrong there.
#[test]
fn what_the_configuration_names_and_is_not_there_is_told_with_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let quiet = "[speech]\nengine = \"none\"\nlisten = \"off\"\n[console]\nlisten = \"\"\n";
    for (text, told) in [
        (
            quiet.replace("listen = \"off\"", "listen = \"off\"\nconfusions = \"none.toml\""),
            "annabella: a.toml:4: [speech] confusions: cannot read none.toml: No such file or directory (os error 2)\n",
        ),
        (
            quiet.replace("listen = \"off\"", "listen = \"off\"\nwords = \"none.toml\""),
            "annabella: a.toml:4: [speech] words: cannot read none.toml: No such file or directory (os error 2)\n",
        ),
        (
            format!("{quiet}[sighted]\nkind = \"reed\"\npath = \"/none\"\n"),
            "annabella: a.toml:8: [sighted] path: cannot read /none: No such file or directory (os error 2)\n",
        ),
    ] {
        std::fs::write(folder.path().join("a.toml"), text).expect("written");
        let mut play = std::process::Command::new(env!("CARGO_BIN_EXE_annabella"));
        play.args(["play", "--config", "a.toml"]).current_dir(folder.path()).env("LC_ALL", "C");
        let ran = play.stdin(std::process::Stdio::null()).output().expect("runs");
        assert_eq!(String::from_utf8_lossy(&ran.stderr), told);
    }
}
