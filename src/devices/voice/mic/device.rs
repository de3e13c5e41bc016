//! Input devices: their names, and opening one.

use cpal::{
    BufferSize, Device, FromSample, InputCallbackInfo, SampleFormat, SizedSample, Stream,
    StreamConfig, SupportedBufferSize,
    traits::{DeviceTrait, HostTrait, StreamTrait},
};

use super::{
    Sink, Wish, age,
    convert::{Offer, choose, mono},
};
use crate::voice::{
    VoiceError,
    opening::{device_error, failed},
};

/// Length of a device buffer where we can choose it, milliseconds. There are two, so the machine
/// may be busy for that long.
const BUFFER_MS: u32 = 40;
/// Parts of the sound system that record nothing themselves.
const NO_DEVICES: [&str; 8] =
    ["null", "lavrate", "samplerate", "speexrate", "speex", "upmix", "vdownmix", "usbstream"];

/// A device that may be able to record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputDevice {
    /// The value for `[speech] input`.
    pub name: String,
    pub description: String,
}

/// The existing devices, `default` first. None is opened.
pub fn input_devices() -> Vec<InputDevice> {
    let _quiet = alsa::Output::local_error_handler();
    let Ok(devices) = cpal::default_host().input_devices() else { return Vec::new() };
    let mut found: Vec<InputDevice> = devices
        .filter_map(|device| {
            let name = name_of(&device)?;
            let description = device
                .description()
                .map_or_else(|_| String::new(), |description| description.name().to_owned());
            let part = name.split(':').next().unwrap_or_default();
            (!NO_DEVICES.contains(&part)).then_some(InputDevice { name, description })
        })
        .collect();
    found.sort_by_key(|device| device.name != "default");
    found
}

/// Whether a device can record in some format. Opens it for a moment.
pub fn can_record(name: &str) -> bool {
    let _quiet = alsa::Output::local_error_handler();
    let formats = find(name).ok().and_then(|device| {
        device.supported_input_configs().ok().map(|mut formats| formats.next().is_some())
    });
    formats.unwrap_or(false)
}

/// The name without the sound system's.
fn name_of(device: &Device) -> Option<String> {
    let id = device.id().ok()?.to_string();
    Some(id.split_once(':').map_or(id.clone(), |(_, name)| name.to_owned()))
}

fn find(name: &str) -> Result<Device, VoiceError> {
    let host = cpal::default_host();
    if name == "default" {
        let device = host.default_input_device();
        return device.ok_or_else(|| device_error(name, "there is no sound card"));
    }
    let devices = host.input_devices().map_err(|err| failed(name, &err))?;
    let is_it = |device: &Device| {
        name_of(device).is_some_and(|known| known == name)
            || device.id().is_ok_and(|id| id.to_string() == name)
            || device.description().is_ok_and(|description| description.name() == name)
    };
    devices.into_iter().find(is_it).ok_or_else(|| {
        let known = input_devices();
        device_error(name, unknown(name, &known))
    })
}

/// The message for an unknown device, with the nearest known one.
fn unknown(name: &str, known: &[InputDevice]) -> String {
    let names = known.iter().flat_map(|device| [&device.name, &device.description]);
    let distance = |known: &&String| strsim::damerau_levenshtein(known, name);
    match names.filter(|known| !known.is_empty()).min_by_key(distance) {
        Some(nearest) => format!("there is no microphone of this name, the nearest is '{nearest}'"),
        None => "there is no microphone".to_owned(),
    }
}

/// Opens a device and lets it deliver into the sink until the stream is dropped. `failing` gets a
/// later failure.
pub(super) fn open(
    name: &str,
    wish: Wish,
    own_buffer: bool,
    mut sink: Sink,
    failing: impl Fn(VoiceError) + Send + 'static,
) -> Result<Stream, VoiceError> {
    let device = find(name)?;
    let failed = |err: cpal::Error| failed(name, &err);
    let supported: Vec<_> = device.supported_input_configs().map_err(failed)?.collect();
    let offers: Vec<Offer> = supported
        .iter()
        .map(|range| Offer {
            channels: range.channels(),
            rates_hz: (range.min_sample_rate(), range.max_sample_rate()),
            format: range.sample_format(),
        })
        .collect();
    let offers = match name_of(&device).and_then(|name| own_rates(&name)) {
        Some(own) => offers.into_iter().filter_map(|offer| within(offer, own)).collect(),
        None => offers,
    };
    let (rate_hz, channels, format) = choose(&offers, wish)
        .ok_or_else(|| device_error(name, "it offers no format that can be read"))?;
    let frames = rate_hz * BUFFER_MS / 1000;
    let buffer_size = supported
        .iter()
        .find(|range| range.channels() == channels && range.sample_format() == format)
        .filter(|_| !own_buffer)
        .and_then(|range| match *range.buffer_size() {
            SupportedBufferSize::Range { min, max } if min <= max => Some(frames.clamp(min, max)),
            _ => None,
        })
        .map_or(BufferSize::Default, BufferSize::Fixed);
    let config = StreamConfig { channels, sample_rate: rate_hz, buffer_size };
    sink.rate_hz = rate_hz;
    let into = Into { device: &device, config, sink, name: name.to_owned() };
    let stream = match format {
        SampleFormat::I8 => into.stream::<i8>(failing),
        SampleFormat::I16 => into.stream::<i16>(failing),
        SampleFormat::I24 => into.stream::<cpal::I24>(failing),
        SampleFormat::I32 => into.stream::<i32>(failing),
        SampleFormat::U8 => into.stream::<u8>(failing),
        SampleFormat::U16 => into.stream::<u16>(failing),
        SampleFormat::U32 => into.stream::<u32>(failing),
        SampleFormat::F64 => into.stream::<f64>(failing),
        _ => into.stream::<f32>(failing),
    };
    let stream = stream.map_err(failed)?;
    stream.play().map_err(failed)?;
    Ok(stream)
}

/// The rates that the device itself can do, where ALSA would convert others for it: badly.
fn own_rates(pcm: &str) -> Option<(u32, u32)> {
    let pcm = alsa::PCM::new(pcm, alsa::Direction::Capture, true).ok()?;
    let params = alsa::pcm::HwParams::any(&pcm).ok()?;
    params.set_rate_resample(false).ok()?;
    Some((params.get_rate_min().ok()?, params.get_rate_max().ok()?))
}

fn within(offer: Offer, rates_hz: (u32, u32)) -> Option<Offer> {
    let low = offer.rates_hz.0.max(rates_hz.0);
    let high = offer.rates_hz.1.min(rates_hz.1);
    (low <= high).then_some(Offer { rates_hz: (low, high), ..offer })
}

struct Into<'a> {
    device: &'a Device,
    config: StreamConfig,
    sink: Sink,
    name: String,
}

impl Into<'_> {
    fn stream<T: SizedSample>(
        self,
        failing: impl Fn(VoiceError) + Send + 'static,
    ) -> Result<Stream, cpal::Error>
    where
        f64: FromSample<T>,
    {
        let Into { device, config, mut sink, name } = self;
        let skipped = std::sync::Arc::clone(&sink.skipped);
        device.build_input_stream(
            config,
            move |data: &[T], info: &InputCallbackInfo| {
                let time = info.timestamp();
                sink.take(mono(data, config.channels), age(time.callback, time.capture));
            },
            move |err: cpal::Error| match err.kind() {
                cpal::ErrorKind::Xrun => {
                    skipped.store(true, std::sync::atomic::Ordering::SeqCst);
                }
                // These go on by themselves.
                cpal::ErrorKind::DeviceChanged | cpal::ErrorKind::RealtimeDenied => {}
                _ => failing(failed(&name, &err)),
            },
            None,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_name_is_answered_with_the_nearest() {
        let device = |name: &str, description: &str| InputDevice {
            name: name.to_owned(),
            description: description.to_owned(),
        };
        let known = [device("default", ""), device("hw:CARD=Headset,DEV=0", "Jabra Link")];
        let said = |name| unknown(name, &known);
        assert_eq!(
            said("hw:CARD=Headsett"),
            "there is no microphone of this name, the nearest is 'hw:CARD=Headset,DEV=0'"
        );
        assert_eq!(
            said("jabra link"),
            "there is no microphone of this name, the nearest is 'Jabra Link'"
        );
        assert_eq!(unknown("x", &[]), "there is no microphone");
    }
}
