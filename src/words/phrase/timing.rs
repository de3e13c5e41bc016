//! Time controls as words, both ways: "vierzig Züge in neunzig Minuten plus dreißig Sekunden, dann
//! dreißig Minuten plus dreißig Sekunden".
//!
//! # What is understood
//!
//! Periods are separated by "dann". A period is moves, time and, after "plus", the time added to
//! each move. Units may be left out where people leave them out: "drei plus zwei", "eine Stunde
//! dreißig".

mod typed;

use std::collections::BTreeMap;

use super::{Pack, SetupWord, normal::normal_words, numbers::Noun};
pub(super) use typed::TypedTime;

/// The largest number that is understood.
pub const LARGEST: u32 = 300;

/// How the seconds that come with a move count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extra {
    /// Added before each move.
    #[default]
    Increment,
    Delay,
    /// The used part of it is returned.
    Bronstein,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    /// Moves to complete; `None` in the last one.
    pub moves: Option<u32>,
    /// Main time, seconds.
    pub base_s: u32,
    /// Seconds with each move.
    pub extra_s: u32,
    pub extra: Extra,
}

/// Minutes, seconds and moves that are listened for.
pub fn usual_numbers() -> impl Iterator<Item = u32> {
    (1..=60).chain((65..=120).step_by(5)).chain([150, 180])
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Move,
    Hour,
    Minute,
    Second,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Number(u32),
    Count(u32, Unit),
    Word(SetupWord),
}

/// The words between numbers.
const WORDS: [SetupWord; 9] = [
    SetupWord::Plus,
    SetupWord::Then,
    SetupWord::Within,
    SetupWord::Rest,
    SetupWord::EachMove,
    SetupWord::FromFirst,
    SetupWord::Delay,
    SetupWord::Bronstein,
    SetupWord::NoBonus,
];

/// Reads time controls in the words of one pack.
#[derive(Clone, Debug)]
pub struct Timing {
    tokens: BTreeMap<Vec<String>, Token>,
    /// What is understood only where it is typed.
    typed: BTreeMap<Vec<String>, typed::Only>,
    longest: usize,
}

impl Timing {
    /// For a pack's numbers and words.
    pub fn new(pack: &Pack) -> Timing {
        let mut tokens = BTreeMap::new();
        for word in WORDS {
            for phrase in pack.setup(word) {
                tokens.insert(normal_words(phrase), Token::Word(word));
            }
        }
        for rank in shakmaty::Rank::ALL {
            for heard in pack.rank(rank).heard() {
                // "For" is what stands before the moves, not a misheard four.
                let number = Token::Number(u32::from(rank) + 1);
                tokens.entry(normal_words(heard)).or_insert(number);
            }
        }
        for n in 0..=LARGEST {
            tokens.insert(normal_words(&pack.number(n)), Token::Number(n));
            for unit in [Unit::Move, Unit::Hour, Unit::Minute, Unit::Second] {
                let counted = pack.numbers.count(n, pack.unit(unit));
                let within = pack.numbers.within(&counted);
                for counted in std::iter::once(counted).chain(within) {
                    tokens.insert(normal_words(&counted), Token::Count(n, unit));
                }
            }
        }
        let longest = tokens.keys().map(Vec::len).max().unwrap_or(0);
        Timing { tokens, typed: typed::words(pack), longest }
    }

    /// A text's time control; `None` if it is none.
    pub fn read(&self, text: &str) -> Option<Vec<Stretch>> {
        stretches(&self.tokens(&normal_words(text))?)
    }

    fn tokens(&self, mut words: &[String]) -> Option<Vec<Token>> {
        let mut tokens = Vec::new();
        while !words.is_empty() {
            let (len, token) = (1..=self.longest.min(words.len()))
                .rev()
                .find_map(|len| Some((len, *self.tokens.get(&words[..len])?)))?;
            tokens.push(token);
            words = &words[len..];
        }
        Some(tokens)
    }

    /// A single number, if that is all that the text says: `neunzig`, `neunzig Minuten`.
    pub fn number(&self, text: &str) -> Option<u32> {
        match self.tokens(&normal_words(text))?[..] {
            [Token::Number(n) | Token::Count(n, _)] => Some(n),
            _ => None,
        }
    }
}

/// Whole periods.
fn stretches(tokens: &[Token]) -> Option<Vec<Stretch>> {
    let parts = tokens.split(|token| *token == Token::Word(SetupWord::Then));
    let mut all = false;
    let mut stretches = Vec::new();
    for part in parts {
        let (stretch, from_first) = period(part)?;
        all |= from_first;
        stretches.push(stretch);
    }
    let (last, before) = stretches.split_last_mut()?;
    let whole = last.moves.is_none() && before.iter().all(|s| s.moves.is_some_and(|n| n > 0));
    if all {
        for stretch in before.iter_mut().filter(|stretch| stretch.extra_s == 0) {
            (stretch.extra_s, stretch.extra) = (last.extra_s, last.extra);
        }
    }
    let some = stretches.iter().any(|s| s.base_s > 0 || s.extra_s > 0);
    (whole && some).then_some(stretches)
}

fn period(mut tokens: &[Token]) -> Option<(Stretch, bool)> {
    use SetupWord::{Bronstein, Delay, EachMove, FromFirst, NoBonus, Plus, Rest, Within};
    let mut stretch = Stretch::default();
    let take = |tokens: &mut &[Token], word| {
        let found = tokens.first() == Some(&Token::Word(word));
        *tokens = &tokens[usize::from(found)..];
        found
    };
    if let [Token::Count(moves, Unit::Move), rest @ ..] = tokens {
        stretch.moves = Some(*moves);
        tokens = rest;
        take(&mut tokens, Within);
    }
    // Hours and minutes, or seconds alone: seconds after minutes come with each move.
    let mut seen = false;
    loop {
        let each = matches!(tokens.get(1), Some(Token::Word(EachMove | Delay | Bronstein)));
        let whole_hours = stretch.base_s % 3600 == 0;
        let seconds = match tokens.first() {
            Some(Token::Count(n, Unit::Hour)) if !seen => n * 3600,
            Some(Token::Count(n, Unit::Minute)) if whole_hours => n * 60,
            Some(Token::Number(n)) if !each && whole_hours => n * 60,
            Some(Token::Count(n, Unit::Second)) if !each && !seen => *n,
            _ => break,
        };
        let only = matches!(tokens.first(), Some(Token::Count(_, Unit::Second)));
        stretch.base_s += seconds;
        seen = true;
        tokens = &tokens[1..];
        if only {
            break;
        }
    }
    if !seen {
        return None;
    }
    if stretch.moves.is_none() {
        let mut ahead = tokens;
        take(&mut ahead, Within);
        if let [Token::Count(moves, Unit::Move), rest @ ..] = ahead {
            stretch.moves = Some(*moves);
            tokens = rest;
        }
    }
    take(&mut tokens, Rest);
    let plus = take(&mut tokens, Plus);
    match tokens.first() {
        Some(Token::Count(n, Unit::Second)) => {
            stretch.extra_s = *n;
            tokens = &tokens[1..];
        }
        Some(Token::Number(n)) if plus => {
            stretch.extra_s = *n;
            tokens = &tokens[1..];
        }
        Some(Token::Count(n, Unit::Minute)) if plus => {
            stretch.extra_s = n * 60;
            tokens = &tokens[1..];
        }
        _ if plus => return None,
        _ => {
            take(&mut tokens, NoBonus);
        }
    }
    take(&mut tokens, EachMove);
    if take(&mut tokens, Delay) {
        stretch.extra = Extra::Delay;
    } else if take(&mut tokens, Bronstein) {
        stretch.extra = Extra::Bronstein;
    }
    take(&mut tokens, EachMove);
    take(&mut tokens, Rest);
    let from_first = take(&mut tokens, FromFirst);
    if stretch.extra_s == 0 {
        stretch.extra = Extra::Increment;
    }
    tokens.is_empty().then_some((stretch, from_first))
}

impl Pack {
    fn unit(&self, unit: Unit) -> &Noun {
        match unit {
            Unit::Move => &self.numbers.moves,
            Unit::Hour => &self.numbers.hour,
            Unit::Minute => &self.numbers.minute,
            Unit::Second => &self.numbers.second,
        }
    }

    /// `vierzig Züge`.
    pub fn counted_moves(&self, n: u32) -> String {
        self.numbers.moves(n)
    }

    /// `neunzig Minuten`.
    pub fn counted_minutes(&self, n: u32) -> String {
        self.numbers.count(n, &self.numbers.minute)
    }

    /// `dreißig Sekunden`.
    pub fn counted_seconds(&self, n: u32) -> String {
        self.numbers.count(n, &self.numbers.second)
    }

    /// A time control in words. [`Timing::read`] reads it back as far as its numbers go.
    pub fn time_control(&self, stretches: &[Stretch]) -> String {
        let first = |word| self.setup(word).first().map_or("", String::as_str);
        let mut text = String::new();
        for (n, stretch) in stretches.iter().enumerate() {
            if n > 0 {
                text += &format!(", {} ", first(SetupWord::Then));
            }
            if let Some(moves) = stretch.moves {
                text += &format!("{} {} ", self.counted_moves(moves), first(SetupWord::Within));
            }
            let minutes = stretch.base_s / 60;
            let inside = stretch.moves.is_some();
            let (count, seconds) =
                (self.counted_minutes(minutes), self.counted_seconds(stretch.base_s));
            let within = |count: &str| self.numbers.within(count).filter(|_| inside);
            text += &match (stretch.base_s % 60, within(&count)) {
                (0, Some(count)) => count,
                // "In" asks for another case of one minute in most languages.
                (0, None) if minutes != 1 || !inside => count,
                // Seconds after minutes would be taken for those of each move.
                _ => within(&seconds).unwrap_or(seconds),
            };
            if stretch.extra_s > 0 {
                let seconds = self.counted_seconds(stretch.extra_s);
                text += &format!(" {} {seconds}", first(SetupWord::Plus));
                match stretch.extra {
                    Extra::Increment => {}
                    Extra::Delay => text += &format!(" {}", first(SetupWord::Delay)),
                    Extra::Bronstein => text += &format!(" {}", first(SetupWord::Bronstein)),
                }
            }
        }
        text
    }

    /// Phrases for a recogniser that together hold every usual time control. The recogniser uses
    /// their pairs of words only.
    pub fn timing_phrases(&self) -> Vec<String> {
        let all = |word| self.setup(word).iter();
        let mut phrases = Vec::new();
        for n in usual_numbers() {
            let [moves, minutes, seconds] =
                [self.counted_moves(n), self.counted_minutes(n), self.counted_seconds(n)];
            let number = self.number(n);
            for plus in all(SetupWord::Plus) {
                phrases.push(format!("{minutes} {plus} {seconds}"));
                phrases.push(format!("{number} {plus} {number}"));
            }
            for within in all(SetupWord::Within) {
                let minutes_within = self.numbers.within(&minutes);
                let minutes_within = minutes_within.as_ref().unwrap_or(&minutes);
                phrases.push(format!("{moves} {within} {minutes_within}"));
                phrases.push(format!("{minutes} {within} {moves}"));
            }
            for then in all(SetupWord::Then) {
                phrases.push(format!("{minutes} {then} {minutes}"));
                phrases.push(format!("{seconds} {then} {minutes}"));
                phrases.push(format!("{moves} {then} {minutes}"));
                phrases.push(format!("{seconds} {then} {moves}"));
            }
            for each in all(SetupWord::EachMove).chain(all(SetupWord::Delay)) {
                phrases.push(format!("{seconds} {each}"));
            }
            phrases.push(format!("{seconds} {}", self.setup(SetupWord::Bronstein)[0]));
            phrases.push(minutes);
        }
        for hours in 1..=3 {
            phrases.push(self.numbers.count(hours, &self.numbers.hour));
            for n in [15, 30, 40, 45] {
                let hours = self.numbers.count(hours, &self.numbers.hour);
                phrases.push(format!("{hours} {}", self.counted_minutes(n)));
            }
        }
        let minutes = self.counted_minutes(30);
        for rest in all(SetupWord::Rest).chain(all(SetupWord::FromFirst)) {
            phrases.push(format!("{minutes} {rest}"));
            phrases.push(format!("{} {rest}", self.counted_seconds(30)));
        }
        phrases
    }

    /// Every word of numbers and units, for a vocabulary.
    pub(super) fn timing_texts(&self) -> Vec<String> {
        let units = [Unit::Move, Unit::Hour, Unit::Minute, Unit::Second];
        let counted = |n: u32| units.map(|unit| self.numbers.count(n, self.unit(unit)));
        usual_numbers().flat_map(counted).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::phrase::pack;

    fn german() -> (Pack, Timing) {
        let pack = Pack::builtin("de").expect("built in");
        let timing = Timing::new(&pack);
        (pack, timing)
    }

    fn stretch(moves: u32, minutes: u32, extra_s: u32) -> Stretch {
        let moves = Some(moves).filter(|n| *n > 0);
        Stretch { moves, base_s: minutes * 60, extra_s, extra: Extra::Increment }
    }

    #[test]
    fn time_controls_are_said_as_players_say_them() {
        let (_, timing) = german();
        let standard = [stretch(40, 90, 30), stretch(0, 30, 30)];
        for (said, meant) in [
            ("drei plus zwei", vec![stretch(0, 3, 2)]),
            ("neunzig Minuten plus dreißig Sekunden", vec![stretch(0, 90, 30)]),
            ("sechzig Minuten", vec![stretch(0, 60, 0)]),
            ("eine Stunde", vec![stretch(0, 60, 0)]),
            ("eine Stunde dreißig plus dreißig", vec![stretch(0, 90, 30)]),
            ("zwei Stunden fünfzehn Minuten", vec![stretch(0, 135, 0)]),
            (
                "vierzig Züge in neunzig Minuten, dann dreißig Minuten, mit dreißig Sekunden pro Zug von Anfang an",
                standard.to_vec(),
            ),
            (
                "neunzig Minuten für vierzig Züge, danach dreißig Minuten für den Rest plus dreißig Sekunden für jeden Zug von Anfang an",
                standard.to_vec(),
            ),
            ("fünfzehn Minuten zehn Sekunden pro Zug", vec![stretch(0, 15, 10)]),
            ("fünfzehn Minuten zehn Sekunden", vec![stretch(0, 15, 10)]),
            ("fünfzehn zehn Sekunden", vec![stretch(0, 15, 10)]),
            (
                "fünfundzwanzig Minuten plus fünf Sekunden Verzögerung",
                vec![Stretch { extra: Extra::Delay, ..stretch(0, 25, 5) }],
            ),
        ] {
            assert_eq!(timing.read(said).as_deref(), Some(&meant[..]), "{said}");
        }
        for none in [
            "",
            "plus zwei",
            "drei plus",
            "null Minuten",
            "vierzig Züge in neunzig Minuten",
            "dreißig Minuten dann dreißig Minuten",
            "drei zwei",
            "Springer Felix drei",
            "null Züge in neunzig Minuten dann zwei Minuten",
        ] {
            assert_eq!(timing.read(none), None, "{none}");
        }
    }

    #[test]
    fn a_number_may_stand_alone_where_one_is_asked_for() {
        let (_, timing) = german();
        assert_eq!(timing.number("neunzig"), Some(90));
        assert_eq!(timing.number("eine Minute"), Some(1));
        assert_eq!(timing.number("neunzig plus"), None);
    }

    #[test]
    fn what_is_listened_for_is_understood() {
        for name in pack::builtin_names() {
            let pack = Pack::builtin(name).expect("built in");
            let timing = Timing::new(&pack);
            for phrase in pack.timing_phrases() {
                // Some are halves, which the rest completes; every word of them is known.
                assert!(timing.tokens(&normal_words(&phrase)).is_some(), "{name}: {phrase}");
            }
        }
    }

    fn controls() -> impl Strategy<Value = Vec<Stretch>> {
        let extra = prop_oneof![Just(Extra::Increment), Just(Extra::Delay), Just(Extra::Bronstein)];
        let base_s =
            prop_oneof![(1..=180u32).prop_map(|n| n * 60), (1..=100u32).prop_map(|n| n * 3)];
        let stretch =
            (1..=99u32, base_s, 0..=120u32, extra).prop_map(|(moves, base_s, extra_s, extra)| {
                Stretch {
                    moves: Some(moves),
                    base_s,
                    extra_s,
                    extra: if extra_s == 0 { Extra::Increment } else { extra },
                }
            });
        prop::collection::vec(stretch, 1..4).prop_map(|mut all| {
            if let Some(last) = all.last_mut() {
                last.moves = None;
            }
            all
        })
    }

    #[test]
    fn every_control_is_read_back_as_it_was_said_in_every_language() {
        let packs: Vec<(Pack, Timing)> = pack::builtin_names()
            .map(|name| Pack::builtin(name).expect("built in"))
            .map(|pack| {
                let timing = Timing::new(&pack);
                (pack, timing)
            })
            .collect();
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(200));
        let result = runner.run(&controls(), |control| {
            for (pack, timing) in &packs {
                let said = pack.time_control(&control);
                prop_assert_eq!(timing.read(&said), Some(control.clone()), "{}", said);
            }
            Ok(())
        });
        result.expect("every control");
    }
}
