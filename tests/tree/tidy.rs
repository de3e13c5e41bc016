//! The tree lints itself, where neither a manifest nor clippy does: the order of modules within a
//! crate, the length of lines and files, what texts point at. Which crate may use which stands in
//! the `Cargo.toml`s.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The modules of a crate in the order in which they may use one another: each only those before
/// it.
const ORDERS: [(&str, &[&str]); 3] = [
    ("words", &["text", "phrase", "speech_model"]),
    (
        "core",
        &[
            "outside",
            "laws",
            "notation",
            "sensing",
            "sight",
            "reconcile",
            "game",
            "enrol",
            "donate",
            "questionnaire",
            "lobby",
            "setup",
        ],
    ),
    ("program", &["config", "service", "cli", "hall"]),
];

const LONGEST_LINE: usize = 140;
/// Of a comment, which is prose. A row of a table is one line, however long.
const LONGEST_COMMENT: usize = 100;
const LONGEST_FILE: usize = 700;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below `dir`, in order, without what tools leave there.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> = fs::read_dir(dir)
        .unwrap_or_else(|err| panic!("{}: {err}", dir.display()))
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        let hidden = name.starts_with('.') && !matches!(name, ".ci" | ".config");
        let left_by_tools = matches!(name, "target" | "node_modules" | "corpus" | "artifacts");
        match path.is_dir() {
            true if hidden || left_by_tools => {}
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found
}

/// The text files of the tree below `dir` whose name ends in one of `ends`, by relative path.
fn texts(dir: &str, ends: &[&str]) -> Vec<(String, String)> {
    files(&root().join(dir))
        .into_iter()
        .filter(|path| ends.iter().any(|end| path.to_string_lossy().ends_with(end)))
        .filter_map(|path| {
            let name = path.strip_prefix(root()).ok()?.to_str()?.to_owned();
            Some((name, fs::read_to_string(&path).ok()?))
        })
        .collect()
}

/// The modules of its own crate that a source file names, each with its line: `crate::a`,
/// `crate::{a, b::c}`.
fn own_modules_in(source: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (n, _) in source.match_indices("crate::") {
        let line = source[..n].lines().count().max(1);
        let rest = &source[n + "crate::".len()..];
        let Some(group) = rest.strip_prefix('{') else {
            found.push((line, name_at(rest)));
            continue;
        };
        let (mut depth, mut wanted) = (0, true);
        for (m, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => wanted = true,
                c if wanted && is_ident(c) => {
                    found.push((line, name_at(&group[m..])));
                    wanted = false;
                }
                _ => {}
            }
        }
    }
    found
}

fn name_at(text: &str) -> &str {
    &text[..text.find(|c| !is_ident(c)).unwrap_or(text.len())]
}

fn is_ident(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What is wrong with one source file, each with its line.
fn faults_of(file: &str, source: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let place = |order: &[&str], name: &str| order.iter().position(|known| *known == name);
    for (folder, order) in ORDERS {
        let inner = file.strip_prefix("src/").and_then(|file| file.strip_prefix(folder));
        let Some(own) = inner.map(|inner| name_at(inner.trim_start_matches('/'))) else { continue };
        let own_place = place(order, own);
        if own_place.is_none() && !matches!(own, "lib" | "main" | "clippy" | "Cargo") {
            faults.push(format!("{file}: {own} has no place in ORDERS in tests/tree/tidy.rs"));
        }
        for (line, other) in own_modules_in(source) {
            if place(order, other) > own_place && own_place.is_some() {
                faults.push(format!("{file}:{line}: {own} uses {other}, which comes after it"));
            }
        }
    }
    for (n, line) in source.lines().enumerate() {
        let length = line.chars().count();
        if file.starts_with("src/") && length > LONGEST_LINE {
            faults.push(format!("{file}:{}: {length} characters in a line", n + 1));
        }
        let text = line.trim_start();
        let is_row = text.trim_start_matches(['/', '!', ' ']).starts_with('|');
        if text.starts_with("//") && !is_row && length > LONGEST_COMMENT {
            faults.push(format!("{file}:{}: {length} characters in a comment", n + 1));
        }
        if text.starts_with(concat!("#[", "ignore")) {
            faults.push(format!("{file}:{}: a test that is never run", n + 1));
        }
    }
    let lines = source.lines().count();
    if file.starts_with("src/") && lines > LONGEST_FILE {
        faults.push(format!("{file}: {lines} lines: probably two things"));
    }
    faults
}

fn none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn every_source_file_keeps_to_its_order_and_length() {
    let mut sources = texts("src", &[".rs"]);
    assert!(sources.len() > 10, "only {} source files found", sources.len());
    sources.extend(texts("tests", &[".rs"]));
    let faults: Vec<String> =
        sources.iter().flat_map(|(file, source)| faults_of(file, source)).collect();
    none(&faults);
}

/// In the game files are shorter than elsewhere, and so are functions: it is what is read most.
const LONGEST_OF_GAME: usize = 500;
const LONGEST_FUNCTION: usize = 60;

/// Functions with their first line, counted from 1, and how many lines they have.
fn functions_of(source: &str) -> Vec<(usize, &str, usize)> {
    let lines: Vec<&str> = source.lines().collect();
    let name =
        |line: &str| line.split("fn ").nth(1).is_some() && !line.trim_start().starts_with("//");
    let starts = (0..lines.len()).filter(|n| name(lines[*n]) && lines[*n].contains('('));
    starts
        .filter_map(|n| {
            let indent = lines[n].len() - lines[n].trim_start().len();
            let end = format!("{}}}", " ".repeat(indent));
            let length = lines[n..].iter().position(|line| *line == end)? + 1;
            Some((n + 1, lines[n].trim(), length))
        })
        .collect()
}

fn too_long(file: &str, source: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let lines = source.lines().count();
    if lines > LONGEST_OF_GAME {
        faults.push(format!("{file}: {lines} lines"));
    }
    let long = functions_of(source).into_iter().filter(|(_, _, lines)| *lines > LONGEST_FUNCTION);
    faults.extend(long.map(|(n, name, lines)| format!("{file}:{n}: {lines} lines: {name}")));
    faults
}

/// The same of a type's fields. `GameConfig` alone is a plain list of settings.
const MOST_FIELDS: usize = 10;

/// Types with more fields than that.
fn too_wide(file: &str, source: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut lines = source.lines().enumerate();
    while let Some((n, line)) = lines.next() {
        let name =
            line.split_once("struct ").filter(|_| line.ends_with('{') && !line.starts_with(' '));
        let Some((_, name)) = name else { continue };
        let body = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "}");
        let field = |line: &&str| {
            let line = line.trim_start();
            !line.starts_with(['/', '#']) && line.contains(": ")
        };
        let fields = body.filter(field).count();
        if fields > MOST_FIELDS && !name.starts_with("GameConfig") {
            faults.push(format!("{file}:{}: {fields} fields: {name}", n + 1));
        }
    }
    faults
}

#[test]
fn the_games_files_functions_and_types_are_small() {
    let mut sources = texts("src/core", &[".rs"]);
    sources.retain(|(file, _)| file == "src/core/game.rs" || file.starts_with("src/core/game/"));
    assert!(sources.len() > 40, "{}", sources.len());
    let faults = sources.iter().flat_map(|(file, source)| {
        [too_long(file, source), too_wide(file, source)].into_iter().flatten()
    });
    none(&faults.collect::<Vec<_>>());
}

#[test]
fn a_type_of_too_many_fields_is_found_by_its_first_line() {
    let fields: String =
        (0..=MOST_FIELDS).map(|n| format!("    /// Of: {n}.\n    f{n}: u8,\n")).collect();
    let source =
        format!("/// Wide.\npub struct Wide {{\n{fields}}}\n\nstruct Small {{\n    a: u8,\n}}\n");
    assert_eq!(too_wide("a.rs", &source), ["a.rs:2: 11 fields: Wide {"]);
}

#[test]
fn a_long_function_is_found_by_its_first_line() {
    let body = "        step();\n".repeat(LONGEST_FUNCTION);
    let source =
        format!("impl A {{\n    fn short() {{\n    }}\n\n    fn long() {{\n{body}    }}\n}}\n");
    let faults = too_long("a.rs", &source);
    assert_eq!(faults, [format!("a.rs:5: {} lines: fn long() {{", LONGEST_FUNCTION + 2)]);
}

/// What says on which machine the tree lies now: the first folder of its path or, where that is a
/// common one like `home`, the whole path.
fn own_place(manifest_dir: &str) -> &str {
    const COMMON: [&str; 17] = [
        "Users", "Volumes", "build", "builds", "data", "dev", "home", "media", "mnt", "opt",
        "private", "root", "run", "srv", "tmp", "usr", "var",
    ];
    let first = manifest_dir.trim_start_matches('/').split('/').next().unwrap_or("");
    if COMMON.contains(&first) { manifest_dir } else { &manifest_dir[..=first.len()] }
}

/// Whether the line names the folder itself or something in it, not a longer name.
fn names(line: &str, place: &str) -> bool {
    let part_of_name = |c: char| is_ident(c) || matches!(c, '-' | '.');
    line.match_indices(place).any(|(n, _)| {
        let longer_before = line[..n].ends_with(|c| part_of_name(c) || c == '/');
        let rest = &line[n + place.len()..];
        let inside = place.len() > 1 && (rest.starts_with('/') || place.matches('/').count() > 1);
        inside && !longer_before && !rest.starts_with(part_of_name)
    })
}

#[test]
fn no_file_says_where_it_was_written() {
    let ends = [".rs", ".md", ".toml", ".sh", ".yml", ".service", ".html", "Makefile", "run"];
    let place = own_place(env!("CARGO_MANIFEST_DIR"));
    let mut faults = Vec::new();
    for (file, text) in texts("", &ends) {
        for (n, line) in text.lines().enumerate() {
            if names(line, place) {
                faults.push(format!("{file}:{}: names a folder of this machine: {line}", n + 1));
            }
        }
    }
    none(&faults);
}

/// The relative targets of a Markdown text's links.
fn links_of(text: &str) -> Vec<&str> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', '#', ' ']).next())
        .filter(|link| !link.is_empty() && !link.contains("://") && !link.starts_with("mailto:"))
        .collect()
}

/// `make x` between back-ticks.
fn make_targets_of(text: &str) -> Vec<&str> {
    text.split("`make ")
        .skip(1)
        .filter_map(|rest| rest.split(['`', ' ', '\n']).next())
        .filter(|target| !target.is_empty() && !target.contains(['=', '…', '.']))
        .collect()
}

#[test]
fn what_the_texts_point_at_is_there() {
    let makefile = fs::read_to_string(root().join("Makefile")).expect("a Makefile");
    let mut faults = Vec::new();
    for (file, text) in texts("", &[".md"]) {
        let folder = root().join(&file).parent().expect("a folder").to_owned();
        for link in links_of(&text) {
            if !folder.join(link).exists() {
                faults.push(format!("{file}: link to {link}, which is not there"));
            }
        }
        for target in make_targets_of(&text) {
            if !makefile.lines().any(|line| line.starts_with(&format!("{target}:"))) {
                faults.push(format!("{file}: `make {target}`, which the Makefile does not have"));
            }
        }
    }
    none(&faults);
}

#[test]
fn what_comes_after_it_is_used_by_no_module() {
    let caught = |source: &str| faults_of("src/core/sensing/infer.rs", source);
    let after =
        |line| format!("src/core/sensing/infer.rs:{line}: sensing uses game, which comes after it");
    assert_eq!(caught("use crate::game::At;"), [after(1)]);
    assert_eq!(caught("use crate::{\n    laws::{self, Article},\n    game::At,\n};"), [after(1)]);
    assert_eq!(caught("fn f() {\n    crate::game::f()\n}"), [after(2)]);
    assert_eq!(caught("use crate::{laws::game, sensing::Edge, notation};"), [""; 0]);
    assert_eq!(faults_of("src/core/setup.rs", "use crate::{game::At, lobby};"), [""; 0]);
    assert_eq!(
        faults_of("src/core/engine.rs", ""),
        ["src/core/engine.rs: engine has no place in ORDERS in tests/tree/tidy.rs"]
    );
}

#[test]
fn tests_that_are_never_run_are_caught() {
    let test = format!("#[test]\n#[{}]\nfn f() {{}}", "ignore = \"slow\"");
    assert_eq!(faults_of("tests/x.rs", &test), ["tests/x.rs:2: a test that is never run"]);
}

#[test]
fn long_lines_and_long_files_are_caught() {
    let line = format!("x{}", "x".repeat(LONGEST_LINE));
    assert_eq!(
        faults_of("src/program/cli.rs", &line),
        ["src/program/cli.rs:1: 141 characters in a line"]
    );
    let comment = format!("    /// {}", "x".repeat(LONGEST_COMMENT));
    assert_eq!(faults_of("tests/x.rs", &comment), ["tests/x.rs:1: 108 characters in a comment"]);
    let row = format!("/// | {} |", "x".repeat(LONGEST_COMMENT));
    assert_eq!(faults_of("tests/x.rs", &row), [""; 0]);
    let file = "\n".repeat(LONGEST_FILE + 1);
    assert_eq!(
        faults_of("src/program/cli.rs", &file),
        ["src/program/cli.rs: 701 lines: probably two things"]
    );
}

#[test]
fn the_place_of_the_tree_is_known_by_its_first_folder_or_as_a_whole() {
    assert_eq!(own_place("/disk7/people/x"), "/disk7");
    assert_eq!(own_place("/home/anna/annabella"), "/home/anna/annabella");
    assert!(names("see /disk7/notes.md", "/disk7"));
    assert!(names("cd /home/anna/annabella && make", "/home/anna/annabella"));
    for harmless in ["tests/disk7/x", "a /disk70/x", "and/or /disk7", "https://x/disk7/y"] {
        assert!(!names(harmless, "/disk7"), "{harmless}");
    }
    assert!(!names("/home/anna/annabella.db", "/home/anna/annabella"));
}

#[test]
fn links_and_targets_are_found_in_markdown() {
    let text = "[a](x.md#top) [b](https://example.org/) `make demo`, `make demo ARGS=1` [c](d/e)";
    assert_eq!(links_of(text), ["x.md", "d/e"]);
    assert_eq!(make_targets_of(text), ["demo", "demo"]);
}
