//! The partner at the table: he looks, thinks, moves, presses, answers.

use std::{collections::BTreeSet, io, path::PathBuf, time::Duration};

use rand_chacha::ChaCha8Rng;
use shakmaty::{Color, Position as _, uci::UciMove};
use tokio::{
    sync::mpsc,
    time::{Instant, sleep, sleep_until},
};

use crate::{
    door::{Door, DoorError, Lines},
    home::{Chosen, Files, HomeError},
    judge::{Claim, Judge, Word},
    judged,
    level::Level,
    line::Line,
    openings,
    pace::Pace,
    puzzle::{self, Puzzle},
    score,
    table::{Table, Wish},
    thinker::{Choice, Thinker},
    words::Remark,
};

/// The pause before a lost table is looked for again: at first, and at most.
const PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// What was refused is looked at anew after this time.
const AGAIN: Duration = Duration::from_millis(200);
/// After so many refusals of one thing the table is asked for anew.
const REFUSALS: u32 = 5;

/// How a partner plays.
#[derive(Clone, Debug)]
pub struct Manner {
    pub pace: Pace,
    /// Where finished games are kept; `None`: nowhere.
    pub score: Option<PathBuf>,
    /// Plays openings that people play.
    pub openings: bool,
    /// The opponents that the player may choose from.
    pub opponents: Vec<Opponent>,
    /// He puts this puzzle, and plays what its solution has for his side.
    pub puzzle: Option<Puzzle>,
    /// Where his choice is kept for tomorrow; `None`: nowhere.
    pub home: Option<Home>,
}

/// Somebody whom this partner can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opponent {
    /// As the service writes him into the record.
    pub name: String,
    pub level: Level,
}

/// What was chosen, and its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    pub files: Files,
    pub chosen: Chosen,
}

impl Home {
    /// A game begins, as the player wanted it.
    fn note(&mut self, table: &Table, own: Color, level: Level) -> Result<(), HomeError> {
        let before = self.chosen.clone();
        self.chosen.level = level;
        self.chosen.colour = !own;
        if !table.time_control.is_empty() {
            self.chosen.time = table.time_control.clone();
        }
        if self.chosen == before { Ok(()) } else { self.files.remember(&self.chosen) }
    }
}

/// Somebody who plays for the sighted player.
#[derive(Debug)]
pub struct Partner {
    door: Door,
    thinker: Thinker,
    said: mpsc::UnboundedReceiver<Remark>,
    manner: Manner,
    rng: ChaCha8Rng,
    judge: Judge,
    /// What he has said of his engine on this half-move.
    remarked: (usize, BTreeSet<Remark>),
    /// A draw that was claimed in vain after so many half-moves is not claimed again there.
    claimed: Option<usize>,
    /// He offers a draw with the move that makes so many half-moves.
    offers: Option<usize>,
    /// A game is going on.
    sits: bool,
    /// Games that have ended while he sat there.
    played: u32,
    tell: fn(&str),
}

/// What is to be done at a table.
#[derive(Clone, Debug, PartialEq)]
enum Todo {
    /// Nothing but to wait.
    Wait,
    /// The blind player goes through the finished game, and has come to this half-move of it.
    Comment(Box<Line>, u32),
    /// He is asked for a move back, a hint or a judgement.
    Grant(Box<Line>, Wish),
    /// The opponent's offer is to be answered.
    Answer(Box<Line>, Color),
    /// His move is to be carried out on the own board.
    Carry(u32),
    /// It is his turn.
    Move(Box<Line>),
    /// His move is made, his clock is to be pressed.
    Press(usize),
    /// The opponent's time is over.
    Flag(usize),
}

fn todo(table: &Table) -> Todo {
    if table.ended.is_some() {
        return match table
            .looked
            .and_then(|looked| table.line.until(looked).zip(u32::try_from(looked).ok()))
        {
            Some((line, ply)) if ply > 0 => Todo::Comment(Box::new(line), ply),
            _ => Todo::Wait,
        };
    }
    let Some(own) = table.seat else { return Todo::Wait };
    let plies = table.line.moves().len();
    if let Some(wish) = table.wished {
        return Todo::Grant(Box::new(table.line.clone()), wish);
    }
    if table.offered == Some(!own) {
        return Todo::Answer(Box::new(table.line.clone()), own);
    }
    if table.press == Some(own) {
        return Todo::Press(plies);
    }
    if table.left_ms(!own) == 0 {
        return Todo::Flag(plies);
    }
    match (table.running == Some(own), table.owed) {
        (true, Some(ply)) => Todo::Carry(ply),
        (true, None) if table.line.turn() == own => Todo::Move(Box::new(table.line.clone())),
        _ => Todo::Wait,
    }
}

impl Partner {
    /// `tell` gets a line about what goes wrong and what ends.
    pub fn new(
        door: Door,
        (thinker, said): (Thinker, mpsc::UnboundedReceiver<Remark>),
        manner: Manner,
        rng: ChaCha8Rng,
        tell: fn(&str),
    ) -> Partner {
        Partner {
            door,
            thinker,
            said,
            manner,
            rng,
            judge: Judge::default(),
            remarked: (0, BTreeSet::new()),
            claimed: None,
            offers: None,
            sits: false,
            played: 0,
            tell,
        }
    }

    /// He gets up; his engine ends.
    pub async fn leaves(&mut self) {
        self.thinker.stop().await;
    }

    /// Plays every game at this table, until so many have ended; without a number for ever. May be
    /// dropped.
    ///
    /// # Errors
    /// [`DoorError`]: no program may play there, or its code is not good.
    pub async fn plays(&mut self, games: Option<u32>) -> Result<(), DoorError> {
        let mut pause = PAUSE;
        let mut away = false;
        loop {
            match self.door.look().await {
                Ok(lines) => {
                    pause = PAUSE;
                    away = false;
                    match self.sits(lines, games).await {
                        Ok(()) => return Ok(()),
                        Err(err) if err.may_pass() => {}
                        Err(err) => return Err(err),
                    }
                }
                Err(err) if err.may_pass() => {
                    // It is told once, and not of a service that is about to begin.
                    if !away && pause >= LONGEST_PAUSE {
                        away = true;
                        (self.tell)(&err.to_string());
                    }
                }
                Err(err) => return Err(err),
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Plays at a table until it is lost.
    async fn sits(&mut self, mut lines: Lines, games: Option<u32>) -> Result<(), DoorError> {
        let mut refusals = 0;
        let mut table = lines.next().await?;
        loop {
            let Some(now) = table.clone() else {
                table = lines.next().await?;
                continue;
            };
            match (self.sits, now.ended.is_some()) {
                (false, false) => {
                    self.begins(&now);
                    self.puts_puzzle(&now).await?;
                }
                (true, true) => {
                    self.ends(&now);
                    if games.is_some_and(|games| self.played >= games) {
                        return Ok(());
                    }
                }
                _ => {}
            }
            let work = todo(&now);
            if work == Todo::Wait {
                table = lines.next().await?;
                continue;
            }
            let done = {
                let carried_out = self.does(&work, &now);
                tokio::pin!(carried_out);
                loop {
                    tokio::select! {
                        biased;
                        news = lines.next() => {
                            table = news?;
                            if table.as_ref().map(todo).as_ref() != Some(&work) {
                                break None;
                            }
                        }
                        done = &mut carried_out => break Some(done),
                    }
                }
            };
            match done {
                None => refusals = 0,
                Some(Ok(())) => {
                    refusals = 0;
                    // The table tells what came of it.
                    while table.as_ref().map(todo).as_ref() == Some(&work) {
                        table = lines.next().await?;
                    }
                }
                Some(Err(DoorError::Refused(_))) if refusals < REFUSALS => {
                    refusals += 1;
                    tokio::select! {
                        news = lines.next() => table = news?,
                        () = sleep(AGAIN) => {}
                    }
                }
                Some(Err(err)) => return Err(err),
            }
        }
    }

    /// A game begins, or one goes on: its own side's name says at which level.
    fn begins(&mut self, table: &Table) {
        self.sits = true;
        self.forgets();
        let mut level = self.thinker.level();
        if let Some(own) = table.seat {
            let name = own.fold_wb(&table.names[0], &table.names[1]);
            let named = self.manner.opponents.iter().find(|opponent| opponent.name == *name);
            level = named.map_or(level, |opponent| opponent.level);
            let noted = self.manner.home.as_mut().map(|home| home.note(table, own, level));
            if let Some(Err(err)) = noted {
                (self.tell)(&err.to_string());
            }
        }
        self.thinker.begin(level);
    }

    /// What he thought of this game counts no more.
    fn forgets(&mut self) {
        self.judge = Judge::default();
        self.remarked = (0, BTreeSet::new());
        self.claimed = None;
        self.offers = None;
    }

    /// A game has ended at which he sat.
    fn ends(&mut self, table: &Table) {
        self.sits = false;
        self.played += 1;
        if let Some(file) = self.manner.score.clone() {
            let kept: io::Result<()> = score::keep(&file, table);
            if let Err(err) = kept {
                (self.tell)(&format!("cannot write {}: {err}", file.display()));
            }
        }
    }

    async fn does(&mut self, work: &Todo, table: &Table) -> Result<(), DoorError> {
        match work {
            Todo::Wait => Ok(()),
            Todo::Comment(line, ply) => self.comments(line, *ply, table).await,
            Todo::Grant(line, wish) => self.grants(line, *wish, table).await,
            Todo::Answer(line, own) => {
                let judgement = self.thinker.judges(line).await;
                let word = match Judge::takes(line, judgement, *own) {
                    true => "accepts-draw",
                    false => "declines-draw",
                };
                self.says(*own, word, &[("sure", "yes")]).await
            }
            Todo::Carry(ply) => {
                let own = seat(table);
                let (seat, ply) = (named(own), ply.to_string());
                self.door.act(&[("act", "played"), ("seat", seat), ("ply", &ply)]).await
            }
            Todo::Press(plies) => {
                if self.offers.take_if(|at| at == plies).is_some() {
                    // With his move, and before the clock is pressed (9.1.2.1). What is refused was
                    // no offer.
                    match self.says(seat(table), "offers-draw", &[("sure", "yes")]).await {
                        Err(DoorError::Refused(_)) | Ok(()) => {}
                        Err(err) => return Err(err),
                    }
                }
                self.door.act(&[("act", "press"), ("seat", named(seat(table)))]).await
            }
            Todo::Flag(_) => self.says(seat(table), "claims-flag", &[("sure", "yes")]).await,
            Todo::Move(line) => self.moves(line, table).await,
        }
    }

    async fn says(
        &mut self,
        own: Color,
        word: &str,
        more: &[(&str, &str)],
    ) -> Result<(), DoorError> {
        let mut fields = vec![("act", "says"), ("seat", named(own)), ("word", word)];
        fields.extend(more);
        self.door.act(&fields).await
    }

    /// At home a player takes back what he likes, and hears the engine's whole strength if he asks
    /// for it.
    async fn grants(&mut self, line: &Line, wish: Wish, table: &Table) -> Result<(), DoorError> {
        let own = seat(table);
        if wish == Wish::TakeBack {
            self.forgets();
            return self.says(own, "grants-take-back", &[]).await;
        }
        let solves = self
            .manner
            .puzzle
            .as_ref()
            .and_then(|puzzle| puzzle.next(&line.uci()).map(str::to_owned));
        if let (Wish::Hint, Some(uci)) = (wish, solves) {
            return self.says(own, "advises", &[("move", &uci)]).await;
        }
        let advice = self.thinker.advises(line).await;
        if let (Wish::Hint, Some(Choice { mv, .. })) = (wish, advice) {
            let uci = UciMove::from_standard(mv).to_string();
            return self.says(own, "advises", &[("move", &uci)]).await;
        }
        // The judgement is for the side to move.
        let judgement = advice.and_then(|advice| advice.judgement);
        let judgement = judgement.map(|of| if line.turn() == own { of.turned() } else { of });
        let text = judged::stands(&table.prompts, judgement);
        self.says(own, "answers", &[("text", &text)]).await
    }

    /// Says how the pieces of a puzzle stand, before its first move.
    async fn puts_puzzle(&mut self, table: &Table) -> Result<(), DoorError> {
        if self.manner.puzzle.is_none() || !table.line.moves().is_empty() {
            return Ok(());
        }
        for text in puzzle::told(table.line.position(), &table.prompts) {
            match self.door.act(&[("act", "says"), ("word", "remarks"), ("text", &text)]).await {
                // It is asked for square by square all the same.
                Err(DoorError::Refused(_)) | Ok(()) => {}
                Err(err) => return Err(err),
            }
        }
        Ok(())
    }

    /// The solution's reply, or what there is to say of the player's move.
    async fn replies(
        &mut self,
        puzzle: &Puzzle,
        line: &Line,
        table: &Table,
    ) -> Result<(), DoorError> {
        let own = seat(table);
        let played = line.uci();
        if let Some(uci) = puzzle.next(&played) {
            let made = played.len().to_string();
            return self.door.act(&[("act", "move"), ("plies", &made), ("move", uci)]).await;
        }
        let solved = puzzle.is_solved(&played);
        let remark = if solved { Remark::Solved } else { Remark::NoSolution };
        let text = remark.text(&table.prompts);
        self.door.act(&[("act", "says"), ("word", "remarks"), ("text", text)]).await?;
        if solved { self.says(own, "resigns", &[("sure", "yes")]).await } else { Ok(()) }
    }

    /// Names a better move than the last of this line, where it was a bad one.
    async fn comments(&mut self, line: &Line, ply: u32, table: &Table) -> Result<(), DoorError> {
        let Some((before, made)) = line.before_last() else { return Ok(()) };
        let Some(best) = self.thinker.advises(&before).await else { return Ok(()) };
        let after = match line.position().is_game_over() {
            true => None,
            false => self.thinker.advises(line).await.and_then(|advice| advice.judgement),
        };
        if best.mv == made || !Judge::is_worse(best.judgement, after) {
            return Ok(());
        }
        let (ply, uci) = (ply.to_string(), UciMove::from_standard(best.mv).to_string());
        let said = self.says(seat(table), "comments", &[("ply", &ply), ("move", &uci)]).await;
        match said {
            // He has gone on meanwhile.
            Err(DoorError::Refused(_)) => Ok(()),
            said => said,
        }
    }

    /// Thinks, and then moves: with a claim, an offer, or not at all, if he resigns.
    async fn moves(&mut self, line: &Line, table: &Table) -> Result<(), DoorError> {
        let own = seat(table);
        let plies = line.moves().len();
        if line.position().legal_moves().is_empty() {
            return Ok(());
        }
        if let Some(puzzle) = self.manner.puzzle.clone() {
            return self.replies(&puzzle, line, table).await;
        }
        let level = self.thinker.level();
        let known = match self.manner.openings {
            true => openings::known(line, level, &mut self.rng),
            false => None,
        };
        let time =
            self.manner.pace.thinks(line, table.left_ms(own), known.is_some(), &mut self.rng);
        let moment = Instant::now() + time;
        let Choice { mv, judgement } = match known {
            Some(mv) => Choice { mv, judgement: None },
            None => self.thinks(line, time, &table.prompts).await,
        };
        if self.manner.pace == Pace::Life {
            sleep_until(moment).await;
        }
        let uci = UciMove::from_standard(mv).to_string();
        let claim = Judge::claims(line, mv, judgement).filter(|_| self.claimed != Some(plies));
        if let Some(claim) = claim {
            self.claimed = Some(plies);
            return self.claims(own, claim, &uci).await;
        }
        let word = self.judge.says(line, judgement, level);
        if word == Word::Resigns {
            return self.says(own, "resigns", &[("sure", "yes")]).await;
        }
        if word == Word::OffersDraw && !line.after(mv).position().is_game_over() {
            self.offers = Some(plies + 1);
        }
        let made = plies.to_string();
        self.door.act(&[("act", "move"), ("plies", &made), ("move", &uci)]).await
    }

    /// His engine thinks; what goes wrong with it is said meanwhile.
    async fn thinks(&mut self, line: &Line, time: Duration, language: &str) -> Choice {
        let plies = line.moves().len();
        if self.remarked.0 != plies {
            self.remarked = (plies, BTreeSet::new());
        }
        let Partner { thinker, said, door, remarked, .. } = self;
        let chosen = thinker.chooses(line, time);
        tokio::pin!(chosen);
        loop {
            tokio::select! {
                biased;
                remark = said.recv() => {
                    // Once on each move is enough.
                    if let Some(remark) = remark && remarked.1.insert(remark) {
                        let text = remark.text(language);
                        // Where the table is lost, that is found out by whoever looks at it.
                        let _ = door.act(&[("act", "says"), ("word", "remarks"), ("text", text)]).await;
                    }
                }
                choice = &mut chosen => return choice,
            }
        }
    }

    async fn claims(&mut self, own: Color, claim: Claim, uci: &str) -> Result<(), DoorError> {
        let (by, with_move) = match claim {
            Claim::Repetition { with_move } => ("repetition", with_move),
            Claim::Fifty { with_move } => ("fifty", with_move),
        };
        let intended = if with_move { uci } else { "" };
        let more = [("by", by), ("move", intended), ("sure", "yes")];
        self.says(own, "claims-draw", &more).await
    }
}

/// The sighted player's colour: who has work has a seat.
fn seat(table: &Table) -> Color {
    table.seat.unwrap_or(Color::Black)
}

pub(crate) fn named(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}
