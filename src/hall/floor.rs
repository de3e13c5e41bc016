//! The hall's floor: every board by its rows, replayed through the same core as at the board.
//!
//! Pure: rows and signs of life go in with their moment on the hall's own clock, and how the boards
//! stand comes out.

use std::collections::BTreeMap;

use shakmaty::{CastlingMode, Color, Position as _};

use crate::{
    patience::{Patience, Took},
    stream::StreamRow,
};
use annabella_core::{
    game::{
        At, BoardSeen, Boards, ClockNews, Game, GameConfig, IllegalMove, Input, MoveState, Outcome,
        Output, Person, Running, Started, Task, clock::TimeControl,
    },
    laws::Article,
};
use annabella_records::journal::{GameId, views};
use annabella_words::{phrase::Note, text::plain};

/// A board that says nothing for so long is lost, milliseconds.
pub const LOST_MS: u64 = 10_000;
/// Rows of the last so many milliseconds tell how the board's clock stands to the hall's.
const OFFSET_MS: u64 = 30_000;

/// With less time left a player is short of it, milliseconds. Source: FIDE 8.4.
const SHORT_MS: u64 = 5 * 60_000;
/// Where little is given, with less than this part of it.
const SHORT_PART: u64 = 10;

/// No name and no other text of a board's is shown longer, characters.
const LONGEST_NAME: usize = 100;
const LONGEST_TEXT: usize = 300;
/// Nothing is said to wait for longer, milliseconds: a day.
const LONGEST_WAIT_MS: u64 = 86_400_000;
/// So many proposals of a board are told at once, the oldest; the others come when those are
/// decided. What one board sends buries nobody else's call.
const MOST_PROPOSALS: usize = 5;
/// A row with more text than this, of a game's beginning, or of so much later than the one before
/// it, milliseconds, may take long to carry out if somebody wants that.
const LARGE_ROW: usize = 8 * 1_024;
const LONG_JUMP_MS: u64 = 600_000;
/// Said of a board that has sent more than one can.
const FLOODS: &str = "it has sent more than a board can: nothing more is taken of it";

/// Who is short of time: White, Black.
fn short(time_control: &str, (white_ms, black_ms, _): (u64, u64, Running)) -> [bool; 2] {
    let control: TimeControl = time_control.parse().unwrap_or_default();
    let limit_ms = SHORT_MS.min(control.initial_ms() / SHORT_PART);
    [white_ms, black_ms].map(|left_ms| left_ms < limit_ms)
}

/// A board's text as others see it: in one line, and not too long.
fn shown(text: &str, longest: usize) -> String {
    plain(&text.chars().take(longest).collect::<String>())
}

/// The same of a note: what people wrote in it.
fn brief(note: &Note) -> Note {
    let brief = |text: &str| shown(text, LONGEST_TEXT);
    match note {
        Note::Words(text) => Note::Words(brief(text)),
        Note::AssistantCallsBecause { reason } => {
            Note::AssistantCallsBecause { reason: brief(reason) }
        }
        other => other.clone(),
    }
}

/// Why a board needs the arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NeedKind {
    Called(Note),
    BoardsDiffer,
    /// An illegal move of this player waits for his decision.
    Illegal(Color, IllegalMove),
    /// Something else does: a flag, a claim.
    Proposal(Note, Article),
    /// The board was heard of, and is not any more.
    Lost,
    ClockLost,
    /// The sighted player's board is lost.
    SightedLost,
    /// Its rows cannot be followed, and why.
    Unreadable(String),
}

/// Something that waits for the arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    pub kind: NeedKind,
    /// How long it has waited, milliseconds.
    pub waits_ms: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardStands {
    pub board: u32,
    /// The game that was played last.
    pub game: Option<GameStands>,
    /// What waits for the arbiter, the longest first.
    pub needs: Vec<Need>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameStands {
    pub game: GameId,
    /// White's name; may be empty.
    pub white: String,
    pub black: String,
    pub plies: usize,
    /// The last of them, `12... Nf6`.
    pub last: Option<String>,
    /// The same in UCI.
    pub moved: Option<String>,
    /// The pieces after it, as in the first field of a FEN.
    pub pieces: String,
    pub to_move: Color,
    /// Its clock was pressed (6.2.1).
    pub completed: bool,
    /// White's and Black's time left, milliseconds, and whose runs. Of a lost board as it was last
    /// known.
    pub clock: (u64, u64, Running),
    /// The clocks stand during the game, whatever else is waited for.
    pub stand: bool,
    /// White and Black are short of time, while the game goes on.
    pub short: [bool; 2],
    /// What everybody at the board waits for.
    pub waits: Option<Task>,
    /// The player whose offer of a draw has no answer yet.
    pub offered: Option<Color>,
    /// How it ended, and why.
    pub result: Option<(Outcome, Note)>,
    /// Its last row, from 1, and that row's checksum.
    pub seen: (u64, [u8; 16]),
}

/// One copy of a game, as far as its rows came.
#[derive(Debug, Default)]
struct Followed {
    copy: u32,
    rows: u64,
    sum: [u8; 16],
    game: Game,
    /// The last row's moment at the board.
    at: At,
    /// Since when the boards differ.
    differ: Option<At>,
    /// Since when the clock is lost.
    clock_lost: Option<At>,
    /// Since when the sighted player's board is.
    sighted_lost: Option<At>,
    /// Since when the arbiter is called, and in which words.
    called: Option<(At, Note)>,
    /// Why it is not followed any more.
    broken: Option<String>,
}

#[derive(Debug, Default)]
struct OneBoard {
    games: BTreeMap<GameId, Followed>,
    /// The game of its last row, and the one before: no other is kept whole.
    last: Option<GameId>,
    before: Option<GameId>,
    /// Its last sign of life.
    heard_ms: Option<u64>,
    floods: bool,
    /// A row of it takes for ever: no other is looked at.
    stuck: bool,
    /// How much the hall's clock is ahead of the board's at least: of these times and the ones
    /// before.
    offset: [Option<i128>; 2],
    offset_since_ms: u64,
}

/// All boards of an event.
#[derive(Debug, Default)]
pub struct Floor {
    boards: BTreeMap<u32, OneBoard>,
    /// Those of which nobody was told yet.
    stuck: Vec<u32>,
    patience: Patience,
}

impl Floor {
    /// An empty one.
    pub fn new() -> Floor {
        Floor::default()
    }

    /// A board's sign of life came.
    pub fn here(&mut self, board: u32, now_ms: u64) {
        self.boards.entry(board).or_default().heard_ms = Some(now_ms);
    }

    /// A board has sent more than one can.
    pub fn floods(&mut self, board: u32) {
        self.boards.entry(board).or_default().floods = true;
    }

    /// A row came. One that is known already changes nothing.
    pub fn row(&mut self, row: &StreamRow, now_ms: u64) {
        let board = self.boards.entry(row.of.board).or_default();
        if board.stuck {
            return;
        }
        board.offset(row.row.at_ms, now_ms);
        let followed = board.games.entry(row.of.game).or_default();
        if row.of.copy < followed.copy {
            return;
        }
        if row.of.copy > followed.copy {
            *followed = Followed { copy: row.of.copy, ..Followed::default() };
        }
        match followed.take(row, &mut self.patience) {
            Took::Nothing => return,
            Took::Row => {}
            Took::TooLong => {
                board.stuck = true;
                self.stuck.push(row.of.board);
            }
        }
        board.begins(row.of.game);
    }

    /// The boards of which a row takes longer than a row of a game does, since this was asked last.
    pub fn stuck(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.stuck)
    }

    /// Every board, in order.
    pub fn stands(&self, now_ms: u64) -> Vec<BoardStands> {
        self.boards.iter().map(|(number, board)| board.stands(*number, now_ms)).collect()
    }

    /// The game of this board that was played last, in PGN for the public, with the tags that the
    /// pairings know.
    pub fn pgn(
        &self,
        event: &str,
        board: u32,
        known: Vec<(String, String)>,
    ) -> Option<(GameId, String)> {
        let stands = self.boards.get(&board)?;
        let game = stands.last?;
        let record = stands.games.get(&game)?.game.record()?;
        Some((game, views::broadcast_pgn(&record, event, board, known)))
    }
}

impl Followed {
    fn take(&mut self, row: &StreamRow, patience: &mut Patience) -> Took {
        let of = row.of;
        if row.row.number <= self.rows || self.broken.is_some() {
            return Took::Nothing;
        }
        if row.row.number > self.rows + 1 || !row.row.follows(of.game, self.sum) {
            self.broken =
                Some(format!("row {} of game {} is missing or changed", self.rows + 1, of.game));
            return Took::Nothing;
        }
        let mut input: Input = match serde_json::from_str(&row.row.json) {
            Ok(input) => input,
            Err(_) => {
                self.broken = Some("it is written by another version of this program".to_owned());
                return Took::Nothing;
            }
        };
        (self.rows, self.sum) = (row.row.number, row.row.sum);
        let before = std::mem::replace(&mut self.at, At::new(row.row.at_ms));
        // The arbiter is there when he decides.
        if matches!(input, Input::Arbiter(_)) {
            self.called = None;
        }
        self.devices(&input);
        if let Input::Started(started) = &mut input {
            let Started { config: GameConfig { white, black, .. }, .. } = &mut **started;
            (*white, *black) = (shown(white, LONGEST_NAME), shown(black, LONGEST_NAME));
        }
        let strange = row.row.json.len() > LARGE_ROW
            || matches!(input, Input::Started(_))
            || self.at.ms.saturating_sub(before.ms) > LONG_JUMP_MS;
        let outputs = match patience.handled(&mut self.game, self.at, input, strange) {
            Ok(outputs) => outputs,
            Err((took, why)) => {
                self.broken = Some(format!("row {} of game {} {why}", self.rows, of.game));
                return took;
            }
        };
        for output in outputs {
            match output {
                Output::Boards(Boards::Differ) => self.differ = self.differ.or(Some(self.at)),
                Output::Boards(_) => self.differ = None,
                // The assistant calls him, or a player does or stops the clocks for that.
                Output::Problem {
                    article: Article::D_2_10_5 | Article::A6_11_2,
                    text,
                    refused: false,
                    ..
                } => {
                    self.called.get_or_insert_with(|| (self.at, brief(&text)));
                }
                // A call stands until it is answered, whatever is played meanwhile.
                Output::Move { state: MoveState::Made, .. } if self.game.call().is_none() => {
                    self.called = None;
                }
                _ => {}
            }
        }
        Took::Row
    }

    /// Whether clock and sighted board are there.
    fn devices(&mut self, input: &Input) {
        let since = |lost: bool, known: Option<At>| lost.then(|| known.unwrap_or(self.at));
        match input {
            Input::Clock(ClockNews::Refuses | ClockNews::LeverLies(_)) => {}
            Input::Clock(news) => {
                self.clock_lost = since(*news == ClockNews::Lost, self.clock_lost);
            }
            Input::BoardSeen { seen, .. } => {
                let lost = matches!(seen, BoardSeen::Lost { .. });
                self.sighted_lost = since(lost, self.sighted_lost);
            }
            _ => {}
        }
    }

    fn stands(&self, id: GameId, now: At) -> Option<GameStands> {
        let record = self.game.record()?;
        let plies = record.line.len();
        let clock = self.game.clock(now).unwrap_or(record.clock);
        let goes_on = record.ended.is_none();
        let asked = self.game.asked(Person::Assistant);
        let last = record.line.last().map(|ply| {
            let before = usize::from(record.start().turn().is_black());
            let number = record.start().fullmoves().get() as usize + (plies - 1 + before) / 2;
            let dots = if ply.mover.is_white() { "." } else { "..." };
            format!("{number}{dots} {}", ply.san)
        });
        Some(GameStands {
            game: id,
            white: record.config.white.clone(),
            black: record.config.black.clone(),
            plies,
            last,
            moved: record.line.last().map(|ply| ply.mv.to_uci(CastlingMode::Standard).to_string()),
            pieces: record.position.board().to_string(),
            to_move: record.position.turn(),
            completed: record.line.last().is_some_and(|ply| ply.completed.is_some()),
            clock,
            stand: asked.iter().any(|asked| asked.task == Task::ClocksStand),
            short: if goes_on { short(&record.config.time_control, clock) } else { [false; 2] },
            waits: asked.into_iter().next().map(|asked| asked.task),
            offered: record.offered().filter(|_| goes_on),
            result: record.ended.map(|end| (end.result, brief(&end.reason))),
            seen: (self.rows, self.sum),
        })
    }

    fn has_ended(&self) -> bool {
        self.game.record().is_some_and(|record| record.is_over())
    }

    fn needs(&self, now: At) -> Vec<Need> {
        // A board's own moments may be anything.
        let waits_ms = |since: At| now.ms.saturating_sub(since.ms).min(LONGEST_WAIT_MS);
        let mut needs = Vec::new();
        if let Some((since, call)) = &self.called {
            let kind = NeedKind::Called(call.clone());
            needs.push(Need { kind, waits_ms: waits_ms(*since) });
        }
        // A board that shows an illegal move goes back: that it differs is no matter of its own.
        if let Some(since) = self.differ.filter(|_| self.game.shows_illegal_move().is_none()) {
            let kind = NeedKind::BoardsDiffer;
            needs.push(Need { kind, waits_ms: waits_ms(since) });
        }
        let lost =
            [(self.clock_lost, NeedKind::ClockLost), (self.sighted_lost, NeedKind::SightedLost)];
        for (since, kind) in lost {
            if let Some(since) = since.filter(|_| !self.has_ended()) {
                needs.push(Need { kind, waits_ms: waits_ms(since) });
            }
        }
        let proposals = self.game.record().map_or(&[][..], |record| record.proposals);
        let open = proposals.iter().filter(|proposal| proposal.is_open());
        for open in open.take(MOST_PROPOSALS) {
            let kind = match (open.seat, &open.illegal) {
                (Some(seat), Some(illegal)) => NeedKind::Illegal(seat, illegal.clone()),
                _ => NeedKind::Proposal(brief(&open.text), open.article),
            };
            needs.push(Need { kind, waits_ms: waits_ms(open.at) });
        }
        if let Some(why) = &self.broken {
            let kind = NeedKind::Unreadable(why.clone());
            needs.push(Need { kind, waits_ms: waits_ms(self.at) });
        }
        needs
    }
}

impl OneBoard {
    /// A row of this game came. What is over does not fill the hall's memory.
    fn begins(&mut self, game: GameId) {
        if self.last == Some(game) {
            return;
        }
        if let Some(over) = std::mem::replace(&mut self.before, self.last.replace(game))
            && over != game
            && let Some(over) = self.games.get_mut(&over)
        {
            (over.game, over.broken) = (Game::default(), Some("it is over".to_owned()));
        }
    }

    /// A row of this moment came now. It may have waited on its way, but it did not come before it
    /// was written: the shortest way tells how the clocks stand to each other.
    fn offset(&mut self, at_ms: u64, now_ms: u64) {
        if now_ms.saturating_sub(self.offset_since_ms) > OFFSET_MS {
            self.offset = [None, self.offset[0]];
            self.offset_since_ms = now_ms;
        }
        let offset = i128::from(now_ms) - i128::from(at_ms);
        self.offset[0] = Some(self.offset[0].map_or(offset, |known| known.min(offset)));
    }

    /// The hall's moment as the board counts, not before its last row.
    fn moment(&self, last: At, now_ms: u64) -> At {
        let offset = self.offset.iter().flatten().min();
        let now = offset.map_or(0, |offset| i128::from(now_ms) - offset);
        At::new(u64::try_from(now).unwrap_or(0)).max(last)
    }

    fn stands(&self, board: u32, now_ms: u64) -> BoardStands {
        let silent_ms = self.heard_ms.map(|heard| now_ms.saturating_sub(heard));
        let lost = silent_ms.filter(|silent| *silent > LOST_MS);
        let last = self.last.and_then(|id| Some((id, self.games.get(&id)?)));
        // What is not known is not counted on.
        let moment = |at: At| match silent_ms {
            Some(silent) if silent <= LOST_MS => self.moment(at, now_ms),
            Some(silent) => self.moment(at, now_ms.saturating_sub(silent)),
            None => at,
        };
        let mut needs = Vec::new();
        if let Some(waits_ms) = lost {
            needs.push(Need { kind: NeedKind::Lost, waits_ms });
        }
        if self.floods {
            let kind = NeedKind::Unreadable(FLOODS.to_owned());
            needs.push(Need { kind, waits_ms: 0 });
        }
        if let Some((_, followed)) = last {
            needs.extend(followed.needs(self.moment(followed.at, now_ms)));
        }
        needs.sort_by_key(|need| std::cmp::Reverse(need.waits_ms));
        let game = last.and_then(|(id, followed)| followed.stands(id, moment(followed.at)));
        BoardStands { board, game, needs }
    }
}

#[cfg(test)]
mod tests {
    use annabella_core::game::{Learnt, PageAct, PageEntry, PageRole};
    use annabella_records::journal::{Follower, Journal, KeptRow};
    use annabella_words::phrase::pack;
    use proptest::prelude::*;
    use shakmaty::Color;

    use super::*;
    use crate::names::GameSubject;

    /// The rows of a game in which these things happen, one a second.
    fn rows(inputs: &[Input]) -> Vec<StreamRow> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.db");
        let mut journal = Journal::open(&path).expect("a journal");
        let text = |name: &str| pack::builtin(name).expect("built in").to_owned();
        let started = Started {
            config: GameConfig {
                white: "Anna".to_owned(),
                black: "Berta".to_owned(),
                sighted_board: true,
                ..GameConfig::default()
            },
            packs: vec![text("fide"), text("de")],
            confusions: Learnt::default(),
            build: "test".to_owned(),
            unix_s: 0,
        };
        let game = journal.begin(&started, At::new(1_000)).expect("begun");
        for (n, input) in inputs.iter().enumerate() {
            let at = At::new(2_000 + 1_000 * n as u64);
            journal.append(game, at, input).expect("kept");
        }
        let of = GameSubject { board: 17, game, copy: 1 };
        let rows = Follower::open(&path).expect("opens").rows(game, 1, 1_000).expect("rows");
        rows.into_iter()
            .enumerate()
            .map(|(n, row)| StreamRow { of, row, sequence: n as u64 + 1 })
            .collect()
    }

    fn call() -> Input {
        let act = PageAct::CallArbiter { reason: "noise".to_owned() };
        Input::Page(Box::new(PageEntry { act, role: PageRole::Assistant, by: String::new() }))
    }

    fn floor(rows: &[StreamRow]) -> Floor {
        let mut floor = Floor::new();
        rows.iter().for_each(|row| floor.row(row, 500_000 + row.row.at_ms));
        floor.here(17, 500_000 + rows.last().map_or(0, |row| row.row.at_ms));
        floor
    }

    #[test]
    fn a_call_waits_until_the_arbiter_decides_something() {
        let called = rows(&[Input::ClockStarted, call()]);
        let stands = floor(&called).stands(503_000 + 5_000);
        let [board] = stands.as_slice() else { panic!("one board") };
        let game = board.game.as_ref().expect("a game");
        assert_eq!((game.white.as_str(), game.black.as_str(), game.plies), ("Anna", "Berta", 0));
        let call = Note::AssistantCallsBecause { reason: "noise".to_owned() };
        assert_eq!(board.needs, [Need { kind: NeedKind::Called(call), waits_ms: 5_000 }]);
    }

    #[test]
    fn a_board_tells_what_everybody_waits_for_and_who_is_short_of_time() {
        let waits = |inputs: &[Input], now_ms| {
            let mut floor = floor(&rows(inputs));
            floor.here(17, now_ms);
            let game = floor.stands(now_ms)[0].game.clone().expect("a game");
            (game.waits, game.short, game.to_move)
        };
        let begins = waits(&[], 501_000);
        assert_eq!(begins, (Some(Task::NotBegun), [false, false], Color::White));
        let (task, short, _) = waits(&[Input::ClockStarted], 503_000);
        assert_eq!((task, short), (Some(Task::Watch(Color::White)), [false, false]));
        // Ninety minutes and a half were given.
        let (_, short, _) = waits(&[Input::ClockStarted], 502_000 + 86 * 60_000);
        assert_eq!(short, [true, false]);
    }

    #[test]
    fn where_little_time_is_given_less_is_short() {
        let left = |white_ms, black_ms| (white_ms, black_ms, Running::None);
        assert_eq!(short("40/90+30:30+30", left(299_999, 300_000)), [true, false]);
        assert_eq!(short("3+2", left(18_200, 18_100)), [false, true]);
        assert_eq!(short("", left(299_999, 300_000)), [true, false]);
    }

    #[test]
    fn of_three_games_of_a_board_the_first_fills_the_halls_memory_no_more() {
        let begins = |number| {
            let mut row = rows(&[]).remove(0);
            row.of.game = GameId { number };
            row.row =
                KeptRow::after(row.of.game, (0, [0; 16]), 1_000, row.row.json).expect("a row");
            row
        };
        let three: Vec<StreamRow> = (1..=3).map(begins).collect();
        let mut floor = floor(&three);
        let kept = |floor: &Floor| -> Vec<bool> {
            floor.boards[&17].games.values().map(|kept| kept.game.record().is_some()).collect()
        };
        assert_eq!(kept(&floor), [false, true, true]);
        // Whatever comes of it later, the board's game is the third one.
        let json = serde_json::to_string(&call()).expect("JSON");
        let mut late = three[0].clone();
        late.row = KeptRow::after(late.of.game, (1, late.row.sum), 2_000, json).expect("a row");
        let before = floor.stands(503_000);
        floor.row(&late, 502_000);
        assert_eq!(floor.stands(503_000), before);
        assert_eq!(kept(&floor), [false, true, true]);
    }

    /// Three rows of one board once kept the hall from all others for ever.
    #[test]
    fn a_game_that_would_warn_of_every_second_is_not_begun() {
        let mut many = rows(&[Input::ClockStarted, Input::Woke]);
        let alarms: Vec<u32> = (1..=40_000).collect();
        let alarms = format!("\"alarms_s\":{alarms:?},\"white\":\"Anna\"");
        let json = many[0].row.json.replace("\"white\":\"Anna\"", &alarms);
        many[0].row = KeptRow::after(many[0].of.game, (0, [0; 16]), 1_000, json).expect("a row");
        let mut before = (1, many[0].row.sum);
        for (row, at_ms) in many[1..].iter_mut().zip([2_000, 86_000_000]) {
            let json = row.row.json.clone();
            row.row = KeptRow::after(row.of.game, before, at_ms, json).expect("a row");
            before = (before.0 + 1, row.row.sum);
        }
        let stands = floor(&many).stands(503_000);
        assert_eq!(stands[0].game, None, "no game has begun");
    }

    #[test]
    fn what_a_board_writes_is_one_line_of_bounded_length() {
        let said = |text: &str| shown(text, LONGEST_NAME);
        assert_eq!(said("Anna\nboard 2: 1-0\u{202e}"), "Anna board 2: 1-0 ");
        assert_eq!(said(&"x".repeat(1_000_000)).len(), LONGEST_NAME);
        let mut long = rows(&[]);
        let name = format!("\"white\":\"{}\"", "A\\n".repeat(10_000));
        let json = long[0].row.json.replace("\"white\":\"Anna\"", &name);
        long[0].row = KeptRow::after(long[0].of.game, (0, [0; 16]), 1_000, json).expect("a row");
        let stands = floor(&long).stands(503_000);
        let game = stands[0].game.as_ref().expect("a game");
        assert_eq!(game.white, "A ".repeat(LONGEST_NAME / 2));
        let (_, pgn) = floor(&long).pgn("test", 17, Vec::new()).expect("a game");
        assert!(pgn.len() < 2_000, "{pgn}");
    }

    #[test]
    fn a_call_outlasts_the_moves_that_are_played_meanwhile() {
        let edge =
            |square, occupied| Input::Edge { seat: Color::White, square, occupied, ago_ms: 0 };
        let moved = [edge(shakmaty::Square::E2, false), edge(shakmaty::Square::E4, true)];
        let inputs = [&[Input::ClockStarted, call()][..], &moved, &[Input::Woke]].concat();
        let stands = floor(&rows(&inputs)).stands(510_000);
        let [board] = stands.as_slice() else { panic!("one board") };
        assert_eq!(board.game.as_ref().expect("a game").plies, 1);
        let [need] = board.needs.as_slice() else { panic!("{:?}", board.needs) };
        assert!(matches!(need.kind, NeedKind::Called(_)), "{:?}", need.kind);
        assert_eq!(need.waits_ms, 7_000);
    }

    #[test]
    fn the_running_clock_is_counted_on_and_that_of_a_lost_board_is_not() {
        let running = rows(&[Input::ClockStarted]);
        let floor = floor(&running);
        let clock = |now_ms| floor.stands(now_ms)[0].game.as_ref().expect("a game").clock;
        let begun = clock(502_000);
        assert_eq!(begun.2, Running::White);
        assert_eq!(clock(502_000 + 4_000).0, begun.0 - 4_000);
        assert_eq!(clock(502_000 + LOST_MS + 60_000).0, begun.0);
        let lost = &floor.stands(502_000 + LOST_MS + 60_000)[0].needs;
        let kind = NeedKind::Lost;
        assert_eq!(*lost, [Need { kind, waits_ms: LOST_MS + 60_000 }]);
    }

    #[test]
    fn a_clock_or_a_board_that_is_lost_waits_until_it_is_back() {
        let seen = |seen| Input::BoardSeen { seat: Color::Black, seen };
        let lost = seen(BoardSeen::Lost { why: "unplugged".to_owned() });
        let inputs =
            [Input::ClockStarted, Input::Clock(ClockNews::Lost), lost, seen(BoardSeen::Back)];
        let kinds = |inputs: &[Input]| -> Vec<(NeedKind, u64)> {
            let needs = floor(&rows(inputs)).stands(500_000 + 10_000)[0].needs.clone();
            needs.into_iter().map(|need| (need.kind, need.waits_ms)).collect()
        };
        assert_eq!(kinds(&inputs[..2]), [(NeedKind::ClockLost, 7_000)]);
        let both = [(NeedKind::ClockLost, 7_000), (NeedKind::SightedLost, 6_000)];
        assert_eq!(kinds(&inputs[..3]), both);
        assert_eq!(kinds(&inputs), [(NeedKind::ClockLost, 7_000)]);
        let back = [&inputs[..], &[Input::Clock(ClockNews::Back)]].concat();
        assert_eq!(kinds(&back), []);
    }

    #[test]
    fn a_row_that_is_missing_is_said_and_nothing_after_it_counts() {
        let mut gap = rows(&[Input::ClockStarted, call()]);
        gap.remove(1);
        let why = "row 2 of game 1 is missing or changed".to_owned();
        let needs = floor(&gap).stands(503_000)[0].needs.clone();
        assert_eq!(
            needs.iter().map(|need| &need.kind).collect::<Vec<_>>(),
            [&NeedKind::Unreadable(why)]
        );
    }

    #[test]
    fn a_later_copy_of_a_game_takes_the_place_of_the_earlier_one() {
        let (first, mut second) = (rows(&[Input::ClockStarted, call()]), rows(&[]));
        second[0].of.copy = 2;
        let floor = floor(&[first.clone(), second, first].concat());
        assert_eq!(floor.stands(503_000)[0].needs, []);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        /// After a cut line everything is read anew: rows come again, from wherever.
        #[test]
        fn rows_that_come_again_change_nothing(again in proptest::collection::vec(0..3usize, 0..8)) {
            let rows = rows(&[Input::ClockStarted, call()]);
            let mut all = rows.clone();
            for from in again {
                all.extend_from_slice(&rows[from..]);
            }
            prop_assert_eq!(floor(&all).stands(510_000), floor(&rows).stands(510_000));
        }
    }
}
