//! brltty with a Braille display, simulated: a socket that speaks BrlAPI's protocol from the other
//! end.

use std::{
    io::{self, Read, Write},
    os::unix::net::{UnixListener, UnixStream},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    thread,
};

use annabella_devices::braille::packets::{
    DisplayKey, DisplaySize, FromBrltty, PacketCutter, Proof, ToBrltty, VERSION,
};
use annabella_threads::lock;

/// A brltty that listens until this is dropped. The last client that took the keys has the display.
#[derive(Debug)]
pub struct SimulatedBrltty {
    path: PathBuf,
    shared: Arc<Mutex<Desk>>,
}

#[derive(Debug, Default)]
struct Desk {
    size: DisplaySize,
    key: Option<Vec<u8>>,
    client: Option<UnixStream>,
    shown: Cells,
    gone: bool,
}

/// What stands on the display.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    /// As many characters as there are cells; none before something was written.
    pub text: String,
    /// The cell with the cursor, from 1; 0: none.
    pub cursor: u32,
}

impl SimulatedBrltty {
    /// Listens at a socket that is made anew. `key`: what a client must prove itself by.
    ///
    /// # Errors
    /// When the socket cannot be made.
    pub fn listen(
        path: &Path,
        size: DisplaySize,
        key: Option<&[u8]>,
    ) -> io::Result<SimulatedBrltty> {
        let _ = std::fs::remove_file(path);
        let listener = UnixListener::bind(path)?;
        let desk = Desk { size, key: key.map(<[u8]>::to_vec), ..Desk::default() };
        let shared = Arc::new(Mutex::new(desk));
        let held = Arc::clone(&shared);
        thread::Builder::new().name("brltty".to_owned()).spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if lock(&held).gone {
                    break;
                }
                let held = Arc::clone(&held);
                thread::spawn(move || {
                    // A client that talks nonsense is hung up on.
                    let ended = serve(client, &held);
                    let mut desk = lock(&held);
                    if ended.is_ok_and(|had_display| had_display) || desk.gone {
                        (desk.client, desk.shown) = (None, Cells::default());
                    }
                });
            }
        })?;
        Ok(SimulatedBrltty { path: path.to_owned(), shared })
    }

    /// What stands on the display.
    pub fn shown(&self) -> Cells {
        lock(&self.shared).shown.clone()
    }

    /// Another display is plugged in; one without cells is none.
    pub fn plug(&self, size: DisplaySize) {
        let mut desk = lock(&self.shared);
        desk.size = size;
        desk.shown = Cells::default();
    }

    /// A key is pressed; it goes to a client that takes keys.
    pub fn press(&self, key: DisplayKey) {
        if let Some(mut client) = lock(&self.shared).client.as_ref() {
            // One that has gone needs no keys.
            let _ = client.write_all(&FromBrltty::Pressed(key.code()).encode());
        }
    }

    /// Whether a client has its keys.
    pub fn is_taken(&self) -> bool {
        lock(&self.shared).client.is_some()
    }

    /// Hangs up on the client, who may come again.
    pub fn hang_up(&self) {
        if let Some(client) = &lock(&self.shared).client {
            let _ = client.shutdown(std::net::Shutdown::Both);
        }
    }
}

impl Drop for SimulatedBrltty {
    fn drop(&mut self) {
        lock(&self.shared).gone = true;
        self.hang_up();
        // Wakes the thread that waits for clients.
        let _ = UnixStream::connect(&self.path);
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Talks with a client until it goes, or talks nonsense. Answers whether it had the display.
fn serve(mut client: UnixStream, shared: &Mutex<Desk>) -> io::Result<bool> {
    let (mut cutter, mut buffer) = (PacketCutter::default(), [0; 1024]);
    let (mut greeted, mut trusted, mut taken) = (false, false, false);
    // The size when it entered, to which its cells are bound.
    let mut entered = None;
    client.write_all(&FromBrltty::Version(VERSION).encode())?;
    loop {
        let length = client.read(&mut buffer).unwrap_or(0);
        if length == 0 {
            return Ok(taken);
        }
        for (kind, body) in cutter.feed(&buffer[..length]).map_err(io::Error::other)? {
            let asked = ToBrltty::parse(kind, &body).map_err(io::Error::other)?;
            let mut desk = lock(shared);
            let answer = match asked {
                ToBrltty::Version(VERSION) if !greeted => {
                    greeted = true;
                    trusted = desk.key.is_none();
                    FromBrltty::Wants(if trusted { Proof::None } else { Proof::Key })
                }
                ToBrltty::Key(key) if greeted => {
                    trusted = desk.key.as_ref().is_none_or(|own| *own == key);
                    // Source: brlapi.h, BRLAPI_ERROR_AUTHENTICATION
                    if trusted { FromBrltty::Done } else { FromBrltty::Refused(17) }
                }
                ToBrltty::Size if trusted => FromBrltty::Size(desk.size),
                ToBrltty::Enter if trusted => {
                    entered = Some(desk.size);
                    FromBrltty::Done
                }
                ToBrltty::Leave if entered.take().is_some() => FromBrltty::Done,
                ToBrltty::LeaveKeys if entered.is_some() => FromBrltty::Done,
                ToBrltty::TakeKeys if entered.is_some() => {
                    taken = true;
                    desk.client = Some(client.try_clone()?);
                    FromBrltty::Done
                }
                ToBrltty::Write { text, cursor } if entered.is_some() => {
                    let cells = u64::from(desk.size.columns) * u64::from(desk.size.rows);
                    if text.chars().count() as u64 == cells && entered == Some(desk.size) {
                        desk.shown = Cells { text, cursor };
                        continue;
                    }
                    FromBrltty::Unshown
                }
                _ => return Err(io::Error::other("out of turn")),
            };
            client.write_all(&answer.encode())?;
        }
    }
}
