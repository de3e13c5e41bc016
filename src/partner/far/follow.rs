//! What is to be done at two tables where one game is played: the one at home, and the one far
//! away. Nothing is done here.

use shakmaty::{Color, Position as _};

use super::state::{Standing, State, Status};
use crate::{
    line::Line,
    table::{Table, Wish},
};

/// Which clock counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// A server's, which runs whatever the line does.
    Server,
    /// That of the table there; both stand while the line is cut.
    There,
    /// The one here, the same.
    Here,
}

/// The table far away, as last told.
#[derive(Clone, Debug, PartialEq)]
pub struct Far {
    /// The blind player's colour.
    pub own: Color,
    start: String,
    pub state: State,
    /// The moves there. `None`: what cannot be.
    pub line: Option<Line>,
    /// How many times it was told.
    pub told: u64,
    pub clock: Clock,
    /// It can be seen from here. A server's always can: what it told last holds.
    pub seen: bool,
}

impl Far {
    /// At a server, whose game begins at this position.
    pub fn at_server(own: Color, start: &str, state: State) -> Far {
        let line = Line::read(start, &state.moves);
        Far { own, start: start.to_owned(), state, line, told: 1, clock: Clock::Server, seen: true }
    }

    /// At another player's table, which has not been seen yet.
    pub fn at_table(own: Color, start: &str, clock: Clock) -> Far {
        let far = Far::at_server(own, start, State::default());
        Far { clock, seen: false, told: 0, ..far }
    }

    pub fn changes(&mut self, state: State) {
        self.line = Line::read(&self.start, &state.moves);
        self.state = state;
        self.told += 1;
        self.seen = true;
    }

    /// The line there is cut.
    pub fn is_lost(&mut self) {
        self.seen = self.clock == Clock::Server;
    }

    pub fn is_over(&self) -> bool {
        self.state.status != Status::Going
    }

    /// Whose clock runs. A server's begin after both first moves; ours begins the game.
    pub fn running(&self) -> Option<Color> {
        let turn = || self.line.as_ref().map(Line::turn);
        let running = if self.clock == Clock::Server { turn() } else { self.state.running };
        running.filter(|_| !self.is_over())
    }

    /// Both players have made their first moves, and a server's clocks run.
    pub fn clocks_run(&self) -> bool {
        (self.state.moves.len() >= 2 || self.clock != Clock::Server) && !self.is_over()
    }
}

/// How far an offer has come that was handed on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Offer {
    #[default]
    None,
    /// It was handed on.
    Told,
    /// The other table has it.
    Stands,
}

/// What was handed on already.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    clock: u64,
    offer_here: Offer,
    offer_there: Offer,
    takeback: bool,
    closed: bool,
    /// [`Standing::record`] of the record here.
    record: u32,
    /// That record, and how many times it was put right.
    stood: Option<(u32, Vec<String>)>,
    /// It goes back, and the table was not seen since. The decisions until then.
    goes_back: Option<u32>,
}

/// One thing to do; at home if nothing else is said.
#[derive(Clone, Debug, PartialEq)]
pub enum Todo {
    /// Nothing but to wait.
    Wait,
    /// The own move is to be carried out on the opponent's board.
    Carry(u32),
    /// The opponent has moved.
    Play {
        plies: usize,
        uci: String,
    },
    Press,
    /// The times are to be handed on.
    Clock,
    /// The clocks here go on, or stand.
    Run,
    Stand,
    /// The other record agrees with this one only so many half-moves (D.2.9).
    GoBack(usize),
    /// There: the own move, with an offer of a draw or without (9.1.2.1).
    Send {
        plies: usize,
        uci: String,
        offering: bool,
    },
    /// The opponent offers a draw.
    OfferHere,
    /// He has not taken it.
    DeclinedHere,
    /// There: the own offer; the own answer.
    OfferThere,
    DeclineThere,
    RefuseTakeback,
    /// What is asked of an opponent at home only is refused.
    DeclinesWish(Wish),
    /// There: the game has ended here by what the blind player did.
    Close(Close),
    End(End),
    /// Both tables have different games.
    Differs,
    /// It has ended at both.
    Over,
}

/// How the blind player has ended the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    /// He resigned before the server's game had begun.
    Abort,
    Resign,
    /// He has taken a draw.
    Agree,
    /// He has claimed one.
    Claim,
}

/// How the game has ended far away, in what the door takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The opponent's word: `resigns`, `accepts-draw`.
    Says(&'static str),
    Ends {
        result: &'static str,
        article: &'static str,
        status: Status,
    },
}

impl Todo {
    /// It is done far away.
    pub fn is_there(&self) -> bool {
        matches!(
            self,
            Todo::Send { .. }
                | Todo::OfferThere
                | Todo::DeclineThere
                | Todo::RefuseTakeback
                | Todo::Close(_)
        )
    }
}

impl Memory {
    /// Of a record with this number.
    pub fn of_record(record: u32) -> Memory {
        Memory { record, ..Memory::default() }
    }

    /// How both records stand to each other.
    pub fn standing(&self, table: &Table, far: &Far) -> Standing {
        let known = far.told > 0 && far.seen;
        let of_this = far.state.standing.knows == Some(self.record);
        let apart = matches!(judge(table, far, self), Todo::GoBack(_) | Todo::Differs);
        let knows = (far.told > 0).then_some(far.state.standing.record);
        Standing {
            record: self.record,
            knows,
            agrees: known && of_this && !apart && self.goes_back.is_none(),
        }
    }

    /// Both tables are looked at anew.
    pub fn observes(&mut self, table: &Table, far: &Far) {
        let (decided, moves) = (table.decided, table.line.uci());
        let goes_on = self
            .stood
            .take()
            .is_none_or(|(before, stood)| before == decided && moves.starts_with(&stood));
        if !goes_on {
            self.record = self.record.wrapping_add(1);
        }
        self.stood = Some((decided, moves));
        self.goes_back = self.goes_back.filter(|before| *before == decided);
        let step = |offer: &mut Offer, stands: bool| {
            if stands {
                *offer = Offer::Stands;
            }
        };
        step(&mut self.offer_here, table.offered == Some(!far.own));
        let open = table.offered == Some(far.own);
        step(&mut self.offer_there, far.state.offers(far.own) || (open && far.state.declined));
        // An offer that stands nowhere any more is forgotten: the next one is a new one.
        if !far.state.offers(!far.own) && table.offered != Some(!far.own) {
            self.offer_here = Offer::None;
        }
        if table.offered != Some(far.own) && !far.state.offers(far.own) {
            self.offer_there = Offer::None;
        }
        self.takeback &= far.state.takes_back(!far.own);
    }

    /// The opponent's offer was told here, and has not been seen to stand.
    pub fn is_offer_unseen(&self) -> bool {
        self.offer_here == Offer::Told
    }

    pub fn has_done(&mut self, todo: &Todo, far: &Far) {
        match todo {
            Todo::Clock => self.clock = far.told,
            Todo::OfferHere => self.offer_here = Offer::Told,
            Todo::OfferThere | Todo::Send { offering: true, .. } => {
                self.offer_there = Offer::Told;
            }
            Todo::RefuseTakeback => self.takeback = true,
            Todo::Close(_) => self.closed = true,
            Todo::GoBack(_) => self.goes_back = self.stood.as_ref().map(|(decided, _)| *decided),
            _ => {}
        }
    }
}

/// The next thing to do.
pub fn todo(table: &Table, far: &Far, memory: &Memory) -> Todo {
    if !far.seen {
        let runs = table.running.is_some() && table.ended.is_none();
        return if runs { Todo::Stand } else { Todo::Wait };
    }
    // What he told before he knew of this record says nothing about it; and while he sees that one
    // has to go back he does not go on.
    let standing = far.state.standing;
    let strange = far.clock != Clock::Server && standing.knows != Some(memory.record);
    let goes_on = far.clock == Clock::Server || standing.agrees || far.is_over();
    match judge(table, far, memory) {
        _ if strange || memory.goes_back.is_some() => Todo::Wait,
        Todo::Play { .. } if !goes_on => Todo::Wait,
        todo => todo,
    }
}

/// The same, if what is told there was told of this record.
fn judge(table: &Table, far: &Far, memory: &Memory) -> Todo {
    let seat = !far.own;
    // When the game is over nobody has a seat.
    let seated = table.seat.is_none_or(|at| at == seat);
    let Some(line) = far.line.as_ref().filter(|line| seated && line.start() == table.line.start())
    else {
        return differs(table, far, None);
    };
    let (here, there) = (table.line.uci(), line.uci());
    let common = here.iter().zip(&there).take_while(|(here, there)| here == there).count();
    // A server may have gone on by itself; at a table nobody moves twice.
    let further = far.clock != Clock::Server && there.len() > here.len() + 1;
    if common < here.len().min(there.len()) || here.len() > there.len() + 1 || further {
        return differs(table, far, Some(common));
    }
    if table.ended.is_some() {
        return after_the_end(table, far, memory, (&here, &there));
    }
    if there.len() > here.len() {
        return behind(table, far, memory, &there[here.len()]);
    }
    if table.press == Some(seat) {
        // Between the move and the press (9.1.2.1), as far as it is told with the move.
        let with_it = far.clock != Clock::Server && table.offered.is_none();
        return match offers(table, far, memory) {
            Some(Todo::OfferHere) if with_it => Todo::OfferHere,
            _ => Todo::Press,
        };
    }
    if far.is_over() {
        return Todo::End(ending(table, far));
    }
    if here.len() > there.len() {
        return ahead(table, far, memory, &here);
    }
    if let Some(ply) = table.owed.filter(|_| table.running == Some(seat)) {
        return Todo::Carry(ply);
    }
    if far.state.takes_back(seat) && !memory.takeback {
        return Todo::RefuseTakeback;
    }
    if let Some(wish) = table.wished {
        return Todo::DeclinesWish(wish);
    }
    if let Some(todo) = offers(table, far, memory) {
        return todo;
    }
    clocks(table, far, memory)
}

fn clocks(table: &Table, far: &Far, memory: &Memory) -> Todo {
    let stand = table.running.is_none();
    match far.clock {
        Clock::Here if stand => Todo::Run,
        Clock::Here => Todo::Wait,
        Clock::There if far.running().is_none() && !stand => Todo::Stand,
        Clock::There if far.running().is_none() => Todo::Wait,
        Clock::There | Clock::Server if stand || memory.clock != far.told => Todo::Clock,
        Clock::There | Clock::Server => Todo::Wait,
    }
}

/// Whatever stands here: a game that has ended there has ended. Of two players' records neither
/// counts for more: the game goes back to what both have, so many half-moves.
fn differs(table: &Table, far: &Far, common: Option<usize>) -> Todo {
    match (table.ended.is_some(), far.is_over(), common) {
        (true, true, _) => Todo::Over,
        (false, true, _) => Todo::End(ending(table, far)),
        (false, false, Some(common))
            if far.clock != Clock::Server && table.line.moves().len() > common =>
        {
            Todo::GoBack(common)
        }
        _ => Todo::Differs,
    }
}

/// A move was made there that is not made here.
fn behind(table: &Table, far: &Far, memory: &Memory, uci: &str) -> Todo {
    let seat = !far.own;
    let made = table.line.moves().len();
    if table.line.turn() != seat {
        // Somebody else moves for him, on another page; or his record was cut.
        return differs(table, far, Some(made));
    }
    match (table.running, table.owed) {
        _ if far.state.open => clocks(table, far, memory),
        (Some(running), Some(ply)) if running == seat => Todo::Carry(ply),
        (Some(running), None) if running == seat => Todo::Play { plies: made, uci: uci.to_owned() },
        (None, _) => clocks(table, far, memory),
        // He has not pressed yet.
        _ => Todo::Wait,
    }
}

/// A move was made here that is not made there.
fn ahead(table: &Table, far: &Far, memory: &Memory, here: &[String]) -> Todo {
    let seat = !far.own;
    if table.line.turn() != seat {
        // The opponent's, and there it is taken back, or lost.
        return differs(table, far, Some(here.len().saturating_sub(1)));
    }
    match table.running {
        Some(running) if running == far.own => Todo::Wait,
        // Whether his clock was pressed shows when it runs.
        None if far.clock != Clock::Server => clocks(table, far, memory),
        // Pressed; or the clocks stand here, and there they do not.
        _ => {
            let offers = table.offered == Some(far.own) && memory.offer_there == Offer::None;
            send(here, offers)
        }
    }
}

fn send(here: &[String], offering: bool) -> Todo {
    let uci = here.last().cloned().unwrap_or_default();
    Todo::Send { plies: here.len().saturating_sub(1), uci, offering }
}

fn offers(table: &Table, far: &Far, memory: &Memory) -> Option<Todo> {
    let seat = !far.own;
    let stands_here = table.offered == Some(seat);
    match (memory.offer_here, far.state.offers(seat), stands_here) {
        (Offer::None, true, false) => return Some(Todo::OfferHere),
        // Told, and not there any more before it was seen: he has declined at once.
        (Offer::Told | Offer::Stands, true, false) => return Some(Todo::DeclineThere),
        _ => {}
    }
    match (memory.offer_there, table.offered == Some(far.own), far.state.offers(far.own)) {
        (Offer::None, true, false) => Some(Todo::OfferThere),
        (Offer::Stands, true, false) => Some(Todo::DeclinedHere),
        _ => None,
    }
}

fn after_the_end(
    table: &Table,
    far: &Far,
    memory: &Memory,
    (here, there): (&[String], &[String]),
) -> Todo {
    if far.is_over() {
        return Todo::Over;
    }
    let own_last = table.line.turn() != far.own;
    if here.len() > there.len() && own_last {
        return send(here, false);
    }
    if memory.closed {
        return Todo::Wait;
    }
    let Some(ended) = &table.ended else { return Todo::Wait };
    let lost = far.own.fold_wb("0-1", "1-0") == ended.result;
    let article = ended.article.as_str();
    match article {
        "5.1.2" if lost && there.len() < 2 => Todo::Close(Close::Abort),
        "5.1.2" if lost => Todo::Close(Close::Resign),
        "5.2.3" | "9.1" => Todo::Close(Close::Agree),
        _ if article.starts_with("9.") => Todo::Close(Close::Claim),
        // Mate and stalemate are the same there.
        _ => Todo::Wait,
    }
}

/// How the game that has ended there ends here.
fn ending(table: &Table, far: &Far) -> End {
    let own = far.own;
    let winner = far.state.winner;
    let won = |color: Color| color.fold_wb("1-0", "0-1");
    let drawn_by = || {
        let position = table.line.position();
        match () {
            () if table.line.times() >= 3 => "9.2",
            () if position.halfmoves() >= 100 => "9.3",
            () => "9.1",
        }
    };
    let (result, article) = match (&far.state.status, winner) {
        (Status::Resigned, Some(winner)) if winner == own => return End::Says("resigns"),
        (Status::Draw | Status::Agreed, _) if table.offered == Some(own) => {
            return End::Says("accepts-draw");
        }
        (Status::Agreed, _) => ("1/2-1/2", "5.2.3"),
        (Status::Resigned | Status::Left, Some(winner)) => (won(winner), "5.1.2"),
        (Status::OutOfTime, Some(winner)) => (won(winner), "6.9"),
        (Status::OutOfTime, None) => ("1/2-1/2", "6.9"),
        (Status::Mate, Some(winner)) => (won(winner), "5.1.1"),
        (Status::Stalemate, _) => ("1/2-1/2", "5.2.1"),
        (Status::Material, _) => ("1/2-1/2", "5.2.2"),
        (Status::Draw | Status::Left, None) => ("1/2-1/2", drawn_by()),
        (Status::Cheat, Some(winner)) => (won(winner), "11.3"),
        (Status::Aborted, Some(winner)) => (won(winner), "6.7"),
        (_, Some(winner)) => (won(winner), "5.1.2"),
        (_, None) => ("*", "6.7"),
    };
    End::Ends { result, article, status: far.state.status.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn moves(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    /// The blind player has White, and this clock runs.
    fn table(line: &str, running: Option<&str>) -> Table {
        let game = serde_json::json!({ "game": {
            "white": "", "black": "", "prompts": "de", "seat": "black", "start": START, "moves": moves(line),
            "played": null, "press": null, "offered": null, "white_ms": 1, "black_ms": 1, "running": running,
            "result": null,
        } });
        Table::read(&game.to_string()).expect("a line").expect("a game")
    }

    fn far(clock: Clock, line: &str) -> Far {
        let mut far = Far::at_table(Color::White, START, clock);
        let running = Some(Color::White);
        let standing = Standing { record: 9, knows: Some(0), agrees: true };
        far.changes(State { moves: moves(line), running, standing, ..State::default() });
        far
    }

    #[test]
    fn of_two_records_that_differ_the_longer_goes_back_and_the_shorter_waits() {
        for (here, there, wanted) in [
            ("e2e4 e7e5", "e2e4 e7e5 g1f3 b8c6", Todo::Differs),
            ("e2e4 e7e5 g1f3 b8c6", "e2e4 e7e5", Todo::GoBack(2)),
            ("e2e4 e7e5", "d2d4", Todo::GoBack(0)),
            ("e2e4", "e2e4 e7e5 g1f3", Todo::Differs),
            // The own move is there and no more here; the opponent's is here and no more there.
            ("e2e4 e7e5", "e2e4 e7e5 g1f3", Todo::Differs),
            ("e2e4 e7e5", "e2e4", Todo::GoBack(1)),
        ] {
            for clock in [Clock::Here, Clock::There] {
                let todo =
                    todo(&table(here, Some("white")), &far(clock, there), &Memory::default());
                assert_eq!(todo, wanted, "{here} / {there}");
            }
            let mut server = Far::at_server(Color::White, START, State::default());
            server.changes(State { moves: moves(there), ..State::default() });
            let todo = todo(&table(here, Some("white")), &server, &Memory::default());
            assert!(!matches!(todo, Todo::GoBack(_)), "nothing is taken back at a server");
        }
    }

    #[test]
    fn what_was_told_of_another_record_or_by_who_must_go_back_is_not_played() {
        let here = table("e2e4", Some("black"));
        let mut memory = Memory::of_record(3);
        let mut there = far(Clock::Here, "e2e4 e7e5");
        let told = |knows, agrees| Standing { record: 9, knows, agrees };
        let play = Todo::Play { plies: 1, uci: "e7e5".to_owned() };
        for (standing, wanted) in [
            (told(None, true), &Todo::Wait),
            (told(Some(2), true), &Todo::Wait),
            (told(Some(3), false), &Todo::Wait),
            (told(Some(3), true), &play),
        ] {
            there.state.standing = standing;
            memory.observes(&here, &there);
            assert_eq!(&todo(&here, &there, &memory), wanted, "{standing:?}");
        }
        // It goes back. Until that is seen nothing is agreed upon; then what he tells is of the
        // record before.
        there.state.standing = told(Some(3), true);
        memory.has_done(&Todo::GoBack(0), &there);
        assert_eq!(todo(&here, &there, &memory), Todo::Wait);
        assert!(!memory.standing(&here, &there).agrees);
        memory.observes(&Table { decided: 1, ..table("", Some("white")) }, &there);
        let anew = Table { decided: 1, ..table("d2d4", Some("black")) };
        memory.observes(&anew, &there);
        assert_eq!(todo(&anew, &there, &memory), Todo::Wait);
        there.state.standing = told(Some(4), true);
        assert!(memory.standing(&anew, &there).knows == Some(9));
        assert!(matches!(todo(&anew, &there, &memory), Todo::GoBack(0)), "d2d4 is not e2e4");
    }

    #[test]
    fn clocks_stand_while_the_other_table_is_not_seen_and_run_where_they_count() {
        let mut far = far(Clock::Here, "");
        let memory = Memory::default();
        assert_eq!(todo(&table("", None), &far, &memory), Todo::Run);
        assert_eq!(todo(&table("", Some("white")), &far, &memory), Todo::Wait);
        far.is_lost();
        assert_eq!(todo(&table("", Some("white")), &far, &memory), Todo::Stand);
        assert_eq!(todo(&table("", None), &far, &memory), Todo::Wait);
        // After a restart nobody knows whether the last move was completed: the clock shows it.
        let far = self::far(Clock::Here, "");
        assert_eq!(todo(&table("e2e4", None), &far, &memory), Todo::Run);
        assert_eq!(todo(&table("e2e4", Some("white")), &far, &memory), Todo::Wait);
        assert!(matches!(todo(&table("e2e4", Some("black")), &far, &memory), Todo::Send { .. }));
        // A server's table is seen whatever its line does.
        let mut server = Far::at_server(Color::White, START, State::default());
        server.is_lost();
        assert_eq!(todo(&table("", Some("white")), &server, &memory), Todo::Clock);
    }
}
