//! Every German sentence, exactly as it is heard: announcements must not fall silent or change
//! unnoticed.

use annabella_words::phrase::{Prompt, Slot, SlotKind, SpokenForm, Words};
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
            SlotKind::Move => Slot::Move { pos: &pos, mv: moves[n], form: SpokenForm::Full },
            SlotKind::Moves => Slot::Moves { pos: &pos, moves: &moves },
            SlotKind::Square if *name == "to" => Slot::Square(Square::H3),
            SlotKind::Square => Slot::Square(Square::C4),
            SlotKind::File => Slot::File(File::C),
            SlotKind::Rank => Slot::Rank(Rank::Second),
            SlotKind::Squares => Slot::Squares(&[Square::A1, Square::H8]),
            SlotKind::Piece => Slot::Piece(Role::Knight),
            SlotKind::Pieces => Slot::Pieces(&PIECES),
            SlotKind::Player if *name == "winner" => Slot::Player(Color::White),
            SlotKind::Player => Slot::Player(Color::Black),
            SlotKind::Number => Slot::Number(22),
            SlotKind::Text => Slot::Text("Anna"),
            SlotKind::Duration if n == 0 => Slot::Duration(552_000),
            SlotKind::Duration => Slot::Duration(3_723_000),
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
        (Take, "Entferne den Springer von Cesar vier."),
        (TakeUnknown, "Entferne die Figur von Cesar vier."),
        (Put, "Setz den Springer auf Cesar vier."),
        (BoardAgrees, "Brett stimmt."),
        (NotExecutedYet, "Noch nicht ausgeführt: Springer Gustav eins Felix drei."),
        (BoardsDiffer, "Bretter weichen ab."),
        (BoardsDifferAt, "Bretter weichen ab: Cesar vier."),
        (BoardsDifferAtBoth, "Bretter weichen ab: Cesar vier und Cesar vier."),
        (BoardsAgreeAgain, "Die Bretter stimmen wieder überein."),
        (
            AnnouncedButExecuted,
            "Angesagt: Springer Gustav eins Felix drei. Ausgeführt: Bauer Cesar zwei Cesar vier.",
        ),
        (Correction, "Korrektur: Springer Gustav eins Felix drei."),
        (ExecuteOpponentMove, "Führ aus: Springer Gustav eins Felix drei."),
        (IllegalCompleted, "Regelwidriger Zug, Uhr gedrückt."),
        (AnnounceFirst, "Erst ansagen."),
        (ExecuteFirst, "Erst ausführen: Springer Gustav eins Felix drei."),
        (PressedWithoutMove, "Uhr zu früh, noch kein Zug."),
        (NotYourTurn, "Du bist nicht am Zug."),
        (Adjusting, "Gut, du rückst zurecht."),
        (TouchBinds, "Schon berührt, das gilt: Cesar vier."),
        (ReedDead, "Sensor Cesar vier ausgefallen."),
        (ReedStuck, "Sensor Cesar vier klemmt."),
        (PlayOnByAnnouncement, "Weiter nur mit Ansagen."),
        (StartPosition, "Grundstellung."),
        (StartPositionWrong, "Die Grundstellung stimmt nicht."),
        (GameStarted, "Die Partie beginnt."),
        (GameResumed, "Die Partie geht weiter. Letzter Zug: Springer Gustav eins Felix drei."),
        (Checkmate, "Schachmatt. Weiß gewinnt."),
        (Stalemate, "Patt. Remis."),
        (DeadPosition, "Tote Stellung. Remis."),
        (Resigned, "Schwarz gibt auf. Weiß gewinnt."),
        (DrawAgreed, "Remis vereinbart."),
        (DrawByRepetition, "Remis durch Stellungswiederholung."),
        (DrawByMoves, "Remis nach zweiundzwanzig Zügen."),
        (FlagFell, "Schwarz: Zeit überschritten. Weiß gewinnt."),
        (FlagFellDraw, "Schwarz: Zeit überschritten. Remis."),
        (IllegalLost, "Zweiter regelwidriger Zug. Weiß gewinnt."),
        (NotHeard, "Bitte?"),
        (SayPhrase, "Sag: Anna."),
        (AskAgain, "Noch einmal, bitte."),
        (SayCorrection, "Sag den richtigen Zug."),
        (TooLateForSlip, "Zu spät. Nur der Schiedsrichter kann das noch ändern."),
        (ConfirmMove, "Springer Gustav eins Felix drei?"),
        (ConfirmResign, "Wirklich aufgeben?"),
        (ConfirmResignOf, "Schwarz gibt auf?"),
        (ResultShownWin, "Die Könige stehen in der Mitte. Schwarz gewinnt?"),
        (ResultShownDraw, "Die Könige stehen in der Mitte. Remis?"),
        (OfPlayer, "Schwarz?"),
        (OrPlayer, "Schwarz? Dann sag: zwei."),
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
        (OpponentSays, "Dein Gegner sagt: Anna"),
        (ProgramSays, "Anna"),
        (OnOpponentsPage, "Das sagt dein Gegner auf seiner Seite."),
        (ConfirmTakeBack, "Zug zurücknehmen?"),
        (MoveTakenBack, "Zurückgenommen: Springer Gustav eins Felix drei."),
        (TakeBackDeclined, "Dein Gegner lässt nichts zurücknehmen."),
        (NothingToTakeBack, "Du hast noch keinen Zug gemacht."),
        (AskedOpponent, "Ich frage deinen Gegner."),
        (OpponentAdvises, "Dein Gegner rät: Springer Gustav eins Felix drei."),
        (BetterWas, "Besser war: Springer Gustav eins Felix drei."),
        (OnlyAtHome, "Das geht nur zu Hause."),
        (DrawDeclined, "Remis abgelehnt."),
        (NoDrawOffer, "Kein Remisangebot."),
        (ClaimMade, "Remis beantragt."),
        (ClaimTooLate, "Berührt: kein Antrag mehr."),
        (ClaimWrong, "Antrag falsch. Die Uhren stehen."),
        (IllegalSpoken, "Nicht möglich: Springer Gustav eins Felix drei."),
        (AmbiguousSpoken, "Von wo?"),
        (
            RepeatedWrong,
            "Wiederholt: Bauer Cesar zwei Cesar vier. Richtig: Springer Gustav eins Felix drei.",
        ),
        (YourTime, "Du: neun Minuten zwölf."),
        (OpponentTime, "Gegner: neun Minuten zwölf."),
        (BothTimes, "Du: neun Minuten zwölf. Gegner: eine Stunde zwei Minuten."),
        (YourTimeUsed, "Du hast verbraucht: neun Minuten zwölf."),
        (OpponentTimeUsed, "Dein Gegner hat verbraucht: neun Minuten zwölf."),
        (BothTimesUsed, "Verbraucht. Du: neun Minuten zwölf. Gegner: eine Stunde zwei Minuten."),
        (TimeWarning, "Noch neun Minuten zwölf."),
        (ClockStarted, "Die Uhr läuft."),
        (ClockStopped, "Die Uhr steht."),
        (SayWhenDone, "Sag danach: Anna."),
        (ClocksStand, "Die Uhren stehen. Sag: Anna."),
        (MovesMade, "Zweiundzwanzig Züge."),
        (MovesToControl, "Noch zweiundzwanzig Züge bis zur Zeitkontrolle."),
        (NoControl, "Keine Zeitkontrolle mehr."),
        (ClockRuns, "Die Uhr von Schwarz läuft."),
        (NotMovedYet, "König und Turm haben noch nicht gezogen: Anna."),
        (NoCastling, "Rochade ist nicht mehr möglich."),
        (NextGameHow, "Für die nächste Partie starte annabella play noch einmal."),
        (LeaveHow, "Strg C beendet das Programm. Was gespielt ist, bleibt."),
        (
            ReportHow,
            "Die Nummer der Partie nennt annabella games list, den Bericht gibt annabella games export mit dieser Nummer und --report.",
        ),
        (WhoseMove, "Schwarz am Zug."),
        (SquareHolds, "Cesar vier: Springer."),
        (SquareEmpty, "Cesar vier: leer."),
        (FileHolds, "Cesar. Weiß: Läufer Cesar eins. Schwarz: Turm Hector acht."),
        (FileEmpty, "Cesar: leer."),
        (RankHolds, "Reihe zwei. Weiß: Läufer Cesar eins. Schwarz: Turm Hector acht."),
        (RankEmpty, "Reihe zwei: leer."),
        (
            DiagonalHolds,
            "Diagonale Cesar vier, Cesar vier. Weiß: Läufer Cesar eins. Schwarz: Turm Hector acht.",
        ),
        (DiagonalEmpty, "Diagonale Cesar vier, Cesar vier: leer."),
        (WherePieces, "Springer: Anna eins, Hector acht."),
        (PiecesOf, "Schwarz."),
        (InCheck, "Schwarz steht im Schach."),
        (NoCheck, "Kein Schach."),
        (WhereNone, "Springer: keine Figur."),
        (Captured, "Weiß: Läufer Cesar eins. Schwarz: Turm Hector acht."),
        (CapturedNone, "Nichts geschlagen."),
        (AnnouncedNotExecuted, "Angesagt, nicht ausgeführt: Springer Gustav eins Felix drei."),
        (ExecutedNotAnnounced, "Ausgeführt, nicht angesagt: Springer Gustav eins Felix drei."),
        (NothingPending, "Nichts offen."),
        (PressPending, "Uhr noch nicht gedrückt."),
        (PressedWhichMove, "Schwarz hat die Uhr gedrückt. Sag den Zug, oder: nein."),
        (LastMove, "Springer Gustav eins Felix drei."),
        (NoMoveYet, "Noch kein Zug."),
        (OneMoveYet, "Erst ein Zug."),
        (NoSuchMove, "Zug zweiundzwanzig gibt es nicht."),
        (ScoreBegins, "Anfang der Partie."),
        (ScoreEnds, "Ende der Partie."),
        (
            HelpShort,
            "Sag deinen Zug, oder: letzter Zug, meine Zeit, wiederhole. Für mehr: noch einmal Hilfe.",
        ),
        (
            HelpWaiting,
            "Frag: letzter Zug, beide Zeiten, was ist offen. Für mehr: noch einmal Hilfe.",
        ),
        (HelpOver, "Sag: Anfang, weiter, zurück, letzter Zug. Für mehr: noch einmal Hilfe."),
        (HelpQuestion, "Sag: ja, nein, wiederhole, abbrechen. Für mehr: noch einmal Hilfe."),
        (
            HelpMore,
            "Frag: letzter Zug, meine Zeit, beide Zeiten, verbrauchte Zeit, wie viele Züge, was steht auf, wo sind meine, was ist offen. Sag: wiederhole, stopp, lauter, langsamer, Korrektur, Remis anbieten, ich gebe auf, Schiedsrichter.",
        ),
        (
            HelpMoreOver,
            "Frag: Ergebnis, letzter Zug, verbrauchte Zeit, wie viele Züge, was steht auf, wo sind meine. Sag: Anfang, Ende, weiter, zurück, wiederhole, stopp, lauter, langsamer.",
        ),
        (VolumeNow, "Lautstärke zweiundzwanzig."),
        (RateNow, "Tempo zweiundzwanzig."),
        (ArbiterCalled, "Schiedsrichter gerufen."),
        (CompareBoards, "Bretter vergleichen. Schiedsrichter gerufen."),
        (OfGame, "Partie."),
        (ToPlayer, "Schwarz:"),
        (InHand, "Berührt."),
        (Noted, "Gut."),
        (WalkBegins, "Partie, Linie für Linie. Sag ja, wenn dein Brett so steht, sonst nein."),
        (WalkOver, "Alle Linien verglichen."),
        (AsInGameAgain, "Wieder wie in der Partie."),
        (PagesAt, "Die Seiten: Anna, Port Anna."),
        (PagesHere, "Die Seiten: Anna."),
        (PagesNowhere, "Die Seiten: Port Anna in jedem Netz. Dieser Rechner ist gerade in keinem."),
        (CodeAssistant, "Code für den Assistenten: Anna."),
        (CodeArbiter, "Code für den Schiedsrichter: Anna."),
        (CodeDisplay, "Code für die Anzeige: Anna."),
        (NoPages, "Die Webseiten sind ausgeschaltet."),
        (NotSaved, "Die Partie wird nicht gespeichert, geht aber weiter. Ruf den Schiedsrichter."),
        (SavedAgain, "Die Partie wird wieder gespeichert."),
        (GamesDamaged, "Gespeicherte Partien waren beschädigt. Was lesbar war, ist gerettet."),
        (BoardGreeting, "Brett zweiundzwanzig. Weiß: Anna. Schwarz: Anna."),
        (YourOpponent, "Du spielst gegen Anna."),
        (OpponentUnknown, "Der Name ist nicht bekannt."),
        (
            BoardTakenOver,
            "Dieses Brett wurde übernommen. Die Partie geht an einem anderen Brett weiter. Ruf den Schiedsrichter.",
        ),
        (AskWhichBoard, "Welches Brett übernehmen? Sag seine Nummer."),
        (AskTakeOver, "Brett zweiundzwanzig übernehmen?"),
        (TakingOver, "Einen Moment."),
        (NothingToTakeOver, "Von Brett zweiundzwanzig gibt es keine Partie."),
        (BoardStillPlays, "Brett zweiundzwanzig ist noch in Betrieb. Erst muss es aus sein."),
        (NoHall, "Keine Verbindung zum Turniernetz."),
        (NotTakenOver, "Brett zweiundzwanzig ist nicht übernommen. Ruf den Schiedsrichter."),
        (NoJournal, "Partien lassen sich nicht speichern. Ruf den Schiedsrichter."),
        (RunsAlready, "Annabella läuft schon."),
        (OpponentMoveMissing, "Der Zug des Gegners fehlt noch."),
        (InformingOff, "Auskünfte über Zeit und Züge sind ausgeschaltet."),
        (MoveChanged, "Der Zug stand schon. Der Schiedsrichter entscheidet."),
        (BoardRight, "Stimmt das Brett von Schwarz?"),
        (CapturedGone, "Hast du den Springer von Cesar vier entfernt?"),
        (ArbiterDecides, "Der Schiedsrichter entscheidet."),
        (AdjournmentAsked, "Schwarz wünscht die Unterbrechung."),
        (SealMove, "Abgabezug. Sag ihn leise, dann drück die Uhr."),
        (SealFirst, "Erst den Abgabezug sagen."),
        (SealedMove, "Abgabezug: Springer Gustav eins Felix drei."),
        (Adjourned, "Zug abgegeben. Die Partie ist unterbrochen."),
        (StillAdjourned, "Die Partie ist unterbrochen."),
        (GoesOnAt, "Sie geht weiter: Anna."),
        (NoPassphrase, "Abgabe nicht möglich: Das Kennwort fehlt."),
        (SealedInvalid, "Abgabezug ungültig. Der Schiedsrichter entscheidet."),
        (Warned, "Verwarnung für Schwarz."),
        (TimeAdded, "Schwarz: eine Stunde zwei Minuten mehr."),
        (TimeTaken, "Schwarz: eine Stunde zwei Minuten weniger."),
        (ClocksSet, "Uhren gestellt. Weiß: neun Minuten zwölf. Schwarz: eine Stunde zwei Minuten."),
        (Penalised, "Schwarz: Anna."),
        (PenaltyBack, "Strafe zurückgenommen."),
        (DeclaredWin, "Der Schiedsrichter hat entschieden. Weiß gewinnt."),
        (DeclaredDraw, "Der Schiedsrichter hat entschieden. Remis."),
        (BothLost, "Der Schiedsrichter hat entschieden: Beide haben verloren."),
        (HalfPoint, "Der Schiedsrichter hat entschieden. Weiß: ein halber Punkt. Schwarz: null."),
        (Annulled, "Die Partie gilt nicht. Für eine neue sag: neue Partie."),
        (Signed, "Schwarz hat unterschrieben."),
        (NoResultYet, "Die Partie läuft noch."),
        (OverWon, "Die Partie ist zu Ende. Weiß hat gewonnen."),
        (OverDrawn, "Die Partie ist zu Ende. Remis."),
        (GameOver, "Die Partie ist zu Ende."),
        (NoDrawYet, "Noch kein Remis erlaubt."),
        (NoFlag, "Keine Zeit überschritten."),
        (FlagFellJudge, "Schwarz: Zeit überschritten. Der Schiedsrichter entscheidet."),
        (FlagDecided, "Schwarz: Zeit überschritten. Das ist schon entschieden."),
        (ScoresOpen, "In der Mitschrift fehlt: zweiundzwanzig."),
        (ScoreAsk, "Zug zweiundzwanzig, Schwarz?"),
        (ScoreComplete, "Mitschrift vollständig."),
        (PlayOn, "Die Partie geht weiter."),
        (
            SettledAfter,
            "Der Schiedsrichter hat entschieden. Weiter nach: Springer Gustav eins Felix drei.",
        ),
        (SettledAtStart, "Der Schiedsrichter hat entschieden. Weiter von der ersten Stellung."),
        (Cancelled, "Gut, dann nicht."),
        (TakenBack, "Zurückgenommen."),
        (
            EnrolOffer,
            "Ich verstehe dich noch schlecht. Nach der Partie kann ich deine Stimme lernen: „annabella enrol“, dreißig Sätze nachsprechen.",
        ),
        (
            EnrolBegin,
            "Sprich zweiundzwanzig kurze Sätze nach, so wie am Brett. „Wiederhole“ sagt den Satz noch einmal, „abbrechen“ hört auf.",
        ),
        (EnrolAgain, "Noch einmal, bitte."),
        (EnrolLeft, "Noch zweiundzwanzig."),
        (EnrolWorking, "Danke. Ich rechne, das dauert einige Minuten."),
        (
            EnrolResult,
            "Von zweiundzwanzig Sätzen vorher zweiundzwanzig, jetzt zweiundzwanzig verstanden.",
        ),
        (EnrolWeak, "Schwach bleiben: Anna."),
        (EnrolNoHelp, "Anpassen hilft hier nicht. Alles bleibt, wie es ist."),
        (EnrolKeep, "Darf ich die Aufnahmen behalten? Ja oder nein."),
        (EnrolKept, "Aufnahmen behalten."),
        (EnrolDeleted, "Aufnahmen gelöscht."),
        (EnrolTooLittle, "Zu wenig gehört: zweiundzwanzig Sätze."),
        (
            DonateHello,
            "Du kannst Annabella deine Stimme geben, damit sie mehr Menschen versteht. Das dauert etwa zehn Minuten.",
        ),
        (
            DonateWhat,
            "Aufgenommen wird nur, was du mir nachsprichst, und dein Ja. Damit lernt das Programm, Wörter des Schachs zu verstehen, und damit wird es geprüft. Von allein wird nichts gesendet.",
        ),
        (
            DonateLicence,
            "Deine Aufnahmen stehen unter der Lizenz Creative Commons Zero. Das heißt: Jeder darf sie für alles verwenden, ohne zu fragen und ohne dich zu nennen.",
        ),
        (
            DonateWithdraw,
            "Was veröffentlicht ist, lässt sich nicht zurückholen. Solange du nichts geschickt hast, löscht ein Wort von dir alles. Deinen Namen brauche ich nicht.",
        ),
        (DonateConsent, "Bist du einverstanden? Ja oder nein."),
        (DonateDeclined, "Gut. Es ist nichts gespeichert."),
        (DonateAdult, "Bist du achtzehn oder älter?"),
        (
            DonateGuardian,
            "Dann muss jemand zustimmen, der das Sorgerecht für dich hat. Diese Person antwortet selbst: Sind Sie mit alldem einverstanden? Ja oder nein.",
        ),
        (
            DonateNoGuardian,
            "Dann geht es diesmal nicht. Danke, dass du helfen wolltest. Es ist nichts gespeichert.",
        ),
        (
            DonateName,
            "In der Liste heißt du Anna. Gut so? Bei nein kommt ein anderer Name, oder tipp einen.",
        ),
        (
            DonateAge,
            "Wie alt bist du? Eins: unter dreizehn. Zwei: unter achtzehn. Drei: unter vierzig. Vier: unter sechzig. Fünf: sechzig oder älter. Willst du nicht antworten, sag: weiter.",
        ),
        (
            DonateRegion,
            "Wo hast du sprechen gelernt? Eins: im Norden Deutschlands. Zwei: in der Mitte. Drei: im Süden. Vier: in Österreich. Fünf: in der Schweiz. Sechs: mit einer anderen Muttersprache. Willst du nicht antworten, sag: weiter.",
        ),
        (
            DonateBegin,
            "Sprich mir zweiundzwanzig Wörter und Sätze nach, so wie am Brett. Sag jederzeit „noch einmal“, „zurück“, „stopp“ für eine Pause, „Schluss“ für heute oder „löschen“ für alles.",
        ),
        (DonateSay, "Sag: Springer Gustav eins Felix drei."),
        (DonateCut, "Abgeschnitten. Warte einen Moment, bevor du sprichst."),
        (DonatePaused, "Pause. Sag „weiter“, wenn es weitergeht."),
        (DonateAskFinish, "Für heute aufhören?"),
        (DonateAskDelete, "Alles löschen, was du gesprochen hast?"),
        (DonateDeleted, "Alles gelöscht."),
        (DonateGoOn, "Weitermachen als Anna? Noch zweiundzwanzig."),
        (DonateLater, "Gespeichert, noch zweiundzwanzig. Beim nächsten Mal geht es hier weiter."),
        (DonateDone, "Danke für deine Stimme. Aufnahmen: zweiundzwanzig."),
        (
            DonateWhere,
            "Alles liegt in Anna. Megabyte: zweiundzwanzig. Zum Verschicken ist eine Datei daraus gemacht: Anna.",
        ),
        (
            DonateFull,
            "Kein Platz mehr. Alles bis hierher ist gespeichert. Schaff Platz, dann geht es hier weiter.",
        ),
        (
            PracticeBegin,
            "Ich sage dir Worte vor, und du sprichst sie nach. „Wiederhole“ sagt sie noch einmal, „abbrechen“ hört auf.",
        ),
        (
            PracticeUnits,
            "Was willst du üben? Eins: Linien. Zwei: Reihen. Drei: Figuren. Vier: Rochade. Fünf: Umwandlung. \
             Sechs: ganze Züge. Sieben: Fragen und Bitten. Acht: Antworten. Sag eine Zahl, oder „ja“ für alles.",
        ),
        (PracticeMore, "Was noch? Sag eine Zahl, „ja“ für alles, oder „abbrechen“."),
        (PracticeSay, "Sag: Springer Gustav eins Felix drei."),
        (PracticeAgain, "Noch einmal: Springer Gustav eins Felix drei."),
        (PracticeRight, "Richtig."),
        (PracticeUnsure, "Beinahe. Am Brett würde ich nachfragen."),
        (PracticeInstead, "Ich habe verstanden: Springer Gustav eins Felix drei."),
        (PracticeOn, "Weiter."),
        (PracticeTyped, "Ich höre hier nicht zu. Tippe die Worte."),
        (PracticeUnheard, "Diese Worte kennt mein Sprachmodell nicht."),
        (PracticeResult, "Von zweiundzwanzig beim ersten Mal verstanden: zweiundzwanzig."),
        (PracticeMissed, "Am häufigsten verfehlt: Springer Gustav eins Felix drei."),
        (
            PracticeEnrol,
            "Ich kann deine Stimme lernen: „annabella enrol“, dreißig Sätze nachsprechen.",
        ),
        (MicrophoneLost, "Keine Verbindung zum Mikrofon."),
        (MicrophoneBack, "Das Mikrofon ist wieder verbunden."),
        (BoardLost, "Keine Verbindung zu deinem Brett."),
        (BoardBack, "Dein Brett ist wieder verbunden."),
        (BoardIsTested, "Dein Brett wird geprüft."),
        (OtherBoardLost, "Keine Verbindung zum Brett des Gegners."),
        (OtherBoardBack, "Das Brett des Gegners ist wieder verbunden."),
        (ClockLost, "Keine Verbindung zur Uhr."),
        (ClockBack, "Die Uhr ist wieder verbunden."),
        (
            ClockRefuses,
            "Die Uhr lässt sich nicht stellen. Sie braucht Programm dreiundzwanzig: einstellen, aus- und wieder einschalten.",
        ),
        (LeverLies, "Der Hebel der Uhr liegt verkehrt. Nach unten gehört die Seite von Schwarz."),
        (SpeechUnavailable, "Spracherkennung aus. Zieh mit den Figuren."),
        (TestTakeAll, "Entferne alle Figuren vom Brett."),
        (TestBegin, "Setz eine Figur der Reihe nach auf jedes Feld, das ich nenne."),
        (TestPut, "Cesar vier."),
        (TestNothing, "Cesar vier: nichts erkannt. Noch einmal."),
        (TestTurned, "Das Brett ist gedreht: zweiundzwanzig Grad."),
        (TestReversed, "Die Anschlüsse sind in umgekehrter Reihenfolge."),
        (TestSwapped, "Cesar vier und Cesar vier sind vertauscht."),
        (TestRewired, "Die Felder sind anders angeschlossen."),
        (TestCross, "Figur auf Cesar vier meldet auch Anna eins, Hector acht."),
        (TestGood, "Alle vierundsechzig Felder in Ordnung."),
        (TestStripClear, "Streifen zweiundzwanzig: nimm alle Magneten weg."),
        (TestStripBegin, "Stell einen Magneten auf jedes Feld, das ich nenne."),
        (TestStripGood, "Streifen zweiundzwanzig in Ordnung."),
        (TestStripTurned, "Streifen zweiundzwanzig ist umgedreht."),
        (TestStripsSwapped, "Vertauschte Streifen: Anna."),
        (TestStripMissing, "Ab Streifen zweiundzwanzig kommt nichts an. Prüf das Kabel davor."),
        (TestStripSilent, "Streifen zweiundzwanzig meldet nichts. Prüf seine Stecker."),
        (TestBridge, "Brücke zwischen Cesar vier und Cesar vier."),
        (TestTouch, "Zu prüfen: Streifen Anna."),
        (TestWritten, "Gespeichert."),
        (NewGame, "Neue Partie."),
        (AskResume, "Die Partie Anna gegen Anna ist nicht zu Ende. Weiterspielen?"),
        (LastGameOver, "Die letzte Partie ist zu Ende."),
        (GameSetAside, "Partie bleibt gespeichert."),
        (YouHave, "Du hast Schwarz."),
        (BothBlind, "Beide blind."),
        (NamesAre, "Anna gegen Anna."),
        (TimeControlIs, "Anna."),
        (AskAllRight, "Richtig so?"),
        (AskChange, "Was ändern?"),
        (AskSide, "Welche Farbe hast du?"),
        (AskOpponent, "Gegen wen?"),
        (AskControl, "Welche Bedenkzeit?"),
        (AskMoves, "Für wie viele Züge?"),
        (AskMinutes, "Wie viele Minuten?"),
        (AskBonus, "Wie viele Sekunden pro Zug?"),
        (AskName, "Wie heißt Schwarz?"),
        (AskLetters, "Buchstabiere."),
        (NameSoFar, "Anna."),
        (AskRelay, "Züge auf dem anderen Brett ausführen?"),
        (AskAnnounce, "Soll ich die Züge ansagen?"),
        (AskKeepScore, "Deine Partie mitschreiben?"),
        (AskStartClock, "Die Uhr des Gegners starten?"),
        (AskInform, "Züge und Zeiten auf Anfrage sagen?"),
        (AskClaim, "Zeitüberschreitung reklamieren?"),
        (AskAdjourn, "Hängepartien vorbereiten?"),
        (AskDeaf, "Ist dein Gegner gehörlos?"),
        (DeafNeedsAnnouncing, "Dann wird jeder Zug angesagt."),
        (
            DeafNeedsDisplay,
            "Dafür braucht er eine Anzeige, und es gibt keine. Die Seiten müssen eingeschaltet sein.",
        ),
        (BoardTurned, "Das Brett liegt verkehrt herum. Dreh es um."),
        (BoardQuarterTurned, "Das Brett liegt quer. Dreh es um ein Viertel."),
        (ColoursReversed, "Weiß und Schwarz sind vertauscht."),
        (LiftToTest, "Heb kurz den Springer von Cesar vier."),
        (OtherBoardSquare, "Brett des Gegners: Cesar vier prüfen."),
        (OtherBoardTurned, "Das Brett des Gegners liegt falsch."),
        (OtherBoardNotReady, "Am anderen Brett ist noch nicht aufgebaut."),
        (BothNeedBoards, "Dafür fehlt das zweite Brett."),
        (CheckByHand, "Prüf die Aufstellung von Hand."),
        (AskStart, "Alles bereit. Uhr starten?"),
        (AskNextGame, "Nächste Partie?"),
        (AskSwap, "Farben tauschen?"),
        (SideWins, "Weiß gewinnt."),
        (Drawn, "Remis."),
        (MatchScore, "Gewonnen zweiundzwanzig, remis zweiundzwanzig, verloren zweiundzwanzig."),
        (NothingBefore, "Weiter zurück geht es nicht."),
        (
            HelpSetup,
            "Sag: ja, nein, weiter, zurück, wiederhole, abbrechen. Oder: Farben, Bedenkzeit, Namen, Aufgaben, Bretter, Übersicht.",
        ),
        (Goodbye, "Bis zum nächsten Mal."),
        (SetupLanguage, "Für Deutsch sag zweiundzwanzig."),
        (SetupLanguageKeys, "Deutsch? Linke Taste: nein. Rechte Taste: ja."),
        (
            SetupHelp,
            "Sag: ja, nein, weiter, zurück, wiederhole, fertig, oder die Zahl einer Antwort. Linke Taste: nächste Antwort. Rechte Taste: diese Antwort. Wiederholtaste: noch einmal, lang gedrückt: zurück.",
        ),
        (SetupAskNames, "Züge mit den deutschen Namen der FIDE ansagen?"),
        (SetupAskVoice, "Welche Stimme?"),
        (SetupVoice, "Stimme zweiundzwanzig."),
        (SetupAskRate, "Ist das Sprechtempo gut?"),
        (SetupAskEarphone, "Wo ist dein Kopfhörer?"),
        (SetupAskLoudspeaker, "Wo ist der Lautsprecher?"),
        (SetupHearMe, "Anna. Hörst du mich hier?"),
        (SetupDefaultDevice, "Standardgerät."),
        (SetupNoLoudspeaker, "Kein Lautsprecher."),
        (SetupSameDevice, "Achtung: Alle hören mit."),
        (SetupNoSound, "Keine Soundkarte gefunden."),
        (SetupAskMicrophone, "Welches Mikrofon?"),
        (SetupSpeak, "Sprich jetzt ein paar Worte."),
        (SetupMicSilent, "Das Mikrofon ist stumm oder nicht angeschlossen."),
        (SetupMicNoSpeech, "Ich höre den Raum, aber niemand spricht."),
        (SetupMicQuiet, "Zu leise. Komm näher ans Mikrofon."),
        (SetupMicGood, "Gut zu hören."),
        (SetupMicLoud, "Zu laut. Geh weiter weg vom Mikrofon."),
        (SetupAskMeasure, "Noch einmal messen?"),
        (SetupAskBoard, "Welches Brett hast du?"),
        (SetupBoardPlain, "Ein Brett ohne Sensoren."),
        (SetupBoardSensors, "Ein Brett mit Sensoren."),
        (SetupAskReports, "Willst du nach jedem Zug sagen, dass er ausgeführt ist?"),
        (SetupNoModel, "Ich kann Sprache nicht verstehen. Nimm die Tasten."),
        (
            SetupAskModel,
            "Das offizielle deutsche Sprachmodell hat von vielen Menschen gelernt und versteht die meisten besser. \
             Soll ich es holen? Es sind fünfundvierzig Megabyte.",
        ),
        (SetupModelComing, "Das Sprachmodell wird nebenher geholt."),
        (SetupModelThere, "Das Sprachmodell ist da. Beim nächsten Start hört es zu."),
        (
            SetupModelUnreachable,
            "Das Sprachmodell ist nicht zu erreichen. Es bleibt beim eingebauten.",
        ),
        (
            SetupModelFailed,
            "Das Sprachmodell ist beschädigt angekommen. Es bleibt beim eingebauten.",
        ),
        (SetupAskTest, "Brett prüfen? Du brauchst eine Figur und etwa fünf Minuten."),
        (SetupNoReeds, "Kein Brett mit Kontakten angeschlossen."),
        (SetupLooking, "Ich suche ein elektronisches Brett."),
        (SetupNoBoard, "Kein elektronisches Brett gefunden."),
        (SetupAskSighted, "Welches Brett hat dein Gegner?"),
        (SetupPlainBoard, "Ein gewöhnliches Brett."),
        (SetupDgtBoard, "Ein DGT-Brett."),
        (SetupBoardOf, "Ein Brett von Anna."),
        (SetupPageBoard, "Der Assistent gibt seine Züge ein."),
        (SetupAsBefore, "Wie bisher."),
        (
            SetupAskPages,
            "Sollen Telefone in diesem Netz die Seiten für Assistent und Schiedsrichter öffnen können?",
        ),
        (
            SetupAskHotspot,
            "Dieses Gerät ist in keinem Netz. Soll es ein eigenes WLAN für die Telefone machen?",
        ),
        (SetupSharing, "Ich schalte das WLAN ein."),
        (SetupHotspotOn, "Das WLAN heißt Annabella. Kennwort: Anna."),
        (SetupHotspotFailed, "Das WLAN ging nicht an."),
        (SetupAskClock, "Wer führt die Zeit?"),
        (SetupOwnClock, "Die eingebaute Uhr."),
        (SetupDgtClock, "Die DGT-Uhr am Brett."),
        (SetupAskSave, "Alles speichern?"),
        (SetupNotWritten, "Das konnte ich nicht schreiben."),
        (SetupAskLeave, "Ohne Speichern beenden?"),
        (SetupLeft, "Beendet, nichts gespeichert."),
        (SetupEarphoneIs, "Kopfhörer: Anna."),
        (SetupLoudspeakerIs, "Lautsprecher: Anna."),
        (SetupMicrophoneIs, "Mikrofon: Anna."),
    ];
    for (prompt, said) in sentences {
        assert_eq!(sentence(&words, prompt), said, "{prompt:?}");
    }
    let listed = sentences.map(|(prompt, _)| prompt);
    assert_eq!(listed, Prompt::ALL, "a prompt without its sentence");
}

/// Three or four words for the moment, and the way to all of them.
#[test]
fn help_is_short_in_every_language() {
    use Prompt::{HelpOver, HelpQuestion, HelpShort, HelpWaiting};
    let all = [
        (
            "de",
            "Sag deinen Zug, oder: letzter Zug, meine Zeit, wiederhole. Für mehr: noch einmal Hilfe.",
            "Frag: letzter Zug, beide Zeiten, was ist offen. Für mehr: noch einmal Hilfe.",
            "Sag: ja, nein, wiederhole, abbrechen. Für mehr: noch einmal Hilfe.",
        ),
        (
            "en",
            "Say your move, or: last move, my time, repeat. For more: help again.",
            "Ask: last move, both times, what is pending. For more: help again.",
            "Say: yes, no, repeat, cancel. For more: help again.",
        ),
        (
            "es",
            "Di tu jugada, o: última jugada, mi tiempo, repite. Para más: ayuda otra vez.",
            "Pregunta: última jugada, los dos tiempos, qué falta. Para más: ayuda otra vez.",
            "Di: sí, no, repite, cancelar. Para más: ayuda otra vez.",
        ),
        (
            "fr",
            "Dis ton coup, ou: dernier coup, mon temps, répète. Pour plus: aide encore une fois.",
            "Demande: dernier coup, les deux temps, qu'est-ce qui reste. Pour plus: aide encore une fois.",
            "Dis: oui, non, répète, annuler. Pour plus: aide encore une fois.",
        ),
        (
            "lt",
            "Sakykite savo ėjimą arba: paskutinis ėjimas, mano laikas, pakartokite. Daugiau: dar kartą pagalba.",
            "Klauskite: paskutinis ėjimas, abu laikai, kas liko. Daugiau: dar kartą pagalba.",
            "Sakykite: taip, ne, pakartokite, atšaukti. Daugiau: dar kartą pagalba.",
        ),
        (
            "pl",
            "Powiedz swój ruch albo: ostatni ruch, mój czas, powtórz. Więcej: jeszcze raz pomoc.",
            "Zapytaj: ostatni ruch, oba czasy, co zostało. Więcej: jeszcze raz pomoc.",
            "Powiedz: tak, nie, powtórz, anuluj. Więcej: jeszcze raz pomoc.",
        ),
        (
            "ru",
            "Назовите свой ход или спросите: последний ход, моё время. Или: повторите. Больше: ещё раз помощь.",
            "Спросите: последний ход, оба времени, что осталось. Больше: ещё раз помощь.",
            "Скажите: да, нет, повторите, отмена. Больше: ещё раз помощь.",
        ),
    ];
    for (lang, own, waiting, question) in all {
        let moves = if lang == "de" { "fide" } else { lang };
        let words = Words::builtin(moves, lang).expect("built-in packs");
        let said = [HelpShort, HelpWaiting, HelpQuestion].map(|prompt| sentence(&words, prompt));
        assert_eq!(said, [own, waiting, question], "{lang}");
        // What it names is understood.
        let known: Vec<String> =
            words.command_phrases().into_iter().map(|(text, _)| text.to_lowercase()).collect();
        for list in [waiting, &sentence(&words, HelpOver)] {
            let (_, list) = list.split_once(": ").expect("a list");
            let (list, _) = list.split_once('.').expect("an end");
            for named in list.split(", ") {
                assert!(known.contains(&named.to_lowercase()), "{lang}: {named}");
            }
        }
    }
}

/// A prompt or a note that nothing says would be translated into seven languages for nobody.
#[test]
fn every_prompt_and_every_note_is_said_somewhere() {
    fn sources(folder: &std::path::Path, text: &mut String) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                sources(&path, text);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                text.push_str(&std::fs::read_to_string(&path).expect("a source file"));
            }
        }
    }
    let src = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut text = String::new();
    sources(&src, &mut text);
    for (files, name_of) in
        [(&["prompt.rs", "prompt/set_up.rs"][..], "Prompt::"), (&["note.rs"], "Note::")]
    {
        let rows = |file| std::fs::read_to_string(src.join("words/phrase").join(file));
        let list: String = files.iter().map(|file| rows(file).expect("rows")).collect();
        let unsaid = unsaid(&list, name_of, &text);
        assert!(unsaid.is_empty(), "nothing says {unsaid:?}");
    }
}

/// The names of a list's rows that no source has.
fn unsaid<'a>(list: &'a str, name_of: &str, text: &str) -> Vec<&'a str> {
    let names = list.lines().filter_map(|line| {
        let (name, _) = line.strip_prefix("    ")?.split_once(" \"")?;
        name.chars().all(char::is_alphanumeric).then_some(name)
    });
    let names: Vec<&str> = names.collect();
    assert!(names.len() > 100, "{} prompts", names.len());
    let said = |name: &str| {
        text.match_indices(&format!("{name_of}{name}"))
            .any(|(at, found)| !text[at + found.len()..].starts_with(|c: char| c.is_alphanumeric()))
    };
    names.into_iter().filter(|name| !said(name)).collect()
}
