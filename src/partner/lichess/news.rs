//! What the server's streams say, a JSON object a line. Fields that are not known are passed over.

use serde::Deserialize;
use shakmaty::Color;

use super::site::plain;
use crate::{
    far::state::{State, Status},
    line::Line,
    table::Side,
};

/// A line about one game.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// The whole of it, first on each stream.
    Full(Box<Full>),
    State(State),
    /// Somebody has written; from which room, and as whom.
    Chat {
        room: String,
        name: String,
        text: String,
    },
    /// The opponent has left, and in so many seconds the game may be claimed; or he is back.
    Gone {
        gone: bool,
        claim_s: Option<u64>,
    },
    Other,
}

/// A game: what does not change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Full {
    pub id: String,
    /// White's name and Black's.
    pub names: [String; 2],
    /// White's account and Black's, in small letters; empty without one.
    pub accounts: [String; 2],
    /// `standard`, `fromPosition`, or what this program does not play.
    pub variant: String,
    /// The first position (FEN).
    pub start: String,
    /// Main time and increment, milliseconds; `None`: a game by days.
    pub clock: Option<(u64, u64)>,
    pub state: State,
}

impl Full {
    /// The game so far. `None`: a position or a move that cannot be.
    pub fn line(&self) -> Option<Line> {
        Line::read(&self.start, &self.state.moves)
    }
}

#[derive(Deserialize)]
struct Kind {
    r#type: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToldFull {
    id: String,
    #[serde(default)]
    variant: Variant,
    clock: Option<Clock>,
    white: Player,
    black: Player,
    #[serde(default)]
    initial_fen: String,
    state: ToldState,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
struct Variant {
    key: String,
}

#[derive(Deserialize)]
struct Clock {
    initial: u64,
    #[serde(default)]
    increment: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Player {
    id: Option<String>,
    name: Option<String>,
    ai_level: Option<u32>,
    title: Option<String>,
}

impl Player {
    fn name(&self) -> String {
        match (&self.name, self.ai_level) {
            (Some(name), _) => {
                plain(&format!("{} {name}", self.title.as_deref().unwrap_or("")), 80)
            }
            (None, Some(level)) => format!("Stockfish {level}"),
            (None, None) => String::new(),
        }
    }
}

#[derive(Deserialize)]
struct ToldState {
    #[serde(default)]
    moves: String,
    wtime: i64,
    btime: i64,
    status: String,
    winner: Option<Side>,
    #[serde(default)]
    wdraw: bool,
    #[serde(default)]
    bdraw: bool,
    #[serde(default)]
    wtakeback: bool,
    #[serde(default)]
    btakeback: bool,
}

impl From<ToldState> for State {
    fn from(told: ToldState) -> State {
        State {
            moves: told.moves.split_whitespace().map(str::to_owned).collect(),
            left_ms: [told.wtime, told.btime].map(|ms| u64::try_from(ms).unwrap_or(0)),
            status: status(&told.status),
            winner: told.winner.map(Color::from),
            offers: [told.wdraw, told.bdraw],
            takebacks: [told.wtakeback, told.btakeback],
            ..State::default()
        }
    }
}

fn status(name: &str) -> Status {
    match name {
        "created" | "started" => Status::Going,
        "aborted" | "noStart" => Status::Aborted,
        "mate" => Status::Mate,
        "resign" => Status::Resigned,
        "stalemate" => Status::Stalemate,
        "timeout" => Status::Left,
        "draw" => Status::Draw,
        "outoftime" => Status::OutOfTime,
        "cheat" => Status::Cheat,
        "insufficientMaterialClaim" => Status::Material,
        other => Status::Other(plain(other, 40)),
    }
}

#[derive(Deserialize)]
struct ToldChat {
    #[serde(default)]
    room: String,
    username: String,
    text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToldGone {
    gone: bool,
    claim_win_in_seconds: Option<u64>,
}

/// Reads a line about a game.
pub fn news(line: &str) -> Result<News, String> {
    let wrong = |err: serde_json::Error| err.to_string();
    let kind: Kind = serde_json::from_str(line).map_err(wrong)?;
    Ok(match kind.r#type.as_str() {
        "gameFull" => {
            let told: ToldFull = serde_json::from_str(line).map_err(wrong)?;
            let usual = matches!(told.initial_fen.as_str(), "" | "startpos");
            let accounts = [&told.white, &told.black];
            News::Full(Box::new(Full {
                id: told.id,
                names: [told.white.name(), told.black.name()],
                accounts: accounts.map(|player| player.id.clone().unwrap_or_default()),
                variant: told.variant.key,
                start: if usual { crate::score::usual_start() } else { told.initial_fen },
                clock: told.clock.map(|clock| (clock.initial, clock.increment)),
                state: told.state.into(),
            }))
        }
        "gameState" => News::State(serde_json::from_str::<ToldState>(line).map_err(wrong)?.into()),
        "chatLine" => {
            let told: ToldChat = serde_json::from_str(line).map_err(wrong)?;
            let (name, text) = (plain(&told.username, 40), plain(&told.text, 200));
            News::Chat { room: told.room, name, text }
        }
        "opponentGone" => {
            let told: ToldGone = serde_json::from_str(line).map_err(wrong)?;
            News::Gone { gone: told.gone, claim_s: told.claim_win_in_seconds }
        }
        _ => News::Other,
    })
}

/// A line about whatever reaches the account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    Started(Going),
    Challenge(Challenge),
    /// A challenge of this number was withdrawn, or not taken: why, in the account's language.
    Withdrawn {
        id: String,
    },
    Declined {
        id: String,
        reason: String,
    },
    Other,
}

/// A game that is going on.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Going {
    pub game_id: String,
    /// `correspondence` is by days.
    #[serde(default)]
    pub speed: String,
    #[serde(default)]
    compat: Option<Compat>,
    #[serde(default)]
    variant: Variant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default)]
struct Compat {
    board: bool,
}

impl Default for Compat {
    fn default() -> Compat {
        Compat { board: true }
    }
}

impl Going {
    /// It can be played at a board and a clock.
    pub fn is_for_a_board(&self) -> bool {
        self.speed != "correspondence"
            && self.compat.is_none_or(|compat| compat.board)
            && matches!(self.variant.key.as_str(), "" | "standard" | "fromPosition")
    }
}

/// Somebody asks for a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    pub id: String,
    /// The account, in small letters, and its name.
    pub account: String,
    pub name: String,
    pub variant: String,
    pub rated: bool,
    /// Main time and increment, seconds; `None`: no clock.
    pub clock: Option<(u64, u64)>,
    /// It may be played here.
    pub for_a_board: bool,
}

#[derive(Deserialize)]
struct ToldEvent {
    game: Option<Going>,
    challenge: Option<ToldChallenge>,
    compat: Option<Compat>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToldChallenge {
    id: String,
    challenger: Option<Account>,
    #[serde(default)]
    variant: Variant,
    #[serde(default)]
    rated: bool,
    time_control: Option<TimeControl>,
    decline_reason: Option<String>,
}

#[derive(Deserialize)]
struct Account {
    id: String,
    name: String,
}

#[derive(Deserialize)]
struct TimeControl {
    limit: Option<u64>,
    increment: Option<u64>,
}

/// Reads a line of the account's stream.
pub fn event(line: &str) -> Result<Event, String> {
    let wrong = |err: serde_json::Error| err.to_string();
    let kind: Kind = serde_json::from_str(line).map_err(wrong)?;
    let known = ["gameStart", "challenge", "challengeCanceled", "challengeDeclined"];
    if !known.contains(&kind.r#type.as_str()) {
        return Ok(Event::Other);
    }
    let told: ToldEvent = serde_json::from_str(line).map_err(wrong)?;
    Ok(match (kind.r#type.as_str(), told.game, told.challenge) {
        ("gameStart", Some(game), _) => Event::Started(game),
        ("challengeCanceled", _, Some(challenge)) => Event::Withdrawn { id: challenge.id },
        ("challengeDeclined", _, Some(challenge)) => {
            let reason = plain(&challenge.decline_reason.unwrap_or_default(), 200);
            Event::Declined { id: challenge.id, reason }
        }
        ("challenge", _, Some(challenge)) => Event::Challenge(challenge.read(told.compat)),
        _ => return Err(format!("{} without its game or challenge", kind.r#type)),
    })
}

impl ToldChallenge {
    fn read(self, compat: Option<Compat>) -> Challenge {
        let time = self.time_control.and_then(|time| Some((time.limit?, time.increment?)));
        let (account, name) = match self.challenger {
            Some(account) => (account.id, plain(&account.name, 40)),
            None => (String::new(), String::new()),
        };
        Challenge {
            id: self.id,
            account,
            name,
            variant: self.variant.key,
            rated: self.rated,
            clock: time,
            for_a_board: compat.is_none_or(|compat| compat.board),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: &str = r#"{"type":"gameFull","id":"BEOucQJo","variant":{"key":"standard"},"speed":"rapid",
        "perf":{"name":"Rapid"},"rated":false,"createdAt":1,"white":{"id":"bobby","name":"Bobby","title":"GM"},
        "black":{"aiLevel":3},"initialFen":"startpos","clock":{"initial":900000,"increment":0},"new":[1],
        "state":{"type":"gameState","moves":"d2d4 g8f6","wtime":900000,"btime":-5,"winc":0,"binc":0,
        "bdraw":true,"status":"started"}}"#;

    #[test]
    fn a_game_is_read_and_new_fields_are_passed_over() {
        let Ok(News::Full(full)) = news(FULL) else { panic!("{:?}", news(FULL)) };
        assert_eq!(full.names, ["GM Bobby", "Stockfish 3"]);
        assert_eq!(full.accounts, ["bobby", ""]);
        assert_eq!((full.clock, full.variant.as_str()), (Some((900_000, 0)), "standard"));
        assert_eq!(full.state.left_ms, [900_000, 0]);
        assert!(full.state.offers(Color::Black) && !full.state.offers(Color::White));
        assert_eq!(full.line().expect("legal").uci(), ["d2d4", "g8f6"]);
        let ended = r#"{"type":"gameState","moves":"","wtime":1,"btime":2,"status":"resign","winner":"black"}"#;
        let Ok(News::State(state)) = news(ended) else { panic!("{:?}", news(ended)) };
        assert_eq!((state.status, state.winner), (Status::Resigned, Some(Color::Black)));
    }

    #[test]
    fn every_status_of_the_description_is_known_by_its_name() {
        for name in [
            "started",
            "aborted",
            "mate",
            "resign",
            "stalemate",
            "timeout",
            "draw",
            "outoftime",
            "cheat",
            "insufficientMaterialClaim",
        ] {
            let status = status(name);
            assert!(!matches!(status, Status::Other(_)), "{name}");
            assert_eq!(status.name(), name);
        }
        assert_eq!(status("variantEnd").name(), "variantEnd");
    }

    #[test]
    fn what_is_no_line_of_the_stream_is_refused_in_one_line() {
        for line in ["", "[]", "{}", "{\"type\":7}", &FULL[..200], "{\"type\":\"gameState\"}"] {
            let err = news(line).expect_err(line);
            assert!(!err.is_empty() && !err.contains('\n'), "{err}");
        }
        assert_eq!(news("{\"type\":\"somethingNew\"}"), Ok(News::Other));
        assert!(event("{\"type\":\"challenge\"}").is_err());
        assert_eq!(event("{\"type\":\"somethingNew\"}"), Ok(Event::Other));
    }

    #[test]
    fn a_challenge_says_who_asks_for_what() {
        let line = r#"{"type":"challenge","challenge":{"id":"jWAgu6ga","challenger":{"id":"adriana",
            "name":"Adriana"},"destUser":null,"variant":{"key":"standard"},"rated":false,
            "timeControl":{"type":"clock","limit":900,"increment":10,"show":"15+10"},"color":"random"},
            "compat":{"bot":false,"board":true}}"#;
        let Ok(Event::Challenge(challenge)) = event(line) else { panic!("{:?}", event(line)) };
        assert_eq!((challenge.account.as_str(), challenge.clock), ("adriana", Some((900, 10))));
        assert!(challenge.for_a_board && !challenge.rated);
        let slow = line
            .replace("\"limit\":900,\"increment\":10,", "")
            .replace("\"clock\"", "\"unlimited\"");
        let Ok(Event::Challenge(challenge)) = event(&slow) else { panic!("{slow}") };
        assert_eq!(challenge.clock, None);
    }
}
