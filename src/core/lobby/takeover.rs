//! This board takes the place of another one of the hall. She says the words of the question that
//! follows, or chooses the topic and says the number; nothing is done before her yes.

use super::{Lobby, LobbyOutput, NotTaken, steps::Step};
use crate::questionnaire::Questionnaire;
use annabella_words::phrase::{Prompt, Slot, Utterance, normal_words, timing::LARGEST};

/// Boards that are listened for by their numbers. One with another number is named digit by digit.
const LISTENED_FOR: u32 = 100;
/// No board's number has more digits.
const DIGITS: usize = 5;

impl Lobby {
    /// Whether another board can be named at this question.
    pub(super) fn takes_board(&self) -> bool {
        self.hall && matches!(self.state.step, Step::AllRight | Step::Menu | Step::WhichBoard)
    }

    /// The numbers that are offered and listened for.
    pub(super) fn board_numbers() -> impl Iterator<Item = u32> {
        1..=LISTENED_FOR
    }

    pub(super) fn ask_take_over(&self, board: u32) -> Utterance {
        self.prompt(Prompt::AskTakeOver, &[Slot::Number(board)])
    }

    /// The board that is named.
    pub(super) fn board_in(&self, text: &str) -> Option<u32> {
        let numbers = self.state.step == Step::WhichBoard;
        let number = || self.digits(text).or_else(|| self.timing.number(text));
        let number = numbers.then(number).flatten().filter(|board| *board > 0);
        number.or_else(|| self.named_board(text))
    }

    /// "Brett siebzehn übernehmen": the words of the question.
    fn named_board(&self, text: &str) -> Option<u32> {
        let words = normal_words(text);
        let typed = text.split_whitespace().find_map(|word| word.parse().ok());
        let spelled = |board: u32| {
            let digits = |word: &str| word.parse().is_ok_and(|number: u32| number == board);
            let number = normal_words(&self.words.prompts().number(board));
            let all = words
                .iter()
                .flat_map(|word| if digits(word) { number.clone() } else { vec![word.clone()] });
            normal_words(&self.ask_take_over(board).to_string()).into_iter().eq(all)
        };
        match typed {
            Some(board) => Some(board).filter(|board| *board > 0 && spelled(*board)),
            None => (1..=LARGEST).find(|board| spelled(*board)),
        }
    }

    fn digits(&self, text: &str) -> Option<u32> {
        let words = normal_words(text);
        if !(2..=DIGITS).contains(&words.len()) {
            return None;
        }
        let digit = |word: &String| self.timing.number(word).filter(|digit| *digit < 10);
        words.iter().try_fold(0, |number, word| Some(number * 10 + digit(word)?))
    }

    /// What may be said, for the recogniser.
    pub(super) fn board_phrases(&self) -> Vec<String> {
        let pack = self.words.prompts();
        let mut phrases = Vec::new();
        if self.takes_board() {
            let asked = |board| self.ask_take_over(board).to_string().to_lowercase();
            phrases
                .extend(Lobby::board_numbers().map(|board| asked(board).replace(['¿', '?'], "")));
        }
        if self.state.step == Step::WhichBoard {
            // A recogniser cares for pairs of words: any digit may follow any.
            let pairs = (0..100).map(|pair| [pair / 10, pair % 10].map(|digit| pack.number(digit)));
            phrases.extend(pairs.map(|pair| pair.join(" ").to_lowercase()));
        }
        phrases
    }

    /// She has said yes.
    pub(super) fn take_over(&mut self, board: u32) {
        self.tell(Prompt::TakingOver, &[]);
        self.out.push(LobbyOutput::TakeOver(board));
    }

    pub(super) fn not_taken(&mut self, board: u32, why: NotTaken) {
        let prompt = match why {
            NotTaken::NothingThere => Prompt::NothingToTakeOver,
            NotTaken::StillPlays => Prompt::BoardStillPlays,
            NotTaken::NoHall => Prompt::NoHall,
            NotTaken::Failed => Prompt::NotTakenOver,
        };
        let slots = [Slot::Number(board)];
        let slots = if why == NotTaken::NoHall { &[][..] } else { &slots };
        let words = self.prompt(prompt, slots);
        self.place(Step::AllRight);
        self.ask_after(words);
    }
}
