//! The service's side of the pages: events go in, requests come out.

use std::sync::Arc;

use tokio::sync::watch;

use super::{ActAnswer, Log, TableFacts, view::View};
use annabella_core::game::{At, Game, Input, Output};

/// Keeps the pages up to date.
#[derive(Debug)]
pub struct Desk {
    log: Log,
    table: TableFacts,
    views: watch::Sender<Arc<View>>,
    /// Something has happened that is not shown yet.
    changed: bool,
}

impl Desk {
    /// A desk, and the views for [`super::Door::serve`]. `log` holds the events so far of a game
    /// that goes on: [`Log::replay`].
    pub fn new(log: Log, table: TableFacts) -> (Desk, watch::Receiver<Arc<View>>) {
        let (views, seen) = watch::channel(Arc::new(View::default()));
        (Desk { log, table, views, changed: true }, seen)
    }

    /// Another game is at the table.
    pub fn restart(&mut self, log: Log) {
        self.log = log;
        self.changed = true;
    }

    /// An input reached the game, and this is what it gave. A refusal is among it as a problem.
    pub fn happened(&mut self, at: At, input: &Input, outputs: &[Output]) {
        self.log.input(at, input);
        outputs.iter().for_each(|output| self.log.output(at, output));
        let shows = |output: &Output| !matches!(output, Output::Prepare { .. });
        self.changed |= *input != Input::Woke || outputs.iter().any(shows);
    }

    /// Shows how the game stands now, if anything has happened. To be called after the outputs were
    /// acted on: nobody at the board should wait for the pages.
    pub fn show(&mut self, game: &Game, now: At) {
        if std::mem::take(&mut self.changed) {
            self.views.send_replace(Arc::new(View::of(game, now, &self.log, self.table)));
        }
    }

    /// The answer to an act with these outputs.
    pub fn answer(outputs: &[Output]) -> ActAnswer {
        let refusal = outputs.iter().find_map(|output| match output {
            Output::Problem { article, text, refused: true, .. } => {
                Some(ActAnswer::Refused { article: *article, text: text.clone() })
            }
            _ => None,
        });
        refusal.unwrap_or(ActAnswer::Accepted)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use annabella_core::laws::Article;
    use annabella_words::phrase::Note;

    #[test]
    fn a_refusal_is_the_answer_a_problem_is_not() {
        let (article, text) = (Article::D_2_9, Note::NothingWritten);
        let problem = |refused| {
            let (text, detail) = (text.clone(), json!({}));
            Output::Problem { article, text, refused, detail }
        };
        assert_eq!(Desk::answer(&[problem(false)]), ActAnswer::Accepted);
        let refused = ActAnswer::Refused { article, text: text.clone() };
        assert_eq!(Desk::answer(&[problem(true)]), refused);
    }

    #[test]
    fn nothing_is_shown_where_nothing_has_happened() {
        let (mut desk, mut seen) = Desk::new(Log::new(), TableFacts::default());
        let game = Game::new();
        desk.show(&game, At::new(0));
        assert!(seen.has_changed().expect("a desk"));
        seen.mark_unchanged();
        desk.happened(At::new(1), &Input::Woke, &[]);
        desk.show(&game, At::new(1));
        assert!(!seen.has_changed().expect("a desk"));
        desk.happened(At::new(2), &Input::Resumed, &[]);
        desk.show(&game, At::new(2));
        assert!(seen.has_changed().expect("a desk"));
    }
}
