//! Synthetic speakers: whatever speaks German on this machine, as players for tests and the demo.
//!
//! None of them is a person, and nothing measured on them is human accuracy.

pub mod room;

use std::{path::PathBuf, process::Command};

use annabella_devices::voice::{Pcm, VoiceError};

/// espeak-ng's variants that sound least alike.
const VARIANTS: [&str; 10] = ["", "m1", "m3", "m7", "f1", "f2", "f4", "klatt2", "croak", "Andrea"];

/// A program that speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// `espeak-ng -v de+VARIANT`
    Espeak(&'static str),
    /// `espeak-ng -v mb-deN`: diphones of a real speaker.
    Mbrola(u8),
    /// `pico2wave -l de-DE`
    Pico,
}

/// A synthetic speaker of German.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Speaker {
    kind: Kind,
}

/// How something is said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delivery {
    /// Against the speaker's usual pace, percent.
    pub pace: u16,
    /// 0 to 99; 50 is the speaker's usual pitch. svox pico has but one.
    pub pitch: u8,
}

impl Default for Delivery {
    fn default() -> Delivery {
        Delivery { pace: 100, pitch: 50 }
    }
}

impl Speaker {
    /// Everybody on this machine: espeak-ng's variants, svox pico and mbrola where they are
    /// installed.
    pub fn all() -> Vec<Speaker> {
        let mut all = Vec::new();
        if answers("espeak-ng", &["--version"]) {
            all.extend(VARIANTS.map(|variant| Speaker { kind: Kind::Espeak(variant) }));
            if answers("mbrola", &["-h"]) {
                all.extend(
                    (1..=8).filter(|n| has_mbrola(*n)).map(|n| Speaker { kind: Kind::Mbrola(n) }),
                );
            }
        }
        if answers("pico2wave", &["--help"]) {
            all.push(Speaker { kind: Kind::Pico });
        }
        all
    }

    /// espeak-ng's usual German voice.
    pub fn espeak() -> Speaker {
        Speaker { kind: Kind::Espeak("") }
    }

    /// `espeak-de+f2`, `mbrola-de4`, `pico-de`.
    pub fn name(&self) -> String {
        match self.kind {
            Kind::Espeak("") => "espeak-de".to_owned(),
            Kind::Espeak(variant) => format!("espeak-de+{variant}"),
            Kind::Mbrola(n) => format!("mbrola-de{n}"),
            Kind::Pico => "pico-de".to_owned(),
        }
    }

    /// Speaks. Mono, at the program's own rate.
    ///
    /// # Errors
    /// When the program is missing or fails.
    pub fn say(&self, text: &str, how: Delivery) -> Result<Pcm, VoiceError> {
        let file = Scratch::new()?;
        let (program, mut command) = match &self.kind {
            Kind::Pico => {
                let mut command = Command::new("pico2wave");
                command.args(["-l", "de-DE", "-w"]).arg(&file.0).arg("--");
                ("pico2wave", command)
            }
            kind => {
                let voice = match kind {
                    Kind::Espeak("") => "de".to_owned(),
                    Kind::Espeak(variant) => format!("de+{variant}"),
                    Kind::Mbrola(n) => format!("mb-de{n}"),
                    Kind::Pico => String::new(),
                };
                let pace = (160 * u32::from(how.pace) / 100).clamp(80, 450);
                let mut command = Command::new("espeak-ng");
                command.args(["-v", &voice, "-s", &pace.to_string()]);
                command.args(["-p", &how.pitch.min(99).to_string(), "-w"]).arg(&file.0).arg("--");
                ("espeak-ng", command)
            }
        };
        let output = command
            .arg(text)
            .output()
            .map_err(|_| VoiceError::NoProgram { program, package: package(program) })?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let reason = said.lines().next().unwrap_or("no reason given").to_owned();
            return Err(VoiceError::Engine { program, reason });
        }
        let mut sound = Pcm::read_wav(&file.0)?;
        if self.kind == Kind::Pico && how.pace != 100 {
            sound = room::resampled(&sound, f64::from(how.pace) / 100.0);
        }
        sound.trim(20);
        Ok(sound)
    }
}

fn package(program: &str) -> &'static str {
    if program == "pico2wave" { "libttspico-utils" } else { "espeak-ng" }
}

fn answers(program: &str, args: &[&str]) -> bool {
    // Some print their help and end with an error: that they start is what counts.
    Command::new(program).args(args).output().is_ok()
}

fn has_mbrola(n: u8) -> bool {
    PathBuf::from(format!("/usr/share/mbrola/de{n}/de{n}")).is_file()
}

/// A file that goes with it.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Scratch, VoiceError> {
        use std::sync::atomic::{AtomicU64, Ordering};
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("annabella-{}-{n}.wav", std::process::id());
        Ok(Scratch(std::env::temp_dir().join(name)))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A leftover in the folder for temporary files harms nobody.
        let _ = std::fs::remove_file(&self.0);
    }
}
