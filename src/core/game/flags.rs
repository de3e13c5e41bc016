//! Flags: fallen, claimed, and what follows (6.8, 6.9).

use serde_json::json;
use shakmaty::{ByColor, Color, Position};

use super::{ArbiterAct, Article, At, Outcome, Play, Refused, Urgency, rulings::Halt};
use crate::laws::winnable::{Budget, Mate, can_mate};
use annabella_words::phrase::{Note, Prompt, Slot};

impl Play {
    /// The player whose flag has fallen, if the system is to claim it: once (D.2.10.5, 6.9).
    pub(super) fn claimable(&self) -> Option<Color> {
        if self.is_over() || !self.terms.config.duties.claim {
            return None;
        }
        // A mate that stands is only waited for: it was there before the flag.
        self.unjudged_flag().filter(|loser| {
            !self.is_ending(*loser)
                && !self.is_mate_announced_by(*loser)
                && !self.may_be_pressed_in_vain(!*loser)
        })
    }

    /// His press waits, and may turn out to have completed nothing: then it costs his opponent no
    /// time.
    fn may_be_pressed_in_vain(&self, seat: Color) -> bool {
        self.waiting_press(seat).is_some_and(|ahead| ahead.before.is_some())
    }

    /// The player whose flag is down and was not judged yet; if both are, who fell first. Flags are
    /// judged one at a time: what the arbiter says of one may leave nothing to say of the other.
    pub(super) fn unjudged_flag(&self) -> Option<Color> {
        let first = self.fallen().filter(|_| !self.is_flag_proposed())?;
        let unjudged = |of: &Color| self.is_down(*of) && !self.arbitration.flags_judged[*of];
        [first, !first].into_iter().find(unjudged)
    }

    /// The players whose flag was judged and is down no more: the next one that falls is a new one.
    pub(super) fn flags_up(&self) -> Option<ByColor<bool>> {
        let up = |of: Color| self.arbitration.flags_judged[of] && !self.is_down(of);
        let up = ByColor { white: up(Color::White), black: up(Color::Black) };
        (up.white || up.black).then_some(up)
    }

    /// These flags are up again: nothing of them is left to judge.
    pub(super) fn forget_flags(&mut self, up: ByColor<bool>) {
        for of in Color::ALL.into_iter().filter(|of| up[*of]) {
            self.arbitration.flags_judged[of] = false;
            self.lapse_flags(of);
        }
    }

    /// His pegs show a move that ends the game, and have yet to come to rest.
    fn is_ending(&self, seat: Color) -> bool {
        self.seats[seat].tracker().is_some_and(|pegs| pegs.ending().is_some())
    }

    /// A sighted player whose board nobody sees has announced a move that ends the game, and his
    /// opponent has yet to copy it: it was there before the flag (5.1.1, 6.2.1.1, D.2.5).
    fn is_mate_announced_by(&self, seat: Color) -> bool {
        let flag = self.timing.clock.fell_at(self.at, seat);
        self.mate_announced(seat).is_some_and(|at| flag.is_none_or(|flag| at <= flag))
    }

    /// When he has announced a move that ends the game, on a board that nobody sees.
    fn mate_announced(&self, seat: Color) -> Option<At> {
        let announced = self.announced_unseen(seat)?;
        let mut after = self.position().clone();
        after.play_unchecked(announced.mv);
        after.is_game_over().then_some(announced.at)
    }

    /// "Zeit überschritten": a player claims that a flag has fallen (6.8).
    pub(super) fn claims_flag(&mut self, of: Color) -> Result<(), Refused> {
        match self.unjudged_flag() {
            // The move that ends the game is made by now (D.2.5), and a flag that nobody had
            // claimed has not fallen (6.8).
            Some(loser) if self.mate_announced(loser).is_some() => self.keeps_announced(),
            Some(loser) if self.is_ending(loser) || self.may_be_pressed_in_vain(!loser) => {
                self.tell(of, Urgency::Answer, Prompt::Noted, &[]);
            }
            Some(loser) => self.flag_claimed(Article::A6_8, loser),
            None if self.is_flag_proposed() => self.tell_all(Prompt::ArbiterDecides, &[]),
            None => match [!of, of].into_iter().find(|of| self.is_down(*of)) {
                Some(judged) => self.tell_all(Prompt::FlagDecided, &[Slot::Player(judged)]),
                None => {
                    let words = self.terms.words.prompt(Prompt::NoFlag, &[]);
                    self.say_to(of, Urgency::Answer, words);
                }
            },
        }
        Ok(())
    }

    /// A player out of time loses, unless the opponent cannot mate by any series of legal moves
    /// (6.9). Where that is uncertain the arbiter judges, and where he looks he confirms it.
    pub(super) fn flag_claimed(&mut self, article: Article, loser: Color) {
        let winner = !loser;
        self.arbitration.flags_judged[loser] = true;
        let (white_ms, black_ms, _) = self.timing.clock.reading(self.at);
        let mate = can_mate(self.position(), winner, Budget::default());
        let mut detail = json!({ "white_ms": white_ms, "black_ms": black_ms });
        match &mate {
            Mate::Possible { line } => detail["mate_in_plies"] = json!(line.len()),
            Mate::Impossible { why } => detail["no_mate"] = json!(why.text()),
            _ => {}
        }
        self.problem(article, Note::FlagFallen { player: loser }, detail);
        let declare = |result| ArbiterAct::Declare { result, article: Article::A6_9 };
        let (won, draw) = (declare(Outcome::win(winner)), declare(Outcome::Draw));
        let drawn = match mate {
            Mate::Undecided => {
                let text = Note::MateUncertain { player: winner };
                let fen = super::write_fen(self.position());
                self.problem(Article::A6_9, text.clone(), json!({ "fen": fen }));
                return self.flag_waits(loser, vec![won, draw], text);
            }
            mate => matches!(mate, Mate::Impossible { .. }),
        };
        if self.arbitration.present || self.is_owed_judgement(loser) {
            let choices = vec![if drawn { draw } else { won }];
            return self.flag_waits(loser, choices, Note::FlagFallen { player: loser });
        }
        if drawn {
            self.end(
                Outcome::Draw,
                Note::FlagFallNoMate,
                Article::A6_9,
                Prompt::FlagFellDraw,
                &[Slot::Player(loser)],
            );
        } else {
            let slots = [Slot::Player(loser), Slot::Player(winner)];
            let result = Outcome::win(winner);
            self.end(result, Note::FlagFall, Article::A6_9, Prompt::FlagFell, &slots);
        }
    }

    /// The arbiter says what the fallen flag means. Until then the clocks stand.
    fn flag_waits(&mut self, loser: Color, choices: Vec<ArbiterAct>, text: Note) {
        let words = self.terms.words.prompt(Prompt::FlagFellJudge, &[Slot::Player(loser)]);
        self.say_aloud(Urgency::Alert, words);
        self.propose(Article::A6_9, Some(loser), choices, text);
        self.invitation_lapses();
        self.halt(Halt::Arbiter);
    }
}
