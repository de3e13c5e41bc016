//! The counts of instructions: how they are compared, and that the document says what the table
//! does.

use std::{fs, path::Path};

#[allow(dead_code)]
#[path = "../../benches/instructions/table.rs"]
mod table;

use table::{Counts, Verdict, compare};

fn counts(tools: &str, rows: &[(&str, u64)]) -> Counts {
    let rows = rows.iter().map(|(what, count)| ((*what).to_owned(), *count)).collect();
    Counts { tools: tools.to_owned(), rows }
}

fn text(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    fs::read_to_string(&path).unwrap_or_else(|err| panic!("{file}: {err}"))
}

#[test]
fn three_per_cent_more_instructions_than_the_table_says_fail() {
    let kept = counts("rustc 1", &[("a page rendered", 1000)]);
    let now = |count| compare(&kept, &counts("rustc 1", &[("a page rendered", count)]));
    assert_eq!(now(1030), Verdict::default());
    assert_eq!(now(970), Verdict::default());
    let worse = "a page rendered: 3.1 % more instructions, 1000 before, 1031 now";
    assert_eq!(now(1031), Verdict { lines: vec![worse.to_owned()], fails: true });
    let better = "a page rendered: 10.0 % fewer instructions, 1000 before, 900 now";
    assert_eq!(now(900), Verdict { lines: vec![better.to_owned()], fails: false });
}

#[test]
fn counts_of_other_tools_are_not_compared_and_it_is_said() {
    let kept = counts("rustc 1", &[("a page rendered", 1000)]);
    let verdict = compare(&kept, &counts("rustc 2", &[("a page rendered", 5000)]));
    let line = "not compared: the table was counted with rustc 1, this was with rustc 2";
    assert_eq!(verdict, Verdict { lines: vec![line.to_owned()], fails: false });
}

#[test]
fn a_path_that_the_table_lacks_or_nobody_counts_fails() {
    let kept = counts("rustc 1", &[("an old path", 1)]);
    let verdict = compare(&kept, &counts("rustc 1", &[("a new path", 1)]));
    assert!(verdict.fails);
    assert_eq!(
        verdict.lines,
        [
            "a new path: is not in the table",
            "an old path: is in the table and not counted any more"
        ]
    );
}

#[test]
fn a_table_that_cannot_be_read_names_the_line() {
    let read = |line: &str| table::read(&format!("architecture\twhat\tinstructions\n{line}\n"));
    assert_eq!(read("x86_64 a page"), Err("line 2: not three fields divided by tabs".to_owned()));
    assert_eq!(
        read("x86_64\ta page\tmany"),
        Err("line 2: the third field is no number".to_owned())
    );
}

#[test]
fn the_times_in_the_document_follow_from_the_counts_in_the_table() {
    let kept = text("benches/instructions.tsv");
    let read = table::read(&kept).expect("a table");
    assert_eq!(table::write(&read), kept);
    assert!(read.contains_key("x86_64"), "nothing was counted on a PC");
    let document = text("docs/speed.md");
    let computed = table::with_times(&document, &read).expect("a marked place");
    assert!(document == computed, "docs/speed.md: make instructions ARGS=--write");
}
