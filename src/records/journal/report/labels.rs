//! The report's words in German and English.

use shakmaty::Color;

use super::{super::export::clock_text, Kind};
use annabella_core::{
    game::{Act, Penalty},
    laws::Article,
};

/// The words of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportLabels {
    pub(super) lang: &'static str,
    pub(super) title: &'static str,
    pub(super) game: &'static str,
    pub(super) date: &'static str,
    pub(super) white: &'static str,
    pub(super) black: &'static str,
    pub(super) time_control: &'static str,
    pub(super) arbiter: &'static str,
    pub(super) result: &'static str,
    pub(super) times: &'static str,
    pub(super) incidents: &'static str,
    pub(super) none: &'static str,
    pub(super) open: &'static str,
    pub(super) moves: &'static str,
    pub(super) time: &'static str,
    pub(super) at_move: &'static str,
    pub(super) article: &'static str,
    pub(super) what: &'static str,
    pub(super) rule: &'static str,
    pub(super) by: &'static str,
    pub(super) reason: &'static str,
    pub(super) seen: &'static str,
    pub(super) heard: &'static str,
    pub(super) number: &'static str,
    pub(super) mv: &'static str,
    pub(super) touched: &'static str,
    pub(super) announced: &'static str,
    pub(super) made: &'static str,
    pub(super) completed: &'static str,
    pub(super) white_clock: &'static str,
    pub(super) black_clock: &'static str,
    pub(super) signature: &'static str,
    pub(super) signed: &'static str,
    kinds: [&'static str; 8],
}

impl ReportLabels {
    /// English.
    pub const ENGLISH: ReportLabels = ReportLabels {
        lang: "en",
        title: "Arbiter's report",
        game: "Game",
        date: "Date",
        white: "White",
        black: "Black",
        time_control: "Time control",
        arbiter: "Arbiter",
        result: "Result",
        times: "Times count from the beginning of the record, as h:mm:ss.",
        incidents: "Incidents and decisions",
        none: "None.",
        open: "Waiting for a decision",
        moves: "Move by move",
        time: "Time",
        at_move: "Move",
        article: "Article",
        what: "What happened",
        rule: "Rule",
        by: "Decided by",
        reason: "Reason",
        seen: "Seen",
        heard: "Heard",
        number: "No.",
        mv: "Move",
        touched: "Touched",
        announced: "Announced",
        made: "Made",
        completed: "Completed",
        white_clock: "White's clock",
        black_clock: "Black's clock",
        signature: "Signature",
        signed: "signed",
        kinds: [
            "Problem",
            "Refused",
            "Offer",
            "Proposal",
            "Decision",
            "Adjournment",
            "Interruption",
            "Result",
        ],
    };

    /// German.
    pub const GERMAN: ReportLabels = ReportLabels {
        lang: "de",
        title: "Bericht des Schiedsrichters",
        game: "Partie",
        date: "Datum",
        white: "Weiß",
        black: "Schwarz",
        time_control: "Bedenkzeit",
        arbiter: "Schiedsrichter",
        result: "Ergebnis",
        times: "Zeiten zählen vom Beginn der Aufzeichnung, als h:mm:ss.",
        incidents: "Vorfälle und Entscheidungen",
        none: "Keine.",
        open: "Noch zu entscheiden",
        moves: "Zug für Zug",
        time: "Zeit",
        at_move: "Zug",
        article: "Artikel",
        what: "Was geschah",
        rule: "Regel",
        by: "Entschieden von",
        reason: "Grund",
        seen: "Gesehen",
        heard: "Gehört",
        number: "Nr.",
        mv: "Zug",
        touched: "Berührt",
        announced: "Angesagt",
        made: "Ausgeführt",
        completed: "Abgeschlossen",
        white_clock: "Uhr Weiß",
        black_clock: "Uhr Schwarz",
        signature: "Unterschrift",
        signed: "unterschrieben",
        kinds: [
            "Vorfall",
            "Abgelehnt",
            "Angebot",
            "Vorschlag",
            "Entscheidung",
            "Hängepartie",
            "Unterbrechung",
            "Ergebnis",
        ],
    };

    pub(super) fn german(&self) -> bool {
        self.lang == "de"
    }

    pub(super) fn kind(&self, kind: Kind) -> &'static str {
        self.kinds[match kind {
            Kind::Problem => 0,
            Kind::Refused => 1,
            Kind::Offer => 2,
            Kind::Proposal => 3,
            Kind::Decision => 4,
            Kind::Adjournment => 5,
            Kind::Interruption => 6,
            Kind::Result => 7,
        }]
    }

    pub(super) fn move_columns(&self) -> [&'static str; 9] {
        [
            self.number,
            self.mv,
            self.touched,
            self.heard,
            self.announced,
            self.made,
            self.completed,
            self.white_clock,
            self.black_clock,
        ]
    }

    /// The article's rule in one line; in German of those articles that a game here reports.
    pub(super) fn rule(&self, article: Article) -> String {
        if self.german() {
            german_rule(article).unwrap_or_default().to_owned()
        } else {
            article.summary().to_owned()
        }
    }
}

fn german_rule(article: Article) -> Option<&'static str> {
    let rule = match article {
        Article::A4_2_1 => "zurechtrücken darf, wer am Zug ist und es vorher sagt",
        Article::A4_3 | Article::A4_3_1 => "eine berührte eigene Figur muss ziehen",
        Article::A4_3_2 | Article::A4_3_3 => {
            "eine berührte Figur des Gegners muss geschlagen werden"
        }
        Article::A4_4_2 => "Turm zuerst berührt: keine Rochade auf dieser Seite",
        Article::A5_1_1 => "Matt durch einen regelgemäßen Zug beendet die Partie",
        Article::A5_1_2 => "wer aufgibt, verliert",
        Article::A5_2_1 => "Patt ist remis",
        Article::A5_2_2 => "in einer toten Stellung kann niemand mehr mattsetzen: remis",
        Article::A5_2_3 => "die Spieler einigen sich auf Remis",
        Article::A6_2_1 => "der Druck auf die Uhr schließt den Zug ab",
        Article::A6_6 => "zu Beginn wird die Uhr von Weiß gestartet",
        Article::A6_9 => {
            "Zeit überschritten verliert; remis, wenn der Gegner nicht mattsetzen kann"
        }
        Article::A6_10_2 => "eine falsch gestellte Uhr wird berichtigt",
        Article::A6_11_1 => "der Schiedsrichter hält die Uhren an, wenn es nötig ist",
        Article::A6_11_2 => "ein Spieler hält die Uhren an, um den Schiedsrichter zu rufen",
        Article::A6_11_3 => "der Schiedsrichter bestimmt, wann es weitergeht",
        Article::A7_1 => {
            "nach einer Unregelmäßigkeit stellt der Schiedsrichter die Uhren nach bestem Ermessen"
        }
        Article::A7_2_1 => "die Figuren standen anfangs falsch: neue Partie",
        Article::A7_4_1 => "wer Figuren verschiebt, stellt sie auf seine Zeit zurück",
        Article::A7_5_1 => "ein abgeschlossener regelwidriger Zug wird zurückgenommen",
        Article::A7_5_3 => "die Uhr ohne Zug gedrückt gilt als regelwidriger Zug",
        Article::A7_5_5 => {
            "erster regelwidriger Zug: zwei Minuten für den Gegner, zweiter: Verlust"
        }
        Article::A8_1_1 => "beide Spieler schreiben jeden Zug auf",
        Article::A8_1_5 => "ein Remisangebot schreiben beide als (=) auf",
        Article::A8_7 => "beide Spieler unterschreiben das Ergebnis",
        Article::A9_2 => "remis durch dreimalige Stellungswiederholung",
        Article::A9_3 => "remis durch fünfzig Züge ohne Schlagen und Bauernzug",
        Article::A9_4 => "wer eine Figur berührt hat, kann nicht mehr remis beantragen",
        Article::A9_5_3 => "falscher Antrag: zwei Minuten für den Gegner",
        Article::A9_6_1 => "fünfmal dieselbe Stellung: remis",
        Article::A9_6_2 => "fünfundsiebzig Züge ohne Schlagen und Bauernzug: remis",
        Article::A12_9 => "die Strafen des Schiedsrichters",
        Article::D_2_1 => "Züge werden deutlich angesagt, wiederholt und ausgeführt",
        Article::D_2_2 => "berührt ist eine Figur, wenn sie das Loch verlassen hat",
        Article::D_2_3 => "ausgeführt ist ein Zug, wenn geschlagen, gesteckt und angesagt ist",
        Article::D_2_4 => "erst danach wird die Uhr des Gegners gestartet",
        Article::D_2_5 => "für den sehenden Spieler gelten die gewöhnlichen Regeln",
        Article::D_2_7 => "der blinde Spieler schreibt in Punktschrift mit oder nimmt auf",
        Article::D_2_8 => "ein Versprecher wird berichtigt, bevor die Uhr gedrückt ist",
        Article::D_2_9 => {
            "verschiedene Bretter werden mit Schiedsrichter und Mitschriften berichtigt"
        }
        Article::D_2_10_4 => "Zeit und Zugzahl erfährt der blinde Spieler nur auf Frage",
        Article::D_2_10_5 => "die Assistenz reklamiert Zeitüberschreitung",
        Article::D_2_10_6 => "die Assistenz erledigt die Förmlichkeiten einer Hängepartie",
        Article::I_1 | Article::I_1_1 => "der Zug wird abgegeben, dann erst die Uhr angehalten",
        Article::I_1_2 => "wer früher unterbricht, dem wird die Zeit bis zum Ende angerechnet",
        Article::I_2 => "was auf dem Umschlag steht",
        Article::I_4 => "ein Angebot nach der Abgabe gilt, bis es beantwortet ist",
        Article::I_5 => "bei der Wiederaufnahme werden Stellung und Uhren wiederhergestellt",
        Article::I_6 => "Remis oder Aufgabe vor der Wiederaufnahme beendet die Partie",
        Article::I_7 => "geöffnet wird in Gegenwart dessen, der antworten muss",
        Article::I_8 => "ein mehrdeutiger, unlesbarer oder regelwidriger Abgabezug verliert",
        Article::I_9 => "wer bei der Wiederaufnahme da ist, und wessen Uhr läuft",
        Article::I_12 => "ein verlorener Umschlag: weiter aus der Hängestellung, sonst neue Partie",
        _ => return None,
    };
    Some(rule)
}

fn side(color: Color, german: bool) -> &'static str {
    match (color, german) {
        (Color::White, true) => "Weiß",
        (Color::Black, true) => "Schwarz",
        (Color::White, false) => "White",
        (Color::Black, false) => "Black",
    }
}

/// What was decided, in words.
pub(in crate::journal) fn act_text(act: &Act, german: bool) -> String {
    let name = |color: Color| side(color, german);
    match (act, german) {
        (Act::StartClocks { side: None }, false) => "the clocks run again".to_owned(),
        (Act::StartClocks { side: None }, true) => "die Uhren laufen wieder".to_owned(),
        (Act::StartClocks { side: Some(seat) }, false) => format!("{}'s clock runs", name(*seat)),
        (Act::StartClocks { side: Some(seat) }, true) => {
            format!("die Uhr von {} läuft", name(*seat))
        }
        (Act::SetClock { seat, ms, moves }, _) => {
            let mut text = match german {
                false => format!("{}'s clock is set to {}", name(*seat), clock_text(*ms)),
                true => format!("die Uhr von {} auf {} gestellt", name(*seat), clock_text(*ms)),
            };
            if let Some(moves) = moves {
                text += &match german {
                    false => format!(", {moves} moves completed"),
                    true => format!(", {moves} Züge abgeschlossen"),
                };
            }
            text
        }
        (Act::Penalty { seat, penalty }, _) => {
            format!("{} ({}): {}", name(*seat), penalty.article(), penalty_text(penalty, german))
        }
        (Act::ConfirmProposal { number, .. }, false) => format!("confirms proposal {number}"),
        (Act::ConfirmProposal { number, .. }, true) => format!("bestätigt Vorschlag {number}"),
        (Act::DismissProposal { number }, false) => format!("dismisses proposal {number}"),
        (Act::DismissProposal { number }, true) => format!("verwirft Vorschlag {number}"),
        (Act::Declare { result, article }, false) => format!("the result is {result} ({article})"),
        (Act::Declare { result, article }, true) => {
            format!("das Ergebnis ist {result} ({article})")
        }
        (Act::Settle(settle), false) => {
            format!("the game goes on from the position after half-move {}", settle.ply)
        }
        (Act::Settle(settle), true) => {
            format!("die Partie geht aus der Stellung nach Halbzug {} weiter", settle.ply)
        }
        (Act::AcceptMove { uci }, false) => format!("the move {uci} counts as made"),
        (Act::AcceptMove { uci }, true) => format!("der Zug {uci} gilt als ausgeführt"),
        (Act::Signed { seat }, false) => format!("{} has signed the result", name(*seat)),
        (Act::Signed { seat }, true) => format!("{} hat das Ergebnis unterschrieben", name(*seat)),
        (Act::LetStand { uci, .. }, false) => format!("the move {uci}, made first, stands (4.7)"),
        (Act::LetStand { uci, .. }, true) => {
            format!("der zuerst ausgeführte Zug {uci} gilt (4.7)")
        }
        (Act::Note { text }, false) => format!("note: {text}"),
        (Act::Note { text }, true) => format!("Vermerk: {text}"),
        (other, german) => other_act(other, german),
    }
}

/// Acts that need no more than their name.
fn other_act(act: &Act, german: bool) -> String {
    let named = serde_json::to_value(act).unwrap_or_default();
    let name = match &named {
        serde_json::Value::String(name) => name.clone(),
        serde_json::Value::Object(fields) => fields.keys().next().cloned().unwrap_or_default(),
        _ => String::new(),
    };
    match (name.as_str(), german) {
        ("stop-clocks", false) => "the clocks are stopped".to_owned(),
        ("stop-clocks", true) => "die Uhren angehalten".to_owned(),
        ("play-on", false) => "the end was none, the game goes on".to_owned(),
        ("play-on", true) => "das Ende gilt nicht, die Partie geht weiter".to_owned(),
        (name, _) => name.replace('-', " "),
    }
}

/// Half points as a number of points: `½`, `1`, `1½`.
pub(crate) fn half_points(halves: u8) -> String {
    match (halves / 2, halves % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}½"),
    }
}

/// The same with its noun: `½ Punkt`, `1 Punkt`, `1½ Punkte`.
pub(crate) fn points(halves: u8, german: bool) -> String {
    let word = match (halves, german) {
        (1 | 2, true) => "Punkt",
        (_, true) => "Punkte",
        (1 | 2, false) => "point",
        (_, false) => "points",
    };
    format!("{} {word}", half_points(halves))
}

fn penalty_text(penalty: &Penalty, german: bool) -> String {
    let minutes = |ms: &u64| clock_text(*ms);
    let points = |halves: &u8| points(*halves, german);
    match (penalty, german) {
        (Penalty::Warning, false) => "a warning".to_owned(),
        (Penalty::Warning, true) => "eine Verwarnung".to_owned(),
        (Penalty::TimeToOpponent { ms }, false) => {
            format!("{} more for the opponent", minutes(ms))
        }
        (Penalty::TimeToOpponent { ms }, true) => format!("{} mehr für den Gegner", minutes(ms)),
        (Penalty::TimeOff { ms }, false) => format!("{} less", minutes(ms)),
        (Penalty::TimeOff { ms }, true) => format!("{} weniger", minutes(ms)),
        (Penalty::PointsToOpponent { halves }, false) => {
            format!("{} more for the opponent", points(halves))
        }
        (Penalty::PointsToOpponent { halves }, true) => {
            format!("{} mehr für den Gegner", points(halves))
        }
        (Penalty::PointsOff { halves }, false) => format!("{} less", points(halves)),
        (Penalty::PointsOff { halves }, true) => format!("{} weniger", points(halves)),
        (Penalty::Loss { .. }, false) => "loss of the game".to_owned(),
        (Penalty::Loss { .. }, true) => "Verlust der Partie".to_owned(),
        (Penalty::Fine { amount }, false) => format!("a fine: {amount}"),
        (Penalty::Fine { amount }, true) => format!("Geldbuße: {amount}"),
        (Penalty::ExcludedFromRounds { rounds }, false) => {
            format!("excluded from {rounds} rounds")
        }
        (Penalty::ExcludedFromRounds { rounds }, true) => {
            format!("von {rounds} Runden ausgeschlossen")
        }
        (Penalty::ExcludedFromEvent, false) => "excluded from the event".to_owned(),
        (Penalty::ExcludedFromEvent, true) => "vom Turnier ausgeschlossen".to_owned(),
    }
}
