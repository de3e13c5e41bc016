//! Files as pairing programs and spreadsheets write them.

use annabella_core::game::Outcome;

use super::{FixedBoards, RoundFile};

fn read(bytes: &[u8], round: Option<usize>) -> RoundFile {
    RoundFile::read_bytes(bytes, round, &FixedBoards::new()).expect("pairings")
}

fn names(file: &RoundFile) -> Vec<(u32, &str, &str)> {
    file.pairs().iter().map(|pair| (pair.board, pair.white.as_str(), pair.black.as_str())).collect()
}

fn told(file: &RoundFile) -> Vec<String> {
    file.unusable().iter().map(ToString::to_string).collect()
}

const CR: &[u8] = include_bytes!("../../../tests/data/pairings/cr.trf");
const ORDER: &[u8] = include_bytes!("../../../tests/data/pairings/board-order.trf");
const FORFEIT: &[u8] = include_bytes!("../../../tests/data/pairings/forfeit-dash.trf");

#[test]
fn lines_may_end_in_cr_alone_and_results_go_back_so() {
    let file = read(CR, Some(1));
    assert_eq!(names(&file), [(1, "Alpha, A", "Beta, B")]);
    let written = file.bytes_with_results(&[(1, Outcome::WhiteWins)]).expect("written");
    assert!(!written.contains(&b'\n'));
    assert_eq!(written.iter().filter(|byte| **byte == b'\r').count(), 3);
    assert_eq!(names(&read(&written, Some(1))), [(1, "Alpha, A", "Beta, B")]);
}

#[test]
fn leaders_sit_at_the_first_board() {
    let file = read(ORDER, Some(2));
    let wanted = [(1, "Delta, D", "Gamma, G"), (2, "Beta, B", "Alpha, A")];
    // Colours as the file says: player 3 has White.
    let wanted = wanted.map(|(board, a, b)| if board == 1 { (board, b, a) } else { (board, a, b) });
    assert_eq!(names(&file), wanted);
    assert_eq!(names(&read(ORDER, Some(1)))[0].0, 1);
}

#[test]
fn a_forfeit_is_named_and_the_rest_is_paired() {
    let file = read(FORFEIT, Some(1));
    assert_eq!(names(&file), [(1, "Gamma, G", "Delta, D")]);
    assert_eq!(
        told(&file),
        ["line 2: round 1: Alpha, A – Beta, B is decided by forfeit, and not played"]
    );
}

/// A report of two rounds whose names have letters of Latin-1.
fn report() -> String {
    let player = |rank: u32, title: &str, name: &str, rest: &str| {
        format!(
            "001 {rank:4} f{title:>3} {name:<33} {:4} GER {:>11} 1980/01/01  0.0 {rank:4}  {rest}\n",
            1_900 + rank,
            12_340_000 + rank,
        )
    };
    [
        "012 Offene Meisterschaft\n022 Würzburg\n032 GER\n092 Individual: Swiss-System\n"
            .to_owned(),
        player(1, "WGM", "Müller, Anna", "   2 w 1     3 b  "),
        player(2, "", "Özil, Berta", "   1 b 0     4 w  "),
        player(3, "wf", "Çelik, Clara", "   4 w =     1 w  "),
        player(4, "", "Dora", "   3 b =     2 b  "),
        "XXR 9\nXXC white1\n".to_owned(),
    ]
    .concat()
}

#[test]
fn encodings_and_line_ends_of_reports_make_no_difference_and_are_kept() {
    let text = report();
    let latin = |text: &str| -> Vec<u8> { text.chars().map(|c| u32::from(c) as u8).collect() };
    let utf16 = |text: &str, big: bool| -> Vec<u8> {
        let units = text.encode_utf16();
        units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    };
    let crlf = text.replace('\n', "\r\n");
    for (name, bytes) in [
        ("UTF-8, LF", text.clone().into_bytes()),
        ("UTF-8, CR LF", crlf.clone().into_bytes()),
        ("UTF-8, CR", text.replace('\n', "\r").into_bytes()),
        ("UTF-8 with a mark", format!("\u{feff}{text}").into_bytes()),
        ("Latin-1, LF", latin(&text)),
        ("Latin-1, CR LF", latin(&crlf)),
        ("Latin-1, CR", latin(&text.replace('\n', "\r"))),
        ("UTF-16, little end first", utf16(&format!("\u{feff}{crlf}"), false)),
        ("UTF-16, big end first", utf16(&format!("\u{feff}{text}"), true)),
        ("UTF-16 without a mark", utf16(&text, false)),
    ] {
        let file = read(&bytes, Some(2));
        let wanted = [(1, "Çelik, Clara", "Müller, Anna"), (2, "Özil, Berta", "Dora")];
        assert_eq!(names(&file), wanted, "{name}");
        assert_eq!(told(&file), [""; 0], "{name}");
        let written = file.bytes_with_results(&[(1, Outcome::Draw)]).expect("written");
        assert_eq!(written.len(), bytes.len(), "{name}");
        let changed = written.iter().zip(&bytes).filter(|(a, b)| a != b).count();
        // Two results, and the points of two players.
        assert!((3..=8).contains(&changed), "{name}: {changed} bytes changed");
    }
}

#[test]
fn a_broadcast_gets_event_round_titles_ratings_and_numbers_from_the_report() {
    let file = read(report().as_bytes(), Some(2));
    let tags = file.tags(1);
    let tag = |name: &str| {
        tags.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.as_str())
    };
    for (name, value) in [
        ("Event", "Offene Meisterschaft"),
        ("Site", "Würzburg"),
        ("Round", "2"),
        ("White", "Çelik, Clara"),
        ("Black", "Müller, Anna"),
        ("WhiteTitle", "WFM"),
        ("BlackTitle", "WGM"),
        ("WhiteElo", "1903"),
        ("BlackElo", "1901"),
        ("WhiteFideId", "12340003"),
        ("BlackFideId", "12340001"),
        ("WhiteTeam", ""),
    ] {
        assert_eq!(tag(name), value, "{name}");
    }
}

#[test]
fn points_of_other_systems_order_the_boards() {
    // With three points for a win, a win is more than two draws.
    let player = |rank: u32, rest: &str| {
        format!(
            "001 {rank:4}      {:<33} 2000 GER    12345678 1980/01/01  0.0 {rank:4}  {rest}\n",
            format!("P{rank}")
        )
    };
    let lines = [
        player(1, "   2 w =     3 b =     2 b  "),
        player(2, "   1 b =     4 w =     1 w  "),
        player(3, "   4 w 1     1 w =     4 b  "),
        player(4, "   3 b 0     2 b =     3 w  "),
    ]
    .concat();
    let boards = |text: &str| {
        let file = read(text.as_bytes(), Some(3));
        file.pairs().iter().map(|pair| pair.white.clone()).collect::<Vec<_>>()
    };
    assert_eq!(boards(&lines), ["P4", "P2"]);
    let two_for_a_draw = format!("{lines}BBW  1.0\nBBD  2.0\n");
    assert_eq!(boards(&two_for_a_draw), ["P2", "P4"]);
}

#[test]
fn tables_of_spreadsheets_are_read_in_seven_languages() {
    for text in [
        "Board;White;Black\n1;Müller;B\n",
        "sep=;\nBrett;Weiß;Schwarz\n1;Müller;B\n",
        "Tisch\tWeiss\tSchwarz\tErgebnis\n1\tMüller\tB\t\n",
        "Bo.,White,Rtg,Black,Rtg,Result\n1.,Müller,1900,B,1800,\n",
        "Éch.;Blancs;Noirs;Résultat\n1;Müller;B;\n",
        "Mesa;Blancas;Negras;Resultado\n1;Müller;B;\n",
        "Szachownica;Białe;Czarne\n1;Müller;B\n",
        "Доска;Белые;Чёрные\n1;Müller;B\n",
        "Lenta;Baltieji;Juodieji\n1;Müller;B\n",
        "Brett;Nr.;Titel;Name;Elo;Ergebnis;Nr.;Titel;Name;Elo\n1;3;FM;Müller;2300;;4;;B;1800\n",
        "\n\nboard,white,black,,\n1,Müller,B,,\n",
    ] {
        let utf8 = text.as_bytes().to_vec();
        let marked = format!("\u{feff}{text}").into_bytes();
        let excel: Vec<u8> = format!("\u{feff}{}", text.replace('\n', "\r\n"))
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for bytes in [utf8, marked, excel, text.replace('\n', "\r").into_bytes()] {
            let file = read(&bytes, None);
            assert_eq!(names(&file), [(1, "Müller", "B")], "{text}");
            assert_eq!(told(&file), [""; 0], "{text}");
        }
    }
    let latin = b"Brett;Wei\xdf;Schwarz\r\n1;M\xfcller;B\r\n";
    assert_eq!(names(&read(latin, None)), [(1, "Müller", "B")]);
    let file =
        read("Brett;Titel;Name;Elo;Titel;Name;Elo\n1;FM;Müller;2300;;B;1800\n".as_bytes(), None);
    let tags = file.tags(1);
    for (name, value) in [("WhiteTitle", "FM"), ("WhiteElo", "2300"), ("BlackElo", "1800")] {
        assert!(tags.contains(&(name.to_owned(), value.to_owned())), "{tags:?}");
    }
}
