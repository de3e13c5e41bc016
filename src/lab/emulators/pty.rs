//! An emulated board behind a pseudo-terminal: a path that a program opens like a serial port.
//!
//! # Unplugging
//!
//! A pseudo-terminal that is closed comes back under another name. So the path given out is a link
//! in a folder of its own, which is taken away and set again.

use std::{
    fs::File,
    io::{self, Read, Write},
    os::{
        fd::{AsFd, OwnedFd},
        unix::{ffi::OsStrExt, net::UnixStream},
    },
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::{Mode, OFlags},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{OptionalActions, tcgetattr, tcsetattr},
};

use annabella_threads::{lock, millis};

/// A device at the far end of a line. Times are milliseconds since its start.
pub trait LineDevice: Send + std::fmt::Debug + 'static {
    /// Takes in what a host sent.
    fn receive(&mut self, now_ms: u64, bytes: &[u8]);

    /// The bytes that have gone over the line by now.
    fn transmit(&mut self, now_ms: u64) -> Vec<u8>;

    /// When there is something to transmit or to look at next.
    fn due_ms(&self) -> u64;

    /// It is switched off and on.
    fn power_cycle(&mut self, now_ms: u64);
}

/// A running emulator. Its line ends when it is dropped.
#[derive(Debug)]
pub struct Emulator<D: LineDevice> {
    shared: Arc<Shared<D>>,
    thread: Option<thread::JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared<D> {
    device: Mutex<D>,
    plugged: Mutex<Option<Terminal>>,
    link: Mutex<PathBuf>,
    began: Instant,
    bell: UnixStream,
    stop: AtomicBool,
}

/// Both ends of a pseudo-terminal. Our own hold on the far end keeps the line while nobody has it
/// open.
#[derive(Debug)]
struct Terminal {
    near: File,
    _far: OwnedFd,
}

impl<D> Shared<D> {
    fn now_ms(&self) -> u64 {
        millis(self.began.elapsed())
    }

    fn device(&self) -> MutexGuard<'_, D> {
        lock(&self.device)
    }

    fn plugged(&self) -> MutexGuard<'_, Option<Terminal>> {
        lock(&self.plugged)
    }

    fn ring(&self) {
        // A bell that is full has been rung already.
        let _ = (&self.bell).write(&[0]);
    }
}

impl<D: LineDevice> Emulator<D> {
    /// Starts a board whose port appears at `link`.
    ///
    /// # Errors
    /// When the system gives no pseudo-terminal, or the link cannot be made.
    pub fn start(device: D, link: &Path) -> io::Result<Emulator<D>> {
        let (bell, woken) = UnixStream::pair()?;
        bell.set_nonblocking(true)?;
        woken.set_nonblocking(true)?;
        let shared = Arc::new(Shared {
            device: Mutex::new(device),
            plugged: Mutex::new(None),
            link: Mutex::new(link.to_owned()),
            began: Instant::now(),
            bell,
            stop: AtomicBool::new(false),
        });
        let own = Arc::clone(&shared);
        let thread =
            thread::Builder::new().name("emulator".to_owned()).spawn(move || run(&own, woken))?;
        let emulator = Emulator { shared, thread: Some(thread) };
        emulator.plug_in()?;
        Ok(emulator)
    }

    /// The path to open.
    pub fn port(&self) -> PathBuf {
        lock(&self.shared.link).clone()
    }

    /// Milliseconds since the start: the device's own time.
    pub fn now_ms(&self) -> u64 {
        self.shared.now_ms()
    }

    /// Does something with the device: `emulator.with(|device, now_ms| device.put(now_ms, …))`.
    pub fn with<T>(&self, act: impl FnOnce(&mut D, u64) -> T) -> T {
        let now_ms = self.now_ms();
        let done = act(&mut self.shared.device(), now_ms);
        self.shared.ring();
        done
    }

    pub fn unplug(&self) {
        // The link may be gone already.
        let _ = std::fs::remove_file(self.port());
        *self.shared.plugged() = None;
        let now_ms = self.now_ms();
        self.shared.device().power_cycle(now_ms);
        self.shared.ring();
    }

    /// Plugs the cable in.
    ///
    /// # Errors
    /// When the system gives no pseudo-terminal, or the link cannot be made.
    pub fn plug_in(&self) -> io::Result<()> {
        let (terminal, name) = open_terminal()?;
        let link = self.port();
        // A link may be left over from another run.
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(name, &link)?;
        *self.shared.plugged() = Some(terminal);
        self.shared.ring();
        Ok(())
    }
}

impl<D: LineDevice> Emulator<D> {
    /// Plugs the cable in at another path.
    ///
    /// # Errors
    /// As [`Emulator::plug_in`].
    pub fn plug_in_at(&self, link: &Path) -> io::Result<()> {
        link.clone_into(&mut lock(&self.shared.link));
        self.plug_in()
    }
}

impl<D: LineDevice> Drop for Emulator<D> {
    fn drop(&mut self) {
        self.unplug();
        self.shared.stop.store(true, Ordering::SeqCst);
        self.shared.ring();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so on standard error already.
            let _ = thread.join();
        }
    }
}

fn open_terminal() -> io::Result<(Terminal, PathBuf)> {
    let near = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    grantpt(&near)?;
    unlockpt(&near)?;
    let name = ptsname(&near, Vec::new())?;
    let path = PathBuf::from(std::ffi::OsStr::from_bytes(name.as_bytes()));
    let far =
        rustix::fs::open(&path, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
    let mut termios = tcgetattr(&far)?;
    termios.make_raw();
    tcsetattr(&far, OptionalActions::Now, &termios)?;
    let flags = rustix::fs::fcntl_getfl(&near)?;
    rustix::fs::fcntl_setfl(&near, flags | OFlags::NONBLOCK)?;
    Ok((Terminal { near: File::from(near), _far: far }, path))
}

fn run<D: LineDevice>(shared: &Shared<D>, mut woken: UnixStream) {
    let mut buffer = [0; 512];
    while !shared.stop.load(Ordering::SeqCst) {
        let near = {
            let mut plugged = shared.plugged();
            let now_ms = shared.now_ms();
            match plugged.as_mut() {
                None => None,
                Some(terminal) => {
                    let mut device = shared.device();
                    if let Ok(length) = terminal.near.read(&mut buffer) {
                        device.receive(now_ms, &buffer[..length]);
                    }
                    let bytes = device.transmit(now_ms);
                    // Without a reader the bytes that don't fit are lost, as on a line.
                    let _ = terminal.near.write(&bytes);
                    terminal.near.try_clone().ok()
                }
            }
        };
        let due_ms = shared.device().due_ms();
        let patience_ms = due_ms.saturating_sub(shared.now_ms()).clamp(1, 1000);
        wait(near.as_ref(), &woken, Duration::from_millis(patience_ms));
        while matches!(woken.read(&mut buffer), Ok(length) if length > 0) {}
    }
}

fn wait(near: Option<&File>, woken: &UnixStream, patience: Duration) {
    let mut ends = vec![PollFd::from_borrowed_fd(woken.as_fd(), PollFlags::IN)];
    if let Some(near) = near {
        ends.push(PollFd::from_borrowed_fd(near.as_fd(), PollFlags::IN));
    }
    let timeout =
        Timespec { tv_sec: patience.as_secs() as i64, tv_nsec: patience.subsec_nanos() as _ };
    // Woken early or late, the loop looks at the time itself.
    let _ = poll(&mut ends, Some(&timeout));
}
