//! Opening sound devices, for loudspeaker, tones and microphone.

use std::{
    thread,
    time::{Duration, Instant},
};

use super::VoiceError;

/// How long a device may be in use before that is an error. A program that we start holds a device
/// that we have just closed until it runs itself: some milliseconds, more on a slow card. A program
/// that ends may hold one too.
const BUSY: Duration = Duration::from_secs(3);
/// How often one in use is tried.
const LOOK: Duration = Duration::from_millis(20);

/// Opens a device, again and again while it is in use and nothing says to `stop`.
///
/// # Errors
/// [`VoiceError::Busy`] after three seconds, other errors at once.
pub(super) fn when_free<T>(
    stop: impl Fn() -> bool,
    mut open: impl FnMut() -> Result<T, VoiceError>,
) -> Result<T, VoiceError> {
    let end = Instant::now() + BUSY;
    loop {
        match open() {
            Err(VoiceError::Busy { .. }) if !stop() && Instant::now() < end => thread::sleep(LOOK),
            opened => return opened,
        }
    }
}

/// A device's error, its first line.
pub(super) fn device_error(name: &str, reason: impl ToString) -> VoiceError {
    let reason = reason.to_string();
    let line = reason.lines().next().unwrap_or("no reason given");
    let reason = line.trim_end_matches('.').to_owned();
    VoiceError::Device { name: name.to_owned(), reason }
}

/// An error of the sound system.
pub(super) fn failed(name: &str, err: &cpal::Error) -> VoiceError {
    match err.kind() {
        cpal::ErrorKind::DeviceBusy => VoiceError::Busy { name: name.to_owned() },
        _ => device_error(name, err),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn busy() -> Result<u32, VoiceError> {
        Err(failed("hall", &cpal::Error::from(cpal::ErrorKind::DeviceBusy)))
    }

    #[test]
    fn a_device_in_use_for_a_moment_is_waited_for() {
        let tries = Cell::new(0);
        let opened = when_free(
            || false,
            || {
                tries.set(tries.get() + 1);
                if tries.get() < 5 { busy() } else { Ok(tries.get()) }
            },
        );
        assert_eq!(opened, Ok(5));
    }

    #[test]
    fn another_error_is_none_to_wait_for_and_the_end_of_the_program_either() {
        let tries = Cell::new(0);
        let gone = || {
            tries.set(tries.get() + 1);
            Err::<u32, _>(device_error("hall", "It is gone.\nReally."))
        };
        let error = when_free(|| false, gone).expect_err("gone");
        assert_eq!(
            error.to_string(),
            "sound device 'hall': It is gone; `annabella doctor` lists those there are"
        );
        assert_eq!(tries.get(), 1);
        let error = when_free(|| true, busy).expect_err("to be stopped");
        assert_eq!(
            error.to_string(),
            "sound device 'hall' is in use by another program: end that, or choose another device; \
             `annabella doctor` lists those there are"
        );
    }
}
