//! Numbers and times as words. An engine never sees a digit.

use std::collections::BTreeMap;

use super::reader::{Problem, Reader};

/// From this time on nobody needs seconds.
const WITHOUT_SECONDS_S: u64 = 600;

/// Which form of a noun a number asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plural {
    /// One; other. (German, English, Spanish)
    One,
    /// Zero and one; other. (French)
    ZeroOne,
    /// 1, 21, 31; 2 to 4, 22 to 24; the rest. (Russian)
    EastSlavic,
    /// 1; 2 to 4, 22 to 24; the rest. (Polish)
    WestSlavic,
    /// 1, 21, 31; 2 to 9, 22 to 29; the rest. (Lithuanian)
    Baltic,
}

impl Plural {
    const NAMES: [(&'static str, Plural); 5] = [
        ("one", Plural::One),
        ("zero-one", Plural::ZeroOne),
        ("east-slavic", Plural::EastSlavic),
        ("west-slavic", Plural::WestSlavic),
        ("baltic", Plural::Baltic),
    ];

    fn keys(self) -> &'static [&'static str] {
        match self {
            Plural::One | Plural::ZeroOne => &["one", "many"],
            _ => &["one", "few", "many"],
        }
    }

    /// Index into [`Plural::keys`].
    fn form(self, n: u32) -> usize {
        let (tens, units) = (n % 100 / 10, n % 10);
        match self {
            Plural::One => usize::from(n != 1),
            Plural::ZeroOne => usize::from(n > 1),
            Plural::EastSlavic if tens != 1 && units == 1 => 0,
            Plural::WestSlavic if n == 1 => 0,
            Plural::EastSlavic | Plural::WestSlavic if tens != 1 && (2..=4).contains(&units) => 1,
            Plural::Baltic if tens != 1 && units == 1 => 0,
            Plural::Baltic if tens != 1 && units >= 2 => 1,
            _ => 2,
        }
    }
}

/// Whether a noun has forms of numbers of its own: `eine`, `две`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gender {
    Masculine,
    Feminine,
    Neuter,
}

/// A noun that can be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Noun {
    gender: Gender,
    forms: Vec<String>,
}

impl Noun {
    pub(super) fn read(
        reader: &mut Reader<'_>,
        plural: Plural,
        problems: &mut Vec<Problem>,
    ) -> Noun {
        let gender = match reader.text("gender", problems).as_str() {
            "masculine" => Gender::Masculine,
            "feminine" => Gender::Feminine,
            "neuter" | "" => Gender::Neuter,
            _ => {
                problems.push(reader.wrong("gender", "is none of masculine, feminine, neuter"));
                Gender::Neuter
            }
        };
        let forms = plural.keys().iter().map(|key| reader.spoken(key, problems)).collect();
        Noun { gender, forms }
    }

    pub(super) fn forms(&self) -> &[String] {
        &self.forms
    }

    pub(super) fn is_feminine(&self) -> bool {
        self.gender == Gender::Feminine
    }
}

/// How a language counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) plural: Plural,
    below_hundred: Vec<String>,
    hundreds: Vec<String>,
    round_hundreds: Vec<String>,
    join: String,
    masculine: BTreeMap<u32, String>,
    feminine: BTreeMap<u32, String>,
    neuter: BTreeMap<u32, String>,
    bare_seconds: bool,
    /// Words of counts as they stand after "in": `минута` is `минуту`.
    within: BTreeMap<String, String>,
    pub(super) hour: Noun,
    pub(super) minute: Noun,
    pub(super) second: Noun,
    pub(super) moves: Noun,
}

impl Numbers {
    pub(super) fn read(mut reader: Reader<'_>, problems: &mut Vec<Problem>) -> Numbers {
        let rule = reader.text("plural", problems);
        let plural = Plural::NAMES.iter().find(|(name, _)| *name == rule);
        if plural.is_none() && !rule.is_empty() {
            let names: Vec<&str> = Plural::NAMES.iter().map(|(name, _)| *name).collect();
            problems.push(reader.wrong("plural", format!("is none of {}", names.join(", "))));
        }
        let plural = plural.map_or(Plural::One, |(_, plural)| *plural);
        let below_hundred = counted_list(&mut reader, "below-hundred", 100, problems);
        let hundreds = counted_list(&mut reader, "hundreds", 9, problems);
        let round_hundreds = if reader.has("round-hundreds") {
            counted_list(&mut reader, "round-hundreds", 9, problems)
        } else {
            hundreds.clone()
        };
        let join = match reader.value("join", problems) {
            Some(toml::Value::String(join)) => join.clone(),
            Some(_) => {
                problems.push(reader.wrong("join", "is not a text"));
                String::new()
            }
            None => String::new(),
        };
        let masculine = own_forms(&mut reader, "masculine", problems);
        let feminine = own_forms(&mut reader, "feminine", problems);
        let neuter = own_forms(&mut reader, "neuter", problems);
        let bare_seconds = reader.flag("bare-seconds", problems);
        let within = other_forms(&mut reader, "within", problems);
        let mut noun = |key: &str| {
            let mut table = reader.table(key, problems);
            let noun = Noun::read(&mut table, plural, problems);
            table.finish(problems);
            noun
        };
        let (hour, minute, second, moves) =
            (noun("hour"), noun("minute"), noun("second"), noun("move"));
        reader.finish(problems);
        Numbers {
            plural,
            below_hundred,
            hundreds,
            round_hundreds,
            join,
            masculine,
            feminine,
            neuter,
            bare_seconds,
            within,
            hour,
            minute,
            second,
            moves,
        }
    }

    /// The number alone: `einundvierzig`. From 1,000 on, digit by digit.
    pub(super) fn cardinal(&self, n: u32) -> String {
        self.number(n, &BTreeMap::new())
    }

    fn number(&self, n: u32, own: &BTreeMap<u32, String>) -> String {
        if n > 999 {
            let digits = n.to_string();
            let digits: Vec<String> =
                digits.bytes().map(|digit| self.cardinal(u32::from(digit - b'0'))).collect();
            return digits.join(" ");
        }
        let (hundreds, rest) = (n as usize / 100, n % 100);
        // A language whose one does not change in twenty-one ("eine", "einundzwanzig") does not
        // change it in hundred and one either.
        let own_form = match (hundreds, rest) {
            (0, _) | (_, 10..) => own.get(&rest),
            _ => own.get(&(20 + rest)).and(own.get(&rest)),
        };
        let below = || own_form.unwrap_or(&self.below_hundred[rest as usize]).clone();
        match (hundreds, rest) {
            (0, _) => below(),
            (h, 0) => self.round_hundreds[h - 1].clone(),
            (h, _) => format!("{}{}{}", self.hundreds[h - 1], self.join, below()),
        }
    }

    /// The number with its noun: `eine Minute`, `две ладьи`.
    pub(super) fn count(&self, n: u32, noun: &Noun) -> String {
        let own = match noun.gender {
            Gender::Masculine => &self.masculine,
            Gender::Feminine => &self.feminine,
            Gender::Neuter => &self.neuter,
        };
        let form = &noun.forms[self.plural.form(n)];
        format!("{} {form}", self.number(n, own))
    }

    /// A count as it stands after "in": `девяносто одну минуту`. `None`: the pack does not say
    /// how.
    pub(super) fn within(&self, count: &str) -> Option<String> {
        let form = |word| self.within.get(word).map_or(word, String::as_str);
        let words = || count.split(' ').map(form).collect::<Vec<_>>().join(" ");
        (!self.within.is_empty()).then(words)
    }

    /// `ein Zug`, `einundzwanzig Züge`.
    pub(super) fn moves(&self, n: u32) -> String {
        self.count(n, &self.moves)
    }

    /// A clock reading, cut to whole seconds as clocks show it, from ten minutes on to whole
    /// minutes: `neun Minuten zwölf`, `einundvierzig Minuten`.
    pub(super) fn duration(&self, ms: u64) -> String {
        let seconds = match ms / 1000 {
            seconds @ ..WITHOUT_SECONDS_S => seconds,
            seconds => seconds / 60 * 60,
        };
        let hours = u32::try_from(seconds / 3600).unwrap_or(u32::MAX);
        let minutes = (seconds / 60 % 60) as u32;
        let seconds = (seconds % 60) as u32;
        let mut words = Vec::new();
        if hours > 0 {
            words.push(self.count(hours, &self.hour));
        }
        if minutes > 0 {
            words.push(self.count(minutes, &self.minute));
        }
        if seconds > 0 || words.is_empty() {
            // After full hours a bare number would be taken for minutes.
            if self.bare_seconds && minutes > 0 && seconds > 1 {
                words.push(self.cardinal(seconds));
            } else {
                words.push(self.count(seconds, &self.second));
            }
        }
        words.join(" ")
    }
}

fn counted_list(
    reader: &mut Reader<'_>,
    key: &str,
    len: usize,
    problems: &mut Vec<Problem>,
) -> Vec<String> {
    let list = reader.texts(key, problems);
    if !list.is_empty() && list.len() != len {
        let why = format!("has {} entries, needs {len}", list.len());
        problems.push(reader.wrong(key, why));
    }
    list
}

/// `[numbers.within] минута = "минуту"`: optional.
fn other_forms(
    reader: &mut Reader<'_>,
    key: &str,
    problems: &mut Vec<Problem>,
) -> BTreeMap<String, String> {
    if !reader.has(key) {
        return BTreeMap::new();
    }
    let mut table = reader.table(key, problems);
    let words: Vec<String> = table.entries().into_iter().map(|(word, _)| word.clone()).collect();
    let forms = words.into_iter().map(|word| (table.text(&word, problems), word));
    let forms = forms.map(|(form, word)| (word, form)).collect();
    table.finish(problems);
    forms
}

/// `[numbers.feminine] 1 = "eine"`: optional.
fn own_forms(
    reader: &mut Reader<'_>,
    key: &str,
    problems: &mut Vec<Problem>,
) -> BTreeMap<u32, String> {
    if !reader.has(key) {
        return BTreeMap::new();
    }
    let mut table = reader.table(key, problems);
    let mut forms = BTreeMap::new();
    for (number, form) in table.entries() {
        match (number.parse::<u32>(), form.as_str()) {
            (Ok(n @ 1..=99), Some(form)) if !form.is_empty() => {
                forms.insert(n, form.to_owned());
            }
            _ => problems.push(table.wrong(number, "is not a number from 1 to 99 with its word")),
        }
    }
    forms
}
