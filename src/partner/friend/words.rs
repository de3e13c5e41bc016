//! What is told of a friend's table and of the line to it, in the language of the player's prompts.

use crate::{
    far::told::{Row, Told, said},
    words::place,
};

/// In the order of the languages of [`crate::words`].
const SENTENCES: [Row; 8] = [
    (
        Told::Lost,
        [
            "Keine Verbindung zu deinem Gegner. Beide Uhren stehen, ich versuche es weiter.",
            "No connection to your opponent. Both clocks stand, and I keep trying.",
            "Sin conexión con tu rival. Los dos relojes están parados, sigo intentándolo.",
            "Pas de connexion avec ton adversaire. Les deux pendules sont arrêtées, je continue d'essayer.",
            "Nėra ryšio su varžovu. Abu laikrodžiai sustabdyti, bandau toliau.",
            "Brak połączenia z przeciwnikiem. Oba zegary stoją, próbuję dalej.",
            "Нет связи с соперником. Обои часы стоят, я пробую дальше.",
        ],
    ),
    (
        Told::Back,
        [
            "Dein Gegner ist wieder da. Die Uhren gehen weiter.",
            "Your opponent is back. The clocks go on.",
            "Tu rival ha vuelto. Los relojes siguen.",
            "Ton adversaire est de retour. Les pendules repartent.",
            "Varžovas vėl čia. Laikrodžiai eina toliau.",
            "Przeciwnik znów jest. Zegary idą dalej.",
            "Соперник снова здесь. Часы идут дальше.",
        ],
    ),
    (
        Told::Differs,
        [
            "Die Partie steht bei deinem Gegner anders als hier. Beide gehen zurück zur letzten gemeinsamen Stellung.",
            "Your opponent's game stands otherwise than yours. Both go back to the last position that both have.",
            "La partida de tu rival está de otra forma que la tuya. Ambos vuelven a la última posición común.",
            "La partie de ton adversaire est différente de la tienne. Vous revenez tous deux à la dernière position commune.",
            "Varžovo partija kitokia nei tavo. Abu grįžtate į paskutinę bendrą poziciją.",
            "Partia u przeciwnika stoi inaczej niż u ciebie. Obaj wracacie do ostatniej wspólnej pozycji.",
            "У соперника партия стоит иначе, чем у тебя. Оба возвращаются к последней общей позиции.",
        ],
    ),
    (
        Told::ResultsDiffer,
        [
            "Die Partie ist an beiden Brettern zu Ende, aber nicht mit demselben Ergebnis. Einigt euch am Telefon.",
            "The game is over at both boards, but not with the same result. Settle it by telephone.",
            "La partida ha terminado en ambos tableros, pero no con el mismo resultado. Aclaradlo por teléfono.",
            "La partie est finie sur les deux échiquiers, mais pas avec le même résultat. Réglez cela par téléphone.",
            "Partija baigta prie abiejų lentų, bet ne tuo pačiu rezultatu. Susitarkite telefonu.",
            "Partia skończyła się przy obu szachownicach, ale z różnym wynikiem. Ustalcie to przez telefon.",
            "Партия закончилась на обеих досках, но с разным результатом. Договоритесь по телефону.",
        ],
    ),
    (
        Told::NoHelp,
        [
            "In einer Partie gegen einen Menschen gibt es keine Hilfe.",
            "In a game against a person there is no help.",
            "En una partida contra una persona no hay ayuda.",
            "Dans une partie contre une personne, il n'y a pas d'aide.",
            "Partijoje su žmogumi pagalbos nėra.",
            "W partii z człowiekiem nie ma pomocy.",
            "В партии с человеком помощи нет.",
        ],
    ),
    (
        Told::WordWrong,
        [
            "Jemand hat eine falsche Zahl eingegeben. War es dein Freund, lies sie ihm noch einmal vor.",
            "Somebody has typed a wrong number. If it was your friend, read it to him again.",
            "Alguien ha escrito un número equivocado. Si fue tu amigo, léeselo otra vez.",
            "Quelqu'un a tapé un mauvais nombre. Si c'était ton ami, relis-le-lui.",
            "Kažkas įvedė klaidingą skaičių. Jei tai tavo draugas, perskaityk jam dar kartą.",
            "Ktoś wpisał błędną liczbę. Jeśli to twój przyjaciel, przeczytaj mu ją jeszcze raz.",
            "Кто-то ввёл неверное число. Если это твой друг, прочитай ему ещё раз.",
        ],
    ),
    (
        Told::PairingOver,
        [
            "Diese Zahl gilt nicht mehr. Starte das Programm neu, dann bekommst du eine andere.",
            "This number is no good any more. Start the program again, and you get another one.",
            "Este número ya no vale. Inicia el programa de nuevo y tendrás otro.",
            "Ce nombre n'est plus valable. Relance le programme, tu en auras un autre.",
            "Šis skaičius nebegalioja. Paleisk programą iš naujo ir gausi kitą.",
            "Ta liczba już nie jest ważna. Uruchom program ponownie, a dostaniesz inną.",
            "Это число больше не действует. Запусти программу снова и получишь другое.",
        ],
    ),
    (
        Told::ShutOut,
        [
            "Diese Partie geht hier nicht weiter: Dein Gegner hat eine andere begonnen, oder sein Programm kennt meines nicht mehr.",
            "This game does not go on here: your opponent has begun another one, or his program does not know mine any more.",
            "Esta partida no sigue aquí: tu rival ha empezado otra, o su programa ya no conoce el mío.",
            "Cette partie ne continue pas ici: ton adversaire en a commencé une autre, ou son programme ne connaît plus le mien.",
            "Ši partija čia nebetęsiama: varžovas pradėjo kitą arba jo programa nebepažįsta manosios.",
            "Ta partia nie toczy się tu dalej: przeciwnik zaczął inną albo jego program nie zna już mojego.",
            "Эта партия здесь не продолжается: соперник начал другую, или его программа больше не знает мою.",
        ],
    ),
];

/// In this language; English where there are no words for it.
pub fn sentence(told: Told, language: &str) -> &'static str {
    said(&SENTENCES, told, language)
}

/// The number that the friend is to type, digit by digit.
pub fn number(language: &str, name: &str, digits: &str) -> String {
    let words = [
        "Ich warte auf {}. Lies diese Zahl vor: #.",
        "I am waiting for {}. Read out this number: #.",
        "Espero a {}. Lee este número: #.",
        "J'attends {}. Lis ce nombre: #.",
        "Laukiu: {}. Perskaityk šį skaičių: #.",
        "Czekam na: {}. Przeczytaj tę liczbę: #.",
        "Жду: {}. Прочитай это число: #.",
    ];
    words[place(language)].replace('#', digits).replace("{}", name)
}

/// He was paired once.
pub fn waiting(language: &str, name: &str) -> String {
    let words = [
        "Ich warte auf {}.",
        "I am waiting for {}.",
        "Espero a {}.",
        "J'attends {}.",
        "Laukiu: {}.",
        "Czekam na: {}.",
        "Жду: {}.",
    ];
    words[place(language)].replace("{}", name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_told_in_seven_languages_and_no_two_sentences_are_the_same() {
        let mut sentences: Vec<String> =
            SENTENCES.iter().flat_map(|(_, row)| *row).map(str::to_owned).collect();
        for language in ["de", "en", "es", "fr", "lt", "pl", "ru"] {
            let (number, waiting) = (number(language, "Boris", "1 2"), waiting(language, "Boris"));
            assert!(number.contains("Boris") && number.contains("1 2"), "{number}");
            sentences.extend([number, waiting]);
        }
        assert!(sentences.iter().all(|sentence| sentence.ends_with('.')));
        let count = sentences.len();
        sentences.sort_unstable();
        sentences.dedup();
        assert_eq!(sentences.len(), count);
        assert_eq!(sentence(Told::Back, "my/pack.toml"), sentence(Told::Back, "en"));
    }
}
