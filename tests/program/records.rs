//! A game's record as others get it: score sheets, the arbiter's report, PGN, Braille, the
//! envelope.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use annabella::service::Service;
use annabella_core::game::{
    ArbiterAct, At, GameConfig, HandsKnown, HandsOf, Input, Outcome, PageAct, PageEntry, PageRole,
    Penalty, Ruling, Started,
};
use annabella_core::laws::Article;
use annabella_records::journal::{
    GameId, Journal,
    export::{Labels, Row, Sheet, pages},
    report::{Report, ReportLabels},
};
use proptest::prelude::*;
use shakmaty::Color;

use crate::recorded::{fools_mate, games, started};
use crate::skip::skipped;

fn text(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.is_empty(), "{error}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn ruling(act: ArbiterAct, reason: &str) -> Input {
    Input::Arbiter(Box::new(Ruling::new(act, "A. <Weber>", reason)))
}

/// Fool's mate with a penalty before White's second move. The sighted Black wrote other things than
/// he played.
fn played(folder: &Path, names: [&str; 2]) -> PathBuf {
    let (white, black) = (Color::White, Color::Black);
    fools_mate(folder, names, |ply| {
        if ply != 3 {
            return Vec::new();
        }
        let penalty = Penalty::TimeToOpponent { ms: 120_000 };
        let said = |seat, text: &str| Input::Said { seat, heard: vec![text.into()] };
        [
            Input::Score { seat: black, from_ply: 1, text: "f3 e7-e5?".into() },
            said(Some(white), "remis anbieten"),
            said(Some(white), "ja"),
            said(None, "schiedsrichter"),
            ruling(ArbiterAct::Penalty { seat: black, penalty }, "talks & <b>shouts</b>"),
            ruling(ArbiterAct::StartClocks { side: Some(white) }, ""),
        ]
        .map(|input| (100, input))
        .into()
    })
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn score_sheets_show_what_each_player_wrote_and_where_they_sign() {
    let folder = folder();
    let path = played(folder.path(), ["Anna", "Hector"]);
    let sheets = text(&games(&["export", "1", "--sheet", "--lang", "en"], &path));
    let white = "\
Score sheet – Anna, White

Date:         2023-11-14
White:        Anna
Black:        Hector
Time control: 3+2

No.  White  Black   White's clock  Black's clock
  1  f3     e5 (=)        0:03:02        0:02:59
  2  g4     Qh4#          0:05:00        0:02:55
";
    assert!(sheets.starts_with(white), "{sheets}");
    assert!(sheets.contains("\nScore sheet – Hector, Black\n"), "{sheets}");
    assert!(sheets.contains("  1  f3     e7-e5? (=)"), "as written: {sheets}");
    assert!(sheets.contains("\nResult: 0-1 (checkmate)\n"), "{sheets}");

    let page = text(&games(&["export", "1", "--sheet", "--html"], &path));
    assert_eq!(page.matches("<!DOCTYPE html>").count(), 1);
    assert_eq!(page.matches("<section class=\"sheet\">").count(), 2);
    assert!(page.contains("<html lang=\"de\">") && page.contains("@page { size: A4;"));
    assert!(page.contains("<p class=\"sign\">Unterschrift, Weiß: Anna</p>"), "{page}");
    assert!(page.contains("<p class=\"sign\">Unterschrift, Schiedsrichter</p>"), "{page}");
    assert!(page.contains("<td>e7-e5? (=)</td>"), "{page}");
    well_formed(&page);
}

#[test]
fn a_signature_stands_on_both_sheets() {
    let folder = folder();
    let path = fools_mate(folder.path(), ["Anna", "Hector"], |ply| {
        if ply != 3 {
            return Vec::new();
        }
        let draw = ArbiterAct::Declare { result: Outcome::Draw, article: Article::A8_7 };
        let seat = Some(Color::White);
        let signs = Input::Said { seat, heard: vec!["ich unterschreibe".into()] };
        vec![(100, ruling(draw, "")), (100, signs)]
    });
    let page = text(&games(&["export", "1", "--sheet", "--html"], &path));
    let signed = "<p class=\"sign\">Unterschrift, Weiß: Anna (unterschrieben)</p>";
    assert_eq!(page.matches(signed).count(), 2, "{page}");
    assert_eq!(page.matches("<p class=\"sign\">Unterschrift, Schwarz: Hector</p>").count(), 2);
}

/// Everybody presses the clock after a mate, on pages and by word.
#[test]
fn the_press_after_the_end_is_no_incident_of_the_report() {
    let folder = folder();
    let path = played(folder.path(), ["Anna", "Hector"]);
    let journal = Journal::open(&path).expect("opens");
    let (mut service, _) = Service::resume(journal, GameId { number: 1 }).expect("goes on");
    let pressed = PageEntry {
        act: PageAct::Pressed { seat: Color::Black },
        role: PageRole::Assistant,
        by: String::new(),
    };
    let said = Input::Said { seat: None, heard: vec!["fertig".into()] };
    for input in [Input::Page(Box::new(pressed)), said] {
        service.input(At::new(600_000), input).expect("kept");
    }
    drop(service);
    let report = text(&games(&["export", "1", "--report"], &path));
    assert!(report.contains("Ergebnis (5.1.1): 0-1: matt"), "{report}");
    assert!(!report.contains("6.11.1"), "{report}");
}

#[test]
fn the_report_tells_who_decided_what_and_why() {
    let folder = folder();
    let path = played(folder.path(), ["Anna", "Hector"]);
    let report = text(&games(&["export", "1", "--report", "--lang", "en"], &path));
    for line in [
        "Arbiter's report\n",
        "White: Anna\n",
        "Arbiter: A. <Weber>\n",
        "Result: 0-1 (checkmate, 5.1.1)\n",
        "  Offer (8.1.5): White offers a draw (=)\n",
        "  Problem (6.11.2): White calls the arbiter\n",
        "  Heard: \"remis anbieten\" | \"ja\" | \"schiedsrichter\"\n",
        "  Decision (12.9.2): Black (12.9.2): 0:02:00 more for the opponent\n",
        "  Decided by: A. <Weber>\n",
        "  Reason: talks & <b>shouts</b>\n",
        "  Result (5.1.1): 0-1: checkmate\n",
        "1. f3 | Touched f2 | Announced 0:00:02 | Made 0:00:02 | Completed 0:00:02 | White's clock 0:03:02",
    ] {
        assert!(report.contains(line), "{line}\nis not in\n{report}");
    }
    let german = text(&games(&["export", "1", "--report"], &path));
    for line in [
        "Bericht des Schiedsrichters\n",
        "  Entscheidung (12.9.2): Schwarz (12.9.2): 0:02:00 mehr für den Gegner\n",
        "  Regel: ein Spieler hält die Uhren an, um den Schiedsrichter zu rufen\n",
        "  Grund: talks & <b>shouts</b>\n",
    ] {
        assert!(german.contains(line), "{line}\nis not in\n{german}");
    }
    let page = text(&games(&["export", "1", "--report", "--html"], &path));
    assert!(page.contains("talks &amp; &lt;b&gt;shouts&lt;/b&gt;"), "{page}");
    assert!(page.contains("</strong>: Weiß ruft den Schiedsrichter"), "{page}");
    assert!(page.contains("<th scope=\"col\">Was geschah</th>"), "{page}");
    // What was heard is marked as such, for its language is the game's.
    assert_eq!(page.matches("<td><samp>").count(), 4, "{page}");
    well_formed(&page);
}

#[test]
fn the_report_is_written_in_its_readers_language_with_pictures_that_say_what_they_show() {
    let folder = folder();
    let path = played(folder.path(), ["Anna", "Hector"]);
    let page = text(&games(&["export", "1", "--report", "--html"], &path));
    // The king in mate, and the position when the arbiter was called.
    assert!(page.matches("<svg class=\"picture\" role=\"img\"").count() >= 2, "{page}");
    assert!(page.contains("aria-label=\"Stellung. Weiß: Ke1 Dd1 "), "{page}");
    assert!(page.contains("Schwarz: Ke8 Dh4 "), "{page}");
    let chart = "<svg class=\"times\" role=\"img\" aria-label=\"Zeit auf der Uhr nach jedem Zug. Weiß: 0:05:00. Schwarz: ";
    assert!(page.contains(chart), "{page}");
    assert!(page.contains("<td>Dh4#</td>") && !page.contains("Qh4"), "{page}");
    assert!(page.contains(".11.2023, ") && !page.contains("2023.11"), "{page}");
    assert!(!page.contains(" style="), "{page}");
    well_formed(&page);
    let english = text(&games(&["export", "1", "--report", "--lang", "en"], &path));
    assert!(english.contains("Date: 2023-11-1"), "{english}");
}

#[test]
fn what_was_heard_stands_beside_the_move_it_belongs_to() {
    let hands = HandsOf { white: HandsKnown::Announced, ..HandsOf::default() };
    let config = GameConfig { hands, ..GameConfig::default() };
    let said = |text: &str| Input::Said { seat: None, heard: vec![text.to_owned()] };
    let inputs: Vec<(At, Input)> = [
        Input::Started(Box::new(started(config))),
        Input::ClockStarted,
        said("e4"),
        said("was ist offen"),
        said("fertig"),
        said("e5"),
        said("Sf3"),
        said("fertig"),
        said("meine Zeit"),
    ]
    .into_iter()
    .zip(1..)
    .map(|(input, second)| (At::new(second * 1000), input))
    .collect();
    let report = Report::of(1, &inputs, &ReportLabels::of("de")).expect("a game");
    let heard: Vec<String> = report.moves.iter().map(|row| row.heard.join(" ")).collect();
    assert_eq!(heard, ["\"e4\" \"was ist offen\" \"fertig\"", "\"e5\"", "\"Sf3\" \"fertig\""]);
}

/// What is said one second after another, the blind White by word only; then the German report.
fn report_after_words(words: &[&str]) -> String {
    let hands = HandsOf { white: HandsKnown::Announced, ..HandsOf::default() };
    let config = GameConfig { hands, ..GameConfig::default() };
    let said = |text: &&str| Input::Said { seat: None, heard: vec![(*text).to_owned()] };
    let inputs: Vec<(At, Input)> = [Input::Started(Box::new(started(config))), Input::ClockStarted]
        .into_iter()
        .chain(words.iter().map(said))
        .zip(1..)
        .map(|(input, second)| (At::new(second * 1000), input))
        .collect();
    let labels = ReportLabels::of("de");
    Report::of(1, &inputs, &labels).expect("a game").to_text(&labels)
}

#[test]
fn the_words_that_decide_stand_with_the_result_and_the_offer() {
    for (words, wanted) in [
        // He resigns on the move, after a completed one.
        (
            &["e4", "fertig", "e5", "ich gebe auf", "ja"][..],
            "  Ergebnis (5.1.2): 0-1: Aufgabe\n  Regel: REGEL\n  Gehört: \"ich gebe auf\" | \"ja\"\n",
        ),
        // Nothing has been played yet.
        (
            &["ich gebe auf", "ja"],
            "  Ergebnis (5.1.2): 0-1: Aufgabe\n  Regel: REGEL\n  Gehört: \"ich gebe auf\" | \"ja\"\n",
        ),
        // An offer belongs to a move that is made and not completed (9.1).
        (
            &["e4", "remis anbieten", "ja", "fertig", "e5"],
            "  Angebot (8.1.5): Weiß bietet Remis an (=)\n  Regel: REGEL\n  Gehört: \"remis anbieten\" | \"ja\"\n",
        ),
    ] {
        let report = report_after_words(words);
        let rule = |line: &&str| line.starts_with("  Regel: ");
        let rules: String = report
            .lines()
            .map(|line| if rule(&line) { "  Regel: REGEL\n".into() } else { format!("{line}\n") })
            .collect();
        assert!(rules.contains(wanted), "{wanted}\nis not in\n{report}");
    }
    // The words that end the game are none of the opponent's move.
    let report = report_after_words(&["e4", "fertig", "e5", "ich gebe auf", "ja"]);
    let last = report.lines().find(|line| line.starts_with("1... e5")).expect("his move");
    assert!(!last.contains("ja"), "{last}");
}

#[test]
fn a_penalty_taken_back_is_called_so_and_not_a_wrongly_set_clock() {
    let folder = folder();
    let (white, black) = (Color::White, Color::Black);
    let path = fools_mate(folder.path(), ["Anna", "Hector"], |ply| {
        if ply != 3 {
            return Vec::new();
        }
        let penalty = Penalty::TimeOff { ms: 60_000 };
        [
            ruling(ArbiterAct::StopClocks, ""),
            ruling(ArbiterAct::IllegalMove { seat: black, article: Article::A7_5_4 }, ""),
            ruling(ArbiterAct::ConfirmProposal { number: 1, choice: None }, ""),
            ruling(ArbiterAct::TakeBack { ruling: 2 }, "it was none"),
            ruling(ArbiterAct::Penalty { seat: white, penalty }, ""),
            ruling(ArbiterAct::TakeBack { ruling: 4 }, ""),
            ruling(ArbiterAct::StartClocks { side: Some(white) }, ""),
        ]
        .map(|input| (100, input))
        .into()
    });
    for (code, lines) in [
        (
            "de",
            [
                "  Entscheidung (12.9.2): eine Zeitstrafe ist zurückgenommen (Vorschlag 1); die Uhr von Weiß auf ",
                "  Entscheidung (12.9.3): eine Zeitstrafe ist zurückgenommen; die Uhr von Weiß auf ",
            ],
        ),
        (
            "en",
            [
                "  Decision (12.9.2): a penalty of time is taken back (proposal 1); White's clock is set to ",
                "  Decision (12.9.3): a penalty of time is taken back; White's clock is set to ",
            ],
        ),
    ] {
        let report = text(&games(&["export", "1", "--report", "--lang", code], &path));
        for line in lines {
            assert!(report.contains(line), "{line}\nis not in\n{report}");
        }
        assert!(!report.contains("6.10.2"), "no clock was set wrongly: {report}");
    }
    let pgn = text(&games(&["export", "1", "--pgn"], &path)).replace('\n', " ");
    let line = "arbiter A. <Weber>: a penalty of time is taken back (proposal 1); White's clock is set to ";
    assert!(pgn.contains(line), "{pgn}");
}

#[test]
fn a_report_in_any_language_says_why_boards_and_scores_are_corrected() {
    let folder = folder();
    let path = fools_mate(folder.path(), ["Anna", "Hector"], |ply| match ply {
        3 => vec![(100, Input::Score { seat: Color::Black, from_ply: 1, text: "f3 e6".into() })],
        _ => Vec::new(),
    });
    for (code, line) in [
        ("en", "Problem (D.2.9): The scores differ at ply 2 (Black's move 1): "),
        (
            "de",
            "Vorfall (D.2.9): Die Mitschriften weichen beim Zug 1 voneinander ab. Mitschrift von Weiß: \"e5\". \
             Mitschrift von Schwarz: \"e6\". Zurück zur Stellung nach 1. f3. Zu tun: ",
        ),
        ("fr", "(D.2.9): Les feuilles diffèrent au coup 1. Feuille : Blancs: \"e5\". Feuille : "),
        ("lt", "(D.2.9): Užrašai skiriasi nuo ėjimo 1. Užrašas: "),
    ] {
        let report = text(&games(&["export", "1", "--report", "--lang", code], &path));
        assert!(report.contains(line), "{line}\nis not in\n{report}");
        assert_eq!(report.contains("The scores"), code == "en", "{report}");
    }
}

#[test]
fn a_report_says_in_any_language_which_board_is_corrected_and_a_typing_error_is_no_incident() {
    let folder = folder();
    let (black, role) = (Color::Black, PageRole::Assistant);
    let stands = |fen: &str| {
        let act = PageAct::Stands { seat: black, fen: fen.to_owned() };
        (100, Input::Page(Box::new(PageEntry { act, role, by: String::new() })))
    };
    let path = fools_mate(folder.path(), ["Anna", "Hector"], |ply| match ply {
        // The bishop of c1 is gone.
        3 => vec![stands("rubbish"), stands("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RN1QKBNR")],
        _ => Vec::new(),
    });
    for code in ["en", "de", "es", "fr", "lt", "pl", "ru"] {
        let report = text(&games(&["export", "1", "--report", "--lang", code], &path));
        assert!(!report.contains("rubbish"), "{code}: {report}");
        let english = ["The scores", "player", "white bishop", "known"];
        let found: Vec<_> = english.iter().filter(|word| report.contains(**word)).collect();
        assert_eq!(found.is_empty(), code != "en", "{code} {found:?}: {report}");
    }
    let report = text(&games(&["export", "1", "--report"], &path));
    let line = "  Vorfall (D.2.9): Die Mitschriften stimmen überein. Zu berichtigen: das Brett von Schwarz. \
                Zu tun: Schwarz – Auf c1 setzen: weißer Läufer.\n";
    assert!(report.contains(line), "{line}\nis not in\n{report}");
}

#[test]
fn every_paper_of_a_game_has_the_date_of_where_it_is_written() {
    let folder = folder();
    let path = played(folder.path(), ["Anna", "Hector"]);
    // It began on the 14th at 22:13 at Greenwich.
    for (zone, date, report) in [
        ("NZDT-13", ["2023.11.15", "15.11.2023"], "Date: 2023-11-15, 11:13\n"),
        ("AST4", ["2023.11.14", "14.11.2023"], "Date: 2023-11-14, 18:13\n"),
    ] {
        // As PGN has it, or as the paper's language writes it.
        let date = &date[..];
        for (args, wanted) in [
            (&["export", "1", "--report", "--lang", "en"][..], &[report][..]),
            (&["export", "1", "--sheet"], date),
            (&["export", "1", "--sheet", "--html"], date),
            (&["export", "1", "--pgn"], date),
            (&["list"], date),
            (&["show", "1"], date),
        ] {
            let mut call = Command::new(env!("CARGO_BIN_EXE_annabella"));
            call.arg("games").args(args).arg("--journal").arg(&path).env("TZ", zone);
            let written = text(&call.output().expect("runs"));
            let found = wanted.iter().any(|date| written.contains(date));
            assert!(found, "{zone} {args:?}: {written}");
        }
    }
}

#[test]
fn a_game_that_began_on_a_clock_that_was_not_set_has_no_date() {
    let folder = folder();
    let path = folder.path().join("games.db");
    let begun = Started { unix_s: 60, ..started(GameConfig::default()) };
    let journal = Journal::open(&path).expect("opens");
    drop(Service::begin(journal, At::new(0), begun).expect("begins"));
    for (args, unknown) in [
        (&["list"][..], "  ????.??.??  "),
        (&["list", "--json"], "\"date\":\"????.??.??\""),
        (&["show", "1"], "????.??.??"),
        (&["export", "1", "--pgn"], "[Date \"????.??.??\"]\n"),
        (&["export", "1", "--sheet"], "??.??.????\n"),
        (&["export", "1", "--report"], "Datum: ??.??.????\n"),
    ] {
        let mut call = Command::new(env!("CARGO_BIN_EXE_annabella"));
        let call = call.arg("games").args(args).arg("--journal").arg(&path).env("LC_ALL", "C");
        let written = text(&call.output().expect("runs"));
        assert!(written.contains(unknown) && !written.contains("1970"), "{args:?}: {written}");
    }
}

#[test]
fn half_points_are_written_as_people_say_them() {
    let folder = folder();
    let seat = Color::Black;
    let path = fools_mate(folder.path(), ["Anna", "Hector"], |ply| {
        let act = |penalty| (100, ruling(ArbiterAct::Penalty { seat, penalty }, ""));
        match ply {
            2 => vec![
                act(Penalty::PointsToOpponent { halves: 1 }),
                act(Penalty::PointsToOpponent { halves: 2 }),
                act(Penalty::PointsOff { halves: 1 }),
                act(Penalty::PointsOff { halves: 3 }),
            ],
            _ => Vec::new(),
        }
    });
    let report = text(&games(&["export", "1", "--report"], &path));
    for points in [
        "½ Punkt mehr für den Gegner",
        "1 Punkt mehr für den Gegner",
        "½ Punkt weniger",
        "1½ Punkte weniger",
    ] {
        assert!(report.contains(&format!(" {points}")), "{points}: {report}");
    }
    assert!(!report.contains("0½") && !report.contains("½ Punkte mehr"), "{report}");
    let report = text(&games(&["export", "1", "--report", "--lang", "en"], &path));
    assert!(report.contains(" ½ point more for the opponent"), "{report}");
}

#[test]
fn pgn_has_the_clocks_and_the_decisions_beside_the_moves() {
    let folder = folder();
    let path = played(folder.path(), ["Anna", "Hector"]);
    let pgn = text(&games(&["export", "1", "--pgn"], &path));
    let one_line = pgn.replace('\n', " ");
    assert!(one_line.contains("1. f3 {[%clk 0:03:02]}"), "{pgn}");
    assert!(
        one_line.contains(
            "(=); arbiter A. <Weber>: Black (12.9.2): 0:02:00 more for the opponent \
             (talks & <b>shouts</b>); arbiter A. <Weber>: White's clock runs}"
        ),
        "{pgn}"
    );
    let read = annabella_core::notation::pgn::read_games(&pgn).expect("PGN");
    assert_eq!(read[0].plies(), 4);
}

#[test]
fn the_blind_players_score_in_braille_names_its_convention() {
    let folder = folder();
    let path = played(folder.path(), ["Anna", "Hector"]);
    let brf = text(&games(&["export", "1", "--braille", "--lang", "en"], &path));
    let head = "\
,ANNA - ,HECTOR
#BJBC4AA4AD1 #C\"6#B
,SCORE KEPT BY ,WHITE
,MOVES IN THE ,,UKAAF ,BRAILLE ,CHESS
  ,CODE1 #BJAE2 CASTLING O-O1 PROMOTION
  AND DRAW OFFER AS IN PRINT4 ,TEXT IN
  UNCONTRACTED ,UNIFIED ,ENGLISH
  ,BRAILLE4
";
    assert!(brf.starts_with(head), "{brf}");
    assert!(brf.contains("\n1 F3 E5 \"<\"7\">\n2 G4 QH4>M\n"), "{brf}");
    assert!(brf.lines().all(|line| line.len() <= 40) && brf.is_ascii(), "{brf}");
    let unicode = text(&games(&["export", "1", "--braille", "--unicode", "--lang", "en"], &path));
    assert!(unicode.contains("\n⠂ ⠋⠒ ⠑⠢ ⠐⠣⠐⠶⠐⠜\n⠆ ⠛⠲ ⠟⠓⠲⠜⠍\n"), "{unicode}");
    assert!(unicode.lines().all(|line| line.chars().count() <= 40));
}

#[test]
fn braille_of_another_language_is_refused_and_not_written_as_english() {
    let folder = folder();
    let path = played(folder.path(), ["Anna", "Hector"]);
    for lang in ["es", "fr", "lt", "pl", "ru"] {
        let refused = games(&["export", "1", "--braille", "--lang", lang], &path);
        assert_eq!(refused.status.code(), Some(2));
        assert!(refused.stdout.is_empty());
        assert_eq!(
            String::from_utf8_lossy(&refused.stderr),
            format!(
                "annabella: no Braille code of chess in '{lang}' is known here: use --lang de or --lang en\n"
            )
        );
    }
}

#[test]
fn a_german_score_in_braille_is_german() {
    let folder = folder();
    let path = played(folder.path(), ["Anna", "Hector"]);
    let unicode = text(&games(&["export", "1", "--braille", "--unicode"], &path));
    let head = "⠁⠝⠝⠁ ⠠⠤ ⠓⠑⠉⠞⠕⠗\n";
    assert!(unicode.starts_with(head), "{unicode}");
    assert!(unicode.contains("\n⠏⠁⠗⠞⠊⠑⠋⠕⠗⠍⠥⠇⠁⠗⠒ ⠺⠑⠊⠮\n"), "{unicode}");
    assert!(unicode.contains("\n⠼⠁⠄ ⠋⠼⠉ ⠑⠼⠑ ⠶⠈⠶⠶\n⠼⠃⠄ ⠛⠼⠙ ⠙⠓⠼⠙⠈⠼\n"), "{unicode}");
}

/// liblouis, as screen readers and embossers have it, sets the same signs.
#[test]
fn german_braille_is_that_of_liblouis() {
    let table = "unicode.dis,de-g0.utb";
    let mut liblouis = Command::new("lou_translate");
    liblouis.arg(table).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut child) = liblouis.spawn() else {
        return skipped("liblouis", "German Braille is not compared");
    };
    let folder = folder();
    let path = played(folder.path(), ["Jörg Müller", "Renée Weiß"]);
    let unicode = text(&games(&["export", "1", "--braille", "--unicode"], &path));
    let lines = [
        ("Jörg Müller - Renée Weiß", 0),
        ("Partieformular: Weiß", 2),
        ("Züge wie in Schwarzschrift mit den", 3),
        ("1. f3 e5 (=)", 7),
        ("2. g4 Dh4#", 8),
        ("Ergebnis: 0-1", 10),
    ];
    let print: String = lines.iter().map(|(line, _)| format!("{line}\n")).collect();
    child.stdin.take().expect("piped").write_all(print.as_bytes()).expect("written");
    let set = String::from_utf8(child.wait_with_output().expect("ends").stdout).expect("UTF-8");
    let all: Vec<&str> = unicode.lines().collect();
    for ((line, at), by_liblouis) in lines.iter().zip(set.lines()) {
        assert_eq!(all[*at], by_liblouis.replace('\u{2800}', " "), "{line}: {unicode}");
    }
}

#[test]
fn to_a_clock_of_its_own_the_sealed_moves_increment_is_added_by_hand_i_5() {
    for external_clock in [false, true] {
        let folder = folder();
        let path = folder.path().join("games.db");
        let config = GameConfig { external_clock, ..GameConfig::default() };
        let journal = Journal::open(&path).expect("opens");
        drop(Service::begin(journal, At::new(0), started(config)).expect("begins"));
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("written");
            path.to_str().expect("UTF-8").to_owned()
        };
        let secret = file("secret", "long rook to nowhere\n");
        let sealed = file("move", "Sg1-f3\n");
        let with = |args: &[&str]| {
            let arbiter = ["1", "--arbiter", "A. Weber", "--passphrase-file", &secret];
            text(&games(&[&args[..1], &arbiter, &args[1..]].concat(), &path))
        };
        with(&["adjourn", "--move-file", &sealed]);
        let said = with(&["open"]);
        let by_hand = "it comes before white's next move, and to a clock that keeps its own time \
                       control (control = \"read\") you add it by hand";
        assert_eq!(said.contains(by_hand), external_clock, "{said}");
    }
}

#[test]
fn an_adjourned_game_from_the_keyboard_to_its_resumption() {
    let folder = folder();
    let path = folder.path().join("games.db");
    let config =
        GameConfig { white: "Anna".into(), black: "Hector".into(), ..GameConfig::default() };
    let journal = Journal::open(&path).expect("opens");
    let (service, _) = Service::begin(journal, At::new(0), started(config)).expect("begins");
    drop(service);
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "long rook to nowhere\n").expect("written");
    let sealed = folder.path().join("move");
    std::fs::write(&sealed, "Sg1-f3\n").expect("written");
    let (secret, sealed) = (secret.to_str().expect("UTF-8"), sealed.to_str().expect("UTF-8"));
    let args = [
        "adjourn",
        "1",
        "--arbiter",
        "A. Weber",
        "--date",
        "22.11.",
        "--time",
        "10:00",
        "--place",
        "Saal 2",
        "--passphrase-file",
        secret,
        "--move-file",
        sealed,
    ];
    let said = text(&games(&args, &path));
    assert!(said.contains("game 1 is adjourned, move 1. is sealed"), "{said}");
    assert!(!said.contains("f3"), "{said}");
    assert_eq!(
        text(&games(&["list"], &path)),
        "   1  2023.11.14  Anna – Hector, 0 plies, adjourned until 22.11., 10:00, Saal 2\n\
         `annabella play` shows game 1: `annabella games open 1` lets it go on; --game N plays \
         another of these.\n"
    );

    let page = text(&games(&["envelope", "1"], &path));
    for fact in [
        "<dt>Weiß</dt><dd>Anna</dd>",
        "<dt>Schwarz</dt><dd>Hector</dd>",
        "<dt>Abgegeben von</dt><dd>Anna (Weiß)</dd>",
        "<dt>Nummer des Abgabezugs</dt><dd>1.</dd>",
        "<dt>Verbrauchte Zeit</dt><dd>Weiß 0:00:00, Schwarz 0:00:00</dd>",
        "<dt>Uhrenstand</dt><dd>Weiß 1:30:30, Schwarz 1:30:30</dd>",
        "<dt>Remisangebot von</dt><dd>Kein Remisangebot</dd>",
        "<dt>Datum</dt><dd>22.11.</dd>",
        "<dt>Uhrzeit</dt><dd>10:00</dd>",
        "<dt>Ort</dt><dd>Saal 2</dd>",
        "<dd>rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1</dd>",
        "aria-label=\"schwarzer König\">♚</span>",
        "-----BEGIN AGE ENCRYPTED FILE-----",
    ] {
        assert!(page.contains(fact), "{fact}\nis not in\n{page}");
    }
    well_formed(&page);
    for (lang, title) in [("fr", "Coup sous pli"), ("pl", "Ruch zapisany"), ("en", "Sealed move")] {
        let page = text(&games(&["envelope", "1", "--lang", lang], &path));
        assert!(page.contains(&format!("<html lang=\"{lang}\">")), "{page}");
        assert!(page.contains(&format!("<h1>{title}</h1>")), "{page}");
    }
    let age = text(&games(&["envelope", "1", "--age"], &path));
    assert!(age.starts_with("-----BEGIN AGE") && !age.contains("Sg1-f3"), "{age}");

    let wrong = folder.path().join("wrong");
    std::fs::write(&wrong, "quite another one").expect("written");
    let wrong = wrong.to_str().expect("UTF-8");
    let refused = games(&["open", "1", "--arbiter", "A. Weber", "--passphrase-file", wrong], &path);
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&refused.stderr),
        "annabella: the passphrase does not open this envelope: enter the one that it was sealed with\n"
    );
    let opened = games(&["open", "1", "--arbiter", "A. Weber", "--passphrase-file", secret], &path);
    let said = text(&opened);
    assert!(said.contains("said: Abgabezug: Springer Gustav eins Felix drei."), "{said}");
    assert!(said.contains("game 1 can go on"), "{said}");
    let list = text(&games(&["list"], &path));
    assert_eq!(
        list,
        "   1  2023.11.14  Anna – Hector, 1 ply, going on\n\
         `annabella play` goes on with game 1; --game N plays another of these.\n"
    );
}

#[test]
fn a_sealed_move_that_cannot_be_played_is_decided_at_the_keyboard() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.db");
    let journal = Journal::open(&path).expect("opens");
    drop(Service::begin(journal, At::new(0), started(GameConfig::default())).expect("begins"));
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.to_str().expect("UTF-8").to_owned()
    };
    let (secret, sealed) = (file("secret", "long rook to nowhere"), file("move", "Sg1-g5"));
    let by = ["1", "--arbiter", "A. Weber"];
    let with = |args: &[&str]| games(&[&args[..1], &by, &args[1..]].concat(), &path);
    text(&with(&["adjourn", "--passphrase-file", &secret, "--move-file", &sealed]));
    let opened = with(&["open", "--passphrase-file", &secret]);
    assert_eq!(opened.status.code(), Some(1));
    let said = String::from_utf8_lossy(&opened.stdout);
    assert!(said.contains("I.8: the move sealed by White cannot be played"), "{said}");
    let wrong = with(&["open", "--confirm", "2"]);
    assert_eq!(
        String::from_utf8_lossy(&wrong.stderr),
        "annabella: --confirm: there are 1 proposals, counted from 1\n"
    );
    let decided = with(&["open", "--confirm", "--reason", "no knight goes there"]);
    assert_eq!(decided.status.code(), Some(0), "{decided:?}");
    let list = text(&games(&["list"], &path));
    assert!(list.contains("0-1"), "{list}");
    let again = with(&["open", "--confirm"]);
    assert_eq!(
        String::from_utf8_lossy(&again.stderr),
        "annabella: game 1: nothing waits for a decision under I.8\n"
    );
}

/// Every element is closed in its turn, and no text opens one.
fn well_formed(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let style_end = page.find("</style>").expect("a style");
    let style_start = page.find("<style>").expect("a style");
    let without_style = format!("{}{}", &page[..style_start], &page[style_end + 8..]);
    for tag in without_style.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').unwrap_or_else(|| panic!("'<{tag}' has no end"));
        assert!(!text.contains('>'), "{text}");
        let name = tag.split(' ').next().unwrap_or_default();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{tag}"),
            None if matches!(name, "!DOCTYPE" | "meta" | "br") || tag.ends_with('/') => {}
            None => open.push(name),
        }
        for entity in text.split('&').skip(1) {
            let name = entity.split(';').next().unwrap_or_default();
            assert!(matches!(name, "amp" | "lt" | "gt" | "quot" | "#39"), "&{entity}");
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_text_on_a_sheet_is_text_and_no_markup(
        texts in proptest::collection::vec("\\PC{0,40}", 6), rows in 0..95_u32,
    ) {
        let rows: Vec<Row> = (1..=rows)
            .map(|number| Row {
                number,
                white: texts[0].clone(),
                black: texts[1].clone(),
                white_ms: Some(u64::from(number)),
                note: texts[2].clone(),
                ..Row::default()
            })
            .collect();
        let tables = rows.len().div_ceil(30).max(1);
        let sheet = Sheet {
            white: texts[3].clone(),
            kept_by: texts[4].clone(),
            reason: texts[5].clone(),
            rows,
            labels: Labels::of("de"),
            ..Sheet::default()
        };
        let page = pages(&[sheet.clone(), sheet]);
        well_formed(&page);
        prop_assert_eq!(page.matches("<table>").count(), tables * 2);
    }

    #[test]
    fn any_names_words_and_reasons_leave_report_and_braille_whole(
        white in "\\PC{0,60}", black in "\\PC{0,60}", reason in "\\PC{0,80}", said in "\\PC{0,80}",
    ) {
        let config = GameConfig { white, black, ..GameConfig::default() };
        let inputs = vec![
            (At::new(0), Input::Started(Box::new(started(config)))),
            (At::new(10), Input::Said { seat: None, heard: vec![said] }),
            (At::new(20), ruling(ArbiterAct::Note { text: annabella_words::phrase::Note::Words(reason.clone()) }, &reason)),
            (At::new(30), Input::Pressed { seat: Color::White }),
        ];
        for labels in [ReportLabels::of("de"), ReportLabels::of("en")] {
            let report = Report::of(3, &inputs, &labels).expect("a report");
            well_formed(&report.to_html(&labels));
            prop_assert!(!report.to_text(&labels).chars().any(|c| c.is_control() && c != '\n'));
        }
        let (game, _) = annabella_core::game::Game::replay(inputs);
        let record = game.record().expect("begun");
        let form = annabella_records::journal::braille::BrailleForm::Brf;
        for labels in [Labels::of("de"), Labels::of("en")] {
            let score = annabella_records::journal::braille::score;
            let brf = score(&record, Color::White, form, &labels);
            prop_assert!(brf.is_ascii() && brf.lines().all(|line| line.len() <= 40), "{}", brf);
        }
    }
}
