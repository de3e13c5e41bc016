//! Draw offers and claims by word of mouth (9.1 to 9.6).

use shakmaty::Color::{Black, White};

use super::table::{Table, speaking};

/// White moves on pegs and says so, Black on a board that reports; each follows the other.
fn play(table: &mut Table, moves: &[(&str, &str, &str)]) {
    for (from, to, san) in moves {
        if san.is_empty() {
            table.sighted(Black, &format!("{from}{to}"));
            table.moves(from, to);
        } else {
            table.says(White, san);
            table.moves(from, to);
            table.sighted(Black, &format!("{from}{to}"));
        }
    }
}

/// A table at which each player has made a move.
fn begun() -> Table {
    let mut table = Table::speaking();
    play(&mut table, &[("e2", "e4", "e4"), ("e7", "e5", "")]);
    table.heard();
    table
}

/// Twice, and the starting position stands for the third time.
const SHUFFLE: [(&str, &str, &str); 4] =
    [("g1", "f3", "Nf3"), ("g8", "f6", ""), ("f3", "g1", "Ng1"), ("f6", "g8", "")];

#[test]
fn a_draw_is_offered_and_accepted() {
    let mut table = begun();
    table.hears(&[("remis anbieten", 0.99)]);
    table.hears(&[("ja", 0.99)]);
    assert_eq!(table.heard(), ["ear: Remis anbieten?", "loud: Remis angeboten."]);
    // Only his opponent can accept it, whoever was heard: he is asked aloud.
    table.hears(&[("ich nehme an", 0.99)]);
    table.hears(&[("ja", 0.99)]);
    assert_eq!(
        table.heard(),
        [
            "loud: Schwarz? Remis annehmen?",
            "loud: Remis vereinbart.",
            "result 1/2-1/2: draw by agreement (5.2.3)",
            "clock: None",
        ]
    );
    let record = table.game.record().expect("a game");
    assert_eq!(record.offers().len(), 1);
    assert_eq!((record.offers()[0].by, record.offers()[0].plies), (White, 2));
}

#[test]
fn the_opponents_offer_is_told_and_declined() {
    let mut table = Table::speaking();
    table.says(Black, "Remis anbieten");
    table.says(Black, "ja");
    assert_eq!(
        table.heard(),
        ["loud: Remis anbieten?", "loud: Remis angeboten.", "ear: Dein Gegner bietet Remis an."]
    );
    table.hears(&[("remis ablehnen", 0.99)]);
    assert_eq!(table.heard(), ["loud: Remis abgelehnt."]);
    table.hears(&[("remis annehmen", 0.99)]);
    table.says(White, "Remis annehmen");
    assert_eq!(table.spoken().last().map(String::as_str), Some("ear: Kein Remisangebot."));
}

#[test]
fn an_offer_is_answered_with_yes_or_no_too_9_1_2_1() {
    let mut table = begun();
    let offered = "b\"Remis anbieten\" b\"ja\"";
    let no = |table: &mut Table| {
        table.script(offered);
        table.heard();
        table.script("w\"nein\"");
        assert_eq!(table.spoken(), ["loud: Remis abgelehnt."]);
    };
    no(&mut table);
    table.says(White, "nein");
    assert_eq!(table.spoken(), ["ear: Bitte?"], "nothing is offered any more");
    // The one who has offered accepts nothing.
    table.script(offered);
    table.heard();
    table.says(Black, "ja");
    assert_eq!(table.result(), None);
    table.heard();
    // Nobody is asked any more whether he accepts what he has declined.
    table.script("w\"ja\" w\"Remis ablehnen\"");
    let asked_and_declined = ["ear: Remis annehmen?", "loud: Remis abgelehnt."];
    assert_eq!(table.spoken(), asked_and_declined);
    table.script("w\"ja\"");
    assert_eq!(table.result(), None);
}

#[test]
fn a_yes_to_an_offer_is_asked_about_once_5_2_3() {
    let mut table = begun();
    table.script("b\"Remis anbieten\" b\"ja\"");
    table.heard();
    table.script("w\"ja\" w\"ja\"");
    assert_eq!(table.spoken(), ["ear: Remis annehmen?", "loud: Remis vereinbart."]);
}

#[test]
fn offering_back_is_accepting() {
    let mut table = begun();
    table.says(Black, "Remis anbieten");
    table.says(Black, "ja");
    table.heard();
    table.hears(&[("remis anbieten", 0.99)]);
    table.hears(&[("ja", 0.99)]);
    assert_eq!(table.spoken(), ["ear: Remis annehmen?", "loud: Remis vereinbart."]);
}

#[test]
fn an_offer_is_made_once() {
    let mut table = Table::speaking();
    table.hears(&[("remis anbieten", 0.99)]);
    table.hears(&[("ja", 0.99)]);
    table.heard();
    table.hears(&[("remis anbieten", 0.99)]);
    assert_eq!(table.heard(), ["ear: Remis angeboten."]);
}

#[test]
fn touching_a_piece_declines_an_offer() {
    let mut table = Table::speaking();
    table.says(Black, "Remis anbieten");
    table.says(Black, "ja");
    table.heard();
    table.lift("g1");
    table.says(White, "Remis annehmen");
    assert_eq!(table.spoken(), ["loud: Remis abgelehnt.", "ear: Kein Remisangebot."]);
}

#[test]
fn who_touches_a_piece_before_he_says_yes_has_declined() {
    let mut table = begun();
    table.says(Black, "Remis anbieten");
    table.says(Black, "ja");
    table.hears(&[("remis annehmen", 0.99)]);
    assert_eq!(table.spoken().last().map(String::as_str), Some("ear: Remis annehmen?"));
    table.lift("g1");
    table.hears(&[("ja", 0.99)]);
    assert_eq!(table.spoken(), ["loud: Remis abgelehnt."]);
    assert!(table.game.record().expect("a game").ended.is_none());
}

#[test]
fn a_move_declines_an_offer_and_the_offerers_own_does_not() {
    let mut table = begun();
    table.hears(&[("remis anbieten", 0.99)]);
    table.hears(&[("ja", 0.99)]);
    play(&mut table, &SHUFFLE[..1]);
    table.heard();
    table.says(Black, "Remis annehmen");
    assert_eq!(table.spoken(), ["loud: Remis annehmen?"]);
    table.says(Black, "nein");
    table.sighted(Black, "g8f6");
    table.heard();
    table.says(Black, "Remis annehmen");
    assert_eq!(table.spoken(), ["loud: Kein Remisangebot."]);
}

#[test]
fn a_claim_with_a_move_that_is_not_possible_is_told_so() {
    let mut table = Table::speaking();
    table.says(White, "Stellungswiederholung mit Springer Gustav eins Gustav drei");
    assert_eq!(table.heard(), ["ear: Nicht möglich: Springer Gustav eins Gustav drei."]);
}

#[test]
fn the_third_repetition_is_claimed() {
    let mut table = Table::speaking();
    play(&mut table, &SHUFFLE);
    play(&mut table, &SHUFFLE);
    table.heard();
    table.hears(&[("stellungswiederholung", 0.99)]);
    table.hears(&[("ja", 0.99)]);
    assert_eq!(
        table.heard(),
        [
            "ear: Remis durch Stellungswiederholung beantragen?",
            "clock: None",
            "loud: Remis beantragt.",
            "loud: Remis durch Stellungswiederholung.",
            "result 1/2-1/2: threefold repetition, claimed (9.2)",
            "clock: None",
        ]
    );
}

#[test]
fn a_claim_with_an_intended_move_is_checked_on_the_position_after_it() {
    let mut table = Table::speaking();
    play(&mut table, &SHUFFLE);
    play(&mut table, &SHUFFLE);
    table.heard();
    // After this move the knights stand as they did twice before.
    table.hears(&[("stellungswiederholung mit springer gustav eins felix drei", 0.99)]);
    table.hears(&[("ja", 0.99)]);
    assert_eq!(
        table.spoken(),
        [
            "ear: Remis durch Stellungswiederholung beantragen mit Springer Gustav eins Felix drei?",
            "loud: Remis beantragt.",
            "loud: Remis durch Stellungswiederholung.",
        ]
    );
}

#[test]
fn a_wrong_claim_is_reported_and_the_announced_move_must_be_made() {
    let mut table = Table::speaking();
    table.hears(&[("stellungswiederholung mit springer gustav eins felix drei", 0.99)]);
    table.hears(&[("ja", 0.99)]);
    assert_eq!(
        table.heard(),
        [
            "ear: Remis durch Stellungswiederholung beantragen mit Springer Gustav eins Felix drei?",
            "clock: None",
            "loud: Remis beantragt.",
            "problem 9.5.3: White claimed a draw wrongly: two minutes for the opponent",
            "loud: Antrag falsch. Die Uhren stehen.",
            "proposal 1 9.5.3: wrong claim of White: two minutes for Black",
            "announced Nf3",
        ]
    );
    table.moves("g1", "f3");
    assert_eq!(table.heard(), ["executed Nf3", "made Nf3", "boards pending"]);
}

#[test]
fn fifty_moves_are_claimed_when_the_last_capture_is_as_long_ago() {
    let early = "4k3/8/8/8/8/8/8/R3K3 w - - 98 80";
    let mut table = Table::at(early, speaking());
    table.hears(&[("fünfzig züge", 0.99)]);
    table.hears(&[("ja", 0.99)]);
    assert_eq!(
        table.spoken(),
        [
            "ear: Remis durch fünfzig Züge beantragen?",
            "loud: Remis beantragt.",
            "loud: Antrag falsch. Die Uhren stehen.",
        ]
    );
    let with_move = "4k3/8/8/8/8/8/8/R3K3 w - - 99 80";
    let mut table = Table::at(with_move, speaking());
    table.hears(&[("fünfzig züge mit turm anna eins anna zwei", 0.99)]);
    table.hears(&[("ja", 0.99)]);
    assert_eq!(
        table.spoken(),
        [
            "ear: Remis durch fünfzig Züge beantragen mit Turm Anna eins Anna zwei?",
            "loud: Remis beantragt.",
            "loud: Remis nach fünfzig Zügen.",
        ]
    );
}

#[test]
fn a_claim_is_the_players_who_has_the_move_and_has_touched_nothing() {
    let mut table = Table::speaking();
    table.lift("g1");
    table.says(White, "Stellungswiederholung");
    assert_eq!(
        table.heard(),
        [
            "refused 9.4: a piece was touched: no claim of a draw on this move – Berührt: kein Antrag mehr."
        ]
    );
    table.says(Black, "Stellungswiederholung");
    assert_eq!(
        table.heard(),
        ["refused 9.2: only the player having the move may claim a draw – Du bist nicht am Zug."]
    );
}

#[test]
fn the_fifth_repetition_ends_the_game_without_a_claim() {
    let mut table = Table::speaking();
    for _ in 0..4 {
        play(&mut table, &SHUFFLE);
    }
    let ended = table.game.ended().expect("the starting position, for the fifth time");
    assert_eq!(
        (ended.reason.to_string().as_str(), ended.article.to_string().as_str()),
        ("fivefold repetition", "9.6.1")
    );
}

#[test]
fn seventy_five_moves_end_the_game_without_a_claim() {
    let mut table = Table::at("4k3/8/8/8/8/8/8/R3K3 w - - 149 120", speaking());
    table.says(White, "Turm Anna zwei");
    table.moves("a1", "a2");
    assert_eq!(table.spoken(), ["loud: Remis nach fünfundsiebzig Zügen."]);
}

#[test]
fn mate_goes_before_seventy_five_moves() {
    let mut table = Table::at("4k3/R7/4K3/8/8/8/8/7R w - - 149 120", speaking());
    table.says(White, "Turm Hector acht");
    table.moves("h1", "h8");
    assert_eq!(table.spoken(), ["loud: Schachmatt. Weiß gewinnt."]);
}
