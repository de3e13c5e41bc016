//! What is done with what was heard, story by story.

use annabella_words::phrase::{
    Command, Words,
    hear::{
        Answer, Asked, Context, Ear, Grammar, Heard, HeardDecision, Hypothesis, Matcher,
        Repetition, Thresholds, answer_grammar, command_grammar, learn, led_grammar, move_grammar,
        word_loop,
    },
};
use shakmaty::{Chess, Move, Role, uci::UciMove};

use crate::positions::position;

fn german() -> Words {
    Words::builtin("fide", "de").expect("built-in packs")
}

fn mv(pos: &Chess, uci: &str) -> Move {
    let uci: UciMove = uci.parse().expect("UCI");
    uci.to_move(pos).expect("legal move")
}

fn start() -> (Chess, Matcher) {
    let pos = Chess::default();
    let matcher = Matcher::new(&german(), &pos, Context::default());
    (pos, matcher)
}

fn ranked(hypotheses: &[(&str, f64)]) -> Heard {
    Heard::ranked(hypotheses.iter().map(|(text, p)| Hypothesis::new(*text, *p)).collect())
}

fn looped(hypotheses: &[(&str, f64)], word_loop: &str) -> Heard {
    Heard { word_loop: vec![Hypothesis::new(word_loop, 1.0)], ..ranked(hypotheses) }
}

fn json(matcher: &Matcher, pos: &Chess, heard: &Heard) -> String {
    let summary = matcher.decide(heard).summary(pos);
    serde_json::to_string(&summary).expect("a summary")
}

fn asks_about(decision: &HeardDecision, wanted: Move) -> bool {
    matches!(decision, HeardDecision::Confirm { mv, .. } if *mv == wanted)
}

#[test]
fn a_clear_move_is_accepted_and_a_doubtful_one_is_read_back() {
    let (pos, matcher) = start();
    let sure = ranked(&[("eva vier", 0.97), ("eva drei", 0.03)]);
    assert!(
        matches!(matcher.decide(&sure), HeardDecision::Accept { mv: m, .. } if m == mv(&pos, "e2e4"))
    );
    let doubtful = ranked(&[("eva vier", 0.7), ("eva drei", 0.3)]);
    let HeardDecision::Confirm { mv: best, second, .. } = matcher.decide(&doubtful) else {
        panic!("{:?}", matcher.decide(&doubtful));
    };
    assert_eq!((best, second), (mv(&pos, "e2e4"), Some(mv(&pos, "e2e3"))));
    let even = ranked(&[("eva vier", 0.51), ("eva drei", 0.49)]);
    let wanted = HeardDecision::Again { candidates: vec![mv(&pos, "e2e4"), mv(&pos, "e2e3")] };
    assert_eq!(matcher.decide(&even), wanted);
}

#[test]
fn a_recogniser_that_is_unsure_is_not_believed() {
    let (pos, matcher) = start();
    let mumbled = ranked(&[("springer felix drei", 0.45)]);
    assert!(asks_about(&matcher.decide(&mumbled), mv(&pos, "g1f3")));
    let noise = ranked(&[("springer felix drei", 0.1)]);
    assert!(matches!(matcher.decide(&noise), HeardDecision::Again { .. }));
}

#[test]
fn known_mishearings_are_forgiven_and_lost_words_asked_about() {
    let (pos, matcher) = start();
    for heard in ["Eva viel", "Springer Helix drei", "Springer Helix frei"] {
        let decision = matcher.decide(&Heard::text(heard));
        assert!(
            !matches!(decision, HeardDecision::Again { .. } | HeardDecision::Command { .. }),
            "{heard}: {decision:?}"
        );
    }
    let meant = matcher.decide(&Heard::text("Eva viel"));
    assert!(asks_about(&meant, mv(&pos, "e2e4")), "{meant:?}");
    let cut = matcher.decide(&Heard::text("springer gustav eins felix"));
    assert!(asks_about(&cut, mv(&pos, "g1f3")), "{cut:?}");
}

#[test]
fn silence_and_noise_are_not_heard() {
    let (_, matcher) = start();
    let nothing = HeardDecision::Again { candidates: Vec::new() };
    for heard in [
        Heard::default(),
        ranked(&[("", 1.0)]),
        ranked(&[("[unk]", 1.0)]),
        ranked(&[("[unk] [unk]", 0.6), ("eva vier", 0.4)]),
        ranked(&[("<unk>", 1.0)]),
        ranked(&[("eva vier", 0.0)]),
        Heard::text(" ?! "),
    ] {
        assert_eq!(matcher.decide(&heard), nothing, "{heard:?}");
    }
}

#[test]
fn the_word_loop_must_agree_before_a_move_is_accepted_at_once() {
    let (pos, matcher) = start();
    let best = [("springer gustav eins felix drei", 0.99)];
    let agreed = matcher.decide(&looped(&best, "springer gustav eins felix drei"));
    assert!(matches!(agreed, HeardDecision::Accept { .. }), "{agreed:?}");
    for other in [
        // Not legal here, another legal move, a part of it, noise.
        "springer gustav eins gustav drei",
        "springer gustav eins hector drei",
        "gustav",
        "[unk]",
        "",
    ] {
        let decision = matcher.decide(&looped(&best, other));
        assert!(asks_about(&decision, mv(&pos, "g1f3")), "{other}: {decision:?}");
    }
    let other = matcher.decide(&looped(&best, "springer gustav eins hector drei"));
    assert!(
        matches!(other, HeardDecision::Confirm { second: Some(m), .. } if m == mv(&pos, "g1h3")),
        "{other:?}"
    );
    let request = matcher.decide(&looped(&best, "meine zeit"));
    assert!(matches!(request, HeardDecision::Again { .. }), "{request:?}");
}

fn compared(heard: Heard, comparison: &[(&str, f64)]) -> Heard {
    Heard { comparison: ranked(comparison).hypotheses, ..heard }
}

#[test]
fn a_full_announcement_that_the_loop_misheard_needs_some_likeness_only() {
    let (pos, matcher) = start();
    let said = "von eva zwei eva vier";
    let misheard = "turm eva zwei eva vier";
    for first in [vec![(said, 0.99)], vec![(misheard, 0.6), (said, 0.4)]] {
        let decide = |p: f64| {
            let heard = looped(&first, misheard);
            matcher.decide(&compared(heard, &[(misheard, 1.0 - p), (said, p)]))
        };
        assert!(
            matches!(decide(0.2), HeardDecision::Accept { mv: m, .. } if m == mv(&pos, "e2e4")),
            "{first:?}: {:?}",
            decide(0.2)
        );
        // The other is much more likely by its sound.
        assert!(
            !matches!(decide(0.02), HeardDecision::Accept { .. }),
            "{first:?}: {:?}",
            decide(0.02)
        );
    }
    // Another legal move, or a request, is no mere misreading.
    for other in ["von eva zwei eva drei", "meine zeit"] {
        let heard = looped(&[(said, 0.99)], misheard);
        let decision = matcher.decide(&compared(heard, &[(other, 0.5), (said, 0.5)]));
        assert!(asks_about(&decision, mv(&pos, "e2e4")), "{other}: {decision:?}");
    }
    // What the loop heard is nothing like it.
    let heard = looped(&[(misheard, 0.99)], "dame schlägt schach");
    let decision = matcher.decide(&compared(heard, &[(said, 1.0)]));
    assert!(!matches!(decision, HeardDecision::Accept { .. }), "{decision:?}");
}

#[test]
fn what_the_loop_alone_heard_clearly_and_in_full_settles_a_question() {
    let (pos, matcher) = start();
    // Somebody near went on talking: the first pass put what he said into words of its own.
    let decide = |first: &str, alone: &str, p: f64| {
        let heard = Heard {
            word_loop: vec![Hypothesis::new(alone, p), Hypothesis::new("[unk]", 1.0 - p)],
            ..ranked(&[(first, 0.5), (alone, 0.3)])
        };
        matcher.decide(&heard)
    };
    let (first, said) =
        ("springer gustav eins felix drei acht vier", "springer gustav eins felix drei");
    let clear = decide(first, said, 0.95);
    assert!(
        matches!(clear, HeardDecision::Accept { mv: m, .. } if m == mv(&pos, "g1f3")),
        "{clear:?}"
    );
    let unclear = decide(first, said, 0.8);
    assert!(asks_about(&unclear, mv(&pos, "g1f3")), "{unclear:?}");
    // Two words come out of any talk.
    let short = decide("eva vier acht", "eva vier", 0.99);
    assert!(!matches!(short, HeardDecision::Accept { .. }), "{short:?}");
}

#[test]
fn two_words_out_of_talk_need_more() {
    let (pos, matcher) = start();
    let decide = |p: f64| {
        let heard = looped(&[("hector vier", 0.99)], "[unk]");
        matcher.decide(&compared(heard, &[("[unk]", 1.0 - p), ("hector vier", p)]))
    };
    assert!(asks_about(&decide(0.6), mv(&pos, "h2h4")), "{:?}", decide(0.6));
    assert!(matches!(decide(0.95), HeardDecision::Accept { .. }), "{:?}", decide(0.95));
    // The loop must have heard them word for word, and hardly anything else; a full announcement
    // may be further off.
    let decide = |said: &str, heard: &str, p: f64| {
        let word_loop = ranked(&[(heard, 1.0 - p), (said, p)]).hypotheses;
        matcher.decide(&Heard { word_loop, ..ranked(&[(said, 0.99)]) })
    };
    let (taken, asked) =
        (decide("hector vier", "hector", 0.8), decide("hector vier", "hector", 0.7));
    assert!(matches!(taken, HeardDecision::Accept { .. }), "{taken:?}");
    assert!(asks_about(&asked, mv(&pos, "h2h4")), "{asked:?}");
    let full = decide("springer gustav eins felix drei", "springer gustav [unk] felix drei", 0.05);
    assert!(matches!(full, HeardDecision::Accept { .. }), "{full:?}");
}

#[test]
fn a_short_request_must_be_heard_among_all_words_too() {
    let (_, matcher) = start();
    let decide = |said: &str, p: f64| {
        let heard = looped(&[(said, 0.99)], "[unk]");
        matcher.decide(&compared(heard, &[(said, p), ("[unk]", 1.0 - p)]))
    };
    for (said, least) in [("lauter", 0.9), ("meine zeit", 0.5)] {
        let (at_once, asked) = (decide(said, least + 0.05), decide(said, least - 0.05));
        assert!(matches!(at_once, HeardDecision::Command { .. }), "{said}: {at_once:?}");
        assert!(matches!(asked, HeardDecision::ConfirmCommand { .. }), "{said}: {asked:?}");
    }
    // A longer one need not be compared, but heard word for word and not only nearly.
    let decide_nearly = |p: f64| {
        let texts = [("wo sind ihre dame", p), ("wo sind ihre eva acht", 1.0 - p)];
        matcher.decide(&looped(&texts, "[unk]"))
    };
    let (at_once, asked) = (decide_nearly(0.6), decide_nearly(0.4));
    assert!(matches!(at_once, HeardDecision::Command { .. }), "{at_once:?}");
    assert!(matches!(asked, HeardDecision::ConfirmCommand { .. }), "{asked:?}");
    // Nor does falling silent harm anybody.
    for said in ["wie viel zeit habe ich", "stopp"] {
        let decision = decide(said, 0.1);
        assert!(matches!(decision, HeardDecision::Command { .. }), "{said}: {decision:?}");
    }
}

#[test]
fn what_the_passes_heard_differently_is_compared_and_nothing_else() {
    let (pos, _) = start();
    let grammar = Grammar::of_everything(&german(), &pos);
    let texts = |heard: &Heard| heard.to_compare(&grammar);
    let nothing: Vec<String> = Vec::new();
    assert_eq!(texts(&ranked(&[("eva vier", 1.0)])), nothing, "one pass");
    assert_eq!(texts(&looped(&[("eva vier", 0.9)], "eva vier")), nothing, "the same");
    assert_eq!(texts(&looped(&[("[unk]", 0.9)], "eva vier")), nothing, "noise");
    assert_eq!(texts(&looped(&[], "eva vier")), nothing);
    let heard = [("eva vier", 0.6), ("eva drei", 0.3), ("bella vier", 0.04)];
    let texts_of_two = texts(&looped(&heard, "turm vier"));
    assert_eq!(texts_of_two[..3], ["eva vier", "eva drei", "turm vier"]);
    // One word beside what was heard, and legal; "bella vier" by that, too.
    assert!(texts_of_two[3..].iter().all(|text| grammar.phrases.contains(text)));
    assert!(texts_of_two.contains(&"gustav vier".to_owned()), "{texts_of_two:?}");
    assert!(texts_of_two.len() < 20, "{}", texts_of_two.len());
    // Both heard the same, but the loop as well as not.
    let word_loop = ranked(&[("eva vier", 0.55), ("eva fünf", 0.45)]).hypotheses;
    let unclear = texts(&Heard { word_loop, ..ranked(&[("eva vier", 0.9)]) });
    assert_eq!(unclear[..2], ["eva vier", "eva fünf"]);
    // Both heard the same, and it is two phrases in a row: what one alone would be is compared with
    // it.
    let row = texts(&looped(&[("bella eva vier", 0.9)], "bella eva vier"));
    assert_eq!(row[0], "bella eva vier");
    assert!(
        row.contains(&"bauer eva vier".to_owned()) && row.contains(&"eva vier".to_owned()),
        "{row:?}"
    );
    // A request is no word of the loop: all words in any order.
    let words = texts(&looped(&[("meine zeit", 0.9)], "[unk]"));
    assert!(words.iter().all(|word| !word.contains(' ')) && words.len() > 100, "{words:?}");
    assert!(["zeit", "springer", "meine"].iter().all(|word| words.contains(&(*word).to_owned())));
    assert_eq!(texts(&looped(&[("wie viel zeit habe ich", 0.9)], "[unk]")), nothing);
    // A word of requests before a full announcement may be talk.
    let said = "springer gustav eins felix drei";
    let led = format!("mit {said}");
    let compared = texts(&looped(&[(&led, 0.9)], "[unk] eins felix drei"));
    assert_eq!(compared[..2], [led.as_str(), "[unk] eins felix drei"]);
    assert!(compared.iter().any(|text| text == said), "{compared:?}");
    assert_eq!(texts(&looped(&[("mit springer felix drei", 0.9)], "springer")), nothing);
}

#[test]
fn a_clear_announcement_of_an_illegal_move_is_called_illegal() {
    let (_, matcher) = start();
    let decision = matcher.decide(&Heard::text("Turm Anna eins Anna fünf"));
    let HeardDecision::Illegal { spoken, .. } = &decision else { panic!("{decision:?}") };
    assert_eq!(spoken.text, "Turm Anna eins Anna fünf");
    assert_eq!(decision.word(), "again");
}

#[test]
fn a_phrase_that_means_several_moves_asks_which() {
    let pos = position("4k3/P7/8/8/8/5N2/8/1N2K3 w - - 0 1");
    let matcher = Matcher::new(&german(), &pos, Context::default());
    let HeardDecision::Ambiguous { moves, .. } =
        matcher.decide(&Heard::text("Springer David zwei"))
    else {
        panic!("{:?}", matcher.decide(&Heard::text("Springer David zwei")));
    };
    assert_eq!(moves.len(), 2);
    let HeardDecision::Ambiguous { moves, .. } = matcher.decide(&Heard::text("Anna acht")) else {
        panic!("{:?}", matcher.decide(&Heard::text("Anna acht")));
    };
    assert_eq!(moves.len(), 4);
    assert!(moves.contains(&mv(&pos, "a7a8q")));
}

#[test]
fn whatever_binds_the_player_is_confirmed_even_when_heard_perfectly() {
    let (_, matcher) = start();
    for (text, wanted) in [
        ("ich gebe auf", Command::Resign),
        ("Remis", Command::OfferDraw),
        ("Remis annehmen", Command::AcceptDraw),
        ("Stellungswiederholung", Command::ClaimRepetition),
        ("fünfzig Züge", Command::ClaimFifty),
    ] {
        let decision = matcher.decide(&Heard::text(text));
        assert!(
            matches!(decision, HeardDecision::ConfirmCommand { command, .. } if command == wanted),
            "{text}: {decision:?}"
        );
    }
}

#[test]
fn single_words_out_of_noise_are_asked_about_and_stop_is_not() {
    let (_, matcher) = start();
    let lauter = |p| matcher.decide(&ranked(&[("lauter", p)]));
    assert!(matches!(lauter(0.95), HeardDecision::Command { command: Command::Louder, .. }));
    assert!(matches!(lauter(0.6), HeardDecision::ConfirmCommand { command: Command::Louder, .. }));
    assert!(matches!(lauter(0.1), HeardDecision::Again { .. }));
    let stop = matcher.decide(&ranked(&[("stopp", 0.7)]));
    assert!(matches!(stop, HeardDecision::Command { command: Command::Stop, .. }), "{stop:?}");
    let a_move = matcher.decide(&looped(&[("lauter", 0.95)], "turm anna drei"));
    assert!(matches!(a_move, HeardDecision::Again { .. }), "{a_move:?}");
}

#[test]
fn corrections_and_claims_carry_their_move() {
    let pos = Chess::default();
    let matcher = Matcher::new(&german(), &pos, Context::default());
    let corrected = matcher.decide(&Heard::text("Korrektur Springer Gustav eins Felix drei"));
    assert!(
        matches!(corrected, HeardDecision::Accept { mv: m, correction: true, .. } if m == mv(&pos, "g1f3")),
        "{corrected:?}"
    );
    let alone = matcher.decide(&Heard::text("Korrektur"));
    assert!(
        matches!(alone, HeardDecision::Command { command: Command::Correction, .. }),
        "{alone:?}"
    );
    let claim = matcher.decide(&Heard::text("Stellungswiederholung mit Springer Felix drei"));
    assert!(
        matches!(
            claim,
            HeardDecision::ConfirmCommand { command: Command::ClaimRepetition, intended: Some(m), .. }
                if m == mv(&pos, "g1f3")
        ),
        "{claim:?}"
    );
}

#[test]
fn a_correction_that_may_be_another_piece_is_asked_about() {
    let pos = position("4k3/8/8/8/8/2N5/4P3/4K3 w - - 0 1");
    let matcher = Matcher::new(&german(), &pos, Context::default());
    let asked = matcher.decide(&Heard::text("Korrektur Eva vier"));
    assert!(asks_about(&asked, mv(&pos, "e2e4")), "{asked:?}");
    let clear = matcher.decide(&Heard::text("Korrektur Bauer Eva zwei Eva vier"));
    assert!(matches!(clear, HeardDecision::Accept { correction: true, .. }), "{clear:?}");
}

#[test]
fn too_many_promotions_leave_the_natural_phrases_in_the_grammar() {
    let pos = position("nnnnnnnn/PPPPPPPP/8/8/8/8/8/k1K5 w - - 0 1");
    let grammar = move_grammar(&german(), &pos);
    assert!(grammar.contains(&"bauer anna sieben schlägt bella acht wird dame".to_owned()));
    assert!(!grammar.iter().any(|text| text.contains("von ")), "{}", grammar.len());
}

#[test]
fn numbers_answer_only_when_they_are_asked_for() {
    let words = german();
    let ear = Ear::new(&words);
    let pos = Chess::default();
    let asked = |asked| Context { asked, ..Context::default() };
    let zwei = Heard::text("zwei");
    let decision = ear.matcher(&pos, asked(Asked::Number(2))).decide(&zwei);
    assert!(
        matches!(decision, HeardDecision::Answer { answer: Answer::Number(2), .. }),
        "{decision:?}"
    );
    for nothing in [Asked::Nothing, Asked::YesNo, Asked::Number(1)] {
        let decision = ear.matcher(&pos, asked(nothing)).decide(&zwei);
        assert!(matches!(decision, HeardDecision::Again { .. }), "{nothing:?}: {decision:?}");
    }
    for (text, wanted) in [
        ("ja", Answer::Yes),
        ("nein", Answer::No),
        ("Dame", Answer::Piece(Role::Queen)),
        ("Springer", Answer::Piece(Role::Knight)),
    ] {
        let decision = ear.matcher(&pos, asked(Asked::YesNo)).decide(&Heard::text(text));
        assert!(
            matches!(decision, HeardDecision::Answer { answer, .. } if answer == wanted),
            "{text}: {decision:?}"
        );
    }
}

#[test]
fn the_opponents_repetition_is_compared() {
    let (pos, matcher) = start();
    let announced = mv(&pos, "g1f3");
    let repeated = |text: &str| matcher.repeats(announced, &Heard::text(text));
    assert_eq!(repeated("Springer Gustav eins Felix drei"), Repetition::Same);
    assert_eq!(repeated("Springer Felix drei"), Repetition::Same);
    assert_eq!(repeated("Springer Gustav eins"), Repetition::Unclear);
    assert_eq!(repeated("Springer Gustav eins Felix"), Repetition::Same);
    assert_eq!(repeated("Springer Gustav eins Hector drei"), Repetition::Other(mv(&pos, "g1h3")));
    assert_eq!(repeated("Wie bitte"), Repetition::Unclear);
}

#[test]
fn the_json_line_says_what_was_decided() {
    let (pos, matcher) = start();
    assert_eq!(
        json(&matcher, &pos, &Heard::text("Springer Gustav eins Felix drei")),
        r#"{"move":"g1f3","san":"Nf3","confidence":0.995,"decision":"accept","command":null}"#
    );
    assert_eq!(
        json(&matcher, &pos, &Heard::text("was steht auf Eva vier")),
        r#"{"move":null,"san":null,"confidence":0.978,"decision":"command","command":"on-square e4"}"#
    );
    assert_eq!(
        json(&matcher, &pos, &Heard::text("ich gebe auf")),
        r#"{"move":null,"san":null,"confidence":0.998,"decision":"confirm","command":"resign"}"#
    );
    assert_eq!(
        json(&matcher, &pos, &Heard::text("")),
        r#"{"move":null,"san":null,"confidence":0.0,"decision":"again","command":null}"#
    );
}

#[test]
fn grammars_hold_what_may_be_said_now() {
    let words = german();
    let pos = Chess::default();
    let moves = move_grammar(&words, &pos);
    assert!(moves.contains(&"springer gustav eins felix drei".to_owned()));
    assert!(moves.contains(&"eva vier".to_owned()));
    let offered = command_grammar(&words, &Context::default());
    let context = Context { draw_offered: false, ..Context::default() };
    let not_offered = command_grammar(&words, &context);
    assert!(offered.contains(&"remis annehmen".to_owned()));
    assert!(!not_offered.contains(&"remis annehmen".to_owned()));
    assert!(not_offered.contains(&"was steht auf eva vier".to_owned()));
    let led = led_grammar(&words, &pos);
    assert!(led.contains(&"korrektur springer gustav eins felix drei".to_owned()));
    assert!(led.contains(&"stellungswiederholung mit springer gustav eins felix drei".to_owned()));
    let answers = answer_grammar(&words);
    for answer in ["ja", "nein", "eins", "acht", "korrektur", "dame", "springer"] {
        assert!(answers.contains(&answer.to_owned()), "{answer}");
    }
    let single = word_loop(&words);
    assert!(single.contains(&"läufer".to_owned()) && single.contains(&"passant".to_owned()));
    assert!(single.iter().all(|word| !word.contains(' ')));
    let without = Matcher::new(&words, &pos, context).decide(&Heard::text("Remis annehmen"));
    assert!(!matches!(without, HeardDecision::ConfirmCommand { command: Command::AcceptDraw, .. }));
}

#[test]
fn what_a_player_taught_is_understood() {
    let words = german();
    let pos = Chess::default();
    let heard = Heard::text("Springer Gustav eins Phönix drei");
    let before = Ear::new(&words).matcher(&pos, Context::default()).decide(&heard);
    assert!(!matches!(before, HeardDecision::Accept { .. }), "{before:?}");
    let lesson = ("Felix vier".to_owned(), "phönix vier".to_owned());
    let learnt = learn(&vec![lesson; 6]);
    let after = Ear::with_confusions(&words, &learnt).matcher(&pos, Context::default());
    let after = after.decide(&heard);
    assert!(
        matches!(after, HeardDecision::Accept { mv: m, .. } if m == mv(&pos, "g1f3")),
        "{after:?}"
    );
}

#[test]
fn stricter_thresholds_ask_more() {
    let (pos, matcher) = start();
    let strict = Thresholds { accept_confidence: 0.99, ..Thresholds::default() };
    let decision = matcher.with_thresholds(strict).decide(&Heard::text("Eva vier"));
    assert!(asks_about(&decision, mv(&pos, "e2e4")), "{decision:?}");
}
