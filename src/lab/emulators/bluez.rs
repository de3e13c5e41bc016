//! BlueZ as far as a board by Bluetooth LE needs it, on a D-Bus of its own, and boards around its
//! adapter.
//!
//! Its answers and errors are those of org.bluez.Adapter(5), Device(5) and GattCharacteristic(5).
//! The bus is a real `dbus-daemon`.

use std::{
    collections::HashMap,
    fs::{self, File},
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use futures_util::StreamExt;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use tokio::sync::Notify;
use zbus::{Connection, Message, MessageStream, ObjectPath, Variant, connection::Builder, message};

use annabella_devices::serial::bluetooth::Radio;
use annabella_threads::{lock, millis};

use crate::pty::LineDevice;

const ADAPTER: &str = "/org/bluez/hci0";

/// A D-Bus of its own.
#[derive(Debug)]
pub struct PrivateBus {
    daemon: Child,
    folder: PathBuf,
}

/// Who may speak with BlueZ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    Everybody,
    /// As on a Debian for those who are not in group bluetooth.
    Nobody,
}

impl PrivateBus {
    /// Starts a bus whose socket is in this folder.
    ///
    /// # Errors
    /// When `dbus-daemon` is missing, or does not start.
    pub fn start(folder: &Path, policy: Policy) -> io::Result<PrivateBus> {
        let denied = match policy {
            Policy::Everybody => "",
            Policy::Nobody => "<deny send_destination=\"org.bluez\"/>",
        };
        let socket = folder.join("bus");
        // As on a session's bus.
        let rules = "<allow send_destination=\"*\" eavesdrop=\"true\"/>\
                     <allow eavesdrop=\"true\"/><allow own=\"*\"/>";
        let text = format!(
            "<busconfig><listen>unix:path={}</listen><auth>EXTERNAL</auth>\
             <policy context=\"default\">{rules}{denied}</policy></busconfig>",
            socket.display()
        );
        fs::write(folder.join("bus.conf"), text)?;
        Ok(PrivateBus { daemon: daemon(folder)?, folder: folder.to_owned() })
    }

    /// The address to connect to.
    pub fn address(&self) -> String {
        format!("unix:path={}", self.folder.join("bus").display())
    }

    /// Everybody is thrown out.
    ///
    /// # Errors
    /// When the daemon can't be ended.
    pub fn stop(&mut self) -> io::Result<()> {
        self.daemon.kill()?;
        self.daemon.wait().map(drop)
    }

    /// Starts it again, at the same address.
    ///
    /// # Errors
    /// As [`PrivateBus::start`].
    pub fn start_again(&mut self) -> io::Result<()> {
        let _ = fs::remove_file(self.folder.join("bus"));
        self.daemon = daemon(&self.folder)?;
        Ok(())
    }
}

impl Drop for PrivateBus {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.stop();
    }
}

/// Ready to be connected to when this returns.
fn daemon(folder: &Path) -> io::Result<Child> {
    let mut daemon = Command::new("dbus-daemon")
        .arg(format!("--config-file={}", folder.join("bus.conf").display()))
        .args(["--nofork", "--nopidfile", "--nosyslog", "--print-address"])
        .stdout(Stdio::piped())
        // It complains of limits that it may not raise.
        .stderr(Stdio::null())
        .spawn()
        .map_err(|err| io::Error::new(err.kind(), format!("cannot start dbus-daemon: {err}")))?;
    let mut address = String::new();
    let told = daemon.stdout.take().map(|out| BufReader::new(out).read_line(&mut address));
    match told {
        Some(Ok(length)) if length > 0 => Ok(daemon),
        _ => {
            let _ = daemon.kill();
            let _ = daemon.wait();
            Err(io::Error::other("dbus-daemon told no address"))
        }
    }
}

/// The radio of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adapter {
    Absent,
    Off,
    On,
}

/// A board around the adapter.
#[derive(Debug)]
pub struct Peripheral<D> {
    pub device: D,
    name: String,
    address: String,
    radio: Radio,
    /// Switched on, and in reach.
    near: bool,
    /// It tells nothing to those it is not paired with.
    pub wants_pairing: bool,
    /// Bytes of the longest notification.
    pub longest: usize,
    /// Another program has its notifications.
    pub taken: bool,
    /// BlueZ has seen it.
    known: bool,
    connected: bool,
    /// Our end of the socket with its notifications.
    notified: Option<File>,
}

impl<D: LineDevice> Peripheral<D> {
    /// A board that is near and makes itself known by this name.
    pub fn new(device: D, name: &str, address: &str, radio: Radio) -> Peripheral<D> {
        Peripheral {
            device,
            name: name.to_owned(),
            address: address.to_owned(),
            radio,
            near: true,
            wants_pairing: false,
            longest: 512,
            taken: false,
            known: false,
            connected: false,
            notified: None,
        }
    }

    /// The same, where BlueZ has not to search for it.
    #[must_use]
    pub fn known(self) -> Peripheral<D> {
        Peripheral { known: true, ..self }
    }

    /// It is switched on near by, or off.
    pub fn is_near(&mut self, now_ms: u64, near: bool) {
        self.near = near;
        if !near {
            self.leave();
            self.device.power_cycle(now_ms);
        }
    }

    pub fn is_connected(&self) -> bool {
        self.connected
    }

    fn leave(&mut self) {
        self.connected = false;
        self.notified = None;
    }

    fn path(&self) -> String {
        format!("{ADAPTER}/dev_{}", self.address.replace(':', "_"))
    }

    /// Sends what the board has said by now.
    fn send(&mut self, now_ms: u64) {
        let said = self.device.transmit(now_ms);
        if let Some(notified) = &mut self.notified {
            let sent = said.chunks(self.longest).try_for_each(|part| notified.write_all(part));
            if sent.is_err() {
                self.notified = None;
            }
        }
    }
}

/// What is around.
#[derive(Debug)]
pub struct Air<D> {
    pub adapter: Adapter,
    pub boards: Vec<Peripheral<D>>,
    searching: bool,
}

impl<D> Air<D> {
    /// Boards are searched for.
    pub fn is_searching(&self) -> bool {
        self.searching
    }
}

/// A running BlueZ. It is gone from the bus when it is dropped.
#[derive(Debug)]
pub struct Bluez<D: LineDevice> {
    shared: Arc<Shared<D>>,
    thread: Option<thread::JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared<D> {
    air: Mutex<Air<D>>,
    began: Instant,
    bell: Notify,
    stop: AtomicBool,
}

impl<D: LineDevice> Bluez<D> {
    /// BlueZ on the bus at this address, with an adapter that is on.
    ///
    /// # Errors
    /// When the bus can't be reached.
    pub fn start(bus: &str, boards: Vec<Peripheral<D>>) -> io::Result<Bluez<D>> {
        let air = Air { adapter: Adapter::On, boards, searching: false };
        let shared = Arc::new(Shared {
            air: Mutex::new(air),
            began: Instant::now(),
            bell: Notify::new(),
            stop: AtomicBool::new(false),
        });
        let (ready, is_ready) = mpsc::channel();
        let (own, bus) = (Arc::clone(&shared), bus.to_owned());
        let run = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                let connected = Builder::address(&*bus).name("org.bluez").build().await;
                // Whoever started it waits for this.
                match connected {
                    Err(err) => drop(ready.send(Err(io::Error::other(err.to_string())))),
                    Ok(connection) => {
                        let _ = ready.send(Ok(()));
                        own.serve(connection).await;
                    }
                }
            });
            Ok::<_, io::Error>(())
        };
        let thread = thread::Builder::new().name("bluez".to_owned()).spawn(move || {
            // Whoever waits sees that nothing comes.
            let _ = run();
        })?;
        is_ready.recv().map_err(io::Error::other)??;
        Ok(Bluez { shared, thread: Some(thread) })
    }

    /// Does something with the air: `bluez.with(|air, now_ms| air.boards[0].is_near(now_ms,
    /// false))`.
    pub fn with<T>(&self, act: impl FnOnce(&mut Air<D>, u64) -> T) -> T {
        let done = act(&mut lock(&self.shared.air), self.shared.now_ms());
        self.shared.bell.notify_one();
        done
    }
}

impl<D: LineDevice> Bluez<D> {
    /// Ends it. The boards stay as they are.
    pub fn end(self) -> Vec<Peripheral<D>> {
        let mut boards = std::mem::take(&mut lock(&self.shared.air).boards);
        boards.iter_mut().for_each(Peripheral::leave);
        boards
    }
}

impl<D: LineDevice> Drop for Bluez<D> {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        self.shared.bell.notify_one();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so on standard error already.
            let _ = thread.join();
        }
    }
}

/// What a method answers: what to send back, or an error's name and text.
type Answer = Result<Message, (&'static str, String)>;

impl<D: LineDevice> Shared<D> {
    fn now_ms(&self) -> u64 {
        millis(self.began.elapsed())
    }

    /// Answers until it is to stop, or the bus is gone.
    async fn serve(&self, connection: Connection) {
        let mut calls = MessageStream::from(&connection);
        while !self.stop.load(Ordering::SeqCst) {
            let due_ms = self.send();
            let patience = due_ms.saturating_sub(self.now_ms()).clamp(1, 1000);
            tokio::select! {
                call = calls.next() => match call {
                    Some(Ok(call)) if call.message_type() == message::Type::MethodCall => {
                        let header = call.header();
                        let sent = match self.answer(&call) {
                            Ok(answer) => connection.send(&answer).await,
                            Err((name, text)) => {
                                let name = format!("org.bluez.Error.{name}");
                                connection.reply_error(&header, name, &text).await
                            }
                        };
                        // Whoever asked may be gone.
                        let _ = sent;
                    }
                    Some(_) => {}
                    None => break,
                },
                () = self.bell.notified() => {}
                () = tokio::time::sleep(Duration::from_millis(patience)) => {}
            }
        }
        lock(&self.air).boards.iter_mut().for_each(Peripheral::leave);
    }

    /// Sends what boards have said. When to look again.
    fn send(&self) -> u64 {
        let now_ms = self.now_ms();
        let mut air = lock(&self.air);
        if air.adapter != Adapter::On {
            air.searching = false;
            air.boards.iter_mut().for_each(Peripheral::leave);
        }
        air.boards.iter_mut().for_each(|board| board.send(now_ms));
        air.boards.iter().map(|board| board.device.due_ms()).min().unwrap_or(u64::MAX)
    }

    fn answer(&self, call: &Message) -> Answer {
        let header = call.header();
        let member = header.member().map(|member| member.to_string()).unwrap_or_default();
        let path = header.path().map(|path| path.to_string()).unwrap_or_default();
        let nothing = || returned(call, &());
        let mut air = lock(&self.air);
        let off = || Err(("NotReady", "Resource Not Ready".to_owned()));
        match member.as_str() {
            "GetManagedObjects" => return returned(call, &air.objects()),
            "SetDiscoveryFilter" | "StopDiscovery" => {
                air.searching &= member != "StopDiscovery";
                return nothing();
            }
            "StartDiscovery" if air.adapter == Adapter::On => {
                air.searching = true;
                return nothing();
            }
            "StartDiscovery" => return off(),
            _ => {}
        }
        let on = air.adapter == Adapter::On;
        let Some(board) = air.boards.iter_mut().find(|board| path.starts_with(&board.path()))
        else {
            return Err(("Failed", format!("no such object: {path}")));
        };
        match member.as_str() {
            "Connect" if !on => off(),
            "Connect" if !board.near => Err(("Failed", "le-connection-abort-by-local".to_owned())),
            "Connect" => {
                board.connected = true;
                nothing()
            }
            "Disconnect" => {
                board.leave();
                nothing()
            }
            _ if !board.connected => Err(("Failed", "Not connected".to_owned())),
            "AcquireNotify" => board.acquire(call),
            "WriteValue" => {
                let read = call
                    .body()
                    .deserialize::<(Vec<u8>, HashMap<String, Variant<'_>>)>()
                    .map(|(bytes, _)| bytes);
                let bytes = read.map_err(|err| ("InvalidArguments", err.to_string()))?;
                board.device.receive(self.now_ms(), &bytes);
                nothing()
            }
            other => Err(("NotSupported", format!("no method {other}"))),
        }
    }
}

impl<D: LineDevice> Peripheral<D> {
    fn acquire(&mut self, call: &Message) -> Answer {
        if self.wants_pairing {
            return Err(("Failed", "Operation failed with ATT error: 0x05".to_owned()));
        }
        if self.taken || self.notified.is_some() {
            return Err(("NotPermitted", "Notify acquired".to_owned()));
        }
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let pair = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None);
        let (own, theirs) = pair.map_err(|err| ("Failed", err.to_string()))?;
        self.notified = Some(File::from(own));
        returned(call, &(zbus::OwnedFd::from(theirs), 23_u16))
    }
}

type Properties = HashMap<&'static str, Variant<'static>>;
type Objects = HashMap<ObjectPath<'static>, HashMap<&'static str, Properties>>;

impl<D: LineDevice> Air<D> {
    fn objects(&mut self) -> Objects {
        let mut objects = Objects::new();
        let mut add = |path: String, interface: &'static str, of: Properties| {
            let path = ObjectPath::try_from(path).expect("made of letters, digits and _");
            objects.insert(path, HashMap::from([(interface, of)]));
        };
        if self.adapter == Adapter::Absent {
            return objects;
        }
        let powered = Variant::from(self.adapter == Adapter::On);
        add(ADAPTER.to_owned(), "org.bluez.Adapter1", HashMap::from([("Powered", powered)]));
        for board in &mut self.boards {
            board.known |= self.searching && board.near;
            if !board.known {
                continue;
            }
            let mut of = HashMap::from([
                ("Name", Variant::from(board.name.clone())),
                ("Address", Variant::from(board.address.clone())),
                ("Connected", Variant::from(board.connected)),
                ("ServicesResolved", Variant::from(board.connected)),
                ("Paired", Variant::from(false)),
                // As BlueZ has it, though nobody reads it here.
                ("UUIDs", Variant::from(vec!["00001801-0000-1000-8000-00805f9b34fb".to_owned()])),
            ]);
            if self.searching && board.near {
                of.insert("RSSI", Variant::from(-60_i16));
            }
            add(board.path(), "org.bluez.Device1", of);
            for (n, uuid) in [board.radio.says, board.radio.hears].into_iter().enumerate() {
                if board.connected {
                    let path = format!("{}/service0010/char001{n}", board.path());
                    let of = HashMap::from([("UUID", Variant::from(uuid))]);
                    add(path, "org.bluez.GattCharacteristic1", of);
                }
            }
        }
        objects
    }
}

fn returned<B: serde::Serialize + zbus::DynamicType>(call: &Message, body: &B) -> Answer {
    let answer = Message::method_return(&call.header()).build(body);
    answer.map_err(|err| ("Failed", err.to_string()))
}
