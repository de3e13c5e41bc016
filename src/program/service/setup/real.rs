//! The real room: sound devices, microphone, keys, buttons, board and serial ports of this machine.
//!
//! # One after the other
//!
//! A voice or a device that changes, tones and measuring wait until everything before them has been
//! said. While the microphone is measured nobody else listens to it.

use std::{
    collections::VecDeque,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, mpsc},
    thread,
    time::{Duration, Instant},
};

use super::{
    Found, RoomNews, SetupRoom, fetching,
    hold::RepeatButton,
    hotspot,
    listening::{Around, Listening, TalkTo},
    ports,
};
use crate::{
    config::Config,
    service::{SharedMouth, braille::EarLines, mouth, streams::in_own_language, terminal},
};
use annabella_core::{
    game::{Channel, Urgency},
    questionnaire::Key,
    setup::{SetupInput, SoundLevel, Sounding},
};
use annabella_devices::{
    board::{
        BoardReader, ReadError,
        buttons::{Button, ButtonEvent, Buttons, ButtonsEvent},
        pi,
    },
    voice::{
        VoiceEvent,
        keys::{KeyEvent, KeyReader, Keyboard, KeysError, KeysEvent, key_code, keyboards},
    },
};
use annabella_threads::{lock, millis};
use annabella_words::phrase::{Utterance, Words, hear::Grammar};

/// Everything is said within this time, or the sound device hangs.
pub const LAST_WORDS: Duration = Duration::from_secs(60);
const CHANNELS: [Channel; 2] = [Channel::Public, Channel::Private];
/// Keys of any keyboard where the configuration names none: their names and what they do.
const KEYS: [(&str, Key); 6] = [
    ("left", Key::Next),
    ("right", Key::Choose),
    ("enter", Key::Choose),
    ("up", Key::Repeat),
    ("down", Key::Back),
    ("backspace", Key::Back),
];

/// How people may answer.
#[derive(Debug, Default)]
pub struct Means {
    pub speech: bool,
    pub keys: bool,
    pub typed: Option<mpsc::Receiver<String>>,
}

enum Pending {
    Say(Channel, Utterance),
    Tones(Channel),
    Sound(Sounding),
    Measure(u32, String),
}

pub struct RealRoom<'a> {
    out: &'a mut dyn Write,
    failed: Option<io::Error>,
    config: Config,
    speech: bool,
    mouth: Option<SharedMouth>,
    fingers: Option<EarLines>,
    /// Whether the loudspeaker is gone, and whether the earphone is.
    lost: [bool; 2],
    pending: VecDeque<Pending>,
    sounding: Sounding,
    measuring: bool,
    tell: mpsc::Sender<RoomNews>,
    told: mpsc::Receiver<RoomNews>,
    typed: Option<mpsc::Receiver<String>>,
    /// Who typed has ended it, with Ctrl+D in a terminal: he leaves.
    typed_ended: bool,
    keys: Option<(KeyReader, Vec<(u16, Key)>)>,
    buttons: Option<Buttons>,
    pressed: mpsc::Receiver<ButtonsEvent>,
    repeat: RepeatButton,
    talk_to: TalkTo,
    listening: Listening,
    alone: Option<bool>,
    began: Instant,
}

impl std::fmt::Debug for RealRoom<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RealRoom").field("sounding", &self.sounding).finish_non_exhaustive()
    }
}

impl<'a> RealRoom<'a> {
    /// Opens mouth, keys and buttons of a configuration. Spoken words are written to `out` too.
    /// Missing devices are reported, and the set-up goes on without them.
    pub fn open(config: &Config, means: Means, out: &'a mut dyn Write) -> RealRoom<'a> {
        let (tell, told) = mpsc::channel();
        let complain = |line: String| {
            // We hold the other end.
            let _ = tell.send(RoomNews::Complaint(line));
        };
        let mouth = mouth(&config.speech).unwrap_or_else(|err| {
            complain(format!("nothing will be spoken: {err}"));
            None
        });
        let keys = means.keys.then(|| keys(config)).transpose().unwrap_or_else(|err| {
            complain(err);
            None
        });
        let talk_to = TalkTo::default();
        let (press, pressed) = mpsc::channel();
        let buttons = config.has_buttons().then(|| pi::buttons(&config.buttons.pins));
        let buttons = match buttons {
            Some(Ok(pins)) => {
                Some(Buttons::start(pins, config.buttons.debounce_ms, move |event| {
                    press.send(event).is_ok()
                }))
            }
            Some(Err(err)) => {
                complain(format!("no buttons: {err}"));
                None
            }
            None => None,
        };
        let told_of_fingers = tell.clone();
        let fingers = super::file::words(config).ok().and_then(|words| {
            EarLines::open(config, &words, move |line| {
                // The dialogue may be over.
                let _ = told_of_fingers.send(RoomNews::Complaint(line));
            })
        });
        RealRoom {
            out,
            failed: None,
            config: config.clone(),
            speech: means.speech,
            fingers,
            mouth: mouth.map(|mouth| Arc::new(Mutex::new(mouth))),
            lost: [false; 2],
            pending: VecDeque::new(),
            sounding: super::file::settings(config).sounding(),
            measuring: false,
            tell,
            told,
            typed: means.typed,
            typed_ended: false,
            keys,
            buttons,
            pressed,
            repeat: RepeatButton::default(),
            talk_to,
            listening: Listening::default(),
            alone: None,
            began: Instant::now(),
        }
    }

    /// Waits until all has been said.
    ///
    /// # Errors
    /// When what was said could not be written.
    pub fn finish(&mut self) -> io::Result<()> {
        let until = Instant::now() + LAST_WORDS;
        while !self.is_quiet() && Instant::now() < until {
            thread::sleep(super::STEP);
        }
        if let Some(fingers) = &self.fingers {
            fingers.finish();
        }
        self.failed.take().map_or(Ok(()), Err)
    }

    fn write(&mut self, line: &str) {
        let written = writeln!(self.out, "{line}").and_then(|()| self.out.flush());
        if let Err(err) = written {
            self.failed.get_or_insert(err);
        }
    }

    /// Whether anything sounds. Words for a lost device don't count.
    fn speaks(&self) -> bool {
        self.mouth.as_ref().is_some_and(|mouth| {
            let mouth = lock(mouth);
            CHANNELS
                .into_iter()
                .any(|channel| mouth.is_speaking(channel) && !self.lost[channel.index()])
        })
    }

    /// Takes in the mouth's events.
    fn hear_of_mouth(&mut self) {
        let Some(mouth) = &self.mouth else { return };
        let mut back = false;
        for event in lock(mouth).events() {
            let news = match event {
                VoiceEvent::DeviceLost { channel, error } => {
                    self.lost[channel.index()] = true;
                    RoomNews::Complaint(error.to_string())
                }
                VoiceEvent::DeviceBack { channel } => {
                    self.lost[channel.index()] = false;
                    back = true;
                    continue;
                }
                VoiceEvent::Failed { error, .. } => RoomNews::Complaint(error.to_string()),
                VoiceEvent::Began { .. } | VoiceEvent::Finished { .. } => continue,
            };
            // We hold the other end.
            let _ = self.tell.send(news);
        }
        if back {
            // Nobody has heard the question.
            let _ = self.tell.send(RoomNews::Input(SetupInput::Key(Key::Repeat)));
        }
        // Words that nobody could hear are not spoken later, beside another question.
        if self.lost.contains(&true) && !self.speaks() {
            lock(mouth).hush();
        }
    }

    /// Does what is next, once everything before it has sounded.
    fn go_on(&mut self) {
        self.hear_of_mouth();
        while !self.speaks() {
            match self.pending.pop_front() {
                Some(Pending::Say(channel, words)) => {
                    if let Some(mouth) = &self.mouth {
                        lock(mouth).say(channel, Urgency::Answer, &words);
                    }
                }
                Some(Pending::Tones(channel)) => {
                    if let Some(mouth) = &self.mouth {
                        lock(mouth).tones(channel);
                    }
                }
                Some(Pending::Sound(sounding)) => self.change(sounding),
                Some(Pending::Measure(number, device)) => {
                    // A device that only one may open is let go first.
                    self.listening.stop();
                    self.measuring = true;
                    let tell = self.tell.clone();
                    thread::spawn(move || {
                        let input = SetupInput::Measured { number, level: level_of(&device) };
                        // The dialogue may be over.
                        let _ = tell.send(RoomNews::Input(input));
                    });
                }
                None => return,
            }
        }
    }

    /// Speaks in another voice, or on other devices.
    fn change(&mut self, sounding: Sounding) {
        let before = std::mem::replace(&mut self.sounding, sounding);
        let speech = &mut self.config.speech;
        let new = &self.sounding;
        (speech.voice, speech.private) = (new.voice.clone(), new.earphone.clone());
        speech.public = new.loudspeaker.clone();
        (speech.private_rate, speech.public_rate) = (new.rate, new.rate);
        (speech.private_volume, speech.public_volume) =
            (new.earphone_volume, new.loudspeaker_volume);
        let Some(shared) = &self.mouth else { return };
        let same = before.voice == new.voice
            && before.earphone == new.earphone
            && before.loudspeaker == new.loudspeaker;
        if same {
            let mut mouth = lock(shared);
            for (channel, volume) in
                [(Channel::Private, new.earphone_volume), (Channel::Public, new.loudspeaker_volume)]
            {
                mouth.set_volume(channel, volume);
                mouth.set_rate(channel, annabella_devices::voice::Rate::new(new.rate));
            }
            return;
        }
        match mouth(&self.config.speech) {
            Ok(Some(mouth)) => {
                *lock(shared) = mouth;
                self.lost = [false; 2];
            }
            Ok(None) => {}
            Err(err) => {
                let _ = self.tell.send(RoomNews::Complaint(err.to_string()));
            }
        }
        // The gate must know which device mutes the microphone.
        self.listening.stop();
    }

    fn button(&mut self, event: ButtonsEvent) -> Option<RoomNews> {
        let now_ms = self.now_ms();
        let key = match event {
            ButtonsEvent::Button(ButtonEvent { button: Button::Talk, down }) => {
                if down {
                    self.hush();
                }
                if let Some(talk) = &*lock(&self.talk_to) {
                    // Without ears nobody listens for it.
                    let _ = talk.send(KeysEvent::Key(KeyEvent { code: 0, pressed: down }));
                }
                None
            }
            ButtonsEvent::Button(ButtonEvent { button: Button::Repeat, down }) => {
                self.repeat.event(now_ms, down)
            }
            ButtonsEvent::Button(ButtonEvent { button, down: true }) => match button {
                Button::ClockLeft => Some(Key::Next),
                Button::ClockRight => Some(Key::Choose),
                _ => None,
            },
            ButtonsEvent::Button(_) | ButtonsEvent::Back => None,
            ButtonsEvent::Lost(err) => {
                return Some(RoomNews::Complaint(format!("the buttons are lost: {err}")));
            }
        };
        key.map(|key| RoomNews::Input(SetupInput::Key(key)))
    }

    fn key(&mut self, event: KeysEvent) -> Option<RoomNews> {
        let now_ms = self.now_ms();
        let codes = self.keys.as_ref().map(|(_, codes)| codes.as_slice()).unwrap_or_default();
        let key = match event {
            KeysEvent::Key(KeyEvent { code, pressed }) => {
                let (_, key) = codes.iter().find(|(known, _)| *known == code)?;
                match key {
                    Key::Repeat => self.repeat.event(now_ms, pressed)?,
                    _ if pressed => *key,
                    _ => return None,
                }
            }
            // A person with buttons needs no keyboard.
            KeysEvent::Lost(KeysError::NoKeyboard { .. }) | KeysEvent::Back => return None,
            KeysEvent::Lost(err) => return Some(RoomNews::Complaint(err.to_string())),
        };
        Some(RoomNews::Input(SetupInput::Key(key)))
    }

    /// Whether nobody could answer in any way. The search takes time, so it is done once.
    fn is_alone(&mut self) -> bool {
        if self.typed.is_some() || self.buttons.is_some() {
            return false;
        }
        let found = self.alone.unwrap_or_else(|| self.find_nobody());
        self.alone = Some(found);
        found
    }

    fn find_nobody(&self) -> bool {
        let code = self.keys.as_ref().and_then(|(_, codes)| codes.first());
        let keyboard = code.is_some_and(|(code, _)| match self.config.game.keyboard.as_str() {
            "" | "any" => !keyboards(*code).is_empty(),
            path => Path::new(path).exists(),
        });
        !keyboard && !self.listening.is_possible(self.speech, &self.config)
    }
}

/// The keys of the configuration's set-up, or those of any keyboard.
fn keys(config: &Config) -> Result<(KeyReader, Vec<(u16, Key)>), String> {
    let named = &config.game.keys;
    let mut all: Vec<(String, Key)> = if named.is_empty() {
        KEYS.map(|(name, key)| (name.to_owned(), key)).to_vec()
    } else {
        named.iter().cloned().zip(Key::CONFIGURED).collect()
    };
    // Other keys work as usual.
    for (name, key) in KEYS {
        let known = all.iter().any(|(other, has)| other == name || *has == key);
        if !known {
            all.push((name.to_owned(), key));
        }
    }
    let code = |(name, key): (String, Key)| {
        key_code(&name).map(|code| (code, key)).map_err(|err| format!("[game] keys: {err}"))
    };
    let codes = all.into_iter().map(code).collect::<Result<Vec<_>, String>>()?;
    let keyboard = Keyboard::named(&config.game.keyboard);
    let reader = KeyReader::of_several(keyboard, codes.iter().map(|(code, _)| *code).collect());
    Ok((reader, codes))
}

#[cfg(feature = "sound")]
fn level_of(device: &str) -> SoundLevel {
    super::measure(&mut annabella_devices::voice::mic::Microphone::new(device))
}

#[cfg(not(feature = "sound"))]
fn level_of(_: &str) -> SoundLevel {
    SoundLevel::Missing
}

impl SetupRoom for RealRoom<'_> {
    fn found(&mut self) -> Found {
        let speech = &self.config.speech;
        let pins = super::file::on_pi();
        let espeak = speech.engine == crate::config::EngineKind::Espeak && self.mouth.is_some();
        let mut voices: Vec<String> = Vec::new();
        if espeak {
            voices.extend(super::VOICES.map(str::to_owned));
            if !voices.contains(&speech.voice) {
                voices.insert(0, speech.voice.clone());
            }
        }
        #[cfg(feature = "sound")]
        {
            use annabella_devices::voice::cards::{inputs, outputs};
            let outputs = if espeak { outputs() } else { Vec::new() };
            let model = self.speech && fetching::is_possible();
            let hotspot = hotspot::is_possible();
            Found { voices, outputs, inputs: inputs(), pins, model, hotspot }
        }
        #[cfg(not(feature = "sound"))]
        Found { voices, pins, ..Found::default() }
    }

    fn understands(&mut self, words: &Words) -> bool {
        // A person who types does not miss it.
        !self.speech || self.listening.understands(words, &self.config)
    }

    fn say(&mut self, channel: Channel, words: &Utterance) {
        let place = match channel {
            Channel::Public => "said",
            Channel::Private => "in the ear",
        };
        // Who reads a terminal, perhaps by ear, reads the words alone.
        let line = if terminal::is_read() {
            words.to_string()
        } else {
            format!("{}: {words}", in_own_language(place))
        };
        self.write(&line);
        if let Some(fingers) = &mut self.fingers {
            fingers.show(words);
        }
        self.pending.push_back(Pending::Say(channel, words.clone()));
    }

    fn understood(&mut self, words: &Utterance) {
        if let Some(fingers) = &mut self.fingers {
            fingers.understood(words);
        }
    }

    fn tones(&mut self, channel: Channel) {
        self.pending.push_back(Pending::Tones(channel));
    }

    fn sound(&mut self, sounding: &Sounding) {
        self.pending.push_back(Pending::Sound(sounding.clone()));
    }

    fn hush(&mut self) {
        // How it sounds and what is measured stays; only words and tones are not wanted any more.
        self.pending.retain(|next| matches!(next, Pending::Sound(_) | Pending::Measure(..)));
        if let Some(mouth) = &self.mouth {
            lock(mouth).hush();
        }
    }

    fn is_quiet(&mut self) -> bool {
        self.go_on();
        self.pending.is_empty() && !self.speaks() && !self.measuring
    }

    fn listen_for(&mut self, grammar: Grammar, words: &Words) {
        self.listening.expect(grammar, words);
        if let Some(fingers) = &mut self.fingers {
            fingers.speak(words);
        }
    }

    fn measure(&mut self, number: u32, device: &str) {
        // A measurement that was given up is not made any more.
        self.pending.retain(|next| !matches!(next, Pending::Measure(..)));
        self.config.speech.input = device.to_owned();
        self.pending.push_back(Pending::Measure(number, device.to_owned()));
    }

    fn look(&mut self, number: u32) {
        let configured =
            [Some(self.config.sighted.port.as_path()), self.config.clock.port.as_deref()];
        let configured: Vec<PathBuf> =
            configured.into_iter().flatten().map(Path::to_path_buf).collect();
        let tell = self.tell.clone();
        thread::spawn(move || {
            let ports = ports::look(ports::candidates(&configured));
            // The dialogue may be over.
            let _ = tell.send(RoomNews::Input(SetupInput::Looked { number, ports }));
        });
    }

    fn fetch(&mut self, number: u32) {
        let tell = self.tell.clone();
        fetching::fetch(move |fetched, complaint| {
            // Nobody may want to know any more.
            let _ = complaint.map(|line| tell.send(RoomNews::Complaint(line)));
            let _ = tell.send(RoomNews::Input(SetupInput::Fetched { number, fetched }));
        });
    }

    fn share(&mut self, number: u32) {
        let tell = self.tell.clone();
        hotspot::share(move |shared| {
            let password = shared.map_err(|line| tell.send(RoomNews::Complaint(line))).ok();
            // Nobody may want to know any more.
            let _ = tell.send(RoomNews::Input(SetupInput::Shared { number, password }));
        });
    }

    fn board(&mut self) -> Result<Box<dyn BoardReader>, ReadError> {
        match self.config.board.wiring() {
            Some(Ok(wiring)) => pi::open(&wiring),
            _ => Err(ReadError::Open {
                device: "the board".to_owned(),
                reason: "the configuration names none".to_owned(),
                remedy: "name a kind of board in [board] kind",
            }),
        }
    }

    fn news(&mut self, _waiting: bool) -> Vec<RoomNews> {
        self.go_on();
        if let Some(fingers) = &mut self.fingers {
            fingers.turn();
        }
        let mut news: Vec<RoomNews> = self.told.try_iter().collect();
        if news.iter().any(|news| matches!(news, RoomNews::Input(SetupInput::Measured { .. }))) {
            self.measuring = false;
        }
        if !self.measuring && self.speech {
            let parts = Around {
                config: &self.config,
                mouth: self.mouth.as_ref(),
                talk_to: &self.talk_to,
                button: self.buttons.is_some() && self.config.buttons.pins.talk.is_some(),
                tell: &self.tell,
            };
            news.extend(self.listening.start(&parts));
        }
        for event in self.pressed.try_iter().collect::<Vec<_>>() {
            news.extend(self.button(event));
        }
        let events = self.keys.as_mut().map(|(reader, _)| reader.events()).unwrap_or_default();
        for event in events {
            news.extend(self.key(event));
        }
        let now_ms = self.now_ms();
        news.extend(self.repeat.look(now_ms).map(|key| RoomNews::Input(SetupInput::Key(key))));
        match self.typed.as_ref().map(mpsc::Receiver::try_recv) {
            Some(Ok(line)) if line.trim().is_empty() => {
                news.push(RoomNews::Input(SetupInput::Key(Key::Choose)));
            }
            Some(Ok(line)) => news.push(RoomNews::Input(SetupInput::Said(line))),
            Some(Err(mpsc::TryRecvError::Disconnected)) => {
                self.typed = None;
                self.typed_ended = true;
            }
            Some(Err(mpsc::TryRecvError::Empty)) | None => {}
        }
        if news.is_empty() && (self.typed_ended || self.is_alone()) {
            news.push(RoomNews::Alone);
        }
        news
    }

    fn now_ms(&mut self) -> u64 {
        millis(self.began.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn silent(text: &str) -> Config {
        let text = format!("[speech]\nengine = \"none\"\nlisten = \"off\"\n{text}");
        Config::parse(&text, "annabella.toml").expect("right")
    }

    fn button(room: &mut RealRoom<'_>, button: Button, down: bool) -> Option<RoomNews> {
        room.button(ButtonsEvent::Button(ButtonEvent { button, down }))
    }

    fn pressed(key: Key) -> Option<RoomNews> {
        Some(RoomNews::Input(SetupInput::Key(key)))
    }

    #[test]
    fn three_buttons_at_the_board_are_enough() {
        let mut out = Vec::new();
        let mut room = RealRoom::open(&silent(""), Means::default(), &mut out);
        assert_eq!(button(&mut room, Button::ClockLeft, true), pressed(Key::Next));
        assert_eq!(button(&mut room, Button::ClockLeft, false), None);
        assert_eq!(button(&mut room, Button::ClockRight, true), pressed(Key::Choose));
        assert_eq!(button(&mut room, Button::Repeat, true), None);
        assert_eq!(button(&mut room, Button::Repeat, false), pressed(Key::Repeat));
        assert_eq!(button(&mut room, Button::Arbiter, true), None);
        assert_eq!(room.button(ButtonsEvent::Back), None);
        let (talk, talked) = mpsc::channel();
        *lock(&room.talk_to) = Some(talk);
        assert_eq!(button(&mut room, Button::Talk, true), None);
        assert_eq!(talked.try_iter().count(), 1);
        assert!(room.is_alone());
    }

    #[test]
    fn keys_of_the_configuration_keep_their_meaning() {
        let codes = |config: &Config| keys(config).expect("keys").1;
        let named = silent("[game]\nkeys = [\"f1\", \"f2\", \"f3\"]\nkeyboard = \"/nowhere\"\n");
        assert_eq!(
            codes(&named),
            [
                (59, Key::Previous),
                (60, Key::Next),
                (61, Key::Choose),
                (103, Key::Repeat),
                (108, Key::Back),
            ]
        );
        let any = silent("[game]\nkeyboard = \"/nowhere\"\n");
        assert_eq!(codes(&any).len(), KEYS.len());
        let mut wrong = silent("");
        wrong.game.keys = ["f1", "f2", "nonsense"].map(str::to_owned).to_vec();
        assert!(
            keys(&wrong).expect_err("no such key").starts_with("[game] keys: no key is called")
        );
    }
}
