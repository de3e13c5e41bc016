//! Sealing a move in private (I.1.1): the part of the conversation that no journal, log or page
//! sees.
//!
//! While a player seals, the service gives every input to [`Sealing::take`] first. His words,
//! typing and pegs stay there: they are neither journaled nor handled by the game. Answers are
//! whispered ([`Output::Whisper`]) or reveal nothing of the move. Only when he stops his clock does
//! the move leave this place, once, to be encrypted. Until then he may change it (I.1.1).
//!
//! # Who hears the whisper
//!
//! The earphone is the blind player's, and his sealed move is read back to him there. To a sighted
//! player, or where two blind players share a channel, nothing is read back. Where loudspeaker and
//! earphone are one device, the service drops the whisper.
//!
//! # A power cut
//!
//! A move that was not sealed is forgotten. The invitation is in the journal, and the player says
//! the move again.

use shakmaty::{Chess, Color, Move, Position, Square, uci::UciMove};

use super::{
    Article, At, Channel, Game, Input, Output, Stage, Urgency,
    correcting::step_in_words,
    device_clock::ClockNews,
    devices::{BoardSeen, ShownBoard},
    door::tells_moves,
    envelope::{tells_nothing, with_touched},
    felt::{one_pawn, only},
    press::LeverPressed,
    reading::{in_force, read},
    sealers_board::{SealersBoard, Told},
    touch,
};
use crate::{
    sensing::{Edge, Felt},
    sight::judge::moves_shown,
};
use annabella_words::phrase::{
    Command, Note, Prompt, Slot, SpokenForm, Understood, Utterance, Words,
    hear::{Answer, Asked, Context, Ear, Heard, HeardDecision, Thresholds},
};

/// The fate of an input.
#[derive(Clone, Debug, PartialEq)]
pub enum Taken {
    /// The input does not concern the sealing: journal and handle it as usual.
    Passed,
    /// The input stays here. Carry out these outputs.
    Kept(Vec<Output>),
    /// A request that reveals nothing of the move: journal and handle this one in its place.
    Instead(Input),
    /// The clock is stopped: seal this move, in UCI.
    Seal(String),
}

/// The private conversation with a player who seals his move.
pub struct Sealing {
    words: Words,
    ear: Ear,
    thresholds: Thresholds,
    position: Chess,
    sealer: Color,
    /// The player who seals is blind: speech of an unknown speaker is his.
    blind: bool,
    /// The earphone is this player's alone.
    whispers: bool,
    /// The board on which his moves are executed.
    board: Option<SealersBoard>,
    said: Said,
    /// The game waits for a yes or no of its own.
    game_asks: bool,
}

/// What the player has said or shown of his move.
#[derive(Default)]
struct Said {
    /// The move that his own board shows executed. He has to seal it (I.1.1).
    made: Option<Move>,
    chosen: Option<Move>,
    /// The move that the open question is about.
    asked: Option<Move>,
    /// The moves that fit his words.
    unclear: Vec<Move>,
    /// What he has touched before it, in order, on a board that is no peg board.
    lifted: Vec<Square>,
    /// The same, before the move that his pegs show.
    touched: Vec<Square>,
}

impl std::fmt::Debug for Sealing {
    /// Reveals nothing of the move.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sealing").field("sealer", &self.sealer).finish_non_exhaustive()
    }
}

impl Game {
    /// The private conversation, if a player is to seal his move now.
    pub fn sealing(&self) -> Option<Sealing> {
        let play = self.play.as_deref()?;
        if play.adjourning() != Some(Stage::Invited) {
            return None;
        }
        let sealer = play.mover();
        let blind = play.seats[sealer].blind;
        Some(Sealing {
            words: Words::clone(&play.terms.words),
            ear: play.terms.ears[sealer].clone(),
            thresholds: play.terms.config.hearing,
            position: play.position().clone(),
            sealer,
            blind,
            whispers: blind && !play.seats[!sealer].blind,
            board: SealersBoard::of(play, sealer),
            said: Said { lifted: play.seats[sealer].conduct.touched().to_vec(), ..Said::default() },
            game_asks: false,
        })
    }
}

impl Sealing {
    /// The player who seals.
    pub fn sealer(&self) -> Color {
        self.sealer
    }

    /// A whole reading of the board that was kept from the game, for when it goes on unsealed.
    pub fn board(&self) -> Option<Input> {
        self.board.as_ref().map(SealersBoard::whole)
    }

    /// When the board next decides something by itself.
    pub fn due(&self) -> Option<At> {
        self.board.as_ref().and_then(SealersBoard::due_ms).map(At::new)
    }

    /// Lets time pass.
    pub fn advance(&mut self, at: At) -> Vec<Output> {
        let mut felt = Vec::new();
        if let Some(board) = &mut self.board {
            board.advance(at.ms, &mut felt);
        }
        self.felt(felt)
    }

    /// Takes in an input. `game_asks`: see [`Game::asks`].
    pub fn take(&mut self, at: At, input: &Input, game_asks: bool) -> Taken {
        self.game_asks = game_asks;
        let his = |seat: &Option<Color>, sealing: &Sealing| match seat {
            Some(seat) => *seat == sealing.sealer,
            None => sealing.blind,
        };
        match input {
            Input::Edge { seat, square, occupied, .. } if self.is_board(*seat) => {
                let edge = Edge { at_ms: at.ms, square: *square, occupied: *occupied };
                self.on_board(|board, felt| board.edge(edge, felt))
            }
            Input::Board { seat, occupied } if self.is_board(*seat) => {
                let occupied = (*occupied).into();
                self.on_board(|board, felt| board.snapshot(at.ms, occupied, felt))
            }
            Input::Sighted { seat, uci } if *seat == self.sealer => {
                let mv = uci.parse::<UciMove>().ok();
                if let Some(mv) = mv.and_then(|uci| uci.to_move(&self.position).ok()) {
                    (self.said.made, self.said.chosen) = (Some(mv), Some(mv));
                }
                Taken::Kept(Vec::new())
            }
            Input::BoardSeen { seat, seen } if *seat == self.sealer && tells_moves(seen) => {
                match seen {
                    BoardSeen::Still { shown, .. } => self.shown(shown),
                    BoardSeen::Lifted { square, .. } => self.lifted(*square),
                    _ => {}
                }
                Taken::Kept(Vec::new())
            }
            Input::Said { seat, heard } if his(seat, self) => self.said(heard),
            Input::Heard { seat, heard, pushed } if his(seat, self) => self.heard(heard, *pushed),
            Input::Button { seat, asks } if his(seat, self) => self.command(asks.command()),
            Input::Typed { seat, text, as_written } if *seat == self.sealer => {
                self.typed(&text.0, *as_written)
            }
            Input::Typed { .. } => refused(Note::OtherSeals),
            Input::Pressed { seat }
            | Input::Clock(ClockNews::Pressed(LeverPressed { seat, .. }))
                if *seat == self.sealer =>
            {
                self.pressed()
            }
            _ => Taken::Passed,
        }
    }

    /// A piece of his leaves its square. Others may be those of a move that he has yet to copy.
    fn lifted(&mut self, square: Square) {
        let own = self.position.board().color_at(square) == Some(self.sealer);
        if own && !self.said.lifted.contains(&square) {
            self.said.lifted.push(square);
        }
    }

    /// His board shows a move, or none any more.
    fn shown(&mut self, shown: &ShownBoard) {
        let Some(picture) = shown.picture() else { return };
        let moves = moves_shown(&self.position, &picture);
        if let Some(mv) = super::felt::only(moves.iter()) {
            (self.said.made, self.said.chosen) = (Some(mv), Some(mv));
        } else if picture.fits(self.position.board()) {
            (self.said.made, self.said.chosen) = (None, None);
        }
    }

    fn is_board(&self, seat: Color) -> bool {
        self.board.as_ref().is_some_and(|board| board.seat() == seat)
    }

    fn on_board(&mut self, tells: impl FnOnce(&mut SealersBoard, &mut Vec<Felt>) -> Told) -> Taken {
        let mut felt = Vec::new();
        let told = self.board.as_mut().map_or(Told::Kept, |board| tells(board, &mut felt));
        let outputs = self.felt(felt);
        match told {
            Told::Kept => Taken::Kept(outputs),
            Told::Passed => Taken::Passed,
            Told::Right(board) => Taken::Instead(board),
        }
    }

    fn felt(&mut self, felt: Vec<Felt>) -> Vec<Output> {
        let own = self.is_board(self.sealer);
        let led_back = self.board.as_ref().and_then(SealersBoard::led_back_of);
        let mut outputs = Vec::new();
        for felt in felt {
            match felt {
                Felt::Executed(executed) if own => {
                    self.said.made = Some(executed.mv);
                    self.said.touched = executed.touched;
                    outputs.extend(self.choose(executed.mv));
                }
                Felt::TakenBack { .. } if own => {
                    (self.said.made, self.said.chosen) = (None, None);
                }
                Felt::Which { moves, .. } if own && one_pawn(&moves) => {
                    self.said.unclear = moves;
                    outputs.extend(self.say(Prompt::WhichPiece));
                }
                Felt::Astray { step, .. } => {
                    let words = step_in_words(&self.words, step);
                    outputs.extend(led_back.map(|seat| in_ear(seat, words)));
                }
                _ => {}
            }
        }
        outputs
    }

    fn say(&self, prompt: Prompt) -> Vec<Output> {
        if !self.whispers {
            return Vec::new();
        }
        vec![in_ear(self.sealer, self.words.prompt(prompt, &[]))]
    }

    fn whisper(&self, prompt: Prompt, slots: &[Slot<'_>]) -> Vec<Output> {
        if !self.whispers {
            return Vec::new();
        }
        vec![Output::Whisper { seat: self.sealer, words: self.words.prompt(prompt, slots) }]
    }

    fn slot(&self, mv: Move) -> Slot<'_> {
        Slot::Move { pos: &self.position, mv, form: SpokenForm::Full }
    }

    fn choose(&mut self, mv: Move) -> Vec<Output> {
        self.said.asked = None;
        self.said.unclear.clear();
        let mv = self.said.made.unwrap_or_else(|| {
            self.said.chosen = Some(mv);
            mv
        });
        self.said.chosen = Some(mv);
        self.whisper(Prompt::SealedMove, &[self.slot(mv)])
    }

    /// The player named a move. A move that his board shows executed must be sealed (I.1.1).
    fn names(&mut self, mv: Move) -> Vec<Output> {
        match self.said.made {
            Some(made) if made != mv => {
                self.said.asked = None;
                self.whisper(Prompt::AnnouncedButExecuted, &[self.slot(mv), self.slot(made)])
            }
            _ => self.choose(mv),
        }
    }

    fn several(&mut self, moves: Vec<Move>) -> Vec<Output> {
        let prompt = if one_pawn(&moves) { Prompt::WhichPiece } else { Prompt::AmbiguousSpoken };
        self.said.unclear = moves;
        self.say(prompt)
    }

    fn pressed(&mut self) -> Taken {
        match self.said.chosen {
            Some(mv) => self.seals(UciMove::from_standard(mv).to_string(), mv),
            None if self.whispers => Taken::Kept(self.say(Prompt::SealFirst)),
            None => Taken::Kept(vec![Output::Problem {
                article: Article::I_1_1,
                text: Note::SealedNotNamed,
                refused: false,
                detail: serde_json::json!({}),
            }]),
        }
    }

    /// Into the envelope, with what he had touched where that forbids the move: it binds him as on
    /// the board, and only the arbiter is to learn of it, when he opens (4.3, I.7).
    fn seals(&self, text: String, mv: Move) -> Taken {
        let own = self.board.as_ref().filter(|board| board.seat() == self.sealer);
        let touched = match own {
            Some(_) if self.said.made.is_some() => &self.said.touched,
            Some(board) => board.tracker().touched(),
            None => &self.said.lifted[..],
        };
        let against = touch::check(&self.position, touched, mv).is_some();
        Taken::Seal(if against { with_touched(&text, touched) } else { text })
    }

    /// The player typed the move: it is sealed at once and his clock stopped. An unreadable text is
    /// sealed only if he insists on it. A move that his board shows executed binds him (I.1.1).
    fn typed(&mut self, text: &str, as_written: bool) -> Taken {
        match (in_force(&self.words, &self.position, text).map(|read| read.mv), self.said.made) {
            (Ok(mv), Some(made)) if mv != made => refused(Note::OtherMoveShown),
            (Err(_), Some(_)) => refused(Note::MoveShown),
            // Also how he wrote it, a draw offer beside it, goes into the envelope.
            (Ok(mv), _) => self.seals(text.to_owned(), mv),
            (Err(_), None) if as_written => Taken::Seal(text.to_owned()),
            (Err(_), None) => refused(Note::SealedUnreadable),
        }
    }

    fn said(&mut self, heard: &[String]) -> Taken {
        for text in heard {
            match read(&self.words, &self.position, text) {
                Understood::NotHeard => {}
                understood => return self.understood(understood),
            }
        }
        Taken::Kept(self.say(Prompt::NotHeard))
    }

    fn understood(&mut self, understood: Understood) -> Taken {
        Taken::Kept(match understood {
            Understood::Move(mv) => self.names(mv),
            Understood::Ambiguous(moves) => self.several(moves),
            Understood::Piece(role) => self.piece(role),
            Understood::Correction(inner) => return self.understood(*inner),
            Understood::Command(command) => return self.command(command),
            Understood::Illegal(spoken) => {
                self.whisper(Prompt::IllegalSpoken, &[Slot::Spoken(&spoken.text)])
            }
            // A claim with a move would reveal it.
            Understood::Claim { .. } | Understood::NotHeard => self.say(Prompt::NotHeard),
        })
    }

    fn piece(&mut self, role: shakmaty::Role) -> Vec<Output> {
        match only(self.said.unclear.iter().filter(|mv| mv.promotion() == Some(role))) {
            Some(mv) => self.names(mv),
            None => self.say(Prompt::NotHeard),
        }
    }

    fn heard(&mut self, heard: &Heard, pushed: bool) -> Taken {
        let asked = match () {
            () if self.said.asked.is_some() => Asked::YesNo,
            () if !self.said.unclear.is_empty() => Asked::Piece,
            () if self.game_asks => Asked::YesNo,
            () => Asked::Nothing,
        };
        let context = Context {
            asked,
            draw_offered: true,
            to_start: false,
            to_complete: false,
            by_word: false,
            ..Context::default()
        };
        let matcher = self.ear.matcher(&self.position, context).with_thresholds(self.thresholds);
        let decision = matcher.decide(heard);
        Taken::Kept(match decision {
            HeardDecision::Accept { mv, .. } => self.names(mv),
            // Said twice, or the hands say the same.
            HeardDecision::Confirm { mv, .. }
                if self.said.asked == Some(mv) || self.said.made == Some(mv) =>
            {
                self.names(mv)
            }
            HeardDecision::Confirm { mv, .. } => {
                self.said.asked = Some(mv);
                self.whisper(Prompt::ConfirmMove, &[self.slot(mv)])
            }
            HeardDecision::Ambiguous { moves, .. } => self.several(moves),
            HeardDecision::Illegal { spoken, .. } => {
                self.whisper(Prompt::IllegalSpoken, &[Slot::Spoken(&spoken.text)])
            }
            HeardDecision::Again { candidates } if pushed || !candidates.is_empty() => {
                self.say(Prompt::NotHeard)
            }
            HeardDecision::Again { .. } => Vec::new(),
            HeardDecision::Command { command, .. } => return self.command(command),
            HeardDecision::ConfirmCommand { command, intended: None, .. }
                if command.is_irrevocable() =>
            {
                return self.command(command);
            }
            HeardDecision::ConfirmCommand { .. } | HeardDecision::AskCommand { .. } => {
                self.say(Prompt::NotHeard)
            }
            HeardDecision::Answer { answer, .. } => match answer {
                Answer::Yes => return self.command(Command::Yes),
                Answer::No => return self.command(Command::No),
                Answer::Piece(role) => self.piece(role),
                Answer::Number(_) => Vec::new(),
            },
        })
    }

    fn command(&mut self, command: Command) -> Taken {
        match command {
            Command::Press => self.pressed(),
            Command::Yes => match self.said.asked {
                Some(mv) => Taken::Kept(self.choose(mv)),
                None => self.pass_on(command),
            },
            Command::No if self.said.asked.take().is_some() => {
                Taken::Kept(self.say(Prompt::AskAgain))
            }
            Command::No => self.pass_on(command),
            Command::Cancel => {
                self.said.asked = None;
                self.said.unclear.clear();
                self.said.chosen = self.said.made;
                Taken::Kept(self.say(Prompt::Cancelled))
            }
            Command::Repeat => Taken::Kept(match self.said.chosen {
                Some(mv) => self.whisper(Prompt::SealedMove, &[self.slot(mv)]),
                None => self.say(Prompt::SealMove),
            }),
            Command::Help | Command::Pending => Taken::Kept(self.say(Prompt::SealMove)),
            Command::Stop => Taken::Kept(vec![Output::Hush { seat: Some(self.sealer) }]),
            // On the move until he has sealed, unless he has touched a piece (9.2, 9.3, 9.4).
            Command::ClaimRepetition | Command::ClaimFifty if self.has_touched() => {
                Taken::Kept(self.say(Prompt::ClaimTooLate))
            }
            command if tells_nothing(command) => self.pass_on(command),
            _ => Taken::Kept(self.say(Prompt::NotHeard)),
        }
    }

    fn has_touched(&self) -> bool {
        let mut own = self.board.iter().filter(|board| board.seat() == self.sealer);
        own.any(|board| !board.tracker().touched().is_empty()) || self.said.made.is_some()
    }

    /// The request in the pack's own words: none of what was really said goes with it.
    fn pass_on(&self, command: Command) -> Taken {
        if matches!(command, Command::Yes | Command::No) && !self.game_asks {
            return Taken::Kept(Vec::new());
        }
        match self.words.phrase_for(command) {
            Some(text) => {
                Taken::Instead(Input::Said { seat: Some(self.sealer), heard: vec![text] })
            }
            None => Taken::Kept(self.say(Prompt::NotHeard)),
        }
    }
}

fn in_ear(seat: Color, words: Utterance) -> Output {
    let (channel, urgency) = (Channel::Private, Urgency::Answer);
    Output::Say { channel, seat: Some(seat), urgency, words }
}

/// Says why, and nothing of the move.
fn refused(why: Note) -> Taken {
    Taken::Kept(vec![Output::Problem {
        article: Article::I_1_1,
        text: why,
        refused: true,
        detail: serde_json::json!({}),
    }])
}
