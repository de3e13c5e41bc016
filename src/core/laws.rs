//! The Laws of Chess by their article numbers.
//!
//! The article number is the name of a rule everywhere: in a refusal, in a reported problem, on the
//! arbiter's page, in the tests. [`Article`] is that number as a type. [`Article::summary`]
//! restates the rule in one line of our own words.
//!
//! ```
//! use annabella_core::laws::Article;
//!
//! let article: Article = "D.2.3".parse()?;
//! assert_eq!(article, Article::D_2_3);
//! assert_eq!(article.to_string(), "D.2.3");
//! # Ok::<_, annabella_core::laws::UnknownArticle>(())
//! ```
//!
//! # Editions
//!
//! Articles 1 to 12, Appendices C and D and Guideline I have the same numbers in the editions of
//! 2018 and 2023. Appendix A is numbered as in 2023 (its A.3 was B.2 in 2018, its A.5 was A.4).

mod ends;
pub mod winnable;

use std::{fmt, str::FromStr};

use shakmaty::{Chess, EnPassantMode, Position, zobrist::Zobrist128};

pub use ends::ended_after;

/// The properties that two equal positions share (9.2.2), as one number.
pub(crate) fn identity(position: &Chess) -> u128 {
    position.zobrist_hash::<Zobrist128>(EnPassantMode::Legal).0
}

macro_rules! articles {
    ($($name:ident => $number:literal, $summary:literal;)+) => {
        /// An article of the Laws of Chess, of their appendices and guidelines, or of the
        /// tournament regulations (`TR`). Serialised as its number: `"D.2.3"`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(non_camel_case_types)]
        pub enum Article {
            $(
                #[doc = concat!($number, ": ", $summary, ".")]
                $name,
            )+
        }

        impl Article {
            /// Every article known here, in the order of the Laws.
            pub const ALL: &'static [Article] = &[$(Article::$name),+];

            /// The number as the Laws print it: `D.2.3`, `4.3`, `I.8`, `TR.10.5.5`.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Article::$name => $number,)+
                }
            }

            /// The rule in one line of English, no full stop. A restatement, not the text of the
            /// Laws.
            pub const fn summary(self) -> &'static str {
                match self {
                    $(Article::$name => $summary,)+
                }
            }
        }
    };
}

articles! {
    A3_10_2 => "3.10.2", "a move is illegal when it breaks the rules of how the pieces move";
    A4_1 => "4.1", "a move is played with one hand only";
    A4_2 => "4.2", "pieces may be adjusted only after saying so";
    A4_2_1 => "4.2.1", "the player having the move may adjust pieces if he says so first";
    A4_2_2 => "4.2.2", "any other touch counts as intended unless it is clearly an accident";
    A4_3 => "4.3", "a piece touched on purpose must be moved or taken";
    A4_3_1 => "4.3.1", "own pieces touched: the first of them that can move must move";
    A4_3_2 => "4.3.2", "enemy pieces touched: the first of them that can be taken must be taken";
    A4_3_3 => "4.3.3", "pieces of both colours touched: the first own one takes the first enemy one if it can";
    A4_4 => "4.4", "castling and promotion: what the order of touching commits to";
    A4_4_1 => "4.4.1", "king and rook touched: castling on that side must be played if it is legal";
    A4_4_2 => "4.4.2", "rook touched first and then the king: no castling on that side in this move";
    A4_4_3 => "4.4.3", "king touched and then a rook with which castling is illegal: any other legal king move";
    A4_4_4 => "4.4.4", "the choice of a promotion piece is final when it stands on the square";
    A4_5 => "4.5", "none of the touched pieces can move or be taken: any legal move";
    A4_6 => "4.6", "a promotion may be carried out in several ways and orders";
    A4_6_1 => "4.6.1", "the pawn need not be set on the last square before it is exchanged";
    A4_6_2 => "4.6.2", "taking the pawn off and setting the new piece may come in any order";
    A4_6_3 => "4.6.3", "a piece standing on the last square of a promotion must be taken";
    A4_7 => "4.7", "a piece let go of on a square stays there if the move is legal";
    A4_7_1 => "4.7.1", "a capture is made when the taken piece is off and the taking one is let go of";
    A4_7_2 => "4.7.2", "castling is made when the rook is let go of; the king's release already binds";
    A4_7_3 => "4.7.3", "a promotion is made when the new piece is let go of and the pawn is off";
    A4_8 => "4.8", "the right to claim a touched-piece violation is lost by touching a piece oneself";
    A4_9 => "4.9", "a player who cannot move the pieces may have an assistant do it";
    A5_1_1 => "5.1.1", "checkmate by a legal move wins and ends the game";
    A5_1_2 => "5.1.2", "whoever resigns loses, and the game is over at once";
    A5_2_1 => "5.2.1", "no legal move and not in check: stalemate, a draw";
    A5_2_2 => "5.2.2", "neither player can mate by any series of legal moves: dead position, a draw";
    A5_2_3 => "5.2.3", "the players agree to a draw during the game";
    A6_2 => "6.2", "after his move a player stops his clock and starts the other one";
    A6_2_1 => "6.2.1", "pressing the clock completes a move; a move that ends the game needs no press";
    A6_2_1_1 => "6.2.1.1", "a move that ends the game is completed without pressing the clock";
    A6_2_1_2 => "6.2.1.2", "a move is completed when the player has made his next one without pressing";
    A6_2_2 => "6.2.2", "a player may press after his move even when the opponent has already replied";
    A6_2_3 => "6.2.3", "the clock is pressed with the hand that moved";
    A6_2_4 => "6.2.4", "the clock is handled properly and not pressed before the move is made";
    A6_2_5 => "6.2.5", "only the player whose clock is running may adjust pieces";
    A6_2_6 => "6.2.6", "a player who cannot use the clock may have an assistant do it";
    A6_3 => "6.3", "moves and time of a period, and time added to each move";
    A6_3_1 => "6.3.1", "a player completes the required moves or all moves within the allotted time";
    A6_3_2 => "6.3.2", "time not used in one period may be carried into the next";
    A6_4 => "6.4", "when a flag falls the number of moves is checked at once";
    A6_6 => "6.6", "White's clock is started at the hour of the game";
    A6_7 => "6.7", "a player who arrives after the default time loses";
    A6_8 => "6.8", "a flag has fallen when the arbiter sees it or a player claims it";
    A6_9 => "6.9", "out of time loses; a draw when the opponent cannot mate by any series of legal moves";
    A6_10 => "6.10", "what the clock shows counts unless the clock is plainly defective";
    A6_10_1 => "6.10.1", "what the clock shows counts; a defective one is replaced";
    A6_10_2 => "6.10.2", "a wrong setting is corrected at once, with the arbiter's best judgement";
    A6_11 => "6.11", "stopping both clocks";
    A6_11_1 => "6.11.1", "the arbiter stops the clocks when the game must be interrupted";
    A6_11_2 => "6.11.2", "a player stops the clocks only to ask for the arbiter";
    A6_11_3 => "6.11.3", "the arbiter decides when the game goes on";
    A6_11_4 => "6.11.4", "without a valid reason for stopping the clocks there is a penalty";
    A7_1 => "7.1", "after an irregularity the arbiter sets the clocks with his best judgement";
    A7_2 => "7.2", "wrong initial position or wrongly turned board";
    A7_2_1 => "7.2.1", "the pieces stood wrongly at the start: a new game";
    A7_2_2 => "7.2.2", "the board was turned wrongly: the position moves to a right one";
    A7_3 => "7.3", "colours exchanged: a new game if fewer than ten moves were made by both";
    A7_4 => "7.4", "displaced pieces are put back on the time of the player who displaced them";
    A7_4_1 => "7.4.1", "the player who displaced pieces puts them back on his own time";
    A7_4_2 => "7.4.2", "if need be the clocks are stopped and the arbiter called";
    A7_5 => "7.5", "illegal moves";
    A7_5_1 => "7.5.1", "a completed illegal move is taken back and the touched piece must move if it can";
    A7_5_2 => "7.5.2", "a pawn left on its last rank with the clock pressed: illegal, it becomes a queen";
    A7_5_3 => "7.5.3", "pressing the clock without making a move counts as an illegal move";
    A7_5_4 => "7.5.4", "one move made with two hands and the clock pressed counts as an illegal move";
    A7_5_5 => "7.5.5", "first illegal move: two minutes (rapid, blitz: one) for the opponent; second: loss, or draw if he cannot mate";
    A7_6 => "7.6", "a piece found on a wrong square: back to the last position that is certain";
    A8_1 => "8.1", "how moves are recorded";
    A8_1_1 => "8.1.1", "both players record all moves, move after move, in algebraic notation";
    A8_1_2 => "8.1.2", "a move is not written beforehand, except for a claim or an adjournment";
    A8_1_3 => "8.1.3", "a player may reply before recording, but records his last move before the next";
    A8_1_4 => "8.1.4", "the score sheet holds moves, times, offers, claims and the like, nothing else";
    A8_1_5 => "8.1.5", "both players record an offer of a draw as (=)";
    A8_1_6 => "8.1.6", "a player unable to keep score may have an assistant; the arbiter adapts his time";
    A8_2 => "8.2", "the arbiter can see the score sheet throughout the game";
    A8_4 => "8.4", "under five minutes without 30 s a move: no duty to record until the period ends";
    A8_5 => "8.5", "scores are completed after the flag has fallen";
    A8_5_1 => "8.5.1", "neither player records: the arbiter does, and both complete their scores at the flag";
    A8_5_2 => "8.5.2", "one player does not record: he completes his score as soon as a flag has fallen";
    A8_5_3 => "8.5.3", "no complete score at all: the game is reconstructed on a second board";
    A8_6 => "8.6", "scores that cannot be completed: the next move counts as the first of the new period";
    A8_7 => "8.7", "at the end both players sign both scores with the result";
    A9_1 => "9.1", "agreement to a draw";
    A9_1_1 => "9.1.1", "the rules of an event may forbid draws before a number of moves";
    A9_1_2 => "9.1.2", "how a draw is offered, recorded and answered";
    A9_1_2_1 => "9.1.2.1", "a draw is offered after making a move and before pressing; it cannot be withdrawn";
    A9_1_2_2 => "9.1.2.2", "both players record the offer of a draw as (=)";
    A9_1_2_3 => "9.1.2.3", "a claim of a draw counts as an offer of a draw";
    A9_2 => "9.2", "the same position for the third time, claimed by the player having the move";
    A9_2_1 => "9.2.1", "threefold repetition is claimed with the move still to be made or just made by the opponent";
    A9_2_2 => "9.2.2", "positions are the same with the same move, pieces, squares and rights";
    A9_3 => "9.3", "fifty moves by each player without a pawn move or a capture, claimed";
    A9_3_1 => "9.3.1", "the fiftieth move is written down and announced to the arbiter";
    A9_3_2 => "9.3.2", "the last fifty moves by each player had no pawn move and no capture";
    A9_4 => "9.4", "touching a piece gives up the claim of a draw for that move";
    A9_5 => "9.5", "what happens to a claim of a draw";
    A9_5_1 => "9.5.1", "a claim stops the clocks and cannot be withdrawn";
    A9_5_2 => "9.5.2", "a correct claim draws the game at once";
    A9_5_3 => "9.5.3", "a wrong claim: two minutes for the opponent, and the announced move must be made";
    A9_6 => "9.6", "draws that need no claim";
    A9_6_1 => "9.6.1", "the same position for the fifth time: a draw";
    A9_6_2 => "9.6.2", "seventy-five moves by each player without a pawn move or a capture: a draw unless mate";
    A11_1 => "11.1", "no action that brings the game of chess into disrepute";
    A11_3 => "11.3", "no notes, no advice, no analysis and no unauthorised devices during play";
    A11_3_1 => "11.3.1", "no notes, no source of information or advice, no analysis on another board";
    A11_3_2 => "11.3.2", "no electronic device that the arbiter has not approved";
    A11_5 => "11.5", "the opponent is neither distracted nor annoyed";
    A11_7 => "11.7", "whoever persistently refuses to comply with the Laws loses";
    A12_8 => "12.8", "no telephones or other means of communication unless the arbiter allows them";
    A12_9 => "12.9", "the penalties open to the arbiter";
    A12_9_1 => "12.9.1", "a warning";
    A12_9_2 => "12.9.2", "more time for the opponent";
    A12_9_3 => "12.9.3", "less time for the offender";
    A12_9_4 => "12.9.4", "more points for the opponent, up to a win";
    A12_9_5 => "12.9.5", "fewer points for the offender";
    A12_9_6 => "12.9.6", "loss of the game";
    A12_9_7 => "12.9.7", "a fine announced beforehand";
    A12_9_8 => "12.9.8", "exclusion from one or more rounds";
    A12_9_9 => "12.9.9", "exclusion from the event";
    A_1 => "A.1", "rapid: more than ten and less than sixty minutes a player";
    A_2 => "A.2", "rapid: moves need not be recorded";
    A_3 => "A.3", "rapid and blitz: the penalties of articles 7 and 9 are one minute instead of two";
    A_4 => "A.4", "rapid: the competition rules apply with enough arbiters and a record of each game";
    A_5_1 => "A.5.1", "rapid: after ten moves of each no claim about the setting of pieces or clock";
    A_5_2 => "A.5.2", "rapid: an illegal move is dealt with only until the opponent has made his next one";
    A_5_3 => "A.5.3", "rapid: a win on time is claimed; a draw if the claimant cannot mate";
    A_5_4 => "A.5.4", "rapid: an impossible position left standing for another move is a draw";
    A_5_5 => "A.5.5", "rapid: the arbiter calls a fallen flag that he sees";
    B_1 => "B.1", "blitz: ten minutes or less a player";
    B_2 => "B.2", "blitz: the competition rules apply with an arbiter and a record for each game";
    B_3 => "B.3", "blitz: otherwise the rules of rapid chess";
    C => "C", "algebraic notation is the only accepted one";
    C_3 => "C.3", "every player may use the piece letters of his own country";
    C_4 => "C.4", "pawns have no letter";
    C_8 => "C.8", "a move is the piece's letter and the square; the origin may be added";
    C_9 => "C.9", "a capture may be marked with x";
    C_9_3 => "C.9.3", "a pawn's capture begins with the file it leaves; e.p. may be added";
    C_10 => "C.10", "two like pieces can go there: the file is added, or the rank if the file is the same";
    C_11 => "C.11", "a promotion names the new piece after the square: d8Q";
    C_12 => "C.12", "an offer of a draw is written (=)";
    C_13 => "C.13", "0-0, 0-0-0, x, +, ++ or #, e.p.; the last four are optional";
    D_1 => "D.1", "the organiser may adapt the rules; either player may demand two boards";
    D_1_1 => "D.1.1", "the peg board measures at least 20 by 20 cm";
    D_1_2 => "D.1.2", "its black squares are slightly raised";
    D_1_3 => "D.1.3", "every square has a hole that holds a peg";
    D_1_4 => "D.1.4", "the pieces have pegs and Staunton shape, and the black ones a special mark";
    D_2 => "D.2", "how a game with a blind player is played";
    D_2_1 => "D.2.1", "moves are announced, repeated by the opponent and executed on his board";
    D_2_2 => "D.2.2", "on the blind player's board a piece is touched when it leaves its hole";
    D_2_3 => "D.2.3", "a blind player's move is made when the taken piece is off, the peg is set and it is announced";
    D_2_3_1 => "D.2.3.1", "the captured piece has been taken off the board";
    D_2_3_2 => "D.2.3.2", "the piece stands in another hole";
    D_2_3_3 => "D.2.3.3", "the move has been announced";
    D_2_4 => "D.2.4", "only a move that is made allows the opponent's clock to be started";
    D_2_5 => "D.2.5", "the ordinary rules of touching and making hold for the sighted player";
    D_2_6 => "D.2.6", "the blind player's clock lets him know the time and the number of moves";
    D_2_7 => "D.2.7", "the blind player keeps score in Braille, by hand or with a recording device";
    D_2_8 => "D.2.8", "a slip of the tongue is corrected at once, before the opponent's clock is started";
    D_2_9 => "D.2.9", "boards that differ are corrected with the arbiter and both scores";
    D_2_10 => "D.2.10", "the blind player may have an assistant with some or all of six duties";
    D_2_10_1 => "D.2.10.1", "the assistant makes either player's move on the opponent's board";
    D_2_10_2 => "D.2.10.2", "the assistant announces the moves of both players";
    D_2_10_3 => "D.2.10.3", "the assistant keeps the blind player's score and starts the opponent's clock";
    D_2_10_4 => "D.2.10.4", "the assistant tells the moves made and the times used, only when asked";
    D_2_10_5 => "D.2.10.5", "the assistant claims on time and informs the arbiter, as of the sighted player's touches";
    D_2_10_6 => "D.2.10.6", "the assistant carries out the formalities of an adjournment";
    D_2_11 => "D.2.11", "the sighted player may have an assistant too; with a deaf opponent one is required";
    I_1 => "I.1", "adjourning: the player having the move seals it, or is taken to have sealed";
    I_1_1 => "I.1.1", "the sealed move is written, put into the envelope, and only then the clock is stopped";
    I_1_2 => "I.1.2", "who adjourns early is charged with the time to the end of the session";
    I_2 => "I.2", "what is written on the envelope";
    I_3 => "I.3", "the arbiter checks the envelope and keeps it";
    I_4 => "I.4", "a draw offered after the sealing stands until it is answered";
    I_5 => "I.5", "before resumption the position is set up and the clocks show the times used";
    I_6 => "I.6", "a draw or a resignation before resumption ends the game";
    I_7 => "I.7", "the envelope is opened only in the presence of the player who must reply";
    I_8 => "I.8", "an ambiguous, unreadable or illegal sealed move loses";
    I_9 => "I.9", "who is present at resumption, and whose clock runs";
    I_10 => "I.10", "arriving after the default time loses, unless the sealed move ended the game";
    I_11 => "I.11", "neither present: the player who must reply loses the time";
    I_12 => "I.12", "a lost envelope: from the adjourned position, or a new game if nobody knows it";
    I_13 => "I.13", "a wrong time is put right before the first move after resumption, or stays";
    I_14 => "I.14", "the arbiter's watch counts the time of each resumption";
    III_4 => "III.4", "quickplay finish: with less than two minutes a player may ask for five seconds a move";
    III_5 => "III.5", "quickplay finish: with less than two minutes a player may claim a draw";
    III_5_1 => "III.5.1", "quickplay finish: the opponent cannot or does not try to win by normal means: a draw";
    III_5_2 => "III.5.2", "quickplay finish: the arbiter postpones his decision, until after a fallen flag at the latest";
    III_5_3 => "III.5.3", "quickplay finish: a claim is rejected: two more minutes for the opponent";
    TR_10_4_2 => "TR.10.4.2", "a blind player's assistant knows the names of the pieces in the player's language";
    TR_10_4_4 => "TR.10.4.4", "the assistant always records the moves";
    TR_10_5_5 => "TR.10.5.5", "a blind player need not record in his last five minutes, even with 30 s a move";
}

impl fmt::Display for Article {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Not the number of an article that is known here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not an article of the Laws, write it like D.2.3, 4.3 or TR.10.5.5")]
pub struct UnknownArticle {
    pub text: String,
}

impl FromStr for Article {
    type Err = UnknownArticle;

    fn from_str(text: &str) -> Result<Article, UnknownArticle> {
        Article::ALL
            .iter()
            .copied()
            .find(|article| article.as_str() == text)
            .ok_or_else(|| UnknownArticle { text: text.to_owned() })
    }
}

impl serde::Serialize for Article {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for Article {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Article, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Whether neither player can mate with what is left on the board (5.2.2).
///
/// Looks at the material only: bare kings, one minor piece, bishops all on one colour. Locked pawns
/// are the business of [`winnable::dead`].
///
/// Source: FIDE 5.2.2
pub fn dead_position(pos: &Chess) -> bool {
    pos.is_insufficient_material()
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>()
            .expect("a FEN")
            .into_position(CastlingMode::Standard)
            .expect("a legal position")
    }

    #[test]
    fn every_number_is_written_and_read_back_and_none_twice() {
        for (n, &article) in Article::ALL.iter().enumerate() {
            assert_eq!(article.as_str().parse(), Ok(article));
            let json = serde_json::to_string(&article).expect("a string");
            assert_eq!(json, format!("\"{article}\""));
            assert_eq!(serde_json::from_str::<Article>(&json).ok(), Some(article));
            assert!(
                Article::ALL[..n].iter().all(|a| a.as_str() != article.as_str()),
                "{article} twice"
            );
        }
    }

    #[test]
    fn names_follow_the_numbers() {
        for article in Article::ALL {
            let name = format!("{article:?}");
            let number = article.as_str().replace('.', "_");
            let expected = match number.chars().next() {
                Some('0'..='9') => format!("A{number}"),
                _ => number,
            };
            assert_eq!(name, expected);
        }
    }

    #[test]
    fn summaries_are_one_short_line() {
        for article in Article::ALL {
            let summary = article.summary();
            assert!(!summary.contains('\n') && !summary.ends_with('.'), "{article}");
            assert!((3..=110).contains(&summary.len()), "{article}: {}", summary.len());
        }
    }

    #[test]
    fn an_unknown_article_is_named() {
        let err = "D.2.33".parse::<Article>().expect_err("no such article");
        assert_eq!(
            err.to_string(),
            "'D.2.33' is not an article of the Laws, write it like D.2.3, 4.3 or TR.10.5.5"
        );
        assert!(serde_json::from_str::<Article>("\"7.5.9\"").is_err());
    }

    #[test]
    fn bare_kings_and_a_lone_minor_piece_are_dead_a_pawn_is_not() {
        assert!(dead_position(&position("8/8/4k3/8/8/3K4/8/8 w - - 0 1")));
        assert!(dead_position(&position("8/8/4k3/8/8/3KB3/8/8 w - - 0 1")));
        assert!(dead_position(&position("8/8/4kn2/8/8/3K4/8/8 w - - 0 1")));
        assert!(!dead_position(&position("8/8/4k3/8/4P3/3K4/8/8 w - - 0 1")));
        assert!(!dead_position(&position("8/8/4kn2/8/8/3KB3/8/8 w - - 0 1")));
    }
}
