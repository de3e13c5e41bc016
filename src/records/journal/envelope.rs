//! The envelope of a sealed move as a page to print, with everything that I.2 asks for.

use std::fmt;

use shakmaty::{Color, File, Position, Rank, Square};

use super::{
    export::clock_text,
    page::{document, escape, facts, signatures},
    picture::glyph,
    wording::{labels, wording},
};
use annabella_core::game::{Adjournment, Envelope, Record, Sealed, write_fen};

labels! {
    /// The words on an envelope.
    EnvelopeLabels {
        title: SealedMove,
        game: Game,
        white: White,
        black: Black,
        sealed_by: SealedBy,
        number: SealedNumber,
        used: TimeUsed,
        left: ClockShows,
        offer: OfferedBy,
        no_offer: NoOffer,
        resumption: Resumption,
        date: Date,
        time: TimeOfDay,
        place: Place,
        position: PositionBefore,
        on_move: OnMove,
        content: Content,
        on_paper: OnPaper,
        encrypted: Encrypted,
        arbiter: Arbiter,
        checked: CheckedArbiter,
        player: SealedPlayer,
    }
}

/// The page: its `Display` is the HTML.
#[derive(Clone, Copy, Debug)]
pub struct EnvelopePage<'a> {
    pub record: &'a Record<'a>,
    pub adjournment: &'a Adjournment,
    pub sealed: &'a Sealed,
    /// The game's number in its journal.
    pub game: i64,
    pub labels: EnvelopeLabels,
}

/// Something that may be written in by hand later.
fn or_blank(text: &str) -> String {
    if text.trim().is_empty() { "____________".to_owned() } else { text.to_owned() }
}

impl EnvelopePage<'_> {
    fn name(&self, color: Color) -> String {
        let config = self.record.config;
        let (name, side) = match color {
            Color::White => (&config.white, self.labels.white),
            Color::Black => (&config.black, self.labels.black),
        };
        if name.is_empty() { side.to_owned() } else { format!("{name} ({side})") }
    }

    fn both(&self, (white_ms, black_ms): (u64, u64)) -> String {
        let labels = &self.labels;
        format!(
            "{} {}, {} {}",
            labels.white,
            clock_text(white_ms),
            labels.black,
            clock_text(black_ms)
        )
    }

    fn board(&self) -> String {
        let labels = &self.labels;
        // Moves may have been made since: the position is that of the sealed move's number.
        let mut position = self.record.start().clone();
        for ply in self.record.line.iter().take(self.adjournment.plies) {
            position.play_unchecked(ply.mv);
        }
        let mut table = format!(
            "<table class=\"board\">\n<caption>{}</caption>\n<thead>\n<tr><td></td>",
            escape(labels.position)
        );
        for file in File::ALL {
            table += &format!("<th scope=\"col\">{file}</th>");
        }
        table += "</tr>\n</thead>\n<tbody>\n";
        for rank in Rank::ALL.into_iter().rev() {
            table += &format!("<tr><th scope=\"row\">{rank}</th>");
            for file in File::ALL {
                let square = Square::from_coords(file, rank);
                let class = if square.is_dark() { " class=\"dark\"" } else { "" };
                table += &match position.board().piece_at(square) {
                    Some(piece) => format!(
                        "<td{class}><span role=\"img\" aria-label=\"{}\">{}</span></td>",
                        escape(&wording(labels.lang).piece(piece)),
                        glyph(piece)
                    ),
                    None => format!("<td{class}></td>"),
                };
            }
            table += "</tr>\n";
        }
        table += "</tbody>\n</table>\n";
        let mover = if position.turn().is_white() { labels.white } else { labels.black };
        table + &facts(&[(labels.on_move, mover.to_owned()), ("FEN", write_fen(&position))])
    }
}

impl fmt::Display for EnvelopePage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (labels, adjournment) = (&self.labels, self.adjournment);
        let mut body = format!("<h1>{}</h1>\n", escape(labels.title));
        let offer = match adjournment.offer {
            Some(by) => (labels.offer, self.name(by)),
            None => (labels.offer, labels.no_offer.to_owned()),
        };
        body += &facts(&[
            (labels.game, self.game.to_string()),
            (labels.arbiter, or_blank(&adjournment.invitation.arbiter)),
            (labels.white, or_blank(&self.record.config.white)),
            (labels.black, or_blank(&self.record.config.black)),
            (labels.sealed_by, self.name(adjournment.sealer)),
            (labels.number, adjournment.move_number()),
            (labels.used, self.both(self.sealed.used_ms)),
            (labels.left, self.both(self.sealed.left_ms)),
            offer,
        ]);
        let resumption = &adjournment.resumption;
        body += &format!("<h2>{}</h2>\n", escape(labels.resumption));
        body += &facts(&[
            (labels.date, or_blank(&resumption.date)),
            (labels.time, or_blank(&resumption.time)),
            (labels.place, or_blank(&resumption.place)),
        ]);
        body += &self.board();
        body += &format!("<h2>{}</h2>\n", escape(labels.content));
        match &self.sealed.envelope {
            Envelope::Age(text) => {
                let lines: Vec<String> = text.lines().map(escape).collect();
                body += &format!(
                    "<p>{}</p>\n<pre>{}</pre>\n",
                    escape(labels.encrypted),
                    lines.join("\n")
                );
            }
            Envelope::Paper => body += &format!("<p>{}</p>\n", escape(labels.on_paper)),
        }
        body += &signatures(&[
            format!("{}, {}", labels.player, self.name(adjournment.sealer)),
            labels.checked.to_owned(),
        ]);
        let title = format!("{} {}", labels.title, adjournment.move_number());
        f.write_str(&document(labels.lang, &title, &body))
    }
}
