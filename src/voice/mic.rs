//! The microphone: samples of any device, mono, at the device's own rate.
//!
//! A [`Microphone`] has a thread that owns the device. What it records comes in chunks through a
//! bounded queue; a listener that is too slow loses the newest, and is told. A device that goes away,
//! or gives nothing any more, is reported once and opened again with growing pauses.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use cpal::{
    FromSample, Sample, SampleFormat, SampleRate, SizedSample, StreamConfig,
    traits::{DeviceTrait, HostTrait, StreamTrait},
};

use super::{VoiceError, speaker::device_error};

/// Chunks that may wait: some seconds.
const QUEUE: usize = 256;
/// A device that gives nothing for so long has stopped.
const SILENT: Duration = Duration::from_secs(3);
/// First and longest pause before a lost device is tried again.
const RETRY: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(5));
/// What a recogniser needs; a device that offers this rate itself is asked for it.
const WANTED_HZ: SampleRate = 16_000;

/// What a microphone makes known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Captured {
    /// Sound, mono.
    Samples {
        /// Samples a second.
        rate_hz: u32,
        /// 16 bit.
        samples: Vec<i16>,
    },
    /// The device is gone; it is tried again.
    Lost {
        /// What the system says.
        error: VoiceError,
    },
    /// The device is back.
    Back,
}

/// Something that records.
pub trait Capture: Send {
    /// Waits for the next thing, at most so long; `None` if there was none.
    fn next(&mut self, patience: Duration) -> Option<Captured>;

    /// Chunks that were lost because nobody took them, since the start.
    fn overruns(&self) -> u64;
}

/// A microphone of this machine.
#[derive(Debug)]
pub struct Microphone {
    chunks: mpsc::Receiver<Captured>,
    shared: Arc<Shared>,
    thread: Option<thread::JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    device: String,
    stop: AtomicBool,
    lost: AtomicBool,
    overruns: AtomicU64,
    /// Milliseconds after `began` at which the device last gave something.
    heard_ms: AtomicU64,
    began: Instant,
}

impl Microphone {
    /// Opens the device in the background; a missing one is reported and tried again.
    pub fn new(device: &str) -> Microphone {
        let (send, chunks) = mpsc::sync_channel(QUEUE);
        let shared = Arc::new(Shared {
            device: device.to_owned(),
            stop: AtomicBool::new(false),
            lost: AtomicBool::new(false),
            overruns: AtomicU64::new(0),
            heard_ms: AtomicU64::new(0),
            began: Instant::now(),
        });
        let own = Arc::clone(&shared);
        let thread = Some(thread::spawn(move || own.run(&send)));
        Microphone { chunks, shared, thread }
    }
}

impl Capture for Microphone {
    fn next(&mut self, patience: Duration) -> Option<Captured> {
        self.chunks.recv_timeout(patience).ok()
    }

    fn overruns(&self) -> u64 {
        self.shared.overruns.load(Ordering::Relaxed)
    }
}

impl Drop for Microphone {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        // The queue may be full, and the thread wait for room to report something.
        while self.chunks.try_recv().is_ok() {}
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A thread that panicked has said so on standard error already.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn run(self: &Arc<Self>, send: &mpsc::SyncSender<Captured>) {
        // ALSA writes many lines to standard error for one missing card; one event says it better.
        let _quiet = alsa::Output::local_error_handler();
        let mut pause = RETRY.0;
        let mut reported = false;
        while !self.stop.load(Ordering::SeqCst) {
            self.lost.store(false, Ordering::SeqCst);
            self.heard_ms.store(self.now_ms(), Ordering::SeqCst);
            match open(self, send) {
                Ok(stream) => {
                    if self.watch(&mut reported, send) {
                        pause = RETRY.0;
                    }
                    if self.stop.load(Ordering::SeqCst) {
                        return;
                    }
                    let gone = self.lost.load(Ordering::SeqCst);
                    let why = if gone { "it is gone" } else { "it gives no sound" };
                    self.report(&mut reported, device_error(&self.device, why), send);
                    // Closing a device that hangs may take as long as it hangs.
                    drop(stream);
                }
                Err(error) => self.report(&mut reported, error, send),
            }
            thread::park_timeout(pause);
            pause = (pause * 2).min(RETRY.1);
        }
    }

    fn report(&self, reported: &mut bool, error: VoiceError, send: &mpsc::SyncSender<Captured>) {
        if !std::mem::replace(reported, true) {
            // Nobody listens any more only when the microphone is being dropped.
            let _ = send.send(Captured::Lost { error });
        }
    }

    /// Waits until the device is lost, gives nothing any more, or is not wanted any more. Whether it
    /// gave anything.
    fn watch(&self, reported: &mut bool, send: &mpsc::SyncSender<Captured>) -> bool {
        let opened_ms = self.heard_ms.load(Ordering::SeqCst);
        loop {
            thread::park_timeout(Duration::from_millis(100));
            let heard_ms = self.heard_ms.load(Ordering::SeqCst);
            let gave = heard_ms > opened_ms;
            if gave && std::mem::take(reported) {
                let _ = send.send(Captured::Back);
            }
            let silent = self.now_ms().saturating_sub(heard_ms) > SILENT.as_millis() as u64;
            if silent || self.lost.load(Ordering::SeqCst) || self.stop.load(Ordering::SeqCst) {
                return gave;
            }
        }
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Hands on what the device gave. Never waits.
    fn take<T: SizedSample>(
        &self,
        data: &[T],
        channels: usize,
        rate_hz: u32,
        send: &mpsc::SyncSender<Captured>,
    ) where
        f32: FromSample<T>,
    {
        // At least 1: the moment of opening counts as 0 ms later than itself.
        self.heard_ms
            .store(self.now_ms().max(self.heard_ms.load(Ordering::SeqCst) + 1), Ordering::SeqCst);
        let chunk = Captured::Samples { rate_hz, samples: mono(data, channels) };
        if let Err(mpsc::TrySendError::Full(_)) = send.try_send(chunk) {
            self.overruns.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// All channels mixed into one.
fn mono<T: SizedSample>(data: &[T], channels: usize) -> Vec<i16>
where
    f32: FromSample<T>,
{
    let channels = channels.max(1);
    let frames = data.chunks(channels).map(|frame| {
        let sum: f32 = frame.iter().map(|sample| f32::from_sample(*sample)).sum();
        i16::from_sample((sum / channels as f32).clamp(-1.0, 1.0))
    });
    frames.collect()
}

/// The names of the input devices that there are.
pub fn input_devices() -> Vec<String> {
    let _quiet = alsa::Output::local_error_handler();
    let host = cpal::default_host();
    let Ok(devices) = host.input_devices() else { return Vec::new() };
    devices.filter_map(|device| device.id().ok()).map(|id| id.to_string()).collect()
}

fn find(name: &str) -> Result<cpal::Device, VoiceError> {
    let host = cpal::default_host();
    if name == "default" {
        return host
            .default_input_device()
            .ok_or_else(|| device_error(name, "there is no microphone"));
    }
    let mut devices = host.input_devices().map_err(|err| device_error(name, err))?;
    let is_it = |device: &cpal::Device| {
        device
            .id()
            .is_ok_and(|id| id.to_string() == name || id.to_string().ends_with(&format!(":{name}")))
            || device.description().is_ok_and(|description| description.name() == name)
    };
    devices.find(is_it).ok_or_else(|| {
        let known = input_devices();
        let likeness = |other: &String| strsim::jaro_winkler(name, other);
        let nearest = known.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        let hint = nearest.map_or_else(String::new, |nearest| format!(" (nearest: '{nearest}')"));
        device_error(name, format!("there is no microphone of this name{hint}"))
    })
}

fn open(
    shared: &Arc<Shared>,
    send: &mpsc::SyncSender<Captured>,
) -> Result<cpal::Stream, VoiceError> {
    let device = find(&shared.device)?;
    let failed = |err: cpal::Error| device_error(&shared.device, err);
    let usual = device.default_input_config().map_err(failed)?;
    // The recogniser's own format and rate, if the device has them: nothing to convert.
    let wanted = device.supported_input_configs().ok().and_then(|mut configs| {
        configs.find_map(|config| {
            let fits = config.sample_format() == SampleFormat::I16 && config.channels() <= 2;
            if fits { config.try_with_sample_rate(WANTED_HZ) } else { None }
        })
    });
    let supported = wanted.unwrap_or(usual);
    let config: StreamConfig = supported.config();
    let stream = match supported.sample_format() {
        SampleFormat::I16 => stream::<i16>(&device, config, shared, send),
        SampleFormat::I32 => stream::<i32>(&device, config, shared, send),
        SampleFormat::U8 => stream::<u8>(&device, config, shared, send),
        SampleFormat::U16 => stream::<u16>(&device, config, shared, send),
        SampleFormat::F32 => stream::<f32>(&device, config, shared, send),
        SampleFormat::F64 => stream::<f64>(&device, config, shared, send),
        other => {
            return Err(device_error(
                &shared.device,
                format!("sample format {other} is not known"),
            ));
        }
    };
    let stream = stream.map_err(failed)?;
    stream.play().map_err(failed)?;
    Ok(stream)
}

fn stream<T: SizedSample>(
    device: &cpal::Device,
    config: StreamConfig,
    shared: &Arc<Shared>,
    send: &mpsc::SyncSender<Captured>,
) -> Result<cpal::Stream, cpal::Error>
where
    f32: FromSample<T>,
{
    let (channels, rate_hz) = (usize::from(config.channels), config.sample_rate);
    let (taking, failing, send) = (Arc::clone(shared), Arc::clone(shared), send.clone());
    let waiting = thread::current();
    device.build_input_stream(
        config,
        move |data: &[T], _: &cpal::InputCallbackInfo| {
            taking.take(data, channels, rate_hz, &send);
        },
        move |err: cpal::Error| {
            // A short gap or a rerouted stream goes on by itself; anything else ends the stream.
            if !matches!(
                err.kind(),
                cpal::ErrorKind::Xrun
                    | cpal::ErrorKind::DeviceChanged
                    | cpal::ErrorKind::RealtimeDenied
            ) {
                failing.lost.store(true, Ordering::SeqCst);
                waiting.unpark();
            }
        },
        None,
    )
}

/// A microphone without one: gives what it was fed.
#[derive(Debug)]
pub struct SimMicrophone {
    chunks: mpsc::Receiver<Captured>,
}

impl SimMicrophone {
    /// A microphone and where to feed it.
    pub fn new() -> (mpsc::Sender<Captured>, SimMicrophone) {
        let (send, chunks) = mpsc::channel();
        (send, SimMicrophone { chunks })
    }
}

impl Capture for SimMicrophone {
    fn next(&mut self, patience: Duration) -> Option<Captured> {
        self.chunks.recv_timeout(patience).ok()
    }

    fn overruns(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_format_and_number_of_channels_becomes_mono() {
        assert_eq!(mono(&[100i16, -200, i16::MAX, i16::MIN], 1), [100, -200, i16::MAX, i16::MIN]);
        assert_eq!(mono(&[100i16, 300, -5000, 5000], 2), [200, 0]);
        assert_eq!(mono(&[0.5f32, 0.5, 2.0, 2.0], 2), [16_384, i16::MAX]);
        assert_eq!(mono(&[128u8, 255], 1), [0, 32_512]);
        assert_eq!(mono(&[i32::MIN, i32::MIN], 2), [i16::MIN]);
        assert_eq!(mono::<f32>(&[], 0), [0i16; 0]);
    }
}
