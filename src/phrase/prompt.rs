//! What Annabella says beside moves: sentences with slots, from the prompt pack.

use shakmaty::{Chess, Color, File, Move, Piece, Rank, Role, Square};

use super::{
    Form, Utterance, Words,
    pack::Pack,
    reader::{Problem, Reader, nearest},
    say::Say,
};

/// What fills a slot of a prompt.
#[derive(Clone, Copy, Debug)]
pub enum Slot<'a> {
    /// A legal move of this position, in the move language.
    Move {
        /// The position before the move.
        pos: &'a Chess,
        /// A move legal there.
        mv: Move,
        /// How much of it is said.
        form: Form,
    },
    /// Several moves of one position, in full.
    Moves {
        /// The position before the moves.
        pos: &'a Chess,
        /// Moves legal there.
        moves: &'a [Move],
    },
    /// Words that are already there, as an announcement made earlier.
    Words(&'a Utterance),
    /// Words of the move language, as [`super::grammar::Spoken::text`].
    Spoken(&'a str),
    /// A square, in the move language.
    Square(Square),
    /// A file, in the move language.
    File(File),
    /// A rank, in the move language.
    Rank(Rank),
    /// Squares, in the move language.
    Squares(&'a [Square]),
    /// A kind of piece, in the prompt language.
    Piece(Role),
    /// A piece with its colour.
    ColoredPiece(Piece),
    /// Pieces with their squares, grouped by colour: `Weiß: Turm Gustav eins.`
    Pieces(&'a [(Square, Piece)]),
    /// Pieces of one file, grouped by colour, with their ranks only.
    OnFile(&'a [(Square, Piece)]),
    /// Pieces of one rank, grouped by colour, with their files only.
    OnRank(&'a [(Square, Piece)]),
    /// Pieces without squares, counted, grouped by colour.
    Counted(&'a [Piece]),
    /// A player: `Weiß`.
    Player(Color),
    /// A number, as words.
    Number(u32),
    /// A time in milliseconds, cut to seconds, as words.
    Duration(u64),
    /// Words of the prompt language.
    Text(&'a str),
}

/// What may fill a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// [`Slot::Move`], [`Slot::Words`] or [`Slot::Spoken`].
    Move,
    /// [`Slot::Moves`].
    Moves,
    /// [`Slot::Square`].
    Square,
    /// [`Slot::File`].
    File,
    /// [`Slot::Rank`].
    Rank,
    /// [`Slot::Squares`].
    Squares,
    /// [`Slot::Piece`] or [`Slot::ColoredPiece`].
    Piece,
    /// [`Slot::Pieces`], [`Slot::OnFile`], [`Slot::OnRank`] or [`Slot::Counted`].
    Pieces,
    /// [`Slot::Player`].
    Player,
    /// [`Slot::Number`].
    Number,
    /// [`Slot::Duration`].
    Duration,
    /// [`Slot::Text`].
    Text,
}

impl Slot<'_> {
    /// Whether this may fill a slot of that kind.
    pub fn is(&self, kind: Kind) -> bool {
        let own = match self {
            Slot::Move { .. } | Slot::Words(_) | Slot::Spoken(_) => Kind::Move,
            Slot::Moves { .. } => Kind::Moves,
            Slot::Square(_) => Kind::Square,
            Slot::File(_) => Kind::File,
            Slot::Rank(_) => Kind::Rank,
            Slot::Squares(_) => Kind::Squares,
            Slot::Piece(_) | Slot::ColoredPiece(_) => Kind::Piece,
            Slot::Pieces(_) | Slot::OnFile(_) | Slot::OnRank(_) | Slot::Counted(_) => Kind::Pieces,
            Slot::Player(_) => Kind::Player,
            Slot::Number(_) => Kind::Number,
            Slot::Duration(_) => Kind::Duration,
            Slot::Text(_) => Kind::Text,
        };
        own == kind
    }
}

macro_rules! prompts {
    ($($(#[$doc:meta])* $name:ident $key:literal [$($slot:tt: $kind:ident),*];)*) => {
        /// Everything said beside moves. The slots are given in the order named in brackets.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Prompt {
            $($(#[$doc])* $name,)*
        }

        impl Prompt {
            /// Every prompt, in the order of a pack.
            pub const ALL: &'static [Prompt] = &[$(Prompt::$name,)*];

            /// The key in a pack's `[prompts]`.
            pub const fn key(self) -> &'static str {
                match self {
                    $(Prompt::$name => $key,)*
                }
            }

            /// Names and kinds of the slots, in the order in which they are given.
            pub const fn slots(self) -> &'static [(&'static str, Kind)] {
                match self {
                    $(Prompt::$name => &[$((stringify!($slot), Kind::$kind)),*],)*
                }
            }
        }
    };
}

prompts! {
    /// A pawn was promoted and nobody said to what. []
    WhichPiece "which-piece" [];
    /// Two moves fit what was felt or heard. [first, second]
    WhichMove "which-move" [first: Move, second: Move];
    /// More than two moves fit. [moves]
    WhichMoves "which-moves" [moves: Moves];
    /// Two misunderstandings in a row: answer with the number. [first, second]
    ChooseByNumber "choose-by-number" [first: Move, second: Move];
    /// Guidance: a peg that should not be there. [piece, square]
    Take "take" [piece: Piece, square: Square];
    /// Guidance: a peg that should not be there, unknown which. [square]
    TakeUnknown "take-unknown" [square: Square];
    /// Guidance: a peg is missing. [piece, square]
    Put "put" [piece: Piece, square: Square];
    /// Guidance is over. []
    BoardAgrees "board-agrees" [];
    /// The other board has not yet shown this move. [move]
    NotExecutedYet "not-executed-yet" [move: Move];
    /// The boards show different positions (D.2.9). []
    BoardsDiffer "boards-differ" [];
    /// They show the same position again; once. []
    BoardsAgreeAgain "boards-agree-again" [];
    /// One move was announced, another executed. [announced, executed]
    AnnouncedButExecuted "announced-but-executed" [announced: Move, executed: Move];
    /// A slip of the tongue was corrected in time (D.2.8). [move]
    Correction "correction" [move: Move];
    /// The opponent's move waits to be executed on the player's own board. [move]
    ExecuteOpponentMove "execute-opponent-move" [move: Move];
    /// An illegal move stands on the board. [from, to]
    IllegalMove "illegal-move" [from: Square, to: Square];
    /// No move leads to what stands on the board. []
    IllegalPosition "illegal-position" [];
    /// The clock was pressed on an illegal move (7.5.1). []
    IllegalCompleted "illegal-completed" [];
    /// The position before the irregularity is to be set up again (7.5.1). []
    GoBack "go-back" [];
    /// The clock was pressed before the move was announced (D.2.4). []
    AnnounceFirst "announce-first" [];
    /// The clock was pressed before the announced move was executed (D.2.4). [move]
    ExecuteFirst "execute-first" [move: Move];
    /// The captured piece is still on the board (D.2.3.1). []
    CaptureFirst "capture-first" [];
    /// The clock was pressed without a move (6.2.4, 7.5.3). []
    PressedWithoutMove "pressed-without-move" [];
    /// The opponent is to move. []
    NotYourTurn "not-your-turn" [];
    /// A piece was touched (D.2.2). [piece, square]
    Touched "touched" [piece: Piece, square: Square];
    /// "Ich korrigiere" was heard (4.2). []
    Adjusting "adjusting" [];
    /// A touched piece must be moved (4.3.1). [piece, square]
    MustMove "must-move" [piece: Piece, square: Square];
    /// A touched piece must be captured (4.3.2). [piece, square]
    MustCapture "must-capture" [piece: Piece, square: Square];
    /// The rook was touched first (4.4.2). []
    MayNotCastle "may-not-castle" [];
    /// A square feels nothing any more. [square]
    ReedDead "reed-dead" [square: Square];
    /// A square always feels a peg. [square]
    ReedStuck "reed-stuck" [square: Square];
    /// The pegs cannot be felt; the game goes on by announcement. []
    PlayOnByAnnouncement "play-on-by-announcement" [];
    /// The board shows the starting position. []
    StartPosition "start-position" [];
    /// It does not, and the game has not begun. []
    StartPositionWrong "start-position-wrong" [];
    /// The game has begun. []
    GameStarted "game-started" [];
    /// The game goes on after a stop. [move]
    GameResumed "game-resumed" [move: Move];
    /// The same, before the first move. []
    GameResumedAtStart "game-resumed-at-start" [];
    /// Mate (5.1.1). [winner]
    Checkmate "checkmate" [winner: Player];
    /// Stalemate (5.2.1). []
    Stalemate "stalemate" [];
    /// Neither can mate (5.2.2). []
    DeadPosition "dead-position" [];
    /// A player resigned (5.1.2). [loser, winner]
    Resigned "resigned" [loser: Player, winner: Player];
    /// Draw by agreement (5.2.3). []
    DrawAgreed "draw-agreed" [];
    /// Draw by repetition, claimed (9.2) or fivefold (9.6.1). []
    DrawByRepetition "draw-by-repetition" [];
    /// Draw by fifty (9.3) or seventy-five moves (9.6.2) without capture or pawn move. []
    DrawByMoveRule "draw-by-move-rule" [];
    /// A flag has fallen (6.9). [loser, winner]
    FlagFell "flag-fell" [loser: Player, winner: Player];
    /// A flag has fallen, the opponent cannot mate (6.9). [loser]
    FlagFellDraw "flag-fell-draw" [loser: Player];
    /// Second completed illegal move (7.5.5). [winner]
    IllegalLost "illegal-lost" [winner: Player];
    /// Nothing understandable was heard. []
    NotHeard "not-heard" [];
    /// The same, when it was not the first time. []
    AskAgain "ask-again" [];
    /// A move heard with doubt; yes or no. [move]
    ConfirmMove "confirm-move" [move: Move];
    /// Before resigning; yes or no. []
    ConfirmResign "confirm-resign" [];
    /// Before offering a draw. []
    ConfirmOfferDraw "confirm-offer-draw" [];
    /// Before accepting a draw. []
    ConfirmAcceptDraw "confirm-accept-draw" [];
    /// Before claiming a repetition (9.2.2). []
    ConfirmClaimRepetition "confirm-claim-repetition" [];
    /// Before claiming a repetition that the intended move brings about (9.2.1). [move]
    ConfirmClaimRepetitionWith "confirm-claim-repetition-with" [move: Move];
    /// Before claiming fifty moves (9.3.2). []
    ConfirmClaimFifty "confirm-claim-fifty" [];
    /// Before claiming fifty moves with an intended move (9.3.1). [move]
    ConfirmClaimFiftyWith "confirm-claim-fifty-with" [move: Move];
    /// The player's offer was passed on. []
    DrawOffered "draw-offered" [];
    /// The opponent offers a draw (9.1). []
    OpponentOffersDraw "opponent-offers-draw" [];
    /// An offer was declined. []
    DrawDeclined "draw-declined" [];
    /// There is no offer to accept or decline. []
    NoDrawOffer "no-draw-offer" [];
    /// A claim was made; the arbiter checks it (9.5). []
    ClaimMade "claim-made" [];
    /// A claim was wrong (9.5.3). []
    ClaimWrong "claim-wrong" [];
    /// A clearly spoken move that is not legal. [move]
    IllegalSpoken "illegal-spoken" [move: Move];
    /// Several pieces can make the spoken move. []
    AmbiguousSpoken "ambiguous-spoken" [];
    /// The opponent's repetition (D.2.1) is another move. [announced, repeated]
    RepeatedWrong "repeated-wrong" [announced: Move, repeated: Move];
    /// Own time, on request only. [time]
    YourTime "your-time" [time: Duration];
    /// Opponent's time, on request only. [time]
    OpponentTime "opponent-time" [time: Duration];
    /// Both, on request only. [yours, theirs]
    BothTimes "both-times" [yours: Duration, theirs: Duration];
    /// A time warning, if switched on. [time]
    TimeWarning "time-warning" [time: Duration];
    /// The clock cannot be read. []
    ClockUnknown "clock-unknown" [];
    /// The clock runs. []
    ClockStarted "clock-started" [];
    /// The clock stands. []
    ClockStopped "clock-stopped" [];
    /// Moves made, on request only. [n]
    MovesMade "moves-made" [n: Number];
    /// Moves to the time control, on request only. [n]
    MovesToControl "moves-to-control" [n: Number];
    /// There is no further time control. []
    NoControl "no-control" [];
    /// Whose move it is. [player]
    WhoseMove "whose-move" [player: Player];
    /// What stands on a square. [square, piece]
    SquareHolds "square-holds" [square: Square, piece: Piece];
    /// Nothing stands there. [square]
    SquareEmpty "square-empty" [square: Square];
    /// What stands on a file. [file, pieces]
    FileHolds "file-holds" [file: File, pieces: Pieces];
    /// Nothing stands there. [file]
    FileEmpty "file-empty" [file: File];
    /// What stands on a rank. [rank, pieces]
    RankHolds "rank-holds" [rank: Rank, pieces: Pieces];
    /// Nothing stands there. [rank]
    RankEmpty "rank-empty" [rank: Rank];
    /// Where the pieces of a kind stand. [piece, squares]
    WherePieces "where-pieces" [piece: Piece, squares: Squares];
    /// There is none of that kind. [piece]
    WhereNone "where-none" [piece: Piece];
    /// What has been captured. [pieces]
    Captured "captured" [pieces: Pieces];
    /// Nothing has been captured. []
    CapturedNone "captured-none" [];
    /// Announced and not yet executed, on request. [move]
    AnnouncedNotExecuted "announced-not-executed" [move: Move];
    /// Executed and not yet announced, on request. [move]
    ExecutedNotAnnounced "executed-not-announced" [move: Move];
    /// Nothing is pending. []
    NothingPending "nothing-pending" [];
    /// The last move, on request. [move]
    LastMove "last-move" [move: Move];
    /// No move has been made. []
    NoMoveYet "no-move-yet" [];
    /// What can be asked. []
    HelpShort "help-short" [];
    /// After louder or quieter. [n]
    VolumeNow "volume-now" [n: Number];
    /// After faster or slower. [n]
    RateNow "rate-now" [n: Number];
    /// The arbiter was called. []
    ArbiterCalled "arbiter-called" [];
    /// The arbiter must judge; nothing is certain. []
    ArbiterDecides "arbiter-decides" [];
    /// A penalty is proposed to the arbiter (7.5.5). [player, time]
    PenaltyProposed "penalty-proposed" [player: Player, time: Duration];
    /// A question was given up or answered with no. []
    Cancelled "cancelled" [];
    /// The microphone is gone. []
    MicrophoneLost "microphone-lost" [];
    /// It is back. []
    MicrophoneBack "microphone-back" [];
    /// The loudspeaker is gone (said on the earphone). []
    LoudspeakerLost "loudspeaker-lost" [];
    /// It is back. []
    LoudspeakerBack "loudspeaker-back" [];
    /// The peg board is gone. []
    BoardLost "board-lost" [];
    /// It is back. []
    BoardBack "board-back" [];
    /// The clock is gone. []
    ClockLost "clock-lost" [];
    /// It is back. []
    ClockBack "clock-back" [];
    /// Speech cannot be understood: no model. []
    SpeechUnavailable "speech-unavailable" [];
}

/// A sentence with slots, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template(Vec<Bit>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Bit {
    Text(String),
    Slot { index: usize, form: SlotForm },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SlotForm {
    Plain,
    /// `{piece.object}`: as it is taken or put.
    Object,
    /// `{n.moves}`: counted moves.
    Moves,
}

impl Template {
    /// Reads and checks the sentence of one prompt: exactly its slots, words and no digits.
    pub(super) fn read(
        prompt: Prompt,
        reader: &mut Reader<'_>,
        problems: &mut Vec<Problem>,
    ) -> Template {
        let key = prompt.key();
        let text = reader.text(key, problems);
        if text.is_empty() {
            return Template(Vec::new());
        }
        if super::numbers::has_digit(&text) {
            problems.push(reader.wrong(key, "has digits, write words"));
        }
        let mut bits = Vec::new();
        let mut rest = text.as_str();
        while let Some(open) = rest.find(['{', '}']) {
            if open > 0 {
                bits.push(Bit::Text(rest[..open].to_owned()));
            }
            let Some(close) = rest[open..].find('}').filter(|close| *close > 0) else {
                problems.push(reader.wrong(key, "has an unmatched brace"));
                return Template(bits);
            };
            match placeholder(prompt, &rest[open + 1..open + close]) {
                Ok(bit) => bits.push(bit),
                Err(why) => problems.push(reader.wrong(key, why)),
            }
            rest = &rest[open + close + 1..];
        }
        if !rest.is_empty() {
            bits.push(Bit::Text(rest.to_owned()));
        }
        for (n, (name, _)) in prompt.slots().iter().enumerate() {
            let used = |bit: &Bit| matches!(bit, Bit::Slot { index, .. } if *index == n);
            if !bits.iter().any(used) {
                problems.push(reader.wrong(key, format!("lacks {{{name}}}")));
            }
        }
        Template(bits)
    }
}

fn placeholder(prompt: Prompt, inside: &str) -> Result<Bit, String> {
    let (name, form) = inside.split_once('.').unwrap_or((inside, ""));
    let slots = prompt.slots();
    let Some(index) = slots.iter().position(|(slot, _)| *slot == name) else {
        let known = slots.iter().map(|(slot, _)| *slot);
        return Err(match nearest(name, known) {
            Some(near) => format!("{{{name}}} is unknown here, did you mean {{{near}}}?"),
            None => format!("{{{name}}} is unknown here"),
        });
    };
    let form = match (form, slots[index].1) {
        ("", _) => SlotForm::Plain,
        ("object", Kind::Piece) => SlotForm::Object,
        ("moves", Kind::Number) => SlotForm::Moves,
        _ => return Err(format!("{{{inside}}}: '{name}' has no form '{form}'")),
    };
    Ok(Bit::Slot { index, form })
}

impl Words {
    /// The sentence with its slots filled, each stretch in its own language. Slots come in the
    /// order of [`Prompt::slots`]; one that is not given stays unsaid.
    pub fn prompt(&self, prompt: Prompt, slots: &[Slot<'_>]) -> Utterance {
        debug_assert!(
            slots.len() == prompt.slots().len()
                && slots.iter().zip(prompt.slots()).all(|(s, (_, k))| s.is(*k)),
            "slots of {prompt:?} are {:?}",
            prompt.slots()
        );
        let mut say = Say::default();
        for bit in self.prompts.templates[prompt as usize].0.iter() {
            match bit {
                Bit::Text(text) => say.add(self.prompts.code(), text, text),
                Bit::Slot { index, form } => {
                    if let Some(slot) = slots.get(*index) {
                        self.fill(&mut say, slot, *form);
                    }
                }
            }
        }
        say.finish()
    }

    fn fill(&self, say: &mut Say, slot: &Slot<'_>, form: SlotForm) {
        let lang = self.prompts.code();
        let text = |say: &mut Say, text: &str| say.add(lang, text, text);
        match *slot {
            Slot::Move { pos, mv, form } => say.words(&self.announce(pos, mv, form)),
            Slot::Moves { pos, moves } => {
                for (n, mv) in moves.iter().enumerate() {
                    say.comma(n, lang);
                    say.words(&self.announce(pos, *mv, Form::Full));
                }
            }
            Slot::Words(words) => say.words(words),
            Slot::Spoken(spoken) => {
                say.add(self.moves.code(), spoken, &self.moves.pronounce(spoken));
            }
            Slot::Square(square) => self.square(say, square),
            Slot::File(file) => say.word(self.moves.code(), self.moves.file(file)),
            Slot::Rank(rank) => say.word(self.moves.code(), self.moves.rank(rank)),
            Slot::Squares(squares) => {
                for (n, square) in squares.iter().enumerate() {
                    say.comma(n, lang);
                    self.square(say, *square);
                }
            }
            Slot::Piece(role) if form == SlotForm::Object => {
                text(say, &self.prompts.noun(role).object);
            }
            Slot::Piece(role) => text(say, &self.prompts.noun(role).one),
            Slot::ColoredPiece(piece) if form == SlotForm::Object => {
                text(
                    say,
                    self.prompts.noun(piece.role).colored_object(piece.color),
                );
            }
            Slot::ColoredPiece(piece) => {
                text(say, self.prompts.noun(piece.role).colored(piece.color));
            }
            Slot::Pieces(pieces) => self.grouped(say, pieces, Words::square),
            Slot::OnFile(pieces) => self.grouped(say, pieces, |words, say, square| {
                say.word(words.moves.code(), words.moves.rank(square.rank()));
            }),
            Slot::OnRank(pieces) => self.grouped(say, pieces, |words, say, square| {
                say.word(words.moves.code(), words.moves.file(square.file()));
            }),
            Slot::Counted(pieces) => self.counted(say, pieces),
            Slot::Player(color) => text(say, self.prompts.player(color)),
            Slot::Number(n) if form == SlotForm::Moves => text(say, &self.prompts.numbers.moves(n)),
            Slot::Number(n) => text(say, &self.prompts.numbers.cardinal(n)),
            Slot::Duration(ms) => text(say, &self.prompts.numbers.duration(ms)),
            Slot::Text(words) => text(say, words),
        }
    }

    pub(super) fn square(&self, say: &mut Say, square: Square) {
        let lang = self.moves.code();
        say.word(lang, self.moves.file(square.file()));
        say.add(lang, " ", " ");
        say.word(lang, self.moves.rank(square.rank()));
    }

    fn grouped(
        &self,
        say: &mut Say,
        pieces: &[(Square, Piece)],
        place: impl Fn(&Words, &mut Say, Square),
    ) {
        let lang = self.prompts.code();
        self.by_color(
            say,
            pieces,
            |entry| entry.1.color,
            |say, group| {
                for (n, (square, piece)) in group.iter().enumerate() {
                    say.comma(n, lang);
                    let one = &self.prompts.noun(piece.role).one;
                    say.add(lang, one, one);
                    say.add(lang, " ", " ");
                    place(self, say, *square);
                }
            },
        );
    }

    fn counted(&self, say: &mut Say, pieces: &[Piece]) {
        let lang = self.prompts.code();
        self.by_color(
            say,
            pieces,
            |piece| piece.color,
            |say, group| {
                let counts = Role::ALL
                    .into_iter()
                    .rev()
                    .map(|role| (role, group.iter().filter(|p| p.role == role).count()))
                    .filter(|(_, count)| *count > 0);
                for (n, (role, count)) in counts.enumerate() {
                    say.comma(n, lang);
                    let words = match u32::try_from(count) {
                        Ok(1) | Err(_) => self.prompts.noun(role).one.clone(),
                        Ok(count) => self.prompts.count(count, role),
                    };
                    say.add(lang, &words, &words);
                }
            },
        );
    }

    /// `Weiß: … Schwarz: …`, leaving out a colour that has nothing.
    fn by_color<T: Copy>(
        &self,
        say: &mut Say,
        all: &[T],
        color: impl Fn(&T) -> Color,
        list: impl Fn(&mut Say, &[T]),
    ) {
        let lang = self.prompts.code();
        let mut first = true;
        for side in Color::ALL {
            let group: Vec<T> = all.iter().copied().filter(|e| color(e) == side).collect();
            if group.is_empty() {
                continue;
            }
            let label = format!(
                "{}{}: ",
                if first { "" } else { ". " },
                self.prompts.side(side)
            );
            say.add(lang, &label, &label);
            list(say, &group);
            first = false;
        }
    }
}

/// All templates of a pack, in the order of [`Prompt::ALL`].
pub(super) fn read_all(mut reader: Reader<'_>, problems: &mut Vec<Problem>) -> Vec<Template> {
    let templates = Prompt::ALL
        .iter()
        .map(|prompt| Template::read(*prompt, &mut reader, problems))
        .collect();
    reader.finish(problems);
    templates
}

impl Pack {
    /// Words of this pack's moves, as its voice must read them: `Cesar` becomes `Zäsar`.
    pub(super) fn pronounce(&self, text: &str) -> String {
        let words: Vec<&str> = text.split(' ').map(|word| self.sound_of(word)).collect();
        words.join(" ")
    }
}
