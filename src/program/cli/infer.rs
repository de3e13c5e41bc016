//! `annabella infer`: sensor events in, moves out.
//!
//! A move is printed once nothing can take it back: the clock was pressed, the next move was
//! executed, or the events end. So a peg in a wrong hole, corrected, leaves no trace but the right
//! move, however long it stood there.

use std::{
    io::{Cursor, Read, Write},
    path::PathBuf,
};

use serde_json::{Value, json};
use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, Square, san::SanPlus};

use super::{Exit, Failure, position};
use annabella_core::{
    game::{SensingConfig, touch, write_fen},
    laws::Article,
    notation::{self, PieceLetters},
    sensing::{
        Debounce, Diff, Edge, Executed, Fault, Felt, IllegalShape, PegStep, SettleSettings, Tracker,
    },
};
use annabella_devices::{
    board::events::{EventLine, PegEvent},
    lines::{Line, Lines},
};
use annabella_records::whole;
use annabella_words::{
    phrase::{Command, Understood, Words, understand_typed},
    text::uci,
};

/// Reads sensor events and prints the moves that they show.
#[derive(Debug, clap::Args)]
pub struct InferArgs {
    /// Position that the board starts from (FEN); the usual one if not given.
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Pack in whose words moves are announced, besides any notation of Appendix C.
    #[arg(long, value_name = "LANG", default_value = "fide")]
    pub words: String,
    /// Contacts shorter than this are bounce, milliseconds.
    #[arg(long, value_name = "MS", default_value_t = SensingConfig::default().debounce_ms,
        value_parser = clap::value_parser!(u64).range(..=60_000))]
    pub debounce_ms: u64,
    /// Stillness that makes a move executed, milliseconds.
    #[arg(long, value_name = "MS", default_value_t = SensingConfig::default().settle_ms,
        value_parser = clap::value_parser!(u64).range(..=60_000))]
    pub settle_ms: u64,
    /// Events, one JSON object a line; `-` is standard input.
    pub file: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] names the file, the line and what is wrong with it.
pub fn run(args: &InferArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let start = position(args.fen.as_deref())?;
    let words = Words::builtin(&args.words, "de")
        .map_err(|err| Failure::usage(format!("--words: {err}")))?;
    let name = args.file.display().to_string();
    let mut session = PegSession::new(start, words, args.debounce_ms, args.settle_ms);
    let unread = |err| Failure::usage(format!("cannot read {name}: {err}"));
    let reader: Box<dyn Read> = match &*name {
        "-" => Box::new(std::io::stdin()),
        _ => Box::new(Cursor::new(whole::read(&args.file).map_err(unread)?)),
    };
    for line in Lines::of(reader) {
        let Line { number, text, .. } = line.map_err(unread)?;
        if text.as_ref().is_ok_and(|text| text.trim().is_empty()) {
            continue;
        }
        let read = text.map_err(|bad| bad.to_string()).and_then(|text| {
            let event = EventLine::parse(&text).map_err(|err| err.to_string())?;
            session.line(event)
        });
        if let Err(what) = read {
            session.print(out)?;
            return Err(Failure::usage(format!("{name}, line {number}: {what}")));
        }
        session.print(out)?;
    }
    session.end();
    session.print(out)?;
    Ok(if session.problems { Exit::Problem } else { Exit::Done })
}

/// An executed move that may still be taken back.
struct Held {
    executed: Executed,
    before: Chess,
    announced_instead: Option<Move>,
}

/// One peg board read from events.
pub struct PegSession {
    debounce: Debounce,
    debounce_ms: u64,
    tracker: Tracker,
    words: Words,
    now_ms: u64,
    ply: u32,
    held: Option<Held>,
    /// A promotion piece named before the pawn was promoted.
    named: Option<Role>,
    question: Option<(u64, Vec<Move>)>,
    lines: Vec<Value>,
    problems: bool,
}

impl PegSession {
    /// A board that shows `start`.
    pub fn new(start: Chess, words: Words, debounce_ms: u64, settle_ms: u64) -> PegSession {
        let defaults = SensingConfig::default();
        let settings = SettleSettings {
            settle_ms,
            castling_ms: defaults.castling_ms.max(settle_ms),
            guide_ms: defaults.guide_ms.max(settle_ms),
            press_ms: debounce_ms * 3,
            ..SettleSettings::default()
        };
        PegSession {
            debounce: Debounce::new(debounce_ms, start.board().occupied()),
            debounce_ms,
            tracker: Tracker::new(start, settings),
            words,
            now_ms: 0,
            ply: 0,
            held: None,
            named: None,
            question: None,
            lines: Vec::new(),
            problems: false,
        }
    }

    /// Takes in one event.
    ///
    /// # Errors
    /// A time that is missing or goes back.
    pub fn line(&mut self, line: EventLine) -> Result<(), String> {
        let t_ms = line.t_ms.ok_or("t is missing: add \"t\", milliseconds")?;
        if t_ms < self.now_ms {
            return Err(format!("t goes back from {} to {t_ms}: times must rise", self.now_ms));
        }
        self.until(t_ms);
        match line.event {
            PegEvent::Reed { square, occupied } => {
                self.debounce.edge(Edge { at_ms: t_ms, square, occupied });
            }
            PegEvent::Board(occupied) => self.board(t_ms, occupied),
            PegEvent::Announce { text, .. } => self.announce(t_ms, &text),
            PegEvent::Press(color) => self.press(t_ms, color),
        }
        Ok(())
    }

    /// The events are over: decides about pegs that are still at rest.
    pub fn end(&mut self) {
        let rest_ms = SensingConfig::default().guide_ms + self.debounce_ms * 4;
        self.until(self.now_ms.saturating_add(rest_ms));
        self.release();
        if let Some((t_ms, moves)) = self.question.take() {
            self.unanswered(t_ms, &moves);
        }
        self.lines.push(json!({ "fen": write_fen(self.tracker.position()) }));
    }

    /// The lines that are ready.
    pub fn take_lines(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.lines)
    }

    fn print(&mut self, out: &mut dyn Write) -> std::io::Result<()> {
        for line in self.take_lines() {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    /// Lets time pass up to `now_ms`. The tracker follows the contacts, so it runs late by the
    /// debounce time.
    fn until(&mut self, now_ms: u64) {
        let mut edges = Vec::new();
        let mut felt = Vec::new();
        while let Some(due_ms) = self.debounce.due_ms().filter(|due_ms| *due_ms <= now_ms) {
            self.debounce.advance(due_ms, &mut edges);
            for edge in edges.drain(..) {
                self.advance(edge.at_ms, &mut felt);
                self.tracker.edge(edge, &mut felt);
                self.felt(std::mem::take(&mut felt));
            }
        }
        self.advance(now_ms.saturating_sub(self.debounce_ms), &mut felt);
        self.now_ms = self.now_ms.max(now_ms);
    }

    /// Decision by decision, so that each is seen in the position that it was made in.
    fn advance(&mut self, now_ms: u64, felt: &mut Vec<Felt>) {
        while let Some(due_ms) = self.tracker.due_ms().filter(|due_ms| *due_ms <= now_ms) {
            self.tracker.advance(due_ms, felt);
            self.felt(std::mem::take(felt));
        }
    }

    fn board(&mut self, t_ms: u64, occupied: Bitboard) {
        self.debounce = Debounce::new(self.debounce_ms, occupied);
        let mut felt = Vec::new();
        self.tracker.snapshot(t_ms, occupied, &mut felt);
        self.felt(felt);
    }

    fn press(&mut self, t_ms: u64, color: Color) {
        let mut felt = Vec::new();
        self.tracker.press(t_ms, color, &mut felt);
        self.felt(felt);
    }

    fn felt(&mut self, felt: Vec<Felt>) {
        for felt in felt {
            match felt {
                Felt::Touched { .. } => {}
                Felt::Executed(executed) => self.executed(executed),
                Felt::TakenBack { .. } => self.held = None,
                Felt::Which { moves, at_ms } => self.which(moves, at_ms),
                Felt::Astray { step, diff, at_ms } => self.astray(step, diff, at_ms),
                Felt::Restored { .. } | Felt::Mended { .. } => {}
                Felt::Illegal { seen, at_ms, .. } => self.illegal(&seen, at_ms),
                Felt::PressedWithoutMove { color, at_ms, .. } => {
                    let text = format!("{color} pressed the clock without a move");
                    self.problem(Article::A7_5_3, text, at_ms, json!({}));
                }
                Felt::Displaced { color, at_ms, .. } => {
                    let text = format!("{color} pressed the clock with displaced pieces");
                    self.problem(Article::A7_4_1, text, at_ms, json!({}));
                }
                Felt::PressedEarly { mv, step, at_ms, .. } => {
                    let text = "the clock was pressed before the announced move was executed";
                    self.problem(
                        Article::D_2_4,
                        text,
                        at_ms,
                        json!({ "announced": uci(mv), "next": step.map(step_json) }),
                    );
                }
                Felt::PressedHalf { at_ms, .. } => {
                    let text = "the clock was pressed before the move was executed in full";
                    self.problem(Article::D_2_4, text, at_ms, json!({}));
                }
                Felt::Pressed { .. } => {
                    self.release();
                    self.tracker.close();
                }
                Felt::Fault { square, fault, at_ms } => {
                    let (fault, text) = match fault {
                        Fault::Dead => ("dead", format!("the reed of {square} does not answer")),
                        Fault::Stuck => ("stuck", format!("the reed of {square} always answers")),
                    };
                    let detail = json!({ "square": square.to_string(), "fault": fault });
                    self.problem(Article::D_2_3, text, at_ms, detail);
                }
                Felt::CapturedStands { mv, square, at_ms, .. } => {
                    let text = format!("the piece on {square} has not been taken away");
                    self.problem(
                        Article::D_2_3,
                        text,
                        at_ms,
                        json!({ "announced": uci(mv), "square": square.to_string() }),
                    );
                }
                Felt::SetUp { position, at_ms } => {
                    self.release();
                    self.ply = 0;
                    let fen = write_fen(&position);
                    self.lines.push(json!({ "t": at_ms, "set_up": fen }));
                }
            }
        }
    }

    fn executed(&mut self, executed: Executed) {
        if executed.revises.is_none() {
            self.release();
        }
        self.question = None;
        let Some(before) = self.tracker.previous_position().cloned() else {
            return;
        };
        let announced_instead = self.tracker.announced_instead();
        self.held = Some(Held { executed, before, announced_instead });
    }

    /// Prints the held move: it can't be taken back any more.
    fn release(&mut self) {
        let Some(Held { executed, before, announced_instead }) = self.held.take() else {
            return;
        };
        self.ply += 1;
        let violation = touch::check(&before, &executed.touched, executed.mv);
        let touched: Vec<String> = executed.touched.iter().map(Square::to_string).collect();
        let mut notes: Vec<String> = violation
            .iter()
            .map(|violation| format!("{}: {}", violation.article, violation.text))
            .collect();
        if executed.by_announcement {
            notes.push("by announcement: the reeds alone did not show it".to_owned());
        }
        let executed_uci = uci(executed.mv);
        self.lines.push(json!({
            "ply": self.ply,
            "uci": executed_uci,
            "san": SanPlus::from_move(before.clone(), executed.mv).to_string(),
            "t": executed.at_ms,
            "touched": touched,
            "notes": notes,
        }));
        if let Some(violation) = violation {
            let detail = json!({
                "paragraph": violation.article,
                "touched": touched,
                "must": violation.square.to_string(),
                "uci": executed_uci,
            });
            self.problem(violation.under(), violation.text.to_string(), executed.at_ms, detail);
        }
        if let Some(announced) = announced_instead {
            let detail = json!({ "announced": uci(announced), "executed": executed_uci });
            let text = "the announced and the executed move differ";
            self.problem(Article::D_2_3, text, executed.at_ms, detail);
        }
    }

    fn problem(&mut self, article: Article, text: impl Into<String>, t_ms: u64, detail: Value) {
        self.problems = true;
        self.lines.push(json!({
            "problem": text.into(),
            "article": article,
            "t": t_ms,
            "detail": detail,
        }));
    }

    /// Asked at once; a problem only if nobody answers.
    fn which(&mut self, moves: Vec<Move>, at_ms: u64) {
        if let Some(role) = self.named.take()
            && let Some(mv) = moves.iter().find(|mv| mv.promotion() == Some(role)).copied()
        {
            self.say(at_ms, mv);
            return;
        }
        self.question = Some((at_ms, moves));
    }

    fn unanswered(&mut self, t_ms: u64, moves: &[Move]) {
        let ucis: Vec<String> = moves.iter().map(|mv| uci(*mv)).collect();
        let (article, text) = if moves.iter().all(|mv| mv.is_promotion()) {
            (Article::D_2_1, "the promotion piece was not named".to_owned())
        } else {
            (Article::D_2_3, format!("several moves fit, announce which: {}", ucis.join(", ")))
        };
        self.problem(article, text, t_ms, json!({ "moves": ucis }));
    }

    fn astray(&mut self, step: PegStep, diff: Diff, at_ms: u64) {
        let text = match step {
            PegStep::Take(square, None) => {
                format!("the board fits no move: take away the peg on {square}")
            }
            PegStep::Take(square, Some(piece)) => {
                format!("the board fits no move: take {} from {square}", piece_name(piece))
            }
            PegStep::Put(square, piece) => {
                format!("the board fits no move: put {} on {square}", piece_name(piece))
            }
        };
        let detail = json!({ "step": step_json(step), "extra": squares(diff.extra), "missing": squares(diff.missing) });
        self.problem(Article::A7_4, text, at_ms, detail);
    }

    fn illegal(&mut self, seen: &IllegalShape, at_ms: u64) {
        let gone: Vec<String> = seen.gone.iter().map(|(square, _)| square.to_string()).collect();
        let filled: Vec<String> = seen.filled.iter().map(Square::to_string).collect();
        let moved = seen.piece.map(|(piece, from, to)| {
            json!({ "piece": piece.char().to_string(), "from": from.to_string(), "to": to.to_string() })
        });
        let detail = json!({
            "color": seen.color.to_string(),
            "emptied": gone,
            "filled": filled,
            "move": moved,
            "reason": seen.reason,
        });
        self.problem(
            Article::A7_5_1,
            format!("completed illegal move: {}", seen.reason),
            at_ms,
            detail,
        );
    }

    /// Words or notation, for the position, for the last move, or for the move after the one that
    /// was announced and not yet felt.
    fn announce(&mut self, t_ms: u64, text: &str) {
        let here = self.tracker.position().clone();
        let last = self.held.as_ref().map(|held| (held.before.clone(), held.executed.mv));
        if let Some((before, mv)) = &last
            && self.read(before, text) == Some(Spoken::Move(*mv))
        {
            return;
        }
        match self.read(&here, text) {
            Some(Spoken::Move(mv)) => return self.say(t_ms, mv),
            Some(Spoken::Several(moves)) => return self.say_several(t_ms, text, &moves),
            Some(Spoken::Piece(role)) => return self.say_piece(t_ms, role),
            Some(Spoken::Adjust) => return self.tracker.adjust(),
            Some(Spoken::Other) => return,
            None => {}
        }
        if let Some(announced) = self.tracker.announced() {
            let mut after = here.clone();
            after.play_unchecked(announced);
            if let Some(Spoken::Move(mv)) = self.read(&after, text) {
                let mut felt = Vec::new();
                if self.tracker.trust_announcement(t_ms, &mut felt) {
                    self.felt(felt);
                    return self.say(t_ms, mv);
                }
            }
        }
        if let Some((before, _)) = &last
            && let Some(Spoken::Move(mv)) = self.read(before, text)
            && self.tracker.announce_instead(before, mv)
        {
            if let Some(held) = &mut self.held {
                held.announced_instead = Some(mv);
            }
            return;
        }
        let detail = json!({ "announced": text });
        self.problem(Article::D_2_1, format!("'{text}' announces no legal move"), t_ms, detail);
    }

    fn say(&mut self, t_ms: u64, mv: Move) {
        self.question = None;
        let mut felt = Vec::new();
        self.tracker.announce(t_ms, mv, &mut felt);
        self.felt(felt);
    }

    fn say_several(&mut self, t_ms: u64, text: &str, moves: &[Move]) {
        let asked: Vec<Move> =
            self.tracker.asked().iter().filter(|mv| moves.contains(mv)).copied().collect();
        if let [mv] = asked.as_slice() {
            return self.say(t_ms, *mv);
        }
        if moves.iter().all(|mv| mv.is_promotion()) {
            // The pawn's way without the piece: the piece is asked for when the pegs show it.
            return;
        }
        let ucis: Vec<String> = moves.iter().map(|mv| uci(*mv)).collect();
        let detail = json!({ "announced": text, "moves": ucis });
        self.problem(Article::D_2_1, format!("'{text}' fits several moves"), t_ms, detail);
    }

    fn say_piece(&mut self, t_ms: u64, role: Role) {
        let asked = self.tracker.asked().iter().find(|mv| mv.promotion() == Some(role)).copied();
        match asked {
            Some(mv) => self.say(t_ms, mv),
            None => self.named = Some(role),
        }
    }

    fn read(&self, position: &Chess, text: &str) -> Option<Spoken> {
        let mut understood = understand_typed(&self.words, position, text);
        while let Understood::Correction(inner) = understood {
            understood = *inner;
        }
        match understood {
            Understood::Move(mv) => Some(Spoken::Move(mv)),
            Understood::Ambiguous(moves) => Some(Spoken::Several(moves)),
            Understood::Piece(role) => Some(Spoken::Piece(role)),
            Understood::Command(Command::Adjust) => Some(Spoken::Adjust),
            Understood::Command(_) | Understood::Claim { .. } => Some(Spoken::Other),
            Understood::Illegal(_) | Understood::NotHeard | Understood::Correction(_) => {
                let letters = self.words.moves().code().parse().unwrap_or(PieceLetters::English);
                match notation::read_in(position, text, letters) {
                    Ok(read) => Some(Spoken::Move(read.mv)),
                    // Nobody is there to be asked; whoever writes these lines may write any
                    // notation.
                    Err(notation::NotationError::OtherLetters { mv, .. }) => Some(Spoken::Move(mv)),
                    Err(notation::NotationError::Ambiguous { moves, .. }) => {
                        Some(Spoken::Several(moves))
                    }
                    Err(_) => None,
                }
            }
        }
    }
}

/// An announcement's meaning in one position.
#[derive(Debug, PartialEq)]
enum Spoken {
    Move(Move),
    Several(Vec<Move>),
    Piece(Role),
    Adjust,
    Other,
}

fn squares(squares: Bitboard) -> Vec<String> {
    squares.into_iter().map(|square| square.to_string()).collect()
}

fn piece_name(piece: shakmaty::Piece) -> String {
    format!("the {} {}", piece.color, annabella_words::text::role_name(piece.role))
}

fn step_json(step: PegStep) -> Value {
    match step {
        PegStep::Take(square, None) => json!({ "take": square.to_string() }),
        PegStep::Take(square, Some(piece)) => {
            json!({ "take": square.to_string(), "piece": piece.char().to_string() })
        }
        PegStep::Put(square, piece) => {
            json!({ "put": square.to_string(), "piece": piece.char().to_string() })
        }
    }
}
