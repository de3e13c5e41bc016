//! A simulated recogniser in noise: how often a wrong move is accepted, how often is asked again.
//! `cargo bench --bench hear` prints the whole curve.

use annabella_words::phrase::hear::Thresholds;

use crate::recognizer::{HALL, Said, german, measure, scenes, top_one};

#[test]
fn wrong_moves_are_hardly_ever_accepted_in_noise() {
    let (words, ear) = german();
    let defaults = Thresholds::default();
    // Of 600 moves one seed mistakes none, another two: ten seeds are counted.
    let mut wrong = [0; 3];
    for seed in 1..11 {
        let scenes = scenes(&words, Said::Moves, &HALL, 60, 10, seed);
        let ours = measure(&ear, &scenes, defaults, true);
        let alone = top_one(&words, &scenes, |heard| &heard.hypotheses);
        let looped = top_one(&words, &scenes, |heard| &heard.word_loop);
        println!("ours    {}\ngrammar {}\nloop    {}", ours.row(), alone.row(), looped.row());
        assert!(ours.percent(ours.right) > 70.0, "{}", ours.row());
        assert_eq!(ours.commands, 0, "{}", ours.row());
        for (wrong, more) in wrong.iter_mut().zip([ours.wrong, alone.wrong, looped.wrong]) {
            *wrong += more;
        }
    }
    let [ours, alone, looped] = wrong;
    assert!(ours <= 10 && ours <= alone && ours <= looped, "{wrong:?} of 6,000");
}

#[test]
fn what_is_no_move_is_hardly_ever_accepted() {
    let (words, ear) = german();
    let heard = |said, seed| {
        let scenes = scenes(&words, said, &HALL, 30, 10, seed);
        let ours = measure(&ear, &scenes, Thresholds::default(), true);
        println!("{}", ours.row());
        ours.percent(ours.wrong)
    };
    // Of 300 illegal announcements one seed takes two, another ten: the mean of ten seeds is told.
    let illegal: f64 = (3..13).map(|seed| heard(Said::IllegalMoves, seed)).sum::<f64>() / 10.0;
    assert!(illegal <= 2.0, "{illegal:.2} % of the illegal announcements were taken");
    assert!(heard(Said::Talk, 3) <= 1.0);
}
