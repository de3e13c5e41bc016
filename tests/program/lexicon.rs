//! Words for the speech model without training it: what the German pack can hear, the organiser's
//! own words, and a model folder that is never half written.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use annabella_words::{
    phrase::Pack,
    speech_model::{
        Lexicon, Phones, Pronunciations, UNKNOWN,
        fst::{Fst, LookAhead},
        german,
    },
};
use tempfile::TempDir;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|err| panic!("{}: {err}", path.display()))
}

fn bytes(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|err| panic!("{}: {err}", path.display()))
}

fn lexicon_of(graph: &Path) -> Lexicon {
    let [phones, words] = ["phones.txt", "words.txt"].map(|name| text(&graph.join(name)));
    Lexicon::read(&phones, &words, &bytes(&graph.join("HCLr.fst"))).expect("a lexicon")
}

/// A graph with the 61 words that the network was trained on; OpenFst's own tools wrote it.
fn trained() -> PathBuf {
    root().join("tests/data/lexicon")
}

fn built_in() -> Lexicon {
    lexicon_of(&root().join("voices/model/graph"))
}

fn phones() -> Phones {
    Phones::parse(&text(&root().join("voices/model/graph/phones.txt"))).expect("phones")
}

/// A model folder with the trained words' graph; the network is not looked at.
fn small_model(dir: &Path) -> PathBuf {
    let model = dir.join("model");
    for folder in ["am", "conf", "graph/phones"] {
        fs::create_dir_all(model.join(folder)).expect("a folder");
    }
    fs::write(model.join("am/final.mdl"), "network").expect("a file");
    fs::write(model.join("conf/model.conf"), "--beam=14.0\n").expect("a file");
    for name in ["HCLr.fst", "Gr.fst", "words.txt", "phones.txt", "disambig_tid.int"] {
        fs::copy(trained().join(name), model.join("graph").join(name)).expect("a copy");
    }
    let boundary = "graph/phones/word_boundary.int";
    fs::copy(trained().join("word_boundary.int"), model.join(boundary)).expect("a copy");
    model
}

/// Exit code, standard output, standard error.
fn words(args: &[&str], dir: &Path) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_annabella"))
        .arg("words")
        .args(args)
        .current_dir(dir)
        .output()
        .expect("annabella runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("a code"), text(output.stdout), text(output.stderr))
}

/// Every file below a folder with its bytes.
fn tree(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut todo = vec![dir.to_owned()];
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                todo.push(path);
            } else {
                let name = path.strip_prefix(dir).expect("below it").to_owned();
                found.push((name, bytes(&path)));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_word_of_the_german_pack_has_a_listed_pronunciation_in_the_models_phones() {
    let listed = Pronunciations::builtin("de", &phones()).expect("the list");
    let model = built_in();
    for word in Pack::builtin("de").expect("built in").vocabulary() {
        let sounds = listed.get(&word).unwrap_or_else(|| panic!("'{word}' is not listed"));
        let heard: Vec<_> =
            model.get(&word).expect("in the model").pronunciations().cloned().collect();
        assert_eq!(heard, sounds, "{word}");
    }
    for word in ["cesar", "hector", "zwo", "j'adoube", "türme", "dreiundvierzig", "lauter"] {
        assert!(model.get(word).is_some(), "{word}");
    }
    assert_eq!(model.words().next().map(|spoken| spoken.word()), Some("ab"));
    assert!(model.get(UNKNOWN).is_none(), "speech that is no word is no word");
}

#[test]
fn no_listed_word_needs_a_sound_that_the_network_never_learnt() {
    let trained = lexicon_of(&trained());
    let known: std::collections::BTreeSet<_> = trained
        .words()
        .flat_map(|spoken| spoken.pronunciations())
        .flat_map(|sound| sound.phones())
        .cloned()
        .collect();
    for spoken in built_in().words() {
        for sound in spoken.pronunciations() {
            for phone in sound.phones() {
                assert!(known.contains(phone), "'{}': {sound}", spoken.word());
            }
        }
    }
}

#[test]
fn the_words_that_were_trained_keep_their_pronunciations() {
    let model = built_in();
    for spoken in lexicon_of(&trained()).words() {
        assert_eq!(model.get(spoken.word()), Some(spoken));
    }
}

#[test]
fn the_rules_agree_with_the_list_on_most_words() {
    let listed = Pronunciations::builtin("de", &phones()).expect("the list");
    // Numbers are compounds, which the rules do not take apart.
    let plain: Vec<&str> =
        listed.words().filter(|word| !word.contains("und") && word.is_ascii()).collect();
    let wrong: Vec<&&str> = plain
        .iter()
        .filter(|word| {
            let ruled = german::pronunciation(word).expect("German letters");
            !listed.get(word).expect("listed").contains(&ruled)
        })
        .collect();
    assert!(wrong.len() * 4 <= plain.len(), "{} of {}: {wrong:?}", wrong.len(), plain.len());
}

#[test]
fn a_graph_that_openfst_wrote_is_written_again_to_the_byte() {
    let dir = trained();
    let (hclr, gr) = (bytes(&dir.join("HCLr.fst")), bytes(&dir.join("Gr.fst")));
    assert_eq!(LookAhead::read(&hclr).expect("a graph").write(), hclr);
    assert_eq!(Fst::read(&gr).expect("a graph").write(), gr);
    let files = lexicon_of(&dir).files();
    assert_eq!(files.hclr, hclr);
    assert_eq!(files.gr, gr);
    // It was made before the word that nobody hears.
    let words = text(&dir.join("words.txt"));
    assert_eq!(files.words, format!("{words}<never> {}\n", words.lines().count()));
    assert_eq!(files.phones, text(&dir.join("phones.txt")));
    assert_eq!(files.disambig_tid, text(&dir.join("disambig_tid.int")));
    assert_eq!(files.word_boundary, text(&dir.join("word_boundary.int")));
}

#[test]
fn a_damaged_graph_is_refused_and_nothing_panics() {
    let dir = trained();
    let [phones, words] = ["phones.txt", "words.txt"].map(|name| text(&dir.join(name)));
    let hclr = bytes(&dir.join("HCLr.fst"));
    for at in (0..hclr.len()).step_by(7) {
        assert!(Lexicon::read(&phones, &words, &hclr[..at]).is_err(), "cut at {at}");
        let mut wrong = hclr.clone();
        wrong[at] ^= 0x41;
        if let Ok(lexicon) = Lexicon::read(&phones, &words, &wrong) {
            assert_eq!(lexicon.words().count(), 61, "byte {at}");
        }
    }
    let shorter = words.replace("abgelehnt 62\n", "");
    let err = Lexicon::read(&phones, &shorter, &hclr).expect_err("a word too few");
    assert_eq!(
        err.to_string(),
        "HCLr.fst: word 62 is not in words.txt: words can be added to the built-in model only"
    );
}

#[test]
fn the_committed_model_is_what_words_build_makes() {
    let dir = TempDir::new().expect("a folder");
    let out = dir.path().join("built");
    let path = out.to_str().expect("UTF-8");
    let (code, said, err) = words(&["build", "--model", "voices/model", "--out", path], root());
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(said, format!("{path}: 432 words, 432 before\n"));
    assert_eq!(tree(&out.join("graph")), tree(&root().join("voices/model/graph")));

    // From the graph with the trained words alone it is the same.
    let small = small_model(dir.path());
    let (code, said, _) =
        words(&["build", "--model", small.to_str().expect("UTF-8"), "--out", path], dir.path());
    assert_eq!(code, 0);
    assert!(said.contains("'cesar': ts E: z a 6, ts E: z a: 6\n"), "{said}");
    assert!(said.ends_with(&format!("{path}: 432 words, 61 before\n")), "{said}");
    assert_eq!(tree(&out.join("graph")), tree(&root().join("voices/model/graph")));
    assert_eq!(bytes(&out.join("am/final.mdl")), b"network");
}

#[test]
fn a_word_is_added_once_and_its_other_sound_only_when_asked_for() {
    let dir = TempDir::new().expect("a folder");
    let model = small_model(dir.path());
    let add = |args: &[&str]| words(&[&["add", "--model", "model"], args].concat(), dir.path());
    assert_eq!(
        add(&["Kaffee", "k a f e:", "k a f e"]),
        (2, String::new(), unknown_phone("kaffee", "e"))
    );
    assert_eq!(
        add(&["Kaffee", "k a f e:"]),
        (0, "'kaffee': k a f e: (as given)\nmodel: 62 words\n".to_owned(), String::new())
    );
    let once = tree(&model);
    assert_eq!(
        add(&["kaffee", "k a f e:"]),
        (0, "'kaffee' is there already: k a f e:\n".to_owned(), String::new())
    );
    assert_eq!(
        add(&["kaffee", "k a f I"]),
        (
            2,
            String::new(),
            "annabella: 'kaffee' is there already as \"k a f e:\"; \
             add --replace to give it these instead\n"
                .to_owned()
        )
    );
    assert_eq!(tree(&model), once);
    let (code, said, _) = add(&["kaffee", "k a f I", "k a f e:", "--replace"]);
    assert_eq!(
        (code, said.as_str()),
        (0, "'kaffee': k a f I, k a f e: (as given)\nmodel: 62 words\n")
    );
    let (_, listed, _) = words(&["list", "--model", "model"], dir.path());
    assert!(listed.contains("turm: t U 6 m\n"), "{listed}");
    assert!(listed.ends_with("kaffee: k a f I, k a f e:\n"), "{listed}");
    let (_, listed, _) = words(&["list", "--model", "model", "--json"], dir.path());
    assert!(listed.contains("{\"word\":\"turm\",\"pronunciations\":[\"t U 6 m\"]}\n"), "{listed}");
    let left: Vec<_> = fs::read_dir(dir.path()).expect("a folder").collect();
    assert_eq!(left.len(), 1, "nothing but the model is left: {left:?}");
    assert_eq!(bytes(&model.join("am/final.mdl")), b"network");
}

fn unknown_phone(word: &str, phone: &str) -> String {
    let known: Vec<String> = phones().of_words().map(str::to_owned).collect();
    assert_eq!(known.len(), 41);
    format!(
        "annabella: '{word}': '{phone}' is none of the model's phones, use: {}\n",
        known.join(" ")
    )
}

#[test]
fn without_a_pronunciation_the_list_or_the_rules_say_how_a_word_sounds() {
    let dir = TempDir::new().expect("a folder");
    small_model(dir.path());
    let add = |word: &str| words(&["add", word, "--model", "model", "--out", "own"], dir.path()).1;
    assert_eq!(add("Türme"), "'türme': t Y 6 m @ (from the list)\nown: 62 words\n");
    assert_eq!(
        add("Pause"),
        "'pause': p aU z @ (by the rules of German spelling; listen whether they are right)\n\
         own: 62 words\n"
    );
}

#[test]
fn what_cannot_be_done_is_one_line_with_its_remedy_and_changes_nothing() {
    let dir = TempDir::new().expect("a folder");
    small_model(dir.path());
    fs::create_dir(dir.path().join("letters")).expect("a folder");
    fs::create_dir(dir.path().join("lost.before")).expect("a folder");
    let before = tree(dir.path());
    for (args, line) in [
        (
            vec!["add", "turm", "t", "U", "6", "m", "--model", "model"],
            "'turm': put the phones of one pronunciation in quotes: \"t U 6 m\"",
        ),
        (
            vec!["add", "ферзь", "--model", "model"],
            "'ферзь': the rules of German spelling do not know 'ф', give a pronunciation",
        ),
        (
            vec!["add", "zwei Worte", "a n a", "--model", "model"],
            "'zwei worte' is not one word: give a word of letters, nothing else",
        ),
        (
            vec!["add", "turm", " ", "--model", "model"],
            "'turm': a pronunciation needs at least one phone, like \"t U 6 m\"",
        ),
        (
            vec!["list", "--model", "nowhere"],
            "no model at nowhere: give the folder of the built-in model with --model",
        ),
        (vec!["list", "--model", "lost"], "no model at lost: rename lost.before back to it"),
        (
            vec!["add", "pause", "--model", "model", "--out", "letters"],
            "letters is there and no speech model: name a new folder",
        ),
        (
            vec!["build", "--pack", "pl", "--model", "model", "--out", "polish"],
            "no pronunciations for the pack 'pl': the built-in model hears de only",
        ),
    ] {
        let (code, said, err) = words(&args, dir.path());
        assert_eq!((code, err.as_str()), (2, format!("annabella: {line}\n").as_str()), "{args:?}");
        // What is read before the folder is refused may have been said.
        assert!(said.is_empty() || args.contains(&"letters"), "{args:?}: {said}");
    }
    assert_eq!(tree(dir.path()), before);
}
