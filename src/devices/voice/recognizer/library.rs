//! Finds libvosk.

use std::{
    env,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use super::RecognizerError;

/// The environment variable that names the library; it is then the only one tried.
pub const VARIABLE: &str = "VOSK_LIB";
const NAME: &str = "libvosk.so";

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
    let mut broken = None;
    for place in &places {
        if load(place) {
            // The library's own messages are for developers, and it has many.
            vosk::set_log_level(vosk::LogLevel::Error);
            return Ok(place.clone());
        }
        if place.is_file() {
            broken.get_or_insert_with(|| place.clone());
        }
    }
    Err(RecognizerError::Library(match (broken, chosen) {
        (Some(path), _) => format!(
            "{} is no libvosk for this machine, or lacks libatomic1 (apt-get install libatomic1); \
             `make vosk` fetches the right one",
            path.display()
        ),
        (None, true) => format!(
            "{} does not exist, and {VARIABLE} names it: correct or unset that variable",
            places[0].display()
        ),
        (None, false) => format!(
            "{NAME} is not installed: `make vosk` fetches it, or set {VARIABLE} to where it is"
        ),
    }))
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
    // A checkout: where `make vosk` puts it, from the program's folder or from the working one.
    let fetched = Path::new(".cache/vosk").join(env::consts::ARCH).join(NAME);
    let folders = program.as_deref().into_iter().flat_map(|path| path.ancestors().skip(1));
    places.extend(folders.map(|folder| folder.join(&fetched)).filter(|path| path.is_file()));
    places.extend(env::current_dir().ok().map(|folder| folder.join(&fetched)));
    // Last what the system's loader knows of.
    places.push(PathBuf::from(NAME));
    places
}

fn load(path: &Path) -> bool {
    let by_loader = path.parent() == Some(Path::new(""));
    let path = match path.to_str() {
        Some(path) if by_loader || Path::new(path).is_file() => path,
        _ => return false,
    };
    // See vosk_shim.c: this opens the library, not a model.
    vosk::Model::new(format!("library:{path}")).is_some()
}
