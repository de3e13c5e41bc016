//! The pages' contents, rendered once for all viewers: whole for a new page, then the changed
//! parts.

use std::{
    collections::{BTreeMap, VecDeque},
    convert::Infallible,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::body::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use tokio::{sync::watch, task::JoinHandle};

use super::{
    Role,
    pages::{self, Context},
    part::Part,
    view::{Clocks, Sector, View},
    whole_hall::Wanted,
    words::Languages,
};
use annabella_threads::{lock, millis};

/// The shortest time between two renderings. Changes in between go into the next one.
const BREATH: Duration = Duration::from_millis(40);
/// After this long without news a page gets a sign of life. Its script takes the line for dead
/// after more than two of them.
const SIGN_OF_LIFE: Duration = Duration::from_millis(1_500);

/// After this long without a word the hall is gone, or nobody looks there any more. It says so
/// every twenty seconds.
pub(super) const IN_HALL: Duration = Duration::from_secs(45);

/// So many pages are kept for whoever comes back to them before those that nobody looks at are
/// dropped: somebody may ask for another choice of boards each time.
const KEPT_PAGES: usize = 64;

/// A page as it stands.
#[derive(Debug)]
pub(super) struct Rendered {
    number: u64,
    pub(super) parts: Vec<Arc<Part>>,
    /// The announcement for people who can't see the page.
    pub(super) news: (u64, String),
    news_event: Bytes,
    news_changed: u64,
    pub(super) clocks: Clocks,
    clock_event: Bytes,
    clock_changed: u64,
    pub(super) view: Arc<View>,
    /// When the clocks stood so.
    at: Instant,
}

impl Rendered {
    pub(super) fn clocks_now(&self) -> Clocks {
        self.clocks.after(millis(self.at.elapsed()))
    }

    /// The service's time, milliseconds.
    pub(super) fn now_ms(&self) -> u64 {
        let passed = millis(self.at.elapsed());
        at_ms(&self.view).saturating_add(passed)
    }

    fn clocks_now_event(&self) -> Bytes {
        clock_event(self.clocks_now(), self.now_ms())
    }

    /// The blocks that changed after rendering `seen`; all of them if the page has seen none.
    fn since(&self, seen: Option<u64>) -> impl Iterator<Item = Bytes> {
        let new = move |changed: u64| seen.is_none_or(|seen| changed > seen);
        let parts = self.parts.iter().filter(move |part| new(part.changed));
        let clock = match seen {
            None => Some(self.clocks_now_event()),
            Some(_) => new(self.clock_changed).then(|| self.clock_event.clone()),
        };
        let news = new(self.news_changed).then(|| self.news_event.clone());
        parts.map(|part| part.event.clone()).chain(clock).chain(news)
    }
}

fn event(name: &str, data: &serde_json::Value) -> Bytes {
    // JSON has no line breaks of its own.
    Bytes::from(format!("event: {name}\ndata: {data}\n\n"))
}

fn at_ms(view: &View) -> u64 {
    view.game.as_ref().map_or(0, |game| game.at_ms)
}

fn clock_event(clocks: Clocks, at_ms: u64) -> Bytes {
    let data = serde_json::json!({
        "white": clocks.white_ms, "black": clocks.black_ms, "running": clocks.running,
        "delay_ms": clocks.delay_ms, "at": at_ms,
    });
    event("clock", &data)
}

/// A page that somebody looks at: its role, its language, and what is wanted of the hall.
type Shown = (Role, usize, Wanted);

struct Current {
    view: Arc<View>,
    at: Instant,
    pages: BTreeMap<Shown, watch::Sender<Arc<Rendered>>>,
}

/// All pages that somebody looks at.
pub(super) struct Hub {
    languages: Languages,
    private: bool,
    views: watch::Receiver<Arc<View>>,
    current: Mutex<Current>,
    /// The boards of each page of an arbiter that is open.
    arbiters: watch::Sender<Vec<Sector>>,
    /// He is at the hall's page: it says so again and again.
    in_hall: Mutex<Option<JoinHandle<()>>>,
}

impl Hub {
    pub(super) fn new(
        languages: Languages,
        private: bool,
        views: watch::Receiver<Arc<View>>,
        arbiters: watch::Sender<Vec<Sector>>,
    ) -> Hub {
        let view = Arc::clone(&views.borrow());
        let current = Current { view, at: Instant::now(), pages: BTreeMap::new() };
        let (current, in_hall) = (Mutex::new(current), Mutex::default());
        Hub { languages, private, views, current, arbiters, in_hall }
    }

    /// The same stream; as long as it goes on an arbiter's page of these boards counts as open.
    pub(super) fn counted<S: Stream>(
        &self,
        stream: S,
        role: Role,
        sector: Sector,
    ) -> impl Stream<Item = S::Item> + use<S> {
        let looks = (role == Role::Arbiter).then(|| Looks::new(&self.arbiters, sector));
        stream.map(move |event| {
            let _ = &looks;
            event
        })
    }

    /// The hall says that an arbiter has its page open: for so long that counts as one of this
    /// board, if nothing more is said.
    pub(super) fn in_hall(&self, lasts: Duration) {
        let looks = Looks::new(&self.arbiters, Sector::ALL);
        let until = tokio::spawn(async move {
            tokio::time::sleep(lasts).await;
            drop(looks);
        });
        if let Some(before) = lock(&self.in_hall).replace(until) {
            before.abort();
        }
    }

    /// Renders what is new until nobody sends views any more.
    pub(super) async fn run(&self) {
        let mut views = self.views.clone();
        while views.changed().await.is_ok() {
            self.refresh();
            tokio::time::sleep(BREATH).await;
        }
        // The pages stay as they are.
        std::future::pending::<()>().await;
    }

    /// The views, as they are sent.
    pub(super) fn views(&self) -> watch::Receiver<Arc<View>> {
        self.views.clone()
    }

    /// The view that was sent last.
    pub(super) fn view(&self) -> Arc<View> {
        Arc::clone(&self.views.borrow())
    }

    /// The page of a role in a language, as of the view that was sent last, and what it becomes.
    pub(super) fn page(&self, shown: Shown) -> watch::Receiver<Arc<Rendered>> {
        self.refresh();
        let mut current = lock(&self.current);
        if let Some(page) = current.pages.get(&shown) {
            return page.subscribe();
        }
        if current.pages.len() >= KEPT_PAGES {
            current.pages.retain(|_, page| page.receiver_count() > 0);
        }
        let rendered = self.render(shown, &current, None);
        let (page, receiver) = watch::channel(Arc::new(rendered));
        current.pages.insert(shown, page);
        receiver
    }

    /// Renders every page that somebody looks at, if there is a new view.
    fn refresh(&self) {
        let view = self.view();
        let mut current = lock(&self.current);
        if Arc::ptr_eq(&view, &current.view) {
            return;
        }
        (current.view, current.at) = (view, Instant::now());
        current.pages.retain(|_, page| page.receiver_count() > 0);
        for (&shown, page) in &current.pages {
            let before = Arc::clone(&page.borrow());
            let rendered = self.render(shown, &current, Some(&before));
            page.send_replace(Arc::new(rendered));
        }
    }

    fn render(
        &self,
        (role, language, wanted): Shown,
        current: &Current,
        before: Option<&Rendered>,
    ) -> Rendered {
        // Languages are only ever numbered by `Languages` itself.
        let words = self.languages.words(language);
        let context = Context { words, private: self.private, wanted };
        let number = before.map_or(0, |before| before.number) + 1;
        let parts = pages::parts(role, &current.view, &context).into_iter().enumerate();
        let parts = parts.map(|(n, (id, html))| {
            // It is mostly where it was: in a hall there are hundreds.
            let named = |part: &&Arc<Part>| part.id == id;
            let known = before.and_then(|before| {
                before.parts.get(n).filter(named).or_else(|| before.parts.iter().find(named))
            });
            match known.filter(|part| part.html == html) {
                Some(part) => Arc::clone(part),
                None => {
                    let data = serde_json::json!({ "id": id, "html": html });
                    Arc::new(Part { id, event: event("part", &data), html, changed: number })
                }
            }
        });
        let parts = parts.collect();
        let news = pages::news(role, &current.view, &context);
        let clocks = current.view.game.as_ref().map(|game| game.clocks).unwrap_or_default();
        let news_changed = match before {
            Some(before) if before.news == news => before.news_changed,
            _ => number,
        };
        // A page counts on by itself, but needs a reading from time to time.
        let stands = clocks.running == annabella_core::game::Running::None;
        let clock_changed = match before {
            Some(before) if stands && before.clocks == clocks => before.clock_changed,
            _ => number,
        };
        Rendered {
            number,
            parts,
            news_event: event("news", &serde_json::json!({ "number": news.0, "text": news.1 })),
            news,
            news_changed,
            clocks,
            clock_event: clock_event(clocks, at_ms(&current.view)),
            clock_changed,
            view: Arc::clone(&current.view),
            at: current.at,
        }
    }
}

struct Follower {
    page: watch::Receiver<Arc<Rendered>>,
    /// Changes when sessions are over.
    sessions: watch::Receiver<u64>,
    good: Box<dyn Fn() -> bool + Send>,
    seen: Option<u64>,
    waiting: VecDeque<Bytes>,
    /// When the page was sent something last.
    told: Instant,
}

/// The stream for an open page: everything, then changes. A slow page skips to the newest.
pub(super) fn follow(
    page: watch::Receiver<Arc<Rendered>>,
    sessions: watch::Receiver<u64>,
    good: impl Fn() -> bool + Send + 'static,
) -> impl Stream<Item = Result<Bytes, Infallible>> + Send {
    let waiting = VecDeque::from([Bytes::from_static(b"retry: 2000\n\n")]);
    let (good, told) = (Box::new(good), Instant::now());
    let follower = Follower { page, sessions, good, seen: None, waiting, told };
    stream::unfold(follower, |mut follower| async move {
        loop {
            if let Some(event) = follower.waiting.pop_front() {
                follower.told = Instant::now();
                return Some((Ok(event), follower));
            }
            if follower.seen.is_some() {
                tokio::select! {
                    changed = follower.page.changed() => {
                        changed.ok()?;
                    }
                    changed = follower.sessions.changed() => {
                        changed.ok().filter(|()| (follower.good)())?;
                        continue;
                    }
                    // A view that changes nothing on this page is no sign of life for it.
                    () = tokio::time::sleep_until((follower.told + SIGN_OF_LIFE).into()) => {
                        follower.waiting.push_back(Bytes::from_static(b"event: here\ndata: {}\n\n"));
                        continue;
                    }
                }
            }
            let page = Arc::clone(&follower.page.borrow_and_update());
            follower.waiting.extend(page.since(follower.seen));
            follower.seen = Some(page.number);
        }
    })
}

/// An arbiter's page that is open, and its boards; it no longer is when this is dropped.
struct Looks(watch::Sender<Vec<Sector>>, Sector);

impl Looks {
    fn new(arbiters: &watch::Sender<Vec<Sector>>, sector: Sector) -> Looks {
        arbiters.send_modify(|open| open.push(sector));
        Looks(arbiters.clone(), sector)
    }
}

impl Drop for Looks {
    fn drop(&mut self) {
        self.0.send_modify(|open| {
            if let Some(place) = open.iter().position(|sector| *sector == self.1) {
                open.swap_remove(place);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_the_hall_says_of_an_arbiter_counts_once_and_lapses_when_it_says_no_more() {
        let (_views, seen) = watch::channel(Arc::default());
        let pages = watch::Sender::default();
        let mut open = pages.subscribe();
        let languages = Languages::new("en").expect("built in");
        let hub = Hub::new(languages, false, seen, pages);
        hub.in_hall(Duration::from_secs(1_000));
        hub.in_hall(Duration::from_millis(1));
        // The word before counts no more.
        open.wait_for(Vec::is_empty).await.expect("somebody tells");
        hub.in_hall(Duration::from_secs(1_000));
        assert_eq!(*open.borrow_and_update(), [Sector::ALL]);
    }
}
