//! A snapshot of a game, for the pages.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Square, san::SanPlus, uci::UciMove};

use super::{
    asked,
    log::{Log, numbered},
    view::{
        AdjournView, BoardView, Cell, ChoiceView, ClockChoice, Clocks, Correcting, DecisionView,
        EventKind, GameView, HomeView, Mark, MoveView, ProposalView, ScoreRow, SeatColor, Stands,
        StepView, TimesFrom, ToPlay, VerdictView, View,
    },
};
use annabella_core::{
    game::{ArbiterAct, At, Boards, Game, Record, Sees, Shown, Source, Stage, write_fen},
    notation::{Entry, PieceLetters},
    reconcile::{
        Basis, BoardFinding, Case, Correction, Settlement, Side, Verdict, VisibleBoard, Who,
    },
};
use annabella_words::phrase::{SpokenForm, Words};

/// Facts about the board that the game itself does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableFacts {
    /// The assistant enters on his page what is played on the sighted player's board.
    pub page_board: bool,
    /// Clocks are pressed on the assistant's page: the blind player's where that is the assistant's
    /// duty (D.2.10.3), the sighted player's too.
    pub page_clock: bool,
}

impl View {
    /// How a game stands at `now`.
    pub fn of(game: &Game, now: At, log: &Log, table: TableFacts) -> View {
        let (Some(record), Some(words), Some(case)) = (game.record(), game.packs(), game.case())
        else {
            return View::default();
        };
        let known = Known { game, record, words, case };
        View { game: Some(Box::new(GameView::of(&known, now, log, table))), hall: None }
    }
}

/// A game that has started, from all sides.
struct Known<'a> {
    game: &'a Game,
    record: Record<'a>,
    words: &'a Words,
    case: Case,
}

impl Known<'_> {
    fn side(&self, color: Color) -> &Side {
        let blind = self.case.side(Who::Blind);
        if blind.color == color { blind } else { self.case.side(Who::Sighted) }
    }

    /// What this player's score has at a half-move.
    fn entry(&self, color: Color, ply: u32) -> Option<&Entry> {
        let entries = &self.side(color).score.entries;
        let place = entries.binary_search_by_key(&ply, |entry| entry.ply).ok()?;
        entries.get(place)
    }
}

impl GameView {
    fn of(known: &Known<'_>, now: At, log: &Log, table: TableFacts) -> GameView {
        let Known { game, record, words, case } = known;
        let blind = record.config.blind;
        let mut scores = scores(known);
        let shown = Color::ALL.map(|color| game.shown(color));
        // White comes first in everything that has two of its kind.
        let shown = |color: Color| shown[if color.is_white() { 0 } else { 1 }].as_ref();
        // A move still to be executed, or a peg in the hand, needs no arbiter. A board that
        // somebody has entered otherwise does.
        let entered_otherwise = |color: Color| match (&known.side(color).board, shown(color)) {
            (VisibleBoard::Pieces(board), Some(shown)) => {
                board != record.position.board() && board != shown.position.board()
            }
            _ => false,
        };
        let boards = match game.boards().unwrap_or(Boards::Agree) {
            Boards::Agree if Color::ALL.into_iter().any(entered_otherwise) => Boards::Differ,
            boards => boards,
        };
        // A score written by the player himself may lack a move. A score kept by the program lacks
        // only moves on their way, and moves that need not be recorded.
        let one_sided = |row: &ScoreRow| {
            let lacks = match (&row.white, &row.black) {
                (None, Some(_)) => Color::White,
                (Some(_), None) => Color::Black,
                _ => return false,
            };
            let excused = Who::ALL.into_iter().map(|who| case.side(who)).any(|side| {
                // Who need not record at present lacks nothing (8.4, A.2).
                side.color == lacks && side.excused
            });
            let score = record.score(lacks);
            let written = score.iter().any(|entry| entry.source == Source::Written);
            let owed = shown(lacks).and_then(|shown| shown.owed.as_ref());
            written
                && !excused
                && owed.is_none_or(|(before, _)| row.ply <= plies_of(record, before))
        };
        let scores_differ =
            scores.iter().any(|row| row.differs || one_sided(row)) || was_written_otherwise(known);
        let settlement =
            (boards == Boards::Differ || scores_differ).then(|| game.settlement()).flatten();
        // After an illegal move its player's board goes back to the game's own position: there is
        // nothing to settle, unless the scores differ too.
        let illegal = game.shows_illegal_move().is_some() && !scores_differ;
        let settlement = settlement.filter(|_| !illegal);
        let difference = settlement.as_ref().and_then(|settled| settled.difference.as_ref());
        // A score that ends too early differs too.
        if let Some(row) = difference.and_then(|differ| scores.get_mut(differ.ply as usize - 1)) {
            row.differs = true;
        }
        // A board that nobody sees is no reason to compare it.
        let settlement = settlement.filter(|settled| match settled.verdict {
            Verdict::Agree => false,
            Verdict::Inspect => boards == Boards::Differ,
            _ => true,
        });
        // Boards that differ are measured by what is proposed; others by what they are to show now.
        let settled_on = settlement.as_ref().filter(|_| boards == Boards::Differ);
        let target = |seat: Color| match (settled_on, shown(seat)) {
            (Some(settled), _) => settled.position.board(),
            (None, Some(shown)) if boards != Boards::Differ => shown.position.board(),
            _ => record.position.board(),
        };
        let decided = count(record.decisions.len());
        // After the end nothing is asked of anybody, and what is decided is carried out.
        let over = record.is_over();
        let steps = log.correcting().iter().any(|steps| !steps.is_empty());
        let carried_out = decided > 0 && steps;
        let open = settlement.as_ref().filter(|_| !over && !carried_out);
        let decision = open.map(|settled| decision(case, settled, decided));
        let board = |seat: Color| BoardView {
            seat,
            blind: blind.is(seat),
            seen: shown(seat)
                .is_some_and(|shown| !matches!(shown.sees, Sees::Nothing | Sees::Said)),
            cells: cells(&known.side(seat).board, shown(seat), target(seat)),
        };
        let to_play = [Color::White, Color::Black]
            .into_iter()
            .filter_map(|seat| {
                let shown = shown(seat)?;
                let (before, mv) = shown.owed.as_ref()?;
                let ply = plies_of(record, before);
                let mv = move_view(words, before, *mv, ply + 1);
                let confirm = table.page_board && shown.sees == Sees::Reports;
                Some(ToPlay { seat, mv, confirm })
            })
            .collect();
        let adjournment = record.adjournment().and_then(|adjournment| match adjournment.stage {
            Stage::Invited => Some(AdjournView::Sealing(SeatColor(adjournment.sealer))),
            Stage::Sealed | Stage::Disputed => Some(AdjournView::Sealed),
            Stage::Over => None,
        });
        let on_move = record.position.turn();
        let reports = |color: &Color| shown(*color).is_some_and(|s| s.sees == Sees::Reports);
        let enters_for = [Color::White, Color::Black]
            .into_iter()
            .find(reports)
            // A move that is being sealed is typed where nobody reads it (I.1.1).
            .filter(|_| table.page_board && !over && adjournment.is_none());
        let presses_for = record
            .line
            .last()
            .filter(|ply| ply.completed.is_none())
            .map(|ply| ply.mover)
            .filter(|mover| {
                table.page_clock || (blind.is(*mover) && record.config.duties.start_clock)
            })
            // Clocks that stand are not pressed.
            .filter(|_| !over && adjournment.is_none() && !record.halted());
        let (white_ms, black_ms, running) = game.clocks(now).unwrap_or(record.clock);
        let correcting = |seat: Color| Correcting {
            steps: log.correcting()[usize::from(seat.is_black())].clone(),
            confirm: shown(seat).is_none_or(|shown| shown.sees != Sees::Pegs),
        };
        let handed_in = log.events().rev().find(|event| event.kind == EventKind::BoardShows);
        let since = handed_in.map_or(now, |event| At::new(event.at_ms));
        let boards_differ = (boards == Boards::Differ).then_some((asked::Differ::Boards, since));
        let scores_differ = decision.as_ref().map(|_| (asked::Differ::Scores, since));
        let differ = boards_differ.filter(|_| !over).or(scores_differ);
        let pages = asked::Pages { enters_for, presses_for, carried_out, differ };
        let last = record
            .line
            .last()
            .map(|last| move_view(words, &before_last(record), last.mv, count(record.line.len())));
        let resumes = record.adjournment().map_or_else(Vec::new, |adjournment| {
            let at = &adjournment.resumption;
            let parts = [&at.date, &at.time, &at.place];
            parts.into_iter().filter(|part| !part.is_empty()).cloned().collect()
        });
        GameView {
            id: log.game(),
            white: record.config.white.clone(),
            black: record.config.black.clone(),
            at_ms: now.ms,
            asked: asked::of_each(game, &pages),
            plies: count(record.line.len()),
            to_move: on_move,
            fen: write_fen(record.position),
            letters: PieceLetters::of_words(words).code().to_owned(),
            fen_before: record
                .line
                .last()
                .filter(|ply| ply.completed.is_none() && !over)
                .map(|_| write_fen(&before_last(record))),
            newest: log.newest().or(last.as_ref().map(|last| &last.words)).cloned(),
            last,
            entered_by: log.entered_by().to_owned(),
            boards,
            board: [board(Color::White), board(Color::Black)],
            scores,
            unrecorded: [record.unrecorded(Color::White), record.unrecorded(Color::Black)],
            events: log.events().cloned().collect(),
            decision,
            decided,
            ruled: count(record.rulings.len()),
            correcting: [correcting(Color::White), correcting(Color::Black)],
            proposals: proposals(record),
            undo: asked::undo(record),
            to_play,
            enters_for,
            speaks: Color::ALL.into_iter().find(|color| !blind.is(*color)).filter(|_| !over),
            offered: record.offered().filter(|_| !over),
            said: log.said().cloned().collect(),
            presses_for,
            clocks: Clocks {
                white_ms,
                black_ms,
                running,
                halted: record.halted(),
                delay_ms: game.delay_left_ms(now),
            },
            adjournment,
            resumes,
            result: record.ended.cloned(),
            at_home: record.config.at_home.then(|| HomeView {
                start: write_fen(record.start()),
                seat: Color::ALL
                    .into_iter()
                    .find(|color| !record.config.blind.is(*color))
                    .map(SeatColor),
                looked: record.looked(),
                wished: record.wished().map(|(_, wish)| wish),
                time_control: record.config.time_control.clone(),
                moves: record.line.iter().map(|ply| uci_of(ply.mv)).collect(),
                prompts: record.config.prompts.clone(),
            }),
        }
    }
}

fn uci_of(mv: Move) -> String {
    UciMove::from_standard(mv).to_string()
}

fn count(len: usize) -> u32 {
    // No game is that long.
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// Half-moves from the start to a position of the game's line.
fn plies_of(record: &Record<'_>, position: &Chess) -> u32 {
    let begun = |pos: &Chess| (u32::from(pos.fullmoves()) * 2) + u32::from(pos.turn().is_black());
    begun(position).saturating_sub(begun(record.start()))
}

fn move_view(words: &Words, before: &Chess, mv: Move, ply: u32) -> MoveView {
    MoveView {
        ply,
        san: SanPlus::from_move(before.clone(), mv).to_string(),
        uci: uci_of(mv),
        words: words.announce(before, mv, SpokenForm::Full),
    }
}

fn before_last(record: &Record<'_>) -> Chess {
    let mut before = record.start().clone();
    for ply in &record.line[..record.line.len().saturating_sub(1)] {
        // Moves of the game are legal one after another.
        before.play_unchecked(ply.mv);
    }
    before
}

/// The cells of a board, with their differences from `target`.
fn cells(seen: &VisibleBoard, shown: Option<&Shown>, target: &Board) -> Vec<Cell> {
    let stands = |square: Square| -> Stands {
        match seen {
            VisibleBoard::Nothing => target.piece_at(square).map_or(Stands::Nothing, Stands::Known),
            VisibleBoard::Pieces(board) => {
                board.piece_at(square).map_or(Stands::Nothing, Stands::Known)
            }
            VisibleBoard::Occupied(occupied) if !occupied.contains(square) => Stands::Nothing,
            // Reeds do not know which piece it is; the moves executed on the board do.
            VisibleBoard::Occupied(_) => shown
                .and_then(|shown| shown.position.board().piece_at(square))
                .map_or(Stands::Something, Stands::Known),
        }
    };
    let cell = |square: Square| {
        let stands = stands(square);
        let mark = match (stands, target.piece_at(square)) {
            (Stands::Nothing, Some(piece)) => Mark::Missing(piece),
            (Stands::Nothing, None) => Mark::Same,
            (_, None) => Mark::Extra,
            (Stands::Known(piece), Some(wanted)) if piece != wanted => Mark::Other(wanted),
            (Stands::Something, Some(wanted)) => Mark::Other(wanted),
            (Stands::Known(_), Some(_)) => Mark::Same,
        };
        Cell { stands, mark }
    };
    Bitboard::FULL.into_iter().map(cell).collect()
}

fn scores(known: &Known<'_>) -> Vec<ScoreRow> {
    let sides = Color::ALL.map(|color| &known.side(color).score.entries);
    let last = |entries: &Vec<Entry>| entries.last().map_or(0, |entry| entry.ply);
    let made = count(known.record.line.len());
    let rows = sides.iter().map(|entries| last(entries)).max().unwrap_or(0).max(made);
    (1..=rows)
        .map(|ply| {
            let (white, black) = (known.entry(Color::White, ply), known.entry(Color::Black, ply));
            let text = |entry: &Entry| entry.as_written.clone();
            let own = |color: Color| {
                let score = known.record.score(color);
                score.iter().any(|entry| entry.ply == ply && entry.written.is_some())
            };
            let mv = |entry: &Entry| entry.result.as_ref().ok().map(|read| read.mv);
            let place = usize::try_from(ply).unwrap_or(usize::MAX) - 1;
            ScoreRow {
                ply,
                differs: match (white, black) {
                    (Some(white), Some(black)) => mv(white).is_none() || mv(white) != mv(black),
                    _ => false,
                },
                white: white.map(text),
                black: black.map(text),
                written: [own(Color::White), own(Color::Black)],
                clock_ms: known.record.line.get(place).and_then(|ply| ply.clock_ms),
            }
        })
        .collect()
}

/// Both scores have the same move where another one was played (D.2.9: the scores count).
fn was_written_otherwise(known: &Known<'_>) -> bool {
    let written =
        |color: Color, ply: u32| known.entry(color, ply)?.result.as_ref().ok().map(|read| read.mv);
    (1..).zip(known.record.line).any(|(ply, played)| {
        let both = [Color::White, Color::Black].map(|color| written(color, ply));
        both == [both[0]; 2] && both[0].is_some_and(|mv| mv != played.mv)
    })
}

fn proposals(record: &Record<'_>) -> Vec<ProposalView> {
    let open = record.proposals.iter().filter(|proposal| proposal.is_open());
    open.map(|proposal| ProposalView {
        number: proposal.number,
        article: proposal.article,
        text: proposal.text.clone(),
        illegal: proposal.seat.map(SeatColor).zip(proposal.illegal.clone()),
        choices: proposal.choices.iter().map(choice).collect(),
    })
    .collect()
}

fn choice(act: &ArbiterAct) -> ChoiceView {
    match act {
        ArbiterAct::Penalty { seat, penalty } => {
            ChoiceView::Penalty(SeatColor(*seat), penalty.clone())
        }
        ArbiterAct::Declare { result, .. } => ChoiceView::Declare(*result),
        ArbiterAct::SetClock { seat, ms, .. } => ChoiceView::SetClock(SeatColor(*seat), *ms),
        ArbiterAct::StopClocks => ChoiceView::StopClocks,
        ArbiterAct::StartClocks { .. } => ChoiceView::StartClocks,
        ArbiterAct::AcceptMove { uci } => ChoiceView::AcceptMove(uci.clone()),
        other => ChoiceView::Other(super::words::act_note(other)),
    }
}

/// The proposal of D.2.9 as the page shows it.
fn decision(case: &Case, settled: &Settlement, decided: u32) -> DecisionView {
    let mut line: Vec<String> = Vec::new();
    let mut position = case.start.clone();
    for (n, mv) in settled.moves.iter().enumerate() {
        // A settlement's moves are legal one after another.
        let san = SanPlus::from_move_and_play_unchecked(&mut position, *mv);
        line.push(numbered(count(n + 1), &san.to_string()));
    }
    let at = |ply: u32| {
        let n = usize::try_from(ply).ok()?.checked_sub(1)?;
        line.get(n).cloned().or_else(|| written(case, ply))
    };
    let color = |who: Who| case.side(who).color;
    let verdict = match settled.verdict {
        Verdict::Agree => VerdictView::Agree,
        Verdict::BlindCorrects => VerdictView::Corrects(SeatColor(color(Who::Blind))),
        Verdict::SightedCorrects => VerdictView::Corrects(SeatColor(color(Who::Sighted))),
        Verdict::BothCorrect => VerdictView::BothCorrect,
        Verdict::Retrace => VerdictView::Retrace,
        Verdict::Inspect => VerdictView::Inspect,
    };
    let white = Who::ALL.into_iter().find(|who| color(*who).is_white()).unwrap_or(Who::Blind);
    let steps = [white, white.other()].map(|who| steps(&settled.boards[who]));
    let clocks = settled.clocks.iter().flat_map(|proposal| {
        proposal.proposed.iter().chain(&proposal.alternatives).map(|choice| ClockChoice {
            white_ms: choice.times.white_ms,
            black_ms: choice.times.black_ms,
            from: match choice.basis {
                Basis::Journal { ply, .. } => TimesFrom::Then(at(ply)),
                Basis::Now => TimesFrom::Now,
                Basis::NowWithout { first, .. } => {
                    TimesFrom::NowWithout(at(first).unwrap_or_else(|| first.to_string()))
                }
            },
        })
    });
    let missing = settled
        .missing
        .iter()
        .map(|missing| {
            let san = at(missing.ply).unwrap_or_else(|| numbered(missing.ply, "?"));
            (SeatColor(color(missing.score)), san)
        })
        .collect();
    let mut view = DecisionView {
        mark: String::new(),
        verdict,
        article: settled.article,
        ply: settled.ply,
        last: line.last().cloned(),
        fen: write_fen(&settled.position),
        differs_at: settled.difference.as_ref().map(|difference| difference.ply),
        missing,
        steps,
        clocks: clocks.collect(),
    };
    view.mark = mark(&view, decided);
    view
}

/// A proposal and its reason in one line, in the words of the pages; `None` in a language that is
/// not built in.
pub fn explained(lang: &str, case: &Case, settled: &Settlement) -> Option<String> {
    let languages = super::words::Languages::new(lang).ok()?;
    Some(super::pages::explained(&decision(case, settled, 0), languages.words(0)))
}

/// The entry of either score for a half-move: `12. Nf3`.
fn written(case: &Case, ply: u32) -> Option<String> {
    let entry = |who: Who| {
        let entries = &case.side(who).score.entries;
        entries.iter().find(|entry| entry.ply == ply).map(|entry| entry.as_written.clone())
    };
    let text = entry(Who::Blind).or_else(|| entry(Who::Sighted))?;
    Some(numbered(ply, &text))
}

fn steps(finding: &BoardFinding) -> Vec<StepView> {
    let step = |correction: &Correction| match *correction {
        Correction::Carry { piece, from, to } => StepView::Carry { piece, from, to },
        Correction::Remove { piece, from } => {
            StepView::Remove { stands: piece.map_or(Stands::Something, Stands::Known), from }
        }
        Correction::Set { piece, to } => StepView::Set { piece, to },
    };
    finding.corrections.iter().map(step).collect()
}

/// Tells one proposal from another. The clocks run on while the arbiter reads: times that stand for
/// "now" make no other proposal of it. The boards may differ as before when somebody has decided
/// and nobody has corrected them yet: that is another proposal.
fn mark(decision: &DecisionView, decided: u32) -> String {
    let DecisionView { verdict, ply, fen, steps, missing, .. } = decision;
    let what = (decided, verdict, ply, fen, steps, missing);
    let text = serde_json::to_string(&what).unwrap_or_default();
    let digest = ring::digest::digest(&ring::digest::SHA256, text.as_bytes());
    super::session::hex(&digest.as_ref()[..8])
}
