//! Every page in each language, word by word, during a long game in which much goes wrong: a word
//! that the language's pack does not have is English, or the program's own.

use std::collections::{BTreeMap, BTreeSet};

use annabella_core::{
    game::{BoardSeen, Input},
    laws::Article,
    notation::Letters,
};
use annabella_records::journal::{
    export::{self, Labels},
    report::{Report, ReportLabels},
    views,
};
use annabella_words::phrase::pack::{builtin, builtin_names};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng as _, SeedableRng as _},
};
use shakmaty::{Board, Color, Position as _, Role, uci::UciMove};

use crate::hall::{Browser, Hall, Reply};

const SEED: u64 = 34;
const ROLES: [&str; 3] = ["arbiter", "assistant", "display"];
/// Names, and what is a sign rather than a word.
const NAMES: &str = "Annabella Anna Boris Co Weber FEN min s ms Sc6 a b c d e f g h";
/// What the English explanation of D.2.9 says beside the notes.
const EXPLAINS: &str = "ply plies wrote completion spent take taken off peg put after add \
    compares inspect occurrences paragraph verdict";

/// The words that a page may have, by language.
struct Lexicon {
    words: BTreeMap<&'static str, BTreeSet<String>>,
    /// The examples beside the field for a move.
    help: BTreeMap<&'static str, String>,
}

/// Runs of letters, in small letters.
fn words_of(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphabetic() && !matches!(c, '\u{300}'..='\u{36f}'))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

fn strings(value: &toml::Value, into: &mut BTreeSet<String>) {
    match value {
        toml::Value::String(text) => into.extend(words_of(&without_slots(text))),
        toml::Value::Array(all) => all.iter().for_each(|one| strings(one, into)),
        toml::Value::Table(table) => table.values().for_each(|one| strings(one, into)),
        _ => {}
    }
}

fn without_slots(text: &str) -> String {
    let mut kept = String::new();
    let mut inside = false;
    for sign in text.chars() {
        match sign {
            '{' => inside = true,
            '}' => inside = false,
            _ if !inside => kept.push(sign),
            _ => {}
        }
    }
    kept
}

impl Lexicon {
    fn new() -> Lexicon {
        let (mut words, mut help) = (BTreeMap::new(), BTreeMap::new());
        for code in builtin_names().filter(|name| *name != "fide") {
            let table: toml::Table = builtin(code).expect("a pack").parse().expect("TOML");
            let mut known = BTreeSet::new();
            for section in [
                "pages", "papers", "notes", "articles", "moves", "pieces", "sides", "players",
                "prompts", "numbers",
            ] {
                if let Some(value) = table.get(section) {
                    strings(value, &mut known);
                }
            }
            let language = &table["pack"]["language"];
            strings(language, &mut known);
            if code == "en" {
                known.extend(words_of(EXPLAINS));
                let rules = Article::ALL;
                rules.iter().for_each(|article| known.extend(words_of(article.summary())));
            }
            known.extend(words_of(NAMES));
            words.insert(code, known);
            help.insert(code, table["pages"]["enter-help"].to_string());
        }
        Lexicon { words, help }
    }

    fn codes(&self) -> Vec<&'static str> {
        self.words.keys().copied().collect()
    }

    /// What on this page is no word of its language.
    fn strange(&self, page: &str, code: &str) -> BTreeSet<String> {
        let mut strange = BTreeSet::new();
        let found = texts(page, code);
        for (lang, text) in &found {
            let known = self.words.get(lang.as_str()).unwrap_or_else(|| panic!("language {lang}"));
            let help = &self.help[lang.as_str()];
            let letters = lang.parse().map_or(Letters::english().clone(), Letters::of);
            for token in text.split_whitespace() {
                let token =
                    token.trim_matches(|c: char| !c.is_alphanumeric() && c != '+' && c != '#');
                if token.chars().any(|c| c.is_ascii_digit()) || token.contains("O-O") {
                    if !notation(token, &letters) && !help.contains(token) {
                        strange.insert(token.to_owned());
                    }
                    continue;
                }
                for word in words_of(token).filter(|word| !known.contains(word)) {
                    strange.insert(format!("{word} (in '{}')", text.trim()));
                }
            }
        }
        for debug in ["Settle(", "Text(", "Some(", "None", "Ok(", "Err(", "{", "}", "\\\""] {
            if found.iter().any(|(_, text)| text.contains(debug)) {
                strange.insert(debug.to_owned());
            }
        }
        strange
    }
}

/// Squares, moves by squares, numbers, and SAN in these letters.
fn notation(token: &str, letters: &Letters) -> bool {
    let mut own: Vec<&str> = Role::ALL.into_iter().map(|role| letters.letter(role)).collect();
    // A king's Кр is no knight.
    own.sort_by_key(|letter| std::cmp::Reverse(letter.len()));
    let rest = own
        .into_iter()
        .filter(|letter| !letter.is_empty())
        .fold(token.to_owned(), |rest, letter| rest.replace(letter, ""));
    token.parse::<Article>().is_ok()
        || token.starts_with("http://")
        || token.parse::<Board>().is_ok()
        || rest.chars().all(|c| "abcdefghx12345678+#=-–→.,:;/()0O9½s'qrbn ".contains(c))
        || words_of(token).all(|word| words_of(NAMES).any(|name| name == word))
}

/// The texts of a page, each with its language: between the tags, and of attributes that are read.
fn texts(page: &str, code: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut langs = vec![(String::new(), code.to_owned())];
    let mut rest = page;
    let plain = |text: &str| {
        let pairs =
            [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
        pairs.iter().fold(text.to_owned(), |text, (code, sign)| text.replace(code, sign))
    };
    while let Some(begin) = rest.find('<') {
        let lang = langs.last().expect("the page's").1.clone();
        found.push((lang.clone(), plain(&rest[..begin])));
        let end = begin + rest[begin..].find('>').expect("a tag ends");
        let tag = &rest[begin + 1..end];
        rest = &rest[end + 1..];
        let name = tag.split([' ', '/']).next().unwrap_or("").to_owned();
        if let Some(closed) = tag.strip_prefix('/') {
            while langs.len() > 1 {
                if langs.pop().expect("one").0 == closed {
                    break;
                }
            }
            continue;
        }
        let attribute = |wanted: &str| {
            let rest = tag.split(&format!(" {wanted}=\"")).nth(1)?;
            rest.split('"').next().map(plain)
        };
        let own = attribute("lang").unwrap_or(lang);
        let read = ["aria-label", "placeholder", "title", "data-name", "data-lost", "data-back"];
        for read in read {
            found.extend(attribute(read).map(|text| (own.clone(), text)));
        }
        // A quotation is in the language of whoever is quoted.
        if ["script", "style", "q", "samp"].contains(&name.as_str()) {
            let end = rest.find("</").unwrap_or(rest.len());
            rest = &rest[end..];
        }
        let empty = ["meta", "link", "input", "br", "path", "!DOCTYPE", "use"];
        if !empty.contains(&name.as_str()) && !tag.ends_with('/') {
            langs.push((name, own));
        }
    }
    found
}

/// Readers of every role in every language.
struct Readers<'a> {
    hall: &'a Hall,
    lexicon: Lexicon,
    readers: Vec<(&'static str, &'static str, Browser)>,
    strange: BTreeMap<String, String>,
}

impl Readers<'_> {
    fn look(&mut self, page: &Reply, code: &str, when: &str) {
        for word in self.lexicon.strange(&page.body, code) {
            self.strange.entry(format!("{code}: {word}")).or_insert_with(|| when.to_owned());
        }
    }

    /// Everybody looks at his page.
    fn read(&mut self, when: &str) {
        for n in 0..self.readers.len() {
            let (role, code, reader) = &mut self.readers[n];
            let (role, code) = (*role, *code);
            let page = reader.get(&format!("/{role}"));
            assert_eq!(page.status, 200, "{role} {when}");
            self.look(&page, code, when);
        }
    }

    /// Everybody with this role asks for it once, and reads the answer.
    fn refused(&mut self, role: &str, fields: &[(&str, &str)]) {
        for n in 0..self.readers.len() {
            if self.readers[n].0 != role {
                continue;
            }
            let page = self.readers[n].2.acts(fields);
            let code = self.readers[n].1;
            self.look(&page, code, &format!("{fields:?}"));
        }
    }

    /// One of them does it.
    fn done(&mut self, role: &str, fields: &[(&str, &str)]) -> String {
        let n = self.readers.iter().position(|(own, ..)| *own == role).expect("a reader");
        let page = self.readers[n].2.acts(fields);
        let code = self.readers[n].1;
        self.look(&page, code, &format!("{fields:?}"));
        self.read(&format!("after {fields:?}"));
        page.body
    }
}

/// A move of nobody's choice that does not end the game.
fn any_move(hall: &Hall, dice: &mut ChaCha8Rng) -> String {
    let position = hall.play().position();
    let moves: Vec<_> = position
        .legal_moves()
        .into_iter()
        .filter(|mv| {
            let mut after = position.clone();
            after.play_unchecked(*mv);
            !after.is_game_over() && after.board().pawns().count() > 8
        })
        .collect();
    let n = usize::try_from(dice.next_u64() % moves.len() as u64).expect("small");
    UciMove::from_standard(moves[n]).to_string()
}

fn plays(hall: &Hall, dice: &mut ChaCha8Rng, plies: usize) {
    for _ in 0..plies {
        let san = any_move(hall, dice);
        hall.play().moves(&[&san]);
    }
}

#[test]
fn no_page_has_a_word_that_its_language_does_not_have() {
    let hall = Hall::new();
    let lexicon = Lexicon::new();
    let mut readers = Vec::new();
    for role in ROLES {
        for code in lexicon.codes() {
            let mut reader = hall.as_(role);
            reader.language = code;
            readers.push((role, code, reader));
        }
    }
    let mut all = Readers { hall: &hall, lexicon, readers, strange: BTreeMap::new() };
    let mut dice = ChaCha8Rng::seed_from_u64(SEED);
    for code in all.lexicon.codes() {
        let mut nobody = hall.browser();
        nobody.language = code;
        for path in ["/", "/nowhere"] {
            let page = nobody.get(path);
            all.look(&page, code, path);
        }
        let page = nobody.post("/pair", &[("code", "0000")]);
        all.look(&page, code, "a wrong code");
    }
    all.read("at the beginning");
    all.refused("arbiter", &[("act", "play-on"), ("reason", "x")]);
    // Pressed before a move.
    let _ = hall.play().input(Input::Pressed { seat: Color::White });
    all.read("an early press");
    all.done("arbiter", &[("act", "start-clocks")]);
    plays(&hall, &mut dice, 24);
    all.read("after some moves");
    for (n, (role, _, reader)) in all.readers.clone().iter_mut().enumerate() {
        if *role == "arbiter" {
            let page = reader.get("/card");
            let code = all.readers[n].1;
            all.look(&page, code, "the card");
        }
    }
    // Refusals.
    let plies = hall.play().line().len().to_string();
    for fields in [
        &[("act", "call"), ("reason", "")][..],
        &[("act", "move"), ("plies", plies.as_str()), ("move", "zz9")],
        &[("act", "move"), ("plies", "1"), ("move", "e4")],
        &[("act", "press"), ("seat", "white")],
        &[("act", "score"), ("seat", "white"), ("text", "1. h4"), ("after", "999")],
        &[("act", "corrected"), ("seat", "black")],
        &[("act", "stands"), ("seat", "black"), ("fen", "9/9")],
        &[("act", "stands"), ("seat", "white"), ("fen", "8/8/8/8/8/8/8/8")],
        &[("act", "says"), ("seat", "black"), ("word", "accepts-draw"), ("sure", "yes")],
        &[("act", "says"), ("seat", "black"), ("word", "claims-flag"), ("sure", "yes")],
        &[("act", "settle")],
    ] {
        all.refused("assistant", fields);
    }
    for fields in [
        &[("act", "settle-otherwise"), ("ply", "999"), ("clocks", "now"), ("reason", "b")][..],
        &[("act", "settle-otherwise"), ("ply", ""), ("reason", "b")],
        &[("act", "accept-move"), ("move", "e9"), ("reason", "b")],
        &[("act", "illegal-move"), ("seat", "black"), ("article", "5.1.1")],
        &[("act", "confirm"), ("number", "99")],
        &[("act", "set-clock"), ("seat", "white"), ("time", "99"), ("reason", "b")],
        &[("act", "declare"), ("result", "2-0"), ("article", "5.1.2"), ("reason", "b")],
    ] {
        all.refused("arbiter", fields);
    }
    // An offer, and its answer.
    all.done(
        "assistant",
        &[("act", "says"), ("seat", "black"), ("word", "offers-draw"), ("sure", "yes")],
    );
    let said = Input::Said { seat: Some(Color::White), heard: vec!["Remis ablehnen".to_owned()] };
    hall.play().input(said).expect("understood");
    all.read("an offer declined");
    // The arbiter's rulings.
    for fields in [
        &[("act", "note"), ("text", "b")][..],
        &[("act", "penalty"), ("seat", "black"), ("penalty", "warning"), ("reason", "b")],
        &[
            ("act", "penalty"),
            ("seat", "black"),
            ("penalty", "time-to-opponent"),
            ("amount", "2"),
            ("reason", "b"),
        ],
        &[
            ("act", "penalty"),
            ("seat", "white"),
            ("penalty", "points-off"),
            ("amount", "1"),
            ("reason", "b"),
        ],
        &[("act", "set-clock"), ("seat", "white"), ("time", "1:00:00"), ("reason", "b")],
        &[("act", "stop-clocks")],
        &[("act", "start-clocks")],
        &[("act", "illegal-move"), ("seat", "black"), ("article", "7.5.4")],
        &[("act", "compare-boards")],
    ] {
        all.done("arbiter", fields);
    }
    let page = all.done("arbiter", &[("act", "read-out")]);
    all.done("arbiter", &[("act", "settle"), ("mark", &mark(&page)), ("clocks", "now")]);
    for number in ["1", "2"] {
        let fields = [("act", "confirm"), ("number", number), ("choice", "0"), ("reason", "b")];
        all.done("arbiter", &fields);
    }
    all.done("arbiter", &[("act", "start-clocks")]);
    // Another piece is touched than moved.
    if hall.play().position().turn().is_black() {
        plays(&hall, &mut dice, 1);
    }
    {
        let mut play = hall.play();
        let own = play.position().board().white() & !play.position().board().kings();
        let squares: Vec<_> = own.into_iter().take(3).collect();
        for square in squares {
            play.peg(square, false);
            play.peg(square, true);
        }
        play.wait(2_000);
    }
    plays(&hall, &mut dice, 1);
    all.read("touched pieces");
    // Black claims wrongly, and completes an illegal move.
    all.done(
        "assistant",
        &[
            ("act", "says"),
            ("seat", "black"),
            ("word", "claims-draw"),
            ("by", "repetition"),
            ("sure", "yes"),
        ],
    );
    let proposal = hall.play().game.record().expect("a game").proposals.last().map(|p| p.number);
    if let Some(number) = proposal {
        all.done(
            "arbiter",
            &[("act", "dismiss"), ("number", &number.to_string()), ("reason", "b")],
        );
    }
    all.done("arbiter", &[("act", "start-clocks")]);
    {
        let mut play = hall.play();
        let seat = Color::Black;
        let _ = play.input(Input::Sighted { seat, uci: "a7a2".to_owned() });
        play.wait(4_000);
        let _ = play.input(Input::Pressed { seat });
        play.wait(1_000);
    }
    all.read("an illegal move");
    let proposal = hall.play().game.record().expect("a game").proposals.last().map(|p| p.number);
    if let Some(number) = proposal {
        let number = number.to_string();
        all.done(
            "arbiter",
            &[("act", "confirm"), ("number", &number), ("choice", "0"), ("reason", "b")],
        );
    }
    all.done("arbiter", &[("act", "start-clocks")]);
    // The boards differ, then the scores.
    {
        let mut play = hall.play();
        let fen = "r1bqkb1r/pppppppp/2n2b2/8/8/4PN2/PPPP1PPP/RNBQKB1R".to_owned();
        let _ = play.input(Input::Entered { seat: Color::Black, fen });
        play.wait(6_000);
    }
    all.read("boards that differ");
    {
        let mut play = hall.play();
        let fen = play.position().board().to_string();
        let _ = play.input(Input::Entered { seat: Color::Black, fen });
        play.wait(6_000);
    }
    all.read("boards that agree again");
    let page = all
        .done("assistant", &[("act", "score"), ("seat", "black"), ("text", "1. e4 Sc6 2. d4 Sc6")]);
    assert!(!page.is_empty());
    let page = all
        .readers
        .iter_mut()
        .find(|(role, ..)| *role == "arbiter")
        .expect("one")
        .2
        .get("/arbiter");
    all.done(
        "arbiter",
        &[("act", "settle"), ("mark", &mark(&page.body)), ("clocks", "0"), ("reason", "b")],
    );
    // A device is gone; a move is to be sealed, and is not.
    let seen = BoardSeen::Lost { why: "b".to_owned() };
    let lost = Input::BoardSeen { seat: Color::Black, seen };
    let _ = hall.play().input(lost);
    all.read("a lost board");
    all.done("arbiter", &[("act", "ask-to-seal")]);
    all.refused("assistant", &[("act", "seal"), ("sealed", "Sc6"), ("again", "Sc6")]);
    all.done("arbiter", &[("act", "not-adjourned")]);
    // The end.
    all.done(
        "assistant",
        &[("act", "says"), ("seat", "black"), ("word", "resigns"), ("sure", "yes")],
    );
    all.done(
        "arbiter",
        &[("act", "declare"), ("result", "1-0"), ("article", "5.1.2"), ("reason", "b")],
    );
    all.refused("arbiter", &[("act", "stop-clocks")]);
    let kinds = hall.play().log.events().filter(|event| event.article.is_some()).count();
    assert!(kinds >= 12, "only {kinds} events have an article");
    assert!(all.hall.play().result().is_some(), "the game is over");
    papers(&mut all);
    let list: Vec<String> =
        all.strange.iter().map(|(word, when)| format!("{word}: {when}")).collect();
    assert!(list.is_empty(), "seed {SEED}:\n{}", list.join("\n"));
}

/// The report and the score sheets of this game, in each language.
fn papers(all: &mut Readers<'_>) {
    let inputs = all.hall.play().inputs.clone();
    let play = all.hall.play();
    let record = play.game.record().expect("a game");
    let mut pages = Vec::new();
    for code in all.lexicon.codes() {
        let labels = ReportLabels::of(code);
        let report = Report::of(1, &inputs, &labels).expect("a report");
        assert!(report.incidents.len() > 20, "{}", report.incidents.len());
        pages.push((code, "the report", report.to_html(&labels)));
        let sheets = Color::ALL.map(|color| views::sheet(&record, color, Labels::of(code)));
        pages.push((code, "the score sheets", export::pages(&sheets)));
    }
    drop(play);
    for (code, paper, html) in pages {
        for word in all.lexicon.strange(&html, code) {
            all.strange.entry(format!("{code}: {word}")).or_insert_with(|| paper.to_owned());
        }
    }
}

fn mark(page: &str) -> String {
    let rest = page.split("name=\"mark\" value=\"").nth(1).unwrap_or_default();
    rest.split('"').next().unwrap_or_default().to_owned()
}

#[test]
fn an_english_word_on_a_german_page_is_found() {
    let lexicon = Lexicon::new();
    let strange = |text: &str| lexicon.strange(&format!("<p>{text}</p>"), "de");
    assert!(strange("Die Partie geht weiter. Weiß: Sf3, Dxe5+ (e4 → e5) 1:29:05").is_empty());
    assert_eq!(strange("The scores agree").len(), 3);
    assert!(strange("Nd4").contains("Nd4"));
    assert!(strange("Entscheidung: Settle(Settle").len() >= 2);
    assert_eq!(strange("<span lang=\"en\">The clocks</span>").len(), 0);
}

/// Notes and papers are read whole or not at all; the rules of articles a pack may have or lack.
#[test]
fn every_pack_has_the_rules_of_the_same_articles() {
    let rules = |code: &str| -> BTreeSet<String> {
        let pack: toml::Table = builtin(code).expect("a pack").parse().expect("TOML");
        pack["articles"].as_table().expect("rules").keys().cloned().collect()
    };
    let german = rules("de");
    assert!(german.len() > 70, "{}", german.len());
    for number in &german {
        assert!(number.parse::<Article>().is_ok(), "{number} is no article");
    }
    for code in builtin_names().filter(|name| !["fide", "de", "en"].contains(name)) {
        let own = rules(code);
        let apart: Vec<&String> = own.symmetric_difference(&german).collect();
        assert!(apart.is_empty(), "{code}: {apart:?}");
    }
}
