//! Each case in turn: the boards drift apart, somebody notices, the arbiter settles it on the page,
//! and play goes on.

use std::{cell::RefCell, time::Duration};

use serde_json::json;
use shakmaty::{Color, Position};

use super::{
    super::screen::Screen,
    arbiter::{self, Arbiter},
    room::{Hall, Seen},
};
use annabella::cli::Failure;
use annabella_core::{
    game::{Boards, write_fen},
    laws::Article,
};

/// How the boards or the scores are made to differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// The sighted player's board shows another move than the one that was made.
    Move,
    /// A piece stands elsewhere on the sighted player's board.
    Moved,
    /// Pieces are gone from it.
    Missing,
    Added,
    Exchanged,
    /// A peg stands elsewhere on the blind player's board.
    PegMoved,
    PegMissing,
    PegAdded,
    PegsExchanged,
    Both,
    /// The scores differ at a half-move.
    Differ,
    /// An entry is what the sighted player believes to have heard.
    Misheard,
    Swapped,
    /// An entry is illegal.
    Illegal,
    Ambiguous,
    /// An entry cannot be read.
    Unreadable,
    /// The last entry is missing.
    LastEntry,
    /// More entries are missing than may be.
    TooFew,
    /// There is an entry for a move that nobody has made.
    Ahead,
    /// The arbiter decides otherwise than proposed.
    Otherwise,
    /// Not even the first entries agree.
    NothingAgrees,
}

const CASES: [(Wrong, &str); 21] = [
    (Wrong::Move, "a wrong move on the sighted player's board"),
    (Wrong::Moved, "a piece moved on the sighted player's board"),
    (Wrong::Missing, "pieces missing on the sighted player's board"),
    (Wrong::Added, "a piece added on the sighted player's board"),
    (Wrong::Exchanged, "two pieces exchanged on the sighted player's board"),
    (Wrong::PegMoved, "a peg moved on the blind player's board"),
    (Wrong::PegMissing, "pegs missing on the blind player's board"),
    (Wrong::PegAdded, "a peg added on the blind player's board"),
    (Wrong::PegsExchanged, "two pegs exchanged on the blind player's board"),
    (Wrong::Both, "both boards wrong"),
    (Wrong::Differ, "scores that differ"),
    (Wrong::Misheard, "a misheard entry"),
    (Wrong::Swapped, "two entries exchanged"),
    (Wrong::Illegal, "an illegal entry"),
    (Wrong::Ambiguous, "an ambiguous entry"),
    (Wrong::Unreadable, "an unreadable entry"),
    (Wrong::LastEntry, "a missing last entry"),
    (Wrong::TooFew, "more entries missing than 8.1.3 allows"),
    (Wrong::Ahead, "an entry for a move that nobody has made"),
    (Wrong::Otherwise, "the arbiter decides otherwise"),
    (Wrong::NothingAgrees, "scores that do not agree on any move"),
];

/// How long nothing is to be noticed where there is nothing to notice.
const QUIET: Duration = Duration::from_millis(300);

/// The arbiter's decision.
struct Ruled {
    ply: usize,
    clocks: Option<(u64, u64)>,
}

impl Hall {
    /// Goes through all of them; whether all ended as they should, and the report's page.
    pub(super) async fn cases(
        &mut self,
        line: &str,
        screen: &RefCell<&mut Screen<'_>>,
    ) -> Result<(bool, String), Failure> {
        let mut arbiter = arbiter::pair(line).await.map_err(Failure::Device)?;
        self.begin().await.map_err(Failure::Device)?;
        let mut right = true;
        for (number, (wrong, name)) in (1..).zip(CASES) {
            screen.borrow_mut().say(&format!("Case {number}: {name}"))?;
            let mut told = Vec::new();
            let ended = self.case(wrong, &mut arbiter, &mut told).await;
            for line in &told {
                screen.borrow_mut().say(&format!("  {line}"))?;
            }
            let case =
                json!({ "number": number, "name": name, "told": told, "right": ended.is_ok() });
            screen.borrow_mut().json_line(&json!({ "case": case }))?;
            match ended {
                Ok(()) => screen.borrow_mut().say("  as it should be; play goes on")?,
                Err(problem) => {
                    screen.borrow_mut().say(&format!("FAILED: {name}: {problem}"))?;
                    right = false;
                    break;
                }
            }
        }
        let html = arbiter.get("/report").await.map_err(Failure::Device)?;
        Ok((right, html))
    }

    /// Plays on to where this can go wrong.
    async fn play_up_to(&mut self, wrong: Wrong) -> Result<(), String> {
        // One player's board goes astray while the other player is to move.
        let on_move = if pegs(wrong) { !self.blind } else { self.blind };
        let least = if self.line.is_empty() { 4 } else { 1 };
        for n in 0.. {
            let ready = n >= least && self.position().turn() == on_move;
            if ready && (wrong != Wrong::Ambiguous || self.ambiguous().is_some()) {
                break;
            }
            self.ply(true).await?;
        }
        Ok(())
    }

    async fn case(
        &mut self,
        wrong: Wrong,
        arbiter: &mut Arbiter,
        told: &mut Vec<String>,
    ) -> Result<(), String> {
        self.play_up_to(wrong).await?;
        self.seen.forget();
        let drifted = self.drift(wrong, arbiter).await?;
        told.push(format!("done: {}", drifted.text));
        match wrong {
            Wrong::LastEntry => return self.unwritten(arbiter, told).await,
            Wrong::Ahead => return self.written_ahead(arbiter, told).await,
            Wrong::PegsExchanged => self.says_so(told).await?,
            _ => {}
        }
        self.noticed(pegs(wrong), told).await?;
        let page = arbiter.get("/arbiter").await?;
        let verdict = arbiter::verdict(&page).ok_or("the arbiter's page offers no decision")?;
        told.push(format!("verdict: {verdict}"));
        if wrong == Wrong::PegsExchanged {
            self.inspected(&verdict, told).await?;
        }
        self.seen.said.clear();
        let before = self.seen.clock.unwrap_or_default();
        let ruled = match wrong {
            Wrong::Otherwise => self.otherwise(arbiter, told).await?,
            _ => self.as_proposed(drifted.back_to, &page, arbiter, told).await?,
        };
        self.settled(&ruled, before, told).await?;
        self.correct(told).await?;
        if wrong == Wrong::Move {
            // His board never showed the move, so it still has to be written (8.1.3).
            self.write_last(arbiter, told).await?;
        }
        let reply = arbiter.acts("/act", &[("act", "start-clocks"), ("reason", "")]).await?;
        if !reply.contains("Done.") {
            return Err("the arbiter's page did not start the clocks".to_owned());
        }
        self.ply(true).await
    }

    /// The service makes it known by itself: to the arbiter, or first in the ear of the player
    /// whose pegs are astray.
    async fn noticed(&mut self, pegs: bool, told: &mut Vec<String>) -> Result<(), String> {
        let noticed = self
            .until(|seen| {
                seen.problems.iter().any(|problem| problem.0 == Article::D_2_9)
                    || (pegs && seen.boards == Some(Boards::Differ) && !seen.said.is_empty())
            })
            .await;
        for (article, text) in &self.seen.problems {
            told.push(format!("noticed: {article}: {text}"));
        }
        for said in &self.seen.said {
            told.push(format!("said: {said}"));
        }
        if noticed { Ok(()) } else { Err("the service has not noticed it".to_owned()) }
    }

    /// No sensor sees it. The blind player feels it and reports it.
    async fn says_so(&mut self, told: &mut Vec<String>) -> Result<(), String> {
        let noticed = self
            .until_for(QUIET, |seen| {
                !seen.problems.is_empty() || seen.boards == Some(Boards::Differ)
            })
            .await;
        if noticed {
            return Err(format!("reeds saw what none can see: {:?}", self.seen.problems));
        }
        let text = self.compare.clone();
        told.push(format!("{} says: {text}", self.blind));
        self.says(&text).await;
        Ok(())
    }

    /// Both boards are compared by hand, and the pegs exchanged back.
    async fn inspected(&mut self, verdict: &str, told: &mut Vec<String>) -> Result<(), String> {
        if !verdict.contains("Compare the boards by hand.") {
            return Err("the arbiter is not asked to compare by hand".to_owned());
        }
        let (king, other) = self.two_pieces(self.blind)?;
        self.exchange_pegs(king, other).await;
        told.push(format!("compared by hand: the pegs of {king} and {other} are exchanged back"));
        Ok(())
    }

    /// The arbiter types another position and other times than proposed.
    async fn otherwise(
        &self,
        arbiter: &mut Arbiter,
        told: &mut Vec<String>,
    ) -> Result<Ruled, String> {
        let ply = self.line.len() - 1;
        let number = ply.to_string();
        let reason = "both players agree that the last move was not completed";
        told.push(format!("the arbiter: back to half-move {ply}, because {reason}"));
        let form = [
            ("act", "settle-otherwise"),
            ("score", ""),
            ("ply", &number),
            ("clocks", "other"),
            ("white", "1:20:00"),
            ("black", "1:10:00"),
            ("reason", reason),
        ];
        taken(&arbiter.acts("/act", &form).await?)?;
        Ok(Ruled { ply, clocks: Some((4_800_000, 4_200_000)) })
    }

    /// The arbiter confirms: with the clocks of the journal where the game goes back, else as they
    /// are.
    async fn as_proposed(
        &self,
        back_to: Option<usize>,
        page: &str,
        arbiter: &mut Arbiter,
        told: &mut Vec<String>,
    ) -> Result<Ruled, String> {
        let ply = back_to.unwrap_or(self.line.len());
        let (reason, clocks) = match back_to {
            Some(_) => ("the scores differ there", "0"),
            None => ("the scores agree", "now"),
        };
        told.push(format!("the arbiter: as proposed, after half-move {ply}, because {reason}"));
        let mark = arbiter::hidden(page, "mark").ok_or("the page has no decision to confirm")?;
        let form = [("act", "settle"), ("mark", &mark), ("clocks", clocks), ("reason", reason)];
        taken(&arbiter.acts("/act", &form).await?)?;
        Ok(Ruled { ply, clocks: back_to.and_then(|ply| self.completed.get(ply).copied()) })
    }

    /// The game stands as it was ruled.
    async fn settled(
        &mut self,
        ruled: &Ruled,
        before: (u64, u64),
        told: &mut Vec<String>,
    ) -> Result<(), String> {
        if !self.until(|seen| seen.settled.is_some()).await {
            return Err("nothing was settled".to_owned());
        }
        let settled = self.seen.settled.clone().ok_or("nothing was settled")?;
        self.line.truncate(ruled.ply);
        self.completed.truncate(ruled.ply + 1);
        if settled.fen != write_fen(&self.position()) || settled.ply as usize != ruled.ply {
            return Err(format!("settled after half-move {} at {}", settled.ply, settled.fen));
        }
        let after = (settled.white_ms, settled.black_ms);
        let times = |(white, black): (u64, u64)| {
            format!("{:.1} s / {:.1} s", white as f64 / 1e3, black as f64 / 1e3)
        };
        told.push(format!("clocks: {} before, {} after", times(before), times(after)));
        match ruled.clocks {
            Some(wanted) if wanted != after => {
                Err(format!("the clocks are not as ruled: {}", times(after)))
            }
            None if after.0 > before.0 || after.1 > before.1 => {
                Err("the clocks were given time that nobody ruled".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// A score that only lacks its last entry is completed, and does not count as a difference.
    async fn unwritten(
        &mut self,
        arbiter: &mut Arbiter,
        told: &mut Vec<String>,
    ) -> Result<(), String> {
        let page = self.no_difference(arbiter).await?;
        let text = self.sans().pop().unwrap_or_default();
        let asked = arbiter::asked_for(&page).filter(|asked| asked.contains(&text));
        told.push(format!("8.1.3: {}", asked.ok_or("the page does not ask for the entry")?));
        self.write_last(arbiter, told).await?;
        self.ply(true).await
    }

    /// A move that is written but made on no board is not made (8.1.2).
    async fn written_ahead(
        &mut self,
        arbiter: &mut Arbiter,
        told: &mut Vec<String>,
    ) -> Result<(), String> {
        let ahead = |seen: &Seen| seen.problems.iter().any(|problem| problem.0 == Article::A8_1_2);
        if !self.until(ahead).await {
            return Err("the service has not noticed it".to_owned());
        }
        for (article, text) in &self.seen.problems {
            told.push(format!("noticed: {article}: {text}"));
        }
        self.seen.problems.clear();
        self.no_difference(arbiter).await?;
        told.push("no difference of the boards: the move is made when it is made".to_owned());
        self.ply(true).await
    }

    /// Nothing has to be taken back or corrected. Returns the arbiter's page.
    async fn no_difference(&mut self, arbiter: &mut Arbiter) -> Result<String, String> {
        if self.until_for(QUIET, |seen| !seen.problems.is_empty()).await {
            return Err(format!("it was taken for a difference: {:?}", self.seen.problems));
        }
        let page = arbiter.get("/arbiter").await?;
        let wrong = ["Back to", "To be corrected", "Both players correct"];
        if let Some(text) = arbiter::verdict(&page).filter(|t| wrong.iter().any(|w| t.contains(w)))
        {
            return Err(format!("the arbiter's page would change something: {text}"));
        }
        self.both_show_the_game()?;
        Ok(page)
    }

    /// The last entry of the sighted player's score, on the arbiter's page.
    async fn write_last(
        &self,
        arbiter: &mut Arbiter,
        told: &mut Vec<String>,
    ) -> Result<(), String> {
        let after = (self.line.len() - 1).to_string();
        let text = self.sans().pop().unwrap_or_default();
        let sighted = !self.blind;
        let seat = if sighted == Color::White { "white" } else { "black" };
        let form = [("act", "score"), ("seat", seat), ("after", &after), ("text", &text)];
        taken(&arbiter.acts("/act", &form).await?)?;
        told.push(format!(
            "the arbiter: enters {text} in the score of {sighted}, clocks and boards untouched"
        ));
        Ok(())
    }
}

/// Only the blind player's board goes astray.
fn pegs(wrong: Wrong) -> bool {
    matches!(wrong, Wrong::PegMoved | Wrong::PegMissing | Wrong::PegAdded | Wrong::PegsExchanged)
}

/// The page says that it was done.
fn taken(reply: &str) -> Result<(), String> {
    match reply.contains("Done.") {
        true => Ok(()),
        false => Err("the arbiter's page did not take it".to_owned()),
    }
}
