//! A peg set without sensors: the player says what his hands do, and nothing claims to have seen
//! it.

use annabella_core::game::{
    ArbiterAct, Blind, BoardSeen, Duties, Game, GameConfig, HandsKnown, HandsOf, Input, Ruling,
    Sees, Settle, Source,
};
use annabella_words::phrase::{SpokenForm, Words};
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use shakmaty::Color;
use shakmaty::{
    Chess,
    Color::{Black, White},
    Move, Position, Square,
    uci::UciMove,
};

use super::table::Table;

fn white(hands: HandsKnown) -> GameConfig {
    let hands = HandsOf { white: hands, ..HandsOf::default() };
    GameConfig { hands, sighted_board: true, ..GameConfig::default() }
}

fn begun(config: GameConfig) -> Table {
    let mut table = Table::new(config);
    table.start_clock();
    table
}

#[test]
fn what_he_announces_is_executed_and_made_and_read_back_aloud() {
    let mut table = begun(white(HandsKnown::Announced));
    table.says(White, "Springer Gustav eins Felix drei");
    assert_eq!(
        table.heard(),
        [
            "loud: Springer Gustav eins Felix drei",
            "announced Nf3",
            "executed Nf3",
            "made Nf3",
            "boards pending"
        ]
    );
    table.press(White);
    assert_eq!(table.heard(), ["completed Nf3", "clock: Black"]);
    table.sighted(Black, "g1f3");
    assert_eq!(table.heard(), ["boards agree"]);
    // The opponent's move is announced to him; nothing more is asked of his hands.
    table.sighted(Black, "d7d5");
    table.press(Black);
    assert_eq!(
        table.heard(),
        [
            "executed d5",
            "loud: Bauer David sieben David fünf",
            "announced d5",
            "made d5",
            "completed d5",
            "clock: White"
        ]
    );
    let record = table.game.record().expect("a game");
    assert_eq!(record.line.iter().map(|ply| ply.said).collect::<Vec<_>>(), [true, false]);
    assert!(record.line[0].hands.touched.is_empty(), "nobody saw him touch a piece");
    assert_eq!(record.score(Color::White)[0].source, Source::Voice);
    assert!(table.game.pegs(White).is_none());
    assert_eq!(table.game.shown(White).map(|shown| shown.sees), Some(Sees::Said));
}

#[test]
fn without_the_duty_to_announce_he_hears_what_was_understood_in_his_ear() {
    let duties = Duties { announce: false, ..Duties::default() };
    let mut table = begun(GameConfig { duties, ..white(HandsKnown::Announced) });
    table.says(White, "e4");
    assert_eq!(table.heard()[..2], ["ear: Bauer Eva zwei Eva vier.", "announced e4"]);
}

#[test]
fn a_slip_is_corrected_until_the_clock_is_pressed_and_no_arbiter_is_called_for_it() {
    let mut table = begun(white(HandsKnown::Announced));
    table.says(White, "Springer Gustav eins Felix drei");
    table.heard();
    table.says(White, "Korrektur Springer Gustav eins Hector drei");
    assert_eq!(
        table.heard(),
        [
            "loud: Korrektur: Springer Gustav eins Hector drei.",
            "announced Nh3",
            "executed Nh3",
            "made Nh3",
        ]
    );
    table.press(White);
    table.heard();
    table.says(White, "Korrektur Springer Gustav eins Felix drei");
    assert_eq!(
        table.heard(),
        ["refused D.2.8: a slip is corrected before the opponent's clock is started – Zu spät. \
             Nur der Schiedsrichter kann das noch ändern."]
    );
    let record = table.game.record().expect("a game");
    assert_eq!(record.line.len(), 1);
    assert_eq!(record.line[0].san, "Nh3");
    assert_eq!(record.score(Color::White)[0].san, "Nh3");
    assert_eq!(record.struck(Color::White)[0].entry.san, "Nf3");
}

#[test]
fn who_reports_by_word_says_when_his_hands_are_done() {
    let mut table = begun(white(HandsKnown::Spoken));
    table.says(White, "e4");
    assert_eq!(table.heard(), ["loud: Bauer Eva zwei Eva vier", "announced e4"]);
    table.says(White, "was ist offen");
    assert_eq!(table.heard(), ["ear: Angesagt, nicht ausgeführt: Bauer Eva zwei Eva vier."]);
    // A slip before that word is one of the tongue.
    table.says(White, "Korrektur David zwei David vier");
    assert_eq!(table.heard(), ["loud: Korrektur: Bauer David zwei David vier.", "announced d4"]);
    table.says(White, "ausgeführt");
    assert_eq!(table.heard(), ["executed d4", "made d4", "ear: Gut.", "boards pending"]);
    table.press(White);
    table.sighted(Black, "d2d4");
    table.sighted(Black, "d7d5");
    table.press(Black);
    table.heard();
    // Black's move stands on his own board; White's is to follow.
    table.says(White, "was ist offen");
    assert_eq!(table.heard(), ["ear: Führ aus: Bauer David sieben David fünf."]);
    table.says(White, "steht");
    assert_eq!(table.heard(), ["ear: Gut.", "boards agree"]);
    table.says(White, "steht");
    assert_eq!(table.heard(), ["ear: Nichts offen."]);
}

#[test]
fn a_reply_says_that_the_opponents_move_is_executed_and_a_press_that_the_own_one_is() {
    let mut table = begun(white(HandsKnown::Spoken));
    table.says(White, "e4");
    table.press(White);
    let heard = table.heard();
    assert_eq!(
        heard[2..],
        ["executed e4", "made e4", "completed e4", "clock: Black", "boards pending"]
    );
    table.sighted(Black, "e2e4");
    table.sighted(Black, "e7e5");
    table.press(Black);
    assert_eq!(table.heard().iter().filter(|line| *line == "boards pending").count(), 1);
    // Pressed without a word about either move: he has not moved.
    table.press(White);
    assert_eq!(
        table.heard(),
        ["refused D.2.4: the opponent's move is not executed on the own board yet – Führ aus: \
             Bauer Eva sieben Eva fünf."]
    );
    table.says(White, "Springer Gustav eins Felix drei");
    table.press(White);
    let heard = table.heard();
    assert!(heard.contains(&"clock: Black".to_owned()), "{heard:?}");
    let record = table.game.record().expect("a game");
    assert_eq!(record.line.len(), 3);
    assert!(record.line[2].completed.is_some());
}

#[test]
fn promotion_castling_and_en_passant_are_words_like_any_other() {
    let mut table = Table::at("4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1", white(HandsKnown::Announced));
    table.start_clock();
    table.says(White, "Anna sieben Anna acht");
    assert_eq!(table.heard(), ["ear: Welche Figur?"]);
    table.says(White, "Turm");
    assert_eq!(table.heard()[0], "loud: Bauer Anna sieben Anna acht wird Turm, Schach");
    let mut table = Table::at("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", white(HandsKnown::Announced));
    table.start_clock();
    table.says(White, "Lange Rochade");
    table.press(White);
    assert_eq!(table.heard()[0], "loud: Lange Rochade");
    let mut table = Table::at("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", white(HandsKnown::Announced));
    table.start_clock();
    table.says(White, "Eva fünf schlägt David sechs");
    let record = table.game.record().expect("a game");
    assert_eq!(record.line[0].san, "exd6");
    assert!(record.line[0].hands.captured.is_some() && record.line[0].said);
}

#[test]
fn against_a_plain_wooden_board_both_moves_are_words() {
    for hands in [HandsKnown::Announced, HandsKnown::Spoken] {
        let mut table = begun(GameConfig { sighted_board: false, ..white(hands) });
        for (n, text) in ["e4", "e5", "Sf3", "Sc6"].into_iter().enumerate() {
            let mover = if n % 2 == 0 { White } else { Black };
            table.says(None, text);
            table.press(mover);
        }
        let record = table.game.record().expect("a game");
        assert_eq!(record.line.len(), 4, "{hands:?} {:?}", table.results.last());
        assert!(record.line.iter().all(|ply| ply.said && ply.completed.is_some()));
        // His press may come before his word: it waits for it.
        table.says(None, "Lb5");
        table.press(White);
        table.heard();
        table.press(Black);
        assert_eq!(table.heard(), ["clock: White"]);
        table.says(Black, "a6");
        let heard = table.heard();
        assert!(heard.contains(&"completed a6".to_owned()), "{heard:?}");
    }
}

#[test]
fn the_system_may_start_the_clock_after_his_word() {
    let duties = Duties { start_clock: true, ..Duties::default() };
    let mut table = begun(GameConfig { duties, ..white(HandsKnown::Spoken) });
    table.says(White, "e4");
    table.wait(5000);
    assert!(!table.heard().contains(&"completed e4".to_owned()));
    table.says(White, "ausgeführt");
    table.wait(2000);
    let heard = table.heard();
    assert!(heard.contains(&"completed e4".to_owned()), "{heard:?}");
}

#[test]
fn what_stands_where_is_answered_without_saying_whose_board_it_is() {
    let mut table = begun(white(HandsKnown::Announced));
    for (asked, told) in [
        ("was steht auf Eva zwei", "ear: Eva zwei: weißer Bauer."),
        ("was steht auf Eva vier", "ear: Eva vier: leer."),
        ("was steht auf der Reihe vier", "ear: Reihe vier: leer."),
        ("wo ist meine Dame", "ear: Dame: David eins."),
        ("wiederhole", "ear: Dame: David eins."),
        // Nobody sees what he touches.
        ("ich rücke zurecht", "ear: Gut, du rückst zurecht."),
    ] {
        table.says(White, asked);
        assert_eq!(table.heard(), [told], "{asked}");
    }
    table.says(White, "Linie Eva");
    assert!(table.heard()[0].starts_with("ear: Eva."));
}

#[test]
fn his_board_is_compared_by_a_walk_that_any_word_interrupts() {
    let fen = "4k3/8/8/8/8/8/P7/R3K3 w - - 0 1";
    let mut table = Table::at(fen, white(HandsKnown::Announced));
    table.start_clock();
    table.says(White, "Stellung prüfen");
    assert_eq!(
        table.heard(),
        [
            "ear: Partie, Linie für Linie. Sag ja, wenn dein Brett so steht, sonst nein.",
            "ear: Anna. Weiß: Turm eins, Bauer zwei."
        ]
    );
    table.says(White, "ja");
    assert_eq!(table.heard(), ["ear: Bella: leer."]);
    // Something stands there: square by square, until his board has it.
    table.says(White, "nein");
    assert_eq!(
        table.heard(),
        [
            "problem D.2.9: White says that the b-file of the own board stands otherwise than the \
             game",
            "ear: Bella eins: leer."
        ]
    );
    table.says(White, "ausgeführt");
    assert_eq!(table.heard(), ["ear: Bella zwei: leer."]);
    for _ in 0..7 {
        table.says(White, "ja");
    }
    assert_eq!(table.heard().last().map(String::as_str), Some("ear: Cesar: leer."));
    // He looks for a minute, and is not asked again.
    table.wait(60_000);
    assert_eq!(table.heard(), Vec::<String>::new());
    for _ in 0..6 {
        table.says(White, "ja");
    }
    assert_eq!(table.heard().last().map(String::as_str), Some("ear: Alle Linien verglichen."));
    table.says(White, "Stellung prüfen");
    table.heard();
    table.says(White, "Turm Anna eins David eins");
    assert!(table.heard().contains(&"made Rd1".to_owned()));
    table.says(White, "ja");
    assert_eq!(table.heard(), ["ear: Bitte?"]);
}

/// After 1. e4, Black's board shows d5 and the pawn of White on e3.
fn differing() -> Table {
    let mut table = begun(white(HandsKnown::Announced));
    let start = Chess::default();
    table.shows(Black, start.board());
    table.says(White, "e4");
    table.press(White);
    let mut board = start.board().clone();
    board.discard_piece_at(Square::E2);
    board.set_piece_at(Square::E3, White.pawn());
    table.heard();
    table.seen(Black, BoardSeen::Lifted { square: Square::E2, ago_ms: 0 });
    table.shows(Black, &board);
    table.wait(20_000);
    table
}

#[test]
fn where_the_opponents_board_differs_he_hears_what_the_game_has_there() {
    let mut table = differing();
    assert_eq!(
        table.spoken(),
        [
            "loud: Bretter weichen ab: Eva drei und Eva vier.",
            "ear: Partie. Eva drei: leer.",
            "ear: Eva vier: weißer Bauer."
        ]
    );
    let case = table.game.case().expect("a game");
    assert_eq!(case.blind.board, annabella_core::reconcile::VisibleBoard::Nothing);
    // Put right by hand: nobody says that both boards agree.
    let mut board = Chess::default().board().clone();
    board.discard_piece_at(Square::E2);
    board.set_piece_at(Square::E4, White.pawn());
    table.shows(Black, &board);
    table.wait(5000);
    assert_eq!(table.spoken(), ["loud: Wieder wie in der Partie."]);
}

#[test]
fn after_a_decision_his_board_is_put_right_step_by_step_by_his_word() {
    let mut table = begun(white(HandsKnown::Announced));
    for (mover, text, uci) in [(White, "e4", "e2e4"), (Black, "", "d7d5"), (White, "exd5", "e4d5")]
    {
        if mover == White {
            table.says(White, text);
        }
        table.sighted(Black, uci);
        table.press(mover);
    }
    table.heard();
    let settle = ArbiterAct::Settle(Box::new(Settle { ply: 1, score: None, clocks: None }));
    let ruling = Ruling::new(settle, "A. Weber", "both boards stood wrong");
    table.input(Input::Arbiter(Box::new(ruling)));
    let spoken = table.spoken();
    assert_eq!(
        spoken.last().map(String::as_str),
        Some("ear: Entferne den weißen Bauern von David fünf. Sag danach: ausgeführt."),
        "{spoken:?}"
    );
    // First the board, then the game.
    table.says(White, "Uhr starten");
    assert_eq!(
        table.heard(),
        [
            "refused D.2.9: the board of White is not corrected yet – Entferne den weißen Bauern von \
             David fünf. Sag danach: ausgeführt."
        ]
    );
    table.says(White, "ausgeführt");
    assert_eq!(table.spoken(), ["ear: Setz den weißen Bauern auf Eva vier."]);
    table.says(White, "was ist offen");
    assert_eq!(
        table.spoken(),
        ["ear: Setz den weißen Bauern auf Eva vier. Sag danach: ausgeführt."]
    );
    table.says(White, "ausgeführt");
    table.heard();
    table.says(White, "ausgeführt");
    let heard = table.heard();
    assert!(heard.contains(&"correct white: 0".to_owned()), "{heard:?}");
}

#[test]
fn of_two_blind_players_each_may_have_his_own_kind_of_board() {
    let hands = HandsOf { white: HandsKnown::Announced, black: HandsKnown::Felt };
    let both = GameConfig { blind: Blind::Both, hands, ..GameConfig::default() };
    let mut table = begun(both.clone());
    table.hand = Black;
    table.says(White, "e4");
    table.press(White);
    table.moves("e2", "e4");
    table.moves("e7", "e5");
    table.press(Black);
    let record = table.game.record().expect("a game");
    assert_eq!(record.line.iter().map(|ply| ply.said).collect::<Vec<_>>(), [true, false]);
    assert!(record.line.iter().all(|ply| ply.completed.is_some()), "{:?}", table.heard());
    // And neither needs one.
    let hands = HandsOf { white: HandsKnown::Announced, black: HandsKnown::Spoken };
    let mut table = begun(GameConfig { hands, ..both });
    table.says(White, "e4");
    table.press(White);
    table.says(Black, "ausgeführt");
    table.says(Black, "e5");
    assert!(table.heard().contains(&"ear black: Gut.".to_owned()));
    table.press(Black);
    let record = table.game.record().expect("a game");
    assert!(record.line.iter().all(|ply| ply.said && ply.completed.is_some()));
}

#[test]
fn a_deaf_opponent_reads_his_announcements() {
    let config = GameConfig { opponent_deaf: true, ..white(HandsKnown::Announced) };
    let mut table = begun(config);
    table.says(White, "e4");
    assert_eq!(table.heard()[0], "loud: Bauer Eva zwei Eva vier");
}

/// A game of random moves, slips, questions and stops; whoever plays it knows what it comes to.
fn season(seed: u64, words: &Words) -> Result<(), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let blind = *[White, Black].choose(&mut rng).expect("two");
    let hands = *[HandsKnown::Announced, HandsKnown::Spoken].choose(&mut rng).expect("two");
    let of = HandsOf {
        white: if blind.is_white() { hands } else { HandsKnown::Felt },
        black: if blind.is_white() { HandsKnown::Felt } else { hands },
    };
    let sighted_board = rng.random_bool(0.6);
    let mut table = begun(GameConfig {
        blind: if blind.is_white() { Blind::White } else { Blind::Black },
        hands: of,
        sighted_board,
        duties: Duties { announce: rng.random_bool(0.7), ..Duties::default() },
        ..GameConfig::default()
    });
    let mut position = Chess::default();
    let mut moves: Vec<Move> = Vec::new();
    for _ in 0..rng.random_range(6..40) {
        let legal = position.legal_moves();
        let Some(mv) = legal.choose(&mut rng).copied() else { break };
        let mover = position.turn();
        let announced = |mv| words.announce(&position, mv, SpokenForm::Full).to_string();
        if mover == blind || !sighted_board {
            if mover == blind && rng.random_bool(0.2) {
                let slip = legal.choose(&mut rng).copied().expect("a move");
                table.says(mover, &announced(slip));
                let mut after = position.clone();
                after.play_unchecked(slip);
                // A move that ends the game stands at once (5.1, 5.2).
                if table.game.ended().is_some() {
                    moves.push(slip);
                    position = after;
                    break;
                }
                if slip != mv {
                    table.says(mover, &format!("Korrektur {}", announced(mv)));
                }
            } else {
                table.says(mover, &announced(mv));
            }
            if mover == blind && hands == HandsKnown::Spoken && rng.random_bool(0.6) {
                table.says(blind, "ausgeführt");
            }
        } else {
            table.sighted(mover, &UciMove::from_standard(mv).to_string());
        }
        if rng.random_bool(0.2) {
            let asked = ["letzter Zug", "was ist offen", "Linie David", "meine Zeit", "hilfe"];
            table.says(blind, asked.choose(&mut rng).expect("some"));
        }
        if rng.random_bool(0.05) {
            table.input(Input::Resumed);
        }
        if table.game.ended().is_none() {
            table.press(mover);
        }
        if mover == blind && sighted_board {
            table.sighted(!blind, &UciMove::from_standard(mv).to_string());
        } else if mover != blind && hands == HandsKnown::Spoken && rng.random_bool(0.5) {
            table.says(blind, "steht");
        }
        moves.push(mv);
        position.play_unchecked(mv);
        if table.game.ended().is_some() {
            break;
        }
    }
    let record = table.game.record().expect("a game");
    let line: Vec<Move> = record.line.iter().map(|ply| ply.mv).collect();
    if line != moves || record.position != &position {
        return Err(format!("{line:?}, not {moves:?}: {:#?}", table.heard()));
    }
    let score = record.score(blind);
    if score.iter().map(|entry| entry.mv).collect::<Vec<_>>()
        != moves.iter().copied().map(Some).collect::<Vec<_>>()
    {
        return Err(format!("the score is {score:?}"));
    }
    if let Some(ply) = record.line.iter().find(|ply| ply.completed.is_none()) {
        return Err(format!("{} is not completed: {ply:?}", ply.san));
    }
    let felt = ["Heb ", "fühlt", "Nimm", "Setz", "Brett stimmt", "Bretter stimmen", "Fühler"];
    let heard = table.heard();
    if let Some(line) = heard.iter().find(|line| felt.iter().any(|word| line.contains(word))) {
        return Err(format!("his board is spoken of as felt: {line}"));
    }
    // The clocks stood still while the service did.
    let problem =
        heard.iter().find(|line| line.starts_with("problem") && !line.starts_with("problem 7.1:"));
    if let Some(line) = problem {
        return Err(line.clone());
    }
    let (again, results) = Game::replay(table.inputs.clone());
    if results != table.results || again.position() != table.game.position() {
        return Err("replayed differently".to_owned());
    }
    Ok(())
}

#[test]
fn seasons_of_random_games_come_to_the_position_that_was_played() {
    let words = Words::builtin("fide", "de").expect("German");
    for seed in 0..30 {
        if let Err(why) = season(seed, &words) {
            panic!("SEED={seed}: {why}");
        }
    }
}

/// Nobody has seen what was said, and the word that ended the game was the wrong one.
#[test]
fn a_word_that_was_misheard_and_ended_the_game_is_taken_back_by_the_arbiter_d_2_8() {
    let promoted =
        ("4k3/P7/8/8/8/8/8/4K3", "Anna acht Springer", "1/2-1/2 5.2.2", "Anna acht Dame");
    let mated = ("4k3/8/4K3/8/8/8/8/Q7", "Dame Anna acht", "1-0 5.1.1", "Dame Anna sieben");
    for (fen, misheard, result, meant) in [promoted, mated] {
        let start = Some(format!("{fen} w - - 0 1"));
        let mut table = begun(GameConfig { start, ..white(HandsKnown::Announced) });
        table.says(White, misheard);
        assert_eq!(table.result().as_deref(), Some(result));
        table.rules(ArbiterAct::PlayOn);
        assert_eq!((table.result(), table.sans().len()), (None, 0), "{:#?}", table.heard());
        // His board, which nobody sees, stands as before the move.
        table.rules(ArbiterAct::StartClocks { side: None });
        table.says(White, "ausgeführt");
        table.says(White, "ausgeführt");
        table.says(White, meant);
        table.press(White);
        assert_eq!((table.sans().len(), table.completed()), (1, 1), "{:#?}", table.heard());
    }
}
