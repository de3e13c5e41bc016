//! Answers, only when asked, on the private channel (D.2.6, D.2.10.4).

use shakmaty::{Color, Piece, Position, Square, attacks};

use super::{
    Article, Channel, Output, Play, Proposal, Refused, Urgency,
    rereading::{Again, Pace},
    verdict::Verdict,
};
use crate::sensing::Tracker;
use annabella_words::phrase::{
    Command, Note, Prompt, Slot, SpokenForm, Utterance, diagonals_through,
};

impl Play {
    /// A request of the player of this colour.
    pub(super) fn request(&mut self, speaker: Color, command: Command) -> Result<(), Refused> {
        self.may_be_informed(speaker, command)?;
        self.may_request(speaker, command)?;
        let answer = Urgency::Answer;
        match command {
            Command::Stop => self.mouth.emit(Output::Hush { seat: Some(speaker) }),
            Command::Repeat => {
                if let Some(words) = self.mouth.last[speaker].words.clone() {
                    self.say_to(speaker, answer, words);
                }
            }
            Command::StartClock => {
                if !self.runs() {
                    self.start_clock(Some(speaker))?;
                }
                // A question may come first.
                if self.runs() {
                    self.tell(speaker, answer, Prompt::ClockStarted, &[]);
                }
            }
            Command::Press => return self.presses_in_words(speaker),
            Command::WhoseMove => self.tells_whose_move(speaker),
            Command::Pending => self.tell_pending(speaker),
            Command::Louder => self.change_volume(speaker, true),
            Command::Quieter => self.change_volume(speaker, false),
            Command::Faster => self.change_rate(speaker, true),
            Command::Slower => self.change_rate(speaker, false),
            Command::Help => self.helps(speaker),
            Command::CallArbiter => self.call_arbiter(speaker),
            Command::Codes => self.mouth.emit(Output::Codes { seat: speaker }),
            Command::Done => self.done_by_word(speaker),
            Command::CheckBoard => return self.begins_walk(speaker),
            Command::CompareBoards => return self.compare_by_hand(Some(speaker)),
            Command::Adjourn => return self.asks_to_adjourn(speaker),
            Command::StopClock => return self.stops_clocks(speaker),
            Command::ClaimFlag => return self.claims_flag(speaker),
            Command::Sign => return self.sign(speaker),
            Command::CompleteScore => self.completes_score(speaker),
            Command::Hint | Command::Evaluation => {
                self.asks_opponent(speaker, command)?;
            }
            Command::WrongStart => return self.finds_wrong_start(speaker),
            Command::WrongColours => return self.finds_wrong_colours(speaker),
            command => {
                let told = self.tells_times(speaker, command)
                    || self.tells_moves(speaker, command)
                    || self.tells_position(speaker, command)
                    || self.tells_about(speaker, command);
                // The dialogue handles answers and wishes: `Play::command` keeps them from here.
                if !told {
                    self.not_heard(Some(speaker));
                }
            }
        }
        Ok(())
    }

    fn tells_whose_move(&mut self, speaker: Color) {
        if self.is_over() {
            let words = self.over_words(speaker);
            return self.say_to(speaker, Urgency::Answer, words);
        }
        let mover = self.mover();
        self.tell(speaker, Urgency::Answer, Prompt::WhoseMove, &[Slot::Player(mover)]);
    }

    /// "Fertig". Hands go on to the clock after the end: that is answered, and nobody's fault.
    fn presses_in_words(&mut self, speaker: Color) -> Result<(), Refused> {
        if self.is_over() {
            let words = self.over_words(speaker);
            self.say_to(speaker, Urgency::Answer, words);
            return Ok(());
        }
        // Nobody presses for an opponent whose words may have been a repetition (D.2.1).
        if speaker != self.mover()
            && let Some(mv) = self.line.turn.perhaps.take()
        {
            self.ask_whether(mv, self.line.len(), None);
            return Ok(());
        }
        // A word moves no lever: before a move it is a slip of the tongue, and no offence.
        let slips = match self.press_comes_to(speaker) {
            Verdict::WithoutMove => true,
            Verdict::Early(missing) => missing.article == Article::A7_5_3,
            _ => false,
        };
        if slips {
            self.tell(speaker, Urgency::Answer, Prompt::PressedWithoutMove, &[]);
            return Ok(());
        }
        self.pressed(speaker)
    }

    /// Times and numbers of moves are told only to the blind player, and only where that is a duty
    /// (D.2.10.4).
    pub(super) fn may_be_informed(&self, speaker: Color, command: Command) -> Result<(), Refused> {
        let informing = command.informs();
        if informing && !self.terms.config.duties.inform {
            let words = self.terms.words.prompt(Prompt::InformingOff, &[]);
            let text = Note::InformingOff;
            return Err(Refused::new(Article::D_2_10_4, text).saying(words));
        }
        if informing && !self.seats[speaker].blind {
            let text = Note::InformsBlind;
            return Err(Refused::new(Article::D_2_10_4, text));
        }
        Ok(())
    }

    /// What is asked is a time or a number of moves.
    fn tells_times(&mut self, speaker: Color, command: Command) -> bool {
        let (white_ms, black_ms, _) = self.timing.clock.reading(self.at);
        let (mine, theirs) =
            if speaker.is_white() { (white_ms, black_ms) } else { (black_ms, white_ms) };
        let (white_used, black_used) = self.used_ms();
        let (my_used, their_used) =
            if speaker.is_white() { (white_used, black_used) } else { (black_used, white_used) };
        let answer = Urgency::Answer;
        match command {
            Command::MyTime => {
                self.tell(speaker, answer, Prompt::YourTime, &[Slot::Duration(mine)])
            }
            Command::OpponentTime => {
                self.tell(speaker, answer, Prompt::OpponentTime, &[Slot::Duration(theirs)]);
            }
            Command::BothTimes => {
                let slots = [Slot::Duration(mine), Slot::Duration(theirs)];
                self.tell(speaker, answer, Prompt::BothTimes, &slots);
            }
            Command::MyTimeUsed => {
                self.tell(speaker, answer, Prompt::YourTimeUsed, &[Slot::Duration(my_used)]);
            }
            Command::OpponentTimeUsed => {
                self.tell(speaker, answer, Prompt::OpponentTimeUsed, &[Slot::Duration(their_used)]);
            }
            Command::BothTimesUsed => {
                let slots = [Slot::Duration(my_used), Slot::Duration(their_used)];
                self.tell(speaker, answer, Prompt::BothTimesUsed, &slots);
            }
            Command::MovesMade => {
                let made = self.line.iter().filter(|ply| ply.mover == speaker).count();
                let made = u32::try_from(made).unwrap_or(u32::MAX);
                self.tell(speaker, answer, Prompt::MovesMade, &[Slot::Number(made)]);
            }
            Command::MovesToControl => match self.timing.clock.moves_to_control(speaker) {
                Some(left) => {
                    self.tell(speaker, answer, Prompt::MovesToControl, &[Slot::Number(left)])
                }
                None => self.tell(speaker, answer, Prompt::NoControl, &[]),
            },
            _ => return false,
        }
        true
    }

    /// What is asked is which moves were made.
    fn tells_moves(&mut self, speaker: Color, command: Command) -> bool {
        match command {
            Command::LastMove => self.tell_last_move(speaker),
            Command::MoveBefore => self.tell_again(speaker, Again::BeforeLast),
            Command::LastMoves(n) => self.tell_again(speaker, Again::Last(n)),
            Command::MoveNumber(n) => self.tell_again(speaker, Again::Number(n)),
            Command::MovesFrom(n) => self.tell_again(speaker, Again::From(n)),
            Command::MoveOf { mine } => {
                let mover = if mine { speaker } else { !speaker };
                self.tell_again(speaker, Again::Of(mover));
            }
            Command::MoveBy { white } => {
                self.tell_again(speaker, Again::Of(Color::from_white(white)));
            }
            Command::Changed => self.tell_changed(speaker),
            Command::ScoreBack | Command::ScoreOn | Command::ScoreStart | Command::ScoreEnd
                if !self.is_over() =>
            {
                self.tell(speaker, Urgency::Answer, Prompt::NoResultYet, &[]);
            }
            Command::ScoreBack => self.walks_score(speaker, Pace::Back),
            Command::ScoreOn => self.walks_score(speaker, Pace::On),
            Command::ScoreStart => self.walks_score(speaker, Pace::Start),
            Command::ScoreEnd => self.walks_score(speaker, Pace::End),
            _ => return false,
        }
        true
    }

    /// What is asked is how the pieces stand.
    fn tells_position(&mut self, speaker: Color, command: Command) -> bool {
        let answer = Urgency::Answer;
        match command {
            Command::OnSquare(square) => self.tell_square(speaker, square),
            Command::OnFile(file) => {
                let pieces = self.pieces(|square, _| square.file() == file);
                if pieces.is_empty() {
                    self.tell(speaker, answer, Prompt::FileEmpty, &[Slot::File(file)]);
                } else {
                    self.tell(
                        speaker,
                        answer,
                        Prompt::FileHolds,
                        &[Slot::File(file), Slot::OnFile(&pieces)],
                    );
                }
            }
            Command::OnRank(rank) => {
                let pieces = self.pieces(|square, _| square.rank() == rank);
                if pieces.is_empty() {
                    self.tell(speaker, answer, Prompt::RankEmpty, &[Slot::Rank(rank)]);
                } else {
                    self.tell(
                        speaker,
                        answer,
                        Prompt::RankHolds,
                        &[Slot::Rank(rank), Slot::OnRank(&pieces)],
                    );
                }
            }
            Command::OnDiagonal(square, other) => self.tell_diagonals(speaker, square, other),
            Command::Where { role, mine } => {
                self.tell_kind(speaker, role.of(if mine { speaker } else { !speaker }));
            }
            Command::WhereOf { role, white } => {
                self.tell_kind(speaker, role.of(Color::from_white(white)));
            }
            Command::Captured => self.tell_captured(speaker),
            _ => return false,
        }
        true
    }

    fn tell_kind(&mut self, speaker: Color, piece: Piece) {
        let words = self.where_words(piece).unwrap_or_else(|| {
            self.terms.words.prompt(Prompt::WhereNone, &[Slot::Piece(piece.role)])
        });
        self.say_in_ear(speaker, Urgency::Answer, words);
    }

    /// The words for the moment; asked once more, all of them.
    fn helps(&mut self, speaker: Color) {
        // Without sensors nothing else goes on before the board is put right.
        if let Some(step) = self.next_on_board(speaker).filter(|_| self.seats[speaker].is_said()) {
            self.say_to(speaker, Urgency::Answer, step);
            return;
        }
        let say = |prompt| self.terms.words.prompt(prompt, &[]);
        let short = if self.dialogue.question().is_some() {
            say(Prompt::HelpQuestion)
        } else if self.is_over() {
            say(Prompt::HelpOver)
        } else if let Some(words) = self.not_begun() {
            words
        } else if self.on_turn(speaker) {
            say(Prompt::HelpShort)
        } else {
            say(Prompt::HelpWaiting)
        };
        let more = if self.is_over() { Prompt::HelpMoreOver } else { Prompt::HelpMore };
        let told = self.mouth.last[speaker].words.as_ref() == Some(&short);
        let words = if told { say(more) } else { short };
        self.say_in_ear(speaker, Urgency::Answer, words);
    }

    /// The time that White and Black have used, milliseconds.
    pub(super) fn used_ms(&self) -> (u64, u64) {
        let used = |color| self.timing.clock.spent_ms(self.at, color);
        (used(Color::White), used(Color::Black))
    }

    /// Pieces of the position that is asked about, from a1 on.
    pub(super) fn pieces(&self, wanted: impl Fn(Square, Piece) -> bool) -> Vec<(Square, Piece)> {
        let board = self.asked_position().board();
        board
            .occupied()
            .into_iter()
            .filter_map(|square| board.piece_at(square).map(|piece| (square, piece)))
            .filter(|(square, piece)| wanted(*square, *piece))
            .collect()
    }

    pub(super) fn tell_square(&mut self, speaker: Color, square: Square) {
        let words = self.square_words(square);
        self.say_in_ear(speaker, Urgency::Answer, words);
    }

    /// What stands on a square.
    pub(super) fn square_words(&self, square: Square) -> Utterance {
        match self.asked_position().board().piece_at(square) {
            Some(piece) => {
                let slots = [Slot::Square(square), Slot::ColoredPiece(piece)];
                self.terms.words.prompt(Prompt::SquareHolds, &slots)
            }
            None => self.terms.words.prompt(Prompt::SquareEmpty, &[Slot::Square(square)]),
        }
    }

    /// The diagonals through a square, or of them the one that goes through another, too.
    fn tell_diagonals(&mut self, speaker: Color, square: Square, other: Option<Square>) {
        for (first, last) in diagonals_through(square) {
            let on = attacks::ray(first, last);
            if other.is_some_and(|other| !on.contains(other)) {
                continue;
            }
            let pieces = self.pieces(|square, _| on.contains(square));
            let ends = [Slot::Square(first), Slot::Square(last)];
            if pieces.is_empty() {
                self.tell(speaker, Urgency::Answer, Prompt::DiagonalEmpty, &ends);
            } else {
                let slots = [ends[0], ends[1], Slot::Pieces(&pieces)];
                self.tell(speaker, Urgency::Answer, Prompt::DiagonalHolds, &slots);
            }
        }
    }

    fn tell_captured(&mut self, speaker: Color) {
        let captured: Vec<Piece> = self
            .line
            .iter()
            .filter_map(|ply| Some(Piece { color: !ply.mover, role: ply.mv.capture()? }))
            .collect();
        if captured.is_empty() {
            self.tell(speaker, Urgency::Answer, Prompt::CapturedNone, &[]);
        } else {
            self.tell(speaker, Urgency::Answer, Prompt::Captured, &[Slot::Counted(&captured)]);
        }
    }

    fn change_volume(&mut self, speaker: Color, up: bool) {
        self.change_manner(speaker, Prompt::VolumeNow, |manner| {
            manner.volume = super::louder(manner.volume, up);
            u32::from(manner.volume)
        });
    }

    fn change_rate(&mut self, speaker: Color, up: bool) {
        self.change_manner(speaker, Prompt::RateNow, |manner| {
            manner.words_per_minute = super::faster(manner.words_per_minute, up);
            u32::from(manner.words_per_minute)
        });
    }

    /// Changes the channel that the player has just heard: after an announcement the loudspeaker,
    /// after an answer his earphone. The answer itself does not make it the other one.
    fn change_manner(
        &mut self,
        speaker: Color,
        answer: Prompt,
        change: impl Fn(&mut super::Manner) -> u32,
    ) {
        let aloud = self.mouth.last[speaker].aloud;
        let manner = if aloud { &mut self.mouth.public } else { &mut self.mouth.private[speaker] };
        let now = change(manner);
        let super::Manner { volume, words_per_minute } = *manner;
        let channel = if aloud { Channel::Public } else { Channel::Private };
        let seat = (!aloud).then_some(speaker);
        self.mouth.emit(Output::Manner { channel, seat, volume, words_per_minute });
        self.tell(speaker, Urgency::Answer, answer, &[Slot::Number(now)]);
        self.mouth.last[speaker].aloud = aloud;
    }

    fn tell_last_move(&mut self, speaker: Color) {
        let Some(ply) = self.line.last() else {
            self.tell(speaker, Urgency::Answer, Prompt::NoMoveYet, &[]);
            return;
        };
        let pos = self.line.positions()[self.line.len() - 1].clone();
        let slot = Slot::Move { pos: &pos, mv: ply.mv, form: self.form() };
        self.tell(speaker, Urgency::Answer, Prompt::LastMove, &[slot]);
    }

    /// What is open for this player: a question to him, his board, a move, a clock that stands.
    pub(super) fn tell_pending(&mut self, speaker: Color) {
        if self.dialogue.of().is_none_or(|of| of == speaker) && self.ask_again() {
            return;
        }
        if self.dialogue.correcting == Some(speaker) {
            self.tell(speaker, Urgency::Answer, Prompt::SayCorrection, &[]);
            return;
        }
        if let Some(pegs) = self.seats[speaker].tracker_mut() {
            pegs.look_again();
        }
        let pos = self.position().clone();
        let form = self.form();
        let slot = |mv| [Slot::Move { pos: &pos, mv, form }];
        let turn = Some(&self.line.turn).filter(|_| !self.is_over());
        let executed = turn.and_then(|turn| Some(turn.executed.as_ref()?.mv));
        let announced = turn.and_then(|turn| Some(turn.announced?.mv));
        // Once his hands are mending it, they are told how.
        let mends = self.seats[speaker].tracker().is_some_and(|pegs| !pegs.diff().is_empty());
        if let (Some(announced), Some(executed), false) = (announced, executed, mends) {
            let slots = [announced, executed].map(|mv| Slot::Move { pos: &pos, mv, form });
            self.tell(speaker, Urgency::Answer, Prompt::AnnouncedButExecuted, &slots);
        } else if let Some(words) = self.next_for_hands(speaker) {
            self.say_to(speaker, Urgency::Answer, words);
        } else if self.unknown_press().is_some() {
            self.ask_for_pressed();
        } else if let Some(mv) = announced {
            // He may still announce another one.
            let slot = [Slot::Move { pos: &pos, mv, form: SpokenForm::Asked }];
            self.tell(speaker, Urgency::Answer, Prompt::AnnouncedNotExecuted, &slot);
        } else if let Some(mv) = executed {
            self.tell(speaker, Urgency::Answer, Prompt::ExecutedNotAnnounced, &slot(mv));
        } else if let Some(words) = self.clocks_wait_for(speaker) {
            self.say_to(speaker, Urgency::Answer, words);
        } else if self.has_to_press(speaker) {
            self.tell(speaker, Urgency::Answer, Prompt::PressPending, &[]);
        } else if let Some(words) = self.waits_beside(speaker) {
            self.say_to(speaker, Urgency::Answer, words);
        } else {
            self.tell(speaker, Urgency::Answer, Prompt::NothingPending, &[]);
        }
    }

    /// What is open although this player has to move or to wait: an offer of his opponent stands,
    /// or another board differs. What waits for the arbiter while the clocks run keeps nobody.
    fn waits_beside(&self, speaker: Color) -> Option<Utterance> {
        let illegal = self.shows_illegal(!speaker).is_some();
        let prompt = match () {
            () if self.is_over() => return None,
            () if self.wishes.offered[!speaker] => Prompt::OpponentOffersDraw,
            () if illegal => Prompt::BoardsDiffer,
            () => self.boards_wait_for()?,
        };
        Some(self.terms.words.prompt(prompt, &[]))
    }

    /// The clocks stand, and for what.
    fn clocks_wait_for(&self, speaker: Color) -> Option<Utterance> {
        let stand = || self.clocks_stand(Some(speaker));
        self.arbiter_waited_for().or_else(stand).or_else(|| self.not_begun())
    }

    /// The clocks stand while the arbiter compares boards, or finds how the game began: nobody is
    /// told to let them run.
    fn arbiter_waited_for(&self) -> Option<Utterance> {
        self.clocks_stand(None)?;
        let began = |proposal: &Proposal| {
            proposal.is_open() && matches!(proposal.article, Article::A7_2_1 | Article::A7_3)
        };
        let called = self.arbitration.proposals.iter().any(began).then_some(Prompt::ArbiterCalled);
        let prompts = [self.boards_wait_for().or(called)?, Prompt::ArbiterDecides];
        Some(Utterance::joined(prompts.map(|one| self.terms.words.prompt(one, &[]))))
    }

    /// This player's move is made and not completed, and nobody presses for him.
    fn has_to_press(&self, speaker: Color) -> bool {
        let open = self.line.open().is_some_and(|ply| ply.mover == speaker);
        open && !self.is_over() && self.timing.grace.is_none() && self.runs()
    }

    /// The next step for this player's hands: his board is put right, or lacks his opponent's move.
    fn next_for_hands(&self, of: Color) -> Option<Utterance> {
        let seat = &self.seats[of];
        let begun = |tracker: &Tracker| tracker.is_guided() || !tracker.diff().is_empty();
        // After the end a board is packed up.
        let wrong = seat.tracker().is_some_and(begun) || self.is_astray(of);
        let wrong = wrong && !self.is_over();
        let step = || self.next_on_board(of).filter(|_| wrong || seat.correction.is_some());
        let owed = || {
            let (index, mv) = self.owed(of).filter(|_| seat.has_board())?;
            let slot = Slot::Move { pos: &self.line.positions()[index], mv, form: self.form() };
            Some(self.terms.words.prompt(Prompt::ExecuteOpponentMove, &[slot]))
        };
        self.turned_pegs(of).or_else(|| self.in_hand(of)).or_else(step).or_else(owed)
    }

    /// The pieces in his hand, where a move may come of them: they bind him (4.3), and nobody tells
    /// him to put them back.
    fn in_hand(&self, of: Color) -> Option<Utterance> {
        let free = of == self.mover() && self.on_turn(of) && self.seats[of].correction.is_none();
        // Another move of the opponent's than he made binds nobody to go on from it.
        let here = |pegs: &&Tracker| pegs.position().board() == self.position().board();
        let pegs = self.seats[of].tracker().filter(|_| free).filter(here)?;
        let held = pegs.held_for_move();
        let head = self.terms.words.prompt(Prompt::InHand, &[]);
        let held = held.into_iter().map(|square| self.square_words(square)).collect::<Vec<_>>();
        (!held.is_empty()).then(|| Utterance::joined([head].into_iter().chain(held)))
    }
}
