//! A table at which everything goes wrong that hands, voices and power can do: pegs put, lifted,
//! slid, knocked and swapped, announcements before, between and after, presses by either side,
//! kills at any input. After each turn the players do what she says and nothing else, and the game
//! must go on.

mod desk;
mod ear;
mod line;
mod player;
mod store;
// `make soak` compares nothing.
#[allow(dead_code)]
#[path = "../../shared/transcript.rs"]
pub(crate) mod transcript;
mod whole;

use std::sync::OnceLock;

use annabella_core::game::{
    ArbiterAct, At, Blind, Channel, Duties, Game, GameConfig, Input, MoveState, Output, Ruling,
    Running, Started,
};
use annabella_words::phrase::{SpokenForm, Words};
use desk::Desk;
use ear::Ear;
use player::Turn;
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Move, Position, Square, fen::Fen};
use store::Store;
#[allow(unused_imports)]
pub(crate) use store::{Faults, Plant};
use transcript::Transcript;
use whole::Reeds;
#[allow(unused_imports)]
pub(crate) use whole::{Whole, play_whole};

/// Half-moves of a game.
const PLIES: usize = 14;
/// So many steps of everybody at the table, each one sentence and what it asks for, until the game
/// goes on. What stands wrong, at its worst, costs one more a square.
const STEPS: usize = 5;
/// Positions in which captures, en passant, promotions and castling come soon; the usual one as
/// often.
const STARTS: [&str; 4] = [
    "r3k2r/pp3ppp/2n2n2/2ppp3/2PPP3/2N2N2/PP3PPP/R3K2R w KQkq - 0 8",
    "4k3/2p1p3/8/1P1P1P2/8/8/P6P/4K3 b - - 0 1",
    "4k3/P5P1/8/8/8/8/p5p1/4K3 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
];

/// All of them speak German.
static EAR: OnceLock<Ear> = OnceLock::new();
static WORDS: OnceLock<Words> = OnceLock::new();

/// One table.
struct Mayhem {
    rng: ChaCha8Rng,
    words: &'static Words,
    ear: &'static Ear,
    store: Store,
    now_ms: u64,
    /// What really stands, on White's board and on Black's.
    pegs: [Bitboard; 2],
    /// Holes emptied since the last move was completed, likewise.
    emptied: [Bitboard; 2],
    /// The sighted player's board, where one sees it.
    desk: Option<Desk>,
    /// The contacts under both boards, where everything is simulated.
    reeds: Option<[Reeds; 2]>,
    /// What White and Black heard last and have not acted upon, and whether from the loudspeaker.
    heard: [Option<(String, bool)>; 2],
    steps: Played,
    /// The time of a blind player who waits for his opponent's move, milliseconds left.
    innocent_ms: Option<u64>,
    trace: Vec<String>,
    transcript: Transcript,
}

/// How a game went: of each half-move the steps that the players needed, and how many of them were
/// for squares that stood wrong.
pub(crate) type Played = Vec<(usize, usize)>;

/// Plays one game. `Err`: what went wrong, with all that was done.
pub(crate) fn play(seed: u64) -> Result<Played, String> {
    Mayhem::new(seed, false).play(seed)
}

/// The same at a table where a board sees what the sighted player does.
#[allow(dead_code)]
pub(crate) fn play_seen(seed: u64) -> Result<Played, String> {
    Mayhem::new(seed, true).play(seed)
}

/// What was said and done at a table of this kind: `hands`, `seen` or `whole`.
#[allow(dead_code)]
pub(crate) fn transcript_of(kind: &str, seed: u64) -> Transcript {
    let mayhem = match kind {
        "whole" => Mayhem::whole(seed, None),
        kind => Ok(Mayhem::new(seed, kind == "seen")),
    };
    let mut mayhem = mayhem.expect("a table");
    if let Err(why) = mayhem.plays_all() {
        mayhem.transcript.note(format!("failed: {why}"));
    }
    mayhem.transcript
}

impl Mayhem {
    fn play(mut self, seed: u64) -> Result<Played, String> {
        let played = self.plays_all();
        played.map_err(|why| format!("mayhem {seed}: {why}\n  {}", self.trace.join("\n  ")))?;
        if std::env::var("TRACE").is_ok() {
            println!("{}", self.trace.join("\n"));
        }
        Ok(self.steps)
    }

    fn plays_all(&mut self) -> Result<(), String> {
        for _ in 0..PLIES {
            if !self.turn()? {
                break;
            }
        }
        Ok(())
    }

    fn set(seed: u64, seen: bool) -> (Mayhem, Started) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let words = WORDS.get_or_init(|| Words::builtin("fide", "de").expect("German"));
        let duties = Duties {
            announce: rng.random(),
            start_clock: rng.random_bool(0.3),
            ..Duties::default()
        };
        let blind = *[Blind::White, Blind::Black, Blind::Both].choose(&mut rng).expect("three");
        let start = (*STARTS.choose(&mut rng).expect("some")).to_owned();
        let blind = match (seen, blind) {
            (true, Blind::Both) if rng.random() => Blind::White,
            (true, Blind::Both) => Blind::Black,
            _ => blind,
        };
        let desk_of = if blind == Blind::White { Color::Black } else { Color::White };
        let knows = seen && rng.random_bool(0.7);
        let config = GameConfig {
            sighted_board: seen,
            blind,
            duties,
            start: Some(start.clone()),
            time_control: "90+30".to_owned(),
            ..GameConfig::default()
        };
        let german = include_str!("../../../voices/de.toml").to_owned();
        let started = Started {
            config,
            packs: vec![german.clone(), german],
            confusions: Default::default(),
            build: "test".to_owned(),
            unix_s: 1_700_000_000,
        };
        let fen: Fen = start.parse().expect("a FEN");
        let position: Chess = fen.into_position(shakmaty::CastlingMode::Standard).expect("legal");
        let occupied = position.board().occupied();
        let mayhem = Mayhem {
            rng,
            words,
            ear: EAR.get_or_init(|| Ear::new(Words::builtin("de", "de").expect("German"))),
            store: Store::memory(),
            now_ms: 1000,
            pegs: [occupied; 2],
            emptied: [Bitboard::EMPTY; 2],
            desk: seen.then(|| Desk::new(desk_of, position.board().clone(), knows)),
            reeds: None,
            heard: [None, None],
            steps: Vec::new(),
            innocent_ms: None,
            transcript: Transcript::default(),
            trace: vec![format!("{blind:?} {duties:?} knows pieces: {knows} {start}")],
        };
        (mayhem, started)
    }

    /// Everything in memory.
    fn new(seed: u64, seen: bool) -> Mayhem {
        let (mut mayhem, started) = Mayhem::set(seed, seen);
        mayhem.input(Input::Started(Box::new(started))).expect("it starts");
        mayhem.input(Input::ClockStarted).expect("the clock starts");
        mayhem
    }

    fn game(&self) -> &Game {
        self.store.game()
    }

    fn config(&self) -> GameConfig {
        self.game().record().expect("a game").config.clone()
    }

    fn peg_boards(&self) -> Vec<Color> {
        let blind = self.config().blind;
        Color::ALL.into_iter().filter(|color| blind.is(*color)).collect()
    }

    fn position(&self) -> Chess {
        self.game().position().expect("a game").clone()
    }

    fn plies(&self) -> usize {
        self.game().record().expect("a game").line.len()
    }

    /// Where a player's moves are executed first.
    fn board_of(&self, mover: Color) -> Color {
        let own = self.config().blind.is(mover) || self.desk.is_some();
        if own { mover } else { !mover }
    }

    fn input(&mut self, input: Input) -> Result<(), String> {
        let note = match &input {
            Input::Edge { seat, square, occupied, .. } => {
                format!("{} {seat} {square}{}", self.now_ms, if *occupied { '+' } else { '-' })
            }
            Input::Started(_) | Input::Woke => String::new(),
            input => format!("{} {input:?}", self.now_ms),
        };
        if !note.is_empty() {
            self.trace.push(note);
        }
        let outputs = self.store.take(At::new(self.now_ms), input)?;
        self.looks(&outputs)
    }

    fn looks(&mut self, outputs: &[Output]) -> Result<(), String> {
        self.transcript.outputs(self.now_ms, self.store.game(), outputs);
        for output in outputs {
            self.look_at(output)?;
        }
        self.keeps_the_laws()
    }

    fn look_at(&mut self, output: &Output) -> Result<(), String> {
        match output {
            Output::Say { channel, seat, words, .. } => {
                let ear = if *channel == Channel::Public { "loud" } else { "ear" };
                self.trace.push(format!("    {ear}: {words}"));
                self.hears(*seat, words.to_string(), *channel == Channel::Public);
            }
            Output::Move { ply, uci, san, seat, state, .. } => {
                self.trace.push(format!("    {state:?} {san}"));
                if *state == MoveState::Made {
                    let board = self.board_of(*seat) as usize;
                    // What pieces show needs no other witness, and a sighted player's word and
                    // press are his move before his opponent's pegs show it (D.2.5).
                    let blind = self.game().record().is_some_and(|of| of.config.blind.is(*seat));
                    if !blind {
                        return Ok(());
                    }
                    if self.desk.as_ref().is_some_and(|desk| desk.seat == *seat) {
                        return Ok(());
                    }
                    self.captured_is_gone(*ply as usize - 1, uci, board)?;
                }
            }
            Output::Problem { article, text, .. } => {
                self.trace.push(format!("    {article}: {text}"));
            }
            _ => {}
        }
        Ok(())
    }

    /// D.2.3.1: never is a move made whose captured piece has not left the board.
    fn captured_is_gone(&self, index: usize, uci: &str, board: usize) -> Result<(), String> {
        let record = self.game().record().expect("a game");
        let Some(ply) = record.line.get(index) else { return Ok(()) };
        let captured = match ply.mv {
            Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
            Move::Normal { capture: Some(_), to, .. } => Some(to),
            _ => None,
        };
        let Some(captured) = captured else { return Ok(()) };
        let stands = ply.mv.is_en_passant() && self.pegs[board].contains(captured);
        if stands || !self.emptied[board].contains(captured) {
            return Err(format!("{uci} was made while the piece on {captured} stood"));
        }
        Ok(())
    }

    /// D.2.4: the clock of the player who waits does not run; nobody innocent loses time.
    fn keeps_the_laws(&mut self) -> Result<(), String> {
        let Some(record) = self.game().record() else { return Ok(()) };
        if record.is_over() {
            return Ok(());
        }
        let open = record.line.last().filter(|ply| ply.completed.is_none());
        let his = open.map_or(record.position.turn(), |ply| ply.mover);
        let runs = match record.clock.2 {
            Running::White => Some(Color::White),
            Running::Black => Some(Color::Black),
            Running::None => None,
        };
        // A sighted player's press stands before his move is known (D.2.5).
        let sighted = !record.config.blind.is(his);
        if runs == Some(!his) && !sighted {
            return Err(format!("the clock of {:?} runs while {his:?} has to move", !his));
        }
        self.innocent_keeps_his_time(his, runs)
    }

    fn wait(&mut self, ms: u64) -> Result<(), String> {
        let end = self.now_ms + ms;
        loop {
            let desk = self.desk_due().filter(|ms| *ms <= end);
            let wake = self.store.wake_at().map(|at| at.ms).filter(|ms| *ms <= end);
            let Some(next) = [desk, wake].into_iter().flatten().min() else { break };
            self.now_ms = self.now_ms.max(next);
            if desk == Some(next) { self.desk_reports()? } else { self.input(Input::Woke)? }
        }
        self.now_ms = end;
        Ok(())
    }

    fn peg(&mut self, seat: Color, square: Square, occupied: bool) -> Result<(), String> {
        if self.pegs[seat as usize].contains(square) == occupied {
            return Ok(());
        }
        let pause = self.rng.random_range(80..500);
        self.wait(pause)?;
        self.pegs[seat as usize].set(square, occupied);
        if !occupied {
            self.emptied[seat as usize].add(square);
        }
        self.contact(seat, square, occupied)
    }

    fn says(&mut self, seat: Option<Color>, text: String) -> Result<(), String> {
        self.wait(200)?;
        self.input(Input::Said { seat, heard: vec![text] })?;
        self.wait(100)
    }

    fn press(&mut self, seat: Color) -> Result<(), String> {
        self.wait(150)?;
        self.input(Input::Pressed { seat })?;
        self.wait(150)
    }

    fn any_of(&mut self, squares: Bitboard) -> Option<Square> {
        let squares: Vec<Square> = squares.into_iter().collect();
        squares.choose(&mut self.rng).copied()
    }

    /// The machine loses its power and is back; the board is read as it stands.
    fn kill(&mut self) -> Result<(), String> {
        self.trace.push("    killed".to_owned());
        self.now_ms += self.rng.random_range(1000..60_000);
        let outputs = self.store.kill(At::new(self.now_ms), &mut self.rng)?;
        self.looks(&outputs)?;
        for seat in self.peg_boards() {
            let occupied = self.pegs[seat as usize].into();
            self.input(Input::Board { seat, occupied })?;
        }
        self.desk_is_found()
    }

    fn mishap(&mut self, seat: Color, mv: Move) -> Result<(), String> {
        let position = self.position();
        let legal = position.legal_moves();
        match self.rng.random_range(0..13) {
            0 => {
                // A piece lifted and set back, or into a wrong hole and back.
                let Some(square) = self.any_of(self.pegs[seat as usize]) else { return Ok(()) };
                self.peg(seat, square, false)?;
                if self.rng.random() {
                    let Some(hole) = self.any_of(!self.pegs[seat as usize]) else { return Ok(()) };
                    self.peg(seat, hole, true)?;
                    let rest = self.rng.random_range(50..900);
                    self.wait(rest)?;
                    self.peg(seat, hole, false)?;
                }
                self.peg(seat, square, true)
            }
            1 => {
                // Knocked over, and set up again in another order.
                let mut off = Vec::new();
                for _ in 0..self.rng.random_range(2..4) {
                    if let Some(square) = self.any_of(self.pegs[seat as usize]) {
                        self.peg(seat, square, false)?;
                        off.push(square);
                    }
                }
                let rest = self.rng.random_range(50..3000);
                self.wait(rest)?;
                for square in off {
                    self.peg(seat, square, true)?;
                }
                Ok(())
            }
            2 => {
                // A stray peg, which stays.
                let Some(hole) = self.any_of(!self.pegs[seat as usize]) else { return Ok(()) };
                self.peg(seat, hole, true)
            }
            3 => {
                let Some(square) = self.any_of(self.pegs[seat as usize]) else { return Ok(()) };
                self.peg(seat, square, false)
            }
            4 => self.press(Color::White),
            5 => self.press(Color::Black),
            6 => {
                let other = *legal.choose(&mut self.rng).expect("a move");
                let text = self.words.announce(&position, other, SpokenForm::Full).to_string();
                self.says(None, text)
            }
            7 => {
                let text = self.words.announce(&position, mv, SpokenForm::Full).to_string();
                let before = if self.rng.random() { "Korrektur " } else { "" };
                self.says(Some(position.turn()), format!("{before}{text}"))
            }
            8 => self.says(None, "ich korrigiere".to_owned()),
            9 => {
                let what = *["ja", "nein", "was ist offen", "Dame", "Blumenkohl", "abbrechen"]
                    .choose(&mut self.rng)
                    .expect("some");
                self.says(None, what.to_owned())
            }
            10 => self.kill(),
            11 => {
                // Half of the move.
                let from = mv.from().expect("no drops");
                self.peg(seat, from, false)
            }
            _ => {
                let ms = self.rng.random_range(100..6000);
                self.wait(ms)
            }
        }
    }

    /// One half-move: mishaps, then players who listen. `false`: the game is over.
    fn turn(&mut self) -> Result<bool, String> {
        if self.game().ended().is_some() {
            return Ok(false);
        }
        let (position, plies) = (self.position(), self.plies());
        let mover = position.turn();
        let seat = self.board_of(mover);
        let legal = position.legal_moves();
        let Some(mv) = legal.choose(&mut self.rng).copied() else { return Ok(false) };
        // A move that is still open may be executed once more.
        let line = self.game().record().expect("a game").line;
        if line.last().is_none_or(|ply| ply.completed.is_some()) {
            self.emptied = [Bitboard::EMPTY; 2];
        }
        self.heard = [None, None];
        self.trace.push(format!("-- {mover:?}: {mv:?}"));
        self.innocent_ms = None;
        for _ in 0..self.rng.random_range(0..4) {
            self.fault()?;
            match self.desk.as_ref().map(|desk| desk.seat) {
                Some(_) if self.rng.random() => self.desk_mishap(mv)?,
                Some(sighted) => self.mishap(!sighted, mv)?,
                None => self.mishap(seat, mv)?,
            }
            if self.game().ended().is_some() {
                return Ok(false);
            }
        }
        self.is_repaired()?;
        let turn = Turn { begun: position, plies, mover, mv };
        let (mut step, mut wrong) = (0, self.wrong());
        while !self.goes_on(plies, mover)? {
            if self.game().ended().is_some() {
                return Ok(false);
            }
            if step == STEPS + wrong {
                let desk = self.desk.as_ref().map(Desk::stands);
                let shown =
                    Color::ALL.map(|seat| self.game().shown(seat).map(|s| fen(&s.position)));
                let (fen, wrong) = (fen(&self.position()), self.wrong());
                return Err(format!(
                    "no way on after {step} steps: {fen}, the pegs {shown:?}, the desk {desk:?}, {wrong} squares wrong"
                ));
            }
            self.all_step(&turn)?;
            step += 1;
            wrong = wrong.max(self.wrong());
        }
        self.steps.push((step, wrong));
        Ok(true)
    }

    /// How many squares of all boards stand otherwise than in the game.
    fn wrong(&self) -> usize {
        let position = self.position();
        let pegs = self.peg_boards().into_iter();
        let wrong = pegs.map(|seat| self.pegs[seat as usize] ^ position.board().occupied());
        wrong.map(Bitboard::count).sum::<usize>() + self.wrong_on_desk()
    }

    fn hears(&mut self, seat: Option<Color>, text: String, aloud: bool) {
        for color in Color::ALL {
            if seat.is_none_or(|seat| seat == color) {
                self.heard[color as usize] = Some((text.clone(), aloud));
            }
        }
    }

    /// The move is completed, on every peg board.
    fn goes_on(&mut self, plies: usize, mover: Color) -> Result<bool, String> {
        let record = self.game().record().expect("a game");
        let runs = if mover.is_white() { Running::Black } else { Running::White };
        // Of a sighted player who has pressed, what the pegs copy stays open until the reply.
        let pressed = !record.config.blind.is(mover) && record.clock.2 == runs;
        let done = record.line.len() > plies
            && (record.line[plies].completed.is_some() || pressed)
            // The reply may have been announced before and be made already.
            && (record.position.turn() != mover || record.line.len() > plies + 1);
        let shown =
            Color::ALL.into_iter().filter(|color| record.config.blind.is(*color)).all(|color| {
                let wanted = record.position.board().occupied();
                self.pegs[color as usize] == wanted
                    && self
                        .game()
                        .shown(color)
                        .is_some_and(|shown| shown.position == *record.position)
            });
        Ok(done && shown && self.desk_is_right())
    }

    fn starts_clocks(&mut self) -> Result<(), String> {
        let ruling = Ruling::new(ArbiterAct::StartClocks { side: None }, "A. Weber", "");
        if self.arrives_twice() {
            self.input(Input::Arbiter(Box::new(ruling.clone())))?;
        }
        self.input(Input::Arbiter(Box::new(ruling)))
    }
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}
