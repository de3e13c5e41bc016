//! Moves as people type them: what is plainly one is taken, what may be one is asked about.

use annabella_core::game::{GameConfig, HandsKnown, HandsOf};
use annabella_words::phrase::{Command, hear::Confusions, pack};
use shakmaty::Color::{Black, White};

use super::table::{Table, packs};

fn config() -> GameConfig {
    let hands = HandsOf { white: HandsKnown::Announced, ..HandsOf::default() };
    GameConfig { hands, ..GameConfig::default() }
}

/// White's hands are known by his word.
fn table() -> Table {
    let mut table = Table::new(config());
    table.start_clock();
    table.heard();
    table
}

/// What the first line of a game comes to: the move made, or what is said.
fn first(typed: &str) -> Vec<String> {
    let mut table = table();
    table.says(White, typed);
    let lines = table.heard();
    lines.into_iter().filter(|line| line.starts_with("made") || line.contains("ear:")).collect()
}

#[test]
fn a_move_is_taken_as_people_type_it() {
    for (typed, made) in [
        ("E4", "made e4"),
        ("SF3", "made Nf3"),
        ("Sg1-F3", "made Nf3"),
        ("SG1-F3", "made Nf3"),
        ("Sf3.", "made Nf3"),
        ("e4.", "made e4"),
        ("e2 e4", "made e4"),
        ("e 2 e 4", "made e4"),
        ("E2 E4", "made e4"),
        ("S g1 f3", "made Nf3"),
        ("1 . e4", "made e4"),
        ("Pferd f3", "made Nf3"),
        ("Pferd Felix drei", "made Nf3"),
        ("ich spiele Springer f3", "made Nf3"),
        ("ich spiele Sf3", "made Nf3"),
        ("mein Zug ist e4", "made e4"),
        ("Mein Zug: e 2 e 4.", "made e4"),
    ] {
        assert_eq!(first(typed), [made], "{typed}");
    }
}

#[test]
fn letters_that_name_a_piece_in_the_players_own_language_make_no_pawns_move() {
    let italian = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    for (typed, asked) in [
        ("Bc4", "Bauer Cesar zwei Cesar vier, or Läufer Felix eins Cesar vier?"),
        ("Bd3", "Bauer David zwei David drei, or Läufer Felix eins David drei?"),
    ] {
        let start = Some(italian.to_owned());
        let packs = vec![packs()[0].clone(), include_str!("../../../voices/en.toml").to_owned()];
        let config = GameConfig { start, ..config() };
        let mut table = Table::told_in(config, Confusions::default(), packs);
        table.start_clock();
        table.heard();
        table.says(White, typed);
        assert_eq!(table.heard(), [format!("ear: {asked}")], "{typed}");
        assert!(table.sans().is_empty());
        table.says(White, "Läufer");
        assert_eq!(table.sans(), [typed]);
    }
    // In German letters, prompted in German, it is a pawn's move as ever.
    let start = Some(italian.to_owned());
    let mut table = Table::new(GameConfig { start, ..config() });
    table.start_clock();
    table.says(White, "Bc4");
    assert_eq!(table.sans(), ["c4"]);
}

#[test]
fn what_may_be_a_move_is_asked_about_and_not_made() {
    for typed in
        ["Nf3", "Ng1-f3", "NF3", "Spinger f3", "Springr Felix drei", "ich spiele Spinger f3"]
    {
        let mut table = table();
        table.says(White, typed);
        assert_eq!(table.heard(), ["ear: Springer Gustav eins Felix drei?"], "{typed}");
        table.says(White, "nein");
        assert!(!table.heard().iter().any(|line| line.starts_with("made")), "{typed}");
        table.says(White, typed);
        table.says(White, "ja");
        assert!(table.heard().contains(&"made Nf3".to_owned()), "{typed}");
    }
}

/// A capital D is the queen's letter or a file: what only one of them can be is asked about.
#[test]
fn a_capital_that_can_be_read_in_two_ways_is_asked_about() {
    for (fen, asked) in [
        ("4k3/8/8/8/2p5/3P4/8/4K2Q w - - 0 1", "ear: Bauer David drei schlägt Cesar vier?"),
        (
            "4k3/8/8/8/2p5/3P4/8/2Q1K3 w - - 0 1",
            "ear: Dame Cesar eins schlägt Cesar vier oder Bauer David drei schlägt Cesar vier?",
        ),
    ] {
        let mut table = Table::at(fen, config());
        table.start_clock();
        table.heard();
        table.says(White, "DC4");
        assert_eq!(table.heard(), [asked]);
    }
}

#[test]
fn an_illegal_move_in_notation_is_named_as_one_in_words_is() {
    for (typed, named) in [
        ("Se5", "Springer Eva fünf"),
        ("SE5", "Springer Eva fünf"),
        ("Springer e5", "Springer Eva fünf"),
        ("e5", "Bauer Eva fünf"),
        ("e2-e5", "Bauer Eva zwei Eva fünf"),
        ("e2 e5", "Bauer Eva zwei Eva fünf"),
        ("e5-e6", "Eva fünf Eva sechs"),
        ("O-O", "Kurze Rochade"),
        ("0-0-0", "Lange Rochade"),
        ("Lc4.", "Läufer Cesar vier"),
        ("mein Zug ist Se5", "Springer Eva fünf"),
        ("Korrektur Se5", "Springer Eva fünf"),
    ] {
        assert_eq!(first(typed), [format!("ear: Nicht möglich: {named}.")], "{typed}");
    }
    for noise in
        ["e9", "Sz3", "Regenschirm", "ich spiele Klavier", "ich spiele gern", "mein Zug fährt"]
    {
        assert_eq!(first(noise), ["ear: Bitte?"], "{noise}");
    }
}

/// After 1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. d3 Nf6 5. Nc3 d5, White to move.
pub(super) const MIDDLE: &str =
    "r1bqk2r/ppp2ppp/2n2n2/2bpp3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 6";
/// Pawns that take each other, and both can castle to both sides.
const CASTLING: &str = "r3k2r/8/8/3p1p2/4P3/8/8/R3K2R w KQkq - 0 1";

/// What is typed in this position and language comes to: the moves made and what is said.
pub(super) fn at_in(fen: &str, language: &str, lines: &[&str]) -> Vec<String> {
    let text = pack::builtin(language).expect("a pack").to_owned();
    let config = GameConfig { start: Some(fen.to_owned()), ..config() };
    let mut table = Table::told_in(config, Confusions::default(), vec![text.clone(), text]);
    table.start_clock();
    for line in lines {
        table.heard();
        table.says(White, line);
    }
    let lines = table.heard();
    lines.into_iter().filter(|line| line.starts_with("made") || line.contains("ear:")).collect()
}

/// Each of these makes this move, and only this.
pub(super) fn makes(fen: &str, cases: &[(&str, &str, &[&str])]) {
    for (language, made, typed) in cases {
        for typed in *typed {
            assert_eq!(
                at_in(fen, language, &[typed]),
                [format!("made {made}")],
                "{language}: {typed}"
            );
        }
    }
}

#[test]
fn hesitation_and_politeness_are_passed_over_in_every_language() {
    makes(
        MIDDLE,
        &[
            (
                "de",
                "Bg5",
                &[
                    "Läufer g5 bitte",
                    "äh Läufer g5",
                    "also gut, Läufer g5",
                    "Läufer äh g5",
                    "jetzt Lg5",
                    "Lg5, bitte",
                    "Läufer Läufer g5",
                    "Läufer g5 Läufer g5",
                    "ich spiele äh Läufer g5",
                    "Läufer Gustav fünf danke",
                ],
            ),
            (
                "en",
                "Bg5",
                &[
                    "bishop g5 please",
                    "um, bishop g5",
                    "well bishop g5",
                    "bishop bishop g5",
                    "okay Bg5",
                ],
            ),
            ("fr", "Bg5", &["euh fou g5", "fou g5 s'il te plaît", "bon, fou g5", "fou fou g5"]),
            (
                "es",
                "Bg5",
                &["alfil g5 por favor", "pues alfil g5", "bueno, alfil g5", "alfil alfil g5"],
            ),
            ("lt", "Bg5", &["rikis g5 prašau", "na rikis g5", "rikis rikis g5"]),
            ("pl", "Bg5", &["goniec g5 proszę", "no goniec g5", "goniec goniec g5"]),
            ("ru", "Bg5", &["слон g5 пожалуйста", "ну слон g5", "слон слон g5"]),
        ],
    );
}

#[test]
fn what_says_more_than_a_move_is_no_move() {
    for (language, typed) in [
        ("de", "nicht Läufer g5"),
        ("de", "soll ich Läufer g5 spielen"),
        ("de", "geht Läufer g5"),
        ("de", "ich möchte nicht Läufer g5 spielen"),
        ("de", "Läufer bitte nicht g5"),
        ("de", "wenn Läufer g5"),
        ("en", "not bishop g5"),
        ("en", "should I play bishop g5"),
        ("en", "knight on d5"),
        ("es", "torre a a d1 o no"),
    ] {
        let heard = at_in(MIDDLE, language, &[typed]);
        assert!(!heard.iter().any(|line| line.starts_with("made")), "{typed}: {heard:?}");
    }
    // A file that is named twice is not said twice.
    let rooks = "r3k3/8/8/8/8/8/8/R2K1R2 w - - 0 1";
    assert!(!at_in(rooks, "es", &["torre a a c1"]).contains(&"made Rfc1".to_owned()));
}

#[test]
fn a_capture_is_typed_as_people_say_it() {
    makes(
        MIDDLE,
        &[
            (
                "de",
                "Nxd5",
                &[
                    "Springer mal d5",
                    "Springer schlägt Bauer d5",
                    "Springer schlägt den Bauern auf d5",
                    "Springer schlägt Bauer auf David fünf",
                    "Springer nimmt Bauer d5 bitte",
                ],
            ),
            (
                "de",
                "exd5",
                &[
                    "e mal d5",
                    "e schlägt d",
                    "Eva schlägt David",
                    "Bauer e schlägt d",
                    "e mal d",
                    "Bauer schlägt Bauer d5",
                ],
            ),
            (
                "en",
                "Nxd5",
                &[
                    "knight takes on d5",
                    "knight captures on d5",
                    "knight takes pawn on d5",
                    "knight takes the pawn on d5",
                    "knight takes pawn d5",
                ],
            ),
            ("en", "exd5", &["e takes d", "e takes pawn on d5"]),
        ],
    );
    let passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    makes(
        passing,
        &[(
            "de",
            "exd6",
            &[
                "Bauer Eva schlägt David en passant",
                "e schlägt d",
                "Bauer e5 schlägt d6 e.p.",
                "e schlägt Bauer d6",
            ],
        )],
    );
}

#[test]
fn a_capture_is_typed_as_people_say_it_in_other_languages() {
    makes(
        MIDDLE,
        &[
            (
                "fr",
                "Nxd5",
                &[
                    "cavalier prend en d5",
                    "cavalier prend le pion d5",
                    "cavalier prend pion en d5",
                    "cavalier prend le pion en d5",
                ],
            ),
            (
                "es",
                "Nxd5",
                &[
                    "caballo toma en d5",
                    "caballo captura el peón en d5",
                    "caballo toma peón d5",
                    "caballo come peón de d5",
                ],
            ),
            ("lt", "Nxd5", &["žirgas kerta pėstininką d5", "žirgas kerta pėstininką ant d5"]),
            ("pl", "Nxd5", &["skoczek bije piona na d5", "skoczek bije piona d5"]),
            ("ru", "Nxd5", &["конь берёт на d5", "конь берёт пешку d5", "конь бьёт пешку на d5"]),
        ],
    );
}

#[test]
fn what_is_not_taken_so_is_not_possible() {
    for (typed, named) in [
        ("Springer schlägt Turm d5", "Springer schlägt Turm David fünf"),
        ("Springer schlägt Bauer e2", "Springer schlägt Bauer Eva zwei"),
        ("a schlägt b", "Anna schlägt Bella"),
    ] {
        assert_eq!(at_in(MIDDLE, "de", &[typed]), [format!("ear: Nicht möglich: {named}.")]);
    }
    let heard = at_in(CASTLING, "de", &["e schlägt d"]);
    assert_eq!(heard, ["made exd5"]);
    let two = "4k3/8/3p4/3pP3/4P3/8/8/4K3 w - - 0 1";
    let heard = at_in(two, "de", &["e schlägt d"]);
    assert_eq!(
        heard,
        ["ear: Bauer Eva vier schlägt David fünf oder Bauer Eva fünf schlägt David sechs?"]
    );
}

#[test]
fn castling_without_a_side_is_the_one_that_is_possible() {
    let words: [(&str, &[&str]); 7] = [
        ("de", &["Rochade", "ich rochiere", "ich möchte rochieren", "rochieren bitte"]),
        ("en", &["castle", "castles", "I castle"]),
        ("fr", &["roque", "je roque"]),
        ("es", &["enroque", "me enroco"]),
        ("lt", &["rokiruotė", "rokiruoju"]),
        ("pl", &["roszada", "robię roszadę"]),
        ("ru", &["рокировка", "делаю рокировку"]),
    ];
    for (language, typed) in words {
        makes(MIDDLE, &[(language, "O-O", typed)]);
        for typed in typed {
            let both = at_in(CASTLING, language, &[typed]);
            assert!(both.len() == 1 && both[0].ends_with('?'), "{language}: {typed}: {both:?}");
        }
        let none = at_in("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", language, &typed[..1]);
        assert!(none.len() == 1 && !none[0].starts_with("made"), "{language}: {none:?}");
    }
    makes(
        CASTLING,
        &[
            ("de", "O-O", &["ich rochiere kurz", "kurz rochieren", "ich möchte kurz rochieren"]),
            ("de", "O-O-O", &["ich rochiere lang"]),
            (
                "en",
                "O-O",
                &[
                    "castle short",
                    "short castle",
                    "castle king side",
                    "kingside castle",
                    "king side castle",
                ],
            ),
            ("en", "O-O-O", &["castle long", "queen side castle", "I castle queenside"]),
            ("fr", "O-O", &["je roque court"]),
            ("es", "O-O-O", &["me enroco largo"]),
            ("lt", "O-O", &["rokiruoju trumpai"]),
            ("pl", "O-O", &["krótko roszuję"]),
            ("ru", "O-O", &["рокируюсь коротко"]),
        ],
    );
}

#[test]
fn a_move_is_told_with_a_verb() {
    makes(
        MIDDLE,
        &[
            (
                "de",
                "Bg5",
                &[
                    "Läufer geht nach g5",
                    "ich ziehe den Läufer nach g5",
                    "ich möchte Läufer g5 spielen",
                    "ich ziehe den Läufer c1-g5",
                    "ich möchte Lg5 spielen",
                ],
            ),
            (
                "en",
                "Bg5",
                &[
                    "I'll play bishop g5",
                    "move bishop to g5",
                    "bishop goes to g5",
                    "I'd like to play Bg5",
                ],
            ),
            ("fr", "Bg5", &["fou va en g5", "je joue le fou en g5"]),
            ("es", "Bg5", &["el alfil va a g5", "muevo el alfil a g5"]),
            ("lt", "Bg5", &["rikis eina į g5"]),
            ("pl", "Bg5", &["goniec idzie na g5", "zagram gońcem na g5"]),
            ("ru", "Bg5", &["слон идёт на g5", "я хожу слоном на g5"]),
        ],
    );
    makes(
        "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        &[("de", "a8=Q+", &["a8 wird eine Dame"]), ("en", "a8=Q+", &["a8 promote to a queen"])],
    );
}

#[test]
fn a_correction_is_made_in_ones_own_words() {
    for (language, typed) in [
        (
            "de",
            &[
                "nein, ich meinte Läufer e3",
                "nein, Läufer e3",
                "falsch, Läufer e3",
                "ich meinte Le3",
                "Entschuldigung, Läufer e3",
                "ich korrigiere Läufer e3",
                "ich korrigiere mich, Läufer e3",
                "das war falsch, Läufer e3",
                "nein, äh, Läufer e3 bitte",
            ][..],
        ),
        (
            "en",
            &[
                "no, I meant bishop e3",
                "no, bishop e3",
                "sorry, bishop e3",
                "I meant Be3",
                "wrong, bishop e3",
            ],
        ),
        ("fr", &["non, fou e3", "pardon, fou e3", "je voulais dire fou e3"]),
        ("es", &["no, alfil e3", "perdón, alfil e3", "quería decir alfil e3"]),
        ("lt", &["ne, rikis e3", "atsiprašau, rikis e3"]),
        ("pl", &["nie, goniec e3", "przepraszam, goniec e3", "miałem na myśli goniec e3"]),
        ("ru", &["нет, слон e3", "извините, слон e3", "я имел в виду слон e3"]),
    ] {
        let bishop = pack::Pack::builtin(language).expect("a pack");
        let bishop = format!("{} g5", bishop.piece(shakmaty::Role::Bishop).text);
        for typed in typed {
            let heard = at_in(MIDDLE, language, &[&bishop, typed]);
            let made: Vec<&String> = heard.iter().filter(|line| line.starts_with("made")).collect();
            assert_eq!(made, ["made Be3"], "{language}: {typed}: {heard:?}");
        }
    }
}

/// "No" is also "not" in some languages: without a mark behind it the move is asked about.
#[test]
fn nein_without_a_mark_is_asked_about() {
    for (language, first, typed) in [
        ("de", "Läufer g5", "nein Läufer e3"),
        ("es", "alfil g5", "no alfil e3"),
        ("es", "alfil g5", "no quiero alfil e3"),
        ("pl", "goniec g5", "nie goniec e3"),
    ] {
        let heard = at_in(MIDDLE, language, &[first, typed]);
        assert!(heard.len() == 1 && heard[0].ends_with('?'), "{language}: {typed}: {heard:?}");
    }
    assert_eq!(at_in(MIDDLE, "de", &["Läufer g5", "nein Läufer e3", "ja"]), ["made Be3"]);
    let heard = at_in(MIDDLE, "es", &["tablas", "no alfil g5"]);
    assert!(!heard.iter().any(|line| line.starts_with("made")), "{heard:?}");
}

#[test]
fn files_are_typed_by_their_letters_names_and_in_the_letters_of_the_keyboard() {
    makes(
        MIDDLE,
        &[
            ("de", "h3", &["ha drei"]),
            ("de", "Nxd5", &["Springer de fünf"]),
            ("en", "h3", &["aitch three"]),
            ("fr", "a3", &["a trois"]),
            ("fr", "h3", &["hache trois"]),
            ("es", "a3", &["a tres"]),
            ("es", "h3", &["hache tres"]),
            ("es", "a4", &["peón a a cuatro"]),
            ("ru", "Nxd5", &["конь д5"]),
            ("ru", "Bg5", &["слон ж5", "слон г5"]),
            ("ru", "Rb1", &["ладья б1"]),
            ("ru", "h3", &["аш три"]),
        ],
    );
    let rooks = "r3k3/8/8/8/8/8/4K2P/R4R2 w - - 0 1";
    makes(
        rooks,
        &[
            ("es", "Rad1", &["torre a a d1", "torre de a a d1"]),
            ("de", "Rad1", &["Turm ad1", "Turm a1d1"]),
        ],
    );
}

#[test]
fn without_anything_to_correct_the_move_is_asked_about() {
    for typed in ["nein, Läufer e3", "ich meinte Läufer e3"] {
        let mut table = Table::at(MIDDLE, config());
        table.start_clock();
        table.says(White, "a3");
        table.press(White);
        table.says(Black, "a6");
        table.press(Black);
        table.heard();
        table.says(White, typed);
        assert_eq!(table.spoken(), ["ear: Läufer Cesar eins Eva drei?"], "{typed}");
    }
    // Said of a piece that stands there, it is no move.
    assert_eq!(at_in(MIDDLE, "de", &["Läufer g5", "ich korrigiere Springer d5"]), ["ear: Bitte?"]);
}

#[test]
fn nein_and_a_move_answers_what_was_asked_first() {
    let heard = at_in(MIDDLE, "de", &["Remis", "nein, Läufer g5"]);
    assert_eq!(heard, ["ear: Gut, dann nicht.", "made Bg5"]);
    let heard = at_in(MIDDLE, "de", &["Läfer g5", "nein, Läufer e3"]);
    assert_eq!(heard, ["made Be3"]);
    assert_eq!(at_in(MIDDLE, "de", &["Remis", "nein nein"]), ["ear: Gut, dann nicht."]);
    assert_eq!(at_in(MIDDLE, "de", &["Remis", "äh nein"]), ["ear: Gut, dann nicht."]);
    assert_eq!(at_in(MIDDLE, "de", &["Remis", "doch nicht"]), ["ear: Gut, dann nicht."]);
}

#[test]
fn whoever_names_the_arbiter_is_asked_whether_he_calls_him() {
    for (language, typed) in [
        (
            "de",
            &[
                "ich hätte da mal eine Frage an den Schiedsrichter",
                "Schidsrichter",
                "wo ist denn der Schiri",
                "Schiri",
                "bitte Schiedsrichter",
                "ich brauche einen Schiedsrichter",
            ][..],
        ),
        (
            "en",
            &[
                "where on earth is the arbiter",
                "somebody fetch a referee",
                "I need an arbiter",
                "referee",
            ],
        ),
        ("fr", &["il me faut un arbitre", "l'arbitre", "je voudrais l'arbitre"]),
        ("es", &["dónde está el árbitro", "quiero al árbitro"]),
        ("lt", &["kur yra teisėjas", "noriu teisėjo", "pakvieskite teisėją"]),
        ("pl", &["gdzie jest sędzia", "chcę sędziego"]),
        ("ru", &["где же судья", "судью", "позовите арбитра"]),
    ] {
        for typed in typed {
            let asked = at_in(MIDDLE, language, &[typed]);
            assert!(asked.len() == 1 && asked[0].ends_with('?'), "{language}: {typed}: {asked:?}");
            let words = pack::Pack::builtin(language).expect("a pack");
            let name = words.first_phrase(Command::CallArbiter).expect("a phrase");
            assert!(
                asked[0].to_lowercase().contains(&name.to_lowercase()),
                "{language}: {typed}: {asked:?}"
            );
        }
    }
    let asked = at_in(MIDDLE, "de", &["Remis", "erst soll der Schiedsrichter kommen"]);
    assert_eq!(asked, ["ear: Schiedsrichter?"]);
}

#[test]
fn a_claim_is_typed_with_its_move_in_notation_and_by_its_usual_names() {
    let fifty = "4k3/8/8/8/8/8/R7/4K3 w - - 99 80";
    let asked = at_in(fifty, "de", &["fünfzig Züge mit Turm a3"]);
    assert!(asked.len() == 1 && asked[0].contains("Turm Anna"), "{asked:?}");
    for typed in [
        "fünfzig Züge mit Ta3",
        "50 Züge mit Ta3",
        "50-Züge-Regel mit a2a3",
        "Remis durch fünfzig Züge mit Ta2-a3",
        "50 Züge mit Turm a3",
    ] {
        assert_eq!(at_in(fifty, "de", &[typed]), asked, "{typed}");
    }
    let asked = at_in(fifty, "en", &["claim fifty moves with rook a3"]);
    for typed in ["claim fifty moves with Ra3", "50 moves with Ra3", "fifty moves with Ra3"] {
        assert_eq!(at_in(fifty, "en", &[typed]), asked, "{typed}");
    }
    for (language, plain, others) in [
        (
            "de",
            "Stellungswiederholung",
            &[
                "dreimalige Stellungswiederholung",
                "dreifache Stellungswiederholung",
                "Stellungswiederholung bitte",
            ][..],
        ),
        ("de", "fünfzig Züge", &["50 Züge", "50-Züge-Regel", "50 Züge Regel"]),
        ("en", "threefold repetition", &["threefold"]),
        ("en", "fifty move rule", &["50 moves", "fifty moves", "50 move rule"]),
        ("fr", "cinquante coups", &["50 coups"]),
        ("es", "cincuenta jugadas", &["50 jugadas"]),
        ("lt", "penkiasdešimt ėjimų", &["50 ėjimų"]),
        ("pl", "pięćdziesiąt ruchów", &["50 ruchów", "reguła 50 ruchów"]),
        ("ru", "пятьдесят ходов", &["50 ходов", "правило 50 ходов"]),
    ] {
        let asked = at_in(fifty, language, &[plain]);
        assert_eq!(asked.len(), 1, "{language}: {asked:?}");
        for typed in others {
            assert_eq!(at_in(fifty, language, &[typed]), asked, "{language}: {typed}");
        }
    }
    assert_eq!(at_in(MIDDLE, "de", &["Stellungswiederholung mit Sz9"]), ["ear: Bitte?"]);
}

#[test]
fn moves_are_typed_as_people_end_and_castle_them() {
    let castles = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let takes = "3r3k/4P3/8/8/8/8/8/7K w - - 0 1";
    for (fen, typed, san) in [
        (castles, "null null", "O-O"),
        (castles, "Null Null Null", "O-O-O"),
        (castles, "Turm von h1 auf h8 mit Schach", "Rh8+"),
        (takes, "Bauer schlägt auf d8 und wird eine Dame", "exd8=Q+"),
        (takes, "Bauer auf e8 und wird ein Turm", "e8=R+"),
    ] {
        let mut table = Table::at(fen, config());
        table.start_clock();
        table.says(White, typed);
        let sans = table.sans();
        assert_eq!(sans, [san], "{typed}: {:#?}", table.heard());
    }
}

#[test]
fn a_correction_after_the_press_is_the_arbiters_d_2_8() {
    for typed in
        ["Moment, ich meinte d4", "Entschuldigung, ich meinte d4", "ich habe mich verdrückt"]
    {
        let mut table = table();
        table.script(&format!("w\"e4\" w! w\"{typed}\""));
        let heard = table.heard();
        assert!(heard.iter().any(|line| line.contains("Zu spät.")), "{typed}: {heard:#?}");
    }
}

#[test]
fn the_promoted_piece_named_once_more_is_no_other_players_move_d_2_8() {
    let mut table = Table::at("3r3k/4P3/8/8/8/8/8/7K w - - 0 1", config());
    table.start_clock();
    table.script("w\"Bauer e7 e8 wird Dame\"");
    table.heard();
    table.script("w\"Dame\" \"Dame\"");
    assert_eq!(table.heard(), [""; 0]);
    table.script("w\"Turm\" w\"ja\" w!");
    assert_eq!(table.sans(), ["e8=R+"], "{:#?}", table.heard());
}

#[test]
fn what_only_the_arbiter_judges_is_asked_for_and_no_question_guessed_from_words_of_a_move() {
    for (typed, asked) in [
        ("berührt geführt", "ear: Schiedsrichter?"),
        ("das war kein gültiger Zug", "ear: Schiedsrichter?"),
        ("ich habe verloren", "ear: Wirklich aufgeben?"),
        ("matt", "ear: Bitte?"),
    ] {
        let mut table = table();
        table.says(White, typed);
        assert_eq!(table.spoken(), [asked], "{typed}");
    }
}
