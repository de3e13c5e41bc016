//! Sits between both tables of one game and does at each what was done at the other.

use std::{
    hash::{BuildHasher as _, RandomState},
    mem,
    time::{Duration, Instant},
};

use shakmaty::Color;
use thiserror::Error;
use tokio::time::{Instant as Moment, sleep, sleep_until};

use super::{
    follow::{Clock, Close, End, Far, Memory, Todo, todo},
    state::{State, Status},
    there::{Act, FarError, Heard, News, There},
    told::Told,
};
use crate::{
    door::{Door, DoorError, Lines},
    player::named,
    table::{Table, Wish},
};

/// The pause before a lost table at home is looked for again: at first, and at most.
const PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Why a game is not played to its end.
#[derive(Debug, Error)]
pub enum SitError {
    #[error("{0}")]
    Here(DoorError),
    #[error("{0}")]
    There(FarError),
}

impl From<DoorError> for SitError {
    fn from(err: DoorError) -> SitError {
        SitError::Here(err)
    }
}

impl From<FarError> for SitError {
    fn from(err: FarError) -> SitError {
        SitError::There(err)
    }
}

/// What is claimed when the opponent has gone and the server allows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhenGone {
    #[default]
    Victory,
    Draw,
    /// Nothing: his time runs.
    Wait,
}

/// The opponent is gone.
#[derive(Clone, Copy, Debug)]
struct Gone {
    /// From then on a claim is allowed.
    claim: Option<Moment>,
    claimed: bool,
    /// It was said that it is claimed.
    said: bool,
}

/// Between the tables.
#[derive(Debug)]
pub struct Sitter<T> {
    door: Door,
    there: T,
    far: Far,
    /// When it was told.
    heard: Instant,
    memory: Memory,
    when_gone: WhenGone,
    /// The opponent's name, until it has been told who plays.
    opponent: Option<String>,
    gone: Option<Gone>,
    /// What is to be told as soon as there is a table.
    tells: Vec<Told>,
    /// The same, in words already.
    says: Vec<String>,
    /// What the opponent has written.
    chat: Vec<String>,
    /// How often in a row the stream was lost, and whether that was told.
    lost: (u32, bool),
    /// What was done last, and has had no effect yet.
    done: Option<(Todo, Moment)>,
    /// What failed is not tried again before: here, and there.
    not_before: [Moment; 2],
    pause: Duration,
    /// The move that was refused, by its half-move.
    refused: Option<usize>,
    differs_told: bool,
    tell: fn(&str),
}

impl<T: There> Sitter<T> {
    /// A game against `opponent`. `tell` gets a line about what goes wrong.
    pub fn new(
        (door, there): (Door, T),
        (far, opponent): (Far, &str),
        when_gone: WhenGone,
        tell: fn(&str),
    ) -> Sitter<T> {
        Sitter {
            door,
            far,
            heard: Instant::now(),
            // No number of an evening before.
            memory: Memory::of_record(RandomState::new().hash_one(()) as u32),
            when_gone,
            opponent: Some(opponent.to_owned()),
            gone: None,
            tells: Vec::new(),
            says: Vec::new(),
            chat: Vec::new(),
            lost: (0, false),
            done: None,
            not_before: [Moment::now(); 2],
            pause: there.waits().pause,
            refused: None,
            differs_told: false,
            tell,
            there,
        }
    }

    /// This is told as soon as there is a table at home.
    pub fn says_first(&mut self, text: String) {
        self.says.push(text);
    }

    /// Plays the game until it is over at both tables.
    ///
    /// # Errors
    /// [`SitError`]: it goes on nowhere here. What is the matter there was said at the table.
    pub async fn plays(&mut self) -> Result<(), SitError> {
        let mut pause = PAUSE;
        loop {
            let played = match self.door.look().await {
                Ok(lines) => {
                    pause = PAUSE;
                    self.sits(lines).await
                }
                Err(err) => Err(err.into()),
            };
            match played {
                Err(SitError::Here(err)) if err.may_pass() => {}
                played => return played,
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    async fn sits(&mut self, mut lines: Lines) -> Result<(), SitError> {
        let mut table = lines.next().await?;
        loop {
            let mut wake = Moment::now() + self.there.waits().again;
            if let Some(now) = &table {
                self.says_what_is_to_be_told(now).await;
                self.memory.observes(now, &self.far);
                let work = todo(now, &self.far, &self.memory);
                let standing = self.memory.standing(now, &self.far);
                self.there.shows(now, standing);
                self.differs_told &= match self.far.clock {
                    Clock::Server => work == Todo::Differs,
                    Clock::Here | Clock::There => {
                        !(standing.agrees && self.far.state.standing.agrees)
                    }
                };
                if work == Todo::Over {
                    self.compares_ends(now).await;
                    return Ok(());
                }
                wake = match self.works(work, now).await {
                    Ok(again) => again.min(wake),
                    Err(err) => {
                        self.says_what_is_to_be_told(now).await;
                        return Err(err);
                    }
                };
            }
            tokio::select! {
                biased;
                news = lines.next() => table = news?,
                heard = self.there.next() => {
                    if let Err(err) = self.hears(heard) {
                        if let Some(now) = &table {
                            self.says_what_is_to_be_told(now).await;
                        }
                        return Err(err.into());
                    }
                }
                () = sleep_until(wake) => {}
            }
        }
    }

    /// Does it, if its time has come. Answers when to look again.
    async fn works(&mut self, work: Todo, table: &Table) -> Result<Moment, SitError> {
        let now = Moment::now();
        self.claims_if_gone(table).await;
        let not_before = self.not_before[usize::from(work.is_there())];
        if now < not_before {
            return Ok(not_before);
        }
        if work == Todo::Wait {
            self.done = None;
            return Ok(self.claim_due().unwrap_or(now + self.there.waits().again));
        }
        // An offer that was just told may take a moment to be seen.
        let unseen = work == Todo::DeclineThere && self.memory.is_offer_unseen();
        let same = |done: &Todo| *done == work || unseen && *done == Todo::OfferHere;
        if let Some((_, at)) = self.done.as_ref().filter(|(done, _)| same(done)) {
            let again = *at + self.there.waits().again;
            if now < again {
                return Ok(again);
            }
        }
        match self.does(&work, table).await {
            Ok(()) => {
                self.memory.has_done(&work, &self.far);
                self.pause = self.there.waits().pause;
                self.done = Some((work, now));
                Ok(Moment::now() + self.there.waits().again)
            }
            Err(err) => self.failed(err, &work),
        }
    }

    /// Something was not done: once more later, or never.
    fn failed(&mut self, err: SitError, work: &Todo) -> Result<Moment, SitError> {
        let mut wait = self.pause;
        self.pause = self.pause.saturating_mul(2).min(self.there.waits().longest_pause);
        match err {
            SitError::Here(DoorError::Refused(_)) => {
                // An offer that may not be made here was none.
                if matches!(work, Todo::OfferHere | Todo::DeclinedHere) {
                    self.memory.has_done(work, &self.far);
                }
            }
            SitError::Here(err) => return Err(err.into()),
            SitError::There(FarError::Busy { .. }) => {
                self.tells.push(Told::Busy);
                wait = self.there.waits().busy;
            }
            SitError::There(err @ FarError::Refused { .. }) => {
                (self.tell)(&err.to_string());
                self.was_refused(work);
                // Whatever the server knows, it tells anew.
                self.there.renew();
            }
            SitError::There(err) if err.may_pass() => {}
            SitError::There(err) => {
                self.is_shut_out(&err);
                return Err(err.into());
            }
        }
        let until = Moment::now() + wait;
        self.not_before[usize::from(work.is_there())] = until;
        Ok(until)
    }

    fn is_shut_out(&mut self, err: &FarError) {
        let token = matches!(err, FarError::Token { .. } | FarError::Scope { .. });
        let otherwise = if self.far.clock == Clock::Server { Told::Differs } else { Told::ShutOut };
        self.tells.push(if token { Told::TokenGone } else { otherwise });
    }

    fn was_refused(&mut self, work: &Todo) {
        match work {
            Todo::Send { plies, .. } => {
                let news = self.refused.replace(*plies) != Some(*plies);
                self.tells.extend(news.then_some(Told::MoveRefused));
            }
            Todo::Close(Close::Claim | Close::Agree) => {
                self.tells.push(Told::DrawOpen);
                self.memory.has_done(work, &self.far);
            }
            Todo::Close(_) | Todo::OfferThere | Todo::DeclineThere | Todo::RefuseTakeback => {
                self.memory.has_done(work, &self.far);
            }
            _ => {}
        }
    }

    async fn does(&mut self, work: &Todo, table: &Table) -> Result<(), SitError> {
        let seat = named(!self.far.own);
        match work {
            Todo::Wait | Todo::Over => {}
            Todo::Carry(ply) => {
                let ply = ply.to_string();
                self.door.act(&[("act", "played"), ("seat", seat), ("ply", &ply)]).await?;
            }
            Todo::Play { plies, uci } => {
                let plies = plies.to_string();
                self.door.act(&[("act", "move"), ("plies", &plies), ("move", uci)]).await?;
            }
            Todo::Press => self.door.act(&[("act", "press"), ("seat", seat)]).await?,
            Todo::Clock => self.clock().await?,
            Todo::Run => self.door.act(&[("act", "clock"), ("running", seat)]).await?,
            Todo::Stand => self.door.act(&[("act", "clock"), ("running", "")]).await?,
            Todo::GoBack(plies) => {
                self.tells_that_they_differ(table).await;
                let (plies, decided) = (plies.to_string(), table.decided.to_string());
                let fields = [("act", "back"), ("plies", &*plies), ("decided", &decided)];
                self.door.act(&fields).await?;
            }
            Todo::OfferHere => self.says("offers-draw").await?,
            Todo::DeclinedHere => self.says("declines-draw").await?,
            Todo::Send { uci, offering, .. } => {
                self.there.does(Act::Move { uci, offering: *offering }).await?;
            }
            Todo::OfferThere => self.there.does(Act::OfferDraw).await?,
            Todo::DeclineThere => self.there.does(Act::DeclineDraw).await?,
            Todo::RefuseTakeback => {
                self.there.does(Act::RefuseTakeback).await?;
                self.tells.push(Told::TakebackRefused);
            }
            Todo::DeclinesWish(Wish::TakeBack) => self.says("declines-take-back").await?,
            Todo::DeclinesWish(_) => {
                let text = self.there.sentence(Told::NoHelp, &table.prompts);
                self.door.act(&[("act", "says"), ("word", "answers"), ("text", text)]).await?;
            }
            Todo::Close(Close::Abort) => self.there.does(Act::Abort).await?,
            Todo::Close(Close::Resign) => self.there.does(Act::Resign).await?,
            Todo::Close(Close::Agree) => self.there.does(Act::OfferDraw).await?,
            Todo::Close(Close::Claim) => match self.there.does(Act::ClaimDraw).await {
                // Where the server knows no claim an offer is one (9.1.2.3).
                Err(FarError::Refused { .. }) => self.there.does(Act::OfferDraw).await?,
                claimed => claimed?,
            },
            Todo::End(end) => self.ends(end, table).await?,
            Todo::Differs => {
                self.tells_that_they_differ(table).await;
                self.there.renew();
            }
        }
        Ok(())
    }

    /// Once, until both are the same again.
    async fn tells_that_they_differ(&mut self, table: &Table) {
        if !mem::replace(&mut self.differs_told, true) {
            self.tells(Told::Differs, table).await;
        }
    }

    /// Two players' tables may have ended in one moment, each in its own way.
    async fn compares_ends(&mut self, table: &Table) {
        let there = self.far.state.winner.map_or("1/2-1/2", |winner| winner.fold_wb("1-0", "0-1"));
        let here = table.ended.as_ref().map(|ended| ended.result.as_str());
        if self.far.clock != Clock::Server && here != Some(there) {
            self.tells(Told::ResultsDiffer, table).await;
        }
    }

    async fn says(&mut self, word: &str) -> Result<(), DoorError> {
        let seat = named(!self.far.own);
        self.door.act(&[("act", "says"), ("seat", seat), ("word", word), ("sure", "yes")]).await
    }

    /// Hands on the times; of the one that runs what has passed since.
    async fn clock(&mut self) -> Result<(), DoorError> {
        let passed = u64::try_from(self.heard.elapsed().as_millis()).unwrap_or(u64::MAX);
        let running = self.far.running();
        let left = |color: Color| {
            let ms = self.far.state.left_ms[usize::from(color.is_black())];
            let runs = self.far.clocks_run() && running == Some(color);
            ms.saturating_sub(if runs { passed } else { 0 }).to_string()
        };
        let (white, black) = (left(Color::White), left(Color::Black));
        let running = running.map_or("", named);
        let fields = [("white_ms", white.as_str()), ("black_ms", &black), ("running", running)];
        self.door.act(&[&[("act", "clock")], &fields[..]].concat()).await
    }

    async fn ends(&mut self, end: &End, table: &Table) -> Result<(), DoorError> {
        let (result, article, status) = match end {
            End::Says(word) => return self.says(word).await,
            End::Ends { result, article, status } => (result, article, status),
        };
        let told = match status {
            Status::Aborted => Some(Told::Aborted),
            Status::Left => Some(Told::Left),
            _ => None,
        };
        if let Some(told) = told {
            self.tells(told, table).await;
        }
        let text = format!("{}: {}", self.there.name(), status.name());
        let fields = [("act", "ends"), ("result", *result), ("article", article), ("text", &text)];
        self.door.act(&fields).await
    }

    /// What cannot be told is not worth another try.
    async fn tells(&mut self, told: Told, table: &Table) {
        self.tells_in_words(self.there.sentence(told, &table.prompts)).await;
    }

    async fn tells_in_words(&mut self, text: &str) {
        let _ = self.door.act(&[("act", "tells"), ("text", text)]).await;
    }

    async fn says_what_is_to_be_told(&mut self, table: &Table) {
        if let Some(opponent) = self.opponent.take_if(|_| table.running.is_some()) {
            let text = self.there.begins(&table.prompts, self.far.own, &opponent);
            self.tells_in_words(&text).await;
        }
        for told in mem::take(&mut self.tells) {
            self.tells(told, table).await;
        }
        for text in mem::take(&mut self.says) {
            self.tells_in_words(&text).await;
        }
        for text in mem::take(&mut self.chat) {
            let _ = self.door.act(&[("act", "says"), ("word", "remarks"), ("text", &text)]).await;
        }
    }

    fn hears(&mut self, heard: Heard<News>) -> Result<(), FarError> {
        match heard {
            Heard::Lost(err) => {
                self.far.is_lost();
                let (times, told) = &mut self.lost;
                *times += 1;
                let busy = matches!(err, FarError::Busy { .. });
                // One cut is no news: the next stream is there at once.
                if (busy || *times > 1) && !mem::replace(told, true) {
                    self.tells.push(if busy { Told::Busy } else { Told::Lost });
                    (self.tell)(&err.to_string());
                }
            }
            Heard::Closed(err) => {
                self.is_shut_out(&err);
                return Err(err);
            }
            Heard::Line(news) => {
                // What is only told here does not come from there.
                let from_here = matches!(news, News::Tells(_) | News::Says(_));
                if !from_here && mem::take(&mut self.lost).1 {
                    self.tells.push(Told::Back);
                }
                self.takes(news);
            }
        }
        Ok(())
    }

    fn takes(&mut self, news: News) {
        match news {
            News::State(state) => self.changes(state),
            News::Gone { gone: false, .. } => {
                if self.gone.take().is_some() {
                    self.tells.push(Told::OpponentBack);
                }
            }
            News::Gone { gone: true, claim_s } => {
                if self.gone.is_none() {
                    self.tells.push(Told::OpponentGone);
                }
                let claim = claim_s.and_then(|s| Moment::now().checked_add(Duration::from_secs(s)));
                let before = self.gone.unwrap_or(Gone { claim, claimed: false, said: false });
                self.gone = Some(Gone { claim, ..before });
            }
            News::Chat(text) => self.chat.push(text),
            News::Tells(told) => self.tells.push(told),
            News::Says(text) => self.says.push(text),
            News::Nothing => {}
        }
    }

    fn changes(&mut self, state: State) {
        let before = self.far.state.standing.record;
        let went_back = state.standing.record == before.wrapping_add(1);
        if self.far.told > 0 && went_back && !mem::replace(&mut self.differs_told, true) {
            self.tells.push(Told::Differs);
        }
        self.far.changes(state);
        self.heard = Instant::now();
        self.done = None;
    }

    fn claim_due(&self) -> Option<Moment> {
        self.gone.filter(|gone| !gone.claimed).and_then(|gone| gone.claim)
    }

    /// The opponent is gone for so long that the game may be claimed.
    async fn claims_if_gone(&mut self, table: &Table) {
        let what = match self.when_gone {
            WhenGone::Victory => Act::ClaimVictory,
            WhenGone::Draw => Act::ClaimDrawOfGone,
            WhenGone::Wait => return,
        };
        let due = self.claim_due().is_some_and(|due| due <= Moment::now());
        if !due || self.far.is_over() || table.ended.is_some() {
            return;
        }
        if self.gone.as_mut().is_some_and(|gone| !mem::replace(&mut gone.said, true)) {
            self.tells(Told::Claims, table).await;
        }
        let claimed = self.there.does(what).await;
        if let Some(gone) = &mut self.gone {
            match claimed {
                Ok(()) => gone.claimed = true,
                // A moment too early, or a busy server.
                Err(err) => {
                    (self.tell)(&err.to_string());
                    gone.claim = Some(Moment::now() + self.there.waits().again);
                }
            }
        }
    }
}
