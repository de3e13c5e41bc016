//! Loudspeaker and earphone: rendered speech through the sound card.
//!
//! Each device has a thread that keeps it open and feeds it silence, so that speech starts with the
//! next buffer. Announcements of all legal moves are rendered ahead ([`Mouth::prepare`]) by a
//! thread of their own.
//!
//! # One device for both
//!
//! Many devices can be opened only once. Where loudspeaker and earphone have the same name, both
//! channels sound on one stream.
//!
//! # Lost devices
//!
//! A lost device is reported once and opened again with growing pauses. Interrupted words are said
//! again from their beginning.
//!
//! # Devices that open and take nothing
//!
//! Where ALSA converts rates it may round a small buffer down to one period. cpal begins to play
//! with two, so such a stream opens and is silent for ever. And a card that several mix on has one
//! length of buffer and refuses others. So a device that takes nothing or does not open is tried
//! with larger buffers, then with its own, and reported when none is left.

use std::{
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use cpal::{
    BufferSize, FromSample, SampleFormat, SizedSample, StreamConfig, SupportedBufferSize,
    traits::{DeviceTrait, HostTrait, StreamTrait},
};

use super::{
    Mouth, Pcm, Rate, VoiceError, VoiceEvent,
    cache::Cache,
    espeak::Espeak,
    opening::{device_error, failed, when_free},
    queue::{Queue, Queued},
    tone,
};
use annabella_core::game::{Channel, Urgency};
use annabella_threads::{Backoff, lock};
use annabella_words::phrase::Utterance;

/// Lengths of a device buffer where the device lets us choose, milliseconds. The first that sounds
/// is kept; after the last comes what the device does by itself.
const BUFFERS_MS: [u32; 3] = [10, 20, 50];
/// A device runs when it has taken this many buffers. The first two only fill it.
const RUNS: u64 = 3;
/// A device that does not run after so many looks never will: two seconds, and more where the whole
/// machine stands still.
const FROZEN_LOOKS: u32 = 666;
/// How often it is looked whether a device runs, and whether a sound has ended.
const LOOK: Duration = Duration::from_millis(3);
/// First and longest pause before a lost device is tried again.
const RETRY: Backoff = Backoff::new(Duration::from_millis(500), Duration::from_secs(5));

/// Which devices to speak on: a name, `default`, or `none`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpeakerDevices {
    pub public: String,
    pub private: String,
}

impl Default for SpeakerDevices {
    fn default() -> SpeakerDevices {
        SpeakerDevices { public: "default".to_owned(), private: "default".to_owned() }
    }
}

/// A mouth that renders with an engine and plays on sound devices.
#[derive(Debug)]
pub struct Speaker {
    lanes: [Arc<Lane>; 2],
    outlets: Vec<Arc<Outlet>>,
    shared: Arc<Shared>,
    events: mpsc::Receiver<VoiceEvent>,
    threads: Vec<thread::JoinHandle<()>>,
}

/// State shared by the threads.
#[derive(Debug)]
struct Shared {
    engine: Espeak,
    cache: Mutex<Cache>,
    ahead: Mutex<Vec<(Utterance, Rate)>>,
    ahead_waits: Condvar,
    stop: AtomicBool,
}

/// A device, and what sounds on it.
#[derive(Debug)]
struct Outlet {
    device: String,
    lanes: Vec<Arc<Lane>>,
    lost: AtomicBool,
    /// Buffers that the device has taken since it was opened.
    taken: AtomicU64,
}

#[derive(Debug)]
struct Lane {
    channel: Channel,
    waiting: Mutex<Waiting>,
    something_waits: Condvar,
    volume: AtomicU8,
    /// Raised by every hush: words begun before it are not said.
    hushed: AtomicU64,
    playing: Mutex<Option<Playing>>,
}

#[derive(Debug, Default)]
struct Waiting {
    queue: Queue<Asked>,
    rate: Rate,
    busy: bool,
}

/// What waits, and since when.
#[derive(Clone, Copy, Debug)]
struct Asked {
    at: Instant,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Words,
    Tones,
}

#[derive(Debug)]
struct Playing {
    /// At the device's rate.
    samples: Vec<i16>,
    what: What,
    at: usize,
    began: Option<Instant>,
}

impl Playing {
    fn new(samples: Vec<i16>, what: What) -> Playing {
        Playing { samples, what, at: 0, began: None }
    }

    /// Whether its sample of this number sounds on that channel of a device: words on all of them,
    /// tones on the left, then on the right. A device with one channel has both tones on it, one
    /// with more than two on the first two.
    fn sounds_on(&self, number: usize, channel: usize, channels: usize) -> bool {
        let side = usize::from(number >= self.samples.len() / 2);
        self.what == What::Words || channels == 1 || channel == side
    }
}

impl Speaker {
    /// Opens the devices in the background; a missing one is reported as an event and tried again.
    pub fn new(engine: Espeak, devices: &SpeakerDevices) -> Speaker {
        let (send, events) = mpsc::channel();
        let shared = Arc::new(Shared {
            engine,
            cache: Mutex::default(),
            ahead: Mutex::default(),
            ahead_waits: Condvar::new(),
            stop: AtomicBool::new(false),
        });
        let lanes = [Channel::Public, Channel::Private].map(|channel| Arc::new(Lane::new(channel)));
        let outlets = outlets(devices, &lanes);
        let mut threads = Vec::new();
        for outlet in &outlets {
            let (outlet, shared, send) = (Arc::clone(outlet), Arc::clone(&shared), send.clone());
            threads.push(thread::spawn(move || outlet.run(&shared, &send)));
        }
        let ahead = Arc::clone(&shared);
        threads.push(thread::spawn(move || ahead.render_ahead()));
        Speaker { lanes, outlets, shared, events, threads }
    }

    fn lane(&self, channel: Channel) -> &Arc<Lane> {
        &self.lanes[channel.index()]
    }

    /// Queues something, unless its channel has no device.
    fn ask(&self, channel: Channel, urgency: Urgency, words: Utterance, what: What) {
        let lane = self.lane(channel);
        if self.outlets.iter().any(|outlet| outlet.has(lane)) {
            let tag = Asked { at: Instant::now(), what };
            lock(&lane.waiting).queue.push(Queued { urgency, words, tag });
            lane.something_waits.notify_all();
        }
    }
}

/// The devices that are to be opened, each once.
fn outlets(devices: &SpeakerDevices, lanes: &[Arc<Lane>; 2]) -> Vec<Arc<Outlet>> {
    let mut outlets: Vec<Outlet> = Vec::new();
    for (device, lane) in [&devices.public, &devices.private].into_iter().zip(lanes) {
        let same = outlets.iter_mut().find(|outlet| outlet.device == *device);
        match same {
            _ if device == "none" => {}
            Some(outlet) => outlet.lanes.push(Arc::clone(lane)),
            None => outlets.push(Outlet::new(device, vec![Arc::clone(lane)])),
        }
    }
    outlets.into_iter().map(Arc::new).collect()
}

impl Drop for Speaker {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.shared.ahead_waits.notify_all();
        for lane in &self.lanes {
            lane.something_waits.notify_all();
        }
        for thread in self.threads.drain(..) {
            thread.thread().unpark();
            // A thread that panicked has said so on standard error already.
            let _ = thread.join();
        }
    }
}

impl Mouth for Speaker {
    fn say(&mut self, channel: Channel, urgency: Urgency, words: &Utterance) {
        if !words.parts.is_empty() {
            self.ask(channel, urgency, words.clone(), What::Words);
        }
    }

    fn tones(&mut self, channel: Channel) {
        self.ask(channel, Urgency::Answer, Utterance::default(), What::Tones);
    }

    fn hush(&mut self) {
        self.lanes.iter().for_each(|lane| lane.hush());
    }

    fn hush_aloud(&mut self) {
        self.lane(Channel::Public).hush();
    }

    fn prepare(&mut self, words: &[Utterance]) {
        let rate = lock(&self.lane(Channel::Public).waiting).rate;
        *lock(&self.shared.ahead) = words.iter().rev().map(|words| (words.clone(), rate)).collect();
        self.shared.ahead_waits.notify_all();
    }

    fn set_volume(&mut self, channel: Channel, percent: u8) {
        self.lane(channel).volume.store(percent.min(100), Ordering::Relaxed);
    }

    fn set_rate(&mut self, channel: Channel, rate: Rate) {
        lock(&self.lane(channel).waiting).rate = rate;
    }

    fn is_speaking(&self, channel: Channel) -> bool {
        let lane = self.lane(channel);
        let waiting = lock(&lane.waiting);
        waiting.busy || !waiting.queue.is_empty()
    }

    fn events(&mut self) -> Vec<VoiceEvent> {
        self.events.try_iter().collect()
    }
}

impl Shared {
    fn sound(&self, words: &Utterance, rate: Rate) -> Result<Arc<Pcm>, VoiceError> {
        if let Some(pcm) = lock(&self.cache).get(words, rate) {
            return Ok(pcm);
        }
        let pcm = Arc::new(self.engine.render(words, rate)?);
        lock(&self.cache).put(words.clone(), rate, Arc::clone(&pcm));
        Ok(pcm)
    }

    fn render_ahead(&self) {
        let mut ahead = lock(&self.ahead);
        while !self.stop.load(Ordering::Relaxed) {
            let Some((words, rate)) = ahead.pop() else {
                ahead = self.ahead_waits.wait(ahead).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(ahead);
            // If it fails it will fail again, and be reported, when it is really to be said.
            let _ = self.sound(&words, rate);
            ahead = lock(&self.ahead);
        }
    }
}

impl Outlet {
    fn new(device: &str, lanes: Vec<Arc<Lane>>) -> Outlet {
        let (lost, taken) = (AtomicBool::new(false), AtomicU64::new(0));
        Outlet { device: device.to_owned(), lanes, lost, taken }
    }

    fn has(&self, lane: &Arc<Lane>) -> bool {
        self.lanes.iter().any(|own| Arc::ptr_eq(own, lane))
    }

    fn run(self: &Arc<Self>, shared: &Shared, events: &mpsc::Sender<VoiceEvent>) {
        // ALSA writes many lines to standard error for one missing card; one event says it better.
        let _quiet = alsa::Output::local_error_handler();
        let mut backoff = RETRY;
        let mut reported = false;
        let mut buffers = BUFFERS_MS.into_iter().map(Some).chain([None]).cycle();
        let (mut buffer, mut tried) = (buffers.next().flatten(), 0);
        while !shared.stop.load(Ordering::Relaxed) {
            self.lost.store(false, Ordering::SeqCst);
            self.taken.store(0, Ordering::SeqCst);
            let stop = || shared.stop.load(Ordering::Relaxed);
            let opened = when_free(stop, || open(self, buffer)).and_then(|opened| {
                let frozen = || device_error(&self.device, "it opens and takes no sound");
                if self.runs(shared) { Ok(opened) } else { Err(frozen()) }
            });
            match opened {
                Ok((stream, rate_hz)) => {
                    tried = 0;
                    if std::mem::take(&mut reported) {
                        self.tell(events, |channel| VoiceEvent::DeviceBack { channel });
                    }
                    backoff.reset();
                    thread::scope(|scope| {
                        for lane in &self.lanes {
                            scope.spawn(move || lane.speak(self, shared, events, rate_hz));
                        }
                    });
                    drop(stream);
                    if shared.stop.load(Ordering::Relaxed) {
                        return;
                    }
                    reported = true;
                    self.tell_of_loss(events, &device_error(&self.device, "it is gone"));
                }
                Err(error) => {
                    let busy = matches!(error, VoiceError::Busy { .. });
                    buffer = buffers.next().flatten();
                    tried += 1;
                    if !busy && tried <= BUFFERS_MS.len() {
                        continue;
                    }
                    tried = 0;
                    if !std::mem::replace(&mut reported, true) {
                        self.tell_of_loss(events, &error);
                    }
                }
            }
            let until = Instant::now() + backoff.pause();
            while !shared.stop.load(Ordering::Relaxed) && Instant::now() < until {
                thread::park_timeout(until.saturating_duration_since(Instant::now()));
            }
        }
    }

    fn tell(&self, events: &mpsc::Sender<VoiceEvent>, event: impl Fn(Channel) -> VoiceEvent) {
        for lane in &self.lanes {
            // The other end is gone only while the speaker is being dropped.
            let _ = events.send(event(lane.channel));
        }
    }

    fn tell_of_loss(&self, events: &mpsc::Sender<VoiceEvent>, error: &VoiceError) {
        let lost = |channel| VoiceEvent::DeviceLost { channel, error: error.clone() };
        self.tell(events, lost);
    }

    /// Waits until the device has begun to play; false when it does not.
    fn runs(&self, shared: &Shared) -> bool {
        for _ in 0..FROZEN_LOOKS {
            let runs = self.taken.load(Ordering::SeqCst) >= RUNS;
            if runs || self.is_over(shared) {
                return true;
            }
            thread::sleep(LOOK);
        }
        false
    }

    /// The device is lost, or the program ends.
    fn is_over(&self, shared: &Shared) -> bool {
        shared.stop.load(Ordering::Relaxed) || self.lost.load(Ordering::SeqCst)
    }

    fn lose(&self) {
        self.lost.store(true, Ordering::SeqCst);
        self.lanes.iter().for_each(|lane| lane.something_waits.notify_all());
    }

    /// The next samples, from -1 to 1: of each channel of the device one, again and again.
    fn mix(&self, samples: &mut [f32], channels: usize) {
        self.taken.fetch_add(1, Ordering::SeqCst);
        samples.fill(0.0);
        self.lanes.iter().for_each(|lane| lane.add(samples, channels));
    }
}

impl Lane {
    fn new(channel: Channel) -> Lane {
        Lane {
            channel,
            waiting: Mutex::default(),
            something_waits: Condvar::new(),
            volume: AtomicU8::new(100),
            hushed: AtomicU64::new(0),
            playing: Mutex::new(None),
        }
    }

    fn hush(&self) {
        lock(&self.waiting).queue.clear();
        self.hushed.fetch_add(1, Ordering::SeqCst);
        *lock(&self.playing) = None;
    }

    /// Says what comes, until the device is lost or the program ends.
    fn speak(
        &self,
        outlet: &Outlet,
        shared: &Shared,
        events: &mpsc::Sender<VoiceEvent>,
        rate_hz: u32,
    ) {
        loop {
            let mut waiting = lock(&self.waiting);
            waiting.busy = false;
            let item = loop {
                if outlet.is_over(shared) {
                    return;
                }
                if let Some(item) = waiting.queue.pop() {
                    break item;
                }
                let woken = self.something_waits.wait_timeout(waiting, Duration::from_millis(200));
                waiting = woken.unwrap_or_else(PoisonError::into_inner).0;
            };
            waiting.busy = true;
            let rate = waiting.rate;
            let hushed = self.hushed.load(Ordering::SeqCst);
            drop(waiting);
            let samples = match item.tag.what {
                What::Tones => Ok(tone::tones(rate_hz)),
                What::Words => {
                    shared.sound(&item.words, rate).map(|pcm| pcm.resampled(rate_hz).samples)
                }
            };
            let samples = match samples {
                Ok(samples) => samples,
                Err(error) => {
                    let _ = events.send(VoiceEvent::Failed { channel: self.channel, error });
                    continue;
                }
            };
            {
                let mut playing = lock(&self.playing);
                if self.hushed.load(Ordering::SeqCst) != hushed {
                    continue;
                }
                *playing = Some(Playing::new(samples, item.tag.what));
            }
            if !self.play_out(|| outlet.is_over(shared), events, item.tag.at) {
                let mut waiting = lock(&self.waiting);
                if self.hushed.load(Ordering::SeqCst) == hushed {
                    waiting.queue.push_front(item);
                }
                waiting.busy = false;
                return;
            }
        }
    }

    /// Waits until the sound has been played or cut. False when the device was lost meanwhile.
    fn play_out(
        &self,
        is_over: impl Fn() -> bool,
        events: &mpsc::Sender<VoiceEvent>,
        asked: Instant,
    ) -> bool {
        let mut told = false;
        loop {
            let (began, over) = match &*lock(&self.playing) {
                None => (None, true),
                Some(playing) => (playing.began, playing.at >= playing.samples.len()),
            };
            if let (false, Some(began)) = (told, began) {
                told = true;
                let after = began.saturating_duration_since(asked).as_micros();
                let after_us = u64::try_from(after).unwrap_or(u64::MAX);
                let _ = events.send(VoiceEvent::Began { channel: self.channel, after_us });
            }
            if over {
                *lock(&self.playing) = None;
                let _ = events.send(VoiceEvent::Finished { channel: self.channel });
                return true;
            }
            if is_over() {
                *lock(&self.playing) = None;
                return false;
            }
            thread::sleep(LOOK);
        }
    }

    /// Adds its sound. Never waits: where the other side holds the lock it adds nothing.
    fn add(&self, samples: &mut [f32], channels: usize) {
        let volume = f32::from(self.volume.load(Ordering::Relaxed)) / 100.0 / 32768.0;
        let Ok(mut playing) = self.playing.try_lock() else { return };
        let Some(playing) = playing.as_mut() else { return };
        playing.began.get_or_insert_with(Instant::now);
        let frames = samples.chunks_mut(channels);
        let next = playing.at + frames.len();
        for (number, frame) in (playing.at..).zip(frames) {
            let Some(own) = playing.samples.get(number) else { break };
            for (channel, sample) in frame.iter_mut().enumerate() {
                if playing.sounds_on(number, channel, channels) {
                    *sample += f32::from(*own) * volume;
                }
            }
        }
        playing.at = next;
    }
}

/// The names of the output devices that there are.
pub fn output_devices() -> Vec<String> {
    let host = cpal::default_host();
    let Ok(devices) = host.output_devices() else { return Vec::new() };
    devices.filter_map(|device| device.id().ok()).map(|id| id.to_string()).collect()
}

/// Whether this device can be spoken on.
///
/// # Errors
/// The reason why it can't.
pub fn check(name: &str) -> Result<(), VoiceError> {
    let _quiet = alsa::Output::local_error_handler();
    let device = find(name)?;
    device.default_output_config().map_err(|err| failed(name, &err))?;
    Ok(())
}

fn find(name: &str) -> Result<cpal::Device, VoiceError> {
    let host = cpal::default_host();
    if name == "default" {
        return host
            .default_output_device()
            .ok_or_else(|| device_error(name, "there is no sound card"));
    }
    let mut devices = host.output_devices().map_err(|err| failed(name, &err))?;
    let is_it = |device: &cpal::Device| {
        device
            .id()
            .is_ok_and(|id| id.to_string() == name || id.to_string().ends_with(&format!(":{name}")))
            || device.description().is_ok_and(|description| description.name() == name)
    };
    devices.find(is_it).ok_or_else(|| device_error(name, "there is no device of this name"))
}

/// The device with a buffer of this length; `None`: as it likes.
fn open(outlet: &Arc<Outlet>, buffer_ms: Option<u32>) -> Result<(cpal::Stream, u32), VoiceError> {
    let device = find(&outlet.device)?;
    let failed = |err: cpal::Error| failed(&outlet.device, &err);
    let supported = device.default_output_config().map_err(failed)?;
    let mut config: StreamConfig = supported.config();
    if let (SupportedBufferSize::Range { min, max }, Some(ms)) =
        (supported.buffer_size(), buffer_ms)
    {
        let frames = config.sample_rate * ms / 1000;
        config.buffer_size = BufferSize::Fixed(frames.clamp(*min, *max));
    }
    let rate_hz = config.sample_rate;
    let stream = match supported.sample_format() {
        SampleFormat::I16 => stream::<i16>(&device, config, outlet),
        SampleFormat::I32 => stream::<i32>(&device, config, outlet),
        SampleFormat::U8 => stream::<u8>(&device, config, outlet),
        SampleFormat::U16 => stream::<u16>(&device, config, outlet),
        SampleFormat::F32 => stream::<f32>(&device, config, outlet),
        SampleFormat::F64 => stream::<f64>(&device, config, outlet),
        other => {
            return Err(device_error(
                &outlet.device,
                format!("sample format {other} is not known"),
            ));
        }
    };
    let stream = stream.map_err(failed)?;
    stream.play().map_err(failed)?;
    Ok((stream, rate_hz))
}

fn stream<T: SizedSample + FromSample<f32>>(
    device: &cpal::Device,
    config: StreamConfig,
    outlet: &Arc<Outlet>,
) -> Result<cpal::Stream, cpal::Error> {
    let channels = usize::from(config.channels).max(1);
    let (filling, failing) = (Arc::clone(outlet), Arc::clone(outlet));
    let mut samples = Vec::new();
    device.build_output_stream(
        config,
        move |data: &mut [T], _: &cpal::OutputCallbackInfo| {
            samples.resize(data.len(), 0.0);
            filling.mix(&mut samples, channels);
            for (goal, sample) in data.iter_mut().zip(&samples) {
                *goal = T::from_sample(sample.clamp(-1.0, 1.0));
            }
        },
        move |err: cpal::Error| {
            // A short gap or a rerouted stream goes on by itself; anything else ends the stream.
            if !matches!(
                err.kind(),
                cpal::ErrorKind::Xrun
                    | cpal::ErrorKind::DeviceChanged
                    | cpal::ErrorKind::RealtimeDenied
            ) {
                failing.lose();
            }
        },
        None,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lanes() -> [Arc<Lane>; 2] {
        [Channel::Public, Channel::Private].map(|channel| Arc::new(Lane::new(channel)))
    }

    fn opened(public: &str, private: &str) -> Vec<(String, Vec<Channel>)> {
        let devices = SpeakerDevices { public: public.into(), private: private.into() };
        let channels =
            |outlet: &Arc<Outlet>| outlet.lanes.iter().map(|lane| lane.channel).collect();
        let outlets = outlets(&devices, &lanes());
        outlets.iter().map(|outlet| (outlet.device.clone(), channels(outlet))).collect()
    }

    #[test]
    fn a_device_is_opened_once_for_all_that_sounds_on_it() {
        let (public, private) = (Channel::Public, Channel::Private);
        assert_eq!(opened("hall", "hall"), [("hall".to_owned(), vec![public, private])]);
        let apart = [("hall".to_owned(), vec![public]), ("ear".to_owned(), vec![private])];
        assert_eq!(opened("hall", "ear"), apart);
        assert_eq!(opened("none", "ear"), [("ear".to_owned(), vec![private])]);
        assert_eq!(opened("none", "none"), []);
    }

    #[test]
    fn both_channels_sound_at_once_each_as_loud_as_it_is_set() {
        let lanes = lanes();
        let outlet = Outlet::new("hall", lanes.to_vec());
        for (lane, samples) in lanes.iter().zip([vec![8192; 3], vec![16384; 1]]) {
            *lock(&lane.playing) = Some(Playing::new(samples, What::Words));
        }
        lanes[1].volume.store(50, Ordering::Relaxed);
        let mut buffer = [9.0; 4];
        outlet.mix(&mut buffer, 2);
        assert_eq!(buffer, [0.5, 0.5, 0.25, 0.25]);
        lanes[1].hush();
        outlet.mix(&mut buffer, 2);
        assert_eq!(buffer, [0.25, 0.25, 0.0, 0.0]);
        assert_eq!(outlet.taken.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn tones_sound_at_the_left_then_at_the_right() {
        let lanes = lanes();
        let outlet = Outlet::new("hall", lanes.to_vec());
        for (channels, wanted) in [
            (1, vec![0.5, 0.25, 0.0]),
            (2, vec![0.5, 0.0, 0.0, 0.25, 0.0, 0.0]),
            (3, vec![0.5, 0.0, 0.0, 0.0, 0.25, 0.0, 0.0, 0.0, 0.0]),
        ] {
            *lock(&lanes[1].playing) = Some(Playing::new(vec![16384, 8192], What::Tones));
            let mut buffer = vec![9.0; wanted.len()];
            outlet.mix(&mut buffer, channels);
            assert_eq!(buffer, wanted);
        }
    }
}
