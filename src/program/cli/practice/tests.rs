//! What a person hears at practice, exactly, with a simulated recogniser.

use std::{cell::RefCell, collections::BTreeSet, rc::Rc, sync::Arc};

use clap::ValueEnum as _;

use super::{
    exercise::Meant,
    judge::Steer,
    place::{Place, PlaceEvent},
    *,
};
use crate::cli::tell::read::{Told, teller};
use annabella_threads::lock;
use annabella_words::phrase::hear::{Grammar, Heard, Hypothesis, Thresholds};

/// A person, and a recogniser that hears what the person says if the grammar has it.
struct Scripted<F> {
    told: Told,
    grammar: Rc<RefCell<Vec<String>>>,
    deaf: bool,
    /// What is done after the last thing that was told.
    does: F,
    /// Words that the model does not know.
    strange: BTreeSet<&'static str>,
}

impl<F: FnMut(&str) -> PlaceEvent> Place for Scripted<F> {
    fn is_deaf(&self) -> bool {
        self.deaf
    }

    fn hears(&self, text: &str) -> bool {
        text.split(' ').all(|word| !self.strange.contains(word))
    }

    fn listen_for(&self, grammar: Grammar) {
        *self.grammar.borrow_mut() = grammar.phrases;
    }

    fn next(&mut self, _: &Teller<'_>) -> PlaceEvent {
        let told = lock(&self.told).back().cloned().unwrap_or_default();
        let event = (self.does)(&told);
        if let PlaceEvent::Heard(heard) = &event
            && let Some(text) = heard.best().filter(|text| !text.contains('['))
        {
            let grammar = self.grammar.borrow();
            assert!(grammar.iter().any(|phrase| phrase == text), "'{text}' is not listened for");
        }
        event
    }
}

fn says(text: &str) -> PlaceEvent {
    PlaceEvent::Heard(Heard::ranked(vec![Hypothesis::new(text.to_lowercase(), 0.97)]))
}

/// As it was told, without the words before it.
fn repeats(told: &str) -> PlaceEvent {
    let (_, words) = told.split_once(": ").expect("words to say");
    says(words.replace(',', "").trim_end_matches(['.', '?', ' ']).trim_start_matches('¿'))
}

/// Everything that is told to somebody who does that.
fn practised(
    languages: (&str, &str),
    units: &[Unit],
    before: &[&str],
    json: bool,
    does: impl FnMut(&str) -> PlaceEvent + 'static,
) -> (Vec<String>, Practice) {
    let words = Words::builtin(languages.0, languages.1).expect("built in");
    let told = Told::default();
    let place = Scripted {
        told: Arc::clone(&told),
        grammar: Rc::default(),
        deaf: false,
        does,
        strange: BTreeSet::new(),
    };
    practised_at(words, Box::new(place), told, units, before, json)
}

fn practised_at(
    words: Words,
    place: Box<dyn Place>,
    told: Told,
    units: &[Unit],
    before: &[&str],
    json: bool,
) -> (Vec<String>, Practice) {
    let mut out = Vec::new();
    let mut teller = Teller { json, ..teller(&mut out, &told) };
    let judge = Judge::new(&words, Ear::new(&words), Thresholds::default());
    let mut practice = Practice {
        words,
        judge,
        place,
        positions: recordings::positions().expect("built-in games"),
        turn: 0,
        before: before.iter().map(|word| (*word).to_owned()).collect(),
        typing: false,
        heard: false,
        all: Tally::default(),
    };
    practice.run(units, &mut teller).expect("told");
    let lines = String::from_utf8(out).expect("text").lines().map(str::to_owned).collect();
    (lines, practice)
}

#[test]
fn what_is_heard_instead_is_told_and_the_same_asked_once_more() {
    let mut answers =
        ["anna", "anna", "bella", "[unk]", "eins", "david", "wiederhole", "eva"].iter();
    let does = move |told: &str| match answers.next() {
        Some(text) => says(text),
        None => repeats(told),
    };
    let (lines, practice) = practised(("fide", "de"), &[Unit::Files], &[], false, does);
    assert_eq!(
        lines,
        [
            "Ich sage dir Worte vor, und du sprichst sie nach. „Wiederhole“ sagt sie noch einmal, „abbrechen“ hört auf.",
            "Sag: Anna.",
            "Richtig.",
            "Sag: Bella.",
            "Ich habe verstanden: Anna.",
            "Noch einmal: Bella.",
            "Richtig.",
            "Sag: Cesar.",
            "Bitte?",
            "Noch einmal: Cesar.",
            "Ich habe verstanden: eins.",
            "Weiter.",
            "Sag: David.",
            "Richtig.",
            "Sag: Eva.",
            "Sag: Eva.",
            "Richtig.",
            "Sag: Felix.",
            "Richtig.",
            "Sag: Gustav.",
            "Richtig.",
            "Sag: Hector.",
            "Richtig.",
            "Von acht beim ersten Mal verstanden: sechs.",
            "Am häufigsten verfehlt: Cesar, Bella.",
        ]
    );
    assert_eq!(missed::tomorrow(&practice.before, &practice.all), ["Cesar", "Bella"]);
}

#[test]
fn another_move_is_named_and_a_doubtful_one_called_so() {
    let mut n = 0;
    let mut first = String::new();
    let does = move |told: &str| {
        n += 1;
        match n {
            1 => {
                first = told.to_owned();
                says("kurze rochade")
            }
            2 => {
                let (_, said) = first.split_once(": ").expect("words");
                let said = said.to_lowercase().replace([',', '.'], "");
                let heard = [Hypothesis::new(said, 0.6)];
                PlaceEvent::Heard(Heard::ranked(heard.into()))
            }
            _ => says("abbrechen"),
        }
    };
    let (lines, _) = practised(("fide", "de"), &[Unit::Castling], &[], false, does);
    assert_eq!(
        lines[1..],
        [
            "Sag: Lange Rochade.",
            "Ich habe verstanden: Kurze Rochade.",
            "Noch einmal: Lange Rochade.",
            "Beinahe. Am Brett würde ich nachfragen.",
            "Weiter.",
            "Sag: Kurze Rochade.",
            "Von eins beim ersten Mal verstanden: null.",
            "Am häufigsten verfehlt: Lange.",
        ]
    );
}

#[test]
fn a_unit_is_chosen_by_its_number_one_after_the_other() {
    let does = |told: &str| match told {
        told if told.starts_with("Was willst du üben?") => says("acht"),
        told if told.starts_with("Was noch?") => says("abbrechen"),
        told => repeats(told),
    };
    let (lines, _) = practised(("fide", "de"), &[], &[], false, does);
    assert_eq!(
        lines[1..],
        [
            "Was willst du üben? Eins: Linien. Zwei: Reihen. Drei: Figuren. Vier: Rochade. Fünf: Umwandlung. \
             Sechs: ganze Züge. Sieben: Fragen und Bitten. Acht: Antworten. Sag eine Zahl, oder „ja“ für alles.",
            "Sag: Ja.",
            "Richtig.",
            "Sag: Nein.",
            "Richtig.",
            "Sag: Stopp.",
            "Richtig.",
            "Sag: Wiederhole.",
            "Richtig.",
            "Sag: Abbrechen.",
            "Richtig.",
            "Sag: Korrektur.",
            "Richtig.",
            "Von sechs beim ersten Mal verstanden: sechs.",
            "Was noch? Sag eine Zahl, „ja“ für alles, oder „abbrechen“.",
            "Bis zum nächsten Mal.",
        ]
    );
}

#[test]
fn everything_is_understood_in_every_language_as_it_was_told() {
    for language in ["fide", "en", "es", "fr", "lt", "pl", "ru"] {
        let prompts = if language == "fide" { "de" } else { language };
        let (lines, practice) =
            practised((language, prompts), Unit::value_variants(), &[], false, repeats);
        let said = lines.iter().filter(|line| line.contains(": ")).count();
        let Tally { tried, at_once, missed, .. } = &practice.all;
        assert!(*tried > 55 && at_once == tried && missed.is_empty(), "{language}: {lines:#?}");
        assert!(said > *tried, "{language}");
    }
}

#[test]
fn whole_moves_have_every_kind_and_promotion_every_piece() {
    let words = Words::builtin("fide", "de").expect("built in");
    let positions = recordings::positions().expect("built-in games");
    for turn in 0..5 {
        let of = |unit| exercises(&words, unit, &positions, turn, &[]);
        let moves: Vec<_> = of(Unit::Moves)
            .into_iter()
            .map(|exercise| match exercise.meant {
                Meant::Move(mv) => mv,
                other => panic!("{other:?}"),
            })
            .collect();
        for role in shakmaty::Role::ALL {
            for takes in [false, true] {
                let is_one = |mv: &&shakmaty::Move| mv.role() == role && mv.is_capture() == takes;
                assert!(moves.iter().any(|mv| is_one(&mv)), "{role:?} takes {takes}");
            }
        }
        assert_eq!(moves.iter().filter(|mv| mv.is_castle()).count(), 2);
        assert!(moves.iter().any(|mv| mv.is_en_passant()));
        assert_eq!(moves.iter().filter(|mv| mv.is_promotion()).count(), 2);
        let promotions: Vec<String> =
            of(Unit::Promotion).iter().map(|exercise| exercise.said.to_string()).collect();
        for piece in ["Dame", "Turm", "Läufer", "Springer"] {
            let ends = promotions.iter().filter(|said| said.contains(&format!("wird {piece}")));
            assert_eq!(ends.count(), 2, "{promotions:?}");
        }
    }
    assert_ne!(
        exercises(&words, Unit::Moves, &positions, 0, &[]),
        exercises(&words, Unit::Moves, &positions, 1, &[]),
        "another day has other moves"
    );
}

#[test]
fn what_was_missed_comes_first_and_is_kept_until_it_is_known() {
    let (lines, practice) =
        practised(("fide", "de"), &[Unit::Ranks], &["fünf", "Turm", "acht"], false, repeats);
    assert_eq!(
        lines[1..7],
        ["Sag: fünf.", "Richtig.", "Sag: acht.", "Richtig.", "Sag: eins.", "Richtig."]
    );
    // Rooks were not practised today.
    assert_eq!(missed::tomorrow(&practice.before, &practice.all), ["Turm"]);
}

#[test]
fn the_words_of_tomorrow_survive_their_file_and_a_strange_one_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(missed::FILE);
    assert_eq!(missed::read(&path).expect("none"), [""; 0]);
    missed::write(&path, &[]).expect("nothing to write");
    assert!(!path.exists(), "an empty list is no file");
    let words = ["fünf".to_owned(), "Läufer".to_owned()];
    missed::write(&path, &words).expect("written");
    assert_eq!(missed::read(&path).expect("read"), words);
    missed::write(&path, &[]).expect("written");
    assert_eq!(missed::read(&path).expect("read"), [""; 0]);
    let long = format!("Turm\r\n\r\n{}\nTurm\n\u{fffd}\n", "x".repeat(3000));
    std::fs::write(&path, long).expect("written");
    assert_eq!(missed::read(&path).expect("read"), ["Turm", "\u{fffd}"]);
    std::fs::write(&path, vec![b'a'; 70_000]).expect("written");
    assert!(missed::read(&path).is_err());
    assert!(missed::read(folder.path()).is_err(), "a folder is no list");
}

#[test]
fn whoever_is_silent_is_reminded_and_then_left_alone() {
    let (lines, practice) =
        practised(("fide", "de"), &[Unit::Pieces], &[], false, |_| PlaceEvent::Silence);
    assert_eq!(
        lines[1..],
        [
            "Sag: Bauer.",
            "Noch einmal: Bauer.",
            "Weiter.",
            "Sag: Springer.",
            "Noch einmal: Springer.",
            "Weiter.",
        ]
    );
    assert_eq!(practice.all, Tally::default());
    // Nor is anybody asked for ever which unit it is to be.
    let (lines, _) = practised(("fide", "de"), &[], &[], false, |_| PlaceEvent::Silence);
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[1..4].iter().filter(|line| **line == lines[1]).count(), 3);
    assert_eq!(lines[4], "Bis zum nächsten Mal.");
}

#[test]
fn whoever_is_often_missed_hears_of_enrolment() {
    let mut all = 0;
    let does = move |told: &str| {
        all += 1;
        if all % 3 == 1 { says("[unk]") } else { repeats(told) }
    };
    let units = [Unit::Files, Unit::Ranks];
    let (lines, practice) = practised(("fide", "de"), &units, &[], false, does);
    assert!(practice.all.at_once < practice.all.tried, "{:?}", practice.all);
    let end = &lines[lines.len() - 3..];
    assert_eq!(end[0], "Von sechzehn beim ersten Mal verstanden: acht.");
    assert!(end[1].starts_with("Am häufigsten verfehlt: "), "{end:?}");
    assert_eq!(
        end[2],
        "Ich kann deine Stimme lernen: „annabella enrol“, dreißig Sätze nachsprechen."
    );
}

#[test]
fn words_that_the_model_does_not_know_are_left_out() {
    let words = Words::builtin("fide", "de").expect("built in");
    let practise = |strange: &[&'static str]| {
        let told = Told::default();
        let place = Scripted {
            told: Arc::clone(&told),
            grammar: Rc::default(),
            deaf: false,
            does: repeats,
            strange: strange.iter().copied().collect(),
        };
        practised_at(words.clone(), Box::new(place), told, &[Unit::Castling], &[], false).0
    };
    let without = practise(&["lange"]);
    assert_eq!(without[1..3], ["Sag: Kurze Rochade.", "Richtig."]);
    assert!(!without.iter().any(|line| line.contains("Lange")), "{without:?}");
    let none = practise(&["rochade"]);
    assert_eq!(none[1..], ["Diese Worte kennt mein Sprachmodell nicht."]);
}

#[test]
fn what_is_right_and_doubtful_is_right_for_nobody() {
    let words = Words::builtin("fide", "de").expect("built in");
    let judge = Judge::new(&words, Ear::new(&words), Thresholds::default());
    let bella = &exercises(&words, Unit::Files, &[], 0, &[])[1];
    let of = |all: &[(&str, f64)]| {
        let all = all.iter().map(|(text, p)| Hypothesis::new(*text, *p)).collect();
        judge.heard(bella, &Heard::ranked(all))
    };
    assert_eq!(of(&[("bella", 0.97)]), Take::Right);
    assert_eq!(of(&[("bella", 0.5), ("anna", 0.5)]), Take::Unsure);
    assert!(
        matches!(of(&[("anna", 0.5), ("bella", 0.5)]), Take::Instead(words) if words.to_string() == "Anna")
    );
    // Nobody's lesson ends by half a word.
    assert!(matches!(of(&[("abbrechen", 0.5), ("bella", 0.5)]), Take::Instead(_)));
    assert_eq!(of(&[("[unk]", 0.9)]), Take::Nothing);
}

#[test]
fn keys_lead_on_back_and_out_and_say_it_again() {
    let words = Words::builtin("fide", "de").expect("built in");
    let judge = Judge::new(&words, Ear::new(&words), Thresholds::default());
    let anna = &exercises(&words, Unit::Files, &[], 0, &[])[0];
    let steer = |line| judge.typed(anna, line);
    assert_eq!(steer(""), Take::Steer(Steer::On));
    assert_eq!(steer("r"), Take::Steer(Steer::Repeat));
    assert_eq!(steer("noch einmal"), Take::Steer(Steer::Repeat));
    assert_eq!(steer("b"), Take::Steer(Steer::Back));
    assert_eq!(steer("q"), Take::Steer(Steer::End));
    assert_eq!(steer("Abbruch"), Take::Steer(Steer::End));
    assert_eq!(steer("stopp"), Take::Steer(Steer::Hush));
    // A name that may be heard for it is right; what is no word is none.
    assert_eq!(steer("Anton"), Take::Right);
    assert_eq!(steer("Anne"), Take::Nothing);
    // What an exercise asks for steers nothing.
    let answers = exercises(&words, Unit::Answers, &[], 0, &[]);
    for (exercise, text) in answers.iter().zip(["ja", "nein", "stopp", "wiederhole", "abbrechen"]) {
        assert_eq!(judge.typed(exercise, text), Take::Right, "{text}");
    }
}
