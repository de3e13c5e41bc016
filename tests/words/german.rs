//! The German sentences, exactly as a blind player hears them (FIDE D.2.1).

use annabella_words::phrase::{Prompt, Slot, SpokenForm, Understood, Words, understand};
use shakmaty::{Chess, Color, Move, Piece, Role, Square, uci::UciMove};

use crate::positions::position;

fn words() -> Words {
    Words::builtin("fide", "de").expect("built-in packs")
}

fn mv(pos: &Chess, uci: &str) -> Move {
    let uci: UciMove = uci.parse().expect("UCI");
    uci.to_move(pos).expect("legal move")
}

fn say(fen: &str, uci: &str, form: SpokenForm) -> String {
    let pos = position(fen);
    words().announce(&pos, mv(&pos, uci), form).to_string()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn a_move_is_announced_in_the_names_of_the_laws() {
    use SpokenForm::{Full, Short};
    assert_eq!(say(START, "g1f3", Full), "Springer Gustav eins Felix drei");
    assert_eq!(say(START, "g1f3", Short), "Springer Felix drei");
    assert_eq!(say(START, "e2e4", Full), "Bauer Eva zwei Eva vier");
    assert_eq!(say(START, "e2e4", Short), "Eva vier");
    assert_eq!(say(START, "c2c4", Full), "Bauer Cesar zwei Cesar vier");
    assert_eq!(say(START, "h2h3", Short), "Hector drei");
}

#[test]
fn a_capture_says_so() {
    let fen = "rnbqkbnr/ppp1pppp/8/3p4/4P3/2N5/PPPP1PPP/R1BQKBNR w KQkq - 0 3";
    assert_eq!(say(fen, "e4d5", SpokenForm::Full), "Bauer Eva vier schlägt David fünf");
    assert_eq!(say(fen, "e4d5", SpokenForm::Short), "Eva schlägt David fünf");
    assert_eq!(say(fen, "c3d5", SpokenForm::Full), "Springer Cesar drei schlägt David fünf");
    assert_eq!(say(fen, "c3d5", SpokenForm::Short), "Springer schlägt David fünf");
}

#[test]
fn castling_promotion_and_en_passant() {
    let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(say(castles, "e1g1", SpokenForm::Full), "Kurze Rochade");
    assert_eq!(say(castles, "e1c1", SpokenForm::Short), "Lange Rochade");
    let promotes = "3n3k/4P3/8/8/8/8/8/K7 w - - 0 1";
    assert_eq!(
        say(promotes, "e7e8q", SpokenForm::Full),
        "Bauer Eva sieben Eva acht wird Dame, Schach"
    );
    assert_eq!(say(promotes, "e7d8n", SpokenForm::Short), "Eva schlägt David acht wird Springer");
    let passing = "7k/8/8/3pP3/8/8/8/K7 w - d6 0 1";
    assert_eq!(
        say(passing, "e5d6", SpokenForm::Full),
        "Bauer Eva fünf schlägt David sechs en passant"
    );
}

#[test]
fn check_and_mate_come_last() {
    let fools = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2";
    assert_eq!(say(fools, "d8h4", SpokenForm::Full), "Dame David acht Hector vier, matt");
    let check = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
    assert_eq!(say(check, "a1a8", SpokenForm::Short), "Turm Anna acht, Schach");
    assert_eq!(
        say("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", SpokenForm::Full),
        "Kurze Rochade, Schach"
    );
}

#[test]
fn the_origin_is_said_when_the_short_form_would_be_ambiguous() {
    let file = "4k3/8/8/8/8/8/1N3N2/4K3 w - - 0 1";
    assert_eq!(say(file, "b2d3", SpokenForm::Short), "Springer Bella David drei");
    let same_file = "R7/8/8/7k/8/8/8/R3K3 w - - 0 1";
    assert_eq!(say(same_file, "a1a4", SpokenForm::Short), "Turm Anna eins Anna vier");
    assert_eq!(say(same_file, "a1b1", SpokenForm::Short), "Turm Bella eins");
}

#[test]
fn the_engine_reads_cesar_and_hector_as_they_are_spoken() {
    let pos = Chess::default();
    let utterance = words().announce(&pos, mv(&pos, "c2c4"), SpokenForm::Full);
    assert_eq!(utterance.parts.len(), 1);
    assert_eq!(utterance.parts[0].lang, "de");
    assert_eq!(utterance.parts[0].sound(), "Bauer Zäsar zwei Zäsar vier");
    let utterance = words().announce(&pos, mv(&pos, "h2h4"), SpokenForm::Short);
    assert_eq!(utterance.parts[0].sound(), "Hektor vier");
}

fn prompt(prompt: Prompt, slots: &[Slot<'_>]) -> String {
    words().prompt(prompt, slots).to_string()
}

#[test]
fn times_are_short_and_in_words() {
    let yours = Slot::Duration(9 * 60_000 + 59_999);
    let theirs = Slot::Duration(3_600_000 + 60_000);
    assert_eq!(
        prompt(Prompt::BothTimes, &[yours, theirs]),
        "Du: neun Minuten neunundfünfzig. Gegner: eine Stunde eine Minute."
    );
    // From ten minutes on nobody needs the seconds.
    assert_eq!(
        prompt(Prompt::YourTime, &[Slot::Duration(10 * 60_000 + 59_999)]),
        "Du: zehn Minuten."
    );
    assert_eq!(
        prompt(Prompt::YourTime, &[Slot::Duration(61_000)]),
        "Du: eine Minute eine Sekunde."
    );
    assert_eq!(prompt(Prompt::YourTime, &[Slot::Duration(999)]), "Du: null Sekunden.");
    assert_eq!(prompt(Prompt::OpponentTime, &[Slot::Duration(1_000)]), "Gegner: eine Sekunde.");
    assert_eq!(
        prompt(Prompt::OpponentTime, &[Slot::Duration(2 * 3_600_000 + 5_000)]),
        "Gegner: zwei Stunden."
    );
    assert_eq!(prompt(Prompt::MovesMade, &[Slot::Number(1)]), "Ein Zug.");
    assert_eq!(
        prompt(Prompt::MovesToControl, &[Slot::Number(21)]),
        "Noch einundzwanzig Züge bis zur Zeitkontrolle."
    );
}

#[test]
fn a_board_is_corrected_one_square_at_a_time() {
    assert_eq!(
        prompt(Prompt::Take, &[Slot::Piece(Role::Knight), Slot::Square(Square::G1)]),
        "Entferne den Springer von Gustav eins."
    );
    assert_eq!(
        prompt(Prompt::TakeUnknown, &[Slot::Square(Square::C4)]),
        "Entferne die Figur von Cesar vier."
    );
    let piece = Color::Black.queen();
    assert_eq!(
        prompt(Prompt::Put, &[Slot::ColoredPiece(piece), Slot::Square(Square::D8)]),
        "Setz die schwarze Dame auf David acht."
    );
    assert_eq!(prompt(Prompt::BoardAgrees, &[]), "Brett stimmt.");
}

#[test]
fn two_different_messages_when_boards_differ() {
    let pos = Chess::default();
    let slot = Slot::Move { pos: &pos, mv: mv(&pos, "g1f3"), form: SpokenForm::Full };
    assert_eq!(
        prompt(Prompt::NotExecutedYet, &[slot]),
        "Noch nicht ausgeführt: Springer Gustav eins Felix drei."
    );
    assert_eq!(prompt(Prompt::BoardsDiffer, &[]), "Bretter weichen ab.");
}

#[test]
fn what_stands_where_is_said_in_few_words() {
    let pieces: [(Square, Piece); 3] = [
        (Square::G1, Color::White.rook()),
        (Square::G2, Color::White.pawn()),
        (Square::G7, Color::Black.pawn()),
    ];
    assert_eq!(
        prompt(Prompt::FileHolds, &[Slot::File(shakmaty::File::G), Slot::OnFile(&pieces)]),
        "Gustav. Weiß: Turm eins, Bauer zwei. Schwarz: Bauer sieben."
    );
    assert_eq!(
        prompt(Prompt::RankHolds, &[Slot::Rank(shakmaty::Rank::First), Slot::OnRank(&pieces[..1])]),
        "Reihe eins. Weiß: Turm Gustav."
    );
    let taken =
        [Color::White.pawn(), Color::White.queen(), Color::White.pawn(), Color::Black.bishop()];
    assert_eq!(
        prompt(Prompt::Captured, &[Slot::Counted(&taken)]),
        "Weiß fehlt: eine Dame, zwei Bauern. Schwarz fehlt: ein Läufer."
    );
    assert_eq!(
        prompt(
            Prompt::WherePieces,
            &[Slot::Several(Role::Rook), Slot::ByRank(&[Square::A1, Square::F1, Square::F8])]
        ),
        "Türme: Anna, Felix eins. Felix acht."
    );
    assert_eq!(
        prompt(
            Prompt::SquareHolds,
            &[Slot::Square(Square::E4), Slot::ColoredPiece(Color::White.knight())]
        ),
        "Eva vier: weißer Springer."
    );
}

#[test]
fn a_question_offers_both_moves() {
    let pos = Chess::default();
    let first = Slot::Move { pos: &pos, mv: mv(&pos, "e2e3"), form: SpokenForm::Short };
    let second = Slot::Move { pos: &pos, mv: mv(&pos, "e2e4"), form: SpokenForm::Short };
    assert_eq!(prompt(Prompt::WhichMove, &[first, second]), "Eva drei oder Eva vier?");
    assert_eq!(prompt(Prompt::ChooseByNumber, &[first, second]), "Eins: Eva drei. Zwei: Eva vier.");
}

#[test]
fn a_move_that_is_not_legal_is_read_back_as_it_was_understood() {
    let words = words();
    let Understood::Illegal(spoken) =
        understand(&words, &Chess::default(), "springer gustav eins nach caesar fuenf")
    else {
        panic!("a clear announcement");
    };
    assert_eq!(spoken.from(), Some(Square::G1));
    assert_eq!(spoken.to, Some(Square::C5));
    let read_back = words.prompt(Prompt::IllegalSpoken, &[Slot::Spoken(&spoken.text)]);
    assert_eq!(read_back.to_string(), "Nicht möglich: Springer Gustav eins nach Cesar fünf.");
    assert_eq!(read_back.parts[0].sound(), "Nicht möglich: Springer Gustav eins nach Zäsar fünf.");
}
