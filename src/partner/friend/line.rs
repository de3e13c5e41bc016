//! A friend's table, as the table far away.

use shakmaty::Color;
use tokio::{
    sync::{mpsc, watch},
    task::JoinHandle,
};

use super::{
    talk::WAITS,
    wire::{Message, Shown},
    words,
};
use crate::{
    far::{
        state::Standing,
        there::{Act, FarError, Heard, News, There, Waits},
        told::Told,
    },
    table::Table,
};

/// So much waits to be heard; then the line waits too.
const QUEUE: usize = 64;

/// What is heard of him, and what he is shown. Whatever is done there, he does himself: he sees
/// this table.
#[derive(Debug)]
pub struct Line {
    name: String,
    own: Color,
    from: mpsc::Receiver<Heard<News>>,
    to: watch::Sender<Option<String>>,
    shown: Option<Shown>,
    /// His offer was declined, and he has not seen it yet.
    declined: bool,
    task: JoinHandle<()>,
}

impl Drop for Line {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Line {
    /// A line that this work keeps. It gets what is shown to him, and where what is heard is handed
    /// to.
    pub fn kept_by<F: Future<Output = ()> + Send + 'static>(
        name: &str,
        own: Color,
        work: impl FnOnce(watch::Receiver<Option<String>>, mpsc::Sender<Heard<News>>) -> F,
    ) -> Line {
        let (heard, from) = mpsc::channel(QUEUE);
        let (to, shown) = watch::channel(None);
        let task = tokio::spawn(work(shown, heard));
        let name = name.to_owned();
        Line { name, own, from, to, shown: None, declined: false, task }
    }

    fn tells(&mut self, shown: Shown) {
        let shown = Shown { declined: self.declined, ..shown };
        if self.shown.as_ref() != Some(&shown) {
            self.to.send_replace(Some(Message::Table(shown.clone()).line()));
            self.shown = Some(shown);
        }
    }

    fn tells_again(&mut self) {
        if let Some(shown) = self.shown.clone() {
            self.tells(shown);
        }
    }
}

impl There for Line {
    async fn next(&mut self) -> Heard<News> {
        let heard = match self.from.recv().await {
            Some(heard) => heard,
            // After `Closed` nothing comes.
            None => std::future::pending().await,
        };
        if let Heard::Line(News::State(state)) = &heard
            && self.declined
            && !state.offers(!self.own)
        {
            self.declined = false;
            self.tells_again();
        }
        heard
    }

    async fn does(&mut self, act: Act<'_>) -> Result<(), FarError> {
        if act == Act::DeclineDraw {
            self.declined = true;
            self.tells_again();
        }
        Ok(())
    }

    fn shows(&mut self, table: &Table, standing: Standing) {
        self.tells(Shown::of(table, self.own, standing));
    }

    fn renew(&self) {}

    fn waits(&self) -> Waits {
        WAITS
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn sentence(&self, told: Told, language: &str) -> &'static str {
        words::sentence(told, language)
    }
}
