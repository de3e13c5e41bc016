//! espeak-ng as a process: no daemon, some 20 ms a sentence.

use std::{
    io::{Read, Write},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use super::{Pcm, Rate, VoiceError};
use annabella_words::phrase::{Part, Utterance};

const PROGRAM: &str = "espeak-ng";
/// espeak-ng's sample rate.
const RATE_HZ: u32 = 22_050;
/// A sentence takes some 20 ms; a process that takes this long hangs.
const PATIENCE: Duration = Duration::from_secs(10);
/// Silence left at a part's ends, milliseconds: enough not to clip a consonant.
const KEEP_MS: u64 = 20;
/// Pause between parts of different languages, milliseconds.
const PAUSE_MS: u64 = 120;

/// espeak-ng, called for each part.
#[derive(Clone, Debug)]
pub struct Espeak {
    program: String,
    variant: String,
}

impl Default for Espeak {
    fn default() -> Espeak {
        Espeak { program: PROGRAM.to_owned(), variant: String::new() }
    }
}

impl Espeak {
    /// espeak-ng as found in the path.
    ///
    /// # Errors
    /// [`VoiceError::NoProgram`] when it is not installed.
    pub fn new() -> Result<Espeak, VoiceError> {
        Espeak::at(PROGRAM)
    }

    /// Another program that takes espeak-ng's options.
    ///
    /// # Errors
    /// [`VoiceError::NoProgram`] when it cannot be started.
    pub fn at(program: &str) -> Result<Espeak, VoiceError> {
        let engine = Espeak { program: program.to_owned(), variant: String::new() };
        let answer = Command::new(program).arg("--version").stdin(Stdio::null()).output();
        match answer {
            Ok(output) if output.status.success() => Ok(engine),
            Ok(output) => Err(VoiceError::Engine {
                program: PROGRAM,
                reason: format!("`{program} --version` ended with {}", output.status),
            }),
            Err(_) => Err(VoiceError::NoProgram { program: PROGRAM, package: PROGRAM }),
        }
    }

    /// The same with a variant of its voices, as `f2`; empty for none. An unknown variant sounds
    /// like none.
    #[must_use]
    pub fn with_variant(mut self, variant: &str) -> Espeak {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        self.variant = variant.chars().filter(|c| plain(*c)).collect();
        self
    }

    /// The sound of these words, each part by its own language's voice.
    ///
    /// # Errors
    /// [`VoiceError`], with what to do about it.
    pub fn render(&self, words: &Utterance, rate: Rate) -> Result<Pcm, VoiceError> {
        let mut sound = Pcm::empty(RATE_HZ);
        for part in &words.parts {
            let mut pcm = self.part(part, rate)?;
            pcm.trim(KEEP_MS);
            if !sound.samples.is_empty() {
                sound.append_silence(PAUSE_MS);
            }
            sound.append(&pcm);
        }
        Ok(sound)
    }
    fn part(&self, part: &Part, rate: Rate) -> Result<Pcm, VoiceError> {
        let failed = |reason: String| VoiceError::Engine { program: PROGRAM, reason };
        // The language goes to an option, so it must be a plain code.
        if !part.lang.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') || part.lang.is_empty()
        {
            return Err(VoiceError::NoVoice { lang: part.lang.clone() });
        }
        let voice = match self.variant.as_str() {
            "" => part.lang.clone(),
            variant => format!("{}+{variant}", part.lang),
        };
        let mut child = Command::new(&self.program)
            .args(["-v", &voice, "-s", &rate.words_per_minute().to_string()])
            .args(["-b", "1", "--stdin", "--stdout"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|_| VoiceError::NoProgram { program: PROGRAM, package: PROGRAM })?;
        if let Some(mut stdin) = child.stdin.take() {
            // A program that does not read shows in its exit status.
            let _ = stdin.write_all(part.sound().as_bytes());
        }
        let stdout = child.stdout.take().map(read_all);
        let stderr = child.stderr.take().map(read_all);
        let began = Instant::now();
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if began.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Ok(None) => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(failed(format!("no answer in {} s", PATIENCE.as_secs())));
                }
                Err(err) => return Err(failed(err.to_string())),
            }
        };
        let bytes = stdout.and_then(|reader| reader.join().ok()).unwrap_or_default();
        if !status.success() || bytes.is_empty() {
            let said = stderr.and_then(|reader| reader.join().ok()).unwrap_or_default();
            let said = String::from_utf8_lossy(&said);
            if said.contains("voice") {
                return Err(VoiceError::NoVoice { lang: part.lang.clone() });
            }
            let line = said.lines().next().unwrap_or("no reason given").to_owned();
            return Err(failed(line));
        }
        Pcm::from_wav(&bytes[..]).map_err(|_| failed("gave no sound".to_owned()))
    }
}

/// Read beside the waiting, so that a full pipe does not stop the program.
fn read_all(mut from: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // Bytes before an error are kept; the exit status tells the rest.
        let _ = from.read_to_end(&mut bytes);
        bytes
    })
}
