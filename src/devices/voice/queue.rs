//! The words waiting on one channel: the most urgent first, otherwise in order.

use annabella_core::game::Urgency;
use annabella_words::phrase::Utterance;

/// More than this is not worth hearing any more.
const LONGEST: usize = 16;

/// Words that wait.
#[derive(Clone, Debug)]
pub struct Queued<T> {
    pub urgency: Urgency,
    pub words: Utterance,
    /// Whatever the speaker wants to remember with them.
    pub tag: T,
}

/// A bounded queue. When it is full the least urgent is dropped, of those the oldest: a player who
/// asks for much at once hears the newest.
#[derive(Clone, Debug)]
pub struct Queue<T> {
    items: Vec<Queued<T>>,
}

impl<T> Default for Queue<T> {
    fn default() -> Queue<T> {
        Queue { items: Vec::new() }
    }
}

impl<T> Queue<T> {
    /// Adds words. Returns an item that had to be dropped.
    pub fn push(&mut self, item: Queued<T>) -> Option<Queued<T>> {
        self.items.push(item);
        if self.items.len() <= LONGEST {
            return None;
        }
        let least = self.items.iter().map(|item| item.urgency).min()?;
        let oldest = self.items.iter().position(|item| item.urgency == least)?;
        Some(self.items.remove(oldest))
    }

    /// Puts words back in front of those of the same urgency: they were cut by no fault of theirs.
    pub fn push_front(&mut self, item: Queued<T>) {
        self.items.insert(0, item);
    }

    /// Takes what is to be said next.
    pub fn pop(&mut self) -> Option<Queued<T>> {
        let most = self.items.iter().map(|item| item.urgency).max()?;
        let first = self.items.iter().position(|item| item.urgency == most)?;
        Some(self.items.remove(first))
    }

    pub fn clear(&mut self) {
        self.items.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use annabella_words::phrase::Part;

    fn item(urgency: Urgency, text: &str) -> Queued<()> {
        let part = Part { lang: "de".into(), text: text.into(), sound: String::new() };
        Queued { urgency, words: Utterance { parts: vec![part] }, tag: () }
    }

    fn drain(queue: &mut Queue<()>) -> Vec<String> {
        std::iter::from_fn(|| queue.pop()).map(|item| item.words.to_string()).collect()
    }

    #[test]
    fn the_most_urgent_first_else_in_order() {
        let mut queue = Queue::default();
        for (urgency, text) in [
            (Urgency::Hint, "a"),
            (Urgency::Announcement, "b"),
            (Urgency::Answer, "c"),
            (Urgency::Alert, "d"),
            (Urgency::Announcement, "e"),
        ] {
            assert!(queue.push(item(urgency, text)).is_none());
        }
        assert_eq!(drain(&mut queue), ["d", "b", "e", "c", "a"]);
    }

    #[test]
    fn a_full_queue_drops_the_oldest_hint_never_a_move() {
        let mut queue = Queue::default();
        queue.push(item(Urgency::Announcement, "move"));
        let dropped: Vec<String> = (0..LONGEST + 2)
            .filter_map(|n| queue.push(item(Urgency::Hint, &n.to_string())))
            .map(|item| item.words.to_string())
            .collect();
        assert_eq!(dropped, ["0", "1", "2"]);
        assert_eq!(queue.pop().map(|item| item.words.to_string()).as_deref(), Some("move"));
    }
}
