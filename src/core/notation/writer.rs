//! Moves as text.

use shakmaty::{CastlingSide, Chess, Move, Position, Role, Square, san::San, uci::UciMove};

use super::Letters;

/// The mark behind a move with which a draw is offered (C.12).
pub const DRAW_OFFER: &str = " (=)";

/// A way of writing moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveNotation {
    /// Standard algebraic notation as in PGN: `Nf3`, `exd6`, `O-O`, `d8=Q+`.
    Short,
    /// As the Laws print it: `Nf3`, `exd6 e.p.`, `0-0`, `d8Q+`.
    Fide,
    /// As the Laws print it, without the optional x and e.p.: `ed6`, `Qd4`, `0-0`, `d8Q+`.
    ShortNoCapture,
    /// With the origin, as the Laws print it: `Ng1f3`, `e5xd6 e.p.`, `0-0`, `e7xd8Q+`.
    Long,
    /// As chess programs write it, without piece letters: `g1f3`, `e5d6`, `e1g1`, `e7d8q`.
    Uci,
}

impl MoveNotation {
    pub const ALL: [MoveNotation; 5] = [
        MoveNotation::Short,
        MoveNotation::Fide,
        MoveNotation::ShortNoCapture,
        MoveNotation::Long,
        MoveNotation::Uci,
    ];
}

/// Writes a move that is legal in the position, with `+` or `#` behind it (not in UCI).
///
/// Where two like pieces can go to the square, the file is added, or the rank, or both (C.10). For
/// an illegal move the text has no sign of check and may fit several moves.
///
/// ```
/// use annabella_core::notation::{Letters, MoveNotation, PieceLetters, read, write};
/// use shakmaty::{CastlingMode, Chess, fen::Fen};
///
/// let fen: Fen = "4r3/3P1k2/8/8/8/8/8/4K3 w - - 0 1".parse()?;
/// let pos: Chess = fen.into_position(CastlingMode::Standard)?;
/// let mv = read(&pos, "dxe8Q", Letters::english())?.mv;
/// assert_eq!(write(&pos, mv, MoveNotation::Short, Letters::english()), "dxe8=Q+");
/// assert_eq!(write(&pos, mv, MoveNotation::Fide, &Letters::of(PieceLetters::French)), "dxe8D+");
/// assert_eq!(write(&pos, mv, MoveNotation::Long, &Letters::of(PieceLetters::Russian)), "d7xe8Ф+");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// Source: FIDE C.8 to C.13
pub fn write(pos: &Chess, mv: Move, form: MoveNotation, letters: &Letters) -> String {
    let mut text = match form {
        MoveNotation::Uci => return UciMove::from_standard(mv).to_string(),
        MoveNotation::Long => long(mv, letters),
        MoveNotation::Short | MoveNotation::Fide | MoveNotation::ShortNoCapture => {
            short(pos, mv, form, letters)
        }
    };
    text.push_str(check_sign(pos, mv));
    if mv.is_en_passant() && matches!(form, MoveNotation::Fide | MoveNotation::Long) {
        text.push_str(" e.p.");
    }
    text
}

fn check_sign(pos: &Chess, mv: Move) -> &'static str {
    match pos.clone().play(mv) {
        Ok(after) if after.is_checkmate() => "#",
        Ok(after) if after.is_check() => "+",
        _ => "",
    }
}

fn castling(side: CastlingSide, form: MoveNotation) -> &'static str {
    match (side, form) {
        (CastlingSide::KingSide, MoveNotation::Short) => "O-O",
        (CastlingSide::QueenSide, MoveNotation::Short) => "O-O-O",
        (CastlingSide::KingSide, _) => "0-0",
        (CastlingSide::QueenSide, _) => "0-0-0",
    }
}

fn short(pos: &Chess, mv: Move, form: MoveNotation, letters: &Letters) -> String {
    match San::from_move(pos, mv) {
        San::Castle(side) => castling(side, form).to_owned(),
        San::Normal { role, file, rank, capture, to, promotion } => {
            let mut text = letters.letter(role).to_owned();
            text.extend(file.map(shakmaty::File::char));
            text.extend(rank.map(shakmaty::Rank::char));
            if capture && form != MoveNotation::ShortNoCapture {
                text.push('x');
            }
            push_arrival(&mut text, to, promotion, form, letters);
            text
        }
        // Neither exists in orthodox chess; shakmaty's types have them for its variants.
        San::Put { .. } | San::Null => UciMove::from_standard(mv).to_string(),
    }
}

/// The long form without a sign of check.
pub(super) fn long(mv: Move, letters: &Letters) -> String {
    if let Some(side) = mv.castling_side() {
        return castling(side, MoveNotation::Long).to_owned();
    }
    let mut text = letters.letter(mv.role()).to_owned();
    if let Some(from) = mv.from() {
        text.push_str(&from.to_string());
    }
    if mv.is_capture() {
        text.push('x');
    }
    push_arrival(&mut text, mv.to(), mv.promotion(), MoveNotation::Long, letters);
    text
}

fn push_arrival(
    text: &mut String,
    to: Square,
    promotion: Option<Role>,
    form: MoveNotation,
    letters: &Letters,
) {
    text.push_str(&to.to_string());
    if let Some(role) = promotion {
        if form == MoveNotation::Short {
            text.push('=');
        }
        text.push_str(letters.letter(role));
    }
}
