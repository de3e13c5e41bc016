//! A machine's ports, and what its kernel tells of them.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use annabella_devices::serial::{Finder, Kind};

/// Device files and what `/sys` says of them.
pub(crate) struct Machine(tempfile::TempDir);

impl Machine {
    pub(crate) fn new() -> Machine {
        let machine = Machine(tempfile::tempdir().expect("a folder"));
        fs::create_dir(machine.0.path().join("dev")).expect("made");
        machine
    }

    pub(crate) fn port(&self, name: &str) -> PathBuf {
        self.0.path().join("dev").join(name)
    }

    /// A device with this vendor, product and serial number is at this port, whose file is there.
    pub(crate) fn plug(&self, name: &str, numbers: [&str; 3]) {
        fs::write(self.port(name), "").expect("written");
        self.knows(name, numbers);
    }

    pub(crate) fn unplug(&self, name: &str) {
        fs::remove_file(self.port(name)).expect("there");
        self.forgets(name);
    }

    /// The kernel knows this port as a USB device with these numbers.
    pub(crate) fn knows(&self, name: &str, numbers: [&str; 3]) {
        let device = self.0.path().join("sys/devices/usb1").join(name);
        fs::create_dir_all(device.join("1-1:1.0")).expect("made");
        for (file, text) in ["idVendor", "idProduct", "serial"].into_iter().zip(numbers) {
            fs::write(device.join(file), format!("{text}\n")).expect("written");
        }
        let own = self.class(name);
        fs::create_dir_all(&own).expect("made");
        symlink(device.join("1-1:1.0"), own.join("device")).expect("linked");
    }

    pub(crate) fn forgets(&self, name: &str) {
        fs::remove_dir_all(self.class(name)).expect("known");
    }

    fn class(&self, name: &str) -> PathBuf {
        let class = if name.starts_with("hidraw") { "hidraw" } else { "tty" };
        self.0.path().join("sys/class").join(class).join(name)
    }

    pub(crate) fn finder(&self, port: &Path, kind: Kind) -> Finder {
        let root = self.0.path();
        Finder::below(port, kind, &root.join("dev"), &root.join("sys"))
    }
}
