//! Adjournment (Guideline I, D.2.10.6): the arbiter asks, the player seals, the clocks stand, the
//! envelope is kept, opened, and the game goes on from its position, clocks and turn.
//!
//! # What the game knows of a sealed move
//!
//! Nothing of the move. [`Adjourn::Sealed`] brings the ciphertext, or the fact that the move lies
//! on paper. The move itself comes with [`Adjourn::Opened`], as it was written. A player's words
//! and typing during sealing go to [`super::Sealing`], which is part of neither the game nor a
//! journal.
//!
//! # While it is adjourned
//!
//! Boards may be packed up: their edges are passed over. Moves, requests and presses of the clock
//! are refused (I.5). An offer of a draw, an agreement and a resignation still count (I.4, I.6).

use serde::{Deserialize, Serialize};
use serde_json::json;
use shakmaty::{ByColor, Color};

use super::{Article, At, DrawOffer, Outcome, Play, Refused, Running, Urgency, seat_name};
use annabella_words::phrase::{Note, Prompt, Slot};

/// The place of the sealed move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Envelope {
    /// Here, encrypted to the arbiter's passphrase: an `age` file in its text form.
    Age(String),
    /// On paper, in an envelope that the arbiter keeps.
    Paper,
}

/// When and where the game goes on (I.2.7), as the arbiter words it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resumption {
    pub date: String,
    /// The time of day.
    pub time: String,
    pub place: String,
}

impl std::fmt::Display for Resumption {
    /// The known parts, separated by commas; empty without any.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let all = [&self.date, &self.time, &self.place].map(|text| text.trim());
        let known: Vec<&str> = all.into_iter().filter(|text| !text.is_empty()).collect();
        f.write_str(&known.join(", "))
    }
}

/// How a game ends that is not resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Conclusion {
    /// The players have agreed to a draw (I.6).
    Draw,
    /// This player has resigned (I.6).
    Resigned(#[serde(with = "annabella_words::text")] Color),
    /// Nobody knows the position: the game is annulled and played again (I.12.2).
    Annulled,
}

/// A step of an adjournment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Adjourn {
    /// The arbiter asks the player to move to seal his move (I.1.1).
    Invited {
        /// The arbiter's name.
        arbiter: String,
        /// The player adjourns this long before the end of the session, and the time is charged to
        /// him, milliseconds (I.1.2).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session_left_ms: Option<u64>,
        /// The player seals his reply because the player who sealed before has not come: his clock
        /// stops and the other's runs (I.9.3).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        reply: bool,
    },
    /// The arbiter takes the invitation back: the game goes on.
    Withdrawn {
        /// The arbiter's name.
        arbiter: String,
    },
    /// The move is sealed and the clock stopped (I.1.1).
    Sealed {
        /// The place of the move.
        envelope: Envelope,
    },
    /// When and where the game goes on; the last word counts (I.2.7).
    Appointed(Resumption),
    /// A player offers a draw after the sealing; it stands until it is answered (I.4).
    Offered {
        /// The player who offers.
        #[serde(with = "annabella_words::text")]
        by: Color,
    },
    /// The offer that stands is declined (I.4).
    Declined,
    /// The game ends before it is resumed (I.6, I.12.2).
    Concluded {
        conclusion: Conclusion,
        /// The arbiter who was informed.
        arbiter: String,
    },
    /// The player who must reply has not come: his clock is started, the envelope stays closed
    /// (I.9.2, I.11).
    ClockStarted {
        /// The arbiter who started it.
        arbiter: String,
    },
    /// The envelope is opened, in the presence of the player who must reply (I.7, I.9.1).
    Opened {
        /// The move as it was written, and in brackets behind it what its player had touched
        /// before, where that forbids the move (4.3).
        written: String,
        /// The arbiter who opens it.
        arbiter: String,
        /// White's and Black's time, milliseconds, where the recorded ones are wrong (I.13).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock_ms: Option<(u64, u64)>,
    },
    /// The envelope is lost or cannot be opened: the game goes on from the adjourned position, and
    /// the player makes the move that he says he sealed (I.12.1).
    Lost {
        /// The arbiter who decides so.
        arbiter: String,
        reason: String,
        /// White's and Black's time, milliseconds, where the recorded ones cannot be had.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock_ms: Option<(u64, u64)>,
    },
    /// The arbiter reads a sealed move that can't be played as written as this one. Any other
    /// decision about it is a ruling like others ([`super::ArbiterAct`]).
    Read {
        /// The move, in UCI.
        uci: String,
        /// The arbiter who decides.
        arbiter: String,
        reason: String,
    },
}

impl Adjourn {
    /// The deciding arbiter and the reason; empty for a step without a decision.
    pub fn decided(&self) -> (&str, &str) {
        match self {
            Adjourn::Invited { arbiter, .. }
            | Adjourn::Withdrawn { arbiter }
            | Adjourn::Concluded { arbiter, .. }
            | Adjourn::ClockStarted { arbiter }
            | Adjourn::Opened { arbiter, .. } => (arbiter, ""),
            Adjourn::Lost { arbiter, reason, .. } | Adjourn::Read { arbiter, reason, .. } => {
                (arbiter, reason)
            }
            Adjourn::Sealed { .. }
            | Adjourn::Appointed(_)
            | Adjourn::Offered { .. }
            | Adjourn::Declined => ("", ""),
        }
    }
}

/// How far an adjournment has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The player to move is sealing; his clock runs.
    Invited,
    /// The move is sealed.
    Sealed,
    /// The envelope has been opened and its move cannot be played: the arbiter decides (I.8).
    Disputed,
    /// The game went on or ended, or was not adjourned after all.
    Over,
}

/// The text on the envelope (I.2), and the fate of the move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjournment {
    /// How far it has come.
    pub stage: Stage,
    /// The player who seals (I.2.4).
    pub sealer: Color,
    /// The number of the sealed move (I.2.5).
    pub number: u32,
    /// Plies made before it.
    pub plies: usize,
    /// The move is a reply, sealed while the opponent's clock runs (I.9.3).
    pub reply: bool,
    pub invitation: Invitation,
    pub sealed: Option<Sealed>,
    /// The player whose offer of a draw is not answered (I.2.6).
    pub offer: Option<Color>,
    /// When and where the game goes on (I.2.7).
    pub resumption: Resumption,
    pub opened: Option<Opened>,
}

/// A player was asked to seal his move (I.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// The arbiter who asked for it.
    pub arbiter: String,
    pub at: At,
    /// The rest of the session then, milliseconds (I.1.2).
    pub session_left_ms: Option<u64>,
}

/// A move was sealed (I.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// When his clock was stopped.
    pub at: At,
    /// White's and Black's time left then, milliseconds.
    pub left_ms: (u64, u64),
    /// The time that White and Black had used (I.2.3).
    pub used_ms: (u64, u64),
    /// The place of the move.
    pub envelope: Envelope,
}

/// The envelope was opened (I.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    pub at: At,
    /// The sealed move as it was written.
    pub written: String,
}

impl Adjournment {
    /// The place of the sealed move.
    pub fn envelope(&self) -> Option<&Envelope> {
        self.sealed.as_ref().map(|sealed| &sealed.envelope)
    }

    /// The sealed move's number and colour as a score sheet has it: `41.` or `41...`.
    pub fn move_number(&self) -> String {
        format!("{}{}", self.number, if self.sealer.is_white() { "." } else { "..." })
    }
}

impl super::Game {
    /// The last adjournment of this game, going on or over.
    pub fn adjournment(&self) -> Option<&Adjournment> {
        self.play.as_ref().and_then(|play| play.course.adjournment())
    }

    /// The game is adjourned: it goes on when the envelope has been opened, and not before.
    pub fn is_adjourned(&self) -> bool {
        self.play
            .as_ref()
            .is_some_and(|play| matches!(play.adjourning(), Some(Stage::Sealed | Stage::Disputed)))
    }
}

pub(super) fn refuse(article: Article, text: Note) -> Result<(), Refused> {
    Err(Refused::new(article, text))
}

impl Play {
    /// "Hängepartie": the arbiter is asked, aloud; he decides.
    pub(super) fn asks_to_adjourn(&mut self, of: Color) -> Result<(), Refused> {
        if !self.terms.config.duties.adjourn {
            return refuse(Article::D_2_10_6, Note::AdjourningOff);
        }
        self.problem(
            Article::I_1,
            Note::AsksAdjournment { player: of },
            json!({ "player": seat_name(of) }),
        );
        let words = self.terms.words.prompt(Prompt::AdjournmentAsked, &[Slot::Player(of)]);
        self.say_aloud(Urgency::Alert, words);
        Ok(())
    }

    pub(super) fn adjourn(&mut self, step: Adjourn) -> Result<(), Refused> {
        let stage = self.adjourning();
        match (stage, step) {
            (None, Adjourn::Invited { arbiter, session_left_ms, reply }) => {
                self.invited(arbiter, session_left_ms, reply)
            }
            (Some(Stage::Invited), Adjourn::Withdrawn { .. }) => {
                self.invitation_lapses();
                Ok(())
            }
            (Some(Stage::Invited), Adjourn::Sealed { envelope }) => {
                self.sealed(envelope);
                Ok(())
            }
            (Some(_), Adjourn::Appointed(resumption)) => {
                if let Some(adjournment) = self.course.adjournment_mut() {
                    adjournment.resumption = resumption;
                }
                Ok(())
            }
            (Some(Stage::Sealed), Adjourn::Offered { by }) => {
                if self.open_offer().is_none() {
                    self.wishes.offered[by] = true;
                    let plies = u32::try_from(self.line.len()).unwrap_or(u32::MAX);
                    self.wishes.offers.push(DrawOffer { by, plies, at: self.at });
                }
                self.note_offer();
                Ok(())
            }
            (Some(Stage::Sealed), Adjourn::Declined) => {
                self.wishes.offered = ByColor::default();
                self.note_offer();
                Ok(())
            }
            (Some(_), Adjourn::Concluded { conclusion, .. }) => {
                self.concluded(conclusion);
                Ok(())
            }
            (Some(Stage::Sealed), Adjourn::ClockStarted { .. }) => self.reply_is_awaited(),
            (Some(Stage::Sealed), Adjourn::Opened { written, clock_ms, .. }) => {
                self.opened(&written, clock_ms);
                Ok(())
            }
            (Some(Stage::Sealed), Adjourn::Lost { clock_ms, .. }) => {
                self.envelope_lost(clock_ms);
                Ok(())
            }
            (Some(Stage::Disputed), Adjourn::Read { uci, .. }) => self.read_as(&uci),
            (None, _) => refuse(Article::I_1, Note::NotAdjourned),
            (Some(Stage::Invited), _) => refuse(Article::I_1_1, Note::NotSealedYet),
            (Some(Stage::Disputed), _) => refuse(Article::I_8, Note::SealedWaits),
            (Some(_), _) => refuse(Article::I_1_1, Note::SealedAlready),
        }
    }

    /// The invitation is taken back, or the move that was to be sealed is made, or is one of
    /// another position, or his flag has fallen: the arbiter may ask anew (I.1.1).
    pub(super) fn invitation_lapses(&mut self) {
        let invited = self.adjourning() == Some(Stage::Invited);
        let Some(adjournment) = self.course.adjournment().filter(|_| invited) else { return };
        let sealer = adjournment.sealer;
        self.course.adjournment_is_over();
        let words = self.terms.words.prompt(Prompt::Cancelled, &[]);
        self.say_to(sealer, Urgency::Alert, words);
    }

    fn note_offer(&mut self) {
        let offer = self.open_offer();
        if let Some(adjournment) = self.course.adjournment_mut() {
            adjournment.offer = offer;
        }
    }

    fn invited(
        &mut self,
        arbiter: String,
        session_left_ms: Option<u64>,
        reply: bool,
    ) -> Result<(), Refused> {
        if !self.terms.config.duties.adjourn {
            return refuse(Article::D_2_10_6, Note::AdjourningOff);
        }
        let in_hand = self.line.last().is_some_and(|ply| ply.completed.is_none())
            || self.line.turn.executed.is_some()
            || self.line.turn.announced.is_some()
            || self.timing.ahead.is_some();
        if in_hand {
            return refuse(Article::I_1_1, Note::MoveOnItsWay);
        }
        let sealer = self.mover();
        if session_left_ms
            .is_some_and(|left| left >= self.timing.clock.remaining_ms(self.at, sealer))
        {
            return refuse(Article::I_1_2, Note::SessionTooLong);
        }
        self.dialogue = super::dialogue::Dialogue::default();
        self.course.adjourns(Adjournment {
            stage: Stage::Invited,
            sealer,
            number: shakmaty::Position::fullmoves(self.position()).get(),
            plies: self.line.len(),
            reply,
            invitation: Invitation { arbiter, at: self.at, session_left_ms },
            sealed: None,
            offer: self.open_offer(),
            resumption: Resumption::default(),
            opened: None,
        });
        let words = self.terms.words.prompt(Prompt::SealMove, &[]);
        self.say_to(sealer, Urgency::Alert, words);
        Ok(())
    }

    fn sealed(&mut self, envelope: Envelope) {
        let at = self.at;
        let Some(adjournment) = self.course.adjournment() else { return };
        let (sealer, reply) = (adjournment.sealer, adjournment.reply);
        let Invitation { at: invited, session_left_ms, .. } = adjournment.invitation;
        let session_end = session_left_ms.map(|left_ms| invited.ms.saturating_add(left_ms));
        if reply {
            if self.timing.clock.reading(at).2 == Running::None {
                self.timing.clock.start(at, sealer);
            }
            self.timing.clock.press(at);
        } else {
            self.timing.clock.stop(at);
            if let Some(end_ms) = session_end {
                let charged_ms = end_ms.saturating_sub(at.ms);
                self.timing.clock.charge(at, sealer, charged_ms);
            }
        }
        let (used_ms, offer) = (self.used_ms(), self.open_offer());
        let (white_ms, black_ms, _) = self.timing.clock.reading(at);
        if let Some(adjournment) = self.course.adjournment_mut() {
            let left_ms = (white_ms, black_ms);
            adjournment.stage = Stage::Sealed;
            adjournment.sealed = Some(Sealed { at, left_ms, used_ms, envelope });
            adjournment.offer = offer;
        }
        self.dialogue = super::dialogue::Dialogue::default();
        let words = self.terms.words.prompt(Prompt::Adjourned, &[]);
        self.say_aloud(Urgency::Announcement, words);
        self.tell_clock();
    }

    fn concluded(&mut self, conclusion: Conclusion) {
        match conclusion {
            Conclusion::Draw => self.end(
                Outcome::Draw,
                Note::DrawBeforeResumption,
                Article::I_6,
                Prompt::DrawAgreed,
                &[],
            ),
            Conclusion::Resigned(color) => self.resigns(color),
            Conclusion::Annulled => self.end(
                Outcome::Annulled,
                Note::PositionLost,
                Article::I_12,
                Prompt::ArbiterDecides,
                &[],
            ),
        }
        self.course.adjournment_is_over();
    }
}
