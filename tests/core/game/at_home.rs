//! What only a game at home allows: a move taken back, a hint, a judgement, each asked for and
//! answered by the opponent.

use annabella_core::game::{
    ClockRead, DecidedBy, Game, GameConfig, HandsKnown, HandsOf, HomeWish, Input, PageAct,
    PageEntry, PageRole, PlayerWord, Running,
};
use annabella_words::phrase::{SpokenForm, Words};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{
    Chess,
    Color::{self, Black, White},
    Position as _,
    uci::UciMove,
};

use super::{
    script::has,
    table::{Table, speaking},
};

/// The blind player has White, on pegs that are felt.
fn at_home() -> Table {
    begun(GameConfig { at_home: true, ..speaking() })
}

/// The same on a peg set without sensors.
fn by_word() -> Table {
    let hands = HandsOf { white: HandsKnown::Announced, ..HandsOf::default() };
    begun(GameConfig { at_home: true, hands, sighted_board: true, ..GameConfig::default() })
}

fn begun(config: GameConfig) -> Table {
    let mut table = Table::new(config);
    table.start_clock();
    table
}

fn word(table: &mut Table, word: PlayerWord) {
    let act = PageAct::Says { seat: Black, word };
    let by = "Stockfish".to_owned();
    table.input(Input::Page(Box::new(PageEntry { act, role: PageRole::Program, by })));
}

fn wished(table: &Table) -> Option<(Color, HomeWish)> {
    table.game.record().expect("a game").wished()
}

/// 1. e4 e5, the opponent's clock pressed.
fn one_move_each(table: &mut Table) {
    table.says(White, "Bauer Eva zwei Eva vier");
    table.wait(10_000);
    table.press(White);
    table.sighted(Black, "e2e4");
    table.wait(20_000);
    table.sighted(Black, "e7e5");
    table.press(Black);
    table.heard();
}

/// He asks for it, and means it.
fn wants_it_back(table: &mut Table) {
    table.says(White, "Zug zurück");
    assert_eq!(table.spoken(), ["ear: Zug zurücknehmen?"]);
    assert_eq!(wished(table), None);
    table.says(White, "ja");
    assert_eq!(wished(table), Some((White, HomeWish::TakeBack)));
    table.heard();
}

#[test]
fn a_move_taken_back_takes_the_reply_along_and_pegs_scores_and_clocks_are_as_before_it() {
    let mut table = by_word();
    let then = table.clock();
    one_move_each(&mut table);
    table.wait(60_000);
    wants_it_back(&mut table);
    word(&mut table, PlayerWord::GrantsTakeBack);
    assert_eq!(
        table.spoken(),
        [
            "ear: Zurückgenommen: Bauer Eva zwei Eva vier.",
            "ear: Entferne den weißen Bauern von Eva vier. Sag danach: ausgeführt."
        ]
    );
    assert_eq!(wished(&table), None);
    // Nobody's time is spent while the pegs are put back.
    assert_eq!(table.clock(), (then.0, then.1, Running::None));
    for next in [
        Some("ear: Entferne den schwarzen Bauern von Eva fünf."),
        Some("ear: Setz den weißen Bauern auf Eva zwei."),
        Some("ear: Setz den schwarzen Bauern auf Eva sieben."),
        Some("ear: Wieder wie in der Partie."),
    ] {
        table.wait(5_000);
        assert_eq!(table.clock(), (then.0, then.1, Running::None));
        table.says(White, "ausgeführt");
        assert_eq!(table.spoken().first().map(String::as_str), next);
    }
    assert_eq!(table.clock(), (then.0, then.1, Running::White));
    let record = table.game.record().expect("a game");
    assert_eq!(
        (record.line.len(), record.score(Color::White).len(), record.score(Color::Black).len()),
        (0, 0, 0)
    );
    assert_eq!((record.struck(Color::White).len(), record.struck(Color::Black).len()), (2, 2));
    let decision = &record.decisions[0];
    assert_eq!((decision.by, decision.struck.len()), (DecidedBy::Player(White), 2));
    assert!(record.rulings.is_empty() && record.proposals.is_empty());
    // The game goes on from there, and its journal replays to the same.
    table.heard();
    one_move_each(&mut table);
    assert_eq!(table.game.record().expect("a game").line.len(), 2);
    let (again, _) = Game::replay(table.inputs.clone());
    assert_eq!(again, table.game);
}

/// Whoever comes back in the middle of it hears what his board lacks, not silence.
#[test]
fn after_a_stop_a_board_without_sensors_is_told_its_step_and_the_word_that_answers_it() {
    let mut table = by_word();
    one_move_each(&mut table);
    wants_it_back(&mut table);
    word(&mut table, PlayerWord::GrantsTakeBack);
    table.heard();
    table.input(Input::Resumed);
    let step = "Entferne den weißen Bauern von Eva vier. Sag danach: ausgeführt.";
    let told = vec![format!("ear: {step}")];
    assert_eq!(table.spoken(), told);
    for asks in ["Hilfe", "was ist offen"] {
        table.says(White, asks);
        assert_eq!(table.spoken(), told, "{asks}");
    }
    table.heard();
    table.says(White, "Bauer David zwei David drei");
    has(&table.heard(), &format!("Bretter weichen ab. {step}"));
}

#[test]
fn pegs_that_are_felt_are_put_back_one_by_one_and_the_clock_follows_them() {
    let mut table = at_home();
    table.says(White, "Bauer Eva zwei Eva vier");
    table.moves("e2", "e4");
    table.press(White);
    table.heard();
    wants_it_back(&mut table);
    word(&mut table, PlayerWord::GrantsTakeBack);
    let said = table.spoken();
    assert_eq!(said[1..], ["ear: Entferne den weißen Bauern von Eva vier."]);
    table.lift("e4");
    assert_eq!(table.spoken(), ["ear: Setz den weißen Bauern auf Eva zwei."]);
    assert_eq!(table.clock().2, Running::None);
    table.put("e2");
    assert_eq!(table.clock().2, Running::White);
    table.wait(3_000);
    table.says(White, "Bauer David zwei David vier");
    table.moves("d2", "d4");
    table.press(White);
    let record = table.game.record().expect("a game");
    assert_eq!(record.line.last().map(|ply| ply.san.as_str()), Some("d4"));
}

#[test]
fn without_the_opponents_word_nothing_is_taken_back() {
    let mut table = by_word();
    table.says(White, "Zug zurück");
    assert_eq!(table.spoken(), ["ear: Du hast noch keinen Zug gemacht."]);
    one_move_each(&mut table);
    wants_it_back(&mut table);
    word(&mut table, PlayerWord::DeclinesTakeBack);
    assert_eq!(table.spoken(), ["ear: Dein Gegner lässt nichts zurücknehmen."]);
    assert_eq!(table.game.record().expect("a game").line.len(), 2);
    // A move instead of an answer is one too.
    wants_it_back(&mut table);
    table.says(White, "Springer Gustav eins Felix drei");
    assert_eq!(wished(&table), None);
    table.heard();
    word(&mut table, PlayerWord::GrantsTakeBack);
    let refused = table.heard();
    assert!(refused[0].starts_with("refused 11.3"), "{refused:?}");
    assert_eq!(table.game.record().expect("a game").line.len(), 3);
}

#[test]
fn a_hint_and_a_judgement_are_in_his_ear_only_when_he_has_asked() {
    let mut table = by_word();
    let advises = || PlayerWord::Advises { uci: "g1f3".to_owned() };
    word(&mut table, advises());
    assert!(table.heard()[0].starts_with("refused 11.3"));
    table.says(White, "Tipp");
    assert_eq!(table.spoken(), ["ear: Ich frage deinen Gegner."]);
    word(&mut table, PlayerWord::Advises { uci: "e2e5".to_owned() });
    assert!(table.heard()[0].starts_with("refused 11.3"), "what is not legal is no advice");
    word(&mut table, advises());
    assert_eq!(table.spoken(), ["ear: Dein Gegner rät: Springer Gustav eins Felix drei."]);
    table.says(White, "wie stehe ich");
    assert_eq!(wished(&table), Some((White, HomeWish::Evaluation)));
    table.heard();
    word(&mut table, PlayerWord::Answers { text: "Die Stellung ist ausgeglichen".to_owned() });
    assert_eq!(table.spoken(), ["ear: Dein Gegner sagt: Die Stellung ist ausgeglichen."]);
    assert_eq!(wished(&table), None);
    table.says(White, "Bauer Eva zwei Eva vier");
    table.press(White);
    table.heard();
    table.says(White, "Tipp");
    assert!(table.heard()[0].ends_with("Du bist nicht am Zug."));
}

#[test]
fn a_finished_game_is_gone_through_and_its_better_moves_are_named_where_he_has_come_to() {
    let mut table = by_word();
    one_move_each(&mut table);
    let better = |ply, uci: &str| PlayerWord::Comments { ply, uci: uci.to_owned() };
    word(&mut table, better(1, "d2d4"));
    assert!(table.heard()[0].starts_with("refused 11.3"), "not before its end");
    table.says(White, "ich gebe auf");
    table.says(White, "ja");
    word(&mut table, better(2, "e7e6"));
    assert!(table.spoken().iter().all(|said| !said.contains("Besser")), "nothing is asked yet");
    table.heard();
    let looked = |table: &Table| table.game.record().expect("a game").looked();
    assert_eq!(looked(&table), None);
    table.says(White, "zurück");
    assert_eq!(
        (looked(&table), table.spoken()),
        (Some(1), vec!["ear: Eins. Bauer Eva zwei Eva vier.".to_owned()])
    );
    word(&mut table, better(2, "e7e6"));
    assert!(table.heard()[0].starts_with("refused 11.3"), "he has come to another move");
    word(&mut table, better(1, "e7e6"));
    assert!(table.heard()[0].starts_with("refused 11.3"), "it is no move there");
    word(&mut table, better(1, "d2d4"));
    assert_eq!(table.spoken(), ["ear: Besser war: Bauer David zwei David vier."]);
    let words = table.game.greeting().map(|told| format!("{told:?}")).expect("words");
    assert!(words.contains("Weiß gegen Schwarz."), "{words}");
}

#[test]
fn in_a_tournaments_game_nothing_of_it_is_listened_for_or_answered() {
    let mut table = Table::speaking();
    let phrases = table.game.grammar().expect("a game").phrases;
    for said in ["Tipp", "Zug zurück", "wie stehe ich"] {
        assert!(!phrases.contains(&said.to_lowercase()), "{said}");
        table.heard();
        table.says(White, said);
        let heard = table.heard();
        assert!(heard[0].starts_with("refused 11.3"), "{heard:?}");
        assert!(heard[0].ends_with("Das geht nur zu Hause."), "{heard:?}");
    }
    let phrases = at_home().game.grammar().expect("a game").phrases;
    assert!(["tipp", "zug zurück"].iter().all(|said| phrases.iter().any(|text| text == said)));
}

fn program(table: &mut Table, act: PageAct) {
    let by = "Boris".to_owned();
    table.input(Input::Page(Box::new(PageEntry { act, role: PageRole::Program, by })));
}

#[test]
fn where_two_records_differ_the_game_goes_back_to_what_both_have_and_its_clock_with_it() {
    let mut table = by_word();
    one_move_each(&mut table);
    let then = table.clock();
    table.says(White, "Springer Gustav eins Felix drei");
    table.press(White);
    table.sighted(Black, "g1f3");
    table.wait(60_000);
    table.heard();
    program(&mut table, PageAct::GoBack { plies: 3, knows: 0 });
    assert!(table.heard()[0].starts_with("refused D.2.9"), "there is nothing behind it");
    program(&mut table, PageAct::GoBack { plies: 2, knows: 0 });
    let step = "ear: Entferne den weißen Springer von Felix drei. Sag danach: ausgeführt.";
    assert_eq!(table.spoken(), [step]);
    // Whoever has not seen that it went back does not go back once more.
    program(&mut table, PageAct::GoBack { plies: 1, knows: 0 });
    assert!(table.heard()[0].starts_with("refused D.2.9"), "it has gone back already");
    // The clock that counts may be started meanwhile; it runs when the pegs stand.
    program(&mut table, PageAct::RunClocks { run: true });
    assert_eq!(table.clock(), (then.0, then.1, Running::None));
    // So it does where the clock that counts runs elsewhere, even for the opponent, who has moved
    // there.
    let times = ((then.0, then.0), (then.1, then.1));
    for running in [Running::White, Running::Black] {
        let read = ClockRead { white_ms: times.0, black_ms: times.1, running, fallen: None };
        program(&mut table, PageAct::Clock(read));
        assert_eq!(table.clock(), (then.0, then.1, Running::None));
    }
    table.says(White, "ausgeführt");
    table.says(White, "ausgeführt");
    assert_eq!(table.clock(), (then.0, then.1, Running::White));
    let record = table.game.record().expect("a game");
    assert_eq!(record.line.len(), 2);
    assert_eq!(record.decisions[0].by, DecidedBy::Records);
    let (again, _) = Game::replay(table.inputs.clone());
    assert_eq!(again, table.game);
}

#[test]
fn clocks_that_a_program_stops_stand_keep_no_move_back_and_go_on_where_they_stood() {
    let mut table = by_word();
    one_move_each(&mut table);
    program(&mut table, PageAct::RunClocks { run: false });
    let then = table.clock();
    assert_eq!(then.2, Running::None);
    table.wait(600_000);
    assert_eq!(table.clock(), then);
    table.says(White, "Springer Gustav eins Felix drei");
    table.press(White);
    assert_eq!(table.clock().2, Running::Black);
    program(&mut table, PageAct::RunClocks { run: false });
    let stopped = table.clock();
    table.wait(600_000);
    assert_eq!(table.clock(), stopped);
    program(&mut table, PageAct::RunClocks { run: true });
    assert_eq!(table.clock().2, Running::Black);
    // The flag falls here: the clock here counts.
    table.wait(100 * 3_600_000);
    assert_eq!(table.game.ended().map(|ended| ended.result.to_string()).as_deref(), Some("1-0"));
    assert!(!table.game.record().expect("a game").line.is_empty());
}

/// Whatever is asked, taken back and played, in any order: what is refused changes nothing, no
/// clock runs while a board is put back, and the journal replays to the same.
#[test]
fn whatever_is_taken_back_the_game_can_be_played_on() {
    for seed in 0..12 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let words = Words::builtin("fide", "de").expect("built in");
        let mut table = by_word();
        let mut taken = 0;
        for _ in 0..120 {
            let record = table.game.record().expect("a game");
            if record.ended.is_some() {
                break;
            }
            let open = record.line.last().is_some_and(|ply| ply.completed.is_none());
            let position = table.position().clone();
            let legal = position.legal_moves();
            let mv = legal[rng.random_range(0..legal.len())];
            table.wait(rng.random_range(10..3_000));
            match (rng.random_range(0..8), position.turn()) {
                (0, _) => table.says(White, "Zug zurück"),
                (1, _) => table.says(White, "ja"),
                (2, _) => word(&mut table, PlayerWord::GrantsTakeBack),
                (3, _) => table.says(White, "ausgeführt"),
                (_, turn) if open => table.press(!turn),
                (_, White) => {
                    let said = words.announce(&position, mv, SpokenForm::Full).to_string();
                    table.says(White, &said);
                }
                (_, Black) => table.sighted(Black, &UciMove::from_standard(mv).to_string()),
            }
            let record = table.game.record().expect("a game");
            taken = taken.max(record.decisions.len());
            let moves: Vec<_> = record.line.iter().map(|ply| ply.mv).collect();
            let mut again = Chess::default();
            moves.iter().for_each(|mv| again.play_unchecked(*mv));
            assert_eq!(again, *record.position, "SEED={seed}");
        }
        assert!(taken > 0, "SEED={seed}: nothing was taken back");
        let (again, _) = Game::replay(table.inputs.clone());
        assert_eq!(again, table.game, "SEED={seed}");
    }
}

/// In a tournament they repeat his move first (D.2.1). At home nobody waits for that; on pegs that
/// are felt the hands tell.
#[test]
fn words_for_both_players_castling_are_the_own_move_at_home_where_only_words_tell() {
    let announced = HandsOf { white: HandsKnown::Announced, ..HandsOf::default() };
    for (at_home, hands, own) in
        [(true, announced, true), (false, announced, false), (true, HandsOf::default(), false)]
    {
        let start = Some("4k2r/5ppp/8/8/8/8/5PPP/4K2R b Kk - 0 1".to_owned());
        let config =
            GameConfig { at_home, hands, start, sighted_board: true, ..GameConfig::default() };
        let mut table = begun(config);
        table.sighted(Black, "e8g8");
        table.press(Black);
        table.says(White, "Kurze Rochade");
        assert_eq!(table.sans().len(), if own { 2 } else { 1 }, "{at_home} {hands:?}");
        if hands == announced {
            table.says(White, "Kurze Rochade");
            assert_eq!(table.sans(), ["O-O", "O-O"]);
        }
    }
}
