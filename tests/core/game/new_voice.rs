//! A voice that is badly heard at first: what helps is offered once, where it disturbs nobody
//! (issue 32).

use annabella_words::phrase::hear::learn;
use shakmaty::Color::{Black, White};

use super::table::{Table, speaking};

const OFFER: &str = "ear: Ich verstehe dich noch schlecht. Nach der Partie kann ich deine Stimme lernen: \
                     „annabella enrol“, dreißig Sätze nachsprechen.";
/// White's knight goes out and home, Black's likewise: said, nearly the same, from, to, the reply.
const ROUNDS: [[&str; 6]; 2] = [
    ["springer felix drei", "springer hector drei", "g1", "f3", "b8", "c6"],
    ["springer gustav eins", "springer eva fünf", "f3", "g1", "c6", "b8"],
];

/// Whatever is said in White's turn and in the opponent's, round after round.
fn rounds(
    table: &mut Table,
    count: usize,
    says: impl Fn(&mut Table, &str, &str),
) -> Vec<[usize; 2]> {
    let offers =
        |lines: &[String]| lines.iter().filter(|line| line.contains("annabella enrol")).count();
    ROUNDS
        .into_iter()
        .cycle()
        .take(count)
        .map(|[said, other, from, to, back, forth]| {
            says(table, said, other);
            table.moves(from, to);
            table.press(White);
            // He executes White's move on his board, then his own.
            table.sighted(Black, &format!("{from}{to}"));
            table.sighted(Black, &format!("{back}{forth}"));
            let opponents = offers(&table.heard());
            table.moves(back, forth);
            table.press(Black);
            let lines = table.heard();
            assert_eq!(
                offers(&lines),
                lines.iter().filter(|line| *line == OFFER).count(),
                "{lines:?}"
            );
            [opponents, offers(&lines)]
        })
        .collect()
}

fn badly(table: &mut Table, said: &str, other: &str) {
    table.hears(&[(said, 0.51), (other, 0.49)]);
    table.hears(&[(said, 0.6), (other, 0.2)]);
    table.hears(&[("ja", 0.99)]);
}

#[test]
fn i32_a_badly_heard_voice_is_offered_enrolment_once_in_the_ear_when_the_opponent_has_moved() {
    let mut table = Table::speaking();
    assert_eq!(rounds(&mut table, 5, badly), [[0, 0], [0, 1], [0, 0], [0, 0], [0, 0]]);
}

#[test]
fn i32_whoever_is_heard_well_or_plays_in_a_loud_room_is_offered_nothing() {
    let mut table = Table::speaking();
    let well = |table: &mut Table, said: &str, _: &str| table.hears(&[(said, 0.99)]);
    assert_eq!(rounds(&mut table, 3, well), [[0, 0]; 3]);
    let mut table = Table::speaking();
    let loud = |table: &mut Table, said: &str, _: &str| {
        table.hears_above_room(said, 8.0);
        table.hears_above_room("ja", 8.0);
    };
    assert_eq!(rounds(&mut table, 6, loud), [[0, 0]; 6]);
}

#[test]
fn i32_a_bad_hearing_later_in_the_game_is_no_new_voice() {
    let mut table = Table::speaking();
    let well = |table: &mut Table, said: &str, _: &str| table.hears(&[(said, 0.99)]);
    rounds(&mut table, 12, well);
    assert_eq!(rounds(&mut table, 3, badly), [[0, 0]; 3]);
}

#[test]
fn i32_a_game_that_ends_before_tells_it_then() {
    let mut table = Table::speaking();
    badly(&mut table, ROUNDS[0][0], ROUNDS[0][1]);
    table.moves("g1", "f3");
    table.press(White);
    table.sighted(Black, "g1f3");
    table.sighted(Black, "b8c6");
    table.moves("b8", "c6");
    table.press(Black);
    table.heard();
    badly(&mut table, ROUNDS[1][0], ROUNDS[1][1]);
    assert!(!table.heard().iter().any(|line| line == OFFER));
    table.hears(&[("ich gebe auf", 0.99)]);
    table.hears(&[("ja", 0.99)]);
    let after = table.heard();
    assert_eq!(after.iter().filter(|line| *line == OFFER).count(), 1, "{after:?}");
}

#[test]
fn i32_who_has_enrolled_is_offered_nothing() {
    let misheard = ("fünf".to_owned(), "fünnef".to_owned());
    let learnt = learn(&[misheard.clone(), misheard.clone(), misheard]);
    assert!(!learnt.is_empty());
    let mut table = Table::taught(speaking(), learnt);
    table.start_clock();
    assert_eq!(rounds(&mut table, 4, badly), [[0, 0]; 4]);
}
