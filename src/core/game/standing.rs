//! What follows by itself: one table of rules, in the order in which they are asked.
//!
//! A rule says when it applies, from the state alone, and what it then changes is one [`Step`]. No
//! rule calls another one: what the others did, it sees in the state.

use shakmaty::{ByColor, Color, Position};

use super::{At, Play, counted::CountedDraw, turn::Ending};
use crate::{laws::Article, sensing::Executed};

/// When a rule is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// As soon as a move was executed or announced.
    AtOnce,
    /// Once after each made move.
    Made,
    /// The same, and after a decision about the position.
    Position,
    /// Whenever time has passed.
    Time,
}

/// A rule that applies by itself.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    /// Its article; `None`: it is good sense, not the Laws.
    article: Option<Article>,
    name: &'static str,
    asked: Asked,
    when: fn(&Play) -> Option<Step>,
}

/// What a rule changes.
#[derive(Clone)]
enum Step {
    Make,
    JudgeChange,
    JudgeIntended,
    End(Ending),
    EndCounted(&'static CountedDraw),
    AwaitDecision,
    PressSoon,
    Complete,
    AwaitCopies,
    Reply { origin: Color, executed: Executed },
    LapseQuestion,
    DecidePress { due: bool },
    AskForPressed,
    ForgetPress,
    PressNow,
    Warn { of: Color, reached_s: Vec<u32> },
    FlagsUp(ByColor<bool>),
    ClaimFlag(Color),
    TellClocksStand,
}

/// A rule that has fired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fired {
    /// Its article; `None`: it is good sense, not the Laws.
    pub article: Option<Article>,
    /// What follows, in a few English words.
    pub name: &'static str,
    /// The moment: before one input several may pass.
    pub at: At,
}

impl std::fmt::Display for Fired {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.article {
            Some(article) => write!(f, "{article}: {}", self.name),
            None => f.write_str(self.name),
        }
    }
}

const fn law(
    article: Article,
    name: &'static str,
    asked: Asked,
    when: fn(&Play) -> Option<Step>,
) -> Rule {
    Rule { article: Some(article), name, asked, when }
}

const MADE: Rule =
    law(Article::D_2_3, "executed and announced: the move is made", Asked::AtOnce, |play| {
        play.all_holds().then_some(Step::Make)
    });

pub(super) const WAITING_PRESS: Rule = law(
    Article::A6_2_1,
    "a press that waits is decided by what the board shows",
    Asked::Time,
    |play| play.press_decided().map(|due| Step::DecidePress { due }),
);

pub(super) const FLAGS_UP: Rule = law(
    Article::A6_9,
    "a flag is down no more: the next one that falls is a new one",
    Asked::Time,
    |play| play.flags_up().map(Step::FlagsUp),
);

pub(super) const FLAG_CLAIMED: Rule =
    law(Article::D_2_10_5, "a flag has fallen: it is claimed", Asked::Time, |play| {
        play.claimable().map(Step::ClaimFlag)
    });

pub(super) const CLOCKS_STAND: Rule = law(
    Article::A6_11_3,
    "the service was stopped: everybody hears that the clocks stand",
    Asked::Time,
    |play| is_due(play.timing.stands_told, play.at).then_some(Step::TellClocksStand),
);

/// All of them, in the order in which they are asked.
const RULES: &[Rule] = &[
    MADE,
    law(Article::A4_7, "a made move was changed: the arbiter learns of it", Asked::Made, |play| {
        play.line.change.is_unjudged().then_some(Step::JudgeChange)
    }),
    law(
        Article::A9_5_3,
        "another move was made than a wrong claim named: the arbiter learns of it",
        Asked::Made,
        |play| {
            let last = play.wishes.intended.filter(|(plies, _)| plies + 1 == play.plies());
            last.map(|_| Step::JudgeIntended)
        },
    ),
    law(Article::A5_1_1, "checkmate ends the game", Asked::Position, |play| {
        play.position().is_checkmate().then_some(Step::End(Ending::Checkmate))
    }),
    law(Article::A5_2_1, "stalemate ends the game", Asked::Position, |play| {
        play.position().is_stalemate().then_some(Step::End(Ending::Stalemate))
    }),
    law(Article::A5_2_2, "a dead position ends the game", Asked::Position, |play| {
        (!play.is_over() && play.is_dead()).then_some(Step::End(Ending::Dead))
    }),
    law(
        Article::A9_6,
        "the fifth repetition, or the seventy-fifth quiet move, ends the game",
        Asked::Position,
        |play| play.unclaimed().filter(|_| !play.is_over()).map(Step::EndCounted),
    ),
    law(Article::D_2_10_3, "the system is to press for the blind player", Asked::Made, |play| {
        play.presses_for_mover().then_some(Step::PressSoon)
    }),
    law(
        Article::A6_2_1,
        "the clock was pressed before: the move is completed",
        Asked::Made,
        |play| play.was_pressed_ahead().then_some(Step::Complete),
    ),
    law(Article::D_2_1, "the other board is owed the move", Asked::Made, |_| {
        Some(Step::AwaitCopies)
    }),
    law(
        Article::A6_2_1,
        "the reply, which was executed before, is the next move",
        Asked::Made,
        |play| play.executed_ahead().map(|(origin, executed)| Step::Reply { origin, executed }),
    ),
    Rule {
        article: None,
        name: "a question that nobody answers lapses",
        asked: Asked::Time,
        when: |play| is_due(play.dialogue.due(), play.at).then_some(Step::LapseQuestion),
    },
    WAITING_PRESS,
    law(
        Article::D_2_1,
        "a press of which nobody knows the move is asked about",
        Asked::Time,
        |play| is_due(play.unknown_press_due(), play.at).then_some(Step::AskForPressed),
    ),
    law(
        Article::A6_2_1,
        "no flag falls by a press of which nobody knows the move",
        Asked::Time,
        |play| {
            let seat = play.unknown_press()?;
            let fell = play.timing.clock.fell_at(play.at, !seat).is_some();
            (fell && !play.arbitration.flags_judged[!seat]).then_some(Step::ForgetPress)
        },
    ),
    law(Article::D_2_10_3, "the system presses for the blind player", Asked::Time, |play| {
        is_due(play.press_for_player_due(), play.at).then_some(Step::PressNow)
    }),
    law(
        Article::D_2_10_4,
        "a time is reached of which the player wants to be warned",
        Asked::Time,
        |play| play.alarms_reached().map(|(of, reached_s)| Step::Warn { of, reached_s }),
    ),
    FLAGS_UP,
    FLAG_CLAIMED,
    CLOCKS_STAND,
];

/// More steps than one input has ever led to: beyond it the rules would not come to rest.
const MOST_STEPS: usize = 200;

fn is_due(due: Option<At>, at: At) -> bool {
    due.is_some_and(|due| due <= at)
}

/// How far the rules have been asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Standing {
    /// A move was executed or announced since they were asked whether it is made.
    open: bool,
    /// The rules about the last made move are asked from this one on; `None`: they have been.
    next: Option<usize>,
    /// The move would be made, but its piece was in the hand again.
    in_hand: bool,
    /// A rule applies just now: the others are asked when it has.
    applies: bool,
    fired: Vec<Fired>,
}

impl Standing {
    /// What has fired since the last input.
    pub(super) fn fired(&self) -> &[Fired] {
        &self.fired
    }

    /// A new input begins.
    pub(super) fn begins(&mut self) {
        self.fired.clear();
    }
}

impl Play {
    /// A move was executed or announced: what follows does, until nothing does any more.
    pub(super) fn follow(&mut self) {
        self.course.standing.open = true;
        if std::mem::replace(&mut self.course.standing.applies, true) {
            return;
        }
        let mut steps = 0;
        while let Some((rule, step)) = self.next_rule().filter(|_| steps < MOST_STEPS) {
            self.fire(&rule, step);
            steps += 1;
        }
        self.course.standing.applies = false;
    }

    /// A piece that was in the hand again when its move was to be made may stand in its hole now.
    pub(super) fn follow_hand(&mut self) {
        if std::mem::take(&mut self.course.standing.in_hand) {
            self.follow();
        }
    }

    fn next_rule(&mut self) -> Option<(Rule, Step)> {
        if std::mem::take(&mut self.course.standing.open) {
            if let Some(step) = (MADE.when)(self) {
                return Some((MADE, step));
            }
            self.course.standing.in_hand = self.is_announced_as_executed();
        }
        while let Some(n) = self.course.standing.next {
            let rule = RULES.get(n).copied();
            self.course.standing.next = rule.map(|_| n + 1);
            let asked = rule.filter(|rule| matches!(rule.asked, Asked::Made | Asked::Position));
            if let Some(rule) = asked
                && let Some(step) = (rule.when)(self)
            {
                return Some((rule, step));
            }
        }
        None
    }

    /// Asks one rule.
    pub(super) fn ask_rule(&mut self, rule: &Rule) {
        if let Some(step) = (rule.when)(self) {
            self.fire(rule, step);
        }
    }

    /// Time has passed.
    pub(super) fn ask_rules_of_time(&mut self) {
        RULES.iter().filter(|rule| rule.asked == Asked::Time).for_each(|rule| self.ask_rule(rule));
    }

    /// The arbiter has decided from which position the game goes on.
    pub(super) fn ask_rules_of_position(&mut self) {
        for rule in RULES.iter().filter(|rule| rule.asked == Asked::Position) {
            self.ask_rule(rule);
        }
    }

    fn fire(&mut self, rule: &Rule, step: Step) {
        let ends = matches!(step, Step::End(_) | Step::EndCounted(_));
        let step = if ends && self.is_end_in_question() { Step::AwaitDecision } else { step };
        self.course.standing.fired.push(Fired {
            article: rule.article,
            name: rule.name,
            at: self.at,
        });
        self.apply(step);
    }

    fn apply(&mut self, step: Step) {
        match step {
            Step::Make => {
                if let Some(against) = self.make() {
                    self.propose_to_end(against);
                }
                self.course.standing.next = Some(0);
            }
            Step::JudgeChange => self.judge_change(),
            Step::JudgeIntended => self.judge_intended(),
            Step::End(how) => self.ends(how),
            Step::EndCounted(draw) => {
                self.finish(false);
                self.end_counted(draw);
            }
            Step::AwaitDecision => self.await_decision(),
            Step::PressSoon => self.press_after_grace(),
            Step::Complete => self.complete(),
            Step::AwaitCopies => self.judge_copies(),
            Step::Reply { origin, executed } => self.executed(origin, executed),
            Step::LapseQuestion => self.lapse_question(),
            Step::DecidePress { due } => self.decide_press(due),
            Step::AskForPressed => self.ask_for_pressed(),
            Step::ForgetPress => self.waits_for_name(),
            Step::PressNow => self.press_for_player(),
            Step::Warn { of, reached_s } => self.warn_of_time(of, &reached_s),
            Step::FlagsUp(up) => self.forget_flags(up),
            Step::ClaimFlag(loser) => self.flag_claimed(Article::D_2_10_5, loser),
            Step::TellClocksStand => self.tell_standing_clocks(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_name_of_its_own_and_an_order() {
        let mut names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), RULES.len());
        let asked: Vec<Asked> = RULES.iter().map(|rule| rule.asked).collect();
        assert_eq!(asked.iter().filter(|asked| **asked == Asked::AtOnce).count(), 1);
        assert_eq!(asked[0], Asked::AtOnce, "what is made is made first");
        let first_of_time = asked.iter().position(|asked| *asked == Asked::Time);
        let last_made = asked.iter().rposition(|asked| *asked == Asked::Made);
        assert!(last_made < first_of_time, "a made move comes before what time brings");
    }
}
