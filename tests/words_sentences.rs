//! Every German sentence, exactly as it is heard: announcements must not fall silent or change
//! unnoticed.

use annabella::phrase::{Form, Kind, Prompt, Slot, Words};
use shakmaty::{Chess, Color, File, Move, Piece, Rank, Role, Square, uci::UciMove};

fn mv(pos: &Chess, uci: &str) -> Move {
    let uci: UciMove = uci.parse().expect("UCI");
    uci.to_move(pos).expect("legal move")
}

const PIECES: [(Square, Piece); 2] = [
    (Square::C1, Piece { color: Color::White, role: Role::Bishop }),
    (Square::H8, Piece { color: Color::Black, role: Role::Rook }),
];

/// The sentence with sample slots; a second slot of a kind is filled with something else.
fn sentence(words: &Words, prompt: Prompt) -> String {
    let pos = Chess::default();
    let moves = [mv(&pos, "g1f3"), mv(&pos, "c2c4")];
    let slots: Vec<Slot<'_>> = prompt
        .slots()
        .iter()
        .enumerate()
        .map(|(n, (name, kind))| match kind {
            Kind::Move => Slot::Move { pos: &pos, mv: moves[n], form: Form::Full },
            Kind::Moves => Slot::Moves { pos: &pos, moves: &moves },
            Kind::Square if *name == "to" => Slot::Square(Square::H3),
            Kind::Square => Slot::Square(Square::C4),
            Kind::File => Slot::File(File::C),
            Kind::Rank => Slot::Rank(Rank::Second),
            Kind::Squares => Slot::Squares(&[Square::A1, Square::H8]),
            Kind::Piece => Slot::Piece(Role::Knight),
            Kind::Pieces => Slot::Pieces(&PIECES),
            Kind::Player if *name == "winner" => Slot::Player(Color::White),
            Kind::Player => Slot::Player(Color::Black),
            Kind::Number => Slot::Number(22),
            Kind::Text => Slot::Text("Anna"),
            Kind::Duration if n == 0 => Slot::Duration(2_472_000),
            Kind::Duration => Slot::Duration(3_723_000),
        })
        .collect();
    words.prompt(prompt, &slots).to_string()
}

#[test]
fn every_german_sentence_is_as_written_here() {
    use Prompt::*;
    let words = Words::builtin("fide", "de").expect("built-in packs");
    let sentences = [
        (WhichPiece, "Welche Figur?"),
        (WhichMove, "Springer Gustav eins Felix drei oder Bauer Cesar zwei Cesar vier?"),
        (WhichMoves, "Welcher Zug? Springer Gustav eins Felix drei, Bauer Cesar zwei Cesar vier."),
        (
            ChooseByNumber,
            "Eins: Springer Gustav eins Felix drei. Zwei: Bauer Cesar zwei Cesar vier.",
        ),
        (Take, "Nimm den Springer von Cesar vier."),
        (TakeUnknown, "Nimm die Figur von Cesar vier."),
        (Put, "Setz den Springer auf Cesar vier."),
        (BoardAgrees, "Brett stimmt."),
        (NotExecutedYet, "Noch nicht ausgeführt: Springer Gustav eins Felix drei."),
        (BoardsDiffer, "Die Bretter sind verschieden."),
        (BoardsDifferAt, "Die Bretter sind verschieden: Cesar vier."),
        (BoardsDifferAtBoth, "Die Bretter sind verschieden: Cesar vier und Cesar vier."),
        (BoardsAgreeAgain, "Die Bretter stimmen wieder."),
        (
            AnnouncedButExecuted,
            "Angesagt: Springer Gustav eins Felix drei. Ausgeführt: Bauer Cesar zwei Cesar vier.",
        ),
        (Correction, "Korrektur: Springer Gustav eins Felix drei."),
        (ExecuteOpponentMove, "Führ aus: Springer Gustav eins Felix drei."),
        (IllegalMove, "Regelwidrig: Cesar vier Hector drei."),
        (IllegalPosition, "Kein Zug führt zu dieser Stellung."),
        (IllegalCompleted, "Regelwidriger Zug, Uhr gedrückt."),
        (GoBack, "Zurück zur Stellung davor."),
        (AnnounceFirst, "Erst ansagen."),
        (ExecuteFirst, "Erst ausführen: Springer Gustav eins Felix drei."),
        (CaptureFirst, "Erst die geschlagene Figur vom Brett nehmen."),
        (PressedWithoutMove, "Noch kein Zug."),
        (NotYourTurn, "Du bist nicht am Zug."),
        (Touched, "Berührt: Springer Cesar vier."),
        (Adjusting, "Gut, du rückst zurecht."),
        (MustMove, "Berührt: Springer Cesar vier muss ziehen."),
        (MustCapture, "Berührt: Springer Cesar vier muss geschlagen werden."),
        (MayNotCastle, "Turm zuerst berührt: keine Rochade."),
        (ReedDead, "Cesar vier fühlt nichts mehr."),
        (ReedStuck, "Cesar vier fühlt immer eine Figur."),
        (PlayOnByAnnouncement, "Weiter mit Ansage."),
        (StartPosition, "Grundstellung."),
        (StartPositionWrong, "Die Grundstellung stimmt nicht."),
        (GameStarted, "Die Partie beginnt."),
        (GameResumed, "Die Partie geht weiter. Letzter Zug: Springer Gustav eins Felix drei."),
        (GameResumedAtStart, "Die Partie geht weiter. Noch kein Zug."),
        (Checkmate, "Schachmatt. Weiß gewinnt."),
        (Stalemate, "Patt. Remis."),
        (DeadPosition, "Tote Stellung. Remis."),
        (Resigned, "Schwarz gibt auf. Weiß gewinnt."),
        (DrawAgreed, "Remis vereinbart."),
        (DrawByRepetition, "Remis durch Stellungswiederholung."),
        (DrawByMoves, "Remis durch zweiundzwanzig Züge."),
        (FlagFell, "Schwarz: Zeit überschritten. Weiß gewinnt."),
        (FlagFellDraw, "Schwarz: Zeit überschritten. Remis."),
        (IllegalLost, "Zweiter regelwidriger Zug. Weiß gewinnt."),
        (NotHeard, "Bitte?"),
        (AskAgain, "Noch einmal, bitte."),
        (ConfirmMove, "Springer Gustav eins Felix drei?"),
        (ConfirmResign, "Wirklich aufgeben?"),
        (ConfirmOfferDraw, "Remis anbieten?"),
        (ConfirmAcceptDraw, "Remis annehmen?"),
        (ConfirmClaimRepetition, "Remis durch Stellungswiederholung beantragen?"),
        (
            ConfirmClaimRepetitionWith,
            "Remis durch Stellungswiederholung beantragen mit Springer Gustav eins Felix drei?",
        ),
        (ConfirmClaimFifty, "Remis durch fünfzig Züge beantragen?"),
        (
            ConfirmClaimFiftyWith,
            "Remis durch fünfzig Züge beantragen mit Springer Gustav eins Felix drei?",
        ),
        (DrawOffered, "Remis angeboten."),
        (OpponentOffersDraw, "Dein Gegner bietet Remis an."),
        (DrawDeclined, "Remis abgelehnt."),
        (NoDrawOffer, "Kein Remisangebot."),
        (ClaimMade, "Remis beantragt."),
        (ClaimTooLate, "Berührt: kein Antrag mehr."),
        (ClaimWrong, "Antrag falsch. Die Partie geht weiter."),
        (IllegalSpoken, "Nicht möglich: Springer Gustav eins Felix drei."),
        (AmbiguousSpoken, "Von wo?"),
        (
            RepeatedWrong,
            "Angesagt: Springer Gustav eins Felix drei. Wiederholt: Bauer Cesar zwei Cesar vier.",
        ),
        (YourTime, "Du: einundvierzig Minuten zwölf."),
        (OpponentTime, "Gegner: einundvierzig Minuten zwölf."),
        (BothTimes, "Du: einundvierzig Minuten zwölf. Gegner: eine Stunde zwei Minuten drei."),
        (TimeWarning, "Noch einundvierzig Minuten zwölf."),
        (ClockUnknown, "Die Uhr antwortet nicht."),
        (ClockStarted, "Die Uhr läuft."),
        (ClockStopped, "Die Uhr steht."),
        (MovesMade, "Zweiundzwanzig Züge."),
        (MovesToControl, "Noch zweiundzwanzig Züge bis zur Zeitkontrolle."),
        (NoControl, "Keine Zeitkontrolle mehr."),
        (WhoseMove, "Schwarz am Zug."),
        (SquareHolds, "Cesar vier: Springer."),
        (SquareEmpty, "Cesar vier: leer."),
        (FileHolds, "Cesar. Weiß: Läufer Cesar eins. Schwarz: Turm Hector acht."),
        (FileEmpty, "Cesar: leer."),
        (RankHolds, "Reihe zwei. Weiß: Läufer Cesar eins. Schwarz: Turm Hector acht."),
        (RankEmpty, "Reihe zwei: leer."),
        (WherePieces, "Springer: Anna eins, Hector acht."),
        (WhereNone, "Springer: keine Figur."),
        (Captured, "Geschlagen. Weiß: Läufer Cesar eins. Schwarz: Turm Hector acht."),
        (CapturedNone, "Nichts geschlagen."),
        (AnnouncedNotExecuted, "Angesagt, nicht ausgeführt: Springer Gustav eins Felix drei."),
        (ExecutedNotAnnounced, "Ausgeführt, nicht angesagt: Springer Gustav eins Felix drei."),
        (NothingPending, "Nichts offen."),
        (LastMove, "Springer Gustav eins Felix drei."),
        (NoMoveYet, "Noch kein Zug."),
        (
            HelpShort,
            "Frag: letzter Zug, meine Zeit, beide Zeiten, wie viele Züge, was steht auf, wo sind meine, was ist offen. Sag: wiederhole, stopp, lauter, langsamer, Korrektur, Remis anbieten, ich gebe auf, Schiedsrichter.",
        ),
        (VolumeNow, "Lautstärke zweiundzwanzig."),
        (RateNow, "Tempo zweiundzwanzig."),
        (ArbiterCalled, "Schiedsrichter gerufen."),
        (ArbiterDecides, "Der Schiedsrichter entscheidet."),
        (AdjournmentAsked, "Schwarz wünscht die Unterbrechung."),
        (SealMove, "Abgabezug. Sag ihn leise, dann drück die Uhr."),
        (SealFirst, "Erst den Abgabezug sagen."),
        (SealedMove, "Abgabezug: Springer Gustav eins Felix drei."),
        (Adjourned, "Zug abgegeben. Die Partie ist unterbrochen."),
        (SealedInvalid, "Abgabezug ungültig. Der Schiedsrichter entscheidet."),
        (PenaltyProposed, "Vorschlag für Schwarz: eine Stunde zwei Minuten drei mehr."),
        (Warned, "Verwarnung. Schwarz."),
        (TimeAdded, "Schwarz: eine Stunde zwei Minuten drei mehr."),
        (TimeTaken, "Schwarz: eine Stunde zwei Minuten drei weniger."),
        (DeclaredWin, "Weiß gewinnt."),
        (DeclaredDraw, "Remis."),
        (DeclaredResult, "Der Schiedsrichter hat das Ergebnis bestimmt."),
        (Annulled, "Die Partie gilt nicht. Neue Partie."),
        (Signed, "Schwarz hat unterschrieben."),
        (NoResultYet, "Die Partie läuft noch."),
        (NoDrawYet, "Noch kein Remis erlaubt."),
        (NoFlag, "Keine Zeit überschritten."),
        (FlagFellJudge, "Schwarz: Zeit überschritten. Der Schiedsrichter entscheidet."),
        (ScoresOpen, "In der Mitschrift fehlt: zweiundzwanzig."),
        (ScoreAsk, "Zug zweiundzwanzig, Schwarz?"),
        (ScoreComplete, "Mitschrift vollständig."),
        (PlayOn, "Die Partie geht weiter."),
        (
            SettledAfter,
            "Der Schiedsrichter hat entschieden. Weiter nach: Springer Gustav eins Felix drei.",
        ),
        (SettledAtStart, "Der Schiedsrichter hat entschieden. Weiter von der Anfangsstellung."),
        (Cancelled, "Abgebrochen."),
        (TakenBack, "Zurückgenommen."),
        (MicrophoneLost, "Mikrofon fehlt."),
        (MicrophoneBack, "Mikrofon ist wieder da."),
        (LoudspeakerLost, "Lautsprecher fehlt."),
        (LoudspeakerBack, "Lautsprecher ist wieder da."),
        (BoardLost, "Brett fehlt."),
        (BoardBack, "Brett ist wieder da."),
        (ClockLost, "Uhr fehlt."),
        (ClockBack, "Uhr ist wieder da."),
        (SpeechUnavailable, "Ich kann dich nicht verstehen. Spiel mit den Figuren."),
    ];
    for (prompt, said) in sentences {
        assert_eq!(sentence(&words, prompt), said, "{prompt:?}");
    }
    let listed = sentences.map(|(prompt, _)| prompt);
    assert_eq!(listed, Prompt::ALL, "a prompt without its sentence");
}
