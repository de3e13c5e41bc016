//! A move is sealed while every page looks on, and none of them, no journal and no line sees it
//! (I.1.1).

use std::{
    cell::RefCell,
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use annabella::{
    config::Config,
    service::{
        Service,
        devices::Devices,
        json_lines,
        news::{FromDevice, ToGame},
        pages,
        play::{self, Listens, Moments},
    },
};
use annabella_core::game::{At, Blind, Game, GameConfig, Input, Output, Started};
use annabella_devices::voice::Pcm;
use annabella_records::{
    journal::{GameId, Journal},
    seal::Passphrase,
};
use annabella_words::phrase::pack;
use shakmaty::{Color, Square};
use tokio::sync::mpsc;

use crate::hall::{Browser, Live};
use crate::patience::until;

const SECRET: &str = "long rook to nowhere";

struct NoEars;

impl Listens for NoEars {
    fn expect(&mut self, _game: &Game) {}

    fn keep(&mut self, _game: GameId, _at: At, _sound: &Pcm) -> Result<(), String> {
        Err("nothing is kept of what is said while sealing".to_owned())
    }
}

/// What was said in the player's ear alone so far.
type Whispered = Arc<Mutex<Vec<String>>>;

/// The service as `play` runs it, and what its terminal got; `people` do their part meanwhile.
fn serve(
    folder: &std::path::Path,
    people: impl FnOnce(SocketAddr, BTreeMap<&'static str, String>, ToGame, Whispered) + Send + 'static,
) -> (Service, String, Vec<String>) {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let german = pack::builtin("de").expect("built in").to_owned();
        let started = Started {
            config: GameConfig { sighted_board: true, ..GameConfig::default() },
            packs: vec![german.clone(), german],
            confusions: Default::default(),
            build: "test".to_owned(),
            unix_s: 1_700_000_000,
        };
        let mut config = Config::default();
        config.console.listen = Some(([127, 0, 0, 1], 0).into());
        config.journal.path = folder.join("games.db");
        let journal = Journal::open(&config.journal.path).expect("opens");
        let (mut service, _) = Service::begin(journal, At::new(0), started).expect("begins");
        service.arm(Passphrase::new(SECRET).expect("long").with_work_factor(2));
        let moments = Moments::from(service.next_moment().expect("a moment"));
        let (to_game, board) = ToGame::open();
        let (tell, mut lines) = mpsc::unbounded_channel();
        let told = move |line: &str| drop(tell.send(line.to_owned()));
        let mut devices = Devices::none();
        devices.pages = pages::open(&config, &to_game, told).await.expect("pages");
        let line = lines.recv().await.expect("a line");
        let after = |mark: &str| {
            let rest = line.split(mark).nth(1).expect("a mark");
            rest.split([';', ',']).next().expect("text").trim().to_owned()
        };
        let address: SocketAddr = after("http://").parse().expect("an address");
        let codes = ["arbiter", "assistant", "display"]
            .map(|role| (role, after(&format!("{role} "))))
            .into_iter()
            .collect();
        let whispered = Whispered::default();
        let heard = Arc::clone(&whispered);
        let people = tokio::task::spawn_blocking(move || people(address, codes, to_game, heard));
        let printed = RefCell::new(String::new());
        let mut act = |at: At, output: &Output| {
            for line in json_lines(at, Blind::White, output) {
                printed.borrow_mut().push_str(&format!("{line}\n"));
            }
            if let Output::Whisper { words, .. } = output {
                whispered.lock().expect("whole").push(words.to_string());
            }
            Ok(())
        };
        let complaints = RefCell::new(String::new());
        let mut complain = |line: &str| complaints.borrow_mut().push_str(line);
        let mut ears = NoEars;
        tokio::select! {
            ended = play::run(
                &mut service, moments, board, &mut act, &mut complain, &mut ears, &mut devices,
            ) => panic!("the service ended: {ended:?}"),
            done = people => done.expect("people"),
        }
        while let Ok(line) = lines.try_recv() {
            complaints.borrow_mut().push_str(&line);
        }
        let printed = printed.into_inner() + &complaints.into_inner();
        let whispered = whispered.lock().expect("whole").clone();
        (service, printed, whispered)
    })
}

fn paired(address: SocketAddr, role: &'static str, code: &str) -> Browser {
    let mut browser = Browser { address, cookies: BTreeMap::new(), language: "en" };
    let reply = browser.post("/pair", &[("code", code), ("by", "A. Weber")]);
    assert_eq!(reply.header("location"), Some(format!("/{role}").as_str()), "{reply:?}");
    browser
}

/// Everything that an open page got, until nothing more comes.
fn all(mut live: Live) -> String {
    let mut text = String::new();
    while let Some((name, data)) = live.event() {
        text.push_str(&format!("{name} {data}\n"));
        if data.to_string().contains("The game is adjourned.") {
            break;
        }
    }
    text
}

const CLEAR: [&str; 5] =
    ["Sg1-f3", "g1f3", "Nf3", "Springer Gustav eins Felix drei", "David zwei David vier"];

#[test]
fn no_page_no_stream_no_line_and_no_journal_has_the_sealed_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut service, printed, whispered) =
        serve(folder.path(), |address, codes, to_game, whispered| {
            let input =
                |input| to_game.blocking_send(FromDevice::Input(input)).expect("the service");
            let mut roles: Vec<(&str, Browser)> =
                codes.iter().map(|(role, code)| (*role, paired(address, role, code))).collect();
            input(Input::ClockStarted);
            let streams: Vec<_> = roles
                .iter()
                .map(|(_, browser)| {
                    let live = browser.live();
                    std::thread::spawn(move || all(live))
                })
                .collect();
            let arbiter =
                |roles: &mut Vec<(&str, Browser)>, fields: &[(&str, &str)]| roles[0].1.acts(fields);
            let page = arbiter(&mut roles, &[("act", "ask-to-seal")]);
            assert!(page.has("Done.") && page.has("White is sealing a move."), "{}", page.body);
            // He says one move, executes another, and types that one.
            let heard = vec!["Bauer David zwei David vier".to_owned()];
            input(Input::Said { seat: Some(Color::White), heard });
            for (square, occupied) in [(Square::G1, false), (Square::F3, true)] {
                input(Input::Edge { seat: Color::White, square, occupied, ago_ms: 0 });
                std::thread::sleep(Duration::from_millis(30));
            }
            let assistant = &mut roles[1].1;
            until("both moves in his ear", || whispered.lock().expect("whole").len() == 2);
            let page = assistant.get("/assistant");
            assert!(page.has("Sealed move (not shown)"), "{}", page.body);
            let types = |browser: &mut Browser, text: &str, again: &str| {
                browser.acts(&[("act", "seal"), ("sealed", text), ("again", again)])
            };
            let page = types(assistant, "Sg1-f3", "Sg1-e2");
            assert!(!page.has("Done.") && !page.has("Sg1"), "{}", page.body);
            let page = types(assistant, "Sd2-d9", "Sd2-d9");
            assert!(page.has("I.1.1") && !page.has("Sd2"), "{}", page.body);
            let page = types(assistant, "Sg1-f3", "Sg1-f3");
            assert!(page.has("Done.") && page.has("The game is adjourned."), "{}", page.body);
            let mut shown: String =
                streams.into_iter().map(|stream| stream.join().expect("a stream")).collect();
            assert_eq!(shown.matches("The game is adjourned.").count(), 3, "{shown}");
            // Afterwards the piece goes back, before everybody's eyes.
            for (square, occupied) in [(Square::F3, false), (Square::G1, true)] {
                input(Input::Edge { seat: Color::White, square, occupied, ago_ms: 0 });
            }
            std::thread::sleep(Duration::from_millis(100));
            for (role, browser) in &mut roles {
                shown.push_str(&browser.get(&format!("/{role}")).body);
            }
            shown.push_str(&roles[0].1.get("/report").body);
            for clear in CLEAR {
                assert!(!shown.contains(clear), "{clear}");
            }
            for lifted in ["lifted: <span lang=\"en\">g1", "lifted: <span lang=\"en\">f3"] {
                assert!(!shown.contains(lifted), "{lifted}");
            }
        });
    assert_eq!(
        whispered,
        ["Abgabezug: Bauer David zwei David vier.", "Abgabezug: Springer Gustav eins Felix drei."]
    );
    let inputs = service.inputs().expect("read");
    let journal: String = inputs.iter().skip(1).map(|(_, input)| format!("{input:?}")).collect();
    for clear in CLEAR {
        assert!(!printed.contains(clear) && !journal.contains(clear), "{clear}: {printed}");
    }
    assert!(!journal.contains("Edge") && !journal.contains("Said"), "{journal}");
    let at = service.next_moment().expect("a moment");
    let key = Passphrase::new(SECRET).expect("long").with_work_factor(2);
    service.open_envelope(at, &key, "A. Weber", None).expect("opens");
    let adjournment = service.game().adjournment().expect("adjourned");
    assert_eq!(adjournment.opened.as_ref().map(|opened| opened.written.as_str()), Some("Sg1-f3"));
}

#[test]
fn the_codes_are_whispered_when_the_player_asks_and_stand_in_no_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let (service, printed, whispered) =
        serve(folder.path(), |address, codes, to_game, whispered| {
            let heard = vec!["Code".to_owned()];
            let said = Input::Said { seat: Some(Color::White), heard };
            to_game.blocking_send(FromDevice::Input(said)).expect("the service");
            until("three codes", || whispered.lock().expect("whole").len() == 3);
            drop((address, codes));
        });
    assert_eq!(whispered.len(), 3);
    assert!(whispered[0].starts_with("Code für den Assistenten: "), "{whispered:?}");
    assert!(whispered[1].starts_with("Code für den Schiedsrichter: "), "{whispered:?}");
    assert!(whispered[2].starts_with("Code für die Anzeige: "), "{whispered:?}");
    let digits = whispered[1].trim_end_matches('.').split(": ").nth(1).expect("digits");
    assert_eq!(digits.split([' ', ',']).filter(|word| !word.is_empty()).count(), 8, "{digits}");
    assert!(!printed.contains("Code für"), "{printed}");
    let inputs = service.inputs().expect("read");
    assert!(matches!(inputs.last(), Some((_, Input::Said { .. }))));
}
