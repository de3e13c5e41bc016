//! A game is read for as long as its journal lies there, whatever later versions say and ask.

use annabella_words::phrase::{Command, PackError, Prompt, Words, pack};
use shakmaty::Chess;

/// The German pack of another version: a sentence is missing, one is called otherwise, one has
/// another slot, a table is new, and one sentence was changed by its user.
fn older() -> String {
    let mut text = pack::builtin("de").expect("built in").to_owned();
    for (now, then) in [
        ("\nnothing-pending = \"Nichts offen.\"", ""),
        ("\ndraw-offered = \"Remis angeboten.\"", "\nremis-offered = \"Remis angeboten.\""),
        ("\ndraw-offered-by = \"{player} bietet", "\ndraw-offered-by = \"{who} bietet"),
        ("\narbiter-decides = \"Der Schiedsrichter", "\narbiter-decides = \"Die Schiedsrichterin"),
    ] {
        assert!(text.contains(now), "{now}");
        text = text.replacen(now, then, 1);
    }
    text + "\n[once]\nthere = \"was\"\n"
}

#[test]
fn a_game_of_another_version_has_its_words_and_what_they_lack_is_todays() {
    let older = older();
    let refused = Words::from_toml(&older, &older).expect_err("nobody may write such a pack");
    assert!(matches!(refused, PackError::Unfinished { .. }), "{refused}");
    let words = Words::of_journal([&older, &older]).expect("a game's packs are read");
    let said = |prompt| words.prompt(prompt, &[]).to_string();
    assert_eq!(said(Prompt::ArbiterDecides), "Die Schiedsrichterin entscheidet.");
    assert_eq!(said(Prompt::NothingPending), "Nichts offen.");
    assert_eq!(said(Prompt::DrawOffered), "Remis angeboten.");
    let today = Words::builtin("de", "de").expect("built in");
    assert_eq!(words.command_phrases(), today.command_phrases());
    assert!(words.phrase_for(Command::OfferDraw).is_some());
}

#[test]
fn a_language_of_its_own_that_lacks_sentences_keeps_its_moves() {
    let own = pack::builtin("pl").expect("built in").replacen("code = \"pl\"", "code = \"xx\"", 1);
    let gone = own.lines().position(|line| line.starts_with("nothing-pending = ")).expect("a line");
    let lines = own.lines().enumerate().filter(|(n, _)| *n != gone).map(|(_, line)| line);
    let own: String = lines.map(|line| format!("{line}\n")).collect();
    let words = Words::of_journal([&own, &own]).expect("read");
    let polish = Words::builtin("pl", "pl").expect("built in");
    let start = Chess::default();
    let move_of = |words: &Words| {
        use annabella_words::phrase::SpokenForm;
        use shakmaty::Position as _;
        words.announce(&start, start.legal_moves()[0], SpokenForm::Full).to_string()
    };
    assert_eq!(move_of(&words), move_of(&polish));
    let english = Words::builtin("en", "en").expect("built in");
    let pending = |words: &Words| words.prompt(Prompt::NothingPending, &[]).to_string();
    assert_eq!(pending(&words), pending(&english));
}

#[test]
fn what_is_no_pack_is_none_of_a_game_either() {
    let whole = pack::builtin("de").expect("built in");
    let refused = Words::of_journal([whole, "= ["]).expect_err("no TOML");
    assert!(matches!(refused, PackError::Toml(_)), "{refused}");
    // Whatever is a table at least: today's words.
    for text in ["", "pack = 1", "[pack]\ncode = \"lt\"\n[prompts]\n[moves]\nfiles = 3\n"] {
        Words::of_journal([text, text]).expect("completed");
    }
}
