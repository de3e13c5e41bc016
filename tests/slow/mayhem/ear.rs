//! What a player understands who knows of the game only what is said: every sentence that the
//! service could have meant is put in words and compared with the one that was heard.

use std::collections::HashMap;

use annabella_words::phrase::{Command, Prompt, Slot, SpokenForm, Utterance, Words};
use shakmaty::{Chess, Color, Move, Piece, Position, Role, Square};

/// What a sentence asks its hearer to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Order {
    /// Take a piece off.
    Take(Square),
    /// Put a piece down.
    Put(Square, Piece),
    /// Execute this move.
    Execute(Move),
    /// One move was announced, another one executed.
    Differ { announced: Move, executed: Move },
    /// A move was announced or corrected: who has to copy it does.
    Announced(Move),
    /// Say the move, or once more.
    Name,
    /// This move was executed and not said.
    Unnamed(Move),
    /// Name the piece that a pawn becomes.
    Piece,
    /// Say whether it is this move.
    Confirm(Move),
    /// Say whether the piece that stood here is off the board.
    IsGone(Square),
    /// Say whether all stands right.
    IsRight,
    /// A question nobody meant.
    Decline,
    /// Nothing has been played yet.
    Play,
    /// This player is to move.
    Turn(Color),
    /// Say that the clocks are to run.
    StartClocks,
    /// The arbiter is to say so.
    Arbiter,
    /// His own clock is to be pressed.
    Press,
    /// Nothing is open.
    Nothing,
}

/// Sentences that are always the same.
const PLAIN: [(Prompt, Order); 22] = [
    (Prompt::AnnounceFirst, Order::Name),
    (Prompt::NotHeard, Order::Name),
    (Prompt::AskAgain, Order::Name),
    (Prompt::AmbiguousSpoken, Order::Name),
    (Prompt::WhichPiece, Order::Piece),
    (Prompt::BoardAgrees, Order::Nothing),
    (Prompt::BoardsAgreeAgain, Order::Nothing),
    (Prompt::NothingPending, Order::Nothing),
    (Prompt::PressPending, Order::Press),
    (Prompt::PressedWithoutMove, Order::Play),
    (Prompt::TakenBack, Order::Play),
    (Prompt::ClockStopped, Order::Arbiter),
    (Prompt::ArbiterDecides, Order::Arbiter),
    (Prompt::ConfirmResign, Order::Decline),
    (Prompt::ConfirmOfferDraw, Order::Decline),
    (Prompt::ConfirmAcceptDraw, Order::Decline),
    (Prompt::ConfirmClaimRepetition, Order::Decline),
    (Prompt::ConfirmClaimFifty, Order::Decline),
    (Prompt::OpponentMoveMissing, Order::Name),
    (Prompt::Cancelled, Order::Nothing),
    (Prompt::Noted, Order::Nothing),
    (Prompt::StartPosition, Order::Nothing),
];

/// An ear for one language.
pub(super) struct Ear {
    words: Words,
    known: HashMap<String, Order>,
}

impl Ear {
    pub(super) fn new(words: Words) -> Ear {
        let mut known = HashMap::new();
        let mut knows = |prompt, slots: &[Slot<'_>], order| {
            known.insert(words.prompt(prompt, slots).to_string(), order);
        };
        for (prompt, order) in PLAIN {
            knows(prompt, &[], order);
        }
        let phrase = words.prompts().first_phrase(Command::StartClock).expect("a phrase");
        knows(Prompt::ClocksStand, &[Slot::Text(phrase)], Order::StartClocks);
        for color in Color::ALL {
            knows(Prompt::WhoseMove, &[Slot::Player(color)], Order::Turn(color));
            knows(Prompt::BoardRight, &[Slot::Player(color)], Order::IsRight);
        }
        // Without sensors he is told with which word he answers.
        let done = words.prompts().first_phrase(Command::Done).expect("a phrase");
        let then = words.prompt(Prompt::SayWhenDone, &[Slot::Text(done)]).to_string();
        let mut knows = |prompt, slots: &[Slot<'_>], order| {
            let step = words.prompt(prompt, slots).to_string();
            known.insert(format!("{step} {then}"), order);
            known.insert(step, order);
        };
        for square in Square::ALL {
            knows(Prompt::TakeUnknown, &[Slot::Square(square)], Order::Take(square));
            for piece in Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|r| r.of(color))) {
                let slots = [Slot::ColoredPiece(piece), Slot::Square(square)];
                knows(Prompt::Take, &slots, Order::Take(square));
                knows(Prompt::Put, &slots, Order::Put(square, piece));
                knows(Prompt::CapturedGone, &slots, Order::IsGone(square));
            }
        }
        Ear { words, known }
    }

    /// The order in a sentence that `who` hears; `None` where it only informs. `positions`: of the
    /// game, the latest last.
    pub(super) fn order(&self, who: Color, positions: &[Chess], text: &str) -> Option<Order> {
        if let Some(order) = self.known.get(text) {
            return Some(*order);
        }
        let mut moves: Vec<(Move, Utterance)> = Vec::new();
        for position in positions.iter().rev() {
            for mv in position.legal_moves() {
                let name = self.words.announce(position, mv, SpokenForm::Full);
                // Both castle in the same words.
                let theirs = [Slot::Words(&name)];
                let execute = || self.words.prompt(Prompt::ExecuteOpponentMove, &theirs);
                if position.turn() != who && execute().to_string() == text {
                    return Some(Order::Execute(mv));
                }
                moves.push((mv, name));
            }
        }
        about_move(&self.words, &moves, text)
    }
}

fn about_move(words: &Words, moves: &[(Move, Utterance)], text: &str) -> Option<Order> {
    let said = |prompt, slots: &[Slot<'_>]| words.prompt(prompt, slots).to_string() == text;
    let executes = [Prompt::ExecuteFirst, Prompt::AnnouncedNotExecuted, Prompt::NotExecutedYet];
    for (mv, name) in moves {
        let slot = [Slot::Words(name)];
        if executes.iter().any(|prompt| said(*prompt, &slot)) {
            return Some(Order::Execute(*mv));
        }
        if name.to_string() == text || said(Prompt::Correction, &slot) {
            return Some(Order::Announced(*mv));
        }
        if said(Prompt::ConfirmMove, &slot) {
            return Some(Order::Confirm(*mv));
        }
        if said(Prompt::ExecutedNotAnnounced, &slot) {
            return Some(Order::Unnamed(*mv));
        }
        if said(Prompt::IllegalSpoken, &slot) {
            return Some(Order::Name);
        }
        let executed = |(other, second): &&(Move, Utterance)| {
            other != mv && said(Prompt::AnnouncedButExecuted, &[slot[0], Slot::Words(second)])
        };
        let named = |(_, second): &&(Move, Utterance)| text.contains(&second.to_string());
        if text.contains(&name.to_string())
            && let Some((executed, _)) = moves.iter().filter(named).find(executed)
        {
            return Some(Order::Differ { announced: *mv, executed: *executed });
        }
    }
    // A question with several moves: its player says which.
    let asks = moves.iter().any(|(_, name)| text.contains(&name.to_string()));
    asks.then_some(Order::Name)
}
