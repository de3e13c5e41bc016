//! One game of a board, followed by its rows.

use shakmaty::{CastlingMode, Position as _};

use crate::{
    floor::{GameStands, Need, NeedKind},
    patience::{Patience, Took},
    stream::StreamRow,
};
use annabella_core::{
    game::{
        At, BoardSeen, Boards, ClockNews, Game, GameConfig, Input, MoveState, Output, Person,
        Running, Started, Task, clock::TimeControl,
    },
    laws::Article,
};
use annabella_records::journal::GameId;
use annabella_words::{phrase::Note, text::plain};

/// With less time left a player is short of it, milliseconds. Source: FIDE 8.4.
const SHORT_MS: u64 = 5 * 60_000;
/// Where little is given, with less than this part of it.
const SHORT_PART: u64 = 10;

/// No name and no other text of a board's is shown longer, characters.
pub(crate) const LONGEST_NAME: usize = 100;
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

/// Who is short of time: White, Black.
pub(crate) fn short(time_control: &str, (white_ms, black_ms, _): (u64, u64, Running)) -> [bool; 2] {
    let control: TimeControl = time_control.parse().unwrap_or_default();
    let limit_ms = SHORT_MS.min(control.initial_ms() / SHORT_PART);
    [white_ms, black_ms].map(|left_ms| left_ms < limit_ms)
}

/// A board's text as others see it: in one line, and not too long.
pub(crate) fn shown(text: &str, longest: usize) -> String {
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

/// One copy of a game, as far as its rows came.
#[derive(Debug, Default)]
pub(crate) struct Followed {
    pub(crate) copy: u32,
    rows: u64,
    sum: [u8; 16],
    pub(crate) game: Game,
    /// The last row's moment at the board.
    pub(crate) at: At,
    /// Since when the boards differ.
    differ: Option<At>,
    /// Since when the clock is lost.
    clock_lost: Option<At>,
    /// Since when the sighted player's board is.
    sighted_lost: Option<At>,
    /// Since when the arbiter is called, and in which words.
    called: Option<(At, Note)>,
    /// Why it is not followed any more.
    pub(crate) broken: Option<String>,
}

impl Followed {
    /// Nothing of it has come yet.
    pub(crate) fn of_copy(copy: u32) -> Followed {
        Followed { copy, ..Followed::default() }
    }

    /// A row of it came.
    pub(crate) fn take(&mut self, row: &StreamRow, patience: &mut Patience) -> Took {
        let of = row.of;
        if row.row.number <= self.rows || self.broken.is_some() {
            return Took::Nothing;
        }
        if row.row.number > self.rows + 1 || !row.row.follows(of.game, self.sum) {
            let number = self.rows + 1;
            return self.breaks(format!("row {number} of game {} is missing or changed", of.game));
        }
        let before = std::mem::replace(&mut self.at, At::new(row.row.at_ms));
        let mut input: Input = match serde_json::from_str(&row.row.json) {
            Ok(input) => input,
            Err(_) => {
                return self.breaks("it is written by another version of this program".to_owned());
            }
        };
        (self.rows, self.sum) = (row.row.number, row.row.sum);
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
            Ok(Ok(outputs)) => outputs,
            Ok(Err(refused)) if self.game.record().is_none() => {
                let why = shown(&refused.text.to_string(), LONGEST_TEXT);
                let (row, game) = (self.rows, of.game);
                return self.breaks(format!("row {row} of game {game} begins no game: {why}"));
            }
            Ok(Err(refused)) => refused.meanwhile,
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
                    let (_, told) = self.called.get_or_insert_with(|| (self.at, brief(&text)));
                    // Why may follow.
                    if *told == Note::AssistantCalls {
                        *told = brief(&text);
                    }
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

    /// It is not followed any more, and whoever looks at the board is to know that.
    fn breaks(&mut self, why: String) -> Took {
        self.broken = Some(why);
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

    pub(crate) fn stands(&self, id: GameId, now: At) -> Option<GameStands> {
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

    /// What waits for the arbiter.
    pub(crate) fn needs(&self, now: At) -> Vec<Need> {
        // A board's own moments may be anything.
        let waits_ms = |since: At| now.ms.saturating_sub(since.ms).min(LONGEST_WAIT_MS);
        let mut needs = Vec::new();
        let proposals = self.game.record().map_or(&[][..], |record| record.proposals);
        let open = || proposals.iter().filter(|proposal| proposal.is_open());
        // What is proposed for it stands below, with its article.
        let called = self.called.as_ref();
        let called = called.filter(|(_, call)| open().all(|open| brief(&open.text) != *call));
        if let Some((since, call)) = called {
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
        for open in open().take(MOST_PROPOSALS) {
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
