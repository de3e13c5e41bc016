//! The phrases that may be said now, for a recogniser.

use super::{Game, Play, dialogue::Question};
use annabella_words::phrase::hear::{
    Asked, Context, Grammar, answer_grammar, command_grammar, led_grammar, move_grammar, move_loop,
};

/// The state that the grammar depends on. While it stays the same, the grammar does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    plies: usize,
    asked: Asked,
    binding: bool,
    context: Context,
    last_open: bool,
    score: Option<usize>,
}

impl Game {
    /// Changes whenever [`Game::grammar`] does.
    pub fn moment(&self) -> Option<Moment> {
        let play = self.play.as_deref()?;
        let context = play.context();
        Some(Moment {
            plies: play.line.len(),
            asked: context.asked,
            binding: play.is_bound(),
            context,
            last_open: play.last_is_open(),
            score: play.asked_for_score(),
        })
    }

    /// The phrases that may be said now. After a question: its answers, and phrases allowed
    /// instead. Otherwise the announcements of the legal moves, the last move (repeated, D.2.1, or
    /// corrected, D.2.8), and the requests that make sense.
    pub fn grammar(&self) -> Option<Grammar> {
        let play = self.play.as_deref()?;
        let words = &play.terms.words;
        if let Some(index) = play.asked_for_score() {
            let announcements = move_grammar(words, &play.line.positions()[index]);
            let answers = answer_grammar(words);
            let phrases = [&announcements[..], &answers].concat();
            let grammar = Grammar::new(phrases, move_loop(words));
            return Some(grammar.waiting_for(words, &announcements, play.context().asked));
        }
        let here = play.position();
        let context = play.context();
        let asked = !matches!(context.asked, Asked::Nothing);
        let others = if asked { answer_grammar(words) } else { command_grammar(words, &context) };
        let mut announcements = Vec::new();
        if context.moves {
            announcements.extend(move_grammar(words, here));
            announcements.extend(led_grammar(words, here));
        }
        if let Some(ply) = play.line.last().filter(|_| !asked) {
            let before = &play.line.positions()[play.line.len() - 1];
            announcements.extend(phrases_of(play, before, ply.mv));
            if play.last_is_open() {
                announcements.extend(led_grammar(words, before));
            }
        }
        let phrases = [&others[..], &announcements].concat();
        let grammar = Grammar::new(phrases, move_loop(words));
        Some(grammar.waiting_for(words, &announcements, context.asked))
    }
}

fn phrases_of(
    play: &Play,
    position: &shakmaty::Chess,
    mv: shakmaty::Move,
) -> impl Iterator<Item = String> {
    let phrases = annabella_words::phrase::Phrases::new(&play.terms.words, position);
    let of = phrases.iter().filter(|phrase| phrase.moves.contains(&mv));
    of.map(|phrase| phrase.text.clone()).collect::<Vec<_>>().into_iter()
}

impl Play {
    fn is_bound(&self) -> bool {
        matches!(self.dialogue.question(), Some(Question::Command { .. }))
    }

    fn last_is_open(&self) -> bool {
        !self.is_over() && self.line.last().is_some_and(|ply| ply.completed.is_none())
    }
}
