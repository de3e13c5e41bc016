//! The letters of the language in force come first, in every language, and no illegal move becomes
//! another one.

use annabella_core::notation::{
    InForce, Letters, MoveNotation, NotationError, PieceLetters, pgn::read_games, read_in,
    read_sheet, write,
};
use annabella_players::games::random_game;
use shakmaty::{Chess, Move, Position, Role, Square, fen::Fen};

/// The languages that have packs, and with them pages.
const SEVEN: [PieceLetters; 7] = [
    PieceLetters::German,
    PieceLetters::English,
    PieceLetters::Russian,
    PieceLetters::French,
    PieceLetters::Spanish,
    PieceLetters::Polish,
    PieceLetters::Lithuanian,
];

/// Positions in which a letter of one language is another piece's in another: each piece, and a
/// pawn beside it, can go to d4; also the king alone, the rook alone, the bishop alone.
const COLLIDING: [&str; 6] = [
    "6k1/8/8/2N5/8/B1BPK2R/3P4/3R3Q w - - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "7k/8/8/2p5/1P6/8/3B4/7K w - - 0 1",
    "4k3/8/8/8/8/8/R2p4/4K3 w - - 0 1",
    "4k3/4p3/8/8/8/8/8/R3K3 w Q - 0 1",
    "k7/8/8/3r4/2P1P3/1B1R1N2/2Q1K3/8 w - - 0 1",
];

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(shakmaty::CastlingMode::Standard).expect("a position")
}

#[test]
fn each_piece_of_each_language_goes_where_its_own_letter_says() {
    let mut read_back = 0;
    for language in SEVEN {
        let letters = Letters::of(language);
        for fen in COLLIDING {
            let pos = position(fen);
            for role in Role::ALL {
                for to in Square::ALL {
                    let of_role = |mv: &Move| mv.role() == role && mv.to() == to && !mv.is_castle();
                    let wanted: Vec<Move> = pos.legal_moves().into_iter().filter(of_role).collect();
                    let letter = if role == Role::Pawn { "" } else { letters.letter(role) };
                    let read = read_in(&pos, &format!("{letter}{to}"), language);
                    match (&read, wanted.as_slice()) {
                        (Ok(read), wanted) => {
                            assert_eq!(read.mv.role(), role, "{letter}{to} in {language}: {fen}");
                            assert!(wanted.contains(&read.mv), "{letter}{to} in {language}");
                            read_back += 1;
                        }
                        // A pawn's capture needs its file (C.9.3).
                        (Err(_), []) | (Err(NotationError::Ambiguous { .. }), [_, _, ..]) => {}
                        (Err(_), [mv, ..]) if role == Role::Pawn && mv.is_capture() => {}
                        (Err(error), _) => panic!("{letter}{to} in {language}, {fen}: {error}"),
                    }
                }
            }
        }
    }
    assert!(read_back > 7 * 100, "{read_back}");
}

#[test]
fn what_is_illegal_in_the_letters_in_force_is_asked_about_or_refused() {
    let ask = |fen: &str, text: &str, language| match read_in(&position(fen), text, language) {
        Err(NotationError::OtherLetters { letters, mv, .. }) => {
            format!("{letters}? {}", shakmaty::uci::UciMove::from_standard(mv))
        }
        Err(NotationError::Illegal { .. }) => "illegal".to_owned(),
        Err(NotationError::Unreadable { .. }) => "unreadable".to_owned(),
        other => panic!("{text} in {language}: {other:?}"),
    };
    use PieceLetters::{English, French, German, Lithuanian, Polish, Russian, Spanish};
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (fen, text, language, answer) in [
        // An English bishop that cannot take, a German pawn that can.
        (COLLIDING[2], "Bxc5", English, "de? b4c5"),
        // An English rook cannot, and both a French and a Spanish king can: nobody is asked.
        (COLLIDING[3], "Rf1", English, "illegal"),
        (start, "Кf3", English, "ru? g1f3"),
        (start, "Nf3", German, "en? g1f3"),
        (start, "Nf3", Lithuanian, "en? g1f3"),
        (start, "Žf3", Polish, "lt? g1f3"),
        (start, "Cf3", Russian, "unreadable"),
        (start, "Sf3", English, "unreadable"),
        (start, "Sf3", French, "unreadable"),
        (start, "Nf4", Spanish, "unreadable"),
        (COLLIDING[4], "Rd1", Lithuanian, "illegal"),
        // A rook in English alone; the kings of others would step beside their own rook's pawn.
        (COLLIDING[4], "Ra5", Polish, "en? a1a5"),
    ] {
        assert_eq!(ask(fen, text, language), answer, "{text} in {language}");
    }
}

#[test]
fn figurines_are_read_whatever_the_language() {
    for language in SEVEN {
        let read = read_in(&Chess::default(), "♘f3", language).expect("a figurine");
        assert_eq!(read.mv.to(), Square::F3);
        let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert!(read_in(&position(black), "1... ♞f6", language).is_ok());
    }
}

/// Moves of real and of random games, each with the position before it.
fn moves(count: usize) -> Vec<(Chess, Move)> {
    let mut found = Vec::new();
    let files = [
        include_str!("../data/kasparov-deep-blue-1997.pgn"),
        include_str!("../data/anastasian-lewis.pgn"),
    ];
    for game in files.iter().flat_map(|file| read_games(file).expect("a PGN")) {
        for section in game.sections {
            let mut pos = section.start;
            for mv in section.moves {
                found.push((pos.clone(), mv));
                pos.play_unchecked(mv);
            }
        }
    }
    for seed in 1.. {
        if found.len() >= count {
            break;
        }
        let (mut pos, moves) = random_game(seed, 200);
        for mv in moves {
            found.push((pos.clone(), mv));
            pos.play_unchecked(mv);
        }
    }
    found.truncate(count);
    found
}

fn all_come_back(count: usize) {
    for (pos, mv) in moves(count) {
        for language in SEVEN {
            let letters = Letters::of(language);
            for form in [MoveNotation::Short, MoveNotation::Fide] {
                let text = write(&pos, mv, form, &letters);
                let read = read_in(&pos, &text, language).map(|read| read.mv);
                assert_eq!(
                    read,
                    Ok(mv),
                    "{text} in {language}: {}",
                    Fen::from_position(&pos, shakmaty::EnPassantMode::Legal)
                );
                let sheet = read_sheet(&pos, &text, language).moves();
                assert_eq!(sheet, [mv], "{text} in {language}, as a sheet");
            }
        }
    }
}

#[test]
fn moves_of_real_games_typed_in_each_language_come_back() {
    all_come_back(1_500);
}

#[test]
fn twenty_thousand_moves_typed_in_each_language_come_back() {
    all_come_back(20_000);
}

/// In capitals, in parts and with a full stop a move is itself, or it is asked about.
#[test]
fn no_way_of_typing_makes_another_move_of_one() {
    let (mut itself, mut asked) = (0, 0);
    for (pos, mv) in moves(1500) {
        for letters in SEVEN {
            let in_force = InForce { letters, packs: Vec::new() };
            let own = Letters::of(letters);
            for form in [MoveNotation::Short, MoveNotation::Long] {
                let written = write(&pos, mv, form, &own);
                if in_force.read(&pos, &written).map(|read| read.mv) != Ok(mv) {
                    continue;
                }
                let parts: String = written.chars().flat_map(|c| [c, ' ']).collect();
                for typed in [written.to_uppercase(), parts, format!("{written}.")] {
                    match in_force.read_typed(&pos, &typed) {
                        Ok(read) => {
                            assert_eq!(read.mv, mv, "'{typed}' for {written} in {letters}");
                            itself += 1;
                        }
                        Err(_) => asked += 1,
                    }
                }
            }
        }
    }
    assert!(itself > 5 * asked, "{itself} taken, {asked} asked about");
}
