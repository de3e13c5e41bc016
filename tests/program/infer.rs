//! `annabella infer` as others call it: lines in, lines out, exit codes.

use annabella_players::{
    games::random_game,
    hands::{Hands, RawEdge, Style},
};
use annabella_words::phrase::{SpokenForm, Words};
use shakmaty::{Position, Role, uci::UciMove};
use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

fn infer(args: &[&str], lines: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_annabella"))
        .arg("infer")
        .args(args)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    child.stdin.take().expect("piped").write_all(lines.as_bytes()).expect("written");
    child.wait_with_output().expect("ends")
}

fn stdout(output: &Output) -> Vec<serde_json::Value> {
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON line"))
        .collect()
}

fn moves(output: &Output) -> Vec<String> {
    let uci = |line: &serde_json::Value| line["uci"].as_str().map(str::to_owned);
    stdout(output).iter().filter_map(uci).collect()
}

fn problems(output: &Output) -> Vec<String> {
    stdout(output)
        .iter()
        .filter_map(|line| {
            let (problem, article) = (line["problem"].as_str()?, line["article"].as_str()?);
            Some(format!("{article}: {problem}"))
        })
        .collect()
}

/// `g1- 300 f3+ 1000 press white …`: lifts, puts, pauses in milliseconds, words in quotes.
fn script(text: &str) -> String {
    let mut t = 1000;
    let mut lines = String::new();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let line = match word {
            "press" => format!(r#"{{"t":{t},"press":"{}"}}"#, words.next().expect("who")),
            "say" => {
                let said = words.next().expect("what").replace('_', " ");
                format!(r#"{{"t":{t},"announce":"{said}"}}"#)
            }
            word => match (word.parse::<u64>(), word.split_at(2)) {
                (Ok(pause), _) => {
                    t += pause;
                    continue;
                }
                (_, (square, state)) => {
                    format!(r#"{{"t":{t},"square":"{square}","occupied":{}}}"#, state == "+")
                }
            },
        };
        lines.push_str(&line);
        lines.push('\n');
    }
    lines
}

fn run(text: &str) -> Output {
    infer(&[], &script(text))
}

fn run_from(fen: &str, text: &str) -> Output {
    infer(&["--fen", fen], &script(text))
}

#[test]
fn a_move_is_one_line_and_the_position_the_last() {
    let output = run("g1- 300 f3+ 1000");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "{\"ply\":1,\"uci\":\"g1f3\",\"san\":\"Nf3\",\"t\":1700,\"touched\":[\"g1\"],\"notes\":[]}\n\
         {\"fen\":\"rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1\"}\n"
    );
}

#[test]
fn a_lift_is_never_a_move() {
    let output = run("e2- 300 e4+ 1000 d7- 300 d5+ 1000 e4- 60000");
    assert_eq!(moves(&output), ["e2e4", "d7d5"]);
}

#[test]
fn a_peg_in_a_wrong_hole_leaves_only_the_right_move() {
    let output = run("g1- 300 h3+ 9000 h3- 300 f3+ 1000 press white");
    assert_eq!(moves(&output), ["g1f3"]);
    assert_eq!(output.status.code(), Some(0));
    let output = run("e2- 300 e5+ 900 e5- 300 e4+ 1000");
    assert_eq!(moves(&output), ["e2e4"]);
}

#[test]
fn a_move_taken_back_is_none() {
    assert_eq!(moves(&run("g1- 300 f3+ 2000 f3- 300 g1+ 1000 d2- 300 d4+ 1000")), ["d2d4"]);
}

#[test]
fn castling_is_one_move_king_first_or_rook_first() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let output = run_from(fen, "e1- 300 g1+ 900 h1- 300 f1+ 1000");
    assert_eq!((moves(&output), output.status.code()), (vec!["e1g1".to_owned()], Some(0)));
    let output = run_from(fen, "h1- 300 f1+ 3000 e1- 300 g1+ 1000");
    assert_eq!(moves(&output), ["e1g1"]);
    assert_eq!(
        problems(&output),
        ["4.4: the rook on h1 was touched before the king: no castling on that side"]
    );
    let output = run_from(fen, "a1- 300 d1+ 3000 e8- 300 e7+ 1000");
    assert_eq!(moves(&output), ["a1d1", "e8e7"]);
}

#[test]
fn a_promotion_takes_the_piece_that_is_named_before_or_after() {
    let fen = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1";
    for text in [
        "e7- 300 e8+ 400 e8- 500 e8+ 1000 say Dame",
        "say Dame 500 e7- 300 e8+ 1000",
        "say Bauer_Eva_sieben_Eva_acht_Dame 500 e8+ 300 e7- 1000",
        "e7- 300 e8+ 900 say e8Q",
    ] {
        let output = run_from(fen, text);
        assert_eq!(
            (moves(&output), output.status.code()),
            (vec!["e7e8q".to_owned()], Some(0)),
            "{text}"
        );
    }
    let unnamed = run_from(fen, "e7- 300 e8+ 2000");
    assert_eq!(moves(&unnamed), Vec::<String>::new());
    assert_eq!(problems(&unnamed), ["D.2.1: the promotion piece was not named"]);
    assert_eq!(unnamed.status.code(), Some(1));
}

#[test]
fn en_passant_in_every_order() {
    let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    for text in ["e5- 300 d6+ 300 d5-", "d5- 300 e5- 300 d6+", "e5- 300 d5- 300 d6+"] {
        assert_eq!(moves(&run_from(fen, &format!("{text} 1000"))), ["e5d6"], "{text}");
    }
}

#[test]
fn touching_is_kept_in_order_and_judged() {
    let output = run("b1- 300 b1+ 500 g1- 300 f3+ 1000");
    assert_eq!(stdout(&output)[0]["touched"], serde_json::json!(["b1", "g1"]));
    assert_eq!(problems(&output), ["4.3: the piece on b1 was touched first and can move"]);
    assert_eq!(output.status.code(), Some(1));
    for word in ["Ich_korrigiere", "j'adoube"] {
        let output = run(&format!("say {word} b1- 300 b1+ 6000 g1- 300 f3+ 1000"));
        assert_eq!(stdout(&output)[0]["touched"], serde_json::json!(["g1"]), "{word}");
        assert_eq!(problems(&output), Vec::<String>::new());
    }
}

#[test]
fn an_illegal_move_is_reported_when_the_clock_is_pressed_and_play_goes_on() {
    let output = run("g1- 300 g3+ 900 press white 500 g3- 300 f3+ 900 press white");
    assert_eq!(
        problems(&output),
        [
            "7.5.1: completed illegal move: a knight cannot go from g1 to g3 here",
            "7.4: the board fits no move: take away the peg on g3",
        ]
    );
    assert_eq!(moves(&output), ["g1f3"]);
    let nothing = run("press white");
    assert_eq!(problems(&nothing), ["7.5.3: white pressed the clock without a move"]);
}

#[test]
fn what_the_pegs_cannot_tell_is_asked_for_never_guessed() {
    // The knight may have taken either pawn: both were out of their holes after it was lifted.
    let fen = "4k3/8/8/3p1p2/8/4N3/8/4K3 w - - 0 1";
    let hands = "e3- 300 d5- 300 d5+ 300 f5- 300 f5+ 1500";
    let output = run_from(fen, hands);
    assert_eq!(moves(&output), Vec::<String>::new());
    assert_eq!(problems(&output), ["D.2.3: several moves fit, announce which: e3d5, e3f5"]);
    let output = run_from(fen, &format!("{hands} say Springer_schlägt_Felix_fünf"));
    assert_eq!(moves(&output), ["e3f5"]);
    assert_eq!(problems(&output), ["4.3: e3 and d5 were touched first: e3 must take d5"]);
}

#[test]
fn a_dead_reed_is_named_and_play_goes_on_by_announcement() {
    let output = run("g1- 300 say Springer_Felix_drei 1500 e7- 300 e5+ 1000 \
                      say Springer_schlägt_Eva_fünf e5- 400 e5+ 1000 d7- 300 d6+ 1000");
    assert_eq!(moves(&output), ["g1f3", "e7e5", "f3e5", "d7d6"]);
    assert_eq!(problems(&output), ["D.2.3: the reed of f3 does not answer"]);
    let fault = stdout(&output).into_iter().find(|line| line["article"] == "D.2.3");
    let detail = serde_json::json!({ "square": "f3", "fault": "dead" });
    assert_eq!(fault.expect("reported")["detail"], detail);
}

/// A game in which nothing went wrong: these moves, no problem.
fn clean(fen: &str, text: &str, wanted: &[&str]) {
    let output = run_from(fen, text);
    assert_eq!(problems(&output), Vec::<String>::new(), "{text}");
    assert_eq!(moves(&output), wanted, "{text}");
}

#[test]
fn f1_an_announced_en_passant_waits_for_the_captured_pawn_to_leave() {
    let white = "4k3/8/8/3pP3/1n6/8/8/4K3 w - d6 0 1";
    let reply = "press white 300 b4- 300 d5+ 900 press black";
    clean(white, &format!("say exd6 300 e5- 300 d6+ 3000 d5- 900 {reply}"), &["e5d6", "b4d5"]);
    clean(white, &format!("e5- 300 d6+ 800 say exd6 900 d5- 900 {reply}"), &["e5d6", "b4d5"]);
    clean(
        "4k3/8/8/8/3Pp3/8/8/1N2K3 b - d3 0 1",
        "say exd3 300 e4- 300 d3+ 3000 d4- 900 press black 300 b1- 300 c3+ 900",
        &["e4d3", "b1c3"],
    );
}

#[test]
fn f1_a_peg_that_is_set_before_the_old_one_is_lifted_breaks_no_reed() {
    clean(
        "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        "say a8=Q 300 a8+ 3000 a7- 900 press white 300 e8- 300 e7+ 900",
        &["a7a8q", "e8e7"],
    );
    clean(
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "say O-O-O 300 e1- 300 c1+ 300 d1+ 3000 a1- 900 press white 300 e8- 300 e7+ 900",
        &["e1c1", "e8e7"],
    );
}

#[test]
fn f1_no_capture_is_made_by_saying_it_again_while_the_captured_piece_stands() {
    let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    let told = "say exd5 300 e4- 2500 say exd5 2500 say exd5 2500";
    assert_eq!(moves(&run_from(fen, told)), Vec::<String>::new());
    let output = run_from(fen, &format!("{told} d5- 300 d5+ 900 press white"));
    assert_eq!(moves(&output), ["e4d5"]);
}

#[test]
fn f1_a_stray_peg_is_no_stuck_reed_after_one_move_but_after_two() {
    let squares: Vec<String> = "abcdefgh"
        .chars()
        .flat_map(|file| [1, 2, 7, 8].map(|rank| format!("\"{file}{rank}\"")))
        .chain(["\"d5\"".to_owned()])
        .collect();
    let stray = format!("{{\"t\":0,\"occupied\":[{}]}}\n", squares.join(","));
    let stuck = ["D.2.3: the reed of d5 always answers"];
    let play = |rest: &str| infer(&[], &format!("{stray}{}", script(rest)));
    let faults = |output: &Output| -> Vec<String> {
        problems(output).into_iter().filter(|line| line.starts_with("D.2.3")).collect()
    };
    let first = "e2- 300 e4+ 1000 press white 300";
    assert_eq!(faults(&play(first)), Vec::<String>::new());
    let second = format!("{first} e7- 300 e5+ 1000 press black 300");
    let output = play(&second);
    assert_eq!(
        (moves(&output), faults(&output)),
        (vec!["e2e4".into(), "e7e5".into()], stuck.map(String::from).to_vec())
    );
    // Taken away it shows that it lives: what comes there later is felt.
    let output = play(&format!("{second} d5- 600 d2- 300 d4+ 900 press white 300 d7- 300 d5+ 900"));
    assert_eq!(moves(&output), ["e2e4", "e7e5", "d2d4", "d7d5"]);
}

#[test]
fn f14_a_press_in_mid_capture_is_early_and_the_announcement_stands() {
    let early = "D.2.4: the clock was pressed before the announced move was executed";
    let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    let output = run_from(fen, "say exd5 300 d5- 300 press white 600 e4- 300 d5+ 900 press white");
    assert_eq!(
        (moves(&output), problems(&output)),
        (vec!["e4d5".to_owned()], vec![early.to_owned()])
    );
    let detail = stdout(&output).into_iter().find(|line| line["article"] == "D.2.4").expect("told");
    let next = serde_json::json!({ "take": "e4", "piece": "P" });
    assert_eq!(detail["detail"], serde_json::json!({ "announced": "e4d5", "next": next }));
    let passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    for (hands, rest) in
        [("e5- 300 d6+", "d5-"), ("e5- 300 d6+ 900", "d5-"), ("e5-", "d5- 300 d6+")]
    {
        let text = format!("say exd6 300 {hands} 300 press white 600 {rest} 900 press white");
        let output = run_from(passing, &text);
        assert_eq!(problems(&output), [early], "{text}");
        assert_eq!(moves(&output), ["e5d6"], "{text}");
        let detail = stdout(&output).into_iter().find(|line| line["article"] == "D.2.4");
        let next = serde_json::json!({ "take": "d5", "piece": "p" });
        assert_eq!(detail.expect("told")["detail"]["next"], next, "{text}");
    }
    // Nothing announced: that is another matter.
    let output = run_from(fen, "d5- 300 press white");
    assert!(problems(&output)[0].starts_with("7.5"), "{:?}", problems(&output));
}

#[test]
fn f17_knocked_pegs_set_up_again_are_not_touched() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let knocked = "h2- 40 g2- 40 f2- 2000";
    clean(start, &format!("{knocked} f2+ 400 g2+ 400 h2+ 900 g1- 300 f3+ 900"), &["g1f3"]);
    clean(start, &format!("{knocked} g1- 300 f3+ 900 f2+ 400 g2+ 400 h2+ 900"), &["g1f3"]);
    // One after the other they are touched, and two of them may be too.
    for touched in ["h2- 300 h2+ 600", "h2- 300 g2- 300 h2+ 300 g2+ 600"] {
        let output = run_from(start, &format!("{touched} g1- 300 f3+ 900"));
        assert_eq!(problems(&output), ["4.3: the piece on h2 was touched first and can move"]);
    }
}

#[test]
fn f29_adjusting_holds_until_the_piece_is_touched() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let text = "e2- 300 e4+ 900 press white 300 e7- 300 e5+ 300 press black \
                say Ich_korrigiere 3000 b1- 300 b1+ 900 g1- 300 f3+ 900";
    clean(start, text, &["e2e4", "e7e5", "g1f3"]);
}

#[test]
fn a_stuck_reed_is_named_and_play_goes_on() {
    let output = run("say Nf3 300 f3+ 1000 e7- 300 e5+ 1000 b1- 300 c3+ 1000");
    assert_eq!(moves(&output), ["g1f3", "e7e5", "b1c3"]);
    assert_eq!(problems(&output), ["D.2.3: the reed of g1 always answers"]);
}

#[test]
fn a_board_cleared_and_set_up_again_is_recognised() {
    let squares = |rank: u32| "abcdefgh".chars().map(move |file| format!("{file}{rank}"));
    let all: Vec<String> = [1, 2, 7, 8].into_iter().flat_map(squares).collect();
    let clear: Vec<String> = all
        .iter()
        .map(|sq| if sq == "e2" { "e4".into() } else { sq.clone() })
        .map(|sq| format!("{sq}- 120"))
        .collect();
    let set: Vec<String> = all.iter().rev().map(|sq| format!("{sq}+ 120")).collect();
    let text = format!(
        "e2- 300 e4+ 1000 {} 2000 {} 1000 d2- 300 d4+ 1000",
        clear.join(" "),
        set.join(" ")
    );
    let output = run(&text);
    assert_eq!(moves(&output), ["e2e4", "d2d4"]);
    let lines = stdout(&output);
    assert_eq!(lines[1]["set_up"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(lines[2]["ply"], 1);
}

#[test]
fn the_whole_board_at_once_stands_for_the_edges_that_were_missed() {
    let start: Vec<String> = "abcdefgh"
        .chars()
        .flat_map(|file| [1, 2, 7, 8].map(|rank| format!("\"{file}{rank}\"")))
        .collect();
    let after: Vec<String> =
        start.iter().map(|sq| if sq == "\"e2\"" { "\"e4\"".into() } else { sq.clone() }).collect();
    let lines = format!(
        "{{\"t\":0,\"occupied\":[{}]}}\n{{\"t\":9000,\"occupied\":[{}]}}\n",
        start.join(","),
        after.join(",")
    );
    let output = infer(&[], &lines);
    assert_eq!((moves(&output), output.status.code()), (vec!["e2e4".to_owned()], Some(0)));
}

#[test]
fn a_piece_that_was_in_the_hand_when_the_board_was_first_read_may_capture() {
    let standing = ["c1", "f8"].map(|square| format!("\"{square}\""));
    let whole = "e1 d2 h8 d5".split(' ').map(|square| format!("\"{square}\""));
    let squares: Vec<String> = standing.into_iter().chain(whole).collect();
    let picture = format!("{{\"t\":0,\"occupied\":[{}]}}\n", squares.join(","));
    // The knight on c3 is not on the board.
    let fen = "5b1k/8/8/3p4/8/2N5/3P4/2B1K3 w - - 0 1";
    let output = infer(&["--fen", fen], &(picture + &script("d5- 300 d5+ 1000")));
    assert_eq!(moves(&output), ["c3d5"]);
}

#[test]
fn bad_input_gets_one_clear_line_and_code_2() {
    let err = |args: &[&str], lines: &str| {
        let output = infer(args, lines);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_eq!(
        err(&[], "{\"t\":5,\"square\":\"e2\",\"occupied\":false}\n{\"t\":4,\"press\":\"white\"}\n"),
        "annabella: -, line 2: t goes back from 5 to 4: times must rise\n"
    );
    assert_eq!(
        err(&[], "{\"square\":\"e2\",\"occupied\":false}\n"),
        "annabella: -, line 1: t is missing: add \"t\", milliseconds\n"
    );
    assert_eq!(
        err(&["--fen", "nonsense"], ""),
        "annabella: --fen: 'nonsense' is not a FEN: invalid board part in fen\n"
    );
    assert_eq!(
        err(&["--words", "xx"], ""),
        "annabella: --words: no language pack 'xx', use one of: fide, de, en, ru, fr, es, pl, lt\n"
    );
    let output = Command::new(env!("CARGO_BIN_EXE_annabella"))
        .args(["infer", "no-such-file.jsonl"])
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "annabella: cannot read no-such-file.jsonl: No such file or directory (os error 2)\n"
    );
}

/// A whole random game through hands, as an event file; what pegs cannot tell is announced.
fn event_file(seed: u64, style: Style, pressing: bool) -> (String, String, Vec<String>) {
    let (start, moves) = random_game(seed, 120);
    let words = Words::builtin("fide", "de").expect("built in");
    let mut hands = Hands::seeded(seed, style);
    let (mut position, mut t_ms) = (start.clone(), 1000);
    let mut lines = String::new();
    for mv in &moves {
        let script = hands.play(&position, *mv, t_ms);
        for RawEdge { t_ms, square, occupied } in &script.edges {
            lines.push_str(&format!(
                "{{\"t\":{t_ms},\"square\":\"{square}\",\"occupied\":{occupied}}}\n"
            ));
        }
        t_ms = script.end_ms + 1700;
        let name = match mv.promotion() {
            Some(Role::Queen) => Some("Dame".to_owned()),
            Some(Role::Rook) => Some("Turm".to_owned()),
            Some(Role::Bishop) => Some("Läufer".to_owned()),
            Some(Role::Knight) => Some("Springer".to_owned()),
            _ => None,
        };
        let set_first = script.order.name == "new piece set, pawn removed last";
        let said = if script.rivals.is_empty() && !set_first {
            name
        } else {
            Some(words.announce(&position, *mv, SpokenForm::Full).to_string())
        };
        if let Some(said) = said {
            lines.push_str(&format!("{{\"t\":{t_ms},\"announce\":\"{said}\"}}\n"));
            t_ms += 900;
        }
        if pressing {
            lines.push_str(&format!("{{\"t\":{t_ms},\"press\":\"{}\"}}\n", position.turn()));
            t_ms += 300;
        }
        position.play_unchecked(*mv);
        t_ms += 500;
    }
    let uci = moves.iter().map(|mv| UciMove::from_standard(*mv).to_string()).collect();
    (annabella_core::game::write_fen(&start), lines, uci)
}

#[test]
fn whole_games_through_noisy_hands_come_out_move_by_move() {
    for seed in 0..20 {
        for style in [Style::steady(), Style::human(), Style::clumsy()] {
            for pressing in [true, false] {
                let shown = style.to_string();
                let (fen, lines, wanted) = event_file(seed, style.clone(), pressing);
                let found = moves(&infer(&["--fen", &fen], &lines));
                assert_eq!(found, wanted, "SEED={seed} style={shown} pressing={pressing}");
            }
        }
    }
}

#[test]
fn a_reply_within_the_settle_time_still_shows_both_moves() {
    assert_eq!(
        moves(&run("e2- 200 e4+ 150 e7- 200 e5+ 150 g1- 200 f3+ 150 b8- 200 c6+ 1000")),
        ["e2e4", "e7e5", "g1f3", "b8c6"]
    );
    let fen = "r3k3/8/8/3p4/4P3/8/8/3RK3 w q - 0 1";
    let output = run_from(fen, "e4- 150 d5- 150 d5+ 150 a8- 200 d8+ 1000");
    assert_eq!(moves(&output), ["e4d5", "a8d8"]);
}
