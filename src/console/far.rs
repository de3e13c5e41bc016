//! What a program at home tells of a game whose clock and end are elsewhere.

use super::act::{Fields, Wrong};
use annabella_core::game::{ClockRead, PageAct, Running};
use annabella_words::phrase::PageText;

/// No time control is longer, milliseconds.
const LONGEST_MS: u64 = 100 * 3_600_000;

/// Reads its form.
pub(super) fn act(fields: &Fields) -> Result<PageAct, Wrong> {
    Ok(match fields.text("act") {
        // Without times it is the clock here that counts.
        "clock" if fields.text("white_ms").is_empty() && fields.text("black_ms").is_empty() => {
            PageAct::RunClocks { run: running(fields)? != Running::None }
        }
        "clock" => PageAct::Clock(clock(fields)?),
        "back" => PageAct::GoBack {
            plies: fields.read("plies", PageText::AfterHalfMove)?,
            knows: fields.read("decided", PageText::AfterHalfMove)?,
        },
        "ends" => PageAct::Ended {
            result: fields.read("result", PageText::Result)?,
            article: fields.read("article", PageText::Article)?,
            reason: fields.line("text"),
        },
        _ => PageAct::Tells { text: fields.needed("text", PageText::Note)? },
    })
}

fn clock(fields: &Fields) -> Result<ClockRead, Wrong> {
    let time = |name| fields.read::<u64>(name, PageText::Clocks).map(|ms| ms.min(LONGEST_MS));
    let (white, black) = (time("white_ms")?, time("black_ms")?);
    let running = running(fields)?;
    Ok(ClockRead { white_ms: (white, white), black_ms: (black, black), running, fallen: None })
}

fn running(fields: &Fields) -> Result<Running, Wrong> {
    Ok(match fields.text("running") {
        "white" => Running::White,
        "black" => Running::Black,
        "" => Running::None,
        _ => return Err(Wrong::Field(PageText::Clocks)),
    })
}
