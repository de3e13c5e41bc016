//! Words and ears that were made before, for the next game in the same languages.
//!
//! Reading two packs and comparing all their words takes most of the time in which a game starts.
//! An archive of games, a replay after a restart and a hall full of boards start many games in few
//! languages.

use std::cell::RefCell;

use super::{
    PackError, Words,
    hear::{Confusions, Ear},
};

/// So many pairs of packs are kept, and so many ears for each.
const KEPT: usize = 4;

struct Kept {
    texts: [String; 2],
    words: Words,
    ears: Vec<(Confusions, Ear)>,
}

thread_local! {
    /// The last one used comes last.
    static ALL: RefCell<Vec<Kept>> = const { RefCell::new(Vec::new()) };
}

/// As [`Words::of_journal`], with an ear for each of these voices.
///
/// # Errors
/// As [`Words::of_journal`].
pub fn words_and_ears<const N: usize>(
    texts: [&str; 2],
    learnt: [&Confusions; N],
) -> Result<(Words, [Ear; N]), PackError> {
    ALL.with_borrow_mut(|all| {
        let mut kept = match all.iter().position(|kept| kept.texts == texts) {
            Some(index) => all.remove(index),
            None => Kept {
                words: Words::of_journal(texts)?,
                texts: texts.map(str::to_owned),
                ears: Vec::new(),
            },
        };
        let ears = learnt.map(|learnt| kept.ear(learnt));
        let words = kept.words.clone();
        push(all, kept);
        Ok((words, ears))
    })
}

impl Kept {
    fn ear(&mut self, learnt: &Confusions) -> Ear {
        let found = self.ears.iter().position(|(of, _)| of == learnt);
        let (of, ear) = match found {
            Some(index) => self.ears.remove(index),
            None => (learnt.clone(), Ear::with_confusions(&self.words, learnt)),
        };
        push(&mut self.ears, (of, ear.clone()));
        ear
    }
}

fn push<T>(all: &mut Vec<T>, last: T) {
    if all.len() == KEPT {
        all.remove(0);
    }
    all.push(last);
}
