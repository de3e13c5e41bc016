//! Words of the set-up before a game: the phrases for a choice, and the choice's name.

use super::{
    Utterance, Words,
    move_words::MoveWords,
    normal::normal_words,
    reader::{Problem, Reader},
    say::Say,
};

macro_rules! setup_words {
    ($($(#[$doc:meta])* $name:ident $key:literal;)*) => {
        /// A word of the set-up.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum SetupWord {
            $($(#[$doc])* $name,)*
        }

        impl SetupWord {
            /// Every word, in the order of a pack.
            pub const ALL: &'static [SetupWord] = &[$(SetupWord::$name,)*];

            /// The key in a pack's `[setup]`.
            pub const fn key(self) -> &'static str {
                match self { $(SetupWord::$name => $key,)* }
            }
        }
    };
}

setup_words! {
    /// Leave this as it is and go on.
    Next "next";
    /// Undo the last answer.
    Back "back";
    /// The settings.
    Summary "summary";
    /// The colours.
    Colours "colours";
    /// The time control.
    Time "time";
    /// The players' names.
    Names "names";
    /// Whom to play with at home.
    Opponent "opponent";
    /// Before a number: how strong an opponent plays.
    Level "level";
    /// The assistant's duties (D.2.10).
    Duties "duties";
    /// Check the boards.
    Boards "boards";
    /// The word on which White's clock is started (6.6).
    Start "start";
    /// An unfinished game.
    Resume "resume";
    /// Take the place of another board of the hall.
    TakeOver "take-over";
    /// The player on pegs has White.
    White "white";
    /// The player has Black.
    Black "black";
    /// Both play on pegs.
    Both "both";
    /// FIDE's standard control.
    Classical "classical";
    /// Rapid chess.
    Rapid "rapid";
    /// Blitz.
    Blitz "blitz";
    /// Another control, number by number.
    Other "other";
    /// Before the seconds that come with each move.
    Plus "plus";
    /// Before the next period.
    Then "then";
    /// Between moves and time.
    Within "within";
    /// "For the rest."
    Rest "rest";
    /// "With each move."
    EachMove "each-move";
    /// The seconds come in every period.
    FromFirst "from-first";
    /// The clock waits before it runs.
    Delay "delay";
    /// Time used is given back.
    Bronstein "bronstein";
    /// A period for all moves.
    AllMoves "all-moves";
    /// No time is added to a move.
    NoBonus "no-bonus";
    /// The player is not named.
    Nameless "nameless";
    /// The name is spelled.
    Spell "spell";
    /// A space between two names.
    Space "space";
    /// Take the last letter away.
    Delete "delete";
    /// The name is complete.
    Done "done";
    /// Another game.
    NextGame "next-game";
    /// How the game ended.
    Result "result";
    /// How the games of this session ended.
    Score "score";
    /// No more games.
    Finish "finish";
}

/// `[setup]` of a pack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SetupWords {
    /// In the order of [`SetupWord::ALL`].
    pub(super) phrases: Vec<Vec<String>>,
    pub(super) letters: Vec<(char, String)>,
}

impl SetupWords {
    pub(super) fn read(
        mut reader: Reader<'_>,
        moves: &MoveWords,
        problems: &mut Vec<Problem>,
    ) -> SetupWords {
        let mut phrases: Vec<Vec<String>> = Vec::new();
        for word in SetupWord::ALL {
            let texts = reader.texts(word.key(), problems);
            for text in &texts {
                let same = |other: &String| normal_words(other) == normal_words(text);
                let other = phrases.iter().position(|earlier| earlier.iter().any(same));
                if let Some(other) = other {
                    let why = format!("'{text}' is also {}", SetupWord::ALL[other].key());
                    problems.push(reader.wrong(word.key(), why));
                }
            }
            phrases.push(texts);
        }
        let further = reader.texts("letters", problems);
        let files = moves.files.iter().map(|word| word.text.clone());
        let mut letters: Vec<(char, String)> = Vec::new();
        for name in files.chain(further) {
            let first = name.chars().next().and_then(|c| c.to_lowercase().next());
            let Some(letter) = first else { continue };
            if letters.iter().any(|(known, _)| *known == letter) {
                let why = format!("'{name}' is a second name of a letter");
                problems.push(reader.wrong("letters", why));
            } else {
                letters.push((letter, name));
            }
        }
        reader.finish(problems);
        letters.sort();
        SetupWords { phrases, letters }
    }
}

impl Words {
    /// A short text by itself, in the prompt language: `Bedenkzeit.`
    pub fn label(&self, text: &str) -> Utterance {
        self.alone(text, '.')
    }

    /// The same, asked: `Bedenkzeit?`
    pub fn asked(&self, text: &str) -> Utterance {
        self.alone(text, '?')
    }

    /// A text of either pack, each word by the voice of its language: `Zäsar` for "Cesar" in any
    /// prompt language.
    pub fn aloud(&self, text: &str) -> Utterance {
        let mut say = Say::default();
        self.say_aloud(&mut say, text);
        say.finish()
    }

    pub(super) fn say_aloud(&self, say: &mut Say, text: &str) {
        let named = |text: &str| self.moves.move_words().find(|named| named.text == text);
        if let Some(whole) = named(text) {
            return self.say(say, whole);
        }
        for word in text.split(' ') {
            match named(word) {
                Some(named) => self.say(say, named),
                None => say.add(self.prompts.code(), &format!(" {word}"), &format!(" {word}")),
            }
        }
    }

    fn alone(&self, text: &str, mark: char) -> Utterance {
        let mut say = Say::default();
        let mut letters = text.chars();
        let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        let text = format!("{first}{}{mark}", letters.as_str());
        say.add(self.prompts.code(), &text, &text);
        say.finish()
    }
}

impl Utterance {
    /// Several sentences, one after the other.
    pub fn joined(utterances: impl IntoIterator<Item = Utterance>) -> Utterance {
        let mut say = Say::default();
        let said = utterances.into_iter().filter(|utterance| !utterance.parts.is_empty());
        for (n, utterance) in said.enumerate() {
            if let Some(part) = utterance.parts.first().filter(|_| n > 0) {
                say.add(&part.lang, " ", " ");
            }
            say.words(&utterance);
        }
        say.finish()
    }
}

#[cfg(test)]
mod tests {
    use crate::phrase::pack::{self, Pack};

    #[test]
    fn every_pack_spells_the_names_of_its_files_and_more() {
        for name in pack::builtin_names() {
            let pack = Pack::builtin(name).expect("built in");
            assert!(pack.letters().len() >= 24, "{name}: {:?}", pack.letters());
        }
    }

    #[test]
    fn a_word_of_two_meanings_is_refused() {
        let german = pack::builtin("de").expect("built in");
        let toml = german.replace("back = [\"zurück\"]", "back = [\"weiter!\"]");
        let refused = Pack::parse(&toml).expect_err("two meanings");
        assert!(refused.to_string().contains("setup.back: 'weiter!' is also next"), "{refused}");
        let toml = german.replace("\"Ida\"", "\"Anton\"");
        let refused = Pack::parse(&toml).expect_err("two names");
        assert!(refused.to_string().contains("'Anton' is a second name of a letter"), "{refused}");
    }
}
