//! Flags and dead positions: who has won, who has drawn, and who must say so (5.2.2, 6.8, 6.9,
//! 9.1).

use annabella_core::game::{ArbiterAct, Duties, GameConfig, Input};
use shakmaty::Color::{Black, White};

use super::{
    script::{has, lacks, wooden},
    table::Table,
};

fn blitz() -> GameConfig {
    GameConfig { sighted_board: true, time_control: "3+2".to_owned(), ..GameConfig::default() }
}

fn unclaimed() -> GameConfig {
    GameConfig { duties: Duties { claim: false, ..Duties::default() }, ..blitz() }
}

#[test]
fn a_flag_falls_on_a_locked_position_and_the_game_is_drawn() {
    // Queens are gone, the pawns are locked, no king gets through: only the material could mate.
    let mut table = Table::at("4k3/8/8/p1p1p1p1/P1P1P1P1/7N/8/4K3 w - - 0 1", blitz());
    table.start_clock();
    table.wait(200_000);
    assert_eq!(
        table.heard(),
        [
            "problem D.2.10.5: White's flag has fallen",
            "loud: Weiß: Zeit überschritten. Schwarz gewinnt.",
            "result 0-1: flag fall (6.9)",
            "clock: None",
        ]
    );
    let mut table = Table::at("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", blitz());
    table.start_clock();
    table.wait(200_000);
    assert_eq!(
        table.heard(),
        [
            "problem D.2.10.5: White's flag has fallen",
            "loud: Weiß: Zeit überschritten. Remis.",
            "result 1/2-1/2: flag fall, the opponent cannot mate (6.9)",
            "clock: None",
        ]
    );
}

#[test]
fn a_forced_line_without_mate_draws_although_there_is_material() {
    // Black's only move takes the rook; a bare king is left.
    let mut table = Table::at("8/8/8/8/8/1K6/8/kR6 b - - 0 1", blitz());
    table.start_clock();
    table.rules(ArbiterAct::StartClocks { side: Some(Black) });
    table.wait(200_000);
    assert_eq!(table.game.ended().map(|ended| ended.result.as_str()), Some("1/2-1/2"));
}

#[test]
fn a_flag_is_claimed_by_a_player_when_it_is_nobody_elses_duty() {
    let mut table = Table::new(unclaimed());
    table.start_clock();
    table.says(Black, "Zeit überschritten");
    assert_eq!(table.heard(), ["loud: Keine Zeit überschritten."]);
    table.wait(200_000);
    assert_eq!(table.heard(), [""; 0]);
    table.says(Black, "Zeit überschritten");
    assert_eq!(
        table.heard(),
        [
            "problem 6.8: White's flag has fallen",
            "loud: Weiß: Zeit überschritten. Schwarz gewinnt.",
            "result 0-1: flag fall (6.9)",
            "clock: None",
        ]
    );
}

#[test]
fn mate_before_anybody_claims_the_flag_counts() {
    let mut table = Table::at("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", unclaimed());
    table.start_clock();
    table.wait(200_000);
    table.moves("a1", "a8");
    table.wait(1000);
    assert_eq!(table.game.ended().map(|ended| ended.result.as_str()), Some("1-0"));
    table.says(Black, "Zeit überschritten");
    let over = "refused 6.8: the game is over – Die Partie ist zu Ende. Weiß hat gewonnen.";
    assert!(table.heard().iter().any(|line| line.starts_with(over)));
}

#[test]
fn both_flags_have_fallen_and_the_first_one_lost() {
    let mut table = Table::new(unclaimed());
    table.start_clock();
    table.wait(190_000);
    // White moves on after his flag, and Black's falls as well before anybody looks.
    table.moves("e2", "e4");
    table.press(White);
    table.wait(200_000);
    table.heard();
    table.says(White, "Zeit abgelaufen");
    assert_eq!(table.heard()[0], "problem 6.8: White's flag has fallen");
    assert_eq!(table.game.ended().map(|ended| ended.result.as_str()), Some("0-1"));
}

/// Three seconds each, and an arbiter looks.
fn short(claim: bool) -> Table {
    let duties = Duties { claim, ..Duties::default() };
    let mut table = Table::new(GameConfig { time_control: "0.05".to_owned(), duties, ..wooden() });
    table.input(Input::ArbiterPage { open: true });
    table.start_clock();
    table
}

fn open(table: &Table) -> Vec<u32> {
    let record = table.game.record().expect("a game");
    record.proposals.iter().filter(|of| of.is_open()).map(|of| of.number).collect()
}

#[test]
fn after_a_flag_that_was_judged_the_other_players_falls_too_6_8_6_9() {
    for (claim, article) in [(true, "D.2.10.5"), (false, "6.8")] {
        let claims = |words: &str| if claim { String::new() } else { words.to_owned() };
        let mut table = short(claim);
        table.script(&format!("~3500 {}", claims("b\"Zeit überschritten\"")));
        table.rules(ArbiterAct::DismissProposal { number: 1 });
        table.rules(ArbiterAct::StartClocks { side: None });
        table.heard();
        // That one is decided, and he hears it.
        table.script("b\"Zeit überschritten\"");
        assert_eq!(table.heard(), ["loud: Weiß: Zeit überschritten. Das ist schon entschieden."]);
        table.script("e2- e4+ ~700 w! ~3500");
        table.script(&claims("w\"Zeit überschritten\""));
        has(&table.heard(), &format!("problem {article}: Black's flag has fallen"));
        assert_eq!(open(&table), [2]);
        // While he is asked nobody hears that it was decided.
        table.script("w\"Zeit überschritten\"");
        assert_eq!(table.spoken(), ["loud: Der Schiedsrichter entscheidet."]);
        // White's flag is up again, and Black's is still down.
        table.rules(ArbiterAct::SetClock { seat: White, ms: 60_000, moves: None });
        assert_eq!(open(&table), [2]);
        table.rules(ArbiterAct::ConfirmProposal { number: 2, choice: None });
        assert_eq!(table.result().as_deref(), Some("1-0 6.9"));
    }
}

#[test]
fn a_game_that_goes_on_after_it_was_lost_on_time_may_be_lost_by_the_other_flag_6_9() {
    let mut table =
        Table::after(GameConfig { time_control: "0.05".to_owned(), ..wooden() }, "~3500");
    assert_eq!(table.result().as_deref(), Some("0-1 6.9"));
    table.rules(ArbiterAct::PlayOn);
    table.rules(ArbiterAct::StartClocks { side: None });
    table.script("e2- e4+ ~700 w! ~3500");
    assert_eq!(table.result().as_deref(), Some("1-0 6.9"));
}

#[test]
fn of_two_flags_that_are_down_one_is_judged_at_a_time_6_8() {
    let mut table = short(false);
    table.script("~3500 e2- e4+ ~700 w! ~3500 w\"Zeit überschritten\"");
    has(&table.heard(), "problem 6.8: White's flag has fallen");
    table.script("w\"Zeit überschritten\"");
    lacks(&table.heard(), "problem");
    assert_eq!(open(&table), [1]);
    table.rules(ArbiterAct::DismissProposal { number: 1 });
    table.rules(ArbiterAct::StartClocks { side: None });
    table.script("w\"Zeit überschritten\"");
    has(&table.heard(), "problem 6.8: Black's flag has fallen");
    assert_eq!(open(&table), [2]);
}

#[test]
fn a_move_that_locks_the_position_for_good_ends_the_game() {
    // One push, and no piece ever gets anywhere.
    let mut table = Table::at("4k3/8/6p1/p1p1p3/P1P1P1P1/8/8/4K3 b - - 0 1", blitz());
    table.sighted(Black, "g6g5");
    let heard = table.heard();
    assert!(heard.contains(&"loud: Tote Stellung. Remis.".to_owned()), "{heard:?}");
    assert_eq!(table.game.ended().map(|ended| ended.article.to_string()).as_deref(), Some("5.2.2"));
}

#[test]
fn a_check_that_can_only_be_answered_by_taking_the_last_piece_ends_the_game() {
    let mut table = Table::at("8/8/8/8/8/1K6/1R6/k7 w - - 0 1", blitz());
    table.moves("b2", "b1");
    table.wait(1500);
    assert_eq!(table.game.ended().map(|ended| ended.article.to_string()).as_deref(), Some("5.2.2"));
    // A rook with which something can still be done is another matter.
    let mut table = Table::at("8/8/8/8/8/1K6/1R6/k7 w - - 0 1", blitz());
    table.moves("b2", "h2");
    assert_eq!(table.game.ended(), None);
}

#[test]
fn an_offer_of_a_draw_is_marked_in_the_record_and_so_is_a_claim() {
    let mut table = Table::new(blitz());
    table.start_clock();
    table.moves("e2", "e4");
    table.says(White, "Remis anbieten");
    table.says(White, "ja");
    table.press(White);
    table.says(Black, "Remis ablehnen");
    table.says(Black, "Stellungswiederholung");
    table.says(Black, "ja");
    let record = table.game.record().expect("a game");
    let offers: Vec<_> = record.offers().iter().map(|offer| (offer.by, offer.plies)).collect();
    assert_eq!(offers, [(White, 1), (Black, 1)]);
    // The claim was an offer (9.1.2.3); his opponent can take it once each has made a move (5.2.3).
    table.heard();
    table.says(White, "Remis annehmen");
    assert_eq!(table.heard(), ["refused 5.2.3: no draw before move 2 – Noch kein Remis erlaubt."]);
}

#[test]
fn a_wrong_claim_gives_the_opponent_time_when_the_arbiter_confirms_it() {
    let mut table = Table::new(GameConfig { time_control: "90+30".to_owned(), ..blitz() });
    table.start_clock();
    table.says(White, "Stellungswiederholung");
    table.says(White, "ja");
    let before = table.clock();
    table.heard();
    table.rules(ArbiterAct::ConfirmProposal { number: 1, choice: None });
    assert_eq!(table.spoken(), ["loud: Schwarz: zwei Minuten mehr."]);
    assert_eq!(table.clock().1, before.1 + 120_000);
}

#[test]
fn an_event_may_forbid_early_draws() {
    let mut table = Table::new(GameConfig { no_draw_before: 30, ..blitz() });
    table.says(White, "Remis anbieten");
    assert_eq!(table.heard(), ["refused 9.1.1: no draw before move 30 – Noch kein Remis erlaubt."]);
    // Claims are not agreements.
    table.says(White, "Stellungswiederholung");
    assert_eq!(table.heard(), ["ear: Remis durch Stellungswiederholung beantragen?"]);
}
