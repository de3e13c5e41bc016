//! Games come in as PGN and go out as PGN that other programs accept.

use std::{io::Write as _, ops::ControlFlow, process::Command};

use annabella_core::notation::pgn::{PgnMove, PgnOut, read_games, write_game};
use pgn_reader::{Reader, SanPlus, Visitor};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Move, Position, fen::Fen};

use crate::skip::skipped;

const MATCH: &str = include_str!("../data/kasparov-deep-blue-1997.pgn");
const SENIORS: &str = include_str!("../data/anastasian-lewis.pgn");

fn error(text: &str) -> String {
    match read_games(text) {
        Ok(games) => panic!("read: {games:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn all_six_games_of_the_match_are_read_to_the_last_move() {
    let games = read_games(MATCH).expect("a good file");
    assert_eq!(games.len(), 6);
    let mut plies = 0;
    for game in &games {
        assert_eq!(game.sections.len(), 1);
        assert_eq!(game.tag("PlyCount"), Some(game.plies().to_string().as_str()));
        assert_eq!(game.tag("Result"), Some(game.result.as_str()));
        plies += game.plies();
    }
    assert_eq!(plies, 519);
    assert_eq!(games[0].tags[0].0, "Event");
    assert_eq!(games[0].tag("White"), Some("Garry Kasparov"));
}

#[test]
fn a_passed_turn_is_not_a_move_it_begins_a_new_section() {
    let games = read_games(SENIORS).expect("a good file");
    assert_eq!(games.len(), 1);
    let [before, after] = games[0].sections.as_slice() else {
        panic!("{} sections", games[0].sections.len());
    };
    assert_eq!(games[0].tag("PlyCount"), Some("84"));
    assert_eq!(games[0].plies(), 83);
    assert_eq!((before.first_ply, before.moves.len()), (1, 81));
    assert_eq!((after.first_ply, after.moves.len()), (83, 2));
    assert_eq!(after.note, "41... Z0 passes the turn");
    assert!(after.start.turn().is_white());
    assert_eq!(after.start.fullmoves().get(), 42);
}

#[test]
fn sections_without_moves_are_left_out() {
    let games = read_games("1. e4 -- 2. Z0 e5 3. -- 0-1").expect("null moves");
    assert_eq!(games[0].sections.len(), 2);
    assert_eq!(games[0].sections[1].first_ply, 4);
    assert_eq!(games[0].sections[1].note, "2. Z0 passes the turn");
    assert_eq!(games[0].result, "0-1");
    assert_eq!(
        error("1. e4 f6 2. Qh5+ --"),
        "line 1: game 1, move 2...: '--' cannot pass the turn here: illegal position: opposite check"
    );
}

#[test]
fn a_mistake_is_named_with_its_line_game_move_and_text() {
    assert_eq!(
        error("[White \"A\"]\n\n1. e4 e5 1-0\n\n[White \"B\"]\n\n1. d4 d5\n2. c4 Qe5 *\n"),
        "line 8: game 2, move 2...: 'Qe5' is not legal: no queen can go to e5"
    );
    assert_eq!(
        error("1. e4 hello"),
        "line 1: game 1, move 1...: 'hello' cannot be read: the square that it goes to is missing or incomplete"
    );
    assert_eq!(
        error("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n*"),
        "line 1: game 1: FEN '8/8/8/8/8/8/8/8 w - - 0 1' is no position: illegal position: empty board, missing king"
    );
}

#[test]
fn a_game_may_begin_with_a_position_and_black() {
    let text = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4p3/7K b - - 0 30\"]\n\n30... e1=Q+ 31. Kg2 *";
    let games = read_games(text).expect("a good game");
    assert_eq!(games[0].sections[0].first_ply, 60);
    assert_eq!(games[0].plies(), 2);
}

#[test]
fn an_empty_text_has_no_games_and_a_game_may_have_no_moves() {
    assert_eq!(read_games("").map(|games| games.len()), Ok(0));
    assert_eq!(read_games("\u{feff} \n% x\n").map(|games| games.len()), Ok(0));
    let games = read_games("[White \"A\"]\n[Result \"1/2-1/2\"]\n").expect("tags only");
    assert_eq!((games[0].plies(), games[0].sections.len()), (0, 1));
    assert_eq!(games[0].result, "1/2-1/2");
}

/// Counts moves with the chess crate's own reader.
struct Count;

impl Visitor for Count {
    type Tags = Option<Chess>;
    type Movetext = (Chess, Vec<Move>);
    type Output = Vec<Move>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        tags: &mut Self::Tags,
        name: &[u8],
        value: pgn_reader::RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).expect("a FEN");
            *tags = Some(fen.into_position(CastlingMode::Standard).expect("legal"));
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue((tags.unwrap_or_default(), Vec::new()))
    }

    fn san(&mut self, game: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        let mv = san.san.to_move(&game.0).expect("legal");
        game.0.play_unchecked(mv);
        game.1.push(mv);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Self::Movetext) -> Self::Output {
        game.1
    }
}

fn read_by_another(text: &str) -> Vec<Vec<Move>> {
    Reader::new(text.as_bytes())
        .read_games(&mut Count)
        .collect::<Result<_, _>>()
        .expect("a good file")
}

#[test]
fn another_reader_finds_the_same_moves() {
    let ours: Vec<Vec<Move>> = read_games(MATCH)
        .expect("a good file")
        .into_iter()
        .map(|game| game.sections[0].moves.clone())
        .collect();
    assert_eq!(read_by_another(MATCH), ours);
}

/// The match with clock times and remarks on some moves.
fn annotated() -> Vec<PgnOut> {
    read_games(MATCH)
        .expect("a good file")
        .into_iter()
        .map(|game| PgnOut {
            start: Chess::default(),
            moves: game.sections[0]
                .moves
                .iter()
                .zip(0u64..)
                .map(|(&mv, n)| PgnMove {
                    mv,
                    clock_ms: (n % 3 != 0).then_some(7_200_000 - n * 61_500),
                    comment: match n % 7 {
                        0 => "felt late {by hand}, % of all pegs; said twice".to_owned(),
                        _ => String::new(),
                    },
                })
                .collect(),
            tags: game.tags,
            result: game.result,
        })
        .collect()
}

#[test]
fn a_written_game_has_the_seven_tags_and_short_lines() {
    let game = &annotated()[0];
    let text = write_game(game);
    let head: Vec<&str> = text.lines().take(8).collect();
    assert_eq!(
        head,
        [
            "[Event \"IBM Man-Machine, New York USA\"]",
            "[Site \"01\"]",
            "[Date \"1997.??.??\"]",
            "[Round \"?\"]",
            "[White \"Garry Kasparov\"]",
            "[Black \"Deep Blue (Computer)\"]",
            "[Result \"1-0\"]",
            "[EventDate \"?\"]",
        ]
    );
    assert!(text.contains("1. Nf3 {felt late (by hand), % of all pegs; said twice} 1... d5"));
    assert!(text.contains("{[%clk 1:58:58]} 2. g3 {[%clk 1:57:57]} 2... Bg4 3. b3"));
    assert!(text.lines().all(|line| line.chars().count() < 80));
    assert!(text.lines().all(|line| !line.starts_with('%')));
    assert!(text.ends_with(" 1-0\n\n"));
}

#[test]
fn an_illegal_move_is_not_written() {
    let moves = annotated()[0].moves[..1].to_vec();
    let text = write_game(&PgnOut {
        tags: vec![("Event".to_owned(), "say \"a\\b\"\n".to_owned())],
        start: Chess::default(),
        moves: [moves.clone(), moves].concat(),
        result: "?".to_owned(),
    });
    assert!(text.starts_with("[Event \"say \\\"a\\\\b\\\" \"]\n"));
    let on_one_line = text.replace('\n', " ");
    assert!(on_one_line.contains("{what follows in the record is not legal here} *"));
    assert_eq!(read_games(&text).map(|games| games[0].plies()), Ok(1));
}

#[test]
fn what_is_written_is_read_back_by_both_readers() {
    let games = annotated();
    let text: String = games.iter().map(write_game).collect();
    let back = read_games(&text).expect("written well");
    let other = read_by_another(&text);
    assert_eq!((back.len(), other.len()), (games.len(), games.len()));
    for ((game, back), other) in games.iter().zip(&back).zip(&other) {
        let moves: Vec<Move> = game.moves.iter().map(|m| m.mv).collect();
        assert_eq!(back.sections[0].moves, moves);
        assert_eq!(*other, moves);
        assert_eq!(back.result, game.result);
        for (name, value) in &game.tags {
            assert_eq!(back.tag(name), Some(value.as_str()));
        }
    }
}

#[test]
fn pgn_extract_accepts_what_is_written() {
    let program = ["pgn-extract", "/usr/games/pgn-extract"]
        .into_iter()
        .find(|program| Command::new(program).arg("--version").output().is_ok());
    let Some(program) = program else {
        return skipped("pgn-extract", "it is not installed (scripts/setup.sh test)");
    };
    let start = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4p3/7K b - - 0 30\"]\n\n30... e1=Q+ 31. Kg2 *";
    let from_position = read_games(start).expect("a good game").remove(0);
    let mut text: String = annotated().iter().map(write_game).collect();
    text.push_str(&write_game(&PgnOut {
        tags: from_position.tags.clone(),
        start: from_position.sections[0].start.clone(),
        moves: from_position.sections[0].moves.iter().map(|&mv| mv.into()).collect(),
        result: "*".to_owned(),
    }));
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(text.as_bytes()).expect("room on the disk");
    let output =
        Command::new(program).arg("-r").arg(file.path()).output().expect("it has just run");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    // It names the file, each game by its players, and the count; anything more is a complaint.
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| !line.starts_with("Processing") && !line.contains(" - "))
        .collect();
    assert_eq!(lines, ["7 games matched out of 7."]);
}

#[test]
fn a_tag_may_hold_what_looks_like_its_end() {
    for value in ["\"];", "']{", "”] [", "\"]{[\"]", "\\\"];1", "C:\\"] {
        let mut game = annotated().remove(0);
        game.tags = vec![("Event".to_owned(), value.to_owned())];
        let back = read_games(&write_game(&game)).expect("reads");
        assert_eq!((back.len(), back[0].tag("Event")), (1, Some(value)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn no_text_whatever_breaks_the_reader(
        wild in any::<String>(),
        tame in "([\\[\\]\\{\\}\\(\\);%$\"\\\\ \n]|1\\.|e4|e5|Nf3|--|Z0|1-0|\\*|\\[FEN \"|0-0){0,24}",
    ) {
        let _ = read_games(&wild);
        let _ = read_games(&tame);
    }

    #[test]
    fn any_tag_and_remark_survives_as_far_as_pgn_can_say_it(
        value in "\\PC{0,30}", remark in any::<String>(), long in "([a-z]{0,9} ?%?){0,60}"
    ) {
        let mut game = annotated().remove(0);
        game.tags = vec![("Event".to_owned(), value.clone())];
        game.moves[0].comment = remark;
        game.moves[1].comment = long;
        let text = write_game(&game);
        let back = read_games(&text).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(back.len(), 1);
        prop_assert!(text.lines().all(|line| !line.starts_with('%')));
        prop_assert_eq!(back[0].tag("Event"), Some(value.as_str()));
        prop_assert_eq!(back[0].plies(), game.moves.len());
    }
}
