//! Two boards differ (D.2.9): every case, as the arbiter and as `annabella reconcile` sees it.

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

use annabella_core::{
    game::{read_fen, write_fen},
    notation::{NotationError, read_entries, read_score},
    reconcile::{
        Basis, BoardState, Case, ClockReading, Correction, Missing, PegStep, Side, Times, Verdict,
        VisibleBoard, Who, choose, reconcile,
    },
};
use annabella_players::games::random_game;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position, Square, uci::UciMove};

fn call(case: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_annabella"))
        .args(["reconcile", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    child.stdin.take().expect("piped").write_all(case.as_bytes()).expect("written");
    child.wait_with_output().expect("ends")
}

/// The exit code and the verdict.
fn settle(case: &Value) -> (i32, Value) {
    let output = call(&case.to_string());
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.lines().count(), 1, "{text}{}", String::from_utf8_lossy(&output.stderr));
    let line = serde_json::from_str(&text).expect("a JSON line");
    (output.status.code().expect("an exit code"), line)
}

fn after(moves: &[&str]) -> Chess {
    let reading = read_entries(&Chess::default(), moves);
    assert!(reading.first_error().is_none(), "{:?}", reading.first_error());
    reading.position()
}

fn fen(moves: &[&str]) -> Value {
    json!({ "fen": write_fen(&after(moves)) })
}

fn occupied(squares: Bitboard) -> Value {
    let squares: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
    json!({ "occupied": squares })
}

fn holes(moves: &[&str]) -> Value {
    occupied(after(moves).board().occupied())
}

/// White is blind.
fn case(blind: (&[&str], Value), sighted: (&[&str], Value)) -> Value {
    json!({
        "blind": { "color": "white", "score": blind.0, "board": blind.1 },
        "sighted": { "color": "black", "score": sighted.0, "board": sighted.1 },
    })
}

const OPENING: [&str; 4] = ["e4", "e5", "Nf3", "Nc6"];

#[test]
fn boards_and_scores_agree_play_on() {
    let (code, line) = settle(&case((&OPENING, holes(&OPENING)), (&OPENING, fen(&OPENING))));
    assert_eq!(code, 0);
    assert_eq!(
        line,
        json!({
            "verdict": "agree",
            "article": "D.2.9",
            "ply": 4,
            "fen": "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
            "steps": { "blind": [], "sighted": [] },
            "missing": [],
            "difference": null,
            "clocks": null,
            "explanation": "Boards and scores agree after ply 4 (Black's move 2): play on.",
        })
    );
}

#[test]
fn scores_may_be_in_different_notations() {
    let german = ["e2-e4", "e7-e5", "Sg1-f3", "Sb8-c6"];
    let (code, line) = settle(&case((&german, holes(&OPENING)), (&OPENING, fen(&OPENING))));
    assert_eq!((code, &line["verdict"]), (0, &json!("agree")));
}

#[test]
fn a_score_that_was_kept_by_ear_may_be_in_words() {
    let said = [
        "Bauer Eva zwei Eva vier",
        "Bauer Eva sieben Eva fünf",
        "Springer auf f3",
        "Springer Bella acht Cesar sechs",
    ];
    let (code, line) = settle(&case((&said, holes(&OPENING)), (&OPENING, fen(&OPENING))));
    assert_eq!((code, &line["verdict"]), (0, &json!("agree")));
    let mut sheet = case((&said, holes(&OPENING)), (&OPENING, fen(&OPENING)));
    sheet["blind"]["score"] = json!(said.join("\n"));
    assert_eq!(settle(&sheet).1["verdict"], "agree");
}

#[test]
fn who_executed_another_move_corrects_his_board() {
    let other = ["e4", "e5", "Nh3", "Nc6"];
    let (code, line) = settle(&case((&OPENING, holes(&other)), (&OPENING, fen(&OPENING))));
    assert_eq!((code, &line["verdict"]), (1, &json!("blind-corrects")));
    assert_eq!(
        line["steps"],
        json!({ "blind": [{ "take": "h3" }, { "put": "f3", "piece": "N" }], "sighted": [] })
    );
    assert_eq!(
        line["explanation"],
        "The scores agree after ply 4 (Black's move 2); the blind player corrects his board. \
         On the blind player's board: white knight from h3 to f3."
    );
    let (code, line) = settle(&case((&OPENING, holes(&OPENING)), (&OPENING, fen(&other))));
    assert_eq!((code, &line["verdict"]), (1, &json!("sighted-corrects")));
    assert_eq!(line["steps"]["sighted"], json!([{ "take": "h3" }, { "put": "f3", "piece": "N" }]));
}

#[test]
fn the_explanation_is_in_the_language_asked_for() {
    let other = ["e4", "e5", "Nh3", "Nc6"];
    let mut case = case((&OPENING, holes(&other)), (&OPENING, fen(&OPENING)));
    case["clocks"] = json!([{ "ply": 4, "white_ms": 3_600_000, "black_ms": 3_500_000 }]);
    let text = case.to_string();
    for (lang, start) in [
        (
            "de",
            "Die Mitschriften stimmen überein. Zu berichtigen: das Brett von Weiß. Zu tun: Weiß – ",
        ),
        ("fr", "Les feuilles concordent. Échiquier à corriger : Blancs. À faire : Blancs – "),
    ] {
        let told = explained(&text, lang);
        assert!(told.starts_with(start), "{told}");
        assert!(told.contains("h3 → f3"), "{told}");
    }
    let retraced = json!({
        "blind": { "color": "white", "score": ["e4", "e5", "Nf3"], "board": holes(&["e4", "e5", "Nf3"]) },
        "sighted": { "color": "black", "score": ["e4", "e5", "Nc3"], "board": fen(&["e4", "e5", "Nc3"]) },
        "clocks": [{ "ply": 2, "white_ms": 3_600_000, "black_ms": 3_500_000 }],
    });
    assert_eq!(
        explained(&retraced.to_string(), "de"),
        "Die Mitschriften weichen beim Zug 2 voneinander ab. Zurück zur Stellung nach 1... e5. Zu tun: Weiß – \
         weißer Springer von Felix drei nach Gustav eins (f3 → g1). Zu tun: Schwarz – weißer Springer von Cesar \
         drei nach Bella eins (c3 → b1). Uhren: 1:00:00 / 0:58:20 (wie nach 1... e5)."
    );
    let said = lines_of(&text, "xx").1;
    assert!(said.contains("possible values: de, en, es, fr, lt, pl, ru"), "{said}");
}

/// What it prints, and what it complains of.
fn lines_of(case: &str, lang: &str) -> (String, String) {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), case).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_annabella"))
        .args(["reconcile", "--lang", lang])
        .arg(file.path())
        .output()
        .expect("runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn explained(case: &str, lang: &str) -> String {
    let line: Value = serde_json::from_str(&lines_of(case, lang).0).expect("a JSON line");
    line["explanation"].as_str().expect("a text").to_owned()
}

#[test]
fn both_boards_wrong_are_both_corrected_each_with_its_own_list() {
    let one = ["e4", "e5", "Nh3", "Nc6"];
    let two = ["e4", "e5", "Nf3", "Na6"];
    let (code, line) = settle(&case((&OPENING, holes(&one)), (&OPENING, fen(&two))));
    assert_eq!((code, &line["verdict"]), (1, &json!("both-correct")));
    assert_eq!(
        line["steps"],
        json!({
            "blind": [{ "take": "h3" }, { "put": "f3", "piece": "N" }],
            "sighted": [{ "take": "a6" }, { "put": "c6", "piece": "n" }],
        })
    );
}

#[test]
fn a_move_not_executed_yet_that_takes_is_executed_on_the_same_hole() {
    let taken = ["e4", "d5", "exd5"];
    let before = ["e4", "d5"];
    let (_, line) = settle(&case((&taken, holes(&before)), (&taken, fen(&taken))));
    assert_eq!(line["verdict"], "blind-corrects");
    assert_eq!(
        line["steps"]["blind"],
        json!([{ "take": "e4" }, { "take": "d5" }, { "put": "d5", "piece": "P" }])
    );
}

#[test]
fn who_took_something_instead_has_another_piece_in_the_same_hole() {
    let played = ["e4", "d5", "Nc3"];
    let other = ["e4", "d5", "exd5"];
    let (_, line) = settle(&case((&played, holes(&other)), (&played, fen(&played))));
    assert_eq!(line["verdict"], "blind-corrects");
    assert_eq!(
        line["explanation"],
        "The scores agree after ply 3 (White's move 2); the blind player corrects his board. \
         On the blind player's board: white knight from b1 to c3; white pawn from d5 to e4; \
         put a black pawn on d5."
    );
}

#[test]
fn what_sensors_cannot_see_the_arbiter_inspects() {
    let mut board = after(&OPENING).board().clone();
    board.set_piece_at(Square::B1, Color::White.bishop());
    board.set_piece_at(Square::C1, Color::White.knight());
    let exchanged = json!({ "fen": board.to_string() });
    let (code, line) = settle(&case((&OPENING, holes(&OPENING)), (&OPENING, exchanged)));
    assert_eq!((code, &line["verdict"]), (1, &json!("inspect")));
    assert_eq!(
        line["explanation"],
        "The scores agree after ply 4 (Black's move 2), and the sighted player's board shows other \
         pieces on the right squares. On the sighted player's board: take the white bishop off b1; \
         white knight from c1 to b1; put a white bishop on c1. The arbiter compares both boards by \
         hand, square by square."
    );
    assert_eq!(line["steps"]["sighted"].as_array().map(Vec::len), Some(4));

    // Nothing to be seen, and yet somebody says so.
    let mut said = case((&OPENING, holes(&OPENING)), (&OPENING, fen(&OPENING)));
    said["boards_differ"] = json!(true);
    assert_eq!(settle(&said).1["verdict"], "inspect");
    // Where every piece is known there is nothing to inspect.
    let mut said = case((&OPENING, fen(&OPENING)), (&OPENING, fen(&OPENING)));
    said["boards_differ"] = json!(true);
    assert_eq!(settle(&said).1["verdict"], "agree");
    // A board that nobody has entered.
    let unknown = case((&OPENING, holes(&OPENING)), (&OPENING, Value::Null));
    assert_eq!(settle(&unknown).1["verdict"], "inspect");
}

#[test]
fn an_entry_that_may_still_be_missing_is_asked_for() {
    let (code, line) = settle(&case((&OPENING, holes(&OPENING)), (&OPENING[..3], fen(&OPENING))));
    assert_eq!((code, &line["verdict"], &line["ply"]), (0, &json!("agree"), &json!(4)));
    assert_eq!(line["missing"], json!([{ "score": "sighted", "ply": 4 }]));
    assert_eq!(
        line["explanation"],
        "Boards and scores agree after ply 4 (Black's move 2): play on. Still to be written (8.1.3): \
         sighted Nc6 (ply 4 (Black's move 2))."
    );
}

#[test]
fn what_both_boards_show_and_neither_score_has_yet_is_no_difference_8_1_3() {
    let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"];
    for written in [4, 5] {
        for board in [fen(&moves), holes(&moves)] {
            let score = &moves[..written];
            let (code, line) = settle(&case((score, board.clone()), (score, fen(&moves))));
            assert_eq!((code, &line["verdict"], &line["ply"]), (0, &json!("agree"), &json!(6)));
            let missing = line["missing"].as_array().map(Vec::len);
            assert_eq!(missing, Some(2 * (6 - written)), "{line}");
        }
    }
    // One score lacks what the other has, too.
    let (code, line) = settle(&case((&moves[..5], fen(&moves)), (&moves[..4], fen(&moves))));
    assert_eq!((code, &line["verdict"], &line["ply"]), (0, &json!("agree"), &json!(6)));
    // More than may be open: the boards are put right.
    let (_, line) = settle(&case((&moves[..3], fen(&moves)), (&moves[..3], fen(&moves))));
    assert_eq!(line["verdict"], json!("both-correct"));
}

#[test]
fn an_entry_for_a_move_that_neither_board_shows_is_no_move() {
    let six = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"];
    let four = &six[..4];
    let (code, line) = settle(&case((four, holes(four)), (&six[..5], fen(four))));
    assert_eq!((code, &line["verdict"], &line["ply"]), (0, &json!("agree"), &json!(4)));
    assert_eq!(
        (&line["missing"], &line["ahead"]),
        (&json!([]), &json!([{ "score": "sighted", "ply": 5 }]))
    );
    assert_eq!(
        line["explanation"],
        "Boards and scores agree after ply 4 (Black's move 2): play on. Written for a move that \
         neither board shows (8.1.2): sighted 'Bb5' (ply 5 (White's move 3))."
    );
    // One of two is made on both boards, the other on neither.
    let (_, line) = settle(&case((four, holes(&six[..5])), (&six, fen(&six[..5]))));
    assert_eq!((&line["verdict"], &line["ply"]), (&json!("agree"), &json!(5)));
    assert_eq!(line["missing"], json!([{ "score": "blind", "ply": 5 }]));
    assert_eq!(line["ahead"], json!([{ "score": "sighted", "ply": 6 }]));
    // Where one board shows it, it is made: the other follows.
    let (_, line) = settle(&case((four, holes(four)), (&six[..5], fen(&six[..5]))));
    assert_eq!((&line["verdict"], &line["ply"]), (&json!("blind-corrects"), &json!(5)));
    assert_eq!(line["ahead"], Value::Null);
}

#[test]
fn before_his_next_move_a_player_has_written_his_last_one() {
    let six = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"];
    let verdict = |blind: usize, sighted: usize| {
        let board = fen(&six);
        let (_, line) = settle(&case((&six[..blind], board.clone()), (&six[..sighted], board)));
        (line["verdict"].clone(), line["ply"].clone(), line["missing"].as_array().map(Vec::len))
    };
    // Black has made his third move and need not have written it, nor the one it answers.
    assert_eq!(verdict(6, 4), (json!("agree"), json!(6), Some(2)));
    assert_eq!(verdict(6, 3), (json!("retrace"), json!(3), Some(0)));
    // White has not moved since: his own third move may be open too.
    assert_eq!(verdict(3, 6), (json!("agree"), json!(6), Some(3)));
    assert_eq!(verdict(2, 6), (json!("retrace"), json!(2), Some(0)));
    // With little time left nothing has to be written.
    let mut excused = case((&six, fen(&six)), (&[], fen(&six)));
    excused["sighted"]["excused"] = json!(true);
    let (_, line) = settle(&excused);
    assert_eq!((&line["verdict"], &line["ply"]), (&json!("agree"), &json!(6)));
    assert_eq!(line["missing"].as_array().map(Vec::len), Some(6));
}

#[test]
fn scores_that_differ_lead_back_with_clocks_from_the_journal() {
    let blind = ["e4", "e5", "Nf3", "Nc6", "Bb5"];
    let sighted = ["e4", "e5", "Nf3", "Nf6", "Bb5"];
    let mut case = case((&blind, holes(&blind)), (&sighted, fen(&sighted)));
    case["clocks"] = json!([
        { "ply": 1, "white_ms": 5_400_000, "black_ms": 5_400_000 },
        { "ply": 2, "white_ms": 5_400_000, "black_ms": 5_390_000 },
        { "ply": 3, "white_ms": 5_380_000, "black_ms": 5_390_000 },
        { "ply": 4, "white_ms": 5_380_000, "black_ms": 5_350_000 },
        { "ply": 5, "white_ms": 5_360_000, "black_ms": 5_350_000 },
    ]);
    case["now"] = json!({ "white_ms": 5_360_000, "black_ms": 5_300_000 });
    let (code, line) = settle(&case);
    assert_eq!((code, &line["verdict"], &line["ply"]), (1, &json!("retrace"), &json!(3)));
    assert_eq!(line["fen"], write_fen(&after(&blind[..3])));
    assert_eq!(
        line["steps"],
        json!({
            "blind": [
                { "take": "b5" }, { "take": "c6" },
                { "put": "f1", "piece": "B" }, { "put": "b8", "piece": "n" },
            ],
            "sighted": [
                { "take": "b5" }, { "take": "f6" },
                { "put": "f1", "piece": "B" }, { "put": "g8", "piece": "n" },
            ],
        })
    );
    assert_eq!(
        line["clocks"],
        json!({
            "proposed": { "white_ms": 5_380_000, "black_ms": 5_390_000 },
            "source": "journal, completion of ply 3",
            "alternatives": [
                { "white_ms": 5_360_000, "black_ms": 5_300_000, "source": "now" },
                {
                    "white_ms": 5_380_000, "black_ms": 5_340_000,
                    "source": "now, without the time spent on plies 4 to 5",
                },
            ],
            "moves": { "white": 2, "black": 1 },
        })
    );
    assert_eq!(
        line["explanation"],
        "The scores differ at ply 4 (Black's move 2): the blind player wrote 'Nc6', the sighted player \
         wrote 'Nf6'. Back to the position after ply 3 (White's move 2). On the blind player's board: \
         white bishop from b5 to f1; black knight from c6 to b8. On the sighted player's board: white \
         bishop from b5 to f1; black knight from f6 to g8. Clocks: White 1:29:40, Black 1:29:50 \
         (journal, completion of ply 3); or White 1:29:20, Black 1:28:20 (now); or White 1:29:40, \
         Black 1:29:00 (now, without the time spent on plies 4 to 5)."
    );
}

#[test]
fn an_entry_that_is_no_move_is_a_difference_and_is_quoted() {
    for (entry, why) in [
        ("Bb6", "'Bb6' is not legal: no bishop can go to b6"),
        ("xyz", "'xyz' cannot be read: 'yz' is neither a piece letter nor a square"),
        ("", "'' cannot be read: nothing is written"),
    ] {
        let blind = ["e4", "e5", "Nf3", "Nc6", entry];
        let right = ["e4", "e5", "Nf3", "Nc6", "Bb5"];
        let (code, line) = settle(&case((&blind, holes(&right)), (&right, fen(&right))));
        assert_eq!((code, &line["verdict"], &line["ply"]), (1, &json!("retrace"), &json!(4)));
        assert_eq!(
            line["difference"],
            json!({
                "ply": 5,
                "blind": { "as_written": entry, "why": why },
                "sighted": { "as_written": "Bb5", "why": null },
            })
        );
        let explanation = line["explanation"].as_str().expect("a text");
        assert!(
            explanation.contains(&format!("the blind player wrote '{entry}' ({why})")),
            "{explanation}"
        );
    }
    // Two knights can go there.
    let start = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
    let board = json!({ "fen": start });
    let mut both = case((&["Nd2"], board.clone()), (&["Nbd2"], board));
    both["start"] = json!(start);
    let (_, line) = settle(&both);
    assert_eq!((&line["verdict"], &line["ply"]), (&json!("retrace"), &json!(0)));
    assert_eq!(
        line["difference"]["blind"]["why"],
        "'Nd2' can mean Nb1d2 or Nf3d2: write more of it"
    );
    // The same wrong entry in both is still no move to play on from.
    let wrong = ["e4", "Ke4"];
    let (_, line) = settle(&case((&wrong, fen(&["e4"])), (&wrong, fen(&["e4"]))));
    assert_eq!((&line["verdict"], &line["ply"]), (&json!("retrace"), &json!(1)));
}

#[test]
fn without_a_common_move_the_starting_position_is_set_up() {
    let blind = ["e4", "e5"];
    let sighted = ["d4", "d5"];
    let (code, line) = settle(&case((&blind, holes(&blind)), (&sighted, fen(&sighted))));
    assert_eq!((code, &line["verdict"], &line["ply"]), (1, &json!("retrace"), &json!(0)));
    assert_eq!(line["fen"], write_fen(&Chess::default()));
    assert_eq!(
        line["clocks"]["source"],
        "the journal has no reading before the first move: set them by the time control"
    );
    assert_eq!(line["clocks"]["proposed"], Value::Null);
}

#[test]
fn promoted_and_taken_pieces_go_off_and_come_back() {
    let start = "7k/P7/8/8/8/8/7K/r7 b - - 0 1";
    let case = json!({
        "start": start,
        "blind": {
            "color": "white", "score": ["Kg8", "Kg3"], "board": { "fen": "6k1/P7/8/8/8/6K1/8/r7" },
        },
        "sighted": {
            "color": "black", "score": ["Kg7", "a8Q", "Rxa8"],
            "board": occupied(Bitboard::from(Square::A8) | Square::G7 | Square::H2),
        },
    });
    let (_, line) = settle(&case);
    assert_eq!((&line["verdict"], &line["ply"]), (&json!("retrace"), &json!(0)));
    assert_eq!(
        line["steps"]["sighted"],
        json!([
            { "take": "g7" }, { "take": "a8" },
            { "put": "a1", "piece": "r" }, { "put": "a7", "piece": "P" }, { "put": "h8", "piece": "k" },
        ])
    );
}

/// FIDE prints its sample game three times; the third form departs at move 8.
#[test]
fn the_sample_game_of_the_laws_goes_back_to_before_its_own_slip() {
    let forms = include_str!("../data/notation/appendix-c.txt");
    let [short, shortest, long] = forms.lines().collect::<Vec<_>>()[..] else {
        panic!("three forms")
    };
    let start = Chess::default();
    let shown = |text: &str| read_score(&start, text).position();
    let clocks: Vec<Value> = (1..=21u64)
        .map(|ply| {
            let (white, black) = (ply.div_ceil(2), ply / 2);
            json!({ "ply": ply, "white_ms": 6_000_000 - white * 60_000, "black_ms": 6_000_000 - black * 90_000 })
        })
        .collect();
    let case = |blind: &str, sighted: &str| {
        json!({
            "blind": {
                "color": "white", "score": blind, "board": occupied(shown(blind).board().occupied()),
            },
            "sighted": {
                "color": "black", "score": sighted, "board": { "fen": write_fen(&shown(sighted)) },
            },
            "clocks": clocks,
            "now": { "white_ms": 5_300_000, "black_ms": 5_000_000 },
        })
    };
    assert_eq!(settle(&case(short, shortest)).1["verdict"], "agree");
    for (blind, sighted) in [(long, short), (shortest, long)] {
        let (code, line) = settle(&case(blind, sighted));
        assert_eq!((code, &line["verdict"], &line["ply"]), (1, &json!("retrace"), &json!(14)));
        assert_eq!(line["fen"], "r1bqkb1r/ppp2ppp/2nn4/6B1/3Q4/5N2/PPP2PPP/RN2KB1R w KQkq - 2 8");
        assert_eq!(line["difference"]["ply"], 15);
        assert_eq!(
            line["clocks"]["proposed"],
            json!({ "white_ms": 6_000_000 - 7 * 60_000, "black_ms": 6_000_000 - 7 * 90_000 })
        );
        assert_eq!(line["clocks"]["source"], "journal, completion of ply 14");
        assert_eq!(line["clocks"]["moves"], json!({ "white": 7, "black": 7 }));
        let target = read_fen(line["fen"].as_str().expect("a FEN")).expect("a position");
        for (who, text) in [("blind", blind), ("sighted", sighted)] {
            let mut board = shown(text).board().clone();
            for step in line["steps"][who].as_array().expect("steps") {
                execute(&mut board, step);
            }
            assert_eq!(board, *target.board(), "{who}");
        }
    }
}

/// Hands: no peg is taken where none is, none is put where one is.
fn execute(board: &mut Board, step: &Value) {
    let square = |key: &str| -> Option<Square> { step[key].as_str()?.parse().ok() };
    if let Some(square) = square("take") {
        assert!(board.remove_piece_at(square).is_some(), "no peg on {square}");
    } else if let Some(square) = square("put") {
        assert_eq!(board.piece_at(square), None, "two pegs for {square}");
        let piece = step["piece"].as_str().and_then(|text| text.chars().next());
        board.set_piece_at(square, piece.and_then(Piece::from_char).expect("a piece"));
    } else {
        panic!("{step}");
    }
}

#[test]
fn the_arbiter_may_choose_another_position() {
    let start = Chess::default();
    let side = |color, score: &[&str]| Side {
        color,
        score: read_entries(&start, score),
        board: VisibleBoard::Pieces(after(score).board().clone()),
        excused: false,
        pending: None,
    };
    let times = Times { white_ms: 7, black_ms: 8 };
    let case = Case {
        start: start.clone(),
        blind: side(Color::White, &OPENING),
        sighted: side(Color::Black, &OPENING),
        clocks: vec![ClockReading { ply: 2, times, at_ms: None }],
        now: None,
        said_to_differ: false,
    };
    assert_eq!(reconcile(&case).verdict, Verdict::Agree);
    let chosen = choose(&case, Who::Sighted, 2).expect("a ply of the score");
    assert_eq!((chosen.verdict, chosen.ply, chosen.made), (Verdict::Retrace, 2, (1, 1)));
    assert_eq!(chosen.moves.len(), 2);
    assert_eq!(
        chosen.clocks.as_ref().and_then(|clocks| clocks.proposed).map(|p| p.times),
        Some(times)
    );
    let knight = |piece: Piece, from, to| Correction::Carry { piece, from, to };
    assert_eq!(
        chosen.boards.blind.corrections,
        [
            knight(Color::White.knight(), Square::F3, Square::G1),
            knight(Color::Black.knight(), Square::C6, Square::B8),
        ]
    );
    assert_eq!(choose(&case, Who::Blind, 5), None);
}

#[test]
fn a_wrong_case_gets_one_line_that_says_where_and_what_to_do() {
    let good = || case((&OPENING, holes(&OPENING)), (&OPENING, fen(&OPENING)));
    let with = |change: &dyn Fn(&mut Value)| {
        let mut case = good();
        change(&mut case);
        case.to_string()
    };
    let cases = [
        ("{".to_owned(), "this is not JSON: EOF while parsing an object at line 1 column 1"),
        (
            "[]".to_owned(),
            "this must be an object with start, blind, sighted, clocks, now, boards_differ, not a list",
        ),
        (with(&|c| c["blnd"] = json!(1)), "unknown key 'blnd', did you mean 'blind'?"),
        (
            with(&|c| c["blind"]["scores"] = json!(1)),
            "blind: unknown key 'scores', did you mean 'score'?",
        ),
        (
            with(&|c| c["blind"]["score"][2] = json!(3)),
            "blind.score[2]: this must be a text, not a number",
        ),
        (
            with(&|c| c["blind"]["color"] = json!("red")),
            "blind.color: 'red': write \"white\" or \"black\"",
        ),
        (with(&|c| c["blind"]["color"] = Value::Null), "blind.color is missing"),
        (
            with(&|c| c["sighted"]["color"] = json!("white")),
            "sighted.color: both players have the white pieces: one is white, the other black",
        ),
        (
            with(&|c| c["blind"]["board"] = json!({ "occupied": ["a9"] })),
            "blind.board.occupied[0]: 'a9' is not a square, write a1 to h8",
        ),
        (
            with(&|c| c["blind"]["board"] = json!({ "occupied": ["a1", "a1"] })),
            "blind.board.occupied[1]: a1 is listed twice",
        ),
        (
            with(&|c| c["blind"]["board"] = json!({})),
            "blind.board: say either \"fen\" or \"occupied\"",
        ),
        (
            with(&|c| c["sighted"]["board"]["fen"] = json!("9/8")),
            "sighted.board.fen: '9/8' is not a FEN: ",
        ),
        (
            with(&|c| c["start"] = json!("8/8/8/8/8/8/8/8 w - - 0 1")),
            "start: '8/8/8/8/8/8/8/8 w - - 0 1' is no legal position: ",
        ),
        (with(&|c| c["now"] = json!({ "white_ms": 1 })), "now.black_ms is missing"),
        (
            with(&|c| c["now"] = json!({ "white_ms": 1, "black_ms": -1 })),
            "now.black_ms: this must be a whole number, 0 or more, not a number",
        ),
        (
            with(&|c| {
                let reading = |ply: u32| json!({ "ply": ply, "white_ms": 1, "black_ms": 1 });
                c["clocks"] = json!([reading(2), reading(1)]);
            }),
            "clocks[1].ply: 1 comes after 2: list the readings in order",
        ),
        (
            with(&|c| c["boards_differ"] = json!("yes")),
            "boards_differ: this must be true or false, not a text",
        ),
    ];
    for (text, complaint) in cases {
        let output = call(&text);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}: {said}");
        assert!(said.starts_with(&format!("annabella: -: {complaint}")), "{said}");
        assert_eq!((said.lines().count(), output.stdout.len()), (1, 0), "{said}");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_annabella"))
        .args(["reconcile", "no-such-case.json"])
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("annabella: cannot read no-such-case.json: "), "{said}");
}

// From here on: any game, any slips, against a reference that is written differently.

/// What happens to a score.
fn slip(rng: &mut ChaCha8Rng, start: &Chess, moves: &[Move]) -> Vec<String> {
    let uci = |mv: &Move| UciMove::from_standard(*mv).to_string();
    let mut score: Vec<String> = moves.iter().map(uci).collect();
    let n = rng.random_range(0..score.len() as u64) as usize;
    let before = |n: usize| {
        let mut pos = start.clone();
        for &mv in &moves[..n] {
            pos.play_unchecked(mv);
        }
        pos
    };
    let any_legal = |rng: &mut ChaCha8Rng, n: usize| {
        let legal = before(n).legal_moves();
        uci(&legal[rng.random_range(0..legal.len() as u64) as usize])
    };
    match rng.random_range(0..9u32) {
        0 => drop(score.remove(n)),
        1 => score.insert(n, any_legal(rng, n)),
        2 => score[n] = "a1h7".to_owned(),
        3 => score[n] = any_legal(rng, n),
        4 if n > 0 => score.swap(n - 1, n),
        5 => score.truncate(score.len() - (n % 5).min(score.len())),
        6 => score[n] = "???".to_owned(),
        _ => {}
    }
    score
}

/// What happens to a board. `true` where it was left alone.
fn bump(rng: &mut ChaCha8Rng, board: &mut Board) -> bool {
    let filled: Vec<Square> = board.occupied().into_iter().collect();
    let empty: Vec<Square> = (!board.occupied()).into_iter().collect();
    let mut any = |squares: &[Square]| squares[rng.random_range(0..squares.len() as u64) as usize];
    let (one, other, hole) = (any(&filled), any(&filled), any(&empty));
    match rng.random_range(0..7u32) {
        0 => {
            let piece = board.remove_piece_at(one).expect("filled");
            board.set_piece_at(hole, piece);
        }
        1 => board.discard_piece_at(one),
        2 => board.set_piece_at(hole, Color::Black.knight()),
        3 => {
            let (a, b) =
                (board.piece_at(one).expect("filled"), board.piece_at(other).expect("filled"));
            board.set_piece_at(one, b);
            board.set_piece_at(other, a);
        }
        _ => return true,
    }
    false
}

/// Read by squares alone, one move after the other, as far as it goes.
fn reads(start: &Chess, score: &[String]) -> Vec<Chess> {
    let mut positions = vec![start.clone()];
    for text in score {
        let last = positions.last().expect("the start");
        let mv = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(last).ok());
        let Some(next) = mv.and_then(|mv| last.clone().play(mv).ok()) else { break };
        positions.push(next);
    }
    positions
}

/// Plies up to which the scores carry, whether they differ behind that, and how many entries are
/// missing: by what both must have written, not by what may be open.
fn reference(
    start: &Chess,
    colors: [Color; 2],
    scores: [&[String]; 2],
    excused: [bool; 2],
) -> (usize, bool, usize) {
    let longer = usize::from(scores[1].len() > scores[0].len());
    let (long, short) = (scores[longer], scores[1 - longer]);
    let count = long.len();
    // Plies that the player with the shorter score made, the latest first: the second is written.
    let own = |ply: &usize| (ply % 2 == 1) == (start.turn() == colors[1 - longer]);
    let written = (1..=count).rev().filter(own).nth(1).unwrap_or(0);
    let written = if excused[1 - longer] { 0 } else { written };
    let legal = reads(start, long).len() - 1;
    let same = long.iter().zip(short).take_while(|(a, b)| a == b).count().min(legal);
    if same < short.len() || short.len() < written {
        let carry = same.min(short.len());
        return (carry, carry < count, 0);
    }
    (legal, legal < count, legal - same)
}

fn hands(board: &mut Board, steps: &[PegStep]) {
    let mut putting = false;
    for step in steps {
        match *step {
            PegStep::Take(square, _) => {
                assert!(!putting, "first take away, then put: {steps:?}");
                assert!(board.remove_piece_at(square).is_some(), "no peg on {square}");
            }
            PegStep::Put(square, piece) => {
                putting = true;
                assert_eq!(board.piece_at(square), None, "two pegs for {square}");
                board.set_piece_at(square, piece);
            }
        }
    }
}

/// The same as they are told and shown: whole ways of pieces, each into a hole that is empty by
/// then.
fn ways(board: &mut Board, corrections: &[Correction]) {
    for way in corrections {
        if let Correction::Carry { from, .. } | Correction::Remove { from, .. } = *way {
            assert!(board.remove_piece_at(from).is_some(), "no peg on {from}: {corrections:?}");
        }
        if let Correction::Carry { piece, to, .. } | Correction::Set { piece, to } = *way {
            assert_eq!(board.piece_at(to), None, "two pegs for {to}: {corrections:?}");
            board.set_piece_at(to, piece);
        }
    }
}

fn check(seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (start, moves) = random_game(seed, 3 + (seed % 60) as usize);
    if moves.is_empty() {
        return;
    }
    let scores = [slip(&mut rng, &start, &moves), slip(&mut rng, &start, &moves)];
    let white_is_blind = rng.random_bool(0.5);
    let colors =
        if white_is_blind { [Color::White, Color::Black] } else { [Color::Black, Color::White] };
    let mut boards = Vec::new();
    let mut untouched = Vec::new();
    for score in &scores {
        let mut board = reads(&start, score).last().expect("the start").board().clone();
        // Once, or again and again.
        let bumps = if rng.random_bool(0.8) { 1 } else { 4 };
        let bumped = (0..bumps).map(|_| bump(&mut rng, &mut board)).filter(|left| !left).count();
        untouched.push(bumped == 0);
        boards.push((board, rng.random_bool(0.5)));
    }
    let excused = [rng.random_bool(0.1), rng.random_bool(0.1)];
    // A score that is kept move by move may have a gap where the other one goes on.
    let gap = rng.random_range(0..2 * moves.len() as u64) as usize;
    let gap = (gap + 1 < scores[0].len() && gap < scores[1].len()).then_some(gap);
    let readable = reads(&start, &scores[0]).len() - 1 == scores[0].len();
    let gap = gap.filter(|gap| readable && scores[0][*gap] == scores[1][*gap]);
    let times =
        |ply: u32| Times { white_ms: 9_000_000 - u64::from(ply) * 777, black_ms: 5_000_000 };
    let clocks: Vec<ClockReading> = (0..=moves.len() as u32)
        .filter(|ply| ply % 7 != 3)
        .map(|ply| ClockReading { ply, times: times(ply), at_ms: Some(u64::from(ply) * 1000) })
        .collect();
    let now = Times { white_ms: 1_000_000, black_ms: 2_000_000 };
    let side = |n: usize| {
        let (board, by_pieces) = &boards[n];
        Side {
            color: colors[n],
            score: read_entries(&start, &scores[n]),
            board: if *by_pieces {
                VisibleBoard::Pieces(board.clone())
            } else {
                VisibleBoard::Occupied(board.occupied())
            },
            excused: excused[n],
            pending: None,
        }
    };
    let mut case = Case {
        start: start.clone(),
        blind: side(0),
        sighted: side(1),
        clocks,
        now: Some(now),
        said_to_differ: false,
    };
    if let Some(gap) = gap {
        case.blind.score.entries[gap].result = Err(NotationError::NotWritten);
    }
    let settled = reconcile(&case);
    let (mut ply, differ, mut missing) =
        reference(&start, colors, [&scores[0], &scores[1]], excused);
    // Back over what only one has written, to what both boards show, if neither shows the last of
    // it.
    let long = usize::from(scores[1].len() > scores[0].len());
    let line = reads(&start, &scores[long]);
    let both_show = |ply: usize, all: bool| {
        let shows = boards.iter().map(|(board, by_pieces)| match by_pieces {
            true => board == line[ply].board(),
            false => board.occupied() == line[ply].board().occupied(),
        });
        let shows: Vec<bool> = shows.collect();
        if all { shows.iter().all(|s| *s) } else { shows.iter().any(|s| *s) }
    };
    if !differ && missing > 0 && !both_show(ply, false) {
        let earlier = (ply - missing..ply).rev().find(|ply| both_show(*ply, true));
        if let Some(earlier) = earlier {
            missing -= ply - earlier;
            ply = earlier;
        }
    }
    // What was left open is asked for where the scores carry that far.
    let missing = missing + gap.filter(|gap| *gap < ply).iter().count();
    let told = format!("seed {seed}\n{scores:?}\n{settled:?}");
    assert_eq!(settled.ply as usize, ply, "{told}");
    assert_eq!(settled.verdict == Verdict::Retrace, differ, "{told}");
    assert_eq!(settled.missing.len(), missing, "{told}");
    assert_eq!(settled.clocks.is_some(), differ, "{told}");
    if let Some(clocks) = &settled.clocks {
        let known = ply <= moves.len() && ply % 7 != 3;
        assert_eq!(clocks.proposed.map(|p| p.times), known.then(|| times(ply as u32)), "{told}");
        if let Some(proposed) = clocks.proposed {
            let entry = Basis::Journal { ply: ply as u32, at_ms: Some(ply as u64 * 1000) };
            assert_eq!(proposed.basis, entry, "{told}");
            assert!(clocks.source().ends_with(&format!(" at {ply}.000 s")), "{}", clocks.source());
        }
        assert!(clocks.alternatives.iter().any(|a| a.times == now && a.basis == Basis::Now));
    }
    let longer = if reads(&start, &scores[0]).len() > ply { &scores[0] } else { &scores[1] };
    let target = reads(&start, longer).swap_remove(ply);
    assert_eq!(write_fen(&settled.position), write_fen(&target), "{told}");

    // 0 right, 1 wrong in what reeds cannot see, 2 wrong.
    let mut wrong = Vec::new();
    for (n, who) in Who::ALL.into_iter().enumerate() {
        let (mut board, by_pieces) = boards[n].clone();
        let (seen_right, all_right) =
            (board.occupied() == target.board().occupied(), board == *target.board());
        wrong.push(match (seen_right, by_pieces && !all_right) {
            (true, false) => 0,
            (true, true) => 1,
            (false, _) => 2,
        });
        let finding = &settled.boards[who];
        let squares = Square::ALL.into_iter();
        let amiss =
            squares.filter(|&square| board.piece_at(square) != target.board().piece_at(square));
        let amiss: Bitboard = amiss.fold(Bitboard::EMPTY, |all, square| all.with(square));
        let least =
            (amiss & board.occupied()).count() + (amiss & target.board().occupied()).count();
        if by_pieces {
            assert_eq!(finding.steps.len(), least, "minimal, {told}");
        }
        let mut other = board.clone();
        hands(&mut board, &finding.steps);
        ways(&mut other, &finding.corrections);
        assert_eq!(other, board, "{who}: {told}");
        assert_eq!(board.occupied(), target.board().occupied(), "{who}: {told}");
        // Behind a gap his line is known only as far as the other score carries.
        let known = n == 1 || gap.is_none_or(|gap| gap < ply);
        if by_pieces || (untouched[n] && differ && known) {
            assert_eq!(board, *target.board(), "{who}: {told}");
        }
        assert_eq!(finding.state == BoardState::Agrees, finding.steps.is_empty(), "{told}");
    }
    let expected = match (differ, wrong[0], wrong[1]) {
        (true, ..) => Verdict::Retrace,
        (_, 0, 0) => Verdict::Agree,
        (_, 2, 1 | 2) | (_, 1, 2) => Verdict::BothCorrect,
        (_, 2, _) => Verdict::BlindCorrects,
        (_, _, 2) => Verdict::SightedCorrects,
        _ => Verdict::Inspect,
    };
    assert_eq!(settled.verdict, expected, "{told}");
    assert!(!settled.explanation(&case).contains('\n'));
    for Missing { score, ply, mv } in &settled.missing {
        let entry = case.side(*score).score.entries.get(*ply as usize - 1);
        assert!(entry.is_none_or(|e| e.result == Err(NotationError::NotWritten)), "{told}");
        assert_eq!(settled.moves[*ply as usize - 1], *mv, "{told}");
    }

    // Wherever else the arbiter goes, the steps lead there.
    let chosen_ply = rng.random_range(0..=moves.len() as u32);
    let who = Who::ALL[rng.random_range(0..2u32) as usize];
    let line = reads(&start, &scores[usize::from(who == Who::Sighted)]);
    let chosen = choose(&case, who, chosen_ply);
    if gap.is_none() {
        assert_eq!(chosen.is_some(), (chosen_ply as usize) < line.len(), "{told}");
    }
    if let Some(chosen) = chosen {
        let target = &line[chosen_ply as usize];
        assert_eq!(write_fen(&chosen.position), write_fen(target), "{told}");
        for (n, who) in Who::ALL.into_iter().enumerate() {
            let (mut board, by_pieces) = boards[n].clone();
            let mut other = board.clone();
            hands(&mut board, &chosen.boards[who].steps);
            ways(&mut other, &chosen.boards[who].corrections);
            assert_eq!(other, board, "{who}: {told}");
            assert_eq!(board.occupied(), target.board().occupied(), "{who}: {told}");
            assert!(!by_pieces || board == *target.board(), "{who}: {told}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_two_scores_and_boards_are_settled_as_a_simple_reference_does(seed: u64) {
        check(seed);
    }
}
