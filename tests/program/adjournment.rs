//! A game is adjourned, its move sealed in private, and resumed when the envelope is opened
//! (Guideline I).

use std::path::{Path, PathBuf};

use annabella::service::{
    OpenError, Service, json_lines,
    standing::{self, Next},
};
use annabella_core::game::{
    Adjourn, ArbiterAct, At, Blind, BoardSeen, Channel, Conclusion, Envelope, Game, GameConfig,
    HandsKnown, HandsOf, Input, Output, PlayerButton, Private, Resumption, Ruling, Running,
    ShownBoard, Stage, Started,
};
use annabella_records::{
    journal::{
        GameId, Journal, Records,
        report::{Report, ReportLabels},
        views::pgn,
    },
    seal::Passphrase,
};
use annabella_words::phrase::{hear::Heard, pack};
use shakmaty::{Board, Color, Position, Square};

const SECRET: &str = "long rook to nowhere";

fn started(config: GameConfig) -> Started {
    let german = pack::builtin("de").expect("built in").to_owned();
    Started {
        config,
        packs: vec![german.clone(), german],
        confusions: Default::default(),
        build: "test".to_owned(),
        unix_s: 1_700_000_000,
    }
}

fn config() -> GameConfig {
    GameConfig {
        white: "Anna".into(),
        black: "Hector".into(),
        time_control: "90+30".into(),
        sighted_board: true,
        ..GameConfig::default()
    }
}

fn key(text: &str) -> Passphrase {
    Passphrase::new(text).expect("long enough").with_work_factor(2)
}

/// A service with a folder of its own, and everything it said.
struct Table {
    folder: tempfile::TempDir,
    service: Option<Service>,
    now_ms: u64,
    lines: Vec<String>,
    /// Everything that a page, a log or a terminal would have got.
    shown: String,
}

impl Table {
    fn new(config: GameConfig) -> Table {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = Journal::open(folder.path().join("games.db")).expect("opens");
        let (mut service, _) =
            Service::begin(journal, At::new(0), started(config)).expect("begins");
        service.arm(key(SECRET));
        let (lines, shown) = (Vec::new(), String::new());
        Table { folder, service: Some(service), now_ms: 0, lines, shown }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("games.db")
    }

    fn game(&self) -> &Game {
        self.service.as_ref().expect("a service").game()
    }

    fn input(&mut self, input: Input) {
        let service = self.service.as_mut().expect("a service");
        let at = At::new(self.now_ms.max(service.next_moment().expect("a moment").ms));
        self.now_ms = at.ms;
        let outputs = service.input(at, input).expect("kept");
        self.note(&outputs);
    }

    fn note(&mut self, outputs: &[Output]) {
        for output in outputs {
            for line in json_lines(At::new(self.now_ms), Blind::White, output) {
                self.shown += &line.to_string();
            }
            self.lines.extend(match output {
                Output::Say { channel: Channel::Public, words, .. } => {
                    Some(format!("loud: {words}"))
                }
                Output::Say { words, .. } => Some(format!("ear: {words}")),
                Output::Whisper { words, .. } => Some(format!("whisper: {words}")),
                Output::Problem { article, text, .. } => Some(format!("{article}: {text}")),
                Output::Result { result, reason, .. } => Some(format!("{result}: {reason}")),
                Output::Proposal(proposal) if proposal.is_open() => {
                    Some(format!("proposal {:?}", proposal.choices))
                }
                _ => None,
            });
        }
    }

    fn wait(&mut self, ms: u64) {
        let end = self.now_ms + ms;
        while let Some(at) = self.service.as_ref().and_then(Service::wake_at)
            && at.ms <= end
        {
            self.now_ms = self.now_ms.max(at.ms);
            self.input(Input::Woke);
        }
        self.now_ms = end;
    }

    fn heard(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lines)
    }

    fn says(&mut self, text: &str) -> Vec<String> {
        self.wait(300);
        self.lines.clear();
        self.input(Input::Heard { seat: None, heard: Heard::text(text), pushed: true });
        self.heard()
    }

    fn step(&mut self, step: Adjourn) -> Vec<String> {
        self.wait(300);
        self.lines.clear();
        self.input(Input::Adjourn(Box::new(step)));
        self.heard()
    }

    fn press(&mut self, seat: Color) -> Vec<String> {
        self.wait(300);
        self.lines.clear();
        self.input(Input::Pressed { seat });
        self.heard()
    }

    fn moves(&mut self, from: Square, to: Square) {
        self.wait(300);
        for (square, occupied) in [(from, false), (to, true)] {
            self.input(Input::Edge { seat: Color::White, square, occupied, ago_ms: 0 });
            self.wait(300);
        }
        self.wait(600);
    }

    /// 1. e4 e5, White on pegs, Black on a board that reports.
    fn two_plies(&mut self) {
        self.input(Input::ClockStarted);
        self.wait(60_000);
        self.moves(Square::E2, Square::E4);
        self.press(Color::White);
        self.input(Input::Sighted { seat: Color::Black, uci: "e2e4".into() });
        self.wait(30_000);
        self.input(Input::Sighted { seat: Color::Black, uci: "e7e5".into() });
        self.press(Color::Black);
        self.moves(Square::E7, Square::E5);
        self.heard();
    }

    /// Then 2. Nf3, which Black's board has too.
    fn three_plies(&mut self) {
        self.two_plies();
        self.moves(Square::G1, Square::F3);
        self.press(Color::White);
        self.input(Input::Sighted { seat: Color::Black, uci: "g1f3".into() });
    }

    fn invite(&mut self) -> Vec<String> {
        self.step(Adjourn::Invited {
            arbiter: "A. Weber".into(),
            session_left_ms: None,
            reply: false,
        })
    }

    /// White has sealed this.
    fn sealed(config: GameConfig, said: &str) -> Table {
        let mut table = Table::new(config);
        table.two_plies();
        table.invite();
        table.says(said);
        table.press(Color::White);
        assert!(table.game().is_adjourned());
        table
    }

    /// The service stops; what is on the disk.
    fn stop(&mut self) -> String {
        self.service = None;
        everything_in(self.folder.path())
    }

    /// The arbiter's own service on the adjourned game.
    fn reopen(&mut self) {
        let journal = Journal::open(self.path()).expect("opens");
        let (service, outputs) = Service::resume(journal, GameId { number: 1 }).expect("resumes");
        self.service = Some(service);
        self.note(&outputs);
    }

    fn opens(&mut self, passphrase: &str) -> Vec<String> {
        self.lines.clear();
        let service = self.service.as_mut().expect("a service");
        let at = At::new(self.now_ms.max(service.next_moment().expect("a moment").ms));
        self.now_ms = at.ms;
        let outputs = service.open_envelope(at, &key(passphrase), "A. Weber", None).expect("opens");
        self.note(&outputs);
        self.heard()
    }
}

fn everything_in(folder: &Path) -> String {
    let mut all = String::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("readable");
        all += &String::from_utf8_lossy(&bytes);
    }
    all
}

#[test]
fn a_move_that_is_to_be_sealed_is_not_made_openly() {
    let mut table = Table::new(config());
    table.three_plies();
    table.invite();
    table.input(Input::Sighted { seat: Color::Black, uci: "b8c6".into() });
    assert_eq!(table.game().record().expect("a game").line.len(), 3);
    let mut board = table.game().position().expect("a game").board().clone();
    board.discard_piece_at(Square::B8);
    board.set_piece_at(Square::C6, Color::Black.knight());
    let seen =
        BoardSeen::Still { shown: ShownBoard::Pieces(board.board_fen().to_string()), ago_ms: 0 };
    table.input(Input::BoardSeen { seat: Color::Black, seen });
    table.wait(5_000);
    assert_eq!(table.game().record().expect("a game").line.len(), 3);
    assert_eq!(table.heard(), Vec::<String>::new());
}

#[test]
fn a_move_is_sealed_in_the_ear_kept_in_an_envelope_and_played_when_it_is_opened() {
    let mut table = Table::new(config());
    table.two_plies();
    assert_eq!(
        table.says("Hängepartie"),
        ["I.1: White asks for adjournment", "loud: Weiß wünscht die Unterbrechung."]
    );
    assert_eq!(table.invite(), ["ear: Abgabezug. Sag ihn leise, dann drück die Uhr."]);
    assert_eq!(table.press(Color::White), ["ear: Erst den Abgabezug sagen."]);
    // He changes his mind: until the clock is stopped he may (I.1.1).
    assert_eq!(
        table.says("Bauer David zwei David vier"),
        ["whisper: Abgabezug: Bauer David zwei David vier."]
    );
    assert_eq!(
        table.says("Springer Gustav eins Felix drei"),
        ["whisper: Abgabezug: Springer Gustav eins Felix drei."]
    );
    let (white_ms, ..) = table.game().record().expect("begun").clock;
    assert_eq!(table.press(Color::White), ["loud: Zug abgegeben. Die Partie ist unterbrochen."]);
    let record = table.game().record().expect("begun");
    let adjournment = record.adjournment().expect("adjourned").clone();
    assert_eq!((adjournment.stage, adjournment.sealer), (Stage::Sealed, Color::White));
    assert_eq!(adjournment.move_number(), "2.");
    assert_eq!(record.clock.2, Running::None);
    // The clock ran until it was pressed: four times 300 ms since the invitation, 20 of them until
    // the reeds were known to be at rest.
    assert_eq!(record.clock.0 + 1180, white_ms);
    assert!(
        matches!(adjournment.envelope(), Some(Envelope::Age(text)) if text.starts_with("-----BEGIN AGE"))
    );

    let resumption =
        Resumption { date: "22.11.2026".into(), time: "10:00".into(), place: "Saal <2>".into() };
    assert!(table.step(Adjourn::Appointed(resumption)).is_empty());
    assert_eq!(
        table.says("Springer Bella eins Cesar drei"),
        [
            "I.5: the game is adjourned: it goes on when the envelope has been opened",
            "ear: Die Partie ist unterbrochen."
        ]
    );

    // Neither of the moves is anywhere: not in the journal, not in what pages and terminals get.
    let disk = table.stop();
    for clear in ["g1f3", "gustav", "Gustav", "Nf3", "d2d4", "david", "David", "felix drei"] {
        // The packs are in the journal too, with their own words.
        let allowed = disk.matches(clear).count();
        let in_packs = pack::builtin("de").expect("built in").matches(clear).count() * 2;
        assert_eq!(allowed, in_packs, "{clear}");
        assert!(!table.shown.contains(clear), "{clear}: {}", table.shown);
    }

    // The service shows it, and goes on with nothing.
    let journal = Journal::open(table.path()).expect("opens");
    assert_eq!(standing::next(&journal).expect("read"), Next::Adjourned(GameId { number: 1 }));
    drop(journal);

    table.reopen();
    let service = table.service.as_mut().expect("a service");
    let at = service.next_moment().expect("a moment");
    let wrong = service.open_envelope(at, &key("another passphrase"), "A. Weber", None);
    assert!(matches!(wrong, Err(OpenError::Seal(_))), "{wrong:?}");
    assert!(service.game().is_adjourned());
    assert_eq!(table.opens(SECRET), ["loud: Abgabezug: Springer Gustav eins Felix drei."]);
    let record = table.game().record().expect("begun");
    assert_eq!(record.line.last().expect("a move").san, "Nf3");
    assert_eq!(record.position.turn(), Color::Black);
    // The times of the envelope, and the opponent's clock runs (I.9.1).
    let (white_ms, black_ms) = adjournment.sealed.as_ref().expect("sealed").left_ms;
    assert_eq!(record.clock, (white_ms, black_ms, Running::Black));
    table.service = None;
    let journal = Journal::open(table.path()).expect("opens");
    assert_eq!(standing::next(&journal).expect("read"), Next::GoOn(GameId { number: 1 }));
}

#[test]
fn who_has_no_sensors_seals_by_word_and_sets_up_again_by_himself() {
    let hands = HandsOf { white: HandsKnown::Spoken, ..HandsOf::default() };
    let mut table = Table::new(GameConfig { hands, ..config() });
    table.input(Input::ClockStarted);
    table.says("Bauer Eva zwei Eva vier");
    table.says("ausgeführt");
    table.press(Color::White);
    table.input(Input::Sighted { seat: Color::Black, uci: "e2e4".into() });
    table.input(Input::Sighted { seat: Color::Black, uci: "e7e5".into() });
    table.press(Color::Black);
    table.invite();
    assert_eq!(
        table.says("Springer Gustav eins Felix drei"),
        ["whisper: Abgabezug: Springer Gustav eins Felix drei."]
    );
    assert_eq!(table.press(Color::White), ["loud: Zug abgegeben. Die Partie ist unterbrochen."]);
    table.stop();
    table.reopen();
    assert_eq!(table.opens(SECRET), ["loud: Abgabezug: Springer Gustav eins Felix drei."]);
    table.input(Input::Sighted { seat: Color::Black, uci: "g1f3".into() });
    table.input(Input::Sighted { seat: Color::Black, uci: "b8c6".into() });
    table.press(Color::Black);
    // The sealed move is to be made on his own board too (I.9.1), then the reply.
    assert_eq!(table.says("was ist offen"), ["ear: Führ aus: Springer Gustav eins Felix drei."]);
    assert_eq!(table.says("ausgeführt"), ["ear: Gut."]);
    assert_eq!(table.says("was ist offen"), ["ear: Führ aus: Springer Bella acht Cesar sechs."]);
    table.says("Läufer Felix eins Bella fünf");
    table.press(Color::White);
    let record = table.game().record().expect("begun");
    assert_eq!(record.line.last().expect("a move").san, "Bb5");
    assert!(record.line.iter().all(|ply| ply.completed.is_some()));
}

#[test]
fn what_he_does_with_his_pegs_is_no_secret_of_the_journal_and_binds_him() {
    let mut table = Table::new(config());
    table.two_plies();
    table.invite();
    table.lines.clear();
    table.moves(Square::G1, Square::F3);
    assert_eq!(table.heard(), ["whisper: Abgabezug: Springer Gustav eins Felix drei."]);
    assert_eq!(
        table.says("Bauer David zwei David vier"),
        [
            "whisper: Angesagt: Bauer David zwei David vier. Ausgeführt: Springer Gustav eins Felix drei."
        ]
    );
    table.press(Color::White);
    let inputs = {
        table.service = None;
        Records::open(table.path()).expect("opens").inputs(GameId { number: 1 }).expect("read")
    };
    let after: Vec<&Input> = inputs
        .iter()
        .map(|(_, input)| input)
        .skip_while(|input| !matches!(input, Input::Adjourn(_)))
        .collect();
    assert!(
        after.iter().all(|input| matches!(input, Input::Adjourn(_) | Input::Woke)),
        "{after:?}"
    );
    table.reopen();
    table.opens(SECRET);
    assert_eq!(table.game().record().expect("begun").line.last().expect("a move").san, "Nf3");
}

#[test]
fn what_is_packed_up_or_talked_of_afterwards_is_in_no_journal() {
    let mut table = Table::new(config());
    table.two_plies();
    table.invite();
    table.moves(Square::G1, Square::F3);
    table.press(Color::White);
    assert!(table.game().is_adjourned());
    table.lines.clear();
    // The sealed move is taken back on the pegs, talked of, and shown on the other board.
    table.moves(Square::F3, Square::G1);
    assert_eq!(
        table.says("Springer Gustav eins Felix drei"),
        [
            "I.5: the game is adjourned: it goes on when the envelope has been opened",
            "ear: Die Partie ist unterbrochen."
        ]
    );
    let seat = Color::Black;
    let shown = ShownBoard::Pieces(Board::default().board_fen().to_string());
    table.input(Input::BoardSeen { seat, seen: BoardSeen::Still { shown, ago_ms: 250 } });
    table.input(Input::Sighted { seat, uci: "g1f3".into() });
    table.stop();
    let inputs = Records::open(table.path()).expect("opens").inputs(GameId { number: 1 });
    let inputs = inputs.expect("read");
    let (_, last) = inputs.last().expect("an input");
    assert!(matches!(last, Input::Adjourn(_)), "{last:?}");
}

/// The text without its envelopes: in base64 any three letters turn up by chance.
fn without_armour(text: &str) -> String {
    let mut rest = String::new();
    for part in text.split("-----BEGIN AGE") {
        rest += part.split_once("-----END AGE").map_or(part, |(_, after)| after);
    }
    assert!(rest.len() < text.len(), "no envelope was kept");
    rest
}

#[test]
fn a_sighted_player_types_his_move_and_only_its_envelope_is_kept() {
    let mut table = Table::new(config());
    table.three_plies();
    table.invite();
    table.lines.clear();
    let mut types = |seat, text: &str, as_written| {
        table.wait(300);
        let text = Private(text.to_owned());
        table.input(Input::Typed { seat, text, as_written });
        table.heard()
    };
    assert_eq!(types(Color::White, "d4", false), ["I.1.1: the other player seals"]);
    let unread = "I.1.1: this is no legal move, or more than one: nothing is sealed; write it anew";
    assert_eq!(types(Color::Black, "Sb8", false), [unread]);
    assert_eq!(
        types(Color::Black, "Sb8-c6 (=)", false),
        ["loud: Zug abgegeben. Die Partie ist unterbrochen."]
    );
    assert_eq!(types(Color::Black, "d7-d6", false), ["I.1.1: no move is to be sealed now"]);
    let disk = without_armour(&table.stop());
    for clear in ["b8-c6", "b8c6", "Nc6", "Sb8", "d7-d6"] {
        assert!(!disk.contains(clear) && !table.shown.contains(clear), "{clear}");
    }
    assert_eq!(format!("{:?}", Private("Sb8-c6".into())), "Private(..)");
    table.reopen();
    let heard =
        ["loud: Abgabezug: Springer Bella acht Cesar sechs.", "ear: Dein Gegner bietet Remis an."];
    assert_eq!(table.opens(SECRET), heard);
    let record = table.game().record().expect("begun");
    assert_eq!(record.line.last().expect("a move").san, "Nc6");
    // The draw that he offered with it stands (9.1).
    assert_eq!(record.offers().last().map(|offer| offer.by), Some(Color::Black));
}

#[test]
fn what_he_insists_on_is_sealed_as_it_is_written_and_put_before_the_arbiter() {
    let mut table = Table::new(config());
    table.two_plies();
    table.invite();
    let text = Private("Sg1-g5".to_owned());
    table.input(Input::Typed { seat: Color::White, text, as_written: true });
    assert!(table.game().is_adjourned());
    table.stop();
    table.reopen();
    let told = table.opens(SECRET);
    assert!(told.iter().any(|line| line.starts_with("I.8: ")), "{told:?}");
    let adjournment = table.game().adjournment().expect("adjourned");
    assert_eq!(adjournment.stage, Stage::Disputed);
    assert_eq!(adjournment.opened.as_ref().map(|opened| opened.written.as_str()), Some("Sg1-g5"));
}

#[test]
fn who_has_moved_on_his_board_seals_just_that() {
    let mut table = Table::new(config());
    table.two_plies();
    table.invite();
    table.moves(Square::G1, Square::F3);
    table.heard();
    let text = Private("d4".to_owned());
    table.input(Input::Typed { seat: Color::White, text, as_written: true });
    assert_eq!(
        table.heard(),
        ["I.1.1: the board shows another move executed: that one is to be sealed"]
    );
    assert!(!table.game().is_adjourned());
}

#[test]
fn who_asks_again_hears_what_to_do_and_then_his_move() {
    let mut table = Table::new(config());
    table.two_plies();
    let ask = "ear: Abgabezug. Sag ihn leise, dann drück die Uhr.";
    assert_eq!(table.invite(), [ask]);
    assert_eq!(table.says("wiederholen"), [ask]);
    let chosen = "whisper: Abgabezug: Bauer David zwei David vier.";
    assert_eq!(table.says("Bauer David zwei David vier"), [chosen]);
    assert_eq!(table.says("wiederholen"), [chosen]);
}

#[test]
fn the_adjournment_stands_beside_the_last_move_before_it() {
    let table = Table::sealed(config(), "Springer Gustav eins Felix drei");
    let text = pgn(&table.game().record().expect("begun")).replace('\n', " ");
    assert_eq!(text.matches("adjourned").count(), 1, "{text}");
    assert!(text.contains(" adjourned, 2. sealed} *"), "{text}");
    // An invitation alone is no adjournment.
    let mut table = Table::new(config());
    table.two_plies();
    table.invite();
    let text = pgn(&table.game().record().expect("begun"));
    assert!(!text.contains("adjourned"), "{text}");
}

#[test]
fn the_opponents_press_seals_nothing() {
    let mut table = Table::new(config());
    table.two_plies();
    table.invite();
    table.says("Springer Gustav eins Felix drei");
    table.press(Color::Black);
    assert!(!table.game().is_adjourned());
    assert_eq!(table.press(Color::White), ["loud: Zug abgegeben. Die Partie ist unterbrochen."]);
}

#[test]
fn requests_that_tell_nothing_are_answered_and_the_player_may_resign() {
    let mut table = Table::new(config());
    table.two_plies();
    table.invite();
    let answer = table.says("meine Zeit");
    assert!(answer[0].starts_with("ear: Du: "), "{answer:?}");
    assert_eq!(table.says("was steht auf Eva vier"), ["ear: Bitte?"]);
    assert_eq!(table.says("ich gebe auf"), ["ear: Wirklich aufgeben?"]);
    assert_eq!(table.says("ja"), ["loud: Weiß gibt auf. Schwarz gewinnt.", "0-1: resignation"]);
}

#[test]
fn withdrawn_the_game_goes_on_and_knows_how_the_board_stands() {
    let mut table = Table::new(config());
    table.two_plies();
    table.invite();
    table.moves(Square::G1, Square::F3);
    table.moves(Square::F3, Square::G1);
    assert_eq!(
        table.step(Adjourn::Withdrawn { arbiter: "A. Weber".into() })[0],
        "ear: Gut, dann nicht."
    );
    table.moves(Square::B1, Square::C3);
    table.press(Color::White);
    assert_eq!(table.game().record().expect("begun").line.last().expect("a move").san, "Nc3");
}

const NO_PASSPHRASE: [&str; 2] = [
    "I.1.1: the arbiter has given no passphrase to seal with: stop the clocks, then use `annabella games \
     adjourn`, or start `annabella play --passphrase-file`",
    "loud: Abgabe nicht möglich: Das Kennwort fehlt.",
];

#[test]
fn f19_who_asks_to_seal_without_a_passphrase_learns_it_at_once() {
    let mut table = Table::new(config());
    table.two_plies();
    table.stop();
    table.reopen();
    table.input(Input::ClockStarted);
    assert_eq!(table.invite(), NO_PASSPHRASE);
    // Nobody was asked for a move, and the game goes on.
    assert!(table.game().adjournment().is_none());
    table.moves(Square::G1, Square::F3);
    table.press(Color::White);
    assert_eq!(table.game().record().expect("begun").line.last().expect("a move").san, "Nf3");
    let service = table.service.as_mut().expect("a service");
    assert_eq!(service.cannot_seal(), None);
    service.arm(key(SECRET));
    table.input(Input::Sighted { seat: Color::Black, uci: "g1f3".into() });
    assert_eq!(table.invite(), ["loud: Abgabezug. Sag ihn leise, dann drück die Uhr."]);
}

#[test]
fn f19_a_service_that_starts_while_a_move_is_to_be_sealed_says_that_the_passphrase_is_missing() {
    let mut table = Table::new(config());
    table.two_plies();
    table.invite();
    table.stop();
    table.reopen();
    table.heard();
    let service = table.service.as_ref().expect("a service");
    let outputs = service.cannot_seal().expect("it cannot");
    table.note(&outputs);
    assert_eq!(table.heard(), NO_PASSPHRASE);
    // Should he whisper all the same, nothing is sealed and nothing is lost.
    table.says("Springer Gustav eins Felix drei");
    assert_eq!(table.press(Color::White), NO_PASSPHRASE);
    table.service.as_mut().expect("a service").arm(key(SECRET));
    assert_eq!(table.press(Color::White), ["loud: Zug abgegeben. Die Partie ist unterbrochen."]);
}

#[test]
fn f18_the_times_of_the_envelope_are_the_times_on_the_clock() {
    let mut table = Table::sealed(config(), "Springer Gustav eins Felix drei");
    let (white_ms, black_ms) =
        table.game().adjournment().and_then(|a| a.sealed.as_ref()).expect("sealed").left_ms;
    // The arbiter opens it at his desk; then the service goes on at the board, twice.
    table.stop();
    table.reopen();
    table.opens(SECRET);
    for _ in ["once", "twice"] {
        table.stop();
        table.reopen();
        let clock = table.game().record().expect("begun").clock;
        assert_eq!(clock, (white_ms, black_ms, Running::None));
    }
    table.stop();
    let inputs =
        Records::open(table.path()).expect("opens").inputs(GameId { number: 1 }).expect("read");
    let labels = ReportLabels::of("de");
    let report = Report::of(1, &inputs, &labels).expect("a report").to_text(&labels);
    assert!(!report.contains("7.1") && !report.contains("service was stopped"), "{report}");
    table.reopen();
    table.input(Input::ClockStarted);
    assert_eq!(table.game().record().expect("begun").clock, (white_ms, black_ms, Running::Black));
    // The increment comes before White's next move, as with every move (glossary).
    table.input(Input::Sighted { seat: Color::Black, uci: "g1f3".into() });
    table.input(Input::Sighted { seat: Color::Black, uci: "b8c6".into() });
    table.press(Color::Black);
    let clock = table.game().record().expect("begun").clock;
    assert_eq!((clock.0, clock.2), (white_ms + 30_000, Running::White));
}

#[test]
fn f18_the_time_of_the_next_period_is_not_lost_with_a_sealed_move() {
    let control = GameConfig { time_control: "2/5+10:10+10".into(), ..config() };
    let mut table = Table::sealed(control, "Springer Gustav eins Felix drei");
    let (white_ms, black_ms) =
        table.game().adjournment().and_then(|a| a.sealed.as_ref()).expect("sealed").left_ms;
    table.opens(SECRET);
    assert_eq!(table.game().record().expect("begun").clock, (white_ms, black_ms, Running::Black));
    table.input(Input::Sighted { seat: Color::Black, uci: "g1f3".into() });
    table.input(Input::Sighted { seat: Color::Black, uci: "b8c6".into() });
    table.press(Color::Black);
    let clock = table.game().record().expect("begun").clock;
    // The second move completes the first period.
    assert_eq!((clock.0, clock.2), (white_ms + 600_000 + 10_000, Running::White));
}

#[test]
fn f22_an_adjourned_game_says_after_a_restart_that_it_waits() {
    let mut table = Table::sealed(config(), "Springer Gustav eins Felix drei");
    let resumption =
        Resumption { date: "22.11.2026".into(), time: "10:00".into(), place: String::new() };
    table.step(Adjourn::Appointed(resumption));
    table.stop();
    table.lines.clear();
    table.reopen();
    assert_eq!(
        table.heard(),
        ["ear: Die Partie ist unterbrochen.", "ear: Sie geht weiter: 22.11.2026, 10:00."]
    );
}

#[test]
fn a_power_cut_while_sealing_forgets_the_move_and_keeps_the_invitation() {
    let mut table = Table::new(config());
    table.two_plies();
    table.invite();
    table.says("Springer Gustav eins Felix drei");
    table.stop();
    table.reopen();
    assert_eq!(table.press(Color::White), ["ear: Erst den Abgabezug sagen."]);
}

/// A game adjourned with this on paper, and opened.
fn paper(written: &str, fen: &str) -> Table {
    let mut table = Table::new(GameConfig { start: Some(fen.to_owned()), ..config() });
    table.input(Input::ClockStarted);
    table.invite();
    table.step(Adjourn::Sealed { envelope: Envelope::Paper });
    table.step(Adjourn::Opened {
        written: written.into(),
        arbiter: "A. Weber".into(),
        clock_ms: None,
    });
    table
}

const TWO_KNIGHTS: &str = "4k3/8/8/8/8/8/6N1/1N2K2R w - - 0 20";

#[test]
fn an_ambiguous_unreadable_or_illegal_sealed_move_is_put_before_the_arbiter() {
    let fen = "4k3/8/8/8/8/5N2/8/1N2K2R w - - 0 20";
    for (written, paragraph) in [("Sd2", "I.8.1"), ("xyzzy", "I.8.2"), ("Sd6", "I.8.3")] {
        let mut table = paper(written, fen);
        let adjournment = table.game().adjournment().expect("adjourned");
        assert_eq!(adjournment.stage, Stage::Disputed, "{written}");
        assert!(table.shown.contains(&format!("\"paragraph\":\"{paragraph}\"")), "{}", table.shown);
        assert!(table.game().ended().is_none(), "the arbiter decides");
        table.input(Input::Arbiter(Box::new(Ruling::new(
            ArbiterAct::ConfirmProposal { number: 1, choice: Some(0) },
            "A. Weber",
            "",
        ))));
        // A bare king cannot win: a draw (I.8, 6.9).
        assert_eq!(table.game().ended().expect("over").result.as_str(), "1/2-1/2", "{written}");
    }
    let mut table = paper("Sd6", "4k3/7q/8/8/8/8/6N1/1N2K2R w - - 0 20");
    table.input(Input::Arbiter(Box::new(Ruling::new(
        ArbiterAct::ConfirmProposal { number: 1, choice: Some(0) },
        "A. Weber",
        "",
    ))));
    let ended = table.game().ended().expect("over");
    assert_eq!((ended.result.as_str(), ended.article.as_str()), ("0-1", "I.8"));
}

#[test]
fn the_arbiter_may_read_it_otherwise() {
    let mut table = paper("Sc", TWO_KNIGHTS);
    let read = |uci: &str| Adjourn::Read {
        uci: uci.into(),
        arbiter: "A. Weber".into(),
        reason: "the square is smudged".into(),
    };
    assert_eq!(
        table.step(read("b1b5")),
        ["I.8: 'b1b5' is no legal move here: give one in UCI, as g1f3"]
    );
    assert_eq!(table.step(read("b1c3")), ["loud: Abgabezug: Springer Bella eins Cesar drei."]);
    assert_eq!(table.game().record().expect("begun").clock.2, Running::Black);
}

#[test]
fn a_sealed_move_in_other_letters_is_put_before_the_arbiter_with_its_reading() {
    // The table is German; the player wrote English.
    let mut table = paper("Nf4", TWO_KNIGHTS);
    let adjournment = table.game().adjournment().expect("adjourned");
    assert_eq!(adjournment.stage, Stage::Disputed);
    assert!(table.shown.contains("in English letters it is Ng2f4"), "{}", table.shown);
    assert!(table.shown.contains("\"reading\":\"g2f4\""), "{}", table.shown);
    assert!(table.game().ended().is_none());
    let read = Adjourn::Read {
        uci: "g2f4".into(),
        arbiter: "A. Weber".into(),
        reason: "written in English letters (C.3)".into(),
    };
    assert_eq!(table.step(read), ["loud: Abgabezug: Springer Gustav zwei Felix vier."]);
    // Two languages have a move for it, so none is named.
    let table = paper("Rf1", "4k3/8/8/8/8/8/R7/4K3 w - - 0 20");
    assert_eq!(table.game().adjournment().expect("adjourned").stage, Stage::Disputed);
    assert!(!table.shown.contains("\"reading\""), "{}", table.shown);
}

#[test]
fn a_lost_envelope_leaves_the_position_and_the_move_to_the_player() {
    let mut table = Table::sealed(config(), "Springer Gustav eins Felix drei");
    let left_ms =
        table.game().adjournment().and_then(|a| a.sealed.as_ref()).expect("sealed").left_ms;
    let lost = Adjourn::Lost {
        arbiter: "A. Weber".into(),
        reason: "the passphrase is forgotten".into(),
        clock_ms: None,
    };
    assert_eq!(table.step(lost), ["loud: Weiß am Zug."]);
    let record = table.game().record().expect("begun");
    assert_eq!(record.clock, (left_ms.0, left_ms.1, Running::None));
    // He makes the move that he says he sealed; pressing starts the opponent's clock (I.12.1).
    table.moves(Square::G1, Square::F3);
    table.press(Color::White);
    let record = table.game().record().expect("begun");
    assert_eq!(record.line.last().expect("a move").san, "Nf3");
    assert_eq!(record.clock.2, Running::Black);
}

#[test]
fn offers_agreements_and_resignations_count_before_it_is_resumed() {
    let mut table = Table::sealed(config(), "Springer Gustav eins Felix drei");
    table.step(Adjourn::Offered { by: Color::Black });
    assert_eq!(table.game().adjournment().expect("adjourned").offer, Some(Color::Black));
    let arbiter = || "A. Weber".to_owned();
    let said = table.step(Adjourn::Concluded { conclusion: Conclusion::Draw, arbiter: arbiter() });
    assert_eq!(said[0], "loud: Remis vereinbart.");
    assert_eq!(table.game().ended().expect("over").article.as_str(), "I.6");

    let mut table = Table::sealed(config(), "Springer Gustav eins Felix drei");
    let conclusion = Conclusion::Resigned(Color::Black);
    table.step(Adjourn::Concluded { conclusion, arbiter: arbiter() });
    assert_eq!(table.game().ended().expect("over").result.as_str(), "1-0");

    let mut table = Table::sealed(config(), "Springer Gustav eins Felix drei");
    let conclusion = Conclusion::Annulled;
    table.step(Adjourn::Concluded { conclusion, arbiter: arbiter() });
    assert_eq!(table.game().ended().expect("over").result.as_str(), "*");
}

#[test]
fn a_draw_offered_in_the_envelope_is_offered_with_its_move() {
    let table = paper("Sbd2 (=)", TWO_KNIGHTS);
    let record = table.game().record().expect("begun");
    assert_eq!(record.line.last().expect("a move").san, "Nd2");
    let offers: Vec<_> = record.offers().iter().map(|offer| (offer.by, offer.plies)).collect();
    assert_eq!(offers, [(Color::White, 1)]);
    assert!(pgn(&record).contains("20. Nd2 {[%clk 1:30:29] (=); "), "{}", pgn(&record));
}

#[test]
fn who_adjourns_early_is_charged_the_rest_of_the_session() {
    let mut table = Table::new(config());
    table.two_plies();
    table.step(Adjourn::Invited {
        arbiter: "A. Weber".into(),
        session_left_ms: Some(600_000),
        reply: false,
    });
    let (white_ms, ..) = table.game().record().expect("begun").clock;
    table.wait(100_000);
    table.says("Springer Gustav eins Felix drei");
    table.press(Color::White);
    let adjournment = table.game().adjournment().expect("adjourned");
    let sealed = adjournment.sealed.as_ref().expect("sealed");
    assert_eq!(sealed.left_ms.0, white_ms - 600_000);
    assert!(sealed.used_ms.0 > 660_000, "{:?}", sealed.used_ms);
}

#[test]
fn an_absent_opponent_runs_out_of_time_and_a_reply_may_be_sealed() {
    let mut table = Table::sealed(config(), "Springer Gustav eins Felix drei");
    // I.9.2: he who must reply has not come.
    table.step(Adjourn::ClockStarted { arbiter: "A. Weber".into() });
    let before = table.game().record().expect("begun").clock;
    assert_eq!(before.2, Running::Black);
    table.wait(120_000);
    table.opens(SECRET);
    let record = table.game().record().expect("begun");
    assert!(record.clock.1 <= before.1 - 120_000, "{:?}", record.clock);
    // I.9.3: now White is away; Black seals his reply, and White's clock runs.
    table.step(Adjourn::Invited { arbiter: "A. Weber".into(), session_left_ms: None, reply: true });
    table.step(Adjourn::Sealed { envelope: Envelope::Paper });
    let running = table.game().record().expect("begun").clock;
    assert_eq!(running.2, Running::White);
    table.wait(60_000);
    let opened =
        Adjourn::Opened { written: "Sc6".into(), arbiter: "A. Weber".into(), clock_ms: None };
    table.step(opened);
    let record = table.game().record().expect("begun");
    assert_eq!(record.line.last().expect("a move").san, "Nc6");
    assert_eq!(record.clock.2, Running::White);
    assert!(record.clock.0 <= running.0 - 60_000);
}

#[test]
fn a_sealed_mate_ends_the_game() {
    let mut table = paper("Ta8#", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    let ended = table.game().ended().expect("over");
    assert_eq!((ended.result.as_str(), ended.reason.to_string().as_str()), ("1-0", "checkmate"));
    table.service = None;
}

#[test]
fn what_is_out_of_place_is_refused_by_its_article() {
    let mut table = Table::new(config());
    table.two_plies();
    assert_eq!(table.step(Adjourn::Declined), ["I.1: the game is not adjourned"]);
    table.input(Input::Edge { seat: Color::White, square: Square::G1, occupied: false, ago_ms: 0 });
    table.wait(300);
    table.input(Input::Edge { seat: Color::White, square: Square::F3, occupied: true, ago_ms: 0 });
    table.wait(900);
    assert_eq!(
        table.invite(),
        ["I.1.1: a move is on its way: it is completed first, then the opponent seals"]
    );
    let mut off = config();
    off.duties.adjourn = false;
    let mut table = Table::new(off);
    table.two_plies();
    assert_eq!(table.invite(), ["D.2.10.6: adjourning is switched off in [duties]"]);
}

#[test]
fn where_both_are_blind_nothing_is_read_back() {
    let mut table = Table::new(GameConfig { blind: Blind::Both, ..config() });
    table.input(Input::ClockStarted);
    table.invite();
    assert!(table.says("Springer Gustav eins Felix drei").is_empty());
    assert_eq!(table.press(Color::White), ["loud: Zug abgegeben. Die Partie ist unterbrochen."]);
    assert_eq!(table.opens(SECRET)[0], "loud: Abgabezug: Springer Gustav eins Felix drei.");
}

#[test]
fn without_an_earphone_of_its_own_the_move_is_not_read_back() {
    let mut table = Table::new(config());
    table.two_plies();
    table.invite();
    table.service.as_mut().expect("a service").set_earphone(false);
    assert_eq!(
        table.says("Springer Gustav eins Felix drei"),
        [
            "I.1.1: the sealed move is not read back: loudspeaker and earphone are one device ([speech] private)"
        ]
    );
    assert_eq!(table.press(Color::White), ["loud: Zug abgegeben. Die Partie ist unterbrochen."]);
}

#[test]
fn the_report_tells_every_step_with_its_article_and_nothing_of_the_move() {
    let mut table = Table::sealed(config(), "Springer Gustav eins Felix drei");
    table.service = None;
    let inputs =
        Records::open(table.path()).expect("opens").inputs(GameId { number: 1 }).expect("read");
    let labels = ReportLabels::of("de");
    let report = Report::of(1, &inputs, &labels).expect("a report").to_text(&labels);
    assert!(
        report.contains("Hängepartie (I.1.1): der Zug ist abgegeben, verschlüsselt"),
        "{report}"
    );
    assert!(report.contains("Entschieden von: A. Weber"), "{report}");
    assert!(!report.contains("Nf3") && !report.contains("Gustav"), "{report}");
}

mod any {
    //! Whatever happens around an adjournment, in whatever order.

    use proptest::prelude::*;

    use super::*;

    fn step() -> impl Strategy<Value = Input> {
        let arbiter = || "A. Weber".to_owned();
        let color = prop_oneof![Just(Color::White), Just(Color::Black)];
        let adjourn = prop_oneof![
            (proptest::option::of(0..10_000_000_u64), any::<bool>()).prop_map(
                move |(session_left_ms, reply)| Adjourn::Invited {
                    arbiter: arbiter(),
                    session_left_ms,
                    reply
                }
            ),
            Just(Adjourn::Withdrawn { arbiter: arbiter() }),
            Just(Adjourn::Sealed { envelope: Envelope::Paper }),
            "\\PC{0,12}"
                .prop_map(|date| Adjourn::Appointed(Resumption { date, ..Resumption::default() })),
            color.clone().prop_map(|by| Adjourn::Offered { by }),
            Just(Adjourn::Declined),
            Just(Adjourn::ClockStarted { arbiter: arbiter() }),
            (
                prop_oneof!["[KQRBNSDLT]?[a-h][1-8]", "\\PC{0,12}"],
                proptest::option::of((0..9_000_000_u64, 0..9_000_000_u64))
            )
                .prop_map(move |(written, clock_ms)| Adjourn::Opened {
                    written,
                    arbiter: arbiter(),
                    clock_ms
                }),
            proptest::option::of((0..9_000_000_u64, 0..9_000_000_u64)).prop_map(move |clock_ms| {
                Adjourn::Lost { arbiter: arbiter(), reason: String::new(), clock_ms }
            }),
            "[a-h][1-8][a-h][1-8]".prop_map(move |uci| Adjourn::Read {
                uci,
                arbiter: arbiter(),
                reason: String::new()
            }),
        ];
        prop_oneof![
            4 => adjourn.prop_map(|step| Input::Adjourn(Box::new(step))),
            1 => Just(Input::ClockStarted),
            1 => Just(Input::Resumed),
            1 => Just(Input::Woke),
            1 => color.clone().prop_map(|seat| Input::Pressed { seat }),
            1 => color.clone().prop_map(|seat| Input::Button {
                seat: Some(seat),
                asks: PlayerButton::Repeat,
            }),
            2 => "[a-h][1-8][a-h][1-8]".prop_map(|uci| Input::Sighted { seat: Color::Black, uci }),
            2 => (0..64_u32, any::<bool>()).prop_map(|(square, occupied)| Input::Edge {
                seat: Color::White,
                square: Square::new(square),
                occupied,
                ago_ms: 0,
            }),
            2 => prop_oneof![Just("e vier"), Just("ich gebe auf"), Just("ja"), Just("hängepartie")]
                .prop_map(|text| Input::Said { seat: None, heard: vec![text.to_owned()] }),
            1 => Just(Input::Arbiter(Box::new(Ruling::new(ArbiterAct::StopClocks, "A. Weber", "")))),
            1 => (1..4_u32).prop_map(|number| Input::Arbiter(Box::new(Ruling::new(
                ArbiterAct::ConfirmProposal { number, choice: Some(0) },
                "A. Weber",
                "",
            )))),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn the_game_stays_whole_and_replays(
            steps in proptest::collection::vec((0..90_000_u64, step()), 1..40)
        ) {
            let mut now_ms = 0;
            let mut inputs = vec![(At::new(0), Input::Started(Box::new(started(config()))))];
            inputs.extend(steps.into_iter().map(|(after_ms, input)| {
                now_ms += after_ms;
                (At::new(now_ms), input)
            }));
            let (game, told) = Game::replay(inputs.clone());
            let (again, told_again) = Game::replay(inputs.clone());
            prop_assert_eq!(told, told_again);
            prop_assert_eq!(game.adjournment(), again.adjournment());
            let record = game.record().expect("begun");
            if game.is_adjourned() {
                let adjournment = record.adjournment().expect("adjourned");
                prop_assert!(adjournment.sealed.is_some() && !record.is_over());
                prop_assert_eq!(adjournment.plies, record.line.len());
            }
            // The private conversation is there just while a move is to be sealed.
            let invited = record.adjournment().is_some_and(|a| a.stage == Stage::Invited);
            prop_assert_eq!(game.sealing().is_some(), invited && !record.is_over());
            for labels in [ReportLabels::of("de"), ReportLabels::of("en")] {
                Report::of(1, &inputs, &labels).expect("a report").to_html(&labels);
            }
        }
    }
}
