//! Finds libvosk, and opens it only if it is the very file that this program was tested with.
//!
//! It is looked for beside the program and in the folders of user and system, never in the current
//! folder, and is opened by its absolute path.

use std::{
    env,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use super::{
    RecognizerError,
    files::sha256,
    trusted::{around, of_cargo, trusted},
};

/// The environment variable that names the library; it is then the only one tried.
pub const VARIABLE: &str = "VOSK_LIB";
const NAME: &str = "libvosk.so";
/// SHA-256 of libvosk 0.3.45 as the Python package has it, for x86_64, aarch64 and armv7l.
const KNOWN: [&str; 3] = [
    "85c4654de3acdeb99abab86eeb2a6e603927d37089597c0fcc33d8638dc2ccaf",
    "0e9df29f060a93cf3df3263a4d3635e1b75688a5fd84e86ade1599372e3c9597",
    "50e9e705777774ce3f33636939c10cfa2c27d2d2c6441466146f35dacd4e9be4",
];

/// Opens libvosk, once for the whole process, and returns its path.
///
/// # Errors
/// [`RecognizerError::Library`] with the paths tried and the remedy.
pub fn open() -> Result<PathBuf, RecognizerError> {
    static OPENED: OnceLock<Result<PathBuf, RecognizerError>> = OnceLock::new();
    OPENED.get_or_init(first).clone()
}

fn first() -> Result<PathBuf, RecognizerError> {
    let named = env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    let chosen = named.is_some();
    let places = named.map_or_else(places, |path| vec![path]);
    let mut wrong = None;
    for place in places.iter().filter(|place| place.is_file()) {
        match opened(place) {
            Ok(path) => {
                // The library's own messages are for developers, and it has many.
                vosk::set_log_level(vosk::LogLevel::Error);
                return Ok(path);
            }
            Err(why) => {
                wrong.get_or_insert(why);
            }
        }
    }
    Err(RecognizerError::Library(match (wrong, chosen) {
        (Some(why), _) => why,
        (None, true) => format!(
            "{} does not exist, and {VARIABLE} names it: correct or unset that variable",
            places[0].display()
        ),
        (None, false) => format!(
            "{NAME} is not installed: `make vosk` fetches it, or set {VARIABLE} to where it is"
        ),
    }))
}

/// Opens the library at this place. Nothing of it runs before it is known to be the right one.
fn opened(place: &Path) -> Result<PathBuf, String> {
    let shown = place.display();
    let path = trusted(place).map_err(|why| format!("{shown} is not loaded: {why}"))?;
    let sum = sha256(&path).map_err(|err| format!("{shown} cannot be read: {err}"))?;
    if !KNOWN.contains(&sum.as_str()) {
        return Err(format!(
            "{shown} is not the {NAME} that this program was tested with (sha256 {sum}), and is not loaded: \
             `make vosk` fetches the right one"
        ));
    }
    match path.to_str() {
        // See vosk_shim.c: this opens the library, not a model.
        Some(text) if vosk::Model::new(format!("library:{text}")).is_some() => Ok(path),
        _ => Err(format!(
            "{shown} is no libvosk for this machine, or lacks libatomic1 (apt-get install libatomic1); \
             `make vosk` fetches the right one"
        )),
    }
}

/// Candidates beside the program, in the user's and the system's folders, in a checkout.
fn places() -> Vec<PathBuf> {
    let mut places = Vec::new();
    let program = env::current_exe().and_then(|path| path.canonicalize()).ok();
    if let Some(folder) = program.as_deref().and_then(Path::parent) {
        places.push(folder.join(NAME));
        places.push(folder.join("../lib/annabella").join(NAME));
    }
    if let Some(home) = env::var_os("HOME") {
        places.push(Path::new(&home).join(".local/share/annabella").join(NAME));
    }
    for folder in ["/usr/local/lib/annabella", "/usr/lib/annabella", "/usr/local/lib"] {
        places.push(Path::new(folder).join(NAME));
    }
    // A checkout: where `make vosk` puts it.
    let fetched = Path::new(".cache/vosk").join(env::consts::ARCH).join(NAME);
    let around = program.as_deref().map(around).unwrap_or_default();
    places.extend(around.into_iter().chain(of_cargo()).map(|folder| folder.join(&fetched)));
    places
}
