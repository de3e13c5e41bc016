//! `docs/articles.md` says where each article of the Laws is applied. It is made from the source:
//! from `Article::…`, and from the articles that comments name. `make articles` writes it anew;
//! this test fails while it is out of date.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
};

/// Set by `make articles`: the page is written instead of compared.
const WRITE: &str = "WRITE_ARTICLES";
/// What applies nothing: the laboratory, the table of articles, sentences and labels.
const LEFT_OUT: [&str; 4] = ["/lab/", "/laws.rs", "/phrase/prompt.rs", "/report/labels.rs"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every source file below `dir`, by its path from the root, in order.
fn sources(dir: &Path) -> Vec<(String, String)> {
    let mut entries: Vec<PathBuf> = fs::read_dir(dir)
        .unwrap_or_else(|err| panic!("{}: {err}", dir.display()))
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    let mut found = Vec::new();
    for path in entries {
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            let name = path.strip_prefix(root()).expect("below the root").to_string_lossy();
            found.push((name.into_owned(), fs::read_to_string(&path).expect("a text")));
        }
    }
    found
}

/// The articles in the order of the Laws.
struct Table {
    rows: Vec<Row>,
}

/// `A4_3 => "4.3", "a piece touched on purpose must be moved or taken";`
struct Row {
    name: String,
    number: String,
    summary: String,
}

impl Table {
    /// Reads the macro call in `laws.rs`.
    fn read(sources: &[(String, String)]) -> Table {
        let call = sources
            .iter()
            .filter(|(file, _)| file.ends_with("/laws.rs"))
            .find_map(|(_, text)| text.split_once("\narticles! {\n"))
            .expect("the table of articles in laws.rs");
        let rows = call.1.lines().take_while(|line| *line != "}").map(|line| {
            let parts: Vec<&str> = line.split('"').collect();
            let [name, number, _, summary, _] = parts.as_slice() else {
                panic!("no row of an article: {line}")
            };
            let name = name.trim().trim_end_matches("=>").trim();
            Row { name: name.into(), number: (*number).into(), summary: (*summary).into() }
        });
        Table { rows: rows.collect() }
    }

    fn by_number(&self, number: &str) -> Option<usize> {
        self.rows.iter().position(|row| row.number == number)
    }

    /// The article itself or, of a paragraph that the table does not have, the one that it is part
    /// of.
    fn nearest(&self, number: &str) -> Option<usize> {
        let mut number = number;
        loop {
            if let Some(found) = self.by_number(number) {
                return Some(found);
            }
            number = number.rsplit_once('.')?.0;
        }
    }
}

/// `D.2.3`, `TR.10.5.5` or `4.3`: whether the word has the form of an article's number.
fn is_number(word: &str) -> bool {
    let mut parts = word.split('.');
    let first = parts.next().unwrap_or("");
    let numbers: Vec<&str> = parts.collect();
    let digits = |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let lettered = matches!(first, "A" | "B" | "C" | "D" | "I" | "TR");
    (lettered || digits(&first)) && !numbers.is_empty() && numbers.iter().all(digits)
}

fn is_lettered(word: &str) -> bool {
    is_number(word) && word.starts_with(|c: char| c.is_ascii_uppercase())
}

/// The articles that a comment names. A number without a letter is one only after "FIDE" or
/// "article", or in brackets among nothing else.
fn named_in(table: &Table, comment: &str) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    if comment.contains("Appendix C") {
        found.extend(table.by_number("C"));
    }
    let bare = |text: &str, found: &mut BTreeSet<usize>| {
        let clean = |word: &str| word.trim_matches([',', ';', '(', ')', '.', ':']).to_owned();
        let words: Vec<String> = text.split_whitespace().map(clean).collect();
        for (n, word) in words.iter().enumerate().filter(|(_, word)| is_number(word)) {
            found.extend(table.nearest(word));
            let to = words.get(n + 2).filter(|_| words[n + 1] == "to");
            if let (Some(from), Some(to)) =
                (table.by_number(word), to.and_then(|to| table.by_number(to)))
            {
                found.extend(from..=to);
            }
        }
    };
    if let Some((_, source)) = comment.split_once("Source: FIDE") {
        bare(source, &mut found);
    }
    for (start, _) in comment.match_indices("rticle") {
        let rest = comment[start..].split_once(' ').map_or("", |(_, rest)| rest);
        bare(rest.split_whitespace().next().unwrap_or(""), &mut found);
    }
    for bracket in comment.split('(').skip(1) {
        let inner = bracket.split(')').next().unwrap_or("");
        let numbers = |word: &str| is_number(word) || matches!(word, "to" | "and");
        if inner.split([',', ';', ' ']).filter(|word| !word.is_empty()).all(numbers) {
            bare(inner, &mut found);
        }
    }
    for word in comment.split(|c: char| !c.is_alphanumeric() && c != '.') {
        let word = word.trim_matches('.');
        if is_lettered(word) {
            found.extend(table.nearest(word));
        }
    }
    found
}

/// The articles that a line of code names: `Article::D_2_3`, or a number as a text of its own.
fn used_in(table: &Table, code: &str) -> BTreeSet<usize> {
    let constants = code.split("Article::").skip(1).filter_map(|rest| {
        let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
        table.rows.iter().position(|row| row.name == name)
    });
    let texts = code.split('"').skip(1).step_by(2).filter_map(|text| table.by_number(text));
    let texts = texts.filter(|n| is_number(&table.rows[*n].number));
    constants.chain(texts).collect()
}

/// The name of the item that begins on this line; `impl` blocks have none.
fn item_of(line: &str) -> Option<String> {
    let mut words = line.split_whitespace().peekable();
    while let Some(word) = words.next() {
        match word {
            "pub" | "async" | "unsafe" => {}
            "const" if words.peek() == Some(&"fn") => {}
            _ if word.starts_with("pub(") => {}
            "fn" | "struct" | "enum" | "const" | "static" | "trait" | "type" | "macro_rules!" => {
                let name = words.next()?;
                let end = name.find(|c: char| !c.is_alphanumeric() && c != '_');
                return Some(name[..end.unwrap_or(name.len())].to_owned());
            }
            _ => return None,
        }
    }
    None
}

/// The kind of a comment line and its text.
fn comment_of(line: &str) -> Option<(&str, &str)> {
    let mark = ["//!", "///", "//"].into_iter().find(|mark| line.starts_with(mark))?;
    Some((&line[..mark.len()], line[mark.len()..].trim()))
}

/// Which articles a file applies, and in which of its items; an empty name is the file as a whole.
fn applied_in(table: &Table, source: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut item = String::new();
    // Articles named above an item that is still to come.
    let mut awaiting = BTreeSet::new();
    let mut lines = source.lines().map(str::trim).peekable();
    while let Some(line) = lines.next() {
        if line == "#[cfg(test)]" {
            break;
        }
        if let Some((kind, text)) = comment_of(line) {
            // A number may stand on the next line of the paragraph.
            let mut paragraph = text.to_owned();
            while !paragraph.is_empty()
                && let Some(more) = lines.next_if(|line| {
                    comment_of(line).is_some_and(|(next, text)| next == kind && !text.is_empty())
                })
            {
                paragraph += " ";
                paragraph += comment_of(more).map_or("", |(_, text)| text);
            }
            let named = named_in(table, &paragraph);
            match kind {
                "///" => awaiting.extend(named),
                "//!" => found.extend(named.into_iter().map(|n| (n, String::new()))),
                _ => found.extend(named.into_iter().map(|n| (n, item.clone()))),
            }
        } else if !line.is_empty() && !line.starts_with("#[") {
            if let Some(name) = item_of(line) {
                item = name;
            }
            found.extend(std::mem::take(&mut awaiting).into_iter().map(|n| (n, item.clone())));
            found.extend(used_in(table, line).into_iter().map(|n| (n, item.clone())));
        }
    }
    found
}

/// The page.
fn page(sources: &[(String, String)]) -> String {
    let table = Table::read(sources);
    let mut places: BTreeMap<usize, BTreeMap<&str, BTreeSet<String>>> = BTreeMap::new();
    for (file, text) in sources {
        if LEFT_OUT.iter().any(|left_out| file.contains(left_out)) {
            continue;
        }
        for (article, item) in applied_in(&table, text) {
            places.entry(article).or_default().entry(file).or_default().insert(item);
        }
    }
    let mut page = "# Where each article of the Laws is applied\n\n\
        Made from the source by `make articles`; do not edit. An article is listed where the code uses it or a comment\n\
        names it. A file without a name behind it is about the article as a whole. Summaries are ours, not the text of the Laws.\n\n\
        | article | rule | where |\n|---|---|---|\n"
        .to_owned();
    let mut nowhere = String::new();
    for (n, row) in table.rows.iter().enumerate() {
        let Some(files) = places.get(&n) else {
            nowhere += &format!("- {}: {}\n", row.number, row.summary);
            continue;
        };
        let files: Vec<String> = files
            .iter()
            .map(|(file, items)| {
                let items = items.iter().filter(|item| !item.is_empty());
                let items: Vec<String> = items.map(|item| format!("`{item}`")).collect();
                if items.is_empty() {
                    file.to_string()
                } else {
                    format!("{file}: {}", items.join(", "))
                }
            })
            .collect();
        page += &format!("| {} | {} | {} |\n", row.number, row.summary, files.join("; "));
    }
    page += "\n## Known by number only\n\n\
        No code refers to these. They concern people, or a more exact article above does the work.\n\n";
    page + &nowhere
}

#[test]
fn the_index_of_articles_is_what_the_source_says() {
    let path = root().join("docs/articles.md");
    let page = page(&sources(&root().join("src")));
    if env::var_os(WRITE).is_some() {
        fs::write(&path, &page).expect("docs/articles.md can be written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let differs = kept.lines().zip(page.lines()).find(|(old, new)| old != new);
    assert!(kept == page, "docs/articles.md is out of date: run `make articles`\n{differs:#?}");
}

#[test]
fn every_source_in_the_laws_is_an_article_that_is_known() {
    let sources = sources(&root().join("src"));
    let table = Table::read(&sources);
    assert!(table.rows.len() > 100, "only {} articles", table.rows.len());
    for (file, text) in &sources {
        for line in text.lines().filter(|line| line.contains("Source: FIDE")) {
            let glossary = line.contains("glossary");
            assert!(glossary || !named_in(&table, line).is_empty(), "{file}: no article: {line}");
        }
    }
}

#[test]
fn an_article_is_found_in_code_in_a_comment_and_above_an_item() {
    let sources = sources(&root().join("src"));
    let table = Table::read(&sources);
    let found = |source: &str| -> Vec<(String, String)> {
        let found = applied_in(&table, source).into_iter();
        found.map(|(n, item)| (table.rows[n].number.clone(), item)).collect()
    };
    let pair = |number: &str, item: &str| (number.to_owned(), item.to_owned());
    assert_eq!(
        found(
            "/// Presses.\n///\n/// Source: FIDE 6.2.1.9\npub(super) const fn press() {\n    refuse(Article::D_2_4);\n"
        ),
        [pair("6.2.1", "press"), pair("D.2.4", "press")]
    );
    assert_eq!(
        found("fn rule() {\n    // The first of them (4.3.1 to 4.3.3).\n    (x, \"4.4.2\")\n}"),
        [
            pair("4.3.1", "rule"),
            pair("4.3.2", "rule"),
            pair("4.3.3", "rule"),
            pair("4.4.2", "rule")
        ]
    );
    assert_eq!(
        found("//! Settles boards (D.2.9).\n/// Waits 0.5 s, version (1.95).\nfn f() {}"),
        [pair("D.2.9", "")]
    );
    assert_eq!(found("#[cfg(test)]\nmod tests { use Article::D_2_4; }"), []);
}
