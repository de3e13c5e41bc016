//! What is told of the table far away. Whoever knows what lies between both tables has the
//! sentences.

use shakmaty::Color;

use crate::words::place;

/// Something that is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    Lost,
    Back,
    /// Too many questions of a server: a minute's pause.
    Busy,
    /// The token opens nothing any more.
    TokenGone,
    OpponentGone,
    OpponentBack,
    /// The win is claimed, or the draw.
    Claims,
    TakebackRefused,
    /// The server does not take the move.
    MoveRefused,
    /// Two different games.
    Differs,
    Aborted,
    /// The opponent has left for good.
    Left,
    /// No hint and no judgement.
    NoHelp,
    /// A draw that was claimed or agreed here is not one there yet.
    DrawOpen,
    /// Both tables have ended, and not with the same result.
    ResultsDiffer,
    /// Somebody has tried to pair with a wrong word.
    WordWrong,
    /// Nobody can pair any more.
    PairingOver,
    /// There is another game at the table there, or it lets nobody in from here.
    ShutOut,
}

/// A sentence in the languages of [`crate::words`], in their order.
pub type Row = (Told, [&'static str; 7]);

/// The sentence of this table in this language; English where there are no words for it.
pub fn said(table: &[Row], told: Told, language: &str) -> &'static str {
    let row = table.iter().find(|(of, _)| *of == told);
    row.map_or("", |(_, sentences)| sentences[place(language)])
}

/// What is told first: the own colour, and against whom.
pub fn begins(language: &str, own: Color, opponent: &str) -> String {
    let [white, black] = match place(language) {
        0 => [
            "Du hast Weiß, gegen {}. Die Partie läuft.",
            "Du hast Schwarz, gegen {}. Die Partie läuft.",
        ],
        2 => [
            "Tienes blancas, contra {}. La partida está en marcha.",
            "Tienes negras, contra {}. La partida está en marcha.",
        ],
        3 => [
            "Tu as les Blancs, contre {}. La partie est en cours.",
            "Tu as les Noirs, contre {}. La partie est en cours.",
        ],
        4 => [
            "Žaidi baltaisiais prieš {}. Partija vyksta.",
            "Žaidi juodaisiais prieš {}. Partija vyksta.",
        ],
        5 => [
            "Grasz białymi przeciwko {}. Partia trwa.",
            "Grasz czarnymi przeciwko {}. Partia trwa.",
        ],
        6 => [
            "У тебя белые, соперник – {}. Партия идёт.",
            "У тебя чёрные, соперник – {}. Партия идёт.",
        ],
        _ => [
            "You have White, against {}. The game is on.",
            "You have Black, against {}. The game is on.",
        ],
    };
    own.fold_wb(white, black).replace("{}", opponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_plays_whom_is_told_in_seven_languages() {
        let mut begun: Vec<String> = ["de", "en", "es", "fr", "lt", "pl", "ru"]
            .into_iter()
            .flat_map(|language| Color::ALL.map(|own| begins(language, own, "Boris")))
            .collect();
        begun.sort_unstable();
        begun.dedup();
        assert!(begun.len() == 14 && begun.iter().all(|sentence| sentence.contains("Boris")));
    }
}
