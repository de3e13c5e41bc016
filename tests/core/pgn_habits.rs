//! PGN as the world writes it: what is forgiven, what is refused, and that one bad game takes no
//! other with it.

use annabella_core::{
    laws::{Article, ended_after},
    notation::pgn::{PgnFile, PgnGame, read_games},
};

fn file(name: &str) -> PgnFile {
    let path = format!("{}/../../tests/data/pgn/{name}", env!("CARGO_MANIFEST_DIR"));
    PgnFile::read(&std::fs::read(&path).expect(&path))
}

fn only(file: &PgnFile) -> &PgnGame {
    match file.games.as_slice() {
        [Ok(game)] => game,
        other => panic!("{other:?}"),
    }
}

fn told(file: &PgnFile) -> Vec<String> {
    file.warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn files_of_other_programs_give_their_games() {
    let cr = file("cr-semicolon.pgn");
    assert_eq!((only(&cr).plies(), only(&cr).result.as_str()), (3, "1-0"));
    assert_eq!(only(&cr).tag("Black"), Some("B"));

    let ctrl_z = file("ctrl-z.pgn");
    assert_eq!((only(&ctrl_z).plies(), only(&ctrl_z).result.as_str()), (2, "1-0"));

    let quoted = file("quote-in-tag.pgn");
    assert_eq!(only(&quoted).tag("White"), Some("\"Nick\" Name"));
    assert_eq!(
        told(&quoted),
        ["line 1: game 1: the tag White has quotes inside its value: they are written \\\""]
    );

    let half = file("result-half.pgn");
    assert_eq!((only(&half).plies(), only(&half).result.as_str()), (2, "1/2-1/2"));
    assert_eq!(told(&half), ["line 3: game 1: '1/2' is read as 1/2-1/2"]);

    let signs = file("text-symbols.pgn");
    assert_eq!((only(&signs).plies(), only(&signs).result.as_str()), (5, "1-0"));
    assert_eq!(
        told(&signs),
        ["line 3: game 1: 'N' is passed over", "line 3: game 1: '+-' is passed over"]
    );
}

#[test]
fn a_bad_game_takes_no_other_with_it() {
    let bad = file("bad-second-game.pgn");
    assert_eq!(bad.games.len(), 2);
    assert_eq!(bad.games[0].as_ref().map(PgnGame::plies), Ok(2));
    let error = bad.games[1].as_ref().expect_err("a king in the second move");
    assert_eq!(
        error.to_string(),
        "line 7: game 2, move 2.: 'Ke4' is not legal: a piece of the same colour is on e4"
    );

    // Each of these is broken in its own way, and good ones stand around it.
    for broken in [
        "1. e4 e5 2. Ke4 1-0",
        "1. e4 {no end e5 1-0",
        "1. e4 (1. d4 e5 1-0",
        "1. e4 hello 1-0",
        "1. e4 e5 2. Qh9 *",
        "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*",
        "[FEN \"nonsense\"]\n\n1. e4 *",
        "[Variant \"Crazyhouse\"]\n\n1. e4 e5 2. N@f3 *",
        "1. e4 e5 2. Ngf6 *",
        "1. Nf3 Nf6 2. Nd2 *",
    ] {
        let text = format!(
            "[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n{broken}\n\n[Event \"C\"]\n\n1. d4 d5 *\n"
        );
        let file = PgnFile::read_text(&text);
        let plies: Vec<Option<usize>> =
            file.games.iter().map(|game| game.as_ref().ok().map(PgnGame::plies)).collect();
        assert_eq!(plies, [Some(1), None, Some(2)], "{broken}");
        let error = file.games[1].as_ref().expect_err(broken).to_string();
        assert!(error.contains("game 2") && !error.contains('\n'), "{broken}: {error}");
    }
}

#[test]
fn line_ends_and_encodings_make_no_difference() {
    let text = "[White \"Müller\"]\n[Black \"B\"]\n\n1. e4 ; a comment\n1... e5 {of\ntwo lines}\n\n2. Nf3\n% passed over\n2... Nc6 1-0\n";
    let utf16 = |big: bool| -> Vec<u8> {
        let units = std::iter::once('\u{feff}' as u16).chain(text.encode_utf16());
        units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    };
    let latin: Vec<u8> = text.chars().map(|c| u32::from(c) as u8).collect();
    for (name, bytes) in [
        ("LF", text.as_bytes().to_vec()),
        ("CR", text.replace('\n', "\r").into_bytes()),
        ("CR LF", text.replace('\n', "\r\n").into_bytes()),
        ("UTF-8 with a mark", format!("\u{feff}{text}").into_bytes()),
        ("UTF-16, little end first", utf16(false)),
        ("UTF-16, big end first", utf16(true)),
        ("UTF-16 without a mark", utf16(false)[2..].to_vec()),
        ("Latin-1", latin),
        ("Ctrl-Z", format!("{text}\u{1a}").into_bytes()),
        ("no end of the last line", text.trim_end().as_bytes().to_vec()),
    ] {
        let file = PgnFile::read(&bytes);
        let game = only(&file);
        assert_eq!((game.plies(), game.result.as_str()), (4, "1-0"), "{name}");
        assert_eq!(game.tag("White"), Some("Müller"), "{name}");
        assert_eq!(told(&file), [""; 0], "{name}");
    }
}

#[test]
fn results_of_other_programs_end_a_game() {
    for (written, result) in [
        ("1-0", "1-0"),
        ("0-1", "0-1"),
        ("1/2-1/2", "1/2-1/2"),
        ("1/2", "1/2-1/2"),
        ("½-½", "1/2-1/2"),
        ("½", "1/2-1/2"),
        ("1–0", "1-0"),
        ("0—1", "0-1"),
        ("1:0", "1-0"),
        ("1/2:1/2", "1/2-1/2"),
        ("0.5-0.5", "1/2-1/2"),
        ("*", "*"),
    ] {
        let file = PgnFile::read_text(&format!("1. d4 d5 {written}\n\n1. e4 {written}\n"));
        let games: Vec<(usize, &str)> = file
            .games
            .iter()
            .map(|game| game.as_ref().expect(written))
            .map(|game| (game.plies(), game.result.as_str()))
            .collect();
        assert_eq!(games, [(2, result), (1, result)], "{written}");
    }
}

#[test]
fn signs_of_other_programs_are_no_moves() {
    for sign in [
        "N", "+-", "-+", "+/-", "-/+", "=", "+=", "=+", "∞", "±", "⩲", "D", "RR", "TN", "~", "!?",
        "$14", "$146 $6", "e.p.", "#",
    ] {
        let file = PgnFile::read_text(&format!("1. e4 {sign} e5 {sign} 2. Nf3 1-0\n"));
        assert_eq!(only(&file).plies(), 3, "{sign}");
    }
}

#[test]
fn tags_are_read_with_their_faults() {
    for (written, value, warned) in [
        (r#"[White "plain"]"#, "plain", false),
        (r#"[White "a \"b\" c"]"#, "a \"b\" c", false),
        (r#"[White "a "b" c"]"#, "a \"b\" c", true),
        (r#"[White ""b" c"]"#, "\"b\" c", true),
        (r#"[White "b "c""]"#, "b \"c\"", true),
        (r#"[White "C:\chess\"]"#, "C:\\chess\\", false),
        (r#"[White "two]"]"#, "two]", false),
        (r#"[White "no end"#, "no end", true),
        (r#"[White "no end]"#, "no end", true),
        (r#"  [White   "blanks"  ]  "#, "blanks", false),
        (r#"[White "one"] [Black "two"]"#, "one", false),
        (r#"[White "{brace"]"#, "{brace", false),
        (r#"[White]"#, "", true),
    ] {
        let file = PgnFile::read_text(&format!("{written}\n\n1. e4 *\n"));
        assert_eq!(only(&file).tag("White"), Some(value), "{written}");
        assert_eq!(!file.warnings.is_empty(), warned, "{written}: {:?}", file.warnings);
    }
}

#[test]
fn stale_rights_in_a_position_are_forgiven_with_a_warning() {
    for (fen, what) in [
        ("4k3/8/8/8/8/8/4P3/4K3 w KQkq - 0 1", "castling rights"),
        ("r3k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "castling rights"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1", "en passant"),
        ("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "en passant"),
        ("4k3/8/8/8/8/8/4P3/4K3 w K e6 0 1", "en passant"),
    ] {
        let text = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. Kd2 *\n");
        let file = PgnFile::read_text(&text);
        assert_eq!(only(&file).plies(), 1, "{fen}");
        assert!(told(&file).iter().any(|line| line.contains(what)), "{fen}: {:?}", told(&file));
    }
}

#[test]
fn variants_are_refused_by_their_name() {
    for variant in [
        "Chess960",
        "Fischerandom",
        "Crazyhouse",
        "Atomic",
        "King of the Hill",
        "Three-check",
        "Antichess",
        "Horde",
        "Racing Kings",
        "Giveaway",
    ] {
        let file = PgnFile::read_text(&format!("[Variant \"{variant}\"]\n\n1. e4 *\n"));
        let error = file.games[0].as_ref().expect_err(variant).to_string();
        assert_eq!(
            error,
            format!(
                "line 1: game 1: it is a game of '{variant}', and only the chess of the Laws is read"
            )
        );
    }
    for chess in ["Standard", "chess", "From Position"] {
        let file = PgnFile::read_text(&format!("[Variant \"{chess}\"]\n\n1. e4 *\n"));
        assert_eq!(only(&file).plies(), 1, "{chess}");
    }
}

#[test]
fn ends_by_the_laws_are_ends() {
    let file = file("seventy-five-moves.pgn");
    let section = &only(&file).sections[0];
    assert_eq!(section.moves.len(), 3);
    assert_eq!(ended_after(&section.start, &section.moves), Some((1, Article::A9_6_2)));
    for (text, end) in [
        ("1. f3 e5 2. g4 Qh4# *", Some((4, Article::A5_1_1))),
        ("[FEN \"7k/8/8/8/8/8/5Q2/7K w - - 0 1\"]\n\n1. Qf7 *", Some((1, Article::A5_2_1))),
        ("[FEN \"7k/8/8/8/8/8/5n2/6K1 w - - 0 1\"]\n\n1. Kxf2 Kg8 *", Some((1, Article::A5_2_2))),
        (
            "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8 *",
            Some((16, Article::A9_6_1)),
        ),
        ("1. e4 e5 *", None),
    ] {
        let game = read_games(text).expect(text).remove(0);
        let section = &game.sections[0];
        assert_eq!(ended_after(&section.start, &section.moves), end, "{text}");
    }
}

#[test]
fn no_word_of_the_game_is_lost_without_a_word() {
    // Each word is a move, or named: the crate below would pass over them.
    for word in [
        "hello", "Nf33", "e4e5e6", "x", "Sf3", "O", "Nf3Nf6", "--e4", "e9", "0-0e4", "e7e5e4",
        "x.e4", "Qh4.e4",
    ] {
        let file = PgnFile::read_text(&format!("1. {word} e5 2. Nc3 *\n"));
        assert!(file.games[0].is_err(), "{word}: {file:?}");
    }
    for word in ["g1f3", "Ng1-f3", "Ng1f3", "N1f3", "nf3", "1Nf3"] {
        let file = PgnFile::read_text(&format!("1. {word} e5 2. Nc3 *\n"));
        assert_eq!(only(&file).plies(), 3, "{word}");
    }
}

#[test]
fn comments_and_variations_hide_no_move_and_show_none() {
    for (text, plies) in [
        ("1. e4 {a {b} e5 2. Nf3 *", 3),
        ("1. e4 (1. d4 (1. c4 {)} c5) d5) e5 2. Nf3 *", 3),
        ("1. e4 {[%clk 1:00:00] [%eval 0.3]} e5 {[%clk 0:59:00]} *", 2),
        ("1. e4 {over\n\ntwo paragraphs} e5 *", 2),
        ("1. e4\n\n1... e5\n\n2. Nf3 *", 3),
        ("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 *", 6),
        ("1. e4 e5 (1... c5) (1... e6) 2. Nf3 *", 3),
        ("{before} 1. e4 *", 1),
        ("1. e4 {[White \"x\"]\n[Black \"y\"] in a comment} e5 *", 2),
        ("1. e4 {a; b} e5 ; c } d\n 2. Nf3 *", 3),
        ("1 e4 e5 2 Nf3 *", 3),
        ("1. 0-0-0 *", 0),
    ] {
        let file = PgnFile::read_text(text);
        let read = file.games[0].as_ref().map_or(0, PgnGame::plies);
        assert_eq!(read, plies, "{text}: {file:?}");
    }
}
