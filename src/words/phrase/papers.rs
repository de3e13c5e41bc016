//! The texts of score sheets, reports and envelopes: each by its name, in every language.

use super::pages::texts;

texts! {
    /// A text of a paper. Each names its key in a pack's `[papers]`.
    PaperText;
    // Sides.
    White "white";
    Black "black";
    // What stands on several papers.
    Game "game";
    Date "date";
    TimeControl "time-control";
    Result "result";
    Number "number";
    WhiteClock "white-clock";
    BlackClock "black-clock";
    Signature "signature";
    Signed "signed";
    // An envelope.
    SealedMove "sealed-move";
    SealedBy "sealed-by";
    SealedNumber "sealed-number";
    TimeUsed "time-used";
    ClockShows "clock-shows";
    OfferedBy "offered-by";
    NoOffer "no-offer";
    Resumption "resumption";
    TimeOfDay "time-of-day";
    Place "place";
    PositionBefore "position-before";
    OnMove "on-move";
    Content "content";
    OnPaper "on-paper";
    Encrypted "encrypted";
    CheckedArbiter "checked-arbiter";
    SealedPlayer "sealed-player";
    // A report.
    Report "report";
    Arbiter "arbiter";
    TimesCount "times-count";
    Incidents "incidents";
    None "none";
    Waiting "waiting";
    MoveByMove "move-by-move";
    TimesByMove "times-by-move";
    Position "position";
    Time "time";
    Move "move";
    Article "article";
    WhatHappened "what-happened";
    Rule "rule";
    DecidedBy "decided-by";
    Reason "reason";
    Seen "seen";
    Heard "heard";
    Touched "touched";
    SaidNotSeen "said-not-seen";
    Announced "announced";
    Made "made";
    Completed "completed";
    Problem "problem";
    Refused "refused";
    Offer "offer";
    Proposal "proposal";
    Decision "decision";
    Adjournment "adjournment";
    Interruption "interruption";
    // A score sheet.
    ScoreSheet "score-sheet";
    Event "event";
    Site "site";
    Round "round";
    Remarks "remarks";
    AtHome "at-home";
    ByArbiter "by-arbiter";
    Moves "moves";
    Struck "struck";
}
