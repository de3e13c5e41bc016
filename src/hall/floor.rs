//! The hall's floor: every board by its rows, replayed through the same core as at the board.
//!
//! Rows and signs of life go in with their moment on the hall's own clock, and how the boards stand
//! comes out. A board whose rows take long waits for the others.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use shakmaty::Color;

use crate::{
    followed::Followed,
    patience::{Patience, Took},
    stream::StreamRow,
    turns::Turn,
};
use annabella_core::{
    game::{At, Game, IllegalMove, Outcome, Running, Task},
    laws::Article,
};
use annabella_records::journal::{GameId, views};
use annabella_words::phrase::Note;

/// A board that says nothing for so long is lost, milliseconds.
pub const LOST_MS: u64 = 5_000;
/// Rows of the last so many milliseconds tell how the board's clock stands to the hall's.
const OFFSET_MS: u64 = 30_000;

/// Said of a board that has sent more than one can.
const FLOODS: &str = "it has sent more than a board can: nothing more is taken of it";

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
    turn: Turn,
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
    slow: Vec<u32>,
    /// Those with rows that wait.
    waiting: BTreeSet<u32>,
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
        let board = self.boards.entry(board).or_default();
        board.floods = true;
        board.turn.ends();
    }

    /// A row came. One that is known already changes nothing; one of a board that takes too much
    /// time waits until [`Floor::catch_up`].
    pub fn row(&mut self, row: &StreamRow, now_ms: u64) {
        let number = row.of.board;
        let board = self.boards.entry(number).or_default();
        if board.stuck {
            return;
        }
        board.offset(row.row.at_ms, now_ms);
        if board.turn.is_free(now_ms) {
            return self.read(row);
        }
        if board.turn.waits(row.clone()) {
            self.slow.push(number);
        }
        self.waiting.insert(number);
    }

    /// Reads rows that wait, those first on whose board least was spent, until about so much time
    /// has passed.
    pub fn catch_up(&mut self, most: Duration) {
        let began = Instant::now();
        loop {
            let used = |number: &u32| self.boards.get(number).map(|board| board.turn.used());
            let Some(number) = self.waiting.iter().copied().min_by_key(used) else { return };
            let next = self.boards.get_mut(&number).map(|board| board.turn.next());
            let (row, is_last) = next.unwrap_or((None, true));
            if is_last {
                self.waiting.remove(&number);
            }
            if let Some(row) = row {
                self.read(&row);
            }
            if began.elapsed() >= most {
                return;
            }
        }
    }

    fn read(&mut self, row: &StreamRow) {
        let began = Instant::now();
        let board = self.boards.entry(row.of.board).or_default();
        let followed = board.games.entry(row.of.game).or_default();
        if row.of.copy < followed.copy {
            return;
        }
        if row.of.copy > followed.copy {
            *followed = Followed::of_copy(row.of.copy);
        }
        let took = followed.take(row, &mut self.patience);
        board.turn.took(began.elapsed());
        match took {
            Took::Nothing => return,
            Took::Row => {}
            Took::TooLong => {
                board.stuck = true;
                board.turn.ends();
                self.stuck.push(row.of.board);
            }
        }
        board.begins(row.of.game);
    }

    /// The boards whose rows wait since this was asked last, for the first time.
    pub fn slow(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.slow)
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
    use annabella_core::game::{
        BoardSeen, ClockNews, GameConfig, Input, Learnt, PageAct, PageEntry, PageRole, PlayerWord,
        Started,
    };
    use annabella_records::journal::{Follower, Journal, KeptRow};
    use annabella_words::phrase::pack;
    use proptest::prelude::*;
    use shakmaty::Color;

    use super::*;
    use crate::{
        followed::{LONGEST_NAME, short, shown},
        names::GameSubject,
    };

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
            let mut floor = floor(&rows(inputs));
            floor.here(17, 510_000);
            let needs = floor.stands(510_000)[0].needs.clone();
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
    fn a_fallen_flag_that_the_arbiter_judges_waits_once_6_9() {
        let mut rows = rows(&[Input::ArbiterPage { open: true }, Input::ClockStarted]);
        let act = PageAct::Says { seat: Color::Black, word: PlayerWord::ClaimsFlag };
        let claim = PageEntry { act, role: PageRole::Assistant, by: String::new() };
        let json = serde_json::to_string(&Input::Page(Box::new(claim))).expect("JSON");
        let mut late = rows[2].clone();
        late.row = KeptRow::after(late.of.game, (3, late.row.sum), 6_000_000, json).expect("a row");
        rows.push(late);
        let needs = floor(&rows).stands(6_501_000)[0].needs.clone();
        let [Need { kind, .. }] = &needs[..] else { panic!("{needs:?}") };
        assert!(matches!(kind, NeedKind::Proposal(_, Article::A6_9)), "{kind:?}");
    }

    #[test]
    fn why_the_assistant_calls_may_follow_his_call() {
        let act = PageAct::CallArbiter { reason: String::new() };
        let bare = PageEntry { act, role: PageRole::Assistant, by: String::new() };
        let bare = Input::Page(Box::new(bare));
        let called = floor(&rows(&[Input::ClockStarted, bare, call()]));
        let needs = called.stands(507_000)[0].needs.clone();
        let call = Note::AssistantCallsBecause { reason: "noise".to_owned() };
        assert_eq!(needs, [Need { kind: NeedKind::Called(call), waits_ms: 4_000 }]);
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

    /// The row that begins a game, changed, as the first of game 2.
    fn begins_another(now: &str, then: &str) -> StreamRow {
        let mut row = rows(&[]).remove(0);
        row.of.game = GameId { number: 2 };
        assert!(row.row.json.contains(now));
        let json = row.row.json.replacen(now, then, 1);
        row.row = KeptRow::after(row.of.game, (0, [0; 16]), 9_000, json).expect("a row");
        row
    }

    #[test]
    fn a_new_game_that_cannot_be_followed_is_told_and_the_game_before_is_not_shown_for_it() {
        let long = format!("help = [\\\"{}\\\", ", "wort ".repeat(90_000));
        for (now, then, why) in [
            ("\"config\":{", "\"config\":{\"later\":1,", "another version of this program"),
            ("help = [", &long, "begins no game: language pack is too large, shorten it: "),
        ] {
            let mut floor = floor(&rows(&[Input::ClockStarted]));
            floor.row(&begins_another(now, then), 509_000);
            floor.here(17, 509_000);
            let board = &floor.stands(509_000)[0];
            assert_eq!(board.game, None);
            let [Need { kind: NeedKind::Unreadable(told), .. }] = &board.needs[..] else {
                panic!("{:?}", board.needs);
            };
            assert!(told.contains(why), "{told}");
        }
        let json = serde_json::to_string(&Input::ClockStarted).expect("JSON");
        let mut none = begins_another("{", "{");
        none.row = KeptRow::after(none.of.game, (0, [0; 16]), 9_000, json).expect("a row");
        let needs = floor(&[none]).stands(509_000)[0].needs.clone();
        assert!(matches!(&needs[0].kind, NeedKind::Unreadable(told) if told.contains("no game")));
    }

    #[test]
    fn a_board_whose_rows_take_long_waits_for_the_others_and_loses_none() {
        let played = rows(&[Input::ClockStarted, call()]);
        let mut floor = floor(&played[..1]);
        let rows_of = |floor: &Floor, board: u32| {
            floor
                .stands(503_000)
                .iter()
                .find(|stands| stands.board == board)
                .map(|stands| stands.game.as_ref().map_or(0, |game| game.seen.0))
        };
        floor.boards.get_mut(&17).expect("a board").turn.took(Duration::from_secs(60));
        played[1..].iter().for_each(|row| floor.row(row, 503_000));
        for mut row in played.clone() {
            row.of.board = 18;
            floor.row(&row, 503_000);
        }
        assert_eq!((rows_of(&floor, 17), rows_of(&floor, 18)), (Some(1), Some(3)));
        assert_eq!((floor.slow(), floor.slow()), (vec![17], Vec::new()), "it is told once");
        floor.catch_up(Duration::ZERO);
        assert_eq!(rows_of(&floor, 17), Some(2), "one at a time");
        floor.catch_up(Duration::MAX);
        assert_eq!(rows_of(&floor, 17), Some(3));
        // Some time later it is as good as the others.
        floor.row(&played[0], 603_000);
        assert!(floor.boards.get_mut(&17).expect("a board").turn.is_free(603_000));
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
