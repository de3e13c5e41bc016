//! Language packs: taken whole or refused with everything that is wrong; two languages at once.

use annabella_words::phrase::{
    Pack, PackError, Prompt, Slot, SlotKind, SpokenForm, Utterance, Words, normal_words, pack,
};
use shakmaty::{Chess, Color, File, Move, Piece, Rank, Role, Square, uci::UciMove};

fn knight() -> (Chess, Move) {
    let uci: UciMove = "g1f3".parse().expect("UCI");
    let pos = Chess::default();
    let mv = uci.to_move(&pos).expect("legal move");
    (pos, mv)
}

const PIECES: [(Square, Piece); 2] = [
    (Square::C1, Piece { color: Color::White, role: Role::Bishop }),
    (Square::H8, Piece { color: Color::Black, role: Role::Rook }),
];

fn sample<'a>(kind: SlotKind, pos: &'a Chess, moves: &'a [Move]) -> Slot<'a> {
    match kind {
        SlotKind::Move => Slot::Move { pos, mv: moves[0], form: SpokenForm::Full },
        SlotKind::Moves => Slot::Moves { pos, moves },
        SlotKind::Square => Slot::Square(Square::C4),
        SlotKind::File => Slot::File(File::H),
        SlotKind::Rank => Slot::Rank(Rank::Second),
        SlotKind::Squares => Slot::Squares(&[Square::A1, Square::H8]),
        SlotKind::Piece => Slot::ColoredPiece(Piece { color: Color::White, role: Role::Knight }),
        SlotKind::Pieces => Slot::Pieces(&PIECES),
        SlotKind::Player => Slot::Player(Color::Black),
        SlotKind::Number => Slot::Number(22),
        SlotKind::Duration => Slot::Duration(3_723_000),
        SlotKind::Text => Slot::Text("Mor"),
    }
}

fn render(words: &Words, prompt: Prompt) -> Utterance {
    let (pos, mv) = knight();
    let moves = [mv];
    let slots: Vec<Slot<'_>> = match prompt {
        // What somebody says ends as he ends it.
        Prompt::OpponentSays | Prompt::ProgramSays => vec![Slot::Text("Gut gespielt.")],
        _ => prompt.slots().iter().map(|(_, kind)| sample(*kind, &pos, &moves)).collect(),
    };
    words.prompt(prompt, &slots)
}

#[test]
fn every_prompt_is_words_in_every_pair_of_languages() {
    for moves in pack::builtin_names() {
        for prompts in pack::builtin_names() {
            let words = Words::builtin(moves, prompts).expect("packs that go together");
            for prompt in Prompt::ALL {
                let said = render(&words, *prompt);
                let text = said.to_string();
                assert!(!text.contains(['{', '}']), "{prompts} {prompt:?}: {text}");
                assert!(!text.chars().any(char::is_numeric), "{prompts} {prompt:?}: {text}");
                // Whom it is for stands before what he hears.
                let end: &[char] = if *prompt == Prompt::ToPlayer { &[':'] } else { &['.', '?'] };
                assert!(text.ends_with(end), "{prompts} {prompt:?}: {text}");
                assert!(!text.contains("  ") && !text.contains(" ."), "{prompts}: {text}");
                for pair in said.parts.windows(2) {
                    assert_ne!(pair[0].lang, pair[1].lang, "{prompts} {prompt:?}: {text}");
                }
                for part in &said.parts {
                    assert!(!normal_words(&part.text).is_empty(), "{prompts} {prompt:?}: {text}");
                    assert_eq!(part.text.trim(), part.text);
                }
            }
        }
    }
}

fn parts(words: &Words, prompt: Prompt, slots: &[Slot<'_>]) -> Vec<(String, String)> {
    words.prompt(prompt, slots).parts.into_iter().map(|part| (part.lang, part.text)).collect()
}

fn pair(lang: &str, text: &str) -> (String, String) {
    (lang.to_owned(), text.to_owned())
}

#[test]
fn a_russian_player_hears_fides_names_inside_russian_prompts() {
    let words = Words::builtin("fide", "ru").expect("built-in packs");
    let (pos, mv) = knight();
    assert_eq!(
        parts(&words, Prompt::Take, &[Slot::Piece(Role::Knight), Slot::Square(Square::G1)]),
        [pair("ru", "Снимите коня с"), pair("de", "Gustav eins.")]
    );
    assert_eq!(
        parts(
            &words,
            Prompt::WhichMove,
            &[
                Slot::Move { pos: &pos, mv, form: SpokenForm::Full },
                Slot::Move { pos: &pos, mv, form: SpokenForm::Short },
            ]
        ),
        [
            pair("de", "Springer Gustav eins Felix drei"),
            pair("ru", "или"),
            pair("de", "Springer Felix drei?"),
        ]
    );
    assert_eq!(
        parts(
            &words,
            Prompt::SquareHolds,
            &[
                Slot::Square(Square::C4),
                Slot::ColoredPiece(Piece { color: Color::Black, role: Role::Rook }),
            ]
        ),
        [pair("de", "Cesar vier:"), pair("ru", "чёрная ладья.")]
    );
    let spanish = Words::builtin("fide", "es").expect("built-in packs");
    let slot = Slot::Move { pos: &pos, mv, form: SpokenForm::Short };
    assert_eq!(
        parts(&spanish, Prompt::ConfirmMove, &[slot]),
        [pair("de", "¿Springer Felix drei?")]
    );
    let said = words.prompt(Prompt::SquareEmpty, &[Slot::Square(Square::C4)]);
    assert_eq!(said.parts[0].sound(), "Zäsar vier:");
}

fn say(lang: &str, prompt: Prompt, slots: &[Slot<'_>]) -> String {
    Words::builtin(lang, lang).expect("built-in packs").prompt(prompt, slots).to_string()
}

#[test]
fn a_move_in_each_language() {
    let (pos, mv) = knight();
    for (lang, said) in [
        ("de", "Springer Gustav eins Felix drei"),
        ("en", "Knight Gustav one Felix three"),
        ("ru", "Конь Густав один Феликс три"),
        ("fr", "Cavalier Gustave un Félix trois"),
        ("es", "Caballo Gustavo uno Félix tres"),
        ("pl", "Skoczek Gustaw jeden Feliks trzy"),
        ("lt", "Žirgas Gustavas vienas Feliksas trys"),
    ] {
        let words = Words::builtin(lang, lang).expect("built-in packs");
        assert_eq!(words.announce(&pos, mv, SpokenForm::Full).to_string(), said);
    }
}

#[test]
fn times_agree_with_their_numbers_in_each_language() {
    let times =
        [Slot::Duration(9 * 60_000 + 12_000), Slot::Duration(3_600_000 + 22 * 60_000 + 59_000)];
    for (lang, said) in [
        ("de", "Du: neun Minuten zwölf. Gegner: eine Stunde zweiundzwanzig Minuten."),
        ("en", "You: nine minutes twelve. Opponent: one hour twenty two minutes."),
        ("ru", "Вы: девять минут двенадцать секунд. Соперник: один час двадцать две минуты."),
        ("fr", "Toi: neuf minutes douze. Adversaire: une heure vingt-deux minutes."),
        ("es", "Tú: nueve minutos doce segundos. Rival: una hora veintidós minutos."),
        (
            "pl",
            "Ty: dziewięć minut dwanaście sekund. Przeciwnik: jedna godzina dwadzieścia dwie minuty.",
        ),
        (
            "lt",
            "Jūs: devynios minutės dvylika sekundžių. Varžovas: viena valanda dvidešimt dvi minutės.",
        ),
    ] {
        assert_eq!(say(lang, Prompt::BothTimes, &times), said);
    }
}

#[test]
fn time_used_is_told_apart_from_time_left_in_each_language() {
    let times = [Slot::Duration(41 * 60_000), Slot::Duration(3_600_000)];
    for (lang, mine, theirs, both) in [
        (
            "de",
            "Du hast verbraucht: einundvierzig Minuten.",
            "Dein Gegner hat verbraucht: eine Stunde.",
            "Verbraucht. Du: einundvierzig Minuten. Gegner: eine Stunde.",
        ),
        (
            "en",
            "You have used: forty one minutes.",
            "Your opponent has used: one hour.",
            "Used. You: forty one minutes. Opponent: one hour.",
        ),
        (
            "ru",
            "Вы израсходовали: сорок одна минута.",
            "Соперник израсходовал: один час.",
            "Израсходовано. Вы: сорок одна минута. Соперник: один час.",
        ),
        (
            "fr",
            "Tu as utilisé: quarante et une minutes.",
            "Ton adversaire a utilisé: une heure.",
            "Temps utilisé. Toi: quarante et une minutes. Adversaire: une heure.",
        ),
        (
            "es",
            "Has usado: cuarenta y un minutos.",
            "Tu rival ha usado: una hora.",
            "Tiempo usado. Tú: cuarenta y un minutos. Rival: una hora.",
        ),
        (
            "pl",
            "Twój zużyty czas: czterdzieści jeden minut.",
            "Zużyty czas przeciwnika: jedna godzina.",
            "Zużyty czas. Ty: czterdzieści jeden minut. Przeciwnik: jedna godzina.",
        ),
        (
            "lt",
            "Jūs sunaudojote: keturiasdešimt viena minutė.",
            "Varžovas sunaudojo: viena valanda.",
            "Sunaudota. Jūs: keturiasdešimt viena minutė. Varžovas: viena valanda.",
        ),
    ] {
        assert_eq!(say(lang, Prompt::YourTimeUsed, &times[..1]), mine);
        assert_eq!(say(lang, Prompt::OpponentTimeUsed, &times[1..]), theirs);
        assert_eq!(say(lang, Prompt::BothTimesUsed, &times), both);
    }
}

#[test]
fn moves_are_counted_in_each_language() {
    let counted = |lang, n| say(lang, Prompt::MovesMade, &[Slot::Number(n)]);
    assert_eq!(counted("de", 101), "Hunderteins Züge.");
    assert_eq!(counted("es", 101), "Ciento una jugadas.");
    assert_eq!(counted("en", 1), "One move.");
    assert_eq!(counted("en", 145), "One hundred and forty five moves.");
    assert_eq!(counted("ru", 1), "Один ход.");
    assert_eq!(counted("ru", 3), "Три хода.");
    assert_eq!(counted("ru", 11), "Одиннадцать ходов.");
    assert_eq!(counted("ru", 121), "Сто двадцать один ход.");
    assert_eq!(counted("fr", 0), "Zéro coup.");
    assert_eq!(counted("fr", 80), "Quatre-vingts coups.");
    assert_eq!(counted("fr", 200), "Deux cents coups.");
    assert_eq!(counted("fr", 201), "Deux cent un coups.");
    assert_eq!(counted("es", 21), "Veintiuna jugadas.");
    assert_eq!(counted("es", 100), "Cien jugadas.");
    assert_eq!(counted("es", 140), "Ciento cuarenta jugadas.");
    assert_eq!(counted("pl", 22), "Dwadzieścia dwa ruchy.");
    assert_eq!(counted("pl", 12), "Dwanaście ruchów.");
    assert_eq!(counted("pl", 31), "Trzydzieści jeden ruchów.");
    assert_eq!(counted("lt", 21), "Dvidešimt vienas ėjimas.");
    assert_eq!(counted("lt", 5), "Penki ėjimai.");
    assert_eq!(counted("lt", 40), "Keturiasdešimt ėjimų.");
    assert_eq!(counted("de", 1024), "Eins null zwei vier Züge.");
}

#[test]
fn captured_pieces_agree_with_their_numbers() {
    let white = |role| Piece { color: Color::White, role };
    let taken = [white(Role::Pawn), white(Role::Pawn), white(Role::Rook), white(Role::Rook)];
    for (lang, said) in [
        ("en", "White is missing: two rooks, two pawns."),
        ("ru", "Потери белых: две ладьи, две пешки."),
        ("pl", "Straty białych: dwie wieże, dwa piony."),
        ("lt", "Baltųjų netektys: du bokštai, du pėstininkai."),
        ("fr", "Il manque aux Blancs: deux tours, deux pions."),
        ("es", "Pérdidas de las blancas: dos torres, dos peones."),
    ] {
        assert_eq!(say(lang, Prompt::Captured, &[Slot::Counted(&taken)]), said);
    }
}

fn problems(toml: &str) -> String {
    match Pack::parse(toml) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("the pack should have been refused"),
    }
}

fn german() -> &'static str {
    pack::builtin("de").expect("built-in pack")
}

#[test]
fn an_unfinished_pack_is_refused_with_all_that_is_missing() {
    let toml = german()
        .replace("d = { text = \"David\", hear = [\"Dawid\", \"Dora\"] }\n", "")
        .replace("stalemate = \"Patt. Remis.\"\n", "")
        .replace("louder = [\"lauter\"]\n", "");
    assert_eq!(
        problems(&toml),
        "language pack 'de' is unfinished, add or correct: moves.files.d is missing; \
         prompts.stalemate is missing; commands.louder is missing"
    );
    let error = Pack::parse("").expect_err("empty");
    let PackError::Unfinished { code, problems } = error else {
        panic!("empty is TOML");
    };
    assert_eq!(code, "?");
    assert!(problems.len() > Prompt::ALL.len() + 60, "{}", problems.len());
}

#[test]
fn an_unknown_key_names_the_nearest() {
    let toml = german().replace("stalemate = \"Patt.", "stalmate = \"Patt.");
    assert_eq!(
        problems(&toml),
        "language pack 'de' is unfinished, add or correct: prompts.stalemate is missing; \
         prompts.stalmate is unknown, did you mean prompts.stalemate?"
    );
}

#[test]
fn placeholders_are_exactly_those_of_the_prompt() {
    for (from, to, why) in [
        (
            "von {square}.\"\ntake-unknown",
            "von {sqare}.\"\ntake-unknown",
            "prompts.take: {sqare} is unknown here, did you mean {square}?; prompts.take: lacks {square}",
        ),
        (
            "confirm-move = \"{move}?\"",
            "confirm-move = \"?\"",
            "prompts.confirm-move: lacks {move}",
        ),
        (
            "confirm-move = \"{move}?\"",
            "confirm-move = \"{move?\"",
            "prompts.confirm-move: has an unmatched brace",
        ),
        (
            "whose-move = \"{player}",
            "whose-move = \"{player.object}",
            "prompts.whose-move: {player.object}: 'player' has no form 'object'",
        ),
        ("Tote Stellung", "5.2.2", "prompts.dead-position: has digits, write words"),
        (
            "c = { text = \"Cesar\"",
            "c = { text = \"c3\"",
            "moves.files.c.text: has digits, write words",
        ),
        ("\"Linie {file}\"", "\"Linie\"", "commands.on-file: 'Linie' lacks {file}"),
    ] {
        let told = problems(&german().replace(from, to));
        assert!(told.contains(why), "{told}");
    }
}

#[test]
fn a_phrase_means_one_thing() {
    for (from, to, why) in [
        ("faster = [\"schneller\"]", "faster = [\"Lauter!\"]", "'Lauter!' is also louder"),
        ("faster = [\"schneller\"]", "faster = [\"ja\"]", "'ja' is also yes"),
        ("faster = [\"schneller\"]", "faster = [\"eins\"]", "'eins' could be an answer or a move"),
        ("\"Linie {file}\"", "\"auf {file}\"", "'auf Anna' could be an answer or a move"),
        ("6 = \"sechs\"", "6 = { text = \"sechs\", hear = [\"zwo\"] }", "moves: 'zwo' is both"),
    ] {
        let told = problems(&german().replace(from, to));
        assert!(told.contains(why), "{told}");
    }
}

#[test]
fn what_is_no_pack_is_refused_in_one_line() {
    assert!(problems("= nonsense").starts_with("it is no valid TOML, correct it: line 1: "));
    assert_eq!(
        Pack::builtin("xx").expect_err("no such pack").to_string(),
        "no language pack 'xx', use one of: fide, de, en, ru, fr, es, pl, lt"
    );
    let plural = problems(&german().replace("plural = \"one\"", "plural = \"two\""));
    assert!(plural.contains("numbers.plural: is none of one, zero-one, east-slavic"), "{plural}");
}

#[test]
fn a_pack_with_any_line_lost_is_refused_or_whole() {
    let lines: Vec<&str> = german().lines().collect();
    let mut refused = 0;
    for lost in (0..lines.len()).step_by(3) {
        let rest = [&lines[..lost], &lines[lost + 1..]].concat().join("\n");
        refused += usize::from(Pack::parse(&rest).is_err());
    }
    assert!(refused > lines.len() / 5, "{refused}");
}

#[test]
fn two_packs_must_go_together() {
    let toml = german().replace("louder = [\"lauter\"]", "louder = [\"knight to eva four\"]");
    let error = Words::from_toml(pack::builtin("en").expect("built-in pack"), &toml)
        .expect_err("a command that is a move");
    assert!(error.to_string().contains("'knight to eva four'"), "{error}");
}

#[test]
fn every_pack_names_its_voices() {
    for name in pack::builtin_names() {
        let pack = Pack::builtin(name).expect("built-in pack");
        assert!(!pack.language().is_empty() && !pack.espeak().is_empty());
        assert!(!pack.speech_dispatcher().is_empty());
        for n in 0..=999 {
            assert!(!pack.number(n).is_empty() && !pack.number(n).chars().any(char::is_numeric));
        }
    }
}

#[test]
fn spellings_of_other_models_are_optional_and_tried_after_the_packs_own() {
    let words = Words::builtin("fide", "de").expect("built-in packs");
    let spellings = words.spellings();
    assert_eq!(spellings["hector"], ["hector", "hektor", "heinrich", "헥토르"]);
    let (before, _) = german().split_once("[spellings]").expect("a section, the last one");
    let pack = Pack::parse(before).expect("the section may be left out");
    let words = Words::new(pack.clone(), pack).expect("one pack");
    assert_eq!(words.spellings()["hector"], ["hector", "hektor", "heinrich"]);
}

#[test]
fn spellings_that_are_no_lists_are_refused_by_name() {
    for wrong in ["\"헥토르\"", "[1]", "[\"\"]", "{ ko = \"헥토르\" }"] {
        let toml = german().replace("Hector = [\"헥토르\"]", &format!("Hector = {wrong}"));
        assert_eq!(
            problems(&toml),
            "language pack 'de' is unfinished, add or correct: spellings.Hector: is not a list of spellings",
            "{wrong}"
        );
    }
}

#[test]
fn a_pack_is_the_same_whatever_ends_its_lines() {
    let text = pack::builtin("fr").expect("built in");
    let wanted = Pack::parse(text).expect("right");
    for end in ["\r", "\r\n"] {
        assert_eq!(Pack::parse(&text.replace('\n', end)).as_ref(), Ok(&wanted), "{end:?}");
    }
}

/// "Abgebrochen" is said of an adjourned game, "annulé" sounds like "nulle", and
/// "atšaukta" is said of a move that is taken back.
#[test]
fn the_answer_to_no_is_said_of_nothing_else() {
    for (pack, answer) in [
        ("de", "Gut, dann nicht."),
        ("en", "Cancelled."),
        ("es", "Cancelado."),
        ("fr", "Bien, alors non."),
        ("lt", "Gerai, tada ne."),
        ("pl", "Anulowano."),
        ("ru", "Отменено."),
    ] {
        let words = Words::builtin(pack, pack).expect("built in");
        let said = |prompt| words.prompt(prompt, &[]).to_string();
        assert_eq!(said(Prompt::Cancelled), answer);
        for other in [Prompt::StillAdjourned, Prompt::TakenBack, Prompt::DrawAgreed, Prompt::Drawn]
        {
            let other = normal_words(&said(other));
            let shared = normal_words(answer).into_iter().find(|word| other.contains(word));
            assert_eq!(shared, None, "{pack}: {other:?}");
        }
    }
}
