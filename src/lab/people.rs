//! How well people are understood: a folder of many people's recordings, with a manifest, each
//! person counted once.
//!
//! Single words are heard twice: as they were recorded, cut tight, with nothing but these words in
//! the grammar; and in a quiet room in the program's own dialogue. Announcements, which hardly
//! anybody recorded, are joined from one person's words. People who name no files get them from
//! another voice, and only their own words are measured.

mod args;
mod enrolled;
mod joined;
mod manifest;
mod ranks;
mod report;
mod share;

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    path::Path,
};

use shakmaty::{Chess, Rank};

pub(crate) use self::args::PeopleArgs;
use self::{
    args::{own_ears, talkers, wanted},
    joined::{Clips, Script, canonical},
    manifest::{Part, Recording},
    ranks::{Place, Ranks},
    share::Share,
};
use crate::measure::{Tally, judge, request, shown};
use annabella::cli::{
    Exit, Failure,
    listen::FileEars,
    recordings::{ListedRecording, RecordingKind, positions},
};
use annabella_core::game::read_fen;
use annabella_devices::voice::Pcm;
use annabella_emulators::speakers::{
    Delivery, Speaker,
    room::{self, Condition},
};
use annabella_words::{
    phrase::{
        Understood, Words,
        hear::{
            Answer, Asked, Confusions, Context, Ear, Grammar, Heard, HeardDecision, Talk,
            answer_grammar,
        },
        understand,
    },
    text::uci,
};

/// The recognisers' sample rate.
const RATE_HZ: u32 = 16_000;
/// Of announcements that are joined for a person one in so many is not legal.
const ILLEGAL: u32 = 4;

/// A recording's kind, by its text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    /// A rank, 1 to 8.
    Rank(u8),
    /// Another word or short phrase of moves, as the grammar spells it.
    Word(String),
    /// A request, by its name; ja and nein too.
    Request(String),
    /// No word of ours.
    Talk,
    /// Words of ours in another order: a whole announcement, where it is one, or numbers above
    /// eight, spelled letters.
    Other,
}

/// The results of one person's recordings.
#[derive(Clone, Default)]
struct Person {
    /// Ranks alone, with nothing but the eight in the grammar.
    ranks: Ranks,
    /// In the dialogue, as an answer to a question.
    asked: Share,
    /// Words of chess as they were recorded, with nothing but the words of moves in the grammar.
    words_recorded: Share,
    /// The same in a quiet room.
    words: Share,
    /// Announcements, joined or said as a whole, requests, talk.
    heard: Tally,
    /// "Ja" and "nein", after a question.
    answers: Tally,
    /// The voice that lends names of files for the announcements, if they are not the person's own.
    files_by: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] when the manifest, a recording or the model is wrong, or libvosk is missing.
pub(crate) fn run(args: &PeopleArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let words = Words::builtin("fide", "de").map_err(Failure::usage)?;
    let all = manifest::read(&args.folder)?;
    let talkers = talkers(&all, &words)?;
    let recordings = wanted(args, all, &words);
    if recordings.is_empty() {
        return Err(Failure::usage("--only: nobody of this name is in the folder"));
    }
    let ear = Ear::with_confusions(&words, &Confusions::default());
    let positions = positions()?;
    let said = Spoken::new(args, &words, recordings)?;
    for model in args.models() {
        let shown = shown(model.as_deref());
        if args.enrol {
            enrolled::run(args, model.as_deref(), &words, &positions, &said, out)?;
            continue;
        }
        let ears = FileEars::open(model.as_deref(), &words)?.waiting(args.rest);
        let own = own_ears(args, &ears, &said)?;
        let mut room = Room {
            words: &words,
            ear: &ear,
            usual: ears.clone(),
            ears,
            own,
            talkers: &talkers,
            announcements: args.announcements,
            positions: &positions,
            gaps: args.gaps,
            verbose: args.verbose,
            talk: Talk::default(),
            now_ms: 0,
        };
        let people = room.people(&said, out)?;
        if args.json {
            report::lines(&shown, &people, out)?;
        } else {
            writeln!(out, "model {shown}")?;
            report::table(&people, out)?;
        }
    }
    Ok(Exit::Done)
}

/// Everything that was said, and by whom.
struct Spoken {
    recordings: Vec<(Recording, Said)>,
    /// The voice that lends names of files, if any does.
    lender: Option<(String, Clips)>,
    /// Spoken by a synthetic voice: their places follow those of the recordings.
    lent: Vec<(String, Pcm)>,
    /// Each person's words, as places of recordings.
    clips: BTreeMap<String, Clips>,
}

impl Spoken {
    fn new(
        args: &PeopleArgs,
        words: &Words,
        recordings: Vec<(Recording, Said)>,
    ) -> Result<Spoken, Failure> {
        let mut clips: BTreeMap<String, Clips> = BTreeMap::new();
        for (n, (recording, _)) in recordings.iter().enumerate() {
            if let Some(word) = canonical(words, &recording.text) {
                clips.entry(recording.speaker.clone()).or_default().insert(word, n);
            }
        }
        let mut said = Spoken { recordings, lender: None, lent: Vec::new(), clips };
        match args.files_by.as_deref() {
            Some(name) => {
                let own = match said.clips.get(name) {
                    Some(clips) => clips.clone(),
                    None => said.speak(name, words)?,
                };
                if !own.all_files(words) {
                    let why = format!("--files-by: '{name}' does not say every file");
                    return Err(Failure::usage(why));
                }
                said.lender = Some((name.to_owned(), own));
            }
            None => {
                let mut all = said.clips.iter();
                let lender = all.find(|(_, clips)| clips.all_files(words));
                said.lender = lender.map(|(name, clips)| (name.clone(), clips.clone()));
            }
        }
        Ok(said)
    }

    /// All words of moves, one at a time, by a synthetic voice of this machine.
    fn speak(&mut self, name: &str, words: &Words) -> Result<Clips, Failure> {
        let speaker = Speaker::all().into_iter().find(|speaker| speaker.name() == name);
        let Some(speaker) = speaker else {
            let why = format!(
                "--files-by: '{name}' is no person of the folder who names files, and no synthetic voice here"
            );
            return Err(Failure::usage(why));
        };
        let mut clips = Clips::default();
        for word in words.moves().move_words() {
            let sound = speaker.say(word.sound(), Delivery::default()).map_err(Failure::device)?;
            clips.insert(word.text.to_lowercase(), self.recordings.len() + self.lent.len());
            self.lent.push((word.text.to_lowercase(), room::at_rate(&sound, RATE_HZ)));
        }
        Ok(clips)
    }

    /// A person's words for announcements, with lent files where only ranks were recorded.
    fn announcing(
        &self,
        words: &Words,
        name: &str,
        own: &Clips,
    ) -> Option<(Clips, Option<String>)> {
        if own.announce(words) {
            return Some((own.clone(), None));
        }
        let (lender, lent) = self.lender.as_ref().filter(|(lender, _)| lender != name)?;
        own.ranks(words).then(|| (own.clone().with_files_of(words, lent), Some(lender.clone())))
    }

    fn sound(&self, at: usize) -> Result<Pcm, Failure> {
        match self.recordings.get(at) {
            Some((recording, _)) => read(&recording.file),
            None => Ok(self.lent[at - self.recordings.len()].1.clone()),
        }
    }

    /// The words there, as the recogniser's grammar spells them.
    fn text(&self, at: usize) -> String {
        match self.recordings.get(at) {
            Some((recording, _)) => recording.text.to_lowercase(),
            None => self.lent[at - self.recordings.len()].0.clone(),
        }
    }

    /// An announcement in a quiet room.
    fn joined(&self, script: &mut Script, clips: &[usize], seed: u64) -> Result<Pcm, Failure> {
        let parts: Vec<Pcm> = clips.iter().map(|at| self.sound(*at)).collect::<Result<_, _>>()?;
        let sound = script.join(&parts.iter().collect::<Vec<_>>());
        Ok(room::put(&sound, Condition::Clean, &[], seed))
    }
}

fn said(words: &Words, text: &str) -> Said {
    let lower = text.to_lowercase();
    for (n, rank) in (1..).zip(Rank::ALL) {
        if words.moves().rank(rank).heard().any(|heard| heard.to_lowercase() == lower) {
            return Said::Rank(n);
        }
    }
    let of_commands = words.command_phrases();
    if let Some((_, command)) =
        of_commands.iter().find(|(phrase, _)| phrase.to_lowercase() == lower)
    {
        return Said::Request(command.name());
    }
    if let Some(word) = canonical(words, text) {
        return Said::Word(word);
    }
    let known: BTreeSet<String> = words.moves().vocabulary().into_iter().collect();
    let ours = |word: &str| known.contains(word.trim_matches(|c: char| !c.is_alphanumeric()));
    let lexical = lower.split_whitespace().all(ours);
    if lexical || text.starts_with("Buchstabe ") { Said::Other } else { Said::Talk }
}

struct Room<'a> {
    words: &'a Words,
    ear: &'a Ear,
    /// Those of the person who is heard.
    ears: FileEars,
    usual: FileEars,
    own: BTreeMap<String, FileEars>,
    talkers: &'a [(String, Pcm)],
    announcements: u32,
    positions: &'a [Chess],
    /// Between joined words, milliseconds.
    gaps: [u64; 2],
    verbose: bool,
    /// The talk of the person who is heard, one utterance after another.
    talk: Talk,
    now_ms: u64,
}

type People = BTreeMap<String, (Part, Person)>;

impl Room<'_> {
    /// The person of this name is heard from now on.
    fn begin(&mut self, speaker: &str) {
        self.talk = Talk::default();
        self.ears = self.own.get(speaker).unwrap_or(&self.usual).clone();
    }

    fn people(&mut self, said: &Spoken, out: &mut dyn Write) -> Result<People, Failure> {
        let mut people = People::new();
        let mut speaker = None;
        for (n, (recording, what)) in said.recordings.iter().enumerate() {
            if speaker.replace(&recording.speaker) != Some(&recording.speaker) {
                self.begin(&recording.speaker);
            }
            let sound = read(&recording.file)?;
            let key = recording.speaker.clone();
            let in_turn = self.own.contains_key(&key);
            let part = if in_turn { Part::InTurn } else { recording.part };
            let (_, person) = people.entry(key).or_insert_with(|| (part, Person::default()));
            self.single(person, recording, what, &sound, n as u64, out)?;
        }
        for (speaker, clips) in &said.clips {
            if let Some((clips, files_by)) = said.announcing(self.words, speaker, clips)
                && let Some((_, person)) = people.get_mut(speaker)
            {
                person.files_by = files_by;
                self.announced(person, speaker, &clips, said, out)?;
            }
        }
        // How well the voice that lends its files is understood when it says everything.
        if let Some((lender, clips)) = &said.lender
            && !said.lent.is_empty()
        {
            let mut voice = Person::default();
            self.announced(&mut voice, lender, clips, said, out)?;
            people.insert(lender.clone(), (Part::Synthetic, voice));
        }
        Ok(people)
    }

    /// A recording heard by itself.
    fn single(
        &mut self,
        person: &mut Person,
        recording: &Recording,
        said: &Said,
        sound: &Pcm,
        seed: u64,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let in_room = room::put(sound, Condition::Clean, &[], seed);
        let verbose = self.verbose;
        let mut note = |what: &str, heard: &str| -> Result<(), Failure> {
            if verbose {
                writeln!(
                    out,
                    "{what}: {} {} '{}' heard '{heard}'",
                    recording.file.display(),
                    recording.speaker,
                    recording.text
                )?;
            }
            Ok(())
        };
        match said {
            Said::Rank(n) => {
                let ranks = Rank::ALL.map(|rank| self.words.moves().rank(rank).text.to_lowercase());
                let meant = ranks[usize::from(*n) - 1].clone();
                let grammar = Grammar::of_phrases(ranks.to_vec());
                let others: Vec<Pcm> = self
                    .talkers
                    .iter()
                    .filter(|(name, _)| *name != recording.speaker)
                    .map(|(_, talk)| talk.clone())
                    .collect();
                for place in Place::ALL {
                    let Some(sound) = place.put(sound, &others, seed) else { continue };
                    let heard = closed(&mut self.ears, &grammar, &sound)?;
                    person.ranks.add(place, *n, heard == meant);
                    if heard != meant {
                        note(&format!("rank, {}", place.name()), &heard)?;
                    }
                }
                let position = Chess::default();
                let context =
                    Context { moves: false, asked: Asked::Number(8), ..Context::default() };
                self.ears.listen_for(&Grammar::of_phrases(answer_grammar(self.words)));
                let heard = self.ears.overhear(&in_room)?;
                let matcher = self.ear.matcher(&position, context);
                let first = heard.iter().find(|heard| !heard.is_nothing());
                let decision = first.map(|heard| matcher.decide(heard));
                let right = matches!(decision, Some(HeardDecision::Answer { answer: Answer::Number(m), .. }) if m == *n);
                person.asked.add(right);
                if !right {
                    note("rank, asked for", first.and_then(Heard::best).unwrap_or(""))?;
                }
            }
            Said::Word(meant) => {
                let all = self.words.moves().move_words().map(|word| word.text.to_lowercase());
                let grammar = Grammar::of_phrases(all.collect());
                for (sound, share, what) in [
                    (sound, &mut person.words_recorded, "word, as recorded"),
                    (&in_room, &mut person.words, "word"),
                ] {
                    let heard = closed(&mut self.ears, &grammar, sound)?;
                    share.add(heard == *meant);
                    if heard != *meant {
                        note(what, &heard)?;
                    }
                }
            }
            Said::Request(_) | Said::Talk => {
                let position = &self.positions[seed as usize * 7 % self.positions.len()];
                let (kind, meant) = match said {
                    Said::Request(name) => (RecordingKind::Request, name.clone()),
                    _ => (RecordingKind::Talk, "-".to_owned()),
                };
                let item = item(recording, kind, position, meant, recording.text.clone());
                let tally = match said {
                    Said::Request(_) if yes_or_no(&item) => &mut person.answers,
                    _ => &mut person.heard,
                };
                let (verdict, heard) = self.dialogue(tally, &item, &in_room)?;
                if verdict != "right" {
                    note(verdict, &heard)?;
                }
            }
            Said::Other => {
                let text = recording.text.to_lowercase();
                // A whole announcement, in a position in which it is legal.
                let found = self.positions.iter().find_map(|position| {
                    match understand(self.words, position, &text) {
                        Understood::Move(mv) => Some((position, uci(mv))),
                        _ => None,
                    }
                });
                if let Some((position, meant)) = found {
                    let item = item(recording, RecordingKind::Move, position, meant, text);
                    let (verdict, heard) = self.dialogue(&mut person.heard, &item, &in_room)?;
                    if verdict != "right" {
                        note(verdict, &heard)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// An utterance among everything that may be said in its position, through all passes, decided.
    fn dialogue(
        &mut self,
        tally: &mut Tally,
        item: &ListedRecording,
        sound: &Pcm,
    ) -> Result<(&'static str, String), Failure> {
        let position = read_fen(&item.fen).map_err(Failure::usage)?;
        self.ears.listen_for(&Grammar::of_everything(self.words, &position));
        let heard = self.ears.overhear(sound)?;
        let yes_or_no = yes_or_no(item);
        let asked = if yes_or_no { Asked::YesNo } else { Asked::Nothing };
        let matcher = self.ear.matcher(&position, Context { asked, ..Context::default() });
        let decisions: Vec<HeardDecision> = heard
            .iter()
            .map(|heard| {
                let decision = self.talk.amid(matcher.decide(heard), heard, self.now_ms);
                self.talk.note(&decision, self.now_ms);
                decision
            })
            .collect();
        self.now_ms += (sound.samples.len() as u64 * 1000) / u64::from(RATE_HZ);
        let verdict = if yes_or_no {
            request(tally, item, &heard, &decisions)
        } else {
            judge(tally, item, self.words, &position, sound, &heard, &decisions)
        };
        let texts: Vec<&str> = heard.iter().filter_map(Heard::best).collect();
        Ok((verdict, texts.join("' '")))
    }

    /// Moves, and some that are not legal, joined from what this person said.
    fn announced(
        &mut self,
        person: &mut Person,
        speaker: &str,
        clips: &Clips,
        said: &Spoken,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        self.begin(speaker);
        let mut script = Script::new(self.words, self.positions, 1).with_gaps(self.gaps);
        let plan = script.plan(clips, self.announcements, self.announcements / ILLEGAL);
        let moves = plan.moves.into_iter().map(|one| (RecordingKind::Move, one));
        let illegal = plan.illegal.into_iter().map(|one| (RecordingKind::Illegal, one));
        for (n, (kind, one)) in moves.chain(illegal).enumerate() {
            let sound = said.joined(&mut script, &one.clips, n as u64)?;
            let position = read_fen(&one.fen).map_err(Failure::usage)?;
            debug_assert!(
                kind != RecordingKind::Move
                    || matches!(understand(self.words, &position, &one.text), Understood::Move(_))
            );
            let item = ListedRecording {
                file: Default::default(),
                speaker: speaker.to_owned(),
                condition: Condition::Clean.to_string(),
                kind,
                fen: one.fen,
                meant: one.meant,
                said: one.text,
            };
            let (verdict, heard) = self.dialogue(&mut person.heard, &item, &sound)?;
            if self.verbose && verdict != "right" {
                writeln!(out, "{verdict}, joined: {speaker} '{}' heard '{heard}'", item.said)?;
            }
        }
        Ok(())
    }
}

fn yes_or_no(item: &ListedRecording) -> bool {
    ["ja", "nein"].contains(&item.said.to_lowercase().as_str())
}

/// Which of these phrases was said; `None` for none of them.
fn closed(ears: &mut FileEars, grammar: &Grammar, sound: &Pcm) -> Result<String, Failure> {
    ears.listen_for(grammar);
    Ok(ears.hear(sound)?.best().unwrap_or_default().to_owned())
}

fn item(
    recording: &Recording,
    kind: RecordingKind,
    position: &Chess,
    meant: String,
    said: String,
) -> ListedRecording {
    ListedRecording {
        file: recording.file.clone(),
        speaker: recording.speaker.clone(),
        condition: Condition::Clean.to_string(),
        kind,
        fen: annabella_core::game::write_fen(position),
        meant,
        said,
    }
}

fn read(file: &Path) -> Result<Pcm, Failure> {
    let sound = Pcm::read(file).map_err(Failure::usage)?;
    Ok(room::at_rate(&sound, RATE_HZ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_say_is_told_apart_by_its_text() {
        let words = Words::builtin("fide", "de").expect("there");
        let said = |text| said(&words, text);
        assert_eq!(said("eins"), Said::Rank(1));
        assert_eq!(said("zwo"), Said::Rank(2));
        assert_eq!(said("kurze Rochade"), Said::Word("kurze rochade".to_owned()));
        assert_eq!(said("Schachmatt"), Said::Word("matt".to_owned()));
        assert_eq!(said("nein"), Said::Request("no".to_owned()));
        assert_eq!(said("der Truthahn"), Said::Talk);
        assert_eq!(said("Das will sie am Mittwoch abgeben."), Said::Talk);
        assert_eq!(said("Buchstabe Z"), Said::Other);
        assert_eq!(said("Buchstabe A"), Said::Other);
        assert_eq!(said("neunzehn"), Said::Other, "a number of a clock time is no talk");
    }
}
