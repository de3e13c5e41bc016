//! The pages of the arbiter, the assistant and the display, joined to the game.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use tokio::sync::{Notify, mpsc, oneshot, watch};

use super::{
    Service,
    news::{FromDevice, ToGame},
    setup::file::words,
    streams::{error_line, in_own_language},
    terminal,
};
use crate::config::{ClockKind, Config, SightedKind};
use annabella_console::{
    ActAnswer, Ask, Codes, ConsoleSettings, Desk, Log, MakeReport, Reach, TableFacts, Tls,
    terminal_picture, view::Sector,
};
use annabella_core::game::{At, Game, Input, Output};
use annabella_records::{
    journal::{
        GameId, Records,
        report::{Report, ReportLabels},
    },
    whole,
};
use annabella_words::phrase::{Prompt, Slot, Words};

/// After this long without a page the arbiter is taken to have left.
const LEFT_AFTER: Duration = Duration::from_secs(30);

/// The pages, and the answers that people wait for.
#[derive(Debug)]
pub struct Pages {
    desk: Desk,
    /// The game that the report is about.
    game: Arc<AtomicI64>,
    /// The codes that are good now.
    codes: watch::Receiver<Codes>,
    reply: Option<oneshot::Sender<ActAnswer>>,
    /// The answer to give once the view that shows the act was sent.
    answer: Option<ActAnswer>,
    reach: Reach,
    /// Another game has begun, which knows of no arbiter yet.
    begun: Arc<Notify>,
    /// A player reads the terminal: codes stand there when he asks for them, as at the start.
    read: bool,
    /// Serves them; ends with this.
    server: tokio::task::JoinHandle<()>,
}

impl Drop for Pages {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// Opens the pages if the configuration wants any. `tell` gets one line with the address and the
/// codes, and another after every change of a code; a player at a terminal reads them once.
///
/// # Errors
/// One line with the remedy; the game can go on without pages.
pub async fn open(
    config: &Config,
    to_game: &ToGame,
    tell: impl Fn(&str) + Send + Sync + 'static,
) -> Result<Option<Pages>, String> {
    let Some(listen) = config.console.listen else { return Ok(None) };
    let game = Arc::new(AtomicI64::new(0));
    let section = &config.console;
    let files = section.certificate.clone().zip(section.key.clone());
    let tell = Arc::new(tell);
    // A player reads this, perhaps by ear, in his language. What pages refuse is not for him: it
    // would tell which move the opponent's assistant has tried.
    let person = terminal::is_read().then(|| words(config).ok()).flatten();
    let complain = Arc::clone(&tell);
    let read = person.is_some();
    let settings = ConsoleSettings {
        tls: files.map(|(certificate, key)| Tls { certificate, key }),
        session_key: Some(beside(&config.journal.path, "pages.key")),
        language: config.speech.prompts.clone(),
        report: Some(report(&config.journal.path, Arc::clone(&game), &config.speech.prompts)),
        hall: super::hall::entry(),
        complain: Arc::new(move |line| {
            if !read {
                complain(line);
            }
        }),
        ..ConsoleSettings::at(listen)
    };
    let mut door = annabella_console::open(settings).await.map_err(|err| err.to_string())?;
    if let Some(why) = door.why_anew() {
        tell(why);
    }
    if door.reach().is_wide() && !section.name.is_empty() {
        let renamed = Arc::clone(&tell);
        door.publish(&section.name, move |line| renamed(line)).unwrap_or_else(|err| tell(&err));
    }
    if !door.is_private() {
        tell(
            "pages: everybody in the network can read along, so no sealed move is taken there: \
             give [console] certificate and key",
        );
    }
    let reach = door.reach().clone();
    let there = reach.clone();
    let told = Arc::clone(&tell);
    let (file, address) = (section.program_code.clone(), door.address());
    let encrypted = section.certificate.is_some();
    // At home a program has the code from its file.
    let alone = config.game.at_home && file.is_some();
    let announce = move |reach: &Reach, codes: &Codes, first: bool| {
        if let Some(Err(line)) =
            file.as_deref().map(|file| for_a_program(file, address, encrypted, codes))
        {
            told(&line);
        }
        match &person {
            // Later ones are told on request: they would interrupt what is said in the game.
            Some(words) if first && !alone => {
                lines(reach, codes, words).iter().for_each(|line| error_line(line));
            }
            Some(_) => {}
            None => told(&line(reach, codes)),
        }
    };
    let mut codes = door.codes();
    let known = door.codes();
    {
        let codes = codes.borrow_and_update();
        announce(&reach, &codes, true);
        if section.qr {
            pictures(&reach, &codes).iter().for_each(|picture| tell(picture));
        }
    }
    tokio::spawn(async move {
        while codes.changed().await.is_ok() {
            announce(&there, &codes.borrow_and_update(), false);
        }
    });
    let table = TableFacts {
        page_board: config.sighted.kind == SightedKind::Page,
        page_clock: config.clock.kind == ClockKind::Internal,
    };
    let (desk, views) = Desk::new(Log::new(), table);
    let (asks, mut asked) = mpsc::channel::<Ask>(16);
    let forward = to_game.another();
    let begun = Arc::new(Notify::new());
    let looks = tell_of_arbiters(door.arbiters(), Arc::clone(&begun), to_game.another());
    let server = tokio::spawn(async move {
        let serve = door.serve(views, asks);
        let hand_on = async {
            while let Some(ask) = asked.recv().await {
                // The service has ended and answers nobody; the page says so.
                if forward.send(FromDevice::Asked(ask)).await.is_err() {
                    return;
                }
            }
        };
        tokio::select! {
            () = serve => {}
            () = hand_on => {}
            () = looks => {}
        }
    });
    let (reply, answer) = (None, None);
    Ok(Some(Pages { desk, game, codes: known, reply, answer, reach, begun, read, server }))
}

/// Tells the game whether an arbiter's page is open: when that changes, and each game anew.
async fn tell_of_arbiters(
    mut arbiters: watch::Receiver<Vec<Sector>>,
    begun: Arc<Notify>,
    to_game: ToGame,
) {
    let mut told = false;
    loop {
        tokio::select! {
            changed = arbiters.changed() => {
                if changed.is_err() {
                    return std::future::pending().await;
                }
            }
            () = begun.notified() => told = false,
        }
        let mut open = !arbiters.borrow_and_update().is_empty();
        if told && !open {
            // A page that is loaded again, or a telephone that has lost its line, comes back.
            let _ =
                tokio::time::timeout(LEFT_AFTER, arbiters.wait_for(|all| !all.is_empty())).await;
            open = !arbiters.borrow_and_update().is_empty();
        }
        let news = FromDevice::Input(Input::ArbiterPage { open });
        if std::mem::replace(&mut told, open) != open && to_game.send(news).await.is_err() {
            return;
        }
    }
}

impl Pages {
    /// Their addresses and the codes that are good now, as a line.
    pub fn line(&self) -> String {
        line(&self.reach, &self.codes.borrow())
    }
}

/// For a telephone's camera: who scans it has the address and the code.
fn pictures(reach: &Reach, codes: &Codes) -> Vec<String> {
    if !reach.is_wide() {
        let line = "no telephone reaches the pages, so there is no QR code: set [console] listen, as in \"0.0.0.0:8080\"";
        return vec![line.to_owned()];
    }
    let roles = [
        ("pages: the arbiter points a telephone's camera here:", &codes.arbiter),
        ("pages: the assistant points a telephone's camera here:", &codes.assistant),
    ];
    let picture = |(line, code): (&str, &String)| {
        let picture = terminal_picture(&reach.with_code(code)?)?;
        Some(format!("{}\n{picture}", in_own_language(line)))
    };
    roles.into_iter().filter_map(picture).collect()
}

/// Addresses and codes as a person reads them, a line each.
fn lines(reach: &Reach, codes: &Codes, words: &Words) -> Vec<String> {
    let port = reach.port().to_string();
    let addresses = reach.addresses();
    let at = addresses.iter().map(|address| (Prompt::PagesHere, address.as_str()));
    let nowhere = at.len() == 0;
    let codes = [
        (Prompt::CodeAssistant, codes.assistant.as_str()),
        (Prompt::CodeArbiter, codes.arbiter.as_str()),
        (Prompt::CodeDisplay, codes.display.as_str()),
    ];
    let nowhere = nowhere.then_some((Prompt::PagesNowhere, port.as_str()));
    let all = at.chain(nowhere).chain(codes);
    all.map(|(prompt, text)| words.prompt(prompt, &[Slot::Text(text)]).to_string()).collect()
}

/// One line with the addresses and the codes.
pub fn line(reach: &Reach, codes: &Codes) -> String {
    let Codes { arbiter, assistant, display } = codes;
    let address = match &reach.addresses()[..] {
        [] => format!("port {} of every network, and this machine is in none now", reach.port()),
        addresses => addresses.join(&in_own_language(" or ")),
    };
    format!("pages: {address}; codes: arbiter {arbiter}, assistant {assistant}, display {display}")
}

/// Writes the address of the pages and the assistant's code for a program, a line each. Only the
/// owner reads it, and never half of it.
fn for_a_program(
    path: &Path,
    address: SocketAddr,
    encrypted: bool,
    codes: &Codes,
) -> Result<(), String> {
    let scheme = if encrypted { "https" } else { "http" };
    let text = format!("{scheme}://{address}\n{}\n", codes.assistant);
    whole::write_unsynced(path, text, Some(0o600))
        .map_err(|err| format!("[console] program_code: cannot write {}: {err}", path.display()))
}

fn beside(journal: &Path, name: &str) -> PathBuf {
    journal.with_extension(name)
}

/// Makes the arbiter's report of the game that is played, from the journal.
fn report(journal: &Path, game: Arc<AtomicI64>, language: &str) -> MakeReport {
    let journal = journal.to_owned();
    let language = language.to_owned();
    Arc::new(move || {
        let labels = ReportLabels::of(&language);
        let id = game.load(Ordering::Relaxed);
        let records = Records::open(&journal).map_err(|err| err.to_string())?;
        let inputs = records.inputs(GameId { number: id }).map_err(|err| err.to_string())?;
        let report = Report::of(id, &inputs, &labels).ok_or("no game has been started")?;
        Ok(report.to_html(&labels))
    })
}

impl Pages {
    /// A game begins, or goes on: its events so far are shown.
    pub fn begin(&mut self, service: &Service, now: At) {
        self.game.store(service.id().number, Ordering::Relaxed);
        // An unreadable journal only leaves the page's list empty; the game itself has its inputs.
        let inputs = service.inputs().unwrap_or_default();
        self.desk.restart(Log::replay(inputs));
        self.begun.notify_one();
        self.desk.show(service.game(), now);
    }

    /// The codes as they are spoken, for the ear alone.
    pub fn spoken_codes(&self, seat: shakmaty::Color, words: &Words) -> Vec<Output> {
        let codes = self.codes.borrow().clone();
        if self.read {
            lines(&self.reach, &codes, words).iter().for_each(|line| error_line(line));
        }
        let Codes { arbiter, assistant, display } = codes;
        let port = words.digits(&self.reach.port().to_string());
        let wide = self.reach.host().filter(|_| self.reach.is_wide());
        let at = wide.map(|host| {
            let slots = [Slot::Text(&host), Slot::Text(&port)];
            Output::Whisper { seat, words: words.prompt(Prompt::PagesAt, &slots) }
        });
        let each = [
            (Prompt::CodeAssistant, assistant),
            (Prompt::CodeArbiter, arbiter),
            (Prompt::CodeDisplay, display),
        ];
        let spoken = |(prompt, code): (Prompt, String)| {
            let words = words.prompt(prompt, &[Slot::Text(&words.digits(&code))]);
            Output::Whisper { seat, words }
        };
        at.into_iter().chain(each.map(spoken)).collect()
    }

    /// Somebody asks for something: the inputs for the game.
    pub fn asked(&mut self, ask: Ask) -> Vec<Input> {
        let inputs = ask.act.inputs();
        if inputs.is_empty() {
            // An act without inputs is answered at once.
            let _ = ask.reply.send(ActAnswer::Accepted);
        } else {
            self.reply = Some(ask.reply);
        }
        inputs
    }

    /// An input reached the game, and this is what it gave. Answers `false` when the rest of what
    /// was asked for is not to be handed on.
    pub fn happened(&mut self, at: At, input: &Input, outputs: &[Output], last: bool) -> bool {
        let answer = Desk::answer(outputs);
        // A mistyped sealed move concerns only the player who seals.
        if answer == ActAnswer::Accepted || !matches!(input, Input::Typed { .. }) {
            self.desk.happened(at, input, outputs);
        }
        let about = matches!(
            input,
            Input::Arbiter(_) | Input::Adjourn(_) | Input::Page(_) | Input::Typed { .. }
        );
        if !about || self.reply.is_none() {
            return true;
        }
        let accepted = answer == ActAnswer::Accepted;
        if last || !accepted {
            self.answer = Some(answer);
        }
        accepted
    }

    /// Shows how the game stands now.
    pub fn show(&mut self, game: &Game, now: At) {
        self.desk.show(game, now);
        if let Some(answer) = self.answer.take()
            && let Some(reply) = self.reply.take()
        {
            // The person may have left.
            let _ = reply.send(answer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn told(got: &mut super::super::news::Inbox) -> bool {
        match got.recv().await.map(|news| news.from) {
            Some(FromDevice::Input(Input::ArbiterPage { open })) => open,
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn a_game_is_told_that_an_arbiter_looks_and_so_is_the_next_one() {
        let (to_game, mut got) = ToGame::open();
        let (pages, arbiters) = watch::channel(Vec::new());
        let begun = Arc::new(Notify::new());
        let task = tokio::spawn(tell_of_arbiters(arbiters, Arc::clone(&begun), to_game));
        pages.send_replace(vec![Sector::ALL]);
        assert!(told(&mut got).await);
        // Another page of his is no news; another game knows of none.
        pages.send_replace(vec![Sector::ALL; 2]);
        begun.notify_one();
        assert!(told(&mut got).await);
        assert!(got.try_recv().is_none());
        task.abort();
    }
}
