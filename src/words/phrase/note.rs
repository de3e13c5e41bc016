//! What the program notes in words, for pages and papers: each by its variant, with what fills its
//! sentence. The sentences stand in the packs, the English ones too.

use std::{collections::BTreeMap, fmt, sync::OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shakmaty::{Color, File, Square};
use toml::Table;

use super::{
    builtin::builtin,
    explained::Explained,
    pages::fill,
    reader::{Problem, Reader, white_black},
};

/// A move in SAN with English letters, or a text that may be one: a reader gets it in his own
/// letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves(pub String);

impl<T: Into<String>> From<T> for Moves {
    fn from(text: T) -> Moves {
        Moves(text.into())
    }
}

macro_rules! notes {
    ($($name:ident $key:literal $({ $($slot:ident: $kind:ty),* })?;)*) => {
        /// Something that the program notes. Each names its key in a pack's `[notes]`.
        ///
        /// In JSON, and as a text, it is its English sentence; what is read from JSON are words.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Note {
            /// A person's own words: the same in every language.
            Words(String),
            /// An explanation that there is in English only.
            English(String),
            /// An explanation that says more in English than the words of the others.
            Explained(Box<Explained>),
            $(
                #[doc = concat!("`", $key, "`")]
                $name $({ $($slot: $kind),* })?,
            )*
        }

        /// Every key, and the slots that its sentence may have.
        const SENTENCES: &[(&str, &[&str])] = &[$(($key, &[$($(stringify!($slot)),*)?]),)*];

        impl Note {
            /// Its key, and what fills the sentence; `None`: it is a text already.
            fn parts(&self) -> Option<(&'static str, Vec<(&'static str, &dyn Filling)>)> {
                match self {
                    Note::Words(_) | Note::English(_) | Note::Explained(_) => None,
                    $(
                        Note::$name $({ $($slot),* })? => {
                            Some(($key, vec![$($((stringify!($slot), $slot as &dyn Filling)),*)?]))
                        }
                    )*
                }
            }
        }
    };
}

notes! {
    // Refusals: when in a game.
    GameOver "game-over";
    DeclareInstead "declare-instead";
    StartNotLookedAt "start-not-looked-at";
    ResultStands "result-stands";
    IllegalOnlyDuring "illegal-only-during";
    NotOver "not-over";
    NotStarted "not-started";
    StartedAlready "started-already";
    StillAdjourned "still-adjourned";
    NotAdjourned "not-adjourned";
    ToBeSealed "to-be-sealed";
    NothingToSeal "nothing-to-seal";
    NotSealedYet "not-sealed-yet";
    SealedAlready "sealed-already";
    SealedNotNamed "sealed-not-named";
    SealedWaits "sealed-waits";
    AdjourningOff "adjourning-off";
    MoveOnItsWay "move-on-its-way";
    SessionTooLong "session-too-long";
    OtherSeals "other-seals";
    OtherMoveShown "other-move-shown";
    MoveShown "move-shown";
    SealedUnreadable "sealed-unreadable";
    ClockRunsAlready "clock-runs-already";
    TheClockRunsAlready "the-clock-runs-already";
    // Refusals: what may be claimed, said and asked.
    NoDrawBefore "no-draw-before" { number: u32 };
    ClaimsOnMove "claims-on-move";
    ClaimAfterTouch "claim-after-touch";
    BlindSaysItself "blind-says-itself";
    NoProgramPlays "no-program-plays";
    AnswerOffer "answer-offer";
    OfferStands "offer-stands";
    NothingOffered "nothing-offered";
    OnlyAtHome "only-at-home";
    NothingWished "nothing-wished";
    NoFlag "no-flag";
    InformingOff "informing-off";
    InformsBlind "informs-blind";
    OpponentToMove "opponent-to-move";
    AdjustsOnMove "adjusts-on-move";
    TooLateForStart "too-late-for-start";
    TooLateForColours "too-late-for-colours";
    TooLateForSlip "too-late-for-slip";
    NoResultToSign "no-result-to-sign";
    // Refusals: boards and moves.
    NoReportingBoard "no-reporting-board" { player: Color };
    NoPegBoard "no-peg-board" { player: Color };
    NotUci "not-uci" { text: Moves };
    GiveUci "give-uci" { text: Moves };
    NotLegalIn "not-legal-in" { uci: Moves, fen: Moves };
    NotLegalNow "not-legal-now" { uci: Moves };
    DoesNotFollow "does-not-follow" { uci: Moves };
    AheadOfGame "ahead-of-game";
    NoBoardOfFen "no-board-of-fen";
    NotBoardOfFen "not-board-of-fen" { text: Moves };
    ByWordOnlyBlind "by-word-only-blind";
    ArbiterStarts "arbiter-starts";
    ArbiterStartsStopped "arbiter-starts-stopped";
    DecideFirst "decide-first";
    ClocksNotStarted "clocks-not-started";
    BoardNotCorrected "board-not-corrected" { player: Color };
    CorrectBoardFirst "correct-board-first";
    NothingToCorrect "nothing-to-correct" { player: Color };
    BeingCorrected "being-corrected" { player: Color };
    PegsShowThemselves "pegs-show-themselves" { player: Color };
    PegsAreFelt "pegs-are-felt" { player: Color };
    // Refusals: decisions and scores.
    ScoreUnreadable "score-unreadable" { player: Color, ply: u32 };
    NotSoManyPlies "not-so-many-plies" { plies: usize, ply: u32 };
    ReasonForOther "reason-for-other" { ply: u32 };
    DecidedMeanwhile "decided-meanwhile";
    RuledMeanwhile "ruled-meanwhile";
    NotTheLast "not-the-last" { ply: u32 };
    MoreThanClocks "more-than-clocks" { ms: u64 };
    TakesAllTime "takes-all-time" { player: Color, time: String };
    NotTheJournals "not-the-journals" { ply: u32 };
    IllegalMovesAre "illegal-moves-are" { article: String };
    OwnClock "own-clock";
    NoSuchProposal "no-such-proposal" { number: u32 };
    ChooseOne "choose-one" { number: u32, choices: usize };
    NoSuchChoice "no-such-choice" { number: u32, choice: u32 };
    WriteOnFrom "write-on-from" { player: Color, plies: u32, most: u32 };
    ScoreTooLong "score-too-long" { bytes: usize, most: usize };
    NothingWritten "nothing-written";
    NoGameSoLong "no-game-so-long" { plies: usize };
    DecidedAsAnnounced "decided-as-announced" { ply: u32, san: Moves, player: Color };
    // Problems.
    FlagFallen "flag-fallen" { player: Color };
    MateUncertain "mate-uncertain" { player: Color };
    ExecutedOther "executed-other";
    RepeatedOther "repeated-other";
    SightedShowsOther "sighted-shows-other";
    BoardShowsOther "board-shows-other" { player: Color };
    BoardGone "board-gone" { player: Color, why: Moves };
    OwnBoardDiffers "own-board-differs";
    AnnouncedNotExecuted "announced-not-executed";
    NotAnnounced "not-announced";
    OpponentMoveMissing "opponent-move-missing";
    NotExecuted "not-executed";
    AsksAdjournment "asks-adjournment" { player: Color };
    SealedNotPlayable "sealed-not-playable" { player: Color, why: Moves };
    AssistantComparesBoards "assistant-compares-boards";
    ComparesBoards "compares-boards" { player: Color };
    AssistantCalls "assistant-calls";
    AssistantCallsBecause "assistant-calls-because" { reason: String };
    Calls "calls" { player: Color };
    StopsClocks "stops-clocks" { player: Color };
    FileDiffers "file-differs" { player: Color, file: File };
    TookBack "took-back" { player: Color, uci: Moves };
    PawnLeft "pawn-left" { player: Color, uci: Moves };
    IllegalCompleted "illegal-completed" { player: Color, what: Moves };
    IllegalReported "illegal-reported" { player: Color };
    ToBecomeQueen "to-become-queen" { square: Square, san: Moves };
    ClockRefuses "clock-refuses";
    LeverLies "lever-lies" { player: Color };
    ClockSilent "clock-silent";
    PressedDisplaced "pressed-displaced" { player: Color };
    PressedWithoutMove "pressed-without-move" { player: Color };
    PressedOtherPosition "pressed-other-position" { player: Color };
    PressedUnannounced "pressed-unannounced";
    PressedUnexecuted "pressed-unexecuted";
    PressedHalf "pressed-half";
    ReedDead "reed-dead" { square: Square };
    ReedStuck "reed-stuck" { square: Square };
    SetUpAnew "set-up-anew";
    StartWrong "start-wrong" { player: Color };
    ColoursWrong "colours-wrong" { player: Color };
    WrittenBefore "written-before" { player: Color, ply: u32 };
    TakenOver "taken-over";
    ServiceStopped "service-stopped" { seconds: u64 };
    RookFirst "rook-first" { square: Square };
    TouchedCanMove "touched-can-move" { square: Square };
    TouchedMustTake "touched-must-take" { own: Square, other: Square };
    TouchedMustMove "touched-must-move" { square: Square };
    TouchedCanBeTaken "touched-can-be-taken" { square: Square };
    MustCastle "must-castle" { square: Square };
    MadeMoveChanged "made-move-changed" { player: Color, made: Moves, then: Moves };
    // What the service reports.
    NoPassphrase "no-passphrase";
    SealingFailed "sealing-failed" { why: String };
    SealedNotReadBack "sealed-not-read-back";
    NoAdjournment "no-adjournment" { why: String };
    NotSaved "not-saved" { why: String };
    SavedAgain "saved-again" { count: usize };
    // Proposals.
    ClaimWrong "claim-wrong" { player: Color, time: Box<Note> };
    ClaimedOther "claimed-other" { player: Color, claimed: Moves, made: Moves };
    WrongClaimOf "wrong-claim-of" { player: Color, time: Box<Note>, opponent: Color };
    FirstIllegal "first-illegal" { player: Color, time: Box<Note>, opponent: Color };
    LaterIllegal "later-illegal" { number: u32, player: Color, outcome: Box<Note> };
    OneMinute "one-minute";
    TwoMinutes "two-minutes";
    Loss "loss";
    DrawNoMate "draw-no-mate";
    LossOrDraw "loss-or-draw";
    NewGameStart "new-game-start";
    NewGameColours "new-game-colours";
    Stands "stands" { san: Moves, other: Moves };
    // Reasons of results.
    DrawAgreed "draw-agreed";
    DrawBeforeResumption "draw-before-resumption";
    PositionLost "position-lost";
    AnnulledByArbiter "annulled-by-arbiter";
    DeclaredByArbiter "declared-by-arbiter";
    Checkmate "checkmate";
    Stalemate "stalemate";
    Resignation "resignation";
    DeadPosition "dead-position";
    FlagFall "flag-fall";
    FlagFallNoMate "flag-fall-no-mate";
    ThreefoldClaimed "threefold-claimed";
    FiftyClaimed "fifty-claimed";
    Fivefold "fivefold";
    SeventyFive "seventy-five";
    // What is said for a player, and entered.
    OffersDraw "offers-draw";
    AcceptsDraw "accepts-draw";
    DeclinesDraw "declines-draw";
    Resigns "resigns";
    Adjusts "adjusts";
    ClaimsRepetition "claims-repetition";
    ClaimsFifty "claims-fifty";
    ClaimsFlag "claims-flag";
    GrantsTakeBack "grants-take-back";
    DeclinesTakeBack "declines-take-back";
    Advises "advises" { uci: Moves };
    Comments "comments" { uci: Moves };
    Corrected "corrected";
    ScoreHandedIn "score-handed-in";
    // The arbiter's decisions, on his page.
    Dismissed "dismissed";
    PenaltyTakenBack "penalty-taken-back";
    ClocksStopped "clocks-stopped";
    GameGoesOn "game-goes-on";
    ClockSetTo "clock-set-to" { player: Color, time: String };
    PenaltyFor "penalty-for" { player: Color, penalty: Box<Note>, article: String };
    Warning "warning";
    MinutesForOpponent "minutes-for-opponent" { minutes: u64 };
    MoreForOpponent "more-for-opponent" { what: Box<Note> };
    Less "less" { what: Box<Note> };
    Point "point" { points: String };
    Points "points" { points: String };
    LossOfGame "loss-of-game";
    FineOf "fine-of" { amount: String };
    ExcludedFromRounds "excluded-from-rounds" { rounds: u32 };
    ExcludedFromEvent "excluded-from-event";
    ProposalConfirmed "proposal-confirmed" { number: u32 };
    ProposalDismissed "proposal-dismissed" { number: u32 };
    ResultIs "result-is" { result: String, article: String };
    CountsAsMade "counts-as-made" { uci: Moves };
    HasSigned "has-signed" { player: Color };
    IllegalMoveOf "illegal-move-of" { player: Color, article: String };
    NotOverAfterAll "not-over-after-all";
    MadeFirstStands "made-first-stands" { uci: Moves };
    GoesBack "goes-back";
    MoveEnds "move-ends" { san: Moves };
    PlayOnAfter "play-on-after" { ply: u32, clocks: Box<Note> };
    AsTheyStand "as-they-stand";
    BothClocks "both-clocks" { white: String, black: String };
    // The arbiter's decisions, in his report.
    TheClocksRunAgain "the-clocks-run-again";
    TheClockRuns "the-clock-runs" { player: Color };
    TheClockIsSet "the-clock-is-set" { player: Color, time: String };
    TheClockIsSetMoves "the-clock-is-set-moves" { player: Color, time: String, moves: u32 };
    ThePenalty "the-penalty" { player: Color, article: String, penalty: Box<Note> };
    AWarning "a-warning";
    AFine "a-fine" { amount: String };
    Confirms "confirms" { number: u32 };
    ConfirmsAct "confirms-act" { number: u32, act: Box<Note> };
    Dismisses "dismisses" { number: u32 };
    TheResultIs "the-result-is" { result: String, article: String };
    GoesOnAfter "goes-on-after" { ply: u32 };
    TheMoveCounts "the-move-counts" { uci: Moves };
    HasSignedResult "has-signed-result" { player: Color };
    TheMoveStands "the-move-stands" { uci: Moves };
    ANote "a-note" { text: Box<Note> };
    TheClocksStopped "the-clocks-stopped";
    TheEndWasNone "the-end-was-none";
    Proposal "proposal" { number: u32 };
    OffersDrawRecorded "offers-draw-recorded" { player: Color };
    ClocksFromTo "clocks-from-to" { before: String, after: String };
    DecidedOtherwise "decided-otherwise";
    StruckFrom "struck-from" { ply: u32, moves: Vec<Moves> };
    OfferStruck "offer-struck" { player: Color };
    MoveTakenBack "move-back" { player: Color };
    RecordsAgreeSoFar "records-agree-so-far";
    // The course of a game, in the report.
    AnotherBoard "another-board";
    StoppedAndBack "stopped-and-back";
    MaySealReply "may-seal-reply";
    AskedToSeal "asked-to-seal";
    BeforeSessionEnd "before-session-end" { what: Box<Note>, time: String };
    SealingWithdrawn "sealing-withdrawn";
    SealedEncrypted "sealed-encrypted";
    SealedOnPaper "sealed-on-paper";
    ResumptionAt "resumption-at" { when: String };
    OffersAfterSealing "offers-after-sealing" { player: Color };
    OfferDeclined "offer-declined";
    AgreedDraw "agreed-draw";
    HasResigned "has-resigned" { player: Color };
    NobodyKnows "nobody-knows";
    ClockOfAbsent "clock-of-absent";
    EnvelopeOpened "envelope-opened" { written: Moves };
    EnvelopeLost "envelope-lost";
    SealedReadAs "sealed-read-as" { uci: Moves };
}

/// What a slot of a sentence is filled with.
trait Filling {
    fn fill(&self, saying: &Saying<'_>) -> String;
}

macro_rules! as_it_is {
    ($($kind:ty),*) => {
        $(
            impl Filling for $kind {
                fn fill(&self, _: &Saying<'_>) -> String {
                    self.to_string()
                }
            }
        )*
    };
}

as_it_is!(u32, u64, usize, String, File, Square);

impl Filling for Color {
    fn fill(&self, saying: &Saying<'_>) -> String {
        self.fold_wb(&saying.notes.sides[0], &saying.notes.sides[1]).clone()
    }
}

impl Filling for Moves {
    fn fill(&self, saying: &Saying<'_>) -> String {
        (saying.moves)(&self.0)
    }
}

impl Filling for Vec<Moves> {
    fn fill(&self, saying: &Saying<'_>) -> String {
        self.iter().map(|moves| moves.fill(saying)).collect::<Vec<_>>().join(" ")
    }
}

impl Filling for Box<Note> {
    fn fill(&self, saying: &Saying<'_>) -> String {
        saying.note(self).unwrap_or_else(|| self.to_string())
    }
}

/// A language, and how it writes moves.
struct Saying<'a> {
    notes: &'a Notes,
    moves: &'a dyn Fn(&str) -> String,
}

impl Saying<'_> {
    fn note(&self, note: &Note) -> Option<String> {
        let Some((key, slots)) = note.parts() else {
            return match note {
                Note::Words(words) => Some(words.clone()),
                _ => None,
            };
        };
        let sentence = self.notes.sentences.get(key)?;
        let filled: Vec<_> = slots.iter().map(|(name, with)| (*name, with.fill(self))).collect();
        let slots: Vec<_> = filled.iter().map(|(name, text)| (*name, text.as_str())).collect();
        Some(fill(sentence, &slots))
    }
}

/// The sentences of a pack by their keys; none if its language has no notes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Notes {
    sides: [String; 2],
    sentences: BTreeMap<&'static str, String>,
}

impl Notes {
    /// `[notes]` of a pack. `sides`: what White and Black are called.
    pub(super) fn read(
        mut reader: Reader<'_>,
        sides: [String; 2],
        problems: &mut Vec<Problem>,
    ) -> Notes {
        let mut sentences = BTreeMap::new();
        for (key, slots) in SENTENCES {
            let sentence = reader.text(key, problems);
            // A slot may be left out; one that the note lacks cannot be filled.
            let named = sentence.split('{').skip(1).map(|part| part.split('}').next());
            for name in named.flatten().filter(|name| !slots.contains(name)) {
                problems.push(reader.wrong(key, format!("nothing fills {{{name}}}")));
            }
            sentences.insert(*key, sentence);
        }
        reader.finish(problems);
        Notes { sides, sentences }
    }

    /// The sentence in this language; `moves` writes moves in its letters. `None`: it has no words
    /// for it.
    pub(super) fn say(&self, note: &Note, moves: &dyn Fn(&str) -> String) -> Option<String> {
        Saying { notes: self, moves }.note(note)
    }

    /// Those of the English pack.
    fn english() -> &'static Notes {
        static ENGLISH: OnceLock<Notes> = OnceLock::new();
        ENGLISH.get_or_init(|| {
            let pack: Table = builtin("en").and_then(|toml| toml.parse().ok()).unwrap_or_default();
            let (mut root, mut problems) = (Reader::root(&pack), Vec::new());
            let sides = white_black(root.table("sides", &mut problems), &mut problems);
            Notes::read(root.table("notes", &mut problems), sides, &mut problems)
        })
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Words(text) | Note::English(text) => f.write_str(text),
            Note::Explained(of) => f.write_str(&of.english),
            note => f.write_str(&Notes::english().say(note, &str::to_owned).unwrap_or_default()),
        }
    }
}

impl Serialize for Note {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Note {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Note, D::Error> {
        String::deserialize(from).map(Note::Words)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::pack::Pack, *};

    /// The sentence in German letters.
    fn german(note: &Note) -> Option<String> {
        let pack = Pack::builtin("de").expect("a built-in pack");
        pack.note(note, &|san| san.replace('N', "S"))
    }

    #[test]
    fn a_note_is_worded_by_each_pack_and_in_english_as_a_text() {
        let player = Color::White;
        let note = Note::MadeMoveChanged { player, made: "Nf3".into(), then: "Nc3".into() };
        assert_eq!(note.to_string(), "White changed a made move: Nf3, then Nc3");
        let own = "Weiß hat einen ausgeführten Zug geändert: Sf3, dann Sc3";
        assert_eq!(german(&note).as_deref(), Some(own));
        let json = serde_json::to_string(&note).expect("a text");
        assert_eq!(json, "\"White changed a made move: Nf3, then Nc3\"");
    }

    #[test]
    fn a_note_in_a_note_is_worded_too_and_a_persons_words_stay() {
        let time = Box::new(Note::TwoMinutes);
        let note = Note::ClaimWrong { player: Color::Black, time };
        let own = "Schwarz hat zu Unrecht Remis beansprucht: zwei Minuten für den Gegner";
        assert_eq!(german(&note).as_deref(), Some(own));
        let text = Box::new(Note::Words("Nora {player}".to_owned()));
        assert_eq!(german(&Note::ANote { text }).as_deref(), Some("Vermerk: Nora {player}"));
        assert_eq!(german(&Note::English("no words".to_owned())), None);
    }

    #[test]
    fn a_pack_says_which_sentence_it_lacks_has_too_much_or_cannot_fill() {
        let table: Table = builtin("en").expect("a pack").parse().expect("TOML");
        let mut table = table["notes"].as_table().expect("a table").clone();
        table.remove("game-over");
        table.insert("zzz".to_owned(), "x".into());
        table.insert("resigns".to_owned(), "{who} resigns".into());
        let mut problems = Vec::new();
        Notes::read(Reader::root(&table), Default::default(), &mut problems);
        let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            ["game-over is missing", "resigns: nothing fills {who}", "zzz is unknown"]
        );
    }
}
