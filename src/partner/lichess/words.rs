//! What is told of the table far away, in the language of the player's prompts.

use crate::far::told::{Told, said};

/// In the order of the languages of [`crate::words`].
const SENTENCES: [(Told, [&str; 7]); 14] = [
    (
        Told::Lost,
        [
            "Keine Verbindung zu Lichess. Ich versuche es weiter, deine Uhr läuft dort.",
            "No connection to Lichess. I keep trying, and your clock runs there.",
            "Sin conexión con Lichess. Sigo intentándolo, y tu reloj corre allí.",
            "Pas de connexion à Lichess. Je continue d'essayer, et ta pendule y tourne.",
            "Nėra ryšio su Lichess. Bandau toliau, o tavo laikrodis ten eina.",
            "Brak połączenia z Lichess. Próbuję dalej, a twój zegar tam chodzi.",
            "Нет связи с Lichess. Я пробую дальше, твои часы там идут.",
        ],
    ),
    (
        Told::Back,
        [
            "Die Verbindung zu Lichess ist wieder da.",
            "The connection to Lichess is back.",
            "Ha vuelto la conexión con Lichess.",
            "La connexion à Lichess est rétablie.",
            "Ryšys su Lichess atkurtas.",
            "Połączenie z Lichess wróciło.",
            "Связь с Lichess восстановлена.",
        ],
    ),
    (
        Told::Busy,
        [
            "Lichess bittet um eine Minute Pause. Danach geht es weiter.",
            "Lichess asks for a minute's pause. Then it goes on.",
            "Lichess pide una pausa de un minuto. Después se sigue.",
            "Lichess demande une minute de pause. Ensuite on continue.",
            "Lichess prašo minutės pertraukos. Paskui tęsiame.",
            "Lichess prosi o minutę przerwy. Potem gramy dalej.",
            "Lichess просит минуту паузы. Потом продолжим.",
        ],
    ),
    (
        Told::TokenGone,
        [
            "Lichess nimmt deinen Schlüssel nicht mehr an. Diese Partie geht hier nicht weiter.",
            "Lichess does not take your token any more. This game does not go on here.",
            "Lichess ya no acepta tu clave. Esta partida no sigue aquí.",
            "Lichess n'accepte plus ta clé. Cette partie ne continue pas ici.",
            "Lichess nebepriima tavo rakto. Ši partija čia nebetęsiama.",
            "Lichess nie przyjmuje już twojego klucza. Ta partia nie toczy się tu dalej.",
            "Lichess больше не принимает твой ключ. Эта партия здесь не продолжается.",
        ],
    ),
    (
        Told::OpponentGone,
        [
            "Dein Gegner hat die Verbindung verloren.",
            "Your opponent has lost the connection.",
            "Tu rival ha perdido la conexión.",
            "Ton adversaire a perdu la connexion.",
            "Varžovas prarado ryšį.",
            "Przeciwnik stracił połączenie.",
            "Соперник потерял связь.",
        ],
    ),
    (
        Told::OpponentBack,
        [
            "Dein Gegner ist wieder da.",
            "Your opponent is back.",
            "Tu rival ha vuelto.",
            "Ton adversaire est revenu.",
            "Varžovas grįžo.",
            "Przeciwnik wrócił.",
            "Соперник вернулся.",
        ],
    ),
    (
        Told::Claims,
        [
            "Dein Gegner kommt nicht zurück. Ich beantrage das Ergebnis.",
            "Your opponent does not come back. I am claiming the result.",
            "Tu rival no vuelve. Reclamo el resultado.",
            "Ton adversaire ne revient pas. Je réclame le résultat.",
            "Varžovas negrįžta. Reikalauju rezultato.",
            "Przeciwnik nie wraca. Wnoszę o wynik.",
            "Соперник не возвращается. Я требую результат.",
        ],
    ),
    (
        Told::TakebackRefused,
        [
            "Dein Gegner wollte einen Zug zurücknehmen. Ich habe abgelehnt.",
            "Your opponent wanted to take a move back. I have declined.",
            "Tu rival quería rehacer una jugada. Lo he rechazado.",
            "Ton adversaire voulait reprendre un coup. J'ai refusé.",
            "Varžovas norėjo atsiimti ėjimą. Aš atsisakiau.",
            "Przeciwnik chciał cofnąć posunięcie. Odmówiłem.",
            "Соперник хотел взять ход назад. Я отказал.",
        ],
    ),
    (
        Told::MoveRefused,
        [
            "Lichess nimmt deinen Zug nicht an. Ich versuche es weiter.",
            "Lichess does not take your move. I keep trying.",
            "Lichess no acepta tu jugada. Sigo intentándolo.",
            "Lichess n'accepte pas ton coup. Je continue d'essayer.",
            "Lichess nepriima tavo ėjimo. Bandau toliau.",
            "Lichess nie przyjmuje twojego posunięcia. Próbuję dalej.",
            "Lichess не принимает твой ход. Я пробую дальше.",
        ],
    ),
    (
        Told::Differs,
        [
            "Auf Lichess steht die Partie anders als hier. Beende sie dort.",
            "On Lichess the game stands otherwise than here. Finish it there.",
            "En Lichess la partida está de otra forma que aquí. Termínala allí.",
            "Sur Lichess, la partie est différente d'ici. Termine-la là-bas.",
            "Lichess partija yra kitokia nei čia. Užbaik ją ten.",
            "Na Lichess partia stoi inaczej niż tutaj. Dokończ ją tam.",
            "На Lichess партия стоит иначе, чем здесь. Закончи её там.",
        ],
    ),
    (
        Told::Aborted,
        [
            "Die Partie wurde abgebrochen, bevor sie begann.",
            "The game was called off before it began.",
            "La partida se canceló antes de empezar.",
            "La partie a été annulée avant de commencer.",
            "Partija nutraukta jai neprasidėjus.",
            "Partię przerwano, zanim się zaczęła.",
            "Партия прервана, не начавшись.",
        ],
    ),
    (
        Told::Left,
        [
            "Dein Gegner hat die Partie verlassen.",
            "Your opponent has left the game.",
            "Tu rival ha abandonado la mesa.",
            "Ton adversaire a quitté la partie.",
            "Varžovas paliko partiją.",
            "Przeciwnik opuścił partię.",
            "Соперник покинул партию.",
        ],
    ),
    (
        Told::NoHelp,
        [
            "Auf Lichess ist Hilfe verboten.",
            "On Lichess help is forbidden.",
            "En Lichess está prohibida la ayuda.",
            "Sur Lichess, toute aide est interdite.",
            "Lichess pagalba draudžiama.",
            "Na Lichess pomoc jest zabroniona.",
            "На Lichess помощь запрещена.",
        ],
    ),
    (
        Told::DrawOpen,
        [
            "Auf Lichess ist die Partie noch nicht remis. Dein Gegner muss zustimmen.",
            "On Lichess the game is not drawn yet. Your opponent has to agree.",
            "En Lichess la partida aún no es tablas. Tu rival tiene que aceptar.",
            "Sur Lichess, la partie n'est pas encore nulle. Ton adversaire doit accepter.",
            "Lichess partija dar ne lygiosios. Varžovas turi sutikti.",
            "Na Lichess partia nie jest jeszcze remisowa. Przeciwnik musi się zgodzić.",
            "На Lichess партия ещё не ничья. Соперник должен согласиться.",
        ],
    ),
];

/// In this language; English where there are no words for it.
pub fn sentence(told: Told, language: &str) -> &'static str {
    said(&SENTENCES, told, language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_told_in_seven_languages_and_no_two_sentences_are_the_same() {
        let mut sentences: Vec<&str> = SENTENCES.iter().flat_map(|(_, row)| *row).collect();
        assert!(sentences.iter().all(|sentence| sentence.ends_with('.')));
        let mut told = SENTENCES.map(|(told, _)| format!("{told:?}")).to_vec();
        told.dedup();
        assert_eq!(told.len(), SENTENCES.len());
        let count = sentences.len();
        sentences.sort_unstable();
        sentences.dedup();
        assert_eq!(sentences.len(), count);
        assert_eq!(sentence(Told::Back, "de"), "Die Verbindung zu Lichess ist wieder da.");
        assert_eq!(sentence(Told::Back, "my/pack.toml"), sentence(Told::Back, "en"));
    }
}
