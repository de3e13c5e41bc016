//! How far a voice stands out of the room that is heard with it.
//!
//! Pure: samples in, decibels out. Where others talk nearly as loudly as the player, one of their
//! words may take the place of his, and all hearings of it agree.

use super::endpoint::{level_dbfs, mean_dbfs};

/// This much of an utterance's beginning is the room, milliseconds: the voice begins a little
/// before it is noticed.
const BEFORE_MS: usize = 200;
/// The least sound needed from before the voice was noticed, milliseconds.
const ROOM_MS: usize = BEFORE_MS + 80;
/// This much of its end is the room, milliseconds: the pause that ended it.
const AFTER_MS: usize = 450;
/// The rest in between must be long enough for a word, milliseconds.
const VOICE_MS: usize = 250;
/// The room is measured in pieces of this length, milliseconds. A peg or a clock's lever fills one
/// or two of them.
const PIECE_MS: usize = 50;
/// One in this many of them, the loudest, does not count.
const LOUDEST: usize = 6;
/// The weight of the room between the words. Babble may have a gap there, or where the room was
/// measured.
const BETWEEN: f32 = 0.2;
/// One in this many frames of 10 ms is louder than the voice's loudness counts, and one is quieter
/// than the room's between its words.
const TENTH: usize = 10;

/// How much louder the voice is than the room, decibels. The room is the first `room` samples,
/// before the voice was noticed, if they are 280 ms at least, and what comes after it if `paused`;
/// `None` if there is neither or too little of the voice.
pub fn above_room_db(samples: &[i16], room: usize, rate_hz: u32, paused: bool) -> Option<f32> {
    let of_ms = |ms: usize| rate_hz as usize * ms / 1000;
    let (frame, piece) = (of_ms(10), of_ms(PIECE_MS));
    let (before, begin) =
        if room >= of_ms(ROOM_MS) { (of_ms(BEFORE_MS), of_ms(ROOM_MS)) } else { (0, room) };
    let after = if paused { of_ms(AFTER_MS) } else { 0 };
    let nothing = before + after == 0;
    if frame == 0 || nothing || samples.len() < begin + of_ms(VOICE_MS) + after {
        return None;
    }
    let end = samples.len() - after;
    let around = [&samples[..before], &samples[end..]];
    let pieces = sorted(around.into_iter().flat_map(|part| part.chunks_exact(piece)));
    let pieces = &pieces[..pieces.len() - pieces.len() / LOUDEST];
    let around = mean_dbfs(pieces);
    let frames = sorted(samples[begin..end].chunks_exact(frame));
    let tenth = frames.len() / TENTH;
    let (voice, between) = (frames[frames.len() - 1 - tenth], frames[tenth]);
    let above = voice - (1.0 - BETWEEN) * around - BETWEEN * between;
    Some((above * 10.0).round() / 10.0)
}

/// Loudness of these, dBFS, the quietest first.
fn sorted<'a>(parts: impl Iterator<Item = &'a [i16]>) -> Vec<f32> {
    let mut levels: Vec<f32> = parts.map(level_dbfs).collect();
    levels.sort_by(f32::total_cmp);
    levels
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::voice::endpoint;

    const RATE_HZ: u32 = 16_000;
    /// 300 ms.
    const ROOM: usize = 4800;

    /// Noise so loud, dBFS, always the same for a seed.
    fn noise(ms: usize, dbfs: f64, seed: u32) -> Vec<i16> {
        endpoint::tests::noise(ms, 10f64.powf(dbfs / 20.0) * 3f64.sqrt() * 32_768.0, seed)
    }

    /// A room, three words in it and the pause after them.
    fn said(voice_dbfs: f64, room_dbfs: f64) -> Vec<i16> {
        let words = [
            (300, false),
            (300, true),
            (60, false),
            (300, true),
            (60, false),
            (300, true),
            (460, false),
        ];
        let parts = words.iter().zip(1..).flat_map(|((ms, voice), seed)| {
            noise(*ms, if *voice { voice_dbfs } else { room_dbfs }, seed)
        });
        parts.collect()
    }

    fn above(samples: &[i16]) -> f32 {
        above_room_db(samples, ROOM, RATE_HZ, true).expect("long enough")
    }

    #[test]
    fn it_is_the_difference_of_the_two() {
        for (voice, room) in [(-20.0, -26.0), (-20.0, -40.0), (-35.0, -60.0)] {
            let found = above(&said(voice, room));
            assert!((f64::from(found) - (voice - room)).abs() < 1.0, "{voice} {room}: {found}");
        }
    }

    #[test]
    fn a_clocks_lever_is_not_the_room() {
        let quiet = said(-20.0, -50.0);
        let mut clicks = quiet.clone();
        let end = clicks.len();
        for at in [1600, end - 3200] {
            clicks[at..at + 320].copy_from_slice(&noise(20, -8.0, 9));
        }
        assert!(
            (above(&clicks) - above(&quiet)).abs() < 1.0,
            "{} {}",
            above(&clicks),
            above(&quiet)
        );
    }

    #[test]
    fn where_the_talk_key_was_let_go_the_end_is_the_voice() {
        let samples = said(-20.0, -40.0);
        let cut = &samples[..samples.len() - 460 * 16];
        let found = above_room_db(cut, ROOM, RATE_HZ, false).expect("long enough");
        assert!((found - 20.0).abs() < 1.0, "{found}");
        assert!(above(cut) < 12.0, "with its end for the room it would be {}", above(cut));
    }

    #[test]
    fn where_the_room_was_not_heard_before_the_voice_the_pause_after_it_tells() {
        for (voice, room) in [(-20.0, -26.0), (-20.0, -40.0)] {
            let found = above_room_db(&said(voice, room), ROOM / 2, RATE_HZ, true);
            let found = found.expect("there is a pause");
            assert!((f64::from(found) - (voice - room)).abs() < 1.0, "{voice} {room}: {found}");
        }
        assert_eq!(above_room_db(&said(-20.0, -40.0), ROOM / 2, RATE_HZ, false), None);
    }

    #[test]
    fn of_too_little_nothing_is_said() {
        for ms in [0, 20, 280, 500, 970] {
            assert_eq!(above_room_db(&noise(ms, -20.0, 1), ROOM, RATE_HZ, true), None, "{ms}");
        }
        assert_eq!(above_room_db(&noise(690, -20.0, 1), 0, RATE_HZ, true), None);
        assert_eq!(above_room_db(&noise(2000, -20.0, 1), ROOM, 50, true), None);
    }

    proptest! {
        #[test]
        fn any_samples_at_any_rate_give_a_number_or_nothing(
            samples in prop::collection::vec(any::<i16>(), 0..9000),
            room in 0usize..9000,
            rate_hz in 0u32..20_000,
            paused: bool,
        ) {
            let above = above_room_db(&samples, room, rate_hz, paused);
            prop_assert!(above.is_none_or(f32::is_finite));
        }
    }
}
