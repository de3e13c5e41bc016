//! What a partner says besides, in the language of the player's prompts.

/// Something that he says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remark {
    /// The engine has ended and is started again.
    EngineDied,
    /// It has not answered and is started again.
    EngineHung,
    /// It wanted what the Laws forbid, and is asked again.
    EngineCheated,
    /// It gives no move, again and again.
    EngineFails,
    /// A puzzle is solved.
    Solved,
    /// The move is no part of a puzzle's solution.
    NoSolution,
}

const LANGUAGES: [&str; 7] = ["de", "en", "es", "fr", "lt", "pl", "ru"];

impl Remark {
    /// In the order of [`LANGUAGES`].
    const fn sentences(self) -> [&'static str; 7] {
        match self {
            Remark::EngineDied => [
                "Mein Schachprogramm ist abgestürzt. Ich starte es neu.",
                "My chess engine has crashed. I am starting it again.",
                "Mi programa de ajedrez ha fallado. Lo inicio de nuevo.",
                "Mon programme d'échecs s'est arrêté. Je le relance.",
                "Mano šachmatų programa nulūžo. Paleidžiu ją iš naujo.",
                "Mój program szachowy przestał działać. Uruchamiam go ponownie.",
                "Моя шахматная программа аварийно завершилась. Запускаю её снова.",
            ],
            Remark::EngineHung => [
                "Mein Schachprogramm antwortet nicht. Ich starte es neu.",
                "My chess engine does not answer. I am starting it again.",
                "Mi programa de ajedrez no responde. Lo inicio de nuevo.",
                "Mon programme d'échecs ne répond pas. Je le relance.",
                "Mano šachmatų programa neatsako. Paleidžiu ją iš naujo.",
                "Mój program szachowy nie odpowiada. Uruchamiam go ponownie.",
                "Моя шахматная программа не отвечает. Запускаю её снова.",
            ],
            Remark::EngineCheated => [
                "Mein Schachprogramm wollte einen unmöglichen Zug. Ich frage es noch einmal.",
                "My chess engine wanted an impossible move. I am asking it again.",
                "Mi programa de ajedrez quería una jugada imposible. Le pregunto otra vez.",
                "Mon programme d'échecs voulait un coup impossible. Je lui redemande.",
                "Mano šachmatų programa norėjo neįmanomo ėjimo. Klausiu jos dar kartą.",
                "Mój program szachowy chciał wykonać niemożliwe posunięcie. Pytam go jeszcze raz.",
                "Моя шахматная программа хотела сделать невозможный ход. Спрашиваю её ещё раз.",
            ],
            Remark::EngineFails => [
                "Mein Schachprogramm findet keinen Zug. Ich versuche es weiter, und die Partie bleibt, wie sie ist.",
                "My chess engine finds no move. I keep trying, and the game stays as it is.",
                "Mi programa de ajedrez no encuentra ninguna jugada. Sigo intentándolo, y la partida queda como está.",
                "Mon programme d'échecs ne trouve pas de coup. Je continue d'essayer, et la partie reste en l'état.",
                "Mano šachmatų programa neranda ėjimo. Bandau toliau, o partija lieka kaip buvusi.",
                "Mój program szachowy nie znajduje posunięcia. Próbuję dalej, a partia pozostaje bez zmian.",
                "Моя шахматная программа не находит хода. Я пробую дальше, партия остаётся как есть.",
            ],
            Remark::Solved => [
                "Richtig, das ist die Lösung.",
                "Right, that is the solution.",
                "Correcto, esa es la solución.",
                "Juste, c'est la solution.",
                "Teisingai, tai sprendimas.",
                "Dobrze, to jest rozwiązanie.",
                "Верно, это решение.",
            ],
            Remark::NoSolution => [
                "Das ist nicht die Lösung. Sag: Zug zurück.",
                "That is not the solution. Say: take back.",
                "Esa no es la solución. Di: retirar la jugada.",
                "Ce n'est pas la solution. Dis: reprendre le coup.",
                "Tai ne sprendimas. Sakykite: atsiimti ėjimą.",
                "To nie jest rozwiązanie. Powiedz: cofnij ruch.",
                "Это не решение. Скажите: взять ход назад.",
            ],
        }
    }

    /// In this language; English where there are no words for it.
    pub fn text(self, language: &str) -> &'static str {
        self.sentences()[place(language)]
    }
}

/// What a level is called: "Stufe 3".
pub fn level(language: &str, number: u8) -> String {
    let words = ["Stufe", "level", "nivel", "niveau", "lygis", "poziom", "уровень"];
    format!("{} {number}", words[place(language)])
}

/// What a puzzle is called: "Rätsel 00sHx".
pub fn puzzle(language: &str, name: &str) -> String {
    let words = ["Rätsel", "puzzle", "problema", "problème", "uždavinys", "zadanie", "задача"];
    format!("{} {name}", words[place(language)]).trim_end().to_owned()
}

/// Where a language stands in [`LANGUAGES`]; English for one that is none of them.
pub(crate) fn place(language: &str) -> usize {
    LANGUAGES.iter().position(|known| *known == language).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Remark; 6] = [
        Remark::EngineDied,
        Remark::EngineHung,
        Remark::EngineCheated,
        Remark::EngineFails,
        Remark::Solved,
        Remark::NoSolution,
    ];

    #[test]
    fn what_is_to_be_said_after_a_wrong_move_is_understood() {
        for language in LANGUAGES {
            let words =
                annabella_words::phrase::Words::builtin(language, language).expect("built in");
            let text = Remark::NoSolution.text(language).to_lowercase();
            let said = text.rsplit(": ").next().expect("a phrase").trim_end_matches('.').to_owned();
            let understood =
                annabella_words::phrase::understand(&words, &shakmaty::Chess::default(), &said);
            let take_back = annabella_words::phrase::Command::TakeBack;
            assert_eq!(
                understood,
                annabella_words::phrase::Understood::Command(take_back),
                "{said}"
            );
        }
    }

    #[test]
    fn everything_is_said_in_seven_languages_and_no_two_sentences_are_the_same() {
        let all = |language: &str| ALL.map(|remark| remark.text(language));
        let mut sentences: Vec<&str> = LANGUAGES.into_iter().flat_map(all).collect();
        assert!(sentences.iter().all(|sentence| sentence.ends_with('.')));
        let count = sentences.len();
        sentences.sort_unstable();
        sentences.dedup();
        assert_eq!(sentences.len(), count);
        assert_eq!(all("my/pack.toml"), all("en"));
    }
}
