//! A snapshot of a game, for the pages.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Square, san::SanPlus, uci::UciMove};

use super::{
    log::{Log, numbered},
    view::{
        BoardView, Cell, ChoiceView, ClockBasis, ClockChoice, Clocks, DecisionView, GameView, Mark,
        MoveView, ProposalView, ScoreRow, Seat, Stands, StepView, ToPlay, VerdictView, View,
    },
};
use crate::{
    game::{Act, At, Boards, Game, Record, Sees, Shown, write_fen},
    phrase::{Form, Words},
    reconcile::{Basis, BoardFinding, Case, Correction, Settlement, Verdict, Who},
};

/// What stands beside the board that the game itself does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The assistant enters on his page what is played on the sighted player's board.
    pub page_board: bool,
    /// Clocks are pressed on the assistant's page: the blind player's where that is the assistant's
    /// duty (D.2.10.3), the sighted player's too.
    pub page_clock: bool,
}

impl View {
    /// How a game stands at `now`.
    ///
    /// `settlement` is what D.2.9 asks for, with the case that it settles, if the boards or the
    /// scores differ.
    pub fn of(
        game: &Game,
        now: At,
        log: &Log,
        table: Table,
        settlement: Option<(&Case, &Settlement)>,
    ) -> View {
        let (Some(record), Some(words)) = (game.record(), game.packs()) else {
            return View::default();
        };
        View { game: Some(Box::new(GameView::of(game, now, &record, words, log, table, settlement))) }
    }
}

impl GameView {
    #[allow(clippy::too_many_arguments)]
    fn of(
        game: &Game,
        now: At,
        record: &Record<'_>,
        words: &Words,
        log: &Log,
        table: Table,
        settlement: Option<(&Case, &Settlement)>,
    ) -> GameView {
        let blind = record.config.blind;
        let decision = settlement
            .filter(|(_, settled)| settled.verdict != Verdict::Agree)
            .map(|(case, settled)| decision(case, settled));
        let target = settlement
            .filter(|_| decision.is_some())
            .map_or(record.position.board(), |(_, settled)| settled.position.board());
        let shown = Color::ALL.map(|color| game.shown(color));
        // White comes first in everything that has two of its kind.
        let shown = |color: Color| shown[if color.is_white() { 0 } else { 1 }].as_ref();
        let board = |seat: Color| BoardView {
            seat,
            blind: blind.is(seat),
            seen: shown(seat).is_some_and(|shown| shown.sees != Sees::Nothing),
            cells: cells(shown(seat), target),
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
        let over = record.ended.is_some();
        let on_move = record.position.turn();
        let reports = |color: &Color| shown(*color).is_some_and(|s| s.sees == Sees::Reports);
        let enters_for = [Color::White, Color::Black]
            .into_iter()
            .find(reports)
            .filter(|_| table.page_board && !over);
        let presses_for = record
            .line
            .last()
            .filter(|ply| ply.completed.is_none())
            .map(|ply| ply.mover)
            .filter(|mover| table.page_clock || (blind.is(*mover) && record.config.duties.start_clock))
            .filter(|_| !over);
        let (white_ms, black_ms, running) = game.clocks(now).unwrap_or(record.clock);
        GameView {
            white: record.config.white.clone(),
            black: record.config.black.clone(),
            plies: count(record.line.len()),
            to_move: on_move,
            fen: write_fen(record.position),
            fen_before: record
                .line
                .last()
                .filter(|ply| ply.completed.is_none() && !over)
                .map(|_| write_fen(&before_last(record))),
            last: record.line.last().map(|last| {
                move_view(words, &before_last(record), last.mv, count(record.line.len()))
            }),
            boards: game.boards().unwrap_or(Boards::Agree),
            board: [board(Color::White), board(Color::Black)],
            scores: scores(record),
            events: log.events().cloned().collect(),
            decision,
            proposals: proposals(record),
            to_play,
            enters_for,
            presses_for,
            clocks: Clocks { white_ms, black_ms, running, halted: record.halted },
            result: record.ended.cloned(),
        }
    }
}

fn count(len: usize) -> u32 {
    // No game has so many moves.
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// Half-moves from the start to a position of the game's line.
fn plies_of(record: &Record<'_>, position: &Chess) -> u32 {
    let begun = |pos: &Chess| (u32::from(pos.fullmoves()) * 2) + u32::from(pos.turn().is_black());
    begun(position).saturating_sub(begun(record.start))
}

fn move_view(words: &Words, before: &Chess, mv: Move, ply: u32) -> MoveView {
    MoveView {
        ply,
        san: SanPlus::from_move(before.clone(), mv).to_string(),
        uci: UciMove::from_standard(mv).to_string(),
        words: words.announce(before, mv, Form::Full),
    }
}

fn before_last(record: &Record<'_>) -> Chess {
    let mut before = record.start.clone();
    for ply in &record.line[..record.line.len().saturating_sub(1)] {
        // Moves of the game are legal one after another.
        before.play_unchecked(ply.mv);
    }
    before
}

/// What stands on a board, with what differs from what should.
fn cells(shown: Option<&Shown>, target: &Board) -> Vec<Cell> {
    let stands = |square: Square| -> Stands {
        let Some(shown) = shown else { return Stands::Nothing };
        let piece = shown.position.board().piece_at(square);
        match (shown.occupied, piece) {
            (Some(occupied), _) if !occupied.contains(square) => Stands::Nothing,
            (_, Some(piece)) => Stands::Known(piece),
            (Some(_), None) => Stands::Something,
            (None, None) => Stands::Nothing,
        }
    };
    let unseen = shown.is_none_or(|shown| shown.sees == Sees::Nothing);
    let cell = |square: Square| {
        if unseen {
            let stands = target.piece_at(square).map_or(Stands::Nothing, Stands::Known);
            return Cell { stands, mark: Mark::Same };
        }
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

/// Both scores, aligned.
fn scores(record: &Record<'_>) -> Vec<ScoreRow> {
    let longest = [record.white_score, record.black_score]
        .into_iter()
        .filter_map(|score| score.last().map(|entry| entry.ply))
        .chain([count(record.line.len())])
        .max();
    let mut rows: Vec<ScoreRow> = (1..=longest.unwrap_or(0))
        .map(|ply| ScoreRow { ply, ..ScoreRow::default() })
        .collect();
    let place = |ply: u32| usize::try_from(ply).ok().and_then(|ply| ply.checked_sub(1));
    for entry in record.white_score {
        if let Some(row) = place(entry.ply).and_then(|n| rows.get_mut(n)) {
            row.white = Some(entry.san.clone());
        }
    }
    for entry in record.black_score {
        if let Some(row) = place(entry.ply).and_then(|n| rows.get_mut(n)) {
            row.black = Some(entry.san.clone());
        }
    }
    for (row, ply) in rows.iter_mut().zip(record.line) {
        row.clock_ms = ply.clock_ms;
    }
    for row in &mut rows {
        row.differs = matches!((&row.white, &row.black), (Some(white), Some(black)) if white != black);
    }
    rows
}

fn proposals(record: &Record<'_>) -> Vec<ProposalView> {
    let open = record.proposals.iter().filter(|proposal| proposal.is_open());
    open.map(|proposal| ProposalView {
        number: proposal.number,
        article: proposal.article,
        text: proposal.text.clone(),
        choices: proposal.choices.iter().map(choice).collect(),
    })
    .collect()
}

fn choice(act: &Act) -> ChoiceView {
    match act {
        Act::Penalty { seat, penalty } => ChoiceView::Penalty(Seat(*seat), penalty.clone()),
        Act::Declare { result, .. } => ChoiceView::Declare(*result),
        Act::SetClock { seat, ms, .. } => ChoiceView::SetClock(Seat(*seat), *ms),
        Act::StopClocks => ChoiceView::StopClocks,
        Act::StartClocks { .. } => ChoiceView::StartClocks,
        Act::AcceptMove { uci } => ChoiceView::AcceptMove(uci.clone()),
        other => ChoiceView::Other(super::words::act_in_english(other)),
    }
}

/// The proposal of D.2.9 as the page shows it.
fn decision(case: &Case, settled: &Settlement) -> DecisionView {
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
        Verdict::BlindCorrects => VerdictView::Corrects(Seat(color(Who::Blind))),
        Verdict::SightedCorrects => VerdictView::Corrects(Seat(color(Who::Sighted))),
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
            basis: match choice.basis {
                Basis::Journal { ply, .. } => ClockBasis::Then(at(ply)),
                Basis::Now => ClockBasis::Now,
                Basis::NowWithout { first, .. } => {
                    ClockBasis::NowWithout(at(first).unwrap_or_else(|| first.to_string()))
                }
            },
        })
    });
    let missing = settled
        .missing
        .iter()
        .map(|missing| {
            let san = at(missing.ply).unwrap_or_else(|| numbered(missing.ply, "?"));
            (Seat(color(missing.score)), san)
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
        explanation: settled.explanation(case),
    };
    view.mark = mark(&view);
    view
}

/// What either score has at a half-move: `12. Nf3`.
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
/// "now" make no other proposal of it.
fn mark(decision: &DecisionView) -> String {
    let what = (decision.verdict, decision.ply, &decision.fen, &decision.steps, &decision.missing);
    let text = serde_json::to_string(&what).unwrap_or_default();
    let digest = ring::digest::digest(&ring::digest::SHA256, text.as_bytes());
    super::session::hex(&digest.as_ref()[..8])
}
