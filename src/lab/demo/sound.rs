//! A demonstration's sound: through the sound card where there is one, and into a file.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use annabella::{config::SpeechSection, service};
use annabella_core::game::{Channel, Output};
use annabella_devices::voice::{Mouth, Pcm, Rate, VoiceError, VoiceEvent, espeak::Espeak};

/// Pause between two announcements in the file, milliseconds: thinking time is left out.
const PAUSE_MS: u64 = 500;
/// No sentence is longer than this.
const LONGEST: Duration = Duration::from_secs(20);
/// After this time without an answer there is no sound card.
const ANSWER: Duration = Duration::from_millis(700);

pub(super) struct Sound {
    live: Option<Box<dyn Mouth>>,
    file: Option<(Espeak, PathBuf, Pcm)>,
    spoken: usize,
}

impl Sound {
    pub(super) fn silent() -> Sound {
        Sound { live: None, file: None, spoken: 0 }
    }

    /// Speaks through the sound card if there is one. Writes everything to `file` if one is given,
    /// or into the present folder if there is no sound card. Returns a line about it.
    pub(super) fn open(file: Option<&Path>) -> Result<(Sound, String), VoiceError> {
        let engine = Espeak::new()?;
        let live = live();
        let mut line = match live {
            Some(_) => "Speaking through the sound card".to_owned(),
            None => "No sound card here".to_owned(),
        };
        let given = file.map(Path::to_owned);
        let path = given.or_else(|| live.is_none().then(|| PathBuf::from("annabella-demo.wav")));
        if let Some(path) = &path {
            line.push_str(&format!("; every announcement is rendered into {}", path.display()));
        }
        line.push('.');
        let file = path.map(|path| (engine, path, Pcm::empty(22_050)));
        Ok((Sound { live, file, spoken: 0 }, line))
    }

    pub(super) fn output(&mut self, output: &Output) -> Result<(), VoiceError> {
        if let Some(live) = &mut self.live {
            service::speak(live.as_mut(), output);
        }
        if let (Some((engine, _, track)), Output::Say { words, .. }) = (&mut self.file, output) {
            let sound = engine.render(words, Rate::default())?;
            track.append(&sound);
            track.append_silence(PAUSE_MS);
        }
        if matches!(output, Output::Say { .. }) {
            self.spoken += 1;
        }
        Ok(())
    }

    /// Waits until what is being said has been said: people listen before they go on.
    pub(super) fn listen(&self) {
        let Some(live) = &self.live else { return };
        let began = Instant::now();
        while began.elapsed() < LONGEST
            && (live.is_speaking(Channel::Public) || live.is_speaking(Channel::Private))
        {
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Writes the file. Gives back a line about it.
    pub(super) fn close(self) -> Result<Option<String>, VoiceError> {
        let Some((_, path, track)) = self.file else { return Ok(None) };
        track.write_wav(&path)?;
        let minutes = track.length_ms() / 60_000;
        let seconds = track.length_ms() / 1000 % 60;
        Ok(Some(format!(
            "{}: {} sentences, {minutes} min {seconds} s of speech.",
            path.display(),
            self.spoken
        )))
    }
}

/// The mouth of the default configuration, if its devices answer.
fn live() -> Option<Box<dyn Mouth>> {
    let mut mouth = service::mouth(&SpeechSection::default()).ok().flatten()?;
    let began = Instant::now();
    while began.elapsed() < ANSWER {
        if mouth.events().iter().any(|event| matches!(event, VoiceEvent::DeviceLost { .. })) {
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Some(mouth)
}
