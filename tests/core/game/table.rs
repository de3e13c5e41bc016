//! A table: the game, time, and a record of everything that it asked for, one line each.

use annabella_core::{
    game::{
        ArbiterAct, At, Blind, BoardSeen, Boards, Channel, Duties, Game, GameConfig, Input, Learnt,
        MoveState, Output, Refused, Ruling, Running, ShownBoard, Started,
    },
    sensing::{Debounce, Edge},
};
use annabella_players::{hands::RawEdge, table::handled};
use annabella_words::phrase::hear::{Confusions, Heard, Hypothesis};
use shakmaty::{Bitboard, Board, Chess, Color, Piece, Position, Square};

/// German words for both: what the Laws say.
pub(crate) fn packs() -> Vec<String> {
    let german = include_str!("../../../voices/de.toml").to_owned();
    vec![german.clone(), german]
}

pub(crate) fn started(config: GameConfig) -> Input {
    Input::Started(Box::new(Started {
        config,
        packs: packs(),
        confusions: Default::default(),
        build: "test".to_owned(),
        unix_s: 1_700_000_000,
    }))
}

/// How things stand after an input.
pub(crate) struct After {
    /// White's and Black's time left, milliseconds, and whose clock runs.
    pub(crate) clock: (u64, u64, Running),
    pub(crate) turn: Color,
    /// Who made the last move without having completed it.
    pub(crate) uncompleted: Option<Color>,
    pub(crate) over: bool,
}

pub(crate) struct Table {
    pub(crate) game: Game,
    pub(crate) now_ms: u64,
    pub(crate) inputs: Vec<(At, Input)>,
    pub(crate) results: Vec<Result<Vec<Output>, Refused>>,
    pub(crate) after: Vec<After>,
    /// Whose pegs the hands are at.
    pub(crate) hand: Color,
    debounce: Debounce,
    lines: Vec<String>,
}

/// The player announces his moves himself, the opponent has a board that reports.
pub(crate) fn speaking() -> GameConfig {
    GameConfig {
        sighted_board: true,
        duties: Duties { announce: false, ..Duties::default() },
        ..GameConfig::default()
    }
}

impl Table {
    /// The clock runs, and the player [`speaking`] has the move.
    pub(crate) fn speaking() -> Table {
        let mut table = Table::new(speaking());
        table.start_clock();
        table
    }

    /// The clock stands; `config` says the rest.
    pub(crate) fn new(config: GameConfig) -> Table {
        Table::taught(config, Confusions::default())
    }

    /// It knows what is mistaken for what when this player speaks.
    pub(crate) fn taught(config: GameConfig, own: Confusions) -> Table {
        Table::told_in(config, own, packs())
    }

    /// In the words of these packs.
    pub(crate) fn told_in(config: GameConfig, own: Confusions, packs: Vec<String>) -> Table {
        let confusions = Learnt { own, ..Learnt::default() };
        let hand = if config.blind.is(Color::White) { Color::White } else { Color::Black };
        let mut table = Table {
            game: Game::new(),
            now_ms: 1000,
            inputs: Vec::new(),
            results: Vec::new(),
            after: Vec::new(),
            hand,
            debounce: Debounce::new(20, Bitboard::EMPTY),
            lines: Vec::new(),
        };
        let Input::Started(begun) = started(config) else { unreachable!("a start") };
        table.input(Input::Started(Box::new(Started { confusions, packs, ..*begun })));
        let occupied = table.position().board().occupied();
        table.debounce = Debounce::new(20, occupied);
        table.lines.clear();
        table
    }

    /// From this position.
    pub(crate) fn at(fen: &str, config: GameConfig) -> Table {
        Table::new(GameConfig { start: Some(fen.to_owned()), ..config })
    }

    pub(crate) fn position(&self) -> &Chess {
        self.game.position().expect("a game that has started")
    }

    pub(crate) fn input(&mut self, input: Input) {
        let at = At::new(self.now_ms);
        self.inputs.push((at, input.clone()));
        let result = handled(&mut self.game, at, input);
        match &result {
            Ok(outputs) => self.note(outputs),
            Err(refused) => {
                self.note(&refused.meanwhile);
                let words = refused.words.as_ref().map(|words| format!(" – {words}"));
                self.lines.push(format!("refused {refused}{}", words.unwrap_or_default()));
            }
        }
        self.results.push(result);
        if let Some(record) = self.game.record() {
            let open = record.line.last().filter(|ply| ply.completed.is_none());
            self.after.push(After {
                clock: record.clock,
                turn: record.position.turn(),
                uncompleted: open.map(|ply| ply.mover),
                over: record.is_over(),
            });
        }
    }

    fn note(&mut self, outputs: &[Output]) {
        let both = self.game.record().is_some_and(|record| record.config.blind == Blind::Both);
        for output in outputs {
            let line = match output {
                Output::Say { channel: Channel::Public, words, .. } => format!("loud: {words}"),
                Output::Say { channel: Channel::Private, seat: Some(seat), words, .. } if both => {
                    format!("ear {seat}: {words}")
                }
                Output::Say { channel: Channel::Private, words, .. } => format!("ear: {words}"),
                Output::Move { san, state, .. } => {
                    let state = match state {
                        MoveState::Executed => "executed",
                        MoveState::Announced => "announced",
                        MoveState::Made => "made",
                        MoveState::Completed => "completed",
                    };
                    format!("{state} {san}")
                }
                Output::Clock { running, .. } => format!("clock: {running:?}"),
                Output::Problem { article, text, .. } => format!("problem {article}: {text}"),
                Output::Touched { square, piece, .. } => format!("touched {piece} on {square}"),
                Output::Boards(boards) => match boards {
                    Boards::Agree => "boards agree".to_owned(),
                    Boards::Pending => "boards pending".to_owned(),
                    Boards::Differ => "boards differ".to_owned(),
                },
                Output::Result { result, reason, article } => {
                    format!("result {result}: {reason} ({article})")
                }
                Output::Whisper { words, .. } => format!("whisper: {words}"),
                Output::Show { words, .. } => format!("display: {words}"),
                Output::Proposal(proposal) if proposal.is_open() => {
                    format!("proposal {} {}: {}", proposal.number, proposal.article, proposal.text)
                }
                Output::Proposal(proposal) => {
                    format!("proposal {} {:?}", proposal.number, proposal.state).to_lowercase()
                }
                Output::Settled(settled) => format!("settled after ply {}", settled.ply),
                Output::Correct { seat, steps } => format!("correct {seat}: {}", steps.len()),
                Output::Ruled(ruled) => format!("ruled by {}", ruled.ruling.by),
                Output::Hush { .. } => "hush".to_owned(),
                Output::Manner { volume, words_per_minute, .. } => {
                    format!("volume {volume}, {words_per_minute} words a minute")
                }
                Output::Heard(_) | Output::Codes { .. } | Output::Prepare { .. } => {
                    continue;
                }
            };
            self.lines.push(line);
        }
    }

    /// Everything since the last look.
    pub(crate) fn heard(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lines)
    }

    /// What was spoken since the last look, and nothing else.
    pub(crate) fn spoken(&mut self) -> Vec<String> {
        let said = |line: &String| line.starts_with("loud: ") || line.starts_with("ear");
        self.heard().into_iter().filter(said).collect()
    }

    /// Lets time pass; the game is woken when it asks for it.
    pub(crate) fn wait(&mut self, ms: u64) {
        let end = self.now_ms + ms;
        let mut woken = 0;
        while let Some(at) = self.game.wake_at().filter(|at| at.ms <= end) {
            self.now_ms = self.now_ms.max(at.ms);
            self.input(Input::Woke);
            woken += 1;
            assert!(woken < 1000, "woken again and again at {}", self.now_ms);
        }
        self.now_ms = end;
    }

    fn peg(&mut self, square: &str, occupied: bool) {
        let square: Square = square.parse().expect("a square");
        let seat = self.hand;
        self.input(Input::Edge { seat, square, occupied, ago_ms: 0 });
    }

    pub(crate) fn lift(&mut self, square: &str) {
        self.wait(200);
        self.peg(square, false);
    }

    pub(crate) fn put(&mut self, square: &str) {
        self.wait(200);
        self.peg(square, true);
    }

    /// A quiet move of the hands, and time to come to rest.
    pub(crate) fn moves(&mut self, from: &str, to: &str) {
        self.lift(from);
        self.put(to);
        self.wait(600);
    }

    pub(crate) fn takes(&mut self, from: &str, to: &str) {
        self.lift(to);
        self.moves(from, to);
    }

    pub(crate) fn press(&mut self, seat: Color) {
        self.wait(100);
        self.input(Input::Pressed { seat });
        self.wait(100);
    }

    pub(crate) fn says(&mut self, seat: impl Into<Option<Color>>, text: &str) {
        self.wait(100);
        self.input(Input::Said { seat: seat.into(), heard: vec![text.to_owned()] });
        self.wait(100);
    }

    /// A recogniser heard one of these, with these probabilities.
    pub(crate) fn hears(&mut self, texts: &[(&str, f64)]) {
        self.hears_of(None, texts, false);
    }

    /// The same, with the talk key held.
    pub(crate) fn hears_pushed(&mut self, texts: &[(&str, f64)]) {
        self.hears_of(None, texts, true);
    }

    pub(crate) fn hears_of(&mut self, seat: Option<Color>, texts: &[(&str, f64)], pushed: bool) {
        self.wait(100);
        let hypotheses = texts.iter().map(|(text, p)| Hypothesis::new(*text, *p)).collect();
        self.input(Input::Heard { seat, heard: Heard::ranked(hypotheses), pushed });
        self.wait(100);
    }

    /// Heard for certain, so many decibels above the room.
    pub(crate) fn hears_above_room(&mut self, text: &str, db: f32) {
        self.wait(100);
        let heard = Heard { above_room_db: Some(db), ..Heard::text(text) };
        self.input(Input::Heard { seat: None, heard, pushed: false });
        self.wait(100);
    }

    pub(crate) fn sighted(&mut self, seat: Color, uci: &str) {
        self.wait(100);
        self.input(Input::Sighted { seat, uci: uci.to_owned() });
        self.wait(100);
    }

    /// The board before `seat`, which is no peg board, reports something.
    pub(crate) fn seen(&mut self, seat: Color, seen: BoardSeen) {
        self.input(Input::BoardSeen { seat, seen });
    }

    /// It has just come to rest like this.
    pub(crate) fn shows(&mut self, seat: Color, board: &Board) {
        self.wait(300);
        let shown = ShownBoard::Pieces(board.board_fen().to_string());
        self.seen(seat, BoardSeen::Still { shown, ago_ms: 250 });
    }

    /// Hands at it: what they lift is seen at once, how it stands when they have gone.
    pub(crate) fn puts(
        &mut self,
        seat: Color,
        board: &mut Board,
        changes: &[(Square, Option<Piece>)],
    ) {
        for (square, piece) in changes {
            if board.piece_at(*square).is_some() {
                self.seen(seat, BoardSeen::Lifted { square: *square, ago_ms: 0 });
            }
            match piece {
                Some(piece) => board.set_piece_at(*square, *piece),
                None => board.discard_piece_at(*square),
            }
            self.seen(seat, BoardSeen::Moving);
            self.wait(100);
        }
        self.shows(seat, board);
    }

    /// The arbiter decides.
    pub(crate) fn rules(&mut self, act: ArbiterAct) {
        self.rules_because(act, "");
    }

    pub(crate) fn rules_because(&mut self, act: ArbiterAct, reason: &str) {
        self.wait(100);
        let ruling = Ruling::new(act, "A. Weber", reason);
        self.input(Input::Arbiter(Box::new(ruling)));
        self.wait(100);
    }

    /// White's and Black's time left, milliseconds, and whose clock runs.
    pub(crate) fn clock(&self) -> (u64, u64, Running) {
        self.game.record().expect("a game").clock
    }

    pub(crate) fn start_clock(&mut self) {
        self.input(Input::ClockStarted);
        self.heard();
    }

    /// Raw contacts of a script, debounced as the service does it.
    pub(crate) fn feel(&mut self, edges: &[RawEdge], end_ms: u64) {
        for edge in edges {
            self.rest(edge.t_ms);
            let RawEdge { t_ms, square, occupied } = *edge;
            self.debounce.edge(Edge { at_ms: t_ms, square, occupied });
        }
        self.rest(end_ms + 2200);
    }

    fn rest(&mut self, until_ms: u64) {
        let mut edges = Vec::new();
        while let Some(due_ms) = self.debounce.due_ms().filter(|due_ms| *due_ms <= until_ms) {
            self.wait(due_ms.saturating_sub(self.now_ms));
            self.debounce.advance(due_ms, &mut edges);
            let seat = self.hand;
            for Edge { square, occupied, .. } in edges.drain(..) {
                self.input(Input::Edge { seat, square, occupied, ago_ms: 0 });
            }
        }
        self.wait(until_ms.saturating_sub(self.now_ms));
    }
}
