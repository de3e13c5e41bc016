//! What is told of a board: a line, or one of JSON.

use serde_json::json;

use annabella::service::streams::{in_own_language, noted};
use annabella_core::game::Outcome;
use annabella_hall::{
    floor::{BoardStands, Need, NeedKind},
    round::Pair,
};
use annabella_records::journal::GameId;
use annabella_words::phrase::Note;

/// What is told of a board, and written: what it needs, without how long, and how its game stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    needs: Vec<NeedKind>,
    pub(super) game: Option<GameId>,
    pub(super) result: Option<(Outcome, Note)>,
    /// Who should sit there, where others do.
    pub(super) paired: Option<String>,
    last: Option<(usize, String, bool)>,
}

/// Who should sit at a board where others do.
pub(super) fn others_sit(board: &BoardStands, pair: Option<&Pair>) -> Option<String> {
    let (game, pair) = board.game.as_ref().zip(pair)?;
    (!pair.fits(&game.white, &game.black)).then(|| format!("{} – {}", pair.white, pair.black))
}

impl Told {
    pub(super) fn of(board: &BoardStands, pair: Option<&Pair>) -> Told {
        let mut needs: Vec<NeedKind> = board.needs.iter().map(|need| need.kind.clone()).collect();
        needs.sort_by_key(|kind| format!("{kind:?}"));
        Told {
            needs,
            paired: others_sit(board, pair),
            game: board.game.as_ref().map(|game| game.game),
            result: board.game.as_ref().and_then(|game| game.result.clone()),
            last: board
                .game
                .as_ref()
                .and_then(|game| Some((game.plies, game.last.clone()?, game.completed))),
        }
    }

    /// Apart from moves.
    pub(super) fn is_as(&self, other: &Told) -> bool {
        let same = (&self.needs, &self.paired) == (&other.needs, &other.paired);
        same && (self.game, &self.result) == (other.game, &other.result)
    }
}

/// What a board needs, as one reads it.
fn need(need: &Need) -> String {
    let text = match &need.kind {
        NeedKind::Called(call) => noted(call),
        NeedKind::BoardsDiffer => in_own_language("boards differ"),
        NeedKind::Illegal(seat, illegal) => {
            let moved = illegal.moved.map_or_else(String::new, |moved| {
                format!(", {}{}-{}", moved.piece.to_ascii_uppercase(), moved.from, moved.to)
            });
            let whose = in_own_language(&format!("an illegal move of {seat}"));
            format!("{whose}{moved} ({})", illegal.article)
        }
        NeedKind::Proposal(text, article) => format!("{} ({article})", noted(text)),
        NeedKind::Lost => in_own_language("nothing is heard of it"),
        NeedKind::ClockLost => in_own_language("its clock is lost"),
        NeedKind::SightedLost => in_own_language("the sighted player's board is lost"),
        NeedKind::Unreadable(why) => in_own_language(why),
    };
    let waits = in_own_language(&format!("for {} s", need.waits_ms / 1_000));
    format!("{text}, {waits}")
}

fn needs(board: &BoardStands, told: &Told) -> Vec<String> {
    let paired = told.paired.iter();
    let paired = paired.map(|pair| in_own_language(&format!("{pair} are paired here")));
    board.needs.iter().map(need).chain(paired).collect()
}

/// `board 17: ARBITER: boards differ, for 3 s; Anna – Berta, 12... Nf6`.
pub(super) fn line(board: &BoardStands, told: &Told) -> String {
    let mut parts = Vec::new();
    let needs = needs(board, told);
    if !needs.is_empty() {
        parts.push(format!("{}: {}", in_own_language("ARBITER"), needs.join("; ")));
    }
    if let Some(game) = &board.game {
        let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
        let mut text = format!("{} – {}", name(&game.white), name(&game.black));
        if let Some(last) = &game.last {
            text += &format!(", {last}");
        }
        if let Some((result, reason)) = &game.result {
            text += &format!(", {result}: {}", noted(reason));
        }
        parts.push(text);
    }
    if parts.is_empty() {
        parts.push(in_own_language("is here"));
    }
    let board = in_own_language(&format!("board {}", board.board));
    format!("{board}: {}", parts.join("; "))
}

pub(super) fn line_json(board: &BoardStands, told: &Told) -> serde_json::Value {
    let needs = needs(board, told);
    let game = board.game.as_ref().map(|game| {
        let (white_ms, black_ms, running) = game.clock;
        json!({
            "game": game.game.number, "white": game.white, "black": game.black, "plies": game.plies,
            "last": game.last, "result": game.result.as_ref().map(|(result, _)| result.as_str()),
            "clock": { "white_ms": white_ms, "black_ms": black_ms, "running": running },
        })
    });
    json!({ "board": board.board, "needs": needs, "game": game })
}

#[cfg(test)]
mod tests {
    use annabella_core::{game::Running, laws::Article};
    use annabella_hall::floor::GameStands;

    use super::*;

    #[test]
    fn a_board_is_told_in_one_line_what_it_needs_first() {
        let game = GameStands {
            game: GameId { number: 1 },
            white: "Anna".to_owned(),
            black: String::new(),
            plies: 24,
            last: Some("12... Nf6".to_owned()),
            moved: None,
            pieces: String::new(),
            to_move: shakmaty::Color::White,
            completed: true,
            clock: (1, 2, Running::White),
            stand: false,
            short: [false; 2],
            waits: None,
            offered: None,
            result: None,
            seen: (1, [0; 16]),
        };
        let text = Note::Words("White has completed an illegal move".to_owned());
        let kind = NeedKind::Proposal(text, Article::A7_5_5);
        let needs = vec![
            Need { kind: NeedKind::BoardsDiffer, waits_ms: 61_000 },
            Need { kind, waits_ms: 3_999 },
        ];
        let board = BoardStands { board: 17, game: Some(game), needs };
        let told = |board: &BoardStands| line(board, &Told::of(board, None));
        assert_eq!(
            told(&board),
            "board 17: ARBITER: boards differ, for 61 s; White has completed an illegal move (7.5.5), for 3 s; \
             Anna – ?, 12... Nf6"
        );
        let nothing = BoardStands { board: 3, game: None, needs: Vec::new() };
        assert_eq!(told(&nothing), "board 3: is here");
        let pair = Pair { white: "Clara".to_owned(), black: "Dora".to_owned(), ..Pair::default() };
        let others = BoardStands { needs: Vec::new(), ..board };
        assert_eq!(
            line(&others, &Told::of(&others, Some(&pair))),
            "board 17: ARBITER: Clara – Dora are paired here; Anna – ?, 12... Nf6"
        );
    }
}
