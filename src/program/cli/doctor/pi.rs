//! Checks for a Raspberry Pi only: pins, buses, a supply that can be too weak.

use super::{Check, Machine, user::User};
use crate::config::Config;
use annabella_devices::board::wiring::ReaderKind;

/// Fast enough for five expanders at every scan rate that the wiring is computed for.
const I2C_HZ: u32 = 400_000;
/// From here on a Pi slows itself down. Source: Raspberry Pi documentation, "Frequency management
/// and thermal control".
const HOT: f64 = 80.0;
const WARM: f64 = 70.0;

pub(super) fn checks(machine: &dyn Machine, config: &Config, who: &User) -> Vec<Check> {
    let model = machine.line("/proc/device-tree/model").unwrap_or_default();
    let reader = config.board.reader();
    if !model.contains("Raspberry Pi") {
        return elsewhere(machine, config, who);
    }
    let settings = Settings::read(machine, &model);
    let needs_spi = reader.is_some_and(ReaderKind::is_on_spi);
    let needs_i2c = reader.is_some_and(ReaderKind::is_on_i2c);
    let needs_gpio = reader.is_some() || config.has_buttons() || !config.lights.pins().is_empty();
    let mut checks = vec![
        Check::good("machine", model),
        gpio(machine, needs_gpio, who),
        spi(machine, config, needs_spi, &settings, who),
        i2c(machine, config, needs_i2c, &settings, who),
    ];
    checks.extend(power(machine));
    checks.extend(temperature(machine));
    checks.extend(radio(machine));
    checks
}

/// A machine without these pins: one line, unless the configuration asks for them.
fn elsewhere(machine: &dyn Machine, config: &Config, who: &User) -> Vec<Check> {
    let name = "machine";
    match config.board.reader() {
        None => vec![Check::good(name, "no Raspberry Pi: pins, buses and power are not looked at")],
        Some(reader) if reader.is_on_i2c() => vec![
            Check::good(name, "no Raspberry Pi: only the I2C bus of the reeds is looked at"),
            i2c(machine, config, true, &Settings::default(), who),
        ],
        Some(_) => vec![
            Check::bad(
                name,
                format!(
                    "no Raspberry Pi, and [board] kind = \"{}\" needs its pins",
                    config.board.kind.as_str()
                ),
            )
            .mend(
                "[board] kind = \"none\" for a board without sensors, \"events\" for reeds of another machine",
            )
            .of_device(),
        ],
    }
}

/// The `dtparam` of the firmware's configuration file that count on this model.
#[derive(Default)]
struct Settings {
    file: &'static str,
    params: Vec<(String, String)>,
}

impl Settings {
    fn read(machine: &dyn Machine, model: &str) -> Settings {
        // The second one: before Raspberry Pi OS 12.
        let places = ["/boot/firmware/config.txt", "/boot/config.txt"];
        let place = places.into_iter().find_map(|file| Some((file, machine.text(file).ok()?)));
        let Some((file, text)) = place else {
            return Settings { file: places[0], params: Vec::new() };
        };
        let mut params = Vec::new();
        let mut counts = true;
        for line in text.lines().map(str::trim) {
            if let Some(section) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                counts = counts_on(section, model);
            } else if let Some(list) = line.strip_prefix("dtparam=").filter(|_| counts) {
                let list = list.split('#').next().unwrap_or("").trim();
                params.extend(list.split(',').map(|param| {
                    let (name, value) = param.split_once('=').unwrap_or((param, "on"));
                    (name.trim().to_owned(), value.trim().to_owned())
                }));
            }
        }
        Settings { file, params }
    }

    fn value(&self, names: &[&str]) -> Option<&str> {
        let last = self.params.iter().rev().find(|(name, _)| names.contains(&name.as_str()));
        last.map(|(_, value)| value.as_str())
    }

    fn is_on(&self, names: &[&str]) -> bool {
        self.value(names).is_some_and(|value| matches!(value, "on" | "true" | "yes" | "1" | ""))
    }

    /// The command that adds a line for every model, and makes it count.
    fn adding(&self, param: &str) -> String {
        let file = self.file;
        format!("printf '[all]\\ndtparam={param}\\n' | sudo tee -a {file} && sudo reboot")
    }
}

/// Source: Raspberry Pi documentation, "Conditional filters".
fn counts_on(section: &str, model: &str) -> bool {
    match section {
        "all" => true,
        "pi3" => model.contains("Pi 3"),
        "pi4" => model.contains("Pi 4") || model.contains("Compute Module 4"),
        "pi5" => model.contains("Pi 5") || model.contains("Compute Module 5"),
        "pi02" | "pi0w2" => model.contains("Zero 2"),
        "cm4" => model.contains("Compute Module 4"),
        "cm5" => model.contains("Compute Module 5"),
        _ => false,
    }
}

/// A check of something that the board does without weighs less.
fn weighed(check: Check, needed: bool) -> Check {
    if needed {
        return check;
    }
    let found = format!("{}; [board] does not need it", check.found);
    Check { health: super::Health::Good, found, mend: None, ..check }
}

/// A device file is not there (`missing` says why), or may not be opened.
fn closed(
    machine: &dyn Machine,
    (name, device): (&'static str, &str),
    needed: bool,
    who: &User,
    missing: impl FnOnce() -> Check,
) -> Option<Check> {
    let check = match machine.owner(device) {
        None => missing().of_device(),
        Some(owner) => who.kept_from(machine, name, device, owner)?,
    };
    Some(weighed(check, needed))
}

fn gpio(machine: &dyn Machine, needed: bool, who: &User) -> Check {
    let device = "/dev/gpiochip0";
    let missing = || {
        let found = format!("there is no {device}: this kernel does not know the pins");
        Check::bad("gpio", found).mend("sudo apt-get install linux-image-rpi-v8 && sudo reboot")
    };
    let usable = || Check::good("gpio", format!("user {} may use {device}", who.name()));
    closed(machine, ("gpio", device), needed, who, missing).unwrap_or_else(usable)
}

fn spi(
    machine: &dyn Machine,
    config: &Config,
    needed: bool,
    settings: &Settings,
    who: &User,
) -> Check {
    let wires = &config.board.wires;
    let device = format!("/dev/spidev{}.{}", wires.spi_bus, wires.spi_select);
    let missing = || {
        if wires.spi_bus != 0 {
            Check::bad("spi", format!("there is no {device}"))
                .mend(format!("add dtoverlay=spi{}-1cs to {}", wires.spi_bus, settings.file))
        } else if settings.is_on(&["spi"]) {
            Check::bad("spi", "SPI is switched on, but the Pi was not restarted")
                .mend("sudo reboot")
        } else {
            Check::bad("spi", "SPI is off").mend(settings.adding("spi=on"))
        }
    };
    if let Some(check) = closed(machine, ("spi", &device), needed, who, missing) {
        return check;
    }
    if !needed {
        return Check::good("spi", format!("{device}; [board] does not need it"));
    }
    // The reader's own clock, and what the controller can do at most.
    let asked = config.board.wiring().and_then(Result::ok).map_or(0, |wiring| wiring.spi_hz);
    let of_node = format!("/sys/bus/spi/devices/spi{}.{}/of_node", wires.spi_bus, wires.spi_select);
    match machine.cell(&format!("{of_node}/spi-max-frequency")) {
        Some(most) if most < asked => {
            let found = format!(
                "{device} does {} at most, [board] spi_hz asks for {}",
                hertz(most),
                hertz(asked)
            );
            Check::poor("spi", found).mend(format!("[board] spi_hz = {most}"))
        }
        _ => Check::good("spi", format!("{device} at {}", hertz(asked))),
    }
}

fn i2c(
    machine: &dyn Machine,
    config: &Config,
    needed: bool,
    settings: &Settings,
    who: &User,
) -> Check {
    let bus = config.board.wires.i2c_bus;
    let device = format!("/dev/i2c-{bus}");
    let names = ["i2c_arm", "i2c", "i2c1"];
    let adapter = format!("i2c-{bus}");
    let missing = || {
        if machine.names("/sys/bus/i2c/devices").contains(&adapter) {
            Check::bad("i2c", "the kernel module i2c-dev is not loaded").mend(
                "echo i2c-dev | sudo tee /etc/modules-load.d/i2c-dev.conf && sudo modprobe i2c-dev",
            )
        } else if settings.file.is_empty() || bus != 1 {
            Check::bad("i2c", format!("there is no {device}"))
                .mend("name the bus in [board] i2c_bus")
        } else if settings.is_on(&names) {
            Check::bad("i2c", "I2C is switched on, but the Pi was not restarted")
                .mend("sudo reboot")
        } else {
            Check::bad("i2c", "I2C is off")
                .mend(settings.adding("i2c_arm=on,i2c_arm_baudrate=400000"))
        }
    };
    if let Some(check) = closed(machine, ("i2c", &device), needed, who, missing) {
        return check;
    }
    if !needed {
        return Check::good("i2c", format!("{device}; [board] does not need it"));
    }
    let asked = settings.value(&["i2c_arm_baudrate", "i2c_baudrate", "i2c1_baudrate"]);
    let of_tree =
        machine.cell(&format!("/sys/class/i2c-adapter/{adapter}/of_node/clock-frequency"));
    match of_tree.or_else(|| asked?.parse().ok()) {
        Some(speed) if speed < I2C_HZ => {
            let found = format!("{device} at {}, slow for five chips", hertz(speed));
            Check::poor("i2c", found).mend(settings.adding("i2c_arm_baudrate=400000"))
        }
        Some(speed) => Check::good("i2c", format!("{device} at {}", hertz(speed))),
        None => Check::good("i2c", format!("{device}, its speed is unknown")),
    }
}

fn hertz(hz: u32) -> String {
    if hz >= 1_000_000 && hz.is_multiple_of(100_000) {
        format!("{} MHz", f64::from(hz) / 1e6)
    } else {
        format!("{} kHz", hz / 1000)
    }
}

/// The firmware's report on the supply. Source: Raspberry Pi documentation, `vcgencmd
/// get_throttled`: bit 0 under-voltage, 1 slowed down for it, 2 and 3 for heat; from bit 16 on the
/// same since boot.
fn power(machine: &dyn Machine) -> Option<Check> {
    let hex = |text: &str| u32::from_str_radix(text.trim().trim_start_matches("0x"), 16).ok();
    let told = machine.tells("vcgencmd", &["get_throttled"]);
    let told = told.and_then(|text| hex(text.trim().strip_prefix("throttled=")?));
    let told = told
        .or_else(|| hex(&machine.line("/sys/devices/platform/soc/soc:firmware/get_throttled")?));
    let bits = told.or_else(|| {
        let hwmon = "/sys/class/hwmon";
        let names = machine.names(hwmon);
        let meter = names.iter().find(|name| {
            machine.line(&format!("{hwmon}/{name}/name")).as_deref() == Some("rpi_volt")
        })?;
        machine.line(&format!("{hwmon}/{meter}/in0_lcrit_alarm"))?.parse().ok()
    });
    let mend = "use the Pi's own supply, 5.1 volts, with a short thick cable; fewer devices on USB";
    Some(match bits {
        None => Check::poor("power", "the firmware does not tell").mend("sudo annabella doctor"),
        Some(bits) if bits & 1 != 0 => {
            Check::bad("power", "under-voltage now: reeds and card may fail").mend(mend).of_device()
        }
        Some(bits) if bits & 1 << 16 != 0 => {
            Check::poor("power", "there was under-voltage since the Pi was started").mend(mend)
        }
        Some(_) => Check::good("power", "no under-voltage since the Pi was started"),
    })
}

fn temperature(machine: &dyn Machine) -> Option<Check> {
    let millis: f64 = machine.line("/sys/class/thermal/thermal_zone0/temp")?.parse().ok()?;
    let degrees = millis / 1000.0;
    let found = format!("{degrees:.0} degrees");
    Some(if degrees >= HOT {
        Check::bad("temperature", format!("{found}, the Pi slows down"))
            .mend("give it air, a heat sink or a fan")
            .of_device()
    } else if degrees >= WARM {
        Check::poor("temperature", format!("{found}, near the 80 at which the Pi slows down"))
            .mend("give it air, a heat sink or a fan")
    } else {
        Check::good("temperature", found)
    })
}

/// Tournaments may forbid radio.
fn radio(machine: &dyn Machine) -> Option<Check> {
    let folder = "/sys/class/rfkill";
    let mut sending = Vec::new();
    for name in machine.names(folder) {
        let of = |file: &str| machine.line(&format!("{folder}/{name}/{file}"));
        let blocked = |file| of(file).as_deref() == Some("1");
        if !blocked("soft") && !blocked("hard") {
            sending.push(match of("type").as_deref() {
                Some("wlan") => "wireless",
                Some("bluetooth") => "Bluetooth",
                _ => "a radio",
            });
        }
    }
    sending.sort_unstable();
    sending.dedup();
    Some(if sending.is_empty() {
        Check::good("radio", "off")
    } else {
        // A fact to know, no fault: the pages are often reached this way.
        let found = format!(
            "{} on; where radio is forbidden: sudo rfkill block all",
            sending.join(" and ")
        );
        Check::good("radio", found)
    })
}
