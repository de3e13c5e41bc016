//! What is asked of each person now, and since when: every page begins with it.
//!
//! [`Game::asked`] depends on the state alone. Whoever waits for somebody is told so too, so no
//! answer is empty. Words are the pages' own.

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color, Square, san::SanPlus};

use super::{Article, At, Boards, Game, Play, Proposal, Stage, turn::uci};

/// A person beside the board who may be asked for something. The blind player hears it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Person {
    Arbiter,
    /// The assistant, who relays moves (D.2.10).
    Assistant,
    /// The sighted player.
    Opponent,
}

impl Person {
    /// Everybody.
    pub const ALL: [Person; 3] = [Person::Arbiter, Person::Assistant, Person::Opponent];
}

/// Who calls the arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Caller {
    /// A player calls (6.11.2).
    Player(#[serde(with = "annabella_words::text")] Color),
    /// A player has stopped the clocks, which is done only to call him (6.11.2).
    Stopped(#[serde(with = "annabella_words::text")] Color),
    /// The assistant calls (D.2.10.5).
    Assistant,
}

/// A call for the arbiter, until he decides something, or the game goes on by a word at the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    pub by: Caller,
    /// As the assistant typed it; may be empty.
    pub reason: String,
    pub at: At,
}

/// An illegal move, with its number among those of its player (7.5.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IllegalMove {
    /// 7.5.1 to 7.5.4.
    pub article: Article,
    /// The player's first is 1.
    pub number: u32,
    /// The piece that moved, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<MovedPiece>,
    /// Another one that was moved beside it: each move alone may be legal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<MovedPiece>,
    /// The arbiter has seen it, not this program: which half-move of the record it is; 0: none that
    /// is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported: Option<u32>,
}

/// A piece that went from one square to another, whether it may or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovedPiece {
    /// As in a FEN.
    pub piece: char,
    #[serde(with = "annabella_words::text")]
    pub from: Square,
    #[serde(with = "annabella_words::text")]
    pub to: Square,
}

/// What a person is to do, or what he waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Somebody calls the arbiter.
    Called(Call),
    /// An illegal move waits for the arbiter, as this proposal (7.5.5).
    Illegal {
        #[serde(with = "annabella_words::text")]
        seat: Color,
        illegal: IllegalMove,
        proposal: u32,
    },
    /// A flag has fallen, and the arbiter is to judge (6.9).
    Flag {
        #[serde(with = "annabella_words::text")]
        seat: Color,
        proposal: u32,
    },
    /// A claim was wrong (9.5.3).
    WrongClaim {
        #[serde(with = "annabella_words::text")]
        seat: Color,
        proposal: u32,
    },
    /// Another proposal waits for the arbiter.
    Decide { article: Article, proposal: u32 },
    /// The boards differ (D.2.9).
    BoardsDiffer,
    /// The clock before the players does not answer (6.10.1).
    ClockLost,
    /// Nothing is seen of this player's board any more.
    BoardLost(#[serde(with = "annabella_words::text")] Color),
    /// The clocks stand during the game and wait for a word (6.11.3).
    ClocksStand,
    /// After an illegal move this player puts his board back to the position before (7.5.1).
    PutBack(#[serde(with = "annabella_words::text")] Color),
    /// After a decision this player's board is put right (D.2.9).
    Correct(#[serde(with = "annabella_words::text")] Color),
    /// A made move is to be executed on this player's board.
    Execute {
        #[serde(with = "annabella_words::text")]
        seat: Color,
        /// Half-move, the first is 1.
        ply: u32,
        uci: String,
        /// In SAN, English letters.
        san: String,
    },
    /// This player has made his move; his clock is to be pressed.
    Press(#[serde(with = "annabella_words::text")] Color),
    /// This player is offered a draw and has not answered.
    AnswerDraw(#[serde(with = "annabella_words::text")] Color),
    /// This player seals his move (I.1).
    Seal(#[serde(with = "annabella_words::text")] Color),
    /// The move is sealed: the game goes on another time (Guideline I).
    Adjourned,
    /// This sighted player is to move: the assistant enters it, where he does.
    Move(#[serde(with = "annabella_words::text")] Color),
    /// White's clock has not been started yet (6.6).
    NotBegun,
    /// Nothing is to be done: this player is to move.
    Watch(#[serde(with = "annabella_words::text")] Color),
    /// The game is over.
    Over,
}

impl Task {
    /// What a fallen flag or an illegal move comes to is decided before the game goes on (6.9,
    /// 7.5).
    pub fn comes_before_play(&self) -> bool {
        matches!(self, Task::Illegal { .. } | Task::Flag { .. })
    }
}

/// A task and its moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    pub task: Task,
    /// Since when.
    pub since: At,
}

/// Moments at which something began that has none of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Began {
    game: At,
    /// A clock runs for the first time.
    running: Option<At>,
    stand: Option<At>,
    differ: Option<At>,
    clock_lost: Option<At>,
    board_lost: ByColor<Option<At>>,
    corrected: ByColor<Option<At>>,
}

impl Began {
    pub(super) fn at(game: At) -> Began {
        Began { game, ..Began::default() }
    }
}

impl Game {
    /// What is asked of this person, the most urgent first; never empty once the game has started.
    pub fn asked(&self, of: Person) -> Vec<Asked> {
        let Some(play) = self.play.as_deref() else { return Vec::new() };
        let mut asked = match of {
            Person::Arbiter => play.asked_of_arbiter(),
            Person::Assistant => play.asked_of_assistant(),
            Person::Opponent => play.asked_of_opponent(),
        };
        if asked.is_empty() {
            asked.push(play.waits_for());
        }
        asked
    }

    /// Whom everybody waits for where nobody else is asked for anything; `None` before the game
    /// starts.
    pub fn waits_for(&self) -> Option<Asked> {
        self.play.as_deref().map(|play| play.waits_for())
    }

    /// The call that the arbiter has not answered.
    pub fn call(&self) -> Option<&Call> {
        self.play.as_deref()?.arbitration.call.as_ref()
    }

    /// The player whose board shows his illegal move still, where no other board differs: it goes
    /// back to the position before (7.5.1), and D.2.9 has nothing to decide.
    pub fn shows_illegal_move(&self) -> Option<Color> {
        self.play.as_deref()?.board_with_illegal_move()
    }
}

impl Play {
    /// Takes down when things began that are asked about.
    pub(super) fn note_beginnings(&mut self) {
        let at = self.at;
        let since = |is: bool, known: Option<At>| is.then(|| known.unwrap_or(at));
        let lost = self.clock_is_lost();
        let stand = self.clocks_wait();
        let differ = self.arbitration.relation.boards == Boards::Differ;
        let seats = &self.seats;
        let running = self.clock_in_use();
        let began = &mut self.arbitration.began;
        began.running = since(running, began.running);
        began.stand = since(stand, began.stand);
        began.differ = since(differ, began.differ);
        began.clock_lost = since(lost, began.clock_lost);
        for color in Color::ALL {
            let seat = &seats[color];
            began.board_lost[color] = since(seat.view.is_lost(), began.board_lost[color]);
            began.corrected[color] = since(seat.correction.is_some(), began.corrected[color]);
        }
    }

    /// A clock ran, and none runs.
    fn clocks_wait(&self) -> bool {
        let stopped = self.timing.clock.was_started() || self.course.halted().is_some();
        stopped && !self.runs() && !self.is_over() && self.adjourning().is_none()
    }

    /// The arbiter is called. Of several calls the first one waits the longest; its caller may say
    /// why afterwards.
    pub(super) fn calls(&mut self, by: Caller, reason: &str) {
        let (reason, at) = (reason.to_owned(), self.at);
        let call = self.arbitration.call.get_or_insert(Call { by, reason: String::new(), at });
        if call.by == by && call.reason.is_empty() {
            call.reason = reason;
        }
    }

    fn asked_of_arbiter(&self) -> Vec<Asked> {
        let mut asked = Vec::new();
        let mut ask = |task: Task, since: At| asked.push(Asked { task, since });
        if let Some(call) = &self.arbitration.call {
            ask(Task::Called(call.clone()), call.at);
        }
        if self.is_over() {
            return asked;
        }
        let mut proposals: Vec<&Proposal> =
            self.arbitration.proposals.iter().filter(|proposal| proposal.is_open()).collect();
        // An illegal move comes before what else is proposed.
        proposals.sort_by_key(|proposal| proposal.illegal.is_none());
        for proposal in proposals {
            ask(proposed(proposal), proposal.at);
        }
        let illegal = self.board_with_illegal_move();
        if let Some(since) = self.arbitration.began.differ.filter(|_| illegal.is_none()) {
            ask(Task::BoardsDiffer, since);
        }
        if let Some(since) = self.arbitration.began.clock_lost {
            ask(Task::ClockLost, since);
        }
        asked.extend(self.boards_lost());
        asked.extend(self.put_right(|_| true));
        if let Some(since) = self.arbitration.began.stand {
            asked.push(Asked { task: Task::ClocksStand, since });
        }
        asked.extend(self.adjourned());
        asked
    }

    fn asked_of_assistant(&self) -> Vec<Asked> {
        if self.is_over() {
            return Vec::new();
        }
        let mut asked: Vec<Asked> = self.adjourned().into_iter().collect();
        asked.extend(self.called());
        asked.extend(self.put_right_first(|seat| !self.seats[seat].blind));
        asked.extend(self.differing());
        asked.extend(self.boards_lost());
        asked.extend(Color::ALL.into_iter().filter_map(|seat| self.to_execute(seat)));
        asked.extend(self.to_press(|_| true));
        asked.extend(self.to_answer());
        asked.extend(self.standing_clocks());
        asked.extend(self.to_move());
        asked
    }

    fn asked_of_opponent(&self) -> Vec<Asked> {
        let own = Color::ALL.into_iter().find(|color| !self.seats[*color].blind);
        let Some(own) = own.filter(|_| !self.is_over()) else { return Vec::new() };
        let mut asked: Vec<Asked> = self.adjourned().into_iter().collect();
        asked.extend(self.called());
        asked.extend(self.put_right_first(|seat| seat == own));
        asked.extend(self.differing());
        asked.extend(self.boards_lost());
        asked.extend(self.to_answer());
        asked.extend(self.standing_clocks());
        asked.extend(self.to_execute(own));
        asked.extend(self.to_press(|seat| seat == own));
        asked.extend(self.to_move());
        asked
    }

    /// Nobody is to do anything but the player to move.
    fn waits_for(&self) -> Asked {
        if let Some(ended) = self.course.ended() {
            return Asked { task: Task::Over, since: ended.at };
        }
        if !self.clock_in_use() && self.line.is_empty() {
            return Asked { task: Task::NotBegun, since: self.arbitration.began.game };
        }
        Asked { task: Task::Watch(self.mover()), since: self.turn_since() }
    }

    /// Since when the player to move has the move.
    fn turn_since(&self) -> At {
        let began = &self.arbitration.began;
        let first = began.running.unwrap_or(began.game);
        self.line.last().map_or(first, |ply| ply.completed.unwrap_or(ply.made))
    }

    fn adjourned(&self) -> Option<Asked> {
        let adjournment = self.course.adjournment().filter(|_| self.adjourning().is_some())?;
        let (task, since) = match adjournment.stage {
            Stage::Invited => (Task::Seal(adjournment.sealer), Some(adjournment.invitation.at)),
            _ => (Task::Adjourned, adjournment.sealed.as_ref().map(|sealed| sealed.at)),
        };
        Some(Asked { task, since: since.unwrap_or(adjournment.invitation.at) })
    }

    /// Whoever called the arbiter sees that he did.
    fn called(&self) -> Option<Asked> {
        let call = self.arbitration.call.as_ref()?;
        Some(Asked { task: Task::Called(call.clone()), since: call.at })
    }

    fn boards_lost(&self) -> impl Iterator<Item = Asked> + use<> {
        let lost = self.arbitration.began.board_lost;
        let of =
            move |color: Color| Some(Asked { task: Task::BoardLost(color), since: lost[color]? });
        Color::ALL.into_iter().filter_map(of)
    }

    /// Boards that are put right: of these players, and where they have nothing to do, of the
    /// others whom they wait for.
    fn put_right_first(&self, of: impl Fn(Color) -> bool) -> Vec<Asked> {
        let own = self.put_right(&of);
        if own.is_empty() { self.put_right(|color| !of(color)) } else { own }
    }

    /// Boards that are put right, of these players.
    fn put_right(&self, of: impl Fn(Color) -> bool) -> Vec<Asked> {
        let mut asked = Vec::new();
        let illegal = self.board_with_illegal_move().zip(self.arbitration.began.differ);
        if let Some((seat, since)) = illegal.filter(|(seat, _)| of(*seat)) {
            asked.push(Asked { task: Task::PutBack(seat), since });
        }
        for color in Color::ALL.into_iter().filter(|color| of(*color)) {
            if let Some(since) = self.arbitration.began.corrected[color] {
                asked.push(Asked { task: Task::Correct(color), since });
            }
        }
        asked
    }

    /// The boards differ, and neither an illegal move nor a correction explains it.
    fn differing(&self) -> Option<Asked> {
        let known = self.board_with_illegal_move().is_some()
            || self.seats.iter().any(|seat| seat.correction.is_some());
        let since = self.arbitration.began.differ.filter(|_| !known)?;
        Some(Asked { task: Task::BoardsDiffer, since })
    }

    fn standing_clocks(&self) -> Option<Asked> {
        self.arbitration.began.stand.map(|since| Asked { task: Task::ClocksStand, since })
    }

    /// The move that the board before this sighted player has yet to show.
    fn to_execute(&self, seat: Color) -> Option<Asked> {
        let place = &self.seats[seat];
        if place.blind || !place.has_board() || place.correction.is_some() || self.is_astray(seat) {
            return None;
        }
        let (index, mv) = self.owed(seat)?;
        let before = self.line.positions().get(index)?;
        let san = SanPlus::from_move(before.clone(), mv).to_string();
        let since = self.line.get(index)?.made;
        let ply = self.ply_number(index);
        Some(Asked { task: Task::Execute { seat, ply, uci: uci(mv), san }, since })
    }

    fn to_press(&self, of: impl Fn(Color) -> bool) -> Option<Asked> {
        let ply = self.line.open().filter(|ply| of(ply.mover))?;
        // Clocks that stand are not pressed.
        let pressed =
            self.arbitration.began.stand.is_some() || self.waiting_press(ply.mover).is_some();
        (!pressed).then_some(Asked { task: Task::Press(ply.mover), since: ply.made })
    }

    /// The sighted player has been offered a draw.
    fn to_answer(&self) -> Option<Asked> {
        let waits = |of: &Color| self.wishes.offered[!*of] && !self.seats[*of].blind;
        let of = Color::ALL.into_iter().find(waits)?;
        let since = self.wishes.offers.last().map_or(self.at, |offer| offer.at);
        Some(Asked { task: Task::AnswerDraw(of), since })
    }

    /// The sighted player has the move.
    fn to_move(&self) -> Option<Asked> {
        let seat = self.mover();
        // Nobody plays while the clocks stand.
        let stand = self.arbitration.began.stand.is_some();
        let may = self.adjourning().is_none() && !self.seats[seat].blind && !stand;
        let begun = self.timing.clock.was_started() || !self.line.is_empty();
        let since = self.turn_since();
        (may && begun).then_some(Asked { task: Task::Move(seat), since })
    }

    fn board_with_illegal_move(&self) -> Option<Color> {
        let plies = self.plies();
        let of = |proposal: &&Proposal| {
            let moved = proposal.illegal.as_ref().is_some_and(IllegalMove::changed_the_board);
            moved && proposal.plies == plies
        };
        let seat = self.arbitration.proposals.iter().rev().find(of)?.seat?;
        let shows = |color: Color| self.is_astray(color) || self.is_bumped(color);
        let alone = shows(seat) && !shows(!seat) && !self.arbitration.relation.said_to_differ;
        (alone && self.seats[seat].correction.is_none()).then_some(seat)
    }
}

impl IllegalMove {
    /// Pieces stand where they may not: a press without a move leaves the board as it was.
    pub fn changed_the_board(&self) -> bool {
        matches!(self.article, Article::A7_5_1 | Article::A7_5_2)
    }
}

/// What an open proposal asks of the arbiter.
pub(super) fn proposed(proposal: &Proposal) -> Task {
    let Proposal { number, article, seat, illegal, .. } = proposal;
    match (seat, illegal, article) {
        (Some(seat), Some(illegal), _) => {
            Task::Illegal { seat: *seat, illegal: illegal.clone(), proposal: *number }
        }
        (Some(seat), None, Article::A6_8 | Article::A6_9) => {
            Task::Flag { seat: *seat, proposal: *number }
        }
        (Some(seat), None, Article::A9_5_3) => Task::WrongClaim { seat: *seat, proposal: *number },
        _ => Task::Decide { article: *article, proposal: *number },
    }
}
