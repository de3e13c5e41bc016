//! Pictures for papers and pages, as SVG elements: a board, and both players' times by move. They
//! need no colour, no script and no style, and say in words what they show.

use std::fmt::Write;

use shakmaty::{Board, Color, File, Piece, Rank, Role, Square};

use super::{export::clock_text, page::escape};

/// The side of a square.
const SQUARE: u32 = 20;
/// The margin with the names of files and ranks.
const MARGIN: u32 = 14;

/// A piece as a letter of Unicode.
pub(super) fn glyph(piece: Piece) -> char {
    let glyphs = match piece.color {
        Color::White => ['♙', '♘', '♗', '♖', '♕', '♔'],
        Color::Black => ['♟', '♞', '♝', '♜', '♛', '♚'],
    };
    match piece.role {
        Role::Pawn => glyphs[0],
        Role::Knight => glyphs[1],
        Role::Bishop => glyphs[2],
        Role::Rook => glyphs[3],
        Role::Queen => glyphs[4],
        Role::King => glyphs[5],
    }
}

/// A board as White sees it. `words` says what stands where.
pub(super) fn board(board: &Board, words: &str) -> String {
    let side = MARGIN + 8 * SQUARE + 1;
    let mut svg = format!(
        "<svg class=\"picture\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {side} {side}\" width=\"{side}\" \
         height=\"{side}\" text-anchor=\"middle\">\n",
        escape(words)
    );
    for square in Square::ALL {
        let x = MARGIN + u32::from(square.file()) * SQUARE;
        let y = (7 - u32::from(square.rank())) * SQUARE;
        let fill = if square.is_dark() { "#ccc" } else { "#fff" };
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\" stroke=\"#444\" \
             stroke-width=\"0.5\"/>"
        );
        if let Some(piece) = board.piece_at(square) {
            let (x, y) = (x + SQUARE / 2, y + 16);
            let _ =
                write!(svg, "<text x=\"{x}\" y=\"{y}\" font-size=\"17\">{}</text>", glyph(piece));
        }
    }
    for file in File::ALL {
        let x = MARGIN + u32::from(file) * SQUARE + SQUARE / 2;
        let _ = write!(svg, "<text x=\"{x}\" y=\"{}\" font-size=\"9\">{file}</text>", side - 2);
    }
    for rank in Rank::ALL {
        let y = (7 - u32::from(rank)) * SQUARE + 14;
        let _ = write!(svg, "<text x=\"{}\" y=\"{y}\" font-size=\"9\">{rank}</text>", MARGIN / 2);
    }
    svg + "\n</svg>\n"
}

/// The words of a chart of times.
#[derive(Clone, Copy, Debug)]
pub struct ChartWords<'a> {
    /// What it shows.
    pub title: &'a str,
    pub white: &'a str,
    pub black: &'a str,
}

/// The width of a chart and its height, without margins.
const CHART: (u32, u32) = (600, 130);
/// Left of the lines, for times; right of them, for names; below them, for the numbers of moves.
const ROOM: (u32, u32, u32) = (52, 70, 16);

/// Both players' times left after each half-move, milliseconds, White's first: White's line is thin
/// and has rings, Black's is thick and broken and has squares. `first`: half-moves before the first
/// of them since move 1 by White. `None`: there are fewer than two.
pub fn times(first: u32, left_ms: &[(u64, u64)], words: ChartWords<'_>) -> Option<String> {
    let last = left_ms.last().filter(|_| left_ms.len() > 1)?;
    let most = left_ms.iter().map(|(white, black)| *white.max(black)).max()?.max(1);
    let (wide, high) = CHART;
    let (left, right, below) = ROOM;
    let steps = u32::try_from(left_ms.len() - 1).ok()?.max(1);
    let x = |n: u32| left + n * wide / steps;
    // A product of milliseconds of a few days and some hundred points fits.
    let y = |ms: u64| {
        4 + high - u32::try_from(ms.saturating_mul(u64::from(high)) / most).unwrap_or(high)
    };
    let at = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let label = format!(
        "{}. {}: {}. {}: {}.",
        words.title,
        words.white,
        clock_text(last.0),
        words.black,
        clock_text(last.1)
    );
    let mut svg = format!(
        "<svg class=\"times\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {} {}\" font-size=\"11\" \
         fill=\"currentColor\">\n",
        escape(&label),
        left + wide + right,
        high + below + 8,
    );
    for share in 0..=2 {
        let ms = most / 2 * share;
        let _ = write!(
            svg,
            "<line x1=\"{left}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#999\"/><text x=\"{}\" y=\"{}\" \
             text-anchor=\"end\">{}</text>",
            left + wide,
            left - 4,
            y(ms) + 4,
            clock_text(ms),
            y = y(ms),
        );
    }
    let every = (steps / 20).max(1).next_multiple_of(5);
    for n in (0..=steps).filter(|n| (n + first).is_multiple_of(2)) {
        let number = (n + first) / 2 + 1;
        if number == 1 || number.is_multiple_of(every) {
            let _ = write!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{number}</text>",
                x(n),
                high + below + 4
            );
        }
    }
    let names = beside((y(last.0), y(last.1)));
    for (color, name) in [(Color::White, words.white), (Color::Black, words.black)] {
        let own = |times: &(u64, u64)| color.fold_wb(times.0, times.1);
        let points: Vec<(u32, u32)> =
            left_ms.iter().enumerate().map(|(n, times)| (x(at(n)), y(own(times)))).collect();
        let path: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
        let form =
            color.fold_wb("stroke-width=\"1\"", "stroke-width=\"2\" stroke-dasharray=\"6 3\"");
        let _ = write!(
            svg,
            "<polyline fill=\"none\" stroke=\"currentColor\" {form} points=\"{}\"/>",
            path.join(" ")
        );
        // Each player's own moves.
        let own_move = |n: &usize| (at(*n) + first).is_multiple_of(2) == color.is_white();
        for (_, (x, y)) in points.iter().enumerate().filter(|(n, _)| own_move(n)) {
            let _ = match color {
                Color::White => {
                    write!(
                        svg,
                        "<circle cx=\"{x}\" cy=\"{y}\" r=\"2.2\" fill=\"#fff\" stroke=\"currentColor\"/>"
                    )
                }
                Color::Black => {
                    write!(
                        svg,
                        "<rect x=\"{}\" y=\"{}\" width=\"4\" height=\"4\"/>",
                        x - 2,
                        y.saturating_sub(2)
                    )
                }
            };
        }
        let name_y = color.fold_wb(names.0, names.1);
        let _ =
            write!(svg, "<text x=\"{}\" y=\"{name_y}\">{}</text>", left + wide + 5, escape(name));
    }
    Some(svg + "\n</svg>\n")
}

/// Where the names beside the ends of White's and Black's line stand: never one on the other.
fn beside((white, black): (u32, u32)) -> (u32, u32) {
    /// A line of letters.
    const LINE: u32 = 13;
    let upper = white.min(black).clamp(6, CHART.1 - 8) + 4;
    let lower = (white.max(black) + 4).max(upper + LINE);
    if white <= black { (upper, lower) } else { (lower, upper) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: ChartWords<'_> = ChartWords { title: "Zeiten", white: "Weiß", black: "Schwarz" };

    #[test]
    fn a_chart_says_in_words_what_it_shows_and_tells_players_apart_without_colour() {
        let chart =
            times(0, &[(5_000, 6_000), (4_000, 6_000), (4_000, 1_000)], WORDS).expect("a chart");
        assert!(
            chart.contains("aria-label=\"Zeiten. Weiß: 0:00:04. Schwarz: 0:00:01.\""),
            "{chart}"
        );
        assert_eq!(chart.matches("<circle").count(), 2, "White's moves");
        assert_eq!(chart.matches("height=\"4\"").count(), 1, "Black's move");
        assert_eq!(chart.matches("stroke-dasharray").count(), 1);
        assert!(!chart.contains("style="), "a page's policy allows no style");
        assert_eq!(times(0, &[(1, 1)], WORDS), None, "one point is no line");
        assert!(times(0, &[(0, 0), (0, 0)], WORDS).is_some(), "no time at all");
        assert!(times(1, &[(u64::MAX, 0), (1, 2)], WORDS).is_some(), "any time");
    }

    #[test]
    fn the_names_beside_the_lines_never_stand_on_one_another() {
        for (white, black) in (0..=134).flat_map(|white| (0..=134).map(move |black| (white, black)))
        {
            let (of_white, of_black) = beside((white, black));
            assert!(of_white.abs_diff(of_black) >= 13, "{white} {black}");
            assert!(of_white.max(of_black) <= 145, "{white} {black}");
            assert!((white <= black) == (of_white < of_black), "{white} {black}");
        }
    }

    #[test]
    fn a_board_shows_each_piece_and_says_so() {
        let picture = board(&Board::default(), "Stellung & mehr");
        assert_eq!(picture.matches("<rect").count(), 64);
        assert_eq!(picture.matches('♟').count(), 8);
        assert!(picture.contains("aria-label=\"Stellung &amp; mehr\""), "{picture}");
    }
}
