//! The texts of the pages: each by its name, in every language that has them.

/// Texts that a pack has by their keys, without anything that the program tells.
macro_rules! texts {
    (
        $(#[$what:meta])* $texts:ident;
        $($(#[$doc:meta])* $name:ident $key:literal;)*
    ) => {
        $(#[$what])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $texts {
            $(
                $(#[$doc])*
                #[doc = concat!("`", $key, "`")]
                $name,
            )*
        }

        impl $texts {
            /// Every text, in the order of a pack.
            pub const ALL: &'static [$texts] = &[$($texts::$name,)*];

            /// The key in a pack's table.
            pub const fn key(self) -> &'static str {
                match self {
                    $($texts::$name => $key,)*
                }
            }

            /// The texts that a pack has, in the order of `ALL`.
            pub(super) fn read(
                mut reader: $crate::phrase::reader::Reader<'_>,
                problems: &mut Vec<$crate::phrase::reader::Problem>,
            ) -> Vec<String> {
                let all = $texts::ALL.iter();
                let texts = all.map(|text| reader.text(text.key(), problems)).collect();
                reader.finish(problems);
                texts
            }
        }
    };
}
pub(super) use texts;

texts! {
    /// A text of the pages. Each names its key in a pack's `[pages]`; slots in braces are filled by
    /// the page.
    PageText;
    // Everywhere.
    SkipToMain "skip-to-main";
    Arbiter "arbiter";
    Assistant "assistant";
    Display "display";
    White "white";
    Black "black";
    Language "language";
    Change "change";
    Leave "leave";
    LeaveSure "leave-sure";
    Reload "reload";
    ReloadItself "reload-itself";
    ReloadStop "reload-stop";
    ConnectionLost "connection-lost";
    ConnectionBack "connection-back";
    NoGame "no-game";
    NoGameWait "no-game-wait";
    /// Before the line that says why something was refused.
    Refused "refused";
    Done "done";
    NotFound "not-found";
    NotAllowed "not-allowed";
    SessionOver "session-over";
    TooLong "too-long";
    /// A sealed move is not taken over a connection that others can read.
    NotEncrypted "not-encrypted";
    Busy "busy";
    MovedOn "moved-on";
    /// `{field}`
    FieldWrong "field-wrong";
    // Pairing.
    PairTitle "pair-title";
    PairCode "pair-code";
    PairHelp "pair-help";
    PairOpen "pair-open";
    PairWrong "pair-wrong";
    /// `{n}`
    PairWait "pair-wait";
    // How the game stands.
    /// `{player}`
    ToMove "to-move";
    BoardsAgree "boards-agree";
    BoardsPending "boards-pending";
    BoardsDiffer "boards-differ";
    /// No difference is known, and not every board is seen.
    BoardsUnseen "boards-unseen";
    LastMove "last-move";
    NoMove "no-move";
    Result "result";
    Clocks "clocks";
    TimeLeft "time-left";
    Running "running";
    Stopped "stopped";
    // Boards.
    Position "position";
    /// `{player}`
    BoardOf "board-of";
    BoardUnseen "board-unseen";
    EmptySquare "empty-square";
    SomePiece "some-piece";
    /// A piece stands where none should.
    CellExtra "cell-extra";
    /// `{piece}`: the piece that should stand on this empty square.
    CellMissing "cell-missing";
    /// `{piece}`: the piece that should stand here instead.
    CellOther "cell-other";
    MarksExplained "marks-explained";
    // Scores.
    Scores "scores";
    MoveNumber "move-number";
    /// `{player}`
    ScoreOf "score-of";
    ClockAfter "clock-after";
    Remark "remark";
    FirstDifference "first-difference";
    AnotherDifference "another-difference";
    EntryMissing "entry-missing";
    // The decision under D.2.9.
    Decision "decision";
    BothAgree "both-agree";
    /// `{player}`
    OneCorrects "one-corrects";
    BothCorrect "both-correct";
    Inspect "inspect";
    /// `{player}`
    WrongPieces "wrong-pieces";
    /// `{move}`
    ScoresDifferAt "scores-differ-at";
    /// `{move}`
    BackTo "back-to";
    BackToStart "back-to-start";
    /// `{player}` `{move}`
    StillToWrite "still-to-write";
    /// `{player}`
    StepsFor "steps-for";
    NothingToDo "nothing-to-do";
    /// `{piece}` `{from}` `{to}`
    StepCarry "step-carry";
    /// `{piece}` `{from}`
    StepRemove "step-remove";
    /// `{piece}` `{to}`
    StepSet "step-set";
    /// `{move}`
    ClockThen "clock-then";
    ClockAtStart "clock-at-start";
    ClockNow "clock-now";
    /// `{move}`
    ClockNowWithout "clock-now-without";
    ClockOther "clock-other";
    ClockFormat "clock-format";
    WriteTime "write-time";
    ConfirmDecision "confirm-decision";
    OtherPosition "other-position";
    ByScoreOf "by-score-of";
    AfterHalfMove "after-half-move";
    Proposed "proposed";
    // The arbiter's actions.
    Decide "decide";
    ArbiterName "arbiter-name";
    Reason "reason";
    Proposals "proposals";
    Confirm "confirm";
    Dismiss "dismiss";
    Cancel "cancel";
    StopClocks "stop-clocks";
    StartClocks "start-clocks";
    BeginGame "begin-game";
    SetClock "set-clock";
    MovesCompleted "moves-completed";
    Penalty "penalty";
    Player "player";
    Amount "amount";
    Impose "impose";
    PenaltyWarning "penalty-warning";
    PenaltyTimeToOpponent "penalty-time-to-opponent";
    PenaltyTimeOff "penalty-time-off";
    PenaltyPointsToOpponent "penalty-points-to-opponent";
    PenaltyPointsOff "penalty-points-off";
    PenaltyLoss "penalty-loss";
    PenaltyFine "penalty-fine";
    PenaltyRounds "penalty-rounds";
    PenaltyEvent "penalty-event";
    DeclareResult "declare-result";
    AcceptMove "accept-move";
    IllegalMove "illegal-move";
    PlayAfterAll "play-after-all";
    Note "note";
    Article "article";
    EnterBoard "enter-board";
    Adjournment "adjournment";
    AskToSeal "ask-to-seal";
    NotAdjourned "not-adjourned";
    /// `{player}`
    Sealing "sealing";
    Adjourned "adjourned";
    Appoint "appoint";
    Date "date";
    Place "place";
    Report "report";
    BackToPage "back-to-page";
    CloseOthers "close-others";
    CloseOthersSure "close-others-sure";
    // The card with pictures of the addresses.
    Card "card";
    CardScan "card-scan";
    /// `{code}`
    CardCode "card-code";
    CardOnce "card-once";
    CardHere "card-here";
    // The record.
    Record "record";
    Time "time";
    What "what";
    Heard "heard";
    Lifted "lifted";
    Pressed "pressed";
    Problem "problem";
    Ruling "ruling";
    MoveMade "move-made";
    MoveCompleted "move-completed";
    BoardShows "board-shows";
    // The assistant's actions.
    ToPlay "to-play";
    /// `{player}`
    PlayOn "play-on";
    NothingToPlay "nothing-to-play";
    Played "played";
    /// `{player}`
    EnterMove "enter-move";
    EnterHelp "enter-help";
    Enter "enter";
    /// `{move}`: as it was typed.
    MoveUnreadable "move-unreadable";
    /// `{move}`
    MoveIllegal "move-illegal";
    /// `{move}` `{moves}`
    MoveAmbiguous "move-ambiguous";
    MoveOtherLetters "move-other-letters";
    /// `{player}`
    NotOnMove "not-on-move";
    ByBoard "by-board";
    BoardHelp "board-help";
    TurnBoard "turn-board";
    Promotion "promotion";
    /// `{square}`
    FromChosen "from-chosen";
    /// `{player}`
    PressFor "press-for";
    CallArbiter "call-arbiter";
    ArbiterCalled "arbiter-called";
    CompareBoards "compare-boards";
    ReadOut "read-out";
    // Sealing a move by typing it.
    SealMove "seal-move";
    SealAgain "seal-again";
    SealAsWritten "seal-as-written";
    Seal "seal";
    SealHelp "seal-help";
    SealDiffer "seal-differ";
    CompleteScore "complete-score";
    ScoreHelp "score-help";
    HandIn "hand-in";
    // Entries for the sighted player.
    /// `{player}`
    PlayerSays "player-says";
    /// `{player}`
    DrawOfferedBy "draw-offered-by";
    OfferDraw "offer-draw";
    AcceptDraw "accept-draw";
    DeclineDraw "decline-draw";
    Resign "resign";
    ClaimDraw "claim-draw";
    ByRepetition "by-repetition";
    ByFifty "by-fifty";
    IntendedMove "intended-move";
    ClaimFlag "claim-flag";
    Adjusts "adjusts";
    /// `{player}`
    Sure "sure";
    // Announcements for people who don't hear them.
    Said "said";
    NothingSaid "nothing-said";
    // Before the clocks go on.
    StillOpen "still-open";
    /// `{player}`
    BoardIsCorrected "board-is-corrected";
    // The whole hall.
    WholeHall "whole-hall";
    NeedsArbiter "needs-arbiter";
    NothingWaits "nothing-waits";
    AllBoards "all-boards";
    /// `{n}`
    BoardNumber "board-number";
    /// `{n}`
    WaitsMinutes "waits-minutes";
    /// `{n}`
    WaitsSeconds "waits-seconds";
    WaitsNew "waits-new";
    FirstBoard "first-board";
    LastBoard "last-board";
    ShowBoards "show-boards";
    SectorEmpty "sector-empty";
    /// `{n}`
    WaitsElsewhere "waits-elsewhere";
    BoardSilent "board-silent";
    ClockLost "clock-lost";
    SightedLost "sighted-lost";
    BoardLost "board-lost";
    RowsUnreadable "rows-unreadable";
    HallFull "hall-full";
    HallAside "hall-aside";
    /// `{pair}`
    PairedHere "paired-here";
    CallSound "call-sound";
    BackToHall "back-to-hall";
    /// `{n}`
    BoardAway "board-away";
    /// `{time}`
    BoardAwaySince "board-away-since";
    BoardAwayDo "board-away-do";
    TryAgain "try-again";
    GamesFile "games-file";
    ViewAs "view-as";
    ViewTiles "view-tiles";
    ViewBoards "view-boards";
    ViewLines "view-lines";
    HallTools "hall-tools";
    ShortOfTime "short-of-time";
    /// A letter for it.
    SignTime "sign-time";
    WaitsExecute "waits-execute";
    /// A letter for it.
    SignExecute "sign-execute";
    WaitsDraw "waits-draw";
    WaitsStand "waits-stand";
    WaitsCorrect "waits-correct";
    SignDiffer "sign-differ";
    WaitsPress "waits-press";
    WaitsBegin "waits-begin";
    // What is asked of the reader now.
    /// `{time}`
    AskedSince "asked-since";
    AskedAlso "asked-also";
    /// `{player}`
    AskedCalls "asked-calls";
    AskedAssistantCalls "asked-assistant-calls";
    /// `{player}`
    AskedStopped "asked-stopped";
    /// `{move}` `{article}`
    AskedIllegal "asked-illegal";
    /// `{player}` `{article}`
    AskedIllegalOf "asked-illegal-of";
    /// `{player}`
    AskedFlag "asked-flag";
    /// `{player}`
    AskedWrongClaim "asked-wrong-claim";
    /// `{what}`
    AskedDecide "asked-decide";
    AskedGoOn "asked-go-on";
    AskedClocksStand "asked-clocks-stand";
    AskedSetFirst "asked-set-first";
    /// `{player}`
    AskedPutBack "asked-put-back";
    /// `{player}`
    AskedCorrect "asked-correct";
    AskedAwaitArbiter "asked-await-arbiter";
    AskedCompare "asked-compare";
    /// `{player}` `{move}`
    AskedExecuteOwn "asked-execute-own";
    /// `{player}`
    AskedPressOwn "asked-press-own";
    /// `{player}`
    AskedAnswerDraw "asked-answer-draw";
    /// `{player}`
    AskedEnter "asked-enter";
    /// `{player}`
    AskedMoveOwn "asked-move-own";
    /// `{player}`
    AskedNotBegun "asked-not-begun";
    /// `{player}`
    AskedWatch "asked-watch";
    /// The button that answers a call, and the note of it.
    AnswerCall "answer-call";
    IllegalBack "illegal-back";
    IllegalQueen "illegal-queen";
    IllegalLeft "illegal-left";
    /// `{player}` `{n}`
    IllegalNumber "illegal-number";
    /// `{player}` `{time}`
    UndoGave "undo-gave";
    /// `{player}` `{time}`
    UndoTook "undo-took";
    UndoPenalty "undo-penalty";
    /// `{player}`
    SlipQuestion "slip-question";
    /// `{move}`
    SlipEntered "slip-entered";
    /// `{move}`
    SlipTyped "slip-typed";
    /// `{player}` `{move}`
    SlipMoved "slip-moved";
    EndSlip "end-slip";
    /// `{move}`
    EndPlayed "end-played";
    /// `{move}` `{player}`
    EndQuestion "end-question";
    /// `{square}`
    CellExtraAt "cell-extra-at";
    /// `{square}` `{piece}`
    CellMissingAt "cell-missing-at";
    /// `{square}` `{piece}`
    CellOtherAt "cell-other-at";
    /// A piece as one of several: `{piece}`
    PieceMasculine "piece-masculine";
    /// `{piece}`
    PieceFeminine "piece-feminine";
    SentLater "sent-later";
    NotSent "not-sent";
}

/// `text` with `{name}` replaced for each pair.
pub fn fill(text: &str, slots: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(begin) = rest.find('{') {
        filled.push_str(&rest[..begin]);
        rest = &rest[begin..];
        let Some(end) = rest.find('}') else { break };
        match slots.iter().find(|(name, _)| *name == &rest[1..end]) {
            Some((_, value)) => filled.push_str(value),
            None => filled.push_str(&rest[..=end]),
        }
        rest = &rest[end + 1..];
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_filled_once_and_what_fills_them_is_no_slot() {
        let slots = [("player", "{move}"), ("move", "e4")];
        assert_eq!(fill("{player} played {move}.", &slots), "{move} played e4.");
        assert_eq!(fill("a { b", &slots), "a { b");
        assert_eq!(fill("{nobody}", &slots), "{nobody}");
    }

    #[test]
    fn no_key_is_there_twice() {
        let mut keys: Vec<&str> = PageText::ALL.iter().map(|text| text.key()).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), PageText::ALL.len());
    }
}
