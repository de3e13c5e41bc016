//! From words to moves and requests: understood, legal and unique are different things.

use annabella_words::phrase::{
    Command, Phrases, SpokenForm, Understood, Words, normal_words, pack, understand,
};
use proptest::prelude::*;
use shakmaty::{Chess, File, Move, Position, Rank, Role, Square, uci::UciMove};

use crate::positions::{played, position};

fn german() -> Words {
    Words::builtin("fide", "de").expect("built-in packs")
}

fn mv(pos: &Chess, uci: &str) -> Move {
    let uci: UciMove = uci.parse().expect("UCI");
    uci.to_move(pos).expect("legal move")
}

fn hear(pos: &Chess, text: &str) -> Understood {
    understand(&german(), pos, text)
}

/// Positions that hold what is rare in played games.
const RARE: [&str; 7] = [
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "n1n1k3/1P6/8/8/8/8/6p1/4KN1N w - - 0 1",
    "n1n1k3/1P6/8/8/8/8/6p1/4KN1N b - - 0 1",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "4k3/8/8/Q1Q5/8/Q1Q5/8/4K3 w - - 0 1",
    "N3N3/8/k7/N3N3/8/8/8/K7 w - - 0 1",
    "5k2/8/8/8/8/8/3N4/R3K1NR w KQ - 0 1",
];

/// The move languages: every built-in pack once.
fn all_words() -> Vec<Words> {
    pack::builtin_names()
        .filter(|name| *name != "fide")
        .map(|name| Words::builtin(name, name).expect("built-in packs"))
        .collect()
}

fn full_and_short_are_unambiguous(words: &Words, pos: &Chess) {
    for mv in pos.legal_moves() {
        for form in [SpokenForm::Full, SpokenForm::Short] {
            let said = words.announce(pos, mv, form);
            let heard = understand(words, pos, &said.to_string());
            assert_eq!(heard, Understood::Move(mv), "{said} ({})", words.moves().code());
            let sounded = understand(words, pos, said.parts[0].sound());
            assert_eq!(sounded, Understood::Move(mv), "{said} as it sounds");
        }
    }
}

fn phrases_mean_what_they_say(words: &Words, pos: &Chess) {
    let phrases = Phrases::new(words, pos);
    let mut reached = Vec::new();
    for phrase in phrases.iter() {
        assert_eq!(phrases.lookup(&phrase.text), phrase.moves, "{}", phrase.text);
        let heard = understand(words, pos, &phrase.text);
        match &phrase.moves[..] {
            [only] => assert_eq!(heard, Understood::Move(*only), "{}", phrase.text),
            several => {
                assert_eq!(heard, Understood::Ambiguous(several.to_vec()), "{}", phrase.text);
            }
        }
        reached.extend(phrase.moves.iter().copied());
    }
    for mv in pos.legal_moves() {
        assert!(reached.contains(&mv));
        let full = words.announce(pos, mv, SpokenForm::Full).to_string();
        assert_eq!(phrases.lookup(&full), [mv], "{full}");
        let short = words.announce(pos, mv, SpokenForm::Short).to_string();
        assert_eq!(phrases.lookup(&short), [mv], "{short}");
    }
}

#[test]
fn rare_moves_have_their_phrases_in_every_language() {
    for words in all_words() {
        for fen in RARE {
            full_and_short_are_unambiguous(&words, &position(fen));
            phrases_mean_what_they_say(&words, &position(fen));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_legal_move_has_an_unambiguous_full_and_short_phrase(
        choices in proptest::collection::vec(0..1000_usize, 0..120)
    ) {
        let pos = played(&choices);
        for words in all_words() {
            full_and_short_are_unambiguous(&words, &pos);
        }
    }

    #[test]
    fn every_phrase_of_a_legal_move_is_understood_as_it(
        choices in proptest::collection::vec(0..1000_usize, 0..120)
    ) {
        phrases_mean_what_they_say(&german(), &played(&choices));
    }

    #[test]
    fn anything_may_be_heard(text in ".{0,60}") {
        hear(&Chess::default(), &text);
    }
}

#[test]
fn a_move_may_be_said_in_many_ways() {
    let pos = Chess::default();
    let knight = Understood::Move(mv(&pos, "g1f3"));
    for text in [
        "Springer Gustav eins Felix drei",
        "springer gustav eins nach felix drei",
        "Springer von Gustav eins auf Felix drei!",
        "Gustav eins Felix drei",
        "von Gustav eins nach Felix drei",
        "Springer Felix drei",
        "Springer nach Felix drei",
        "Springer Gustav Felix drei",
    ] {
        assert_eq!(hear(&pos, text), knight, "{text}");
    }
    for text in
        ["Cesar zwo Cesar vier", "Caesar vier", "Cäsar vier", "Zäsar vier", "bauer ZÄSAR vier"]
    {
        assert_eq!(hear(&pos, text), Understood::Move(mv(&pos, "c2c4")), "{text}");
    }
    for text in ["Hector vier", "Hektor vier"] {
        assert_eq!(hear(&pos, text), Understood::Move(mv(&pos, "h2h4")), "{text}");
    }
}

#[test]
fn understood_legal_and_unique_are_different() {
    let pos = position("4k3/8/8/8/8/8/1N3N2/4K3 w - - 0 1");
    let both = vec![mv(&pos, "b2d3"), mv(&pos, "f2d3")];
    assert_eq!(hear(&pos, "Springer David drei"), Understood::Ambiguous(both));
    assert!(matches!(hear(&pos, "Springer David acht"), Understood::Illegal(_)));
    // It is legal, but nothing is taken there.
    assert!(matches!(hear(&pos, "Springer Bella schlägt David drei"), Understood::Illegal(_)));
    for noise in
        ["", "äh", "Springer", "Springer Gustav", "David", "Schach", "Springer acht vier eins"]
    {
        assert!(
            !matches!(
                hear(&pos, noise),
                Understood::Move(_) | Understood::Ambiguous(_) | Understood::Illegal(_)
            ),
            "{noise}"
        );
    }
}

#[test]
fn a_promotion_without_its_piece_asks_for_it() {
    let pos = position("7k/4P3/8/8/8/8/8/K7 w - - 0 1");
    let Understood::Ambiguous(moves) = hear(&pos, "Eva acht") else {
        panic!("four moves fit");
    };
    assert_eq!(moves.len(), 4);
    assert_eq!(hear(&pos, "Dame"), Understood::Piece(Role::Queen));
    for text in [
        "Eva acht Dame",
        "Eva acht wird Dame",
        "Bauer Eva sieben Eva acht wandelt um in Dame Schach",
    ] {
        assert_eq!(hear(&pos, text), Understood::Move(mv(&pos, "e7e8q")), "{text}");
    }
}

#[test]
fn check_tells_two_moves_apart_and_is_otherwise_not_needed() {
    // Only the knight on d2 uncovers the queen.
    let pos = position("3k4/8/8/8/8/8/3N4/3QK1N1 w - - 0 1");
    assert!(matches!(hear(&pos, "Springer Felix drei"), Understood::Ambiguous(_)));
    assert_eq!(hear(&pos, "Springer Felix drei Schach"), Understood::Move(mv(&pos, "d2f3")));
    assert_eq!(
        hear(&Chess::default(), "Eva vier Schach"),
        Understood::Move(mv(&Chess::default(), "e2e4"))
    );
}

#[test]
fn castling_is_said_by_its_name_or_by_the_king() {
    let pos = position(RARE[0]);
    for text in
        ["Kurze Rochade", "Rochade kurz", "König Eva eins Gustav eins", "Eva eins Gustav eins"]
    {
        assert_eq!(hear(&pos, text), Understood::Move(mv(&pos, "e1g1")), "{text}");
    }
    assert_eq!(hear(&pos, "lange Rochade"), Understood::Move(mv(&pos, "e1c1")));
    let without = position("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    let Understood::Illegal(spoken) = hear(&without, "Kurze Rochade") else {
        panic!("not legal here");
    };
    assert_eq!(spoken.text, "Kurze Rochade");
}

#[test]
fn a_correction_carries_its_move() {
    let pos = Chess::default();
    let knight = Box::new(Understood::Move(mv(&pos, "g1f3")));
    assert_eq!(hear(&pos, "Korrektur Springer Felix drei"), Understood::Correction(knight.clone()));
    assert_eq!(hear(&pos, "Korrektur"), Understood::Command(Command::Correction));
    assert_eq!(hear(&pos, "Korrektur äh"), Understood::Correction(Box::new(Understood::NotHeard)));
    let claim = Understood::Claim { claim: Command::ClaimRepetition, intended: knight };
    assert_eq!(hear(&pos, "Remis durch Stellungswiederholung mit Springer Felix drei"), claim);
    assert_eq!(hear(&pos, "Stellungswiederholung mit dem Zug Springer Felix drei"), claim);
    assert_eq!(hear(&pos, "Stellungswiederholung mit äh"), Understood::NotHeard);
}

#[test]
fn requests_name_squares_files_ranks_and_pieces() {
    let pos = Chess::default();
    for (text, command) in [
        ("Was steht auf Eva vier?", Command::OnSquare(Square::E4)),
        ("was steht auf caesar zwo", Command::OnSquare(Square::C2)),
        ("Linie Hektor", Command::OnFile(File::H)),
        ("was steht auf der Reihe fünf", Command::OnRank(Rank::Fifth)),
        ("wo sind meine Türme", Command::Where { role: Role::Rook, mine: true }),
        ("wo sind seine Bauern", Command::Where { role: Role::Pawn, mine: false }),
        ("ich korrigiere", Command::Adjust),
        ("J'adoube", Command::Adjust),
        ("stopp", Command::Stop),
        ("beide Zeiten", Command::BothTimes),
        ("wie viel Zeit habe ich verbraucht", Command::MyTimeUsed),
        ("seine verbrauchte Zeit", Command::OpponentTimeUsed),
        ("verbrauchte Zeit", Command::BothTimesUsed),
        ("drei", Command::Choice(3)),
        ("ja", Command::Yes),
        ("ich gebe auf", Command::Resign),
    ] {
        assert_eq!(hear(&pos, text), Understood::Command(command), "{text}");
    }
}

#[test]
fn every_command_of_every_pair_of_packs_is_reachable_and_never_a_move() {
    let pos = Chess::default();
    for moves in pack::builtin_names() {
        for prompts in pack::builtin_names() {
            let words = Words::builtin(moves, prompts).expect("packs that go together");
            for (text, command) in words.command_phrases() {
                let heard = understand(&words, &pos, &text);
                assert_eq!(heard, Understood::Command(command), "{moves} {prompts}: {text}");
            }
            let adjust = understand(&words, &pos, "j'adoube");
            assert_eq!(adjust, Understood::Command(Command::Adjust));
        }
    }
}

#[test]
fn moves_are_never_commands() {
    for words in all_words() {
        let commands: Vec<Vec<String>> =
            words.command_phrases().iter().map(|(text, _)| normal_words(text)).collect();
        for fen in RARE {
            for phrase in Phrases::new(&words, &position(fen)).iter() {
                assert!(!commands.contains(&normal_words(&phrase.text)), "{}", phrase.text);
            }
        }
    }
}

#[test]
fn fides_names_are_heard_inside_another_prompt_language() {
    let words = Words::builtin("fide", "ru").expect("built-in packs");
    let pos = Chess::default();
    assert_eq!(
        understand(&words, &pos, "исправление Springer Felix drei"),
        Understood::Correction(Box::new(Understood::Move(mv(&pos, "g1f3"))))
    );
    assert_eq!(
        understand(&words, &pos, "что стоит на Gustav eins"),
        Understood::Command(Command::OnSquare(Square::G1))
    );
    assert_eq!(understand(&words, &pos, "ферзь"), Understood::Piece(Role::Queen));
}
