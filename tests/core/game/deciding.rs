//! Boards or scores differ, and the arbiter decides (D.2.9): in a running game, to the last peg.

use annabella_core::{
    game::{
        ArbiterAct, BoardSeen, Boards, ClockBasis, Duties, GameConfig, HandStep, Input, Output,
        PageAct, PageEntry, PageRole, Ruling, Running, Settle, SettledClocks, Source,
    },
    laws::Article,
    notation::{read_entries, read_score},
    reconcile::{Basis, Verdict, Who},
    sensing::Shape,
};
use shakmaty::Color;
use shakmaty::{
    Chess,
    Color::{Black, White},
    Move, Piece, Position, Square,
    uci::UciMove,
};

use super::table::Table;

fn two_boards() -> GameConfig {
    GameConfig { sighted_board: true, ..GameConfig::default() }
}

fn moves(texts: &[&str]) -> Vec<Move> {
    let reading = read_entries(&Chess::default(), texts);
    assert!(reading.first_error().is_none(), "{:?}", reading.first_error());
    reading.moves()
}

/// Hands on White's pegs.
fn on_pegs(table: &mut Table, position: &Chess, mv: Move) {
    let shape = Shape::new(position.board().occupied(), mv);
    for square in shape.emptied {
        table.lift(&square.to_string());
    }
    for square in shape.landing {
        table.put(&square.to_string());
    }
    table.wait(1600);
}

/// A whole half-move: made, pressed after three seconds, followed on the other board.
fn play(table: &mut Table, mv: Move) {
    let position = table.position().clone();
    let uci = UciMove::from_standard(mv).to_string();
    let turn = position.turn();
    if turn.is_white() {
        on_pegs(table, &position, mv);
    } else {
        table.sighted(Black, &uci);
    }
    table.wait(3000);
    table.press(turn);
    if turn.is_white() {
        table.sighted(Black, &uci);
    } else {
        on_pegs(table, &position, mv);
    }
}

fn played(config: GameConfig, moves: &[Move]) -> Table {
    let mut table = Table::new(config);
    table.start_clock();
    for mv in moves {
        play(&mut table, *mv);
    }
    assert_eq!(table.game.record().expect("a game").line.len(), moves.len());
    table.heard();
    table
}

fn settle(table: &mut Table, settle: Settle, reason: &str) {
    let ruling = Ruling::new(ArbiterAct::Settle(Box::new(settle)), "A. Weber", reason);
    table.input(Input::Arbiter(Box::new(ruling)));
}

/// As proposed, with the journal's clocks.
fn as_proposed(table: &mut Table) {
    let settlement = table.game.settlement().expect("a game");
    let proposed = settlement.clocks.as_ref().and_then(|clocks| clocks.proposed);
    let clocks = proposed.map(|proposed| SettledClocks {
        white_ms: proposed.times.white_ms,
        black_ms: proposed.times.black_ms,
        basis: ClockBasis::from(proposed.basis),
    });
    settle(table, Settle { ply: settlement.ply, score: None, clocks }, "");
}

/// The steps last shown for a board.
fn shown_steps(table: &Table, of: shakmaty::Color) -> Vec<HandStep> {
    let outputs = table.results.iter().flatten().flatten();
    let mut last = outputs.filter_map(|output| match output {
        Output::Correct { seat, steps } if *seat == of => Some(steps.clone()),
        _ => None,
    });
    last.next_back().unwrap_or_default()
}

/// The hands do what is shown, one thing after another.
fn follow(table: &mut Table) {
    for _ in 0..64 {
        match shown_steps(table, White).first() {
            None => return,
            Some(HandStep::Take { take, .. }) => table.lift(&take.to_string()),
            Some(HandStep::Put { put, .. }) => table.put(&put.to_string()),
        }
    }
    panic!("the steps never end");
}

const SIX: [&str; 6] = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"];

#[test]
fn scores_that_differ_are_noticed_settled_and_the_boards_guided_back() {
    let mut table = played(two_boards(), &moves(&SIX));
    let text = "1. e4 e5 2. Sf3 Sf6 3. Lb5 a6".to_owned();
    table.input(Input::Score { seat: Black, from_ply: 1, text });
    let noticed = table.heard();
    assert_eq!(noticed.len(), 1, "{noticed:?}");
    assert!(
        noticed[0].starts_with(
            "problem D.2.9: The scores differ at ply 4 (Black's move 2): the blind player wrote \
             'Nc6', the sighted player wrote 'Sf6'. Back to the position after ply 3 (White's move \
             2). On the blind player's board: white bishop from b5 to f1;"
        ),
        "{noticed:?}"
    );
    // The journal's entry: the completion of ply 3, by its moment.
    let completed = table.game.record().expect("a game").line[2].completed.expect("pressed");
    let settlement = table.game.settlement().expect("a game");
    assert_eq!((settlement.verdict, settlement.ply), (Verdict::Retrace, 3));
    let clocks = settlement.clocks.expect("a clock");
    let proposed = clocks.proposed.expect("a reading");
    assert_eq!(proposed.basis, Basis::Journal { ply: 3, at_ms: Some(completed.ms) });
    assert_eq!(clocks.source(), "journal, completion of ply 3 at 16.900 s");
    assert_eq!(clocks.alternatives.len(), 2);

    as_proposed(&mut table);
    assert_eq!(
        table.heard(),
        [
            "ruled by A. Weber",
            "settled after ply 3",
            "clock: None",
            "loud: Der Schiedsrichter hat entschieden. Weiter nach: Springer Gustav eins Felix drei.",
            "loud: Uhren gestellt. Weiß: eine Stunde einunddreißig Minuten. Schwarz: eine Stunde dreißig Minuten.",
            "correct white: 6",
            "correct black: 6",
            "ear: Entferne den weißen Läufer von Bella fünf.",
            "boards differ",
        ]
    );
    assert_eq!(
        serde_json::to_value(shown_steps(&table, Black)).expect("JSON"),
        serde_json::json!([
            { "take": "b5", "piece": "B" }, { "take": "a6", "piece": "p" },
            { "take": "c6", "piece": "n" }, { "put": "f1", "piece": "B" },
            { "put": "a7", "piece": "p" }, { "put": "b8", "piece": "n" },
        ])
    );
    table.input(Input::Corrected { seat: Black });
    assert_eq!(table.heard(), ["correct black: 0"]);
    follow(&mut table);
    assert_eq!(
        table.heard(),
        [
            "correct white: 5",
            "ear: Entferne den schwarzen Bauern von Anna sechs.",
            "correct white: 4",
            "ear: Entferne den schwarzen Springer von Cesar sechs.",
            "correct white: 3",
            "ear: Setz den weißen Läufer auf Felix eins.",
            "correct white: 2",
            "ear: Setz den schwarzen Bauern auf Anna sieben.",
            "correct white: 1",
            "ear: Setz den schwarzen Springer auf Bella acht.",
            "correct white: 0",
            "ear: Die Bretter stimmen wieder überein.",
            "boards agree",
        ]
    );

    let record = table.game.record().expect("a game");
    assert_eq!(record.line.len(), 3);
    assert_eq!(record.clock, (proposed.times.white_ms, proposed.times.black_ms, Running::None));
    let sans = |score: &[annabella_core::game::ScoreEntry]| {
        score.iter().map(|entry| entry.san.clone()).collect::<Vec<_>>()
    };
    assert_eq!(sans(record.score(Color::White)), ["e4", "e5", "Nf3"]);
    assert_eq!(sans(record.score(Color::Black)), ["e4", "e5", "Nf3"]);
    let struck: Vec<_> = record
        .struck(Color::Black)
        .iter()
        .map(|struck| (struck.entry.san.as_str(), struck.entry.source, struck.decision))
        .collect();
    // First what his board had shown, when he showed his sheet; then by the decision.
    assert_eq!(struck[..2], [("e4", Source::Board, None), ("e5", Source::Board, None)]);
    assert_eq!(
        struck[6..],
        [
            ("Nf6", Source::Written, Some(1)),
            ("Bb5", Source::Written, Some(1)),
            ("a6", Source::Written, Some(1)),
        ]
    );
    assert_eq!(record.struck(Color::Black)[6].entry.written.as_deref(), Some("Sf6"));
    assert_eq!(record.struck(Color::White).len(), 3);
    let [decision] = record.decisions else { panic!("one decision") };
    assert!(decision.proposed.followed && decision.proposed.explanation.contains("wrote 'Sf6'"));
    assert_eq!(decision.proposed.verdict, Verdict::Retrace);
    assert_eq!((decision.struck.len(), decision.struck_from), (3, 4));
    assert_eq!(
        decision.proposed.clock_source.as_deref(),
        Some("journal, completion of ply 3 at 16.900 s")
    );
    assert_eq!(record.rulings[decision.by.ruling().expect("a ruling")].ruling.by, "A. Weber");

    // Black goes on, when the clock is started by a word.
    table.says(White, "Uhr starten");
    assert_eq!(table.heard(), ["clock: Black", "ear: Die Uhr läuft."]);
    for mv in &moves(&["e4", "e5", "Nf3", "Nf6", "d3"])[3..] {
        play(&mut table, *mv);
    }
    let record = table.game.record().expect("a game");
    assert_eq!(record.line.len(), 5);
    assert_eq!(record.score(Color::Black).len(), 5);
    assert_eq!(table.game.settlement().expect("a game").verdict, Verdict::Agree);
}

#[test]
fn the_sample_game_of_the_laws_is_played_and_goes_back_to_before_its_own_slip() {
    let forms = include_str!("../../data/notation/appendix-c.txt");
    let [short, _, long] = forms.lines().collect::<Vec<_>>()[..] else { panic!("three forms") };
    let start = Chess::default();
    let mut table = played(two_boards(), &read_score(&start, short).moves());
    let completed = table.game.record().expect("a game").line[13].completed.expect("pressed");
    let readings = table.game.record().expect("a game").line[13].clock_ms.expect("read");
    table.input(Input::Score { seat: Black, from_ply: 1, text: long.to_owned() });
    let settlement = table.game.settlement().expect("a game");
    assert_eq!((settlement.verdict, settlement.ply), (Verdict::Retrace, 14));
    let difference = settlement.difference.as_ref().expect("a difference");
    let written = |who: Who| difference.entries[who].as_ref().map(|e| e.as_written.as_str());
    assert_eq!((written(Who::Blind), written(Who::Sighted)), (Some("Qe3+"), Some("Qd4d3")));
    let proposed = settlement.clocks.as_ref().and_then(|c| c.proposed).expect("a reading");
    assert_eq!(proposed.basis, Basis::Journal { ply: 14, at_ms: Some(completed.ms) });
    assert_eq!((proposed.times.white_ms, proposed.times.black_ms), readings);
    as_proposed(&mut table);
    follow(&mut table);
    table.input(Input::Corrected { seat: Black });
    let record = table.game.record().expect("a game");
    assert_eq!(
        annabella_core::game::write_fen(record.position),
        "r1bqkb1r/ppp2ppp/2nn4/6B1/3Q4/5N2/PPP2PPP/RN2KB1R w KQkq - 2 8"
    );
    assert_eq!((record.clock.0, record.clock.1), readings);
    assert_eq!(table.heard().last().map(String::as_str), Some("boards agree"));
    assert_eq!(table.game.settlement().expect("a game").verdict, Verdict::Agree);
}

#[test]
fn nothing_is_changed_before_the_decision_and_nothing_is_lost_meanwhile() {
    let mut table = played(two_boards(), &moves(&SIX));
    table.input(Input::Score { seat: Black, from_ply: 4, text: "Sf6".to_owned() });
    assert_eq!(table.game.settlement().expect("a game").verdict, Verdict::Retrace);
    let before = table.game.record().expect("a game").clock;
    table.heard();
    // The clock runs on, and so does the game.
    play(&mut table, moves(&["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4"])[6]);
    assert_eq!(
        table.heard(),
        [
            "executed Ba4",
            "loud: Läufer Bella fünf Anna vier",
            "announced Ba4",
            "made Ba4",
            "boards pending",
            "completed Ba4",
            "clock: Black",
            "boards agree",
        ]
    );
    let record = table.game.record().expect("a game");
    assert_eq!((record.line.len(), record.decisions.len()), (7, 0));
    assert!(record.clock.0 < before.0 + 30_000);
    // The score itself is as he wrote it.
    let entry = &record.score(Color::Black)[3];
    assert_eq!((entry.san.as_str(), entry.written.as_deref()), ("Nf6", Some("Sf6")));
    assert_eq!((entry.source, record.score(Color::Black).len()), (Source::Written, 7));
    let settlement = table.game.settlement().expect("a game");
    assert_eq!((settlement.verdict, settlement.ply), (Verdict::Retrace, 3));
}

#[test]
fn entries_with_mistakes_are_kept_as_written_and_read_again_when_put_right() {
    let mut table = played(two_boards(), &moves(&SIX));
    table.input(Input::Score { seat: Black, from_ply: 1, text: "e4 e5 Kf3 Nc6 Bb5 a6".to_owned() });
    let settlement = table.game.settlement().expect("a game");
    assert_eq!((settlement.verdict, settlement.ply), (Verdict::Retrace, 2));
    let record = table.game.record().expect("a game");
    let entry = &record.score(Color::Black)[2];
    assert_eq!((entry.mv, entry.written.as_deref()), (None, Some("Kf3")));
    table.input(Input::Score { seat: Black, from_ply: 3, text: "2. Nf3".to_owned() });
    assert_eq!(table.game.settlement().expect("a game").verdict, Verdict::Agree);
    let record = table.game.record().expect("a game");
    let wrong = record.struck(Color::Black).last().expect("struck");
    assert_eq!((wrong.entry.written.as_deref(), wrong.decision), (Some("Kf3"), None));
    // What the blind player announced is not rewritten.
    table.heard();
    table.input(Input::Score { seat: White, from_ply: 5, text: "Bc4".to_owned() });
    assert_eq!(
        table.heard(),
        [
            "refused D.2.7: half-move 5 is Bb5 in the score of White, as announced: only the arbiter \
             decides otherwise"
        ]
    );
    for (from_ply, text, why) in [
        (0, "e4", "the score of Black has 6 half-moves: write on from one of 1 to 7"),
        (8, "e4", "the score of Black has 6 half-moves: write on from one of 1 to 7"),
        (7, " ", "nothing is written: give at least one move"),
    ] {
        table.input(Input::Score { seat: Black, from_ply, text: text.to_owned() });
        assert_eq!(table.heard(), [format!("refused 8.1.1: {why}")]);
    }
}

#[test]
fn a_long_sheet_is_written_on_from_far_behind_its_beginning() {
    let knights = |rounds: usize| ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(rounds).join(" ");
    let mut table = played(two_boards(), &moves(&["Nf3", "Nf6"]));
    table.input(Input::Score { seat: Black, from_ply: 1, text: knights(75) });
    table.input(Input::Score { seat: Black, from_ply: 201, text: knights(26) });
    table.heard();
    let written = |table: &Table| table.game.record().expect("a game").score(Color::Black).len();
    assert_eq!(written(&table), 304);
    // No game is longer than 20,000 half-moves.
    for round in 0..80 {
        let from_ply = 305 + round * 244;
        table.input(Input::Score { seat: Black, from_ply, text: knights(61) });
    }
    table.heard();
    assert_eq!(written(&table), 304 + 80 * 244);
    table.input(Input::Score { seat: Black, from_ply: 19_825, text: knights(61) });
    assert_eq!(table.heard(), ["refused 8.1.1: no game has 20068 half-moves"]);
}

#[test]
fn another_position_than_the_proposed_one_needs_a_reason() {
    let mut table = played(two_boards(), &moves(&SIX));
    table.input(Input::Score { seat: Black, from_ply: 4, text: "Nf6 Bb5 a6".to_owned() });
    table.heard();
    let other = Settle { ply: 6, score: Some(Black), clocks: None };
    settle(&mut table, other.clone(), " ");
    assert_eq!(
        table.heard(),
        ["refused D.2.9: half-move 3 was proposed: give the reason for another position"]
    );
    for (wrong, why) in [
        (
            Settle { ply: 7, score: Some(Black), clocks: None },
            "D.2.9: the score of Black cannot be read up to half-move 7: name an earlier one",
        ),
        (
            Settle { ply: 9, score: None, clocks: None },
            "D.2.9: there are 6 half-moves to go back to, not 9",
        ),
        (
            Settle {
                clocks: Some(SettledClocks {
                    white_ms: 1,
                    black_ms: 1,
                    basis: ClockBasis::Journal,
                }),
                ..other.clone()
            },
            "7.1: these are not the journal's times at half-move 6: choose them as typed",
        ),
        (
            Settle {
                clocks: Some(SettledClocks {
                    white_ms: u64::MAX,
                    black_ms: 1,
                    basis: ClockBasis::Typed,
                }),
                ..other.clone()
            },
            "6.10.2: 18446744073709551615 ms are more than a clock shows",
        ),
    ] {
        settle(&mut table, wrong, "because");
        assert_eq!(table.heard(), [format!("refused {why}")]);
    }
    assert_eq!(table.game.record().expect("a game").decisions.len(), 0);

    let clocks = SettledClocks { white_ms: 60_000, black_ms: 90_000, basis: ClockBasis::Typed };
    settle(&mut table, Settle { clocks: Some(clocks), ..other }, "both remember 2… Nf6");
    let record = table.game.record().expect("a game");
    let line: Vec<&str> = record.line.iter().map(|ply| ply.san.as_str()).collect();
    assert_eq!(line, ["e4", "e5", "Nf3", "Nf6", "Bb5", "a6"]);
    assert!(record.line.iter().all(|ply| ply.completed.is_some()));
    assert_eq!(record.clock, (60_000, 90_000, Running::None));
    let entry = &record.score(Color::White)[3];
    assert_eq!((entry.san.as_str(), entry.source), ("Nf6", Source::Arbiter));
    assert_eq!(record.struck(Color::White)[0].entry.san, "Nc6");
    let decision = &record.decisions[0];
    assert!(!decision.proposed.followed);
    assert_eq!(
        record.rulings[decision.by.ruling().expect("a ruling")].ruling.reason,
        "both remember 2… Nf6"
    );
    // Two knights of a colour change places: taken away first, then put.
    table.heard();
    follow(&mut table);
    assert_eq!(
        table.spoken(),
        [
            "ear: Entferne den schwarzen Springer von Gustav acht.",
            "ear: Setz den schwarzen Springer auf Felix sechs.",
            "ear: Setz den schwarzen Springer auf Bella acht.",
        ]
    );
}

#[test]
fn a_hole_with_the_wrong_piece_must_be_seen_empty() {
    let mut table = played(two_boards(), &moves(&["e4", "d5", "exd5", "Qxd5"]));
    settle(&mut table, Settle { ply: 2, score: None, clocks: None }, "2. exd5 was never announced");
    assert_eq!(
        table.spoken(),
        [
            "loud: Der Schiedsrichter hat entschieden. Weiter nach: Bauer David sieben David fünf.",
            "ear: Entferne die schwarze Dame von David fünf.",
        ]
    );
    // Both holes that are empty are filled; the queen still stands where a pawn belongs.
    table.put("e4");
    table.put("d8");
    assert_eq!(table.spoken(), [""; 0]);
    table.lift("d5");
    assert_eq!(table.spoken(), ["ear: Setz den schwarzen Bauern auf David fünf."]);
    // A peg where none belongs is asked away first.
    table.put("d4");
    assert_eq!(table.spoken(), ["ear: Entferne die Figur von David vier."]);
    table.lift("d4");
    table.put("d5");
    table.input(Input::Corrected { seat: Black });
    assert_eq!(
        table.spoken(),
        [
            "ear: Setz den schwarzen Bauern auf David fünf.",
            "ear: Die Bretter stimmen wieder überein."
        ]
    );
    table.says(White, "Uhr starten");
    play(&mut table, moves(&["e4", "d5", "e5"])[2]);
    assert_eq!(table.game.record().expect("a game").line.len(), 3);
}

#[test]
fn repetitions_are_counted_on_the_game_as_decided() {
    let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"];
    let three = moves(&shuffle);
    let mut table = played(two_boards(), &three);
    // The starting position stands for the third time; the second knight's trip never was.
    settle(&mut table, Settle { ply: 4, score: None, clocks: None }, "played on in error");
    follow(&mut table);
    table.input(Input::Corrected { seat: Black });
    table.says(White, "Uhr starten");
    table.heard();
    table.says(White, "Stellungswiederholung");
    table.says(White, "ja");
    let heard = table.heard();
    assert!(heard.iter().any(|line| line.starts_with("problem 9.5.3")), "{heard:?}");
    assert!(table.game.ended().is_none());
    // Twice so far: once more, and it is a draw.
    for mv in &three[..4] {
        play(&mut table, *mv);
    }
    table.says(White, "Stellungswiederholung");
    table.says(White, "ja");
    assert_eq!(table.game.ended().map(|ended| ended.result.as_str()), Some("1/2-1/2"));
}

#[test]
fn a_board_bumped_out_of_the_game_is_put_right_and_the_game_stays() {
    let mut table = played(two_boards(), &moves(&SIX));
    // A white pawn and a black knight changed places while nobody looked: two holes of each colour.
    table.lift("g2");
    table.lift("h2");
    table.put("h4");
    table.put("g5");
    let settlement = table.game.settlement().expect("a game");
    assert_eq!((settlement.verdict, settlement.ply), (Verdict::BlindCorrects, 6));
    table.heard();
    let clock = table.game.record().expect("a game").clock;
    as_proposed(&mut table);
    follow(&mut table);
    assert_eq!(table.heard().last(), Some(&"boards agree".to_owned()),);
    let record = table.game.record().expect("a game");
    assert_eq!(record.line.len(), 6);
    assert_eq!((record.struck(Color::White).len(), record.struck(Color::Black).len()), (0, 0));
    assert!(record.clock.0 <= clock.0 && record.clock.1 == clock.1);
    assert_eq!(record.decisions[0].proposed.verdict, Verdict::BlindCorrects);
    assert_eq!(table.game.settlement().expect("a game").verdict, Verdict::Agree);
}

#[test]
fn a_wooden_board_is_entered_by_hand_and_confirmed_by_looking() {
    let mut table = Table::new(GameConfig::default());
    table.moves("e2", "e4");
    table.press(White);
    table.moves("e7", "e5");
    table.press(Black);
    assert_eq!(table.game.settlement().expect("a game").verdict, Verdict::Inspect);
    table.heard();
    table.input(Input::Entered { seat: White, fen: "8/8".to_owned() });
    assert_eq!(table.heard(), ["refused D.2.9: the pegs of White are felt, not entered"]);
    table.input(Input::Entered { seat: Black, fen: "nonsense".to_owned() });
    assert_eq!(
        table.heard(),
        ["refused D.2.9: 'nonsense' is not the board of a FEN: write eight ranks from a8 on"]
    );
    let wrong = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR";
    table.input(Input::Entered { seat: Black, fen: wrong.to_owned() });
    assert_eq!(table.game.settlement().expect("a game").verdict, Verdict::SightedCorrects);
    assert_eq!(
        table.heard(),
        [
            "problem D.2.9: The scores agree after ply 2 (Black's move 1); the sighted player corrects \
             his board. On the sighted player's board: black pawn from d5 to e5; black pawn from e7 to \
             d7.",
            "ear: Bretter weichen ab.",
        ]
    );
    as_proposed(&mut table);
    assert_eq!(shown_steps(&table, Black).len(), 4);
    table.input(Input::Corrected { seat: White });
    table.input(Input::Corrected { seat: Black });
    table.input(Input::Corrected { seat: Black });
    assert_eq!(
        table.heard()[3..],
        [
            "loud: Der Schiedsrichter hat entschieden. Weiter nach: Bauer Eva sieben Eva fünf.",
            "correct black: 4",
            "refused D.2.9: the board of White is not being corrected",
            "correct black: 0",
            "refused D.2.9: the board of Black is not being corrected",
        ]
    );
}

#[test]
fn after_a_restart_the_corrections_go_on_where_the_hands_are() {
    let mut table = played(two_boards(), &moves(&SIX));
    settle(&mut table, Settle { ply: 4, score: None, clocks: None }, "as both remember");
    table.lift("b5");
    table.heard();
    table.input(Input::Resumed);
    let mut pegs = table.game.pegs(White).expect("pegs");
    assert!(!pegs.contains(shakmaty::Square::B5));
    pegs.toggle(shakmaty::Square::A6);
    table.input(Input::Board { seat: White, occupied: pegs.0 });
    assert_eq!(table.spoken(), ["ear: Setz den weißen Läufer auf Felix eins."]);
    // Announcements wait for the board.
    table.says(White, "Springer Bella eins Cesar drei");
    assert_eq!(
        table.heard().last().map(String::as_str),
        Some(
            "refused D.2.9: the board is not corrected yet: first the board, then the move – Bretter \
             weichen ab. Setz den weißen Läufer auf Felix eins."
        )
    );
    follow(&mut table);
    assert_eq!(shown_steps(&table, White), []);
    let (_, results) = annabella_core::game::Game::replay(table.inputs.iter().cloned());
    assert!(results == table.results);
}

#[test]
fn when_the_game_is_over_the_arbiter_declares_and_does_not_settle() {
    let mut table = played(two_boards(), &moves(&SIX));
    table.says(White, "ich gebe auf");
    table.says(White, "ja");
    table.heard();
    settle(&mut table, Settle { ply: 4, score: None, clocks: None }, "because");
    assert_eq!(table.heard(), ["refused D.2.9: the game is over: declare another result instead"]);
}

#[test]
fn a_board_that_knows_its_pieces_is_checked_step_by_step() {
    let mut table = played(two_boards(), &moves(&SIX));
    // A rook and a knight were bumped.
    let position = table.position().clone();
    let mut board = position.board().clone();
    board.discard_piece_at(Square::H1);
    board.set_piece_at(Square::G1, White.rook());
    board.discard_piece_at(Square::B1);
    board.set_piece_at(Square::D3, White.knight());
    table.shows(Black, &board);
    table.wait(4000);
    let noticed = table.heard();
    assert!(noticed.contains(&"loud: Bretter weichen ab.".to_owned()), "{noticed:?}");
    assert_eq!(noticed.last().map(String::as_str), Some("boards differ"));
    let settlement = table.game.settlement().expect("a game");
    assert_eq!((settlement.verdict, settlement.ply), (Verdict::SightedCorrects, 6));
    as_proposed(&mut table);
    assert!(table.game.is_corrected(Black));
    let first = shown_steps(&table, Black);
    assert_eq!(
        serde_json::to_value(&first).expect("JSON"),
        serde_json::json!([
            { "take": "g1", "piece": "R" }, { "take": "d3", "piece": "N" },
            { "put": "b1", "piece": "N" }, { "put": "h1", "piece": "R" },
        ])
    );
    table.heard();
    let mut left = Vec::new();
    for step in first {
        match step {
            HandStep::Take { take, .. } => board.discard_piece_at(take),
            HandStep::Put { put, piece } => {
                board.set_piece_at(put, Piece::from_char(piece).expect("a piece"));
            }
        }
        table.shows(Black, &board);
        left.push(shown_steps(&table, Black).len());
    }
    assert_eq!(left, [3, 2, 1, 0]);
    assert_eq!(board, *position.board());
    // Both had heard that they differ.
    assert_eq!(table.spoken(), ["loud: Die Bretter stimmen wieder überein."]);
    assert!(!table.game.is_corrected(Black));
    // The wrong piece put is asked away again; a board that agrees by itself needs no more steps.
    settle(&mut table, Settle { ply: 5, score: None, clocks: None }, "6 never was");
    board.discard_piece_at(Square::A6);
    board.set_piece_at(Square::A7, Black.queen());
    table.shows(Black, &board);
    assert_eq!(
        serde_json::to_value(shown_steps(&table, Black)).expect("JSON"),
        serde_json::json!([{ "take": "a7", "piece": "q" }, { "put": "a7", "piece": "p" }])
    );
    // What it still shows is no move, and no touch.
    table.heard();
    board.set_piece_at(Square::A6, Black.pawn());
    board.discard_piece_at(Square::A7);
    table.sighted(Black, "a7a6");
    table.seen(Black, BoardSeen::Lifted { square: Square::A7, ago_ms: 0 });
    assert_eq!(
        table.heard(),
        ["refused D.2.9: the board of Black is being corrected: first the board, then the move"]
    );
    table.shows(Black, &board);
    assert_eq!(shown_steps(&table, Black).len(), 2);
    let right = table.position().board().clone();
    table.shows(Black, &right);
    assert_eq!(shown_steps(&table, Black), []);
    assert_eq!(table.game.record().expect("a game").line.len(), 5);
}

#[test]
fn of_two_peg_boards_each_is_guided_in_its_players_ear() {
    let config = GameConfig { blind: annabella_core::game::Blind::Both, ..GameConfig::default() };
    let mut table = Table::new(config);
    for (turn, from, to) in [(White, "e2", "e4"), (Black, "e7", "e5"), (White, "g1", "f3")] {
        for hand in [turn, !turn] {
            table.hand = hand;
            table.moves(from, to);
        }
        table.press(turn);
    }
    table.heard();
    settle(&mut table, Settle { ply: 2, score: None, clocks: None }, "3 never was");
    let mut spoken = table.spoken();
    for (hand, from, to) in [(Black, "f3", "g1"), (White, "f3", "g1")] {
        table.hand = hand;
        table.moves(from, to);
        spoken.extend(table.spoken());
    }
    assert_eq!(
        spoken,
        [
            "loud: Der Schiedsrichter hat entschieden. Weiter nach: Bauer Eva sieben Eva fünf.",
            "ear white: Entferne den weißen Springer von Felix drei.",
            "ear black: Entferne den weißen Springer von Felix drei.",
            "ear black: Setz den weißen Springer auf Gustav eins.",
            "ear white: Setz den weißen Springer auf Gustav eins.",
            "ear white: Die Bretter stimmen wieder überein.",
            "ear black: Die Bretter stimmen wieder überein.",
        ]
    );
    assert_eq!(table.game.record().expect("a game").line.len(), 2);
}

#[test]
fn what_is_to_be_done_over_a_broken_reed_is_said_and_taken_for_done() {
    let mut table = played(two_boards(), &moves(&SIX[..2]));
    // The reed of f3 is dead: the knight is announced again after he was told what is missing.
    table.lift("g1");
    table.says(White, "Springer Felix drei");
    table.says(White, "Springer Felix drei");
    table.wait(1000);
    table.says(White, "Springer Felix drei");
    table.press(White);
    table.sighted(Black, "g1f3");
    assert_eq!(table.game.record().expect("a game").line.len(), 3);
    assert_eq!(table.game.settlement().expect("a game").verdict, Verdict::Agree);
    table.heard();
    settle(&mut table, Settle { ply: 2, score: None, clocks: None }, "3 never was");
    assert_eq!(
        table.spoken(),
        [
            "loud: Der Schiedsrichter hat entschieden. Weiter nach: Bauer Eva sieben Eva fünf.",
            "ear: Entferne den weißen Springer von Felix drei.",
            "ear: Setz den weißen Springer auf Gustav eins.",
        ]
    );
    table.put("g1");
    assert_eq!(shown_steps(&table, White), []);
}

#[test]
fn a_move_that_is_left_open_in_a_score_is_asked_for_and_not_a_difference() {
    let duties = Duties { keep_score: false, ..Duties::default() };
    let config = GameConfig { duties, ..two_boards() };
    let mut table = Table::new(config);
    table.start_clock();
    let game = moves(&SIX);
    for (n, mv) in game.iter().enumerate() {
        if n % 2 == 0 {
            let words = annabella_words::phrase::Words::builtin("fide", "de").expect("German");
            let text =
                words.announce(table.position(), *mv, annabella_words::phrase::SpokenForm::Full);
            table.says(White, &text.to_string());
        }
        play(&mut table, *mv);
    }
    let record = table.game.record().expect("a game");
    assert_eq!(
        record.score(Color::White).iter().map(|entry| entry.ply).collect::<Vec<_>>(),
        [1, 3, 5]
    );
    let settlement = table.game.settlement().expect("a game");
    assert_eq!((settlement.verdict, settlement.ply), (Verdict::Agree, 6));
    let missing: Vec<_> = settlement.missing.iter().map(|m| (m.score, m.ply)).collect();
    assert_eq!(missing, [(Who::Blind, 2), (Who::Blind, 4), (Who::Blind, 6)]);
    // Completed by voice, and by hand: another move than was played is a difference.
    table.says(White, "Mitschrift ergänzen");
    table.says(White, "Bauer Eva sieben Eva fünf");
    table.says(White, "nein");
    table.input(Input::Score { seat: White, from_ply: 4, text: "Sf6".to_owned() });
    let settlement = table.game.settlement().expect("a game");
    assert_eq!((settlement.verdict, settlement.ply), (Verdict::Retrace, 3));
    let record = table.game.record().expect("a game");
    let entries: Vec<_> = record
        .score(Color::White)
        .iter()
        .map(|entry| (entry.ply, entry.san.as_str(), entry.source))
        .collect();
    assert_eq!(
        entries[..4],
        [
            (1, "e4", Source::Voice),
            (2, "e5", Source::Voice),
            (3, "Nf3", Source::Voice),
            (4, "Nf6", Source::Written),
        ]
    );
}

#[test]
fn a_player_asks_that_the_boards_be_compared_and_the_arbiter_does_it_by_hand() {
    let mut table = played(two_boards(), &moves(&["e4", "e5"]));
    // Two pegs are exchanged: no reed sees it.
    for square in ["b1", "c1"] {
        table.lift(square);
    }
    for square in ["b1", "c1"] {
        table.put(square);
    }
    table.wait(8000);
    assert_eq!(table.game.boards(), Some(Boards::Agree));
    table.heard();
    table.says(White, "Bretter vergleichen");
    assert_eq!(table.spoken(), ["loud: Bretter vergleichen. Schiedsrichter gerufen."]);
    let told = table.results.iter().flatten().flatten().any(|output| {
        matches!(output, Output::Problem { article: Article::D_2_9, text, .. }
            if text.to_string() == "White asks that the boards be compared by hand")
    });
    assert!(told);
    assert_eq!(table.game.boards(), Some(Boards::Differ));
    assert_eq!(table.clock().2, Running::None, "who calls the arbiter stops the clocks (6.11.2)");
    assert_eq!(table.game.settlement().expect("a game").verdict, Verdict::Inspect);

    // The position is read out at the board, file by file.
    let entry = PageEntry { act: PageAct::ReadOut, role: PageRole::Arbiter, by: "A. Weber".into() };
    table.input(Input::Page(Box::new(entry)));
    let aloud = table.spoken();
    assert_eq!(aloud.len(), 8);
    assert_eq!(
        aloud[1],
        "loud: Bella. Weiß: Springer eins, Bauer zwei. Schwarz: Bauer sieben, Springer acht."
    );

    as_proposed(&mut table);
    assert_eq!(
        table.spoken(),
        [
            "loud: Der Schiedsrichter hat entschieden. Weiter nach: Bauer Eva sieben Eva fünf.",
            "ear: Die Bretter stimmen wieder überein.",
        ]
    );
    assert_eq!(table.game.boards(), Some(Boards::Agree));
    assert_eq!(table.game.settlement().expect("a game").verdict, Verdict::Agree);
}

#[test]
fn a_whole_score_sheet_counts_instead_of_what_the_board_has_shown() {
    let mut table = played(two_boards(), &moves(&["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]));
    let text = "1. e4 e5 2. Nf3".to_owned();
    table.input(Input::Score { seat: Black, from_ply: 1, text });
    let settlement = table.game.settlement().expect("a game");
    // His fourth half-move at the latest is to be written by now (8.1.3).
    assert_eq!((settlement.verdict, settlement.ply), (Verdict::Retrace, 3));
    // The sheet goes on on its other side.
    table.input(Input::Score { seat: Black, from_ply: 4, text: "Nc6 3. Bb5".to_owned() });
    let settlement = table.game.settlement().expect("a game");
    assert_eq!((settlement.verdict, settlement.missing.len()), (Verdict::Agree, 1));
    let record = table.game.record().expect("a game");
    assert_eq!(
        record.struck(Color::Black).len(),
        6,
        "what the board had shown stays in the record"
    );
}

#[test]
fn an_entry_for_a_move_that_is_not_made_is_told_and_changes_nothing() {
    let mut table = played(two_boards(), &moves(&["e4", "e5"]));
    table.input(Input::Score { seat: Black, from_ply: 1, text: "e4 e5 Nf3".to_owned() });
    let told = table.results.last().expect("a result").as_ref().expect("taken");
    assert!(told.iter().any(|output| matches!(
        output,
        Output::Problem { article: Article::A8_1_2, text, .. }
            if text.to_string() == "Black has written half-move 3 before it was made"
    )));
    let settlement = table.game.settlement().expect("a game");
    assert_eq!((settlement.verdict, settlement.ply), (Verdict::Agree, 2));
}

#[test]
fn an_offer_that_came_after_what_counts_is_struck() {
    let six = moves(&SIX);
    let mut table = played(two_boards(), &six[..2]);
    let offers = |table: &mut Table, by| {
        table.says(by, "Remis anbieten");
        table.says(by, "ja");
    };
    offers(&mut table, White);
    six[2..5].iter().for_each(|mv| play(&mut table, *mv));
    offers(&mut table, Black);
    table.input(Input::Score { seat: Black, from_ply: 5, text: "Bc4".to_owned() });
    let clocks = SettledClocks { white_ms: 60_000, black_ms: 90_000, basis: ClockBasis::Typed };
    settle(&mut table, Settle { ply: 4, score: None, clocks: Some(clocks) }, "nobody is sure");
    let record = table.game.record().expect("a game");
    let struck = &record.decisions[0].struck_offers;
    assert_eq!(
        struck.iter().map(|offer| (offer.by, offer.plies)).collect::<Vec<_>>(),
        [(Black, 5)]
    );
    assert_eq!(
        record.offers().iter().map(|offer| (offer.by, offer.plies)).collect::<Vec<_>>(),
        [(White, 2)]
    );
    table.heard();
    table.says(White, "Remis annehmen");
    assert_eq!(table.spoken(), ["ear: Kein Remisangebot."]);
}
