//! A game is set up and started by voice, by keys or by typed words, each alone; the next one
//! follows.

mod opponents;

use std::sync::LazyLock;

use annabella_core::{
    game::{At, Blind, Channel, Game, GameConfig, HandsKnown, HandsOf, Input, Started},
    lobby::{Before, BoardShown, Lobby, LobbyInput, LobbyOutput, NotTaken, Opening, Unfinished},
    questionnaire::Key,
};
use annabella_words::phrase::{
    Command, Prompt, Slot, Words,
    hear::{Heard, Hypothesis},
    pack,
};
use proptest::prelude::*;
use shakmaty::{Bitboard, Board, Color, Square};

/// A lobby with its own clock, and what it did.
struct Room {
    lobby: Lobby,
    at: At,
    begun: Vec<GameConfig>,
    resumed: Vec<i64>,
    finished: bool,
}

impl Room {
    fn new(lang: &str, opening: Opening) -> Room {
        static GERMAN: LazyLock<Words> =
            LazyLock::new(|| Words::builtin("fide", "de").expect("built-in packs"));
        let words = match lang {
            "de" => GERMAN.clone(),
            lang => Words::builtin(lang, lang).expect("built-in packs"),
        };
        let lobby = Lobby::new(words, opening).expect("a lobby");
        Room { lobby, at: At::new(0), begun: Vec::new(), resumed: Vec::new(), finished: false }
    }

    fn german() -> Room {
        Room::new("de", Opening::default())
    }

    fn after(&mut self, ms: u64, input: LobbyInput) -> Vec<String> {
        self.at = At::new(self.at.ms + ms);
        let mut said = Vec::new();
        for output in self.lobby.handle(self.at, input) {
            match output {
                LobbyOutput::Say { channel: Channel::Private, seat, words, .. } => {
                    let whose = seat.map_or("", |seat| seat.fold_wb("white: ", "black: "));
                    said.push(format!("{whose}{words}"));
                }
                LobbyOutput::Say { words, .. } => said.push(format!("aloud: {words}")),
                LobbyOutput::Begin(config) => {
                    plays(&config);
                    self.begun.push(*config);
                    said.push("(begins)".to_owned());
                }
                LobbyOutput::Resume(number) => {
                    self.resumed.push(number);
                    said.push(format!("(resumes {number})"));
                }
                LobbyOutput::TakeOver(board) => said.push(format!("(takes over {board})")),
                LobbyOutput::Finished => self.finished = true,
                LobbyOutput::Understood { .. }
                | LobbyOutput::Hush { .. }
                | LobbyOutput::Manner { .. } => {}
            }
        }
        said
    }

    fn input(&mut self, input: LobbyInput) -> String {
        self.after(10, input).join(" | ")
    }

    fn open(&mut self) -> String {
        self.input(LobbyInput::Opened)
    }

    fn say(&mut self, text: &str) -> String {
        let heard = Heard::ranked(vec![Hypothesis::new(text.to_lowercase(), 0.99)]);
        self.input(LobbyInput::Heard { seat: None, heard, pushed: false })
    }

    fn type_in(&mut self, text: &str) -> String {
        self.input(LobbyInput::Said { seat: None, text: text.to_owned() })
    }

    fn previous(&mut self) -> String {
        self.input(LobbyInput::Key(Key::Previous))
    }

    fn next(&mut self) -> String {
        self.input(LobbyInput::Key(Key::Next))
    }

    fn choose(&mut self) -> String {
        self.input(LobbyInput::Key(Key::Choose))
    }

    /// Goes through the list until this is said.
    fn until(&mut self, wanted: &str) {
        for _ in 0..60 {
            if self.next() == wanted {
                return;
            }
        }
        panic!("no '{wanted}' in the list");
    }

    fn pegs(&mut self, occupied: Bitboard) -> String {
        let seat = self.lobby.owner();
        self.input(LobbyInput::Board { seat, shown: BoardShown::Occupied(occupied) })
    }

    fn reed(&mut self, square: Square, occupied: bool) -> String {
        let seat = self.lobby.owner();
        self.input(LobbyInput::Edge { seat, square, occupied })
    }

    fn wait(&mut self) -> String {
        self.after(1000, LobbyInput::Woke).join(" | ")
    }

    /// From a board that stands right to the clock.
    fn start_on_pegs(&mut self, probe: Square) {
        self.reed(probe, false);
        self.reed(probe, true);
        assert_eq!(self.wait(), "Grundstellung. Alles bereit. Uhr starten?");
    }
}

fn start() -> Bitboard {
    Board::default().occupied()
}

/// The game takes the configuration, and its clock can be started.
fn plays(config: &GameConfig) {
    let packs = [&config.words, &config.prompts].map(|name| pack::builtin(name).expect("a pack"));
    let started = Started {
        config: config.clone(),
        packs: packs.map(str::to_owned).to_vec(),
        confusions: Default::default(),
        build: String::new(),
        unix_s: 0,
    };
    let mut game = Game::new();
    game.handle(At::new(0), Input::Started(Box::new(started))).expect("a game that can be played");
    game.handle(At::new(1), Input::ClockStarted).expect("a clock that can be started");
}

#[test]
fn who_wants_the_usual_game_answers_three_times() {
    let mut room = Room::german();
    room.pegs(start());
    assert_eq!(room.open(), "Neue Partie. Du hast Weiß. Turnierpartie. Richtig so?");
    assert_eq!(room.say("ja"), "Heb kurz den weißen Bauern von Eva zwei.");
    assert_eq!(room.reed(Square::E2, false), "");
    assert_eq!(room.reed(Square::E2, true), "");
    assert_eq!(room.wait(), "Grundstellung. Alles bereit. Uhr starten?");
    assert_eq!(room.say("Uhr starten"), "Die Uhr läuft. | (begins)");
    assert_eq!(room.begun, [GameConfig::default()]);
}

#[test]
fn everything_is_set_by_voice_undone_and_given_up() {
    let mut room = Room::german();
    room.pegs(start());
    room.open();
    for (said, answered) in [
        ("nein", "Was ändern? Bedenkzeit."),
        ("ja", "Welche Bedenkzeit? Turnierpartie."),
        ("Blitz", "Drei Minuten plus zwei Sekunden. Du hast Weiß. Blitz. Richtig so?"),
        ("zurück", "Welche Bedenkzeit? Turnierpartie."),
        ("andere Zeit", "Für wie viele Züge? Alle Züge."),
        ("vierzig Züge", "Wie viele Minuten? Dreißig Minuten."),
        ("neunzig Minuten", "Wie viele Sekunden pro Zug? Ohne Zuschlag."),
        ("ja", "Für wie viele Züge? Alle Züge."),
        ("alle Züge", "Wie viele Minuten? Dreißig Minuten."),
        ("dreißig", "Wie viele Sekunden pro Zug? Ohne Zuschlag."),
        (
            "zehn Sekunden",
            "Du hast Weiß. Vierzig Züge in neunzig Minuten, dann dreißig Minuten plus zehn Sekunden. Richtig so?",
        ),
        ("drei plus zwei", "Drei Minuten plus zwei Sekunden. Du hast Weiß. Blitz. Richtig so?"),
        ("Übersicht", "Du hast Weiß. Drei Minuten plus zwei Sekunden. Richtig so?"),
        ("ich habe Schwarz", "Du hast Schwarz. Blitz. Richtig so?"),
        ("Namen", "Wie heißt Weiß? Ohne Namen."),
        ("buchstabieren", "Buchstabiere."),
        ("Martha Otto Richard", "Mor."),
        ("Abstand", "Mor."),
        ("Anna", "Mor A."),
        ("löschen", "Mor."),
        ("fertig", "Wie heißt Schwarz? Ohne Namen."),
        ("weiter", "Du hast Schwarz. Mor gegen Schwarz. Blitz. Richtig so?"),
        ("Aufgaben", "Züge auf dem anderen Brett ausführen? Ja."),
        ("nein", "Soll ich die Züge ansagen? Ja."),
        ("weiter", "Deine Partie mitschreiben? Ja."),
        ("zurück", "Soll ich die Züge ansagen? Ja."),
        ("abbrechen", "Gut, dann nicht. Du hast Schwarz. Mor gegen Schwarz. Blitz. Richtig so?"),
        ("Farben", "Welche Farbe hast du? Schwarz."),
        ("nein", "Beide blind."),
        ("wiederhole", "Beide blind."),
        ("weiter", "Du hast Schwarz. Mor gegen Schwarz. Blitz. Richtig so?"),
        ("lauter", "Lautstärke hundert."),
        ("langsamer", "Tempo hundertvierzig."),
        ("Bretter", "Heb kurz den schwarzen Bauern von Eva sieben."),
    ] {
        let heard = room.say(said);
        if said == "wiederhole" {
            assert!(heard.ends_with("Beide blind."), "{said}: {heard}");
        } else {
            assert_eq!(heard, answered, "{said}");
        }
    }
    room.start_on_pegs(Square::E7);
    assert_eq!(room.say("los"), "Die Uhr läuft. | (begins)");
    let config = &room.begun[0];
    assert_eq!((config.white.as_str(), config.black.as_str()), ("Mor", ""));
    assert_eq!((config.blind, config.time_control.as_str()), (Blind::Black, "3+2"));
    assert_eq!(config.duties, GameConfig::default().duties);
    assert_eq!(config.private.words_per_minute, 140);
}

#[test]
fn a_blind_player_sets_up_alone_with_three_keys() {
    let players = ["Ada Mor", "Ben Nash"].map(str::to_owned).to_vec();
    let mut room = Room::new("de", Opening { players, ..Opening::default() });
    room.pegs(start());
    room.open();
    assert_eq!(room.next(), "Nein.");
    assert_eq!(room.choose(), "Was ändern? Bedenkzeit.");
    assert_eq!(room.choose(), "Welche Bedenkzeit? Turnierpartie.");
    assert_eq!(room.next(), "Schnell.");
    assert_eq!(room.next(), "Blitz.");
    assert_eq!(room.next(), "Neunzig Minuten plus dreißig Sekunden.");
    assert_eq!(room.previous(), "Blitz.");
    assert_eq!(room.choose(), "Drei Minuten plus zwei Sekunden. Du hast Weiß. Blitz. Richtig so?");
    room.next();
    room.choose();
    assert_eq!(room.next(), "Farben.");
    assert_eq!(room.choose(), "Welche Farbe hast du? Weiß.");
    assert_eq!(room.next(), "Schwarz.");
    assert_eq!(room.choose(), "Du hast Schwarz. Blitz. Richtig so?");
    room.next();
    room.choose();
    room.until("Namen.");
    assert_eq!(room.choose(), "Wie heißt Weiß? Ohne Namen.");
    room.until("Ben Nash.");
    assert_eq!(room.choose(), "Wie heißt Schwarz? Ohne Namen.");
    room.until("Buchstabieren.");
    assert_eq!(room.choose(), "Buchstabiere.");
    room.until("Martha.");
    assert_eq!(room.choose(), "M.");
    room.until("Otto.");
    assert_eq!(room.choose(), "Mo.");
    room.until("Richard.");
    assert_eq!(room.choose(), "Mor.");
    room.until("Fertig.");
    assert_eq!(room.choose(), "Du hast Schwarz. Ben Nash gegen Mor. Blitz. Richtig so?");
    room.next();
    room.choose();
    room.until("Aufgaben.");
    assert_eq!(room.choose(), "Züge auf dem anderen Brett ausführen? Ja.");
    for _ in 0..7 {
        room.choose();
    }
    // The answer that stands is "nein": the opponent hears.
    assert_eq!(room.choose(), "Du hast Schwarz. Ben Nash gegen Mor. Blitz. Richtig so?");
    assert_eq!(room.choose(), "Heb kurz den schwarzen Bauern von Eva sieben.");
    room.start_on_pegs(Square::E7);
    assert_eq!(room.choose(), "Die Uhr läuft. | (begins)");
    assert_eq!(room.begun[0].black, "Mor");
    assert_eq!(room.begun[0].duties, GameConfig::default().duties);
}

#[test]
fn a_time_control_is_put_together_with_keys() {
    let mut room = Room::german();
    room.open();
    room.say("Bedenkzeit");
    room.until("Andere Zeit.");
    assert_eq!(room.choose(), "Für wie viele Züge? Alle Züge.");
    room.until("Vierzig Züge.");
    room.choose();
    room.until("Hundertzwanzig Minuten.");
    room.choose();
    assert_eq!(room.choose(), "Für wie viele Züge? Alle Züge.");
    room.choose();
    assert_eq!(room.choose(), "Wie viele Sekunden pro Zug? Ohne Zuschlag.");
    room.until("Dreißig Sekunden.");
    room.choose();
    assert_eq!(room.lobby.config().time_control, "40/120:30+30");
}

#[test]
fn everything_can_be_typed() {
    let mut room = Room::german();
    room.open();
    assert_eq!(
        room.type_in("25+5d"),
        "Du hast Weiß. Fünfundzwanzig Minuten plus fünf Sekunden Verzögerung. Richtig so?"
    );
    // As people write it.
    let short = "Drei Minuten plus zwei Sekunden. Du hast Weiß. Blitz. Richtig so?";
    for typed in ["3 + 2", "3min+2s", "drei Minuten und zwei Sekunden", "3 2", "3+2"] {
        assert_eq!(room.type_in(typed), short, "{typed}");
        assert_eq!(
            room.type_in("15 + 10").split('.').next(),
            Some("Fünfzehn Minuten plus zehn Sekunden")
        );
    }
    room.type_in("25+5d");
    assert_eq!(room.type_in("namen"), "Wie heißt Weiß? Ohne Namen.");
    assert_eq!(room.type_in("Ada  Mor"), "Wie heißt Schwarz? Ohne Namen.");
    let set = "Du hast Weiß. Ada Mor gegen Дора Шаль. Fünfundzwanzig Minuten plus fünf Sekunden Verzögerung. Richtig so?";
    assert_eq!(room.type_in("Дора Шаль"), set);
    assert_eq!(room.type_in("99+99+99"), "Bitte? Richtig so?");
    assert_eq!(room.type_in("wiederhole"), set);
    assert_eq!(room.type_in("Neunzig Minuten für vierzig Züge, dann dreißig Minuten mit dreißig Sekunden pro Zug von Anfang an"), "Vierzig Züge in neunzig Minuten plus dreißig Sekunden, dann dreißig Minuten plus dreißig Sekunden. Du hast Weiß. Ada Mor gegen Дора Шаль. Turnierpartie. Richtig so?");
    assert_eq!(room.type_in("ja"), "Prüf die Aufstellung von Hand. Alles bereit. Uhr starten?");
    assert_eq!(room.type_in("ja"), "Die Uhr läuft. | (begins)");
    assert_eq!(room.begun[0].time_control, "40/90+30:30+30");
    assert_eq!(room.begun[0].white, "Ada Mor");
}

#[test]
fn a_board_without_sensors_goes_with_its_player_and_is_set_up_by_his_hands() {
    let hands = HandsOf { white: HandsKnown::Spoken, ..HandsOf::default() };
    let config = GameConfig { hands, sighted_board: true, ..GameConfig::default() };
    let mut room = Room::new("de", Opening { config, ..Opening::default() });
    // The opponent's board stands right; of his own nobody can say that.
    let shown = BoardShown::Pieces(Board::default());
    room.input(LobbyInput::Board { seat: Color::Black, shown });
    room.open();
    room.type_in("Schwarz");
    assert_eq!(room.type_in("ja"), "Prüf die Aufstellung von Hand. Alles bereit. Uhr starten?");
    assert_eq!(room.type_in("ja"), "Die Uhr läuft. | (begins)");
    let config = &room.begun[0];
    assert_eq!(config.blind, Blind::Black);
    assert_eq!((config.hands.white, config.hands.black), (HandsKnown::Felt, HandsKnown::Spoken));
}

#[test]
fn in_english_it_is_as_short() {
    // Two blind players need two boards.
    let mut room = Room::new("en", Opening { second_board: true, ..Opening::default() });
    room.pegs(start());
    assert_eq!(room.open(), "New game. You are White. Classical. All right?");
    for (said, answered) in [
        ("no", "Change what? Time control."),
        ("fifteen plus ten", "Fifteen minutes plus ten seconds. You are White. Rapid. All right?"),
        (
            "forty moves in one hundred minutes, then fifty minutes with thirty seconds per move from move one",
            "You are White. Forty moves in one hundred minutes plus thirty seconds, then fifty minutes plus thirty seconds. All right?",
        ),
        (
            "both blind",
            "Both blind. Forty moves in one hundred minutes plus thirty seconds, then fifty minutes plus thirty seconds. All right?",
        ),
        ("blitz", "Three minutes plus two seconds. Both blind. Blitz. All right?"),
        (
            "yes",
            "white: Lift the white pawn on Eva two for a moment. | black: Starting position. The other board is not ready yet.",
        ),
        ("skip", "All ready. Start the clock?"),
        ("start the clock", "The clock is running. | (begins)"),
    ] {
        assert_eq!(room.say(said), answered, "{said}");
    }
}

#[test]
fn pegs_are_put_right_one_at_a_time() {
    let mut room = Room::german();
    let astray = start().without(Square::D1) | Bitboard::from_square(Square::D3);
    room.pegs(astray.without(Square::A7));
    room.open();
    assert_eq!(room.say("ja"), "Entferne die Figur von David drei.");
    assert_eq!(room.reed(Square::D3, false), "");
    assert_eq!(room.wait(), "Setz die weiße Dame auf David eins.");
    assert_eq!(room.wait(), "", "it is said once");
    assert_eq!(room.say("wiederhole"), "Setz die weiße Dame auf David eins.");
    room.reed(Square::D1, true);
    assert_eq!(room.wait(), "Setz den schwarzen Bauern auf Anna sieben.");
    room.reed(Square::A7, true);
    assert_eq!(room.wait(), "Heb kurz den weißen Bauern von Eva zwei.");
    // The board is turned: his pawn stands on what the board calls d7.
    assert_eq!(room.reed(Square::D7, false), "Das Brett liegt verkehrt herum. Dreh es um.");
    room.reed(Square::D7, true);
    room.wait();
    room.start_on_pegs(Square::E2);
    // A piece falls while they wait for the round.
    room.reed(Square::H8, false);
    assert_eq!(room.wait(), "Setz den schwarzen Turm auf Hector acht.");
    room.reed(Square::H8, true);
    assert_eq!(room.wait(), "Grundstellung. Alles bereit. Uhr starten?");
}

#[test]
fn the_opponents_board_is_checked_too_and_said_aloud() {
    let mut room = Room::german();
    let mut turned = Board::default();
    turned.rotate_180();
    let shown = |board: &Board| LobbyInput::Board {
        seat: Color::Black,
        shown: BoardShown::Pieces(board.clone()),
    };
    room.input(shown(&turned));
    room.open();
    assert_eq!(room.say("ja"), "aloud: Das Brett des Gegners liegt falsch.");
    let mut missing = Board::default();
    missing.discard_piece_at(Square::B8);
    room.input(shown(&missing));
    assert_eq!(room.wait(), "aloud: Brett des Gegners: Bella acht prüfen.");
    room.input(shown(&Board::default()));
    assert_eq!(room.wait(), "Grundstellung. Alles bereit. Uhr starten?");
}

/// Two blind players, a peg board before each.
fn two_blind() -> Room {
    let config = GameConfig { blind: Blind::Both, ..GameConfig::default() };
    let mut room = Room::new("de", Opening { config, ..Opening::default() });
    for seat in Color::ALL {
        room.input(LobbyInput::Board { seat, shown: BoardShown::Occupied(start()) });
    }
    room
}

impl Room {
    fn reed_of(&mut self, seat: Color, square: Square, occupied: bool) -> String {
        self.input(LobbyInput::Edge { seat, square, occupied })
    }

    fn says(&mut self, seat: Color, text: &str) -> String {
        self.input(LobbyInput::Said { seat: Some(seat), text: text.to_owned() })
    }
}

#[test]
fn f13_two_blind_players_each_hear_about_their_own_board_and_begin_when_both_stand() {
    let (white, black) = (Color::White, Color::Black);
    let mut room = two_blind();
    assert_eq!(room.open(), "Neue Partie. Beide blind. Turnierpartie. Richtig so?");
    room.reed_of(black, Square::D8, false);
    assert_eq!(
        room.says(white, "ja"),
        "white: Heb kurz den weißen Bauern von Eva zwei. | black: Setz die schwarze Dame auf David acht."
    );
    // White's board is right; nothing of Black's is said to him, and no clock starts.
    room.reed_of(white, Square::E2, false);
    room.reed_of(white, Square::E2, true);
    assert_eq!(room.wait(), "white: Grundstellung. Am anderen Brett ist noch nicht aufgebaut.");
    assert_eq!(
        room.says(white, "wiederhole"),
        "white: Grundstellung. Am anderen Brett ist noch nicht aufgebaut."
    );
    assert_eq!(
        room.input(LobbyInput::Repeat { seat: Some(white) }),
        "white: Grundstellung. Am anderen Brett ist noch nicht aufgebaut."
    );
    assert_eq!(room.input(LobbyInput::Pressed { seat: black }), "");
    assert_eq!(
        room.input(LobbyInput::StartClock),
        "white: Grundstellung. Am anderen Brett ist noch nicht aufgebaut. | black: Die Grundstellung stimmt nicht. Setz die schwarze Dame auf David acht."
    );
    room.reed_of(black, Square::D8, true);
    assert_eq!(room.wait(), "black: Heb kurz den schwarzen Bauern von Eva sieben.");
    assert_eq!(
        room.reed_of(black, Square::D2, false),
        "black: Das Brett liegt verkehrt herum. Dreh es um."
    );
    room.reed_of(black, Square::D2, true);
    assert_eq!(room.wait(), "black: Heb kurz den schwarzen Bauern von Eva sieben.");
    room.reed_of(black, Square::E7, false);
    room.reed_of(black, Square::E7, true);
    // What concerns both is said to both.
    assert_eq!(room.wait(), "Grundstellung. Alles bereit. Uhr starten?");
    room.reed_of(black, Square::A8, false);
    assert_eq!(
        room.wait(),
        "white: Grundstellung. Am anderen Brett ist noch nicht aufgebaut. | black: Setz den schwarzen Turm auf Anna acht."
    );
    // He leaves it so: that is his word for his board alone.
    assert_eq!(room.says(white, "weiter"), "white: Am anderen Brett ist noch nicht aufgebaut.",);
    assert!(room.begun.is_empty());
    assert_eq!(room.says(black, "weiter"), "Alles bereit. Uhr starten?");
    assert_eq!(room.input(LobbyInput::Pressed { seat: black }), "Die Uhr läuft. | (begins)");
}

#[test]
fn f2_what_one_of_two_asks_in_the_lobby_only_he_hears() {
    let (white, black) = (Color::White, Color::Black);
    let mut room = two_blind();
    room.open();
    assert_eq!(room.says(black, "langsamer"), "black: Tempo hundertvierzig.");
    assert_eq!(room.lobby.config().earphone(black).words_per_minute, 140);
    assert_eq!(room.lobby.config().earphone(white).words_per_minute, 160);
    assert_eq!(room.says(white, "xyz"), "white: Bitte? Richtig so?");
    let short = "black: Sag: ja, nein, wiederhole, abbrechen. Für mehr: noch einmal Hilfe.";
    assert_eq!(room.says(black, "Hilfe"), short);
    assert!(room.says(black, "Hilfe").starts_with("black: Sag: ja, nein, weiter, zurück,"));
    assert_eq!(room.says(black, "Hilfe"), short);
    assert_eq!(room.says(black, "wiederhole"), "black: Beide blind. Turnierpartie. Richtig so?");
    // They change places: each finds his own rate there, and his own score.
    room.says(white, "ja");
    room.says(white, "weiter");
    room.says(black, "weiter");
    room.input(LobbyInput::Pressed { seat: black });
    room.input(LobbyInput::Ended { result: "1-0".to_owned() });
    assert_eq!(room.says(black, "Spielstand"), "black: Gewonnen null, remis null, verloren eins.");
    assert_eq!(room.says(white, "nächste Partie"), "Farben tauschen?");
    room.says(white, "ja");
    assert_eq!(room.lobby.config().earphone(white).words_per_minute, 140);
    assert_eq!(room.lobby.config().earphone(black).words_per_minute, 160);
    room.says(white, "zurück");
    assert_eq!(room.lobby.config().earphone(black).words_per_minute, 140);
}

#[test]
fn f2_two_blind_players_need_a_second_board() {
    let mut room = Room::german();
    room.open();
    let answer = "Dafür fehlt das zweite Brett. Du hast Weiß. Turnierpartie. Richtig so?";
    assert_eq!(room.say("beide blind"), answer);
    assert_eq!(room.lobby.config().blind, Blind::White);
}

#[test]
fn white_s_clock_is_started_by_black_s_press_or_the_arbiter_and_not_over_a_wrong_board() {
    let mut room = Room::german();
    room.pegs(start());
    room.open();
    assert_eq!(room.input(LobbyInput::Pressed { seat: Color::Black }), "", "not yet");
    room.say("ja");
    room.start_on_pegs(Square::E2);
    let white = LobbyInput::Pressed { seat: Color::White };
    assert_eq!(room.input(white), "Alles bereit. Uhr starten?");
    room.reed(Square::A1, false);
    let wrong = "Die Grundstellung stimmt nicht. Setz den weißen Turm auf Anna eins.";
    assert_eq!(room.input(LobbyInput::StartClock), wrong);
    room.reed(Square::A1, true);
    room.wait();
    assert_eq!(room.input(LobbyInput::Pressed { seat: Color::Black }), "Die Uhr läuft. | (begins)");
}

#[test]
fn the_next_game_follows_with_the_colours_changed() {
    let mut room = Room::german();
    room.pegs(start());
    room.open();
    room.say("weiter");
    room.start_on_pegs(Square::E2);
    room.say("ja");
    assert!(room.lobby.is_playing());
    assert_eq!(room.say("nächste Partie"), "", "while it is played nothing is the lobby's");
    assert_eq!(room.input(LobbyInput::Ended { result: "0-1".to_owned() }), "");
    for (said, answered) in [
        ("Ergebnis", "Schwarz gewinnt."),
        ("Spielstand", "Gewonnen null, remis null, verloren eins."),
        ("nächste Partie", "Farben tauschen?"),
        ("ja", "Du hast Schwarz. Turnierpartie. Richtig so?"),
        ("zurück", "Farben tauschen?"),
        ("ja", "Du hast Schwarz. Turnierpartie. Richtig so?"),
        ("ja", "Heb kurz den schwarzen Bauern von Eva sieben."),
    ] {
        assert_eq!(room.say(said), answered, "{said}");
    }
    room.start_on_pegs(Square::E7);
    room.say("los");
    room.input(LobbyInput::Ended { result: "0-1".to_owned() });
    assert_eq!(room.say("Stand"), "Gewonnen eins, remis null, verloren eins.");
    assert_eq!(room.choose(), "Farben tauschen?");
    assert_eq!(room.say("nein"), "Du hast Schwarz. Turnierpartie. Richtig so?");
    // The board lies as it lay: it is not asked for again.
    assert_eq!(room.say("ja"), "Grundstellung. Alles bereit. Uhr starten?");
    room.say("ja");
    assert_eq!(room.begun.len(), 3);
    assert_eq!(
        room.begun.iter().map(|game| game.blind).collect::<Vec<_>>(),
        [Blind::White, Blind::Black, Blind::Black]
    );
    room.input(LobbyInput::Ended { result: "1/2-1/2".to_owned() });
    assert_eq!(room.say("Feierabend"), "Bis zum nächsten Mal.");
    assert!(room.finished);
}

#[test]
fn an_evening_ends_at_every_question_but_one_for_a_name() {
    for (steps, ends) in [
        (&[][..], true),
        (&["nein"], true),
        (&["Bedenkzeit"], true),
        (&["Aufgaben"], true),
        (&["Namen"], false),
    ] {
        let mut room = Room::german();
        room.open();
        for said in steps {
            room.say(said);
        }
        // By voice it is asked about.
        let asked = room.say("Feierabend");
        assert_eq!((asked == "Feierabend?", room.finished), (ends, false), "{steps:?}: {asked}");
        room.say("nein");
        let said = room.type_in("Feierabend");
        assert_eq!(
            (said == "Bis zum nächsten Mal.", room.finished),
            (ends, ends),
            "{steps:?}: {said}"
        );
    }
    let mut room = Room::german();
    room.open();
    room.say("Feierabend");
    assert_eq!(room.say("ja"), "Bis zum nächsten Mal.");
}

fn two_unfinished() -> Opening {
    let game = |number, white: &str| Unfinished {
        number,
        white: white.to_owned(),
        black: "Nash".to_owned(),
    };
    Opening { unfinished: vec![game(7, "Mor"), game(4, "")], ..Opening::default() }
}

#[test]
fn an_unfinished_game_is_offered_and_can_wait() {
    let mut room = Room::new("de", two_unfinished());
    assert_eq!(room.open(), "Die Partie Mor gegen Nash ist nicht zu Ende. Weiterspielen?");
    assert_eq!(room.say("ja"), "(resumes 7)");
    // What follows is like the game that was resumed.
    let config = GameConfig { blind: Blind::Black, ..GameConfig::default() };
    room.input(LobbyInput::Resumed(Box::new(config)));
    room.input(LobbyInput::Ended { result: "0-1".to_owned() });
    assert_eq!(room.say("Spielstand"), "Gewonnen eins, remis null, verloren null.");
    let mut room = Room::new("de", two_unfinished());
    room.open();
    assert_eq!(
        room.say("nein"),
        "Partie bleibt gespeichert. Neue Partie. Du hast Weiß. Turnierpartie. Richtig so?"
    );
    assert_eq!(room.say("alte Partie"), "Mor gegen Nash?");
    assert_eq!(room.next(), "Weiß gegen Nash.");
    assert_eq!(room.choose(), "(resumes 4)");
    assert_eq!(room.resumed, [4]);
}

#[test]
fn f3_an_adjourned_game_is_told_before_anything_is_asked() {
    let adjourned = |white: &str, until: &str| {
        let (white, black, until) = (white.to_owned(), "Nash".to_owned(), until.to_owned());
        Some(Before::Adjourned { white, black, until })
    };
    let before = adjourned("Mor", "22.11.2026, 10:00, Saal 2");
    let mut room = Room::new("de", Opening { before: before.clone(), ..Opening::default() });
    assert_eq!(
        room.open(),
        "Mor gegen Nash. Die Partie ist unterbrochen. Sie geht weiter: 22.11.2026, 10:00, Saal 2. \
         Neue Partie. Du hast Weiß. Turnierpartie. Richtig so?"
    );
    // It is said once.
    assert_eq!(room.say("wiederhole"), "Du hast Weiß. Turnierpartie. Richtig so?");
    let mut room = Room::new("de", Opening { before, ..two_unfinished() });
    assert_eq!(
        room.open(),
        "Mor gegen Nash. Die Partie ist unterbrochen. Sie geht weiter: 22.11.2026, 10:00, Saal 2. \
         Die Partie Mor gegen Nash ist nicht zu Ende. Weiterspielen?"
    );
    let before = adjourned("", "");
    let mut room = Room::new("de", Opening { before, ..Opening::default() });
    assert_eq!(
        room.open(),
        "Weiß gegen Nash. Die Partie ist unterbrochen. Neue Partie. Du hast Weiß. Turnierpartie. \
         Richtig so?"
    );
}

#[test]
fn f22_after_the_end_of_a_game_the_next_is_asked_about() {
    for (result, said) in [
        ("1-0", "Die letzte Partie ist zu Ende. Weiß gewinnt. Neue Partie."),
        ("1/2-1/2", "Die letzte Partie ist zu Ende. Remis. Neue Partie."),
        ("0-0", "Die letzte Partie ist zu Ende. Neue Partie."),
    ] {
        let before = Some(Before::Ended { result: result.to_owned() });
        let mut room = Room::new("de", Opening { before, ..Opening::default() });
        assert_eq!(room.open(), format!("{said} Du hast Weiß. Turnierpartie. Richtig so?"));
    }
}

#[test]
fn f3_a_game_that_was_chosen_is_gone_on_with_and_not_offered_again() {
    let mut room = Room::new("de", two_unfinished());
    assert_eq!(room.input(LobbyInput::Chosen(4)), "(resumes 4)");
    assert!(room.lobby.is_playing());
    room.input(LobbyInput::Ended { result: "1-0".to_owned() });
    assert_eq!(room.say("nächste Partie"), "Farben tauschen?");
    assert_eq!(room.say("nein"), "Du hast Weiß. Turnierpartie. Richtig so?");
    assert_eq!(room.say("alte Partie"), "Mor gegen Nash?");
    assert_eq!(room.next(), "Zurück.");
}

#[test]
fn what_is_not_clear_is_asked_and_talk_is_left_alone() {
    let mut room = Room::german();
    room.open();
    let mut hear = |texts: &[(&str, f64)]| {
        let hypotheses = texts.iter().map(|(text, p)| Hypothesis::new(*text, *p)).collect();
        let heard = Heard::ranked(hypotheses);
        room.input(LobbyInput::Heard { seat: None, heard, pushed: false })
    };
    assert_eq!(hear(&[("der kaffee ist kalt geworden", 0.9)]), "");
    assert_eq!(hear(&[("[unk]", 0.9)]), "");
    assert_eq!(hear(&[("namen", 0.7), ("farben", 0.2)]), "Namen?");
    assert_eq!(hear(&[("nein", 0.99)]), "Du hast Weiß. Turnierpartie. Richtig so?");
    assert_eq!(hear(&[("drei plus zwei", 0.6)]), "Drei Minuten plus zwei Sekunden?");
    assert_eq!(
        hear(&[("ja", 0.99)]),
        "Drei Minuten plus zwei Sekunden. Du hast Weiß. Blitz. Richtig so?"
    );
    // A "ja" that may be noise starts nothing.
    assert_eq!(hear(&[("ja", 0.6)]), "Bitte? Richtig so?");
}

#[test]
fn a_deaf_opponent_is_not_left_without_announcements() {
    let mut room = Room::german();
    room.open();
    room.say("Aufgaben");
    room.say("ja");
    room.say("nein");
    for _ in 0..5 {
        room.say("weiter");
    }
    assert_eq!(
        room.say("ja"),
        "Dann wird jeder Zug angesagt. Du hast Weiß. Turnierpartie. Richtig so?"
    );
    assert!(room.lobby.config().opponent_deaf && room.lobby.config().duties.announce);
}

#[test]
fn f9_without_a_display_no_game_is_set_up_against_a_deaf_opponent() {
    let config = GameConfig { display: false, ..GameConfig::default() };
    let mut room = Room::new("de", Opening { config, ..Opening::default() });
    room.open();
    room.say("Aufgaben");
    for _ in 0..7 {
        room.say("weiter");
    }
    let answer = room.say("ja");
    assert!(
        answer.starts_with(
            "Dafür braucht er eine Anzeige, und es gibt keine. Die Seiten müssen eingeschaltet sein."
        ),
        "{answer}"
    );
    assert!(!room.lobby.config().opponent_deaf);
}

#[test]
fn the_console_may_set_everything_at_once() {
    let mut room = Room::german();
    room.open();
    let config =
        GameConfig { blind: Blind::Black, time_control: "10".to_owned(), ..GameConfig::default() };
    let said = room.input(LobbyInput::Configured(Box::new(config)));
    assert_eq!(said, "Du hast Schwarz. Zehn Minuten. Richtig so?");
    let wrong = GameConfig { time_control: "soon".to_owned(), ..GameConfig::default() };
    let unchanged = "Du hast Schwarz. Zehn Minuten. Richtig so?";
    assert_eq!(room.input(LobbyInput::Configured(Box::new(wrong))), unchanged);
    assert_eq!(room.lobby.config().time_control, "10");
    room.say("zurück");
    assert_eq!(room.say("zurück"), "Du hast Weiß. Turnierpartie. Richtig so?");
}

#[test]
fn what_cannot_be_played_is_refused_with_the_reason() {
    let words = || Words::builtin("fide", "de").expect("built in");
    let refused = |config: GameConfig| {
        let opening = Opening { config, ..Opening::default() };
        Lobby::new(words(), opening).expect_err("no game").to_string()
    };
    let wrong = GameConfig { time_control: "x".to_owned(), ..GameConfig::default() };
    assert!(refused(wrong).starts_with("time control 'x', character 1: "));
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let over = GameConfig { start: Some(mate.to_owned()), ..GameConfig::default() };
    assert_eq!(
        refused(over),
        format!("'{mate}' is the end of a game; choose another [game] start")
    );
}

/// Anything that can be said in a language's set-up, and things that cannot.
fn phrases(lang: &str) -> Vec<String> {
    let words = Words::builtin(lang, lang).expect("built in");
    let pack = words.prompts();
    let mut all: Vec<String> = annabella_words::phrase::SetupWord::ALL
        .iter()
        .flat_map(|word| pack.setup(*word).to_vec())
        .collect();
    all.extend(words.command_phrases().into_iter().step_by(7).map(|(text, _)| text));
    all.extend(pack.letters().iter().map(|(_, name)| name.clone()));
    all.extend([1, 5, 40, 90].map(|n| pack.counted_minutes(n)));
    all.extend(["", "Mor", "3+2", "0", "99999999999", "{", "\u{7}"].map(str::to_owned));
    for command in [
        annabella_words::phrase::Command::Yes,
        annabella_words::phrase::Command::No,
        annabella_words::phrase::Command::Cancel,
    ] {
        let phrase = pack.first_phrase(command).unwrap_or_default().to_owned();
        all.extend(std::iter::repeat_n(phrase, 8));
    }
    all
}

fn inputs(phrases: Vec<String>) -> impl Strategy<Value = LobbyInput> {
    let text = prop::sample::select(phrases);
    let key = prop::sample::select(Key::ALL.to_vec());
    let square = (0..64u32).prop_map(Square::new);
    let seat = any::<bool>().prop_map(|white| if white { Color::White } else { Color::Black });
    prop_oneof![
        6 => text.clone().prop_map(|text| LobbyInput::Said { seat: None, text }),
        6 => (text, 0.0..1.0f64, any::<bool>()).prop_map(|(text, p, pushed)| {
            let heard = Heard::ranked(vec![Hypothesis::new(text.to_lowercase(), 1.0 - p * p)]);
            LobbyInput::Heard { seat: None, heard, pushed }
        }),
        5 => key.prop_map(LobbyInput::Key),
        1 => prop::option::of(seat.clone()).prop_map(|seat| LobbyInput::Repeat { seat }),
        2 => (seat.clone(), square, any::<bool>()).prop_map(|(seat, square, occupied)| {
            LobbyInput::Edge { seat, square, occupied }
        }),
        1 => (seat.clone(), any::<bool>()).prop_map(|(seat, right)| {
            let occupied = if right { start() } else { Bitboard(0x55aa) };
            LobbyInput::Board { seat, shown: BoardShown::Occupied(occupied) }
        }),
        1 => seat.prop_map(|seat| LobbyInput::Pressed { seat }),
        1 => Just(LobbyInput::StartClock),
        1 => Just(LobbyInput::Ended { result: "1-0".to_owned() }),
        1 => Just(LobbyInput::Woke),
        1 => Just(LobbyInput::Opened),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn whatever_is_said_the_game_can_be_played(
        german in prop::collection::vec(inputs(phrases("de")), 1..60),
        other in prop::collection::vec(inputs(phrases("fr")), 1..30),
        unfinished in any::<bool>(),
    ) {
        for (lang, inputs) in [("de", german), ("fr", other)] {
            let opening = if unfinished { two_unfinished() } else { Opening::default() };
            let mut room = Room::new(lang, opening);
            for input in inputs {
                // `Room` has every game that begins played.
                room.after(300, input);
                let text = &room.lobby.config().time_control;
                prop_assert!(text.parse::<annabella_core::game::clock::TimeControl>().is_ok(), "{}", text);
                room.lobby.moment();
            }
            plays(room.lobby.config());
        }
    }

    #[test]
    fn undo_restores_what_was_set(texts in prop::collection::vec(prop::sample::select(phrases("de")), 1..25)) {
        let mut room = Room::german();
        room.open();
        room.type_in("5+3");
        let set = room.lobby.config().clone();
        for text in texts {
            room.type_in(&text);
        }
        if room.begun.is_empty() && !room.finished {
            for _ in 0..30 {
                room.type_in("zurück");
            }
            // The first answer is undone too.
            prop_assert_eq!(&room.lobby.config().time_control, "40/90+30:30+30");
            prop_assert_eq!(&room.lobby.config().white, &set.white);
            prop_assert_eq!(room.lobby.config().duties, set.duties);
            prop_assert_eq!(room.lobby.config().blind, set.blind);
        }
    }
}

/// A spare board of a hall.
fn spare(lang: &str) -> Room {
    let mut room = Room::new(lang, Opening { hall: true, ..Opening::default() });
    room.open();
    room
}

const SET: &str = "Du hast Weiß. Turnierpartie. Richtig so?";

#[test]
fn a_spare_board_takes_anothers_place_after_her_yes_and_not_before() {
    let mut room = spare("de");
    assert_eq!(room.say("Brett siebzehn übernehmen"), "Brett siebzehn übernehmen?");
    assert_eq!(room.say("nein"), SET);
    assert_eq!(room.type_in("Brett 17 übernehmen"), "Brett siebzehn übernehmen?");
    assert_eq!(room.say("zurück"), SET);
    assert_eq!(room.say("Brett übernehmen"), "Welches Brett übernehmen? Sag seine Nummer. Eins.");
    // Beyond the numbers that are one word it is said digit by digit.
    assert_eq!(room.say("drei eins sieben"), "Brett dreihundertsiebzehn übernehmen?");
    assert_eq!(room.say("zurück"), "Welches Brett übernehmen? Sag seine Nummer. Eins.");
    assert_eq!(room.say("siebzehn"), "Brett siebzehn übernehmen?");
    assert_eq!(room.say("Regenschirm"), "");
    assert_eq!(room.say("ja"), "Einen Moment. | (takes over 17)");
    for (why, told) in [
        (NotTaken::NothingThere, "Von Brett siebzehn gibt es keine Partie."),
        (NotTaken::StillPlays, "Brett siebzehn ist noch in Betrieb. Erst muss es aus sein."),
        (NotTaken::NoHall, "Keine Verbindung zum Turniernetz."),
        (NotTaken::Failed, "Brett siebzehn ist nicht übernommen. Ruf den Schiedsrichter."),
    ] {
        let told = format!("{told} {SET}");
        assert_eq!(room.input(LobbyInput::NotTaken { board: 17, why }), told);
        room.say("Brett siebzehn übernehmen");
        room.say("ja");
    }
}

#[test]
fn another_boards_place_is_taken_by_three_keys_alone() {
    let mut room = spare("de");
    room.next();
    assert_eq!(room.choose(), "Was ändern? Bedenkzeit.");
    room.until("Brett übernehmen.");
    assert_eq!(room.choose(), "Welches Brett übernehmen? Sag seine Nummer. Eins.");
    room.until("Siebzehn.");
    assert_eq!(room.choose(), "Brett siebzehn übernehmen?");
    assert_eq!(room.next(), "Nein.");
    assert_eq!(room.choose(), SET);
}

#[test]
fn the_question_is_what_may_be_said_in_every_language() {
    for lang in pack::builtin_names() {
        let mut room = spare(lang);
        let words = Words::builtin(lang, lang).expect("built in");
        for board in [1, 17, 60, 230] {
            let asked = words.prompt(Prompt::AskTakeOver, &[Slot::Number(board)]).to_string();
            assert_eq!(room.say(asked.trim_end_matches('?')), asked, "{lang}");
            room.say(words.prompts().first_phrase(Command::No).expect("a phrase"));
        }
    }
}

#[test]
fn a_board_without_a_hall_takes_nobodys_place() {
    let mut room = Room::german();
    room.open();
    assert_eq!(room.type_in("Brett siebzehn übernehmen"), "Bitte? Richtig so?");
    assert_eq!(room.type_in("Brett übernehmen"), "Bitte? Richtig so?");
}
