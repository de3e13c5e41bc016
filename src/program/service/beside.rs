//! Programs that lie beside this one. A board that needs neither carries nothing of them.

use std::{
    env,
    io::{Error, ErrorKind},
    path::PathBuf,
};

/// A program that is installed where this one is, or found in `PATH`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beside {
    name: &'static str,
    remedy: &'static str,
}

/// What speaks with a hall.
pub const HALL: Beside =
    Beside { name: "annabella-hall", remedy: "install it too, it comes with annabella" };

/// Demonstrations, measurements and emulated devices. Packages leave it out.
pub const LAB: Beside = Beside {
    name: "annabella-lab",
    remedy: "packages leave it out, so take a checkout of the sources: `make demo` there builds it and plays, \
             `cargo build --release -p annabella-lab` only builds it",
};

/// What plays for the sighted player at home. It is a package of its own.
pub const PARTNER: Beside = Beside {
    name: "annabella-partner",
    remedy: "it is a package of its own, annabella-partner; in a checkout of the sources `make partner` builds it and plays",
};

impl Beside {
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The one in the folder of this program, else its bare name, which is looked for in `PATH`.
    pub fn path(&self) -> PathBuf {
        let own = env::current_exe().ok().map(|own| own.with_file_name(self.name));
        own.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(self.name))
    }

    /// Why it does not start, with the remedy.
    pub fn missing(&self, err: &Error) -> String {
        match err.kind() {
            ErrorKind::NotFound => {
                let Beside { name, remedy } = self;
                format!("there is no {name} beside annabella, and none in PATH: {remedy}")
            }
            _ => format!("cannot start {}: {err}", self.path().display()),
        }
    }
}
