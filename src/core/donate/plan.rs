//! Which words and sentences a person is asked for.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::{Chess, File, Rank, Role};

use crate::enrol::{self, Meaning};
use annabella_words::phrase::{Command, Words};

/// How often each word of moves is said alone.
const ALONE: usize = 2;
/// The ranks that are misheard most, and how often they are said alone.
const HARD: [Rank; 2] = [Rank::Third, Rank::Fifth];
const HARD_ALONE: usize = 5;
/// Whole announcements, with the requests that are planned among them.
const SENTENCES: usize = 24;
/// So many positions give them.
const POSITIONS: usize = 30;
/// What is asked for at every board: said twice, in other words where there are some.
const OFTEN: [Command; 10] = [
    Command::Yes,
    Command::No,
    Command::Repeat,
    Command::Stop,
    Command::Cancel,
    Command::Correction,
    Command::LastMove,
    Command::MyTime,
    Command::OfferDraw,
    Command::Done,
];

/// Some 160 texts as the packs write them, for about ten minutes: every word of the moves alone,
/// squares, each kind of request, and announcements that are legal in one of these positions. The
/// name decides about the choice and the order; the words that must come, come for everybody.
pub fn plan(words: &Words, positions: &[Chess], name: &str) -> Vec<String> {
    let mut random = Random::of(name);
    let mut texts = alone(words);
    texts.extend(squares(words, &mut random));
    texts.extend(requests(words, &mut random));
    texts.extend(announcements(words, positions, &mut random));
    random.shuffle(&mut texts);
    apart(&mut texts);
    texts
}

fn alone(words: &Words) -> Vec<String> {
    let moves = words.moves();
    let hard = HARD.map(|rank| moves.rank(rank).text.as_str());
    let ranks = Rank::ALL.map(|rank| moves.rank(rank));
    let named = File::ALL.map(|file| moves.file(file)).into_iter().chain(ranks);
    let named = named.chain(Role::ALL.map(|role| moves.piece(role)));
    let named: BTreeSet<&str> = named.map(|word| word.text.as_str()).collect();
    let all: BTreeSet<&str> = moves.move_words().map(|word| word.text.as_str()).collect();
    let times = |text: &str| match text {
        text if hard.contains(&text) => HARD_ALONE,
        text if named.contains(text) => ALONE,
        _ => 1,
    };
    all.into_iter().flat_map(|text| vec![text.to_owned(); times(text)]).collect()
}

/// Each file twice, each rank once, and the hard ones for the rest.
fn squares(words: &Words, random: &mut Random) -> Vec<String> {
    let (mut files, mut ranks) = ([File::ALL; 2].concat(), Rank::ALL.to_vec());
    ranks.extend(HARD.iter().cycle().take(files.len() - ranks.len()));
    random.shuffle(&mut files);
    random.shuffle(&mut ranks);
    let moves = words.moves();
    let square = |(file, rank)| format!("{} {}", moves.file(file).text, moves.rank(rank).text);
    files.into_iter().zip(ranks).map(square).collect()
}

/// One phrase for each kind of request, two for those that are said often.
fn requests(words: &Words, random: &mut Random) -> Vec<String> {
    let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (text, command) in words.command_phrases() {
        kinds.entry(kind(command)).or_default().push(text);
    }
    let often = OFTEN.map(kind);
    let mut texts = Vec::new();
    for (kind, mut phrases) in kinds {
        random.shuffle(&mut phrases);
        let times = if often.contains(&kind) { 2 } else { 1 };
        texts.extend(phrases.into_iter().cycle().take(times));
    }
    texts
}

/// A request's name without what it names: one for a square is the same kind with each of them.
fn kind(command: Command) -> String {
    command.name().split(' ').next().unwrap_or_default().to_owned()
}

fn announcements(words: &Words, positions: &[Chess], random: &mut Random) -> Vec<String> {
    let mut some = positions.to_vec();
    random.shuffle(&mut some);
    some.truncate(POSITIONS);
    // Its requests are said anyway.
    let mut seen = BTreeSet::new();
    enrol::plan(words, &some, SENTENCES)
        .into_iter()
        .filter(|sentence| matches!(sentence.meaning, Meaning::Move(_)))
        .map(|sentence| sentence.words(words).to_string().replace(',', ""))
        .filter(|text| seen.insert(text.clone()))
        .collect()
}

/// Nobody likes to be asked for the same twice in a row.
fn apart(texts: &mut [String]) {
    for n in 1..texts.len() {
        if texts[n] != texts[n - 1] {
            continue;
        }
        let same = |at: usize| texts.get(at).is_some_and(|text| *text == texts[n]);
        let fits =
            |at: &usize| !same(*at) && !same(*at + 1) && !at.checked_sub(1).is_some_and(same);
        let before = (0..n - 1).rev();
        if let Some(other) = (n + 1..texts.len()).chain(before).find(fits) {
            texts.swap(n, other);
        }
    }
}

/// The same numbers for the same name, whatever the machine (splitmix64, seeded by FNV-1a).
struct Random(u64);

impl Random {
    fn of(name: &str) -> Random {
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Random(name.bytes().fold(0xcbf2_9ce4_8422_2325, hash))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for n in (1..list.len()).rev() {
            let other = self.next() % (n as u64 + 1);
            list.swap(n, other as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use annabella_words::phrase::{Understood, pack::builtin_languages, understand};
    use shakmaty::{Position, uci::UciMove};

    fn positions() -> Vec<Chess> {
        let moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6";
        let mut all = vec![Chess::default()];
        for text in moves.split(' ') {
            let mut pos = all[all.len() - 1].clone();
            let mv: UciMove = text.parse().expect("UCI");
            pos.play_unchecked(mv.to_move(&pos).expect("legal"));
            all.push(pos);
        }
        all
    }

    #[test]
    fn everybody_says_every_word_of_the_moves_several_times_and_the_hard_ranks_most() {
        let words = Words::builtin("fide", "de").expect("built in");
        let easy = ["eins", "zwei", "vier", "sechs", "sieben", "acht"];
        let files = ["Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector"];
        let pieces = ["König", "Dame", "Turm", "Läufer", "Springer", "Bauer"];
        for name in ["vega-1000", "mira-4711"] {
            let texts = plan(&words, &positions(), name);
            assert!((150..=175).contains(&texts.len()), "{}", texts.len());
            let times = |wanted: &str| {
                let all = texts.iter().flat_map(|text| text.split(' '));
                all.filter(|word| *word == wanted).count()
            };
            for word in files.iter().chain(&easy).chain(&pieces) {
                assert!(times(word) >= 4, "{name}: {word} {}", times(word));
            }
            let alone = |word: &str| texts.iter().filter(|text| *text == word).count();
            for hard in ["drei", "fünf"] {
                assert!(times(hard) >= 10, "{name}: {hard} {}", times(hard));
                assert!(easy.iter().all(|easy| alone(easy) < alone(hard)), "{name}: {hard}");
            }
            for text in ["Kurze Rochade", "Lange Rochade", "schlägt", "matt", "en passant"] {
                assert!((1..=2).contains(&alone(text)), "{text}");
            }
        }
    }

    #[test]
    fn every_kind_of_request_is_asked_for_in_every_language() {
        for lang in builtin_languages() {
            let words = Words::builtin(lang, lang).expect("built in");
            let texts = plan(&words, &positions(), "vega-1000");
            let phrases = words.command_phrases();
            let said = phrases.iter().filter(|(text, _)| texts.contains(text));
            let said: BTreeSet<_> = said.map(|(_, command)| kind(*command)).collect();
            let all: BTreeSet<_> = phrases.iter().map(|(_, command)| kind(*command)).collect();
            assert_eq!(said, all, "{lang}");
        }
    }

    #[test]
    fn two_people_say_other_things_in_another_order_and_each_the_same_again() {
        let words = Words::builtin("fide", "de").expect("built in");
        let of = |name| plan(&words, &positions(), name);
        let (one, other) = (of("vega-1000"), of("vega-1001"));
        assert_eq!(one, of("vega-1000"));
        let sorted = |texts: &[String]| texts.iter().cloned().collect::<BTreeSet<_>>();
        assert!(one != other && sorted(&one) != sorted(&other));
    }

    #[test]
    fn nobody_is_asked_for_the_same_twice_in_a_row() {
        let words = Words::builtin("fide", "de").expect("built in");
        for name in 0..20 {
            let texts = plan(&words, &positions(), &name.to_string());
            assert!(texts.windows(2).all(|two| two[0] != two[1]), "{texts:?}");
        }
    }

    #[test]
    fn whole_announcements_are_moves_of_real_positions() {
        let words = Words::builtin("fide", "de").expect("built in");
        let texts = plan(&words, &positions(), "vega-1000");
        let moves = texts.iter().filter(|text| {
            let is_move = |pos| matches!(understand(&words, pos, text), Understood::Move(_));
            text.split(' ').count() > 2 && positions().iter().any(is_move)
        });
        assert!(moves.count() >= 15);
    }
}
