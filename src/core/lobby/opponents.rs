//! Whom to play with at home: one of those whom a program at the door can be.
//!
//! Each is asked for by what follows the last comma of his name, with numbers in words, alone or
//! with a colour: "Stufe drei", "Stufe drei, Schwarz", "neue Partie, Stufe drei, Schwarz". What he
//! is, only his program knows.

use shakmaty::Color;

use super::{
    Lobby,
    steps::{Act, Answer, Choice, Step},
};
use crate::game::Blind;
use annabella_words::phrase::{SetupWord, normal_words};

/// No player is listened for by a higher number.
const HIGHEST: u32 = 999;

impl Lobby {
    /// Whether an opponent may be chosen at this question.
    pub(super) fn takes_opponent(&self) -> bool {
        use Step as S;
        let asked = matches!(self.state.step, S::AllRight | S::Menu | S::Opponents | S::After);
        asked && !self.opponents.is_empty()
    }

    /// Numbers in words, as they are heard.
    pub(super) fn in_words(&self, text: &str) -> String {
        let spelled = |word: &str| {
            let number = word.trim_matches(|c: char| !c.is_ascii_digit());
            let number = number.parse().ok().filter(|number| *number <= HIGHEST);
            number.map_or(word.to_owned(), |number| self.words.prompts().number(number))
        };
        text.split_whitespace().map(spelled).collect::<Vec<_>>().join(" ")
    }

    fn asked_as(&self, name: &str) -> String {
        self.in_words(name.rsplit(", ").next().unwrap_or(name))
    }

    /// The list of them, for the keys.
    pub(super) fn all_opponents(&self) -> Vec<Choice> {
        let one = |(n, name): (usize, &String)| Choice {
            act: Act::Own(Answer::Against { opponent: Some(n), side: None }),
            label: self.words.label(name),
            phrases: vec![self.asked_as(name)],
        };
        self.opponents.iter().enumerate().map(one).collect()
    }

    /// Who it is now.
    pub(super) fn opponent_set(&self) -> Option<Act> {
        let now = self.named(!self.state.owner);
        let opponent = Some(self.opponents.iter().position(|name| name == now)?);
        Some(Act::Own(Answer::Against { opponent, side: None }))
    }

    /// An opponent, a colour, or both, and how that is said.
    fn wishes(&self) -> Vec<(Answer, Vec<String>)> {
        let sides = [(SetupWord::White, Blind::White), (SetupWord::Black, Blind::Black)];
        let sides = sides.map(|(word, blind)| (self.name(word), blind));
        let mut all = Vec::new();
        for (n, name) in self.opponents.iter().enumerate() {
            let (opponent, him) = (Some(n), self.asked_as(name));
            for (side, blind) in sides {
                let texts = vec![format!("{him} {side}"), format!("{side} {him}")];
                all.push((Answer::Against { opponent, side: Some(blind) }, texts));
            }
            all.push((Answer::Against { opponent, side: None }, vec![him]));
        }
        let alone = |(side, blind): (&str, Blind)| {
            (Answer::Against { opponent: None, side: Some(blind) }, vec![side.to_owned()])
        };
        all.extend(sides.map(alone).into_iter().filter(|_| !self.opponents.is_empty()));
        all
    }

    /// "Neue Partie" before each of these.
    fn anew(&self, texts: &[String]) -> Vec<String> {
        let begins = self.words.prompts().setup(SetupWord::NextGame).iter();
        begins.flat_map(|begin| texts.iter().map(move |text| format!("{begin} {text}"))).collect()
    }

    /// All of that in one breath, after a game only with "neue Partie": without it something else
    /// may be meant.
    pub(super) fn against(&self) -> Vec<Choice> {
        if !self.takes_opponent() {
            return Vec::new();
        }
        let after = self.state.step == Step::After;
        let choice = |(answer, texts): (Answer, Vec<String>)| {
            let label = self.words.label(texts.first().map_or("", String::as_str));
            let anew = self.anew(&texts);
            // A colour alone is an answer of its own.
            let alone = after || matches!(answer, Answer::Against { opponent: None, .. });
            let phrases = if alone { anew } else { [texts, anew].concat() };
            Choice { act: Act::Own(answer), label, phrases }
        };
        self.wishes().into_iter().map(choice).collect()
    }

    /// What may be said with "neue Partie", for whoever listens after a game.
    pub(super) fn next_game_phrases(&self) -> impl Iterator<Item = String> {
        self.wishes().into_iter().flat_map(|(_, texts)| self.anew(&texts))
    }

    /// What is typed with digits.
    pub(super) fn opponent_in(&self, text: &str) -> Option<Act> {
        let words = normal_words(&self.in_words(text));
        let all = self.against().into_iter();
        let mut same = all.filter(|choice| choice.phrases.iter().any(|p| normal_words(p) == words));
        same.next().map(|choice| choice.act)
    }

    /// He is the opponent from now on, and this is the colour.
    pub(super) fn set_against(&mut self, opponent: Option<usize>, side: Option<Blind>) {
        self.remember();
        if let Some(side) = side {
            self.take_side(side);
        }
        if let Some(name) = opponent.and_then(|n| self.opponents.get(n)).cloned() {
            let other: Color = !self.state.owner;
            self.set_name(other, name);
        }
        self.place(Step::AllRight);
        self.ask();
    }
}
