//! Time controls as they are typed, where no recogniser has to know the words: `3 + 2`,
//! `90min+30s`, `15 10`, "drei Minuten und zwei Sekunden".
//!
//! `[typed-time]` of a pack has what joins minutes and seconds, and short and other forms of the
//! units. Numbers may be figures. Two bare numbers are minutes and seconds.

use std::collections::BTreeMap;

use super::{LARGEST, Stretch, Timing, Token, Unit, stretches};
use crate::phrase::{
    Pack, SetupWord,
    normal::normal_words,
    reader::{Problem, Reader},
};

/// `[typed-time]` of a pack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::phrase) struct TypedTime {
    and: Vec<String>,
    units: Vec<(Unit, Vec<String>)>,
}

impl TypedTime {
    pub(in crate::phrase) fn read(
        mut reader: Reader<'_>,
        problems: &mut Vec<Problem>,
    ) -> TypedTime {
        let and = reader.texts("and", problems);
        let units = [(Unit::Hour, "hour"), (Unit::Minute, "minute"), (Unit::Second, "second")];
        let units = units.map(|(unit, key)| (unit, reader.texts(key, problems))).to_vec();
        reader.finish(problems);
        TypedTime { and, units }
    }
}

/// What is understood only where it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Only {
    And,
    Unit(Unit),
}

pub(super) fn words(pack: &Pack) -> BTreeMap<Vec<String>, Only> {
    let typed = &pack.typed_time;
    let all = [Unit::Move, Unit::Hour, Unit::Minute, Unit::Second];
    let nouns = all.into_iter().map(|unit| (unit, pack.unit(unit).forms().to_vec()));
    let units = nouns.chain(typed.units.iter().cloned()).flat_map(|(unit, texts)| {
        texts.into_iter().map(move |text| (normal_words(&text), Only::Unit(unit)))
    });
    let and = typed.and.iter().map(|text| (normal_words(text), Only::And));
    units.chain(and).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Typed {
    Said(Token),
    Only(Only),
}

impl Timing {
    /// A typed text's time control; `None` if it is none.
    pub fn read_typed(&self, text: &str) -> Option<Vec<Stretch>> {
        let tokens = counted(&self.typed_tokens(&pieces(text))?)?;
        stretches(&with_bare_seconds(with_thens(joined(&tokens))))
    }

    fn typed_tokens(&self, mut pieces: &[String]) -> Option<Vec<Typed>> {
        let mut tokens = Vec::new();
        while let [first, ..] = pieces {
            let (len, token) = match sign(first) {
                Some(token) => (1, token),
                None => self.longest_typed(pieces)?,
            };
            tokens.push(token);
            pieces = &pieces[len..];
        }
        Some(tokens)
    }

    fn longest_typed(&self, pieces: &[String]) -> Option<(usize, Typed)> {
        (1..=self.longest.min(pieces.len())).rev().find_map(|len| {
            let words = &pieces[..len];
            let said = self.tokens.get(words).map(|token| Typed::Said(*token));
            let only = || self.typed.get(words).map(|only| Typed::Only(*only));
            Some((len, said.or_else(only)?))
        })
    }
}

/// A number in figures, or a sign.
fn sign(piece: &str) -> Option<Typed> {
    Some(match piece {
        "+" | "|" => Typed::Said(Token::Word(SetupWord::Plus)),
        "'" => Typed::Only(Only::Unit(Unit::Minute)),
        "\"" => Typed::Only(Only::Unit(Unit::Second)),
        figures => {
            let n = figures.parse().ok().filter(|n| *n <= LARGEST)?;
            Typed::Said(Token::Number(n))
        }
    })
}

/// Words as they are compared, figures and signs: `90min+30''` is `90`, `min`, `+`, `30`, `"`.
fn pieces(text: &str) -> Vec<String> {
    let text = text.replace("''", "\"").replace("’’", "\"");
    let mut runs: Vec<String> = Vec::new();
    let mut last = None;
    for letter in text.chars() {
        let kind = match letter {
            '0'..='9' => 'n',
            '+' | '|' | '\'' | '’' | '′' | '"' | '″' | '”' => 's',
            letter if letter.is_alphabetic() || ('\u{300}'..='\u{36f}').contains(&letter) => 'w',
            _ => ' ',
        };
        match (kind, runs.last_mut()) {
            (' ', _) => {}
            ('s', _) => runs.push(
                match letter {
                    '’' | '′' => '\'',
                    '″' | '”' => '"',
                    sign => sign,
                }
                .to_string(),
            ),
            (kind, Some(run)) if last == Some(kind) => run.push(letter),
            _ => runs.push(letter.to_string()),
        }
        last = Some(kind);
    }
    let one = |run: String| match run.chars().next() {
        Some(first) if first.is_alphabetic() => normal_words(&run).concat(),
        _ => run,
    };
    runs.into_iter().map(one).collect()
}

/// Numbers with the units behind them. A unit alone is none.
fn counted(tokens: &[Typed]) -> Option<Vec<Typed>> {
    let mut all = Vec::new();
    for token in tokens {
        match (token, all.last_mut()) {
            (Typed::Only(Only::Unit(unit)), Some(last)) => {
                let Typed::Said(Token::Number(n)) = *last else { return None };
                *last = Typed::Said(Token::Count(n, *unit));
            }
            (Typed::Only(Only::Unit(_)), None) => return None,
            (token, _) => all.push(*token),
        }
    }
    Some(all)
}

/// "Und" joins hours and minutes; anything else it adds.
fn joined(tokens: &[Typed]) -> Vec<Token> {
    let mut all = Vec::new();
    for (n, token) in tokens.iter().enumerate() {
        let token = match token {
            Typed::Said(token) => *token,
            Typed::Only(_) => {
                let hours = matches!(all.last(), Some(Token::Count(_, Unit::Hour)));
                let next = tokens.get(n + 1);
                let minutes = matches!(
                    next,
                    Some(Typed::Said(Token::Count(_, Unit::Minute) | Token::Number(_)))
                );
                let then = next == Some(&Typed::Said(Token::Word(SetupWord::Then)));
                if then || hours && minutes {
                    continue;
                }
                Token::Word(SetupWord::Plus)
            }
        };
        all.push(token);
    }
    all
}

/// "40 Züge in 90 Minuten + 30 Minuten": what is added to a period of moves is the next period,
/// unless it comes with each move.
fn with_thens(mut tokens: Vec<Token>) -> Vec<Token> {
    use SetupWord::{Bronstein, Delay, EachMove, Plus, Then};
    let mut moves = false;
    for n in 0..tokens.len() {
        match tokens[n..] {
            [Token::Count(_, Unit::Move), ..] => moves = true,
            [Token::Word(Then), ..] => moves = false,
            [Token::Word(Plus), Token::Count(_, Unit::Minute), ref rest @ ..] if moves => {
                let each = matches!(rest.first(), Some(Token::Word(EachMove | Delay | Bronstein)));
                if !each {
                    (tokens[n], moves) = (Token::Word(Then), false);
                }
            }
            _ => {}
        }
    }
    tokens
}

/// "Fünfzehn zehn": minutes, and seconds with each move. A hundred and another number may be one
/// number.
fn with_bare_seconds(mut tokens: Vec<Token>) -> Vec<Token> {
    if let [Token::Number(n), Token::Number(_), rest @ ..] = &tokens[..]
        && n % 100 != 0
        && rest.iter().all(|token| matches!(token, Token::Word(_)))
    {
        tokens.insert(1, Token::Word(SetupWord::Plus));
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::super::Extra;
    use super::*;
    use crate::phrase::pack;

    /// Periods as the configuration writes them, with whole minutes.
    fn read(timing: &Timing, text: &str) -> Option<String> {
        let period = |stretch: &Stretch| {
            let moves = stretch.moves.map_or(String::new(), |n| format!("{n}/"));
            let extra = match stretch.extra {
                Extra::Increment => "",
                Extra::Delay => "d",
                Extra::Bronstein => "b",
            };
            let extra = match stretch.extra_s {
                0 => String::new(),
                s => format!("+{s}{extra}"),
            };
            format!("{moves}{}{extra}", stretch.base_s / 60)
        };
        let all = timing.read_typed(text)?;
        Some(all.iter().map(period).collect::<Vec<_>>().join(":"))
    }

    #[test]
    fn time_controls_are_typed_as_people_write_them() {
        let timing = Timing::new(&Pack::builtin("de").expect("built in"));
        for (typed, meant) in [
            ("3 + 2", "3+2"),
            ("3+2", "3+2"),
            ("90 + 30", "90+30"),
            ("3|2", "3+2"),
            ("3 2", "3+2"),
            ("3'+2''", "3+2"),
            ("3’ + 2″", "3+2"),
            ("3min+2s", "3+2"),
            ("3 Min. + 2 Sek.", "3+2"),
            ("3 Minuten und 2 Sekunden", "3+2"),
            ("3 Minuten, 2 Sekunden pro Zug", "3+2"),
            ("drei Minuten und zwei Sekunden", "3+2"),
            ("Drei plus zwei", "3+2"),
            ("fünfzehn zehn", "15+10"),
            ("fuenfzehn Minuten plus zehn", "15+10"),
            ("1 Stunde", "60"),
            ("1h", "60"),
            ("1h30", "90"),
            ("1 h 30 min + 30 s", "90+30"),
            ("eine Stunde und dreißig Minuten", "90"),
            ("eine Stunde und dreißig Minuten und dreißig Sekunden", "90+30"),
            ("60 Min", "60"),
            ("60 30", "60+30"),
            ("25 + 5 Verzögerung", "25+5d"),
            (
                "40 Züge in 90 Minuten, dann 30 Minuten, 30 Sekunden pro Zug von Anfang an",
                "40/90+30:30+30",
            ),
            (
                "90 Minuten für 40 Züge + 30 Minuten für den Rest + 30 Sekunden pro Zug von Anfang an",
                "40/90+30:30+30",
            ),
            ("40 Züge in 2 Std und dann 30 Min", "40/120:30"),
        ] {
            assert_eq!(read(&timing, typed).as_deref(), Some(meant), "{typed}");
        }
        for none in [
            "",
            "+",
            "3 +",
            "+ 2",
            "Minuten",
            "3 zu 2",
            "3 2 1",
            "400 + 2",
            "hundert zwanzig",
            "e4",
            "Sf3",
            "99999999999 + 2",
            "'",
            "''",
        ] {
            assert_eq!(read(&timing, none), None, "{none}");
        }
    }

    #[test]
    fn a_word_before_the_moves_is_no_misheard_number() {
        let timing = Timing::new(&Pack::builtin("en").expect("built in"));
        let typed = "90 minutes for 40 moves, then 30 minutes";
        assert_eq!(read(&timing, typed).as_deref(), Some("40/90:30"));
    }

    #[test]
    fn the_usual_forms_are_understood_in_every_language() {
        let said = [
            (
                "de",
                [
                    "drei Minuten und zwei Sekunden",
                    "drei plus zwei",
                    "fünfzehn zehn",
                    "3 Min + 2 Sek",
                ],
            ),
            (
                "en",
                [
                    "three minutes and two seconds",
                    "three plus two",
                    "fifteen ten",
                    "3 mins + 2 secs",
                ],
            ),
            (
                "fr",
                ["trois minutes et deux secondes", "trois plus deux", "quinze dix", "3 mn + 2 s"],
            ),
            ("es", ["tres minutos y dos segundos", "tres más dos", "quince diez", "3 min + 2 seg"]),
            (
                "pl",
                [
                    "trzy minuty i dwie sekundy",
                    "trzy plus dwa",
                    "piętnaście dziesięć",
                    "3 min + 2 sek",
                ],
            ),
            (
                "lt",
                [
                    "trys minutės ir dvi sekundės",
                    "trys plius du",
                    "penkiolika dešimt",
                    "3 min + 2 sek",
                ],
            ),
            (
                "ru",
                ["три минуты и две секунды", "три плюс два", "пятнадцать десять", "3 мин + 2 сек"],
            ),
        ];
        assert_eq!(said.len(), pack::builtin_languages().count());
        for (language, forms) in said {
            let timing = Timing::new(&Pack::builtin(language).expect("built in"));
            for (typed, meant) in forms.into_iter().zip(["3+2", "3+2", "15+10", "3+2"]) {
                assert_eq!(read(&timing, typed).as_deref(), Some(meant), "{language}: {typed}");
                let capitals = typed.to_uppercase();
                assert_eq!(read(&timing, &capitals).as_deref(), Some(meant), "{capitals}");
            }
            for (typed, meant) in
                [("3 + 2", "3+2"), ("90+30", "90+30"), ("15 10", "15+10"), ("1h 30", "90")]
            {
                let typed =
                    if language == "ru" { typed.replace('h', "ч") } else { typed.to_owned() };
                assert_eq!(read(&timing, &typed).as_deref(), Some(meant), "{language}: {typed}");
            }
        }
    }
}
