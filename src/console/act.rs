//! Requests from a page: read from a form, checked against the view that the page showed, handed
//! on.

use std::str::FromStr;

use shakmaty::{Chess, Color, Square};
use tokio::sync::oneshot;

use super::{
    Role, far,
    view::{AdjournView, GameView, SeatColor, TimesFrom, View},
};
use annabella_core::{
    game::{
        self, Adjourn, ClockBasis, Input, Outcome, PageAct, PageEntry, PageRole, Penalty,
        PlayerWord, Private, Resumption, Ruling, Settle, SettledClocks, read_fen,
    },
    laws::Article,
    notation::{
        DRAW_OFFER, InForce, Letters, MoveNotation, NotationError, PieceLetters, read_in, write,
    },
};
use annabella_words::{
    phrase::{Note, PageText},
    text::plain,
};

/// No reason, name or note is longer, in characters.
const LONGEST_TEXT: usize = 500;
/// No game score is longer, in characters.
const LONGEST_SCORE: usize = 20_000;

/// Something that a person asks for on a page.
#[derive(Clone, Debug, PartialEq)]
pub struct ActRequest {
    /// The role that the person has.
    pub role: Role,
    /// His name or number, as given with the code.
    pub by: String,
    pub what: What,
}

/// A request that a person can make on a page.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    Rule {
        act: game::ArbiterAct,
        reason: String,
        /// [`Ruling::knows`].
        knows: Option<u32>,
        /// [`Ruling::ruled`].
        ruled: Option<u32>,
    },
    /// The arbiter takes a step of an adjournment (Guideline I).
    Adjourn(Adjourn),
    /// Somebody did, saw or read these, one after another.
    Enter(Vec<PageAct>),
    /// The same by a program that plays for the sighted player at home.
    Play(Vec<PageAct>),
    /// A player seals a move that he typed; it is shown nowhere (I.1.1).
    Seal {
        seat: Color,
        text: Private,
        /// Just this, readable or not (I.8).
        as_written: bool,
    },
}

impl ActRequest {
    /// The inputs for the game, in order. If one is refused, the rest is not to be handed on.
    pub fn inputs(&self) -> Vec<Input> {
        match &self.what {
            What::Rule { act, reason, knows, ruled } => {
                let ruling = Ruling::new(act.clone(), self.by.clone(), reason.clone());
                let ruling = Ruling { knows: *knows, ruled: *ruled, ..ruling };
                vec![Input::Arbiter(Box::new(ruling))]
            }
            What::Seal { seat, text, as_written } => {
                let (text, as_written) = (text.clone(), *as_written);
                vec![Input::Typed { seat: *seat, text, as_written }]
            }
            What::Adjourn(step) => vec![Input::Adjourn(Box::new(step.clone()))],
            What::Enter(acts) | What::Play(acts) => {
                let role = match (&self.what, self.role) {
                    (What::Play(_), _) => PageRole::Program,
                    (_, Role::Arbiter) => PageRole::Arbiter,
                    // A display enters nothing: see `read`.
                    (_, Role::Assistant | Role::Display) => PageRole::Assistant,
                };
                let entry =
                    |act: &PageAct| PageEntry { act: act.clone(), role, by: self.by.clone() };
                acts.iter().map(|act| Input::Page(Box::new(entry(act)))).collect()
            }
        }
    }
}

/// An act that waits for its answer.
#[derive(Debug)]
pub struct Ask {
    pub act: ActRequest,
    /// Takes the answer. If it is dropped without one, the page asks the person to try again.
    pub reply: oneshot::Sender<ActAnswer>,
}

/// The outcome of an act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActAnswer {
    Accepted,
    /// The act was not done.
    Refused {
        /// The article that forbids it.
        article: Article,
        text: Note,
    },
}

/// The reason why a form is no act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// The role may not do that.
    NotAllowed,
    /// The page showed something else than there is now.
    MovedOn,
    /// A field is missing or cannot be used.
    Field(PageText),
    /// The reason, as a text of the packs.
    Says(PageText),
    /// What was typed is no move that can be made here.
    Move(Box<(Chess, NotationError)>),
    /// It is the other player's turn.
    NotOnMove(Color),
    /// Another move than the one that was entered last, whose clock is not pressed yet: why is not
    /// said.
    Slip { uci: String },
    /// The move would end the game, and nobody has said yet that it was played.
    Ends { uci: String },
    /// A pawn reaches its last rank, and the new piece is not named.
    Promotes { from: Square, to: Square },
}

/// The fields of a form, as sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields(pub(super) Vec<(String, String)>);

impl Fields {
    /// The first field of this name; empty if there is none.
    pub(super) fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.trim())
    }

    /// A short text without line breaks or other control characters.
    pub(super) fn line(&self, name: &str) -> String {
        let short: String = self.text(name).chars().take(LONGEST_TEXT).collect();
        plain(&short).trim().to_owned()
    }

    pub(super) fn read<T: FromStr>(&self, name: &str, field: PageText) -> Result<T, Wrong> {
        self.text(name).parse().map_err(|_| Wrong::Field(field))
    }

    /// A form says what it rests on: the game that its page showed, and where it is meant for one
    /// position alone, how many half-moves that had, or the last move. One that says nothing of
    /// it, as a script's own may be, counts whatever has happened.
    fn fits(&self, game: &GameView) -> bool {
        let plies = game.plies.to_string();
        let last = game.last.as_ref().map_or("", |last| &last.uci);
        let rests = [("game", game.id.as_str()), ("plies", &plies), ("last", last)];
        rests.iter().all(|(name, now)| ["", now].contains(&self.text(name)))
    }

    fn color(&self) -> Result<Color, Wrong> {
        match self.text("seat") {
            "white" => Ok(Color::White),
            "black" => Ok(Color::Black),
            _ => Err(Wrong::Field(PageText::Player)),
        }
    }

    pub(super) fn needed(&self, name: &str, field: PageText) -> Result<String, Wrong> {
        Some(self.line(name)).filter(|text| !text.is_empty()).ok_or(Wrong::Field(field))
    }
}

/// Reads a form as an act of this role. `in_force`: on the page where it was filled in.
pub(super) fn read(
    role: Role,
    by: &str,
    fields: &Fields,
    view: &View,
    in_force: &InForce<'_>,
) -> Result<ActRequest, Wrong> {
    if !role.acts() {
        return Err(Wrong::NotAllowed);
    }
    let game = view.game.as_deref().ok_or(Wrong::MovedOn)?;
    if !fields.fits(game) {
        return Err(Wrong::MovedOn);
    }
    let what = match role {
        Role::Arbiter => arbiter(by, fields, game, in_force)?,
        Role::Assistant => {
            let what = assistant(fields, game, in_force)?;
            sure_of_end(fields, game, &what)?;
            what
        }
        Role::Display => return Err(Wrong::NotAllowed),
    };
    Ok(ActRequest { role, by: by.to_owned(), what })
}

/// A program writes notation, in English letters.
fn of_a_program() -> InForce<'static> {
    InForce { letters: PieceLetters::English, packs: Vec::new() }
}

/// What a player says at home only.
const AT_HOME: [&str; 6] =
    ["remarks", "answers", "advises", "comments", "grants-take-back", "declines-take-back"];

fn at_home(word: &str, fields: &Fields, game: &GameView) -> Result<PlayerWord, Wrong> {
    let text = || fields.needed("text", PageText::Note);
    Ok(match word {
        "answers" => PlayerWord::Answers { text: text()? },
        "advises" => {
            let here = position(&game.fen)?;
            let uci = understood(&here, fields.text("move"), &of_a_program())?;
            PlayerWord::Advises { uci }
        }
        // The game knows the position that it is about.
        "comments" => PlayerWord::Comments {
            ply: fields.read("ply", PageText::AfterHalfMove)?,
            uci: fields.needed("move", PageText::LastMove)?,
        },
        "grants-take-back" => PlayerWord::GrantsTakeBack,
        "declines-take-back" => PlayerWord::DeclinesTakeBack,
        _ => PlayerWord::Remarks { text: text()? },
    })
}

/// Reads a form as an act of a program that plays for the sighted player. What a player's hands do
/// and what he says is all that it may.
pub(super) fn played(by: &str, fields: &Fields, view: &View) -> Result<ActRequest, Wrong> {
    let game = view.game.as_deref().ok_or(Wrong::MovedOn)?;
    let home = game.at_home.as_ref().ok_or(Wrong::NotAllowed)?;
    let what = match (fields.text("act"), fields.text("word")) {
        ("says", word) if AT_HOME.contains(&word) => {
            let seat = home.seat.map(|SeatColor(seat)| seat).ok_or(Wrong::MovedOn)?;
            let word = at_home(word, fields, game)?;
            What::Play(vec![PageAct::Says { seat, word }])
        }
        ("tells" | "clock" | "back" | "ends", _) => What::Play(vec![far::act(fields)?]),
        ("move" | "played" | "press" | "says", _) => {
            match assistant(fields, game, &of_a_program())? {
                What::Enter(acts) => What::Play(acts),
                _ => return Err(Wrong::NotAllowed),
            }
        }
        _ => return Err(Wrong::NotAllowed),
    };
    Ok(ActRequest { role: Role::Assistant, by: by.to_owned(), what })
}

fn arbiter(
    by: &str,
    fields: &Fields,
    view: &GameView,
    in_force: &InForce<'_>,
) -> Result<What, Wrong> {
    use game::ArbiterAct as Do;
    let reason = fields.line("reason");
    let why = || fields.needed("reason", PageText::Reason);
    let mut knows = None;
    let ruled = fields.text("ruled").parse().ok();
    if ruled.is_some_and(|ruled: u32| ruled != view.ruled) {
        return Err(Wrong::MovedOn);
    }
    let (act, reason) = match fields.text("act") {
        "stop-clocks" => (Do::StopClocks, reason),
        "start-clocks" => (Do::StartClocks { side: None }, reason),
        "set-clock" => {
            let ms = time_ms(fields.text("time")).ok_or(Wrong::Says(PageText::WriteTime))?;
            let moves = match fields.text("moves") {
                "" => None,
                _ => Some(fields.read("moves", PageText::MovesCompleted)?),
            };
            (Do::SetClock { seat: fields.color()?, ms, moves }, why()?)
        }
        "penalty" => (Do::Penalty { seat: fields.color()?, penalty: penalty(fields)? }, why()?),
        "confirm" => {
            let number = proposal(fields, view)?;
            let choice = match fields.text("choice") {
                "" => None,
                _ => Some(fields.read("choice", PageText::Proposals)?),
            };
            (Do::ConfirmProposal { number, choice }, reason)
        }
        "dismiss" => (Do::DismissProposal { number: proposal(fields, view)? }, why()?),
        "declare" => {
            let result: Outcome = fields.read("result", PageText::Result)?;
            let article = fields.read("article", PageText::Article)?;
            (Do::Declare { result, article }, why()?)
        }
        "accept-move" => {
            let position = position(&view.fen)?;
            let mv = understood(&position, fields.text("move"), in_force)?;
            (Do::AcceptMove { uci: mv }, why()?)
        }
        "illegal-move" => {
            let article = fields.read("article", PageText::Article)?;
            (Do::IllegalMove { seat: fields.color()?, article }, reason)
        }
        "take-back" => {
            let ruling = fields.read("ruling", PageText::Penalty)?;
            if view.undo.is_none_or(|undo| undo.ruling != ruling) {
                return Err(Wrong::MovedOn);
            }
            (Do::TakeBack { ruling }, reason)
        }
        "play-on" => (Do::PlayOn, why()?),
        "settle" => {
            let decision = view.decision.as_ref().ok_or(Wrong::MovedOn)?;
            if fields.text("mark") != decision.mark {
                return Err(Wrong::MovedOn);
            }
            let clocks = settled_clocks(fields, &decision.clocks)?;
            knows = Some(view.decided);
            let settle = Settle { ply: decision.ply, score: None, clocks };
            (Do::Settle(Box::new(settle)), reason)
        }
        "settle-otherwise" => {
            let score = match fields.text("score") {
                "white" => Some(Color::White),
                "black" => Some(Color::Black),
                _ => None,
            };
            let ply = fields.read("ply", PageText::AfterHalfMove)?;
            knows = fields.text("decided").parse().ok();
            let settle = Settle { ply, score, clocks: settled_clocks(fields, &[])? };
            (Do::Settle(Box::new(settle)), why()?)
        }
        "says" => return Ok(What::Enter(vec![says(fields, view, in_force)?])),
        "compare-boards" => return Ok(What::Enter(vec![PageAct::CompareBoards])),
        "read-out" => return Ok(What::Enter(vec![PageAct::ReadOut])),
        "score" | "corrected" | "stands" => {
            return Ok(What::Enter(vec![for_a_player(fields)?]));
        }
        "ask-to-seal" => {
            let arbiter = by.to_owned();
            let step = Adjourn::Invited { arbiter, session_left_ms: None, reply: false };
            return Ok(What::Adjourn(step));
        }
        "not-adjourned" => {
            return Ok(What::Adjourn(Adjourn::Withdrawn { arbiter: by.to_owned() }));
        }
        "appoint" => {
            let (date, time) = (fields.needed("date", PageText::Date)?, fields.line("time"));
            let place = fields.line("place");
            return Ok(What::Adjourn(Adjourn::Appointed(Resumption { date, time, place })));
        }
        "note" => (Do::Note { text: Note::Words(fields.needed("text", PageText::Note)?) }, reason),
        _ => return Err(Wrong::NotAllowed),
    };
    Ok(What::Rule { act, reason, knows, ruled })
}

/// The times to set the clocks to; the present ones if nothing is chosen.
fn settled_clocks(
    fields: &Fields,
    choices: &[super::view::ClockChoice],
) -> Result<Option<SettledClocks>, Wrong> {
    let wrong = || Wrong::Field(PageText::Clocks);
    let choice = match fields.text("clocks") {
        "" | "now" => return Ok(None),
        "other" => {
            let unclear = || Wrong::Says(PageText::WriteTime);
            let time = |name| time_ms(fields.text(name)).ok_or_else(unclear);
            let (white_ms, black_ms) = (time("white")?, time("black")?);
            return Ok(Some(SettledClocks { white_ms, black_ms, basis: ClockBasis::Typed }));
        }
        number => number.parse::<usize>().ok().and_then(|number| choices.get(number)),
    };
    let choice = choice.ok_or_else(wrong)?;
    let basis = match choice.from {
        TimesFrom::Then(_) => ClockBasis::Journal,
        // The clocks may run while the page is read.
        TimesFrom::Now => return Ok(None),
        TimesFrom::NowWithout(_) => ClockBasis::NowWithout,
    };
    Ok(Some(SettledClocks { white_ms: choice.white_ms, black_ms: choice.black_ms, basis }))
}

/// Entries that can be made for either player.
fn for_a_player(fields: &Fields) -> Result<PageAct, Wrong> {
    let seat = fields.color()?;
    match fields.text("act") {
        "corrected" => Ok(PageAct::Corrected { seat }),
        "stands" => Ok(PageAct::Stands { seat, fen: fields.needed("fen", PageText::EnterBoard)? }),
        _ => {
            let text = fields.text("text");
            if text.is_empty() || text.chars().count() > LONGEST_SCORE {
                return Err(Wrong::Field(PageText::CompleteScore));
            }
            let after: u32 = match fields.text("after") {
                "" => 0,
                _ => fields.read("after", PageText::AfterHalfMove)?,
            };
            let from_ply = after.saturating_add(1);
            Ok(PageAct::Score { seat, from_ply, text: text.to_owned() })
        }
    }
}

/// The sighted player's words. Anything that can't be taken back must be ticked.
fn says(fields: &Fields, view: &GameView, in_force: &InForce<'_>) -> Result<PageAct, Wrong> {
    let seat = fields.color()?;
    if view.speaks != Some(seat) {
        return Err(Wrong::MovedOn);
    }
    let intended = || match fields.text("move") {
        "" => Ok(None),
        _ if view.to_move != seat => Err(Wrong::NotOnMove(seat)),
        text => understood(&position(&view.fen)?, text, in_force).map(Some),
    };
    let word = match (fields.text("word"), fields.text("by")) {
        ("declines-draw", _) => PlayerWord::DeclinesDraw,
        ("adjusts", _) => PlayerWord::Adjusts,
        (_, _) if fields.text("sure") != "yes" => return Err(Wrong::Field(PageText::Confirm)),
        ("resigns", _) => PlayerWord::Resigns,
        ("offers-draw", _) => PlayerWord::OffersDraw,
        ("accepts-draw", _) => PlayerWord::AcceptsDraw,
        ("claims-flag", _) => PlayerWord::ClaimsFlag,
        ("claims-draw", "repetition") => PlayerWord::ClaimsRepetition { intended: intended()? },
        ("claims-draw", "fifty") => PlayerWord::ClaimsFifty { intended: intended()? },
        ("claims-draw", _) => return Err(Wrong::Field(PageText::ClaimDraw)),
        _ => return Err(Wrong::NotAllowed),
    };
    Ok(PageAct::Says { seat, word })
}

/// The number of a proposal that is open still.
fn proposal(fields: &Fields, view: &GameView) -> Result<u32, Wrong> {
    let number = fields.read("number", PageText::Proposals)?;
    let open = view.proposals.iter().any(|proposal| proposal.number == number);
    if open { Ok(number) } else { Err(Wrong::MovedOn) }
}

fn penalty(fields: &Fields) -> Result<Penalty, Wrong> {
    const LONGEST_MINUTES: u64 = 24 * 60;
    let ms = || {
        let minutes = fields.text("amount").trim_end_matches(|c: char| !c.is_ascii_digit());
        let minutes: u64 = minutes.parse().map_err(|_| Wrong::Field(PageText::Amount))?;
        if (1..=LONGEST_MINUTES).contains(&minutes) {
            Ok(minutes * 60_000)
        } else {
            Err(Wrong::Field(PageText::Amount))
        }
    };
    let halves = || {
        let halves: u8 = match fields.text("amount") {
            "½" | "1/2" | "0.5" | "0,5" => 1,
            _ => fields.read("amount", PageText::Amount)?,
        };
        if (1..=2).contains(&halves) { Ok(halves) } else { Err(Wrong::Field(PageText::Amount)) }
    };
    Ok(match fields.text("penalty") {
        "warning" => Penalty::Warning,
        "time-to-opponent" => Penalty::TimeToOpponent { ms: ms()? },
        "time-off" => Penalty::TimeOff { ms: ms()? },
        "points-to-opponent" => Penalty::PointsToOpponent { halves: halves()? },
        "points-off" => Penalty::PointsOff { halves: halves()? },
        "loss" => Penalty::Loss { opponent_halves: 2 },
        "fine" => Penalty::Fine { amount: fields.needed("amount", PageText::Amount)? },
        "rounds" => {
            Penalty::ExcludedFromRounds { rounds: fields.read("amount", PageText::Amount)? }
        }
        "event" => Penalty::ExcludedFromEvent,
        _ => return Err(Wrong::Field(PageText::Penalty)),
    })
}

fn assistant(fields: &Fields, view: &GameView, in_force: &InForce<'_>) -> Result<What, Wrong> {
    let acts = match fields.text("act") {
        "move" => entered(fields, view, in_force)?,
        "played" => {
            let seat = fields.color()?;
            let shown = |to_play: &&super::view::ToPlay| {
                to_play.seat == seat
                    && to_play.confirm
                    && to_play.mv.ply.to_string() == fields.text("ply")
            };
            let to_play = view.to_play.iter().find(shown).ok_or(Wrong::MovedOn)?;
            vec![PageAct::Executed { seat, uci: to_play.mv.uci.clone() }]
        }
        "press" => {
            let seat = fields.color()?;
            if view.presses_for != Some(seat) {
                return Err(Wrong::MovedOn);
            }
            vec![PageAct::Pressed { seat }]
        }
        "score" | "corrected" | "stands" => vec![for_a_player(fields)?],
        "says" => vec![says(fields, view, in_force)?],
        "compare-boards" => vec![PageAct::CompareBoards],
        "seal" => return seal(fields, view, in_force),
        "call" => vec![PageAct::CallArbiter { reason: fields.line("reason") }],
        _ => return Err(Wrong::NotAllowed),
    };
    Ok(What::Enter(acts))
}

/// The move to be sealed, typed twice because it is not shown.
fn seal(fields: &Fields, view: &GameView, in_force: &InForce<'_>) -> Result<What, Wrong> {
    let Some(AdjournView::Sealing(SeatColor(seat))) = view.adjournment else {
        return Err(Wrong::MovedOn);
    };
    let text = fields.needed("sealed", PageText::SealMove)?;
    if text != fields.line("again") {
        return Err(Wrong::Says(PageText::SealDiffer));
    }
    let as_written = !fields.text("as-written").is_empty();
    let text = for_the_board(text, &position(&view.fen)?, in_force, &view.letters);
    Ok(What::Seal { seat, text: Private(text), as_written })
}

/// A move made on the sighted player's board: typed, or two squares of the page's board.
fn entered(
    fields: &Fields,
    view: &GameView,
    in_force: &InForce<'_>,
) -> Result<Vec<PageAct>, Wrong> {
    let seat = view.enters_for.ok_or(Wrong::NotAllowed)?;
    if fields.text("plies") != view.plies.to_string() {
        return Err(Wrong::MovedOn);
    }
    let on_move = view.to_move == seat;
    // The last move may be entered again until its player's clock is pressed.
    let fen = if on_move { Some(&view.fen) } else { view.fen_before.as_ref() };
    let position = position(fen.ok_or(Wrong::NotOnMove(seat))?)?;
    let uci = match (fields.text("move"), fields.text("from"), fields.text("to")) {
        ("", from, to) => by_squares(&position, from, to, fields.text("promotion"))?,
        (text, _, _) => understood(&position, text, in_force)?,
    };
    // In place of the last move, which is not pressed yet: a slip of whoever typed, or of the
    // player (4.7).
    let replaces = !on_move && view.last.as_ref().is_some_and(|last| last.uci != uci);
    if replaces && is_legal(&position, &uci) {
        match fields.text("slip") {
            "typed" => return Ok(vec![PageAct::Mistyped { seat, uci }]),
            "moved" => {}
            _ => return Err(Wrong::Slip { uci }),
        }
    }
    // A reply implies that its player has carried out the move before.
    let owed = view.to_play.iter().find(|to_play| on_move && to_play.seat == seat);
    let owed = owed.map(|to_play| PageAct::Executed { seat, uci: to_play.mv.uci.clone() });
    Ok(owed.into_iter().chain([PageAct::Executed { seat, uci }]).collect())
}

fn is_legal(position: &Chess, uci: &str) -> bool {
    read_move(position, uci).is_some()
}

fn read_move(position: &Chess, uci: &str) -> Option<shakmaty::Move> {
    uci.parse::<shakmaty::uci::UciMove>().ok()?.to_move(position).ok()
}

/// A mate that is mistyped ends the game at once (5.1.1), and only the arbiter takes that back: it
/// is asked about first. What is entered in place of a slip was asked about already, and a script
/// of somebody's own, which names no game, is not asked.
fn sure_of_end(fields: &Fields, view: &GameView, what: &What) -> Result<(), Wrong> {
    use shakmaty::Position as _;
    let asked = !fields.text("slip").is_empty() || fields.text("game").is_empty();
    let What::Enter(acts) = what else { return Ok(()) };
    let Some(PageAct::Executed { seat, uci }) = acts.last().filter(|_| !asked) else {
        return Ok(());
    };
    if fields.text("act") != "move" || view.to_move != *seat || fields.text("ends") == uci {
        return Ok(());
    }
    let here = position(&view.fen)?;
    let after = read_move(&here, uci).and_then(|mv| here.play(mv).ok());
    match after.is_some_and(|after| after.is_game_over()) {
        true => Err(Wrong::Ends { uci: uci.clone() }),
        false => Ok(()),
    }
}

fn position(fen: &str) -> Result<Chess, Wrong> {
    // The view's own position can always be read.
    read_fen(fen).map_err(|_| Wrong::MovedOn)
}

/// A move that was typed in the letters of a page or in words, as any board reads it: the squares
/// alone. The envelope is opened in the board's letters and words, perhaps by another person.
fn for_the_board(typed: String, position: &Chess, page: &InForce<'_>, board: &str) -> String {
    let letters = page.letters;
    let as_it_is = letters.code() == board && read_in(position, &typed, letters).is_ok();
    match page.read(position, &typed) {
        Ok(read) if !as_it_is => {
            let squares = write(position, read.mv, MoveNotation::Uci, Letters::english());
            squares + if read.offers_draw { DRAW_OFFER } else { "" }
        }
        _ => typed,
    }
}

/// A move as somebody typed it, in UCI.
fn understood(position: &Chess, text: &str, in_force: &InForce<'_>) -> Result<String, Wrong> {
    if text.is_empty() {
        return Err(Wrong::Field(PageText::MoveNumber));
    }
    match in_force.read_told(position, text) {
        Ok(read) => Ok(shakmaty::uci::UciMove::from_standard(read.mv).to_string()),
        Err(err) => Err(Wrong::Move(Box::new((position.clone(), err)))),
    }
}

/// A move by its squares. An illegal one goes to the game, which knows what to do about it.
fn by_squares(position: &Chess, from: &str, to: &str, promotion: &str) -> Result<String, Wrong> {
    use shakmaty::Position as _;
    let square = |text: &str| text.parse::<Square>().map_err(|_| Wrong::Field(PageText::ByBoard));
    let (from, to) = (square(from)?, square(to)?);
    let letter = match promotion {
        "queen" => "q",
        "rook" => "r",
        "bishop" => "b",
        "knight" => "n",
        _ => "",
    };
    let promotes = position
        .legal_moves()
        .iter()
        .any(|mv| mv.is_promotion() && mv.from() == Some(from) && mv.to() == to);
    if promotes && letter.is_empty() {
        return Err(Wrong::Promotes { from, to });
    }
    Ok(format!("{from}{to}{}", if promotes { letter } else { "" }))
}

/// Reads `1:29:05`, in milliseconds. Two numbers could be minutes or hours.
pub(super) fn time_ms(text: &str) -> Option<u64> {
    const LONGEST_HOURS: u64 = 99;
    let parts: Vec<&str> = text.split(':').collect();
    let number = |text: &str| -> Option<u64> {
        let digits = (1..=3).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse().ok()).flatten()
    };
    let [hours, minutes, seconds] = parts.as_slice() else { return None };
    let (hours, minutes, seconds) = (number(hours)?, number(minutes)?, number(seconds)?);
    let good = hours <= LONGEST_HOURS && minutes < 60 && seconds < 60;
    good.then_some(((hours * 60 + minutes) * 60 + seconds) * 1_000)
}
