//! Keys of an event: who may do what in the hall.
//!
//! Each board, each spare board and each role has a file with a secret of its own (an nkey's seed)
//! and with the certificate of the event's own authority, by which it knows the hall's server. The
//! server's configuration has the public halves alone, and gives each the subjects that it needs
//! (`rights.rs`). With the same secret it signs what it says ([`crate::trust`]).
//!
//! # Time
//!
//! Certificates have no end within anybody's lifetime: a board without a network does not know the
//! date. A key ends when it is revoked.

use std::{
    collections::BTreeMap,
    fmt, fs, io,
    os::unix::fs::{DirBuilderExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use nkeys::KeyPair;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyUsagePurpose};
use serde::{Deserialize, Serialize};
use serde_json::json;

pub use crate::role::KeyRole;
use crate::{
    HallError,
    names::EventName,
    rights::{self, inbox},
    trust::{Signer, vouch},
};
use annabella_records::whole;

/// The part of the server's configuration that an organiser can include.
pub const SERVER_PART: &str = "keys.conf";
/// A server that is told twice at once reads once.
const BETWEEN_RELOADS: Duration = Duration::from_millis(500);
/// The process of the own server.
pub(crate) const SERVER_PID: &str = "nats-server.pid";
/// Which keys there are; nothing in it is secret.
const STATE: &str = "keys.json";
/// Before the seed in a key's file.
const SEED: &str = "seed: ";
/// Before whose key it is, in which event.
const ROLE: &str = "role: ";
const EVENT: &str = "event: ";
/// Before what the signer says of it, and before the signer.
const VOUCHED: &str = "vouched: ";
const SIGNER_LINE: &str = "signer: ";
/// The secret of the event's signer.
const SIGNER: &str = "signer.seed";

/// A key's file as a program uses it.
#[derive(Clone)]
pub struct KeyFile {
    pub(crate) seed: String,
    /// Replies come to subjects that begin so.
    pub(crate) inbox: String,
    /// Signs with it, and knows the others of the event.
    pub(crate) signer: Signer,
}

impl fmt::Debug for KeyFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The seed is nobody's business.
        f.debug_struct("KeyFile").field("inbox", &self.inbox).finish_non_exhaustive()
    }
}

impl KeyFile {
    /// `None`: it is another kind of file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<Option<KeyFile>, String> {
        let value =
            |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let Some(seed) = value(SEED).map(str::to_owned) else { return Ok(None) };
        let pair = KeyPair::from_seed(&seed).map_err(|_| "its seed is damaged".to_owned())?;
        if !text.contains("-----BEGIN CERTIFICATE-----") {
            return Err("it has no certificate".to_owned());
        }
        let lacks = || "it is of an earlier version: make the event's keys anew".to_owned();
        let of = |name: &str| value(name).ok_or_else(lacks);
        let event = of(EVENT)?.parse().map_err(|err| format!("{err}"))?;
        let role = of(ROLE)?.parse().map_err(|err| format!("{err}"))?;
        let (vouched, by) = (of(VOUCHED)?.to_owned(), of(SIGNER_LINE)?);
        let inbox = inbox(&pair.public_key());
        let signer = Signer::new(event, role, pair, vouched, by)?;
        Ok(Some(KeyFile { inbox, seed, signer }))
    }
}

/// What is kept of the keys. Public.
#[derive(Debug, Serialize, Deserialize)]
struct KeysState {
    event: String,
    /// Under these the server is reached.
    names: Vec<String>,
    users: BTreeMap<String, String>,
}

/// The organiser's folder with all keys of an event.
#[derive(Debug)]
pub struct EventKeys {
    folder: PathBuf,
    event: EventName,
    names: Vec<String>,
    users: BTreeMap<KeyRole, String>,
}

impl EventKeys {
    /// Opens the folder of an event; makes it, and its authority, if there is none.
    ///
    /// # Errors
    /// [`HallError::Keys`].
    pub fn make(folder: &Path, event: &EventName) -> Result<EventKeys, HallError> {
        if folder.join(STATE).exists() {
            let keys = EventKeys::open(folder)?;
            let there = keys.event.clone();
            let reason = format!("it has the keys of {there}: give each event a folder of its own");
            return if there == *event { Ok(keys) } else { Err(wrong(folder, reason)) };
        }
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(|err| wrong(folder, err))?;
        // One that was there may have been everybody's.
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
            .map_err(|err| wrong(folder, err))?;
        let key = rcgen::KeyPair::generate().map_err(|err| wrong(folder, err))?;
        let authority = authority(event).and_then(|params| params.self_signed(&key));
        let authority = authority.map_err(|err| wrong(folder, err))?;
        let keys = EventKeys {
            folder: folder.to_owned(),
            event: event.clone(),
            names: Vec::new(),
            users: BTreeMap::new(),
        };
        keys.write("authority.key", &key.serialize_pem(), SECRET)?;
        keys.write("authority.pem", &authority.pem(), PUBLIC)?;
        let signer = KeyPair::new_account().seed().map_err(|err| wrong(folder, err))?;
        keys.write(SIGNER, &format!("{signer}\n"), SECRET)?;
        Ok(keys)
    }

    /// Opens a folder that was made.
    ///
    /// # Errors
    /// [`HallError::Keys`].
    pub fn open(folder: &Path) -> Result<EventKeys, HallError> {
        let text = whole::read_text(&folder.join(STATE)).map_err(|err| match err.kind() {
            io::ErrorKind::NotFound => {
                wrong(folder, "there are no keys in it: `annabella hall keys --event NAME --boards 1-20` makes them")
            }
            _ => wrong(folder, err),
        })?;
        let state: KeysState = serde_json::from_str(&text)
            .map_err(|err| wrong(folder, format!("{STATE} is damaged: {err}")))?;
        let event = state.event.parse().map_err(|err| wrong(folder, err))?;
        let users = state.users.into_iter().map(|(role, public)| {
            let role = role.parse().map_err(|err| wrong(folder, err))?;
            let user = nkeys::from_public_key(&public);
            user.map_err(|_| wrong(folder, format!("{STATE}: the key of {role} is damaged")))?;
            Ok((role, public))
        });
        let users = users.collect::<Result<_, HallError>>()?;
        Ok(EventKeys { folder: folder.to_owned(), event, names: state.names, users })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn event(&self) -> &EventName {
        &self.event
    }

    /// Whose keys there are.
    pub fn roles(&self) -> impl Iterator<Item = KeyRole> {
        self.users.keys().copied()
    }

    /// The file with a key, for the machine of that role.
    pub fn file(&self, role: KeyRole) -> PathBuf {
        self.folder.join(format!("{role}.key"))
    }

    /// Makes the keys that are not there yet. Answers how many.
    ///
    /// # Errors
    /// [`HallError::Keys`].
    pub fn add(&mut self, roles: impl IntoIterator<Item = KeyRole>) -> Result<usize, HallError> {
        let authority = self.authority()?;
        let mut made = 0;
        for role in roles {
            if !self.users.contains_key(&role) {
                self.new_key(role, &authority)?;
                made += 1;
            }
        }
        self.keep()?;
        Ok(made)
    }

    /// Takes a key away, and makes a new one in its place. The server knows it after
    /// [`EventKeys::reload`].
    ///
    /// # Errors
    /// [`HallError::Keys`], also when there is no such key.
    pub fn revoke(&mut self, role: KeyRole) -> Result<(), HallError> {
        if !self.users.contains_key(&role) {
            return Err(wrong(&self.folder, format!("there is no key of {role}")));
        }
        let authority = self.authority()?;
        self.new_key(role, &authority)?;
        self.keep()
    }

    /// Takes a key away, and makes none in its place: [`EventKeys::add`] would. Answers whether
    /// there was one.
    ///
    /// # Errors
    /// [`HallError::Keys`].
    pub fn shut(&mut self, role: KeyRole) -> Result<bool, HallError> {
        let there = self.users.remove(&role).is_some();
        self.keep()?;
        Ok(there)
    }

    /// Makes the server's certificate for these names and addresses and the ones before.
    ///
    /// # Errors
    /// [`HallError::Keys`].
    pub fn name(&mut self, names: impl IntoIterator<Item = String>) -> Result<(), HallError> {
        let there = self.folder.join("server.pem").exists();
        let mut new = Vec::new();
        for name in names {
            if !self.names.contains(&name) && !new.contains(&name) {
                new.push(name);
            }
        }
        if there && new.is_empty() {
            return Ok(());
        }
        self.names.extend(new);
        let failed = |err: rcgen::Error| wrong(&self.folder, format!("the server's names: {err}"));
        let pem = whole::read_text(&self.folder.join("authority.key"))
            .map_err(|err| wrong(&self.folder, format!("authority.key: {err}")))?;
        let signer = rcgen::KeyPair::from_pem(&pem).map_err(failed)?;
        let issuer = Issuer::new(authority(&self.event).map_err(failed)?, signer);
        let key = rcgen::KeyPair::generate().map_err(failed)?;
        let mut params = CertificateParams::new(self.names.clone()).map_err(failed)?;
        params.distinguished_name.push(DnType::CommonName, format!("the hall of {}", self.event));
        params.use_authority_key_identifier_extension = true;
        let certificate = params.signed_by(&key, &issuer).map_err(failed)?;
        self.write("server.key", &key.serialize_pem(), SECRET)?;
        self.write("server.pem", &certificate.pem(), PUBLIC)?;
        self.keep()
    }

    /// The own server is told to read its keys again, if it runs. It cuts whoever has none any
    /// more. Answers whether it runs.
    ///
    /// # Errors
    /// [`HallError::Keys`].
    pub fn reload(&self) -> Result<bool, HallError> {
        let Some(pid) = running_server(&self.folder) else { return Ok(false) };
        let told = Command::new("nats-server")
            .args(["--signal", &format!("reload={pid}")])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        match told {
            Ok(status) if status.success() => Ok(true),
            Ok(status) => Err(wrong(&self.folder, format!("the server does not reload: {status}"))),
            Err(err) => Err(wrong(&self.folder, format!("the server does not reload: {err}"))),
        }
    }

    /// The same twice, for keys that are new: the server looks for what a new account imports among
    /// those of before it read its keys (2.9.10), and the second time all are there.
    ///
    /// # Errors
    /// As [`EventKeys::reload`].
    pub fn reload_for_new(&self) -> Result<bool, HallError> {
        if !self.reload()? {
            return Ok(false);
        }
        thread::sleep(BETWEEN_RELOADS);
        self.reload()
    }

    fn authority(&self) -> Result<String, HallError> {
        whole::read_text(&self.folder.join("authority.pem"))
            .map_err(|err| wrong(&self.folder, format!("authority.pem: {err}")))
    }

    fn signer(&self) -> Result<KeyPair, HallError> {
        let seed = whole::read_text(&self.folder.join(SIGNER))
            .map_err(|err| wrong(&self.folder, format!("{SIGNER}: {err}")))?;
        KeyPair::from_seed(seed.trim())
            .map_err(|_| wrong(&self.folder, format!("{SIGNER} is damaged")))
    }

    fn new_key(&mut self, role: KeyRole, authority: &str) -> Result<(), HallError> {
        let failed = |err: nkeys::error::Error| wrong(&self.folder, err);
        let (pair, signer, event) = (KeyPair::new_user(), self.signer()?, &self.event);
        let seed = pair.seed().map_err(failed)?;
        let vouched = vouch(&signer, event, role, &pair.public_key()).map_err(failed)?;
        let by = signer.public_key();
        let text = format!(
            "# Annabella: the key of {role} in {event}. Whoever has this file is {role}.\n{SEED}{seed}\n\
             {EVENT}{event}\n{ROLE}{role}\n{VOUCHED}{vouched}\n{SIGNER_LINE}{by}\n{authority}",
        );
        self.write(&format!("{role}.key"), &text, SECRET)?;
        self.users.insert(role, pair.public_key());
        Ok(())
    }

    /// Writes what the server reads, and then what is known.
    fn keep(&self) -> Result<(), HallError> {
        let accounts = rights::accounts(&self.event, &self.users);
        let authorization = json!({ "timeout": 5 });
        // Paths are taken from the folder in which the server is started: they are whole ones.
        let folder = fs::canonicalize(&self.folder).map_err(|err| wrong(&self.folder, err))?;
        let tls = json!({
            "cert_file": folder.join("server.pem").to_string_lossy(),
            "key_file": folder.join("server.key").to_string_lossy(),
            "timeout": 5,
        });
        let lines = format!(
            "# Who may do what in the hall of {}. `annabella hall keys` writes this file.\n\
             tls: {tls}\nauthorization: {authorization}\naccounts: {accounts:#}\n",
            self.event
        );
        self.write(SERVER_PART, &lines, PUBLIC)?;
        let state = KeysState {
            event: self.event.to_string(),
            names: self.names.clone(),
            users: self.users.iter().map(|(role, key)| (role.to_string(), key.clone())).collect(),
        };
        self.write(STATE, &format!("{:#}\n", json!(state)), PUBLIC)
    }

    /// Writes a file as a whole.
    fn write(&self, name: &str, text: &str, mode: u32) -> Result<(), HallError> {
        let path = self.folder.join(name);
        whole::write(&path, text, Some(mode)).map_err(|err| wrong(&path, err))
    }
}

/// The process of the server that was started with the keys in this folder, if it runs.
pub(crate) fn running_server(folder: &Path) -> Option<u32> {
    let pid = fs::read_to_string(folder.join(SERVER_PID)).ok()?.trim().parse().ok()?;
    // A number that was left behind may be another program's by now.
    let named = fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    (named.trim() == "nats-server").then_some(pid)
}

/// Nobody else reads it.
const SECRET: u32 = 0o600;
const PUBLIC: u32 = 0o644;

fn wrong(path: &Path, reason: impl fmt::Display) -> HallError {
    HallError::Keys { path: path.to_owned(), reason: reason.to_string() }
}

/// How the servers of one hall know each other: by the event's authority. Source: NATS
/// documentation, clustering.
pub(crate) fn cluster_tls(folder: &Path) -> serde_json::Value {
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let file = |name: &str| folder.join(name).to_string_lossy().into_owned();
    json!({
        "cert_file": file("server.pem"),
        "key_file": file("server.key"),
        "ca_file": file("authority.pem"),
        "verify": true,
        "timeout": 5,
    })
}

/// The event's own authority.
fn authority(event: &EventName) -> Result<CertificateParams, rcgen::Error> {
    let mut params = CertificateParams::new(Vec::new())?;
    params.distinguished_name.push(DnType::CommonName, format!("Annabella, the hall of {event}"));
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    Ok(params)
}
