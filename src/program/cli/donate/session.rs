//! One person at the microphone.

use std::{io::Write, path::Path};

use super::{
    DonateArgs,
    folder::{self, Consented, Folder, NotWritten},
    list::Row,
    names,
};
use crate::{
    cli::{
        Exit, Failure,
        recordings::positions,
        room::{Event, Room},
        tell::{Teller, words_of},
    },
    config::Config,
    service::{ears::Overheard, streams::complain},
};
use annabella_core::donate::{DonateAct, DonateEnd, Donation, Donor, spoken_name};
use annabella_devices::voice::{
    Pcm,
    recognizer::{Model, choice},
    take::{RATE_HZ, fault},
};
use annabella_words::phrase::{Prompt, Slot, Utterance, Words, hear::move_loop};

/// The whole of it, with the microphone of the configuration.
pub(super) fn by_ear(
    args: &DonateArgs,
    config: &Config,
    base: &Path,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let words = words_of(config)?;
    let model = choice::open(config.speech.model.as_deref(), &words)?.model;
    let understands = knows(&model, &words);
    if !understands {
        complain(
            "the speech model knows other words: nobody checks what is said; type the answers",
        );
    }
    let mut teller = Teller::open(out, args.json, config, &words);
    let room = Room::open(config, &words, model, &teller);
    let speaker = args.speaker.as_deref();
    Session { room, words, understands, config, base }.run(speaker, &mut teller)
}

/// Whether the model hears every word of a move.
fn knows(model: &Model, words: &Words) -> bool {
    let vocabulary = model.vocabulary(words);
    let of_moves = move_loop(words);
    !vocabulary.missing().any(|missing| of_moves.iter().any(|word| word == missing))
}

struct Session<'a> {
    room: Room,
    words: Words,
    understands: bool,
    config: &'a Config,
    base: &'a Path,
}

/// The last sound, at [`RATE_HZ`], and the microphone's own rate.
type Sound = (Pcm, u32);

impl Session<'_> {
    fn run(mut self, speaker: Option<&str>, teller: &mut Teller<'_>) -> Result<Exit, Failure> {
        let mut folder = self.unfinished(speaker, teller)?;
        let (mut donation, mut acts) = match &folder {
            Some(folder) => {
                let donor = self.donor(vec![folder.name().to_owned()])?;
                Donation::resume(donor, folder.plan().to_vec(), folder.done())
            }
            None => {
                let names = speaker.map_or_else(|| names(&self.taken()), |name| vec![name.into()]);
                Donation::begin(self.donor(names)?)
            }
        };
        let mut sound: Option<Sound> = None;
        let mut consents = Vec::new();
        let end = loop {
            let mut said = Vec::new();
            let mut end = None;
            for act in acts {
                let written = match act {
                    DonateAct::Say(words) => {
                        said.push(words);
                        Ok(())
                    }
                    DonateAct::Consented { who, spoken } => {
                        let sound = sound.as_ref().filter(|_| spoken);
                        consents.push((who, sound.map(|(sound, _)| sound.clone())));
                        Ok(())
                    }
                    DonateAct::End(how) => {
                        end = Some(how);
                        Ok(())
                    }
                    act => self.write(act, &donation, &mut folder, &consents, sound.as_ref()),
                };
                self.told(written, teller)?;
            }
            self.room.expect(donation.grammar());
            if !said.is_empty() {
                teller.hush();
                teller.tell(&said)?;
            }
            if let Some(end) = end {
                break end;
            }
            acts = match self.room.next(teller)? {
                Event::Typed(line) => donation.typed(&line),
                Event::Silence => donation.silence(),
                Event::Spoke(utterance, rate_hz) => {
                    let said = Overheard::sound(&utterance, rate_hz).resampled(RATE_HZ);
                    let fault = fault(&said);
                    sound = Some((said, rate_hz));
                    let heard = utterance.heard.best().filter(|_| self.understands);
                    teller.understood = heard.map(|text| self.words.label(text));
                    donation.heard(&utterance.heard, fault)
                }
            };
        };
        if let (DonateEnd::Later | DonateEnd::Done, Some(folder)) = (end, &folder)
            && !folder.rows().is_empty()
        {
            let archive = folder.archive();
            let made = archive.as_ref().map(|archive| self.lies(folder, archive)).ok();
            self.told(archive.map(drop), teller)?;
            teller.tell(made.as_slice())?;
        }
        teller.finish();
        Ok(Exit::Done)
    }

    /// Where everything is, and what to send.
    fn lies(&self, folder: &Folder, archive: &Path) -> Utterance {
        let megabytes = folder.size().div_ceil(1_000_000);
        let name = |path: &Path| path.display().to_string();
        let file = archive.file_name().map(Path::new).map(name).unwrap_or_default();
        let slots = [Slot::Text(&name(folder.path())), Slot::count(megabytes), Slot::Text(&file)];
        self.words.prompt(Prompt::DonateWhere, &slots)
    }

    fn donor(&self, names: Vec<String>) -> Result<Donor, Failure> {
        Ok(Donor {
            words: self.words.clone(),
            understands: self.understands,
            limits: self.config.hearing,
            positions: positions()?,
            names,
            taken: self.taken(),
        })
    }

    fn taken(&self) -> Vec<String> {
        let all = folder::all(self.base).into_iter();
        all.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
    }

    /// The named person's folder, or the last one that is not complete, if its person wants to go
    /// on.
    fn unfinished(
        &mut self,
        speaker: Option<&str>,
        teller: &mut Teller<'_>,
    ) -> Result<Option<Folder>, Failure> {
        let left = |folder: &Folder| folder.plan().len() - folder.done().len();
        if let Some(name) = speaker {
            let path = self.base.join(name);
            if !path.exists() {
                return Ok(None);
            }
            let folder = Folder::open(&path).map_err(Failure::usage)?;
            return match left(&folder) {
                0 => Err(Failure::usage(format!(
                    "{} is complete: take another --speaker",
                    path.display()
                ))),
                _ => Ok(Some(folder)),
            };
        }
        let all = folder::all(self.base).into_iter();
        // A folder with faults is told by `--check`, and keeps nobody from giving his voice.
        let mut open = all.filter_map(|path| Folder::open(&path).ok());
        let Some(folder) = open.find(|folder| left(folder) > 0) else { return Ok(None) };
        let n = Slot::count(left(&folder));
        let name = spoken_name(&self.words, folder.name());
        teller.tell(&[self.words.prompt(Prompt::DonateGoOn, &[Slot::Text(&name), n])])?;
        Ok(self.room.yes(teller).then_some(folder))
    }

    fn write(
        &self,
        act: DonateAct,
        donation: &Donation,
        folder: &mut Option<Folder>,
        consents: &[Consented],
        sound: Option<&Sound>,
    ) -> Result<(), NotWritten> {
        match (act, folder.as_mut(), sound) {
            (DonateAct::Begin, ..) => {
                *folder = Some(Folder::begin(self.base, donation, &self.words, consents)?);
            }
            (DonateAct::Keep { text, take, certainty, heard }, Some(folder), Some(sound)) => {
                let (sound, orig_hz) = sound;
                let row = Row {
                    number: text,
                    take,
                    text: donation.plan().get(text).cloned().unwrap_or_default(),
                    certainty,
                    orig_hz: *orig_hz,
                    ms: sound.length_ms(),
                    heard,
                };
                folder.keep(row, sound)?;
            }
            (DonateAct::Forget { text }, Some(folder), _) => folder.forget(text)?,
            (DonateAct::Delete, Some(_), _) => {
                if let Some(folder) = folder.take() {
                    folder.delete()?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Says what could not be written, and ends.
    fn told(
        &self,
        written: Result<(), NotWritten>,
        teller: &mut Teller<'_>,
    ) -> Result<(), Failure> {
        let Err(err) = written else { return Ok(()) };
        let full = err.is_for_want_of_space();
        let prompt = if full { Prompt::DonateFull } else { Prompt::SetupNotWritten };
        teller.hush();
        teller.tell(&[self.words.prompt(prompt, &[])])?;
        teller.finish();
        Err(err.into())
    }
}

#[cfg(test)]
mod tests;
