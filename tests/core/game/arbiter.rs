//! The arbiter's decisions, and what is put before him (6.10, 6.11, 7.2, 7.3, 7.5.5, 12.9).

use annabella_core::game::{
    ArbiterAct, Duties, GameConfig, Input, Outcome, Penalty, ProposalState, Ruling, Running,
};
use annabella_core::laws::Article;
use annabella_words::phrase::Note;
use shakmaty::Color::{Black, White};

use super::table::Table;

fn config() -> GameConfig {
    GameConfig { sighted_board: true, ..GameConfig::default() }
}

fn table() -> Table {
    let mut table = Table::new(config());
    table.start_clock();
    table
}

fn blitz() -> GameConfig {
    GameConfig { time_control: "3+2".to_owned(), ..config() }
}

fn confirm(number: u32) -> ArbiterAct {
    ArbiterAct::ConfirmProposal { number, choice: None }
}

/// White's knight goes to g3, the clock is pressed, and it is put back.
fn illegal_move(table: &mut Table) {
    table.moves("g1", "g3");
    table.press(White);
    table.lift("g3");
    table.put("g1");
    table.wait(600);
}

#[test]
fn a_first_illegal_move_gives_the_opponent_two_minutes_when_the_arbiter_confirms_it() {
    let mut table = table();
    illegal_move(&mut table);
    let before = table.clock();
    assert!(table.heard().contains(
        &"proposal 1 7.5.5: first illegal move of White: two minutes for Black".to_owned()
    ));
    table.rules(confirm(1));
    assert_eq!(
        table.heard(),
        [
            "ruled by A. Weber",
            "proposal 1 confirmed",
            "clock: White",
            "loud: Schwarz: zwei Minuten mehr.",
        ]
    );
    assert_eq!(table.clock().1, before.1 + 120_000);
    let record = table.game.record().expect("a game");
    let ruled = &record.rulings[0];
    assert_eq!(ruled.after_ms.1, ruled.before_ms.1 + 120_000);
    assert_eq!(
        ruled.done,
        Some(ArbiterAct::Penalty { seat: White, penalty: Penalty::TimeToOpponent { ms: 120_000 } })
    );
    table.rules(confirm(1));
    assert_eq!(table.heard(), ["refused 12.9: no proposal 1 waits for a decision"]);
}

#[test]
fn in_blitz_it_is_one_minute() {
    let mut table = Table::new(blitz());
    table.start_clock();
    illegal_move(&mut table);
    table.rules(confirm(1));
    assert_eq!(table.spoken().last().expect("words"), "loud: Schwarz: eine Minute mehr.");
}

#[test]
fn a_second_illegal_move_loses() {
    let mut table = table();
    illegal_move(&mut table);
    illegal_move(&mut table);
    table.heard();
    table.rules(confirm(2));
    assert_eq!(
        table.heard(),
        [
            "ruled by A. Weber",
            "proposal 2 confirmed",
            "loud: Zweiter regelwidriger Zug. Schwarz gewinnt.",
            "result 0-1: declared by the arbiter (7.5.5)",
            "proposal 1 lapsed",
            "clock: None",
        ]
    );
}

#[test]
fn a_second_illegal_move_draws_when_the_opponent_cannot_mate() {
    let mut table = Table::at("4k3/8/8/8/8/8/8/Q3K1N1 w - - 0 1", config());
    table.start_clock();
    illegal_move(&mut table);
    illegal_move(&mut table);
    let heard = table.heard();
    assert!(heard.contains(
        &"proposal 2 7.5.5: illegal move 2 of White: a draw, the opponent cannot mate".to_owned()
    ));
    table.rules(confirm(2));
    assert_eq!(table.game.ended().map(|ended| ended.result.as_str()), Some("1/2-1/2"));
}

#[test]
fn an_illegal_move_that_the_arbiter_does_not_count_makes_the_next_one_the_first() {
    let mut table = table();
    illegal_move(&mut table);
    illegal_move(&mut table);
    table.heard();
    table.rules(ArbiterAct::DismissProposal { number: 1 });
    assert_eq!(
        table.heard(),
        [
            "ruled by A. Weber",
            "proposal 1 dismissed",
            "proposal 2 lapsed",
            "proposal 3 7.5.5: first illegal move of White: two minutes for Black",
        ]
    );
    illegal_move(&mut table);
    let heard = table.heard();
    assert!(heard.contains(&"proposal 4 7.5.5: illegal move 2 of White: loss".to_owned()));
}

#[test]
fn an_illegal_move_found_before_it_is_completed_costs_nothing() {
    let mut table = table();
    table.moves("g1", "g3");
    table.lift("g3");
    table.put("f3");
    table.wait(600);
    assert_eq!(table.spoken(), ["loud: Springer Gustav eins Felix drei"]);
    assert!(table.game.record().expect("a game").proposals.is_empty());
}

#[test]
fn the_sighted_players_illegal_move_is_entered_by_the_arbiter() {
    let mut table = table();
    table.rules(ArbiterAct::IllegalMove { seat: Black, article: Article::A7_5_4 });
    assert_eq!(
        table.heard(),
        [
            "ruled by A. Weber",
            "problem 7.5.4: Black completed an illegal move, says the arbiter",
            "proposal 1 7.5.5: first illegal move of Black: two minutes for White",
        ]
    );
    table.rules(ArbiterAct::IllegalMove { seat: Black, article: Article::A9_2 });
    assert_eq!(
        table.heard(),
        ["refused 9.2: illegal moves are those of 7.5.1 to 7.5.4, not of 9.2"]
    );
}

/// 1. e4 d5, and the arbiter says that d5 was illegal.
fn reported() -> Table {
    let mut table = table();
    table.moves("e2", "e4");
    table.press(White);
    table.sighted(Black, "e2e4");
    table.sighted(Black, "d7d5");
    table.press(Black);
    table.rules(ArbiterAct::IllegalMove { seat: Black, article: Article::A7_5_1 });
    table.heard();
    table
}

#[test]
fn the_move_that_the_arbiter_calls_illegal_is_taken_back_when_he_confirms_it_7_5_1() {
    let mut table = reported();
    let proposal = table.game.record().expect("a game").proposals[0].clone();
    assert_eq!(proposal.illegal.and_then(|illegal| illegal.reported), Some(2));
    table.rules(confirm(1));
    assert_eq!(
        table.spoken(),
        [
            "loud: Weiß: zwei Minuten mehr.",
            "loud: Der Schiedsrichter hat entschieden. Weiter nach: Bauer Eva zwei Eva vier.",
        ]
    );
    assert_eq!((table.sans(), table.clock().2), (vec!["e4".to_owned()], Running::None));
    // What is played in its place is no illegal move when the same penalty is given again.
    table.rules(ArbiterAct::StartClocks { side: None });
    table.input(Input::Corrected { seat: Black });
    table.sighted(Black, "e7e5");
    table.rules(ArbiterAct::TakeBack { ruling: 1 });
    table.rules(confirm(1));
    assert_eq!(table.sans(), ["e4", "e5"], "{:#?}", table.heard());
}

#[test]
fn a_reply_does_not_keep_the_illegal_move_before_it_and_a_dismissal_does_7_5_1() {
    let mut replied = reported();
    replied.moves("g1", "f3");
    replied.rules(confirm(1));
    assert_eq!(replied.sans(), ["e4"]);
    let mut dismissed = reported();
    dismissed.rules(ArbiterAct::DismissProposal { number: 1 });
    assert_eq!(dismissed.sans(), ["e4", "d5"]);
    // It is Black's turn: which move of his it was nobody knows.
    let mut unknown = table();
    unknown.moves("e2", "e4");
    unknown.press(White);
    unknown.rules(ArbiterAct::IllegalMove { seat: Black, article: Article::A7_5_1 });
    unknown.rules(confirm(1));
    assert_eq!(unknown.sans(), ["e4"]);
    let record = unknown.game.record().expect("a game");
    assert!(record.decisions.is_empty());
}

#[test]
fn a_pawn_that_the_arbiter_saw_unreplaced_becomes_a_queen_7_5_2() {
    let mut table = Table::at("8/P7/8/8/8/6k1/p7/7K w - - 0 1", config());
    table.start_clock();
    table.moves("a7", "a8");
    table.says(White, "Turm");
    table.press(White);
    assert_eq!(table.sans(), ["a8=R"], "{:#?}", table.heard());
    table.rules(ArbiterAct::IllegalMove { seat: White, article: Article::A7_5_2 });
    table.rules(confirm(1));
    assert_eq!(table.sans(), ["a8=Q"], "{:#?}", table.heard());
    table.script("a8- ~700 a8+ ~900");
    table.input(Input::Corrected { seat: Black });
    table.rules(ArbiterAct::StartClocks { side: None });
    assert_eq!(table.clock().2, Running::Black, "{:#?}", table.heard());
}

#[test]
fn what_waited_for_the_arbiter_at_an_end_that_was_none_waits_again_7_5_5() {
    let mut table = table();
    illegal_move(&mut table);
    table.says(White, "ich gebe auf");
    table.says(White, "ja");
    table.rules(ArbiterAct::Declare { result: Outcome::Draw, article: Article::A9_1 });
    table.heard();
    table.rules(ArbiterAct::PlayOn);
    let waits = "proposal 1 7.5.5: first illegal move of White: two minutes for Black";
    assert!(table.heard().contains(&waits.to_owned()));
    let before = table.clock();
    table.rules(confirm(1));
    assert_eq!(table.clock().1, before.1 + 120_000);
    table.rules(ArbiterAct::StartClocks { side: None });
    assert_eq!(table.clock().2, Running::White);
}

#[test]
fn only_the_arbiter_who_looks_lets_a_game_go_on_for_which_he_was_called_6_11_3() {
    let decides = "refused 6.11.3: the arbiter decides when the game goes on – \
                   Der Schiedsrichter entscheidet.";
    for call in ["Uhr anhalten", "Schiedsrichter rufen"] {
        let mut table = table();
        table.says(White, call);
        table.heard();
        table.says(Black, "Uhr starten");
        assert_eq!(table.heard(), [decides], "{call}");
        table.input(Input::ArbiterPage { open: true });
        table.says(White, "Uhr starten");
        assert_eq!(table.heard(), [decides], "{call}");
        table.rules(ArbiterAct::Note { text: Note::Words("here".to_owned()) });
        table.says(Black, "Uhr starten");
        assert_eq!(table.clock().2, Running::White, "{call}");
        // At home there is none.
        let mut home = Table::new(GameConfig { at_home: true, ..config() });
        home.start_clock();
        home.says(White, call);
        home.says(Black, "Uhr starten");
        assert_eq!(home.clock().2, Running::White, "{call}");
    }
}

#[test]
fn a_player_stops_the_clocks_and_the_arbiter_lets_them_run_again() {
    let mut table = table();
    table.says(White, "Uhr anhalten");
    assert_eq!(
        table.heard(),
        ["problem 6.11.2: White stopped the clocks", "clock: None", "loud: Die Uhr steht."]
    );
    let stopped = table.clock();
    table.wait(600_000);
    assert_eq!(table.clock(), stopped);
    // A press does not start them.
    table.moves("e2", "e4");
    table.heard();
    table.press(White);
    assert_eq!(
        table.heard(),
        ["refused 6.11.3: the clocks were stopped: the arbiter decides when the game goes on – \
             Die Uhren stehen. Sag: Uhr starten."]
    );
    table.rules(ArbiterAct::StartClocks { side: None });
    assert_eq!(table.heard(), ["ruled by A. Weber", "clock: White", "loud: Die Uhr läuft."]);
    table.press(White);
    assert_eq!(table.heard(), ["completed e4", "clock: Black"]);
}

#[test]
fn what_the_arbiter_has_stopped_only_he_starts() {
    let mut table = table();
    table.rules(ArbiterAct::StopClocks);
    assert_eq!(table.heard(), ["ruled by A. Weber", "clock: None", "loud: Die Uhr steht."]);
    table.says(White, "Uhr starten");
    assert_eq!(
        table.heard(),
        [
            "refused 6.11.3: the arbiter decides when the game goes on – Der Schiedsrichter entscheidet."
        ]
    );
    // A move made meanwhile counts, and it is the opponent's turn when the game goes on.
    table.moves("e2", "e4");
    table.sighted(Black, "e2e4");
    table.sighted(Black, "e7e5");
    table.heard();
    table.rules(ArbiterAct::StartClocks { side: None });
    assert_eq!(table.clock().2, Running::Black);
    table.rules(ArbiterAct::StartClocks { side: Some(White) });
    assert_eq!(table.clock().2, Running::White);
}

#[test]
fn a_wrongly_set_clock_is_put_right() {
    let mut table = table();
    table.says(White, "Uhr anhalten");
    table.heard();
    table.rules(ArbiterAct::SetClock { seat: Black, ms: 1_800_000, moves: Some(12) });
    assert_eq!(
        table.heard(),
        [
            "ruled by A. Weber",
            "clock: None",
            "loud: Uhren gestellt. Weiß: eine Stunde dreißig Minuten. Schwarz: dreißig Minuten.",
        ]
    );
    table.rules(ArbiterAct::StartClocks { side: Some(Black) });
    table.heard();
    table.input(Input::Woke);
    assert_eq!(table.clock(), (table.clock().0, 1_800_000 - 100, Running::Black));
    table.rules(ArbiterAct::SetClock { seat: Black, ms: u64::MAX, moves: None });
    assert_eq!(
        table.heard(),
        ["refused 6.10.2: 18446744073709551615 ms are more than a clock shows"]
    );
}

#[test]
fn a_wrong_starting_position_means_a_new_game() {
    let mut table = table();
    table.moves("e2", "e4");
    table.heard();
    table.says(Black, "Grundstellung falsch");
    assert_eq!(
        table.heard(),
        [
            "problem 7.2.1: Black says that the starting position was wrong",
            "clock: None",
            "loud: Schiedsrichter gerufen.",
            "proposal 1 7.2.1: the starting position was wrong: this game does not count, and “new game” at the board begins the next",
        ]
    );
    table.rules(confirm(1));
    assert_eq!(
        table.heard(),
        [
            "ruled by A. Weber",
            "proposal 1 confirmed",
            "loud: Die Partie gilt nicht. Für eine neue sag: neue Partie.",
            "result *: annulled by the arbiter (7.2.1)",
            "clock: None",
        ]
    );
}

/// Both sides shuffle their knights, a pawn between so that nothing repeats too often.
fn shuffle(table: &mut Table, moves: usize) {
    let white = [("g1", "f3"), ("f3", "g1")];
    let black = ["g8f6", "f6g8"];
    let pawns = ["a", "b", "c", "d"];
    for n in 0..moves {
        let (from, to) = match n % 3 {
            2 => (format!("{}2", pawns[n / 3]), format!("{}3", pawns[n / 3])),
            other => (white[other].0.to_owned(), white[other].1.to_owned()),
        };
        let reply = match n % 3 {
            2 => format!("{0}7{0}6", pawns[n / 3]),
            other => black[other].to_owned(),
        };
        table.moves(&from, &to);
        table.press(White);
        table.sighted(Black, &format!("{from}{to}"));
        table.sighted(Black, &reply);
        table.moves(&reply[..2], &reply[2..]);
        table.press(Black);
    }
    table.heard();
}

#[test]
fn exchanged_colours_are_undone_before_ten_moves_of_each_and_stay_after_them() {
    let mut early = table();
    shuffle(&mut early, 9);
    early.says(White, "Farben vertauscht");
    assert_eq!(
        early.heard(),
        [
            "problem 7.3: White says that the colours are exchanged",
            "clock: None",
            "loud: Schiedsrichter gerufen.",
            "proposal 1 7.3: the colours are exchanged: this game does not count, and “new game” at the board begins the next",
        ]
    );
    let mut late = table();
    shuffle(&mut late, 10);
    late.says(White, "Farben vertauscht");
    assert_eq!(
        late.heard(),
        [
            "refused 7.3: ten moves were completed by each: the game goes on – Die Partie geht weiter."
        ]
    );
    // The starting position is another matter, but not in rapid.
    late.says(White, "falsche Grundstellung");
    assert!(late.heard()[0].starts_with("problem 7.2.1"));
    let mut rapid = Table::new(GameConfig { time_control: "25+10".to_owned(), ..config() });
    rapid.start_clock();
    shuffle(&mut rapid, 10);
    rapid.says(White, "falsche Grundstellung");
    assert_eq!(
        rapid.heard(),
        [
            "refused A.5.1: ten moves were completed by each: no claim about the starting position – Die Partie geht weiter."
        ]
    );
}

#[test]
fn every_penalty_of_12_9() {
    let mut table = table();
    let heard = |table: &mut Table, penalty| {
        table.rules(ArbiterAct::Penalty { seat: Black, penalty });
        table.spoken()
    };
    assert_eq!(heard(&mut table, Penalty::Warning), ["loud: Verwarnung für Schwarz."]);
    let before = table.clock();
    assert_eq!(
        heard(&mut table, Penalty::TimeToOpponent { ms: 90_000 }),
        ["loud: Weiß: eine Minute dreißig mehr."]
    );
    assert_eq!(
        heard(&mut table, Penalty::TimeOff { ms: 300_000 }),
        ["loud: Schwarz: fünf Minuten weniger."]
    );
    assert_eq!(table.clock().1, before.1 - 300_000);
    assert_eq!(table.clock().0, before.0 + 90_000 - 400);
    for (penalty, told) in [
        (Penalty::PointsToOpponent { halves: 1 }, "½ Punkt mehr für den Gegner"),
        (Penalty::PointsOff { halves: 3 }, "1½ Punkte weniger"),
        (Penalty::Fine { amount: "20 €".to_owned() }, "Geldbuße: 20 €"),
        (Penalty::ExcludedFromRounds { rounds: 2 }, "von 2 Runden ausgeschlossen"),
        (Penalty::ExcludedFromEvent, "vom Turnier ausgeschlossen"),
    ] {
        assert_eq!(heard(&mut table, penalty), [format!("loud: Schwarz: {told}.")]);
    }
    // Whoever is excluded from the event plays no more: the result is the arbiter's to say.
    let record = table.game.record().expect("a game");
    let asked = record.proposals.last().expect("a proposal");
    let (result, article) = (Outcome::WhiteWins, Article::A12_9_9);
    assert_eq!(asked.choices, [ArbiterAct::Declare { result, article }]);
    assert_eq!(
        heard(&mut table, Penalty::Loss { opponent_halves: 1 }),
        ["loud: Der Schiedsrichter hat entschieden. Weiß: ein halber Punkt. Schwarz: null."]
    );
    let record = table.game.record().expect("a game");
    assert_eq!(record.ended.map(|ended| ended.result.as_str()), Some("1/2-0"));
    let articles: Vec<String> = record
        .rulings
        .iter()
        .filter_map(|ruled| match &ruled.ruling.act {
            ArbiterAct::Penalty { penalty, .. } => Some(penalty.article().to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(
        articles,
        ["12.9.1", "12.9.2", "12.9.3", "12.9.4", "12.9.5", "12.9.7", "12.9.8", "12.9.9", "12.9.6"]
    );
}

#[test]
fn the_arbiter_takes_a_move_as_made() {
    let mut table = Table::new(GameConfig {
        duties: Duties { announce: false, ..Duties::default() },
        ..config()
    });
    table.start_clock();
    // The peg stands there, nobody said it.
    table.moves("e2", "e4");
    table.heard();
    table.rules(ArbiterAct::AcceptMove { uci: "e2e4".to_owned() });
    assert_eq!(
        table.heard(),
        [
            "ruled by A. Weber",
            "loud: Der Schiedsrichter hat entschieden. Weiter nach: Bauer Eva zwei Eva vier.",
            "announced e4",
            "executed e4",
            "made e4",
            "boards pending",
        ]
    );
    // Said, and not on the pegs: they are to follow.
    table.press(White);
    table.sighted(Black, "e2e4");
    table.sighted(Black, "e7e5");
    table.moves("e7", "e5");
    table.press(Black);
    table.heard();
    table.rules(ArbiterAct::AcceptMove { uci: "g1f3".to_owned() });
    assert_eq!(
        table.heard(),
        [
            "ruled by A. Weber",
            "loud: Der Schiedsrichter hat entschieden. Weiter nach: Springer Gustav eins Felix drei.",
            "announced Nf3",
            "executed Nf3",
            "made Nf3",
            "ear: Entferne die Figur von Gustav eins.",
            "boards differ",
        ]
    );
    table.lift("g1");
    table.put("f3");
    table.wait(600);
    table.press(White);
    table.heard();
    assert_eq!(table.game.record().expect("a game").line.len(), 3);
    table.rules(ArbiterAct::AcceptMove { uci: "e1e8".to_owned() });
    assert!(table.heard()[0].starts_with("refused D.2.3: e1e8 is not legal in"));
}

#[test]
fn a_result_is_replaced_and_a_game_goes_on_by_the_arbiters_word() {
    let mut table = Table::new(blitz());
    table.start_clock();
    table.wait(200_000);
    assert_eq!(table.game.ended().map(|ended| ended.result.as_str()), Some("0-1"));
    table.heard();
    // The clock had been set wrongly (6.10.2).
    table.rules(ArbiterAct::PlayOn);
    assert_eq!(
        table.heard(),
        ["ruled by A. Weber", "clock: None", "loud: Die Partie geht weiter."]
    );
    table.rules(ArbiterAct::SetClock { seat: White, ms: 120_000, moves: None });
    table.rules(ArbiterAct::StartClocks { side: Some(White) });
    table.heard();
    table.moves("e2", "e4");
    table.press(White);
    assert!(table.heard().contains(&"completed e4".to_owned()));
    table.rules(ArbiterAct::Declare { result: Outcome::Draw, article: Article::A12_9 });
    assert_eq!(
        table.heard(),
        [
            "ruled by A. Weber",
            "loud: Der Schiedsrichter hat entschieden. Remis.",
            "result 1/2-1/2: declared by the arbiter (12.9)",
            "clock: None",
        ]
    );
    table.rules(ArbiterAct::Declare { result: Outcome::WhiteWins, article: Article::A8_7 });
    assert_eq!(table.game.ended().map(|ended| ended.result.as_str()), Some("1-0"));
    table.rules(ArbiterAct::Note {
        text: annabella_words::phrase::Note::Words("both agree".to_owned()),
    });
    assert_eq!(table.game.record().expect("a game").rulings.len(), 6);
}

#[test]
fn the_result_is_signed_by_both() {
    let mut table = table();
    table.says(White, "unterschrieben");
    assert_eq!(
        table.heard(),
        ["refused 8.7: there is no result to sign yet – Die Partie läuft noch."]
    );
    table.says(White, "ich gebe auf");
    table.says(White, "ja");
    table.heard();
    table.says(White, "ich unterschreibe");
    table.rules(ArbiterAct::Signed { seat: Black });
    table.says(White, "unterschrieben");
    assert_eq!(
        table.heard(),
        [
            "loud: Weiß hat unterschrieben.",
            "ruled by A. Weber",
            "loud: Schwarz hat unterschrieben.",
            "loud: Weiß hat unterschrieben.",
        ]
    );
    let record = table.game.record().expect("a game");
    let signed: Vec<_> = record.signatures().iter().map(|signature| signature.by).collect();
    assert_eq!(signed, [White, Black]);
    // Another result is another thing to sign.
    table.rules(ArbiterAct::Declare { result: Outcome::Draw, article: Article::A8_7 });
    assert!(table.game.record().expect("a game").signatures().is_empty());
}

#[test]
fn rulings_are_journaled_as_text_and_read_back() {
    let acts = [
        ArbiterAct::StopClocks,
        ArbiterAct::StartClocks { side: Some(White) },
        ArbiterAct::SetClock { seat: Black, ms: 5, moves: None },
        ArbiterAct::Penalty { seat: White, penalty: Penalty::Loss { opponent_halves: 2 } },
        confirm(3),
        ArbiterAct::Declare { result: Outcome::HalfToBlack, article: Article::A7_3 },
        ArbiterAct::IllegalMove { seat: White, article: Article::A7_5_2 },
    ];
    for act in acts {
        let ruling = annabella_core::game::Ruling::new(act, "A. Weber", "seen");
        let input = Input::Arbiter(Box::new(ruling));
        let text = serde_json::to_string(&input).expect("JSON");
        assert_eq!(serde_json::from_str::<Input>(&text).expect("the same"), input, "{text}");
    }
    for outcome in Outcome::ALL {
        assert_eq!(outcome.as_str().parse(), Ok(outcome));
    }
    assert!("2-0".parse::<Outcome>().is_err());
}

#[test]
fn without_a_clear_choice_the_arbiter_must_name_it() {
    // Whether White can mate here is beyond the search.
    let fen = "8/8/8/1k5B/7b/8/1p1p1p1p/1K1N1b1b w - - 0 1";
    let mut table = Table::at(fen, blitz());
    table.start_clock();
    table.rules(ArbiterAct::StartClocks { side: Some(Black) });
    table.heard();
    table.wait(200_000);
    assert_eq!(
        table.heard(),
        [
            "problem D.2.10.5: Black's flag has fallen",
            "problem 6.9: whether White can mate by any series of legal moves is not certain: the arbiter must judge",
            "loud: Schwarz: Zeit überschritten. Der Schiedsrichter entscheidet.",
            "proposal 1 6.9: whether White can mate by any series of legal moves is not certain: the arbiter must judge",
            "clock: None",
        ]
    );
    table.wait(60_000);
    table.says(White, "Zeit überschritten");
    assert_eq!(table.heard(), ["loud: Der Schiedsrichter entscheidet."]);
    table.rules(confirm(1));
    assert_eq!(table.heard(), ["refused 6.9: proposal 1 has 2 choices: say which, counted from 0"]);
    table.rules(ArbiterAct::ConfirmProposal { number: 1, choice: Some(2) });
    assert_eq!(table.heard(), ["refused 6.9: proposal 1 has no choice 2"]);
    table.rules(ArbiterAct::ConfirmProposal { number: 1, choice: Some(1) });
    assert_eq!(table.game.ended().map(|ended| ended.result.as_str()), Some("1/2-1/2"));
    let record = table.game.record().expect("a game");
    assert_eq!(record.proposals[0].state, ProposalState::Confirmed);
}

#[test]
fn a_quickplay_finish_is_decided_under_its_own_article_iii_5() {
    for number in ["III.5", "III.5.1", "III.5.2"] {
        let article = number.parse().expect("an article");
        let mut table = table();
        table.rules(ArbiterAct::Declare { result: Outcome::Draw, article });
        assert_eq!(table.result(), Some(format!("1/2-1/2 {number}")));
    }
}

/// Of two arbiters, or of two clicks, the second knows nothing of the first.
#[test]
fn a_ruling_counts_only_if_its_arbiter_knew_of_all_before() {
    let mut table = table();
    let act = ArbiterAct::Penalty { seat: Black, penalty: Penalty::TimeOff { ms: 120_000 } };
    let rules = |table: &mut Table, ruled| {
        let ruling = Ruling { ruled, ..Ruling::new(act.clone(), "A. Weber", "noise") };
        table.input(Input::Arbiter(Box::new(ruling)));
        table.clock().1
    };
    let before_ms = table.clock().1;
    let once_ms = rules(&mut table, Some(0));
    assert!(once_ms < before_ms - 100_000, "{once_ms}");
    table.heard();
    assert!(rules(&mut table, Some(0)) > once_ms - 60_000);
    let refused = "refused 12.9: something else has been decided meanwhile: look again";
    assert_eq!(table.heard(), [refused]);
    assert!(rules(&mut table, Some(1)) < once_ms - 100_000);
}
