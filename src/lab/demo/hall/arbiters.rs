//! Arbiters as programs: they open the hall's page, see who calls, and decide on that board's page
//! through the hall.
//!
//! Each fifty boards are a sector with two of them, who see the same calls, and decide otherwise
//! than each other. In the end each decision is looked for in its board's journal: one that was
//! taken stands there once and with its arbiter's name, one that came too late does not, and
//! nothing else was decided.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
    sync::mpsc,
    time::Duration,
};

use tokio::{runtime::Runtime, sync::watch, task::JoinHandle};

use super::super::visitor::{Visitor, hidden, named};
use super::Board;
use annabella::service::beside::HALL;
use annabella_core::game::Game;
use annabella_records::journal::Records;

/// Boards of a sector.
const SECTOR: u32 = 50;
/// The names of those in each sector, and whether they confirm what is proposed.
const ARBITERS: [(&str, bool); 2] = [("A. Weber", true), ("B. Roth", false)];
/// A page that does not come in this time does not come.
const PATIENCE: Duration = Duration::from_secs(20);
/// The hall's page is there by then.
const OPENS: Duration = Duration::from_secs(60);
/// An arbiter looks at the hall's page so often.
const LOOK: Duration = Duration::from_millis(200);

/// How a board answered a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Taken,
    TooLate,
    /// Nobody knows: the line was cut, or the board killed.
    Lost,
}

/// What an arbiter has sent to a board. The reason tells it from every other one.
#[derive(Clone, Debug)]
pub(super) struct Decision {
    pub(super) board: u32,
    pub(super) by: &'static str,
    pub(super) reason: String,
    pub(super) answer: Answer,
}

/// The hall's page, and the arbiters before it.
pub(super) struct Arbiters {
    page: Child,
    over: watch::Sender<bool>,
    deciding: Vec<JoinHandle<Vec<Decision>>>,
}

impl Drop for Arbiters {
    fn drop(&mut self) {
        let _ = self.page.kill();
        let _ = self.page.wait();
    }
}

impl Arbiters {
    /// Opens the page of the hall at these servers, as `annabella hall` does.
    pub(super) fn come(
        runtime: &Runtime,
        url: &str,
        event: &str,
        boards: u32,
    ) -> Result<Arbiters, String> {
        let page = Command::new(HALL.path())
            .args(["--url", url, "--event", event, "--page", "127.0.0.1:0", "--language", "en"])
            // Its line with the codes is read below.
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|err| HALL.missing(&err))?;
        let (over, _) = watch::channel(false);
        let mut arbiters = Arbiters { page, over, deciding: Vec::new() };
        let lines = arbiters.page.stderr.take().ok_or("the page says nothing")?;
        let (send, codes) = mpsc::channel();
        std::thread::spawn(move || {
            // It is read to its end, so that the page never waits.
            for line in BufReader::new(lines).lines().map_while(Result::ok) {
                if let Some(known) = address_and_code(&line) {
                    let _ = send.send(known);
                }
            }
        });
        for first in (1..=boards).step_by(SECTOR as usize) {
            let sector = format!("/arbiter?first={first}&last={}", first + SECTOR - 1);
            for (by, confirms) in ARBITERS {
                // A code is good once, and the page names the next.
                let (address, code) =
                    codes.recv_timeout(OPENS).map_err(|_| "the hall has no page".to_owned())?;
                let visitor = runtime.block_on(Visitor::pair(&address, &code, by))?;
                let arbiter = Arbiter { by, confirms, visitor, decided: Vec::new(), count: 0 };
                let deciding = arbiter.decides(sector.clone(), arbiters.over.subscribe());
                arbiters.deciding.push(runtime.spawn(deciding));
            }
        }
        Ok(arbiters)
    }

    /// They go home. Answers everything that they have sent.
    pub(super) fn go(mut self, runtime: &Runtime) -> Vec<Decision> {
        self.over.send_replace(true);
        let deciding = std::mem::take(&mut self.deciding);
        let all = deciding.into_iter().flat_map(|one| runtime.block_on(one).unwrap_or_default());
        all.collect()
    }
}

/// The page's address and the arbiter's code in a line of the hall.
fn address_and_code(line: &str) -> Option<(String, String)> {
    Some((named(line, "pages: http://")?, named(line, "codes: arbiter ")?))
}

struct Arbiter {
    by: &'static str,
    confirms: bool,
    visitor: Visitor,
    decided: Vec<Decision>,
    count: u32,
}

/// A form, without its reason.
type Form = Vec<(&'static str, String)>;

impl Arbiter {
    /// `sector`: the hall's page of his boards.
    async fn decides(mut self, sector: String, over: watch::Receiver<bool>) -> Vec<Decision> {
        while !*over.borrow() {
            let page = self.get(&sector).await.unwrap_or_default();
            for (board, called) in waiting(&page) {
                self.goes_to(board, called).await;
            }
            tokio::time::sleep(LOOK).await;
        }
        self.decided
    }

    async fn get(&mut self, path: &str) -> Option<String> {
        tokio::time::timeout(PATIENCE, self.visitor.get(path)).await.ok()?.ok()
    }

    /// Answers what is asked at this board, and lets its clocks run.
    async fn goes_to(&mut self, board: u32, called: bool) {
        let Some(mut page) = self.get(&format!("/board/{board}/arbiter")).await else { return };
        let about = self.about(&page, called);
        if let Some(form) = about {
            let Some(next) = self.sends(board, form).await else { return };
            page = next;
        }
        if page.contains("value=\"start-clocks\"") && question(&page).is_none() {
            self.sends(board, vec![("act", "start-clocks".to_owned())]).await;
        }
    }

    /// The decision that a board's page asks for, if it does.
    fn about(&self, page: &str, called: bool) -> Option<Form> {
        if let Some(number) = question(page) {
            let act = if self.confirms { "confirm" } else { "dismiss" };
            return Some(vec![("act", act.to_owned()), ("number", number)]);
        }
        // Until it is corrected a board differs as before.
        let corrected = part(page, "correcting").contains("<ol>");
        if page.contains("value=\"settle\"") && !corrected {
            let mark = hidden(page, "mark")?;
            return Some(vec![("act", "settle".to_owned()), ("mark", mark)]);
        }
        called.then(|| vec![("act", "note".to_owned()), ("text", "he has come".to_owned())])
    }

    /// Sends a form. Answers the page that it leads to.
    async fn sends(&mut self, board: u32, mut form: Form) -> Option<String> {
        self.count += 1;
        let reason = format!("{} decides, {}", self.by, self.count);
        form.push(("reason", reason.clone()));
        let fields: Vec<(&str, &str)> = form.iter().map(|(k, v)| (*k, v.as_str())).collect();
        let path = format!("/board/{board}/act");
        let sent = tokio::time::timeout(PATIENCE, self.visitor.acts(&path, &fields)).await;
        let page = sent.ok().and_then(Result::ok);
        let answer = match &page {
            Some(page) if page.contains("class=\"good\"") => Answer::Taken,
            Some(_) => Answer::TooLate,
            None => Answer::Lost,
        };
        self.decided.push(Decision { board, by: self.by, reason, answer });
        page
    }
}

/// The boards that wait on the hall's page, the longest first, and whether somebody calls there.
fn waiting(page: &str) -> Vec<(u32, bool)> {
    let mut boards: Vec<(u32, bool)> = Vec::new();
    for item in part(page, "needs").split("<li>").skip(1) {
        let number = item.split("href=\"/board/").nth(1).and_then(|rest| rest.split('/').next());
        let Some(board) = number.and_then(|number| number.parse().ok()) else { continue };
        let called = item.contains("calls the arbiter");
        match boards.iter_mut().find(|(known, _)| *known == board) {
            Some((_, calls)) => *calls |= called,
            None => boards.push((board, called)),
        }
    }
    boards
}

fn part<'a>(page: &'a str, id: &str) -> &'a str {
    let rest = page.split(&format!("id=\"{id}\"")).nth(1);
    rest.and_then(|rest| rest.split("</section>").next()).unwrap_or_default()
}

/// The first question on a board's page that waits for a decision.
fn question(page: &str) -> Option<String> {
    hidden(page, "number")
}

/// What the journals say otherwise about these decisions, a line each.
pub(super) fn compare(boards: &[Board], decisions: &[Decision]) -> Result<Vec<String>, String> {
    let mut differ = Vec::new();
    for board in boards {
        let number = board.place.board;
        let mut stand = rulings(board)?;
        for sent in decisions.iter().filter(|sent| sent.board == number) {
            let found = stand.remove(&sent.reason).unwrap_or_default();
            let right = match sent.answer {
                Answer::Taken => found == [sent.by],
                Answer::TooLate => found.is_empty(),
                Answer::Lost => found.is_empty() || found == [sent.by],
            };
            if !right {
                differ.push(format!("board {number}: {sent:?} stands in its journal by {found:?}"));
            }
        }
        differ.extend(stand.iter().map(|(reason, by)| {
            format!("board {number}: {by:?} decided there, and nobody sent it: {reason}")
        }));
    }
    Ok(differ)
}

/// The rulings in a board's journal that its games have taken: by their reason, who is named.
fn rulings(board: &Board) -> Result<BTreeMap<String, Vec<String>>, String> {
    let records = Records::open(&board.journal).map_err(|err| err.to_string())?;
    let mut stand: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for summary in records.games().map_err(|err| err.to_string())? {
        let mut game = Game::new();
        for (at, input) in records.inputs(summary.id).map_err(|err| err.to_string())? {
            // What the game refused changes nothing.
            let _ = game.handle(at, input);
        }
        for ruled in game.record().map_or(&[][..], |record| record.rulings) {
            stand.entry(ruled.ruling.reason.clone()).or_default().push(ruled.ruling.by.clone());
        }
    }
    Ok(stand)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_is_read_off_the_hall_s_page() {
        let page = "<section id=\"needs\"><li><a href=\"/board/17/\">Board 17</a>: The boards differ. (new)</li>\
                    <li><a href=\"/board/3/\">Board 3</a>: the assistant calls the arbiter (new)</li>\
                    <li><a href=\"/board/17/\">Board 17</a>: the assistant calls the arbiter: noise (new)</li>\
                    </section><li><a href=\"/board/4/\">";
        assert_eq!(waiting(page), [(17, true), (3, true)]);
        assert_eq!(waiting("Nothing waits."), []);
    }

    #[test]
    fn address_and_code_are_read_off_its_line() {
        let line = "pages: http://127.0.0.1:8090; codes: arbiter 1234 5678, assistant 1, display 2";
        let line = &line.replace("1234 5678", "12345678");
        let read = ("127.0.0.1:8090".to_owned(), "12345678".to_owned());
        assert_eq!(address_and_code(line), Some(read));
        assert_eq!(address_and_code("hall: no hall"), None);
    }
}
