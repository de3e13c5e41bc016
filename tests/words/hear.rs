//! What is heard becomes a move, a request or a question: perfectly heard it is taken, and no
//! single word turns one into the other.

use std::sync::LazyLock;

use annabella_words::phrase::{
    Command, Phrases, Words,
    hear::{Answer, Asked, Context, Ear, Heard, HeardDecision, Hypothesis, Thresholds, word_loop},
    pack,
};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Square};

use crate::positions::{played, position};

/// Every language with itself, and one that mixes two.
static LANGUAGES: LazyLock<Vec<(Words, Ear)>> = LazyLock::new(|| {
    let own = pack::builtin_names().filter(|name| *name != "fide").map(|name| (name, name));
    own.chain([("fide", "ru")])
        .map(|(moves, prompts)| {
            let words = Words::builtin(moves, prompts).expect("built-in packs");
            let ear = Ear::new(&words);
            (words, ear)
        })
        .collect()
});

const RARE: [&str; 8] = [
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "n1n1k3/1P6/8/8/8/8/6p1/4KN1N w - - 0 1",
    "n1n1k3/1P6/8/8/8/8/6p1/4KN1N b - - 0 1",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "4k3/8/8/Q1Q5/8/Q1Q5/8/4K3 w - - 0 1",
    "N3N3/8/k7/N3N3/8/8/8/K7 w - - 0 1",
    "5k2/8/8/8/8/8/3N4/R3K1NR w KQ - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
];

/// Every `step`th phrase, heard perfectly, is what it says.
fn phrases_are_accepted(ear: &Ear, words: &Words, pos: &Chess, step: usize) {
    let matcher = ear.matcher(pos, Context::default());
    for phrase in Phrases::new(words, pos).iter().step_by(step) {
        let decision = matcher.decide(&Heard::text(&phrase.text));
        match (&decision, &phrase.moves[..]) {
            (HeardDecision::Accept { mv, correction: false, .. }, [only]) if mv == only => {}
            (HeardDecision::Ambiguous { moves, .. }, several) if several.len() > 1 => {
                assert!(moves.iter().all(|mv| several.contains(mv)), "{}", phrase.text);
                assert_eq!(moves.len(), several.len(), "{}", phrase.text);
            }
            _ => panic!("{} ({}): {decision:?}", phrase.text, words.moves().code()),
        }
    }
}

#[test]
fn every_phrase_of_a_rare_move_is_accepted_as_it_in_every_language() {
    for (words, ear) in LANGUAGES.iter() {
        for fen in RARE {
            phrases_are_accepted(ear, words, &position(fen), 3);
        }
    }
}

#[test]
fn every_request_is_taken_and_what_binds_is_confirmed_in_every_language() {
    for (words, ear) in LANGUAGES.iter() {
        for pos in [Chess::default(), position(RARE[4])] {
            let matcher = ear.matcher(&pos, Context::default());
            for (text, command) in words.command_phrases() {
                let decision = matcher.decide(&Heard::text(&text));
                let taken = match decision {
                    HeardDecision::Command { command: taken, .. } => {
                        taken == command && !command.is_irrevocable()
                    }
                    HeardDecision::ConfirmCommand { command: taken, intended: None, .. } => {
                        taken == command && command.is_irrevocable()
                    }
                    // The arbiter does not come for one word that may be talk.
                    HeardDecision::AskCommand { command: asked, .. } => {
                        asked == command && command == Command::CallArbiter && !text.contains(' ')
                    }
                    HeardDecision::Answer { answer: Answer::Yes, .. } => command == Command::Yes,
                    HeardDecision::Answer { answer: Answer::No, .. } => command == Command::No,
                    _ => false,
                };
                assert!(taken, "{text}: {decision:?}");
            }
        }
    }
}

/// Who hesitates says a word twice, and one that rings on is heard twice.
#[test]
fn a_word_heard_twice_in_a_row_is_one_word() {
    let (_, ear) = &LANGUAGES[0];
    let matcher = ear.matcher(&position(RARE[0]), Context::default());
    let heard = |pass: &[(&str, f64)]| -> Vec<Hypothesis> {
        pass.iter().map(|(text, p)| Hypothesis::new(*text, *p)).collect()
    };
    let once = Heard::ranked(heard(&[("turm anna eins anna acht", 1.0)]));
    let twice = Heard {
        word_loop: heard(&[("turm turm anna eins anna acht acht", 1.0)]),
        ..Heard::ranked(heard(&[
            ("turm anna eins anna acht acht", 0.5),
            ("turm anna anna eins anna acht", 0.3),
            ("turm anna eins anna acht", 0.2),
        ]))
    };
    assert!(accepted_move(&matcher.decide(&once)), "{:?}", matcher.decide(&once));
    assert_eq!(matcher.decide(&twice), matcher.decide(&once));
    // A word between them is one more word.
    let other = Heard::ranked(heard(&[("turm anna eins anna acht turm acht", 1.0)]));
    assert!(!accepted_move(&matcher.decide(&other)), "{:?}", matcher.decide(&other));
}

/// "Mit", "von", "nach" and "mein" mean nothing before a piece, and one name of a file or rank does
/// not: talk behind the player comes out so.
#[test]
fn what_only_joins_counts_for_nothing_before_a_full_announcement() {
    let (_, ear) = &LANGUAGES[0];
    let pos = position(RARE[0]);
    let matcher = ear.matcher(&pos, Context::default());
    let plain = matcher.decide(&in_both("turm anna eins anna acht"));
    assert!(accepted_move(&plain), "{plain:?}");
    let leads = ["mit", "von", "nach mit", "mein", "von meine", "sieben", "gustav", "sieben von"];
    for before in leads {
        let text = format!("{before} turm anna eins anna acht");
        assert_eq!(matcher.decide(&in_both(&text)), plain, "{text}");
    }
    // A short one comes out of any talk; without its piece something was lost; other words mean
    // something.
    for text in [
        "mit turm anna acht",
        "mein turm anna acht",
        "sein turm anna eins anna acht",
        "wo ist mein turm anna eins anna acht",
        "mit von anna eins nach anna acht",
        "sieben turm anna acht",
        "gustav sieben turm anna eins anna acht",
        "sieben anna eins nach anna acht",
        "dame turm anna eins anna acht",
        "turm anna eins anna acht mit",
    ] {
        let decision = matcher.decide(&in_both(text));
        assert!(!accepted_move(&decision), "{text}: {decision:?}");
    }
    // After a claim it is the move to be claimed with.
    let asked = Context { asked: Asked::YesNo, ..Context::default() };
    let decision = ear.matcher(&pos, asked).decide(&in_both("mit turm anna eins anna acht"));
    assert!(!accepted_move(&decision), "{decision:?}");
}

/// A pawn needs no name (C.4): what "Bauer" was taken for counts for nothing, unless it names a
/// piece.
#[test]
fn one_name_of_a_rank_or_file_before_a_pawns_move_counts_for_nothing() {
    let (_, ear) = &LANGUAGES[0];
    // A white pawn on e2, a rook on a1, the kings on e1 and e8.
    let matcher = ear.matcher(&position("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1"), Context::default());
    let plain = matcher.decide(&in_both("eva zwei eva vier"));
    assert!(accepted_move(&plain), "{plain:?}");
    for before in ["sieben", "bella", "in zwei", "nach zwei"] {
        for joined in ["eva zwei eva vier", "eva zwei nach eva vier"] {
            let text = format!("{before} {joined}");
            assert_eq!(matcher.decide(&in_both(&text)), plain, "{text}");
        }
    }
    for text in [
        // Of a rook its name was lost; a knight or a square was said; where from was not; no such
        // move.
        "sieben anna eins anna acht",
        "springer eva zwei eva vier",
        "bella sieben eva zwei eva vier",
        "sieben eva vier",
        "sieben eva zwei eva fünf",
    ] {
        let decision = matcher.decide(&in_both(text));
        assert!(!accepted_move(&decision), "{text}: {decision:?}");
    }
}

/// No move is said with two ranks in a row; where only one of them makes a legal one, that one was
/// said.
#[test]
fn of_two_ranks_in_a_row_the_legal_one_counts() {
    let (_, ear) = &LANGUAGES[0];
    // Rooks on a1 and h1, a pawn on e5, the kings on e1 and c8.
    let matcher = ear.matcher(&position("2k5/8/8/4p3/8/8/8/R3K2R w - - 0 1"), Context::default());
    let plain = matcher.decide(&in_both("turm hector eins felix eins"));
    assert!(accepted_move(&plain), "{plain:?}");
    for text in [
        "turm hector eins felix eins acht",
        "turm hector eins felix acht eins",
        "turm hector eins acht felix eins",
        "turm hector acht eins felix eins",
    ] {
        assert_eq!(matcher.decide(&in_both(text)), plain, "{text}");
    }
    for text in [
        // Both are legal, none is, both squares have two, not said where from.
        "turm hector eins hector zwei drei",
        "turm hector eins felix zwei drei",
        "turm hector eins acht felix eins acht",
        "turm felix eins acht",
    ] {
        let decision = matcher.decide(&in_both(text));
        assert!(!accepted_move(&decision), "{text}: {decision:?}");
    }
}

/// Of "Cesar nach" an "acht" is heard before "nach"; where only without it a move is legal, it was
/// not said.
#[test]
fn a_rank_that_sounds_like_the_word_after_it_counts_for_nothing() {
    let (_, ear) = &LANGUAGES[0];
    // Bishops on c6 and c8, rooks on h2 and h5, the kings on e1 and g8.
    let pos = position("2B3k1/8/2B5/7R/8/8/7R/4K3 w - - 0 1");
    let matcher = ear.matcher(&pos, Context::default());
    for (heard, said) in [
        ("läufer cesar acht nach eva vier", "läufer cesar nach eva vier"),
        ("läufer acht nach david fünf", "läufer nach david fünf"),
    ] {
        let plain = matcher.decide(&in_both(said));
        assert!(accepted_move(&plain), "{said}: {plain:?}");
        assert_eq!(matcher.decide(&in_both(heard)), plain, "{heard}");
    }
    // It is legal, and another move than without it.
    let eighth = matcher.decide(&in_both("läufer cesar acht nach bella sieben"));
    let HeardDecision::Accept { mv, .. } = eighth else { panic!("{eighth:?}") };
    assert_eq!(mv.from(), Some(Square::C8));
    for text in [
        // Another rank, no "nach", not legal without it either, several moves without it.
        "läufer cesar sieben nach eva vier",
        "läufer cesar acht eva vier",
        "läufer cesar acht nach eva fünf",
        "turm hector acht nach hector drei",
    ] {
        let decision = matcher.decide(&in_both(text));
        assert!(!accepted_move(&decision), "{text}: {decision:?}");
    }
}

/// Others talk before and after an announcement that the word loop heard in full.
#[test]
fn noise_around_a_clear_announcement_is_not_asked_about() {
    let (_, ear) = &LANGUAGES[0];
    let matcher = ear.matcher(&position(RARE[0]), Context::default());
    let decide = |word_loop: &str| {
        let hypotheses = vec![
            Hypothesis::new("bitte turm anna eins anna acht", 0.8),
            Hypothesis::new("mit turm anna eins anna acht", 0.2),
        ];
        let word_loop = vec![Hypothesis::new(word_loop, 1.0)];
        matcher.decide(&Heard { word_loop, ..Heard::ranked(hypotheses) })
    };
    for clear in ["turm anna eins anna acht", "[unk] turm anna eins anna acht [unk] [unk]"] {
        assert!(accepted_move(&decide(clear)), "{clear}: {:?}", decide(clear));
    }
    for unclear in [
        "turm anna [unk] anna acht",
        "[unk] anna acht",
        "turm anna eins anna sieben",
        // It may have been another piece.
        "[unk] anna eins anna acht",
    ] {
        assert!(!accepted_move(&decide(unclear)), "{unclear}: {:?}", decide(unclear));
    }
}

/// The same in both passes, for certain.
fn in_both(text: &str) -> Heard {
    let one = vec![Hypothesis::new(text, 1.0)];
    Heard { word_loop: one.clone(), ..Heard::ranked(one) }
}

/// One of others' words takes the place of one that was said, and all hearings agree on it.
#[test]
fn in_a_loud_room_every_move_is_asked_about() {
    let (_, ear) = &LANGUAGES[0];
    let matcher = ear.matcher(&position(RARE[0]), Context::default());
    let decide =
        |text: &str, above_room_db| matcher.decide(&Heard { above_room_db, ..in_both(text) });
    for text in ["turm anna eins anna acht", "korrektur turm anna eins anna acht"] {
        let plain = decide(text, None);
        let HeardDecision::Accept { mv, correction, confidence } = plain else {
            panic!("{text}: {plain:?}")
        };
        let asked = HeardDecision::Confirm { mv, correction, confidence, second: None };
        for loud in [-3.0, 0.0, 11.9] {
            assert_eq!(decide(text, Some(loud)), asked, "{text}");
        }
        for quiet in [12.0, 60.0, f32::INFINITY] {
            assert_eq!(decide(text, Some(quiet)), plain, "{text}");
        }
    }
    let never = Thresholds { loud_room_db: 0.0, ..Thresholds::default() };
    let matcher = ear.matcher(&position(RARE[0]), Context::default()).with_thresholds(never);
    for db in [3.0, 0.0, -3.0] {
        let heard = Heard { above_room_db: Some(db), ..in_both("turm anna eins anna acht") };
        assert!(accepted_move(&matcher.decide(&heard)), "{db}");
    }
}

/// A part that others may have said must be the same when it is heard alone.
#[test]
fn what_was_said_with_a_long_pause_must_be_the_same_in_its_parts() {
    let (_, ear) = &LANGUAGES[0];
    let matcher = ear.matcher(&position(RARE[0]), Context::default());
    let decide = |text: &str, parts: &[&str]| {
        let parts = parts.iter().map(|part| (*part).to_owned()).collect();
        matcher.decide(&Heard { parts, ..in_both(text) })
    };
    let text = "turm anna eins anna acht";
    assert!(accepted_move(&decide(text, &[])));
    assert!(accepted_move(&decide(text, &["turm anna eins", "anna acht"])));
    assert!(accepted_move(&decide(text, &["turm", "anna eins [unk]", "[unk] anna acht"])));
    for others in ["anna drei", "[unk]", "", "anna [unk] acht", "ja", "david acht"] {
        let decision = decide(text, &["turm anna eins", others]);
        let HeardDecision::Confirm { mv, .. } = decision else { panic!("{others}: {decision:?}") };
        assert_eq!(mv.to_uci(CastlingMode::Standard).to_string(), "a1a8");
    }
    let corrected = "korrektur turm anna eins anna acht";
    assert!(accepted_move(&decide(corrected, &["korrektur turm", "anna eins anna acht"])));
    assert!(!accepted_move(&decide(corrected, &["korrektur turm", "anna eins anna drei"])));
}

fn accepted_move(decision: &HeardDecision) -> bool {
    matches!(decision, HeardDecision::Accept { .. })
}

fn accepted_command(decision: &HeardDecision) -> bool {
    matches!(decision, HeardDecision::Command { .. })
}

/// Every word of some texts by every word of the vocabulary.
fn substituted(text: &str, vocabulary: &[String], mut check: impl FnMut(&str)) {
    let words: Vec<&str> = text.split_whitespace().collect();
    for place in 0..words.len() {
        for word in vocabulary {
            let mut changed = words.clone();
            changed[place] = word;
            check(&changed.join(" "));
        }
    }
}

/// A middle game in each language: what is said there, and what is made of it.
fn in_each_language(
    check: impl Fn(usize, &Words, &[String], &Chess, &dyn Fn(&str) -> HeardDecision),
) {
    let pos = position("r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9");
    for (n, (words, ear)) in LANGUAGES.iter().enumerate() {
        let matcher = ear.matcher(&pos, Context::default());
        let decide = |heard: &str| matcher.decide(&Heard::text(heard));
        check(n, words, &word_loop(words), &pos, &decide);
    }
}

#[test]
fn no_misheard_word_turns_a_request_into_a_move() {
    in_each_language(|n, words, vocabulary, _, decide| {
        for (text, _) in words.command_phrases().iter().skip(n).step_by(59) {
            substituted(text, vocabulary, |heard| {
                let decision = decide(heard);
                assert!(!accepted_move(&decision), "'{text}' as '{heard}': {decision:?}");
            });
        }
    });
}

#[test]
fn no_misheard_word_turns_a_move_into_a_request() {
    in_each_language(|n, words, vocabulary, pos, decide| {
        for phrase in Phrases::new(words, pos).iter().skip(n).step_by(149) {
            substituted(&phrase.text, vocabulary, |heard| {
                let decision = decide(heard);
                let text = &phrase.text;
                assert!(!accepted_command(&decision), "'{text}' as '{heard}': {decision:?}");
            });
        }
    });
}

/// Why the German pack is refused with one text replaced.
fn refused(from: &str, to: &str) -> String {
    let toml = pack::builtin("de").expect("built in");
    assert!(toml.contains(from), "{from}");
    let refused = pack::Pack::parse(&toml.replace(from, to)).expect_err("must be refused");
    refused.to_string()
}

#[test]
fn a_request_one_word_away_from_a_move_is_refused_with_the_pack() {
    let before = "language pack 'de' is unfinished, add or correct: commands.";
    assert_eq!(
        refused("\"sag Reihe {rank}\"", "\"Reihe {rank}\""),
        format!("{before}on-rank: 'Reihe vier' is one word away from the move 'ana vier'")
    );
    assert_eq!(
        refused("\"sag Feld {square}\"", "\"Feld {square}\""),
        format!("{before}on-square: 'Feld Eva vier' is one word away from the move 'eva vier'")
    );
}

#[test]
fn confusions_are_words_with_costs_from_nothing_to_one() {
    let before = "language pack 'de' is unfinished, add or correct: confusions.";
    let row = "\"sieben\" = { \"lieben\" = 0.25 }";
    assert_eq!(
        refused(row, "\"sieben\" = { \"lieben\" = 1.5 }"),
        format!("{before}sieben: 'lieben' needs a cost from 0 to 1")
    );
    assert_eq!(
        refused(row, "\"sieben\" = { \"am Leben\" = 0.5 }"),
        format!("{before}sieben: 'sieben' and 'am Leben' must be one word each")
    );
    assert_eq!(
        refused(row, "\"sieben\" = \"lieben\""),
        format!("{before}sieben: is not a table of heard words and costs")
    );
    let german = pack::Pack::builtin("de").expect("built in");
    assert_eq!(german.confusions().cost("vier", "viel"), Some(0.2));
    assert_eq!(german.confusions().cost("viel", "vier"), Some(0.2));
    assert_eq!(german.confusions().cost("vier", "Turm"), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// A beginning and talk after it make a move only if both, one after the other, are its
    /// announcement.
    #[test]
    fn a_beginning_and_talk_make_no_move_that_they_are_not(
        choices in prop::collection::vec(0usize..218, 0..80),
        picks in prop::collection::vec((0usize..10_000, 1usize..5, prop::collection::vec(0usize..10_000, 0..4)), 60),
    ) {
        let (words, ear) = &LANGUAGES[0];
        let pos = played(&choices);
        let matcher = ear.matcher(&pos, Context::default());
        let vocabulary = word_loop(words);
        let phrases: Vec<String> =
            Phrases::new(words, &pos).iter().map(|phrase| phrase.text.clone()).collect();
        for (phrase, cut, talk) in picks {
            let Some(text) = phrases.get(phrase % phrases.len().max(1)) else { continue };
            let of: Vec<&str> = text.split(' ').collect();
            let begun = of[..cut.min(of.len())].join(" ");
            let rest: Vec<&str> = talk.iter().map(|n| &*vocabulary[n % vocabulary.len()]).collect();
            // The joined sound was bent to an announcement; the parts were not.
            let parts = vec![begun, rest.join(" ")];
            let said = parts.join(" ");
            if let HeardDecision::Accept { mv, .. } = matcher.decide(&Heard { parts, ..in_both(text) }) {
                let alone = matcher.decide(&in_both(&said));
                let same = matches!(&alone, HeardDecision::Accept { mv: other, .. } if *other == mv);
                prop_assert!(same, "{text}: {said} {alone:?}");
            }
        }
    }

    #[test]
    fn phrases_of_any_position_are_accepted(
        choices in prop::collection::vec(0usize..218, 0..120),
        language in 0usize..8,
        step in 20usize..40,
    ) {
        let (words, ear) = &LANGUAGES[language];
        phrases_are_accepted(ear, words, &played(&choices), step);
    }

    #[test]
    fn one_misheard_word_never_crosses_over(
        choices in prop::collection::vec(0usize..218, 0..80),
        language in 0usize..8,
        picks in prop::collection::vec((0usize..10_000, 0usize..8, 0usize..10_000), 60),
    ) {
        let (words, ear) = &LANGUAGES[language];
        let pos = played(&choices);
        let matcher = ear.matcher(&pos, Context::default());
        let vocabulary = word_loop(words);
        let commands = words.command_phrases();
        let phrases: Vec<String> =
            Phrases::new(words, &pos).iter().map(|phrase| phrase.text.clone()).collect();
        for (which, place, word) in picks {
            let change = |text: &str| {
                let mut said: Vec<&str> = text.split_whitespace().collect();
                let place = place % said.len();
                said[place] = &vocabulary[word % vocabulary.len()];
                said.join(" ")
            };
            let heard = change(&commands[which % commands.len()].0);
            let decision = matcher.decide(&Heard::text(&heard));
            prop_assert!(!accepted_move(&decision), "'{heard}': {decision:?}");
            if !phrases.is_empty() {
                let heard = change(&phrases[which % phrases.len()]);
                let decision = matcher.decide(&Heard::text(&heard));
                prop_assert!(!accepted_command(&decision), "'{heard}': {decision:?}");
            }
        }
    }

    /// A third pass answers questions about a move, and asks about requests; it takes nothing for
    /// anything else.
    #[test]
    fn a_third_pass_only_answers_or_asks(
        choices in prop::collection::vec(0usize..218, 0..80),
        picks in prop::collection::vec((0usize..10_000, 0usize..10_000, 0usize..8, 0usize..10_000, 0.0f64..1.0), 40),
    ) {
        let (words, ear) = &LANGUAGES[0];
        let pos = played(&choices);
        let matcher = ear.matcher(&pos, Context::default());
        let vocabulary = word_loop(words);
        let mut phrases: Vec<String> =
            Phrases::new(words, &pos).iter().map(|phrase| phrase.text.clone()).collect();
        phrases.extend(words.command_phrases().into_iter().map(|(text, _)| text));
        for (which, other, place, word, p) in picks {
            let first = &phrases[which % phrases.len()];
            let mut said: Vec<&str> = first.split_whitespace().collect();
            let place = place % said.len();
            said[place] = &vocabulary[word % vocabulary.len()];
            let looped = said.join(" ");
            let other = &phrases[other % phrases.len()];
            let two = Heard {
                hypotheses: vec![Hypothesis::new(first, 0.95)],
                word_loop: vec![Hypothesis::new(&looped, 0.9)],
                ..Heard::default()
            };
            let comparison = [(first, p), (&looped, 0.6 * (1.0 - p)), (other, 0.4 * (1.0 - p))];
            let comparison = comparison.map(|(text, p)| Hypothesis::new(text, p)).to_vec();
            let three = Heard { comparison, ..two.clone() };
            let (before, after) = (matcher.decide(&two), matcher.decide(&three));
            let fits = before == after || match (&before, &after) {
                (HeardDecision::Confirm { mv, .. }, HeardDecision::Accept { mv: taken, .. }) => mv == taken,
                (
                    HeardDecision::Command { command, .. },
                    HeardDecision::ConfirmCommand { command: asked, .. },
                ) => command == asked,
                _ => false,
            };
            prop_assert!(fits, "{first} / {looped} / {other}: {before:?} became {after:?}");
        }
    }

    /// How loud the room is changes nothing but that.
    #[test]
    fn a_loud_room_makes_questions_of_moves_and_nothing_else(
        (choices, pick, p) in (prop::collection::vec(0usize..40, 0..40), any::<usize>(), 0.0f64..1.0),
        above_room_db in -10.0f32..40.0,
    ) {
        let pos = played(&choices);
        let (words, ear) = &LANGUAGES[0];
        let mut phrases: Vec<String> =
            Phrases::new(words, &pos).iter().map(|phrase| phrase.text.clone()).collect();
        phrases.extend(words.command_phrases().into_iter().map(|(text, _)| text));
        let (one, other) = (&phrases[pick % phrases.len()], &phrases[pick / 2 % phrases.len()]);
        let pass = vec![Hypothesis::new(one, p), Hypothesis::new(other, 1.0 - p)];
        let heard = Heard { word_loop: pass.clone(), ..Heard::ranked(pass) };
        let matcher = ear.matcher(&pos, Context::default());
        let before = matcher.decide(&heard);
        let after = matcher.decide(&Heard { above_room_db: Some(above_room_db), ..heard });
        let expected = match before {
            HeardDecision::Accept { mv, correction, confidence } if above_room_db < 12.0 => {
                HeardDecision::Confirm { mv, correction, confidence, second: None }
            }
            same => same,
        };
        prop_assert_eq!(after, expected);
    }

    #[test]
    fn anything_may_be_heard(
        texts in prop::collection::vec(("[a-zäöü\\[\\]<> ]{0,40}|eva vier|\\PC{0,20}", prop::option::of(-1.0f64..2.0)), 0..6),
        loops in prop::collection::vec("[a-z ]{0,30}|eva vier", 0..3),
        compared in prop::collection::vec("[a-z ]{0,30}|eva vier", 0..3),
        above_room_db in prop::option::of(any::<f32>()),
        parts in prop::collection::vec("[a-z ]{0,20}|eva|vier|\\PC{0,9}", 0..3),
    ) {
        let heard = Heard {
            hypotheses: texts
                .into_iter()
                .map(|(text, confidence)| Hypothesis { text, confidence })
                .collect(),
            word_loop: loops
                .into_iter()
                .map(|text| Hypothesis { text, confidence: Some(f64::NAN) })
                .collect(),
            comparison: compared
                .into_iter()
                .map(|text| Hypothesis { text, confidence: Some(0.5) })
                .collect(),
            above_room_db,
            parts,
        };
        let matcher = LANGUAGES[0].1.matcher(&Chess::default(), Context::default());
        let decision = matcher.decide(&heard);
        prop_assert!((0.0..=1.0).contains(&decision.confidence()), "{decision:?}");
    }
}
