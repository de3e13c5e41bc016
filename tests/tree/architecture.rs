//! `docs/architecture.md` names the functions on the way of a peg event and of a spoken word. They
//! exist, where the page says, and there are at most ten on each way.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// More than this, and nobody keeps the way in mind.
const MOST_HOPS: usize = 10;

/// A row of a table of hops.
#[derive(Debug, PartialEq, Eq)]
struct Hop {
    number: usize,
    file: String,
    function: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap_or_else(|err| panic!("{}: {err}", dir.display()));
    entries
        .map(|entry| entry.expect("an entry").path())
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .collect()
}

/// The rows of the table between `<!-- hops: NAME -->` and `<!-- end -->`.
fn hops(page: &str, name: &str) -> Vec<Hop> {
    let (_, rest) = page.split_once(&format!("<!-- hops: {name} -->\n")).expect("the table");
    let (table, _) = rest.split_once("<!-- end -->").expect("its end");
    let rows = table.lines().skip(2).map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let ["", number, file, function, what, ""] = cells.as_slice() else {
            panic!("no row of a table of hops: {line}")
        };
        assert!(!what.is_empty(), "nothing said about it: {line}");
        Hop {
            number: number.parse().expect("a number"),
            file: file.trim_matches('`').to_owned(),
            function: function.trim_matches('`').to_owned(),
        }
    });
    rows.collect()
}

/// What is wrong with one hop, if anything is.
fn fault(hop: &Hop, sources: &[PathBuf]) -> Option<String> {
    let end = Path::new(&hop.file);
    let found: Vec<&PathBuf> = sources.iter().filter(|path| path.ends_with(end)).collect();
    let [path] = found.as_slice() else {
        return Some(format!("hop {}: {} files end in {}", hop.number, found.len(), hop.file));
    };
    let text = fs::read_to_string(path).expect("a text");
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let begins = |rest: &str| rest.starts_with(['(', '<']);
    let known = code.split(&format!("fn {}", hop.function)).skip(1).any(begins);
    (!known).then(|| format!("hop {}: no fn {} in {}", hop.number, hop.function, hop.file))
}

#[test]
fn every_hop_is_a_function_that_exists_and_no_way_has_more_than_ten() {
    let page = fs::read_to_string(root().join("docs/architecture.md")).expect("the page");
    let sources = sources(&root().join("src"));
    for name in ["peg", "word"] {
        let hops = hops(&page, name);
        let numbers: Vec<usize> = hops.iter().map(|hop| hop.number).collect();
        assert_eq!(numbers, (1..=hops.len()).collect::<Vec<_>>(), "{name}: not in order");
        assert!((5..=MOST_HOPS).contains(&hops.len()), "{name}: {} hops", hops.len());
        let faults: Vec<String> = hops.iter().filter_map(|hop| fault(hop, &sources)).collect();
        assert!(faults.is_empty(), "{name}:\n{}", faults.join("\n"));
    }
}

#[test]
fn the_peg_event_begins_at_the_reeds_and_ends_at_the_loudspeaker() {
    let page = fs::read_to_string(root().join("docs/architecture.md")).expect("the page");
    let hops = hops(&page, "peg");
    let ends = [hops.first(), hops.last()].map(|hop| hop.map(|hop| hop.file.as_str()));
    assert_eq!(ends, [Some("board/scan.rs"), Some("voice/speaker.rs")]);
}

#[test]
fn a_function_that_is_gone_or_elsewhere_is_named() {
    let sources = sources(&root().join("src"));
    let hop = |file: &str, function: &str| Hop {
        number: 7,
        file: file.into(),
        function: function.into(),
    };
    assert_eq!(fault(&hop("board/scan.rs", "run"), &sources), None);
    assert_eq!(
        fault(&hop("board/scan.rs", "ru"), &sources).as_deref(),
        Some("hop 7: no fn ru in board/scan.rs")
    );
    assert_eq!(
        fault(&hop("board/scanner.rs", "run"), &sources).as_deref(),
        Some("hop 7: 0 files end in board/scanner.rs")
    );
}

/// Every crate of the workspace with its folder, as its manifest names it.
fn crates() -> Vec<(String, String)> {
    let name = |manifest: &str| {
        let text = fs::read_to_string(root().join(manifest)).expect("a manifest");
        let line = text.lines().find(|line| line.starts_with("name = ")).map(str::to_owned);
        line.expect("a name").trim_start_matches("name = ").trim_matches('"').to_owned()
    };
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
    let (_, members) = manifest.split_once("members = [").expect("the members");
    let (members, _) = members.split_once(']').expect("their end");
    let members = members.split('"').skip(1).step_by(2);
    let mut crates: Vec<(String, String)> =
        members.map(|folder| (name(&format!("{folder}/Cargo.toml")), folder.to_owned())).collect();
    // The program's manifest is the workspace's own.
    crates.push((name("Cargo.toml"), "src/program".to_owned()));
    // A folder below `src` that is no crate would have no floor.
    for entry in fs::read_dir(root().join("src")).expect("src") {
        let folder = entry.expect("an entry").path();
        let known = crates.iter().any(|(_, known)| root().join(known) == folder);
        // One that Git left behind is empty.
        assert!(known || sources(&folder).is_empty(), "{} is no crate", folder.display());
    }
    crates.sort();
    crates
}

#[test]
fn the_floors_are_the_crates_of_the_workspace() {
    let page = fs::read_to_string(root().join("docs/architecture.md")).expect("the page");
    let (_, rest) = page.split_once("## Floors").expect("the floors");
    let (floors, _) = rest.split_once("\n## ").expect("their end");
    let mut rows: Vec<(String, String)> = floors
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .filter_map(|row| {
            let mut names = row.split('`').step_by(2);
            Some((names.next()?.to_owned(), names.next()?.to_owned()))
        })
        .collect();
    rows.sort();
    assert_eq!(rows, crates());
}

/// What stands between back-ticks.
fn quoted(page: &str) -> impl Iterator<Item = &str> {
    page.split('`').skip(1).step_by(2)
}

#[test]
fn every_source_file_that_the_documents_name_exists() {
    let sources = sources(&root().join("src"));
    for file in ["CONTRIBUTING.md", "docs/architecture.md"] {
        let page = fs::read_to_string(root().join(file)).expect("the page");
        let named: Vec<&str> =
            quoted(&page).filter(|path| path.ends_with(".rs") && !path.contains("NAME")).collect();
        assert!(named.len() >= 10, "{file} names only {} files", named.len());
        for name in named {
            let found =
                root().join(name).exists() || sources.iter().any(|path| path.ends_with(name));
            assert!(found, "{file}: no file {name}");
        }
    }
}
