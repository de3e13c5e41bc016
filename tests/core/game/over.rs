//! A game that is over: what it refuses, by which article, and what it still takes in.

use annabella_core::{
    game::{
        Adjourn, ArbiterAct, GameConfig, Input, Outcome, PageAct, PageEntry, PageRole, Penalty,
        PlayerWord,
    },
    laws::Article,
};
use shakmaty::Color::{Black, White};

use super::table::Table;

fn over() -> Table {
    let mut table = Table::new(GameConfig { sighted_board: true, ..GameConfig::default() });
    table.start_clock();
    table.moves("e2", "e4");
    table.press(White);
    table.rules(ArbiterAct::Declare { result: Outcome::Draw, article: Article::A12_9 });
    table.heard();
    table
}

/// The article by which the last input was refused.
fn refused(table: &Table) -> Option<String> {
    let last = table.results.last().expect("an input");
    last.as_ref().err().map(|refused| refused.article.to_string())
}

#[test]
fn after_the_end_each_input_is_refused_by_its_article() {
    let mut table = over();
    let page = |act| {
        Input::Page(Box::new(PageEntry {
            act,
            role: PageRole::Assistant,
            by: "B. Kern".to_owned(),
        }))
    };
    let withdrawn = Adjourn::Withdrawn { arbiter: "A. Weber".to_owned() };
    for (input, article) in [
        (Input::ClockStarted, "6.6"),
        (Input::Adjourn(Box::new(withdrawn)), "5.1.1"),
        (page(PageAct::Pressed { seat: Black }), "6.11.1"),
        (page(PageAct::Says { seat: Black, word: PlayerWord::Resigns }), "5.1.1"),
        (page(PageAct::CompareBoards), "5.1.1"),
    ] {
        let shown = format!("{input:?}");
        table.input(input);
        assert_eq!(refused(&table).as_deref(), Some(article), "{shown}");
    }
}

#[test]
fn after_the_end_each_request_is_refused_by_its_article() {
    let mut table = over();
    for (said, article) in [
        ("uhr starten", "6.6"),
        ("uhr anhalten", "6.11.2"),
        ("zeit überschritten", "6.8"),
        ("grundstellung falsch", "7.2.1"),
        ("farben vertauscht", "7.3"),
        ("bretter vergleichen", "5.1.1"),
        ("stellung prüfen", "5.1.1"),
        ("hängepartie", "5.1.1"),
    ] {
        table.input(Input::Said { seat: Some(White), heard: vec![said.to_owned()] });
        assert_eq!(refused(&table).as_deref(), Some(article), "{said}");
    }
}

#[test]
fn after_the_end_the_arbiter_replaces_the_result_or_lets_play_go_on() {
    let mut table = over();
    let off = Penalty::TimeOff { ms: 1000 };
    for (act, article) in [
        (ArbiterAct::StopClocks, Some("6.11.1")),
        (ArbiterAct::StartClocks { side: None }, Some("6.11.3")),
        (ArbiterAct::Penalty { seat: Black, penalty: off }, Some("12.9.3")),
        (ArbiterAct::AcceptMove { uci: "e7e5".to_owned() }, Some("D.2.3")),
        (ArbiterAct::IllegalMove { seat: Black, article: Article::A7_5_4 }, Some("7.5.4")),
        (ArbiterAct::LetStand { ply: 1, uci: "e2e4".to_owned() }, Some("4.7")),
        (ArbiterAct::Penalty { seat: Black, penalty: Penalty::Warning }, None),
        (ArbiterAct::Declare { result: Outcome::WhiteWins, article: Article::A8_7 }, None),
        (ArbiterAct::PlayOn, None),
        (ArbiterAct::StopClocks, None),
    ] {
        let shown = format!("{act:?}");
        table.rules(act);
        let results = table.results.iter().rev();
        let inputs = table.inputs.iter().rev();
        let ruled = inputs.zip(results).find(|((_, input), _)| matches!(input, Input::Arbiter(_)));
        let (_, result) = ruled.expect("a ruling");
        let by = result.as_ref().err().map(|refused| refused.article.to_string());
        assert_eq!(by.as_deref(), article, "{shown}");
    }
}

#[test]
fn after_the_end_requests_are_answered_and_boards_are_felt() {
    let mut table = over();
    table.says(White, "letzter Zug");
    assert!(!table.spoken().is_empty());
    table.lift("d2");
    assert_eq!(refused(&table), None);
}

/// Whoever types after the end hears that it has come, and what is left to say.
#[test]
fn after_the_end_words_for_a_game_that_is_played_are_answered() {
    let help = "Sag: Anfang, weiter, zurück, letzter Zug. Für mehr: noch einmal Hilfe.";
    for (result, over) in [
        (Outcome::BlackWins, "Die Partie ist zu Ende. Schwarz hat gewonnen."),
        (Outcome::Draw, "Die Partie ist zu Ende. Remis."),
        (Outcome::BothLose, "Die Partie ist zu Ende."),
    ] {
        let mut table = Table::new(GameConfig { sighted_board: true, ..GameConfig::default() });
        table.start_clock();
        table.rules(ArbiterAct::Declare { result, article: Article::A12_9 });
        table.heard();
        for said in [
            "Springer Gustav eins Felix drei",
            "d4",
            "korrektur",
            "korrektur d4",
            "uhr starten",
            "uhr anhalten",
            "zug zurück",
            "remis anbieten",
            "ich gebe auf",
            "fertig",
        ] {
            table.heard();
            let input = Input::Said { seat: None, heard: vec![said.to_owned()] };
            table.input(input);
            let refused = table.results.last().expect("an input").clone().err();
            let is_refused = refused.is_some();
            let told = match refused.and_then(|refused| refused.words) {
                Some(words) => vec![format!("ear: {words}")],
                None => table.heard(),
            };
            assert_eq!(told, [format!("ear: {over} {help}")], "{said}");
            // A sighted player hears it aloud, and short.
            let seat = Some(Black);
            table.heard();
            table.input(Input::Said { seat, heard: vec![said.to_owned()] });
            let refused = table.results.last().expect("an input").clone().err();
            if let Some(words) = refused.and_then(|refused| refused.words) {
                assert_eq!(words.to_string(), over, "{said}");
            }
            // Everybody presses the clock after a mate.
            assert_eq!(is_refused, said != "fertig", "{said}");
        }
    }
}

#[test]
fn after_the_end_no_question_about_a_move_is_open_5_1_1() {
    let mut table = Table::at("3r4/4P3/8/8/8/8/k7/7K w - - 0 1", GameConfig::default());
    table.start_clock();
    table.script("e7- e8+ ~900 w\"ich gebe auf\" w\"ja\"");
    assert_eq!(table.result().as_deref(), Some("0-1 5.1.2"), "{:#?}", table.heard());
    table.heard();
    table.says(White, "was ist offen");
    assert_eq!(table.spoken(), ["ear: Nichts offen."]);
}
