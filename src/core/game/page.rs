//! Entries on a page by somebody who stands at the board. The arbiter's decisions are
//! [`super::Ruling`]s instead.

use serde::{Deserialize, Serialize};
use serde_json::json;
use shakmaty::{Color, Move, uci::UciMove};

use super::{Article, Caller, ClockRead, Outcome, Play, Refused, Running, Urgency};
use annabella_words::phrase::{Command, Note, Prompt, Slot};

/// Something that a person did, saw or read: [`super::Input::Page`].
///
/// Source: FIDE D.2.10
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageEntry {
    /// The entry.
    pub act: PageAct,
    /// As whom.
    pub role: PageRole,
    /// His name or number; may be empty.
    #[serde(default)]
    pub by: String,
}

/// The person who makes an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PageRole {
    Arbiter,
    /// A player's assistant.
    Assistant,
    /// A program that plays for the sighted player. Only at home: [`super::GameConfig::at_home`].
    Program,
}

/// A possible entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageAct {
    /// A move was executed on a board that is not seen: the sighted player's own one, or one
    /// relayed to him (D.2.10.1).
    Executed {
        /// The player before the board.
        #[serde(with = "annabella_words::text")]
        seat: Color,
        /// The move in UCI.
        uci: String,
    },
    /// A player's clock was pressed for him (D.2.10.3).
    Pressed {
        /// The player whose move is completed.
        #[serde(with = "annabella_words::text")]
        seat: Color,
    },
    /// A player's score as written: see [`super::Input::Score`].
    Score {
        #[serde(with = "annabella_words::text")]
        seat: Color,
        /// The half-move of the first entry.
        from_ply: u32,
        /// The entries.
        text: String,
    },
    /// A board that is not seen has been corrected.
    Corrected {
        /// The player before the board.
        #[serde(with = "annabella_words::text")]
        seat: Color,
    },
    /// How a board stands that reports nothing.
    Stands {
        /// The player before the board.
        #[serde(with = "annabella_words::text")]
        seat: Color,
        /// Its pieces: the first field of a FEN.
        fen: String,
    },
    /// A sighted player has said something that counts for him. The microphone is the blind
    /// player's.
    Says {
        #[serde(with = "annabella_words::text")]
        seat: Color,
        /// The player's words.
        word: PlayerWord,
    },
    /// The move that was entered last for this player was typed wrongly: he has made this one
    /// (UCI). Nobody has changed a move (4.7).
    Mistyped {
        #[serde(with = "annabella_words::text")]
        seat: Color,
        /// The move that he made.
        uci: String,
    },
    /// The boards are to be compared by hand (D.2.9).
    CompareBoards,
    /// The position is read aloud for that.
    ReadOut,
    /// The clock that counts is far away, where the opponent plays: how it stands. Only at home, by
    /// a program.
    Clock(ClockRead),
    /// The clocks here count, and run only while the line to the opponent does: they go on, or
    /// stand. Only at home, by a program.
    RunClocks {
        /// They go on.
        run: bool,
    },
    /// The record where the opponent plays agrees with this one only so far, as after a journal
    /// that was cut: the game goes back to there. Only at home, by a program.
    ///
    /// Source: FIDE D.2.9
    GoBack {
        /// The half-moves that stand.
        plies: u32,
        /// So many decisions under D.2.9 the program knew of: whoever has not seen the last one
        /// does not go back twice.
        knows: u32,
    },
    /// The game has ended there. Only at home, by a program.
    Ended {
        result: Outcome,
        /// By which article of the Laws, as far as there is one for it.
        article: Article,
        /// Why, for the record.
        reason: String,
    },
    /// A program tells the blind player something that is nobody's word: of its connection, say.
    /// Only at home.
    Tells {
        /// In the language of the prompts.
        text: String,
    },
    /// The arbiter is called (D.2.10.5).
    CallArbiter {
        /// The reason; may be empty.
        reason: String,
    },
}

impl PageAct {
    /// Nobody at the board makes this entry.
    fn is_a_programs(&self) -> bool {
        matches!(
            self,
            PageAct::Clock(_)
                | PageAct::RunClocks { .. }
                | PageAct::GoBack { .. }
                | PageAct::Ended { .. }
                | PageAct::Tells { .. }
        )
    }
}

/// A player's words that count for him (4.2, 5.1.2, 6.8, 9.1 to 9.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayerWord {
    /// The player resigns.
    Resigns,
    /// The player offers a draw.
    OffersDraw,
    /// The player accepts the opponent's offer.
    AcceptsDraw,
    /// The player declines it.
    DeclinesDraw,
    /// The player claims a draw: the position stands for the third time, or will after this move
    /// (UCI).
    ClaimsRepetition {
        /// The move that he intends to make.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        intended: Option<String>,
    },
    /// The same by fifty moves without capture and pawn move.
    ClaimsFifty {
        /// The move that he intends to make.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        intended: Option<String>,
    },
    /// The player claims that a flag has fallen.
    ClaimsFlag,
    /// "I adjust".
    Adjusts,
    /// At home: he lets the opponent's last move be taken back, with his own after it.
    GrantsTakeBack,
    /// At home: he does not.
    DeclinesTakeBack,
    /// At home: the move (UCI) that he would make, for who has asked for a hint.
    Advises {
        /// Legal now.
        uci: String,
    },
    /// At home: anything else for who has asked for a hint or a judgement.
    Answers {
        /// His words, in the language of the prompts.
        text: String,
    },
    /// At home, after the end: a better move than the one that the walk through the score has come
    /// to.
    Comments {
        /// The half-move that was read last; the game's first is 1.
        ply: u32,
        /// Legal instead of it (UCI).
        uci: String,
    },
    /// Anything else, for the blind player's ear; only at home.
    Remarks {
        /// His words, in the language of the prompts.
        text: String,
    },
}

impl PlayerWord {
    /// One line, for the record.
    pub fn note(&self) -> Note {
        match self {
            PlayerWord::Resigns => Note::Resigns,
            PlayerWord::OffersDraw => Note::OffersDraw,
            PlayerWord::AcceptsDraw => Note::AcceptsDraw,
            PlayerWord::DeclinesDraw => Note::DeclinesDraw,
            PlayerWord::ClaimsRepetition { .. } => Note::ClaimsRepetition,
            PlayerWord::ClaimsFifty { .. } => Note::ClaimsFifty,
            PlayerWord::ClaimsFlag => Note::ClaimsFlag,
            PlayerWord::Adjusts => Note::Adjusts,
            PlayerWord::GrantsTakeBack => Note::GrantsTakeBack,
            PlayerWord::DeclinesTakeBack => Note::DeclinesTakeBack,
            PlayerWord::Advises { uci } => Note::Advises { uci: uci.as_str().into() },
            PlayerWord::Comments { uci, .. } => Note::Comments { uci: uci.as_str().into() },
            PlayerWord::Answers { text } | PlayerWord::Remarks { text } => {
                Note::Words(text.clone())
            }
        }
    }
}

impl Play {
    pub(super) fn page(&mut self, entry: PageEntry) -> Result<(), Refused> {
        let beside = entry.role != PageRole::Arbiter;
        self.is_entered(entry)?;
        self.wishes.on_page |= beside;
        Ok(())
    }

    fn is_entered(&mut self, entry: PageEntry) -> Result<(), Refused> {
        let by_program = entry.role == PageRole::Program;
        // Whoever stands at the board has the clock before him, and the arbiter declares results.
        if (by_program && !self.terms.config.at_home) || (entry.act.is_a_programs() && !by_program)
        {
            return Err(Refused::new(Article::A11_3, Note::NoProgramPlays));
        }
        match entry.act {
            PageAct::Clock(read) => self.far_clock_read(read),
            PageAct::RunClocks { run: true } => self.runs_for_program(),
            PageAct::RunClocks { run: false } => {
                self.stands_for_program();
                Ok(())
            }
            PageAct::GoBack { plies, knows } => self.goes_back(plies, knows),
            PageAct::Tells { text } => {
                let text = [Slot::Text(&sentence(text))];
                self.tell_blind(Urgency::Answer, Prompt::ProgramSays, &text);
                self.asks_after_it();
                Ok(())
            }
            PageAct::Ended { result, article, reason } => {
                self.declare(result, article, &reason);
                Ok(())
            }
            PageAct::Executed { seat, uci } => self.move_entered(seat, &uci),
            PageAct::Pressed { seat } => self.pressed(seat),
            PageAct::Score { seat, from_ply, text } => self.score_written(seat, from_ply, &text),
            PageAct::Corrected { seat } => self.corrected(seat),
            PageAct::Stands { seat, fen } => self.board_entered(seat, &fen),
            // The words of a refusal are not for the blind player's ear.
            PageAct::Says { seat, word } => {
                self.says_on_page(seat, word).map_err(|refused| Refused { words: None, ..refused })
            }
            PageAct::Mistyped { seat, uci } => {
                self.line.change.is_mistyped(true);
                let entered = self.move_entered(seat, &uci);
                self.line.change.is_mistyped(false);
                entered
            }
            PageAct::CompareBoards => self.compare_by_hand(None),
            PageAct::ReadOut => {
                self.read_out();
                Ok(())
            }
            PageAct::CallArbiter { reason } => {
                let calls = match reason.is_empty() {
                    true => Note::AssistantCalls,
                    false => Note::AssistantCallsBecause { reason: reason.clone() },
                };
                self.problem(Article::D_2_10_5, calls, json!({ "by": entry.by }));
                self.calls(Caller::Assistant, &reason);
                let words = self.terms.words.prompt(Prompt::ArbiterCalled, &[]);
                self.say_aloud(Urgency::Alert, words);
                Ok(())
            }
        }
    }

    /// The times of the clock where the opponent plays. The flag falls there, not here.
    fn far_clock_read(&mut self, read: ClockRead) -> Result<(), Refused> {
        if read.running != Running::None {
            self.runs_for_program()?;
        }
        // Until the boards stand right no clock runs here, whoever moves there.
        let running = if self.uncorrected().is_some() { Running::None } else { read.running };
        self.clock_read(ClockRead { running, ..read });
        Ok(())
    }

    /// The person who entered it has confirmed it on the page.
    fn says_on_page(&mut self, seat: Color, word: PlayerWord) -> Result<(), Refused> {
        let refused = |article: Article, text: Note| Err(Refused::new(article, text));
        if self.seats[seat].blind {
            let text = Note::BlindSaysItself;
            return refused(Article::D_2_10, text);
        }
        let offered_to_him = self.wishes.offered[!seat];
        match word {
            PlayerWord::Resigns => self.confirmed(seat, Command::Resign, None),
            PlayerWord::OffersDraw if offered_to_him => refused(Article::A9_1, Note::AnswerOffer),
            PlayerWord::OffersDraw if self.wishes.offered[seat] => {
                refused(Article::A9_1, Note::OfferStands)
            }
            PlayerWord::OffersDraw => self.confirmed(seat, Command::OfferDraw, None),
            PlayerWord::AcceptsDraw | PlayerWord::DeclinesDraw if !offered_to_him => {
                refused(Article::A9_1, Note::NothingOffered)
            }
            PlayerWord::AcceptsDraw => self.confirmed(seat, Command::AcceptDraw, None),
            PlayerWord::DeclinesDraw => {
                self.declines(seat);
                Ok(())
            }
            PlayerWord::ClaimsRepetition { intended } => {
                let intended = self.intended(intended)?;
                self.confirmed(seat, Command::ClaimRepetition, intended)
            }
            PlayerWord::ClaimsFifty { intended } => {
                let intended = self.intended(intended)?;
                self.confirmed(seat, Command::ClaimFifty, intended)
            }
            PlayerWord::ClaimsFlag if self.fallen().is_none() => {
                refused(Article::A6_8, Note::NoFlag)
            }
            PlayerWord::ClaimsFlag => self.claims_flag(seat),
            PlayerWord::Adjusts => self.adjusts(Some(seat)),
            PlayerWord::Comments { ply, uci } => self.comments(ply, &uci),
            word @ (PlayerWord::GrantsTakeBack
            | PlayerWord::DeclinesTakeBack
            | PlayerWord::Advises { .. }
            | PlayerWord::Answers { .. }) => self.answers_wish(word),
            PlayerWord::Remarks { .. } if !self.terms.config.at_home => {
                refused(Article::A11_3, Note::NoProgramPlays)
            }
            PlayerWord::Remarks { text } => {
                let text = [Slot::Text(&sentence(text))];
                self.tell_blind(Urgency::Answer, Prompt::OpponentSays, &text);
                self.asks_after_it();
                Ok(())
            }
        }
    }

    /// The move with which a draw is claimed, legal now.
    fn intended(&self, uci: Option<String>) -> Result<Option<Move>, Refused> {
        let Some(uci) = uci else { return Ok(None) };
        let read = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(self.position()).ok());
        match read {
            Some(mv) => Ok(Some(mv)),
            None => {
                Err(Refused::new(Article::A9_5, Note::NotLegalNow { uci: uci.as_str().into() }))
            }
        }
    }
}

/// With the stop that a voice needs.
pub(super) fn sentence(mut text: String) -> String {
    if !text.ends_with(['.', '?', '!']) {
        text.push('.');
    }
    text
}
