//! The heads of tables of pairings, in the words of the programs and languages that write them.

/// What a column of a table holds. `Name` and those behind it stand once for White and then for
/// Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Column {
    Board,
    White,
    Black,
    TimeControl,
    WhitePrompts,
    BlackPrompts,
    Result,
    WhiteTitle,
    BlackTitle,
    WhiteRating,
    BlackRating,
    WhiteFideId,
    BlackFideId,
    WhiteTeam,
    BlackTeam,
}

use Column::*;

/// The column and its heads: ours first.
const HEADS: [(Column, &[&str]); 15] = [
    (
        Board,
        &[
            "board",
            "bo.",
            "bo",
            "table",
            "brett",
            "br.",
            "tisch",
            "échiquier",
            "echiquier",
            "éch.",
            "ech",
            "table n°",
            "tablero",
            "mesa",
            "szachownica",
            "stół",
            "deska",
            "доска",
            "стол",
            "lenta",
            "#",
        ],
    ),
    (
        White,
        &[
            "white",
            "weiß",
            "weiss",
            "blancs",
            "blanc",
            "blancas",
            "blanco",
            "białe",
            "biale",
            "белые",
            "baltieji",
            "bianco",
            "wit",
        ],
    ),
    (
        Black,
        &[
            "black",
            "schwarz",
            "noirs",
            "noir",
            "negras",
            "negro",
            "czarne",
            "чёрные",
            "черные",
            "juodieji",
            "nero",
            "zwart",
        ],
    ),
    (
        TimeControl,
        &[
            "time_control",
            "time control",
            "bedenkzeit",
            "cadence",
            "ritmo",
            "контроль времени",
            "tempo",
        ],
    ),
    (WhitePrompts, &["white_prompts"]),
    (BlackPrompts, &["black_prompts"]),
    (
        Result,
        &[
            "result",
            "res.",
            "res",
            "ergebnis",
            "erg.",
            "résultat",
            "resultat",
            "resultado",
            "wynik",
            "результат",
            "rezultatas",
        ],
    ),
    (WhiteTitle, &["white_title", "white title", "wtitle"]),
    (BlackTitle, &["black_title", "black title", "btitle"]),
    (WhiteRating, &["white_rating", "white rating", "white elo", "wrating", "welo"]),
    (BlackRating, &["black_rating", "black rating", "black elo", "brating", "belo"]),
    (WhiteFideId, &["white_fide_id", "white fide id", "whitefideid", "wfideid"]),
    (BlackFideId, &["black_fide_id", "black fide id", "blackfideid", "bfideid"]),
    (WhiteTeam, &["white_team", "white team"]),
    (BlackTeam, &["black_team", "black team"]),
];

/// Heads that stand twice, White's first.
const TWICE: [(Column, Column, &[&str]); 5] = [
    (White, Black, &["name", "player", "spieler", "nom", "nombre", "imię", "имя", "vardas"]),
    (WhiteTitle, BlackTitle, &["title", "titel", "titre", "título", "tit."]),
    (WhiteRating, BlackRating, &["rating", "rtg", "elo", "twz", "dwz"]),
    (WhiteFideId, BlackFideId, &["fide-id", "fide id", "fideid", "id"]),
    (WhiteTeam, BlackTeam, &["team", "mannschaft", "équipe", "equipo", "verein", "club"]),
];

/// The columns of a header; `None` for one that is passed over.
pub(super) fn columns(header: &[String]) -> Vec<Option<Column>> {
    let mut found: Vec<Option<Column>> = Vec::new();
    for head in header {
        let head = head.trim().to_lowercase();
        let once = HEADS.iter().find(|(_, heads)| heads.contains(&head.as_str()));
        let twice = TWICE.iter().find(|(.., heads)| heads.contains(&head.as_str()));
        let column = match (once, twice) {
            (Some((column, _)), _) => Some(*column),
            (None, Some((white, black, _))) => {
                Some(if found.contains(&Some(*white)) { *black } else { *white })
            }
            (None, None) => None,
        };
        found.push(column.filter(|column| !found.contains(&Some(*column))));
    }
    found
}

/// Words that stand in the place of a player who has no opponent.
pub(super) fn is_nobody(name: &str) -> bool {
    const NOBODY: [&str; 13] = [
        "bye",
        "spielfrei",
        "freilos",
        "frei",
        "not paired",
        "nicht ausgelost",
        "exempt",
        "descanso",
        "libre",
        "pauza",
        "выходной",
        "-",
        "---",
    ];
    let name = name.trim().to_lowercase();
    name.is_empty() || NOBODY.contains(&name.as_str())
}
