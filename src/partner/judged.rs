//! An engine's judgement in a player's words: "Du stehst etwas besser."

use crate::{uci::Judgement, words::place};

/// From so many hundredths of a pawn on somebody stands a little better, better, much better, and
/// wins.
const STEPS: [i32; 4] = [30, 100, 250, 600];

/// In the order of the languages: how it stands where nobody is better, and of the player in the
/// four steps better and the four steps worse.
const STANDS: [[&str; 9]; 7] = [
    [
        "Die Stellung ist ausgeglichen.",
        "Du stehst etwas besser.",
        "Du stehst besser.",
        "Du stehst viel besser.",
        "Du stehst auf Gewinn.",
        "Du stehst etwas schlechter.",
        "Du stehst schlechter.",
        "Du stehst viel schlechter.",
        "Du stehst auf Verlust.",
    ],
    [
        "The position is even.",
        "You stand a little better.",
        "You stand better.",
        "You stand much better.",
        "You are winning.",
        "You stand a little worse.",
        "You stand worse.",
        "You stand much worse.",
        "You are losing.",
    ],
    [
        "La posición está igualada.",
        "Estás un poco mejor.",
        "Estás mejor.",
        "Estás mucho mejor.",
        "Tu posición está ganada.",
        "Estás un poco peor.",
        "Estás peor.",
        "Estás mucho peor.",
        "Tu posición está perdida.",
    ],
    [
        "La position est égale.",
        "Tu es un peu mieux.",
        "Tu es mieux.",
        "Tu es beaucoup mieux.",
        "Ta position est gagnante.",
        "Tu es un peu moins bien.",
        "Tu es moins bien.",
        "Tu es beaucoup moins bien.",
        "Ta position est perdante.",
    ],
    [
        "Padėtis lygi.",
        "Jūsų padėtis šiek tiek geresnė.",
        "Jūsų padėtis geresnė.",
        "Jūsų padėtis daug geresnė.",
        "Jūsų padėtis laimėta.",
        "Jūsų padėtis šiek tiek blogesnė.",
        "Jūsų padėtis blogesnė.",
        "Jūsų padėtis daug blogesnė.",
        "Jūsų padėtis pralaimėta.",
    ],
    [
        "Pozycja jest równa.",
        "Stoisz trochę lepiej.",
        "Stoisz lepiej.",
        "Stoisz dużo lepiej.",
        "Masz wygraną pozycję.",
        "Stoisz trochę gorzej.",
        "Stoisz gorzej.",
        "Stoisz dużo gorzej.",
        "Masz przegraną pozycję.",
    ],
    [
        "Позиция равная.",
        "У вас немного лучше.",
        "У вас лучше.",
        "У вас намного лучше.",
        "У вас выигранная позиция.",
        "У вас немного хуже.",
        "У вас хуже.",
        "У вас намного хуже.",
        "У вас проигранная позиция.",
    ],
];

/// The player mates, or is mated, in so many moves.
const MATES: [[&str; 2]; 7] = [
    ["Du setzt matt, Züge bis dahin: {n}.", "Du wirst matt, Züge bis dahin: {n}."],
    ["You give mate, moves until then: {n}.", "You are mated, moves until then: {n}."],
    ["Das mate, jugadas hasta entonces: {n}.", "Recibes mate, jugadas hasta entonces: {n}."],
    ["Tu mates, coups d'ici là: {n}.", "Tu es maté, coups d'ici là: {n}."],
    ["Jūs matuojate, ėjimų iki tol: {n}.", "Jus matuoja, ėjimų iki tol: {n}."],
    ["Dajesz mata, ruchów do tego: {n}.", "Dostajesz mata, ruchów do tego: {n}."],
    ["Вы ставите мат, ходов до него: {n}.", "Вам ставят мат, ходов до него: {n}."],
];

/// Nobody knows: the engine does not answer.
const UNKNOWN: [&str; 7] = [
    "Mein Schachprogramm antwortet nicht.",
    "My chess engine does not answer.",
    "Mi programa de ajedrez no responde.",
    "Mon programme d'échecs ne répond pas.",
    "Mano šachmatų programa neatsako.",
    "Mój program szachowy nie odpowiada.",
    "Моя шахматная программа не отвечает.",
];

/// How the player stands, for whom this is the judgement; `None`: there is none.
pub fn stands(language: &str, judgement: Option<Judgement>) -> String {
    let place = place(language);
    match judgement {
        None => UNKNOWN[place].to_owned(),
        Some(Judgement::Mate(moves)) => {
            let [gives, takes] = MATES[place];
            let text = if moves > 0 { gives } else { takes };
            text.replace("{n}", &moves.unsigned_abs().to_string())
        }
        Some(Judgement::Centipawns(value)) => {
            let step = STEPS.iter().filter(|from| value.saturating_abs() >= **from).count();
            let worse = if value < 0 && step > 0 { STEPS.len() } else { 0 };
            STANDS[place][step + worse].to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judgement_is_said_in_words_for_the_player() {
        let says = |value: i32| stands("de", Some(Judgement::Centipawns(value)));
        assert_eq!(says(0), "Die Stellung ist ausgeglichen.");
        assert_eq!(says(-29), "Die Stellung ist ausgeglichen.");
        assert_eq!(says(30), "Du stehst etwas besser.");
        assert_eq!(says(-120), "Du stehst schlechter.");
        assert_eq!(says(i32::MAX), "Du stehst auf Gewinn.");
        assert_eq!(says(i32::MIN), "Du stehst auf Verlust.");
        let mate = |moves| stands("en", Some(Judgement::Mate(moves)));
        assert_eq!(mate(3), "You give mate, moves until then: 3.");
        assert_eq!(mate(-2), "You are mated, moves until then: 2.");
        assert_eq!(stands("fr", None), "Mon programme d'échecs ne répond pas.");
    }

    #[test]
    fn each_language_tells_all_steps_apart() {
        for stands in STANDS {
            let all: std::collections::BTreeSet<&str> = stands.into_iter().collect();
            assert_eq!(all.len(), stands.len());
            assert!(stands.iter().all(|text| text.ends_with('.')));
        }
    }
}
