//! `annabella listen --mic`: words spoken into the microphone, with its level.

use std::{
    io::{IsTerminal, Write},
    time::{Duration, Instant},
};

use shakmaty::Chess;

use super::{FileEars, ListenArgs, line};
use crate::{
    cli::{Exit, Failure},
    service::streams::{complain, error_line, in_own_language},
};
use annabella_devices::voice::{
    capture::{Capture, CaptureEvent, Samples},
    meter::Meter,
    mic::Microphone,
};
use annabella_words::phrase::hear::Matcher;

/// The interval between reports of the level.
const TELL: Duration = Duration::from_secs(1);
/// Length of the bar, characters.
const BAR: usize = 30;

/// Listens until the time is over or somebody stops it; levels go to standard error.
pub(super) fn run(
    args: &ListenArgs,
    device: &str,
    pos: &Chess,
    ears: &mut FileEars,
    matcher: &Matcher,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let mut microphone = Microphone::new(device);
    let mut session = None;
    let mut meter: Option<(u32, Meter)> = None;
    let began = Instant::now();
    let mut told = Instant::now();
    let bar = !args.plain && std::io::stderr().is_terminal();
    let mut exit = Exit::Problem;
    loop {
        if args.seconds.is_some_and(|seconds| began.elapsed().as_secs() >= seconds) {
            return Ok(exit);
        }
        match microphone.next(Duration::from_millis(100)) {
            Some(CaptureEvent::Samples(Samples { rate_hz, samples, .. })) => {
                if meter.as_ref().is_none_or(|(rate, _)| *rate != rate_hz) {
                    meter = Some((rate_hz, Meter::new(rate_hz)));
                    session = Some(ears.session(rate_hz));
                }
                if let Some((_, meter)) = &mut meter {
                    meter.feed(&samples);
                }
                let Some(session) = &mut session else { continue };
                if let Some(utterance) = session.feed(&samples)? {
                    let decision = matcher.decide(&utterance.heard);
                    let audio_ms = utterance.samples.len() as u64 * 1000 / u64::from(rate_hz);
                    let took_ms = utterance.took.as_millis();
                    let name = std::path::Path::new("microphone");
                    let heard = &utterance.heard;
                    writeln!(out, "{}", line(name, pos, heard, &decision, audio_ms, took_ms))?;
                    out.flush()?;
                    exit = Exit::Done;
                }
            }
            Some(CaptureEvent::Lost { error }) => complain(&format!("microphone lost: {error}")),
            Some(CaptureEvent::Back { .. }) => complain("the microphone is back"),
            Some(CaptureEvent::Overrun { lost_ms }) => {
                complain(&format!("{lost_ms} ms of sound were lost: the machine is too busy"));
            }
            None => {}
        }
        if let Some((_, meter)) = meter.as_ref().filter(|_| told.elapsed() >= TELL) {
            told = Instant::now();
            let line = if bar { meter.bar(BAR) } else { meter.plain() };
            error_line(&in_own_language(&line));
        }
    }
}
