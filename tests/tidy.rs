//! The tree lints itself: who may import whom, what the pure floors may not know, what must not be
//! left lying about.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Every module with its floor, and within floors 0 and 1 in the order in which they may import one
/// another. A path of two names overrules its first name.
const FLOORS: [(&str, u8); 30] = [
    ("text", 0),
    ("threads", 0),
    ("laws", 0),
    ("notation", 0),
    ("sensing", 0),
    ("sight", 0),
    ("phrase", 0),
    ("speech_model", 0),
    ("dgt::codec", 0),
    ("dgt::session", 0),
    ("reconcile", 1),
    ("game", 1),
    ("enrol", 1),
    ("lobby", 1),
    ("setup", 1),
    ("journal", 2),
    ("seal", 2),
    ("dgt::wire", 2),
    ("dgt", 2),
    ("board", 3),
    ("clock", 3),
    ("sighted", 3),
    ("voice", 3),
    ("console", 3),
    ("hall", 3),
    ("simulator", 3),
    ("cli", 4),
    ("service", 4),
    ("config", 4),
    ("main", 4),
];

/// The highest floor on which time, files and threads are unknown.
const HIGHEST_PURE: u8 = 1;

/// What the pure floors may not name. Hash maps are out altogether: their order is not the same
/// from run to run, and a game must be.
const IMPURE: [&str; 14] = [
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "std::time::SystemTime",
    "std::collections::HashMap",
    "std::collections::HashSet",
    "tokio",
    "rusqlite",
    "cpal",
    "tts",
];

const LONGEST_LINE: usize = 140;
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

/// The code with comments, strings and characters blanked out; every line stays where it was.
fn code_of(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let (mut code, mut n) = (String::with_capacity(source.len()), 0);
    let at = |n: usize| chars.get(n).copied().unwrap_or('\0');
    while n < chars.len() {
        let end = match (at(n), at(n + 1)) {
            ('/', '/') => (n..chars.len()).find(|&m| at(m) == '\n').unwrap_or(chars.len()),
            ('/', '*') => {
                let (mut depth, mut m) = (1, n + 2);
                while depth > 0 && m < chars.len() {
                    match (at(m), at(m + 1)) {
                        ('/', '*') => (depth, m) = (depth + 1, m + 2),
                        ('*', '/') => (depth, m) = (depth - 1, m + 2),
                        _ => m += 1,
                    }
                }
                m
            }
            ('r', '"' | '#') if n == 0 || !is_ident(at(n - 1)) => raw_string_end(&chars, n),
            ('"', _) => quoted_end(&chars, n),
            // A lifetime has no closing quote where a character has one.
            ('\'', '\\') => quoted_end(&chars, n),
            ('\'', _) if at(n + 2) == '\'' => n + 3,
            _ => n,
        };
        if end == n {
            code.push(at(n));
            n += 1;
        } else {
            code.extend((n..end.min(chars.len())).map(|m| if at(m) == '\n' { '\n' } else { ' ' }));
            n = end;
        }
    }
    code
}

fn quoted_end(chars: &[char], start: usize) -> usize {
    let mut n = start + 1;
    while n < chars.len() && chars[n] != chars[start] {
        n += if chars[n] == '\\' { 2 } else { 1 };
    }
    n + 1
}

/// The end of `r#"…"#`; `start` itself where it is a raw identifier or nothing of the kind.
fn raw_string_end(chars: &[char], start: usize) -> usize {
    let hashes = chars[start + 1..].iter().take_while(|&&c| c == '#').count();
    let open = start + 1 + hashes;
    if chars.get(open) != Some(&'"') {
        return start;
    }
    let close: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
    (open + 1..chars.len())
        .find(|&n| chars[n..].starts_with(&close))
        .map_or(chars.len(), |n| n + close.len())
}

fn is_ident(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Every path that the code names with at least one `::`, `use` trees written out, with its line.
fn paths_of(code: &str) -> Vec<(usize, Vec<String>)> {
    let tokens = tokens_of(code);
    let (mut found, mut n) = (Vec::new(), 0);
    while n < tokens.len() {
        let starts = is_name(&tokens[n].1) && (n == 0 || tokens[n - 1].1 != "::");
        if starts && tokens.get(n + 1).is_some_and(|(_, token)| token == "::") {
            n = read_tree(&tokens, n, &[], &mut found);
        } else if tokens[n].1 == "use" && tokens.get(n + 1).is_some_and(|(_, t)| is_name(t)) {
            n = read_tree(&tokens, n + 1, &[], &mut found);
        } else {
            n += 1;
        }
    }
    found
}

fn is_name(token: &str) -> bool {
    token.starts_with(is_ident)
}

fn tokens_of(code: &str) -> Vec<(usize, String)> {
    let mut tokens: Vec<(usize, String)> = Vec::new();
    for (n, line) in code.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let len = if is_ident(first) {
                rest.find(|c| !is_ident(c)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            tokens.push((n + 1, rest[..len].to_owned()));
            rest = rest[len..].trim_start();
        }
    }
    tokens
}

/// Reads `a::b`, `a::{b, c::d}` or `a::*` from token `n`; returns the token after it.
fn read_tree(
    tokens: &[(usize, String)],
    mut n: usize,
    prefix: &[String],
    found: &mut Vec<(usize, Vec<String>)>,
) -> usize {
    let mut path = prefix.to_vec();
    let mut line = 0;
    while let Some((at, token)) = tokens.get(n) {
        line = *at;
        if token == "{" && path.len() > prefix.len() {
            n += 1;
            while tokens.get(n).is_some_and(|(_, token)| token != "}") {
                let next = read_tree(tokens, n, &path, found);
                n = next.max(n + 1);
            }
            return n + 1;
        }
        if !is_name(token) {
            break;
        }
        path.push(token.clone());
        n += 1;
        if tokens.get(n).is_none_or(|(_, token)| token != "::") {
            break;
        }
        n += 1;
    }
    if path.len() > prefix.len() {
        found.push((line, path));
    }
    n
}

/// `src/game/clock.rs` → `["game", "clock"]`; the crate's root is `[]`.
fn module_of(file: &str) -> Vec<String> {
    let inner = file.strip_prefix("src/").unwrap_or(file);
    let inner = inner.strip_suffix(".rs").unwrap_or(inner);
    let names: Vec<String> = inner.split('/').map(str::to_owned).collect();
    if names == ["lib"] { Vec::new() } else { names }
}

/// Place in [`FLOORS`] and floor of a module.
fn floor_of(module: &[String]) -> Option<(usize, u8)> {
    let find = |name: &str| FLOORS.iter().position(|&(known, _)| known == name);
    let place = match module {
        [] => None,
        [one] => find(one),
        [one, two, ..] => find(&format!("{one}::{two}")).or_else(|| find(one)),
    };
    place.map(|place| (place, FLOORS[place].1))
}

/// The path from the crate's root that a path in `module` means; `None` for other crates.
fn resolve(module: &[String], path: &[String]) -> Option<Vec<String>> {
    match path.first()?.as_str() {
        "crate" | "annabella" => Some(path[1..].to_vec()),
        "self" | "super" => {
            let up = path.iter().take_while(|name| *name == "super").count();
            let kept = module.len().checked_sub(up)?;
            let down = &path[up.max(1)..];
            Some(module[..kept].iter().chain(down).cloned().collect())
        }
        _ => None,
    }
}

/// Whether `module` may import `other`, both from the crate's root.
fn may_import(module: &[String], other: &[String]) -> Result<(), String> {
    let (Some(top), Some(other_top)) = (module.first(), other.first()) else {
        return Ok(());
    };
    if other.len() > 1 && floor_of(module).is_none() {
        return Err(format!("module {top} has no floor: add it to FLOORS"));
    }
    let (Some((place, floor)), Some((other_place, other_floor))) =
        (floor_of(module), floor_of(other))
    else {
        // An item of the crate's root, or a module that its own file reports.
        return Ok(());
    };
    let twin = top == "simulator" && other.get(1).is_some_and(|name| name == "sim");
    let allowed = place == other_place
        || other_floor < floor
        || (floor <= HIGHEST_PURE && other_floor == floor && other_place < place)
        || floor == 4
        || (twin && other_floor == 3);
    if allowed {
        Ok(())
    } else {
        Err(format!("{top} (floor {floor}) imports {other_top} (floor {other_floor})"))
    }
}

/// What is wrong with one source file, each with its line.
fn faults_of(file: &str, source: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let code = code_of(source);
    // Unit tests may read files; imports are looked at in them too.
    let tests_from = code
        .lines()
        .position(|line| line.trim() == "#[cfg(test)]")
        .map_or(usize::MAX, |line| line + 1);
    let module = module_of(file);
    let in_src = file.starts_with("src/");
    let pure = in_src && floor_of(&module).is_some_and(|(_, floor)| floor <= HIGHEST_PURE);
    if in_src && !module.is_empty() && floor_of(&module).is_none() {
        faults.push(format!("{file}: has no floor: add it to FLOORS in tests/tidy.rs"));
    }
    for (line, path) in paths_of(&code) {
        let in_tests = line > tests_from;
        let mut here = module.clone();
        if in_tests {
            here.push("tests".to_owned());
        }
        let meant = in_src.then(|| resolve(&here, &path)).flatten();
        if let Some(Err(why)) = meant.map(|other| may_import(&module, &other)) {
            faults.push(format!("{file}:{line}: {why}"));
        }
        let full = path.join("::");
        let named = |impure: &&&str| full == **impure || full.starts_with(&format!("{impure}::"));
        if let Some(impure) = IMPURE.iter().find(named).filter(|_| pure && !in_tests) {
            faults.push(format!("{file}:{line}: {impure} on a pure floor"));
        }
    }
    for (n, line) in code.lines().enumerate() {
        let packed: String = line.split_whitespace().collect();
        for unfinished in ["todo!", "unimplemented!", "#[ignore", "dbg!("] {
            if packed.contains(unfinished) {
                faults.push(format!("{file}:{}: {unfinished} is left", n + 1));
            }
        }
    }
    for (n, line) in source.lines().enumerate() {
        let length = line.chars().count();
        if in_src && length > LONGEST_LINE {
            faults.push(format!("{file}:{}: {length} characters in a line", n + 1));
        }
    }
    let lines = source.lines().count();
    if in_src && lines > LONGEST_FILE {
        faults.push(format!("{file}: {lines} lines: probably two things"));
    }
    faults
}

fn none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn every_source_file_keeps_to_its_floor_and_is_finished() {
    let mut sources = texts("src", &[".rs"]);
    assert!(sources.len() > 10, "only {} source files found", sources.len());
    sources.extend(texts("tests", &[".rs"]));
    let faults: Vec<String> =
        sources.iter().flat_map(|(file, source)| faults_of(file, source)).collect();
    none(&faults);
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
fn an_upward_import_is_caught() {
    let caught = |source: &str| faults_of("src/sensing/infer.rs", source);
    assert_eq!(
        caught("use crate::game::Input;"),
        ["src/sensing/infer.rs:1: sensing (floor 0) imports game (floor 1)"]
    );
    assert_eq!(
        caught("use crate::{\n    laws::Article,\n    voice::{Speaker, sim::Twin},\n};"),
        [
            "src/sensing/infer.rs:3: sensing (floor 0) imports voice (floor 3)",
            "src/sensing/infer.rs:3: sensing (floor 0) imports voice (floor 3)",
        ]
    );
    assert_eq!(
        caught("fn f() { super::super::service::run() }"),
        ["src/sensing/infer.rs:1: sensing (floor 0) imports service (floor 4)"]
    );
    assert_eq!(
        caught("use crate::phrase::Part;"),
        ["src/sensing/infer.rs:1: sensing (floor 0) imports phrase (floor 0)"]
    );
    assert_eq!(
        caught("use crate::{laws, text};\nuse super::Edge;\nuse self::diff::Diff;"),
        [""; 0]
    );
    // A doc link and a string are no imports.
    assert_eq!(
        caught("/// See [`crate::game::Game`].\nconst S: &str = \"crate::game::x\";"),
        [""; 0]
    );
}

#[test]
fn an_upward_import_in_a_unit_test_is_caught() {
    let source =
        "use super::Edge;\n#[cfg(test)]\nmod tests {\n    use super::super::super::game;\n}";
    assert_eq!(
        faults_of("src/sensing/infer.rs", source),
        ["src/sensing/infer.rs:4: sensing (floor 0) imports game (floor 1)"]
    );
}

#[test]
fn devices_do_not_know_one_another() {
    assert_eq!(
        faults_of("src/voice/speaker.rs", "use crate::board::sim::Board;"),
        ["src/voice/speaker.rs:1: voice (floor 3) imports board (floor 3)"]
    );
    assert_eq!(
        faults_of("src/simulator.rs", "use crate::board::expander::Chip;"),
        ["src/simulator.rs:1: simulator (floor 3) imports board (floor 3)"]
    );
    let twins = "use crate::board::sim::Board;\nuse crate::game::Input;\nuse crate::journal::Row;";
    assert_eq!(faults_of("src/simulator/demo.rs", twins), [""; 0]);
    assert_eq!(faults_of("src/service.rs", "use crate::{board, voice, cli};"), [""; 0]);
}

#[test]
fn a_serial_codec_is_pure_and_its_wire_is_not() {
    assert_eq!(
        faults_of("src/dgt/codec.rs", "use crate::dgt::wire::Port;\nuse std::io::Read;"),
        [
            "src/dgt/codec.rs:1: dgt (floor 0) imports dgt (floor 2)",
            "src/dgt/codec.rs:2: std::io on a pure floor",
        ]
    );
    assert_eq!(faults_of("src/dgt/wire.rs", "use crate::dgt::codec;\nuse std::io::Read;"), [""; 0]);
}

#[test]
fn time_files_and_hash_maps_on_a_pure_floor_are_caught() {
    let source = "use std::{collections::{BTreeMap, HashMap}, time::{Duration, Instant}};\n\
                  fn f() { std::fs::read(\"x\"); tokio::spawn(g()); }\n\
                  // std::net is named in a comment only\n\
                  #[cfg(test)]\nmod tests { use std::fs; }";
    assert_eq!(
        faults_of("src/game/clock.rs", source),
        [
            "src/game/clock.rs:1: std::collections::HashMap on a pure floor",
            "src/game/clock.rs:1: std::time::Instant on a pure floor",
            "src/game/clock.rs:2: std::fs on a pure floor",
            "src/game/clock.rs:2: tokio on a pure floor",
        ]
    );
    assert_eq!(faults_of("src/journal.rs", "use std::{fs, collections::HashMap};"), [""; 0]);
}

#[test]
fn a_module_without_a_floor_is_caught() {
    assert_eq!(
        faults_of("src/engine.rs", ""),
        ["src/engine.rs: has no floor: add it to FLOORS in tests/tidy.rs"]
    );
}

#[test]
fn unfinished_code_is_caught() {
    let mark = |word: &str| format!("fn f() {{ {word} }}");
    for word in ["todo!()", "unimplemented!(\"later\")", "dbg!(1);"] {
        assert_eq!(faults_of("src/cli.rs", &mark(word)).len(), 1, "{word}");
    }
    let test = format!("#[test]\n#[{}]\nfn f() {{}}", "ignore = \"slow\"");
    assert_eq!(faults_of("tests/x.rs", &test), ["tests/x.rs:2: #[ignore is left"]);
    // In a string or a comment it is no code.
    assert_eq!(
        faults_of("src/cli.rs", "// no todo!() here\nconst S: &str = \"todo!()\";"),
        [""; 0]
    );
}

#[test]
fn long_lines_and_long_files_are_caught() {
    let line = format!("// {}", "x".repeat(LONGEST_LINE));
    assert_eq!(faults_of("src/cli.rs", &line), ["src/cli.rs:1: 143 characters in a line"]);
    let file = "\n".repeat(LONGEST_FILE + 1);
    assert_eq!(faults_of("src/cli.rs", &file), ["src/cli.rs: 701 lines: probably two things"]);
}

#[test]
fn strings_characters_and_comments_are_no_code() {
    let code = |source: &str| code_of(source).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(code("a /* b /* c */ d */ e // f\ng"), "a e g");
    assert_eq!(code(r#"a "b \" c" d"#), "a d");
    assert_eq!(code("a r#\"b \" c\"# d r#type"), "a d r#type");
    assert_eq!(code("f('\"', '\\'', x) 'a: &'a str"), "f( , , x) 'a: &'a str");
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
