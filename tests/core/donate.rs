//! Giving one's voice: what is heard, what is kept, and that nothing is written before somebody
//! agreed.

use std::collections::BTreeSet;

use annabella_core::donate::{
    Certainty, Consenting, DonateAct, DonateEnd, Donation, Donor, TakeFault, plan,
};
use annabella_words::phrase::{
    Words,
    hear::{Heard, Hypothesis, Thresholds},
};
use proptest::prelude::*;
use shakmaty::Chess;

const CONSENT: [&str; 5] = [
    "Du kannst Annabella deine Stimme geben, damit sie mehr Menschen versteht. Das dauert etwa zehn Minuten.",
    "Aufgenommen wird nur, was du mir nachsprichst, und dein Ja. Damit lernt das Programm, Wörter des Schachs zu verstehen, und damit wird es geprüft. Von allein wird nichts gesendet.",
    "Deine Aufnahmen stehen unter der Lizenz Creative Commons Zero. Das heißt: Jeder darf sie für alles verwenden, ohne zu fragen und ohne dich zu nennen.",
    "Was veröffentlicht ist, lässt sich nicht zurückholen. Solange du nichts geschickt hast, löscht ein Wort von dir alles. Deinen Namen brauche ich nicht.",
    "Bist du einverstanden? Ja oder nein.",
];
const ADULT: &str = "Bist du achtzehn oder älter?";
const GUARDIAN: &str = "Dann muss jemand zustimmen, der das Sorgerecht für dich hat. Diese Person antwortet selbst: Sind Sie mit alldem einverstanden? Ja oder nein.";
const NAME: &str = "In der Liste heißt du Vega vier sieben eins eins. Gut so? Bei nein kommt ein anderer Name, oder tipp einen.";
const AGE: &str = "Wie alt bist du? Eins: unter dreizehn. Zwei: unter achtzehn. Drei: unter vierzig. Vier: unter sechzig. Fünf: sechzig oder älter. Willst du nicht antworten, sag: weiter.";
const REGION: &str = "Wo hast du sprechen gelernt? Eins: im Norden Deutschlands. Zwei: in der Mitte. Drei: im Süden. Vier: in Österreich. Fünf: in der Schweiz. Sechs: mit einer anderen Muttersprache. Willst du nicht antworten, sag: weiter.";
const NOTHING: &str = "Gut. Es ist nichts gespeichert.";

fn donor() -> Donor {
    Donor {
        words: Words::builtin("fide", "de").expect("built in"),
        understands: true,
        limits: Thresholds::default(),
        positions: vec![Chess::default()],
        names: vec!["vega-4711".to_owned(), "mira-1000".to_owned()],
        taken: vec!["rigel-2000".to_owned()],
    }
}

fn sure(text: &str) -> Heard {
    Heard::ranked(vec![Hypothesis::new(text, 0.99)])
}

/// What is said, and all the rest.
fn parted(acts: Vec<DonateAct>) -> (Vec<String>, Vec<DonateAct>) {
    let mut said = Vec::new();
    let mut rest = Vec::new();
    for act in acts {
        match act {
            DonateAct::Say(words) => said.push(words.to_string()),
            act => rest.push(act),
        }
    }
    (said, rest)
}

/// A person who is heard well.
struct Talk(Donation);

impl Talk {
    fn begin(donor: Donor) -> (Talk, Vec<String>) {
        let (donation, acts) = Donation::begin(donor);
        (Talk(donation), parted(acts).0)
    }

    fn says(&mut self, text: &str) -> (Vec<String>, Vec<DonateAct>) {
        parted(self.0.heard(&sure(text), None))
    }

    fn types(&mut self, line: &str) -> (Vec<String>, Vec<DonateAct>) {
        parted(self.0.typed(line))
    }

    /// What is said, where nothing else is to be done.
    fn hears(&mut self, text: &str) -> Vec<String> {
        let (said, rest) = self.says(text);
        assert_eq!(rest, [], "{text}");
        said
    }
}

/// A plan of these texts.
fn among(texts: &[&str]) -> Talk {
    let plan: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    let (donation, acts) = Donation::resume(donor(), plan, BTreeSet::new());
    let (said, rest) = parted(acts);
    assert_eq!(rest, []);
    assert_eq!(said.last(), Some(&format!("Sag: {}.", texts[0])));
    Talk(donation)
}

fn keep(text: usize, take: u8, certainty: Certainty, heard: &str) -> DonateAct {
    DonateAct::Keep { text, take, certainty, heard: heard.to_owned() }
}

#[test]
fn whoever_agrees_is_asked_who_he_is_and_then_for_word_after_word() {
    let (mut talk, said) = Talk::begin(donor());
    assert_eq!(said, CONSENT);
    assert_eq!(talk.0.plan(), [""; 0]);
    let (said, rest) = talk.says("ja");
    assert_eq!(said, [ADULT]);
    assert_eq!(rest, [DonateAct::Consented { who: Consenting::Donor, spoken: true }]);
    assert_eq!(talk.hears("ja"), [NAME]);
    assert_eq!(talk.hears("ja"), [AGE]);
    assert_eq!(talk.hears("drei"), [REGION]);
    let (said, rest) = talk.says("weiter");
    assert_eq!(rest, [DonateAct::Begin]);
    let plan = plan(&donor().words, &donor().positions, "vega-4711");
    assert_eq!(talk.0.plan(), plan);
    assert_eq!(said.len(), 2);
    assert!(
        said[0].starts_with("Sprich mir hundert")
            && said[0].ends_with(
                " Wörter und Sätze nach, so wie am Brett. Sag jederzeit „noch einmal“, „zurück“, „stopp“ für eine Pause, „Schluss“ für heute oder „löschen“ für alles."
            ),
        "{said:?}"
    );
    assert_eq!(said[1], format!("Sag: {}.", plan[0]));
    let agreed: Vec<String> = talk.0.agreed().iter().map(ToString::to_string).collect();
    assert_eq!(agreed, CONSENT);
    assert_eq!(talk.0.answers().map(|(_, answer)| answer), [Some(3), None]);
}

#[test]
fn whoever_does_not_agree_has_nothing_written() {
    for no in ["nein", "abbrechen", "schluss"] {
        let (mut talk, _) = Talk::begin(donor());
        let (said, rest) = talk.says(no);
        assert_eq!(
            (said, rest),
            (vec![NOTHING.to_owned()], vec![DonateAct::End(DonateEnd::Declined)])
        );
        assert_eq!(talk.hears("ja"), [""; 0], "it is over");
    }
    // Nor whoever leaves at any question after it, or is silent.
    for answers in [&["ja"][..], &["ja", "ja"], &["ja", "ja", "ja"], &["ja", "ja", "ja", "drei"]] {
        let (mut talk, _) = Talk::begin(donor());
        for answer in answers {
            let (_, rest) = talk.says(answer);
            assert!(!rest.contains(&DonateAct::Begin), "{answers:?}");
        }
        let (said, rest) = talk.says("schluss");
        assert_eq!(
            (said, rest),
            (vec![NOTHING.to_owned()], vec![DonateAct::End(DonateEnd::Declined)])
        );
    }
    let (mut talk, _) = Talk::begin(donor());
    assert_eq!(parted(talk.0.silence()).0, CONSENT);
    assert_eq!(parted(talk.0.silence()).0, CONSENT);
    assert_eq!(parted(talk.0.silence()).1, [DonateAct::End(DonateEnd::Declined)]);
}

#[test]
fn a_yes_that_may_be_noise_is_asked_again() {
    let (mut talk, _) = Talk::begin(donor());
    let doubtful = Heard::ranked(vec![Hypothesis::new("ja", 0.4), Hypothesis::new("[unk]", 0.6)]);
    let (said, rest) = parted(talk.0.heard(&doubtful, None));
    assert!(!rest.iter().any(|act| matches!(act, DonateAct::Consented { .. })), "{rest:?}");
    assert!(said.is_empty() || said[0] == "Noch einmal, bitte.", "{said:?}");
}

#[test]
fn for_a_minor_a_guardian_agrees_or_it_ends_kindly() {
    let (mut talk, _) = Talk::begin(donor());
    talk.says("ja");
    assert_eq!(talk.hears("nein"), [GUARDIAN]);
    let mut without = Talk(talk.0.clone());
    let (said, rest) = without.says("nein");
    assert_eq!(
        said,
        ["Dann geht es diesmal nicht. Danke, dass du helfen wolltest. Es ist nichts gespeichert."]
    );
    assert_eq!(rest, [DonateAct::End(DonateEnd::Declined)]);
    let (said, rest) = talk.says("ja");
    assert_eq!(said, [NAME]);
    assert_eq!(rest, [DonateAct::Consented { who: Consenting::Guardian, spoken: true }]);
    assert_eq!(talk.0.agreed().last().map(ToString::to_string).as_deref(), Some(GUARDIAN));
    // A boy who says that he is eleven is one, whatever he said before.
    let (mut boy, _) = Talk::begin(donor());
    boy.says("ja");
    boy.hears("ja");
    boy.hears("ja");
    assert_eq!(boy.hears("eins"), [GUARDIAN]);
    assert_eq!(boy.says("ja").0, [REGION]);
}

#[test]
fn everything_can_be_typed_where_nobody_is_heard() {
    let (mut talk, _) = Talk::begin(Donor { understands: false, ..donor() });
    assert_eq!(talk.hears("ja"), [""; 0]);
    let (said, rest) = talk.types("ja");
    assert_eq!(said, [ADULT]);
    assert_eq!(rest, [DonateAct::Consented { who: Consenting::Donor, spoken: false }]);
    assert_eq!(talk.types("j").0, [NAME]);
    assert_eq!(talk.types("Rigel-2000").0, ["Noch einmal, bitte.", NAME], "another has that name");
    assert_eq!(talk.types("Blinde-Eule").0, [AGE]);
    assert_eq!(talk.0.name(), "blinde-eule");
    assert_eq!(talk.types("9").0, ["Noch einmal, bitte.", AGE]);
    assert_eq!(talk.types("5").0, [REGION]);
    let (_, rest) = talk.types("");
    assert_eq!(rest, [DonateAct::Begin]);
    // What nobody checks is likely.
    let (_, rest) = talk.says("[unk]");
    assert_eq!(rest, [keep(0, 1, Certainty::Likely, "")]);
}

#[test]
fn a_name_that_is_not_liked_is_followed_by_another() {
    let (mut talk, _) = Talk::begin(donor());
    talk.says("ja");
    talk.hears("ja");
    let said = talk.hears("nein");
    assert!(said[0].starts_with("In der Liste heißt du Mira eins null null null. Gut so?"));
    let (mut named, _) = Talk::begin(Donor { names: vec!["eule".to_owned()], ..donor() });
    named.says("ja");
    assert_eq!(named.hears("ja"), [AGE], "whoever has chosen one is not asked");
}

#[test]
fn what_was_heard_right_is_kept_as_exact_and_the_next_is_asked_for() {
    let mut talk = among(&["Gustav", "fünf"]);
    let (said, rest) = talk.says("[unk] gustav");
    assert_eq!(said, ["Sag: fünf."]);
    assert_eq!(rest, [keep(0, 1, Certainty::Exact, "gustav")]);
    let (said, rest) = talk.says("fünf");
    assert_eq!(said, ["Danke für deine Stimme. Aufnahmen: zwei."]);
    assert_eq!(rest, [keep(1, 1, Certainty::Exact, "fünf"), DonateAct::End(DonateEnd::Done)]);
}

#[test]
fn what_is_misheard_is_asked_for_once_more_and_kept_whatever_is_heard_then() {
    let mut talk = among(&["fünf", "drei"]);
    let (said, rest) = talk.says("eins");
    assert_eq!(said, ["Noch einmal, bitte.", "Sag: fünf."]);
    assert_eq!(rest, [keep(0, 1, Certainty::Guess, "eins")]);
    let (said, rest) = talk.says("eins");
    assert_eq!(said, ["Sag: drei."]);
    assert_eq!(rest, [keep(0, 2, Certainty::Doubtful, "eins")]);
    talk.says("zwei");
    let (_, rest) = talk.says("drei");
    assert_eq!(rest[0], keep(1, 2, Certainty::Exact, "drei"));
}

#[test]
fn a_bad_recording_is_made_again_with_the_reason_and_the_second_one_is_doubtful() {
    for (fault, why) in [
        (TakeFault::TooQuiet, "Zu leise. Komm näher ans Mikrofon."),
        (TakeFault::Clipped, "Zu laut. Geh weiter weg vom Mikrofon."),
        (TakeFault::Cut, "Abgeschnitten. Warte einen Moment, bevor du sprichst."),
    ] {
        let mut talk = among(&["Gustav", "fünf"]);
        let again = parted(talk.0.heard(&sure("gustav"), Some(fault)));
        assert_eq!(again, (vec![why.to_owned(), "Sag: Gustav.".to_owned()], vec![]));
        let (_, rest) = parted(talk.0.heard(&sure("gustav"), Some(fault)));
        assert_eq!(rest, [keep(0, 2, Certainty::Doubtful, "gustav")]);
    }
    let mut talk = among(&["Gustav", "fünf"]);
    let cough = parted(talk.0.heard(&sure("gustav"), Some(TakeFault::TooShort)));
    assert_eq!(cough, (vec![], vec![]), "a cough is no take");
    // Nothing that is a word: a lorry, or a voice in which nothing is heard.
    let (said, rest) = talk.says("[unk]");
    assert_eq!((said.len(), rest.len()), (2, 0));
    assert_eq!(talk.says("[unk]").1, [keep(0, 2, Certainty::Doubtful, "")]);
}

#[test]
fn requests_steer_at_any_time() {
    let mut talk = among(&["Gustav", "fünf", "Springer"]);
    assert_eq!(talk.hears("noch einmal"), ["Sag: Gustav."]);
    assert_eq!(talk.hears("zurück"), ["Weiter zurück geht es nicht.", "Sag: Gustav."]);
    talk.says("gustav");
    let (said, rest) = talk.says("zurück");
    assert_eq!(
        (said, rest),
        (vec!["Sag: Gustav.".to_owned()], vec![DonateAct::Forget { text: 0 }])
    );
    talk.says("gustav");
    let pause = "Pause. Sag „weiter“, wenn es weitergeht.";
    assert_eq!(talk.hears("stopp"), [pause]);
    assert_eq!(talk.hears("fünf"), [""; 0], "nobody is recorded in a pause");
    assert_eq!(parted(talk.0.silence()), (vec![], vec![]), "however long it is");
    assert_eq!(talk.hears("weiter"), ["Sag: fünf."]);
    assert_eq!(talk.hears("schluss"), ["Für heute aufhören?"]);
    assert_eq!(talk.hears("nein"), ["Sag: fünf."]);
    assert_eq!(talk.types("Pause").0, [pause]);
    assert_eq!(talk.types("").0, ["Sag: fünf."]);
    assert_eq!(talk.types("").0, ["Sag: Springer."], "Enter leaves a text out");
    assert_eq!(talk.types("unsinn").0, ["Noch einmal, bitte.", "Sag: Springer."]);
    assert_eq!(talk.hears("schluss"), ["Für heute aufhören?"]);
    let (said, rest) = talk.says("ja");
    assert_eq!(said, ["Gespeichert, noch zwei. Beim nächsten Mal geht es hier weiter."]);
    assert_eq!(rest, [DonateAct::End(DonateEnd::Later)]);
}

#[test]
fn everything_is_deleted_at_a_word_which_is_asked_back() {
    let asked = "Alles löschen, was du gesprochen hast?";
    let mut talk = among(&["Gustav", "fünf"]);
    assert_eq!(talk.hears("löschen"), [asked]);
    assert_eq!(talk.hears("nein"), ["Sag: Gustav."]);
    assert_eq!(talk.types("alles löschen").0, [asked]);
    let (said, rest) = talk.says("ja");
    assert_eq!(said, ["Alles gelöscht."]);
    assert_eq!(rest, [DonateAct::Delete, DonateAct::End(DonateEnd::Deleted)]);
}

#[test]
fn a_request_that_is_asked_for_is_a_take() {
    for text in ["wiederhole", "zurück", "stopp", "Schluss für heute", "löschen", "ja", "weiter"]
    {
        let mut talk = among(&[text, "fünf"]);
        let (_, rest) = talk.says(&text.to_lowercase());
        assert_eq!(rest, [keep(0, 1, Certainty::Exact, &text.to_lowercase())]);
    }
}

#[test]
fn a_word_that_is_heard_as_the_same_request_twice_is_a_word_misheard() {
    let mut talk = among(&["acht", "fünf"]);
    assert_eq!(talk.hears("noch mal"), ["Sag: acht."]);
    let (_, rest) = talk.says("noch mal");
    assert_eq!(rest, [keep(0, 1, Certainty::Guess, "noch mal")]);
    let (said, rest) = talk.says("noch mal");
    assert_eq!(
        (said, rest),
        (vec!["Sag: fünf.".to_owned()], vec![keep(0, 2, Certainty::Doubtful, "noch mal")])
    );
}

#[test]
fn whoever_says_nothing_hears_it_once_more_and_then_there_is_a_pause() {
    let mut talk = among(&["Gustav", "fünf"]);
    assert_eq!(parted(talk.0.silence()).0, ["Sag: Gustav."]);
    assert_eq!(parted(talk.0.silence()).0, ["Pause. Sag „weiter“, wenn es weitergeht."]);
}

#[test]
fn it_goes_on_where_it_was_left_and_what_was_left_out_comes_again() {
    let plan = ["Gustav", "fünf", "Springer"].map(str::to_owned).to_vec();
    let (donation, acts) = Donation::resume(donor(), plan.clone(), BTreeSet::from([0]));
    let mut talk = Talk(donation);
    let (said, _) = parted(acts);
    assert!(said[0].starts_with("Sprich mir zwei Wörter und Sätze nach,"), "{said:?}");
    assert_eq!(said[1], "Sag: fünf.");
    assert_eq!(talk.types("").0, ["Sag: Springer."]);
    let (said, rest) = talk.says("springer");
    assert_eq!(said, ["Gespeichert, noch eins. Beim nächsten Mal geht es hier weiter."]);
    assert_eq!(rest.last(), Some(&DonateAct::End(DonateEnd::Later)));
}

#[test]
fn a_pause_within_an_announcement_does_not_end_it() {
    let talk = among(&["Springer Gustav eins Felix drei", "Springer", "Springer Gustav"]);
    let grammar = talk.0.grammar();
    for begun in ["springer", "springer gustav", "springer gustav eins felix"] {
        assert!(grammar.is_begun(&sure(begun)), "{begun}");
    }
    assert!(!grammar.is_begun(&sure("springer gustav eins felix drei")));
    let single = among(&["Springer", "Springer Gustav eins Felix drei"]);
    assert!(!single.0.grammar().is_begun(&sure("springer")));
}

#[test]
fn how_many_are_left_is_said_now_and_then() {
    let texts: Vec<String> = (0..41).map(|n| ["Gustav", "fünf"][n % 2].to_owned()).collect();
    let (donation, _) = Donation::resume(donor(), texts, BTreeSet::new());
    let mut talk = Talk(donation);
    assert_eq!(talk.says("gustav").0, ["Noch vierzig.", "Sag: fünf."]);
    assert_eq!(talk.says("fünf").0, ["Sag: Gustav."]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is said, typed or not said: nothing is to be written before the folder, nor after
    /// the end.
    #[test]
    fn nothing_is_written_before_the_consent_and_nothing_after_the_end(
        acts in prop::collection::vec((0usize..14, 0u8..4), 0..80),
    ) {
        let texts = [
            "ja", "nein", "weiter", "zurück", "stopp", "schluss", "löschen", "noch einmal", "drei",
            "gustav", "[unk]", "fünf", "", "eule",
        ];
        let (mut donation, mut told) = Donation::begin(donor());
        let (mut agreed, mut begun, mut over) = (false, false, false);
        for (text, how) in acts {
            for act in &told {
                prop_assert!(!over, "{act:?}");
                match act {
                    DonateAct::Consented { .. } => agreed = true,
                    DonateAct::Begin => {
                        prop_assert!(agreed && !begun);
                        begun = true;
                    }
                    DonateAct::Keep { text, .. } | DonateAct::Forget { text } => {
                        prop_assert!(begun && *text < donation.plan().len());
                    }
                    DonateAct::Delete => prop_assert!(begun),
                    DonateAct::End(_) => over = true,
                    DonateAct::Say(_) => {}
                }
            }
            prop_assert!(donation.left() <= donation.plan().len());
            told = match how {
                0 => donation.typed(texts[text]),
                1 => donation.silence(),
                2 => donation.heard(&sure(texts[text]), Some(TakeFault::Cut)),
                _ => donation.heard(&sure(texts[text]), None),
            };
        }
    }
}
