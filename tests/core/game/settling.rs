//! Whatever two scores say and two boards show, after a decision the game is whole again.

use annabella_core::{
    game::{
        ArbiterAct, ClockBasis, GameConfig, Input, Output, Ruling, Running, Settle, SettledClocks,
    },
    reconcile::{Settlement, Who},
    sensing::Shape,
};
use annabella_players::games::random_game;
use annabella_words::phrase::{Prompt, SpokenForm, Words};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{
    Bitboard, Chess, Color, EnPassantMode, Move, Position, Square, san::SanPlus, uci::UciMove,
};

use super::table::Table;

/// A game in which a position comes again and again, or any.
fn game(seed: u64) -> (Chess, Vec<Move>) {
    let length = 2 + (seed % 17) as usize;
    if seed.is_multiple_of(3) {
        let mut position = Chess::default();
        let mut moves = Vec::new();
        for uci in ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(length.min(14)) {
            let uci: UciMove = uci.parse().expect("UCI");
            let mv = uci.to_move(&position).expect("legal");
            position.play_unchecked(mv);
            moves.push(mv);
        }
        return (Chess::default(), moves);
    }
    random_game(seed, length)
}

struct Players {
    table: Table,
    words: Words,
    pegs: Bitboard,
}

impl Players {
    fn toggle(&mut self, square: Square) {
        self.pegs.toggle(square);
        let occupied = self.pegs.contains(square);
        self.table.wait(120);
        self.table.input(Input::Edge { seat: Color::White, square, occupied, ago_ms: 0 });
    }

    fn on_pegs(&mut self, position: &Chess, mv: Move) {
        let shape = Shape::new(position.board().occupied(), mv);
        for square in shape.emptied {
            self.toggle(square);
        }
        for square in shape.landing {
            self.toggle(square);
        }
        self.table.wait(1600);
    }

    fn play(&mut self, mv: Move) {
        let position = self.table.position().clone();
        let turn = position.turn();
        let uci = UciMove::from_standard(mv).to_string();
        let text = self.words.announce(&position, mv, SpokenForm::Full).to_string();
        if turn.is_white() {
            self.table.says(turn, &text);
            self.on_pegs(&position, mv);
        } else {
            self.table.sighted(turn, &uci);
        }
        self.table.wait(1000);
        self.table.press(turn);
        if turn.is_white() {
            self.table.sighted(!turn, &uci);
        } else {
            self.on_pegs(&position, mv);
        }
    }

    fn line(&self) -> Vec<Move> {
        self.table.game.record().expect("a game").line.iter().map(|ply| ply.mv).collect()
    }
}

/// A score sheet with something wrong on it.
fn sheet(rng: &mut ChaCha8Rng, start: &Chess, moves: &[Move]) -> String {
    let mut position = start.clone();
    let mut score = Vec::new();
    let mut others = Vec::new();
    for &mv in moves {
        let legal = position.legal_moves();
        let other = legal[rng.random_range(0..legal.len() as u64) as usize];
        others.push(SanPlus::from_move(position.clone(), other).to_string());
        score.push(SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
    }
    let n = rng.random_range(0..score.len() as u64) as usize;
    match rng.random_range(0..8u32) {
        0 if score.len() > 1 => drop(score.remove(n)),
        1 => score.insert(n, others[n].clone()),
        2 => score[n] = "Ka9".to_owned(),
        3 | 4 => score[n].clone_from(&others[n]),
        5 if n > 0 => score.swap(n - 1, n),
        6 => score[n] = "?!".to_owned(),
        _ => {}
    }
    score.join(" ")
}

/// How often the last position of these moves stands in the game, counted anew (9.2.2).
fn occurrences(start: &Chess, moves: &[Move]) -> usize {
    let same = |a: &Chess, b: &Chess| {
        a.board() == b.board()
            && a.turn() == b.turn()
            && a.castles().castling_rights() == b.castles().castling_rights()
            && a.ep_square(EnPassantMode::Legal) == b.ep_square(EnPassantMode::Legal)
    };
    let mut positions = vec![start.clone()];
    for &mv in moves {
        let mut next = positions.last().expect("the start").clone();
        next.play_unchecked(mv);
        positions.push(next);
    }
    let last = positions.last().expect("the start");
    positions.iter().filter(|position| same(position, last)).count()
}

fn decides(players: &mut Players, settle: &Settle, reason: &str) {
    let act = ArbiterAct::Settle(Box::new(settle.clone()));
    players.table.input(Input::Arbiter(Box::new(Ruling::new(act, "arbiter", reason))));
}

fn check(seed: u64) -> Result<(), TestCaseError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (start, moves) = game(seed);
    let config = GameConfig {
        sighted_board: true,
        start: Some(annabella_core::game::write_fen(&start)),
        ..GameConfig::default()
    };
    let table = Table::new(config);
    let words = Words::builtin("fide", "de").expect("German");
    let mut players = Players { table, words, pegs: start.board().occupied() };
    players.table.start_clock();
    for mv in moves {
        players.play(mv);
    }
    let old = players.line();
    if old.is_empty() || players.table.game.ended().is_some() {
        return Ok(());
    }

    // The scores and the boards drift apart.
    if rng.random_bool(0.7) {
        let text = sheet(&mut rng, &start, &old);
        players.table.input(Input::Score { seat: Color::Black, from_ply: 1, text });
    }
    let mut untouched = true;
    for _ in 0..rng.random_range(0..3u32) {
        untouched = false;
        players.toggle(Square::new(rng.random_range(0..64u32)));
    }
    let old = players.line();
    if players.table.game.ended().is_some() {
        return Ok(());
    }
    let before = format!("{:?}", players.table.game);
    let case = players.table.game.case().expect("a game");
    let proposed = players.table.game.settlement().expect("a game");
    prop_assert_eq!(before, format!("{:?}", players.table.game), "asking changes nothing");
    prop_assert_eq!(&proposed, &annabella_core::reconcile::reconcile(&case));

    // The arbiter follows the proposal, or does not.
    let follows = rng.random_bool(0.6);
    let mut settle = Settle { ply: proposed.ply, score: None, clocks: None };
    if !follows {
        settle.ply = rng.random_range(0..=old.len() as u32 + 1);
        settle.score =
            [None, Some(Color::White), Some(Color::Black)][rng.random_range(0..3) as usize];
    }
    let chosen: Settlement = match players.table.game.settlement_by(&settle) {
        Ok(chosen) => chosen,
        Err(_) => {
            decides(&mut players, &settle, "because");
            prop_assert_eq!(players.line(), old);
            prop_assert!(players.table.game.record().expect("a game").decisions.is_empty());
            return Ok(());
        }
    };
    let journal = chosen.clocks.as_ref().and_then(|clocks| clocks.proposed);
    settle.clocks = match (rng.random_range(0..3u32), journal) {
        (0, _) => None,
        (1, Some(proposal)) => {
            let reading = case.clocks.iter().find(|reading| reading.ply == chosen.ply);
            prop_assert_eq!(reading.map(|reading| reading.times), Some(proposal.times));
            let at_ms = reading.and_then(|reading| reading.at_ms);
            if let Some(ms) = at_ms {
                let record = players.table.game.record().expect("a game");
                let ply = &record.line[chosen.ply as usize - 1];
                prop_assert_eq!(ply.completed.map(|at| at.ms), Some(ms));
                let source = chosen.clocks.as_ref().expect("a proposal").source();
                let cited = format!("ply {} at {}.{:03} s", chosen.ply, ms / 1000, ms % 1000);
                prop_assert!(source.ends_with(&cited), "{}", source);
            }
            let (white_ms, black_ms) = (proposal.times.white_ms, proposal.times.black_ms);
            Some(SettledClocks { white_ms, black_ms, basis: ClockBasis::from(proposal.basis) })
        }
        _ => Some(SettledClocks { white_ms: 77_000, black_ms: 88_000, basis: ClockBasis::Typed }),
    };
    players.table.heard();
    decides(&mut players, &settle, "because");
    let told = format!("seed {seed}: {settle:?} {:?}", players.table.heard());
    let record = players.table.game.record().expect("a game");
    let line: Vec<Move> = record.line.iter().map(|ply| ply.mv).collect();
    prop_assert_eq!(&line, &chosen.moves, "{}", told);
    prop_assert_eq!(record.position, &chosen.position);
    let [decision] = record.decisions else { panic!("one decision: {told}") };
    let kept = old.iter().zip(&line).take_while(|(a, b)| a == b).count();
    let struck: Vec<Move> = decision.struck.iter().map(|ply| ply.mv).collect();
    prop_assert_eq!(&struck[..], &old[kept..]);
    for (score, color) in
        [(record.score(Color::White), Color::White), (record.score(Color::Black), Color::Black)]
    {
        prop_assert!(score.is_sorted_by_key(|entry| entry.ply), "{:?} {}", color, told);
        for entry in score {
            let decided = line.get(entry.ply as usize - 1).copied();
            prop_assert!(
                decided.is_some() && entry.mv == decided,
                "{:?} {} {}",
                entry,
                color,
                told
            );
        }
    }
    if players.table.game.ended().is_some() {
        return Ok(());
    }
    let ruled = match settle.clocks {
        Some(clocks) => (clocks.white_ms, clocks.black_ms, Running::None),
        None => (decision.before_ms.0, decision.before_ms.1, Running::None),
    };
    prop_assert_eq!(record.clock, ruled, "{}", told);
    prop_assert_eq!(decision.after_ms, (ruled.0, ruled.1));

    // The hands do what is said.
    let differ = !told.contains("boards differ") || told.contains("correct");
    prop_assert!(differ, "{}", told);
    let mut truth = chosen.boards[Who::Blind].steps.len();
    while let Some(step) = next_step(&players) {
        players.toggle(step);
        prop_assert!(truth > 0, "more steps than were stated: {}", told);
        truth -= 1;
    }
    prop_assert_eq!(truth, 0);
    prop_assert_eq!(players.pegs, players.table.position().board().occupied(), "{}", told);
    if !chosen.boards[Who::Sighted].steps.is_empty() {
        players.table.input(Input::Corrected { seat: Color::Black });
    }
    let heard = players.table.heard().join("\n") + &told;
    let agree = Words::builtin("fide", "de").expect("German").prompt(Prompt::BoardsAgreeAgain, &[]);
    let times = heard.matches(&agree.to_string()).count();
    let corrected = Who::ALL.into_iter().any(|who| !chosen.boards[who].steps.is_empty());
    prop_assert!(times == usize::from(corrected) || (!untouched && times <= 1), "{}", heard);
    let settlement = players.table.game.settlement().expect("a game");
    prop_assert!(settlement.difference.is_none(), "{:?}", settlement);
    prop_assert_eq!(settlement.boards[Who::Blind].steps.len(), 0);

    // And the game goes on: repetitions are counted on the game as decided.
    let (again, results) = annabella_core::game::Game::replay(players.table.inputs.iter().cloned());
    prop_assert!(results == players.table.results);
    prop_assert_eq!(format!("{again:?}"), format!("{:?}", players.table.game));
    players.table.says(Color::White, "Uhr starten");
    let turn = players.table.position().turn();
    let open = players.table.game.record().expect("a game").line.last().map(|ply| ply.completed);
    if open == Some(None) {
        players.table.press(!turn);
    }
    let times = occurrences(&start, &line);
    players.table.says(turn, "Stellungswiederholung");
    players.table.says(turn, "ja");
    prop_assert_eq!(players.table.game.ended().is_some(), times >= 3, "{}", told);
    if times < 3 {
        let legal = players.table.position().legal_moves();
        let mv = legal[rng.random_range(0..legal.len() as u64) as usize];
        players.play(mv);
        let now = players.line();
        prop_assert_eq!(now.last(), Some(&mv), "{} {:?}", told, players.table.heard());
    }
    Ok(())
}

/// The hole of the step that was shown last for the pegs.
fn next_step(players: &Players) -> Option<Square> {
    use annabella_core::game::HandStep;
    let outputs = players.table.results.iter().rev().flatten();
    let steps =
        outputs.flat_map(|outputs| outputs.iter().rev()).find_map(|output| match output {
            Output::Correct { seat: Color::White, steps } => Some(steps),
            _ => None,
        })?;
    steps.first().map(|step| match step {
        HandStep::Take { take, .. } => *take,
        HandStep::Put { put, .. } => *put,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, max_shrink_iters: 0, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn after_any_decision_the_game_is_whole_again(seed: u64) {
        check(seed)?;
    }
}
