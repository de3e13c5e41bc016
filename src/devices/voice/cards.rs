//! Sound devices to choose from by ear: of the many names that the sound system has for one card,
//! the one under which several may sound at once.

use cpal::traits::{DeviceTrait, HostTrait};

use super::{mic, speaker};
use annabella_core::setup::SoundDevice;

/// A card under this name is shared.
const SHARED: &str = "sysdefault:CARD=";
const DEFAULT: &str = "default";

/// The cards that can speak, the system's own first.
pub fn outputs() -> Vec<SoundDevice> {
    let _quiet = alsa::Output::local_error_handler();
    let Ok(devices) = cpal::default_host().output_devices() else { return Vec::new() };
    let listed = devices.filter_map(|device| {
        let name = device.id().ok()?.to_string();
        let name = name.split_once(':').map_or(name.clone(), |(_, name)| name.to_owned());
        Some((name, device.description().ok()?.name().to_owned()))
    });
    let mut cards = chosen(listed.collect());
    cards.retain(|card| speaker::check(&card.name).is_ok());
    cards
}

/// The cards that can record, the system's own first.
pub fn inputs() -> Vec<SoundDevice> {
    let listed = mic::input_devices().into_iter();
    let mut cards = chosen(listed.map(|device| (device.name, device.description)).collect());
    cards.retain(|card| mic::can_record(&card.name));
    cards
}

/// An entry for each card, and the system's own where it has one.
fn chosen(listed: Vec<(String, String)>) -> Vec<SoundDevice> {
    let mut cards: Vec<SoundDevice> = Vec::new();
    for (name, description) in listed {
        let known = cards.iter().any(|card| card.name == name);
        if name == DEFAULT && !known {
            cards.insert(0, SoundDevice { name, called: String::new() });
        } else if let Some(id) = name.strip_prefix(SHARED).filter(|_| !known) {
            // "USB Audio Device, USB Audio": the card, then what it is.
            let card = description.split(',').next().unwrap_or_default().trim();
            let called = if card.is_empty() { id } else { card }.to_owned();
            cards.push(SoundDevice { name, called });
        }
    }
    cards
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_all_names_of_a_card_the_shared_one_is_chosen() {
        let listed = [
            ("null", "Discard all samples"),
            ("hw:CARD=Headset,DEV=0", "Jabra Link, USB Audio"),
            ("plughw:CARD=Headset,DEV=0", "Jabra Link, USB Audio"),
            ("sysdefault:CARD=Headset", "Jabra Link, USB Audio"),
            ("default", "Default ALSA Output"),
            ("sysdefault:CARD=vc4hdmi", ""),
            ("sysdefault:CARD=Headset", "Jabra Link, USB Audio"),
        ];
        let listed = listed.map(|(name, about)| (name.to_owned(), about.to_owned())).to_vec();
        let cards = chosen(listed);
        let names: Vec<(&str, &str)> =
            cards.iter().map(|card| (card.name.as_str(), card.called.as_str())).collect();
        assert_eq!(
            names,
            [
                ("default", ""),
                ("sysdefault:CARD=Headset", "Jabra Link"),
                ("sysdefault:CARD=vc4hdmi", "vc4hdmi"),
            ]
        );
        assert_eq!(chosen(Vec::new()), []);
    }
}
