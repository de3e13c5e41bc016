//! What Annabella says beside moves: each sentence by its name.

#[macro_use]
mod rows;
#[macro_use]
mod set_up;
mod slot_kind;

pub use slot_kind::SlotKind;

set_up! { prompts {
    /// A pawn was promoted and nobody said to what.
    WhichPiece "which-piece" [];
    /// Two moves fit what was felt or heard.
    WhichMove "which-move" [first: Move, second: Move];
    /// More than two moves fit.
    WhichMoves "which-moves" [moves: Moves];
    /// Two misunderstandings in a row: answer with the number.
    ChooseByNumber "choose-by-number" [first: Move, second: Move];
    /// Guidance: a peg that should not be there.
    Take "take" [piece: Piece, square: Square];
    /// Guidance: a peg that should not be there, unknown which.
    TakeUnknown "take-unknown" [square: Square];
    /// Guidance: a peg is missing.
    Put "put" [piece: Piece, square: Square];
    /// Guidance is over.
    BoardAgrees "board-agrees" [];
    /// The other board has not yet shown this move.
    NotExecutedYet "not-executed-yet" [move: Move];
    /// The boards show different positions (D.2.9).
    BoardsDiffer "boards-differ" [];
    /// The same, but for one square.
    BoardsDifferAt "boards-differ-at" [square: Square];
    /// The same, but for two squares.
    BoardsDifferAtBoth "boards-differ-at-both" [first: Square, second: Square];
    /// The boards agree again; said once.
    BoardsAgreeAgain "boards-agree-again" [];
    /// The announced move and the executed one differ.
    AnnouncedButExecuted "announced-but-executed" [announced: Move, executed: Move];
    /// A slip of the tongue was corrected in time (D.2.8).
    Correction "correction" [move: Move];
    /// The opponent's move waits to be executed on the player's own board.
    ExecuteOpponentMove "execute-opponent-move" [move: Move];
    /// The clock was pressed on an illegal move (7.5.1).
    IllegalCompleted "illegal-completed" [];
    /// The clock was pressed before the move was announced (D.2.4).
    AnnounceFirst "announce-first" [];
    /// The clock was pressed before the announced move was executed (D.2.4).
    ExecuteFirst "execute-first" [move: Move];
    /// The clock was pressed without a move (6.2.4, 7.5.3).
    PressedWithoutMove "pressed-without-move" [];
    /// The opponent is to move.
    NotYourTurn "not-your-turn" [];
    /// "Ich korrigiere" was heard (4.2).
    Adjusting "adjusting" [];
    /// The same, after a touch that binds (4.3).
    TouchBinds "touch-binds" [square: Square];
    /// A square feels nothing any more.
    ReedDead "reed-dead" [square: Square];
    /// A square always feels a peg.
    ReedStuck "reed-stuck" [square: Square];
    /// The pegs cannot be felt; the game goes on by announcement.
    PlayOnByAnnouncement "play-on-by-announcement" [];
    /// The board shows the starting position.
    StartPosition "start-position" [];
    /// The board does not show the starting position, and the game has not begun.
    StartPositionWrong "start-position-wrong" [];
    /// The game has begun.
    GameStarted "game-started" [];
    /// The game goes on after a stop.
    GameResumed "game-resumed" [move: Move];
    /// Mate (5.1.1).
    Checkmate "checkmate" [winner: Player];
    /// Stalemate (5.2.1).
    Stalemate "stalemate" [];
    /// Neither can mate (5.2.2).
    DeadPosition "dead-position" [];
    /// A player resigned (5.1.2).
    Resigned "resigned" [loser: Player, winner: Player];
    /// Draw by agreement (5.2.3).
    DrawAgreed "draw-agreed" [];
    /// Draw by repetition, claimed (9.2) or fivefold (9.6.1).
    DrawByRepetition "draw-by-repetition" [];
    /// Draw by fifty (9.3) or seventy-five moves (9.6.2) without capture and pawn move.
    DrawByMoves "draw-by-moves" [n: Number];
    /// A flag has fallen (6.9).
    FlagFell "flag-fell" [loser: Player, winner: Player];
    /// A flag has fallen, the opponent cannot mate (6.9).
    FlagFellDraw "flag-fell-draw" [loser: Player];
    /// Second completed illegal move (7.5.5).
    IllegalLost "illegal-lost" [winner: Player];
    /// No word was understood.
    NotHeard "not-heard" [];
    /// What to say, after nothing was understood.
    SayPhrase "say-phrase" [phrase: Text];
    /// The same, when it was not the first time.
    AskAgain "ask-again" [];
    /// "Korrektur" stood alone; the move is to follow (D.2.8).
    SayCorrection "say-correction" [];
    /// The clock was pressed: it cannot be corrected any more (D.2.8).
    TooLateForSlip "too-late-for-slip" [];
    /// A move heard with doubt; yes or no.
    ConfirmMove "confirm-move" [move: Move];
    /// Before resigning; yes or no.
    ConfirmResign "confirm-resign" [];
    /// The same where nobody knows who said it: it names whose game would end.
    ConfirmResignOf "confirm-resign-of" [player: Player];
    /// The kings in the middle of the other board say that this player has won.
    ResultShownWin "result-shown-win" [player: Player];
    ResultShownDraw "result-shown-draw" [];
    /// Before a question to one of two blind players whose voice is unknown: that player's name.
    OfPlayer "of-player" [player: Player];
    /// He did not mean it: the other one, whose word it may have been, says the number.
    OrPlayer "or-player" [player: Player];
    /// Before offering a draw.
    ConfirmOfferDraw "confirm-offer-draw" [];
    /// Before accepting a draw.
    ConfirmAcceptDraw "confirm-accept-draw" [];
    /// Before claiming a repetition (9.2.2).
    ConfirmClaimRepetition "confirm-claim-repetition" [];
    /// Before claiming a repetition that the intended move brings about (9.2.1).
    ConfirmClaimRepetitionWith "confirm-claim-repetition-with" [move: Move];
    /// Before claiming fifty moves (9.3.2).
    ConfirmClaimFifty "confirm-claim-fifty" [];
    /// Before claiming fifty moves with an intended move (9.3.1).
    ConfirmClaimFiftyWith "confirm-claim-fifty-with" [move: Move];
    /// The player's offer was passed on.
    DrawOffered "draw-offered" [];
    /// The opponent offers a draw (9.1).
    OpponentOffersDraw "opponent-offers-draw" [];
    /// At home the opponent, or a program in his place, has something to say.
    OpponentSays "opponent-says" [text: Text];
    ProgramSays "program-says" [text: Text];
    /// The opponent's word is not the blind player's to give: he says it on his page.
    OnOpponentsPage "on-opponents-page" [];
    /// At home: whether the last move is to be taken back; yes or no.
    ConfirmTakeBack "confirm-take-back" [];
    /// At home: the player's move that is taken back.
    MoveTakenBack "move-taken-back" [move: Move];
    /// At home: the opponent lets no move be taken back.
    TakeBackDeclined "take-back-declined" [];
    /// At home: he has made no move that could be taken back.
    NothingToTakeBack "nothing-to-take-back" [];
    /// At home: the opponent is asked for a hint or a judgement.
    AskedOpponent "asked-opponent" [];
    /// At home: the move that the opponent advises.
    OpponentAdvises "opponent-advises" [move: Move];
    /// At home, after the end: what the opponent holds for better than the move that was just read.
    BetterWas "better-was" [move: Move];
    /// What was asked for is for games at home.
    OnlyAtHome "only-at-home" [];
    /// An offer was declined.
    DrawDeclined "draw-declined" [];
    /// There is no offer to accept or decline.
    NoDrawOffer "no-draw-offer" [];
    /// A claim was made; the arbiter checks it (9.5).
    ClaimMade "claim-made" [];
    /// A piece was touched: no claim on this move (9.4).
    ClaimTooLate "claim-too-late" [];
    /// A claim was wrong (9.5.3).
    ClaimWrong "claim-wrong" [];
    /// A clearly spoken move that is not legal.
    IllegalSpoken "illegal-spoken" [move: Move];
    /// Several pieces can make the spoken move.
    AmbiguousSpoken "ambiguous-spoken" [];
    /// The opponent's repetition (D.2.1) is another move.
    RepeatedWrong "repeated-wrong" [announced: Move, repeated: Move];
    /// Own time, on request only.
    YourTime "your-time" [time: Duration];
    /// Opponent's time, on request only.
    OpponentTime "opponent-time" [time: Duration];
    /// Both, on request only.
    BothTimes "both-times" [yours: Duration, theirs: Duration];
    /// The player's used time, on request only (D.2.10.4).
    YourTimeUsed "your-time-used" [time: Duration];
    /// The opponent's used time, on request only.
    OpponentTimeUsed "opponent-time-used" [time: Duration];
    /// The used time of both, on request only.
    BothTimesUsed "both-times-used" [yours: Duration, theirs: Duration];
    /// A time warning, if switched on.
    TimeWarning "time-warning" [time: Duration];
    /// The clock runs.
    ClockStarted "clock-started" [];
    /// The clock stands.
    ClockStopped "clock-stopped" [];
    /// The word that a player without sensors says after what he was told to do.
    SayWhenDone "say-when-done" [phrase: Text];
    /// The clocks stand since the service was stopped, and how they are started.
    ClocksStand "clocks-stand" [phrase: Text];
    /// Moves made, on request only.
    MovesMade "moves-made" [n: Number];
    /// Moves to the time control, on request only.
    MovesToControl "moves-to-control" [n: Number];
    /// There is no further time control.
    NoControl "no-control" [];
    /// This player's clock runs.
    ClockRuns "clock-runs" [player: Player];
    /// Castling for which neither king nor rook has moved.
    NotMovedYet "not-moved-yet" [moves: Text];
    /// The right to castle is lost (3.8.2.1).
    NoCastling "no-castling" [];
    /// How another game is begun, where none is offered.
    NextGameHow "next-game-how" [];
    /// How the program is left in a terminal.
    LeaveHow "leave-how" [];
    /// Which commands give report and score sheets.
    ReportHow "report-how" [];
    /// The side to move.
    WhoseMove "whose-move" [player: Player];
    /// The piece on a square.
    SquareHolds "square-holds" [square: Square, piece: Piece];
    /// The square is empty.
    SquareEmpty "square-empty" [square: Square];
    /// The pieces on a file.
    FileHolds "file-holds" [file: File, pieces: Pieces];
    /// The file is empty.
    FileEmpty "file-empty" [file: File];
    /// The pieces on a rank.
    RankHolds "rank-holds" [rank: Rank, pieces: Pieces];
    /// The rank is empty.
    RankEmpty "rank-empty" [rank: Rank];
    /// The pieces on a diagonal, which is named by its ends.
    DiagonalHolds "diagonal-holds" [first: Square, last: Square, pieces: Pieces];
    /// The diagonal is empty.
    DiagonalEmpty "diagonal-empty" [first: Square, last: Square];
    /// The squares of a kind of piece.
    WherePieces "where-pieces" [piece: Piece, squares: Squares];
    /// Before the pieces of one player, where all are read.
    PiecesOf "pieces-of" [player: Player];
    /// This player's king is attacked, or none (3.9.1).
    InCheck "in-check" [player: Player];
    NoCheck "no-check" [];
    /// There is none of that kind.
    WhereNone "where-none" [piece: Piece];
    /// The captured pieces.
    Captured "captured" [pieces: Pieces];
    /// Nothing has been captured.
    CapturedNone "captured-none" [];
    /// Announced and not yet executed, on request.
    AnnouncedNotExecuted "announced-not-executed" [move: Move];
    /// Executed and not yet announced, on request.
    ExecutedNotAnnounced "executed-not-announced" [move: Move];
    /// Nothing is pending.
    NothingPending "nothing-pending" [];
    /// His move is made, and his clock is still to be pressed, on request.
    PressPending "press-pending" [];
    /// A clock was pressed, and no move is known.
    PressedWhichMove "pressed-which-move" [player: Player];
    /// The last move, on request.
    LastMove "last-move" [move: Move];
    /// No move has been made.
    NoMoveYet "no-move-yet" [];
    /// The move before the last is asked for, and there is one move.
    OneMoveYet "one-move-yet" [];
    /// The score has no move with this number.
    NoSuchMove "no-such-move" [n: Number];
    /// Walking through the score: before the first move.
    ScoreBegins "score-begins" [];
    /// Walking through the score: there is no further move.
    ScoreEnds "score-ends" [];
    /// What is said most on one's own move.
    HelpShort "help-short" [];
    /// What is asked most while the opponent thinks.
    HelpWaiting "help-waiting" [];
    /// What is said most after the game.
    HelpOver "help-over" [];
    /// The answers to any question.
    HelpQuestion "help-question" [];
    /// The possible requests.
    HelpMore "help-more" [];
    /// The same after the end of the game.
    HelpMoreOver "help-more-over" [];
    /// After louder or quieter.
    VolumeNow "volume-now" [n: Number];
    /// After faster or slower.
    RateNow "rate-now" [n: Number];
    /// The arbiter was called.
    ArbiterCalled "arbiter-called" [];
    /// The boards are to be compared by hand, and the arbiter is called for it (D.2.9).
    CompareBoards "compare-boards" [];
    /// No sensor sees this player's board, so the answer is marked as the game's.
    OfGame "of-game" [];
    /// Before words for a player who has no earphone, which his opponent hears too.
    ToPlayer "to-player" [player: Player];
    /// Before the pieces in his hand, which bind him (4.3).
    InHand "in-hand" [];
    /// The player's word about his hands was heard.
    Noted "noted" [];
    /// His board is compared with the game by word: how it goes.
    WalkBegins "walk-begins" [];
    /// All files were compared.
    WalkOver "walk-over" [];
    /// After a difference, where not every board is seen: the visible ones stand as in the game.
    AsInGameAgain "as-in-game-again" [];
    /// Where the pages are: the name of the machine in its network, and the port digit by digit.
    PagesAt "pages-at" [name: Text, digits: Text];
    /// The same as a person at a terminal reads it, and where the machine is in no network.
    PagesHere "pages-here" [name: Text];
    PagesNowhere "pages-nowhere" [digits: Text];
    /// The code that opens the assistant's page.
    CodeAssistant "code-assistant" [digits: Text];
    CodeArbiter "code-arbiter" [digits: Text];
    CodeDisplay "code-display" [digits: Text];
    /// There are no pages.
    NoPages "no-pages" [];
    /// The journal cannot be written, and the game goes on from memory.
    NotSaved "not-saved" [];
    /// The journal can be written again, and holds everything.
    SavedAgain "saved-again" [];
    /// The journal was damaged; what could be read of it is saved.
    GamesDamaged "games-damaged" [];
    /// Who is paired at this board of the hall.
    BoardGreeting "board-greeting" [number: Number, white: Text, black: Text];
    /// To one player at this board of the hall: who sits opposite.
    YourOpponent "your-opponent" [opponent: Text];
    /// Nobody has said who the opponent is.
    OpponentUnknown "opponent-unknown" [];
    /// Another board of the hall has this board's game now.
    BoardTakenOver "board-taken-over" [];
    /// Set-up: the number of the board whose place this one is to take.
    AskWhichBoard "ask-which-board" [];
    /// Set-up: whether this board is to take the place of that one. Its words are what may be said
    /// for it.
    AskTakeOver "ask-take-over" [number: Number];
    /// The game of that board is fetched.
    TakingOver "taking-over" [];
    /// No game was played at that board.
    NothingToTakeOver "nothing-to-take-over" [number: Number];
    /// That board is switched on and in the hall.
    BoardStillPlays "board-still-plays" [number: Number];
    /// The hall does not answer.
    NoHall "no-hall" [];
    /// That board's place is not taken, for another reason.
    NotTakenOver "not-taken-over" [number: Number];
    /// There is no journal to write into, so no game begins.
    NoJournal "no-journal" [];
    /// Another service has the journal.
    RunsAlready "runs-already" [];
    /// The opponent has pressed his clock; his move is not executed here yet.
    OpponentMoveMissing "opponent-move-missing" [];
    /// The duty of telling times and moves is switched off (D.2.10.4).
    InformingOff "informing-off" [];
    /// A made move was changed before the clock was pressed (4.7).
    MoveChanged "move-changed" [];
    /// Somebody is to look whether this player's board stands as decided (D.2.9).
    BoardRight "board-right" [player: Player];
    /// A capture is insisted on, and its reed says that the captured piece stands (D.2.3.1).
    CapturedGone "captured-gone" [piece: Piece, square: Square];
    /// The arbiter must judge; nothing is certain.
    ArbiterDecides "arbiter-decides" [];
    /// A player asks the arbiter to adjourn the game (I.1).
    AdjournmentAsked "adjournment-asked" [player: Player];
    /// The player to move is to seal his move (I.1.1).
    SealMove "seal-move" [];
    /// The clock was pressed and no move has been named for sealing.
    SealFirst "seal-first" [];
    /// The sealed move: whispered to the player who seals it, announced when it is opened.
    SealedMove "sealed-move" [move: Move];
    /// The move is sealed, the clocks stand (I.1.1).
    Adjourned "adjourned" [];
    /// After a restart: the game waits for its envelope.
    StillAdjourned "still-adjourned" [];
    /// The same: when and where it goes on, as the arbiter worded it (I.2.7).
    GoesOnAt "goes-on-at" [when: Text];
    /// A move is to be sealed and the arbiter has given no passphrase (I.1.1).
    NoPassphrase "no-passphrase" [];
    /// The sealed move cannot be played as it is written (I.8).
    SealedInvalid "sealed-invalid" [];
    /// The arbiter warns a player (12.9.1).
    Warned "warned" [player: Player];
    /// The arbiter gives a player time (7.5.5, 9.5.3, 12.9.2).
    TimeAdded "time-added" [player: Player, time: Duration];
    /// The arbiter takes time from a player (12.9.3).
    TimeTaken "time-taken" [player: Player, time: Duration];
    /// The arbiter sets a clock: both times as they stand then (6.10.2, D.2.9).
    ClocksSet "clocks-set" [white: Duration, black: Duration];
    /// Any other penalty for a player, in words (12.9.4 to 12.9.9).
    Penalised "penalised" [player: Player, penalty: Text];
    /// A penalty of time is taken back.
    PenaltyBack "penalty-back" [];
    /// The arbiter declares the game won.
    DeclaredWin "declared-win" [winner: Player];
    /// The arbiter declares the game drawn.
    DeclaredDraw "declared-draw" [];
    /// The arbiter declares another result: both have lost, or one gets half a point.
    BothLost "both-lost" [];
    /// The arbiter gives half a point to this player, and nothing to the other one (12.9.6).
    HalfPoint "half-point" [winner: Player, loser: Player];
    /// The game does not count (7.2.1, 7.3).
    Annulled "annulled" [];
    /// A player has signed the result (8.7).
    Signed "signed" [player: Player];
    /// There is no result to sign.
    NoResultYet "no-result-yet" [];
    /// Somebody won; what was said is for a game that is played.
    OverWon "over-won" [winner: Player];
    /// The same of a game that nobody has won.
    OverDrawn "over-drawn" [];
    /// The same of a game that counts for nobody, or that both have lost.
    GameOver "game-over" [];
    /// The event allows no draw by agreement so early (9.1.1).
    NoDrawYet "no-draw-yet" [];
    /// A flag was claimed that has not fallen (6.8).
    NoFlag "no-flag" [];
    /// A flag has fallen; whether the opponent can mate is not certain (6.9).
    FlagFellJudge "flag-fell-judge" [loser: Player];
    /// A flag is claimed that was judged already, and is still down (6.8, 6.9).
    FlagDecided "flag-decided" [loser: Player];
    /// The number of half-moves missing in the player's score (8.5).
    ScoresOpen "scores-open" [n: Number];
    /// Asks for the entry of this move.
    ScoreAsk "score-ask" [n: Number, player: Player];
    /// No entry is missing.
    ScoreComplete "score-complete" [];
    /// The game goes on (7.3, or the arbiter wants it so).
    PlayOn "play-on" [];
    /// The arbiter has decided: the game goes on after this move (D.2.9).
    SettledAfter "settled-after" [move: Move];
    /// The arbiter has decided that the game begins again from its first position.
    SettledAtStart "settled-at-start" [];
    /// A question was given up or answered with no.
    Cancelled "cancelled" [];
    /// A move that was announced already was undone by the hands before its clock was pressed. []
    TakenBack "taken-back" [];
    /// A player's first words were badly heard: enrolment after the game helps.
    EnrolOffer "enrol-offer" [];
    /// Enrolment: the task, and the words that steer it.
    EnrolBegin "enrol-begin" [n: Number];
    /// No word of a sentence was understood.
    EnrolAgain "enrol-again" [];
    /// The number of sentences left.
    EnrolLeft "enrol-left" [n: Number];
    /// All was said, now it is worked out.
    EnrolWorking "enrol-working" [];
    /// How many sentences were understood at once, before and after adapting.
    EnrolResult "enrol-result" [all: Number, before: Number, after: Number];
    /// Words that are still badly heard.
    EnrolWeak "enrol-weak" [words: Text];
    /// No setting was found that helps.
    EnrolNoHelp "enrol-no-help" [];
    /// Whether the recordings may be kept.
    EnrolKeep "enrol-keep" [];
    /// The recordings are kept.
    EnrolKept "enrol-kept" [];
    /// The recordings are deleted.
    EnrolDeleted "enrol-deleted" [];
    /// Too few sentences to learn from.
    EnrolTooLittle "enrol-too-little" [n: Number];
    /// Giving one's voice: what it is for, and how long it takes.
    DonateHello "donate-hello" [];
    /// Giving one's voice: what is recorded, and where it stays.
    DonateWhat "donate-what" [];
    /// Giving one's voice: what the licence means.
    DonateLicence "donate-licence" [];
    /// Giving one's voice: until when it can be taken back.
    DonateWithdraw "donate-withdraw" [];
    DonateConsent "donate-consent" [];
    /// Giving one's voice: no consent, and nothing was written.
    DonateDeclined "donate-declined" [];
    DonateAdult "donate-adult" [];
    /// Giving one's voice: a minor's guardian is asked.
    DonateGuardian "donate-guardian" [];
    DonateNoGuardian "donate-no-guardian" [];
    /// Giving one's voice: the name in the list, instead of one's own.
    DonateName "donate-name" [name: Text];
    DonateAge "donate-age" [];
    DonateRegion "donate-region" [];
    /// Giving one's voice: the task, and the words that steer it.
    DonateBegin "donate-begin" [n: Number];
    DonateSay "donate-say" [words: Move];
    /// Giving one's voice: speech began before the recording, or went on after it.
    DonateCut "donate-cut" [];
    DonatePaused "donate-paused" [];
    DonateAskFinish "donate-ask-finish" [];
    DonateAskDelete "donate-ask-delete" [];
    DonateDeleted "donate-deleted" [];
    /// Giving one's voice, another day.
    DonateGoOn "donate-go-on" [name: Text, n: Number];
    DonateLater "donate-later" [n: Number];
    DonateDone "donate-done" [n: Number];
    /// Giving one's voice: the folder, its size in megabytes, and the file to be sent.
    DonateWhere "donate-where" [folder: Text, size: Number, file: Text];
    DonateFull "donate-full" [];
    /// Practice of words: how it goes.
    PracticeBegin "practice-begin" [];
    /// Practice: the units with their numbers.
    PracticeUnits "practice-units" [];
    /// Practice: the same after one of them.
    PracticeMore "practice-more" [];
    /// Practice: what is to be said.
    PracticeSay "practice-say" [words: Move];
    /// Practice: the same once more.
    PracticeAgain "practice-again" [words: Move];
    /// Practice: it was understood.
    PracticeRight "practice-right" [];
    /// Practice: it was understood, and in a game it would be asked about.
    PracticeUnsure "practice-unsure" [];
    /// Practice: what was understood instead.
    PracticeInstead "practice-instead" [words: Move];
    /// Practice: these words are left.
    PracticeOn "practice-on" [];
    /// Practice: nobody listens, words are typed.
    PracticeTyped "practice-typed" [];
    /// Practice: no word of a unit is in the speech model.
    PracticeUnheard "practice-unheard" [];
    /// Practice: how many were understood at the first try.
    PracticeResult "practice-result" [all: Number, first: Number];
    /// Practice: the words that were missed most often.
    PracticeMissed "practice-missed" [words: Move];
    /// Practice: too many were missed, and what helps.
    PracticeEnrol "practice-enrol" [];
    /// The microphone is gone.
    MicrophoneLost "microphone-lost" [];
    /// The microphone is back.
    MicrophoneBack "microphone-back" [];
    /// The player's own board is gone.
    BoardLost "board-lost" [];
    /// It is back.
    BoardBack "board-back" [];
    /// Somebody tests it with another program, and what happens on it does not count.
    BoardIsTested "board-is-tested" [];
    /// The opponent's board is gone.
    OtherBoardLost "other-board-lost" [];
    /// It is back.
    OtherBoardBack "other-board-back" [];
    /// The clock is gone.
    ClockLost "clock-lost" [];
    /// The clock is back.
    ClockBack "clock-back" [];
    /// The clock is in a mode in which it cannot be set.
    ClockRefuses "clock-refuses" [];
    /// The clock runs against its lever.
    LeverLies "lever-lies" [player: Player];
    /// Speech cannot be understood: no model.
    SpeechUnavailable "speech-unavailable" [];
    /// Self-test of the board: it begins and ends with an empty one.
    TestTakeAll "test-take-all" [];
    /// Self-test: how it goes.
    TestBegin "test-begin" [];
    /// Self-test: the next hole.
    TestPut "test-put" [square: Square];
    /// Self-test: the hole felt nothing for a while.
    TestNothing "test-nothing" [square: Square];
    /// Self-test: the board is turned, degrees clockwise.
    TestTurned "test-turned" [n: Number];
    /// Self-test: the inputs of each chip are the other way round.
    TestReversed "test-reversed" [];
    /// Self-test: two reeds are on each other's inputs.
    TestSwapped "test-swapped" [first: Square, second: Square];
    /// Self-test: reeds are on other inputs, without a simple rule.
    TestRewired "test-rewired" [];
    /// Self-test: a peg closes other reeds too.
    TestCross "test-cross" [square: Square, others: Squares];
    /// Self-test: nothing is wrong.
    TestGood "test-good" [];
    /// Self-test of a strip: it begins and ends without a magnet.
    TestStripClear "test-strip-clear" [n: Number];
    /// Self-test of a strip: how it goes.
    TestStripBegin "test-strip-begin" [];
    /// Self-test of a strip: nothing is wrong.
    TestStripGood "test-strip-good" [n: Number];
    /// Self-test: a strip lies the other way round.
    TestStripTurned "test-strip-turned" [n: Number];
    /// Self-test: strips are in each other's place of the chain.
    TestStripsSwapped "test-strips-swapped" [strips: Text];
    /// Self-test: the chain is cut before this strip.
    TestStripMissing "test-strip-missing" [n: Number];
    /// Self-test: no reed of a strip is felt.
    TestStripSilent "test-strip-silent" [n: Number];
    /// Self-test: two reeds close together, whichever of them has a peg.
    TestBridge "test-bridge" [first: Square, second: Square];
    /// Self-test: the strips that need a soldering iron.
    TestTouch "test-touch" [strips: Text];
    /// The findings are in the configuration now.
    TestWritten "test-written" [];
    /// Set-up: a new game is to be set up.
    NewGame "new-game" [];
    /// Set-up: a game was not finished; yes or no.
    AskResume "ask-resume" [white: Text, black: Text];
    /// Set-up: a restart after a game that has ended.
    LastGameOver "last-game-over" [];
    /// Set-up: that game waits in the journal.
    GameSetAside "game-set-aside" [];
    /// Set-up: which colour the player on pegs has.
    YouHave "you-have" [player: Player];
    /// Set-up: both play on pegs.
    BothBlind "both-blind" [];
    /// Set-up: the players.
    NamesAre "names-are" [white: Text, black: Text];
    /// Set-up: the time control in words.
    TimeControlIs "time-control-is" [control: Text];
    /// Set-up: whether everything is as wanted; yes or no.
    AskAllRight "ask-all-right" [];
    /// Set-up: asks for the topic to change.
    AskChange "ask-change" [];
    /// Set-up: which colour.
    AskSide "ask-side" [];
    /// Set-up at home: which opponent.
    AskOpponent "ask-opponent" [];
    /// Set-up: which time control.
    AskControl "ask-control" [];
    /// Set-up: moves of a period.
    AskMoves "ask-moves" [];
    /// Set-up: its minutes.
    AskMinutes "ask-minutes" [];
    /// Set-up: seconds with each move.
    AskBonus "ask-bonus" [];
    /// Set-up: a player's name.
    AskName "ask-name" [player: Player];
    /// Set-up: the name is to be spelled.
    AskLetters "ask-letters" [];
    /// Set-up: a name, as spelled so far.
    NameSoFar "name-so-far" [name: Text];
    /// Set-up: duty D.2.10.1; yes or no.
    AskRelay "ask-relay" [];
    /// Set-up: duty D.2.10.2.
    AskAnnounce "ask-announce" [];
    /// Set-up: duty D.2.10.3, the score.
    AskKeepScore "ask-keep-score" [];
    /// Set-up: duty D.2.10.3, the clock.
    AskStartClock "ask-start-clock" [];
    /// Set-up: duty D.2.10.4.
    AskInform "ask-inform" [];
    /// Set-up: duty D.2.10.5.
    AskClaim "ask-claim" [];
    /// Set-up: duty D.2.10.6.
    AskAdjourn "ask-adjourn" [];
    /// Set-up: D.2.11.
    AskDeaf "ask-deaf" [];
    /// Set-up: without a display a deaf opponent needs an announcer (D.2.11).
    DeafNeedsAnnouncing "deaf-needs-announcing" [];
    /// Set-up: a deaf opponent reads announcements on a display, and there is none (D.2.11).
    DeafNeedsDisplay "deaf-needs-display" [];
    /// Set-up: half a turn is wrong (7.2.2).
    BoardTurned "board-turned" [];
    /// Set-up: a1 lies left or right (2.1, 7.2.2).
    BoardQuarterTurned "board-quarter-turned" [];
    /// Set-up: the colours are exchanged (7.3).
    ColoursReversed "colours-reversed" [];
    /// Set-up: reeds do not show colours, so one peg shows which way round the board lies.
    LiftToTest "lift-to-test" [piece: Piece, square: Square];
    /// Set-up: a square of the sighted player's board is wrong (7.2.1).
    OtherBoardSquare "other-board-square" [square: Square];
    /// Set-up: the sighted player's board lies wrong (7.2.2).
    OtherBoardTurned "other-board-turned" [];
    /// Set-up: of two peg boards the other one is not set up yet.
    OtherBoardNotReady "other-board-not-ready" [];
    /// Set-up: both players are to be blind, and there is one peg board.
    BothNeedBoards "both-need-boards" [];
    /// Set-up: no board can be felt.
    CheckByHand "check-by-hand" [];
    /// Set-up: all is ready; White's clock may be started (6.6).
    AskStart "ask-start" [];
    /// After a game: whether another follows.
    AskNextGame "ask-next-game" [];
    /// After a game: whether the colours change.
    AskSwap "ask-swap" [];
    /// After a game, on request.
    SideWins "side-wins" [winner: Player];
    Drawn "drawn" [];
    /// After a game, on request: the player's games of this session.
    MatchScore "match-score" [won: Number, drawn: Number, lost: Number];
    /// Set-up: there is nothing more to undo.
    NothingBefore "nothing-before" [];
    /// Set-up: the possible answers.
    HelpSetup "help-setup" [];
    /// The session is over.
    Goodbye "goodbye" [];
}}
